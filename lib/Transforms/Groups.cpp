//===- Groups.cpp - Convolutions of groups of channels --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Frontends give groups an axis of their own around the convolution alone. Here
// they lose it again, so that its image and its sums are tensors like all
// others around: [n, h, w, g * C + c]. Groups of few channels become wider
// ones.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "fadiff/Hardware/Accelerator.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fadiff;

/// `value` without `axis`, which is of one element.
static Value dropAxis(OpBuilder &builder, Location loc, Value value,
                      int64_t axis) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<ReassociationIndices> parts;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (i == std::max<int64_t>(axis, 1))
      parts.back().push_back(i);
    else
      parts.push_back({i});
  return tensor::CollapseShapeOp::create(builder, loc, value, parts);
}

/// Whether `pad` pads with one value, and neither `axis` nor the next one.
static bool padsOthers(tensor::PadOp pad, int64_t axis) {
  auto isPadded = [&](int64_t i) {
    return pad.getStaticLow()[i] != 0 || pad.getStaticHigh()[i] != 0;
  };
  return pad.getConstantPaddingValue() && !isPadded(axis) &&
         !isPadded(axis + 1);
}

/// `value` with `axis` and the next one as one, before padding of others.
static Value joinAxes(OpBuilder &builder, Location loc, Value value,
                      int64_t axis) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<ReassociationIndices> parts;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (i == axis + 1)
      parts.back().push_back(i);
    else
      parts.push_back({i});
  auto pad = value.getDefiningOp<tensor::PadOp>();
  if (!pad || !padsOthers(pad, axis))
    return tensor::CollapseShapeOp::create(builder, loc, value, parts);
  Value source =
      tensor::CollapseShapeOp::create(builder, loc, pad.getSource(), parts);
  SmallVector<OpFoldResult> low = pad.getMixedLowPad(),
                            high = pad.getMixedHighPad();
  low.erase(low.begin() + axis);
  high.erase(high.begin() + axis);
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] *= shape[axis + 1];
  shape.erase(shape.begin() + axis + 1);
  return tensor::PadOp::create(builder, loc, type.clone(shape), source, low,
                               high, pad.getConstantPaddingValue());
}

namespace {
/// A convolution of which two neighbouring axes of the sums are groups and
/// their filters.
struct GroupedSums {
  linalg::LinalgOp op;
  int64_t axis; ///< of the groups; that of filters is the next one
  AffineDimExpr group, filter;
  /// Where the image has the groups, if their channels are the next axis.
  std::optional<int64_t> imageAxis;
  int64_t filterAxis; ///< of the weights

  bool hasOneFilter() const {
    return linalg::LinalgOp(op).getStaticLoopRanges()[filter.getPosition()] ==
           1;
  }
};
} // namespace

/// `op` as that, if `axis` of its sums is of groups.
static std::optional<GroupedSums> matchGroupedSums(linalg::LinalgOp op,
                                                   int64_t axis) {
  if (!op || !op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      op.getNumDpsInputs() < 2 || op.getNumDpsInits() != 1 ||
      !(isContraction(op) || hasZeroPoints(op)))
    return std::nullopt;
  const SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  const AffineMap image = maps[0], weights = maps[1], sums = maps.back();
  const SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (axis + 1 >= int64_t(sums.getNumResults()))
    return std::nullopt;
  auto group = dyn_cast<AffineDimExpr>(sums.getResult(axis));
  auto filter = dyn_cast<AffineDimExpr>(sums.getResult(axis + 1));
  if (!group || !filter || ranges[group.getPosition()] == 1 ||
      image.isFunctionOfDim(filter.getPosition()))
    return std::nullopt;
  // The array multiplies matrices of a batch, too: no window slides over them.
  if (llvm::all_of(image.getResults(),
                   [](AffineExpr index) { return isa<AffineDimExpr>(index); }))
    return std::nullopt;
  const auto groupAxis = image.getResultPosition(group);
  const auto filterAxis = weights.getResultPosition(filter);
  if (!groupAxis || !filterAxis || !weights.getResultPosition(group))
    return std::nullopt;
  GroupedSums found{op, axis, group, filter, std::nullopt, *filterAxis};
  auto isChannel = [&](AffineExpr index) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    return loop && loop != group && weights.getResultPosition(loop) &&
           !sums.isFunctionOfDim(loop.getPosition());
  };
  bool hasOneChannel = true;
  for (auto [at, index] : llvm::enumerate(image.getResults())) {
    if (!isChannel(index))
      continue;
    const bool isOne = ranges[cast<AffineDimExpr>(index).getPosition()] == 1;
    hasOneChannel &= isOne;
    if (at == *groupAxis + 1)
      found.imageAxis = *groupAxis;
    else if (!isOne)
      return std::nullopt;
  }
  if (found.hasOneFilter() && hasOneChannel)
    return std::nullopt; // depthwise
  return found;
}

