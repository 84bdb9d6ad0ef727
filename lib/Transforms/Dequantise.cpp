//===- Dequantise.cpp - Contractions of dequantised int8 ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   sum (s (x - a)) (t[k] (w - b))  =  s t[k] sum (x - a) (w - b)
//
// The sum on the right is one of integers. It is what the one in f32 on the
// left would be without rounding; if both scales are powers of two and no sum
// reaches 2^24, f32 does not round either.
//
//===----------------------------------------------------------------------===//

#include "Affine.h"
#include "FoldScalars.h"
#include "Normalize.h"
#include "SumPools.h"
#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Analysis/ImageMatch.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

#include <cmath>

using namespace mlir;
using namespace fadiff;

namespace {
/// Neighbouring axes that channels run along: one, or that of groups and the
/// next one.
struct ChannelAxes {
  unsigned first = 0, count = 1;

  bool operator==(const ChannelAxes &other) const {
    return first == other.first && count == other.count;
  }
};

/// An f32 tensor as scale * (bytes - zeroPoint).
struct Quantised {
  Value bytes;                    ///< before `moves`; null for a constant
  DenseElementsAttr constant;     ///< then these are the bytes
  SmallVector<Operation *> moves; ///< reshapes and the like behind, last first
  SmallVector<double> scales;     ///< one, or one per index along `axes`
  std::optional<ChannelAxes> axes;
  int32_t zeroPoint = 0;
  bool isUnsigned = false;

  /// Largest magnitude of bytes - zeroPoint.
  int64_t reach() const {
    if (isUnsigned)
      return std::max<int64_t>(zeroPoint, 255 - zeroPoint);
    return std::max<int64_t>(128 + zeroPoint, 127 - zeroPoint);
  }
};
} // namespace

/// The scale by which all of `numbers` are integers of int8, as f32 has it; 0
/// if there is none. Their largest magnitude is some integer; usually 127 or
/// 128.
static float scaleOfBytes(ArrayRef<float> numbers) {
  double largest = 0;
  for (float number : numbers)
    largest = std::max(largest, std::abs(static_cast<double>(number)));
  if (largest == 0 || !std::isfinite(largest))
    return 0;
  for (int top = 128; top > 0; --top) {
    // The largest is a rounded product: the scale that makes it may be the next
    // number.
    const float near = static_cast<float>(largest / top);
    for (float scale :
         {near, std::nextafter(near, 0.0f), std::nextafter(near, HUGE_VALF)})
      if (llvm::all_of(numbers, [&](float number) {
            const float byte = std::round(number / scale);
            return byte >= -128 && byte <= 127 && byte * scale == number;
          }))
        return scale;
  }
  return 0;
}

/// `constant` as bytes by one scale, or else by one per index along `axes`.
static std::optional<Quantised> matchConstant(DenseElementsAttr constant,
                                              std::optional<ChannelAxes> axes) {
  const SmallVector<float> numbers(constant.getValues<float>());
  const ArrayRef<int64_t> shape = constant.getType().getShape();
  Quantised result;
  size_t inner = numbers.size();
  const int64_t channels =
      axes ? ShapedType::getNumElements(shape.slice(axes->first, axes->count))
           : 1;
  if (const float scale = scaleOfBytes(numbers)) {
    result.scales.push_back(scale);
  } else if (channels > 1) {
    inner = size_t(ShapedType::getNumElements(
        shape.drop_front(axes->first + axes->count)));
    std::vector<SmallVector<float>> groups(static_cast<size_t>(channels));
    for (auto [i, number] : llvm::enumerate(numbers))
      groups[i / inner % groups.size()].push_back(number);
    double largest = 0;
    for (ArrayRef<float> group : groups) {
      result.scales.push_back(scaleOfBytes(group));
      largest = std::max(largest, result.scales.back());
      if (result.scales.back() == 0 &&
          llvm::any_of(group, [](float number) { return number != 0; }))
        return std::nullopt;
    }
    // Of a channel of zeros any scale is one.
    for (double &scale : result.scales)
      scale = scale == 0 ? largest : scale;
    result.axes = axes;
  }
  if (result.scales.empty() || result.scales[0] == 0)
    return std::nullopt;
  SmallVector<int8_t> bytes;
  for (auto [i, number] : llvm::enumerate(numbers))
    bytes.push_back(static_cast<int8_t>(std::round(
        number /
        static_cast<float>(result.scales[i / inner % result.scales.size()]))));
  result.constant = DenseElementsAttr::get(
      constant.getType().clone(IntegerType::get(constant.getContext(), 8)),
      ArrayRef<int8_t>(bytes));
  return result;
}

