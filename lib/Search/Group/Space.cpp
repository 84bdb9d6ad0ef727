//===- Space.cpp - Every way for a chain to share tiles -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Space.h"

#include "../Problem/Factors.h"
#include "Memory.h"
#include "Share.h"

#include "fadiff/CostModel/Counts.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Turn.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

using namespace fadiff;
using namespace fadiff::exact;
using llvm::divideCeilSigned;

/// Spaces beyond this are not held: options, a few seconds and 600 MB or so.
static constexpr int64_t kMostExtents = 2048;
static constexpr int64_t kMostTaps = 256; ///< along one axis
static constexpr size_t kMostOptions = 2000000;
/// If tiles are chosen: more of them, and layers of a group, at least and as
/// many as all layers of a chain may have in front of them.
static constexpr size_t kMostOptionsPerLayer = 4000;
static constexpr size_t kLeastReach = 8, kMostReach = 4096;
/// Of the time for listing and choosing.
static constexpr double kForChoice = 0.5;
/// By how much the options of so many layers would be too many, if all had as
/// many, for the rest not to be listed.
static constexpr size_t kFirstLasts = 32;
static constexpr double kFarTooMany = 2;

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

/// The corners of the lower hull of the options' costs.
static llvm::SmallVector<BoundPoint, 16>
cornersOf(llvm::ArrayRef<MemberOption> options, bool bounds) {
  llvm::SmallVector<BoundPoint, 16> points, hull;
  for (const MemberOption &option : options)
    if (bounds || !option.isBound)
      points.push_back({option.energy, option.cycles});
  llvm::sort(points, [](const BoundPoint &a, const BoundPoint &b) {
    return std::tie(a.energy, a.cycles) < std::tie(b.energy, b.cycles);
  });
  /// Whether `b` lies on the line from `a` to `c` or above it.
  auto isAbove = [](const BoundPoint &a, const BoundPoint &b,
                    const BoundPoint &c) {
    return (b.energy - a.energy) * (c.cycles - a.cycles) <=
           (b.cycles - a.cycles) * (c.energy - a.energy);
  };
  for (const BoundPoint &next : points) {
    if (!hull.empty() && hull.back().cycles <= next.cycles)
      continue;
    while (hull.size() > 1 && isAbove(hull[hull.size() - 2], hull.back(), next))
      hull.pop_back();
    hull.push_back(next);
  }
  return hull;
}

const OptionList *OptionPool::add(llvm::ArrayRef<MemberOption> options) {
  if (options.empty())
    return nullptr;
  auto *list = new (forCorners.Allocate<OptionList>()) OptionList();
  list->options = options.copy(forOptions);
  list->corners = list->usableCorners =
      llvm::ArrayRef(cornersOf(options, /*bounds=*/true)).copy(forCorners);
  if (llvm::any_of(options, [](const MemberOption &o) { return o.isBound; }))
    list->usableCorners =
        llvm::ArrayRef(cornersOf(options, /*bounds=*/false)).copy(forCorners);
  return list;
}

/// The smallest extent that cuts `bound` into as many tiles as `extent` does.
static int64_t leastAlike(int64_t bound, int64_t extent) {
  return divideCeilSigned(bound, divideCeilSigned(bound, extent));
}

/// Whether windows of an axis leave nothing out between them and at the end.
static bool coverAll(int64_t outputs, int64_t size, int64_t stride,
                     int64_t padLow, int64_t extent) {
  return size >= stride && (outputs - 1) * stride + size - padLow >= extent;
}

/// Per layer of a chain, whether whoever shares a group with it needs all of
/// its outputs, wherever the group ends.
static std::vector<bool> areAllNeeded(llvm::ArrayRef<const Layer *> chain) {
  std::vector<bool> needed(chain.size());
  bool all = true;
  for (size_t i = chain.size(); i-- > 0;) {
    const Layer &layer = *chain[i];
    for (Axis axis : kAllAxes)
      if (const std::optional<MaxPool> &pool = layer.pool)
        all &= coverAll(pool->outputs[axis], pool->size, pool->stride,
                        pool->padLow[axis], layer.dims[outputDim(axis)]);
    needed[i] = all;
    for (Axis axis : kAllAxes)
      all &= layer.dilation[axis] == 1 &&
             coverAll(layer.dims[outputDim(axis)], layer.dims[kernelDim(axis)],
                      layer.stride[axis], layer.padLow[axis],
                      layer.inputExtent[axis]);
  }
  return needed;
}

