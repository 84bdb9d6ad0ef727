//===- Fields.h - The fields of a machine, by name --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one list of what an Accelerator holds. Whoever compares machines, or
// reads or writes one by name (YAML, #fadiff.target, schedule files,
// docs/Hardware.md), goes through it: a field that is added here and to
// Accelerator is everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_HARDWARE_FIELDS_H
#define FADIFF_HARDWARE_FIELDS_H

#include "fadiff/Hardware/Accelerator.h"
#include "fadiff/Support/Names.h"
#include "llvm/ADT/SmallVector.h"

#include <tuple>
#include <type_traits>
#include <utility>

namespace fadiff {

/// Largest whole number of a machine: every product of three fits 64 bits.
inline constexpr int64_t kMaxFieldValue = int64_t(1) << 30;

/// What a field is called, and what it may be.
struct Field {
  const char *name;    ///< in #fadiff.target and in schedule files
  const char *section; ///< in YAML; empty at the top
  const char *key;     ///< inside that section
  const char *unit;    ///< in YAML; empty if it has none
  const char *meaning; ///< for docs/Hardware.md
  /// May be left out, and then is as in Accelerator(). Such a default never
  /// changes: modules and files that leave the field out count on it.
  bool isOptional = false;
  /// Bounds of a whole number.
  int64_t least = 1, most = kMaxFieldValue;
  /// Of another one, which is positive; 0 if there is none.
  double mostReal = 0;
};

// How the values of enumerations are called (Names.h).
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(HandOver) {
  static constexpr llvm::StringLiteral names[] = {"none", "mvout_spad",
                                                  "accumulator_operand"};
  return names;
}
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Arithmetic) {
  static constexpr llvm::StringLiteral names[] = {"int8", "f32"};
  return names;
}
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(LoopUnit) {
  static constexpr llvm::StringLiteral names[] = {"none", "matmul"};
  return names;
}
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(LoopHalves) {
  static constexpr llvm::StringLiteral names[] = {"turns", "chosen"};
  return names;
}
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(ConvLoopUnit) {
  static constexpr llvm::StringLiteral names[] = {"none", "conv"};
  return names;
}
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(LoadScale) {
  static constexpr llvm::StringLiteral names[] = {"none", "f32"};
  return names;
}

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

/// A field's value as people write it: "3", "0.09", "mvout_spad", "[clamp]".
std::string toText(int64_t value);
std::string toText(double value); ///< the shortest that reads back the same
std::string toText(const ReadOutFeatures &features);
template <typename EnumT>
std::enable_if_t<std::is_enum_v<EnumT>, std::string> toText(EnumT value) {
  return nameOf(value).str();
}