/// What elementwise `op` dequantises.
static std::optional<Quantised> matchDequantise(linalg::LinalgOp op) {
  if (!mapsElements(op) || op.hasDynamicShape() || op.hasIndexSemantics() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  OpOperand *chain = nullptr;
  Quantised result;
  std::optional<unsigned> axis;
  int64_t channels = 1;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto type = dyn_cast<RankedTensorType>(input->get().getType());
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!type)
      continue;
    if (!chain && map.isIdentity() && type.getElementType().isInteger(8)) {
      chain = input;
      continue;
    }
    for (auto [index, extent] : llvm::zip(map.getResults(), type.getShape()))
      if (auto loop = dyn_cast<AffineDimExpr>(index); loop && extent != 1) {
        if (axis && *axis != loop.getPosition())
          return std::nullopt;
        axis = loop.getPosition();
        channels = extent;
      }
  }
  if (!chain)
    return std::nullopt;
  AffineBody body(op, *chain, axis, channels);
  const Affine *affine =
      body.lookup(op.getBlock()->getTerminator()->getOperand(0));
  if (!affine || affine->isConstant())
    return std::nullopt;
  result.bytes = chain->get();
  result.isUnsigned = body.readsUnsigned();
  result.scales = affine->slope;
  result.zeroPoint =
      static_cast<int32_t>(std::lround(-affine->offset[0] / affine->slope[0]));
  for (auto [scale, offset] : llvm::zip(affine->slope, affine->offset))
    if (!(scale > 0) || !std::isfinite(scale) ||
        offset != -scale * result.zeroPoint)
      return std::nullopt;
  if (llvm::all_equal(result.scales))
    result.scales.truncate(1);
  else
    result.axes = ChannelAxes{*axis, 1};
  return result;
}

/// The axes of `part` with more than one element, if they are neighbours; its
/// first one if there is none.
static std::optional<ChannelAxes> wideAxes(const ReassociationIndices &part,
                                           ArrayRef<int64_t> shape) {
  const SmallVector<int64_t> wide = llvm::filter_to_vector(
      part, [&](int64_t axis) { return shape[axis] != 1; });
  if (wide.empty())
    return ChannelAxes{unsigned(part.front()), 1};
  if (wide.back() - wide.front() + 1 != int64_t(wide.size()))
    return std::nullopt;
  return ChannelAxes{unsigned(wide.front()), unsigned(wide.size())};
}

/// `channels` of the operand of a move as axes of its result, or of the result
/// as axes of the operand. None if they do not stay together there.
static std::optional<ChannelAxes> moved(Operation *move, ChannelAxes channels,
                                        bool toResult) {
  if (isa<tensor::PadOp>(move))
    return channels;
  const bool isOne = channels.count == 1;
  if (auto turned = dyn_cast<linalg::TransposeOp>(move)) {
    ArrayRef<int64_t> order = turned.getPermutation();
    if (!isOne)
      return std::nullopt;
    return ChannelAxes{
        unsigned(toResult ? llvm::find(order, channels.first) - order.begin()
                          : order[channels.first]),
        1};
  }
  // One side has all axes apart.
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(move);
  auto expand = dyn_cast<tensor::ExpandShapeOp>(move);
  ArrayRef<int64_t> apart = collapse ? collapse.getSrcType().getShape()
                                     : expand.getResultType().getShape();
  const SmallVector<ReassociationIndices> parts =
      collapse ? collapse.getReassociationIndices()
               : expand.getReassociationIndices();
  if (bool(expand) == toResult)
    return isOne ? wideAxes(parts[channels.first], apart) : std::nullopt;
  for (auto [axis, part] : llvm::enumerate(parts))
    if (wideAxes(part, apart) == channels)
      return ChannelAxes{unsigned(axis), 1};
  return std::nullopt;
}

