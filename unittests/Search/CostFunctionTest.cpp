//===- CostFunctionTest.cpp - Costs of somebody else's --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Networks.h"
#include "fadiff/Search/Baselines.h"
#include "fadiff/Search/Search.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace fadiff;
using namespace fadiff::test;

namespace {

/// A machine that pays for nothing but DRAM words.
class DramOnly : public CostFunction {
public:
  LayerCost evaluate(const Layer &layer, const Mapping &mapping,
                     const Accelerator &target,
                     const FusedEnds<double> &fused) const override {
    LayerCost cost =
        evaluateLayer(layer, mapping, target, Convention::Machine, fused);
    cost.energy = cost.dramBytes.total();
    cost.cycles = 1;
    return cost;
  }
};

TEST(CostFunctionTest, BuiltInIsEvaluateLayer) {
  Accelerator target = largeMachine();
  std::mt19937_64 rng(3);
  for (Convention convention : {Convention::Machine, Convention::Timeloop}) {
    auto cost = createCostFunction(convention);
    EXPECT_EQ(cost->wantsDivisors(), convention == Convention::Timeloop);
    for (const Layer &layer : readNetwork("resnet18").layers) {
      Mapping mapping = llvm::cantFail(randomMapping(layer, target, rng));
      FactorSlopes energy, cycles;
      LayerCost a = evaluateLayer(layer, mapping, target, convention);
      LayerCost b = cost->evaluate(layer, mapping, target);
      LayerCost c = cost->differentiate(layer, mapping, target, energy, cycles);
      EXPECT_EQ(a.energy, b.energy);
      EXPECT_EQ(a.energy, c.energy);
      EXPECT_EQ(a.cycles, c.cycles);
    }
  }
}

/// By hand: a GEMM whose input is fetched once per K tile at DRAM. Doubling the
/// accumulator's K factor halves the fetches of I.
TEST(CostFunctionTest, SlopesFollowTheTraffic) {
  Layer layer;
  layer.dims[Dim::N] = 64;
  layer.dims[Dim::K] = 64;
  layer.dims[Dim::C] = 64;
  Accelerator target = largeMachine();
  target.energyPerMac = 0;
  target.energyPerAccess = PerLevel<double>(0.0);
  target.energyPerAccess[Level::Dram] = 1;
  Mapping mapping;
  mapping.rows = 32;
  mapping.cols = 8;
  mapping.temporal[Level::Registers][Dim::N] = 32;
  mapping.temporal[Level::Accumulator][Dim::K] = 2;
  mapping.temporal[Level::Accumulator][Dim::C] = 2;
  mapping.temporal[Level::Dram][Dim::N] = 2;
  mapping.temporal[Level::Dram][Dim::K] = 4;
  // K outside of N: I is fetched for every K tile, W once.
  mapping.order[Level::Dram] = {Dim::N, Dim::K, Dim::G, Dim::C,
                                Dim::P, Dim::Q, Dim::R, Dim::S};
  auto cost = createCostFunction(Convention::Timeloop);
  FactorSlopes energy, cycles;
  LayerCost here = cost->differentiate(layer, mapping, target, energy, cycles);
  double input = here.dramBytes.input;
  EXPECT_EQ(input, 64 * 64 * 4);
  // I ~ 1 / (K tile): d I / d log f = -I. W and O do not change.
  EXPECT_NEAR(energy.temporal[Level::Accumulator][Dim::K], -input,
              1e-6 * input);
  EXPECT_NEAR(energy.cols, -input, 1e-6 * input);
}

/// Linear in the logs, so central differences are exact.
TEST(CostFunctionTest, DefaultSlopesAreCentralDifferences) {
  class Linear : public CostFunction {
    LayerCost evaluate(const Layer &, const Mapping &mapping,
                       const Accelerator &,
                       const FusedEnds<double> &) const override {
      LayerCost cost;
      cost.energy =
          100 +
          3 * std::log(double(mapping.temporal[Level::Accumulator][Dim::K])) -
          2 * std::log(double(mapping.cols));
      cost.cycles =
          50 + std::log(double(mapping.temporal[Level::Registers][Dim::N]));
      return cost;
    }
  } linear;
  Layer layer;
  layer.dims[Dim::N] = layer.dims[Dim::K] = layer.dims[Dim::C] = 64;
  Mapping mapping;
  mapping.cols = 8;
  mapping.temporal[Level::Registers][Dim::N] = 4;
  mapping.temporal[Level::Accumulator][Dim::K] = 2;
  FactorSlopes energy, cycles;
  linear.differentiate(layer, mapping, largeMachine(), energy, cycles);
  EXPECT_NEAR(energy.temporal[Level::Accumulator][Dim::K], 3, 1e-12);
  EXPECT_NEAR(energy.cols, -2, 1e-12);
  EXPECT_NEAR(energy.rows, 0, 1e-12);
  EXPECT_NEAR(cycles.temporal[Level::Registers][Dim::N], 1, 1e-12);
  EXPECT_NEAR(cycles.cols, 0, 1e-12);
}

/// The roofline of a group, from its members' counts: all overlaps, as in a
/// layer alone; nothing between members; DeFiNES in between or above.
TEST(CostFunctionTest, GroupsOverlapAsTheyAreToldTo) {
  Network network;
  for (unsigned i = 0; i < 3; ++i) {
    Layer layer;
    layer.name = "layer" + std::to_string(i);
    layer.dims[Dim::N] = 64;
    layer.dims[Dim::C] = i == 1 ? 256 : 32;
    layer.dims[Dim::K] = i == 0 ? 256 : 32;
    network.layers.push_back(layer);
    if (i > 0)
      network.edges.push_back({i - 1, i, ""});
  }
  Accelerator target = largeMachine();
  target.bandwidth[Level::Registers] = 0; // DeFiNES has none
  // The second member computes longest, the others wait for DRAM.
  target.bandwidth[Level::Dram] = 18;
  target.bandwidth[Level::Scratchpad] = 1000;
  const FusionGroup group{{0, 1, 2}};
  bool overlapped = false;
  for (int64_t rows : {64, 16}) {
    Schedule schedule;
    schedule.groups = {group};
    for (const Layer &layer : network.layers) {
      Mapping m;
      m.rows = m.cols = 32;
      m.temporal[Level::Registers][Dim::N] = rows;
      m.temporal[Level::Accumulator][Dim::C] = layer.dims[Dim::C] / 32;
      m.temporal[Level::Accumulator][Dim::K] = layer.dims[Dim::K] / 32;
      m.temporal[Level::Dram][Dim::N] = 64 / rows;
      schedule.mappings.push_back(m);
    }
    auto costBy = [&](Convention convention, GroupOverlap overlap) {
      return evaluateGroup(network, schedule, group, target,
                           *createCostFunction(convention, Model::Exact,
                                               Latency::Roofline, overlap));
    };
    const Convention timeloop = Convention::Timeloop;
    const GroupCost one = costBy(timeloop, GroupOverlap::Layer);
    const GroupCost defines = costBy(timeloop, GroupOverlap::Defines);
    const GroupCost paper = costBy(timeloop, GroupOverlap::Paper);
    double array = 0, dram = 0, scratchpad = 0, own = 0;
    for (const MemberCost &member : one.members) {
      array += double(member.macs) / (32 * 32);
      dram += member.accesses(Level::Dram) / target.bandwidth[Level::Dram];
      scratchpad += member.accesses(Level::Scratchpad) /
                    target.bandwidth[Level::Scratchpad];
      own += member.cycles;
    }
    EXPECT_DOUBLE_EQ(one.cycles, std::max({array, dram, scratchpad}));
    EXPECT_DOUBLE_EQ(paper.cycles, own);
    EXPECT_LT(one.cycles, paper.cycles);
    EXPECT_LT(one.cycles, defines.cycles);
    EXPECT_GT(defines.serialCycles, 0);
    EXPECT_EQ(one.serialCycles, 0);
    EXPECT_EQ(one.energy, defines.energy);
    EXPECT_EQ(one.energy, paper.energy);
    overlapped |= paper.cycles != defines.cycles;
    // The machine's members follow each other whatever is asked for.
    EXPECT_EQ(costBy(Convention::Machine, GroupOverlap::Layer).cycles,
              costBy(Convention::Machine, GroupOverlap::Paper).cycles);
  }
  EXPECT_TRUE(overlapped);
}

TEST(CostFunctionTest, SearchMinimisesAForeignCost) {
  DramOnly foreign;
  for (const Accelerator &target : {largeMachine(), smallMachine()}) {
    Network network = readNetwork("resnet18");
    network.layers.resize(4);
    network.edges.clear();
    SearchOptions options;
    options.gradient.starts = 2;
    options.gradient.steps = 60;
    SearchResult usual = llvm::cantFail(search(network, target, options));
    options.cost = &foreign;
    SearchResult result = llvm::cantFail(search(network, target, options));
    ScheduleCost judged =
        evaluateSchedule(network, usual.schedule, target, foreign);
    EXPECT_LE(result.cost.energy, judged.energy);
    EXPECT_EQ(result.cost.energy, result.cost.dramBytes.total());
    EXPECT_EQ(result.cost.cycles, 4);
  }
}

} // namespace
