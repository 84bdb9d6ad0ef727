//===- Normalize.cpp - Front ends' spellings to one form ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "SumPools.h"
#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "fadiff/Transforms/Passes.h"
#include "fadiff/Transforms/WidenSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

namespace fadiff {
#define GEN_PASS_DEF_NORMALIZEPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;

bool fadiff::mapsElements(linalg::LinalgOp op) {
  return op && op.hasPureTensorSemantics() && op.getNumReductionLoops() == 0 &&
         op.getNumDpsInits() == 1;
}

/// Whether `input` runs along all of op's loops, in their order.
static bool isAsLargeAsResult(linalg::LinalgOp op, OpOperand *input) {
  AffineMap map = op.getMatchingIndexingMap(input);
  return map.getNumDims() > 0 && map.isIdentity();
}

/// Adds the loops that `value`, of `op`'s body, is made of; false if anything
/// but indices and constants is.
static bool addLoops(linalg::GenericOp op, Value value,
                     llvm::SmallSetVector<int64_t, 2> &loops) {
  if (matchPattern(value, m_Constant()))
    return true;
  Operation *part = value.getDefiningOp();
  if (auto index = dyn_cast_or_null<linalg::IndexOp>(part)) {
    loops.insert(int64_t(index.getDim()));
    return true;
  }
  return part && part->getBlock() == op.getBody() &&
         part->getNumRegions() == 0 &&
         llvm::all_of(part->getOperands(),
                      [&](Value v) { return addLoops(op, v, loops); });
}

std::optional<Gather> fadiff::matchGather(linalg::GenericOp op) {
  if (!mapsElements(op) || op.getNumDpsInputs() != 0 || op.hasDynamicShape() ||
      !op.getIndexingMapsArray()[0].isIdentity() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return std::nullopt;
  Gather gather;
  for (auto extract : op.getBody()->getOps<tensor::ExtractOp>()) {
    Value tensor = extract.getTensor();
    if (matchPattern(tensor, m_Constant()))
      continue;
    if (!cast<RankedTensorType>(tensor.getType()).hasStaticShape())
      return std::nullopt;
    if (!gather.tensor) {
      gather.tensor = tensor;
      gather.loops.assign(extract.getIndices().size(), -1);
    }
    if (gather.tensor != tensor || gather.loops.size() != op.getNumLoops())
      return std::nullopt;
    for (auto [axis, index] : llvm::enumerate(extract.getIndices())) {
      llvm::SmallSetVector<int64_t, 2> loops;
      if (!addLoops(op, index, loops) || loops.size() > 1 ||
          (!loops.empty() && gather.loops[axis] >= 0 &&
           gather.loops[axis] != loops[0]))
        return std::nullopt;
      if (!loops.empty())
        gather.loops[axis] = loops[0];
    }
  }
  if (!gather.tensor)
    return std::nullopt;
  // Always the same place along an axis: with a loop of one trip.
  const SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (int64_t &loop : gather.loops)
    for (int64_t other = 0; loop < 0 && other < int64_t(ranges.size()); ++other)
      if (ranges[size_t(other)] == 1 &&
          !llvm::is_contained(gather.loops, other))
        loop = other;
  if (!isPermutationVector(gather.loops))
    return std::nullopt;
  return gather;
}

bool fadiff::comesFromContraction(Value value) {
  llvm::SmallSetVector<Value, 8> values;
  values.insert(value);
  for (size_t next = 0; next < values.size(); ++next) {
    Operation *def = values[next].getDefiningOp();
    if (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                        tensor::ExtractSliceOp, tensor::InsertSliceOp,
                        linalg::TransposeOp>(def))
      values.insert(def->getOperand(0));
    if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(def))
      values.insert(concat.getInputs().begin(), concat.getInputs().end());
    // Of what it pools, a pool may read a padded copy.
    if (isa_and_nonnull<linalg::PoolingNchwMaxOp, linalg::PoolingNhwcMaxOp,
                        linalg::PoolingNchwSumOp, linalg::PoolingNhwcSumOp>(
            def)) {
      Value source = def->getOperand(0);
      if (auto pad = source.getDefiningOp<tensor::PadOp>())
        source = pad.getSource();
      values.insert(source);
    }
    if (auto generic = dyn_cast_or_null<linalg::GenericOp>(def))
      if (std::optional<Gather> gather = matchGather(generic))
        values.insert(gather->tensor);
    auto op = dyn_cast_or_null<linalg::LinalgOp>(def);
    if (!op)
      continue;
    if (isContraction(op) || hasZeroPoints(op) || multipliesBytes(op))
      return true;
    if (!mapsElements(op))
      continue;
    for (OpOperand *input : op.getDpsInputOperands())
      if (isAsLargeAsResult(op, input))
        values.insert(input->get());
  }
  return false;
}

/// Whether `use` is the operand of an elementwise operation whose reshapes move
/// behind the operation: the first one that comes from a contraction or, if
/// none does, the only one that is as large as the result.
///
/// It must be one, and the same one after a rewrite. Where two operands come
/// from contractions, a reshape of one that moves behind the operation leaves
/// its inverse on the other, and moving that one undoes the first.
///
/// Since only reshapes of such operands move, and they only move down, this
/// ends: let the path of an elementwise operation be the way up from its result
/// through such operands. A rewrite takes one reshape off the
/// path of the operation that it moves behind. Paths from further down that
/// lead through that operation now have the reshape below instead of above it.
/// The inverses that it leaves are on other operands, so on no path. Composing
/// and folding reshapes adds none. So the sum of the numbers of reshapes on all
/// paths falls with every move. Only where an operand becomes as large as the
/// result (a bias, when unit dims go) paths may change; there are fewer
/// operands that are smaller then, and no rewrite makes more of them.
static bool isMovedFrom(OpOperand *use) {
  auto op = dyn_cast<linalg::LinalgOp>(use->getOwner());
  if (!mapsElements(op) || !op.isDpsInput(use) || !isAsLargeAsResult(op, use))
    return false;
  bool isOnlyOne = true;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!isAsLargeAsResult(op, input))
      continue;
    if (comesFromContraction(input->get()))
      return input == use;
    isOnlyOne &= input == use;
  }
  return isOnlyOne;
}

