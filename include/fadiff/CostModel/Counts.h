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

#include "fadiff/CostModel/Batch.h"
#include "fadiff/CostModel/Commands.h"
#include "fadiff/CostModel/Cost.h"
#include "fadiff/CostModel/Nest.h"
#include "fadiff/CostModel/Requests.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/MatmulLoop.h"
#include "fadiff/Support/Names.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace fadiff {

/// A cost without its derivatives.
template <typename T>
BasicLayerCost<double> valuesOf(const BasicLayerCost<T> &cost) {
  BasicLayerCost<double> values;
  values.energy = valueOf(cost.energy);
  values.cycles = valueOf(cost.cycles);
  values.macs = valueOf(cost.macs);
  values.arrayMacs = valueOf(cost.arrayMacs);
  values.computeCycles = valueOf(cost.computeCycles);
  values.switchCycles = valueOf(cost.switchCycles);
  values.certainCycles = valueOf(cost.certainCycles);
  values.commands = valueOf(cost.commands);
  values.issueCycles = valueOf(cost.issueCycles);
  values.readerCycles = valueOf(cost.readerCycles);
  values.writerCycles = valueOf(cost.writerCycles);
  values.openCycles = valueOf(cost.openCycles);
  for (Level level : kAllLevels) {
    values.memoryCycles[level] = valueOf(cost.memoryCycles[level]);
    for (Tensor tensor : kAllTensors) {
      const AccessCounts<T> &access = cost.access[level][tensor];
      values.access[level][tensor] = {valueOf(access.reads),
                                      valueOf(access.fills),
                                      valueOf(access.updates)};
    }
  }
  const DramTraffic<T> &bytes = cost.dramBytes;
  values.dramBytes = {valueOf(bytes.input),        valueOf(bytes.weights),
                      valueOf(bytes.outputWrites), valueOf(bytes.partialReads),
                      valueOf(bytes.bias),         valueOf(bytes.residual),
                      valueOf(bytes.padding),      valueOf(bytes.scales)};
  return values;
}

