//===- EntryFunction.h - The function that a user means ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ANALYSIS_ENTRYFUNCTION_H
#define FADIFF_ANALYSIS_ENTRYFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace fadiff {

/// The function `name`, or if that is empty the one that a user means who names
/// none: `main`, else the only public function with a body. Fails with a
/// diagnostic that lists the candidates.
mlir::FailureOr<mlir::func::FuncOp> chooseEntry(mlir::ModuleOp module,
                                                llvm::StringRef name = "");

} // namespace fadiff

#endif // FADIFF_ANALYSIS_ENTRYFUNCTION_H
