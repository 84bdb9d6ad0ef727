//===- EffortTest.cpp - The least that has to move for a goal -------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Codesign/Effort.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>

using namespace fadiff;

static Roof roof(double value,
                 llvm::SmallVector<std::pair<unsigned, double>, 3> slopes) {
  return {std::log(value), std::move(slopes)};
}

// a * exp(-x) + b = goal.
TEST(EffortTest, OneNumber) {
  EffortProgram program;
  program.weights = {2};
  program.most = {10};
  program.factors = {{{roof(3, {{0, 1}})}, {roof(1, {})}}};
  program.goal = std::log(2);
  const EffortSolution solution = leastEffort(program);
  ASSERT_TRUE(solution.isReachable);
  EXPECT_NEAR(solution.moves[0], std::log(3), 1e-9);
  EXPECT_NEAR(solution.effort, 2 * std::log(3), 1e-9);
  EXPECT_NEAR(solution.bound, 2 * std::log(3), 1e-6);
}

// The largest of two roofs halves when both do, at whatever they weigh: no
// slope at the kink proves that, shares do.
TEST(EffortTest, BothSidesOfAKink) {
  EffortProgram program;
  program.weights = {1, 3};
  program.most = {10, 10};
  program.factors = {{{roof(1, {{0, 1}}), roof(1, {{1, 1}})}}};
  program.goal = -std::log(2);
  const EffortSolution solution = leastEffort(program);
  ASSERT_TRUE(solution.isReachable);
  EXPECT_NEAR(solution.effort, 4 * std::log(2), 1e-5);
  EXPECT_NEAR(solution.bound, 4 * std::log(2), 1e-5);
  EXPECT_NEAR(effortBound(program, {{{1, 3}}}), 4 * std::log(2), 1e-12);
  EXPECT_NEAR(effortBound(program, {{{1, 0}}}), std::log(2), 1e-12);
  EXPECT_EQ(effortBound(program, {{{0, 0}}}), 0);
}

// DRAGON's theorem 1 says that a machine is best only where it is balanced. Two
// vertices with (compute, memory) = (10, 1) and (1, 10) take half of the time
// with the least effort where both rates are 2: 10 / P + 10 / B = 10, with P *
// B the least. Either rate idles in one of the two.
TEST(EffortTest, TheBestNeedNotBeBalanced) {
  EffortProgram program;
  program.weights = {1, 1};
  program.most = {10, 10};
  program.factors = {{{roof(10, {{0, 1}}), roof(1, {{1, 1}})},
                      {roof(1, {{0, 1}}), roof(10, {{1, 1}})}}};
  EXPECT_NEAR(program.value({0, 0}), std::log(20), 1e-12);
  program.goal = std::log(10);
  const EffortSolution solution = leastEffort(program);
  ASSERT_TRUE(solution.isReachable);
  EXPECT_NEAR(solution.moves[0], std::log(2), 1e-3);
  EXPECT_NEAR(solution.moves[1], std::log(2), 1e-3);
  EXPECT_NEAR(solution.effort, 2 * std::log(2), 1e-6);
  EXPECT_GE(solution.bound, 2 * std::log(2) * (1 - 1e-5));
}

TEST(EffortTest, LimitsAndWhatNothingReaches) {
  EffortProgram program;
  program.weights = {1, 1};
  program.most = {std::log(2), std::log(2)};
  program.factors = {{{roof(1, {{0, 1}})}}, {{roof(1, {{1, 1}})}}};
  program.goal = -std::log(3);
  const EffortSolution solution = leastEffort(program);
  ASSERT_TRUE(solution.isReachable);
  EXPECT_NEAR(solution.effort, std::log(3), 1e-9);
  // All that there is.
  program.goal = -2 * std::log(2);
  ASSERT_TRUE(leastEffort(program).isReachable);
  EXPECT_NEAR(effortBound(program, {{{1}}, {{1}}}), 2 * std::log(2), 1e-9);
  EXPECT_NEAR(leastEffort(program).bound, 2 * std::log(2), 1e-9);
  program.goal = -std::log(5);
  EXPECT_FALSE(leastEffort(program).isReachable);
  EXPECT_EQ(leastEffort(program).moves, program.most);
  EXPECT_EQ(effortBound(program, {{{1}}, {{1}}}),
            std::numeric_limits<double>::infinity());
  program.goal = 1;
  EXPECT_EQ(leastEffort(program).effort, 0);
}

namespace {
class Drawn {
public:
  explicit Drawn(uint64_t seed) : rng(seed) {}

