//===- ExactFusionTest.cpp - Tests of the bound with fusion ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainBruteForce.h"

#include "fadiff/Schedule/Turn.h"
#include "fadiff/Search/Summary.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorHandling.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <limits>
#include <random>
#include <utility>

using namespace fadiff;
using namespace fadiff::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// So many times more random chains are drawn: those that are drawn without it
/// come first.
unsigned timesMore() {
  static const unsigned times = [] {
    unsigned times = 1;
    if (const char *text = std::getenv("FADIFF_RANDOM_TIMES"))
      if (llvm::StringRef(text).getAsInteger(10, times) || times == 0)
        llvm::report_fatal_error("FADIFF_RANDOM_TIMES: wanted a whole number");
    return times;
  }();
  return times;
}

/// `layer` reading what `before` makes.
Layer after(const Layer &before, Layer layer) {
  layer.dims[Dim::N] = before.dims[Dim::N];
  for (Axis axis : kAllAxes) {
    layer.inputExtent[axis] = before.readExtent(axis);
    const int64_t room =
        layer.inputExtent[axis] + 2 * layer.padLow[axis] -
        (layer.dims[kernelDim(axis)] - 1) * layer.dilation[axis] - 1;
    layer.dims[outputDim(axis)] = room / layer.stride[axis] + 1;
  }
  const int64_t channels = before.dims[before.isDepthwise() ? Dim::G : Dim::K];
  layer.dims[layer.isDepthwise() ? Dim::G : Dim::C] = channels;
  return layer;
}

Network chainOf(std::vector<Layer> layers) {
  Network network;
  for (size_t i = 0; i < layers.size(); ++i) {
    if (i > 0) {
      layers[i] = after(layers[i - 1], layers[i]);
      network.edges.push_back({unsigned(i - 1), unsigned(i), ""});
    }
    layers[i].name = "layer" + std::to_string(i);
    network.layers.push_back(layers[i]);
  }
  return network;
}

/// `layer` with the same channels and pixels out as `before` has, and a window
/// of `taps` rows that keeps them.
Layer keeping(const Layer &before, int64_t taps) {
  Layer layer =
      layerOf({before.dims[Dim::N], 1, before.dims[Dim::K], before.dims[Dim::K],
               before.dims[Dim::P], before.dims[Dim::Q], taps, 1});
  layer.padLow[Axis::H] = (taps - 1) / 2;
  for (Axis axis : kAllAxes)
    layer.inputExtent[axis] = before.dims[outputDim(axis)];
  return layer;
}

/// A residual addition to what `before` makes.
Layer addition(const Layer &before) {
  Layer layer = keeping(before, 1);
  layer.dims[Dim::G] = before.dims[Dim::K];
  layer.dims[Dim::K] = layer.dims[Dim::C] = 1;
  layer.hasBias = false;
  layer.hasResidual = true;
  return layer;
}

/// Edges are those of the inputs that layers make.
Network blockOf(std::vector<Layer> layers, std::vector<Operands> operands) {
  Network network;
  network.layers = std::move(layers);
  network.operands = std::move(operands);
  for (unsigned i = 0; i < network.layers.size(); ++i) {
    network.layers[i].name = "layer" + std::to_string(i);
    if (unsigned input = *network.operands[i].input;
        input < network.layers.size())
      network.edges.push_back({input, i, ""});
  }
  return network;
}

SearchResult exactly(const Network &network, const Accelerator &target,
                     Objective objective, const SearchSpace &space = {},
                     Latency latency = Latency::Roofline) {
  SearchOptions options;
  options.latency = latency;
  options.space = space;
  options.optimizer = Optimizer::Exact;
  options.objective = objective;
  options.countCore = target.corePoolCycles > 0;
  auto result = search(network, target, options);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  return std::move(*result);
}

struct Tried {
  Latency latency = Latency::Roofline; ///< how cycles are counted
  uint64_t mappings = 0, groups = 0;
  unsigned compared = 0;
  unsigned optimal = 0;  ///< of these
  double gap = 0;        ///< sum over these
  unsigned fused = 0;    ///< chains whose optimum has a group
  unsigned kept = 0;     ///< that keeps rows
  unsigned live = 0;     ///< whose optimum has a live skip
  unsigned keptLive = 0; ///< that keeps rows and has a live skip
  unsigned pools = 0;    ///< whose optimum pools on chip
  unsigned turns = 0;    ///< whose optimum hands over slices in turn
  unsigned ahead = 0;    ///< whose optimum brings in a group's next tile ahead
  /// Whose optimum stores pooled outputs: of a layer alone, of a group, and of
  /// one that keeps rows.
  unsigned storesAlone = 0, storesFused = 0, storesKept = 0;
};

/// The value is the least there is. The bound may be lower on machines that
/// hand over in place, where wide slices are not listed (G13 in
/// docs/ExactBound.md).
void expectClose(const Tried &tried, double gap = 1e-9) {
  ::testing::Test::RecordProperty("compared", int(tried.compared));
  ::testing::Test::RecordProperty("optimal", int(tried.optimal));
  EXPECT_EQ(tried.optimal, tried.compared);
  EXPECT_LE(tried.gap, gap * tried.compared);
}

