//===- Network.cpp - What of a float network becomes int8 -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Network.h"
#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Analysis/ImageMatch.h"
#include "fadiff/Analysis/LayerMatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::quantize;

unsigned FloatNetwork::hold(Value value) {
  auto [it, isNew] = indexOf.try_emplace(value, unsigned(parent.size()));
  if (isNew)
    parent.push_back(it->second);
  return it->second;
}

unsigned FloatNetwork::classOf(Value value) const {
  unsigned index = indexOf.lookup(value);
  while (parent[index] != index)
    index = parent[index] = parent[parent[index]];
  return index;
}

void FloatNetwork::unite(Value a, Value b) {
  hold(a);
  hold(b);
  const unsigned first = classOf(a), second = classOf(b);
  parent[std::max(first, second)] = std::min(first, second);
}

std::vector<float> quantize::numbersOf(DenseElementsAttr tensor) {
  auto values = tensor.getValues<float>();
  return {values.begin(), values.end()};
}

static bool isRealTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isF32();
}

/// The constant that `pad` pads with, if it is a float.
static std::optional<double> paddingOf(tensor::PadOp pad) {
  Value padding = pad.getConstantPaddingValue();
  APFloat number(0.0f);
  if (!padding || !matchPattern(padding, m_ConstantFloat(&number)))
    return std::nullopt;
  return number.convertToDouble();
}

/// No float is less.
static bool isLowest(double number) {
  return number <= -static_cast<double>(std::numeric_limits<float>::max());
}

/// What `value` is filled with everywhere, if that is one float.
static std::optional<double> filledWith(Value value) {
  auto fill = value.getDefiningOp<linalg::FillOp>();
  APFloat number(0.0f);
  if (fill && matchPattern(fill.getInputs()[0], m_ConstantFloat(&number)))
    return number.convertToDouble();
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)) && constant.isSplat() &&
      constant.getElementType().isF32())
    return constant.getSplatValue<float>();
  return std::nullopt;
}

/// `op` as one that moves elements of float tensors, or takes the largest.
static std::optional<Move> matchMove(Operation *op) {
  if (op->getNumResults() != 1 || !isRealTensor(op->getResult(0)) ||
      !cast<ShapedType>(op->getResult(0).getType()).hasStaticShape())
    return std::nullopt;
  Move move{op, {}, false};
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, linalg::TransposeOp>(
          op)) {
    move.sources = {op->getOperand(0)};
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (!slice.getOffsets().empty())
      return std::nullopt;
    move.sources = {slice.getSource()};
  } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    const std::optional<double> padding = paddingOf(pad);
    if (!padding || *padding != 0)
      return std::nullopt;
    move.sources = {pad.getSource()};
  } else if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    llvm::append_range(move.sources, concat.getInputs());
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    if (!insert.getOffsets().empty())
      return std::nullopt;
    move.sources = {insert.getSource()};
    if (!insert.getDest().getDefiningOp<tensor::EmptyOp>())
      move.sources.push_back(insert.getDest());
  } else if (isa<linalg::PoolingNhwcMaxOp, linalg::PoolingNchwMaxOp,
                 linalg::PoolingNwcMaxOp, linalg::PoolingNcwMaxOp>(op)) {
    auto pool = cast<linalg::LinalgOp>(op);
    const std::optional<double> init = filledWith(pool.getDpsInits()[0]);
    if (!init || !isLowest(*init))
      return std::nullopt;
    move.isPool = true;
    Value source = pool.getDpsInputs()[0];
    if (auto pad = source.getDefiningOp<tensor::PadOp>()) {
      const std::optional<double> padding = paddingOf(pad);
      if (padding && isLowest(*padding))
        source = pad.getSource();
    }
    move.sources = {source};
  } else if (auto copy = dyn_cast<linalg::GenericOp>(op)) {
    if (copy.getNumDpsInputs() != 1 || copy.getNumReductionLoops() != 0 ||
        copy.getBody()->getTerminator()->getOperand(0) !=
            copy.getBody()->getArgument(0))
      return std::nullopt;
    move.sources = {copy.getDpsInputs()[0]};
  } else {
    return std::nullopt;
  }
  return llvm::all_of(move.sources, isRealTensor) ? std::optional(move)
                                                  : std::nullopt;
}

