//===- ZeroPoints.cpp - Contractions without zero points ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   sum (x - a) (w - b)  =  sum x w  -  a sum (w - b)  -  b sum x
//
// The second term differs per output channel only, so it is a bias; the third
// per output pixel, and is subtracted on the host.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

namespace {
/// One factor of the product: an operand less a zero point.
struct Factor {
  OpOperand *operand = nullptr;
  Value zeroPoint; ///< scalar outside of the body, or null
};
} // namespace

/// The operand that a block argument stands for.
static OpOperand *operandOf(linalg::LinalgOp op, Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBlock())
    return nullptr;
  return &op->getOpOperand(argument.getArgNumber());
}

static std::optional<Factor> matchFactor(linalg::LinalgOp op, Value value) {
  Factor factor;
  if (auto sub = value.getDefiningOp<arith::SubIOp>()) {
    value = sub.getLhs();
    factor.zeroPoint = sub.getRhs();
    if (OpOperand *scalar = operandOf(op, factor.zeroPoint))
      factor.zeroPoint = scalar->get();
  }
  if (auto extension = value.getDefiningOp<arith::ExtSIOp>())
    value = extension.getIn();
  factor.operand = operandOf(op, value);
  if (!factor.operand || !isa<ShapedType>(factor.operand->get().getType()))
    return std::nullopt;
  return factor;
}

/// The two factors if `op` sums products of operands less zero points.
static std::optional<std::pair<Factor, Factor>>
matchProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return std::nullopt;
  auto add = op.getBlock()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::AddIOp>();
  if (!add)
    return std::nullopt;
  Value accumulator = op.getRegionOutputArgs()[0];
  Value product = add.getLhs() == accumulator   ? add.getRhs()
                  : add.getRhs() == accumulator ? add.getLhs()
                                                : Value();
  auto mul = product ? product.getDefiningOp<arith::MulIOp>() : nullptr;
  if (!mul || !mul.getType().isInteger(32))
    return std::nullopt;
  auto lhs = matchFactor(op, mul.getLhs()), rhs = matchFactor(op, mul.getRhs());
  if (!lhs || !rhs || lhs->operand == rhs->operand)
    return std::nullopt;
  if (lhs->operand->getOperandNumber() > rhs->operand->getOperandNumber())
    std::swap(lhs, rhs);
  return std::make_pair(*lhs, *rhs);
}

bool fadiff::hasZeroPoints(linalg::LinalgOp op) {
  auto product = matchProduct(op);
  return product && (product->first.zeroPoint || product->second.zeroPoint);
}

static std::optional<int32_t> constantOf(Value zeroPoint) {
  if (!zeroPoint)
    return 0;
  APInt value;
  if (!matchPattern(zeroPoint, m_ConstantInt(&value)))
    return std::nullopt;
  return static_cast<int32_t>(value.getSExtValue());
}

/// Wraps, as the sums do.
static int32_t times(int32_t a, int64_t b) {
  return static_cast<int32_t>(static_cast<uint32_t>(a) *
                              static_cast<uint32_t>(b));
}

Value fadiff::flatten(OpBuilder &builder, Location loc, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getRank() == 1)
    return value;
  auto flat =
      RankedTensorType::get({type.getNumElements()}, type.getElementType());
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(builder, loc, constant.reshape(flat));
  SmallVector<ReassociationIndices> all;
  if (type.getRank() > 0)
    all.push_back(llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  if (type.getRank() == 0)
    return tensor::ExpandShapeOp::create(builder, loc, flat, value, all);
  return tensor::CollapseShapeOp::create(builder, loc, flat, value, all);
}

