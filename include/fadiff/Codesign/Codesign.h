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
#include "fadiff/Search/Joint.h"
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
  Descent, ///< gradients by mappings and machine at once, then its neighbours
  Dosa,    ///< mappings first; the machine is what they need
  Random,  ///< random legal machines
  Bo,      ///< Bayesian optimisation over machines
};
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(CodesignMethod) {
  static constexpr llvm::StringLiteral names[] = {"boxes", "grid",   "descent",
                                                  "dosa",  "random", "bo"};
  return names;
}

/// What is asked of a machine.
enum class CodesignGoal : uint8_t {
  Best,     ///< the least objective
  Smallest, ///< the least area with which the objective is at most `most`
};

/// A fusion group of a schedule, or a layer alone.
struct ScoredGroup {
  std::vector<std::string> layers;
  std::vector<std::string> mappings; ///< of each, as text
  double energy = 0, cycles = 0;     ///< pJ, cycles
};

/// What a front is over.
enum class FrontOver : uint8_t {
  Area,  ///< of the machine
  Power, ///< that its schedules take
};
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(FrontOver) {
  static constexpr llvm::StringLiteral names[] = {"area", "power"};
  return names;
}

/// One network's best schedule on a machine.
struct NetworkScore {
  double energy = 0, cycles = 0; ///< pJ, cycles
  double value = 0;              ///< the objective, in cycles
  /// Below which no schedule is.
  std::optional<double> bound;
  /// d log(energy), d log(cycles) by the log of each rate (Rates.h), or of a
  /// model that is near; empty where they are not known.
  std::vector<double> energySlopes, cyclesSlopes;
  std::vector<ScoredGroup> groups; ///< for people; empty where not known
};

/// Searches all networks on a machine: a legal one, or one that is made up of
/// the best numbers of several. Fails if one of them cannot run there.
using ScoreFunction =
    llvm::function_ref<llvm::Expected<std::vector<NetworkScore>>(
        const Accelerator &machine)>;

/// Descends on all networks' mappings and a machine at once (Search/Joint.h).
/// Fails if one of them cannot run at its start.
using RelaxFunction =
    llvm::function_ref<llvm::Expected<JointPoint>(const MovingMachine &)>;

/// A bound below which no schedule on the machine is, nor on one with less room
/// or dearer accesses, where that is known with less work than a search. Of
/// each score only the bound is looked at. Fails if a network cannot run there.
using BoundFunction = ScoreFunction;

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
  /// What is bounded only does not count.
  unsigned mostSearches = 0;
  /// Networks have to keep a constraint: that none was found which does is no
  /// proof that there is none.
  bool isConstrained = false;
  uint64_t seed = 1; ///< of Random and Bo, and of Descent's starts
  /// Of Descent and Dosa: places where joint descents ended, the best first,
  /// around which machines are searched. Without a RelaxFunction random
  /// machines, beside the initial one, from which Descent starts.
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

  /// The most that a network takes on average; 0 without a clock.
  double milliwatts() const;
};

struct CodesignResult {
  /// Legal machines that were searched, best first; not empty.
  std::vector<ScoredMachine> machines;
  /// No legal machine within the budget is below; in the units of `value`, of
  /// Smallest mm2. Absent where that is not known.
  std::optional<double> bound;
  unsigned searches = 0; ///< made-up machines included
  unsigned bounded = 0;  ///< machines, by the BoundFunction; made-up ones, too
  unsigned descents = 0; ///< on mappings and machine at once
  /// Calls of the cost model in these.
  uint64_t descentEvaluations = 0;
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
/// reason, if the networks run on none. Dosa wants `relax`; Descent is better
/// with it. With `bound`, Boxes searches legal machines alone, and of those
/// only the ones whose bound is below the best, in the order of their bounds.
llvm::Expected<CodesignResult> codesign(const Design &design,
                                        const CodesignOptions &options,
                                        ScoreFunction score,
                                        RelaxFunction relax = nullptr,
                                        BoundFunction bound = nullptr);

/// The machines of `machines` than which none is both smaller and better, by
/// rising area.
std::vector<const ScoredMachine *>
paretoFront(llvm::ArrayRef<ScoredMachine> machines);

/// Machines by rising area, each the best of all that are no larger; or by
/// rising power, each the best of all whose schedules take no more.
struct CodesignFront {
  struct Point {
    ScoredMachine machine;
    /// No legal machine that is no larger is below, whatever power it takes;
    /// absent where that is not known.
    std::optional<double> bound;
  };
  FrontOver over = FrontOver::Area;
  std::vector<Point> points;
  CodesignResult whole; ///< of the first search, which has all there is
  /// Everything that was searched, in the same order.
  std::vector<ScoredMachine> searched;
  unsigned searches = 0; ///< made-up machines included
  unsigned bounded = 0;  ///< machines, by the BoundFunction
  unsigned legal = 0;
  bool stopped = false; ///< what is smaller, or takes less, was not looked at
};

/// The front of the objective: codesign() for ever less area or power, in which
/// no machine is searched twice. Fails as codesign() does, where the goal is
/// not Best, and if the design has no law for the area, no clock for the power,
/// or a parameter that can be any number of a range, of which there is no end.
llvm::Expected<CodesignFront> codesignFront(const Design &design,
                                            const CodesignOptions &options,
                                            FrontOver over, ScoreFunction score,
                                            RelaxFunction relax = nullptr,
                                            BoundFunction bound = nullptr);

/// Machines, values, bound and effort.
llvm::json::Object toJson(const CodesignResult &result, const Design &design,
                          llvm::ArrayRef<std::string> networks);
/// The document that the page of a front draws (docs/Codesign.md).
llvm::json::Object toJson(const CodesignFront &front, const Design &design,
                          llvm::ArrayRef<std::string> networks,
                          Objective objective);

} // namespace fadiff

#endif // FADIFF_CODESIGN_CODESIGN_H
