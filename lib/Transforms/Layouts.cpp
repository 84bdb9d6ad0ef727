//===- Layouts.cpp - Channels last, and transposes out of the way ---------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The array wants channels last. A contraction in another layout gets
// transposes around it, and what stands between two contractions is brought
// into the layout in which the first one leaves it, so that the transposes
// between them meet and cancel.
//
// This ends: a contraction is turned once. Behind contractions transposes only
// move down (SinkTranspose, SinkTransposeBelowPool): each move takes one off
// the way from a contraction to the operation that it passes, and leaves the
// inverse only on operands that are not on that way; concatenations, slices and
// gathers are passed in the same way. In front of padding they only move up.
// Merging two, or one with a constant or with what is made of indices, leaves
// fewer.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fadiff;

Value fadiff::withAxes(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  Value init = tensor::EmptyOp::create(
      builder, loc, applyPermutation(type.getShape(), permutation),
      type.getElementType());
  return linalg::TransposeOp::create(builder, loc, value, init, permutation)
      ->getResult(0);
}

/// The axis of a tensor that each loop runs along, for a map that is a
/// permutation.
static SmallVector<int64_t> axisOfLoops(AffineMap map) {
  SmallVector<int64_t> axes(map.getNumDims());
  for (auto [axis, index] : llvm::enumerate(map.getResults()))
    axes[cast<AffineDimExpr>(index).getPosition()] = axis;
  return axes;
}

Value fadiff::reshapeUnitDims(OpBuilder &builder, Location loc, Value value,
                              RankedTensorType resultType) {
  auto type = cast<RankedTensorType>(value.getType());
  // Axes of one element belong to the next wider one, the last to the last.
  auto groupsOf = [](ArrayRef<int64_t> shape) {
    SmallVector<ReassociationIndices> groups(1);
    const int64_t last =
        llvm::find_if(llvm::reverse(shape), [](int64_t e) { return e != 1; })
            .base() -
        shape.begin();
    for (auto [axis, extent] : llvm::enumerate(shape)) {
      groups.back().push_back(axis);
      if (extent != 1 && int64_t(axis) + 1 < last)
        groups.emplace_back();
    }
    return groups;
  };
  SmallVector<int64_t> shape;
  for (int64_t extent : type.getShape())
    if (extent != 1)
      shape.push_back(extent);
  if (shape.empty())
    shape.push_back(1);
  auto flat = RankedTensorType::get(shape, type.getElementType());
  if (flat.getRank() != type.getRank())
    value = tensor::CollapseShapeOp::create(builder, loc, flat, value,
                                            groupsOf(type.getShape()));
  if (flat.getRank() != resultType.getRank())
    value = tensor::ExpandShapeOp::create(builder, loc, resultType, value,
                                          groupsOf(resultType.getShape()));
  return value;
}

Value fadiff::contractionOn(RewriterBase &rewriter, linalg::LinalgOp op,
                            ArrayRef<Value> operands, ArrayRef<AffineMap> maps,
                            ArrayRef<utils::IteratorType> iterators) {
  SmallVector<utils::IteratorType> loops = op.getIteratorTypesArray();
  if (!iterators.empty())
    loops.assign(iterators.begin(), iterators.end());
  auto moved = linalg::GenericOp::create(
      rewriter, op.getLoc(), operands.back().getType(), operands.drop_back(),
      operands.back(), maps, loops);
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (!isa_and_nonnull<linalg::LinalgDialect>(attr.getNameDialect()))
      moved->setDiscardableAttr(attr.getName(), attr.getValue());
  rewriter.cloneRegionBefore(op->getRegion(0), moved.getRegion(),
                             moved.getRegion().begin());
  return moved.getResult(0);
}

void fadiff::transposeOperands(RewriterBase &rewriter, linalg::LinalgOp op,
                               const ChannelPermutations &permutations) {
  Location loc = op.getLoc();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> operands;
  for (auto [value, map, permutation] :
       llvm::zip(op->getOperands(), maps, permutations)) {
    operands.push_back(value);
    if (permutation.empty())
      continue;
    operands.back() = withAxes(rewriter, loc, value, permutation);
    map = AffineMap::get(map.getNumDims(), 0,
                         applyPermutation(map.getResults(), permutation),
                         op.getContext());
  }
  Value result = contractionOn(rewriter, op, operands, maps);
  if (!permutations[2].empty())
    result = withAxes(rewriter, loc, result,
                      invertPermutationVector(permutations[2]));
  rewriter.replaceOp(op, result);
}

