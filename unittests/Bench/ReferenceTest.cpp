//===- ReferenceTest.cpp - Mappings from reference files ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Dosa.h"
#include "fadiff/Bench/Throughput.h"
#include "fadiff/Bench/Timeloop.h"
#include "fadiff/CostModel/Relaxed.h"
#include "fadiff/Hardware/KnownTargets.h"

#include "gtest/gtest.h"

#include <set>

using namespace fadiff;

namespace {

TEST(DosaMappingTest, LevelsLoopsAndArray) {
  DosaMapping parsed;
  auto mismatch = parseDosaMapping(
      "L3[WIO] P28 R7 Q56 K8 - L2[WI] N1 K4X - L1[O] K2 S7 Q2 P2 C3X - "
      "L0[W] P2",
      parsed);
  ASSERT_FALSE(mismatch) << mismatch->what;
  const Mapping &mapping = parsed.mapping;
  EXPECT_EQ(parsed.unsupported, "");
  EXPECT_EQ(mapping.rows, 3);
  EXPECT_EQ(mapping.cols, 4);
  EXPECT_EQ(mapping.temporal[Level::Dram][Dim::P], 28);
  EXPECT_EQ(mapping.temporal[Level::Dram][Dim::K], 8);
  EXPECT_EQ(mapping.temporal[Level::Scratchpad], PerDim<int64_t>(1));
  EXPECT_EQ(mapping.temporal[Level::Accumulator][Dim::Q], 2);
  EXPECT_EQ(mapping.temporal[Level::Registers][Dim::P], 2);
  // Listed from the outermost, kept from the innermost; the rest follows.
  const LoopOrder &order = mapping.order[Level::Dram];
  EXPECT_EQ(order[0], Dim::K);
  EXPECT_EQ(order[1], Dim::Q);
  EXPECT_EQ(order[2], Dim::R);
  EXPECT_EQ(order[3], Dim::P);
  for (Level level : kAllLevels) {
    const LoopOrder &all = mapping.order[level];
    EXPECT_EQ(std::set<Dim>(all.begin(), all.end()).size(), kNumDims);
  }
}

TEST(DosaMappingTest, OnlyCAndKAreSpatial) {
  DosaMapping parsed;
  ASSERT_FALSE(parseDosaMapping("L3[WIO] N1 - L2[WI] Q2X - L1[O] N1 - L0[W] N1",
                                parsed));
  EXPECT_EQ(parsed.unsupported, "spatial factor of Q at L2[WI]");
  // C over columns, K over rows.
  ASSERT_FALSE(parseDosaMapping("L3[WIO] N1 - L2[WI] C2X - L1[O] N1 - L0[W] N1",
                                parsed));
  EXPECT_EQ(parsed.unsupported, "spatial factor of C at L2[WI]");
  ASSERT_FALSE(parseDosaMapping("L3[WIO] N1 - L2[WI] N1 - L1[O] Q1X - L0[W] N1",
                                parsed));
  EXPECT_EQ(parsed.unsupported, "");
}

TEST(DosaMappingTest, Errors) {
  auto error = [](llvm::StringRef text) {
    DosaMapping parsed;
    auto mismatch = parseDosaMapping(text, parsed);
    return mismatch ? mismatch->what + ": wanted " + mismatch->wanted +
                          ", found " + mismatch->found
                    : "";
  };
  EXPECT_EQ(error("L3[WIO] N1 - L1[O] N1"),
            ": wanted four levels, separated by ' - ', found "
            "'L3[WIO] N1 - L1[O] N1'");
  EXPECT_EQ(error("L3[WIO] N1 - L2[I] N1 - L1[O] N1 - L0[W] N1"),
            ": level #1: wanted 'L2[WI]' first, found 'L2[I] N1'");
  EXPECT_EQ(error("L3[WIO] N1 -  - L1[O] N1 - L0[W] N1"),
            ": level #1: wanted 'L2[WI]' first, found ''");
  for (std::string word : {"Z2", "K", "K0", "K-1", "KX", "K2Y", "2", "G2",
                           "K99999999999999999999"})
    EXPECT_EQ(
        error("L3[WIO] N1 - L2[WI] " + word + " - L1[O] N1 - L0[W] N1"),
        ": L2[WI]: wanted a dim of N K C P Q R S, a factor, and X if spatial, "
        "found '" +
            word + "'");
  EXPECT_EQ(error("L3[WIO] K2 K2 - L2[WI] N1 - L1[O] N1 - L0[W] N1"),
            ": L3[WIO]: wanted each dim once, found 'K2'");
}

// Wstride and Wdilation go with P and R, Hstride and Hdilation with Q and S.
TEST(DosaRowTest, LayerAndMachine) {
  llvm::StringRef text =
      "prob.shape,prob.N,prob.K,prob.C,prob.P,prob.Q,prob.R,prob.S,"
      "prob.Wstride,prob.Hstride,prob.Wdilation,prob.Hdilation,arch.meshX,"
      "arch.mem1_depth,arch.mem1_width,arch.mem1_instances,arch.mem2_depth,"
      "arch.mem2_width,arch.mem2_instances,mapping.mapping\n"
      "cnn-layer,1,1,1,5,7,3,1,2,3,4,5,8,16,32,8,1024,64,1,"
      "L3[WIO] P5 Q7 R3 - L2[WI] N1 - L1[O] N1 - L0[W] N1\n";
  CsvTable table = llvm::cantFail(parseCsv(text, "f.csv"));
  Complaints complaints("f.csv");
  DosaRow row = readDosaRow(complaints, table, table.rows[0]);
  EXPECT_EQ(llvm::toString(complaints.take()), "");
  EXPECT_EQ(row.unsupported, "");
  EXPECT_EQ(row.line, 2u);
  EXPECT_EQ(row.layer.dims[Dim::P], 5);
  EXPECT_EQ(row.layer.dims[Dim::Q], 7);
  EXPECT_EQ(row.layer.stride, (PerAxis<int64_t>(2, 3)));
  EXPECT_EQ(row.layer.dilation, (PerAxis<int64_t>(4, 5)));
  EXPECT_EQ(row.layer.inputExtent[Axis::H], 4 * 2 + 2 * 4 + 1);
  EXPECT_EQ(row.target.side, 8);
  EXPECT_EQ(row.target.accumulatorBytes, 16 * 4 * 8);
  EXPECT_EQ(row.target.scratchpadBytes, 8192);
}

// The large machine of the FADiff paper has these fits written out.
TEST(DosaMappingTest, MachineFollowsTheFits) {
  Accelerator large = llvm::cantFail(findTarget("gemmini-large"));
  Accelerator fit =
      dosaMachine(large.side, large.accumulatorBytes, large.scratchpadBytes);
  EXPECT_EQ(fit.energyPerMac, large.energyPerMac);
  for (Level level : kAllLevels) {
    EXPECT_NEAR(fit.energyPerAccess[level], large.energyPerAccess[level],
                1e-12);
    EXPECT_EQ(fit.bandwidth[level], large.bandwidth[level]);
  }
  // Also of sizes that cannot be built.
  fit = dosaMachine(6, 4 * 6 * 8, 198);
  EXPECT_EQ(fit.scratchpadBytes, 198);
  EXPECT_DOUBLE_EQ(fit.energyPerAccess[Level::Accumulator],
                   1.94 + 0.1005 * (4 * 6 * 8) / 1024 / 6);
  EXPECT_DOUBLE_EQ(fit.energyPerAccess[Level::Scratchpad],
                   0.49 + 0.02513 * 198 / 1024);
  EXPECT_EQ(fit.bandwidth[Level::Scratchpad], 12);
}

class CheckTest : public testing::Test {
protected:
  CheckTest() {
    layer.dims[Dim::K] = 8;
    layer.dims[Dim::C] = 6;
    layer.dims[Dim::P] = 4;
    layer.dims[Dim::R] = 3;
    layer.stride[Axis::H] = 2;
    mapping.rows = 3;
    mapping.cols = 4;
    mapping.temporal[Level::Accumulator][Dim::K] = 2;
    mapping.temporal[Level::Scratchpad][Dim::C] = 2;
    mapping.temporal[Level::Scratchpad][Dim::R] = 3;
    mapping.temporal[Level::Accumulator][Dim::P] = 4;
    target = dosaMachine(4, 4 * 4 * 8, 198);
  }
  std::string check(int64_t registerWords = 1) {
    auto mismatch = checkExactMapping(layer, mapping, target, registerWords);
    return mismatch ? mismatch->what + ": wanted " + mismatch->wanted +
                          ", found " + mismatch->found
                    : "";
  }
  Layer layer;
  Mapping mapping;
  Accelerator target;
};

// By hand: W 8*6*3 = 144 and I 6 * ((4-1)*2 + (3-1) + 1) = 54 words, 198
// together; O 8*4 = 32 words in 4 columns, 8 each.
TEST_F(CheckTest, Fits) {
  EXPECT_EQ(check(), "");
  target.scratchpadBytes = 197;
  EXPECT_EQ(check(),
            "scratchpad: wanted tiles of at most 197 words, found 198");
  target.accumulatorBytes = 4 * 4 * 7;
  EXPECT_EQ(check(), "accumulator: wanted tiles of at most 7 words, found 8");
  mapping.temporal[Level::Accumulator][Dim::K] = 1;
  mapping.temporal[Level::Registers][Dim::K] = 2;
  EXPECT_EQ(check(), "registers: wanted tiles of at most 1 words, found 2");
  target.side = 3;
  EXPECT_EQ(check(),
            "factor over the array's columns: wanted at most 3, found 4");
  target.side = 2;
  EXPECT_EQ(check(), "factor over the array's rows: wanted at most 2, found 3");
}

TEST_F(CheckTest, FactorsMultiplyToTheBound) {
  mapping.temporal[Level::Dram][Dim::K] = 2;
  EXPECT_EQ(check(), "factors of K: wanted a product of 8, found 16");
  mapping.temporal[Level::Dram][Dim::K] = 1;
  mapping.temporal[Level::Scratchpad][Dim::R] = 1;
  EXPECT_EQ(check(), "factors of R: wanted a product of 3, found 1");
}

TEST(CountKindsTest, AreDistinct) {
  std::set<std::tuple<Level, Tensor, Access>> distinct;
  for (const CountKind &kind : countKinds())
    distinct.insert({kind.level, kind.tensor, kind.access});
  EXPECT_EQ(distinct.size(), kNumCounts);
}

// Multiply-adds by hand: conv1 118013952; the 16 convolutions of the blocks
// and 3 projections 1695547392; fc 512000. He et al. give 1.8e9 in table 1.
TEST(ThroughputTest, Resnet18) {
  std::vector<Layer> layers = resnet18Layers();
  EXPECT_EQ(layers.size(), 21u);
  int64_t macs = 0;
  for (const Layer &layer : layers)
    macs += layer.macs();
  EXPECT_EQ(macs, 1814073344);
  EXPECT_EQ(layers[5].name, "layer2.0.conv1");
  EXPECT_EQ(layers[5].stride[Axis::H], 2);
  EXPECT_EQ(layers[5].dims[Dim::C], 64);
  EXPECT_EQ(layers.back().dims[Dim::C], 512);
}

// What the throughput figures time: the relaxed value is the exact one where
// factors divide, and each factor has its own derivative.
TEST(ThroughputTest, RelaxedValueAndGradient) {
  Accelerator target = llvm::cantFail(findTarget("gemmini"));
  Sample sample;
  sample.layer = resnet18Layers()[1]; // 64 x 64, 56 x 56, 3 x 3
  Mapping &mapping = sample.mapping;
  mapping.rows = mapping.cols = 16;
  for (Dim dim : {Dim::K, Dim::C}) {
    mapping.temporal[Level::Accumulator][dim] = 2;
    mapping.temporal[Level::Dram][dim] = 2;
  }
  mapping.temporal[Level::Registers][Dim::Q] = 14;
  mapping.temporal[Level::Scratchpad][Dim::P] = 4;
  mapping.temporal[Level::Scratchpad][Dim::R] = 3;
  mapping.temporal[Level::Scratchpad][Dim::S] = 3;
  mapping.temporal[Level::Dram][Dim::P] = 14;
  mapping.temporal[Level::Dram][Dim::Q] = 4;
  ASSERT_FALSE(checkExactMapping(sample.layer, mapping, target, 1));
  for (Convention convention : {Convention::Timeloop, Convention::Machine}) {
    LayerCost exact = evaluateLayer(sample.layer, mapping, target, convention);
    RelaxedFactors<double> factors = relaxedFactors(mapping);
    RelaxedCost<double> value = evaluateRelaxed(
        relaxedNest(sample.layer, factors, mapping.order), target, convention);
    EXPECT_EQ(value.energy, exact.energy);
    EXPECT_EQ(value.cycles, exact.cycles);
    RelaxedSlopes slopes = differentiateRelaxed(
        sample.layer, factors, mapping.order, target, convention);
    EXPECT_EQ(slopes.value.energy, exact.energy);
    EXPECT_EQ(slopes.value.cycles, exact.cycles);
    // A larger scratchpad tile of P fetches weights less often, so costs less
    // energy.
    const auto &byScratchpad = slopes.energy.temporal[Level::Scratchpad];
    EXPECT_LT(byScratchpad[Dim::P], 0);
    EXPECT_NE(slopes.energy.cols, 0);
    EXPECT_NE(slopes.energy.cols, byScratchpad[Dim::P]);
    EXPECT_EQ(byScratchpad[Dim::G], 0);
    EXPECT_EQ(slopes.energy.temporal[Level::Dram][Dim::P], 0);
  }
}

TEST(ThroughputTest, MeasuresSomething) {
  Accelerator target = llvm::cantFail(findTarget("gemmini"));
  auto samples = sampleMappings(resnet18Layers(), target, 2, /*seed=*/3);
  ASSERT_TRUE(bool(samples)) << llvm::toString(samples.takeError());
  EXPECT_EQ(samples->size(), 42u);
  for (const Sample &sample : *samples)
    EXPECT_FALSE(bool(verify(sample.layer, sample.mapping, target)));
  llvm::json::Object report =
      measureThroughput(*samples, target, Convention::Machine, 0);
  for (const char *key :
       {"exact_value_per_second", "batched_value_per_second",
        "relaxed_value_per_second", "relaxed_value_and_gradient_per_second"}) {
    const llvm::json::Object *rate = report.getObject(key);
    ASSERT_TRUE(rate) << key;
    EXPECT_GT(*rate->getNumber("slowest"), 0);
    EXPECT_LE(*rate->getNumber("slowest"), *rate->getNumber("median"));
    EXPECT_LE(*rate->getNumber("median"), *rate->getNumber("fastest"));
  }
}

} // namespace
