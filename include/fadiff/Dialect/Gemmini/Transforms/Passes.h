//===- Passes.h - Passes on gemmini instructions ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_GEMMINI_TRANSFORMS_PASSES_H
#define FADIFF_DIALECT_GEMMINI_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace fadiff {
namespace gemmini {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h.inc"

} // namespace gemmini
} // namespace fadiff

#endif // FADIFF_DIALECT_GEMMINI_TRANSFORMS_PASSES_H
