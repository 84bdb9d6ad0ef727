//===- Phases.cpp - Transposed convolutions without zeros -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transposed convolution of stride s is written as a convolution of its image
// with s - 1 zeros between each two pixels. Of outputs s apart, a phase, all
// meet the image at the same taps, and zeros at the others. So each phase along
// each axis is a convolution of the image itself with every s-th tap; what it
// makes lies s apart in the result.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

/// Layers that one convolution may become.
static constexpr size_t kMostPhases = 64;

namespace {
/// An axis of the image, as the convolution reads it.
struct ImageAxis {
  int64_t extent = 0; ///< of the image without the zeros
  int64_t whole = 0;  ///< with them, and with padding
  int64_t low = 0;    ///< elements in front of the first one
  int64_t stride = 1; ///< from one element to the next
  /// Loops over outputs and taps, where there are zeros between elements.
  unsigned outputs = 0, taps = 0;
};

/// One phase along an axis, or all of one without phases.
struct AxisPhase {
  int64_t phase = 0;    ///< the first output
  int64_t outputs = 0;  ///< how many there are
  int64_t firstTap = 0; ///< taps are as far apart as outputs
  int64_t taps = 0;
  int64_t begin = 0, end = 0; ///< what is read of the image; may lie around it
};

/// A convolution of an image with zeros between its elements.
struct Transposed {
  Value image;
  SmallVector<ImageAxis> axes;
};
} // namespace

/// The dims of `expr` if it is the sum of two, of steps 1: of loops over
/// outputs and taps.
static std::optional<std::pair<unsigned, unsigned>>
slidingWindow(linalg::LinalgOp op, AffineExpr expr) {
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return std::nullopt;
  auto a = dyn_cast<AffineDimExpr>(sum.getLHS());
  auto b = dyn_cast<AffineDimExpr>(sum.getRHS());
  if (!a || !b)
    return std::nullopt;
  auto types = op.getIteratorTypesArray();
  auto isReduced = [&](AffineDimExpr dim) {
    return types[dim.getPosition()] == utils::IteratorType::reduction;
  };
  if (isReduced(a))
    std::swap(a, b);
  if (isReduced(a) || !isReduced(b))
    return std::nullopt;
  return std::pair(a.getPosition(), b.getPosition());
}

static bool isZero(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_AnyZeroFloat());
}

static bool isFilledWithZeros(Value value) {
  if (auto fill = value.getDefiningOp<linalg::FillOp>())
    return isZero(fill.getInputs()[0]);
  return isZero(value);
}

/// What `op` convolves, if it is such a convolution.
static std::optional<Transposed> matchTransposed(linalg::LinalgOp op) {
  Transposed found;
  Value value = op.getDpsInputs()[0];
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  for (int64_t extent : type.getShape()) {
    found.axes.emplace_back();
    found.axes.back().whole = extent;
  }
  if (auto pad = value.getDefiningOp<tensor::PadOp>()) {
    Value padding = pad.getConstantPaddingValue();
    if (!padding || !isZero(padding) ||
        ShapedType::isDynamicShape(pad.getStaticLow()))
      return std::nullopt;
    for (auto [axis, low] : llvm::zip(found.axes, pad.getStaticLow()))
      axis.low = low;
    value = pad.getSource();
  }
  auto insert = value.getDefiningOp<tensor::InsertSliceOp>();
  if (!insert || !isFilledWithZeros(insert.getDest()) ||
      ShapedType::isDynamicShape(insert.getStaticOffsets()) ||
      ShapedType::isDynamicShape(insert.getStaticStrides()) ||
      insert.getSourceType().getShape() !=
          ArrayRef<int64_t>(insert.getStaticSizes()))
    return std::nullopt;
  found.image = insert.getSource();
  const AffineMap map = op.getMatchingIndexingMap(op.getDpsInputOperand(0));
  const AffineMap weights = op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  const AffineMap output = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!weights.isProjectedPermutation() || !output.isProjectedPermutation())
    return std::nullopt;
  for (auto [number, axis] : llvm::enumerate(found.axes)) {
    axis.extent = insert.getSourceType().getDimSize(number);
    axis.low += insert.getStaticOffset(number);
    axis.stride = insert.getStaticStride(number);
    if (axis.stride == 1)
      continue;
    auto window = slidingWindow(op, map.getResult(number));
    if (!window || !output.isFunctionOfDim(window->first) ||
        weights.isFunctionOfDim(window->first) ||
        !weights.isFunctionOfDim(window->second))
      return std::nullopt;
    std::tie(axis.outputs, axis.taps) = *window;
  }
  if (llvm::all_of(found.axes,
                   [](const ImageAxis &axis) { return axis.stride == 1; }))
    return std::nullopt;
  return found;
}

