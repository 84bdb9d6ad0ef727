//===- GroupTiles.cpp - The tied tiles of a fusion group ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/GroupTiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace fadiff;

void PaddedExtent::add(const Layer &layer, Axis axis, Span outputs,
                       int64_t side) {
  const AxisAccess access(layer, axis);
  const Span window = access.window(outputs), stored = access.stored(outputs);
  inside += stored.extent();
  outside += window.extent() - stored.extent();
  wholeRuns += llvm::divideCeilSigned(window.extent(), side);
  // What lies behind the input altogether is behind it.
  const int64_t low = std::clamp<int64_t>(-window.begin, 0, window.extent());
  outsideRuns +=
      llvm::divideCeilSigned(low, side) +
      llvm::divideCeilSigned(window.extent() - low - stored.extent(), side);
}

bool fadiff::mayShareRows(const Layer &layer) {
  return AxisAccess(layer, Axis::H).overlaps() ||
         (layer.pool && layer.pool->size > layer.pool->stride);
}

GroupLoops::GroupLoops(const Layer &last, const Mapping &mapping,
                       bool poolsOutput)
    : outputs(last), mapping(mapping) {
  if (!poolsOutput)
    return;
  for (Axis axis : kAllAxes) {
    const Dim dim = outputDim(axis);
    outputs.dims[dim] = last.pool->outputs[axis];
    int64_t made = 1;
    for (Level level :
         {Level::Registers, Level::Accumulator, Level::Scratchpad}) {
      if (llvm::MulOverflow(made, mapping.temporal[level][dim], made))
        made = std::numeric_limits<int64_t>::max();
      this->mapping.temporal[level][dim] = 1;
    }
    // Without any stride or size there are no windows: verify() says so.
    this->mapping.temporal[Level::Scratchpad][dim] = std::clamp<int64_t>(
        (made - last.pool->size) / std::max<int64_t>(last.pool->stride, 1) + 1,
        1, std::max<int64_t>(outputs.dims[dim], 1));
  }
}

PerDim<int64_t> GroupLoops::tile() const {
  PerDim<int64_t> tile{1};
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    tile[dim] = mapping.tile(outputs, Level::Scratchpad, dim);
  return tile;
}

GroupTiles::GroupTiles(std::vector<const Layer *> layers,
                       const PerDim<int64_t> &tile, bool keepRows,
                       bool poolsOutput)
    : GroupTiles(layers, tile, GroupFlow::chain(layers.size()), keepRows,
                 poolsOutput) {}

GroupTiles::GroupTiles(std::vector<const Layer *> layers,
                       const PerDim<int64_t> &tile, GroupFlow flow,
                       bool keepRows, bool poolsOutput)
    : chain(std::move(layers)), extents(tile), uses(std::move(flow)),
      keepRows(keepRows), poolsLast(poolsOutput), made(chain.size()),
      largest(chain.size()), total(chain.size()), handed(chain.size()) {
  if (keepRows) {
    findWalks();
    walkRows(tile[Dim::P]);
  }
  cutOutputs(tile);
  tie();
}

/// What the last member makes in each tile.
void GroupTiles::cutOutputs(const PerDim<int64_t> &tile) {
  const size_t last = chain.size() - 1;
  const MaxPool *pool = pooling(last);
  auto cut = [&](Dim dim, int64_t stored, auto madeFor) {
    if (!made[last][dim].empty())
      return; // walked
    made[last][dim].reserve(llvm::divideCeilSigned(stored, tile[dim]));
    for (int64_t begin = 0; begin < stored; begin += tile[dim]) {
      const Span span = {begin, std::min(stored, begin + tile[dim])};
      handed[last][dim] += span.extent();
      largest[last][dim] = std::max(largest[last][dim], span.extent());
      made[last][dim].push_back(madeFor(span));
    }
  };
  cut(Dim::N, chain[last]->dims[Dim::N], [](Span span) { return span; });
  for (Axis axis : kAllAxes) {
    const int64_t bound = chain[last]->dims[outputDim(axis)];
    cut(outputDim(axis), pool ? pool->outputs[axis] : bound, [&](Span span) {
      return pool ? AxisAccess(*pool, axis, bound).stored(span) : span;
    });
  }
}

static std::vector<const Layer *> chainOf(const Network &network,
                                          const FusionGroup &group) {
  std::vector<const Layer *> chain;
  for (unsigned index : group.layers)
    chain.push_back(&network.layers[index]);
  return chain;
}

GroupTiles::GroupTiles(const Network &network, const Schedule &schedule,
                       const FusionGroup &group)
    : GroupTiles(
          chainOf(network, group),
          GroupLoops(network.layers[group.layers.back()],
                     schedule.mappings[group.layers.back()], group.poolsOutput)
              .tile(),
          flowOf(network, group), group.keeps.has_value(), group.poolsOutput) {}

