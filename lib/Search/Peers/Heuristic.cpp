//===- Heuristic.cpp - The tile rules of Gemmini's library ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Heuristic.h"

#include "../Problem/Factors.h"
#include "fadiff/Search/Baselines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace fadiff;
using llvm::divideCeilSigned;

/// The order in which the library's rules look at the dims.
static constexpr Dim kRuleOrder[] = {Dim::N, Dim::P, Dim::Q, Dim::K,
                                     Dim::R, Dim::S, Dim::C};

static bool isPointwise(const Layer &layer) {
  for (Axis axis : kAllAxes)
    if (layer.dims[kernelDim(axis)] != 1 || layer.stride[axis] != 1 ||
        layer.padLow[axis] != 0 ||
        layer.inputExtent[axis] > layer.dims[outputDim(axis)])
      return false;
  return !layer.isDepthwise();
}

LibraryCall fadiff::libraryCall(const Layer &layer) {
  if (layer.isDepthwise())
    return LibraryCall::Depthwise;
  int large = llvm::count_if(std::initializer_list<Dim>{Dim::N, Dim::P, Dim::Q},
                             [&](Dim dim) { return layer.dims[dim] > 1; });
  return isPointwise(layer) && large <= 1 ? LibraryCall::Matmul
                                          : LibraryCall::Conv;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {
/// The chooser of one convolution.
class ConvRule {
public:
  ConvRule(const Layer &layer, const Accelerator &target, LibraryCall call,
           const LibraryPooling &pooling)
      : layer(layer), side(target.side), pooling(pooling),
        spadHalf(target.scratchpadRows() / 2),
        accHalf(target.accumulatorRows() / 2), bounds(layer.dims) {
    bounds[Dim::G] = 1;
    if (call == LibraryCall::Depthwise)
      bounds[Dim::K] = bounds[Dim::C] = 1;
    for (Axis axis : kAllAxes)
      bounds[outputDim(axis)] = pooledExtent(axis);
  }

  int64_t pooledExtent(Axis axis) const {
    return (layer.dims[outputDim(axis)] + 2 * pooling.pad - pooling.size) /
               pooling.stride +
           1;
  }

  /// The loop unit skips what a strided 1x1 kernel does not touch, but only
  /// under these conditions.
  bool downsamples() const {
    for (Axis axis : kAllAxes)
      if (layer.stride[axis] != 2 || layer.dims[kernelDim(axis)] != 1 ||
          layer.padLow[axis] != 0 || layer.inputExtent[axis] % 2 != 0)
        return false;
    return pooling.stride == 1 && pooling.size == 1;
  }

  PerDim<int64_t> choose() const {
    PerDim<int64_t> tile = bounds;
    while (!fits(tile))
      if (!shrink(tile))
        return PerDim<int64_t>(1);
    while (grow(tile, Dim::Q)) {
    }
    for (bool grew = true; grew;) {
      grew = false;
      for (Dim dim : kRuleOrder)
        grew |= grow(tile, dim);
    }
    return tile;
  }

  /// Rows of the unpooled output under `pooled` pooled ones, as the rule
  /// counts them.
  int64_t unpooled(int64_t pooled) const {
    return pooled * pooling.stride + pooling.size - 1;
  }

private:
  bool fits(const PerDim<int64_t> &tile) const {
    int64_t outputs = tile[Dim::N], inputs = tile[Dim::N], taps = 1;
    for (Axis axis : kAllAxes) {
      int64_t out = unpooled(tile[outputDim(axis)]);
      int64_t kernel = (tile[kernelDim(axis)] - 1) * layer.dilation[axis] + 1;
      // The library counts stride - 1 rows more than the window has.
      int64_t in = out * layer.stride[axis] + kernel - 1;
      outputs *= out;
      inputs *= downsamples() ? in / 2 : in;
      taps *= tile[kernelDim(axis)];
    }
    int64_t blocks = divideCeilSigned(tile[Dim::K], side);
    return divideCeilSigned(tile[Dim::C], side) * inputs +
                   blocks * taps * tile[Dim::C] <=
               spadHalf &&
           blocks * outputs <= accHalf;
  }

  /// The largest entry gives way; columns that fill the array are kept as long
  /// as there are rows to give.
  bool shrink(PerDim<int64_t> &tile) const {
    int64_t largest = 1;
    std::optional<Dim> found;
    for (Dim dim : kRuleOrder) {
      bool kept = dim == Dim::Q && tile[dim] <= side && tile[Dim::P] > 1;
      if (!kept && tile[dim] > largest) {
        largest = tile[dim];
        found = dim;
      }
    }
    if (!found)
      return false;
    bool channels = *found == Dim::K || *found == Dim::C;
    int64_t less = channels ? (largest - 1) / side * side : largest - 1;
    tile[*found] = std::max<int64_t>(1, less);
    return true;
  }

  bool grow(PerDim<int64_t> &tile, Dim dim) const {
    PerDim<int64_t> larger = tile;
    if (++larger[dim] > bounds[dim] || !fits(larger))
      return false;
    tile = larger;
    return true;
  }

  const Layer &layer;
  const int64_t side;
  const LibraryPooling pooling;
  const int64_t spadHalf, accHalf;
  PerDim<int64_t> bounds;
};
} // namespace

//===----------------------------------------------------------------------===//
// Matrix multiplications
//===----------------------------------------------------------------------===//

static int64_t matmulRows(const Layer &layer) {
  return layer.dims[Dim::N] * layer.dims[Dim::P] * layer.dims[Dim::Q];
}

static LibraryTile matmulTile(const Layer &layer, const Accelerator &target) {
  const int64_t side = target.side;
  const int64_t spad = target.scratchpadRows() / 2 / side;
  const int64_t acc = target.accumulatorRows() / 2 / side;
  const int64_t rows = divideCeilSigned(matmulRows(layer), side);
  const int64_t columns = divideCeilSigned(layer.dims[Dim::K], side);
  const int64_t depth = divideCeilSigned(layer.dims[Dim::C], side);
  // In blocks of the array: a square of outputs that half the accumulator
  // holds, as deep as half of the scratchpad's half allows.
  int64_t square = std::max<int64_t>(1, int64_t(std::sqrt(double(acc))));
  int64_t i = std::min(rows, square), j = std::min(columns, square);
  int64_t k = std::clamp<int64_t>(
      target.scratchpadRows() / 2 / 2 / side / square, 1, depth);
  auto fits = [&](int64_t i, int64_t j, int64_t k) {
    return (i + j) * k <= spad && i * j <= acc;
  };
  for (bool grew = true; grew;) {
    grew = false;
    auto grow = [&](int64_t &part, int64_t bound) {
      ++part;
      if (part <= bound && fits(i, j, k))
        grew = true;
      else
        --part;
    };
    grow(j, columns);
    grow(i, rows);
    grow(k, depth);
  }
  LibraryTile tile;
  tile.call = LibraryCall::Matmul;
  tile.rows = std::min(matmulRows(layer), i * side);
  tile.extent[Dim::K] = std::min(layer.dims[Dim::K], j * side);
  tile.extent[Dim::C] = std::min(layer.dims[Dim::C], k * side);
  return tile;
}

LibraryTile fadiff::libraryTile(const Layer &layer, const Accelerator &target,
                                LibraryCall call,
                                const LibraryPooling &pooling) {
  if (call == LibraryCall::Matmul)
    return matmulTile(layer, target);
  LibraryTile tile;
  tile.call = call;
  tile.pooling = pooling;
  tile.extent = ConvRule(layer, target, call, pooling).choose();
  return tile;
}

//===----------------------------------------------------------------------===//
// What it moves
//===----------------------------------------------------------------------===//

namespace {
/// How many tiles there are, and what the library keeps.
struct LibraryLoops {
  int64_t pixels = 1, reductions = 1, columns = 1;
  bool keepsInput() const { return pixels * reductions <= 2; }
  bool keepsWeights() const { return columns * reductions <= 2; }
};

/// Sums over the tiles of one axis.
struct AxisSums {
  int64_t input = 0;        ///< stored rows or columns loaded
  int64_t outputs = 0;      ///< unpooled outputs computed
  int64_t outputBlocks = 0; ///< runs of at most `side` of them
};
} // namespace

static LibraryLoops loopsOf(const Layer &layer, const LibraryTile &tile,
                            const ConvRule &rule) {
  LibraryLoops loops;
  auto tiles = [&](Dim dim, int64_t bound) {
    return divideCeilSigned(bound, tile.extent[dim]);
  };
  loops.columns = tiles(Dim::K, layer.dims[Dim::K]);
  loops.reductions = tiles(Dim::C, layer.dims[Dim::C]);
  if (tile.call == LibraryCall::Matmul) {
    loops.pixels = divideCeilSigned(matmulRows(layer), tile.rows);
    return loops;
  }
  loops.pixels = tiles(Dim::N, layer.dims[Dim::N]);
  for (Axis axis : kAllAxes) {
    loops.pixels *= tiles(outputDim(axis), rule.pooledExtent(axis));
    loops.reductions *= tiles(kernelDim(axis), layer.dims[kernelDim(axis)]);
  }
  return loops;
}

/// The arithmetic of the library's loop over one axis.
static AxisSums sumAxis(const Layer &layer, const LibraryTile &tile,
                        const ConvRule &rule, Axis axis, int64_t side) {
  const LibraryPooling &pooling = tile.pooling;
  const int64_t outputs = layer.dims[outputDim(axis)];
  const int64_t stored = layer.inputExtent[axis];
  const int64_t pooled = rule.pooledExtent(axis);
  const int64_t step = tile.extent[outputDim(axis)];
  const int64_t taps = layer.dims[kernelDim(axis)];
  const int64_t tapStep = tile.extent[kernelDim(axis)];
  AxisSums sums;
  for (int64_t at = 0; at < pooled; at += step) {
    int64_t first = at * pooling.stride - pooling.pad;
    int64_t extent = rule.unpooled(std::min(step, pooled - at));
    int64_t computed = extent - std::max<int64_t>(0, -first) -
                       std::max<int64_t>(0, first + extent - outputs);
    first = std::max<int64_t>(0, first);
    sums.outputs += computed;
    sums.outputBlocks += divideCeilSigned(computed, side);
    for (int64_t tap = 0; tap < taps; tap += tapStep) {
      int64_t kernel =
          (std::min(tapStep, taps - tap) - 1) * layer.dilation[axis] + 1;
      int64_t low = first * layer.stride[axis] + tap * layer.dilation[axis] -
                    layer.padLow[axis];
      int64_t high = low + computed * layer.stride[axis] + kernel - 1;
      int64_t inside = std::min(high, stored) - std::max<int64_t>(low, 0);
      inside = std::max<int64_t>(0, inside);
      sums.input += rule.downsamples() ? (inside + 1) / 2 : inside;
    }
  }
  return sums;
}

DramBytes fadiff::libraryTraffic(const Layer &layer, const Accelerator &target,
                                 const LibraryTile &tile) {
  const ConvRule rule(layer, target, tile.call, tile.pooling);
  const LibraryLoops loops = loopsOf(layer, tile, rule);
  const int64_t groups = layer.dims[Dim::G], K = layer.dims[Dim::K],
                C = layer.dims[Dim::C], side = target.side;
  int64_t inputs, weights = K * C, biasRows, outputs;
  if (tile.call == LibraryCall::Matmul) {
    inputs = matmulRows(layer) * C;
    biasRows = 0;
    for (int64_t at = 0; at < matmulRows(layer); at += tile.rows)
      biasRows +=
          divideCeilSigned(std::min(tile.rows, matmulRows(layer) - at), side);
    outputs = matmulRows(layer) * K;
  } else {
    AxisSums h = sumAxis(layer, tile, rule, Axis::H, side);
    AxisSums w = sumAxis(layer, tile, rule, Axis::W, side);
    const int64_t images = layer.dims[Dim::N];
    inputs = images * h.input * w.input * C;
    weights *= layer.dims[Dim::R] * layer.dims[Dim::S];
    biasRows = images * h.outputs * w.outputBlocks;
    outputs =
        images * rule.pooledExtent(Axis::H) * rule.pooledExtent(Axis::W) * K;
  }
  // The depthwise loop keeps nothing between its calls.
  const bool depthwise = tile.call == LibraryCall::Depthwise;
  DramBytes bytes;
  bytes.input = double(groups * inputs * layer.elementBytes *
                       (loops.keepsInput() && !depthwise ? 1 : loops.columns));
  bytes.weights =
      double(groups * weights * layer.elementBytes *
             (loops.keepsWeights() && !depthwise ? 1 : loops.pixels));
  bytes.bias = layer.hasBias ? double(groups * biasRows * K * 4) : 0.0;
  bytes.residual =
      layer.hasResidual ? double(groups * outputs * layer.residualBytes) : 0.0;
  bytes.outputWrites = double(groups * outputs * layer.outputBytes);
  return bytes;
}

//===----------------------------------------------------------------------===//
// As a mapping
//===----------------------------------------------------------------------===//

/// The library's extent of channels as whole blocks of the array, which is all
/// that a mapping's factors can say, with the same number of tiles.
static int64_t wholeBlocks(int64_t extent, int64_t bound, int64_t side) {
  if (extent == bound || extent < side)
    return extent;
  int64_t tiles = divideCeilSigned(bound, extent);
  int64_t down = extent / side * side;
  if (divideCeilSigned(bound, down) == tiles)
    return down;
  return divideCeilSigned(divideCeilSigned(bound, tiles), side) * side;
}

/// Where the library keeps an operand in both halves, a loop of our scratchpad
/// level does the same; where our code keeps what the library loads again, the
/// order of loops decides which operand that is.
static Mapping toMapping(const Layer &layer, const Accelerator &target,
                         const LibraryTile &tile, bool keep) {
  const LibraryLoops loops =
      loopsOf(layer, tile, ConvRule(layer, target, tile.call, tile.pooling));
  Mapping m;
  // From the inside: C, S, R, K, Q, P, N, G.
  for (Level level : kAllLevels)
    m.order[level] = {Dim::C, Dim::S, Dim::R, Dim::K,
                      Dim::Q, Dim::P, Dim::N, Dim::G};
  PerDim<int64_t> extent = tile.extent;
  if (tile.call == LibraryCall::Matmul)
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      extent[dim] = std::min(layer.dims[dim], tile.rows);
  if (tile.call != LibraryCall::Depthwise) {
    for (Dim dim : {Dim::K, Dim::C})
      extent[dim] = wholeBlocks(extent[dim], layer.dims[dim], target.side);
    m.cols = std::min(target.side, extent[Dim::K]);
    m.rows = std::min(target.side, extent[Dim::C]);
  }
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    m.temporal[Level::Registers][dim] = extent[dim];
  for (Dim dim : {Dim::K, Dim::C, Dim::R, Dim::S})
    m.temporal[Level::Accumulator][dim] =
        divideCeilSigned(extent[dim], m.spatial(layer, dim));

  auto keepTiles = [&](Dim dim) {
    m.temporal[Level::Scratchpad][dim] =
        divideCeilSigned(layer.dims[dim], extent[dim]);
  };
  if (keep && tile.call != LibraryCall::Depthwise) {
    if (loops.reductions == 2 && (loops.keepsInput() || loops.keepsWeights()))
      for (Dim dim : {Dim::C, Dim::R, Dim::S})
        keepTiles(dim);
    else if (loops.reductions == 1 && loops.columns == 2 && loops.pixels == 2)
      keepTiles(Dim::K);
    else if (loops.reductions == 1 && loops.columns == 2)
      m.order[Level::Dram] = {Dim::C, Dim::S, Dim::R, Dim::Q,
                              Dim::P, Dim::N, Dim::K, Dim::G};
  }
  settle(layer, m);
  return m;
}

llvm::Expected<Mapping> fadiff::heuristicMapping(const Layer &layer,
                                                 const Accelerator &target) {
  if (llvm::Error error = checkMappable(layer, target))
    return std::move(error);
  LibraryTile tile = libraryTile(layer, target, libraryCall(layer));
  for (bool keep : {true, false}) {
    Mapping mapping = toMapping(layer, target, tile, keep);
    if (fits(layer, mapping, target))
      return mapping;
  }
  // Half of the memories hold nothing at all.
  return squareTileMapping(layer, target);
}
