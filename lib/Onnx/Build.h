//===- Build.h - Tensor operations that importers are made of ---*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each takes operands that fit: whoever calls has checked ranks and extents.
// All shapes are static.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_ONNX_BUILD_H
#define FADIFF_LIB_ONNX_BUILD_H

#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace fadiff::frontend {

using mlir::ArrayRef;
using mlir::ImplicitLocOpBuilder;
using mlir::RankedTensorType;
using mlir::SmallVector;
using mlir::Type;
using mlir::Value;
using mlir::ValueRange;

ArrayRef<int64_t> shapeOf(Value tensor);
Type elementOf(Value tensor);

/// Arithmetic on numbers of one type. Unsigned integers are signless values
/// that are read as unsigned; of i1, addition is or, multiplication and.
class Scalars {
public:
  Scalars(ImplicitLocOpBuilder &b, bool isUnsigned = false)
      : b(b), isUnsigned(isUnsigned) {}
  ImplicitLocOpBuilder &b;
  bool isUnsigned;

  static bool isFloat(Value v) {
    return mlir::isa<mlir::FloatType>(v.getType());
  }
  Value constant(Type type, double number) const;
  Value like(Value v, double number) const {
    return constant(v.getType(), number);
  }
  Value add(Value x, Value y) const;
  Value sub(Value x, Value y) const;
  Value mul(Value x, Value y) const;
  Value div(Value x, Value y) const;
  Value max(Value x, Value y) const;
  Value min(Value x, Value y) const;
  Value neg(Value x) const;
  Value abs(Value x) const;
  Value less(Value x, Value y) const;
  Value lessOrEqual(Value x, Value y) const;
  Value equal(Value x, Value y) const;
  Value select(Value condition, Value x, Value y) const;
  Value logicalNot(Value x) const;
  /// To `type`; floats are cut towards zero, integers wrap, what is not zero is
  /// true. `toUnsigned`: how a float becomes an integer.
  Value cast(Value x, Type type, bool toUnsigned = false) const;
  /// The least and the largest number of a type, infinities of a float.
  Value lowest(Type type) const;
  Value highest(Type type) const;
  Value index(int64_t number) const;
};

using ElementBody =
    llvm::function_ref<Value(ImplicitLocOpBuilder &, ValueRange)>;

/// The shape that all of `shapes` broadcast to as NumPy has it; nothing if two
/// do not.
std::optional<SmallVector<int64_t>>
broadcastShape(ArrayRef<ArrayRef<int64_t>> shapes);

/// `body` of each element of `operands`, which broadcast to `shape`.
Value mapElements(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                  Type element, ValueRange operands, ElementBody body);

/// A tensor whose element at the loops' indices is `body` of them.
Value fromIndices(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                  Type element, ElementBody body);
/// As mapElements(), `body` gets the loops' indices behind the elements.
Value mapIndexed(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape, Type element,
                 ValueRange operands, ElementBody body);

/// Reduces `axes`, which are sorted, from `init`; `body` gets the element and
/// the value so far. The axes are gone, or 1 if they are to be kept.
Value reduceAxes(ImplicitLocOpBuilder &b, Value tensor, ArrayRef<int64_t> axes,
                 Value init, bool keep, ElementBody body);

/// A tensor of zeros, numbers or constants.
Value filled(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape, Value number);
Value zeros(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape, Type element);
Value emptyTensor(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                  Type element);
/// A constant of integers of 64 bits.
Value integers(ImplicitLocOpBuilder &b, ArrayRef<int64_t> values);

Value reshaped(ImplicitLocOpBuilder &b, Value tensor, ArrayRef<int64_t> shape);
Value transposed(ImplicitLocOpBuilder &b, Value tensor,
                 ArrayRef<int64_t> permutation);
/// Constant `tensor`, which holds one of `shape`, with its axes permuted and
/// those of the result that are reversed backwards, as a constant; null if it
/// is none.
Value turnedConstant(ImplicitLocOpBuilder &b, Value tensor,
                     ArrayRef<int64_t> shape, ArrayRef<int64_t> permutation,
                     ArrayRef<bool> isReversed);
Value broadcastTo(ImplicitLocOpBuilder &b, Value tensor,
                  ArrayRef<int64_t> shape);
/// Steps may be negative: then the first element is at the offset, too.
Value sliced(ImplicitLocOpBuilder &b, Value tensor, ArrayRef<int64_t> offsets,
             ArrayRef<int64_t> sizes, ArrayRef<int64_t> steps = {});
/// `tensor` with `source` at `offsets`, its elements `steps` apart.
Value insertedInto(ImplicitLocOpBuilder &b, Value source, Value tensor,
                   ArrayRef<int64_t> offsets, ArrayRef<int64_t> steps = {});
/// Extents that get less than nothing are cut.
Value padded(ImplicitLocOpBuilder &b, Value tensor, ArrayRef<int64_t> before,
             ArrayRef<int64_t> after, Value number);
Value concatenated(ImplicitLocOpBuilder &b, ValueRange tensors, int64_t axis);
/// The element of `tensor` at `indices`, for bodies.
Value elementAt(ImplicitLocOpBuilder &b, Value tensor, ValueRange indices);
/// The elements of `tensor` in another type.
Value castTo(ImplicitLocOpBuilder &b, Value tensor, Type element,
             bool fromUnsigned = false, bool toUnsigned = false);

} // namespace fadiff::frontend

#endif // FADIFF_LIB_ONNX_BUILD_H
