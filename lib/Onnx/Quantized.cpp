//===- Quantized.cpp - Operators on quantised tensors ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers stay integers: sums are of int32, as the array has them, and zero
// points are subtracted in the bodies of contractions, where the passes behind
// this look for them. Quantisation is spelled as exporters of torch do.
//
//===----------------------------------------------------------------------===//

#include "Contractions.h"
#include "Operators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;
using onnx::TensorProto;

namespace {
/// Scale and zero point of a tensor, of which each broadcasts to it; the zero
/// point may be null.
struct Quantisation {
  Value scale, zero;
  bool isUnsigned = false;
};
} // namespace

/// The number that all elements of a tensor are known to be; else null.
static TypedAttr knownNumber(Node &n, Value tensor) {
  const Evaluator::Elements *elements = n.evaluate(tensor);
  if (!elements || elements->empty() || !llvm::all_equal(*elements))
    return {};
  return cast_or_null<TypedAttr>(elements->front());
}

/// Of operands `scale` and `zero`, one number or one per index along `axis` of
/// a tensor of `rank`.
static FailureOr<Quantisation> quantisationOf(Node &n, unsigned scale,
                                              unsigned zero, int64_t axis,
                                              ArrayRef<int64_t> shape) {
  Quantisation found;
  found.isUnsigned = !n.has(zero) || n.isUnsigned(zero);
  auto placed = [&](unsigned i) -> FailureOr<Value> {
    if (*countElements(n.shape(i)) == 1)
      return reshaped(n.b, n.in(i), {});
    if (n.rank(i) != 1 || axis < 0 || axis >= int64_t(shape.size()) ||
        n.shape(i)[0] != shape[size_t(axis)])
      return n.error("wanted one number, or one per index along axis " +
                     llvm::Twine(axis) + ", as operand " + llvm::Twine(i));
    SmallVector<int64_t> spread(shape.size() - size_t(axis), 1);
    spread[0] = n.shape(i)[0];
    return reshaped(n.b, n.in(i), spread);
  };
  if (!n.has(scale) || !isa<FloatType>(n.element(scale)))
    return n.error("wanted a float scale as operand " + llvm::Twine(scale));
  FailureOr<Value> scales = placed(scale);
  if (failed(scales))
    return failure();
  found.scale = *scales;
  if (n.has(zero)) {
    FailureOr<Value> zeros = placed(zero);
    if (failed(zeros))
      return failure();
    found.zero = *zeros;
  }
  return found;
}

namespace {
/// A scale or zero point in a body: a constant if it is one known number, else
/// an operand.
class BodyNumber {
public:
  BodyNumber(Node &n, Value tensor, SmallVector<Value> &operands)
      : known(knownNumber(n, tensor)), position(operands.size()) {
    if (!known)
      operands.push_back(tensor);
  }
  bool isZero() const {
    auto number = dyn_cast_or_null<IntegerAttr>(known);
    return number && number.getValue().isZero();
  }
  Value in(ImplicitLocOpBuilder &b, ValueRange args) const {
    return known ? arith::ConstantOp::create(b, known).getResult()
                 : args[position];
  }

private:
  TypedAttr known;
  size_t position;
};
} // namespace

/// (x - zero) * scale
static Value dequantised(Node &n, Value tensor, bool isUnsigned,
                         const Quantisation &by) {
  SmallVector<Value> operands{tensor};
  const BodyNumber scale(n, by.scale, operands);
  std::optional<BodyNumber> zero;
  if (by.zero)
    zero.emplace(n, by.zero, operands);
  const Type real = elementOf(by.scale);
  return mapElements(n.b, shapeOf(tensor), real, operands,
                     [&](ImplicitLocOpBuilder &b, ValueRange args) {
                       Scalars s(b, isUnsigned);
                       Value x = s.cast(args[0], real);
                       if (zero && !zero->isZero())
                         x = s.sub(x, s.cast(zero->in(b, args), real));
                       return s.mul(x, scale.in(b, args));
                     });
}

