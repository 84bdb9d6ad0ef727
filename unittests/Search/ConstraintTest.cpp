//===- ConstraintTest.cpp - Limits of energy and latency ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Search.h"

#include "../../lib/Search/Problem/Prices.h"
#include "Networks.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace fadiff;
using namespace fadiff::test;

namespace {

TEST(ConstraintTest, IsReadWithItsUnit) {
  Accelerator target = smallMachine();
  target.clockHz = 5e8;
  auto limit = [&](const char *text) {
    auto constraint = parseConstraint(text);
    if (!constraint) {
      ADD_FAILURE() << llvm::toString(constraint.takeError());
      return 0.0;
    }
    return llvm::cantFail(constraint->limitOn(target));
  };
  EXPECT_EQ(limit("latency<=5ms"), 2.5e6);
  EXPECT_EQ(limit("latency <= 5 us"), 2500);
  EXPECT_NEAR(limit("latency<=4ns"), 2, 1e-12);
  EXPECT_EQ(limit("latency<=2s"), 1e9);
  EXPECT_EQ(limit("latency<=1e6cycles"), 1e6);
  EXPECT_EQ(limit("energy<=2mJ"), 2e9);
  EXPECT_EQ(limit("energy<=2 uJ"), 2e6);
  EXPECT_EQ(limit("energy<=2nJ"), 2e3);
  EXPECT_EQ(limit("energy<=2pJ"), 2);
  EXPECT_EQ(limit("energy<=2J"), 2e12);
  // Below is not at most.
  EXPECT_LT(limit("latency<100cycles"), 100);
  EXPECT_GT(limit("latency<100cycles"), 100 - 1e-9);
  EXPECT_TRUE(parseConstraint("energy<2mJ")->limitsEnergy());
  EXPECT_FALSE(parseConstraint("latency<2ms")->limitsEnergy());

  target.clockHz = 0;
  auto unknown = parseConstraint("latency<5ms")->limitOn(target);
  ASSERT_FALSE(bool(unknown));
  EXPECT_NE(llvm::toString(unknown.takeError()).find("the field 'clock'"),
            std::string::npos);
  EXPECT_EQ(limit("latency<=7cycles"), 7);

  const std::pair<const char *, const char *> wrong[] = {
      {"", "wanted energy or latency"},
      {"power<3", "wanted energy or latency"},
      {"latency", "wanted < or <="},
      {"latency>5ms", "wanted < or <="},
      {"latency<5", "wanted the unit cycles, ns, us, ms or s"},
      {"latency<5mJ", "wanted the unit cycles"},
      {"energy<5ms", "wanted the unit pJ"},
      {"energy<mJ", "wanted a positive number"},
      {"energy<-1mJ", "wanted a positive number"},
      {"energy<0J", "wanted a positive number"},
      {"energy<nanJ", "wanted a positive number"},
      {"energy<infJ", "wanted a positive number"},
      {"energy<1e999J", "wanted a positive number"}};
  for (auto [text, why] : wrong) {
    auto constraint = parseConstraint(text);
    ASSERT_FALSE(bool(constraint)) << text;
    EXPECT_NE(llvm::toString(constraint.takeError()).find(why),
              std::string::npos)
        << text;
  }
}

/// Every choice of one point per list.
void forEachSum(llvm::ArrayRef<std::vector<BoundPoint>> lists,
                llvm::ArrayRef<double> counts, BoundPoint sum,
                llvm::function_ref<void(const BoundPoint &)> visit) {
  if (lists.empty())
    return visit(sum);
  for (const BoundPoint &point : lists.front())
    forEachSum(lists.drop_front(), counts.drop_front(),
               {sum.energy + counts.front() * point.energy,
                sum.cycles + counts.front() * point.cycles},
               visit);
}

TEST(ConstraintTest, TheSweepKeepsItAndItsBoundIsTrue) {
  std::mt19937_64 rng(5);
  auto draw = [&] { return 1 + double(rng() % 1000); };
  unsigned kept = 0, unkept = 0, tight = 0;
  for (int trial = 0; trial < 600; ++trial) {
    std::vector<std::vector<BoundPoint>> lists(1 + rng() % 4);
    std::vector<double> counts;
    for (auto &list : lists) {
      for (unsigned i = 0; i < 6; ++i)
        list.push_back({draw(), draw()});
      counts.push_back(1 + double(rng() % 4));
    }
    Aim aim(Objective(trial % 3));
    if (trial % 2)
      aim.given = {draw(), draw()};
    aim.limit = {rng() % 2 == 0, 0};
    // Anywhere between what can be reached and what costs nothing to keep.
    double low = 0, high = 0;
    forEachSum(lists, counts, aim.given, [&](const BoundPoint &sum) {
      const double limited = (*aim.limit)(sum);
      low = low == 0 ? limited : std::min(low, limited);
      high = std::max(high, limited);
    });
    aim.limit->most = low + (high - low) * (double(rng() % 100) / 80 - 0.05);
    double least = 0;
    forEachSum(lists, counts, aim.given, [&](const BoundPoint &sum) {
      if (aim.limit->keeps(sum) && (least == 0 || aim.value(sum) < least))
        least = aim.value(sum);
    });
    const BestSum found = bestSum(lists, counts, aim);
    BoundPoint sum = aim.given;
    for (auto [list, count, index] : llvm::zip(lists, counts, found.indices)) {
      sum.energy += count * list[index].energy;
      sum.cycles += count * list[index].cycles;
    }
    if (least == 0) {
      ++unkept;
      EXPECT_TRUE(std::isinf(found.bound));
      EXPECT_NEAR((*aim.limit)(sum), low, 1e-9 * low);
      continue;
    }
    ++kept;
    EXPECT_TRUE(aim.limit->keeps(sum)) << trial;
    EXPECT_GE(aim.value(sum), least * (1 - 1e-9));
    EXPECT_LE(found.bound, least * (1 + 1e-9)) << trial;
    EXPECT_GT(found.bound, 0);
    tight += found.bound >= aim.value(sum) * (1 - 1e-9);
  }
  EXPECT_GT(kept, 300u);
  EXPECT_GT(unkept, 10u);
  EXPECT_GT(tight, 100u) << "where the limit does not bind the bound is met";
}

TEST(ConstraintTest, SchedulesKeepItOrThereIsAReason) {
  Network network = readNetwork("mobilenetv1");
  network.layers.resize(7);
  llvm::erase_if(network.edges,
                 [](const Edge &edge) { return edge.consumer >= 7; });
  const Accelerator target = smallMachine();
  for (Fuse fuse : {Fuse::Off, Fuse::On}) {
    SearchOptions options;
    options.fuse = fuse;
    auto run = [&] { return search(network, target, options); };
    options.objective = Objective::Energy;
    const SearchResult frugal = llvm::cantFail(run());
    options.objective = Objective::Latency;
    const SearchResult fast = llvm::cantFail(run());
    ASSERT_LT(fast.cost.cycles, frugal.cost.cycles);
    for (Objective objective : {Objective::Energy, Objective::Edp})
      for (double part : {0.0, 0.3, 0.7, 1.0}) {
        const double most =
            fast.cost.cycles + part * (frugal.cost.cycles - fast.cost.cycles);
        options.objective = objective;
        options.constraint = {Constraint::Unit::Cycles, most * (1 + 1e-9),
                              "latency<x"};
        auto found = run();
        ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
        EXPECT_LE(found->cost.cycles, most * (1 + 1e-9));
        ASSERT_TRUE(found->bound);
        EXPECT_GE(found->value(), *found->bound * (1 - 1e-9));
        if (objective == Objective::Energy && part == 1) {
          EXPECT_NEAR(found->value() / frugal.value(), 1, 1e-9);
        }
        if (objective == Objective::Energy) {
          EXPECT_LE(found->value(), fast.cost.energy * (1 + 1e-6));
        }
      }
    options.constraint->most = fast.cost.cycles * 0.99;
    auto none = run();
    ASSERT_FALSE(bool(none));
    const std::string text = llvm::toString(none.takeError());
    EXPECT_NE(text.find("found none; the best has " +
                        std::to_string(int64_t(fast.cost.cycles))),
              std::string::npos)
        << text;
    // Other searches keep it, too.
    options.constraint->most = frugal.cost.cycles * 0.999;
    for (Optimizer optimizer : {Optimizer::HillClimb, Optimizer::Ga}) {
      options.optimizer = optimizer;
      options.objective = Objective::Energy;
      options.evaluationsPerLayer = 3000;
      auto found = run();
      ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
      EXPECT_LE(found->cost.cycles, options.constraint->most);
    }
  }
}

TEST(ReasonsTest, NoneSpeaksAgainstItsNumbers) {
  Network network = readNetwork("mobilenetv1");
  network.layers.resize(9);
  llvm::erase_if(network.edges,
                 [](const Edge &edge) { return edge.consumer >= 9; });
  unsigned fused = 0, apart = 0, runnersUp = 0, inGroups = 0;
  for (const Accelerator &target : {smallMachine(), largeMachine()})
    for (Objective objective :
         {Objective::Edp, Objective::Energy, Objective::Latency})
      for (Optimizer optimizer : {Optimizer::Fadiff, Optimizer::Random}) {
        SearchOptions options;
        options.objective = objective;
        options.optimizer = optimizer;
        options.evaluationsPerLayer = 500;
        const SearchResult found =
            llvm::cantFail(search(network, target, options));
        for (const EdgeDecision &decision : found.edges) {
          if (!decision.other)
            continue;
          const Alternative &other = *decision.other;
          EXPECT_GE(other.ratio, 1 - 1e-9);
          EXPECT_FALSE(other.energy < decision.energy * (1 - 1e-9) &&
                       other.cycles < decision.cycles * (1 - 1e-9));
          fused += decision.fused;
          apart += !decision.fused;
          if (!decision.fused) {
            EXPECT_EQ(decision.reason.find("not cheaper: "), 0u);
          }
        }
        ASSERT_EQ(found.runnersUp.size(), network.layers.size());
        for (auto [layer, other] : llvm::enumerate(found.runnersUp))
          if (other) {
            ++runnersUp;
            EXPECT_GE(other->ratio, 1);
            EXPECT_EQ(other->what.substr(0, 7), "<dram [");
            inGroups +=
                llvm::any_of(found.schedule.groups, [&](const auto &group) {
                  return group.layers.size() > 1 &&
                         llvm::is_contained(group.layers, layer);
                });
          }
      }
  EXPECT_GT(fused, 10u);
  EXPECT_GT(apart, 10u);
  EXPECT_GT(runnersUp, 20u);
  EXPECT_GT(inGroups, 10u);
}

} // namespace
