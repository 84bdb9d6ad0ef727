//===- Trace.h - When each command ran --------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SIMULATOR_TRACE_H
#define FADIFF_SIMULATOR_TRACE_H

#include "fadiff/Simulator/Counters.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <string>
#include <vector>

namespace fadiff {
namespace sim {

/// One command while it held its server (the reader, the array, the writer), or
/// a fence while the core waited. Commands that held none are left out:
/// configurations, preloads behind a compute.
struct TraceEvent {
  CommandKind kind = CommandKind::Fence;
  int64_t start = 0, finish = 0; ///< cycles
  uint64_t command = 0;          ///< position in the program
  int64_t region = -1;
  /// Counts within the region: a tile ends with the store that is followed by
  /// something else.
  int64_t tile = 0;
  int64_t rows = 0, cols = 0;
  int64_t bytes = 0; ///< read from DRAM or written there
};

/// What commands are drawn on.
enum class Track : uint8_t { Load, Execute, Store, Host };
inline constexpr unsigned kNumTracks = 4;
Track trackOf(CommandKind kind);

/// Neighbouring commands of one track and one region, taken together: those of
/// a tile, or of several where there would be too many slices otherwise.
struct TraceSlice {
  Track track = Track::Host;
  int64_t region = -1;
  int64_t start = 0, finish = 0; ///< cycles
  int64_t busy = 0;              ///< of these, those in which a command ran
  int64_t firstTile = 0, lastTile = 0;
  int64_t commands = 0;
  int64_t bytes = 0; ///< read from DRAM or written there
};

/// Time spent in a region between two changes of region.
struct TraceRegion {
  int64_t id = -1;
  int64_t start = 0, finish = 0; ///< cycles
};

/// What a machine records if MachineOptions points to one. Bounded: of the
/// commands beyond `maxEvents` only the number is kept. Regions, slices and
/// bytes over time cover the whole program, however long: they get coarser.
class Trace {
public:
  explicit Trace(size_t maxEvents = 40000) : maxEvents(maxEvents) {}

  llvm::ArrayRef<TraceEvent> events() const { return recorded; }
  llvm::ArrayRef<TraceRegion> regions() const { return spans; }
  uint64_t dropped() const { return numDropped; }
  llvm::ArrayRef<TraceSlice> slices() const { return merged; }
  /// Idle cycles of a track across which tiles were taken together; 0: none.
  int64_t mergedGap() const { return gap; }
  /// DRAM bytes, read and written, in each `binCycles()` cycles.
  llvm::ArrayRef<int64_t> dramBytes() const { return bins; }
  int64_t binCycles() const { return binWidth; }

  void add(const TraceEvent &event);
  /// Also closes the region before.
  void enterRegion(int64_t id, int64_t time);
  /// Closes the last region: call it with Machine::cycles() before writing.
  void finish(int64_t time);

  /// Chrome's trace event format, which Perfetto opens: a track each for load,
  /// execute, store and host, command by command, and for their slices; DRAM
  /// bytes per cycle as a counter; a cycle is a microsecond there. `nameOf`
  /// gives the name of a region.
  void write(llvm::raw_ostream &os,
             llvm::function_ref<std::string(int64_t region)> nameOf) const;

private:
  size_t maxEvents;
  uint64_t numDropped = 0;
  std::vector<TraceEvent> recorded;
  std::vector<TraceRegion> spans;

  void addToSlices(const TraceEvent &event);
  void mergeSlices();
  void addBytes(const TraceEvent &event);

  std::vector<TraceSlice> merged;
  /// The last slice of each track.
  std::array<size_t, kNumTracks> open{};
  int64_t gap = 0;
  std::vector<int64_t> bins;
  int64_t binWidth = 64;
};

} // namespace sim
} // namespace fadiff

#endif // FADIFF_SIMULATOR_TRACE_H
