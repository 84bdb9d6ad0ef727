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
  return std::tie(
      a.name, a.side, a.arithmetic, a.scratchpadBytes, a.scratchpadBanks,
      a.accumulatorBytes, a.accumulatorBanks, a.handOver, a.energyPerMac,
      a.energyPerAccess, a.bandwidth, a.dmaBytesPerCycle, a.dmaMaxRequestBytes,
      a.dmaRequestsInFlight, a.dmaLatency, a.loadStations, a.storeStations,
      a.executeStations, a.commandCycles, a.scratchpadReadDelay,
      a.accumulatorPipe, a.dmaColdLatency, a.dmaShortWriteCycles, a.passCycles,
      a.overlapLoss, a.readOut.perChannel, a.readOut.zeroPoint, a.readOut.clamp,
      a.readOut.scales);
}

bool fadiff::operator==(const Accelerator &a, const Accelerator &b) {
  return fields(a) == fields(b);
}

std::string fadiff::whyNoReadOut(const Accelerator &machine) {
  if (!machine.readOut.any())
    return {};
  if (machine.arithmetic != Arithmetic::Int8)
    return "a read-out can do more only where sums become int8; the array "
           "works in f32";
  if (machine.handsOverInPlace())
    return "a read-out can do more only on its way to DRAM or the scratchpad; "
           "wanted the hand-over none or mvout_spad, found "
           "accumulator_operand, which reads sums with one scale";
  return {};
}
