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
#include <optional>

using namespace fadiff;

int64_t ReadOut::operator()(int64_t sum) const {
  int64_t value = sum + offset;
  if (relu)
    value = std::max<int64_t>(value, 0);
  float scaled = __builtin_roundevenf(static_cast<float>(value) * scale);
  return static_cast<int64_t>(
             std::clamp(scaled, static_cast<float>(low - zeroPoint),
                        static_cast<float>(high - zeroPoint))) +
         zeroPoint;
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

/// Leaves in `range` the scales for which a read-out like `shape` takes
/// `sample.sum` to `sample.value`.
static void restrict(ScaleRange &range, const Sample &sample, ReadOut shape) {
  if (range.empty())
    return;
  auto at = [&](uint32_t bits) {
    shape.scale = llvm::bit_cast<float>(bits);
    return shape(sample.sum);
  };
  // Larger scales lead away from zero.
  bool rises = sample.sum + shape.offset > 0;
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

using Samples = llvm::SmallVector<Sample>;

/// The scales for which a read-out like `shape` is right at all samples.
static ScaleRange scalesFor(llvm::ArrayRef<Samples> channels,
                            const ReadOut &shape) {
  ScaleRange range;
  for (const Samples &own : channels)
    for (const Sample &sample : own)
      restrict(range, sample, shape);
  return range;
}

/// Records in `fit` where its read-out is farthest from a channel. Stops where
/// it is `enough`.
static void measure(ReadOutFit &fit,
                    llvm::ArrayRef<RequantisedChannel> channels,
                    llvm::ArrayRef<Samples> samples, int64_t enough) {
  fit.deviation = 0;
  fit.worstSum = channels.front().low;
  // Both only ever step upwards, so they are farthest apart beside a step.
  for (size_t i = 0; i < channels.size() && fit.deviation < enough; ++i) {
    ReadOut readOut = fit.readOut;
    if (!fit.scales.empty())
      readOut.scale = fit.scales[i];
    auto look = [&](int64_t sum, int64_t wanted) {
      int64_t distance = std::abs(readOut(sum) - wanted);
      if (distance > fit.deviation) {
        fit.deviation = distance;
        fit.worstSum = sum;
      }
    };
    for (const Sample &sample : samples[i])
      look(sample.sum, sample.value);
    for (const Sample &sample :
         steps(readOut, channels[i].low, channels[i].high))
      look(sample.sum, channels[i].function(sample.sum));
  }
}

/// Offsets of the sum that move the first step up of a single channel, of slope
/// `scale`, to about where it is, 0 among them.
static llvm::SmallVector<int64_t, 4>
offsetsFor(llvm::ArrayRef<RequantisedChannel> channels,
           llvm::ArrayRef<Samples> samples, double scale) {
  llvm::SmallVector<int64_t, 4> offsets{0};
  if (channels.size() != 1 || scale <= 0)
    return offsets;
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
  return offsets;
}

/// Zero points other than 0 that the channels may have: a sum of zero is read
/// as the zero point unless that is clamped, and then a step tells.
static llvm::SmallVector<int64_t, 4>
zeroPointsFor(llvm::ArrayRef<RequantisedChannel> channels,
              llvm::ArrayRef<Samples> samples) {
  llvm::SmallVector<int64_t, 4> zeroPoints;
  auto add = [&](int64_t zeroPoint) {
    if (zeroPoint != 0 && zeroPoint >= -128 && zeroPoint <= 127 &&
        !llvm::is_contained(zeroPoints, zeroPoint))
      zeroPoints.push_back(zeroPoint);
  };
  for (const RequantisedChannel &channel : channels)
    if (channel.low <= 0 && channel.high >= 0 && zeroPoints.size() < 4)
      add(channel.function(0));
  for (const Samples &own : samples) {
    const double scale = slope(own);
    if (scale <= 0)
      continue;
    auto first = llvm::find_if(own, [&](const Sample &sample) {
      return sample.value > own.front().value;
    });
    add(std::llround(first->value - 0.5 - scale * first->sum));
    break;
  }
  return zeroPoints;
}

/// Least and largest value of all channels.
static std::pair<int64_t, int64_t> boundsOf(llvm::ArrayRef<Samples> samples) {
  std::pair<int64_t, int64_t> bounds{127, -128};
  for (const Samples &own : samples) {
    bounds.first = std::min(bounds.first, own.front().value);
    bounds.second = std::max(bounds.second, own.back().value);
  }
  return bounds;
}

/// All but the scales of the read-outs that may fit, those first that take the
/// least.
static llvm::SmallVector<ReadOut>
shapesFor(llvm::ArrayRef<RequantisedChannel> channels,
          llvm::ArrayRef<Samples> samples, double scale,
          const ReadOutFeatures &features) {
  const auto bounds = boundsOf(samples);
  const int64_t least = bounds.first, most = bounds.second;
  llvm::SmallVector<ReadOut> shapes;
  auto add = [&](ReadOut shape) {
    for (bool relu : {false, true}) {
      shape.relu = relu;
      if (!relu || least >= shape.zeroPoint)
        shapes.push_back(shape);
    }
    if (!features.clamp || (least == -128 && most == 127))
      return;
    // Where no sum reaches a bound, it is none, and changes nothing.
    shape.relu = false;
    shape.low = least;
    shape.high = most;
    shapes.push_back(shape);
  };
  for (int64_t offset : offsetsFor(channels, samples, scale)) {
    ReadOut shape;
    shape.offset = offset;
    add(shape);
  }
  if (features.zeroPoint)
    for (int64_t zeroPoint : zeroPointsFor(channels, samples)) {
      ReadOut shape;
      shape.zeroPoint = zeroPoint;
      add(shape);
    }
  return shapes;
}

/// Each channel with a scale of its own, the right one if there is one, else
/// its slope or, of channels without any, `scale`. `isExact` if all are right.
static std::vector<float> scalesOfChannels(llvm::ArrayRef<Samples> samples,
                                           const ReadOut &shape, double scale,
                                           bool &isExact) {
  std::vector<float> scales;
  isExact = true;
  for (const Samples &own : samples) {
    const ScaleRange range = scalesFor(own, shape);
    isExact = isExact && !range.empty();
    const double steep = slope(own);
    scales.push_back(!range.empty() ? simplest(range)
                     : steep > 0    ? static_cast<float>(steep)
                                    : static_cast<float>(scale));
  }
  return scales;
}

ReadOutFit fadiff::fitReadOut(llvm::ArrayRef<RequantisedChannel> channels,
                              const ReadOutFeatures &features) {
  llvm::SmallVector<Samples> samples;
  for (const RequantisedChannel &channel : channels)
    samples.push_back(steps(channel.function, channel.low, channel.high));
  double scale = 0;
  for (const Samples &own : samples)
    scale = std::max(scale, slope(own));
  const bool perChannel = features.perChannel && channels.size() > 1;

  const llvm::SmallVector<ReadOut> shapes =
      shapesFor(channels, samples, scale, features);
  for (ReadOut shape : shapes)
    if (ScaleRange range = scalesFor(samples, shape); !range.empty()) {
      shape.scale = simplest(range);
      return {shape, {}, 0, channels.front().low};
    }
  const int64_t least = boundsOf(samples).first;
  std::optional<ReadOutFit> best;
  for (ReadOut shape : shapes) {
    ReadOutFit fit;
    fit.readOut = shape;
    // Nearer with a ReLU, if one fits and nothing else clamps.
    const bool isClamped = shape.low != -128 || shape.high != 127;
    fit.readOut.scale = scale > 0 ? static_cast<float>(scale) : 1.0f;
    if (perChannel) {
      bool isExact;
      fit.scales = scalesOfChannels(samples, shape, fit.readOut.scale, isExact);
      fit.worstSum = channels.front().low;
      if (isExact)
        return fit;
    }
    if (!shape.relu && !isClamped && least >= shape.zeroPoint)
      continue;
    measure(fit, channels, samples,
            best ? best->deviation : std::numeric_limits<int64_t>::max());
    if (!best || fit.deviation < best->deviation)
      best = fit;
  }
  return *best;
}
