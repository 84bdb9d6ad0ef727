//===- TargetInterface.h - The machine that a module is for -----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the fadiff and gemmini dialects have in common: both ask the module for
// the machine, and neither knows the other.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_TARGET_IR_TARGETINTERFACE_H
#define FADIFF_DIALECT_TARGET_IR_TARGETINTERFACE_H

#include "fadiff/Hardware/Accelerator.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/Operation.h"

#include <optional>

#include "fadiff/Dialect/Target/IR/TargetInterface.h.inc"

namespace fadiff {

/// The module attribute that names the machine.
inline constexpr llvm::StringLiteral kTargetAttrName = "fadiff.target";

/// The machine that `op` is for: `fadiff.target` of the innermost enclosing
/// module (or of `op`, if it is one) whose attribute implements
/// TargetAttrInterface. None if there is no such module.
std::optional<Accelerator> lookupMachine(mlir::Operation *op);

} // namespace fadiff

#endif // FADIFF_DIALECT_TARGET_IR_TARGETINTERFACE_H
