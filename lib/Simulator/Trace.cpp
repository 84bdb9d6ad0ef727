//===- Trace.cpp - When each command ran ----------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Simulator/Trace.h"

#include "llvm/Support/JSON.h"

#include <limits>

using namespace fadiff;
using namespace fadiff::sim;

/// Bounds of what is kept of any program.
static constexpr size_t kMostSlices = 6000, kMostBins = 512;

void Trace::add(const TraceEvent &event) {
  addToSlices(event);
  addBytes(event);
  if (recorded.size() < maxEvents)
    recorded.push_back(event);
  else
    ++numDropped;
}

void Trace::finish(int64_t time) {
  if (spans.empty())
    return;
  spans.back().finish = time;
  if (spans.back().finish == spans.back().start)
    spans.pop_back();
}

void Trace::enterRegion(int64_t id, int64_t time) {
  finish(time);
  spans.push_back({id, time, time});
}

Track sim::trackOf(CommandKind kind) {
  switch (kind) {
  case CommandKind::ConfigLd:
  case CommandKind::Mvin:
    return Track::Load;
  case CommandKind::ConfigSt:
  case CommandKind::Mvout:
  case CommandKind::MvoutSpad:
    return Track::Store;
  case CommandKind::ConfigEx:
  case CommandKind::Preload:
  case CommandKind::Compute:
    return Track::Execute;
  case CommandKind::Flush:
  case CommandKind::Fence:
  case CommandKind::LoopWs:
    break;
  }
  return Track::Host;
}

//===----------------------------------------------------------------------===//
// Taken together
//===----------------------------------------------------------------------===//

/// Adds `next`, which begins behind `slice`, to it if both are of one region
/// and one tile, or no more than `gap` cycles apart.
static bool join(TraceSlice &slice, const TraceSlice &next, int64_t gap) {
  const bool sameTile =
      slice.lastTile == next.firstTile && next.firstTile == next.lastTile;
  if (slice.region != next.region ||
      (!sameTile && next.start - slice.finish > gap) ||
      (gap == 0 && !sameTile) || next.start < slice.finish)
    return false;
  slice.finish = next.finish;
  slice.busy += next.busy;
  slice.lastTile = next.lastTile;
  slice.commands += next.commands;
  slice.bytes += next.bytes;
  return true;
}

void Trace::addToSlices(const TraceEvent &event) {
  const Track track = trackOf(event.kind);
  const TraceSlice slice = {track,
                            event.region,
                            event.start,
                            event.finish,
                            event.finish - event.start,
                            event.tile,
                            event.tile,
                            1,
                            event.bytes};
  size_t &last = open[size_t(track)];
  if (last < merged.size() && merged[last].track == track &&
      join(merged[last], slice, gap))
    return;
  last = merged.size();
  merged.push_back(slice);
  if (merged.size() > kMostSlices)
    mergeSlices();
}

void Trace::mergeSlices() {
  // Half of them go; more than a gap of all the program brings nothing.
  while (merged.size() > kMostSlices / 2 && gap < (int64_t(1) << 50)) {
    gap = gap == 0 ? 16 : 2 * gap;
    std::vector<TraceSlice> fewer;
    for (unsigned track = 0; track < kNumTracks; ++track)
      open[track] = std::numeric_limits<size_t>::max();
    for (const TraceSlice &slice : merged) {
      size_t &last = open[size_t(slice.track)];
      if (last < fewer.size() && join(fewer[last], slice, gap))
        continue;
      last = fewer.size();
      fewer.push_back(slice);
    }
    merged = std::move(fewer);
  }
}

void Trace::addBytes(const TraceEvent &event) {
  while (size_t(event.finish / binWidth) >= kMostBins) {
    for (size_t i = 0; i < bins.size(); i += 2)
      bins[i / 2] = bins[i] + (i + 1 < bins.size() ? bins[i + 1] : 0);
    bins.resize((bins.size() + 1) / 2);
    binWidth *= 2;
  }
  if (event.bytes == 0)
    return;
  bins.resize(std::max(bins.size(), size_t(event.finish / binWidth) + 1));
  // Evenly over the time that it took; the last bin gets what rounding leaves.
  const int64_t length = std::max<int64_t>(1, event.finish - event.start);
  int64_t left = event.bytes;
  for (int64_t at = event.start; at < event.finish;) {
    const int64_t next = std::min((at / binWidth + 1) * binWidth, event.finish);
    const int64_t part =
        next == event.finish
            ? left
            : std::min(left, event.bytes * (next - at) / length);
    bins[size_t(at / binWidth)] += part;
    left -= part;
    at = next;
  }
}

