//===- RangesTest.cpp - From observed numbers to a range ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Quantize/Ranges.h"

#include "gtest/gtest.h"

#include <numeric>
#include <random>

using namespace fadiff;

namespace {

std::vector<float> normal(size_t count, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> draw;
  std::vector<float> numbers(count);
  for (float &number : numbers)
    number = draw(generator);
  return numbers;
}

/// The mean squared error of `numbers` as int8 with `threshold`.
double errorOf(llvm::ArrayRef<float> numbers, double threshold) {
  const double scale = scaleOf(threshold);
  double error = 0;
  for (float number : numbers) {
    const double apart = number - scale * toByte(number, scale);
    error += apart * apart;
  }
  return error / double(numbers.size());
}

TEST(RangesTest, BytesAreRoundedHalfToEvenAndSaturate) {
  EXPECT_EQ(toByte(0.5, 1), 0);
  EXPECT_EQ(toByte(1.5, 1), 2);
  EXPECT_EQ(toByte(-2.5, 1), -2);
  EXPECT_EQ(toByte(1000, 1), 127);
  EXPECT_EQ(toByte(-1000, 1), -128);
  EXPECT_EQ(toByte(3, scaleOf(3)), 127);
  EXPECT_EQ(scaleOf(0), 1);
}

TEST(RangesTest, BinsDoubleAndKeepTheirCounts) {
  MagnitudeHistogram seen;
  seen.add({0.0f, 1.0f, -0.5f});
  const double width = seen.binWidth();
  seen.add({100.0f, 0.25f});
  EXPECT_EQ(seen.count(), 5u);
  EXPECT_EQ(seen.zeros(), 1u);
  EXPECT_EQ(seen.largest(), 100.0);
  EXPECT_EQ(seen.binWidth(), 128 * width);
  EXPECT_EQ(std::accumulate(seen.bins().begin(), seen.bins().end(), 0u), 4u);
  EXPECT_EQ(seen.bins()[size_t(100 / seen.binWidth())], 1u);
  // The largest number is in the last bin, not behind it.
  EXPECT_EQ(seen.bins()[MagnitudeHistogram::kBins / 128 - 1], 1u);
}

TEST(RangesTest, OnlyZerosHaveNoThreshold) {
  MagnitudeHistogram seen;
  seen.add({0.0f, 0.0f});
  for (RangeMethod method : {RangeMethod::MinMax, RangeMethod::Percentile,
                             RangeMethod::Kl, RangeMethod::Mse})
    EXPECT_EQ(seen.threshold(method, 99), 0);
}

TEST(RangesTest, PercentileLeavesTheRestToSaturation) {
  std::vector<float> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 1.0f);
  MagnitudeHistogram seen;
  seen.add(numbers);
  EXPECT_NEAR(seen.threshold(RangeMethod::Percentile, 90), 900, 1);
  EXPECT_NEAR(seen.threshold(RangeMethod::Percentile, 50), 500, 1);
  EXPECT_EQ(seen.threshold(RangeMethod::Percentile, 100), 1000);
  EXPECT_EQ(seen.threshold(RangeMethod::MinMax, 50), 1000);
}

TEST(RangesTest, AnOutlierIsCutByErrorAndByDivergence) {
  std::vector<float> numbers = normal(100000, 1);
  numbers.push_back(200);
  MagnitudeHistogram seen;
  seen.add(numbers);
  EXPECT_EQ(seen.threshold(RangeMethod::MinMax, 100), 200);
  const double byDivergence = seen.threshold(RangeMethod::Kl, 100);
  EXPECT_LT(byDivergence, 20);
  EXPECT_GT(byDivergence, 2);
  // One number of 200 in 100,001 costs more than the rounding of all others.
  const double byError = seen.threshold(RangeMethod::Mse, 100);
  EXPECT_LT(byError, 200);
  EXPECT_LE(errorOf(numbers, byError), errorOf(numbers, 200));
}

TEST(RangesTest, LeastErrorIsLeast) {
  const std::vector<float> numbers = normal(200000, 2);
  MagnitudeHistogram seen;
  seen.add(numbers);
  const double threshold = seen.threshold(RangeMethod::Mse, 100);
  // The optimum for a normal distribution and 8 bits is about 3.9 deviations.
  EXPECT_NEAR(threshold, 3.9, 0.3);
  for (double other : {2.0, 3.0, 5.0, seen.largest()})
    EXPECT_LE(errorOf(numbers, threshold), errorOf(numbers, other));
  EXPECT_NEAR(weightThreshold(numbers, RangeMethod::Mse), threshold, 0.3);
  EXPECT_EQ(weightThreshold(numbers, RangeMethod::MinMax), seen.largest());
}

TEST(RangesTest, SignalToNoiseIsInDecibels) {
  SignalToNoise ratio;
  ratio.add(10, 9);
  EXPECT_NEAR(ratio.decibel(), 20, 1e-12);
  EXPECT_TRUE(std::isinf(SignalToNoise().decibel()));
  SignalToNoise none;
  none.add(0, 1);
  EXPECT_LT(none.decibel(), -1e300);
}

} // namespace