Value frontend::dequantised(ImplicitLocOpBuilder &b, Value bytes,
                            const Quantised &from) {
  const Type real = from.scale.getType();
  return mapElements(
      b, shapeOf(bytes), real, {bytes},
      [&](ImplicitLocOpBuilder &b, ValueRange args) {
        Scalars s(b, frontend::isUnsigned(from.type));
        auto constant = [&](TypedAttr number) {
          return arith::ConstantOp::create(b, number).getResult();
        };
        Value x = s.cast(args[0], real);
        if (from.zero)
          x = s.sub(x, s.cast(constant(from.zero), real));
        return s.mul(x, constant(from.scale));
      });
}

/// round(x / scale) + zero, saturated, as integers of `element`. `tensor` may
/// be integers.
static Value quantised(Node &n, Value tensor, Type element,
                       const Quantisation &by) {
  SmallVector<Value> operands{tensor};
  const BodyNumber scale(n, by.scale, operands);
  std::optional<BodyNumber> zero;
  if (by.zero)
    zero.emplace(n, by.zero, operands);
  const Type real = isa<FloatType>(elementOf(tensor)) ? elementOf(tensor)
                                                      : elementOf(by.scale);
  const unsigned width = element.getIntOrFloatBitWidth();
  const double top = by.isUnsigned ? double((uint64_t(1) << width) - 1)
                                   : double((int64_t(1) << (width - 1)) - 1);
  const double bottom = by.isUnsigned ? 0 : -top - 1;
  return mapElements(n.b, shapeOf(tensor), element, operands,
                     [&](ImplicitLocOpBuilder &b, ValueRange args) {
                       Scalars s(b), ofBytes(b, by.isUnsigned);
                       Value x = s.cast(args[0], real);
                       x = s.div(x, s.cast(scale.in(b, args), real));
                       x = math::RoundEvenOp::create(b, x);
                       if (zero && !zero->isZero())
                         x = s.add(x, ofBytes.cast(zero->in(b, args), real));
                       x = s.max(x, s.constant(real, bottom));
                       x = s.min(x, s.constant(real, top));
                       return s.cast(x, element, by.isUnsigned);
                     });
}

/// Scale and zero point (null for 0) if both are one known number.
static std::optional<std::pair<TypedAttr, TypedAttr>>
knownOf(Node &n, const Quantisation &by) {
  TypedAttr scale = knownNumber(n, by.scale), zero;
  if (!scale || !cast<FloatAttr>(scale).getValue().isNormal() ||
      cast<FloatAttr>(scale).getValue().isNegative())
    return std::nullopt;
  if (by.zero) {
    zero = knownNumber(n, by.zero);
    if (!zero)
      return std::nullopt;
    if (cast<IntegerAttr>(zero).getValue().isZero())
      zero = {};
  }
  return std::pair(scale, zero);
}

static LogicalResult importDequantizeLinear(Node &n) {
  if (failed(n.want(2)))
    return failure();
  if (!isa<IntegerType>(n.element(0)))
    return n.error("wanted integers, found " + typeName(n.typeOf(0)));
  int64_t axis = n.integer("axis", 1);
  if (axis < 0)
    axis += n.rank(0);
  FailureOr<Quantisation> by = quantisationOf(n, 1, 2, axis, n.shape(0));
  if (failed(by))
    return failure();
  GraphValue value;
  value.tensor = dequantised(n, n.in(0), n.isUnsigned(0), *by);
  value.type = n.typeOf(1);
  if (std::optional<std::pair<TypedAttr, TypedAttr>> known = knownOf(n, *by))
    value.quantised =
        Quantised{n.in(0), n.typeOf(0), known->first, known->second};
  n.result(0, std::move(value));
  return success();
}