//===----------------------------------------------------------------------===//
// Written
//===----------------------------------------------------------------------===//

/// The numbers of the tracks in the file; the first is 1.
static constexpr int64_t kLayersTrack = kNumTracks + 1;
static constexpr int64_t kNumTracksOfFile = kLayersTrack + kNumTracks;
static constexpr llvm::StringLiteral kTrackNames[] = {
    "load",       "execute",       "store",       "host",      "layers",
    "load tiles", "execute tiles", "store tiles", "host waits"};

static llvm::StringRef nameOf(CommandKind kind) {
  static constexpr llvm::StringLiteral names[kNumCommandKinds] = {
      "config_ex", "config_ld", "config_st", "mvin",  "mvout",  "mvout_spad",
      "preload",   "compute",   "flush",     "fence", "loop_ws"};
  return names[size_t(kind)];
}

void Trace::write(llvm::raw_ostream &os,
                  llvm::function_ref<std::string(int64_t)> regionName) const {
  llvm::json::OStream json(os);
  auto event = [&](llvm::StringRef name, int64_t track, int64_t start,
                   int64_t finish, llvm::function_ref<void()> arguments) {
    json.object([&] {
      json.attribute("name", name);
      json.attribute("ph", "X");
      json.attribute("pid", 0);
      json.attribute("tid", track);
      json.attribute("ts", start);
      json.attribute("dur", finish - start);
      json.attributeObject("args", arguments);
    });
    os << '\n';
  };
  json.object([&] {
    json.attribute("displayTimeUnit", "ns");
    json.attributeObject("otherData", [&] {
      json.attribute("unit", "1 us is 1 cycle");
      json.attribute("dropped_commands", int64_t(numDropped));
    });
    json.attributeArray("traceEvents", [&] {
      for (int64_t track = 1; track <= kNumTracksOfFile; ++track)
        json.object([&] {
          json.attribute("name", "thread_name");
          json.attribute("ph", "M");
          json.attribute("pid", 0);
          json.attribute("tid", track);
          json.attributeObject(
              "args", [&] { json.attribute("name", kTrackNames[track - 1]); });
        });
      for (const TraceRegion &span : spans)
        event(regionName(span.id), kLayersTrack, span.start, span.finish,
              [&] { json.attribute("region", span.id); });
      for (const TraceSlice &slice : merged) {
        std::string name =
            regionName(slice.region) + " t" + std::to_string(slice.firstTile);
        if (slice.lastTile != slice.firstTile)
          name += " to t" + std::to_string(slice.lastTile);
        event(name, kLayersTrack + 1 + int64_t(slice.track), slice.start,
              slice.finish, [&] {
                json.attribute("commands", slice.commands);
                json.attribute("busy_cycles", slice.busy);
                json.attribute("dram_bytes", slice.bytes);
              });
      }
      for (size_t bin = 0; bin < bins.size(); ++bin) {
        json.object([&] {
          json.attribute("name", "DRAM");
          json.attribute("ph", "C");
          json.attribute("pid", 0);
          json.attribute("ts", int64_t(bin) * binWidth);
          json.attributeObject("args", [&] {
            json.attribute("bytes per cycle",
                           double(bins[bin]) / double(binWidth));
          });
        });
        os << '\n';
      }
      for (const TraceEvent &e : recorded) {
        std::string name = regionName(e.region) + " t" +
                           std::to_string(e.tile) + ' ' + nameOf(e.kind).str();
        event(name, int64_t(trackOf(e.kind)) + 1, e.start, e.finish, [&] {
          json.attribute("command", int64_t(e.command));
          json.attribute("tile", e.tile);
          if (e.rows) {
            json.attribute("rows", e.rows);
            json.attribute("cols", e.cols);
          }
        });
      }
    });
  });
  os << '\n';
}
