//===- Prices.cpp - The best product of two sums --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prices.h"

#include <algorithm>
#include <limits>

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
    const SweptPrices free = runFree();
    if (!aim.limit || aim.limit->keeps(look(free.prices).point))
      return free;
    return runWithin(*aim.limit, free.prices);
  }

private:
  SweptPrices runFree() {
    const Support frugal = lookForProduct({1, 0}),
                  fast = lookForProduct({0, 1});
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
      at = lookForProduct({1 / at.point.energy, 1 / at.point.cycles});
      if (!(bestValue < before))
        break;
    }
    double bound = bestValue;
    close(frugal, at, bound);
    close(at, fast, bound);
    bound = std::min(bound, bestValue); // it may have been found on the way
    return {bestPrices, bound * 1e-6};
  }

  /// The corner of the hull that is next to the limit, among those that keep
  /// it, is found by chords between one that does and one that does not. No
  /// total that keeps the limit is below all the lines found on the way.
  SweptPrices runWithin(const Aim::Limit &limit, const Prices &freePrices) {
    constexpr unsigned kMostChords = 200;
    const Prices limited = limit.ofEnergy ? Prices{1, 0} : Prices{0, 1};
    Support inside = look(limited), outside = look(freePrices);
    // The other quantity breaks ties.
    constexpr double tie = 1e-9;
    if (limit.ofEnergy)
      inside = look(
          {1, tie * inside.point.energy / std::max(1.0, inside.point.cycles)});
    else
      inside = look(
          {tie * inside.point.cycles / std::max(1.0, inside.point.energy), 1});
    const Support extreme = inside;
    if (!limit.keeps(inside.point))
      return {inside.prices, std::numeric_limits<double>::infinity()};
    bestValue = -1;
    auto consider = [&](const Support &support) {
      if (!limit.keeps(support.point))
        return;
      const double value = aim.value(support.point);
      if (bestValue < 0 || value < bestValue) {
        bestValue = value;
        bestPrices = support.prices;
      }
    };
    consider(inside);
    // What the other quantity is at least, at the limit.
    double least = 0;
    auto cut = [&](const Support &support) {
      const auto [energy, cycles] = support.prices;
      const double own = limit.ofEnergy ? energy : cycles;
      const double other = limit.ofEnergy ? cycles : energy;
      if (other > 0)
        least = std::max(least, (support.price() - own * limit.most) / other);
    };
    cut(inside);
    cut(outside);
    bool adjacent = false;
    for (unsigned i = 0; i < kMostChords && !adjacent; ++i) {
      const Support &left = limit.ofEnergy ? inside : outside;
      const Support &right = limit.ofEnergy ? outside : inside;
      const double run = right.point.energy - left.point.energy;
      const double fall = left.point.cycles - right.point.cycles;
      if (!(run > 0) || !(fall > 0))
        break;
      const Support middle = look({fall, run});
      cut(middle);
      consider(middle);
      adjacent = middle.price() >= middle.prices(left.point) * (1 - 1e-12);
      if (!adjacent)
        (limit.keeps(middle.point) ? inside : outside) = middle;
    }
    if (aim.objective != Objective::Edp)
      return {bestPrices, std::min(least, bestValue)};
    // Between the limit and the corner next to it the product is least at an
    // end; beyond, at corners.
    double bound = limit.most * least;
    if (!adjacent)
      bound = limit(inside.point) * least;
    bestValue *= 1e6; // products from here on
    isWithin = true;
    limit.ofEnergy ? close(extreme, inside, bound)
                   : close(inside, extreme, bound);
    return {bestPrices, std::min(bound, bestValue) * 1e-6};
  }

  static double product(const BoundPoint &point) {
    return point.energy * point.cycles;
  }

  Support look(const Prices &prices) {
    ++looks;
    Support support{prices, choose(prices)};
    support.point.energy += aim.given.energy;
    support.point.cycles += aim.given.cycles;
    return support;
  }
  /// As look(), and its total may be the best product of those that count.
  Support lookForProduct(const Prices &prices) {
    const Support support = look(prices);
    if (isWithin && !aim.limit->keeps(support.point))
      return support;
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
      const Support middle = lookForProduct({fall, run});
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
  bool isWithin = false; ///< only what keeps the limit counts
  unsigned looks = 0;
};
} // namespace

SweptPrices
fadiff::sweepPrices(const Aim &aim,
                    llvm::function_ref<BoundPoint(const Prices &)> look) {
  return Sweep(aim, look).run();
}
