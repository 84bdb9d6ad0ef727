//===- HostTensor.h - Typed host buffers for running programs ---*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments and results of a compiled program as dense row-major buffers:
// how they are filled from a seed, summarised and compared.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_RUNNER_HOSTTENSOR_H
#define FADIFF_RUNNER_HOSTTENSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fadiff {

/// Element types that programs may exchange with the host. Integers are signed
/// two's complement; an I1 is a byte that is 0 or 1, an I4 a byte whose upper
/// half is zero, as is an F4E2M1FN, an Index has 64 bits.
enum class ElementType : uint8_t {
  I1,
  I4,
  I8,
  I16,
  I32,
  I64,
  Index,
  F4E2M1FN,
  F8E8M0FNU,
  F16,
  BF16,
  F32,
  F64
};

/// All of them.
inline constexpr ElementType kElementTypes[] = {
    ElementType::I1,    ElementType::I4,       ElementType::I8,
    ElementType::I16,   ElementType::I32,      ElementType::I64,
    ElementType::Index, ElementType::F4E2M1FN, ElementType::F8E8M0FNU,
    ElementType::F16,   ElementType::BF16,     ElementType::F32,
    ElementType::F64};

/// "i8", "f32", ...
llvm::StringRef elementTypeName(ElementType type);
/// Bytes of one element.
unsigned elementSize(ElementType type);
bool isFloat(ElementType type);

/// Element type and shape of a tensor. What a function says of an argument or
/// result may leave extents open; a HostTensor's are known.
struct TensorSpec {
  /// An extent that is known only when the program runs.
  static constexpr int64_t kOpen = -1;

  ElementType element = ElementType::I8;
  llvm::SmallVector<int64_t, 4> shape;

  bool isOpen() const { return llvm::is_contained(shape, kOpen); }
  /// Whether `found` is of this type, whatever extents it has where this leaves
  /// them open.
  bool admits(const TensorSpec &found) const;

  /// Product of the shape, UINT64_MAX if it does not fit.
  uint64_t numElements() const;
  /// Bytes of the dense buffer, UINT64_MAX if it does not fit.
  uint64_t sizeInBytes() const;
  bool operator==(const TensorSpec &other) const {
    return element == other.element && shape == other.shape;
  }
  /// As MLIR writes it: tensor<1x?x56x64xi8>.
  void print(llvm::raw_ostream &os) const;
  std::string str() const;
};

/// A dense row-major tensor that owns its bytes (64-byte aligned).
class HostTensor {
public:
  HostTensor() = default;
  /// Allocates without initialising. Fails, naming the tensor and its size, if
  /// the memory is not to be had.
  static llvm::Expected<HostTensor> allocate(const TensorSpec &spec);

  /// As allocate(), but all zero, and memory is taken only for pages that are
  /// written.
  static llvm::Expected<HostTensor> reserve(const TensorSpec &spec);

  const TensorSpec &spec() const { return tensorSpec; }
  uint8_t *data() { return bytes.get(); }
  const uint8_t *data() const { return bytes.get(); }
  llvm::ArrayRef<uint8_t> raw() const {
    return {bytes.get(), static_cast<size_t>(tensorSpec.sizeInBytes())};
  }

private:
  struct Free {
    // Not initialised in place: HostTensor is not complete here.
    Free() : mapped(0) {}
    explicit Free(uint64_t mapped) : mapped(mapped) {}
    uint64_t mapped; ///< bytes, if it came from the system itself
    void operator()(uint8_t *pointer) const;
  };
  TensorSpec tensorSpec;
  std::unique_ptr<uint8_t, Free> bytes;
};

/// How an argument gets its values: uniformly distributed in [lo, hi]. Integer
/// tensors use the integer bounds, float tensors the float ones; lo = hi gives
/// a constant tensor.
struct FillRule {
  int64_t intLo = 0, intHi = 0;
  double floatLo = 0, floatHi = 0;

