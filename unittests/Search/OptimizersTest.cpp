//===- OptimizersTest.cpp - All optimisers under one roof -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Search/Baselines.h"
#include "fadiff/Search/Search.h"
#include "fadiff/Search/Summary.h"

#include "../../lib/Search/Gradient/Decode.h"
#include "../../lib/Search/Group/Fusion.h"
#include "../../lib/Search/Peers/Peers.h"
#include "../../lib/Search/Problem/Prices.h"
#include "Networks.h"

#include "fadiff/Schedule/GroupTiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>

using namespace fadiff;
using namespace fadiff::test;

namespace fadiff {
/// For names of tests and messages.
static void PrintTo(Optimizer optimizer, std::ostream *os) {
  *os << nameOf(optimizer).str();
}
} // namespace fadiff

namespace {

SearchResult run(const Network &network, const Accelerator &target,
                 const SearchOptions &options) {
  auto result = search(network, target, options);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  if (llvm::Error error = verify(network, result->schedule, target))
    ADD_FAILURE() << llvm::toString(std::move(error));
  ScheduleCost again =
      evaluateSchedule(network, result->schedule, target, options.convention);
  EXPECT_EQ(again.energy, result->cost.energy);
  EXPECT_EQ(again.cycles, result->cost.cycles);
  return std::move(*result);
}

/// The first depthwise blocks of MobileNetV1: quick, and there is to fuse.
Network smallNetwork() {
  Network network = readNetwork("mobilenetv1");
  network.layers.resize(5);
  network.edges.erase(
      std::remove_if(network.edges.begin(), network.edges.end(),
                     [](const Edge &edge) { return edge.consumer >= 5; }),
      network.edges.end());
  return network;
}

SearchOptions quick(Optimizer optimizer) {
  SearchOptions options;
  options.optimizer = optimizer;
  options.convention = Convention::Timeloop;
  options.gradient.starts = 2;
  options.gradient.steps = 40;
  options.climb.restarts = 4;
  options.dosa.starts = 2;
  options.dosa.steps = 120;
  options.dosa.roundEvery = 60;
  options.dosa.learningRate = 0.05;
  options.evaluationsPerLayer = 1500;
  options.bayesian.evaluationsPerLayer = 60;
  return options;
}

std::string bytesOf(const SearchResult &result) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const Mapping &m : result.schedule.mappings) {
    for (Level level : kAllLevels)
      for (Dim dim : kAllDims)
        os << m.temporal[level][dim] << ' ' << int(m.order[level][int(dim)])
           << ' ';
    os << m.rows << ' ' << m.cols << '\n';
  }
  for (const FusionGroup &group : result.schedule.groups) {
    for (unsigned layer : group.layers)
      os << layer << ' ';
    os << '\n';
  }
  for (const EdgeDecision &edge : result.edges)
    os << edge.fused << ' ' << edge.sigma << ' ' << edge.reason << '\n';
  os << result.cost.energy << ' ' << result.cost.cycles << ' '
     << result.evaluations << ' ' << result.enumerated << ' '
     << result.restartsRun << '\n';
  return text;
}

TEST(OptionNamesTest, RoundTrip) {
  for (Optimizer optimizer : allValues<Optimizer>())
    EXPECT_EQ(parseName<Optimizer>(nameOf(optimizer)), optimizer);
  EXPECT_EQ(allValues<Optimizer>().size(), 9u);
  for (Objective objective :
       {Objective::Edp, Objective::Energy, Objective::Latency})
    EXPECT_EQ(parseName<Objective>(nameOf(objective)), objective);
  for (Fuse fuse : {Fuse::Off, Fuse::Chains, Fuse::On})
    EXPECT_EQ(parseName<Fuse>(nameOf(fuse)), fuse);
  EXPECT_EQ(nameOf(Optimizer::HillClimb), "hillclimb");
  EXPECT_EQ(parseName<Optimizer>("annealing"), std::nullopt);
  EXPECT_EQ(parseName<Fuse>(""), std::nullopt);
  for (Switch value : {Switch::Off, Switch::On})
    EXPECT_EQ(parseName<Switch>(nameOf(value)), value);
  EXPECT_EQ(nameOf(Switch::On), "on");
  EXPECT_EQ(parseName<Switch>("true"), std::nullopt);
  EXPECT_EQ(listNames<Fuse>(), "off, chains or on");
  // What FADiff 0.1 wrote.
  EXPECT_EQ(nameOf(Latency::Streams), "streams");
  EXPECT_EQ(parseName<Latency>("gemmini"), Latency::Streams);
}

