//===- Cost.h - What a cost says --------------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records that the cost model answers with: access counts, DRAM traffic,
// energy and cycles of a layer, of a member of a fusion group, of a group and
// of a schedule. How they are computed stands in Counts.h and Group.h, which
// whoever only reads costs does not include.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_COST_H
#define FADIFF_COSTMODEL_COST_H

#include "fadiff/Hardware/Accelerator.h"
#include "fadiff/Support/Names.h"
#include "fadiff/Workload/Layer.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace fadiff {

/// How accesses are counted.
enum class Convention : uint8_t {
  /// As Timeloop v3 does by default: windows as bounding boxes, padding stored,
  /// DRAM in words. For exact divisors.
  Timeloop,
  /// As the emitted program does: uneven tiles, borders clipped, partial sums
  /// four bytes wide, bias, block-diagonal depthwise; DRAM in bytes.
  Machine,
};

/// What is counted.
enum class Model : uint8_t {
  /// Every access, as the convention says.
  Exact,
  /// Equations 4 to 12 of the FADiff paper to the letter, for comparison: each
  /// tile times the loops over the tensor's own dims, which is the tensor,
  /// whatever the tiling; no partial sums are read. Always in words.
  Paper,
};

/// How a built-in model counts cycles.
enum class Latency : uint8_t {
  Roofline, ///< the slowest of array and memories, all else hidden behind it
  Issue,    ///< of array, memories and the core that issues the commands
  Busy,     ///< of these and the DMA's requests: below what streams take
  Streams,  ///< the emitted streams: what waits for what (docs/Latency.md)
};

// How these are called (Names.h).
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Latency) {
  static constexpr llvm::StringLiteral names[] = {"roofline", "issue", "busy",
                                                  "streams"};
  return names;
}
/// Reads "gemmini" as "streams": modules and schedule files of FADiff 0.1 call
/// it so.
template <>
inline std::optional<Latency> parseName<Latency>(llvm::StringRef name) {
  for (Latency latency :
       {Latency::Roofline, Latency::Issue, Latency::Busy, Latency::Streams})
    if (name == nameOf(latency))
      return latency;
  if (name == "gemmini")
    return Latency::Streams;
  return std::nullopt;
}
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Convention) {
  static constexpr llvm::StringLiteral names[] = {"timeloop", "machine"};
  return names;
}
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Model) {
  static constexpr llvm::StringLiteral names[] = {"exact", "paper"};
  return names;
}

template <typename T> class PerTensor {
public:
  T &operator[](Tensor tensor) { return values[static_cast<size_t>(tensor)]; }
  const T &operator[](Tensor tensor) const {
    return values[static_cast<size_t>(tensor)];
  }

private:
  std::array<T, 3> values{};
};

/// Scalar accesses of one tensor at one level, over all instances in use.
template <typename T> struct AccessCounts {
  T reads{0};   ///< sent inwards; for O also the read half of accumulation
  T fills{0};   ///< arriving from the next outer level
  T updates{0}; ///< results arriving from inside
  T total() const { return reads + fills + updates; }
};

template <typename T> struct DramTraffic {
  T input{0};
  T weights{0};
  T outputWrites{0}; ///< final values and spilled partial sums
  T partialReads{0}; ///< partial sums read back
  T bias{0};
  T residual{0};
  T padding{0}; ///< of another value than zero
  T scales{0};  ///< of output channels
  DramTraffic &operator+=(const DramTraffic &other) {
    input += other.input;
    weights += other.weights;
    outputWrites += other.outputWrites;
    partialReads += other.partialReads;
    bias += other.bias;
    residual += other.residual;
    padding += other.padding;
    scales += other.scales;
    return *this;
  }
  DramTraffic operator*(const T &times) const {
    DramTraffic all = *this;
    for (T *part :
         {&all.input, &all.weights, &all.outputWrites, &all.partialReads,
          &all.bias, &all.residual, &all.padding, &all.scales})
      *part = *part * times;
    return all;
  }
  T reads() const {
    return input + weights + partialReads + bias + residual + padding + scales;
  }
  T writes() const { return outputWrites; }
  T total() const { return reads() + writes(); }
};