/// Where `value` comes from through operations that move one tensor.
static Value sourceOfMoves(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    std::optional<Move> move = matchMove(def);
    if (!move || move->sources.size() != 1)
      break;
    value = move->sources[0];
  }
  return value;
}

namespace {
/// max(low, min(high, .)) by which an elementwise body maps what it reads.
struct Clamp {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};
} // namespace

static std::optional<double> constantOf(Value value) {
  APFloat number(0.0f);
  if (!matchPattern(value, m_ConstantFloat(&number)))
    return std::nullopt;
  return number.convertToDouble();
}

/// The clamp that the body of `op` is from its argument `current` on.
static std::optional<Clamp> matchClamp(linalg::LinalgOp op, Value current) {
  Clamp clamp;
  arith::CmpFOp compare;
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (inner.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (auto found = dyn_cast<arith::CmpFOp>(inner)) {
      if (compare || found.getLhs() != current)
        return std::nullopt;
      compare = found;
      continue;
    }
    bool isMax = isa<arith::MaximumFOp, arith::MaxNumFOp>(inner);
    std::optional<double> bound;
    if (isMax || isa<arith::MinimumFOp, arith::MinNumFOp>(inner)) {
      if (inner.getOperand(0) == current)
        bound = constantOf(inner.getOperand(1));
      else if (inner.getOperand(1) == current)
        bound = constantOf(inner.getOperand(0));
    } else if (auto select = dyn_cast<arith::SelectOp>(inner)) {
      // The larger, or the lesser, of the value and what it is compared with.
      if (!compare || select.getCondition() != compare.getResult())
        return std::nullopt;
      const bool isGreater = llvm::is_contained(
          {arith::CmpFPredicate::OGT, arith::CmpFPredicate::OGE,
           arith::CmpFPredicate::UGT, arith::CmpFPredicate::UGE},
          compare.getPredicate());
      const bool isLess = llvm::is_contained(
          {arith::CmpFPredicate::OLT, arith::CmpFPredicate::OLE,
           arith::CmpFPredicate::ULT, arith::CmpFPredicate::ULE},
          compare.getPredicate());
      const std::optional<double> limit = constantOf(compare.getRhs());
      Value taken = select.getTrueValue(), left = select.getFalseValue();
      if (!limit || (!isGreater && !isLess))
        return std::nullopt;
      if (taken == current && constantOf(left) == limit)
        isMax = isGreater;
      else if (left == current && constantOf(taken) == limit)
        isMax = isLess;
      else
        return std::nullopt;
      bound = limit;
      compare = {};
    }
    if (!bound)
      return std::nullopt;
    auto pick = [&](double value) {
      return isMax ? std::max(value, *bound) : std::min(value, *bound);
    };
    clamp = {pick(clamp.low), pick(clamp.high)};
    current = inner.getResult(0);
  }
  if (compare || op.getBlock()->getTerminator()->getOperand(0) != current)
    return std::nullopt;
  return clamp;
}