struct EachOptimizer : ::testing::TestWithParam<Optimizer> {};

TEST_P(EachOptimizer, LegalNoWorseThanTheHeuristicAndNamed) {
  Network network = smallNetwork();
  SearchResult result = run(network, smallMachine(), quick(GetParam()));
  SearchResult heuristic =
      run(network, smallMachine(), quick(Optimizer::Heuristic));
  EXPECT_LE(result.value(), heuristic.value());
  if (GetParam() != Optimizer::Heuristic)
    EXPECT_LT(result.value(), 0.98 * heuristic.value());
  EXPECT_EQ(result.optimizer, GetParam());
  EXPECT_EQ(result.ended, Ended::Done);
  ASSERT_FALSE(result.trace.empty());
  EXPECT_EQ(result.trace.back().energy, result.cost.energy);
  for (size_t i = 1; i < result.trace.size(); ++i) {
    EXPECT_GE(result.trace[i].evaluations, result.trace[i - 1].evaluations);
    EXPECT_LT(result.trace[i].energy * result.trace[i].cycles,
              result.trace[i - 1].energy * result.trace[i - 1].cycles);
  }
  ASSERT_EQ(result.edges.size(), network.edges.size());
  for (const EdgeDecision &decision : result.edges) {
    EXPECT_NE(decision.fused, !decision.reason.empty());
    if (GetParam() == Optimizer::Dosa || GetParam() == Optimizer::Heuristic)
      EXPECT_FALSE(decision.fused);
  }
}

TEST_P(EachOptimizer, SameBytesForOneAndTwoThreadsAndTwoRuns) {
  Network network = smallNetwork();
  SearchOptions options = quick(GetParam());
  options.seed = 5;
  std::string once = bytesOf(run(network, largeMachine(), options));
  EXPECT_EQ(once, bytesOf(run(network, largeMachine(), options)));
  options.threads = 2;
  EXPECT_EQ(once, bytesOf(run(network, largeMachine(), options)));
  // With evaluations shared out, too.
  options.maxEvaluations = GetParam() == Optimizer::Bo ? 300 : 3000;
  options.threads = 1;
  once = bytesOf(run(network, largeMachine(), options));
  options.threads = 2;
  EXPECT_EQ(once, bytesOf(run(network, largeMachine(), options)));
}

TEST_P(EachOptimizer, KeepsToItsEvaluations) {
  Network network = smallNetwork();
  SearchOptions options = quick(GetParam());
  options.closure.mostEvaluations = 0;
  options.evaluationsPerLayer = 1000000;
  for (uint64_t limit : {500u, 4000u}) {
    if (GetParam() == Optimizer::Bo && limit > 500)
      continue; // slow
    options.maxEvaluations = limit;
    SearchResult result = run(network, smallMachine(), options);
    // What is under way is finished: at most a sweep or a step of each layer.
    EXPECT_LE(result.evaluations, limit + 5 * 400);
    if (GetParam() != Optimizer::Heuristic && GetParam() != Optimizer::Exact)
      EXPECT_GE(result.evaluations, limit / 2);
  }
}