Value fadiff::addVectors(OpBuilder &builder, Location loc, Value lhs,
                         Value rhs) {
  auto type = cast<RankedTensorType>(lhs.getType());
  DenseIntElementsAttr a, b;
  if (matchPattern(lhs, m_Constant(&a)) && matchPattern(rhs, m_Constant(&b))) {
    SmallVector<int32_t> sums;
    for (auto [x, y] :
         llvm::zip(a.getValues<int32_t>(), b.getValues<int32_t>()))
      sums.push_back(static_cast<int32_t>(static_cast<uint32_t>(x) +
                                          static_cast<uint32_t>(y)));
    return arith::ConstantOp::create(
        builder, loc, DenseIntElementsAttr::get(type, ArrayRef<int32_t>(sums)));
  }
  Value init = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                       type.getElementType());
  return linalg::AddOp::create(builder, loc, ValueRange{lhs, rhs},
                               ValueRange{init})
      ->getResult(0);
}

/// The loops of each axis of `out`: one, or those over groups and channels.
/// None if an axis has others.
static std::optional<SmallVector<SmallVector<unsigned, 2>>>
loopsOfAxes(AffineMap out, ArrayRef<int64_t> ranges) {
  SmallVector<SmallVector<unsigned, 2>> axes;
  for (AffineExpr index : out.getResults()) {
    if (auto loop = dyn_cast<AffineDimExpr>(index))
      axes.push_back({loop.getPosition()});
    else if (std::optional<JoinedLoops> joined = matchJoined(index, ranges))
      axes.push_back({joined->outer, joined->inner});
    else
      return std::nullopt;
  }
  return axes;
}

namespace {
/// Sums of one factor's elements over the reduction loops that index it.
class FactorSums {
public:
  /// `axes`: the loops of each axis of `op`'s result.
  FactorSums(linalg::LinalgOp op, OpOperand *operand,
             ArrayRef<SmallVector<unsigned, 2>> axes)
      : op(op), operand(operand), map(op.getMatchingIndexingMap(operand)),
        ranges(op.getStaticLoopRanges()) {
    for (ArrayRef<unsigned> loops : axes)
      for (unsigned loop : loops)
        if (map.isFunctionOfDim(loop))
          parallel.push_back(loop);
    for (unsigned loop = 0, e = op.getNumLoops(); loop < e; ++loop)
      if (map.isFunctionOfDim(loop) && !llvm::is_contained(parallel, loop))
        reduced.push_back(loop);
  }

  /// Loops of `op` that index the sums, in the order of the result's axes.
  ArrayRef<unsigned> axes() const { return parallel; }
  /// How many elements each sum has.
  int64_t count() const {
    int64_t product = 1;
    for (unsigned loop : reduced)
      product *= ranges[loop];
    return product;
  }
  SmallVector<int64_t> shape() const {
    SmallVector<int64_t> extents;
    for (unsigned loop : parallel)
      extents.push_back(ranges[loop]);
    return extents;
  }

  /// The sums as a tensor over axes(); a constant if the operand is.
  Value build(OpBuilder &builder, Location loc) const {
    DenseIntElementsAttr constant;
    if (matchPattern(operand->get(), m_Constant(&constant)) &&
        map.isProjectedPermutation())
      return arith::ConstantOp::create(builder, loc, fold(constant, builder));
    return emit(builder, loc);
  }

private:
  DenseElementsAttr fold(DenseIntElementsAttr constant,
                         OpBuilder &builder) const {
    SmallVector<int64_t> extents = shape();
    auto type = RankedTensorType::get(extents, builder.getI32Type());
    // Of as many elements as the type likes.
    if (constant.isSplat())
      return DenseElementsAttr::get(
          type, times(constant.getSplatValue<APInt>().getSExtValue(), count()));
    SmallVector<int32_t> sums(type.getNumElements(), 0);
    ArrayRef<int64_t> from = constant.getType().getShape();
    SmallVector<int64_t> index(from.size(), 0);
    for (const APInt &value : constant.getValues<APInt>()) {
      int64_t position = 0;
      for (auto [loop, extent] : llvm::zip(parallel, extents)) {
        int64_t coordinate = 0;
        for (auto [axis, result] : llvm::enumerate(map.getResults()))
          if (cast<AffineDimExpr>(result).getPosition() == loop)
            coordinate = index[axis];
        position = position * extent + coordinate;
      }
      sums[position] =
          static_cast<int32_t>(static_cast<uint32_t>(sums[position]) +
                               static_cast<uint32_t>(value.getSExtValue()));
      for (size_t axis = from.size(); axis-- > 0;) {
        if (++index[axis] < from[axis])
          break;
        index[axis] = 0;
      }
    }
    return DenseIntElementsAttr::get(type, ArrayRef<int32_t>(sums));
  }

