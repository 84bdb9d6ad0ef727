//===- Access.h - Which rows a reader wants ---------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The geometry of tiles along one axis, said once: convolution, pooling and
// identity are values of AxisAccess. Cost model, verifier and search ask it for
// numbers, the code generator for index arithmetic. docs/CostModel.md, section
// "Groups and schedules".
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_WORKLOAD_ACCESS_H
#define FADIFF_WORKLOAD_ACCESS_H

#include "fadiff/Workload/Layer.h"

#include <limits>

namespace fadiff {

/// Outputs [b, e) of a reader want the rows (columns) [scale * b + low,
/// scale * (e - 1) + high + 1) of what it reads. Those in [0, bound) are
/// stored; the others are padding.
struct AxisAccess {
  int64_t scale = 1;
  int64_t low = 0, high = 0;
  int64_t bound = std::numeric_limits<int64_t>::max();

  /// Of a layer, all of its taps along the axis.
  AxisAccess(const Layer &layer, Axis axis)
      : AxisAccess(layer, axis, 0, layer.dims[kernelDim(axis)]) {}
  /// Of a layer, `taps` taps from `first` on.
  AxisAccess(const Layer &layer, Axis axis, int64_t first, int64_t taps)
      : scale(layer.stride[axis]),
        low(first * layer.dilation[axis] - layer.padLow[axis]),
        high(low + (taps - 1) * layer.dilation[axis]),
        bound(layer.inputExtent[axis]) {}
  /// Of pooled outputs in `stored` ones.
  AxisAccess(const MaxPool &pool, Axis axis, int64_t stored)
      : scale(pool.stride), low(-pool.padLow[axis]), high(low + pool.size - 1),
        bound(stored) {}
  /// Of a sum with what has its own shape: element by element.
  AxisAccess() = default;

  /// Rows under one output, gaps included.
  int64_t reach() const { return high - low + 1; }
  /// Whether neighbouring outputs want a row in common.
  bool overlaps() const { return reach() > scale; }

  /// Where the window of outputs from `begin` on begins, and where that of
  /// outputs up to `end`, not with it, ends; of numbers and whatever else has
  /// sums, differences and products with numbers.
  template <typename S> S begin(const S &begin) const {
    return begin * scale + low;
  }
  template <typename S> S end(const S &end) const {
    return (end - 1) * scale + (high + 1);
  }

  /// The whole window, which begins below 0 in the padding; none under none.
  Span window(Span outputs) const {
    if (outputs.extent() <= 0)
      return {};
    return {begin(outputs.begin), end(outputs.end)};
  }
  /// What of it is stored. A window may lie in the padding altogether.
  Span stored(Span outputs) const;
  /// How many stored rows are under first taps: each output's row `low` of its
  /// window.
  int64_t touched(Span outputs) const;
};

} // namespace fadiff

#endif // FADIFF_WORKLOAD_ACCESS_H
