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

#include "fadiff/Hardware/Accelerator.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace fadiff {

class StreamClock {
public:
  /// Whose time it is.
  enum Unit : uint8_t { Issue, Reader, Array, Writer, kNumUnits };
  /// How far each unit is, or gets in some time.
  using Mark = std::array<int64_t, kNumUnits>;

  /// Times of the chunks that a memory is followed in: parts of `clock`.
  struct Chunks {
    size_t first = 0, count = 0;
  };

  explicit StreamClock(const Accelerator &target)
      : target(target), side(target.side),
        fill(3 * side + target.scratchpadReadDelay + 1), clock(kNumFixed, 0),
        units{Issue, Reader, Writer, Writer, Array,
              Array, Array,  Issue,  Writer, Array},
        loadEntries(reserve(Reader, size_t(target.loadStations))),
        storeEntries(reserve(Writer, size_t(target.storeStations))),
        preloads{reserve(Array, size_t(target.executeStations))},
        computes{reserve(Array, size_t(target.executeStations))},
        openLoads{reserve(
            Reader, size_t(target.dmaRequestsInFlight / target.side + 1))},
        passes{reserve(Array, size_t(target.passesInFlight))} {
    clock[Core] = -target.commandCycles;
    computes.used = computes.entries.count;
  }

  Chunks reserve(Unit unit, size_t count) {
    const Chunks chunks{clock.size(), count};
    clock.resize(clock.size() + count, 0);
    units.resize(clock.size(), unit);
    return chunks;
  }
  int64_t latest(const Chunks &chunks, size_t from, size_t to) const {
    const int64_t *times = clock.data() + chunks.first;
    int64_t result = 0;
    for (size_t i = from; i <= to; ++i)
      result = times[i] > result ? times[i] : result;
    return result;
  }
  int64_t latest(const Chunks &chunks, size_t chunk) const {
    return clock[chunks.first + chunk];
  }
  void raise(const Chunks &chunks, size_t from, size_t to, int64_t time) {
    int64_t *times = clock.data() + chunks.first;
    for (size_t i = from; i <= to; ++i)
      times[i] = times[i] > time ? times[i] : time;
  }
  void raise(const Chunks &chunks, size_t chunk, int64_t time) {
    raise(chunks, chunk, chunk, time);
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
  int64_t load(int64_t rows, int64_t bytes, int64_t local, int64_t ready) {
    return load(rows > 0 ? transfer(rows, bytes, local)
                         : Transfer{local, local},
                ready);
  }
  int64_t load(const Transfer &cost, int64_t ready) {
    const size_t entry = allocate(loadEntries);
    int64_t &open = openLoads.next(clock);
    const int64_t start = std::max({clock[Core], clock[LoadFree], open, ready});
    const int64_t finish = start + cost.duration;
    clock[LoadFree] = start + cost.occupancy;
    open = clock[entry] = finish;
    complete(finish);
    return finish;
  }

  /// A mvout of `reads` rows of sums that are there at `ready`, to `rows` rows
  /// of DRAM, or to the scratchpad. Returns when the sums have been read.
  int64_t store(int64_t reads, int64_t rows, int64_t bytes, int64_t ready) {
    const size_t entry = allocate(storeEntries);
    const int64_t start = std::max({clock[Core], clock[StoreFree], ready});
    const int64_t pipe = target.accumulatorPipe;
    const int64_t finish = std::max(start + reads + pipe, clock[WriterFree]);
    if (rows > 0) {
      const int64_t begin = std::max(start + pipe, clock[WriterFree]);
      const Transfer cost = transfer(rows, bytes, /*local=*/0);
      clock[WriterFree] = std::max(finish, begin + cost.occupancy);
      complete(begin + cost.duration);
    }
    clock[StoreFree] = clock[StoresEnd] = clock[entry] = finish;
    complete(finish);
    return finish;
  }

  /// A preload, of weights that are there at `loaded` if it has any. Returns
  /// when the array has them.
  int64_t preload(bool hasWeights, int64_t loaded) {
    allocateExecute();
    const int64_t ready = std::max({clock[Core], clock[PreloadEnd], loaded});
    const int64_t begin = ready <= clock[ComputeStart]
                              ? clock[ComputeStart]
                              : std::max(ready, clock[ComputeEnd]);
    return clock[PreloadEnd] = hasWeights ? begin + side : ready;
  }
  /// Its compute, of `rows` rows that are there at `ready`. Returns when they
  /// have been read; the results are there `fill` later.
  int64_t compute(int64_t rows, int64_t ready) {
    allocateExecute();
    int64_t start =
        std::max({clock[Core], clock[PreloadEnd], clock[ComputeEnd], ready});
    const int64_t end = std::max<int64_t>(rows, 4);
    if (passes.entries.count) {
      int64_t &tag = passes.next(clock);
      start = std::max(start, tag);
      tag = start + end + 2 * side + 2;
    }
    clock[ComputeStart] = start;
    clock[ComputeEnd] = start + end;
    clock[LastResult] = clock[ComputeEnd] + fill;
    complete(clock[LastResult]);
    release(preloads, clock[LastResult]);
    release(computes, start);
    return clock[ComputeEnd];
  }

  /// Commands that only take their time to be issued.
  void issue() { clock[Core] += target.commandCycles; }
  void fence() { clock[Core] = std::max(clock[Core], clock[End]); }

  int64_t lastResult() const { return clock[LastResult]; }
  int64_t storesEnd() const { return clock[StoresEnd]; }
  int64_t end() const { return clock[End]; }
  uint64_t commandsWalked() const { return commands; }

  Mark mark() const {
    return {clock[Core], clock[LoadFree], clock[ComputeEnd], clock[StoreFree]};
  }
  /// Each unit is `by` further, with all that it has done since `since`.
  void skip(const Mark &since, const Mark &by) {
    for (size_t i = 0; i < clock.size(); ++i)
      if (clock[i] > since[units[i]])
        clock[i] += by[units[i]];
  }
  /// The reader is held for so long.
  void holdReader(int64_t cycles) { clock[LoadFree] += cycles; }

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
    int64_t &next(std::vector<int64_t> &clock) {
      int64_t &entry = clock[entries.first + at];
      at = (at + 1) % entries.count;
      return entry;
    }
  };

