//===- Control.cpp - Branches, loops and functions ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What decides is known when the model is read, or both branches are computed;
// loops are unrolled, sequences are lists of values.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;
using onnx::TensorProto;

/// Trips of a loop that are unrolled at most.
static constexpr int64_t kMostTrips = 1024;

static FailureOr<const onnx::GraphProto *> graphOf(Node &n, StringRef name) {
  const onnx::AttributeProto *attribute = n.attribute(name);
  if (!attribute || !attribute->has_g())
    return n.error("wanted a graph as '" + name + "'");
  return &attribute->g();
}

static LogicalResult importIf(Node &n) {
  if (failed(n.want(1)))
    return failure();
  auto thenGraph = graphOf(n, "then_branch"),
       elseGraph = graphOf(n, "else_branch");
  if (failed(thenGraph) || failed(elseGraph))
    return failure();
  if (*countElements(n.shape(0)) != 1 || !n.element(0).isInteger(1))
    return n.error("wanted one bool as condition");
  auto importOne = [&](const onnx::GraphProto &graph) {
    return n.importer.importGraph(graph, n.scope, {}, n);
  };
  if (const Evaluator::Elements *known = n.evaluate(n.in(0))) {
    const bool taken = !cast<IntegerAttr>(known->front()).getValue().isZero();
    auto outputs = importOne(taken ? **thenGraph : **elseGraph);
    if (failed(outputs))
      return failure();
    for (auto [i, value] : llvm::enumerate(*outputs))
      n.result(unsigned(i), value);
    return success();
  }
  // Nodes have no effects: both are computed, and one is taken.
  auto whenTrue = importOne(**thenGraph), whenFalse = importOne(**elseGraph);
  if (failed(whenTrue) || failed(whenFalse))
    return failure();
  Value condition = reshaped(n.b, n.in(0), {});
  if (whenTrue->size() != whenFalse->size())
    return n.error("wanted branches with as many outputs");
  for (auto [i, x, y] : llvm::enumerate(*whenTrue, *whenFalse)) {
    if (!x.tensor || !y.tensor || x.tensor.getType() != y.tensor.getType())
      return n.error("wanted outputs of one type and shape from both branches, "
                     "as the condition is computed");
    n.result(unsigned(i),
             mapElements(n.b, shapeOf(x.tensor), elementOf(x.tensor),
                         {condition, x.tensor, y.tensor},
                         [](ImplicitLocOpBuilder &b, ValueRange args) {
                           return Scalars(b).select(args[0], args[1], args[2]);
                         }),
             x.type);
  }
  return success();
}

/// A constant of one integer or bool.
static GraphValue scalar(Node &n, int32_t type, int64_t number) {
  GraphValue value;
  value.type = type;
  Type element = elementTypeOf(type, n.b.getContext());
  value.tensor = arith::ConstantOp::create(
      n.b,
      DenseElementsAttr::get(RankedTensorType::get({}, element),
                             {Attribute(n.b.getIntegerAttr(element, number))}));
  return value;
}

/// What is scanned: the values of all trips one behind the other along `axis`.
static FailureOr<Value> stacked(Node &n, ArrayRef<GraphValue> values,
                                int64_t axis, bool backwards) {
  SmallVector<Value> rows;
  for (const GraphValue &value : values) {
    if (!value.tensor || shapeOf(value.tensor) != shapeOf(values[0].tensor))
      return n.error("wanted tensors of one shape from each trip");
    SmallVector<int64_t> shape(shapeOf(value.tensor));
    if (axis < 0)
      axis += int64_t(shape.size()) + 1;
    if (axis < 0 || axis > int64_t(shape.size()))
      return n.error("wanted an axis of the results");
    shape.insert(shape.begin() + axis, 1);
    rows.push_back(reshaped(n.b, value.tensor, shape));
  }
  if (backwards)
    std::reverse(rows.begin(), rows.end());
  return concatenated(n.b, rows, axis);
}