/// Compares optimum and bound with those of an enumeration of everything.
void compare(const Network &network, const Accelerator &target, Tried &tried,
             const SearchSpace &space = {}) {
  ChainBruteForce everything(network, target, space, tried.latency);
  const std::vector<Point> points = everything.run();
  tried.mappings += everything.mappings;
  tried.groups += everything.groups;
  if (points.empty()) // some layer fits nowhere
    return;
  for (Objective objective :
       {Objective::Edp, Objective::Energy, Objective::Latency}) {
    SCOPED_TRACE(nameOf(objective).str());
    SearchResult result =
        exactly(network, target, objective, space, tried.latency);
    if (result.schedule.groups.empty())
      return;
    double least = kInfinity;
    std::string text;
    for (const Point &point : points)
      if (double value = result.value(point.energy, point.cycles);
          value < least) {
        least = value;
        text = point.text;
      }
    SCOPED_TRACE(text);
    ASSERT_TRUE(result.bound.has_value());
    EXPECT_LE(*result.bound, least * (1 + 1e-12));
    EXPECT_GE(result.value(), least * (1 - 1e-8));
    tried.optimal += result.value() <= least * (1 + 1e-8);
    tried.gap += result.value() / *result.bound - 1;
    ++tried.compared;
    tried.fused += result.schedule.groups.size() < network.layers.size();
    for (const FusionGroup &group : result.schedule.groups) {
      tried.kept += group.keeps.has_value();
      tried.live += !group.liveSkips.empty();
      tried.keptLive += group.keeps && !group.liveSkips.empty();
      tried.turns += !group.inputSlices.empty();
      tried.ahead += group.inputTurns;
      if (group.poolsOutput) {
        ++(group.layers.size() > 1 ? tried.storesFused : tried.storesAlone);
        tried.storesKept += group.keeps.has_value();
      }
      for (unsigned layer : llvm::drop_end(group.layers))
        tried.pools += network.layers[layer].pool.has_value();
    }
    llvm::Error error = verify(network, result.schedule, target);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  }
}

TEST(ExactFusionTest, NothingIsBelowTheBoundOfSmallChains) {
  Tried tried;
  // Windows that overlap, a depthwise layer in each place, strides, batches,
  // taps and channels that do not divide.
  compare(chainOf({layerOf({1, 1, 3, 2, 6, 1, 3, 1}, 1, 1),
                   layerOf({1, 1, 2, 3, 6, 1, 3, 1}, 1, 1)}),
          tiny(2, 48, 48), tried);
  compare(chainOf({layerOf({1, 5, 1, 1, 6, 1, 3, 1}, 1, 1),
                   layerOf({1, 1, 5, 5, 6, 1, 1, 1})}),
          tiny(2, 40, 32), tried);
  compare(chainOf({layerOf({1, 1, 4, 3, 5, 1, 1, 1}),
                   layerOf({1, 4, 1, 1, 5, 1, 3, 1}, 2, 1),
                   layerOf({1, 1, 3, 4, 3, 1, 1, 1})}),
          tiny(2, 40, 32), tried);
  compare(chainOf({layerOf({5, 1, 4, 3, 1, 1, 1, 1}),
                   layerOf({5, 1, 3, 4, 1, 1, 1, 1})}),
          tiny(2, 20, 24), tried);
  compare(chainOf({layerOf({1, 1, 2, 2, 3, 3, 2, 2}),
                   layerOf({1, 1, 2, 2, 2, 2, 2, 1})}),
          tiny(2, 40, 24), tried);
  // Weights stay in the array while the blocks of a tile pass.
  Accelerator registers = tiny(2, 200, 16);
  registers.energyPerAccess[Level::Registers] = 40;
  compare(chainOf({layerOf({1, 1, 4, 2, 6, 1, 1, 1}),
                   layerOf({1, 1, 2, 4, 6, 1, 3, 1}, 1, 1)}),
          registers, tried);
  // Many extents make as many tiles, and not all of them fit.
  for (int64_t scratchpad = 24; scratchpad <= 90; scratchpad += 2)
    compare(chainOf({layerOf({1, 1, 3, 2, 11, 1, 1, 1}),
                     layerOf({1, 1, 2, 3, 11, 1, 3, 1}, 1, 1)}),
            tiny(2, scratchpad, 32), tried);
  expectClose(tried);
  EXPECT_GT(tried.fused, 5u);
  EXPECT_GT(tried.groups, 100u);
  EXPECT_GT(tried.kept, 0u);
}

