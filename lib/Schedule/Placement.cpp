//===- Placement.cpp - Which loops run, and where tiles move --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/Placement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace fadiff;

llvm::SmallVector<EmittedLoop, kNumDims>
fadiff::emittedLoops(const Layer &layer, const Mapping &mapping, Level level) {
  llvm::SmallVector<EmittedLoop, kNumDims> loops;
  for (Dim dim : llvm::reverse(mapping.order[level]))
    if (int64_t trips = mapping.trips(layer, level, dim); trips > 1)
      loops.push_back({level, dim, trips});
  return loops;
}

llvm::SmallVector<TileRun, 4> fadiff::tileRuns(const Layer &layer,
                                               const Mapping &mapping,
                                               Level level, Dim dim) {
  llvm::SmallVector<TileRun, 4> runs = {{layer.dims[dim], 1}};
  for (Level inner : llvm::reverse(kAllLevels)) {
    int64_t tile = mapping.tile(layer, inner, dim);
    llvm::SmallVector<TileRun, 4> finer;
    auto add = [&](int64_t extent, int64_t count) {
      if (extent == 0 || count == 0)
        return;
      for (TileRun &run : finer)
        if (run.extent == extent) {
          run.count += count;
          return;
        }
      finer.push_back({extent, count});
    };
    for (const TileRun &run : runs) {
      add(tile, run.count * (run.extent / tile));
      add(run.extent % tile, run.count);
    }
    runs = std::move(finer);
    if (inner == level)
      break;
  }
  llvm::sort(runs, [](const TileRun &a, const TileRun &b) {
    return a.extent > b.extent;
  });
  return runs;
}

int64_t fadiff::tileCount(const Layer &layer, const Mapping &mapping,
                          Level level, Dim dim) {
  int64_t count = 0;
  for (const TileRun &run : tileRuns(layer, mapping, level, dim))
    count += run.count;
  return count;
}

int64_t fadiff::outputVisits(const Layer &layer, const Mapping &mapping) {
  // From the inside: reductions met before the first loop over a dim of O
  // accumulate in place, all later ones revisit the tile. Which level's tiles
  // are revisited is kept per dim, because the trips of a scratchpad loop and
  // of the DRAM loop around it do not just multiply where tiles are clipped.
  bool inside = true;
  PerDim<Level> revisited{Level::Dram};
  for (Level level : {Level::Scratchpad, Level::Dram})
    for (Dim dim : mapping.order[level]) {
      if (mapping.trips(layer, level, dim) <= 1)
        continue;
      if (!isReduction(dim))
        inside = false;
      else if (!inside && revisited[dim] == Level::Dram)
        revisited[dim] =
            level == Level::Dram ? Level::Scratchpad : Level::Accumulator;
    }
  int64_t visits = 1;
  for (Dim dim : {Dim::C, Dim::R, Dim::S})
    if (llvm::MulOverflow(
            visits, tileCount(layer, mapping, revisited[dim], dim), visits))
      return std::numeric_limits<int64_t>::max();
  return visits;
}
