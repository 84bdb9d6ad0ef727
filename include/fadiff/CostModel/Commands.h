//===- Commands.h - What the core issues for a layer ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many commands the program of a nest has at least, in closed form: eq.
// (passes) to (commands) of docs/CostModel.md. Each term rises with the counts
// that it is made of and knows of no loop order, so that what bounds those
// counts bounds this one, too (docs/ExactBound.md).
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_COMMANDS_H
#define FADIFF_COSTMODEL_COMMANDS_H

#include "fadiff/CostModel/Batch.h"
#include "fadiff/CostModel/Nest.h"
#include "fadiff/Hardware/Accelerator.h"
#include "fadiff/Schedule/Schedule.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

namespace fadiff {

/// Words that a nest moves by commands of their own.
template <typename T> struct MovedWords {
  T input{0.0};
  T weights{0.0};
  T stored{0.0};     ///< final values to DRAM
  T handedOver{0.0}; ///< to the scratchpad
  T spilled{0.0};    ///< partial sums, each way
  T bias{0.0};       ///< read from DRAM; a row is broadcast
  T residual{0.0};
  bool isPooled = false; ///< what is stored or handed over
};

namespace detail {

/// Blocks of `side` that `extent` takes at least; moves with the quotient, as
/// everything of tiles.
inline double blocksOf(double extent, double side) {
  return ceilDiv(nearest(extent), side);
}
template <typename T> T blocksOf(const T &extent, double side) {
  using V = PlainOf<T>;
  const V whole = nearest(valueOf(extent));
  return aroundWhole(extent / side, ceilDiv(whole, V(side)), whole / side);
}

/// Whether neither lines nor images of the input are a sequence: a line of a
/// window has more than the pixels of a line of outputs, or the next one is
/// some lines further on. Turned images of square layers must cost the same
/// (D7, G8). With `windows` the input is a window of all taps.
template <typename T, bool Grouped>
T cutsLines(const Nest<T, Grouped> &nest, const T &windows) {
  using V = PlainOf<T>;
  const Layer &layer = *nest.layer;
  auto isCut = [&](auto tapsOf) -> V {
    auto overlaps = [&](Axis axis) {
      return isGreater(
          (tapsOf(kernelDim(axis)) - 1.0) * double(layer.dilation[axis]) + 1.0,
          V(double(layer.stride[axis])));
    };
    V cut = overlaps(Axis::W);
    if (layer.dims[Dim::R] == 1)
      return cut;
    if (!layer.isSquare() && layer.stride[Axis::H] > 1) {
      const V steps = isGreater(tapsOf(Dim::R), V(1.0));
      cut = cut + steps - cut * steps;
    }
    return cut * overlaps(Axis::H);
  };
  const V own = isCut([&](Dim dim) {
    return nearest(valueOf(nest.tile[Level::Scratchpad][dim]));
  });
  const V whole = isCut([&](Dim dim) { return V(double(layer.dims[dim])); });
  return windows * (whole - own) + own;
}

/// Eq. (runs): in how many pieces of at most `side` neighbours all pixels pass
/// a weight tile at least. With `windows` the input is a window of all taps.
template <typename T, bool Grouped>
T pixelRuns(const Nest<T, Grouped> &nest, const T &windows, double side) {
  const Layer &layer = *nest.layer;
  const PerDim<T> &tiles = nest.count[Level::Scratchpad];
  const T n(nest.extent(Dim::N)), p(nest.extent(Dim::P)),
      q(nest.extent(Dim::Q));
  const T joined = maxOf(blocksOf(T(n * p * q), side),
                         T(tiles[Dim::N] * tiles[Dim::P] * tiles[Dim::Q]));
  const T cut = cutsLines(nest, windows);
  if (isAlways(valueOf(cut), 0))
    return joined;
  // A run goes along Q or, where blocks of the accumulator are that narrow,
  // along P or N.
  T runs = n * p * maxOf(blocksOf(q, side), tiles[Dim::Q]);
  if (layer.dims[Dim::R] > 1)
    runs = minOf(runs, T(n * q * maxOf(blocksOf(p, side), tiles[Dim::P])));
  else // images follow each other
    runs = minOf(runs, T(q * maxOf(blocksOf(T(n * p), side),
                                   T(tiles[Dim::N] * tiles[Dim::P]))));
  if (layer.dims[Dim::N] > 1)
    runs = minOf(runs, T(p * q * maxOf(blocksOf(n, side), tiles[Dim::N])));
  return joined + cut * (maxOf(runs, joined) - joined);
}

/// Eq. (switches): cycles between the start of the last pass under a weight
/// tile and that of the first under the next one that no pass fills: loading
/// weights takes `side`, and a pass is no longer than such a run.
template <typename T, bool Grouped>
T idlePerWeights(const Nest<T, Grouped> &nest, const T &windows, double side) {
  const PerDim<int64_t> &dims = nest.layer->dims;
  const double n = double(dims[Dim::N]), p = double(dims[Dim::P]),
               q = double(dims[Dim::Q]);
  const double line = std::max({q, dims[Dim::R] > 1 ? p : n * p, n});
  auto idle = [&](double longest) { return std::max(side - longest, 0.0); };
  return idle(n * p * q) +
         cutsLines(nest, windows) * (idle(line) - idle(n * p * q));
}

/// How many moves there are at least for a tap of a depthwise layer's weights.
inline double movesPerTap(const Layer &layer, const Accelerator &target) {
  const int64_t taps = target.maxMoveColumns() / target.side;
  if (layer.dims[Dim::G] % target.side != 0)
    return 1;
  const int64_t beside = layer.dims[tapDim(layer)];
  return double(llvm::divideCeil(beside, taps)) / double(beside);
}

/// In how many columns' worth of weights a row of a dense layer's may lie: its
/// own, or those of several taps, if weightBlock() may be any.
inline double besideTaps(const Layer &layer, const Accelerator &target) {
  return layer.dims[Dim::K] % target.side == 0
             ? double(layer.dims[tapDim(layer)])
             : 1.0;
}

/// Eq. (commands): a preload and a compute for each of `passes`, and the moves,
/// each of which is as large as it can be.
template <typename T>
T commandsOf(const Layer &layer, const T &cols, const T &passes,
             const MovedWords<T> &moved, const Accelerator &target) {
  const double side = double(target.side);
  const double widest =
      double(target.maxMoveColumns() / target.side * target.side);
  const bool depthwise = layer.isDepthwise();
  const double in = double(layer.dims[depthwise ? Dim::G : Dim::C]);
  const double out = double(layer.dims[depthwise ? Dim::G : Dim::K]);
  const double block = std::min(side, out);
  T commands = passes * 2.0;
  commands += moved.input * (1 / (side * std::min(widest, in)));
  if (depthwise) // square tiles
    commands += moved.weights / (cols * cols) * movesPerTap(layer, target);
  else
    commands += moved.weights *
                (1 / (std::min(side, in) *
                      std::min(widest, out * besideTaps(layer, target))));
  // A scale of their own takes a command of its own for each store.
  const double perStore = layer.hasScales ? 2 : 1;
  if (moved.isPooled) {
    // Each row of pooled outputs is a store, however long. Rows that are
    // handed over are as wide as a window and not counted.
    const double row = double(std::max(layer.pool->outputs[Axis::H],
                                       layer.pool->outputs[Axis::W])) *
                       block;
    commands += moved.stored * (perStore / row);
  } else {
    const double columns = layer.outputBytes == target.elementBytes()
                               ? std::min(widest, out)
                               : block;
    commands += moved.stored * (perStore / (side * columns)) +
                moved.handedOver * (1 / (side * block));
  }
  commands += moved.spilled * (2 / (side * block));
  commands +=
      moved.residual *
      (1 / (side * (layer.residualBytes == 1 ? std::min(widest, out) : block)));
  commands += moved.bias * (1 / block);
  return commands;
}

} // namespace detail
} // namespace fadiff

#endif // FADIFF_COSTMODEL_COMMANDS_H
