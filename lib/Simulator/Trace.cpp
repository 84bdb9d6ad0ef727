//===- Trace.cpp - When each command ran ----------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Simulator/Trace.h"

#include "llvm/Support/JSON.h"

using namespace fadiff;
using namespace fadiff::sim;

void Trace::add(const TraceEvent &event) {
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

namespace {
enum Track { Load = 1, Execute, Store, Host, Layers };
constexpr llvm::StringLiteral kTrackNames[] = {"",      "load", "execute",
                                               "store", "host", "layers"};
} // namespace

static Track trackOf(CommandKind kind) {
  switch (kind) {
  case CommandKind::ConfigLd:
  case CommandKind::Mvin:
    return Load;
  case CommandKind::ConfigSt:
  case CommandKind::Mvout:
  case CommandKind::MvoutSpad:
    return Store;
  case CommandKind::ConfigEx:
  case CommandKind::Preload:
  case CommandKind::Compute:
    return Execute;
  case CommandKind::Flush:
  case CommandKind::Fence:
  case CommandKind::LoopWs:
    break;
  }
  return Host;
}

static llvm::StringRef nameOf(CommandKind kind) {
  static constexpr llvm::StringLiteral names[kNumCommandKinds] = {
      "config_ex", "config_ld", "config_st", "mvin",  "mvout",  "mvout_spad",
      "preload",   "compute",   "flush",     "fence", "loop_ws"};
  return names[size_t(kind)];
}

void Trace::write(llvm::raw_ostream &os,
                  llvm::function_ref<std::string(int64_t)> regionName) const {
  llvm::json::OStream json(os);
  auto event = [&](llvm::StringRef name, Track track, int64_t start,
                   int64_t finish, llvm::function_ref<void()> arguments) {
    json.object([&] {
      json.attribute("name", name);
      json.attribute("ph", "X");
      json.attribute("pid", 0);
      json.attribute("tid", int64_t(track));
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
      for (Track track : {Load, Execute, Store, Host, Layers})
        json.object([&] {
          json.attribute("name", "thread_name");
          json.attribute("ph", "M");
          json.attribute("pid", 0);
          json.attribute("tid", int64_t(track));
          json.attributeObject(
              "args", [&] { json.attribute("name", kTrackNames[track]); });
        });
      for (const TraceRegion &span : spans)
        event(regionName(span.id), Layers, span.start, span.finish,
              [&] { json.attribute("region", span.id); });
      for (const TraceEvent &e : recorded) {
        std::string name = regionName(e.region) + " t" +
                           std::to_string(e.tile) + ' ' + nameOf(e.kind).str();
        event(name, trackOf(e.kind), e.start, e.finish, [&] {
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
