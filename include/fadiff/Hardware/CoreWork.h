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

namespace fadiff {

/// What the core does one after the other, by what takes it differently long.
struct CoreWork {
  int64_t moved = 0;      ///< elements copied or filled
  int64_t pooled = 0;     ///< elements of windows that are pooled
  int64_t operations = 0; ///< steps of other loops: loads, stores, arithmetic
  int64_t calls = 0;      ///< of functions of libm as long as exp

  /// Adds so many times what `other` is; more than a number holds is the most.
  void add(const CoreWork &other, int64_t times = 1);
};

/// What the core of `target` takes for it: cycles, eq. (core). What the machine
/// does not say takes none.
double coreCycles(const CoreWork &work, const Accelerator &target);

} // namespace fadiff

#endif // FADIFF_HARDWARE_COREWORK_H
