//===- LibraryProgram.cpp - Gemmini's library's programs ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/LibraryProgram.h"

#include "fadiff/ISA/LoopConvWs.h"
#include "fadiff/ISA/LoopWs.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace fadiff;
using namespace fadiff::isa;
using llvm::divideCeilSigned;

/// What stands in for a missing bias: an address that is not 0.
static constexpr uint64_t kNoBias = 1;

static Activation activationOf(bool relu) {
  return relu ? Activation::Relu : Activation::None;
}

static void configure(CommandSink sink, const LibraryOperands &operands,
                      int64_t storeStride, int64_t inputStride) {
  ConfigSt store;
  store.stride = storeStride;
  store.scale = operands.scale;
  store.activation = activationOf(operands.relu);
  sink(encode(store));
  ConfigEx execute;
  execute.aStride = inputStride;
  sink(encode(execute));
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

namespace {

/// Where the loop over one axis is: its tile of pooled outputs and of taps.
struct AxisTile {
  int64_t pooled = 0, poolPadLow = 0, poolPadHigh = 0;
  int64_t outputs = 0; ///< computed, what is pooled
  int64_t firstOutput = 0;
  int64_t taps = 0, firstTap = 0;
  int64_t padLow = 0, padHigh = 0;
  int64_t firstInput = 0; ///< stored, behind the padding
};

class ConvProgram {
public:
  ConvProgram(const Layer &layer, const Accelerator &target,
              const LibraryTile &tile, const LibraryOperands &operands,
              CommandSink sink)
      : layer(layer), target(target), tile(tile), operands(operands),
        sink(sink), depthwise(tile.call == LibraryCall::Depthwise),
        channels(layer.inputChannels()), outputs(layer.outputChannels()) {
    downsample =
        tile.pooling.size == 1 && tile.pooling.stride == 1 && !depthwise;
    for (Axis axis : kAllAxes) {
      pooled[axis] = (layer.dims[outputDim(axis)] + 2 * tile.pooling.pad -
                      tile.pooling.size) /
                         tile.pooling.stride +
                     1;
      downsample = downsample && layer.stride[axis] == 2 &&
                   layer.dims[kernelDim(axis)] == 1 &&
                   layer.padLow[axis] == 0 && layer.inputExtent[axis] % 2 == 0;
    }
  }

  void run() {
    configure(sink, operands, outputs * layer.elementBytes,
              layer.stride[Axis::W] >> downsample);
    const PerDim<int64_t> &step = tile.extent;
    // Loops over channels: of a depthwise layer one at a time.
    const int64_t ochs = depthwise ? 1 : step[Dim::K],
                  kchs = depthwise ? 1 : step[Dim::C];
    const int64_t allKchs = depthwise ? 1 : channels;
    auto tiles = [](int64_t extent, int64_t step) {
      return divideCeilSigned(extent, step);
    };
    const int64_t reductions = tiles(allKchs, kchs) *
                               tiles(layer.dims[Dim::R], step[Dim::R]) *
                               tiles(layer.dims[Dim::S], step[Dim::S]);
    const int64_t pixels = tiles(layer.dims[Dim::N], step[Dim::N]) *
                           tiles(pooled[Axis::H], step[Dim::P]) *
                           tiles(pooled[Axis::W], step[Dim::Q]);
    const bool keepsInput =
        operands.keeps && !depthwise && reductions * pixels <= 2;
    const bool keepsWeights =
        operands.keeps && !depthwise && reductions * tiles(outputs, ochs) <= 2;
    for (int64_t n = 0; n < layer.dims[Dim::N]; n += step[Dim::N])
      for (int64_t p = 0; p < pooled[Axis::H]; p += step[Dim::P])
        for (int64_t q = 0; q < pooled[Axis::W]; q += step[Dim::Q])
          for (int64_t k = 0; k < outputs; k += ochs)
            for (int64_t r = 0; r < layer.dims[Dim::R]; r += step[Dim::R])
              for (int64_t s = 0; s < layer.dims[Dim::S]; s += step[Dim::S])
                for (int64_t c = 0; c < allKchs; c += kchs) {
                  LoopConvWs loop = shape();
                  loop.batches = std::min(step[Dim::N], layer.dims[Dim::N] - n);
                  loop.ochs = std::min(ochs, outputs - k);
                  loop.kchs = std::min(kchs, allKchs - c);
                  const AxisTile h = at(Axis::H, p, r), w = at(Axis::W, q, s);
                  place(loop, n, k, depthwise ? k : c, p, q, h, w);
                  const bool last = c + kchs >= allKchs &&
                                    r + step[Dim::R] >= layer.dims[Dim::R] &&
                                    s + step[Dim::S] >= layer.dims[Dim::S];
                  if (!last)
                    loop.output = 0;
                  if (r + s + c > 0)
                    loop.bias = 0;
                  if (keepsInput) {
                    loop.inputHalf = n + p + q + r + s + c == 0 ? 1 : 2;
                    if (k > 0)
                      loop.input = 0;
                  }
                  if (keepsWeights) {
                    loop.weightHalf = k + r + s + c == 0 ? 1 : 2;
                    if (n + p + q > 0)
                      loop.weights = 0;
                  }
                  for (const Command &command : loop.commands())
                    sink(command);
                }
  }

private:
  AxisTile at(Axis axis, int64_t pooledFirst, int64_t firstTap) const {
    const LibraryPooling &pooling = tile.pooling;
    AxisTile t;
    t.pooled =
        std::min(tile.extent[outputDim(axis)], pooled[axis] - pooledFirst);
    const int64_t first = pooledFirst * pooling.stride - pooling.pad;
    const int64_t under = t.pooled * pooling.stride + pooling.size - 1;
    t.poolPadLow = std::max<int64_t>(0, -first);
    t.poolPadHigh =
        std::max<int64_t>(0, first + under - layer.dims[outputDim(axis)]);
    t.outputs = under - t.poolPadLow - t.poolPadHigh;
    t.firstOutput = std::max<int64_t>(0, first);
    t.firstTap = firstTap;
    t.taps = std::min(tile.extent[kernelDim(axis)],
                      layer.dims[kernelDim(axis)] - firstTap);
    const int64_t low = t.firstOutput * layer.stride[axis] +
                        firstTap * layer.dilation[axis] - layer.padLow[axis];
    // The library takes stride - 1 rows more than the window has.
    const int64_t window =
        t.outputs * layer.stride[axis] + (t.taps - 1) * layer.dilation[axis];
    t.padLow = std::max<int64_t>(0, -low);
    t.padHigh = std::max<int64_t>(0, low + window - layer.inputExtent[axis]);
    t.firstInput = low + t.padLow;
    return t;
  }

  /// What is the same for all tiles.
  LoopConvWs shape() const {
    LoopConvWs loop;
    loop.batchSize = layer.dims[Dim::N];
    loop.inRowDim = layer.inputExtent[Axis::H];
    loop.inColDim = layer.inputExtent[Axis::W];
    loop.inChannels = loop.inStride = channels;
    loop.outChannels = loop.outStride = outputs;
    loop.weightStride = depthwise ? 1 : outputs;
    loop.outRowDim = layer.dims[Dim::P];
    loop.outColDim = layer.dims[Dim::Q];
    loop.poolOutRowDim = pooled[Axis::H];
    loop.poolOutColDim = pooled[Axis::W];
    loop.stride = layer.stride[Axis::W];
    loop.padding = layer.padLow[Axis::W];
    loop.kernelDim = layer.dims[Dim::S];
    loop.dilation = layer.dilation[Axis::W];
    loop.poolSize = tile.pooling.size;
    loop.poolStride = tile.pooling.stride;
    loop.poolPadding = tile.pooling.pad;
    loop.noPool = tile.pooling.size == 1 && tile.pooling.stride == 1;
    loop.noBias = operands.bias == 0;
    loop.depthwise = depthwise;
    loop.downsample = downsample;
    loop.activation = operands.relu;
    return loop;
  }

  void place(LoopConvWs &loop, int64_t n, int64_t k, int64_t c, int64_t p,
             int64_t q, const AxisTile &h, const AxisTile &w) const {
    const int64_t bytes = layer.elementBytes;
    loop.orows = h.outputs;
    loop.ocols = w.outputs;
    loop.poolRows = h.pooled;
    loop.poolCols = w.pooled;
    loop.poolPadUp = h.poolPadLow;
    loop.poolPadDown = h.poolPadHigh;
    loop.poolPadLeft = w.poolPadLow;
    loop.poolPadRight = w.poolPadHigh;
    loop.krows = h.taps;
    loop.kcols = w.taps;
    loop.padUp = h.padLow;
    loop.padDown = h.padHigh;
    loop.padLeft = w.padLow;
    loop.padRight = w.padHigh;
    // Channels that do not fill the array's rows: several taps at once.
    const int64_t side = target.side, kchs = loop.kchs;
    if (!downsample && loop.dilation == 1 && kchs <= side)
      loop.pixelsPerRow = std::min<int64_t>(side / kchs, int64_t(loop.kcols));
    const int64_t pixel = (n * layer.inputExtent[Axis::H] + h.firstInput) *
                              layer.inputExtent[Axis::W] +
                          w.firstInput;
    loop.input = operands.input + (pixel * channels + c) * bytes;
    const int64_t tap = h.firstTap * layer.dims[Dim::S] + w.firstTap;
    const int64_t weight =
        depthwise ? k * layer.dims[Dim::R] * layer.dims[Dim::S] + tap
                  : (tap * channels + c) * outputs + k;
    loop.weights = operands.weights + weight * bytes;
    const int64_t result = (n * pooled[Axis::H] + p) * pooled[Axis::W] + q;
    loop.output = operands.output + (result * outputs + k) * bytes;
    loop.bias = operands.bias ? operands.bias + 4 * k : kNoBias;
  }

  const Layer &layer;
  const Accelerator &target;
  const LibraryTile &tile;
  const LibraryOperands &operands;
  CommandSink sink;
  const bool depthwise;
  const int64_t channels, outputs;
  PerAxis<int64_t> pooled;
  bool downsample = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

static void emit(CommandSink sink, const LoopWs &loop) {
  sink(encode(loop.bounds));
  sink(encode(LoopWsPair{Funct::LoopWsConfigAddrsAB, loop.a, loop.b}));
  sink(encode(LoopWsPair{Funct::LoopWsConfigAddrsDC, loop.d, loop.c}));
  sink(encode(
      LoopWsPair{Funct::LoopWsConfigStridesAB, loop.aStride, loop.bStride}));
  sink(encode(
      LoopWsPair{Funct::LoopWsConfigStridesDC, loop.dStride, loop.cStride}));
  sink(encode(loop.run));
}

static void matmulProgram(const Layer &layer, const Accelerator &target,
                          const LibraryTile &tile,
                          const LibraryOperands &operands, CommandSink sink) {
  const int64_t side = target.side, bytes = layer.elementBytes;
  const int64_t m = layer.dims[Dim::N] * layer.dims[Dim::P] *
                    layer.dims[Dim::Q],
                n = layer.dims[Dim::K], depth = layer.dims[Dim::C];
  auto blocks = [&](int64_t extent) { return divideCeilSigned(extent, side); };
  const int64_t stepI = blocks(tile.rows) * side,
                stepJ = blocks(tile.extent[Dim::K]) * side,
                stepK = blocks(tile.extent[Dim::C]) * side;
  configure(sink, operands, n * bytes, 1);
  const int64_t strides[] = {depth * bytes, n * bytes, 0};
  for (unsigned id = 0; id < 3; ++id) {
    ConfigLd load;
    load.mvin = id;
    load.stride = strides[id];
    load.blockStride = side;
    sink(encode(load));
  }
  const int64_t tilesI = divideCeilSigned(m, stepI),
                tilesJ = divideCeilSigned(n, stepJ),
                tilesK = divideCeilSigned(depth, stepK);
  const bool keepsB = operands.keeps && tilesJ * tilesK <= 2,
             keepsA = operands.keeps && tilesI * tilesK <= 2;
  for (int64_t i = 0; i < m; i += stepI)
    for (int64_t j = 0; j < n; j += stepJ)
      for (int64_t k = 0; k < depth; k += stepK) {
        LoopWs loop;
        auto bound = [&](uint16_t &count, uint16_t &pad, int64_t extent) {
          count = blocks(extent);
          pad = count * side - extent;
        };
        bound(loop.bounds.i, loop.bounds.padI, std::min(stepI, m - i));
        bound(loop.bounds.j, loop.bounds.padJ, std::min(stepJ, n - j));
        bound(loop.bounds.k, loop.bounds.padK, std::min(stepK, depth - k));
        loop.a = operands.input + (i * depth + k) * bytes;
        loop.b = operands.weights + (k * n + j) * bytes;
        if (k == 0 && operands.bias)
          loop.d = operands.bias + 4 * j;
        if (k + stepK >= depth)
          loop.c = operands.output + (i * n + j) * bytes;
        loop.aStride = depth;
        loop.bStride = loop.cStride = n;
        loop.run.accumulate = k > 0 || operands.bias;
        if (keepsA) {
          loop.run.aHalf = i + k == 0 ? 1 : 2;
          if (j > 0)
            loop.a = 0;
        }
        if (keepsB) {
          loop.run.bHalf = j + k == 0 ? 1 : 2;
          if (i > 0)
            loop.b = 0;
        }
        emit(sink, loop);
      }
}

void fadiff::libraryLayer(const Layer &layer, const Accelerator &target,
                          const LibraryTile &tile,
                          const LibraryOperands &operands, CommandSink sink) {
  if (tile.call == LibraryCall::Matmul)
    return matmulProgram(layer, target, tile, operands, sink);
  ConvProgram(layer, target, tile, operands, sink).run();
}

//===----------------------------------------------------------------------===//
// Residual sums
//===----------------------------------------------------------------------===//

void fadiff::libraryResidual(const LibraryResidual &sum,
                             const Accelerator &target, CommandSink sink) {
  const int64_t side = target.side, wide = target.maxMoveColumns();
  // The library halves rows and drops blocks of columns until the sums fit.
  int64_t tileRows = sum.rows, tileCols = sum.cols;
  while (divideCeilSigned(tileRows, side) * side *
                 divideCeilSigned(tileCols, side) >
             target.accumulatorRows() / 2 &&
         (tileRows > 1 || tileCols > side)) {
    if (tileRows >= tileCols || tileCols <= side)
      tileRows /= 2;
    else
      tileCols -= side;
  }
  ConfigSt store;
  store.stride = sum.cols;
  store.scale = sum.scale;
  store.activation = activationOf(sum.relu);
  sink(encode(store));
  sink(encode(ConfigEx()));
  for (unsigned id = 0; id < 2; ++id) {
    ConfigLd load;
    load.mvin = id;
    load.shrink = true;
    load.stride = sum.cols;
    load.blockStride = side;
    load.scale = id ? sum.scaleB : sum.scaleA;
    sink(encode(load));
  }
  bool second = false;
  for (int64_t i = 0; i < sum.rows; i += tileRows)
    for (int64_t j = 0; j < sum.cols; j += tileCols) {
      const int64_t rows = std::min(tileRows, sum.rows - i),
                    cols = std::min(tileCols, sum.cols - j),
                    blocks = divideCeilSigned(cols, side);
      const int64_t base = second ? target.accumulatorRows() / 2 : 0;
      second = !second;
      const std::pair<Funct, uint64_t> moves[] = {
          {Funct::Mvin, sum.a}, {Funct::Mvin2, sum.b}, {Funct::Mvout, sum.c}};
      for (const auto &[funct, dram] : moves)
        for (int64_t y = 0; y < rows; y += side)
          for (int64_t x = 0; x < cols; x += wide) {
            Move move;
            move.funct = funct;
            move.dramAddress = dram + (i + y) * sum.cols + j + x;
            move.localAddress = LocalAddress::accumulator(
                base + (y / side * blocks + x / side) * side,
                funct == Funct::Mvin2);
            move.rows = std::min(side, rows - y);
            move.cols = std::min(wide, cols - x);
            sink(encode(move));
          }
    }
}
