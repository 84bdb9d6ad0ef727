//===- Space.h - Every way for a chain to share tiles -----------*- C++ -*-===//
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

#ifndef FADIFF_LIB_SEARCH_GROUP_SPACE_H
#define FADIFF_LIB_SEARCH_GROUP_SPACE_H

#include "../Problem/Budget.h"
#include "Shapes.h"

#include "fadiff/CostModel/CostModel.h"
#include "fadiff/Search/Exact.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Allocator.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace fadiff::exact {

/// How a tile passes from a member of a group to the next (G12).
enum class Pass : uint8_t {
  Whole,
  /// Whole, and rows of it stay for the next tile because its reader, which
  /// makes slices, reads them again then.
  Kept,
  Slices, ///< of channels; where rows are kept, a bound of what follows
  // Where rows are kept what is made depends on how many members, each making
  // slices of what it gets, there are up to the last of those that take turns.
  LastSlices,
  SlicesBeforeOne,
  SlicesBeforeTwo,
};
inline constexpr size_t kPasses = 6;
inline constexpr unsigned kMostPasses = 3; ///< one after the other, if exact
inline bool isSliced(Pass pass) { return pass >= Pass::Slices; }
inline bool isExactlySliced(Pass pass) { return pass > Pass::Slices; }

/// How a member gets its input and hands over its output.
struct Turns {
  Pass in = Pass::Whole, out = Pass::Whole;
  bool gets() const { return isSliced(in); }
  bool makes() const { return isSliced(out); }
  bool any() const { return gets() || makes(); }
  bool isExact() const { return isExactlySliced(in) || isExactlySliced(out); }
  bool operator==(const Turns &other) const {
    return in == other.in && out == other.out;
  }
};
/// All that can be; the first is that of members that take no turns.
inline constexpr std::array<Turns, 15> kTurns = {{
    {Pass::Whole, Pass::Whole},
    {Pass::Whole, Pass::Slices},
    {Pass::Slices, Pass::Whole},
    {Pass::Slices, Pass::Slices},
    {Pass::Whole, Pass::Kept},
    {Pass::LastSlices, Pass::Kept},
    {Pass::Whole, Pass::LastSlices},
    {Pass::Whole, Pass::SlicesBeforeOne},
    {Pass::Whole, Pass::SlicesBeforeTwo},
    {Pass::Kept, Pass::LastSlices},
    {Pass::Kept, Pass::SlicesBeforeOne},
    {Pass::Kept, Pass::SlicesBeforeTwo},
    {Pass::LastSlices, Pass::Whole},
    {Pass::SlicesBeforeOne, Pass::LastSlices},
    {Pass::SlicesBeforeTwo, Pass::SlicesBeforeOne},
}};

/// A member's own tiles, from which its mapping follows.
struct MemberTiles {
  /// N, P, Q: block in the accumulator. K, G, C, R, S: tile in the scratchpad.
  PerDim<int32_t> extent{1};
  int32_t rows = 1, cols = 1; ///< of the array
  Turns turns;
  /// It loads the group's input, which has two places.
  bool inputTurns = false;
};

/// One way for a member to run in a group with a given tile. Members share the
/// scratchpad: the largest `live` and all `resident` and `kept` rows must fit
/// together. Members that take turns (G12) also share the accumulator, and the
/// sums of their `live` and `sums` count.
struct MemberOption {
  double energy = 0; ///< pJ
  double cycles = 0;
  /// Rows while it runs: input, output copy, tiles that stay for others,
  /// weights if they are streamed. Of one that gets slices only those that the
  /// members with which it takes turns have not counted.
  int64_t live = 0;
  int64_t resident = 0; ///< rows of weights that stay for the whole group
  int64_t kept = 0;     ///< rows of its input that stay from tile to tile
  int64_t sums = 0;     ///< rows of the accumulator, if it takes turns
  /// No schedule is known to cost so little: good for bounds only (G13).
  bool isBound = false;
  MemberTiles tiles;

  static MemberOption atLeast(const BoundPoint &cost) {
    MemberOption option;
    option.energy = cost.energy;
    option.cycles = cost.cycles;
    option.isBound = true;
    return option;
  }
};

/// What a member can do with a tile in a context.
struct OptionList {
  llvm::ArrayRef<MemberOption> options;
  /// The cheapest option lies on one of these, whatever the prices; with those
  /// that are bounds only, and without.
  llvm::ArrayRef<BoundPoint> corners, usableCorners;
};

