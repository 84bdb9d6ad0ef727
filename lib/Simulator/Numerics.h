//===- Numerics.h - The arithmetic of the machine ---------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SIMULATOR_NUMERICS_H
#define FADIFF_LIB_SIMULATOR_NUMERICS_H

#include <cstdint>

namespace fadiff {
namespace sim {

/// out[i] = saturate to int8(round half to even(float(in[i]) * scale)), in IEEE
/// single precision: the int32 is rounded to float first (to nearest, ties to
/// even), the product is rounded once, then to an integer. With `relu`,
/// negative inputs give 0.
void requantise(const int32_t *in, int8_t *out, int64_t count, float scale,
                bool relu);
/// clamp(round half to even(float(in[i]) * scale) + zeroPoint, low, high), the
/// sum exact, for a read-out that can do more; element i with scales[i] if
/// `scales` is not null. With `relu`, negative inputs count as 0.
struct WideReadOut {
  const float *scales;
  float scale;
  bool relu;
  int8_t zeroPoint, low, high;
};
void requantiseWide(const int32_t *in, int8_t *out, int64_t count,
                    const WideReadOut &readOut);
/// The same for a scaled load of int8.
void rescale(const int8_t *in, int8_t *out, int64_t count, float scale);

/// sum[j] = sum[j] + sum over k of a[k] * b[k * bStride + j], j < cols, in
/// wrapping int32. `bStride` is at least cols.
void multiplyRow(const int8_t *a, int64_t depth, const int32_t *b,
                 int64_t bStride, int64_t cols, int32_t *sum);

/// to[j] = to[j] + from[j] in wrapping int32.
void addRow(const int32_t *from, int32_t *to, int64_t count);

//===----------------------------------------------------------------------===//
// The same for an array in f32: elements are four bytes in native order, sums
// and stationary operands the bits of an f32.
//===----------------------------------------------------------------------===//

/// out[i] = in[i] * scale, rounded once. With `relu`, negative inputs give 0.
void scaleReal(const int32_t *in, int8_t *out, int64_t count, float scale,
               bool relu);
void rescaleReal(const int8_t *in, int8_t *out, int64_t count, float scale);
/// sum[j] = fma(a[k], b[k * bStride + j], sum[j]) for k = 0, 1, .., depth - 1:
/// the order in which the array's rows hand the sum on.
void multiplyRealRow(const int8_t *a, int64_t depth, const int32_t *b,
                     int64_t bStride, int64_t cols, int32_t *sum);
void addRealRow(const int32_t *from, int32_t *to, int64_t count);

/// Smallest of `count` values, the largest one if count is 0.
uint16_t minOf(const uint16_t *values, int64_t count);

} // namespace sim
} // namespace fadiff

#endif // FADIFF_LIB_SIMULATOR_NUMERICS_H
