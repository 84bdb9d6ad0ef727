//===- Normalizations.cpp - Normalisation over axes -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;

/// The mean over `axes`, which stay as 1.
static Value meanOver(ImplicitLocOpBuilder &b, Value tensor,
                      ArrayRef<int64_t> axes) {
  double count = 1;
  for (int64_t axis : axes)
    count *= double(shapeOf(tensor)[size_t(axis)]);
  Value sums =
      reduceAxes(b, tensor, axes, Scalars(b).constant(elementOf(tensor), 0),
                 true, [](ImplicitLocOpBuilder &b, ValueRange args) {
                   return Scalars(b).add(args[0], args[1]);
                 });
  return mapElements(b, shapeOf(sums), elementOf(sums), sums,
                     [&](ImplicitLocOpBuilder &b, ValueRange args) {
                       Scalars s(b);
                       return s.div(args[0], s.like(args[0], count));
                     });
}

static Value combined(ImplicitLocOpBuilder &b, Value x, Value y,
                      Value (Scalars::*op)(Value, Value) const) {
  return mapElements(b, *broadcastShape({shapeOf(x), shapeOf(y)}), elementOf(x),
                     {x, y}, [&](ImplicitLocOpBuilder &b, ValueRange args) {
                       return (Scalars(b).*op)(args[0], args[1]);
                     });
}

/// 1 / sqrt(variance + epsilon)
static Value inverseDeviation(ImplicitLocOpBuilder &b, Value variance,
                              double epsilon) {
  return mapElements(b, shapeOf(variance), elementOf(variance), variance,
                     [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                       Scalars s(b);
                       return math::RsqrtOp::create(
                           b, s.add(args[0], s.like(args[0], epsilon)));
                     });
}

/// A number per channel, as an operand of elementwise operations on [N, C, ..].
static Value perChannel(ImplicitLocOpBuilder &b, Value numbers, int64_t rank) {
  SmallVector<int64_t> shape(size_t(rank - 1), 1);
  shape[0] = shapeOf(numbers)[0];
  return reshaped(b, numbers, shape);
}

/// Fails unless operand `i` has a number for each channel.
static LogicalResult wantPerChannel(Node &n, unsigned i) {
  if (n.rank(i) == 1 && n.shape(i)[0] == n.shape(0)[1])
    return success();
  return n.error("wanted a number for each of " + llvm::Twine(n.shape(0)[1]) +
                 " channels as operand " + llvm::Twine(i));
}

static LogicalResult importBatchNormalization(Node &n) {
  if (failed(n.want(5)))
    return failure();
  if (n.rank(0) < 2)
    return n.error("wanted an operand with channels");
  for (unsigned i = 1; i < 5; ++i)
    if (failed(wantPerChannel(n, i)))
      return failure();
  ImplicitLocOpBuilder &b = n.b;
  const Type element = n.element(0);
  const double epsilon = n.number("epsilon", 1e-5);
  const int64_t rank = n.rank(0);
  Value mean = n.in(3), variance = n.in(4);
  const bool trains = n.version >= 14 ? n.integer("training_mode", 0) != 0
                      : n.version < 7
                          ? n.integer("is_test", 0) == 0 && n.wants(1)
                          : n.wants(1);
  if (trains) {
    if (n.version < 14)
      return n.error("wanted inference, found training; export the model for "
                     "inference");
    SmallVector<int64_t> axes{0};
    llvm::append_range(axes, llvm::seq<int64_t>(2, rank));
    Value current = meanOver(b, n.in(0), axes);
    Value away = combined(b, n.in(0), current, &Scalars::sub);
    Value spread = meanOver(b, combined(b, away, away, &Scalars::mul), axes);
    const int64_t channels = n.shape(0)[1];
    current = reshaped(b, current, {channels});
    spread = reshaped(b, spread, {channels});
    const double momentum = n.number("momentum", 0.9);
    auto running = [&](Value old, Value now) {
      return mapElements(
          b, {channels}, elementOf(old), {old, castTo(b, now, elementOf(old))},
          [&](ImplicitLocOpBuilder &b, ValueRange args) {
            Scalars s(b);
            return s.add(s.mul(args[0], s.like(args[0], momentum)),
                         s.mul(args[1], s.like(args[1], 1 - momentum)));
          });
    };
    n.result(1, running(mean, current), n.typeOf(3));
    n.result(2, running(variance, spread), n.typeOf(4));
    mean = current;
    variance = spread;
  }
  SmallVector<Value> operands{n.in(0)};
  for (Value each : {n.in(1), n.in(2), mean, variance})
    operands.push_back(perChannel(b, castTo(b, each, element), rank));
  // One body, as front ends write it.
  n.result(mapElements(b, n.shape(0), element, operands,
                       [&](ImplicitLocOpBuilder &b, ValueRange args) {
                         Scalars s(b);
                         Value root = math::RsqrtOp::create(
                             b, s.add(args[4], s.like(args[4], epsilon)));
                         Value unit = s.mul(s.sub(args[0], args[3]), root);
                         return s.add(s.mul(unit, args[1]), args[2]);
                       }));
  return success();
}

