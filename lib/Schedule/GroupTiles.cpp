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

Span fadiff::windowSpan(const Layer &layer, Axis axis, Span outputs) {
  if (outputs.extent() <= 0)
    return {};
  const int64_t reach =
      (layer.dims[kernelDim(axis)] - 1) * layer.dilation[axis] + 1;
  return {outputs.begin * layer.stride[axis] - layer.padLow[axis],
          (outputs.end - 1) * layer.stride[axis] - layer.padLow[axis] + reach};
}

// docs/CostModel.md, eq. (spans).
Span fadiff::inputSpan(const Layer &layer, Axis axis, Span outputs) {
  Span result = windowSpan(layer, axis, outputs);
  result.begin = std::max<int64_t>(0, result.begin);
  result.end = std::min(layer.inputExtent[axis], result.end);
  // A window may lie in the padding altogether.
  result.begin = std::min(result.begin, layer.inputExtent[axis]);
  result.end = std::max(result.begin, result.end);
  return result;
}

void PaddedExtent::add(const Layer &layer, Axis axis, Span outputs,
                       int64_t side) {
  const Span window = windowSpan(layer, axis, outputs);
  const Span stored = inputSpan(layer, axis, outputs);
  inside += stored.extent();
  outside += window.extent() - stored.extent();
  wholeRuns += llvm::divideCeilSigned(window.extent(), side);
  // What lies behind the input altogether is behind it.
  const int64_t low = std::clamp<int64_t>(-window.begin, 0, window.extent());
  outsideRuns +=
      llvm::divideCeilSigned(low, side) +
      llvm::divideCeilSigned(window.extent() - low - stored.extent(), side);
}

