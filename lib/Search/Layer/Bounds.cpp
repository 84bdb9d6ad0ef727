//===- Bounds.cpp - What a family of mappings cannot beat -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lower bounds by the evaluator itself, for a nest that is at least as good as
// every mapping of the family (docs/ExactBound.md, D3).
//
//===----------------------------------------------------------------------===//

#include "Enumerator.h"

#include "fadiff/CostModel/Counts.h"

#include <algorithm>

using namespace fadiff;
using namespace fadiff::exact;

/// Makes the extents of C (if `aligned`) and K real ones for this array. False
/// if no extent of C makes as many tiles as the family asks for.
bool Enumerator::alignReductions(PerDim<int64_t> &tile, int64_t rows) const {
  if (divisors || depthwise)
    return true;
  const int64_t bound = layer.dims[Dim::C];
  const int64_t count = divideCeilSigned(bound, tile[Dim::C]);
  tile[Dim::C] = std::min(
      bound, rows * divideCeilSigned(divideCeilSigned(bound, rows), count));
  return divideCeilSigned(bound, tile[Dim::C]) == count;
}

int64_t Enumerator::alignColumns(int64_t extent, int64_t cols) const {
  if (divisors || depthwise)
    return extent;
  const int64_t bound = layer.dims[Dim::K];
  return std::min(bound,
                  cols * divideCeilSigned(divideCeilSigned(bound, cols),
                                          divideCeilSigned(bound, extent)));
}

/// The block extents, of at most `room`, that some tile of the family can be
/// cut into evenly (or with a rest, if the tile is the whole dim): for every
/// number of blocks the smallest.
std::vector<Enumerator::Cut> Enumerator::cutsOf(Dim dim, const Extent &extent,
                                                int64_t room) const {
  const int64_t bound = layer.dims[dim];
  std::vector<Cut> cuts;
  for (int64_t block = 1; block <= std::min(extent.most, room); ++block) {
    int64_t tile = divideCeilSigned(extent.tile, block) * block;
    if (tile > extent.most && (divisors || extent.most != bound))
      continue;
    int64_t count = divideCeilSigned(bound, block);
    if (cuts.empty() || count < cuts.back().count)
      cuts.push_back({block, count});
  }
  return cuts;
}

/// The fewest blocks of at most `room` pixels that any tile of the family can
/// be cut into, and the fewest chunks of `side` pixels in all of them.
Enumerator::Blocks Enumerator::fewestBlocks(const PerDim<Extent> &choice,
                                            int64_t room) {
  std::array<int64_t, 7> key = {choice[Dim::N].tile,
                                choice[Dim::N].most,
                                choice[Dim::P].tile,
                                choice[Dim::P].most,
                                choice[Dim::Q].tile,
                                choice[Dim::Q].most,
                                room};
  auto [it, isNew] = blockCounts.insert({key, Blocks()});
  Blocks &best = it->second;
  if (!isNew)
    return best;
  std::vector<Cut> ns = cutsOf(Dim::N, choice[Dim::N], room),
                   ps = cutsOf(Dim::P, choice[Dim::P], room),
                   qs = cutsOf(Dim::Q, choice[Dim::Q], room);
  for (const Cut &n : ns)
    for (const Cut &p : ps) {
      if (n.block * p.block > room)
        break;
      for (const Cut &q : qs) {
        const int64_t pixels = n.block * p.block * q.block;
        if (pixels > room)
          break;
        const int64_t count = n.count * p.count * q.count;
        best.count = std::min(best.count, count);
        best.chunks = std::min(best.chunks,
                               count * divideCeilSigned(pixels, target.side));
      }
    }
  return best;
}

/// Of extents that make as many tiles the one that the border cuts most.
int64_t Enumerator::leastLoadedExtent(Axis axis, const Extent &extent,
                                      int64_t kernel) {
  if (extent.tile == extent.most || kernel == 1)
    return extent.tile;
  std::array<int64_t, 4> key = {int64_t(axis), extent.tile, extent.most,
                                kernel};
  auto [it, isNew] = leastLoaded.insert({key, extent.tile});
  if (!isNew)
    return it->second;
  int64_t best = std::numeric_limits<int64_t>::max();
  for (int64_t out = extent.tile; out <= extent.most; ++out) {
    // What was found so far bounds nothing, so neither does the rest.
    if (out % 64 == 0 && outOfTime()) {
      giveUp();
      break;
    }
    int64_t loaded = detail::loadedExtentSum(layer, axis, out, kernel);
    if (loaded >= best)
      continue;
    best = loaded;
    it->second = out;
  }
  return it->second;
}

