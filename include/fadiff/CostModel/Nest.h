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

namespace fadiff {

template <typename T> struct Nest {
  const Layer *layer = nullptr;
  /// Extent of a full tile of the level, and iterations of the level's loop
  /// through a full tile (docs/CostModel.md, eq. 1 and 2).
  PerLevel<PerDim<T>> tile;
  PerLevel<PerDim<T>> trips;
  /// Tiles of the level over the whole layer, edge tiles cut (eq. 3).
  PerLevel<PerDim<T>> count;
  /// Array rows and columns in use; both are the block of a depthwise layer.
  T rows{1};
  T cols{1};
  PerLevel<LoopOrder> order;

  double bound(Dim dim) const { return static_cast<double>(layer->dims[dim]); }
  /// A loop that makes more than one trip; others are not emitted.
  bool emitted(Level level, Dim dim) const {
    return valueOf(trips[level][dim]) > 1 + 1e-9;
  }
};

/// The nest of a mapping, exact with uneven tiles. The layer must outlive it;
/// the mapping's factors must be positive.
Nest<double> exactNest(const Layer &layer, const Mapping &mapping);

/// Real-valued factors of a relaxed mapping.
template <typename T> struct RelaxedFactors {
  PerLevel<PerDim<T>> temporal{PerDim<T>(T(1))};
  T rows{1};
  T cols{1};
};

/// The nest of relaxed factors: tiles are products, clipped to the bound, and
/// DRAM takes what is left (its factors are ignored). Equal to exactNest where
/// all factors divide.
template <typename T>
Nest<T> relaxedNest(const Layer &layer, const RelaxedFactors<T> &factors,
                    const PerLevel<LoopOrder> &order) {
  Nest<T> nest;
  nest.layer = &layer;
  nest.order = order;
  bool depthwise = layer.isDepthwise();
  for (Dim dim : kAllDims) {
    T bound(static_cast<double>(layer.dims[dim]));
    T tile(1.0);
    if (dim == (depthwise ? Dim::G : Dim::K))
      nest.cols = tile = minOf(factors.cols, bound);
    else if (dim == Dim::C && !depthwise)
      nest.rows = tile = minOf(factors.rows, bound);
    for (Level level : kAllLevels) {
      T outer = level == Level::Dram
                    ? bound
                    : minOf(tile * factors.temporal[level][dim], bound);
      nest.tile[level][dim] = outer;
      nest.trips[level][dim] = roundUp(outer / tile);
      tile = outer;
    }
    T count(1.0);
    for (unsigned l = kNumLevels; l-- > 0;) {
      Level level = kAllLevels[l];
      nest.count[level][dim] = count;
      count *= nest.trips[level][dim];
    }
  }
  if (depthwise)
    nest.rows = nest.cols;
  return nest;
}

} // namespace fadiff

#endif // FADIFF_COSTMODEL_NEST_H
