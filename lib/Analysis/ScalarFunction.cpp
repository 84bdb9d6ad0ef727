//===- ScalarFunction.cpp - Elementwise ops as a function of one ----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/ScalarFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace fadiff;

static bool isUnderstood(Operation *op) {
  return isa<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::ShRSIOp,
             arith::ShRUIOp, arith::ShLIOp, arith::ExtUIOp, arith::DivSIOp,
             arith::MaxSIOp, arith::MinSIOp, arith::ExtSIOp, arith::TruncIOp,
             arith::SIToFPOp, arith::FPToSIOp, arith::AddFOp, arith::SubFOp,
             arith::MulFOp, arith::DivFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::CmpIOp, arith::CmpFOp,
             arith::SelectOp, arith::ExtFOp, arith::TruncFOp, math::RoundEvenOp,
             math::RoundOp, math::FloorOp, math::CeilOp>(op);
}

static bool isUnderstood(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isSignless() && integer.getWidth() <= 64;
  return type.isF32() || type.isF64();
}

ScalarFunction::ScalarFunction() {
  Node argument;
  argument.isArgument = true;
  nodes.push_back(argument);
}

void ScalarFunction::bindArgument(Value tensor) {
  nodes[0].type = getElementTypeOrSelf(tensor.getType());
  tensors[tensor] = 0;
}

void ScalarFunction::bindBytes(Value tensor) {
  Node node;
  node.type = getElementTypeOrSelf(tensor.getType());
  for (int64_t value = -128; value <= 127; ++value)
    node.constants.push_back({value, 0});
  tensors[tensor] = nodes.size();
  nodes.push_back(std::move(node));
  perChannel = true;
}

unsigned ScalarFunction::resultWidth() const {
  auto integer = dyn_cast_or_null<IntegerType>(nodes[result].type);
  return integer ? integer.getWidth() : 0;
}

std::optional<unsigned> ScalarFunction::addConstant(Attribute value) {
  Node node;
  auto number = [](Attribute attr) -> std::optional<Number> {
    if (auto integer = dyn_cast<IntegerAttr>(attr))
      if (isUnderstood(integer.getType()))
        return Number{integer.getValue().getSExtValue(), 0};
    if (auto real = dyn_cast<FloatAttr>(attr))
      if (isUnderstood(real.getType()))
        return Number{0, real.getValueAsDouble()};
    return std::nullopt;
  };
  if (auto elements = dyn_cast<DenseElementsAttr>(value)) {
    node.type = elements.getElementType();
    if (!isUnderstood(node.type))
      return std::nullopt;
    if (elements.isSplat()) {
      node.constants.push_back(*number(elements.getSplatValue<Attribute>()));
    } else {
      for (Attribute each : elements.getValues<Attribute>())
        node.constants.push_back(*number(each));
      perChannel = true;
    }
  } else {
    auto typed = dyn_cast<TypedAttr>(value);
    std::optional<Number> scalar = number(value);
    if (!typed || !scalar)
      return std::nullopt;
    node.type = typed.getType();
    node.constants.push_back(*scalar);
  }
  nodes.push_back(std::move(node));
  return nodes.size() - 1;
}

/// `operand` must be a constant: a scalar, one element, or one per channel.
bool ScalarFunction::addOperand(linalg::LinalgOp op, OpOperand &operand,
                                unsigned channelAxis, unsigned &node) {
  Attribute value;
  if (!matchPattern(operand.get(), m_Constant(&value)))
    return false;
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (elements && !elements.isSplat()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    AffineMap out = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
    if (channelAxis >= out.getNumResults())
      return false;
    for (auto [axis, index] : llvm::enumerate(map.getResults()))
      if (elements.getType().getDimSize(axis) != 1 &&
          index != out.getResult(channelAxis))
        return false;
  }
  std::optional<unsigned> added = addConstant(value);
  if (!added)
    return false;
  node = *added;
  return true;
}

