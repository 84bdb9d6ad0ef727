//===- JoinLoops.cpp - Contractions with as many loops as a layer ---------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction may have several loops of one kind: heads and channels, blocks
// and what is in a block. A layer has one dim for them, so they become one
// loop. Where an operand has other axes in between, it is transposed first.
// Tensors that were packed into blocks come out as they were before: packing is
// padding, a reshape and a transpose, and each meets its inverse here.
//
// This ends. Loops become fewer (joining, and upstream's collapsing of the
// elementwise operations behind), or smaller (UnpadContraction), or what is
// adjacent in one operand becomes adjacent in all (GatherLoops). Slices only
// move up, each time past one operation at least.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

/// The loops of a contraction by kind, each in the order of their axes in an
/// operand that has all of them; nothing if no kind has too many for a layer.
static SmallVector<SmallVector<unsigned>> loopsOfKinds(linalg::LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (!(isContraction(op) || multipliesBytes(op)) || failed(dims))
    return {};
  // Upstream takes the extent of what a window indexes for that of its loop.
  if (!llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return {};
  constexpr size_t kRowDims = 3; // N, P and Q
  if (dims->batch.size() <= 1 && dims->m.size() <= kRowDims &&
      dims->n.size() <= 1 && dims->k.size() <= 1)
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  auto ordered = [&](ArrayRef<unsigned> loops, AffineMap map) {
    SmallVector<unsigned> result;
    for (AffineExpr index : map.getResults())
      if (auto loop = dyn_cast<AffineDimExpr>(index))
        if (llvm::is_contained(loops, loop.getPosition()))
          result.push_back(loop.getPosition());
    return result;
  };
  return {ordered(dims->batch, maps[2]), ordered(dims->m, maps[2]),
          ordered(dims->n, maps[2]), ordered(dims->k, maps[0])};
}

/// The loops of `op` that can be one: those of a contraction as above, and
/// those of an elementwise operation on what such a contraction made.
static SmallVector<ReassociationIndices> loopsToJoin(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  // Upstream takes an index that is a constant, as of an axis of one element
  // that is repeated, for one of a loop.
  if (!llvm::all_of(maps,
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return {};
  SmallVector<ReassociationIndices> joined;
  for (ArrayRef<unsigned> loops : loopsOfKinds(op)) {
    ReassociationIndices all(loops.begin(), loops.end());
    if (all.size() > 1 && linalg::areDimSequencesPreserved(maps, all))
      joined.push_back(all);
  }
  if (!mapsElements(op))
    return joined;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto expand = input->get().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || isSimpleReshape(expand) ||
        !op.getMatchingIndexingMap(input).isIdentity() ||
        !comesFromContraction(input->get()))
      continue;
    joined.clear();
    for (const ReassociationIndices &group : expand.getReassociationIndices())
      if (group.size() > 1)
        joined.push_back(group);
    if (linalg::areDimSequencesPreserved(maps, joined))
      return joined;
  }
  return {};
}

namespace {
/// The axes of loops that are to be one become neighbours in each operand.
struct GatherLoops : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape())
      return failure();
    SmallVector<SmallVector<unsigned>> kinds = loopsOfKinds(op);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    if (kinds.empty() || !llvm::all_of(maps, [](AffineMap map) {
          return map.isProjectedPermutation();
        }))
      return failure();
    ChannelPermutations permutations;
    bool isGathered = true;
    for (auto [map, permutation] : llvm::zip(maps, permutations)) {
      // Kinds in the order in which the operand has the first of each.
      for (AffineExpr index : map.getResults()) {
        const unsigned first = cast<AffineDimExpr>(index).getPosition();
        const auto *kind = llvm::find_if(kinds, [&](ArrayRef<unsigned> loops) {
          return llvm::is_contained(loops, first);
        });
        for (unsigned loop : *kind) {
          const int64_t axis =
              *map.getResultPosition(getAffineDimExpr(loop, op.getContext()));
          if (!llvm::is_contained(permutation, axis))
            permutation.push_back(axis);
        }
      }
      if (isIdentityPermutation(permutation))
        permutation.clear();
      isGathered &= permutation.empty();
    }
    // Upstream joins the loops of linalg.generic.
    if (isGathered && isa<linalg::GenericOp>(op.getOperation()))
      return failure();
    transposeOperands(rewriter, op, permutations);
    return success();
  }
};

