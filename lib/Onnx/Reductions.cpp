//===- Reductions.cpp - Sums, extremes, softmax ---------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;
using onnx::TensorProto;

/// The axes to reduce: all if none are named, or none with
/// noop_with_empty_axes.
static FailureOr<SmallVector<int64_t>> reducedAxes(Node &n, int asOperand) {
  if (failed(n.want(1)))
    return failure();
  auto given = n.integersFrom("axes", asOperand, 1);
  if (failed(given))
    return failure();
  if (*given && !(**given).empty())
    return n.axesOf(**given, n.rank(0));
  if (n.integer("noop_with_empty_axes", 0))
    return SmallVector<int64_t>();
  return llvm::to_vector(llvm::seq<int64_t>(n.rank(0)));
}

using Body1 = llvm::function_ref<Value(Scalars, Value)>;
using Body2 = llvm::function_ref<Value(Scalars, Value, Value)>;

static Value mapped(Node &n, Value tensor, Body1 body) {
  return mapElements(n.b, shapeOf(tensor), elementOf(tensor), tensor,
                     [&](ImplicitLocOpBuilder &b, ValueRange args) {
                       return body(Scalars(b, n.isUnsigned(0)), args[0]);
                     });
}

static Value reduced(Node &n, Value tensor, ArrayRef<int64_t> axes, Value init,
                     bool keep, Body2 body) {
  return reduceAxes(n.b, tensor, axes, init, keep,
                    [&](ImplicitLocOpBuilder &b, ValueRange args) {
                      return body(Scalars(b, n.isUnsigned(0)), args[0],
                                  args[1]);
                    });
}

static Value sumOver(Node &n, Value tensor, ArrayRef<int64_t> axes, bool keep) {
  return reduced(n, tensor, axes, Scalars(n.b).constant(elementOf(tensor), 0),
                 keep, [](Scalars s, Value x, Value y) { return s.add(x, y); });
}

static Value maximumOver(Node &n, Value tensor, ArrayRef<int64_t> axes,
                         bool keep) {
  return reduced(n, tensor, axes,
                 Scalars(n.b, n.isUnsigned(0)).lowest(elementOf(tensor)), keep,
                 [](Scalars s, Value x, Value y) { return s.max(x, y); });
}

/// A sum of `front` of each element, and `behind` of that.
static LogicalResult sumOf(Node &n, int asOperand, Body1 front, Body1 behind) {
  FailureOr<SmallVector<int64_t>> axes = reducedAxes(n, asOperand);
  if (failed(axes))
    return failure();
  Value tensor = front ? mapped(n, n.in(0), front) : n.in(0);
  if (!axes->empty())
    tensor = sumOver(n, tensor, *axes, n.integer("keepdims", 1) != 0);
  n.result(behind ? mapped(n, tensor, behind) : tensor);
  return success();
}

static LogicalResult importReduceSum(Node &n) {
  return sumOf(n, 13, nullptr, nullptr);
}
static LogicalResult importReduceL1(Node &n) {
  return sumOf(n, 18, [](Scalars s, Value x) { return s.abs(x); }, nullptr);
}
static LogicalResult importReduceL2(Node &n) {
  if (n.has(0) && n.in(0) && !isa<FloatType>(n.element(0)))
    return n.error("wanted floats, found " + typeName(n.typeOf(0)));
  return sumOf(
      n, 18, [](Scalars s, Value x) { return s.mul(x, x); },
      [](Scalars s, Value x) -> Value { return math::SqrtOp::create(s.b, x); });
}
static LogicalResult importReduceSumSquare(Node &n) {
  return sumOf(n, 18, [](Scalars s, Value x) { return s.mul(x, x); }, nullptr);
}
static LogicalResult importReduceLogSum(Node &n) {
  if (n.has(0) && n.in(0) && !isa<FloatType>(n.element(0)))
    return n.error("wanted floats, found " + typeName(n.typeOf(0)));
  return sumOf(n, 18, nullptr, [](Scalars s, Value x) -> Value {
    return math::LogOp::create(s.b, x);
  });
}

