//===- ArgumentShapes.h - Extents that a user gives -------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TRANSFORMS_ARGUMENTSHAPES_H
#define FADIFF_TRANSFORMS_ARGUMENTSHAPES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace fadiff {

/// Gives the arguments of `function` the extents in `shapes`, which is as the
/// option of fadiff-static-shapes; its body sees the types that it saw before.
/// Fails with a diagnostic if `shapes` does not fit the arguments, or if the
/// function is called.
llvm::LogicalResult setArgumentShapes(mlir::func::FuncOp function,
                                      llvm::StringRef shapes);

} // namespace fadiff

#endif // FADIFF_TRANSFORMS_ARGUMENTSHAPES_H
