//===- Enumerator.h - The mappings of one layer -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the enumeration (ExactLayer.cpp) and its bounds (ExactBounds.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_LAYER_ENUMERATOR_H
#define FADIFF_LIB_SEARCH_LAYER_ENUMERATOR_H

#include "../Problem/Climb.h"
#include "Hull.h"

#include "fadiff/CostModel/Nest.h"
#include "fadiff/Search/Exact.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <vector>

namespace fadiff {
/// As exactHull, with a budget that several layers share.
llvm::Expected<LayerHull> enumerateLayer(const Layer &layer,
                                         const Accelerator &target,
                                         const ExactOptions &options,
                                         const Budget &budget);

namespace exact {

using llvm::divideCeilSigned;
using Point = std::pair<double, double>; // energy, cycles

inline constexpr std::array<Dim, 3> kPixels = {Dim::Q, Dim::P, Dim::N};
inline constexpr std::array<Dim, 3> kReductions = {Dim::S, Dim::R, Dim::C};

/// One choice of a scratchpad tile extent, or several. Under the divisors rule
/// each stands for itself; else one is all extents that make as many tiles.
struct Extent {
  int64_t tile = 1;   ///< smallest
  int64_t most = 1;   ///< largest
  int64_t fewest = 1; ///< smallest of those that make the fewest tiles
};

/// A, B and the array's part of a mapping, in elements.
struct Tiles {
  PerDim<int64_t> array{1}, accumulator{1}, scratchpad{1};
};

/// What the accumulator holds (D2).
enum class Split : uint8_t {
  Whole,  ///< all outputs of the scratchpad tile
  Blocks, ///< blocks of pixels, reductions complete within the tile
  Stream, ///< blocks of pixels, weights stay while pixels pass
};

inline constexpr std::array<Split, 3> kAllSplits = {Split::Whole, Split::Blocks,
                                                    Split::Stream};

/// Which loops at DRAM are innermost where the machine counts (D1).
enum class Innermost : uint8_t { Pixels, Reductions, OutputChannels };
inline constexpr std::array<Innermost, 3> kAllInnermost = {
    Innermost::Pixels, Innermost::Reductions, Innermost::OutputChannels};

/// What tells mappings apart beside the extents of their tiles.
struct Form {
  Innermost innermost;
  Split split;
};

/// Dims named in `first`, innermost first, then the rest: pixels, reductions,
/// K, G.
LoopOrder startingWith(llvm::ArrayRef<Dim> first);

class Enumerator {
public:
  Enumerator(const Layer &layer, const Accelerator &target,
             const ExactOptions &options, const Budget &budget,
             std::optional<Form> form = std::nullopt)
      : layer(layer), target(target), options(options), budget(budget),
        form(form), machine(options.convention == Convention::Machine),
        divisors(options.wantsDivisors()),
        words(options.capacityRule() == Capacity::Words),
        depthwise(layer.isDepthwise()), columnDim(depthwise ? Dim::G : Dim::K) {
  }

  LayerHull run();

private:
  using Orders = llvm::SmallVector<LoopOrder, 8>;

  // Candidates.
  std::vector<Extent> extents(Dim dim) const;
  std::vector<int64_t> spatialFactors(Dim dim, int64_t tile) const;
  std::vector<int64_t> accumulatorExtents(Dim dim, int64_t tile) const;
  Orders dramOrders(const PerDim<int64_t> &tile) const;

  // Capacity.
  int64_t inputUse(const PerDim<int64_t> &tile, int64_t rows,
                   int64_t cols) const;
  int64_t weightUse(const PerDim<int64_t> &tile, int64_t cols) const;
  int64_t scratchpadRoom() const {
    return words ? target.scratchpadBytes : target.scratchpadRows();
  }
  /// Pixels that fit the accumulator beside each other with `channels` output
  /// channels each.
  int64_t pixelRoom(int64_t channels, int64_t cols) const {
    return words ? target.accumulatorBytes / 4 / channels
                 : target.accumulatorRows() / divideCeilSigned(channels, cols);
  }

