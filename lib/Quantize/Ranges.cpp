//===- Ranges.cpp - From observed numbers to a range of int8 --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Quantize/Ranges.h"

#include <algorithm>
#include <limits>

using namespace fadiff;

double SignalToNoise::decibel() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (noise == 0)
    return kInfinity;
  return signal == 0 ? -kInfinity : 10 * std::log10(signal / noise);
}

void MagnitudeHistogram::add(llvm::ArrayRef<float> numbers) {
  if (counts.empty())
    counts.assign(kBins, 0);
  double top = 0;
  for (float number : numbers)
    top = std::max(top, std::abs(static_cast<double>(number)));
  most = std::max(most, top);
  if (most > 0 && width == 0)
    width = most / kBins;
  // Two neighbours become one.
  while (most > width * kBins) {
    for (unsigned i = 0; i < kBins / 2; ++i)
      counts[i] = counts[2 * i] + counts[2 * i + 1];
    std::fill(counts.begin() + kBins / 2, counts.end(), 0);
    width *= 2;
  }
  total += numbers.size();
  for (float number : numbers) {
    if (number == 0) {
      ++zeroCount;
      continue;
    }
    const auto bin =
        static_cast<uint64_t>(std::abs(static_cast<double>(number)) / width);
    ++counts[std::min<uint64_t>(bin, kBins - 1)];
  }
}

double MagnitudeHistogram::threshold(RangeMethod method,
                                     double percentile) const {
  if (most == 0)
    return 0;
  switch (method) {
  case RangeMethod::MinMax:
    return most;
  case RangeMethod::Percentile:
    return thresholdByPercentile(percentile);
  case RangeMethod::Kl:
    return thresholdByDivergence();
  case RangeMethod::Mse:
    return thresholdByError();
  }
  return most;
}

double MagnitudeHistogram::thresholdByPercentile(double percentile) const {
  const double wanted = percentile / 100 * static_cast<double>(total);
  double within = static_cast<double>(zeroCount);
  for (unsigned i = 0; i < kBins; ++i) {
    within += static_cast<double>(counts[i]);
    if (counts[i] && within >= wanted)
      return std::min(most, (i + 1) * width);
  }
  return most;
}

/// Of T = n bins: the distribution with everything beyond in its last bin,
/// against the same one when only 128 levels are told apart (Migacz, 8-bit
/// Inference with TensorRT, GTC 2017). Zeros are held exactly at any scale.
double MagnitudeHistogram::thresholdByDivergence() const {
  constexpr unsigned kLevels = 128;
  // As fine as the paper's 2048 bins.
  constexpr unsigned kJoined = 2, kUsed = kBins / kJoined;
  std::vector<double> fine(kUsed);
  for (unsigned i = 0; i < kBins; ++i)
    fine[i / kJoined] += static_cast<double>(counts[i]);
  const unsigned end = std::min<unsigned>(
      kUsed, static_cast<unsigned>(std::ceil(most / (width * kJoined))));
  if (end <= kLevels)
    return most;
  double inside = 0, all = 0;
  for (double count : fine)
    all += count;
  for (unsigned i = 0; i < kLevels; ++i)
    inside += fine[i];
  double best = std::numeric_limits<double>::infinity();
  unsigned bestEnd = end;
  for (unsigned n = kLevels; n <= end; ++n) {
    if (n > kLevels)
      inside += fine[n - 1];
    const double beyond = all - inside;
    double divergence = 0;
    for (unsigned level = 0; level < kLevels; ++level) {
      const unsigned from = level * n / kLevels, to = (level + 1) * n / kLevels;
      double mass = 0;
      unsigned filled = 0;
      for (unsigned i = from; i < to; ++i) {
        mass += fine[i];
        filled += fine[i] > 0 || (i + 1 == n && beyond > 0);
      }
      for (unsigned i = from; i < to; ++i) {
        const double p = fine[i] + (i + 1 == n ? beyond : 0);
        if (p == 0)
          continue;
        const double q = mass > 0 ? mass / filled : 1e-3;
        divergence += p / all * std::log((p / all) / (q / inside));
      }
    }
    if (divergence < best) {
      best = divergence;
      bestEnd = n;
    }
  }
  return std::min(most, bestEnd * width * kJoined);
}

/// Rounding errors of what is within are taken as uniformly distributed, above
/// half a step; below it numbers become zero.
double MagnitudeHistogram::thresholdByError() const {
  double best = std::numeric_limits<double>::infinity(), bestAt = most;
  for (int percent = 100; percent >= 2; --percent) {
    const double threshold = most * percent / 100;
    const double step = scaleOf(threshold);
    double error = 0;
    for (unsigned i = 0; i < kBins; ++i) {
      if (!counts[i])
        continue;
      const double magnitude = (i + 0.5) * width;
      double squared = step * step / 12;
      if (magnitude < step / 2)
        squared = magnitude * magnitude;
      else if (magnitude > threshold)
        squared = std::max(squared,
                           (magnitude - threshold) * (magnitude - threshold));
      error += static_cast<double>(counts[i]) * squared;
    }
    if (error < best) {
      best = error;
      bestAt = threshold;
    }
  }
  return bestAt;
}

double fadiff::weightThreshold(llvm::ArrayRef<float> weights,
                               RangeMethod method) {
  double most = 0;
  for (float weight : weights)
    most = std::max(most, std::abs(static_cast<double>(weight)));
  if (method != RangeMethod::Mse || most == 0)
    return most;
  // Of large tensors every so manieth number tells as much.
  constexpr size_t kEnough = size_t(1) << 18;
  const size_t stride = std::max<size_t>(1, weights.size() / kEnough);
  double best = std::numeric_limits<double>::infinity(), bestAt = most;
  for (int percent = 100; percent >= 20; --percent) {
    const double threshold = most * percent / 100;
    const double scale = scaleOf(threshold);
    double error = 0;
    for (size_t i = 0; i < weights.size(); i += stride) {
      const double apart = weights[i] - scale * toByte(weights[i], scale);
      error += apart * apart;
    }
    if (error < best) {
      best = error;
      bestAt = threshold;
    }
  }
  return bestAt;
}
