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

TEST_F(LayerRules, Scales) {
  layer.hasScales = true;
  expect({"rule 'scales'", "wanted one scale for all channels",
          "'test16' has no read-out per channel"});
  target.readOut.perChannel = true;
  target.readOut.scales = layer.dims[Dim::K] * layer.dims[Dim::G];
  EXPECT_FALSE(bool(verify(layer, mapping, target)));
  --target.readOut.scales;
  expect({"rule 'scales'", "wanted at most", "split the output channels"});
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
  // Of 2^36 multiply-accumulates, with windows of 2^30 x 2^30 pixels.
  layer.dims = PerDim<int64_t>(1);
  layer.dims[Dim::N] = kMaxBound;
  for (Dim dim : {Dim::C, Dim::K, Dim::P, Dim::Q, Dim::R, Dim::S})
    layer.dims[dim] = 2;
  layer.stride = {kMaxBound, kMaxBound};
  mapping = Mapping();
  mapping.temporal[Level::Accumulator] = layer.dims;
  expect({"rule 'scratchpad-capacity'"});
}

TEST_F(LayerRules, Work) {
  layer.dims = PerDim<int64_t>(kMaxBound);
  expect({"rule 'layer-bounds'", "wanted 1 to 4503599627370496",
          "found number of multiply-accumulates = 9223372036854775807"});
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

TEST_F(GroupRules, ScalesOfAllMembers) {
  target.readOut.perChannel = true;
  int64_t channels = 0;
  for (Layer &layer : network.layers) {
    layer.hasScales = true;
    channels += layer.dims[Dim::K] * layer.dims[Dim::G];
  }
  target.readOut.scales = channels;
  EXPECT_FALSE(bool(verify(network, schedule, target)));
  --target.readOut.scales;
  expect({"rule 'scales'", "use a shorter group"});
}

TEST_F(GroupRules, HandOver) {
  target.handOver = HandOver::None;
  expect({"rule 'group-hand-over'", "at scratchpad",
          "wanted a machine that hands tiles over on chip",
          "found hand_over of 'test16' is none"});
  schedule.groups = {{{0}}, {{1}}, {{2}}};
  EXPECT_LEGAL(verify(network, schedule, target));
}

TEST_F(GroupRules, InPlace) {
  target.handOver = HandOver::AccumulatorOperand;
  EXPECT_LEGAL(verify(network, schedule, target));
  // Resident as ever; beside it, a's input is all that the scratchpad holds.
  EXPECT_EQ(groupScratchpadRows(network, schedule, schedule.groups[0], target),
            188 + 64);
  // 32 pixels of 2 and 3 blocks of channels while b runs.
  target.accumulatorBytes = 160 * 64;
  EXPECT_LEGAL(verify(network, schedule, target));
  target.accumulatorBytes -= 1;
  expect({"layer 'b'", "rule 'group-accumulator'", "at accumulator",
          "wanted at most 159 rows", "found 160 (handed over 160, own sums 0)",
          "use a smaller tile"});
  // The last member's own sums lie beside its input.
  target.accumulatorBytes = 160 * 64;
  Mapping &last = schedule.mappings[2];
  std::swap(last.temporal[Level::Accumulator][Dim::K],
            last.temporal[Level::Scratchpad][Dim::K]);
  std::swap(last.temporal[Level::Accumulator][Dim::C],
            last.temporal[Level::Scratchpad][Dim::C]);
  EXPECT_LEGAL(verify(network, schedule, target));
  network.layers[2].dims[Dim::K] = 33;
  last.temporal[Level::Accumulator][Dim::K] = 3;
  expect({"layer 'c'", "rule 'group-accumulator'",
          "found 192 (handed over 96, own sums 96)"});
}

TEST_F(GroupRules, WholeTilesInPlace) {
  target.handOver = HandOver::AccumulatorOperand;
  auto halve = [](Mapping &m) {
    m.temporal[Level::Accumulator][Dim::P] = 2;
    m.temporal[Level::Scratchpad][Dim::P] = 2;
  };
  halve(schedule.mappings[2]); // hands over nothing
  EXPECT_LEGAL(verify(network, schedule, target));
  halve(schedule.mappings[0]);
  expect({"layer 'a'", "rule 'group-sums'", "at accumulator",
          "wanted P = 4, the whole tile", "found P = 2"});
}

TEST_F(GroupRules, NoRowsAreKeptInPlace) {
  target.handOver = HandOver::AccumulatorOperand;
  schedule.groups[0].keeps = Axis::H;
  expect({"layer 'a'", "rule 'group-keep'", "at accumulator",
          "found hand_over of 'test16' is accumulator_operand"});
}

TEST_F(GroupRules, InputsTakeTurns) {
  target.handOver = HandOver::AccumulatorOperand;
  schedule.groups[0].inputTurns = true;
  EXPECT_LEGAL(verify(network, schedule, target));
  // Two places for a's input, all the time.
  EXPECT_EQ(groupScratchpadRows(network, schedule, schedule.groups[0], target),
            188 + 2 * 64);
  target.scratchpadBytes = (188 + 2 * 64) * 16;
  EXPECT_LEGAL(verify(network, schedule, target));
  target.scratchpadBytes -= 1;
  expect({"layer 'a'", "rule 'group-capacity'", "found 316"});
  target.scratchpadBytes = 64 * 1024;

  const Schedule legal = schedule;
  Mapping &first = schedule.mappings[0];
  std::swap(first.temporal[Level::Scratchpad][Dim::C],
            first.temporal[Level::Dram][Dim::C]);
  expect({"layer 'a'", "rule 'group-turns'", "wanted C = 1", "found C = 2",
          "the next tile of the input comes whole"});
  schedule = legal;
  schedule.mappings[0].rows = 8;
  schedule.mappings[0].temporal[Level::Scratchpad][Dim::C] *= 2;
  expect({"layer 'a'", "rule 'group-turns'",
          "wanted 16 channels in a row of the input", "found 8"});
  schedule = legal;
  for (Mapping &mapping : schedule.mappings)
    std::swap(mapping.temporal[Level::Scratchpad][Dim::P],
              mapping.temporal[Level::Dram][Dim::P]);
  target.accumulatorBytes *= 16;
  expect({"layer 'a'", "rule 'group-turns'", "wanted a group of several tiles",
          "found one"});
  schedule = legal;
  schedule.groups = {{{0}}, {{1}}, {{2}}};
  schedule.groups[2].inputTurns = true;
  expect({"layer 'c'", "rule 'group-turns'", "wanted a group of two or more",
          "found one"});
}

TEST_F(GroupRules, NoLoopUnitRunsThem) {
  schedule.groups[0].byLoop = true;
  expect(
      {"layer 'a'", "rule 'group-loop'", "at dram", "found a group of tiles"});
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

// What another layer reads by way of the host must go to DRAM, also where that
// layer is in the group.
TEST_F(GroupRules, FanOutThroughTheHost) {
  network.edges.push_back({0, 2, "a residual addition"});
  expect(
      {"layer 'a'", "rule 'group-fan-out'", "found 'c' (a residual addition)"});
}

TEST_F(GroupRules, FanOut) {
  network.layers.push_back(pointwise("d", 8, 20, 8));
  network.edges.push_back({0, 3, ""});
  schedule.mappings.push_back(tiled(network.layers[3], 4));
  schedule.groups.push_back({{3}});
  expect({"layer 'a'", "rule 'group-fan-out'",
          "wanted members of the group as the only readers",
          "found 'd', which is none"});
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

TEST_F(GroupRules, Pool) {
  // Two of a's 8 rows and columns make one of b's 4.
  MaxPool &pool = network.layers[0].pool.emplace();
  pool.size = pool.stride = 2;
  pool.outputs = {4, 4};
  for (unsigned i : {1, 2}) {
    for (Axis axis : kAllAxes)
      network.layers[i].dims[outputDim(axis)] =
          network.layers[i].inputExtent[axis] = 4;
    schedule.mappings[i] = tiled(network.layers[i], 2);
  }
  EXPECT_LEGAL(verify(network, schedule, target));
  // On its own the layer is as it was.
  schedule.groups = {{{0}}, {{1, 2}}};
  EXPECT_LEGAL(verify(network, schedule, target));
  schedule.groups = {{{0, 1, 2}}};

  Mapping &mapping = schedule.mappings[0];
  std::swap(mapping.temporal[Level::Accumulator][Dim::P],
            mapping.temporal[Level::Scratchpad][Dim::P]);
  expect({"layer 'a'", "rule 'group-pool'", "at accumulator",
          "wanted P = 4, the whole tile", "found P = 1"});
  std::swap(mapping.temporal[Level::Accumulator][Dim::P],
            mapping.temporal[Level::Scratchpad][Dim::P]);
  pool.outputs[Axis::W] = 5;
  expect({"layer 'b'", "rule 'group-shape'",
          "wanted 5 input columns as 'a' puts out", "found 4"});
  pool.outputs[Axis::W] = 4;
  pool.size = 4;
  expect({"layer 'a'", "rule 'group-pool'", "of 1 to 3 pixels, as pool.",
          "of 'test16' is 3, found 4"});
  pool.size = 2;
  target.handOver = HandOver::AccumulatorOperand;
  expect({"layer 'a'", "rule 'group-pool'", "at accumulator",
          "found hand_over of 'test16' is accumulator_operand",
          "let the host pool"});
}

TEST_F(GroupRules, PoolsOutput) {
  // The last one's 8 rows become 4 of pairs; a tile of 4 rows stores 2.
  schedule.groups[0].poolsOutput = true;
  expect({"layer 'c'", "rule 'group-pool'", "at dram",
          "wanted a max pooling through which all of its readers read it",
          "found none"});
  Layer &c = network.layers[2];
  MaxPool &pool = c.pool.emplace();
  pool.size = pool.stride = 2;
  pool.outputs = {4, 4};
  EXPECT_LEGAL(verify(network, schedule, target));
  // So may a layer alone, on a machine that hands nothing over, too.
  schedule.groups = {{{0}}, {{1}}, {{2}}};
  schedule.groups[2].poolsOutput = true;
  target.handOver = HandOver::None;
  EXPECT_LEGAL(verify(network, schedule, target));

  Mapping &mapping = schedule.mappings[2];
  const Mapping legal = mapping;
  mapping.temporal[Level::Dram][Dim::P] = 1;
  expect(
      {"layer 'c'", "rule 'coverage'", "at dram", "at least P = 4", "found 2"});
  mapping = legal;
  mapping.temporal[Level::Accumulator][Dim::P] = 5;
  expect({"layer 'c'", "rule 'group-tile'", "at scratchpad",
          "wanted P = 4, what lies under pooled outputs", "found P = 5"});
  mapping = legal;
  std::swap(mapping.temporal[Level::Accumulator][Dim::P],
            mapping.temporal[Level::Scratchpad][Dim::P]);
  expect({"layer 'c'", "rule 'group-pool'", "at accumulator",
          "wanted P = 4, the whole tile", "found P = 1"});
  mapping = legal;
  pool.stride = 4;
  expect({"layer 'c'", "rule 'group-pool'", "of 1 to 3 pixels, as pool.",
          "of 'test16' is 3, found 4"});
  pool.stride = 2;
  c.outputBytes = 4;
  expect({"layer 'c'", "rule 'group-pool'", "at dram", "wanted int8 in and out",
          "found 1 and 4 bytes per element"});
  c.outputBytes = 1;
  schedule.groups[2].keeps = Axis::H;
  expect({"layer 'c'", "rule 'group-keep'", "a layer alone keeps no rows"});
  schedule.groups[2].keeps.reset();
  schedule.groups[2].liveSkips = {2};
  expect({"layer 'c'", "rule 'group-skip'", "leave the residual in dram"});
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
  EXPECT_EQ(tiles.held(1).rows(16), 6 * 10 * 2);
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
  schedule.groups[0].keeps = Axis::H;
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
  schedule.groups = {{{0}, Axis::H}, {{1}}, {{2}}};
  expect({"layer 'a'", "rule 'group-keep'", "wanted a group of two or more",
          "found one"});
}

// Windows that lie in huge padding would make the front run ahead for ever.
TEST_F(GroupRules, KeptRowsOfHugeWindows) {
  Layer &b = network.layers[1];
  b.dims[Dim::R] = 1 << 20;
  b.padLow[Axis::H] = 0;
  schedule.mappings[1].temporal[Level::Accumulator][Dim::R] = 1 << 20;
  schedule.groups[0].keeps = Axis::H;
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

//===----------------------------------------------------------------------===//
// Live skips
//===----------------------------------------------------------------------===//

/// x -> a -> b -> c, which adds x, or what 'a' makes.
struct SkipRules : GroupRules {
  static constexpr unsigned kX = 3; ///< a tensor that no layer makes
  SkipRules() {
    network.layers = {pointwise("a", 24, 24, 8), pointwise("b", 24, 24, 8),
                      pointwise("c", 24, 24, 8)};
    network.layers[2].hasResidual = true;
    network.operands = {{kX, std::nullopt}, {0, std::nullopt}, {1, kX}};
    schedule.mappings.assign(3, tiled(network.layers[0], 4));
    schedule.groups[0].liveSkips = {2};
  }
  int64_t rows() {
    return groupScratchpadRows(network, schedule, schedule.groups[0], target);
  }
};

TEST_F(SkipRules, TheGroupsInputStaysLive) {
  EXPECT_LEGAL(verify(network, schedule, target));
  // Resident: 3 layers of 24 * 2. A tile has 32 pixels of 2 rows: x stays
  // beside input and output of b, and beside the input of c.
  EXPECT_EQ(rows(), 144 + 3 * 64);
  target.scratchpadBytes = 336 * 16;
  EXPECT_LEGAL(verify(network, schedule, target));
  target.scratchpadBytes -= 1;
  expect({"layer 'a'", "rule 'group-capacity'", "at scratchpad",
          "wanted at most 335 rows", "found 336", "leave residuals in dram"});
  schedule.groups[0].liveSkips.clear();
  EXPECT_EQ(rows(), 144 + 2 * 64);
  EXPECT_LEGAL(verify(network, schedule, target));
}

TEST_F(SkipRules, WhatAMemberMakesMustStayLive) {
  network.operands[2].residual = 0;
  EXPECT_LEGAL(verify(network, schedule, target));
  // It is the input of b, which needs it anyway.
  EXPECT_EQ(rows(), 144 + 2 * 64);
  schedule.groups[0].liveSkips.clear();
  expect({"layer 'c'", "rule 'group-skip'",
          "wanted the residual live, as 'a' of the same group makes it",
          "found one from dram"});
  schedule.groups = {{{0, 1}}, {{2}}};
  expect({"layer 'a'", "rule 'group-fan-out'", "found 'c', which is none"});
}

TEST_F(SkipRules, WhatNoMemberHas) {
  network.operands[2].residual = kX + 1;
  expect({"layer 'c'", "rule 'group-skip'", "at scratchpad",
          "wanted a residual that a member up to it reads or makes",
          "found one that is neither"});
  network.operands[2].residual = kX;
  network.layers[2].hasResidual = false;
  expect({"layer 'c'", "rule 'group-skip'", "wanted a layer with an int8",
          "found none"});
  network.layers[2].hasResidual = true;
  schedule.groups = {{{0, 1}, {}, {2}}, {{2}}};
  expect({"layer 'a'", "rule 'group-skip'", "found 'c'", "name a member"});
  schedule.groups = {{{0, 1}}, {{2}, {}, {2}}};
  expect({"layer 'c'", "rule 'group-skip'", "the layer is in no group"});
}

TEST_F(SkipRules, Machine) {
  target.handOver = HandOver::None;
  expect({"layer 'a'", "rule 'group-hand-over'", "at scratchpad",
          "wanted a machine that hands tiles over on chip"});
}

// The array scales A and D by one factor, if it reads them as sums.
TEST_F(SkipRules, InPlace) {
  target.handOver = HandOver::AccumulatorOperand;
  EXPECT_LEGAL(verify(network, schedule, target));
  EXPECT_EQ(rows(), 144 + 64); // x, to the end
  network.operands[2].residual = 0;
  expect({"layer 'c'", "rule 'group-skip'", "at accumulator",
          "wanted a residual from outside of the group",
          "found one that 'a' hands over in the accumulator"});
}

TEST_F(SkipRules, AddedAsTheyAre) {
  network.layers[2].scalesResidual = true;
  expect({"layer 'c'", "rule 'group-skip'",
          "wanted a residual that is added as it is",
          "found one that is scaled"});
}

TEST_F(SkipRules, TheWholeInputIsLoaded) {
  Mapping &m = schedule.mappings[0];
  m.temporal[Level::Scratchpad][Dim::C] = 1;
  m.temporal[Level::Dram][Dim::C] = 2;
  expect({"layer 'a'", "rule 'group-skip-tile'", "at dram", "wanted C = 1",
          "found C = 2"});
}

TEST_F(SkipRules, RowsHoldAsManyChannels) {
  schedule.mappings[0].rows = 8;
  schedule.mappings[0].temporal[Level::Scratchpad][Dim::C] = 3;
  expect({"layer 'a'", "rule 'group-packing'", "wanted 16 rows", "found 8"});
  schedule.mappings[0] = schedule.mappings[1];
  schedule.mappings[2].cols = 8;
  schedule.mappings[2].temporal[Level::Scratchpad][Dim::K] = 3;
  expect({"layer 'c'", "rule 'group-packing'", "wanted 16 columns", "found 8"});
}

TEST_F(SkipRules, WindowsHoldTheirOutputs) {
  network.layers[0].padLow[Axis::H] = 1;
  expect({"layer 'a'", "rule 'group-skip-window'",
          "wanted stride 1, as many pixels out as in",
          "up to 'c', which adds the skip", "padding 1"});
}

// 'b' reads three rows, so that 'c' adds rows of the input that are one behind:
// the input, which no window of 'a' keeps, stays for it.
TEST_F(SkipRules, KeptRows) {
  schedule.groups[0].keeps = Axis::H;
  Layer &b = network.layers[1];
  b.dims[Dim::R] = 3;
  b.padLow[Axis::H] = 1;
  schedule.mappings[1].temporal[Level::Accumulator][Dim::R] = 3;
  EXPECT_LEGAL(verify(network, schedule, target));
  const GroupTiles tiles(network, schedule, schedule.groups[0]);
  EXPECT_TRUE(tiles.keepsTile(0));
  // Four rows that 'a' reads, and the one before them.
  EXPECT_EQ(tiles.tileExtent(0, Axis::H), 5);
  EXPECT_EQ(tiles.tileExtent(1, Axis::H), 6);
  EXPECT_EQ(tiles.keptInputRows(0), 8);
  EXPECT_EQ(tiles.produced(0, Dim::P), 8);
}

TEST_F(SkipRules, Shapes) {
  network.layers[2] = pointwise("c", 20, 24, 8);
  network.layers[2].hasResidual = true;
  schedule.mappings[2] = tiled(network.layers[2], 4);
  expect({"layer 'c'", "rule 'group-shape'",
          "wanted a residual of 1 x 8 x 8 x 20", "found 1 x 8 x 8 x 24"});
}

/// 'side' and 'main' read x; 'b' reads what 'main' makes; 'c' adds side and b.
struct BranchRules : SkipRules {
  BranchRules() {
    network.layers.insert(network.layers.begin(), pointwise("side", 24, 24, 8));
    network.layers[1].name = "main";
    network.operands = {
        {4, std::nullopt}, {4, std::nullopt}, {1, std::nullopt}, {2, 0}};
    network.edges = {{1, 2, ""}, {2, 3, ""}};
    schedule.mappings.assign(4, tiled(network.layers[0], 4));
    schedule.groups = {{{0, 1, 2, 3}, {}, {3}}};
  }
};

// Rows of a window that skips some are not numbered as others read them.
TEST_F(BranchRules, KeptRowsHaveNoGaps) {
  for (Layer &layer : network.layers)
    if (layer.name == "side" || layer.name == "main") {
      layer.stride = {2, 2};
      layer.inputExtent = {16, 16};
    }
  EXPECT_LEGAL(verify(network, schedule, target));
  schedule.groups[0].keeps = Axis::H;
  expect({"layer 'main'", "rule 'group-keep'", "wanted windows without gaps",
          "found stride 2 and 1 tap"});
}

// What pooling leaves out is not made, where a tile ends there, and not loaded.
// Others that pool later make it.
TEST_F(BranchRules, KeptRowsThatAreLeftOutLaterAreNotShared) {
  for (size_t i : {0, 1}) {
    Layer &layer = network.layers[i];
    layer.dims[Dim::P] = layer.dims[Dim::Q] = 15;
    layer.inputExtent = {15, 15};
    layer.pool = MaxPool{/*size=*/1, /*stride=*/2, /*padLow=*/{0, 0}, {8, 8}};
    schedule.mappings[i] = tiled(layer, 7);
  }
  EXPECT_LEGAL(verify(network, schedule, target));
  schedule.groups[0].keeps = Axis::H;
  expect({"layer 'main'", "rule 'group-keep'", "wanted windows without gaps",
          "found gaps of 1 between those of two tiles, as later strides leave "
          "out 1 of its rows"});
}

TEST_F(BranchRules, TheResidualStaysLive) {
  EXPECT_LEGAL(verify(network, schedule, target));
  // Four resident layers; side: x and its output; main: these and its output;
  // b: its input, its output and the residual.
  EXPECT_EQ(rows(), 192 + 3 * 64);
}

TEST_F(BranchRules, InPlace) {
  target.handOver = HandOver::AccumulatorOperand;
  expect({"layer 'c'", "rule 'group-skip'", "at accumulator",
          "found one that 'side' hands over"});
}

TEST_F(BranchRules, OutsideOfTheGroup) {
  schedule.groups = {{{1, 2, 3}}, {{0}}};
  EXPECT_LEGAL(verify(network, schedule, target));
  schedule.groups[0].liveSkips = {3};
  expect({"layer 'c'", "rule 'group-skip'", "found one that is neither"});
}

TEST_F(BranchRules, ReadsInsideOfTheOthersWindow) {
  network.layers[0].stride[Axis::W] = 2;
  expect({"layer 'side'", "rule 'group-branch'",
          "windows inside of those of 'main'", "stride 2"});
}

// Two of their 8 rows and columns make one of the 4 that 'b' and 'c' have.
TEST_F(BranchRules, PoolsInsideOfTheOthersPool) {
  MaxPool half;
  half.size = half.stride = 2;
  half.outputs = {4, 4};
  for (unsigned i : {2, 3}) {
    for (Axis axis : kAllAxes)
      network.layers[i].dims[outputDim(axis)] =
          network.layers[i].inputExtent[axis] = 4;
    schedule.mappings[i] = tiled(network.layers[i], 2);
  }
  network.layers[1].pool = half;
  expect({"layer 'side'", "rule 'group-branch'",
          "found 1 outputs from 0 on, 1 apart, for 2 from 0 on, 2 apart"});
  MaxPool &own = network.layers[0].pool.emplace(half);
  EXPECT_LEGAL(verify(network, schedule, target));
  // One row further than 'main' has.
  own.size = 3;
  expect({"layer 'side'", "rule 'group-branch'",
          "than 'main', whose input it reads",
          "found 3 outputs from 0 on, 2 apart, for 2 from 0 on, 2 apart"});
  own.padLow = {1, 1};
  expect({"layer 'side'", "found 3 outputs from -1 on, 2 apart"});
  own = half;
  own.outputs[Axis::W] = 3;
  expect({"layer 'c'", "rule 'group-shape'",
          "wanted a residual of 1 x 4 x 4 x 24", "found 1 x 4 x 3 x 24"});
}

TEST_F(BranchRules, MakesAResidualAndNothingElse) {
  network.operands[3].residual = 4;
  network.operands[2].input = 0;
  network.operands[3].input = 1;
  network.edges = {{0, 2, ""}, {1, 3, ""}};
  expect({"rule 'group-branch'", "found other readers"});
}

// x comes before the residual and goes first, so they lie apart; what 'b' makes
// lies where x was, and what 'c' makes would outlive both.
TEST_F(BranchRules, TilesAreStacked) {
  network.layers.insert(network.layers.begin(), pointwise("a", 24, 24, 8));
  network.layers.push_back(pointwise("d", 24, 24, 8));
  network.operands = {{6, std::nullopt},
                      {0, std::nullopt},
                      {0, std::nullopt},
                      {2, std::nullopt},
                      {3, 1},
                      {4, std::nullopt}};
  network.edges = {{0, 1, ""}, {0, 2, ""}, {2, 3, ""}, {3, 4, ""}, {4, 5, ""}};
  schedule.mappings.assign(6, tiled(network.layers[0], 4));
  schedule.groups = {{{0, 1, 2, 3, 4, 5}, {}, {4}}};
  expect({"layer 'a'", "rule 'group-stack'", "at scratchpad",
          "found skips that cross"});
  schedule.groups = {{{0, 1, 2, 3, 4}, {}, {4}}, {{5}}};
  EXPECT_LEGAL(verify(network, schedule, target));
  // With the branch behind 'b' they do.
  schedule.groups = {{{0, 2, 3, 1, 4, 5}, {}, {4}}};
  EXPECT_LEGAL(verify(network, schedule, target));
}

} // namespace
