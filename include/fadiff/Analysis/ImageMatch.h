//===- ImageMatch.h - Averages and factors of images ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What networks do in f32 to the images between their convolutions, and what
// layers of int8 can do: sums of windows, as averages begin, and products with
// a factor for each channel, as in squeeze and excitation.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ANALYSIS_IMAGEMATCH_H
#define FADIFF_ANALYSIS_IMAGEMATCH_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <array>
#include <optional>

namespace fadiff {

/// A sum in f32 over windows of an image. Along H and W.
struct ImageSums {
  mlir::Value image;
  llvm::SmallVector<int64_t> toLast; ///< axes of the image as N, H, W, C
  std::array<int64_t, 2> count{1, 1}, size, stride{1, 1}, dilation{1, 1};
};

/// What `op` sums from zero, if it does nothing else: pooling, or all pixels of
/// each channel.
std::optional<ImageSums> matchImageSums(mlir::linalg::LinalgOp op);

/// A product in f32 of one image, of four axes, with a factor per channel.
struct ChannelFactors {
  mlir::OpOperand *image, *factors;
  int64_t channel; ///< the image's axis along which the factors differ
};

/// The two that `op` multiplies, if it does nothing else.
std::optional<ChannelFactors> matchChannelFactors(mlir::linalg::LinalgOp op);

} // namespace fadiff

#endif // FADIFF_ANALYSIS_IMAGEMATCH_H