/// What a layer costs. Energy in pJ, bytes over the DRAM bus.
template <typename T> struct BasicLayerCost {
  T energy{0};
  T cycles{0};
  /// Multiply-accumulates of the layer, and those the array is charged for.
  T macs{0};
  T arrayMacs{0};
  /// Cycles that the array alone would take.
  T computeCycles{0};
  /// Cycles that it waits for weights beside these, at least (eq. (switches));
  /// 0 but in the machine's counts.
  T switchCycles{0};
  /// Cycles that each memory alone would take for its accesses; 0 where the
  /// machine names no bandwidth.
  PerLevel<T> memoryCycles{T(0)};
  PerLevel<PerTensor<AccessCounts<T>>> access;
  DramTraffic<T> dramBytes;
  /// Commands that the core issues at least, where no loop unit does (eq.
  /// (commands)); 0 but in the machine's counts.
  T commands{0};
  /// Cycles that issuing them takes the core; 0 where that does not count.
  T issueCycles{0};
  /// Cycles that requests hold the DMA's reader and its writer at least (eq.
  /// (requests)); 0 but in the machine's counts.
  T readerCycles{0};
  T writerCycles{0};
  /// Cycles in which as many loads are open as may be, at least.
  T openCycles{0};
  /// Cycles by (busy), below which no streams are predicted; 0 but in these.
  T busyCycles{0};
  /// What of the cycles by (busy) is certain where units work on while the core
  /// is at other members (eq. (visits)); 0 but in these cycles.
  T certainCycles{0};

  /// All accesses at a level. Kinds that no machine makes, such as W in the
  /// accumulator, are always zero and left out.
  T accesses(Level level) const {
    const PerTensor<AccessCounts<T>> &at = access[level];
    switch (level) {
    case Level::Registers:
      return at[Tensor::W].reads + at[Tensor::W].fills;
    case Level::Accumulator:
      return at[Tensor::O].total() + at[Tensor::I].reads;
    case Level::Scratchpad:
      return at[Tensor::W].reads + at[Tensor::W].fills + at[Tensor::I].reads +
             at[Tensor::I].fills + at[Tensor::O].reads + at[Tensor::O].updates;
    case Level::Dram:
      break;
    }
    return at[Tensor::W].reads + at[Tensor::I].reads + at[Tensor::O].reads +
           at[Tensor::O].updates;
  }
};

/// How far a layer's ends are fused into its neighbours: 0 is DRAM, 1 is on
/// chip. Real values in between are the paper's sigma (eqs. 13 to 15 there).
template <typename T> struct FusedEnds {
  T input{0};
  T output{0};
  /// The residual, if there is one.
  T residual{0};
};

/// A member's share of a group's cost. Its cycles are its own roofline.
template <typename T> struct BasicMemberCost : BasicLayerCost<T> {
  T columns{1.0}; ///< of the array, in use
  /// DRAM words that must be there before anything runs.
  T firstWords{0.0};
  /// Scratchpad words moved while nothing else runs: of a handed-over tile that
  /// leaves the accumulator when it is complete, and of rows kept for the next
  /// tile.
  T handOverWords{0.0};
  T keptWords{0.0};
};

template <typename T> struct BasicGroupCost {
  std::vector<BasicMemberCost<T>> members; ///< in order of execution
  T energy{0.0};                           ///< pJ
  T cycles{0.0};
  T macs{0.0};
  DramTraffic<T> dramBytes;
  /// Part of cycles: copies that nothing overlaps.
  T serialCycles{0.0};
};

/// Energy in pJ, cycles, DRAM bytes. All counts are whole numbers below 2^53,
/// so they are exact in double.
using LayerCost = BasicLayerCost<double>;
using MemberCost = BasicMemberCost<double>;
using GroupCost = BasicGroupCost<double>;
using DramBytes = DramTraffic<double>;

struct ScheduleCost {
  Convention convention = Convention::Machine;
  std::vector<GroupCost> groups; ///< in the order of Schedule::groups
  double energy = 0;             ///< pJ
  double cycles = 0;
  /// Part of cycles: the core's, before or after the accelerator's. 0 unless
  /// somebody counts them (countCore).
  double coreCycles = 0;
  DramBytes dramBytes;
  /// Energy-delay product in uJ * cycles.
  double edp() const { return energy * 1e-6 * cycles; }
};

} // namespace fadiff

#endif // FADIFF_COSTMODEL_COST_H