// A first layer of which one channel at a time fits beside what it hands over:
// before it is listed precisely, its whole tile counts, not a block of one that
// was looked at before.
TEST(ExactFusionTest, NothingIsBelowTheBoundOfFewChannelsAtATime) {
  Layer first = layerOf({1, 1, 2, 3, 4, 1, 1, 1}, 2);
  Layer second = layerOf({1, 1, 3, 2, 2, 1, 2, 1}, 2);
  for (Layer *layer : {&first, &second}) {
    layer->stride[Axis::W] = 1;
    layer->hasBias = false;
  }
  Accelerator target = tiny(3, 27, 180);
  const double energy[] = {29.96, 18.17, 0.074, 2.72};
  const double bandwidth[] = {1.82, 0.82, 36.6, 0.55};
  for (Level level : kAllLevels) {
    target.energyPerAccess[level] = energy[size_t(level)];
    target.bandwidth[level] = bandwidth[size_t(level)];
  }
  Tried tried;
  compare(chainOf({first, second}), target, tried);
  expectClose(tried);
  EXPECT_GT(tried.fused, 0u);
}

/// Random chains of two or three layers; with `pools`, max pooling behind all
/// but the last. With `poolsLast` behind that, too, and chains of one. With
/// `restricted` only tiles that divide, and in every other
/// round depthwise channels run one by one.
struct Drawn {
  unsigned seed, rounds;
  bool pools = false, restricted = false;
  HandOver handOver = HandOver::MvoutSpad;
  bool poolsLast = false;
  int64_t corePoolCycles = 0; ///< pooling on the core counts
  int64_t commandCycles = 0;  ///< so does issue, if above 0
  /// Of the DMA, if above 0.
  int64_t requestBytes = 0, latency = 0;
};
void compareRandomChains(const Drawn &drawn, Tried &tried) {
  const bool pools = drawn.pools, restricted = drawn.restricted;
  std::mt19937_64 rng(drawn.seed);
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(rng() % uint64_t(high - low + 1));
  };
  for (unsigned round = 0; round < drawn.rounds * timesMore(); ++round) {
    std::vector<Layer> layers;
    const int64_t length = pick(drawn.poolsLast ? 1 : 2, 3);
    std::string text;
    for (int64_t i = 0; i < length; ++i) {
      const bool depthwise = pick(0, 2) == 0;
      const int64_t channels = pick(2, 4);
      std::array<int64_t, kNumDims> dims;
      dims.fill(1);
      dims[1] = depthwise ? channels : 1;
      dims[2] = depthwise ? 1 : pick(1, length > 2 ? 3 : 5);
      dims[3] = depthwise ? 1 : channels;
      dims[0] = i == 0 && pick(0, 3) == 0 ? 2 : 1;
      dims[4] = pick(2, length > 2 || dims[0] > 1 ? 5 : 7);
      dims[5] = i == 0 && dims[4] < 4 ? 2 : 1;
      dims[6] = pick(1, 3);
      Layer layer =
          layerOf(dims, pick(1, 2), pick(0, 1), pick(0, 3) == 0 ? 2 : 1);
      layer.hasBias = pick(0, 1);
      // The axis that hardly moves has no kernel to pad for.
      layer.stride[Axis::W] = layer.dilation[Axis::W] = 1;
      if (i == 0)
        layer.inputExtent[Axis::W] = layer.dims[Dim::Q];
      layer.padValue = (int64_t(round) + i) % 2 ? -128 : 0;
      layers.push_back(layer);
      for (int64_t dim : dims)
        text += std::to_string(dim) + " ";
      text += "; ";
    }
    // A depthwise layer has as many channels as it is given.
    for (int64_t i = 1; i < length; ++i)
      if (layers[i].isDepthwise()) {
        const Layer &before = layers[i - 1];
        layers[i].dims[Dim::G] =
            before.dims[before.isDepthwise() ? Dim::G : Dim::K];
      }
    for (int64_t i = 0; i < length; ++i)
      if (i + 1 < length ? pools : drawn.poolsLast) {
        if (i > 0)
          layers[i] = after(layers[i - 1], layers[i]);
        MaxPool &pool = layers[i].pool.emplace();
        pool.size = pick(1, 3);
        pool.stride = pick(1, 2);
        pool.padLow = {pick(0, pool.size - 1), 0};
        for (Axis axis : kAllAxes) {
          // The last window starts in the image.
          const int64_t most =
              layers[i].dims[outputDim(axis)] - 1 + pool.padLow[axis];
          pool.outputs[axis] = most / pool.stride + 1;
          if (pool.outputs[axis] > 1)
            pool.outputs[axis] -= pick(0, 1);
        }
      }
    Network network = chainOf(layers);
    bool valid = true;
    for (const Layer &layer : network.layers) {
      valid &= layer.dims[Dim::P] > 0 && layer.inputExtent[Axis::H] > 0 &&
               layer.dims[Dim::G] * layer.dims[Dim::K] > 0;
      // One channel is no depthwise layer.
      valid &= layer.dims[Dim::G] == 1 || layer.isDepthwise();
    }
    for (const Edge &edge : network.edges)
      if (llvm::Error error =
              verifyHandOver(network.layers[edge.producer],
                             network.layers[edge.consumer], Accelerator())) {
        valid = false;
        llvm::consumeError(std::move(error));
      }
    if (!valid)
      continue;
    const int64_t side = pick(2, 3);
    Accelerator target = tiny(side, side * pick(8, 60), 4 * side * pick(1, 16));
    target.handOver = drawn.handOver;
    target.corePoolCycles = target.coreCopyCycles = drawn.corePoolCycles;
    target.commandCycles = drawn.commandCycles;
    if (drawn.requestBytes > 0) {
      target.dmaMaxRequestBytes = drawn.requestBytes;
      target.dmaLatency = drawn.latency;
    }
    auto anything = [&] { return std::exp(double(pick(-30, 46)) / 10); };
    for (Level level : kAllLevels) {
      if (round % 3 == 0)
        break;
      target.energyPerAccess[level] = anything();
      target.bandwidth[level] = anything();
    }
    SCOPED_TRACE("round " + std::to_string(round) + ": " + text + "side " +
                 std::to_string(side) + " scratchpad " +
                 std::to_string(target.scratchpadBytes) + " accumulator " +
                 std::to_string(target.accumulatorBytes));
    SearchSpace space;
    space.unevenTiles = !restricted;
    space.blockDiagonal = !restricted || round % 2;
    compare(network, target, tried, space);
    if (::testing::Test::HasFailure())
      return;
  }
}