/// The phases along `axis` of a convolution with loops of `ranges`; none if one
/// meets no tap, or nothing of the image.
static SmallVector<AxisPhase> phasesOf(const ImageAxis &axis,
                                       ArrayRef<int64_t> ranges) {
  if (axis.stride == 1) {
    AxisPhase all;
    all.begin = -axis.low;
    all.end = axis.whole - axis.low;
    return {all};
  }
  const int64_t step = axis.stride;
  SmallVector<AxisPhase> phases;
  for (int64_t phase = 0; phase < step; ++phase) {
    AxisPhase part;
    part.phase = phase;
    part.outputs = llvm::divideCeilSigned(ranges[axis.outputs] - phase, step);
    part.firstTap = (((axis.low - phase) % step) + step) % step;
    part.taps = llvm::divideCeilSigned(ranges[axis.taps] - part.firstTap, step);
    // A multiple of the step.
    part.begin = (phase + part.firstTap - axis.low) / step;
    part.end = part.begin + part.outputs + part.taps - 1;
    if (part.outputs <= 0 || part.taps <= 0 || part.begin >= axis.extent ||
        part.end <= 0)
      return {};
    phases.push_back(part);
  }
  return phases;
}

/// What a phase along each axis reads of the image.
static Value imageOf(RewriterBase &rewriter, Location loc, Value image,
                     ArrayRef<AxisPhase> phases) {
  auto type = cast<RankedTensorType>(image.getType());
  SmallVector<int64_t> offsets, sizes, low, high;
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (auto [extent, phase] : llvm::zip(type.getShape(), phases)) {
    offsets.push_back(std::max<int64_t>(phase.begin, 0));
    sizes.push_back(std::min(phase.end, extent) - offsets.back());
    low.push_back(std::max<int64_t>(-phase.begin, 0));
    high.push_back(std::max<int64_t>(phase.end - extent, 0));
  }
  if (type.getShape() != ArrayRef<int64_t>(sizes))
    image = tensor::ExtractSliceOp::create(
        rewriter, loc, type.clone(sizes), image, ValueRange(), ValueRange(),
        ValueRange(), offsets, sizes, strides);
  SmallVector<int64_t> padded;
  for (auto [size, before, behind] : llvm::zip(sizes, low, high))
    padded.push_back(size + before + behind);
  if (padded == sizes)
    return image;
  auto asFolds = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(rewriter.getContext(), numbers);
  };
  Value zero = arith::ConstantOp::create(
      rewriter, loc, rewriter.getZeroAttr(type.getElementType()));
  return tensor::PadOp::create(rewriter, loc, type.clone(padded), image,
                               asFolds(low), asFolds(high), zero);
}

/// `init`, what sums start from, for fewer outputs; null if it differs by
/// place.
static Value initOf(RewriterBase &rewriter, Location loc, Value init,
                    RankedTensorType type) {
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        type.getElementType());
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    return linalg::FillOp::create(rewriter, loc, fill.getInputs(), empty)
        .getResult(0);
  auto broadcast = init.getDefiningOp<linalg::BroadcastOp>();
  auto whole = cast<RankedTensorType>(init.getType());
  if (!broadcast ||
      !llvm::all_of(llvm::seq<int64_t>(0, type.getRank()), [&](int64_t axis) {
        return whole.getDimSize(axis) == type.getDimSize(axis) ||
               llvm::is_contained(broadcast.getDimensions(), axis);
      }))
    return {};
  return linalg::BroadcastOp::create(rewriter, loc, broadcast.getInput(), empty,
                                     broadcast.getDimensions())
      ->getResult(0);
}

