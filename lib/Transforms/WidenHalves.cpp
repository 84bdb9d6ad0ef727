//===- WidenHalves.cpp - 16-bit factors of f32 sums -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction that extends f16 or bf16 factors to f32 before it multiplies
// them is one of the f32 tensors that they extend to: the products are the same
// numbers.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

/// Whether all that a body does with `argument` is to extend it to f32.
static bool isOnlyWidened(BlockArgument argument) {
  return !argument.use_empty() &&
         llvm::all_of(argument.getUsers(), [](Operation *user) {
           return isa<arith::ExtFOp>(user) && user->getResult(0).getType().isF32();
         });
}

/// The elements of 16-bit tensor `value` as f32; constants at once.
static Value widen(OpBuilder &builder, Location loc, Value value) {
  const Type f32 = builder.getF32Type();
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(
        builder, loc,
        cast<DenseFPElementsAttr>(constant).mapValues(
            f32, [](const APFloat &half) {
              APFloat single = half;
              bool losesInfo;
              single.convert(APFloat::IEEEsingle(),
                             APFloat::rmNearestTiesToEven, &losesInfo);
              return single.bitcastToAPInt();
            }));
  return mapTensor(builder, loc, value, f32,
                   [&](OpBuilder &b, Location l, Value half) -> Value {
                     return arith::ExtFOp::create(b, l, f32, half);
                   });
}

namespace {
/// Each application leaves one operand of 16 bits less, or one named operation
/// with such operands.
struct WidenHalves : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
        !isContraction(op) || !getElementTypeOrSelf(op->getResult(0)).isF32())
      return failure();
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto type = dyn_cast<RankedTensorType>(input->get().getType());
      BlockArgument argument = op.getMatchingBlockArgument(input);
      if (!type || !(type.getElementType().isF16() ||
                     type.getElementType().isBF16()) ||
          !isOnlyWidened(argument))
        continue;
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!generic)
        return linalg::generalizeNamedOp(rewriter, op);
      Value wide = widen(rewriter, op.getLoc(), input->get());
      rewriter.modifyOpInPlace(op, [&] {
        input->set(wide);
        for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
          rewriter.replaceOp(user, argument);
        argument.setType(rewriter.getF32Type());
      });
      return success();
    }
    return failure();
  }
};
} // namespace

void fadiff::populateWidenHalvesPatterns(RewritePatternSet &patterns) {
  patterns.add<WidenHalves>(patterns.getContext());
}