namespace {
/// A contraction whose channels are not the last axis of an operand works on
/// transposed operands.
struct ChannelsLast : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isContraction(op) || !op.hasPureTensorSemantics() ||
        op.hasDynamicShape())
      return failure();
    std::optional<ChannelPermutations> wanted = channelPermutations(op);
    if (!wanted)
      return failure();
    transposeOperands(rewriter, op, *wanted);
    return success();
  }
};

/// An elementwise operation on what a contraction made works in its layout, and
/// the transpose follows.
struct SinkTranspose : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    OpOperand *initUse = linalgOp.getDpsInitOperand(0);
    AffineMap out = linalgOp.getMatchingIndexingMap(initUse);
    if (!mapsElements(linalgOp) || linalgOp.hasDynamicShape() ||
        linalgOp.hasIndexSemantics() || !out.isPermutation() ||
        linalgOp.payloadUsesValueFromOperand(initUse))
      return failure();
    // What is read, through transposes.
    SmallVector<Value> values(op.getInputs());
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    std::optional<size_t> leader;
    for (auto [i, value] : llvm::enumerate(values)) {
      if (auto turned = value.getDefiningOp<linalg::TransposeOp>()) {
        value = turned.getInput();
        maps[i] = AffineMap::get(
            maps[i].getNumDims(), 0,
            applyPermutation(maps[i].getResults(),
                             invertPermutationVector(turned.getPermutation())),
            op.getContext());
      }
      if (!leader && maps[i].isPermutation() && comesFromContraction(value))
        leader = i;
    }
    if (!leader || maps[*leader] == out)
      return failure();
    // Loops in the order of the leader's axes.
    AffineMap loops = inversePermutation(maps[*leader]);
    Location loc = op.getLoc();
    for (auto [i, map] : llvm::enumerate(maps))
      map = map.compose(loops);
    const unsigned rank = loops.getNumDims();
    const AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
    for (auto [value, map] : llvm::zip(values, maps))
      if (map.isPermutation() && !map.isIdentity()) {
        value = withAxes(rewriter, loc, value, axisOfLoops(map));
        map = identity;
      }
    const SmallVector<int64_t> order = axisOfLoops(maps.back());
    maps.back() = identity;
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    Value init = tensor::EmptyOp::create(
        rewriter, loc, applyPermutation(type.getShape(), order),
        type.getElementType());
    auto sunk = linalg::GenericOp::create(
        rewriter, loc, init.getType(), values, init, maps,
        SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel));
    rewriter.inlineRegionBefore(op.getRegion(), sunk.getRegion(),
                                sunk.getRegion().begin());
    rewriter.replaceOp(op, withAxes(rewriter, loc, sunk.getResult(0),
                                    invertPermutationVector(order)));
    return success();
  }
};

/// Pooling of a contraction's result with channels first pools it with channels
/// last.
template <typename FirstT, typename LastT>
struct SinkTransposeBelowPool : public OpRewritePattern<FirstT> {
  using OpRewritePattern<FirstT>::OpRewritePattern;

  LogicalResult matchAndRewrite(FirstT op,
                                PatternRewriter &rewriter) const override {
    Value source = op.getInputs()[0];
    if (auto pad = source.getDefiningOp<tensor::PadOp>())
      source = pad.getSource();
    auto init = op.getOutputs()[0].template getDefiningOp<linalg::FillOp>();
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() || !init ||
        !comesFromContraction(source))
      return failure();
    Location loc = op.getLoc();
    const int64_t toLast[] = {0, 2, 3, 1}, toFirst[] = {0, 3, 1, 2};
    Value input = withAxes(rewriter, loc, op.getInputs()[0], toLast);
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, applyPermutation(type.getShape(), ArrayRef(toLast)),
        type.getElementType());
    Value filled =
        linalg::FillOp::create(rewriter, loc, init.value(), empty).result();
    auto pooled = LastT::create(rewriter, loc, filled.getType(),
                                ValueRange{input, op.getInputs()[1]}, filled,
                                op.getStridesAttr(), op.getDilationsAttr());
    rewriter.replaceOp(op,
                       withAxes(rewriter, loc, pooled.getResult(0), toFirst));
    return success();
  }
};