/// The parts of a collapse whose operand has `axis` and the next one as one;
/// none if it leaves them apart.
static std::optional<SmallVector<ReassociationIndices>>
partsBehind(tensor::CollapseShapeOp collapse, int64_t axis) {
  SmallVector<ReassociationIndices> parts;
  for (const ReassociationIndices &part : collapse.getReassociationIndices()) {
    const bool hasFirst = llvm::is_contained(part, axis);
    const bool hasNext = llvm::is_contained(part, axis + 1);
    // One element may be joined to either side.
    if (hasNext && !hasFirst &&
        (part.size() == 1 || collapse.getSrcType().getDimSize(axis + 1) != 1))
      return std::nullopt;
    parts.emplace_back();
    for (int64_t each : part)
      if (each != axis + 1)
        parts.back().push_back(each - (each > axis));
  }
  return parts;
}

/// `value`, of which two axes are joined, in the place of `collapse`.
static void replaceCollapse(PatternRewriter &rewriter,
                            tensor::CollapseShapeOp collapse, Value value,
                            ArrayRef<ReassociationIndices> parts) {
  if (value.getType() != collapse.getResultType())
    value = tensor::CollapseShapeOp::create(
        rewriter, collapse.getLoc(), collapse.getResultType(), value, parts);
  rewriter.replaceOp(collapse, value);
}

namespace {
/// A convolution of groups whose channels are counted through in its sums reads
/// and writes them so, without axes of groups in between: what is behind it, a
/// bias, a tail and the next layer, knows channels only.
struct JoinGroups : public OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp collapse,
                                PatternRewriter &rewriter) const override {
    if (!collapse.getSrc().hasOneUse())
      return failure();
    auto op = collapse.getSrc().getDefiningOp<linalg::LinalgOp>();
    const int64_t rank = collapse.getSrcType().getRank();
    for (int64_t axis = 0; op && axis + 1 < rank; ++axis) {
      auto parts = partsBehind(collapse, axis);
      auto grouped = parts ? matchGroupedSums(op, axis) : std::nullopt;
      if (!grouped)
        continue;
      replaceCollapse(rewriter, collapse, join(rewriter, *grouped), *parts);
      return success();
    }
    return failure();
  }

private:
  static Value join(PatternRewriter &rewriter, const GroupedSums &grouped) {
    linalg::LinalgOp op = grouped.op;
    const Location loc = op.getLoc();
    const SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    SmallVector<Value> operands(op->getOperands());
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    auto joinAt = [&](size_t operand, int64_t axis) {
      SmallVector<AffineExpr> results(maps[operand].getResults());
      auto inner = cast<AffineDimExpr>(results[axis + 1]);
      const int64_t extent = ranges[inner.getPosition()];
      results[axis] = grouped.group * extent;
      if (extent != 1)
        results[axis] = results[axis] + inner;
      results.erase(results.begin() + axis + 1);
      maps[operand] =
          AffineMap::get(op.getNumLoops(), 0, results, op.getContext());
      operands[operand] = joinAxes(rewriter, loc, operands[operand], axis);
    };
    if (grouped.imageAxis)
      joinAt(0, *grouped.imageAxis);
    joinAt(operands.size() - 1, grouped.axis);
    if (grouped.hasOneFilter()) {
      // Without its loop.
      const unsigned gone = grouped.filter.getPosition();
      operands[1] = dropAxis(rewriter, loc, operands[1], grouped.filterAxis);
      maps[1] = maps[1].dropResult(grouped.filterAxis);
      SmallVector<AffineExpr> loopOf;
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        loopOf.push_back(loop == gone
                             ? rewriter.getAffineConstantExpr(0)
                             : rewriter.getAffineDimExpr(loop - (loop > gone)));
      for (AffineMap &map : maps)
        map = map.replaceDimsAndSymbols(loopOf, {}, op.getNumLoops() - 1, 0);
      iterators.erase(iterators.begin() + gone);
    }
    return contractionOn(rewriter, op, operands, maps, iterators);
  }
};

