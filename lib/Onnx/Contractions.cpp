//===- Contractions.cpp - Convolutions and matrix products ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contractions.h"
#include "Operators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

FailureOr<Window> frontend::windowOf(Node &n, ArrayRef<int64_t> image,
                                     ArrayRef<int64_t> kernel) {
  const size_t rank = image.size();
  Window window;
  window.kernel.assign(kernel.begin(), kernel.end());
  auto attribute = [&](StringRef name, size_t count, int64_t otherwise,
                       int64_t least) -> FailureOr<SmallVector<int64_t>> {
    SmallVector<int64_t> values = n.integers(name);
    if (values.empty())
      values.assign(count, otherwise);
    if (values.size() != count || llvm::any_of(values, [&](int64_t value) {
          return value < least || value > (int64_t(1) << 31);
        }))
      return n.error("wanted " + llvm::Twine(count) + " numbers from " +
                     llvm::Twine(least) + " on as '" + name + "', found " +
                     listText(values));
    return values;
  };
  auto strides = attribute("strides", rank, 1, 1);
  auto dilations = attribute("dilations", rank, 1, 1);
  auto pads = attribute("pads", 2 * rank, 0, 0);
  if (failed(strides) || failed(dilations) || failed(pads))
    return failure();
  window.strides = *strides;
  window.dilations = *dilations;
  window.before.assign(pads->begin(), pads->begin() + long(rank));
  window.after.assign(pads->begin() + long(rank), pads->end());
  const std::string automatic = n.text("auto_pad", "NOTSET");
  const bool ceils = n.integer("ceil_mode", 0) != 0;
  for (size_t i = 0; i < rank; ++i) {
    if (kernel[i] < 1 || kernel[i] > (int64_t(1) << 31))
      return n.error("wanted a kernel of at least one tap along each axis");
    const int64_t span = (kernel[i] - 1) * window.dilations[i] + 1;
    int64_t &before = window.before[i], &after = window.after[i];
    if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
      const int64_t extent =
          (image[i] + window.strides[i] - 1) / window.strides[i];
      const int64_t total = std::max<int64_t>(
          0, (extent - 1) * window.strides[i] + span - image[i]);
      before = automatic == "SAME_LOWER" ? (total + 1) / 2 : total / 2;
      after = total - before;
    } else if (automatic == "VALID") {
      before = after = 0;
    } else if (automatic != "NOTSET" && !automatic.empty()) {
      return n.error("wanted NOTSET, SAME_UPPER, SAME_LOWER or VALID as "
                     "auto_pad, found " +
                     automatic);
    }
    const int64_t room = image[i] + before + after - span;
    if (room < 0)
      return n.error("wanted an image of at least " + llvm::Twine(span) +
                     " along spatial axis " + llvm::Twine(i) + ", found " +
                     llvm::Twine(image[i] + before + after) +
                     " with its padding");
    int64_t extent = room / window.strides[i] + 1;
    window.beyond.push_back(0);
    if (ceils && room % window.strides[i] != 0) {
      ++extent;
      window.beyond.back() =
          (extent - 1) * window.strides[i] + span - (image[i] + before + after);
    }
    window.extents.push_back(extent);
  }
  return window;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// The attribute that linalg's convolutions have.
static DenseIntElementsAttr steps(OpBuilder &b, ArrayRef<int64_t> values) {
  return b.getI64TensorAttr(values);
}

