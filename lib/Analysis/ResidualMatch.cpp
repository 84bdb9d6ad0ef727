//===- ResidualMatch.cpp - Sums of two tensors as layers ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A residual connection adds a tensor to what a layer has read out. To the
// accelerator that is a depthwise layer with one tap whose sums start from the
// residual: so it can end a fusion group, and the result of the layer before
// never goes to DRAM. The tap is 1, and the residual is added as it is, unless
// the two have scales of their own.
//
//===----------------------------------------------------------------------===//

#include "TailMatch.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

namespace {
/// One side of an int8 sum.
struct Summand {
  unsigned argument = 0;
  int64_t weight = 1;
  std::optional<APFloat> scale;
};
} // namespace

/// The operand of `value` if it is a `ClampT` at constant `bound`.
template <typename ClampT> static Value clampedAt(Value value, double bound) {
  auto clamp = value.getDefiningOp<ClampT>();
  APFloat found(0.0f);
  return clamp && matchPattern(clamp.getRhs(), m_ConstantFloat(&found)) &&
                 found.convertToDouble() == bound
             ? clamp.getLhs()
             : Value();
}

/// What a residual is before it was multiplied by `scale`, rounded and
/// saturated to int8, as loads do; null if `value` is something else.
static Value beforeScale(Value value, std::optional<APFloat> &scale) {
  auto byte = value.getDefiningOp<arith::FPToSIOp>();
  if (!byte)
    return {};
  Value real = clampedAt<arith::MinimumFOp>(byte.getIn(), 127);
  if (real)
    real = clampedAt<arith::MaximumFOp>(real, -128);
  auto round = real ? real.getDefiningOp<math::RoundEvenOp>() : nullptr;
  auto product =
      round ? round.getOperand().getDefiningOp<arith::MulFOp>() : nullptr;
  auto cast =
      product ? product.getLhs().getDefiningOp<arith::SIToFPOp>() : nullptr;
  APFloat factor(0.0f);
  if (!cast || !product.getType().isF32() ||
      !matchPattern(product.getRhs(), m_ConstantFloat(&factor)) ||
      !factor.isFinite() || factor.isNegative() || factor.isZero())
    return {};
  scale = factor;
  return cast.getIn();
}

/// An int8 block argument of `body`, widened, times a weight or scaled before.
static std::optional<Summand> matchSummand(Value value, Block *body) {
  Summand summand;
  if (auto product = value.getDefiningOp<arith::MulIOp>()) {
    APInt weight;
    if (!matchPattern(product.getRhs(), m_ConstantInt(&weight)) ||
        !weight.isSignedIntN(8))
      return std::nullopt;
    summand.weight = weight.getSExtValue();
    value = product.getLhs();
  }
  auto widened = value.getDefiningOp<arith::ExtSIOp>();
  if (!widened || !widened.getIn().getType().isInteger(8))
    return std::nullopt;
  Value byte = widened.getIn();
  if (Value source = beforeScale(byte, summand.scale))
    byte = source;
  auto argument = dyn_cast<BlockArgument>(byte);
  if (!argument || argument.getOwner() != body ||
      !argument.getType().isInteger(8) || argument.getArgNumber() > 1 ||
      (summand.scale && summand.weight != 1))
    return std::nullopt;
  summand.argument = argument.getArgNumber();
  return summand;
}

/// What is added up to `value`, an int32.
static bool collectSummands(Value value, Block *body,
                            SmallVectorImpl<Summand> &summands) {
  if (auto sum = value.getDefiningOp<arith::AddIOp>())
    return sum.getType().isInteger(32) &&
           collectSummands(sum.getLhs(), body, summands) &&
           collectSummands(sum.getRhs(), body, summands);
  std::optional<Summand> summand = matchSummand(value, body);
  if (summand && summands.size() < 3)
    summands.push_back(*summand);
  return summand.has_value();
}

std::optional<ResidualSum> fadiff::matchResidualSum(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0 || !op.hasPureTensorSemantics())
    return std::nullopt;
  for (OpOperand &operand : op->getOpOperands())
    if (!op.getMatchingIndexingMap(&operand).isIdentity())
      return std::nullopt;
  Block *body = op.getBlock();
  Value yielded = body->getTerminator()->getOperand(0);
  auto isReal = [&](Value value, unsigned argument) {
    return value == body->getArgument(argument) && value.getType().isF32();
  };
  if (auto sum = yielded.getDefiningOp<arith::AddFOp>()) {
    if ((isReal(sum.getLhs(), 0) && isReal(sum.getRhs(), 1)) ||
        (isReal(sum.getLhs(), 1) && isReal(sum.getRhs(), 0)))
      return ResidualSum();
    return std::nullopt;
  }
  SmallVector<Summand, 3> summands;
  if (!yielded.getDefiningOp<arith::AddIOp>() ||
      !collectSummands(yielded, body, summands))
    return std::nullopt;
  // The residual is the one that is scaled, if either is.
  ResidualSum sum;
  auto scaled = llvm::find_if(summands, [](const Summand &summand) {
    return summand.scale.has_value();
  });
  if (scaled != summands.end()) {
    sum.scale = scaled->scale;
    sum.residual = scaled->argument;
    summands.erase(scaled);
    auto whole = llvm::find_if(summands, [&](const Summand &summand) {
      return summand.argument == sum.residual;
    });
    if (whole != summands.end()) {
      sum.whole = whole->weight;
      summands.erase(whole);
    }
  } else {
    auto plain = llvm::find_if(
        summands, [](const Summand &summand) { return summand.weight == 1; });
    if (plain == summands.end())
      return std::nullopt;
    // With two of weight 1 the second.
    if (summands.back().weight == 1)
      plain = std::prev(summands.end());
    sum.residual = plain->argument;
    summands.erase(plain);
  }
  if (summands.size() != 1 || summands[0].scale ||
      summands[0].argument == sum.residual || sum.whole < 0 ||
      sum.whole >= kMaxResidualLoads)
    return std::nullopt;
  sum.input = summands[0].argument;
  sum.weight = summands[0].weight;
  return sum;
}