/// A concatenation works in the layout of the first tensor that a contraction
/// made, and the transpose follows.
struct SinkTransposeBelowConcat : public OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getResultType().hasStaticShape())
      return failure();
    // One and the same input decides, whether it is transposed or not.
    auto first = llvm::find_if(op.getInputs(), comesFromContraction);
    if (first == op.getInputs().end())
      return failure();
    auto leader = (*first).getDefiningOp<linalg::TransposeOp>();
    if (!leader || !leader.hasPureTensorSemantics())
      return failure();
    Location loc = op.getLoc();
    ArrayRef<int64_t> toResult = leader.getPermutation();
    const SmallVector<int64_t> toSource = invertPermutationVector(toResult);
    SmallVector<Value> inputs;
    for (Value input : op.getInputs())
      inputs.push_back(input == leader->getResult(0)
                           ? leader.getInput()
                           : withAxes(rewriter, loc, input, toSource));
    Value joined =
        tensor::ConcatOp::create(rewriter, loc, toResult[op.getDim()], inputs);
    rewriter.replaceOp(op, withAxes(rewriter, loc, joined, toResult));
    return success();
  }
};

/// A slice of what a contraction made is taken before the transpose.
struct SinkTransposeBelowSlice
    : public OpRewritePattern<tensor::ExtractSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto turned = op.getSource().getDefiningOp<linalg::TransposeOp>();
    if (!turned || !turned.hasPureTensorSemantics() ||
        op.getType().getRank() != op.getSourceType().getRank() ||
        !op.getType().hasStaticShape() ||
        !comesFromContraction(turned.getInput()))
      return failure();
    ArrayRef<int64_t> toResult = turned.getPermutation();
    const SmallVector<int64_t> toSource = invertPermutationVector(toResult);
    Value slice = tensor::ExtractSliceOp::create(
        rewriter, op.getLoc(), turned.getInput(),
        applyPermutation(op.getMixedOffsets(), toSource),
        applyPermutation(op.getMixedSizes(), toSource),
        applyPermutation(op.getMixedStrides(), toSource));
    rewriter.replaceOp(op, withAxes(rewriter, op.getLoc(), slice, toResult));
    return success();
  }
};

/// What a contraction made is inserted among copies of one number, as the image
/// of a transposed convolution among zeros, before the transpose.
struct SinkTransposeBelowInsert
    : public OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto turned = op.getSource().getDefiningOp<linalg::TransposeOp>();
    auto fill = op.getDest().getDefiningOp<linalg::FillOp>();
    if (!turned || !fill || !turned.hasPureTensorSemantics() ||
        op.getType().getRank() != op.getSourceType().getRank() ||
        !op.getType().hasStaticShape() ||
        !comesFromContraction(turned.getInput()))
      return failure();
    const Location loc = op.getLoc();
    ArrayRef<int64_t> toResult = turned.getPermutation();
    const SmallVector<int64_t> toSource = invertPermutationVector(toResult);
    Value empty = tensor::EmptyOp::create(
        rewriter, loc, applyPermutation(op.getType().getShape(), toSource),
        op.getType().getElementType());
    Value filled =
        linalg::FillOp::create(rewriter, loc, fill.value(), empty).result();
    Value inserted = tensor::InsertSliceOp::create(
        rewriter, loc, turned.getInput(), filled,
        applyPermutation(op.getMixedOffsets(), toSource),
        applyPermutation(op.getMixedSizes(), toSource),
        applyPermutation(op.getMixedStrides(), toSource));
    rewriter.replaceOp(op, withAxes(rewriter, loc, inserted, toResult));
    return success();
  }
};

