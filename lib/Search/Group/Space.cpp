//===- Space.cpp - Every way for a chain to share tiles -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Space.h"

#include "../Problem/Factors.h"
#include "Share.h"

#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Turn.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace fadiff;
using namespace fadiff::exact;
using llvm::divideCeilSigned;

/// Spaces beyond this are not held: a second and 100 MB or so.
static constexpr int64_t kMostExtents = 2048;
static constexpr int64_t kMostTaps = 256; ///< along one axis
static constexpr size_t kMostOptions = 1000000;

bool GroupTile::isExact() const {
  return isPrecise && llvm::all_of(kShared, [&](Dim dim) {
           return extents[dim].least == extents[dim].most;
         });
}

PerDim<int64_t> GroupTile::tile() const {
  PerDim<int64_t> tile{1};
  for (Dim dim : kShared)
    tile[dim] = extents[dim].least;
  return tile;
}

/// The smallest extent that cuts `bound` into as many tiles as `extent` does.
static int64_t leastAlike(int64_t bound, int64_t extent) {
  return divideCeilSigned(bound, divideCeilSigned(bound, extent));
}

GroupSpace::GroupSpace(const Network &network, const TensorUses &uses,
                       std::vector<unsigned> layers, std::vector<Points> apart,
                       const Accelerator &target, const SearchSpace &space,
                       bool poolsOutputs, const Budget &budget)
    : network(network), uses(uses), indices(std::move(layers)),
      alone(std::move(apart)), target(target), space(space),
      divisors(!space.unevenTiles), budget(budget), tiles(indices.size()),
      poolsOutputs(poolsOutputs) {
  constexpr int64_t kMostTrips = int64_t(1) << 16; // verify()'s
  static_assert(kMostExtents <= kMostTrips);
  for (unsigned index : indices)
    chain.push_back(&network.layers[index]);
  for (const Layer *layer : chain)
    for (Dim dim : {Dim::N, Dim::P, Dim::Q, Dim::R, Dim::S})
      if (layer->dims[dim] > (isReduction(dim) ? kMostTaps : kMostExtents))
        complete = false;
  for (const Layer *layer : chain)
    turnedLayers.push_back(turned(*layer));
  for (const Layer &layer : turnedLayers)
    turnedChain.push_back(&layer);
  for (auto &byPool : stored)
    for (std::vector<Stored> &perLast : byPool)
      perLast.resize(chain.size());
  findReach();
  const std::optional<Axis> ways[] = {std::nullopt, Axis::H, Axis::W};
  for (size_t last = 0; last < chain.size(); ++last)
    for (bool poolsOutput : {false, true})
      for (std::optional<Axis> keeps : ways)
        if (complete && (poolsOutput ? mayPool(last) : last > 0))
          addTiles(last, poolsOutput, keeps);
  if (complete)
    nameContexts();
}

bool GroupSpace::mayPool(size_t last) const {
  if (!poolsOutputs)
    return false;
  llvm::Error error = verifyPoolsOutput(*chain[last], target);
  const bool may = !error;
  llvm::consumeError(std::move(error));
  return may;
}

void GroupSpace::addTiles(size_t last, bool poolsOutput,
                          std::optional<Axis> keeps) {
  const llvm::ArrayRef<const Layer *> upTo =
      chainIf(keeps).take_front(last + 1);
  // Padding that is not zero is cleared row by row.
  const bool square = llvm::all_of(upTo, [](const Layer *member) {
    return member->isSquare() && member->padValue == 0;
  });
  // Without windows that overlap there is nothing to keep; turning images that
  // are square changes nothing.
  if (keeps &&
      (last == 0 || target.handsOverInPlace() || (keeps == Axis::W && square) ||
       llvm::none_of(
           upTo, [](const Layer *member) { return mayShareRows(*member); })))
    return;
  const Layer &layer = *upTo.back();
  Stored &own = storedIf(keeps, poolsOutput, last);
  own.bounds = layer.dims;
  if (poolsOutput)
    for (Axis axis : kAllAxes)
      own.bounds[outputDim(axis)] = layer.pool->outputs[axis];
  PerDim<std::vector<GroupTile::Extents>> sets;
  for (Dim dim : kShared) {
    if (own.families[dim].single.empty())
      addFamily(last, dim, keeps, /*keepRows=*/false, poolsOutput,
                own.families[dim]);
    const int64_t bound = own.bounds[dim];
    for (int64_t most = bound; most >= 1;) {
      // Together: extents that make up to about twice as many tiles.
      const int64_t least =
          most == bound ? leastAlike(bound, bound)
                        : leastAlike(bound, divideCeilSigned(most + 1, 2));
      sets[dim].push_back({least, most});
      most = least - 1;
    }
  }
  if (keeps)
    addFamily(last, Dim::P, keeps, /*keepRows=*/true, poolsOutput,
              own.keptRows);
  for (GroupTile::Extents n : sets[Dim::N])
    // Of equals the first stays: that with longer rows.
    for (GroupTile::Extents q : sets[Dim::Q])
      for (GroupTile::Extents p : sets[Dim::P]) {
        // Of two tiles that are each other turned, the one with longer rows
        // (G8).
        if (keeps ? p.most == own.bounds[Dim::P] : square && p.least > q.least)
          continue;
        if (outOfEffort()) {
          complete = false;
          return;
        }
        GroupTile next;
        next.keeps = keeps;
        next.poolsOutput = poolsOutput;
        next.extents[Dim::N] = n;
        next.extents[Dim::P] = p;
        next.extents[Dim::Q] = q;
        if (visit(last, next))
          tiles[last].push_back(std::move(next));
      }
}