/// Whether all of a result is within `space`; what is not is a failure.
void expectWithin(const SearchSpace &space, const Network &network,
                  const SearchResult &result) {
  for (const FusionGroup &group : result.schedule.groups)
    for (auto [member, index] : llvm::enumerate(group.layers)) {
      const Layer &layer = network.layers[index];
      const Mapping &mapping = result.schedule.mappings[index];
      SCOPED_TRACE(layer.name + (group.layers.size() > 1 ? " in a group" : ""));
      if (space.isSerial(layer))
        EXPECT_EQ(mapping.cols, 1);
      if (space.unevenTiles)
        continue;
      if (group.layers.size() == 1)
        EXPECT_TRUE(dividesEvenly(layer, mapping));
      else
        EXPECT_TRUE(cutsEvenly(GroupTiles(network, result.schedule, group),
                               member, mapping));
    }
}

/// Layers that nobody would cut evenly, some in chains.
Network oddNetwork(std::mt19937_64 &rng) {
  Network network;
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(rng() % uint64_t(high - low + 1));
  };
  for (unsigned i = 0; i < 5; ++i) {
    Layer layer;
    layer.name = "layer" + std::to_string(i);
    const bool depthwise = pick(0, 2) == 0;
    const bool follows = i > 0 && pick(0, 2) > 0;
    int64_t channels = pick(1, 90);
    int64_t pixels = pick(5, 40);
    if (follows) {
      const Layer &before = network.layers.back();
      channels = before.dims[before.isDepthwise() ? Dim::G : Dim::K];
      pixels = before.dims[Dim::P];
      network.edges.push_back({i - 1, i, ""});
    }
    layer.dims[depthwise ? Dim::G : Dim::C] = channels;
    layer.dims[Dim::K] = depthwise ? 1 : pick(2, 90);
    const int64_t taps = 2 * pick(0, 1) + 1;
    for (Axis axis : kAllAxes) {
      layer.dims[outputDim(axis)] = layer.inputExtent[axis] = pixels;
      layer.dims[kernelDim(axis)] = taps;
      layer.padLow[axis] = taps / 2;
    }
    network.layers.push_back(layer);
  }
  return network;
}

TEST_P(EachOptimizer, KeepsToItsSpace) {
  std::mt19937_64 rng(17);
  unsigned uneven = 0, blocks = 0, fused = 0;
  for (unsigned round = 0; round < 5; ++round) {
    const Network network = round == 0 ? smallNetwork() : oddNetwork(rng);
    for (double mostEvaluations : {5e6, 0.0})
      for (unsigned code = 0; code < 4; ++code) {
        SearchOptions options = quick(GetParam());
        options.convention = Convention::Machine;
        options.closure.mostEvaluations = mostEvaluations;
        options.evaluationsPerLayer = 300;
        options.bayesian.evaluationsPerLayer = 40;
        options.space.unevenTiles = code & 1;
        options.space.blockDiagonal = code & 2;
        SCOPED_TRACE("round " + std::to_string(round) + ", space " +
                     std::to_string(code));
        SearchResult result = run(network, largeMachine(), options);
        EXPECT_EQ(result.space, options.space);
        expectWithin(options.space, network, result);
        for (auto [layer, m] :
             llvm::zip(network.layers, result.schedule.mappings)) {
          blocks += layer.isDepthwise() && m.cols > 1;
          uneven += code == 3 && !dividesEvenly(layer, m);
        }
        if (code == 0)
          for (const EdgeDecision &edge : result.edges)
            fused += edge.fused;
        if (HasFailure())
          return;
      }
  }
  // Or the switches would have nothing to switch off.
  EXPECT_GT(uneven, 0u);
  // The library's rule runs one channel at a time anyway.
  EXPECT_EQ(blocks > 0, GetParam() != Optimizer::Heuristic);
  if (GetParam() != Optimizer::Dosa && GetParam() != Optimizer::Heuristic)
    EXPECT_GT(fused, 0u);
}