/// Convolution with loops of any number: image [N, G, C, spatial], weights [G,
/// F, C, taps], sums [N, G, F, spatial].
static Value genericConvolution(ImplicitLocOpBuilder &b, Value image,
                                Value weights, Value sums, const Window &window,
                                ProductBody product) {
  const unsigned rank = unsigned(window.kernel.size());
  // n g f spatial... c taps...
  auto dim = [&](unsigned i) { return b.getAffineDimExpr(i); };
  const unsigned c = 3 + rank, loops = 4 + 2 * rank;
  SmallVector<AffineExpr> in{dim(0), dim(1), dim(c)},
      taps{dim(1), dim(2), dim(c)}, out{dim(0), dim(1), dim(2)};
  SmallVector<utils::IteratorType> kinds(loops, utils::IteratorType::parallel);
  for (unsigned i = c; i < loops; ++i)
    kinds[i] = utils::IteratorType::reduction;
  for (unsigned i = 0; i < rank; ++i) {
    in.push_back(dim(3 + i) * window.strides[i] +
                 dim(c + 1 + i) * window.dilations[i]);
    taps.push_back(dim(c + 1 + i));
    out.push_back(dim(3 + i));
  }
  auto op = linalg::GenericOp::create(
      b, sums.getType(), ValueRange{image, weights}, sums,
      ArrayRef<AffineMap>{AffineMap::get(loops, 0, in, b.getContext()),
                          AffineMap::get(loops, 0, taps, b.getContext()),
                          AffineMap::get(loops, 0, out, b.getContext())},
      kinds, [&](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, builder);
        Scalars s(inner);
        Value term = product(inner, args[0], args[1]);
        linalg::YieldOp::create(inner, s.add(args[2], term));
      });
  return op.getResult(0);
}

/// Without the axis `axis` of extent 1.
static Value withoutAxis(ImplicitLocOpBuilder &b, Value tensor, size_t axis) {
  SmallVector<int64_t> shape(shapeOf(tensor));
  shape.erase(shape.begin() + long(axis));
  return reshaped(b, tensor, shape);
}

Value frontend::convolution(ImplicitLocOpBuilder &b, Value image, Value weights,
                            Value sums, int64_t groups, const Window &window,
                            ProductBody product) {
  const size_t rank = window.kernel.size();
  ArrayRef<int64_t> in = shapeOf(image), taps = shapeOf(weights),
                    out = shapeOf(sums);
  const int64_t each = taps[1], filters = taps[0] / groups;
  auto named = [&](auto op) -> Value { return op->getResult(0); };
  const bool isPlain = !product;
  const auto strides = steps(b, window.strides);
  const auto dilations = steps(b, window.dilations);
  if (isPlain && groups == 1 && rank == 2)
    return named(linalg::Conv2DNchwFchwOp::create(b, sums.getType(),
                                                  ValueRange{image, weights},
                                                  sums, strides, dilations));
  if (isPlain && groups == 1 && rank == 1)
    return named(linalg::Conv1DNcwFcwOp::create(b, sums.getType(),
                                                ValueRange{image, weights},
                                                sums, strides, dilations));
  if (isPlain && groups == 1 && rank == 3)
    return named(linalg::Conv3DNcdhwFcdhwOp::create(b, sums.getType(),
                                                    ValueRange{image, weights},
                                                    sums, strides, dilations));
  if (isPlain && rank == 2 && each == 1 && filters == 1)
    return named(linalg::DepthwiseConv2DNchwChwOp::create(
        b, sums.getType(), ValueRange{image, withoutAxis(b, weights, 1)}, sums,
        strides, dilations));
  SmallVector<int64_t> inGroups{in[0], groups, each};
  SmallVector<int64_t> tapGroups{groups, filters, each};
  SmallVector<int64_t> outGroups{out[0], groups, filters};
  llvm::append_range(inGroups, in.drop_front(2));
  llvm::append_range(tapGroups, taps.drop_front(2));
  llvm::append_range(outGroups, out.drop_front(2));
  Value grouped;
  if (isPlain && rank == 2) {
    grouped = named(linalg::Conv2DNgchwGfchwOp::create(
        b, RankedTensorType::get(outGroups, elementOf(sums)),
        ValueRange{reshaped(b, image, inGroups),
                   reshaped(b, weights, tapGroups)},
        reshaped(b, sums, outGroups), strides, dilations));
  } else {
    grouped = genericConvolution(
        b, reshaped(b, image, inGroups), reshaped(b, weights, tapGroups),
        reshaped(b, sums, outGroups), window,
        isPlain ? ProductBody([](ImplicitLocOpBuilder &b, Value x, Value y) {
          return Scalars(b).mul(x, y);
        })
                : product);
  }
  return reshaped(b, grouped, out);
}

