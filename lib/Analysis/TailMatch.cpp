//===- TailMatch.cpp - The elementwise tail of a contraction --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accelerator's read-out computes
//   sum + bias -> f32 -> * scale -> round half to even -> saturate to int8 ->
//   relu
// or, of an array that works in f32, (sum + bias) * scale -> relu. Where it can
// do more, scale is a vector over the channels, + zero point follows the
// rounding, and int8 may have narrower bounds.
// A front end spells that in many ways; the matcher runs a small state machine
// over the scalar operations and accepts any order that is provably the same.
//
//===----------------------------------------------------------------------===//

#include "TailMatch.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace fadiff;

Value fadiff::matchBroadcast(Value value, unsigned axis,
                             SmallVectorImpl<Operation *> &ops) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0)
    return {};
  OpOperand *source = op.getDpsInputOperand(0);
  auto type = dyn_cast<RankedTensorType>(source->get().getType());
  AffineMap in = op.getMatchingIndexingMap(source);
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  Block *body = op.getBlock();
  auto yielded = dyn_cast<BlockArgument>(body->getTerminator()->getOperand(0));
  if (!type || type.getRank() != 1 || !out.isPermutation() || !yielded ||
      yielded != op.getMatchingBlockArgument(source) ||
      axis >= out.getNumResults() || in.getResult(0) != out.getResult(axis))
    return {};
  ops.push_back(op);
  return source->get();
}

namespace {
/// How far through the read-out the value is.
enum class Step { Sum, Real, Rounded, Integer, Int8 };

struct State {
  /// The sum is f32, and what is read out is, too.
  bool real = false;
  Step step = Step::Sum;
  Value bias;
  std::optional<APFloat> scale;
  DenseFPElementsAttr scales; ///< of channels, in its place
  double zeroPoint = 0;
  bool relu = false;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  /// The accelerator can stop here: an int32 sum, or a saturated int8, or
  /// anywhere in f32.
  bool isReadOut() const {
    return real || step == Step::Int8 || (step == Step::Sum && !relu);
  }

  /// A lower bound at the zero point is what sums below zero are read as.
  bool hasRelu() const { return relu || (low == zeroPoint && low != -128); }
  /// Bounds beside ReLU.
  double lowBound() const { return low == zeroPoint ? -128 : low; }
  /// Whether a read-out can clamp to the bounds so far.
  bool canClamp(const ReadOutFeatures &readOut) const {
    return lowBound() >= -128 && high <= 127 && lowBound() <= high &&
           (readOut.clamp || (lowBound() == -128 && high == 127));
  }
};

/// Interprets the scalar body of one elementwise op.
class BodyMatcher {
public:
  BodyMatcher(State &state, linalg::LinalgOp op, Value chain,
              BlockArgument biasArg, Value bias, const ReadOutFeatures &readOut)
      : state(state), op(op), biasArg(biasArg), bias(bias), readOut(readOut) {
    current = op.getMatchingBlockArgument(
        llvm::find_if(op->getOpOperands(),
                      [&](OpOperand &use) { return use.get() == chain; }));
  }

  bool run(std::string &reason) {
    for (Operation &inner : op.getBlock()->without_terminator()) {
      if (inner.hasTrait<OpTrait::ConstantLike>())
        continue;
      if (comparesWithZero(&inner)) {
        isPositive = inner.getResult(0);
        continue;
      }
      if (!llvm::is_contained(inner.getOperands(), current) ||
          inner.getNumResults() != 1 || !step(&inner)) {
        reason =
            ("'" + inner.getName().getStringRef() +
             "' is not part of the read-out sum + bias, * scale, " +
             (state.real ? "relu" : "round to even, saturate to int8, relu") +
             " at this point")
                .str();
        return false;
      }
      current = inner.getResult(0);
    }
    if (op.getBlock()->getTerminator()->getOperand(0) == current)
      return true;
    reason = "it does not yield what it computes from the sum";
    return false;
  }

private:
  /// current > 0, of f32; greater or equal makes the same maximum.
  bool comparesWithZero(Operation *inner) const {
    auto compare = dyn_cast<arith::CmpFOp>(inner);
    return compare && state.real && compare.getLhs() == current &&
           matchPattern(compare.getRhs(), m_AnyZeroFloat()) &&
           llvm::is_contained(
               {arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE,
                arith::CmpFPredicate::UGT, arith::CmpFPredicate::UGE},
               compare.getPredicate());
  }

  /// A step in f32, where the sum is added to, scaled and clamped as it is.
  bool realStep(Operation *inner) {
    if (auto select = dyn_cast<arith::SelectOp>(inner)) {
      if (!isPositive || select.getCondition() != isPositive ||
          select.getTrueValue() != current ||
          !matchPattern(select.getFalseValue(), m_AnyZeroFloat()))
        return false;
      state.relu = true;
      return true;
    }
    if (isa<arith::AddFOp>(inner)) {
      if (state.bias || state.scale || state.relu || !biasArg ||
          other(inner) != biasArg)
        return false;
      state.bias = bias;
      return true;
    }
    return isa<arith::MulFOp>(inner) && scaleStep(inner);
  }

