//===- MatmulLoopTest.cpp - Which layers loop_ws can run ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/MatmulLoop.h"
#include "fadiff/Schedule/Schedule.h"

#include "gtest/gtest.h"

#include <functional>

using namespace fadiff;

namespace {

/// 1024 scratchpad and 128 accumulator rows of 16 elements.
Accelerator machine() {
  Accelerator a;
  a.name = "test";
  a.side = 16;
  a.scratchpadBytes = 1024 * 16;
  a.accumulatorBytes = 128 * 64;
  return a;
}

/// 64 rows, 256 channels in, 96 out.
Layer product() {
  Layer layer;
  layer.name = "fc";
  layer.dims[Dim::N] = 64;
  layer.dims[Dim::C] = 256;
  layer.dims[Dim::K] = 96;
  return layer;
}

/// Tiles of 32 x 64 by 64 x 32, the reduction innermost, then K.
Mapping tiled() {
  Mapping m;
  m.rows = m.cols = 16;
  m.temporal[Level::Registers][Dim::N] = 32;
  m.temporal[Level::Accumulator][Dim::K] = 2;
  m.temporal[Level::Accumulator][Dim::C] = 4;
  m.temporal[Level::Dram][Dim::N] = 2;
  m.temporal[Level::Dram][Dim::K] = 3;
  m.temporal[Level::Dram][Dim::C] = 4;
  m.order[Level::Dram] = {Dim::C, Dim::K, Dim::N, Dim::G,
                          Dim::P, Dim::Q, Dim::R, Dim::S};
  return m;
}

TEST(MatmulLoopTest, LoopsAroundTiles) {
  ASSERT_FALSE(bool(verify(product(), tiled(), machine())));
  llvm::Expected<MatmulLoop> loop =
      planMatmulLoop(product(), tiled(), machine());
  ASSERT_TRUE(bool(loop)) << llvm::toString(loop.takeError());
  ASSERT_EQ(loop->outer.size(), 3u);
  const Dim dims[] = {Dim::N, Dim::K, Dim::C};
  const int64_t steps[] = {32, 32, 64};
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_EQ(loop->outer[i].loop.dim, dims[i]);
    EXPECT_EQ(loop->outer[i].step, steps[i]);
  }
  EXPECT_EQ(loop->pixels(), 32);
  EXPECT_EQ(loop->tile[Dim::K], 32);
  EXPECT_EQ(loop->tile[Dim::C], 64);
  // Both are loaded on every trip of C.
  EXPECT_EQ(loop->outsideInput, 3u);
  EXPECT_EQ(loop->outsideWeights, 3u);
}

TEST(MatmulLoopTest, OperandsStay) {
  // All of the reduction in one tile: the input stays for all columns.
  Mapping m = tiled();
  m.temporal[Level::Accumulator][Dim::C] = 16;
  m.temporal[Level::Registers][Dim::N] = 16;
  m.temporal[Level::Dram][Dim::N] = 4;
  m.temporal[Level::Accumulator][Dim::K] = 1;
  m.temporal[Level::Dram][Dim::K] = 6;
  m.temporal[Level::Dram][Dim::C] = 1;
  llvm::Expected<MatmulLoop> loop = planMatmulLoop(product(), m, machine());
  ASSERT_TRUE(bool(loop)) << llvm::toString(loop.takeError());
  EXPECT_EQ(loop->outer.size(), 2u);
  EXPECT_EQ(loop->outsideInput, 1u);
  EXPECT_EQ(loop->outsideWeights, 2u);
}

TEST(MatmulLoopTest, ReductionOfATileIsSplitIfItDoesNotFit) {
  Mapping m = tiled();
  m.temporal[Level::Dram][Dim::C] = 1;
  m.temporal[Level::Scratchpad][Dim::C] = 4;
  // 256 channels of 32 rows and 32 columns are all of the scratchpad.
  ASSERT_FALSE(bool(verify(product(), m, machine())));
  // The input would have to come again for every tile of columns.
  llvm::Expected<MatmulLoop> loop = planMatmulLoop(product(), m, machine());
  ASSERT_FALSE(bool(loop));
  EXPECT_EQ(llvm::toString(loop.takeError()),
            "input and weights take 1024 rows of the scratchpad, more than "
            "half of it, 512");
  // With one tile nothing has to stay.
  Layer narrow = product();
  narrow.dims[Dim::N] = narrow.dims[Dim::K] = 32;
  loop = planMatmulLoop(narrow, m, machine());
  ASSERT_TRUE(bool(loop)) << llvm::toString(loop.takeError());
  EXPECT_EQ(loop->outer.size(), 1u);
  EXPECT_EQ(loop->outer[0].loop.level, Level::Scratchpad);
  EXPECT_EQ(loop->tile[Dim::C], 64);
}

