//===- WriteInPlace.cpp - Parts of a buffer are made where they lie -------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A concatenation copies what it joins. If a copy is whole, and nobody else
// writes to its place until the last reader of what is copied has read, the
// maker writes there, and the readers read there. Upstream's elimination of
// empty tensors does that for what has no other reader. `isMadeInPlace` says of
// tensors what is done here.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/InPlace.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Runner/HostLowering.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;

namespace fadiff {

namespace {

SliceShape sliceOf(memref::SubViewOp view) {
  return {view.getStaticOffsets(), view.getStaticSizes(),
          view.getStaticStrides()};
}

/// Static: then it is known what is in it.
bool isPlainSlice(memref::SubViewOp view) {
  return sliceOf(view).isStatic() &&
         view.getType().getRank() == view.getSourceType().getRank();
}

/// Operations of which it is known what they do with the buffers that they are
/// given, of whatever layout: read them, or write to those among their inits.
bool isKnownUse(OpOperand &use) {
  Operation *op = use.getOwner();
  return isa<memref::CopyOp>(op) ||
         (isa<linalg::LinalgOp, ir::LoopNestOp>(op) &&
          op->getNumResults() == 0);
}

bool isWrittenBy(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<memref::CopyOp>(op))
    return use.getOperandNumber() == 1;
  return cast<DestinationStyleOpInterface>(op).isDpsInit(&use);
}

struct WriteInPlacePass : PassWrapper<WriteInPlacePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WriteInPlacePass)

  StringRef getArgument() const override { return "fadiff-write-in-place"; }
  StringRef getDescription() const override {
    return "Make parts of a buffer where they lie in it, and not elsewhere to "
           "be copied";
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    // What is part of a part comes after that.
    for (memref::CopyOp copy : llvm::reverse(copies))
      tryToSpare(rewriter, copy);
  }

private:
  void tryToSpare(RewriterBase &rewriter, memref::CopyOp copy) {
    auto part = copy.getSource().getDefiningOp<memref::AllocOp>();
    auto place = copy.getTarget().getDefiningOp<memref::SubViewOp>();
    if (!part || !place || part->getNumOperands() || !isPlainSlice(place) ||
        !part.getType().getLayout().isIdentity() ||
        !part.getType().hasStaticShape() ||
        !sliceOf(place).hasRowsOf(place.getSourceType().getShape()) ||
        !place->hasOneUse() || part->getBlock() != copy->getBlock())
      return;
    // The buffers that it is in, the outermost last.
    SmallVector<Operation *> around;
    Value whole = place.getSource();
    while (auto view = whole.getDefiningOp<memref::SubViewOp>()) {
      around.push_back(view);
      whole = view.getSource();
    }
    auto buffer = whole.getDefiningOp<memref::AllocOp>();
    if (!buffer || buffer->getNumOperands() || buffer == part)
      return;
    around.push_back(buffer);
    if (llvm::any_of(around, [&](Operation *op) {
          return op->getBlock() != copy->getBlock();
        }))
      return;
    Operation *last = copy;
    if (!canMove(part, copy, last) || !isFree(place, copy, last))
      return;

    for (Operation *op : llvm::reverse(around))
      if (part->isBeforeInBlock(op))
        rewriter.moveOpBefore(op, part);
    rewriter.moveOpBefore(place, part);
    rewriter.eraseOp(copy);
    // Slices of what has strides have others.
    for (Operation *user : llvm::make_early_inc_range(part->getUsers()))
      if (auto slice = dyn_cast<memref::SubViewOp>(user)) {
        rewriter.setInsertionPoint(slice);
        rewriter.replaceOpWithNewOp<memref::SubViewOp>(
            slice, place, slice.getMixedOffsets(), slice.getMixedSizes(),
            slice.getMixedStrides());
      }
    rewriter.replaceOp(part, place);
  }

  /// Whether all that use `part` could use any other buffer, and none writes
  /// behind `copy`. `last` is then the last of them.
  static bool canMove(memref::AllocOp part, memref::CopyOp copy,
                      Operation *&last) {
    auto take = [&](OpOperand &use) {
      Operation *op = use.getOwner();
      if (!isKnownUse(use) || op->getBlock() != copy->getBlock() ||
          (isWrittenBy(use) && copy->isBeforeInBlock(op)))
        return false;
      if (last->isBeforeInBlock(op))
        last = op;
      return true;
    };
    return llvm::all_of(part->getUses(), [&](OpOperand &use) {
      auto slice = dyn_cast<memref::SubViewOp>(use.getOwner());
      return slice ? isPlainSlice(slice) && llvm::all_of(slice->getUses(), take)
                   : take(use);
    });
  }

  /// Whether nobody reads or writes `place` before `copy`, or writes to it
  /// before `last` is done.
  static bool isFree(memref::SubViewOp place, memref::CopyOp copy,
                     Operation *last) {
    return llvm::all_of(place.getSource().getUses(), [&](OpOperand &use) {
      Operation *op = use.getOwner();
      if (op == place)
        return true;
      if (auto slice = dyn_cast<memref::SubViewOp>(op);
          slice && isPlainSlice(slice) &&
          sliceOf(place).isApartFrom(sliceOf(slice)))
        return true;
      // All of it is read, later.
      if (op->getBlock() != copy->getBlock() || op->isBeforeInBlock(copy))
        return false;
      return isa<func::ReturnOp>(op) ||
             (isKnownUse(use) && !isWrittenBy(use)) ||
             (isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(op) &&
              last->isBeforeInBlock(op));
    });
  }
};

} // namespace

std::unique_ptr<Pass> createWriteInPlacePass() {
  return std::make_unique<WriteInPlacePass>();
}

} // namespace fadiff
