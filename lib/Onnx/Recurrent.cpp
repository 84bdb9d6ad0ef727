//===- Recurrent.cpp - LSTM, GRU and RNN, unrolled ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contractions.h"
#include "Operators.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;

namespace {
/// The weights of one direction, and how it steps.
struct Direction {
  Value inputs, hidden;        ///< [gates * H, I] and [gates * H, H], turned
  Value inputBias, hiddenBias; ///< [gates * H] or null
  Value peepholes;             ///< [3 * H] or null
  std::vector<std::string> activations;
  SmallVector<double> alphas, betas;
  double clip = 0;
  bool linearBeforeReset = false, coupled = false;
};

/// What is handed from step to step.
struct State {
  Value hidden, cell; ///< [batch, H]; the cell only of LSTM
};
} // namespace

static Value combined(ImplicitLocOpBuilder &b, Value x, Value y,
                      Value (Scalars::*op)(Value, Value) const) {
  return mapElements(b, *broadcastShape({shapeOf(x), shapeOf(y)}), elementOf(x),
                     {x, y}, [&](ImplicitLocOpBuilder &b, ValueRange args) {
                       return (Scalars(b).*op)(args[0], args[1]);
                     });
}

/// Activation number `i`, of numbers that are clipped first.
static Value activated(ImplicitLocOpBuilder &b, Value tensor,
                       const Direction &d, size_t i) {
  const std::string name = StringRef(d.activations[i]).lower();
  auto parameter = [](ArrayRef<double> given, size_t i, double otherwise) {
    return i < given.size() ? given[i] : otherwise;
  };
  return mapElements(
      b, shapeOf(tensor), elementOf(tensor), tensor,
      [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
        Scalars s(b);
        Value x = args[0], one = s.like(x, 1), zero = s.like(x, 0);
        if (d.clip > 0)
          x = s.min(s.max(x, s.like(x, -d.clip)), s.like(x, d.clip));
        auto exp = [&](Value v) -> Value { return math::ExpOp::create(b, v); };
        if (name == "sigmoid")
          return s.div(one, s.add(one, exp(s.neg(x))));
        if (name == "tanh")
          return math::TanhOp::create(b, x);
        if (name == "relu")
          return s.max(x, zero);
        if (name == "affine")
          return s.add(s.mul(x, s.like(x, parameter(d.alphas, i, 1))),
                       s.like(x, parameter(d.betas, i, 0)));
        if (name == "leakyrelu")
          return s.select(s.less(x, zero),
                          s.mul(x, s.like(x, parameter(d.alphas, i, 0.01))), x);
        if (name == "hardsigmoid") {
          Value y = s.add(s.mul(x, s.like(x, parameter(d.alphas, i, 0.2))),
                          s.like(x, parameter(d.betas, i, 0.5)));
          return s.max(s.min(y, one), zero);
        }
        if (name == "softsign")
          return s.div(x, s.add(one, s.abs(x)));
        // Softplus; others were refused.
        return math::Log1pOp::create(b, exp(x));
      });
}

static bool isKnownActivation(StringRef name) {
  return llvm::is_contained({"sigmoid", "tanh", "relu", "affine", "leakyrelu",
                             "hardsigmoid", "softsign", "softplus"},
                            name.lower());
}

/// Columns `gate` * H on.
static Value gateOf(ImplicitLocOpBuilder &b, Value sums, int64_t gate,
                    int64_t count) {
  const int64_t batch = shapeOf(sums)[0], width = shapeOf(sums)[1] / count;
  return sliced(b, sums, {0, gate * width}, {batch, width});
}

static Value biased(ImplicitLocOpBuilder &b, Value sums, Value bias) {
  return bias ? combined(b, sums, bias, &Scalars::add) : sums;
}

static FailureOr<Value> hiddenSums(Node &n, const Direction &d, Value hidden,
                                   Value weights, Value bias) {
  FailureOr<Value> sums = matrixProduct(n, hidden, weights, elementOf(hidden));
  if (failed(sums))
    return failure();
  return biased(n.b, *sums, bias);
}

