//===- Passes.h - Passes between dialects -----------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_CONVERSION_PASSES_H
#define FADIFF_CONVERSION_PASSES_H

#include "fadiff/Conversion/GemminiToLLVM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/Pass.h"

namespace fadiff {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "fadiff/Conversion/Passes.h.inc"

} // namespace fadiff

#endif // FADIFF_CONVERSION_PASSES_H
