//===- Residency.cpp - Who lies on chip, where and when -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/Residency.h"
#include "Rule.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>

using namespace fadiff;
using fadiff::rules::saturatingAdd;
using Kind = Resident::Kind;

Residency::Residency(GroupFlow groupFlow, const Rooms &rooms,
                     const Accelerator &target)
    : flow(std::move(groupFlow)), target(target) {
  for (auto [t, tile] : llvm::enumerate(flow.tiles))
    residents.push_back({Kind::Tile, t, levelOfTile(!tile.producer, target),
                         rooms.tiles[t].rows, tile.first, tile.last,
                         rooms.tiles[t].stays});
  // Members that hand over slices take turns: all of them are at work.
  for (auto [i, room] : llvm::enumerate(rooms.members)) {
    const auto [first, last] = flow.turnsOf(i);
    residents.push_back({Kind::Weights, i, Level::Scratchpad, room.weightRows,
                         first, last, room.keepsWeights});
  }
  for (auto [i, room] : llvm::enumerate(rooms.members)) {
    const auto [first, last] = flow.turnsOf(i);
    if (hasOwnSums(flow.members[i].output.has_value(), target))
      residents.push_back({Kind::Sums, i, Level::Accumulator, room.sumRows,
                           first, last, false});
  }
}

Residency::Rooms Residency::roomsOf(const GroupTiles &tiles,
                                    llvm::ArrayRef<Mapping> mappings,
                                    const Accelerator &target) {
  Residency::Rooms rooms;
  for (auto [t, tile] : llvm::enumerate(tiles.flow().tiles)) {
    const Mapping &reader = mappings[tile.reader];
    if (tile.producer)
      rooms.tiles.push_back(
          {tiles.held(t).rows(target.side), tiles.keepsTile(t)});
    else
      rooms.tiles.push_back({tiles.loadedRows(t, reader),
                             tile.turns || tiles.keepsLoaded(t, reader)});
  }
  for (auto [i, mapping] : llvm::enumerate(mappings)) {
    const Footprint rows = footprint(tiles.tileLayer(i), mapping);
    rooms.members.push_back({rows.weightRows, rows.outputRows,
                             weightsResident(tiles.layer(i), mapping)});
  }
  return rooms;
}

Residency::Residency(const GroupTiles &tiles, llvm::ArrayRef<Mapping> mappings,
                     const Accelerator &target)
    : Residency(tiles.flow(), roomsOf(tiles, mappings, target), target) {}

int64_t Residency::rowsAt(Level level, size_t member,
                          std::optional<Kind> kind) const {
  int64_t rows = 0;
  for (const Resident &resident : residents)
    if (resident.level == level && resident.isLiveAt(member) &&
        (!kind || resident.kind == *kind))
      rows = saturatingAdd(rows, resident.rows);
  return rows;
}

int64_t Residency::peak(Level level) const {
  int64_t most = 0;
  for (size_t i = 0; i < flow.members.size(); ++i)
    most = std::max(most, rowsAt(level, i));
  return most;
}

/// What stays lies at the bottom. Above it are two stacks of the other tiles,
/// which grow from either end as stackTiles() says; the weights of the member
/// at hand lie in the gap that is left, so that a member fits exactly if all
/// that is live meanwhile does. Tiles that are handed over in place form such
/// stacks in the accumulator, and the gap is for the sums of the member that
/// hands over nothing. Other sums are at either end in turn, so that one member
/// may begin while the one before drains.
std::vector<int64_t> Residency::place() const {
  const std::optional<TileStacks> stacks = stackTiles(flow);
  assert(stacks && "verifyFlow() lets no others through");
  std::vector<int64_t> bases(residents.size(), -1);
  int64_t bottom = 0;
  for (Kind kind : {Kind::Weights, Kind::Tile})
    for (auto [resident, base] : llvm::zip(residents, bases))
      if (resident.kind == kind && resident.stays) {
        base = bottom;
        bottom += resident.rows;
      }
  // Rows that live tiles take from either end. What is placed and still live
  // lies below what comes next.
  auto heightAt = [&](bool top, size_t member, Level level) {
    int64_t height = 0;
    for (size_t t = 0; t < flow.tiles.size(); ++t)
      if (const Resident &tile = residents[t];
          bases[t] >= 0 && !tile.stays && tile.level == level &&
          stacks->atTop[t] == top && tile.isLiveAt(member))
        height += tile.rows;
    return height;
  };
  // Rows of the members before that take turns with the one at hand.
  struct {
    int64_t weights = 0, sums[2] = {0, 0};
  } beside;
  const bool inPlace = target.handsOverInPlace();
  for (size_t i = 0; i < flow.members.size(); ++i) {
    for (size_t t : stacks->order) {
      const Resident &tile = residents[t];
      if (tile.first != i || tile.stays)
        continue;
      const int64_t height = heightAt(stacks->atTop[t], i, tile.level);
      const bool isSum = tile.level == Level::Accumulator;
      const int64_t all =
          isSum ? target.accumulatorRows() : target.scratchpadRows();
      bases[t] = stacks->atTop[t] ? all - height - tile.rows
                                  : (isSum ? 0 : bottom) + height;
    }
    if (flow.turnsOf(i).first == i)
      beside = {};
    for (auto [resident, base] : llvm::zip(residents, bases)) {
      if (resident.owner != i || resident.kind == Kind::Tile || resident.stays)
        continue;
      if (resident.kind == Kind::Weights) {
        base = bottom + heightAt(/*top=*/false, i, Level::Scratchpad) +
               beside.weights;
        beside.weights += resident.rows;
        continue;
      }
      int64_t &before = beside.sums[i % 2];
      base = inPlace ? heightAt(/*top=*/false, i, Level::Accumulator)
             : i % 2 ? target.accumulatorRows() - before - resident.rows
                     : before;
      before += resident.rows;
    }
  }
  return bases;
}

int64_t fadiff::sumsBeside(const GroupTiles &tiles, size_t member,
                           const Accelerator &target) {
  const GroupFlow &flow = tiles.flow();
  if (!target.handsOverInPlace()) {
    const auto [first, last] = flow.turnsOf(member);
    return first == last ? 0 : target.accumulatorRows();
  }
  if (!hasOwnSums(flow.members[member].output.has_value(), target))
    return 0;
  int64_t rows = 0;
  for (auto [t, tile] : llvm::enumerate(flow.tiles))
    if (tile.producer &&
        (tiles.keepsTile(t) || (tile.first <= member && member <= tile.last)))
      rows = saturatingAdd(rows, tiles.held(t).rows(target.side));
  return rows;
}
