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

/// Whether slices along `axis` of a tensor of this shape have their rows, of
/// the innermost axis, at one distance: then whatever moves rows of a tensor
/// moves those of a slice.
bool isSliceOfRows(llvm::ArrayRef<int64_t> shape, int64_t axis);

/// Whether the operand of `concat` is written where it lies in the result, and
/// read from there: if a layer, an operation on the host or another
/// concatenation makes it, and what else reads it takes a buffer as it lies.
bool isMadeInPlace(mlir::tensor::ConcatOp concat, unsigned operand);

} // namespace fadiff

#endif // FADIFF_ANALYSIS_INPLACE_H
