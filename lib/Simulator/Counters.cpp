//===- Counters.cpp - What a simulated program did ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Simulator/Counters.h"

#include <numeric>

using namespace fadiff;
using namespace fadiff::sim;

int64_t Counters::coreCommands() const {
  return std::accumulate(commands.begin(), commands.end(), -unrolledCommands);
}

Counters &Counters::operator+=(const Counters &other) {
  runs += other.runs;
  cycles += other.cycles;
  for (unsigned i = 0; i < kNumCommandKinds; ++i)
    commands[i] += other.commands[i];
  unrolledCommands += other.unrolledCommands;
  dramBytesRead += other.dramBytesRead;
  dramBytesWritten += other.dramBytesWritten;
  for (size_t i = 0; i < dramBytesByMvin.size(); ++i)
    dramBytesByMvin[i] += other.dramBytesByMvin[i];
  scratchpadReads += other.scratchpadReads;
  scratchpadWrites += other.scratchpadWrites;
  scratchpadZeros += other.scratchpadZeros;
  accumulatorReads += other.accumulatorReads;
  accumulatorWrites += other.accumulatorWrites;
  macs += other.macs;
  arrayBusyCycles += other.arrayBusyCycles;
  loadBusyCycles += other.loadBusyCycles;
  executeBusyCycles += other.executeBusyCycles;
  storeBusyCycles += other.storeBusyCycles;
  loadOpenCycles += other.loadOpenCycles;
  startCycles += other.startCycles;
  for (unsigned i = 0; i < kNumArrayTimes; ++i)
    arrayTime[i] += other.arrayTime[i];
  return *this;
}

bool sim::operator==(const Counters &a, const Counters &b) {
  return a.runs == b.runs && a.cycles == b.cycles && a.commands == b.commands &&
         a.unrolledCommands == b.unrolledCommands &&
         a.dramBytesRead == b.dramBytesRead &&
         a.dramBytesWritten == b.dramBytesWritten &&
         a.dramBytesByMvin == b.dramBytesByMvin &&
         a.scratchpadReads == b.scratchpadReads &&
         a.scratchpadWrites == b.scratchpadWrites &&
         a.scratchpadZeros == b.scratchpadZeros &&
         a.accumulatorReads == b.accumulatorReads &&
         a.accumulatorWrites == b.accumulatorWrites && a.macs == b.macs &&
         a.arrayBusyCycles == b.arrayBusyCycles &&
         a.loadBusyCycles == b.loadBusyCycles &&
         a.executeBusyCycles == b.executeBusyCycles &&
         a.storeBusyCycles == b.storeBusyCycles &&
         a.loadOpenCycles == b.loadOpenCycles &&
         a.startCycles == b.startCycles && a.arrayTime == b.arrayTime;
}