static LogicalResult importQuantizeLinear(Node &n) {
  if (failed(n.want(2)))
    return failure();
  int64_t axis = n.integer("axis", 1);
  if (axis < 0)
    axis += n.rank(0);
  FailureOr<Quantisation> by = quantisationOf(n, 1, 2, axis, n.shape(0));
  if (failed(by))
    return failure();
  const int32_t type = n.has(2) ? n.typeOf(2) : int32_t(TensorProto::UINT8);
  // What was dequantised just so is what it was before: of 8 bits, the two
  // roundings of f32 are far from the next integer.
  if (const std::optional<Quantised> &from = n.operand(0).quantised)
    if (auto known = knownOf(n, *by);
        known && from->type == type && from->scale == known->first &&
        from->zero == known->second && elementOf(from->bytes).isInteger(8)) {
      n.result(0, from->bytes, type);
      return success();
    }
  n.result(0, quantised(n, n.in(0), elementTypeOf(type, n.b.getContext()), *by),
           type);
  return success();
}

//===----------------------------------------------------------------------===//
// Contractions of bytes
//===----------------------------------------------------------------------===//

namespace {
/// A factor of a contraction: bytes and what is subtracted from each.
struct Factor {
  Value bytes;
  bool isUnsigned = false;
  Value zero; ///< null, a tensor of rank 0, or one that broadcasts to the bytes
};
} // namespace

/// A factor whose zero point is no known number is subtracted in front.
static Factor withKnownZero(Node &n, Factor factor) {
  if (!factor.zero || knownNumber(n, factor.zero))
    return factor;
  Factor wide;
  wide.bytes = mapElements(n.b, shapeOf(factor.bytes), n.b.getI32Type(),
                           {factor.bytes, factor.zero},
                           [&](ImplicitLocOpBuilder &b, ValueRange args) {
                             Scalars s(b, factor.isUnsigned);
                             return s.sub(s.cast(args[0], b.getI32Type()),
                                          s.cast(args[1], b.getI32Type()));
                           });
  return wide;
}

/// In a body: the factor's element as int32 without its zero point.
static Value centred(Node &n, ImplicitLocOpBuilder &b, const Factor &factor,
                     Value element) {
  Scalars s(b, factor.isUnsigned);
  Value wide = s.cast(element, b.getI32Type());
  if (!factor.zero)
    return wide;
  const Evaluator::Elements *elements = n.evaluate(factor.zero);
  const APInt zero = cast<IntegerAttr>(elements->front()).getValue();
  if (zero.isZero())
    return wide;
  const int64_t number =
      factor.isUnsigned ? int64_t(zero.getZExtValue()) : zero.getSExtValue();
  return s.sub(wide, s.constant(b.getI32Type(), double(number)));
}

static FailureOr<Factor> factorOf(Node &n, unsigned bytes, unsigned zero,
                                  int64_t axis) {
  if (!n.has(bytes) || !n.element(bytes).isInteger(8))
    return n.error("wanted int8 or uint8 as operand " + llvm::Twine(bytes));
  Factor factor;
  factor.bytes = n.in(bytes);
  factor.isUnsigned = n.isUnsigned(bytes);
  if (!n.has(zero))
    return factor;
  if (n.typeOf(zero) != n.typeOf(bytes))
    return n.error("wanted a zero point of " + typeName(n.typeOf(bytes)));
  if (*countElements(n.shape(zero)) == 1) {
    factor.zero = reshaped(n.b, n.in(zero), {});
    return factor;
  }
  // One per row or column of a matrix, or per filter.
  const int64_t rank = n.rank(bytes);
  if (axis < 0)
    axis += rank;
  if (n.rank(zero) != 1 || axis < 0 ||
      n.shape(zero)[0] != n.shape(bytes)[size_t(axis)])
    return n.error("wanted one zero point, or one per index along axis " +
                   llvm::Twine(axis));
  SmallVector<int64_t> shape(size_t(rank - axis), 1);
  shape[0] = n.shape(zero)[0];
  factor.zero = reshaped(n.b, n.in(zero), shape);
  return factor;
}

