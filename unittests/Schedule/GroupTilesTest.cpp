//===- GroupTilesTest.cpp - Tests of rows kept from tile to tile ----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/GroupTiles.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <set>

using namespace fadiff;

namespace {

using Rows = std::set<int64_t>;

/// Rows of the stored input that `layer` reads for output row `p`.
Rows rowsOf(const Layer &layer, int64_t p) {
  Rows rows;
  const int64_t first = p * layer.stride[Axis::H] - layer.padLow[Axis::H];
  const int64_t reach = layer.window(Axis::H, 1, layer.dims[Dim::R]);
  // Buffers hold what lies between the taps, too.
  for (int64_t row = first; row < first + reach; ++row)
    if (row >= 0 && row < layer.inputExtent[Axis::H])
      rows.insert(row);
  return rows;
}

std::vector<Layer> randomChain(std::mt19937_64 &rng) {
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(rng() % uint64_t(high - low + 1));
  };
  std::vector<Layer> layers(size_t(pick(2, 5)));
  int64_t extent = pick(4, 40);
  for (Layer &layer : layers) {
    layer.dims[Dim::R] = pick(1, 4);
    layer.stride[Axis::H] = pick(1, 3);
    layer.dilation[Axis::H] = pick(0, 4) == 0 ? 2 : 1;
    layer.padLow[Axis::H] = pick(0, layer.dims[Dim::R]);
    layer.inputExtent[Axis::H] = extent;
    const int64_t room = extent + layer.padLow[Axis::H] +
                         pick(0, layer.dims[Dim::R]) -
                         layer.window(Axis::H, 1, layer.dims[Dim::R]);
    extent = layer.dims[Dim::P] =
        std::max<int64_t>(1, room / layer.stride[Axis::H] + 1);
  }
  return layers;
}

// A walk over tiles and single rows, with sets for what is where: every row is
// made once and in time, and never lies where another one is still needed.
TEST(GroupTilesTest, KeptRowsAreThereUntilNobodyNeedsThem) {
  std::mt19937_64 rng(5);
  unsigned kept = 0, ahead = 0;
  for (unsigned trial = 0; trial < 3000 && !HasFailure(); ++trial) {
    const std::vector<Layer> layers = randomChain(rng);
    const size_t n = layers.size();
    const int64_t bound = layers.back().dims[Dim::P];
    if (bound < 2)
      continue;
    SCOPED_TRACE(trial);
    PerDim<int64_t> tile{1};
    tile[Dim::P] = 1 + int64_t(rng() % uint64_t(bound - 1));
    std::vector<const Layer *> chain;
    for (const Layer &layer : layers)
      chain.push_back(&layer);
    const GroupTiles tiles(chain, tile, /*keepRows=*/true);
    const GroupTiles again(chain, tile, /*keepRows=*/false);
    ahead += tiles.leadTrips() > 0;
    EXPECT_GE(estimateLeadTrips(chain, tile[Dim::P]) + 1, tiles.leadTrips());
    EXPECT_EQ(tiles.trips(Dim::P), tiles.leadTrips() + again.trips(Dim::P));

    std::vector<Rows> made(n);
    // Lines of the rings: which row is in them. The first is the input's.
    std::vector<std::map<int64_t, int64_t>> rings(n);
    Rows loaded;
    for (int64_t t = 0; t < tiles.trips(Dim::P); ++t)
      for (size_t i = 0; i < n; ++i) {
        const Layer &layer = layers[i];
        const Span span = tiles.spans(i, Dim::P)[size_t(t)];
        ASSERT_LE(span.extent(), tiles.nominal(i, Dim::P));
        for (int64_t p = span.begin; p < span.end; ++p) {
          ASSERT_TRUE(made[i].insert(p).second) << "row " << p << " twice";
          // Whatever it reads is there.
          for (int64_t row : rowsOf(layer, p)) {
            if (i == 0 && loaded.insert(row).second)
              rings[0][(row + layer.padLow[Axis::H]) %
                       tiles.window(0, Axis::H)] = row;
            if (!tiles.keepsTile(i)) {
              const Span now = i == 0 ? Span{row, row + 1}
                                      : tiles.spans(i - 1, Dim::P)[size_t(t)];
              ASSERT_TRUE(row >= now.begin && row < now.end)
                  << "row " << row << " of another tile";
              continue;
            }
            const int64_t line =
                (row + layer.padLow[Axis::H]) % tiles.window(i, Axis::H);
            ASSERT_EQ(rings[i][line], row) << "layer " << i;
          }
          if (i + 1 == n || !tiles.keepsTile(i + 1))
            continue;
          const Layer &reader = layers[i + 1];
          rings[i + 1][(p + reader.padLow[Axis::H]) %
                       tiles.window(i + 1, Axis::H)] = p;
        }
      }
    EXPECT_EQ(int64_t(made.back().size()), bound);
    // Nothing is made or loaded for nobody, unless windows do not touch: what
    // lies between them may be made along with the rest.
    bool touch = true;
    for (size_t i = n; i-- > 0;) {
      Rows read;
      for (int64_t p : made[i])
        for (int64_t row : rowsOf(layers[i], p))
          read.insert(row);
      if (i == 0)
        EXPECT_EQ(loaded, read);
      else if ((touch &= tiles.keepsTile(i) || layers[i].stride[Axis::H] == 1))
        EXPECT_EQ(made[i - 1], read);
      if (touch)
        EXPECT_LE(tiles.produced(i, Dim::P), again.produced(i, Dim::P));
      kept += tiles.produced(i, Dim::P) < again.produced(i, Dim::P);
    }
    if (tiles.keepsTile(0))
      EXPECT_EQ(tiles.keptInputRows(0), int64_t(loaded.size()));
  }
  EXPECT_GT(kept, 2000u);
  EXPECT_GT(ahead, 500u);
}

