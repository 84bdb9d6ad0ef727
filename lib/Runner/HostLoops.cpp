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
#include "mlir/Dialect/Utils/IndexingUtils.h"
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
           "and leave freeing and places to it";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect>();
  }

  void runOnOperation() override {
    // A result that is also to be in another tensor: in an argument, say.
    getOperation().walk([](bufferization::MaterializeInDestinationOp op) {
      if (op->getNumResults() == 0)
        return;
      op.getResult().replaceAllUsesWith(op.getSource());
      op.erase();
    });
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

/// The loop along which neighbouring elements of the output lie, if it may go
/// innermost: only reductions are touched.
std::optional<unsigned> vectorLoop(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
    return std::nullopt;
  // Window iterators and the like: leave what is not understood.
  if (op.getNumParallelLoops() + op.getNumReductionLoops() != op.getNumLoops())
    return std::nullopt;
  AffineMap outMap = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (outMap.getNumResults() == 0)
    return std::nullopt;
  auto inner = dyn_cast<AffineDimExpr>(outMap.getResults().back());
  return inner ? std::optional(inner.getPosition()) : std::nullopt;
}

/// Whether neighbouring elements of the operand are read one trip of the loop
/// after the other.
bool isContiguousAlong(linalg::LinalgOp op, OpOperand *operand, unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (map.getNumResults() == 0)
    return false;
  AffineExpr rest = simplifyAffineExpr(
      map.getResults().back() - getAffineDimExpr(loop, op.getContext()),
      map.getNumDims(), map.getNumSymbols());
  return !rest.isFunctionOfDim(loop);
}

/// The axis of the operand that `loop` walks alone, if every axis is walked by
/// a loop of its own.
std::optional<unsigned> axisAlong(linalg::LinalgOp op, OpOperand *operand,
                                  unsigned loop) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  if (!isa<MemRefType>(operand->get().getType()) ||
      !map.isProjectedPermutation())
    return std::nullopt;
  return map.getResultPosition(getAffineDimExpr(loop, op.getContext()));
}

/// How often each element of an operand must be used for a copy of it to be
/// worth the time.
constexpr int64_t kUsesOfCopy = 16;
/// Trips from which on a loop is worth being innermost for its own sake.
constexpr int64_t kVector = 4;

/// An operand whose copy with another order of axes would be contiguous along
/// the loop, and small beside what is computed: weights whose output channels
/// come first, keys of attention.
OpOperand *worthCopying(linalg::LinalgOp op, unsigned loop) {
  const SmallVector<int64_t> trips = op.getStaticLoopRanges();
  if (llvm::any_of(trips, ShapedType::isDynamic) || trips[loop] < kVector)
    return nullptr;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!axisAlong(op, operand, loop))
      continue;
    int64_t uses = 1;
    for (auto [dim, count] : llvm::enumerate(trips))
      if (!op.getMatchingIndexingMap(operand).isFunctionOfDim(dim))
        uses *= count;
    if (uses >= kUsesOfCopy)
      return operand;
  }
  return nullptr;
}

