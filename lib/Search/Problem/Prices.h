//===- Prices.h - The best product of two sums ------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_PROBLEM_PRICES_H
#define FADIFF_LIB_SEARCH_PROBLEM_PRICES_H

#include "fadiff/Search/Exact.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fadiff {

/// What a pJ and a cycle are worth.
struct Prices {
  double energy = 1, cycles = 1;
  template <typename PointT> double operator()(const PointT &point) const {
    return energy * point.energy + cycles * point.cycles;
  }
};

/// What is wanted of a total.
struct Aim {
  Aim(Objective objective, BoundPoint given = {})
      : objective(objective), given(given) {}

  Objective objective;
  /// What is decided already costs so much: a part of every total.
  BoundPoint given;
  /// No total may have more pJ, or cycles, than this.
  struct Limit {
    bool ofEnergy = false;
    double most = 0;

    double operator()(const BoundPoint &total) const {
      return ofEnergy ? total.energy : total.cycles;
    }
    bool keeps(const BoundPoint &total) const { return (*this)(total) <= most; }
  };
  std::optional<Limit> limit;

  double value(const BoundPoint &total) const {
    return objectiveValue(objective, total.energy, total.cycles);
  }
  /// Whether `a` is better than `b`, by more than rounding: both with what is
  /// given. Where neither keeps the limit, nearer to it is better.
  bool isBetter(const BoundPoint &a, const BoundPoint &b) const {
    if (limit && !(limit->keeps(a) && limit->keeps(b)))
      return (*limit)(a) < (*limit)(b);
    return value(a) < value(b) * (1 - 1e-12);
  }
};

/// At these prices the best total that the sweep has seen is the cheapest; no
/// total that keeps the limit is below the bound (uJ * cycles, pJ or cycles),
/// which is infinite if there is none. Without a limit the best total there is
/// has been seen. With one it need not be on the hull, and is not if the bound
/// is lower; where none keeps it, the prices are those of the one nearest to
/// it.
struct SweptPrices {
  Prices prices;
  double bound = 0;
};

/// Where what has to be chosen is judged by a sum, whatever it is, the best
/// energy-delay product is found by asking for the cheapest total at several
/// prices: the product is quasi-concave, so it is least at a corner of the hull
/// of all totals. `look` gives the total of the cheapest choice, without what
/// is given.
SweptPrices sweepPrices(const Aim &aim,
                        llvm::function_ref<BoundPoint(const Prices &)> look);

/// The best sum of one point per class, each `counts` times.
struct BestSum {
  std::vector<size_t> indices; ///< of the point taken in each class
  double bound = 0;            ///< as in SweptPrices
  Prices prices;
};
template <typename PointT>
BestSum bestSum(const std::vector<std::vector<PointT>> &pointsPerClass,
                const std::vector<double> &counts, const Aim &aim) {
  BestSum best;
  auto look = [&](const Prices &prices) {
    BoundPoint total;
    best.indices.clear();
    for (auto [points, count] : llvm::zip(pointsPerClass, counts)) {
      const auto least =
          llvm::min_element(points, [&](const PointT &a, const PointT &b) {
            return prices(a) < prices(b);
          });
      total.energy += count * least->energy;
      total.cycles += count * least->cycles;
      best.indices.push_back(least - points.begin());
    }
    return total;
  };
  const SweptPrices swept = sweepPrices(aim, look);
  look(swept.prices);
  best.bound = swept.bound;
  best.prices = swept.prices;
  return best;
}

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_PROBLEM_PRICES_H
