//===- Baselines.h - Simple ways to get a mapping ---------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules of thumb, one of which the search is compared with, and random
// mappings.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SEARCH_BASELINES_H
#define FADIFF_SEARCH_BASELINES_H

#include "fadiff/Schedule/Schedule.h"
#include "llvm/Support/Error.h"

#include <random>

namespace fadiff {

/// Whether `layer` has any legal mapping on `target`: the smallest tile of all
/// must fit. The error names the rule, the level, what was wanted and found.
llvm::Error checkMappable(const Layer &layer, const Accelerator &target);

/// The largest square tile that fits: the array filled, all taps of the kernel,
/// then pixels (P = Q, or N of a GEMM), output and input channels grown in turn
/// while they fit; output-stationary. Where the searches start. Fails only if
/// no mapping at all is legal.
llvm::Expected<Mapping> squareTileMapping(const Layer &layer,
                                          const Accelerator &target);

/// The tile that Gemmini's own library chooses (fadiff/Search/Heuristic.h), in
/// whole blocks of channels, with its loop order and, where the library keeps
/// an operand in both halves of a memory, that too. Fails only if no mapping at
/// all is legal.
llvm::Expected<Mapping> heuristicMapping(const Layer &layer,
                                         const Accelerator &target);

/// A legal mapping at random: any factors (tiles need not divide), any loop
/// orders, partial sums may spill. Always terminates; the same `rng` state
/// gives the same mapping on every platform. Fails only if no mapping at all
/// is legal. Without `repairs` it is as it was drawn, and need not fit.
llvm::Expected<Mapping> randomMapping(const Layer &layer,
                                      const Accelerator &target,
                                      std::mt19937_64 &rng,
                                      bool repairs = true);

} // namespace fadiff

#endif // FADIFF_SEARCH_BASELINES_H
