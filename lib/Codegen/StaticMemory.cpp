//===- StaticMemory.cpp - Intermediates at fixed places -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On the optimised module, in which a pointer and the call that frees it are
// seen together. Before, LLVM has made use of that fresh memory overlaps
// nothing.
//
//===----------------------------------------------------------------------===//

#include "StaticMemory.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <tuple>
#include <vector>

using namespace fadiff;

namespace {

/// That of all intermediates.
constexpr int64_t kAlignment = 64;

/// Memory from an instruction of a function to others, one on each way.
struct Buffer {
  llvm::CallInst *allocation = nullptr;
  llvm::SmallVector<llvm::CallInst *, 1> releases;
  int64_t bytes = 0;
  size_t begin = 0, end = 0; ///< positions in the function, inclusive
  int64_t offset = -1;

  bool livesWith(const Buffer &other) const {
    return begin <= other.end && other.begin <= end;
  }
};

llvm::CallInst *callOf(llvm::Value *value,
                       llvm::ArrayRef<llvm::StringRef> names) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(value);
  llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && llvm::is_contained(names, callee->getName()) ? call
                                                                : nullptr;
}

/// The blocks of a function in an order in which all ways go; of one that has
/// loops the first block alone, which runs once.
llvm::SmallVector<llvm::BasicBlock *, 8>
blocksInOrder(llvm::Function &function) {
  llvm::ReversePostOrderTraversal<llvm::Function *> order(&function);
  llvm::SmallVector<llvm::BasicBlock *, 8> blocks(order.begin(), order.end());
  llvm::DenseSet<llvm::BasicBlock *> seen;
  for (llvm::BasicBlock *block : blocks) {
    seen.insert(block);
    if (llvm::any_of(llvm::successors(block), [&](llvm::BasicBlock *next) {
          return seen.contains(next);
        }))
      return {&function.getEntryBlock()};
  }
  return blocks;
}

/// What a call of free releases: a buffer, or, behind ways that meet, one of
/// several.
llvm::SmallVector<llvm::Value *, 2> releasedBy(llvm::CallInst *call) {
  llvm::Value *pointer = call->getArgOperand(0);
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(pointer))
    return llvm::SmallVector<llvm::Value *, 2>(phi->incoming_values());
  return {pointer};
}

/// Whether the buffer may be in use where it is not seen to be. `known`: all
/// that are not.
bool escapes(const Buffer &buffer, const llvm::DenseSet<llvm::Value *> &known) {
  auto isRelease = [&](llvm::User *user) {
    return llvm::is_contained(buffer.releases, user);
  };
  return llvm::any_of(buffer.allocation->users(), [&](llvm::User *user) {
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(user))
      return !llvm::all_of(phi->users(), isRelease) ||
             !llvm::all_of(phi->incoming_values(), [&](llvm::Value *each) {
               return known.contains(each);
             });
    return llvm::isa<llvm::SelectInst, llvm::ReturnInst>(user) ||
           (!isRelease(user) && callOf(user, {"free"}));
  });
}

std::vector<Buffer> findBuffers(llvm::Function &function) {
  std::vector<Buffer> buffers;
  llvm::DenseMap<llvm::Value *, size_t> open;
  size_t position = 0;
  auto visit = [&](llvm::Instruction &instruction) {
    ++position;
    if (llvm::CallInst *call =
            callOf(&instruction, {"aligned_alloc", "fadiff_allocate"})) {
      // A constant alignment may have gone into fadiff_allocate.
      const unsigned count = call->arg_size();
      auto *bytes = count ? llvm::dyn_cast<llvm::ConstantInt>(
                                call->getArgOperand(count - 1))
                          : nullptr;
      auto *alignment =
          count == 2 ? llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0))
                     : nullptr;
      if (!bytes || (alignment && alignment->getSExtValue() > kAlignment))
        return;
      Buffer buffer;
      buffer.allocation = call;
      buffer.bytes = llvm::alignTo(bytes->getZExtValue(), kAlignment);
      buffer.begin = position;
      open[call] = buffers.size();
      buffers.push_back(buffer);
    } else if (llvm::CallInst *call = callOf(&instruction, {"free"})) {
      for (llvm::Value *released : releasedBy(call))
        if (auto it = open.find(released); it != open.end()) {
          buffers[it->second].releases.push_back(call);
          buffers[it->second].end = position;
        }
    }
  };
  for (llvm::BasicBlock *block : blocksInOrder(function))
    for (llvm::Instruction &instruction : *block)
      visit(instruction);
  // What nobody frees lives on.
  for (Buffer &buffer : buffers)
    if (buffer.releases.empty())
      buffer.end = std::numeric_limits<size_t>::max();
  for (size_t before = buffers.size() + 1; buffers.size() < before;) {
    before = buffers.size();
    llvm::DenseSet<llvm::Value *> known;
    for (const Buffer &buffer : buffers)
      known.insert(buffer.allocation);
    llvm::erase_if(
        buffers, [&](const Buffer &buffer) { return escapes(buffer, known); });
  }
  return buffers;
}

