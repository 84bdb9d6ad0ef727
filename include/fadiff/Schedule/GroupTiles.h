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
// borders clipped, computed again where windows overlap. In a group that keeps
// rows, it is only what no tile before has made. docs/CostModel.md, section
// "Groups and schedules".
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SCHEDULE_GROUPTILES_H
#define FADIFF_SCHEDULE_GROUPTILES_H

#include "fadiff/Schedule/GroupFlow.h"
#include "fadiff/Schedule/Placement.h"
#include "fadiff/Schedule/Schedule.h"
#include "fadiff/Workload/Access.h"
#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <vector>

namespace fadiff {

/// Of windows along one axis, summed over tiles: rows (columns) of the stored
/// input and of the padding; runs of at most `side` neighbours that cover all
/// of each window, and only what lies in the padding.
struct PaddedExtent {
  int64_t inside = 0, outside = 0;
  int64_t wholeRuns = 0, outsideRuns = 0;
  void add(const Layer &layer, Axis axis, Span outputs, int64_t side);
};

/// How much of the chip a tile of a group takes (docs/CostModel.md, eq.
/// (group-rows)): all that its readers want of it at a time.
struct HeldTile {
  /// The member whose window it holds or, with `isResidual`, whose outputs'
  /// like, and what that makes of N, P and Q.
  const Layer *reader = nullptr;
  PerDim<int64_t> outputs{1};
  bool isResidual = false;
  /// It comes from DRAM, and at once. Along an axis with one tap only what that
  /// touches is stored then.
  bool isLoaded = false;
  int64_t slice = 0; ///< channels that are there at a time; 0: all
  int64_t lines = 0; ///< of a ring, in which rows stay; 0: none stays

  bool isCompact(Axis axis) const {
    return isLoaded && !isResidual && reader->dims[kernelDim(axis)] == 1;
  }
  /// Rows (columns) of the image.
  int64_t extent(Axis axis) const;
  /// Rows of `side` channels. Saturates at the largest int64_t.
  int64_t rows(int64_t side) const;
};

/// Of a tile that takes `rows` rows for `lines` rows of the image: the same of
/// a ring.
inline int64_t ringRows(int64_t rows, int64_t lines, int64_t ringLines) {
  return rows / lines * ringLines;
}

/// Whether the window that `reader` loads stays where rows are kept: the next
/// tile's overlaps it, or others read it, too.
bool staysForNext(const Layer &reader, bool isShared);

/// Whether tiles that are neighbours along P may have windows of `layer` over
/// the same rows, or make outputs under the same windows of its pooling.
bool mayShareRows(const Layer &layer);

/// What a member hands over along P in a group that keeps rows: in the tile
/// whose first output row of the last member is x, the rows from x * scale +
/// begin to (x + tile) * scale + end, as far as they lie in [0, bound). x
/// starts below 0: members at the front run ahead, so that all hand over
/// equally many per tile.
struct RowWalk {
  int64_t scale = 1;
  int64_t begin = 0, end = 0;
  int64_t bound = 0; ///< rows that anyone reads

  /// Whether a tile hands over again what the one before has.
  bool overlaps() const { return begin < end; }
};

/// The loops of a group: those over N, P and Q that its last member has at
/// DRAM, over its outputs as they are stored, be it pooled.
struct GroupLoops {
  /// `poolsOutput` wants a layer with a pool.
  GroupLoops(const Layer &last, const Mapping &mapping, bool poolsOutput);

  /// The last member; its P and Q count what is stored.
  Layer outputs;
  /// Its mapping, with the tile of that at the scratchpad: of pooled rows
  /// (columns) as many as have their windows in the tile that is made.
  Mapping mapping;

