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
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <utility>
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
  int64_t member = -1; ///< its layer (Machine::member), -1 outside of regions
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
  int64_t member = -1;           ///< in lists by member, as in TraceEvent
  int64_t start = 0, finish = 0; ///< cycles
  int64_t busy = 0;              ///< of these, those in which a command ran
  int64_t firstTile = 0, lastTile = 0;
  int64_t commands = 0;
  int64_t bytes = 0; ///< read from DRAM or written there
};

/// Commands of a program of any length as a bounded number of slices, which get
/// coarser: tiles of a row are taken together across ever longer gaps. A row is
/// a track or, in a list by member, a track of a layer, without fences.
class TraceSlices {
public:
  explicit TraceSlices(bool byMember) : byMember(byMember) {}

  llvm::ArrayRef<TraceSlice> list() const { return slices; }
  /// Idle cycles of a row across which tiles were taken together; 0: none.
  int64_t mergedGap() const { return gap; }
  /// Commands in no slice, as there are too many rows for all to have one.
  int64_t leftOut() const { return numLeftOut; }

  void add(const TraceEvent &event);

private:
  void merge();
  /// The last slice of the row, if there is one and `next` can be added to it.
  bool joinLast(std::vector<TraceSlice> &list, const TraceSlice &next);

  const bool byMember;
  std::vector<TraceSlice> slices;
  /// The last slice of each row: of track and member.
  llvm::DenseMap<std::pair<int64_t, int64_t>, size_t> last;
  int64_t gap = 0;
  int64_t numLeftOut = 0;
};

/// Time spent in a region between two changes of region.
struct TraceSpan {
  int64_t region = -1;
  int64_t start = 0, finish = 0; ///< cycles
};

/// What a schedule says of a region, for people.
struct TracedRegion {
  std::string name;
  std::vector<std::string> layers;
  /// As planned; absent if not known.
  std::optional<int64_t> scratchpadBytes, accumulatorBytes;
};

/// What a machine records if MachineOptions points to one. Bounded: of the
/// commands beyond `maxEvents` only the number is kept. Regions, slices and
/// bytes over time cover the whole program, however long: they get coarser.
class Trace {
public:
  explicit Trace(size_t maxEvents = 40000) : maxEvents(maxEvents) {}

  llvm::ArrayRef<TraceEvent> events() const { return recorded; }
  llvm::ArrayRef<TraceSpan> regions() const { return spans; }
  uint64_t dropped() const { return numDropped; }
  const TraceSlices &slices() const { return byTrack; }
  const TraceSlices &memberSlices() const { return byMember; }
  /// DRAM bytes, read and written, in each `binCycles()` cycles.
  llvm::ArrayRef<int64_t> dramBytes() const { return bins; }
  int64_t binCycles() const { return binWidth; }

  void add(const TraceEvent &event);
  /// Also closes the region before.
  void enterRegion(int64_t id, int64_t time);
  /// Closes the last region: call it with Machine::cycles() before writing.
  void finish(int64_t time);

  /// Writes Chrome's trace event format, which Perfetto opens; a cycle is a
  /// microsecond there. Tracks are load, execute, store and host, command by
  /// command, and their slices; layers' slices, a process for each unit; as
  /// counters DRAM bytes per cycle, and what `regions`, by their number, plan
  /// to hold. Commands that would make the file larger than `mostBytes` are
  /// left out; returns how many were written.
  size_t write(llvm::raw_ostream &os, llvm::ArrayRef<TracedRegion> regions,
               uint64_t mostBytes = 10000000) const;

private:
  size_t maxEvents;
  uint64_t numDropped = 0;
  std::vector<TraceEvent> recorded;
  std::vector<TraceSpan> spans;

  void addBytes(const TraceEvent &event);

  TraceSlices byTrack{/*byMember=*/false}, byMember{/*byMember=*/true};
  std::vector<int64_t> bins;
  int64_t binWidth = 64;
};

} // namespace sim
} // namespace fadiff

#endif // FADIFF_SIMULATOR_TRACE_H
