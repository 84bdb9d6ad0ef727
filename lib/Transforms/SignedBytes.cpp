//===- SignedBytes.cpp - Contractions of int8 with sums in int32 ----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The array multiplies signed bytes and sums in 32 bits. An unsigned byte is a
// signed one with the sign bit flipped, plus 128: a zero point of -128. A sum
// in fewer bits is the end of one in 32 bits, since both wrap.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

/// The product that the body of `op` adds to its integer sum, or null.
static arith::MulIOp summedProduct(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0 ||
      !op.hasPureTensorSemantics() || op.hasDynamicShape())
    return {};
  auto add = op.getBlock()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::AddIOp>();
  if (!add)
    return {};
  Value accumulator = op.getRegionOutputArgs()[0];
  Value term = add.getLhs() == accumulator   ? add.getRhs()
               : add.getRhs() == accumulator ? add.getLhs()
                                             : Value();
  return term ? term.getDefiningOp<arith::MulIOp>() : arith::MulIOp();
}

/// The int8 tensor whose element `value`, or what it extends, is; null if it is
/// something else.
static OpOperand *int8Operand(linalg::LinalgOp op, Value value) {
  if (Operation *extension = value.getDefiningOp();
      isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(extension))
    value = extension->getOperand(0);
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != op.getBlock() ||
      argument.getArgNumber() >= op.getNumDpsInputs() ||
      !value.getType().isInteger(8))
    return nullptr;
  return op.getDpsInputOperand(argument.getArgNumber());
}

bool fadiff::multipliesBytes(linalg::LinalgOp op) {
  arith::MulIOp product = summedProduct(op);
  return product && op.getNumDpsInputs() == 2 &&
         llvm::all_of(product->getOperands(), [&](Value factor) {
           return int8Operand(op, factor) != nullptr;
         });
}

Value fadiff::mapTensor(
    OpBuilder &builder, Location loc, Value value, Type element,
    llvm::function_ref<Value(OpBuilder &, Location, Value)> body) {
  auto type = cast<RankedTensorType>(value.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, value), element);
  const AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), value, empty,
             ArrayRef<AffineMap>{identity, identity},
             SmallVector<utils::IteratorType>(type.getRank(),
                                              utils::IteratorType::parallel),
             [&](OpBuilder &b, Location l, ValueRange arguments) {
               linalg::YieldOp::create(b, l, body(b, l, arguments[0]));
             })
      ->getResult(0);
}

static Value flippedByte(OpBuilder &builder, Location loc, Value byte) {
  Value sign =
      arith::ConstantOp::create(builder, loc, builder.getI8IntegerAttr(-128));
  return arith::XOrIOp::create(builder, loc, byte, sign);
}

/// The number that float `value` always is.
static std::optional<double> constantFloat(Value value) {
  APFloat real(0.0f);
  APInt integer;
  if (matchPattern(value, m_ConstantFloat(&real)))
    return real.convertToDouble();
  Operation *def = value.getDefiningOp();
  if (isa_and_nonnull<arith::UIToFPOp>(def) &&
      matchPattern(def->getOperand(0), m_ConstantInt(&integer)))
    return static_cast<double>(integer.getZExtValue());
  if (isa_and_nonnull<arith::SIToFPOp>(def) &&
      matchPattern(def->getOperand(0), m_ConstantInt(&integer)))
    return static_cast<double>(integer.getSExtValue());
  return std::nullopt;
}

/// Whether float `value` is rounded, and has been clamped and moved by whole
/// numbers only since.
static bool isWhole(Value value) {
  if (std::optional<double> number = constantFloat(value))
    return *number == std::floor(*number);
  Operation *def = value.getDefiningOp();
  if (isa_and_nonnull<math::RoundEvenOp, math::RoundOp, math::FloorOp,
                      math::CeilOp, math::TruncOp>(def))
    return true;
  return isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                         arith::MinNumFOp, arith::AddFOp>(def) &&
         isWhole(def->getOperand(0)) && isWhole(def->getOperand(1));
}

