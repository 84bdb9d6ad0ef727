//===- ExecuteTest.cpp - preload and compute ------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "gtest/gtest.h"

using namespace fadiff;
using namespace fadiff::sim;

namespace {

/// Row-major m x k times k x n in int32.
std::vector<int32_t> product(const std::vector<int8_t> &a,
                             const std::vector<int8_t> &b, int m, int k,
                             int n) {
  std::vector<int32_t> c(m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int x = 0; x < k; ++x)
        c[i * n + j] += int32_t(a[i * k + x]) * b[x * n + j];
  return c;
}

/// Loads a row-major matrix of at most side x side.
void load(Program &p, const std::vector<int8_t> &matrix, LocalAddress to,
          int rows, int cols) {
  p.configLd(cols, 64);
  p.mvin(matrix.data(), to, rows, cols);
}

/// A whole matrix product in blocks, with ragged edges, bias and partial sums.
TEST(Compute, TiledMatmulWithEdges) {
  for (int side : {16, 32}) {
    std::mt19937 rng(side);
    for (int trial = 0; trial < 8; ++trial) {
      const int m = 1 + rng() % 70, k = 1 + rng() % 70, n = 1 + rng() % 70;
      std::vector<int8_t> a = randomBytes(rng, m * k);
      std::vector<int8_t> b = randomBytes(rng, k * n);
      std::vector<int32_t> bias(n), c(m * n);
      for (int32_t &value : bias)
        value = int32_t(rng() % 20000) - 10000;
      Program p(testAccelerator(side));
      p.config(ConfigEx());
      p.configLd(k, side, 0);
      p.configLd(n, side, 1);
      p.configLd(0, side, 2);
      p.configSt(4 * n);
      for (int j = 0; j < n; j += side)
        for (int i = 0; i < m; i += side) {
          int rows = std::min(side, m - i), cols = std::min(side, n - j);
          p.move(Funct::Mvin3, bias.data() + j, acc(0), rows, cols);
          for (int x = 0; x < k; x += side) {
            int depth = std::min(side, k - x);
            p.move(Funct::Mvin, a.data() + i * k + x, sp(0), rows, depth);
            p.move(Funct::Mvin2, b.data() + x * n + j, sp(64), depth, cols);
            p.matmul(sp(0), sp(64), accAdd(0), rows, depth, cols);
          }
          p.mvout(c.data() + i * n + j, LocalAddress::fullWidth(0), rows, cols);
        }
      p.machine.fence();
      ASSERT_EQ(p.fault(), "") << p.machine.fault()->str();
      std::vector<int32_t> expected = product(a, b, m, k, n);
      for (int i = 0; i < m * n; ++i)
        ASSERT_EQ(c[i], expected[i] + bias[i % n]) << m << k << n;
      EXPECT_EQ(p.machine.total().macs, int64_t(m) * k * n);
    }
  }
}

TEST(Compute, OverwritesOrAccumulates) {
  Program p;
  p.config(ConfigEx());
  load(p, {2, 3}, sp(0), 1, 2);
  load(p, {5, 7}, sp(16), 2, 1);
  p.matmul(sp(0), sp(16), acc(0), 1, 2, 1);
  EXPECT_EQ(p.machine.accumulatorRow(0)[0], 31);
  p.matmul(sp(0), sp(16), accAdd(0), 1, 2, 1);
  EXPECT_EQ(p.machine.accumulatorRow(0)[0], 62);
  p.matmul(sp(0), sp(16), acc(0), 1, 2, 1);
  EXPECT_EQ(p.machine.accumulatorRow(0)[0], 31);
  ASSERT_EQ(p.fault(), "");
  Counters total = p.machine.total();
  EXPECT_EQ(total.accumulatorWrites, 3);
  EXPECT_EQ(total.accumulatorReads, 1);
  EXPECT_EQ(total.scratchpadReads, 3 * (2 + 2));
  EXPECT_EQ(total.macs, 6);
}

TEST(Compute, KeepsTheStationaryOperand) {
  std::mt19937 rng(1);
  std::vector<int8_t> a1 = randomBytes(rng, 6 * 9);
  std::vector<int8_t> a2 = randomBytes(rng, 16 * 9);
  std::vector<int8_t> b = randomBytes(rng, 9 * 4);
  Program p;
  p.config(ConfigEx());
  load(p, a1, sp(0), 6, 9);
  load(p, a2, sp(16), 16, 9);
  load(p, b, sp(32), 9, 4);
  p.matmul(sp(0), sp(32), acc(0), 6, 9, 4);
  // What the scratchpad holds by then no longer matters.
  load(p, randomBytes(rng, 9 * 4), sp(32), 9, 4);
  p.preload(none(), 0, 0, acc(16), 16, 4);
  p.compute(sp(16), 16, 9, /*accumulated=*/true);
  ASSERT_EQ(p.fault(), "");
  std::vector<int32_t> c1 = product(a1, b, 6, 9, 4);
  std::vector<int32_t> c2 = product(a2, b, 16, 9, 4);
  for (int i = 0; i < 6 * 4; ++i)
    EXPECT_EQ(p.machine.accumulatorRow(i / 4)[i % 4], c1[i]);
  for (int i = 0; i < 16 * 4; ++i)
    EXPECT_EQ(p.machine.accumulatorRow(16 + i / 4)[i % 4], c2[i]);
}

TEST(Compute, AddsD) {
  std::mt19937 rng(2);
  std::vector<int8_t> a = randomBytes(rng, 5 * 16);
  std::vector<int8_t> b = randomBytes(rng, 16 * 16);
  std::vector<int8_t> d = randomBytes(rng, 5 * 16);
  Program p;
  p.config(ConfigEx());
  load(p, a, sp(0), 5, 16);
  load(p, b, sp(16), 16, 16);
  load(p, d, sp(32), 5, 16);
  p.preload(sp(16), 16, 16, acc(0), 5, 16);
  p.compute(sp(0), 5, 16, false, sp(32), 5, 16);
  p.preload(none(), 0, 0, accAdd(0), 5, 16);
  p.compute(sp(0), 5, 16, true, sp(32), 5, 16);
  // Garbage B with compute_preloaded is a B of zeros.
  p.preload(none(), 0, 0, acc(16), 5, 16);
  p.compute(sp(0), 5, 16, false, sp(32), 5, 16);
  ASSERT_EQ(p.fault(), "");
  // B once, A and D three times.
  EXPECT_EQ(p.machine.total().scratchpadReads, 16 * 16 + 6 * 5 * 16);
  std::vector<int32_t> ab = product(a, b, 5, 16, 16);
  for (int i = 0; i < 5 * 16; ++i) {
    EXPECT_EQ(p.machine.accumulatorRow(i / 16)[i % 16], 2 * (ab[i] + d[i]));
    EXPECT_EQ(p.machine.accumulatorRow(16 + i / 16)[i % 16], d[i]);
  }
}

TEST(Compute, Transposes) {
  std::mt19937 rng(3);
  const int m = 5, k = 11, n = 7;
  std::vector<int8_t> a = randomBytes(rng, m * k);
  std::vector<int8_t> b = randomBytes(rng, k * n);
  std::vector<int8_t> at(k * m), bt(n * k);
  for (int i = 0; i < m; ++i)
    for (int x = 0; x < k; ++x)
      at[x * m + i] = a[i * k + x];
  for (int x = 0; x < k; ++x)
    for (int j = 0; j < n; ++j)
      bt[j * k + x] = b[x * n + j];
  std::vector<int32_t> expected = product(a, b, m, k, n);
  for (bool transposeA : {false, true}) {
    Program p;
    ConfigEx config;
    config.transposeA = transposeA;
    config.transposeB = !transposeA;
    p.config(config);
    if (transposeA) {
      load(p, at, sp(0), k, m);
      load(p, b, sp(32), k, n);
    } else {
      load(p, a, sp(0), m, k);
      load(p, bt, sp(32), n, k);
    }
    p.matmul(sp(0), sp(32), acc(0), m, k, n);
    ASSERT_EQ(p.fault(), "");
    for (int i = 0; i < m * n; ++i)
      EXPECT_EQ(p.machine.accumulatorRow(i / n)[i % n], expected[i]);
  }
}

TEST(Compute, Strides) {
  std::mt19937 rng(4);
  std::vector<int8_t> a = randomBytes(rng, 12 * 8);
  std::vector<int8_t> b = randomBytes(rng, 8 * 8);
  Program p;
  ConfigEx config;
  p.config(config);
  config.setOnlyStrides = true;
  config.aStride = 3;
  config.cStride = 2;
  config.scale = 0; // not looked at
  p.config(config);
  load(p, a, sp(0), 12, 8);
  load(p, b, sp(16), 8, 8);
  p.matmul(sp(0), sp(16), acc(10), 4, 8, 8);
  ASSERT_EQ(p.fault(), "");
  std::vector<int32_t> all = product(a, b, 12, 8, 8);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 8; ++j)
      EXPECT_EQ(p.machine.accumulatorRow(10 + 2 * i)[j], all[3 * i * 8 + j]);
}