/// An element is read where it was before the transpose.
struct ExtractThroughTranspose : public OpRewritePattern<tensor::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExtractOp op,
                                PatternRewriter &rewriter) const override {
    auto turned = op.getTensor().getDefiningOp<linalg::TransposeOp>();
    if (!turned || !turned.hasPureTensorSemantics())
      return failure();
    SmallVector<Value> indices =
        applyPermutation(SmallVector<Value>(op.getIndices()),
                         invertPermutationVector(turned.getPermutation()));
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(op, turned.getInput(),
                                                   indices);
    return success();
  }
};

/// What `made`, which reads nothing but at places made of indices, makes, with
/// its loops, and the axes of its result, in `order`. `made` has no body then,
/// and is to be erased.
static Value inOrder(RewriterBase &rewriter, linalg::GenericOp made,
                     ArrayRef<int64_t> order) {
  auto type = cast<RankedTensorType>(made.getResult(0).getType());
  Value init = tensor::EmptyOp::create(rewriter, made.getLoc(),
                                       applyPermutation(type.getShape(), order),
                                       type.getElementType());
  auto turned = linalg::GenericOp::create(
      rewriter, made.getLoc(), init.getType(), ValueRange(), init,
      rewriter.getMultiDimIdentityMap(type.getRank()),
      made.getIteratorTypesArray());
  rewriter.inlineRegionBefore(made.getRegion(), turned.getRegion(),
                              turned.getRegion().begin());
  const SmallVector<int64_t> loopOf = invertPermutationVector(order);
  turned.walk([&](linalg::IndexOp index) {
    rewriter.modifyOpInPlace(
        index, [&] { index.setDim(uint64_t(loopOf[index.getDim()])); });
  });
  return turned.getResult(0);
}

/// Whether the operation picks elements of what a contraction made, in the
/// layout of that.
static bool keepsLayout(linalg::GenericOp op) {
  const std::optional<Gather> gather = matchGather(op);
  return gather && llvm::is_sorted(gather->loops) &&
         comesFromContraction(gather->tensor);
}

/// What a body makes of indices alone, as resizing to nearest neighbours does,
/// is made in the layout that its reader wants.
struct FoldTransposeOfIndices : public OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto made = op.getInput().getDefiningOp<linalg::GenericOp>();
    if (!made || !made->hasOneUse() || made.getNumDpsInputs() != 0 ||
        made.getNumDpsInits() != 1 || made.getNumReductionLoops() != 0 ||
        !op.hasPureTensorSemantics() || !made.hasPureTensorSemantics() ||
        !made.getIndexingMapsArray()[0].isIdentity() ||
        made.payloadUsesValueFromOperand(made.getDpsInitOperand(0)) ||
        keepsLayout(made))
      return failure();
    rewriter.setInsertionPoint(made);
    rewriter.replaceOp(op, inOrder(rewriter, made, op.getPermutation()));
    rewriter.eraseOp(made);
    return success();
  }
};

/// What is picked from a contraction's result is made in the layout of that,
/// and the transpose follows.
struct SinkTransposeBelowGather : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    const std::optional<Gather> gather = matchGather(op);
    if (!gather || llvm::is_sorted(gather->loops) ||
        gather->tensor.getDefiningOp<linalg::TransposeOp>() ||
        !comesFromContraction(gather->tensor))
      return failure();
    Value turned = inOrder(rewriter, op, gather->loops);
    rewriter.replaceOp(op, withAxes(rewriter, op.getLoc(), turned,
                                    invertPermutationVector(gather->loops)));
    return success();
  }
};

