//===- GroupTiles.h - The tied tiles of a fusion group ----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tile loops of a fusion group cut the last member's outputs. What every
// other member makes in a tile follows: whatever its consumer's window reads,
// borders clipped, computed again where windows overlap. docs/CostModel.md,
// section "Groups and schedules".
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SCHEDULE_GROUPTILES_H
#define FADIFF_SCHEDULE_GROUPTILES_H

#include "fadiff/Schedule/Placement.h"
#include "fadiff/Schedule/Schedule.h"
#include "llvm/ADT/ArrayRef.h"

#include <vector>

namespace fadiff {

/// Rows or columns [begin, end).
struct Span {
  int64_t begin = 0, end = 0;
  int64_t extent() const { return end - begin; }
};

/// Stored input rows (columns) that `layer` reads with all its taps to make
/// `outputs`; nothing of the padding.
Span inputSpan(const Layer &layer, Axis axis, Span outputs);

/// Scratchpad rows of the tile that `layer`, not the first member of its group,
/// reads to make `outputs` along N, P and Q: the whole window, padding
/// included, all channels, `side` to a row. Saturates at the largest int64_t.
int64_t handOverRows(const Layer &layer, const PerDim<int64_t> &outputs,
                     int64_t side);

class GroupTiles {
public:
  /// `tile`: extents N, P, Q of the last layer's tile, at least 1. The layers
  /// are a chain in order of execution and must outlive this.
  GroupTiles(std::vector<const Layer *> chain, const PerDim<int64_t> &tile);
  /// The group's tile is that of its last member's mapping.
  GroupTiles(const Network &network, const Schedule &schedule,
             const FusionGroup &group);

  size_t size() const { return chain.size(); }
  const Layer &layer(size_t member) const { return *chain[member]; }
  /// The member as the layer of one tile: its N, P and Q are the nominal
  /// extents. What its mapping's loops on chip run over.
  const Layer &tileLayer(size_t member) const { return tileLayers[member]; }
  bool isLast(size_t member) const { return member + 1 == chain.size(); }

  /// Trips of the group's loop over `dim` (N, P or Q).
  int64_t trips(Dim dim) const { return int64_t(spans(0, dim).size()); }
  /// What `member` makes in each tile along `dim` (N, P or Q).
  llvm::ArrayRef<Span> spans(size_t member, Dim dim) const {
    return made[member][dim];
  }
  /// The largest of them: what buffers are made for.
  int64_t nominal(size_t member, Dim dim) const {
    return largest[member][dim];
  }
  /// Sum over all tiles: the dim's bound, or more where halos are computed
  /// again.
  int64_t produced(size_t member, Dim dim) const {
    return total[member][dim];
  }
  /// Rows (columns) of the scratchpad tile that `member` reads its input from,
  /// padding included.
  int64_t window(size_t member, Axis axis) const {
    const Layer &layer = *chain[member];
    return layer.window(axis, nominal(member, outputDim(axis)),
                        layer.dims[kernelDim(axis)]);
  }
  /// The same for the nominal tile of `member`.
  int64_t handOverRows(size_t member, int64_t side) const;

private:
  void tie();

  std::vector<const Layer *> chain;
  std::vector<Layer> tileLayers;
  std::vector<PerDim<std::vector<Span>>> made;
  std::vector<PerDim<int64_t>> largest, total;
};

} // namespace fadiff

#endif // FADIFF_SCHEDULE_GROUPTILES_H
