//===- Runtime.cpp - What an emitted program calls ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Simulator/Runtime.h"
#include "fadiff/Simulator/Machine.h"

#include "llvm/Support/raw_ostream.h"

#include <atomic>

using namespace fadiff;
using namespace fadiff::sim;

static thread_local Machine *currentMachine = nullptr;

CurrentMachine::CurrentMachine(Machine &machine) : previous(currentMachine) {
  currentMachine = &machine;
}

CurrentMachine::~CurrentMachine() { currentMachine = previous; }

Machine *CurrentMachine::get() { return currentMachine; }

/// The thread's machine; complains once in the process if there is none.
static Machine *machineOrComplain() {
  static std::atomic<bool> complained{false};
  if (!currentMachine && !complained.exchange(true))
    llvm::errs() << "error: a Gemmini command ran in a thread without a "
                    "simulated machine and is ignored; run the program within "
                    "a fadiff::sim::CurrentMachine scope\n";
  return currentMachine;
}

void fadiff_gemmini_execute(int32_t funct, int64_t rs1, int64_t rs2) {
  if (Machine *machine = machineOrComplain())
    machine->execute(funct, rs1, rs2);
}

void fadiff_gemmini_fence(void) {
  if (Machine *machine = machineOrComplain())
    machine->fence();
}

void fadiff_gemmini_region(int64_t id) {
  if (Machine *machine = machineOrComplain())
    machine->region(id);
}

void fadiff_gemmini_member(int64_t index) {
  if (Machine *machine = machineOrComplain())
    machine->member(index);
}