/// Adds the clamps behind the layer's output that int8 can have: from zero, or
/// from nothing, to anything, where int8 saturates.
static void extendTail(FloatLayer &layer) {
  while (layer.output.hasOneUse()) {
    auto op = dyn_cast<linalg::LinalgOp>(*layer.output.user_begin());
    OpOperand *extra = nullptr;
    std::string reason;
    if (!op || op->getBlock() != layer.op->getBlock() ||
        !isElementwiseOn(op, layer.output, extra, reason) || extra ||
        !isRealTensor(op->getResult(0)))
      return;
    const std::optional<Clamp> clamp =
        matchClamp(op, op.getMatchingBlockArgument(&*layer.output.use_begin()));
    if (!clamp || (!isLowest(clamp->low) && clamp->low != 0) ||
        !(clamp->high > 0))
      return;
    layer.relu |= clamp->low == 0;
    if (clamp->high < std::numeric_limits<float>::max())
      layer.high = std::min(layer.high, clamp->high);
    layer.output = op->getResult(0);
  }
}

static bool isRealContraction(linalg::LinalgOp op) {
  return op && isContraction(op) && op.hasPureTensorSemantics() &&
         llvm::all_of(op->getOperands(), isRealTensor);
}

static bool isRealSum(linalg::LinalgOp op) {
  return op && op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         isRealTensor(op->getResult(0)) && matchResidualSum(op);
}

/// A name for each contraction and sum: that of its place, else what it is and
/// the line where it stands. None is given twice.
static llvm::DenseMap<Operation *, std::string>
nameLayers(func::FuncOp function, std::vector<std::string> &names) {
  llvm::DenseMap<Operation *, std::string> result;
  llvm::StringMap<unsigned> uses;
  function.walk([&](linalg::LinalgOp op) {
    const bool isSum = isRealSum(op);
    if (!isSum && !isRealContraction(op))
      return;
    std::string name = layerName(op.getLoc());
    if (name.empty()) {
      FileLineColLoc file = fileLocation(op.getLoc());
      name = (isSum ? "sum:" : "layer:") +
             std::to_string(file ? file.getLine() : 0);
    }
    if (const unsigned before = uses[name]++)
      name += "#" + std::to_string(before + 1);
    names.push_back(name);
    result[op] = std::move(name);
  });
  return result;
}

/// Whether all are finite; else a diagnostic at `op`.
static LogicalResult checkFinite(Operation *op, StringRef what,
                                 DenseElementsAttr numbers) {
  int64_t index = 0;
  for (float number : numbers.getValues<float>()) {
    if (!std::isfinite(number))
      return op->emitError("cannot be quantised: element ")
             << index << " of its " << what << " is "
             << (std::isnan(number) ? "NaN" : "infinite")
             << "; wanted finite numbers, repair the model";
    ++index;
  }
  return success();
}

