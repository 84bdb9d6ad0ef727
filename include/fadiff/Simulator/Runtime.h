//===- Runtime.h - What an emitted program calls ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On a RISC-V host a Gemmini command is one instruction. On any other host the
// lowering emits a call of one of these functions instead, and they hand the
// command to the simulator.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SIMULATOR_RUNTIME_H
#define FADIFF_SIMULATOR_RUNTIME_H

#include <cstdint>

namespace fadiff {
namespace sim {

class Machine;

/// Makes `machine` the one that the functions below act on, in this thread, for
/// the lifetime of the object; scopes nest. The pointer is thread_local and not
/// an argument because the emitted program has no machine operand: on hardware
/// the accelerator is the one attached to the core that runs the program, and
/// a thread here stands for that core.
class CurrentMachine {
public:
  explicit CurrentMachine(Machine &machine);
  ~CurrentMachine();
  CurrentMachine(const CurrentMachine &) = delete;
  CurrentMachine &operator=(const CurrentMachine &) = delete;

  /// The thread's machine, null outside every scope.
  static Machine *get();

private:
  Machine *previous;
};

} // namespace sim
} // namespace fadiff

extern "C" {
/// Executes one command (see Machine::execute). Without a current machine this
/// and the two below print one error to stderr and do nothing.
void fadiff_gemmini_execute(int32_t funct, int64_t rs1, int64_t rs2);
/// Waits until every command has completed (see Machine::fence).
void fadiff_gemmini_fence(void);
/// Attributes what follows to region `id`, -1 for none (see Machine::region).
void fadiff_gemmini_region(int64_t id);
/// Attributes what follows in the region to its layer `index` (see
/// Machine::member).
void fadiff_gemmini_member(int64_t index);
}

#endif // FADIFF_SIMULATOR_RUNTIME_H
