//===- SlicesTest.cpp - Rules of hand-over slice by slice -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/GroupFlow.h"
#include "fadiff/Schedule/Schedule.h"

#include "gtest/gtest.h"

using namespace fadiff;

namespace {

Layer layerOf(const char *name, Dim out, int64_t k, int64_t c) {
  Layer layer;
  layer.name = name;
  layer.dims[out] = k;
  layer.dims[Dim::C] = c;
  layer.dims[Dim::P] = layer.dims[Dim::Q] = 8;
  layer.inputExtent = {8, 8};
  return layer;
}

/// Tiles of four rows; all of them in the accumulator.
Mapping tiled(const Layer &layer) {
  Mapping m;
  m.rows = std::min<int64_t>(16, layer.dims[Dim::C]);
  m.cols = 16;
  m.temporal[Level::Registers][Dim::Q] = 8;
  m.temporal[Level::Accumulator][Dim::P] = 4;
  m.temporal[Level::Dram][Dim::P] = 2;
  for (Level level : {Level::Scratchpad, Level::Dram})
    m.order[level] = {Dim::R, Dim::S, Dim::C, Dim::K,
                      Dim::G, Dim::P, Dim::Q, Dim::N};
  return m;
}

/// 'a' makes 48 channels of 32, 'b' 32 channels of these; 16 at a time.
struct SliceRules : ::testing::Test {
  SliceRules() {
    target.name = "test16";
    target.side = 16;
    target.scratchpadBytes = 64 * 1024;  // 4096 rows
    target.accumulatorBytes = 16 * 1024; // 256 rows
    target.handOver = HandOver::MvoutSpad;
    network.layers = {layerOf("a", Dim::K, 48, 32),
                      layerOf("b", Dim::K, 32, 48)};
    network.edges = {{0, 1, ""}};
    for (const Layer &layer : network.layers)
      schedule.mappings.push_back(tiled(layer));
    schedule.mappings[0].temporal[Level::Accumulator][Dim::C] = 2;
    schedule.mappings[0].temporal[Level::Dram][Dim::K] = 3;
    schedule.mappings[1].temporal[Level::Accumulator][Dim::K] = 2;
    schedule.mappings[1].temporal[Level::Dram][Dim::C] = 3;
    group.layers = {0, 1};
    group.inputSlices = {{1, 16}};
    schedule.groups = {group};
  }

  void expect(std::vector<std::string> parts) {
    schedule.groups.front() = group;
    llvm::Error error = verify(network, schedule, target);
    ASSERT_TRUE(bool(error)) << "accepted";
    std::string text = llvm::toString(std::move(error));
    for (const std::string &part : parts)
      EXPECT_NE(text.find(part), std::string::npos)
          << "'" << part << "' not in: " << text;
  }
  void expectLegal() {
    schedule.groups.front() = group;
    llvm::Error error = verify(network, schedule, target);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  }
  int64_t rows() const {
    return groupScratchpadRows(network, schedule, group, target);
  }
  /// All weights stay; the slices are loops at the scratchpad.
  void keepWeights() {
    for (auto [mapping, dim] : {std::pair(&schedule.mappings[0], Dim::K),
                                {&schedule.mappings[1], Dim::C}})
      std::swap(mapping->temporal[Level::Dram][dim],
                mapping->temporal[Level::Scratchpad][dim]);
  }