  Value emit(OpBuilder &builder, Location loc) const {
    SmallVector<unsigned> loops(parallel);
    loops.append(reduced);
    MLIRContext *context = builder.getContext();
    SmallVector<AffineExpr> renamed(map.getNumDims(),
                                    getAffineConstantExpr(0, context));
    for (auto [position, loop] : llvm::enumerate(loops))
      renamed[loop] = getAffineDimExpr(position, context);
    AffineMap in = map.replaceDimsAndSymbols(renamed, {}, loops.size(), 0);
    AffineMap out = AffineMap::getMultiDimIdentityMap(loops.size(), context)
                        .getMajorSubMap(parallel.size());
    SmallVector<Value> inputs{operand->get()};
    SmallVector<AffineMap> maps{in};
    // A window does not say how far its kernel loops run; an operand of their
    // extents that nobody reads does, as in linalg's pooling operations.
    SmallVector<int64_t> kernel;
    SmallVector<AffineExpr> kernelLoops;
    for (unsigned loop : reduced)
      if (!llvm::is_contained(in.getResults(), renamed[loop])) {
        kernel.push_back(ranges[loop]);
        kernelLoops.push_back(renamed[loop]);
      }
    if (!kernel.empty()) {
      inputs.push_back(tensor::EmptyOp::create(
          builder, loc, kernel,
          cast<ShapedType>(operand->get().getType()).getElementType()));
      maps.push_back(AffineMap::get(loops.size(), 0, kernelLoops, context));
    }
    maps.push_back(out);
    SmallVector<utils::IteratorType> iterators(parallel.size(),
                                               utils::IteratorType::parallel);
    iterators.append(reduced.size(), utils::IteratorType::reduction);
    Type i32 = builder.getI32Type();
    Value zero =
        arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    Value init = tensor::EmptyOp::create(builder, loc, shape(), i32);
    init = linalg::FillOp::create(builder, loc, zero, init)->getResult(0);
    return linalg::GenericOp::create(
               builder, loc, init.getType(), inputs, ValueRange{init}, maps,
               iterators,
               [&](OpBuilder &b, Location l, ValueRange args) {
                 Value wide = arith::ExtSIOp::create(b, l, i32, args.front());
                 linalg::YieldOp::create(
                     b, l,
                     arith::AddIOp::create(b, l, args.back(), wide)
                         ->getResult(0));
               })
        ->getResult(0);
  }

  linalg::LinalgOp op;
  OpOperand *operand;
  AffineMap map;
  SmallVector<int64_t> ranges;
  SmallVector<unsigned> parallel, reduced;
};
} // namespace

/// (value + addend) * factor for every element.
static Value affine(OpBuilder &builder, Location loc, Value value,
                    int32_t addend, int32_t factor) {
  auto type = cast<RankedTensorType>(value.getType());
  auto apply = [&](int32_t x) {
    return times(factor, static_cast<int64_t>(x) + addend);
  };
  DenseIntElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(
        builder, loc,
        constant.mapValues(type.getElementType(), [&](const APInt &x) {
          return APInt(32, static_cast<uint32_t>(apply(x.getSExtValue())));
        }));
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  Value init = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                       type.getElementType());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{value}, ValueRange{init},
             ArrayRef<AffineMap>{identity, identity}, iterators,
             [&](OpBuilder &b, Location l, ValueRange args) {
               auto constantOf = [&](int32_t x) -> Value {
                 return arith::ConstantOp::create(b, l, b.getI32IntegerAttr(x));
               };
               Value sum =
                   arith::AddIOp::create(b, l, args[0], constantOf(addend));
               linalg::YieldOp::create(
                   b, l,
                   arith::MulIOp::create(b, l, sum, constantOf(factor))
                       ->getResult(0));
             })
      ->getResult(0);
}

