//===- PoolMatch.cpp - Max pooling behind a layer -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/PoolMatch.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

static constexpr int64_t kLeast = INT8_MIN;

static bool isConstant(Value value, int64_t wanted) {
  APInt found;
  return value && matchPattern(value, m_ConstantInt(&found)) &&
         found.getSExtValue() == wanted;
}

/// The axes H and W of what `op` pools; none if it is no such pooling.
static std::optional<std::array<unsigned, 2>> pooledAxes(Operation *op) {
  if (isa_and_nonnull<linalg::PoolingNhwcMaxOp>(op))
    return {{1, 2}};
  if (isa_and_nonnull<linalg::PoolingNchwMaxOp>(op))
    return {{2, 3}};
  return std::nullopt;
}

/// The number that all elements of a pooling's attribute are, or 0.
static int64_t uniform(Operation *op, StringRef name) {
  auto values = op->getAttrOfType<DenseIntElementsAttr>(name);
  return values && values.isSplat()
             ? values.getSplatValue<APInt>().getSExtValue()
             : 0;
}

std::optional<PoolMatch> fadiff::matchMaxPool(Value pooled) {
  Operation *op = pooled.getDefiningOp();
  auto axes = pooledAxes(op);
  if (!axes)
    return std::nullopt;
  auto linalgOp = cast<linalg::LinalgOp>(op);
  auto type = dyn_cast<RankedTensorType>(pooled.getType());
  auto taps = dyn_cast<RankedTensorType>(
      linalgOp.getDpsInputOperand(1)->get().getType());
  auto init =
      linalgOp.getDpsInitOperand(0)->get().getDefiningOp<linalg::FillOp>();
  if (!type || !type.getElementType().isInteger(8) || !type.hasStaticShape() ||
      !taps || taps.getRank() != 2 ||
      taps.getDimSize(0) != taps.getDimSize(1) ||
      uniform(op, "dilations") != 1 || uniform(op, "strides") < 1 || !init ||
      !isConstant(init.value(), kLeast))
    return std::nullopt;

  Value source = linalgOp.getDpsInputOperand(0)->get();
  std::array<int64_t, 2> pad{0, 0};
  if (auto padded = source.getDefiningOp<tensor::PadOp>()) {
    if (!isConstant(padded.getConstantPaddingValue(), kLeast) ||
        !padded->hasOneUse())
      return std::nullopt;
    SmallVector<int64_t> low(padded.getStaticLow());
    SmallVector<int64_t> high(padded.getStaticHigh());
    for (auto [i, axis] : llvm::enumerate(*axes)) {
      pad[i] = low[axis];
      low[axis] = high[axis] = 0;
    }
    if (llvm::any_of(low, [](int64_t n) { return n != 0; }) ||
        llvm::any_of(high, [](int64_t n) { return n != 0; }))
      return std::nullopt;
    source = padded.getSource();
  }
  auto layer = source.getDefiningOp<LayerOp>();
  if (!layer || !source.hasOneUse() || layer.getEpilogue().getPool())
    return std::nullopt;
  StringRef layout = layer.getWorkload().getOutputLayout();
  if (layout.size() != 4 || layout[(*axes)[0]] != 'P' ||
      layout[(*axes)[1]] != 'Q')
    return std::nullopt;

  PoolMatch match;
  match.layer = layer;
  match.op = op;
  std::array<int64_t, 2> outputs;
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    outputs[i] = type.getDimSize(axis);
    if (pad[i] < 0 || pad[i] >= taps.getDimSize(0))
      return std::nullopt;
  }
  // A number beyond what a pool may have is no error here.
  ScopedDiagnosticHandler silent(op->getContext(),
                                 [](Diagnostic &) { return success(); });
  match.pool = MaxPoolAttr::getChecked(
      [&] { return emitError(op->getLoc()); }, op->getContext(),
      taps.getDimSize(0), uniform(op, "strides"), ArrayRef<int64_t>(pad),
      ArrayRef<int64_t>(outputs));
  if (!match.pool || !isPoolable(toLayer(layer), toMaxPool(match.pool),
                                 layer.getEpilogue().isAboveZeroSum()))
    return std::nullopt;
  return match;
}

void fadiff::foldMaxPool(const PoolMatch &match) {
  LayerOp layer = match.layer;
  auto type = cast<RankedTensorType>(match.op->getResult(0).getType());
  const std::array<unsigned, 2> axes = *pooledAxes(match.op);
  auto yield = cast<YieldOp>(layer.getBody().front().getTerminator());
  Location loc = match.op->getLoc();
  OpBuilder builder(yield);
  Value sums = yield.getValues().front();
  Value least = arith::ConstantOp::create(
      builder, loc, builder.getIntegerAttr(type.getElementType(), kLeast));
  // As far as the windows reach.
  auto from = cast<RankedTensorType>(sums.getType());
  SmallVector<int64_t> shape(from.getShape());
  SmallVector<OpFoldResult> low(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> high = low;
  const MaxPool pool = toMaxPool(match.pool);
  for (auto [i, axis] : llvm::enumerate(axes)) {
    const int64_t before = pool.padLow[kAllAxes[i]];
    const int64_t after = std::max<int64_t>(
        0, pool.window(pool.outputs[kAllAxes[i]]) - before - shape[axis]);
    low[axis] = builder.getIndexAttr(before);
    high[axis] = builder.getIndexAttr(after);
    shape[axis] += before + after;
  }
  auto padded = from.clone(shape);
  if (padded != from)
    sums = tensor::PadOp::create(builder, loc, padded, sums, low, high, least);
  Value taps = tensor::EmptyOp::create(builder, loc, {pool.size, pool.size},
                                       type.getElementType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  Value init = linalg::FillOp::create(builder, loc, least, empty).getResult(0);
  Operation *inside = builder.clone(*match.op);
  inside->setOperands({sums, taps, init});
  yield->setOperand(0, inside->getResult(0));

  EpilogueAttr epilogue = layer.getEpilogue();
  layer.setEpilogueAttr(epilogue.withPool(match.pool));
  layer.getResult().setType(type);
  match.op->getResult(0).replaceAllUsesWith(layer.getResult());
  Operation *pad = match.op->getOperand(0).getDefiningOp();
  match.op->erase();
  if (isa<tensor::PadOp>(pad))
    pad->erase();
}