/// What `value` is but for the order of its axes and for axes of one element;
/// `axes`, where they lie in that, of which none is -1.
static Value beforeMoves(Value value, SmallVectorImpl<int64_t> &axes) {
  const int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
  axes = llvm::to_vector(llvm::seq<int64_t>(rank));
  for (;;) {
    Operation *def = value.getDefiningOp();
    const std::optional<SmallVector<int64_t>> axisOf = axesBeforeMove(def);
    if (!axisOf)
      return value;
    value = def->getOperand(0);
    for (int64_t &axis : axes)
      axis = axis < 0 ? axis : (*axisOf)[axis];
  }
}

/// How far along `axis` there may be anything but padding with zeros behind;
/// `extent` if `value` is not padded so.
static int64_t extentBeforeZeros(Value value, unsigned axis, int64_t extent) {
  SmallVector<int64_t> axes;
  value = beforeMoves(value, axes);
  if (axes[axis] < 0)
    return extent;
  axis = axes[axis];
  auto pad = value.getDefiningOp<tensor::PadOp>();
  Value padding = pad ? pad.getConstantPaddingValue() : Value();
  if (!padding || pad.getStaticLow()[axis] != 0 ||
      pad.getSourceType().isDynamicDim(axis) ||
      !(matchPattern(padding, m_Zero()) ||
        matchPattern(padding, m_PosZeroFloat())))
    return extent;
  return pad.getSourceType().getDimSize(axis);
}

/// A contraction of padded tensors whose result is cut to what they were before
/// works on those: zeros add nothing to a sum, and rows that nobody reads need
/// not be.
struct UnpadContraction : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    if (!(isContraction(op) || multipliesBytes(op)) ||
        !op.hasPureTensorSemantics() || op.hasDynamicShape() ||
        !llvm::all_of(
            maps, [](AffineMap map) { return map.isProjectedPermutation(); }) ||
        // Blocks are cut where they are one axis.
        !loopsOfKinds(op).empty())
      return failure();
    const SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    SmallVector<int64_t> bounds = ranges;
    SmallVector<unsigned> reductions;
    op.getReductionDims(reductions);
    // Where one factor is zero the product is, but of floats, which need not be
    // finite, both must be.
    const bool isFloat = isa<FloatType>(
        cast<ShapedType>(op->getResult(0).getType()).getElementType());
    for (unsigned loop : reductions) {
      SmallVector<int64_t> extents;
      for (auto [operand, map] : llvm::zip(op.getDpsInputs(), maps))
        if (std::optional<unsigned> axis =
                map.getResultPosition(rewriter.getAffineDimExpr(loop)))
          extents.push_back(extentBeforeZeros(operand, *axis, ranges[loop]));
      if (extents.size() == 2)
        bounds[loop] = isFloat ? std::max(extents[0], extents[1])
                               : std::min(extents[0], extents[1]);
    }
    tensor::ExtractSliceOp slice;
    if (op->getResult(0).hasOneUse())
      slice = dyn_cast<tensor::ExtractSliceOp>(*op->getResult(0).user_begin());
    if (slice &&
        (!slice.hasUnitStride() || !slice.hasZeroOffset() ||
         slice.getType().getRank() != slice.getSourceType().getRank() ||
         !slice.getType().hasStaticShape()))
      slice = nullptr;
    if (slice)
      for (auto [index, extent] :
           llvm::zip(maps[2].getResults(), slice.getType().getShape()))
        bounds[cast<AffineDimExpr>(index).getPosition()] = extent;
    if (bounds == ranges)
      return failure();

    Location loc = op.getLoc();
    SmallVector<Value> operands;
    for (auto [value, map] : llvm::zip(op->getOperands(), maps)) {
      SmallVector<OpFoldResult> offsets, sizes, strides;
      for (AffineExpr index : map.getResults()) {
        offsets.push_back(rewriter.getIndexAttr(0));
        strides.push_back(rewriter.getIndexAttr(1));
        sizes.push_back(rewriter.getIndexAttr(
            bounds[cast<AffineDimExpr>(index).getPosition()]));
      }
      operands.push_back(tensor::ExtractSliceOp::create(
          rewriter, loc, value, offsets, sizes, strides));
    }
    auto cut = linalg::GenericOp::create(
        rewriter, loc, operands[2].getType(), {operands[0], operands[1]},
        operands[2], maps, op.getIteratorTypesArray());
    rewriter.cloneRegionBefore(op->getRegion(0), cut.getRegion(),
                               cut.getRegion().begin());
    rewriter.replaceOp(slice ? slice : op, cut.getResult(0));
    return success();
  }
};

