//===- Fields.h - The fields of a machine, by name --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of Accelerator's numbers, for whoever reads or writes them by
// name (the #fadiff.target attribute does).
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_HARDWARE_FIELDS_H
#define FADIFF_HARDWARE_FIELDS_H

#include "fadiff/Hardware/Accelerator.h"

namespace fadiff {

/// Calls `visit(name, field)` for every number of `machine`, in declaration
/// order. `field` is an (const) int64_t, double or HandOver reference.
template <typename AcceleratorT, typename VisitorT>
void visitFields(AcceleratorT &machine, VisitorT visit) {
  visit("side", machine.side);
  visit("scratchpad_bytes", machine.scratchpadBytes);
  visit("scratchpad_banks", machine.scratchpadBanks);
  visit("accumulator_bytes", machine.accumulatorBytes);
  visit("accumulator_banks", machine.accumulatorBanks);
  visit("hand_over", machine.handOver);
  visit("energy_mac", machine.energyPerMac);
  visit("energy_registers", machine.energyPerAccess[Level::Registers]);
  visit("energy_accumulator", machine.energyPerAccess[Level::Accumulator]);
  visit("energy_scratchpad", machine.energyPerAccess[Level::Scratchpad]);
  visit("energy_dram", machine.energyPerAccess[Level::Dram]);
  visit("bandwidth_registers", machine.bandwidth[Level::Registers]);
  visit("bandwidth_accumulator", machine.bandwidth[Level::Accumulator]);
  visit("bandwidth_scratchpad", machine.bandwidth[Level::Scratchpad]);
  visit("bandwidth_dram", machine.bandwidth[Level::Dram]);
  visit("dma_bytes_per_cycle", machine.dmaBytesPerCycle);
  visit("dma_max_request_bytes", machine.dmaMaxRequestBytes);
  visit("dma_requests_in_flight", machine.dmaRequestsInFlight);
  visit("dma_latency", machine.dmaLatency);
  visit("load_stations", machine.loadStations);
  visit("store_stations", machine.storeStations);
  visit("execute_stations", machine.executeStations);
  visit("command_cycles", machine.commandCycles);
  visit("scratchpad_read_delay", machine.scratchpadReadDelay);
  visit("accumulator_pipe", machine.accumulatorPipe);
  visit("dma_cold_latency", machine.dmaColdLatency);
  visit("dma_short_write_cycles", machine.dmaShortWriteCycles);
  visit("pass_cycles", machine.passCycles);
  visit("overlap_loss", machine.overlapLoss);
}

} // namespace fadiff

#endif // FADIFF_HARDWARE_FIELDS_H