/// Whole `value` plus `addend`: in the sum and in the clamps that it ends with.
/// Sums of more than f32 has as whole numbers are clamped all the same.
static Value plus(OpBuilder &builder, Location loc, Value value,
                  double addend) {
  auto constant = [&](double number) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getFloatAttr(value.getType(), number));
  };
  Operation *def = value.getDefiningOp();
  std::optional<double> other;
  if (def && def->getNumOperands() == 2)
    other = constantFloat(def->getOperand(1));
  if (other && isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                   arith::MinNumFOp>(def)) {
    Value moved = plus(builder, loc, def->getOperand(0), addend);
    Operation *clamp = builder.clone(*def);
    clamp->setOperand(0, moved);
    clamp->setOperand(1, constant(*other + addend));
    // Behind its bound.
    clamp->moveAfter(clamp->getOperand(1).getDefiningOp());
    builder.setInsertionPointAfter(clamp);
    return clamp->getResult(0);
  }
  if (other && isa<arith::AddFOp>(def)) {
    value = def->getOperand(0);
    addend += *other;
  }
  if (addend == 0)
    return value;
  return arith::AddFOp::create(builder, loc, value, constant(addend));
}

/// What the body of elementwise `op` yields less 128, if it is about to be cut
/// to a byte there: that flips the byte's sign bit. Null otherwise.
static Value subtractBeforeCut(RewriterBase &rewriter, linalg::LinalgOp op) {
  Operation *cut =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::TruncIOp, arith::FPToUIOp>(cut))
    return {};
  Location loc = cut->getLoc();
  rewriter.setInsertionPoint(op.getBlock()->getTerminator());
  Value wide = cut->getOperand(0);
  // What a read-out makes: rounded, moved, clamped.
  if (isa<arith::FPToUIOp>(cut) && wide.getType().isF32() && isWhole(wide))
    return arith::FPToSIOp::create(rewriter, loc, rewriter.getI8Type(),
                                   plus(rewriter, loc, wide, -128));
  if (isa<arith::FPToUIOp>(cut))
    wide = arith::FPToSIOp::create(rewriter, loc, rewriter.getI32Type(), wide);
  Value offset = arith::ConstantOp::create(
      rewriter, loc, rewriter.getIntegerAttr(wide.getType(), 128));
  Value signedWide = arith::SubIOp::create(rewriter, loc, wide, offset);
  return arith::TruncIOp::create(rewriter, loc, rewriter.getI8Type(),
                                 signedWide);
}

/// Lets the body of `op` yield `value`, without what it needed before.
static void yieldInstead(RewriterBase &rewriter, linalg::GenericOp op,
                         Value value) {
  rewriter.modifyOpInPlace(
      op, [&] { op.getBody()->getTerminator()->setOperand(0, value); });
  for (Operation &inner :
       llvm::make_early_inc_range(llvm::reverse(*op.getBody())))
    if (isOpTriviallyDead(&inner))
      rewriter.eraseOp(&inner);
}

/// Whether elementwise `op` rounds floats to unsigned bytes.
static bool makesUnsigned(linalg::GenericOp op) {
  if (op.getNumResults() != 1 ||
      !mapsElements(cast<linalg::LinalgOp>(op.getOperation())))
    return false;
  auto cut = op.getBody()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::FPToUIOp>();
  return cut && cut.getType().isInteger(8) && cut.getIn().getType().isF32() &&
         isWhole(cut.getIn());
}

/// The bytes that `value` is with all sign bits flipped; null if it is not
/// that.
static Value beforeFlip(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || !getElementTypeOrSelf(value).isInteger(8) ||
      op.getNumDpsInputs() != 1 ||
      !mapsElements(cast<linalg::LinalgOp>(op.getOperation())) ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return {};
  auto flip = op.getBody()
                  ->getTerminator()
                  ->getOperand(0)
                  .getDefiningOp<arith::XOrIOp>();
  APInt sign;
  if (!flip || flip.getLhs() != op.getBody()->getArgument(0) ||
      !matchPattern(flip.getRhs(), m_ConstantInt(&sign)) || sign != 0x80)
    return {};
  return op.getInputs()[0];
}

/// The constant that `insert` leaves between and around what it inserts; null
/// if it inserts into anything else.
static Value insertsInto(tensor::InsertSliceOp insert) {
  auto fill = insert.getDest().getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.value(), m_Constant()) ? fill.value()
                                                          : Value();
}

