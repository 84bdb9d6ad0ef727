//===- BytesTest.cpp - What dequantising and quantising does to bytes -----===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The importer lets bytes through where they are dequantised and quantised
// again by one scale and zero point. That rests on f32's two roundings, of the
// product and of the quotient, never reaching the next integer.
//
//===----------------------------------------------------------------------===//

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>

namespace {

/// What ONNX's DequantizeLinear and QuantizeLinear say, in f32.
int throughFloat(int byte, int zero, float scale, int low, int high) {
  const float real = float(byte - zero) * scale;
  const float back = std::nearbyint(real / scale) + float(zero);
  return int(std::fmin(std::fmax(back, float(low)), float(high)));
}

TEST(OnnxBytes, ComeBackFromFloat) {
  std::mt19937 draw(1);
  // Scales of all magnitudes at which neither product nor scale is subnormal or
  // infinite.
  std::uniform_real_distribution<float> exponent(-117, 117), fraction(1, 2);
  for (int i = 0; i < 60; ++i) {
    const float scale = std::ldexp(fraction(draw), int(exponent(draw)));
    for (int zero = -128; zero < 256; ++zero) {
      const int low = zero < 0 ? -128 : 0, high = low + 255;
      for (int byte = low; byte <= high; ++byte)
        ASSERT_EQ(throughFloat(byte, zero, scale, low, high), byte)
            << "scale " << scale << ", zero point " << zero;
    }
  }
}

} // namespace
