//===- ExactTest.cpp - Tests of the exact bound ---------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Exact.h"

#include "../../lib/Search/Layer/Enumerator.h"
#include "BruteForce.h"
#include "Networks.h"

#include "fadiff/Search/Baselines.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <limits>
#include <random>

using namespace fadiff;
using namespace fadiff::test;

namespace {

LayerHull hullOf(const Layer &layer, const Accelerator &target,
                 const ExactOptions &options) {
  auto hull = exactHull(layer, target, options);
  if (!hull) {
    ADD_FAILURE() << llvm::toString(hull.takeError());
    return {};
  }
  return std::move(*hull);
}

ExactResult scheduleOf(const Network &network, const Accelerator &target,
                       const ExactOptions &options) {
  auto result = exactSchedule(network, target, options);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  return std::move(*result);
}

Network only(const Layer &layer) {
  Network network;
  network.layers = {layer};
  return network;
}

bool fitsWords(const Layer &layer, const Mapping &m,
               const Accelerator &target) {
  auto tile = [&](Level level, Dim dim) { return m.tile(layer, level, dim); };
  const Level spad = Level::Scratchpad, acc = Level::Accumulator;
  int64_t input = tile(spad, Dim::N) * tile(spad, Dim::G) * tile(spad, Dim::C);
  for (Axis axis : kAllAxes)
    input *= layer.window(axis, tile(spad, outputDim(axis)),
                          tile(spad, kernelDim(axis)));
  int64_t weights = 1, outputs = 4;
  for (Dim dim : kAllDims) {
    if (isRelevant(Tensor::W, dim))
      weights *= tile(spad, dim);
    if (isRelevant(Tensor::O, dim))
      outputs *= tile(acc, dim);
  }
  return input + weights <= target.scratchpadBytes &&
         outputs <= target.accumulatorBytes;
}

bool fitsRows(const Layer &layer, const Mapping &m, const Accelerator &target) {
  Footprint rows = footprint(layer, m);
  return rows.inputRows + rows.weightRows <= target.scratchpadRows() &&
         rows.outputRows <= target.accumulatorRows();
}

/// For many lambda the least of energy + lambda * cycles, by enumeration of
/// everything and by the hull. Returns how many mappings there were.
uint64_t compareWithBruteForce(const Layer &layer, const Accelerator &target,
                               Convention convention, Capacity capacity,
                               const SearchSpace &space = {},
                               Latency latency = Latency::Roofline) {
  ExactOptions options;
  options.latency = latency;
  options.space = space;
  options.convention = convention;
  options.capacity = capacity;
  std::vector<double> lambdas = {0};
  for (double lambda = 1e-3; lambda < 1e6; lambda *= 1.5)
    lambdas.push_back(lambda);
  std::vector<double> least(lambdas.size(),
                            std::numeric_limits<double>::infinity());
  double energyOnly = least[0], cyclesOnly = least[0];
  uint64_t number = 0;
  auto fits = [&](const Mapping &mapping) {
    return capacity == Capacity::Words ? fitsWords(layer, mapping, target)
                                       : fitsRows(layer, mapping, target);
  };
  const bool divisors = convention == Convention::Timeloop;
  BruteForce(
      layer, target, divisors, fits,
      [&](const Mapping &mapping) {
        ++number;
        LayerCost cost = evaluateLayer(layer, mapping, target, convention, {},
                                       Model::Exact, latency);
        energyOnly = std::min(energyOnly, cost.energy);
        cyclesOnly = std::min(cyclesOnly, cost.cycles);
        for (size_t i = 0; i < lambdas.size(); ++i)
          least[i] = std::min(least[i], cost.energy + lambdas[i] * cost.cycles);
      },
      space);

  auto hull = exactHull(layer, target, options);
  if (!hull) {
    llvm::consumeError(hull.takeError());
    EXPECT_EQ(number, 0u);
    return number;
  }
  EXPECT_GT(number, 0u);
  EXPECT_TRUE(hull->isExact());
  EXPECT_NEAR(hull->points.front().energy, energyOnly, 1e-9 * energyOnly);
  EXPECT_NEAR(hull->points.back().cycles, cyclesOnly, 1e-9 * cyclesOnly);
  for (size_t i = 0; i < lambdas.size(); ++i) {
    double best = std::numeric_limits<double>::infinity();
    for (const Candidate &point : hull->points)
      best = std::min(best, point.energy + lambdas[i] * point.cycles);
    EXPECT_NEAR(best, least[i], 1e-9 * least[i]) << "lambda " << lambdas[i];
  }
  for (const Candidate &point : hull->points) {
    LayerCost cost = evaluateLayer(layer, point.mapping, target, convention, {},
                                   Model::Exact, latency);
    EXPECT_DOUBLE_EQ(cost.energy, point.energy);
    EXPECT_DOUBLE_EQ(cost.cycles, point.cycles);
    EXPECT_TRUE(capacity == Capacity::Words
                    ? fitsWords(layer, point.mapping, target)
                    : fitsRows(layer, point.mapping, target));
  }
  return number;
}

struct BruteCase {
  const char *name;
  Layer layer;
  Accelerator target;
  Convention convention;
  Capacity capacity;
};

/// For names of tests and messages.
void PrintTo(const BruteCase &testCase, std::ostream *os) {
  *os << testCase.name;
}

struct ExactLayer : ::testing::TestWithParam<BruteCase> {};

TEST_P(ExactLayer, NothingIsBelowTheHull) {
  const BruteCase &param = GetParam();
  EXPECT_GT(compareWithBruteForce(param.layer, param.target, param.convention,
                                  param.capacity),
            1000u);
}

/// In the whole space of either convention, or, if `restricted`, in the
/// machine's counts with tiles that divide or depthwise channels one by one.
/// Where issue or requests count they do so for little or for much.
void compareRandomLayers(uint64_t seed, unsigned rounds, bool restricted,
                         Latency latency = Latency::Roofline) {
  std::mt19937_64 rng(seed);
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(rng() % uint64_t(high - low + 1));
  };
  uint64_t total = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    // Two to four loops; more would make the enumeration too long.
    std::array<int64_t, kNumDims> dims;
    dims.fill(1);
    const bool divisors = pick(0, 1), depthwise = pick(0, 4) == 0;
    const std::array<int64_t, 6> extents = {2, 3, 4, 6, 8, 12};
    for (int64_t loops = pick(2, 4); loops > 0; --loops) {
      int64_t dim = pick(0, kNumDims - 1);
      if (depthwise && (dim == 2 || dim == 3))
        dim = 1;
      dims[dim] = divisors ? extents[pick(0, 4)]
                           : pick(2, loops > 2     ? 4
                                     : dims[0] > 4 ? 5
                                                   : 9);
    }
    // Windows that slide along one axis, where memory holds next to nothing.
    const bool column = divisors && !depthwise && pick(0, 2) == 0;
    if (column)
      dims = {1,
              1,
              pick(1, 4),
              pick(1, 2),
              extents[pick(1, 5)],
              1,
              extents[pick(0, 4)],
              1};
    if (depthwise && dims[1] == 1)
      dims[1] = pick(2, 8);
    Layer layer = layerOf(dims, pick(1, 2), pick(0, 1), pick(1, 2));
    layer.hasBias = pick(0, 1);
    layer.hasResidual = pick(0, 2) == 0;
    layer.outputBytes = pick(0, 1) ? 1 : 4;
    if (layer.inputExtent[Axis::H] < 1 || layer.inputExtent[Axis::W] < 1)
      continue;
    const int64_t side = pick(2, 4);
    // On some machines padding comes from DRAM.
    layer.padValue = side % 2 ? 5 : 0;
    Accelerator target =
        tiny(side, side * pick(2, column ? 8 : 40), 4 * side * pick(1, 16));
    // No real machine looks like this, but every rule must be needed by one.
    auto anything = [&] { return std::exp(double(pick(-30, 46)) / 10); };
    for (Level level : kAllLevels) {
      if (round % 3 == 0)
        break;
      target.energyPerAccess[level] = anything();
      target.bandwidth[level] = anything();
    }
    std::string text;
    for (int64_t dim : dims)
      text += std::to_string(dim) + " ";
    SCOPED_TRACE("round " + std::to_string(round) + ": " + text + "side " +
                 std::to_string(side) + " scratchpad " +
                 std::to_string(target.scratchpadBytes) + " accumulator " +
                 std::to_string(target.accumulatorBytes));
    if (latency != Latency::Roofline) {
      target.commandCycles = int64_t(1) << pick(0, 8);
      if (round % 2)
        target.loopUnit = LoopUnit::None;
      if (latency == Latency::Busy) {
        target.commandCycles = pick(0, 3) ? 0 : target.commandCycles;
        target.dmaMaxRequestBytes = int64_t(1) << pick(0, 4);
        target.dmaLatency = int64_t(1) << pick(0, 12);
      }
      total += compareWithBruteForce(layer, target, Convention::Machine,
                                     Capacity::Rows, {}, latency);
    } else if (restricted) {
      SearchSpace space;
      space.unevenTiles = !divisors;
      space.blockDiagonal = divisors && pick(0, 1);
      total += compareWithBruteForce(layer, target, Convention::Machine,
                                     Capacity::Rows, space);
    } else {
      total += compareWithBruteForce(
          layer, target, divisors ? Convention::Timeloop : Convention::Machine,
          divisors && pick(0, 1) ? Capacity::Words : Capacity::Rows);
    }
    if (::testing::Test::HasFailure())
      return;
  }
  EXPECT_GT(total, 1000 * rounds);
}

