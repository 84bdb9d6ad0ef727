//===- Group.h - What a fusion group costs ----------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers that run tile by tile with their intermediates on chip: each member is
// counted by the formulas of one layer (Counts.h) over what it makes in all
// tiles, and the group adds what only it has. docs/CostModel.md, section
// "Groups and schedules".
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_GROUP_H
#define FADIFF_COSTMODEL_GROUP_H

#include "fadiff/CostModel/Counts.h"
#include "fadiff/CostModel/GroupOverlap.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

namespace fadiff {

/// What a member moves beside a layer of its own.
template <typename T> struct MemberMoves {
  FusedEnds<T> ends;
  /// How far a handed-over tile fits in the accumulator, all channels.
  T fits{1.0};
  /// Whether the group starts with it.
  bool first = false;
  /// Its input comes while other members run.
  bool inputBeside = false;
  /// Words of its input kept from tile to tile by a copy.
  T kept{0.0};
};

/// Counts of one member, energy and its own roofline (eq. (energy) to
/// (fused-ends), (stack-traffic)). Timeloop counts as DeFiNES does: results
/// leave through the scratchpad.
template <typename T>
BasicMemberCost<T>
countMember(const Nest<T, true> &nest, const MemberMoves<T> &moves,
            const Accelerator &target, Convention convention,
            Model model = Model::Exact, Latency latency = Latency::Roofline) {
  BasicMemberCost<T> cost;
  static_cast<BasicLayerCost<T> &>(cost) =
      countAccesses(nest, convention, target, moves.ends, model);
  auto &spad = cost.access[Level::Scratchpad];
  const T handedOver = spad[Tensor::O].updates;
  const Layer &layer = *nest.layer;
  if (convention == Convention::Timeloop) {
    T stored = nest.extent(Dim::N) * nest.extent(Dim::P) * nest.extent(Dim::Q) *
               double(layer.dims[Dim::G] * layer.dims[Dim::K]) *
               (1.0 - moves.ends.output);
    T drained = stored;
    if (nest.group.pooledWords > 0) {
      stored = (1.0 - moves.ends.output) * nest.group.pooledWords;
      drained = stored * nest.group.poolReads;
    }
    spad[Tensor::O].updates += stored;
    spad[Tensor::O].reads += stored;
    cost.access[Level::Accumulator][Tensor::O].reads += drained;
    cost.keptWords = moves.kept;
    spad[Tensor::I].fills += moves.kept;
    spad[Tensor::I].reads += moves.kept;
  }
  cost.columns = nest.cols;
  cost.firstWords = detail::weightWords(layer, nest.cols,
                                        convention == Convention::Machine &&
                                            layer.isDepthwise());
  if (moves.first)
    cost.firstWords += cost.access[Level::Dram][Tensor::I].reads;
  cost.handOverWords = handedOver * moves.fits;
  charge(cost, nest, target, convention, model, latency, moves.inputBeside);
  return cost;
}

/// A residual edge inside a group: `added` words are added to the output of
/// `consumer`, from the scratchpad as far as `live`, else from DRAM, where
/// `written` more words of `producer` (null: the group's input) are put first.
template <typename T>
void countSkip(BasicMemberCost<T> &consumer, BasicMemberCost<T> *producer,
               const T &added, const T &written, const T &live,
               const Accelerator &target) {
  const T fetched = added * (1.0 - live);
  consumer.access[Level::Accumulator][Tensor::O].fills += added;
  consumer.access[Level::Scratchpad][Tensor::I].reads += added * live;
  consumer.access[Level::Dram][Tensor::I].reads += fetched;
  consumer.dramBytes.input += fetched;
  consumer.energy = energyOf(consumer, accessTotals(consumer), target);
  if (!producer)
    return;
  producer->access[Level::Dram][Tensor::O].updates += written;
  producer->dramBytes.outputWrites += written;
  producer->energy = energyOf(*producer, accessTotals(*producer), target);
}

/// How the members of a group overlap: the machine's do not, since no loads of
/// one hide behind another. That would take prefetch buffers which nobody has
/// paid for.
inline GroupOverlap overlapOf(Convention convention, GroupOverlap asked) {
  return convention == Convention::Machine ? GroupOverlap::Paper : asked;
}

namespace detail {
/// One roofline for all members, as charge() has for a layer: what each memory
/// takes for all of them.
template <typename T>
T cyclesAsOneLayer(const BasicGroupCost<T> &group, const Accelerator &target) {
  T array(0.0);
  PerLevel<T> memories(T(0.0));
  for (const BasicMemberCost<T> &cost : group.members) {
    array += cost.computeCycles;
    for (Level level : kAllLevels)
      if (target.bandwidth[level] > 0)
        memories[level] += cost.memoryCycles[level];
  }
  T cycles = array;
  for (Level level : kAllLevels)
    cycles = maxOf(cycles, memories[level]);
  return cycles;
}

/// One roofline, in which each memory port has half of the bandwidth, and what
/// nothing overlaps, which is noted.
template <typename T>
T cyclesAsDefines(BasicGroupCost<T> &group, const Accelerator &target) {
  T array(0.0), dramWords(0.0);
  PerLevel<T> reads(T(0.0)), writes(T(0.0)); // cycles of each port
  for (const BasicMemberCost<T> &cost : group.members) {
    const auto &spad = cost.access[Level::Scratchpad];
    const auto &sums = cost.access[Level::Accumulator][Tensor::O];
    array += cost.computeCycles;
    dramWords += cost.accesses(Level::Dram) - cost.firstWords;
    auto overlap = [&](Level level, const T &read, const T &written,
                       const T &width) {
      const double port = target.bandwidth[level] / 2;
      if (port <= 0)
        return;
      reads[level] += read / (width * port);
      writes[level] += written / (width * port);
    };
    overlap(Level::Scratchpad,
            spad[Tensor::W].reads + spad[Tensor::I].reads +
                spad[Tensor::O].reads - cost.keptWords,
            spad[Tensor::W].fills + spad[Tensor::I].fills +
                spad[Tensor::O].updates - cost.keptWords - cost.handOverWords -
                cost.firstWords,
            T(1.0));
    overlap(Level::Accumulator, sums.reads - cost.handOverWords,
            sums.updates + sums.fills, cost.columns);
    auto serial = [&](Level level, const T &words, double share) {
      if (target.bandwidth[level] > 0)
        group.serialCycles += words / (target.bandwidth[level] * share);
    };
    serial(Level::Dram, cost.firstWords, 1);
    serial(Level::Scratchpad, cost.handOverWords + cost.keptWords, 0.5);
  }
  T overlapped = array;
  if (target.bandwidth[Level::Dram] > 0)
    overlapped =
        maxOf(overlapped, dramWords / T(target.bandwidth[Level::Dram]));
  for (Level level : {Level::Accumulator, Level::Scratchpad})
    overlapped = maxOf(overlapped, maxOf(reads[level], writes[level]));
  return overlapped + group.serialCycles;
}
} // namespace detail

/// Sums the members up (eq. (group-cost), (group-roofline), (exposed)).
template <typename T>
void chargeGroup(BasicGroupCost<T> &group, const Accelerator &target,
                 GroupOverlap overlap) {
  for (const BasicMemberCost<T> &cost : group.members) {
    group.energy += cost.energy;
    group.macs += cost.macs;
    group.dramBytes += cost.dramBytes;
    group.cycles += cost.cycles; // in which the members' energy leaks
  }
  switch (overlap) {
  case GroupOverlap::Layer:
    return setCycles(group, detail::cyclesAsOneLayer(group, target), target);
  case GroupOverlap::Defines:
    return setCycles(group, detail::cyclesAsDefines(group, target), target);
  case GroupOverlap::Paper:
    return;
  }
}

namespace detail {
/// Counts of one dim in all tiles of a group, exact there.
template <bool Whole, typename T>
void shareDim(Nest<T, true> &nest, const GroupTiles &tiles, size_t member,
              Dim dim) {
  using V = PlainOf<T>;
  const double produced = double(tiles.produced(member, dim));
  const double nominal = double(tiles.nominal(member, dim));
  PerLevel<V> whole{V(nominal)}, exact{V(0.0)};
  for (Level level : {Level::Registers, Level::Accumulator})
    whole[level] = nearest(valueOf(nest.tile[level][dim]));
  // Few distinct extents: full tiles, and those at the borders.
  int64_t previous = -1;
  PerLevel<V> count;
  for (Span span : tiles.spans(member, dim)) {
    if (span.extent() == 0)
      continue;
    if (span.extent() != previous)
      count = tileCounts(V(double(span.extent())), V(nominal),
                         whole[Level::Accumulator], whole[Level::Registers]);
    previous = span.extent();
    for (Level level :
         {Level::Registers, Level::Accumulator, Level::Scratchpad})
      exact[level] += count[level];
  }
  for (Level level : {Level::Registers, Level::Accumulator}) {
    if constexpr (Whole)
      nest.count[level][dim] = exact[level];
    else
      nest.count[level][dim] =
          aroundWhole(produced / nest.tile[level][dim], exact[level],
                      V(produced) / whole[level]);
  }
  // Tiles with nothing to make cost nothing.
  nest.count[Level::Scratchpad][dim] = nest.trips[Level::Dram][dim] =
      T(exact[Level::Scratchpad]);
  nest.group.extent[dim] = T(produced);
}

/// Words that are pooled on their way (eq. (pooling)): `handedOver` pixels, or
/// stored ones, along N, P and Q in all tiles.
template <typename T>
void sharePooling(Nest<T, true> &nest, const MaxPool &pool,
                  const PerDim<int64_t> &handedOver) {
  nest.group.pooledWords =
      double(nest.layer->dims[Dim::G] * nest.layer->dims[Dim::K]);
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    nest.group.pooledWords *= double(handedOver[dim]);
  nest.group.poolReads = double(pool.size * pool.size);
}
/// Sums that the longest store of any member reads at most: pooled, a line of
/// its reader's window or of the image, along either axis.
inline double storeReads(const GroupTiles &tiles, int64_t side) {
  int64_t most = side;
  const GroupFlow &flow = tiles.flow();
  for (size_t i = 0; i < flow.members.size(); ++i) {
    const MaxPool *pool = tiles.pooling(i);
    if (!pool)
      continue;
    int64_t line = std::max(pool->outputs[Axis::H], pool->outputs[Axis::W]);
    if (const std::optional<size_t> output = flow.members[i].output)
      line = std::max({line, tiles.tileExtent(*output, Axis::H),
                       tiles.tileExtent(*output, Axis::W)});
    most = std::max(most, pool->size * pool->size * line);
  }
  return double(most);
}

/// How often a program comes to a layer in a tile, if its input comes, or its
/// outputs go, so many channels at a time; 0: all at once.
inline double slicesOf(const Layer &layer, int64_t in, int64_t out) {
  auto count = [](int64_t channels, int64_t slice) {
    return slice > 0 ? double(llvm::divideCeilSigned(channels, slice)) : 1.0;
  };
  const double ins = count(layer.inputChannels(), in),
               outs = count(layer.outputChannels(), out);
  return layer.isDepthwise() ? std::max(ins, outs) : ins * outs;
}

/// Padding of tiles that are handed over to `layer` (eq. (padding)): `channels`
/// of them at a time.
template <typename T>
void sharePadding(Nest<T, true> &nest, const PaddedExtent &h,
                  const PaddedExtent &w, int64_t channels) {
  nest.group.padding = {
      T(double(h.outside * (w.inside + w.outside) + h.inside * w.outside)),
      T(double(h.outside * w.wholeRuns + h.inside * w.outsideRuns)),
      double(channels)};
}
} // namespace detail

/// A member's nest at `factors`, exact at whole ones: the group's tile stands,
/// so N, P and Q have no factors at scratchpad and DRAM. `side`: of the array.
template <bool Whole, typename T>
Nest<T, true> memberNest(const GroupTiles &tiles, size_t member,
                         const RelaxedFactors<T> &factors,
                         const PerLevel<LoopOrder> &order, int64_t side) {
  const Layer &layer = tiles.layer(member);
  PerDim<int64_t> bounds = layer.dims;
  RelaxedFactors<T> own = factors;
  for (Dim dim : {Dim::N, Dim::P, Dim::Q}) {
    bounds[dim] = std::max<int64_t>(1, tiles.nominal(member, dim));
    own.temporal[Level::Scratchpad][dim] = T(double(bounds[dim]));
  }
  // The group's loops stand outside the member's own, in whatever order.
  PerLevel<LoopOrder> loops = order;
  auto isOwn = [](Dim dim) { return isRelevant(Tensor::W, dim); };
  auto *next =
      llvm::copy_if(order[Level::Dram], loops[Level::Dram].begin(), isOwn);
  llvm::copy_if(order[Level::Dram], next, std::not_fn(isOwn));
  auto nest =
      detail::nestOver<Whole, /*Grouped=*/true>(layer, bounds, own, loops);
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    detail::shareDim<Whole>(nest, tiles, member, dim);
  if (const MaxPool *pool = tiles.pooling(member)) {
    PerDim<int64_t> handedOver;
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      handedOver[dim] = tiles.handedOver(member, dim);
    detail::sharePooling(nest, *pool, handedOver);
  }
  // Rows that are kept are loaded once, if nothing else is loaded meanwhile.
  const bool keeps =
      tiles.loadsInput(member) &&
      tiles.keepsTile(tiles.flow().members[member].input) &&
      llvm::all_of(kLoadedWhole, [&](Dim dim) {
        return nearest(valueOf(nest.tile[Level::Scratchpad][dim])) >=
               double(layer.dims[dim]);
      });
  for (Axis axis : kAllAxes) {
    if (axis == Axis::H && keeps) {
      nest.group.loaded[axis] = T(double(tiles.keptInputRows(member)));
      nest.group.windows[axis] = T(double(tiles.keptWindowRows(member)));
      continue;
    }
    double loaded = 0, windows = 0;
    const auto taps = int64_t(
        nearest(valueOf(nest.tile[Level::Scratchpad][kernelDim(axis)])));
    for (Span outputs : tiles.spans(member, outputDim(axis))) {
      loaded += double(detail::loadedExtent(layer, axis, outputs, taps));
      if (layer.padValue != 0)
        windows += double(detail::windowExtent(layer, axis, outputs, taps));
    }
    nest.group.loaded[axis] = T(loaded);
    nest.group.windows[axis] = T(windows);
  }
  const GroupFlow &flow = tiles.flow();
  const GroupFlow::Tile &input = flow.tiles[flow.members[member].input];
  const std::optional<size_t> output = flow.members[member].output;
  nest.group.storeReads = detail::storeReads(tiles, side);
  if (flow.members.size() > 1)
    nest.group.visits =
        nest.trips[Level::Dram][Dim::N] * nest.trips[Level::Dram][Dim::P] *
        nest.trips[Level::Dram][Dim::Q] *
        detail::slicesOf(layer, input.slice,
                         output ? flow.tiles[*output].slice : 0);
  if (layer.padValue != 0 && tiles.getsWindow(member)) {
    // Pooled rows are as wide as the window: its padding is cleared again for
    // each slice.
    const int64_t slice = tiles.pooling(*input.producer) ? 0 : input.slice;
    detail::sharePadding(nest, tiles.handedOverPadding(member, Axis::H, side),
                         tiles.handedOverPadding(member, Axis::W, side),
                         slice ? std::min(slice, layer.inputChannels())
                               : layer.inputChannels());
  }
  if (output)
    nest.group.window = T(double(tiles.nominal(member, Dim::N)) *
                          double(tiles.tileExtent(*output, Axis::H)) *
                          double(tiles.tileExtent(*output, Axis::W)));
  return nest;
}

/// What of a member's ends and tiles the group's cost needs.
/// `first`: its input comes from DRAM; `last`: its output goes there;
/// `liveSkip`: its residual does not come from there.
template <typename T>
MemberMoves<T> memberMoves(bool first, bool last, bool liveSkip,
                           const Nest<T, true> &nest) {
  MemberMoves<T> moves;
  moves.first = first;
  moves.ends.input = T(first ? 0.0 : 1.0);
  moves.ends.output = T(last ? 0.0 : 1.0);
  moves.ends.residual = T(liveSkip ? 1.0 : 0.0);
  for (Dim dim : {Dim::N, Dim::G, Dim::K, Dim::P, Dim::Q})
    moves.fits *= 1.0 - gateOf(nest.trips[Level::Scratchpad][dim]);
  return moves;
}

template <typename T>
MemberMoves<T> memberMoves(const GroupTiles &tiles, size_t member,
                           const Nest<T, true> &nest) {
  return memberMoves(tiles.loadsInput(member), tiles.isLast(member),
                     tiles.addsOnChip(member), nest);
}

} // namespace fadiff

#endif // FADIFF_COSTMODEL_GROUP_H
