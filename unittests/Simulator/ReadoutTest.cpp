//===- ReadoutTest.cpp - Read-outs that can do more than Gemmini's --------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

using namespace fadiff;
using namespace fadiff::sim;
using llvm::StringRef;

namespace {

constexpr int64_t kScales = 40;

Accelerator npu() {
  Accelerator a = testAccelerator(16, HandOver::MvoutSpad);
  a.readOut = {/*perChannel=*/true, /*zeroPoint=*/true, /*clamp=*/true,
               kScales};
  return a;
}

isa::ConfigReadout readout(int zeroPoint, int low, int high,
                           std::optional<uint32_t> first = {}) {
  isa::ConfigReadout config;
  config.zeroPoint = int8_t(zeroPoint);
  config.low = int8_t(low);
  config.high = int8_t(high);
  config.perChannel = first.has_value();
  config.first = first.value_or(0);
  return config;
}

isa::MvinScales scales(const std::vector<float> &values, uint32_t first) {
  isa::MvinScales move;
  move.dramAddress = reinterpret_cast<uintptr_t>(values.data());
  move.first = first;
  move.count = uint32_t(values.size());
  return move;
}

/// What docs/Hardware.md says a read-out computes, in double, where products
/// are rounded to float explicitly.
int8_t expected(int32_t sum, float scale, bool relu, int zeroPoint, int low,
                int high) {
  const float product = float(relu ? std::max(sum, 0) : sum) * scale;
  const double rounded = std::nearbyint(double(product));
  return int8_t(std::clamp<double>(rounded + zeroPoint, low, high));
}

/// 16 rows of 32 random sums, some of them extreme, in blocks at rows 0 and 16
/// of the accumulator.
class Readout : public testing::Test {
protected:
  Program p{npu()};
  std::vector<int32_t> sums = std::vector<int32_t>(16 * 32);
  std::vector<float> channelScales;
  std::mt19937 rng{7};

  void SetUp() override {
    for (size_t i = 0; i < sums.size(); ++i)
      sums[i] = int32_t(rng() % 4001) - 2000;
    sums[0] = std::numeric_limits<int32_t>::min();
    sums[1] = std::numeric_limits<int32_t>::max();
    p.configLd(32 * 4, 16, 2);
    for (int64_t block : {0, 1})
      p.move(Funct::Mvin3, sums.data() + block * 16, acc(block * 16), 16, 16);
    for (int i = 0; i < 32; ++i)
      channelScales.push_back(0.01f + 0.003f * float(i));
  }

