//===- Residency.h - Who lies on chip, where and when -----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The account of the scratchpad and the accumulator: tiles, weights and sums of
// a layer or a fusion group, how many rows each takes, and while which members.
// Legality, the code generator and the verifier of loop nests ask it. The
// enumeration of groups adds the same up member by member, before there is a
// group, and is held against legality. docs/CostModel.md, section "Groups and
// schedules".
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SCHEDULE_RESIDENCY_H
#define FADIFF_SCHEDULE_RESIDENCY_H

#include "fadiff/Schedule/GroupTiles.h"

namespace fadiff {

/// Something that lies in a memory of the array.
struct Resident {
  enum class Kind : uint8_t { Tile, Weights, Sums };
  Kind kind = Kind::Tile;
  size_t owner = 0; ///< the tile's number in the flow, or the member
  Level level = Level::Scratchpad;
  int64_t rows = 0;
  /// The first member that needs room for it, and the last one.
  size_t first = 0, last = 0;
  /// It stays from tile to tile of the group.
  bool stays = false;

  bool isLiveAt(size_t member) const {
    return stays || (first <= member && member <= last);
  }
};

/// Where a tile of a group lies: sums that are handed over in place stay in
/// the accumulator.
inline Level levelOfTile(bool isLoaded, const Accelerator &target) {
  return !isLoaded && target.handsOverInPlace() ? Level::Accumulator
                                                : Level::Scratchpad;
}
/// Whether a member needs room for its sums beside the tile that it hands over.
inline bool hasOwnSums(bool handsOver, const Accelerator &target) {
  return !handsOver || !target.handsOverInPlace();
}

class Residency {
public:
  /// What only mappings, or stages of a nest, tell of a group.
  struct Rooms {
    struct Tile {
      int64_t rows = 0;
      bool stays = false;
    };
    struct Member {
      int64_t weightRows = 0, sumRows = 0;
      bool keepsWeights = false; ///< for the whole group
    };
    std::vector<Tile> tiles;
    std::vector<Member> members;
  };
  Residency(GroupFlow flow, const Rooms &rooms, const Accelerator &target);
  /// What the members of such a group, and its tiles, take.
  static Rooms roomsOf(const GroupTiles &tiles,
                       llvm::ArrayRef<Mapping> mappings,
                       const Accelerator &target);
  /// Of a group whose members have these mappings, in order.
  Residency(const GroupTiles &tiles, llvm::ArrayRef<Mapping> mappings,
            const Accelerator &target);

  /// Tiles in the order of the flow, then weights, then sums of the members. A
  /// member that hands over in place has no sums but its tile.
  llvm::ArrayRef<Resident> all() const { return residents; }

  /// Rows of `level` that are taken while `member` runs; of one kind alone if
  /// it is given. Saturates at the largest int64_t.
  int64_t rowsAt(Level level, size_t member,
                 std::optional<Resident::Kind> kind = std::nullopt) const;
  /// The most of these (docs/CostModel.md, eq. (group-rows)).
  int64_t peak(Level level) const;

  /// The first row of each of all(), so that whatever is there at once lies
  /// apart if the peak fits. Wants a flow whose tiles can be stacked
  /// (stackTiles(), which verifyFlow() checks).
  std::vector<int64_t> place() const;

private:
  GroupFlow flow;
  const Accelerator &target;
  std::vector<Resident> residents;
};

/// Rows of the accumulator that others take while `member` runs: all of them
/// where that depends on others' mappings, 0 if it has no sums of its own.
int64_t sumsBeside(const GroupTiles &tiles, size_t member,
                   const Accelerator &target);

} // namespace fadiff

#endif // FADIFF_SCHEDULE_RESIDENCY_H