LogicalResult ScalarFunction::append(linalg::LinalgOp op, Value chain,
                                     unsigned channelAxis,
                                     std::string &reason) {
  ScalarFunction before = *this;
  auto fail = [&](Operation *culprit, StringRef what) {
    *this = std::move(before);
    reason = ("'" + culprit->getName().getStringRef() + "' " + what).str();
    return failure();
  };
  llvm::DenseMap<Value, unsigned> known;
  for (OpOperand &operand : op->getOpOperands()) {
    BlockArgument inside = op.getMatchingBlockArgument(&operand);
    if (inside.use_empty())
      continue;
    if (auto it = tensors.find(operand.get()); it != tensors.end()) {
      known[inside] = it->second;
      continue;
    }
    if (operand.get() == chain) {
      known[inside] = result;
      if (!nodes[result].type)
        nodes[result].type = inside.getType();
      continue;
    }
    unsigned node;
    if (!addOperand(op, operand, channelAxis, node))
      return fail(op,
                  "reads another tensor that is not a constant per channel");
    known[inside] = node;
  }
  auto nodeOf = [&](Value value) -> std::optional<unsigned> {
    auto it = known.find(value);
    if (it != known.end())
      return it->second;
    Attribute attr;
    if (!matchPattern(value, m_Constant(&attr)))
      return std::nullopt;
    std::optional<unsigned> added = addConstant(attr);
    if (added)
      known[value] = *added;
    return added;
  };
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (inner.hasTrait<OpTrait::ConstantLike>())
      continue;
    if (!isUnderstood(&inner) || !isUnderstood(inner.getResult(0).getType()))
      return fail(&inner, "is no arithmetic that can be followed here");
    Node node;
    node.op = &inner;
    node.type = inner.getResult(0).getType();
    for (auto [i, operand] : llvm::enumerate(inner.getOperands())) {
      std::optional<unsigned> index = nodeOf(operand);
      if (!index)
        return fail(&inner, "reads a value that is not constant");
      node.operands[i] = *index;
    }
    nodes.push_back(node);
    known[inner.getResult(0)] = nodes.size() - 1;
  }
  auto yielded = nodeOf(op.getBlock()->getTerminator()->getOperand(0));
  if (!yielded)
    return fail(op, "yields a value that is not computed from its sum");
  result = *yielded;
  tensors[op->getResult(0)] = result;
  return success();
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

static bool compare(arith::CmpIPredicate predicate, int64_t a, int64_t b,
                    bool &defined) {
  switch (predicate) {
  case arith::CmpIPredicate::sge:
    return a >= b;
  case arith::CmpIPredicate::sgt:
    return a > b;
  case arith::CmpIPredicate::sle:
    return a <= b;
  case arith::CmpIPredicate::slt:
    return a < b;
  default:
    defined = false;
    return false;
  }
}

static bool compare(arith::CmpFPredicate predicate, double a, double b,
                    bool &defined) {
  using P = arith::CmpFPredicate;
  switch (predicate) {
  case P::OGE:
  case P::UGE:
    return a >= b;
  case P::OGT:
  case P::UGT:
    return a > b;
  case P::OLE:
  case P::ULE:
    return a <= b;
  case P::OLT:
  case P::ULT:
    return a < b;
  default:
    defined = false;
    return false;
  }
}