/// What is made of each picked element, and takes no more room, is made of each
/// that may be picked, which are no more.
struct HoistOverGather : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!mapsElements(op) || op.getNumDpsInputs() != 1 ||
        op.hasIndexSemantics() || op.hasDynamicShape() ||
        !llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); }) ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
        // Some may never be picked, such as divisors of zero.
        !llvm::all_of(op.getBody()->without_terminator(),
                      [](Operation &part) { return isPure(&part); }))
      return failure();
    auto made = op.getInputs()[0].getDefiningOp<linalg::GenericOp>();
    std::optional<Gather> gather =
        made && made->hasOneUse() ? matchGather(made) : std::nullopt;
    if (!gather)
      return failure();
    auto picked = made.getBody()
                      ->getTerminator()
                      ->getOperand(0)
                      .getDefiningOp<tensor::ExtractOp>();
    auto from = cast<RankedTensorType>(gather->tensor.getType());
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    auto bitsOf = [](RankedTensorType tensor) {
      return tensor.getElementType().isIntOrFloat()
                 ? tensor.getElementTypeBitWidth()
                 : 64;
    };
    if (!picked || picked.getTensor() != gather->tensor ||
        bitsOf(type) > bitsOf(from) ||
        from.getNumElements() > type.getNumElements())
      return failure();
    Location loc = op.getLoc();
    const SmallVector<AffineMap> maps(
        2, rewriter.getMultiDimIdentityMap(from.getRank()));
    Value empty = tensor::EmptyOp::create(rewriter, loc, from.getShape(),
                                          type.getElementType());
    auto sooner = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), gather->tensor, empty, maps,
        SmallVector<utils::IteratorType>(size_t(from.getRank()),
                                         utils::IteratorType::parallel));
    rewriter.inlineRegionBefore(op.getRegion(), sooner.getRegion(),
                                sooner.getRegion().begin());
    auto later = linalg::GenericOp::create(
        rewriter, made.getLoc(), type, ValueRange(), op.getOutputs(),
        ArrayRef<AffineMap>(made.getIndexingMapsArray()),
        made.getIteratorTypesArray(), [&](OpBuilder &b, Location, ValueRange) {
          IRMapping mapping;
          mapping.map(gather->tensor, sooner.getResult(0));
          for (Operation &part : *made.getBody()) {
            Operation *copy = b.clone(part, mapping);
            if (&part == picked)
              copy->getResult(0).setType(type.getElementType());
          }
        });
    rewriter.replaceOp(op, later);
    return success();
  }
};

/// Slices that are inserted one behind the other into an empty tensor, until
/// that is full, are a concatenation.
struct ConcatOfInserts : public OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    auto type = op.getType();
    if (!type.hasStaticShape())
      return failure();
    SmallVector<Value> inputs;
    std::optional<int64_t> axis;
    // From the last one up.
    SmallVector<int64_t> end(type.getShape());
    for (tensor::InsertSliceOp part = op;;) {
      RankedTensorType own = part.getSourceType();
      if (own.getRank() != type.getRank() || !own.hasStaticShape() ||
          !part.hasUnitStride() ||
          llvm::any_of(part.getStaticOffsets(), ShapedType::isDynamic) ||
          part.getStaticSizes() != own.getShape())
        return failure();
      for (int64_t i = 0; i < type.getRank(); ++i) {
        const int64_t offset = part.getStaticOffsets()[i];
        if (offset == 0 && own.getDimSize(i) == type.getDimSize(i))
          continue;
        if ((axis && *axis != i) || offset + own.getDimSize(i) != end[i])
          return failure();
        axis = i;
      }
      if (!axis)
        return failure();
      end[*axis] = part.getStaticOffsets()[*axis];
      inputs.push_back(part.getSource());
      if (end[*axis] == 0) {
        if (!part.getDest().getDefiningOp<tensor::EmptyOp>())
          return failure();
        break;
      }
      part = part.getDest().getDefiningOp<tensor::InsertSliceOp>();
      if (!part || !part->hasOneUse())
        return failure();
    }
    std::reverse(inputs.begin(), inputs.end());
    rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, *axis, inputs);
    return success();
  }
};

/// A concatenation that begins with all that another one joins begins with that
/// one: as each of a dense block's layers reads what all before it made.
struct ShareBeginOfConcat : public OpRewritePattern<tensor::ConcatOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    const ValueRange inputs = op.getInputs();
    tensor::ConcatOp longest;
    for (Operation *user : inputs.front().getUsers()) {
      auto other = dyn_cast<tensor::ConcatOp>(user);
      if (!other || other == op || other->getBlock() != op->getBlock() ||
          !other->isBeforeInBlock(op) || other.getDim() != op.getDim())
        continue;
      const size_t count = other.getInputs().size();
      if (count > 1 && count < inputs.size() &&
          other.getInputs() == inputs.take_front(count) &&
          (!longest || count > longest.getInputs().size()))
        longest = other;
    }
    if (!longest)
      return failure();
    SmallVector<Value> shorter{longest.getResult()};
    llvm::append_range(shorter, inputs.drop_front(longest.getInputs().size()));
    rewriter.modifyOpInPlace(op,
                             [&] { op.getInputsMutable().assign(shorter); });
    return success();
  }
};

