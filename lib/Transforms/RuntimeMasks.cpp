//===- RuntimeMasks.cpp - Masks that a network reads or computes ----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention adds a mask to what it makes of bytes, or chooses by one. If that
// is a constant, tables of bytes can take it into account (Tabulate.cpp). If it
// is an argument, or is computed, nobody knows its elements. But there are only
// two kinds of them in all likelihood: those that show an element, zeros, and
// those that hide one, so far below that nothing of it is left. So the mask is
// looked at when the network runs, which is little work as it is the same for
// many rows. If there are no others, and something of each row is shown, what
// follows is computed with tables, else as it was written.
//
//===----------------------------------------------------------------------===//

#include "FoldScalars.h"
#include "FuseHost.h"
#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "fadiff/Analysis/Trips.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace fadiff;

/// An element of the mask must be read for so many of the result, or looking at
/// it costs more than it saves.
static constexpr int64_t kReadsOfMask = 4;
/// The exponential of what is as far below zero is zero in f32.
static constexpr double kFarBelow = 128;
/// What is added in place of whatever hides. A number of bytes changes nothing
/// of it.
static constexpr double kHidden = -double(std::numeric_limits<float>::max());
/// Such a number is less.
static constexpr double kMostNumber = 1e30;

namespace {
/// Where numbers that are made of bytes are masked.
struct Masked {
  linalg::GenericOp op;
  OpOperand *mask = nullptr;
  Operation *part = nullptr; ///< of op's body: the addition, or the choice
  Value scalar; ///< what it makes of the mask: the summand, or the condition
  Value number; ///< what is masked
  /// A choice's number for what is hidden, and the condition there.
  Value otherwise;
  bool isHiddenWhere = false;
  double least = 0, largest = 0; ///< of all bytes
};
} // namespace

/// `scalar`, of `op`'s body, where `byte` is `value`; null if it does not fold.
static TypedAttr valueOf(Value scalar, BlockArgument byte, unsigned value) {
  llvm::DenseMap<Value, TypedAttr> known;
  known[byte] = IntegerAttr::get(byte.getType(), APInt(8, value));
  std::function<TypedAttr(Value)> find = [&](Value of) -> TypedAttr {
    if (auto it = known.find(of); it != known.end())
      return it->second;
    TypedAttr constant;
    if (matchPattern(of, m_Constant(&constant)))
      return constant;
    Operation *part = of.getDefiningOp();
    if (!part || part->getBlock() != byte.getOwner())
      return {};
    return known[of] = foldScalar(part, find);
  };
  return find(scalar);
}

/// Finds the least and the largest number that a byte is made.
static bool findRange(Masked &masked, BlockArgument byte) {
  masked.least = std::numeric_limits<double>::infinity();
  masked.largest = -masked.least;
  for (unsigned value = 0; value < 256; ++value) {
    auto number =
        dyn_cast_or_null<FloatAttr>(valueOf(masked.number, byte, value));
    // To a negative zero it matters which zero is added.
    if (!number || !number.getValue().isFinite() ||
        number.getValue().isNegZero() ||
        std::abs(number.getValueAsDouble()) > kMostNumber)
      return false;
    masked.least = std::min(masked.least, number.getValueAsDouble());
    masked.largest = std::max(masked.largest, number.getValueAsDouble());
  }
  return true;
}

static bool isFarBelow(Value scalar) {
  constexpr double kLow = -1000;
  FloatAttr number;
  return matchPattern(scalar, m_Constant(&number)) &&
         !number.getValue().isNaN() && number.getValueAsDouble() <= kLow;
}

/// Whether the operation makes numbers that are far below zero of others.
static bool makesMask(Operation &part) {
  return isa<arith::MulFOp, arith::SelectOp>(part) &&
         llvm::any_of(part.getOperands(), isFarBelow);
}

/// Whether a tensor is an argument, or is made as masks are.
static bool looksLikeMask(Value mask) {
  mask = withoutReshapes(mask);
  auto maker = mask.getDefiningOp<linalg::GenericOp>();
  return isa<BlockArgument>(mask) ||
         (maker &&
          llvm::any_of(maker.getBody()->without_terminator(), makesMask));
}