/// The axes of the weights of `op` that its channels run along, if the result's
/// are `index`.
static std::optional<ChannelAxes> weightAxesOf(linalg::LinalgOp op,
                                               AffineExpr index) {
  const AffineMap weights = op.getIndexingMapsArray()[1];
  if (std::optional<unsigned> axis = weights.getResultPosition(index))
    return ChannelAxes{*axis, 1};
  auto joined = matchJoined(index, op.getStaticLoopRanges());
  if (!joined)
    return std::nullopt;
  MLIRContext *context = op.getContext();
  auto outer =
      weights.getResultPosition(getAffineDimExpr(joined->outer, context));
  auto inner =
      weights.getResultPosition(getAffineDimExpr(joined->inner, context));
  if (!outer || !inner || *inner != *outer + 1)
    return std::nullopt;
  return ChannelAxes{*outer, 2};
}

/// `value` if it is dequantised, or a constant that could be, behind padding
/// with zeros, transposes and reshapes. Constants may have a scale for each
/// index along `channels`.
static std::optional<Quantised>
matchQuantised(Value value, std::optional<ChannelAxes> channels) {
  SmallVector<Operation *> moves;
  DenseElementsAttr constant;
  for (;;) {
    if (matchPattern(value, m_Constant(&constant)))
      break;
    Operation *def = value.getDefiningOp();
    if (auto pad = dyn_cast_or_null<tensor::PadOp>(def)) {
      Value padding = pad.getConstantPaddingValue();
      if (!padding || !matchPattern(padding, m_AnyZeroFloat()) ||
          !pad.getResultType().hasStaticShape())
        return std::nullopt;
    } else if (!isa_and_nonnull<linalg::TransposeOp, tensor::CollapseShapeOp,
                                tensor::ExpandShapeOp>(def) ||
               !cast<ShapedType>(value.getType()).hasStaticShape()) {
      break;
    }
    if (channels)
      channels = moved(def, *channels, /*toResult=*/false);
    moves.push_back(def);
    value = def->getOperand(0);
  }
  std::optional<Quantised> result;
  if (constant)
    result = matchConstant(constant, channels);
  else if (auto op = value.getDefiningOp<linalg::LinalgOp>())
    result = matchDequantise(op);
  if (!result)
    return std::nullopt;
  result->moves = moves;
  for (Operation *move : llvm::reverse(moves)) {
    if (!result->axes)
      break;
    // Scales stay with their axes.
    result->axes = moved(move, *result->axes, /*toResult=*/true);
    if (!result->axes)
      return std::nullopt;
  }
  return result;
}