bool ScalarFunction::run(int64_t argument, unsigned channel,
                         std::vector<Number> &values,
                         Operation *&culprit) const {
  values.resize(nodes.size());
  for (size_t index = 0; index < nodes.size(); ++index) {
    const Node &node = nodes[index];
    Number &value = values[index];
    if (node.isArgument) {
      value.integer = argument;
      continue;
    }
    if (!node.op) {
      value = node.constants[node.constants.size() == 1 ? 0 : channel];
      continue;
    }
    const Number &a = values[node.operands[0]], &b = values[node.operands[1]],
                 &c = values[node.operands[2]];
    bool defined = true;
    int64_t integer = 0;
    double real = 0;
    llvm::TypeSwitch<Operation *>(node.op)
        .Case<arith::AddIOp>([&](auto) {
          defined = !llvm::AddOverflow(a.integer, b.integer, integer);
        })
        .Case<arith::SubIOp>([&](auto) {
          defined = !llvm::SubOverflow(a.integer, b.integer, integer);
        })
        .Case<arith::MulIOp>([&](auto) {
          defined = !llvm::MulOverflow(a.integer, b.integer, integer);
        })
        .Case<arith::ShRSIOp, arith::ShRUIOp>([&](auto op) {
          defined = b.integer >= 0 &&
                    b.integer < node.type.getIntOrFloatBitWidth() &&
                    (isa<arith::ShRSIOp>(op) || a.integer >= 0);
          if (defined)
            integer = a.integer >> b.integer;
        })
        .Case<arith::ShLIOp>([&](auto) {
          defined =
              b.integer >= 0 && b.integer < 63 &&
              !llvm::MulOverflow(a.integer, int64_t(1) << b.integer, integer);
        })
        .Case<arith::ExtUIOp>([&](auto) {
          defined = a.integer >= 0;
          integer = a.integer;
        })
        .Case<arith::DivSIOp>([&](auto) {
          defined = b.integer > 0;
          if (defined)
            integer = a.integer / b.integer;
        })
        .Case<arith::MaxSIOp>(
            [&](auto) { integer = std::max(a.integer, b.integer); })
        .Case<arith::MinSIOp>(
            [&](auto) { integer = std::min(a.integer, b.integer); })
        .Case<arith::ExtSIOp, arith::TruncIOp>(
            [&](auto) { integer = a.integer; })
        .Case<arith::SIToFPOp>([&](auto) {
          real = node.type.isF32()
                     ? static_cast<double>(static_cast<float>(a.integer))
                     : static_cast<double>(a.integer);
        })
        .Case<arith::FPToSIOp>([&](auto) {
          defined = std::abs(a.real) < 0x1p62;
          if (defined)
            integer = static_cast<int64_t>(a.real);
        })
        // Each is rounded once more below if the type is f32, which for one
        // operation on two f32 gives what f32 arithmetic gives.
        .Case<arith::AddFOp>([&](auto) { real = a.real + b.real; })
        .Case<arith::SubFOp>([&](auto) { real = a.real - b.real; })
        .Case<arith::MulFOp>([&](auto) { real = a.real * b.real; })
        .Case<arith::DivFOp>([&](auto) {
          defined = b.real > 0;
          real = a.real / b.real;
        })
        .Case<arith::MaximumFOp, arith::MaxNumFOp>(
            [&](auto) { real = std::max(a.real, b.real); })
        .Case<arith::MinimumFOp, arith::MinNumFOp>(
            [&](auto) { real = std::min(a.real, b.real); })
        .Case<arith::ExtFOp, arith::TruncFOp>([&](auto) { real = a.real; })
        .Case<math::RoundEvenOp>(
            [&](auto) { real = __builtin_roundeven(a.real); })
        .Case<math::RoundOp>([&](auto) { real = std::round(a.real); })
        .Case<math::FloorOp>([&](auto) { real = std::floor(a.real); })
        .Case<math::CeilOp>([&](auto) { real = std::ceil(a.real); })
        .Case<arith::CmpIOp>([&](arith::CmpIOp op) {
          integer = compare(op.getPredicate(), a.integer, b.integer, defined);
        })
        .Case<arith::CmpFOp>([&](arith::CmpFOp op) {
          integer = compare(op.getPredicate(), a.real, b.real, defined);
        })
        .Case<arith::SelectOp>([&](auto) {
          integer = (a.integer ? b : c).integer;
          real = (a.integer ? b : c).real;
        })
        .Default([&](Operation *) { defined = false; });
    if (auto type = dyn_cast<IntegerType>(node.type))
      // i1 holds what comparisons give, 0 and 1.
      defined &= type.getWidth() == 1 || type.getWidth() == 64 ||
                 llvm::isIntN(type.getWidth(), integer);
    else if (node.type.isF32())
      real = static_cast<float>(real);
    defined &= !std::isnan(real);
    if (!defined) {
      culprit = node.op;
      return false;
    }
    value = {integer, real};
  }
  return true;
}

std::optional<int64_t> ScalarFunction::tryEvaluate(int64_t argument,
                                                   unsigned channel,
                                                   std::string &reason) const {
  std::vector<Number> values;
  Operation *culprit = nullptr;
  if (run(argument, channel, values, culprit))
    return values[result].integer;
  reason = ("'" + culprit->getName().getStringRef() +
            "' wraps, or has no value, for some of its inputs")
               .str();
  return std::nullopt;
}

int64_t ScalarFunction::evaluate(int64_t argument, unsigned channel) const {
  std::vector<Number> values;
  Operation *culprit = nullptr;
  run(argument, channel, values, culprit);
  return values[result].integer;
}

//===----------------------------------------------------------------------===//
// Monotonicity
//===----------------------------------------------------------------------===//

