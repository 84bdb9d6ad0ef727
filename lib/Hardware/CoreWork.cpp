//===- CoreWork.cpp - What the core does itself ---------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/CoreWork.h"

#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace fadiff;

void CoreWork::add(const CoreWork &other, int64_t times) {
  auto add = [times](int64_t &sum, int64_t count) {
    if (llvm::MulOverflow(count, times, count) ||
        llvm::AddOverflow(sum, count, sum))
      sum = std::numeric_limits<int64_t>::max();
  };
  add(moved, other.moved);
  add(pooled, other.pooled);
  add(operations, other.operations);
  add(calls, other.calls);
}

/// Whether lines of bytes begin and end at words in both tensors.
static bool movesWords(llvm::ArrayRef<int64_t> from,
                       llvm::ArrayRef<int64_t> low,
                       llvm::ArrayRef<int64_t> to) {
  int64_t inner = 1;
  for (size_t axis = from.size(); axis-- > 0; inner *= from[axis])
    if (from[axis] != to[axis])
      return inner * from[axis] % kCoreWordBytes == 0 &&
             inner * low[axis] % kCoreWordBytes == 0 &&
             inner * to[axis] % kCoreWordBytes == 0;
  return inner % kCoreWordBytes == 0;
}

int64_t fadiff::movesOf(int64_t elements, int64_t elementBytes,
                        llvm::ArrayRef<int64_t> from,
                        llvm::ArrayRef<int64_t> low,
                        llvm::ArrayRef<int64_t> to) {
  return elementBytes == 1 && movesWords(from, low, to)
             ? elements / kCoreWordBytes
             : elements;
}

double fadiff::coreCycles(const CoreWork &work, const Accelerator &target) {
  return double(work.moved) * double(target.coreCopyCycles) +
         double(work.pooled) * double(target.corePoolCycles) +
         double(work.operations) * double(target.coreOperationCycles) +
         double(work.calls) * double(target.coreCallCycles);
}