/// A constant that differs along channels only is a bias: of result axis
/// `axis`, as a vector. Null if it is something else.
template <typename NumberT>
static DenseElementsAttr alongAxisOf(DenseElementsAttr constant,
                                     RankedTensorType flat, int64_t inner) {
  const int64_t extent = flat.getDimSize(0);
  auto all = constant.getValues<NumberT>();
  std::vector<NumberT> values(extent, *all.begin());
  for (auto [position, value] : llvm::enumerate(all)) {
    int64_t channel = static_cast<int64_t>(position) / inner % extent;
    if (static_cast<int64_t>(position) < extent * inner &&
        static_cast<int64_t>(position) % inner == 0)
      values[channel] = value;
    else if (values[channel] != value)
      return {};
  }
  return DenseElementsAttr::get(flat, values);
}

static DenseElementsAttr alongAxis(DenseElementsAttr constant, unsigned axis) {
  auto type = cast<RankedTensorType>(constant.getType());
  int64_t extent = type.getDimSize(axis), inner = 1;
  for (int64_t i = axis + 1; i < type.getRank(); ++i)
    inner *= type.getDimSize(i);
  auto flat = RankedTensorType::get({extent}, type.getElementType());
  if (constant.isSplat())
    return constant.resizeSplat(flat);
  return isa<FloatType>(type.getElementType())
             ? alongAxisOf<APFloat>(constant, flat, inner)
             : alongAxisOf<APInt>(constant, flat, inner);
}

/// Whether an array sums in `type`.
static bool isSum(Type type) { return type.isInteger(32) || type.isF32(); }

static bool isZero(DenseElementsAttr constant) {
  if (!constant.isSplat())
    return false;
  Attribute value = constant.getSplatValue<Attribute>();
  if (auto real = dyn_cast<FloatAttr>(value))
    return real.getValue().isZero();
  return cast<IntegerAttr>(value).getValue().isZero();
}

DenseElementsAttr fadiff::initAlongAxis(Value init, unsigned axis) {
  auto type = dyn_cast<RankedTensorType>(init.getType());
  if (!type || !isSum(type.getElementType()))
    return {};
  DenseElementsAttr constant;
  if (matchPattern(init, m_Constant(&constant)))
    return alongAxis(constant, axis);
  auto flat =
      RankedTensorType::get({type.getDimSize(axis)}, type.getElementType());
  Attribute value;
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    return matchPattern(fill.getInputs()[0], m_Constant(&value))
               ? DenseElementsAttr::get(flat, value)
               : DenseElementsAttr();
  // One element, read everywhere.
  auto source = init.getDefiningOp<linalg::LinalgOp>();
  if (!source || !mapsElements(source) || source.getNumDpsInputs() != 1 ||
      source.getBlock()->getTerminator()->getOperand(0) !=
          source.getMatchingBlockArgument(source.getDpsInputOperand(0)) ||
      !matchPattern(source.getDpsInputs()[0], m_Constant(&constant)) ||
      !constant.isSplat())
    return {};
  return constant.resizeSplat(flat);
}

Value fadiff::broadcastAlongAxis(OpBuilder &builder, Location loc, Value vector,
                                 Type type, unsigned axis) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> others;
  for (int64_t i = 0; i < tensor.getRank(); ++i)
    if (i != axis)
      others.push_back(i);
  Value empty = tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                        tensor.getElementType());
  return linalg::BroadcastOp::create(builder, loc, vector, empty, others)
      ->getResult(0);
}

std::optional<int64_t> fadiff::wideAxis(RankedTensorType type,
                                        const ReassociationIndices &group) {
  std::optional<int64_t> wide;
  for (int64_t axis : group) {
    if (type.getDimSize(axis) == 1)
      continue;
    if (wide)
      return std::nullopt;
    wide = axis;
  }
  return wide ? wide : group.front();
}

std::optional<SmallVector<int64_t>> fadiff::axesBeforeMove(Operation *op) {
  SmallVector<int64_t> axes;
  if (auto turned = dyn_cast_or_null<linalg::TransposeOp>(op);
      turned && turned.hasPureTensorSemantics())
    return llvm::to_vector(turned.getPermutation());
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op)) {
    for (const ReassociationIndices &group :
         collapse.getReassociationIndices()) {
      std::optional<int64_t> axis = wideAxis(collapse.getSrcType(), group);
      if (!axis)
        return std::nullopt;
      axes.push_back(*axis);
    }
    return axes;
  }
  auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op);
  if (!expand || expand.getSrcType().getRank() == 0)
    return std::nullopt;
  for (auto [axis, group] : llvm::enumerate(expand.getReassociationIndices())) {
    std::optional<int64_t> wide = wideAxis(expand.getResultType(), group);
    if (!wide)
      return std::nullopt;
    for (int64_t part : group)
      axes.push_back(part == *wide ? int64_t(axis) : -1);
  }
  return axes;
}

bool fadiff::isSimpleReshape(Operation *op) {
  auto simple = [](ArrayRef<int64_t> shape,
                   ArrayRef<ReassociationIndices> groups) {
    return llvm::all_of(groups, [&](const ReassociationIndices &group) {
      return llvm::count_if(
                 group, [&](int64_t axis) { return shape[axis] != 1; }) <= 1;
    });
  };
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    return simple(expand.getResultType().getShape(),
                  expand.getReassociationIndices());
  auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op);
  if (!collapse)
    return false;
  if (simple(collapse.getSrcType().getShape(),
             collapse.getReassociationIndices()))
    return true;
  auto source = collapse.getSrc().getDefiningOp<linalg::LinalgOp>();
  return source && (isContraction(source) || hasZeroPoints(source)) &&
         collapse.getSrcType().getRank() ==
             collapse.getResultType().getRank() + 1;
}

