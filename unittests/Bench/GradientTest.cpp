//===- GradientTest.cpp - The gradient against what is known --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Gradient.h"
#include "fadiff/Bench/Attack.h"
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

} // namespace
