//===- Machine.h - A Gemmini, functionally and in time ----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Executes Gemmini commands one by one: what each does to the bit, when each
// would run, and whether it is legal. docs/Simulator.md says what is modelled.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SIMULATOR_MACHINE_H
#define FADIFF_SIMULATOR_MACHINE_H

#include "fadiff/Hardware/Accelerator.h"
#include "fadiff/Simulator/Counters.h"

#include "llvm/ADT/ArrayRef.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fadiff {
namespace sim {

class Trace;

struct MachineOptions {
  /// false: only checks, counts and times; no data is moved, no DRAM pointer is
  /// dereferenced.
  bool functional = true;
  /// Where to record when commands ran, if not null; must outlive the machine's
  /// last command.
  Trace *trace = nullptr;
  /// What Machine::cycles() is, set at each change of region or member for
  /// other threads, if not null; must outlive the machine's last command.
  std::atomic<int64_t> *progress = nullptr;
};

/// Why a machine stopped.
struct Fault {
  /// Position of the command in the program, from 0; fences count.
  uint64_t command = 0;
  /// Region in which it stands, -1 for none.
  int64_t region = -1;
  std::string disassembly;
  /// What is wrong: wanted and found.
  std::string message;

  /// "command 12 (mvin ...) in region 3: message".
  std::string str() const;
};

/// One accelerator and the program that runs on it. DRAM addresses are pointers
/// of this process. Not thread-safe; distinct machines are independent.
class Machine {
public:
  /// An accelerator that cannot exist (no array, no memory) makes a machine
  /// that is faulted from the start.
  explicit Machine(const Accelerator &accelerator, MachineOptions options = {});
  ~Machine();
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;

  const Accelerator &accelerator() const;

  /// Executes one command. An illegal one changes nothing and faults the
  /// machine; everything after it is ignored.
  void execute(uint32_t funct, uint64_t rs1, uint64_t rs2);
  /// The core waits until all commands have completed and DRAM is consistent.
  void fence();
  /// Counters are attributed to region `id` from here on, -1 for none. Place it
  /// after a fence: otherwise the work in flight counts for where it ends.
  void region(int64_t id);
  /// In the trace what follows belongs to the layer `index` of the region,
  /// whose first one all is of that comes before.
  void member(int64_t index);

  /// Declares `bytes` at `pointer` to be DRAM. With any range declared, an
  /// access outside of them faults; with none, every address is taken for good.
  void addDramRange(const void *pointer, uint64_t bytes);

  const std::optional<Fault> &fault() const;
  /// Whether a mvout has written DRAM since the last fence: on hardware the
  /// core may not read there yet, so a program must not end like this.
  bool hasUnfencedWrites() const;

  /// Time at which everything executed so far has completed.
  int64_t cycles() const;
  Counters total() const;
  /// All zero for a region that was never entered.
  Counters counters(int64_t region) const;
  /// Regions entered so far, ascending; -1 is always there.
  std::vector<int64_t> regions() const;

  /// One row of `side` elements; empty if `row` is out of range. In f32 these
  /// are the elements' bytes and the sums' bits.
  llvm::ArrayRef<int8_t> scratchpadRow(int64_t row) const;
  llvm::ArrayRef<int32_t> accumulatorRow(int64_t row) const;

private:
  class Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace sim
} // namespace fadiff

#endif // FADIFF_SIMULATOR_MACHINE_H