namespace {
/// A vector that is repeated along axes of which those of one element are
/// dropped is repeated along the others.
struct CollapseOfBroadcast : public OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto broadcast = op.getSrc().getDefiningOp<linalg::BroadcastOp>();
    if (!broadcast || !broadcast.hasPureTensorSemantics() ||
        broadcast.getInput().getType().getRank() != 1 ||
        !op.getSrcType().hasStaticShape())
      return failure();
    SmallVector<int64_t> repeated;
    for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
      std::optional<int64_t> wide = wideAxis(op.getSrcType(), group);
      if (!wide)
        return failure();
      if (llvm::is_contained(broadcast.getDimensions(), *wide))
        repeated.push_back(axis);
    }
    RankedTensorType type = op.getResultType();
    if (int64_t(repeated.size()) + 1 != type.getRank())
      return failure();
    Value init = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                         type.getElementType());
    rewriter.replaceOpWithNewOp<linalg::BroadcastOp>(op, broadcast.getInput(),
                                                     init, repeated);
    return success();
  }
};

/// An operand of an elementwise op that is a vector but for unit dims, such as
/// a bias of 1x1x1xK, becomes that vector.
struct SqueezeBroadcastOperand
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic || !mapsElements(op) || op.hasDynamicShape())
      return failure();
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto type = dyn_cast<RankedTensorType>(input->get().getType());
      AffineMap map = op.getMatchingIndexingMap(input);
      if (!type || type.getRank() < 2 || map.isIdentity())
        continue;
      AffineExpr along;
      unsigned wide = 0;
      for (auto [axis, extent] : llvm::enumerate(type.getShape()))
        if (extent != 1) {
          along = map.getResult(axis);
          ++wide;
        }
      if (wide != 1 || !isa<AffineDimExpr>(along))
        continue;
      rewriter.setInsertionPoint(op);
      Value vector = flatten(rewriter, op.getLoc(), input->get());
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      maps[op.getIndexingMapIndex(input)] =
          AffineMap::get(map.getNumDims(), 0, along);
      rewriter.modifyOpInPlace(op, [&] {
        input->set(vector);
        generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return failure();
  }
};

/// Elementwise operations on `tensor.expand_shape` that only adds unit dims
/// work on its source, and the expansion follows them (isMovedFrom() says why
/// this ends). Upstream's collapsing of
/// loops stops at a bias, which is read along one axis of a group only.
struct SinkUnitExpand : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    if (!mapsElements(linalgOp) || linalgOp.hasDynamicShape() ||
        linalgOp.hasIndexSemantics())
      return failure();
    tensor::ExpandShapeOp expand;
    for (OpOperand *input : linalgOp.getDpsInputOperands()) {
      auto candidate = input->get().getDefiningOp<tensor::ExpandShapeOp>();
      if (candidate && isSimpleReshape(candidate) && isMovedFrom(input))
        expand = candidate;
    }
    OpOperand *initUse = linalgOp.getDpsInitOperand(0);
    // No operation goes without loops: AddUnitLoops would give them back.
    if (expand && expand.getSrcType().getRank() == 0)
      return failure();
    if (!expand || !linalgOp.getMatchingIndexingMap(initUse).isIdentity())
      return failure();
    SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
    ArrayRef<int64_t> shape = expand.getResultType().getShape();
    // The loop that stands for each group; the group's others make one trip.
    unsigned loops = groups.size();
    SmallVector<AffineExpr> renamed(shape.size());
    for (auto [loop, group] : llvm::enumerate(groups)) {
      int64_t kept = group.front();
      for (int64_t axis : group)
        if (shape[axis] != 1)
          kept = axis;
      renamed[kept] = rewriter.getAffineDimExpr(loop);
    }
    SmallVector<Value> operands;
    SmallVector<AffineMap> maps;
    for (OpOperand &operand : op->getOpOperands()) {
      AffineMap map = linalgOp.getMatchingIndexingMap(&operand);
      auto type = dyn_cast<RankedTensorType>(operand.get().getType());
      if (type && map.isIdentity()) {
        operands.push_back(operand.get());
        maps.push_back(rewriter.getMultiDimIdentityMap(loops));
        continue;
      }
      operands.push_back(operand.get());
      SmallVector<AffineExpr> all(renamed);
      for (AffineExpr &expr : all)
        if (!expr)
          expr = rewriter.getAffineConstantExpr(0);
      maps.push_back(map.replaceDimsAndSymbols(all, {}, loops, 0));
    }
    Location loc = op.getLoc();
    for (auto [value, map] : llvm::zip(operands, maps)) {
      auto type = dyn_cast<RankedTensorType>(value.getType());
      if (type && map.isIdentity() && type.getShape() == shape)
        value =
            value == expand.getResult()
                ? expand.getSrc()
                : tensor::CollapseShapeOp::create(rewriter, loc, value, groups)
                      .getResult();
    }
    Value init = operands.pop_back_val();
    auto sunk = linalg::GenericOp::create(
        rewriter, loc, init.getType(), operands, ValueRange{init}, maps,
        SmallVector<utils::IteratorType>(loops, utils::IteratorType::parallel));
    rewriter.inlineRegionBefore(op.getRegion(), sunk.getRegion(),
                                sunk.getRegion().begin());
    rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(
        op, op->getResult(0).getType(), sunk.getResult(0), groups);
    return success();
  }
};

/// What only writes its result depends on no tensor that it writes over: a
/// layer has no operand for one. Each application leaves one init less that is
/// not a tensor.empty.
struct StartFromEmpty : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!mapsElements(op) || op.hasDynamicShape())
      return failure();
    OpOperand *init = op.getDpsInitOperand(0);
    auto type = dyn_cast<RankedTensorType>(init->get().getType());
    if (!type || init->get().getDefiningOp<tensor::EmptyOp>() ||
        op.payloadUsesValueFromOperand(init))
      return failure();
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(), type.getShape(), type.getElementType());
    rewriter.modifyOpInPlace(op, [&] { init->set(empty); });
    return success();
  }
};

/// A generic that only fills, moves, repeats or pools elements becomes the
/// named operation that does. Upstream's pass would also name contractions, and
/// writes some of those with operands transposed as operations that do not
/// verify.
struct NameMoveOrPool : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() ||
        !(linalg::isaFillOpInterface(op) ||
          linalg::isaTransposeOpInterface(op) ||
          linalg::isaBroadcastOpInterface(op) || isPooling(op)))
      return failure();
    return linalg::specializeGenericOp(rewriter, op);
  }

