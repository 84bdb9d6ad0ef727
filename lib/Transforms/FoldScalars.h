//===- FoldScalars.h - Operations of bodies on constants --------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_TRANSFORMS_FOLDSCALARS_H
#define FADIFF_LIB_TRANSFORMS_FOLDSCALARS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <array>
#include <optional>

namespace fadiff {

/// The constant that each element of `value` is; null if it is none.
mlir::TypedAttr constantOf(mlir::Value value);

/// What `part` gives for operands of which `find` knows the values, null if it
/// does not; null if that cannot be told here.
mlir::TypedAttr
foldScalar(mlir::Operation *part,
           llvm::function_ref<mlir::TypedAttr(mlir::Value)> find);

/// What elementwise `op` makes of an element of operand `of` that is `element`;
/// null if that depends on more, or cannot be told here.
mlir::TypedAttr foldBody(mlir::linalg::LinalgOp op, mlir::OpOperand &of,
                         mlir::TypedAttr element);

} // namespace fadiff

#endif // FADIFF_LIB_TRANSFORMS_FOLDSCALARS_H
