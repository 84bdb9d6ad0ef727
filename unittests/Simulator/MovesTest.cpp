//===- MovesTest.cpp - mvin, mvout and mvout_spad -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace fadiff;
using namespace fadiff::sim;

namespace {

constexpr float kHalf = 0.5f;

TEST(Mvin, BlocksGoBlockStrideApart) {
  for (int64_t side : {16, 32}) {
    std::mt19937 rng(side);
    Program p(testAccelerator(side));
    const int64_t stride = 100;
    std::vector<int8_t> dram = randomBytes(rng, side * stride);
    for (int64_t cols : {1, 15, 16, 17, 33, 63, 64}) {
      int64_t rows = 1 + rng() % side;
      p.configLd(stride, /*blockStride=*/side + 3);
      p.mvin(dram.data(), sp(5), rows, cols);
      ASSERT_EQ(p.fault(), "");
      for (int64_t r = 0; r < rows; ++r)
        for (int64_t c = 0; c < cols; ++c)
          ASSERT_EQ(
              p.machine.scratchpadRow(5 + r + c / side * (side + 3))[c % side],
              dram[r * stride + c])
              << side << ' ' << r << ' ' << c;
    }
  }
}

/// Exactly the rows between the blocks stay unwritten, and a short write leaves
/// the columns behind it.
TEST(Mvin, WritesItsBlocksOnly) {
  std::vector<int8_t> dram(4096, 1), out(64);
  auto canRead = [&](int64_t row) {
    Program p;
    p.configLd(64, 19);
    p.configSt(16);
    p.mvin(dram.data(), sp(5), 16, 32);
    p.mvin(dram.data(), sp(5), 1, 3);
    p.mvout(out.data(), sp(row), 1, 16);
    return p.fault() == "";
  };
  for (int64_t row = 0; row < 60; ++row)
    EXPECT_EQ(canRead(row), (row >= 5 && row < 21) || (row >= 24 && row < 40))
        << row;
}

TEST(Mvin, EachMvinHasItsOwnConfiguration) {
  Program p;
  std::vector<int8_t> dram(64);
  for (int i = 0; i < 64; ++i)
    dram[i] = i;
  p.configLd(1, 16, 0);
  p.configLd(2, 16, 1);
  p.configLd(3, 16, 2);
  p.move(Funct::Mvin, dram.data(), sp(0), 2, 1);
  p.move(Funct::Mvin2, dram.data(), sp(2), 2, 1);
  p.move(Funct::Mvin3, dram.data(), sp(4), 2, 1);
  ASSERT_EQ(p.fault(), "");
  EXPECT_EQ(p.machine.scratchpadRow(1)[0], 1);
  EXPECT_EQ(p.machine.scratchpadRow(3)[0], 2);
  EXPECT_EQ(p.machine.scratchpadRow(5)[0], 3);
}

TEST(Mvin, ScaleRoundsHalfToEvenAndSaturates) {
  Program p;
  std::vector<int8_t> dram = {1, 3, 5, -1, -3, -5, 127, -128};
  p.configLd(16, 16, 0, kHalf);
  p.mvin(dram.data(), sp(0), 1, 8);
  const int8_t halves[] = {0, 2, 2, 0, -2, -2, 64, -64};
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(p.machine.scratchpadRow(0)[i], halves[i]) << i;
  p.configLd(16, 16, 0, 3.0f);
  p.mvin(dram.data(), sp(1), 1, 8);
  const int8_t triples[] = {3, 9, 15, -3, -9, -15, 127, -128};
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(p.machine.scratchpadRow(1)[i], triples[i]) << i;
  std::mt19937 rng(7);
  std::vector<int8_t> random = randomBytes(rng, 64);
  for (float scale : {0.37f, -1.5f, 1e-30f, 1e30f, 0.0078125f}) {
    p.configLd(16, 16, 0, scale);
    p.mvin(random.data(), sp(16), 4, 16);
    for (int i = 0; i < 64; ++i)
      ASSERT_EQ(p.machine.scratchpadRow(16 + i / 16)[i % 16],
                requantReference(random[i], scale));
  }
}

TEST(Mvin, AccumulatorTakesWideAndShrunkRows) {
  Program p;
  std::mt19937 rng(3);
  // One byte off any alignment.
  std::vector<int8_t> storage(4 * 16 * 16 + 1);
  std::vector<int32_t> wide(16 * 16);
  for (int32_t &value : wide)
    value = rng();
  memcpy(storage.data() + 1, wide.data(), 4 * wide.size());
  std::vector<int8_t> narrow = randomBytes(rng, 16 * 64);

  // The scale does not apply to int32.
  p.configLd(64, 16, 0, kHalf);
  p.mvin(storage.data() + 1, acc(0), 16, 16);
  p.configLd(64, 16, 1, kHalf, /*shrink=*/true);
  p.move(Funct::Mvin2, narrow.data(), acc(16), 16, 64);
  ASSERT_EQ(p.fault(), "");
  for (int r = 0; r < 16; ++r) {
    for (int c = 0; c < 16; ++c)
      ASSERT_EQ(p.machine.accumulatorRow(r)[c], wide[r * 16 + c]);
    for (int c = 0; c < 64; ++c)
      ASSERT_EQ(p.machine.accumulatorRow(16 + r + c / 16 * 16)[c % 16],
                requantReference(narrow[r * 64 + c], kHalf));
  }

  // A residual is added, and wraps.
  p.mvin(storage.data() + 1, accAdd(0), 16, 16);
  p.move(Funct::Mvin2, narrow.data(), accAdd(0), 16, 16);
  ASSERT_EQ(p.fault(), "");
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 16; ++c)
      ASSERT_EQ(uint32_t(p.machine.accumulatorRow(r)[c]),
                2 * uint32_t(wide[r * 16 + c]) +
                    uint32_t(requantReference(narrow[r * 64 + c], kHalf)));
}

