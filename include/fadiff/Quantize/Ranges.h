//===- Ranges.h - From observed numbers to a range of int8 ------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Symmetric int8: a number x is held as q = roundeven(x / s), cut to [-128,
// 127], with s = T / 127. T, the threshold, is the magnitude up to which
// numbers are held; what is beyond saturates. A larger T cuts less and rounds
// more. docs/Quantization.md has the formulas.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_QUANTIZE_RANGES_H
#define FADIFF_QUANTIZE_RANGES_H

#include "fadiff/Support/NamedOption.h"
#include "llvm/ADT/ArrayRef.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace fadiff {

/// How the threshold of a tensor is chosen from what was observed of it.
enum class RangeMethod : uint8_t {
  MinMax,     ///< nothing that was observed saturates
  Percentile, ///< a given share of the numbers is within
  Kl,         ///< least Kullback-Leibler divergence of the distributions
  Mse,        ///< least mean squared error
};
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(RangeMethod) {
  static constexpr llvm::StringLiteral names[] = {"minmax", "percentile", "kl",
                                                  "mse"};
  return names;
}

/// The largest int8 of a symmetric range.
inline constexpr int kLargestByte = 127;

/// The scale that makes `threshold` the byte 127; 1 of a threshold of 0, of
/// which there is nothing but zeros.
inline double scaleOf(double threshold) {
  return threshold > 0 ? threshold / kLargestByte : 1.0;
}

/// `number` / `scale` as int8: rounded half to even, saturated.
inline int8_t toByte(double number, double scale) {
  const double rounded = __builtin_roundeven(number / scale);
  return static_cast<int8_t>(rounded < -128 ? -128
                                            : (rounded > 127 ? 127 : rounded));
}

/// The magnitudes of the numbers that were seen, in bins of equal width. The
/// width doubles when a number lies beyond, so one look at the data is enough.
class MagnitudeHistogram {
public:
  static constexpr unsigned kBins = 4096;

  /// All must be finite.
  void add(llvm::ArrayRef<float> numbers);

  /// Numbers seen, those that are zero among them.
  uint64_t count() const { return total; }
  uint64_t zeros() const { return zeroCount; }
  double largest() const { return most; }
  double binWidth() const { return width; }
  /// How many numbers other than zero are in [i, i + 1) * binWidth().
  llvm::ArrayRef<uint64_t> bins() const { return counts; }

  /// The threshold by `method`; `percentile` in percent. Never above the
  /// largest magnitude that was seen.
  double threshold(RangeMethod method, double percentile) const;

private:
  double thresholdByPercentile(double percentile) const;
  double thresholdByDivergence() const;
  double thresholdByError() const;

  uint64_t total = 0, zeroCount = 0;
  double most = 0, width = 0;
  std::vector<uint64_t> counts;
};

/// The threshold of weights, which are all known: the largest magnitude, or
/// with `Mse` that among a hundred fractions of it for which the sum of squared
/// errors is least. (`Percentile` and `Kl` are for activations.)
double weightThreshold(llvm::ArrayRef<float> weights, RangeMethod method);

/// What is left of a signal: sums over numbers and their errors.
struct SignalToNoise {
  double signal = 0, noise = 0;

  void add(double wanted, double found) {
    signal += wanted * wanted;
    noise += (wanted - found) * (wanted - found);
  }
  void add(const SignalToNoise &other) {
    signal += other.signal;
    noise += other.noise;
  }
  /// 10 log10(signal / noise); infinite without noise, and -infinite of noise
  /// without a signal.
  double decibel() const;
};

} // namespace fadiff

FADIFF_NAMED_OPTION(fadiff::RangeMethod)

#endif // FADIFF_QUANTIZE_RANGES_H