// The same where a layer further on adds a tensor: its rows stay until then,
// also if what is new of the next tile comes before anybody reads this one.
TEST(GroupTilesTest, KeptRowsAreThereForWhoeverAddsThem) {
  std::mt19937_64 rng(7);
  unsigned longer = 0, loadedOnes = 0, ahead = 0;
  for (unsigned trial = 0; trial < 3000 && !HasFailure(); ++trial) {
    SCOPED_TRACE(trial);
    auto pick = [&](int64_t low, int64_t high) {
      return low + int64_t(rng() % uint64_t(high - low + 1));
    };
    // Layer 'from' reads what layer 'to' adds; all between keep the image.
    Network network;
    const size_t n = size_t(pick(2, 5)), from = size_t(pick(0, n - 1)),
                 to = size_t(pick(from, n - 1));
    int64_t extent = pick(6, 30);
    for (size_t i = 0; i < n; ++i) {
      Layer layer;
      const bool isImage = i >= from && i <= to;
      layer.dims[Dim::R] = pick(1, 4);
      layer.inputExtent[Axis::H] = extent;
      layer.padLow[Axis::H] = pick(0, layer.dims[Dim::R] - 1);
      layer.stride[Axis::H] = isImage ? 1 : pick(1, 2);
      if (!isImage)
        extent = (extent - 1) / layer.stride[Axis::H] + 1;
      layer.dims[Dim::P] = extent;
      layer.hasResidual = i == to;
      network.layers.push_back(layer);
    }
    constexpr unsigned kInput = 9;
    for (size_t i = 0; i < n; ++i)
      network.operands.push_back({i > 0 ? unsigned(i - 1) : kInput, {}});
    network.operands[to].residual = network.operands[from].input;
    FusionGroup group;
    std::vector<const Layer *> chain;
    for (size_t i = 0; i < n; ++i) {
      group.layers.push_back(unsigned(i));
      chain.push_back(&network.layers[i]);
    }
    group.liveSkips = {unsigned(to)};
    const bool turns = from == 0 && trial % 2 == 0;
    group.inputTurns = turns;
    if (extent < 2)
      continue;
    PerDim<int64_t> tile{1};
    tile[Dim::P] = pick(1, extent - 1);
    const GroupFlow flow = flowOf(network, group);
    const GroupTiles tiles(chain, tile, flow, /*keepRows=*/true);
    ASSERT_EQ(flow.members[to].skip, flow.members[from].input);
    const size_t shared = flow.members[from].input;
    ASSERT_TRUE(tiles.keepsTile(shared));
    EXPECT_EQ(tiles.tileExtent(shared, Axis::H),
              tiles.heldRows(shared, 0, n - 1, turns));
    ahead += turns && tiles.tileExtent(shared, Axis::H) >
                          tiles.heldRows(shared, 0, n - 1, /*ahead=*/false);
    longer += tiles.tileExtent(shared, Axis::H) > tiles.window(from, Axis::H);
    loadedOnes += from == 0;

    std::vector<Rows> made(n);
    std::map<int64_t, int64_t> ring;
    const int64_t pad = network.layers[from].padLow[Axis::H];
    const int64_t lines = tiles.tileExtent(shared, Axis::H);
    Rows loaded;
    // A loaded window comes in as a whole.
    auto load = [&](int64_t t) {
      const size_t before = loaded.size();
      const Span span = tiles.spans(0, Dim::P)[size_t(t)];
      for (int64_t p = span.begin; p < span.end; ++p)
        for (int64_t row : rowsOf(network.layers[0], p))
          if (loaded.insert(row).second)
            ring[(row + pad) % lines] = row;
      if (t > 0) {
        ASSERT_LE(int64_t(loaded.size() - before), tiles.nextRows(0));
      }
    };
    for (int64_t t = 0; t < tiles.trips(Dim::P); ++t) {
      if (from == 0 && (t == 0 || !turns))
        load(t);
      if (turns && t + 1 < tiles.trips(Dim::P))
        load(t + 1);
      for (size_t i = 0; i < n; ++i) {
        const Span span = tiles.spans(i, Dim::P)[size_t(t)];
        for (int64_t p = span.begin; p < span.end; ++p) {
          ASSERT_TRUE(made[i].insert(p).second) << "row " << p << " twice";
          if (i + 1 == from)
            ring[(p + pad) % lines] = p;
          if (i == from)
            for (int64_t row : rowsOf(network.layers[i], p))
              ASSERT_EQ(ring[(row + pad) % lines], row);
          if (i == to)
            ASSERT_EQ(ring[(p + pad) % lines], p);
        }
      }
    }
    EXPECT_EQ(int64_t(made.back().size()), extent);
    if (from == 0)
      EXPECT_EQ(tiles.keptInputRows(0), int64_t(loaded.size()));
  }
  EXPECT_GT(ahead, 100u);
  EXPECT_GT(longer, 300u);
  EXPECT_GT(loadedOnes, 300u);
}

