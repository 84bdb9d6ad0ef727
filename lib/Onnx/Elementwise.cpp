//===- Elementwise.cpp - Operators on each element ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

/// `body` of each element of operand 0.
static LogicalResult unary(Node &n,
                           llvm::function_ref<Value(Scalars, Value)> body) {
  if (failed(n.want(1)))
    return failure();
  n.result(mapElements(n.b, n.shape(0), n.element(0), n.in(0),
                       [&](ImplicitLocOpBuilder &b, ValueRange args) {
                         return body(Scalars(b, n.isUnsigned(0)), args[0]);
                       }));
  return success();
}

/// The same of floats; what is no float is refused.
static LogicalResult
unaryFloat(Node &n, llvm::function_ref<Value(Scalars, Value)> body) {
  if (failed(n.want(1)))
    return failure();
  if (!isa<FloatType>(n.element(0)))
    return n.error("wanted floats, found " + typeName(n.typeOf(0)));
  return unary(n, body);
}

/// An operation of the math dialect.
template <typename Op> static LogicalResult math1(Node &n) {
  return unaryFloat(
      n, [](Scalars s, Value x) -> Value { return Op::create(s.b, x); });
}

static LogicalResult importAbs(Node &n) {
  return unary(n, [](Scalars s, Value x) { return s.abs(x); });
}

static LogicalResult importNeg(Node &n) {
  return unary(n, [](Scalars s, Value x) { return s.neg(x); });
}

static LogicalResult importReciprocal(Node &n) {
  return unaryFloat(n,
                    [](Scalars s, Value x) { return s.div(s.like(x, 1), x); });
}

static LogicalResult importRelu(Node &n) {
  return unary(n, [](Scalars s, Value x) { return s.max(x, s.like(x, 0)); });
}

static LogicalResult importSign(Node &n) {
  return unary(n, [](Scalars s, Value x) {
    Value zero = s.like(x, 0), one = s.like(x, 1);
    if (s.isUnsigned)
      return s.select(s.equal(x, zero), zero, one);
    return s.select(s.less(zero, x), one,
                    s.select(s.less(x, zero), s.like(x, -1), zero));
  });
}

static Value sigmoid(Scalars s, Value x) {
  Value one = s.like(x, 1);
  return s.div(one, s.add(one, math::ExpOp::create(s.b, s.neg(x))));
}

static LogicalResult importSigmoid(Node &n) { return unaryFloat(n, sigmoid); }

static LogicalResult importSoftplus(Node &n) {
  // log(1 + exp(x)) without overflow.
  return unaryFloat(n, [](Scalars s, Value x) {
    Value tail =
        math::Log1pOp::create(s.b, math::ExpOp::create(s.b, s.neg(s.abs(x))));
    return s.add(s.max(x, s.like(x, 0)), tail);
  });
}

static LogicalResult importSoftsign(Node &n) {
  return unaryFloat(n, [](Scalars s, Value x) {
    return s.div(x, s.add(s.like(x, 1), s.abs(x)));
  });
}

static Value hardSigmoid(Scalars s, Value x, double alpha, double beta) {
  Value y = s.add(s.mul(x, s.like(x, alpha)), s.like(x, beta));
  return s.max(s.min(y, s.like(x, 1)), s.like(x, 0));
}

static LogicalResult importHardSigmoid(Node &n) {
  return unaryFloat(n, [&](Scalars s, Value x) {
    return hardSigmoid(s, x, n.number("alpha", 0.2), n.number("beta", 0.5));
  });
}

static LogicalResult importHardSwish(Node &n) {
  return unaryFloat(n, [&](Scalars s, Value x) {
    return s.mul(x, hardSigmoid(s, x, 1.0 / 6, 0.5));
  });
}

/// `scale` * x from 0 on, below that what `below` says.
static LogicalResult
unaryBelowZero(Node &n, double scale,
               llvm::function_ref<Value(Scalars, Value)> below) {
  return unaryFloat(n, [&](Scalars s, Value x) {
    Value above = scale == 1 ? x : s.mul(x, s.like(x, scale));
    return s.select(s.less(x, s.like(x, 0)), below(s, x), above);
  });
}

