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

double fadiff::coreCycles(const CoreWork &work, const Accelerator &target) {
  return double(work.moved) * double(target.coreCopyCycles) +
         double(work.pooled) * double(target.corePoolCycles) +
         double(work.operations) * double(target.coreOperationCycles) +
         double(work.calls) * double(target.coreCallCycles);
}
