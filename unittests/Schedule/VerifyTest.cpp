//===- VerifyTest.cpp - Tests of every legality rule ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Schedule.h"

#include "gtest/gtest.h"

using namespace fadiff;

namespace {

Accelerator machine() {
  Accelerator target;
  target.name = "test16";
  target.side = 16;
  target.scratchpadBytes = 64 * 1024;  // 4096 rows
  target.accumulatorBytes = 16 * 1024; // 256 rows
  target.handOver = HandOver::MvoutSpad;
  return target;
}

Layer pointwise(const char *name, int64_t k, int64_t c, int64_t pixels) {
  Layer layer;
  layer.name = name;
  layer.dims[Dim::K] = k;
  layer.dims[Dim::C] = c;
  layer.dims[Dim::P] = layer.dims[Dim::Q] = pixels;
  layer.inputExtent = {pixels, pixels};
  return layer;
}

/// K and C over the array, rows of pixels in the registers, `tileP` rows in the
/// accumulator, all channels in the scratchpad; P at DRAM.
Mapping tiled(const Layer &layer, int64_t tileP) {
  Mapping m;
  m.rows = std::min<int64_t>(16, layer.dims[Dim::C]);
  m.cols = std::min<int64_t>(16, layer.dims[Dim::K]);
  m.temporal[Level::Registers][Dim::Q] = layer.dims[Dim::Q];
  m.temporal[Level::Accumulator][Dim::P] = tileP;
  m.temporal[Level::Scratchpad][Dim::C] = (layer.dims[Dim::C] + 15) / 16;
  m.temporal[Level::Scratchpad][Dim::K] = (layer.dims[Dim::K] + 15) / 16;
  m.temporal[Level::Dram][Dim::P] = (layer.dims[Dim::P] + tileP - 1) / tileP;
  // Scratchpad: C innermost, so sums stay in the accumulator.
  m.order[Level::Scratchpad] = {Dim::C, Dim::K, Dim::P, Dim::Q,
                                Dim::N, Dim::G, Dim::R, Dim::S};
  m.order[Level::Dram] = {Dim::C, Dim::K, Dim::R, Dim::S,
                          Dim::G, Dim::P, Dim::Q, Dim::N};
  return m;
}

void expectParts(llvm::Error error, std::vector<std::string> parts) {
  ASSERT_TRUE(bool(error)) << "accepted";
  std::string text = llvm::toString(std::move(error));
  for (const std::string &part : parts)
    EXPECT_NE(text.find(part), std::string::npos)
        << "'" << part << "' not in: " << text;
}

#define EXPECT_LEGAL(expr)                                                     \
  do {                                                                         \
    llvm::Error error = (expr);                                                \
    bool failed = bool(error);                                                 \
    EXPECT_FALSE(failed) << llvm::toString(std::move(error));                  \
  } while (false)

struct LayerRules : ::testing::Test {
  Accelerator target = machine();
  Layer layer = pointwise("pw", 20, 24, 8);
  Mapping mapping = tiled(layer, 4);