static LogicalResult importLeakyRelu(Node &n) {
  return unaryBelowZero(n, 1, [&](Scalars s, Value x) {
    return s.mul(x, s.like(x, n.number("alpha", 0.01)));
  });
}

/// alpha * (exp(x / over) - 1)
static Value exponential(Scalars s, Value x, double alpha, double over = 1) {
  if (over != 1)
    x = s.div(x, s.like(x, over));
  Value y = math::ExpM1Op::create(s.b, x);
  return s.mul(s.like(x, alpha), y);
}

static LogicalResult importElu(Node &n) {
  return unaryBelowZero(n, 1, [&](Scalars s, Value x) {
    return exponential(s, x, n.number("alpha", 1));
  });
}

static LogicalResult importCelu(Node &n) {
  const double alpha = n.number("alpha", 1);
  return unaryBelowZero(n, 1, [&](Scalars s, Value x) {
    return exponential(s, x, alpha, alpha);
  });
}

static LogicalResult importSelu(Node &n) {
  const bool old = n.version < 6;
  const double alpha =
      n.number("alpha", old ? 1.6732 : 1.67326319217681884765625);
  const double gamma =
      n.number("gamma", old ? 1.0507 : 1.05070102214813232421875);
  return unaryBelowZero(n, gamma, [&](Scalars s, Value x) {
    return s.mul(s.like(x, gamma), exponential(s, x, alpha));
  });
}

static LogicalResult importThresholdedRelu(Node &n) {
  return unaryFloat(n, [&](Scalars s, Value x) {
    return s.select(s.less(s.like(x, n.number("alpha", 1)), x), x,
                    s.like(x, 0));
  });
}

static LogicalResult importShrink(Node &n) {
  const double lambda = n.number("lambd", 0.5), bias = n.number("bias", 0);
  return unary(n, [&](Scalars s, Value x) {
    return s.select(s.less(x, s.like(x, -lambda)), s.add(x, s.like(x, bias)),
                    s.select(s.less(s.like(x, lambda), x),
                             s.sub(x, s.like(x, bias)), s.like(x, 0)));
  });
}

static LogicalResult importGelu(Node &n) {
  return unaryFloat(n, [](Scalars s, Value x) {
    Value root = s.mul(x, s.like(x, 0.70710678118654752440));
    Value erf = math::ErfOp::create(s.b, root);
    return s.mul(s.mul(s.like(x, 0.5), x), s.add(s.like(x, 1), erf));
  });
}

/// A bool of each element.
static LogicalResult predicate(Node &n,
                               llvm::function_ref<Value(Scalars, Value)> body) {
  if (failed(n.want(1)))
    return failure();
  if (!isa<FloatType>(n.element(0)))
    return n.error("wanted floats, found " + typeName(n.typeOf(0)));
  n.result(0,
           mapElements(n.b, n.shape(0), n.b.getI1Type(), n.in(0),
                       [&](ImplicitLocOpBuilder &b, ValueRange args) {
                         return body(Scalars(b), args[0]);
                       }),
           TensorProto::BOOL);
  return success();
}

static LogicalResult importIsNaN(Node &n) {
  return predicate(n, [](Scalars s, Value x) -> Value {
    return arith::CmpFOp::create(s.b, arith::CmpFPredicate::UNO, x, x);
  });
}

static LogicalResult importIsInf(Node &n) {
  const bool negative = n.integer("detect_negative", 1) != 0;
  const bool positive = n.integer("detect_positive", 1) != 0;
  return predicate(n, [&](Scalars s, Value x) {
    Value found = s.constant(s.b.getI1Type(), 0);
    if (negative)
      found = s.add(found, s.equal(x, s.lowest(x.getType())));
    if (positive)
      found = s.add(found, s.equal(x, s.highest(x.getType())));
    return found;
  });
}

static LogicalResult importNot(Node &n) {
  return unary(n, [](Scalars s, Value x) { return s.logicalNot(x); });
}

static LogicalResult importIdentity(Node &n) {
  if (!n.has(0))
    return n.want(1);
  n.result(0, n.operand(0));
  return success();
}