/// The operations of `op`'s body that make `scalar` of one of its operands and
/// of constants, and are there for nothing else but `reader`; the operand is
/// `of`, which is null if there is no such one.
static SmallVector<Operation *> partsFor(linalg::GenericOp op, Value scalar,
                                         Operation *reader, OpOperand *&of) {
  llvm::SetVector<Operation *> parts;
  BlockArgument argument;
  std::function<bool(Value)> collect = [&](Value value) {
    if (matchPattern(value, m_Constant()))
      return true;
    if (auto found = dyn_cast<BlockArgument>(value)) {
      if (found.getOwner() != op.getBody() || (argument && argument != found))
        return false;
      argument = found;
      return true;
    }
    Operation *part = value.getDefiningOp();
    if (part->getBlock() != op.getBody() || !isPure(part) ||
        part->getNumOperands() == 0 ||
        !llvm::all_of(part->getOperands(), collect))
      return false;
    parts.insert(part);
    return true;
  };
  of = nullptr;
  if (!collect(scalar) || !argument ||
      argument.getArgNumber() >= op.getNumDpsInputs())
    return {};
  auto isRead = [&](Value value) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) {
      return user == reader || parts.contains(user);
    });
  };
  if (!isRead(argument) || !llvm::all_of(parts, [&](Operation *part) {
        return isRead(part->getResult(0));
      }))
    return {};
  of = op.getDpsInputOperand(argument.getArgNumber());
  return parts.takeVector();
}

/// Whether `operand` is no constant, and each of its elements is read so often
/// that looking at all of them is little.
static bool isReadOften(linalg::GenericOp op, OpOperand *operand) {
  auto type = dyn_cast<RankedTensorType>(operand->get().getType());
  auto made = cast<RankedTensorType>(op.getResult(0).getType());
  return type && !matchPattern(operand->get(), m_Constant()) &&
         op.getMatchingIndexingMap(operand).isProjectedPermutation() &&
         made.getNumElements() / kReadsOfMask >= type.getNumElements();
}

/// Where `op` adds something that varies less than its result does, or chooses
/// by it.
static std::optional<Masked> findMask(linalg::GenericOp op) {
  if (!isProducer(op) || op->getNumResults() != 1 ||
      !getElementTypeOrSelf(op.getResult(0)).isF32() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return std::nullopt;
  for (Operation &part : op.getBody()->without_terminator()) {
    Masked masked;
    masked.op = op;
    masked.part = &part;
    if (auto choice = dyn_cast<arith::SelectOp>(part)) {
      masked.isHiddenWhere = isFarBelow(choice.getTrueValue());
      masked.otherwise =
          masked.isHiddenWhere ? choice.getTrueValue() : choice.getFalseValue();
      masked.number =
          masked.isHiddenWhere ? choice.getFalseValue() : choice.getTrueValue();
      masked.scalar = choice.getCondition();
      partsFor(op, masked.scalar, &part, masked.mask);
      if (isFarBelow(masked.otherwise) && masked.mask &&
          isReadOften(op, masked.mask))
        return masked;
    }
    if (auto sum = dyn_cast<arith::AddFOp>(part); sum && sum.getType().isF32())
      for (unsigned at : {0, 1}) {
        masked.scalar = sum->getOperand(at);
        masked.number = sum->getOperand(1 - at);
        SmallVector<Operation *> parts =
            partsFor(op, masked.scalar, &part, masked.mask);
        if (masked.mask && isReadOften(op, masked.mask) &&
            (llvm::any_of(parts, [](Operation *p) { return makesMask(*p); }) ||
             (parts.empty() && looksLikeMask(masked.mask->get()))))
          return masked;
      }
  }
  return std::nullopt;
}

/// What `op` masks of a byte; none if it does not.
static std::optional<Masked> matchMasked(linalg::GenericOp op) {
  std::optional<Masked> masked = findMask(op);
  if (!masked)
    return std::nullopt;
  BlockArgument byte;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!op.payloadUsesValueFromOperand(operand) || operand == masked->mask)
      continue;
    if (byte || !getElementTypeOrSelf(operand->get()).isInteger(8))
      return std::nullopt;
    byte = op.getMatchingBlockArgument(operand);
  }
  if (!byte || !findRange(*masked, byte))
    return std::nullopt;
  return masked;
}