/// Contraction `op` as a layer; none, with a reason, if it has to stay.
static FailureOr<std::optional<FloatLayer>>
matchContraction(linalg::LinalgOp op, std::string &reason) {
  if (op.hasDynamicShape())
    return op->emitError(
        "cannot be quantised: its extents are open; wanted static shapes, "
        "give them with --dim, --shapes or fadiff-static-shapes");
  DenseElementsAttr weights, first;
  const bool isConstant = matchPattern(op->getOperand(1), m_Constant(&weights));
  if (matchPattern(op->getOperand(0), m_Constant(&first))) {
    reason = "its first operand is constant";
    return std::optional<FloatLayer>();
  }
  FailureOr<LayerMatch> match = matchLayer(op, Arithmetic::Float32, reason);
  if (failed(match))
    return std::optional<FloatLayer>();
  FloatLayer layer;
  layer.op = op;
  if (match->residual) {
    reason = "its sums start from a tensor";
    return std::optional<FloatLayer>();
  }
  // What is computed is added in float, behind the bare contraction.
  if (match->bias && !matchPattern(match->bias, m_Constant(&layer.bias))) {
    if (filledWith(op.getDpsInits()[0]) != 0.0) {
      reason = "its bias is not constant";
      return std::optional<FloatLayer>();
    }
    match->bias = {};
    match->ops = {op};
    match->output.value = op->getResult(0);
    match->channelAxis = outputChannelAxis(op).value_or(
        cast<RankedTensorType>(op->getResult(0).getType()).getRank());
    match->epilogue = {};
  }
  layer.ops = match->ops;
  if (isConstant) {
    layer.weights = weights;
    if (failed(checkFinite(op, "weights", weights)))
      return failure();
  }
  if (match->bias) {
    layer.biasValue = match->bias;
    layer.startsFromBias = filledWith(op.getDpsInits()[0]) != 0.0;
    if (failed(checkFinite(op, "bias", layer.bias)))
      return failure();
  }
  if (match->epilogue) {
    if (auto scale = dyn_cast_or_null<FloatAttr>(match->epilogue.getScale()))
      layer.scale = scale.getValueAsDouble();
    layer.relu = match->epilogue.getRelu();
  }
  layer.output = match->output.value;
  auto type = cast<RankedTensorType>(layer.output.getType());
  if (match->channelAxis < type.getRank()) {
    layer.channelAxis = match->channelAxis;
    layer.channels = type.getDimSize(match->channelAxis);
    const AffineExpr loop = op.getMatchingIndexingMap(op.getDpsInitOperand(0))
                                .getResult(match->channelAxis);
    layer.weightAxis = op.getMatchingIndexingMap(op.getDpsInputOperand(1))
                           .getResultPosition(loop);
  }
  const AffineMap weightMap =
      op.getMatchingIndexingMap(op.getDpsInputOperand(1));
  const AffineMap outputMap =
      op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  for (auto [loop, kind] : llvm::enumerate(op.getIteratorTypesArray()))
    layer.hasGroups |=
        kind == utils::IteratorType::parallel &&
        op.getStaticLoopRanges()[loop] > 1 &&
        weightMap.isFunctionOfDim(unsigned(loop)) &&
        !(layer.channelAxis &&
          outputMap.getResult(*layer.channelAxis).isFunctionOfDim(loop));
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  const SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (unsigned loop : reductions)
    layer.terms *= ranges[loop];
  // Half of int32 is for the bias.
  constexpr int64_t kMostTerms = (int64_t(1) << 30) / (128 * 127);
  if (layer.terms > kMostTerms) {
    reason = "its sums of " + std::to_string(layer.terms) +
             " products may not fit into int32";
    return std::optional<FloatLayer>();
  }
  extendTail(layer);
  return std::optional<FloatLayer>(layer);
}

void quantize::splitInits(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> contractions;
  function.walk([&](linalg::LinalgOp op) {
    if (isRealContraction(op) && !op.hasDynamicShape())
      contractions.push_back(op);
  });
  IRRewriter rewriter(function.getContext());
  for (linalg::LinalgOp op : contractions) {
    std::string reason;
    FailureOr<LayerMatch> match = matchLayer(op, Arithmetic::Float32, reason);
    Value init = op.getDpsInits()[0];
    auto isComputed = [](Value bias) {
      return bias && !matchPattern(bias, m_Constant());
    };
    if (failed(match) || !(match->residual || (isComputed(match->bias) &&
                                               filledWith(init) != 0.0)))
      continue;
    const Location loc = op.getLoc();
    rewriter.setInsertionPoint(op);
    auto type = cast<RankedTensorType>(init.getType());
    Value zero = arith::ConstantOp::create(rewriter, loc,
                                           rewriter.getF32FloatAttr(0.0f));
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                          type.getElementType());
    Value start =
        linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
    op.setDpsInitOperand(0, start);
    rewriter.setInsertionPointAfter(op);
    const AffineMap identity = rewriter.getMultiDimIdentityMap(type.getRank());
    SmallVector<utils::IteratorType> loops(type.getRank(),
                                           utils::IteratorType::parallel);
    Value sum = op->getResult(0);
    auto added = linalg::GenericOp::create(
        rewriter, loc, type, ValueRange{sum, init}, ValueRange{empty},
        ArrayRef<AffineMap>{identity, identity, identity}, loops,
        [](OpBuilder &b, Location l, ValueRange args) {
          Value total = arith::AddFOp::create(b, l, args[0], args[1]);
          linalg::YieldOp::create(b, l, total);
        });
    rewriter.replaceAllUsesExcept(sum, added.getResult(0), added);
  }
}