static LogicalResult importDropout(Node &n) {
  if (failed(n.want(1)))
    return failure();
  if (n.version >= 12 && n.has(2)) {
    FailureOr<SmallVector<double>> training = n.numbersOf(2);
    if (failed(training))
      return failure();
    double ratio = 0.5;
    if (n.has(1)) {
      FailureOr<SmallVector<double>> given = n.numbersOf(1);
      if (failed(given))
        return failure();
      if (!given->empty())
        ratio = given->front();
    }
    if (!training->empty() && training->front() != 0 && ratio != 0)
      return n.error("wanted inference, found training_mode: what is dropped "
                     "then is random");
  }
  n.result(n.in(0));
  if (n.wants(1)) {
    const bool isBool = n.version >= 10;
    Type type = isBool ? n.b.getI1Type() : n.element(0);
    n.result(1, filled(n.b, n.shape(0), Scalars(n.b).constant(type, 1)),
             isBool ? int32_t(TensorProto::BOOL) : n.typeOf(0));
  }
  return success();
}

/// Operand 0 in another type.
static LogicalResult castOperand(Node &n, int32_t type) {
  if (failed(n.want(1)))
    return failure();
  Type element = elementTypeOf(type, n.b.getContext());
  if (!element)
    return n.error("wanted a cast to numbers or bool, found " + typeName(type));
  n.result(0, castTo(n.b, n.in(0), element, n.isUnsigned(0), isUnsigned(type)),
           type);
  return success();
}

static LogicalResult importCast(Node &n) {
  return castOperand(n, int32_t(n.integer("to", 0)));
}

static LogicalResult importCastLike(Node &n) {
  if (failed(n.want(2)))
    return failure();
  return castOperand(n, n.typeOf(1));
}

//===----------------------------------------------------------------------===//
// Several operands
//===----------------------------------------------------------------------===//

using Body2 = llvm::function_ref<Value(Scalars, Value, Value)>;

/// Operand 1 with the unit axes that old opsets give it with `axis`.
static FailureOr<Value> secondOperand(Node &n) {
  Value second = n.in(1);
  if (n.version >= 7 || !n.attribute("axis"))
    return second;
  FailureOr<int64_t> axis = n.axisOf(n.integer("axis", 0), n.rank(0));
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(n.shape(1));
  if (*axis + n.rank(1) > n.rank(0))
    return n.error("wanted an operand 1 of at most rank " +
                   llvm::Twine(n.rank(0) - *axis) + " at axis " +
                   llvm::Twine(*axis) + ", found " + llvm::Twine(n.rank(1)));
  shape.resize(size_t(n.rank(0) - *axis), 1);
  return reshaped(n.b, second, shape);
}

static LogicalResult doesNotBroadcast(Node &n) {
  std::string text;
  for (unsigned i = 0; i < n.numOperands(); ++i)
    if (n.in(i))
      text += (text.empty() ? "" : " and ") + listText(n.shape(i));
  return n.error("wanted operands whose shapes broadcast, found " + text);
}

/// `body` of each pair of elements; of a predicate the result is bool.
static LogicalResult binary(Node &n, Body2 body, bool isPredicate = false) {
  if (failed(n.want(2)))
    return failure();
  if (n.element(0) != n.element(1))
    return n.error("wanted operands of one type, found " +
                   typeName(n.typeOf(0)) + " and " + typeName(n.typeOf(1)));
  FailureOr<Value> second = secondOperand(n);
  if (failed(second))
    return failure();
  auto shape = broadcastShape({n.shape(0), shapeOf(*second)});
  if (!shape)
    return doesNotBroadcast(n);
  Type element = isPredicate ? n.b.getI1Type() : n.element(0);
  n.result(0,
           mapElements(n.b, *shape, element, {n.in(0), *second},
                       [&](ImplicitLocOpBuilder &b, ValueRange args) {
                         return body(Scalars(b, n.isUnsigned(0)), args[0],
                                     args[1]);
                       }),
           isPredicate ? int32_t(TensorProto::BOOL) : n.typeOf(0));
  return success();
}

template <Value (Scalars::*op)(Value, Value) const>
static LogicalResult arithmetic(Node &n) {
  return binary(n, [](Scalars s, Value x, Value y) { return (s.*op)(x, y); });
}