/// The bytes in the shape of the tensor that they are dequantised to.
static Value buildBytes(RewriterBase &rewriter, Location loc,
                        const Quantised &quantised) {
  Value bytes = quantised.bytes;
  if (!bytes)
    bytes = arith::ConstantOp::create(rewriter, loc, quantised.constant);
  const Type i8 = rewriter.getI8Type();
  for (Operation *move : llvm::reverse(quantised.moves)) {
    auto type = cast<RankedTensorType>(move->getResult(0).getType()).clone(i8);
    if (auto pad = dyn_cast<tensor::PadOp>(move)) {
      Value zero = arith::ConstantOp::create(
          rewriter, loc,
          rewriter.getIntegerAttr(i8,
                                  static_cast<int8_t>(quantised.zeroPoint)));
      bytes = tensor::PadOp::create(rewriter, loc, type, bytes,
                                    pad.getMixedLowPad(), pad.getMixedHighPad(),
                                    zero);
    } else if (auto turned = dyn_cast<linalg::TransposeOp>(move)) {
      Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), i8);
      bytes = linalg::TransposeOp::create(rewriter, loc, bytes, empty,
                                          turned.getPermutation())
                  ->getResult(0);
    } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(move)) {
      bytes = tensor::CollapseShapeOp::create(
          rewriter, loc, type, bytes, collapse.getReassociationIndices());
    } else {
      auto expand = cast<tensor::ExpandShapeOp>(move);
      bytes = tensor::ExpandShapeOp::create(rewriter, loc, type, bytes,
                                            expand.getReassociationIndices());
    }
  }
  return bytes;
}

namespace {
/// A `MoveT` of bytes that were dequantised.
template <typename MoveT> struct MoveBytes : public OpRewritePattern<MoveT> {
  using OpRewritePattern<MoveT>::OpRewritePattern;

  LogicalResult matchAndRewrite(MoveT move,
                                PatternRewriter &rewriter) const override {
    Value real = move->getOperand(0);
    auto op = real.getDefiningOp<linalg::GenericOp>();
    auto type = dyn_cast<RankedTensorType>(move->getResult(0).getType());
    if (!op || !type || !type.hasStaticShape() ||
        !type.getElementType().isF32() || op.getNumDpsInputs() != 1 ||
        op->getNumResults() != 1 || !mapsElements(op) ||
        op.hasIndexSemantics() ||
        !llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); }))
      return failure();
    Value bytes = op.getInputs()[0];
    if (!getElementTypeOrSelf(bytes).isInteger(8))
      return failure();
    Location loc = op.getLoc();
    auto ofBytes = type.clone(rewriter.getI8Type());
    Value moved;
    if constexpr (std::is_same_v<MoveT, linalg::TransposeOp>) {
      Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                            ofBytes.getElementType());
      moved = linalg::TransposeOp::create(rewriter, loc, bytes, empty,
                                          move.getPermutation())
                  ->getResult(0);
    } else {
      IRMapping mapping;
      mapping.map(real, bytes);
      moved = rewriter.clone(*move, mapping)->getResult(0);
      moved.setType(ofBytes);
    }
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                          type.getElementType());
    const AffineMap all = rewriter.getMultiDimIdentityMap(type.getRank());
    auto dequantised = linalg::GenericOp::create(
        rewriter, loc, type, moved, empty, {all, all},
        SmallVector<utils::IteratorType>(type.getRank(),
                                         utils::IteratorType::parallel));
    dequantised->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.cloneRegionBefore(op.getRegion(), dequantised.getRegion(),
                               dequantised.getRegion().begin());
    rewriter.replaceOp(move, dequantised);
    return success();
  }
};
} // namespace

void fadiff::populateMoveBytesPatterns(RewritePatternSet &patterns) {
  patterns
      .add<MoveBytes<tensor::ExpandShapeOp>, MoveBytes<tensor::CollapseShapeOp>,
           MoveBytes<tensor::ExtractSliceOp>, MoveBytes<linalg::TransposeOp>>(
          patterns.getContext());
}

/// Whether what is made of `value` ends in bytes again, one reader at a time.
static bool isRequantised(Value value) {
  while (value.hasOneUse()) {
    auto op = dyn_cast<linalg::LinalgOp>(*value.user_begin());
    if (!op || !mapsElements(op))
      return false;
    value = op->getResult(0);
    if (cast<ShapedType>(value.getType()).getElementType().isInteger(8))
      return true;
  }
  return false;
}

