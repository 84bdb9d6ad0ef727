//===- Codesign.h - The best machine of a design ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Searches the machines of a design for the one on which networks, each with
// its best mappings and fusion groups, do best under an area budget.
// docs/Codesign.md.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_CODESIGN_CODESIGN_H
#define FADIFF_CODESIGN_CODESIGN_H

#include "fadiff/Hardware/Design.h"
#include "fadiff/Search/Search.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <atomic>
#include <optional>
#include <string>
#include <vector>

namespace fadiff {

/// How machines are searched.
enum class CodesignMethod : uint8_t {
  Boxes,   ///< branch and bound over boxes of machines, with a proof
  Grid,    ///< all legal machines
  Descent, ///< steps along the slopes, from one machine to the next
  Random,  ///< random legal machines
};
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(CodesignMethod) {
  static constexpr llvm::StringLiteral names[] = {"boxes", "grid", "descent",
                                                  "random"};
  return names;
}

/// What is asked of a machine.
enum class CodesignGoal : uint8_t {
  Best,     ///< the least objective
  Smallest, ///< the least area with which the objective is at most `most`
};

/// One network's best schedule on a machine.
struct NetworkScore {
  double energy = 0, cycles = 0; ///< pJ, cycles
  double value = 0;              ///< the objective, in cycles
  /// Below which no schedule is.
  std::optional<double> bound;
  /// d log(energy), d log(cycles) by the log of each rate (Rates.h); empty
  /// where they are not known.
  std::vector<double> energySlopes, cyclesSlopes;
};

/// Searches all networks on a machine: a legal one, or one that is made up of
/// the best numbers of several. Fails if one of them cannot run there.
using ScoreFunction =
    llvm::function_ref<llvm::Expected<std::vector<NetworkScore>>(
        const Accelerator &machine)>;

struct CodesignOptions {
  CodesignMethod method = CodesignMethod::Boxes;
  Objective objective = Objective::Edp;
  CodesignGoal goal = CodesignGoal::Best;
  double most = 0;     ///< of Smallest: the objective, as in ScoredMachine
  double mostArea = 0; ///< mm2; 0 for any
  /// mW, average of each network's schedule; 0 for any. A machine that takes
  /// more is no result, though another schedule may take less: the bound stays
  /// that of any power.
  double mostPower = 0;
  /// Of boxes: a proof that is so close (0.01: 1 %) is close enough.
  double gap = 0;
  /// Machines that are searched at most, made-up ones included; 0 for any.
  unsigned mostSearches = 0;
  /// Networks have to keep a constraint: that none was found which does is no
  /// proof that there is none.
  bool isConstrained = false;
  uint64_t seed = 1; ///< of Random, and of Descent's starts
  /// Of Descent: starts beside the initial machine.
  unsigned starts = 2;
  const std::atomic<bool> *stop = nullptr;
  /// Told after each search: searches so far, the best value, the bound (0 if
  /// there is none yet).
  std::function<void(unsigned, double, double)> progress;
};

/// A legal machine and what the networks take on it.
struct ScoredMachine {
  DesignPoint point;
  Accelerator machine;
  std::vector<NetworkScore> networks;
  /// The geometric mean of the networks' objectives. Where the design's clock
  /// is free, time is in us in place of cycles: uJ * us, us.
  double value = 0;
};

struct CodesignResult {
  /// Legal machines that were searched, best first; not empty.
  std::vector<ScoredMachine> machines;
  /// No legal machine within the budget is below; in the units of `value`, of
  /// Smallest mm2. Absent where that is not known.
  std::optional<double> bound;
  unsigned searches = 0;   ///< made-up machines included
  unsigned legal = 0;      ///< legal machines of the design's grid
  unsigned affordable = 0; ///< of those, within the area
  bool stopped = false;    ///< by `stop` or `mostSearches`

  const ScoredMachine &best() const { return machines.front(); }
  /// How far the best may be from the best there is, in parts; of Smallest in
  /// area.
  std::optional<double> gap() const;
  CodesignGoal goal = CodesignGoal::Best;
};

/// Finds the best machine of `design`. Fails if no legal machine is within the
/// area, naming the smallest one; if none that was tried is within the power,
/// naming the least, or the design has no clock; if a parameter that is any
/// number of a range meets a method that cannot take it; or, with the first
/// reason, if the networks run on none.
llvm::Expected<CodesignResult> codesign(const Design &design,
                                        const CodesignOptions &options,
                                        ScoreFunction score);

/// The machines of `machines` than which none is both smaller and better, by
/// rising area.
std::vector<const ScoredMachine *>
paretoFront(llvm::ArrayRef<ScoredMachine> machines);

/// Machines, values, bound and effort.
llvm::json::Object toJson(const CodesignResult &result, const Design &design,
                          llvm::ArrayRef<std::string> networks);

} // namespace fadiff

#endif // FADIFF_CODESIGN_CODESIGN_H