/// Computes what `op` reads of bytes in itself; `changed` if it reads any, or
/// what it reads does so.
static linalg::GenericOp madeOfBytes(RewriterBase &rewriter,
                                     linalg::GenericOp op, bool &changed) {
  for (unsigned at = 0; at < op.getInputs().size(); ++at) {
    auto producer = op.getInputs()[at].getDefiningOp<linalg::GenericOp>();
    if (!producer || !isProducer(producer) ||
        !getElementTypeOrSelf(op.getInputs()[at]).isF32())
      continue;
    producer = madeOfBytes(rewriter, producer, changed);
    OpOperand *use = op.getDpsInputOperand(at);
    if (!isCheapOfBytes(producer) || !linalg::areElementwiseOpsFusable(use))
      continue;
    if (linalg::GenericOp fused = fuseCopy(rewriter, use)) {
      changed = true;
      if (producer->use_empty())
        rewriter.eraseOp(producer);
      return madeOfBytes(rewriter, fused, changed);
    }
  }
  return op;
}

namespace {
/// What is computed anew for masks of the two kinds, and what others read of
/// it.
struct Masks {
  SmallVector<Operation *> ops; ///< in their order, the masking one first
  SmallVector<Value> results;
  /// The loops of the masking one's result that a largest number is found
  /// along; none if it is not looked for.
  std::optional<SmallVector<int64_t>> maximised;
  /// Nothing but a softmax reads what is masked: whatever is far below the
  /// largest number counts nothing.
  bool isSoftmax = false;
};
} // namespace

/// Whether `scalar`, of a body, or what tensors are made of it, is read by
/// exponentials alone.
static bool isForExp(Value scalar) {
  return llvm::all_of(scalar.getUsers(), [&](Operation *user) {
    if (isa<math::ExpOp>(user))
      return true;
    auto op = dyn_cast<linalg::GenericOp>(user->getParentOp());
    if (!isa<linalg::YieldOp>(user) || !op)
      return false;
    for (auto [yielded, result] :
         llvm::zip(user->getOperands(), op->getResults()))
      if (yielded == scalar)
        for (OpOperand &use : result.getUses()) {
          auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
          if (!reader || !isForExp(reader.getMatchingBlockArgument(&use)))
            return false;
        }
    return true;
  });
}

/// Whether the largest of `tensor` is found, and exponentials of what its
/// elements are less, as they are.
static bool isForSoftmax(Value tensor) {
  llvm::SmallDenseSet<Operation *> largest;
  for (OpOperand &use : tensor.getUses())
    if (auto reader = dyn_cast<linalg::GenericOp>(use.getOwner()))
      if (maximisedScalar(reader) == reader.getMatchingBlockArgument(&use))
        largest.insert(reader);
  return llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    if (!reader || largest.contains(reader))
      return bool(reader);
    BlockArgument element = reader.getMatchingBlockArgument(&use);
    return llvm::all_of(element.getUsers(), [&](Operation *user) {
      auto below = dyn_cast<arith::SubFOp>(user);
      auto most = below ? dyn_cast<BlockArgument>(below.getRhs()) : nullptr;
      return below && below.getLhs() == element && most &&
             most.getOwner() == reader.getBody() &&
             largest.contains(
                 withoutReshapes(reader->getOperand(most.getArgNumber()))
                     .getDefiningOp()) &&
             isForExp(below.getResult());
    });
  });
}