TEST(ExactFusionTest, NothingIsBelowTheBoundOfRandomChains) {
  Tried tried;
  compareRandomChains({/*seed=*/11, /*rounds=*/60}, tried);
  expectClose(tried);
  EXPECT_GT(tried.fused, 10u);
  EXPECT_GT(tried.kept, 2u);
  EXPECT_GT(tried.mappings, 60000u);
}

TEST(ExactFusionTest, NothingIsBelowTheBoundInRestrictedSpaces) {
  Tried tried;
  compareRandomChains({/*seed=*/12, /*rounds=*/120, /*pools=*/false,
                       /*restricted=*/true},
                      tried);
  expectClose(tried);
  EXPECT_GT(tried.fused, 10u);
  EXPECT_GT(tried.kept, 2u);
}

TEST(ExactFusionTest, NothingIsBelowTheBoundOfPools) {
  Tried tried;
  compareRandomChains({/*seed=*/17, /*rounds=*/60, /*pools=*/true}, tried);
  expectClose(tried);
  EXPECT_GT(tried.pools, 5u);
  compareRandomChains(
      {/*seed=*/18, /*rounds=*/60, /*pools=*/true, /*restricted=*/true}, tried);
}

TEST(ExactFusionTest, NothingIsBelowTheBoundOfPooledOutputs) {
  Tried tried;
  Drawn drawn{/*seed=*/21, /*rounds=*/60, /*pools=*/true};
  drawn.poolsLast = true;
  compareRandomChains(drawn, tried);
  expectClose(tried);
  EXPECT_GT(tried.storesAlone, 10u);
  drawn.seed = 22;
  drawn.restricted = true;
  compareRandomChains(drawn, tried);
  // Rows are kept in front of the pooling.
  Layer pooled = layerOf({1, 1, 2, 3, 11, 1, 3, 1}, 1, 1);
  MaxPool &pool = pooled.pool.emplace();
  pool.size = 3;
  pool.stride = 2;
  pool.padLow = {1, 0};
  pool.outputs = {6, 1};
  for (int64_t scratchpad = 24; scratchpad <= 90; scratchpad += 11)
    compare(chainOf({layerOf({1, 1, 3, 2, 11, 1, 1, 1}), pooled}),
            tiny(2, scratchpad, 32), tried);
  EXPECT_GT(tried.storesFused, 5u);
  EXPECT_GT(tried.storesKept, 0u);
  // A machine that pools on the way to DRAM only.
  const unsigned before = tried.storesFused;
  drawn.seed = 23;
  drawn.rounds = 20;
  drawn.handOver = HandOver::None;
  compareRandomChains(drawn, tried);
  EXPECT_EQ(tried.storesFused, before);
  drawn.seed = 24;
  drawn.pools = false;
  drawn.restricted = false;
  drawn.handOver = HandOver::AccumulatorOperand;
  compareRandomChains(drawn, tried);
}

TEST(ExactFusionTest, NothingIsBelowTheBoundWherePoolingOnTheCoreCounts) {
  // Of the same chains more pool on chip, the more time the core takes.
  unsigned before = 0;
  for (int64_t cycles : {0, 1, 40}) {
    Tried tried;
    Drawn drawn{/*seed=*/25, /*rounds=*/20, /*pools=*/true};
    drawn.poolsLast = true;
    drawn.corePoolCycles = cycles;
    compareRandomChains(drawn, tried);
    expectClose(tried);
    const unsigned onChip = tried.pools + tried.storesAlone + tried.storesFused;
    EXPECT_GT(onChip, before + 5);
    before = onChip;
  }
}