/// Sums of int32 over operands `x` and `w` with their zero points.
static FailureOr<Value> integerConvolution(Node &n, unsigned x, unsigned xZero,
                                           unsigned w, unsigned wZero,
                                           unsigned bias) {
  FailureOr<Factor> image = factorOf(n, x, xZero, 1);
  FailureOr<Factor> weights = factorOf(n, w, wZero, 0);
  if (failed(image) || failed(weights))
    return failure();
  const int64_t groups = n.integer("group", 1);
  Window window;
  FailureOr<SmallVector<int64_t>> shape =
      convolutionShape(n, n.shape(x), n.shape(w), groups, window);
  if (failed(shape))
    return failure();
  ImplicitLocOpBuilder &b = n.b;
  *image = withKnownZero(n, *image);
  *weights = withKnownZero(n, *weights);
  // Padding is what stands for zero.
  Value outside = Scalars(b).constant(elementOf(image->bytes), 0);
  if (image->zero)
    outside = arith::ConstantOp::create(b, knownNumber(n, image->zero));
  Value source = paddedImage(b, image->bytes, window, outside);
  Value sums;
  if (n.has(bias)) {
    if (n.rank(bias) != 1 || n.shape(bias)[0] != (*shape)[1] ||
        !n.element(bias).isInteger(32))
      return n.error("wanted a bias of int32 for each of " +
                     llvm::Twine((*shape)[1]) + " filters");
    SmallVector<int64_t> spread(window.kernel.size() + 1, 1);
    spread[0] = (*shape)[1];
    sums = broadcastTo(b, reshaped(b, n.in(bias), spread), *shape);
  } else {
    sums = zeros(b, *shape, b.getI32Type());
  }
  return convolution(b, source, weights->bytes, sums, groups, window,
                     [&](ImplicitLocOpBuilder &inner, Value left, Value right) {
                       return Scalars(inner).mul(
                           centred(n, inner, *image, left),
                           centred(n, inner, *weights, right));
                     });
}

/// Sums of int32 of matrices `left` and `right`. A zero point of the left one
/// that is found when the program runs, as DynamicQuantizeLinear does, is taken
/// out behind the sums: sum (x - z) w = sum x w - z sum w, modulo 2^32.
static FailureOr<Value> integerProduct(Node &n, Factor left, Factor right) {
  right = withKnownZero(n, right);
  if (left.zero && !knownNumber(n, left.zero) &&
      cast<RankedTensorType>(left.zero.getType()).getRank() == 0 &&
      cast<RankedTensorType>(right.bytes.getType()).getRank() == 2) {
    const bool isUnsigned = left.isUnsigned;
    Value zero = std::exchange(left.zero, Value());
    FailureOr<Value> sums = integerProduct(n, left, right);
    if (failed(sums))
      return failure();
    ImplicitLocOpBuilder &b = n.b;
    const Type i32 = b.getI32Type();
    Value columns = mapElements(b, shapeOf(right.bytes), i32, right.bytes,
                                [&](ImplicitLocOpBuilder &b, ValueRange args) {
                                  return centred(n, b, right, args[0]);
                                });
    columns = reduceAxes(b, columns, {0}, Scalars(b).constant(i32, 0),
                         /*keep=*/false,
                         [](ImplicitLocOpBuilder &b, ValueRange args) {
                           return Scalars(b).add(args[0], args[1]);
                         });
    return mapElements(b, shapeOf(*sums), i32, {*sums, zero, columns},
                       [&](ImplicitLocOpBuilder &b, ValueRange args) {
                         Scalars s(b, isUnsigned);
                         Value offset = s.mul(s.cast(args[1], i32), args[2]);
                         return s.sub(args[0], offset);
                       });
  }
  left = withKnownZero(n, left);
  return matrixProduct(n, left.bytes, right.bytes, n.b.getI32Type(),
                       [&](ImplicitLocOpBuilder &inner, Value x, Value y) {
                         return Scalars(inner).mul(centred(n, inner, left, x),
                                                   centred(n, inner, right, y));
                       });
}