  /// A product with a positive constant, the first one.
  bool scaleStep(Operation *product) {
    APFloat scale(0.0f);
    if (isScaled() || !matchPattern(other(product), m_ConstantFloat(&scale)) ||
        !scale.isFinite() || scale.isNegative() || scale.isZero())
      return false;
    state.scale = scale;
    return true;
  }

  /// A product with positive constants, one per output channel.
  bool scalesStep(Operation *product) {
    DenseFPElementsAttr scales;
    if (!readOut.perChannel || state.scale || state.scales || !biasArg ||
        other(product) != biasArg || !matchPattern(bias, m_Constant(&scales)) ||
        !scales.getElementType().isF32() ||
        !llvm::all_of(scales.getValues<APFloat>(), [](const APFloat &scale) {
          return scale.isFinite() && !scale.isNegative() && !scale.isZero();
        }))
      return false;
    state.scales = scales;
    return true;
  }

  /// A sum with an integer constant, before any clamp.
  bool zeroPointStep(Operation *sum) {
    std::optional<double> addend = otherConstant(sum);
    if (!readOut.zeroPoint || !addend || *addend != std::floor(*addend) ||
        *addend < -128 || *addend > 127 || state.zeroPoint != 0 ||
        std::isfinite(state.low) || std::isfinite(state.high))
      return false;
    state.zeroPoint = *addend;
    return true;
  }

  /// max(., 0), or a clamp that changes no finite value.
  bool realClamp(double bound, bool isMax) {
    constexpr double kLargest = std::numeric_limits<float>::max();
    if (isMax ? bound <= -kLargest : bound >= kLargest)
      return true;
    state.relu |= isMax && bound == 0;
    return isMax && bound == 0;
  }

  Value other(Operation *inner) const {
    return inner->getOperand(0) == current ? inner->getOperand(1)
                                           : inner->getOperand(0);
  }
  std::optional<double> otherConstant(Operation *inner) const {
    APFloat real(0.0);
    if (matchPattern(other(inner), m_ConstantFloat(&real)))
      return real.convertToDouble();
    APInt integer;
    if (matchPattern(other(inner), m_ConstantInt(&integer)))
      return static_cast<double>(integer.getSExtValue());
    return std::nullopt;
  }

  /// max(., c) / min(., c). Rounding is monotone and leaves integers alone, so
  /// a clamp at an integer may stand before or after it.
  bool clamp(Operation *inner, bool isMax) {
    std::optional<double> bound = otherConstant(inner);
    if (bound && state.real)
      return realClamp(*bound, isMax);
    if (!bound || *bound != std::floor(*bound))
      return false;
    if (state.step == Step::Sum) {
      // max(sum, 0) and a positive scale commute.
      if (!isMax || *bound != 0)
        return false;
      state.relu = true;
      return true;
    }
    if (state.step == Step::Int8) {
      bind(*bound, isMax);
      return state.canClamp(readOut);
    }
    if (state.step == Step::Real && !isScaled() && !(isMax && *bound == 0))
      return false;
    bind(*bound, isMax);
    return true;
  }

  bool isScaled() const { return state.scale || state.scales; }

  void bind(double bound, bool isMax) {
    auto pick = [&](double value) {
      return isMax ? std::max(value, bound) : std::min(value, bound);
    };
    state.low = pick(state.low);
    state.high = pick(state.high);
  }

  /// The clamps so far make int8's range, its part from the zero point on, or
  /// what else the read-out can clamp to.
  bool saturates() {
    if (!state.canClamp(readOut))
      return false;
    state.step = Step::Int8;
    return true;
  }

  bool step(Operation *inner) {
    if (isa<arith::MaxSIOp, arith::MaximumFOp, arith::MaxNumFOp>(inner))
      return clamp(inner, /*isMax=*/true);
    if (isa<arith::MinSIOp, arith::MinimumFOp, arith::MinNumFOp>(inner))
      return clamp(inner, /*isMax=*/false);
    if (state.real)
      return realStep(inner);
    switch (state.step) {
    case Step::Sum:
      if (isa<arith::AddIOp>(inner)) {
        if (state.bias || state.relu || !biasArg || other(inner) != biasArg)
          return false;
        state.bias = bias;
        return true;
      }
      if (isa<arith::SIToFPOp>(inner) &&
          inner->getResult(0).getType().isF32()) {
        state.step = Step::Real;
        return true;
      }
      return false;
    case Step::Real:
      if (isa<arith::MulFOp>(inner))
        return scaleStep(inner) || scalesStep(inner);
      if (isa<math::RoundEvenOp>(inner)) {
        state.step = Step::Rounded;
        return true;
      }
      return false;
    case Step::Rounded:
      if (isa<arith::AddFOp>(inner))
        return zeroPointStep(inner);
      if (!isa<arith::FPToSIOp>(inner))
        return false;
      if (inner->getResult(0).getType().isInteger(8))
        return saturates();
      state.step = Step::Integer;
      return inner->getResult(0).getType().isInteger(32);
    case Step::Integer:
      return isa<arith::TruncIOp>(inner) &&
             inner->getResult(0).getType().isInteger(8) && saturates();
    case Step::Int8:
      return false;
    }
    return false;
  }

