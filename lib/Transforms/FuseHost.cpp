//===- FuseHost.cpp - One loop where the host had several -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Softmax, layer normalisation and the like stay on the host, a linalg
// operation for each step. Upstream's fusion of elementwise operations makes
// one loop of two, so that an element is loaded and stored once. Each scalar is
// computed once, from the same operands, so results keep their bits.
//
//===----------------------------------------------------------------------===//

#include "FuseHost.h"
#include "HoistScalars.h"
#include "Normalize.h"
#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "fadiff/Analysis/OnConstants.h"
#include "fadiff/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fadiff {
#define GEN_PASS_DEF_FUSEHOSTPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;

/// How many tensors a fused operation may read and write. Beyond that a core
/// runs out of registers for their addresses.
static constexpr unsigned kMostOperands = 12;

bool fadiff::isOfHost(linalg::GenericOp op) {
  return op && op.hasPureTensorSemantics() && !op.hasDynamicShape() &&
         !op->getParentOfType<ir::LayerOp>() &&
         !op->hasAttr(kOfWeightsAttrName);
}

/// Whether reports say of `op` that it is the rest of a layer's tail
/// (HostReport.cpp): it reads the layer's sums, or clamps its bytes.
static bool mayBeTail(linalg::GenericOp op) {
  return llvm::any_of(op.getInputs(), [&](Value input) {
    if (!withoutReshapes(input).getDefiningOp<ir::LayerOp>())
      return false;
    const bool isByte = getElementTypeOrSelf(input).isInteger(8);
    return !isByte || llvm::all_of(op.getResultTypes(), [](Type type) {
      return getElementTypeOrSelf(type).isInteger(8);
    });
  });
}

bool fadiff::isProducer(linalg::GenericOp op) {
  return isOfHost(op) && op.getNumReductionLoops() == 0 &&
         !op.getBlock()->without_terminator().empty() && !mayBeTail(op) &&
         // Readers are to find what it says of its result.
         !op->hasAttr(kShowsSomeAttrName) &&
         // What reads constants only is done when the network is compiled.
         llvm::any_of(op.getInputs(),
                      [](Value input) { return !isMadeOfConstants(input); });
}

/// Whether `op` may compute what one of its inputs is. Of a reduction the sum
/// must stay in a register, so its loop has to be the innermost one.
static bool isReader(linalg::GenericOp op) {
  // What the attribute says holds of the operation's one result.
  if (!isOfHost(op) || isContraction(op) || op->hasAttr(kShowsSomeAttrName))
    return false;
  return op.getNumReductionLoops() == 0 ||
         op.getIteratorTypesArray().back() == utils::IteratorType::reduction;
}

/// Whether a table of bytes may stand in `reader`.
static bool mayReadATable(linalg::GenericOp reader) {
  return isOfHost(reader) &&
         (maximisedScalar(reader) ||
          llvm::any_of(reader.getBody()->without_terminator(), callsLibm));
}

/// The operand through which `producer` may be fused into what reads it first;
/// null if there is none. All other readers come after that one.
static OpOperand *fusibleOperand(linalg::GenericOp producer) {
  Operation *first = nullptr;
  for (Operation *user : producer->getUsers()) {
    Operation *here = producer->getBlock()->findAncestorOpInBlock(*user);
    if (!here)
      return nullptr;
    if (!first || here->isBeforeInBlock(first))
      first = here;
  }
  auto reader = dyn_cast_or_null<linalg::GenericOp>(first);
  // The largest of bytes is found among bytes, and functions of bytes are
  // looked up (Tabulate.cpp).
  if (!isReader(reader) ||
      (mayReadATable(reader) &&
       llvm::any_of(producer->getResultTypes(), [](Type type) {
         return getElementTypeOrSelf(type).isInteger(8);
       })))
    return nullptr;
  OpOperand *found = nullptr;
  for (OpOperand &operand : reader->getOpOperands()) {
    if (operand.get().getDefiningOp() != producer)
      continue;
    if (found || reader.isDpsInit(&operand))
      return nullptr;
    found = &operand;
  }
  // Each element must be read in one trip only, or it is computed in several.
  if (!found || !reader.getMatchingIndexingMap(found).isPermutation() ||
      !linalg::areElementwiseOpsFusable(found) ||
      producer->getNumOperands() + reader->getNumOperands() > kMostOperands)
    return nullptr;
  return found;
}