/// `start` in units of `scales`, as integers; nothing if one is no integer but
/// for the rounding of f32, unless `rounds`, or beyond `limit`.
static std::optional<SmallVector<int32_t>>
quantiseBias(ArrayRef<double> start, ArrayRef<double> scales, bool rounds,
             bool isExact, double limit) {
  SmallVector<int32_t> bias;
  for (auto [k, number] : llvm::enumerate(start)) {
    const double wanted = number / scales[scales.size() == 1 ? 0 : k];
    const double whole = std::round(wanted);
    const double apart = std::abs(wanted - whole);
    // f32 has 24 bits, and so has each of the scales.
    const double slack = isExact ? 0 : std::abs(whole) * 0x1p-22;
    if (!(std::abs(whole) <= limit) || !(rounds || apart <= slack))
      return std::nullopt;
    bias.push_back(static_cast<int32_t>(whole));
  }
  return bias;
}

static bool isPowerOfTwo(double scale) {
  int exponent;
  return std::frexp(scale, &exponent) == 0.5 && std::abs(exponent) < 60;
}

constexpr double kWraps = 0x1p31 - 1; ///< what sums in int32 stay below
constexpr double kRounds = 0x1p24;    ///< from here on, f32 rounds integers

/// Says that `op` stays in f32, as that is not the same in integers.
static void keepInFloats(linalg::LinalgOp op, StringRef what) {
  noteOnHost(op, {("it " + what +
                   " dequantised int8 in f32, and its sums round where int8's "
                   "do not")
                      .str(),
                  "requantize=hardware", ""});
  remark::missed(op.getLoc(),
                 remark::RemarkOpts::name("Requantise").category("fadiff"))
      << ("'" + op->getName().getStringRef() + "' stays in f32: it " + what +
          " dequantised int8, but its sums round in f32 and int8's do not; "
          "requantize=hardware makes it an int8 layer")
             .str();
}

/// `sums` in f32, in units of `scale`.
static Value scaledSums(RewriterBase &rewriter, Location loc, Value sums,
                        double scale) {
  return mapTensor(rewriter, loc, sums, rewriter.getF32Type(),
                   [&](OpBuilder &b, Location l, Value sum) -> Value {
                     Value number =
                         arith::SIToFPOp::create(b, l, b.getF32Type(), sum);
                     Value factor = arith::ConstantOp::create(
                         b, l, b.getF32FloatAttr(static_cast<float>(scale)));
                     return arith::MulFOp::create(b, l, number, factor);
                   });
}

/// The axes of an image as N, H, W, C if channels run along `channel`; none if
/// they run along another axis than the second or the last one.
static std::optional<SmallVector<int64_t>> axesToLast(int64_t channel) {
  if (channel == 1)
    return SmallVector<int64_t>{0, 2, 3, 1};
  if (channel == 3)
    return SmallVector<int64_t>{0, 1, 2, 3};
  return std::nullopt;
}