// What the core issues is the third roof: chains of all kinds, where it counts
// for next to nothing and where it is all that counts.
TEST(ExactFusionTest, NothingIsBelowTheBoundWhereIssueCounts) {
  unsigned fused = 0;
  for (HandOver handOver :
       {HandOver::MvoutSpad, HandOver::AccumulatorOperand}) {
    for (int64_t cycles : {1, 4, 60}) {
      SCOPED_TRACE("a command takes " + std::to_string(cycles));
      Tried tried;
      tried.latency = Latency::Issue;
      Drawn drawn{/*seed=*/unsigned(26 + cycles), /*rounds=*/16};
      drawn.handOver = handOver;
      drawn.poolsLast = cycles == 4;
      drawn.pools = drawn.poolsLast && handOver == HandOver::MvoutSpad;
      drawn.commandCycles = cycles;
      compareRandomChains(drawn, tried);
      // Windows along both axes, whose lines are no sequence; in place, where
      // no columns are kept, which the enumeration of everything has not.
      if (handOver == HandOver::AccumulatorOperand)
        for (int64_t scratchpad : {24, 40, 64}) {
          Accelerator target = tiny(2, scratchpad, 24);
          target.handOver = handOver;
          target.commandCycles = cycles;
          compare(chainOf({layerOf({1, 1, 2, 2, 3, 3, 2, 2}),
                           layerOf({1, 1, 2, 2, 2, 2, 2, 1})}),
                  target, tried);
          compare(chainOf({layerOf({1, 1, 3, 2, 3, 3, 1, 1}),
                           layerOf({1, 1, 2, 3, 3, 3, 2, 2})}),
                  target, tried);
        }
      expectClose(tried,
                  handOver == HandOver::AccumulatorOperand ? 0.005 : 1e-9);
      fused += tried.fused;
    }
  }
  EXPECT_GT(fused, 60u);
}

// Requests of the DMA are two more roofs. Rows of several blocks of columns are
// one request, or several.
TEST(ExactFusionTest, NothingIsBelowTheBoundWhereRequestsCount) {
  unsigned fused = 0, ahead = 0;
  for (HandOver handOver : {HandOver::MvoutSpad, HandOver::AccumulatorOperand})
    for (int64_t bytes : {2, 4, 8})
      for (int64_t latency : {40, 1500}) {
        SCOPED_TRACE("requests of " + std::to_string(bytes) + " bytes take " +
                     std::to_string(latency) + " / 16 cycles");
        Tried tried;
        tried.latency = Latency::Busy;
        Drawn drawn{/*seed=*/unsigned(70 + bytes + latency), /*rounds=*/6};
        drawn.handOver = handOver;
        drawn.poolsLast = bytes == 4;
        drawn.pools = drawn.poolsLast && handOver == HandOver::MvoutSpad;
        drawn.commandCycles = 1;
        drawn.requestBytes = bytes;
        drawn.latency = latency;
        compareRandomChains(drawn, tried);
        // Weights that come in steps of several blocks of columns; slices.
        for (int64_t scratchpad : {24, 40, 72}) {
          Accelerator target = tiny(2, scratchpad, 48);
          target.handOver = handOver;
          target.commandCycles = 1;
          target.dmaMaxRequestBytes = bytes;
          target.dmaLatency = latency;
          compare(chainOf({layerOf({1, 1, 8, 2, 4, 1, 1, 1}),
                           layerOf({1, 1, 6, 8, 4, 1, 1, 1})}),
                  target, tried);
          compare(chainOf({layerOf({1, 1, 6, 3, 6, 1, 3, 1}, 1, 1),
                           layerOf({1, 6, 1, 1, 6, 1, 3, 1}, 1, 1)}),
                  target, tried);
        }
        // What is bounded only (G13) leaves a gap.
        EXPECT_GE(tried.optimal + timesMore(), tried.compared);
        EXPECT_LE(tried.gap, 0.05 * tried.compared);
        fused += tried.fused;
        ahead += tried.ahead;
      }
  EXPECT_GT(fused, 80u);
  EXPECT_GT(ahead, 10u);
}

TEST(ExactFusionTest, NothingIsBelowTheBoundOfRandomChainsInPlace) {
  const unsigned rounds = 60;
  Tried tried;
  compareRandomChains({/*seed=*/12, rounds, /*pools=*/false,
                       /*restricted=*/false, HandOver::AccumulatorOperand},
                      tried);
  expectClose(tried, /*gap=*/0.005);
  EXPECT_GT(tried.fused, 10u);
  EXPECT_GT(tried.mappings, 10000u * rounds / 10);
}

Accelerator inPlace(Accelerator target) {
  target.handOver = HandOver::AccumulatorOperand;
  return target;
}

