//===- GivenTest.cpp - What the user has decided --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Baselines.h"
#include "fadiff/Search/Exact.h"
#include "fadiff/Search/Search.h"

#include "Networks.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace fadiff;
using namespace fadiff::test;

namespace {

/// The first depthwise blocks of MobileNetV1.
Network smallNetwork(unsigned layers = 5) {
  Network network = readNetwork("mobilenetv1");
  network.layers.resize(layers);
  llvm::erase_if(network.edges,
                 [&](const Edge &edge) { return edge.consumer >= layers; });
  return network;
}

SearchResult run(const Network &network, const SearchOptions &options,
                 const Accelerator &target = largeMachine()) {
  auto result = search(network, target, options);
  if (!result) {
    ADD_FAILURE() << llvm::toString(result.takeError());
    return {};
  }
  return std::move(*result);
}

std::string errorOf(const Network &network, const SearchOptions &options) {
  auto result = search(network, largeMachine(), options);
  return result ? "none" : llvm::toString(result.takeError());
}

/// The layers [0, count) as `schedule` has them.
Schedule firstOf(const Schedule &schedule, unsigned count) {
  Schedule given;
  given.mappings = schedule.mappings;
  for (const FusionGroup &group : schedule.groups)
    if (group.layers.back() < count)
      given.groups.push_back(group);
  return given;
}

TEST(GivenTest, TheBestOfWhatIsLeft) {
  const Network network = smallNetwork();
  const Accelerator target = largeMachine();
  for (Objective objective :
       {Objective::Edp, Objective::Energy, Objective::Latency}) {
    SearchOptions options;
    options.objective = objective;
    options.fuse = Fuse::Off;
    // Slow and wasteful, so that what it costs decides about the others.
    auto bad = squareTileMapping(network.layers[0], target);
    ASSERT_TRUE(bool(bad));
    options.given.mappings.assign(network.layers.size(), Mapping());
    options.given.mappings[0] = *bad;
    options.given.groups = {{{0}}};
    const LayerCost cost = evaluateLayer(network.layers[0], *bad, target);

    std::vector<LayerHull> hulls;
    for (unsigned i = 1; i < 5; ++i)
      hulls.push_back(llvm::cantFail(exactHull(network.layers[i], target, {})));
    double least = 0;
    for (const Candidate &a : hulls[0].points)
      for (const Candidate &b : hulls[1].points)
        for (const Candidate &c : hulls[2].points)
          for (const Candidate &d : hulls[3].points) {
            const double value = objectiveValue(
                objective,
                cost.energy + a.energy + b.energy + c.energy + d.energy,
                cost.cycles + a.cycles + b.cycles + c.cycles + d.cycles);
            if (least == 0 || value < least)
              least = value;
          }
    const SearchResult found = run(network, options);
    EXPECT_NEAR(found.value() / least, 1, 1e-9) << nameOf(objective).str();
    ASSERT_TRUE(found.bound);
    EXPECT_NEAR(*found.bound / least, 1, 1e-9);
    EXPECT_EQ(found.givenLayers, 1u);
    EXPECT_EQ(found.givenEnergy, cost.energy);
    EXPECT_EQ(found.schedule.mappings[0], *bad);
    EXPECT_EQ(found.distinctLayers, 4u);
  }
}

TEST(GivenTest, AGroupIsKeptAndEveryOptimizerKeepsIt) {
  const Network network = smallNetwork(15);
  SearchOptions options;
  const SearchResult whole = run(network, options);
  const unsigned first = unsigned(whole.schedule.groups.front().layers.size());
  ASSERT_GT(first, 1u) << "nothing is fused, so there is nothing to keep";
  ASSERT_LT(first, 15u);
  options.given = firstOf(whole.schedule, first);
  for (Optimizer optimizer :
       {Optimizer::Fadiff, Optimizer::Dosa, Optimizer::Ga, Optimizer::Bo,
        Optimizer::HillClimb, Optimizer::Random, Optimizer::Heuristic,
        Optimizer::Exact}) {
    options.optimizer = optimizer;
    options.evaluationsPerLayer = 200;
    options.bayesian.evaluationsPerLayer = 40;
    options.dosa.starts = 1;
    options.dosa.steps = 20;
    const SearchResult found = run(network, options);
    ASSERT_FALSE(found.schedule.groups.empty());
    EXPECT_EQ(found.schedule.groups.front().layers,
              whole.schedule.groups.front().layers)
        << nameOf(optimizer).str();
    for (unsigned i = 0; i < first; ++i)
      EXPECT_EQ(found.schedule.mappings[i], whole.schedule.mappings[i]);
    if (optimizer == Optimizer::Fadiff || optimizer == Optimizer::Exact)
      EXPECT_NEAR(found.value() / whole.value(), 1, 1e-9);
    else
      EXPECT_GE(found.value(), whole.value() * (1 - 1e-9));
    for (const EdgeDecision &decision : found.edges)
      if (network.edges[decision.edge].consumer < first)
        EXPECT_TRUE(decision.fused);
      else
        EXPECT_TRUE(decision.fused || !decision.reason.empty());
  }
}

TEST(GivenTest, TimeloopsCountsAndOtherFunctionsCountItToo) {
  const Network network = smallNetwork();
  SearchOptions options;
  options.convention = Convention::Timeloop;
  const SearchResult whole = run(network, options);
  options.given = firstOf(whole.schedule, 3);
  const SearchResult found = run(network, options);
  EXPECT_NEAR(found.cost.energy,
              evaluateSchedule(network, found.schedule, largeMachine(),
                               Convention::Timeloop)
                  .energy,
              1e-9 * found.cost.energy);
  EXPECT_LE(found.value(), whole.value() * (1 + 1e-9));
}

TEST(GivenTest, WhatIsNotLegalIsRefusedFirst) {
  const Network network = smallNetwork();
  SearchOptions options;
  const SearchResult whole = run(network, options);
  options.given = firstOf(whole.schedule, 5);
  Schedule &given = options.given;
  ASSERT_FALSE(given.groups.empty());
  given.mappings[0].rows = 4096;
  EXPECT_NE(errorOf(network, options).find("rule 'array-rows'"),
            std::string::npos)
      << errorOf(network, options);
  given = firstOf(whole.schedule, 5);
  given.groups.push_back(given.groups.front());
  EXPECT_NE(errorOf(network, options).find("found 'conv1' in two"),
            std::string::npos)
      << errorOf(network, options);
  given = firstOf(whole.schedule, 5);
  given.groups.front().layers = {7};
  EXPECT_NE(errorOf(network, options).find("wanted layer numbers below 5"),
            std::string::npos)
      << errorOf(network, options);
  given.mappings.pop_back();
  EXPECT_NE(errorOf(network, options).find("wanted a mapping per layer"),
            std::string::npos)
      << errorOf(network, options);
}

TEST(MarksTest, PairsThatHaveToShareAGroup) {
  Network network = smallNetwork();
  SearchOptions options;
  Accelerator target = smallMachine();
  target.scratchpadBytes /= 2;
  const SearchResult free = run(network, options, target);
  unsigned joined = 0;
  for (const EdgeDecision &decision : free.edges) {
    if (decision.fused)
      continue;
    Edge &edge = network.edges[decision.edge];
    edge.mustFuse = true;
    auto found = search(network, target, options);
    if (found) {
      ++joined;
      EXPECT_TRUE(found->edges[decision.edge].fused);
      EXPECT_GE(found->value(), free.value() * (1 - 1e-9));
      // True of all cuts, so of these.
      ASSERT_TRUE(found->bound && free.bound);
      EXPECT_NEAR(*found->bound / *free.bound, 1, 1e-9);
    } else {
      EXPECT_NE(llvm::toString(found.takeError()).find("no tile fits"),
                std::string::npos);
    }
    edge.mustFuse = false;
  }
  EXPECT_GT(joined, 0u) << "all is fused anyway, or nothing can be";
}

TEST(MarksTest, EveryOptimizerKeepsThemOrSaysThatItCannot) {
  Network network = smallNetwork();
  SearchOptions options;
  options.evaluationsPerLayer = 500;
  options.bayesian.evaluationsPerLayer = 40;
  Edge &edge = network.edges[1];
  edge.mustFuse = true;
  // By enumeration and by searched groups.
  for (Convention convention : {Convention::Machine, Convention::Timeloop})
    for (Optimizer optimizer : {Optimizer::Fadiff, Optimizer::Ga, Optimizer::Bo,
                                Optimizer::HillClimb, Optimizer::Random}) {
      options.optimizer = optimizer;
      options.convention = convention;
      EXPECT_TRUE(run(network, options).edges[1].fused)
          << nameOf(optimizer).str();
    }
  for (Optimizer optimizer : {Optimizer::Dosa, Optimizer::Heuristic}) {
    options.optimizer = optimizer;
    EXPECT_NE(errorOf(network, options).find("has to share a fusion group"),
              std::string::npos)
        << nameOf(optimizer).str();
  }
  options.optimizer = Optimizer::Fadiff;
  options.fuse = Fuse::Off;
  EXPECT_NE(errorOf(network, options).find("fusion was not asked for"),
            std::string::npos);
  options.fuse = Fuse::On;
  edge.blocked = "a softmax lies between";
  EXPECT_NE(errorOf(network, options).find("a softmax lies between"),
            std::string::npos);
}

} // namespace