namespace detail {

/// The loops of a nest as bits: 8 per level from the registers outwards, the
/// innermost loop lowest.
struct LoopBits {
  uint32_t emitted = 0;
  PerTensor<uint32_t> relevant; ///< over a dim of that tensor
};
template <typename T, bool Grouped>
LoopBits loopBits(const Nest<T, Grouped> &nest) {
  static_assert(kNumDims * kNumLevels <= 32);
  LoopBits loops;
  // Without branches, which orders and trips would make unpredictable.
  for (unsigned l = 1; l < kNumLevels; ++l)
    for (unsigned p = 0; p < kNumDims; ++p) {
      const Dim dim = nest.order[kAllLevels[l]][p];
      const unsigned bit = l * kNumDims + p;
      loops.emitted |= uint32_t(nest.emitted(kAllLevels[l], dim)) << bit;
      for (Tensor tensor : kAllTensors)
        loops.relevant[tensor] |= uint32_t(isRelevant(tensor, dim)) << bit;
    }
  return loops;
}

/// Times that a tile of `tensor` at `holder` is fetched again because of loops
/// that do not index it: all those outside the innermost emitted loop, above
/// `holder`, over a dim that does (eq. (refetches)). Between one and two trips
/// a loop is only partly there. In the array's registers a group's other
/// members follow each other: no tile stays there from one trip of the group's
/// loops to the next.
template <typename T, bool Grouped>
T refetches(const Nest<T, Grouped> &nest, const LoopBits &loops, Tensor tensor,
            Level holder) {
  const uint32_t relevant = loops.relevant[tensor];
  const unsigned inner = (static_cast<unsigned>(holder) + 1) * kNumDims;
  const unsigned dramLoops = static_cast<unsigned>(Level::Dram) * kNumDims;
  const bool displaced = Grouped && holder == Level::Registers;
  uint32_t left = loops.emitted >> inner << inner;
  if (!(left & relevant) && !displaced)
    return T(1.0);
  // From the first relevant loop outwards.
  uint32_t skipped = (left & relevant & -(left & relevant)) - 1;
  if (displaced)
    skipped &= (uint32_t(1) << dramLoops) - 1;
  left &= ~skipped;

  T inside(1.0); // how far no relevant loop has been met
  T product(1.0);
  PerDim<std::optional<T>> partial;
  uint32_t settled = 0; // dims, as bits
  for (; left; left &= left - 1) {
    const unsigned bit = llvm::countr_zero(left);
    const unsigned l = bit / kNumDims;
    const Dim dim = nest.order[kAllLevels[l]][bit % kNumDims];
    if (displaced && bit >= dramLoops)
      inside = T(0.0);
    if (relevant >> bit & 1) {
      inside *= 1.0 - gateOf(nest.trips[kAllLevels[l]][dim]);
      if (isAlways(inside, 0)) // further relevant loops change nothing
        left &= ~relevant | (left & -left);
      continue;
    }
    if (settled >> static_cast<unsigned>(dim) & 1)
      continue;
    // This loop's share, and that of all of its dim further out.
    const T &count = nest.count[kAllLevels[l - 1]][dim];
    if (!isAlways(inside, 0)) {
      const T &outer = nest.count[kAllLevels[l]][dim];
      partial[dim] = (partial[dim] ? *partial[dim] : T(1.0)) +
                     (1.0 - inside) * (count - outer);
      continue;
    }
    settled |= 1u << static_cast<unsigned>(dim);
    if (partial[dim])
      *partial[dim] += count - 1.0;
    else
      product *= count;
  }
  for (Dim dim : kAllDims)
    if (partial[dim])
      product *= *partial[dim];
  return product;
}
template <typename T, bool Grouped>
T refetches(const Nest<T, Grouped> &nest, Tensor tensor, Level holder) {
  return refetches(nest, loopBits(nest), tensor, holder);
}

/// Extent of the input window of a scratchpad tile on `axis`.
template <typename T> T window(const Nest<T> &nest, Axis axis) {
  const Layer &layer = *nest.layer;
  const PerDim<T> &tile = nest.tile[Level::Scratchpad];
  return (tile[outputDim(axis)] - 1.0) * double(layer.stride[axis]) +
         (tile[kernelDim(axis)] - 1.0) * double(layer.dilation[axis]) + 1.0;
}

/// Words of I loaded into the scratchpad, Timeloop's way (eq.
/// (timeloop-input)): the whole window once, then what is new at each step; the
/// overlap is kept only along the innermost loop and loops that step exactly as
/// that one does.
template <typename T> T slidingInputWords(const Nest<T> &nest) {
  using V = PlainOf<T>;
  constexpr unsigned kAxes = 5; // N, G, C, H, W
  const Layer &layer = *nest.layer;
  const PerDim<T> &tile = nest.tile[Level::Scratchpad];
  const std::array<T, kAxes> len = {tile[Dim::N], tile[Dim::G], tile[Dim::C],
                                    window(nest, Axis::H),
                                    window(nest, Axis::W)};
  // Batch and groups are 1 for most layers.
  const double bounds[kAxes] = {nest.bound(Dim::N), nest.bound(Dim::G), 2, 2,
                                2};
  T size(1.0);
  for (unsigned a = 0; a < kAxes; ++a)
    if (bounds[a] > 1)
      size *= len[a];
  // The axis that a loop moves along, and how far one of its tiles goes.
  auto stepOf = [&](Dim dim) -> std::pair<int, double> {
    switch (dim) {
    case Dim::N:
      return {0, 1};
    case Dim::G:
      return {1, 1};
    case Dim::K:
      break;
    case Dim::C:
      return {2, 1};
    case Dim::P:
      return {3, double(layer.stride[Axis::H])};
    case Dim::R:
      return {3, double(layer.dilation[Axis::H])};
    case Dim::Q:
      return {4, double(layer.stride[Axis::W])};
    case Dim::S:
      return {4, double(layer.dilation[Axis::W])};
    }
    return {-1, 0};
  };

  struct Loop {
    Dim dim;
    T outer; ///< trips of all loops further out
  };
  std::array<Loop, kNumDims> loops;
  unsigned count = 0;
  T outer(1.0);
  const LoopOrder &order = nest.order[Level::Dram];
  for (auto it = order.rbegin(); it != order.rend(); ++it) // outermost first
    if (nest.emitted(Level::Dram, *it)) {
      loops[count++] = {*it, outer};
      outer *= nest.trips[Level::Dram][*it];
    }

  T volume = size;
  T notYet(1.0); // how far no loop further in runs
  std::array<T, kAxes> wrapped{};
  std::array<V, kAxes> first{};
  bool moved[kAxes] = {};
  while (count-- > 0) { // innermost first
    const auto &[dim, around] = loops[count];
    const T &trips = nest.trips[Level::Dram][dim];
    auto [axis, scale] = stepOf(dim);
    T step = axis >= 0 ? tile[dim] * scale : T(0.0);
    V same(1.0); // whether it steps as the innermost one does
    for (int a = 0; a < int(kAxes); ++a) {
      V shift = (a == axis ? valueOf(step) : V(0.0)) - valueOf(wrapped[a]);
      same *= 1.0 - isGreater(absOf(shift - first[a]), V(1e-6));
    }
    T kept = notYet;
    if (!isAlways(notYet, 1))
      kept += (1.0 - notYet) * same;
    T loaded = size;
    if (!isAlways(kept, 0)) {
      T overlap = kept;
      for (int a = 0; a < int(kAxes); ++a)
        if (a == axis && moved[a])
          overlap *= maxOf(T(0.0), len[a] - absOf(step - wrapped[a]));
        else if (a == axis)
          overlap *= maxOf(T(0.0), len[a] - step);
        else if (moved[a])
          overlap *= maxOf(T(0.0), len[a] - absOf(wrapped[a]));
        else if (bounds[a] > 1)
          overlap *= len[a];
      loaded -= overlap;
    }
    volume += (trips - 1.0) * around * loaded;
    T runs = gateOf(trips);
    V isFirst = isGreater(valueOf(trips), V(1 + 1e-9)) *
                isGreater(valueOf(notYet), V(0.5));
    for (int a = 0; a < int(kAxes); ++a) {
      V shift = (a == axis ? valueOf(step) : V(0.0)) - valueOf(wrapped[a]);
      first[a] += isFirst * (shift - first[a]);
    }
    if (axis >= 0) {
      wrapped[axis] += runs * step;
      moved[axis] = true;
    }
    notYet *= 1.0 - runs;
  }
  return volume;
}

/// Rows or columns of I loaded on one axis to make `outputs`, kernel tile by
/// kernel tile: stored ones only, nothing of the padding.
int64_t loadedExtent(const Layer &layer, Axis axis, Span outputs,
                     int64_t kernelTile);

/// The same with the padding.
int64_t windowExtent(const Layer &layer, Axis axis, Span outputs,
                     int64_t kernelTile);

/// loadedExtent summed over all scratchpad tiles of P (Q).
int64_t loadedExtentSum(const Layer &layer, Axis axis, int64_t outTile,
                        int64_t kernelTile);

inline double loadedExtentSum(const Layer &layer, Axis axis, double outTile,
                              double kernelTile) {
  // What is more than all of a dim need not fit an integer.
  auto whole = [&](double tile, Dim dim) {
    return int64_t(std::min(tile, double(layer.dims[dim])));
  };
  return double(loadedExtentSum(layer, axis, whole(outTile, outputDim(axis)),
                                whole(kernelTile, kernelDim(axis))));
}
template <unsigned W>
Batch<W> loadedExtentSum(const Layer &layer, Axis axis, const Batch<W> &outTile,
                         const Batch<W> &kernelTile) {
  return perLane(outTile, kernelTile, [&](double out, double kernel) {
    return loadedExtentSum(layer, axis, out, kernel);
  });
}

/// Rows (columns) of the windows of so many tiles of the axis' outputs and of
/// its taps, the padding among them.
template <typename T>
T windowSum(const Layer &layer, Axis axis, const T &outCount,
            const T &kernelCount) {
  const double outputs = double(layer.dims[outputDim(axis)]);
  const double taps = double(layer.dims[kernelDim(axis)]);
  return kernelCount * (outputs - outCount) * double(layer.stride[axis]) +
         outCount * (taps - kernelCount) * double(layer.dilation[axis]) +
         outCount * kernelCount;
}
/// The same of a nest's scratchpad tiles. With single taps each row is touched
/// once per tap, however P is cut.
template <typename T> T windowExtent(const Nest<T> &nest, Axis axis) {
  using V = PlainOf<T>;
  const auto &count = nest.count[Level::Scratchpad];
  const Dim out = outputDim(axis), kernel = kernelDim(axis);
  const V windows =
      isGreater(nearest(valueOf(nest.tile[Level::Scratchpad][kernel])), V(1.0));
  return windows * windowSum(*nest.layer, axis, count[out], count[kernel]) +
         (1.0 - windows) * (nest.bound(out) * nest.bound(kernel));
}

/// loadedExtentSum in the formulas' scalar (eq. (machine-input)): exact at
/// whole tiles, with the slopes of the unclipped sum, which is smooth in the
/// number of tiles; what the border cuts off is constant around each whole
/// point.
template <typename T> T loadedExtent(const Nest<T> &nest, Axis axis) {
  using V = PlainOf<T>;
  const Layer &layer = *nest.layer;
  const T &outTile = nest.tile[Level::Scratchpad][outputDim(axis)];
  const T &kernelTile = nest.tile[Level::Scratchpad][kernelDim(axis)];
  const V wholeOut = nearest(valueOf(outTile));
  const V wholeKernel = nearest(valueOf(kernelTile));
  const V exact = loadedExtentSum(layer, axis, wholeOut, wholeKernel);
  // With single taps each row is loaded once per tap, however P is cut.
  const V windows = isGreater(wholeKernel, V(1.0));
  if (isAlways(windows, 0))
    return T(exact);
  if constexpr (std::is_same_v<T, double>)
    if (outTile == wholeOut && kernelTile == wholeKernel)
      return exact;
  const double outputs = nest.bound(outputDim(axis));
  const double taps = nest.bound(kernelDim(axis));
  const T &outCount = nest.count[Level::Scratchpad][outputDim(axis)];
  const T &kernelCount = nest.count[Level::Scratchpad][kernelDim(axis)];
  const V there = windowSum(layer, axis, ceilDiv(V(outputs), wholeOut),
                            ceilDiv(V(taps), wholeKernel));
  T sum = windowSum(layer, axis, outCount, kernelCount);
  if constexpr (std::is_same_v<T, V>)
    return exact + windows * (sum - there);
  else
    return withValue(sum, exact + (valueOf(sum) - there));
}

} // namespace detail

