//===- Affine.cpp - Bodies as affine functions of one element -------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Affine.h"
#include "ImportConstants.h"
#include "Normalize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

#include <cmath>

using namespace mlir;
using namespace fadiff;

/// `value` as a number of `type`; not a number if that is none of f32 and f64.
static double roundTo(Type type, double value) {
  if (type.isF32())
    return static_cast<float>(value);
  return type.isF64() || isa<IntegerType>(type)
             ? value
             : std::numeric_limits<double>::quiet_NaN();
}

static double toDouble(Attribute value) {
  if (auto real = dyn_cast<FloatAttr>(value))
    return real.getValueAsDouble();
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return static_cast<double>(integer.getValue().getSExtValue());
  return std::numeric_limits<double>::quiet_NaN();
}

/// Whether `type` holds `value`: an integer for every int8 and uint8.
static bool fits(Type type, const Affine &value) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return type.isF32() || type.isF64();
  const double limit = std::ldexp(1.0, integer.getWidth() - 1);
  for (auto [i, offset] : llvm::enumerate(value.offset)) {
    const double slope = value.isConstant() ? 0 : value.slope[i];
    for (double x : {-128.0, 255.0})
      if (std::abs(slope * x + offset) >= limit)
        return false;
  }
  return true;
}

/// lhs + factor * rhs.
static Affine combine(const Affine &lhs, const Affine &rhs, double factor) {
  Affine result = lhs;
  for (auto [i, offset] : llvm::enumerate(result.offset))
    offset += factor * rhs.offset[i];
  if (rhs.isConstant())
    return result;
  result.slope.resize(lhs.offset.size(), 0);
  for (auto [i, slope] : llvm::enumerate(result.slope))
    slope += factor * rhs.slope[i];
  return result;
}

static Affine mapNumbers(const Affine &value,
                         llvm::function_ref<double(size_t, double)> function) {
  Affine result = value;
  for (auto [i, slope] : llvm::enumerate(result.slope))
    slope = function(i, slope);
  for (auto [i, offset] : llvm::enumerate(result.offset))
    offset = function(i, offset);
  return result;
}

/// What `op` makes of its operands, if that is affine.
static std::optional<Affine> apply(Operation *op,
                                   ArrayRef<const Affine *> operands) {
  const Affine &x = *operands[0];
  if (isa<arith::ExtFOp, arith::SIToFPOp, arith::ExtSIOp, arith::TruncFOp>(op))
    return x;
  if (isa<arith::NegFOp>(op))
    return mapNumbers(x, [](size_t, double value) { return -value; });
  if (isa<math::SqrtOp, math::RsqrtOp>(op)) {
    if (!x.isConstant())
      return std::nullopt;
    const bool inverse = isa<math::RsqrtOp>(op);
    return mapNumbers(x, [&](size_t, double value) {
      return inverse ? 1 / std::sqrt(value) : std::sqrt(value);
    });
  }
  if (operands.size() != 2)
    return std::nullopt;
  const Affine &y = *operands[1];
  if (isa<arith::AddFOp, arith::AddIOp>(op))
    return combine(x, y, 1);
  if (isa<arith::SubFOp, arith::SubIOp>(op))
    return combine(x, y, -1);
  auto times = [](const Affine &value, const Affine &factor) {
    return mapNumbers(value, [&](size_t i, double number) {
      return number * factor.offset[i];
    });
  };
  if (isa<arith::MulFOp, arith::MulIOp>(op)) {
    if (y.isConstant())
      return times(x, y);
    if (x.isConstant())
      return times(y, x);
  }
  if (isa<arith::DivFOp>(op) && y.isConstant())
    return mapNumbers(
        x, [&](size_t i, double number) { return number / y.offset[i]; });
  return std::nullopt;
}

/// Constant integer `x`, which `op` extends, read as an unsigned one.
static std::optional<Affine> readUnsigned(Operation *op, const Affine &x) {
  if (!x.isConstant())
    return std::nullopt;
  const double most =
      std::ldexp(1.0, int(op->getOperand(0).getType().getIntOrFloatBitWidth()));
  return mapNumbers(x, [&](size_t, double number) {
    return number < 0 ? number + most : number;
  });
}

/// Adds to `values` what the body of `op` computes from what they hold.
static void runBody(linalg::LinalgOp op, size_t count,
                    llvm::DenseMap<Value, Affine> &values) {
  auto find = [&](Value value) -> const Affine * {
    auto known = values.find(value);
    if (known != values.end())
      return &known->second;
    Attribute constant;
    if (!matchPattern(value, m_Constant(&constant)))
      return nullptr;
    return &(values[value] =
                 Affine{{}, SmallVector<double>(count, toDouble(constant))});
  };
  for (Operation &inner : op.getBlock()->without_terminator()) {
    if (inner.getNumResults() != 1 || inner.getNumOperands() == 0)
      continue;
    // A second look-up may move what the first one found.
    for (Value operand : inner.getOperands())
      find(operand);
    SmallVector<const Affine *> operands;
    for (Value operand : inner.getOperands())
      operands.push_back(find(operand));
    if (llvm::is_contained(operands, nullptr))
      continue;
    std::optional<Affine> result = isa<arith::UIToFPOp, arith::ExtUIOp>(inner)
                                       ? readUnsigned(&inner, *operands[0])
                                       : apply(&inner, operands);
    const Type type = inner.getResult(0).getType();
    if (!result || !fits(type, *result))
      continue;
    if (result->isConstant())
      for (double &number : result->offset)
        number = roundTo(type, number);
    values[inner.getResult(0)] = std::move(*result);
  }
  find(op.getBlock()->getTerminator()->getOperand(0));
}

