//===- Relaxation.h - Gradient descent over relaxed mappings ----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The variables of the relaxed problem (docs/Search.md): per layer the logs of
// its factors, per fusible edge a logit of sigma.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_RELAXATION_H
#define FADIFF_LIB_SEARCH_RELAXATION_H

#include "Polish.h"

#include <random>

namespace fadiff {

/// A chain of layers joined by fusible edges; most are one layer alone.
/// Identical chains of a network share a unit.
struct Unit {
  std::vector<unsigned> layers; ///< of the first occurrence
  double multiplicity = 1;
};

/// A real-valued mapping of one layer with the loop orders that were best.
struct RelaxedMapping {
  std::array<PerDim<double>, kAllSlots.size()> logFactors;
  PerLevel<LoopOrder> order{kAllDims};
};

struct Descent {
  /// Per unit, per layer of it.
  std::vector<std::vector<RelaxedMapping>> mappings;
  /// Per unit, per edge inside it: sigma in [0, 1].
  std::vector<std::vector<double>> sigma;
  double loss = 0; ///< last value, without Gumbel noise's help
};

/// Where a descent starts: one mapping per unit and layer.
using StartPoint = std::vector<std::vector<Mapping>>;

/// One descent of `options.steps` Adam steps from `start`.
Descent descend(const Network &network, const std::vector<Unit> &units,
                const Accelerator &target, const SearchOptions &options,
                const StartPoint &start, std::mt19937_64 &rng, Budget &budget);

/// The nearest legal mapping: inner factors first, each a divisor of what
/// remains (or the array filled), DRAM takes the rest, then shrunk to fit.
Mapping decode(const LayerProblem &problem, const RelaxedMapping &relaxed);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_RELAXATION_H
