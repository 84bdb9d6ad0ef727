//===- RatesTest.cpp - A schedule's cost as a function of a machine -------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/Rates.h"
#include "fadiff/Bench/Attack.h"
#include "fadiff/CostModel/CostModel.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Search/Search.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace fadiff;

/// Changes the field of Accelerator behind a rate.
static Accelerator changed(Accelerator machine, unsigned rate, double factor) {
  using R = Rates<double>;
  if (rate == R::kMac)
    machine.energyPerMac *= factor;
  else if (rate < R::kBandwidth)
    machine.energyPerAccess[kAllLevels[rate - R::kEnergy]] *= factor;
  else if (rate < R::kCommand)
    machine.bandwidth[kAllLevels[rate - R::kBandwidth]] *= factor;
  else if (rate == R::kLeakage)
    machine.leakageMilliwatts *= factor;
  return machine;
}

namespace {
struct Case {
  Network network;
  Accelerator machine;
  SearchResult found;
  std::unique_ptr<CostFunction> cost;
};
} // namespace

static Case drawn(uint64_t number, Latency latency) {
  AttackCell cell = attackCell(77, number);
  cell.target.clockHz = 1e9;
  cell.target.leakageMilliwatts = 30;
  SearchOptions options;
  options.latency = latency;
  Case result{cell.network, cell.target, {}, {}};
  result.found = llvm::cantFail(search(cell.network, cell.target, options));
  result.cost = createCostFunction(Convention::Machine, Model::Exact, latency);
  return result;
}

// The model itself, on a machine with another number, is the oracle.
TEST(RatesTest, SlopesAndCeilingsAreThoseOfTheModel) {
  unsigned slopes = 0;
  for (Latency latency : {Latency::Roofline, Latency::Issue})
    for (uint64_t number = 0; number < 12; ++number) {
      SCOPED_TRACE(number);
      const Case c = drawn(number, latency);
      auto costOn = [&](const Accelerator &machine) {
        return evaluateSchedule(c.network, c.found.schedule, machine, *c.cost);
      };
      const ScheduleCost now = costOn(c.machine);
      EXPECT_DOUBLE_EQ(now.energy, c.found.cost.energy);
      const ScheduleCounts counts(c.network, c.found.schedule, now, c.machine);
      const auto charge = counts.at(ratesOf(c.machine));
      EXPECT_NEAR(charge.energy, now.energy, 1e-12 * now.energy);
      EXPECT_NEAR(charge.cycles, now.cycles, 1e-12 * now.cycles);
      const auto worth = worthOf(counts, c.machine);
      for (unsigned rate = 0; rate < kNumRates; ++rate) {
        if (rate == Rates<double>::kCommand || rate == Rates<double>::kCore)
          continue; // whole numbers, and not of this model
        SCOPED_TRACE(rateName(rate).str());
        const double step = 1e-5;
        auto at = [&](double factor) {
          return costOn(changed(c.machine, rate, factor));
        };
        const ScheduleCost more = at(1 + step), less = at(1 - step);
        const double width = std::log1p(step) - std::log1p(-step);
        const double energy =
            (std::log(more.energy) - std::log(less.energy)) / width;
        const double cycles =
            (std::log(more.cycles) - std::log(less.cycles)) / width;
        // A kink within the step has two slopes.
        const double up =
            (std::log(more.cycles) - std::log(now.cycles)) / std::log1p(step);
        if (std::fabs(up - cycles) > 1e-4)
          continue;
        EXPECT_NEAR(worth[rate].energySlope, energy, 1e-6);
        EXPECT_NEAR(worth[rate].cyclesSlope, cycles, 1e-6);
        slopes += worth[rate].edpSlope() != 0;
        const ScheduleCost free = at(isBandwidth(rate) ? 1e12 : 1e-12);
        EXPECT_NEAR(worth[rate].energyCeiling, now.energy / free.energy, 1e-6);
        EXPECT_NEAR(worth[rate].cyclesCeiling, now.cycles / free.cycles, 1e-6);
      }
    }
  EXPECT_GT(slopes, 120u);
}

TEST(RatesTest, BestSetsAreTheBest) {
  const Case c = drawn(3, Latency::Roofline);
  const ScheduleCounts counts(c.network, c.found.schedule, c.found.cost,
                              c.machine);
  const auto sets = bestSets(counts, c.machine, 2);
  ASSERT_EQ(sets.size(), 2u);
  const auto now = counts.at(ratesOf(c.machine));
  double one = 1, two = 1;
  for (unsigned a = 0; a < kNumRates; ++a)
    for (unsigned b = a; b < kNumRates; ++b) {
      const auto then = withoutRates(counts, c.machine, {a, b});
      const double ceiling =
          now.energy / then.energy * (now.cycles / then.cycles);
      (a == b ? one : two) = std::max(a == b ? one : two, ceiling);
    }
  EXPECT_GE(sets[0].edpCeiling, one * (1 - 1e-12));
  EXPECT_GE(sets[1].edpCeiling, two * (1 - 1e-12));
  EXPECT_EQ(sets[1].names.size(), 2u);
}
