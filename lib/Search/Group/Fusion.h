//===- Fusion.h - Finding mappings for a fusion group -----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles and mappings for layers that run together, on the exact cost.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_GROUP_FUSION_H
#define FADIFF_LIB_SEARCH_GROUP_FUSION_H

#include "../Problem/Climb.h"
#include "Shapes.h"

namespace fadiff {

struct GroupCandidate {
  bool found = false;
  std::vector<Mapping> mappings; ///< one per member
  double energy = 0, cycles = 0;
  /// If none was found: what the last one tried broke.
  std::string reason;
  FusionGroup group; ///< of layers of the network
};

/// What a descent says of a chain's groups.
struct UnitGates {
  std::vector<double> sigma;        ///< per edge, in [0, 1]: its tensor stays
  std::vector<double> resident;     ///< per layer, in [0, 1]: its weights stay
  std::vector<PerDim<double>> tile; ///< per layer, N, P and Q
  /// Per layer those of all descents, rounded, without repeats.
  std::vector<std::vector<PerDim<int64_t>>> tiles;
};
/// Of a chain of `layers` that no descent has seen.
UnitGates noGates(size_t layers);

/// Whether the member's own factors divide its tile, and the group's the last
/// member's outputs.
bool cutsEvenly(const GroupTiles &tiles, size_t member, Mapping mapping);

/// Whether a member may be mapped by `next` in place of `own`, as far as the
/// group's tile and the layouts that members share say: fills in the group's
/// trips. What the machine says is another matter.
bool takesPlaceOf(const GroupTiles &tiles, size_t member, const Mapping &own,
                  Mapping &next);

/// The best legal mappings found for the layers of `shape` as one group.
/// `gates` are the members' (sigma is not looked at): their last tile and their
/// residency are tried beside what is always tried.
GroupCandidate searchGroup(const Network &network, const GroupShape &shape,
                           const UnitGates &gates, const Accelerator &target,
                           const CostFunction &cost, const Goal &goal,
                           const SearchSpace &space, unsigned maxSweeps,
                           Budget &budget);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_GROUP_FUSION_H
