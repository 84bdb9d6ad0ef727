//===- Timing.cpp - When commands run -------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Timing.h"
#include "TargetClones.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace fadiff;
using namespace fadiff::sim;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

FADIFF_TARGET_CLONES
static int64_t maxOfRows(const int64_t *times, int64_t count) {
  int64_t result = 0;
  for (int64_t i = 0; i < count; ++i)
    result = times[i] > result ? times[i] : result;
  return result;
}

FADIFF_TARGET_CLONES
static void raiseRows(int64_t *times, int64_t count, int64_t time) {
  for (int64_t i = 0; i < count; ++i)
    times[i] = times[i] > time ? times[i] : time;
}

int64_t Timing::latest(const int64_t *table, const RowRange &range) {
  if (range.stride == 1)
    return maxOfRows(table + range.first, range.count);
  int64_t result = 0;
  for (int64_t i = 0; i < range.count; ++i)
    result = std::max(result, table[range.first + i * range.stride]);
  return result;
}

void Timing::raise(int64_t *table, const RowRange &range, int64_t time) {
  if (range.stride == 1)
    return raiseRows(table + range.first, range.count, time);
  for (int64_t i = 0; i < range.count; ++i) {
    int64_t &row = table[range.first + i * range.stride];
    row = std::max(row, time);
  }
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

/// An entry whose command has not been resolved yet. Never chosen: a compute
/// resolves its preload before any third execute command allocates.
static constexpr int64_t kUnresolved = std::numeric_limits<int64_t>::max();

Timing::Timing(const Accelerator &accelerator)
    : accelerator(accelerator),
      // Input skew and output skew of side - 1, side rows of the mesh, the
      // scratchpad's read delay and registers around it.
      fill(3 * accelerator.side + accelerator.scratchpadReadDelay + 1),
      memory(this->accelerator), lastIssue(-accelerator.commandCycles),
      passesInFlight(accelerator.passesInFlight, 0) {
  auto size = [](Rows &rows, int64_t count) {
    rows.loadWrite.assign(count, 0);
    rows.executeWrite.assign(count, 0);
    rows.read.assign(count, 0);
  };
  size(scratchpad, accelerator.scratchpadRows());
  size(accumulator, accelerator.accumulatorRows());
  loads.freeAt.assign(accelerator.loadStations, 0);
  stores.freeAt.assign(accelerator.storeStations, 0);
  executes.freeAt.assign(accelerator.executeStations, 0);
  openLoads.assign(accelerator.openLoads(), 0);
}

int64_t Timing::Window::take() {
  current = std::min_element(freeAt.begin(), freeAt.end()) - freeAt.begin();
  return freeAt[current];
}

int64_t Timing::nextIssue(int64_t earliest) {
  lastIssue = std::max(lastIssue + accelerator.commandCycles, earliest);
  completeAt(lastIssue);
  return lastIssue;
}

int64_t Timing::allocate(Window &window) {
  const int64_t free = window.take();
  // The core's commands wait until no loop has any left.
  if (!isUnrolling) {
    if (free > lastIssue + accelerator.commandCycles && free >= loopDone &&
        &window != &executes) {
      stallEnd = free;
      stallCause = &window == &loads ? ArrayTime::Load : ArrayTime::Store;
    }
    return nextIssue(std::max(free, loopDone));
  }
  lastUnrolled = std::max({window.lastUnrolled + 1, free, loopEarliest});
  window.lastUnrolled = lastUnrolled;
  completeAt(lastUnrolled);
  return lastUnrolled;
}

void Timing::configureLoop(bool isConv) {
  (void)nextIssue(isConv == lastIsConv ? loopBeforeDone : loopDone);
}

void Timing::beginLoop(bool isConv) {
  configureLoop(isConv);
  lastIsConv = isConv;
  isUnrolling = true;
  lastUnrolled = lastIssue;
  issueAfter(lastIssue);
}

void Timing::endLoop() {
  isUnrolling = false;
  loopBeforeDone = loopDone;
  loopDone = std::max({lastIssue, loads.lastUnrolled, stores.lastUnrolled,
                       executes.lastUnrolled});
}

void Timing::fence() {
  closeArrayTimes();
  span.start = lastIssue;
  lastIssue = std::max(lastIssue, end);
  span.finish = lastIssue;
}

//===----------------------------------------------------------------------===//
// What the array does
//===----------------------------------------------------------------------===//

void Timing::accountWait(int64_t own, int64_t loaded, int64_t stored,
                         int64_t until) {
  if (until <= accounted)
    return;
  if (std::max(loaded, stored) >= until)
    return account(loaded >= stored ? ArrayTime::Load : ArrayTime::Store,
                   until);
  if (own >= until)
    return account(ArrayTime::Fill, until);
  // A command came late: as the core stood before a full queue, or had to issue
  // others first.
  account(stallCause, std::min(stallEnd, until));
  account(ArrayTime::Issue, until);
}

Timing::ArrayTimes Timing::arrayTimes() const {
  ArrayTimes sum = times;
  int64_t upTo = accounted;
  account(sum, upTo, ArrayTime::Fill, std::min(lastResult, end));
  // The core's own cycles where nothing is under way.
  account(sum, upTo, storesEnd >= loadsEnd ? ArrayTime::Store : ArrayTime::Load,
          std::min(end, std::max(storesEnd, loadsEnd)));
  account(sum, upTo, ArrayTime::Issue, end);
  return sum;
}

void Timing::closeArrayTimes() {
  times = arrayTimes();
  accounted = end;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

Timing::Transfer Timing::transfer(llvm::ArrayRef<DramRows> rows,
                                  int64_t localRows, bool isWrite,
                                  int64_t start) {
  const auto [requests, beats, waits] = memory.ask(rows, isWrite);
  if (requests == 0)
    return {localRows, localRows};
  const int64_t missing = std::llround(waits);
  int64_t latency = accelerator.dmaLatency;
  int64_t inFlight = accelerator.dmaRequestsInFlight;
  int64_t busy = std::max({requests, beats, localRows});
  // Of the requests in flight, each returns after the latency: that bounds the
  // rate. The last batch of them is on its way while the next transfer starts.
  int64_t occupancy = std::max<int64_t>(
      busy, llvm::divideCeil(requests * latency, inFlight) + missing);
  int64_t waiting = std::max<int64_t>(0, requests - inFlight);
  int64_t duration =
      latency +
      std::max<int64_t>(busy, llvm::divideCeil(waiting * latency, inFlight) +
                                  missing);
  // DRAM moves no more bytes per cycle than it can, whoever asks.
  const int64_t served =
      memory.serve(rows, start, isUnrolling ? loopEarliest : lastIssue) - start;
  return {std::max(occupancy, served), std::max(duration, latency + served)};
}

void Timing::configureLoad() {
  loadFree = std::max(allocate(loads), loadFree) + 1;
  loads.release(loadFree);
  completeAt(loadFree);
}

void Timing::configureStore() {
  storeFree = std::max(allocate(stores), storeFree) + 1;
  stores.release(storeFree);
  completeAt(storeFree);
}

int64_t Timing::load(llvm::ArrayRef<RowRange> destination,
                     const DramRows &rows) {
  int64_t &open = freeFirst();
  int64_t start = std::max({allocate(loads), loadFree, open});
  int64_t localRows = 0;
  for (const RowRange &range : destination) {
    localRows += range.count;
    start = std::max({start, latest(range, &Rows::executeWrite),
                      latest(range, &Rows::read)});
  }
  Transfer cost = transfer(rows, localRows, /*isWrite=*/false, start);
  int64_t finish = start + cost.duration;
  loadFree = start + cost.occupancy;
  span = {start, loadFree};
  loadOpen = cost.duration;
  open = finish;
  for (const RowRange &range : destination)
    raise(range, &Rows::loadWrite, finish);
  loads.release(finish);
  loadsEnd = std::max(loadsEnd, finish);
  completeAt(finish);
  return cost.occupancy;
}

int64_t Timing::store(llvm::ArrayRef<RowRange> source, int64_t localReads,
                      llvm::ArrayRef<DramRows> rows,
                      llvm::ArrayRef<RowRange> destination) {
  int64_t start = std::max(allocate(stores), storeFree);
  for (const RowRange &range : source)
    start = std::max({start, latest(range, &Rows::loadWrite),
                      latest(range, &Rows::executeWrite)});
  for (const RowRange &range : destination)
    start = std::max({start, latest(range, &Rows::loadWrite),
                      latest(range, &Rows::executeWrite),
                      latest(range, &Rows::read)});
  bool fromAccumulator = !source.empty() && source.front().accumulator;
  int64_t pipe = fromAccumulator ? accelerator.accumulatorPipe
                                 : accelerator.scratchpadReadDelay;
  // A store is done when its last row has been handed to the DMA writer, which
  // can be busy with one older store at most.
  int64_t finish = std::max(start + localReads + pipe, writerFree);
  int64_t busy = finish - start;
  if (!rows.empty()) {
    int64_t begin = std::max(start + pipe, writerFree);
    Transfer cost = transfer(rows, /*localRows=*/0, /*isWrite=*/true, begin);
    writerFree = std::max(finish, begin + cost.occupancy);
    storesEnd = std::max(storesEnd, begin + cost.duration);
    completeAt(begin + cost.duration);
  }
  storesEnd = std::max(storesEnd, finish);
  span = {start, finish};
  storeFree = finish;
  for (const RowRange &range : source)
    raise(range, &Rows::read, finish);
  for (const RowRange &range : destination) {
    raise(range, &Rows::loadWrite, finish);
    raise(range, &Rows::executeWrite, finish);
  }
  stores.release(finish);
  completeAt(finish);
  return busy;
}

int64_t Timing::loadScales(const DramRows &rows) {
  // Stores before it read the old ones, stores behind it wait for the new.
  int64_t &open = freeFirst();
  const int64_t start = std::max({allocate(loads), loadFree, open, storeFree});
  const Transfer cost =
      transfer(rows, /*localRows=*/0, /*isWrite=*/false, start);
  const int64_t finish = start + cost.duration;
  loadFree = start + cost.occupancy;
  span = {start, loadFree};
  open = finish;
  storeFree = finish;
  loads.release(finish);
  loadsEnd = std::max(loadsEnd, finish);
  completeAt(finish);
  return cost.occupancy;
}

//===----------------------------------------------------------------------===//
// Execute
//===----------------------------------------------------------------------===//

void Timing::configureExecute() {
  int64_t start = std::max({allocate(executes), lastResult, computeEnd});
  computeStart = computeEnd = start + 1;
  executes.release(computeEnd);
  completeAt(computeEnd);
}

int64_t Timing::preload(const RowRange &stationary, bool writesResult) {
  const int64_t loaded = latest(stationary, &Rows::loadWrite);
  const int64_t own =
      std::max(preloadEnd, latest(stationary, &Rows::executeWrite));
  int64_t ready = std::max({allocate(executes), own, loaded});
  // The array loads the next operand during a compute only if it is there when
  // that compute starts; otherwise it loads it after the compute, alone.
  int64_t start =
      ready <= computeStart ? computeStart : std::max(ready, computeEnd);
  int64_t busy = 0;
  preloadEnd = ready;
  if (stationary.count) {
    preloadEnd = start + accelerator.side;
    raise(stationary, &Rows::read, preloadEnd);
    accountWait(own, loaded, /*stored=*/0, start);
    account(ArrayTime::Fill, preloadEnd);
    span = {std::min(std::max(start, executeBusyUntil), preloadEnd),
            preloadEnd};
    busy = preloadEnd - std::max(start, executeBusyUntil);
    executeBusyUntil = std::max(executeBusyUntil, preloadEnd);
  }
  preloadSlot = executes.current;
  // With a result, the entry stays until the result has been written.
  executes.release(writesResult ? kUnresolved : start);
  preloadPending = writesResult;
  completeAt(preloadEnd);
  return std::max<int64_t>(0, busy);
}

int64_t Timing::compute(int64_t rows, llvm::ArrayRef<RowRange> operands,
                        const RowRange &result) {
  int64_t start = allocate(executes);
  int64_t own = std::max(preloadEnd, computeEnd), loaded = 0;
  for (const RowRange &range : operands) {
    loaded = std::max(loaded, latest(range, &Rows::loadWrite));
    own = std::max(own, latest(range, &Rows::executeWrite));
  }
  // No wait for an older result in the same rows: the array writes in order.
  loaded = std::max(loaded, latest(result, &Rows::loadWrite));
  const int64_t stored = latest(result, &Rows::read);
  // The tags of passes in the array stand in a queue that takes no more.
  if (!passesInFlight.empty())
    own = std::max(own, passesInFlight[passSlot]);
  start = std::max({start, own, loaded, stored});
  accountWait(own, loaded, stored, start);
  // Shorter passes are padded, so that two writes of an accumulator row keep
  // the distance its adder needs.
  computeStart = start;
  computeEnd = start + std::max<int64_t>(rows, 4);
  account(ArrayTime::Compute, computeEnd);
  if (!passesInFlight.empty()) {
    // Down the array, the skews of both ends and the registers around it.
    passesInFlight[passSlot] = computeEnd + 2 * accelerator.side + 2;
    passSlot = (passSlot + 1) % passesInFlight.size();
  }
  span = {computeStart, computeEnd};
  for (const RowRange &range : operands)
    raise(range, &Rows::read, computeEnd);
  int64_t written = computeEnd + fill;
  if (result.count) {
    raise(result, &Rows::executeWrite, written);
    lastResult = written;
    completeAt(written);
  }
  executes.release(start);
  if (preloadPending)
    executes.freeAt[preloadSlot] = written;
  preloadPending = false;
  int64_t busy = computeEnd - std::max(start, executeBusyUntil);
  executeBusyUntil = std::max(executeBusyUntil, computeEnd);
  completeAt(computeEnd);
  return std::max<int64_t>(0, busy);
}