/// Calls `visit(field, number...)` for every field but the name, with the
/// number of each of `machines`: an (const) int64_t, double or ReadOutFeatures,
/// or an enumeration that has valueNames(). A section's fields are together,
/// and each comes after those that it is checked against, or that say whether
/// it is there: of the first machine.
template <typename VisitorT, typename... AcceleratorT>
void visitFields(VisitorT visit, AcceleratorT &...m) {
  const auto &first = std::get<0>(std::tie(m...));
  const int64_t most = kMaxFieldValue;
  constexpr bool optional = true;
  constexpr Level registers = Level::Registers, dram = Level::Dram,
                  accumulator = Level::Accumulator,
                  scratchpad = Level::Scratchpad;
  visit(Field{"side", "array", "side", "PEs",
              "the array is side × side; a power of two, at least 2"},
        m.side...);
  visit(Field{"arithmetic", "array", "arithmetic", "",
              "what the array multiplies: `int8` (sums in int32) or `f32`",
              optional},
        m.arithmetic...);
  visit(Field{"energy_mac", "array", "energy_per_mac", "pJ",
              "energy of one multiply-accumulate"},
        m.energyPerMac...);
  visit(Field{"passes_in_flight", "array", "passes_in_flight", "",
              "passes that are between the array's entry and its exit, 2 · "
              "side + 2 cycles, at a time; 0: as many as come",
              optional, 0},
        m.passesInFlight...);
  visit(Field{"energy_registers", "registers", "energy_per_access", "pJ",
              "energy per scalar read, fill or update"},
        m.energyPerAccess[registers]...);
  visit(Field{"bandwidth_registers", "registers", "bandwidth", "words/cycle/PE",
              "reads, fills and updates together, per used PE"},
        m.bandwidth[registers]...);
  visit(Field{"accumulator_banks", "accumulator", "banks", "",
              "the capacity must divide into them"},
        m.accumulatorBanks...);
  visit(Field{"accumulator_bytes", "accumulator", "capacity", "bytes",
              "4 per sum; see below"},
        m.accumulatorBytes...);
  visit(Field{"accumulator_pipe", "accumulator", "pipe_delay", "cycles",
              "accumulator read and scale"},
        m.accumulatorPipe...);
  visit(
      Field{"load_scale", "accumulator", "load_scale", "",
            "what a load into the accumulator multiplies by: `f32`, one number "
            "per load, or `none`. A residual with a scale of its own needs it",
            optional},
      m.loadScale...);
  visit(Field{"energy_accumulator", "accumulator", "energy_per_access", "pJ",
              "energy per scalar read, fill or update"},
        m.energyPerAccess[accumulator]...);
  visit(Field{"bandwidth_accumulator", "accumulator", "bandwidth",
              "words/cycle/column",
              "reads, fills and updates together, per used column"},
        m.bandwidth[accumulator]...);
  visit(Field{"scratchpad_banks", "scratchpad", "banks", "",
              "the capacity must divide into them"},
        m.scratchpadBanks...);
  visit(Field{"scratchpad_bytes", "scratchpad", "capacity", "bytes",
              "1 per element (4 in f32); see below"},
        m.scratchpadBytes...);
  visit(Field{"scratchpad_read_delay", "scratchpad", "read_delay", "cycles",
              "from a read to its data"},
        m.scratchpadReadDelay...);
  visit(Field{"energy_scratchpad", "scratchpad", "energy_per_access", "pJ",
              "energy per scalar read, fill or update"},
        m.energyPerAccess[scratchpad]...);
  visit(Field{"bandwidth_scratchpad", "scratchpad", "bandwidth", "words/cycle",
              "reads, fills and updates together, in total"},
        m.bandwidth[scratchpad]...);
  visit(Field{"energy_dram", "dram", "energy_per_access", "pJ",
              "energy per scalar read or written"},
        m.energyPerAccess[dram]...);
  visit(Field{"bandwidth_dram", "dram", "bandwidth", "words/cycle",
              "bytes that are read and written together"},
        m.bandwidth[dram]...);
  visit(
      Field{"dram_rate", "dram", "rate", "bytes/cycle",
            "what emitted programs get of it; 0: `bandwidth`, which rooflines "
            "take",
            optional},
      m.dramRate...);
  visit(Field{"dma_bytes_per_cycle", "dma", "bus_width", "bytes/cycle",
              "each direction; a power of two"},
        m.dmaBytesPerCycle...);
  visit(Field{"dma_max_request_bytes", "dma", "max_request", "bytes",
              "largest single request; a power of two, at least the bus width"},
        m.dmaMaxRequestBytes...);
  visit(Field{"dma_requests_in_flight", "dma", "requests_in_flight", "",
              "per direction"},
        m.dmaRequestsInFlight...);
  visit(Field{"dma_latency", "dma", "latency", "cycles",
              "from a request to its first beat"},
        m.dmaLatency...);
  visit(Field{"dma_cold_latency", "dma", "cold_latency", "cycles",
              "what the first request of a DRAM line takes more; only in the "
              "model of the loop unit in RTL ([Latency.md](Latency.md))"},
        m.dmaColdLatency...);
  visit(Field{"dma_short_write_cycles", "dma", "short_write_cycles", "cycles",
              "to write a DRAM row below the bus width; only in the model of "
              "the loop unit in RTL"},
        m.dmaShortWriteCycles...);
  visit(Field{"cache_bytes", "cache", "capacity", "bytes",
              "of the cache behind the DMA, in lines of 64 bytes; 0: all "
              "requests take `dma.latency`, and rows count as aligned. With it "
              "`dma.latency` is that of a hit, and the simulator takes "
              "`dma.short_write_cycles`",
              optional, 0},
        m.cacheBytes...);
  visit(Field{"cache_ways", "cache", "ways", "", "of both caches", optional, 1,
              64},
        m.cacheWays...);
  visit(Field{"cache_miss_cycles", "cache", "miss_cycles", "cycles",
              "that a line which is not in the cache costs more", optional},
        m.cacheMissCycles...);
  visit(Field{"last_level_bytes", "cache", "last_level", "bytes",
              "of a larger cache behind it; 0: there is none", optional, 0},
        m.lastLevelBytes...);
  visit(Field{"last_level_miss_cycles", "cache", "last_level_miss_cycles",
              "cycles",
              "that a line which is in neither costs more, in place of "
              "`cache.miss_cycles`",
              optional},
        m.lastLevelMissCycles...);
  visit(Field{"load_stations", "issue", "load_stations", "",
              "reservation station entries for loads"},
        m.loadStations...);
  visit(Field{"store_stations", "issue", "store_stations", "",
              "the same for stores"},
        m.storeStations...);
  visit(Field{"execute_stations", "issue", "execute_stations", "",
              "the same for the array"},
        m.executeStations...);
  visit(Field{"command_cycles", "issue", "command_cycles", "cycles",
              "for the CPU to issue one command"},
        m.commandCycles...);
  visit(Field{"pass_cycles", "issue", "pass_cycles", "cycles",
              "least time between two passes through the array; only in the "
              "model of the loop unit in RTL"},
        m.passCycles...);
  visit(Field{"overlap_loss", "issue", "overlap_loss", "",
              "share, at most 1, of the work hidden by double buffering that "
              "shows anyway; only in the model of the loop unit in RTL",
              !optional, 1, most, 1},
        m.overlapLoss...);
  visit(Field{"core_pool_cycles", "core", "pool_cycles", "cycles",
              "for the CPU to take one element of a window of max pooling that "
              "it does itself; 0: not known, which counts as nothing",
              optional, 0},
        m.corePoolCycles...);
  visit(Field{"core_copy_cycles", "core", "copy_cycles", "cycles",
              "for the CPU to copy or fill one element, or eight aligned "
              "bytes; 0: not known",
              optional, 0},
        m.coreCopyCycles...);
  visit(Field{"core_operation_cycles", "core", "operation_cycles", "cycles",
              "for the CPU to load, store or compute one scalar in a loop over "
              "a tensor; 0: not known",
              optional, 0},
        m.coreOperationCycles...);
  visit(Field{"core_call_cycles", "core", "call_cycles", "cycles",
              "for the CPU to call a function of libm, such as log; 0: not "
              "known",
              optional, 0},
        m.coreCallCycles...);
  visit(Field{"pool_window", "pool", "window", "",
              "most rows and columns of a window of max pooling in the store "
              "unit, on the way to DRAM or the scratchpad; 0: it does not "
              "pool, at most 3",
              optional, 0, 3},
        m.pool.window...);
  visit(Field{"pool_stride", "pool", "stride", "",
              "most rows and columns from one window to the next; at most 3",
              optional, 1, 3},
        m.pool.stride...);
  visit(Field{"pool_extent", "pool", "extent", "",
              "most rows and columns of a tile that is pooled; at most 255",
              optional, 1, 255},
        m.pool.extent...);
  visit(Field{"hand_over", "", "hand_over", "",
              "how a fused producer's tile reaches its consumer without DRAM: "
              "`none`, `mvout_spad` (copied accumulator → scratchpad), "
              "`accumulator_operand` (it stays there and the array reads A "
              "from the accumulator; [Lowering.md](Lowering.md))"},
        m.handOver...);
  visit(Field{"loop_unit", "", "loop_unit", "",
              "what runs tiles of a matrix product by one instruction: "
              "`matmul` (`loop_ws`) or `none`",
              optional},
        m.loopUnit...);
  visit(Field{"loop_halves", "", "loop_halves", "",
              "half of the scratchpad that operands of `loop_ws` and "
              "`loop_conv_ws` go to: `chosen` by the command, which may also "
              "find them where they lie (Gemmini since 0.7.1), or by `turns`",
              optional},
        m.loopHalves...);
  visit(Field{"conv_loop_unit", "", "conv_loop_unit", "",
              "what runs tiles of a convolution by one instruction: `conv` "
              "(`loop_conv_ws`) or `none`",
              optional},
        m.convLoopUnit...);
  visit(Field{"clock_hz", "", "clock", "Hz",
              "cycles per second. Without it there are cycles only, and no "
              "constraint in seconds ([Search.md](Search.md#constraints))",
              optional},
        m.clockHz...);
  visit(Field{"leakage", "", "leakage", "mW",
              "power of array and memories whatever they do, which counts in "
              "the energy of every cycle; it needs `clock`",
              optional},
        m.leakageMilliwatts...);
  visit(Field{"area", "", "area", "mm2",
              "of array and memories; nothing is decided by it but in "
              "[Codesign.md](Codesign.md)",
              optional},
        m.area...);
  visit(Field{"readout", "", "readout", "",
              "what the [read-out](#read-out) can do beside Gemmini's, a list "
              "of `per_channel`, `zero_point`, `clamp`",
              optional},
        m.readOut...);
  if (first.readOut.perChannel)
    visit(Field{"readout_scales", "", "readout_scales", "",
                "with `per_channel` only, and then required: f32 scales that "
                "the store unit holds"},
          m.readOut.scales...);
}

} // namespace fadiff

#endif // FADIFF_HARDWARE_FIELDS_H