  /// Extents N, P and Q of the group's tile.
  PerDim<int64_t> tile() const;
};

/// Dims that cut a group's input where they have a loop at DRAM.
inline constexpr std::array<Dim, 4> kLoadedWhole = {Dim::G, Dim::C, Dim::R,
                                                    Dim::S};

class GroupTiles {
public:
  /// `tile`: extents N, P, Q of the last layer's tile, at least 1. The layers
  /// are those of `flow`, in order of execution, and must outlive this.
  /// `keepRows` wants several tiles along P; `poolsOutput` a last layer with a
  /// pool, whose pooled outputs `tile` then counts.
  GroupTiles(std::vector<const Layer *> layers, const PerDim<int64_t> &tile,
             GroupFlow flow, bool keepRows = false, bool poolsOutput = false);
  /// A chain, each layer reading the one before.
  GroupTiles(std::vector<const Layer *> chain, const PerDim<int64_t> &tile,
             bool keepRows = false, bool poolsOutput = false);
  /// The group's tile is that of its last member's mapping.
  GroupTiles(const Network &network, const Schedule &schedule,
             const FusionGroup &group);

  size_t size() const { return chain.size(); }
  const Layer &layer(size_t member) const { return *chain[member]; }
  /// The member as the layer of one tile: its N, P and Q are the nominal
  /// extents. What its mapping's loops on chip run over.
  const Layer &tileLayer(size_t member) const { return tileLayers[member]; }
  bool isLast(size_t member) const { return member + 1 == chain.size(); }
  const GroupFlow &flow() const { return uses; }
  /// Whether the member brings its input in from DRAM.
  bool loadsInput(size_t member) const { return uses.loadsInput(member); }
  /// Whether another member hands the member's window over to it.
  bool getsWindow(size_t member) const {
    const GroupFlow::Tile &tile = uses.tiles[uses.members[member].input];
    return tile.producer && tile.reader == member;
  }
  /// Whether the member's residual is added from the scratchpad.
  bool addsOnChip(size_t member) const {
    return uses.members[member].skip.has_value();
  }

  bool keepsRows() const { return keepRows; }
  /// Whether the last member's outputs are pooled on their way to DRAM.
  bool poolsOutput() const { return poolsLast; }
  /// Whether rows of a tile of the flow stay for the next tile of the group, as
  /// somebody reads them then. Rows that are loaded for what lies under two
  /// tiles' windows of a pooling come in twice.
  bool keepsTile(size_t tile) const { return !kept.empty() && kept[tile]; }
  /// The same of a tile that is loaded, by a member with this mapping: no loop
  /// at DRAM may bring in parts of it one after the other.
  bool keepsLoaded(size_t tile, const Mapping &mapping) const;
  /// Of a group that keeps rows.
  const RowWalk &rowWalk(size_t member) const { return walks[member]; }
  /// Tiles before the last member makes its first row.
  int64_t leadTrips() const { return lead; }
  /// Rows that `member` loads of its input in all tiles, if they are kept.
  int64_t keptInputRows(size_t member) const { return once[member].rows; }
  /// The same with the padding.
  int64_t keptWindowRows(size_t member) const { return once[member].window; }
  /// Rows of the window that `member` loads, padding included, that come for
  /// any tile but the first: those that no tile before has brought, where rows
  /// stay; else all of them.
  int64_t nextRows(size_t member) const {
    const size_t tile = uses.members[member].input;
    return keepsTile(tile) ? once[member].next : tileExtent(tile, Axis::H);
  }
  /// What of the window that is handed over to `member` is padding. Where rows
  /// are kept, columns are padded once, when the row is made.
  PaddedExtent handedOverPadding(size_t member, Axis axis, int64_t side) const;