TEST(ExactTest, NothingIsBelowTheHullOfRandomLayers) {
  compareRandomLayers(5, 900, /*restricted=*/false);
}

TEST(ExactTest, NothingIsBelowTheHullWhereIssueCounts) {
  compareRandomLayers(8, 600, /*restricted=*/false, Latency::Issue);
}

TEST(ExactTest, NothingIsBelowTheHullWhereRequestsCount) {
  compareRandomLayers(9, 600, /*restricted=*/false, Latency::Busy);
}

TEST(ExactTest, NothingIsBelowTheHullInRestrictedSpaces) {
  compareRandomLayers(6, 500, /*restricted=*/true);
}

constexpr Convention kTimeloop = Convention::Timeloop;
constexpr Convention kMachine = Convention::Machine;
constexpr Capacity kWords = Capacity::Words;
constexpr Capacity kRows = Capacity::Rows;

INSTANTIATE_TEST_SUITE_P(
    Small, ExactLayer,
    ::testing::Values(
        BruteCase{"GemmWords", layerOf({8, 1, 8, 8, 1, 1, 1, 1}),
                  tiny(2, 40, 32), kTimeloop, kWords},
        BruteCase{"GemmRows", layerOf({8, 1, 8, 8, 1, 1, 1, 1}),
                  tiny(2, 40, 32), kTimeloop, kRows},
        BruteCase{"ConvColumn", layerOf({1, 1, 4, 2, 6, 1, 3, 1}, 1, 1),
                  tiny(2, 24, 24), kTimeloop, kWords},
        BruteCase{"EqualSteps", layerOf({1, 1, 4, 2, 6, 1, 6, 1}),
                  tiny(2, 16, 16), kTimeloop, kWords},
        BruteCase{"DoubleSteps", layerOf({1, 1, 2, 2, 8, 1, 4, 1}, 1, 0, 2),
                  tiny(2, 20, 16), kTimeloop, kWords},
        BruteCase{"Strided", layerOf({1, 1, 4, 4, 4, 2, 1, 1}, 2),
                  tiny(4, 32, 32), kTimeloop, kRows},
        BruteCase{"Square", layerOf({1, 1, 2, 2, 2, 2, 2, 2}, 1, 1),
                  tiny(2, 10, 16), kTimeloop, kWords},
        BruteCase{"DepthwiseTimeloop", layerOf({1, 8, 1, 1, 4, 2, 3, 1}, 1, 1),
                  tiny(4, 40, 64), kTimeloop, kWords},
        BruteCase{"GroupedTimeloop", layerOf({4, 2, 4, 4, 1, 1, 1, 1}),
                  tiny(2, 16, 16), kTimeloop, kWords},
        BruteCase{"GemmUneven", layerOf({5, 1, 5, 3, 1, 1, 1, 1}),
                  tiny(2, 16, 32), kMachine, kRows},
        BruteCase{"WideUneven", layerOf({3, 1, 7, 5, 1, 1, 1, 1}),
                  tiny(3, 24, 36, 0.25), kMachine, kRows},
        BruteCase{"ConvUneven", layerOf({1, 1, 3, 2, 5, 1, 3, 1}, 1, 1),
                  tiny(2, 16, 32), kMachine, kRows},
        BruteCase{"TallUneven", layerOf({1, 1, 3, 2, 11, 1, 2, 1}, 2, 1),
                  tiny(2, 20, 24), kMachine, kRows},
        // Eleven pixels in tiles of eight can be cut into blocks of four.
        BruteCase{"AlignedUneven", layerOf({1, 1, 2, 2, 11, 1, 2, 1}),
                  tiny(2, 26, 32), kMachine, kRows},
        BruteCase{"PixelsUneven", layerOf({1, 1, 2, 1, 5, 4, 2, 1}, 1, 1),
                  tiny(2, 16, 40), kMachine, kRows},
        BruteCase{"DepthwiseUneven", layerOf({1, 7, 1, 1, 5, 1, 3, 1}, 1, 1),
                  tiny(4, 48, 64, 2), kMachine, kRows},
        BruteCase{"GroupedUneven", layerOf({5, 2, 3, 3, 1, 1, 1, 1}),
                  tiny(2, 12, 16), kMachine, kRows}),
    [](const auto &info) { return std::string(info.param.name); });