//===----------------------------------------------------------------------===//
// Unit axes
//===----------------------------------------------------------------------===//

static bool isReshape(Operation *op) {
  return isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op);
}

/// Whether a reshape stands between `op` and another operation of the host.
static bool meetsReshape(linalg::GenericOp op) {
  auto isHost = [](Operation *other) {
    return isOfHost(dyn_cast_or_null<linalg::GenericOp>(other));
  };
  std::function<bool(Operation *)> isReadByHost = [&](Operation *user) {
    return isReshape(user) && llvm::any_of(user->getUsers(), [&](Operation *o) {
             return isHost(o) || isReadByHost(o);
           });
  };
  return llvm::any_of(op.getInputs(),
                      [&](Value input) {
                        return isReshape(input.getDefiningOp()) &&
                               isHost(withoutReshapes(input).getDefiningOp());
                      }) ||
         llvm::any_of(op->getUsers(), isReadByHost);
}

/// Folds the reshapes around `ops` into each other, and into what is filled.
static void foldReshapes(MLIRContext *context, ArrayRef<Operation *> ops) {
  // Nothing else, which may be somebody else's.
  llvm::SetVector<Operation *> around;
  std::function<void(Operation *)> add = [&](Operation *op) {
    if (isReshape(op) && around.insert(op)) {
      add(op->getOperand(0).getDefiningOp());
      llvm::for_each(op->getUsers(), add);
    }
  };
  for (Operation *op : ops) {
    for (Value operand : op->getOperands())
      add(operand.getDefiningOp());
    llvm::for_each(op->getUsers(), add);
  }
  RewritePatternSet patterns(context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  linalg::FillOp::getCanonicalizationPatterns(patterns, context);
  tensor::populateFoldTensorEmptyPatterns(patterns);
  (void)applyOpPatternsGreedily(
      around.getArrayRef(), std::move(patterns),
      GreedyRewriteConfig().setStrictness(
          GreedyRewriteStrictness::ExistingAndNewOps));
}

/// Drops loops and axes of extent 1, such as those that a reduction keeps, of
/// the operations that a reshape stands between, as nothing is fused through
/// it. Whether there were any.
static bool dropUnitAxes(IRRewriter &rewriter,
                         ArrayRef<linalg::GenericOp> ops) {
  SmallVector<Operation *> without;
  for (linalg::GenericOp op : ops) {
    if (!isOfHost(op) || isContraction(op) || !meetsReshape(op))
      continue;
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::DropUnitDimsResult> dropped =
        linalg::dropUnitDims(rewriter, op, linalg::ControlDropUnitDims());
    if (failed(dropped))
      continue;
    dropped->resultOp->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, dropped->replacements);
    without.push_back(dropped->resultOp);
  }
  if (without.empty())
    return false;
  foldReshapes(rewriter.getContext(), without);
  return true;
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

/// Where an index is another one, whatever it is said to be made of, reads
/// that.
static void simplifyIndices(RewriterBase &rewriter, Operation *root) {
  root->walk([&](affine::AffineApplyOp index) {
    if (auto dim = dyn_cast<AffineDimExpr>(index.getAffineMap().getResult(0)))
      rewriter.replaceOp(index, index.getMapOperands()[dim.getPosition()]);
  });
}

/// Fuses the producer of `operand` into its owner, which goes. Null if upstream
/// does not. What others read of the producer becomes a result of the fused
/// operation, so they must all come behind it.
static linalg::GenericOp fuseProducer(RewriterBase &rewriter,
                                      OpOperand *operand) {
  Operation *reader = operand->getOwner();
  Operation *producer = operand->get().getDefiningOp();
  rewriter.setInsertionPoint(reader);
  FailureOr<linalg::ElementwiseOpFusionResult> fused =
      linalg::fuseElementwiseOps(rewriter, operand);
  if (failed(fused))
    return {};
  auto op = cast<linalg::GenericOp>(fused->fusedOp);
  op->setLoc(reader->getLoc());
  for (Operation *noted : {reader, producer})
    if (Attribute note = noted->getAttr(kOnHostAttrName);
        note && !op->hasAttr(kOnHostAttrName))
      op->setAttr(kOnHostAttrName, note);
  for (auto [before, after] : fused->replacements)
    rewriter.replaceUsesWithIf(before, after, [&](OpOperand &use) {
      return use.getOwner() != op && use.getOwner() != reader;
    });
  rewriter.eraseOp(reader);
  simplifyIndices(rewriter, op);
  return op;
}

linalg::GenericOp fadiff::fuseCopy(RewriterBase &rewriter, OpOperand *operand) {
  auto made = cast<OpResult>(operand->get());
  rewriter.setInsertionPoint(made.getOwner());
  Operation *copy = rewriter.clone(*made.getOwner());
  operand->set(copy->getResult(made.getResultNumber()));
  linalg::GenericOp fused = fuseProducer(rewriter, operand);
  if (!fused)
    operand->set(made);
  rewriter.eraseOp(copy);
  return fused;
}

//===----------------------------------------------------------------------===//
// For tables
//===----------------------------------------------------------------------===//

Value fadiff::maximisedScalar(linalg::GenericOp op) {
  if (op->getNumResults() != 1 || op.getNumReductionLoops() == 0 ||
      op.getNumParallelLoops() + op.getNumReductionLoops() !=
          op.getNumLoops() ||
      llvm::is_contained(op.getStaticLoopRanges(), 0))
    return {};
  Operation *max = op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::MaximumFOp, arith::MaxNumFOp>(max))
    return {};
  Value out = op.getRegionOutputArgs().front();
  for (unsigned at : {0, 1})
    if (max->getOperand(at) == out && out.hasOneUse())
      return max->getOperand(1 - at);
  return {};
}

