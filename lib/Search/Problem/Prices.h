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
#include "llvm/ADT/STLFunctionalExtras.h"

namespace fadiff {

/// What a pJ and a cycle are worth.
struct Prices {
  double energy = 1, cycles = 1;
  template <typename PointT> double operator()(const PointT &point) const {
    return energy * point.energy + cycles * point.cycles;
  }
};

/// At these prices the best total is the cheapest; no total is below the bound
/// (uJ * cycles, pJ or cycles).
struct SweptPrices {
  Prices prices;
  double bound = 0;
};

/// Where what has to be chosen is judged by a sum, whatever it is, the best
/// energy-delay product is found by asking for the cheapest total at several
/// prices: the product is quasi-concave, so it is least at a corner of the hull
/// of all totals. `look` gives the total of the cheapest choice.
SweptPrices sweepPrices(Objective objective,
                        llvm::function_ref<BoundPoint(const Prices &)> look);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_PROBLEM_PRICES_H
