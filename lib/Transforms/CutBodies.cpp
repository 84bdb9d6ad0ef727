//===- CutBodies.cpp - One tensor where a body makes a tensor's element ---===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fusion of elementwise operations, as upstream's linalg-fuse-elementwise-ops
// does it, computes what was a tensor's element inside of its reader's body. To
// the accelerator such a tensor is what one layer leaves and the next one
// reads, so it is made a tensor again: the reader is cut in two.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

/// What a product takes of `operand`, without extensions and constant zero
/// points, which are part of the contraction.
static Value multiplicand(Value operand) {
  for (;;) {
    Operation *def = operand.getDefiningOp();
    if (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp, arith::ExtFOp>(def))
      operand = def->getOperand(0);
    else if (isa_and_nonnull<arith::SubIOp>(def) &&
             (matchPattern(def->getOperand(1), m_Constant()) ||
              isa<BlockArgument>(def->getOperand(1))))
      operand = def->getOperand(0);
    else
      return operand;
  }
}

/// The factors of the product that a contraction's body sums; none if it is no
/// contraction.
static SmallVector<Value> factorsOf(linalg::GenericOp op) {
  SmallVector<Value> factors;
  Operation *add =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1 ||
      !isa_and_nonnull<arith::AddIOp, arith::AddFOp>(add))
    return factors;
  for (Value term : add->getOperands())
    if (Operation *product = term.getDefiningOp();
        isa_and_nonnull<arith::MulIOp, arith::MulFOp>(product))
      for (Value factor : product->getOperands())
        factors.push_back(multiplicand(factor));
  return factors;
}

/// Whether `made`, an int8 in a body, is only clamped from 0 or yielded there:
/// the read-out does that, too.
static bool isReadOutOnly(Value made) {
  return llvm::all_of(made.getUsers(), [](Operation *user) {
    return isa<linalg::YieldOp>(user) ||
           (isa<arith::MaxSIOp>(user) &&
            matchPattern(user->getOperand(1), m_Zero()));
  });
}

/// The first value in the body of `op` that should be a tensor of its own, or
/// null: a computed factor of a contraction's product, an int8 that is made and
/// read again, or a sum with a bias or a residual that is read again.
static Value cutPoint(linalg::GenericOp op) {
  SmallVector<Value> factors = factorsOf(op);
  Operation *yield = op.getBlock()->getTerminator();
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (inner.getNumResults() != 1 || inner.hasTrait<OpTrait::ConstantLike>())
      continue;
    Value made = inner.getResult(0);
    if (llvm::is_contained(yield->getOperands(), made))
      continue;
    auto isInput = [&](Value value) {
      auto argument = dyn_cast<BlockArgument>(value);
      return argument && argument.getOwner() == op.getBlock() &&
             argument.getArgNumber() < op.getNumDpsInputs();
    };
    // A residual sum is a layer of its own in f32.
    auto isWhole = [&](Value value) {
      return isInput(value) &&
             op.getIndexingMapsArray()[cast<BlockArgument>(value)
                                           .getArgNumber()]
                 .isIdentity();
    };
    auto comesFrom = [&](Value value) {
      return comesFromContraction(
          op.getInputs()[cast<BlockArgument>(value).getArgNumber()]);
    };
    const bool isResidual = isa<arith::AddFOp>(inner) &&
                            made.getType().isF32() &&
                            op.getNumReductionLoops() == 0 &&
                            llvm::all_of(inner.getOperands(), isWhole) &&
                            llvm::any_of(inner.getOperands(), comesFrom);
    const bool isBiased = isa<arith::AddIOp>(inner) &&
                          made.getType().isInteger(32) &&
                          llvm::all_of(inner.getOperands(), isInput);
    if (llvm::is_contained(factors, made) || isBiased || isResidual ||
        (made.getType().isInteger(8) && factors.empty() &&
         !isReadOutOnly(made)))
      return made;
  }
  return {};
}

namespace {
/// The tensor that a value of a body is an element of: which operands it is
/// computed from, over which loops, and where the body reads it.
struct Cut {
  SmallVector<Value> operands;
  SmallVector<BlockArgument> arguments;
  SmallVector<AffineMap> maps; ///< per operand, from the new op's loops
  SmallVector<int64_t> shape;
  AffineMap read; ///< from the old op's loops
};
} // namespace

/// Where the elements of operands with `maps` are indexed by `domain`, one loop
/// per result; fails if some index is none of these.
static FailureOr<SmallVector<AffineMap>> over(ArrayRef<AffineExpr> domain,
                                              ArrayRef<AffineMap> maps) {
  SmallVector<AffineMap> result;
  for (AffineMap map : maps) {
    SmallVector<AffineExpr> indices;
    for (AffineExpr index : map.getResults()) {
      if (isa<AffineConstantExpr>(index)) {
        indices.push_back(index);
        continue;
      }
      const auto *at = llvm::find(domain, index);
      if (at == domain.end())
        return failure();
      indices.push_back(
          getAffineDimExpr(at - domain.begin(), map.getContext()));
    }
    result.push_back(
        AffineMap::get(domain.size(), 0, indices, map.getContext()));
  }
  return result;
}