static LogicalResult importLoop(Node &n) {
  auto body = graphOf(n, "body");
  if (failed(body))
    return failure();
  int64_t most = -1;
  if (n.has(0)) {
    FailureOr<SmallVector<int64_t>> trips = n.integersOf(0);
    if (failed(trips))
      return failure();
    if (trips->size() != 1)
      return n.error("wanted one number of trips");
    most = (*trips)[0];
  }
  bool goesOn = true;
  if (n.has(1)) {
    FailureOr<SmallVector<double>> condition = n.numbersOf(1);
    if (failed(condition))
      return failure();
    goesOn = !condition->empty() && (*condition)[0] != 0;
  }
  std::vector<GraphValue> carried;
  for (unsigned i = 2; i < n.numOperands(); ++i)
    carried.push_back(n.operand(i));
  const size_t scans =
      size_t(std::max(0, (*body)->output_size() - 1 - int(carried.size())));
  std::vector<std::vector<GraphValue>> scanned(scans);
  for (int64_t trip = 0; goesOn && (most < 0 || trip < most); ++trip) {
    if (trip >= kMostTrips)
      return n.error("wanted at most " + llvm::Twine(kMostTrips) +
                     " trips, since they are unrolled");
    std::vector<GraphValue> inputs{scalar(n, TensorProto::INT64, trip),
                                   scalar(n, TensorProto::BOOL, 1)};
    llvm::append_range(inputs, carried);
    auto outputs = n.importer.importGraph(**body, n.scope, inputs, n);
    if (failed(outputs))
      return failure();
    if (outputs->size() != 1 + carried.size() + scans || !(*outputs)[0].tensor)
      return n.error("wanted a body with a condition, as many values as are "
                     "carried, and what is scanned");
    const Evaluator::Elements *condition = n.evaluate((*outputs)[0].tensor);
    if (!condition || condition->size() != 1)
      return n.error("wanted a condition that is known when the model is read");
    goesOn = !cast<IntegerAttr>(condition->front()).getValue().isZero();
    for (size_t i = 0; i < carried.size(); ++i)
      carried[i] = (*outputs)[1 + i];
    for (size_t i = 0; i < scans; ++i)
      scanned[i].push_back((*outputs)[1 + carried.size() + i]);
  }
  for (auto [i, value] : llvm::enumerate(carried))
    n.result(unsigned(i), value);
  for (auto [i, values] : llvm::enumerate(scanned)) {
    if (values.empty())
      return n.error("wanted at least one trip, of which results are scanned");
    FailureOr<Value> all = stacked(n, values, 0, false);
    if (failed(all))
      return failure();
    n.result(unsigned(carried.size() + i), *all, values[0].type);
  }
  return success();
}

