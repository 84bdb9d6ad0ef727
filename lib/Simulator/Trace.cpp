//===- Trace.cpp - When each command ran ----------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Simulator/Trace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace fadiff;
using namespace fadiff::sim;

/// Bounds of what is kept of any program.
static constexpr size_t kMostSlices = 6000, kMostBins = 512;

void Trace::add(const TraceEvent &event) {
  byTrack.add(event);
  if (trackOf(event.kind) != Track::Host)
    byMember.add(event);
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

bool TraceSlices::joinLast(std::vector<TraceSlice> &list,
                           const TraceSlice &next) {
  auto [at, isNew] =
      last.try_emplace({int64_t(next.track), next.member}, list.size());
  if (!isNew && join(list[at->second], next, gap))
    return true;
  at->second = list.size();
  return false;
}

void TraceSlices::add(const TraceEvent &event) {
  const TraceSlice slice = {
      trackOf(event.kind), event.region, byMember ? event.member : -1,
      event.start,         event.finish, event.finish - event.start,
      event.tile,          event.tile,   1,
      event.bytes};
  const auto before = last.find({int64_t(slice.track), slice.member});
  if (slices.size() >= kMostSlices) {
    // Nothing more can be taken together, and this starts another row.
    if (before == last.end() || !join(slices[before->second], slice, gap))
      ++numLeftOut;
    return;
  }
  if (joinLast(slices, slice))
    return;
  slices.push_back(slice);
  if (slices.size() >= kMostSlices)
    merge();
}

void TraceSlices::merge() {
  // Half of them go; more than a gap of all the program brings nothing.
  while (slices.size() > kMostSlices / 2 && gap < (int64_t(1) << 50)) {
    gap = gap == 0 ? 16 : 2 * gap;
    std::vector<TraceSlice> fewer;
    last.clear();
    for (const TraceSlice &slice : slices)
      if (!joinLast(fewer, slice))
        fewer.push_back(slice);
    slices = std::move(fewer);
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

/// The tracks of the process of the program; the first is 1.
static constexpr int64_t kLayersTrack = kNumTracks + 1;
static constexpr llvm::StringLiteral kTrackNames[] = {
    "load",       "execute",       "store",       "host",      "layers",
    "load tiles", "execute tiles", "store tiles", "host waits"};
/// Layers have a process for each of the first tracks, and a track in it.
static constexpr llvm::StringLiteral kLayerProcesses[] = {
    "layers, load", "layers, execute", "layers, store"};
/// Of regions in the file, which a loop of the host may enter without end.
static constexpr size_t kMostSpans = 6000;

static llvm::StringRef nameOf(CommandKind kind) {
  static constexpr llvm::StringLiteral names[kNumCommandKinds] = {
      "config_ex", "config_ld", "config_st", "mvin",  "mvout",  "mvout_spad",
      "preload",   "compute",   "flush",     "fence", "loop_ws"};
  return names[size_t(kind)];
}

static std::string tilesOf(const TraceSlice &slice) {
  std::string text = " t" + std::to_string(slice.firstTile);
  if (slice.lastTile != slice.firstTile)
    text += " to t" + std::to_string(slice.lastTile);
  return text;
}

size_t Trace::write(llvm::raw_ostream &os, llvm::ArrayRef<TracedRegion> regions,
                    uint64_t mostBytes) const {
  llvm::json::OStream json(os);
  const uint64_t begin = os.tell();
  auto isKnown = [&](int64_t region) {
    return region >= 0 && size_t(region) < regions.size();
  };
  auto regionName = [&](int64_t region) {
    return isKnown(region) ? regions[size_t(region)].name : std::string("host");
  };
  // The first layer of each region among all.
  std::vector<int64_t> firstLayer;
  int64_t numLayers = 0;
  for (const TracedRegion &region : regions) {
    firstLayer.push_back(numLayers);
    numLayers += int64_t(region.layers.size());
  }
  auto event = [&](llvm::StringRef name, int64_t process, int64_t track,
                   int64_t start, int64_t finish,
                   llvm::function_ref<void()> arguments) {
    json.object([&] {
      json.attribute("name", name);
      json.attribute("ph", "X");
      json.attribute("pid", process);
      json.attribute("tid", track);
      json.attribute("ts", start);
      json.attribute("dur", finish - start);
      json.attributeObject("args", arguments);
    });
    os << '\n';
  };
  auto name = [&](llvm::StringRef what, int64_t process, int64_t track,
                  llvm::StringRef text) {
    json.object([&] {
      json.attribute("name", what);
      json.attribute("ph", "M");
      json.attribute("pid", process);
      json.attribute("tid", track);
      json.attributeObject("args", [&] { json.attribute("name", text); });
    });
    os << '\n';
  };
  auto counter = [&](llvm::StringRef what, llvm::StringRef unit, int64_t time,
                     llvm::json::Value value) {
    json.object([&] {
      json.attribute("name", what);
      json.attribute("ph", "C");
      json.attribute("pid", 0);
      json.attribute("ts", time);
      json.attributeObject("args", [&] { json.attribute(unit, value); });
    });
    os << '\n';
  };
  auto ofSlice = [&](const TraceSlice &slice) {
    json.attribute("commands", slice.commands);
    json.attribute("busy_cycles", slice.busy);
    json.attribute("dram_bytes", slice.bytes);
  };
  const llvm::ArrayRef<TraceSpan> listed =
      llvm::ArrayRef(spans).take_front(kMostSpans);
  size_t written = 0;
  json.objectBegin();
  json.attribute("displayTimeUnit", "ns");
  json.attributeArray("traceEvents", [&] {
    name("process_name", 0, 0, "program");
    for (auto [track, text] : llvm::enumerate(kTrackNames))
      name("thread_name", 0, int64_t(track) + 1, text);
    for (auto [process, text] : llvm::enumerate(kLayerProcesses)) {
      name("process_name", int64_t(process) + 1, 0, text);
      for (auto [region, first] : llvm::zip(regions, firstLayer))
        for (auto [layer, text] : llvm::enumerate(region.layers))
          name("thread_name", int64_t(process) + 1, first + int64_t(layer) + 1,
               text);
    }
    for (const TraceSpan &span : listed) {
      event(regionName(span.region), 0, kLayersTrack, span.start, span.finish,
            [&] { json.attribute("region", span.region); });
      const TracedRegion none;
      const TracedRegion &region =
          isKnown(span.region) ? regions[size_t(span.region)] : none;
      counter("scratchpad, planned", "bytes", span.start,
              region.scratchpadBytes.value_or(0));
      counter("accumulator, planned", "bytes", span.start,
              region.accumulatorBytes.value_or(0));
    }
    for (const TraceSlice &slice : byTrack.list())
      event(regionName(slice.region) + tilesOf(slice), 0,
            kLayersTrack + 1 + int64_t(slice.track), slice.start, slice.finish,
            [&] { ofSlice(slice); });
    for (const TraceSlice &slice : byMember.list()) {
      if (!isKnown(slice.region))
        continue;
      const size_t region = size_t(slice.region);
      if (size_t(slice.member) < regions[region].layers.size())
        event(regions[region].layers[size_t(slice.member)] + tilesOf(slice),
              int64_t(slice.track) + 1, firstLayer[region] + slice.member + 1,
              slice.start, slice.finish, [&] { ofSlice(slice); });
    }
    for (auto [bin, bytes] : llvm::enumerate(bins))
      counter("DRAM", "bytes per cycle", int64_t(bin) * binWidth,
              double(bytes) / double(binWidth));
    for (const TraceEvent &e : recorded) {
      // What follows the commands is shorter than this.
      constexpr uint64_t kRoom = 1000;
      if (os.tell() - begin + kRoom > mostBytes)
        break;
      ++written;
      std::string text = regionName(e.region) + " t" + std::to_string(e.tile) +
                         ' ' + nameOf(e.kind).str();
      event(text, 0, int64_t(trackOf(e.kind)) + 1, e.start, e.finish, [&] {
        json.attribute("command", int64_t(e.command));
        json.attribute("tile", e.tile);
        if (e.rows) {
          json.attribute("rows", e.rows);
          json.attribute("cols", e.cols);
        }
      });
    }
  });
  json.attributeObject("otherData", [&] {
    json.attribute("unit", "1 us is 1 cycle");
    json.attribute("dropped_commands",
                   int64_t(numDropped + recorded.size() - written));
    json.attribute("dropped_regions", int64_t(spans.size() - listed.size()));
    json.attribute("commands_in_no_tile", byTrack.leftOut());
  });
  json.objectEnd();
  os << '\n';
  return written;
}
