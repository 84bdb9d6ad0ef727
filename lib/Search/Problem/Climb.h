//===- Climb.h - Hill climbs on the exact cost ------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small changes of a mapping, taken while they make the exact cost lower.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_PROBLEM_CLIMB_H
#define FADIFF_LIB_SEARCH_PROBLEM_CLIMB_H

#include "Budget.h"
#include "Factors.h"

#include "fadiff/Search/Exact.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <random>

namespace fadiff {

/// What is minimised. For a part of a network EDP is not a sum, so it is
/// linearised around the network's totals (docs/Search.md, eq. 6); with no
/// totals known it is the part's own product.
struct Goal {
  Objective objective = Objective::Edp;
  double totalEnergy = 0, totalCycles = 0;
  /// What a pJ and a cycle are worth where the network has a limit to keep;
  /// else neither is anything.
  double energyPrice = 0, cyclesPrice = 0;

  double operator()(double energy, double cycles) const {
    if (energyPrice + cyclesPrice > 0)
      return energyPrice * energy + cyclesPrice * cycles;
    // The other quantity breaks ties.
    constexpr double tie = 1e-6;
    switch (objective) {
    case Objective::Energy:
      return energy * (1 + tie * std::log(cycles));
    case Objective::Latency:
      return cycles * (1 + tie * std::log(energy));
    case Objective::Edp:
      break;
    }
    if (totalEnergy > 0)
      return energy / totalEnergy + cycles / totalCycles;
    return energy * cycles;
  }
};

/// Evaluates mappings of one layer in one setting.
struct LayerProblem {
  const Layer &layer;
  const Accelerator &target;
  const CostFunction &cost;
  SearchSpace space = {};

  Candidate evaluate(const Mapping &mapping, Budget &budget,
                     const FusedEnds<double> &fused = {}) const;
  bool divisorsOnly() const {
    return cost.wantsDivisors() || !space.unevenTiles;
  }
};

/// Brings a mapping into the problem's space: one channel at a time where it
/// has no more, tiles shrunk until they fit and, where only divisors count,
/// rounded down.
void makeLegal(const LayerProblem &problem, Mapping &mapping);

/// Where a climb goes, beside from where.
struct Neighbourhood {
  const Accelerator &target;
  const SearchSpace &space;
  /// The accumulator's loops in other orders, too.
  bool accumulatorOrders = false;
  /// One dim cut into one tile more or less, and another grown into the room
  /// that there is then.
  bool refits = false;
};

/// Calls `visit` with every mapping one step away: a prime factor moved between
/// two places, a factor filled up or changed by one (tiles need not divide), a
/// factor moved from one dim to another, another loop order. A visit that
/// returns true makes its mapping the new centre; the sweep goes on from there.
/// Tiles may be too large for the machine, or not divide where the space wants
/// it: the visitor checks.
void forEachNeighbour(const Layer &layer, const Neighbourhood &neighbourhood,
                      const Mapping &centre,
                      llvm::function_ref<bool(const Mapping &)> visit);

/// A mapping that a climb changes, and what its loops run over.
struct Place {
  const Layer &layer;
  Mapping &mapping;
};

/// The hill climb of all searches: sweeps over the neighbours of the mappings
/// at `places`, one place after the other. `take(i, next)` looks at a neighbour
/// of the i-th; if it is better it puts it there, lowers `value` and returns
/// true. Ends with a sweep that lowers `value` by no more than `gain` of it,
/// after `maxSweeps` or where the budget does.
void climb(llvm::ArrayRef<Place> places, const Neighbourhood &neighbourhood,
           unsigned maxSweeps, double gain, const Budget &budget,
           const double &value,
           llvm::function_ref<bool(size_t, const Mapping &)> take);

/// Climbs from `start` (legal) until a whole sweep finds nothing better, or
/// where one of `ends` is, to which it adds where it ends.
Candidate climb(const LayerProblem &problem, const Mapping &start,
                const Goal &goal, unsigned maxSweeps, Budget &budget,
                bool refits = false, std::vector<Mapping> *ends = nullptr);

/// Changes a few factors and orders at random and makes the result fit again:
/// where the next climb of an iterated local search starts.
Mapping perturb(const LayerProblem &problem, const Mapping &mapping,
                std::mt19937_64 &rng);

/// A mapping with the factors that `choose` takes, dim by dim, inner ones
/// first, of what is `left` of the dim: from 1 to `limit`, where that is more
/// than 1.
Mapping fillSlots(
    const LayerProblem &problem,
    llvm::function_ref<int64_t(Slot, Dim, int64_t left, int64_t limit)> choose);

/// A random mapping of the space that `problem` has: with divisors only, each
/// factor a random divisor of what remains; the six orders of loop classes at
/// random. Without `repairs` it need not fit the machine.
Mapping randomPoint(const LayerProblem &problem, std::mt19937_64 &rng,
                    bool repairs = true);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_PROBLEM_CLIMB_H
