//===- OnConstants.cpp - What is known at compile time --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/OnConstants.h"

#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include <algorithm>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

static constexpr double kAlwaysKept = 1 << 20; ///< bytes
static constexpr double kMostGrowth = 16;

/// Of a tensor of static shape; 0 of anything else.
static double bytesOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return 0;
  Type element = type.getElementType();
  const unsigned bits =
      element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 64;
  return double(type.getNumElements()) * std::max(1.0, bits / 8.0);
}

/// Whether `value` is a constant, is filled with one, or made by what `isDone`.
static bool isKnown(Value value, llvm::function_ref<bool(Operation &)> isDone) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto fill = dyn_cast<linalg::FillOp>(op))
    return isKnown(fill.getInputs().front(), isDone);
  return op->hasTrait<OpTrait::ConstantLike>() || isa<tensor::EmptyOp>(op) ||
         isDone(*op);
}

/// Whether `op`, which reads only what `isKnown` says is made of constants,
/// is done at compile time.
static bool isDoneInAdvance(Operation &op,
                            llvm::function_ref<bool(Value)> isKnown) {
  if (op.getNumResults() == 0 || !isMemoryEffectFree(&op) ||
      op.hasTrait<OpTrait::ConstantLike>() ||
      isa<tensor::EmptyOp, linalg::FillOp, LoopNestOp, LayerOp, FusionGroupOp>(
          op))
    return false;
  llvm::SetVector<Value> read(op.operand_begin(), op.operand_end());
  getUsedValuesDefinedAbove(op.getRegions(), read);
  double in = 0, out = 0;
  for (Value value : read) {
    if (!isKnown(value))
      return false;
    if (!isa<tensor::EmptyOp, linalg::FillOp>(value.getDefiningOp()))
      in += bytesOf(value);
  }
  for (Value result : op.getResults()) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!type || !type.hasStaticShape())
      return false;
    out += bytesOf(result);
  }
  return out <= std::max(kAlwaysKept, kMostGrowth * in) ||
         op.hasAttr(kOfWeightsAttrName);
}

OnConstants::OnConstants(Operation *root) {
  root->walk([&](FunctionOpInterface function) {
    if (!function.getFunctionBody().hasOneBlock())
      return;
    for (Operation &op : function.getFunctionBody().front())
      if (isDoneInAdvance(op, [&](Value value) {
            return isKnown(
                value, [&](Operation &maker) { return ops.contains(&maker); });
          }))
        ops.insert(&op);
  });
}

static bool isMadeOfConstants(Value value, unsigned steps) {
  return isKnown(value, [&](Operation &maker) {
    return steps > 0 && isDoneInAdvance(maker, [&](Value value) {
             return isMadeOfConstants(value, steps - 1);
           });
  });
}

bool fadiff::isMadeOfConstants(Value value) {
  return ::isMadeOfConstants(value, /*steps=*/4);
}
