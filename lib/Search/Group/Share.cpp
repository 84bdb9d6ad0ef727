//===- Share.cpp - What a tile means along one dim ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Share.h"

#include "fadiff/CostModel/Group.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <optional>
#include <tuple>

using namespace fadiff;
using namespace fadiff::exact;

void exact::keepLeast(std::vector<Share::Cut> &cuts) {
  llvm::sort(cuts, [](const Share::Cut &a, const Share::Cut &b) {
    return std::tie(a.block, a.count) < std::tie(b.block, b.count);
  });
  size_t kept = 0;
  for (const Share::Cut &cut : cuts)
    if (kept == 0 || cut.count < cuts[kept - 1].count)
      cuts[kept++] = cut;
  cuts.resize(kept);
}

void exact::lower(Share &share, const Share &other) {
  if (other.nominal == 0)
    return;
  if (share.nominal == 0) {
    share = other;
    return;
  }
  share.nominal = std::min(share.nominal, other.nominal);
  share.produced = std::min(share.produced, other.produced);
  share.handedOver = std::min(share.handedOver, other.handedOver);
  share.tiles = std::min(share.tiles, other.tiles);
  for (auto [mine, others] : llvm::zip(share.loaded, other.loaded))
    mine = std::min(mine, others);
  share.loadedOnce = std::min(share.loadedOnce, other.loadedOnce);
  for (auto [mine, others] : llvm::zip(share.windows, other.windows))
    mine = std::min(mine, others);
  share.windowsOnce = std::min(share.windowsOnce, other.windowsOnce);
  for (int64_t PaddedExtent::*field :
       {&PaddedExtent::inside, &PaddedExtent::outside, &PaddedExtent::wholeRuns,
        &PaddedExtent::outsideRuns})
    share.padding.*field = std::min(share.padding.*field, other.padding.*field);
  for (auto [mine, others] : llvm::zip_equal(share.rings, other.rings)) {
    mine.lines = std::min(mine.lines, others.lines);
    mine.linesAhead = std::min(mine.linesAhead, others.linesAhead);
  }
  share.keepsHandedOver &= other.keepsHandedOver;
  share.most = std::max(share.most, other.most);
  llvm::append_range(share.cuts, other.cuts);
}

int64_t Share::ringLines(size_t first, size_t last, bool ahead) const {
  const auto ring = llvm::find_if(rings, [&](const Ring &ring) {
    return ring.first == first && ring.last == last;
  });
  // The flow of all members has these readers. Were there others, no room would
  // be enough for them.
  if (ring == rings.end())
    return kMaxBound;
  return ahead ? ring->linesAhead : ring->lines;
}

/// The lines of the member's input for all readers that a group may have.
static std::vector<Share::Ring> ringsOf(const GroupTiles &tiles,
                                        size_t member) {
  const GroupFlow &flow = tiles.flow();
  const size_t tile = flow.members[member].input;
  std::vector<Share::Ring> rings;
  if (!tiles.keepsRows() || flow.tiles[tile].reader != member)
    return rings;
  llvm::SmallVector<size_t> readers;
  for (auto [i, other] : llvm::enumerate(flow.members))
    if (other.input == tile || other.skip == tile)
      readers.push_back(i);
  for (size_t first : readers)
    for (size_t last : readers)
      if (first <= member && member <= last)
        rings.push_back({first, last,
                         tiles.heldRows(tile, first, last, /*ahead=*/false),
                         tiles.heldRows(tile, first, last, /*ahead=*/true)});
  return rings;
}

Share exact::makeShare(const GroupTiles &tiles, size_t member, Dim dim,
                       bool divisors, int64_t side) {
  const Layer &layer = tiles.layer(member);
  Share share;
  share.nominal = tiles.nominal(member, dim);
  share.produced = tiles.produced(member, dim);
  share.handedOver = tiles.handedOver(member, dim);
  if (share.nominal == 0)
    return share;
  llvm::SmallVector<TileRun, 4> runs;
  for (Span span : tiles.spans(member, dim)) {
    const int64_t extent = span.extent();
    if (extent == 0)
      continue;
    ++share.tiles;
    auto *run = llvm::find_if(
        runs, [&](const TileRun &other) { return other.extent == extent; });
    if (run == runs.end())
      runs.push_back({extent, 1});
    else
      ++run->count;
  }
  // Only a whole dim can have a cut last block, where factors say what the
  // tile is.
  const bool anyBlock =
      !divisors && (!tiles.isLast(member) || share.nominal == layer.dims[dim]);
  for (int64_t block = 1; block <= share.nominal; ++block) {
    if (!anyBlock && share.nominal % block != 0)
      continue;
    int64_t count = 0;
    for (const TileRun &run : runs)
      count += run.count * llvm::divideCeilSigned(run.extent, block);
    if (share.cuts.empty() || count < share.cuts.back().count)
      share.cuts.push_back({block, count});
  }
  if (dim == Dim::N) {
    share.loaded.push_back(share.produced);
    share.most = share.produced;
    return share;
  }
  const Axis axis = dim == Dim::P ? Axis::H : Axis::W;
  if (axis == Axis::H) {
    share.rings = ringsOf(tiles, member);
    share.keepsHandedOver = !share.rings.empty() &&
                            tiles.keepsTile(tiles.flow().members[member].input);
  }
  const int64_t kernel = layer.dims[kernelDim(axis)];
  share.loaded.reserve(kernel);
  share.windows.reserve(kernel);
  for (int64_t taps = 1; taps <= kernel; ++taps) {
    int64_t loaded = 0, windows = 0;
    for (Span outputs : tiles.spans(member, dim)) {
      loaded += detail::loadedExtent(layer, axis, outputs, taps);
      windows += detail::windowExtent(layer, axis, outputs, taps);
    }
    share.loaded.push_back(loaded);
    share.windows.push_back(windows);
  }
  const std::vector<int64_t> &moved =
      layer.padValue == 0 ? share.loaded : share.windows;
  share.most = *std::max_element(moved.begin(), moved.end());
  if (layer.padValue != 0 && tiles.getsWindow(member))
    share.padding = tiles.handedOverPadding(member, axis, side);
  const AxisAccess access(layer, axis);
  int64_t done = 0;
  for (Span outputs : tiles.spans(member, dim)) {
    const Span read = access.stored(outputs);
    share.loadedOnce +=
        std::max<int64_t>(0, read.end - std::max(done, read.begin));
    done = std::max(done, read.end);
  }
  std::optional<int64_t> windowsDone;
  for (Span outputs : tiles.spans(member, dim)) {
    if (outputs.extent() == 0)
      continue;
    const Span window = access.window(outputs);
    share.windowsOnce +=
        window.end - std::max(windowsDone.value_or(window.begin), window.begin);
    windowsDone = window.end;
  }
  return share;
}