  int32_t sum(int64_t row, int64_t col) const { return sums[row * 32 + col]; }
};

TEST_F(Readout, AddsTheZeroPointAndClamps) {
  for (auto [zeroPoint, low, high] :
       {std::tuple(0, -128, 127), std::tuple(-128, -128, 127),
        std::tuple(127, -128, 127), std::tuple(-3, -3, 90),
        std::tuple(20, -40, -7), std::tuple(5, 17, 17)})
    for (bool relu : {false, true}) {
      std::vector<int8_t> out(16 * 32);
      p.configSt(32, 0.05f, relu ? Activation::Relu : Activation::None);
      p.config(readout(zeroPoint, low, high));
      p.mvout(out.data(), acc(0), 16, 32);
      ASSERT_EQ(p.fault(), "");
      for (int64_t r = 0; r < 16; ++r)
        for (int64_t c = 0; c < 32; ++c)
          ASSERT_EQ(out[r * 32 + c],
                    expected(sum(r, c), 0.05f, relu, zeroPoint, low, high))
              << sum(r, c) << ' ' << zeroPoint;
    }
}

// Column by column, over the blocks of one move, from any index on.
TEST_F(Readout, HasAScalePerChannel) {
  p.config(scales(channelScales, 5));
  EXPECT_EQ(p.machine.total().dramBytesByMvin[2], 16 * 32 * 4 + 32 * 4);
  std::vector<int8_t> out(16 * 32);
  p.configSt(32, /*scale=*/1.0f);
  p.config(readout(-3, -100, 100, /*first=*/5));
  p.mvout(out.data(), acc(0), 16, 32);
  ASSERT_EQ(p.fault(), "");
  for (int64_t r = 0; r < 16; ++r)
    for (int64_t c = 0; c < 32; ++c)
      ASSERT_EQ(out[r * 32 + c],
                expected(sum(r, c), channelScales[c], false, -3, -100, 100));
  // The second block alone has the second half's.
  std::vector<int8_t> block(16 * 16);
  p.configSt(16);
  p.config(readout(-3, -100, 100, /*first=*/5 + 16));
  p.mvout(block.data(), acc(16), 16, 16);
  p.mvoutSpad(sp(64), acc(16), 16, 16);
  ASSERT_EQ(p.fault(), "");
  for (int64_t r = 0; r < 16; ++r)
    for (int64_t c = 0; c < 16; ++c) {
      ASSERT_EQ(block[r * 16 + c], out[r * 32 + 16 + c]);
      ASSERT_EQ(p.machine.scratchpadRow(64 + r)[c], out[r * 32 + 16 + c]);
    }
}

TEST_F(Readout, PoolsWhatIsReadOut) {
  p.config(scales(channelScales, 0));
  std::vector<int8_t> out(16);
  ConfigSt config;
  config.stride = 16;
  config.poolSize = config.poolStride = 2;
  config.poolRows = config.poolCols = config.poolOutDim = 1;
  config.rows = config.cols = 2;
  p.config(config);
  p.config(readout(-20, -128, 127, /*first=*/0));
  p.mvout(out.data(), acc(0), 1, 16);
  ASSERT_EQ(p.fault(), "");
  for (int64_t c = 0; c < 16; ++c) {
    int8_t most = -128;
    for (int64_t r = 0; r < 4; ++r)
      most = std::max(
          most, expected(sum(r, c), channelScales[c], false, -20, -128, 127));
    EXPECT_EQ(out[c], most);
  }
}

TEST_F(Readout, ConfigStTakesItBack) {
  std::vector<int8_t> out(16);
  p.configSt(16, 0.05f);
  p.config(readout(20, 0, 3));
  p.configSt(16, 0.05f);
  p.mvout(out.data(), acc(1), 1, 16);
  ASSERT_EQ(p.fault(), "");
  for (int64_t c = 0; c < 16; ++c)
    EXPECT_EQ(out[c], expected(sum(1, c), 0.05f, false, 0, -128, 127));
}

TEST_F(Readout, FullWidthSumsAreLeftAlone) {
  std::vector<int32_t> out(16);
  p.configSt(64, 0.05f);
  p.config(readout(20, 0, 3, /*first=*/0)); // of scales that are not there
  p.mvout(out.data(), LocalAddress::fullWidth(2), 1, 16);
  ASSERT_EQ(p.fault(), "");
  for (int64_t c = 0; c < 16; ++c)
    EXPECT_EQ(out[c], sum(2, c));
}

TEST_F(Readout, ScalesMustBeThere) {
  std::vector<int8_t> out(16);
  p.config(scales({0.5f, 0.25f}, 0));
  p.configSt(16);
  p.config(readout(0, -128, 127, /*first=*/0));
  p.mvout(out.data(), acc(0), 1, 3);
  EXPECT_EQ(p.fault(), "reads out with scale 2, which has not been loaded");
}

TEST_F(Readout, ScalesMustFitTheStoreUnit) {
  p.config(scales(channelScales, kScales - 31));
  EXPECT_NE(p.fault().find("which holds 40"), std::string::npos) << p.fault();
}

TEST_F(Readout, ScalesMustBePositive) {
  p.config(scales({0.5f, -0.25f}, 0));
  EXPECT_EQ(p.fault(),
            "scale 1 of those in DRAM is not a positive finite number");
}

TEST_F(Readout, BoundsMustBeInOrder) {
  p.configSt(16);
  p.config(readout(0, 4, 3));
  EXPECT_EQ(p.fault(), "the bounds 4..3 are the wrong way round");
}

// Each feature is refused where it is missing, Gemmini refuses all.
TEST(ReadoutFault, NeedsTheFeature) {
  const std::vector<float> one = {1.0f};
  const std::pair<const char *, isa::Command> commands[] = {
      {"per_channel", isa::encode(readout(0, -128, 127, /*first=*/0))},
      {"zero_point", isa::encode(readout(1, -128, 127))},
      {"clamp", isa::encode(readout(0, -128, 126))},
      {"scales", isa::encode(scales(one, 0))}};
  for (auto [wanted, command] : commands)
    for (StringRef missing : {"per_channel", "zero_point", "clamp", "all"}) {
      Accelerator machine = npu();
      machine.readOut.perChannel &= missing != "per_channel";
      machine.readOut.zeroPoint &= missing != "zero_point";
      machine.readOut.clamp &= missing != "clamp";
      if (missing == "all")
        machine.readOut = {};
      Program p(machine);
      p.configSt(16);
      p.run(command);
      const bool isMissing =
          missing == "all" || missing == wanted ||
          (missing == "per_channel" && StringRef(wanted) == "scales");
      EXPECT_EQ(p.fault() != "", isMissing)
          << wanted << " without " << missing.str() << ": " << p.fault();
    }
}

// Stores wait for the scales, and new ones for the stores that read the old.
TEST(ReadoutTime, ScalesAreLoadedBetweenStores) {
  const Accelerator machine = npu();
  Program p(machine);
  std::vector<int8_t> out(16);
  std::vector<int32_t> sums(16, 100);
  p.configLd(64, 16, 2);
  p.configSt(16);
  p.move(Funct::Mvin3, sums.data(), acc(0), 1, 16);
  p.machine.fence();
  const int64_t before = p.machine.cycles();
  p.config(scales(std::vector<float>(16, 0.5f), 0));
  p.config(readout(0, -128, 127, /*first=*/0));
  p.mvout(out.data(), acc(0), 1, 16);
  ASSERT_EQ(p.fault(), "");
  // Both have to go to DRAM, one after the other.
  EXPECT_GE(p.machine.cycles() - before, 2 * machine.dmaLatency);
}

} // namespace