/// What a member must keep to beside its own tiles (G9).
struct MemberContext {
  bool loadsInput = false; ///< from DRAM
  bool wholeInput = false; ///< as others read it, too
  /// The first and the last who read the input that it loads.
  size_t firstReader = 0, lastReader = 0;
  bool liveSkip = false; ///< its residual is on chip
  Turns turns;
  /// All runs of members that take turns from this one on are told apart.
  bool hasExactRuns = true;
  /// Tiles that are live while it runs, but for an input that it loads: whose
  /// window each is, or whose outputs' like, and whether it comes from DRAM.
  struct Tile {
    size_t reader;
    bool isResidual, isLoaded;
    Pass pass;  ///< of the member's own input and output, else Whole
    bool isNew; ///< not live before this member runs
    size_t firstReader, lastReader;
    bool operator==(const Tile &other) const {
      return reader == other.reader && firstReader == other.firstReader &&
             lastReader == other.lastReader && isResidual == other.isResidual &&
             isLoaded == other.isLoaded && pass == other.pass &&
             isNew == other.isNew;
    }
  };
  std::vector<Tile> live;
  bool operator==(const MemberContext &other) const {
    return loadsInput == other.loadsInput && wholeInput == other.wholeInput &&
           firstReader == other.firstReader && lastReader == other.lastReader &&
           liveSkip == other.liveSkip && turns == other.turns &&
           hasExactRuns == other.hasExactRuns && live == other.live;
  }
};

/// The contexts of a member in groups with some last layer.
struct MemberContexts {
  std::vector<MemberContext> all;
  std::vector<bool> goesOn; ///< in groups that start before the member, too
  std::vector<bool> alone;  ///< in the group of this one only
  /// Those that a member has in some shape, as indices; named last.
  std::vector<llvm::SmallVector<unsigned, 4>> sets;
  bool operator==(const MemberContexts &other) const {
    return all == other.all && goesOn == other.goesOn && alone == other.alone;
  }
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
  /// With columns kept, of images turned (Turn.h).
  std::optional<Axis> keeps;
  /// If not, some options are bounds of several (G5).
  bool isPrecise = false;
  /// Of slices, in channels: array widths.
  int64_t sliceWidth = 1;
  bool poolsOutput = false; ///< P and Q count pooled outputs
  /// Options of the last layer and those before it, in each context that
  /// GroupSpace knows of; null: none.
  std::vector<std::vector<const OptionList *>> options;

  bool isExact() const;
  PerDim<int64_t> tile() const;
};

/// Owns lists of options.
class OptionPool {
public:
  /// Null for an empty list.
  const OptionList *add(llvm::ArrayRef<MemberOption> options);

private:
  /// Whoever looks for the cheapest of all lists reads corners only.
  llvm::BumpPtrAllocator forOptions, forCorners;
};

/// Dims that a group's tiles cut.
inline constexpr std::array<Dim, 3> kShared = {Dim::N, Dim::P, Dim::Q};

struct DimTile;
struct ChainMemory;

/// Per layer of a chain tiles of groups that end with it: N, P and Q.
using ChainTiles = std::vector<std::vector<PerDim<int64_t>>>;

/// All groups that a chain can be cut into: of two or more layers, and of one
/// that stores pooled outputs.
class GroupSpace {
public:
  /// What a layer alone can cost.
  using Points = llvm::ArrayRef<BoundPoint>;
  /// Per layer of a chain tiles of groups that end with it: N, P and Q.
  using Tiles = std::vector<std::vector<PerDim<int64_t>>>;

  /// `chain`: layers of `network` of which neighbours may share a group;
  /// `alone`: their costs outside of groups; `poolsOutputs`: groups may store
  /// pooled outputs; `memory`: what other forms of the chain have listed, and
  /// what they find there; `only`: these tiles, and what is added later,
  /// without a memory; null: all that there are. `coarse`: what differs between
  /// forms can do anything at what it costs at least. `isFree`: all cuts are
  /// allowed. All arguments must outlive this.
  GroupSpace(const Network &network, const TensorUses &uses,
             std::vector<unsigned> chain, std::vector<Points> alone,
             const Accelerator &target, Latency latency,
             const SearchSpace &space, bool poolsOutputs, const Budget &budget,
             ChainMemory *memory = nullptr, const Tiles *only = nullptr,
             bool coarse = false, bool isFree = true);
  GroupSpace(GroupSpace &&) noexcept;
  ~GroupSpace();