void fadiff::dequantiseBehind(RewriterBase &rewriter, linalg::LinalgOp op,
                              bool allowDeviation) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!llvm::all_of(op->getOperandTypes(), [](Type operand) {
        return cast<ShapedType>(operand).getElementType().isF32();
      }))
    return;
  OpOperand *use[] = {op.getDpsInputOperand(0), op.getDpsInputOperand(1)};
  OpOperand *initUse = op.getDpsInitOperand(0);
  AffineMap out = op.getMatchingIndexingMap(initUse);
  std::optional<unsigned> channelAxis = outputChannelAxis(op);
  std::optional<ChannelAxes> weightAxes;
  if (channelAxis)
    weightAxes = weightAxesOf(op, out.getResult(*channelAxis));
  std::optional<Quantised> factors[2] = {
      matchQuantised(use[0]->get(), std::nullopt), std::nullopt};
  if (factors[0])
    factors[1] = matchQuantised(use[1]->get(), weightAxes);
  // A constant alone may happen to be a few integers; bytes make it a layer.
  if (!factors[1] || (factors[0]->constant && factors[1]->constant))
    return;
  SmallVector<double> scales{factors[0]->scales[0] * factors[1]->scales[0]};
  if (factors[0]->axes)
    return;
  if (factors[1]->axes) {
    if (!(factors[1]->axes == weightAxes))
      return;
    scales = llvm::map_to_vector(factors[1]->scales, [&](double scale) {
      return scale * factors[0]->scales[0];
    });
  }
  double bound = factors[0]->reach() * factors[1]->reach();
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  for (unsigned loop : reductions)
    bound *= ranges[loop];
  if (bound > kWraps)
    return;

  // With deviation, what is added behind is added before.
  if (allowDeviation)
    foldAffine(rewriter, op, /*onlyOffset=*/true);
  std::optional<SmallVector<double>> start;
  Value init = initUse->get();
  if (channelAxis) {
    SmallVector<Operation *> ops;
    if (Value vector = matchBroadcast(init, *channelAxis, ops))
      start = evaluateConstant(vector);
    else if (DenseElementsAttr along = initAlongAxis(init, *channelAxis))
      start = llvm::map_to_vector(along.getValues<float>(), [](float number) {
        return static_cast<double>(number);
      });
  } else if (matchPattern(init, m_AnyZeroFloat())) {
    start = SmallVector<double>{0};
  }
  const bool isPower = llvm::all_of(factors[0]->scales, isPowerOfTwo) &&
                       llvm::all_of(factors[1]->scales, isPowerOfTwo);
  std::optional<SmallVector<int32_t>> bias;
  bool isExact = isPower && bound < kRounds;
  if (start) {
    if (isExact)
      bias = quantiseBias(*start, scales, /*rounds=*/false, /*isExact=*/true,
                          kRounds - bound);
    isExact &= bias.has_value();
    if (!bias)
      bias = quantiseBias(*start, scales, isRequantised(op->getResult(0)),
                          /*isExact=*/false, kWraps - bound);
  } else {
    isExact = false;
  }
  Location loc = op.getLoc();
  if (!isExact && !allowDeviation) {
    keepInFloats(op, "multiplies");
    return;
  }
  if (start && !bias)
    remark::analysis(loc,
                     remark::RemarkOpts::name("Requantise").category("fadiff"))
        << "its bias is added in f32 on the host: it is no multiple of the "
           "product of the operands' scales";

  rewriter.setInsertionPoint(op);
  Value bytes[] = {buildBytes(rewriter, loc, *factors[0]),
                   buildBytes(rewriter, loc, *factors[1])};
  const Type i32 = rewriter.getI32Type();
  Value sums = tensor::EmptyOp::create(rewriter, loc, type.getShape(), i32);
  if (bias && llvm::any_of(*bias, [](int32_t number) { return number != 0; })) {
    auto vectorType =
        RankedTensorType::get({static_cast<int64_t>(bias->size())}, i32);
    Value vector = arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(vectorType, ArrayRef<int32_t>(*bias)));
    sums =
        broadcastAlongAxis(rewriter, loc, vector, sums.getType(), *channelAxis);
  } else {
    Value zero =
        arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
    sums = linalg::FillOp::create(rewriter, loc, zero, sums).result();
  }
  auto contraction = linalg::GenericOp::create(
      rewriter, loc, sums.getType(), ValueRange(bytes), sums,
      op.getIndexingMapsArray(), op.getIteratorTypesArray(),
      [&](OpBuilder &b, Location l, ValueRange arguments) {
        SmallVector<Value> terms;
        for (auto [factor, byte] : llvm::zip(factors, arguments)) {
          Value term = factor->isUnsigned
                           ? arith::ExtUIOp::create(b, l, i32, byte).getResult()
                           : arith::ExtSIOp::create(b, l, i32, byte);
          if (factor->zeroPoint) {
            Value zeroPoint = arith::ConstantOp::create(
                b, l, b.getI32IntegerAttr(factor->zeroPoint));
            term = arith::SubIOp::create(b, l, term, zeroPoint);
          }
          terms.push_back(term);
        }
        Value term = arith::MulIOp::create(b, l, terms[0], terms[1]);
        Value sum = arith::AddIOp::create(b, l, arguments[2], term);
        linalg::YieldOp::create(b, l, sum);
      });
  for (NamedAttribute attr : op->getDiscardableAttrs())
    if (!isa_and_nonnull<linalg::LinalgDialect>(attr.getNameDialect()))
      contraction->setDiscardableAttr(attr.getName(), attr.getValue());

  const unsigned rank = type.getRank();
  const AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
  SmallVector<Value> inputs{contraction.getResult(0)};
  SmallVector<AffineMap> maps{identity};
  if (scales.size() > 1) {
    SmallVector<float> factorsOfChannels(scales.begin(), scales.end());
    auto vectorType = RankedTensorType::get(
        {static_cast<int64_t>(scales.size())}, rewriter.getF32Type());
    inputs.push_back(arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(vectorType,
                               ArrayRef<float>(factorsOfChannels))));
    maps.push_back(
        AffineMap::get(rank, 0, rewriter.getAffineDimExpr(*channelAxis)));
  }
  if (!bias) {
    inputs.push_back(init);
    maps.push_back(identity);
  }
  maps.push_back(identity);
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        type.getElementType());
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, TypeRange(type), inputs, empty, maps,
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &b, Location l, ValueRange arguments) {
        Value real =
            arith::SIToFPOp::create(b, l, b.getF32Type(), arguments[0]);
        Value scale =
            scales.size() > 1
                ? arguments[1]
                : arith::ConstantOp::create(
                      b, l, b.getF32FloatAttr(static_cast<float>(scales[0])))
                      .getResult();
        real = arith::MulFOp::create(b, l, real, scale);
        if (!bias)
          real =
              arith::AddFOp::create(b, l, real, arguments[inputs.size() - 1]);
        linalg::YieldOp::create(b, l, real);
      });
}

