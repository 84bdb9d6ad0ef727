//===- Effort.h - The least that has to move for a goal ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The least weighted sum of moves for which a product of sums of maxima of
// monomials falls to a goal: convex in the logarithms of what moves, so there
// is a lower bound that meets it. docs/Codesign.md, "Technology targets".
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_CODESIGN_EFFORT_H
#define FADIFF_CODESIGN_EFFORT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <utility>
#include <vector>

namespace fadiff {

/// exp(log - sum of slope * move over the numbers that it lists). No slope is
/// negative: moves never hurt.
struct Roof {
  double log = 0;
  llvm::SmallVector<std::pair<unsigned, double>, 3> slopes;
};
/// The largest of its roofs; at least one.
using Maximum = std::vector<Roof>;
/// A sum of maxima; at least one.
using Posynomial = std::vector<Maximum>;

/// Minimise sum of weights * moves, for moves from 0 to `most`, so that the sum
/// of the factors' logarithms is at most `goal`.
struct EffortProgram {
  std::vector<double> weights; ///< per number, above 0
  std::vector<double> most;    ///< per number, at least 0, finite
  std::vector<Posynomial> factors;
  double goal = 0;

  /// The sum of the factors' logarithms.
  double value(llvm::ArrayRef<double> moves) const;
  double effort(llvm::ArrayRef<double> moves) const;
};

/// What proves a lower bound: for each factor a share per roof, by maxima, not
/// negative. Any shares prove one.
using EffortShares = std::vector<std::vector<std::vector<double>>>;

/// Nothing that reaches the goal takes less; infinite if nothing reaches it.
/// With the shares of a factor scaled to a sum of 1, `s` of a maximum and `r`
/// of its roofs, the inequality of the weighted arithmetic and geometric means
/// gives log(factor) >= sum of s * (-log s) + sum of r * log(roof): linear in
/// the moves. The least effort under that one inequality is that of moving what
/// costs least for what it gives first, each number as far as it may.
double effortBound(const EffortProgram &program, const EffortShares &shares);

struct EffortSolution {
  bool isReachable = false;
  /// Reach the goal; `most` of all if nothing does.
  std::vector<double> moves;
  double effort = 0;
  double bound = 0;    ///< effortBound(shares), at most `effort`
  EffortShares shares; ///< empty if the bound is 0
};
/// Solved by NLopt's method of moving asymptotes on soft maxima that are
/// sharpened step by step. That the moves reach the goal, and the bound, are
/// computed without it.
EffortSolution leastEffort(const EffortProgram &program);

} // namespace fadiff

#endif // FADIFF_CODESIGN_EFFORT_H
