//===- StreamLatency.cpp - Cycles of the emitted streams ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/StreamLatency.h"
#include "fadiff/CostModel/Group.h"

using namespace fadiff;

llvm::SmallVector<TileKind, 2>
fadiff::tileKinds(const StreamedLayer<double> &streamed, Dim dim) {
  // What is nearer than this to the first of a kind is of it.
  constexpr double kNearExtent = 0.1, kNearLoaded = 0.25;
  const bool isAcross = dim != Dim::N;
  const Axis axis = dim == Dim::Q ? Axis::W : Axis::H;
  const double trips = streamed.groupTrips[dim];
  const GroupTiles *tiles = streamed.group;
  if (!tiles)
    return {{streamed.extent[dim] / trips,
             isAcross ? streamed.window[axis] : 0.0,
             isAcross ? streamed.window[axis] : 0.0, trips}};
  const size_t member = streamed.member;
  const Layer &layer = tiles->layer(member);
  const PerDim<double> &tile = streamed.tile[Level::Scratchpad];
  const bool loads = isAcross && tiles->loadsInput(member);
  // Rows that stay come once, if nothing else is loaded meanwhile.
  const bool keeps = dim == Dim::P && streamed.keepsInput &&
                     llvm::all_of(kLoadedWhole, [&](Dim dim) {
                       return std::llround(tile[dim]) >= layer.dims[dim];
                     });
  const int64_t taps = isAcross ? std::llround(tile[kernelDim(axis)]) : 1;
  struct Kind {
    double extent, loaded;
    TileKind sums;
  };
  llvm::SmallVector<Kind, 4> kinds;
  // Rows of the input, of which the window's may lie in front of it.
  int64_t done = 0, windowDone = std::numeric_limits<int64_t>::min();
  for (Span made : tiles->spans(member, dim)) {
    if (made.extent() <= 0)
      continue;
    const auto extent = double(made.extent());
    double loaded = 0, window = 0;
    if (loads) {
      const Span read = AxisAccess(layer, axis).window(made);
      window = double(keeps ? read.end - std::max(windowDone, read.begin)
                            : read.extent());
      windowDone = std::max(windowDone, read.end);
    }
    if (loads && keeps) {
      const Span read = AxisAccess(layer, axis).stored(made);
      loaded =
          double(std::max<int64_t>(0, read.end - std::max(done, read.begin)));
      done = std::max(done, read.end);
    } else if (loads) {
      loaded = double(detail::loadedExtent(layer, axis, made, taps));
    }
    auto isOf = [&](const Kind &kind) {
      return std::abs(extent - kind.extent) <= kNearExtent * kind.extent &&
             std::abs(loaded - kind.loaded) <= kNearLoaded * kind.loaded;
    };
    Kind *kind = llvm::find_if(kinds, isOf);
    if (kind == kinds.end()) {
      kinds.push_back({extent, loaded, {0, 0, 0, 0}});
      kind = &kinds.back();
    }
    kind->sums.extent += extent;
    kind->sums.loaded += loaded;
    kind->sums.window += window;
    ++kind->sums.tiles;
  }
  llvm::SmallVector<TileKind, 2> found;
  for (const Kind &kind : kinds) {
    const auto [extent, loaded, window, tiles] = kind.sums;
    found.push_back({extent / tiles, loaded / tiles, window / tiles, tiles});
  }
  return found;
}

StreamTile fadiff::heldTile(const GroupTiles &tiles, size_t tile) {
  const HeldTile held = tiles.held(tile);
  return {held.extent(Axis::H),
          held.extent(Axis::W),
          {held.isCompact(Axis::H), held.isCompact(Axis::W)}};
}

int64_t fadiff::readStride(const GroupTiles &tiles, size_t member) {
  const Layer &layer = tiles.layer(member);
  const size_t tile = tiles.flow().members[member].input;
  auto step = [&](Axis axis) {
    const bool isCompact = tiles.flow().tiles[tile].producer
                               ? tiles.held(tile).isCompact(axis)
                               : layer.dims[kernelDim(axis)] == 1;
    return isCompact ? 1 : layer.stride[axis];
  };
  if (tiles.nominal(member, Dim::Q) > 1)
    return step(Axis::W);
  return tiles.nominal(member, Dim::P) > 1
             ? step(Axis::H) * tiles.tileExtent(tile, Axis::W)
             : 1;
}

PhaseCycles<double> fadiff::streamLatency(const Layer &layer,
                                          const Mapping &mapping,
                                          const Accelerator &target) {
  const Nest<double> nest = exactNest(layer, mapping);
  return streamLatency(streamedLayer(nest), target);
}

StreamShape fadiff::streamShape(const Layer &layer, const Mapping &mapping,
                                const Accelerator &target) {
  const Nest<double> nest = exactNest(layer, mapping);
  return stream::Streams<double>(streamedLayer(nest), target).getShape();
}

/// Member number `member` at `mapping`.
static StreamedLayer<double> memberAt(const GroupTiles &tiles, size_t member,
                                      const Mapping &mapping,
                                      const Accelerator &target) {
  RelaxedFactors<double> factors;
  detail::forEachWholeFactor(
      tiles.tileLayer(member), mapping,
      [&](auto factorOf, double value) { factorOf(factors) = value; });
  const Nest<double, true> nest = memberNest</*Whole=*/true>(
      tiles, member, factors, mapping.order, target.side);
  return streamedMember(nest, tiles, member, target);
}

StreamShape fadiff::streamShape(const GroupTiles &tiles, size_t member,
                                const Mapping &mapping,
                                const Accelerator &target) {
  return stream::Streams<double>(memberAt(tiles, member, mapping, target),
                                 target)
      .getShape();
}

stream::MembersInTurn fadiff::membersInTurn(const GroupTiles &tiles,
                                            llvm::ArrayRef<Mapping> mappings,
                                            const Accelerator &target) {
  const GroupFlow &flow = tiles.flow();
  stream::MembersInTurn group;
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    group.tiles *= double(tiles.trips(dim));
  for (size_t i = 0; i < tiles.size(); ++i) {
    group.members.push_back(memberAt(tiles, i, mappings[i], target));
    const auto producer = flow.tiles[flow.members[i].input].producer;
    group.producers.push_back(producer);
    group.areSliced.push_back(producer && flow.handsOverSlices(*producer));
  }
  return group;
}
