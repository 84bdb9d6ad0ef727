//===- Numerics.cpp - The arithmetic of the machine -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numerics.h"
#include "TargetClones.h"

#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cstring>
#include <limits>

using namespace fadiff;

// Saturating in float before the conversion keeps it defined, and is exact:
// both limits are representable and the value is already an integer.
#define FADIFF_ROUND(value)                                                    \
  int8_t(std::min(127.0f, std::max(-128.0f, __builtin_roundevenf(value))))

FADIFF_TARGET_CLONES
void sim::requantise(const int32_t *in, int8_t *out, int64_t count, float scale,
                     bool relu) {
  int32_t floor = relu ? 0 : std::numeric_limits<int32_t>::min();
  for (int64_t i = 0; i < count; ++i) {
    int32_t value = in[i] > floor ? in[i] : floor;
    out[i] = FADIFF_ROUND(float(value) * scale);
  }
}

FADIFF_TARGET_CLONES
void sim::requantiseWide(const int32_t *in, int8_t *out, int64_t count,
                         const WideReadOut &readOut) {
  const int32_t floor = readOut.relu ? 0 : std::numeric_limits<int32_t>::min();
  // Bounds without the zero point, which then is added to a small integer.
  const float low = float(readOut.low - readOut.zeroPoint),
              high = float(readOut.high - readOut.zeroPoint);
  for (int64_t i = 0; i < count; ++i) {
    const float scale = readOut.scales ? readOut.scales[i] : readOut.scale;
    const float value =
        __builtin_roundevenf(float(std::max(in[i], floor)) * scale);
    out[i] =
        int8_t(std::min(high, std::max(low, value)) + float(readOut.zeroPoint));
  }
}

FADIFF_TARGET_CLONES
void sim::rescale(const int8_t *in, int8_t *out, int64_t count, float scale) {
  for (int64_t i = 0; i < count; ++i)
    out[i] = FADIFF_ROUND(float(in[i]) * scale);
}

static float realAt(const int8_t *elements, int64_t index) {
  float value;
  std::memcpy(&value, elements + 4 * index, 4);
  return value;
}

namespace {
/// Bytes that are summed in 32 bits, in uint32_t because that wraps.
struct Wrapping {
  static uint32_t element(const int8_t *a, int64_t k) {
    return uint32_t(int32_t(a[k]));
  }
  static uint32_t add(uint32_t sum, uint32_t x, uint32_t y) {
    return sum + x * y;
  }
};
/// Floats; a product is not rounded before it is added.
struct Real {
  static float element(const int8_t *a, int64_t k) { return realAt(a, k); }
  static float add(float sum, float x, float y) {
    return __builtin_fmaf(x, y, sum);
  }
};
} // namespace

/// With `Cols` a constant the sums stay in vector registers.
template <typename Arithmetic, int64_t Cols>
static inline __attribute__((always_inline)) void
multiplyBlock(const int8_t *a, int64_t depth, const int32_t *b, int64_t bStride,
              int32_t *sum) {
  using Number = decltype(Arithmetic::element(a, 0));
  Number partial[Cols];
  for (int64_t j = 0; j < Cols; ++j)
    partial[j] = llvm::bit_cast<Number>(sum[j]);
  for (int64_t k = 0; k < depth; ++k, b += bStride) {
    const Number x = Arithmetic::element(a, k);
    for (int64_t j = 0; j < Cols; ++j)
      partial[j] = Arithmetic::add(partial[j], x, llvm::bit_cast<Number>(b[j]));
  }
  for (int64_t j = 0; j < Cols; ++j)
    sum[j] = llvm::bit_cast<int32_t>(partial[j]);
}

template <typename Arithmetic>
static inline __attribute__((always_inline)) void
multiplyBlocks(const int8_t *a, int64_t depth, const int32_t *b,
               int64_t bStride, int64_t cols, int32_t *sum) {
  int64_t j = 0;
  for (; j + 32 <= cols; j += 32)
    multiplyBlock<Arithmetic, 32>(a, depth, b + j, bStride, sum + j);
  for (; j + 16 <= cols; j += 16)
    multiplyBlock<Arithmetic, 16>(a, depth, b + j, bStride, sum + j);
  for (; j + 8 <= cols; j += 8)
    multiplyBlock<Arithmetic, 8>(a, depth, b + j, bStride, sum + j);
  for (; j + 4 <= cols; j += 4)
    multiplyBlock<Arithmetic, 4>(a, depth, b + j, bStride, sum + j);
  for (; j < cols; ++j)
    multiplyBlock<Arithmetic, 1>(a, depth, b + j, bStride, sum + j);
}

FADIFF_TARGET_CLONES
void sim::multiplyRow(const int8_t *a, int64_t depth, const int32_t *b,
                      int64_t bStride, int64_t cols, int32_t *sum) {
  multiplyBlocks<Wrapping>(a, depth, b, bStride, cols, sum);
}

FADIFF_TARGET_CLONES
void sim::multiplyRealRow(const int8_t *a, int64_t depth, const int32_t *b,
                          int64_t bStride, int64_t cols, int32_t *sum) {
  multiplyBlocks<Real>(a, depth, b, bStride, cols, sum);
}

FADIFF_TARGET_CLONES
void sim::addRow(const int32_t *from, int32_t *to, int64_t count) {
  for (int64_t j = 0; j < count; ++j)
    to[j] = int32_t(uint32_t(to[j]) + uint32_t(from[j]));
}

void sim::scaleReal(const int32_t *in, int8_t *out, int64_t count, float scale,
                    bool relu) {
  for (int64_t i = 0; i < count; ++i) {
    float value = llvm::bit_cast<float>(in[i]);
    value = (relu && value < 0 ? 0.0f : value) * scale;
    std::memcpy(out + 4 * i, &value, 4);
  }
}

void sim::rescaleReal(const int8_t *in, int8_t *out, int64_t count,
                      float scale) {
  for (int64_t i = 0; i < count; ++i) {
    float value = realAt(in, i) * scale;
    std::memcpy(out + 4 * i, &value, 4);
  }
}

FADIFF_TARGET_CLONES
void sim::addRealRow(const int32_t *from, int32_t *to, int64_t count) {
  for (int64_t j = 0; j < count; ++j)
    to[j] = llvm::bit_cast<int32_t>(llvm::bit_cast<float>(to[j]) +
                                    llvm::bit_cast<float>(from[j]));
}

FADIFF_TARGET_CLONES
uint16_t sim::minOf(const uint16_t *values, int64_t count) {
  uint16_t result = std::numeric_limits<uint16_t>::max();
  for (int64_t i = 0; i < count; ++i)
    result = values[i] < result ? values[i] : result;
  return result;
}
