//===- StreamsTest.cpp - The search in the emitted streams' time ----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/CostModel.h"
#include "fadiff/CostModel/StreamWalks.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Search/Anneal.h"
#include "fadiff/Search/Baselines.h"
#include "fadiff/Search/Search.h"

#include "Networks.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <limits>
#include <random>

using namespace fadiff;
using namespace fadiff::test;

namespace {

Network firstLayers(const std::string &name, unsigned layers) {
  Network network = readNetwork(name);
  network.layers.resize(layers);
  if (!network.operands.empty())
    network.operands.resize(layers);
  llvm::erase_if(network.edges,
                 [&](const Edge &edge) { return edge.consumer >= layers; });
  return network;
}

SearchOptions byStreams(Objective objective = Objective::Edp) {
  SearchOptions options;
  options.objective = objective;
  options.latency = Latency::Streams;
  options.streams.whole.count = options.streams.wholeOfFew.count = 2000;
  return options;
}

SearchResult run(const Network &network, const SearchOptions &options,
                 const Accelerator &target) {
  auto result = search(network, target, options);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  return std::move(*result);
}

ScheduleCost streamsOf(const Network &network, const Schedule &schedule,
                       const Accelerator &target) {
  return evaluateSchedule(
      network, schedule, target,
      *createCostFunction(Convention::Machine, Model::Exact, Latency::Streams));
}

TEST(StreamsTest, NotBelowWhatUnitsAreBusyWhateverTheMapping) {
  const auto busy =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Busy);
  const auto streams =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Streams);
  std::mt19937_64 rng(3);
  unsigned equal = 0;
  for (const Accelerator &target :
       {largeMachine(), smallMachine(), stockMachine()})
    for (const char *name : {"resnet18", "mobilenetv1", "gpt3-block"})
      for (const Layer &layer : readNetwork(name).layers) {
        auto mapping = squareTileMapping(layer, target);
        ASSERT_TRUE(bool(mapping)) << llvm::toString(mapping.takeError());
        for (unsigned i = 0; i < 4; ++i) {
          const LayerCost least = busy->evaluate(layer, *mapping, target);
          const LayerCost cost = streams->evaluate(layer, *mapping, target);
          EXPECT_GE(cost.cycles, least.cycles) << layer.name;
          EXPECT_EQ(cost.energy, least.energy) << layer.name;
          equal += cost.cycles == least.cycles;
          // Another one, which need not be legal.
          for (Level level : {Level::Registers, Level::Scratchpad})
            for (Dim dim : kAllDims)
              mapping->temporal[level][dim] = 1 + int64_t(rng() % 4);
        }
      }
  EXPECT_GT(equal, 0u); // there are such, so that is asked
}

TEST(StreamsTest, WalksThatAreKeptAreThoseThatWouldBeDone) {
  const auto plain =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Streams);
  std::mt19937_64 rng(5);
  for (const Accelerator &target : {largeMachine(), smallMachine()}) {
    StreamWalks walks(target);
    const auto keeps =
        createCostFunction(Convention::Machine, Model::Exact, Latency::Streams,
                           GroupOverlap::Layer, &walks);
    size_t asked = 0;
    for (const char *name : {"resnet18", "mobilenetv1"}) {
      const Network network = firstLayers(name, 5);
      SearchOptions options = byStreams();
      options.streams.whole.count = options.streams.wholeOfFew.count = 200;
      const Schedule found = run(network, options, target).schedule;
      for (const FusionGroup &group : found.groups) {
        if (group.keeps == Axis::W)
          continue;
        for (size_t i = 0; i < group.layers.size(); ++i)
          for (unsigned trial = 0; trial < 40; ++trial) {
            // It need not be legal.
            Mapping mapping = found.mappings[group.layers[i]];
            for (unsigned n = trial % 4; n > 0; --n) {
              const Level level = kAllLevels[rng() % 3];
              mapping.temporal[level][kAllDims[rng() % kNumDims]] =
                  1 + int64_t(rng() % 4);
            }
            LoopOrder &order = mapping.order[kAllLevels[rng() % 4]];
            std::swap(order[rng() % kNumDims], order[rng() % kNumDims]);
            auto by = [&](const CostFunction &cost) -> LayerCost {
              if (!group.isTiled())
                return cost.evaluate(network.layers[group.layers[i]], mapping,
                                     target);
              return cost.evaluateMember(GroupTiles(network, found, group), i,
                                         mapping, target);
            };
            ++asked;
            EXPECT_EQ(by(*keeps).cycles, by(*plain).cycles) << name;
          }
      }
    }
    EXPECT_LT(walks.size(), asked * 9 / 10);
    EXPECT_GT(walks.size(), asked / 10);
  }
}