/// Of depthwise convolutions that were products.
static constexpr StringLiteral kFactorsAttrName = "fadiff.factors";

/// Whether a contraction or a sum of two tensors reads `value`, perhaps moved.
static bool isReadByLayers(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return isRealContraction(op) || isRealSum(op) ||
           (matchMove(user) && isReadByLayers(user->getResult(0)));
  });
}

/// `value` in one axis, or in another shape from there.
static Value reshape(OpBuilder &builder, Location loc, Value value,
                     ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(value.getType());
  auto all = [](int64_t rank) {
    return SmallVector<ReassociationIndices>{
        llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))};
  };
  if (type.getRank() > 1)
    value = tensor::CollapseShapeOp::create(builder, loc, value,
                                            all(type.getRank()));
  return shape.size() == 1
             ? value
             : tensor::ExpandShapeOp::create(builder, loc, type.clone(shape),
                                             value, all(shape.size()))
                   .getResult();
}

void quantize::contractFactors(func::FuncOp function) {
  SmallVector<linalg::LinalgOp> ops;
  function.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  IRRewriter rewriter(function.getContext());
  for (linalg::LinalgOp op : ops) {
    if (!op.hasPureTensorSemantics() || op->getNumResults() != 1)
      continue;
    const std::optional<ChannelFactors> product = matchChannelFactors(op);
    if (!product || product->channel != 3 ||
        matchPattern(product->factors->get(), m_Constant()) ||
        !isWorthALayer(product->image->get()) ||
        !isReadByLayers(op->getResult(0)))
      continue;
    const Location loc = op.getLoc();
    rewriter.setInsertionPoint(op);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Value taps = reshape(rewriter, loc, product->factors->get(),
                         {1, 1, type.getShape().back()});
    Value zero = arith::ConstantOp::create(rewriter, loc,
                                           rewriter.getF32FloatAttr(0.0f));
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                          type.getElementType());
    Value zeros =
        linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
    auto made = linalg::DepthwiseConv2DNhwcHwcOp::create(
        rewriter, loc, TypeRange{type}, ValueRange{product->image->get(), taps},
        ValueRange{zeros});
    made->setAttr(kFactorsAttrName, rewriter.getUnitAttr());
    rewriter.replaceOp(op, made);
  }
}

void quantize::revertFactors(func::FuncOp function) {
  SmallVector<linalg::DepthwiseConv2DNhwcHwcOp> ops;
  function.walk([&](linalg::DepthwiseConv2DNhwcHwcOp op) {
    if (op->hasAttr(kFactorsAttrName))
      ops.push_back(op);
  });
  IRRewriter rewriter(function.getContext());
  for (linalg::DepthwiseConv2DNhwcHwcOp op : ops) {
    const Location loc = op.getLoc();
    rewriter.setInsertionPoint(op);
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    const unsigned rank = type.getRank();
    Value factors =
        reshape(rewriter, loc, op.getInputs()[1], {type.getShape().back()});
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                          type.getElementType());
    const AffineMap all = rewriter.getMultiDimIdentityMap(rank);
    const AffineMap channel =
        AffineMap::get(rank, 0, rewriter.getAffineDimExpr(rank - 1));
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, TypeRange{type}, ValueRange{op.getInputs()[0], factors},
        ValueRange{empty}, ArrayRef<AffineMap>{all, channel, all},
        SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
        [](OpBuilder &b, Location l, ValueRange args) {
          Value product = arith::MulFOp::create(b, l, args[0], args[1]);
          linalg::YieldOp::create(b, l, product);
        });
  }
}

