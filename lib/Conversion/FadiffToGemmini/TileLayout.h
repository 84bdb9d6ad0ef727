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
#include "fadiff/CostModel/StreamPlan.h"
#include "fadiff/Workload/Layer.h"
#include "mlir/IR/BuiltinTypes.h"

namespace fadiff {

/// The current interval of a dim: [offset, offset + size) of the layer's dim.
/// `nominal` is the size where the dim is not cut short at its end.
struct Interval {
  mlir::Value offset, size;
  int64_t nominal = 1;
  /// A tile of a fusion group may leave a member nothing to make; loops make no
  /// empty ones.
  bool mayBeEmpty = false;

  mlir::Value isEmpty(const IndexMath &math) const {
    return mayBeEmpty ? math.negate(math.less(math.constant(0), size))
                      : math.flag(false);
  }
};
using Box = PerDim<Interval>;

/// An operand in DRAM.
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
/// channels, each an array of N x H x W rows (H, W are P, Q for outputs).
/// Blocks follow each other, or they take turns after every `side` pixels: then
/// a store finds the blocks of its pixels `side` rows apart, as a wide mvout
/// wants them.
struct PixelTile {
  mlir::Value base;            ///< first row, index type
  Box origin;                  ///< the box it was made for
  int64_t n = 1, h = 1, w = 1; ///< nominal extents
  int64_t blockChannels = 1;
  /// Neighbouring outputs read neighbouring rows along this axis, because only
  /// what one kernel tap touches was stored.
  PerAxis<bool> compact{true, true};
  /// Of an input tile: the coordinate in the stored tensor of its first row and
  /// column, negative inside the padding. The same of sums that will be pooled,
  /// in outputs of the layer. Else null.
  PerAxis<mlir::Value> first;
  /// Of a tile that is handed over: which of the stored tensor's rows, now.
  Interval rows;
  /// Of a tile that is handed over slice by slice: the channel that it begins
  /// with. Else null.
  mlir::Value firstChannel;
  /// The tile is handed over in place: the array reads sums.
  bool inAccumulator = false;
  /// In a ring, the line that the tile's first row lies in: row i of the tile
  /// is `h` lines further back where that is beyond the buffer's end. Else
  /// null.
  mlir::Value ringStart;
  /// Pixel i of block b is row i * pixelStride + b * blockStride. With turns i
  /// must be a multiple of `side`; the pixels up to the next one follow
  /// densely.
  int64_t pixelStride = 1, blockStride = 1;

  int64_t pixels() const { return n * h * w; }
  /// The line of row `i` of the tile.
  mlir::Value line(const IndexMath &math, mlir::Value i) const;
  /// Of rows i, i + step, i + 2 * step, ...: how many, up to `count`, lie
  /// before the ring's end; all, once i lies behind it. `i` is a row of the
  /// tile.
  mlir::Value linesBeforeEnd(const IndexMath &math, mlir::Value i, int64_t step,
                             mlir::Value count) const;
  /// Pixels from one step of `dim` (N, P or Q) to the next.
  int64_t stride(Dim dim) const {
    return dim == Dim::N ? h * w : dim == Dim::P ? w : 1;
  }
};

/// Weights in the scratchpad: row ((r * S + s) * blocks + k block) * C + c;
/// for a depthwise layer (r * S + s) * G + g.
struct WeightTile {
  mlir::Value base;
  Box origin;
  int64_t s = 1, columnBlocks = 1, channels = 1;
};

/// One of the nested loops that walk the rows (pixels) of a tile, with the
/// distance of neighbours in each of the places between which rows move.
struct RowLoop {
  mlir::Value count;
  PerPlace<int64_t> strides{};
  int64_t usual = 0; ///< what `count` is in most tiles, 0 if that is not known
};

/// Up to `maxRows` rows: their number and where the first one lies.
struct Run {
  mlir::Value count;
  mlir::Value isFirst; ///< of all, loop by loop
  PerPlace<mlir::Value> offsets;
};

/// Walks `loops` (outermost first) in runs of at most `maxRows` rows that are
/// neighbours (distance 1) in StreamPlace::Local and Skip. Loops that continue
/// each other in all places are merged first, so that short rows fill whole
/// runs. A run that is short is the last one or, with `leastFirst`, the first
/// one, which has no fewer rows than that, for which the second one has fewer.
/// Returns the loop that was cut into runs.
RowLoop walkRows(const IndexMath &math, llvm::SmallVector<RowLoop> loops,
                 int64_t maxRows, llvm::function_ref<void(const Run &)> body,
                 int64_t leastFirst = 0);

} // namespace fadiff

#endif // FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_TILELAYOUT_H
