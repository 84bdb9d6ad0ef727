//===- CheckTest.cpp - Predicted counts against simulated ones ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/ISA/Gemmini.h"
#include "fadiff/Runner/Scheduled.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace fadiff;

namespace {

/// Loads 4 rows of 8 bytes with mvin and 2 rows of 8 with mvin2, 8 zeros with
/// mvin: an input of 32 bytes, weights of 16.
class CheckTest : public testing::Test {
protected:
  CheckTest() : machine(llvm::cantFail(findTarget("gemmini"))) {
    machine.region(0);
    auto run = [&](isa::Command c) { machine.execute(c.funct, c.rs1, c.rs2); };
    for (unsigned mvin : {0, 1}) {
      isa::ConfigLd config;
      config.mvin = mvin;
      config.stride = 8;
      config.blockStride = 16;
      run(isa::encode(config));
    }
    auto load = [&](isa::Funct funct, const void *from, int row, int rows) {
      isa::Move move;
      move.funct = funct;
      move.dramAddress = reinterpret_cast<uintptr_t>(from);
      move.localAddress = isa::LocalAddress::scratchpad(row);
      move.rows = rows;
      move.cols = 8;
      run(isa::encode(move));
    };
    load(isa::Funct::Mvin, memory, 0, 4);
    load(isa::Funct::Mvin2, memory, 16, 2);
    load(isa::Funct::Mvin, nullptr, 8, 1);
    machine.fence();
    EXPECT_FALSE(machine.fault()) << machine.fault()->str();

    NestPrediction nest;
    nest.name = "a+b";
    nest.counts = GroupCost();
    LayerCost layer;
    layer.access[Level::Scratchpad][Tensor::I].fills = 32;
    layer.access[Level::Scratchpad][Tensor::W].fills = 16;
    static_cast<LayerCost &>(nest.counts->members.emplace_back()) = layer;
    nest.counts->dramBytes.input = 32;
    nest.counts->dramBytes.weights = 16;
    predicted.push_back(nest);
  }

  bool check() {
    text.clear();
    errors.clear();
    llvm::raw_string_ostream os(text), err(errors);
    return checkPredictions(os, err, predicted, machine);
  }

  int8_t memory[64] = {};
  sim::Machine machine;
  std::vector<NestPrediction> predicted;
  std::string text, errors;
};

TEST_F(CheckTest, EqualCounts) {
  EXPECT_TRUE(check());
  EXPECT_EQ(errors, "");
  EXPECT_EQ(text.find("check: 1 groups, DRAM bytes per tensor, "
                      "multiply-accumulates and scratchpad writes equal"),
            0u);
}

TEST_F(CheckTest, NamesGroupTensorAndBothCounts) {
  predicted[0].counts->dramBytes.weights = 24;
  EXPECT_FALSE(check());
  EXPECT_EQ(errors, "error: check: group 'a+b', weights: predicted 24 DRAM "
                    "bytes read, found 16\n");
  predicted[0].counts->dramBytes.weights = 16;
  predicted[0].counts->dramBytes.bias = 4;
  EXPECT_FALSE(check());
  EXPECT_EQ(errors, "error: check: group 'a+b', bias: predicted 4 DRAM bytes "
                    "read, found 0\n");
  predicted[0].counts->dramBytes.bias = 0;
  predicted[0].counts->members[0].arrayMacs = 5;
  EXPECT_FALSE(check());
  EXPECT_EQ(errors, "error: check: group 'a+b', array: predicted 5 "
                    "multiply-accumulates, found 0\n");
}

TEST_F(CheckTest, NothingToPredictFrom) {
  predicted[0].counts.reset();
  EXPECT_FALSE(check());
  EXPECT_EQ(errors, "error: check: group 'a+b' carries no mapping to predict "
                    "from; search, or write one\n");
}

} // namespace