private:
  static bool isPooling(linalg::GenericOp op) {
    return isOneOf<linalg::PoolingNhwcMaxOp, linalg::PoolingNchwMaxOp,
                   linalg::PoolingNhwcSumOp, linalg::PoolingNchwSumOp>(op);
  }

  template <typename... PoolT> static bool isOneOf(linalg::GenericOp op) {
    SmallVector<int64_t> dilations, strides;
    return (linalg::isaConvolutionOpOfType<PoolT>(op, &dilations, &strides) ||
            ...);
  }
};

/// Pooling of one image without an axis for it gets one, as named pooling has.
struct AddBatchOfPool : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    if (!op.hasPureTensorSemantics() || linalgOp.hasDynamicShape() ||
        op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
        op.getNumLoops() != 5 || op.getBody()->getOperations().size() != 2)
      return failure();
    FailureOr<linalg::ConvolutionDimensions> dims = convolutionDims(linalgOp);
    if (failed(dims) || dims->outputImage.size() != 2 ||
        dims->filterLoop.size() != 2 || dims->batch.size() != 1)
      return failure();
    const Location loc = op.getLoc();
    auto expanded = [&](Value value) -> Value {
      auto type = cast<RankedTensorType>(value.getType());
      SmallVector<int64_t> shape(type.getShape());
      shape.insert(shape.begin(), 1);
      return reshapeUnitDims(rewriter, loc, value, type.clone(shape));
    };
    MLIRContext *context = op.getContext();
    auto withBatch = [&](AffineMap map) {
      map = map.shiftDims(1);
      return map.insertResult(getAffineDimExpr(0, context), 0);
    };
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    maps = {withBatch(maps[0]), maps[1].shiftDims(1), withBatch(maps[2])};
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    iterators.insert(iterators.begin(), utils::IteratorType::parallel);
    Value init = expanded(op.getOutputs()[0]);
    auto pool = linalg::GenericOp::create(
        rewriter, loc, init.getType(),
        ValueRange{expanded(op.getInputs()[0]), op.getInputs()[1]}, init, maps,
        iterators);
    rewriter.inlineRegionBefore(op.getRegion(), pool.getRegion(),
                                pool.getRegion().begin());
    rewriter.replaceOp(
        op, reshapeUnitDims(rewriter, loc, pool.getResult(0),
                            cast<RankedTensorType>(op.getResult(0).getType())));
    return success();
  }
};

/// Named elementwise operations become the generic that what follows looks for.
/// Each application leaves one of them less.
struct GeneralizeElementwise
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!mapsElements(op) ||
        isa<linalg::GenericOp, linalg::FillOp, linalg::CopyOp,
            linalg::TransposeOp, linalg::BroadcastOp>(op.getOperation()))
      return failure();
    return linalg::generalizeNamedOp(rewriter, op);
  }
};

/// An axis of one element that is read at index 0 is read along the result's
/// loop there if that makes one trip: torch writes 0 for a batch of one. Each
/// application leaves one constant index less.
struct IndexUnitAxis : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    if (!mapsElements(linalgOp) || linalgOp.hasDynamicShape())
      return failure();
    SmallVector<int64_t> ranges = linalgOp.getStaticLoopRanges();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    ArrayRef<AffineExpr> out = maps.back().getResults();
    bool changed = false;
    for (AffineMap &map : MutableArrayRef(maps).drop_back()) {
      if (map.getNumResults() != out.size())
        continue;
      SmallVector<AffineExpr> indices(map.getResults());
      for (auto [index, result] : llvm::zip(indices, out)) {
        auto constant = dyn_cast<AffineConstantExpr>(index);
        auto loop = dyn_cast<AffineDimExpr>(result);
        if (constant && constant.getValue() == 0 && loop &&
            ranges[loop.getPosition()] == 1 &&
            !map.isFunctionOfDim(loop.getPosition()))
          index = result;
      }
      AffineMap named =
          AffineMap::get(map.getNumDims(), 0, indices, op.getContext());
      changed |= named != map;
      map = named;
    }
    if (!changed)
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
};

/// Unit dims that go before padding go behind it: the next contraction has them
/// again, and wants to see the padding. Upstream's pattern stops at axes that
/// are padded.
struct SinkCollapseBelowPad : public OpRewritePattern<tensor::PadOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::PadOp op,
                                PatternRewriter &rewriter) const override {
    auto collapse = op.getSource().getDefiningOp<tensor::CollapseShapeOp>();
    Value padding = op.getConstantPaddingValue();
    if (!collapse || !padding || !op.getResultType().hasStaticShape() ||
        !collapse.getSrcType().hasStaticShape() || !isSimpleReshape(collapse))
      return failure();
    ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
    SmallVector<OpFoldResult> low(shape.size(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> high = low;
    SmallVector<int64_t> padded(shape);
    for (auto [axis, group] :
         llvm::enumerate(collapse.getReassociationIndices())) {
      const int64_t added = op.getResultType().getDimSize(axis) -
                            op.getSourceType().getDimSize(axis);
      int64_t kept = group.back();
      unsigned wide = 0;
      for (int64_t part : group)
        if (shape[part] != 1) {
          kept = part;
          ++wide;
        }
      // Padding of joined axes has no place in front of their joining.
      if (wide > 1) {
        if (added != 0)
          return failure();
        continue;
      }
      low[kept] = op.getMixedLowPad()[axis];
      high[kept] = op.getMixedHighPad()[axis];
      padded[kept] = op.getResultType().getDimSize(axis);
    }
    auto type =
        RankedTensorType::get(padded, op.getResultType().getElementType());
    Value wide = tensor::PadOp::create(rewriter, op.getLoc(), type,
                                       collapse.getSrc(), low, high, padding);
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        op, op.getResultType(), wide, collapse.getReassociationIndices());
    return success();
  }
};