/// What follows from what `op` makes, with `part`, up to bytes; none if that is
/// no softmax and no bytes.
static std::optional<Masks> followersOf(linalg::GenericOp op, Operation *part) {
  Masks masks;
  llvm::SmallSetVector<Operation *, 8> ops;
  ops.insert(op);
  bool makesBytes = false;
  for (size_t next = 0; next < ops.size(); ++next)
    for (Value result : ops[next]->getResults()) {
      if (getElementTypeOrSelf(result).isInteger(8)) {
        makesBytes = true;
        continue;
      }
      for (Operation *user : result.getUsers()) {
        auto reader = dyn_cast<linalg::GenericOp>(user);
        if (!reader || !isOfHost(reader) ||
            reader->getBlock() != op->getBlock())
          continue;
        ops.insert(reader);
        if (result == op.getResult(0) && maximisedScalar(reader)) {
          OpOperand *read = nullptr;
          for (OpOperand *operand : reader.getDpsInputOperands())
            if (operand->get() == result)
              read = operand;
          SmallVector<int64_t> along;
          for (auto [axis, index] : llvm::enumerate(
                   reader.getMatchingIndexingMap(read).getResults())) {
            auto dim = dyn_cast<AffineDimExpr>(index);
            if (!dim)
              return std::nullopt;
            if (reader.getIteratorTypesArray()[dim.getPosition()] ==
                utils::IteratorType::reduction)
              along.push_back(int64_t(axis));
          }
          if (masks.maximised && *masks.maximised != along)
            return std::nullopt;
          masks.maximised = along;
        }
      }
    }
  if (!masks.maximised && !makesBytes)
    return std::nullopt;
  masks.isSoftmax =
      masks.maximised && isForSoftmax(op.getResult(0)) &&
      op.getBody()->getTerminator()->getOperand(0) == part->getResult(0);
  masks.ops = ops.takeVector();
  llvm::sort(masks.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  Operation *last = masks.ops.back();
  for (Operation *each : masks.ops)
    for (Value result : each->getResults())
      for (Operation *user : result.getUsers()) {
        if (llvm::is_contained(masks.ops, user))
          continue;
        Operation *here = op->getBlock()->findAncestorOpInBlock(*user);
        if (!here || here->isBeforeInBlock(last))
          return std::nullopt;
        if (!llvm::is_contained(masks.results, result))
          masks.results.push_back(result);
      }
  return masks;
}

/// An operation on the elements of `input`, one of the host like `like`.
static linalg::GenericOp overElements(
    RewriterBase &rewriter, linalg::GenericOp like, Value input, Value init,
    AffineMap outMap,
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<utils::IteratorType> loops(size_t(type.getRank()),
                                         utils::IteratorType::reduction);
  for (AffineExpr index : outMap.getResults())
    loops[cast<AffineDimExpr>(index).getPosition()] =
        utils::IteratorType::parallel;
  auto op = linalg::GenericOp::create(
      rewriter, like.getLoc(), init.getType(), input, init,
      ArrayRef<AffineMap>{rewriter.getMultiDimIdentityMap(type.getRank()),
                          outMap},
      loops, [&](OpBuilder &b, Location loc, ValueRange scalars) {
        linalg::YieldOp::create(b, loc, body(b, loc, scalars));
      });
  noteOnHost(op, hostCauseOf(like));
  return op;
}

/// What the masking operation makes of `element` of the mask.
static Value scalarOf(OpBuilder &b, Masked &masked, Value element) {
  OpOperand *of = nullptr;
  IRMapping mapping;
  mapping.map(masked.op.getMatchingBlockArgument(masked.mask), element);
  for (Operation *part : partsFor(masked.op, masked.scalar, masked.part, of))
    b.clone(*part, mapping);
  return mapping.lookup(masked.scalar);
}

/// Which elements the mask shows, as a tensor of i1.
static linalg::GenericOp shownBy(RewriterBase &rewriter, Masked &masked) {
  Value mask = masked.mask->get();
  auto type = cast<RankedTensorType>(mask.getType());
  Value empty = tensor::EmptyOp::create(rewriter, masked.op.getLoc(),
                                        type.getShape(), rewriter.getI1Type());
  linalg::GenericOp shown = overElements(
      rewriter, masked.op, mask, empty,
      rewriter.getMultiDimIdentityMap(type.getRank()),
      [&](OpBuilder &b, Location loc, ValueRange scalars) -> Value {
        Value scalar = scalarOf(b, masked, scalars[0]);
        if (!masked.otherwise)
          return arith::CmpFOp::create(
              b, loc, arith::CmpFPredicate::OEQ, scalar,
              arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0)));
        return arith::XOrIOp::create(
            b, loc, scalar,
            arith::ConstantOp::create(b, loc,
                                      b.getBoolAttr(masked.isHiddenWhere)));
      });
  shown->setAttr(kShowsSomeAttrName, rewriter.getUnitAttr());
  return shown;
}

