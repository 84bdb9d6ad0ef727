//===- Windows.cpp - Pooling and what else slides a window ----------------===//
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
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;
using onnx::TensorProto;

/// The window of a pool over operand 0.
static FailureOr<Window> poolWindow(Node &n) {
  if (failed(n.want(1)))
    return failure();
  if (n.rank(0) < 3)
    return n.error("wanted an image of at least rank 3, found " +
                   llvm::Twine(n.rank(0)));
  ArrayRef<int64_t> image = n.shape(0).drop_front(2);
  const SmallVector<int64_t> kernel = n.integers("kernel_shape");
  if (kernel.size() != image.size())
    return n.error("wanted a kernel_shape of " + llvm::Twine(image.size()) +
                   " extents, found " + llvm::Twine(kernel.size()));
  return windowOf(n, image, kernel);
}

/// Loops over a result [N, C, spatial] and the taps of a window, with the maps
/// of the padded image, the window and the result.
static SmallVector<AffineMap> windowMaps(ImplicitLocOpBuilder &b,
                                         const Window &window) {
  const unsigned rank = unsigned(window.kernel.size()), loops = 2 + 2 * rank;
  auto dim = [&](unsigned i) { return b.getAffineDimExpr(i); };
  SmallVector<AffineExpr> image{dim(0), dim(1)}, taps, result{dim(0), dim(1)};
  for (unsigned i = 0; i < rank; ++i) {
    image.push_back(dim(2 + i) * window.strides[i] +
                    dim(2 + rank + i) * window.dilations[i]);
    taps.push_back(dim(2 + rank + i));
    result.push_back(dim(2 + i));
  }
  SmallVector<AffineMap> maps;
  for (auto *exprs : {&image, &taps, &result})
    maps.push_back(AffineMap::get(loops, 0, *exprs, b.getContext()));
  return maps;
}

static SmallVector<utils::IteratorType> windowLoops(const Window &window) {
  const size_t rank = window.kernel.size();
  SmallVector<utils::IteratorType> kinds(2 + rank,
                                         utils::IteratorType::parallel);
  kinds.append(rank, utils::IteratorType::reduction);
  return kinds;
}

static SmallVector<int64_t> poolShape(Node &n, const Window &window) {
  SmallVector<int64_t> shape{n.shape(0)[0], n.shape(0)[1]};
  llvm::append_range(shape, window.extents);
  return shape;
}

/// `body` of the element and the value so far, from `init`, over each window:
/// their sum, or the largest of elements that are `isUnsigned`.
static Value pool(Node &n, Value image, const Window &window, Value init,
                  bool isSum, bool isUnsigned, ElementBody body) {
  ImplicitLocOpBuilder &b = n.b;
  Value start = filled(b, poolShape(n, window), init);
  Value taps = emptyTensor(b, window.kernel, elementOf(image));
  const bool isNamed = window.kernel.size() == 2 && !isUnsigned;
  if (isNamed) {
    auto strides = b.getI64TensorAttr(window.strides);
    auto dilations = b.getI64TensorAttr(window.dilations);
    if (isSum)
      return linalg::PoolingNchwSumOp::create(b, start.getType(),
                                              ValueRange{image, taps}, start,
                                              strides, dilations)
          ->getResult(0);
    return linalg::PoolingNchwMaxOp::create(b, start.getType(),
                                            ValueRange{image, taps}, start,
                                            strides, dilations)
        ->getResult(0);
  }
  auto op = linalg::GenericOp::create(
      b, start.getType(), ValueRange{image, taps}, start, windowMaps(b, window),
      windowLoops(window),
      [&](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, builder);
        linalg::YieldOp::create(inner, body(inner, {args[0], args[2]}));
      });
  return op.getResult(0);
}

