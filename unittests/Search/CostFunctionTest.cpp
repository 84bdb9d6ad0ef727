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