struct Known {
  const char *network;
  Accelerator (*machine)();
  Capacity capacity;
  double edp;
};

TEST(ExactTest, FindsTheKnownOptimaInTimeloopsCounts) {
  // In words: a separate implementation of the same enumeration. The rule of
  // rows stores a strided 1x1 window without its gaps, so it can be better.
  for (const Known &known :
       {Known{"resnet18", largeMachine, kWords, 1.8607e10},
        Known{"resnet18", smallMachine, kWords, 5.7882e10},
        Known{"vgg16", largeMachine, kWords, 1.42357e12},
        Known{"vgg16", smallMachine, kWords, 4.47269e12},
        // The rest is what the enumeration gave when it was compared with all
        // mappings of small layers: docs/ExactBound.md.
        Known{"vgg19", largeMachine, kWords, 1.886503e12},
        Known{"vgg19", smallMachine, kWords, 6.594888e12},
        Known{"mobilenetv1", largeMachine, kWords, 5.473034e9},
        Known{"mobilenetv1", smallMachine, kWords, 1.646763e10},
        Known{"gpt3-block", largeMachine, kWords, 2.526501e13},
        Known{"gpt3-block", smallMachine, kWords, 3.932364e14},
        Known{"resnet18", largeMachine, kRows, 1.8607e10},
        Known{"resnet18", smallMachine, kRows, 5.7651e10}}) {
    SCOPED_TRACE(known.network);
    ExactOptions options;
    options.convention = kTimeloop;
    options.capacity = known.capacity;
    Network network = readNetwork(known.network);
    Accelerator target = known.machine();
    ExactResult result = scheduleOf(network, target, options);
    EXPECT_NEAR(result.value, known.edp, 1e-4 * known.edp);
    EXPECT_EQ(result.gap, 0);
    EXPECT_EQ(result.lowerBound, result.value);
    EXPECT_DOUBLE_EQ(result.value, result.cost.edp());
    if (known.capacity != kRows)
      continue;
    llvm::Error error = verify(network, result.schedule, target);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  }
}