  double in(double from, double to) {
    return from + (to - from) * double(rng() >> 11) * 0x1p-53;
  }
  /// Products of sums of maxima, of `numbers` numbers; the goal is in reach.
  EffortProgram program(unsigned numbers) {
    EffortProgram program;
    for (unsigned i = 0; i < numbers; ++i) {
      program.weights.push_back(in(0.3, 3));
      program.most.push_back(in(0.3, 3));
    }
    for (int factor = 0; factor < 1 + int(rng() % 2); ++factor) {
      auto &sum = program.factors.emplace_back();
      for (int term = 0; term < 1 + int(rng() % 6); ++term) {
        auto &maximum = sum.emplace_back();
        for (int i = 0; i < 1 + int(rng() % 4); ++i) {
          Roof &roof = maximum.emplace_back();
          roof.log = in(-2, 2);
          for (unsigned number = 0; number < numbers; ++number)
            if (rng() % 2)
              roof.slopes.push_back({number, in(0.2, 2)});
        }
      }
    }
    const double from = program.value(std::vector<double>(numbers, 0.0));
    program.goal = from - in(0.1, 0.9) * (from - program.value(program.most));
    return program;
  }

private:
  std::mt19937_64 rng;
};
} // namespace

/// The least effort on a grid of all moves but the last one, which goes as far
/// as it has to.
static double bestOfGrid(const EffortProgram &program, unsigned steps) {
  const unsigned last = unsigned(program.most.size()) - 1;
  std::vector<double> moves(last + 1, 0.0);
  double best = std::numeric_limits<double>::infinity();
  auto vary = [&](auto &self, unsigned number) -> void {
    if (number < last) {
      for (unsigned step = 0; step <= steps; ++step) {
        moves[number] = program.most[number] * step / steps;
        self(self, number + 1);
      }
      return;
    }
    moves[last] = program.most[last];
    if (program.value(moves) > program.goal)
      return;
    double low = 0, high = program.most[last];
    for (int i = 0; i < 40; ++i) {
      moves[last] = (low + high) / 2;
      (program.value(moves) <= program.goal ? high : low) = moves[last];
    }
    moves[last] = high;
    best = std::min(best, program.effort(moves));
  };
  vary(vary, 0);
  return best;
}

// The grid is never below the bound, the solver never above the grid.
TEST(EffortTest, GridsAgree) {
  Drawn drawn(7);
  for (int i = 0; i < 60; ++i) {
    SCOPED_TRACE(i);
    const unsigned numbers = 1 + i % 3;
    const EffortProgram program = drawn.program(numbers);
    const EffortSolution solution = leastEffort(program);
    ASSERT_TRUE(solution.isReachable);
    EXPECT_LE(program.value(solution.moves), program.goal);
    EXPECT_DOUBLE_EQ(program.effort(solution.moves), solution.effort);
    const double grid = bestOfGrid(program, numbers == 2 ? 2000 : 80);
    EXPECT_LE(solution.effort, grid * (1 + 1e-3));
    EXPECT_GE(grid, solution.bound * (1 - 1e-9));
    EXPECT_LE(solution.bound, solution.effort);
    if (!solution.shares.empty()) {
      EXPECT_LE(solution.bound, effortBound(program, solution.shares));
    }
    EXPECT_GE(solution.bound, solution.effort * (1 - 1e-3));
  }
}

// Whatever the shares, no feasible moves take less than the bound.
TEST(EffortTest, AnySharesProveABound) {
  Drawn drawn(11);
  unsigned telling = 0;
  for (int i = 0; i < 400; ++i) {
    SCOPED_TRACE(i);
    const unsigned numbers = 1 + i % 5;
    const EffortProgram program = drawn.program(numbers);
    EffortShares shares;
    for (const Posynomial &factor : program.factors) {
      auto &byMaximum = shares.emplace_back();
      for (const Maximum &maximum : factor) {
        auto &byRoof = byMaximum.emplace_back();
        for (size_t roof = 0; roof < maximum.size(); ++roof)
          byRoof.push_back(std::max(0.0, drawn.in(-0.3, 1)));
      }
    }
    const double bound = effortBound(program, shares);
    telling += bound > 0;
    const double best = leastEffort(program).effort;
    EXPECT_LE(bound, best * (1 + 1e-9));
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<double> moves;
      for (double most : program.most)
        moves.push_back(drawn.in(0, most));
      if (program.value(moves) <= program.goal) {
        EXPECT_GE(program.effort(moves), bound * (1 - 1e-9));
      }
    }
  }
  EXPECT_GT(telling, 100u);
}
