//===- ResidualMatch.cpp - Sums of two tensors as layers ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A residual connection adds a tensor to what a layer has read out. To the
// accelerator that is a depthwise layer with one tap of weight 1 whose sums
// start from the residual: so it can end a fusion group, and the result of the
// layer before never goes to DRAM.
//
//===----------------------------------------------------------------------===//

#include "TailMatch.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fadiff;

bool fadiff::isResidualSum(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() != 0 || !op.hasPureTensorSemantics())
    return false;
  for (OpOperand &operand : op->getOpOperands())
    if (!op.getMatchingIndexingMap(&operand).isIdentity())
      return false;
  Block *body = op.getBlock();
  auto isArgument = [&](Value value, unsigned argument) {
    return value == body->getArgument(argument) && value.getType().isF32();
  };
  if (auto real =
          body->getTerminator()->getOperand(0).getDefiningOp<arith::AddFOp>())
    return (isArgument(real.getLhs(), 0) && isArgument(real.getRhs(), 1)) ||
           (isArgument(real.getLhs(), 1) && isArgument(real.getRhs(), 0));
  auto sum =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddIOp>();
  if (!sum || !sum.getType().isInteger(32) ||
      llvm::range_size(body->without_terminator()) != 3)
    return false;
  auto widens = [&](Value value, unsigned argument) {
    auto cast = value.getDefiningOp<arith::ExtSIOp>();
    return cast && cast.getIn() == body->getArgument(argument) &&
           cast.getIn().getType().isInteger(8);
  };
  return (widens(sum.getLhs(), 0) && widens(sum.getRhs(), 1)) ||
         (widens(sum.getLhs(), 1) && widens(sum.getRhs(), 0));
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

FailureOr<LayerMatch> fadiff::matchResidual(linalg::LinalgOp op,
                                            std::string &reason) {
  Value input = op->getOperand(0), residual = op->getOperand(1);
  if (chainLength(residual) > chainLength(input))
    std::swap(input, residual);
  auto producer = input.getDefiningOp<ir::LayerOp>();
  if (!producer || !input.hasOneUse()) {
    reason = "no summand is read by it alone and comes from a layer";
    return failure();
  }
  StringRef from = producer.getWorkload().getOutputLayout();
  const char channel = from.contains('K') ? 'K' : 'G';
  auto type = cast<RankedTensorType>(input.getType());
  if (from.count('G') + from.count('K') != 1 || from.back() != channel ||
      type.getShape().back() < 2) {
    reason = ("the summand of layout '" + from +
              "' has no one axis of channels, last and of two or more")
                 .str();
    return failure();
  }

  LayerMatch match;
  match.contraction = op;
  match.ops.push_back(op);
  match.bias = residual;
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

  Tail tail = matchTail(op->getResult(0), match.channelAxis, /*bias=*/{});
  if (tail.bias || !tail.scale) {
    reason = "its sums are not read out to int8";
    return failure();
  }
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
      tail.relu, ir::MaxPoolAttr());
  return match;
}