  Network network;
  Schedule schedule;
  FusionGroup group;
  Accelerator target;
};

TEST_F(SliceRules, MembersNeedTheirRowsTogether) {
  expectLegal();
  // Input of 'a', its weights, the slice, the weights of 'b', at once.
  EXPECT_EQ(rows(), 64 + 32 + 32 + 32);
  keepWeights();
  expectLegal();
  EXPECT_EQ(rows(), 64 + 32 + 96 + 96);
  target.scratchpadBytes = 16 * 256;
  expect({"layer 'a'", "rule 'group-capacity'", "at most 256 rows",
          "288 for the group of 2"});
}

TEST_F(SliceRules, SumsOfBothFitTheAccumulator) {
  target.accumulatorBytes = 96 * 64;
  expectLegal();
  target.accumulatorBytes = 94 * 64;
  expect({"layer 'a'", "rule 'group-accumulator'", "at accumulator",
          "at most 94 rows", "found 96 for the sums of 2 members",
          "hand over whole"});
}

TEST_F(SliceRules, InPlace) {
  target.handOver = HandOver::AccumulatorOperand;
  expectLegal();
  EXPECT_EQ(rows(), 64 + 32 + 32);
  // The slice and the sums of 'b'.
  target.accumulatorBytes = 94 * 64;
  expect({"layer 'a'", "rule 'group-accumulator'",
          "found 96 (handed over 32, own sums 64)"});
}

TEST_F(SliceRules, FillRows) {
  for (int64_t channels : {0, 8, 48, 64}) {
    group.inputSlices = {{1, channels}};
    if (channels > 0)
      expect({"layer 'b'", "rule 'group-slice'", "at scratchpad",
              "wanted a multiple of 16 channels, less than 48",
              "found " + std::to_string(channels)});
  }
}

TEST_F(SliceRules, PassFromMemberToMember) {
  group.inputSlices = {{0, 16}};
  expect({"layer 'a'", "rule 'group-slice'",
          "wanted an input that the member before hands over",
          "hand it over whole"});
  group.inputSlices = {{7, 16}};
  expect({"rule 'group-slice'", "wanted slices of the inputs of members",
          "found layer 7", "name a member"});
  group.inputSlices = {{1, 16}};
  // They may be pooled on the way.
  MaxPool &pool = network.layers[0].pool.emplace();
  pool.size = pool.stride = 1;
  pool.outputs = {8, 8};
  expectLegal();
}

TEST_F(SliceRules, OutermostLoopsWalkThem) {
  group.inputSlices = {{1, 32}};
  expect({"layer 'a'", "rule 'group-slice'",
          "wanted K = 32 in the outermost loop of its own", "found K = 16"});
  group.inputSlices = {{1, 16}};
  const Mapping before = schedule.mappings[1];
  schedule.mappings[1].temporal[Level::Dram][Dim::C] = 1;
  schedule.mappings[1].temporal[Level::Accumulator][Dim::C] = 3;
  expect({"layer 'b'", "rule 'group-slice'", "wanted C = 16", "found C = 48"});
  // Sums of one block of columns are left before all slices have passed.
  schedule.mappings[1] = before;
  schedule.mappings[1].temporal[Level::Accumulator][Dim::K] = 1;
  schedule.mappings[1].temporal[Level::Scratchpad][Dim::K] = 2;
  expect({"layer 'b'", "rule 'group-spill'"});
}

TEST_F(SliceRules, ALayerAloneHasNone) {
  schedule.groups = {{}, {}};
  group.layers = {0};
  group.inputSlices = {{0, 16}};
  schedule.groups[1].layers = {1};
  expect({"layer 'a'", "rule 'group-slice'", "the layer is in no group"});
}

/// 'd' between them is depthwise.
struct DepthwiseSlices : SliceRules {
  DepthwiseSlices() {
    network.layers.insert(network.layers.begin() + 1,
                          layerOf("d", Dim::G, 48, 1));
    network.edges = {{0, 1, ""}, {1, 2, ""}};
    Mapping middle = tiled(network.layers[1]);
    middle.temporal[Level::Dram][Dim::G] = 3;
    schedule.mappings.insert(schedule.mappings.begin() + 1, middle);
    group.layers = {0, 1, 2};
    group.inputSlices = {{1, 16}, {2, 16}};
  }
};

TEST_F(DepthwiseSlices, PassThrough) {
  expectLegal();
  EXPECT_EQ(rows(), 64 + 32 + 32 + 16 + 32 + 32);
  const GroupFlow flow = flowOf(network, group);
  for (size_t member : {0, 1, 2}) {
    EXPECT_EQ(flow.turnsOf(member), std::pair(size_t(0), size_t(2)));
    // The next slice is made of the same input, and added to the same sums.
    for (const GroupFlow::Tile &tile : flow.tiles)
      EXPECT_TRUE(tile.isLiveAt(member));
  }
}

TEST_F(DepthwiseSlices, HandOverWhatTheyGet) {
  group.inputSlices = {{1, 16}, {2, 32}};
  expect({"layer 'd'", "rule 'group-slice'",
          "wanted slices of 16 channels, as it gets them", "found 32"});
}

TEST_F(DepthwiseSlices, OthersAddUpFirst) {
  network.layers[1] = layerOf("d", Dim::K, 48, 48);
  schedule.mappings[1] = tiled(network.layers[1]);
  schedule.mappings[1].temporal[Level::Accumulator][Dim::C] = 3;
  schedule.mappings[1].temporal[Level::Dram][Dim::K] = 3;
  expect({"layer 'd'", "rule 'group-slice'",
          "wanted a depthwise layer, if it gets and makes slices"});
}

} // namespace
