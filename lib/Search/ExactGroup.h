//===- ExactGroup.h - Every way for a chain to share tiles ------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tiles that the groups of a chain can have and, for each member, the
// mappings among which the best one is, whatever the others do. Rules (G1),
// (G2), ... are argued in docs/ExactBound.md.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_EXACTGROUP_H
#define FADIFF_LIB_SEARCH_EXACTGROUP_H

#include "Budget.h"

#include "fadiff/CostModel/CostModel.h"
#include "fadiff/Search/Exact.h"
#include "llvm/ADT/ArrayRef.h"

#include <map>
#include <vector>

namespace fadiff::exact {

/// A member's own tiles, from which its mapping follows.
struct MemberTiles {
  /// N, P, Q: block in the accumulator. K, G, C, R, S: tile in the scratchpad.
  PerDim<int32_t> extent{1};
  int32_t rows = 1, cols = 1; ///< of the array
};

/// One way for a member to run in a group with a given tile. Members share
/// nothing but the scratchpad: the largest `live` and all `resident` and `kept`
/// rows must fit together.
struct MemberOption {
  double energy = 0; ///< pJ
  double cycles = 0;
  /// Rows while it runs: input, output copy, weights if they are streamed.
  int64_t live = 0;
  int64_t resident = 0; ///< rows of weights that stay for the whole group
  int64_t kept = 0;     ///< rows of its input that stay from tile to tile
  MemberTiles tiles;
};

/// Tiles of a group, which ends at some layer of the chain, and what each layer
/// from there backwards can do, as far as a group can reach. Where there are
/// several tiles the options are bounds: for every option with one of the tiles
/// there is one here that costs and takes no more.
struct GroupTile {
  /// N, P, Q of the last member.
  struct Extents {
    int64_t least = 1, most = 1;
  };
  PerDim<Extents> extents;
  bool keepRows = false;
  struct Range {
    uint32_t begin = 0, end = 0;
  };
  /// Options at distance d from the end; as a group's first member, and not.
  /// There is no group whose first member is the last.
  std::vector<Range> first, later;

  bool isExact() const;
  PerDim<int64_t> tile() const;
};

struct DimTile;

/// All groups of two or more layers that a chain can be cut into.
class GroupSpace {
public:
  /// What a layer alone can cost.
  using Points = llvm::ArrayRef<BoundPoint>;

  /// `chain`: layers that may all be neighbours in a group; they must outlive
  /// this, as must `target` and `alone`, their costs outside of groups.
  GroupSpace(std::vector<const Layer *> chain, std::vector<Points> alone,
             const Accelerator &target, const Budget &budget);
  GroupSpace(GroupSpace &&) noexcept;
  ~GroupSpace();

  /// Tiles of the groups whose last member is layer `last` of the chain.
  llvm::ArrayRef<GroupTile> endingAt(size_t last) const { return tiles[last]; }
  llvm::ArrayRef<MemberOption> options(GroupTile::Range range) const {
    return llvm::ArrayRef(pool).slice(range.begin, range.end - range.begin);
  }
  /// Replaces a number of tiles by two smaller sets of them. False, and nothing
  /// done, if the time is up or there are too many already.
  bool split(size_t last, size_t tile);
  /// Whether all tiles are there.
  bool isComplete() const { return complete; }
  /// Calls of the cost model.
  uint64_t evaluated() const { return evaluations; }

  /// The mapping of layer `member` in the group [first, last] with this tile.
  Mapping mappingOf(size_t first, size_t member, size_t last,
                    const GroupTile &tile, const MemberTiles &own) const;

private:
  friend class TileVisitor;
  bool outOfEffort() const;
  /// All extents of a dim, and sets of them as needed.
  struct Family {
    std::vector<DimTile> single;
    std::map<std::pair<int64_t, int64_t>, DimTile> sets;
  };
  void addFamily(size_t last, Dim dim, bool keepRows, Family &family) const;
  const DimTile &dimTile(Family &family, GroupTile::Extents extents);
  bool visit(size_t last, const PerDim<GroupTile::Extents> &extents,
             bool keepRows, GroupTile &result);

  std::vector<const Layer *> chain;
  std::vector<Points> alone;
  const Accelerator &target;
  const Budget &budget;
  std::vector<std::vector<GroupTile>> tiles; ///< per last member
  std::vector<MemberOption> pool;
  std::vector<PerDim<Family>> families; ///< per last member
  std::vector<Family> keptRows; ///< per last member, of P where rows are kept
  bool complete = true;
  uint64_t evaluations = 0;
};

} // namespace fadiff::exact

#endif // FADIFF_LIB_SEARCH_EXACTGROUP_H