void GroupSpace::addFamily(size_t last, Dim dim, std::optional<Axis> keeps,
                           bool keepRows, bool poolsOutput, Family &family) {
  PerDim<int64_t> tile = storedIf(keeps, poolsOutput, last).bounds;
  // What members make for those behind is the same wherever groups start.
  const llvm::ArrayRef<const Layer *> upTo =
      chainIf(keeps).take_front(last + 1);
  FusionGroup whole;
  whole.layers.assign(indices.begin(), indices.begin() + last + 1);
  whole.liveSkips = whole.layers;
  const GroupFlow flow = flowOf(network, uses, whole);
  // The whole dim makes one tile, which keeps rows for no other.
  const int64_t most = tile[dim] - (keepRows ? 1 : 0);
  for (tile[dim] = 1; tile[dim] <= most; ++tile[dim]) {
    const GroupTiles tied(upTo.vec(), tile, flow, keepRows, poolsOutput);
    DimTile &next = family.single.emplace_back();
    for (size_t i = 0; i <= last; ++i)
      next.members.push_back(makeShare(tied, i, dim, divisors, target.side));
  }
}
GroupSpace::GroupSpace(GroupSpace &&) noexcept = default;
GroupSpace::~GroupSpace() = default;

bool GroupSpace::outOfEffort() const {
  return pool.size() > kMostOptions || budget.stopped() || budget.outOfTime();
}

/// What the tiles among `extents` have in common; null if there are none.
const DimTile *GroupSpace::dimTile(Family &family, GroupTile::Extents extents,
                                   int64_t bound) {
  int64_t first = extents.least;
  while (first <= extents.most && !isTile(first, bound))
    ++first;
  if (first > extents.most)
    return nullptr;
  if (extents.least == extents.most)
    return &family.single[first - 1];
  auto [it, isNew] =
      family.sets.insert({{extents.least, extents.most}, DimTile()});
  if (!isNew)
    return &it->second;
  it->second = family.single[first - 1];
  for (auto [i, share] : llvm::enumerate(it->second.members)) {
    for (int64_t extent = first + 1; extent <= extents.most; ++extent)
      if (isTile(extent, bound))
        lower(share, family.single[extent - 1].members[i]);
    keepLeast(share.cuts);
  }
  return &it->second;
}

bool GroupSpace::visit(size_t last, GroupTile &result) {
  Stored &own = storedIf(result.keeps, result.poolsOutput, last);
  PerDim<const DimTile *> dims{nullptr};
  for (Dim dim : kShared) {
    dims[dim] = dimTile(result.keeps && dim == Dim::P ? own.keptRows
                                                      : own.families[dim],
                        result.extents[dim], own.bounds[dim]);
    if (!dims[dim])
      return false;
  }
  const DimTile *madeAgain =
      dimTile(own.families[Dim::P], result.extents[Dim::P], own.bounds[Dim::P]);
  return listOptions(last, dims, madeAgain, result);
}

bool GroupSpace::widenSlices(size_t last, size_t index) {
  if (outOfEffort() || tiles[last][index].sliceWidth > 1 ||
      !widened.insert({last, index}).second)
    return false;
  int64_t most = 1;
  for (const Layer *layer : llvm::ArrayRef(chain).take_front(last + 1))
    most = std::max(most, (layer->inputChannels() - 1) / target.side);
  bool any = false;
  for (int64_t width = 2; width <= most; width *= 2) {
    GroupTile wide = tiles[last][index];
    wide.options.clear();
    wide.isPrecise = true;
    wide.sliceWidth = width;
    if (!visit(last, wide))
      continue;
    tiles[last].push_back(std::move(wide));
    any = true;
  }
  return any;
}

bool GroupSpace::split(size_t last, size_t index) {
  if (outOfEffort())
    return false;
  GroupTile first = tiles[last][index];
  first.options.clear();
  const PerDim<GroupTile::Extents> extents = first.extents;
  const Dim widest =
      *std::max_element(kShared.begin(), kShared.end(), [&](Dim a, Dim b) {
        return extents[a].most - extents[a].least <
               extents[b].most - extents[b].least;
      });
  const auto [least, most] = extents[widest];
  if (least == most) {
    first.isPrecise = true;
    tiles[last][index] = visit(last, first) ? std::move(first) : GroupTile();
    return true;
  }
  // Of extents that make as many tiles the smallest is best most of the time.
  const int64_t bound =
      storedIf(first.keeps, first.poolsOutput, last).bounds[widest];
  int64_t middle = least + (most - least) / 2;
  if (leastAlike(bound, most) > least)
    middle = std::max(leastAlike(bound, middle + 1), least + 1) - 1;
  else if (leastAlike(bound, least) == least)
    middle = least;
  GroupTile second = first;
  first.extents[widest] = {least, middle};
  second.extents[widest] = {middle + 1, most};
  const bool hasFirst = visit(last, first);
  if (visit(last, second))
    tiles[last].push_back(std::move(second));
  // Without options it is in nobody's way.
  tiles[last][index] = hasFirst ? std::move(first) : GroupTile();
  return true;
}
