//===- Weights.h - What depends on weights alone ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights are transposed, expanded to block-diagonal tiles and packed on the
// core, in every call, though they are the same each time. Of constants that is
// done at compile time, of arguments in a function that is called once.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_CODEGEN_WEIGHTS_H
#define FADIFF_CODEGEN_WEIGHTS_H

#include "fadiff/Codegen/Riscv.h"

namespace fadiff {

/// Computes in this process what is made of constants alone in the scheduled
/// module, still on tensors, and what its loop nests take as weights or bias of
/// that (fadiff/Analysis/OnConstants.h).
mlir::LogicalResult foldConstants(mlir::ModuleOp module);

/// For each entry in which nests take weights or a bias that is made of
/// arguments: a function `<name>_prepare` of these arguments that returns what
/// is made, which the entry takes instead, as further arguments behind its own.
/// Adds the new functions to `entries`, each behind its entry. An argument
/// counts as weights if no nest reads it, or what is made of it, as input or
/// residual, and no result of the entry is made of it without a nest.
mlir::LogicalResult separateWeights(mlir::ModuleOp module,
                                    std::vector<CEntry> &entries);

} // namespace fadiff

#endif // FADIFF_CODEGEN_WEIGHTS_H