/// Whether the mask has no other elements than those that show and those that
/// hide, and shows something of each row.
static Value hasTwoKinds(RewriterBase &rewriter, Masked &masked,
                         const Masks &masks, Value shown) {
  Location loc = masked.op.getLoc();
  const Type i1 = rewriter.getI1Type();
  auto filled = [&](ArrayRef<int64_t> shape, bool value) {
    return linalg::FillOp::create(
               rewriter, loc,
               ValueRange{arith::ConstantOp::create(
                   rewriter, loc, rewriter.getBoolAttr(value))},
               ValueRange{tensor::EmptyOp::create(rewriter, loc, shape, i1)})
        .getResult(0);
  };
  auto isAll = [&](Value tensor,
                   llvm::function_ref<Value(OpBuilder &, Value)> holds) {
    const auto rank = cast<RankedTensorType>(tensor.getType()).getRank();
    Value all = overElements(
                    rewriter, masked.op, tensor, filled({}, true),
                    AffineMap::get(unsigned(rank), 0, rewriter.getContext()),
                    [&](OpBuilder &b, Location l, ValueRange scalars) -> Value {
                      return arith::AndIOp::create(b, l, scalars[1],
                                                   holds(b, scalars[0]));
                    })
                    .getResult(0);
    return tensor::ExtractOp::create(rewriter, loc, all, ValueRange())
        .getResult();
  };
  Value result;
  if (!masked.otherwise)
    result =
        isAll(masked.mask->get(), [&](OpBuilder &b, Value element) -> Value {
          Value summand = scalarOf(b, masked, element);
          auto compare = [&](arith::CmpFPredicate predicate, double with) {
            return arith::CmpFOp::create(
                b, loc, predicate, summand,
                arith::ConstantOp::create(b, loc,
                                          b.getF32FloatAttr(float(with))));
          };
          return arith::OrIOp::create(
              b, loc, compare(arith::CmpFPredicate::OEQ, 0),
              masks.isSoftmax
                  ? compare(arith::CmpFPredicate::OLE,
                            masked.least - masked.largest - kFarBelow)
                  : compare(arith::CmpFPredicate::OEQ, kHidden));
        });
  if (masks.maximised) {
    // Axes of the mask along which a largest number is looked for.
    const AffineMap map = masked.op.getMatchingIndexingMap(masked.mask);
    const AffineMap out =
        masked.op.getMatchingIndexingMap(masked.op.getDpsInitOperand(0));
    auto type = cast<RankedTensorType>(shown.getType());
    SmallVector<AffineExpr> kept;
    SmallVector<int64_t> rows;
    for (unsigned axis = 0; axis < map.getNumResults(); ++axis) {
      const bool isMaximised = llvm::any_of(*masks.maximised, [&](int64_t at) {
        return out.getResult(unsigned(at)) == map.getResult(axis);
      });
      if (isMaximised)
        continue;
      kept.push_back(rewriter.getAffineDimExpr(axis));
      rows.push_back(type.getDimSize(axis));
    }
    Value some =
        overElements(
            rewriter, masked.op, shown, filled(rows, false),
            AffineMap::get(unsigned(type.getRank()), 0, kept,
                           rewriter.getContext()),
            [&](OpBuilder &b, Location l, ValueRange scalars) -> Value {
              return arith::OrIOp::create(b, l, scalars[1], scalars[0]);
            })
            .getResult(0);
    Value each =
        isAll(some, [](OpBuilder &, Value element) { return element; });
    result = result ? arith::AndIOp::create(rewriter, loc, result, each) : each;
  }
  return result;
}

