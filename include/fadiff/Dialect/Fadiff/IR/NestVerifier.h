//===- NestVerifier.h - Does a loop nest compute its layers? ----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_FADIFF_IR_NESTVERIFIER_H
#define FADIFF_DIALECT_FADIFF_IR_NESTVERIFIER_H

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"

namespace fadiff::ir {

/// Whether the nest computes the layers of its stages on `machine`, by the
/// rules N1 to N20 of docs/Lowering.md, section "What a nest must satisfy". An
/// error at the op concerned names the rule, what was wanted and found.
mlir::LogicalResult verifyNest(LoopNestOp nest, const Accelerator &machine);

} // namespace fadiff::ir

#endif // FADIFF_DIALECT_FADIFF_IR_NESTVERIFIER_H
