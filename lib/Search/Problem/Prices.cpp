//===- Prices.cpp - The best product of two sums --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prices.h"

#include <algorithm>

using namespace fadiff;

namespace {
/// A supporting line of all totals, and a total on it.
struct Support {
  Prices prices;
  BoundPoint point;
  double price() const { return prices(point); }
};

/// Finds the least product of energy and cycles among all totals, all of which
/// lie above the lines found so far.
class Sweep {
public:
  Sweep(const Aim &aim, llvm::function_ref<BoundPoint(const Prices &)> choose)
      : aim(aim), choose(choose) {}

  SweptPrices run() {
    const Support frugal = look({1, 0}), fast = look({0, 1});
    if (aim.objective != Objective::Edp) {
      // The other one breaks ties.
      if (aim.objective == Objective::Energy)
        return {{1, 1e-9 * frugal.point.energy /
                        std::max(1.0, frugal.point.cycles)},
                frugal.point.energy};
      return {{1e-9 * fast.point.cycles / std::max(1.0, fast.point.energy), 1},
              fast.point.cycles};
    }
    // Down the slope of the product first: that ends near the best corner.
    Support at = frugal;
    for (unsigned i = 0; i < 20; ++i) {
      const double before = bestValue;
      at = look({1 / at.point.energy, 1 / at.point.cycles});
      if (!(bestValue < before))
        break;
    }
    double bound = bestValue;
    close(frugal, at, bound);
    close(at, fast, bound);
    bound = std::min(bound, bestValue); // it may have been found on the way
    return {bestPrices, bound * 1e-6};
  }

private:
  static double product(const BoundPoint &point) {
    return point.energy * point.cycles;
  }

  Support look(const Prices &prices) {
    ++looks;
    Support support{prices, choose(prices)};
    support.point.energy += aim.given.energy;
    support.point.cycles += aim.given.cycles;
    if (bestValue < 0 || product(support.point) < bestValue) {
      bestValue = product(support.point);
      bestPrices = prices;
    }
    return support;
  }

  /// Totals between two supports lie above both lines, so their product is at
  /// least that where the lines meet, or at an end (it is quasi-concave). If
  /// that is less than the best known, a line between the two cuts it off.
  void close(const Support &left, const Support &right, double &bound) {
    constexpr unsigned kMostLooks = 200;
    const double determinant = left.prices.energy * right.prices.cycles -
                               right.prices.energy * left.prices.cycles;
    if (!(determinant > 0))
      return;
    BoundPoint corner;
    corner.energy = (left.price() * right.prices.cycles -
                     right.price() * left.prices.cycles) /
                    determinant;
    corner.cycles = (left.prices.energy * right.price() -
                     right.prices.energy * left.price()) /
                    determinant;
    if (product(corner) >= bestValue * (1 - 1e-12))
      return;
    const double run = right.point.energy - left.point.energy;
    const double fall = left.point.cycles - right.point.cycles;
    if (looks < kMostLooks && run > 0 && fall > 0) {
      const Support middle = look({fall, run});
      // On the line through both: an edge of the hull, and nothing below it.
      if (middle.price() >= middle.prices(left.point) * (1 - 1e-12))
        return;
      close(left, middle, bound);
      close(middle, right, bound);
      return;
    }
    bound = std::min(bound, product(corner));
  }

  const Aim &aim;
  llvm::function_ref<BoundPoint(const Prices &)> choose;
  double bestValue = -1;
  Prices bestPrices;
  unsigned looks = 0;
};
} // namespace

SweptPrices
fadiff::sweepPrices(const Aim &aim,
                    llvm::function_ref<BoundPoint(const Prices &)> look) {
  return Sweep(aim, look).run();
}
