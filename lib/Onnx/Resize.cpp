//===- Resize.cpp - Images of other extents -------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All modes are separable: along each axis an element is a weighted sum of a
// few others, whose places and weights are known when the model is read.
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;

namespace {
/// How coordinates are found.
struct Rule {
  std::string transformation, mode, nearest;
  double cubic = -0.75;
  bool excludesOutside = false;
};

/// The elements that make one of the result, and their weights.
struct Taps {
  SmallVector<int64_t> places;
  SmallVector<double> weights;
  bool isOutside = false; ///< with tf_crop_and_resize
};
} // namespace

/// Where element `at` of the result lies in the operand.
static double coordinate(const Rule &rule, int64_t at, int64_t from, int64_t to,
                         double scale, double start, double end) {
  const double x = double(at);
  // By a scale, the extent that it asks for, not the whole one that is made.
  const double exact = double(from) * scale;
  if (rule.transformation == "asymmetric")
    return x / scale;
  if (rule.transformation == "align_corners")
    return to == 1 ? 0 : x * double(from - 1) / (exact - 1);
  if (rule.transformation == "pytorch_half_pixel")
    return to == 1 ? -0.5 : (x + 0.5) / scale - 0.5;
  if (rule.transformation == "tf_half_pixel_for_nn")
    return (x + 0.5) / scale;
  if (rule.transformation == "tf_crop_and_resize")
    return to > 1 ? start * double(from - 1) +
                        x * (end - start) * double(from - 1) / double(to - 1)
                  : 0.5 * (start + end) * double(from - 1);
  return (x + 0.5) / scale - 0.5; // half_pixel
}

static Taps tapsAt(const Rule &rule, double x, int64_t from) {
  Taps taps;
  taps.isOutside = rule.transformation == "tf_crop_and_resize" &&
                   (x < 0 || x > double(from - 1));
  auto add = [&](double place, double weight) {
    const double last = double(from - 1);
    if (rule.excludesOutside && (place < 0 || place > last))
      weight = 0;
    taps.places.push_back(int64_t(std::clamp(place, 0.0, last)));
    taps.weights.push_back(weight);
  };
  const double base = std::floor(x), rest = x - base;
  if (rule.mode == "nearest") {
    const double half = base + 0.5;
    add(rule.nearest == "floor"               ? base
        : rule.nearest == "ceil"              ? std::ceil(x)
        : rule.nearest == "round_prefer_ceil" ? std::floor(x + 0.5)
        : x == half                           ? base
                                              : std::floor(x + 0.5),
        1);
  } else if (rule.mode == "cubic") {
    const double a = rule.cubic;
    auto near = [&](double t) { return ((a + 2) * t - (a + 3)) * t * t + 1; };
    auto far = [&](double t) {
      return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
    };
    add(base - 1, far(1 + rest));
    add(base, near(rest));
    add(base + 1, near(1 - rest));
    add(base + 2, far(2 - rest));
  } else {
    add(base, 1 - rest);
    add(base + 1, rest);
  }
  if (rule.excludesOutside) {
    double sum = 0;
    for (double weight : taps.weights)
      sum += weight;
    for (double &weight : taps.weights)
      weight = sum == 0 ? 0 : weight / sum;
  }
  return taps;
}

/// `tensor` with `rows` along `axis`. Elements outside become `outside`.
static Value resizedAlong(Node &n, Value tensor, size_t axis,
                          ArrayRef<Taps> rows, double outside) {
  ImplicitLocOpBuilder &b = n.b;
  SmallVector<int64_t> shape(shapeOf(tensor));
  const int64_t from = shape[axis], to = int64_t(rows.size());
  shape[axis] = to;
  const Type element = elementOf(tensor);
  const size_t count = rows[0].places.size();
  const bool isPick = count == 1;
  // Whole steps are a division of the index.
  if (isPick && to % from == 0 &&
      llvm::all_of(llvm::enumerate(rows), [&](const auto &row) {
        return row.value().places[0] == int64_t(row.index()) / (to / from) &&
               !row.value().isOutside;
      }))
    return fromIndices(b, shape, element,
                       [&](ImplicitLocOpBuilder &b, ValueRange loops) {
                         SmallVector<Value> at(loops);
                         at[axis] = arith::FloorDivSIOp::create(
                             b, at[axis], Scalars(b).index(to / from));
                         return elementAt(b, tensor, at);
                       });
  SmallVector<int64_t> places;
  SmallVector<Attribute> weights;
  SmallVector<bool> outsides;
  const Type real = isa<FloatType>(element) ? element : Type(b.getF32Type());
  for (const Taps &row : rows) {
    llvm::append_range(places, row.places);
    for (double weight : row.weights)
      weights.push_back(b.getFloatAttr(real, weight));
    outsides.push_back(row.isOutside);
  }
  const SmallVector<int64_t> tableShape{to, int64_t(count)};
  Value placeTable = arith::ConstantOp::create(
      b,
      DenseElementsAttr::get(RankedTensorType::get(tableShape, b.getI64Type()),
                             ArrayRef<int64_t>(places)));
  Value weightTable = arith::ConstantOp::create(
      b,
      DenseElementsAttr::get(RankedTensorType::get(tableShape, real), weights));
  Value outsideTable;
  if (llvm::is_contained(outsides, true))
    outsideTable = arith::ConstantOp::create(
        b, DenseElementsAttr::get(RankedTensorType::get({to}, b.getI1Type()),
                                  ArrayRef<bool>(outsides)));
  return fromIndices(
      b, shape, element, [&](ImplicitLocOpBuilder &b, ValueRange loops) {
        Scalars s(b, n.isUnsigned(0));
        Value sum;
        for (size_t tap = 0; tap < count; ++tap) {
          SmallVector<Value> at(loops);
          Value row[] = {loops[axis], s.index(int64_t(tap))};
          at[axis] = s.cast(elementAt(b, placeTable, row), b.getIndexType());
          Value x = elementAt(b, tensor, at);
          if (isPick) {
            sum = x;
            break;
          }
          Value term = s.mul(s.cast(x, real), elementAt(b, weightTable, row));
          sum = sum ? s.add(sum, term) : term;
        }
        sum = s.cast(sum, element, n.isUnsigned(0));
        if (outsideTable)
          sum = s.select(elementAt(b, outsideTable, loops[axis]),
                         s.constant(element, outside), sum);
        return sum;
      });
}

