//===- GradientTest.cpp - The gradient against what is known --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Gradient.h"
#include "fadiff/Bench/Attack.h"
#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Schedule/Schedule.h"
#include "gtest/gtest.h"

using namespace fadiff;

namespace {

// Without any enumeration.
TEST(GradientTest, EndsNextToTheOptimum) {
  GradientComparison options;
  options.networks = false;
  options.seed = 7;
  options.cells = 40;
  auto cells = compareGradient(options);
  ASSERT_TRUE(bool(cells)) << llvm::toString(cells.takeError());
  unsigned close = 0;
  for (const GradientCell &cell : *cells) {
    // What is known has a proof, or nearly: nothing is below it by more.
    EXPECT_GE(cell.gradient.value, cell.known.value * 0.98) << cell.name;
    close += cell.gradient.value <= 1.01 * cell.known.value;
  }
  EXPECT_GE(close, 36u);
}

// In the time of the emitted streams, which no slope knows, it settles as what
// is enumerated does.
TEST(GradientTest, SettlesByStreams) {
  GradientComparison options;
  options.networks = false;
  options.seed = 7;
  options.cells = 6;
  options.latency = Latency::Streams;
  auto cells = compareGradient(options);
  ASSERT_TRUE(bool(cells)) << llvm::toString(cells.takeError());
  unsigned close = 0;
  for (const GradientCell &cell : *cells)
    close += cell.gradient.value <= 1.01 * cell.known.value;
  EXPECT_GE(close, 5u);

  const AttackCell cell = attackCell(options.seed, /*number=*/9);
  SearchOptions how;
  how.latency = Latency::Streams;
  how.optimizer = Optimizer::Gradient;
  auto found = search(cell.network, cell.target, how);
  ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
  EXPECT_EQ(found->optimizer, Optimizer::Gradient);
  EXPECT_FALSE(found->bound);
  const auto cost =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Streams);
  const ScheduleCost own =
      evaluateSchedule(cell.network, found->schedule, cell.target, *cost);
  EXPECT_DOUBLE_EQ(found->cost.cycles, own.cycles);
  EXPECT_DOUBLE_EQ(found->cost.energy, own.energy);
}

// Layers with more rows than the enumeration of groups takes.
TEST(GradientTest, GroupsOfLargeImagesAreFound) {
  const AttackCell cell = largeCell(/*seed=*/1, /*number=*/39);
  ASSERT_EQ(cell.network.layers.size(), 7u);
  ASSERT_GT(cell.network.layers.front().dims[Dim::P], 1000);
  SearchOptions options;
  options.gradient.starts = 1;
  options.gradient.steps = 5;
  options.optimizer = Optimizer::Gradient;
  auto found = search(cell.network, cell.target, options);
  ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
  llvm::Error error = verify(cell.network, found->schedule, cell.target);
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  EXPECT_LT(found->schedule.groups.size(), 7u);
  EXPECT_FALSE(found->bound);
}

// Lists of single tiles go on to members that no group has, as options are
// listed whether or not those of neighbours agree with them.
TEST(GradientTest, GroupsStartNoEarlierThanBoundsSay) {
  const Network all = largeCell(/*seed=*/20261128, /*number=*/14).network;
  Network network;
  for (unsigned i = 0; i < 12; ++i) {
    network.layers.push_back(all.layers[24 + i]);
    if (i > 0)
      network.edges.push_back({i - 1, i, ""});
  }
  const Accelerator target = largeCell(20261128, 14).target;
  SearchOptions options;
  options.optimizer = Optimizer::Gradient;
  options.gradient.steps = 0;
  auto found = search(network, target, options);
  ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
  llvm::Error error = verify(network, found->schedule, target);
  EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
}

// However little time there is, what comes back is legal.
TEST(GradientTest, LittleTimeIsEnoughForALegalSchedule) {
  const AttackCell cell = largeCell(/*seed=*/1, /*number=*/0);
  for (double seconds : {0.001, 0.05, 0.3, 1.0}) {
    SearchOptions options;
    options.timeLimit = seconds;
    options.optimizer = Optimizer::Gradient;
    auto found = search(cell.network, cell.target, options);
    ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
    llvm::Error error = verify(cell.network, found->schedule, cell.target);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  }
}

// Groups of long chains are listed without what comes far before them. What
// that says of their members is true.
TEST(GradientTest, GroupsInALongChainCostWhatWasListed) {
  Network network;
  for (unsigned i = 0; i < 520; ++i) {
    Layer layer;
    layer.name = "conv" + std::to_string(i);
    layer.dims[Dim::C] = layer.dims[Dim::K] = 16;
    for (Axis axis : kAllAxes) {
      layer.dims[outputDim(axis)] = layer.inputExtent[axis] = 64;
      layer.dims[kernelDim(axis)] = 3;
      layer.padLow[axis] = 1;
    }
    network.layers.push_back(layer);
    if (i > 0)
      network.edges.push_back({i - 1, i, ""});
  }
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini-small"));
  SearchOptions options;
  options.optimizer = Optimizer::Gradient;
  options.gradient.starts = 1;
  options.gradient.steps = 3;
  options.climb.restarts = 2;
  auto found = search(network, target, options);
  ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
  const auto cost =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Roofline);
  unsigned keeping = 0;
  for (const FusionGroup &group : found->schedule.groups) {
    if (group.layers.size() < 2)
      continue;
    keeping += group.keeps.has_value();
    const GroupCost own =
        evaluateGroup(network, found->schedule, group, target, *cost);
    const EdgeDecision &edge = found->edges[group.layers.front()];
    EXPECT_NEAR(edge.energy, own.energy, 1e-9 * own.energy);
    EXPECT_NEAR(edge.cycles, own.cycles, 1e-9 * own.cycles);
  }
  EXPECT_GT(keeping, 10u);
}

} // namespace
