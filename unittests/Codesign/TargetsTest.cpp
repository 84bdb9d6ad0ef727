//===- TargetsTest.cpp - What technology a goal needs ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Codesign/Targets.h"
#include "fadiff/Bench/Attack.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace fadiff;

namespace {
struct Case {
  Network network;
  Accelerator machine;
  SearchOptions options;
  ScheduleCounts counts;
};
} // namespace

static llvm::Expected<ScheduleCounts> countsOf(const Case &c,
                                               const Accelerator &machine) {
  llvm::Expected<SearchResult> found = search(c.network, machine, c.options);
  if (!found)
    return found.takeError();
  return ScheduleCounts(c.network, found->schedule, found->cost, machine);
}

static Case drawn(uint64_t number, Objective objective) {
  AttackCell cell = attackCell(31, number);
  cell.target.clockHz = 1e9;
  cell.target.leakageMilliwatts = number % 2 ? 50 : 0;
  Case c{cell.network, cell.target, {}, {}};
  c.options.objective = objective;
  c.options.latency = number % 3 ? Latency::Roofline : Latency::Issue;
  c.counts = llvm::cantFail(countsOf(c, c.machine));
  return c;
}

static double objectiveOf(const Case &c, const ScheduleCounts &counts,
                          const Accelerator &machine) {
  const auto charge = counts.at(ratesOf(machine));
  // Cycles of today.
  return objectiveValue(c.options.objective, charge.energy,
                        charge.cycles * c.machine.clockHz / machine.clockHz);
}

static const Objective kObjectives[] = {Objective::Edp, Objective::Energy,
                                        Objective::Latency};

// The program is the cost of the schedule on the machine whose numbers moved.
TEST(TargetsTest, TheProgramIsTheModel) {
  for (uint64_t number = 0; number < 12; ++number)
    for (Objective objective : kObjectives) {
      SCOPED_TRACE(number);
      const Case c = drawn(number, objective);
      TechnologyOptions options;
      options.objective = objective;
      const EffortProgram program =
          technologyProgram(c.counts, c.machine, options);
      const double today = std::log(objectiveOf(c, c.counts, c.machine));
      const double value = program.value(std::vector<double>(kNumTechnology));
      for (int trial = 0; trial < 20; ++trial) {
        std::vector<double> moves;
        for (unsigned i = 0; i < kNumTechnology; ++i)
          moves.push_back(0.37 * double((trial * 7 + i * 5) % 11));
        const double moved = std::log(
            objectiveOf(c, c.counts, withTechnology(c.machine, moves)));
        EXPECT_NEAR(program.value(moves) - value, moved - today, 1e-9);
      }
    }
}

// With all others held, an energy is a closed form.
TEST(TargetsTest, OneEnergy) {
  const Case c = drawn(0, Objective::Energy);
  constexpr unsigned kDram = Rates<double>::kEnergy + unsigned(Level::Dram);
  TechnologyOptions options;
  options.objective = Objective::Energy;
  options.most.fill(1);
  options.most[kDram] = 1e9;
  options.rounds = 0;
  const double all = c.counts.at(ratesOf(c.machine)).energy;
  Accelerator free = c.machine;
  free.energyPerAccess[Level::Dram] = 0;
  const double rest = c.counts.at(ratesOf(free)).energy;
  options.factor = 1 / (0.5 + 0.5 * rest / all);
  auto none = [](const Accelerator &) -> llvm::Expected<ScheduleCounts> {
    return llvm::createStringError("not to be searched");
  };
  const TechnologyTargets targets =
      llvm::cantFail(technologyTargets(c.counts, c.machine, options, none));
  for (const TechnologyNumber &number : targets.numbers) {
    if (number.number == kDram) {
      EXPECT_NEAR(number.factor, 0.5, 1e-6);
      EXPECT_NEAR(number.share, 1, 1e-6);
      EXPECT_NEAR(number.without, 1, 1e-9);
    } else {
      EXPECT_EQ(number.factor, 1);
      EXPECT_TRUE(number.isAtLimit);
    }
  }
  EXPECT_NEAR(targets.effort, std::log(2), 1e-6);
  EXPECT_NEAR(targets.bound, std::log(2), 1e-6);
  // Beyond what it can give, the error says what it can.
  options.factor = 1.01 * all / rest;
  const std::string error = llvm::toString(
      technologyTargets(c.counts, c.machine, options, none).takeError());
  EXPECT_NE(error.find("that were found; what stands in the way: "),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("energy_mac by 1"), std::string::npos) << error;
  options.factor = 1;
  EXPECT_NE(
      llvm::toString(
          technologyTargets(c.counts, c.machine, options, none).takeError())
          .find("wanted a factor above 1"),
      std::string::npos);
}

