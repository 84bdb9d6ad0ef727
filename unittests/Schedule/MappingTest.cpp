//===- MappingTest.cpp - Tests of tiles, trips and placement --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/Placement.h"
#include "fadiff/Schedule/Schedule.h"

#include "gtest/gtest.h"

using namespace fadiff;

namespace {

Layer conv(int64_t k, int64_t c, int64_t pixels, int64_t taps,
           int64_t stride = 1) {
  Layer layer;
  layer.name = "conv";
  layer.dims[Dim::K] = k;
  layer.dims[Dim::C] = c;
  layer.dims[Dim::P] = layer.dims[Dim::Q] = pixels;
  layer.dims[Dim::R] = layer.dims[Dim::S] = taps;
  layer.stride = {stride, stride};
  layer.padLow = {taps / 2, taps / 2};
  layer.inputExtent = {pixels * stride, pixels * stride};
  return layer;
}

TEST(MappingTest, TilesAreClippedProducts) {
  Layer layer = conv(10, 7, 5, 3);
  Mapping m;
  m.rows = 4;
  m.cols = 3;
  m.temporal[Level::Accumulator][Dim::K] = 2;
  m.temporal[Level::Dram][Dim::K] = 2;
  m.temporal[Level::Scratchpad][Dim::C] = 2;
  m.temporal[Level::Registers][Dim::P] = 4;
  m.temporal[Level::Dram][Dim::P] = 2;
  EXPECT_EQ(m.tile(layer, Level::Registers, Dim::K), 3);
  EXPECT_EQ(m.tile(layer, Level::Accumulator, Dim::K), 6);
  EXPECT_EQ(m.tile(layer, Level::Scratchpad, Dim::K), 6);
  EXPECT_EQ(m.tile(layer, Level::Dram, Dim::K), 10);
  EXPECT_EQ(m.trips(layer, Level::Accumulator, Dim::K), 2);
  EXPECT_EQ(m.trips(layer, Level::Scratchpad, Dim::K), 1);
  EXPECT_EQ(m.trips(layer, Level::Dram, Dim::K), 2);
  // 8 channels asked for, 7 there.
  EXPECT_EQ(m.tile(layer, Level::Scratchpad, Dim::C), 7);
  EXPECT_EQ(m.trips(layer, Level::Scratchpad, Dim::C), 2);
  EXPECT_EQ(m.trips(layer, Level::Registers, Dim::P), 4);
}

TEST(MappingTest, HugeFactorsDoNotOverflow) {
  Layer layer = conv(10, 7, 5, 3);
  Mapping m;
  for (Level level : kAllLevels)
    m.temporal[level] = PerDim<int64_t>(INT64_MAX);
  EXPECT_EQ(m.tile(layer, Level::Dram, Dim::K), 10);
  EXPECT_EQ(m.trips(layer, Level::Dram, Dim::K), 1);
  EXPECT_EQ(m.trips(layer, Level::Registers, Dim::K), 10);
}

TEST(MappingTest, DepthwiseBlockTakesGroups) {
  Layer layer = conv(1, 1, 4, 3);
  layer.dims[Dim::G] = 10;
  Mapping m;
  m.cols = 4;
  m.rows = 1;
  EXPECT_EQ(m.spatial(layer, Dim::G), 4);
  EXPECT_EQ(m.spatial(layer, Dim::K), 1);
  EXPECT_EQ(m.spatial(layer, Dim::C), 1);
  m.temporal[Level::Scratchpad] = layer.dims;
  m.temporal[Level::Scratchpad][Dim::G] = 3;
  Footprint rows = footprint(layer, m);
  EXPECT_EQ(rows.weightRows, 3 * 3 * 10);
  EXPECT_EQ(rows.inputRows, 6 * 6 * 3);
  EXPECT_EQ(rows.outputRows, 1);
}

TEST(MappingTest, FootprintCountsWholeRows) {
  Layer layer = conv(10, 7, 8, 3, 2);
  Mapping m;
  m.rows = 4;
  m.cols = 4;
  m.temporal[Level::Registers][Dim::Q] = 8;
  m.temporal[Level::Accumulator][Dim::P] = 2;
  m.temporal[Level::Accumulator][Dim::K] = 3;
  m.temporal[Level::Scratchpad][Dim::C] = 2;
  m.temporal[Level::Scratchpad][Dim::R] = 3;
  m.temporal[Level::Dram][Dim::S] = 3;
  m.temporal[Level::Dram][Dim::P] = 4;
  // H: (2 - 1) * 2 + (3 - 1) + 1 rows; W: one tap, so every other column only.
  EXPECT_FALSE(isCompact(layer, m, Axis::H));
  EXPECT_TRUE(isCompact(layer, m, Axis::W));
  EXPECT_EQ(storedInputExtent(layer, m, Axis::H), 5);
  EXPECT_EQ(storedInputExtent(layer, m, Axis::W), 8);
  Footprint rows = footprint(layer, m);
  EXPECT_EQ(rows.inputRows, 5 * 8 * 2);
  EXPECT_EQ(rows.weightRows, 3 * 7 * 3);
  EXPECT_EQ(rows.outputRows, 2 * 8 * 3);
}

TEST(PlacementTest, TileRunsCutEdgeTiles) {
  Layer layer = conv(1, 23, 1, 1);
  Mapping m;
  m.temporal[Level::Accumulator][Dim::C] = 3;
  m.temporal[Level::Scratchpad][Dim::C] = 3;
  m.temporal[Level::Dram][Dim::C] = 3;
  auto runs = tileRuns(layer, m, Level::Scratchpad, Dim::C);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].extent, 9);
  EXPECT_EQ(runs[0].count, 2);
  EXPECT_EQ(runs[1].extent, 5);
  EXPECT_EQ(runs[1].count, 1);
  runs = tileRuns(layer, m, Level::Accumulator, Dim::C);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].extent, 3);
  EXPECT_EQ(runs[0].count, 7);
  EXPECT_EQ(runs[1].extent, 2);
  EXPECT_EQ(tileCount(layer, m, Level::Accumulator, Dim::C), 8);
  EXPECT_EQ(tileCount(layer, m, Level::Dram, Dim::C), 1);
}