/// The same of what is read through padding, transposes, reshapes, slices and
/// concatenations.
static bool isFlipped(Value value) {
  if (beforeFlip(value))
    return true;
  Operation *def = value.getDefiningOp();
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(def))
    return llvm::all_of(concat.getInputs(), isFlipped);
  if (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(def))
    return insertsInto(insert) && isFlipped(insert.getSource());
  auto pad = dyn_cast_or_null<tensor::PadOp>(def);
  auto turned = dyn_cast_or_null<linalg::TransposeOp>(def);
  return ((pad && pad.getConstantPaddingValue()) ||
          (turned && turned.hasPureTensorSemantics()) ||
          isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                          tensor::ExtractSliceOp>(def)) &&
         isFlipped(def->getOperand(0));
}

/// The int8 tensor `value` with the sign bits of all elements flipped. Made
/// where the elements are made if nothing else reads them.
static Value flipSigns(RewriterBase &rewriter, Location loc, Value value) {
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant))) {
    auto flip = [](const APInt &byte) { return byte ^ APInt(8, 0x80); };
    return arith::ConstantOp::create(
        rewriter, loc,
        cast<DenseIntElementsAttr>(constant).mapValues(rewriter.getI8Type(),
                                                       flip));
  }
  if (Value source = beforeFlip(value))
    return source;
  Operation *def = value.getDefiningOp();
  if (def && (value.hasOneUse() || isFlipped(value))) {
    OpBuilder::InsertionGuard guard(rewriter);
    Value padding;
    if (auto pad = dyn_cast<tensor::PadOp>(def))
      padding = pad.getConstantPaddingValue();
    if (auto concat = dyn_cast<tensor::ConcatOp>(def);
        concat && isFlipped(value)) {
      rewriter.setInsertionPoint(def);
      SmallVector<Value> parts;
      for (Value part : concat.getInputs())
        parts.push_back(flipSigns(rewriter, loc, part));
      return tensor::ConcatOp::create(rewriter, def->getLoc(),
                                      concat.getResultType(), concat.getDim(),
                                      parts);
    }
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(def);
        insert && isFlipped(value)) {
      rewriter.setInsertionPoint(def);
      Value source = flipSigns(rewriter, loc, insert.getSource());
      Value empty = tensor::EmptyOp::create(
          rewriter, loc, insert.getType().getShape(), rewriter.getI8Type());
      Value filled = linalg::FillOp::create(
                         rewriter, loc,
                         flippedByte(rewriter, loc, insertsInto(insert)), empty)
                         .result();
      return tensor::InsertSliceOp::create(
          rewriter, def->getLoc(), source, filled, insert.getMixedOffsets(),
          insert.getMixedSizes(), insert.getMixedStrides());
    }
    if (padding || isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(def) ||
        (isa<tensor::ExtractSliceOp, linalg::TransposeOp>(def) &&
         isFlipped(value))) {
      rewriter.setInsertionPoint(def);
      Value source = flipSigns(rewriter, loc, def->getOperand(0));
      if (padding) {
        auto pad = cast<tensor::PadOp>(def);
        // A constant may stand in the operation's body.
        if (Operation *inside = padding.getDefiningOp();
            inside && matchPattern(padding, m_Constant()))
          padding = rewriter.clone(*inside)->getResult(0);
        return tensor::PadOp::create(
            rewriter, def->getLoc(), pad.getResultType(), source,
            pad.getMixedLowPad(), pad.getMixedHighPad(),
            flippedByte(rewriter, loc, padding));
      }
      IRMapping mapping;
      mapping.map(def->getOperand(0), source);
      return rewriter.clone(*def, mapping)->getResult(0);
    }
    auto op = dyn_cast<linalg::GenericOp>(def);
    if (op && mapsElements(cast<linalg::LinalgOp>(def)))
      if (Value flipped = subtractBeforeCut(rewriter, op)) {
        yieldInstead(rewriter, op, flipped);
        return value;
      }
  }
  return mapTensor(rewriter, loc, value, rewriter.getI8Type(), flippedByte);
}