namespace detail {

/// Words of W (eq. (weight-words)); with `block` a block of `cols` groups is a
/// square tile.
template <typename T>
T weightWords(const Layer &layer, const T &cols, bool block) {
  auto d = [&](Dim dim) { return double(layer.dims[dim]); };
  if (!block)
    return T(d(Dim::G) * d(Dim::K) * d(Dim::C) * d(Dim::R) * d(Dim::S));
  using V = PlainOf<T>;
  const V whole = nearest(valueOf(cols)), groups(d(Dim::G));
  const V rest = groups - floorDiv(groups, whole) * whole;
  return (cols * d(Dim::G) - rest * (whole - rest)) * (d(Dim::R) * d(Dim::S));
}

/// Fills in what the array does (eq. (compute) and (weight-reads) to
/// (sum-accesses)) to produce `outputs` sums with `passes` array tiles along K,
/// C and G, of which `firstSums` are not added to anything: cycles,
/// multiply-accumulates, and the accesses that they make. W is read from the
/// scratchpad `weightReads` times in all.
template <typename T, typename OutputsT>
void countArray(BasicLayerCost<T> &cost, const Layer &layer,
                const OutputsT &outputs, const PerDim<T> &passes,
                const T &arrayWeights, const T &weightReads,
                const T &firstSums) {
  auto d = [&](Dim dim) { return double(layer.dims[dim]); };
  const double taps = d(Dim::R) * d(Dim::S);
  const OutputsT pixels = outputs / (d(Dim::G) * d(Dim::K));
  cost.macs = T(outputs * (d(Dim::C) * taps));
  // A pass streams one pixel per cycle through the array.
  cost.computeCycles =
      passes[Dim::K] * passes[Dim::C] * passes[Dim::G] * (pixels * taps);
  cost.arrayMacs = arrayWeights * pixels;
  auto &registers = cost.access[Level::Registers];
  registers[Tensor::W].reads = cost.arrayMacs;
  registers[Tensor::W].fills = weightReads;
  auto &spad = cost.access[Level::Scratchpad];
  spad[Tensor::W].reads = weightReads;
  spad[Tensor::I].reads =
      passes[Dim::K] * (pixels * (d(Dim::G) * d(Dim::C) * taps));
  auto &accumulator = cost.access[Level::Accumulator];
  accumulator[Tensor::O].updates = passes[Dim::C] * (outputs * taps);
  accumulator[Tensor::O].reads = accumulator[Tensor::O].updates - firstSums;
}

} // namespace detail