TEST(Compute, ResultInTheScratchpadSaturates) {
  std::mt19937 rng(5);
  std::vector<int8_t> a = randomBytes(rng, 8 * 16);
  std::vector<int8_t> b(16 * 16);
  for (int8_t &value : b)
    value = int8_t(rng() % 3) - 1;
  std::vector<int32_t> ab = product(a, b, 8, 16, 16);
  for (bool relu : {false, true}) {
    Program p;
    ConfigEx config;
    config.activation = relu ? Activation::Relu : Activation::None;
    config.scale = 0.5f; // only for operands out of the accumulator
    p.config(config);
    load(p, a, sp(0), 8, 16);
    load(p, b, sp(16), 16, 16);
    // Onto rows of A: all of A is read before C is written.
    p.matmul(sp(0), sp(16), sp(1), 8, 16, 16);
    ASSERT_EQ(p.fault(), "");
    for (int i = 0; i < 8 * 16; ++i)
      EXPECT_EQ(p.machine.scratchpadRow(1 + i / 16)[i % 16],
                requantReference(ab[i], 1.0f, relu));
  }
}

TEST(Compute, OperandsOutOfTheAccumulator) {
  std::mt19937 rng(6);
  const int m = 9, k = 16, n = 12;
  std::vector<int32_t> wide(m * k);
  for (int32_t &value : wide)
    value = int32_t(rng() % 8000) - 4000;
  std::vector<int8_t> b = randomBytes(rng, k * n);
  for (bool relu : {false, true}) {
    Program p(testAccelerator(16, HandOver::AccumulatorOperand));
    ConfigEx config;
    config.scale = 0.03125f;
    config.activation = relu ? Activation::Relu : Activation::None;
    p.config(config);
    p.configLd(4 * k, 16);
    p.mvin(wide.data(), acc(0), m, k);
    load(p, b, sp(0), k, n);
    p.matmul(acc(0), sp(0), acc(32), m, k, n);
    // The same rows as stationary operand, and as D.
    load(p, {1, 2, 3, 4, 5, 6, 7, 8, 9}, sp(64), 1, m);
    p.preload(acc(0), m, k, acc(64), 1, k);
    p.compute(sp(64), 1, m, false, acc(3), 1, k);
    ASSERT_EQ(p.fault(), "");
    std::vector<int8_t> a(m * k);
    for (int i = 0; i < m * k; ++i)
      a[i] = requantReference(wide[i], config.scale, relu);
    std::vector<int32_t> expected = product(a, b, m, k, n);
    for (int i = 0; i < m * n; ++i)
      EXPECT_EQ(p.machine.accumulatorRow(32 + i / n)[i % n], expected[i]);
    expected = product({1, 2, 3, 4, 5, 6, 7, 8, 9}, a, 1, m, k);
    for (int j = 0; j < k; ++j)
      EXPECT_EQ(p.machine.accumulatorRow(64)[j], expected[j] + a[3 * k + j]);
  }
}

