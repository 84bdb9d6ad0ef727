//===- Build.cpp - Tensor operations that importers are made of -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Build.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;

ArrayRef<int64_t> frontend::shapeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

Type frontend::elementOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value Scalars::constant(Type type, double number) const {
  if (auto floats = dyn_cast<FloatType>(type))
    return arith::ConstantOp::create(b, b.getFloatAttr(floats, number));
  // By way of 64 bits: some numbers are only unsigned ones of the type.
  const unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  const int64_t whole = static_cast<int64_t>(number);
  return arith::ConstantOp::create(
      b, b.getIntegerAttr(type, APInt(width, static_cast<uint64_t>(whole),
                                      /*isSigned=*/true,
                                      /*implicitTrunc=*/true)));
}

Value Scalars::index(int64_t number) const {
  return arith::ConstantIndexOp::create(b, number);
}

Value Scalars::add(Value x, Value y) const {
  if (isFloat(x))
    return arith::AddFOp::create(b, x, y);
  if (x.getType().isInteger(1))
    return arith::OrIOp::create(b, x, y);
  return arith::AddIOp::create(b, x, y);
}

Value Scalars::sub(Value x, Value y) const {
  if (isFloat(x))
    return arith::SubFOp::create(b, x, y);
  return arith::SubIOp::create(b, x, y);
}

Value Scalars::mul(Value x, Value y) const {
  if (isFloat(x))
    return arith::MulFOp::create(b, x, y);
  if (x.getType().isInteger(1))
    return arith::AndIOp::create(b, x, y);
  return arith::MulIOp::create(b, x, y);
}

Value Scalars::div(Value x, Value y) const {
  if (isFloat(x))
    return arith::DivFOp::create(b, x, y);
  if (isUnsigned)
    return arith::DivUIOp::create(b, x, y);
  return arith::DivSIOp::create(b, x, y);
}

Value Scalars::max(Value x, Value y) const {
  if (isFloat(x))
    return arith::MaximumFOp::create(b, x, y);
  if (isUnsigned)
    return arith::MaxUIOp::create(b, x, y);
  return arith::MaxSIOp::create(b, x, y);
}

Value Scalars::min(Value x, Value y) const {
  if (isFloat(x))
    return arith::MinimumFOp::create(b, x, y);
  if (isUnsigned)
    return arith::MinUIOp::create(b, x, y);
  return arith::MinSIOp::create(b, x, y);
}

Value Scalars::neg(Value x) const {
  if (isFloat(x))
    return arith::NegFOp::create(b, x);
  return arith::SubIOp::create(b, like(x, 0), x);
}

Value Scalars::abs(Value x) const {
  if (isFloat(x))
    return math::AbsFOp::create(b, x);
  if (isUnsigned)
    return x;
  return arith::MaxSIOp::create(b, x, neg(x));
}

Value Scalars::less(Value x, Value y) const {
  if (isFloat(x))
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, x, y);
  return arith::CmpIOp::create(
      b, isUnsigned ? arith::CmpIPredicate::ult : arith::CmpIPredicate::slt, x,
      y);
}

Value Scalars::lessOrEqual(Value x, Value y) const {
  if (isFloat(x))
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, x, y);
  return arith::CmpIOp::create(
      b, isUnsigned ? arith::CmpIPredicate::ule : arith::CmpIPredicate::sle, x,
      y);
}

Value Scalars::equal(Value x, Value y) const {
  if (isFloat(x))
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, x, y);
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, x, y);
}

Value Scalars::select(Value condition, Value x, Value y) const {
  return arith::SelectOp::create(b, condition, x, y);
}

Value Scalars::logicalNot(Value x) const {
  return arith::XOrIOp::create(b, x, constant(b.getI1Type(), 1));
}

