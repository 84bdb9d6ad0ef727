//===- Nest.h - The loop nest as the formulas see it ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles, trips and tile counts per level and dim, in the scalar of the
// formulas. An exact nest comes from a mapping; a relaxed one from real-valued
// factors.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_NEST_H
#define FADIFF_COSTMODEL_NEST_H

#include "fadiff/CostModel/Scalar.h"
#include "fadiff/Schedule/Mapping.h"

#include <algorithm>

namespace fadiff {

/// What of the windows that a member reads lies in the padding, where they are
/// handed over to it: per image of the batch, over all tiles of the group.
template <typename T> struct GroupPadding {
  T pixels{0.0};
  T runs{0.0}; ///< of up to `side` neighbours on one line
  /// Channels of the tile that is handed over: of one slice, if it comes so.
  double channels = 0;
};

/// What a member of a fusion group has from the group instead of from loops of
/// its own.
template <typename T> struct GroupShare {
  /// Outputs made along each dim over all tiles of the group; other dims have
  /// the layer's bounds.
  PerDim<T> extent{T(1.0)};
  /// Rows and columns of I read over all tiles: loaded, if I is in DRAM.
  PerAxis<T> loaded{T(1.0), T(1.0)};
  /// The same with the padding.
  PerAxis<T> windows{T(1.0), T(1.0)};
  GroupPadding<T> padding;
  /// Pixels of the consumer's window, padding included: the rows of a block of
  /// channels where the output is handed over.
  T window{0.0};
  /// How often a program comes to the member from another one: for each tile of
  /// the group and each slice of channels.
  T visits{0.0};
  /// Sums that the longest store of any member reads.
  double storeReads = 0;
  /// Times that all of W goes to the scratchpad beside what DRAM loops of the
  /// member's own make of it.
  T weightLoads{1.0};
  /// Words handed over or stored in all if they are pooled on their way, and
  /// sums read for each; 0: they leave as they are.
  double pooledWords = 0;
  double poolReads = 1;
};
struct NoGroup {};

/// The loops of one layer; with `Grouped` as a member of a fusion group, whose
/// tile loops are its N, P and Q loops at DRAM.
template <typename T, bool Grouped = false> struct Nest {
  const Layer *layer = nullptr;
  std::conditional_t<Grouped, GroupShare<T>, NoGroup> group;
  /// Extent of a full tile of the level, and iterations of the level's loop
  /// through a full tile (docs/CostModel.md, eq. (tile) and (trips)). Trips on
  /// chip serve to tell whether a loop runs, and have derivatives only between
  /// 1 and 2.
  PerLevel<PerDim<T>> tile;
  PerLevel<PerDim<T>> trips;
  /// Tiles of the level over the whole layer, edge tiles cut (eq.
  /// (tile-counts)).
  PerLevel<PerDim<T>> count;
  /// Array rows and columns in use; both are the block of a depthwise layer.
  T rows{1};
  T cols{1};
  PerLevel<LoopOrder> order;

  double bound(Dim dim) const { return static_cast<double>(layer->dims[dim]); }
  /// Iterations of a dim over all tiles.
  auto extent(Dim dim) const {
    if constexpr (Grouped)
      return group.extent[dim];
    else
      return bound(dim);
  }
  /// A loop that makes more than one trip; others are not emitted.
  bool emitted(Level level, Dim dim) const {
    return !isAlways(
        isGreater(valueOf(trips[level][dim]), PlainOf<T>(1 + 1e-9)), 0);
  }
};

/// Real-valued factors of a relaxed mapping.
template <typename T> struct RelaxedFactors {
  PerLevel<PerDim<T>> temporal{PerDim<T>(T(1))};
  T rows{1};
  T cols{1};
};

namespace detail {

/// Tiles per level, eq. (tile-counts): full scratchpad tiles and a rest, each
/// cut into full accumulator tiles and rests, each cut into register tiles. For
/// whole numbers with registers <= accumulator <= scratchpad <= bound. DRAM has
/// one tile.
template <typename V>
PerLevel<V> tileCounts(const V &bound, const V &scratchpad,
                       const V &accumulator, const V &registers) {
  V full = floorDiv(bound, scratchpad);
  V rest = bound - full * scratchpad;
  V perFull = floorDiv(scratchpad, accumulator);
  V fullRest = scratchpad - perFull * accumulator;
  V perRest = floorDiv(rest, accumulator);
  V restRest = rest - perRest * accumulator;
  V inner = full * perFull + perRest;
  PerLevel<V> count(V(1.0));
  count[Level::Scratchpad] = full + isGreater(rest, V(0.0));
  count[Level::Accumulator] =
      inner + full * isGreater(fullRest, V(0.0)) + isGreater(restRest, V(0.0));
  count[Level::Registers] = inner * ceilDiv(accumulator, registers) +
                            full * ceilDiv(fullRest, registers) +
                            ceilDiv(restRest, registers);
  return count;
}

/// A quotient whose value is `exact` at the nearest whole tiles, where the
/// quotient is `there`, and moves from that with its own slope. The correction
/// is constant around each whole point, so slopes are those of the quotient.
template <typename T>
T aroundWhole(T quotient, const PlainOf<T> &exact, const PlainOf<T> &there) {
  setValue(quotient,
           PlainOf<T>(exact + (snap(valueOf(quotient), there) - there)));
  return quotient;
}

/// Fills in one dim from the array's tile and the factors of the inner levels.
/// With `Whole` these are whole numbers and have no derivatives.
template <bool Whole, typename T, bool Grouped>
void fillDim(Nest<T, Grouped> &nest, Dim dim, double bound, const T &array,
             const PerLevel<PerDim<T>> &factors) {
  using V = PlainOf<T>;
  PerLevel<V> whole{V(bound)};
  V wholeInner = Whole ? V(valueOf(array)) : nearest(valueOf(array));
  const T *below = &array;
  for (Level level :
       {Level::Registers, Level::Accumulator, Level::Scratchpad}) {
    const T &factor = factors[level][dim];
    T &tile = nest.tile[level][dim];
    if (!isAlways(valueOf(factor), 1) || !std::is_same_v<T, V>) {
      tile = *below * factor;
      clipTo(tile, bound);
    } else {
      tile = *below;
    }
    whole[level] = Whole ? V(valueOf(tile)) : nearest(valueOf(tile));
    // Factors often come from logarithms, and are whole but for rounding.
    if constexpr (!Whole)
      setValue(tile, snap(valueOf(tile), whole[level]));
    below = &tile;
  }
  nest.tile[Level::Dram][dim] = T(bound);
  PerLevel<V> count =
      tileCounts(whole[Level::Dram], whole[Level::Scratchpad],
                 whole[Level::Accumulator], whole[Level::Registers]);
  nest.count[Level::Dram][dim] = T(1.0);
  for (Level level :
       {Level::Registers, Level::Accumulator, Level::Scratchpad}) {
    if constexpr (Whole)
      nest.count[level][dim] = count[level];
    else
      nest.count[level][dim] =
          aroundWhole(bound / nest.tile[level][dim], count[level],
                      whole[Level::Dram] / whole[level]);
  }
  below = &array;
  for (Level level :
       {Level::Registers, Level::Accumulator, Level::Scratchpad}) {
    // The level's trips through a tile of the next inner level.
    const T &outer = nest.tile[level][dim];
    const V trips = isAlways(whole[level] - wholeInner, 0)
                        ? V(1.0)
                        : ceilDiv(whole[level], wholeInner);
    if constexpr (Whole) {
      nest.trips[level][dim] = trips;
    } else {
      const V ratio = whole[level] / wholeInner;
      const V value =
          trips + (snap(valueOf(outer) / valueOf(*below), ratio) - ratio);
      // Slopes matter only where gateOf has one.
      if constexpr (std::is_same_v<T, V>)
        nest.trips[level][dim] = value;
      else if (value > 1 && value < 2)
        nest.trips[level][dim] = withValue(outer / *below, value);
      else
        nest.trips[level][dim] = T(value);
    }
    below = &outer;
    wholeInner = whole[level];
  }
  // Trips at DRAM are the scratchpad's tiles.
  nest.trips[Level::Dram][dim] = nest.count[Level::Scratchpad][dim];
}

/// The nest over `bounds`, which are the layer's own or those of a group's
/// tile.
template <bool Whole, bool Grouped, typename T>
Nest<T, Grouped> nestOver(const Layer &layer, const PerDim<int64_t> &bounds,
                          const RelaxedFactors<T> &factors,
                          const PerLevel<LoopOrder> &order) {
  Nest<T, Grouped> nest;
  nest.layer = &layer;
  nest.order = order;
  const bool depthwise = layer.isDepthwise();
  const Dim columns = depthwise ? Dim::G : Dim::K;
  for (Dim dim : kAllDims) {
    T array(1.0);
    if (dim == columns || (dim == Dim::C && !depthwise)) {
      T &used = dim == columns ? nest.cols : nest.rows;
      used = dim == columns ? factors.cols : factors.rows;
      clipTo(used, std::max(1.0, nest.bound(dim)));
      if constexpr (!Whole)
        setValue(used, snap(valueOf(used), nearest(valueOf(used))));
      array = used;
    }
    if (bounds[dim] > 1) {
      fillDim<Whole>(nest, dim, double(bounds[dim]), array, factors.temporal);
      continue;
    }
    for (Level level : kAllLevels)
      nest.tile[level][dim] = nest.trips[level][dim] = nest.count[level][dim] =
          T(1.0);
  }
  if (depthwise)
    nest.rows = nest.cols;
  return nest;
}

template <bool Whole, typename T>
Nest<T> nestOf(const Layer &layer, const RelaxedFactors<T> &factors,
               const PerLevel<LoopOrder> &order) {
  return nestOver<Whole, /*Grouped=*/false>(layer, layer.dims, factors, order);
}

/// Calls visit(factorOf, value) for the factors of a mapping that are not 1,
/// each clipped to [1, bound]: that changes no tile of a legal mapping and
/// keeps nonsense harmless. factorOf(f) is where the factor belongs in f.
template <typename VisitorT>
void forEachWholeFactor(const Layer &layer, const Mapping &mapping,
                        VisitorT visit) {
  auto clip = [](int64_t factor, int64_t bound) {
    return double(std::clamp<int64_t>(factor, 1, bound));
  };
  for (Dim dim : kAllDims)
    if (const int64_t bound = layer.dims[dim]; bound > 1)
      for (Level level :
           {Level::Registers, Level::Accumulator, Level::Scratchpad})
        if (int64_t factor = mapping.temporal[level][dim]; factor > 1)
          visit([=](auto &f) -> auto & { return f.temporal[level][dim]; },
                clip(factor, bound));
  const bool depthwise = layer.isDepthwise();
  auto side = [&](Dim dim) { return std::max<int64_t>(1, layer.dims[dim]); };
  visit([](auto &f) -> auto & { return f.cols; },
        clip(mapping.cols, side(depthwise ? Dim::G : Dim::K)));
  visit([](auto &f) -> auto & { return f.rows; },
        clip(mapping.rows, side(Dim::C)));
}

} // namespace detail

/// The nest of a mapping, exact with uneven tiles. The layer must outlive it.
/// Factors below 1 count as 1; DRAM takes what is left of each dim.
Nest<double> exactNest(const Layer &layer, const Mapping &mapping);

/// The nest of relaxed factors, each at least 1: tiles are products, clipped to
/// the bound, and DRAM takes what is left (its factors are ignored). Values
/// equal those of exactNest wherever all tiles are whole, also where they do
/// not divide; in between tile counts follow the quotients, which is what
/// slopes see everywhere.
template <typename T>
Nest<T> relaxedNest(const Layer &layer, const RelaxedFactors<T> &factors,
                    const PerLevel<LoopOrder> &order) {
  return detail::nestOf</*Whole=*/false>(layer, factors, order);
}

} // namespace fadiff

#endif // FADIFF_COSTMODEL_NEST_H