/// Groups of one filter have no axis of filters to join where unit axes went
/// before: their image was split.
struct JoinGroupsOfImage : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    if (!op.hasPureTensorSemantics() || linalgOp.hasDynamicShape() ||
        op.getNumDpsInputs() < 2 || op.getNumDpsInits() != 1 ||
        !(isContraction(linalgOp) || hasZeroPoints(linalgOp)))
      return failure();
    Value split = op.getInputs()[0];
    if (auto pad = split.getDefiningOp<tensor::PadOp>())
      split = pad.getSource();
    auto expand = split.getDefiningOp<tensor::ExpandShapeOp>();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    const AffineMap weights = maps[1], sums = maps.back();
    if (!expand || llvm::all_of(maps[0].getResults(), [](AffineExpr index) {
          return isa<AffineDimExpr>(index);
        }))
      return failure();
    const SmallVector<int64_t> ranges = linalgOp.getStaticLoopRanges();
    auto isOf = [](AffineMap map, AffineExpr index) {
      return map.getResultPosition(index).has_value();
    };
    for (const ReassociationIndices &part : expand.getReassociationIndices()) {
      if (part.size() != 2)
        continue;
      const int64_t axis = part.front();
      auto group = dyn_cast<AffineDimExpr>(maps[0].getResult(axis));
      auto channel = dyn_cast<AffineDimExpr>(maps[0].getResult(axis + 1));
      if (!group || !channel || !isOf(weights, group) || !isOf(sums, group) ||
          !isOf(weights, channel) ||
          sums.isFunctionOfDim(channel.getPosition()) ||
          ranges[group.getPosition()] == 1 ||
          ranges[channel.getPosition()] == 1)
        continue;
      // Of several filters the sums are joined first.
      if (llvm::any_of(sums.getResults(), [&](AffineExpr index) {
            return index != group && isOf(weights, index);
          }))
        return failure();
      SmallVector<AffineExpr> results(maps[0].getResults());
      results[axis] = group * ranges[channel.getPosition()] + channel;
      results.erase(results.begin() + axis + 1);
      maps[0] =
          AffineMap::get(maps[0].getNumDims(), 0, results, op.getContext());
      rewriter.setInsertionPoint(op);
      Value image = joinAxes(rewriter, op.getLoc(), op.getInputs()[0], axis);
      rewriter.modifyOpInPlace(op, [&] {
        op.getInputsMutable()[0].set(image);
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return failure();
  }
};

/// What is made of such sums element by element, padded perhaps, and then
/// joined, is made of joined sums: fusion before us moves bias, tails and
/// padding in front of the joining.
struct JoinGroupsOfTail : public OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp collapse,
                                PatternRewriter &rewriter) const override {
    Value joined = collapse.getSrc();
    const int64_t rank = collapse.getSrcType().getRank();
    for (int64_t axis = 0; axis + 1 < rank; ++axis) {
      auto parts = partsBehind(collapse, axis);
      if (!parts || !isTail(joined, axis))
        continue;
      if (joined.getDefiningOp<tensor::PadOp>()) {
        replaceCollapse(rewriter, collapse,
                        joinAxes(rewriter, collapse.getLoc(), joined, axis),
                        *parts);
        return success();
      }
      auto op = joined.getDefiningOp<linalg::GenericOp>();
      const ReassociationIndices both{axis, axis + 1};
      if (!op ||
          !linalg::areDimSequencesPreserved(op.getIndexingMapsArray(), {both}))
        continue;
      FailureOr<linalg::CollapseResult> made =
          linalg::collapseOpIterationDims(op, {both}, rewriter);
      if (failed(made))
        return failure();
      replaceCollapse(rewriter, collapse, made->collapsedOp->getResult(0),
                      *parts);
      return success();
    }
    return failure();
  }