FailureOr<SmallVector<int64_t>>
frontend::convolutionShape(Node &n, ArrayRef<int64_t> image,
                           ArrayRef<int64_t> weights, int64_t groups,
                           Window &window) {
  if (image.size() < 3 || image.size() != weights.size())
    return n.error("wanted an image and weights of one rank from 3 on, found " +
                   llvm::Twine(image.size()) + " and " +
                   llvm::Twine(weights.size()));
  if (groups < 1 || weights[0] % groups != 0 || image[1] % groups != 0 ||
      image[1] / groups != weights[1])
    return n.error("wanted " + llvm::Twine(groups) +
                   " groups that divide channels and filters, found weights "
                   "for " +
                   llvm::Twine(weights[1]) + " channels in each, " +
                   llvm::Twine(image[1]) + " channels and " +
                   llvm::Twine(weights[0]) + " filters");
  SmallVector<int64_t> kernel = n.integers("kernel_shape");
  if (!kernel.empty() && ArrayRef<int64_t>(kernel) != weights.drop_front(2))
    return n.error("wanted weights of the extents in kernel_shape");
  FailureOr<Window> found =
      windowOf(n, image.drop_front(2), weights.drop_front(2));
  if (failed(found))
    return failure();
  window = std::move(*found);
  SmallVector<int64_t> shape{image[0], weights[0]};
  llvm::append_range(shape, window.extents);
  return shape;
}

/// With the image's padding, filled with `number`.
Value frontend::paddedImage(ImplicitLocOpBuilder &b, Value image,
                            const Window &window, Value number) {
  SmallVector<int64_t> before{0, 0}, after{0, 0};
  llvm::append_range(before, window.before);
  llvm::append_range(after, window.after);
  for (auto [axis, more] : llvm::enumerate(window.beyond))
    after[2 + axis] += more;
  return padded(b, image, before, after, number);
}

/// What sums start from: zero, or a number for each channel.
static FailureOr<Value> sumsFrom(Node &n, ArrayRef<int64_t> shape,
                                 unsigned bias, Type element) {
  if (!n.has(bias))
    return zeros(n.b, shape, element);
  if (n.rank(bias) != 1 || n.shape(bias)[0] != shape[1])
    return n.error("wanted a bias for each of " + llvm::Twine(shape[1]) +
                   " filters");
  SmallVector<int64_t> others;
  for (int64_t axis = 0; axis < int64_t(shape.size()); ++axis)
    if (axis != 1)
      others.push_back(axis);
  return linalg::BroadcastOp::create(n.b, n.in(bias),
                                     emptyTensor(n.b, shape, element), others)
      ->getResult(0);
}

static LogicalResult importConv(Node &n) {
  if (failed(n.want(2)))
    return failure();
  const int64_t groups = n.integer("group", 1);
  Window window;
  FailureOr<SmallVector<int64_t>> shape =
      convolutionShape(n, n.shape(0), n.shape(1), groups, window);
  if (failed(shape))
    return failure();
  Scalars s(n.b);
  Value image = paddedImage(n.b, n.in(0), window, s.constant(n.element(0), 0));
  FailureOr<Value> sums = sumsFrom(n, *shape, 2, n.element(0));
  if (failed(sums))
    return failure();
  n.result(convolution(n.b, image, n.in(1), *sums, groups, window));
  return success();
}