static LogicalResult importReduceMean(Node &n) {
  FailureOr<SmallVector<int64_t>> axes = reducedAxes(n, 18);
  if (failed(axes))
    return failure();
  double count = 1;
  for (int64_t axis : *axes)
    count *= double(n.shape(0)[size_t(axis)]);
  Value sums = sumOver(n, n.in(0), *axes, n.integer("keepdims", 1) != 0);
  n.result(mapped(
      n, sums, [&](Scalars s, Value x) { return s.div(x, s.like(x, count)); }));
  return success();
}

static Value differenceOf(Node &n, Value tensor, Value other) {
  return mapElements(n.b, shapeOf(tensor), elementOf(tensor), {tensor, other},
                     [](ImplicitLocOpBuilder &b, ValueRange args) {
                       return Scalars(b).sub(args[0], args[1]);
                     });
}

static Value exponentials(Node &n, Value tensor) {
  return mapped(n, tensor, [](Scalars s, Value x) -> Value {
    return math::ExpOp::create(s.b, x);
  });
}

static LogicalResult importReduceLogSumExp(Node &n) {
  FailureOr<SmallVector<int64_t>> axes = reducedAxes(n, 18);
  if (failed(axes))
    return failure();
  if (!isa<FloatType>(n.element(0)))
    return n.error("wanted floats, found " + typeName(n.typeOf(0)));
  // By the largest, so that nothing overflows.
  const bool keep = n.integer("keepdims", 1) != 0;
  Value most = maximumOver(n, n.in(0), *axes, true);
  Value sums =
      sumOver(n, exponentials(n, differenceOf(n, n.in(0), most)), *axes, true);
  Value result = mapElements(n.b, shapeOf(sums), n.element(0), {sums, most},
                             [](ImplicitLocOpBuilder &b, ValueRange args) {
                               Value log = math::LogOp::create(b, args[0]);
                               return Scalars(b).add(log, args[1]);
                             });
  if (!keep) {
    SmallVector<int64_t> shape;
    for (auto [axis, extent] : llvm::enumerate(shapeOf(result)))
      if (!llvm::is_contained(*axes, int64_t(axis)))
        shape.push_back(extent);
    result = reshaped(n.b, result, shape);
  }
  n.result(result);
  return success();
}

static LogicalResult extreme(Node &n, Value init, Body2 body) {
  FailureOr<SmallVector<int64_t>> axes = reducedAxes(n, 18);
  if (failed(axes))
    return failure();
  n.result(
      reduced(n, n.in(0), *axes, init, n.integer("keepdims", 1) != 0, body));
  return success();
}

