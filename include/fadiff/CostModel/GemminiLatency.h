//===- GemminiLatency.h - Cycles on the real machine ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The latency model `gemmini`: a closed form for what a layer takes in RTL,
// where the roofline has only bandwidths. docs/Latency.md derives it and says
// what was fitted, on what, and how well it does. Equation numbers are those of
// that page.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_GEMMINILATENCY_H
#define FADIFF_COSTMODEL_GEMMINILATENCY_H

#include "fadiff/CostModel/Nest.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

namespace fadiff {

/// What a member of a fusion group has from the group (eq. L11).
template <typename T> struct TiledMember {
  /// The group's tiles along N, P and Q; of other dims 1. The member's tile is
  /// then the mean of what it makes in each.
  PerDim<double> trips{1.0};
  /// Rows and columns of I that a tile loads, in the mean.
  PerAxis<T> window{T(1.0), T(1.0)};
  /// I is in the scratchpad already; O goes there.
  bool inputOnChip = false;
  bool outputOnChip = false;
};

/// What of a nest matters for its time: the box of work between two visits to
/// DRAM, and the DRAM loops around it. T is double or a Dual.
template <typename T> struct TiledLayer {
  const Layer *layer = nullptr;
  /// Extents of a full tile, each from 1 to the bound; need not divide it.
  PerDim<T> tile{T(1.0)};
  /// Set for a member of a fusion group.
  std::optional<TiledMember<T>> member;
  /// Pixels that stream through the array under one weight tile: extents of N,
  /// P and Q, each at most the tile's.
  PerDim<T> run{T(1.0)};
  /// DRAM loops, innermost first.
  LoopOrder order = kAllDims;
  /// Channels that one pass takes: C over rows, K (or G) over columns.
  T rows{1.0};
  T cols{1.0};
  /// Load W and I for every tile, as Gemmini's own loop_conv_ws does, instead
  /// of only where the placement of the loops asks for it.
  bool reloadAlways = false;
  /// The next tile loads and the last one drains while this one executes.
  bool doubleBuffered = true;
  /// Runs of 1x1 kernels go on from one pixel row to the next.
  bool joinRows = false;
  /// The core issues every command, not Gemmini's own loop unit.
  bool issuedByCore = false;

  /// Iterations of a dim over all tiles.
  double bound(Dim dim) const {
    if (member && isGroupDim(dim))
      return member->trips[dim] * valueOf(tile[dim]);
    return static_cast<double>(layer->dims[dim]);
  }
  /// Whether the loops of the group run over it, not the layer's own.
  static bool isGroupDim(Dim dim) {
    return dim == Dim::N || dim == Dim::P || dim == Dim::Q;
  }
};

/// Cycles of a layer, and what they are made of if nothing overlapped.
template <typename T> struct GemminiLatency {
  T cycles{0.0};
  T execute{0.0};
  T load{0.0};
  T store{0.0};
};

/// The code generator's streams overlap in part (docs/Lowering.md, "Streams"):
/// what neither setting says. Without, layers are ordered better.
inline constexpr bool kDoubleBuffered = false;

/// The tiles of a nest in the code generator's placement. Its programs keep one
/// buffer per tensor unless `doubleBuffered`.
template <typename T, bool Grouped>
TiledLayer<T> tiledLayer(const Nest<T, Grouped> &nest, bool doubleBuffered) {
  TiledLayer<T> tiled;
  tiled.layer = nest.layer;
  tiled.tile = nest.tile[Level::Scratchpad];
  tiled.run = nest.tile[Level::Registers];
  tiled.order = nest.order[Level::Dram];
  tiled.rows = nest.rows;
  tiled.cols = nest.cols;
  tiled.doubleBuffered = doubleBuffered;
  tiled.joinRows = true;
  tiled.issuedByCore = true;
  return tiled;
}

/// The tiles of a member of a fusion group, each of them the mean one.
template <typename T>
TiledLayer<T> tiledMember(const Nest<T, true> &nest, bool inputOnChip,
                          bool outputOnChip, bool doubleBuffered) {
  TiledLayer<T> tiled = tiledLayer(nest, doubleBuffered);
  TiledMember<T> &member = tiled.member.emplace();
  member.inputOnChip = inputOnChip;
  member.outputOnChip = outputOnChip;
  for (Dim dim : kAllDims) {
    if (!TiledLayer<T>::isGroupDim(dim))
      continue;
    member.trips[dim] = valueOf(nest.trips[Level::Dram][dim]);
    tiled.tile[dim] = nest.group.extent[dim] / member.trips[dim];
  }
  for (Axis axis : kAllAxes)
    member.window[axis] =
        nest.group.loaded[axis] / member.trips[outputDim(axis)];
  return tiled;
}

namespace latency {

/// ceil(a / b) of the nearest whole numbers; from there it moves with the
/// quotient, as counts of tiles do.
template <typename T> T parts(const T &a, const T &b) {
  const double wholeA = nearest(valueOf(a)), wholeB = nearest(valueOf(b));
  return detail::aroundWhole(a / b, ceilDiv(wholeA, wholeB), wholeA / wholeB);
}

/// Eq. L1: cycles of a pass of `rows` pixels. They stream one per cycle, but
/// passes cannot follow each other faster than every `issue` cycles. Which of
/// the two limits changes from pass to pass, and that rounds the corner: a
/// 4-norm in place of the maximum.
template <typename T> T passCycles(const T &rows, double issue) {
  T square = rows * rows;
  return expOf(logOf(square * square + issue * issue * issue * issue) * 0.25);
}

/// Eq. L2: `pixels` in passes of `side`, the last one shorter.
template <typename T>
T streamCycles(const T &pixels, double side, double issue) {
  const double full = std::floor(valueOf(pixels) / side + 1e-9);
  T rest = pixels - full * side;
  T cycles = (pixels - rest) * (std::max(side, issue) / side);
  if (valueOf(rest) > 1e-6)
    cycles += passCycles(rest, issue);
  return cycles;
}

/// One kind of tile: what it takes of each resource.
template <typename T> struct TileWork {
  T execute{0.0};
  /// DMA requests and bus beats of loading W and I.
  T weightRequests{0.0}, inputRequests{0.0};
  T weightBeats{0.0}, inputBeats{0.0};
  /// Cycles to write O once, requantised and as partial sums.
  T store{0.0}, storeSums{0.0};
  T sumRequests{0.0};
  /// Cycles to spread the bias over the accumulator's rows.
  T bias{0.0};
  /// Of loading a residual.
  T residualRequests{0.0}, residualBeats{0.0};
};

template <typename T>
TileWork<T> tileWork(const TiledLayer<T> &tiled, const PerDim<T> &tile,
                     const Accelerator &target) {
  const Layer &layer = *tiled.layer;
  const bool depthwise = layer.isDepthwise();
  const double side = static_cast<double>(target.side);
  const double bus = static_cast<double>(target.dmaBytesPerCycle);
  const double request = static_cast<double>(target.dmaMaxRequestBytes);
  // A pass is two commands.
  const double issue =
      std::max(target.passCycles,
               tiled.issuedByCore ? 2.0 * double(target.commandCycles) : 0.0);
  TileWork<T> work;

  // Eq. L3: passes. Weights stay while a run of pixels streams; loading the
  // next ones takes `side` cycles meanwhile.
  T columnBlocks = depthwise ? parts(tile[Dim::G], tiled.cols)
                             : parts(tile[Dim::K], tiled.cols) * tile[Dim::G];
  T weightTiles = columnBlocks * tile[Dim::R] * tile[Dim::S];
  if (!depthwise)
    weightTiles *= parts(tile[Dim::C], tiled.rows);
  T runs(1.0);
  PerDim<T> run;
  for (Dim dim : {Dim::N, Dim::P, Dim::Q}) {
    run[dim] = minOf(tiled.run[dim], tile[dim]);
    runs *= parts(tile[dim], run[dim]);
  }
  bool joined = tiled.joinRows && valueOf(tile[Dim::R]) < 1 + 1e-9 &&
                valueOf(tile[Dim::S]) < 1 + 1e-9;
  // Pixels of the innermost dim that has any are contiguous.
  const Dim inner = layer.dims[Dim::Q] > 1   ? Dim::Q
                    : layer.dims[Dim::P] > 1 ? Dim::P
                                             : Dim::N;
  T stream(1.0);
  if (joined) {
    stream = streamCycles(run[Dim::N] * run[Dim::P] * run[Dim::Q], side, issue);
  } else {
    stream = streamCycles(run[inner], side, issue);
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      if (dim != inner)
        stream *= run[dim];
  }
  work.execute = weightTiles * runs * maxOf(stream, T(side));

  // Eq. L4: DRAM rows of W hold K (a block of G), those of I hold C (or G).
  const double element = static_cast<double>(layer.elementBytes);
  auto requestsOf = [&](const T &bytes) { return parts(bytes, T(request)); };
  auto beatsOf = [&](const T &bytes) { return parts(bytes, T(bus)); };
  T weightRow =
      (depthwise ? minOf(tiled.cols, tile[Dim::G]) : tile[Dim::K]) * element;
  T weightRows = tile[Dim::G] * tile[Dim::C] * tile[Dim::R] * tile[Dim::S];
  work.weightRequests = weightRows * requestsOf(weightRow);
  work.weightBeats = weightRows * beatsOf(weightRow);
  auto window = [&](Axis axis) -> T {
    if (tiled.member)
      return tiled.member->window[axis];
    return (tile[outputDim(axis)] - 1.0) * double(layer.stride[axis]) +
           (tile[kernelDim(axis)] - 1.0) * double(layer.dilation[axis]) + 1.0;
  };
  T pixels = tile[Dim::N] * window(Axis::H) * window(Axis::W);
  T inputRow = (depthwise ? tile[Dim::G] : tile[Dim::C]) * element;
  if (!depthwise)
    pixels *= tile[Dim::G];
  if (!tiled.member || !tiled.member->inputOnChip) {
    work.inputRequests = pixels * requestsOf(inputRow);
    work.inputBeats = pixels * beatsOf(inputRow);
  }

  // Eq. L5: O leaves in rows of at most `side` channels; a row below the bus
  // width is a partial write, which the memory system must merge.
  T outputs = tile[Dim::N] * tile[Dim::P] * tile[Dim::Q];
  T channels = depthwise ? tile[Dim::G] : tile[Dim::K];
  if (!depthwise)
    outputs *= tile[Dim::G];
  T blocks = parts(channels, T(side));
  T block = minOf(channels, T(side));
  // Stores do not overlap each other, so each shows the accumulator's pipe.
  T stores = blocks * parts(run[inner], T(side));
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    stores *= dim == inner ? parts(tile[dim], run[dim]) : tile[dim];
  if (!depthwise)
    stores *= tile[Dim::G];
  T pipe = stores * double(target.accumulatorPipe + target.scratchpadReadDelay);
  auto writeCycles = [&](double bytes) -> T {
    if (valueOf(channels) * bytes < bus - 1e-9)
      return outputs * double(target.dmaShortWriteCycles);
    return outputs * blocks * beatsOf(block * bytes) + pipe;
  };
  // A row of the scratchpad takes a cycle, whatever its width.
  work.store = tiled.member && tiled.member->outputOnChip
                   ? outputs * blocks + pipe
                   : writeCycles(static_cast<double>(layer.outputBytes));
  work.storeSums = writeCycles(4.0);
  work.sumRequests = outputs * blocks * requestsOf(block * 4.0);
  if (layer.hasBias)
    work.bias = outputs * blocks;
  if (layer.hasResidual) {
    work.residualRequests = outputs * blocks * requestsOf(block);
    work.residualBeats = outputs * blocks * beatsOf(block);
  }
  return work;
}

/// A DRAM loop that runs: full tiles and a rest.
template <typename T> struct DramLoop {
  Dim dim = Dim::N;
  T trips{1.0};
  T rest{0.0};
  bool hasRest = false;
};

} // namespace latency

/// Eq. L6 to L10. `tiled` has extents of at least 1.
template <typename T>
GemminiLatency<T> gemminiLatency(const TiledLayer<T> &tiled,
                                 const Accelerator &target) {
  using namespace latency;
  const Layer &layer = *tiled.layer;

  // The loops that run, outermost first.
  llvm::SmallVector<DramLoop<T>, kNumDims> loops;
  for (unsigned i = kNumDims; i-- > 0;) {
    Dim dim = tiled.order[i];
    const double bound = tiled.bound(dim);
    const T &tile = tiled.tile[dim];
    DramLoop<T> loop;
    loop.dim = dim;
    if (tiled.member && tiled.isGroupDim(dim)) { // all tiles are the mean one
      loop.trips = T(tiled.member->trips[dim]);
      if (tiled.member->trips[dim] > 1)
        loops.push_back(loop);
      continue;
    }
    // Which loops run and leave a rest is a matter of whole tiles.
    const double whole = nearest(valueOf(tile));
    const double wholeTrips = ceilDiv(bound, whole);
    if (wholeTrips < 2)
      continue;
    loop.trips = parts(T(bound), tile);
    loop.rest = maxOf(bound - (wholeTrips - 1) * tile, T(1.0));
    loop.hasRest = wholeTrips * whole > bound;
    loops.push_back(loop);
  }

  // Eq. L6: W and I load just inside the innermost loop over one of their dims:
  // on each of its steps, and of those further out. `reloads` is the number of
  // loops whose steps load.
  auto reloads = [&](Tensor tensor) -> size_t {
    size_t count = loops.size();
    if (!tiled.reloadAlways)
      while (count > 0 && !isRelevant(tensor, loops[count - 1].dim))
        --count;
    return count;
  };
  auto tripsOf = [&](size_t outer) {
    T product(1.0);
    for (size_t i = 0; i < outer; ++i)
      product *= loops[i].trips;
    return product;
  };
  const size_t weightLoops = reloads(Tensor::W),
               inputLoops = reloads(Tensor::I);
  const T tiles = tripsOf(loops.size());
  // Of the steps on which the innermost loop wraps, how many load.
  auto onWrap = [&](size_t loadLoops) -> T {
    if (loops.empty() || loadLoops + 1 >= loops.size())
      return T(1.0);
    return tripsOf(loadLoops) / tripsOf(loops.size() - 1);
  };

  // Eq. L7: visits to an O tile, of which all but the last spill partial sums.
  T reductions(1.0), visits(1.0);
  bool outside = false;
  for (size_t i = loops.size(); i-- > 0;) {
    if (!isReduction(loops[i].dim)) {
      outside = true;
      continue;
    }
    reductions *= loops[i].trips;
    if (outside && !tiled.reloadAlways)
      visits *= loops[i].trips;
  }

  // All kinds of tiles: each loop is on a full one or on the rest.
  struct Kind {
    TileWork<T> full, last; ///< by the innermost loop
    T sweeps;               ///< times the innermost loop runs
  };
  llvm::SmallVector<Kind, 8> kinds;
  const size_t outerLoops = loops.empty() ? 0 : loops.size() - 1;
  for (unsigned mask = 0; mask < (1u << outerLoops); ++mask) {
    PerDim<T> tile = tiled.tile;
    T sweeps(1.0);
    bool exists = true;
    for (size_t i = 0; i < outerLoops; ++i) {
      const DramLoop<T> &loop = loops[i];
      if (mask >> i & 1) {
        exists &= loop.hasRest;
        tile[loop.dim] = loop.rest;
      } else {
        sweeps *= loop.trips - (loop.hasRest ? 1.0 : 0.0);
      }
    }
    if (!exists)
      continue;
    Kind kind;
    kind.sweeps = sweeps;
    kind.full = kind.last = tileWork(tiled, tile, target);
    if (!loops.empty() && loops.back().hasRest) {
      tile[loops.back().dim] = loops.back().rest;
      kind.last = tileWork(tiled, tile, target);
    }
    kinds.push_back(kind);
  }
  const T innerTrips = loops.empty() ? T(1.0) : loops.back().trips;

  // Eq. L8: a request takes latency / (requests in flight); the first one for a
  // line of DRAM pays the miss on top. How many are first ones follows from the
  // sizes of W and I in lines and from all requests for them.
  auto volume = [&](std::initializer_list<Dim> dims) {
    double product = 1;
    for (Dim dim : dims)
      product *= static_cast<double>(layer.dims[dim]);
    return product;
  };
  const double request = static_cast<double>(target.dmaMaxRequestBytes);
  const double element = static_cast<double>(layer.elementBytes);
  const bool depthwise = layer.isDepthwise();
  double weightLines = volume({Dim::G, Dim::C, Dim::R, Dim::S}) *
                       std::max(1.0, volume({Dim::K}) * element / request);
  double stored = 1;
  for (Axis axis : kAllAxes)
    stored *= static_cast<double>(layer.window(
        axis, layer.dims[outputDim(axis)], layer.dims[kernelDim(axis)]));
  double channels = volume({depthwise ? Dim::G : Dim::C});
  double inputLines = volume({Dim::N}) * stored *
                      (depthwise ? 1.0 : volume({Dim::G})) *
                      std::max(1.0, channels * element / request);
  T weightTotal(0.0), inputTotal(0.0);
  for (const Kind &kind : kinds) {
    weightTotal +=
        kind.sweeps * ((innerTrips - 1.0) * kind.full.weightRequests +
                       kind.last.weightRequests);
    inputTotal += kind.sweeps * ((innerTrips - 1.0) * kind.full.inputRequests +
                                 kind.last.inputRequests);
  }
  weightTotal *= tripsOf(weightLoops) / tiles;
  inputTotal *= tripsOf(inputLoops) / tiles;
  const double inFlight = static_cast<double>(target.dmaRequestsInFlight);
  const double hit = static_cast<double>(target.dmaLatency) / inFlight;
  const double miss = static_cast<double>(target.dmaColdLatency) / inFlight;
  const T weightCost = minOf(weightLines / weightTotal, T(1.0)) * miss + hit;
  const T inputCost = tiled.member && tiled.member->inputOnChip
                          ? T(0.0)
                          : minOf(inputLines / inputTotal, T(1.0)) * miss + hit;
  auto load = [&](const TileWork<T> &work, const T &weights, const T &input) {
    T cycles =
        maxOf(work.weightRequests * weightCost, work.weightBeats) * weights +
        maxOf(work.inputRequests * inputCost, work.inputBeats) * input;
    return cycles + (work.sumRequests * (visits - 1.0) * hit + work.bias +
                     maxOf(work.residualRequests * hit, work.residualBeats)) /
                        reductions;
  };
  auto store = [&](const TileWork<T> &work) {
    return (work.store + work.storeSums * (visits - 1.0)) / reductions;
  };

  // Eq. L9: while a tile executes, the next one loads and the last one drains;
  // some of what should be hidden is not, as the three share memories.
  auto step = [&](const T &execute, const T &load, const T &store) {
    T sum = execute + load + store;
    if (!tiled.doubleBuffered)
      return sum;
    T longest = maxOf(execute, maxOf(load, store));
    return longest + (sum - longest) * target.overlapLoss;
  };

  GemminiLatency<T> result;
  const bool weightsStep = !loops.empty() && weightLoops == loops.size();
  const bool inputStep = !loops.empty() && inputLoops == loops.size();
  const T weightWrap = onWrap(weightLoops), inputWrap = onWrap(inputLoops);
  for (const Kind &kind : kinds) {
    const TileWork<T> &full = kind.full, &last = kind.last;
    T onStep(weightsStep ? 1.0 : 0.0), inputOnStep(inputStep ? 1.0 : 0.0);
    T loadFull = load(full, onStep, inputOnStep);
    T loadLast = load(last, onStep, inputOnStep);
    T loadWrap = load(full, weightWrap, inputWrap);
    T storeFull = store(full), storeLast = store(last);
    T sweep = step(last.execute, loadWrap, storeLast);
    if (!loops.empty())
      sweep += step(full.execute, loadLast, storeFull) +
               step(full.execute, loadFull, storeFull) * (innerTrips - 2.0);
    result.cycles += kind.sweeps * sweep;
    T fullTrips = innerTrips - 1.0;
    result.execute += kind.sweeps * (full.execute * fullTrips + last.execute);
    result.store += kind.sweeps * (storeFull * fullTrips + storeLast);
    if (loops.empty())
      result.load += loadWrap;
    else
      result.load +=
          kind.sweeps * (loadFull * (innerTrips - 2.0) + loadLast + loadWrap);
  }

  // Eq. L10: the first load has nothing to hide behind, nor has the last store;
  // the last tile has no next one: its step counted the first load again. The
  // array and the pipes fill and drain once, and for each tile if nothing
  // overlaps.
  const TileWork<T> &first = kinds.front().full, &tail = kinds.back().last;
  T loadFirst = load(first, T(1.0), T(1.0));
  result.cycles += loadFirst + step(tail.execute, T(0.0), store(tail)) -
                   step(tail.execute, loadFirst, store(tail));
  if (tiled.doubleBuffered)
    result.cycles += store(tail) * (1.0 - target.overlapLoss);
  const double fill =
      static_cast<double>(target.dmaLatency + 3 * target.side + 1 +
                          target.scratchpadReadDelay + target.accumulatorPipe);
  result.cycles += tiled.doubleBuffered ? T(fill) : tiles * fill;
  return result;
}

/// Cycles of `layer` at `mapping` in the code generator's placement.
GemminiLatency<double> gemminiLatency(const Layer &layer,
                                      const Mapping &mapping,
                                      const Accelerator &target,
                                      bool doubleBuffered);

} // namespace fadiff

#endif // FADIFF_COSTMODEL_GEMMINILATENCY_H