  /// Tiles of the groups whose last member is layer `last` of the chain.
  llvm::ArrayRef<GroupTile> endingAt(size_t last) const { return tiles[last]; }
  /// A way for the layers [first, last] to be a group, and the contexts of each
  /// member by how it takes turns.
  struct Shape : GroupShape {
    static constexpr unsigned kNone = ~0u;                     ///< it cannot
    std::vector<std::array<unsigned, kTurns.size()>> contexts; ///< as kTurns
    /// The same without those that there are not, as numbers of contextSets().
    std::vector<unsigned> ownSets;
  };
  /// Of the member that stands `depth` before the last one.
  llvm::ArrayRef<llvm::SmallVector<unsigned, 4>>
  contextSets(size_t last, size_t depth) const {
    auto it = contexts.find({last, last - depth});
    if (it == contexts.end())
      return {};
    return it->second.sets;
  }
  /// For `first` as far back as some tile reaches.
  llvm::ArrayRef<Shape> shapes(size_t first, size_t last) const;
  /// Replaces a number of tiles by two smaller sets of them, or lists what one
  /// can do precisely. False, and nothing done, if the time is up or there are
  /// too many already.
  bool split(size_t last, size_t tile);
  /// Adds the tile with wider slices (G13). False, and nothing done, as above,
  /// or if they are there already.
  bool widenSlices(size_t last, size_t tile);
  /// Adds tiles that differ from this one in one extent, or in what is kept.
  /// False if that is none, or the time is up, or there are too many already.
  bool addNeighbours(size_t last, size_t tile);
  /// Works out the shapes that tiles reach; to be called when some were added.
  void nameContexts();
  /// Whether the time is up, or there are too many options.
  bool outOfEffort() const;
  /// Whether all tiles are there.
  bool isComplete() const { return complete; }
  /// Calls of the cost model.
  uint64_t evaluated() const { return evaluations; }

  /// The group that starts at `first` and has this tile and these options of
  /// its members.
  FusionGroup groupOf(const GroupShape &shape, const GroupTile &tile,
                      llvm::ArrayRef<MemberTiles> own) const;
  std::vector<Mapping> mappingsOf(size_t first, const GroupShape &shape,
                                  const GroupTile &tile,
                                  llvm::ArrayRef<MemberTiles> own) const;

private:
  friend class TileVisitor;
  /// The extents of a dim as they are needed, and sets of them.
  struct Family {
    std::vector<DimTile> single; ///< by extent - 1; without members: not yet
    std::map<std::pair<int64_t, int64_t>, DimTile> sets;
  };
  /// What groups store that end at some layer: its outputs, or these pooled.
  struct Stored {
    PerDim<int64_t> bounds{1};
    PerDim<Family> families;
    Family keptRows;               ///< of P where rows are kept
    std::optional<GroupFlow> flow; ///< of all layers up to this one
  };
  /// Of a tile, or set of them, and its image turned if that keeps columns.
  static std::array<int64_t, 6> imageKey(size_t last, const GroupTile &tile);
  /// Whether all groups with this tile are those with another one turned, which
  /// has been looked at (G8).
  bool hasImage(size_t last, const GroupTile &tile) const;
  void addTiles(size_t last, bool poolsOutput, std::optional<Axis> keeps);
  bool addTile(size_t last, GroupTile tile);
  static GroupTile tileOf(const PerDim<int64_t> &extents, bool poolsOutput,
                          std::optional<Axis> keeps);
  void prepare(size_t last, bool poolsOutput, std::optional<Axis> keeps);
  /// Whether groups that end at the layer may keep this, store so.
  bool mayBe(size_t last, bool poolsOutput, std::optional<Axis> keeps) const;
  /// Whether the image of every layer up to this one is as its turned one.
  bool isSquare(size_t last) const;
  /// Whether a tile, or set of them, is no other one turned (G8), and leaves
  /// something to keep if it keeps anything.
  bool isListed(size_t last, const GroupTile &tile) const;
  /// The chain, or that of turned images if columns are kept.
  llvm::ArrayRef<const Layer *> chainIf(std::optional<Axis> keeps) const {
    return keeps == Axis::W ? turnedChain : chain;
  }
  Stored &storedIf(std::optional<Axis> keeps, bool poolsOutput, size_t last) {
    return stored[keeps == Axis::W][poolsOutput][last];
  }
  /// Whether groups may end at the layer with pooled outputs.
  bool mayPool(size_t last) const;
  /// Whether some layer's residual is known to be another one's tensor.
  bool hasResiduals() const {
    return llvm::any_of(indices, [&](unsigned layer) {
      return uses.operands[layer].residual.has_value();
    });
  }
  /// Whether groups may have tiles of `extent` out of `bound`.
  bool isTile(int64_t extent, int64_t bound) const {
    return !divisors || bound % extent == 0;
  }
  /// What members can do with a tile, or a set of them; false if there is no
  /// group. `madeAgain`: along P if no rows were kept.
  bool listOptions(size_t last, const PerDim<const DimTile *> &dims,
                   const DimTile *madeAgain, GroupTile &tile);
  const DimTile *dimTile(size_t last, const GroupTile &tile, Dim dim,
                         bool keepRows);
  size_t firstNeeded(size_t last) const;
  const DimTile &singleTile(size_t last, const GroupTile &tile, Dim dim,
                            bool keepRows, int64_t extent);
  /// `result` says which tiles; its options are listed.
  bool visit(size_t last, GroupTile &result);
  /// The same for some of the tiles that `part` has options of: no group with
  /// them starts before those that these reach.
  bool visitAgain(size_t last, GroupTile &part);