TEST(SpaceTest, WhatIsLeftOutCostsWhatItIsWorth) {
  // Half of 38 channels fill 19 columns of 32; 23 is prime.
  Network network = smallNetwork();
  for (Layer &layer : network.layers) {
    for (Dim dim : {Dim::G, Dim::K, Dim::C})
      if (layer.dims[dim] > 3)
        layer.dims[dim] = 38;
    for (Axis axis : kAllAxes) {
      layer.dims[outputDim(axis)] = layer.inputExtent[axis] = 23;
      layer.stride[axis] = 1;
    }
  }
  SearchOptions options;
  options.optimizer = Optimizer::Exact;
  std::array<double, 4> best;
  for (unsigned code = 0; code < 4; ++code) {
    options.space.unevenTiles = code & 1;
    options.space.blockDiagonal = code & 2;
    SearchResult result = run(network, largeMachine(), options);
    ASSERT_TRUE(result.bound);
    EXPECT_NEAR(*result.bound, result.value(), 1e-9 * result.value());
    best[code] = result.value();
  }
  EXPECT_LT(best[3], best[2]);
  EXPECT_LT(best[2], best[0]);
  EXPECT_LT(best[3], best[1]);
  EXPECT_LT(best[1], best[0]);
}

TEST(SpaceTest, SerialLayersShareNoGroupAndSayWhy) {
  Network network = smallNetwork();
  SearchOptions options = quick(Optimizer::Fadiff);
  options.convention = Convention::Machine;
  options.space.blockDiagonal = false;
  SearchResult result = run(network, largeMachine(), options);
  ASSERT_FALSE(result.edges.empty());
  for (const EdgeDecision &edge : result.edges)
    EXPECT_NE(edge.reason.find("' computes one channel at a time "
                               "(block-diagonal=off)"),
              std::string::npos)
        << edge.reason;
  ASSERT_TRUE(result.bound);
  EXPECT_EQ(*result.bound, *result.unfusedBound);
}

INSTANTIATE_TEST_SUITE_P(All, EachOptimizer,
                         ::testing::ValuesIn(allValues<Optimizer>()),
                         [](const auto &info) {
                           return nameOf(info.param).str();
                         });

TEST(OptimizersTest, LearningBeatsChance) {
  Network network = smallNetwork();
  network.edges.clear();
  auto sumOfLogs = [&](Optimizer optimizer, uint64_t evaluations) {
    double sum = 0;
    for (uint64_t seed = 0; seed < 3; ++seed) {
      SearchOptions options = quick(optimizer);
      options.seed = seed;
      options.maxEvaluations = evaluations;
      sum += std::log(run(network, smallMachine(), options).value());
    }
    return sum / 3;
  };
  EXPECT_LT(sumOfLogs(Optimizer::Bo, 350),
            sumOfLogs(Optimizer::Random, 350) - 0.02);
  EXPECT_LT(sumOfLogs(Optimizer::Ga, 5000),
            sumOfLogs(Optimizer::Random, 5000) - 0.02);
}

