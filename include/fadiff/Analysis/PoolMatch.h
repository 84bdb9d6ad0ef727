//===- PoolMatch.h - Max pooling behind a layer -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which max pooling between two layers the accelerator can do on its way from
// one to the other.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ANALYSIS_POOLMATCH_H
#define FADIFF_ANALYSIS_POOLMATCH_H

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"

#include <optional>

namespace fadiff {

/// A layer's outputs, pooled; nothing else reads them as they are.
struct PoolMatch {
  ir::LayerOp layer;
  ir::MaxPoolAttr pool;
  mlir::Operation *op = nullptr; ///< the pooling itself
};

/// The pooling that `pooled` is the result of: `linalg.pooling_nhwc_max` or
/// `_nchw_max` of int8, behind a `tensor.pad` or not, with square windows
/// without gaps that start from the least value, where padding can be read as
/// zeros (isPoolable()).
std::optional<PoolMatch> matchMaxPool(mlir::Value pooled);

/// Makes the pooling part of the layer: its region and its epilogue. The layer
/// then yields the pooled outputs.
void foldMaxPool(const PoolMatch &match);

} // namespace fadiff

#endif // FADIFF_ANALYSIS_POOLMATCH_H
