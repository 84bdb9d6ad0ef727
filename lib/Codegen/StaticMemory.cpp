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

#include "llvm/ADT/STLExtras.h"
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

/// Memory between two instructions of a block.
struct Buffer {
  llvm::CallInst *allocation = nullptr, *release = nullptr;
  int64_t bytes = 0;
  size_t begin = 0, end = 0; ///< positions in the block, inclusive
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

/// Whether the buffer may be in use where it is not seen to be.
bool escapes(const Buffer &buffer) {
  return llvm::any_of(buffer.allocation->users(), [&](llvm::User *user) {
    return llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::ReturnInst>(user) ||
           (user != buffer.release && callOf(user, {"free"}));
  });
}

std::vector<Buffer> findBuffers(llvm::BasicBlock &block) {
  std::vector<Buffer> buffers;
  llvm::DenseMap<llvm::Value *, size_t> open;
  size_t position = 0;
  for (llvm::Instruction &instruction : block) {
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
        continue;
      Buffer buffer;
      buffer.allocation = call;
      buffer.bytes = llvm::alignTo(bytes->getZExtValue(), kAlignment);
      buffer.begin = position;
      open[call] = buffers.size();
      buffers.push_back(buffer);
    } else if (llvm::CallInst *call = callOf(&instruction, {"free"})) {
      auto it = open.find(call->getArgOperand(0));
      if (it == open.end())
        continue;
      buffers[it->second].release = call;
      buffers[it->second].end = position;
    }
  }
  // What nobody frees lives on.
  for (Buffer &buffer : buffers)
    if (!buffer.release)
      buffer.end = std::numeric_limits<size_t>::max();
  llvm::erase_if(buffers, escapes);
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
    std::vector<Buffer> buffers = findBuffers(function.getEntryBlock());
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
    for (Buffer &buffer : buffers) {
      builder.SetInsertPoint(buffer.allocation);
      buffer.allocation->replaceAllUsesWith(builder.CreateConstInBoundsGEP1_64(
          builder.getInt8Ty(), memory, buffer.offset));
      buffer.allocation->eraseFromParent();
      if (buffer.release)
        buffer.release->eraseFromParent();
    }
  }
  return use;
}