  const MemberContexts &contextsOf(size_t last, size_t member);
  const std::vector<Shape> &shapesOf(size_t first, size_t last);
  /// Of a group that starts at `first`.
  MemberContext contextIn(const Shape &shape, size_t first, size_t member,
                          Turns turns) const;
  /// Whether the member can take turns so.
  bool mayTakeTurns(const Shape &shape, size_t first, size_t member,
                    Turns turns) const;
  /// Whether it can hand over slices to the next member.
  bool mayPassSlices(const Shape &shape, size_t first, size_t member) const;
  void findReach();
  /// Whether groups with this last layer are in the memory, or may be put
  /// there.
  bool isRemembered(size_t last);

  const Network &network;
  const TensorUses &uses;
  std::vector<unsigned> indices;
  std::vector<const Layer *> chain, turnedChain;
  std::vector<Layer> turnedLayers; ///< those of turnedChain
  std::vector<Points> alone;
  const Accelerator &target;
  const Latency latency; ///< Roofline or Issue
  const SearchSpace &space;
  const bool divisors; ///< factors have to divide
  const Budget &budget;
  std::vector<std::vector<GroupTile>> tiles; ///< per last member
  std::unique_ptr<OptionPool> ownPool;       ///< null: that of the memory
  OptionPool *pool;
  size_t held = 0;                             ///< options in the lists so far
  std::set<std::pair<size_t, size_t>> widened; ///< last member and tile
  /// Of a space of chosen tiles those that were tried: last member, N, P, Q,
  /// what is kept, whether pooled outputs are stored.
  std::set<std::array<int64_t, 6>> tried;
  /// By whether images are turned, poolsOutput, last member.
  std::array<std::array<std::vector<Stored>, 2>, 2> stored;
  const bool poolsOutputs; ///< if asked for
  ChainMemory *const memory;
  std::map<size_t, bool> remembered; ///< isRemembered() by last layer
  const size_t mostOptions;
  /// By imageKey(), how many members a group with this tile can have.
  std::map<std::array<int64_t, 6>, size_t> reached;
  const OptionList *anything = nullptr; ///< if coarse: what that can do
  /// What the layers of the chain before each cost alone, in some way, and what
  /// they cost at least in groups (G14); empty if there is nothing to compare.
  std::vector<BoundPoint> aloneUpTo, leastUpTo;
  /// Per last member: groups start behind this (G9).
  std::vector<size_t> earliest;
  /// Per member: groups that start before this are all alike to it.
  std::vector<size_t> alike;
  std::map<std::pair<size_t, size_t>, MemberContexts> contexts;
  std::map<std::pair<size_t, size_t>, std::vector<Shape>> knownShapes;
  bool complete = true;
  uint64_t evaluations = 0;
};

} // namespace fadiff::exact

#endif // FADIFF_LIB_SEARCH_GROUP_SPACE_H
