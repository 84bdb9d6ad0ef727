//===- Gradient.h - The gradient against what is known --------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What descents find without enumeration, what the same program finds without
// the descents' steps, and where enumeration ends without a proof what others
// find in the same time.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_GRADIENT_H
#define FADIFF_BENCH_GRADIENT_H

#include "fadiff/Search/Search.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace fadiff {

struct GradientRun {
  double value = 0; ///< in the objective's unit
  double seconds = 0;
};

struct GradientCell {
  std::string name; ///< network and machine, or the number of a random cell
  Objective objective = Objective::Edp;
  GradientRun known;        ///< of the default search
  GradientRun gradient;     ///< of Optimizer::Gradient
  GradientRun withoutSteps; ///< the same without a step of a descent
};

struct GradientComparison {
  bool networks = true;         ///< five networks on three machines
  uint64_t seed = 0, first = 0; ///< of the random cells (attackCell)
  uint64_t cells = 0;
  unsigned threads = 1;
  Latency latency = Latency::Roofline;
};

/// Fails if a search does.
llvm::Expected<std::vector<GradientCell>>
compareGradient(const GradientComparison &options);

llvm::json::Object toJson(const std::vector<GradientCell> &cells);

/// A cell of largeCell() where enumeration has no proof when the time is up.
struct LargeCell {
  uint64_t number = 0;
  size_t layers = 0;
  std::string machine;
  double enumerated = 0; ///< what enumeration has; uJ * cycles, as all here
  GradientRun gradient, withoutSteps;
  /// All other optimisers that search.
  std::vector<std::pair<Optimizer, GradientRun>> others;
  double bestOther() const;
};

/// Of the `cells` cells from `first` on those without a proof, each optimiser
/// given `seconds`. Fails if a search does.
llvm::Expected<std::vector<LargeCell>>
compareLarge(uint64_t seed, uint64_t first, uint64_t cells, double seconds);

llvm::json::Object toJson(const std::vector<LargeCell> &cells);

} // namespace fadiff

#endif // FADIFF_BENCH_GRADIENT_H
