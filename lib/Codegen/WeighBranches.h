//===- WeighBranches.h - How often branches are taken -----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_CODEGEN_WEIGHBRANCHES_H
#define FADIFF_LIB_CODEGEN_WEIGHBRANCHES_H

#include "mlir/Pass/Pass.h"

namespace llvm {
class Module;
} // namespace llvm

namespace fadiff {

/// Most of what a stream's loops do on some trips only, such as on the first,
/// follows from trips of loops with constant bounds. Tells LLVM how often each
/// branch is taken, so that what is seldom needed is kept in memory, not what
/// is always. A branch that is taken each time, or never, gets a constant
/// condition.
std::unique_ptr<mlir::Pass> createWeighBranchesPass();

/// Tells LLVM how many trips loops with constant bounds make. It takes all of
/// them for long ones, which most of a stream's are not.
void weighLoops(llvm::Module &module);

} // namespace fadiff

#endif // FADIFF_LIB_CODEGEN_WEIGHBRANCHES_H
