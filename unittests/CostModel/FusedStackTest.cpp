//===- FusedStackTest.cpp - Closed forms of fused stacks ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eqs. (halo) to (stack-rows) of docs/CostModel.md: against a walk over the
// tiles, and gradients against differences. What DeFiNES says is in test/Bench.
//
//===----------------------------------------------------------------------===//

#include "Gradient.h"

#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/CostModel/CostModel.h"
#include "fadiff/CostModel/FusedStack.h"
#include "fadiff/CostModel/StreamLatency.h"
#include "llvm/Support/Error.h"

#include "gtest/gtest.h"

#include <random>

using namespace fadiff;
using namespace fadiff::test;

namespace {

int64_t pick(std::mt19937_64 &rng, int64_t low, int64_t high) {
  return low + int64_t(rng() % uint64_t(high - low + 1));
}

Accelerator machine() {
  Accelerator target;
  target.side = 8;
  target.scratchpadBytes = 64 << 10;
  target.accumulatorBytes = 4 << 10;
  target.energyPerMac = 0.5;
  target.energyPerAccess[Level::Registers] = 0.25;
  target.energyPerAccess[Level::Accumulator] = 2;
  target.energyPerAccess[Level::Scratchpad] = 8;
  target.energyPerAccess[Level::Dram] = 64;
  target.bandwidth[Level::Registers] = 2;
  target.bandwidth[Level::Accumulator] = 2;
  target.bandwidth[Level::Scratchpad] = 16;
  target.bandwidth[Level::Dram] = 8;
  return target;
}

/// One layer; K is 0 for depthwise. Sizes without padding.
struct Shape {
  int64_t k, taps, stride;
};

/// A chain that ends in `outputs` x `outputs`, sizes growing towards its input.
FusedStack makeStack(const std::vector<Shape> &shapes, int64_t channels,
                     PerAxis<int64_t> outputs, int64_t batch = 1) {
  FusedStack stack;
  for (const Shape &shape : shapes) {
    Layer layer;
    layer.name = "layer" + std::to_string(stack.layers.size());
    layer.dims[Dim::N] = batch;
    if (shape.k == 0) {
      layer.dims[Dim::G] = channels;
    } else {
      layer.dims[Dim::C] = channels;
      layer.dims[Dim::K] = channels = shape.k;
    }
    for (Axis axis : kAllAxes) {
      layer.dims[kernelDim(axis)] = shape.taps;
      layer.stride[axis] = shape.stride;
    }
    stack.layers.push_back(layer);
  }
  for (auto layer = stack.layers.rbegin(); layer != stack.layers.rend();
       ++layer)
    for (Axis axis : kAllAxes) {
      layer->dims[outputDim(axis)] = outputs[axis];
      outputs[axis] =
          layer->window(axis, outputs[axis], layer->dims[kernelDim(axis)]);
      layer->inputExtent[axis] = outputs[axis];
    }
  return stack;
}

FusedStack randomStack(std::mt19937_64 &rng, int64_t maxLayers) {
  std::vector<Shape> shapes;
  for (int64_t n = pick(rng, 1, maxLayers); n > 0; --n)
    shapes.push_back(
        {pick(rng, 0, 2) ? pick(rng, 2, 24) : 0, pick(rng, 1, 3), 0});
  for (Shape &shape : shapes)
    shape.stride = pick(rng, 0, 2) ? 1 : 2;
  return makeStack(shapes, pick(rng, 2, 24),
                   {pick(rng, 2, 14), pick(rng, 2, 14)}, pick(rng, 1, 2));
}

/// Rows of each tensor that are produced (input: loaded), over all tiles, by
/// walking them one by one. Tensor t is kept where keep[t].
std::vector<int64_t> walk(const FusedStack &stack, Axis axis, int64_t tile,
                          const std::vector<bool> &keep) {
  const size_t n = stack.layers.size();
  std::vector<int64_t> sum(n + 1, 0), done(n + 1, INT64_MIN);
  const int64_t outputs = stack.layers.back().dims[outputDim(axis)];
  for (int64_t p0 = 0; p0 < outputs; p0 += tile) {
    int64_t begin = p0, end = std::min(outputs, p0 + tile);
    sum[n] += end - begin;
    for (size_t t = n; t-- > 0;) {
      const Layer &layer = stack.layers[t];
      begin *= layer.stride[axis];
      end = (end - 1) * layer.stride[axis] +
            (layer.dims[kernelDim(axis)] - 1) * layer.dilation[axis] + 1;
      if (keep[t])
        begin = std::max(begin, done[t]);
      done[t] = end;
      sum[t] += end - begin;
    }
  }
  return sum;
}

TEST(FusedStackTest,
     ExtentsEqualAWalkOverTheTiles) { // eqs. (halo) to (made), (stack-traffic)
  std::mt19937_64 rng(1);
  for (unsigned trial = 0; trial < 2000 && !HasFailure(); ++trial) {
    FusedStack stack = randomStack(rng, 4);
    const size_t n = stack.layers.size();
    auto choice = StackChoice<double>::fused(stack, 8);
    PerAxis<std::vector<int64_t>> wanted;
    for (Axis axis : kAllAxes) {
      int64_t tile = pick(rng, 1, stack.layers.back().dims[outputDim(axis)]);
      choice.tile[axis] = double(tile);
      std::vector<bool> keep;
      for (size_t t = 0; t < n; ++t) {
        keep.push_back(pick(rng, 0, 1));
        choice.keep[t][axis] = keep.back();
      }
      wanted[axis] = walk(stack, axis, tile, keep);
    }
    ASSERT_FALSE(bool(verify(stack, choice, machine())));
    StackCost cost =
        evaluateStack(stack, choice, machine(), Convention::Timeloop);
    double macs = 0, weights = 0;
    for (size_t l = 0; l < n; ++l) {
      const PerDim<int64_t> &d = stack.layers[l].dims;
      double words =
          double(d[Dim::G] * d[Dim::K] * d[Dim::C] * d[Dim::R] * d[Dim::S]);
      double layerMacs = double(wanted[Axis::H][l + 1]) *
                         double(wanted[Axis::W][l + 1]) * words *
                         double(d[Dim::N]);
      EXPECT_EQ(cost.members[l].macs, layerMacs) << "layer " << l;
      macs += layerMacs;
      weights += words;
    }
    const PerDim<int64_t> &first = stack.layers.front().dims;
    EXPECT_EQ(cost.macs, macs);
    EXPECT_EQ(cost.dramBytes.weights, weights);
    EXPECT_EQ(cost.dramBytes.input,
              double(wanted[Axis::H][0] * wanted[Axis::W][0] * first[Dim::N] *
                     first[Dim::G] * first[Dim::C]));
    const PerDim<int64_t> &last = stack.layers.back().dims;
    EXPECT_EQ(cost.dramBytes.outputWrites,
              double(last[Dim::N] * last[Dim::G] * last[Dim::K] * last[Dim::P] *
                     last[Dim::Q]));
  }
}

/// Three 3x3 layers of 64 channels, 56 x 56 at the end, on 32 x 32.
struct ThreeConvs {
  FusedStack stack =
      makeStack({{64, 3, 1}, {64, 3, 1}, {64, 3, 1}}, 64, {56, 56});
  Accelerator target = machine();
  StackChoice<double> choice;

