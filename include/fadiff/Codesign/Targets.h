//===- Targets.h - What technology a goal needs -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How far each number of a machine has to move for a network to take so much
// less: the least effort, with a proof at given mappings (Effort.h), in turn
// with the search for mappings. docs/Codesign.md, "Technology targets".
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_CODESIGN_TARGETS_H
#define FADIFF_CODESIGN_TARGETS_H

#include "fadiff/Codesign/Effort.h"
#include "fadiff/CostModel/Rates.h"
#include "fadiff/Search/Search.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <string>

namespace fadiff {

/// The numbers that technology may move, in this order: energies of a
/// multiply-accumulate and of an access per level, which fall; bandwidths per
/// level, which rise; leakage, which falls; the clock, which rises.
inline constexpr unsigned kNumTechnology = 11;
template <typename T> using PerTechnology = std::array<T, kNumTechnology>;
/// "energy_mac", ..., "leakage", "clock".
llvm::StringRef technologyName(unsigned number);
/// Whether it gets better by rising.
bool technologyRises(unsigned number);

/// What `text`, such as "bandwidth_dram:4,clock:1.5", gives numbers. Each must
/// be at least `least` and finite. The error names `option`, wanted and found.
llvm::Expected<std::vector<std::pair<unsigned, double>>>
parseTechnology(llvm::StringRef text, llvm::StringRef option, double least);

struct TechnologyOptions {
  Objective objective = Objective::Edp;
  /// By how much the objective has to fall; above 1.
  double factor = 2;
  /// By how much a number may move, per number; at least 1.
  PerTechnology<double> most;
  /// What a move by e takes; above 0.
  PerTechnology<double> weights;
  /// Searches for mappings at most; 0 for those that are given.
  unsigned rounds = 16;

  TechnologyOptions() {
    most.fill(1e6);
    weights.fill(1);
  }
};

/// Memories beside the chip keep their pace where the clock changes: the
/// machine's words per cycle from DRAM fall as it rises. Without a clock, what
/// follows is a machine whose cycles are shorter.
Accelerator withTechnology(const Accelerator &machine,
                           llvm::ArrayRef<double> moves);

/// The objective of a schedule, as a function of how far numbers have moved:
/// logarithms, of numbers that are 0 none. Its value at no moves is the
/// logarithm of the objective in pJ and cycles.
EffortProgram technologyProgram(const ScheduleCounts &counts,
                                const Accelerator &machine,
                                const TechnologyOptions &options);

struct TechnologyNumber {
  unsigned number = 0;
  double today = 0;   ///< in its unit; 0 of a clock that is not known
  double factor = 1;  ///< target over today
  double share = 0;   ///< of what is reached: integral of slope * d log
  double without = 1; ///< by how much the objective falls if this one stays
  bool isAtLimit = false;
};

struct TechnologyTargets {
  TechnologyOptions options;
  std::string machineName;
  Accelerator machine; ///< with the numbers as they have to be
  std::vector<TechnologyNumber> numbers; ///< those that the machine has
  double reached = 1;                    ///< by how much the objective falls
  double mappings = 0; ///< share of what is reached: that mappings change
  double effort = 0;
  double bound = 0; ///< no less does at these mappings
  /// Effort with the mappings as they came and after each search that got
  /// better ones; infinite where the goal was not to be reached.
  std::vector<double> efforts;
  unsigned searches = 0;
  double energyBefore = 0, energyAfter = 0;
  /// In cycles of the machine as it is today.
  double cyclesBefore = 0, cyclesAfter = 0;
};

/// The best schedule that is found on a machine with other numbers.
using CountsFunction =
    llvm::function_ref<llvm::Expected<ScheduleCounts>(const Accelerator &)>;

/// How far the numbers have to move, from a schedule's counts. Fails if no
/// moves within the limits reach the goal, naming the best factor and the
/// limits in the way; if the factor is not above 1; or as `search` does.
llvm::Expected<TechnologyTargets>
technologyTargets(const ScheduleCounts &counts, const Accelerator &machine,
                  const TechnologyOptions &options, CountsFunction search);

void printTargets(llvm::raw_ostream &os, const TechnologyTargets &targets);
llvm::json::Object toJson(const TechnologyTargets &targets);

} // namespace fadiff

#endif // FADIFF_CODESIGN_TARGETS_H
