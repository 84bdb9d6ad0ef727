//===- ResidencyTest.cpp - Tests of the account of on-chip rows -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/Residency.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "gtest/gtest.h"

#include <random>

using namespace fadiff;

namespace {

/// A chain of members of which some tiles stay for later ones.
GroupFlow randomFlow(std::mt19937 &rng) {
  auto pick = [&](size_t low, size_t high) {
    return std::uniform_int_distribution<size_t>(low, high)(rng);
  };
  const size_t size = pick(1, 6);
  GroupFlow flow = GroupFlow::chain(size);
  for (GroupFlow::Tile &tile : flow.tiles)
    if (pick(0, 3) == 0) {
      const size_t user = pick(tile.last, size - 1);
      tile.last = user;
      flow.members[user].skip = &tile - flow.tiles.data();
    }
  return flow;
}

// Whatever is on chip at once lies apart, in a scratchpad of just as many rows
// as are wanted at most. So the peak is no estimate: what fits can be placed.
TEST(ResidencyTest, WhatFitsCanBePlaced) {
  std::mt19937 rng(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(rng);
  };
  unsigned placed = 0, staying = 0;
  for (unsigned trial = 0; trial < 2000; ++trial) {
    const GroupFlow flow = randomFlow(rng);
    if (!stackTiles(flow))
      continue;
    // Tiles that are handed over in place do not stay.
    Accelerator target = *findTarget(trial % 2 ? "gemmini" : "gemmini-large");
    Residency::Rooms rooms;
    for (const GroupFlow::Tile &tile : flow.tiles)
      rooms.tiles.push_back(
          {pick(1, 20),
           pick(0, 4) == 0 && !(tile.producer && target.handsOverInPlace())});
    for (size_t i = 0; i < flow.members.size(); ++i)
      rooms.members.push_back({pick(1, 20), pick(1, 10), pick(0, 2) == 0});
    const Residency wanted(flow, rooms, target);
    target.scratchpadBytes = wanted.peak(Level::Scratchpad) * target.side;
    target.accumulatorBytes = wanted.peak(Level::Accumulator) * 4 * target.side;
    const Residency residency(flow, rooms, target);
    const std::vector<int64_t> bases = residency.place();
    const llvm::ArrayRef<Resident> all = residency.all();
    ASSERT_EQ(bases.size(), all.size());
    for (size_t a = 0; a < all.size(); ++a) {
      const int64_t room = all[a].level == Level::Scratchpad
                               ? target.scratchpadRows()
                               : target.accumulatorRows();
      EXPECT_GE(bases[a], 0);
      EXPECT_LE(bases[a] + all[a].rows, room);
      staying += all[a].stays;
      for (size_t b = 0; b < a; ++b) {
        bool meet = false;
        for (size_t i = 0; i < flow.members.size(); ++i)
          meet |= all[a].isLiveAt(i) && all[b].isLiveAt(i);
        if (all[a].level != all[b].level || !meet)
          continue;
        EXPECT_TRUE(bases[a] + all[a].rows <= bases[b] ||
                    bases[b] + all[b].rows <= bases[a])
            << "residents " << a << " and " << b << " of trial " << trial;
      }
    }
    ++placed;
  }
  EXPECT_GT(placed, 1000u);
  EXPECT_GT(staying, 1000u);
}

} // namespace
