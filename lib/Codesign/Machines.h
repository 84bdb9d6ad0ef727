//===- Machines.h - Machines that are searched ------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all methods share: the legal machines of a design, what is known of
// those that were searched, and the best so far.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_CODESIGN_MACHINES_H
#define FADIFF_LIB_CODESIGN_MACHINES_H

#include "fadiff/Codesign/Codesign.h"

#include <map>
#include <random>

namespace fadiff::codesign_detail {

/// What networks take on a machine, legal or made up: geometric means, as in
/// ScoredMachine.
struct Score {
  std::vector<NetworkScore> networks;
  double value = 0;
  std::optional<double> bound;
  double milliwatts = 0; ///< the most of a network; 0 without a clock
};

class Machines {
public:
  Machines(const Design &design, const CodesignOptions &options,
           ScoreFunction score, RelaxFunction relax = nullptr,
           BoundFunction bounds = nullptr)
      : design(design), options(options), relax(relax), score(score),
        bounds(bounds) {}

  /// Lists the legal machines of the grid that can be within the area. What can
  /// be any number of a range is at its initial value.
  llvm::Error list();

  /// Null, with the first reason kept, if the networks do not run there. Not
  /// searched twice.
  const Score *search(const Accelerator &machine);
  /// The same of a legal machine, which then is a result.
  const Score *take(const DesignPoint &point);
  /// Whether bounds take less work than searches.
  bool hasBounds() const { return bool(bounds); }
  /// A machine's score of which only the bound counts.
  const Score *boundOf(const Accelerator &machine);

  /// Whether `value` answers the goal better than all that were taken.
  bool isBetter(const ScoredMachine &a, const ScoredMachine &b) const;
  /// Whether it meets what Smallest asks for.
  bool isEnough(double value) const {
    return options.goal == CodesignGoal::Best || value <= options.most;
  }
  bool isWithinPower(const Score &score) const {
    return !(options.mostPower > 0) || score.milliwatts <= options.mostPower;
  }
  bool mustStop();

  double areaOf(llvm::ArrayRef<double> point) const {
    return area ? area->evaluate(point) : 0;
  }
  bool isAffordable(double mm2) const {
    return !(options.mostArea > 0) || mm2 <= options.mostArea * (1 + 1e-9);
  }

  /// Per parameter whether numbers follow from it of which nobody has said in
  /// which direction they are better, such as the side; words, too.
  std::vector<bool> structural() const;
  /// `points` by their structural parameters.
  std::vector<std::vector<const DesignPoint *>> byStructure() const;
  /// A machine that is affordable; legal, too, unless a parameter can be any
  /// number of a range. None if a hundred tries found none.
  std::optional<DesignPoint> randomPoint(std::mt19937_64 &rng) const;
  bool isLegal(const DesignPoint &point) const;
  bool hasRanges() const;

  const Design &design;
  const CodesignOptions &options;
  const RelaxFunction relax;
  std::vector<DesignPoint> points; ///< legal and affordable
  CodesignResult result;
  /// Of what was taken; none if nothing was that is enough.
  std::optional<ScoredMachine> best;
  /// Of what was taken, and its mW.
  std::optional<std::pair<double, DesignPoint>> leastPower;
  std::string firstReason; ///< why the networks do not run on some machine
  double bound = 0;        ///< for whoever watches

private:
  using Scores = std::map<std::string, std::optional<Score>>;
  Score scoreOf(std::vector<NetworkScore> networks,
                const Accelerator &machine) const;
  /// What is known of the machine, or what `find` says.
  const Score *look(const Accelerator &machine, ScoreFunction find,
                    Scores &known, unsigned &count);

  ScoreFunction score;
  BoundFunction bounds;
  const Law *area = nullptr;
  Scores known, knownBounds;
};

/// d log(law) / d log(parameter).
double slopeOf(const Law &law, unsigned parameter,
               llvm::ArrayRef<double> point);

/// Sets the numbers that laws give and that are not structural to what
/// `valueOf` says of them; whole numbers are rounded up where more is better,
/// else down.
enum class Better : uint8_t { Unknown, More, Less };
Better betterOf(llvm::StringRef field);
void setByLaws(Accelerator &machine, const Design &design,
               llvm::function_ref<double(Better, const Law &)> valueOf);

/// Fails if a parameter can be any number of a range, which `method` cannot
/// try.
llvm::Error refuseRanges(const Design &design, llvm::StringRef method);

llvm::Error searchJointly(Machines &machines, Sizes sizes);
llvm::Error searchBayesian(Machines &machines);
llvm::Error searchGrid(Machines &machines);
llvm::Error searchBoxes(Machines &machines);
/// From machine to machine along the slopes: from the initial one and random
/// ones, or from the best that was taken.
llvm::Error descend(Machines &machines);
llvm::Error descendFromBest(Machines &machines);
llvm::Error searchRandomly(Machines &machines);

} // namespace fadiff::codesign_detail

#endif // FADIFF_LIB_CODESIGN_MACHINES_H
