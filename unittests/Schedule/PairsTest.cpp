//===- PairsTest.cpp - What features of groups go together ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a group for every pair of features and holds what verify() says of it
// against the table of docs/CostModel.md, "Pairs".
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Schedule.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <map>

using namespace fadiff;

namespace {

enum Feature {
  KeptRows,
  LiveSkip,
  SideBranch,
  Slices,
  Pooling,
  InputTurns,
  InPlace
};
constexpr unsigned kNumFeatures = 7;
constexpr const char *kNames[] = {"kept rows", "live skip", "side branch",
                                  "slices",    "pooling",   "input turns",
                                  "in place"};

/// a -> b -> c -> d on images of 8 x 8 pixels and 32 channels.
struct Group {
  Network network;
  Schedule schedule;
  FusionGroup group;
  Accelerator target;

  /// With the features of `wanted`, a set of bits.
  explicit Group(unsigned wanted) {
    auto has = [&](Feature feature) { return wanted >> feature & 1; };
    target.name = "test16";
    target.side = 16;
    target.scratchpadBytes = 64 * 1024;
    target.accumulatorBytes = 64 * 1024;
    target.handOver =
        has(InPlace) ? HandOver::AccumulatorOperand : HandOver::MvoutSpad;
    for (const char *name : {"a", "b", "c", "d"})
      add(name);
    constexpr unsigned kX = 9; // a tensor that no layer makes
    network.operands = {{kX, std::nullopt},
                        {0, std::nullopt},
                        {1, std::nullopt},
                        {2, std::nullopt}};
    network.edges = {{0, 1, ""}, {1, 2, ""}, {2, 3, ""}};
    group.layers = {0, 1, 2, 3};
    // Rows of two tiles overlap at 'b'.
    if (has(KeptRows)) {
      group.keeps = Axis::H;
      network.layers[1].dims[Dim::R] = 3;
      network.layers[1].padLow[Axis::H] = 1;
    }
    // 'b' adds what 'a' reads.
    if (has(LiveSkip)) {
      network.layers[1].hasResidual = true;
      network.operands[1].residual = kX;
      group.liveSkips.push_back(1);
    }
    // 'e' reads what 'c' does, and 'd' adds that.
    if (has(SideBranch)) {
      add("e");
      network.operands.push_back({1, std::nullopt});
      network.edges.push_back({1, 4, ""});
      network.layers[3].hasResidual = true;
      network.operands[3].residual = 4;
      network.edges.push_back({4, 3, ""});
      group.layers = {0, 1, 4, 2, 3};
      group.liveSkips.push_back(3);
    }
    // 'b' gets 16 channels at a time; with a skip over it 'd' does.
    const unsigned slicer = has(LiveSkip) && !has(SideBranch) ? 3 : 1;
    if (has(Slices))
      group.inputSlices.push_back({slicer, 16});
    // Of what 'a' makes; the image stays as it is.
    if (has(Pooling))
      network.layers[0].pool =
          MaxPool{/*size=*/3, /*stride=*/1, /*padLow=*/{1, 1}, {8, 8}};

    group.inputTurns = has(InputTurns);

    PerDim<int64_t> tile{1};
    tile[Dim::P] = 4, tile[Dim::Q] = 8;
    std::vector<const Layer *> members;
    for (unsigned layer : group.layers)
      members.push_back(&network.layers[layer]);
    const GroupTiles tiles(members, tile, flowOf(network, group),
                           group.keeps.has_value());
    schedule.mappings.resize(network.layers.size());
    for (auto [i, layer] : llvm::enumerate(group.layers))
      schedule.mappings[layer] = map(tiles, i);
    schedule.groups = {group};
  }

  void add(const char *name) {
    Layer layer;
    layer.name = name;
    layer.dims[Dim::K] = layer.dims[Dim::C] = 32;
    layer.dims[Dim::P] = layer.dims[Dim::Q] = 8;
    layer.inputExtent = {8, 8};
    network.layers.push_back(layer);
  }

