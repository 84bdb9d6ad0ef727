//===- Attack.h - Lower bounds against annealed schedules -------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random networks on random machines: the search prints a bound, and annealing
// over all that verify() accepts (fadiff/Search/Anneal.h) tries to get below.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_ATTACK_H
#define FADIFF_BENCH_ATTACK_H

#include "fadiff/Hardware/Accelerator.h"
#include "fadiff/Search/Search.h"
#include "fadiff/Workload/Network.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fadiff {

/// A network, a machine and an objective, as the number of the cell and the
/// seed say.
struct AttackCell {
  uint64_t number = 0;
  Network network;
  Accelerator target;
  Objective objective = Objective::Edp;
};

/// One to eight layers: convolutions (1x1 to 7x7, strides, dilation), depthwise
/// ones, matrix products, residual blocks, inverted bottlenecks with and
/// without a residual, side branches, max pooling, thin first layers with taps
/// packed as channels; on a machine like one of the built-in ones with other
/// memories, sides, energies and bandwidths, every eighth of which leaks.
AttackCell attackCell(uint64_t seed, uint64_t number);

/// What may be too much for enumeration, on such a machine, by what is left of
/// the number divided by four: 0: a chain of 20 to 60 convolutions (1x1, 3x3,
/// depthwise) of 28 to 112 pixels a side; 1: 2 to 6 of 14 to 56 pixels a side
/// in batches of 32 to 128; 2: a chain of 200 to 1000 at 7 to 28; 3: 3 to 8 on
/// images of 1080 to 4320 rows. The objective is EDP.
AttackCell largeCell(uint64_t seed, uint64_t number);

struct AttackOptions {
  uint64_t seed = 0;
  uint64_t first = 0, cells = 100; ///< numbers of the cells
  uint64_t steps = 20000;          ///< of annealing, from each of two starts
  Optimizer optimizer = Optimizer::Fadiff;
  /// Or Issue, where the core takes 1, 5 or 25 cycles for a command.
  Latency latency = Latency::Roofline;
  unsigned threads = 1;
};

struct AttackOutcome {
  uint64_t number = 0;
  std::string network, machine; ///< in words
  Objective objective = Objective::Edp;
  double value = 0;            ///< of the search, in the objective's unit
  std::optional<double> bound; ///< that it prints
  double annealed = 0;         ///< the best that annealing found
  double fromThumb = 0; ///< what it found without knowing the search's schedule
  uint64_t legal = 0;   ///< schedules that verify() accepted
  std::string groups, annealedGroups; ///< in words
  /// By more than rounding.
  bool isBelowBound() const { return bound && annealed < *bound * (1 - 1e-9); }
};

/// Attacks every cell. An outcome does not depend on the number of threads.
/// Fails if the search does.
llvm::Expected<std::vector<AttackOutcome>> attack(const AttackOptions &options);

/// How many were below the bound (under `refused`), how the search compares
/// with annealing, and each cell that speaks against it.
llvm::json::Object toJson(const std::vector<AttackOutcome> &outcomes);

} // namespace fadiff

#endif // FADIFF_BENCH_ATTACK_H