bool GroupTiles::keepsLoaded(size_t tile, const Mapping &mapping) const {
  const Layer &reader = tileLayers[uses.tiles[tile].reader];
  return keepsTile(tile) && llvm::all_of(kLoadedWhole, [&](Dim dim) {
           return mapping.trips(reader, Level::Dram, dim) <= 1;
         });
}

int64_t GroupTiles::busyTiles(size_t member, Dim dim) const {
  return llvm::count_if(spans(member, dim),
                        [](Span span) { return span.extent() > 0; });
}

bool GroupTiles::isCut(size_t member, Dim dim) const {
  return llvm::any_of(spans(member, dim), [&](Span span) {
    return span.extent() != nominal(member, dim);
  });
}

int64_t GroupTiles::dramFactor(size_t member, Dim dim) const {
  const int64_t own = trips(dim) - (dim == Dim::P ? leadTrips() : 0);
  // Of pooled outputs the trips are all there is.
  if (isLast(member) && poolsLast)
    return own;
  return std::max(own, llvm::divideCeilSigned(chain[member]->dims[dim],
                                              tileLayers[member].dims[dim]));
}

/// What a reader wants that makes the rows of `made`, be it wanted by the tile
/// before, too.
static RowWalk walkOfInput(const AxisAccess &access, const RowWalk &made) {
  RowWalk read;
  read.scale = made.scale * access.scale;
  read.begin = access.begin(made.begin);
  read.end = access.end(made.end);
  read.bound = made.bound > 0 ? access.stored({0, made.bound}).end : 0;
  return read;
}

double fadiff::estimateLeadTrips(llvm::ArrayRef<const Layer *> chain,
                                 int64_t tile, bool poolsOutput) {
  double scale = double(tile), end = 0, trips = 0;
  for (const Layer *layer : llvm::reverse(chain.drop_front())) {
    auto step = [&](const AxisAccess &access) {
      scale *= double(access.scale);
      end = (end - 1) * double(access.scale) + double(access.high) + 1;
    };
    if (layer->pool && (poolsOutput || layer != chain.back()))
      step(AxisAccess(*layer->pool, Axis::H, layer->dims[Dim::P]));
    step(AxisAccess(*layer, Axis::H));
    trips = std::max(trips, end / scale);
    // Rows could not be counted.
    if (scale > 0x1p40 || std::abs(end) > 0x1p50)
      return std::numeric_limits<double>::infinity();
  }
  return trips;
}

RowWalk GroupTiles::madeWalk(size_t member) const {
  const MaxPool *pool = pooling(member);
  return pool ? walkOfInput(
                    AxisAccess(*pool, Axis::H, chain[member]->dims[Dim::P]),
                    walks[member])
              : walks[member];
}

// docs/CostModel.md, eq. (kept-rows).
void GroupTiles::findWalks() {
  walks.resize(chain.size());
  kept.resize(uses.tiles.size());
  lines.resize(uses.tiles.size());
  walks.back().bound = poolsLast ? chain.back()->pool->outputs[Axis::H]
                                 : chain.back()->dims[Dim::P];
  // Members make what the owner of the window wants; it is ahead of others,
  // whose windows lie inside.
  for (size_t i = chain.size(); i-- > 0;) {
    // Read by nobody here, it makes nothing.
    if (!isLast(i) && !uses.members[i].output)
      continue;
    if (!isLast(i)) {
      const GroupFlow::Tile &output = uses.tiles[*uses.members[i].output];
      const RowWalk made = madeWalk(output.reader);
      walks[i] =
          output.isResidual
              ? made
              : walkOfInput(AxisAccess(*chain[output.reader], Axis::H), made);
      // From the end of the tile before, or where the next window starts. A
      // slice is overwritten by the next one, so nothing of it stays.
      if (kept[*uses.members[i].output])
        walks[i].begin = std::max(walks[i].begin, walks[i].end);
    }
    const size_t t = uses.members[i].input;
    const GroupFlow::Tile &input = uses.tiles[t];
    if (input.reader != i)
      continue;
    const bool isShared = uses.isShared(t);
    const AxisAccess access(*chain[i], Axis::H);
    kept[t] = !input.slice &&
              (input.producer
                   ? isShared || walkOfInput(access, madeWalk(i)).overlaps()
                   : staysForNext(*chain[i], isShared));
  }
}

