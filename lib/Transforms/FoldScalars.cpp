//===- FoldScalars.cpp - Operations of bodies on constants ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldScalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

TypedAttr fadiff::constantOf(Value value) {
  Attribute constant;
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return constantOf(fill.getInputs().front());
  if (!matchPattern(value, m_Constant(&constant)))
    return {};
  if (auto dense = dyn_cast<DenseElementsAttr>(constant))
    return dense.isSplat()
               ? dyn_cast<TypedAttr>(dense.getSplatValue<Attribute>())
               : TypedAttr();
  return dyn_cast<TypedAttr>(constant);
}

TypedAttr fadiff::foldScalar(Operation *part,
                             llvm::function_ref<TypedAttr(Value)> find) {
  // Only the side that is taken need have a value.
  if (auto select = dyn_cast<arith::SelectOp>(part)) {
    auto is = dyn_cast_or_null<IntegerAttr>(find(select.getCondition()));
    return !is ? TypedAttr()
               : find(is.getValue().isZero() ? select.getFalseValue()
                                             : select.getTrueValue());
  }
  SmallVector<Attribute> operands;
  for (Value operand : part->getOperands())
    operands.push_back(find(operand));
  if (llvm::is_contained(operands, Attribute()))
    return {};
  // Folding may change an operation in place.
  Operation *copy = part->clone();
  SmallVector<OpFoldResult> results;
  const bool folds = succeeded(copy->fold(operands, results)) &&
                     results.size() == part->getNumResults();
  copy->destroy();
  if (!folds)
    return {};
  TypedAttr constant;
  if (auto same = dyn_cast<Value>(results.front())) // an operand of the copy
    constant = find(same);
  else
    constant = dyn_cast<TypedAttr>(cast<Attribute>(results.front()));
  if (!constant || constant.getType() != part->getResult(0).getType())
    return {};
  return constant;
}

TypedAttr fadiff::foldBody(linalg::LinalgOp op, OpOperand &of,
                           TypedAttr element) {
  llvm::DenseMap<Value, TypedAttr> known;
  for (OpOperand *operand : op.getDpsInputOperands())
    known[op.getMatchingBlockArgument(operand)] = constantOf(operand->get());
  known[op.getMatchingBlockArgument(&of)] = element;
  auto find = [&](Value value) {
    auto it = known.find(value);
    return it != known.end() ? it->second : constantOf(value);
  };
  for (Operation &part : op.getBlock()->without_terminator())
    if (part.getNumResults() == 1 && isMemoryEffectFree(&part))
      known[part.getResult(0)] = foldScalar(&part, find);
  return find(op.getBlock()->getTerminator()->getOperand(0));
}
