//===- FusedStack.h - Fused chains with tied tiles --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost of a chain of layers that runs tile by tile, in closed form and
// differentiable: only the last layer's tile is free, the others follow from it
// (docs/CostModel.md, section "Fused stacks"). What the array does is counted
// by the same functions as for one layer (Counts.h).
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_FUSEDSTACK_H
#define FADIFF_COSTMODEL_FUSEDSTACK_H

#include "fadiff/CostModel/Group.h"
#include "llvm/Support/Error.h"

#include <tuple>
#include <vector>

namespace fadiff {

/// Layers l = 0..n-1 and tensors t = 0..n: tensor t is the input of layer t and
/// the output of layer t - 1.
struct FusedStack {
  /// Each consumes the one before. P and Q are what a layer really has to
  /// produce, so its consumer's whole input.
  std::vector<Layer> layers;
  /// Tensor `tensor` is added to the output of `layer` (a residual edge).
  struct Skip {
    unsigned tensor = 0;
    unsigned layer = 0;
  };
  std::vector<Skip> skips;
};

/// How a stack runs. All but the tile and the array factors are gates in [0,
/// 1]; whole schedules have 0 or 1, searches anything in between.
template <typename T> struct StackChoice {
  /// Output tile of the last layer: rows and columns.
  PerAxis<T> tile{T(1.0), T(1.0)};
  /// Per layer: array rows (C) and columns (K, or G) in use.
  std::vector<T> rows, cols;
  /// Per tensor 1..n-1: it stays on chip. Indexed by tensor; 0 is not used.
  std::vector<T> sigma;
  /// Per tensor 0..n-1 and axis: what the next tile needs again is kept
  /// instead of computed (tensor 0: loaded) again.
  std::vector<PerAxis<T>> keep;
  /// Per layer: its weights stay in the scratchpad.
  std::vector<T> resident;
  /// Per skip: the tensor stays on chip until it is added.
  std::vector<T> live;

  /// Everything fused, recomputed, resident, live; the array as full as can be.
  static StackChoice fused(const FusedStack &stack, int64_t side);
};

template <typename T> struct BasicStackCost : BasicGroupCost<T> {
  /// What must be on chip at once (eq. (stack-rows)).
  T scratchpadBytes{0.0};
  /// Tiles of the last layer.
  T tiles{0.0};
};
using StackCost = BasicStackCost<double>;

/// Whether `stack` is a chain that evaluateStack can run with `choice`: shapes
/// match, every list has its length, tiles lie in [1, extent], array factors in
/// [1, side], gates in [0, 1]. The error names layer, wanted and found. Does
/// not ask whether it fits; see scratchpadBytes.
llvm::Error verify(const FusedStack &stack, const StackChoice<double> &choice,
                   const Accelerator &target);

/// Cost of a stack that passes verify(), by the formulas of Group.h over tied
/// extents in closed form. Timeloop: effective sizes, the padding is part of
/// the tensors.
template <typename T>
BasicStackCost<T>
evaluateStack(const FusedStack &stack, const StackChoice<T> &choice,
              const Accelerator &target, Convention convention);

/// Whether a choice of gates fits; sets `resident` to the largest that does:
/// all layers', or none's. A single tile reads its weights once either way.
bool chooseResidency(const FusedStack &stack, StackChoice<double> &choice,
                     const Accelerator &target, Convention convention);

namespace detail {

/// What one axis of a stack comes to, per tensor (eq. (halo) to (used)).
template <typename T> struct StackAxis {
  T tiles{1};              ///< of the last layer
  std::vector<T> window;   ///< extent that a full tile of the consumer reads
  std::vector<T> block;    ///< extent that a full tile of the producer makes
  std::vector<T> produced; ///< extents computed, over all tiles
  std::vector<T> loaded;   ///< extents read from DRAM, if that is where it is
  std::vector<T> demanded; ///< extents used, over all tiles
  std::vector<T> overlap;  ///< extent shared by neighbouring tiles
  /// Of tensors whose padding is not zero (eq. (padding)): what a walk finds of
  /// it beside what is loaded, and where tiles are handed over.
  std::vector<double> paddingLoaded;
  std::vector<PaddedExtent> padding;
  std::vector<double> whole;
};

/// Closed forms (eq. (halo) to (used)), exact where no border cuts a tile.
template <typename T>
StackAxis<T> tieUnclipped(const FusedStack &stack, const StackChoice<T> &choice,
                          Axis axis, Convention convention) {
  using V = PlainOf<T>;
  const size_t n = stack.layers.size();
  StackAxis<T> result;
  const double outputs = double(stack.layers.back().dims[outputDim(axis)]);
  const T &tile = choice.tile[axis];
  const V whole = nearest(valueOf(tile));
  result.tiles = aroundWhole(outputs / tile, ceilDiv(V(outputs), whole),
                             V(outputs) / whole);
  const T seams = result.tiles - 1.0;
  result.window.assign(n + 1, T(outputs));
  result.block = result.produced = result.loaded = result.demanded =
      result.overlap = result.window;
  result.paddingLoaded.assign(n, 0);
  result.padding.resize(n);
  result.whole.assign(n + 1, outputs);
  result.window[n] = result.block[n] = tile;
  double stride = 1; // of the last layer's outputs in rows of tensor t
  T halo(0.0);       // what a full tile has beyond stride * tile
  T again(0.0);      // rows of tensor t + 1 that are made twice per seam
  for (size_t t = n; t-- > 0;) {
    const Layer &layer = stack.layers[t];
    const double s = double(layer.stride[axis]);
    const double reach =
        double((layer.dims[kernelDim(axis)] - 1) * layer.dilation[axis] + 1) -
        s;
    if (t > 0)
      result.whole[t] = double(stack.layers[t - 1].dims[outputDim(axis)]);
    else if (convention == Convention::Machine)
      result.whole[t] = double(layer.inputExtent[axis]);
    else
      result.whole[t] = double(layer.window(axis, layer.dims[outputDim(axis)],
                                            layer.dims[kernelDim(axis)]));
    const T extent(result.whole[t]);
    const T fused = t > 0 ? choice.sigma[t] : T(0.0);
    stride *= s;
    halo = halo * s + reach;
    result.window[t] = minOf(tile * stride + halo, extent);
    halo *= fused;
    result.block[t] = minOf(tile * stride + halo, extent);
    result.overlap[t] = again * s + reach;
    result.demanded[t] = seams * result.overlap[t] + extent;
    // Where windows leave gaps there is nothing to keep.
    again = result.overlap[t] -
            maxOf(result.overlap[t], T(0.0)) * choice.keep[t][axis];
    result.loaded[t] = seams * again + extent;
    again *= fused;
    result.produced[t] = seams * again + extent;
  }
  return result;
}

/// The same extents by a walk over the tiles, all of them whole and each gate 0
/// or 1; what the closed forms have beside them stays.
void walkTiles(const FusedStack &stack, const StackChoice<double> &choice,
               Axis axis, int64_t side, StackAxis<double> &extents);

inline double roundedOf(double x) { return floorOf(x + 0.5); }
template <unsigned W> double roundedOf(const Dual<W> &x) {
  return roundedOf(x.value());
}

/// The machine's borders cut tiles: around each whole point the closed forms
/// move from what a walk finds there.
template <typename T>
StackAxis<T> tieTiles(const FusedStack &stack, const StackChoice<T> &choice,
                      Axis axis, int64_t side, Convention convention) {
  StackAxis<T> result = tieUnclipped(stack, choice, axis, convention);
  if (convention != Convention::Machine)
    return result;
  StackChoice<double> whole;
  for (Axis a : kAllAxes)
    whole.tile[a] = roundedOf(choice.tile[a]);
  for (size_t t = 0; t < choice.sigma.size(); ++t) {
    whole.sigma.push_back(roundedOf(choice.sigma[t]));
    whole.keep.emplace_back(roundedOf(choice.keep[t][Axis::H]),
                            roundedOf(choice.keep[t][Axis::W]));
  }
  const StackAxis<double> closed = tieUnclipped(stack, whole, axis, convention);
  StackAxis<double> exact = closed;
  walkTiles(stack, whole, axis, side, exact);
  result.paddingLoaded = exact.paddingLoaded;
  result.padding = exact.padding;
  auto shift = [](std::vector<T> &values, const std::vector<double> &to,
                  const std::vector<double> &from) {
    for (size_t t = 0; t < values.size(); ++t)
      values[t] += to[t] - from[t];
  };
  shift(result.window, exact.window, closed.window);
  shift(result.block, exact.block, closed.block);
  shift(result.produced, exact.produced, closed.produced);
  shift(result.loaded, exact.loaded, closed.loaded);
  return result;
}

/// ceil(extent / step), smooth as everything of tiles.
template <typename T> T blocks(const T &extent, const T &step) {
  return aroundWhole(extent / step,
                     ceilDiv(nearest(valueOf(extent)), nearest(valueOf(step))),
                     nearest(valueOf(extent)) / nearest(valueOf(step)));
}

inline double accumulatorRows(const Accelerator &target) {
  return std::max<double>(1, double(target.accumulatorRows()));
}

/// Layer `l`'s loops: all of its channels and taps on chip, and the tile's
/// pixels in chunks of the accumulator's rows, each of which needs all weights
/// again. Chunks are of rows and columns together; P stands for both.
template <typename T>
Nest<T, true> stackNest(const FusedStack &stack, const StackChoice<T> &choice,
                        const StackAxis<T> &h, const StackAxis<T> &w, size_t l,
                        const Accelerator &target, Convention convention) {
  const Layer &layer = stack.layers[l];
  const Dim columns = layer.isDepthwise() ? Dim::G : Dim::K;
  const double batch = double(layer.dims[Dim::N]);
  Nest<T, true> nest;
  nest.layer = &layer;
  // Innermost first: the tile's loops outermost, W's inside them.
  const LoopOrder order = {Dim::S, Dim::R, Dim::C, Dim::K,
                           Dim::G, Dim::Q, Dim::P, Dim::N};
  nest.order = PerLevel<LoopOrder>(order);
  nest.cols = choice.cols[l];
  nest.rows = layer.isDepthwise() ? choice.cols[l] : choice.rows[l];
  for (Level level : kAllLevels)
    nest.tile[level] = nest.trips[level] = nest.count[level] =
        PerDim<T>(T(1.0));
  for (Dim dim : {Dim::G, Dim::K, Dim::C, Dim::R, Dim::S}) {
    const T bound(double(layer.dims[dim]));
    T passes = bound;
    if (dim == columns)
      passes = blocks(bound, nest.cols);
    else if (dim == Dim::C && !layer.isDepthwise())
      passes = blocks(bound, nest.rows);
    nest.count[Level::Registers][dim] = passes;
    nest.trips[Level::Accumulator][dim] = passes;
    for (Level level : {Level::Accumulator, Level::Scratchpad, Level::Dram})
      nest.tile[level][dim] = bound;
    nest.group.extent[dim] = bound;
  }
  const T pixels = h.block[l + 1] * w.block[l + 1];
  T chunks = blocks(pixels, T(accumulatorRows(target)));
  // What is handed over in place is there all at once.
  if (convention == Convention::Machine && target.handsOverInPlace() &&
      l + 1 < stack.layers.size())
    chunks += choice.sigma[l + 1] * (1.0 - chunks);
  nest.group.window = h.window[l + 1] * w.window[l + 1];
  for (Level level : {Level::Registers, Level::Accumulator})
    nest.tile[level][Dim::P] = pixels / chunks;
  nest.tile[Level::Scratchpad][Dim::P] = pixels;
  nest.trips[Level::Scratchpad][Dim::P] = chunks;
  const std::tuple<Dim, T, T> loops[] = {{Dim::N, T(batch), T(batch)},
                                         {Dim::P, h.tiles, h.produced[l + 1]},
                                         {Dim::Q, w.tiles, w.produced[l + 1]}};
  for (const auto &[dim, tiles, produced] : loops) {
    nest.trips[Level::Dram][dim] = nest.count[Level::Scratchpad][dim] = tiles;
    for (Level level : {Level::Registers, Level::Accumulator})
      nest.count[level][dim] = dim == Dim::P ? tiles * chunks : tiles;
    nest.group.extent[dim] = produced;
  }
  nest.group.loaded = PerAxis<T>(h.loaded[l], w.loaded[l]);
  if (layer.padValue != 0) {
    nest.group.windows = PerAxis<T>(h.loaded[l] + h.paddingLoaded[l],
                                    w.loaded[l] + w.paddingLoaded[l]);
    if (l > 0)
      sharePadding(nest, h.padding[l], w.padding[l], layer.inputChannels());
  }
  nest.group.weightLoads =
      1.0 + (1.0 - choice.resident[l]) * (h.tiles * w.tiles * batch - 1.0);
  return nest;
}

} // namespace detail

template <typename T>
StackChoice<T> StackChoice<T>::fused(const FusedStack &stack, int64_t side) {
  StackChoice<T> choice;
  for (const Layer &layer : stack.layers) {
    Dim columns = layer.isDepthwise() ? Dim::G : Dim::K;
    choice.cols.emplace_back(double(std::min(side, layer.dims[columns])));
    choice.rows.emplace_back(double(std::min(side, layer.dims[Dim::C])));
  }
  const size_t n = stack.layers.size();
  choice.sigma.assign(n, T(1.0));
  choice.keep.assign(n, PerAxis<T>(T(0.0), T(0.0)));
  choice.resident.assign(n, T(1.0));
  choice.live.assign(stack.skips.size(), T(1.0));
  return choice;
}

template <typename T>
BasicStackCost<T>
evaluateStack(const FusedStack &stack, const StackChoice<T> &choice,
              const Accelerator &target, Convention convention) {
  using namespace detail;
  const size_t n = stack.layers.size();
  const bool machine = convention == Convention::Machine;
  const StackAxis<T> h =
      tieTiles(stack, choice, Axis::H, target.side, convention);
  const StackAxis<T> w =
      tieTiles(stack, choice, Axis::W, target.side, convention);
  BasicStackCost<T> result;
  const double batch = double(stack.layers.front().dims[Dim::N]);
  result.tiles = h.tiles * w.tiles * batch;

  // Words of a pixel of tensor t; what a pixel takes in the scratchpad.
  auto channels = [&](size_t t) {
    const PerDim<int64_t> &d = stack.layers[t < n ? t : n - 1].dims;
    return double(d[Dim::G] * (t < n ? d[Dim::C] : d[Dim::K]));
  };
  auto pixelBytes = [&](size_t t) {
    double words = channels(t), side = double(target.side);
    return machine ? std::ceil(words / side) * side : words;
  };

  T peak(0.0), resident(0.0), kept(0.0); // bytes
  for (size_t l = 0; l < n; ++l) {
    const Nest<T, true> nest =
        stackNest(stack, choice, h, w, l, target, convention);
    MemberMoves<T> moves;
    moves.first = l == 0;
    moves.ends.input = l > 0 ? choice.sigma[l] : T(0.0);
    moves.ends.output = l + 1 < n ? choice.sigma[l + 1] : T(0.0);
    // A tile that fits in the accumulator leaves it when it is complete; of a
    // larger one each chunk leaves under the next.
    const T pixels = h.block[l + 1] * w.block[l + 1];
    const PerDim<T> &passes = nest.count[Level::Registers];
    moves.fits = 1.0 - gateOf(blocks(pixels * passes[Dim::K] * passes[Dim::G],
                                     T(accumulatorRows(target))));
    // What is kept of an intermediate is copied to where the next tile wants
    // it; of the group's input, it stays where it was loaded.
    if (l > 0)
      moves.kept = (h.demanded[l] * w.demanded[l] -
                    nest.group.loaded[Axis::H] * nest.group.loaded[Axis::W]) *
                   (batch * channels(l));
    result.members.push_back(countMember(nest, moves, target, convention));

    // Eq. (stack-rows): capacity.
    const T weights = weightWords(stack.layers[l], choice.cols[l],
                                  machine && stack.layers[l].isDepthwise());
    const bool inPlace = machine && target.handsOverInPlace();
    T live = h.window[l] * w.window[l] * pixelBytes(l);
    if (inPlace)
      live *= 1.0 - moves.ends.input;
    live += (1.0 - choice.resident[l]) * weights;
    if (!machine || (l + 1 < n && !inPlace))
      live += pixels * pixelBytes(l + 1);
    for (size_t i = 0; i < stack.skips.size(); ++i) {
      const FusedStack::Skip &skip = stack.skips[i];
      if (skip.tensor < l && l <= skip.layer)
        live += choice.live[i] * h.window[skip.tensor] * w.window[skip.tensor] *
                pixelBytes(skip.tensor);
    }
    peak = maxOf(peak, live);
    resident += choice.resident[l] * weights;
    kept += (choice.keep[l][Axis::H] * gateOf(h.tiles) *
                 maxOf(h.overlap[l], T(0.0)) * w.whole[l] +
             choice.keep[l][Axis::W] * gateOf(w.tiles) *
                 maxOf(w.overlap[l], T(0.0)) * h.window[l]) *
            pixelBytes(l);
  }
  result.scratchpadBytes = resident + peak + kept;

  for (size_t i = 0; i < stack.skips.size(); ++i) {
    const auto &[tensor, layer] = stack.skips[i];
    const T &live = choice.live[i];
    const T added = h.produced[layer + 1] * w.produced[layer + 1] *
                    (batch * channels(layer + 1));
    // A fused tensor that is not live must be written to be read again.
    const T written = tensor == 0 ? T(0.0)
                                  : h.produced[tensor] * w.produced[tensor] *
                                        (batch * channels(tensor)) *
                                        (choice.sigma[tensor] * (1.0 - live));
    countSkip(result.members[layer],
              tensor == 0 ? nullptr : &result.members[tensor - 1], added,
              written, live, target);
  }
  chargeGroup(result, target, overlapOf(convention, GroupOverlap::Defines));
  return result;
}

} // namespace fadiff

#endif // FADIFF_COSTMODEL_FUSEDSTACK_H
