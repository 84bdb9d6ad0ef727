//===- SumPools.h - Sums of windows as products -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_TRANSFORMS_SUMPOOLS_H
#define FADIFF_LIB_TRANSFORMS_SUMPOOLS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

#include <array>

namespace fadiff {

/// Sums of bytes - zeroPoint over the windows of an image, of each channel by
/// itself. Along H and W.
struct WindowSums {
  mlir::Value image; ///< i8, as N, H, W, C
  /// How many windows there are: the image may have room for more.
  std::array<int64_t, 2> count;
  std::array<int64_t, 2> size, stride{1, 1}, dilation{1, 1};
  bool isUnsigned = false;
  int32_t zeroPoint = 0;

  /// The sums, in i32, as N, H, W, C: a product of ones and the image if the
  /// window is all of it, else a depthwise convolution with ones.
  mlir::Value build(mlir::RewriterBase &rewriter, mlir::Location loc) const;
};

/// Makes pooling of int8 to sums in int32 a product with ones, if that is worth
/// a layer: then the array can do it, and its read-out the scale of the
/// average.
void multiplyByOnes(mlir::RewriterBase &rewriter,
                    mlir::linalg::PoolingNhwcSumOp pool);

} // namespace fadiff

#endif // FADIFF_LIB_TRANSFORMS_SUMPOOLS_H
