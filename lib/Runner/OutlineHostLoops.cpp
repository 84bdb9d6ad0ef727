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
// differ only in their operands share it. What is left of a large network is
// cut into pieces.
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
#include "llvm/ADT/StringExtras.h"
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

/// `fadiff_host_<kind>_x<points>`, for profiles: what the operation is and how
/// many points its loops visit. Of a generic operation the kind is the
/// arithmetic of its body.
std::string functionName(linalg::LinalgOp op) {
  std::string name = "fadiff_host";
  auto append = [&](StringRef part) {
    name += '_';
    for (char c : part)
      name += llvm::isAlnum(c) ? c : '_';
  };
  llvm::SmallSetVector<StringRef, 8> parts;
  if (isa<linalg::GenericOp>(op.getOperation()))
    for (Operation &inner : op.getBlock()->without_terminator())
      if (!inner.hasTrait<OpTrait::ConstantLike>())
        parts.insert(inner.getName().stripDialect());
  if (isa<linalg::GenericOp>(op.getOperation()) && parts.empty())
    parts.insert("copy");
  if (parts.empty())
    parts.insert(op->getName().stripDialect());
  for (StringRef part : parts)
    append(part);
  int64_t points = 1;
  for (int64_t trips : op.getStaticLoopRanges())
    points *= std::max<int64_t>(trips, 1);
  return name + "_x" + std::to_string(points);
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
    for (func::FuncOp func :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (isLong(func))
        cut(func, symbols);
  }

  /// Whether LLVM would take longer over the function than over all the rest:
  /// what it does with a block grows with the square of its length. That of a
  /// network of a hundred layers is longer.
  static bool isLong(func::FuncOp func) {
    constexpr size_t kLong = 1000;
    return !func.isDeclaration() && func.getBody().hasOneBlock() &&
           func.getBody().front().getOperations().size() > kLong;
  }

  /// Whether each piece gets an operation of its own: constants, and the
  /// addresses of globals, so that no piece has to return their descriptors.
  static bool isCopied(Operation *op) {
    return op->hasTrait<OpTrait::ConstantLike>() ||
           isa<memref::GetGlobalOp>(op);
  }

  /// Cuts the function into pieces, each a function of its own.
  void cut(func::FuncOp func, SymbolTable &symbols) {
    constexpr size_t kPiece = 100;
    SmallVector<Operation *> ops;
    for (Operation &op : func.getBody().front().without_terminator())
      if (!isCopied(&op))
        ops.push_back(&op);
    for (ArrayRef<Operation *> rest = ops; !rest.empty();
         rest = rest.drop_front(std::min(kPiece, rest.size())))
      moveToFunction(rest.take_front(kPiece), symbols);
  }

  /// Replaces operations of one block, between which stand copied ones only, by
  /// a call of a function that has them.
  void moveToFunction(ArrayRef<Operation *> ops, SymbolTable &symbols) {
    Operation *last = ops.back();
    const llvm::SmallPtrSet<Operation *, 16> moved(ops.begin(), ops.end());
    Block *block = last->getBlock();
    auto isInside = [&](Operation *user) {
      return moved.contains(block->findAncestorOpInBlock(*user));
    };
    llvm::SetVector<Value> used, made;
    for (Operation *op : ops) {
      used.insert(op->operand_begin(), op->operand_end());
      getUsedValuesDefinedAbove(op->getRegions(), used);
      for (Value result : op->getResults())
        if (!llvm::all_of(result.getUsers(), isInside))
          made.insert(result);
    }
    SmallVector<Value> constants, values;
    for (Value value : used) {
      Operation *def = value.getDefiningOp();
      if (def && moved.contains(def))
        continue;
      (def && isCopied(def) ? constants : values).push_back(value);
    }
    SmallVector<Value> results(made.begin(), made.end());

    OpBuilder builder(&getContext());
    auto callee = func::FuncOp::create(
        last->getLoc(), "fadiff_host_part",
        builder.getFunctionType(TypeRange(ValueRange(values)),
                                TypeRange(ValueRange(results))));
    callee.setPrivate();
    callee->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
    // A bare result is the pointer to free, which a constant in memory has not.
    auto isPlain = [](Value value) { return isPassable(value.getType()); };
    auto isMemory = [](Value value) {
      return isa<MemRefType>(value.getType());
    };
    if (llvm::all_of(values, isPlain) && llvm::all_of(results, isPlain) &&
        llvm::none_of(results, isMemory))
      callee->setAttr("llvm.bareptr", builder.getUnitAttr());
    symbols.insert(callee);

    builder.setInsertionPoint(last);
    auto call = func::CallOp::create(builder, last->getLoc(), callee, values);
    for (auto [result, replacement] :
         llvm::zip_equal(results, call.getResults()))
      result.replaceUsesWithIf(replacement, [&](OpOperand &use) {
        return !isInside(use.getOwner());
      });
    Block *body = callee.addEntryBlock();
    auto useInside = [&](Value value, Value replacement) {
      value.replaceUsesWithIf(replacement, [&](OpOperand &use) {
        return isInside(use.getOwner());
      });
    };
    builder.setInsertionPointToStart(body);
    for (Value constant : constants)
      useInside(constant,
                builder.clone(*constant.getDefiningOp())->getResult(0));
    for (auto [value, argument] : llvm::zip_equal(values, body->getArguments()))
      useInside(value, argument);
    for (Operation *op : ops)
      op->moveBefore(body, body->end());
    builder.setInsertionPointToEnd(body);
    func::ReturnOp::create(builder, last->getLoc(), results);
  }

  func::FuncOp build(linalg::LinalgOp op, ArrayRef<Value> values) {
    OpBuilder builder(&getContext());
    auto type =
        builder.getFunctionType(TypeRange(ValueRange(values)), TypeRange());
    auto callee = func::FuncOp::create(op.getLoc(), functionName(op), type);
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
