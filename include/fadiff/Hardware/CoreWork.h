//===- CoreWork.h - What the core does itself -------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_HARDWARE_COREWORK_H
#define FADIFF_HARDWARE_COREWORK_H

#include "fadiff/Hardware/Accelerator.h"

#include "llvm/ADT/ArrayRef.h"

namespace fadiff {

/// What the core does one after the other, by what takes it differently long.
struct CoreWork {
  int64_t moved = 0;      ///< elements, or words of bytes, copied or filled
  int64_t pooled = 0;     ///< elements of windows that are pooled
  int64_t operations = 0; ///< steps of other loops: loads, stores, arithmetic
  int64_t calls = 0;      ///< of functions of libm as long as log

  /// Adds so many times what `other` is; more than a number holds is the most.
  void add(const CoreWork &other, int64_t times = 1);
};

/// What the core loads and stores at once, in bytes.
inline constexpr int64_t kCoreWordBytes = 8;

/// CoreWork::moved of `elements` of one byte in a dense tensor of extents
/// `from` that are copied between it and a dense one of `to`, where the first
/// is at `low`: they move as words if the lines that are lines in both begin
/// and end at words. Elements of other sizes move one by one.
int64_t movesOf(int64_t elements, int64_t elementBytes,
                llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> low,
                llvm::ArrayRef<int64_t> to);

/// What the core of `target` takes for it: cycles, eq. (core). What the machine
/// does not say takes none.
double coreCycles(const CoreWork &work, const Accelerator &target);

} // namespace fadiff

#endif // FADIFF_HARDWARE_COREWORK_H