TEST(ExactFusionTest, NothingIsBelowTheBoundOfChainsInPlace) {
  Tried tried;
  for (int64_t accumulator : {16, 24, 32, 48, 64, 96, 128, 160, 256}) {
    SCOPED_TRACE("accumulator " + std::to_string(accumulator));
    for (int64_t scratchpad : {24, 36, 60}) {
      SCOPED_TRACE("scratchpad " + std::to_string(scratchpad));
      const Accelerator target = inPlace(tiny(2, scratchpad, accumulator));
      compare(chainOf({layerOf({1, 1, 3, 2, 6, 1, 3, 1}, 1, 1),
                       layerOf({1, 1, 2, 3, 6, 1, 3, 1}, 1, 1)}),
              target, tried);
      compare(chainOf({layerOf({1, 5, 1, 1, 6, 1, 3, 1}, 1, 1),
                       layerOf({1, 1, 5, 5, 6, 1, 1, 1})}),
              target, tried);
      compare(chainOf({layerOf({1, 1, 4, 3, 5, 1, 1, 1}),
                       layerOf({1, 4, 1, 1, 5, 1, 3, 1}, 2, 1),
                       layerOf({1, 1, 3, 4, 3, 1, 1, 1})}),
              target, tried);
      compare(chainOf({layerOf({5, 1, 4, 3, 1, 1, 1, 1}),
                       layerOf({5, 1, 3, 4, 1, 1, 1, 1})}),
              target, tried);
      if (::testing::Test::HasFailure())
        return;
    }
  }
  expectClose(tried, /*gap=*/0.005);
  EXPECT_GT(tried.fused, 20u);
  EXPECT_GT(tried.groups, 1000u);
  EXPECT_EQ(tried.kept, 0u);
}

TEST(ExactFusionTest, NothingIsBelowTheBoundOfSlices) {
  constexpr std::nullopt_t none = std::nullopt;
  for (HandOver handOver :
       {HandOver::MvoutSpad, HandOver::AccumulatorOperand}) {
    SCOPED_TRACE(handOver == HandOver::MvoutSpad ? "mvout_spad" : "in place");
    Tried tried;
    for (int64_t accumulator : {24, 40, 64})
      for (int64_t scratchpad : {20, 28, 36, 52}) {
        SCOPED_TRACE("scratchpad " + std::to_string(scratchpad) +
                     " accumulator " + std::to_string(accumulator));
        Accelerator target = tiny(2, scratchpad, accumulator);
        target.handOver = handOver;
        const Layer expand = layerOf({1, 1, 6, 2, 5, 1, 1, 1});
        const Layer each = layerOf({1, 6, 1, 1, 5, 1, 3, 1}, 1, 1);
        const Layer reduce = layerOf({1, 1, 2, 6, 5, 1, 1, 1});
        compare(chainOf({expand, each}), target, tried);
        compare(chainOf({each, reduce}), target, tried);
        compare(chainOf({expand, reduce}), target, tried);
        compare(chainOf({expand, each, reduce}), target, tried);
        // What the first one reads is added in the end.
        Layer adds = reduce;
        adds.hasBias = false;
        adds.hasResidual = true;
        compare(blockOf({expand, adds}, {{2, none}, {0, 2}}), target, tried);
        if (::testing::Test::HasFailure())
          return;
      }
    expectClose(tried);
    EXPECT_GT(tried.turns, 20u);
    EXPECT_LT(tried.turns, tried.fused);
  }
}

TEST(ExactFusionTest, NothingIsBelowTheBoundOfResidualBlocks) {
  constexpr std::nullopt_t none = std::nullopt;
  Tried tried;
  unsigned apart = 0; // how often the residual came from DRAM
  for (int64_t scratchpad : {30, 36, 42, 50, 60, 80, 120}) {
    SCOPED_TRACE("scratchpad " + std::to_string(scratchpad));
    const Accelerator target = tiny(2, scratchpad, 32);
    const unsigned before = tried.live;
    const Layer image = layerOf({1, 1, 3, 3, 5, 1, 1, 1});
    const Layer window = keeping(image, 3);
    // The input of the first layer is added to what it makes.
    compare(blockOf({window, addition(window)}, {{2, none}, {0, 2}}), target,
            tried);
    // So is what another layer makes.
    compare(blockOf({image, window, addition(window)},
                    {{3, none}, {0, none}, {1, 0}}),
            target, tried);
    // Two additions of the same.
    compare(blockOf({window, addition(window), addition(window)},
                    {{3, none}, {0, 3}, {1, 3}}),
            target, tried);
    // Two branches that read the same, of which one has a smaller window.
    compare(blockOf({image, window, addition(window)},
                    {{3, none}, {3, none}, {1, 0}}),
            target, tried);
    apart += 12 - (tried.live - before);
    if (::testing::Test::HasFailure())
      return;
  }
  expectClose(tried);
  EXPECT_GT(tried.live, 20u);
  EXPECT_GT(tried.keptLive, 5u);
  EXPECT_GT(apart, 5u);
}