TEST(Compute, StridedOperandOutOfTheAccumulator) {
  Program p(testAccelerator(16, HandOver::AccumulatorOperand));
  ConfigEx config;
  config.aStride = 2;
  p.config(config);
  std::vector<int32_t> column = {1, 2, 3, 4, 5};
  p.configLd(4, 16);
  p.mvin(column.data(), acc(0), 5, 1);
  load(p, {10}, sp(0), 1, 1);
  p.matmul(acc(0), sp(0), acc(16), 3, 1, 1);
  ASSERT_EQ(p.fault(), "");
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(p.machine.accumulatorRow(16 + i)[0], 10 * (1 + 2 * i));
}

/// 32 products of (-128)^2 fit, as in the ISA simulator.
TEST(Compute, ExtremeValues) {
  Program p(testAccelerator(32));
  p.config(ConfigEx());
  load(p, std::vector<int8_t>(32, -128), sp(0), 1, 32);
  load(p, std::vector<int8_t>(32, -128), sp(32), 32, 1);
  p.matmul(sp(0), sp(32), acc(0), 1, 32, 1);
  ASSERT_EQ(p.fault(), "");
  EXPECT_EQ(p.machine.accumulatorRow(0)[0], 32 * 128 * 128);
}

TEST(Compute, TimingOnlyCountsTheSame) {
  Counters totals[2];
  for (bool functional : {true, false}) {
    MachineOptions options;
    options.functional = functional;
    Program p(testAccelerator(), options);
    std::vector<int8_t> a(16 * 16, 1), b(16 * 16, 1), c(16 * 16);
    // Without data, addresses need not be ones.
    auto at = [&](std::vector<int8_t> &v, uintptr_t fake) -> int8_t * {
      return functional ? v.data() : reinterpret_cast<int8_t *>(fake);
    };
    p.config(ConfigEx());
    p.configLd(16, 16);
    p.configSt(16);
    p.mvin(at(a, 0x1000), sp(0), 16, 16);
    p.mvin(at(b, 0x2000), sp(16), 16, 16);
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
    p.mvout(at(c, 0x3000), acc(0), 16, 16);
    p.machine.fence();
    ASSERT_EQ(p.fault(), "");
    totals[functional] = p.machine.total();
    EXPECT_EQ(c[0], functional ? 16 : 0);
  }
  EXPECT_EQ(totals[0], totals[1]);
  EXPECT_EQ(totals[0].dramBytesRead, 512);
  EXPECT_EQ(totals[0].dramBytesWritten, 256);
}

} // namespace
