//===- ReadOut.cpp - Fitting the accelerator's read-out -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/ReadOut.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace fadiff;

int64_t ReadOut::operator()(int64_t sum) const {
  int64_t value = sum + offset;
  if (relu)
    value = std::max<int64_t>(value, 0);
  float scaled = __builtin_roundevenf(static_cast<float>(value) * scale);
  return static_cast<int64_t>(std::clamp(scaled, -128.0f, 127.0f));
}

namespace {
/// Positive finite floats are ordered as their bits are.
constexpr uint32_t kSmallest = 1, kLargest = 0x7f7fffff;

struct ScaleRange {
  uint32_t low = kSmallest, high = kLargest;
  bool empty() const { return low > high; }
};

/// A sum and what becomes of it.
struct Sample {
  int64_t sum, value;
};
} // namespace

/// The least x in (low, high] with `holds(x)`, which must be false at `low`,
/// true at `high` and change once.
template <typename Int, typename Fn>
static Int firstWhere(Int low, Int high, Fn holds) {
  while (low + 1 < high) {
    Int middle = low + (high - low) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

/// Both sides of every step of `function`, and the ends of its range. A
/// function that never decreases and agrees with another such at these sums
/// agrees everywhere.
template <typename Fn>
static llvm::SmallVector<Sample> steps(Fn function, int64_t low, int64_t high) {
  llvm::SmallVector<Sample> samples{{low, function(low)}};
  int64_t last = function(high);
  // Steps are nearly even: look for the next one as far away as the last was.
  int64_t gap = 1;
  while (samples.back().value < last) {
    Sample from = samples.back();
    auto above = [&](int64_t sum) { return function(sum) > from.value; };
    int64_t below = from.sum, next = std::min(below + gap, high);
    for (int64_t reach = 1; !above(next); reach *= 2) {
      below = next;
      next = std::min(next + reach, high);
    }
    for (int64_t reach = 1; next - below > 2 * reach; reach *= 2) {
      if (!above(next - reach)) {
        below = next - reach;
        break;
      }
      next -= reach;
    }
    next = firstWhere(below, next, above);
    gap = next - from.sum;
    if (next - 1 > from.sum)
      samples.push_back({next - 1, from.value});
    samples.push_back({next, function(next)});
  }
  if (samples.back().sum != high)
    samples.push_back({high, last});
  return samples;
}

/// Leaves in `range` the scales for which a read-out takes `sample.sum` to
/// `sample.value`.
static void restrict(ScaleRange &range, const Sample &sample, bool relu,
                     int64_t offset) {
  if (range.empty())
    return;
  auto at = [&](uint32_t bits) {
    return ReadOut{llvm::bit_cast<float>(bits), relu, offset}(sample.sum);
  };
  // Larger scales lead away from zero.
  bool rises = sample.sum + offset > 0;
  auto reached = [&](uint32_t bits) {
    return rises ? at(bits) >= sample.value : at(bits) <= sample.value;
  };
  auto passed = [&](uint32_t bits) {
    return rises ? at(bits) > sample.value : at(bits) < sample.value;
  };
  if (!reached(range.high) || passed(range.low)) {
    range.low = kLargest, range.high = kSmallest;
    return;
  }
  if (passed(range.high))
    range.high = firstWhere(range.low, range.high, passed) - 1;
  if (!reached(range.high))
    range.low = kLargest, range.high = kSmallest; // no scale hits the value
  else if (!reached(range.low))
    range.low = firstWhere(range.low, range.high, reached);
}

/// The float of the range with the most trailing zero bits.
static float simplest(const ScaleRange &range) {
  uint32_t bits = range.high;
  for (int cut = 31; cut >= 0; --cut) {
    uint32_t candidate = (range.high >> cut) << cut;
    if (candidate >= range.low) {
      bits = candidate;
      break;
    }
  }
  return llvm::bit_cast<float>(bits);
}

/// Values per sum between the first step and the last; 0 if there are not two.
static double slope(llvm::ArrayRef<Sample> samples) {
  const Sample *first = nullptr, *last = nullptr;
  for (size_t i = 1; i < samples.size(); ++i)
    if (samples[i].value > samples[i - 1].value) {
      if (!first)
        first = &samples[i];
      last = &samples[i];
    }
  if (!first || first == last)
    return 0;
  return static_cast<double>(last->value - first->value) /
         static_cast<double>(last->sum - first->sum);
}

/// Records in `fit` where `readOut` is farthest from a channel.
static void measure(ReadOutFit &fit,
                    llvm::ArrayRef<RequantisedChannel> channels,
                    llvm::ArrayRef<llvm::SmallVector<Sample>> samples) {
  fit.deviation = 0;
  fit.worstSum = channels.front().low;
  auto look = [&](int64_t sum, int64_t wanted) {
    int64_t distance = std::abs(fit.readOut(sum) - wanted);
    if (distance > fit.deviation) {
      fit.deviation = distance;
      fit.worstSum = sum;
    }
  };
  // Both only ever step upwards, so they are farthest apart beside a step.
  for (auto [channel, own] : llvm::zip(channels, samples)) {
    for (const Sample &sample : own)
      look(sample.sum, sample.value);
    for (const Sample &sample : steps(fit.readOut, channel.low, channel.high))
      look(sample.sum, channel.function(sample.sum));
  }
}

ReadOutFit fadiff::fitReadOut(llvm::ArrayRef<RequantisedChannel> channels) {
  llvm::SmallVector<llvm::SmallVector<Sample>> samples;
  for (const RequantisedChannel &channel : channels)
    samples.push_back(steps(channel.function, channel.low, channel.high));

  llvm::SmallVector<int64_t, 4> offsets{0};
  double scale = 0;
  for (llvm::ArrayRef<Sample> own : samples)
    scale = std::max(scale, slope(own));
  if (channels.size() == 1 && scale > 0) {
    // The first step up, to value v, lies where the scaled sum passes v - 1/2.
    auto first = llvm::find_if(samples[0], [&](const Sample &sample) {
      return sample.value > samples[0].front().value;
    });
    int64_t near = std::llround((first->value - 0.5) / scale) - first->sum;
    for (int64_t offset : {near, near - 1, near + 1, near - 2, near + 2})
      // The sum with its offset must not wrap either.
      if (offset != 0 &&
          channels[0].low + offset >= std::numeric_limits<int32_t>::min() &&
          channels[0].high + offset <= std::numeric_limits<int32_t>::max())
        offsets.push_back(offset);
  }
  bool neverNegative = llvm::all_of(
      samples, [](const auto &own) { return own.front().value >= 0; });
  for (int64_t offset : offsets)
    for (bool relu : {false, true}) {
      if (relu && !neverNegative)
        continue;
      ScaleRange range;
      for (llvm::ArrayRef<Sample> own : samples)
        for (const Sample &sample : own)
          restrict(range, sample, relu, offset);
      if (!range.empty())
        return {{simplest(range), relu, offset}, 0, channels.front().low};
    }

  std::optional<ReadOutFit> best;
  for (int64_t offset : offsets) {
    ReadOutFit fit;
    fit.readOut = {scale > 0 ? static_cast<float>(scale) : 1.0f, neverNegative,
                   offset};
    measure(fit, channels, samples);
    if (!best || fit.deviation < best->deviation)
      best = fit;
  }
  return *best;
}