/// Gives each buffer the lowest place that is free all its life, large ones
/// first. Returns the bytes of all.
int64_t place(std::vector<Buffer> &buffers) {
  std::vector<Buffer *> bySize;
  for (Buffer &buffer : buffers)
    bySize.push_back(&buffer);
  llvm::sort(bySize, [](const Buffer *a, const Buffer *b) {
    return std::tuple(-a->bytes, a->begin) < std::tuple(-b->bytes, b->begin);
  });
  int64_t total = 0;
  std::vector<Buffer *> placed; // by offset
  for (Buffer *buffer : bySize) {
    int64_t offset = 0;
    for (const Buffer *other : placed)
      if (other->livesWith(*buffer)) {
        if (offset + buffer->bytes <= other->offset)
          break;
        offset = std::max(offset, other->offset + other->bytes);
      }
    buffer->offset = offset;
    total = std::max(total, offset + buffer->bytes);
    placed.insert(llvm::upper_bound(placed, buffer,
                                    [](const Buffer *a, const Buffer *b) {
                                      return a->offset < b->offset;
                                    }),
                  buffer);
  }
  return total;
}

/// Bytes that are allocated at one time, at most.
int64_t peakOf(llvm::ArrayRef<Buffer> buffers) {
  int64_t peak = 0;
  for (const Buffer &at : buffers) {
    int64_t bytes = 0;
    for (const Buffer &buffer : buffers)
      if (buffer.begin <= at.begin && at.begin <= buffer.end)
        bytes += buffer.bytes;
    peak = std::max(peak, bytes);
  }
  return peak;
}

} // namespace

MemoryUse fadiff::placeBuffers(llvm::Module &module, bool place) {
  MemoryUse use;
  for (llvm::Function &function : module) {
    if (function.isDeclaration() || function.getName() == "fadiff_allocate")
      continue;
    std::vector<Buffer> buffers = findBuffers(function);
    if (buffers.empty())
      continue;
    if (!place) {
      use.heap = std::max(use.heap, peakOf(buffers));
      continue;
    }
    const int64_t bytes = ::place(buffers);
    use.fixed += bytes;
    llvm::IRBuilder<> builder(module.getContext());
    auto *type = llvm::ArrayType::get(builder.getInt8Ty(), bytes);
    auto *memory = new llvm::GlobalVariable(
        module, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
        llvm::ConstantAggregateZero::get(type), "fadiff_memory");
    memory->setAlignment(llvm::Align(kAlignment));
    llvm::SmallSetVector<llvm::CallInst *, 8> releases;
    for (Buffer &buffer : buffers) {
      builder.SetInsertPoint(buffer.allocation);
      buffer.allocation->replaceAllUsesWith(builder.CreateConstInBoundsGEP1_64(
          builder.getInt8Ty(), memory, buffer.offset));
      buffer.allocation->eraseFromParent();
      releases.insert(buffer.releases.begin(), buffer.releases.end());
    }
    for (llvm::CallInst *release : releases)
      release->eraseFromParent();
  }
  return use;
}