Value Scalars::cast(Value x, Type type, bool toUnsigned) const {
  const Type from = x.getType();
  if (from == type)
    return x;
  if (from.isIndex() || type.isIndex()) {
    if (isa<FloatType>(from) || isa<FloatType>(type)) {
      Value wide = cast(x, b.getI64Type(), toUnsigned);
      return cast(wide, type, toUnsigned);
    }
    return arith::IndexCastOp::create(b, type, x);
  }
  auto fromFloat = dyn_cast<FloatType>(from),
       toFloat = dyn_cast<FloatType>(type);
  if (type.isInteger(1)) {
    if (fromFloat)
      return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, x, like(x, 0));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, x, like(x, 0));
  }
  if (fromFloat && toFloat) {
    if (fromFloat.getWidth() < toFloat.getWidth())
      return arith::ExtFOp::create(b, type, x);
    if (fromFloat.getWidth() > toFloat.getWidth())
      return arith::TruncFOp::create(b, type, x);
    return cast(cast(x, b.getF32Type()), type); // f16 and bf16
  }
  const bool unsignedSource = isUnsigned || from.isInteger(1);
  if (toFloat)
    return unsignedSource ? arith::UIToFPOp::create(b, type, x).getResult()
                          : arith::SIToFPOp::create(b, type, x).getResult();
  if (fromFloat)
    return toUnsigned ? arith::FPToUIOp::create(b, type, x).getResult()
                      : arith::FPToSIOp::create(b, type, x).getResult();
  if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, type, x);
  return unsignedSource ? arith::ExtUIOp::create(b, type, x).getResult()
                        : arith::ExtSIOp::create(b, type, x).getResult();
}

/// The end of a type's range, as an attribute.
static TypedAttr endOf(Type type, bool isUnsigned, bool top) {
  Builder b(type.getContext());
  if (auto floats = dyn_cast<FloatType>(type))
    return b.getFloatAttr(
        floats, APFloat::getInf(floats.getFloatSemantics(), /*Negative=*/!top));
  const unsigned width = type.getIntOrFloatBitWidth();
  if (isUnsigned || width == 1)
    return b.getIntegerAttr(type, top ? APInt::getMaxValue(width)
                                      : APInt::getMinValue(width));
  return b.getIntegerAttr(type, top ? APInt::getSignedMaxValue(width)
                                    : APInt::getSignedMinValue(width));
}

Value Scalars::lowest(Type type) const {
  return arith::ConstantOp::create(b, endOf(type, isUnsigned, false));
}

Value Scalars::highest(Type type) const {
  return arith::ConstantOp::create(b, endOf(type, isUnsigned, true));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

std::optional<SmallVector<int64_t>>
frontend::broadcastShape(ArrayRef<ArrayRef<int64_t>> shapes) {
  size_t rank = 0;
  for (ArrayRef<int64_t> shape : shapes)
    rank = std::max(rank, shape.size());
  SmallVector<int64_t> result(rank, 1);
  for (ArrayRef<int64_t> shape : shapes)
    for (size_t i = 0; i < shape.size(); ++i) {
      int64_t &extent = result[rank - shape.size() + i];
      if (shape[i] == extent || shape[i] == 1)
        continue;
      if (extent != 1)
        return std::nullopt;
      extent = shape[i];
    }
  return result;
}

/// How an operand of `shape` is read in loops over `loops`.
static AffineMap broadcastMap(MLIRContext *context, ArrayRef<int64_t> shape,
                              ArrayRef<int64_t> loops) {
  SmallVector<AffineExpr> results;
  const size_t offset = loops.size() - shape.size();
  for (auto [axis, extent] : llvm::enumerate(shape))
    results.push_back(extent == 1 && loops[offset + axis] != 1
                          ? getAffineConstantExpr(0, context)
                          : getAffineDimExpr(unsigned(offset + axis), context));
  return AffineMap::get(unsigned(loops.size()), 0, results, context);
}

static Value mapLoops(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                      Type element, ValueRange operands, bool indexed,
                      ElementBody body) {
  SmallVector<AffineMap> maps;
  for (Value operand : operands)
    maps.push_back(broadcastMap(b.getContext(), shapeOf(operand), shape));
  maps.push_back(b.getMultiDimIdentityMap(unsigned(shape.size())));
  SmallVector<utils::IteratorType> loops(shape.size(),
                                         utils::IteratorType::parallel);
  Value init = emptyTensor(b, shape, element);
  auto op = linalg::GenericOp::create(
      b, init.getType(), operands, init, maps, loops,
      [&](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, builder);
        SmallVector<Value> values(args.drop_back());
        if (indexed)
          for (size_t loop = 0; loop < shape.size(); ++loop)
            values.push_back(
                linalg::IndexOp::create(inner, int64_t(loop)).getResult());
        linalg::YieldOp::create(inner, body(inner, values));
      });
  return op.getResult(0);
}

