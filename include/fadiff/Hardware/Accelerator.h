//===- Accelerator.h - One machine ------------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The record that mapping, cost model, code generator and simulator all read.
// People write it as YAML (hardware/*.yaml), IR carries it as #fadiff.target.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_HARDWARE_ACCELERATOR_H
#define FADIFF_HARDWARE_ACCELERATOR_H

#include <array>
#include <cstdint>
#include <string>

namespace fadiff {

/// The memory hierarchy, innermost first: PE registers hold W, the accumulator
/// O (32-bit), the scratchpad I and W (8-bit, or f32) and fused intermediates.
enum class Level : uint8_t { Registers, Accumulator, Scratchpad, Dram };
inline constexpr unsigned kNumLevels = 4;
inline constexpr std::array<Level, kNumLevels> kAllLevels = {
    Level::Registers, Level::Accumulator, Level::Scratchpad, Level::Dram};
/// "registers", "accumulator", "scratchpad", "dram".
const char *levelName(Level level);

template <typename T> class PerLevel {
public:
  PerLevel() = default;
  explicit PerLevel(const T &init) { values.fill(init); }
  T &operator[](Level level) { return values[static_cast<size_t>(level)]; }
  const T &operator[](Level level) const {
    return values[static_cast<size_t>(level)];
  }
  bool operator==(const PerLevel &other) const {
    return values == other.values;
  }

private:
  std::array<T, kNumLevels> values{};
};

/// How a fused producer's tile reaches its consumer without DRAM.
enum class HandOver : uint8_t {
  None,               ///< It cannot: the tile goes through DRAM.
  MvoutSpad,          ///< mvout_spad copies accumulator -> scratchpad.
  AccumulatorOperand, ///< The array reads A from the accumulator.
};

/// What the array multiplies and adds.
enum class Arithmetic : uint8_t {
  Int8,    ///< int8 * int8, summed in int32, scaled and rounded to int8.
  Float32, ///< All of it in IEEE single precision.
};

/// What runs whole tiles of a matrix product, DRAM to DRAM, by one instruction.
enum class LoopUnit : uint8_t {
  None,
  Matmul, ///< loop_ws (docs/Simulator.md).
};

/// Which half of the scratchpad the operands of a loop_ws go to.
enum class LoopHalves : uint8_t {
  Turns,  ///< One after the other, loop by loop.
  Chosen, ///< The command says so, and may find operands where they lie.
};

/// What runs whole tiles of a convolution by one instruction.
enum class ConvLoopUnit : uint8_t {
  None,
  Conv, ///< loop_conv_ws (docs/Simulator.md).
};

/// What a load into the accumulator multiplies each element by.
enum class LoadScale : uint8_t {
  None,
  Float32, ///< One f32 per load, rounded and saturated to the element's type.
};

/// Max pooling in the store unit, as results leave the accumulator.
struct PoolLimits {
  int64_t window = 3;   ///< most rows and columns of a window; 0: none
  int64_t stride = 3;   ///< most rows and columns from one to the next
  int64_t extent = 255; ///< most rows and columns of a tile that is pooled

  bool operator==(const PoolLimits &other) const {
    return window == other.window && stride == other.stride &&
           extent == other.extent;
  }
};

/// What a read-out, of int8 results from the accumulator, can do beside one
/// scale, ReLU and saturation (docs/Hardware.md, "Read-out"). Gemmini: nothing.
struct ReadOutFeatures {
  bool perChannel = false; ///< a scale for each output channel
  bool zeroPoint = false;  ///< an offset behind the rounding
  bool clamp = false;      ///< other bounds than int8's
  /// f32 scales that the store unit holds, where there is one per channel.
  int64_t scales = 0;

  bool any() const { return perChannel || zeroPoint || clamp; }
  /// Without the number of scales.
  bool operator==(const ReadOutFeatures &other) const {
    return includes(other) && other.includes(*this);
  }
  /// Whether all that `other` does is done.
  bool includes(const ReadOutFeatures &other) const {
    return perChannel >= other.perChannel && zeroPoint >= other.zeroPoint &&
           clamp >= other.clamp;
  }
};

/// A Gemmini-like machine. Sizes in bytes, time in cycles, energy in pJ.
/// Fields.h lists the fields by name; what a description may leave out is as it
/// is here.
struct Accelerator {
  std::string name;

  /// The array is side x side: C over rows, K (or G) over columns.
  int64_t side = 16;
  Arithmetic arithmetic = Arithmetic::Int8;
  int64_t scratchpadBytes = 0;
  int64_t scratchpadBanks = 4;
  int64_t accumulatorBytes = 0;
  int64_t accumulatorBanks = 2;
  HandOver handOver = HandOver::None;
  LoopUnit loopUnit = LoopUnit::Matmul;
  LoopHalves loopHalves = LoopHalves::Chosen;
  ConvLoopUnit convLoopUnit = ConvLoopUnit::Conv;
  LoadScale loadScale = LoadScale::Float32;
  PoolLimits pool;
  ReadOutFeatures readOut;