private:
  /// Whether `value` is that, but for the joining of `axis` and the next one.
  static bool isTail(Value value, int64_t axis) {
    for (bool isMade = false; value.hasOneUse(); isMade = true) {
      if (auto pad = value.getDefiningOp<tensor::PadOp>()) {
        if (!padsOthers(pad, axis))
          return false;
        value = pad.getSource();
        continue;
      }
      auto op = value.getDefiningOp<linalg::LinalgOp>();
      if (!op)
        return false;
      if (matchGroupedSums(op, axis))
        return isMade;
      if (!mapsElements(op) || op.getNumDpsInits() != 1 ||
          !op.getIndexingMapsArray().back().isIdentity())
        return false;
      value = {};
      for (OpOperand *input : op.getDpsInputOperands())
        if (op.getMatchingIndexingMap(input).isIdentity() && !value)
          value = input->get();
      if (!value)
        return false;
    }
    return false;
  }
};
} // namespace

void fadiff::populateJoinGroupsPatterns(RewritePatternSet &patterns) {
  patterns.add<JoinGroups, JoinGroupsOfImage, JoinGroupsOfTail>(
      patterns.getContext());
}

namespace {
/// A convolution of groups on its way to one of fewer groups, each of `count`
/// of the old ones.
class WideGroups {
public:
  WideGroups(linalg::LinalgOp op, const ChannelGroups &loops, int64_t count)
      : op(op), loops(loops), count(count), context(op.getContext()),
        loc(op.getLoc()), ranges(op.getStaticLoopRanges()),
        maps(op.getIndexingMapsArray()),
        leavesOne(count == ranges[loops.group]) {
    // Without a loop over groups if one is left, and with those over channels
    // and filters that were not there.
    for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
      const bool isGone = leavesOne && loop == loops.group;
      loopOf.push_back(isGone ? getAffineConstantExpr(0, context)
                              : getAffineDimExpr(iterators.size(), context));
      if (!isGone)
        iterators.push_back(type);
    }
    channel = loopOrNew(loops.channel, utils::IteratorType::reduction);
    filter = loopOrNew(loops.filter, utils::IteratorType::parallel);
  }

  Value build(RewriterBase &rewriter) {
    const int64_t channels = count * extentOf(loops.channel);
    const int64_t filters = count * extentOf(loops.filter);
    Value weights = wideWeights(rewriter);
    const AffineExpr group = loopOf[loops.group];
    return contractionOn(
        rewriter, op, {op->getOperand(0), weights, op.getDpsInits()[0]},
        {withGroups(maps[0], group * channels + channel), mapOf(ofWeights),
         withGroups(maps[2], group * filters + filter)},
        iterators);
  }

private:
  int64_t extentOf(std::optional<unsigned> loop) const {
    return loop ? ranges[*loop] : 1;
  }

  AffineExpr loopOrNew(std::optional<unsigned> loop, utils::IteratorType type) {
    if (loop)
      return loopOf[*loop];
    iterators.push_back(type);
    return getAffineDimExpr(iterators.size() - 1, context);
  }

  AffineMap mapOf(ArrayRef<AffineExpr> results) const {
    return AffineMap::get(iterators.size(), 0, results, context);
  }
  /// `map` in the new loops, with `joined` for what is of groups.
  AffineMap withGroups(AffineMap map, AffineExpr joined) const {
    return mapOf(llvm::map_to_vector(map.getResults(), [&](AffineExpr index) {
      return index.isFunctionOfDim(loops.group) ? joined
                                                : index.replaceDims(loopOf);
    }));
  }