  void expect(std::vector<std::string> parts) {
    parts.push_back("layer 'pw'");
    expectParts(verify(layer, mapping, target), parts);
  }
};

TEST_F(LayerRules, AcceptsLegal) {
  EXPECT_LEGAL(verify(layer, mapping, target));
}

TEST_F(LayerRules, Bounds) {
  layer.dims[Dim::R] = 0;
  expect({"rule 'layer-bounds'", "wanted 1 to", "found R = 0"});
  layer.dims[Dim::R] = int64_t(1) << 40;
  expect({"rule 'layer-bounds'", "found R = 1099511627776"});
  layer.dims[Dim::R] = 1;
  layer.stride[Axis::W] = 0;
  expect({"rule 'layer-bounds'", "found stride = 0"});
  layer.stride[Axis::W] = 1;
  layer.dilation[Axis::H] = -1;
  expect({"rule 'layer-bounds'", "found dilation = -1"});
  layer.dilation[Axis::H] = 1;
  layer.padLow[Axis::H] = -1;
  expect({"rule 'layer-bounds'", "wanted 0 to", "found padding = -1"});
  layer.padLow[Axis::H] = 0;
  layer.inputExtent[Axis::H] = 0;
  expect({"rule 'layer-bounds'", "found input extent = 0"});
}

TEST_F(LayerRules, OutputBytes) {
  layer.outputBytes = 4;
  EXPECT_LEGAL(verify(layer, mapping, target));
  layer.outputBytes = 2;
  expect({"rule 'output-bytes'", "at dram", "wanted 1 or 4", "found 2"});
}

TEST_F(LayerRules, ElementBytes) {
  layer.elementBytes = 4;
  expect({"rule 'element-bytes'", "wanted 1 as in", "found 4"});
  target.arithmetic = Arithmetic::Float32;
  target.scratchpadBytes *= 4;
  EXPECT_LEGAL(verify(layer, mapping, target));
  layer.elementBytes = 1;
  expect({"rule 'element-bytes'", "wanted 4 as in", "found 1"});
}

TEST_F(LayerRules, Array) {
  mapping.rows = 17;
  expect(
      {"rule 'array-rows'", "at registers", "wanted 1 to 16 rows", "found 17"});
  mapping.rows = 0;
  expect({"rule 'array-rows'", "found 0"});
  mapping.rows = 16;
  mapping.cols = 32;
  expect({"rule 'array-columns'", "at registers", "wanted 1 to 16 columns",
          "found 32"});
}

TEST_F(LayerRules, PositiveFactors) {
  mapping.temporal[Level::Scratchpad][Dim::C] = 0;
  expect({"rule 'positive-factor'", "at scratchpad",
          "wanted a factor of at least 1", "found C = 0"});
  mapping.temporal[Level::Scratchpad][Dim::C] = -3;
  expect({"rule 'positive-factor'", "found C = -3"});
}

TEST_F(LayerRules, LoopOrderIsAPermutation) {
  mapping.order[Level::Accumulator][0] = Dim::S;
  expect({"rule 'loop-order'", "at accumulator", "found SGKCPQRS"});
}

TEST_F(LayerRules, RegistersHoldOnlyPixels) {
  for (Dim dim : {Dim::G, Dim::K, Dim::C, Dim::R, Dim::S}) {
    Mapping saved = mapping;
    mapping.temporal[Level::Registers][dim] = 2;
    std::string name(1, dimName(dim));
    expect({"rule 'register-loops'", "at registers", "wanted " + name + " = 1",
            "found " + name + " = 2"});
    mapping = saved;
  }
  mapping.temporal[Level::Registers][Dim::N] = 2;
  EXPECT_LEGAL(verify(layer, mapping, target));
}

TEST_F(LayerRules, Coverage) {
  mapping.temporal[Level::Dram][Dim::P] = 1;
  expect({"rule 'coverage'", "at dram", "at least P = 8", "found 4"});
  mapping.temporal[Level::Dram][Dim::P] = 3; // 12 >= 8
  EXPECT_LEGAL(verify(layer, mapping, target));
}

TEST_F(LayerRules, GroupsOnlyAtDram) {
  layer.dims[Dim::G] = 6;
  mapping.temporal[Level::Dram][Dim::G] = 6;
  EXPECT_LEGAL(verify(layer, mapping, target));
  mapping.temporal[Level::Dram][Dim::G] = 3;
  mapping.temporal[Level::Scratchpad][Dim::G] = 2;
  expect({"rule 'group-loop'", "at scratchpad", "wanted G = 1", "found G = 2"});
}

TEST_F(LayerRules, ScratchpadCapacity) {
  // Input 4*8*2 rows, weights 24*2 rows.
  target.scratchpadBytes = (64 + 48) * 16;
  EXPECT_LEGAL(verify(layer, mapping, target));
  target.scratchpadBytes -= 1;
  expect({"rule 'scratchpad-capacity'", "at scratchpad",
          "wanted at most 111 rows", "found 112 (input 64, weights 48)"});
}

TEST_F(LayerRules, AccumulatorCapacity) {
  target.accumulatorBytes = 32 * 64;
  EXPECT_LEGAL(verify(layer, mapping, target));
  target.accumulatorBytes = 31 * 64;
  expect({"rule 'accumulator-capacity'", "at accumulator",
          "wanted at most 31 rows", "found 32"});
}

TEST_F(LayerRules, HugeTilesAreTooLargeNotNegative) {
  for (Dim dim : kAllDims)
    layer.dims[dim] = int64_t(1) << 30;
  layer.dims[Dim::G] = 1;
  mapping = Mapping();
  mapping.temporal[Level::Accumulator] = layer.dims;
  expect({"rule 'scratchpad-capacity'"});
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

struct GroupRules : ::testing::Test {
  Accelerator target = machine();
  Network network;
  Schedule schedule;

  GroupRules() {
    network.layers = {pointwise("a", 20, 24, 8), pointwise("b", 40, 20, 8),
                      pointwise("c", 24, 40, 8)};
    network.edges = {{0, 1, ""}, {1, 2, ""}};
    for (const Layer &layer : network.layers)
      schedule.mappings.push_back(tiled(layer, 4));
    schedule.groups = {{{0, 1, 2}}};
  }
  void expect(std::vector<std::string> parts) {
    expectParts(verify(network, schedule, target), parts);
  }
};

TEST_F(GroupRules, AcceptsLegal) {
  EXPECT_LEGAL(verify(network, schedule, target));
  schedule.groups = {{{0, 1}}, {{2}}};
  EXPECT_LEGAL(verify(network, schedule, target));
}

TEST_F(GroupRules, DepthwiseProducer) {
  Layer &dw = network.layers[0];
  dw.dims[Dim::G] = 20;
  dw.dims[Dim::K] = dw.dims[Dim::C] = 1;
  dw.dims[Dim::R] = dw.dims[Dim::S] = 3;
  dw.padLow = {1, 1};
  Mapping &m = schedule.mappings[0];
  m = tiled(dw, 4);
  m.rows = 1;
  m.cols = 16;
  m.temporal[Level::Scratchpad][Dim::G] = 2;
  m.temporal[Level::Accumulator][Dim::R] = 3;
  m.temporal[Level::Accumulator][Dim::S] = 3;
  EXPECT_LEGAL(verify(network, schedule, target));
  m.cols = 8;
  m.temporal[Level::Scratchpad][Dim::G] = 3;
  expect({"layer 'a'", "rule 'group-packing'", "wanted 16 columns", "found 8"});
}

TEST_F(GroupRules, Partition) {
  schedule.groups = {{{0, 1}}};
  expect({"layer 'c'", "rule 'partition'", "exactly one group", "found 0"});
  schedule.groups = {{{0, 1}}, {{2}}, {{2}}};
  expect({"layer 'c'", "rule 'partition'", "found 2"});
}

TEST_F(GroupRules, Members) {
  schedule.groups = {{{}}};
  expect({"rule 'group-members'", "found none"});
  schedule.groups = {{{0, 7}}};
  expect({"rule 'group-members'", "below 3", "found 7"});
  schedule.groups = {{{0, 1, 2}}};
  schedule.mappings.pop_back();
  expect({"rule 'mapping-per-layer'", "wanted 3", "found 2"});
}

TEST_F(GroupRules, HandOver) {
  target.handOver = HandOver::AccumulatorOperand;
  expect({"rule 'group-hand-over'", "at scratchpad", "found 'test16'"});
  schedule.groups = {{{0}}, {{1}}, {{2}}};
  EXPECT_LEGAL(verify(network, schedule, target));
}

TEST_F(GroupRules, Chain) {
  network.edges = {{0, 1, ""}};
  expect({"layer 'c'", "rule 'group-chain'", "wanted an edge from 'b'",
          "found none"});
  schedule.groups = {{{0, 0}}, {{1}}, {{2}}};
  network.edges.clear();
  expect({"layer 'a'", "rule 'group-chain'"});
}

TEST_F(GroupRules, Blocked) {
  network.edges[1].blocked = "a softmax lies between";
  expect({"layer 'c'", "rule 'group-blocked'", "found a softmax lies between"});
}

TEST_F(GroupRules, FanOut) {
  network.layers.push_back(pointwise("d", 8, 20, 8));
  network.edges.push_back({0, 3, ""});
  schedule.mappings.push_back(tiled(network.layers[3], 4));
  schedule.groups.push_back({{3}});
  expect({"layer 'a'", "rule 'group-fan-out'", "'b' as the only reader",
          "edge 0 -> 3"});
}

TEST_F(GroupRules, SameShape) {
  network.layers[1].inputExtent[Axis::H] = 4;
  expect({"layer 'b'", "rule 'group-shape'",
          "wanted 8 input rows as 'a' puts out", "found 4"});
  network.layers[1].inputExtent[Axis::H] = 8;
  network.layers[1].dims[Dim::N] = 2;
  schedule.mappings[1].temporal[Level::Dram][Dim::N] = 2;
  expect({"layer 'b'", "rule 'group-shape'", "wanted N = 1 as in 'a'",
          "found N = 2"});
  network.layers[1].dims[Dim::N] = 1;
  network.layers[1].dims[Dim::C] = 21;
  expect({"layer 'b'", "rule 'group-shape'",
          "wanted 20 input channels as 'a' puts out", "found 21"});
}

TEST_F(GroupRules, GroupedProducer) {
  network.layers[0].dims[Dim::G] = 2;
  schedule.mappings[0].temporal[Level::Dram][Dim::G] = 2;
  expect({"layer 'a'", "rule 'group-shape'", "wanted G = 1", "found G = 2"});
}

TEST_F(GroupRules, IntermediatesAreBytes) {
  network.layers[2].outputBytes = 4;
  EXPECT_LEGAL(verify(network, schedule, target));
  network.layers[1].outputBytes = 4;
  expect(
      {"layer 'b'", "rule 'group-output-bytes'", "wanted 1 byte", "found 4"});
}

TEST_F(GroupRules, Packing) {
  schedule.mappings[1].rows = 10;
  schedule.mappings[1].temporal[Level::Scratchpad][Dim::C] = 2;
  expect({"layer 'b'", "rule 'group-packing'", "wanted 16 rows", "found 10"});
}

TEST_F(GroupRules, TilesFollowFromTheLast) {
  schedule.mappings[1] = tiled(network.layers[1], 2);
  expect({"layer 'b'", "rule 'group-tile'",
          "wanted P = 4, what a tile of 'c' needs", "found P = 2"});
  // Both make two trips over 8 rows, but with tiles of 4 and of 5.
  schedule.mappings[1] = tiled(network.layers[1], 5);
  expect({"layer 'b'", "rule 'group-tile'", "found P = 5"});
}

// A 3x3 window with its padding: rows at the border are cut, so the largest
// tile of 'a' has one row more than that of 'b' and 'c'.
TEST_F(GroupRules, ProducersMakeTheConsumersWindow) {
  Layer &b = network.layers[1];
  for (Axis axis : kAllAxes) {
    b.dims[kernelDim(axis)] = 3;
    b.padLow[axis] = 1;
  }
  Mapping &m = schedule.mappings[1];
  m.temporal[Level::Accumulator][Dim::R] = 3;
  m.temporal[Level::Accumulator][Dim::S] = 3;
  expect({"layer 'a'", "rule 'group-tile'",
          "wanted P = 5, what a tile of 'c' needs", "found P = 4"});
  schedule.mappings[0] = tiled(network.layers[0], 5);
  EXPECT_LEGAL(verify(network, schedule, target));
  const GroupTiles tiles(network, schedule, schedule.groups[0]);
  EXPECT_EQ(tiles.trips(Dim::P), 2);
  EXPECT_EQ(tiles.produced(0, Dim::P), 10);
  EXPECT_EQ(tiles.spans(0, Dim::P)[1].begin, 3);
  EXPECT_EQ(tiles.spans(0, Dim::P)[1].end, 8);
  // 'b' reads 6 x 10 pixels, padding included, of two rows each.
  EXPECT_EQ(tiles.handOverRows(1, 16), 6 * 10 * 2);
}

// 'b' has a 3x3 window: with rows kept, 'a' makes 4 rows per tile like 'b' and
// 'c', but the ring of b's input stays, all 6 lines of it.
TEST_F(GroupRules, KeptRows) {
  Layer &b = network.layers[1];
  for (Axis axis : kAllAxes) {
    b.dims[kernelDim(axis)] = 3;
    b.padLow[axis] = 1;
  }
  Mapping &m = schedule.mappings[1];
  m.temporal[Level::Accumulator][Dim::R] = 3;
  m.temporal[Level::Accumulator][Dim::S] = 3;
  schedule.groups[0].keepRows = true;
  EXPECT_LEGAL(verify(network, schedule, target));
  // Resident: a 24*2, b 9*20*3, c 40*2 = 668, and 6 * 10 * 2 of b's input.
  // Live: a 32*2, b 32*3, c 32*3.
  EXPECT_EQ(groupScratchpadRows(network, schedule, schedule.groups[0], target),
            668 + 120 + 96);
  target.scratchpadBytes = (668 + 120 + 96) * 16;
  EXPECT_LEGAL(verify(network, schedule, target));
  target.scratchpadBytes -= 1;
  expect({"layer 'a'", "rule 'group-capacity'", "at scratchpad",
          "wanted at most 883 rows", "found 884 for the group of 3"});
  target.scratchpadBytes = 1 << 20;
  // Columns are tiled, too, and inside the rows.
  Mapping &last = schedule.mappings[2];
  const Mapping before = last;
  last.temporal[Level::Registers][Dim::Q] = 4;
  last.temporal[Level::Dram][Dim::Q] = 2;
  last.order[Level::Dram] = {Dim::S, Dim::R, Dim::C, Dim::K,
                             Dim::G, Dim::Q, Dim::P, Dim::N};
  expect({"layer 'c'", "rule 'group-keep'", "at dram",
          "wanted P innermost of the group's loops", "found loop Q inside P"});
  last = before;
  last.temporal[Level::Registers][Dim::P] = 8;
  last.temporal[Level::Dram][Dim::P] = 1;
  expect({"layer 'c'", "rule 'group-keep'", "at dram",
          "wanted several tiles along P, found one"});
  schedule.groups = {{{0}, true}, {{1}}, {{2}}};
  expect({"layer 'a'", "rule 'group-keep'", "wanted a group of two or more",
          "found one"});
}

// Windows that lie in huge padding would make the front run ahead for ever.
TEST_F(GroupRules, KeptRowsOfHugeWindows) {
  Layer &b = network.layers[1];
  b.dims[Dim::R] = 1 << 20;
  b.padLow[Axis::H] = 0;
  schedule.mappings[1].temporal[Level::Accumulator][Dim::R] = 1 << 20;
  schedule.groups[0].keepRows = true;
  expect({"layer 'c'", "rule 'group-tiles'",
          "wanted at most 65536 tiles before its first row", "found 262144"});
}

TEST_F(GroupRules, TileLoopsOutermost) {
  Mapping &m = schedule.mappings[2];
  m.temporal[Level::Scratchpad][Dim::K] = 1;
  m.temporal[Level::Dram][Dim::K] = 2;
  EXPECT_LEGAL(verify(network, schedule, target));
  std::swap(m.order[Level::Dram][1], m.order[Level::Dram][5]); // K <-> P
  expect({"layer 'c'", "rule 'group-loop-order'", "at dram",
          "found loop K outside P"});
}

TEST_F(GroupRules, NoSpills) {
  std::swap(schedule.mappings[1].order[Level::Scratchpad][0],
            schedule.mappings[1].order[Level::Scratchpad][1]); // C <-> K
  expect({"layer 'b'", "rule 'group-spill'", "at accumulator", "visited once",
          "found 2"});
  schedule.groups = {{{0}}, {{1}}, {{2}}};
  EXPECT_LEGAL(verify(network, schedule, target));
}

TEST_F(GroupRules, MembersAreLegalThemselves) {
  schedule.mappings[1].temporal[Level::Registers][Dim::K] = 2;
  expect({"layer 'b'", "rule 'register-loops'"});
  schedule.mappings[1].temporal[Level::Registers][Dim::K] = 1;
  target.accumulatorBytes = 31 * 64;
  expect({"layer 'a'", "rule 'accumulator-capacity'"});
}

TEST_F(GroupRules, Capacity) {
  // Resident: a 24*2, b 20*3, c 40*2 = 188. A tile has 32 pixels; live rows:
  // a 2+2, b 2+3, c 3 per pixel, so b is the largest with 160.
  EXPECT_EQ(groupScratchpadRows(network, schedule, schedule.groups[0], target),
            188 + 160);
  target.scratchpadBytes = 348 * 16;
  EXPECT_LEGAL(verify(network, schedule, target));
  target.scratchpadBytes -= 1;
  expect({"layer 'a'", "rule 'group-capacity'", "at scratchpad",
          "wanted at most 347 rows", "found 348 for the group of 3"});
  // Streaming c's weights in two halves takes them from the resident part; c
  // is alive with 96 input rows + 40 weight rows, which b's 160 cover.
  Mapping &m = schedule.mappings[2];
  m.temporal[Level::Scratchpad][Dim::K] = 1;
  m.temporal[Level::Dram][Dim::K] = 2;
  EXPECT_EQ(groupScratchpadRows(network, schedule, schedule.groups[0], target),
            108 + 160);
}

} // namespace