// Side branches whose main path is one layer.
TEST(ExactFusionTest, NothingIsBelowTheBoundOfShortBranches) {
  constexpr std::nullopt_t none = std::nullopt;
  Tried tried;
  const Layer image = layerOf({1, 1, 3, 3, 5, 1, 1, 1});
  Layer adds = keeping(image, 3);
  adds.hasBias = false;
  adds.hasResidual = true;
  for (int64_t scratchpad : {30, 42, 60, 120}) {
    SCOPED_TRACE("scratchpad " + std::to_string(scratchpad));
    const Accelerator target = tiny(2, scratchpad, 32);
    compare(blockOf({image, adds}, {{2, none}, {2, 0}}), target, tried);
    compare(blockOf({image, image, adds}, {{3, none}, {0, none}, {0, 1}}),
            target, tried);
    if (::testing::Test::HasFailure())
      return;
  }
  expectClose(tried);
  EXPECT_GT(tried.live, 10u);
}

// A branch in the path of another one is in one chain with it, and with what
// makes the input of each.
TEST(ExactFusionTest, BranchesInBranchesAreOneGroup) {
  constexpr std::nullopt_t none = std::nullopt;
  const Layer image = layerOf({1, 1, 3, 3, 5, 1, 1, 1});
  Layer adds = keeping(image, 3);
  adds.hasBias = false;
  adds.hasResidual = true;
  const Network network =
      blockOf({image, image, image, image, adds, adds},
              {{6, none}, {0, none}, {0, none}, {2, none}, {2, 3}, {4, 1}});
  for (Objective objective : {Objective::Edp, Objective::Energy}) {
    const SearchResult result =
        exactly(network, tiny(2, 400, 64), objective, {});
    EXPECT_EQ(result.schedule.groups.size(), 1u);
    ASSERT_TRUE(result.bound.has_value());
    EXPECT_LE(result.value(), *result.bound * (1 + 1e-9));
  }
}

// Of two side branches that read the same, the chain has one in front of the
// other, and the other's group without it is no stretch of the chain.
TEST(ExactFusionTest, NoBoundWhereBranchesStandInEachOthersWay) {
  constexpr std::nullopt_t none = std::nullopt;
  const Layer image = layerOf({1, 1, 3, 3, 5, 1, 1, 1});
  Layer adds = keeping(image, 3);
  adds.hasBias = false;
  adds.hasResidual = true;
  const Network network = blockOf({image, image, adds, addition(image)},
                                  {{4, none}, {4, none}, {4, 0}, {2, 1}});
  for (int64_t scratchpad : {42, 120}) {
    const SearchResult result =
        exactly(network, tiny(2, scratchpad, 32), Objective::Edp, {});
    EXPECT_FALSE(result.bound.has_value());
    // All four fit at once into the larger one.
    EXPECT_EQ(result.schedule.groups.size() == 1, scratchpad == 120);
  }
}

TEST(ExactFusionTest, NothingIsBelowTheBoundOfResidualBlocksInPlace) {
  constexpr std::nullopt_t none = std::nullopt;
  Tried tried;
  for (int64_t accumulator : {32, 96, 160, 400})
    for (int64_t scratchpad : {36, 60, 120}) {
      SCOPED_TRACE("scratchpad " + std::to_string(scratchpad) +
                   " accumulator " + std::to_string(accumulator));
      const Accelerator target = inPlace(tiny(2, scratchpad, accumulator));
      const Layer image = layerOf({1, 1, 3, 3, 5, 1, 1, 1});
      const Layer window = keeping(image, 3);
      // The group's input is in the scratchpad.
      compare(blockOf({window, addition(window)}, {{2, none}, {0, 2}}), target,
              tried);
      // What a layer before makes is not, nor is that of a branch.
      compare(blockOf({image, window, addition(window)},
                      {{3, none}, {0, none}, {1, 0}}),
              target, tried);
      compare(blockOf({image, window, addition(window)},
                      {{3, none}, {3, none}, {1, 0}}),
              target, tried);
      if (::testing::Test::HasFailure())
        return;
    }
  expectClose(tried, /*gap=*/0.01);
  EXPECT_GT(tried.live, 5u);
  EXPECT_GT(tried.fused, tried.live);
}

TEST(ExactFusionTest, BranchesCanBeLeftOut) {
  constexpr std::nullopt_t none = std::nullopt;
  const Layer image = layerOf({1, 1, 3, 3, 5, 1, 1, 1});
  const Layer window = keeping(image, 3);
  const Network network = blockOf({image, window, addition(window)},
                                  {{3, none}, {3, none}, {1, 0}});
  SearchOptions options;
  auto with = search(network, tiny(2, 120, 32), options);
  ASSERT_TRUE(bool(with)) << llvm::toString(with.takeError());
  ASSERT_EQ(with->schedule.groups.size(), 1u);
  EXPECT_EQ(with->schedule.groups[0].layers, (std::vector<unsigned>{0, 1, 2}));
  EXPECT_EQ(with->schedule.groups[0].liveSkips, std::vector<unsigned>{2});
  options.fuse = Fuse::Chains;
  auto without = search(network, tiny(2, 120, 32), options);
  ASSERT_TRUE(bool(without)) << llvm::toString(without.takeError());
  ASSERT_EQ(without->schedule.groups.size(), 2u);
  EXPECT_EQ(without->schedule.groups[0].layers, std::vector<unsigned>{0});
  EXPECT_LT(with->value(), without->value());
}