/// Access counts and DRAM bytes of one layer, alone or in a group; energy and
/// cycles are zero.
template <typename T, bool Grouped>
BasicLayerCost<T>
countAccesses(const Nest<T, Grouped> &nest, Convention convention,
              const Accelerator &target, const FusedEnds<T> &fused = {},
              Model model = Model::Exact) {
  using namespace detail;
  using V = PlainOf<T>;
  const Layer &layer = *nest.layer;
  const bool paper = model == Model::Paper;
  const bool machine = convention == Convention::Machine && !paper;
  const bool depthwise = layer.isDepthwise();
  const bool block = machine && depthwise;
  const bool inPlace = machine && target.handsOverInPlace();
  const V side(double(target.side));
  auto d = [&](Dim dim) { return nest.bound(dim); };

  // A number for a layer alone; in a group it follows from the tile.
  const auto outputs = nest.extent(Dim::N) * nest.extent(Dim::P) *
                       nest.extent(Dim::Q) * (d(Dim::G) * d(Dim::K));
  const T weights = weightWords(layer, nest.cols, block);
  BasicLayerCost<T> cost;

  // Eq. (fills) to (bias): what crosses between DRAM and the scratchpad or
  // accumulator. The paper's equations 4 to 7 and 10 telescope to the tensor
  // itself.
  const LoopBits loops = loopBits(nest);
  auto fetches = [&](Tensor tensor, Level holder) {
    return paper ? T(1.0) : refetches(nest, loops, tensor, holder);
  };
  T inputWords;
  if (paper)
    inputWords = T(outputs / d(Dim::K) * (d(Dim::C) * d(Dim::R) * d(Dim::S)));
  else if constexpr (Grouped)
    inputWords = nest.group.loaded[Axis::H] * nest.group.loaded[Axis::W] *
                 nest.extent(Dim::N) * (d(Dim::G) * d(Dim::C)) *
                 fetches(Tensor::I, Level::Scratchpad);
  else if (machine)
    inputWords = loadedExtent(nest, Axis::H) * loadedExtent(nest, Axis::W) *
                 (d(Dim::N) * d(Dim::G) * d(Dim::C)) *
                 fetches(Tensor::I, Level::Scratchpad);
  else
    inputWords = slidingInputWords(nest);
  // Padding of another value than zero comes from DRAM, too: of what is loaded
  // pixel by pixel, of what is handed over a row for each run (eq. (padding)).
  T paddingWords(0.0), paddingFilled(0.0), paddingBytes(0.0);
  if (machine && layer.padValue != 0) {
    T windows;
    if constexpr (Grouped)
      windows = nest.group.windows[Axis::H] * nest.group.windows[Axis::W] *
                nest.extent(Dim::N);
    else
      windows =
          windowExtent(nest, Axis::H) * windowExtent(nest, Axis::W) * d(Dim::N);
    paddingWords = (windows * (d(Dim::G) * d(Dim::C)) *
                        fetches(Tensor::I, Level::Scratchpad) -
                    inputWords) *
                   (1.0 - fused.input);
    paddingBytes = paddingWords * double(layer.elementBytes);
    if constexpr (Grouped) {
      const GroupPadding<T> &handedOver = nest.group.padding;
      const double channels =
          inPlace ? d(Dim::G) * d(Dim::C) : handedOver.channels;
      const T ofTiles = fused.input * nest.extent(Dim::N) * channels;
      paddingFilled = ofTiles * handedOver.pixels;
      paddingBytes += ofTiles * handedOver.runs *
                      (inPlace ? 4.0 : double(layer.elementBytes));
    }
  }
  inputWords *= 1.0 - fused.input;
  T loadedWeights = weights * fetches(Tensor::W, Level::Scratchpad);
  if constexpr (Grouped)
    loadedWeights *= nest.group.weightLoads;
  T writeBacks = fetches(Tensor::O, Level::Accumulator) * outputs;
  T spills = writeBacks - outputs;
  T stored = (1.0 - fused.output) * outputs;
  T handedOver = fused.output * outputs;
  T drained = machine ? writeBacks : handedOver;
  if constexpr (Grouped)
    if (nest.group.pooledWords > 0) {
      stored = (1.0 - fused.output) * nest.group.pooledWords;
      handedOver = fused.output * nest.group.pooledWords;
      drained = (machine ? T(nest.group.pooledWords) : handedOver) *
                nest.group.poolReads;
    }

  DramTraffic<T> &bytes = cost.dramBytes;
  bytes.input = inputWords * double(layer.elementBytes);
  bytes.padding = paddingBytes;
  bytes.weights = loadedWeights * double(layer.elementBytes);
  bytes.outputWrites = stored * double(layer.outputBytes) + spills * 4.0;
  bytes.partialReads = spills * 4.0;
  MovedWords<T> moved;
  T addedWords(0.0);   // loaded for the sums to start from
  T startedWords(0.0); // sums that have been loaded to
  T liveWords(0.0);    // that the array adds to them
  if (machine && layer.hasBias) {
    const PerDim<T> &tile = nest.tile[Level::Accumulator];
    const PerDim<T> &count = nest.count[Level::Accumulator];
    T chunks = tile[Dim::N] * tile[Dim::P] * tile[Dim::Q] / side;
    V pixels = nearest(valueOf(tile[Dim::N])) * nearest(valueOf(tile[Dim::P])) *
               nearest(valueOf(tile[Dim::Q]));
    chunks = aroundWhole(chunks, ceilDiv(pixels, side), pixels / side);
    // What is handed over in place lies in its consumer's window.
    if constexpr (Grouped)
      if (inPlace && !isAlways(valueOf(fused.output), 0)) {
        const T &window = nest.group.window;
        pixels = nearest(valueOf(window));
        chunks +=
            fused.output *
            (aroundWhole(window / side, ceilDiv(pixels, side), pixels / side) -
             chunks);
      }
    bytes.bias = chunks * count[Dim::N] * count[Dim::P] * count[Dim::Q] *
                 (4.0 * d(Dim::K) * d(Dim::G));
    addedWords = startedWords = T(outputs);
  }
  if (machine && layer.hasResidual) {
    liveWords = fused.residual * outputs;
    const T residualWords = (outputs - liveWords) * double(layer.residualLoads);
    bytes.residual = residualWords * double(layer.residualBytes);
    moved.residual = residualWords;
    addedWords += residualWords;
    if (!layer.hasBias)
      startedWords = outputs - liveWords;
  }

  // Eq. (scales): once per run, whatever the mapping.
  if (machine && layer.hasScales)
    bytes.scales = T(4.0 * d(Dim::K) * d(Dim::G));

  auto &dram = cost.access[Level::Dram];
  dram[Tensor::I].reads = machine ? bytes.input + bytes.padding : inputWords;
  dram[Tensor::W].reads = machine ? bytes.weights : loadedWeights;
  dram[Tensor::O].reads =
      machine ? bytes.partialReads + bytes.bias + bytes.residual + bytes.scales
              : spills;
  dram[Tensor::O].updates = machine ? bytes.outputWrites : stored + spills;

  // Eq. (compute) and (weight-reads) to (sum-accesses): on chip. The first sum
  // is written over what is there, unless that was added to it; the paper
  // counts no reads at all.
  const T updates =
      nest.count[Level::Registers][Dim::C] * (outputs * d(Dim::R) * d(Dim::S));
  countArray(cost, layer, outputs, nest.count[Level::Registers], weights,
             weights * fetches(Tensor::W, Level::Registers),
             paper ? updates : outputs - startedWords);
  auto &spad = cost.access[Level::Scratchpad];
  spad[Tensor::W].fills = loadedWeights;
  spad[Tensor::I].fills = inputWords + paddingWords;
  auto &accumulator = cost.access[Level::Accumulator];
  accumulator[Tensor::O].fills = spills + addedWords;
  // What is not loaded first is added to what is there.
  accumulator[Tensor::O].reads += addedWords - startedWords;
  (inPlace ? accumulator[Tensor::O] : spad[Tensor::I]).fills += paddingFilled;
  // Draining: each store of the machine reads the tile, a hand-over always
  // does.
  accumulator[Tensor::O].reads += drained;
  if (inPlace) {
    // Sums stay where they are, and the array reads them there.
    accumulator[Tensor::O].reads -= handedOver;
    accumulator[Tensor::I].reads = fused.input * spad[Tensor::I].reads;
    spad[Tensor::I].reads *= 1.0 - fused.input;
  } else {
    spad[Tensor::O].updates = handedOver;
  }
  spad[Tensor::I].reads += liveWords;

  if (machine) {
    moved.input = inputWords;
    moved.weights = loadedWeights;
    moved.stored = stored;
    if (!inPlace)
      moved.handedOver = handedOver;
    moved.spilled = spills;
    moved.bias = bytes.bias * 0.25;
    if constexpr (Grouped)
      moved.isPooled = nest.group.pooledWords > 0;
    const PerDim<T> &tiles = nest.count[Level::Registers];
    const T passes = tiles[Dim::K] * tiles[Dim::C] * tiles[Dim::G] *
                     (pixelRuns(nest, fused.input, double(target.side)) *
                      (d(Dim::R) * d(Dim::S)));
    cost.commands = commandsOf(layer, nest.cols, passes, moved, target);
    cost.switchCycles =
        tiles[Dim::K] * tiles[Dim::C] * tiles[Dim::G] *
        (d(Dim::R) * d(Dim::S) * fetches(Tensor::W, Level::Registers)) *
        idlePerWeights(nest, fused.input, double(target.side));
    // The loop unit fills blocks of the array's width, whatever the mapping's.
    const T biasRows = !Grouped && mayBeMatmulLoop(layer, target)
                           ? T(outputs * (1 / double(target.side)))
                           : tiles[Dim::K] * tiles[Dim::G] *
                                 (outputs / (d(Dim::K) * d(Dim::G)));
    const RequestCycles<T> busy = requestCycles(nest, biasRows, moved, target);
    cost.readerCycles = busy.reader;
    cost.writerCycles = busy.writer;
    cost.openCycles = busy.open;
  }
  return cost;
}

