//===- LoopSteps.h - What a loop issues -------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ISA_LOOPSTEPS_H
#define FADIFF_ISA_LOOPSTEPS_H

#include "fadiff/ISA/Gemmini.h"

#include <vector>

namespace fadiff {
namespace isa {

/// An instruction of a loop, which is issued after so many of another unit's:
/// an execute after loads, a store after executes.
struct LoopStep {
  Command command;
  size_t after = 0;
};

/// In the order in which each class of the reservation station gets them.
/// Executes come in pairs of preload and compute.
struct LoopSteps {
  std::vector<LoopStep> loads, executes, stores;
};

} // namespace isa
} // namespace fadiff

#endif // FADIFF_ISA_LOOPSTEPS_H