TEST(StreamsTest, WalksThatAreKeptMayCountAnew) {
  const Accelerator target = smallMachine();
  StreamWalks walks(target);
  const auto cost =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Streams,
                         GroupOverlap::Layer, &walks);
  const Layer layer = readNetwork("resnet18").layers[1];
  const Mapping mapping = llvm::cantFail(heuristicMapping(layer, target));
  const double cycles = cost->evaluate(layer, mapping, target).cycles;
  const uint64_t once = walks.commandsWalked();
  EXPECT_GT(once, 0u);
  EXPECT_EQ(cost->evaluate(layer, mapping, target).cycles, cycles);
  EXPECT_EQ(walks.commandsWalked(), once);
  walks.countAnew();
  for (unsigned again = 0; again < 2; ++again)
    EXPECT_EQ(cost->evaluate(layer, mapping, target).cycles, cycles);
  EXPECT_EQ(walks.commandsWalked(), 2 * once);
  EXPECT_EQ(walks.size(), 1u);
}

TEST(StreamsTest, BetterThanWhatTheRooflineFinds) {
  for (const Accelerator &target :
       {largeMachine(), smallMachine(), stockMachine()}) {
    double frugal = std::numeric_limits<double>::infinity();
    for (Objective objective : {Objective::Edp, Objective::Latency}) {
      const Network network = firstLayers("mobilenetv1", 4);
      SearchOptions roofline;
      roofline.objective = objective;
      const SearchResult before = run(network, roofline, target);
      const SearchResult found = run(network, byStreams(objective), target);
      const ScheduleCost old = streamsOf(network, before.schedule, target);
      const ScheduleCost cost = streamsOf(network, found.schedule, target);
      EXPECT_DOUBLE_EQ(found.cost.cycles, cost.cycles);
      EXPECT_DOUBLE_EQ(found.cost.energy, cost.energy);
      EXPECT_LT(found.value(), found.value(old.energy, old.cycles));
      EXPECT_LE(found.value(), found.unfusedValue());
      // What is found for latency is the fastest.
      EXPECT_LE(objective == Objective::Latency ? found.cost.cycles : 0,
                frugal);
      frugal = found.cost.cycles;
      llvm::Error error = verify(network, found.schedule, target);
      EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
      // A bound of what units are busy holds for a time that is never below it.
      ASSERT_TRUE(found.bound.has_value());
      SearchOptions busy = roofline;
      busy.latency = Latency::Busy;
      EXPECT_EQ(found.bound, run(network, busy, target).bound);
      EXPECT_GE(found.value(), *found.bound);
      // Each edge tells what the schedule is.
      for (const EdgeDecision &decision : found.edges) {
        const Edge &edge = network.edges[decision.edge];
        const bool fused =
            llvm::any_of(found.schedule.groups, [&](const FusionGroup &group) {
              return llvm::is_contained(group.layers, edge.producer) &&
                     llvm::is_contained(group.layers, edge.consumer);
            });
        EXPECT_EQ(decision.fused, fused);
        EXPECT_EQ(decision.reason.empty(), fused);
      }
    }
  }
}

TEST(StreamsTest, GroupsAreGivenUpWhereLayersAreFasterAlone) {
  // Loads of a group's members hide behind nothing, and this machine's bus is
  // slow to answer: the roofline fuses, the streams do not.
  const Network network = firstLayers("mobilenetv1", 5);
  unsigned givenUp = 0;
  for (int64_t latency : {400, 1600}) {
    Accelerator target = smallMachine();
    target.dmaLatency = latency;
    SearchOptions roofline;
    const SearchResult before = run(network, roofline, target);
    const SearchResult found = run(network, byStreams(), target);
    for (auto [old, now] : llvm::zip_equal(before.edges, found.edges))
      givenUp += old.fused && !now.fused;
  }
  EXPECT_GT(givenUp, 0u);
}