//===----------------------------------------------------------------------===//
// Sums of windows
//===----------------------------------------------------------------------===//

bool fadiff::dequantiseSums(RewriterBase &rewriter, linalg::LinalgOp op,
                            bool allowDeviation) {
  std::optional<ImageSums> sums = matchImageSums(op);
  if (!sums)
    return false;
  std::optional<Quantised> quantised =
      matchQuantised(sums->image, std::nullopt);
  if (!quantised || quantised->constant || quantised->axes)
    return false;
  WindowSums windows{sums->image,         sums->count,    sums->size,
                     sums->stride,        sums->dilation, quantised->isUnsigned,
                     quantised->zeroPoint};
  const double bound =
      double(quantised->reach()) * double(sums->size[0] * sums->size[1]);
  if (bound > kWraps || !isWorthALayer(sums->image))
    return false;
  const double scale = quantised->scales[0];
  if (!allowDeviation && !(isPowerOfTwo(scale) && bound < kRounds)) {
    keepInFloats(op, "sums");
    return false;
  }
  const Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  windows.image = withAxes(rewriter, loc, buildBytes(rewriter, loc, *quantised),
                           sums->toLast);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value summed = windows.build(rewriter, loc);
  // One number per channel has no order to turn.
  const bool isVector = llvm::count_if(type.getShape(), [](int64_t extent) {
                          return extent != 1;
                        }) <= 1;
  if (isVector)
    summed = reshapeUnitDims(rewriter, loc, summed,
                             type.clone(rewriter.getI32Type()));
  Value real = scaledSums(rewriter, loc, summed, scale);
  if (!isVector)
    real = reshapeUnitDims(
        rewriter, loc,
        withAxes(rewriter, loc, real, invertPermutationVector(sums->toLast)),
        type);
  rewriter.replaceOp(op, real);
  return true;
}

