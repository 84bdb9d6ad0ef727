//===- Translation.h - From the LLVM dialect to LLVM IR ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiling for this machine and for another have in common.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_RUNNER_TRANSLATION_H
#define FADIFF_RUNNER_TRANSLATION_H

#include "mlir/IR/BuiltinOps.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace fadiff {

/// Makes the translation of the LLVM dialect known to the module's context and
/// reports the first operation that has none. Casts between types are a
/// consequence of such an operation, so they come last.
llvm::LogicalResult checkTranslatable(mlir::ModuleOp module);

/// LLVM's usual optimisations of level 0 to 3, with or without unrolling. Loop
/// bounds are constants here, and fully unrolled nests of a few thousand
/// instructions made code generation the better part of the compile time
/// without running faster in this process.
void optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                    unsigned optLevel, bool unrolls = false);

} // namespace fadiff

#endif // FADIFF_RUNNER_TRANSLATION_H
