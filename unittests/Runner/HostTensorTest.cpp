//===- HostTensorTest.cpp - Filling and comparing host tensors ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/HostTensor.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace fadiff;

namespace {

TensorSpec spec(ElementType element, llvm::ArrayRef<int64_t> shape) {
  TensorSpec result;
  result.element = element;
  result.shape.assign(shape.begin(), shape.end());
  return result;
}

template <typename T>
HostTensor make(ElementType element, llvm::ArrayRef<int64_t> shape,
                llvm::ArrayRef<T> values) {
  HostTensor tensor =
      llvm::cantFail(HostTensor::allocate(spec(element, shape)));
  EXPECT_EQ(tensor.raw().size(), values.size() * sizeof(T));
  std::memcpy(tensor.data(), values.data(), tensor.raw().size());
  return tensor;
}

template <typename T> llvm::ArrayRef<T> elements(const HostTensor &tensor) {
  return {reinterpret_cast<const T *>(tensor.data()),
          static_cast<size_t>(tensor.spec().numElements())};
}

std::string parseError(llvm::StringRef text, ElementType type) {
  auto rule = FillRule::parse(text, type);
  return rule ? "" : llvm::toString(rule.takeError());
}

/// SplitMix64 as its authors publish it (prng.di.unimi.it/splitmix64.c).
class SplitMix64 {
public:
  explicit SplitMix64(uint64_t seed) : x(seed) {}
  uint64_t next() {
    uint64_t z = (x += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

private:
  uint64_t x;
};

TEST(HostTensor, SpecSizes) {
  EXPECT_EQ(spec(ElementType::I32, {2, 3}).sizeInBytes(), 24u);
  EXPECT_EQ(spec(ElementType::F64, {}).sizeInBytes(), 8u);
  EXPECT_EQ(spec(ElementType::I8, {4, 0}).sizeInBytes(), 0u);
  EXPECT_EQ(spec(ElementType::I8, {1ll << 40, 1ll << 40}).sizeInBytes(),
            std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(spec(ElementType::I8, {1, 5, 7}).str(), "tensor<1x5x7xi8>");
  EXPECT_EQ(spec(ElementType::F32, {}).str(), "tensor<f32>");
}

TEST(HostTensor, AllocationThatCannotSucceedIsAnError) {
  auto overflow =
      HostTensor::allocate(spec(ElementType::I8, {1ll << 40, 1ll << 40}));
  ASSERT_FALSE(overflow);
  EXPECT_EQ(llvm::toString(overflow.takeError()),
            "cannot allocate tensor<1099511627776x1099511627776xi8>: its size "
            "does not fit 63 bits");
}

TEST(FillRule, DefaultsFollowTheElementType) {
  EXPECT_EQ(FillRule::defaultFor(ElementType::I8).intLo, -127);
  EXPECT_EQ(FillRule::defaultFor(ElementType::I8).intHi, 127);
  EXPECT_EQ(FillRule::defaultFor(ElementType::I4).intLo, -7);
  EXPECT_EQ(FillRule::defaultFor(ElementType::I32).intLo, -4096);
  EXPECT_EQ(FillRule::defaultFor(ElementType::I32).intHi, 4096);
  EXPECT_EQ(FillRule::defaultFor(ElementType::F32).floatLo, -1);
  EXPECT_EQ(FillRule::defaultFor(ElementType::F32).floatHi, 1);
}

TEST(FillRule, ParsesWhatIsDocumented) {
  auto uniform =
      llvm::cantFail(FillRule::parse(" uniform( -3 , 5 ) ", ElementType::I16));
  EXPECT_EQ(uniform.intLo, -3);
  EXPECT_EQ(uniform.intHi, 5);
  auto real =
      llvm::cantFail(FillRule::parse("uniform(-1e-3,2.5)", ElementType::F32));
  EXPECT_EQ(real.floatLo, -1e-3);
  EXPECT_EQ(real.floatHi, 2.5);
  auto ones = llvm::cantFail(FillRule::parse("ones", ElementType::F64));
  EXPECT_EQ(ones.floatLo, 1);
  EXPECT_EQ(ones.floatHi, 1);
  auto zeros = llvm::cantFail(FillRule::parse("zeros", ElementType::I8));
  EXPECT_EQ(zeros.intLo, 0);
  EXPECT_EQ(zeros.intHi, 0);
}

TEST(FillRule, RefusesTheRestAndSaysWhy) {
  EXPECT_EQ(parseError("", ElementType::I8),
            "expected \"uniform(lo,hi)\", \"zeros\" or \"ones\", found \"\"");
  EXPECT_NE(parseError("uniform(1)", ElementType::I8), "");
  EXPECT_NE(parseError("uniform(1,2,3)", ElementType::I8), "");
  EXPECT_NE(parseError("uniform(1,2)x", ElementType::I8), "");
  EXPECT_NE(parseError("uniform(0,128)", ElementType::I8)
                .find("the bounds must fit i8, [-128,127]"),
            std::string::npos);
  EXPECT_EQ(parseError("uniform(0,128)", ElementType::I16), "");
  EXPECT_NE(parseError("uniform(-9,7)", ElementType::I4)
                .find("the bounds must fit i4, [-8,7]"),
            std::string::npos);
  EXPECT_NE(parseError("uniform(0,9223372036854775808)", ElementType::I64), "");
  EXPECT_NE(parseError("uniform(-1e308,1e308)", ElementType::F64)
                .find("two finite numbers"),
            std::string::npos);
}

TEST(FillTensor, FollowsTheDocumentedSequence) {
  const uint64_t seed = 42;
  for (unsigned index : {0u, 3u}) {
    SplitMix64 starts(seed);
    uint64_t start = 0;
    for (unsigned i = 0; i <= index; ++i)
      start = starts.next();

    HostTensor ints =
        llvm::cantFail(HostTensor::allocate(spec(ElementType::I32, {5, 7})));
    FillRule rule;
    rule.intLo = -10;
    rule.intHi = 1000;
    fillTensor(ints, rule, seed, index);
    SplitMix64 words(start);
    for (int32_t value : elements<int32_t>(ints)) {
      auto product = static_cast<unsigned __int128>(words.next()) * 1011;
      EXPECT_EQ(value, -10 + static_cast<int32_t>(product >> 64));
    }

    HostTensor floats =
        llvm::cantFail(HostTensor::allocate(spec(ElementType::F32, {33})));
    rule.floatLo = -0.5;
    rule.floatHi = 0.25;
    fillTensor(floats, rule, seed, index);
    SplitMix64 again(start);
    for (float value : elements<float>(floats)) {
      double unit = std::ldexp(static_cast<double>(again.next() >> 11), -53);
      EXPECT_EQ(value, static_cast<float>(-0.5 + unit * 0.75));
    }
  }
}

TEST(FillTensor, CoversTheRangeAndNothingElse) {
  HostTensor tensor =
      llvm::cantFail(HostTensor::allocate(spec(ElementType::I8, {100000})));
  fillTensor(tensor, FillRule::defaultFor(ElementType::I8), 7, 1);
  std::vector<int> histogram(256);
  for (int8_t value : elements<int8_t>(tensor))
    ++histogram[value + 128];
  EXPECT_EQ(histogram[0], 0) << "-128 is outside the default range";
  for (int value = -127; value <= 127; ++value) {
    // 392 expected, standard deviation 20.
    EXPECT_GT(histogram[value + 128], 280) << value;
    EXPECT_LT(histogram[value + 128], 510) << value;
  }
}

TEST(FillTensor, WholeRangeOfI64) {
  FillRule rule = llvm::cantFail(FillRule::parse(
      "uniform(-9223372036854775808,9223372036854775807)", ElementType::I64));
  HostTensor tensor =
      llvm::cantFail(HostTensor::allocate(spec(ElementType::I64, {64})));
  fillTensor(tensor, rule, 0, 0);
  unsigned negative = 0, large = 0;
  for (int64_t value : elements<int64_t>(tensor)) {
    negative += value < 0;
    large += std::abs(value / 2) > (1ll << 60);
  }
  EXPECT_GT(negative, 16u);
  EXPECT_LT(negative, 48u);
  EXPECT_GT(large, 32u);
}

TEST(Summary, CountsZerosSaturatedAndNans) {
  TensorSummary ints = summarize(
      make<int8_t>(ElementType::I8, {6}, {-128, 127, 127, 0, 3, -127}));
  EXPECT_EQ(ints.saturated, 3u);
  EXPECT_EQ(ints.zeros, 1u);
  EXPECT_EQ(ints.min, -128);
  EXPECT_EQ(ints.max, 127);
  EXPECT_EQ(ints.elements, 6u);

  float nan = std::numeric_limits<float>::quiet_NaN();
  TensorSummary floats =
      summarize(make<float>(ElementType::F32, {4}, {nan, 2.5f, -0.0f, nan}));
  EXPECT_EQ(floats.nans, 2u);
  EXPECT_EQ(floats.zeros, 1u);
  EXPECT_EQ(floats.min, 0);
  EXPECT_EQ(floats.max, 2.5);
  EXPECT_EQ(floats.saturated, 0u);
}

TEST(Summary, SaysWhatProvesLittle) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  auto why = [](const HostTensor &tensor) { return whyProvesLittle(tensor); };
  EXPECT_EQ(why(make<int8_t>(ElementType::I8, {3}, {1, 1, 2})), "");
  EXPECT_EQ(why(make<int8_t>(ElementType::I8, {3}, {-4, -4, -4})),
            "all elements are -4");
  EXPECT_EQ(why(make<int8_t>(ElementType::I8, {3}, {-128, 127, 127})),
            "all elements are saturated");
  EXPECT_EQ(why(make<int8_t>(ElementType::I8, {3}, {-128, 126, 127})), "");
  EXPECT_EQ(why(make<float>(ElementType::F32, {2}, {nan, nan})),
            "all elements are NaN");
  EXPECT_EQ(why(make<float>(ElementType::F32, {2}, {nan, 1})), "");
  EXPECT_EQ(why(make<float>(ElementType::F32, {2}, {infinity, -infinity})),
            "all elements are saturated");
  // A single number says what it can; true and false are all there is.
  EXPECT_EQ(why(make<int32_t>(ElementType::I32, {}, {7})), "");
  EXPECT_EQ(why(make<uint8_t>(ElementType::I1, {2}, {0, 1})), "");
  EXPECT_EQ(why(make<int32_t>(ElementType::I32, {0}, {})),
            "it has no elements");
}

// Integers of 4 bits have a byte each, whose upper half is zero.
TEST(Nibbles, AreFilledReadAndCompared) {
  HostTensor nibbles =
      llvm::cantFail(HostTensor::allocate(spec(ElementType::I4, {100})));
  fillTensor(nibbles,
             llvm::cantFail(FillRule::parse("uniform(-8,7)", ElementType::I4)),
             /*seed=*/1, 0);
  for (uint8_t byte : nibbles.raw())
    EXPECT_LT(byte, 16);
  TensorSummary summary = summarize(nibbles);
  EXPECT_EQ(summary.min, -8);
  EXPECT_EQ(summary.max, 7);
  EXPECT_GT(summary.saturated, 0u);
  HostTensor few = make<uint8_t>(ElementType::I4, {3}, {15, 7, 8});
  std::string text;
  llvm::raw_string_ostream os(text);
  printElements(os, few);
  EXPECT_EQ(os.str(), "-1 7 -8");
  std::vector<HostTensor> expected, found;
  expected.push_back(std::move(few));
  found.push_back(make<uint8_t>(ElementType::I4, {3}, {15, 0, 8}));
  EXPECT_EQ(llvm::cantFail(outputDistance(expected, found)).integers, 7u);
}

// Values that IEEE 754 and bfloat16 have exactly, by their bits.
TEST(SmallFloats, AreReadWrittenAndCompared) {
  HostTensor half =
      make<uint16_t>(ElementType::F16, {3}, {0x3c00, 0xc100, 0x0001});
  HostTensor brain =
      make<uint16_t>(ElementType::BF16, {3}, {0x3f80, 0xc020, 0x7f80});
  std::string text;
  llvm::raw_string_ostream os(text);
  printElements(os, half);
  os << '\n';
  printElements(os, brain);
  EXPECT_EQ(os.str(), "1 -2.5 5.9605e-08\n1 -2.5 inf");
  // The largest half is 65504.
  EXPECT_NE(parseError("uniform(0,70000)", ElementType::F16), "");
  EXPECT_EQ(parseError("uniform(0,65504)", ElementType::F16), "");
  EXPECT_EQ(parseError("uniform(0,70000)", ElementType::BF16), "");
  FillRule rule;
  rule.floatLo = rule.floatHi = -2.5;
  fillTensor(half, rule, /*seed=*/0, 0);
  EXPECT_EQ(elements<uint16_t>(half),
            (llvm::ArrayRef<uint16_t>{0xc100, 0xc100, 0xc100}));
  llvm::Expected<OutputDistance> distance = outputDistance(
      make<uint16_t>(ElementType::F16, {2}, {0x3c00, 0x4000}),  // 1, 2
      make<uint16_t>(ElementType::F16, {2}, {0x3c00, 0x3e00})); // 1, 1.5
  ASSERT_TRUE(bool(distance));
  EXPECT_EQ(distance->reals, 0.25);
}

TEST(Compare, FindsTheFirstOfSeveralMismatches) {
  HostTensor expected =
      make<int32_t>(ElementType::I32, {2, 3}, {1, 2, 3, 4, 5, 6});
  HostTensor found =
      make<int32_t>(ElementType::I32, {2, 3}, {1, 2, 3, 4, -5, 7});
  auto comparison = llvm::cantFail(compareTensors(expected, found));
  EXPECT_FALSE(comparison.equal());
  EXPECT_EQ(comparison.mismatches, 2u);
  EXPECT_EQ(comparison.elements, 6u);
  EXPECT_EQ(comparison.firstIndex, (llvm::SmallVector<int64_t, 4>{1, 1}));
  EXPECT_EQ(comparison.expected, "5");
  EXPECT_EQ(comparison.found, "-5");
  EXPECT_TRUE(llvm::cantFail(compareTensors(expected, expected)).equal());
}

TEST(Compare, IsAboutBitsNotValues) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  HostTensor nans = make<float>(ElementType::F32, {1}, {nan});
  HostTensor plus = make<float>(ElementType::F32, {1}, {0.0f});
  HostTensor minus = make<float>(ElementType::F32, {1}, {-0.0f});
  EXPECT_TRUE(llvm::cantFail(compareTensors(nans, nans)).equal());
  auto zeros = llvm::cantFail(compareTensors(plus, minus));
  EXPECT_FALSE(zeros.equal());
  EXPECT_EQ(zeros.expected, "0");
  EXPECT_EQ(zeros.found, "-0");
}

TEST(Compare, OutputsAreReportedOneByOne) {
  std::vector<HostTensor> expected, found;
  for (std::vector<HostTensor> *list : {&expected, &found}) {
    list->push_back(make<int8_t>(ElementType::I8, {2}, {1, 2}));
    list->push_back(make<int8_t>(ElementType::I8, {2}, {3, 4}));
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_TRUE(llvm::cantFail(compareOutputs(expected, found, os)));
  EXPECT_EQ(text, "");

  found[1].data()[0] = 9;
  EXPECT_FALSE(llvm::cantFail(compareOutputs(expected, found, os)));
  EXPECT_EQ(text, "output 1: 1 of 2 elements differ, first at [0]: expected 3, "
                  "found 9\n");

  found.pop_back();
  auto count = compareOutputs(expected, found, os);
  ASSERT_FALSE(count);
  EXPECT_EQ(llvm::toString(count.takeError()),
            "cannot compare outputs: expected 2 of them, found 1");
  found.push_back(make<int8_t>(ElementType::I8, {2, 1}, {3, 4}));
  auto type = compareOutputs(expected, found, os);
  ASSERT_FALSE(type);
  EXPECT_EQ(llvm::toString(type.takeError()),
            "cannot compare tensors: expected tensor<2xi8>, found "
            "tensor<2x1xi8>");
}

TEST(Compare, DistanceOfIntegersAndReals) {
  const float infinity = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  auto distance = [](ElementType type, auto a, auto b) {
    using T = typename decltype(a)::value_type;
    std::vector<HostTensor> expected, found;
    expected.push_back(make<T>(type, {int64_t(a.size())}, a));
    found.push_back(make<T>(type, {int64_t(b.size())}, b));
    return llvm::cantFail(outputDistance(expected, found));
  };
  using Bytes = std::vector<int8_t>;
  using Reals = std::vector<float>;
  OutputDistance bytes =
      distance(ElementType::I8, Bytes{-128, 3, 5}, Bytes{127, 3, 6});
  EXPECT_EQ(bytes.integers, 255u);
  EXPECT_EQ(bytes.reals, 0);
  // A share of the largest that was expected, infinities aside.
  OutputDistance reals = distance(ElementType::F32, Reals{-8, 1, nan, infinity},
                                  Reals{-8, 1.5, nan, infinity});
  EXPECT_EQ(reals.integers, 0u);
  EXPECT_EQ(reals.reals, 0.5 / 8);
  EXPECT_EQ(distance(ElementType::F32, Reals{0, -0.0f}, Reals{-0.0f, 0}).reals,
            0);
  for (auto [a, b] :
       {std::pair(0.0f, 1.0f), std::pair(nan, 1.0f), std::pair(1.0f, infinity),
        std::pair(infinity, -infinity)})
    EXPECT_TRUE(
        std::isinf(distance(ElementType::F32, Reals{a}, Reals{b}).reals))
        << a << ' ' << b;
}

TEST(Print, FloatsCanBeReadBack) {
  HostTensor tensor = make<float>(ElementType::F32, {2}, {0.1f, 16777217.0f});
  std::string text;
  llvm::raw_string_ostream os(text);
  printElements(os, tensor);
  EXPECT_EQ(text, "0.100000001 16777216");
}

} // namespace
