//===- StreamMoves.h - What the emitted streams move ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first half of StreamLatency.h, which includes it: which loops a nest has,
// what a compute takes, and the moves of one tile of each tensor.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_STREAMMOVES_H
#define FADIFF_COSTMODEL_STREAMMOVES_H

#include "fadiff/CostModel/StreamLatency.h"

namespace fadiff {
namespace stream {

/// The loops that are emitted, and where tiles are copied (docs/CostModel.md,
/// "Placement").
template <typename T> void Streams<T>::findLoops() {
  shape.layer = &layer;
  auto whole = [](const T &value) {
    return std::max<int64_t>(1, std::llround(valueOf(value)));
  };
  shape.rows = whole(streamed.rows);
  shape.cols = whole(streamed.cols);
  PerLevel<PerDim<int64_t>> nominal;
  for (Level level : kAllLevels)
    for (Dim dim : kAllDims)
      nominal[level][dim] = whole(streamed.tile[level][dim]);
  const auto &count = streamed.count;
  // What lies under pooling windows may be more than any tile has, so that a
  // loop over it is emitted for a single trip.
  auto runs = [&](Level level, Level inner, Dim dim, const T &trips) {
    return valueOf(trips) > 1 + 1e-9 ||
           (streamed.poolReads > 0 && isPixel(dim) && level != Level::Dram &&
            nominal[inner][dim] < nominal[level][dim]);
  };
  // One compute streams all pixels of loops that stand innermost.
  for (Dim dim : streamed.order[Level::Accumulator]) {
    if (!runs(Level::Accumulator, Level::Registers, dim,
              count[Level::Registers][dim] / count[Level::Accumulator][dim]))
      continue;
    if (!isPixel(dim))
      break;
    boxLevel[dim] = Level::Accumulator;
    nominal[Level::Registers][dim] = nominal[Level::Accumulator][dim];
  }
  llvm::SmallVector<Level, 16> levels;
  auto add = [&](Level level, Level inner, Dim dim, const T &times) {
    if (!runs(level, inner, dim, times))
      return;
    shape.loops.push_back({dim, nominal[inner][dim]});
    levels.push_back(level);
    trips.push_back(times);
    dims.push_back(dim);
  };
  for (Dim dim : streamed.order[Level::Accumulator])
    if (boxLevel[dim] != Level::Accumulator)
      add(Level::Accumulator, Level::Registers, dim,
          count[Level::Registers][dim] / count[Level::Accumulator][dim]);
  for (Dim dim : streamed.order[Level::Scratchpad])
    add(Level::Scratchpad, Level::Accumulator, dim,
        count[Level::Accumulator][dim] / count[Level::Scratchpad][dim]);
  for (Dim dim : streamed.order[Level::Dram])
    if (!(streamed.grouped && isPixel(dim)))
      add(Level::Dram, Level::Scratchpad, dim, count[Level::Scratchpad][dim]);

  PerDim<int64_t> extents;
  PerDim<bool> exact;
  for (Dim dim : kAllDims) {
    const bool isTiled = streamed.grouped && isPixel(dim);
    extents[dim] = isTiled ? nominal[Level::Scratchpad][dim] : layer.dims[dim];
    exact[dim] = !isTiled || !streamed.isCut[dim];
  }
  makesSlices = streamed.slicesOut > 1 && !shape.loops.empty();
  // Whether its outermost loop, which is the reader's, brings in more of what
  // is relevant to the tensor.
  auto slicesFetch = [&](Tensor tensor) {
    return makesSlices && levels.back() == Level::Dram &&
           isRelevant(tensor, outChannel);
  };
  if (makesSlices) {
    const StreamLoop slices = shape.loops.pop_back_val();
    exact[slices.dim] = extents[slices.dim] % slices.step == 0;
    extents[slices.dim] = sliceStep = slices.step;
  }

  auto inside = [&](auto leaves) {
    size_t result = 0;
    while (result < shape.loops.size() &&
           !leaves(levels[result], shape.loops[result].dim))
      ++result;
    return result;
  };
  auto fetches = [&](Tensor tensor) {
    return inside([=](Level level, Dim dim) {
      return level == Level::Dram && isRelevant(tensor, dim);
    });
  };
  shape.insideWeights = fetches(Tensor::W);
  shape.insideInput = fetches(Tensor::I);
  shape.insideSums = inside([](Level level, Dim dim) {
    return level != Level::Accumulator && isRelevant(Tensor::O, dim);
  });
  shape.weightsStay = streamed.grouped &&
                      shape.insideWeights == shape.loops.size() &&
                      !slicesFetch(Tensor::W);
  // What several read comes in before the nest; what all slices do, each of all
  // channels, and nobody else comes with the first of them.
  const bool isLoadedWhole = shape.insideInput == shape.loops.size();
  const bool isForSlices = makesSlices && !streamed.inputOnChip &&
                           isLoadedWhole && !slicesFetch(Tensor::I);
  loadsBefore = streamed.loadsBefore ||
                (isForSlices && (streamed.inputIsShared || depthwise));
  shape.inputStays = isForSlices && !loadsBefore;
  shape.inputOnChip = streamed.inputOnChip || loadsBefore;
  if (shape.inputOnChip)
    shape.insideInput = shape.loops.size();
  shape.turns = streamed.turns;
  shape.setExtents(extents, exact);
  shape.weightBlock =
      weightBlock(layer, shape.weightsStay ? layer.dims : shape.weightTile,
                  shape.cols, target);
  if (streamed.isOnly) {
    shape.runs = 1;
    if (streamed.grouped)
      for (Dim dim : kPixelDims)
        shape.runs *= streamed.groupTrips[dim];
    shape.freeRows = double(target.scratchpadRows()) -
                     double(shape.inputRows()) - double(shape.weightRows());
  }
  if (shape.inputOnChip && streamed.slicesIn > 1) {
    // Its own window, as if it were whole.
  } else if (shape.inputOnChip) {
    shape.input = streamed.inputTile;
  } else if (streamed.keepsInput && isLoadedWhole &&
             (!makesSlices || shape.inputStays)) {
    shape.input = streamed.inputTile;
    shape.loadsRing = true;
  }
  shape.skip = streamed.skipTile;
  shape.hasRing = streamed.keepsTiles || shape.loadsRing ||
                  (shape.inputOnChip && streamed.keepsInput);
  shape.loadsResidual = layer.hasResidual && !streamed.residualOnChip;
  shape.outputOnChip = streamed.outputOnChip;
  shape.handOver = streamed.handOver;
  shape.poolReads = streamed.poolReads;
  shape.mostPooledRows = streamed.mostPooledRows;
  shape.poolPads = streamed.poolReads > 0 && (layer.pool->padLow[Axis::H] > 0 ||
                                              layer.pool->padLow[Axis::W] > 0);
  shape.staysInPlace = shape.outputOnChip && target.handsOverInPlace();
  for (size_t i = shape.insideSums; i < shape.loops.size(); ++i)
    if (isReduction(shape.loops[i].dim))
      visits *= trips[i];
  shape.spills = valueOf(visits) > 1 + 1e-9;
  shape.sumsBeside = streamed.sumsBeside;
  shape.fitsChunks = shape.chunkRows(target) + double(shape.sumsBeside) <=
                     double(target.accumulatorRows());
  if (streamed.grouped)
    for (Dim dim : kPixelDims)
      if (streamed.groupTrips[dim] > 1) {
        trips.push_back(T(streamed.groupTrips[dim]));
        dims.push_back(dim);
      }
}

/// Eq. S1 and S2: what a compute takes of the array and of the core, and how
/// far the core gets ahead of the array. Of a tile's last reduction step, whose
/// outputs may leave with shorter passes, as of the others.
template <typename T> void Streams<T>::findPasses() {
  for (Dim dim : kAllDims) {
    const T &extent = streamed.extent[dim];
    box[dim] = extent / streamed.count[boxLevel[dim]][dim];
    sums[dim] = extent / streamed.count[Level::Accumulator][dim];
    tile[dim] = extent / streamed.count[Level::Scratchpad][dim];
  }
  T line(1.0);
  std::optional<Dim> uneven;
  for (Dim dim : kPixelDims) {
    (plan.joins(dim) ? line : lines) *= box[dim];
    if (plan.joins(dim) && !shape.exact[dim] &&
        !(streamed.grouped && streamed.groupTrips[dim] > 1))
      uneven = dim;
  }
  T stay(1.0); // computes under the same weights
  for (size_t i = 0; i < trips.size() && isPixel(dims[i]); ++i)
    stay *= trips[i];

  T perLine(0.0), lineCycles(0.0), gap(0.0);
  auto account = [&](const T &length, const T &share) {
    const T count = latency::parts(length, T(side));
    const double before =
        plan.leastFirst > 0 && valueOf(length) > side
            ? 0
            : side * (std::ceil(valueOf(length) / side - 1e-9) - 1);
    perLine += share * count;
    lineCycles +=
        share * maxOf(maxOf(length, T(double(kShortestPass))), count * least);
    // The next weights load while the last pass streams.
    gap += share * maxOf(T(side) - (length - before), T(0.0));
  };
  bool isCut = false;
  if (uneven) {
    // Lines of whole boxes, and those of what is left.
    const T &count = streamed.count[boxLevel[*uneven]][*uneven];
    const T &whole = streamed.tile[boxLevel[*uneven]][*uneven];
    const double full = std::floor(
        valueOf(streamed.extent[*uneven]) / nearest(valueOf(whole)) + 1e-9);
    if (valueOf(count) > full + 1e-6) {
      isCut = true;
      const T others = line / box[*uneven];
      const T share = full / count;
      const T rest = (streamed.extent[*uneven] - full * whole) / (count - full);
      account(others * whole, share);
      account(others * maxOf(rest, T(1.0)), 1.0 - share);
    }
  }
  if (!isCut)
    account(line, T(1.0));
  passes = lines * perLine;
  passRows = line / perLine;
  array = lines * lineCycles + gap / stay;
  pass = maxOf(passRows, T(std::max(least, double(kShortestPass))));
  // Where the core is the slower one, it gets ahead only while the array waits.
  ahead = valueOf(passRows) < least
              ? T(double(target.executeStations) * 0.5 * least)
              : aheadOf(pass);
  burstAhead = maxOf(ahead, aheadOf(array / passes));
}

/// Eq. S3: `count` mvins of `rows` rows of `bytes`, which fill `localRows`.
template <typename T>
Moves<T> Streams<T>::loads(const T &count, const T &rows, const T &bytes,
                           const T &localRows, bool broadcast) const {
  const T fetched = broadcast ? T(1.0) : rows;
  const T requests =
      fetched * latency::parts(bytes, T(double(target.dmaMaxRequestBytes)));
  const T beats =
      fetched * latency::parts(bytes, T(double(target.dmaBytesPerCycle)));
  const T busy =
      maxOf(maxOf(requests, beats),
            maxOf(localRows, fetched * bytes * target.dramCyclesPerByte()));
  const double perRequest = latency / inFlight;
  Moves<T> moves;
  moves.count = count;
  moves.duration = maxOf(busy, (requests - inFlight) * perRequest) + latency;
  // Only so many may be open.
  moves.occupancy = maxOf(maxOf(busy, requests * perRequest),
                          moves.duration / double(target.openLoads()));
  return moves;
}

template <typename T> void Streams<T>::findLoads() {
  using latency::parts;
  const double element = double(layer.elementBytes);
  const T groups = depthwise ? T(1.0) : tile[Dim::G];
  {
    const Dim beside = tapDim(layer);
    const T moves = parts(tile[beside], T(double(plan.weightTaps)));
    const T taps = tile[beside] / moves; // in one
    const T tapMoves = tile[otherTapDim(layer)] * moves;
    if (depthwise) {
      const T block = minOf(tile[Dim::G], streamed.cols);
      weights = loads(tapMoves * parts(tile[Dim::G], streamed.cols), block,
                      block * taps * element, block * taps * perBlock(block));
    } else {
      const T rowPieces = parts(tile[Dim::C], T(double(plan.weightRows)));
      const T columns = minOf(tile[Dim::K], T(double(plan.weightColumns)));
      const T rows = tile[Dim::C] / rowPieces;
      weights = loads(tapMoves * groups * rowPieces *
                          parts(tile[Dim::K], T(double(plan.weightColumns))),
                      rows, columns * taps * element,
                      rows * taps * perBlock(columns));
    }
  }
  if (!streamed.inputOnChip) {
    // Stored rows and columns, and those of them that lie in the input.
    PerAxis<T> stored, loaded;
    for (Axis axis : kAllAxes) {
      const Dim out = outputDim(axis), kernel = kernelDim(axis);
      stored[axis] = loaded[axis] = tile[out];
      if (shape.input ? shape.input->compact[axis] : plan.compact[axis])
        continue;
      stored[axis] = (tile[out] - 1.0) * double(layer.stride[axis]) +
                     (tile[kernel] - 1.0) * double(layer.dilation[axis]) + 1.0;
      if (layer.padValue != 0) { // loaded as what is stored
        loaded[axis] = stored[axis];
        continue;
      }
      const double padding = std::max<double>(
          0, double(layer.window(axis, layer.dims[out], layer.dims[kernel]) -
                    layer.inputExtent[axis]));
      loaded[axis] =
          streamed.grouped
              ? minOf(streamed.window[axis], stored[axis])
              : maxOf(stored[axis] -
                          padding / streamed.count[Level::Scratchpad][out],
                      T(1.0));
    }
    const T blocks = parts(tile[inChannel], T(double(plan.inputChannels)));
    const T channels = minOf(tile[inChannel], T(double(plan.inputChannels)));
    const T &width = loaded[Axis::W];
    const T height = loaded[Axis::H] * tile[Dim::N] * groups;
    const bool isPadded = valueOf(stored[Axis::W] - width) > 1e-9;
    T perLine = parts(width, T(side)), rows = width / perLine;
    T moves = height * perLine;
    if (plan.inputWidth > 0 &&
        double(plan.inputWidth) < nearest(valueOf(width))) {
      // Parts of a line are moves of their own.
      const double part = double(plan.inputWidth);
      perLine = width / part * std::ceil(part / side);
      rows = width / perLine;
      moves = height * perLine;
    } else if (plan.input == StreamPieces::Runs) {
      rows = passRows;
      moves = height * width / rows;
    } else if (plan.input == StreamPieces::Whole && !plan.clips &&
               valueOf(width) >= double(layer.inputExtent[Axis::W]) - 1e-9) {
      // Whole lines follow each other in DRAM, too.
      moves = parts(height * width, T(side));
      rows = height * width / moves;
    }
    input = loads(moves * blocks, rows, channels * element,
                  rows * perBlock(channels));
    zeroCycles = (stored[Axis::H] * stored[Axis::W] * tile[Dim::N] * groups -
                  height * width) *
                 blocks * perBlock(channels);
    if (isPadded)
      zeroFills = height * blocks;
  }
}

/// Eq. S4: what leaves the accumulator, and what is loaded into it.
template <typename T> void Streams<T>::findStores() {
  using latency::parts;
  const T groups = depthwise ? T(1.0) : sums[Dim::G];
  const T pixels = sums[Dim::N] * sums[Dim::P] * sums[Dim::Q];
  const T blocks = parts(sums[outChannel], streamed.cols) * groups;
  const T block = minOf(sums[outChannel], streamed.cols);
  T rows = passRows;
  if (plan.joinedToStore != plan.joined) {
    T run(1.0);
    for (Dim dim : kPixelDims)
      if (plan.joins(dim, /*toStore=*/true))
        run *= box[dim];
    rows = run / parts(run, T(side));
  } else if (!plan.storesRuns) {
    T run = sums[Dim::Q];
    if (shape.outputOnChip && plan.storeChunks > 0 && !plan.storesLines) {
      run = pixels;
    } else if (!shape.outputOnChip && !plan.storesLines &&
               shape.sums[Dim::Q] == layer.dims[Dim::Q]) {
      run *= sums[Dim::P];
      if (shape.sums[Dim::P] == layer.dims[Dim::P])
        run *= sums[Dim::N];
    }
    rows = run / parts(run, T(side));
  }
  const T perBlockMoves = pixels / rows;
  if (layer.hasBias) {
    // In place all of the window gets it.
    const T filled =
        shape.staysInPlace
            ? T(double(shape.sums[Dim::N] * shape.handOver[Axis::H] *
                       shape.handOver[Axis::W]))
            : pixels;
    bias = loads(blocks * parts(filled, T(side)), minOf(filled, T(side)),
                 block * 4.0, minOf(filled, T(side)), /*broadcast=*/true);
  }
  if (layer.hasResidual) {
    const T columns = minOf(sums[outChannel], T(double(plan.residualColumns)));
    const T moves =
        parts(sums[outChannel], T(double(plan.residualColumns))) * groups;
    const T ofMove = plan.residualPerRun ? passRows : rows;
    residual = loads(pixels / ofMove * moves * double(layer.residualLoads),
                     ofMove, columns * double(layer.residualBytes),
                     ofMove * parts(columns, streamed.cols));
  }
  if (shape.spills)
    spilled = loads(perBlockMoves * blocks, rows, block * 4.0, rows);

  // `written` rows, for which `read` rows of sums are read.
  auto moveOf = [&](const T &read, const T &written, const T &rowBytes) -> T {
    const T reads = read + double(target.accumulatorPipe);
    if (shape.outputOnChip)
      return reads;
    const T requests =
        written * parts(rowBytes, T(double(target.dmaMaxRequestBytes)));
    const T beats =
        written * parts(rowBytes, T(double(target.dmaBytesPerCycle)));
    const T dram = written * rowBytes * target.dramCyclesPerByte();
    return maxOf(maxOf(reads, requests * (latency / inFlight)),
                 maxOf(beats, dram));
  };
  auto storeOf = [&](const T &columns, double bytes) -> T {
    return moveOf(rows * perBlock(columns), rows, columns * bytes);
  };
  if (shape.staysInPlace)
    return;
  const T channels = T(double(plan.outputChannels));
  stores.count = perBlockMoves * parts(sums[outChannel], channels) * groups;
  stores.occupancy =
      storeOf(minOf(sums[outChannel], channels), double(layer.outputBytes));
  if (shape.poolReads > 0) { // one move per row and block
    stores.count = sums[Dim::N] * blocks * streamed.pooledRows;
    const T pixels(streamed.pooledColumns);
    stores.occupancy = moveOf(pixels * double(shape.poolReads), pixels,
                              block * double(layer.outputBytes));
  }
  if (shape.spills)
    stores.occupancy =
        (stores.occupancy + storeOf(block, 4.0) * (visits - 1.0)) / visits;
}

} // namespace stream
} // namespace fadiff

#endif // FADIFF_COSTMODEL_STREAMMOVES_H
