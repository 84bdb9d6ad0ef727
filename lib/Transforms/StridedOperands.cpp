//===- StridedOperands.cpp - Tensors that are read where they lie ---------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer walks its operands with a stride per axis, in any order of axes as
// long as channels are innermost. So a contraction reads what is transposed or
// repeated for it where it lies, by its indexing maps, and writes its result as
// the transpose behind it would leave it. Attention is made of such transposes:
// heads are split off the channels and become the batch of a matrix product.
//
// This ends: each application takes a transpose, or a repetition, off the way
// into or out of a contraction and makes none, or moves one down past padding.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

namespace {
/// A tensor that holds the elements of another one in another order of axes.
struct Moved {
  Value source;
  /// For each axis of the other tensor the axis of `source` along which its
  /// elements lie; -1 for axes of one element.
  SmallVector<int64_t> axes;
  unsigned transposes = 0;
};
} // namespace

/// What stands in front of the transposes of `value`, looking through reshapes
/// that add or drop axes of one element; all of it used once if `usedOnce`.
/// Null if nothing is transposed.
static std::optional<Moved> beforeTransposes(Value value, bool usedOnce) {
  auto type = cast<RankedTensorType>(value.getType());
  Moved at{value, {}};
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    at.axes.push_back(type.getDimSize(axis) == 1 ? -1 : axis);
  std::optional<Moved> found;
  for (;;) {
    Operation *def = at.source.getDefiningOp();
    const std::optional<SmallVector<int64_t>> axisOf = axesBeforeMove(def);
    if (!axisOf)
      return found;
    Value source = def->getOperand(0);
    if (!cast<RankedTensorType>(source.getType()).hasStaticShape() ||
        (usedOnce && !source.hasOneUse()))
      return found;
    at.source = source;
    for (int64_t &axis : at.axes)
      if (axis >= 0)
        axis = (*axisOf)[axis];
    at.transposes += isa<linalg::TransposeOp>(def);
    if (at.transposes > 0)
      found = at;
  }
}

/// The order in which `from` has the axes of a tensor, those of one element
/// first.
static SmallVector<int64_t> orderIn(const Moved &from) {
  SmallVector<int64_t> order, wide;
  for (auto [axis, source] : llvm::enumerate(from.axes))
    (source < 0 ? order : wide).push_back(axis);
  llvm::sort(wide,
             [&](int64_t a, int64_t b) { return from.axes[a] < from.axes[b]; });
  llvm::append_range(order, wide);
  return order;
}

/// Whether `from` has the axes of more than one element in another order, but
/// the same one innermost.
static bool isStrided(const Moved &from) {
  SmallVector<int64_t> wide;
  for (int64_t axis : from.axes)
    if (axis >= 0)
      wide.push_back(axis);
  return !llvm::is_sorted(wide) && wide.back() == *llvm::max_element(wide);
}

/// `map` with its results in the order of `axes`.
static AffineMap permuted(AffineMap map, ArrayRef<int64_t> axes) {
  return AffineMap::get(map.getNumDims(), 0,
                        applyPermutation(map.getResults(), axes),
                        map.getContext());
}

static RankedTensorType permuted(RankedTensorType type,
                                 ArrayRef<int64_t> axes) {
  return type.clone(applyPermutation(type.getShape(), axes));
}

/// `init`, from which sums start, with axis axes[i] as axis i; null if that
/// would have to be moved.
static Value permuteInit(OpBuilder &builder, Value init,
                         ArrayRef<int64_t> axes) {
  const Location loc = init.getLoc();
  auto type = permuted(cast<RankedTensorType>(init.getType()), axes);
  DenseElementsAttr constant;
  if (matchPattern(init, m_Constant(&constant)) && constant.isSplat())
    return arith::ConstantOp::create(builder, loc, constant.resizeSplat(type));
  auto empty = [&]() -> Value {
    return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                   type.getElementType());
  };
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    return linalg::FillOp::create(builder, loc, fill.value(), empty())
        .getResult(0);
  auto broadcast = init.getDefiningOp<linalg::BroadcastOp>();
  if (!broadcast || broadcast.getInput().getType().getRank() > 1)
    return {};
  SmallVector<int64_t> repeated;
  for (auto [position, axis] : llvm::enumerate(axes))
    if (llvm::is_contained(broadcast.getDimensions(), axis))
      repeated.push_back(position);
  return linalg::BroadcastOp::create(builder, loc, broadcast.getInput(),
                                     empty(), repeated)
      ->getResult(0);
}

