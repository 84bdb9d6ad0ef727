//===- HostLoops.cpp - Passes around the host lowering --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/HostLowering.h"
#include "fadiff/Runner/Program.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace fadiff {

namespace {

bool isEntryCandidate(func::FuncOp func) {
  return func.isPublic() && !func.isDeclaration();
}

struct ProtectArgumentsPass
    : PassWrapper<ProtectArgumentsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ProtectArgumentsPass)

  StringRef getArgument() const override { return "fadiff-protect-arguments"; }
  StringRef getDescription() const override {
    return "Keep bufferization from writing to arguments of public functions, "
           "and leave freeing to it";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect>();
  }

  void runOnOperation() override {
    // Deallocation frees every buffer, and refuses what does so itself.
    getOperation().walk([](memref::DeallocOp op) { op.erase(); });
    auto no = BoolAttr::get(&getContext(), false);
    for (func::FuncOp func : getOperation().getOps<func::FuncOp>()) {
      for (unsigned i = 0, e = func.getNumArguments(); i != e; ++i) {
        func.removeArgAttr(i, kFillAttrName);
        if (isEntryCandidate(func) &&
            isa<TensorType>(func.getArgumentTypes()[i]))
          func.setArgAttr(
              i, bufferization::BufferizationDialect::kWritableAttrName, no);
      }
    }
  }
};

struct RequestEntryWrappersPass
    : PassWrapper<RequestEntryWrappersPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(RequestEntryWrappersPass)

  explicit RequestEntryWrappersPass(EntryInterface interface)
      : interface(interface) {}

  StringRef getArgument() const override {
    return "fadiff-request-entry-wrappers";
  }
  StringRef getDescription() const override {
    return "Ask for a C interface on the definitions of public functions";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    // Declarations are left alone: a wrapper there would change the name under
    // which the host must provide the function.
    for (func::FuncOp func : getOperation().getOps<func::FuncOp>())
      if (isEntryCandidate(func))
        func->setAttr(interface == EntryInterface::Descriptors
                          ? LLVM::LLVMDialect::getEmitCWrapperAttrName()
                          : StringRef("llvm.bareptr"),
                      UnitAttr::get(&getContext()));
  }

private:
  EntryInterface interface;
};

struct ResultsToArgumentsPass
    : PassWrapper<ResultsToArgumentsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ResultsToArgumentsPass)

  StringRef getArgument() const override {
    return "fadiff-results-to-arguments";
  }
  StringRef getDescription() const override {
    return "Have callers of public functions provide the result buffers";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<memref::MemRefDialect>();
  }

  void runOnOperation() override {
    bufferization::BufferResultsToOutParamsOpts options;
    options.filterFn = [](func::FuncOp *func) {
      return isEntryCandidate(*func);
    };
    options.hoistStaticAllocs = true;
    options.modifyPublicFunctions = true;
    if (failed(bufferization::promoteBufferResultsToOutParams(getOperation(),
                                                              options)))
      signalPassFailure();
  }
};

/// The loop order that suits a cache and a vector unit, or nothing if the given
/// one does. Only reductions are touched. If the last dimension of the output
/// is also the last of an input (the output channels of HWCF weights, the
/// columns of a matrix), it goes innermost; reductions keep their relative
/// order, so every output element sees the same sequence of additions.
SmallVector<unsigned> hostLoopOrder(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
    return {};
  AffineMap outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (outMap.getNumResults() == 0)
    return {};
  auto inner =
      dyn_cast<AffineDimExpr>(outMap.getResult(outMap.getNumResults() - 1));
  if (!inner)
    return {};
  auto isContiguous = [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    return map.getNumResults() != 0 &&
           map.getResult(map.getNumResults() - 1) == inner;
  };
  if (llvm::none_of(op.getDpsInputOperands(), isContiguous))
    return {};

  unsigned innerDim = inner.getPosition();
  SmallVector<unsigned> parallel, order;
  op.getParallelDims(parallel);
  for (unsigned dim : parallel)
    if (dim != innerDim)
      order.push_back(dim);
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  llvm::append_range(order, reductions);
  order.push_back(innerDim);
  // Window iterators and the like: leave what is not understood.
  if (order.size() != op.getNumLoops())
    return {};
  return order;
}

struct OrderHostLoopsPass
    : PassWrapper<OrderHostLoopsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OrderHostLoopsPass)

  StringRef getArgument() const override { return "fadiff-order-host-loops"; }
  StringRef getDescription() const override {
    return "Order the loops of linalg reductions for execution on the host";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<linalg::LinalgDialect>();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<memref::CopyOp> copies;
    SmallVector<linalg::LinalgOp> reductions;
    getOperation().walk([&](Operation *op) {
      if (auto copy = dyn_cast<memref::CopyOp>(op)) {
        if (isa<MemRefType>(copy.getSource().getType()) &&
            isa<MemRefType>(copy.getTarget().getType()))
          copies.push_back(copy);
      } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
        if (linalgOp.hasPureBufferSemantics() &&
            !hostLoopOrder(linalgOp).empty())
          reductions.push_back(linalgOp);
      }
    });
    for (memref::CopyOp copy : copies) {
      rewriter.setInsertionPoint(copy);
      linalg::CopyOp::create(rewriter, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
      rewriter.eraseOp(copy);
    }
    for (linalg::LinalgOp op : reductions) {
      SmallVector<unsigned> order = hostLoopOrder(op);
      rewriter.setInsertionPoint(op);
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!generic) {
        FailureOr<linalg::GenericOp> generalized =
            linalg::generalizeNamedOp(rewriter, op);
        if (failed(generalized)) {
          op.emitOpError("cannot be written as linalg.generic to order its "
                         "loops for the host");
          return signalPassFailure();
        }
        generic = *generalized;
      }
      if (failed(linalg::interchangeGenericOp(rewriter, generic, order))) {
        generic.emitOpError("cannot have its loops ordered for the host");
        return signalPassFailure();
      }
    }
  }
};

} // namespace

std::unique_ptr<Pass> createProtectArgumentsPass() {
  return std::make_unique<ProtectArgumentsPass>();
}

std::unique_ptr<Pass> createOrderHostLoopsPass() {
  return std::make_unique<OrderHostLoopsPass>();
}

std::unique_ptr<Pass> createRequestEntryWrappersPass(EntryInterface interface) {
  return std::make_unique<RequestEntryWrappersPass>(interface);
}

std::unique_ptr<Pass> createResultsToArgumentsPass() {
  return std::make_unique<ResultsToArgumentsPass>();
}

} // namespace fadiff
