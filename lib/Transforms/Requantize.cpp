//===- Requantize.cpp - Integer requantisation to the read-out ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "fadiff/Analysis/ReadOut.h"
#include "fadiff/Analysis/ScalarFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

#include <limits>

using namespace mlir;
using namespace fadiff;

namespace {
/// Sums that can occur, inclusive.
struct SumRange {
  int64_t low = 0, high = 0;
};
} // namespace

static constexpr SumRange kAnySum{std::numeric_limits<int32_t>::min(),
                                  std::numeric_limits<int32_t>::max()};

/// What the sums of each channel can be: products with the least and largest
/// int8, or with the weights if those are constant, plus a constant bias. A sum
/// that may wrap can be anything.
static SmallVector<SumRange> sumRanges(const LayerMatch &match,
                                       int64_t channels) {
  SmallVector<SumRange> ranges(channels);
  ArrayRef<int64_t> dims = match.workload.getDims();
  auto extent = [&](Dim dim) { return dims[static_cast<size_t>(dim)]; };
  DenseIntElementsAttr weights, bias;
  char axis = '?';
  if (match.channelAxis < match.output.layout.size())
    axis = match.output.layout[match.channelAxis];
  if (matchPattern(match.weights.value, m_Constant(&weights)) &&
      !weights.isSplat()) {
    // Groups beside channels: the widest of them counts for all.
    const bool areJoined = match.output.joinsGroups;
    int64_t groups = axis == 'K' && !areJoined ? extent(Dim::G) : 1;
    SmallVector<SumRange> each(channels * groups);
    ArrayRef<int64_t> shape = weights.getType().getShape();
    SmallVector<int64_t> index(shape.size(), 0);
    for (const APInt &value : weights.getValues<APInt>()) {
      int64_t channel = 0, group = 0;
      for (auto [i, letter] : llvm::zip(index, match.weights.layout)) {
        if (letter == axis)
          channel = i;
        else if (letter == 'G' && axis == 'K')
          group = i;
      }
      if (areJoined)
        channel += std::exchange(group, 0) * extent(Dim::K);
      int64_t w = value.getSExtValue();
      SumRange &range = each[channel * groups + group];
      range.low += std::min(w * -128, w * 127);
      range.high += std::max(w * -128, w * 127);
      for (size_t i = shape.size(); i-- > 0;) {
        if (++index[i] < shape[i])
          break;
        index[i] = 0;
      }
    }
    for (auto [i, range] : llvm::enumerate(each)) {
      SumRange &joined = ranges[i / groups];
      joined = {std::min(joined.low, range.low),
                std::max(joined.high, range.high)};
    }
  } else {
    // Of more than that the sums may wrap in any case.
    int64_t products = std::min(
        extent(Dim::C) * extent(Dim::R) * extent(Dim::S), int64_t(1) << 32);
    for (SumRange &range : ranges)
      range = {products * -128 * 127, products * 128 * 128};
  }
  if (match.residual)
    return SmallVector<SumRange>(channels, kAnySum);
  if (match.bias) {
    if (!matchPattern(match.bias, m_Constant(&bias)) ||
        bias.getNumElements() != channels)
      return SmallVector<SumRange>(channels, kAnySum);
    for (auto [range, value] : llvm::zip(ranges, bias.getValues<int32_t>()))
      range = {range.low + value, range.high + value};
  }
  for (SumRange &range : ranges)
    if (range.low < kAnySum.low || range.high > kAnySum.high)
      range = kAnySum;
  return ranges;
}

/// The operations behind `sum` up to an int8 tensor, and what they compute.
namespace {
struct Candidate {
  ScalarFunction function;
  SmallVector<linalg::LinalgOp> ops;
};
} // namespace

/// All ways to stop at int8, the longest last. `stopped` says why the longest
/// is not longer.
static SmallVector<Candidate> findCandidates(const LayerMatch &match,
                                             std::string &stopped) {
  SmallVector<Candidate> candidates;
  Candidate current;
  Value chain = match.output.value;
  while (chain.hasOneUse()) {
    auto op = dyn_cast<linalg::LinalgOp>(*chain.user_begin());
    if (!op || op->getBlock() != match.contraction->getBlock() ||
        op.getNumReductionLoops() != 0 || op.getNumDpsInits() != 1 ||
        op->getNumResults() != 1)
      break;
    // Constants are no second tensor to the function, so only a wrong map ends
    // the chain here.
    AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    bool straight = llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      return operand.get() != chain ||
             op.getMatchingIndexingMap(&operand) == out;
    });
    if (!straight || !out.isIdentity()) {
      stopped = "it permutes or broadcasts the sum";
      break;
    }
    if (failed(current.function.append(op, chain, match.channelAxis, stopped)))
      break;
    current.ops.push_back(op);
    chain = op->getResult(0);
    if (current.function.resultWidth() == 8)
      candidates.push_back(current);
  }
  return candidates;
}