/// Lets the generic operation read a copy of `operand` whose last axis is that
/// along `loop`.
void copyContiguous(RewriterBase &rewriter, linalg::GenericOp op,
                    OpOperand *operand, unsigned loop) {
  const unsigned axis = *axisAlong(op, operand, loop);
  const AffineMap map = op.getMatchingIndexingMap(operand);
  auto type = cast<MemRefType>(operand->get().getType());
  SmallVector<int64_t> axes;
  for (unsigned at = 0; at < type.getRank(); ++at)
    if (at != axis)
      axes.push_back(at);
  axes.push_back(axis);
  const Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Value copy = memref::AllocOp::create(
      rewriter, loc,
      MemRefType::get(applyPermutation(type.getShape(), axes),
                      type.getElementType()));
  linalg::TransposeOp::create(rewriter, loc, operand->get(), copy, axes);
  rewriter.setInsertionPointAfter(op);
  memref::DeallocOp::create(rewriter, loc, copy);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[operand->getOperandNumber()] =
      AffineMap::get(map.getNumDims(), 0,
                     applyPermutation(map.getResults(), axes), op.getContext());
  rewriter.modifyOpInPlace(op, [&] {
    operand->set(copy);
    op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
}

struct OrderHostLoopsPass
    : PassWrapper<OrderHostLoopsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OrderHostLoopsPass)

  explicit OrderHostLoopsPass(EntryInterface interface)
      : interface(interface) {}

  StringRef getArgument() const override { return "fadiff-order-host-loops"; }
  StringRef getDescription() const override {
    return "Order the loops of linalg reductions for execution on the host";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<linalg::LinalgDialect, memref::MemRefDialect>();
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
        if (linalgOp.hasPureBufferSemantics() && vectorLoop(linalgOp))
          reductions.push_back(linalgOp);
      }
    });
    for (memref::CopyOp copy : copies) {
      rewriter.setInsertionPoint(copy);
      linalg::CopyOp::create(rewriter, copy.getLoc(), copy.getSource(),
                             copy.getTarget());
      rewriter.eraseOp(copy);
    }
    for (linalg::LinalgOp op : reductions)
      if (failed(orderLoops(rewriter, op)))
        return signalPassFailure();
  }

private:
  EntryInterface interface;

  /// The loop order that suits a cache and a vector unit: the loop along which
  /// outputs lie goes innermost if an input lies along it, or a copy of one can
  /// be made to (the output channels of weights, the columns of a matrix, those
  /// of an image). A core in the field has no memory to spare for copies.
  /// Reductions keep their relative order, so every output element sees the
  /// same sequence of additions.
  LogicalResult orderLoops(RewriterBase &rewriter, linalg::LinalgOp op) const {
    const unsigned loop = *vectorLoop(op);
    SmallVector<unsigned> reductions;
    op.getReductionDims(reductions);
    // An operand that all terms of a sum share says nothing: the sums of rows
    // had better be in a register, one after the other.
    const bool isContiguous =
        llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
          AffineMap map = op.getMatchingIndexingMap(operand);
          return isContiguousAlong(op, operand, loop) &&
                 llvm::any_of(reductions, [&](unsigned dim) {
                   return map.isFunctionOfDim(dim);
                 });
        });
    OpOperand *copied = nullptr;
    if (!isContiguous && interface == EntryInterface::Descriptors)
      copied = worthCopying(op, loop);
    if (!isContiguous && !copied)
      return success();
    const unsigned position = copied ? copied->getOperandNumber() : 0;
    SmallVector<unsigned> order;
    op.getParallelDims(order);
    llvm::erase(order, loop);
    llvm::append_range(order, reductions);
    order.push_back(loop);

    rewriter.setInsertionPoint(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      FailureOr<linalg::GenericOp> generalized =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(generalized))
        return op.emitOpError("cannot be written as linalg.generic to order "
                              "its loops for the host");
      generic = *generalized;
    }
    if (copied)
      copyContiguous(rewriter, generic, &generic->getOpOperand(position), loop);
    if (failed(linalg::interchangeGenericOp(rewriter, generic, order)))
      return generic.emitOpError("cannot have its loops ordered for the host");
    return success();
  }
};

} // namespace

std::unique_ptr<Pass> createProtectArgumentsPass() {
  return std::make_unique<ProtectArgumentsPass>();
}

std::unique_ptr<Pass> createOrderHostLoopsPass(EntryInterface interface) {
  return std::make_unique<OrderHostLoopsPass>(interface);
}

std::unique_ptr<Pass> createRequestEntryWrappersPass(EntryInterface interface) {
  return std::make_unique<RequestEntryWrappersPass>(interface);
}

std::unique_ptr<Pass> createResultsToArgumentsPass() {
  return std::make_unique<ResultsToArgumentsPass>();
}

} // namespace fadiff
