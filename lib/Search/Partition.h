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

#ifndef FADIFF_LIB_SEARCH_PARTITION_H
#define FADIFF_LIB_SEARCH_PARTITION_H

#include "Fusion.h"
#include "Problem.h"

namespace fadiff {

/// A chain of layers joined by fusible edges; most are one layer alone.
/// Identical chains of a network share a unit.
struct Unit {
  std::vector<unsigned> layers; ///< of the first occurrence
  double multiplicity = 1;
};

/// A network as maximal chains of fusible edges.
struct Chains {
  explicit Chains(const Problem &problem);

  std::vector<Unit> units;
  std::vector<unsigned> unitOf; ///< per chain of the network
  std::vector<std::vector<unsigned>> chains;
  std::vector<std::string> edgeReasons; ///< why an edge joins no chain
};

/// Looks for groups in all chains, those that `sigma` (per unit and edge) likes
/// best first, and takes the cheapest cuts. `chosen` says what each class costs
/// alone. Writes groups, the mappings of fused layers and the edges' decisions.
void partition(const Problem &problem, const Chains &chains,
               const std::vector<Candidate> &chosen,
               const std::vector<std::vector<double>> &sigma, Budget &budget,
               SearchResult &result);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_PARTITION_H
