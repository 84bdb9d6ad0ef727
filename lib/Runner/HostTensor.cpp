//===- HostTensor.cpp - Typed host buffers for running programs -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/HostTensor.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sys/mman.h>

using namespace llvm;

namespace fadiff {

namespace {

constexpr uint64_t kAlignment = 64;

Error makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

/// A float of a few bits, which C++17 has no type for.
template <const fltSemantics &(*Semantics)(), typename Bits> class SmallFloat {
public:
  SmallFloat() = default;
  explicit SmallFloat(double value) {
    APFloat exact(value);
    bool loses;
    exact.convert(Semantics(), APFloat::rmNearestTiesToEven, &loses);
    bits = static_cast<Bits>(exact.bitcastToAPInt().getZExtValue());
  }
  explicit operator double() const {
    const unsigned width = APFloat::semanticsSizeInBits(Semantics());
    return APFloat(Semantics(), APInt(width, bits)).convertToDouble();
  }

private:
  Bits bits = 0;
};
using Half = SmallFloat<APFloat::IEEEhalf, uint16_t>;
using Brain = SmallFloat<APFloat::BFloat, uint16_t>;
using FourBits = SmallFloat<APFloat::Float4E2M1FN, uint8_t>;
using PowerOfTwo = SmallFloat<APFloat::Float8E8M0FNU, uint8_t>;

/// An integer of 4 bits in a byte. LLVM stores zeros in the upper half, and
/// reads as if there were no others.
class Nibble {
public:
  Nibble() = default;
  explicit Nibble(int64_t value) : bits(value & 0xf) {}
  operator int64_t() const { return SignExtend64<4>(bits); }

private:
  uint8_t bits = 0;
};

template <typename T>
constexpr bool kIsReal =
    std::is_floating_point_v<T> || std::is_same_v<T, Half> ||
    std::is_same_v<T, Brain> || std::is_same_v<T, FourBits> ||
    std::is_same_v<T, PowerOfTwo>;

/// The least and the largest value of an integer type.
template <typename T> constexpr std::pair<int64_t, int64_t> rangeOf() {
  if constexpr (std::is_same_v<T, Nibble>)
    return {-8, 7};
  else
    return {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
}

/// Digits that tell two values of a real type apart.
template <typename T> constexpr int digitsOf() {
  if constexpr (std::is_same_v<T, Half>)
    return 5;
  else if constexpr (std::is_same_v<T, Brain> || std::is_same_v<T, PowerOfTwo>)
    return 4;
  else if constexpr (std::is_same_v<T, FourBits>)
    return 2;
  else
    return std::numeric_limits<T>::max_digits10;
}

/// Calls `fn` with a null pointer of the C++ type of `type`.
template <typename Fn> auto dispatch(ElementType type, Fn &&fn) {
  switch (type) {
  case ElementType::I1:
    return fn(static_cast<bool *>(nullptr));
  case ElementType::I4:
    return fn(static_cast<Nibble *>(nullptr));
  case ElementType::F4E2M1FN:
    return fn(static_cast<FourBits *>(nullptr));
  case ElementType::F8E8M0FNU:
    return fn(static_cast<PowerOfTwo *>(nullptr));
  case ElementType::F16:
    return fn(static_cast<Half *>(nullptr));
  case ElementType::BF16:
    return fn(static_cast<Brain *>(nullptr));
  case ElementType::I8:
    return fn(static_cast<int8_t *>(nullptr));
  case ElementType::I16:
    return fn(static_cast<int16_t *>(nullptr));
  case ElementType::I32:
    return fn(static_cast<int32_t *>(nullptr));
  case ElementType::I64:
  case ElementType::Index:
    return fn(static_cast<int64_t *>(nullptr));
  case ElementType::F32:
    return fn(static_cast<float *>(nullptr));
  case ElementType::F64:
    return fn(static_cast<double *>(nullptr));
  }
  llvm_unreachable("all element types are covered");
}

template <typename T> using Pointee = std::remove_pointer_t<T>;

/// Steps of SplitMix64; the output after a step is mix(state).
constexpr uint64_t kGamma = 0x9E3779B97F4A7C15ULL;
inline uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

} // namespace

StringRef elementTypeName(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return "i1";
  case ElementType::I4:
    return "i4";
  case ElementType::Index:
    return "index";
  case ElementType::F4E2M1FN:
    return "f4E2M1FN";
  case ElementType::F8E8M0FNU:
    return "f8E8M0FNU";
  case ElementType::F16:
    return "f16";
  case ElementType::BF16:
    return "bf16";
  case ElementType::I8:
    return "i8";
  case ElementType::I16:
    return "i16";
  case ElementType::I32:
    return "i32";
  case ElementType::I64:
    return "i64";
  case ElementType::F32:
    return "f32";
  case ElementType::F64:
    return "f64";
  }
  llvm_unreachable("all element types are covered");
}

unsigned elementSize(ElementType type) {
  return dispatch(type, [](auto *zero) -> unsigned { return sizeof(*zero); });
}

bool isFloat(ElementType type) {
  return dispatch(type,
                  [](auto *zero) { return kIsReal<Pointee<decltype(zero)>>; });
}

bool TensorSpec::admits(const TensorSpec &found) const {
  return element == found.element && shape.size() == found.shape.size() &&
         all_of(zip_equal(shape, found.shape), [](auto extents) {
           auto [wanted, have] = extents;
           return wanted == kOpen || wanted == have;
         });
}

uint64_t TensorSpec::numElements() const {
  uint64_t product = 1;
  for (int64_t extent : shape)
    product = SaturatingMultiply(product, static_cast<uint64_t>(extent));
  return product;
}

uint64_t TensorSpec::sizeInBytes() const {
  return SaturatingMultiply<uint64_t>(numElements(), elementSize(element));
}

void TensorSpec::print(raw_ostream &os) const {
  os << "tensor<";
  for (int64_t extent : shape)
    (extent == kOpen ? os << '?' : os << extent) << 'x';
  os << elementTypeName(element) << '>';
}

std::string TensorSpec::str() const {
  std::string text;
  raw_string_ostream os(text);
  print(os);
  return text;
}

Expected<HostTensor> HostTensor::allocate(const TensorSpec &spec) {
  HostTensor tensor;
  tensor.tensorSpec = spec;
  uint64_t size = spec.sizeInBytes();
  if (size > std::numeric_limits<int64_t>::max() - kAlignment)
    return makeError(Twine("cannot allocate ") + spec.str() +
                     ": its size does not fit 63 bits");
  // aligned_alloc wants a multiple of the alignment, and an empty tensor still
  // needs an address.
  tensor.bytes.reset(static_cast<uint8_t *>(std::aligned_alloc(
      kAlignment, alignTo(std::max<uint64_t>(size, 1), kAlignment))));
  if (!tensor.bytes)
    return makeError(Twine("cannot allocate ") + spec.str() + ": wanted " +
                     Twine(size) + " bytes, which the system does not have");
  return tensor;
}

Expected<HostTensor> HostTensor::reserve(const TensorSpec &spec) {
  HostTensor tensor;
  tensor.tensorSpec = spec;
  const uint64_t size = std::max<uint64_t>(spec.sizeInBytes(), 1);
  void *pages = MAP_FAILED;
  if (size <= uint64_t(std::numeric_limits<int64_t>::max()))
    pages = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    return makeError(Twine("cannot allocate ") + spec.str() + ": wanted " +
                     Twine(size) +
                     " bytes of addresses, which the system does not have");
  tensor.bytes = {static_cast<uint8_t *>(pages), Free{size}};
  return tensor;
}

void HostTensor::Free::operator()(uint8_t *pointer) const {
  if (mapped > 0)
    munmap(pointer, mapped);
  else
    std::free(pointer);
}

FillRule FillRule::defaultFor(ElementType type) {
  FillRule rule;
  rule.floatLo = type == ElementType::F8E8M0FNU ? 0.5 : -1;
  rule.floatHi = 1;
  rule.intHi = type == ElementType::I4   ? 7
               : type == ElementType::I8 ? 127
                                         : 4096;
  rule.intLo = -rule.intHi;
  if (type == ElementType::I1 || type == ElementType::Index) {
    rule.intLo = 0;
    rule.intHi = type == ElementType::I1 ? 1 : 7;
  }
  return rule;
}

Expected<FillRule> FillRule::parse(StringRef text, ElementType type) {
  FillRule rule;
  StringRef body = text.trim();
  if (body == "zeros")
    return rule;
  if (body == "ones") {
    rule.intLo = rule.intHi = 1;
    rule.floatLo = rule.floatHi = 1;
    return rule;
  }
  auto malformed = [&](const Twine &why) {
    return makeError(Twine("expected \"uniform(lo,hi)\", \"zeros\" or "
                           "\"ones\", found \"") +
                     text + "\"" + why);
  };
  if (!body.consume_front("uniform(") || !body.consume_back(")"))
    return malformed("");
  auto [loText, hiText] = body.split(',');
  loText = loText.trim();
  hiText = hiText.trim();

  if (isFloat(type)) {
    if (loText.getAsDouble(rule.floatLo) || hiText.getAsDouble(rule.floatHi) ||
        !std::isfinite(rule.floatHi - rule.floatLo))
      return malformed(": the bounds must be two finite numbers");
    const bool fits = dispatch(type, [&](auto *zero) {
      using T = Pointee<decltype(zero)>;
      for (double bound : {rule.floatLo, rule.floatHi})
        if constexpr (kIsReal<T>)
          if (!std::isfinite(static_cast<double>(static_cast<T>(bound))))
            return false;
      return true;
    });
    if (!fits)
      return malformed(": the bounds must fit " + elementTypeName(type));
    if (rule.floatLo > rule.floatHi)
      return malformed(": lo must not exceed hi");
    return rule;
  }
  if (loText.getAsInteger(10, rule.intLo) ||
      hiText.getAsInteger(10, rule.intHi))
    return malformed(": the bounds of an integer tensor must be two integers");
  auto [min, max] = dispatch(type, [](auto *zero) {
    using T = Pointee<decltype(zero)>;
    if constexpr (kIsReal<T>)
      return std::pair<int64_t, int64_t>(0, 0);
    else
      return rangeOf<T>();
  });
  if (rule.intLo < min || rule.intHi > max)
    return malformed(": the bounds must fit " + elementTypeName(type) + ", [" +
                     Twine(min) + "," + Twine(max) + "]");
  if (rule.intLo > rule.intHi)
    return malformed(": lo must not exceed hi");
  return rule;
}

void fillTensor(HostTensor &tensor, const FillRule &rule, uint64_t seed,
                unsigned index) {
#pragma STDC FP_CONTRACT OFF
  const uint64_t start = mix(seed + kGamma * (uint64_t(index) + 1));
  const uint64_t count = tensor.spec().numElements();
  dispatch(tensor.spec().element, [&](auto *zero) {
    using T = Pointee<decltype(zero)>;
    T *out = reinterpret_cast<T *>(tensor.data());
    uint64_t state = start;
    if constexpr (kIsReal<T>) {
      const double width = rule.floatHi - rule.floatLo;
      for (uint64_t i = 0; i < count; ++i) {
        double unit = static_cast<double>(mix(state += kGamma) >> 11) * 0x1p-53;
        out[i] = static_cast<T>(rule.floatLo + unit * width);
      }
    } else {
      const uint64_t lo = static_cast<uint64_t>(rule.intLo);
      // Zero stands for 2^64, the whole range of i64.
      const uint64_t range = static_cast<uint64_t>(rule.intHi) - lo + 1;
      for (uint64_t i = 0; i < count; ++i) {
        uint64_t word = mix(state += kGamma);
        uint64_t offset =
            range ? static_cast<uint64_t>(
                        (static_cast<unsigned __int128>(word) * range) >> 64)
                  : word;
        out[i] = static_cast<T>(lo + offset);
      }
    }
  });
}

TensorSummary summarize(const HostTensor &tensor) {
  TensorSummary summary;
  summary.checksum = xxh3_64bits(tensor.raw());
  summary.elements = tensor.spec().numElements();
  dispatch(tensor.spec().element, [&](auto *zero) {
    using T = Pointee<decltype(zero)>;
    const T *in = reinterpret_cast<const T *>(tensor.data());
    using Value = std::conditional_t<kIsReal<T>, double, int64_t>;
    bool any = false;
    Value min{}, max{};
    for (uint64_t i = 0; i < summary.elements; ++i) {
      auto value = static_cast<Value>(in[i]);
      if constexpr (kIsReal<T>) {
        if (std::isnan(value)) {
          ++summary.nans;
          continue;
        }
        summary.saturated += std::isinf(value);
      } else if (!std::is_same_v<T, bool> && (value == rangeOf<T>().first ||
                                              value == rangeOf<T>().second)) {
        ++summary.saturated;
      }
      summary.zeros += value == Value{};
      min = any ? std::min(min, value) : value;
      max = any ? std::max(max, value) : value;
      any = true;
    }
    summary.min = static_cast<double>(min);
    summary.max = static_cast<double>(max);
    summary.constant = any && min == max && summary.nans == 0;
  });
  return summary;
}

void printSummary(raw_ostream &os, const HostTensor &tensor) {
  TensorSummary summary = summarize(tensor);
  double percent = summary.elements ? 100.0 / summary.elements : 0;
  tensor.spec().print(os);
  os << format(" checksum 0x%016llx min %g max %g",
               static_cast<unsigned long long>(summary.checksum), summary.min,
               summary.max);
  os << format(" zero %.2f%% saturated %.2f%%", summary.zeros * percent,
               summary.saturated * percent);
  if (summary.nans)
    os << format(" nan %.2f%%", summary.nans * percent);
}

std::string whyProvesLittle(const HostTensor &tensor) {
  const TensorSummary summary = summarize(tensor);
  if (summary.elements == 0)
    return "it has no elements";
  if (summary.nans == summary.elements)
    return "all elements are NaN";
  // One number is what it is; a tensor of equal ones has lost what made them.
  if (summary.constant && summary.elements > 1) {
    std::string text = "all elements are ";
    raw_string_ostream(text) << format("%g", summary.min);
    return text;
  }
  if (summary.saturated == summary.elements)
    return "all elements are saturated";
  return "";
}

/// Element `index` in row-major order, with enough digits to be read back.
static std::string elementText(const HostTensor &tensor, uint64_t index) {
  return dispatch(tensor.spec().element, [&](auto *zero) -> std::string {
    using T = Pointee<decltype(zero)>;
    T value = reinterpret_cast<const T *>(tensor.data())[index];
    std::string text;
    raw_string_ostream os(text);
    if constexpr (kIsReal<T>)
      os << format("%.*g", digitsOf<T>(), static_cast<double>(value));
    else
      os << static_cast<int64_t>(value);
    return text;
  });
}

void printElements(raw_ostream &os, const HostTensor &tensor) {
  for (uint64_t i = 0, e = tensor.spec().numElements(); i != e; ++i)
    os << (i ? " " : "") << elementText(tensor, i);
}

Expected<TensorComparison> compareTensors(const HostTensor &expected,
                                          const HostTensor &found) {
  if (!(expected.spec() == found.spec()))
    return makeError(Twine("cannot compare tensors: expected ") +
                     expected.spec().str() + ", found " + found.spec().str());
  TensorComparison result;
  result.elements = expected.spec().numElements();
  if (expected.raw() == found.raw())
    return result;

  unsigned size = elementSize(expected.spec().element);
  uint64_t first = 0;
  for (uint64_t i = 0; i < result.elements; ++i) {
    if (!std::memcmp(expected.data() + i * size, found.data() + i * size, size))
      continue;
    if (result.mismatches++ == 0)
      first = i;
  }
  result.expected = elementText(expected, first);
  result.found = elementText(found, first);
  result.firstIndex.resize(expected.spec().shape.size());
  for (size_t dim = result.firstIndex.size(); dim-- > 0;) {
    result.firstIndex[dim] = first % expected.spec().shape[dim];
    first /= expected.spec().shape[dim];
  }
  return result;
}

Expected<bool> compareOutputs(ArrayRef<HostTensor> expected,
                              ArrayRef<HostTensor> found, raw_ostream &os) {
  if (expected.size() != found.size())
    return makeError("cannot compare outputs: expected " +
                     Twine(expected.size()) + " of them, found " +
                     Twine(found.size()));
  bool equal = true;
  for (auto [index, pair] : enumerate(zip_equal(expected, found))) {
    auto &[want, have] = pair;
    Expected<TensorComparison> comparison = compareTensors(want, have);
    if (!comparison)
      return comparison.takeError();
    if (comparison->equal())
      continue;
    equal = false;
    os << "output " << index << ": " << comparison->mismatches << " of "
       << comparison->elements << " elements differ, first at [";
    interleaveComma(comparison->firstIndex, os);
    os << "]: expected " << comparison->expected << ", found "
       << comparison->found << '\n';
  }
  return equal;
}

static void widen(OutputDistance &distance, const HostTensor &expected,
                  const HostTensor &found) {
  dispatch(expected.spec().element, [&](auto *zero) {
    using T = Pointee<decltype(zero)>;
    const T *want = reinterpret_cast<const T *>(expected.data());
    const T *have = reinterpret_cast<const T *>(found.data());
    const uint64_t count = expected.spec().numElements();
    if constexpr (kIsReal<T>) {
      double largest = 0, apart = 0;
      for (uint64_t i = 0; i < count; ++i) {
        const auto a = static_cast<double>(want[i]);
        const auto b = static_cast<double>(have[i]);
        if (std::isfinite(a))
          largest = std::max(largest, std::abs(a));
        if (a == b || (std::isnan(a) && std::isnan(b)))
          continue;
        double difference = std::abs(a - b);
        if (std::isnan(difference))
          difference = std::numeric_limits<double>::infinity();
        apart = std::max(apart, difference);
      }
      if (apart > 0)
        distance.reals =
            std::max(distance.reals,
                     largest > 0 ? apart / largest
                                 : std::numeric_limits<double>::infinity());
    } else {
      for (uint64_t i = 0; i < count; ++i) {
        int64_t a = want[i], b = have[i];
        uint64_t difference =
            a > b ? static_cast<uint64_t>(a) - b : static_cast<uint64_t>(b) - a;
        distance.integers = std::max(distance.integers, difference);
      }
    }
  });
}

Expected<OutputDistance> outputDistance(ArrayRef<HostTensor> expected,
                                        ArrayRef<HostTensor> found) {
  if (expected.size() != found.size())
    return makeError("cannot compare outputs: expected " +
                     Twine(expected.size()) + " of them, found " +
                     Twine(found.size()));
  OutputDistance distance;
  for (auto [want, have] : zip_equal(expected, found)) {
    Expected<TensorComparison> comparison = compareTensors(want, have);
    if (!comparison)
      return comparison.takeError();
    if (!comparison->equal())
      widen(distance, want, have);
  }
  return distance;
}

} // namespace fadiff
