//===- MaxPools.h - Layers in front of max pooling --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_TRANSFORMS_MAXPOOLS_H
#define FADIFF_LIB_TRANSFORMS_MAXPOOLS_H

#include "fadiff/Hardware/Accelerator.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fadiff {

/// A depthwise convolution of one tap that copies int8 `image` to `copy`.
struct CopyOfImage {
  mlir::linalg::LinalgOp contraction;
  mlir::Value image, copy;
};

/// Puts copies in front of max pooling of int8, `linalg.pooling_nhwc_max`, that
/// `machine` can do on the way out of its accumulator, but not out of that of a
/// layer in front, as there is none, or others read what it makes, or padding
/// is below what it may store. Windows larger than the machine's become several
/// behind each other. What the core does in less time than the machine moves
/// the images in stays as it is.
llvm::SmallVector<CopyOfImage>
copyInFrontOfMaxPools(mlir::RewriterBase &rewriter, mlir::Operation *root,
                      const Accelerator &machine);

} // namespace fadiff

#endif // FADIFF_LIB_TRANSFORMS_MAXPOOLS_H
