//===- Level.cpp - Memory levels and machine equality ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/Accelerator.h"

#include <tuple>

using namespace fadiff;

const char *fadiff::levelName(Level level) {
  switch (level) {
  case Level::Registers:
    return "registers";
  case Level::Accumulator:
    return "accumulator";
  case Level::Scratchpad:
    return "scratchpad";
  case Level::Dram:
    return "dram";
  }
  return "unknown";
}

static auto fields(const Accelerator &a) {
  return std::tie(a.name, a.side, a.arithmetic, a.scratchpadBytes,
                  a.scratchpadBanks, a.accumulatorBytes, a.accumulatorBanks,
                  a.handOver, a.energyPerMac, a.energyPerAccess, a.bandwidth,
                  a.dmaBytesPerCycle, a.dmaMaxRequestBytes,
                  a.dmaRequestsInFlight, a.dmaLatency, a.loadStations,
                  a.storeStations, a.executeStations, a.commandCycles,
                  a.scratchpadReadDelay, a.accumulatorPipe, a.dmaColdLatency,
                  a.dmaShortWriteCycles, a.passCycles, a.overlapLoss);
}

bool fadiff::operator==(const Accelerator &a, const Accelerator &b) {
  return fields(a) == fields(b);
}