  /// All of the tile's pixels at once; slices are the loop at DRAM.
  static Mapping map(const GroupTiles &tiles, size_t member) {
    const Layer &layer = tiles.layer(member), &tile = tiles.tileLayer(member);
    const GroupFlow &flow = tiles.flow();
    Mapping m;
    m.rows = m.cols = 16;
    m.temporal[Level::Registers][Dim::Q] = tile.dims[Dim::Q];
    m.temporal[Level::Accumulator][Dim::P] = tile.dims[Dim::P];
    m.temporal[Level::Accumulator][Dim::R] = layer.dims[Dim::R];
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      m.temporal[Level::Dram][dim] = tiles.dramFactor(member, dim);
    const bool gets = flow.tiles[flow.members[member].input].slice;
    for (auto [dim, isSliced] :
         {std::pair(Dim::C, gets), {Dim::K, flow.handsOverSlices(member)}})
      m.temporal[isSliced ? Level::Dram : Level::Accumulator][dim] = 2;
    for (Level level : kAllLevels)
      m.order[level] = {Dim::R, Dim::S, Dim::C, Dim::K,
                        Dim::G, Dim::P, Dim::Q, Dim::N};
    return m;
  }
};

/// Cells of the table's rows, by the names of row and column.
std::map<std::pair<std::string, std::string>, std::string> readTable() {
  std::map<std::pair<std::string, std::string>, std::string> cells;
  auto page =
      llvm::MemoryBuffer::getFile(FADIFF_SOURCE_DIR "/docs/CostModel.md");
  if (!page)
    return cells;
  llvm::StringRef text = (*page)->getBuffer();
  text = text.substr(text.find("\n### Pairs\n"));
  std::vector<std::string> columns;
  for (llvm::StringRef line : llvm::split(text.drop_front(), '\n')) {
    if (line.starts_with("#") && !columns.empty())
      break;
    if (!line.consume_front("|"))
      continue;
    llvm::SmallVector<llvm::StringRef> row;
    line.rtrim("|").split(row, '|');
    if (columns.empty())
      for (llvm::StringRef cell : row)
        columns.push_back(cell.trim().str());
    else
      for (auto [column, cell] :
           llvm::zip(llvm::drop_begin(columns), llvm::drop_begin(row)))
        cells[{row.front().trim().str(), column}] = cell.trim().str();
  }
  return cells;
}

TEST(Pairs, TheTableSaysWhatIsLegal) {
  const auto table = readTable();
  ASSERT_FALSE(table.empty());
  for (unsigned one = 0; one < kNumFeatures; ++one)
    for (unsigned other = one + 1; other < kNumFeatures; ++other) {
      SCOPED_TRACE(std::string(kNames[one]) + " and " + kNames[other]);
      const Group pair(1u << one | 1u << other);
      const auto cell = table.find({kNames[one], kNames[other]});
      ASSERT_NE(cell, table.end());
      llvm::Error error = verify(pair.network, pair.schedule, pair.target);
      if (cell->second == "yes") {
        EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
        continue;
      }
      // The ability is named; with another one the pair is legal, as is shown
      // below.
      EXPECT_EQ(cell->second, "no");
      ASSERT_TRUE(bool(error)) << "accepted";
      const std::string text = llvm::toString(std::move(error));
      EXPECT_NE(text.find("hand_over of 'test16' is accumulator_operand"),
                std::string::npos)
          << text;
    }
}

// Whatever a machine that copies is asked for, it does all at once.
TEST(Pairs, AllTogetherOnAMachineThatCopies) {
  for (unsigned wanted = 0; wanted < 1u << InPlace; ++wanted) {
    SCOPED_TRACE(wanted);
    const Group group(wanted);
    llvm::Error error = verify(group.network, group.schedule, group.target);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  }
}

} // namespace
