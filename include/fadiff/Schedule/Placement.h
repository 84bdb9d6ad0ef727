//===- Placement.h - Which loops run, and where tiles move ------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What follows from a mapping alone and is the same for cost model, verifier
// and code generator: the loops that are really emitted, and how often a tile
// is visited. docs/CostModel.md, section "Placement".
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SCHEDULE_PLACEMENT_H
#define FADIFF_SCHEDULE_PLACEMENT_H

#include "fadiff/Schedule/Mapping.h"
#include "llvm/ADT/SmallVector.h"

namespace fadiff {

/// A loop that makes more than one trip (others are not emitted).
struct EmittedLoop {
  Level level = Level::Dram;
  Dim dim = Dim::N;
  /// Trips through a full (unclipped) tile of `level`.
  int64_t trips = 1;
};

/// The loops of `level` with more than one trip, outermost first.
llvm::SmallVector<EmittedLoop, kNumDims>
emittedLoops(const Layer &layer, const Mapping &mapping, Level level);

/// Tiles of one extent along a dim.
struct TileRun {
  int64_t extent = 0;
  int64_t count = 0;
};

/// All tiles of `level` along `dim` over the whole layer, as (extent, count)
/// with distinct extents, the largest first. Edge tiles of outer levels are
/// cut into the tiles of inner ones, so there may be several short extents.
llvm::SmallVector<TileRun, 4>
tileRuns(const Layer &layer, const Mapping &mapping, Level level, Dim dim);

/// Number of tiles of `level` along `dim` over the whole layer.
int64_t tileCount(const Layer &layer, const Mapping &mapping, Level level,
                  Dim dim);

/// How often an accumulator tile is entered and left: 1 if the sums stay in the
/// accumulator until they are complete, else the trips of the reduction loops
/// outside the point where the tile is initialised and stored (innermost
/// emitted loop over N, G, K, P or Q among the DRAM and scratchpad loops).
int64_t outputVisits(const Layer &layer, const Mapping &mapping);

} // namespace fadiff

#endif // FADIFF_SCHEDULE_PLACEMENT_H
