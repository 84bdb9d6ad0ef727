//===- StreamClock.h - When commands of a stream run ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The simulator's rules (docs/Simulator.md) for the commands that streams are
// made of, without addresses: who walks the streams says when rows are there
// and free. Time can be skipped over.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_COSTMODEL_STREAMCLOCK_H
#define FADIFF_LIB_COSTMODEL_STREAMCLOCK_H

#include "fadiff/CostModel/StreamPlan.h"
#include "fadiff/Hardware/Accelerator.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace fadiff {

class StreamClock {
public:
  /// Whose time it is. What none of them does stays where it is when time is
  /// skipped.
  enum Unit : uint8_t { Issue, Reader, Array, Writer, kNumUnits, None };
  /// Cycles, whole ones: real numbers have a maximum of two at once.
  using Time = double;
  /// How far each unit is, or gets in some time.
  using Mark = std::array<Time, kNumUnits>;

  /// Times of the chunks that a memory is followed in: parts of `clock`.
  struct Chunks {
    size_t first = 0, count = 0;
  };

  explicit StreamClock(const Accelerator &target)
      : target(target), side(target.side), fill(target.arrayDepth()),
        clock(kBlock, 0), blocks(1),
        loadEntries(reserve(Reader, size_t(target.loadStations))),
        storeEntries(reserve(Writer, size_t(target.storeStations))),
        openLoads(reserve(Reader, size_t(target.openLoads()))),
        preloads{reserve(Array, size_t(target.executeStations))},
        computes{reserve(Array, size_t(target.executeStations))},
        passes{reserve(Array, size_t(target.passesInFlight))} {
    clock[Core] = -Time(target.commandCycles);
    computes.used = computes.entries.count;
    queuesEnd = clock.size();
  }

  /// Units and queues go on where those of `other` are, a clock of the same
  /// machine. The memories that this one follows have the times that they had.
  void goOnFrom(const StreamClock &other) {
    std::copy_n(other.clock.begin(), queuesEnd, clock.begin());
    preloads = other.preloads;
    computes = other.computes;
    passes = other.passes;
  }

  /// Times of `unit`; they are raised, or written directly.
  Chunks reserve(Unit unit, size_t count, bool isRaised = false) {
    const size_t blocks = llvm::divideCeil(count, kBlock);
    const Chunks chunks{clock.size(), count};
    clock.resize(clock.size() + blocks * kBlock, 0);
    this->blocks.resize(
        this->blocks.size() + blocks,
        {isRaised ? 0 : std::numeric_limits<Time>::infinity(), unit});
    return chunks;
  }
  Time latest(const Chunks &chunks, size_t from, size_t to) const {
    const Time *times = clock.data() + chunks.first;
    Time result = times[from], other = times[to];
    for (size_t i = from + 1; i + 1 < to; i += 2) {
      result = std::max(result, times[i]);
      other = std::max(other, times[i + 1]);
    }
    if (to > from + 1)
      other = std::max(other, times[to - 1]);
    return std::max(result, other);
  }
  Time latest(const Chunks &chunks, size_t chunk) const {
    return clock[chunks.first + chunk];
  }
  void raise(const Chunks &chunks, size_t from, size_t to, Time time) {
    Time *times = clock.data() + chunks.first;
    for (size_t i = from; i <= to; ++i)
      times[i] = std::max(times[i], time);
    for (size_t block = (chunks.first + from) / kBlock,
                last = (chunks.first + to) / kBlock;
         block <= last; ++block)
      blocks[block].latest = std::max(blocks[block].latest, time);
  }
  void raise(const Chunks &chunks, size_t chunk, Time time) {
    raise(chunks, chunk, chunk, time);
  }
  /// What was raised is long ago.
  void forget(const Chunks &chunks) {
    std::fill_n(clock.begin() + ptrdiff_t(chunks.first), chunks.count, 0);
  }

