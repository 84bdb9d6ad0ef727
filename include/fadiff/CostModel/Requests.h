//===- Requests.h - What the DMA is asked for ------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How long requests keep the DMA's reader and writer busy at least, in closed
// form: eq. (requests) of docs/CostModel.md. As in Commands.h each term rises
// with the counts that it is made of, so that what bounds those counts bounds
// this one, too (docs/ExactBound.md, I2).
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_REQUESTS_H
#define FADIFF_COSTMODEL_REQUESTS_H

#include "fadiff/CostModel/Commands.h"
#include "fadiff/Schedule/MatmulLoop.h"

#include <cmath>

namespace fadiff::detail {

/// Cycles by which requests follow each other at best.
inline double cyclesPerRequest(const Accelerator &target) {
  return std::max(1.0, double(target.dmaLatency) /
                           double(target.dmaRequestsInFlight));
}

/// Cycles that a word of `bytes` takes on the bus, or on its way to its place.
inline double beatsPerWord(int64_t bytes, const Accelerator &target) {
  return std::max(double(bytes) / double(target.dmaBytesPerCycle),
                  1 / double(target.side));
}

/// Cycles for loads of `rows`, at most as many as the array's in each, if as
/// many are open as may be, each until the last of its `beats`, and of the
/// answers to its `requests`.
template <typename T>
T openCycles(const T &rows, const T &beats, const T &requests,
             const Accelerator &target) {
  return maxOf(rows * (double(target.dmaLatency) / double(target.side)) + beats,
               requests * cyclesPerRequest(target)) *
         (1 / double(target.openLoads()));
}

/// Cycles in which `moved` keeps the DMA busy.
template <typename T> struct RequestCycles {
  T reader, writer;
  T open; ///< see openCycles()
};

inline double requestsPerRow(double bytes, const Accelerator &target) {
  return std::ceil(bytes / double(target.dmaMaxRequestBytes));
}

/// Blocks of the array that all channels of `dim` are in; 0 where the loop unit
/// may take the whole array, whatever the mapping says.
template <typename T, bool Grouped>
T arrayBlocks(const Nest<T, Grouped> &nest, Dim dim,
              const Accelerator &target) {
  if (!Grouped && mayBeMatmulLoop(*nest.layer, target))
    return T(0.0);
  return nest.count[Level::Registers][dim];
}

/// The rows of moves that all channels of a pixel, or of a row of weights, come
/// in at least: one for each of their tiles or, as a move spans several blocks
/// of the array only where these are as wide as it is, of their blocks.
template <typename T, bool Grouped>
T rowsPerPixel(const Nest<T, Grouped> &nest, Dim dim,
               const Accelerator &target) {
  using V = PlainOf<T>;
  const V block = nearest(valueOf(dim == Dim::C ? nest.rows : nest.cols));
  const V isNarrow = isGreater(V(double(target.side)), block);
  return maxOf(nest.count[Level::Scratchpad][dim],
               T(arrayBlocks(nest, dim, target) * isNarrow));
}

/// Requests for `words` that are all channels of so many pixels.
template <typename T, bool Grouped>
T wideRequests(const Nest<T, Grouped> &nest, const T &words, Dim dim,
               int64_t bytes, const Accelerator &target) {
  const double channels = double(nest.layer->dims[dim]);
  return words *
         maxOf(T(requestsPerRow(channels * double(bytes), target)),
               rowsPerPixel(nest, dim, target)) *
         (1 / channels);
}

/// Blocks of so many channels of `dim` that a tile should have at most: more
/// take no fewer requests.
inline int64_t usefulBlocks(const Layer &layer, Dim dim, int64_t block,
                            const Accelerator &target) {
  if (block < target.side)
    return 1; // see rowsPerPixel()
  const int64_t channels = layer.dims[dim];
  return llvm::divideCeil(llvm::divideCeil(channels, block),
                          llvm::divideCeil(channels * layer.elementBytes,
                                           target.dmaMaxRequestBytes));
}

/// Requests for `words` of weights of a dense layer. Of n tiles along K in
/// which they come, a row has its request in each; where blocks of several taps
/// lie together (weightBlock()), these share one, and fewer tiles may take
/// more.
template <typename T, bool Grouped>
T weightRequests(const Nest<T, Grouped> &nest, const T &words,
                 const Accelerator &target) {
  using V = PlainOf<T>;
  const Layer &layer = *nest.layer;
  const int64_t channels = layer.dims[Dim::K], taps = layer.dims[tapDim(layer)];
  const T tiles = rowsPerPixel(nest, Dim::K, target);
  T requests = maxOf(
      T(requestsPerRow(double(channels * layer.elementBytes), target)), tiles);
  PerDim<int64_t> tile = layer.dims;
  for (tile[Dim::K] = target.side; tile[Dim::K] <= target.maxMoveColumns() / 2;
       tile[Dim::K] += target.side) {
    const int64_t block = weightBlock(layer, tile, target.side, target);
    if (block == 0)
      continue;
    const double count = double(channels / block);
    const V isPassed = isGreater(valueOf(tiles), V(count * (1 + 1e-9)));
    const double moves =
        double(llvm::divideCeil(taps, target.maxMoveColumns() / block));
    requests = minOf(requests,
                     T(V(count * moves / double(taps)) + isPassed * V(1e18)));
  }
  return words * requests * (1 / double(channels));
}

/// Rows as wide as can be, of which each may take several requests.
template <typename T>
T rowsOfRequests(const T &requests, int64_t bytes, const Accelerator &target) {
  return requests *
         (1 / requestsPerRow(double(target.maxMoveColumns() * bytes), target));
}

/// What units may do of one visit to a group's member while the array is still
/// at the visit before, eq. (visits), in cycles.
struct VisitsOverlap {
  double reader, open, any;
};

/// `storeReads`: sums that the longest store of any member reads, which may be
/// the visit before.
inline VisitsOverlap visitsOverlap(const Accelerator &target,
                                   double storeReads) {
  const double side = double(target.side);
  const double move = side * cyclesPerRequest(target);
  const double store =
      std::max(storeReads, move) + double(target.accumulatorPipe);
  const double queued = double(target.executeStations) / 2 * side +
                        double(target.storeStations) * store;
  const double latency = double(target.dmaLatency);
  const auto open = double(target.openLoads());
  return {latency + queued, (open - 1) / open * (latency + move) + queued,
          latency + queued +
              double(target.loadStations) * move *
                  requestsPerRow(4 * side, target)};
}

/// What loads of the input take.
template <typename T, bool Grouped>
RequestCycles<T> inputCycles(const Nest<T, Grouped> &nest, const T &words,
                             const Accelerator &target) {
  const Layer &layer = *nest.layer;
  const T requests =
      wideRequests(nest, words, layer.isDepthwise() ? Dim::G : Dim::C,
                   layer.elementBytes, target);
  return {requests * cyclesPerRequest(target), T(0.0),
          openCycles(rowsOfRequests(requests, layer.elementBytes, target),
                     words * beatsPerWord(layer.elementBytes, target), requests,
                     target)};
}

/// Each row of a move is one request at least; bias is written to so many rows
/// of sums.
template <typename T, bool Grouped>
RequestCycles<T> requestCycles(const Nest<T, Grouped> &nest, const T &biasRows,
                               const MovedWords<T> &moved,
                               const Accelerator &target) {
  const Layer &layer = *nest.layer;
  const bool depthwise = layer.isDepthwise();
  auto perRow = [&](double bytes) { return requestsPerRow(bytes, target); };
  auto wide = [&](const T &words, Dim dim, int64_t bytes) -> T {
    return wideRequests(nest, words, dim, bytes, target);
  };
  const Dim out = depthwise ? Dim::G : Dim::K;
  // What passes the accumulator does so in rows of one block.
  const double block = double(std::min(target.side, layer.dims[out]));
  const T blocks =
      arrayBlocks(nest, out, target) * (1 / double(layer.dims[out]));
  auto narrow = [&](const T &words, int64_t bytes) -> T {
    return words * maxOf(T(perRow(block * double(bytes)) / block), blocks);
  };

  // Weights of a depthwise layer are square tiles, of which a row may hold
  // several.
  const T weights =
      depthwise ? T(moved.weights / nest.cols * movesPerTap(layer, target))
                : weightRequests(nest, moved.weights, target);
  const T residual = layer.residualBytes == 1
                         ? wide(moved.residual, out, layer.residualBytes)
                         : narrow(moved.residual, layer.residualBytes);
  const T spilled = narrow(moved.spilled, 4);
  const bool isNarrow =
      moved.isPooled || layer.outputBytes != target.elementBytes();
  const T stored = isNarrow ? narrow(moved.stored, layer.outputBytes)
                            : wide(moved.stored, out, layer.outputBytes);
  const double cycles = cyclesPerRequest(target);
  RequestCycles<T> busy = inputCycles(nest, moved.input, target);
  busy.reader += (weights + residual + spilled) * cycles;
  busy.writer = (stored + spilled) * cycles;
  // Of a slice's sums it may have come while the member that makes slices runs.
  const bool hasBias =
      layer.hasBias && !(Grouped && depthwise && target.handsOverInPlace());
  if (hasBias)
    busy.reader += maxOf(narrow(moved.bias, 4) * cycles, biasRows);

  auto open = [&](const T &words, int64_t bytes, const T &rows,
                  const T &requests) {
    busy.open +=
        openCycles(rows, words * beatsPerWord(bytes, target), requests, target);
  };
  open(moved.weights, layer.elementBytes,
       rowsOfRequests(weights, layer.elementBytes, target), weights);
  open(moved.residual, layer.residualBytes,
       layer.residualBytes == 1 ? rowsOfRequests(residual, 1, target)
                                : T(moved.residual * (1 / block)),
       residual);
  open(moved.spilled, 4, moved.spilled * (1 / block), spilled);
  if (hasBias)
    busy.open += openCycles(biasRows, biasRows, narrow(moved.bias, 4), target);
  return busy;
}

} // namespace fadiff::detail

#endif // FADIFF_COSTMODEL_REQUESTS_H
