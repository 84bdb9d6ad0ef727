//===- MemorySystem.h - Caches behind the DMA -------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SIMULATOR_MEMORYSYSTEM_H
#define FADIFF_LIB_SIMULATOR_MEMORYSYSTEM_H

#include "fadiff/Hardware/Accelerator.h"

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>
#include <vector>

namespace fadiff {
namespace sim {

/// `count` rows of `bytes` in DRAM, `stride` apart (modulo 2^64).
struct DramRows {
  uint64_t address = 0;
  uint64_t stride = 0;
  int64_t count = 0;
  int64_t bytes = 0;
  uint64_t row(int64_t index) const { return address + index * stride; }
};

/// The lines that a set-associative cache holds; the one that has not been
/// touched for longest gives way.
class Cache {
public:
  static constexpr int64_t kLineBytes = 64;
  Cache(int64_t bytes, int64_t ways);
  /// Whether `line` was there; it is now.
  bool touch(uint64_t line);

private:
  int64_t sets, ways;
  std::vector<uint64_t> lines; ///< of each set, the last touched first
};

/// What a move asks of the memory system.
struct Requests {
  int64_t count = 0;  ///< requests
  int64_t beats = 0;  ///< of the bus
  double waiting = 0; ///< cycles beyond those of hits
};

/// A server that transfers in both directions share, each from its own start
/// on, in the order in which they are asked for; it is idle only where none of
/// them can use it.
class Channel {
public:
  /// When `cycles` of it have been served to a transfer that starts at `start`.
  /// No later one starts before `now`.
  double serve(double start, double cycles, double now);

private:
  struct Interval {
    double begin, end;
  };
  std::vector<Interval> busy; ///< apart from each other, ascending
};

class MemorySystem {
public:
  explicit MemorySystem(const Accelerator &accelerator);
  /// The requests for `rows`. Without a cache rows count as aligned; with one
  /// they are cut where the DMA cuts them, at multiples of what a request may
  /// hold, the most bytes at a time.
  Requests ask(llvm::ArrayRef<DramRows> rows, bool isWrite);
  /// When DRAM has moved `rows` at its own bandwidth, of a transfer that starts
  /// at `start`; no later one starts before `now`. `start` where DRAM is no
  /// limit: it has none, or caches lie before it, whose misses ask() charges.
  int64_t serve(llvm::ArrayRef<DramRows> rows, int64_t start, int64_t now);

private:
  double missOf(uint64_t line);

  const Accelerator &accelerator;
  Cache cache, lastLevel;
  Channel dram;
};

} // namespace sim
} // namespace fadiff

#endif // FADIFF_LIB_SIMULATOR_MEMORYSYSTEM_H