/// The least and the largest of a constant's elements if it has no others, as
/// masks that are added do; null otherwise.
static std::optional<std::pair<APFloat, APFloat>>
twoValuesOf(DenseElementsAttr values) {
  constexpr int64_t kMostElements = 1 << 22;
  if (values.isSplat() || values.getNumElements() > kMostElements ||
      !isa<FloatType>(values.getElementType()))
    return std::nullopt;
  auto all = values.getValues<APFloat>();
  const APFloat one = *all.begin();
  std::optional<APFloat> other;
  for (const APFloat &value : all) {
    if (value.isNaN())
      return std::nullopt;
    if (value.bitwiseIsEqual(one) || (other && value.bitwiseIsEqual(*other)))
      continue;
    if (other)
      return std::nullopt;
    other = value;
  }
  if (!other)
    return std::nullopt;
  return *other < one ? std::pair(*other, one) : std::pair(one, *other);
}

/// What `value` is, a constant, if its elements are one of two, or choose one.
static DenseElementsAttr maskOf(Value value) {
  DenseElementsAttr values;
  if (!matchPattern(value, m_Constant(&values)))
    return {};
  return values.getElementType().isInteger(1) || twoValuesOf(values)
             ? values
             : DenseElementsAttr();
}

/// Whether `value` is a mask of which tables can take account.
static bool isMask(Value value) {
  Operation *maker = value.getDefiningOp();
  return maskOf(value) || (maker && maker->hasAttr(kShowsSomeAttrName) &&
                           getElementTypeOrSelf(value).isInteger(1));
}

/// Whether `op` adds masks, or the like, to what it reads for such a reader.
static bool masksForATable(linalg::GenericOp op) {
  return isProducer(op) && op->getNumResults() == 1 &&
         llvm::count_if(op.getInputs(),
                        [](Value input) { return !isMask(input); }) == 1 &&
         op.getInputs().size() > 1 &&
         llvm::any_of(op->getUsers(), [](Operation *user) {
           auto reader = dyn_cast<linalg::GenericOp>(user);
           return reader && mayReadATable(reader);
         });
}

bool fadiff::fuseIntoTables(RewriterBase &rewriter,
                            linalg::GenericOp producer) {
  SmallVector<OpOperand *> uses;
  for (OpOperand &use : producer->getUses()) {
    auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
    // Of bytes the table may be as they are: they may grow where those that
    // they were made of do not.
    if (reader && !getElementTypeOrSelf(use.get()).isInteger(8) &&
        (mayReadATable(reader) || masksForATable(reader)) &&
        llvm::count_if(reader->getOperands(),
                       [&](Value operand) {
                         return operand.getDefiningOp() == producer;
                       }) == 1 &&
        linalg::areElementwiseOpsFusable(&use))
      uses.push_back(&use);
  }
  for (OpOperand *use : uses)
    fuseCopy(rewriter, use);
  if (producer->use_empty())
    rewriter.eraseOp(producer);
  return !uses.empty();
}

