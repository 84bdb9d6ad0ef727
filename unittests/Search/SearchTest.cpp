//===- SearchTest.cpp - Tests of the mapping and fusion search ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Search.h"

#include "Networks.h"

#include "fadiff/CostModel/StreamLatency.h"
#include "fadiff/Search/Baselines.h"
#include "fadiff/Search/Exact.h"
#include "llvm/ADT/STLExtras.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <set>

using namespace fadiff;
using namespace fadiff::test;

namespace {

/// Enough to be quick in a debug build.
SearchOptions quick() {
  SearchOptions options;
  options.closure.mostEvaluations = 0;
  options.gradient.starts = 2;
  options.gradient.steps = 60;
  options.climb.restarts = 8;
  return options;
}

SearchResult run(const Network &network, const Accelerator &target,
                 const SearchOptions &options = quick()) {
  auto result = search(network, target, options);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  llvm::Error error = verify(network, result->schedule, target);
  bool failed = bool(error);
  EXPECT_FALSE(failed) << llvm::toString(std::move(error));
  ScheduleCost again =
      evaluateSchedule(network, result->schedule, target, options.convention);
  EXPECT_EQ(again.energy, result->cost.energy);
  EXPECT_EQ(again.cycles, result->cost.cycles);
  return std::move(*result);
}

double edp(const LayerCost &cost) { return cost.energy * 1e-6 * cost.cycles; }

Network only(const Layer &layer) {
  Network network;
  network.layers = {layer};
  return network;
}

Layer gemm(int64_t rows, int64_t k, int64_t c) {
  Layer layer;
  layer.name = "gemm";
  layer.dims[Dim::N] = rows;
  layer.dims[Dim::K] = k;
  layer.dims[Dim::C] = c;
  return layer;
}

struct NetworkCase {
  const char *network;
  Accelerator (*machine)();
  const char *machineName;
};

/// For names of tests and messages.
void PrintTo(const NetworkCase &testCase, std::ostream *os) {
  *os << testCase.network << " on " << testCase.machineName;
}

struct NetworkSearch : ::testing::TestWithParam<NetworkCase> {};

TEST_P(NetworkSearch, NoWorseThanTheHeuristicOnAnyLayer) {
  Network network = readNetwork(GetParam().network);
  Accelerator target = GetParam().machine();
  double heuristicEnergy = 0, heuristicCycles = 0;
  for (const Layer &layer : network.layers) {
    SCOPED_TRACE(layer.name);
    auto mapping = heuristicMapping(layer, target);
    ASSERT_TRUE(bool(mapping)) << llvm::toString(mapping.takeError());
    llvm::Error error = verify(layer, *mapping, target);
    ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
    LayerCost cost = evaluateLayer(layer, *mapping, target);
    heuristicEnergy += cost.energy;
    heuristicCycles += cost.cycles;

    SearchOptions options = quick();
    options.gradient.starts = 1;
    options.climb.restarts = 2;
    SearchResult alone = run(only(layer), target, options);
    EXPECT_LE(alone.cost.edp(), edp(cost));
  }

  SearchResult result = run(network, target);
  EXPECT_LT(result.cost.edp(),
            0.995 * heuristicEnergy * 1e-6 * heuristicCycles);
  EXPECT_LE(result.cost.edp(),
            result.unfusedEnergy * 1e-6 * result.unfusedCycles * (1 + 1e-12));
  EXPECT_GT(result.evaluations, 1000u);
  ASSERT_EQ(result.edges.size(), network.edges.size());
  for (const EdgeDecision &decision : result.edges)
    EXPECT_NE(decision.fused, !decision.reason.empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, NetworkSearch,
    ::testing::Values(NetworkCase{"resnet18", largeMachine, "large"},
                      NetworkCase{"resnet18", smallMachine, "small"},
                      NetworkCase{"resnet18", stockMachine, "stock"},
                      NetworkCase{"mobilenetv1", largeMachine, "large"},
                      NetworkCase{"mobilenetv1", smallMachine, "small"},
                      NetworkCase{"mobilenetv1", stockMachine, "stock"},
                      NetworkCase{"vgg16", largeMachine, "large"},
                      NetworkCase{"vgg16", smallMachine, "small"},
                      NetworkCase{"vgg16", stockMachine, "stock"},
                      NetworkCase{"gpt3-block", largeMachine, "large"},
                      NetworkCase{"gpt3-block", smallMachine, "small"},
                      NetworkCase{"gpt3-block", stockMachine, "stock"}),
    [](const auto &info) {
      std::string name = info.param.network;
      name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
      return name + "_" + info.param.machineName;
    });

TEST(SearchTest, ReachesTheKnownOptimumInTimeloopsCounts) {
  // Optima by exhaustive enumeration with three loop orders each at DRAM and
  // scratchpad, all divisors, Timeloop's counts and capacities in words. By
  // DeFiNES' reading of a group no fusion pays.
  SearchOptions options;
  options.convention = Convention::Timeloop;
  options.overlap = GroupOverlap::Defines;
  SearchResult resnet = run(readNetwork("resnet18"), largeMachine(), options);
  EXPECT_LT(resnet.cost.edp(), 1.005 * 1.8607e10);
  EXPECT_GT(resnet.cost.edp(), 0.995 * 1.8607e10);
  Network vgg = readNetwork("vgg16");
  vgg.edges.clear();
  EXPECT_LT(run(vgg, largeMachine(), options).cost.edp(), 1.005 * 1.42357e12);

  Network network = readNetwork("resnet18");
  for (unsigned i = 0; i < network.layers.size(); ++i)
    for (Dim dim : kAllDims) {
      const Mapping &m = resnet.schedule.mappings[i];
      int64_t product = m.spatial(network.layers[i], dim);
      for (Level level : kAllLevels)
        product *= m.temporal[level][dim];
      EXPECT_EQ(product, network.layers[i].dims[dim]);
    }
}

TEST(SearchTest, SameSeedSameResult) {
  Network network = readNetwork("mobilenetv1");
  SearchOptions options = quick();
  options.seed = 7;
  SearchResult a = run(network, smallMachine(), options);
  SearchResult b = run(network, smallMachine(), options);
  EXPECT_EQ(a.evaluations, b.evaluations);
  EXPECT_EQ(a.cost.energy, b.cost.energy);
  ASSERT_EQ(a.schedule.mappings.size(), b.schedule.mappings.size());
  for (size_t i = 0; i < a.schedule.mappings.size(); ++i)
    EXPECT_EQ(a.schedule.mappings[i], b.schedule.mappings[i]);
  EXPECT_EQ(a.seed, 7u);
  options.seed = 8;
  SearchResult c = run(network, smallMachine(), options);
  EXPECT_NE(a.evaluations, c.evaluations);
}

TEST(SearchTest, FusesWhereItPays) {
  Network network = readNetwork("mobilenetv1");
  SearchResult large = run(network, largeMachine());
  unsigned fused = 0;
  for (const EdgeDecision &decision : large.edges) {
    const Edge &edge = network.edges[decision.edge];
    if (!decision.fused)
      continue;
    ++fused;
    bool together = false;
    for (const FusionGroup &group : large.schedule.groups)
      for (size_t i = 0; i + 1 < group.layers.size(); ++i)
        together |= group.layers[i] == edge.producer &&
                    group.layers[i + 1] == edge.consumer;
    EXPECT_TRUE(together);
  }
  EXPECT_GE(fused, 8u);
  EXPECT_LT(large.cost.edp(),
            0.9 * large.unfusedEnergy * 1e-6 * large.unfusedCycles);

  SearchOptions options = quick();
  options.fuse = Fuse::Off;
  SearchResult apart = run(network, largeMachine(), options);
  EXPECT_EQ(apart.schedule.groups.size(), network.layers.size());
  for (const EdgeDecision &decision : apart.edges)
    EXPECT_FALSE(decision.reason.empty());

  // Tiles that stay in a small accumulator pay, too, but for fewer edges.
  SearchResult stock = run(network, stockMachine());
  unsigned inPlace = 0;
  for (const EdgeDecision &decision : stock.edges)
    inPlace += decision.fused;
  EXPECT_GT(inPlace, 0u);
  EXPECT_LT(inPlace, fused);
  EXPECT_LT(stock.cost.edp(), stock.unfusedEnergy * 1e-6 * stock.unfusedCycles);
  for (const FusionGroup &group : stock.schedule.groups)
    EXPECT_FALSE(group.keeps);
  EXPECT_FALSE(bool(verify(network, stock.schedule, stockMachine())));
}

TEST(SearchTest, GroupsComeInTheOrderOfTheirLastLayer) {
  Network network = readNetwork("mobilenetv1");
  SearchResult result = run(network, largeMachine());
  std::set<unsigned> ready;
  for (const FusionGroup &group : result.schedule.groups) {
    for (size_t i = 0; i < group.layers.size(); ++i)
      for (const Edge &edge : network.edges) {
        bool inside = i > 0 && edge.producer == group.layers[i - 1];
        if (edge.consumer == group.layers[i] && !inside)
          EXPECT_TRUE(ready.count(edge.producer));
      }
    ready.insert(group.layers.begin(), group.layers.end());
  }
}

TEST(SearchTest, ObjectivesLeadWhereTheySay) {
  // With a fast bus depthwise blocks pull both ways: wide ones are fast, narrow
  // ones load and multiply fewer zeros.
  Network network = readNetwork("mobilenetv1");
  Accelerator target = largeMachine();
  target.bandwidth[Level::Dram] = 64;
  SearchOptions options = quick();
  SearchResult balanced = run(network, target, options);
  options.objective = Objective::Energy;
  SearchResult frugal = run(network, target, options);
  options.objective = Objective::Latency;
  SearchResult fast = run(network, target, options);
  EXPECT_LE(frugal.cost.energy, balanced.cost.energy * 1.001);
  EXPECT_LE(fast.cost.cycles, balanced.cost.cycles * 1.001);
  EXPECT_LT(frugal.cost.energy, 0.97 * fast.cost.energy);
  EXPECT_LT(fast.cost.cycles, 0.95 * frugal.cost.cycles);
  // Of groups that are as fast those are formed that need less.
  EXPECT_LT(fast.cost.energy, 0.8 * fast.unfusedEnergy);
}

TEST(SearchTest, FillsTheArrayWhereItDoesNotDivide) {
  // 1000 = 31 * 32 + 8 columns: divisors would stop at 25 of 32.
  SearchOptions options = quick();
  options.objective = Objective::Latency;
  SearchResult result =
      run(only(gemm(4096, 1000, 1024)), largeMachine(), options);
  EXPECT_EQ(result.schedule.mappings[0].cols, 32);
  EXPECT_EQ(result.schedule.mappings[0].rows, 32);
}

TEST(SearchTest, IdenticalLayersAreSolvedOnce) {
  Network once = only(gemm(64, 96, 160));
  Network thrice = once;
  thrice.layers.push_back(once.layers[0]);
  thrice.layers.back().name = "copy";
  thrice.layers.push_back(once.layers[0]);
  SearchResult a = run(once, largeMachine()), b = run(thrice, largeMachine());
  EXPECT_EQ(b.schedule.mappings[0], b.schedule.mappings[1]);
  EXPECT_EQ(b.schedule.mappings[0], b.schedule.mappings[2]);
  EXPECT_LT(b.evaluations, 2 * a.evaluations);
  thrice.layers[2].dims[Dim::K] = 97;
  SearchResult c = run(thrice, largeMachine());
  EXPECT_GT(c.evaluations, b.evaluations);
}

// Enumeration finds one mapping for each point of energy and cycles; the search
// takes the one whose streams are fastest that it can climb to.
/// A layer that runs three times costs what three layers do, in the schedule
/// that is chosen and in its bounds.
TEST(SearchTest, TripsCountAsCopies) {
  const Network mobilenet = readNetwork("mobilenetv1");
  // A depthwise and a pointwise layer that can be fused, and one apart.
  Network looped, unrolled;
  auto add = [&](Network &to, unsigned index, int64_t trips) {
    to.layers.push_back(mobilenet.layers[index]);
    to.layers.back().trips = trips;
  };
  add(looped, 3, 3);
  add(looped, 4, 3);
  looped.edges = {{0, 1, ""}};
  add(looped, 8, 2);
  for (unsigned copy = 0; copy < 3; ++copy) {
    unrolled.edges.push_back({2 * copy, 2 * copy + 1, ""});
    add(unrolled, 3, 1);
    add(unrolled, 4, 1);
  }
  add(unrolled, 8, 1);
  add(unrolled, 8, 1);
  for (Objective objective :
       {Objective::Edp, Objective::Energy, Objective::Latency})
    for (Optimizer optimizer : {Optimizer::Fadiff, Optimizer::Exact}) {
      SearchOptions options;
      options.objective = objective;
      options.optimizer = optimizer;
      const SearchResult one = run(looped, largeMachine(), options);
      const SearchResult other = run(unrolled, largeMachine(), options);
      EXPECT_NEAR(one.value() / other.value(), 1, 1e-12);
      EXPECT_NEAR(one.unfusedValue() / other.unfusedValue(), 1, 1e-12);
      ASSERT_TRUE(one.unfusedBound && other.unfusedBound);
      EXPECT_NEAR(*one.unfusedBound / *other.unfusedBound, 1, 1e-12);
      ASSERT_EQ(one.bound.has_value(), other.bound.has_value());
      if (one.bound)
        EXPECT_NEAR(*one.bound / *other.bound, 1, 1e-12);
      EXPECT_NEAR(one.cost.dramBytes.total() / other.cost.dramBytes.total(), 1,
                  1e-12);
    }
  // Layers of one group run equally often.
  looped.layers[1].trips = 2;
  const SearchResult apart = run(looped, largeMachine());
  ASSERT_EQ(apart.edges.size(), 1u);
  EXPECT_FALSE(apart.edges[0].fused);
  EXPECT_NE(apart.edges[0].reason.find("group-trips"), std::string::npos)
      << apart.edges[0].reason;
}

TEST(SearchTest, OfEqualMappingsTheFasterProgram) {
  const Network network = readNetwork("resnet18");
  const Accelerator target = smallMachine();
  ExactOptions enumeration;
  enumeration.convention = Convention::Machine;
  auto exact = exactSchedule(network, target, enumeration);
  ASSERT_TRUE(bool(exact)) << llvm::toString(exact.takeError());
  SearchOptions options;
  options.optimizer = Optimizer::Exact;
  options.fuse = Fuse::Off;
  const SearchResult found = run(network, target, options);
  EXPECT_DOUBLE_EQ(found.value(), exact->value);
  EXPECT_EQ(found.bound, found.unfusedBound);
  double before = 0, after = 0;
  for (auto [index, layer] : llvm::enumerate(network.layers)) {
    const Mapping &one = exact->schedule.mappings[index],
                  &other = found.schedule.mappings[index];
    before += streamLatency(layer, one, target).cycles;
    after += streamLatency(layer, other, target).cycles;
  }
  EXPECT_LT(after, 0.98 * before);
}

TEST(SearchTest, NamesTheLayerThatFitsNowhere) {
  Accelerator tiny = smallMachine();
  tiny.scratchpadBytes = 16;
  auto result = search(only(gemm(4, 4, 4)), tiny);
  ASSERT_FALSE(bool(result));
  std::string text = llvm::toString(result.takeError());
  for (const char *part :
       {"layer 'gemm'", "scratchpad-capacity", "at most 1 rows", "found 2"})
    EXPECT_NE(text.find(part), std::string::npos) << text;
  tiny = smallMachine();
  tiny.accumulatorBytes = 0;
  result = search(only(gemm(4, 4, 4)), tiny);
  ASSERT_FALSE(bool(result));
  text = llvm::toString(result.takeError());
  EXPECT_NE(text.find("accumulator-capacity"), std::string::npos) << text;
}

TEST(SearchTest, BadEdgesAndLayersAreErrors) {
  Network network = only(gemm(4, 4, 4));
  network.edges = {{0, 3, ""}};
  auto result = search(network, largeMachine());
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(llvm::toString(result.takeError()),
            "edge 0 -> 3: wanted layer numbers below 1; fix the network");
  result = search(only(gemm(0, 4, 4)), largeMachine());
  ASSERT_FALSE(bool(result));
  EXPECT_NE(llvm::toString(result.takeError()).find("found N = 0"),
            std::string::npos);
  SearchResult nothing = run(Network(), largeMachine());
  EXPECT_TRUE(nothing.schedule.groups.empty());
}

TEST(SearchTest, StopsEarlyWithALegalResult) {
  Network network = readNetwork("resnet18");
  std::atomic<bool> stop(true);
  SearchOptions options;
  options.stop = &stop;
  SearchResult stopped = run(network, largeMachine(), options);
  EXPECT_LT(stopped.evaluations, 100u);
  options.stop = nullptr;
  options.gradient.starts = 1000000;
  options.timeLimit = 0.2;
  SearchResult limited = run(network, largeMachine(), options);
  EXPECT_LT(limited.seconds, 5);
}

TEST(SearchTest, ReportsProgress) {
  std::set<std::string> phases;
  uint64_t last = 0;
  double lastSeconds = 0;
  SearchOptions options = quick();
  options.convention = Convention::Timeloop;
  options.closure = {};
  options.progress = [&](const Progress &progress) {
    phases.insert(progress.phase);
    EXPECT_LE(progress.done, progress.total);
    EXPECT_GE(progress.evaluations, last);
    EXPECT_GE(progress.seconds, lastSeconds);
    last = progress.evaluations;
    lastSeconds = progress.seconds;
  };
  run(readNetwork("mobilenetv1"), largeMachine(), options);
  EXPECT_EQ(phases, (std::set<std::string>{"start", "gradient", "exact",
                                           "polish", "fusion"}));
}

} // namespace
