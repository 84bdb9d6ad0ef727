//===- Node.cpp - Operands, attributes and results of a node --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "Operators.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;

Node::Node(Importer &importer, const onnx::NodeProto &proto, int version,
           int opset, Location loc, const Scope &scope)
    : proto(proto), importer(importer), scope(scope), version(version),
      opset(opset), b(loc, loc.getContext()) {
  results.resize(size_t(proto.output_size()));
}

LogicalResult Node::error(const llvm::Twine &message) {
  // The innermost node says it.
  if (importer.message.empty())
    importer.message =
        (llvm::Twine("node '") +
         (proto.name().empty() && proto.output_size() > 0 ? proto.output(0)
                                                          : proto.name()) +
         "' (" + qualifiedName(proto.domain(), proto.op_type()) + ", opset " +
         llvm::Twine(opset) + "): " + message)
            .str();
  return failure();
}

LogicalResult Node::wantTensor(unsigned i) {
  if (!has(i))
    return error("wanted a tensor as operand " + llvm::Twine(i) +
                 ", found none");
  if (operands[i].isSequence)
    return error("wanted a tensor as operand " + llvm::Twine(i) +
                 ", found a sequence");
  return success();
}

LogicalResult Node::want(unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    if (failed(wantTensor(i)))
      return failure();
  return success();
}

const Evaluator::Elements *Node::evaluate(Value tensor) {
  return importer.evaluator.evaluate(tensor);
}

/// The name of an input of the model that `value` depends on.
static std::string inputBehind(Value value) {
  llvm::SetVector<Value> seen;
  seen.insert(value);
  for (size_t i = 0; i < seen.size(); ++i) {
    if (auto argument = dyn_cast<BlockArgument>(seen[i])) {
      auto name = dyn_cast<NameLoc>(argument.getLoc());
      if (name && isa<func::FuncOp>(argument.getOwner()->getParentOp()))
        return name.getName().str();
      continue;
    }
    seen[i].getDefiningOp()->walk(
        [&](Operation *op) { seen.insert_range(op->getOperands()); });
  }
  return "";
}

FailureOr<SmallVector<double>> Node::numbersOf(unsigned i) {
  if (failed(wantTensor(i)))
    return failure();
  const Evaluator::Elements *elements = evaluate(in(i));
  if (!elements) {
    const std::string text =
        (llvm::Twine("wanted a constant as operand ") + llvm::Twine(i) + " ('" +
         proto.input(int(i)) + "'), found ")
            .str();
    if (std::string input = inputBehind(in(i)); !input.empty())
      return error(text + "one that depends on the input '" + input +
                   "'; bind that to a value with --bind " + input + "=file.pb");
    return error(text + "one that is not known when the model is read");
  }
  SmallVector<double> numbers;
  for (Attribute attr : *elements) {
    if (auto number = dyn_cast_or_null<FloatAttr>(attr))
      numbers.push_back(number.getValueAsDouble());
    else if (auto number = dyn_cast_or_null<IntegerAttr>(attr))
      numbers.push_back(isUnsigned(i) ? number.getValue().roundToDouble(false)
                                      : number.getValue().roundToDouble(true));
    else
      return error("operand " + llvm::Twine(i) + " is no number");
  }
  return numbers;
}

FailureOr<SmallVector<int64_t>> Node::integersOf(unsigned i) {
  if (failed(wantTensor(i)))
    return failure();
  if (!isa<IntegerType>(element(i)))
    return error("wanted integers as operand " + llvm::Twine(i) + ", found " +
                 typeName(typeOf(i)));
  if (failed(numbersOf(i))) // says why
    return failure();
  SmallVector<int64_t> integers;
  for (Attribute attr : *evaluate(in(i))) {
    const APInt value = cast<IntegerAttr>(attr).getValue();
    integers.push_back(isUnsigned(i) ? int64_t(value.getZExtValue())
                                     : value.getSExtValue());
  }
  return integers;
}

const onnx::AttributeProto *Node::attribute(llvm::StringRef name) const {
  for (const onnx::AttributeProto &attribute : proto.attribute())
    if (attribute.name() == name)
      return &attribute;
  return nullptr;
}

int64_t Node::integer(llvm::StringRef name, int64_t otherwise) const {
  const onnx::AttributeProto *found = attribute(name);
  return found ? found->i() : otherwise;
}

double Node::number(llvm::StringRef name, double otherwise) const {
  const onnx::AttributeProto *found = attribute(name);
  return found ? double(found->f()) : double(float(otherwise));
}

std::string Node::text(llvm::StringRef name, llvm::StringRef otherwise) const {
  const onnx::AttributeProto *found = attribute(name);
  return found ? found->s() : otherwise.str();
}

SmallVector<int64_t> Node::integers(llvm::StringRef name) const {
  const onnx::AttributeProto *found = attribute(name);
  if (!found)
    return {};
  return SmallVector<int64_t>(found->ints().begin(), found->ints().end());
}

SmallVector<double> Node::numbers(llvm::StringRef name) const {
  const onnx::AttributeProto *found = attribute(name);
  if (!found)
    return {};
  return SmallVector<double>(found->floats().begin(), found->floats().end());
}

std::vector<std::string> Node::texts(llvm::StringRef name) const {
  const onnx::AttributeProto *found = attribute(name);
  if (!found)
    return {};
  return {found->strings().begin(), found->strings().end()};
}

FailureOr<std::optional<SmallVector<int64_t>>>
Node::integersFrom(llvm::StringRef name, int asOperand, unsigned i) {
  if (version < asOperand) {
    if (!attribute(name))
      return std::optional<SmallVector<int64_t>>();
    return std::optional<SmallVector<int64_t>>(integers(name));
  }
  if (!has(i))
    return std::optional<SmallVector<int64_t>>();
  FailureOr<SmallVector<int64_t>> values = integersOf(i);
  if (failed(values))
    return failure();
  return std::optional<SmallVector<int64_t>>(std::move(*values));
}

FailureOr<int64_t> Node::axisOf(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank)
    return error("wanted an axis from " + llvm::Twine(-rank) + " to " +
                 llvm::Twine(rank - 1) + ", found " + llvm::Twine(axis));
  return axis < 0 ? axis + rank : axis;
}

FailureOr<SmallVector<int64_t>> Node::axesOf(ArrayRef<int64_t> axes,
                                             int64_t rank) {
  SmallVector<int64_t> result;
  for (int64_t axis : axes) {
    FailureOr<int64_t> positive = axisOf(axis, rank);
    if (failed(positive))
      return failure();
    result.push_back(*positive);
  }
  llvm::sort(result);
  result.erase(llvm::unique(result), result.end());
  return result;
}

void Node::result(unsigned i, Value tensor, int32_t type) {
  GraphValue value;
  value.tensor = tensor;
  value.type = type;
  result(i, std::move(value));
}

void Node::result(unsigned i, GraphValue value) {
  if (i < results.size())
    results[i] = std::move(value);
}