static LogicalResult importConvInteger(Node &n) {
  if (failed(n.want(2)))
    return failure();
  FailureOr<Value> sums = integerConvolution(n, 0, 2, 1, 3, ~0u);
  if (failed(sums))
    return failure();
  n.result(0, *sums, TensorProto::INT32);
  return success();
}

static LogicalResult importMatMulInteger(Node &n) {
  if (failed(n.want(2)))
    return failure();
  FailureOr<Factor> left = factorOf(n, 0, 2, -2), right = factorOf(n, 1, 3, -1);
  if (failed(left) || failed(right))
    return failure();
  FailureOr<Value> sums = integerProduct(n, *left, *right);
  if (failed(sums))
    return failure();
  n.result(0, *sums, TensorProto::INT32);
  return success();
}

/// What one step of the sums is: the product of the factors' scales, which is
/// divided by that of the result.
static Value scaleProduct(ImplicitLocOpBuilder &b, Value x, Value y) {
  auto shape = broadcastShape({shapeOf(x), shapeOf(y)});
  return mapElements(b, *shape, elementOf(x), {x, y},
                     [](ImplicitLocOpBuilder &b, ValueRange args) {
                       return Scalars(b).mul(args[0], args[1]);
                     });
}

/// A tensor of numbers that are known becomes a constant.
static Value folded(Node &n, Value tensor) {
  const Evaluator::Elements *elements = n.evaluate(tensor);
  if (!elements || elements->empty())
    return tensor;
  return arith::ConstantOp::create(
      n.b, DenseElementsAttr::get(cast<RankedTensorType>(tensor.getType()),
                                  *elements));
}

/// Sums of int32, each worth `step`, as bytes of `by`.
static Value requantised(Node &n, Value sums, Value step, Type element,
                         const Quantisation &by) {
  Quantisation perSum;
  perSum.scale = folded(n, step);
  Value real = dequantised(n, sums, /*isUnsigned=*/false, perSum);
  return quantised(n, real, element, by);
}

static LogicalResult importQLinearConv(Node &n) {
  if (failed(n.want(8)))
    return failure();
  FailureOr<Value> sums = integerConvolution(n, 0, 2, 3, 5, 8);
  if (failed(sums))
    return failure();
  FailureOr<Quantisation> image = quantisationOf(n, 1, 2, -1, {});
  FailureOr<Quantisation> weights = quantisationOf(n, 4, 5, 1, shapeOf(*sums));
  FailureOr<Quantisation> result = quantisationOf(n, 6, 7, -1, {});
  if (failed(image) || failed(weights) || failed(result))
    return failure();
  n.result(0,
           requantised(n, *sums,
                       scaleProduct(n.b, image->scale, weights->scale),
                       n.element(7), *result),
           n.typeOf(7));
  return success();
}

static LogicalResult importQLinearMatMul(Node &n) {
  if (failed(n.want(8)))
    return failure();
  FailureOr<Factor> left = factorOf(n, 0, 2, -2), right = factorOf(n, 3, 5, -1);
  if (failed(left) || failed(right))
    return failure();
  FailureOr<Value> sums = integerProduct(n, *left, *right);
  if (failed(sums))
    return failure();
  const int64_t rank = int64_t(shapeOf(*sums).size());
  FailureOr<Quantisation> x = quantisationOf(n, 1, 2, rank - 2, shapeOf(*sums));
  FailureOr<Quantisation> y = quantisationOf(n, 4, 5, rank - 1, shapeOf(*sums));
  FailureOr<Quantisation> result = quantisationOf(n, 6, 7, -1, {});
  if (failed(x) || failed(y) || failed(result))
    return failure();
  n.result(0,
           requantised(n, *sums, scaleProduct(n.b, x->scale, y->scale),
                       n.element(7), *result),
           n.typeOf(7));
  return success();
}