TEST(Mvin, ZeroFillAndBroadcast) {
  Program p;
  std::vector<int8_t> ones(16, 1);
  std::vector<int32_t> bias(16);
  for (int i = 0; i < 16; ++i)
    bias[i] = 1000 * i;
  p.configLd(0, 16);
  p.mvin(ones.data(), sp(0), 16, 16);
  EXPECT_EQ(p.machine.total().dramBytesRead, 16);
  p.mvin(bias.data(), acc(0), 16, 16);
  EXPECT_EQ(p.machine.total().dramBytesRead, 16 + 64);
  EXPECT_EQ(p.machine.scratchpadRow(15)[15], 1);
  EXPECT_EQ(p.machine.accumulatorRow(15)[15], 15000);
  p.mvin(nullptr, sp(0), 2, 5);
  p.mvin(nullptr, acc(0), 1, 16);
  p.mvin(nullptr, accAdd(1), 1, 16);
  ASSERT_EQ(p.fault(), "");
  EXPECT_EQ(p.machine.total().dramBytesRead, 16 + 64);
  EXPECT_EQ(p.machine.scratchpadRow(1)[4], 0);
  EXPECT_EQ(p.machine.scratchpadRow(1)[5], 1);
  EXPECT_EQ(p.machine.scratchpadRow(2)[0], 1);
  EXPECT_EQ(p.machine.accumulatorRow(0)[15], 0);
  EXPECT_EQ(p.machine.accumulatorRow(1)[15], 15000);
}

TEST(Mvout, RequantisesLikeTheReference) {
  std::mt19937 rng(11);
  for (float scale : {1.0f, 0.5f, 0.25f, 0.0123f, 3.7e-5f, 1.7e-9f, 2.0f}) {
    for (bool relu : {false, true}) {
      Program p;
      std::vector<int32_t> values(16 * 16);
      for (size_t i = 0; i < values.size(); ++i)
        values[i] =
            i % 4 == 0   ? int32_t(rng())
            : i % 4 == 1 ? int32_t(rng() % 600) - 300
            : i % 4 == 2
                ? int32_t(rng() % 60000) - 30000
                : int32_t(std::clamp<double>((rng() % 256 - 128.0) / scale,
                                             INT32_MIN, INT32_MAX));
      values[0] = INT32_MIN;
      values[1] = INT32_MAX;
      values[2] = (1 << 24) + 1; // is rounded on the way to float
      std::vector<int8_t> out(16 * 20, 99);
      p.configLd(64, 16);
      p.mvin(values.data(), acc(0), 16, 16);
      p.configSt(20, scale, relu ? Activation::Relu : Activation::None);
      p.mvout(out.data(), acc(0), 16, 13);
      ASSERT_EQ(p.fault(), "");
      for (int r = 0; r < 16; ++r)
        for (int c = 0; c < 20; ++c)
          ASSERT_EQ(out[r * 20 + c],
                    c < 13 ? requantReference(values[r * 16 + c], scale, relu)
                           : 99)
              << values[r * 16 + c] << " * " << scale;
    }
  }
}