/// Constant `value` less `zeroPoint`, if all of it is int8 then.
static DenseElementsAttr lessZeroPoint(Value value, int32_t zeroPoint) {
  DenseIntElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return {};
  auto less = [&](const APInt &x) { return x.getSExtValue() - zeroPoint; };
  if (llvm::any_of(constant.getValues<APInt>(), [&](const APInt &x) {
        return less(x) < -128 || less(x) > 127;
      }))
    return {};
  return constant.mapValues(constant.getElementType(), [&](const APInt &x) {
    return APInt(8, uint64_t(less(x)), /*isSigned=*/true);
  });
}

/// What the sum starts from with `bias`, rank 1 along result axis `axis`,
/// added; null if it starts from something that is neither zero nor such a
/// bias.
static Value addToInit(OpBuilder &builder, Location loc, Value init,
                       unsigned axis, Value bias) {
  if (DenseElementsAttr constant = initAlongAxis(init, axis)) {
    if (!constant.isSplat() || !constant.getSplatValue<APInt>().isZero())
      bias =
          addVectors(builder, loc,
                     arith::ConstantOp::create(builder, loc, constant), bias);
  } else {
    SmallVector<Operation *> ops;
    Value old = matchBroadcast(init, axis, ops);
    if (!old)
      return {};
    bias = addVectors(builder, loc, old, bias);
  }
  return broadcastAlongAxis(builder, loc, bias, init.getType(), axis);
}

