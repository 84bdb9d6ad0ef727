//===- LoopUnitLatency.h - Cycles of the loop unit in RTL -------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a layer takes in RTL when the machine's own loop unit runs it, in closed
// form, where the roofline has only bandwidths. docs/Latency.md derives it and
// says what was fitted, on what, and how well it does; equation numbers are
// those of that page. What the code generator emits is another stream, with a
// formula of its own (StreamLatency.h).
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_LOOPUNITLATENCY_H
#define FADIFF_COSTMODEL_LOOPUNITLATENCY_H

#include "fadiff/CostModel/Nest.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace fadiff {

/// What of a layer's tiling matters for its time: the box of work between two
/// visits to DRAM, and the DRAM loops around it. T is double or a Dual.
template <typename T> struct TiledLayer {
  const Layer *layer = nullptr;
  /// Extents of a full tile, each from 1 to the bound; need not divide it.
  PerDim<T> tile{T(1.0)};
  /// Pixels that stream through the array under one weight tile: extents of N,
  /// P and Q, each at most the tile's.
  PerDim<T> run{T(1.0)};
  /// DRAM loops, innermost first.
  LoopOrder order = kAllDims;
  /// Channels that one pass takes: C over rows, K (or G) over columns.
  T rows{1.0};
  T cols{1.0};
};

/// Cycles of a layer, and what they are made of if nothing overlapped.
template <typename T> struct PhaseCycles {
  T cycles{0.0};
  T execute{0.0};
  T load{0.0};
  T store{0.0};
};

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
  /// Cycles to write O.
  T store{0.0};
  /// Cycles to spread the bias over the accumulator's rows.
  T bias{0.0};
};

template <typename T>
TileWork<T> tileWork(const TiledLayer<T> &tiled, const PerDim<T> &tile,
                     const Accelerator &target) {
  const Layer &layer = *tiled.layer;
  const bool depthwise = layer.isDepthwise();
  const double side = static_cast<double>(target.side);
  const double bus = static_cast<double>(target.dmaBytesPerCycle);
  const double request = static_cast<double>(target.dmaMaxRequestBytes);
  const double issue = target.passCycles;
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
  // Pixels of the innermost dim that has any are contiguous.
  const Dim inner = layer.dims[Dim::Q] > 1   ? Dim::Q
                    : layer.dims[Dim::P] > 1 ? Dim::P
                                             : Dim::N;
  T stream = streamCycles(run[inner], side, issue);
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    if (dim != inner)
      stream *= run[dim];
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
    return (tile[outputDim(axis)] - 1.0) * double(layer.stride[axis]) +
           (tile[kernelDim(axis)] - 1.0) * double(layer.dilation[axis]) + 1.0;
  };
  T pixels = tile[Dim::N] * window(Axis::H) * window(Axis::W);
  T inputRow = (depthwise ? tile[Dim::G] : tile[Dim::C]) * element;
  if (!depthwise)
    pixels *= tile[Dim::G];
  work.inputRequests = pixels * requestsOf(inputRow);
  work.inputBeats = pixels * beatsOf(inputRow);

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
  const double bytes = static_cast<double>(layer.outputBytes);
  work.store = valueOf(channels) * bytes < bus - 1e-9
                   ? outputs * double(target.dmaShortWriteCycles)
                   : outputs * blocks * beatsOf(block * bytes) + pipe;
  if (layer.hasBias)
    work.bias = outputs * blocks;
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
PhaseCycles<T> loopUnitLatency(const TiledLayer<T> &tiled,
                               const Accelerator &target) {
  using namespace latency;
  const Layer &layer = *tiled.layer;

  // The loops that run, outermost first.
  llvm::SmallVector<DramLoop<T>, kNumDims> loops;
  for (unsigned i = kNumDims; i-- > 0;) {
    Dim dim = tiled.order[i];
    const double bound = static_cast<double>(layer.dims[dim]);
    const T &tile = tiled.tile[dim];
    DramLoop<T> loop;
    loop.dim = dim;
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

  // Of the tiles of an output, how many are summed up in the accumulator.
  T reductions(1.0);
  for (const DramLoop<T> &loop : loops)
    if (isReduction(loop.dim))
      reductions *= loop.trips;

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
  const double inFlight = static_cast<double>(target.dmaRequestsInFlight);
  const double hit = static_cast<double>(target.dmaLatency) / inFlight;
  const double miss = static_cast<double>(target.dmaColdLatency) / inFlight;
  const T weightCost = minOf(weightLines / weightTotal, T(1.0)) * miss + hit;
  const T inputCost = minOf(inputLines / inputTotal, T(1.0)) * miss + hit;
  // Eq. L6: W and I load for every tile.
  auto load = [&](const TileWork<T> &work) {
    return maxOf(work.weightRequests * weightCost, work.weightBeats) +
           maxOf(work.inputRequests * inputCost, work.inputBeats) +
           work.bias / reductions;
  };
  auto store = [&](const TileWork<T> &work) { return work.store / reductions; };

  // Eq. L9: while a tile executes, the next one loads and the last one drains;
  // some of what should be hidden is not, as the three share memories.
  auto step = [&](const T &execute, const T &load, const T &store) {
    T sum = execute + load + store;
    T longest = maxOf(execute, maxOf(load, store));
    return longest + (sum - longest) * target.overlapLoss;
  };

  PhaseCycles<T> result;
  for (const Kind &kind : kinds) {
    const TileWork<T> &full = kind.full, &last = kind.last;
    T loadFull = load(full), loadLast = load(last);
    T storeFull = store(full), storeLast = store(last);
    T sweep = step(last.execute, loadFull, storeLast);
    if (!loops.empty())
      sweep += step(full.execute, loadLast, storeFull) +
               step(full.execute, loadFull, storeFull) * (innerTrips - 2.0);
    result.cycles += kind.sweeps * sweep;
    T fullTrips = innerTrips - 1.0;
    result.execute += kind.sweeps * (full.execute * fullTrips + last.execute);
    result.store += kind.sweeps * (storeFull * fullTrips + storeLast);
    result.load += kind.sweeps * (loadFull * fullTrips + loadLast);
  }

  // Eq. L10: the first load has nothing to hide behind, nor has the last store;
  // the last tile has no next one: its step counted the first load again. The
  // array and the pipes fill and drain once.
  const TileWork<T> &first = kinds.front().full, &tail = kinds.back().last;
  T loadFirst = load(first);
  result.cycles += loadFirst + step(tail.execute, T(0.0), store(tail)) -
                   step(tail.execute, loadFirst, store(tail));
  result.cycles += store(tail) * (1.0 - target.overlapLoss);
  result.cycles += static_cast<double>(target.dmaLatency + target.arrayDepth() +
                                       target.accumulatorPipe);
  return result;
}

} // namespace fadiff

#endif // FADIFF_COSTMODEL_LOOPUNITLATENCY_H