/// Whether each element of `value` is a function of one of what one of `made`
/// makes, or, with `orSum`, a sum of two tensors.
static bool isFunctionOfLayer(Value value, const DenseSet<Value> &made,
                              bool orSum) {
  llvm::SmallSetVector<Value, 8> values;
  Value layer;
  values.insert(sourceOfMoves(value));
  for (size_t next = 0; next < values.size(); ++next) {
    auto op = values[next].getDefiningOp<linalg::LinalgOp>();
    if (made.contains(values[next]) || (orSum && isRealSum(op))) {
      if (layer)
        return false;
      layer = values[next];
      continue;
    }
    if (!op || op.getNumReductionLoops() != 0 || op.getNumDpsInits() != 1 ||
        !op.hasPureTensorSemantics() || op.getNumDpsInputs() == 0)
      return false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      if (filledWith(operand->get()))
        continue;
      if (!isRealTensor(operand->get()) ||
          !op.getMatchingIndexingMap(operand).isIdentity())
        return false;
      values.insert(operand->get());
    }
  }
  return layer != nullptr;
}

namespace {
/// A function of each element of a tensor that calls the C library.
struct Activation {
  Value input;
  SmallVector<OpOperand *> reads; ///< of the input
};
} // namespace

/// `value` as the result of an activation, by one operation or several; none if
/// there is no tensor that all of it is a function of.
static std::optional<Activation> matchActivation(Value value) {
  llvm::SmallSetVector<Operation *, 4> ops;
  llvm::SmallSetVector<Value, 4> open;
  open.insert(value);
  bool callsLibrary = false;
  while (!callsLibrary || open.size() > 1) {
    Operation *last = nullptr;
    for (Value each : open) {
      Operation *def = each.getDefiningOp();
      if (def && (!last || last->isBeforeInBlock(def)))
        last = def;
    }
    auto op = dyn_cast_or_null<linalg::LinalgOp>(last);
    if (!op || op.getNumReductionLoops() != 0 || op->getNumResults() != 1 ||
        !op.hasPureTensorSemantics() || op.hasIndexSemantics() ||
        op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
      return std::nullopt;
    ops.insert(op);
    open.remove(op->getResult(0));
    for (OpOperand *operand : op.getDpsInputOperands()) {
      if (filledWith(operand->get()))
        continue;
      if (!isRealTensor(operand->get()) ||
          !op.getMatchingIndexingMap(operand).isIdentity())
        return std::nullopt;
      open.insert(operand->get());
    }
    callsLibrary |=
        llvm::any_of(op.getBlock()->without_terminator(), callsLibm);
  }
  if (open.size() != 1)
    return std::nullopt;
  Activation activation{open.front(), {}};
  for (OpOperand &use : activation.input.getUses())
    if (ops.contains(use.getOwner()))
      activation.reads.push_back(&use);
  return activation;
}

/// The tensor of which `op` finds the largest elements, as softmax does; null
/// if it does not.
static Value maximisedTensor(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInputs() != 1 ||
      op->getNumResults() != 1 || !op.hasPureTensorSemantics())
    return {};
  Operation *max =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  return isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(max) &&
                 llvm::is_contained(max->getOperands(),
                                    op.getBlock()->getArgument(0)) &&
                 llvm::is_contained(max->getOperands(),
                                    op.getBlock()->getArgument(1))
             ? op.getDpsInputs()[0]
             : Value();
}

