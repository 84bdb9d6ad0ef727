//===- Affine.h - Bodies as affine functions of one element -----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Batch normalisation and dequantisation are slope * x + offset of an element
// x, with constants that may differ per channel, in many spellings. This reads
// the two numbers out of a body.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_TRANSFORMS_AFFINE_H
#define FADIFF_LIB_TRANSFORMS_AFFINE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace fadiff {

/// slope * x + offset, one pair per channel; a constant has no slopes.
struct Affine {
  llvm::SmallVector<double> slope, offset;

  bool isConstant() const { return slope.empty(); }
};

/// The elements of tensor or scalar `value`, row by row, if they can be
/// computed now: a constant, or what elementwise operations, fills, broadcasts
/// and reshapes make of small ones. Floats are rounded as their types are.
std::optional<llvm::SmallVector<double>> evaluateConstant(mlir::Value value);

/// The values in the body of elementwise `op` that are affine in an element of
/// operand `chain`. Channels lie along loop `channelLoop`, or nowhere if there
/// is one only.
class AffineBody {
public:
  AffineBody(mlir::linalg::LinalgOp op, mlir::OpOperand &chain,
             std::optional<unsigned> channelLoop, int64_t channels);

  /// Null if `value` is not affine.
  const Affine *lookup(mlir::Value value) const;
  /// Whether the element of the chain is read as an unsigned integer.
  bool readsUnsigned() const { return isUnsigned; }

private:
  llvm::DenseMap<mlir::Value, Affine> values;
  bool isUnsigned = false;
};

} // namespace fadiff

#endif // FADIFF_LIB_TRANSFORMS_AFFINE_H