// 3x3 after 3x3, one row at a time: the first member runs a row ahead.
// Each member makes what its reader's windows see of the image, and nothing for
// a reader that makes nothing, however far windows overlap.
TEST(GroupTilesTest, TilesThatSeeOnlyPaddingWantNothing) {
  std::mt19937_64 rng(6);
  unsigned empty = 0, behindEmpty = 0;
  for (unsigned trial = 0; trial < 3000 && !HasFailure(); ++trial) {
    const std::vector<Layer> layers = randomChain(rng);
    SCOPED_TRACE(trial);
    PerDim<int64_t> tile{1};
    tile[Dim::P] = 1 + int64_t(rng() % uint64_t(layers.back().dims[Dim::P]));
    std::vector<const Layer *> chain;
    for (const Layer &layer : layers)
      chain.push_back(&layer);
    const GroupTiles tiles(chain, tile);
    for (size_t i = 0; i < layers.size(); ++i) {
      int64_t busy = 0;
      for (int64_t t = 0; t < tiles.trips(Dim::P); ++t) {
        const Span made = tiles.spans(i, Dim::P)[size_t(t)];
        busy += made.extent() > 0;
        if (i + 1 == layers.size())
          continue;
        const Span reader = tiles.spans(i + 1, Dim::P)[size_t(t)];
        Rows wanted;
        for (int64_t p = reader.begin; p < reader.end; ++p)
          wanted.merge(rowsOf(layers[i + 1], p));
        for (int64_t row : wanted)
          ASSERT_TRUE(row >= made.begin && row < made.end) << "row " << row;
        if (reader.extent() <= 1) {
          EXPECT_EQ(made.extent(), int64_t(wanted.size()));
          empty += wanted.empty();
          behindEmpty += reader.extent() == 0;
        }
      }
      EXPECT_EQ(tiles.busyTiles(i, Dim::P), busy);
      EXPECT_EQ(tiles.isCut(i, Dim::P),
                tiles.produced(i, Dim::P) <
                    tiles.trips(Dim::P) * tiles.nominal(i, Dim::P));
    }
  }
  EXPECT_GT(empty, 100u);
  EXPECT_GT(behindEmpty, 10u);
}