  /// What a transfer holds its server for, and how long it takes until the last
  /// beat.
  struct Transfer {
    int64_t occupancy, duration;
  };
  /// Of `rows` DRAM rows of `bytes` and `local` rows on chip.
  Transfer transfer(int64_t rows, int64_t bytes, int64_t local) const {
    const int64_t requests =
        rows * llvm::divideCeil(bytes, target.dmaMaxRequestBytes);
    const int64_t beats =
        rows * llvm::divideCeil(bytes, target.dmaBytesPerCycle);
    const int64_t busy = std::max({requests, beats, local});
    const int64_t waiting =
        std::max<int64_t>(0, requests - target.dmaRequestsInFlight);
    const auto served = int64_t(
        std::ceil(double(rows * bytes) * target.dramCyclesPerByte() - 1e-6));
    auto answered = [&](int64_t count) -> int64_t {
      return llvm::divideCeil(count * target.dmaLatency,
                              target.dmaRequestsInFlight);
    };
    return {std::max({busy, answered(requests), served}),
            target.dmaLatency + std::max({busy, answered(waiting), served})};
  }

  /// A mvin of `rows` DRAM rows of `bytes`, or of none, into `local` rows that
  /// are free at `ready`. Returns when they are there.
  Time load(int64_t rows, int64_t bytes, int64_t local, Time ready) {
    return load(rows > 0 ? transfer(rows, bytes, local)
                         : Transfer{local, local},
                ready);
  }
  Time load(const Transfer &cost, Time ready) {
    const size_t entry = allocate(loadEntries);
    Time &open = clock[freeFirst(openLoads)];
    const Time start = std::max({clock[Core], clock[LoadFree], open, ready});
    const Time finish = start + Time(cost.duration);
    clock[LoadFree] = start + Time(cost.occupancy);
    open = clock[entry] = finish;
    complete(finish);
    return finish;
  }

  /// A mvout of `reads` rows of sums that are there at `ready`, to `rows` rows
  /// of DRAM, or to the scratchpad. Returns when the sums have been read.
  Time store(int64_t reads, int64_t rows, int64_t bytes, Time ready) {
    const size_t entry = allocate(storeEntries);
    const Time start = std::max({clock[Core], clock[StoreFree], ready});
    const auto pipe = Time(target.accumulatorPipe);
    const Time finish = std::max(start + Time(reads) + pipe, clock[WriterFree]);
    if (rows > 0) {
      const Time begin = std::max(start + pipe, clock[WriterFree]);
      const Transfer cost = transfer(rows, bytes, /*local=*/0);
      clock[WriterFree] = std::max(finish, begin + Time(cost.occupancy));
      complete(begin + Time(cost.duration));
    }
    clock[StoreFree] = clock[StoresEnd] = clock[entry] = finish;
    complete(finish);
    return finish;
  }

  /// A preload, of weights that are there at `loaded` if it has any. Returns
  /// when the array has them.
  Time preload(bool hasWeights, Time loaded) {
    allocateExecute();
    const Time ready = std::max({clock[Core], clock[PreloadEnd], loaded});
    const Time begin = ready <= clock[ComputeStart]
                           ? clock[ComputeStart]
                           : std::max(ready, clock[ComputeEnd]);
    return clock[PreloadEnd] = hasWeights ? begin + Time(side) : ready;
  }
  /// Its compute, of `rows` rows that are there at `ready`. Returns when they
  /// have been read; the results are there `fill` later.
  Time compute(int64_t rows, Time ready) {
    allocateExecute();
    Time start =
        std::max({clock[Core], clock[PreloadEnd], clock[ComputeEnd], ready});
    const auto end = Time(std::max(rows, kShortestPass));
    if (passes.entries.count) {
      Time &tag = passes.next(clock);
      start = std::max(start, tag);
      tag = start + end + Time(2 * side + 2);
    }
    clock[ComputeStart] = start;
    clock[ComputeEnd] = start + end;
    clock[LastResult] = clock[ComputeEnd] + Time(fill);
    complete(clock[LastResult]);
    release(preloads, clock[LastResult]);
    release(computes, start);
    return clock[ComputeEnd];
  }

  /// config_ex waits until the array is empty.
  void configureExecute() {
    allocateExecute();
    clock[ComputeStart] = clock[ComputeEnd] =
        std::max({clock[Core], clock[LastResult], clock[ComputeEnd]}) + 1;
    release(computes, clock[ComputeEnd]);
  }
  /// config_st takes an entry, and its turn behind the stores before it.
  void configureStores() {
    const size_t entry = allocate(storeEntries);
    clock[entry] = std::max(clock[Core], clock[StoreFree]);
  }
  /// Commands that only take their time to be issued.
  void issue() { clock[Core] += Time(target.commandCycles); }
  void fence() { clock[Core] = std::max(clock[Core], clock[End]); }

