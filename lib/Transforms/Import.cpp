//===- Import.cpp - What front ends leave above linalg --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportConstants.h"
#include "fadiff/Transforms/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace fadiff {
#define GEN_PASS_DEF_IMPORTPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;

/// The module attribute that tosa-attach-target writes and tosa-validate reads.
static constexpr llvm::StringLiteral kTosaTargetAttr = "tosa.target_env";

/// Upstream's way from TOSA to linalg on tensors. Everything that TOSA 1.0
/// names is let through the validation; what has no lowering fails later.
static void buildTosaPipeline(OpPassManager &pm, bool hasTarget) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  functions.addPass(tosa::createTosaOptionalDecompositionsPass());
  functions.addPass(createCanonicalizerPass());
  functions.addPass(tosa::createTosaInferShapesPass());
  functions.addPass(tosa::createTosaMakeBroadcastablePass());
  functions.addPass(tosa::createTosaToLinalgNamed());
  functions.addPass(createCanonicalizerPass());
  functions.addPass(tosa::createTosaLayerwiseConstantFoldPass());
  functions.addPass(tosa::createTosaMakeBroadcastablePass());
  if (!hasTarget) {
    tosa::TosaAttachTargetOptions target;
    target.level = tosa::Level::none;
    target.profiles = {"pro_int", "pro_fp"};
    target.extensions = {"int16",   "int4",        "bf16",        "fp8e4m3",
                         "fp8e5m2", "fft",         "variable",    "controlflow",
                         "dynamic", "doubleround", "inexactround"};
    pm.addPass(tosa::createTosaAttachTarget(target));
  }
  // Whether a profile knows the types is not ours to say: exporters write casts
  // from i64 and the like, which are lowered as any others.
  tosa::TosaValidationOptions validation;
  validation.allowInvalidOpDatatypeCombinations = true;
  pm.addPass(tosa::createTosaValidation(validation));
  OpPassManager &lowered = pm.nest<func::FuncOp>();
  lowered.addPass(tosa::createTosaToLinalg());
}

/// tosa.apply_scale in the bodies of linalg ops, and TOSA's constants, control
/// flow and data movement.
static void buildTosaRestPipeline(OpPassManager &pm) {
  OpPassManager &functions = pm.nest<func::FuncOp>();
  TosaToArithPassOptions arithOptions;
  arithOptions.includeApplyRescale = true;
  functions.addPass(createTosaToArithPass(arithOptions));
  functions.addPass(createTosaToTensorPass());
  functions.addPass(createTosaToSCFPass());
  functions.addPass(createCanonicalizerPass());
}