/// What is cut after axes were moved is cut before, where padding or a
/// contraction is to be cut.
struct SliceBeforeMoves : public OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasUnitStride() || !op.hasZeroOffset() ||
        !op.getType().hasStaticShape() ||
        !op.getSourceType().hasStaticShape() ||
        op.getType().getRank() != op.getSourceType().getRank())
      return failure();
    SmallVector<int64_t> axes;
    Value source = beforeMoves(op.getSource(), axes);
    auto contraction = source.getDefiningOp<linalg::LinalgOp>();
    if (source == op.getSource() ||
        !(source.getDefiningOp<tensor::PadOp>() ||
          (contraction && isContraction(contraction))))
      return failure();
    auto type = cast<RankedTensorType>(source.getType());
    SmallVector<int64_t> shape(type.getShape());
    for (auto [axis, extent] : llvm::zip(axes, op.getType().getShape()))
      if (axis >= 0)
        shape[axis] = extent;
    auto all = [&](int64_t number) {
      return SmallVector<OpFoldResult>(shape.size(),
                                       rewriter.getIndexAttr(number));
    };
    Value cut = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), source, all(0),
        getAsIndexOpFoldResult(rewriter.getContext(), shape), all(1));
    // The axes of more than one element in their new order.
    SmallVector<int64_t> order;
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (!llvm::is_contained(axes, axis))
        order.push_back(axis);
    for (int64_t axis : axes)
      if (axis >= 0)
        order.push_back(axis);
    if (!llvm::is_sorted(order)) {
      Value init = tensor::EmptyOp::create(
          rewriter, op.getLoc(),
          applyPermutation(ArrayRef<int64_t>(shape), order),
          type.getElementType());
      cut = linalg::TransposeOp::create(rewriter, op.getLoc(), cut, init, order)
                ->getResult(0);
    }
    rewriter.replaceOp(
        op, reshapeUnitDims(rewriter, op.getLoc(), cut, op.getType()));
    return success();
  }
};

/// What is cut after padding is cut before, and padded as far as it still is.
struct SliceBeforePad : public OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getSource().getDefiningOp<tensor::PadOp>();
    if (!pad || !op.hasUnitStride() || !op.hasZeroOffset() ||
        !op.getType().hasStaticShape() ||
        !pad.getSourceType().hasStaticShape() ||
        op.getType().getRank() != pad.getSourceType().getRank() ||
        !llvm::all_of(pad.getStaticLow(), [](int64_t low) { return low == 0; }))
      return failure();
    Value padding = pad.getConstantPaddingValue();
    if (!padding)
      return failure();
    SmallVector<OpFoldResult> sizes, low, high;
    for (auto [wanted, found] :
         llvm::zip(op.getType().getShape(), pad.getSourceType().getShape())) {
      sizes.push_back(rewriter.getIndexAttr(std::min(wanted, found)));
      low.push_back(rewriter.getIndexAttr(0));
      high.push_back(
          rewriter.getIndexAttr(std::max<int64_t>(0, wanted - found)));
    }
    Value cut = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), pad.getSource(), op.getMixedOffsets(), sizes,
        op.getMixedStrides());
    if (cut.getType() != op.getType())
      cut = tensor::PadOp::create(rewriter, op.getLoc(), op.getType(), cut, low,
                                  high, padding);
    rewriter.replaceOp(op, cut);
    return success();
  }
};

/// A part of a tensor of one number is a smaller tensor of it.
struct SliceOfFill : public OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto fill = op.getSource().getDefiningOp<linalg::FillOp>();
    if (!fill || !op.getType().hasStaticShape())
      return failure();
    Value empty =
        tensor::EmptyOp::create(rewriter, op.getLoc(), op.getType().getShape(),
                                op.getType().getElementType());
    rewriter.replaceOpWithNewOp<linalg::FillOp>(op, fill.value(), empty);
    return success();
  }
};

/// A tensor that is copied is the tensor.
struct ForwardCopy : public OpRewritePattern<linalg::CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::CopyOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() ||
        op.getInputs()[0].getType() != op.getResult(0).getType())
      return failure();
    rewriter.replaceOp(op, op.getInputs()[0]);
    return success();
  }
};
} // namespace

void fadiff::populateJoinLoopsPatterns(RewritePatternSet &patterns) {
  patterns.add<ForwardCopy, GatherLoops, SliceBeforeMoves, SliceBeforePad,
               SliceOfFill, UnpadContraction>(patterns.getContext());
  linalg::populateCollapseDimensions(patterns, loopsToJoin);
  tensor::ExtractSliceOp::getCanonicalizationPatterns(patterns,
                                                      patterns.getContext());
  populateMergeTransposesPatterns(patterns);
}
