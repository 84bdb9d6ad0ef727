//===- ConvolutionLoops.cpp - Convolutions with as many loops as a layer --===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer slides its window along two axes. A convolution over three is the sum
// of those over two, one for each tap of the third: each starts from the sums
// of the one before. The third axis of the result then is one of its batch.
//
// This ends: each application leaves one window or one batch loop less, brings
// the axes of two batch loops together (JoinBatches), or puts an image first.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fadiff;

/// Axes along which a layer's window slides.
static constexpr size_t kWindowAxes = 2;

/// Taps that are taken apart: each is a layer.
static constexpr int64_t kMaxTaps = 64;

/// The loops of `op` by kind if it is a convolution on tensors that computes
/// something and whose windows run forwards.
static FailureOr<linalg::ConvolutionDimensions> windowsOf(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.hasIndexSemantics() || !isContraction(op) ||
      llvm::is_contained(op.getStaticLoopRanges(), 0))
    return failure();
  FailureOr<linalg::ConvolutionDimensions> dims = convolutionDims(op);
  auto isForward = [](int64_t step) { return step >= 1; };
  if (failed(dims) || !llvm::all_of(dims->strides, isForward) ||
      !llvm::all_of(dims->dilations, isForward))
    return failure();
  return dims;
}

/// Numbers for the loops that are left without those in `gone`; zero for these.
static SmallVector<AffineExpr> renumbered(OpBuilder &builder, unsigned loops,
                                          ArrayRef<unsigned> gone) {
  SmallVector<AffineExpr> result;
  unsigned next = 0;
  for (unsigned loop = 0; loop < loops; ++loop)
    result.push_back(llvm::is_contained(gone, loop)
                         ? builder.getAffineConstantExpr(0)
                         : builder.getAffineDimExpr(next++));
  return result;
}

/// `op` on other operands, without the loops in `gone`.
static linalg::GenericOp withoutLoops(OpBuilder &builder, linalg::GenericOp op,
                                      ValueRange operands,
                                      ArrayRef<AffineMap> maps,
                                      ArrayRef<unsigned> gone) {
  SmallVector<utils::IteratorType> iterators;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    if (!llvm::is_contained(gone, loop))
      iterators.push_back(iterator);
  SmallVector<AffineMap> numbered;
  const SmallVector<AffineExpr> numbers =
      renumbered(builder, op.getNumLoops(), gone);
  for (AffineMap map : maps)
    numbered.push_back(
        map.replaceDimsAndSymbols(numbers, {}, iterators.size(), 0));
  auto made = linalg::GenericOp::create(
      builder, op.getLoc(), operands.back().getType(), operands.drop_back(),
      operands.back(), numbered, iterators);
  made->setDiscardableAttrs(llvm::to_vector(op->getDiscardableAttrs()));
  // They are about the operation that goes.
  made->removeAttr("strides");
  made->removeAttr("dilations");
  IRMapping mapping;
  op.getRegion().cloneInto(&made.getRegion(), mapping);
  return made;
}

/// The axis whose index is a function of `loop`; the map's number of results if
/// there is none.
static unsigned axisOf(AffineMap map, unsigned loop) {
  unsigned axis = 0;
  while (axis < map.getNumResults() &&
         !map.getResult(axis).isFunctionOfDim(loop))
    ++axis;
  return axis;
}

namespace {
/// The image of a convolution, which windows index, comes before the weights.
struct ImageFirst : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    if (!op.hasPureTensorSemantics() ||
        !isContraction(cast<linalg::LinalgOp>(op.getOperation())) ||
        !maps[0].isProjectedPermutation() || maps[1].isProjectedPermutation())
      return failure();
    std::swap(maps[0], maps[1]);
    auto swapped = linalg::GenericOp::create(
        rewriter, op.getLoc(), op.getResultTypes(),
        ValueRange{op.getInputs()[1], op.getInputs()[0]}, op.getOutputs(), maps,
        op.getIteratorTypesArray());
    swapped->setDiscardableAttrs(llvm::to_vector(op->getDiscardableAttrs()));
    rewriter.inlineRegionBefore(op.getRegion(), swapped.getRegion(),
                                swapped.getRegion().begin());
    Block *body = swapped.getBlock();
    BlockArgument pixel =
        body->insertArgument(0u, body->getArgument(1).getType(), op.getLoc());
    rewriter.replaceAllUsesWith(body->getArgument(2), pixel);
    body->eraseArgument(2);
    rewriter.replaceOp(op, swapped);
    return success();
  }
};

struct GeneralizeLargeConvolution
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (isa<linalg::GenericOp>(op.getOperation()))
      return failure();
    FailureOr<linalg::ConvolutionDimensions> dims = windowsOf(op);
    if (failed(dims) || dims->outputImage.size() <= kWindowAxes)
      return failure();
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