bool fadiff::isReadOutSum(linalg::LinalgOp op) {
  if (!matchResidualSum(op))
    return false;
  Value sums = op->getResult(0);
  auto type = cast<RankedTensorType>(sums.getType());
  return type.getElementType().isInteger(32) && type.getRank() > 0 &&
         matchTail(sums, type.getRank() - 1, /*bias=*/{}).scale.has_value();
}

/// Layers that could be fused up to `value`: it and what they read have one
/// reader each.
static unsigned chainLength(Value value) {
  unsigned length = 0;
  for (auto layer = value.getDefiningOp<ir::LayerOp>();
       layer && value.hasOneUse(); layer = value.getDefiningOp<ir::LayerOp>()) {
    ++length;
    value = layer.getInput();
  }
  return length;
}

bool fadiff::isWorthALayer(Value tensor) {
  constexpr int64_t kLeastBytes = 4096;
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.hasStaticShape() && type.getNumElements() >= kLeastBytes;
}

/// The layout of sums that are layers by themselves, or its end.
static constexpr StringLiteral kSumLayout = "NPQG";

/// Whether `layout` has one axis of channels, the last one.
static bool hasChannelsLast(StringRef layout) {
  return layout.count('G') + layout.count('K') == 1 &&
         (layout.back() == 'G' || layout.back() == 'K');
}

FailureOr<LayerMatch> fadiff::matchResidual(linalg::LinalgOp op,
                                            ResidualSum &sum,
                                            std::string &reason,
                                            const ReadOutFeatures &readOut) {
  if (sum.isSymmetric() && chainLength(op->getOperand(sum.residual)) >
                               chainLength(op->getOperand(sum.input)))
    std::swap(sum.input, sum.residual);
  Value input = op->getOperand(sum.input);
  auto type = cast<RankedTensorType>(input.getType());
  // That of the layer that makes the summand, or one of a layer by itself.
  std::string layout;
  if (auto producer = input.getDefiningOp<ir::LayerOp>();
      producer && input.hasOneUse())
    layout = producer.getWorkload().getOutputLayout().str();
  else
    reason = "no summand is read by it alone and comes from a layer";
  const bool isAlone = type.getElementType().isInteger(8) &&
                       isWorthALayer(input) &&
                       type.getRank() <= int64_t(kSumLayout.size());
  if (!layout.empty() && !hasChannelsLast(layout))
    reason = "the summand of layout '" + layout +
             "' has no one axis of channels, last and of two or more";
  if (!hasChannelsLast(layout)) {
    if (!isAlone)
      return failure();
    layout = kSumLayout.take_back(type.getRank()).str();
  }
  if (type.getRank() == 0 || type.getShape().back() < 2) {
    reason = "the summand of layout '" + layout +
             "' has no one axis of channels, last and of two or more";
    return failure();
  }
  const StringRef from = layout;
  const char channel = from.contains('K') ? 'K' : 'G';

  LayerMatch match;
  match.contraction = op;
  match.ops.push_back(op);
  match.residual = op->getOperand(sum.residual);
  PerDim<int64_t> dims(1);
  for (auto [axis, letter] : llvm::enumerate(from)) {
    const bool isChannel = letter == channel;
    const char out = isChannel ? 'G' : letter;
    match.output.layout += out;
    match.input.layout += out == 'P' ? 'H' : out == 'Q' ? 'W' : out;
    dims[*parseDim(std::string_view(&out, 1))] = type.getDimSize(axis);
  }
  match.weights.layout = "RSG";
  match.input.value = input;
  match.channelAxis = type.getRank() - 1;

  ReadOutFeatures ofTail = readOut;
  ofTail.perChannel = false;
  Tail tail =
      matchTail(op->getResult(0), match.channelAxis, /*bias=*/{}, ofTail);
  if (!tail.scale) {
    reason = "its sums are not read out to int8";
    return failure();
  }
  match.bias = tail.bias;
  match.tailEnd = tail.end;
  match.tailEndsAt = tail.endsAt;
  match.ops.append(tail.ops);
  match.output.value = tail.result;

  MLIRContext *context = op.getContext();
  SmallVector<int64_t> bounds;
  for (Dim dim : kAllDims)
    bounds.push_back(dims[dim]);
  match.workload = ir::WorkloadAttr::get(
      context, bounds, {1, 1}, {1, 1}, {0, 0}, {dims[Dim::P], dims[Dim::Q]},
      /*padValue=*/0, match.input.layout, match.weights.layout,
      match.output.layout);
  match.epilogue = ir::EpilogueAttr::get(
      context, FloatAttr::get(Float32Type::get(context), *tail.scale),
      tail.relu, tail.zeroPoint, tail.low, tail.high, ir::MaxPoolAttr(),
      sum.scale ? FloatAttr::get(Float32Type::get(context), *sum.scale)
                : FloatAttr(),
      sum.whole);
  return match;
}