namespace {
/// A factor of a contraction is read as it lies before it is transposed.
struct ReadBeforeTranspose
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isContraction(op) || !op.hasPureTensorSemantics() ||
        op.hasDynamicShape())
      return failure();
    for (OpOperand *factor : op.getDpsInputOperands()) {
      std::optional<Moved> from =
          beforeTransposes(factor->get(), /*usedOnce=*/false);
      if (!from || !isStrided(*from))
        continue;
      const SmallVector<int64_t> axes = orderIn(*from);
      SmallVector<Value> operands(op->getOperands());
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      const unsigned index = factor->getOperandNumber();
      auto type = cast<RankedTensorType>(factor->get().getType());
      operands[index] = reshapeUnitDims(rewriter, op.getLoc(), from->source,
                                        permuted(type, axes));
      maps[index] = permuted(maps[index], axes);
      rewriter.replaceOp(op, contractionOn(rewriter, op, operands, maps));
      return success();
    }
    return failure();
  }
};

/// Transposes with nothing but axes of one element between them are one.
struct MergeTransposes : public OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (!type.hasStaticShape())
      return failure();
    std::optional<Moved> from =
        beforeTransposes(op->getResult(0), /*usedOnce=*/false);
    if (!from || from->transposes < 2)
      return failure();
    const SmallVector<int64_t> axes = orderIn(*from);
    Value source = reshapeUnitDims(rewriter, op.getLoc(), from->source,
                                   permuted(type, axes));
    rewriter.replaceOpWithNewOp<linalg::TransposeOp>(
        op, source, op.getInit(), invertPermutationVector(axes));
    return success();
  }
};

/// What a matrix product reads padded is padded before it is transposed, so
/// that the product can read it where it lies.
struct PadBeforeTranspose : public OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    auto turned = op.getSource().getDefiningOp<linalg::TransposeOp>();
    Value padding = op.getConstantPaddingValue();
    if (!turned || !turned.hasPureTensorSemantics() || !padding ||
        !op.getSourceType().hasStaticShape() ||
        !op.getResultType().hasStaticShape() ||
        !llvm::all_of(op->getUsers(), [](Operation *user) {
          auto product = dyn_cast<linalg::LinalgOp>(user);
          return product && isContraction(product) &&
                 llvm::all_of(product.getIndexingMapsArray(),
                              [](AffineMap map) {
                                return map.isProjectedPermutation();
                              });
        }))
      return failure();
    ArrayRef<int64_t> axes = turned.getPermutation();
    if (axes.back() + 1 != int64_t(axes.size()))
      return failure();
    const SmallVector<int64_t> inverse = invertPermutationVector(axes);
    Value padded = tensor::PadOp::create(
        rewriter, op.getLoc(), permuted(op.getResultType(), inverse),
        turned.getInput(), applyPermutation(op.getMixedLowPad(), inverse),
        applyPermutation(op.getMixedHighPad(), inverse), padding);
    Value init = tensor::EmptyOp::create(rewriter, op.getLoc(),
                                         op.getResultType().getShape(),
                                         op.getResultType().getElementType());
    rewriter.replaceOpWithNewOp<linalg::TransposeOp>(op, padded, init, axes);
    return success();
  }
};

/// A contraction, and the elementwise operations behind it, write their results
/// as they lie after they are transposed.
struct WriteTransposed : public OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    if (!type.hasStaticShape())
      return failure();
    std::optional<Moved> from =
        beforeTransposes(op->getResult(0), /*usedOnce=*/true);
    if (!from || !isStrided(*from))
      return failure();
    SmallVector<linalg::GenericOp> tail;
    linalg::LinalgOp contraction = contractionBehind(from->source, tail);
    if (!contraction)
      return failure();
    // The axes of the sums in the order of the transpose's result.
    auto sums = cast<RankedTensorType>(from->source.getType());
    SmallVector<int64_t> axes, wide;
    for (auto [axis, extent] : llvm::enumerate(sums.getShape()))
      if (extent == 1)
        axes.push_back(axis);
    for (int64_t axis : from->axes)
      if (axis >= 0)
        wide.push_back(axis);
    llvm::append_range(axes, wide);

    rewriter.setInsertionPoint(contraction);
    SmallVector<Value> operands(contraction->getOperands());
    SmallVector<AffineMap> maps = contraction.getIndexingMapsArray();
    operands.back() = permuteInit(rewriter, operands.back(), axes);
    if (!operands.back())
      return failure();
    maps.back() = permuted(maps.back(), axes);
    Value value = contractionOn(rewriter, contraction, operands, maps);
    Value before = contraction->getResult(0);
    for (linalg::GenericOp part : llvm::reverse(tail)) {
      rewriter.setInsertionPoint(part);
      value = permuteLoops(rewriter, part, before, value, axes);
      before = part.getResult(0);
    }
    rewriter.setInsertionPoint(op);
    rewriter.replaceOp(op, reshapeUnitDims(rewriter, op.getLoc(), value, type));
    return success();
  }