//===----------------------------------------------------------------------===//
// com.microsoft
//===----------------------------------------------------------------------===//

static LogicalResult importQGemm(Node &n) {
  // A, scale, zero, B, scale, zero, C (int32), scale, zero of the result
  if (failed(n.want(5)))
    return failure();
  ImplicitLocOpBuilder &b = n.b;
  FailureOr<Factor> left = factorOf(n, 0, 2, -2), right = factorOf(n, 3, 5, -1);
  if (failed(left) || failed(right))
    return failure();
  if (n.rank(0) != 2 || n.rank(3) != 2)
    return n.error("wanted two matrices");
  const bool turnsRight = n.integer("transB", 0) != 0;
  if (n.integer("transA", 0))
    left->bytes = transposed(b, left->bytes, {1, 0});
  if (turnsRight)
    right->bytes = transposed(b, right->bytes, {1, 0});
  FailureOr<Value> sums = integerProduct(n, *left, *right);
  if (failed(sums))
    return failure();
  if (n.has(6)) {
    auto shape = broadcastShape({shapeOf(*sums), n.shape(6)});
    if (!shape || ArrayRef<int64_t>(*shape) != shapeOf(*sums) ||
        !n.element(6).isInteger(32))
      return n.error("wanted a C of int32 that broadcasts to the product");
    sums = mapElements(b, *shape, b.getI32Type(), {*sums, n.in(6)},
                       [](ImplicitLocOpBuilder &b, ValueRange args) {
                         return Scalars(b).add(args[0], args[1]);
                       });
  }
  FailureOr<Quantisation> x = quantisationOf(n, 1, 2, -1, {});
  FailureOr<Quantisation> y = quantisationOf(n, 4, 5, 1, shapeOf(*sums));
  if (failed(x) || failed(y))
    return failure();
  Value step = scaleProduct(b, x->scale, y->scale);
  if (const double alpha = n.number("alpha", 1); alpha != 1)
    step = mapElements(b, shapeOf(step), elementOf(step), step,
                       [&](ImplicitLocOpBuilder &b, ValueRange args) {
                         Scalars s(b);
                         return s.mul(args[0], s.like(args[0], alpha));
                       });
  if (!n.has(7)) {
    Quantisation perSum;
    perSum.scale = folded(n, step);
    n.result(0, dequantised(n, *sums, false, perSum), n.typeOf(1));
    return success();
  }
  FailureOr<Quantisation> result = quantisationOf(n, 7, 8, -1, {});
  if (failed(result))
    return failure();
  result->isUnsigned = n.isUnsigned(0);
  n.result(0, requantised(n, *sums, step, n.element(0), *result), n.typeOf(0));
  return success();
}

/// a, scale, zero, b, scale, zero, scale and zero of the result.
static LogicalResult quantisedBinary(Node &n,
                                     Value (Scalars::*op)(Value, Value) const) {
  if (failed(n.want(8)))
    return failure();
  auto shape = broadcastShape({n.shape(0), n.shape(3)});
  if (!shape || !n.element(0).isInteger(8) || !n.element(3).isInteger(8))
    return n.error("wanted two operands of bytes that broadcast");
  FailureOr<Quantisation> x = quantisationOf(n, 1, 2, -1, {});
  FailureOr<Quantisation> y = quantisationOf(n, 4, 5, -1, {});
  FailureOr<Quantisation> result = quantisationOf(n, 6, 7, -1, {});
  if (failed(x) || failed(y) || failed(result))
    return failure();
  Value left = dequantised(n, n.in(0), n.isUnsigned(0), *x);
  Value right = dequantised(n, n.in(3), n.isUnsigned(3), *y);
  Value real = mapElements(n.b, *shape, elementOf(left), {left, right},
                           [&](ImplicitLocOpBuilder &b, ValueRange args) {
                             return (Scalars(b).*op)(args[0], args[1]);
                           });
  result->isUnsigned = n.isUnsigned(0);
  n.result(0, quantised(n, real, n.element(0), *result), n.typeOf(0));
  return success();
}