static LogicalResult importScan(Node &n) {
  auto body = graphOf(n, "body");
  if (failed(body))
    return failure();
  const bool isOld = n.version < 9; // with a batch and lengths in front
  const int64_t scans = n.integer("num_scan_inputs", 0);
  const int64_t states = int64_t(n.numOperands()) - scans - (isOld ? 1 : 0);
  if (isOld && n.has(0))
    return n.error("wanted sequences without lengths of their own");
  const int64_t results = (*body)->output_size() - states;
  if (scans < 1 || states < 0 || results < 0)
    return n.error("wanted at least one operand that is scanned");
  const unsigned first = isOld ? 1 : 0;
  auto listed = [&](StringRef name, int64_t i) -> int64_t {
    const SmallVector<int64_t> given = n.integers(name);
    return i < int64_t(given.size()) ? given[size_t(i)] : 0;
  };
  for (int64_t i = 0; i < states + scans; ++i)
    if (!n.has(first + unsigned(i)) || !n.in(first + unsigned(i)))
      return n.error("wanted tensors");
  int64_t batch = 1;
  if (isOld) {
    if (n.rank(1) < 1 || n.shape(1)[0] > 64)
      return n.error("wanted a batch of at most 64");
    batch = n.shape(1)[0];
  }
  auto rowOf = [&](Value tensor, int64_t axis, int64_t i) {
    SmallVector<int64_t> offsets(shapeOf(tensor).size(), 0),
        sizes(shapeOf(tensor));
    offsets[size_t(axis)] = i;
    sizes[size_t(axis)] = 1;
    SmallVector<int64_t> shape(shapeOf(tensor));
    shape.erase(shape.begin() + axis);
    return reshaped(n.b, sliced(n.b, tensor, offsets, sizes), shape);
  };
  std::vector<std::vector<GraphValue>> ofBatch(
      static_cast<size_t>(states + results));
  for (int64_t image = 0; image < batch; ++image) {
    std::vector<GraphValue> carried, sources;
    SmallVector<int64_t> axes;
    int64_t length = -1;
    for (int64_t i = 0; i < states + scans; ++i) {
      GraphValue value = n.operand(first + unsigned(i));
      if (isOld) {
        if (shapeOf(value.tensor).empty() || shapeOf(value.tensor)[0] != batch)
          return n.error("wanted operands with one batch");
        value.tensor = rowOf(value.tensor, 0, image);
      }
      if (i < states) {
        carried.push_back(value);
        continue;
      }
      FailureOr<int64_t> axis =
          n.axisOf(isOld ? 0 : listed("scan_input_axes", i - states),
                   int64_t(shapeOf(value.tensor).size()));
      if (failed(axis))
        return failure();
      axes.push_back(*axis);
      const int64_t extent = shapeOf(value.tensor)[size_t(*axis)];
      if (length >= 0 && extent != length)
        return n.error("wanted operands that are scanned in as many trips");
      length = extent;
      sources.push_back(value);
    }
    if (length < 1 || length > kMostTrips)
      return n.error("wanted 1 to " + llvm::Twine(kMostTrips) +
                     " trips, since they are unrolled");
    std::vector<std::vector<GraphValue>> scanned(static_cast<size_t>(results));
    for (int64_t trip = 0; trip < length; ++trip) {
      std::vector<GraphValue> inputs(carried);
      for (auto [i, source] : llvm::enumerate(sources)) {
        const bool backwards =
            listed(isOld ? "directions" : "scan_input_directions",
                   int64_t(i)) != 0;
        GraphValue row = source;
        row.tensor =
            rowOf(source.tensor, axes[i], backwards ? length - 1 - trip : trip);
        inputs.push_back(row);
      }
      auto outputs = n.importer.importGraph(**body, n.scope, inputs, n);
      if (failed(outputs))
        return failure();
      for (int64_t i = 0; i < states; ++i)
        carried[size_t(i)] = (*outputs)[size_t(i)];
      for (int64_t i = 0; i < results; ++i)
        scanned[size_t(i)].push_back((*outputs)[size_t(states + i)]);
    }
    for (int64_t i = 0; i < states; ++i)
      ofBatch[size_t(i)].push_back(carried[size_t(i)]);
    for (int64_t i = 0; i < results; ++i) {
      FailureOr<Value> all = stacked(
          n, scanned[size_t(i)], isOld ? 0 : listed("scan_output_axes", i),
          !isOld && listed("scan_output_directions", i) != 0);
      if (failed(all))
        return failure();
      GraphValue value;
      value.tensor = *all;
      value.type = scanned[size_t(i)][0].type;
      ofBatch[size_t(states + i)].push_back(value);
    }
  }
  for (auto [i, values] : llvm::enumerate(ofBatch)) {
    if (!isOld) {
      n.result(unsigned(i), values[0]);
      continue;
    }
    FailureOr<Value> all = stacked(n, values, 0, false);
    if (failed(all))
      return failure();
    n.result(unsigned(i), *all, values[0].type);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

static LogicalResult wantSequence(Node &n) {
  if (n.has(0) && n.operand(0).isSequence)
    return success();
  return n.error("wanted a sequence as operand 0");
}

static void sequence(Node &n, std::vector<GraphValue> elements) {
  GraphValue value;
  value.isSequence = true;
  value.elements = std::move(elements);
  n.result(0, std::move(value));
}

/// The place that operand `i` names, up to and with `last`.
static FailureOr<int64_t> placeIn(Node &n, unsigned i, int64_t last) {
  FailureOr<SmallVector<int64_t>> given = n.integersOf(i);
  if (failed(given))
    return failure();
  if (given->size() != 1)
    return n.error("wanted one place");
  const int64_t count = int64_t(n.operand(0).elements.size());
  const int64_t at = (*given)[0] < 0 ? (*given)[0] + count : (*given)[0];
  if (at < 0 || at > last)
    return n.error("wanted a place within the sequence of " +
                   llvm::Twine(count) + ", found " + llvm::Twine((*given)[0]));
  return at;
}

static LogicalResult importSequenceConstruct(Node &n) {
  if (failed(n.want(n.numOperands())))
    return failure();
  std::vector<GraphValue> elements;
  for (unsigned i = 0; i < n.numOperands(); ++i)
    elements.push_back(n.operand(i));
  return sequence(n, std::move(elements)), success();
}

static LogicalResult importSequenceEmpty(Node &n) {
  return sequence(n, {}), success();
}

static LogicalResult importSequenceLength(Node &n) {
  if (failed(wantSequence(n)))
    return failure();
  n.result(
      0, scalar(n, TensorProto::INT64, int64_t(n.operand(0).elements.size())));
  return success();
}

static LogicalResult importSequenceAt(Node &n) {
  if (failed(wantSequence(n)))
    return failure();
  const std::vector<GraphValue> &elements = n.operand(0).elements;
  FailureOr<int64_t> at = placeIn(n, 1, int64_t(elements.size()) - 1);
  if (failed(at))
    return failure();
  n.result(0, elements[size_t(*at)]);
  return success();
}

static LogicalResult importSequenceInsert(Node &n) {
  if (failed(wantSequence(n)))
    return failure();
  if (!n.has(1))
    return n.error("wanted a tensor to insert");
  std::vector<GraphValue> elements = n.operand(0).elements;
  int64_t place = int64_t(elements.size());
  if (n.has(2)) {
    FailureOr<int64_t> at = placeIn(n, 2, place);
    if (failed(at))
      return failure();
    place = *at;
  }
  elements.insert(elements.begin() + place, n.operand(1));
  return sequence(n, std::move(elements)), success();
}

static LogicalResult importSequenceErase(Node &n) {
  if (failed(wantSequence(n)))
    return failure();
  std::vector<GraphValue> elements = n.operand(0).elements;
  int64_t place = int64_t(elements.size()) - 1;
  if (n.has(1)) {
    FailureOr<int64_t> at = placeIn(n, 1, place);
    if (failed(at))
      return failure();
    place = *at;
  }
  if (place < 0)
    return n.error("wanted a sequence with elements");
  elements.erase(elements.begin() + place);
  return sequence(n, std::move(elements)), success();
}

static LogicalResult importSplitToSequence(Node &n) {
  if (failed(n.want(1)))
    return failure();
  FailureOr<int64_t> axis = n.axisOf(n.integer("axis", 0), n.rank(0));
  if (failed(axis))
    return failure();
  const size_t along = size_t(*axis);
  const int64_t extent = n.shape(0)[along];
  SmallVector<int64_t> parts;
  bool keeps = true;
  if (n.has(1)) {
    FailureOr<SmallVector<int64_t>> given = n.integersOf(1);
    if (failed(given))
      return failure();
    parts = *given;
    if (n.rank(1) == 0) {
      const int64_t each = parts[0];
      parts.clear();
      for (int64_t at = 0; each > 0 && at < extent; at += each)
        parts.push_back(std::min(each, extent - at));
    }
  } else {
    if (extent > kMostTrips)
      return n.error("wanted at most " + llvm::Twine(kMostTrips) + " parts");
    parts.assign(size_t(extent), 1);
    keeps = n.integer("keepdims", 1) != 0;
  }
  int64_t sum = 0;
  std::vector<GraphValue> elements;
  SmallVector<int64_t> offsets(n.shape(0).size(), 0), sizes(n.shape(0));
  for (int64_t part : parts) {
    if (part < 0 || part > extent - sum)
      return n.error("wanted parts that sum to " + llvm::Twine(extent));
    offsets[along] = sum;
    sizes[along] = part;
    GraphValue value = n.operand(0);
    value.tensor = sliced(n.b, n.in(0), offsets, sizes);
    if (!keeps) {
      SmallVector<int64_t> shape(sizes);
      shape.erase(shape.begin() + *axis);
      value.tensor = reshaped(n.b, value.tensor, shape);
    }
    elements.push_back(value);
    sum += part;
  }
  if (sum != extent)
    return n.error("wanted parts that sum to " + llvm::Twine(extent));
  return sequence(n, std::move(elements)), success();
}

static LogicalResult importConcatFromSequence(Node &n) {
  if (failed(wantSequence(n)))
    return failure();
  SmallVector<Value> tensors;
  const bool isNew = n.integer("new_axis", 0) != 0;
  const std::vector<GraphValue> &elements = n.operand(0).elements;
  if (elements.empty())
    return n.error("wanted a sequence with elements");
  std::optional<int64_t> axis;
  for (const GraphValue &value : elements) {
    if (!value.tensor ||
        elementOf(value.tensor) != elementOf(elements[0].tensor) ||
        shapeOf(value.tensor).size() != shapeOf(elements[0].tensor).size())
      return n.error("wanted tensors of one type and rank");
    SmallVector<int64_t> shape(shapeOf(value.tensor));
    FailureOr<int64_t> at =
        n.axisOf(n.integer("axis", 0), int64_t(shape.size()) + (isNew ? 1 : 0));
    if (failed(at))
      return failure();
    axis = *at;
    if (isNew)
      shape.insert(shape.begin() + *at, 1);
    tensors.push_back(reshaped(n.b, value.tensor, shape));
    SmallVector<int64_t> other(shapeOf(tensors[0]));
    other[size_t(*at)] = shape[size_t(*at)];
    if (other != shape)
      return n.error("wanted tensors of one shape but for axis " +
                     llvm::Twine(*at));
  }
  n.result(0, concatenated(n.b, tensors, *axis), elements[0].type);
  return success();
}

llvm::ArrayRef<Operator> frontend::controlOperators() {
  static const Operator kOperators[] = {
      {"", "ConcatFromSequence", 11, importConcatFromSequence},
      {"", "If", 1, importIf},
      {"", "Loop", 1, importLoop},
      {"", "Scan", 8, importScan},
      {"", "SequenceAt", 11, importSequenceAt},
      {"", "SequenceConstruct", 11, importSequenceConstruct},
      {"", "SequenceEmpty", 11, importSequenceEmpty},
      {"", "SequenceErase", 11, importSequenceErase},
      {"", "SequenceInsert", 11, importSequenceInsert},
      {"", "SequenceLength", 11, importSequenceLength},
      {"", "SplitToSequence", 11, importSplitToSequence},
  };
  return kOperators;
}
