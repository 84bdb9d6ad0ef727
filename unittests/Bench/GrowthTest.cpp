//===- GrowthTest.cpp - Tests of long networks ----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Growth.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Schedule/Schedule.h"

#include "llvm/Support/Compiler.h"
#include "gtest/gtest.h"

#include <set>

using namespace fadiff;

TEST(GrowthTest, NoTwoLayersAreAlikeAndAllCouldBeFused) {
  Network network = growthChain(1000);
  std::set<std::pair<int64_t, int64_t>> shapes;
  auto target = findTarget("gemmini-large");
  ASSERT_TRUE(bool(target));
  for (const Layer &layer : network.layers)
    shapes.insert({layer.dims[Dim::C], layer.dims[Dim::K]});
  EXPECT_EQ(shapes.size(), 1000u);
  ASSERT_EQ(network.edges.size(), 999u);
  for (const Edge &edge : network.edges)
    EXPECT_FALSE(
        bool(verifyFusible(network, edge.producer, edge.consumer, *target)));
}

// Time is nothing for a test: what the search does is counted instead.
TEST(GrowthTest, EffortIsLinearAndMemoryBelowAGigabyte) {
  auto target = findTarget("gemmini-large");
  ASSERT_TRUE(bool(target));
  GrowthOptions options;
  options.target = *target;
  options.search.gradient.starts = 1;
  options.search.gradient.steps = 10;
  options.search.convention = Convention::Timeloop; // the smaller space
  auto points = runGrowth(options);
  ASSERT_TRUE(bool(points)) << llvm::toString(points.takeError());
  ASSERT_EQ(points->size(), 3u);
  auto effort = [](const GrowthPoint &point) {
    return double(point.evaluations + point.enumerated);
  };
  for (const GrowthPoint &point : *points)
    EXPECT_EQ(point.distinctLayers, point.layers);
  // How much a layer takes depends on its divisors; in ten layers one tells.
  double ten = effort((*points)[0]), hundred = effort((*points)[1]),
         thousand = effort((*points)[2]);
  EXPECT_GT(hundred, 3 * ten);
  EXPECT_LT(hundred, 30 * ten);
  EXPECT_GT(thousand, 8 * hundred);
  EXPECT_LT(thousand, 12 * hundred);
  EXPECT_GT(points->back().peakBytes, 0u);
#if !LLVM_ADDRESS_SANITIZER_BUILD
  EXPECT_LT(points->back().peakBytes, 1000u * 1000 * 1000);
#endif
}

TEST(GrowthTest, BadLengthsAreErrors) {
  GrowthOptions options;
  options.lengths = {0};
  auto points = runGrowth(options);
  ASSERT_FALSE(bool(points));
  EXPECT_EQ(llvm::toString(points.takeError()),
            "lengths: wanted 1 to 1000 layers, found 0");
}
