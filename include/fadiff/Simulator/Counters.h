//===- Counters.h - What a simulated program did ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SIMULATOR_COUNTERS_H
#define FADIFF_SIMULATOR_COUNTERS_H

#include <array>
#include <cstddef>
#include <cstdint>

namespace fadiff {
namespace sim {

/// mvin2 and mvin3 count as Mvin; both computes as Compute.
enum class CommandKind : uint8_t {
  ConfigEx,
  ConfigLd,
  ConfigSt,
  Mvin,
  Mvout,
  MvoutSpad,
  Preload,
  Compute,
  Flush,
  Fence,
  LoopWs, ///< and its configurations
};
inline constexpr unsigned kNumCommandKinds = 11;

/// What the array does in a cycle, or why it does nothing.
enum class ArrayTime : uint8_t {
  Compute, ///< rows enter it
  Fill,    ///< it loads a stationary operand, or empties
  Load,    ///< it waits for a mvin
  Store,   ///< it waits for a mvout or mvout_spad
  Issue,   ///< it waits for a command of the core
};
inline constexpr unsigned kNumArrayTimes = 5;

/// Counts of one region, or of the whole run. Local traffic is in elements:
/// int8 in the scratchpad, int32 in the accumulator.
struct Counters {
  /// How often the region was entered.
  int64_t runs = 0;
  /// By how much the region moved the end of the program (the time at which the
  /// last command has completed). Regions thus add up to the total.
  int64_t cycles = 0;
  /// With the instructions that a loop_ws stands for.
  std::array<int64_t, kNumCommandKinds> commands{};
  /// Those: they come from a state machine, not from the core.
  int64_t unrolledCommands = 0;

  /// A broadcast row (stride 0) is read once; a zero fill reads nothing.
  int64_t dramBytesRead = 0;
  int64_t dramBytesWritten = 0;
  /// dramBytesRead by instruction: mvin, mvin2, mvin3. The emitted code gives
  /// each operand one of them: input, weights, bias and partial sums.
  std::array<int64_t, 3> dramBytesByMvin{};

  int64_t scratchpadReads = 0;
  int64_t scratchpadWrites = 0;
  /// The part of scratchpadWrites that a mvin filled with zeros: padding.
  int64_t scratchpadZeros = 0;
  /// An accumulating write reads what it adds to, and counts as both.
  int64_t accumulatorReads = 0;
  int64_t accumulatorWrites = 0;

  /// A.rows * A.cols * C.cols of every compute.
  int64_t macs = 0;
  /// Cycles in which rows enter the array: max(A.rows, 4) of every compute.
  int64_t arrayBusyCycles = 0;
  /// Cycles in which each in-order server has work: the DMA reader, the array
  /// (exposed preloads included), the DMA writer.
  int64_t loadBusyCycles = 0;
  int64_t executeBusyCycles = 0;
  int64_t storeBusyCycles = 0;
  /// Sum over all loads, from each one's first request to its last beat. Only
  /// so many are open at once (Accelerator::openLoads()).
  int64_t loadOpenCycles = 0;
  /// Until the first compute of each run begins.
  int64_t startCycles = 0;

  /// `cycles` taken apart: they add up to it. A wait counts as what the array's
  /// next command waited for longest.
  std::array<int64_t, kNumArrayTimes> arrayTime{};

  int64_t &operator[](CommandKind kind) { return commands[size_t(kind)]; }
  int64_t operator[](CommandKind kind) const { return commands[size_t(kind)]; }
  /// Commands that the core has issued.
  int64_t coreCommands() const;
  Counters &operator+=(const Counters &other);
};

bool operator==(const Counters &a, const Counters &b);

} // namespace sim
} // namespace fadiff

#endif // FADIFF_SIMULATOR_COUNTERS_H