/// A convolution of the image with zeros between its elements, with weights
/// that are turned around.
static LogicalResult importConvTranspose(Node &n) {
  if (failed(n.want(2)))
    return failure();
  const int64_t groups = n.integer("group", 1);
  ArrayRef<int64_t> image = n.shape(0), taps = n.shape(1);
  if (image.size() < 3 || image.size() != taps.size())
    return n.error("wanted an image and weights of one rank from 3 on");
  const size_t rank = image.size() - 2;
  if (groups < 1 || taps[0] != image[1] || taps[0] % groups != 0)
    return n.error("wanted weights for " + llvm::Twine(image[1]) +
                   " channels, found them for " + llvm::Twine(taps[0]));
  auto attribute = [&](StringRef name, size_t count,
                       int64_t otherwise) -> FailureOr<SmallVector<int64_t>> {
    SmallVector<int64_t> values = n.integers(name);
    if (values.empty())
      values.assign(count, otherwise);
    if (values.size() != count || llvm::any_of(values, [&](int64_t value) {
          return value < otherwise || value > (1 << 24);
        }))
      return n.error("wanted " + llvm::Twine(count) + " numbers from " +
                     llvm::Twine(otherwise) + " on as '" + name + "'");
    return values;
  };
  auto strides = attribute("strides", rank, 1);
  auto dilations = attribute("dilations", rank, 1);
  auto pads = attribute("pads", 2 * rank, 0);
  auto more = attribute("output_padding", rank, 0);
  if (failed(strides) || failed(dilations) || failed(pads) || failed(more))
    return failure();
  const SmallVector<int64_t> wanted = n.integers("output_shape");
  if (!wanted.empty() && wanted.size() != rank)
    return n.error("wanted " + llvm::Twine(rank) + " extents in output_shape");
  const std::string automatic = n.text("auto_pad", "NOTSET");
  const int64_t each = taps[1];

  // What the result is, and with how many zeros around the image.
  SmallVector<int64_t> shape{image[0], each * groups},
      spread{image[0], image[1]};
  SmallVector<int64_t> before{0, 0}, after{0, 0}, offsets{0, 0}, places{1, 1};
  Window window;
  for (size_t i = 0; i < rank; ++i) {
    const int64_t span = (taps[2 + i] - 1) * (*dilations)[i] + 1;
    const int64_t full = (*strides)[i] * (image[2 + i] - 1) + (*more)[i] + span;
    int64_t low = (*pads)[i], high = (*pads)[rank + i];
    const bool same = automatic == "SAME_UPPER" || automatic == "SAME_LOWER";
    if (!wanted.empty() || same) {
      const int64_t extent =
          wanted.empty() ? image[2 + i] * (*strides)[i] : wanted[i];
      const int64_t total = std::max<int64_t>(0, full - extent);
      // As ONNX's own definition: the larger half in front but for SAME_UPPER.
      low = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
      high = full - extent - low;
    } else if (automatic == "VALID") {
      low = high = 0;
    }
    const int64_t extent = full - low - high;
    if (extent < 1 || taps[2 + i] < 1 || image[2 + i] < 1)
      return n.error("wanted at least one element along spatial axis " +
                     llvm::Twine(i) + ", found " + llvm::Twine(extent));
    shape.push_back(extent);
    spread.push_back((image[2 + i] - 1) * (*strides)[i] + 1);
    places.push_back((*strides)[i]);
    offsets.push_back(0);
    before.push_back(span - 1 - low);
    after.push_back(extent + span - 1 - spread.back() - before.back());
    window.kernel.push_back(taps[2 + i]);
    window.strides.push_back(1);
    window.dilations.push_back((*dilations)[i]);
  }
  if (!countElements(shape) || !countElements(spread))
    return n.error("wanted less than 2^40 elements");
  const Type element = n.element(0);
  // Of what was dequantised, the bytes are moved, so that bytes are multiplied;
  // zero is then their zero point.
  auto bytesOf = [&](unsigned operand) -> const std::optional<Quantised> & {
    return n.operand(operand).quantised;
  };
  const bool areBytes = bytesOf(0) && bytesOf(1);
  Value source = areBytes ? bytesOf(0)->bytes : n.in(0);
  TypedAttr zero = n.b.getZeroAttr(elementOf(source));
  if (areBytes && bytesOf(0)->zero)
    zero = bytesOf(0)->zero;
  Value background = arith::ConstantOp::create(n.b, zero);
  if (llvm::any_of(*strides, [](int64_t stride) { return stride > 1; }))
    source = insertedInto(n.b, source, filled(n.b, spread, background), offsets,
                          places);
  source = padded(n.b, source, before, after, background);
  // [groups, C, F, taps] to [groups, F, C, taps turned].
  Value weights = areBytes ? bytesOf(1)->bytes : n.in(1);
  SmallVector<int64_t> inGroups{groups, taps[0] / groups, each};
  llvm::append_range(inGroups, taps.drop_front(2));
  SmallVector<int64_t> permutation{0, 2, 1}, start{0, 0, 0}, step{1, 1, 1};
  for (size_t i = 0; i < rank; ++i) {
    permutation.push_back(int64_t(3 + i));
    start.push_back(taps[2 + i] - 1);
    step.push_back(-1);
  }
  SmallVector<bool> isReversed(permutation.size(), false);
  llvm::fill(MutableArrayRef(isReversed).drop_front(3), true);
  if (Value constant =
          turnedConstant(n.b, weights, inGroups, permutation, isReversed)) {
    weights = constant;
  } else {
    weights = transposed(n.b, reshaped(n.b, weights, inGroups), permutation);
    if (llvm::any_of(taps.drop_front(2),
                     [](int64_t extent) { return extent > 1; }))
      weights = sliced(n.b, weights, start, shapeOf(weights), step);
  }
  SmallVector<int64_t> flat{each * groups, taps[0] / groups};
  llvm::append_range(flat, taps.drop_front(2));
  weights = reshaped(n.b, weights, flat);
  if (areBytes) {
    source = dequantised(n.b, source, *bytesOf(0));
    weights = dequantised(n.b, weights, *bytesOf(1));
  }
  FailureOr<Value> sums = sumsFrom(n, shape, 2, element);
  if (failed(sums))
    return failure();
  n.result(convolution(n.b, source, weights, *sums, groups, window));
  return success();
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

/// Sums of rows times columns from `sums`; `x` is [.., M, K], `y` [.., K, N],
/// of rank 2 or 3.
static Value product(ImplicitLocOpBuilder &b, Value x, Value y, Value sums,
                     ProductBody body) {
  const bool hasBatch = shapeOf(x).size() == 3;
  if (!body) {
    if (hasBatch)
      return linalg::BatchMatmulOp::create(b, sums.getType(), ValueRange{x, y},
                                           sums)
          ->getResult(0);
    return linalg::MatmulOp::create(b, sums.getType(), ValueRange{x, y}, sums)
        ->getResult(0);
  }
  const unsigned o = hasBatch ? 1 : 0, loops = 3 + o;
  auto dim = [&](unsigned i) { return b.getAffineDimExpr(i); };
  SmallVector<AffineExpr> left, right, out;
  if (hasBatch)
    for (auto *exprs : {&left, &right, &out})
      exprs->push_back(dim(0));
  llvm::append_values(left, dim(o), dim(o + 2));
  llvm::append_values(right, dim(o + 2), dim(o + 1));
  llvm::append_values(out, dim(o), dim(o + 1));
  SmallVector<utils::IteratorType> kinds(loops, utils::IteratorType::parallel);
  kinds.back() = utils::IteratorType::reduction;
  auto op = linalg::GenericOp::create(
      b, sums.getType(), ValueRange{x, y}, sums,
      ArrayRef<AffineMap>{AffineMap::get(loops, 0, left, b.getContext()),
                          AffineMap::get(loops, 0, right, b.getContext()),
                          AffineMap::get(loops, 0, out, b.getContext())},
      kinds, [&](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, builder);
        linalg::YieldOp::create(
            inner, Scalars(inner).add(args[2], body(inner, args[0], args[1])));
      });
  return op.getResult(0);
}

