//===- OutlineNests.cpp - One function per loop nest ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace fadiff {
namespace gemmini {
#define GEN_PASS_DEF_GEMMINIOUTLINENESTSPASS
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h.inc"
} // namespace gemmini
} // namespace fadiff

using namespace mlir;
using namespace fadiff::gemmini;

namespace {

/// Commands, but for what belongs to the function around all nests.
bool isCommand(Operation *op) {
  return isa_and_nonnull<GemminiDialect>(op->getDialect()) &&
         !isa<RegionOp, FlushOp, FenceOp, SpadAddrOp, AccAddrOp, GarbageOp>(op);
}

bool hasCommands(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isCommand(inner) ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Made again inside of a function that uses it.
bool isCopied(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() || isa<memref::GetGlobalOp>(op);
}

std::string functionName(StringRef nest) {
  std::string name = "fadiff_nest_";
  for (char c : nest)
    name += llvm::isAlnum(c) ? c : '_';
  return name;
}

struct GemminiOutlineNestsPass
    : fadiff::gemmini::impl::GemminiOutlineNestsPassBase<
          GemminiOutlineNestsPass> {
  using Base::Base;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<Block *> blocks;
    for (auto function : getOperation().getOps<func::FuncOp>())
      function.walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      outline(*block, symbols);
  }

private:
  void outline(Block &block, SymbolTable &symbols) {
    SmallVector<Operation *> between;
    bool isFenced = false;
    StringRef name;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto region = dyn_cast<RegionOp>(op)) {
        name = region.getName().value_or("");
      } else if (isa<FenceOp>(op)) {
        if (isFenced)
          outline(between, name, symbols);
        between.clear();
        isFenced = true;
      } else {
        between.push_back(&op);
      }
    }
  }

  /// Moves those of `ops`, all that stands between two fences, that issue
  /// commands or compute what these need.
  void outline(ArrayRef<Operation *> ops, StringRef name,
               SymbolTable &symbols) {
    SmallVector<Operation *> moved;
    for (Operation *op : ops) {
      if (hasCommands(op))
        moved.push_back(op);
      else if (!isMemoryEffectFree(op) &&
               !isa<memref::AllocOp, memref::DeallocOp>(op))
        return; // The core has work of its own in between.
    }
    if (moved.empty())
      return;
    // Backwards, so that users come first.
    const llvm::SmallPtrSet<Operation *, 16> commands(moved.begin(),
                                                      moved.end());
    llvm::SmallPtrSet<Operation *, 16> inside = commands;
    Block *block = moved.front()->getBlock();
    for (Operation *op : llvm::reverse(ops))
      if (isMemoryEffectFree(op) && !op->use_empty() &&
          llvm::all_of(op->getUsers(), [&](Operation *user) {
            Operation *around = block->findAncestorOpInBlock(*user);
            return around && inside.contains(around);
          }))
        inside.insert(op);
    moved.clear();
    for (Operation *op : ops)
      if (inside.contains(op))
        moved.push_back(op);
    if (llvm::any_of(moved, [&](Operation *op) {
          return commands.contains(op) && !op->use_empty();
        }))
      return; // A loop gives something back; what, this pass does not know.

    llvm::SetVector<Value> used;
    for (Operation *op : moved) {
      used.insert(op->operand_begin(), op->operand_end());
      getUsedValuesDefinedAbove(op->getRegions(), used);
    }
    SmallVector<Value> constants, captured;
    for (Value value : used) {
      Operation *def = value.getDefiningOp();
      if (def && inside.contains(def))
        continue;
      (def && isCopied(def) ? constants : captured).push_back(value);
    }

    // The fence is behind it.
    Operation *next = moved.back()->getNextNode();
    const Location loc = moved.front()->getLoc();
    OpBuilder builder(&getContext());
    auto callee = func::FuncOp::create(
        loc, functionName(name),
        builder.getFunctionType(TypeRange(ValueRange(captured)), {}));
    callee.setPrivate();
    callee->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
    symbols.insert(callee);
    Block *body = callee.addEntryBlock();
    for (Operation *op : moved)
      op->moveBefore(body, body->end());
    auto useInside = [&](Value value, Value replacement) {
      value.replaceUsesWithIf(replacement, [&](OpOperand &use) {
        return callee->isProperAncestor(use.getOwner());
      });
    };
    builder.setInsertionPointToStart(body);
    for (Value constant : constants)
      useInside(constant,
                builder.clone(*constant.getDefiningOp())->getResult(0));
    for (auto [value, argument] :
         llvm::zip_equal(captured, body->getArguments()))
      useInside(value, argument);
    builder.setInsertionPointToEnd(body);
    func::ReturnOp::create(builder, loc);
    builder.setInsertionPoint(next);
    func::CallOp::create(builder, loc, callee, captured);
  }
};

} // namespace