static LogicalResult importReduceMax(Node &n) {
  if (failed(n.want(1)))
    return failure();
  return extreme(n, Scalars(n.b, n.isUnsigned(0)).lowest(n.element(0)),
                 [](Scalars s, Value x, Value y) { return s.max(x, y); });
}
static LogicalResult importReduceMin(Node &n) {
  if (failed(n.want(1)))
    return failure();
  return extreme(n, Scalars(n.b, n.isUnsigned(0)).highest(n.element(0)),
                 [](Scalars s, Value x, Value y) { return s.min(x, y); });
}
static LogicalResult importReduceProd(Node &n) {
  if (failed(n.want(1)))
    return failure();
  return extreme(n, Scalars(n.b).constant(n.element(0), 1),
                 [](Scalars s, Value x, Value y) { return s.mul(x, y); });
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// The axes over which shares sum to one: from version 13 on one, before that
/// all from it on.
static FailureOr<SmallVector<int64_t>> softmaxAxes(Node &n) {
  if (failed(n.want(1)))
    return failure();
  const bool isOne = n.version >= 13;
  FailureOr<int64_t> axis =
      n.axisOf(n.integer("axis", isOne ? -1 : 1), n.rank(0));
  if (failed(axis))
    return failure();
  if (!isa<FloatType>(n.element(0)))
    return n.error("wanted floats, found " + typeName(n.typeOf(0)));
  return llvm::to_vector(
      llvm::seq<int64_t>(*axis, isOne ? *axis + 1 : n.rank(0)));
}

static LogicalResult importSoftmax(Node &n) {
  FailureOr<SmallVector<int64_t>> axes = softmaxAxes(n);
  if (failed(axes))
    return failure();
  Value most = maximumOver(n, n.in(0), *axes, true);
  Value powers = exponentials(n, differenceOf(n, n.in(0), most));
  Value sums = sumOver(n, powers, *axes, true);
  n.result(mapElements(n.b, n.shape(0), n.element(0), {powers, sums},
                       [](ImplicitLocOpBuilder &b, ValueRange args) {
                         return Scalars(b).div(args[0], args[1]);
                       }));
  return success();
}

static LogicalResult importLogSoftmax(Node &n) {
  FailureOr<SmallVector<int64_t>> axes = softmaxAxes(n);
  if (failed(axes))
    return failure();
  Value less = differenceOf(n, n.in(0), maximumOver(n, n.in(0), *axes, true));
  Value sums = sumOver(n, exponentials(n, less), *axes, true);
  Value logs = mapped(n, sums, [](Scalars s, Value x) -> Value {
    return math::LogOp::create(s.b, x);
  });
  n.result(differenceOf(n, less, logs));
  return success();
}

//===----------------------------------------------------------------------===//
// Which
//===----------------------------------------------------------------------===//

/// The place of the largest (least) element along `axis`, which stays as 1.
static Value placeOf(Node &n, Value tensor, int64_t axis, bool isLeast,
                     bool isLast) {
  ImplicitLocOpBuilder &b = n.b;
  SmallVector<int64_t> left;
  SmallVector<AffineExpr> out;
  SmallVector<utils::IteratorType> kinds;
  const unsigned rank = unsigned(shapeOf(tensor).size());
  for (unsigned i = 0; i < rank; ++i) {
    const bool isReduced = int64_t(i) == axis;
    kinds.push_back(isReduced ? utils::IteratorType::reduction
                              : utils::IteratorType::parallel);
    if (!isReduced) {
      left.push_back(shapeOf(tensor)[i]);
      out.push_back(b.getAffineDimExpr(i));
    }
  }
  Scalars s(b, n.isUnsigned(0));
  const Type element = elementOf(tensor);
  Value best =
      filled(b, left, isLeast ? s.highest(element) : s.lowest(element));
  // Nothing was seen yet: any element is better.
  Value place = filled(b, left, s.constant(b.getI64Type(), -1));
  AffineMap map = AffineMap::get(rank, 0, out, b.getContext());
  auto op = linalg::GenericOp::create(
      b, TypeRange{best.getType(), place.getType()}, tensor,
      ValueRange{best, place},
      ArrayRef<AffineMap>{b.getMultiDimIdentityMap(rank), map, map}, kinds,
      [&](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, builder);
        Scalars s(inner, n.isUnsigned(0));
        Value x = isLeast ? args[1] : args[0], y = isLeast ? args[0] : args[1];
        Value better = isLast ? s.lessOrEqual(y, x) : s.less(y, x);
        better = s.add(better, s.less(args[2], s.like(args[2], 0)));
        Value at =
            s.cast(linalg::IndexOp::create(inner, axis), inner.getI64Type());
        linalg::YieldOp::create(inner,
                                ValueRange{s.select(better, args[0], args[1]),
                                           s.select(better, at, args[2])});
      });
  SmallVector<int64_t> kept(shapeOf(tensor));
  kept[size_t(axis)] = 1;
  return reshaped(b, op.getResult(1), kept);
}

static LogicalResult argExtreme(Node &n, bool isLeast) {
  if (failed(n.want(1)))
    return failure();
  FailureOr<int64_t> axis = n.axisOf(n.integer("axis", 0), n.rank(0));
  if (failed(axis))
    return failure();
  Value place = placeOf(n, n.in(0), *axis, isLeast,
                        n.integer("select_last_index", 0) != 0);
  if (!n.integer("keepdims", 1)) {
    SmallVector<int64_t> shape(shapeOf(place));
    shape.erase(shape.begin() + *axis);
    place = reshaped(n.b, place, shape);
  }
  n.result(0, place, TensorProto::INT64);
  return success();
}

static LogicalResult importArgMax(Node &n) { return argExtreme(n, false); }
static LogicalResult importArgMin(Node &n) { return argExtreme(n, true); }