  /// pJ per MAC, and per scalar access at each level.
  double energyPerMac = 0;
  PerLevel<double> energyPerAccess{0.0};
  /// Words per cycle for reads, fills and updates together. Registers: per
  /// used PE; accumulator: per used column; scratchpad and DRAM: in total.
  PerLevel<double> bandwidth{0.0};
  /// Bytes per cycle that emitted programs get of DRAM, reads and writes
  /// together; 0: the bandwidth, which else is a convention of rooflines.
  double dramRate = 0;

  /// DMA and timing (docs/Simulator.md).
  int64_t dmaBytesPerCycle = 16;    ///< bus width, each direction
  int64_t dmaMaxRequestBytes = 64;  ///< largest single request
  int64_t dmaRequestsInFlight = 16; ///< per direction
  int64_t dmaLatency = 100;         ///< cycles from request to first beat
  int64_t loadStations = 8;         ///< reservation station entries
  int64_t storeStations = 4;
  int64_t executeStations = 16;
  int64_t commandCycles = 5; ///< cycles for the CPU to issue a command
  /// Cycles of the CPU per element of a pooling window, per element that it
  /// copies or fills, per load, store or arithmetic operation of its other
  /// loops, and per call of a function such as exp; 0: not known.
  int64_t corePoolCycles = 0, coreCopyCycles = 0;
  int64_t coreOperationCycles = 0, coreCallCycles = 0;
  int64_t scratchpadReadDelay = 4;
  int64_t accumulatorPipe = 10; ///< accumulator read + scale pipeline
  /// Passes between the array's entry and its exit; 0: as many as come.
  int64_t passesInFlight = 0;

  /// The memory behind the DMA, in 64-byte lines: a cache, behind it perhaps a
  /// larger one, and what a line that is not there costs more, in cycles of the
  /// reader or writer. 0 bytes: all requests are alike, and rows aligned.
  int64_t cacheBytes = 0, cacheWays = 8;
  double cacheMissCycles = 0;
  int64_t lastLevelBytes = 0;
  double lastLevelMissCycles = 0;

  /// What RTL adds to that (docs/Latency.md). The simulator takes the second
  /// one where there is a cache, and no other.
  int64_t dmaColdLatency = 38;      ///< more of it, on a line's first request
  int64_t dmaShortWriteCycles = 36; ///< to write a row below the bus width
  double passCycles = 7.3;          ///< least time between two array passes
  double overlapLoss = 0.09;        ///< share of hidden work that shows

  /// Cycles per second; 0 if that is not known. Nothing but times and leakage
  /// needs it.
  double clockHz = 0;
  /// Power of array and memories whatever they do, in mW; it needs the clock.
  double leakageMilliwatts = 0;
  /// In mm2; 0 if it is not known. Nothing is decided by it but in a design.
  double area = 0;

  /// What leaks in a cycle, in pJ.
  double leakagePerCycle() const {
    return clockHz > 0 ? leakageMilliwatts * 1e9 / clockHz : 0;
  }
  /// Cycles that DRAM takes to move a byte for the emitted program, in either
  /// direction. 0 where caches lie before it: what misses cost has fields of
  /// its own.
  double dramCyclesPerByte() const {
    const double bytes = dramRate > 0 ? dramRate : bandwidth[Level::Dram];
    return bytes > 0 && !cacheBytes ? 1 / bytes : 0;
  }
  /// Bytes of an element of inputs and weights, in DRAM and scratchpad. Sums
  /// take 4 in either arithmetic.
  int64_t elementBytes() const {
    return arithmetic == Arithmetic::Int8 ? 1 : 4;
  }
  /// Rows of `side` elements: int8 or f32 in the scratchpad, int32 or f32 in
  /// the accumulator.
  int64_t scratchpadRows() const {
    return scratchpadBytes / (side * elementBytes());
  }
  int64_t accumulatorRows() const { return accumulatorBytes / (4 * side); }
  /// Whether tiles that are handed over are copied to the scratchpad.
  bool handsOverCopies() const { return handOver == HandOver::MvoutSpad; }
  /// Whether tiles that are handed over stay where they were summed up.
  bool handsOverInPlace() const {
    return handOver == HandOver::AccumulatorOperand;
  }
  /// Most columns of elements that one mvin / mvout moves: a request's worth,
  /// at least a row.
  int64_t maxMoveColumns() const {
    const int64_t columns = dmaMaxRequestBytes / elementBytes();
    return side > columns ? side : columns;
  }
  /// Mvins that may be open at once (RTL LoadController.scala, `nCmds`).
  int64_t openLoads() const { return dmaRequestsInFlight / side + 1; }
  /// Cycles from a row's way into the array to its sums' in the accumulator.
  int64_t arrayDepth() const { return 3 * side + 1 + scratchpadReadDelay; }
};

bool operator==(const Accelerator &a, const Accelerator &b);

/// What `machine` says of the field that Fields.h lists as `name`, for the
/// error that refuses what it cannot do: "pool.window of 'gemmini' is 3".
std::string describeField(const Accelerator &machine, const char *name);

/// Why no machine can have the read-out that `machine` names; empty if one can.
std::string whyNoReadOut(const Accelerator &machine);

} // namespace fadiff

#endif // FADIFF_HARDWARE_ACCELERATOR_H