static LogicalResult resize(Node &n, const Rule &rule, ArrayRef<double> scales,
                            ArrayRef<int64_t> sizes, ArrayRef<double> region,
                            double outside) {
  const int64_t rank = n.rank(0);
  if (int64_t(scales.size()) != rank && int64_t(sizes.size()) != rank)
    return n.error("wanted a scale or a size for each axis");
  constexpr int64_t kMostExtent = 1 << 20;
  Value tensor = n.in(0);
  for (int64_t axis = 0; axis < rank; ++axis) {
    const int64_t from = n.shape(0)[size_t(axis)];
    const double scale = scales.empty()
                             ? double(sizes[size_t(axis)]) / double(from)
                             : scales[size_t(axis)];
    const double extent = scales.empty() ? double(sizes[size_t(axis)])
                                         : std::floor(double(from) * scale);
    if (!(extent >= 1 && extent <= kMostExtent && scale > 0) || from < 1)
      return n.error("wanted extents from 1 to " + llvm::Twine(kMostExtent) +
                     " along axis " + llvm::Twine(axis));
    const int64_t to = int64_t(extent);
    const bool crops = rule.transformation == "tf_crop_and_resize";
    const double start = crops ? region[size_t(axis)] : 0;
    const double end = crops ? region[size_t(axis + rank)] : 1;
    if (to == from && scale == 1 && start == 0 && end == 1)
      continue;
    SmallVector<Taps> rows;
    for (int64_t at = 0; at < to; ++at)
      rows.push_back(tapsAt(
          rule, coordinate(rule, at, from, to, scale, start, end), from));
    tensor = resizedAlong(n, tensor, size_t(axis), rows, outside);
  }
  n.result(tensor);
  return success();
}

/// Fails for a word that is none of `known`.
static LogicalResult wantWord(Node &n, StringRef what, StringRef found,
                              ArrayRef<StringRef> known) {
  if (llvm::is_contained(known, found))
    return success();
  return n.error("wanted " + llvm::join(known, ", ") + " as " + what +
                 ", found " + found);
}

static LogicalResult importResize(Node &n) {
  if (failed(n.want(1)))
    return failure();
  const bool isOld = n.version < 11; // X and scales
  Rule rule;
  rule.mode = n.text("mode", "nearest");
  rule.transformation =
      isOld ? "asymmetric"
            : n.text("coordinate_transformation_mode", "half_pixel");
  rule.nearest = isOld ? "floor" : n.text("nearest_mode", "round_prefer_floor");
  rule.cubic = n.number("cubic_coeff_a", -0.75);
  rule.excludesOutside = n.integer("exclude_outside", 0) != 0;
  if (failed(wantWord(n, "mode", rule.mode, {"nearest", "linear", "cubic"})) ||
      failed(wantWord(n, "coordinate_transformation_mode", rule.transformation,
                      {"half_pixel", "pytorch_half_pixel", "align_corners",
                       "asymmetric", "tf_half_pixel_for_nn",
                       "tf_crop_and_resize"})) ||
      failed(wantWord(
          n, "nearest_mode", rule.nearest,
          {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})))
    return failure();
  const unsigned scaleOperand = isOld ? 1 : 2;
  SmallVector<double> scales, region;
  SmallVector<int64_t> sizes;
  if (n.has(scaleOperand)) {
    FailureOr<SmallVector<double>> given = n.numbersOf(scaleOperand);
    if (failed(given))
      return failure();
    scales = *given;
  }
  if (!isOld && n.has(3) && scales.empty()) {
    FailureOr<SmallVector<int64_t>> given = n.integersOf(3);
    if (failed(given))
      return failure();
    sizes = *given;
  }
  if (rule.transformation == "tf_crop_and_resize") {
    FailureOr<SmallVector<double>> given = n.numbersOf(1);
    if (failed(given))
      return failure();
    region = *given;
    if (int64_t(region.size()) != 2 * n.rank(0))
      return n.error("wanted a roi with a start and an end for each axis");
  }
  return resize(n, rule, scales, sizes, region,
                n.number("extrapolation_value", 0));
}

static LogicalResult importUpsample(Node &n) {
  if (failed(n.want(1)))
    return failure();
  Rule rule;
  rule.mode = n.text("mode", "nearest");
  rule.transformation = "asymmetric";
  rule.nearest = "floor";
  if (failed(wantWord(n, "mode", rule.mode, {"nearest", "linear"})))
    return failure();
  if (n.version < 9)
    return resize(n, rule, n.numbers("scales"), {}, {}, 0);
  FailureOr<SmallVector<double>> scales = n.numbersOf(1);
  if (failed(scales))
    return failure();
  return resize(n, rule, *scales, {}, {}, 0);
}

llvm::ArrayRef<Operator> frontend::resizeOperators() {
  static const Operator kOperators[] = {
      {"", "Resize", 10, importResize},
      {"", "Upsample", 7, importUpsample},
  };
  return kOperators;
}