/// The byte in the body of `op` that all of its result is computed from, if it
/// is neither one that `op` reads nor the result; null if there is none.
/// `isFunction`: whether a function of libm is on the way.
static Value byteWithin(linalg::GenericOp op, bool &isFunction) {
  Value byte;
  isFunction = false;
  std::function<bool(Value)> comesFromOne = [&](Value value) {
    if (matchPattern(value, m_Constant()))
      return true;
    Operation *part = value.getDefiningOp();
    if (!part || part->getBlock() != op.getBody())
      return false;
    if (value.getType().isInteger(8)) {
      if (!byte)
        byte = value;
      return byte == value;
    }
    isFunction |= callsLibm(*part);
    return part->getNumOperands() > 0 && isPure(part) &&
           llvm::all_of(part->getOperands(), comesFromOne);
  };
  Operation *last =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!last || last->getBlock() != op.getBody() || !isPure(last) ||
      !llvm::all_of(last->getOperands(), comesFromOne))
    return {};
  isFunction |= callsLibm(*last);
  return byte;
}

/// Makes an operation of its own of what `op` does behind a byte, such as the
/// dequantisation behind a quantisation, if it is a function, or readers may
/// take tables of it.
static void splitAtByte(RewriterBase &rewriter, linalg::GenericOp op) {
  if (!isProducer(op) || op->getNumResults() != 1 ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return;
  bool isFunction = false;
  Value byte = byteWithin(op, isFunction);
  Value result = op.getBody()->getTerminator()->getOperand(0);
  auto isReadByFunction = [&] {
    return !result.getType().isInteger(8) &&
           llvm::any_of(op->getUsers(), [](Operation *user) {
             auto reader = dyn_cast<linalg::GenericOp>(user);
             return reader && mayReadATable(reader);
           });
  };
  if (!byte || !(isFunction || isReadByFunction()))
    return;
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, type.getShape(), byte.getType());
  auto maker = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), op.getInputs(), empty,
      op.getIndexingMapsArray(), op.getIteratorTypesArray());
  maker->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  const AffineMap all = rewriter.getMultiDimIdentityMap(type.getRank());
  auto reader = linalg::GenericOp::create(
      rewriter, loc, type, maker.getResult(0), op.getOutputs(), {all, all},
      SmallVector<utils::IteratorType>(type.getRank(),
                                       utils::IteratorType::parallel),
      [&](OpBuilder &b, Location l, ValueRange scalars) {
        IRMapping mapping;
        mapping.map(byte, scalars[0]);
        std::function<Value(Value)> copy = [&](Value value) {
          Operation *part = value.getDefiningOp();
          if (!mapping.contains(value) && part &&
              part->getBlock() == op.getBody()) {
            llvm::for_each(part->getOperands(), copy);
            b.clone(*part, mapping);
          }
          return mapping.lookupOrDefault(value);
        };
        linalg::YieldOp::create(b, l, copy(result));
      });
  reader->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  maker.getRegion().takeBody(op.getRegion());
  Block *body = maker.getBody();
  body->getArguments().back().setType(byte.getType());
  rewriter.modifyOpInPlace(body->getTerminator(),
                           [&] { body->getTerminator()->setOperand(0, byte); });
  for (Operation &part : llvm::make_early_inc_range(llvm::reverse(*body)))
    if (isOpTriviallyDead(&part))
      rewriter.eraseOp(&part);
  rewriter.replaceOp(op, reader);
}

bool fadiff::isCheapOfBytes(linalg::GenericOp op) {
  unsigned bytes = 0;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!op.payloadUsesValueFromOperand(operand) || isMask(operand->get()))
      continue;
    if (!getElementTypeOrSelf(operand->get()).isInteger(8))
      return false;
    ++bytes;
  }
  constexpr int64_t kFew = 7;
  return bytes == 1 && op->getNumResults() == 1 &&
         llvm::count_if(op.getBody()->without_terminator(),
                        [](Operation &part) {
                          return !part.hasTrait<OpTrait::ConstantLike>();
                        }) <= kFew &&
         llvm::none_of(op.getBody()->without_terminator(), callsLibm);
}

