//===- Share.h - What a tile means along one dim ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_GROUP_SHARE_H
#define FADIFF_LIB_SEARCH_GROUP_SHARE_H

#include "fadiff/Schedule/GroupTiles.h"

#include <cstdint>
#include <vector>

namespace fadiff::exact {

/// A dim of one member in all tiles of the group.
struct Share {
  int64_t nominal = 0;    ///< 0: no tile has anything to make
  int64_t produced = 0;   ///< sum over the tiles
  int64_t handedOver = 0; ///< the same of what others get
  int64_t tiles = 0;      ///< those that are not empty
  /// Blocks that a tile can be cut into: the smallest for each number of
  /// blocks in all tiles, smaller blocks first.
  struct Cut {
    int64_t block, count;
  };
  std::vector<Cut> cuts;
  /// Of the input, for kernel tiles of 1, 2, ...; one entry for N.
  std::vector<int64_t> loaded;
  int64_t loadedOnce = 0; ///< if rows are kept
  /// The same with the padding, if that is not zero, and what of the windows is
  /// padding where they are handed over.
  std::vector<int64_t> windows;
  int64_t windowsOnce = 0;
  PaddedExtent padding;
  /// Of the tile that it reads, if that is its window and rows are kept: the
  /// lines of its ring if of its readers those from `first` to `last`, among
  /// them this one, are in the group.
  struct Ring {
    size_t first, last;
    int64_t lines;
    int64_t linesAhead; ///< if the next tile comes meanwhile
  };
  std::vector<Ring> rings;
  bool keepsHandedOver = false; ///< it stays where another member makes it
  /// The lines for these readers; with `ahead` for the next tile's, too.
  int64_t ringLines(size_t first, size_t last, bool ahead) const;
  /// The most that a layer of its own would load, tap by tap or not.
  int64_t most = 0;
};

/// What extents of the last member's tile mean for all members: one, or the
/// least of several in each respect (G2, G5).
struct DimTile {
  std::vector<Share> members; ///< from the first that a group can have
  size_t first = 0;           ///< its place in the chain

  const Share &operator[](size_t place) const { return members[place - first]; }
  /// Adds one that counts places from `first`.
  void add(Share share) {
    for (Share::Ring &ring : share.rings) {
      ring.first += first;
      ring.last += first;
    }
    members.push_back(std::move(share));
  }
};

/// Of a member of `tiles`, along N, P or Q; with `divisors` only the cuts that
/// divide its tile. `side`: of the array.
Share makeShare(const GroupTiles &tiles, size_t member, Dim dim, bool divisors,
                int64_t side);

/// Makes `share` the least of both in each respect; cuts are only collected.
void lower(Share &share, const Share &other);

/// Of collected cuts those that are not beaten: smaller, and no more blocks.
void keepLeast(std::vector<Share::Cut> &cuts);

} // namespace fadiff::exact

#endif // FADIFF_LIB_SEARCH_GROUP_SHARE_H