void GroupTiles::walkRows(int64_t tile) {
  for (const RowWalk &walk : walks)
    if (walk.end > 0)
      lead =
          std::max(lead, llvm::divideCeilSigned(walk.end, tile * walk.scale));
  once.resize(chain.size());
  const int64_t trips = lead + llvm::divideCeilSigned(walks.back().bound, tile);
  for (PerDim<std::vector<Span>> &spans : made)
    spans[Dim::P].reserve(trips);
  std::vector<int64_t> done(chain.size(), 0); // rows of its input, per member
  std::vector<std::optional<int64_t>> windowsDone(chain.size());
  for (int64_t x = -lead * tile; x < walks.back().bound; x += tile)
    for (size_t i = chain.size(); i-- > 0;) {
      const RowWalk &walk = walks[i];
      auto clip = [&](int64_t row) {
        return std::clamp<int64_t>(row, 0, walk.bound);
      };
      Span rows = {clip(x * walk.scale + walk.begin),
                   clip((x + tile) * walk.scale + walk.end)};
      // Slices and residuals are made when their reader makes something, not
      // ahead of it.
      if (uses.members[i].output) {
        const GroupFlow::Tile &output = uses.tiles[*uses.members[i].output];
        if (output.slice || output.isResidual) {
          rows = made[output.reader][Dim::P].back();
          if (!output.isResidual)
            rows = AxisAccess(*chain[output.reader], Axis::H).stored(rows);
        }
      }
      if (const MaxPool *pool = pooling(i)) {
        handed[i][Dim::P] += rows.extent();
        largest[i][Dim::P] = std::max(largest[i][Dim::P], rows.extent());
        rows = AxisAccess(*pool, Axis::H, chain[i]->dims[Dim::P]).stored(rows);
      }
      made[i][Dim::P].push_back(rows);
      if (!loadsInput(i) || rows.extent() == 0)
        continue;
      const AxisAccess access(*chain[i], Axis::H);
      const Span read = access.stored(rows);
      once[i].rows +=
          std::max<int64_t>(0, read.end - std::max(done[i], read.begin));
      done[i] = std::max(done[i], read.end);
      const Span window = access.window(rows);
      const int64_t more =
          window.end -
          std::max(windowsDone[i].value_or(window.begin), window.begin);
      once[i].window += more;
      if (made[i][Dim::P].size() > 1)
        once[i].next = std::max(once[i].next, more);
      windowsDone[i] = window.end;
    }
}

int64_t GroupTiles::heldRows(size_t tile, size_t first, size_t last,
                             bool ahead) const {
  const size_t owner = uses.tiles[tile].reader,
               steps = made.back()[Dim::P].size();
  int64_t most = window(owner, Axis::H);
  // All up to here are there, or have been.
  int64_t end = std::numeric_limits<int64_t>::min();
  for (size_t step = 0; step < steps; ++step) {
    std::optional<int64_t> begin; // of what is read
    auto add = [&](Span read) {
      if (read.extent() == 0)
        return;
      begin = std::min(begin.value_or(read.begin), read.begin);
      end = std::max(end, read.end);
    };
    for (size_t i = first; i <= last; ++i) {
      const Span rows = made[i][Dim::P][step];
      if (uses.members[i].input == tile)
        add(AxisAccess(*chain[i], Axis::H).window(rows));
      if (uses.members[i].skip == tile)
        add(rows);
    }
    int64_t there = end;
    if (ahead && step + 1 < steps)
      if (const Span rows = made[owner][Dim::P][step + 1]; rows.extent() > 0)
        there = std::max(there,
                         AxisAccess(*chain[owner], Axis::H).window(rows).end);
    if (begin)
      most = std::max(most, there - *begin);
  }
  return most;
}

PaddedExtent GroupTiles::handedOverPadding(size_t member, Axis axis,
                                           int64_t side) const {
  PaddedExtent padding;
  for (Span outputs : spans(member, outputDim(axis)))
    padding.add(*chain[member], axis, outputs, side);
  if (axis == Axis::H && keepsTile(uses.members[member].input))
    padding.inside =
        handedOver(*uses.tiles[uses.members[member].input].producer, Dim::P);
  return padding;
}

