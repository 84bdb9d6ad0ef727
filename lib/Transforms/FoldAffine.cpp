//===- FoldAffine.cpp - Batch normalisation in weights and bias -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   slope[k] (init + sum x w[k]) + offset[k]
//       =  (slope[k] init + offset[k]) + sum x (slope[k] w[k])
//
// In f32 the two differ by rounding, as sums in another order do.
//
//===----------------------------------------------------------------------===//

#include "Affine.h"
#include "Normalize.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace fadiff;

namespace {
/// An elementwise operation behind the sums, and the last value in its body
/// through which all goes that it makes of them.
struct Step {
  linalg::LinalgOp op;
  OpOperand *chain;
  Value value;

  bool isWhole() {
    return value == op.getBlock()->getTerminator()->getOperand(0);
  }
};
} // namespace

/// Whether `body` computes what it yields from `argument` by way of `value`
/// only.
static bool isBottleneck(Block &body, Value argument, Value value) {
  llvm::SmallPtrSet<Value, 8> reached{argument};
  for (Operation &inner : body)
    if (llvm::any_of(inner.getOperands(), [&](Value operand) {
          return reached.contains(operand);
        })) {
      if (inner.hasTrait<OpTrait::IsTerminator>())
        return false;
      for (Value result : inner.getResults())
        if (result != value)
          reached.insert(result);
    }
  return true;
}

static bool isOne(ArrayRef<double> slopes) {
  return llvm::all_of(slopes, [](double slope) { return slope == 1; });
}

/// The operations behind `sum` that are affine in it, the last one perhaps at
/// its start only; `total` is what they compute together. With `onlyOffset`
/// none that scales.
static SmallVector<Step> affineSteps(Value sum, unsigned channelAxis,
                                     int64_t channels, bool onlyOffset,
                                     Affine &total) {
  total = {SmallVector<double>(channels, 1), SmallVector<double>(channels, 0)};
  SmallVector<Step> steps;
  Value chain = sum;
  while (chain.hasOneUse()) {
    OpOperand &use = *chain.use_begin();
    auto op = dyn_cast<linalg::LinalgOp>(use.getOwner());
    if (!op || op->getBlock() != sum.getParentBlock() || !mapsElements(op) ||
        !op.isDpsInput(&use) || op.hasIndexSemantics())
      break;
    AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (op.getMatchingIndexingMap(&use) != out || !out.isPermutation())
      break;
    AffineBody body(op, use, out.getDimPosition(channelAxis), channels);
    Value argument = op.getMatchingBlockArgument(&use), last;
    for (Operation &inner : op.getBlock()->without_terminator())
      for (Value value : inner.getResults())
        if (const Affine *affine = body.lookup(value);
            affine && !affine->isConstant() && value.getType().isF32() &&
            (!onlyOffset || isOne(affine->slope)) &&
            isBottleneck(*op.getBlock(), argument, value))
          last = value;
    if (!last || body.readsUnsigned())
      break;
    const Affine &own = *body.lookup(last);
    for (int64_t k = 0; k < channels; ++k) {
      total.slope[k] *= own.slope[k];
      total.offset[k] = own.slope[k] * total.offset[k] + own.offset[k];
    }
    steps.push_back({op, &use, last});
    if (!steps.back().isWhole())
      break;
    chain = op->getResult(0);
  }
  return steps;
}

/// `weights` times one factor per index along `axis`; null if some product is
/// no finite float.
static DenseElementsAttr scaled(RankedTensorType type, ArrayRef<double> weights,
                                ArrayRef<double> factors, unsigned axis) {
  int64_t inner = 1;
  for (int64_t extent : type.getShape().drop_front(axis + 1))
    inner *= extent;
  SmallVector<float> products(type.getNumElements());
  for (auto [i, product] : llvm::enumerate(products)) {
    const double weight = weights.size() == 1 ? weights[0] : weights[i];
    product = static_cast<float>(weight * factors[i / inner % factors.size()]);
    if (!std::isfinite(product))
      return {};
  }
  return DenseElementsAttr::get(type, ArrayRef<float>(products));
}

