//===- Cuts.h - Where a chain is cut into groups ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_GROUP_CUTS_H
#define FADIFF_LIB_SEARCH_GROUP_CUTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <vector>

namespace fadiff {

/// Shortest path over the cuts of a chain of `n` layers: for each layer the
/// best piece that ends with it; the pieces of the whole follow from the last
/// one backwards. `relax(last, price, least, step)` knows in `price[i]` what
/// the first i layers cost at best, and sets `least`, what those up to `last`
/// do, and `step`, the piece at their end, of which `from` is the first layer.
template <typename StepT>
std::vector<StepT> shortestCuts(
    size_t n,
    llvm::function_ref<void(size_t, llvm::ArrayRef<double>, double &, StepT &)>
        relax) {
  std::vector<StepT> steps(n);
  std::vector<double> price(n + 1, 0);
  for (size_t last = 0; last < n; ++last)
    relax(last, price, price[last + 1], steps[last]);
  return steps;
}

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_GROUP_CUTS_H