TEST(ExactTest, NoRandomMappingIsBelowTheHullOfARealLayer) {
  Network network = readNetwork("mobilenetv1");
  Accelerator target = smallMachine();
  std::mt19937_64 rng(11);
  for (unsigned index : {1u, 2u, 5u, 12u}) {
    const Layer &layer = network.layers[index];
    SCOPED_TRACE(layer.name);
    LayerHull hull = hullOf(layer, target, {});
    EXPECT_TRUE(hull.isExact());
    for (size_t i = 0; i + 1 < hull.points.size(); ++i) {
      EXPECT_LT(hull.points[i].energy, hull.points[i + 1].energy);
      EXPECT_GT(hull.points[i].cycles, hull.points[i + 1].cycles);
    }
    for (unsigned i = 0; i < 2000; ++i) {
      auto mapping = randomMapping(layer, target, rng);
      ASSERT_TRUE(bool(mapping)) << llvm::toString(mapping.takeError());
      LayerCost cost = evaluateLayer(layer, *mapping, target);
      double lambda = std::exp(double(rng() % 2000) / 100 - 5);
      double best = std::numeric_limits<double>::infinity();
      for (const Candidate &point : hull.points)
        best = std::min(best, point.energy + lambda * point.cycles);
      EXPECT_LE(best, (cost.energy + lambda * cost.cycles) * (1 + 1e-12));
    }
  }
}