  State &state;
  linalg::LinalgOp op;
  BlockArgument biasArg;
  Value bias;
  ReadOutFeatures readOut;
  Value current;
  Value isPositive; ///< i1, of `current`
};
} // namespace

bool fadiff::isElementwiseOn(linalg::LinalgOp op, Value chain,
                             OpOperand *&extra, std::string &reason) {
  extra = nullptr;
  if (op.getNumReductionLoops() != 0 || op.getNumDpsInits() != 1 ||
      op->getNumResults() != 1) {
    reason = "it is not elementwise";
    return false;
  }
  AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() == chain) {
      if (op.getMatchingIndexingMap(&operand) != out || !out.isPermutation()) {
        reason = "it permutes or broadcasts the sum";
        return false;
      }
    } else if (op.payloadUsesValueFromOperand(&operand)) {
      if (extra) {
        reason = "it reads more than one other tensor";
        return false;
      }
      extra = &operand;
    }
  }
  return true;
}

Tail fadiff::matchTail(Value sum, unsigned channelAxis, Value bias,
                       const ReadOutFeatures &readOut) {
  Tail tail;
  tail.bias = bias;
  tail.result = sum;
  State state;
  state.bias = bias;
  state.real = cast<ShapedType>(sum.getType()).getElementType().isF32();
  // In f32 there is a scale in any case, if only to have a ReLU behind it.
  if (state.real)
    tail.scale = APFloat(1.0f);
  SmallVector<Operation *> pending;
  Value chain = sum;
  auto endsBecause = [&](Operation *at, const std::string &reason) {
    tail.end = reason;
    tail.endsAt = at;
  };
  while (chain.hasOneUse()) {
    Operation *user = *chain.user_begin();
    auto op = dyn_cast<linalg::LinalgOp>(user);
    std::string reason;
    OpOperand *extra;
    if (!op || user->getBlock() != sum.getDefiningOp()->getBlock())
      break;
    if (!isElementwiseOn(op, chain, extra, reason)) {
      endsBecause(user, reason);
      break;
    }
    // The other operand may be the bias, read per channel or broadcast before.
    Value extraBias;
    BlockArgument biasArg;
    if (extra) {
      AffineMap map = op.getMatchingIndexingMap(extra);
      AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
      auto type = dyn_cast<RankedTensorType>(extra->get().getType());
      // A single channel need not have an axis.
      if (type && type.getRank() == 1 &&
          (channelAxis < out.getNumResults()
               ? map.getResult(0) == out.getResult(channelAxis)
               : type.getDimSize(0) == 1))
        extraBias = extra->get();
      else if (map == out)
        extraBias = matchBroadcast(extra->get(), channelAxis, pending);
      if (!extraBias) {
        endsBecause(user, "it reads a second tensor that is not a bias per "
                          "output channel");
        break;
      }
      biasArg = op.getMatchingBlockArgument(extra);
    }
    State next = state;
    if (!BodyMatcher(next, op, chain, biasArg, extraBias, readOut)
             .run(reason)) {
      endsBecause(user, reason);
      break;
    }
    state = next;
    pending.push_back(user);
    chain = user->getResult(0);
    if (state.isReadOut()) {
      tail.ops.append(pending);
      pending.clear();
      tail.result = chain;
      tail.bias = state.bias;
      tail.relu = state.relu;
      if (state.step == Step::Int8 || state.scale)
        tail.scale = state.scale ? *state.scale : APFloat(1.0f);
      if (state.step == Step::Int8) {
        tail.relu = state.hasRelu();
        tail.scales = state.scales;
        tail.zeroPoint = static_cast<int64_t>(state.zeroPoint);
        tail.low = static_cast<int64_t>(state.lowBound());
        tail.high = static_cast<int64_t>(state.high);
      }
    }
  }
  if (tail.end.empty() && !state.real && state.step != Step::Int8 &&
      !chain.use_empty() && !chain.hasOneUse())
    tail.end = "the value there has more than one reader";
  if (tail.end.empty() && !pending.empty()) {
    tail.isReal = isa<FloatType>(getElementTypeOrSelf(chain.getType()));
    tail.end = tail.isReal ? "its result is a float, and the accelerator "
                             "writes int8 or the sums in int32"
                           : "what follows is no whole read-out to int8";
  }
  return tail;
}
