//===- Normalize.h - Steps of fadiff-normalize ------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_TRANSFORMS_NORMALIZE_H
#define FADIFF_LIB_TRANSFORMS_NORMALIZE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fadiff {

/// Whether `op` is a contraction but for zero points that are subtracted from
/// its operands.
bool hasZeroPoints(mlir::linalg::LinalgOp op);

/// Replaces a contraction with zero points by one without, and corrections of
/// its sums: per output channel into what the sum starts from, per row behind
/// it. Equal for every input, since both wrap alike. Fails with `reason` if the
/// zero points are not constant or the types not those of a layer.
llvm::LogicalResult removeZeroPoints(mlir::RewriterBase &rewriter,
                                     mlir::linalg::LinalgOp op,
                                     std::string &reason);

/// Replaces the elementwise operations from the sums of contraction `op` to
/// int8 by the accelerator's read-out if that is the same, or with
/// `allowDeviation` at most 1 apart. Explains itself in remarks.
void requantize(mlir::RewriterBase &rewriter, mlir::linalg::LinalgOp op,
                bool allowDeviation);

/// If every element of i32 tensor `init` is a constant that depends on the
/// index along `axis` only: those constants, one per index. Null otherwise.
mlir::DenseElementsAttr initAlongAxis(mlir::Value init, unsigned axis);

/// Rank-1 `vector` broadcast to tensor type `type`, along its axis `axis`.
mlir::Value broadcastAlongAxis(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value vector, mlir::Type type,
                               unsigned axis);

/// The elements of tensor `value` in one axis; a constant if it is one.
mlir::Value flatten(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value);

/// The rank-1 sum of two rank-1 i32 tensors, a constant if both are.
mlir::Value addVectors(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value lhs, mlir::Value rhs);

} // namespace fadiff

#endif // FADIFF_LIB_TRANSFORMS_NORMALIZE_H
