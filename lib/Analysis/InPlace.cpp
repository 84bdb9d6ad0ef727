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

bool SliceShape::isStatic() const {
  return !ShapedType::isDynamicShape(offsets) &&
         !ShapedType::isDynamicShape(sizes) &&
         !ShapedType::isDynamicShape(strides);
}

bool SliceShape::isApartFrom(const SliceShape &other) const {
  for (size_t axis = 0; axis < sizes.size(); ++axis) {
    const int64_t step = strides[axis];
    const int64_t from = offsets[axis], otherFrom = other.offsets[axis];
    auto endOf = [&](const SliceShape &slice) {
      return slice.offsets[axis] +
             (slice.sizes[axis] - 1) * slice.strides[axis];
    };
    if (endOf(*this) < otherFrom || endOf(other) < from ||
        (step == other.strides[axis] && (from - otherFrom) % step != 0))
      return true;
  }
  return false;
}

bool SliceShape::hasRowsOf(ArrayRef<int64_t> shape) const {
  if (llvm::any_of(strides, [](int64_t stride) { return stride != 1; }))
    return strides.back() == 1 && sizes.back() == shape.back();
  // Of one channel among others the next axis would be a row, with gaps.
  if (sizes.back() == 1 && shape.back() > 1)
    return llvm::all_of(sizes, [](int64_t extent) { return extent == 1; });
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (sizes[axis] == shape[axis])
      continue;
    return sizes.drop_front(axis + 1) == shape.drop_front(axis + 1) &&
           (axis + 1 == shape.size() ||
            llvm::all_of(shape.take_front(axis),
                         [](int64_t extent) { return extent == 1; }));
  }
  return true;
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
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return hasBuffer(insert.getDest());
  if (isa<tensor::EmptyOp>(op))
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

/// Whether all that use `value` read it, in whatever layout, or take a view of
/// it behind `last`.
static bool isReadAsItLies(Value value, Operation *last) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = userIn(last->getBlock(), use);
    auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(use.getOwner());
    return user &&
           (isOnArray(user) || (linalgOp && linalgOp.isDpsInput(&use)) ||
            isa<tensor::PadOp, tensor::ConcatOp, func::ReturnOp>(user) ||
            (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user) &&
             last->isBeforeInBlock(user)));
  });
}

bool fadiff::isMadeInPlace(tensor::ConcatOp concat, unsigned operand) {
  Value part = concat.getInputs()[operand];
  Block *block = concat->getBlock();
  auto type = dyn_cast<RankedTensorType>(part.getType());
  if (!type || !type.hasStaticShape() ||
      !concat.getResultType().hasStaticShape() || !hasBuffer(part) ||
      part.getDefiningOp()->getBlock() != block)
    return false;
  const SmallVector<int64_t> none(type.getRank(), 0), ones(type.getRank(), 1);
  if (!SliceShape{none, type.getShape(), ones}.hasRowsOf(
          concat.getResultType().getShape()))
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
    auto linalgOp = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!isOnArray(user) && !isa<tensor::PadOp>(user) &&
        !(linalgOp && linalgOp.isDpsInput(&use)))
      return false;
  }
  // Nor may the result be written to, or be looked at in other ways before
  // the last of them.
  return isReadAsItLies(concat.getResult(), last);
}

static SliceShape sliceOf(tensor::InsertSliceOp insert) {
  return {insert.getStaticOffsets(), insert.getStaticSizes(),
          insert.getStaticStrides()};
}

bool fadiff::isMadeInPlace(tensor::InsertSliceOp insert) {
  Value part = insert.getSource();
  Block *block = insert->getBlock();
  const SliceShape slice = sliceOf(insert);
  if (!part.hasOneUse() || !hasBuffer(part) ||
      part.getDefiningOp()->getBlock() != block || !slice.isStatic() ||
      insert.getSourceType().getRank() != insert.getType().getRank() ||
      !slice.hasRowsOf(insert.getType().getShape()))
    return false;
  // What is inserted before and after it.
  Value result = insert.getResult();
  while (result.hasOneUse()) {
    auto next = dyn_cast<tensor::InsertSliceOp>(*result.user_begin());
    if (!next || next.getDest() != result)
      break;
    result = next.getResult();
  }
  Value whole = result;
  while (auto other = whole.getDefiningOp<tensor::InsertSliceOp>()) {
    if (other->getBlock() != block || !sliceOf(other).isStatic() ||
        (other != insert && !slice.isApartFrom(sliceOf(other))))
      return false;
    whole = other.getDest();
    if (!whole.hasOneUse() && !whole.getDefiningOp<tensor::EmptyOp>())
      return false;
  }
  return whole.getDefiningOp<tensor::EmptyOp>() &&
         isReadAsItLies(result, result.getDefiningOp());
}