void GroupTiles::tie() {
  for (size_t i = chain.size() - 1; i-- > 0;) {
    const std::optional<size_t> output = uses.members[i].output;
    if (!output) { // read by nobody here: nothing to make
      for (Dim dim : {Dim::N, Dim::P, Dim::Q})
        made[i][dim].resize(made.back()[dim].size());
      continue;
    }
    const GroupFlow::Tile &tile = uses.tiles[*output];
    const Layer &consumer = *chain[tile.reader];
    made[i][Dim::N] = made[tile.reader][Dim::N];
    for (Axis axis : kAllAxes) {
      std::vector<Span> &spans = made[i][outputDim(axis)];
      if (!spans.empty())
        continue; // walked
      const llvm::ArrayRef<Span> wanted = made[tile.reader][outputDim(axis)];
      const AxisAccess access(consumer, axis);
      spans.reserve(wanted.size());
      for (Span outputs : wanted) {
        Span read = tile.isResidual ? outputs : access.stored(outputs);
        if (const MaxPool *pool = pooling(i)) {
          handed[i][outputDim(axis)] += read.extent();
          int64_t &most = largest[i][outputDim(axis)];
          most = std::max(most, read.extent());
          read = AxisAccess(*pool, axis, chain[i]->dims[outputDim(axis)])
                     .stored(read);
        }
        spans.push_back(read);
      }
    }
  }
  for (size_t i = chain.size(); i-- > 0;) {
    const std::optional<size_t> output = uses.members[i].output;
    const MaxPool *pool = output || isLast(i) ? pooling(i) : nullptr;
    for (Dim dim : {Dim::N, Dim::P, Dim::Q}) {
      int64_t most = 0;
      for (Span span : made[i][dim]) {
        most = std::max(most, span.extent());
        total[i][dim] += span.extent();
      }
      if (!pool || dim == Dim::N) {
        largest[i][dim] = most;
        handed[i][dim] = total[i][dim];
        continue;
      }
      // So far of what is handed over or stored.
      if (largest[i][dim] == 0)
        continue;
      if (dim == Dim::Q && output) {
        largest[i][dim] = tileExtent(*output, Axis::W);
        handed[i][dim] = busyTiles(i, dim) * largest[i][dim];
      }
      largest[i][dim] = pool->window(largest[i][dim]);
    }
  }
  for (size_t t = 0; t < uses.tiles.size(); ++t)
    if (keepsTile(t))
      lines[t] = heldRows(t, uses.tiles[t].first, uses.tiles[t].last,
                          uses.tiles[t].turns);
  tileLayers.reserve(chain.size());
  for (size_t i = 0; i < chain.size(); ++i) {
    tileLayers.push_back(*chain[i]);
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      tileLayers[i].dims[dim] = std::max<int64_t>(1, largest[i][dim]);
  }
}

bool fadiff::staysForNext(const Layer &reader, bool isShared) {
  return isShared || AxisAccess(reader, Axis::H).overlaps();
}

int64_t HeldTile::extent(Axis axis) const {
  if (axis == Axis::H && lines > 0)
    return lines;
  const int64_t pixels = outputs[outputDim(axis)];
  return isResidual || isCompact(axis)
             ? pixels
             : reader->window(axis, pixels, reader->dims[kernelDim(axis)]);
}

int64_t HeldTile::rows(int64_t side) const {
  int64_t channels =
      isResidual ? reader->outputChannels() : reader->inputChannels();
  if (slice)
    channels = std::min(slice, channels);
  int64_t rows = llvm::divideCeilSigned(channels, std::max<int64_t>(side, 1));
  for (int64_t factor : {outputs[Dim::N], extent(Axis::H), extent(Axis::W)})
    if (llvm::MulOverflow(rows, factor, rows))
      return std::numeric_limits<int64_t>::max();
  return rows;
}

HeldTile GroupTiles::held(size_t tile) const {
  const GroupFlow::Tile &made = uses.tiles[tile];
  HeldTile held;
  held.reader = chain[made.reader];
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    held.outputs[dim] = nominal(made.reader, dim);
  held.isResidual = made.isResidual;
  held.isLoaded = !made.producer;
  held.slice = made.slice;
  held.lines = keepsTile(tile) ? lines[tile] : 0;
  return held;
}

int64_t GroupTiles::loadedRows(size_t tile, const Mapping &mapping) const {
  const Layer &reader = tileLayers[uses.tiles[tile].reader];
  const int64_t rows = footprint(reader, mapping).inputRows;
  if (!keepsLoaded(tile, mapping)) {
    int64_t places;
    return llvm::MulOverflow(rows, int64_t(uses.tiles[tile].turns ? 2 : 1),
                             places)
               ? std::numeric_limits<int64_t>::max()
               : places;
  }
  return ringRows(rows, storedInputExtent(reader, mapping, Axis::H),
                  tileExtent(tile, Axis::H));
}

int64_t GroupTiles::handedOverRowsAt(size_t member, int64_t side) const {
  int64_t rows = 0;
  for (auto [t, tile] : llvm::enumerate(uses.tiles))
    if (tile.producer && tile.isLiveAt(member))
      if (llvm::AddOverflow(rows, held(t).rows(side), rows))
        return std::numeric_limits<int64_t>::max();
  return rows;
}