namespace {
struct ImportPass : public fadiff::impl::ImportPassBase<ImportPass> {
  using Base::Base;

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registry.insert<bufferization::BufferizationDialect>();
    // The inner passes' dialects have to be there before this pass starts.
    OpPassManager pm(ModuleOp::getOperationName());
    buildTosaPipeline(pm, /*hasTarget=*/false);
    buildTosaRestPipeline(pm);
    pm.addNestedPass<func::FuncOp>(
        tosa::createTosaConvertIntegerTypeToSignless());
    pm.getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(dropSigns(module)))
      return signalPassFailure();
    importConstants(module);
    bool hasScale = false, hasOthers = false;
    module.walk([&](Operation *op) {
      if (!isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
        return;
      (isa<tosa::ApplyScaleOp>(op) ? hasScale : hasOthers) = true;
    });
    if (hasOthers && failed(lowerTosa(module)))
      return signalPassFailure();
    if (hasOthers || hasScale) {
      OpPassManager pm(ModuleOp::getOperationName());
      buildTosaRestPipeline(pm);
      if (failed(runPipeline(pm, module)))
        return signalPassFailure();
    }
    if (failed(checkNothingLeft(module)) || failed(decompose(module)) ||
        failed(lowerElementwise(module)))
      return signalPassFailure();
  }

private:
  /// Integers whose type has a sign, as those of TFLite's uint8 networks,
  /// become those of upstream's arithmetic: what reads them says how.
  LogicalResult dropSigns(ModuleOp module) {
    auto hasSign = [](Type type) {
      Type element = getElementTypeOrSelf(type);
      return element.isSignedInteger() || element.isUnsignedInteger();
    };
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (llvm::any_of(function.getArgumentTypes(), hasSign) ||
          llvm::any_of(function.getResultTypes(), hasSign) ||
          function
              .walk([&](Operation *op) {
                return llvm::any_of(op->getResultTypes(), hasSign)
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted())
        functions.push_back(function);
    for (func::FuncOp function : functions) {
      OpPassManager pm(func::FuncOp::getOperationName());
      pm.addPass(tosa::createTosaConvertIntegerTypeToSignless());
      pm.addPass(createReconcileUnrealizedCastsPass());
      if (failed(runPipeline(pm, function)))
        return failure();
    }
    return success();
  }

  /// The zero points that `op` has, as upstream lowers them only if they are
  /// constant.
  static SmallVector<Value> zeroPointsOf(Operation *op) {
    return llvm::TypeSwitch<Operation *, SmallVector<Value>>(op)
        .Case<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
              tosa::TransposeConv2DOp>([](auto conv) {
          return SmallVector<Value>{conv.getInputZp(), conv.getWeightZp()};
        })
        .Case([](tosa::MatMulOp matmul) {
          return SmallVector<Value>{matmul.getAZp(), matmul.getBZp()};
        })
        .Default([](Operation *) { return SmallVector<Value>(); });
  }

  /// Whether `value` comes from the arguments of a function.
  static bool isComputed(Value value) {
    auto isArgument = [](Value v) { return isa<BlockArgument>(v); };
    llvm::SetVector<Operation *> slice;
    BackwardSliceOptions options;
    options.omitBlockArguments = true;
    options.inclusive = true;
    (void)getBackwardSlice(value, &slice, options);
    return isArgument(value) || llvm::any_of(slice, [&](Operation *op) {
             return llvm::any_of(op->getOperands(), isArgument);
           });
  }

  LogicalResult checkZeroPoints(ModuleOp module) {
    WalkResult walked = module.walk([](Operation *op) {
      if (llvm::none_of(zeroPointsOf(op), isComputed))
        return WalkResult::advance();
      op->emitOpError(
          "has a zero point that is computed; make it a tosa.const, "
          "or subtract it in front of the operation");
      return WalkResult::interrupt();
    });
    return failure(walked.wasInterrupted());
  }

  LogicalResult lowerTosa(ModuleOp module) {
    if (failed(checkZeroPoints(module)))
      return failure();
    bool hasTarget = module->hasAttr(kTosaTargetAttr);
    OpPassManager pm(ModuleOp::getOperationName());
    buildTosaPipeline(pm, hasTarget);
    if (failed(runPipeline(pm, module)))
      return module.emitError(
          "cannot be lowered from TOSA: wanted TOSA 1.0 operations that MLIR's "
          "tosa-to-linalg knows, on static shapes; replace the operation named "
          "above");
    if (!hasTarget)
      module->removeAttr(kTosaTargetAttr);
    return success();
  }

  LogicalResult checkNothingLeft(ModuleOp module) {
    WalkResult walked = module.walk([](Operation *op) {
      if (!isa_and_nonnull<tosa::TosaDialect>(op->getDialect()))
        return WalkResult::advance();
      op->emitError("'") << op->getName()
                         << "' has no lowering to linalg: wanted TOSA 1.0 "
                            "operations on static shapes; replace it";
      return WalkResult::interrupt();
    });
    return failure(walked.wasInterrupted());
  }

  /// Arithmetic on whole tensors is that of their elements.
  LogicalResult lowerElementwise(ModuleOp module) {
    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (function
              .walk([](Operation *op) {
                return OpTrait::hasElementwiseMappableTraits(op) &&
                               isa<RankedTensorType>(
                                   op->getResultTypes().front())
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted())
        functions.push_back(function);
    for (func::FuncOp function : functions) {
      OpPassManager pm(func::FuncOp::getOperationName());
      pm.addPass(createConvertElementwiseToLinalgPass());
      if (failed(runPipeline(pm, function)))
        return failure();
    }
    return success();
  }

  /// The operation, which is on memrefs, on the tensors in them.
  static linalg::AggregatedOpInterface
  toTensors(IRRewriter &rewriter, linalg::AggregatedOpInterface op) {
    const Location loc = op.getLoc();
    auto onBuffers = cast<DestinationStyleOpInterface>(op.getOperation());
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(
          isa<MemRefType>(operand.getType())
              ? bufferization::ToTensorOp::create(
                    rewriter, loc,
                    memref::getTensorTypeFromMemRefType(operand.getType()),
                    operand, /*restrict=*/true)
              : operand);
    SmallVector<Type> results;
    for (OpOperand &init : onBuffers.getDpsInitsMutable())
      results.push_back(operands[init.getOperandNumber()].getType());
    Operation *onTensors = mlir::clone(rewriter, op, results, operands);
    for (auto [init, result] :
         llvm::zip_equal(onBuffers.getDpsInits(), onTensors->getResults()))
      bufferization::MaterializeInDestinationOp::create(
          rewriter, loc, Type(), result, init, /*restrict=*/true,
          /*writable=*/true);
    rewriter.eraseOp(op);
    rewriter.setInsertionPoint(onTensors);
    return cast<linalg::AggregatedOpInterface>(onTensors);
  }

  /// linalg.softmax and its like are several loop nests in one op; packing into
  /// blocks is padding, a reshape and a transpose.
  LogicalResult decompose(ModuleOp module) {
    SmallVector<linalg::AggregatedOpInterface> aggregates;
    module.walk(
        [&](linalg::AggregatedOpInterface op) { aggregates.push_back(op); });
    IRRewriter rewriter(module.getContext());
    for (linalg::AggregatedOpInterface op : aggregates) {
      rewriter.setInsertionPoint(op);
      if (op->getNumResults() == 0)
        op = toTensors(rewriter, op);
      FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
      if (failed(results))
        return op.emitError("cannot be decomposed into linalg operations with "
                            "one loop nest each; replace it");
      rewriter.replaceOp(op, *results);
    }
    SmallVector<linalg::PackOp> packs;
    module.walk([&](linalg::PackOp op) { packs.push_back(op); });
    for (linalg::PackOp op : packs) {
      rewriter.setInsertionPoint(op);
      if (failed(linalg::lowerPack(rewriter, op,
                                   /*lowerPadLikeWithInsertSlice=*/false)))
        return op.emitError("cannot be lowered to padding, a reshape and a "
                            "transpose; wanted static extents and tiles");
    }
    SmallVector<linalg::UnPackOp> unpacks;
    module.walk([&](linalg::UnPackOp op) { unpacks.push_back(op); });
    for (linalg::UnPackOp op : unpacks) {
      rewriter.setInsertionPoint(op);
      if (failed(linalg::lowerUnPack(rewriter, op,
                                     /*lowerUnpadLikeWithExtractSlice=*/false)))
        return op.emitError("cannot be lowered to a transpose, a reshape and a "
                            "slice; wanted static extents and tiles");
    }
    return success();
  }
};
} // namespace
