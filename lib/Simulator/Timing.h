//===- Timing.h - When commands run -----------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three in-order servers (load, execute, store) behind an in-order allocation
// window, with dependencies by local row. Every constant is a field of the
// Accelerator; docs/Simulator.md derives each rule from the hardware's source.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SIMULATOR_TIMING_H
#define FADIFF_LIB_SIMULATOR_TIMING_H

#include "MemorySystem.h"

#include "fadiff/Simulator/Counters.h"

#include "llvm/ADT/ArrayRef.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace fadiff {
namespace sim {

/// `count` rows of one local memory, `stride` apart.
struct RowRange {
  bool accumulator = false;
  int64_t first = 0;
  int64_t count = 0;
  int64_t stride = 1;
};

class Timing {
public:
  explicit Timing(const Accelerator &accelerator);

  /// config_ld, config_st: a slot in their queue, one cycle.
  void configureLoad();
  void configureStore();
  /// config_ex: waits until the array has drained.
  void configureExecute();
  /// flush: only the cycles it takes to issue.
  void issueOnly() { (void)nextIssue(loopDone); }

  /// A mvin that fetches `rows` (0 rows: zero fill) and writes `destination`.
  /// These return the busy cycles they add.
  int64_t load(llvm::ArrayRef<RowRange> destination, const DramRows &rows);
  /// A mvin of scales, which go to the store unit.
  int64_t loadScales(const DramRows &rows);
  /// A mvout with `localReads` row reads that writes `rows` (none for
  /// mvout_spad, which writes `destination`).
  int64_t store(llvm::ArrayRef<RowRange> source, int64_t localReads,
                llvm::ArrayRef<DramRows> rows,
                llvm::ArrayRef<RowRange> destination);
  /// `stationary` is empty if the array keeps its operand.
  int64_t preload(const RowRange &stationary, bool writesResult);
  /// `rows`: rows of A that enter the array.
  int64_t compute(int64_t rows, llvm::ArrayRef<RowRange> operands,
                  const RowRange &result);
  void fence();

  /// A configuration of a loop_ws or loop_conv_ws. Two loops of one kind may
  /// run; the core waits until the one before the last has issued all of its
  /// instructions, or until the last has if that is of the other kind.
  void configureLoop(bool isConv);
  /// The loop itself. What comes until endLoop() is issued by its state
  /// machine: each class in order, one per cycle, behind the same class of the
  /// loops before, not behind the core.
  void beginLoop(bool isConv);
  /// Nothing of the loop is issued up to `time` from here on.
  void issueAfter(int64_t time) { loopEarliest = time + 1; }
  /// When the last command was issued.
  int64_t issued() const { return isUnrolling ? lastUnrolled : lastIssue; }
  void endLoop();

  /// When the last load, store, preload, compute or fence held its server:
  /// spans of one server never overlap. Of a preload only what no compute
  /// hides.
  struct Span {
    int64_t start = 0, finish = 0;
  };
  Span lastSpan() const { return span; }
  /// How long the last load is open, from its first request to its last beat.
  int64_t lastLoadOpen() const { return loadOpen; }

  /// Time at which everything so far has completed.
  int64_t makespan() const { return end; }

  using ArrayTimes = std::array<int64_t, kNumArrayTimes>;
  /// What the array did up to makespan(), if nothing else comes; adds up to it.
  ArrayTimes arrayTimes() const;
  /// Lets what comes count from makespan() on.
  void closeArrayTimes();

private:
  /// The entries of one class in the reservation station: when each is free.
  struct Window {
    std::vector<int64_t> freeAt;
    unsigned current = 0;
    int64_t lastUnrolled = 0; ///< issue of the last instruction of a loop
    /// Takes the entry that is free first and returns when that is.
    int64_t take();
    void release(int64_t time) { freeAt[current] = time; }
  };
  /// Per row of one memory: the latest completion of a write by a load (or
  /// mvout_spad), of a write by the array (or mvout_spad), and of a read.
  struct Rows {
    std::vector<int64_t> loadWrite, executeWrite, read;
  };

  Rows &rowsOf(const RowRange &range) {
    return range.accumulator ? accumulator : scratchpad;
  }
  int64_t latest(const RowRange &range, std::vector<int64_t> Rows::*table) {
    return latest((rowsOf(range).*table).data(), range);
  }
  void raise(const RowRange &range, std::vector<int64_t> Rows::*table,
             int64_t time) {
    raise((rowsOf(range).*table).data(), range, time);
  }
  static int64_t latest(const int64_t *table, const RowRange &range);
  static void raise(int64_t *table, const RowRange &range, int64_t time);

  int64_t nextIssue(int64_t earliest);
  int64_t allocate(Window &window);
  void completeAt(int64_t time) { end = end < time ? time : end; }

  /// The array's time up to `until`, as far as nothing counts for it yet, was
  /// `what`.
  static void account(ArrayTimes &times, int64_t &accounted, ArrayTime what,
                      int64_t until) {
    if (until <= accounted)
      return;
    times[size_t(what)] += until - accounted;
    accounted = until;
  }
  void account(ArrayTime what, int64_t until) {
    account(times, accounted, what, until);
  }
  /// The array waited up to `until`: for results of its own, loads or stores
  /// that were there at these times, else for a command.
  void accountWait(int64_t own, int64_t loaded, int64_t stored, int64_t until);

  struct Transfer {
    int64_t occupancy; ///< until the next transfer may start
    int64_t duration;  ///< until the last beat
  };
  Transfer transfer(llvm::ArrayRef<DramRows> rows, int64_t localRows,
                    bool isWrite, int64_t start);

  const Accelerator accelerator;
  const int64_t fill;
  MemorySystem memory;
  Rows scratchpad, accumulator;
  Window loads, stores, executes;

  Span span;
  int64_t loadOpen = 0;
  int64_t lastIssue;
  int64_t end = 0;

  bool isUnrolling = false;
  int64_t loopEarliest = 0, lastUnrolled = 0;
  /// When the last loop, and the one before it, had issued everything.
  int64_t loopDone = 0, loopBeforeDone = 0;
  bool lastIsConv = false;

  int64_t loadFree = 0;
  /// When the load controller's places for mvins that are open become free.
  std::vector<int64_t> openLoads;
  int64_t &freeFirst() {
    return *std::min_element(openLoads.begin(), openLoads.end());
  }

  int64_t storeFree = 0;
  int64_t writerFree = 0;

  int64_t computeStart = 0, computeEnd = 0;
  int64_t preloadEnd = 0;
  /// When each pass that may be in the array leaves it, as a ring.
  std::vector<int64_t> passesInFlight;
  unsigned passSlot = 0;
  int64_t executeBusyUntil = 0;
  int64_t lastResult = 0;
  ArrayTimes times{};
  int64_t accounted = 0;
  /// When the core last waited for a free entry, and of which queue.
  int64_t stallEnd = 0;
  ArrayTime stallCause = ArrayTime::Issue;
  int64_t loadsEnd = 0, storesEnd = 0;
  unsigned preloadSlot = 0;
  bool preloadPending = false;
};

} // namespace sim
} // namespace fadiff

#endif // FADIFF_LIB_SIMULATOR_TIMING_H
