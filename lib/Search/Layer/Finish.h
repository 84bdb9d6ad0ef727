//===- Finish.h - What descents leave to be done on layers ------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_LAYER_FINISH_H
#define FADIFF_LIB_SEARCH_LAYER_FINISH_H

#include "../Problem/Findings.h"

namespace fadiff {

namespace exact {
class GroupMemory;
}

/// Enumerates each layer of which `options` allow it, and bounds the network
/// without fusion if these are all. A foreign cost cannot be enumerated.
/// `memory`: of searches of similar networks, or null.
void closeLayers(const Problem &problem, const ClosureOptions &options,
                 SearchCache *cache, exact::GroupMemory *memory, Budget &budget,
                 Findings &findings);

/// Per distinct layer the best mappings of each form (exact::Form), as far as
/// so many evaluations go; none where options or the time do not allow it.
std::vector<std::vector<Mapping>> bestOfForms(const Problem &problem,
                                              const ClosureOptions &options,
                                              Budget &budget);

/// Iterated local search on what was not enumerated: climbs from the best few,
/// leaves the optimum by a few random changes (drawn for `purpose`), climbs
/// again; then for at most `rounds` in all from the best, as totals move.
void climbLayers(const Problem &problem, const ClimbOptions &options,
                 Purpose purpose, unsigned rounds, Budget &budget,
                 Findings &findings);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_LAYER_FINISH_H