  /// Extents N, P and Q of the group's tile, as it was made.
  const PerDim<int64_t> &tile() const { return extents; }
  /// Trips of the group's loop over `dim` (N, P or Q).
  int64_t trips(Dim dim) const { return int64_t(spans(0, dim).size()); }
  /// The factor of `dim` (N, P or Q) at DRAM in the mapping of `member`: the
  /// group's trips, or as many as it takes to cover a member's own dim, which
  /// is not looked at.
  int64_t dramFactor(size_t member, Dim dim) const;
  /// What `member` makes in each tile along `dim` (N, P or Q).
  llvm::ArrayRef<Span> spans(size_t member, Dim dim) const {
    return made[member][dim];
  }
  /// The largest of them: what buffers are made for. Of a member whose outputs
  /// are pooled on their way all that lies under what it hands over, padding
  /// included.
  int64_t nominal(size_t member, Dim dim) const { return largest[member][dim]; }
  /// No tile leaves the member nothing to make.
  bool alwaysMakes(size_t member) const {
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      if (busyTiles(member, dim) != trips(dim))
        return false;
    return true;
  }
  /// Tiles in which it makes anything. In the others, where all that is read of
  /// it is padding, it loads and computes nothing.
  int64_t busyTiles(size_t member, Dim dim) const;
  /// Whether it makes less than its nominal extent in some tile.
  bool isCut(size_t member, Dim dim) const;
  /// Sum over all tiles: the dim's bound, or more where halos are computed
  /// again.
  int64_t produced(size_t member, Dim dim) const { return total[member][dim]; }
  /// The pooling that the member's outputs pass on their way to another member
  /// or to DRAM; null if they leave as they are.
  const MaxPool *pooling(size_t member) const {
    const Layer &layer = *chain[member];
    return layer.pool && (poolsLast || !isLast(member)) ? &*layer.pool
                                                        : nullptr;
  }
  /// Sum over all tiles of the N, P or Q that `member` hands over, or stores:
  /// what it makes, or pooled rows, in the scratchpad each over the whole width
  /// of the reader's window.
  int64_t handedOver(size_t member, Dim dim) const {
    return handed[member][dim];
  }
  /// Rows (columns) of the scratchpad tile that `member` reads its input from,
  /// padding included.
  int64_t window(size_t member, Axis axis) const {
    const Layer &layer = *chain[member];
    return layer.window(axis, nominal(member, outputDim(axis)),
                        layer.dims[kernelDim(axis)]);
  }
  /// A tile of the flow as it lies on chip.
  HeldTile held(size_t tile) const;
  /// Rows (columns) of the scratchpad, or the accumulator, that it takes. Of
  /// one whose rows are kept, these are the lines of a ring.
  int64_t tileExtent(size_t tile, Axis axis) const {
    return held(tile).extent(axis);
  }
  /// The most rows, of the window of the tile's owner and of the padding, from
  /// the first to the last that members `first` to `last` read in one tile.
  /// `ahead`: what is new of the next tile comes meanwhile.
  int64_t heldRows(size_t tile, size_t first, size_t last, bool ahead) const;
  /// Rows of the tile of its reader's mapping that a member loads.
  int64_t loadedRows(size_t tile, const Mapping &mapping) const;
  /// Rows of all tiles that members hand over and that are live at `member`:
  /// its rows of the accumulator where they are handed over in place, beside
  /// the sums of a member that hands over nothing. Saturates.
  int64_t handedOverRowsAt(size_t member, int64_t side) const;

private:
  void cutOutputs(const PerDim<int64_t> &tile);
  void tie();
  void findWalks();
  void walkRows(int64_t tile);
  /// The rows that the member makes, pooled or not, while it hands over those
  /// of its walk.
  RowWalk madeWalk(size_t member) const;

  std::vector<const Layer *> chain;
  PerDim<int64_t> extents;
  GroupFlow uses;
  bool keepRows = false, poolsLast = false;
  std::vector<RowWalk> walks;
  std::vector<bool> kept;     ///< per tile of the flow; empty: none
  std::vector<int64_t> lines; ///< of its ring
  struct LoadedOnce {
    int64_t rows = 0, window = 0;
    int64_t next = 0; ///< of the window, the most in a tile but the first
  };
  std::vector<LoadedOnce> once; ///< per member
  int64_t lead = 0;
  std::vector<Layer> tileLayers;
  std::vector<PerDim<std::vector<Span>>> made;
  std::vector<PerDim<int64_t>> largest, total, handed;
};

/// Tiles are walked one by one: more of them along one dim are refused.
inline constexpr int64_t kMostGroupTiles = int64_t(1) << 16;

/// About how many tiles of `tile` rows `chain` begins with in a group that
/// keeps rows, before the last member makes anything; for bounds of any size.
/// Infinite where rows are too far apart to be counted.
double estimateLeadTrips(llvm::ArrayRef<const Layer *> chain, int64_t tile,
                         bool poolsOutput = false);

} // namespace fadiff

#endif // FADIFF_SCHEDULE_GROUPTILES_H
