//===- HoistScalars.cpp - What few loops change is computed there ---------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HoistScalars.h"

#include "fadiff/Analysis/HostReport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fadiff;

/// How many times less often it must be computed.
static constexpr int64_t kLeastGain = 8;

namespace {
/// Which loops the scalars of a body depend on.
class LoopsOfScalars {
public:
  explicit LoopsOfScalars(linalg::GenericOp op) : all(op.getNumLoops(), true) {
    for (OpOperand *operand : op.getDpsInputOperands()) {
      llvm::SmallBitVector &loops = known[op.getMatchingBlockArgument(operand)];
      loops.resize(op.getNumLoops());
      const AffineMap map = op.getMatchingIndexingMap(operand);
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        loops[loop] = map.isFunctionOfDim(loop);
    }
    for (BlockArgument out : op.getRegionOutputArgs())
      known[out] = all;
    for (Operation &part : op.getBody()->without_terminator()) {
      llvm::SmallBitVector loops(op.getNumLoops());
      const bool isPlain =
          part.getNumRegions() == 0 && part.getNumResults() == 1 &&
          isMemoryEffectFree(&part) && !isa<linalg::IndexOp>(part);
      for (Value operand : part.getOperands())
        loops |= of(operand);
      for (Value result : part.getResults())
        known[result] = isPlain ? loops : all;
    }
  }

  llvm::SmallBitVector of(Value value) const {
    auto it = known.find(value);
    return it != known.end() ? it->second : llvm::SmallBitVector(all.size());
  }

private:
  llvm::SmallBitVector all;
  llvm::DenseMap<Value, llvm::SmallBitVector> known;
};
} // namespace

/// The parts of the body that `value` is made of, in their order.
static SmallVector<Operation *> partsOf(linalg::GenericOp op, Value value) {
  llvm::SmallPtrSet<Operation *, 8> needed{value.getDefiningOp()};
  SmallVector<Operation *> parts;
  for (Operation &part : llvm::reverse(op.getBody()->without_terminator()))
    if (needed.contains(&part)) {
      parts.push_back(&part);
      for (Value operand : part.getOperands())
        if (Operation *def = operand.getDefiningOp();
            def && def->getBlock() == op.getBody())
          needed.insert(def);
    }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

/// A step that takes much longer than an addition.
static bool isLong(Operation *part) {
  return isa<arith::DivFOp>(part) ||
         (isa_and_nonnull<math::MathDialect>(part->getDialect()) &&
          !isa<math::FmaOp, math::AbsFOp, math::RoundEvenOp>(part));
}

/// The first scalar that is worth it; null if there is none.
static Value scalarToHoist(linalg::GenericOp op, const LoopsOfScalars &loops) {
  const SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  for (Operation &part : op.getBody()->without_terminator()) {
    if (part.getNumResults() != 1)
      continue;
    Value value = part.getResult(0);
    const llvm::SmallBitVector own = loops.of(value);
    int64_t gain = 1;
    for (auto [loop, range] : llvm::enumerate(ranges))
      if (!own[loop])
        gain *= range;
    if (own.none() || gain < kLeastGain ||
        !llvm::any_of(partsOf(op, value), isLong))
      continue;
    // Whatever goes on from it by the same loops is hoisted with it.
    if (llvm::any_of(part.getUsers(), [&](Operation *user) {
          return user->hasTrait<OpTrait::IsTerminator>() ||
                 loops.of(user->getResult(0)) != own;
        }))
      return value;
  }
  return {};
}

/// What the body computes of `value`, over its loops.
static Value computeApart(RewriterBase &rewriter, linalg::GenericOp op,
                          Value value, const llvm::SmallBitVector &loops) {
  const Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  SmallVector<AffineExpr> renamed(op.getNumLoops(),
                                  rewriter.getAffineConstantExpr(0));
  SmallVector<int64_t> shape;
  for (unsigned loop : loops.set_bits()) {
    renamed[loop] = rewriter.getAffineDimExpr(shape.size());
    shape.push_back(op.getStaticLoopRanges()[loop]);
  }
  const SmallVector<Operation *> parts = partsOf(op, value);
  SmallVector<OpOperand *> read;
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Value argument = op.getMatchingBlockArgument(operand);
    if (llvm::none_of(parts, [&](Operation *part) {
          return llvm::is_contained(part->getOperands(), argument);
        }))
      continue;
    read.push_back(operand);
    inputs.push_back(operand->get());
    maps.push_back(op.getMatchingIndexingMap(operand).replaceDimsAndSymbols(
        renamed, {}, unsigned(shape.size()), 0));
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(shape.size()));
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape, value.getType());
  auto apart = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), inputs, empty, maps,
      SmallVector<utils::IteratorType>(shape.size(),
                                       utils::IteratorType::parallel),
      [&](OpBuilder &b, Location l, ValueRange scalars) {
        IRMapping mapping;
        for (auto [operand, scalar] : llvm::zip(read, scalars))
          mapping.map(op.getMatchingBlockArgument(operand), scalar);
        for (Operation *part : parts)
          b.clone(*part, mapping);
        linalg::YieldOp::create(b, l, mapping.lookup(value));
      });
  noteOnHost(apart, hostCauseOf(op));
  return apart.getResult(0);
}

/// `op` with another input, in place of scalar `value` of its body; inputs that
/// are not read any more go.
static linalg::GenericOp readInstead(RewriterBase &rewriter,
                                     linalg::GenericOp op, Value value,
                                     Value tensor, AffineMap map) {
  BlockArgument argument = op.getBody()->insertArgument(
      unsigned(op.getNumDpsInputs()), value.getType(), value.getLoc());
  value.replaceAllUsesWith(argument);
  for (Operation *part : llvm::reverse(partsOf(op, value)))
    if (isOpTriviallyDead(part))
      rewriter.eraseOp(part);
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  inputs.push_back(tensor);
  maps.insert(maps.begin() + op.getNumDpsInputs(), map);
  for (size_t i = inputs.size(); i-- > 0;) {
    if (!op.getBody()->getArgument(unsigned(i)).use_empty())
      continue;
    // The maps that are left must still say how long each loop is.
    SmallVector<AffineMap> rest = maps;
    rest.erase(rest.begin() + i);
    if (!inversePermutation(concatAffineMaps(rest, op.getContext())))
      continue;
    maps = std::move(rest);
    inputs.erase(inputs.begin() + i);
    op.getBody()->eraseArgument(unsigned(i));
  }
  rewriter.setInsertionPoint(op);
  auto less = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(), maps,
      op.getIteratorTypesArray());
  less->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  less.getRegion().takeBody(op.getRegion());
  rewriter.replaceOp(op, less);
  return less;
}

linalg::GenericOp fadiff::hoistScalars(RewriterBase &rewriter,
                                       linalg::GenericOp op) {
  if (!op.hasPureTensorSemantics() ||
      cast<linalg::LinalgOp>(op.getOperation()).hasDynamicShape())
    return op;
  for (;;) {
    const LoopsOfScalars loops(op);
    Value value = scalarToHoist(op, loops);
    if (!value)
      return op;
    const llvm::SmallBitVector own = loops.of(value);
    SmallVector<AffineExpr> dims;
    for (unsigned loop : own.set_bits())
      dims.push_back(rewriter.getAffineDimExpr(loop));
    Value tensor = computeApart(rewriter, op, value, own);
    op =
        readInstead(rewriter, op, value, tensor,
                    AffineMap::get(op.getNumLoops(), 0, dims, op.getContext()));
  }
}
