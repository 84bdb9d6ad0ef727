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

namespace {
/// An axis that changes, and what makes each of its elements.
struct Resized {
  size_t axis;
  SmallVector<Taps> rows;
};
} // namespace

/// A constant with `width` numbers for each element along an axis.
template <typename Numbers>
static Value table(ImplicitLocOpBuilder &b, int64_t width, Type element,
                   const Numbers &numbers) {
  const int64_t rows = int64_t(numbers.size()) / width;
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(RankedTensorType::get({rows, width}, element),
                                ArrayRef(numbers)));
}

/// Where the elements of `tensor` come from if each is one of another: all axes
/// in one operation.
static Value picked(Node &n, Value tensor, ArrayRef<Resized> axes,
                    double outside) {
  ImplicitLocOpBuilder &b = n.b;
  SmallVector<int64_t> shape(shapeOf(tensor));
  SmallVector<int64_t> steps; // whole ones are a division of the index
  SmallVector<Value> places, outsides;
  for (const Resized &resized : axes) {
    const int64_t from = shape[resized.axis], to = int64_t(resized.rows.size());
    shape[resized.axis] = to;
    SmallVector<int64_t> numbers;
    SmallVector<bool> flags;
    bool isWhole = to % from == 0;
    for (auto [at, row] : llvm::enumerate(resized.rows)) {
      numbers.push_back(row.places[0]);
      flags.push_back(row.isOutside);
      isWhole &= row.places[0] == int64_t(at) / std::max<int64_t>(to / from, 1);
    }
    steps.push_back(isWhole ? to / from : 0);
    places.push_back(isWhole ? Value() : table(b, 1, b.getI64Type(), numbers));
    outsides.push_back(llvm::is_contained(flags, true)
                           ? table(b, 1, b.getI1Type(), flags)
                           : Value());
  }
  const Type element = elementOf(tensor);
  return fromIndices(
      b, shape, element, [&](ImplicitLocOpBuilder &b, ValueRange loops) {
        Scalars s(b);
        SmallVector<Value> at(loops);
        Value isOutside;
        for (auto [i, resized] : llvm::enumerate(axes)) {
          Value row[] = {loops[resized.axis], s.index(0)};
          at[resized.axis] =
              steps[i] ? arith::FloorDivSIOp::create(b, loops[resized.axis],
                                                     s.index(steps[i]))
                             .getResult()
                       : s.cast(elementAt(b, places[i], row), b.getIndexType());
          if (!outsides[i])
            continue;
          Value flag = elementAt(b, outsides[i], row);
          isOutside = isOutside ? s.add(isOutside, flag) : flag;
        }
        Value x = elementAt(b, tensor, at);
        return isOutside ? s.select(isOutside, s.constant(element, outside), x)
                         : x;
      });
}

/// `tensor` with weighted sums along one axis. Elements outside become
/// `outside`.
static Value interpolated(Node &n, Value tensor, const Resized &resized,
                          double outside) {
  ImplicitLocOpBuilder &b = n.b;
  const size_t axis = resized.axis, count = resized.rows[0].places.size();
  SmallVector<int64_t> shape(shapeOf(tensor));
  shape[axis] = int64_t(resized.rows.size());
  const Type element = elementOf(tensor);
  const Type real = isa<FloatType>(element) ? element : Type(b.getF32Type());
  SmallVector<int64_t> places;
  SmallVector<Attribute> weights;
  SmallVector<bool> flags;
  for (const Taps &row : resized.rows) {
    llvm::append_range(places, row.places);
    for (double weight : row.weights)
      weights.push_back(b.getFloatAttr(real, weight));
    flags.push_back(row.isOutside);
  }
  Value placeTable = table(b, int64_t(count), b.getI64Type(), places);
  Value weightTable = table(b, int64_t(count), real, weights);
  Value outsideTable = llvm::is_contained(flags, true)
                           ? table(b, 1, b.getI1Type(), flags)
                           : Value();
  return fromIndices(
      b, shape, element, [&](ImplicitLocOpBuilder &b, ValueRange loops) {
        Scalars s(b, n.isUnsigned(0));
        Value sum;
        for (size_t tap = 0; tap < count; ++tap) {
          SmallVector<Value> at(loops);
          Value row[] = {loops[axis], s.index(int64_t(tap))};
          at[axis] = s.cast(elementAt(b, placeTable, row), b.getIndexType());
          Value term = s.mul(s.cast(elementAt(b, tensor, at), real),
                             elementAt(b, weightTable, row));
          sum = sum ? s.add(sum, term) : term;
        }
        sum = s.cast(sum, element, n.isUnsigned(0));
        if (!outsideTable)
          return sum;
        Value row[] = {loops[axis], s.index(0)};
        return s.select(elementAt(b, outsideTable, row),
                        s.constant(element, outside), sum);
      });
}

static LogicalResult resize(Node &n, const Rule &rule, ArrayRef<double> scales,
                            ArrayRef<int64_t> sizes, ArrayRef<double> region,
                            double outside) {
  const int64_t rank = n.rank(0);
  if (int64_t(scales.size()) != rank && int64_t(sizes.size()) != rank)
    return n.error("wanted a scale or a size for each axis");
  constexpr int64_t kMostExtent = 1 << 20;
  SmallVector<Resized> axes;
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
    Resized resized{size_t(axis), {}};
    for (int64_t at = 0; at < to; ++at)
      resized.rows.push_back(tapsAt(
          rule, coordinate(rule, at, from, to, scale, start, end), from));
    axes.push_back(std::move(resized));
  }
  GraphValue result = n.operand(0);
  if (rule.mode == "nearest" && !axes.empty()) {
    result.tensor = picked(n, n.in(0), axes, outside);
    if (result.quantised && region.empty())
      result.quantised->bytes =
          picked(n, result.quantised->bytes, axes, outside);
    else
      result.quantised.reset();
  } else if (!axes.empty()) {
    result.quantised.reset();
    // The last axis first, as ONNX's reference and torch have it: what it costs
    // to look up taps along the innermost loop it costs for fewer elements.
    for (const Resized &resized : llvm::reverse(axes))
      result.tensor = interpolated(n, result.tensor, resized, outside);
  }
  n.result(0, std::move(result));
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