/// An operation on one element without axes has the axes that it was taken
/// from: each application leaves one operation without loops less.
struct AddUnitLoops : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    if (!mapsElements(linalgOp) || op.getNumLoops() != 0 ||
        linalgOp.payloadUsesValueFromOperand(linalgOp.getDpsInitOperand(0)))
      return failure();
    tensor::CollapseShapeOp collapse;
    for (Value input : op.getInputs())
      if (auto source = input.getDefiningOp<tensor::CollapseShapeOp>())
        if (!collapse ||
            (!comesFromContraction(collapse) && comesFromContraction(source)))
          collapse = source;
    if (!collapse || !collapse.getSrcType().hasStaticShape())
      return failure();
    ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
    Location loc = op.getLoc();
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (Value input : op.getInputs()) {
      auto type = dyn_cast<RankedTensorType>(input.getType());
      maps.push_back(AffineMap::get(shape.size(), 0, op.getContext()));
      if (input == collapse.getResult()) {
        maps.back() = rewriter.getMultiDimIdentityMap(shape.size());
        input = collapse.getSrc();
      } else if (type) {
        // A vector of one element along the last axis, as a bias is.
        maps.back() = AffineMap::get(
            shape.size(), 0, rewriter.getAffineDimExpr(shape.size() - 1));
        input =
            tensor::ExpandShapeOp::create(rewriter, loc, type.clone({1}), input,
                                          ArrayRef<ReassociationIndices>());
      }
      inputs.push_back(input);
    }
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    Value init =
        tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
    maps.push_back(rewriter.getMultiDimIdentityMap(shape.size()));
    auto looped = linalg::GenericOp::create(
        rewriter, loc, init.getType(), inputs, init, maps,
        SmallVector<utils::IteratorType>(shape.size(),
                                         utils::IteratorType::parallel));
    rewriter.inlineRegionBefore(op.getRegion(), looped.getRegion(),
                                looped.getRegion().begin());
    rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
        op, type, looped.getResult(0), ArrayRef<ReassociationIndices>());
    return success();
  }
};

/// What is repeated along other axes may be repeated along unit dims, too.
struct ExpandBroadcast : public OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto broadcast = op.getSrc().getDefiningOp<linalg::BroadcastOp>();
    if (!broadcast || !op.getResultType().hasStaticShape() ||
        !isSimpleReshape(op))
      return failure();
    ArrayRef<int64_t> shape = op.getResultType().getShape();
    SmallVector<int64_t> dims;
    for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices())) {
      const bool isRepeated =
          llvm::is_contained(broadcast.getDimensions(), int64_t(axis));
      int64_t kept = group.front();
      for (int64_t part : group)
        if (shape[part] != 1)
          kept = part;
      for (int64_t part : group)
        if (isRepeated || part != kept)
          dims.push_back(part);
    }
    Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), shape,
                                          op.getResultType().getElementType());
    rewriter.replaceOpWithNewOp<linalg::BroadcastOp>(op, broadcast.getInput(),
                                                     empty, dims);
    return success();
  }
};

/// An elementwise operation reads what is repeated for it where it lies, by an
/// indexing map. Each application leaves one reader of a broadcast less.
struct ReadThroughBroadcast : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!mapsElements(cast<linalg::LinalgOp>(op.getOperation())))
      return failure();
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto broadcast = input->get().getDefiningOp<linalg::BroadcastOp>();
      if (!broadcast)
        continue;
      AffineMap map = op.getMatchingIndexingMap(input);
      SmallVector<AffineExpr> indices;
      for (auto [axis, index] : llvm::enumerate(map.getResults()))
        if (!llvm::is_contained(broadcast.getDimensions(), axis))
          indices.push_back(index);
      SmallVector<AffineMap> maps = op.getIndexingMapsArray();
      maps[input->getOperandNumber()] =
          AffineMap::get(map.getNumDims(), 0, indices, op.getContext());
      // Loop bounds must still follow from the operands.
      if (!inversePermutation(concatAffineMaps(maps, op.getContext())))
        continue;
      rewriter.modifyOpInPlace(op, [&] {
        input->set(broadcast.getInput());
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return failure();
  }
};

/// A body that reads a tensor of which all elements are the same reads a
/// number, as StableHLO's clamps do not. Addends stay tensors, which biases
/// are. Each application leaves one operand less.
struct ReadSplat : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    if (!mapsElements(linalgOp) || !op.hasPureTensorSemantics())
      return failure();
    for (OpOperand *input : op.getDpsInputOperands()) {
      BlockArgument argument = op.getMatchingBlockArgument(input);
      DenseElementsAttr constant;
      if (argument.use_empty() || op.getNumDpsInputs() == 1 ||
          llvm::any_of(argument.getUsers(),
                       llvm::IsaPred<arith::AddFOp, arith::AddIOp>))
        continue;
      Value number;
      if (matchPattern(input->get(), m_Constant(&constant)) &&
          constant.isSplat() && constant.getElementType().isIntOrFloat())
        number = arith::ConstantOp::create(
            rewriter, op.getLoc(),
            cast<TypedAttr>(constant.getSplatValue<Attribute>()));
      else if (auto fill = input->get().getDefiningOp<linalg::FillOp>())
        number = fill.value();
      if (!number || number.getType() != argument.getType())
        continue;
      rewriter.replaceAllUsesWith(argument, number);
      return success(); // upstream's patterns drop the operand
    }
    return failure();
  }
};

/// A depthwise contraction has no loop over the multiplier if that is one:
/// upstream's patterns drop it from the named operations only.
struct DropUnitMultiplier : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    if (!op.hasPureTensorSemantics() || linalgOp.hasDynamicShape() ||
        !(isContraction(linalgOp) || hasZeroPoints(linalgOp)))
      return failure();
    AffineMap input = linalgOp.getIndexingMapsArray()[0];
    AffineMap weights = linalgOp.getIndexingMapsArray()[1];
    SmallVector<int64_t> ranges = linalgOp.getStaticLoopRanges();
    SmallVector<unsigned> units;
    bool isDepthwise = false;
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
      if (type != utils::IteratorType::parallel ||
          !weights.isFunctionOfDim(loop))
        continue;
      isDepthwise |= ranges[loop] > 1 && input.isFunctionOfDim(loop);
      if (ranges[loop] == 1 && !input.isFunctionOfDim(loop))
        units.push_back(loop);
    }
    if (!isDepthwise || units.empty())
      return failure();
    linalg::ControlDropUnitDims control;
    control.controlFn = [&](Operation *) { return units; };
    FailureOr<linalg::DropUnitDimsResult> dropped =
        linalg::dropUnitDims(rewriter, op, control);
    if (failed(dropped))
      return failure();
    rewriter.replaceOp(op, dropped->replacements);
    return success();
  }
};