TEST(Mvout, HalvesGoToEven) {
  Program p;
  std::vector<int32_t> values = {1, 3, 5, 7, -1, -3, -5, 253, 255, -255, -257};
  const int8_t expected[] = {0, 2, 2, 4, 0, -2, -2, 126, 127, -128, -128};
  std::vector<int8_t> out(16);
  p.configLd(64, 16);
  p.mvin(values.data(), acc(0), 1, 11);
  p.configSt(16, kHalf);
  p.mvout(out.data(), acc(0), 1, 11);
  ASSERT_EQ(p.fault(), "");
  for (int i = 0; i < 11; ++i)
    EXPECT_EQ(out[i], expected[i]) << values[i];
}

TEST(Mvout, FullWidthRawAndBlocks) {
  for (int64_t side : {16, 32}) {
    std::mt19937 rng(side);
    Program p(testAccelerator(side));
    std::vector<int32_t> values(64 * side);
    for (int32_t &value : values)
      value = int32_t(rng() % 100) - 50;
    p.configLd(4 * side, side);
    for (int64_t r = 0; r < 64; r += side)
      p.mvin(values.data() + r * side, acc(r), side, side);

    // int32 as it is, in spite of scale and ReLU.
    std::vector<int32_t> wide(side * side);
    p.configSt(4 * side, kHalf, Activation::Relu);
    p.mvout(wide.data(), LocalAddress::fullWidth(0), side, side);
    ASSERT_EQ(p.fault(), "");
    for (int64_t i = 0; i < side * side; ++i)
      ASSERT_EQ(wide[i], values[i]);

    // 64 columns out of consecutive blocks of `side` rows.
    std::vector<int8_t> out(side * 64);
    p.configSt(64);
    p.mvout(out.data(), acc(0), side - 1, 64);
    p.machine.fence();
    ASSERT_EQ(p.fault(), "");
    for (int64_t r = 0; r < side - 1; ++r)
      for (int64_t c = 0; c < 64; ++c)
        ASSERT_EQ(out[r * 64 + c],
                  values[(c / side * side + r) * side + c % side]);

    // Bytes through the scratchpad are not scaled.
    std::vector<int8_t> back(side * 64);
    p.configLd(64, side);
    p.mvin(out.data(), sp(0), side - 1, 64);
    p.configSt(64, kHalf, Activation::Relu);
    p.mvout(back.data(), sp(0), side - 1, 64);
    ASSERT_EQ(p.fault(), "");
    EXPECT_EQ(back, out);
    EXPECT_EQ(p.machine.total().dramBytesWritten,
              4 * side * side + 2 * (side - 1) * 64);
  }
}

TEST(Mvout, KeepsTheScaleIfTheFieldIsAllOnes) {
  Program p;
  std::vector<int32_t> values(16, 8);
  std::vector<int8_t> out(16);
  p.configLd(64, 16);
  p.mvin(values.data(), acc(0), 1, 16);
  p.configSt(16, kHalf);
  isa::Command command = isa::encode(ConfigSt());
  isa::config_st::kScale.set(command, 0xFFFFFFFF);
  p.run(command);
  p.mvout(out.data(), acc(0), 1, 16);
  ASSERT_EQ(p.fault(), "");
  EXPECT_EQ(out[0], 4);
}

TEST(Mvout, MaxPooling) {
  std::mt19937 rng(5);
  for (bool fromAccumulator : {true, false}) {
    for (int size : {2, 3}) {
      for (int pad : {0, 1}) {
        const int rows = 7, cols = 6, channels = 11, step = 2;
        const int outRows = (rows + 2 * pad - size) / step + 1;
        const int outCols = (cols + 2 * pad - size) / step + 1;
        const int outDim = outCols + 2, stride = 13;
        Program p;
        std::vector<int8_t> pixels = randomBytes(rng, rows * cols * 16);
        // A window of negatives next to padding gives 0, not their maximum.
        for (int i = 0; i < 3 * 16; ++i)
          pixels[i] = -5;
        p.configLd(16, 16, 0, 1.0f, /*shrink=*/true);
        for (int row = 0; row < rows * cols; row += 14)
          p.mvin(pixels.data() + row * 16, fromAccumulator ? acc(row) : sp(row),
                 14, 16);
        ConfigSt config;
        config.stride = stride;
        config.scale = 0.75f;
        config.poolSize = size;
        config.poolStride = step;
        config.padTop = config.padLeft = pad;
        config.poolOutDim = outDim;
        config.poolRows = outRows;
        config.poolCols = outCols;
        config.rows = rows;
        config.cols = cols;
        p.config(config);
        std::vector<int8_t> out(outRows * outDim * stride, 99);
        std::vector<int8_t> expected = out;
        p.mvout(out.data(), fromAccumulator ? acc(0) : sp(0), 1, channels);
        ASSERT_EQ(p.fault(), "");
        int64_t reads = 0;
        for (int y = 0; y < outRows; ++y)
          for (int x = 0; x < outCols; ++x)
            for (int c = 0; c < channels; ++c) {
              int best = -128;
              for (int r = y * step - pad; r < y * step - pad + size; ++r)
                for (int s = x * step - pad; s < x * step - pad + size; ++s) {
                  bool inside = r >= 0 && r < rows && s >= 0 && s < cols;
                  int value = inside ? pixels[(r * cols + s) * 16 + c] : 0;
                  reads += inside;
                  if (inside && fromAccumulator)
                    value = requantReference(value, 0.75f);
                  best = std::max(best, value);
                }
              expected[(y * outDim + x) * stride + c] = best;
            }
        EXPECT_EQ(out, expected) << size << ' ' << pad;
        Counters total = p.machine.total();
        EXPECT_EQ(total.dramBytesWritten, outRows * outCols * channels);
        EXPECT_EQ(fromAccumulator ? total.accumulatorReads
                                  : total.scratchpadReads,
                  reads);
      }
    }
  }
}