TEST(ExactTest, NetworksOfTheMachineAreSolvedAndLegal) {
  Network network = readNetwork("gpt3-block");
  for (Accelerator target : {largeMachine(), smallMachine()}) {
    ExactResult exact = scheduleOf(network, target, {});
    EXPECT_EQ(exact.gap, 0);
    llvm::Error error = verify(network, exact.schedule, target);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    double energy = 0, cycles = 0;
    for (const Layer &layer : network.layers) {
      auto mapping = heuristicMapping(layer, target);
      ASSERT_TRUE(bool(mapping)) << llvm::toString(mapping.takeError());
      LayerCost cost = evaluateLayer(layer, *mapping, target);
      energy += cost.energy;
      cycles += cost.cycles;
    }
    EXPECT_LT(exact.value, energy * 1e-6 * cycles);
    EXPECT_GT(exact.pruned, 0u);
  }
}

TEST(ExactTest, EachFormHasItsOwnBestMapping) {
  const Accelerator target = smallMachine();
  Layer layer;
  layer.name = "conv";
  layer.dims[Dim::K] = 64;
  layer.dims[Dim::C] = 96;
  layer.dims[Dim::P] = layer.dims[Dim::Q] = 14;
  layer.dims[Dim::R] = layer.dims[Dim::S] = 3;
  ExactOptions options;
  const std::unique_ptr<CostFunction> cost =
      createCostFunction(options.convention, Model::Exact, options.latency);
  double best = std::numeric_limits<double>::infinity();
  std::vector<Mapping> seen;
  for (const Mapping &mapping :
       exact::bestOfForms(layer, target, options, Budget(0, nullptr))) {
    EXPECT_FALSE(llvm::is_contained(seen, mapping));
    seen.push_back(mapping);
    Schedule schedule;
    schedule.mappings = {mapping};
    schedule.groups = {{{0}}};
    EXPECT_FALSE(errorToBool(verify(only(layer), schedule, target)));
    const LayerCost found = cost->evaluate(layer, mapping, target);
    best = std::min(best, 1e-6 * found.energy * found.cycles);
  }
  // At least one for each tensor that stays while others come from DRAM.
  EXPECT_GE(seen.size(), 3u);
  EXPECT_DOUBLE_EQ(best, scheduleOf(only(layer), target, options).value);
}