struct NormalizePass : public fadiff::impl::NormalizePassBase<NormalizePass> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    countLoops(rewriter);
    // Without a target, layers are what most machines take.
    ir::TargetAttr target = ir::lookupTarget(getOperation());
    const bool isFloat =
        target && target.getAccelerator().arithmetic == Arithmetic::Float32;
    if (!isFloat) {
      SmallVector<linalg::PoolingNhwcSumOp> pools;
      getOperation()->walk(
          [&](linalg::PoolingNhwcSumOp pool) { pools.push_back(pool); });
      for (linalg::PoolingNhwcSumOp pool : pools)
        if (pool.hasPureTensorSemantics())
          multiplyByOnes(rewriter, pool);
    }
    if (failed(reshape(isFloat)))
      return signalPassFailure();
    if (!isFloat) {
      const bool deviates = requantize == Requantisation::Hardware;
      bool hasProducts = false;
      for (linalg::LinalgOp op : collect([](linalg::LinalgOp op) {
             return op.getNumReductionLoops() > 0 && !isContraction(op);
           }))
        hasProducts |= dequantiseSums(rewriter, op, deviates);
      for (linalg::LinalgOp op : collect(mapsElements))
        hasProducts |= dequantiseFactors(rewriter, op, deviates);
      // Behind products now.
      if (hasProducts && failed(moveReshapes()))
        return signalPassFailure();
      for (linalg::LinalgOp op : collect(isContraction))
        dequantiseBehind(rewriter, op, deviates);
      // Bytes whose sign bits flip are read by nobody else then.
      eraseDead();
      RewritePatternSet bytes(&getContext());
      populateSignedBytesPatterns(bytes);
      if (failed(applyToTensors(std::move(bytes))))
        return signalPassFailure();
    }
    for (linalg::LinalgOp op : collect(hasZeroPoints)) {
      HostCause cause;
      if (failed(removeZeroPoints(rewriter, op, cause))) {
        noteOnHost(op, cause);
        remark::missed(op.getLoc(),
                       remark::RemarkOpts::name("OnHost").category("fadiff"))
            << ("'" + op->getName().getStringRef() +
                "' keeps its zero points: " + cause.reason)
                   .str();
      }
    }
    // Convolutions are recognised by two operands.
    if (failed(joinLoops()) || failed(turn()) ||
        failed(joinLoops(/*ofConvolutions=*/false)))
      return signalPassFailure();
    for (linalg::LinalgOp op : collect(isContraction)) {
      vectorizeInit(rewriter, op);
      vectorizeAddends(rewriter, op);
      joinBiases(rewriter, op);
    }
    if (isFloat) {
      for (linalg::LinalgOp op : collect(isContraction))
        foldAffine(rewriter, op);
      // The bodies that are left do not read all of their operands any more,
      // and what they begin with may be a residual sum now.
      RewritePatternSet rest(&getContext());
      populateCutBodiesPatterns(rest);
      if (failed(applyToTensors(std::move(rest))))
        return signalPassFailure();
    }
    const bool hardware = requantize == Requantisation::Hardware;
    SmallVector<int64_t> deviations;
    for (linalg::LinalgOp op : collect(isContraction))
      if (std::optional<int64_t> deviation =
              fadiff::requantize(rewriter, op, hardware))
        deviations.push_back(*deviation);
    RewritePatternSet moved(&getContext());
    populateMoveBytesPatterns(moved);
    populateMergeTransposesPatterns(moved);
    if (failed(applyToTensors(std::move(moved))))
      return signalPassFailure();
    // Once it is known what layers read out.
    for (linalg::LinalgOp op : collect(mapsElements))
      if (std::optional<int64_t> deviation =
              fadiff::requantizeSum(rewriter, op, hardware))
        deviations.push_back(*deviation);
    // What is requantised exactly follows from the weights.
    if (target)
      for (linalg::LinalgOp op : collect(isContraction))
        widenGroups(rewriter, op, target.getAccelerator());
    for (linalg::LinalgOp op : collect(isContraction))
      splitIntoPhases(rewriter, op);
    // Last: tails are found by the plain maps that they have before.
    RewritePatternSet strided(&getContext());
    tensor::populateFoldConstantExtractSlicePatterns(
        strided, [](tensor::ExtractSliceOp) { return true; });
    populateStridedOperandsPatterns(strided);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(strided,
                                                         &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(strided, &getContext());
    if (failed(applyToTensors(std::move(strided))))
      return signalPassFailure();
    reportDeviations(deviations);
  }

