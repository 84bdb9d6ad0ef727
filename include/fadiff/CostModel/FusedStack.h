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

#include "fadiff/CostModel/Counts.h"
#include "llvm/Support/Error.h"

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

template <typename T> struct BasicStackCost {
  /// Their cycles are what the array alone would take.
  std::vector<BasicLayerCost<T>> members;
  T energy{0}; ///< pJ
  T cycles{0};
  T macs{0};
  DramTraffic<T> dramBytes;
  /// Part of cycles: copies that nothing overlaps.
  T serialCycles{0};
  /// What must be on chip at once (eq. 31).
  T scratchpadBytes{0};
  /// Tiles of the last layer.
  T tiles{0};
};
using StackCost = BasicStackCost<double>;

/// Whether `stack` is a chain that evaluateStack can run with `choice`: shapes
/// match, every list has its length, tiles lie in [1, extent], array factors in
/// [1, side], gates in [0, 1]. The error names layer, wanted and found. Does
/// not ask whether it fits; see scratchpadBytes.
llvm::Error verify(const FusedStack &stack, const StackChoice<double> &choice,
                   const Accelerator &target);

/// Cost of a stack that passes verify(). Timeloop counts as DeFiNES does:
/// effective sizes (the padding is part of the tensors), depthwise on one row
/// of the array, results leave through the scratchpad. Machine: block-diagonal
/// depthwise, results leave from the accumulator.
template <typename T>
BasicStackCost<T>
evaluateStack(const FusedStack &stack, const StackChoice<T> &choice,
              const Accelerator &target, Convention convention);

/// Whether a choice of gates fits; sets `resident` to the largest that does:
/// all layers', or none's. A single tile reads its weights once either way.
bool chooseResidency(const FusedStack &stack, StackChoice<double> &choice,
                     const Accelerator &target, Convention convention);

