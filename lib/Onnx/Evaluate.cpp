//===- Evaluate.cpp - What a value is, if it can be known -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"
#include "Build.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cstring>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;
using Elements = Evaluator::Elements;

/// Row-major strides.
static SmallVector<int64_t> stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

/// Calls `visit` with each index of `shape`, in row-major order, until it
/// returns false.
static bool forEachIndex(ArrayRef<int64_t> shape,
                         llvm::function_ref<bool(ArrayRef<int64_t>)> visit) {
  if (llvm::is_contained(shape, 0))
    return true;
  SmallVector<int64_t> index(shape.size(), 0);
  while (true) {
    if (!visit(index))
      return false;
    size_t axis = shape.size();
    while (axis > 0 && ++index[axis - 1] == shape[axis - 1])
      index[--axis] = 0;
    if (axis == 0)
      return true;
  }
}

static int64_t at(ArrayRef<int64_t> index, ArrayRef<int64_t> strides) {
  int64_t position = 0;
  for (auto [i, stride] : llvm::zip_equal(index, strides))
    position += i * stride;
  return position;
}

static std::optional<Elements> elementsOf(Attribute attr) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    attr = DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                               blob->getData());
  }
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (!dense)
    return std::nullopt;
  return Elements(dense.getValues<Attribute>());
}

const Elements *Evaluator::evaluate(Value tensor) {
  auto found = known.find(tensor);
  if (found == known.end()) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    std::unique_ptr<Elements> kept;
    if (type && type.hasStaticShape() && tensor.getDefiningOp() &&
        type.getNumElements() <= kMost)
      if (std::optional<Elements> elements = compute(tensor))
        kept = std::make_unique<Elements>(std::move(*elements));
    found = known.try_emplace(tensor, std::move(kept)).first;
  }
  return found->second.get();
}

std::optional<Elements> Evaluator::compute(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto copied = [&](Value source) -> std::optional<Elements> {
    if (const Elements *elements = evaluate(source))
      return *elements;
    return std::nullopt;
  };
  Operation *op = tensor.getDefiningOp();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return elementsOf(constant.getValue());
  if (isa<tensor::EmptyOp>(op))
    return Elements(size_t(type.getNumElements()));
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return copied(op->getOperand(0));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    const Elements *source = evaluate(slice.getSource());
    if (!source || slice.getSourceType().getRank() != type.getRank())
      return std::nullopt;
    const SmallVector<int64_t> strides =
        stridesOf(slice.getSourceType().getShape());
    Elements elements;
    forEachIndex(type.getShape(), [&](ArrayRef<int64_t> index) {
      int64_t position = 0;
      for (size_t axis = 0; axis < index.size(); ++axis)
        position += (slice.getStaticOffsets()[axis] +
                     index[axis] * slice.getStaticStrides()[axis]) *
                    strides[axis];
      elements.push_back((*source)[size_t(position)]);
      return true;
    });
    return elements;
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    const Elements *source = evaluate(insert.getSource());
    std::optional<Elements> elements = copied(insert.getDest());
    if (!source || !elements ||
        insert.getSourceType().getRank() != type.getRank())
      return std::nullopt;
    const SmallVector<int64_t> strides = stridesOf(type.getShape());
    size_t next = 0;
    forEachIndex(
        insert.getSourceType().getShape(), [&](ArrayRef<int64_t> index) {
          int64_t position = 0;
          for (size_t axis = 0; axis < index.size(); ++axis)
            position += (insert.getStaticOffsets()[axis] +
                         index[axis] * insert.getStaticStrides()[axis]) *
                        strides[axis];
          (*elements)[size_t(position)] = (*source)[next++];
          return true;
        });
    return elements;
  }
  if (auto concat = dyn_cast<tensor::ConcatOp>(op)) {
    Elements elements(size_t(type.getNumElements()));
    const SmallVector<int64_t> strides = stridesOf(type.getShape());
    int64_t offset = 0;
    for (Value input : concat.getInputs()) {
      const Elements *source = evaluate(input);
      if (!source)
        return std::nullopt;
      size_t next = 0;
      forEachIndex(shapeOf(input), [&](ArrayRef<int64_t> index) {
        elements[size_t(at(index, strides) +
                        offset * strides[concat.getDim()])] = (*source)[next++];
        return true;
      });
      offset += shapeOf(input)[concat.getDim()];
    }
    return elements;
  }
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    const Elements *source = evaluate(pad.getSource());
    Attribute number;
    Value value = pad.getConstantPaddingValue();
    if (!source || !value || !matchPattern(value, m_Constant(&number)))
      return std::nullopt;
    Elements elements(size_t(type.getNumElements()), number);
    const SmallVector<int64_t> strides = stridesOf(type.getShape());
    size_t next = 0;
    forEachIndex(pad.getSourceType().getShape(), [&](ArrayRef<int64_t> index) {
      elements[size_t(at(index, strides) + at(pad.getStaticLow(), strides))] =
          (*source)[next++];
      return true;
    });
    return elements;
  }
  if (auto loops = dyn_cast<linalg::LinalgOp>(op))
    return computeLoops(loops, cast<OpResult>(tensor).getResultNumber());
  return std::nullopt;
}

