//===- Nest.cpp - A mapping written out -----------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Nest.h"

#include "fadiff/Schedule/Placement.h"
#include "llvm/ADT/STLExtras.h"

using namespace fadiff;
namespace json = llvm::json;

static json::Object loop(llvm::StringRef level, Dim dim, int64_t trips) {
  return json::Object{{"level", level},
                      {"dim", std::string(1, dimName(dim))},
                      {"trips", trips}};
}

json::Array fadiff::loopsOf(const Network &network, const Schedule &schedule,
                            const FusionGroup &group, size_t member) {
  json::Array loops;
  const Mapping &mapping = schedule.mappings[group.layers[member]];
  const Layer *layer = &network.layers[group.layers[member]];
  std::optional<GroupTiles> tiles;
  if (group.isTiled()) {
    tiles.emplace(network, schedule, group);
    const Mapping &last = schedule.mappings[group.layers.back()];
    for (Dim dim : llvm::reverse(last.order[Level::Dram]))
      if ((dim == Dim::N || dim == Dim::P || dim == Dim::Q) &&
          tiles->trips(dim) > 1)
        loops.push_back(loop("group", dim, tiles->trips(dim)));
    layer = &tiles->tileLayer(member);
  }
  for (Level level : llvm::reverse(kAllLevels))
    for (const EmittedLoop &emitted : emittedLoops(*layer, mapping, level)) {
      const bool isGroups = tiles && level == Level::Dram &&
                            (emitted.dim == Dim::N || emitted.dim == Dim::P ||
                             emitted.dim == Dim::Q);
      if (!isGroups)
        loops.push_back(loop(levelName(level), emitted.dim, emitted.trips));
    }
  return loops;
}

json::Array fadiff::tilesOf(const Network &network, const Schedule &schedule,
                            const FusionGroup &group, size_t member,
                            const Accelerator &target) {
  json::Array tiles;
  const Mapping &mapping = schedule.mappings[group.layers[member]];
  Layer layer = network.layers[group.layers[member]];
  if (group.isTiled())
    layer = GroupTiles(network, schedule, group).tileLayer(member);
  auto add = [&](Level level, const char *tensor, int64_t bytes) {
    tiles.push_back(json::Object{
        {"level", levelName(level)}, {"tensor", tensor}, {"bytes", bytes}});
  };
  auto elements = [&](Level level, Tensor tensor) {
    int64_t count = 1;
    for (Dim dim : kAllDims)
      if (isRelevant(tensor, dim))
        count *= mapping.tile(layer, level, dim);
    return count;
  };
  // The machine holds whole rows of `side` elements.
  const Footprint rows = footprint(layer, mapping);
  const int64_t row = target.side * target.elementBytes();
  // Of a group only what its first reads and its last writes goes there.
  if (!group.isTiled()) {
    add(Level::Dram, "W",
        elements(Level::Dram, Tensor::W) * layer.elementBytes);
    add(Level::Dram, "O", elements(Level::Dram, Tensor::O) * layer.outputBytes);
  }
  add(Level::Scratchpad, "W", rows.weightRows * row);
  add(Level::Scratchpad, "I", rows.inputRows * row);
  add(Level::Accumulator, "O", rows.outputRows * target.side * 4);
  add(Level::Registers, "W", mapping.rows * mapping.cols * layer.elementBytes);
  return tiles;
}