/// Position in a row-major tensor of `shape`.
static int64_t linearise(ArrayRef<int64_t> index, ArrayRef<int64_t> shape) {
  int64_t position = 0;
  for (auto [coordinate, extent] : llvm::zip(index, shape))
    position = position * extent + coordinate;
  return position;
}

static std::optional<SmallVector<double>> elementsOf(Attribute constant) {
  SmallVector<double> numbers;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant)) {
    constant = denseValuesOf(resource);
    if (constant == resource)
      return std::nullopt;
  }
  auto dense = dyn_cast<DenseElementsAttr>(constant);
  if (!dense) {
    numbers.push_back(toDouble(constant));
    return numbers;
  }
  numbers.reserve(dense.getNumElements());
  if (isa<FloatType>(dense.getElementType())) {
    for (const APFloat &value : dense.getValues<APFloat>())
      numbers.push_back(FloatAttr::getValueAsDouble(value));
    return numbers;
  }
  if (!dense.getElementType().isSignlessInteger())
    return std::nullopt;
  for (const APInt &value : dense.getValues<APInt>())
    numbers.push_back(static_cast<double>(value.getSExtValue()));
  return numbers;
}

std::optional<SmallVector<double>> fadiff::evaluateConstant(Value value) {
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return elementsOf(constant);
  // More than channels have is no vector of theirs, and costs time here.
  constexpr int64_t kMostElements = 1 << 16;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Operation *def = value.getDefiningOp();
  if (!type || !type.hasStaticShape() || type.getNumElements() > kMostElements)
    return std::nullopt;
  if (isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(def))
    return evaluateConstant(def->getOperand(0));
  auto op = dyn_cast_or_null<linalg::LinalgOp>(def);
  if (!op || !mapsElements(op) || op.hasDynamicShape() ||
      op.hasIndexSemantics() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  llvm::DenseMap<Value, Affine> values;
  const size_t count = type.getNumElements();
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!op.payloadUsesValueFromOperand(input))
      continue;
    std::optional<SmallVector<double>> source = evaluateConstant(input->get());
    if (!source)
      return std::nullopt;
    Affine &read = values[op.getMatchingBlockArgument(input)];
    AffineMap map = op.getMatchingIndexingMap(input);
    ArrayRef<int64_t> shape;
    if (auto from = dyn_cast<RankedTensorType>(input->get().getType()))
      shape = from.getShape();
    SmallVector<int64_t> index(type.getRank(), 0);
    for (size_t i = 0; i < count; ++i) {
      read.offset.push_back((*source)[linearise(map.compose(index), shape)]);
      for (size_t axis = index.size(); axis-- > 0;) {
        if (++index[axis] < type.getDimSize(axis))
          break;
        index[axis] = 0;
      }
    }
  }
  runBody(op, count, values);
  auto yielded = values.find(op.getBlock()->getTerminator()->getOperand(0));
  if (yielded == values.end())
    return std::nullopt;
  return yielded->second.offset;
}

/// What `op` reads of constant operand `use`, one number per channel.
static std::optional<SmallVector<double>>
channelConstants(linalg::LinalgOp op, OpOperand &use,
                 std::optional<unsigned> channelLoop, int64_t channels) {
  AffineMap map = op.getMatchingIndexingMap(&use);
  auto type = dyn_cast<RankedTensorType>(use.get().getType());
  DenseElementsAttr constant;
  if (matchPattern(use.get(), m_Constant(&constant)) && constant.isSplat())
    return SmallVector<double>(channels,
                               toDouble(constant.getSplatValue<Attribute>()));
  // As large as the result, but the same for all of a channel.
  if (type && channelLoop && map.isPermutation()) {
    const unsigned axis = *map.getResultPosition(
        getAffineDimExpr(*channelLoop, map.getContext()));
    SmallVector<Operation *> ops;
    if (Value vector = matchBroadcast(use.get(), axis, ops))
      return evaluateConstant(vector);
    if (DenseElementsAttr along = initAlongAxis(use.get(), axis))
      return elementsOf(along);
  }
  if (type)
    for (auto [index, extent] : llvm::zip(map.getResults(), type.getShape()))
      if (extent != 1 &&
          !(channelLoop &&
            index == getAffineDimExpr(*channelLoop, map.getContext())))
        return std::nullopt;
  std::optional<SmallVector<double>> numbers = evaluateConstant(use.get());
  if (!numbers)
    return std::nullopt;
  if (numbers->size() == 1)
    numbers->resize(channels, numbers->front());
  if (static_cast<int64_t>(numbers->size()) != channels)
    return std::nullopt;
  return numbers;
}

AffineBody::AffineBody(linalg::LinalgOp op, OpOperand &chain,
                       std::optional<unsigned> channelLoop, int64_t channels) {
  const Affine identity{SmallVector<double>(channels, 1),
                        SmallVector<double>(channels, 0)};
  BlockArgument element = op.getMatchingBlockArgument(&chain);
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (input == &chain || !op.payloadUsesValueFromOperand(input))
      continue;
    if (auto numbers = channelConstants(op, *input, channelLoop, channels))
      values[op.getMatchingBlockArgument(input)] = Affine{{}, *numbers};
  }
  // Read as unsigned by everyone, or as it is.
  isUnsigned = !element.use_empty() &&
               llvm::all_of(element.getUsers(), [](Operation *user) {
                 return isa<arith::ExtUIOp, arith::UIToFPOp>(user);
               });
  if (isUnsigned)
    for (Operation *user : element.getUsers())
      values[user->getResult(0)] = identity;
  else
    values[element] = identity;
  runBody(op, channels, values);
}

const Affine *AffineBody::lookup(Value value) const {
  auto known = values.find(value);
  return known == values.end() ? nullptr : &known->second;
}