/// All accesses of each level.
template <typename T> PerLevel<T> accessTotals(const BasicLayerCost<T> &cost) {
  PerLevel<T> totals;
  for (Level level : kAllLevels)
    totals[level] = cost.accesses(level);
  return totals;
}

/// Energy in pJ (eq. (energy)), with what leaks in `cost.cycles`.
template <typename T>
T energyOf(const BasicLayerCost<T> &cost, const PerLevel<T> &accesses,
           const Accelerator &target) {
  T energy = cost.arrayMacs * target.energyPerMac;
  for (Level level : kAllLevels)
    energy += accesses[level] * target.energyPerAccess[level];
  if (target.leakageMilliwatts > 0)
    energy += cost.cycles * target.leakagePerCycle();
  return energy;
}

/// Gives a cost other cycles, in which more or less leaks.
template <typename CostT, typename T>
void setCycles(CostT &cost, const T &cycles, const Accelerator &target) {
  if (target.leakageMilliwatts > 0)
    cost.energy += (cycles - cost.cycles) * target.leakagePerCycle();
  cost.cycles = cycles;
}

/// Cycles in which DRAM moves a byte: by its bandwidth, which is a convention
/// of rooflines, or by what emitted programs get of it. 0 where it is no limit.
inline double dramCyclesPerByte(const Accelerator &target, Latency latency) {
  if (latency == Latency::Busy || latency == Latency::Streams)
    return target.dramCyclesPerByte();
  const double bandwidth = target.bandwidth[Level::Dram];
  return bandwidth > 0 ? 1 / bandwidth : 0;
}

