//===- LibraryProgramTest.cpp - The library's programs --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/LibraryProgram.h"

#include "fadiff/Simulator/Machine.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>

using namespace fadiff;

namespace {

Accelerator machineOf(int64_t side, int64_t scratchpadRows,
                      int64_t accumulatorRows) {
  Accelerator a;
  a.name = "test";
  a.side = side;
  a.scratchpadBytes = scratchpadRows * side;
  a.accumulatorBytes = accumulatorRows * 4 * side;
  return a;
}

int8_t saturate(float value) {
  const float whole = std::nearbyintf(value);
  return int8_t(whole > 127 ? 127 : whole < -128 ? -128 : whole);
}

/// A convolution with all its data, and its result computed pixel by pixel.
struct Convolution {
  Layer layer;
  LibraryPooling pooling;
  std::vector<int8_t> input, weights;
  std::vector<int32_t> bias;

  int64_t pooledExtent(Axis axis) const {
    return (layer.dims[outputDim(axis)] + 2 * pooling.pad - pooling.size) /
               pooling.stride +
           1;
  }

  void fill(std::mt19937 &rng) {
    const int64_t kernel = layer.dims[Dim::R] * layer.dims[Dim::S];
    input.resize(layer.dims[Dim::N] * layer.inputExtent[Axis::H] *
                 layer.inputExtent[Axis::W] * layer.inputChannels());
    weights.resize(kernel * layer.dims[Dim::G] * layer.dims[Dim::C] *
                   layer.dims[Dim::K]);
    bias.resize(layer.outputChannels());
    for (auto *bytes : {&input, &weights})
      for (int8_t &byte : *bytes)
        byte = int8_t(int(rng() % 255) - 127);
    for (int32_t &value : bias)
      value = int32_t(rng() % 20000) - 10000;
  }

  int32_t sum(int64_t n, int64_t p, int64_t q, int64_t k) const {
    const bool depthwise = layer.isDepthwise();
    const int64_t height = layer.inputExtent[Axis::H],
                  width = layer.inputExtent[Axis::W],
                  channels = layer.inputChannels(), R = layer.dims[Dim::R],
                  S = layer.dims[Dim::S];
    int32_t sum = layer.hasBias ? bias[k] : 0;
    for (int64_t r = 0; r < R; ++r)
      for (int64_t s = 0; s < S; ++s) {
        const int64_t y = p * layer.stride[Axis::H] +
                          r * layer.dilation[Axis::H] - layer.padLow[Axis::H];
        const int64_t x = q * layer.stride[Axis::W] +
                          s * layer.dilation[Axis::W] - layer.padLow[Axis::W];
        if (y < 0 || y >= height || x < 0 || x >= width)
          continue;
        const int8_t *pixel = &input[((n * height + y) * width + x) * channels];
        if (depthwise)
          sum += pixel[k] * weights[(k * R + r) * S + s];
        else
          for (int64_t c = 0; c < channels; ++c)
            sum +=
                pixel[c] *
                weights[((r * S + s) * channels + c) * layer.dims[Dim::K] + k];
      }
    return sum;
  }

  int8_t result(int64_t n, int64_t p, int64_t q, int64_t k, float scale) const {
    int8_t most = -128;
    for (int64_t y = 0; y < pooling.size; ++y)
      for (int64_t x = 0; x < pooling.size; ++x) {
        const int64_t row = p * pooling.stride + y - pooling.pad,
                      col = q * pooling.stride + x - pooling.pad;
        const bool inside = row >= 0 && row < layer.dims[Dim::P] && col >= 0 &&
                            col < layer.dims[Dim::Q];
        // ReLU comes first, so padding is as good as nothing.
        const int32_t value = inside ? std::max(0, sum(n, row, col, k)) : 0;
        most = std::max(most, saturate(float(value) * scale));
      }
    return most;
  }