// Draws that do not fit count as evaluations, or are drawn again: the first
// then are a part of the second.
TEST(OptimizersTest, RandomMappingsThatDoNotFit) {
  const Network network = smallNetwork();
  SearchOptions options = quick(Optimizer::Random);
  options.convention = Convention::Machine;
  options.fuse = Fuse::Off;
  for (uint64_t seed : {1, 2, 3}) {
    options.seed = seed;
    auto valueOf = [&](Misfits misfits) {
      options.misfits = misfits;
      const SearchResult result = run(network, smallMachine(), options);
      EXPECT_EQ(bytesOf(result),
                bytesOf(run(network, smallMachine(), options)));
      // Beside the one that each layer starts from.
      EXPECT_GE(result.evaluations, result.distinctLayers * 1500);
      EXPECT_LE(result.evaluations, result.distinctLayers * (1500 + 256));
      return result.value();
    };
    const double failed = valueOf(Misfits::Failed),
                 redrawn = valueOf(Misfits::Redrawn);
    EXPECT_LT(redrawn, failed);
  }
  // With a draw for each layer none may fit.
  unsigned found = 0, missed = 0;
  options.evaluationsPerLayer = 1;
  options.misfits = Misfits::Failed;
  Network one = network;
  one.layers.resize(1);
  one.edges.clear();
  for (options.seed = 0; options.seed < 40; ++options.seed) {
    auto result = search(one, smallMachine(), options);
    if (result) {
      ++found;
      continue;
    }
    ++missed;
    EXPECT_EQ(llvm::toString(result.takeError()),
              "layer '" + one.layers.front().name +
                  "': wanted a random mapping that fits the machine, found "
                  "none among 1 that were drawn with misfits=failed; draw "
                  "more, or choose misfits=repaired");
  }
  EXPECT_GT(found, 0u);
  EXPECT_GT(missed, 0u);
  options.optimizer = Optimizer::Ga;
  auto refused = search(network, smallMachine(), options);
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(llvm::toString(refused.takeError()),
            "misfits=failed says what random mappings are: wanted the "
            "optimizer 'random', found 'ga'");
}

TEST(OptimizersTest, ExactKnowsOnlyTheBuiltInCosts) {
  std::unique_ptr<CostFunction> cost = createCostFunction(Convention::Machine);
  SearchOptions options = quick(Optimizer::Exact);
  options.cost = cost.get();
  auto result = search(smallNetwork(), largeMachine(), options);
  ASSERT_FALSE(bool(result));
  EXPECT_NE(llvm::toString(result.takeError()).find("built-in"),
            std::string::npos);
}

/// A chain of 1x1 convolutions, each with other channel counts.
Network chainOf(unsigned layers) {
  Network network;
  for (unsigned i = 0; i < layers; ++i) {
    Layer layer;
    layer.name = "pw" + std::to_string(i);
    layer.dims[Dim::C] = 24 + 8 * i;
    layer.dims[Dim::K] = 24 + 8 * (i + 1);
    layer.dims[Dim::P] = layer.dims[Dim::Q] = 14;
    layer.inputExtent = {14, 14};
    network.layers.push_back(layer);
    if (i > 0)
      network.edges.push_back({i - 1, i, ""});
  }
  return network;
}

TEST(GrowthTest, ChainsCostInProportionToTheirLength) {
  SearchOptions options = quick(Optimizer::Fadiff);
  options.gradient.steps = 20;
  options.climb.sweeps = 3;
  SearchResult ten = run(chainOf(10), largeMachine(), options);
  SearchResult hundred = run(chainOf(100), largeMachine(), options);
  EXPECT_EQ(hundred.distinctLayers, 100u);
  // A chain of ten has fewer groups of eight per layer than a long one: 44
  // groups of two to eight against 7 for each layer.
  EXPECT_LT(hundred.evaluations, 10 * 2.5 * double(ten.evaluations));
  struct rusage usage;
  ASSERT_EQ(getrusage(RUSAGE_SELF, &usage), 0);
  EXPECT_LT(usage.ru_maxrss, 1024 * 1024) << "KB resident";
}