static LogicalResult importQLinearAdd(Node &n) {
  return quantisedBinary(n, &Scalars::add);
}
static LogicalResult importQLinearMul(Node &n) {
  return quantisedBinary(n, &Scalars::mul);
}

static LogicalResult importQLinearGlobalAveragePool(Node &n) {
  // X, scale, zero, scale and zero of the result
  if (failed(n.want(5)))
    return failure();
  if (n.rank(0) < 3 || !n.element(0).isInteger(8))
    return n.error("wanted an image of bytes");
  FailureOr<Quantisation> x = quantisationOf(n, 1, 2, -1, {});
  FailureOr<Quantisation> result = quantisationOf(n, 3, 4, -1, {});
  if (failed(x) || failed(result))
    return failure();
  const bool isLast = n.integer("channels_last", 0) != 0;
  SmallVector<int64_t> axes;
  double count = 1;
  for (int64_t axis = isLast ? 1 : 2; axis < n.rank(0) - (isLast ? 1 : 0);
       ++axis) {
    axes.push_back(axis);
    count *= double(n.shape(0)[size_t(axis)]);
  }
  ImplicitLocOpBuilder &b = n.b;
  // The sum of integers is exact; the rest is on one number per channel.
  Value wide = castTo(b, n.in(0), b.getI32Type(), n.isUnsigned(0));
  Value sums = reduceAxes(b, wide, axes, Scalars(b).constant(b.getI32Type(), 0),
                          true, [](ImplicitLocOpBuilder &b, ValueRange args) {
                            return Scalars(b).add(args[0], args[1]);
                          });
  Value means = mapElements(b, shapeOf(sums), b.getF32Type(), sums,
                            [&](ImplicitLocOpBuilder &b, ValueRange args) {
                              Scalars s(b);
                              return s.div(s.cast(args[0], b.getF32Type()),
                                           s.constant(b.getF32Type(), count));
                            });
  SmallVector<Value> operands{means, x->scale};
  if (x->zero)
    operands.push_back(x->zero);
  Value real = mapElements(b, shapeOf(means), b.getF32Type(), operands,
                           [&](ImplicitLocOpBuilder &b, ValueRange args) {
                             Scalars s(b, n.isUnsigned(0));
                             Value mean = args[0];
                             if (args.size() > 2)
                               mean =
                                   s.sub(mean, s.cast(args[2], b.getF32Type()));
                             return s.mul(mean, args[1]);
                           });
  result->isUnsigned = n.isUnsigned(0);
  n.result(0, quantised(n, real, n.element(0), *result), n.typeOf(0));
  return success();
}

llvm::ArrayRef<Operator> frontend::quantizedOperators() {
  static const Operator kOperators[] = {
      {"", "ConvInteger", 10, importConvInteger},
      {"", "DequantizeLinear", 10, importDequantizeLinear},
      {"", "MatMulInteger", 10, importMatMulInteger},
      {"", "QLinearConv", 10, importQLinearConv},
      {"", "QLinearMatMul", 10, importQLinearMatMul},
      {"", "QuantizeLinear", 10, importQuantizeLinear},
      {"com.microsoft", "DequantizeLinear", 1, importDequantizeLinear},
      {"com.microsoft", "QGemm", 1, importQGemm},
      {"com.microsoft", "QLinearAdd", 1, importQLinearAdd},
      {"com.microsoft", "QLinearGlobalAveragePool", 1,
       importQLinearGlobalAveragePool},
      {"com.microsoft", "QLinearMul", 1, importQLinearMul},
      {"com.microsoft", "QuantizeLinear", 1, importQuantizeLinear},
  };
  return kOperators;
}
