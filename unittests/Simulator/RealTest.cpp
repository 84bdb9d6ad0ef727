//===- RealTest.cpp - The machine in single precision ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace fadiff;
using namespace fadiff::sim;

namespace {

Accelerator realAccelerator(int64_t side = 4) {
  Accelerator a = testAccelerator(side, HandOver::MvoutSpad);
  a.arithmetic = Arithmetic::Float32;
  a.scratchpadBytes *= 4; // 1024 rows, as in int8
  return a;
}

std::vector<float> randomReals(std::mt19937 &rng, size_t count) {
  std::uniform_real_distribution<float> uniform(-2, 2);
  std::vector<float> values(count);
  for (float &value : values)
    value = uniform(rng);
  return values;
}

/// What the array makes of C = A * B + D: each sum passes the rows in order,
/// one fused multiply-add per row.
std::vector<float> arrayProduct(const std::vector<float> &a,
                                const std::vector<float> &b, int m, int k,
                                int n) {
  std::vector<float> c(m * n);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j)
      for (int x = 0; x < k; ++x)
        c[i * n + j] = std::fma(a[i * k + x], b[x * n + j], c[i * n + j]);
  return c;
}

/// Rows of every length that the simulator's vector code treats apart.
class RealSides : public testing::TestWithParam<int> {};

TEST_P(RealSides, PassesAddUpInTheAccumulator) {
  std::mt19937 rng(7);
  const int side = GetParam(), m = 3, k = side, n = side;
  std::vector<float> a0 = randomReals(rng, m * k), b0 = randomReals(rng, k * n),
                     a1 = randomReals(rng, m * k), b1 = randomReals(rng, k * n),
                     bias = randomReals(rng, n), c(m * n);
  Program p(realAccelerator(side));
  p.config(ConfigEx());
  p.configLd(4 * k, side);
  p.configLd(4 * n, side, 1);
  p.configLd(0, side, 2);
  p.configSt(4 * n);
  p.move(Funct::Mvin3, bias.data(), acc(0), m, n);
  p.mvin(a0.data(), sp(0), m, k);
  p.mvin(a1.data(), sp(64), m, k);
  p.move(Funct::Mvin2, b0.data(), sp(128), k, n);
  p.move(Funct::Mvin2, b1.data(), sp(192), k, n);
  p.matmul(sp(0), sp(128), accAdd(0), m, k, n);
  p.matmul(sp(64), sp(192), accAdd(0), m, k, n);
  p.mvout(c.data(), LocalAddress::fullWidth(0), m, n);
  ASSERT_EQ(p.fault(), "");
  std::vector<float> first = arrayProduct(a0, b0, m, k, n),
                     second = arrayProduct(a1, b1, m, k, n);
  for (int i = 0; i < m * n; ++i)
    EXPECT_EQ(c[i], bias[i % n] + first[i] + second[i]) << i;
  // Elements and sums are four bytes wide.
  Counters counters = p.machine.total();
  EXPECT_EQ(counters.dramBytesRead, 4 * (2 * m * k + 2 * k * n + n));
  EXPECT_EQ(counters.dramBytesWritten, 4 * m * n);
}

INSTANTIATE_TEST_SUITE_P(Sides, RealSides, testing::Values(4, 61));

TEST(Real, ReadOutScalesAndClampsWithoutRounding) {
  const std::vector<float> sums = {-3.25f, 0.0f, 1e-30f, 200.5f};
  std::vector<float> scaled(4), on(4);
  Program p(realAccelerator());
  p.configLd(16, 4);
  p.mvin(sums.data(), acc(0), 1, 4);
  p.configSt(16, 0.5f, Activation::Relu);
  p.mvout(scaled.data(), acc(0), 1, 4);
  // Handed over, a tile looks the same.
  p.mvoutSpad(sp(3), acc(0), 1, 4);
  p.configSt(16);
  p.mvout(on.data(), sp(3), 1, 4);
  ASSERT_EQ(p.fault(), "");
  EXPECT_EQ(scaled, (std::vector<float>{0, 0, 0.5e-30f, 100.25f}));
  EXPECT_EQ(on, scaled);
}

TEST(Real, MovesSpanBlocksOfARequest) {
  // 64 bytes are four blocks of four floats.
  std::mt19937 rng(8);
  std::vector<float> in = randomReals(rng, 2 * 16), out(in.size());
  Program p(realAccelerator());
  p.configLd(64, 4);
  p.configSt(64);
  p.mvin(in.data(), sp(0), 2, 16);
  p.mvout(out.data(), sp(0), 2, 16);
  ASSERT_EQ(p.fault(), "");
  EXPECT_EQ(in, out);
  float third = 0;
  std::memcpy(&third, p.machine.scratchpadRow(9).data() + 8, 4);
  EXPECT_EQ(third, in[16 + 2 * 4 + 2]); // second row, third block
  p.mvin(in.data(), sp(0), 1, 17);
  EXPECT_NE(p.fault().find("columns in 1..16"), std::string::npos) << p.fault();
}

TEST(Real, LoadsScaleElementsAndSums) {
  const std::vector<float> in = {1, -2, 3, -4};
  Program p(realAccelerator());
  p.configLd(16, 4, 0, 1.5f);
  p.mvin(in.data(), sp(0), 1, 4);
  p.mvin(in.data(), acc(0), 1, 4);
  p.mvin(in.data(), accAdd(0), 1, 4);
  ASSERT_EQ(p.fault(), "");
  float last = 0;
  std::memcpy(&last, p.machine.scratchpadRow(0).data() + 12, 4);
  EXPECT_EQ(last, -6);
  EXPECT_EQ(llvm::bit_cast<float>(p.machine.accumulatorRow(0)[3]), -12);
}

TEST(Real, TransposedOperandsAndResultsInTheScratchpad) {
  std::mt19937 rng(9);
  const int n = 4;
  std::vector<float> a = randomReals(rng, n * n), b = randomReals(rng, n * n),
                     transposed(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i)
    transposed[i % n * n + i / n] = a[i];
  Program p(realAccelerator());
  ConfigEx config;
  config.transposeA = true;
  p.config(config);
  p.configLd(4 * n, 4);
  p.configSt(4 * n);
  p.mvin(transposed.data(), sp(0), n, n);
  p.mvin(b.data(), sp(8), n, n);
  p.matmul(sp(0), sp(8), sp(16), n, n, n);
  p.mvout(c.data(), sp(16), n, n);
  ASSERT_EQ(p.fault(), "");
  EXPECT_EQ(c, arrayProduct(a, b, n, n, n));
}

TEST(Real, PoolingIsNotSimulated) {
  std::vector<float> zeros(64 * 4);
  Program p(realAccelerator());
  p.configLd(16, 64);
  p.config(pooling());
  p.mvout(zeros.data(), sp(0), 1, 4);
  EXPECT_EQ(p.fault(), "pooling in f32 is not simulated");
}

} // namespace