bool ScalarFunction::isMonotone(int64_t low, int64_t high, unsigned channel,
                                std::string &reason) const {
  std::vector<Number> atLow, atHigh;
  Operation *culprit = nullptr;
  if (!run(low, channel, atLow, culprit) ||
      !run(high, channel, atHigh, culprit)) {
    reason = ("'" + culprit->getName().getStringRef() +
              "' wraps or is not defined for some of its sums")
                 .str();
    return false;
  }
  // Each node goes one way, so between the ends nothing wraps either.
  SmallVector<Direction> directions;
  for (const Node &node : nodes) {
    Direction way =
        node.isArgument ? Direction::Up
        : !node.op      ? Direction::Flat
                   : direction(node, directions, low, high, channel, atLow);
    if (way == Direction::Unknown) {
      reason = ("'" + node.op->getName().getStringRef() +
                "' may rise and fall with its sum")
                   .str();
      return false;
    }
    directions.push_back(way);
  }
  if (directions[result] != Direction::Down)
    return true;
  reason = "it falls as the sum rises";
  return false;
}

ScalarFunction::Direction
ScalarFunction::direction(const Node &node, ArrayRef<Direction> directions,
                          int64_t low, int64_t high, unsigned channel,
                          ArrayRef<Number> atLow) const {
  Direction a = directions[node.operands[0]], b = directions[node.operands[1]];
  auto flip = [](Direction way) {
    return way == Direction::Up     ? Direction::Down
           : way == Direction::Down ? Direction::Up
                                    : way;
  };
  auto together = [](Direction first, Direction second) {
    if (first == Direction::Flat)
      return second;
    return second == Direction::Flat || first == second ? first
                                                        : Direction::Unknown;
  };
  auto scaled = [&](Direction way, const Number &factor) {
    return factor.integer < 0 || factor.real < 0 ? flip(way) : way;
  };
  Operation *op = node.op;
  if (isa<arith::AddIOp, arith::AddFOp, arith::MaxSIOp, arith::MinSIOp,
          arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
          arith::MinNumFOp>(op))
    return together(a, b);
  if (isa<arith::SubIOp, arith::SubFOp>(op))
    return together(a, flip(b));
  if (isa<arith::MulIOp, arith::MulFOp>(op)) {
    if (b == Direction::Flat)
      return scaled(a, atLow[node.operands[1]]);
    return a == Direction::Flat ? scaled(b, atLow[node.operands[0]])
                                : Direction::Unknown;
  }
  if (isa<arith::ShRSIOp, arith::ShRUIOp, arith::ShLIOp, arith::DivSIOp,
          arith::DivFOp>(op))
    return b == Direction::Flat ? a : Direction::Unknown;
  if (isa<arith::CmpIOp, arith::CmpFOp>(op)) {
    bool greater;
    if (auto cmp = dyn_cast<arith::CmpIOp>(op))
      greater = cmp.getPredicate() == arith::CmpIPredicate::sge ||
                cmp.getPredicate() == arith::CmpIPredicate::sgt;
    else
      greater = llvm::is_contained(
          {arith::CmpFPredicate::OGE, arith::CmpFPredicate::OGT,
           arith::CmpFPredicate::UGE, arith::CmpFPredicate::UGT},
          cast<arith::CmpFOp>(op).getPredicate());
    return greater ? together(a, flip(b)) : together(flip(a), b);
  }
  if (isa<arith::SelectOp>(op))
    return selectDirection(node, directions, low, high, channel);
  return a; // casts and roundings
}

/// A condition that changes once splits the range; each part goes its side's
/// way, and so must the jump between them.
ScalarFunction::Direction
ScalarFunction::selectDirection(const Node &node,
                                ArrayRef<Direction> directions, int64_t low,
                                int64_t high, unsigned channel) const {
  std::vector<Number> values;
  Operation *culprit = nullptr;
  // All nodes before this one are defined in between, as they are at the ends.
  auto holds = [&](int64_t argument) {
    run(argument, channel, values, culprit);
    return values[node.operands[0]].integer != 0;
  };
  bool first = holds(low);
  unsigned before = node.operands[first ? 1 : 2];
  if (first == holds(high))
    return directions[before];
  unsigned after = node.operands[first ? 2 : 1];
  while (low + 1 < high) {
    int64_t middle = low + (high - low) / 2;
    (holds(middle) == first ? low : high) = middle;
  }
  auto at = [&](int64_t argument, unsigned index) {
    run(argument, channel, values, culprit);
    return std::make_pair(values[index].integer, values[index].real);
  };
  auto left = at(low, before), right = at(high, after);
  Direction jump = left == right  ? Direction::Flat
                   : left < right ? Direction::Up
                                  : Direction::Down;
  for (Direction way : {directions[before], directions[after]}) {
    if (jump == Direction::Flat)
      jump = way;
    else if (way != Direction::Flat && way != jump)
      return Direction::Unknown;
  }
  return jump;
}
