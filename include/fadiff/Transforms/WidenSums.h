//===- WidenSums.h - Sums of 16 bits in f32 ---------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TRANSFORMS_WIDENSUMS_H
#define FADIFF_TRANSFORMS_WIDENSUMS_H

#include "mlir/IR/BuiltinOps.h"

namespace fadiff {

/// Lets the `linalg` operations of `module`, on tensors or memrefs, that sum
/// products in f16 or bf16 take them in f32 and round once: taken as written,
/// such a sum rounds at each step, so that it depends on the order, and long
/// ones stop to grow. Returns the type with the fewest digits among theirs, or
/// null if there was none.
mlir::FloatType widenSums(mlir::ModuleOp module);

} // namespace fadiff

#endif // FADIFF_TRANSFORMS_WIDENSUMS_H