private:
  /// One line on the layers that are requantised on the host because the
  /// accelerator's nearest read-out is so far off.
  void reportDeviations(ArrayRef<int64_t> deviations) {
    if (deviations.empty())
      return;
    const size_t near = llvm::count(deviations, 1);
    const size_t count = deviations.size();
    InFlightDiagnostic diag = mlir::emitRemark(getOperation().getLoc());
    diag << count << (count == 1 ? " layer is" : " layers are")
         << " requantised on the host, because the accelerator's nearest "
            "requantisation differs by up to "
         << *llvm::max_element(deviations);
    if (near > 0)
      diag << "; requantize=hardware lets it do "
           << (near == count ? "all" : std::to_string(near))
           << ", at most 1 apart";
  }

  /// Erases what computes tensors that nobody reads.
  void eraseDead() {
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect>(
              op->getDialect()))
        ops.push_back(op);
    });
    for (Operation *op : llvm::reverse(ops))
      if (isOpTriviallyDead(op))
        op->erase();
  }

  /// Loops around contractions whose condition compares a counter with a bound
  /// get bounds, so that their trips are known.
  void countLoops(RewriterBase &rewriter) {
    llvm::SmallSetVector<scf::WhileOp, 4> loops;
    getOperation().walk([&](linalg::LinalgOp op) {
      for (auto loop = op->getParentOfType<scf::WhileOp>();
           loop && isContraction(op);
           loop = loop->getParentOfType<scf::WhileOp>())
        loops.insert(loop);
    });
    // From the innermost; those that count nothing stay as they are.
    for (scf::WhileOp loop : loops) {
      rewriter.setInsertionPoint(loop);
      (void)scf::upliftWhileToForLoop(rewriter, loop);
    }
  }

  /// Operations outside of layers for which `wanted` holds; none that compute
  /// nothing.
  SmallVector<linalg::LinalgOp>
  collect(llvm::function_ref<bool(linalg::LinalgOp)> wanted) {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (!op->getParentOfType<ir::LayerOp>() && op.hasPureTensorSemantics() &&
          !op.hasDynamicShape() &&
          !llvm::is_contained(op.getStaticLoopRanges(), 0) && wanted(op))
        ops.push_back(op);
    });
    return ops;
  }

  /// Applies patterns where there are tensors, so that nothing else in the
  /// module is folded along the way, until none applies. The driver looks again
  /// at the neighbours of what has changed only, but some patterns look
  /// further.
  LogicalResult applyToTensors(const FrozenRewritePatternSet &patterns) {
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
    bool changed = true;
    while (changed) {
      SmallVector<Operation *> ops;
      getOperation().walk([&](Operation *op) {
        if (!isa_and_nonnull<linalg::LinalgDialect, tensor::TensorDialect>(
                op->getDialect()) ||
            op->getParentOfType<ir::LayerOp>())
          return;
        // What stays on memrefs has no result that a pattern could look at.
        auto onMemrefs = dyn_cast<linalg::LinalgOp>(op);
        if (!onMemrefs || onMemrefs.hasPureTensorSemantics())
          ops.push_back(op);
      });
      if (failed(applyOpPatternsGreedily(ops, patterns, config, &changed)))
        return failure();
    }
    return success();
  }

  void addCleanups(RewritePatternSet &patterns) {
    MLIRContext *context = &getContext();
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
    linalg::FillOp::getCanonicalizationPatterns(patterns, context);
    tensor::populateFoldTensorEmptyPatterns(patterns);
    patterns.add<CollapseOfBroadcast>(context);
  }

  /// Contractions get as many loops of each kind as a layer has.
  LogicalResult joinLoops(bool ofConvolutions = true) {
    RewritePatternSet loops(&getContext());
    if (ofConvolutions)
      populateConvolutionLoopsPatterns(loops);
    populateJoinLoopsPatterns(loops);
    addCleanups(loops);
    return applyToTensors(std::move(loops));
  }

  LogicalResult reshape(bool isFloat) {
    MLIRContext *context = &getContext();
    // First one operation for what is one tensor, then what makes reshapes go
    // away, then what moves those that stay.
    RewritePatternSet bodies(context), signs(context), shapes(context),
        groups(context), operands(context);
    populateSplitResultsPatterns(bodies);
    populateCutBodiesPatterns(bodies);
    populateIm2colPatterns(bodies);
    populateShareWeightsPatterns(bodies, /*ofUnitBatches=*/false);
    bodies.add<AddBatchOfPool, GeneralizeElementwise, IndexUnitAxis,
               NameMoveOrPool, ReadSplat, ReadThroughBroadcast, StartFromEmpty>(
        context);
    // Padding in front of a contraction and the slice behind it are seen best
    // before anything is widened in between; parts of a sum are none before.
    if (failed(applyToTensors(std::move(bodies))) ||
        failed(joinLoops(/*ofConvolutions=*/false)))
      return failure();
    // Both sides of a quantisation read signs alike here.
    IRRewriter rewriter(context);
    if (!isFloat)
      for (linalg::LinalgOp op : collect(mapsElements))
        dropRequantisation(rewriter, op);
    if (isFloat && halves == Halves::Widen)
      (void)widenSums(getOperation());
    if (failed(joinLoops()))
      return failure();
    // Where sums are packed they are not cut yet.
    populateSignedBytesPatterns(signs);
    if (isFloat && halves != Halves::Host)
      populateWidenHalvesPatterns(signs);
    if (failed(applyToTensors(std::move(signs))))
      return failure();
    linalg::populateSimplifyDepthwiseConvPatterns(shapes);
    linalg::populateConstantFoldLinalgOperations(
        shapes, [](OpOperand *) { return true; });
    shapes.add<DropUnitMultiplier>(context);
    populateJoinGroupsPatterns(shapes);
    addCleanups(shapes);
    if (failed(applyToTensors(std::move(shapes))))
      return failure();
    if (failed(moveReshapes()))
      return failure();
    // Apart from the others, which would move the reshapes that these make.
    populateJoinGroupsPatterns(groups);
    addCleanups(groups);
    if (failed(applyToTensors(std::move(groups))))
      return failure();
    operands.add<SqueezeBroadcastOperand>(context);
    return applyToTensors(std::move(operands));
  }

  /// Reshapes that add or drop unit dims move behind what reads contractions.
  LogicalResult moveReshapes() {
    MLIRContext *context = &getContext();
    RewritePatternSet patterns(context);
    linalg::ControlFusionFn behindContraction = [](OpOperand *use) {
      return isSimpleReshape(use->get().getDefiningOp()) && isMovedFrom(use);
    };
    linalg::populateFoldReshapeOpsByExpansionPatterns(patterns,
                                                      behindContraction);
    patterns.add<AddUnitLoops, SinkUnitExpand, SinkCollapseBelowPad,
                 ExpandBroadcast>(context);
    addCleanups(patterns);
    return applyToTensors(std::move(patterns));
  }

  /// Channels last. Constants, and what is filled or repeated, are turned at
  /// once.
  LogicalResult turn() {
    MLIRContext *context = &getContext();
    RewritePatternSet layouts(context);
    populateLayoutPatterns(layouts);
    populateShareWeightsPatterns(layouts, /*ofUnitBatches=*/true);
    linalg::populateConstantFoldLinalgOperations(
        layouts, [](OpOperand *) { return true; });
    linalg::FillOp::getCanonicalizationPatterns(layouts, context);
    tensor::CollapseShapeOp::getCanonicalizationPatterns(layouts, context);
    tensor::ExpandShapeOp::getCanonicalizationPatterns(layouts, context);
    tensor::populateFoldTensorEmptyPatterns(layouts);
    return applyToTensors(std::move(layouts));
  }

  /// The sum of `op` starts from a broadcast vector where it starts from a
  /// constant that is one, or from a broadcast scalar.
  static void vectorizeInit(RewriterBase &rewriter, linalg::LinalgOp op) {
    Value init = op.getDpsInits()[0];
    std::optional<unsigned> axis = outputChannelAxis(op);
    DenseElementsAttr vector;
    if (axis)
      vector = initAlongAxis(init, *axis);
    if (!vector || isZero(vector))
      return;
    rewriter.setInsertionPoint(op);
    Value bias = arith::ConstantOp::create(rewriter, op.getLoc(), vector);
    Value started =
        broadcastAlongAxis(rewriter, op.getLoc(), bias, init.getType(), *axis);
    rewriter.modifyOpInPlace(op,
                             [&] { op.getDpsInitOperand(0)->set(started); });
  }

  /// A constant that is added to all of the sums of `op`, or one element that
  /// is, becomes a vector along the channels.
  static void vectorizeAddends(RewriterBase &rewriter, linalg::LinalgOp op) {
    std::optional<unsigned> axis = outputChannelAxis(op);
    Value sum = op->getResult(0);
    if (!axis || !sum.hasOneUse())
      return;
    auto generic = dyn_cast<linalg::GenericOp>(*sum.user_begin());
    auto type = cast<RankedTensorType>(sum.getType());
    OpOperand *extra;
    std::string reason;
    if (!generic ||
        !isElementwiseOn(cast<linalg::LinalgOp>(generic.getOperation()), sum,
                         extra, reason) ||
        !extra || !isSum(type.getElementType()))
      return;
    auto user = cast<linalg::LinalgOp>(generic.getOperation());
    DenseElementsAttr constant;
    auto extraType = dyn_cast<RankedTensorType>(extra->get().getType());
    if (!extraType || !user.isDpsInput(extra) ||
        !matchPattern(extra->get(), m_Constant(&constant)))
      return;
    AffineMap map = user.getMatchingIndexingMap(extra);
    AffineMap out = user.getMatchingIndexingMap(user.getDpsInitOperand(0));
    DenseElementsAttr vector;
    if (constant.isSplat())
      vector = constant.resizeSplat(RankedTensorType::get(
          {type.getDimSize(*axis)}, extraType.getElementType()));
    else if (map == out && extraType.getShape() == type.getShape())
      vector = alongAxis(constant, *axis);
    if (!vector)
      return;
    rewriter.setInsertionPoint(generic);
    Value value = arith::ConstantOp::create(rewriter, generic.getLoc(), vector);
    SmallVector<AffineMap> maps = user.getIndexingMapsArray();
    maps[user.getIndexingMapIndex(extra)] =
        AffineMap::get(map.getNumDims(), 0, out.getResult(*axis));
    rewriter.modifyOpInPlace(generic, [&] {
      extra->set(value);
      generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
  }

  /// Where the int32 sum of `op` starts from a bias and another one is added
  /// behind it, it starts from both: a layer has one bias. Zero points leave
  /// such pairs.
  static void joinBiases(RewriterBase &rewriter, linalg::LinalgOp op) {
    std::optional<unsigned> axis = outputChannelAxis(op);
    Value sum = op->getResult(0);
    auto type = cast<RankedTensorType>(sum.getType());
    if (!axis || !type.getElementType().isInteger(32))
      return;
    while (sum.hasOneUse()) {
      Value init = op.getDpsInits()[0];
      SmallVector<Operation *> broadcasts;
      Value first = matchBroadcast(init, *axis, broadcasts);
      auto user = dyn_cast<linalg::GenericOp>(*sum.user_begin());
      OpOperand *extra = nullptr;
      std::string reason;
      if (!first || !user ||
          !isElementwiseOn(cast<linalg::LinalgOp>(user.getOperation()), sum,
                           extra, reason) ||
          !extra)
        return;
      auto vector = dyn_cast<RankedTensorType>(extra->get().getType());
      AffineMap out = user.getMatchingIndexingMap(user.getDpsInitOperand(0));
      if (!vector || vector != first.getType() ||
          user.getMatchingIndexingMap(extra).getResult(0) !=
              out.getResult(*axis) ||
          (!(isConstant(first) && isConstant(extra->get())) &&
           !dominates(extra->get(), op)))
        return;
      OpOperand *use = &*sum.use_begin();
      BlockArgument element = user.getMatchingBlockArgument(use);
      BlockArgument addend = user.getMatchingBlockArgument(extra);
      if (!element.hasOneUse() || !addend.hasOneUse())
        return;
      auto add = dyn_cast<arith::AddIOp>(*element.user_begin());
      if (!add || *addend.user_begin() != add)
        return;
      rewriter.setInsertionPoint(op);
      Value bias = addVectors(rewriter, op.getLoc(), first, extra->get());
      Value started =
          broadcastAlongAxis(rewriter, op.getLoc(), bias, type, *axis);
      rewriter.modifyOpInPlace(op,
                               [&] { op.getDpsInitOperand(0)->set(started); });
      rewriter.replaceOp(add, element);
      if (user.getBody()->getTerminator()->getOperand(0) != element)
        return;
      // Nothing is left of it but the sum.
      if (!out.isIdentity())
        return;
      rewriter.replaceOp(user, sum);
    }
  }

  static bool isConstant(Value value) {
    return matchPattern(value, m_Constant());
  }

  /// Whether `value` is there before `op`.
  static bool dominates(Value value, Operation *op) {
    Operation *def = value.getDefiningOp();
    return !def || DominanceInfo().properlyDominates(def, op);
  }
};
} // namespace