bool Evaluator::interpret(Operation &op,
                          llvm::DenseMap<Value, Attribute> &values,
                          ArrayRef<int64_t> loops) {
  auto valueOf = [&](Value value) -> Attribute {
    if (Attribute attr = values.lookup(value))
      return attr;
    Attribute constant;
    if (value.getDefiningOp() && matchPattern(value, m_Constant(&constant)))
      return constant;
    return {};
  };
  if (auto index = dyn_cast<linalg::IndexOp>(op)) {
    values[index] =
        Builder(op.getContext()).getIndexAttr(loops[size_t(index.getDim())]);
    return true;
  }
  SmallVector<Attribute> operands;
  auto extract = dyn_cast<tensor::ExtractOp>(op);
  for (Value operand :
       extract ? ValueRange(extract.getIndices()) : op.getOperands()) {
    operands.push_back(valueOf(operand));
    if (!operands.back())
      return false;
  }
  if (extract) {
    const Elements *source = evaluate(extract.getTensor());
    if (!source)
      return false;
    int64_t position = 0;
    for (auto [index, extent] :
         llvm::zip_equal(operands, extract.getTensor().getType().getShape())) {
      const int64_t i = cast<IntegerAttr>(index).getInt();
      if (i < 0 || i >= extent)
        return false;
      position = position * extent + i;
    }
    return bool(values[extract] = (*source)[size_t(position)]);
  }
  if (op.hasTrait<OpTrait::ConstantLike>()) {
    Attribute constant;
    matchPattern(&op, m_Constant(&constant));
    values[op.getResult(0)] = constant;
    return true;
  }
  SmallVector<OpFoldResult> results;
  if (op.getNumResults() != 1 || failed(op.fold(operands, results)))
    return false;
  // An operation that became another one in place.
  if (results.size() != 1)
    return false;
  Attribute attr = dyn_cast<Attribute>(results.front());
  if (!attr)
    attr = valueOf(cast<Value>(results.front()));
  values[op.getResult(0)] = attr;
  return bool(attr);
}

std::optional<Elements> Evaluator::computeLoops(linalg::LinalgOp op,
                                                unsigned result) {
  if (op.hasDynamicShape())
    return std::nullopt;
  const SmallVector<int64_t> loops = op.getStaticLoopRanges();
  int64_t trips = 1;
  for (int64_t extent : loops) {
    trips *= extent;
    if (trips > kMost)
      return std::nullopt;
  }
  SmallVector<const Elements *> inputs;
  for (OpOperand *input : op.getDpsInputOperands()) {
    inputs.push_back(nullptr);
    if (!isa<RankedTensorType>(input->get().getType()))
      continue;
    inputs.back() = evaluate(input->get());
    if (!inputs.back())
      return std::nullopt;
  }
  SmallVector<Elements> outputs;
  for (Value init : op.getDpsInits()) {
    const Elements *elements = evaluate(init);
    if (!elements)
      return std::nullopt;
    outputs.push_back(*elements);
  }
  Block &body = *op.getBlock();
  auto positionOf = [&](OpOperand &operand, ArrayRef<int64_t> index) {
    return size_t(at(op.getMatchingIndexingMap(&operand).compose(index),
                     stridesOf(shapeOf(operand.get()))));
  };
  const bool succeeded = forEachIndex(loops, [&](ArrayRef<int64_t> index) {
    llvm::DenseMap<Value, Attribute> values;
    for (auto [number, input] : llvm::enumerate(op.getDpsInputOperands())) {
      BlockArgument argument = op.getMatchingBlockArgument(input);
      if (inputs[number]) {
        values[argument] = (*inputs[number])[positionOf(*input, index)];
      } else {
        Attribute constant;
        if (matchPattern(input->get(), m_Constant(&constant)))
          values[argument] = constant;
      }
    }
    for (auto [number, init] : llvm::enumerate(op.getDpsInitsMutable()))
      values[op.getMatchingBlockArgument(&init)] =
          outputs[number][positionOf(init, index)];
    for (Operation &inner : body.without_terminator())
      if (!interpret(inner, values, index))
        return false;
    for (auto [number, init] : llvm::enumerate(op.getDpsInitsMutable())) {
      Value yielded = body.getTerminator()->getOperand(unsigned(number));
      Attribute attr = values.lookup(yielded);
      if (!attr && yielded.getDefiningOp())
        matchPattern(yielded, m_Constant(&attr));
      if (!attr)
        return false;
      outputs[number][positionOf(init, index)] = attr;
    }
    return true;
  });
  if (!succeeded)
    return std::nullopt;
  return outputs[result];
}