/// The channels of a candidate, merged if they share one function.
static FailureOr<SmallVector<RequantisedChannel>>
channelsOf(const Candidate &candidate, ArrayRef<SumRange> ranges,
           std::string &reason) {
  SmallVector<SumRange> distinct;
  if (candidate.function.differsPerChannel()) {
    distinct.assign(ranges.begin(), ranges.end());
  } else {
    distinct.push_back(ranges.front());
    for (const SumRange &range : ranges)
      distinct[0] = {std::min(distinct[0].low, range.low),
                     std::max(distinct[0].high, range.high)};
  }
  SmallVector<RequantisedChannel> channels;
  for (auto [index, range] : llvm::enumerate(distinct)) {
    unsigned channel = index;
    if (!candidate.function.isMonotone(range.low, range.high, channel, reason))
      return failure();
    channels.push_back({[&candidate, channel](int64_t sum) {
                          return candidate.function.evaluate(sum, channel);
                        },
                        range.low, range.high});
  }
  return channels;
}

/// Whether something else reads the bias as it is broadcast for this layer.
static bool isBiasShared(const LayerMatch &match) {
  return llvm::any_of(match.ops, [&](Operation *op) {
    return llvm::is_contained(op->getOperands(), match.bias) &&
           !op->getResult(0).hasOneUse();
  });
}

/// The bias with `offset` on every channel, in place of the old one.
static void shiftBias(RewriterBase &rewriter, LayerMatch &match,
                      int64_t channels, int64_t offset, Location loc) {
  OpBuilder::InsertionGuard guard(rewriter);
  Operation *first = match.bias.getDefiningOp();
  if (first)
    rewriter.setInsertionPointAfter(first);
  else
    rewriter.setInsertionPointToStart(match.bias.getParentBlock());
  auto type = RankedTensorType::get({channels}, rewriter.getI32Type());
  Value shift = arith::ConstantOp::create(
      rewriter, loc,
      DenseIntElementsAttr::get(type, static_cast<int32_t>(offset)));
  Value shifted = addVectors(rewriter, loc, match.bias, shift);
  for (Operation *op : match.ops)
    rewriter.modifyOpInPlace(
        op, [&] { op->replaceUsesOfWith(match.bias, shifted); });
}

/// The read-out in the spelling that layers are formed from.
static Value buildReadOut(RewriterBase &rewriter, Location loc,
                          const LayerMatch &match, const ReadOutFit &fit,
                          int64_t channels) {
  const ReadOut &readOut = fit.readOut;
  Value sum = match.output.value;
  auto type = cast<RankedTensorType>(sum.getType());
  unsigned rank = type.getRank();
  SmallVector<Value> inputs{sum};
  AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps{identity};
  auto addVector = [&](DenseElementsAttr vector) {
    inputs.push_back(arith::ConstantOp::create(rewriter, loc, vector));
    // A single channel need not have an axis.
    maps.push_back(AffineMap::get(
        rank, 0,
        match.channelAxis < rank ? rewriter.getAffineDimExpr(match.channelAxis)
                                 : rewriter.getAffineConstantExpr(0)));
  };
  auto vectorOf = [&](Type element) {
    return RankedTensorType::get({channels}, element);
  };
  // One of them at most: only one function for all channels has an offset.
  bool addsOffset = readOut.offset != 0 && !match.bias;
  if (addsOffset)
    addVector(DenseIntElementsAttr::get(vectorOf(rewriter.getI32Type()),
                                        static_cast<int32_t>(readOut.offset)));
  if (!fit.scales.empty())
    addVector(DenseFPElementsAttr::get(vectorOf(rewriter.getF32Type()),
                                       ArrayRef<float>(fit.scales)));
  maps.push_back(identity);
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        rewriter.getI8Type());
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, loc, empty.getType(), inputs, ValueRange{empty}, maps,
             iterators,
             [&](OpBuilder &b, Location l, ValueRange args) {
               auto constant = [&](float value) -> Value {
                 return arith::ConstantOp::create(b, l,
                                                  b.getF32FloatAttr(value));
               };
               Value value = args[0];
               if (addsOffset)
                 value = arith::AddIOp::create(b, l, value, args[1]);
               value = arith::SIToFPOp::create(b, l, b.getF32Type(), value);
               value = arith::MulFOp::create(
                   b, l, value,
                   fit.scales.empty() ? constant(readOut.scale) : args[1]);
               value = math::RoundEvenOp::create(b, l, value);
               if (readOut.zeroPoint != 0)
                 value = arith::AddFOp::create(b, l, value,
                                               constant(readOut.zeroPoint));
               const int64_t low =
                   readOut.relu ? std::max(readOut.low, readOut.zeroPoint)
                                : readOut.low;
               value = arith::MaximumFOp::create(b, l, value, constant(low));
               value = arith::MinimumFOp::create(b, l, value,
                                                 constant(readOut.high));
               value = arith::FPToSIOp::create(b, l, b.getI8Type(), value);
               linalg::YieldOp::create(b, l, value);
             })
      ->getResult(0);
}