  /// i1: [0, 1]; i4: [-7, 7]; i8: [-127, 127]; wider integers: [-4096, 4096];
  /// index: [0, 7]; floats: [-1, 1].
  static FillRule defaultFor(ElementType type);
  /// Parses "uniform(lo,hi)", "zeros" or "ones". Fails, saying what was wanted,
  /// if `text` is none of them, a bound does not fit the type, or lo > hi.
  static llvm::Expected<FillRule> parse(llvm::StringRef text, ElementType type);
};

/// Fills `tensor` with pseudo-random values that depend only on `seed`, the
/// argument's `index`, the rule and the element's position.
///
/// Element j takes the j-th output w of SplitMix64 (Steele, Lea, Flood: Fast
/// splittable pseudorandom number generators, OOPSLA 2014) whose state starts
/// at the (index + 1)-th output of SplitMix64 started at `seed`. Integers are
/// lo + floor(w * (hi - lo + 1) / 2^64), floats lo + (w >> 11) * 2^-53 *
/// (hi - lo), computed in f64 and rounded once.
void fillTensor(HostTensor &tensor, const FillRule &rule, uint64_t seed,
                unsigned index);

/// What a reader wants to know of an output at a glance.
struct TensorSummary {
  /// xxh3 of the bytes.
  uint64_t checksum = 0;
  /// Extremes, NaNs left out; 0 in a tensor without elements.
  double min = 0, max = 0;
  /// Elements that are zero.
  uint64_t zeros = 0;
  /// Integers at either end of their type's range (of I1, none), and
  /// infinities.
  uint64_t saturated = 0;
  /// Not-a-number elements.
  uint64_t nans = 0;
  uint64_t elements = 0;
  /// There are elements, and all are the same number.
  bool constant = false;
};
TensorSummary summarize(const HostTensor &tensor);

/// One line: type, checksum, range, and the fractions of zero and saturated
/// elements.
void printSummary(llvm::raw_ostream &os, const HostTensor &tensor);

/// Why a comparison that finds nothing but `tensor` proves little: whatever the
/// program computes in between, "all elements are NaN" and the like come out
/// just as well. Empty if it does prove something.
std::string whyProvesLittle(const HostTensor &tensor);

/// All elements in row-major order on one line, separated by spaces. Floats
/// have enough digits to be read back exactly.
void printElements(llvm::raw_ostream &os, const HostTensor &tensor);

/// Byte-wise difference of two results.
struct TensorComparison {
  /// Elements of which at least one byte differs.
  uint64_t mismatches = 0;
  uint64_t elements = 0;
  /// Position of the first mismatch, empty if there is none.
  llvm::SmallVector<int64_t, 4> firstIndex;
  /// The two elements there, printed.
  std::string expected, found;

  bool equal() const { return mismatches == 0; }
};

/// Compares element by element, bit for bit (so NaN equals the same NaN, and
/// -0.0 differs from 0.0). Fails if the types differ.
llvm::Expected<TensorComparison> compareTensors(const HostTensor &expected,
                                                const HostTensor &found);

/// Compares all outputs and prints one line for each one that differs: index,
/// number of mismatches, first index, both values. Returns whether all are
/// equal; fails if the number of outputs or a type differs.
llvm::Expected<bool> compareOutputs(llvm::ArrayRef<HostTensor> expected,
                                    llvm::ArrayRef<HostTensor> found,
                                    llvm::raw_ostream &os);

/// How far two results are apart.
struct OutputDistance {
  /// Largest absolute difference of two integers.
  uint64_t integers = 0;
  /// Largest absolute difference of two floats, as a share of the largest
  /// finite magnitude that their output should have. Infinite if only one is
  /// NaN, or if an infinity stands against anything else.
  double reals = 0;
};

/// Over all outputs. Fails if the number of outputs or a type differs.
llvm::Expected<OutputDistance>
outputDistance(llvm::ArrayRef<HostTensor> expected,
               llvm::ArrayRef<HostTensor> found);

} // namespace fadiff

#endif // FADIFF_RUNNER_HOSTTENSOR_H
