//===- Partition.h - Which layers share a group -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chains of layers that could be fused, and the best cuts through them.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_GROUP_PARTITION_H
#define FADIFF_LIB_SEARCH_GROUP_PARTITION_H

#include "../Problem/Findings.h"
#include "Fusion.h"

#include "llvm/ADT/STLExtras.h"

namespace fadiff {

namespace exact {
class GroupMemory;
}

/// A chain of layers joined by fusible edges; most are one layer alone. A layer
/// that only makes a residual for the chain, from the input of one of its
/// layers, stands before that one. Identical chains of a network share a unit.
struct Unit {
  std::vector<unsigned> layers; ///< of the first occurrence
  double multiplicity = 1;
  /// Per pair of neighbours, whether the second reads what the first makes.
  std::vector<bool> joined;
  /// Per pair of neighbours, whether they have to share a group.
  std::vector<bool> joinsNext;
};

/// A network as maximal chains of fusible edges.
struct Chains {
  /// `apart`: why no groups are looked for; empty if they are.
  Chains(const Problem &problem, llvm::StringRef apart);

  std::vector<Unit> units;
  std::vector<unsigned> unitOf; ///< per chain of the network
  std::vector<std::vector<unsigned>> chains;
  std::vector<std::string> edgeReasons; ///< why an edge joins no chain
  TensorUses uses;
  /// Whether there may be groups that are no part of any chain here.
  bool mayMissGroups = false;
  /// Whether some layer could store its outputs pooled, and may.
  bool poolsOutputs = false;

  /// An edge that has to be fused and is part of no chain.
  std::optional<unsigned> brokenEdge;

  /// Whether each layer is alone, whatever is chosen.
  bool nothingToFuse() const {
    return !poolsOutputs && llvm::all_of(units, [](const Unit &unit) {
      return unit.layers.size() < 2;
    });
  }

private:
  /// Per layer its neighbours in the chain; -1: none.
  struct Links {
    explicit Links(size_t layers) : next(layers, -1), previous(layers, -1) {}
    void join(unsigned from, unsigned to) {
      next[from] = int(to);
      previous[to] = int(from);
    }
    std::vector<int> next, previous;
  };
  void joinBranches(const Problem &problem, Links &links);
  void joinMaker(const Problem &problem, unsigned maker,
                 llvm::ArrayRef<unsigned> readers, Links &links);
};

/// Finds the best groups and cuts of all chains, where `findings` know what the
/// layers cost alone: by enumeration where the cost and `closure` allow it,
/// with a bound if there is one for every class; else by search, the groups
/// that `gates` (per unit) like best first, which `beforeSearch` may fill in.
/// `memory`: of searches of similar networks, or null.
/// Writes schedule, bound and the edges' decisions; false, and a bound only, if
/// the memory knows of something better.
bool partition(const Problem &problem, const Chains &chains,
               const std::vector<UnitGates> &gates,
               const ClosureOptions &closure, const ClimbOptions &climb,
               exact::GroupMemory *memory, Budget &budget, Findings &findings,
               llvm::function_ref<void()> beforeSearch);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_GROUP_PARTITION_H
