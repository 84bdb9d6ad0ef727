//===- RoundLast.cpp - Rounding as part of a conversion -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quantisation rounds, clamps and converts. RISC-V converts with any rounding,
// so if the clamp comes first, rounding costs nothing: bounds are whole, so the
// order does not matter. Without NaNs, of which the conversion would be
// undefined, the clamp is two instructions. A clamp in front of a scale, such
// as ReLU, joins it: what grows with a number may be bounded afterwards.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/HostLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace fadiff {

namespace {

struct RoundLastPass : PassWrapper<RoundLastPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RoundLastPass)

  StringRef getArgument() const override { return "fadiff-round-last"; }
  StringRef getDescription() const override {
    return "Clamp floats before they are rounded and converted to integers";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> conversions;
    getOperation()->walk([&](Operation *op) {
      if (isa<arith::FPToSIOp, arith::FPToUIOp>(op))
        conversions.push_back(op);
    });
    for (Operation *op : conversions)
      rewrite(rewriter, op);
  }

private:
  /// Lets a conversion to fewer than 32 bits give 32 and drops the others:
  /// vectors round while they convert to integers as wide as the floats only.
  static void narrow(RewriterBase &rewriter, Operation *conversion) {
    Value result = conversion->getResult(0);
    Type type = result.getType(), wide = rewriter.getI32Type();
    if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() >= 32 ||
        !getElementTypeOrSelf(conversion->getOperand(0)).isF32())
      return;
    if (auto shaped = dyn_cast<ShapedType>(type))
      wide = shaped.clone(wide);
    rewriter.setInsertionPointAfter(conversion);
    result.setType(wide);
    auto low =
        arith::TruncIOp::create(rewriter, conversion->getLoc(), type, result);
    rewriter.replaceAllUsesExcept(result, low, low);
  }

  static bool isClampOp(Operation *op) {
    return isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp,
                           arith::MaxNumFOp, arith::MinNumFOp>(op);
  }
  static bool isRounding(Operation *op) {
    return isa_and_nonnull<math::RoundEvenOp, math::RoundOp, math::FloorOp,
                           math::CeilOp, math::TruncOp>(op);
  }
  static APFloat::roundingMode modeOf(Operation *round) {
    if (isa<math::RoundEvenOp>(round))
      return APFloat::rmNearestTiesToEven;
    if (isa<math::RoundOp>(round))
      return APFloat::rmNearestTiesToAway;
    if (isa<math::TruncOp>(round))
      return APFloat::rmTowardZero;
    return isa<math::FloorOp>(round) ? APFloat::rmTowardNegative
                                     : APFloat::rmTowardPositive;
  }

  /// Clamps in front of what is perhaps scaled by positive constants and
  /// rounded then go behind the rounding, with bounds that are scaled and
  /// rounded.
  static void clampBehind(RewriterBase &rewriter, Operation *round) {
    auto constantOf = [](Operation *op) -> std::optional<APFloat> {
      APFloat value(0.0F);
      if (op->hasOneUse() &&
          matchPattern(op->getOperand(1), m_ConstantFloat(&value)) &&
          !value.isNaN())
        return value;
      return std::nullopt;
    };
    SmallVector<Operation *> scales; // the last one first
    Operation *part = round->getOperand(0).getDefiningOp();
    for (; isa_and_nonnull<arith::MulFOp, arith::DivFOp>(part);
         part = part->getOperand(0).getDefiningOp()) {
      std::optional<APFloat> scale = constantOf(part);
      if (!scale || !scale->isFiniteNonZero() || scale->isNegative())
        return;
      scales.push_back(part);
    }
    while (isClampOp(part)) {
      std::optional<APFloat> bound = constantOf(part);
      if (!bound)
        return;
      for (Operation *scale : llvm::reverse(scales)) {
        const APFloat by = *constantOf(scale);
        if (isa<arith::MulFOp>(scale))
          bound->multiply(by, APFloat::rmNearestTiesToEven);
        else
          bound->divide(by, APFloat::rmNearestTiesToEven);
      }
      bound->roundToIntegral(modeOf(round));
      Operation *clamp = part;
      part = clamp->getOperand(0).getDefiningOp();
      rewriter.replaceAllUsesWith(clamp->getResult(0), clamp->getOperand(0));
      // In front of those that were behind it.
      rewriter.setInsertionPointAfter(round);
      Value value = round->getResult(0);
      Value constant = arith::ConstantOp::create(
          rewriter, clamp->getLoc(),
          FloatAttr::get(clamp->getOperand(1).getType(), *bound));
      Operation *moved = rewriter.clone(*clamp);
      moved->setOperands({value, constant});
      rewriter.replaceAllUsesExcept(value, moved->getResult(0), moved);
      rewriter.eraseOp(clamp);
    }
  }

  static void rewrite(RewriterBase &rewriter, Operation *conversion) {
    Operation *part = conversion->getOperand(0).getDefiningOp();
    while (isClampOp(part) && part->hasOneUse() &&
           matchPattern(part->getOperand(1), m_Constant()))
      part = part->getOperand(0).getDefiningOp();
    if (isRounding(part) && part->hasOneUse() &&
        part->getResult(0).getType().isF32())
      clampBehind(rewriter, part);

    SmallVector<Operation *> clamps; // the last one first
    part = conversion->getOperand(0).getDefiningOp();
    bool isWhole = true;
    auto isClamp = [&](Operation *op) {
      APFloat bound(0.0F);
      if (!isClampOp(op) || !op->hasOneUse() ||
          !matchPattern(op->getOperand(1), m_ConstantFloat(&bound)) ||
          bound.isNaN())
        return false;
      isWhole &= bound.isInteger();
      return true;
    };
    for (; isClamp(part); part = part->getOperand(0).getDefiningOp())
      clamps.push_back(part);
    if (clamps.empty())
      return;
    const bool isRounded = isRounding(part) && part->hasOneUse() && isWhole;
    Value value =
        isRounded ? part->getOperand(0) : clamps.back()->getOperand(0);
    rewriter.setInsertionPoint(conversion);
    const Location loc = conversion->getLoc();
    for (Operation *clamp : llvm::reverse(clamps)) {
      Value bound = clamp->getOperand(1);
      // Those of arith would be expanded into comparisons.
      value =
          isa<arith::MaximumFOp, arith::MaxNumFOp>(clamp)
              ? LLVM::MaxNumOp::create(rewriter, loc, value, bound).getResult()
              : LLVM::MinNumOp::create(rewriter, loc, value, bound).getResult();
    }
    if (isRounded) {
      Operation *round = rewriter.clone(*part);
      round->setOperand(0, value);
      value = round->getResult(0);
    }
    conversion->setOperand(0, value);
    narrow(rewriter, conversion);
    for (Operation *clamp : clamps)
      rewriter.eraseOp(clamp);
    if (isRounded)
      rewriter.eraseOp(part);
  }
};

} // namespace

std::unique_ptr<Pass> createRoundLastPass() {
  return std::make_unique<RoundLastPass>();
}

} // namespace fadiff
