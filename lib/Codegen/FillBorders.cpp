//===- FillBorders.cpp - Padding without filling what is copied -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FillBorders.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace {

/// The one value that `op` writes to all of its output, if it does.
Value filledWith(linalg::LinalgOp op) {
  if (auto fill = dyn_cast<linalg::FillOp>(op.getOperation()))
    return fill.value();
  auto map = dyn_cast<linalg::MapOp>(op.getOperation());
  if (!map || !map.getInputs().empty())
    return {};
  Value value = map.getBody()->getTerminator()->getOperand(0);
  return map.getMapper().isAncestor(value.getParentRegion()) ? Value() : value;
}

/// What fills `buffer` before `copy`, with nothing in between that looks at
/// memory.
linalg::LinalgOp fillBefore(memref::CopyOp copy, Value buffer) {
  for (Operation *op = copy->getPrevNode(); op; op = op->getPrevNode()) {
    auto filled = dyn_cast<linalg::LinalgOp>(op);
    if (filled && filled.getNumDpsInits() == 1 &&
        filled.getDpsInits()[0] == buffer)
      return filledWith(filled) ? filled : linalg::LinalgOp();
    if (!isMemoryEffectFree(op))
      return {};
  }
  return {};
}

void fillBorders(memref::CopyOp copy) {
  auto middle = copy.getTarget().getDefiningOp<memref::SubViewOp>();
  if (!middle)
    return;
  Value buffer = middle.getSource();
  auto type = cast<MemRefType>(buffer.getType());
  auto isStatic = [](ArrayRef<int64_t> values) {
    return !ShapedType::isDynamicShape(values);
  };
  // What the source may be is not what is filled.
  if (!buffer.getDefiningOp<memref::AllocOp>() || !type.hasStaticShape() ||
      middle.getType().getRank() != type.getRank() ||
      !isStatic(middle.getStaticOffsets()) ||
      !isStatic(middle.getStaticSizes()) ||
      llvm::any_of(middle.getStaticStrides(),
                   [](int64_t stride) { return stride != 1; }))
    return;
  linalg::LinalgOp all = fillBefore(copy, buffer);
  if (!all)
    return;
  OpBuilder builder(all);
  const Location loc = all.getLoc();
  auto attributes = [&](ArrayRef<int64_t> values) {
    SmallVector<OpFoldResult> result;
    for (int64_t value : values)
      result.push_back(builder.getIndexAttr(value));
    return result;
  };
  // Axis by axis, whole slabs of what no axis before has covered.
  SmallVector<int64_t> offsets(type.getRank(), 0), sizes(type.getShape());
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    const int64_t low = middle.getStaticOffsets()[axis],
                  extent = middle.getStaticSizes()[axis];
    for (auto [start, end] : {std::pair(int64_t(0), low),
                              std::pair(low + extent, type.getDimSize(axis))}) {
      if (start == end)
        continue;
      offsets[axis] = start;
      sizes[axis] = end - start;
      Value border = memref::SubViewOp::create(
          builder, loc, buffer, attributes(offsets), attributes(sizes),
          attributes(SmallVector<int64_t>(type.getRank(), 1)));
      linalg::FillOp::create(builder, loc, filledWith(all), border);
    }
    offsets[axis] = low;
    sizes[axis] = extent;
  }
  all.erase();
}

struct FillBordersPass : PassWrapper<FillBordersPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FillBordersPass)

  StringRef getArgument() const override { return "fadiff-fill-borders"; }
  StringRef getDescription() const override {
    return "Fill only the borders of what is copied over in the middle";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<linalg::LinalgDialect, memref::MemRefDialect>();
  }

  void runOnOperation() override {
    SmallVector<memref::CopyOp> copies;
    getOperation()->walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies)
      fillBorders(copy);
  }
};

} // namespace

std::unique_ptr<Pass> fadiff::createFillBordersPass() {
  return std::make_unique<FillBordersPass>();
}