/// Whether `value` is a function of what a layer makes plus numbers that differ
/// from place to place, as relative positions add to attention. Masks are none:
/// their two numbers are too far apart for one scale.
static bool addsConstants(Value value, const DenseSet<Value> &made) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumReductionLoops() != 0 || op->getNumResults() != 1 ||
      !op.hasPureTensorSemantics() || op.getNumDpsInputs() != 2 ||
      !isa_and_nonnull<arith::AddFOp>(
          op.getBlock()->getTerminator()->getOperand(0).getDefiningOp()))
    return false;
  for (unsigned at : {0, 1}) {
    DenseElementsAttr numbers;
    if (!matchPattern(op.getDpsInputs()[at], m_Constant(&numbers)) ||
        !numbers.getElementType().isF32())
      continue;
    DenseSet<uint32_t> different;
    float largest = 0;
    for (float number : numbers.getValues<float>()) {
      different.insert(llvm::bit_cast<uint32_t>(number));
      largest = std::max(largest, std::abs(number));
    }
    constexpr float kFar = 64; // whose exponential is no part of a sum
    constexpr unsigned kOfMask = 2;
    return largest < kFar && different.size() > kOfMask &&
           isFunctionOfLayer(op.getDpsInputs()[1 - at], made, /*orSum=*/false);
  }
  return false;
}