LogicalResult fadiff::removeZeroPoints(RewriterBase &rewriter,
                                       linalg::LinalgOp op, HostCause &cause) {
  auto product = matchProduct(op);
  auto [input, weights] = *product;
  std::optional<int32_t> a = constantOf(input.zeroPoint),
                         b = constantOf(weights.zeroPoint);
  if (!a || !b) {
    cause = {"its zero points are not constant", "constant zero points", ""};
    return failure();
  }
  OpOperand *initUse = op.getDpsInitOperand(0);
  auto element = [](OpOperand *use) {
    return cast<ShapedType>(use->get().getType()).getElementType();
  };
  if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      !element(input.operand).isSignlessInteger(8) ||
      !element(weights.operand).isSignlessInteger(8) ||
      !element(initUse).isSignlessInteger(32)) {
    cause.reason = "its element types are not i8 * i8 -> i32";
    return failure();
  }
  AffineMap out = op.getMatchingIndexingMap(initUse);
  const auto outAxes = loopsOfAxes(out, op.getStaticLoopRanges());
  if (!outAxes ||
      !op.getMatchingIndexingMap(weights.operand).isProjectedPermutation()) {
    cause.reason = "its weights or result are not indexed by single loops";
    return failure();
  }
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Value init = initUse->get();
  Value filters = weights.operand->get();
  if (DenseElementsAttr centred = *b ? lessZeroPoint(filters, *b) : nullptr) {
    filters = arith::ConstantOp::create(rewriter, loc, centred);
    b = 0;
    rewriter.modifyOpInPlace(op, [&] { weights.operand->set(filters); });
  }

  // Per output channel: a (sum of w - n b), negated.
  Value late; // what could not go into the start of the sum
  SmallVector<AffineExpr> lateAxes;
  if (*a != 0) {
    FactorSums sums(op, weights.operand, *outAxes);
    Value correction = affine(rewriter, loc, sums.build(rewriter, loc),
                              times(*b, -sums.count()), times(*a, -1));
    // They vary along one axis, all of it.
    SmallVector<unsigned> wide;
    for (auto [loop, extent] : llvm::zip_equal(sums.axes(), sums.shape()))
      if (extent != 1)
        wide.push_back(loop);
    if (wide.empty() && !sums.axes().empty())
      wide.push_back(sums.axes().back());
    std::optional<unsigned> channelAxis;
    for (auto [axis, loops] : llvm::enumerate(*outAxes))
      if (!wide.empty() && ArrayRef(loops) == ArrayRef(wide))
        channelAxis = axis;
    if (channelAxis) {
      Value bias = flatten(rewriter, loc, correction);
      if (Value started = addToInit(rewriter, loc, init, *channelAxis, bias))
        init = started;
      else
        channelAxis.reset();
    }
    if (!channelAxis) {
      late = correction;
      for (unsigned loop : sums.axes())
        lateAxes.push_back(rewriter.getAffineDimExpr(loop));
    }
  }

  auto plain = linalg::GenericOp::create(
      rewriter, loc, init.getType(), ValueRange{input.operand->get(), filters},
      ValueRange{init},
      ArrayRef<AffineMap>{op.getMatchingIndexingMap(input.operand),
                          op.getMatchingIndexingMap(weights.operand), out},
      op.getIteratorTypesArray(),
      [](OpBuilder &builder, Location l, ValueRange args) {
        Type i32 = args[2].getType();
        Value x = arith::ExtSIOp::create(builder, l, i32, args[0]);
        Value w = arith::ExtSIOp::create(builder, l, i32, args[1]);
        Value xw = arith::MulIOp::create(builder, l, x, w);
        linalg::YieldOp::create(
            builder, l,
            arith::AddIOp::create(builder, l, args[2], xw)->getResult(0));
      });
  Value result = plain->getResult(0);

  // Adds, behind the contraction, what varies along loops `axes`.
  auto addBehind = [&](Value addend, ArrayRef<AffineExpr> axes) {
    auto type = cast<RankedTensorType>(result.getType());
    unsigned rank = type.getRank();
    SmallVector<AffineExpr> renamed(op.getNumLoops());
    for (auto [axis, loops] : llvm::enumerate(*outAxes)) {
      const AffineExpr index = rewriter.getAffineDimExpr(axis);
      const int64_t inner = op.getStaticLoopRanges()[loops.back()];
      renamed[loops.front()] =
          loops.size() == 1 ? index : index.floorDiv(inner);
      if (loops.size() == 2)
        renamed[loops.back()] = index % inner;
    }
    SmallVector<AffineExpr> results;
    for (AffineExpr expr : axes)
      results.push_back(renamed[cast<AffineDimExpr>(expr).getPosition()]);
    Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                          type.getElementType());
    AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    result =
        linalg::GenericOp::create(
            rewriter, loc, type, ValueRange{result, addend}, ValueRange{empty},
            ArrayRef<AffineMap>{
                identity,
                AffineMap::get(rank, 0, results, rewriter.getContext()),
                identity},
            iterators,
            [](OpBuilder &builder, Location l, ValueRange args) {
              linalg::YieldOp::create(
                  builder, l,
                  arith::AddIOp::create(builder, l, args[0], args[1])
                      ->getResult(0));
            })
            ->getResult(0);
  };
  if (late)
    addBehind(late, lateAxes);
  if (*b != 0) {
    FactorSums sums(op, input.operand, *outAxes);
    SmallVector<AffineExpr> axes;
    for (unsigned loop : sums.axes())
      axes.push_back(rewriter.getAffineDimExpr(loop));
    addBehind(
        affine(rewriter, loc, sums.build(rewriter, loc), 0, times(*b, -1)),
        axes);
  }
  rewriter.replaceOp(op, result);
  return success();
}