Value frontend::mapElements(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                            Type element, ValueRange operands,
                            ElementBody body) {
  return mapLoops(b, shape, element, operands, /*indexed=*/false, body);
}

Value frontend::mapIndexed(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                           Type element, ValueRange operands,
                           ElementBody body) {
  return mapLoops(b, shape, element, operands, /*indexed=*/true, body);
}

Value frontend::fromIndices(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                            Type element, ElementBody body) {
  return mapLoops(b, shape, element, {}, /*indexed=*/true, body);
}

Value frontend::reduceAxes(ImplicitLocOpBuilder &b, Value tensor,
                           ArrayRef<int64_t> axes, Value init, bool keep,
                           ElementBody body) {
  ArrayRef<int64_t> shape = shapeOf(tensor);
  SmallVector<int64_t> left, kept(shape);
  SmallVector<AffineExpr> results;
  SmallVector<utils::IteratorType> loops;
  for (int64_t axis = 0; axis < int64_t(shape.size()); ++axis) {
    const bool isReduced = llvm::is_contained(axes, axis);
    loops.push_back(isReduced ? utils::IteratorType::reduction
                              : utils::IteratorType::parallel);
    if (isReduced) {
      kept[size_t(axis)] = 1;
    } else {
      left.push_back(shape[size_t(axis)]);
      results.push_back(b.getAffineDimExpr(unsigned(axis)));
    }
  }
  Value start = filled(b, left, init);
  auto op = linalg::GenericOp::create(
      b, start.getType(), tensor, start,
      ArrayRef<AffineMap>{
          b.getMultiDimIdentityMap(unsigned(shape.size())),
          AffineMap::get(unsigned(shape.size()), 0, results, b.getContext())},
      loops, [&](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, builder);
        linalg::YieldOp::create(inner, body(inner, args));
      });
  return keep ? reshaped(b, op.getResult(0), kept) : op.getResult(0);
}

//===----------------------------------------------------------------------===//
// Making and moving
//===----------------------------------------------------------------------===//

Value frontend::emptyTensor(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                            Type element) {
  return tensor::EmptyOp::create(b, shape, element);
}

Value frontend::filled(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                       Value number) {
  return linalg::FillOp::create(b, number,
                                emptyTensor(b, shape, number.getType()))
      .getResult(0);
}

Value frontend::zeros(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                      Type element) {
  return filled(b, shape, Scalars(b).constant(element, 0));
}

Value frontend::integers(ImplicitLocOpBuilder &b, ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get(int64_t(values.size()), b.getI64Type());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, values));
}