TEST(ExactTest, EachObjectiveIsLeastUnderItsOwn) {
  Network network;
  Network mobilenet = readNetwork("mobilenetv1");
  network.layers.assign(mobilenet.layers.begin() + 1,
                        mobilenet.layers.begin() + 5);
  std::array<ExactResult, 3> results;
  std::array<Objective, 3> objectives = {Objective::Edp, Objective::Energy,
                                         Objective::Latency};
  for (unsigned i = 0; i < 3; ++i) {
    ExactOptions options;
    options.objective = objectives[i];
    results[i] = scheduleOf(network, smallMachine(), options);
    EXPECT_EQ(results[i].gap, 0);
  }
  EXPECT_LT(results[1].cost.energy, results[0].cost.energy);
  EXPECT_LT(results[2].cost.cycles, results[0].cost.cycles);
  EXPECT_LT(results[0].cost.edp(), results[1].cost.edp());
  EXPECT_LT(results[0].cost.edp(), results[2].cost.edp());
  EXPECT_EQ(results[1].value, results[1].cost.energy);
  EXPECT_EQ(results[2].value, results[2].cost.cycles);

  // The network's product, not each layer's own: try all corners.
  std::vector<LayerHull> hulls;
  for (const Layer &layer : network.layers)
    hulls.push_back(hullOf(layer, smallMachine(), {}));
  double best = std::numeric_limits<double>::infinity();
  for (const Candidate &a : hulls[0].points)
    for (const Candidate &b : hulls[1].points)
      for (const Candidate &c : hulls[2].points)
        for (const Candidate &d : hulls[3].points)
          best = std::min(best,
                          (a.energy + b.energy + c.energy + d.energy) * 1e-6 *
                              (a.cycles + b.cycles + c.cycles + d.cycles));
  EXPECT_NEAR(results[0].value, best, 1e-12 * best);
}

TEST(ExactTest, SameInputSameResult) {
  Network network = readNetwork("resnet18");
  ExactOptions options;
  options.convention = kTimeloop;
  ExactResult a = scheduleOf(network, smallMachine(), options);
  ExactResult b = scheduleOf(network, smallMachine(), options);
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.evaluated, b.evaluated);
  EXPECT_EQ(a.pruned, b.pruned);
  ASSERT_EQ(a.schedule.mappings.size(), b.schedule.mappings.size());
  for (size_t i = 0; i < a.schedule.mappings.size(); ++i)
    EXPECT_EQ(a.schedule.mappings[i], b.schedule.mappings[i]);
}

TEST(ExactTest, IdenticalLayersAreSolvedOnce) {
  Network once = only(layerOf({64, 1, 96, 160, 1, 1, 1, 1}));
  Network twice = once;
  twice.layers.push_back(once.layers[0]);
  twice.layers[1].name = "copy";
  ExactResult a = scheduleOf(once, largeMachine(), {});
  ExactResult b = scheduleOf(twice, largeMachine(), {});
  EXPECT_EQ(a.evaluated, b.evaluated);
  EXPECT_DOUBLE_EQ(b.value, 4 * a.value);
}

TEST(ExactTest, ACutShortResultIsStillBounded) {
  Network network = readNetwork("resnet18");
  ExactResult full = scheduleOf(network, smallMachine(), {});
  EXPECT_EQ(full.gap, 0);
  std::atomic<bool> stop(true);
  ExactOptions options;
  options.stop = &stop;
  ExactResult cut = scheduleOf(network, smallMachine(), options);
  llvm::Error error = verify(network, cut.schedule, smallMachine());
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  EXPECT_GT(cut.gap, 0);
  EXPECT_LE(cut.lowerBound, full.value * (1 + 1e-12));
  EXPECT_GE(cut.value, full.value);
  EXPECT_DOUBLE_EQ(cut.value / cut.lowerBound - 1, cut.gap);
}