template <Value (Scalars::*op)(Value, Value) const>
static LogicalResult comparison(Node &n) {
  return binary(
      n, [](Scalars s, Value x, Value y) { return (s.*op)(x, y); }, true);
}

template <Value (Scalars::*op)(Value, Value) const>
static LogicalResult swappedComparison(Node &n) {
  return binary(
      n, [](Scalars s, Value x, Value y) { return (s.*op)(y, x); }, true);
}

static LogicalResult importXor(Node &n) {
  return binary(n, [](Scalars s, Value x, Value y) -> Value {
    return arith::XOrIOp::create(s.b, x, y);
  });
}

static LogicalResult importMod(Node &n) {
  const bool truncated = n.integer("fmod", 0) != 0;
  return binary(n, [&](Scalars s, Value x, Value y) -> Value {
    if (Scalars::isFloat(x))
      return arith::RemFOp::create(s.b, x, y);
    if (s.isUnsigned)
      return arith::RemUIOp::create(s.b, x, y);
    Value rest = arith::RemSIOp::create(s.b, x, y);
    if (truncated)
      return rest;
    // With the sign of the divisor, as Python has it.
    Value zero = s.like(x, 0);
    Value differs =
        arith::XOrIOp::create(s.b, s.less(rest, zero), s.less(y, zero));
    Value moves =
        arith::AndIOp::create(s.b, differs, s.logicalNot(s.equal(rest, zero)));
    return s.select(moves, s.add(rest, y), rest);
  });
}

static LogicalResult importBitShift(Node &n) {
  const bool isLeft = n.text("direction", "") == "LEFT";
  return binary(n, [&](Scalars s, Value x, Value y) -> Value {
    // A shift by the width or more would be undefined.
    const unsigned width = x.getType().getIntOrFloatBitWidth();
    Value tooFar = s.lessOrEqual(s.like(y, width), y);
    Value by = s.select(tooFar, s.like(y, 0), y);
    Value moved = isLeft ? arith::ShLIOp::create(s.b, x, by).getResult()
                         : arith::ShRUIOp::create(s.b, x, by).getResult();
    return s.select(tooFar, s.like(x, 0), moved);
  });
}

static LogicalResult importPow(Node &n) {
  if (failed(n.want(2)))
    return failure();
  FailureOr<Value> second = secondOperand(n);
  if (failed(second))
    return failure();
  auto shape = broadcastShape({n.shape(0), shapeOf(*second)});
  if (!shape)
    return doesNotBroadcast(n);
  // Squares are what most powers are, and cheap.
  const Evaluator::Elements *exponents = n.evaluate(*second);
  const bool isSquare =
      exponents && exponents->size() == 1 && isa<FloatType>(n.element(0)) &&
      ((isa<FloatAttr>(exponents->front()) &&
        cast<FloatAttr>(exponents->front()).getValueAsDouble() == 2) ||
       (isa<IntegerAttr>(exponents->front()) &&
        cast<IntegerAttr>(exponents->front()).getInt() == 2));
  n.result(mapElements(
      n.b, *shape, n.element(0), {n.in(0), *second},
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Scalars s(b, n.isUnsigned(0));
        if (isSquare)
          return s.mul(args[0], args[0]);
        const Type element = args[0].getType();
        // Integers by way of f64, which has those below 2^53.
        const Type wide = isa<FloatType>(element) ? element : b.getF64Type();
        Value x = s.cast(args[0], wide);
        Value y = Scalars(b, n.isUnsigned(1)).cast(args[1], wide);
        return s.cast(math::PowFOp::create(b, x, y), element, n.isUnsigned(0));
      }));
  return success();
}

static LogicalResult importPRelu(Node &n) {
  if (failed(n.want(2)))
    return failure();
  // Before version 7 a slope per channel, from then on one that broadcasts;
  // exporters write the former still.
  Value slope = n.in(1);
  auto shape = broadcastShape({n.shape(0), n.shape(1)});
  if (n.rank(1) == 1 && n.rank(0) > 2 && n.shape(1)[0] == n.shape(0)[1] &&
      (n.version < 7 || !shape || ArrayRef<int64_t>(*shape) != n.shape(0))) {
    SmallVector<int64_t> channels(size_t(n.rank(0) - 1), 1);
    channels[0] = n.shape(1)[0];
    slope = reshaped(n.b, slope, channels);
    shape = broadcastShape({n.shape(0), shapeOf(slope)});
  }
  if (!shape)
    return doesNotBroadcast(n);
  n.result(mapElements(n.b, *shape, n.element(0), {n.in(0), slope},
                       [&](ImplicitLocOpBuilder &b, ValueRange args) {
                         Scalars s(b, n.isUnsigned(0));
                         Value zero = s.like(args[0], 0);
                         return s.select(s.less(args[0], zero),
                                         s.mul(args[0], args[1]), args[0]);
                       }));
  return success();
}