Value frontend::reshaped(ImplicitLocOpBuilder &b, Value tensor,
                         ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getShape() == shape)
    return tensor;
  auto target = RankedTensorType::get(shape, type.getElementType());
  if (type.getNumElements() == 0)
    return emptyTensor(b, shape, type.getElementType());
  if (type.getRank() != target.getRank())
    if (auto groups = getReassociationIndicesForReshape(type, target)) {
      if (type.getRank() > target.getRank())
        return tensor::CollapseShapeOp::create(b, target, tensor, *groups);
      return tensor::ExpandShapeOp::create(b, target, tensor, *groups);
    }
  // By way of one axis.
  auto flat =
      RankedTensorType::get(type.getNumElements(), type.getElementType());
  auto allAxes = [](int64_t rank) {
    SmallVector<ReassociationIndices> groups;
    if (rank > 0)
      groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(rank)));
    return groups;
  };
  if (type.getRank() == 0)
    return tensor::ExpandShapeOp::create(b, target, tensor,
                                         ArrayRef<ReassociationIndices>());
  if (type.getRank() > 1)
    tensor = tensor::CollapseShapeOp::create(b, flat, tensor,
                                             allAxes(type.getRank()));
  if (target.getRank() == 0)
    return tensor::CollapseShapeOp::create(b, target, tensor,
                                           ArrayRef<ReassociationIndices>());
  if (target.getRank() == 1)
    return tensor;
  return tensor::ExpandShapeOp::create(b, target, tensor,
                                       allAxes(target.getRank()));
}

Value frontend::transposed(ImplicitLocOpBuilder &b, Value tensor,
                           ArrayRef<int64_t> permutation) {
  if (llvm::is_sorted(permutation))
    return tensor;
  SmallVector<int64_t> shape;
  for (int64_t axis : permutation)
    shape.push_back(shapeOf(tensor)[size_t(axis)]);
  Value init = emptyTensor(b, shape, elementOf(tensor));
  return linalg::TransposeOp::create(b, tensor, init, permutation)
      ->getResult(0);
}

Value frontend::broadcastTo(ImplicitLocOpBuilder &b, Value tensor,
                            ArrayRef<int64_t> shape) {
  if (shapeOf(tensor) == shape)
    return tensor;
  return mapElements(b, shape, elementOf(tensor), tensor,
                     [](ImplicitLocOpBuilder &, ValueRange args) -> Value {
                       return args.front();
                     });
}

Value frontend::elementAt(ImplicitLocOpBuilder &b, Value tensor,
                          ValueRange indices) {
  return tensor::ExtractOp::create(b, tensor, indices);
}

Value frontend::turnedConstant(ImplicitLocOpBuilder &b, Value tensor,
                               ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> permutation,
                               ArrayRef<bool> isReversed) {
  Attribute constant;
  if (!matchPattern(tensor, m_Constant(&constant)))
    return {};
  SmallVector<int64_t> turned;
  for (int64_t axis : permutation)
    turned.push_back(shape[axis]);
  auto type = RankedTensorType::get(turned, elementOf(tensor));
  auto dense = dyn_cast<DenseElementsAttr>(constant);
  if (dense && dense.isSplat())
    return arith::ConstantOp::create(b, dense.resizeSplat(type));
  ArrayRef<char> from;
  if (dense)
    from = dense.getRawData();
  else if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant))
    if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
      from = blob->getData();
  const size_t count = size_t(type.getNumElements());
  const unsigned bits =
      type.getElementType().isIntOrFloat() ? type.getElementTypeBitWidth() : 0;
  const size_t each = bits / 8;
  if (bits == 0 || bits % 8 != 0 || from.size() != count * each)
    return {};
  const SmallVector<int64_t> strides = computeSuffixProduct(shape);
  auto *bytes = new std::string(from.size(), '\0');
  SmallVector<int64_t> index(turned.size(), 0);
  for (size_t i = 0; i < count; ++i) {
    int64_t place = 0;
    for (auto [axis, at] : llvm::enumerate(index))
      place += strides[permutation[axis]] *
               (isReversed[axis] ? turned[axis] - 1 - at : at);
    std::copy_n(from.begin() + size_t(place) * each, each,
                bytes->begin() + ptrdiff_t(i * each));
    for (size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < turned[axis])
        break;
      index[axis] = 0;
    }
  }
  AsmResourceBlob blob(
      ArrayRef(bytes->data(), bytes->size()), /*dataAlignment=*/8,
      [bytes](void *, size_t, size_t) { delete bytes; },
      /*dataIsMutable=*/false);
  return arith::ConstantOp::create(
      b, DenseResourceElementsAttr::get(type, "w_turned", std::move(blob)));
}