/// The copy of the masking operation that chooses by what is shown.
static void chooseByShown(RewriterBase &rewriter, Masked &masked,
                          const IRMapping &copies, Value shown) {
  auto copy = cast<linalg::GenericOp>(copies.lookup(masked.op.getOperation()));
  BlockArgument argument =
      copy.getBody()->getArgument(masked.mask->getOperandNumber());
  Operation *part = copies.lookup(masked.part);
  Location loc = part->getLoc();
  rewriter.setInsertionPoint(part);
  auto number = [&](double value) -> Value {
    return arith::ConstantOp::create(rewriter, loc,
                                     rewriter.getF32FloatAttr(float(value)));
  };
  Value chosen;
  if (masked.otherwise) {
    chosen = arith::SelectOp::create(rewriter, loc, argument,
                                     copies.lookup(masked.number),
                                     copies.lookupOrDefault(masked.otherwise));
  } else {
    // Whatever hides, the sum is as good as this one.
    Value added = arith::SelectOp::create(rewriter, loc, argument, number(0),
                                          number(kHidden));
    chosen = arith::AddFOp::create(rewriter, loc, copies.lookup(masked.number),
                                   added);
  }
  rewriter.replaceOp(part, chosen);
  // What was made of the mask.
  for (Operation &each :
       llvm::make_early_inc_range(llvm::reverse(*copy.getBody())))
    if (isOpTriviallyDead(&each))
      rewriter.eraseOp(&each);
  rewriter.modifyOpInPlace(copy, [&] {
    copy->setOperand(masked.mask->getOperandNumber(), shown);
    argument.setType(rewriter.getI1Type());
  });
}

bool fadiff::specialiseForMask(RewriterBase &rewriter, linalg::GenericOp op) {
  auto around = op->getParentOfType<scf::IfOp>();
  if (!findMask(op) || (around && around->hasAttr(kUsualAttrName)))
    return false;
  bool changed = false;
  std::optional<Masked> masked =
      matchMasked(madeOfBytes(rewriter, op, changed));
  if (!masked)
    return changed;
  const std::optional<Masks> masks = followersOf(masked->op, masked->part);
  if (!masks || masks->results.empty() ||
      // A choice alone may be part of a table as it is.
      (masked->otherwise && !masks->maximised))
    return changed;
  if (masks->maximised) {
    // The mask must say of each row what it shows.
    const AffineMap map = masked->op.getMatchingIndexingMap(masked->mask);
    const AffineMap out =
        masked->op.getMatchingIndexingMap(masked->op.getDpsInitOperand(0));
    if (llvm::none_of(*masks->maximised, [&](int64_t axis) {
          return llvm::is_contained(map.getResults(), out.getResult(axis));
        }))
      return changed;
  }
  rewriter.setInsertionPoint(masks->ops.back());
  Location loc = masked->op.getLoc();
  linalg::GenericOp shown = shownBy(rewriter, *masked);
  Value isUsual = hasTwoKinds(rewriter, *masked, *masks, shown.getResult(0));
  auto choice = scf::IfOp::create(
      rewriter, loc, TypeRange(ValueRange(masks->results)), isUsual,
      /*addThenBlock=*/true, /*addElseBlock=*/true);
  choice->setAttr(kUsualAttrName, rewriter.getUnitAttr());
  for (Block *block : {choice.thenBlock(), choice.elseBlock()}) {
    rewriter.setInsertionPointToEnd(block);
    IRMapping copies;
    for (Operation *each : masks->ops)
      rewriter.clone(*each, copies);
    SmallVector<Value> results;
    for (Value result : masks->results)
      results.push_back(copies.lookup(result));
    scf::YieldOp::create(rewriter, loc, results);
    if (block == choice.thenBlock())
      chooseByShown(rewriter, *masked, copies, shown.getResult(0));
  }
  for (auto [before, after] : llvm::zip(masks->results, choice.getResults()))
    rewriter.replaceAllUsesWith(before, after);
  for (Operation *each : llvm::reverse(masks->ops))
    rewriter.eraseOp(each);
  return true;
}