static LogicalResult importInstanceNormalization(Node &n) {
  if (failed(n.want(3)))
    return failure();
  if (n.rank(0) < 3)
    return n.error("wanted an image of at least rank 3");
  if (failed(wantPerChannel(n, 1)) || failed(wantPerChannel(n, 2)))
    return failure();
  ImplicitLocOpBuilder &b = n.b;
  const SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(2, n.rank(0)));
  Value away = combined(b, n.in(0), meanOver(b, n.in(0), axes), &Scalars::sub);
  Value variance = meanOver(b, combined(b, away, away, &Scalars::mul), axes);
  Value unit = combined(
      b, away, inverseDeviation(b, variance, n.number("epsilon", 1e-5)),
      &Scalars::mul);
  unit = combined(b, unit, perChannel(b, n.in(1), n.rank(0)), &Scalars::mul);
  n.result(combined(b, unit, perChannel(b, n.in(2), n.rank(0)), &Scalars::add));
  return success();
}

static LogicalResult importLayerNormalization(Node &n) {
  if (failed(n.want(2)))
    return failure();
  FailureOr<int64_t> axis = n.axisOf(n.integer("axis", -1), n.rank(0));
  if (failed(axis))
    return failure();
  ImplicitLocOpBuilder &b = n.b;
  if (!isa<FloatType>(n.element(0)))
    return n.error("wanted floats, found " + typeName(n.typeOf(0)));
  const SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(*axis, n.rank(0)));
  for (unsigned i = 1; i < 3; ++i)
    if (n.has(i)) {
      auto shape = broadcastShape({n.shape(0), n.shape(i)});
      if (!shape || ArrayRef<int64_t>(*shape) != n.shape(0) ||
          n.element(i) != n.element(0))
        return n.error("wanted a scale and a bias that broadcast to the "
                       "operand");
    }
  // In f32 at least, as stash_type says by default.
  const Type wide = elementOf(n.in(0)).getIntOrFloatBitWidth() < 32
                        ? Type(b.getF32Type())
                        : n.element(0);
  Value source = castTo(b, n.in(0), wide);
  Value mean = meanOver(b, source, axes);
  Value away = combined(b, source, mean, &Scalars::sub);
  Value variance = meanOver(b, combined(b, away, away, &Scalars::mul), axes);
  Value inverse = inverseDeviation(b, variance, n.number("epsilon", 1e-5));
  Value unit = combined(b, away, inverse, &Scalars::mul);
  unit = castTo(b, unit, n.element(0));
  unit = combined(b, unit, n.in(1), &Scalars::mul);
  if (n.has(2))
    unit = combined(b, unit, n.in(2), &Scalars::add);
  n.result(unit);
  const int32_t type =
      wide == n.element(0) ? n.typeOf(0) : int32_t(onnx::TensorProto::FLOAT);
  n.result(1, mean, type);
  n.result(2, inverse, type);
  return success();
}

llvm::ArrayRef<Operator> frontend::normalizationOperators() {
  static const Operator kOperators[] = {
      {"", "BatchNormalization", 1, importBatchNormalization},
      {"", "InstanceNormalization", 6, importInstanceNormalization},
      {"", "LayerNormalization", 17, importLayerNormalization},
  };
  return kOperators;
}