/// The largest element of each window and the place of the first such,
/// as an index into the whole image.
static std::pair<Value, Value> poolWithIndices(Node &n, Value image,
                                               const Window &window) {
  ImplicitLocOpBuilder &b = n.b;
  const Type element = elementOf(image);
  Scalars s(b, n.isUnsigned(0));
  const SmallVector<int64_t> shape = poolShape(n, window);
  Value taps = emptyTensor(b, window.kernel, element);
  Value best = filled(b, shape, s.lowest(element));
  Value places = zeros(b, shape, b.getI64Type());
  const bool columns = n.integer("storage_order", 0) != 0;
  const SmallVector<int64_t> extents(n.shape(0));
  SmallVector<AffineMap> maps = windowMaps(b, window);
  maps.push_back(maps.back());
  auto op = linalg::GenericOp::create(
      b, TypeRange{best.getType(), places.getType()}, ValueRange{image, taps},
      ValueRange{best, places}, maps, windowLoops(window),
      [&](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, builder);
        Scalars s(inner, n.isUnsigned(0));
        const size_t rank = window.kernel.size();
        auto loop = [&](size_t i) -> Value {
          return linalg::IndexOp::create(inner, int64_t(i));
        };
        Value place = s.add(s.mul(loop(0), s.index(extents[1])), loop(1));
        SmallVector<Value> at;
        for (size_t i = 0; i < rank; ++i)
          at.push_back(s.sub(
              s.add(s.mul(loop(2 + i), s.index(window.strides[i])),
                    s.mul(loop(2 + rank + i), s.index(window.dilations[i]))),
              s.index(window.before[i])));
        for (size_t i = 0; i < rank; ++i) {
          const size_t axis = columns ? rank - 1 - i : i;
          place = s.add(s.mul(place, s.index(extents[2 + axis])), at[axis]);
        }
        Value better = s.less(args[2], args[0]);
        linalg::YieldOp::create(
            inner,
            ValueRange{
                s.select(better, args[0], args[2]),
                s.select(better, s.cast(place, inner.getI64Type()), args[3])});
      });
  return {op.getResult(0), op.getResult(1)};
}

/// Bytes with their sign bits flipped, which are in the order of signed ones if
/// they were in that of unsigned ones.
static Value flipSigns(ImplicitLocOpBuilder &b, Value bytes) {
  return mapElements(b, shapeOf(bytes), elementOf(bytes), bytes,
                     [](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                       Value sign = arith::ConstantOp::create(
                           b, b.getI8IntegerAttr(-128));
                       return arith::XOrIOp::create(b, args[0], sign);
                     });
}

static LogicalResult importMaxPool(Node &n) {
  FailureOr<Window> window = poolWindow(n);
  if (failed(window))
    return failure();
  // Layers pool signed bytes.
  const bool flips =
      !n.wants(1) && n.isUnsigned(0) && n.element(0).isInteger(8);
  const bool isUnsigned = n.isUnsigned(0) && !flips;
  Scalars s(n.b, isUnsigned);
  Value lowest = s.lowest(n.element(0));
  Value image = flips ? flipSigns(n.b, n.in(0)) : n.in(0);
  image = paddedImage(n.b, image, *window, lowest);
  if (n.wants(1)) {
    auto [best, places] = poolWithIndices(n, image, *window);
    n.result(best);
    n.result(1, places, TensorProto::INT64);
    return success();
  }
  Value best = pool(n, image, *window, lowest, /*isSum=*/false, isUnsigned,
                    [&](ImplicitLocOpBuilder &b, ValueRange args) {
                      return Scalars(b, isUnsigned).max(args[0], args[1]);
                    });
  n.result(flips ? flipSigns(n.b, best) : best);
  return success();
}

/// How many elements of each window count.
static Value countsOf(Node &n, const Window &window, bool withPadding) {
  ImplicitLocOpBuilder &b = n.b;
  SmallVector<double> counts{1};
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    const int64_t image = n.shape(0)[2 + i];
    const int64_t from = withPadding ? -window.before[i] : 0;
    const int64_t to = withPadding ? image + window.after[i] : image;
    SmallVector<double> next;
    for (double before : counts)
      for (int64_t o = 0; o < window.extents[i]; ++o) {
        int64_t count = 0;
        for (int64_t k = 0; k < window.kernel[i]; ++k) {
          const int64_t at = o * window.strides[i] - window.before[i] +
                             k * window.dilations[i];
          count += at >= from && at < to;
        }
        next.push_back(before * double(count));
      }
    counts = std::move(next);
  }
  const auto type = cast<FloatType>(n.element(0));
  if (llvm::all_equal(counts))
    return arith::ConstantOp::create(
        b,
        DenseElementsAttr::get(RankedTensorType::get({}, type),
                               {Attribute(b.getFloatAttr(type, counts[0]))}));
  SmallVector<Attribute> attrs;
  for (double count : counts)
    attrs.push_back(b.getFloatAttr(type, count));
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get(window.extents, type),
                                attrs));
}