/// Says why `ops`, from sum to int8, stay on the host.
static void missed(ArrayRef<linalg::LinalgOp> ops, const Twine &why,
                   const std::string &detail = "",
                   const std::string &remedy = "") {
  std::string text = ("the sums are requantised on the host: " + why).str();
  for (linalg::LinalgOp op : ops)
    noteOnHost(op, {text, remedy, detail});
  if (!detail.empty())
    text += "; " + detail;
  if (StringRef(remedy).contains('='))
    text += ", which " + remedy + " would allow";
  linalg::LinalgOp first = ops.front();
  remark::missed(first.getLoc(),
                 remark::RemarkOpts::name("Requantise").category("fadiff"))
      << text;
}

std::optional<int64_t> fadiff::requantize(RewriterBase &rewriter,
                                          linalg::LinalgOp op,
                                          bool allowDeviation) {
  std::string reason, stopped;
  ReadOutFeatures features;
  if (ir::TargetAttr target = ir::lookupTarget(op))
    features = target.getAccelerator().readOut;
  FailureOr<LayerMatch> match =
      matchLayer(op, Arithmetic::Int8, reason, features);
  if (failed(match) || match->epilogue.getScale())
    return std::nullopt;
  auto type = cast<RankedTensorType>(match->output.value.getType());
  if (match->channelAxis > type.getRank())
    return std::nullopt;
  int64_t channels = static_cast<int64_t>(match->channelAxis) < type.getRank()
                         ? type.getDimSize(match->channelAxis)
                         : 1;
  ArrayRef<int64_t> dims = match->workload.getDims();
  const int64_t ofAllGroups =
      dims[static_cast<size_t>(Dim::G)] * dims[static_cast<size_t>(Dim::K)];
  const bool isTooWide = features.perChannel && ofAllGroups > features.scales;
  features.perChannel &= !isTooWide;
  SmallVector<Candidate> candidates = findCandidates(*match, stopped);
  if (candidates.empty())
    return std::nullopt;
  SmallVector<SumRange> ranges = sumRanges(*match, channels);

  const int64_t allowed = allowDeviation ? 1 : 0;
  std::optional<ReadOutFit> best;
  const Candidate *chosen = nullptr;
  for (const Candidate &candidate : llvm::reverse(candidates)) {
    FailureOr<SmallVector<RequantisedChannel>> functions =
        channelsOf(candidate, ranges, reason);
    if (failed(functions))
      continue;
    ReadOutFit fit = fitReadOut(*functions, features);
    if (!best || fit.deviation < best->deviation) {
      best = fit;
      chosen = &candidate;
    }
    if (fit.deviation <= allowed)
      break; // the longest one
  }
  const ArrayRef<linalg::LinalgOp> tail = candidates.back().ops;
  if (!best) {
    missed(tail, reason);
    return std::nullopt;
  }
  bool single = features.perChannel || !chosen->function.differsPerChannel();
  std::string distance =
      ("by up to " + Twine(best->deviation) + " (at the sum " +
       Twine(best->worstSum) + ", with the scale " +
       std::to_string(best->readOut.scale) + ")")
          .str();
  if (best->deviation > allowed) {
    std::string why = "its channels have scales of their own and the "
                      "accelerator has one";
    if (single)
      why = features.any() ? "no read-out of the machine's gives the same int8"
                           : "no float32 scale gives the same int8";
    else if (isTooWide)
      why = "its output channels, " + std::to_string(ofAllGroups) +
            ", have scales of their own and the machine holds " +
            std::to_string(features.scales);
    missed(tail, why, "the nearest differs " + distance,
           best->deviation == 1 ? "requantize=hardware"
           : single ? ""
                    : "one scale for all channels in the network, or a machine "
                      "with a scale per channel");
    return best->deviation;
  }
  SmallVector<linalg::LinalgOp> replaced = chosen->ops;
  Location loc = replaced.front().getLoc();
  if (best->deviation)
    remark::analysis(loc,
                     remark::RemarkOpts::name("Requantise").category("fadiff"))
        << "the accelerator's requantisation differs " + distance;
  const ReadOut &readOut = best->readOut;
  if (readOut.offset && match->bias && isBiasShared(*match)) {
    missed(tail, "the offset that it takes would change another layer's bias");
    return std::nullopt;
  }
  if (readOut.offset && match->bias)
    shiftBias(rewriter, *match, channels, readOut.offset, loc);
  rewriter.setInsertionPoint(replaced.back());
  Value result = buildReadOut(rewriter, loc, *match, *best, channels);
  rewriter.replaceOp(replaced.pop_back_val(), result);
  for (linalg::LinalgOp dead : llvm::reverse(replaced))
    rewriter.eraseOp(dead);
  return std::nullopt;
}