  // Evaluation.
  void setNest(const Tiles &tiles);
  Point evaluate();
  bool take(const Tiles &tiles, const LoopOrder &scratchpadOrder);

  /// First and last candidate of a dim.
  using Range = std::pair<size_t, size_t>;
  std::vector<Range> startingRanges(Dim dim) const;
  void enumerateTiles(size_t index, PerDim<Range> &ranges);
  void visitRanges(PerDim<Range> &ranges, Orders orders);
  void setOrder(const LoopOrder &dramOrder);
  void visitOrder(const PerDim<Extent> &choice, const LoopOrder &order);
  struct Cut {
    int64_t block, count;
  };
  bool alignReductions(PerDim<int64_t> &tile, int64_t rows) const;
  int64_t alignColumns(int64_t extent, int64_t cols) const;
  std::vector<Cut> cutsOf(Dim dim, const Extent &extent, int64_t room) const;
  struct Blocks {
    int64_t count = std::numeric_limits<int64_t>::max();
    int64_t chunks = std::numeric_limits<int64_t>::max();
  };
  Blocks fewestBlocks(const PerDim<Extent> &choice, int64_t room);
  int64_t leastLoadedExtent(Axis axis, const Extent &extent, int64_t kernel);
  std::optional<Point> relaxed(const PerDim<Extent> &choice, int64_t rows,
                               int64_t cols, Split split, bool aligned);
  /// The splits of a family that are not ruled out, with their bounds.
  llvm::SmallVector<Point, 3> open(const PerDim<Extent> &choice, int64_t rows,
                                   int64_t cols, bool aligned);
  void refine(PerDim<Extent> choice, int64_t rows, int64_t cols);
  void visitMember(const PerDim<int64_t> &tile, int64_t rows, int64_t cols);
  void splits(const PerDim<int64_t> &tile, int64_t rows, int64_t cols,
              bool blocks);
  bool isMeant(Split split) const { return !form || form->split == split; }
  bool covered(const Point &bound) {
    if (!hull.covers(bound.first, bound.second))
      return false;
    ++result.pruned;
    return true;
  }
  bool outOfTime() const {
    return budget.exhausted() ||
           double(result.evaluated) >= options.mostEvaluations;
  }
  /// Also the bounds of what is left take time. After some of them the rest is
  /// only known to cost something.
  bool givesUp() {
    if (!gaveUp && outOfTime() && ++visitedLate == kMostVisitedLate)
      giveUp();
    return gaveUp;
  }
  void giveUp() {
    gaveUp = true;
    pending.assign(1, {0, 0});
  }
  /// Leaves a family unexplored: its bounds go into the certificate.
  void pend(llvm::ArrayRef<Point> bounds) {
    if (gaveUp)
      return;
    for (const Point &bound : bounds)
      pending.push_back({bound.first, bound.second});
  }

  const Layer &layer;
  const Accelerator &target;
  const ExactOptions &options;
  const Budget &budget;
  const std::optional<Form> form; ///< if set, no others
  const bool machine;             ///< whose counts
  const bool divisors, words, depthwise;
  const Dim columnDim;

  PerDim<std::vector<Extent>> candidates;
  int64_t mostCols = 1;
  std::vector<int64_t> colFactors;
  int64_t fixedCols = 0, fixedGroups = 0; ///< of a depthwise layer
  Nest<double> nest;
  LoopOrder order{};
  std::map<std::array<int64_t, 7>, Blocks> blockCounts;
  std::map<std::array<int64_t, 4>, int64_t> leastLoaded;
  /// Families that were come to when there was no time left.
  static constexpr unsigned kMostVisitedLate = 1000;
  unsigned visitedLate = 0;
  bool gaveUp = false;
  LowerHull<Candidate> hull;
  std::vector<BoundPoint> pending;
  LayerHull result;
};

/// Of each form, in the machine's counts, the mapping with the least objective
/// and that with the least energy. Some forms have none, and some the same one.
std::vector<Mapping> bestOfForms(const Layer &layer, const Accelerator &target,
                                 const ExactOptions &options,
                                 const Budget &budget);

} // namespace exact
} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_LAYER_ENUMERATOR_H