private:
  /// The contraction from whose sums `value` is made by operations that work
  /// element by element, which are appended to `tail` from the last one up.
  /// Nobody else reads what lies in between. Null if there is none.
  static linalg::LinalgOp
  contractionBehind(Value value, SmallVectorImpl<linalg::GenericOp> &tail) {
    while (value.hasOneUse()) {
      auto op = value.getDefiningOp<linalg::LinalgOp>();
      if (!op || !op.hasPureTensorSemantics() || op.hasDynamicShape())
        return {};
      if (isContraction(op))
        return op;
      auto part = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!part || !mapsElements(op) || op.hasIndexSemantics() ||
          op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
          !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
        return {};
      Value chain;
      for (OpOperand *input : op.getDpsInputOperands()) {
        AffineMap map = op.getMatchingIndexingMap(input);
        if (map.getNumResults() < map.getNumDims())
          continue; // a bias, say
        if (chain || !map.isIdentity())
          return {};
        chain = input->get();
      }
      if (!chain)
        return {};
      tail.push_back(part);
      value = chain;
    }
    return {};
  }

  /// Elementwise `op` on `now` instead of `before`, with loop axes[i] as its
  /// loop i.
  static Value permuteLoops(RewriterBase &rewriter, linalg::GenericOp op,
                            Value before, Value now, ArrayRef<int64_t> axes) {
    MLIRContext *context = rewriter.getContext();
    SmallVector<AffineExpr> loops(axes.size());
    for (auto [position, axis] : llvm::enumerate(axes))
      loops[axis] = getAffineDimExpr(position, context);
    SmallVector<Value> inputs(op.getInputs());
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (auto [value, map] : llvm::zip(inputs, maps)) {
      if (value == before)
        value = now;
      map = map.isIdentity() ? map
                             : map.replaceDimsAndSymbols(loops, {}, axes.size(),
                                                         /*numResultSyms=*/0);
    }
    auto type =
        permuted(cast<RankedTensorType>(op.getResult(0).getType()), axes);
    Value init = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                         type.getElementType());
    auto moved =
        linalg::GenericOp::create(rewriter, op.getLoc(), type, inputs, init,
                                  maps, op.getIteratorTypesArray());
    moved->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.cloneRegionBefore(op.getRegion(), moved.getRegion(),
                               moved.getRegion().begin());
    return moved.getResult(0);
  }
};

/// Weights that are the same for a whole batch are read by an indexing map that
/// does not name it, whether they are repeated or the batch is one: products of
/// a batch with one matrix are one product.
struct ShareWeights : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  ShareWeights(MLIRContext *context, bool ofUnitBatches)
      : OpInterfaceRewritePattern(context), ofUnitBatches(ofUnitBatches) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!(isContraction(op) || multipliesBytes(op)) ||
        !op.hasPureTensorSemantics() || op.hasDynamicShape())
      return failure();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    if (!llvm::all_of(
            maps, [](AffineMap map) { return map.isProjectedPermutation(); }))
      return failure();
    Value weights = op->getOperand(1);
    auto type = cast<RankedTensorType>(weights.getType());
    auto broadcast = weights.getDefiningOp<linalg::BroadcastOp>();
    if (broadcast ? !broadcast.hasPureTensorSemantics() : !ofUnitBatches)
      return failure();
    // The other factor and the result must still run along the loop.
    auto isShared = [&](int64_t axis) {
      const unsigned loop =
          cast<AffineDimExpr>(maps[1].getResult(axis)).getPosition();
      return maps[0].isFunctionOfDim(loop) && maps[2].isFunctionOfDim(loop);
    };
    SmallVector<AffineExpr> indices;
    SmallVector<int64_t> shape;
    for (auto [axis, index] : llvm::enumerate(maps[1].getResults())) {
      const bool isRepeated =
          broadcast
              ? llvm::is_contained(broadcast.getDimensions(), int64_t(axis))
              : type.getDimSize(axis) == 1 && isShared(axis);
      if (isRepeated && !isShared(axis))
        return failure();
      if (isRepeated)
        continue;
      indices.push_back(index);
      shape.push_back(type.getDimSize(axis));
    }
    if (indices.size() == maps[1].getNumResults())
      return failure();
    SmallVector<Value> operands(op->getOperands());
    operands[1] = broadcast ? broadcast.getInput()
                            : reshapeUnitDims(rewriter, op.getLoc(), weights,
                                              type.clone(shape));
    maps[1] = AffineMap::get(maps[1].getNumDims(), 0, indices, op.getContext());
    rewriter.replaceOp(op, contractionOn(rewriter, op, operands, maps));
    return success();
  }

private:
  bool ofUnitBatches;
};
} // namespace

void fadiff::populateShareWeightsPatterns(RewritePatternSet &patterns,
                                          bool ofUnitBatches) {
  patterns.add<ShareWeights>(patterns.getContext(), ofUnitBatches);
}

void fadiff::populateStridedOperandsPatterns(RewritePatternSet &patterns) {
  patterns.add<MergeTransposes, PadBeforeTranspose, ReadBeforeTranspose,
               WriteTransposed>(patterns.getContext());
}