bool fadiff::sharesRows(const Layer &layer, const MaxPool *pool) {
  return layer.window(Axis::H, 1, layer.dims[Dim::R]) > layer.stride[Axis::H] ||
         (pool && pool->size > pool->stride);
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
  if (keepRows)
    walkRows(tile[Dim::P]);
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
      return pool ? pool->inputSpan(axis, span, bound) : span;
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
    : GroupTiles(chainOf(network, group),
                 GroupLoops(network.layers[group.layers.back()],
                            schedule.mappings[group.layers.back()],
                            group.poolsOutput)
                     .tile(),
                 flowOf(network, group), group.keepRows, group.poolsOutput) {}

bool GroupTiles::keepsLoadedInput(const Mapping &mapping) const {
  return keepsInput(0) && llvm::all_of(kLoadedWhole, [&](Dim dim) {
           return mapping.trips(tileLayers[0], Level::Dram, dim) <= 1;
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

/// What the reader of a walk's rows `made` wants of its input.
static RowWalk walkOfInput(const Layer &layer, const RowWalk &made) {
  const int64_t stride = layer.stride[Axis::H], pad = layer.padLow[Axis::H];
  const int64_t reach = layer.window(Axis::H, 1, layer.dims[Dim::R]);
  RowWalk read;
  read.scale = made.scale * stride;
  // Up to the last window's end; from the first window's start, or where the
  // tile before has ended, whose last window is one step behind.
  read.end = (made.end - 1) * stride - pad + reach;
  read.begin = std::max(made.begin * stride - pad, read.end);
  read.bound =
      made.bound > 0 ? inputSpan(layer, Axis::H, {0, made.bound}).end : 0;
  return read;
}

/// What lies under a walk's pooled rows, of `stored` rows in all. Windows of
/// one tile and the next may overlap.
static RowWalk walkUnder(const MaxPool &pool, const RowWalk &pooled,
                         int64_t stored) {
  const int64_t pad = pool.padLow[Axis::H];
  RowWalk under;
  under.scale = pooled.scale * pool.stride;
  under.begin = pooled.begin * pool.stride - pad;
  under.end = (pooled.end - 1) * pool.stride - pad + pool.size;
  under.bound = pool.inputSpan(Axis::H, {0, pooled.bound}, stored).end;
  return under;
}

double fadiff::estimateLeadTrips(llvm::ArrayRef<const Layer *> chain,
                                 int64_t tile, bool poolsOutput) {
  double scale = double(tile), end = 0, trips = 0;
  for (const Layer *layer : llvm::reverse(chain.drop_front())) {
    if (layer->pool && (poolsOutput || layer != chain.back())) {
      const MaxPool &pool = *layer->pool;
      scale *= double(pool.stride);
      end = (end - 1) * double(pool.stride) - double(pool.padLow[Axis::H]) +
            double(pool.size);
    }
    const double reach =
        double(layer->dims[Dim::R] - 1) * double(layer->dilation[Axis::H]) + 1;
    scale *= double(layer->stride[Axis::H]);
    end = (end - 1) * double(layer->stride[Axis::H]) -
          double(layer->padLow[Axis::H]) + reach;
    trips = std::max(trips, end / scale);
    // Rows could not be counted.
    if (scale > 0x1p40 || std::abs(end) > 0x1p50)
      return std::numeric_limits<double>::infinity();
  }
  return trips;
}

// docs/CostModel.md, eq. (kept-rows).
void GroupTiles::walkRows(int64_t tile) {
  walks.resize(chain.size());
  walks.back().bound = poolsLast ? chain.back()->pool->outputs[Axis::H]
                                 : chain.back()->dims[Dim::P];
  for (size_t i = chain.size() - 1; i-- > 0;) {
    const Layer &reader = *chain[i + 1];
    const MaxPool *pool = pooling(i + 1);
    walks[i] = walkOfInput(
        reader, pool ? walkUnder(*pool, walks[i + 1], reader.dims[Dim::P])
                     : walks[i + 1]);
  }
  for (const RowWalk &walk : walks)
    if (walk.end > 0)
      lead =
          std::max(lead, llvm::divideCeilSigned(walk.end, tile * walk.scale));
  int64_t done = 0;                   // rows of the input that are there
  std::optional<int64_t> windowsDone; // the same with the padding
  for (int64_t x = -lead * tile; x < walks.back().bound; x += tile)
    for (size_t i = 0; i < chain.size(); ++i) {
      const RowWalk &walk = walks[i];
      auto clip = [&](int64_t row) {
        return std::clamp<int64_t>(row, 0, walk.bound);
      };
      Span rows = {clip(x * walk.scale + walk.begin),
                   clip((x + tile) * walk.scale + walk.end)};
      if (const MaxPool *pool = pooling(i)) {
        handed[i][Dim::P] += rows.extent();
        largest[i][Dim::P] = std::max(largest[i][Dim::P], rows.extent());
        rows = pool->inputSpan(Axis::H, rows, chain[i]->dims[Dim::P]);
      }
      made[i][Dim::P].push_back(rows);
      if (i > 0 || rows.extent() == 0)
        continue;
      const Span read = inputSpan(*chain[0], Axis::H, rows);
      inputRows += std::max<int64_t>(0, read.end - std::max(done, read.begin));
      done = std::max(done, read.end);
      const Span window = windowSpan(*chain[0], Axis::H, rows);
      windowRows += window.end -
                    std::max(windowsDone.value_or(window.begin), window.begin);
      windowsDone = window.end;
    }
}

PaddedExtent GroupTiles::handedOverPadding(size_t member, Axis axis,
                                           int64_t side) const {
  PaddedExtent padding;
  for (Span outputs : spans(member, outputDim(axis)))
    padding.add(*chain[member], axis, outputs, side);
  if (axis == Axis::H && keepsInput(member))
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
      for (Span outputs : made[tile.reader][outputDim(axis)]) {
        Span read =
            tile.isResidual ? outputs : inputSpan(consumer, axis, outputs);
        if (const MaxPool *pool = pooling(i)) {
          handed[i][outputDim(axis)] += read.extent();
          int64_t &most = largest[i][outputDim(axis)];
          most = std::max(most, read.extent());
          read = pool->inputSpan(axis, read, chain[i]->dims[outputDim(axis)]);
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
  for (size_t i = 0; i < chain.size(); ++i) {
    tileLayers.push_back(*chain[i]);
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      tileLayers[i].dims[dim] = std::max<int64_t>(1, largest[i][dim]);
  }
}

int64_t fadiff::handOverRows(const Layer &layer, const PerDim<int64_t> &outputs,
                             int64_t side) {
  int64_t rows = llvm::divideCeilSigned(layer.dims[Dim::G] * layer.dims[Dim::C],
                                        std::max<int64_t>(side, 1));
  auto window = [&](Axis axis) {
    return layer.window(axis, outputs[outputDim(axis)],
                        layer.dims[kernelDim(axis)]);
  };
  for (int64_t factor : {outputs[Dim::N], window(Axis::H), window(Axis::W)})
    if (llvm::MulOverflow(rows, factor, rows))
      return std::numeric_limits<int64_t>::max();
  return rows;
}

int64_t GroupTiles::handOverRows(size_t member, int64_t side) const {
  return fadiff::handOverRows(*chain[member], largest[member], side);
}

int64_t GroupTiles::tileRows(size_t tile, int64_t side) const {
  const GroupFlow::Tile &held = uses.tiles[tile];
  if (!held.isResidual) {
    const int64_t rows = handOverRows(held.reader, side);
    const int64_t channels = chain[held.reader]->inputChannels();
    return held.slice ? rows / llvm::divideCeilSigned(channels, side) *
                            llvm::divideCeilSigned(held.slice, side)
                      : rows;
  }
  // As one tap would read it.
  Layer pixels;
  pixels.dims[Dim::C] = chain[*held.producer]->outputChannels();
  return fadiff::handOverRows(pixels, largest[held.reader], side);
}

int64_t GroupTiles::handedOverRowsAt(size_t member, int64_t side) const {
  int64_t rows = 0;
  for (auto [t, tile] : llvm::enumerate(uses.tiles))
    if (tile.producer && tile.isLiveAt(member))
      if (llvm::AddOverflow(rows, tileRows(t, side), rows))
        return std::numeric_limits<int64_t>::max();
  return rows;
}