FailureOr<Value> frontend::matrixProduct(Node &n, Value x, Value y,
                                         Type element, ProductBody body) {
  ImplicitLocOpBuilder &b = n.b;
  SmallVector<int64_t> left(shapeOf(x)), right(shapeOf(y)), result;
  if (left.empty() || right.empty())
    return n.error("wanted two operands of at least rank 1");
  const bool isRow = left.size() == 1, isColumn = right.size() == 1;
  if (isRow)
    left.insert(left.begin(), 1);
  if (isColumn)
    right.push_back(1);
  const int64_t rows = left[left.size() - 2], columns = right.back(),
                inner = left.back();
  if (right[right.size() - 2] != inner)
    return n.error("wanted as many columns as rows behind them, found " +
                   llvm::Twine(inner) + " and " +
                   llvm::Twine(right[right.size() - 2]));
  auto batch = broadcastShape({ArrayRef<int64_t>(left).drop_back(2),
                               ArrayRef<int64_t>(right).drop_back(2)});
  if (!batch)
    return n.error("wanted batches that broadcast");
  result = *batch;
  if (!isRow)
    result.push_back(rows);
  if (!isColumn)
    result.push_back(columns);
  const std::optional<int64_t> count = countElements(*batch);
  if (!count || !countElements(result))
    return n.error("wanted less than 2^40 elements");
  Value found;
  if (right.size() == 2 || (llvm::all_of(ArrayRef<int64_t>(right).drop_back(2),
                                         [](int64_t e) { return e == 1; }) &&
                            left.size() >= right.size())) {
    // One product of all rows.
    const int64_t all = *count * rows;
    found = product(b, reshaped(b, x, {all, inner}),
                    reshaped(b, y, {inner, columns}),
                    zeros(b, {all, columns}, element), body);
  } else {
    auto batched = [&](Value v, int64_t last0, int64_t last1,
                       ArrayRef<int64_t> own) {
      SmallVector<int64_t> shape(*batch);
      shape.push_back(last0);
      shape.push_back(last1);
      v = broadcastTo(b, reshaped(b, v, own), shape);
      return reshaped(b, v, {*count, last0, last1});
    };
    found = product(b, batched(x, rows, inner, left),
                    batched(y, inner, columns, right),
                    zeros(b, {*count, rows, columns}, element), body);
  }
  return reshaped(b, found, result);
}