//===----------------------------------------------------------------------===//
// Factors per channel
//===----------------------------------------------------------------------===//

bool fadiff::dequantiseFactors(RewriterBase &rewriter, linalg::LinalgOp op,
                               bool allowDeviation) {
  const std::optional<ChannelFactors> product = matchChannelFactors(op);
  auto toLast = product ? axesToLast(product->channel) : std::nullopt;
  if (!toLast)
    return false;
  const Value image = product->image->get(), factors = product->factors->get();
  std::optional<Quantised> of[2] = {matchQuantised(image, std::nullopt),
                                    matchQuantised(factors, std::nullopt)};
  // A product with a zero point per pixel is none of the array's.
  for (const std::optional<Quantised> &each : of)
    if (!each || each->constant || each->axes || each->isUnsigned ||
        each->zeroPoint != 0)
      return false;
  if (!isWorthALayer(image))
    return false;
  const double scales[] = {of[0]->scales[0], of[1]->scales[0]};
  if (!allowDeviation && !llvm::all_of(scales, isPowerOfTwo)) {
    keepInFloats(op, "multiplies");
    return false;
  }
  const Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Value bytes =
      withAxes(rewriter, loc, buildBytes(rewriter, loc, *of[0]), *toLast);
  const ArrayRef<int64_t> shape =
      cast<RankedTensorType>(bytes.getType()).getShape();
  Value taps = reshapeUnitDims(
      rewriter, loc, buildBytes(rewriter, loc, *of[1]),
      RankedTensorType::get({1, 1, shape.back()}, rewriter.getI8Type()));
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, shape, rewriter.getI32Type());
  Value zeros = linalg::FillOp::create(rewriter, loc, zero, empty).result();
  Value products = linalg::DepthwiseConv2DNhwcHwcOp::create(
                       rewriter, loc, zeros.getType(), ValueRange{bytes, taps},
                       ValueRange{zeros})
                       .getResult(0);
  Value real = scaledSums(rewriter, loc, products, scales[0] * scales[1]);
  rewriter.replaceOp(
      op, withAxes(rewriter, loc, real, invertPermutationVector(*toLast)));
  return true;
}

//===----------------------------------------------------------------------===//
// Bytes that are what they were
//===----------------------------------------------------------------------===//

void fadiff::dropRequantisation(RewriterBase &rewriter, linalg::LinalgOp op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.getElementType().isInteger(8) || !mapsElements(op) ||
      op.hasDynamicShape() || op.hasIndexSemantics() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return;
  OpOperand *reals = nullptr;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (constantOf(input->get()))
      continue;
    if (reals || !getElementTypeOrSelf(input->get()).isF32() ||
        !op.getMatchingIndexingMap(input).isIdentity())
      return;
    reals = input;
  }
  if (!reals)
    return;
  std::optional<Quantised> quantised =
      matchQuantised(reals->get(), std::nullopt);
  if (!quantised || quantised->constant || quantised->axes)
    return;
  // What dequantises, behind the moves.
  Value made = reals->get();
  if (!quantised->moves.empty())
    made = quantised->moves.back()->getOperand(0);
  auto maker = made.getDefiningOp<linalg::LinalgOp>();
  OpOperand *bytes = nullptr;
  for (OpOperand *input : maker.getDpsInputOperands())
    if (input->get() == quantised->bytes)
      bytes = input;
  if (!bytes)
    return;
  auto isSame = [&](int byte) {
    TypedAttr before = rewriter.getI8IntegerAttr(static_cast<int8_t>(byte));
    TypedAttr real = foldBody(maker, *bytes, before);
    return real && foldBody(op, *reals, real) == before;
  };
  for (int byte = -128; byte < 128; ++byte)
    if (!isSame(byte))
      return;
  rewriter.setInsertionPoint(op);
  rewriter.replaceOp(op, buildBytes(rewriter, op.getLoc(), *quantised));
}