FailureOr<FloatNetwork> quantize::analyseNetwork(func::FuncOp function,
                                                 const KeptInFloat &kept) {
  FloatNetwork network;
  network.function = function;
  Block &block = function.getBody().front();
  const auto names = nameLayers(function, network.names);
  llvm::MapVector<Operation *, FloatLayer> candidates;
  WalkResult walked = function.walk([&](linalg::LinalgOp op) {
    if (!isRealContraction(op))
      return WalkResult::advance();
    std::string reason;
    FailureOr<std::optional<FloatLayer>> layer = matchContraction(op, reason);
    if (failed(layer))
      return WalkResult::interrupt();
    const std::string &name = names.at(op);
    if (*layer && kept.names.contains(name)) {
      reason = "it is kept in float";
      layer->reset();
    }
    if (*layer && op->getBlock() != &block) {
      reason = "it is in a loop";
      layer->reset();
    }
    if (*layer) {
      (*layer)->name = name;
      candidates.try_emplace(op, std::move(**layer));
    } else {
      network.left.emplace_back(name, reason);
    }
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();

  // What contractions read is quantised where it is made.
  DenseSet<Value> wanted;
  std::function<void(Value)> want = [&](Value value) {
    value = sourceOfMoves(value);
    if (!wanted.insert(value).second || !value.getDefiningOp())
      return;
    if (std::optional<Move> joined = matchMove(value.getDefiningOp()))
      llvm::for_each(joined->sources, want);
  };
  for (auto &[op, layer] : candidates) {
    want(layer.input());
    if (!layer.weights)
      want(layer.other());
  }
  // What sums of windows read, and sums of two that are read so in turn: of
  // what layers make, and of functions of that, which are tables of bytes.
  // `windows`: uses that are to read what bytes leave of a tensor.
  DenseSet<Value> made;
  for (auto &[op, layer] : candidates)
    made.insert(layer.output);
  SmallVector<OpOperand *> windows;
  for (Operation &op : llvm::reverse(block)) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
    if (!linalgOp)
      continue;
    if (const std::optional<ImageSums> sums = matchImageSums(linalgOp);
        sums && isWorthALayer(sums->image)) {
      want(sums->image);
      windows.push_back(linalgOp.getDpsInputOperand(0));
    }
    // What activations read that is not made of bytes, as by norms: a table of
    // bytes is cheaper than a call for each element.
    if (op.getNumResults() == 1 && wanted.contains(op.getResult(0)))
      if (std::optional<Activation> found = matchActivation(op.getResult(0));
          found && found->input.getDefiningOp() &&
          isWorthALayer(found->input) && !made.contains(found->input) &&
          !isFunctionOfLayer(found->input, made, /*orSum=*/false)) {
        want(found->input);
        llvm::append_range(windows, found->reads);
      }
    if (Value logits = maximisedTensor(linalgOp);
        logits && isWorthALayer(logits) && addsConstants(logits, made)) {
      want(logits);
      for (OpOperand &use : logits.getUses())
        if (isa<linalg::LinalgOp>(use.getOwner()))
          windows.push_back(&use);
    }
    if (isRealSum(linalgOp) && wanted.contains(op.getResult(0)) &&
        isWorthALayer(op.getResult(0)) &&
        llvm::all_of(op.getOperands().take_front(2), [&](Value summand) {
          return isFunctionOfLayer(summand, made, /*orSum=*/true);
        }))
      llvm::for_each(op.getOperands().take_front(2), want);
  }
  // Held by layers and what moves their results, as against quantised floats.
  DenseSet<Value> byLayers;
  DenseSet<Value> ofLayers; ///< their outputs
  // Where a tensor is clamped, which its scale has to say: tensors that are
  // clamped elsewhere have no scale in common with it.
  DenseMap<Value, double> highest;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  auto highestOf = [&](Value value) {
    auto it = highest.find(value);
    return it == highest.end() ? kInfinity : it->second;
  };
  auto enter = [&](Value value) {
    if (!wanted.contains(value) || network.isHeld(value))
      return;
    network.hold(value);
    network.entries.push_back(value);
  };
  for (Value argument : block.getArguments())
    enter(argument);
  auto addLayer = [&](FloatLayer layer) {
    network.hold(layer.output);
    byLayers.insert(layer.output);
    ofLayers.insert(layer.output);
    highest[layer.output] = layer.high;
    network.steps.push_back({unsigned(network.layers.size()), std::nullopt});
    network.layers.push_back(std::move(layer));
  };
  for (Operation &op : block) {
    if (auto it = candidates.find(&op); it != candidates.end()) {
      // An operand that no move leads to is there as a float.
      for (Value operand : {it->second.input(), it->second.other()})
        if (!network.isHeld(operand) &&
            !(operand == it->second.other() && it->second.weights)) {
          network.hold(operand);
          network.entries.push_back(operand);
        }
      addLayer(it->second);
      continue;
    }
    if (std::optional<Move> move = matchMove(&op)) {
      const double high = highestOf(move->sources.front());
      if (llvm::all_of(move->sources, [&](Value v) {
            return network.isHeld(v) && highestOf(v) == high;
          })) {
        highest[move->result()] = high;
        const bool isByLayers = llvm::all_of(
            move->sources, [&](Value v) { return byLayers.contains(v); });
        for (Value source : move->sources)
          network.unite(source, move->result());
        if (isByLayers)
          byLayers.insert(move->result());
        network.steps.push_back({std::nullopt, *move});
        continue;
      }
    }
    auto sum = dyn_cast<linalg::LinalgOp>(op);
    if (isRealSum(sum)) {
      Value a = op.getOperand(0), b = op.getOperand(1);
      auto ends = [&](Value v) {
        return ofLayers.contains(v) && v.hasOneUse();
      };
      // A sum that is read in float, as by norms, stays as exact as it is.
      const bool isInBytes = (byLayers.contains(a) && byLayers.contains(b)) ||
                             (network.isHeld(a) && network.isHeld(b) &&
                              wanted.contains(op.getResult(0)));
      auto type = cast<RankedTensorType>(op.getResult(0).getType());
      if (a != b && highestOf(a) == highestOf(b) && isInBytes &&
          type.getRank() > 0 && type.hasStaticShape() &&
          (ends(a) || ends(b) || isWorthALayer(op.getResult(0)))) {
        FloatLayer layer;
        layer.op = sum;
        layer.isSum = true;
        layer.name = names.at(&op);
        layer.output = op.getResult(0);
        layer.channelAxis = type.getRank() - 1;
        layer.channels = type.getShape().back();
        if (!kept.names.contains(layer.name)) {
          network.unite(a, b);
          extendTail(layer);
          addLayer(layer);
          continue;
        }
      }
    }
    for (Value result : op.getResults())
      enter(result);
  }
  for (OpOperand *window : windows)
    if (llvm::is_contained(network.entries, window->get()))
      network.readsBytes.push_back(window);
  return network;
}