  /// The weights, [..., groups / count, ..., count * C, ..., count * K] in the
  /// order that they have, with zeros for other groups' channels; C in front of
  /// the last axis and K behind it if they are not there. Sets `ofWeights`.
  Value wideWeights(OpBuilder &builder) {
    Value weights = op->getOperand(1);
    auto type = cast<RankedTensorType>(weights.getType());
    SmallVector<int64_t> shape;
    SmallVector<AffineExpr> read;
    SmallVector<ReassociationIndices> parts;
    auto add = [&](int64_t extent) {
      shape.push_back(extent);
      return builder.getAffineDimExpr(shape.size() - 1);
    };
    // Which of a new group's old ones channels and filters are of.
    unsigned from = 0, to = 0;
    int64_t groupAxis = -1;
    auto addPlaces = [&](unsigned &axis, AffineExpr loop) {
      parts.push_back({int64_t(shape.size())});
      axis = shape.size();
      add(count);
      ofWeights.push_back(loop);
    };
    for (auto [axis, index] : llvm::enumerate(maps[1].getResults())) {
      const unsigned loop = cast<AffineDimExpr>(index).getPosition();
      const int64_t extent = type.getDimSize(axis);
      if (!loops.channel && axis + 1 == maps[1].getNumResults())
        addPlaces(from, channel);
      if (loop == loops.channel || loop == loops.filter) {
        addPlaces(loop == loops.filter ? to : from, loopOf[loop]);
        parts.back().push_back(int64_t(shape.size()));
        read.push_back(add(extent));
        continue;
      }
      if (loop == loops.group)
        groupAxis = int64_t(parts.size());
      parts.push_back({int64_t(shape.size())});
      read.push_back(add(loop == loops.group ? extent / count : extent));
      if (loop != loops.group || !leavesOne)
        ofWeights.push_back(loopOf[loop]);
    }
    if (!loops.filter)
      addPlaces(to, filter);
    for (auto [index, expr] : llvm::zip(maps[1].getResults(), read))
      if (cast<AffineDimExpr>(index).getPosition() == loops.group)
        expr = expr * count + builder.getAffineDimExpr(to);
    const unsigned rank = shape.size();
    Value init =
        tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
    auto wide = linalg::GenericOp::create(
        builder, loc, init.getType(), weights, init,
        ArrayRef<AffineMap>{AffineMap::get(rank, 0, read, builder.getContext()),
                            builder.getMultiDimIdentityMap(rank)},
        SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
        [&](OpBuilder &b, Location l, ValueRange args) {
          Value isOwn =
              arith::CmpIOp::create(b, l, arith::CmpIPredicate::eq,
                                    linalg::IndexOp::create(b, l, from),
                                    linalg::IndexOp::create(b, l, to));
          Value zero = arith::ConstantOp::create(
              b, l, b.getZeroAttr(type.getElementType()));
          Value result = arith::SelectOp::create(b, l, isOwn, args[0], zero);
          linalg::YieldOp::create(b, l, result);
        });
    noteOfWeights(wide, "it lays out weights of groups with which the array "
                        "runs several of them at once");
    Value result =
        tensor::CollapseShapeOp::create(builder, loc, wide.getResult(0), parts);
    return leavesOne ? dropAxis(builder, loc, result, groupAxis) : result;
  }

  linalg::LinalgOp op;
  const ChannelGroups loops;
  const int64_t count;
  MLIRContext *const context;
  const Location loc;
  const SmallVector<int64_t> ranges;
  const SmallVector<AffineMap> maps;
  const bool leavesOne;
  SmallVector<AffineExpr> loopOf; ///< the new loop of each old one
  SmallVector<utils::IteratorType> iterators;
  AffineExpr channel, filter;
  SmallVector<AffineExpr> ofWeights;
};
} // namespace

void fadiff::widenGroups(RewriterBase &rewriter, linalg::LinalgOp op,
                         const Accelerator &machine) {
  std::optional<ChannelGroups> loops = channelGroups(op);
  const bool isInt8 =
      getElementTypeOrSelf(op->getOperand(0).getType()).isInteger(8);
  if (!loops || isInt8 != (machine.arithmetic == Arithmetic::Int8) ||
      !op.getIndexingMapsArray()[1].isProjectedPermutation())
    return;
  const SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  const int64_t groups = ranges[loops->group];
  const int64_t widest = std::max(loops->filter ? ranges[*loops->filter] : 1,
                                  loops->channel ? ranges[*loops->channel] : 1);
  int64_t count = std::min(groups, machine.side / widest);
  while (count > 1 && groups % count != 0)
    --count;
  if (count <= 1)
    return;
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, WideGroups(op, *loops, count).build(rewriter));
}