/// The end of an image that no window of a contraction reads need not be cut
/// off for it.
struct ReadWholeImage : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isContraction(op) || !op.hasPureTensorSemantics() ||
        op.hasDynamicShape())
      return failure();
    OpOperand *image = op.getDpsInputOperand(0);
    auto slice = image->get().getDefiningOp<tensor::ExtractSliceOp>();
    if (!slice || !slice.hasUnitStride() || !slice.hasZeroOffset() ||
        !slice.getSourceType().hasStaticShape() ||
        slice.getType().getRank() != slice.getSourceType().getRank())
      return failure();
    AffineMap map = op.getMatchingIndexingMap(image);
    for (auto [index, part, whole] :
         llvm::zip(map.getResults(), slice.getType().getShape(),
                   slice.getSourceType().getShape()))
      if (part != whole && isa<AffineDimExpr, AffineConstantExpr>(index))
        return failure();
    rewriter.modifyOpInPlace(op, [&] { image->set(slice.getSource()); });
    return success();
  }
};

/// What is transposed after padding is transposed before.
struct HoistTransposeOverPad : public OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto pad = op.getInput().getDefiningOp<tensor::PadOp>();
    if (!pad || !pad->hasOneUse() || !op.hasPureTensorSemantics() ||
        !pad.getSourceType().hasStaticShape())
      return failure();
    Value padding = pad.getConstantPaddingValue();
    if (!padding)
      return failure();
    ArrayRef<int64_t> permutation = op.getPermutation();
    rewriter.setInsertionPoint(pad);
    Value source =
        withAxes(rewriter, op.getLoc(), pad.getSource(), permutation);
    rewriter.setInsertionPoint(op);
    rewriter.replaceOpWithNewOp<tensor::PadOp>(
        op, op->getResult(0).getType(), source,
        applyPermutation(pad.getMixedLowPad(), permutation),
        applyPermutation(pad.getMixedHighPad(), permutation), padding);
    return success();
  }
};

/// A reduction on the host reads a contraction's result in any layout.
struct ReadThroughTranspose : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
        isContraction(cast<linalg::LinalgOp>(op.getOperation())))
      return failure();
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto turned = input->get().getDefiningOp<linalg::TransposeOp>();
      if (!turned || !comesFromContraction(turned.getInput()))
        continue;
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      AffineMap &map = maps[input->getOperandNumber()];
      map = AffineMap::get(
          map.getNumDims(), 0,
          applyPermutation(map.getResults(),
                           invertPermutationVector(turned.getPermutation())),
          op.getContext());
      rewriter.modifyOpInPlace(op, [&] {
        input->set(turned.getInput());
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return failure();
  }
};

/// What moves axes in groups, as they were split, moves before the split.
struct HoistTransposeOverExpand : public OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto expand = op.getInput().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || !expand->hasOneUse() || !op.hasPureTensorSemantics() ||
        !expand.getResultType().hasStaticShape() ||
        expand.getSrcType().getRank() == 0)
      return failure();
    // Axes of one element go wherever the others of their group do.
    auto type = expand.getResultType();
    SmallVector<SmallVector<int64_t>> groups;
    for (const ReassociationIndices &group : expand.getReassociationIndices())
      groups.push_back(llvm::filter_to_vector(
          group, [&](int64_t axis) { return type.getDimSize(axis) != 1; }));
    SmallVector<int64_t> wide =
        llvm::filter_to_vector(op.getPermutation(), [&](int64_t axis) {
          return type.getDimSize(axis) != 1;
        });
    SmallVector<int64_t> permutation, shape;
    SmallVector<ReassociationIndices> parts;
    auto take = [&](size_t group) {
      permutation.push_back(group);
      parts.emplace_back();
      for (int64_t axis : groups[group]) {
        parts.back().push_back(shape.size());
        shape.push_back(type.getDimSize(axis));
      }
      if (groups[group].empty()) {
        parts.back().push_back(shape.size());
        shape.push_back(1);
      }
    };
    for (auto [index, group] : llvm::enumerate(groups))
      if (group.empty())
        take(index);
    for (ArrayRef<int64_t> rest = wide; !rest.empty();) {
      const auto *group = llvm::find_if(groups, [&](ArrayRef<int64_t> group) {
        return !group.empty() && rest.take_front(group.size()) == group;
      });
      if (group == groups.end())
        return failure();
      take(group - groups.begin());
      rest = rest.drop_front(group->size());
    }
    Value turned =
        withAxes(rewriter, op.getLoc(), expand.getSrc(), permutation);
    if (shape.size() != permutation.size())
      turned = tensor::ExpandShapeOp::create(rewriter, op.getLoc(),
                                             type.clone(shape), turned, parts);
    rewriter.replaceOp(op, reshapeUnitDims(rewriter, op.getLoc(), turned,
                                           cast<RankedTensorType>(
                                               op->getResult(0).getType())));
    return success();
  }
};

