//===- Counts.h - Access counts of one layer --------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas of docs/CostModel.md, one each, for any scalar. What differs
// between the conventions is a term here, never a second model.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_COUNTS_H
#define FADIFF_COSTMODEL_COUNTS_H

#include "fadiff/CostModel/Nest.h"

#include <algorithm>
#include <utility>

namespace fadiff {

/// How accesses are counted.
enum class Convention : uint8_t {
  /// As Timeloop v3 does by default: windows as bounding boxes, padding stored,
  /// DRAM in words. For exact divisors.
  Timeloop,
  /// As the emitted program does: uneven tiles, borders clipped, partial sums
  /// four bytes wide, bias, block-diagonal depthwise; DRAM in bytes.
  Machine,
};

template <typename T> class PerTensor {
public:
  T &operator[](Tensor tensor) { return values[static_cast<size_t>(tensor)]; }
  const T &operator[](Tensor tensor) const {
    return values[static_cast<size_t>(tensor)];
  }

private:
  std::array<T, 3> values{};
};

/// Scalar accesses of one tensor at one level, over all instances in use.
template <typename T> struct AccessCounts {
  T reads{0};   ///< sent inwards; for O also the read half of accumulation
  T fills{0};   ///< arriving from the next outer level
  T updates{0}; ///< results arriving from inside
  T total() const { return reads + fills + updates; }
};

template <typename T> struct DramTraffic {
  T input{0};
  T weights{0};
  T outputWrites{0}; ///< final values and spilled partial sums
  T partialReads{0}; ///< partial sums read back
  T bias{0};
  T reads() const { return input + weights + partialReads + bias; }
  T writes() const { return outputWrites; }
  T total() const { return reads() + writes(); }
};

/// What a layer costs. Energy in pJ, bytes over the DRAM bus.
template <typename T> struct BasicLayerCost {
  T energy{0};
  T cycles{0};
  /// Multiply-accumulates of the layer, and those the array is charged for.
  T macs{0};
  T arrayMacs{0};
  /// Cycles that the array alone would take.
  T computeCycles{0};
  PerLevel<PerTensor<AccessCounts<T>>> access;
  DramTraffic<T> dramBytes;

  T accesses(Level level) const {
    T sum(0.0);
    for (Tensor tensor : kAllTensors)
      sum += access[level][tensor].total();
    return sum;
  }
};

/// How far a layer's ends are fused into its neighbours: 0 is DRAM, 1 is on
/// chip. Real values in between are the paper's sigma (eqs. 13 to 15 there).
template <typename T> struct FusedEnds {
  T input{0};
  T output{0};
};

namespace detail {

/// Times that a tile of `tensor` at `holder` is fetched again because of loops
/// that do not index it: all those outside the innermost emitted loop, above
/// `holder`, over a dim that does (eq. 4).
template <typename T>
T refetches(const Nest<T> &nest, Tensor tensor, Level holder) {
  bool inside = true;
  PerDim<Level> revisited{Level::Dram};
  for (unsigned l = static_cast<unsigned>(holder) + 1; l < kNumLevels; ++l)
    for (Dim dim : nest.order[kAllLevels[l]]) {
      if (!nest.emitted(kAllLevels[l], dim))
        continue;
      if (isRelevant(tensor, dim))
        inside = false;
      else if (!inside && revisited[dim] == Level::Dram)
        revisited[dim] = kAllLevels[l - 1];
    }
  T product(1.0);
  for (Dim dim : kAllDims)
    if (revisited[dim] != Level::Dram)
      product *= nest.count[revisited[dim]][dim];
  return product;
}

/// Extent of the input window of a scratchpad tile on `axis`.
template <typename T> T window(const Nest<T> &nest, Axis axis) {
  const Layer &layer = *nest.layer;
  const PerDim<T> &tile = nest.tile[Level::Scratchpad];
  return (tile[outputDim(axis)] - 1.0) * double(layer.stride[axis]) +
         (tile[kernelDim(axis)] - 1.0) * double(layer.dilation[axis]) + 1.0;
}

/// Words of I loaded into the scratchpad, Timeloop's way (eq. 5): the whole
/// window once, then what is new at each step; the overlap is kept only along
/// the innermost loop.
template <typename T> T slidingInputWords(const Nest<T> &nest) {
  const Layer &layer = *nest.layer;
  const PerDim<T> &tile = nest.tile[Level::Scratchpad];
  // Axes of I: N, G, C, H, W.
  const std::array<T, 5> len = {tile[Dim::N], tile[Dim::G], tile[Dim::C],
                                window(nest, Axis::H), window(nest, Axis::W)};
  T size = len[0] * len[1] * len[2] * len[3] * len[4];
  auto axisAndStep = [&](Dim dim) -> std::pair<int, T> {
    switch (dim) {
    case Dim::N:
      return {0, tile[dim]};
    case Dim::G:
      return {1, tile[dim]};
    case Dim::K:
      return {-1, T(0.0)};
    case Dim::C:
      return {2, tile[dim]};
    case Dim::P:
      return {3, tile[dim] * double(layer.stride[Axis::H])};
    case Dim::R:
      return {3, tile[dim] * double(layer.dilation[Axis::H])};
    case Dim::Q:
      return {4, tile[dim] * double(layer.stride[Axis::W])};
    case Dim::S:
      return {4, tile[dim] * double(layer.dilation[Axis::W])};
    }
    return {-1, T(0.0)};
  };

  T outer(1.0);
  for (Dim dim : kAllDims)
    outer *= nest.trips[Level::Dram][dim];
  T volume = size;
  std::array<T, 5> wrapped{}, first{};
  bool isFirst = true;
  for (Dim dim : nest.order[Level::Dram]) {
    if (!nest.emitted(Level::Dram, dim))
      continue;
    const T &trips = nest.trips[Level::Dram][dim];
    outer /= trips;
    auto [axis, step] = axisAndStep(dim);
    std::array<T, 5> shift;
    bool same = true;
    for (int a = 0; a < 5; ++a) {
      shift[a] = (a == axis ? step : T(0.0)) - wrapped[a];
      same &=
          isFirst || std::fabs(valueOf(shift[a]) - valueOf(first[a])) < 1e-6;
    }
    T loaded = size;
    if (same) {
      T overlap(1.0);
      for (int a = 0; a < 5; ++a)
        overlap *= maxOf(T(0.0), len[a] - absOf(shift[a]));
      loaded -= overlap;
    }
    volume += (trips - 1.0) * outer * loaded;
    if (isFirst)
      first = shift;
    isFirst = false;
    if (axis >= 0)
      wrapped[axis] += step;
  }
  return volume;
}

/// Rows or columns of I loaded on one axis, summed over the scratchpad tiles of
/// P and R (Q and S): stored ones only, nothing of the padding.
int64_t loadedExtentSum(const Layer &layer, Axis axis, int64_t outTile,
                        int64_t kernelTile);

/// loadedExtentSum in the formulas' scalar (eq. 6): the unclipped sum, which
/// is smooth in the number of tiles, less what the border cuts off.
template <typename T> T loadedExtent(const Nest<T> &nest, Axis axis) {
  const Layer &layer = *nest.layer;
  auto whole = [&](Dim dim) {
    double tile = valueOf(nest.tile[Level::Scratchpad][dim]);
    return std::max<int64_t>(1, std::llround(tile));
  };
  int64_t outTile = whole(outputDim(axis)), kernelTile = whole(kernelDim(axis));
  double exact = loadedExtentSum(layer, axis, outTile, kernelTile);
  if (kernelTile == 1)
    return T(exact); // each row is loaded once per tap, however P is cut
  auto unclipped = [&](const auto &outCount, const auto &kernelCount) {
    return kernelCount * (nest.bound(outputDim(axis)) - outCount) *
               double(layer.stride[axis]) +
           outCount * (nest.bound(kernelDim(axis)) - kernelCount) *
               double(layer.dilation[axis]) +
           outCount * kernelCount;
  };
  const T &outCount = nest.count[Level::Scratchpad][outputDim(axis)];
  const T &kernelCount = nest.count[Level::Scratchpad][kernelDim(axis)];
  double cut = unclipped(valueOf(outCount), valueOf(kernelCount)) - exact;
  return unclipped(outCount, kernelCount) - cut;
}

} // namespace detail

/// Access counts and DRAM bytes of one layer; energy and cycles are zero.
template <typename T>
BasicLayerCost<T> countAccesses(const Nest<T> &nest, Convention convention,
                                int64_t side, const FusedEnds<T> &fused = {}) {
  using namespace detail;
  const Layer &layer = *nest.layer;
  const bool machine = convention == Convention::Machine;
  const bool depthwise = layer.isDepthwise();
  const bool block = machine && depthwise;
  auto d = [&](Dim dim) { return nest.bound(dim); };

  const double macs = static_cast<double>(layer.macs());
  const double outputs =
      d(Dim::N) * d(Dim::G) * d(Dim::K) * d(Dim::P) * d(Dim::Q);
  // Words of W: a block of `cols` groups is a square tile (eq. 7).
  T weights(d(Dim::G) * d(Dim::K) * d(Dim::C) * d(Dim::R) * d(Dim::S));
  if (block) {
    double cols = valueOf(nest.cols);
    double rest = std::fmod(d(Dim::G), cols);
    weights = (d(Dim::G) * nest.cols - rest * (cols - rest)) *
              (d(Dim::R) * d(Dim::S));
  }

  BasicLayerCost<T> cost;
  cost.macs = T(macs);
  // Eq. 8. A pass streams one pixel per cycle through the array.
  const PerDim<T> &passes = nest.count[Level::Registers];
  cost.computeCycles = passes[Dim::K] * passes[Dim::C] * passes[Dim::G] *
                       (macs / (d(Dim::K) * d(Dim::C) * d(Dim::G)));
  cost.arrayMacs = T(macs);
  if (block)
    cost.arrayMacs = weights * (d(Dim::N) * d(Dim::P) * d(Dim::Q));

  // Eq. 9 to 11: what crosses between DRAM and the scratchpad or accumulator.
  T inputWords = machine ? loadedExtent(nest, Axis::H) *
                               loadedExtent(nest, Axis::W) *
                               (d(Dim::N) * d(Dim::G) * d(Dim::C)) *
                               refetches(nest, Tensor::I, Level::Scratchpad)
                         : slidingInputWords(nest);
  inputWords *= 1.0 - fused.input;
  T weightWords = weights * refetches(nest, Tensor::W, Level::Scratchpad);
  T writeBacks = refetches(nest, Tensor::O, Level::Accumulator) * outputs;
  T spills = writeBacks - outputs;
  T stored = (1.0 - fused.output) * outputs;
  T handedOver = fused.output * outputs;

  DramTraffic<T> &bytes = cost.dramBytes;
  bytes.input = inputWords;
  bytes.weights = weightWords;
  bytes.outputWrites = stored * double(layer.outputBytes) + spills * 4.0;
  bytes.partialReads = spills * 4.0;
  T biasWords(0.0);
  if (machine && layer.hasBias) {
    const PerDim<T> &tile = nest.tile[Level::Accumulator];
    const PerDim<T> &count = nest.count[Level::Accumulator];
    bytes.bias =
        roundUp(tile[Dim::N] * tile[Dim::P] * tile[Dim::Q] / double(side)) *
        count[Dim::N] * count[Dim::P] * count[Dim::Q] *
        (4.0 * d(Dim::K) * d(Dim::G));
    biasWords = T(outputs);
  }

  auto &dram = cost.access[Level::Dram];
  dram[Tensor::I].reads = inputWords;
  dram[Tensor::W].reads = weightWords;
  dram[Tensor::O].reads = machine ? bytes.partialReads + bytes.bias : spills;
  dram[Tensor::O].updates = machine ? bytes.outputWrites : stored + spills;

  // Eq. 12 to 14: on chip.
  auto &registers = cost.access[Level::Registers];
  registers[Tensor::W].reads = cost.arrayMacs;
  registers[Tensor::W].fills =
      weights * refetches(nest, Tensor::W, Level::Registers);
  auto &spad = cost.access[Level::Scratchpad];
  spad[Tensor::W].reads = registers[Tensor::W].fills;
  spad[Tensor::W].fills = weightWords;
  spad[Tensor::I].fills = inputWords;
  spad[Tensor::I].reads = passes[Dim::K] * (macs / d(Dim::K));
  spad[Tensor::O].updates = handedOver;
  auto &accumulator = cost.access[Level::Accumulator];
  accumulator[Tensor::O].updates = passes[Dim::C] * (macs / d(Dim::C));
  accumulator[Tensor::O].fills = spills + biasWords;
  accumulator[Tensor::O].reads =
      accumulator[Tensor::O].updates - outputs + biasWords;
  if (machine) // draining: each store reads the tile
    accumulator[Tensor::O].reads += writeBacks;
  else if (valueOf(handedOver) > 0)
    accumulator[Tensor::O].reads += handedOver;
  return cost;
}

/// Adds energy and roofline latency to counted accesses (eq. 15 and 16).
template <typename T>
void charge(BasicLayerCost<T> &cost, const Nest<T> &nest,
            const Accelerator &target, Convention convention) {
  bool groupColumns =
      nest.layer->isDepthwise() && convention == Convention::Timeloop;
  T rows = groupColumns ? T(1.0) : nest.rows;
  cost.energy = cost.arrayMacs * target.energyPerMac;
  cost.cycles = cost.computeCycles;
  for (Level level : kAllLevels) {
    T accesses = cost.accesses(level);
    cost.energy += accesses * target.energyPerAccess[level];
    T bandwidth(target.bandwidth[level]);
    if (level == Level::Registers)
      bandwidth *= rows * nest.cols;
    else if (level == Level::Accumulator)
      bandwidth *= nest.cols;
    if (valueOf(bandwidth) > 0)
      cost.cycles = maxOf(cost.cycles, accesses / bandwidth);
  }
}

} // namespace fadiff

#endif // FADIFF_COSTMODEL_COUNTS_H
