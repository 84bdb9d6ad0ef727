//===- Decode.h - From relaxed factors to a legal mapping -------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rounding with capacity and exact cost in view.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_GRADIENT_DECODE_H
#define FADIFF_LIB_SEARCH_GRADIENT_DECODE_H

#include "../Problem/Climb.h"

namespace fadiff {

/// A real-valued mapping of one layer with the loop orders that were best.
struct RelaxedMapping {
  std::array<PerDim<double>, kAllSlots.size()> logFactors;
  PerLevel<LoopOrder> order{kAllDims};
};

/// The nearest factors, legal or not: inner ones first, each a divisor of what
/// remains (or the array filled); DRAM takes the rest.
Mapping roundToNearest(const LayerProblem &problem,
                       const RelaxedMapping &relaxed);

/// The values that one factor may take while the others stay, ascending: what
/// divides, or one n-th of what is left for any n if tiles need not divide.
std::vector<int64_t> factorLadder(const LayerProblem &problem,
                                  const Mapping &mapping, Slot slot, Dim dim);

/// Rounds, then takes from the tiles until they fit (always the step with the
/// least cost for the room it gives), chooses the exact best of the nine
/// stationary orders, and gives what room is left to the factors that gain most
/// by it. Only these directions: it is no climb. Terminates; legal if any
/// mapping is.
Candidate decode(const LayerProblem &problem, const RelaxedMapping &relaxed,
                 const Goal &goal, Budget &budget);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_GRADIENT_DECODE_H