namespace {
/// A contraction with unsigned bytes takes signed ones, less a zero point. Each
/// application leaves one zero extension less in a contraction's body.
struct SignFactors : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    arith::MulIOp product = summedProduct(op);
    if (!product || !product.getType().isInteger(32))
      return failure();
    OpOperand *operand = nullptr;
    for (Value factor : product->getOperands()) {
      auto sub = factor.getDefiningOp<arith::SubIOp>();
      auto extension =
          (sub ? sub.getLhs() : factor).getDefiningOp<arith::ExtUIOp>();
      if (!extension || (sub && !matchPattern(sub.getRhs(), m_Constant())))
        continue;
      operand = int8Operand(op, extension);
      if (operand && op.getMatchingBlockArgument(operand).hasOneUse())
        break;
      operand = nullptr;
    }
    if (!operand)
      return failure();
    if (!isa<linalg::GenericOp>(op.getOperation())) {
      FailureOr<linalg::GenericOp> general =
          linalg::generalizeNamedOp(rewriter, op);
      return success(succeeded(general));
    }
    rewriter.setInsertionPoint(op);
    Value flipped = flipSigns(rewriter, op.getLoc(), operand->get());
    BlockArgument argument = op.getMatchingBlockArgument(operand);
    auto extension = cast<arith::ExtUIOp>(*argument.user_begin());
    Value unsignedElement = extension.getResult();
    Location loc = extension.getLoc();
    rewriter.modifyOpInPlace(op, [&] { operand->set(flipped); });
    rewriter.setInsertionPoint(extension);
    Value element = arith::ExtSIOp::create(rewriter, loc,
                                           unsignedElement.getType(), argument);
    for (Operation *user :
         llvm::make_early_inc_range(unsignedElement.getUsers())) {
      rewriter.setInsertionPoint(user);
      auto sub = dyn_cast<arith::SubIOp>(user);
      APInt zeroPoint(32, 0);
      const bool hasOwn = sub && sub.getLhs() == unsignedElement &&
                          matchPattern(sub.getRhs(), m_ConstantInt(&zeroPoint));
      Value offset = arith::ConstantOp::create(
          rewriter, loc,
          rewriter.getI32IntegerAttr(
              static_cast<int32_t>(zeroPoint.getSExtValue()) - 128));
      Value value = arith::SubIOp::create(rewriter, loc, element, offset);
      if (hasOwn)
        rewriter.replaceOp(sub, value);
      else
        rewriter.modifyOpInPlace(
            user, [&] { user->replaceUsesOfWith(unsignedElement, value); });
    }
    rewriter.eraseOp(extension);
    return success();
  }
};

/// Unsigned bytes that a contraction's sums are rounded to are signed ones, as
/// a read-out makes them, with sign bits that flip behind.
struct SignResults : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || !makesUnsigned(op) ||
        !comesFromContraction(op.getResult(0)))
      return failure();
    yieldInstead(rewriter, op, subtractBeforeCut(rewriter, op));
    rewriter.setInsertionPointAfter(op);
    Value flipped = mapTensor(rewriter, op.getLoc(), op.getResult(0),
                              rewriter.getI8Type(), flippedByte);
    rewriter.replaceAllUsesExcept(op.getResult(0), flipped,
                                  flipped.getDefiningOp());
    return success();
  }
};

/// Sign bits that flip twice, with nothing but moves in between, do not.
struct FlipTwice : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.getNumResults() != 1)
      return failure();
    Value source = beforeFlip(op.getResult(0));
    if (!source || !isFlipped(source))
      return failure();
    rewriter.replaceOp(op, flipSigns(rewriter, op.getLoc(), source));
    return success();
  }
};

