//===- MergeFences.cpp - Drop fences that separate nothing ------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk over each block from fence to fence. Blocks are judged alone: what is
// around them counts as an access of anything.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fadiff {
namespace gemmini {
#define GEN_PASS_DEF_GEMMINIMERGEFENCESPASS
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h.inc"
} // namespace gemmini
} // namespace fadiff

using namespace mlir;
using namespace fadiff::gemmini;

namespace {

/// What an operation means for the fences around it.
enum class Access {
  None,       ///< touches no memory
  Allocate,   ///< gives out memory that nobody uses
  Deallocate, ///< writes into memory that nobody uses any more
  Any,        ///< reads or writes, on either side
};

Access accessOf(Operation *op) {
  if (isa<memref::AllocOp>(op))
    return Access::Allocate;
  if (isa<memref::DeallocOp>(op))
    return Access::Deallocate;
  if (isa_and_nonnull<GemminiDialect>(op->getDialect()))
    return isa<MvinOp, Mvin2Op, Mvin3Op, MvoutOp, LoopWsOp, LoopConvWsOp>(op)
               ? Access::Any
               : Access::None;
  return isMemoryEffectFree(op) ? Access::None : Access::Any;
}

/// What lies between two fences.
struct Interval {
  bool allocates = false, deallocates = false, accesses = false;
  SmallVector<RegionOp> regions;

  void add(Operation *op) {
    if (auto region = dyn_cast<RegionOp>(op))
      regions.push_back(region);
    switch (accessOf(op)) {
    case Access::None:
      break;
    case Access::Allocate:
      allocates = true;
      break;
    case Access::Deallocate:
      deallocates = true;
      break;
    case Access::Any:
      accesses = true;
      break;
    }
  }
};

/// Whether memory freed before `fence` may be given out after it and used
/// before the next fence of the block. An operation with regions, or a call,
/// may do so unseen.
bool mayReuseBeforeNextFence(FenceOp fence) {
  for (Operation *op = fence->getNextNode(); op; op = op->getNextNode()) {
    if (isa<FenceOp>(op))
      return false;
    bool mayAllocate =
        op->walk([](Operation *inner) {
            bool known = isa_and_nonnull<GemminiDialect>(inner->getDialect()) ||
                         isMemoryEffectFree(inner) ||
                         inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
            return known ? WalkResult::advance() : WalkResult::interrupt();
          }).wasInterrupted();
    if (mayAllocate)
      return true;
  }
  // The block ends; what follows it is not known.
  return true;
}

void mergeFences(Block &block) {
  FenceOp last;
  Interval between;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto fence = dyn_cast<FenceOp>(op);
    if (!fence) {
      between.add(&op);
      continue;
    }
    Interval interval = std::exchange(between, {});
    if (last && !interval.accesses && !interval.deallocates) {
      last.erase();
      Operation *end = fence;
      for (RegionOp region : interval.regions) {
        region->moveAfter(end);
        end = region;
      }
    } else if (last && !interval.accesses && !interval.allocates &&
               !mayReuseBeforeNextFence(fence)) {
      fence.erase();
      continue;
    }
    last = fence;
  }
}

struct GemminiMergeFencesPass
    : fadiff::gemmini::impl::GemminiMergeFencesPassBase<
          GemminiMergeFencesPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      mergeFences(*block);
  }
};

} // namespace
