//===- OutlineHostLoops.cpp - One function per kind of host loop nest -----===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A network as one LLVM function is hundreds of loop nests, and several of
// LLVM's analyses take time that grows faster than the size of a function. So
// each linalg operation becomes a function of its own, and operations that
// differ only in their operands share it.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/HostLowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace fadiff {

namespace {

/// Types that a function can take as one pointer or scalar.
bool isPassable(Type type) {
  if (type.isSignlessIntOrIndexOrFloat())
    return true;
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.hasStaticShape())
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(memref.getStridesAndOffset(strides, offset)) &&
         ShapedType::isStatic(offset) && ShapedType::isStaticShape(strides);
}

Value baseBuffer(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// Whether `written` is a buffer that no other memref among `all` can overlap:
/// allocated in this function, and every other one is another allocation, a
/// global or an argument of the function.
bool isUnaliased(Value written, ArrayRef<Value> all) {
  Value base = baseBuffer(written);
  if (!base.getDefiningOp<memref::AllocOp>())
    return false;
  return llvm::all_of(all, [&](Value other) {
    if (other == written || !isa<BaseMemRefType>(other.getType()))
      return true;
    Value otherBase = baseBuffer(other);
    if (otherBase == base)
      return false;
    if (auto argument = dyn_cast<BlockArgument>(otherBase))
      return isa<func::FuncOp>(argument.getOwner()->getParentOp());
    return isa<memref::AllocOp, memref::GetGlobalOp>(otherBase.getDefiningOp());
  });
}

struct OutlineHostLoopsPass
    : PassWrapper<OutlineHostLoopsPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OutlineHostLoopsPass)

  StringRef getArgument() const override { return "fadiff-outline-host-loops"; }
  StringRef getDescription() const override {
    return "Move each linalg operation on static memrefs to a function that "
           "equal operations share";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<func::FuncDialect, LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    SmallVector<linalg::LinalgOp> candidates;
    for (func::FuncOp func : module.getOps<func::FuncOp>())
      func.walk([&](linalg::LinalgOp op) {
        if (op.hasPureBufferSemantics())
          candidates.push_back(op);
      });

    llvm::StringMap<func::FuncOp> bodies;
    for (linalg::LinalgOp op : candidates) {
      llvm::SetVector<Value> captured(op->operand_begin(), op->operand_end());
      getUsedValuesDefinedAbove(op->getRegions(), captured);
      ArrayRef<Value> values = captured.getArrayRef();
      if (!llvm::all_of(
              values, [](Value value) { return isPassable(value.getType()); }))
        continue;

      func::FuncOp callee = build(op, values);
      // The text without names and locations is what makes two bodies equal.
      std::string key;
      llvm::raw_string_ostream(key) << callee;
      auto [entry, isNew] = bodies.try_emplace(key, callee);
      if (isNew) {
        symbols.insert(callee);
      } else {
        callee.erase();
        callee = entry->second;
      }
      OpBuilder builder(op);
      func::CallOp::create(builder, op.getLoc(), callee, values);
      op.erase();
    }
  }

  func::FuncOp build(linalg::LinalgOp op, ArrayRef<Value> values) {
    OpBuilder builder(&getContext());
    auto type =
        builder.getFunctionType(TypeRange(ValueRange(values)), TypeRange());
    auto callee = func::FuncOp::create(op.getLoc(), "fadiff_host_loops", type);
    callee.setPrivate();
    // Pointers instead of descriptors, which is where aliasing can be stated;
    // and no inlining, or LLVM would put everything back together.
    callee->setAttr("llvm.bareptr", builder.getUnitAttr());
    callee->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
    for (OpOperand &init : op.getDpsInitsMutable())
      if (isUnaliased(init.get(), values))
        callee.setArgAttr(llvm::find(values, init.get()) - values.begin(),
                          LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());

    Block *body = callee.addEntryBlock();
    builder.setInsertionPointToStart(body);
    IRMapping mapping;
    mapping.map(values, body->getArguments());
    builder.clone(*op, mapping);
    func::ReturnOp::create(builder, op.getLoc());
    return callee;
  }
};

} // namespace

std::unique_ptr<Pass> createOutlineHostLoopsPass() {
  return std::make_unique<OutlineHostLoopsPass>();
}

} // namespace fadiff