TEST(SummaryTest, SaysWhatWasFoundAndHowSureItIs) {
  Network network = smallNetwork();
  network.edges[0].blocked = "a softmax lies between";
  SearchOptions options = quick(Optimizer::Fadiff);
  options.seed = 9;
  SearchResult result = run(network, largeMachine(), options);
  Summary summary(network, result);
  ASSERT_TRUE(summary.unfusedGap().has_value());
  EXPECT_EQ(*summary.unfusedGap(), 0);
  EXPECT_EQ(result.exactLayers, result.distinctLayers);
  std::string text;
  llvm::raw_string_ostream os(text);
  summary.print(os);
  for (const char *part : {"best edp: ", "seed 9", "optimizer fadiff",
                           "gap 0.0000 %", "5 of 5 distinct layers exact",
                           "ended: done", "2 starts", "conv1 -> dw1: "})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
  llvm::json::Object json = summary.toJson();
  EXPECT_EQ(json.getNumber("value"), result.cost.edp());
  EXPECT_EQ(json.getNumber("unfused_gap"), 0.0);
  EXPECT_EQ(json.getInteger("seed"), 9);
  EXPECT_EQ(json.getArray("edges")->size(), network.edges.size());
  EXPECT_TRUE((*json.getArray("edges"))[0].getAsObject()->getString("reason"));
  // Something was fused here, and no bound is known for that.
  EXPECT_LT(result.value(), result.unfusedValue());
  EXPECT_TRUE(json.get("gap")->kind() == llvm::json::Value::Null);
  EXPECT_TRUE(json.get("lower_bound")->kind() == llvm::json::Value::Null);
  SearchResult bounded = result;
  bounded.bound = result.value();
  EXPECT_EQ(Summary(network, bounded).gap(), 0.0);
  // And what the value undercuts is no bound.
  bounded.bound = result.value() * 1.01;
  EXPECT_FALSE(Summary(network, bounded).gap().has_value());

  EXPECT_NE(text.find("space: uneven-tiles=on, block-diagonal=on\n"),
            std::string::npos);
  EXPECT_EQ(json.getBoolean("uneven_tiles"), true);

  options.optimizer = Optimizer::Random;
  options.space.blockDiagonal = false;
  SearchResult random = run(network, largeMachine(), options);
  text.clear();
  Summary(network, random).print(os);
  EXPECT_NE(text.find("space: uneven-tiles=on, block-diagonal=off\n"),
            std::string::npos);
  text.clear();
  Summary(network, random).printLine(os);
  EXPECT_NE(text.find("; space: uneven-tiles=on, block-diagonal=off"),
            std::string::npos);
  EXPECT_EQ(Summary(network, random).toJson().getBoolean("block_diagonal"),
            false);
  options.space = {};
  EXPECT_FALSE(Summary(network, random).unfusedGap().has_value());

  options.optimizer = Optimizer::Fadiff;
  options.fuse = Fuse::Off;
  SearchResult apart = run(network, largeMachine(), options);
  EXPECT_EQ(Summary(network, apart).gap(), 0.0);
}

TEST(PricesTest, TheSweepFindsTheBestSum) {
  std::mt19937_64 rng(4);
  auto draw = [&] { return 1 + double(rng() % 1000); };
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::vector<BoundPoint>> corners(3);
    std::vector<double> counts;
    for (auto &list : corners) {
      for (unsigned i = 0; i < 6; ++i)
        list.push_back({draw(), draw()});
      counts.push_back(1 + double(rng() % 4));
    }
    double least = 0;
    for (const BoundPoint &a : corners[0])
      for (const BoundPoint &b : corners[1])
        for (const BoundPoint &c : corners[2]) {
          double value = (counts[0] * a.energy + counts[1] * b.energy +
                          counts[2] * c.energy) *
                         (counts[0] * a.cycles + counts[1] * b.cycles +
                          counts[2] * c.cycles);
          if (least == 0 || value < least)
            least = value;
        }
    BestSum found = bestSum(corners, counts, Objective::Edp);
    EXPECT_NEAR(found.bound, least * 1e-6, 1e-15 * least);
    double energy = 0, cycles = 0;
    for (unsigned i = 0; i < 3; ++i) {
      energy += counts[i] * corners[i][found.indices[i]].energy;
      cycles += counts[i] * corners[i][found.indices[i]].cycles;
    }
    EXPECT_NEAR(energy * cycles, least, 1e-9 * least);
  }
}

