//===- NestForm.h - The shape of a loop nest's tree -------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stage is one chain of loops down to its compute, with its copies beside
// the loops. Then no index needs to be looked at: a copy that stands further
// out has a box around the compute's, and every point of the stage's box is
// computed once.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_DIALECT_FADIFF_IR_NESTFORM_H
#define FADIFF_LIB_DIALECT_FADIFF_IR_NESTFORM_H

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Workload/Layer.h"

namespace fadiff::ir {

/// Nominal extents of the box at a point of the tree.
using Extents = PerDim<int64_t>;

/// A stage that computes. Whatever is null is not there, or not its own.
struct StageForm {
  explicit StageForm(StageOp op);

  /// Rules N5 and N6: each op once, all on the chain, in order.
  mlir::LogicalResult check();

  /// The loops of `dim` between `outer` (null: the stage's start) and the
  /// compute, outermost first, with the interval that each one splits;
  /// `entry` is the box at the stage's start. Loops of one trip are left out.
  struct Split {
    ForOp loop;
    int64_t interval = 1;
    int64_t step() const { return ForOp(loop).getStep(); }
  };
  llvm::SmallVector<Split> splits(const Extents &entry, Dim dim,
                                  mlir::Operation *outer = nullptr) const;
  /// The box at one of the stage's ops.
  Extents boxAt(mlir::Operation *op, const Extents &entry) const;

  StageOp op;
  llvm::SmallVector<ForOp> loops; ///< outermost first
  LoadOp input, weights;
  StageOp producer; ///< inside of it
  InitOp init;
  ComputeOp compute;
  StoreOp store;

private:
  /// The first op that is there a second time, if one is.
  mlir::Operation *again = nullptr;
};

/// What a nest consists of.
struct NestForm {
  /// The stages that compute, in order.
  std::vector<StageForm> members;
  /// Stages that only load, in order: weights that stay, tiles that several
  /// read.
  llvm::SmallVector<StageOp> loaders;

  /// Rules N1 and N2: stages and the loops around them. The stages are members
  /// all of them if none computes.
  static mlir::FailureOr<NestForm> of(LoopNestOp nest);

  /// The loops around the stages, outermost first.
  llvm::SmallVector<ForOp> tileLoops;

private:
  mlir::LogicalResult checkTileLoops(mlir::Block &block);
};

/// " [N3]" and the like, behind what a rule has to say.
std::string ruleNumber(unsigned number);

} // namespace fadiff::ir

#endif // FADIFF_LIB_DIALECT_FADIFF_IR_NESTFORM_H