namespace detail {

/// What one axis of a stack comes to, per tensor (eq. 22 to 26).
template <typename T> struct StackAxis {
  T tiles{1};              ///< of the last layer
  std::vector<T> window;   ///< extent that a full tile of the consumer reads
  std::vector<T> block;    ///< extent that a full tile of the producer makes
  std::vector<T> produced; ///< extents computed, over all tiles
  std::vector<T> loaded;   ///< extents read from DRAM, if that is where it is
  std::vector<T> demanded; ///< extents used, over all tiles
  std::vector<T> overlap;  ///< extent shared by neighbouring tiles
  std::vector<double> whole;
};

template <typename T>
StackAxis<T> tieTiles(const FusedStack &stack, const StackChoice<T> &choice,
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

/// ceil(extent / step), smooth as everything of tiles.
template <typename T> T blocks(const T &extent, const T &step) {
  return aroundWhole(extent / step,
                     ceilDiv(nearest(valueOf(extent)), nearest(valueOf(step))),
                     nearest(valueOf(extent)) / nearest(valueOf(step)));
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
  const StackAxis<T> h = tieTiles(stack, choice, Axis::H, convention);
  const StackAxis<T> w = tieTiles(stack, choice, Axis::W, convention);
  BasicStackCost<T> result;
  result.members.resize(n);
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
  // Timeloop's and DeFiNES's results pass through the scratchpad.
  const double through = machine ? 0 : 1;

  T array(0.0), dramWords(0.0);
  PerLevel<T> reads(T(0.0)), writes(T(0.0)); // cycles of each port
  T peak(0.0), resident(0.0), kept(0.0);     // bytes
  auto overlapWith = [&](Level level, const T &read, const T &written,
                         const T &columns) {
    // One port each way, with half of the bandwidth.
    double port = target.bandwidth[level] / 2;
    if (port <= 0)
      return;
    T width = level == Level::Accumulator ? columns * port : T(port);
    reads[level] += read / width;
    writes[level] += written / width;
  };
  auto serial = [&](Level level, const T &words, double share) {
    if (target.bandwidth[level] > 0)
      result.serialCycles += words / (target.bandwidth[level] * share);
  };

  for (size_t l = 0; l < n; ++l) {
    const Layer &layer = stack.layers[l];
    const bool depthwise = layer.isDepthwise();
    BasicLayerCost<T> &cost = result.members[l];
    auto d = [&](Dim dim) { return T(double(layer.dims[dim])); };
    const T fusedIn = l > 0 ? choice.sigma[l] : T(0.0);
    const T fusedOut = l + 1 < n ? choice.sigma[l + 1] : T(0.0);
    const double outChannels = double(layer.dims[Dim::G] * layer.dims[Dim::K]);
    const T outputs =
        h.produced[l + 1] * w.produced[l + 1] * (batch * outChannels);

    PerDim<T> passes{T(1.0)};
    passes[depthwise ? Dim::G : Dim::K] =
        blocks(d(depthwise ? Dim::G : Dim::K), choice.cols[l]);
    if (!depthwise)
      passes[Dim::C] = blocks(d(Dim::C), choice.rows[l]);
    if (!depthwise && layer.dims[Dim::G] > 1)
      passes[Dim::G] = d(Dim::G);
    const T weights = weightWords(layer, choice.cols[l], machine && depthwise);
    // Eq. 27: the tile's sums pass through the accumulator in chunks; each
    // needs all the weights of its columns again.
    const T pixels = h.block[l + 1] * w.block[l + 1];
    const T rowsOfSums(std::max<double>(1, double(target.accumulatorRows())));
    const T chunks = blocks(pixels, rowsOfSums);
    countArray(cost, layer, outputs, passes, weights,
               weights * result.tiles * chunks, outputs);

    // Eq. 28: DRAM and the ways between tiles.
    const T inPixels = h.loaded[l] * w.loaded[l];
    const T input = inPixels * (1.0 - fusedIn) * (batch * channels(l));
    // What is kept of an intermediate is copied to where the next tile wants
    // it; of the group's input, it stays where it was loaded.
    const T reused = l == 0 ? T(0.0)
                            : (h.demanded[l] * w.demanded[l] - inPixels) *
                                  (batch * channels(l));
    const T loadedWeights =
        weights * (1.0 + (1.0 - choice.resident[l]) * (result.tiles - 1.0));
    const T handedOver = outputs * fusedOut;
    const T stored = outputs * (1.0 - fusedOut);
    auto &dram = cost.access[Level::Dram];
    auto &spad = cost.access[Level::Scratchpad];
    auto &accumulator = cost.access[Level::Accumulator];
    cost.dramBytes.input = dram[Tensor::I].reads = input;
    cost.dramBytes.weights = dram[Tensor::W].reads = loadedWeights;
    cost.dramBytes.outputWrites = stored * double(layer.outputBytes);
    dram[Tensor::O].updates = machine ? cost.dramBytes.outputWrites : stored;
    spad[Tensor::W].fills = loadedWeights;
    spad[Tensor::I].fills = input + reused;
    spad[Tensor::I].reads += reused;
    spad[Tensor::O].updates = handedOver + stored * through;
    spad[Tensor::O].reads = stored * through;
    accumulator[Tensor::O].reads += outputs;

    // Eq. 30: what nothing overlaps. A tile that fits in the accumulator leaves
    // it when it is complete; of a larger one each chunk leaves under the next.
    const T fits = 1.0 - gateOf(blocks(pixels * passes[Dim::K] * passes[Dim::G],
                                       rowsOfSums));
    const T copied = handedOver * fits;
    const T first = l == 0 ? weights + input : weights;
    serial(Level::Dram, first, 1);
    serial(Level::Scratchpad, copied + reused, 0.5);

    // Eq. 29: everything else shares one roofline.
    array += cost.computeCycles;
    dramWords += input + loadedWeights + dram[Tensor::O].updates - first;
    overlapWith(Level::Scratchpad,
                spad[Tensor::W].reads + spad[Tensor::I].reads +
                    spad[Tensor::O].reads - reused,
                spad[Tensor::W].fills + spad[Tensor::I].fills +
                    spad[Tensor::O].updates - reused - copied - first,
                choice.cols[l]);
    overlapWith(Level::Accumulator, accumulator[Tensor::O].reads - copied,
                accumulator[Tensor::O].updates, choice.cols[l]);

    // Eq. 31: capacity.
    T live = h.window[l] * w.window[l] * pixelBytes(l) +
             (1.0 - choice.resident[l]) * weights;
    if (l + 1 < n || !machine)
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

  // A skip's tensor is read where it is added: from the scratchpad, or from
  // DRAM, where a fused one has to be written for that.
  for (size_t i = 0; i < stack.skips.size(); ++i) {
    const auto &[tensor, layer] = stack.skips[i];
    const T &live = choice.live[i];
    const T added = h.produced[layer + 1] * w.produced[layer + 1] *
                    (batch * channels(layer + 1));
    BasicLayerCost<T> &cost = result.members[layer];
    const T fetched = added * (1.0 - live);
    cost.access[Level::Accumulator][Tensor::O].fills += added;
    cost.access[Level::Scratchpad][Tensor::I].reads += added * live;
    cost.access[Level::Dram][Tensor::I].reads += fetched;
    cost.dramBytes.input += fetched;
    dramWords += fetched;
    overlapWith(Level::Scratchpad, added * live, T(0.0), T(1.0));
    overlapWith(Level::Accumulator, T(0.0), added, choice.cols[layer]);
    if (tensor == 0)
      continue;
    BasicLayerCost<T> &producer = result.members[tensor - 1];
    const T written = h.produced[tensor] * w.produced[tensor] *
                      (batch * channels(tensor)) *
                      (choice.sigma[tensor] * (1.0 - live));
    producer.access[Level::Dram][Tensor::O].updates += written;
    producer.dramBytes.outputWrites += written;
    dramWords += written;
  }

  T overlapped = array;
  if (target.bandwidth[Level::Dram] > 0)
    overlapped =
        maxOf(overlapped, dramWords / T(target.bandwidth[Level::Dram]));
  for (Level level : {Level::Accumulator, Level::Scratchpad})
    overlapped = maxOf(overlapped, maxOf(reads[level], writes[level]));
  result.cycles = overlapped + result.serialCycles;
  result.scratchpadBytes = resident + peak + kept;
  for (BasicLayerCost<T> &cost : result.members) {
    cost.energy = energyOf(cost, accessTotals(cost), target);
    cost.cycles = cost.computeCycles;
    result.energy += cost.energy;
    result.macs += cost.macs;
    result.dramBytes.input += cost.dramBytes.input;
    result.dramBytes.weights += cost.dramBytes.weights;
    result.dramBytes.outputWrites += cost.dramBytes.outputWrites;
  }
  return result;
}

} // namespace fadiff

#endif // FADIFF_COSTMODEL_FUSEDSTACK_H