/// Any number of operands, one after the other.
static LogicalResult variadic(Node &n, Body2 body, bool isMean = false) {
  if (failed(n.want(std::max(1u, n.numOperands()))))
    return failure();
  SmallVector<ArrayRef<int64_t>> shapes;
  SmallVector<Value> operands;
  for (unsigned i = 0; i < n.numOperands(); ++i) {
    if (n.element(i) != n.element(0))
      return n.error("wanted operands of one type, found " +
                     typeName(n.typeOf(0)) + " and " + typeName(n.typeOf(i)));
    shapes.push_back(n.shape(i));
    operands.push_back(n.in(i));
  }
  auto shape = broadcastShape(shapes);
  if (!shape)
    return doesNotBroadcast(n);
  if (operands.size() == 1)
    return n.result(n.in(0)), success();
  n.result(mapElements(n.b, *shape, n.element(0), operands,
                       [&](ImplicitLocOpBuilder &b, ValueRange args) {
                         Scalars s(b, n.isUnsigned(0));
                         Value value = args[0];
                         for (Value each : args.drop_front())
                           value = body(s, value, each);
                         return isMean
                                    ? s.div(value,
                                            s.like(value, double(args.size())))
                                    : value;
                       }));
  return success();
}

template <Value (Scalars::*op)(Value, Value) const>
static LogicalResult foldOperands(Node &n) {
  return variadic(n, [](Scalars s, Value x, Value y) { return (s.*op)(x, y); });
}

static LogicalResult importMean(Node &n) {
  return variadic(
      n, [](Scalars s, Value x, Value y) { return s.add(x, y); }, true);
}

static LogicalResult importWhere(Node &n) {
  if (failed(n.want(3)))
    return failure();
  auto shape = broadcastShape({n.shape(0), n.shape(1), n.shape(2)});
  if (!shape)
    return doesNotBroadcast(n);
  if (!n.element(0).isInteger(1) || n.element(1) != n.element(2))
    return n.error("wanted a bool and two operands of one type, found " +
                   typeName(n.typeOf(0)) + ", " + typeName(n.typeOf(1)) +
                   " and " + typeName(n.typeOf(2)));
  n.result(0,
           mapElements(n.b, *shape, n.element(1), {n.in(0), n.in(1), n.in(2)},
                       [&](ImplicitLocOpBuilder &b, ValueRange args) {
                         return Scalars(b).select(args[0], args[1], args[2]);
                       }),
           n.typeOf(1));
  return success();
}

static LogicalResult importClip(Node &n) {
  if (failed(n.want(1)))
    return failure();
  if (n.version < 11) {
    const bool hasMin = n.attribute("min"), hasMax = n.attribute("max");
    return unary(n, [&](Scalars s, Value x) {
      if (hasMin)
        x = s.max(x, s.like(x, n.number("min", 0)));
      if (hasMax)
        x = s.min(x, s.like(x, n.number("max", 0)));
      return x;
    });
  }
  SmallVector<Value> operands{n.in(0)};
  for (unsigned i : {1u, 2u}) {
    if (!n.has(i))
      continue;
    if (n.rank(i) > 1 || n.element(i) != n.element(0) ||
        (n.rank(i) == 1 && n.shape(i)[0] != 1))
      return n.error("wanted one " + typeName(n.typeOf(0)) + " as bound");
    operands.push_back(reshaped(n.b, n.in(i), {}));
  }
  n.result(mapElements(n.b, n.shape(0), n.element(0), operands,
                       [&](ImplicitLocOpBuilder &b, ValueRange args) {
                         Scalars s(b, n.isUnsigned(0));
                         Value x = args[0];
                         if (n.has(1))
                           x = s.max(x, args[1]);
                         if (n.has(2))
                           x = s.min(x, args.back());
                         return x;
                       }));
  return success();
}