TEST(ExactFusionTest, TheDefaultEndsAtTheBound) {
  Network network = readNetwork("mobilenetv1");
  auto result = search(network, largeMachine());
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  ASSERT_TRUE(result->bound.has_value());
  EXPECT_LT(*result->bound, 0.7 * *result->unfusedBound);
  EXPECT_GE(result->value(), *result->bound);
  EXPECT_LE(result->value(), 1.002 * *result->bound);
  EXPECT_LT(result->schedule.groups.size(), 10u);
}

/// Every image turned by a quarter.
Network turnedNetwork(Network network) {
  for (Layer &layer : network.layers)
    layer = turned(layer);
  return network;
}

// Which way round images lie changes nothing, as far as padding is zero: rows
// are kept of the ones, columns of the others.
TEST(ExactFusionTest, ColumnsAreKeptAsRowsAre) {
  unsigned keptRows = 0, keptColumns = 0;
  for (int64_t rows : {57, 40, 23}) {
    const Network tall =
        chainOf({layerOf({1, 16, 1, 1, rows, 12, 3, 3}, 1, 1),
                 layerOf({1, 1, 16, 16, rows, 12, 1, 1}),
                 layerOf({1, 16, 1, 1, rows, 12, 3, 3}, 1, 1)});
    const Network wide = turnedNetwork(tall);
    auto ofTall = search(tall, smallMachine());
    auto ofWide = search(wide, smallMachine());
    ASSERT_TRUE(bool(ofTall)) << llvm::toString(ofTall.takeError());
    ASSERT_TRUE(bool(ofWide)) << llvm::toString(ofWide.takeError());
    ASSERT_TRUE(ofTall->bound && ofWide->bound);
    EXPECT_NEAR(*ofTall->bound, *ofWide->bound, 1e-9 * *ofTall->bound);
    EXPECT_NEAR(ofTall->value(), ofWide->value(), 1e-9 * ofTall->value());
    for (const FusionGroup &group : ofTall->schedule.groups)
      keptRows += group.keeps == Axis::H;
    for (const FusionGroup &group : ofWide->schedule.groups)
      keptColumns += group.keeps == Axis::W;
    llvm::Error error = verify(wide, ofWide->schedule, smallMachine());
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  }
  EXPECT_GT(keptRows, 0u);
  EXPECT_EQ(keptRows, keptColumns);
}

// With another cost groups are searched, and keep rows, or columns, where that
// pays.
TEST(ExactFusionTest, GroupsThatAreSearchedKeepRows) {
  Network network = chainOf({layerOf({1, 16, 1, 1, 57, 12, 3, 3}, 1, 1),
                             layerOf({1, 1, 16, 16, 57, 12, 1, 1}),
                             layerOf({1, 16, 1, 1, 57, 12, 3, 3}, 1, 1)});
  const auto cost = createCostFunction(Convention::Machine);
  SearchOptions options;
  options.cost = cost.get();
  for (Axis axis : {Axis::H, Axis::W}) {
    auto result = search(network, smallMachine(), options);
    ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
    EXPECT_FALSE(result->bound.has_value());
    ASSERT_EQ(result->schedule.groups.size(), 1u);
    EXPECT_EQ(result->schedule.groups[0].keeps, axis);
    llvm::Error error = verify(network, result->schedule, smallMachine());
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    network = turnedNetwork(network);
  }
}

TEST(ExactFusionTest, GroupsThatAreSearchedPool) {
  Layer first = layerOf({1, 1, 8, 8, 12, 12, 3, 3}, 1, 1);
  MaxPool &pool = first.pool.emplace();
  pool.size = pool.stride = 2;
  pool.outputs = {6, 6};
  Network network = chainOf({first, layerOf({1, 1, 8, 8, 6, 6, 1, 1})});
  auto cost =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Streams);
  SearchOptions options;
  options.cost = cost.get();
  auto result = search(network, largeMachine(), options);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_FALSE(result->bound.has_value());
  EXPECT_EQ(result->schedule.groups.size(), 1u);
  llvm::Error error = verify(network, result->schedule, largeMachine());
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
}

TEST(ExactFusionTest, NoBoundWhereGroupsAreNotEnumerated) {
  Network network = chainOf(
      {layerOf({8, 1, 4, 3, 1, 1, 1, 1}), layerOf({8, 1, 3, 4, 1, 1, 1, 1})});
  SearchOptions options;
  options.optimizer = Optimizer::Exact;
  options.convention = Convention::Timeloop;
  auto result = search(network, largeMachine(), options);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_TRUE(result->unfusedBound.has_value());
  EXPECT_FALSE(result->bound.has_value());
  EXPECT_FALSE(result->edges[0].fused);
  EXPECT_NE(result->edges[0].reason.find("machine's counts only"),
            std::string::npos)
      << result->edges[0].reason;
  options.fuse = Fuse::Off;
  result = search(network, largeMachine(), options);
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  EXPECT_EQ(result->bound, result->unfusedBound);
}

} // namespace