static FailureOr<Cut> planCut(linalg::GenericOp op,
                              const llvm::SetVector<Operation *> &slice) {
  auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
  Cut cut;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (llvm::none_of(argument.getUsers(),
                      [&](Operation *user) { return slice.contains(user); }))
      continue;
    cut.operands.push_back(input->get());
    cut.arguments.push_back(argument);
    maps.push_back(op.getMatchingIndexingMap(input));
  }
  if (cut.operands.empty())
    return failure();
  // One operand may be read wherever the others are, as the image of a
  // convolution is; else the tensor has an axis for each loop that indexes any.
  SmallVector<AffineExpr> domain;
  for (auto [i, map] : llvm::enumerate(maps)) {
    auto type = dyn_cast<RankedTensorType>(cut.operands[i].getType());
    if (!type)
      continue;
    domain.assign(map.getResults().begin(), map.getResults().end());
    cut.shape.assign(type.getShape().begin(), type.getShape().end());
    if (auto planned = over(domain, maps); succeeded(planned)) {
      cut.maps = *planned;
      // Axes of one element, at a constant index, are axes all the same.
      cut.maps[i] =
          AffineMap::getMultiDimIdentityMap(domain.size(), op.getContext());
      cut.read = map;
      return cut;
    }
  }
  domain.clear();
  cut.shape.clear();
  SmallVector<int64_t> ranges = linalgOp.getStaticLoopRanges();
  for (auto [loop, range] : llvm::enumerate(ranges))
    if (llvm::any_of(maps, [&, loop = loop](AffineMap map) {
          return map.isFunctionOfDim(loop);
        })) {
      domain.push_back(getAffineDimExpr(loop, op.getContext()));
      cut.shape.push_back(range);
    }
  FailureOr<SmallVector<AffineMap>> planned = over(domain, maps);
  if (failed(planned))
    return failure();
  cut.maps = *planned;
  cut.read = AffineMap::get(ranges.size(), 0, domain, op.getContext());
  return cut;
}

namespace {
/// Cuts one value out of a body. The values that cutPoint() can name become
/// fewer by one each time, in the reader and in what is cut out together: the
/// first of them is cut, so what it is computed from holds no other.
struct CutBody : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    if (!op.hasPureTensorSemantics() || linalgOp.hasDynamicShape() ||
        linalgOp.hasIndexSemantics())
      return failure();
    Value value = cutPoint(op);
    if (!value)
      return failure();
    llvm::SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.inclusive = true;
    options.filter = [&](Operation *inner) {
      return inner->getBlock() == op.getBlock();
    };
    if (failed(getBackwardSlice(value, &slice, options)))
      return failure();
    for (BlockArgument output : op.getRegionOutputArgs())
      for (Operation *user : output.getUsers())
        if (slice.contains(user))
          return failure();
    FailureOr<Cut> cut = planCut(op, slice);
    if (failed(cut))
      return failure();

    Location loc = op.getLoc();
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, cut->shape, value.getType());
    SmallVector<AffineMap> maps = cut->maps;
    maps.push_back(rewriter.getMultiDimIdentityMap(cut->shape.size()));
    auto made = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), cut->operands, empty, maps,
        SmallVector<utils::IteratorType>(cut->shape.size(),
                                         utils::IteratorType::parallel),
        [&](OpBuilder &builder, Location, ValueRange arguments) {
          IRMapping mapping;
          mapping.map(cut->arguments, arguments.drop_back());
          for (Operation *inner : slice)
            builder.clone(*inner, mapping);
          linalg::YieldOp::create(builder, loc, mapping.lookup(value));
        });

    // The reader takes it where it took the first operand that it is made of:
    // a contraction's first input is its image.
    const unsigned position = cut->arguments.front().getArgNumber();
    SmallVector<Value> inputs = op.getDpsInputs();
    inputs.insert(inputs.begin() + position, made->getResult(0));
    SmallVector<AffineMap> readerMaps = op.getIndexingMapsArray();
    readerMaps.insert(readerMaps.begin() + position, cut->read);
    rewriter.setInsertionPoint(op);
    auto reader = linalg::GenericOp::create(
        rewriter, loc, op->getResultTypes(), inputs, op.getDpsInits(),
        readerMaps, op.getIteratorTypesArray());
    reader->setDiscardableAttrs(llvm::to_vector(op->getDiscardableAttrs()));
    rewriter.inlineRegionBefore(op.getRegion(), reader.getRegion(),
                                reader.getRegion().begin());
    Block *body = reader.getBlock();
    BlockArgument taken = body->insertArgument(position, value.getType(), loc);
    rewriter.replaceAllUsesWith(value, taken);
    for (Operation *inner : llvm::reverse(slice))
      if (isOpTriviallyDead(inner))
        rewriter.eraseOp(inner);
    rewriter.replaceOp(op, reader);
    return success();
  }
};
} // namespace

void fadiff::populateCutBodiesPatterns(RewritePatternSet &patterns) {
  patterns.add<CutBody>(patterns.getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
}