TEST(GroupTilesTest, MembersInFrontRunAhead) {
  Layer a;
  a.dims[Dim::P] = a.inputExtent[Axis::H] = 6;
  a.dims[Dim::R] = 3;
  a.padLow[Axis::H] = 1;
  const Layer b = a;
  PerDim<int64_t> tile{1};
  const GroupTiles tiles({&a, &b}, tile, /*keepRows=*/true);
  EXPECT_EQ(tiles.leadTrips(), 1);
  EXPECT_EQ(tiles.nominal(0, Dim::P), 1);
  EXPECT_EQ(tiles.window(1, Axis::H), 3);
  std::vector<std::pair<int64_t, int64_t>> first, second;
  for (Span span : tiles.spans(0, Dim::P))
    first.emplace_back(span.begin, span.end);
  for (Span span : tiles.spans(1, Dim::P))
    second.emplace_back(span.begin, span.end);
  EXPECT_EQ(first,
            (std::vector<std::pair<int64_t, int64_t>>{
                {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 6}}));
  EXPECT_EQ(second,
            (std::vector<std::pair<int64_t, int64_t>>{
                {0, 0}, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}));
  EXPECT_EQ(tiles.keptInputRows(0), 6);
}

// What is handed over in slices is made anew in each tile, when its reader
// makes something; what its producer reads stays.
TEST(GroupTilesTest, SlicesKeepNoRowsOfTheirOwn) {
  Layer a;
  a.dims[Dim::P] = a.inputExtent[Axis::H] = 4;
  a.dims[Dim::R] = 3;
  a.padLow[Axis::H] = 1;
  const Layer b = a, c = a;
  GroupFlow flow = GroupFlow::chain(3);
  flow.tiles[2].slice = 16;
  PerDim<int64_t> tile{1};
  const GroupTiles tiles({&a, &b, &c}, tile, flow, /*keepRows=*/true);
  EXPECT_TRUE(tiles.keepsTile(0));
  EXPECT_TRUE(tiles.keepsTile(1));
  EXPECT_FALSE(tiles.keepsTile(2));
  std::vector<std::pair<int64_t, int64_t>> first, second;
  for (Span span : tiles.spans(0, Dim::P))
    first.emplace_back(span.begin, span.end);
  for (Span span : tiles.spans(1, Dim::P))
    second.emplace_back(span.begin, span.end);
  EXPECT_EQ(tiles.leadTrips(), 2);
  EXPECT_EQ(first, (std::vector<std::pair<int64_t, int64_t>>{
                       {0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 4}, {4, 4}}));
  EXPECT_EQ(second, (std::vector<std::pair<int64_t, int64_t>>{
                        {0, 0}, {0, 0}, {0, 2}, {0, 3}, {1, 4}, {2, 4}}));
  EXPECT_EQ(tiles.window(2, Axis::H), 3);
  EXPECT_EQ(tiles.keptInputRows(0), 4);
}

