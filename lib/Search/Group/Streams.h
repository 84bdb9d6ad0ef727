//===- TieBreak.h - The faster of equal mappings ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_GROUP_TIEBREAK_H
#define FADIFF_LIB_SEARCH_GROUP_TIEBREAK_H

#include "../Problem/Climb.h"

#include "fadiff/Workload/Network.h"

namespace fadiff {

/// Many mappings have the same energy and the same cycles by the roofline, but
/// their programs do not take the same time. Replaces each mapping of
/// `schedule`, which is legal, by neighbours that cost no more in either, for
/// as long as the streams of the emitted code (StreamLatency.h) get faster.
/// `cost` counts by the machine's convention. The schedule stays legal, its
/// groups and their tiles stay what they are. Stops when `budget` is exhausted,
/// and counts nothing to it.
void breakTies(const Network &network, const Accelerator &target,
               const CostFunction &cost, const SearchSpace &space,
               Schedule &schedule, const Budget &budget);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_GROUP_TIEBREAK_H