/// What reads bytes with flipped sign bits as unsigned numbers reads the bytes
/// themselves, plus 128.
struct ReadSigned : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() ||
        !mapsElements(cast<linalg::LinalgOp>(op.getOperation())))
      return failure();
    for (OpOperand *input : op.getDpsInputOperands()) {
      BlockArgument element = op.getMatchingBlockArgument(input);
      if (!isFlipped(input->get()) || element.use_empty() ||
          !llvm::all_of(element.getUsers(), [](Operation *user) {
            return isa<arith::UIToFPOp>(user) &&
                   user->getResult(0).getType().isF32();
          }))
        continue;
      rewriter.setInsertionPoint(op);
      Value source = flipSigns(rewriter, op.getLoc(), input->get());
      rewriter.modifyOpInPlace(op, [&] { input->set(source); });
      for (Operation *user : llvm::make_early_inc_range(element.getUsers())) {
        const Location loc = user->getLoc();
        rewriter.setInsertionPoint(user);
        Value number = arith::SIToFPOp::create(rewriter, loc,
                                               rewriter.getF32Type(), element);
        Value offset = arith::ConstantOp::create(rewriter, loc,
                                                 rewriter.getF32FloatAttr(128));
        rewriter.replaceOpWithNewOp<arith::AddFOp>(user, number, offset);
      }
      return success();
    }
    return failure();
  }
};

/// A contraction of bytes that sums in fewer than 32 bits sums in 32 and is
/// cut. Each application leaves one such sum less.
struct WidenSums : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    arith::MulIOp product = summedProduct(op);
    if (!product || product.getType().getIntOrFloatBitWidth() >= 32 ||
        op.getNumDpsInputs() != 2)
      return failure();
    OpOperand *lhs = int8Operand(op, product.getLhs());
    OpOperand *rhs = int8Operand(op, product.getRhs());
    if (!lhs || !rhs || lhs == rhs)
      return failure();
    if (lhs->getOperandNumber() > rhs->getOperandNumber())
      std::swap(lhs, rhs);
    Type narrow = product.getType();
    Location loc = op.getLoc();
    Value init = op.getDpsInits()[0];
    auto type = cast<RankedTensorType>(init.getType());
    auto wideType = type.clone(rewriter.getI32Type());
    auto fill = init.getDefiningOp<linalg::FillOp>();
    DenseIntElementsAttr constant;
    if (fill && matchPattern(fill.value(), m_Zero())) {
      Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                            rewriter.getI32Type());
      Value zero = arith::ConstantOp::create(rewriter, loc,
                                             rewriter.getI32IntegerAttr(0));
      init = linalg::FillOp::create(rewriter, loc, zero, empty).result();
    } else if (matchPattern(init, m_Constant(&constant))) {
      init = arith::ConstantOp::create(
          rewriter, loc,
          constant.mapValues(rewriter.getI32Type(),
                             [](const APInt &x) { return x.sext(32); }));
    } else {
      init = mapTensor(rewriter, loc, init, rewriter.getI32Type(),
                       [](OpBuilder &b, Location l, Value x) -> Value {
                         return arith::ExtSIOp::create(b, l, b.getI32Type(), x);
                       });
    }
    auto isUnsigned = [&](OpOperand *operand) {
      return llvm::any_of(product->getOperands(), [&](Value factor) {
        return factor.getDefiningOp<arith::ExtUIOp>() &&
               int8Operand(op, factor) == operand;
      });
    };
    auto wide = linalg::GenericOp::create(
        rewriter, loc, wideType, {lhs->get(), rhs->get()}, init,
        op.getIndexingMapsArray(), op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location l, ValueRange arguments) {
          auto widened = [&](OpOperand *operand, Value byte) -> Value {
            if (isUnsigned(operand))
              return arith::ExtUIOp::create(b, l, b.getI32Type(), byte);
            return arith::ExtSIOp::create(b, l, b.getI32Type(), byte);
          };
          Value term = arith::MulIOp::create(b, l, widened(lhs, arguments[0]),
                                             widened(rhs, arguments[1]));
          Value sum = arith::AddIOp::create(b, l, arguments[2], term);
          linalg::YieldOp::create(b, l, sum);
        });
    rewriter.replaceOp(
        op, mapTensor(rewriter, loc, wide.getResult(0), narrow,
                      [&](OpBuilder &b, Location l, Value x) -> Value {
                        return arith::TruncIOp::create(b, l, narrow, x);
                      }));
    return success();
  }
};
} // namespace

void fadiff::populateSignedBytesPatterns(RewritePatternSet &patterns) {
  patterns.add<SignFactors, SignResults, ReadSigned, FlipTwice, WidenSums>(
      patterns.getContext());
}