TEST(StreamsTest, KeepsWhatIsGivenAndAsked) {
  Network network = firstLayers("mobilenetv1", 5);
  const Accelerator target = largeMachine();
  // A mapping that nobody would choose.
  SearchOptions options = byStreams();
  auto thumb = squareTileMapping(network.layers[4], target);
  ASSERT_TRUE(bool(thumb)) << llvm::toString(thumb.takeError());
  options.given.mappings.resize(5);
  options.given.mappings[4] = *thumb;
  options.given.groups.emplace_back().layers = {4};
  const SearchResult pinned = run(network, options, target);
  EXPECT_EQ(pinned.schedule.mappings[4], *thumb);
  EXPECT_EQ(pinned.givenLayers, 1u);
  ASSERT_TRUE(pinned.bound.has_value());
  EXPECT_GE(pinned.value(), *pinned.bound);

  // So that it stays a group, however slow.
  network.edges[0].mustFuse = true;
  Accelerator slow = smallMachine();
  slow.dmaLatency = 1600;
  const SearchResult fused = run(network, byStreams(), slow);
  EXPECT_TRUE(fused.edges[0].fused);

  network.edges[0].mustFuse = false;
  network.edges[0].blocked = "somebody said so";
  EXPECT_FALSE(run(network, byStreams(), target).edges[0].fused);
}

TEST(StreamsTest, ALimitIsOneOfTheStreams) {
  const Network network = firstLayers("mobilenetv1", 5);
  const Accelerator target = smallMachine();
  const SearchResult fastest =
      run(network, byStreams(Objective::Latency), target);
  SearchOptions options = byStreams(Objective::Energy);
  const double most = 1.1 * fastest.cost.cycles;
  options.constraint = llvm::cantFail(
      parseConstraint("latency<=" + std::to_string(int64_t(most)) + "cycles"));
  const SearchResult found = run(network, options, target);
  EXPECT_LE(found.cost.cycles, most);
  ASSERT_TRUE(found.constraint.has_value());
  EXPECT_EQ(found.constraint->text, options.constraint->text);
  EXPECT_EQ(found.objective, Objective::Energy);
  // And one that nothing keeps is refused, with what there is.
  options.constraint = llvm::cantFail(parseConstraint(
      "latency<=" + std::to_string(int64_t(0.5 * fastest.cost.cycles)) +
      "cycles"));
  auto none = search(network, target, options);
  ASSERT_FALSE(bool(none));
  EXPECT_NE(
      llvm::toString(none.takeError()).find("wanted a schedule of at most"),
      std::string::npos);
}

TEST(StreamsTest, SameSeedSameResultAndOthersSearchByItToo) {
  const Network network = firstLayers("mobilenetv1", 3);
  const Accelerator target = smallMachine();
  const SearchResult one = run(network, byStreams(), target);
  const SearchResult two = run(network, byStreams(), target);
  EXPECT_EQ(one.cost.cycles, two.cost.cycles);
  EXPECT_EQ(one.schedule.mappings, two.schedule.mappings);
  SearchOptions climbs = byStreams();
  climbs.optimizer = Optimizer::HillClimb;
  climbs.maxEvaluations = 2000;
  const SearchResult climbed = run(network, climbs, target);
  EXPECT_DOUBLE_EQ(climbed.cost.cycles,
                   streamsOf(network, climbed.schedule, target).cycles);
  SearchOptions exact = byStreams();
  exact.optimizer = Optimizer::Exact;
  auto refused = search(network, target, exact);
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(
      llvm::toString(refused.takeError()),
      "the optimizer 'exact' enumerates by latency 'roofline' or 'issue', "
      "found 'streams'; choose the optimizer 'fadiff', which goes on from "
      "what it enumerates");
}

// What one of them comes to, another may never get to from where it begins:
// left to themselves some of these take 1.4 times what the array has to do.
TEST(StreamsTest, LayersTryWhatIsGoodForOthers) {
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini-small"));
  Network network = readNetwork("vgg16");
  network.edges.clear();
  network.operands.clear();
  llvm::erase_if(network.layers, [](const Layer &layer) {
    return layer.dims[Dim::R] != 3 || layer.dims[Dim::C] < 64;
  });
  ASSERT_EQ(network.layers.size(), 12u);
  SearchOptions options;
  options.objective = Objective::Latency;
  options.latency = Latency::Streams;
  const SearchResult found = run(network, options, target);
  for (auto [layer, mapping] :
       llvm::zip_equal(network.layers, found.schedule.mappings)) {
    if (layer.dims[Dim::Q] < 28) // too small to be cut well
      continue;
    EXPECT_LE(walkedCycles(layer, mapping, target),
              1.3 * double(layer.macs()) / double(target.side * target.side))
        << layer.name;
  }
}

