//===- SplitResults.cpp - One contraction in each operation ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fusion of contractions that read the same tensor (queries, keys and values)
// leaves one operation that sums several products. A layer has one sum, so each
// result gets an operation of its own.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace fadiff;

/// What computes result `index` inside of the body; fails if that reads another
/// result's output.
static FailureOr<llvm::SetVector<Operation *>> sliceOf(linalg::GenericOp op,
                                                       unsigned index) {
  llvm::SetVector<Operation *> slice;
  Value yielded = op.getBlock()->getTerminator()->getOperand(index);
  if (yielded.getDefiningOp()) {
    BackwardSliceOptions options;
    options.inclusive = true;
    options.filter = [&](Operation *inner) {
      return inner->getBlock() == op.getBlock();
    };
    if (failed(getBackwardSlice(yielded, &slice, options)))
      return failure();
  }
  for (auto [other, output] : llvm::enumerate(op.getRegionOutputArgs()))
    if (other != index &&
        (output == yielded ||
         llvm::any_of(output.getUsers(),
                      [&](Operation *user) { return slice.contains(user); })))
      return failure();
  return slice;
}

namespace {
/// Each application leaves one operation with several results and a reduction
/// less.
struct SplitResults : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumResults() < 2 || op.getNumReductionLoops() == 0 ||
        !op.hasPureTensorSemantics())
      return failure();
    SmallVector<llvm::SetVector<Operation *>> slices;
    for (unsigned i = 0; i < op.getNumResults(); ++i) {
      FailureOr<llvm::SetVector<Operation *>> slice = sliceOf(op, i);
      if (failed(slice))
        return failure();
      slices.push_back(std::move(*slice));
    }
    SmallVector<Value> results;
    for (auto [index, slice] : llvm::enumerate(slices))
      results.push_back(alone(rewriter, op, index, slice));
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  static Value alone(OpBuilder &builder, linalg::GenericOp op, unsigned index,
                     const llvm::SetVector<Operation *> &slice) {
    OpOperand *init = op.getDpsInitOperand(index);
    SmallVector<AffineMap> maps;
    for (OpOperand *input : op.getDpsInputOperands())
      maps.push_back(op.getMatchingIndexingMap(input));
    maps.push_back(op.getMatchingIndexingMap(init));
    // Operands that it does not read go with upstream's patterns.
    auto made = linalg::GenericOp::create(
        builder, op.getLoc(), init->get().getType(), op.getInputs(),
        init->get(), maps, op.getIteratorTypesArray(),
        [&](OpBuilder &b, Location loc, ValueRange arguments) {
          IRMapping mapping;
          mapping.map(op.getRegionInputArgs(), arguments.drop_back());
          mapping.map(op.getMatchingBlockArgument(init), arguments.back());
          for (Operation *inner : slice)
            b.clone(*inner, mapping);
          linalg::YieldOp::create(
              b, loc,
              mapping.lookupOrDefault(
                  op.getBlock()->getTerminator()->getOperand(index)));
        });
    made->setDiscardableAttrs(llvm::to_vector(op->getDiscardableAttrs()));
    return made.getResult(0);
  }
};
} // namespace

void fadiff::populateSplitResultsPatterns(RewritePatternSet &patterns) {
  patterns.add<SplitResults>(patterns.getContext());
}