TEST(PlacementTest, OutputVisits) {
  Layer layer = conv(8, 10, 8, 1);
  Mapping m;
  m.temporal[Level::Accumulator][Dim::C] = 3;
  m.temporal[Level::Scratchpad][Dim::C] = 2; // tiles of 6: cut 3+3, 3+1
  m.temporal[Level::Dram][Dim::C] = 2;
  m.temporal[Level::Accumulator][Dim::K] = 8;
  m.temporal[Level::Accumulator][Dim::P] = 8;
  m.temporal[Level::Accumulator][Dim::Q] = 8;
  EXPECT_EQ(outputVisits(layer, m), 1);

  // A scratchpad loop over K inside the C loops: every tile of C revisits.
  m.temporal[Level::Accumulator][Dim::K] = 4;
  m.temporal[Level::Scratchpad][Dim::K] = 2;
  m.order[Level::Scratchpad] = {Dim::K, Dim::C, Dim::N, Dim::G,
                                Dim::P, Dim::Q, Dim::R, Dim::S};
  EXPECT_EQ(outputVisits(layer, m), 4);
  layer.dims[Dim::C] = 9; // second tile of 6 holds 3: one cut instead of two
  EXPECT_EQ(outputVisits(layer, m), 3);
  layer.dims[Dim::C] = 10;

  // K outside C at the scratchpad: only the DRAM loop revisits.
  m.order[Level::Scratchpad] = {Dim::C, Dim::K, Dim::N, Dim::G,
                                Dim::P, Dim::Q, Dim::R, Dim::S};
  EXPECT_EQ(outputVisits(layer, m), 2);

  // K at DRAM, outside C: nothing is revisited.
  m.temporal[Level::Scratchpad][Dim::K] = 1;
  m.temporal[Level::Dram][Dim::K] = 2;
  m.order[Level::Dram] = {Dim::C, Dim::K, Dim::N, Dim::G,
                          Dim::P, Dim::Q, Dim::R, Dim::S};
  EXPECT_EQ(outputVisits(layer, m), 1);
  m.order[Level::Dram] = {Dim::K, Dim::C, Dim::N, Dim::G,
                          Dim::P, Dim::Q, Dim::R, Dim::S};
  EXPECT_EQ(outputVisits(layer, m), 2);
}

TEST(PlacementTest, WeightsResidentWithoutWeightLoopsAtDram) {
  Layer layer = conv(8, 8, 8, 1);
  Mapping m;
  m.temporal[Level::Scratchpad] = layer.dims;
  EXPECT_TRUE(weightsResident(layer, m));
  m.temporal[Level::Scratchpad][Dim::P] = 2;
  m.temporal[Level::Dram][Dim::P] = 4;
  EXPECT_TRUE(weightsResident(layer, m));
  m.temporal[Level::Scratchpad][Dim::C] = 4;
  m.temporal[Level::Dram][Dim::C] = 2;
  EXPECT_FALSE(weightsResident(layer, m));
}

} // namespace