Value frontend::sliced(ImplicitLocOpBuilder &b, Value tensor,
                       ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
                       ArrayRef<int64_t> steps) {
  SmallVector<int64_t> strides(steps);
  strides.resize(offsets.size(), 1);
  if (shapeOf(tensor) == sizes &&
      llvm::all_of(strides, [](int64_t step) { return step == 1; }))
    return tensor;
  if (llvm::all_of(strides, [](int64_t step) { return step > 0; })) {
    auto type = RankedTensorType::get(sizes, elementOf(tensor));
    return tensor::ExtractSliceOp::create(
        b, type, tensor, ValueRange(), ValueRange(), ValueRange(),
        b.getDenseI64ArrayAttr(offsets), b.getDenseI64ArrayAttr(sizes),
        b.getDenseI64ArrayAttr(strides));
  }
  return fromIndices(b, sizes, elementOf(tensor),
                     [&](ImplicitLocOpBuilder &b, ValueRange loops) {
                       Scalars s(b);
                       SmallVector<Value> indices;
                       for (auto [axis, loop] : llvm::enumerate(loops))
                         indices.push_back(
                             s.add(s.mul(loop, s.index(strides[axis])),
                                   s.index(offsets[axis])));
                       return elementAt(b, tensor, indices);
                     });
}

Value frontend::insertedInto(ImplicitLocOpBuilder &b, Value source,
                             Value tensor, ArrayRef<int64_t> offsets,
                             ArrayRef<int64_t> steps) {
  SmallVector<int64_t> strides(steps);
  strides.resize(offsets.size(), 1);
  return tensor::InsertSliceOp::create(
      b, source, tensor, ValueRange(), ValueRange(), ValueRange(),
      b.getDenseI64ArrayAttr(offsets), b.getDenseI64ArrayAttr(shapeOf(source)),
      b.getDenseI64ArrayAttr(strides));
}

Value frontend::padded(ImplicitLocOpBuilder &b, Value tensor,
                       ArrayRef<int64_t> before, ArrayRef<int64_t> after,
                       Value number) {
  SmallVector<int64_t> low, high, shape, offsets, sizes;
  for (auto [first, last, extent] :
       llvm::zip_equal(before, after, shapeOf(tensor))) {
    offsets.push_back(std::max<int64_t>(-first, 0));
    sizes.push_back(extent + std::min<int64_t>(first, 0) +
                    std::min<int64_t>(last, 0));
    low.push_back(std::max<int64_t>(first, 0));
    high.push_back(std::max<int64_t>(last, 0));
    shape.push_back(extent + first + last);
  }
  tensor = sliced(b, tensor, offsets, sizes);
  if (shapeOf(tensor) == ArrayRef<int64_t>(shape))
    return tensor;
  auto type = RankedTensorType::get(shape, elementOf(tensor));
  auto attrs = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(b.getContext(), values);
  };
  return tensor::PadOp::create(b, type, tensor, attrs(low), attrs(high),
                               number);
}

Value frontend::concatenated(ImplicitLocOpBuilder &b, ValueRange tensors,
                             int64_t axis) {
  if (tensors.size() == 1)
    return tensors.front();
  return tensor::ConcatOp::create(b, axis, tensors);
}

Value frontend::castTo(ImplicitLocOpBuilder &b, Value tensor, Type element,
                       bool fromUnsigned, bool toUnsigned) {
  if (elementOf(tensor) == element)
    return tensor;
  return mapElements(
      b, shapeOf(tensor), element, tensor,
      [&](ImplicitLocOpBuilder &b, ValueRange args) {
        return Scalars(b, fromUnsigned).cast(args.front(), element, toUnsigned);
      });
}