static FailureOr<State> stepOfRnn(Node &n, const Direction &d, Value inputs,
                                  State state) {
  auto hidden = hiddenSums(n, d, state.hidden, d.hidden, d.hiddenBias);
  if (failed(hidden))
    return failure();
  return State{
      activated(n.b, combined(n.b, inputs, *hidden, &Scalars::add), d, 0), {}};
}

/// z, r, h
static FailureOr<State> stepOfGru(Node &n, const Direction &d, Value inputs,
                                  State state) {
  ImplicitLocOpBuilder &b = n.b;
  const int64_t width = shapeOf(state.hidden)[1];
  Value gates, candidate;
  if (d.linearBeforeReset) {
    auto sums = hiddenSums(n, d, state.hidden, d.hidden, d.hiddenBias);
    if (failed(sums))
      return failure();
    gates = *sums;
    candidate = gateOf(b, *sums, 2, 3);
  } else {
    Value weights = sliced(b, d.hidden, {0, 0}, {width, 2 * width});
    Value bias =
        d.hiddenBias ? sliced(b, d.hiddenBias, {0}, {2 * width}) : Value();
    auto sums = hiddenSums(n, d, state.hidden, weights, bias);
    if (failed(sums))
      return failure();
    gates = *sums;
  }
  const int64_t count = d.linearBeforeReset ? 3 : 2;
  auto gate = [&](int64_t i) {
    return activated(b,
                     combined(b, gateOf(b, inputs, i, 3),
                              gateOf(b, gates, i, count), &Scalars::add),
                     d, 0);
  };
  Value z = gate(0), r = gate(1);
  if (d.linearBeforeReset) {
    candidate = combined(b, r, candidate, &Scalars::mul);
  } else {
    Value weights = sliced(b, d.hidden, {0, 2 * width}, {width, width});
    Value bias =
        d.hiddenBias ? sliced(b, d.hiddenBias, {2 * width}, {width}) : Value();
    auto sums = hiddenSums(n, d, combined(b, r, state.hidden, &Scalars::mul),
                           weights, bias);
    if (failed(sums))
      return failure();
    candidate = *sums;
  }
  Value h = activated(
      b, combined(b, gateOf(b, inputs, 2, 3), candidate, &Scalars::add), d, 1);
  // (1 - z) h + z H
  return State{mapElements(b, shapeOf(h), elementOf(h), {z, h, state.hidden},
                           [](ImplicitLocOpBuilder &b, ValueRange args) {
                             Scalars s(b);
                             Value rest = s.sub(s.like(args[0], 1), args[0]);
                             return s.add(s.mul(rest, args[1]),
                                          s.mul(args[0], args[2]));
                           }),
               {}};
}

/// i, o, f, c
static FailureOr<State> stepOfLstm(Node &n, const Direction &d, Value inputs,
                                   State state) {
  ImplicitLocOpBuilder &b = n.b;
  const int64_t width = shapeOf(state.hidden)[1];
  auto hidden = hiddenSums(n, d, state.hidden, d.hidden, d.hiddenBias);
  if (failed(hidden))
    return failure();
  Value sums = combined(b, inputs, *hidden, &Scalars::add);
  // Peepholes are of i, o, f.
  auto gate = [&](int64_t i, Value cell) {
    Value gate = gateOf(b, sums, i, 4);
    if (d.peepholes && i < 3)
      gate = combined(b, gate,
                      combined(b, cell,
                               sliced(b, d.peepholes, {i * width}, {width}),
                               &Scalars::mul),
                      &Scalars::add);
    return activated(b, gate, d, i == 3 ? 1 : 0);
  };
  Value i = gate(0, state.cell), c = gate(3, {}), f;
  if (d.coupled)
    f = mapElements(b, shapeOf(i), elementOf(i), i,
                    [](ImplicitLocOpBuilder &b, ValueRange args) {
                      Scalars s(b);
                      return s.sub(s.like(args[0], 1), args[0]);
                    });
  else
    f = gate(2, state.cell);
  Value cell = combined(b, combined(b, f, state.cell, &Scalars::mul),
                        combined(b, i, c, &Scalars::mul), &Scalars::add);
  Value o = gate(1, cell);
  Value h = combined(b, o, activated(b, cell, d, 2), &Scalars::mul);
  return State{h, cell};
}

