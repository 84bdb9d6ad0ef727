//===- Streams.h - Schedules in the time of the emitted streams -*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the code generator emits takes longer than the roofline says
// (StreamLatency.h). Nothing can be enumerated by that time, as what waits for
// what is no sum of counts; but what was enumerated can be improved by it.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_GROUP_STREAMS_H
#define FADIFF_LIB_SEARCH_GROUP_STREAMS_H

#include "../Problem/Problem.h"

namespace fadiff {

/// Many mappings have the same energy and the same cycles by the roofline, but
/// their programs do not take the same time. Replaces each mapping of
/// `schedule`, which is legal, by neighbours that cost no more in either, for
/// as long as the streams of the emitted code get faster. `cost` counts by the
/// machine's convention. The schedule stays legal, its groups and their tiles
/// stay what they are. Stops when `budget` is exhausted, and counts nothing to
/// it.
void breakTies(const Network &network, const Accelerator &target,
               const CostFunction &cost, const SearchSpace &space,
               Schedule &schedule, const Budget &budget);

/// What a search by the roofline, or by Latency::Busy, has found, and per layer
/// the mapping that it would take if no group were formed, with others that it
/// has kept behind it.
struct RooflineResult {
  SearchResult search;
  std::vector<std::vector<Mapping>> alone;
};

/// Searches `problem`, which counts cycles by Latency::Streams: `byRoofline`
/// finds a schedule and a bound, which no schedule's streams are below, by what
/// units are busy, and for the objective latency another schedule by the
/// roofline. From the faster one, by CostFunction::quick(), mappings climb
/// towards the objective, groups whose layers are better alone are given up,
/// and all is changed at random. Then, by the cost itself, each group is
/// changed at random and mappings step on. The objective latency has that done
/// once more, from what EDP would take, and networks of few distinct layers
/// from the roofline's choice, unless a constraint or a number of evaluations
/// is to be kept. A limit of cycles is tightened for `byRoofline`
/// until the streams keep it, or six times. What is returned need not keep the
/// limit; it is legal and has its cost.
llvm::Expected<SearchResult> searchByStreams(
    const Problem &problem, const SearchOptions &options,
    llvm::function_ref<llvm::Expected<RooflineResult>(const SearchOptions &)>
        byRoofline);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_GROUP_STREAMS_H