/// The elementwise operation that alone reads `value`, place by place, and
/// otherwise what does not depend on the axes in `apart`; null if there is
/// none.
static linalg::GenericOp tailOf(Value value, ArrayRef<int64_t> apart) {
  auto op = value.hasOneUse() ? dyn_cast<linalg::GenericOp>(*value.user_begin())
                              : linalg::GenericOp();
  if (!op || !mapsElements(op) || op.hasIndexSemantics() ||
      op->getNumResults() != 1 ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return {};
  for (OpOperand *operand : op.getDpsInputOperands()) {
    const AffineMap map = op.getMatchingIndexingMap(operand);
    if (operand->get() == value ? !map.isIdentity()
                                : llvm::any_of(apart, [&](int64_t axis) {
                                    return map.isFunctionOfDim(unsigned(axis));
                                  }))
      return {};
  }
  return op;
}

void fadiff::splitIntoPhases(RewriterBase &rewriter, linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || !op.hasPureTensorSemantics() ||
      op.hasDynamicShape() ||
      !matchPattern(op.getDpsInputs()[1], m_Constant()) ||
      !isWorthALayer(op->getResult(0)))
    return;
  const std::optional<Transposed> found = matchTransposed(op);
  if (!found)
    return;
  Location loc = op.getLoc();
  const SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  // All pairs of phases.
  SmallVector<SmallVector<AxisPhase>> parts(1);
  for (const ImageAxis &axis : found->axes) {
    const SmallVector<AxisPhase> phases = phasesOf(axis, ranges);
    SmallVector<SmallVector<AxisPhase>> longer;
    for (const SmallVector<AxisPhase> &part : parts)
      for (const AxisPhase &phase : phases) {
        longer.push_back(part);
        longer.back().push_back(phase);
      }
    parts = longer;
    if (parts.empty() || parts.size() > kMostPhases)
      return;
  }

  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto weightsType = cast<RankedTensorType>(op.getDpsInputs()[1].getType());
  auto outputType = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> steps(outputType.getRank(), 1), apart;
  SmallVector<SmallVector<int64_t>> offsets;
  SmallVector<Value> made;
  rewriter.setInsertionPoint(op);
  for (const SmallVector<AxisPhase> &part : parts) {
    SmallVector<int64_t> firstTaps(weightsType.getRank(), 0);
    SmallVector<int64_t> taps(weightsType.getShape());
    SmallVector<int64_t> tapSteps(weightsType.getRank(), 1);
    SmallVector<int64_t> firsts(outputType.getRank(), 0);
    SmallVector<int64_t> outputs(outputType.getShape());
    auto axisOf = [&](AffineMap map, unsigned dim) {
      return *map.getResultPosition(rewriter.getAffineDimExpr(dim));
    };
    for (auto [axis, phase] : llvm::zip(found->axes, part)) {
      if (axis.stride == 1)
        continue;
      const unsigned tap = axisOf(maps[1], axis.taps);
      firstTaps[tap] = phase.firstTap;
      taps[tap] = phase.taps;
      tapSteps[tap] = axis.stride;
      const unsigned output = axisOf(maps[2], axis.outputs);
      firsts[output] = phase.phase;
      outputs[output] = phase.outputs;
      steps[output] = axis.stride;
    }
    Value init =
        initOf(rewriter, loc, op.getDpsInits()[0], outputType.clone(outputs));
    if (!init)
      return;
    Value weights = tensor::ExtractSliceOp::create(
        rewriter, loc, weightsType.clone(taps), op.getDpsInputs()[1],
        ValueRange(), ValueRange(), ValueRange(), firstTaps, taps, tapSteps);
    made.push_back(contractionOn(
        rewriter, op,
        {imageOf(rewriter, loc, found->image, part), weights, init}, maps));
    offsets.push_back(firsts);
  }
  for (auto [axis, step] : llvm::enumerate(steps))
    if (step > 1)
      apart.push_back(int64_t(axis));

  // What a layer does behind its sums it does to each phase.
  Value whole = op->getResult(0);
  while (!getElementTypeOrSelf(whole).isInteger(8)) {
    linalg::GenericOp tail = tailOf(whole, apart);
    if (!tail)
      break;
    rewriter.setInsertionPoint(tail);
    for (Value &part : made) {
      auto type = cast<RankedTensorType>(tail.getResult(0).getType())
                      .clone(cast<RankedTensorType>(part.getType()).getShape());
      IRMapping mapping;
      mapping.map(whole, part);
      mapping.map(tail.getOutputs()[0],
                  tensor::EmptyOp::create(rewriter, tail.getLoc(),
                                          type.getShape(),
                                          type.getElementType())
                      .getResult());
      Operation *copy = rewriter.clone(*tail, mapping);
      copy->getResult(0).setType(type);
      part = copy->getResult(0);
    }
    whole = tail.getResult(0);
  }
  rewriter.setInsertionPointAfterValue(whole);
  auto type = cast<RankedTensorType>(whole.getType());
  Value joined = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                         type.getElementType());
  for (auto [part, offset] : llvm::zip(made, offsets))
    joined = tensor::InsertSliceOp::create(
        rewriter, loc, part, joined, ValueRange(), ValueRange(), ValueRange(),
        offset, cast<RankedTensorType>(part.getType()).getShape(), steps);
  rewriter.replaceAllUsesWith(whole, joined);
}