// Pooled outputs, two at a time: windows of three rows, two apart, the first
// one half outside.
TEST(GroupTilesTest, TilesOfPooledOutputs) {
  Layer a;
  a.dims[Dim::P] = a.inputExtent[Axis::H] = 8;
  a.dims[Dim::Q] = a.inputExtent[Axis::W] = 3;
  MaxPool &pool = a.pool.emplace();
  pool.size = 3;
  pool.stride = 2;
  pool.padLow = {1, 0};
  pool.outputs = {4, 1};
  PerDim<int64_t> tile{1};
  tile[Dim::P] = 3;
  const GroupTiles tiles({&a}, tile, /*keepRows=*/false, /*poolsOutput=*/true);
  EXPECT_EQ(tiles.trips(Dim::P), 2);
  EXPECT_EQ(tiles.spans(0, Dim::P)[0].begin, 0);
  EXPECT_EQ(tiles.spans(0, Dim::P)[0].end, 6);
  EXPECT_EQ(tiles.spans(0, Dim::P)[1].begin, 5);
  EXPECT_EQ(tiles.spans(0, Dim::P)[1].end, 8);
  EXPECT_EQ(tiles.nominal(0, Dim::P), 7); // with the row of padding
  EXPECT_EQ(tiles.produced(0, Dim::P), 9);
  EXPECT_EQ(tiles.handedOver(0, Dim::P), 4);
  EXPECT_EQ(tiles.handedOver(0, Dim::Q), 1);
  EXPECT_EQ(tiles.dramFactor(0, Dim::P), 2);

  // The mapping covers the seven rows, and its loop at DRAM pooled ones.
  Mapping mapping;
  mapping.temporal[Level::Registers][Dim::P] = 7;
  mapping.temporal[Level::Registers][Dim::Q] = 3;
  mapping.temporal[Level::Dram][Dim::P] = 2;
  const GroupLoops loops(a, mapping, /*poolsOutput=*/true);
  EXPECT_EQ(loops.tile(), tile);
  EXPECT_EQ(loops.mapping.trips(loops.outputs, Level::Dram, Dim::P), 2);
  EXPECT_EQ(loops.mapping.trips(loops.outputs, Level::Dram, Dim::Q), 1);
}

// A 1x1 layer's windows share no rows, but windows of the pooling behind it do:
// what is handed over to it must stay for the next tile.
TEST(GroupTilesTest, RowsUnderTwoPoolingWindowsAreKept) {
  Layer a;
  a.dims[Dim::P] = a.inputExtent[Axis::H] = 8;
  Layer b = a, c = a;
  MaxPool &pool = b.pool.emplace();
  pool.size = 3;
  pool.outputs = {6, 1};
  c.dims[Dim::P] = c.inputExtent[Axis::H] = 6;
  PerDim<int64_t> tile{1};
  tile[Dim::P] = 2;
  const GroupTiles tiles({&a, &b, &c}, tile, /*keepRows=*/true);
  EXPECT_TRUE(tiles.keepsTile(1));
  EXPECT_FALSE(tiles.keepsTile(2));
  EXPECT_EQ(tiles.produced(0, Dim::P), 8);
  EXPECT_EQ(tiles.produced(1, Dim::P), 12);
  // Loaded rows come in twice.
  const GroupTiles first({&b, &c}, tile, /*keepRows=*/true);
  EXPECT_FALSE(first.keepsTile(0));
  pool.stride = 3;
  EXPECT_FALSE(mayShareRows(b));
}

} // namespace