TEST(ExactTest, NamesTheLayerThatFitsNowhere) {
  Accelerator target = smallMachine();
  target.scratchpadBytes = 16;
  for (Convention convention : {kTimeloop, kMachine}) {
    ExactOptions options;
    options.convention = convention;
    auto result =
        exactSchedule(only(layerOf({4, 1, 4, 4, 1, 1, 1, 1})), target, options);
    ASSERT_FALSE(bool(result));
    std::string text = llvm::toString(result.takeError());
    for (const char *part :
         {"layer 'layer'", "scratchpad-capacity", "at most 1 rows", "found 2"})
      EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(ExactTest, BadEdgesAndLayersAreErrors) {
  Network network = only(layerOf({4, 1, 4, 4, 1, 1, 1, 1}));
  network.edges = {{0, 3, ""}};
  auto result = exactSchedule(network, largeMachine());
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "edge 0 -> 3: wanted layer numbers below 1; fix the network");
  result =
      exactSchedule(only(layerOf({0, 1, 4, 4, 1, 1, 1, 1})), largeMachine());
  ASSERT_FALSE(bool(result));
  EXPECT_NE(llvm::toString(result.takeError()).find("found N = 0"),
            std::string::npos);
  ExactResult nothing = scheduleOf(Network(), largeMachine(), {});
  EXPECT_TRUE(nothing.schedule.groups.empty());
  EXPECT_EQ(nothing.gap, 0);
}

// A count, not a clock, decides what is enumerated: the same everywhere, with a
// bound of what was not looked at.
TEST(WorkTest, EnumerationStopsAfterSoManyEvaluations) {
  const Network network = readNetwork("resnet18");
  unsigned cut = 0, whole = 0;
  for (size_t i = 0; i < network.layers.size(); i += 4) {
    const Layer &layer = network.layers[i];
    const LayerHull full = llvm::cantFail(exactHull(layer, smallMachine(), {}));
    for (double most : {1.0, 30.0, 300.0, 1e9}) {
      ExactOptions options;
      options.mostEvaluations = most;
      const LayerHull some =
          llvm::cantFail(exactHull(layer, smallMachine(), options));
      const LayerHull again =
          llvm::cantFail(exactHull(layer, smallMachine(), options));
      EXPECT_EQ(some.evaluated, again.evaluated);
      ASSERT_FALSE(some.points.empty());
      ASSERT_FALSE(some.bound.empty());
      for (const Candidate &point : some.points)
        EXPECT_FALSE(bool(verify(layer, point.mapping, smallMachine())));
      // At any prices, and so of any network.
      for (double price : {0.0, 1e-3, 1.0, 1e3, 1e9}) {
        auto least = [&](const auto &points) {
          double value = std::numeric_limits<double>::infinity();
          for (const auto &point : points)
            value = std::min(value, point.energy + price * point.cycles);
          return value;
        };
        EXPECT_LE(least(some.bound), least(full.points) * (1 + 1e-9));
        EXPECT_GE(least(some.points), least(full.points) * (1 - 1e-9));
      }
      (double(full.evaluated) > most ? cut : whole) += 1;
      if (double(full.evaluated) <= most) {
        EXPECT_TRUE(some.isExact());
      } else {
        EXPECT_LE(double(some.evaluated), most + 20000);
      }
    }
  }
  EXPECT_GT(cut, 5u);
  EXPECT_GT(whole, 5u);
  // The search goes on with what is there, and keeps the bound.
  SearchOptions options;
  options.fuse = Fuse::Off;
  auto run = [&] {
    return llvm::cantFail(search(network, smallMachine(), options));
  };
  const SearchResult best = run();
  options.closure.mostEvaluations = 100;
  const SearchResult found = run();
  EXPECT_LT(found.exactLayers, best.exactLayers);
  ASSERT_TRUE(found.unfusedBound);
  EXPECT_LE(*found.unfusedBound, best.value() * (1 + 1e-9));
  EXPECT_GE(found.value(), best.value() * (1 - 1e-9));
}

// Layers that an estimate of their tiles once kept from it.
TEST(WorkTest, LargeLayersAreEnumeratedByDefault) {
  Network network;
  Layer &layer = network.layers.emplace_back();
  layer.name = "gemm";
  for (Dim dim : {Dim::N, Dim::K, Dim::C})
    layer.dims[dim] = 16384;
  SearchOptions options;
  options.gradient.starts = 1;
  options.gradient.steps = 10;
  const SearchResult found =
      llvm::cantFail(search(network, largeMachine(), options));
  EXPECT_EQ(found.exactLayers, 1u);
  ASSERT_TRUE(found.bound);
  EXPECT_EQ(*found.bound, found.value());
  EXPECT_LT(double(found.enumerated), options.closure.mostEvaluations);
}

} // namespace
