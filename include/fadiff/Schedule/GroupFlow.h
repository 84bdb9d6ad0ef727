//===- GroupFlow.h - Who reads what inside a fusion group -------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles that a fusion group holds on chip, who makes each, who reads it,
// and until when it stays. docs/CostModel.md, section "Groups and schedules".
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SCHEDULE_GROUPFLOW_H
#define FADIFF_SCHEDULE_GROUPFLOW_H

#include "fadiff/Schedule/Schedule.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <utility>
#include <vector>

namespace fadiff {

/// Members are positions in the group, in order of execution.
struct GroupFlow {
  /// A tile in the scratchpad, or in the accumulator if it is handed over in
  /// place.
  struct Tile {
    /// Who hands it over; none: it is loaded from DRAM.
    std::optional<size_t> producer;
    /// Whose input window it holds or, with `isResidual`, whose outputs' like.
    size_t reader = 0;
    bool isResidual = false;
    /// Channels that it holds at a time; 0: all.
    int64_t slice = 0;
    /// The group's next tile comes in while members run on the one at hand: it
    /// has two places or, where its rows stay, lines for what is new.
    bool turns = false;
    /// The first member that needs room for it, and the last one.
    size_t first = 0, last = 0;
    bool isLiveAt(size_t member) const {
      return first <= member && member <= last;
    }
  };
  struct Member {
    size_t input = 0;           ///< number of a tile
    std::optional<size_t> skip; ///< the tile that its sums start from
    std::optional<size_t> output;
  };
  std::vector<Tile> tiles; ///< in the order in which they are made
  std::vector<Member> members;

  /// Each member reads the one before, and nothing else.
  static GroupFlow chain(size_t size);

  /// Whether the member's input comes in from DRAM as its window.
  bool loadsInput(size_t member) const {
    const Tile &tile = tiles[members[member].input];
    return !tile.producer && tile.reader == member;
  }
  /// Whether each member reads the one before, and nothing else.
  bool isChain() const;
  /// Whether the tile is read again, by others than its reader or by that one.
  bool isShared(size_t tile) const;
  /// The first and the last of the members that take turns with `member`,
  /// handing over slices of channels: it alone if it neither gets nor makes
  /// such.
  std::pair<size_t, size_t> turnsOf(size_t member) const;
  bool handsOverSlices(size_t member) const {
    return members[member].output && tiles[*members[member].output].slice;
  }
};

/// Who reads which tensor of a network.
struct TensorUses {
  explicit TensorUses(const Network &network);

  std::vector<Operands> operands; ///< per layer
  /// Per layer, those that read what it makes; one that reads it twice is there
  /// twice.
  std::vector<llvm::SmallVector<unsigned, 2>> readers;
};

/// The group's flow as far as operands tell; a member whose input they do not
/// tell reads the one before.
GroupFlow flowOf(const Network &network, const TensorUses &uses,
                 const FusionGroup &group);
GroupFlow flowOf(const Network &network, const FusionGroup &group);

/// Two stacks of tiles, from either end of the scratchpad.
struct TileStacks {
  std::vector<bool> atTop;   ///< per tile: at the upper end
  std::vector<size_t> order; ///< in which tiles are put on their stacks
};
/// Stacks from which tiles are freed as they lie, so that at each member all
/// live tiles leave one gap in between. The first tile is at the lower end.
/// None if tiles are freed in no order that allows it.
std::optional<TileStacks> stackTiles(const GroupFlow &flow);

/// What of a group's rules follows from its layers and the machine alone,
/// whatever the mappings and the tile: who reads what, shapes, that tiles can
/// be stacked, and that the array can read them where they are handed over.
llvm::Error verifyFlow(const Network &network, const TensorUses &uses,
                       const FusionGroup &group, const GroupFlow &flow,
                       const Accelerator &target);

} // namespace fadiff

#endif // FADIFF_SCHEDULE_GROUPFLOW_H
