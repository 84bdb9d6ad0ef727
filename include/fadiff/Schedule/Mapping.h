//===- Mapping.h - Where each loop of a layer runs --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SCHEDULE_MAPPING_H
#define FADIFF_SCHEDULE_MAPPING_H

#include "fadiff/Hardware/Accelerator.h"
#include "fadiff/Workload/Layer.h"
#include "llvm/ADT/Hashing.h"

namespace fadiff {

/// Eight dims, innermost loop first.
using LoopOrder = std::array<Dim, kNumDims>;

/// A mapping of one layer onto the machine.
///
/// Per dim the factors, from the array outwards, are: spatial, registers,
/// accumulator, scratchpad, dram. A factor counts iterations; the *tile* of a
/// level is the product of the level's own and all inner factors, clipped to
/// the dim. The product of all factors of a dim is at least the dim; where it
/// is larger the last tile is smaller (its factors need not divide).
struct Mapping {
  PerLevel<PerDim<int64_t>> temporal{PerDim<int64_t>(1)};
  /// C over the array's rows.
  int64_t rows = 1;
  /// K over the array's columns. For a depthwise layer G takes both rows and
  /// columns (a block-diagonal weight tile), so this is the G factor.
  int64_t cols = 1;
  PerLevel<LoopOrder> order{kAllDims};

  /// Array factor of `dim` for `layer`: rows for C, cols for K (G if
  /// depthwise), else 1.
  int64_t spatial(const Layer &layer, Dim dim) const;
  /// Tile extent of `dim` at `level`, clipped to the layer's bound.
  int64_t tile(const Layer &layer, Level level, Dim dim) const;
  /// Iterations that the loop `dim` at `level` really makes: the number of
  /// level-tiles in the next outer tile (ceil division), not the raw factor.
  int64_t trips(const Layer &layer, Level level, Dim dim) const;

  bool operator==(const Mapping &other) const {
    return temporal == other.temporal && rows == other.rows &&
           cols == other.cols && order == other.order;
  }
};

/// Of all factors and orders.
llvm::hash_code hash_value(const Mapping &mapping);
struct MappingHash {
  size_t operator()(const Mapping &mapping) const {
    return hash_value(mapping);
  }
};

} // namespace fadiff

#endif // FADIFF_SCHEDULE_MAPPING_H