/// The window along one of more than two axes is taken apart: the one with the
/// fewest taps.
struct SplitWindow : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    FailureOr<linalg::ConvolutionDimensions> dims = windowsOf(linalgOp);
    if (failed(dims) || dims->outputImage.size() <= kWindowAxes)
      return failure();
    const SmallVector<int64_t> ranges = linalgOp.getStaticLoopRanges();
    size_t chosen = 0;
    for (size_t i = 1; i < dims->filterLoop.size(); ++i)
      if (ranges[dims->filterLoop[i]] < ranges[dims->filterLoop[chosen]])
        chosen = i;
    const unsigned row = dims->outputImage[chosen];
    const unsigned tap = dims->filterLoop[chosen];
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    const unsigned inputAxis = axisOf(maps[0], row);
    const unsigned weightAxis = axisOf(maps[1], tap);
    if (ranges[tap] > kMaxTaps || inputAxis == maps[0].getNumResults() ||
        weightAxis == maps[1].getNumResults() ||
        maps[1].getResult(weightAxis) != rewriter.getAffineDimExpr(tap))
      return failure();
    const Location loc = op.getLoc();
    maps[1] = maps[1].dropResult(weightAxis);
    SmallVector<AffineExpr> indices(maps[0].getResults());
    indices[inputAxis] = rewriter.getAffineDimExpr(row);
    maps[0] = AffineMap::get(maps[0].getNumDims(), 0, indices, op.getContext());
    Value sum = op.getOutputs()[0];
    SmallVector<Value> operands(op->getOperands());
    for (int64_t k = 0; k < ranges[tap]; ++k) {
      operands[0] = slice(rewriter, loc, op.getInputs()[0], inputAxis,
                          k * dims->dilations[chosen], ranges[row],
                          dims->strides[chosen], /*dropsAxis=*/false);
      operands[1] = slice(rewriter, loc, op.getInputs()[1], weightAxis, k, 1, 1,
                          /*dropsAxis=*/true);
      operands.back() = sum;
      sum = withoutLoops(rewriter, op, operands, maps, tap).getResult(0);
    }
    rewriter.replaceOp(op, sum);
    return success();
  }

private:
  /// Part of `value` along `axis`, which goes if that is one element.
  static Value slice(OpBuilder &builder, Location loc, Value value,
                     unsigned axis, int64_t offset, int64_t size,
                     int64_t stride, bool dropsAxis) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
        strides(type.getRank(), builder.getIndexAttr(1)),
        sizes = tensor::getMixedSizes(builder, loc, value);
    offsets[axis] = builder.getIndexAttr(offset);
    sizes[axis] = builder.getIndexAttr(size);
    strides[axis] = builder.getIndexAttr(stride);
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] = size;
    if (dropsAxis)
      shape.erase(shape.begin() + axis);
    return tensor::ExtractSliceOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        value, offsets, sizes, strides);
  }
};

/// Two of the batch loops of a convolution that has more than a layer become
/// one. Their axes are brought together first where they lie apart.
struct JoinBatches : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    FailureOr<linalg::ConvolutionDimensions> dims = windowsOf(linalgOp);
    // An axis without a window may take the place of one with a window.
    if (failed(dims) || dims->outputImage.size() > kWindowAxes ||
        dims->batch.size() + dims->outputImage.size() <= kWindowAxes + 1)
      return failure();
    const SmallVector<int64_t> ranges = linalgOp.getStaticLoopRanges();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    AffineMap &in = maps.front(), &out = maps.back();
    SmallVector<unsigned> batches(dims->batch.begin(), dims->batch.end());
    llvm::sort(batches, [&](unsigned a, unsigned b) {
      return axisOf(out, a) < axisOf(out, b);
    });
    // One that makes a single trip joins whatever lies behind it.
    unsigned gone = batches[0];
    for (unsigned loop : batches)
      if (ranges[loop] == 1)
        gone = loop;
    const bool isUnit = ranges[gone] == 1;
    for (AffineMap map : {in, out}) {
      const unsigned axis = axisOf(map, gone);
      if (axis + 1 >= map.getNumResults() ||
          map.getResult(axis) != rewriter.getAffineDimExpr(gone))
        return failure();
      if (!isUnit && axisOf(map, batches[1]) != axis + 1) {
        bringTogether(rewriter, op, gone, batches[1]);
        return success();
      }
    }
    const Location loc = op.getLoc();
    SmallVector<Value> operands(op->getOperands());
    const SmallVector<ReassociationIndices> outGroups =
        pairAt(out, axisOf(out, gone));
    operands.front() = tensor::CollapseShapeOp::create(
        rewriter, loc, operands.front(), pairAt(in, axisOf(in, gone)));
    operands.back() = tensor::CollapseShapeOp::create(
        rewriter, loc, operands.back(), outGroups);
    in = in.dropResult(axisOf(in, gone));
    out = out.dropResult(axisOf(out, gone));
    auto joined = withoutLoops(rewriter, op, operands, maps, gone);
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        op, op.getResult(0).getType(), joined.getResult(0), outGroups);
    return success();
  }

private:
  /// Each axis by itself, but for `axis` and the next one.
  static SmallVector<ReassociationIndices> pairAt(AffineMap map,
                                                  unsigned axis) {
    SmallVector<ReassociationIndices> groups;
    for (unsigned i = 0; i < map.getNumResults(); ++i)
      if (i == axis + 1)
        groups.back().push_back(i);
      else
        groups.push_back({i});
    return groups;
  }

  /// Puts the axis of loop `second` behind that of `first`.
  static void bringTogether(PatternRewriter &rewriter, linalg::GenericOp op,
                            unsigned first, unsigned second) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    ChannelPermutations permutations;
    for (unsigned i : {0u, 2u}) {
      const unsigned moved = axisOf(maps[i], second);
      for (unsigned axis = 0; axis < maps[i].getNumResults(); ++axis) {
        if (axis != moved)
          permutations[i].push_back(axis);
        if (axis == axisOf(maps[i], first))
          permutations[i].push_back(moved);
      }
      if (isIdentityPermutation(permutations[i]))
        permutations[i].clear();
    }
    transposeOperands(rewriter, cast<linalg::LinalgOp>(op.getOperation()),
                      permutations);
  }
};
} // namespace

void fadiff::populateConvolutionLoopsPatterns(RewritePatternSet &patterns) {
  patterns
      .add<GeneralizeLargeConvolution, ImageFirst, JoinBatches, SplitWindow>(
          patterns.getContext());
}