TEST(TargetsTest, GoalsAreReachedAndProved) {
  unsigned better = 0;
  for (uint64_t number = 0; number < 8; ++number)
    for (Objective objective : kObjectives) {
      SCOPED_TRACE(number);
      SCOPED_TRACE(nameOf(objective).str());
      const Case c = drawn(number, objective);
      TechnologyOptions options;
      options.objective = objective;
      options.factor = number % 2 ? 30 : 2;
      auto search = [&](const Accelerator &machine) {
        return countsOf(c, machine);
      };
      const TechnologyTargets targets = llvm::cantFail(
          technologyTargets(c.counts, c.machine, options, search));
      EXPECT_GE(targets.reached, options.factor * (1 - 1e-9));
      // By the search itself, on that machine.
      const double before = objectiveOf(c, c.counts, c.machine);
      const double after = objectiveOf(
          c, llvm::cantFail(countsOf(c, targets.machine)), targets.machine);
      EXPECT_LE(after, before / options.factor * (1 + 1e-9));
      EXPECT_LE(targets.bound, targets.effort);
      EXPECT_GE(targets.bound, targets.effort * (1 - 1e-3));
      EXPECT_NEAR(
          objectiveValue(objective, targets.energyAfter, targets.cyclesAfter),
          before / targets.reached, 1e-9 * before);
      double share = targets.mappings;
      for (const TechnologyNumber &number : targets.numbers) {
        share += number.share;
        EXPECT_LE(number.without, targets.reached * (1 + 1e-9));
        EXPECT_GE(number.share, -1e-9);
      }
      EXPECT_NEAR(share, 1, 1e-6);
      for (size_t i = 1; i < targets.efforts.size(); ++i)
        EXPECT_LT(targets.efforts[i], targets.efforts[i - 1]);
      better += targets.efforts.size() > 1;
    }
  EXPECT_GT(better, 0u);
}

TEST(TargetsTest, Numbers) {
  auto parsed = llvm::cantFail(
      parseTechnology("bandwidth_dram:4, clock:1.5", "limits", 1));
  ASSERT_EQ(parsed.size(), 2u);
  EXPECT_EQ(technologyName(parsed[0].first), "bandwidth_dram");
  EXPECT_EQ(parsed[0].second, 4);
  EXPECT_EQ(technologyName(parsed[1].first), "clock");
  EXPECT_EQ(parsed[1].second, 1.5);
  EXPECT_TRUE(llvm::cantFail(parseTechnology("", "limits", 1)).empty());
  auto error = [](llvm::StringRef text, double least) {
    return llvm::toString(parseTechnology(text, "limits", least).takeError());
  };
  EXPECT_NE(error("dram:4", 1)
                .find("limits: wanted a number such as "
                      "'bandwidth_dram:4', of energy_mac, "),
            std::string::npos);
  EXPECT_NE(error("clock:0.5", 1).find("from 1, at most 1e12"),
            std::string::npos);
  EXPECT_NE(error("clock:0", 0).find("above 0"), std::string::npos);
  EXPECT_NE(error("clock", 1).find("found 'clock'"), std::string::npos);
  EXPECT_NE(error("clock:nan", 1).find("found 'clock:nan'"), std::string::npos);
  EXPECT_NE(error("clock:2,clock:3", 1).find("found 'clock' again"),
            std::string::npos);
}
