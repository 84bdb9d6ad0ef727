//===- TileLayout.h - Where a tile's elements lie ---------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_TILELAYOUT_H
#define FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_TILELAYOUT_H

#include "IndexMath.h"
#include "fadiff/Workload/Layer.h"
#include "mlir/IR/BuiltinTypes.h"

namespace fadiff {

/// The current interval of a dim: [offset, offset + size) of the layer's dim.
/// `nominal` is the size where the dim is not cut short at its end.
struct Interval {
  mlir::Value offset, size;
  int64_t nominal = 1;
};
using Box = PerDim<Interval>;

/// A dense operand in DRAM.
struct DramOperand {
  mlir::Value address; ///< of its first element, index type, bytes
  std::string layout;  ///< axis letters
  llvm::SmallVector<int64_t> strides; ///< per axis, in elements
  int64_t elementBytes = 1;

  /// Bytes from one element to the next along `axis`; 0 if there is no such
  /// axis (its extent is then 1).
  int64_t byteStride(char axis) const {
    size_t position = layout.find(axis);
    return position == std::string::npos ? 0 : strides[position] * elementBytes;
  }
};

/// A tile in the scratchpad or accumulator: blocks of up to `blockChannels`
/// channels, each a dense array of N x H x W rows (H, W are P, Q for outputs).
struct PixelTile {
  mlir::Value base; ///< first row, index type
  Box origin;       ///< the box it was made for
  int64_t n = 1, h = 1, w = 1; ///< nominal extents
  int64_t blockChannels = 1;
  /// Neighbouring outputs read neighbouring rows along this axis, because only
  /// what one kernel tap touches was stored.
  PerAxis<bool> compact{true, true};
  /// A tile that a producer hands over: the coordinate in the consumer's stored
  /// input of its first row and column, negative inside the padding. Else null.
  PerAxis<mlir::Value> first;
  int64_t pixels() const { return n * h * w; }
};

/// Weights in the scratchpad: row ((r * S + s) * blocks + k block) * C + c;
/// for a depthwise layer (r * S + s) * G + g.
struct WeightTile {
  mlir::Value base;
  Box origin;
  int64_t s = 1, columnBlocks = 1, channels = 1;
};

/// One of the nested loops that walk the rows (pixels) of a tile, with the
/// distance of neighbours in the two places between which rows move.
struct RowLoop {
  mlir::Value count;
  int64_t strideA = 0, strideB = 0;
};

/// Walks `loops` (outermost first) in runs of at most `maxRows` rows that are
/// neighbours (distance 1) in place A. Loops that continue each other in both
/// places are merged first, so that short rows fill whole runs. Calls
/// `body(offset in A, offset in B, rows)`; returns the distance of a run's rows
/// in place B (0 if a run has but one row).
int64_t walkRows(const IndexMath &math, llvm::SmallVector<RowLoop> loops,
                 int64_t maxRows,
                 llvm::function_ref<void(mlir::Value, mlir::Value, mlir::Value)>
                     body);

} // namespace fadiff

#endif // FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_TILELAYOUT_H
