//===- Fields.h - The fields of a machine, by name --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of Accelerator's numbers, for whoever reads or writes them by
// name: the #fadiff.target attribute and descriptions in YAML.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_HARDWARE_FIELDS_H
#define FADIFF_HARDWARE_FIELDS_H

#include "fadiff/Hardware/Accelerator.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <utility>

namespace fadiff {

/// What a number is called.
struct Field {
  const char *name;    ///< in #fadiff.target
  const char *section; ///< in YAML; empty at the top
  const char *key;     ///< inside that section
  const char *unit;    ///< in YAML; empty if it has none
};

/// Largest whole number of a machine: every product of three fits 64 bits.
inline constexpr int64_t kMaxFieldValue = int64_t(1) << 30;

/// By HandOver.
inline constexpr llvm::StringLiteral kHandOverNames[] = {"none", "mvout_spad",
                                                         "accumulator_operand"};

/// By Arithmetic.
inline constexpr llvm::StringLiteral kArithmeticNames[] = {"int8", "f32"};

/// What a read-out may have, by name.
inline constexpr std::pair<llvm::StringLiteral, bool ReadOutFeatures::*>
    kReadOutNames[] = {{"per_channel", &ReadOutFeatures::perChannel},
                       {"zero_point", &ReadOutFeatures::zeroPoint},
                       {"clamp", &ReadOutFeatures::clamp}};

/// The names of what it has.
inline llvm::SmallVector<llvm::StringRef, 3>
namesOf(const ReadOutFeatures &features) {
  llvm::SmallVector<llvm::StringRef, 3> names;
  for (auto [name, feature] : kReadOutNames)
    if (features.*feature)
      names.push_back(name);
  return names;
}

/// Adds what goes by `name`; false if nothing does, or if it is there already.
inline bool addFeature(ReadOutFeatures &features, llvm::StringRef name) {
  for (auto [known, feature] : kReadOutNames)
    if (known == name && !(features.*feature))
      return features.*feature = true;
  return false;
}

/// Calls `visit(field, number)` for every number of `machine`. `number` is an
/// (const) int64_t, double, HandOver, Arithmetic or ReadOutFeatures reference;
/// the last two may be left out of a description and are int8 and none then. A
/// section's fields are together, and each comes after those that it is checked
/// against, or that say whether it is there.
template <typename AcceleratorT, typename VisitorT>
void visitFields(AcceleratorT &machine, VisitorT visit) {
  AcceleratorT &m = machine;
  auto &energy = m.energyPerAccess;
  auto &bandwidth = m.bandwidth;
  auto at = [&](const char *name, const char *section, const char *key,
                const char *unit, auto &number) {
    visit(Field{name, section, key, unit}, number);
  };
  at("side", "array", "side", "PEs", m.side);
  at("arithmetic", "array", "arithmetic", "", m.arithmetic);
  at("energy_mac", "array", "energy_per_mac", "pJ", m.energyPerMac);
  at("energy_registers", "registers", "energy_per_access", "pJ",
     energy[Level::Registers]);
  at("bandwidth_registers", "registers", "bandwidth", "words/cycle/PE",
     bandwidth[Level::Registers]);
  at("accumulator_banks", "accumulator", "banks", "", m.accumulatorBanks);
  at("accumulator_bytes", "accumulator", "capacity", "bytes",
     m.accumulatorBytes);
  at("accumulator_pipe", "accumulator", "pipe_delay", "cycles",
     m.accumulatorPipe);
  at("energy_accumulator", "accumulator", "energy_per_access", "pJ",
     energy[Level::Accumulator]);
  at("bandwidth_accumulator", "accumulator", "bandwidth", "words/cycle/column",
     bandwidth[Level::Accumulator]);
  at("scratchpad_banks", "scratchpad", "banks", "", m.scratchpadBanks);
  at("scratchpad_bytes", "scratchpad", "capacity", "bytes", m.scratchpadBytes);
  at("scratchpad_read_delay", "scratchpad", "read_delay", "cycles",
     m.scratchpadReadDelay);
  at("energy_scratchpad", "scratchpad", "energy_per_access", "pJ",
     energy[Level::Scratchpad]);
  at("bandwidth_scratchpad", "scratchpad", "bandwidth", "words/cycle",
     bandwidth[Level::Scratchpad]);
  at("energy_dram", "dram", "energy_per_access", "pJ", energy[Level::Dram]);
  at("bandwidth_dram", "dram", "bandwidth", "words/cycle",
     bandwidth[Level::Dram]);
  at("dma_bytes_per_cycle", "dma", "bus_width", "bytes/cycle",
     m.dmaBytesPerCycle);
  at("dma_max_request_bytes", "dma", "max_request", "bytes",
     m.dmaMaxRequestBytes);
  at("dma_requests_in_flight", "dma", "requests_in_flight", "",
     m.dmaRequestsInFlight);
  at("dma_latency", "dma", "latency", "cycles", m.dmaLatency);
  at("dma_cold_latency", "dma", "cold_latency", "cycles", m.dmaColdLatency);
  at("dma_short_write_cycles", "dma", "short_write_cycles", "cycles",
     m.dmaShortWriteCycles);
  at("load_stations", "issue", "load_stations", "", m.loadStations);
  at("store_stations", "issue", "store_stations", "", m.storeStations);
  at("execute_stations", "issue", "execute_stations", "", m.executeStations);
  at("command_cycles", "issue", "command_cycles", "cycles", m.commandCycles);
  at("pass_cycles", "issue", "pass_cycles", "cycles", m.passCycles);
  at("overlap_loss", "issue", "overlap_loss", "", m.overlapLoss);
  at("hand_over", "", "hand_over", "", m.handOver);
  at("readout", "", "readout", "", m.readOut);
  if (m.readOut.perChannel)
    at("readout_scales", "", "readout_scales", "", m.readOut.scales);
}

} // namespace fadiff

#endif // FADIFF_HARDWARE_FIELDS_H
