//===- Relaxation.h - Gradient descent over relaxed mappings ----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The variables of the relaxed problem (docs/Search.md): per layer the logs of
// its factors and a logit of how far its weights stay, per fusible edge a logit
// of sigma.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_GRADIENT_RELAXATION_H
#define FADIFF_LIB_SEARCH_GRADIENT_RELAXATION_H

#include "../Group/Partition.h"
#include "../Problem/Findings.h"
#include "Decode.h"

#include <random>

namespace fadiff {

/// Per unit, per layer of it.
using RelaxedPoint = std::vector<std::vector<RelaxedMapping>>;

struct Descent {
  RelaxedPoint mappings; ///< where it ended
  /// Points on the way, every `options.snapshotEvery` steps.
  std::vector<RelaxedPoint> snapshots;
  std::vector<UnitGates> gates; ///< per unit
  double loss = 0;              ///< last value, without Gumbel noise's help
};

/// Where a descent starts: one mapping per unit and layer.
using StartPoint = std::vector<std::vector<Mapping>>;

/// What a factor is while the descent runs.
enum class Factors : uint8_t {
  Sampled,    ///< a divisor by Gumbel-softmax, straight through
  Continuous, ///< the real number itself, and no noise (as DOSA has it)
};

/// Per layer of a chain: rows and columns of its output that are made again at
/// each seam of two tiles, as far as `sigma` (per edge) fuses its readers.
/// Below zero where a stride leaves some out.
std::vector<PerAxis<double>> seamsOf(llvm::ArrayRef<const Layer *> chain,
                                     llvm::ArrayRef<double> sigma);

/// One descent of `options.steps` Adam steps from `start`.
Descent descend(const Problem &problem, const std::vector<Unit> &units,
                const GradientOptions &options, const StartPoint &start,
                std::mt19937_64 &rng, Budget &budget,
                Factors kind = Factors::Sampled);

/// Descends from the starts of `findings` and from random mappings, fewer times
/// than `options` say if evaluations are few, and decodes what is passed on the
/// way. `gates` (per unit) become what the best descent says of groups.
void descendFromStarts(const Problem &problem, const std::vector<Unit> &units,
                       GradientOptions options, Budget &budget,
                       Findings &findings, std::vector<UnitGates> &gates);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_GRADIENT_RELAXATION_H