/// ResNet18's first layer, kernel rows as channels, with the pooling behind it.
Network pooledConvolution() {
  Network network = firstLayers("resnet18", 1);
  Layer &layer = network.layers.front();
  layer = withTapsPacked(layer, PackedTaps::Columns);
  MaxPool &pool = layer.pool.emplace();
  pool.size = 3;
  pool.stride = 2;
  pool.padLow = PerAxis<int64_t>(1, 1);
  pool.outputs = PerAxis<int64_t>(56, 56);
  return network;
}

TEST(StreamsTest, OtherTilesAreLegalAndTheBestComeFirst) {
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini-small"));
  const Network network = pooledConvolution();
  SearchOptions busy;
  busy.latency = Latency::Busy;
  busy.countCore = true;
  const Schedule start = run(network, busy, target).schedule;
  ASSERT_TRUE(start.groups.front().poolsOutput);
  const auto cost =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Streams);
  AnnealOptions options;
  options.objective = Objective::Latency;
  auto cyclesOf = [&](const Schedule &schedule) {
    return evaluateSchedule(network, schedule, target, cost->quick()).cycles;
  };
  auto tileOf = [&](const Schedule &schedule) {
    return GroupTiles(network, schedule, schedule.groups.front()).tile();
  };
  const std::vector<Schedule> all = withOtherTiles(
      network, target, cost->quick(), start, TileParts::All, 1000, options);
  ASSERT_GE(all.size(), 20u);
  for (auto [i, schedule] : llvm::enumerate(all)) {
    llvm::Error error = verify(network, schedule, target);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    EXPECT_EQ(schedule.groups, start.groups);
    EXPECT_FALSE(tileOf(schedule) == tileOf(start));
    for (size_t before = 0; before < i; ++before)
      EXPECT_FALSE(tileOf(schedule) == tileOf(all[before]));
    if (i > 0) {
      EXPECT_LE(cyclesOf(all[i - 1]), cyclesOf(schedule));
    }
  }
  const std::vector<Schedule> best = withOtherTiles(
      network, target, cost->quick(), start, TileParts::All, 5, options);
  ASSERT_EQ(best.size(), 5u);
  for (auto [schedule, of] : llvm::zip(best, all))
    EXPECT_EQ(schedule.mappings, of.mappings);
  EXPECT_LT(withOtherTiles(network, target, cost->quick(), start,
                           TileParts::Halves, 1000, options)
                .size(),
            all.size());
}

// Climbs leave the tile of a group as it is: from what is best by busy units
// they do not get below 2.1 million cycles here.
TEST(StreamsTest, GroupsTakeTilesThatAreFast) {
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini-small"));
  SearchOptions options = byStreams(Objective::Latency);
  options.countCore = true;
  options.streams.fewLayers = 0;
  options.streams.whole.count = options.streams.own.count = 0;
  const SearchResult found = run(pooledConvolution(), options, target);
  EXPECT_TRUE(found.schedule.groups.front().poolsOutput);
  EXPECT_LE(found.cost.cycles, 1.9e6);
}

TEST(StreamsTest, WhatTheCoreDoesBesidesDoesNotMakeChangesHotter) {
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini-large"));
  const Network network = firstLayers("mobilenetv1", 6);
  SearchOptions options = byStreams(Objective::Latency);
  options.countCore = true;
  // Only the changes of the whole network.
  options.streams.own.count = options.streams.ownOfFew.count = 0;
  const SearchResult alone = run(network, options, target);
  options.coreCycles = 1000 * alone.cost.cycles;
  const SearchResult beside = run(network, options, target);
  // But for what EDP begins with, which is one of the starts.
  EXPECT_NEAR(beside.cost.cycles, options.coreCycles + alone.cost.cycles,
              0.02 * alone.cost.cycles);
}

} // namespace
