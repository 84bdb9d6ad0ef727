//===- StaticShapes.cpp - Extents that are known elsewhere ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/EntryFunction.h"
#include "fadiff/Transforms/ArgumentShapes.h"
#include "fadiff/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Inliner.h"
#include "mlir/Transforms/InliningUtils.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace fadiff {
#define GEN_PASS_DEF_STATICSHAPESPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;

//===----------------------------------------------------------------------===//
// What the user says
//===----------------------------------------------------------------------===//

/// `type` with the extents in `text`, "8x?x3".
static FailureOr<Type> withExtents(func::FuncOp function, unsigned index,
                                   Type type, StringRef text) {
  auto error = [&] {
    return emitError(function.getLoc(), "shapes: argument #")
           << index << " of '@" << function.getSymName() << "' is " << type
           << "; ";
  };
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank()) {
    error() << "wanted nothing in its place, found '" << text << "'";
    return failure();
  }
  SmallVector<StringRef> extents;
  text.split(extents, 'x');
  if (extents.size() != size_t(shaped.getRank())) {
    error() << "wanted " << shaped.getRank() << " extents, found '" << text
            << "'";
    return failure();
  }
  SmallVector<int64_t> shape(shaped.getShape());
  for (auto [extent, wanted] : llvm::zip_equal(extents, shape)) {
    if (extent == "?")
      continue;
    int64_t found;
    if (extent.getAsInteger(10, found) || found < 0) {
      error() << "wanted extents from 0 or '?', found '" << extent << "' in '"
              << text << "'";
      return failure();
    }
    if (ShapedType::isStatic(wanted) && wanted != found) {
      error() << "wanted " << wanted << " where '" << text << "' has " << found;
      return failure();
    }
    wanted = found;
  }
  return Type(shaped.clone(shape));
}

LogicalResult fadiff::setArgumentShapes(func::FuncOp function,
                                        StringRef shapes) {
  SmallVector<StringRef> texts;
  shapes.split(texts, ',');
  if (texts.size() > function.getNumArguments())
    return emitError(function.getLoc(), "shapes: wanted at most ")
           << function.getNumArguments() << ", one for each argument of '@"
           << function.getSymName() << "', found " << texts.size() << " in '"
           << shapes << "'";
  auto module = function->getParentOfType<ModuleOp>();
  if (!SymbolTable::symbolKnownUseEmpty(function, module))
    return emitError(function.getLoc(), "shapes: '@")
           << function.getSymName()
           << "' is called; give shapes to the function that calls it";
  SmallVector<Type> types;
  for (auto [index, text] : llvm::enumerate(texts)) {
    Type type = function.getArgument(index).getType();
    if (!text.trim().empty()) {
      FailureOr<Type> sized = withExtents(function, index, type, text.trim());
      if (failed(sized))
        return failure();
      type = *sized;
    }
    types.push_back(type);
  }
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  for (auto [argument, type] : llvm::zip(function.getArguments(), types)) {
    const Type open = argument.getType();
    if (open == type)
      continue;
    argument.setType(type);
    // TOSA infers its shapes from those of operands, and does not look through
    // casts.
    auto seesItself = [](OpOperand &use) {
      return isa_and_nonnull<tosa::TosaDialect>(use.getOwner()->getDialect());
    };
    if (llvm::all_of(argument.getUses(), seesItself))
      continue;
    Operation *cast =
        isa<MemRefType>(type)
            ? memref::CastOp::create(builder, argument.getLoc(), open, argument)
                  .getOperation()
            : tensor::CastOp::create(builder, argument.getLoc(), open, argument)
                  .getOperation();
    argument.replaceUsesWithIf(cast->getResult(0), [&](OpOperand &use) {
      return use.getOwner() != cast && !seesItself(use);
    });
  }
  function.setType(FunctionType::get(function.getContext(),
                                     function.getBody().getArgumentTypes(),
                                     function.getResultTypes()));
  return success();
}

//===----------------------------------------------------------------------===//
// What the module says
//===----------------------------------------------------------------------===//

static bool isOpen(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && !shaped.hasStaticShape();
}

/// Whether an extent of a linalg operation in `function` is not known.
static bool hasOpenLayers(func::FuncOp function) {
  return function
      .walk([](linalg::LinalgOp op) {
        return op.hasDynamicShape() ? WalkResult::interrupt()
                                    : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
struct StaticShapesPass
    : public fadiff::impl::StaticShapesPassBase<StaticShapesPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    func::FuncOp given;
    if (!shapes.empty()) {
      FailureOr<func::FuncOp> function = chooseEntry(module, entry);
      if (failed(function) || failed(setArgumentShapes(*function, shapes)))
        return signalPassFailure();
      given = *function;
    }
    auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
    if (llvm::none_of(functions, hasOpenLayers))
      return;
    for (func::FuncOp function : functions)
      inlineCalls(function);
    for (func::FuncOp function : functions)
      if (function.isPrivate() && inlined.contains(function) &&
          SymbolTable::symbolKnownUseEmpty(function, module))
        function.erase();
    for (auto function : module.getOps<func::FuncOp>())
      if (hasOpenLayers(function) && failed(propagate(function)))
        return signalPassFailure();
    if (given)
      returnKnownExtents(given);
  }

private:
  /// Those whose calls have been inlined, and those that are being looked at.
  llvm::SmallPtrSet<Operation *, 8> inlined, done, active;

  /// Whether extents of its interface are known where it is called only.
  static bool hasOpenInterface(func::FuncOp function) {
    return llvm::any_of(function.getArgumentTypes(), isOpen) ||
           llvm::any_of(function.getResultTypes(), isOpen);
  }

  /// Inlines what `function` calls, the callees of its callees first. Where
  /// calls go round, the last one of the circle stays.
  void inlineCalls(func::FuncOp function) {
    if (!done.insert(function).second)
      return;
    active.insert(function);
    SmallVector<func::CallOp> calls;
    function.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (!callee || callee.isDeclaration() || active.contains(callee) ||
          !hasOpenInterface(callee))
        continue;
      inlineCalls(callee);
      InlinerInterface interface(&getContext());
      if (failed(inlineCall(interface, InlinerConfig().getCloneCallback(), call,
                            callee, &callee.getBody())))
        continue;
      call.erase();
      inlined.insert(callee);
    }
    active.erase(function);
  }

  /// Results have the extents that are known where they are returned.
  static void returnKnownExtents(func::FuncOp function) {
    auto end = dyn_cast<func::ReturnOp>(function.back().getTerminator());
    if (!function.getBody().hasOneBlock() || !end)
      return;
    for (OpOperand &result : end->getOpOperands())
      if (auto cast = result.get().getDefiningOp<tensor::CastOp>();
          cast && isa<RankedTensorType>(cast.getSource().getType()) &&
          isOpen(cast.getType()) && !isOpen(cast.getSource().getType()))
        result.set(cast.getSource());
    function.setType(FunctionType::get(function.getContext(),
                                       function.getArgumentTypes(),
                                       llvm::to_vector(end.getOperandTypes())));
  }

  LogicalResult propagate(func::FuncOp function) {
    OpPassManager pm(func::FuncOp::getOperationName());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(memref::createResolveRankedShapeTypeResultDimsPass());
    pm.addPass(createCanonicalizerPass());
    return runPipeline(pm, function);
  }
};
} // namespace
