//===- InPlace.h - Parts that are made where they lie -----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which copies of a concatenation are spared behind bufferization. The pass
// that spares them (`fadiff-write-in-place`) sees buffers; what counts the
// core's time sees tensors.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ANALYSIS_INPLACE_H
#define FADIFF_ANALYSIS_INPLACE_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fadiff {

/// Static offsets, sizes and strides of a slice, along each axis.
struct SliceShape {
  llvm::ArrayRef<int64_t> offsets, sizes, strides;

  bool isStatic() const;
  /// Whether the two have no element in common, as far as one axis tells.
  bool isApartFrom(const SliceShape &other) const;
  /// Whether it has whole rows, of the innermost axis, of a tensor of this
  /// shape: along one axis, so that they lie at one distance, or in steps.
  bool hasRowsOf(llvm::ArrayRef<int64_t> shape) const;
};

/// Whether the operand of `concat` is written where it lies in the result, and
/// read from there: if a layer, an operation on the host or another
/// concatenation makes it, and what else reads it takes a buffer as it lies.
bool isMadeInPlace(mlir::tensor::ConcatOp concat, unsigned operand);

/// The same of what is inserted into a tensor of which all that is ever written
/// is inserted, each element once, such as the phases of a transposed
/// convolution.
bool isMadeInPlace(mlir::tensor::InsertSliceOp insert);

} // namespace fadiff

#endif // FADIFF_ANALYSIS_INPLACE_H
