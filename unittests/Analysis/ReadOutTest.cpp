//===- ReadOutTest.cpp - Fitting the accelerator's read-out ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/ReadOut.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

using namespace fadiff;

namespace {

/// TOSA 1.0's apply_scale_32 with an output zero point and saturation to int8,
/// written from the specification's pseudo code.
int64_t rescale(int64_t sum, int64_t multiplier, int shift, bool doubleRound,
                int64_t zeroPoint) {
  int64_t round = int64_t(1) << (shift - 1);
  if (doubleRound && shift > 31)
    round += sum >= 0 ? int64_t(1) << 30 : -(int64_t(1) << 30);
  int64_t result = (sum * multiplier + round) >> shift;
  return std::clamp<int64_t>(result + zeroPoint, -128, 127);
}

/// The largest difference, looking at every sum there is.
int64_t exhaustive(const ReadOut &readOut, const RequantisedChannel &channel) {
  int64_t largest = 0;
  for (int64_t sum = channel.low; sum <= channel.high; ++sum)
    largest = std::max(largest, std::abs(readOut(sum) - channel.function(sum)));
  return largest;
}

/// Whether some float32 scale near multiplier / 2^shift gives the same for
/// every sum: by trying them one after the other.
bool someScaleFits(const RequantisedChannel &channel, double nominal,
                   bool relu) {
  float scale = static_cast<float>(nominal);
  for (int i = 0; i < 200; ++i)
    scale = std::nextafterf(scale, 0);
  for (int i = 0; i < 400; ++i) {
    if (exhaustive({scale, relu, 0}, channel) == 0)
      return true;
    scale = std::nextafterf(scale, 1e9f);
  }
  return false;
}

RequantisedChannel channel(int64_t multiplier, int shift, bool doubleRound,
                           int64_t zeroPoint, int64_t reach) {
  return {[=](int64_t sum) {
            return rescale(sum, multiplier, shift, doubleRound, zeroPoint);
          },
          -reach, reach};
}

constexpr int64_t kHalf = int64_t(1)
                          << 30; // the smallest normalised multiplier

TEST(ReadOut, RoundsHalfToEvenAndSaturates) {
  ReadOut half{0.5f, false, 0};
  EXPECT_EQ(half(1), 0);
  EXPECT_EQ(half(3), 2);
  EXPECT_EQ(half(-1), 0);
  EXPECT_EQ(half(-3), -2);
  EXPECT_EQ(half(1000), 127);
  EXPECT_EQ(half(-1000), -128);
  EXPECT_EQ((ReadOut{0.5f, true, 0}(-1000)), 0);
  EXPECT_EQ((ReadOut{0.5f, false, 10}(2)), 6);
}

// What the fit says is what looking at every sum says: the deviation, and for
// sampled multipliers at most 1, which is what requantize=hardware promises.
TEST(ReadOut, DeviationIsThatOfEverySum) {
  std::mt19937 random(7);
  int exact = 0, close = 0;
  for (int i = 0; i < 60; ++i) {
    int64_t multiplier = kHalf + random() % kHalf;
    int shift = 36 + random() % 5;
    bool doubleRound = random() % 2;
    int64_t zeroPoint = i % 3 == 0 ? int64_t(random() % 256) - 128 : 0;
    RequantisedChannel one =
        channel(multiplier, shift, doubleRound, zeroPoint, 60000);
    ReadOutFit fit = fitReadOut(one);
    EXPECT_EQ(exhaustive(fit.readOut, one), fit.deviation)
        << multiplier << " >> " << shift << " + " << zeroPoint;
    EXPECT_LE(fit.deviation, 1);
    if (fit.deviation)
      EXPECT_EQ(
          std::abs(fit.readOut(fit.worstSum) - one.function(fit.worstSum)),
          fit.deviation);
    (fit.deviation ? close : exact) += 1;
  }
  EXPECT_GT(exact, 5);
  EXPECT_GT(close, 5);
}

// If the fit finds nothing there is nothing: tried for all floats around.
TEST(ReadOut, NothingIsMissed) {
  std::mt19937 random(3);
  int none = 0;
  for (int i = 0; i < 12; ++i) {
    RequantisedChannel one =
        channel(kHalf + random() % kHalf, 34, i % 2, 0, 900);
    ReadOutFit fit = fitReadOut(one);
    if (fit.deviation == 0)
      continue;
    ++none;
    EXPECT_FALSE(someScaleFits(one, fit.readOut.scale, false));
  }
  EXPECT_GT(none, 0);
}

// A power of two rounds its ties up. To even they go only where they are even,
// but above zero the next larger float32 takes all of them up.
TEST(ReadOut, PowerOfTwo) {
  RequantisedChannel plain = channel(kHalf, 39, false, 0, 100000);
  EXPECT_EQ(fitReadOut(plain).deviation, 1);
  RequantisedChannel relu = plain;
  relu.function = [](int64_t sum) {
    return std::max<int64_t>(rescale(sum, kHalf, 39, false, 0), 0);
  };
  ReadOutFit fit = fitReadOut(relu);
  EXPECT_EQ(fit.deviation, 0);
  EXPECT_TRUE(fit.readOut.relu);
  EXPECT_GT(fit.readOut.scale, 0x1p-9f);
  EXPECT_EQ(exhaustive(fit.readOut, relu), 0);
}

TEST(ReadOut, WholeAccumulator) {
  RequantisedChannel all = channel(1518500250, 38, false, 0, 0);
  all.low = std::numeric_limits<int32_t>::min();
  all.high = std::numeric_limits<int32_t>::max();
  ReadOutFit fit = fitReadOut(all);
  EXPECT_LE(fit.deviation, 1);
  EXPECT_NEAR(fit.readOut.scale, 1518500250.0 / 0x1p38, 1e-6);
}

// Channels share one scale or have none.
TEST(ReadOut, Channels) {
  RequantisedChannel a = channel(1400000001, 38, false, 0, 30000);
  ASSERT_EQ(fitReadOut(a).deviation, 0);
  EXPECT_EQ(fitReadOut({a, a}).deviation, 0);
  RequantisedChannel b = channel(1500000001, 38, false, 0, 30000);
  EXPECT_GT(fitReadOut({a, b}).deviation, 1);
}

constexpr ReadOutFeatures kAll = {true, true, true, 64};

// Where the read-out adds the zero point itself, plain rounding has exact
// scales at any of them, and double rounding is no further off than without.
TEST(ReadOut, ZeroPoints) {
  std::mt19937 random(5);
  int exact = 0;
  for (int i = 0; i < 40; ++i) {
    const int64_t zeroPoint = int64_t(random() % 256) - 128;
    const int64_t multiplier = kHalf + random() % kHalf;
    const bool doubleRound = i % 4 == 0;
    RequantisedChannel one =
        channel(multiplier, 37, doubleRound, zeroPoint, 20000);
    ReadOutFit plain = fitReadOut(one);
    ReadOutFit fit = fitReadOut(one, {false, true, false, 0});
    EXPECT_EQ(fit.deviation, exhaustive(fit.readOut, one));
    EXPECT_LE(fit.deviation, plain.deviation);
    EXPECT_EQ(fit.readOut.low, -128);
    EXPECT_EQ(fit.readOut.high, 127);
    // Exact with a zero point exactly if exact without any.
    RequantisedChannel centred = channel(multiplier, 37, doubleRound, 0, 20000);
    if (fitReadOut(centred).deviation == 0)
      EXPECT_EQ(fit.deviation, 0) << zeroPoint;
    exact += fit.deviation == 0 && plain.deviation > 0;
  }
  EXPECT_GT(exact, 10);
}

// ReLU6 at a zero point: two bounds that saturation does not reach.
TEST(ReadOut, Clamps) {
  RequantisedChannel one = channel(1400000001, 38, false, -100, 60000);
  auto inner = one.function;
  one.function = [inner](int64_t sum) {
    return std::clamp<int64_t>(inner(sum), -100, 90);
  };
  EXPECT_GT(fitReadOut(one).deviation, 1);
  EXPECT_GT(fitReadOut(one, {false, true, false, 0}).deviation, 1);
  ReadOutFit fit = fitReadOut(one, kAll);
  EXPECT_EQ(fit.deviation, 0);
  EXPECT_EQ(fit.readOut.zeroPoint, -100);
  EXPECT_EQ(fit.readOut.high, 90);
  EXPECT_EQ(exhaustive(fit.readOut, one), 0);
}

// Each channel has the scale that is its own; one whose sums all are read as
// one value, and one without any weights, have some.
TEST(ReadOut, ScalesOfChannels) {
  std::vector<RequantisedChannel> channels;
  for (int64_t multiplier : {1400000001, 1500000001, 1600000001, 2100000001})
    channels.push_back(channel(multiplier, 38, false, 11, 30000));
  channels.push_back({[](int64_t) { return 11; }, -3, 5});
  channels.push_back({[](int64_t) { return 31; }, 900, 900});
  EXPECT_GT(fitReadOut(channels).deviation, 1);
  EXPECT_GT(fitReadOut(channels, {false, true, true, 0}).deviation, 1);
  ReadOutFit fit = fitReadOut(channels, kAll);
  EXPECT_EQ(fit.deviation, 0);
  EXPECT_EQ(fit.readOut.zeroPoint, 11);
  ASSERT_EQ(fit.scales.size(), channels.size());
  for (size_t i = 0; i < channels.size(); ++i) {
    ReadOut own = fit.readOut;
    own.scale = fit.scales[i];
    EXPECT_GT(own.scale, 0);
    EXPECT_EQ(exhaustive(own, channels[i]), 0) << i;
  }
  // What they share stays one.
  EXPECT_TRUE(fitReadOut({channels[0], channels[0]}, kAll).scales.empty());
}

// What TFLite computes is no further off than one for any channel.
TEST(ReadOut, ScalesOfChannelsDeviateByOne) {
  std::mt19937 random(9);
  std::vector<RequantisedChannel> channels;
  for (int i = 0; i < 20; ++i)
    channels.push_back(channel(kHalf + random() % kHalf, 36 + i % 3, true, -7,
                               5000 + random() % 20000));
  ReadOutFit fit = fitReadOut(channels, kAll);
  EXPECT_LE(fit.deviation, 1);
  int64_t largest = 0;
  for (size_t i = 0; i < channels.size(); ++i) {
    ReadOut own = fit.readOut;
    own.scale = fit.scales[i];
    largest = std::max(largest, exhaustive(own, channels[i]));
  }
  EXPECT_EQ(fit.deviation, largest);
}

// A function that no sum changes, and one that steps once.
TEST(ReadOut, FewSteps) {
  RequantisedChannel flat{[](int64_t) { return 0; }, -10, 10};
  EXPECT_EQ(fitReadOut(flat).deviation, 0);
  RequantisedChannel five{[](int64_t) { return 5; }, 10, 20};
  ReadOutFit fit = fitReadOut(five);
  EXPECT_EQ(exhaustive(fit.readOut, five), fit.deviation);
  RequantisedChannel step{[](int64_t sum) { return sum >= 7; }, 0, 12};
  EXPECT_EQ(fitReadOut(step).deviation, 0);
}

} // namespace