  /// The place of the entry that is free first, for which a command is issued.
  size_t allocate(const Chunks &window) {
    const auto begin = clock.begin() + ptrdiff_t(window.first);
    const auto place = std::min_element(begin, begin + ptrdiff_t(window.count));
    issueAt(*place);
    return size_t(place - clock.begin());
  }
  void issueAt(int64_t free) {
    clock[Core] = std::max(clock[Core] + target.commandCycles, free);
    ++commands;
  }
  void complete(int64_t time) { clock[End] = std::max(clock[End], time); }

  /// Takes the entry of the execute queue that is free first. Those of preloads
  /// become free in their order, and so do those of computes.
  void allocateExecute() {
    const int64_t preload = clock[preloads.entries.first + preloads.at],
                  compute = clock[computes.entries.first + computes.at];
    const bool takesPreload =
        preloads.used > 0 && (computes.used == 0 || preload <= compute);
    Ring &from = takesPreload ? preloads : computes;
    --from.used;
    issueAt(from.next(clock));
  }
  void release(Ring &to, int64_t time) {
    clock[to.entries.first + (to.at + to.used) % to.entries.count] = time;
    ++to.used;
  }

  std::vector<int64_t> clock;
  std::vector<Unit> units; ///< of `clock`
  Chunks loadEntries, storeEntries;
  Ring preloads, computes, openLoads, passes;
  uint64_t commands = 0;
};

} // namespace fadiff

#endif // FADIFF_LIB_COSTMODEL_STREAMCLOCK_H