using Step = FailureOr<State> (*)(Node &, const Direction &, Value, State);

/// Elements of `tensor` at index `i` of axis 0, without it.
static Value rowOf(ImplicitLocOpBuilder &b, Value tensor, int64_t i) {
  SmallVector<int64_t> offsets(shapeOf(tensor).size(), 0),
      sizes(shapeOf(tensor));
  offsets[0] = i;
  sizes[0] = 1;
  return reshaped(b, sliced(b, tensor, offsets, sizes),
                  shapeOf(tensor).drop_front());
}

/// X, W, R, B, sequence_lens, initial_h and, of LSTM, initial_c and P.
static LogicalResult recurrent(Node &n, int64_t gates,
                               ArrayRef<StringRef> activations, Step step) {
  if (failed(n.want(3)))
    return failure();
  ImplicitLocOpBuilder &b = n.b;
  const bool isLstm = gates == 4;
  if (n.rank(0) != 3 || n.rank(1) != 3 || n.rank(2) != 3)
    return n.error("wanted X, W and R of rank 3");
  const bool batchFirst = n.integer("layout", 0) != 0;
  Value source = batchFirst ? transposed(b, n.in(0), {1, 0, 2}) : n.in(0);
  const int64_t length = shapeOf(source)[0], batch = shapeOf(source)[1],
                inputs = shapeOf(source)[2];
  const std::string way = n.text("direction", "forward");
  const int64_t ways = way == "bidirectional" ? 2 : 1;
  const int64_t width = n.shape(2)[2];
  if (n.shape(1) != ArrayRef<int64_t>{ways, gates * width, inputs} ||
      n.shape(2) != ArrayRef<int64_t>{ways, gates * width, width} ||
      n.integer("hidden_size", width) != width)
    return n.error("wanted W of " + listText({ways, gates * width, inputs}) +
                   " and R of " + listText({ways, gates * width, width}));
  constexpr int64_t kMostSteps = 4096;
  if (length > kMostSteps)
    return n.error("wanted at most " + llvm::Twine(kMostSteps) +
                   " steps, since they are unrolled, found " +
                   llvm::Twine(length));
  auto wantShape = [&](unsigned i, ArrayRef<int64_t> shape) -> LogicalResult {
    if (!n.has(i) || n.shape(i) == shape)
      return success();
    return n.error("wanted operand " + llvm::Twine(i) + " of shape " +
                   listText(shape));
  };
  const SmallVector<int64_t> stateShape =
      batchFirst ? SmallVector<int64_t>{batch, ways, width}
                 : SmallVector<int64_t>{ways, batch, width};
  if (failed(wantShape(3, {ways, 2 * gates * width})) ||
      failed(wantShape(5, stateShape)) ||
      (isLstm && (failed(wantShape(6, stateShape)) ||
                  failed(wantShape(7, {ways, 3 * width})))))
    return failure();
  if (n.has(4)) {
    FailureOr<SmallVector<int64_t>> lengths = n.integersOf(4);
    if (failed(lengths))
      return failure();
    if (llvm::any_of(*lengths, [&](int64_t each) { return each != length; }))
      return n.error("wanted sequences that all have " + llvm::Twine(length) +
                     " steps");
  }
  std::vector<std::string> names = n.texts("activations");
  if (names.empty())
    for (int64_t i = 0; i < ways; ++i)
      for (StringRef name : activations)
        names.push_back(name.str());
  if (int64_t(names.size()) != ways * int64_t(activations.size()) ||
      !llvm::all_of(names, isKnownActivation))
    return n.error("wanted " + llvm::Twine(ways * int64_t(activations.size())) +
                   " activations of Sigmoid, Tanh, Relu, Affine, LeakyRelu, "
                   "HardSigmoid, Softsign and Softplus");

  const Type element = n.element(0);
  auto state = [&](unsigned i) {
    Value given = n.has(i) ? n.in(i) : Value();
    if (given && batchFirst)
      given = transposed(b, given, {1, 0, 2});
    return given;
  };
  Value hidden0 = state(5), cell0 = isLstm ? state(6) : Value();
  SmallVector<SmallVector<Value>> steps{size_t(length)};
  SmallVector<Value> lastHidden, lastCell;
  for (int64_t at = 0; at < ways; ++at) {
    Direction d;
    d.inputs = transposed(b, rowOf(b, n.in(1), at), {1, 0});
    d.hidden = transposed(b, rowOf(b, n.in(2), at), {1, 0});
    if (n.has(3)) {
      Value both = rowOf(b, n.in(3), at);
      d.inputBias = sliced(b, both, {0}, {gates * width});
      d.hiddenBias = sliced(b, both, {gates * width}, {gates * width});
    }
    if (isLstm && n.has(7))
      d.peepholes = rowOf(b, n.in(7), at);
    d.activations.assign(names.begin() + at * long(activations.size()),
                         names.begin() + (at + 1) * long(activations.size()));
    d.alphas = n.numbers("activation_alpha");
    d.betas = n.numbers("activation_beta");
    d.clip = n.number("clip", 0);
    d.linearBeforeReset = n.integer("linear_before_reset", 0) != 0;
    d.coupled = n.integer("input_forget", 0) != 0;
    State now;
    now.hidden =
        hidden0 ? rowOf(b, hidden0, at) : zeros(b, {batch, width}, element);
    if (isLstm)
      now.cell =
          cell0 ? rowOf(b, cell0, at) : zeros(b, {batch, width}, element);
    // What does not depend on the step before is one product for all steps.
    FailureOr<Value> all = matrixProduct(
        n, reshaped(b, source, {length * batch, inputs}), d.inputs, element);
    if (failed(all))
      return failure();
    Value sums = reshaped(b, biased(b, *all, d.inputBias),
                          {length, batch, gates * width});
    const bool backwards = at == 1 || way == "reverse";
    for (int64_t i = 0; i < length; ++i) {
      const int64_t t = backwards ? length - 1 - i : i;
      FailureOr<State> next = step(n, d, rowOf(b, sums, t), now);
      if (failed(next))
        return failure();
      now = *next;
      steps[size_t(t)].push_back(now.hidden);
    }
    lastHidden.push_back(reshaped(b, now.hidden, {1, batch, width}));
    if (isLstm)
      lastCell.push_back(reshaped(b, now.cell, {1, batch, width}));
  }
  if (n.wants(0)) {
    if (length == 0)
      return n.error("wanted at least one step");
    SmallVector<Value> rows;
    for (ArrayRef<Value> each : steps) {
      SmallVector<Value> both;
      for (Value hidden : each)
        both.push_back(reshaped(b, hidden, {1, 1, batch, width}));
      rows.push_back(concatenated(b, both, 1));
    }
    Value all = concatenated(b, rows, 0);
    if (batchFirst)
      all = transposed(b, all, {2, 0, 1, 3});
    n.result(all);
  }
  auto last = [&](ArrayRef<Value> each) {
    Value all = concatenated(b, each, 0);
    return batchFirst ? transposed(b, all, {1, 0, 2}) : all;
  };
  if (n.wants(1))
    n.result(1, last(lastHidden), n.typeOf(0));
  if (isLstm && n.wants(2))
    n.result(2, last(lastCell), n.typeOf(0));
  return success();
}

static LogicalResult importRnn(Node &n) {
  return recurrent(n, 1, {"Tanh"}, stepOfRnn);
}
static LogicalResult importGru(Node &n) {
  return recurrent(n, 3, {"Sigmoid", "Tanh"}, stepOfGru);
}
static LogicalResult importLstm(Node &n) {
  return recurrent(n, 4, {"Sigmoid", "Tanh", "Tanh"}, stepOfLstm);
}

llvm::ArrayRef<Operator> frontend::recurrentOperators() {
  static const Operator kOperators[] = {
      {"", "GRU", 7, importGru},
      {"", "LSTM", 7, importLstm},
      {"", "RNN", 7, importRnn},
  };
  return kOperators;
}