/// Whether the layer's tail ends no earlier than `steps`: then the read-out
/// does what they do, as it is written.
static bool isReadOut(linalg::LinalgOp op, ArrayRef<Step> steps) {
  std::string reason;
  FailureOr<LayerMatch> match = matchLayer(op, Arithmetic::Float32, reason);
  return failed(match) || llvm::is_contained(match->ops, steps.back().op);
}

void fadiff::foldAffine(RewriterBase &rewriter, linalg::LinalgOp op,
                        bool onlyOffset) {
  Value sum = op->getResult(0);
  auto type = cast<RankedTensorType>(sum.getType());
  std::optional<unsigned> axis = outputChannelAxis(op);
  if (!axis || !type.getElementType().isF32())
    return;
  OpOperand *initUse = op.getDpsInitOperand(0);
  OpOperand *weightUse = op.getDpsInputOperand(1);
  auto weightType = dyn_cast<RankedTensorType>(weightUse->get().getType());
  const AffineExpr channelLoop =
      op.getMatchingIndexingMap(initUse).getResult(*axis);
  std::optional<unsigned> weightAxis =
      op.getMatchingIndexingMap(weightUse).getResultPosition(channelLoop);
  if (!weightType || !weightType.getElementType().isF32() || !weightAxis)
    return;

  const int64_t channels = type.getDimSize(*axis);
  Affine total;
  SmallVector<Step> steps =
      affineSteps(sum, *axis, channels, onlyOffset, total);
  if (steps.empty() || (!onlyOffset && isReadOut(op, steps)))
    return;
  const bool keepsWeights = isOne(total.slope);

  // What the sum starts from, a constant per channel.
  Value init = initUse->get();
  SmallVector<Operation *> ops;
  std::optional<SmallVector<double>> numbers;
  if (Value vector = matchBroadcast(init, *axis, ops))
    numbers = evaluateConstant(vector);
  else if (DenseElementsAttr along = initAlongAxis(init, *axis))
    numbers = llvm::map_to_vector(along.getValues<float>(), [](float number) {
      return static_cast<double>(number);
    });
  if (!numbers)
    return;
  SmallVector<float> bias(channels);
  for (int64_t k = 0; k < channels; ++k) {
    bias[k] =
        static_cast<float>(total.slope[k] * (*numbers)[k] + total.offset[k]);
    if (!std::isfinite(bias[k]))
      return;
  }
  DenseElementsAttr product;
  if (!keepsWeights) {
    std::optional<SmallVector<double>> weights =
        evaluateConstant(weightUse->get());
    if (weights)
      product = scaled(weightType, *weights, total.slope, *weightAxis);
    if (!product)
      return;
  }

  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  Value started;
  if (llvm::any_of(bias, [](float number) { return number != 0; }) ||
      llvm::any_of(*numbers, [](double number) { return number != 0; })) {
    Value vector = arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(
            RankedTensorType::get({channels}, type.getElementType()),
            ArrayRef<float>(bias)));
    started = broadcastAlongAxis(rewriter, loc, vector, type, *axis);
  }
  rewriter.modifyOpInPlace(op, [&] {
    if (started)
      initUse->set(started);
    if (product)
      weightUse->set(arith::ConstantOp::create(rewriter, loc, product));
  });
  for (Step &step : steps) {
    if (step.isWhole()) {
      rewriter.replaceAllUsesWith(step.op->getResult(0), sum);
      continue;
    }
    // The body goes on from the value; what led there is dead.
    rewriter.modifyOpInPlace(step.op, [&] {
      rewriter.replaceAllUsesWith(step.value,
                                  step.op.getMatchingBlockArgument(step.chain));
      step.chain->set(sum);
    });
    SmallVector<Operation *> body =
        llvm::map_to_vector(step.op.getBlock()->without_terminator(),
                            [](Operation &inner) { return &inner; });
    for (Operation *inner : llvm::reverse(body))
      if (isOpTriviallyDead(inner))
        rewriter.eraseOp(inner);
  }
  for (Step &step : llvm::reverse(steps))
    if (step.isWhole())
      rewriter.eraseOp(step.op);
}
