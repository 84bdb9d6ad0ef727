//===- SumPools.h - Sums of whole images as products -------------*- C++
//-*-===//
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

namespace fadiff {

/// If `pool` sums all bytes of a channel's image, makes it the product of a row
/// of ones with the image's pixels as rows: then the array can do it, and its
/// read-out the scale of the average. Small ones stay, for which the core takes
/// less time than a layer does to begin.
void multiplyByOnes(mlir::RewriterBase &rewriter,
                    mlir::linalg::PoolingNhwcSumOp pool);

} // namespace fadiff

#endif // FADIFF_LIB_TRANSFORMS_SUMPOOLS_H