struct Case {
  const char *reason;
  std::function<void(Layer &, Mapping &)> spoil;
  int64_t side = 16;
};

const Case cases[] = {
    {"a kernel of 3 x 1 is no matrix product",
     [](Layer &layer, Mapping &m) {
       layer.dims[Dim::R] = 3;
       layer.inputExtent[Axis::H] = 3;
       m.temporal[Level::Dram][Dim::R] = 3;
     }},
    {"the input is padded",
     [](Layer &layer, Mapping &) { layer.padLow[Axis::H] = 1; }},
    {"a residual is added",
     [](Layer &layer, Mapping &) { layer.hasResidual = true; }},
    {"its output is pooled on the way to DRAM",
     [](Layer &layer, Mapping &) { layer.pool.emplace(); }},
    {"partial sums are spilled",
     [](Layer &, Mapping &m) {
       std::swap(m.order[Level::Dram][0], m.order[Level::Dram][1]);
     }},
    {"outputs take 96 rows of the accumulator, more than half of it, 64",
     [](Layer &, Mapping &m) {
       m.temporal[Level::Accumulator][Dim::K] = 3;
       m.temporal[Level::Dram][Dim::K] = 2;
     }},
    {"a tile of 16 input channels is not whole blocks of 32",
     [](Layer &, Mapping &m) {
       m.temporal[Level::Accumulator][Dim::C] = 1;
       m.temporal[Level::Dram][Dim::C] = 16;
     },
     32},
    {"the last tile along N takes the bias in fewer pieces",
     [](Layer &layer, Mapping &) {
       layer.hasBias = true;
       layer.dims[Dim::N] = 40;
     }},
    {"the pixels of a tile are no rows at one distance",
     [](Layer &layer, Mapping &m) {
       // Four rows of six pixels, of which a tile takes half.
       layer.dims[Dim::N] = 1;
       layer.dims[Dim::P] = layer.inputExtent[Axis::H] = 4;
       layer.dims[Dim::Q] = layer.inputExtent[Axis::W] = 6;
       m.temporal[Level::Registers][Dim::N] = 1;
       m.temporal[Level::Registers][Dim::P] = 4;
       m.temporal[Level::Registers][Dim::Q] = 3;
       m.temporal[Level::Dram][Dim::Q] = 2;
     }},
    {"the input of a scratchpad tile would be loaded again on each trip of K",
     [](Layer &layer, Mapping &m) {
       layer.dims[Dim::C] = 64;
       m.temporal[Level::Dram][Dim::C] = 1;
       // A tile of 32 x 64 by 64 x 96, columns outside of rows.
       m.temporal[Level::Dram][Dim::K] = 1;
       m.temporal[Level::Scratchpad][Dim::K] = 3;
       m.temporal[Level::Registers][Dim::N] = 16;
       m.temporal[Level::Scratchpad][Dim::N] = 2;
       m.order[Level::Scratchpad] = m.order[Level::Dram];
       std::swap(m.order[Level::Scratchpad][1], m.order[Level::Scratchpad][2]);
     }},
};

TEST(MatmulLoopTest, ReasonsWhyNot) {
  for (const Case &c : cases) {
    SCOPED_TRACE(c.reason);
    Layer layer = product();
    Mapping mapping = tiled();
    Accelerator target = machine();
    target.side = c.side;
    c.spoil(layer, mapping);
    llvm::Expected<MatmulLoop> loop = planMatmulLoop(layer, mapping, target);
    ASSERT_FALSE(bool(loop));
    EXPECT_EQ(llvm::toString(loop.takeError()), c.reason);
  }
}

TEST(MatmulLoopTest, Use) {
  EXPECT_EQ(parseName<LoopUnitUse>("auto"), LoopUnitUse::Auto);
  EXPECT_EQ(parseName<LoopUnitUse>("on"), LoopUnitUse::On);
  EXPECT_EQ(parseName<LoopUnitUse>("off"), LoopUnitUse::Off);
  EXPECT_EQ(parseName<LoopUnitUse>("yes"), std::nullopt);
}

} // namespace