TEST(DecodeTest, LegalFromAnywhereAndBetterThanRounding) {
  std::mt19937_64 rng(2);
  for (Convention convention : {Convention::Timeloop, Convention::Machine}) {
    auto cost = createCostFunction(convention);
    for (const Accelerator &target : {largeMachine(), smallMachine()})
      for (const Layer &layer : readNetwork("resnet18").layers) {
        LayerProblem problem{layer, target, *cost};
        Budget budget(0, nullptr);
        RelaxedMapping relaxed;
        for (auto &perDim : relaxed.logFactors)
          for (Dim dim : kAllDims)
            perDim[dim] = double(rng() % 1000) / 200 - 1;
        Candidate found = decode(problem, relaxed, Goal{}, budget);
        llvm::Error error = verify(layer, found.mapping, target);
        ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
        if (convention == Convention::Timeloop)
          EXPECT_TRUE(dividesEvenly(layer, found.mapping));
        Mapping rounded = roundToNearest(problem, relaxed);
        makeLegal(problem, rounded);
        Candidate plain = problem.evaluate(rounded, budget);
        EXPECT_LE(found.energy * found.cycles,
                  1.3 * plain.energy * plain.cycles);
      }
  }
}

// A spatial factor that is rounded down leaves more blocks of channels, each
// with rows of its own: what was shrunk to fit before need not fit behind it.
TEST(DecodeTest, RoundedToDivisorsStillFits) {
  Network network;
  Layer &matmul = network.layers.emplace_back();
  matmul.dims[Dim::N] = 86;
  matmul.dims[Dim::C] = 100;
  matmul.dims[Dim::K] = 32;
  matmul.outputBytes = 4;
  const Accelerator target = llvm::cantFail(findTarget("gemmini-small"));
  for (Optimizer optimizer :
       {Optimizer::Bo, Optimizer::Random, Optimizer::Ga, Optimizer::HillClimb})
    for (uint64_t seed = 1; seed <= 8; ++seed) {
      SearchOptions options;
      options.optimizer = optimizer;
      options.seed = seed;
      options.maxEvaluations = 50;
      options.space.unevenTiles = false;
      llvm::Expected<SearchResult> found = search(network, target, options);
      ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
      EXPECT_TRUE(dividesEvenly(matmul, found->schedule.mappings[0]));
    }
}

TEST(DecodeTest, LaddersByHand) {
  Layer layer;
  layer.dims[Dim::N] = 12;
  Mapping m;
  m.temporal[Level::Scratchpad][Dim::N] = 2;
  auto timeloop = createCostFunction(Convention::Timeloop);
  auto machine = createCostFunction(Convention::Machine);
  Accelerator target = largeMachine();
  EXPECT_EQ(
      factorLadder({layer, target, *timeloop}, m, Slot::Registers, Dim::N),
      (std::vector<int64_t>{1, 2, 3, 6}));
  m.temporal[Level::Scratchpad][Dim::N] = 1;
  EXPECT_EQ(factorLadder({layer, target, *machine}, m, Slot::Registers, Dim::N),
            (std::vector<int64_t>{1, 2, 3, 4, 6, 12}));
  layer.dims[Dim::N] = 1;
  layer.dims[Dim::K] = 40;
  // 40 / 2 = 20, / 3 = 14, / 4 = 10, ...; 32 columns at most.
  EXPECT_EQ(factorLadder({layer, target, *machine}, m, Slot::Spatial, Dim::K),
            (std::vector<int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 10, 14, 20, 32}));
}

TEST(BudgetTest, SharesAddUp) {
  Budget budget(0, nullptr, 1000);
  budget.evaluations = 100;
  Budget part = budget.share(3);
  part.evaluations = 299;
  EXPECT_FALSE(part.exhausted());
  part.evaluations = 300;
  EXPECT_TRUE(part.exhausted());
  budget.absorb(part);
  EXPECT_EQ(budget.evaluations, 400u);
  budget.useOnly(0.4);
  EXPECT_TRUE(budget.exhausted());
  budget.useOnly(1);
  EXPECT_FALSE(budget.exhausted());
  EXPECT_FALSE(Budget(0, nullptr).limited());
}

} // namespace
