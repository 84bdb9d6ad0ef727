//===- LoopUnitLatencyTest.cpp - Cycles on the real machine
//----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each term of docs/Latency.md against numbers worked out by hand, on a machine
// with round constants.
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/LoopUnitLatency.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace fadiff;

namespace {

Accelerator machine() {
  Accelerator a;
  a.side = 16;
  a.dmaBytesPerCycle = 16;
  a.dmaMaxRequestBytes = 64;
  a.dmaRequestsInFlight = 16;
  a.dmaLatency = 160;    // 10 cycles per request
  a.dmaColdLatency = 32; // 2 more for a line's first
  a.dmaShortWriteCycles = 40;
  a.passCycles = 8;
  a.overlapLoss = 0.25;
  return a;
}
/// dmaLatency + 3 * side + 1 + scratchpadReadDelay + accumulatorPipe.
constexpr double kFill = 160 + 49 + 4 + 10;
/// scratchpadReadDelay + accumulatorPipe, once per store.
constexpr double kPipe = 4 + 10;

Layer layerOf(int64_t k, int64_t c, int64_t p, int64_t q, int64_t kernel) {
  Layer layer;
  layer.dims[Dim::K] = k;
  layer.dims[Dim::C] = c;
  layer.dims[Dim::P] = p;
  layer.dims[Dim::Q] = q;
  layer.dims[Dim::R] = layer.dims[Dim::S] = kernel;
  layer.inputExtent = {p + kernel - 1, q + kernel - 1};
  return layer;
}

/// A layer that is one tile.
template <typename T = double> TiledLayer<T> whole(const Layer &layer) {
  TiledLayer<T> tiled;
  tiled.layer = &layer;
  for (Dim dim : kAllDims)
    tiled.tile[dim] = T(static_cast<double>(layer.dims[dim]));
  tiled.run = tiled.tile;
  tiled.rows = tiled.cols = T(16.0);
  return tiled;
}

TEST(LoopUnitLatency, PassesOfTheWholeSideStreamAndShortOnesWaitForIssue) {
  EXPECT_DOUBLE_EQ(latency::streamCycles(16.0, 16, 8), 16);
  EXPECT_DOUBLE_EQ(latency::streamCycles(64.0, 16, 8), 64);
  // Equal limits: 8 * 2^(1/4).
  EXPECT_NEAR(latency::passCycles(8.0, 8), 8 * std::pow(2, 0.25), 1e-12);
  EXPECT_NEAR(latency::passCycles(1.0, 8), 8, 1e-3);
  EXPECT_NEAR(latency::streamCycles(15.0, 16, 8), 15, 0.4);
  EXPECT_DOUBLE_EQ(latency::streamCycles(18.0, 16, 8),
                   16 + latency::passCycles(2.0, 8));
  // On a small array even whole passes wait.
  EXPECT_DOUBLE_EQ(latency::streamCycles(12.0, 4, 8), 24);
}

TEST(LoopUnitLatency, RowsOfRealsTakeFourTimesTheBytes) {
  Layer layer = layerOf(/*k=*/8, /*c=*/32, /*p=*/4, /*q=*/16, /*kernel=*/1);
  TiledLayer<double> tiled = whole(layer);
  // A request for each of 32 weight rows and 64 pixels.
  EXPECT_DOUBLE_EQ(loopUnitLatency(tiled, machine()).load, (32 + 64) * 12);
  // 128 bytes of a pixel are two.
  layer.elementBytes = layer.outputBytes = 4;
  EXPECT_DOUBLE_EQ(loopUnitLatency(tiled, machine()).load, (32 + 2 * 64) * 12);
}

TEST(LoopUnitLatency, OneTileLoadsExecutesAndStoresInTurn) {
  Layer layer = layerOf(/*k=*/32, /*c=*/64, /*p=*/4, /*q=*/16, /*kernel=*/1);
  TiledLayer<double> tiled = whole(layer);
  PhaseCycles<double> result = loopUnitLatency(tiled, machine());
  // 2 x 4 weight tiles, each for 4 pixel rows of one full pass.
  EXPECT_DOUBLE_EQ(result.execute, 8 * 4 * 16);
  // W: 64 rows of 32 bytes, I: 64 rows of 64, a request each; every request is
  // the first for its line.
  EXPECT_DOUBLE_EQ(result.load, (64 + 64) * 12);
  // O: 64 pixels in two blocks of a bus beat, in 8 stores.
  EXPECT_DOUBLE_EQ(result.store, 128 + 8 * kPipe);
  EXPECT_DOUBLE_EQ(result.cycles, 512 + 1536 + result.store + kFill);
  layer.hasBias = true; // a row of the accumulator per cycle
  EXPECT_DOUBLE_EQ(loopUnitLatency(tiled, machine()).load, result.load + 128);
}

TEST(LoopUnitLatency, LoadingWeightsTakesAtLeastTheSide) {
  Layer layer = layerOf(16, 16, 1, 1, 1);
  TiledLayer<double> tiled = whole(layer);
  EXPECT_DOUBLE_EQ(loopUnitLatency(tiled, machine()).execute, 16);
  layer.dims[Dim::Q] = 3;
  tiled = whole(layer);
  EXPECT_DOUBLE_EQ(loopUnitLatency(tiled, machine()).execute, 16);
}

TEST(LoopUnitLatency, ShortOutputRowsAreSlow) {
  Layer narrow = layerOf(2, 64, 8, 16, 1), wide = layerOf(16, 64, 8, 16, 1);
  TiledLayer<double> tiled = whole(narrow);
  EXPECT_DOUBLE_EQ(loopUnitLatency(tiled, machine()).store, 128 * 40);
  tiled = whole(wide);
  EXPECT_DOUBLE_EQ(loopUnitLatency(tiled, machine()).store, 128 + 8 * kPipe);
  wide.outputBytes = 4;
  EXPECT_DOUBLE_EQ(loopUnitLatency(tiled, machine()).store,
                   128 * 4 + 8 * kPipe);
  narrow.outputBytes = 4; // 8 bytes, still below the bus
  tiled = whole(narrow);
  EXPECT_DOUBLE_EQ(loopUnitLatency(tiled, machine()).store, 128 * 40);
}

TEST(LoopUnitLatency, DoubleBufferingHidesAllButAShare) {
  // 8 tiles of K, each 4 x 16 pixels; all of them load W and I.
  Layer layer = layerOf(/*k=*/128, /*c=*/64, /*p=*/4, /*q=*/16, /*kernel=*/3);
  TiledLayer<double> tiled = whole(layer);
  tiled.tile[Dim::K] = 16;
  const double execute = 36 * 64;
  // A line holds four of W's 16-byte rows: a quarter of the requests are first.
  // 128 / 64 lines for each of 576 rows, of 8 requests each. Of I's requests
  // an eighth are, those for the first tile.
  const double weights = 576 * (10 + 2 * 0.25),
               input = 6 * 18 * (10 + 2 * 0.125);
  const double store = 64 + 4 * kPipe;
  PhaseCycles<double> result = loopUnitLatency(tiled, machine());
  EXPECT_DOUBLE_EQ(result.execute, 8 * execute);
  EXPECT_DOUBLE_EQ(result.load, 8 * (weights + input));
  EXPECT_DOUBLE_EQ(result.store, 8 * store);
  // Loads are the longest, but for the last tile, which has no next one.
  double step = weights + input + 0.25 * (execute + store);
  EXPECT_DOUBLE_EQ(result.cycles, weights + input + 7 * step + execute +
                                      0.25 * store + 0.75 * store + kFill);
}

TEST(LoopUnitLatency, AnUnevenTileLeavesLoadsUncovered) {
  // C in tiles of 192 and 64: the long load cannot hide behind the short tile.
  Layer layer = layerOf(/*k=*/64, /*c=*/256, /*p=*/16, /*q=*/32, /*kernel=*/3);
  TiledLayer<double> tiled = whole(layer);
  tiled.tile[Dim::K] = 16;
  tiled.order = {Dim::C, Dim::K, Dim::N, Dim::G,
                 Dim::P, Dim::Q, Dim::R, Dim::S};
  tiled.tile[Dim::C] = 128;
  double even = loopUnitLatency(tiled, machine()).cycles;
  tiled.tile[Dim::C] = 192;
  double uneven = loopUnitLatency(tiled, machine()).cycles;
  EXPECT_GT(uneven, 1.1 * even);
}

TEST(LoopUnitLatency, DepthwiseLayersUseBlocksOfGroups) {
  Layer layer = layerOf(1, 1, 4, 16, 3);
  layer.dims[Dim::G] = 32;
  TiledLayer<double> tiled = whole(layer);
  PhaseCycles<double> result = loopUnitLatency(tiled, machine());
  EXPECT_DOUBLE_EQ(result.execute, 2 * 9 * 64);
  EXPECT_DOUBLE_EQ(result.store, 128 + 8 * kPipe);
}

/// Slopes by the tile's extents, away from where a count jumps.
TEST(LoopUnitLatency, SlopesAreThoseOfTheFormula) {
  using D = Dual<2>;
  Layer layer = layerOf(256, 256, 28, 28, 3);
  auto at = [&](const auto &p, const auto &c) {
    using T = std::decay_t<decltype(p)>;
    TiledLayer<T> tiled = whole<T>(layer);
    tiled.tile[Dim::P] = p;
    tiled.tile[Dim::C] = c;
    tiled.tile[Dim::K] = T(64.0);
    tiled.run = tiled.tile;
    return loopUnitLatency(tiled, machine()).cycles;
  };
  for (auto [p, c] : {std::pair(4.0, 64.0), {7.0, 128.0}, {14.0, 32.0}}) {
    D cycles = at(D::variable(p, 0), D::variable(c, 1));
    EXPECT_DOUBLE_EQ(cycles.value(), at(p, c));
    // Larger tiles load less: halos along P and weights once for more pixels.
    EXPECT_LT(cycles.gradient()[0], 0);
    EXPECT_TRUE(std::isfinite(cycles.gradient()[1]));
  }
  // Where nothing is counted, slopes are those of central differences.
  for (double rows : {3.0, 9.5, 15.0}) {
    Dual<1> slope = latency::passCycles(Dual<1>::variable(rows, 0), 8);
    double h = 1e-5;
    double central =
        (latency::passCycles(rows + h, 8) - latency::passCycles(rows - h, 8)) /
        (2 * h);
    EXPECT_NEAR(slope.gradient()[0], central, 1e-5 * std::fabs(central));
  }
}

} // namespace
