//===- Tabulate.cpp - Functions of a byte as tables -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the read-out has no unit for stays on the core: GELU, SiLU, sigmoid of
// int8 tensors. A byte has 256 values, so all results are worked out here.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fadiff {
#define GEN_PASS_DEF_TABULATEPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;

static constexpr unsigned kBytes = 256;

/// The constant that each element of `value` is; null if it is none.
static TypedAttr constantOf(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return {};
  if (auto dense = dyn_cast<DenseElementsAttr>(constant))
    return dense.isSplat()
               ? dyn_cast<TypedAttr>(dense.getSplatValue<Attribute>())
               : TypedAttr();
  return dyn_cast<TypedAttr>(constant);
}

/// The byte that all of `op` is a function of, as a number of its inputs.
static std::optional<unsigned> byteOf(linalg::GenericOp op) {
  std::optional<unsigned> byte;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!op.payloadUsesValueFromOperand(operand) || constantOf(operand->get()))
      continue;
    auto type = dyn_cast<RankedTensorType>(operand->get().getType());
    if (byte || !type || !type.getElementType().isInteger(8))
      return std::nullopt;
    byte = operand->getOperandNumber();
  }
  return byte;
}

/// Whether the body is worth a table: functions of libm, or products of two
/// numbers that both depend on the byte, which no read-out scales by.
static bool isWorthATable(linalg::GenericOp op, unsigned byte) {
  llvm::DenseSet<Value> derived{op.getRegionInputArgs()[byte]};
  for (Operation &part : op.getBody()->without_terminator()) {
    const auto uses = llvm::count_if(
        part.getOperands(), [&](Value v) { return derived.contains(v); });
    if (uses == 0)
      continue;
    if (isa<math::MathDialect>(part.getDialect()) &&
        !isa<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::CeilOp,
             math::AbsFOp, math::AbsIOp>(part))
      return true;
    if (uses > 1 && isa<arith::MulFOp, arith::MulIOp, arith::DivFOp>(part))
      return true;
    derived.insert(part.result_begin(), part.result_end());
  }
  return false;
}

/// What the body of `op` yields if the byte is `value`; null if that cannot be
/// told here.
static TypedAttr resultFor(linalg::GenericOp op, unsigned byte,
                           IntegerAttr value) {
  llvm::DenseMap<Value, TypedAttr> known;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (TypedAttr constant = constantOf(operand->get()))
      known[op.getMatchingBlockArgument(operand)] = constant;
  known[op.getRegionInputArgs()[byte]] = value;
  auto find = [&](Value scalar) {
    auto it = known.find(scalar);
    return it != known.end() ? it->second : constantOf(scalar);
  };
  for (Operation &part : op.getBody()->without_terminator()) {
    SmallVector<Attribute> operands;
    for (Value operand : part.getOperands())
      operands.push_back(find(operand));
    if (llvm::is_contained(operands, Attribute()))
      return {};
    // Folding may change an operation in place.
    Operation *copy = part.clone();
    SmallVector<OpFoldResult> results;
    const bool folds = succeeded(copy->fold(operands, results)) &&
                       results.size() == part.getNumResults();
    copy->destroy();
    if (!folds)
      return {};
    for (auto [result, folded] : llvm::zip_equal(part.getResults(), results)) {
      TypedAttr constant;
      if (auto same = dyn_cast<Value>(folded)) // an operand of the copy
        constant = find(same);
      else
        constant = dyn_cast<TypedAttr>(cast<Attribute>(folded));
      if (!constant || constant.getType() != result.getType())
        return {};
      known[result] = constant;
    }
  }
  return find(op.getBody()->getTerminator()->getOperand(0));
}

namespace {
struct TabulatePass : public fadiff::impl::TabulatePassBase<TabulatePass> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> found;
    getOperation()->walk([&](linalg::GenericOp op) {
      // What stands in a layer is the accelerator's.
      if (!op->getParentOfType<ir::LayerOp>())
        found.push_back(op);
    });
    for (linalg::GenericOp op : found)
      tabulate(op);
  }

private:
  static void tabulate(linalg::GenericOp op) {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
        op.getNumReductionLoops() > 0)
      return;
    const std::optional<unsigned> byte = byteOf(op);
    OpOperand *init = op.getDpsInitOperand(0);
    if (!byte || op.payloadUsesValueFromOperand(init) ||
        !isWorthATable(op, *byte))
      return;
    for (Operation &part : op.getBody()->without_terminator())
      if (part.getNumRegions() > 0 || !isMemoryEffectFree(&part))
        return;
    OpBuilder builder(op);
    Type element =
        cast<RankedTensorType>(op.getResult(0).getType()).getElementType();
    SmallVector<Attribute> values;
    for (unsigned value = 0; value < kBytes; ++value) {
      TypedAttr result = resultFor(
          op, *byte, IntegerAttr::get(builder.getI8Type(), APInt(8, value)));
      if (!result || result.getType() != element)
        return;
      values.push_back(result);
    }
    Location loc = op.getLoc();
    auto tableType = RankedTensorType::get({kBytes}, element);
    Value table = arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(tableType, values));
    OpOperand *read = op.getDpsInputOperand(*byte);
    auto lookup = linalg::GenericOp::create(
        builder, loc, op.getResultTypes(), ValueRange{read->get()},
        ValueRange{init->get()},
        ArrayRef<AffineMap>{op.getMatchingIndexingMap(read),
                            op.getMatchingIndexingMap(init)},
        op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location l, ValueRange scalars) {
          Value at =
              arith::IndexCastUIOp::create(b, l, b.getIndexType(), scalars[0]);
          linalg::YieldOp::create(
              b, l, tensor::ExtractOp::create(b, l, table, at).getResult());
        });
    noteOnHost(lookup, hostCauseOf(op));
    op->replaceAllUsesWith(lookup);
    op.erase();
  }
};
} // namespace