static LogicalResult importMatMul(Node &n) {
  if (failed(n.want(2)))
    return failure();
  if (n.element(0) != n.element(1))
    return n.error("wanted two operands of one type");
  FailureOr<Value> found = matrixProduct(n, n.in(0), n.in(1), n.element(0));
  if (failed(found))
    return failure();
  n.result(*found);
  return success();
}

static Value scaledBy(ImplicitLocOpBuilder &b, Value tensor, double factor) {
  if (factor == 1)
    return tensor;
  return mapElements(b, shapeOf(tensor), elementOf(tensor), tensor,
                     [&](ImplicitLocOpBuilder &b, ValueRange args) {
                       Scalars s(b);
                       return s.mul(args[0], s.like(args[0], factor));
                     });
}

static LogicalResult importGemm(Node &n) {
  if (failed(n.want(2)))
    return failure();
  if (n.rank(0) != 2 || n.rank(1) != 2)
    return n.error("wanted two matrices, found ranks " +
                   llvm::Twine(n.rank(0)) + " and " + llvm::Twine(n.rank(1)));
  ImplicitLocOpBuilder &b = n.b;
  Value x = n.in(0), y = n.in(1);
  if (n.integer("transA", 0))
    x = transposed(b, x, {1, 0});
  if (n.integer("transB", 0))
    y = transposed(b, y, {1, 0});
  if (shapeOf(x)[1] != shapeOf(y)[0])
    return n.error("wanted as many columns as rows behind them, found " +
                   llvm::Twine(shapeOf(x)[1]) + " and " +
                   llvm::Twine(shapeOf(y)[0]));
  const double alpha = n.number("alpha", 1), beta = n.number("beta", 1);
  const SmallVector<int64_t> shape{shapeOf(x)[0], shapeOf(y)[1]};
  Value added;
  if (n.has(2) && beta != 0) {
    auto all = broadcastShape({n.shape(2), shape});
    if (!all || *all != shape)
      return n.error("wanted an operand 2 that broadcasts to the product");
    added = scaledBy(b, n.in(2), beta);
  }
  const bool startsFromAdded = added && alpha == 1;
  Value sums = startsFromAdded ? broadcastTo(b, added, shape)
                               : zeros(b, shape, n.element(0));
  Value found = scaledBy(b, product(b, x, y, sums, nullptr), alpha);
  if (added && !startsFromAdded)
    found = mapElements(b, shape, n.element(0), {found, added},
                        [](ImplicitLocOpBuilder &b, ValueRange args) {
                          return Scalars(b).add(args[0], args[1]);
                        });
  n.result(found);
  return success();
}

llvm::ArrayRef<Operator> frontend::contractionOperators() {
  static const Operator kOperators[] = {
      {"", "Conv", 1, importConv},
      {"", "ConvTranspose", 1, importConvTranspose},
      {"", "Gemm", 1, importGemm},
      {"", "MatMul", 1, importMatMul},
  };
  return kOperators;
}