/// What a layer that makes all of its outputs costs at least in a group,
/// whatever the tiles, as the first member or not. What is busy moves in other
/// times than the roofline's, so only the array's count there.
static BoundPoint leastInGroup(const Layer &layer, const Accelerator &target,
                               Latency latency, bool isFirst) {
  // Blocks of fewer channels have fewer weights where these are diagonal.
  if (layer.dims[Dim::G] > 1)
    return {0, 0};
  // Windows with gaps may be loaded without; of others each row that is read
  // comes from DRAM once at least, as do weights.
  const bool hasGaps = llvm::any_of(kAllAxes, [&](Axis axis) {
    return layer.dilation[axis] > 1 ||
           layer.dims[kernelDim(axis)] < layer.stride[axis];
  });
  Mapping whole;
  whole.rows = std::min(target.side, layer.dims[Dim::C]);
  whole.cols = std::min(target.side, layer.dims[Dim::K]);
  for (Dim dim : kAllDims)
    whole.temporal[isRelevant(Tensor::W, dim) ? Level::Accumulator
                                              : Level::Registers][dim] =
        divideCeilSigned(layer.dims[dim], whole.spatial(layer, dim));
  for (Level level : kAllLevels)
    whole.order[level] = {Dim::S, Dim::R, Dim::C, Dim::K,
                          Dim::G, Dim::Q, Dim::P, Dim::N};
  const Nest<double> nest = exactNest(layer, whole);
  FusedEnds<double> ends;
  ends.input = isFirst && !hasGaps && layer.padValue == 0 ? 0 : 1;
  ends.output = ends.residual = 1;
  LayerCost cost = countAccesses(nest, Convention::Machine, target, ends);
  // Where outputs go, and in how many pieces, is not said, nor where tiles come
  // from that others hand over.
  cost.access[Level::Scratchpad][Tensor::O] = {};
  cost.access[Level::Accumulator][Tensor::O].reads = 0;
  cost.access[Level::Accumulator][Tensor::I] = {};
  if (ends.input > 0 || layer.hasResidual)
    cost.access[Level::Scratchpad][Tensor::I] = {};
  charge(cost, nest, target, Convention::Machine);
  if (latency == Latency::Busy)
    setCycles(cost, cost.computeCycles, target);
  return {cost.energy, cost.cycles};
}

static constexpr std::optional<Axis> kWaysToKeep[] = {std::nullopt, Axis::H,
                                                      Axis::W};