/// Two transposes with axes joined between them are one, in front of that.
struct MergeOverCollapse : public OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto collapse = op.getInput().getDefiningOp<tensor::CollapseShapeOp>();
    if (!collapse || !collapse->hasOneUse() || !op.hasPureTensorSemantics() ||
        !collapse.getSrcType().hasStaticShape())
      return failure();
    auto first = collapse.getSrc().getDefiningOp<linalg::TransposeOp>();
    if (!first || !first->hasOneUse() || !first.hasPureTensorSemantics())
      return failure();
    SmallVector<ReassociationIndices> groups =
        collapse.getReassociationIndices();
    SmallVector<int64_t> permutation;
    SmallVector<ReassociationIndices> joined;
    for (int64_t axis : op.getPermutation()) {
      joined.emplace_back();
      for (int64_t part : groups[axis]) {
        joined.back().push_back(permutation.size());
        permutation.push_back(first.getPermutation()[part]);
      }
    }
    Value turned =
        withAxes(rewriter, op.getLoc(), first.getInput(), permutation);
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        op, op->getResult(0).getType(), turned, joined);
    return success();
  }
};

/// A transpose that leaves the order of all axes above one element as it is, is
/// a reshape.
struct ReshapeForTranspose : public OpRewritePattern<linalg::TransposeOp> {
  /// Where two transposes meet they merge first.
  explicit ReshapeForTranspose(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/0) {}

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
    if (!op.hasPureTensorSemantics() || !type || !type.hasStaticShape() ||
        type.getRank() == 0)
      return failure();
    auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
    SmallVector<int64_t> wide;
    for (int64_t axis : op.getPermutation())
      if (type.getDimSize(axis) != 1)
        wide.push_back(axis);
    if (!llvm::is_sorted(wide))
      return failure();
    rewriter.replaceOp(
        op, reshapeUnitDims(rewriter, op.getLoc(), op.getInput(), resultType));
    return success();
  }
};
} // namespace

void fadiff::populateLayoutPatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns
      .add<ChannelsLast, SinkTranspose, ReadThroughTranspose,
           SinkTransposeBelowConcat, SinkTransposeBelowSlice,
           SinkTransposeBelowInsert, ExtractThroughTranspose,
           FoldTransposeOfIndices, SinkTransposeBelowGather, HoistOverGather,
           ReadWholeImage, ConcatOfInserts, ShareBeginOfConcat,
           SinkTransposeBelowPool<linalg::PoolingNchwMaxOp,
                                  linalg::PoolingNhwcMaxOp>,
           SinkTransposeBelowPool<linalg::PoolingNchwSumOp,
                                  linalg::PoolingNhwcSumOp>>(context);
  populateMergeTransposesPatterns(patterns);
}

void fadiff::populateMergeTransposesPatterns(RewritePatternSet &patterns) {
  patterns.add<HoistTransposeOverExpand, HoistTransposeOverPad,
               MergeOverCollapse, ReshapeForTranspose>(patterns.getContext());
  linalg::TransposeOp::getCanonicalizationPatterns(patterns,
                                                   patterns.getContext());
}