static LogicalResult importAveragePool(Node &n) {
  FailureOr<Window> window = poolWindow(n);
  if (failed(window))
    return failure();
  if (!isa<FloatType>(n.element(0)))
    return n.error("wanted floats, found " + typeName(n.typeOf(0)));
  int64_t outputs = 1, taps = 1;
  for (auto [extent, kernel] :
       llvm::zip_equal(window->extents, window->kernel)) {
    outputs *= extent;
    taps = std::max(taps, kernel);
    if (outputs > (1 << 24) || taps > (1 << 16))
      return n.error("wanted at most 2^24 windows of at most 2^16 taps");
  }
  Value zero = Scalars(n.b).constant(n.element(0), 0);
  Value image = paddedImage(n.b, n.in(0), *window, zero);
  Value sums =
      pool(n, image, *window, zero, /*isSum=*/true,
           /*isUnsigned=*/false, [&](ImplicitLocOpBuilder &b, ValueRange args) {
             return Scalars(b).add(args[0], args[1]);
           });
  Value counts = countsOf(n, *window, n.integer("count_include_pad", 0) != 0);
  n.result(mapElements(n.b, shapeOf(sums), n.element(0), {sums, counts},
                       [](ImplicitLocOpBuilder &b, ValueRange args) {
                         return Scalars(b).div(args[0], args[1]);
                       }));
  return success();
}

static FailureOr<SmallVector<int64_t>> spatialAxes(Node &n) {
  if (failed(n.want(1)))
    return failure();
  if (n.rank(0) < 2)
    return n.error("wanted an image of at least rank 2, found " +
                   llvm::Twine(n.rank(0)));
  return llvm::to_vector(llvm::seq<int64_t>(2, n.rank(0)));
}

static LogicalResult importGlobalAveragePool(Node &n) {
  FailureOr<SmallVector<int64_t>> axes = spatialAxes(n);
  if (failed(axes))
    return failure();
  double count = 1;
  for (int64_t axis : *axes)
    count *= double(n.shape(0)[size_t(axis)]);
  Scalars s(n.b);
  Value sums = reduceAxes(n.b, n.in(0), *axes, s.constant(n.element(0), 0),
                          true, [](ImplicitLocOpBuilder &b, ValueRange args) {
                            return Scalars(b).add(args[0], args[1]);
                          });
  n.result(mapElements(n.b, shapeOf(sums), n.element(0), sums,
                       [&](ImplicitLocOpBuilder &b, ValueRange args) {
                         Scalars s(b);
                         return s.div(args[0], s.like(args[0], count));
                       }));
  return success();
}

static LogicalResult importGlobalMaxPool(Node &n) {
  FailureOr<SmallVector<int64_t>> axes = spatialAxes(n);
  if (failed(axes))
    return failure();
  const bool flips = n.isUnsigned(0) && n.element(0).isInteger(8);
  Value image = flips ? flipSigns(n.b, n.in(0)) : n.in(0);
  Value best = reduceAxes(n.b, image, *axes, Scalars(n.b).lowest(n.element(0)),
                          true, [](ImplicitLocOpBuilder &b, ValueRange args) {
                            return Scalars(b).max(args[0], args[1]);
                          });
  n.result(flips ? flipSigns(n.b, best) : best);
  return success();
}

/// The p-th root of the sum of p-th powers.
static Value powerOf(ImplicitLocOpBuilder &b, Value tensor, double power) {
  return mapElements(b, shapeOf(tensor), elementOf(tensor), tensor,
                     [&](ImplicitLocOpBuilder &b, ValueRange args) -> Value {
                       Scalars s(b);
                       return math::PowFOp::create(b, args[0],
                                                   s.like(args[0], power));
                     });
}

static Value absolute(ImplicitLocOpBuilder &b, Value tensor) {
  return mapElements(b, shapeOf(tensor), elementOf(tensor), tensor,
                     [&](ImplicitLocOpBuilder &b, ValueRange args) {
                       return Scalars(b).abs(args[0]);
                     });
}