/// Where `op` reads numbers of which there are two it chooses between them.
static void chooseByMasks(RewriterBase &rewriter, linalg::GenericOp op) {
  for (OpOperand *operand : op.getDpsInputOperands()) {
    DenseElementsAttr values = maskOf(operand->get());
    if (!values || values.getElementType().isInteger(1))
      continue;
    auto [least, largest] = *twoValuesOf(values);
    SmallVector<bool> isLargest;
    for (const APFloat &value : values.getValues<APFloat>())
      isLargest.push_back(value.bitwiseIsEqual(largest));
    const Type i1 = rewriter.getI1Type();
    rewriter.setInsertionPoint(op);
    Value mask = arith::ConstantOp::create(
        rewriter, op.getLoc(),
        DenseElementsAttr::get(values.getType().clone(i1),
                               ArrayRef<bool>(isLargest)));
    BlockArgument argument = op.getMatchingBlockArgument(operand);
    rewriter.setInsertionPointToStart(op.getBody());
    auto numberOf = [&](const APFloat &number) {
      return arith::ConstantOp::create(
          rewriter, op.getLoc(),
          rewriter.getFloatAttr(values.getElementType(), number));
    };
    auto chosen = arith::SelectOp::create(rewriter, op.getLoc(), argument,
                                          numberOf(largest), numberOf(least));
    rewriter.modifyOpInPlace(op, [&] {
      operand->set(mask);
      argument.replaceAllUsesExcept(chosen, chosen);
      argument.setType(i1);
    });
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct FuseHostPass : public fadiff::impl::FuseHostPassBase<FuseHostPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    simplifyIndices(rewriter, getOperation());
    moveBytes();
    while (dropUnitAxes(rewriter, found()))
      ;
    for (linalg::GenericOp op : found())
      splitAtByte(rewriter, op);
    for (bool changes = true; changes;)
      changes = llvm::any_of(found(), [&](linalg::GenericOp op) {
        return specialiseForMask(rewriter, op);
      });
    while (fuseCheap(rewriter))
      ;
    SmallVector<linalg::GenericOp> ops = found();
    // In their order, so that what has been fused is a producer in turn.
    for (size_t at = 0; at < ops.size(); ++at) {
      OpOperand *operand =
          isProducer(ops[at]) ? fusibleOperand(ops[at]) : nullptr;
      if (!operand)
        continue;
      auto *reader = llvm::find(ops, operand->getOwner());
      if (linalg::GenericOp fused = fuseProducer(rewriter, operand)) {
        *reader = fused;
        if (ops[at]->use_empty())
          rewriter.eraseOp(ops[at]);
      }
    }
    // What layers have in them is the accelerator's.
    for (linalg::GenericOp op : found())
      if (!op->getParentOfType<ir::LayerOp>())
        hoistScalars(rewriter, op);
  }

private:
  /// Bytes that layers leave are moved in front of what floats are made of
  /// them.
  void moveBytes() {
    SmallVector<Operation *> moves;
    getOperation()->walk([&](Operation *op) {
      if ((isReshape(op) ||
           isa<tensor::ExtractSliceOp, linalg::TransposeOp>(op)) &&
          isOfHost(op->getOperand(0).getDefiningOp<linalg::GenericOp>()))
        moves.push_back(op);
    });
    RewritePatternSet patterns(&getContext());
    populateMoveBytesPatterns(patterns);
    (void)applyOpPatternsGreedily(
        moves, std::move(patterns),
        GreedyRewriteConfig().setStrictness(
            GreedyRewriteStrictness::ExistingAndNewOps));
  }

  /// Makes something that is made of bytes where a table may be of them.
  bool fuseCheap(RewriterBase &rewriter) {
    SmallVector<linalg::GenericOp> cheap = found();
    llvm::erase_if(cheap, [](linalg::GenericOp op) {
      return !isProducer(op) || !isCheapOfBytes(op);
    });
    // One at a time: what it was fused into is gone, and may have been cheap.
    for (linalg::GenericOp op : cheap) {
      chooseByMasks(rewriter, op);
      if (fuseIntoTables(rewriter, op))
        return true;
    }
    return false;
  }

  SmallVector<linalg::GenericOp> found() {
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) { ops.push_back(op); });
    return ops;
  }
};
} // namespace
