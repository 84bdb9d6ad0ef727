//===- Anneal.h - Simulated annealing over schedules ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A search that knows nothing but the data structure of a schedule, verify()
// and a cost: what it finds does not depend on what the other searches take for
// granted. It attacks their bounds (fadiff-bench attack).
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SEARCH_ANNEAL_H
#define FADIFF_SEARCH_ANNEAL_H

#include "fadiff/Search/Search.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace fadiff {

/// What is known of groups of one network, on one machine, by one cost. Calls
/// that share it find the same as without it, and look at less.
class AnnealMemory;
std::shared_ptr<AnnealMemory> createAnnealMemory();

struct AnnealOptions {
  Objective objective = Objective::Edp;
  /// A part of every total (pJ, cycles).
  double besidesEnergy = 0, besidesCycles = 0;
  /// Changes that are tried, legal or not.
  uint64_t steps = 20000;
  uint64_t seed = 0;
  /// Of the logarithm of the objective; falls geometrically.
  double temperatureFirst = 0.1;
  double temperatureLast = 1e-4;
  /// A change whose logarithm by CostFunction::quick() is worse by more than
  /// what may be accepted and this is not looked at more closely.
  double doubt = 0.05;
  /// Whether layers may leave their groups for others.
  bool regroups = true;
  /// Whether layers alone may begin to pool on their way to DRAM.
  bool pools = true;
  /// Of calls before, and for those behind; null if there are none.
  std::shared_ptr<AnnealMemory> memory;
  /// What part of something else that is limited, too, has been used up; null
  /// for nothing. It cools by that where it is more than the part of the steps.
  std::function<double()> used;
  /// Asked now and then; ends it when true.
  std::function<bool()> stop;
};

struct Annealed {
  Schedule schedule; ///< passes verify()
  double energy = 0; ///< pJ
  double cycles = 0;
  uint64_t legal = 0; ///< changes that verify() accepted
};

/// Anneals from `start`, which must pass verify(), but need not have all layers
/// in its groups: those that it has not stay out. Changes factors, orders and
/// array sizes of a layer; tiles, kept rows, live skips, slices and pooling of
/// a group; where groups begin and end, and in which order their members run.
/// The same arguments give the same result.
Annealed anneal(const Network &network, const Accelerator &target,
                const CostFunction &cost, const Schedule &start,
                const AnnealOptions &options);

/// Into how many parts each way withOtherTiles() cuts what a group stores.
enum class TileParts : uint8_t {
  All,    ///< 1, 2, 3, 4, 6, 8, 12, ...
  Halves, ///< 1, 2, 4, 8, ...
};

/// The group of `start`, its only one and tiled, with other tiles, to which its
/// members' mappings are cut. Returned are the `most` of them that cost least,
/// by quick costs and what `options` says of the objective, the best one first;
/// all pass verify().
std::vector<Schedule> withOtherTiles(const Network &network,
                                     const Accelerator &target,
                                     const CostFunction &cost,
                                     const Schedule &start, TileParts which,
                                     size_t most, const AnnealOptions &options);

} // namespace fadiff

#endif // FADIFF_SEARCH_ANNEAL_H
