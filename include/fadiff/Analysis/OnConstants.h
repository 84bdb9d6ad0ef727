//===- OnConstants.h - What is known at compile time ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Positions that are added to an embedding, masks, tables that are indexed by
// positions: networks compute much from constants alone. That is done once,
// when the network is compiled (fadiff/Codegen/Weights.h), and so takes no time
// of a call.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ANALYSIS_ONCONSTANTS_H
#define FADIFF_ANALYSIS_ONCONSTANTS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace fadiff {

/// Operations right in a function whose results are tensors of static shape
/// that depend on constants alone. Not of them are those whose results take
/// over a MiB and over sixteen times as much as what they read, but for what
/// lays out weights: to repeat a constant costs less than to keep it so often.
class OnConstants {
public:
  /// Of `root`, a function or what holds functions.
  explicit OnConstants(mlir::Operation *root);

  bool contains(mlir::Operation *op) const { return ops.contains(op); }

private:
  llvm::DenseSet<mlir::Operation *> ops;
};

/// Whether `value` is a constant, or made of constants by at most four such
/// operations, one behind the other: whoever reads it should not compute it.
bool isMadeOfConstants(mlir::Value value);

} // namespace fadiff

#endif // FADIFF_ANALYSIS_ONCONSTANTS_H
