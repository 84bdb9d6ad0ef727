//===- Nest.cpp - The exact loop nest of a mapping ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/Nest.h"

#include <algorithm>

using namespace fadiff;

Nest<double> fadiff::exactNest(const Layer &layer, const Mapping &mapping) {
  Nest<double> nest;
  nest.layer = &layer;
  nest.order = mapping.order;
  for (Dim dim : kAllDims) {
    int64_t bound = layer.dims[dim];
    int64_t inner = std::min(bound, mapping.spatial(layer, dim));
    std::array<int64_t, kNumLevels> tiles;
    for (unsigned l = 0; l < kNumLevels; ++l) {
      int64_t factor = std::min(bound, mapping.temporal[kAllLevels[l]][dim]);
      int64_t outer = std::min(bound, inner * factor);
      tiles[l] = outer;
      nest.tile[kAllLevels[l]][dim] = double(outer);
      nest.trips[kAllLevels[l]][dim] = double((outer + inner - 1) / inner);
      inner = outer;
    }
    // Cut the bound level by level. Each level adds at most one new (short)
    // extent per kind: full tiles split into full tiles and one rest, the rest
    // likewise, so the list stays short. Same as tileRuns(), without sorting.
    struct Run {
      int64_t extent, count;
    };
    std::array<Run, 1u << kNumLevels> runs;
    unsigned numRuns = 1;
    runs[0] = {bound, 1};
    for (unsigned l = kNumLevels; l-- > 0;) {
      int64_t tile = tiles[l], full = 0, total = 0;
      unsigned kept = 0;
      for (unsigned r = 0; r < numRuns; ++r) {
        auto [extent, count] = runs[r];
        full += count * (extent / tile);
        if (int64_t rest = extent % tile) {
          runs[kept++] = {rest, count};
          total += count;
        }
      }
      if (full)
        runs[kept++] = {tile, full};
      numRuns = kept;
      nest.count[kAllLevels[l]][dim] = double(total + full);
    }
  }
  bool depthwise = layer.isDepthwise();
  nest.cols =
      double(std::min(layer.dims[depthwise ? Dim::G : Dim::K], mapping.cols));
  nest.rows = depthwise ? nest.cols
                        : double(std::min(layer.dims[Dim::C], mapping.rows));
  return nest;
}
