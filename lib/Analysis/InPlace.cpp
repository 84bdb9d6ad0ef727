//===- InPlace.cpp - Parts that are made where they lie -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/InPlace.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

bool fadiff::isSliceOfRows(ArrayRef<int64_t> shape, int64_t axis) {
  return axis + 1 == int64_t(shape.size()) ||
         llvm::all_of(shape.take_front(axis),
                      [](int64_t extent) { return extent == 1; });
}

static bool isOnArray(Operation *op) {
  return isa<LayerOp, FusionGroupOp, LoopNestOp>(op);
}

/// Whether what makes `value` writes it to a buffer of its own.
static bool hasBuffer(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isOnArray(op) || isa<tensor::ConcatOp>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return false;
  Value init =
      linalgOp.getDpsInitOperand(cast<OpResult>(value).getResultNumber())
          ->get();
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getOutputs()[0];
  return init.getDefiningOp<tensor::EmptyOp>() != nullptr;
}

/// The operation of `block` that `use` is in; null if it is elsewhere.
static Operation *userIn(Block *block, OpOperand &use) {
  return block->findAncestorOpInBlock(*use.getOwner());
}

bool fadiff::isMadeInPlace(tensor::ConcatOp concat, unsigned operand) {
  Value part = concat.getInputs()[operand];
  Block *block = concat->getBlock();
  auto type = dyn_cast<RankedTensorType>(part.getType());
  if (!type || !type.hasStaticShape() ||
      !concat.getResultType().hasStaticShape() || !hasBuffer(part) ||
      part.getDefiningOp()->getBlock() != block ||
      !isSliceOfRows(concat.getResultType().getShape(), concat.getDim()))
    return false;
  Operation *last = concat;
  for (OpOperand &use : part.getUses()) {
    Operation *user = userIn(block, use);
    if (!user)
      return false;
    if (last->isBeforeInBlock(user))
      last = user;
    if (auto other = dyn_cast<tensor::ConcatOp>(user)) {
      // In the last place of the last one.
      if (other == concat ? use.getOperandNumber() > operand
                          : concat->isBeforeInBlock(other))
        return false;
      continue;
    }
    auto linalgOp = dyn_cast<linalg::LinalgOp>(user);
    if (!isOnArray(user) && !isa<tensor::PadOp>(user) &&
        !(linalgOp && linalgOp.isDpsInput(&use)))
      return false;
  }
  // Nor may the result be written to, or be looked at in other ways before
  // the last of them.
  return llvm::all_of(concat->getUses(), [&](OpOperand &use) {
    Operation *user = userIn(block, use);
    auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(user);
    return user &&
           (isOnArray(user) || (linalgOp && linalgOp.isDpsInput(&use)) ||
            isa<tensor::PadOp, tensor::ConcatOp, func::ReturnOp>(user) ||
            (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user) &&
             last->isBeforeInBlock(user)));
  });
}