/// A lower bound for all mappings of a family: scratchpad tile in `choice`,
/// array at most rows x cols (just that, if `aligned`, which wants extents that
/// make as many tiles), this DRAM order, this split (D3). It takes the room of
/// the smallest tile and the trips of the largest. None if there is no such
/// mapping.
std::optional<Point> Enumerator::relaxed(const PerDim<Extent> &choice,
                                         int64_t rows, int64_t cols,
                                         Split split, bool aligned) {
  PerDim<int64_t> tile;
  for (Dim dim : kAllDims)
    tile[dim] = choice[dim].tile;
  if (aligned && !alignReductions(tile, rows))
    return std::nullopt;
  const int64_t pixels = tile[Dim::N] * tile[Dim::P] * tile[Dim::Q];
  bool sameTrips = true;
  for (Dim dim : kAllDims)
    sameTrips &= choice[dim].tile == choice[dim].fewest;
  // The largest K that fits is best (D4).
  const int64_t input = inputUse(tile, rows, cols);
  bool fits = false;
  for (const Extent &k : candidates[Dim::K]) {
    tile[Dim::K] = aligned ? alignColumns(k.tile, cols) : k.tile;
    if (input + weightUse(tile, cols) > scratchpadRoom() ||
        (split == Split::Whole && pixels > pixelRoom(tile[columnDim], cols)))
      continue;
    fits = true;
    break;
  }
  if (!fits)
    return std::nullopt;

  if (!sameTrips)
    for (Dim dim : kAllDims)
      if (dim != Dim::K)
        tile[dim] = choice[dim].fewest;
  Tiles tiles;
  tiles.scratchpad = tiles.accumulator = tile;
  tiles.array[columnDim] = std::min(cols, tile[columnDim]);
  if (!depthwise)
    tiles.array[Dim::C] = std::min(rows, tile[Dim::C]);
  if (split == Split::Stream)
    for (Dim dim : kReductions)
      tiles.accumulator[dim] = tiles.array[dim];
  setNest(tiles);
  // Loops of K must not stand between the registers and the pixel loops: a
  // smaller tile has none.
  nest.trips[Level::Accumulator][Dim::K] = 1;
  nest.cols = double(cols);
  nest.rows = double(depthwise ? cols : rows);
  auto passes = [&](Dim dim, int64_t factor) {
    nest.count[Level::Registers][dim] =
        double(divideCeilSigned(layer.dims[dim], factor));
  };
  passes(columnDim, cols);
  if (!depthwise)
    passes(Dim::C, rows);

  // Weights are sent again for every block, bias for every `side` pixels of
  // every block. Without scratchpad loops of P and Q the former see only N's
  // count in the accumulator, so P's is free to complete the latter.
  Blocks blocks;
  if (split == Split::Whole) {
    blocks.count = 1; // not looked at: no scratchpad loop cuts the tile
    blocks.chunks = divideCeilSigned(pixels, target.side);
    for (Dim dim : kPixels)
      blocks.chunks *= divideCeilSigned(layer.dims[dim], tile[dim]);
    if (!sameTrips)
      blocks.chunks = divideCeilSigned(layer.dims[Dim::N] * layer.dims[Dim::P] *
                                           layer.dims[Dim::Q],
                                       target.side);
  } else {
    const bool columnsKnown = aligned || depthwise;
    blocks = fewestBlocks(choice, pixelRoom(columnsKnown ? cols : 1, cols));
    if (blocks.count == std::numeric_limits<int64_t>::max())
      return std::nullopt;
    nest.trips[Level::Scratchpad][Dim::N] = 2;
  }
  const PerDim<double> &outer = nest.count[Level::Scratchpad];
  const double ofN = blocks.count / (outer[Dim::P] * outer[Dim::Q]);
  for (Dim dim : kPixels)
    nest.tile[Level::Accumulator][dim] = 1;
  nest.count[Level::Accumulator][Dim::N] = ofN;
  nest.count[Level::Accumulator][Dim::P] = blocks.chunks / ofN;
  nest.count[Level::Accumulator][Dim::Q] = 1;
  if (machine)
    for (Axis axis : kAllAxes)
      nest.tile[Level::Scratchpad][outputDim(axis)] = double(leastLoadedExtent(
          axis, choice[outputDim(axis)], tile[kernelDim(axis)]));
  nest.order[Level::Scratchpad] =
      split == Split::Stream ? startingWith({}) : startingWith(kReductions);
  return evaluate();
}
