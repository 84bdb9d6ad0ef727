//===- GemminiDialect.h - Dialect, modes and target -------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_GEMMINI_IR_GEMMINIDIALECT_H
#define FADIFF_DIALECT_GEMMINI_IR_GEMMINIDIALECT_H

#include "fadiff/Hardware/Accelerator.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

#include <optional>

#include "fadiff/Dialect/Gemmini/IR/GemminiDialect.h.inc"
#include "fadiff/Dialect/Gemmini/IR/GemminiEnums.h.inc"
#include "fadiff/Dialect/Gemmini/IR/GemminiInterfaces.h.inc"

namespace fadiff::gemmini {

/// The module attribute that names the machine.
inline constexpr llvm::StringLiteral kTargetAttrName = "fadiff.target";

/// The machine that `op` is for: `fadiff.target` of the innermost enclosing
/// module (or of `op`, if it is one) whose attribute implements
/// GemminiTargetInterface. None if there is no such module.
std::optional<Accelerator> lookupTarget(mlir::Operation *op);

} // namespace fadiff::gemmini

#endif // FADIFF_DIALECT_GEMMINI_IR_GEMMINIDIALECT_H