  Time lastResult() const { return clock[LastResult]; }
  Time storesEnd() const { return clock[StoresEnd]; }
  Time end() const { return clock[End]; }
  uint64_t commandsWalked() const { return commands; }

  Mark mark() const {
    return {clock[Core], clock[LoadFree], clock[ComputeEnd], clock[StoreFree]};
  }
  /// Each unit is `by` further, with all that it has done since `since`.
  void skip(const Mark &since, const Mark &by) {
    constexpr Unit fixed[kNumFixed] = {Issue, Reader, Writer, Writer, Array,
                                       Array, Array,  Issue,  Writer, Array};
    for (size_t i = 0; i < kNumFixed; ++i)
      if (clock[i] > since[fixed[i]])
        clock[i] += by[fixed[i]];
    for (size_t block = 1; block < blocks.size(); ++block) {
      if (blocks[block].unit == None)
        continue;
      const Time from = since[blocks[block].unit],
                 further = by[blocks[block].unit];
      if (!(blocks[block].latest > from))
        continue;
      blocks[block].latest += further;
      Time *times = &clock[block * kBlock];
      for (size_t i = 0; i < kBlock; ++i)
        times[i] += times[i] > from ? further : 0.0;
    }
  }
  /// The reader is held for so long.
  void holdReader(Time cycles) { clock[LoadFree] += cycles; }

protected:
  const Accelerator &target;
  const int64_t side;
  const int64_t fill; ///< through the array

private:
  // Fixed places in `clock`.
  enum : size_t {
    Core,
    LoadFree,
    StoreFree,
    WriterFree,
    ComputeStart,
    ComputeEnd,
    PreloadEnd,
    End,
    StoresEnd,
    LastResult,
    kNumFixed
  };

  /// Used in turns.
  struct Ring {
    Chunks entries;
    size_t at = 0, used = 0;
    Time &next(std::vector<Time> &clock) {
      Time &entry = clock[entries.first + at];
      if (++at == entries.count)
        at = 0;
      return entry;
    }
  };

  /// The place of the entry that is free first.
  size_t freeFirst(const Chunks &window) const {
    const auto begin = clock.begin() + ptrdiff_t(window.first);
    const auto place = std::min_element(begin, begin + ptrdiff_t(window.count));
    return size_t(place - clock.begin());
  }
  /// The same, for which a command is issued.
  size_t allocate(const Chunks &window) {
    const size_t place = freeFirst(window);
    issueAt(clock[place]);
    return place;
  }
  void issueAt(Time free) {
    clock[Core] = std::max(clock[Core] + Time(target.commandCycles), free);
    ++commands;
  }
  void complete(Time time) { clock[End] = std::max(clock[End], time); }

  /// Takes the entry of the execute queue that is free first. Those of preloads
  /// become free in their order, and so do those of computes.
  void allocateExecute() {
    const Time preload = clock[preloads.entries.first + preloads.at],
               compute = clock[computes.entries.first + computes.at];
    const bool takesPreload =
        preloads.used > 0 && (computes.used == 0 || preload <= compute);
    Ring &from = takesPreload ? preloads : computes;
    --from.used;
    issueAt(from.next(clock));
  }
  void release(Ring &to, Time time) {
    size_t place = to.at + to.used++;
    if (place >= to.entries.count)
      place -= to.entries.count;
    clock[to.entries.first + place] = time;
  }

  /// Whose times a block of `clock` has, and the latest of them.
  struct Block {
    Time latest;
    Unit unit;
  };
  static constexpr size_t kBlock = 32;

  std::vector<Time> clock; ///< the first block has the fixed places
  std::vector<Block> blocks;
  Chunks loadEntries, storeEntries, openLoads;
  Ring preloads, computes, passes;
  size_t queuesEnd = 0; ///< of `clock`: what lies behind follows memories
  uint64_t commands = 0;
};

} // namespace fadiff

#endif // FADIFF_LIB_COSTMODEL_STREAMCLOCK_H