/// Adds energy and cycles to counted accesses: eq. (energy) and, as `latency`
/// says, (roofline), (issue) or (busy). `inputBeside`: the input comes while
/// other members run.
template <typename T, bool Grouped>
void charge(BasicLayerCost<T> &cost, const Nest<T, Grouped> &nest,
            const Accelerator &target, Convention convention,
            Model model = Model::Exact, Latency latency = Latency::Roofline,
            bool inputBeside = false) {
  bool groupColumns =
      nest.layer->isDepthwise() &&
      (convention == Convention::Timeloop || model == Model::Paper);
  T rows = groupColumns ? T(1.0) : nest.rows;
  const bool ofProgram =
      latency == Latency::Busy || latency == Latency::Streams;
  const PerLevel<T> accesses = accessTotals(cost);
  cost.cycles = cost.computeCycles;
  for (Level level : kAllLevels) {
    T bandwidth(target.bandwidth[level]);
    if (level == Level::Registers)
      bandwidth *= rows * nest.cols;
    else if (level == Level::Accumulator)
      bandwidth *= nest.cols;
    if (target.bandwidth[level] > 0)
      cost.memoryCycles[level] = accesses[level] / bandwidth;
    if (ofProgram && level == Level::Dram)
      cost.memoryCycles[level] =
          accesses[level] * dramCyclesPerByte(target, latency);
    // Ports on chip hold no emitted program up.
    if (!ofProgram)
      cost.cycles = maxOf(cost.cycles, cost.memoryCycles[level]);
  }
  T dram = cost.memoryCycles[Level::Dram], reader = cost.readerCycles,
    open = cost.openCycles, commands = cost.commands;
  if (inputBeside && ofProgram) {
    MovedWords<T> input;
    input.input = cost.dramBytes.input * (1 / double(nest.layer->elementBytes));
    const detail::RequestCycles<T> loads =
        detail::inputCycles(nest, input.input, target);
    dram -= cost.dramBytes.input * dramCyclesPerByte(target, latency);
    reader -= loads.reader;
    open -= loads.open;
    commands -= detail::commandsOf(*nest.layer, T(1.0), T(0.0), input, target);
  }
  T issue(0.0);
  // A layer alone may be left to the loop unit.
  if (latency != Latency::Roofline &&
      (Grouped || !mayBeMatmulLoop(*nest.layer, target))) {
    issue = commands * double(target.commandCycles);
    cost.cycles = maxOf(cost.cycles, issue);
    if (latency == Latency::Issue)
      cost.issueCycles = issue;
  }
  if (ofProgram) {
    const T array = cost.computeCycles + cost.switchCycles;
    cost.cycles = maxOf(maxOf(maxOf(cost.cycles, dram), array),
                        maxOf(maxOf(open, reader), cost.writerCycles));
    cost.certainCycles = cost.cycles;
    if constexpr (Grouped) {
      const detail::VisitsOverlap overlap =
          detail::visitsOverlap(target, nest.group.storeReads);
      const T &visits = nest.group.visits;
      const T any = maxOf(maxOf(issue, dram), cost.writerCycles);
      cost.certainCycles =
          maxOf(maxOf(array, T(reader - visits * overlap.reader)),
                maxOf(T(open - visits * overlap.open),
                      T(any - visits * overlap.any)));
    }
  }
  cost.energy = energyOf(cost, accesses, target);
}

} // namespace fadiff

#endif // FADIFF_COSTMODEL_COUNTS_H