GroupSpace::GroupSpace(const Network &network, const TensorUses &uses,
                       std::vector<unsigned> layers, std::vector<Points> apart,
                       const Accelerator &target, Latency latency,
                       const SearchSpace &space, bool poolsOutputs,
                       const Budget &budget, ChainMemory *memory,
                       const Tiles *only, bool coarse, bool isFree)
    : network(network), uses(uses), indices(std::move(layers)),
      alone(std::move(apart)), target(target), latency(latency), space(space),
      divisors(!space.unevenTiles), budget(budget), tiles(indices.size()),
      ownPool(only || !memory ? std::make_unique<OptionPool>() : nullptr),
      pool(ownPool ? ownPool.get() : &memory->pool), poolsOutputs(poolsOutputs),
      memory(only ? nullptr : memory),
      mostOptions(only ? kMostOptions + kMostOptionsPerLayer * indices.size()
                       : kMostOptions) {
  constexpr int64_t kMostTrips = int64_t(1) << 16; // verify()'s
  static_assert(kMostExtents <= kMostTrips);
  for (unsigned index : indices)
    chain.push_back(&network.layers[index]);
  if (coarse) {
    BoundPoint least;
    if (areAllNeeded(chain).front())
      least = leastInGroup(*chain.front(), target, latency, /*isFirst=*/true);
    anything = pool->add({MemberOption::atLeast(least)});
  }
  for (const Layer *layer : chain)
    for (Dim dim : {Dim::N, Dim::P, Dim::Q, Dim::R, Dim::S})
      if (layer->dims[dim] > (isReduction(dim) ? kMostTaps
                              : only           ? kMostTrips
                                               : kMostExtents))
        complete = false;
  for (const Layer *layer : chain)
    turnedLayers.push_back(turned(*layer));
  for (const Layer &layer : turnedLayers)
    turnedChain.push_back(&layer);
  if (isFree) {
    aloneUpTo.emplace_back();
    leastUpTo.emplace_back();
    auto addTo = [](std::vector<BoundPoint> &sums, const BoundPoint &next) {
      sums.push_back(
          {sums.back().energy + next.energy, sums.back().cycles + next.cycles});
    };
    for (auto [layer, all] : llvm::zip_equal(chain, areAllNeeded(chain)))
      addTo(leastUpTo,
            all ? leastInGroup(*layer, target, latency, /*isFirst=*/false)
                : BoundPoint());
    for (Points points : alone) {
      const auto product = [](const BoundPoint &point) {
        return point.energy * point.cycles;
      };
      addTo(aloneUpTo,
            *llvm::min_element(points, [&](const auto &a, const auto &b) {
              return product(a) < product(b);
            }));
    }
  }
  for (auto &byPool : stored)
    for (std::vector<Stored> &perLast : byPool)
      perLast.resize(chain.size());
  findReach();
  // Long chains have short groups where tiles are chosen.
  const size_t longest = std::max(kLeastReach, kMostReach / chain.size());
  for (size_t last = longest; only && last < chain.size(); ++last)
    earliest[last] = std::max(earliest[last], last + 1 - longest);
  for (size_t last = 0; last < chain.size(); ++last) {
    for (bool poolsOutput : {false, true})
      for (std::optional<Axis> keeps : kWaysToKeep) {
        if (!complete || !mayBe(last, poolsOutput, keeps))
          continue;
        prepare(last, poolsOutput, keeps);
        if (!only)
          addTiles(last, poolsOutput, keeps);
      }
    // Where it goes on like that most of the chain would not be held.
    if (!only && last >= kFirstLasts &&
        double(held) / double(last + 1) * double(chain.size()) >
            kFarTooMany * double(mostOptions))
      complete = false;
  }
  if (!complete)
    return;
  if (!only) {
    nameContexts();
    return;
  }
  // One of each layer after the other: where they become too many, or time is
  // short, all have some. What is chosen of them is listed anew.
  const double left = budget.secondsLeft();
  const double kept = std::isinf(left) ? 0 : left * kForChoice;
  bool any = true;
  for (size_t index = 0; any; ++index) {
    any = false;
    for (size_t last = 0; last < chain.size(); ++last) {
      if (index >= (*only)[last].size() || outOfEffort() ||
          held > mostOptions / 2 || budget.secondsLeft() < kept)
        continue;
      any = true;
      for (bool poolsOutput : {false, true})
        for (std::optional<Axis> keeps : kWaysToKeep)
          if (mayBe(last, poolsOutput, keeps))
            addTile(last, tileOf((*only)[last][index], poolsOutput, keeps));
    }
  }
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

/// Whether the members' images are as their turned ones. Padding that is not
/// zero is cleared row by row, and pooled rows that one hands over are as wide
/// as the window that they go to.
static bool areSquare(llvm::ArrayRef<const Layer *> members) {
  return llvm::all_of(members, [&](const Layer *member) {
    return member->isSquare() && member->padValue == 0 &&
           (!member->pool || member == members.back());
  });
}

bool GroupSpace::isSquare(size_t last) const {
  // What can do anything can do so turned.
  return areSquare(llvm::ArrayRef(chain).take_front(last + 1).drop_front(
      anything ? std::min(memory->same, last + 1) : 0));
}

bool GroupSpace::mayBe(size_t last, bool poolsOutput,
                       std::optional<Axis> keeps) const {
  if (poolsOutput ? !mayPool(last) : last == 0)
    return false;
  // Without windows that overlap there is nothing to keep; turning images that
  // are square changes nothing.
  return !keeps || (last > 0 && !target.handsOverInPlace() &&
                    !(keeps == Axis::W && isSquare(last)) &&
                    llvm::any_of(chainIf(keeps).take_front(last + 1),
                                 [](const Layer *member) {
                                   return mayShareRows(*member);
                                 }));
}

void GroupSpace::prepare(size_t last, bool poolsOutput,
                         std::optional<Axis> keeps) {
  const Layer &layer = *chainIf(keeps)[last];
  Stored &own = storedIf(keeps, poolsOutput, last);
  own.bounds = layer.dims;
  if (poolsOutput)
    for (Axis axis : kAllAxes)
      own.bounds[outputDim(axis)] = layer.pool->outputs[axis];
  for (Dim dim : kShared)
    own.families[dim].single.resize(own.bounds[dim]);
  if (keeps) // The whole dim makes one tile, which keeps rows for no other.
    own.keptRows.single.resize(own.bounds[Dim::P] - 1);
}

GroupTile GroupSpace::tileOf(const PerDim<int64_t> &extents, bool poolsOutput,
                             std::optional<Axis> keeps) {
  GroupTile tile;
  tile.keeps = keeps;
  tile.poolsOutput = poolsOutput;
  for (Dim dim : kShared) {
    const int64_t extent = extents[keeps == Axis::W ? turned(dim) : dim];
    tile.extents[dim] = {extent, extent};
  }
  return tile;
}

bool GroupSpace::isListed(size_t last, const GroupTile &tile) const {
  // Of two tiles that are each other turned, the one with longer rows (G8).
  const int64_t rows =
      stored[tile.keeps == Axis::W][tile.poolsOutput][last].bounds[Dim::P];
  return tile.keeps
             ? tile.extents[Dim::P].most < rows
             : tile.extents[Dim::P].least <= tile.extents[Dim::Q].least ||
                   !isSquare(last);
}

std::array<int64_t, 6> GroupSpace::imageKey(size_t last,
                                            const GroupTile &tile) {
  const auto &extents = tile.extents;
  return {int64_t(last),        tile.poolsOutput,     tile.keeps.has_value(),
          extents[Dim::N].most, extents[Dim::P].most, extents[Dim::Q].most};
}

bool GroupSpace::hasImage(size_t last, const GroupTile &tile) const {
  if (!chain[last]->isSquare() || isSquare(last))
    return false;
  GroupTile image = tile;
  if (!tile.keeps) {
    if (tile.extents[Dim::P].most <= tile.extents[Dim::Q].most)
      return false;
    std::swap(image.extents[Dim::P], image.extents[Dim::Q]);
  } else if (tile.keeps != Axis::W) {
    return false;
  }
  const auto it = reached.find(imageKey(last, image));
  if (it == reached.end())
    return false;
  // All that can start there is square.
  return areSquare(
      llvm::ArrayRef(chain).take_front(last + 1).take_back(it->second));
}

void GroupSpace::addTiles(size_t last, bool poolsOutput,
                          std::optional<Axis> keeps) {
  const PerDim<int64_t> &bounds = storedIf(keeps, poolsOutput, last).bounds;
  PerDim<std::vector<GroupTile::Extents>> sets;
  for (Dim dim : kShared) {
    const int64_t bound = bounds[dim];
    for (int64_t most = bound; most >= 1;) {
      // Together: extents that make up to about twice as many tiles.
      const int64_t least =
          most == bound ? leastAlike(bound, bound)
                        : leastAlike(bound, divideCeilSigned(most + 1, 2));
      sets[dim].push_back({least, most});
      most = least - 1;
    }
  }
  for (GroupTile::Extents n : sets[Dim::N])
    // Of equals the first stays: that with longer rows.
    for (GroupTile::Extents q : sets[Dim::Q])
      for (GroupTile::Extents p : sets[Dim::P]) {
        GroupTile next;
        next.keeps = keeps;
        next.poolsOutput = poolsOutput;
        next.extents[Dim::N] = n;
        next.extents[Dim::P] = p;
        next.extents[Dim::Q] = q;
        if (!isListed(last, next))
          continue;
        if (hasImage(last, next))
          continue;
        if (outOfEffort()) {
          complete = false;
          return;
        }
        const bool found = visit(last, next);
        reached[imageKey(last, next)] = next.options.size();
        if (found)
          tiles[last].push_back(std::move(next));
      }
}

bool GroupSpace::addTile(size_t last, GroupTile tile) {
  const PerDim<int64_t> &bounds =
      storedIf(tile.keeps, tile.poolsOutput, last).bounds;
  for (Dim dim : kShared) {
    int64_t extent =
        std::clamp<int64_t>(tile.extents[dim].least, 1, bounds[dim]);
    // Of extents that make as many tiles the smallest.
    extent = leastAlike(bounds[dim], extent);
    while (!isTile(extent, bounds[dim]))
      --extent;
    tile.extents[dim] = {extent, extent};
  }
  if (!tile.keeps && !isListed(last, tile))
    std::swap(tile.extents[Dim::P], tile.extents[Dim::Q]);
  const PerDim<int64_t> extents = tile.tile();
  const std::array<int64_t, 6> key{int64_t(last),
                                   extents[Dim::N],
                                   extents[Dim::P],
                                   extents[Dim::Q],
                                   tile.keeps ? int64_t(*tile.keeps) : -1,
                                   tile.poolsOutput};
  // What is chosen of them has to be listed precisely.
  if (outOfEffort() || held > mostOptions / 2 || !isListed(last, tile) ||
      !tried.insert(key).second)
    return false;
  const bool found = visit(last, tile);
  // One that was cut short is left out, as are those that come after it.
  if (!std::exchange(complete, true) || !found)
    return false;
  tiles[last].push_back(std::move(tile));
  return true;
}

bool GroupSpace::addNeighbours(size_t last, size_t index) {
  const GroupTile centre = tiles[last][index];
  const PerDim<int64_t> &bounds =
      storedIf(centre.keeps, centre.poolsOutput, last).bounds;
  PerDim<int64_t> extents = centre.tile();
  if (centre.keeps == Axis::W)
    std::swap(extents[Dim::P], extents[Dim::Q]);
  bool any = false;
  for (std::optional<Axis> keeps : kWaysToKeep)
    for (bool poolsOutput : {false, true})
      if (mayBe(last, poolsOutput, keeps))
        any |= addTile(last, tileOf(extents, poolsOutput, keeps));
  for (Dim dim : kShared) {
    const int64_t bound = bounds[dim], extent = centre.extents[dim].least;
    const int64_t parts = divideCeilSigned(bound, extent);
    for (int64_t next :
         {divideCeilSigned(bound, parts + 1),
          divideCeilSigned(bound, std::max<int64_t>(1, parts - 1)),
          divideCeilSigned(bound, 2 * parts),
          divideCeilSigned(bound, divideCeilSigned(parts, 2)), bound,
          int64_t(1)}) {
      GroupTile tile = tileOf(extents, centre.poolsOutput, centre.keeps);
      tile.extents[dim] = {next, next};
      any |= addTile(last, std::move(tile));
    }
  }
  return any;
}

GroupSpace::GroupSpace(GroupSpace &&) noexcept = default;
GroupSpace::~GroupSpace() = default;

bool GroupSpace::outOfEffort() const {
  return held > mostOptions || budget.stopped() || budget.outOfTime();
}

/// Up to which layer a group that ends with `last` can start, such that nobody
/// behind that layer reads what comes from before it.
size_t GroupSpace::firstNeeded(size_t last) const {
  size_t first = earliest[last];
  for (size_t i = last; i > first; --i)
    if (alike[i] < first) {
      first = alike[i];
      i = last + 1;
    }
  return first;
}

/// What members do with one extent.
const DimTile &GroupSpace::singleTile(size_t last, const GroupTile &tile,
                                      Dim dim, bool keepRows, int64_t extent) {
  Stored &own = storedIf(tile.keeps, tile.poolsOutput, last);
  DimTile &found =
      (keepRows ? own.keptRows : own.families[dim]).single[extent - 1];
  if (!found.members.empty())
    return found;
  // What members make for those behind is the same wherever groups start.
  found.first = firstNeeded(last);
  const llvm::ArrayRef<const Layer *> upTo =
      chainIf(tile.keeps).take_front(last + 1).drop_front(found.first);
  FusionGroup whole;
  whole.layers.assign(indices.begin() + found.first,
                      indices.begin() + last + 1);
  whole.liveSkips = whole.layers;
  PerDim<int64_t> extents = own.bounds;
  extents[dim] = extent;
  if (!own.flow)
    own.flow = flowOf(network, uses, whole);
  const GroupTiles tied(upTo.vec(), extents, *own.flow, keepRows,
                        tile.poolsOutput);
  found.members.reserve(upTo.size());
  for (size_t i = 0; i < upTo.size(); ++i)
    found.add(makeShare(tied, i, dim, divisors, target.side));
  return found;
}

/// What the tile, or set of them, is along `dim`; null if it is none.
const DimTile *GroupSpace::dimTile(size_t last, const GroupTile &tile, Dim dim,
                                   bool keepRows) {
  Stored &own = storedIf(tile.keeps, tile.poolsOutput, last);
  const GroupTile::Extents extents = tile.extents[dim];
  const int64_t bound = own.bounds[dim];
  int64_t first = extents.least;
  while (first <= extents.most && !isTile(first, bound))
    ++first;
  if (first > extents.most)
    return nullptr;
  auto single = [&](int64_t extent) -> const DimTile & {
    return singleTile(last, tile, dim, keepRows, extent);
  };
  if (extents.least == extents.most)
    return &single(first);
  auto [it, isNew] =
      (keepRows ? own.keptRows : own.families[dim])
          .sets.insert({{extents.least, extents.most}, DimTile()});
  if (!isNew)
    return &it->second;
  it->second = single(first);
  for (int64_t extent = first + 1; extent <= extents.most; ++extent)
    if (isTile(extent, bound))
      for (auto [share, other] :
           llvm::zip_equal(it->second.members, single(extent).members))
        lower(share, other);
  for (Share &share : it->second.members)
    keepLeast(share.cuts);
  return &it->second;
}

bool GroupSpace::visit(size_t last, GroupTile &result) {
  PerDim<const DimTile *> dims{nullptr};
  for (Dim dim : kShared) {
    dims[dim] = dimTile(last, result, dim, result.keeps && dim == Dim::P);
    if (!dims[dim])
      return false;
  }
  return listOptions(last, dims,
                     dimTile(last, result, Dim::P, /*keepRows=*/false), result);
}

bool GroupSpace::visitAgain(size_t last, GroupTile &part) {
  const size_t reach = part.options.size();
  part.options.clear();
  const bool found = visit(last, part);
  part.options.resize(std::min(part.options.size(), reach));
  return found;
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
    wide.isPrecise = true;
    wide.sliceWidth = width;
    if (!visitAgain(last, wide))
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
  const PerDim<GroupTile::Extents> extents = first.extents;
  const Dim widest =
      *std::max_element(kShared.begin(), kShared.end(), [&](Dim a, Dim b) {
        return extents[a].most - extents[a].least <
               extents[b].most - extents[b].least;
      });
  const auto [least, most] = extents[widest];
  if (least == most) {
    first.isPrecise = true;
    tiles[last][index] =
        visitAgain(last, first) ? std::move(first) : GroupTile();
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
  const bool hasFirst = visitAgain(last, first);
  if (visitAgain(last, second))
    tiles[last].push_back(std::move(second));
  // Without options it is in nobody's way.
  tiles[last][index] = hasFirst ? std::move(first) : GroupTile();
  return true;
}