/// 1 at the first largest element, 0 elsewhere.
static LogicalResult importHardmax(Node &n) {
  FailureOr<SmallVector<int64_t>> axes = softmaxAxes(n);
  if (failed(axes))
    return failure();
  // One axis of what is compared.
  SmallVector<int64_t> flat(n.shape(0));
  if (axes->size() > 1) {
    flat.resize(size_t(axes->front()));
    int64_t rest = 1;
    for (int64_t axis : *axes)
      rest *= n.shape(0)[size_t(axis)];
    flat.push_back(rest);
  }
  const int64_t axis = axes->front();
  Value tensor = reshaped(n.b, n.in(0), flat);
  Value place = placeOf(n, tensor, axis, false, false);
  Value result = mapIndexed(
      n.b, flat, n.element(0), place,
      [&](ImplicitLocOpBuilder &b, ValueRange args) {
        Scalars s(b);
        Value at = s.cast(args[1 + size_t(axis)], b.getI64Type());
        return s.select(s.equal(at, args[0]), s.constant(n.element(0), 1),
                        s.constant(n.element(0), 0));
      });
  n.result(reshaped(n.b, result, n.shape(0)));
  return success();
}

static LogicalResult importCumSum(Node &n) {
  FailureOr<SmallVector<int64_t>> given = n.integersOf(1);
  if (failed(given))
    return failure();
  if (given->size() != 1)
    return n.error("wanted one axis");
  FailureOr<int64_t> axis = n.axisOf((*given)[0], n.rank(0));
  if (failed(axis))
    return failure();
  const bool isExclusive = n.integer("exclusive", 0) != 0;
  const bool isReverse = n.integer("reverse", 0) != 0;
  // The sum over a further loop of those elements that count.
  ImplicitLocOpBuilder &b = n.b;
  const unsigned rank = unsigned(n.rank(0));
  SmallVector<AffineExpr> in, out;
  for (unsigned i = 0; i < rank; ++i) {
    out.push_back(b.getAffineDimExpr(i));
    in.push_back(int64_t(i) == *axis ? b.getAffineDimExpr(rank) : out.back());
  }
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  kinds.push_back(utils::IteratorType::reduction);
  Value start = zeros(b, n.shape(0), n.element(0));
  auto op = linalg::GenericOp::create(
      b, start.getType(), n.in(0), start,
      ArrayRef<AffineMap>{AffineMap::get(rank + 1, 0, in, b.getContext()),
                          AffineMap::get(rank + 1, 0, out, b.getContext())},
      kinds, [&](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, builder);
        Scalars s(inner);
        Value from = linalg::IndexOp::create(inner, int64_t(rank));
        Value to = linalg::IndexOp::create(inner, *axis);
        if (isReverse)
          std::swap(from, to);
        Value counts = isExclusive ? s.less(from, to) : s.lessOrEqual(from, to);
        linalg::YieldOp::create(
            inner, s.select(counts, s.add(args[1], args[0]), args[1]));
      });
  n.result(op.getResult(0));
  return success();
}

llvm::ArrayRef<Operator> frontend::reductionOperators() {
  static const Operator kOperators[] = {
      {"", "ArgMax", 1, importArgMax},
      {"", "ArgMin", 1, importArgMin},
      {"", "CumSum", 11, importCumSum},
      {"", "Hardmax", 1, importHardmax},
      {"", "LogSoftmax", 1, importLogSoftmax},
      {"", "ReduceL1", 1, importReduceL1},
      {"", "ReduceL2", 1, importReduceL2},
      {"", "ReduceLogSum", 1, importReduceLogSum},
      {"", "ReduceLogSumExp", 1, importReduceLogSumExp},
      {"", "ReduceMax", 1, importReduceMax},
      {"", "ReduceMean", 1, importReduceMean},
      {"", "ReduceMin", 1, importReduceMin},
      {"", "ReduceProd", 1, importReduceProd},
      {"", "ReduceSum", 1, importReduceSum},
      {"", "ReduceSumSquare", 1, importReduceSumSquare},
      {"", "Softmax", 1, importSoftmax},
  };
  return kOperators;
}