  ThreeConvs() {
    target.side = 32;
    target.scratchpadBytes = 512 << 10;
    target.accumulatorBytes = 64 << 10;
    target.bandwidth[Level::Scratchpad] = 64;
    choice = StackChoice<double>::fused(stack, 32);
    choice.tile = {14.0, 14.0};
  }
  StackCost evaluate(Convention convention = Convention::Timeloop) {
    return evaluateStack(stack, choice, target, convention);
  }
};

// DeFiNES (HPCA 2023 artifact) reports these for the same stack and tile.
TEST(FusedStackTest, ThreeConvolutionsAsInDefines) {
  ThreeConvs s;
  StackCost cost = s.evaluate();
  EXPECT_EQ(cost.tiles, 16);
  EXPECT_EQ(cost.macs, 457703424);
  EXPECT_EQ(cost.dramBytes.total(), 720896);
  for (auto &keep : s.choice.keep)
    keep[Axis::W] = 1;
  EXPECT_EQ(s.evaluate().macs, 411697152);
  EXPECT_EQ(s.evaluate().dramBytes.total(), 628736);
  for (auto &keep : s.choice.keep)
    keep[Axis::H] = 1;
  EXPECT_EQ(s.evaluate().macs, 372326400);
  EXPECT_EQ(s.evaluate().dramBytes.total(), 557312);
}

TEST(FusedStackTest,
     WeightsResidentOrReadAgain) { // eqs. (chunks), (stack-traffic),
                                   // (stack-rows)
  ThreeConvs s;
  StackCost kept = s.evaluate();
  s.choice.resident = {1, 0, 1};
  StackCost again = s.evaluate();
  const double weights = 64 * 64 * 9;
  EXPECT_EQ(again.dramBytes.weights - kept.dramBytes.weights, 15 * weights);
  // Either way each tile reads all of them from the scratchpad: layer 2's 256
  // pixels are one chunk of the accumulator's 512 rows, layer 1's 324 too.
  EXPECT_EQ(again.members[1].access[Level::Scratchpad][Tensor::W].reads,
            16 * weights);
  EXPECT_EQ(kept.members[1].access[Level::Scratchpad][Tensor::W].reads,
            16 * weights);
  s.choice.tile = {28.0, 28.0}; // 784 pixels: two chunks
  EXPECT_EQ(s.evaluate().members[2].access[Level::Scratchpad][Tensor::W].reads,
            2 * 4 * weights);
  // All resident: 3 |W|, and the tiles of layer 1: 20 x 20 and 18 x 18.
  EXPECT_EQ(kept.scratchpadBytes, 3 * weights + 64 * (20 * 20 + 18 * 18));
  // One streamed: still needed while its layer runs, which is not the peak.
  EXPECT_EQ(again.scratchpadBytes, 3 * weights + 64 * (18 * 18 + 16 * 16));

  EXPECT_TRUE(
      chooseResidency(s.stack, s.choice, s.target, Convention::Timeloop));
  s.choice.tile = {14.0, 14.0};
  s.target.scratchpadBytes = int64_t(kept.scratchpadBytes);
  EXPECT_TRUE(
      chooseResidency(s.stack, s.choice, s.target, Convention::Timeloop));
  EXPECT_EQ(s.choice.resident[1], 1);
  --s.target.scratchpadBytes;
  EXPECT_TRUE(
      chooseResidency(s.stack, s.choice, s.target, Convention::Timeloop));
  EXPECT_EQ(s.choice.resident[1], 0);
  s.target.scratchpadBytes = int64_t(weights);
  EXPECT_FALSE(
      chooseResidency(s.stack, s.choice, s.target, Convention::Timeloop));
}

TEST(FusedStackTest,
     KeptRowsCostRoomAndACopy) { // eqs. (stack-traffic), (stack-rows)
  ThreeConvs s;
  s.choice.tile = {14.0, 56.0}; // seams between rows only
  StackCost recomputed = s.evaluate();
  s.choice.keep[1][Axis::H] = 1; // the first layer's output
  StackCost kept = s.evaluate();
  // Layers 1 and 2 recompute 2 rows per seam of their outputs' consumers:
  // tensor 1's overlap is 2 + 2 = 4 rows of 60 pixels, at 3 seams.
  EXPECT_EQ(recomputed.members[0].macs - kept.members[0].macs,
            3 * 4 * 60 * 64.0 * 64 * 9);
  EXPECT_EQ(kept.scratchpadBytes - recomputed.scratchpadBytes, 4 * 60 * 64);
  const auto &before = recomputed.members[1].access[Level::Scratchpad];
  const auto &after = kept.members[1].access[Level::Scratchpad];
  EXPECT_EQ(after[Tensor::I].reads - before[Tensor::I].reads, 3 * 4 * 60 * 64);
  EXPECT_EQ(after[Tensor::I].fills - before[Tensor::I].fills, 3 * 4 * 60 * 64);
  EXPECT_EQ(after[Tensor::I].fills, 3 * 4 * 60 * 64);
}

// Without fusion a chain costs what its layers cost one by one (eq. (seams)).
TEST(FusedStackTest, NothingFusedIsLayerByLayer) {
  FusedStack stack =
      makeStack({{16, 1, 1}, {24, 1, 1}, {8, 1, 1}}, 12, {12, 8});
  for (Convention convention : {Convention::Timeloop, Convention::Machine}) {
    auto choice = StackChoice<double>::fused(stack, 8);
    choice.tile = {4.0, 8.0};
    StackCost fused = evaluateStack(stack, choice, machine(), convention);
    choice.sigma.assign(3, 0.0);
    StackCost apart = evaluateStack(stack, choice, machine(), convention);
    double energy = 0, bytes = 0;
    for (const Layer &layer : stack.layers) {
      FusedStack single;
      single.layers = {layer};
      auto own = StackChoice<double>::fused(single, 8);
      own.tile = choice.tile;
      StackCost cost = evaluateStack(single, own, machine(), convention);
      energy += cost.energy;
      bytes += cost.dramBytes.total();
    }
    EXPECT_DOUBLE_EQ(apart.energy, energy);
    EXPECT_EQ(apart.dramBytes.total(), bytes);
    // Both intermediates, written and read.
    EXPECT_EQ(apart.dramBytes.total() - fused.dramBytes.total(),
              2 * 12 * 8 * (16 + 24));
  }
}

// One layer in one tile is what the layer's own model says of a nest that holds
// everything on chip: same formulas, same numbers.
TEST(FusedStackTest, OneTileIsTheLayersOwnCost) {
  for (int64_t k : {0, 16}) {
    FusedStack stack = makeStack({{k, 3, 1}}, 16, {4, 8});
    const Layer &layer = stack.layers.front();
    auto choice = StackChoice<double>::fused(stack, 8);
    choice.tile = {4.0, 8.0};
    StackCost found =
        evaluateStack(stack, choice, machine(), Convention::Machine);
    Mapping m;
    m.cols = 8;
    m.rows = k ? 8 : 1;
    m.temporal[Level::Registers][Dim::Q] = 8;
    m.temporal[Level::Accumulator][Dim::P] = 4;
    for (Dim dim : {Dim::R, Dim::S, Dim::C, Dim::K, Dim::G})
      m.temporal[Level::Scratchpad][dim] = layer.dims[dim];
    // Sums stay while reductions run: K and G outside.
    m.order[Level::Scratchpad] = {Dim::C, Dim::R, Dim::S, Dim::K,
                                  Dim::G, Dim::N, Dim::P, Dim::Q};
    LayerCost wanted = evaluateLayer(layer, m, machine());
    const LayerCost &member = found.members.front();
    EXPECT_EQ(member.arrayMacs, wanted.arrayMacs);
    EXPECT_EQ(member.computeCycles, wanted.computeCycles);
    EXPECT_EQ(found.dramBytes.total(), wanted.dramBytes.total());
    for (Level level : kAllLevels)
      EXPECT_EQ(member.accesses(level), wanted.accesses(level))
          << levelName(level);
    EXPECT_DOUBLE_EQ(found.energy, wanted.energy);
  }
}

TEST(FusedStackTest, SkipsLiveOrReread) {
  FusedStack stack =
      makeStack({{16, 1, 1}, {16, 1, 1}, {16, 1, 1}, {8, 1, 1}}, 16, {8, 8});
  auto choice = StackChoice<double>::fused(stack, 8);
  choice.tile = {4.0, 8.0};
  auto evaluate = [&] {
    return evaluateStack(stack, choice, machine(), Convention::Machine);
  };
  StackCost none = evaluate();
  stack.skips = {{1, 2}}; // the first layer's output, added two further on
  choice.live = {1.0};
  StackCost live = evaluate();
  choice.live = {0.0};
  StackCost reread = evaluate();
  const double words = 8 * 8 * 16;
  EXPECT_EQ(live.dramBytes.total(), none.dramBytes.total());
  // Layer 1 holds its two tiles anyway; so does layer 2, and the skip's beside.
  EXPECT_EQ(live.scratchpadBytes - none.scratchpadBytes, 4 * 8 * 16);
  EXPECT_EQ(live.energy - none.energy, words * (8 + 2));
  EXPECT_EQ(reread.scratchpadBytes, none.scratchpadBytes);
  EXPECT_EQ(reread.dramBytes.total() - none.dramBytes.total(), 2 * words);
  EXPECT_EQ(reread.energy - none.energy, words * (2 * 64 + 2));
}

/// A chain as networks have it: padding, odd sizes.
FusedStack paddedStack(std::mt19937_64 &rng) {
  FusedStack stack;
  int64_t channels = pick(rng, 2, 24);
  PerAxis<int64_t> extent{pick(rng, 5, 20), pick(rng, 5, 20)};
  const int64_t batch = pick(rng, 1, 2);
  for (int64_t n = pick(rng, 2, 4); n > 0; --n) {
    Layer layer;
    layer.name = "layer" + std::to_string(stack.layers.size());
    layer.dims[Dim::N] = batch;
    layer.hasBias = pick(rng, 0, 1);
    if (pick(rng, 0, 2)) {
      layer.dims[Dim::C] = channels;
      layer.dims[Dim::K] = channels = pick(rng, 2, 24);
    } else {
      layer.dims[Dim::G] = channels;
    }
    const int64_t taps = pick(rng, 1, 4);
    for (Axis axis : kAllAxes) {
      layer.dims[kernelDim(axis)] = taps;
      layer.stride[axis] = pick(rng, 1, 2);
      layer.padLow[axis] = pick(rng, 0, taps / 2);
      layer.inputExtent[axis] = extent[axis];
      const int64_t padHigh = pick(rng, 0, taps / 2);
      const int64_t padded =
          std::max(taps, extent[axis] + layer.padLow[axis] + padHigh);
      extent[axis] = (padded - taps) / layer.stride[axis] + 1;
      layer.dims[outputDim(axis)] = extent[axis];
    }
    stack.layers.push_back(layer);
  }
  return stack;
}

// At whole points the relaxed group is the scheduled one: same bytes, same
// accesses, same energy and cycles (eqs. (fused-ends), (group-cost), (halo) to
// (stack-traffic), (spans)).
TEST(FusedStackTest, WholePointsEqualTheScheduledGroup) {
  std::mt19937_64 rng(3);
  Accelerator target = machine();
  target.accumulatorBytes = 1 << 20; // a tile is one chunk
  for (unsigned trial = 0; trial < 1000 && !HasFailure(); ++trial) {
    target.handOver =
        trial % 2 ? HandOver::AccumulatorOperand : HandOver::MvoutSpad;
    FusedStack stack = paddedStack(rng);
    for (auto [i, layer] : llvm::enumerate(stack.layers))
      layer.padValue = (trial + i) % 3 == 0 ? 7 : 0;
    const size_t n = stack.layers.size();
    auto choice = StackChoice<double>::fused(stack, target.side);
    Network network;
    FusionGroup group;
    std::vector<const Layer *> chain;
    network.layers = stack.layers;
    for (const Layer &layer : network.layers)
      chain.push_back(&layer);
    PerDim<int64_t> tile{1};
    for (Axis axis : kAllAxes) {
      const Dim dim = outputDim(axis);
      tile[dim] = pick(rng, 1, stack.layers.back().dims[dim]);
      choice.tile[axis] = double(tile[dim]);
    }
    const GroupTiles tiles(chain, tile);
    Schedule schedule;
    bool empty = false;
    for (unsigned i = 0; i < n; ++i) {
      const Layer &layer = tiles.tileLayer(i);
      const Dim columns = layer.isDepthwise() ? Dim::G : Dim::K;
      Mapping m;
      m.cols = std::min(target.side, layer.dims[columns]);
      m.rows =
          layer.isDepthwise() ? 1 : std::min(target.side, layer.dims[Dim::C]);
      for (Dim dim : kAllDims)
        m.temporal[Level::Accumulator][dim] =
            (layer.dims[dim] + m.spatial(layer, dim) - 1) /
            m.spatial(layer, dim);
      for (Dim dim : {Dim::N, Dim::P, Dim::Q}) {
        m.temporal[Level::Registers][dim] = layer.dims[dim];
        m.temporal[Level::Accumulator][dim] = 1;
        m.temporal[Level::Dram][dim] = tiles.trips(dim);
        empty |= tiles.nominal(i, dim) == 0;
      }
      m.order[Level::Accumulator] = {Dim::S, Dim::R, Dim::C, Dim::K,
                                     Dim::G, Dim::Q, Dim::P, Dim::N};
      schedule.mappings.push_back(m);
      group.layers.push_back(i);
    }
    if (empty)
      continue;
    const GroupCost wanted = evaluateGroup(network, schedule, group, target);
    const StackCost found =
        evaluateStack(stack, choice, target, Convention::Machine);
    EXPECT_EQ(found.macs, wanted.macs);
    EXPECT_EQ(found.dramBytes.total(), wanted.dramBytes.total());
    EXPECT_EQ(found.dramBytes.bias, wanted.dramBytes.bias);
    for (size_t i = 0; i < n; ++i)
      for (Level level : kAllLevels)
        EXPECT_EQ(found.members[i].accesses(level),
                  wanted.members[i].accesses(level))
            << "trial " << trial << " layer " << i << ' ' << levelName(level);
    EXPECT_DOUBLE_EQ(found.energy, wanted.energy);
    EXPECT_DOUBLE_EQ(found.cycles, wanted.cycles);
  }
}

// Rows kept: the sums over all tiles are those of eqs. (made) and
// (stack-traffic) with `r = 1` along H, though the scheduled group has other
// tiles (eq. (kept-rows)).
TEST(FusedStackTest, KeptRowsEqualTheScheduledGroup) {
  std::mt19937_64 rng(8);
  const Accelerator target = machine();
  const auto cost = createCostFunction(Convention::Machine);
  unsigned compared = 0;
  for (unsigned trial = 0; trial < 2000 && !HasFailure(); ++trial) {
    const FusedStack stack = paddedStack(rng);
    const Layer &last = stack.layers.back();
    auto choice = StackChoice<double>::fused(stack, target.side);
    std::vector<const Layer *> chain;
    bool apart = last.dims[Dim::P] < 2; // or rows between windows
    for (const Layer &layer : stack.layers) {
      chain.push_back(&layer);
      apart |= layer.dims[Dim::R] < layer.stride[Axis::H];
    }
    if (apart)
      continue;
    PerDim<int64_t> tile{1};
    tile[Dim::P] = pick(rng, 1, last.dims[Dim::P] - 1);
    tile[Dim::Q] = pick(rng, 1, last.dims[Dim::Q]);
    for (Axis axis : kAllAxes)
      choice.tile[axis] = double(tile[outputDim(axis)]);
    for (PerAxis<double> &keep : choice.keep)
      keep[Axis::H] = 1;
    const GroupTiles tiles(chain, tile, /*keepRows=*/true);
    const StackCost found =
        evaluateStack(stack, choice, target, Convention::Machine);
    for (size_t i = 0; i < chain.size(); ++i) {
      const Layer &layer = tiles.tileLayer(i);
      Mapping m;
      m.cols = 1;
      m.rows = 1;
      for (Dim dim : kAllDims)
        m.temporal[Level::Accumulator][dim] = layer.dims[dim];
      const MemberCost wanted = cost->evaluateMember(tiles, i, m, target);
      EXPECT_EQ(found.members[i].macs, wanted.macs) << "layer " << i;
      EXPECT_EQ(found.members[i].dramBytes.input, wanted.dramBytes.input);
      EXPECT_EQ(found.members[i].dramBytes.outputWrites,
                wanted.dramBytes.outputWrites);
    }
    ++compared;
  }
  EXPECT_GT(compared, 500u);
}

// A member's own factors are free inside the group's tile.
TEST(FusedStackTest, MembersGradientsEqualCentralDifferences) {
  std::mt19937_64 rng(4);
  auto real = [&] { return double(rng() >> 11) * 0x1.0p-53; };
  GradientCheck check;
  for (unsigned point = 0; point < 1000 && !HasFailure(); ++point) {
    const FusedStack stack = paddedStack(rng);
    std::vector<const Layer *> chain;
    for (const Layer &layer : stack.layers)
      chain.push_back(&layer);
    PerDim<int64_t> tile{1};
    for (Axis axis : kAllAxes)
      tile[outputDim(axis)] =
          pick(rng, 1, stack.layers.back().dims[outputDim(axis)]);
    const GroupTiles tiles(chain, tile);
    const size_t member = rng() % chain.size();
    const Layer &layer = tiles.tileLayer(member);
    const Convention convention =
        point % 2 ? Convention::Machine : Convention::Timeloop;
    Accelerator target = machine();
    if (point % 4 == 1)
      target.handOver = HandOver::AccumulatorOperand;
    PerLevel<LoopOrder> order(kAllDims);
    for (Level level : kAllLevels)
      std::shuffle(order[level].begin(), order[level].end(), rng);
    struct Slot {
      Level level;
      Dim dim;
    };
    std::vector<double> x;
    std::vector<std::string> kinds;
    std::vector<Slot> slots;
    auto add = [&](Level level, Dim dim, double share) {
      if (layer.dims[dim] < 2)
        return;
      slots.push_back({level, dim});
      kinds.push_back(levelName(level));
      x.push_back(1 + real() * share * double(layer.dims[dim]));
    };
    for (Dim dim : {Dim::P, Dim::Q})
      for (Level level : {Level::Registers, Level::Accumulator})
        add(level, dim, 0.4);
    for (Dim dim : {Dim::G, Dim::K, Dim::C})
      for (Level level : {Level::Accumulator, Level::Scratchpad})
        add(level, dim, 0.4);
    x.push_back(1.1 + 3 * real());
    kinds.push_back("columns");
    x.push_back(layer.isDepthwise() ? 1.0 : 1.1 + 3 * real());
    kinds.push_back("rows");
    auto evaluate = [&](const auto &p) {
      using T = std::decay_t<decltype(p[0])>;
      RelaxedFactors<T> factors;
      for (size_t i = 0; i < slots.size(); ++i)
        factors.temporal[slots[i].level][slots[i].dim] = p[i];
      for (Dim dim : {Dim::R, Dim::S})
        factors.temporal[Level::Accumulator][dim] = T(double(layer.dims[dim]));
      factors.cols = p[slots.size()];
      factors.rows = p[slots.size() + 1];
      auto nest = memberNest</*Whole=*/false>(tiles, member, factors, order,
                                              target.side);
      auto cost = countMember(nest, memberMoves(tiles, member, nest), target,
                              convention);
      const auto latency =
          streamLatency(streamedMember(nest, tiles, member, target), target);
      return std::vector<T>{cost.energy, cost.cycles, latency.cycles};
    };
    check.run(evaluate, x, kinds);
  }
  for (const char *kind : {"registers", "accumulator", "columns", "rows"})
    EXPECT_GE(check.slopes(kind), 200u) << kind;
  // Only where weights are streamed does anything depend on these.
  EXPECT_GE(check.slopes("scratchpad"), 50u);
  EXPECT_LE(check.kinks(), check.compared() / 20);
}

TEST(FusedStackTest, GroupRoofline) { // eqs. (group-roofline), (exposed)
  ThreeConvs s;
  s.target.bandwidth[Level::Dram] = 0;
  s.target.bandwidth[Level::Scratchpad] = 0;
  s.target.bandwidth[Level::Accumulator] = 0;
  StackCost cost = s.evaluate();
  double array = 0;
  for (const LayerCost &member : cost.members)
    array += member.computeCycles;
  EXPECT_EQ(cost.cycles, array);
  EXPECT_EQ(cost.macs, array * 1024);
  // Only DRAM: the input and the first weights come before everything.
  s.target.bandwidth[Level::Dram] = 8;
  cost = s.evaluate();
  EXPECT_DOUBLE_EQ(cost.serialCycles,
                   (cost.dramBytes.input + cost.dramBytes.weights) / 8);
  EXPECT_DOUBLE_EQ(cost.cycles, array + cost.serialCycles);
  // Layer 2's 16 x 16 x 64 sums are the accumulator's 16384, so they leave it
  // when they are complete; layer 1's 18 x 18 leave chunk by chunk.
  s.target.bandwidth[Level::Scratchpad] = 64;
  StackCost ports = s.evaluate();
  EXPECT_DOUBLE_EQ(ports.serialCycles - cost.serialCycles,
                   16 * 16 * 16 * 64 / 32.0);
  double reads = 0;
  for (const LayerCost &member : ports.members)
    reads += member.access[Level::Scratchpad][Tensor::W].reads +
             member.access[Level::Scratchpad][Tensor::I].reads +
             member.access[Level::Scratchpad][Tensor::O].reads;
  EXPECT_DOUBLE_EQ(ports.cycles - ports.serialCycles, reads / 32);
}

TEST(FusedStackTest, GradientsEqualCentralDifferences) {
  std::mt19937_64 rng(2);
  auto real = [&] { return double(rng() >> 11) * 0x1.0p-53; };
  GradientCheck check;
  for (unsigned point = 0; point < 1000 && !HasFailure(); ++point) {
    FusedStack stack = randomStack(rng, 4);
    const size_t n = stack.layers.size();
    // Tensor 0 into the end, if the channels agree.
    auto channelsOf = [&](Dim dim, const Layer &layer) {
      return layer.dims[Dim::G] * layer.dims[dim];
    };
    if (channelsOf(Dim::C, stack.layers.front()) ==
        channelsOf(Dim::K, stack.layers.back()))
      stack.skips.push_back({0, unsigned(n - 1)});
    if (n > 2 && channelsOf(Dim::C, stack.layers[1]) ==
                     channelsOf(Dim::K, stack.layers.back()))
      stack.skips.push_back({1, unsigned(n - 1)});
    const Convention convention =
        point % 2 ? Convention::Machine : Convention::Timeloop;
    Accelerator target = machine();
    if (point % 4 == 1)
      target.handOver = HandOver::AccumulatorOperand;
    std::vector<double> x;
    std::vector<std::string> kinds;
    auto add = [&](const char *kind, double value) {
      x.push_back(value);
      kinds.push_back(kind);
    };
    auto base = StackChoice<double>::fused(stack, 8);
    for (Axis axis : kAllAxes)
      add("tile",
          1 + real() * double(stack.layers.back().dims[outputDim(axis)] - 1));
    for (size_t l = 0; l < n; ++l) {
      add("rows", 1 + real() * (base.rows[l] - 1));
      add("columns", 1 + real() * (base.cols[l] - 1));
      add("sigma", real());
      add("keep", real());
      add("keep", real());
      add("resident", real());
    }
    for (size_t i = 0; i < stack.skips.size(); ++i)
      add("live", real());
    ASSERT_LE(x.size(), size_t(GradientCheck::kWidth));
    auto evaluate = [&](const auto &p) {
      using T = std::decay_t<decltype(p[0])>;
      auto choice = StackChoice<T>::fused(stack, 8);
      size_t next = 0;
      choice.tile = {p[0], p[1]};
      next = 2;
      for (size_t l = 0; l < n; ++l) {
        choice.rows[l] = p[next++];
        choice.cols[l] = p[next++];
        choice.sigma[l] = p[next++];
        choice.keep[l][Axis::H] = p[next++];
        choice.keep[l][Axis::W] = p[next++];
        choice.resident[l] = p[next++];
      }
      for (T &live : choice.live)
        live = p[next++];
      BasicStackCost<T> cost = evaluateStack(stack, choice, target, convention);
      return std::vector<T>{cost.energy, cost.cycles, cost.scratchpadBytes,
                            cost.dramBytes.total()};
    };
    check.run(evaluate, x, kinds);
  }
  for (const char *kind :
       {"tile", "rows", "columns", "sigma", "keep", "resident"})
    EXPECT_GE(check.slopes(kind), 1000u) << kind;
  EXPECT_GE(check.slopes("live"), 100u);
  EXPECT_LE(check.kinks(), check.compared() / 20);
}

TEST(FusedStackTest, Errors) {
  ThreeConvs s;
  auto message = [&] {
    return llvm::toString(verify(s.stack, s.choice, s.target));
  };
  EXPECT_EQ(message(), "");
  auto good = s.choice;
  s.choice.tile[Axis::H] = 57;
  EXPECT_EQ(message(), "fused stack: tile rows: wanted 1 to 56, found 57.00");
  s.choice = good;
  s.choice.keep.pop_back();
  EXPECT_EQ(message(), "fused stack: keep: wanted 3 entries, found 2");
  s.choice = good;
  s.choice.sigma[1] = 1.5;
  EXPECT_EQ(message(), "fused stack: layer 'layer1': sigma: wanted a gate from "
                       "0 to 1, found 1.50");
  s.choice = good;
  s.choice.cols[2] = 33;
  EXPECT_EQ(message(), "fused stack: layer 'layer2': columns of the array: "
                       "wanted 1 to 32, found 33.00");
  s.choice = good;
  s.stack.layers[1].dims[Dim::C] = 32;
  EXPECT_EQ(message(), "fused stack: layer 'layer1': input channels: wanted "
                       "64, the output channels of 'layer0', found 32");
  s.stack.layers[1].dims[Dim::C] = 64;
  s.stack.layers[0].dims[Dim::P] = 61;
  EXPECT_EQ(message(), "fused stack: layer 'layer1': input rows: wanted at "
                       "most 60 to be used, found 61");
  s.stack.layers[0].dims[Dim::P] = 60;
  s.stack.skips = {{2, 1}};
  EXPECT_EQ(message(), "fused stack: skip: wanted a tensor before one of the "
                       "layers, found tensor 2 into layer 1");
  s.stack.layers.clear();
  EXPECT_EQ(message(), "fused stack: layers: wanted at least one, found none");
}

} // namespace