llvm::ArrayRef<Operator> frontend::elementwiseOperators() {
  static const Operator kOperators[] = {
      {"", "Abs", 1, importAbs},
      {"", "Acos", 1, math1<math::AcosOp>},
      {"", "Acosh", 1, math1<math::AcoshOp>},
      {"", "Add", 1, arithmetic<&Scalars::add>},
      {"", "And", 1, arithmetic<&Scalars::mul>},
      {"", "Asin", 1, math1<math::AsinOp>},
      {"", "Asinh", 1, math1<math::AsinhOp>},
      {"", "Atan", 1, math1<math::AtanOp>},
      {"", "Atanh", 1, math1<math::AtanhOp>},
      {"", "BitShift", 11, importBitShift},
      {"", "Cast", 6, importCast},
      {"", "CastLike", 15, importCastLike},
      {"", "Ceil", 1, math1<math::CeilOp>},
      {"", "Celu", 12, importCelu},
      {"", "Clip", 1, importClip},
      {"", "Cos", 1, math1<math::CosOp>},
      {"", "Cosh", 1, math1<math::CoshOp>},
      {"", "Div", 1, arithmetic<&Scalars::div>},
      {"", "Dropout", 7, importDropout, true},
      {"", "Elu", 1, importElu},
      {"", "Equal", 1, comparison<&Scalars::equal>},
      {"", "Erf", 9, math1<math::ErfOp>},
      {"", "Exp", 1, math1<math::ExpOp>},
      {"", "Floor", 1, math1<math::FloorOp>},
      {"", "Greater", 1, swappedComparison<&Scalars::less>},
      {"", "GreaterOrEqual", 12, swappedComparison<&Scalars::lessOrEqual>},
      {"", "HardSigmoid", 1, importHardSigmoid},
      {"", "HardSwish", 14, importHardSwish},
      {"", "Identity", 1, importIdentity, true},
      {"", "IsInf", 10, importIsInf},
      {"", "IsNaN", 9, importIsNaN},
      {"", "LeakyRelu", 1, importLeakyRelu},
      {"", "Less", 1, comparison<&Scalars::less>},
      {"", "LessOrEqual", 12, comparison<&Scalars::lessOrEqual>},
      {"", "Log", 1, math1<math::LogOp>},
      {"", "Max", 1, foldOperands<&Scalars::max>},
      {"", "Mean", 1, importMean},
      {"", "Min", 1, foldOperands<&Scalars::min>},
      {"", "Mod", 10, importMod},
      {"", "Mul", 1, arithmetic<&Scalars::mul>},
      {"", "Neg", 1, importNeg},
      {"", "Not", 1, importNot},
      {"", "Or", 1, arithmetic<&Scalars::add>},
      {"", "PRelu", 1, importPRelu},
      {"", "Pow", 1, importPow},
      {"", "Reciprocal", 1, importReciprocal},
      {"", "Relu", 1, importRelu},
      {"", "Round", 11, math1<math::RoundEvenOp>},
      {"", "Selu", 1, importSelu},
      {"", "Shrink", 9, importShrink},
      {"", "Sigmoid", 1, importSigmoid},
      {"", "Sign", 9, importSign},
      {"", "Sin", 1, math1<math::SinOp>},
      {"", "Sinh", 1, math1<math::SinhOp>},
      {"", "Softplus", 1, importSoftplus},
      {"", "Softsign", 1, importSoftsign},
      {"", "Sqrt", 1, math1<math::SqrtOp>},
      {"", "Sub", 1, arithmetic<&Scalars::sub>},
      {"", "Sum", 1, foldOperands<&Scalars::add>},
      {"", "Tan", 1, math1<math::TanOp>},
      {"", "Tanh", 1, math1<math::TanhOp>},
      {"", "ThresholdedRelu", 10, importThresholdedRelu},
      {"", "Where", 9, importWhere},
      {"", "Xor", 1, importXor},
      {"com.microsoft", "Gelu", 1, importGelu},
  };
  return kOperators;
}
