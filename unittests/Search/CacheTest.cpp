//===- CacheTest.cpp - Tests of kept results ------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files with right check sums and wrong contents; test/Tools/cache.test has the
// damaged ones.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Cache.h"
#include "fadiff/Search/Baselines.h"

#include "Networks.h"

#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"

using namespace fadiff;
using namespace fadiff::test;

namespace {
class CacheTest : public ::testing::Test {
protected:
  void SetUp() override {
    Network all = readNetwork("mobilenetv1");
    network.layers = {all.layers[1], all.layers[2]};
    network.edges = {{0, 1, ""}};
    options.gradient.starts = 1;
    options.gradient.steps = 5;
    ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("fadiff", "cache", path));
    llvm::sys::fs::remove(path);
  }
  void TearDown() override { llvm::sys::fs::remove(path); }

  SearchCache open() {
    return SearchCache(
        path, [this](const std::string &text) { warnings.push_back(text); });
  }
  SearchResult searched() {
    auto result = search(network, target, options);
    EXPECT_TRUE(bool(result)) << llvm::toString(result.takeError());
    return result ? std::move(*result) : SearchResult();
  }

  Network network;
  Accelerator target = smallMachine();
  SearchOptions options;
  llvm::SmallString<128> path;
  std::vector<std::string> warnings;
};
} // namespace

TEST_F(CacheTest, GivesBackWhatWasSearched) {
  SearchResult fresh = searched();
  {
    SearchCache cache = open();
    EXPECT_FALSE(cache.find(network, target, options));
    cache.store(network, target, options, fresh);
    EXPECT_FALSE(bool(cache.save()));
  }
  SearchCache cache = open();
  std::optional<SearchResult> kept = cache.find(network, target, options);
  ASSERT_TRUE(kept);
  EXPECT_TRUE(kept->cached);
  EXPECT_EQ(kept->schedule.mappings, fresh.schedule.mappings);
  EXPECT_EQ(kept->cost.energy, fresh.cost.energy);
  EXPECT_EQ(kept->cost.cycles, fresh.cost.cycles);
  EXPECT_EQ(kept->evaluations, fresh.evaluations);
  EXPECT_EQ(kept->unfusedBound, fresh.unfusedBound);
  EXPECT_EQ(kept->edges[0].reason, fresh.edges[0].reason);
  EXPECT_EQ(kept->edges[0].fused, fresh.edges[0].fused);

  // Anything that the result depends on is another key.
  SearchOptions other = options;
  other.seed = 9;
  EXPECT_FALSE(cache.find(network, target, other));
  for (bool SearchSpace::*part :
       {&SearchSpace::unevenTiles, &SearchSpace::blockDiagonal}) {
    other = options;
    other.space.*part = false;
    EXPECT_FALSE(cache.find(network, target, other));
  }
  EXPECT_EQ(kept->space, options.space);
  Accelerator machine = target;
  machine.energyPerMac *= 1.0000001;
  EXPECT_FALSE(cache.find(network, machine, options));
  Network changed = network;
  changed.layers[1].hasBias = !changed.layers[1].hasBias;
  EXPECT_FALSE(cache.find(changed, target, options));
  changed = network;
  for (Layer &layer : changed.layers)
    layer.trips = 2;
  EXPECT_FALSE(cache.find(changed, target, options));
  other = options;
  other.threads = 2;
  EXPECT_TRUE(cache.find(network, target, other));
  EXPECT_TRUE(warnings.empty());
}

TEST_F(CacheTest, BelievesNoSchedule) {
  SearchResult fresh = searched();
  auto rejected = [&](const SearchResult &wrong, const std::string &why) {
    warnings.clear();
    SearchCache cache = open();
    cache.store(network, target, options, wrong);
    EXPECT_FALSE(cache.find(network, target, options));
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("has a wrong entry, which is ignored: "),
              std::string::npos);
    EXPECT_NE(warnings[0].find(why), std::string::npos) << warnings[0];
  };
  SearchResult wrong = fresh;
  wrong.schedule.mappings[0].temporal[Level::Scratchpad][Dim::Q] *= 1000;
  wrong.schedule.mappings[0].temporal[Level::Scratchpad][Dim::P] *= 1000;
  rejected(wrong, "rule '");
  wrong = fresh;
  auto heuristic = heuristicMapping(network.layers[0], target);
  ASSERT_TRUE(bool(heuristic));
  wrong.schedule.mappings[0] = *heuristic;
  wrong.schedule.groups = {{{0}}, {{1}}};
  rejected(wrong, "costs something else than it says");
  wrong = fresh;
  wrong.schedule.mappings.pop_back();
  rejected(wrong, "wanted a mapping per layer");
}

TEST_F(CacheTest, BelievesNoHull) {
  ExactOptions exact;
  auto fresh = exactHull(network.layers[0], target, exact);
  ASSERT_TRUE(bool(fresh));
  SearchCache cache = open();
  cache.store(network.layers[0], target, exact, *fresh);
  auto kept = cache.find(network.layers[0], target, exact);
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->points.size(), fresh->points.size());
  for (size_t i = 0; i < kept->points.size(); ++i)
    EXPECT_EQ(kept->points[i].mapping, fresh->points[i].mapping);
  EXPECT_TRUE(kept->isExact());
  for (bool SearchSpace::*part :
       {&SearchSpace::unevenTiles, &SearchSpace::blockDiagonal}) {
    ExactOptions other;
    other.space.*part = false;
    EXPECT_FALSE(cache.find(network.layers[0], target, other));
  }
  fresh->points[0].energy *= 0.5;
  cache.store(network.layers[0], target, exact, *fresh);
  EXPECT_FALSE(cache.find(network.layers[0], target, exact));
  EXPECT_EQ(warnings.size(), 1u);
}