static LogicalResult importGlobalLpPool(Node &n) {
  FailureOr<SmallVector<int64_t>> axes = spatialAxes(n);
  if (failed(axes))
    return failure();
  const double p = double(n.integer("p", 2));
  Value powers = powerOf(n.b, absolute(n.b, n.in(0)), p);
  Value sums =
      reduceAxes(n.b, powers, *axes, Scalars(n.b).constant(n.element(0), 0),
                 true, [](ImplicitLocOpBuilder &b, ValueRange args) {
                   return Scalars(b).add(args[0], args[1]);
                 });
  n.result(powerOf(n.b, sums, 1 / p));
  return success();
}

static LogicalResult importLpPool(Node &n) {
  FailureOr<Window> window = poolWindow(n);
  if (failed(window))
    return failure();
  const double p = double(n.integer("p", 2));
  Value zero = Scalars(n.b).constant(n.element(0), 0);
  Value image =
      paddedImage(n.b, powerOf(n.b, absolute(n.b, n.in(0)), p), *window, zero);
  Value sums =
      pool(n, image, *window, zero, /*isSum=*/true,
           /*isUnsigned=*/false, [&](ImplicitLocOpBuilder &b, ValueRange args) {
             return Scalars(b).add(args[0], args[1]);
           });
  n.result(powerOf(n.b, sums, 1 / p));
  return success();
}

/// x / (bias + alpha / size * sum of squares over `size` channels) ^ beta
static LogicalResult importLRN(Node &n) {
  if (failed(n.want(1)))
    return failure();
  const int64_t size = n.integer("size", 0);
  if (n.rank(0) < 2 || size < 1 || size > (1 << 20))
    return n.error("wanted channels and a size from 1 on");
  ImplicitLocOpBuilder &b = n.b;
  const double alpha = n.number("alpha", 0.0001), beta = n.number("beta", 0.75),
               bias = n.number("bias", 1);
  const SmallVector<int64_t> shape(n.shape(0));
  Value squares = mapElements(b, shape, n.element(0), n.in(0),
                              [](ImplicitLocOpBuilder &b, ValueRange args) {
                                return Scalars(b).mul(args[0], args[0]);
                              });
  SmallVector<int64_t> before(shape.size(), 0), after(shape.size(), 0);
  before[1] = (size - 1) / 2;
  after[1] = size - 1 - before[1];
  Value source =
      padded(b, squares, before, after, Scalars(b).constant(n.element(0), 0));
  const unsigned rank = unsigned(shape.size());
  SmallVector<AffineExpr> in;
  for (unsigned i = 0; i < rank; ++i)
    in.push_back(b.getAffineDimExpr(i));
  SmallVector<AffineExpr> out(in);
  in[1] = in[1] + b.getAffineDimExpr(rank);
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  kinds.push_back(utils::IteratorType::reduction);
  Value start = zeros(b, shape, n.element(0));
  auto op = linalg::GenericOp::create(
      b, start.getType(),
      ValueRange{source, emptyTensor(b, {size}, n.element(0))}, start,
      ArrayRef<AffineMap>{AffineMap::get(rank + 1, 0, in, b.getContext()),
                          AffineMap::get(rank + 1, 0,
                                         {b.getAffineDimExpr(rank)},
                                         b.getContext()),
                          AffineMap::get(rank + 1, 0, out, b.getContext())},
      kinds, [&](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, builder);
        linalg::YieldOp::create(inner, Scalars(inner).add(args[2], args[0]));
      });
  n.result(mapElements(
      b, shape, n.element(0), {n.in(0), op.getResult(0)},
      [&](ImplicitLocOpBuilder &b, ValueRange args) {
        Scalars s(b);
        Value base =
            s.add(s.like(args[0], bias),
                  s.mul(s.like(args[0], alpha / double(size)), args[1]));
        Value power = math::PowFOp::create(b, base, s.like(args[0], beta));
        return s.div(args[0], power);
      }));
  return success();
}

llvm::ArrayRef<Operator> frontend::windowOperators() {
  static const Operator kOperators[] = {
      {"", "AveragePool", 1, importAveragePool},
      {"", "GlobalAveragePool", 1, importGlobalAveragePool},
      {"", "GlobalLpPool", 2, importGlobalLpPool},
      {"", "GlobalMaxPool", 1, importGlobalMaxPool, true},
      {"", "LRN", 1, importLRN},
      {"", "LpPool", 2, importLpPool},
      {"", "MaxPool", 1, importMaxPool, true},
  };
  return kOperators;
}