// The same pixels as with mvout, in rows of the scratchpad.
TEST(MvoutSpad, PoolsAsMvoutDoes) {
  std::mt19937 rng(6);
  const int rows = 7, cols = 6, channels = 11, outRows = 3, outCols = 3;
  Program p(testAccelerator(16, HandOver::MvoutSpad));
  std::vector<int8_t> pixels = randomBytes(rng, rows * cols * 16);
  p.configLd(16, 16, 0, 1.0f, /*shrink=*/true);
  for (int row = 0; row < rows * cols; row += 14)
    p.mvin(pixels.data() + row * 16, acc(row), 14, 16);
  ConfigSt config;
  config.stride = 16;
  config.scale = 0.75f;
  config.poolSize = 3;
  config.poolStride = 2;
  config.padTop = 1;
  config.poolOutDim = 4;
  config.poolRows = outRows;
  config.poolCols = outCols;
  config.rows = rows;
  config.cols = cols;
  p.config(config);
  std::vector<int8_t> out(outRows * config.poolOutDim * 16);
  p.mvout(out.data(), acc(0), 1, channels);
  const Counters before = p.machine.total();
  p.mvoutSpad(sp(100), acc(0), 1, channels, /*stride=*/2);
  ASSERT_EQ(p.fault(), "");
  for (int y = 0; y < outRows; ++y)
    for (int x = 0; x < outCols; ++x) {
      const int pixel = y * config.poolOutDim + x;
      for (int c = 0; c < channels; ++c)
        EXPECT_EQ(p.machine.scratchpadRow(100 + 2 * pixel)[c],
                  out[pixel * 16 + c]);
    }
  const Counters after = p.machine.total();
  EXPECT_EQ(after.dramBytesWritten, before.dramBytesWritten);
  EXPECT_EQ(after.accumulatorReads, 2 * before.accumulatorReads);
  EXPECT_EQ(after.scratchpadWrites, outRows * outCols * channels);
  // Nothing was written between the rows or behind the columns.
  EXPECT_EQ(p.machine.scratchpadRow(101)[0], 0);
  EXPECT_EQ(p.machine.scratchpadRow(106)[0], 0);
}

TEST(MvoutSpad, CopiesScaledRows) {
  Program p(testAccelerator(16, HandOver::MvoutSpad));
  std::vector<int32_t> values(16 * 16);
  std::mt19937 rng(9);
  for (int32_t &value : values)
    value = int32_t(rng() % 1000) - 500;
  p.configLd(64, 16);
  p.mvin(values.data(), acc(0), 16, 16);
  p.configSt(16, 0.3f, Activation::Relu);
  p.mvoutSpad(sp(100), acc(2), 5, 7, /*stride=*/3);
  ASSERT_EQ(p.fault(), "");
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 7; ++c)
      EXPECT_EQ(p.machine.scratchpadRow(100 + 3 * r)[c],
                requantReference(values[(2 + r) * 16 + c], 0.3f, true));
  EXPECT_EQ(p.machine.scratchpadRow(101)[0], 0);
  EXPECT_EQ(p.machine.total().dramBytesWritten, 0);
  EXPECT_EQ(p.machine.total()[CommandKind::MvoutSpad], 1);
  EXPECT_EQ(p.machine.total().accumulatorReads, 5 * 7);
  EXPECT_EQ(p.machine.total().scratchpadWrites, 5 * 7);
  // What it wrote can be read.
  int8_t out[16];
  p.mvout(out, sp(112), 1, 7);
  ASSERT_EQ(p.fault(), "");
  EXPECT_EQ(out[6], requantReference(values[6 * 16 + 6], 0.3f, true));
}

} // namespace