  /// Runs the library's program with `tile`, or its own where that is empty.
  void expectRuns(const Accelerator &machine, LibraryCall call, bool keeps) {
    const LibraryTile tile = libraryTile(layer, machine, call, pooling);
    std::vector<int8_t> output(layer.dims[Dim::N] * pooledExtent(Axis::H) *
                               pooledExtent(Axis::W) * layer.outputChannels());
    LibraryOperands operands;
    auto addressOf = [](const void *pointer) {
      return uint64_t(reinterpret_cast<uintptr_t>(pointer));
    };
    operands.input = addressOf(input.data());
    operands.weights = addressOf(weights.data());
    operands.bias = layer.hasBias ? addressOf(bias.data()) : 0;
    operands.output = addressOf(output.data());
    operands.scale = 1.0f / 512;
    operands.relu = true;
    operands.keeps = keeps;
    sim::Machine simulated(machine);
    libraryLayer(layer, machine, tile, operands,
                 [&](const isa::Command &command) {
                   simulated.execute(command.funct, command.rs1, command.rs2);
                 });
    simulated.fence();
    ASSERT_FALSE(simulated.fault()) << simulated.fault()->str();
    EXPECT_GT(simulated.total()[sim::CommandKind::LoopWs], 0);
    size_t at = 0;
    for (int64_t n = 0; n < layer.dims[Dim::N]; ++n)
      for (int64_t p = 0; p < pooledExtent(Axis::H); ++p)
        for (int64_t q = 0; q < pooledExtent(Axis::W); ++q)
          for (int64_t k = 0; k < layer.outputChannels(); ++k, ++at)
            ASSERT_EQ(output[at], result(n, p, q, k, operands.scale))
                << n << ", " << p << ", " << q << ", " << k;
    if (keeps) {
      const DramBytes bytes = libraryTraffic(layer, machine, tile);
      EXPECT_EQ(double(simulated.total().dramBytesWritten), bytes.outputWrites);
      EXPECT_EQ(double(simulated.total().dramBytesByMvin[1]), bytes.weights);
    }
  }
};

Convolution convolution(int64_t extent, int64_t kernel, int64_t stride,
                        int64_t pad, int64_t C, int64_t K) {
  Convolution conv;
  Layer &layer = conv.layer;
  for (Axis axis : kAllAxes) {
    layer.dims[outputDim(axis)] = (extent + 2 * pad - kernel) / stride + 1;
    layer.dims[kernelDim(axis)] = kernel;
  }
  layer.inputExtent = {extent, extent};
  layer.stride = {stride, stride};
  layer.padLow = {pad, pad};
  layer.dims[Dim::C] = C;
  layer.dims[Dim::K] = K;
  return conv;
}

/// Convolutions of all kinds on memories that hold little: many tiles, halves
/// in turns, sums over several loops.
TEST(LibraryProgram, Convolutions) {
  std::mt19937 rng(1);
  for (int64_t side : {4, 16})
    for (int trial = 0; trial < 12; ++trial) {
      const int64_t kernel = 1 + rng() % 3;
      Convolution conv =
          convolution(5 + rng() % 12, kernel, 1 + rng() % 2, rng() % kernel,
                      1 + rng() % 40, 1 + rng() % 40);
      conv.layer.dims[Dim::N] = 1 + rng() % 2;
      conv.layer.hasBias = rng() % 2;
      conv.fill(rng);
      SCOPED_TRACE("side " + std::to_string(side) + ", trial " +
                   std::to_string(trial));
      conv.expectRuns(machineOf(side, 64 * side, 16 * side), LibraryCall::Conv,
                      trial % 2);
      if (testing::Test::HasFatalFailure())
        return;
    }
}

/// Odd rows and columns of a strided 1x1 kernel are not loaded.
TEST(LibraryProgram, Downsampling) {
  std::mt19937 rng(2);
  Convolution conv = convolution(12, 1, 2, 0, 24, 20);
  conv.fill(rng);
  conv.expectRuns(machineOf(16, 1024, 256), LibraryCall::Conv, true);
}

/// Thin first layers: a pass multiplies several taps.
TEST(LibraryProgram, SeveralPixelsPerRow) {
  std::mt19937 rng(3);
  Convolution conv = convolution(17, 7, 2, 3, 3, 24);
  conv.layer.hasBias = true;
  conv.fill(rng);
  conv.expectRuns(machineOf(16, 4096, 512), LibraryCall::Conv, true);
}

TEST(LibraryProgram, Pooling) {
  std::mt19937 rng(4);
  Convolution conv = convolution(14, 3, 1, 1, 10, 20);
  conv.pooling = {2, 2, 0};
  conv.fill(rng);
  conv.expectRuns(machineOf(16, 512, 128), LibraryCall::Conv, false);
  conv.pooling = {3, 2, 1};
  conv.expectRuns(machineOf(16, 512, 256), LibraryCall::Conv, false);
}

TEST(LibraryProgram, Depthwise) {
  std::mt19937 rng(5);
  Convolution conv = convolution(11, 3, 2, 1, 1, 1);
  conv.layer.dims[Dim::G] = 9;
  conv.layer.hasBias = true;
  conv.fill(rng);
  conv.expectRuns(machineOf(16, 256, 64), LibraryCall::Depthwise, false);
}

TEST(LibraryProgram, MatrixProducts) {
  std::mt19937 rng(6);
  for (int trial = 0; trial < 8; ++trial) {
    Convolution conv =
        convolution(1, 1, 1, 0, 1 + rng() % 150, 1 + rng() % 150);
    conv.layer.dims[Dim::N] = 1 + rng() % 150;
    conv.layer.hasBias = trial % 2;
    conv.fill(rng);
    conv.expectRuns(machineOf(16, 512, 128), LibraryCall::Matmul, true);
  }
}

TEST(LibraryProgram, ResidualSums) {
  std::mt19937 rng(7);
  const int64_t rows = 100, cols = 72;
  std::vector<int8_t> a(rows * cols), b(rows * cols), c(rows * cols);
  for (auto *bytes : {&a, &b})
    for (int8_t &byte : *bytes)
      byte = int8_t(int(rng() % 255) - 127);
  const Accelerator machine = machineOf(16, 512, 128);
  LibraryResidual sum;
  sum.a = reinterpret_cast<uintptr_t>(a.data());
  sum.b = reinterpret_cast<uintptr_t>(b.data());
  sum.c = reinterpret_cast<uintptr_t>(c.data());
  sum.rows = rows;
  sum.cols = cols;
  sum.scaleB = 0.5f;
  sum.relu = true;
  sim::Machine simulated(machine);
  libraryResidual(sum, machine, [&](const isa::Command &command) {
    simulated.execute(command.funct, command.rs1, command.rs2);
  });
  simulated.fence();
  ASSERT_FALSE(simulated.fault()) << simulated.fault()->str();
  for (int64_t i = 0; i < rows * cols; ++i)
    ASSERT_EQ(
        c[i],
        saturate(float(std::max(0, a[i] + int(saturate(float(b[i]) * 0.5f))))));
}

} // namespace
