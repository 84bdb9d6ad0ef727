//===- Movement.cpp - Operators that move elements ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;
using onnx::TensorProto;

/// Fails if `shape` is of another number of elements than operand 0.
static LogicalResult reshapeTo(Node &n, ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = countElements(shape);
  if (!count || *count != *countElements(n.shape(0)))
    return n.error("wanted a shape of " +
                   llvm::Twine(*countElements(n.shape(0))) +
                   " elements, found " + listText(shape));
  n.result(reshaped(n.b, n.in(0), shape));
  return success();
}

static LogicalResult importReshape(Node &n) {
  if (failed(n.want(1)))
    return failure();
  auto given = n.integersFrom("shape", 5, 1);
  if (failed(given))
    return failure();
  if (!*given)
    return n.error("wanted a shape, found none");
  SmallVector<int64_t> shape = **given;
  const bool zeroIsZero = n.integer("allowzero", 0) != 0;
  int64_t *open = nullptr;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (extent == 0 && !zeroIsZero) {
      if (axis >= n.shape(0).size())
        return n.error("wanted an extent for axis " + llvm::Twine(axis) +
                       ", which the operand has not, found 0");
      extent = n.shape(0)[axis];
    } else if (extent == -1) {
      if (open)
        return n.error("wanted at most one extent of -1");
      open = &shape[axis];
    }
  }
  if (open) {
    *open = 1;
    std::optional<int64_t> others = countElements(shape);
    const int64_t all = *countElements(n.shape(0));
    if (!others || *others == 0 || all % *others != 0)
      return n.error("wanted other extents that divide " + llvm::Twine(all) +
                     " elements beside the one of -1");
    *open = all / *others;
  }
  return reshapeTo(n, shape);
}

static LogicalResult importFlatten(Node &n) {
  if (failed(n.want(1)))
    return failure();
  int64_t axis = n.integer("axis", 1);
  if (axis < -n.rank(0) || axis > n.rank(0))
    return n.error("wanted an axis from " + llvm::Twine(-n.rank(0)) + " to " +
                   llvm::Twine(n.rank(0)) + ", found " + llvm::Twine(axis));
  if (axis < 0)
    axis += n.rank(0);
  int64_t rows = 1, columns = 1;
  for (auto [i, extent] : llvm::enumerate(n.shape(0)))
    (int64_t(i) < axis ? rows : columns) *= extent;
  return reshapeTo(n, {rows, columns});
}

static LogicalResult importSqueeze(Node &n) {
  if (failed(n.want(1)))
    return failure();
  auto given = n.integersFrom("axes", 13, 1);
  if (failed(given))
    return failure();
  SmallVector<int64_t> shape;
  FailureOr<SmallVector<int64_t>> axes = SmallVector<int64_t>();
  if (*given)
    axes = n.axesOf(**given, n.rank(0));
  if (failed(axes))
    return failure();
  for (auto [axis, extent] : llvm::enumerate(n.shape(0))) {
    const bool goes =
        *given ? llvm::is_contained(*axes, int64_t(axis)) : extent == 1;
    if (goes && extent != 1)
      return n.error("wanted extent 1 along axis " + llvm::Twine(axis) +
                     ", found " + llvm::Twine(extent));
    if (!goes)
      shape.push_back(extent);
  }
  return reshapeTo(n, shape);
}

static LogicalResult importUnsqueeze(Node &n) {
  if (failed(n.want(1)))
    return failure();
  auto given = n.integersFrom("axes", 13, 1);
  if (failed(given))
    return failure();
  if (!*given)
    return n.error("wanted axes, found none");
  const int64_t rank = n.rank(0) + int64_t((**given).size());
  FailureOr<SmallVector<int64_t>> axes = n.axesOf(**given, rank);
  if (failed(axes))
    return failure();
  if (axes->size() != (**given).size())
    return n.error("wanted axes that differ");
  SmallVector<int64_t> shape;
  size_t next = 0;
  for (int64_t axis = 0; axis < rank; ++axis)
    shape.push_back(llvm::is_contained(*axes, axis) ? 1 : n.shape(0)[next++]);
  return reshapeTo(n, shape);
}

static LogicalResult importTranspose(Node &n) {
  if (failed(n.want(1)))
    return failure();
  SmallVector<int64_t> permutation = n.integers("perm");
  if (!n.attribute("perm"))
    for (int64_t axis = n.rank(0); axis-- > 0;)
      permutation.push_back(axis);
  SmallVector<int64_t> sorted(permutation);
  llvm::sort(sorted);
  if (sorted != llvm::to_vector(llvm::seq<int64_t>(n.rank(0))))
    return n.error("wanted a permutation of " + llvm::Twine(n.rank(0)) +
                   " axes as 'perm'");
  n.result(transposed(n.b, n.in(0), permutation));
  return success();
}

static LogicalResult importConcat(Node &n) {
  if (failed(n.want(std::max(1u, n.numOperands()))))
    return failure();
  FailureOr<int64_t> axis = n.axisOf(n.integer("axis", 1), n.rank(0));
  if (failed(axis))
    return failure();
  SmallVector<Value> tensors;
  for (unsigned i = 0; i < n.numOperands(); ++i) {
    SmallVector<int64_t> shape(n.shape(i));
    if (n.element(i) != n.element(0) || n.rank(i) != n.rank(0))
      return n.error("wanted operands of one type and rank");
    shape[size_t(*axis)] = n.shape(0)[size_t(*axis)];
    if (ArrayRef<int64_t>(shape) != n.shape(0))
      return n.error("wanted operands of one shape but for axis " +
                     llvm::Twine(*axis));
    if (n.shape(i)[size_t(*axis)] != 0)
      tensors.push_back(n.in(i));
  }
  n.result(tensors.empty() ? n.in(0) : concatenated(n.b, tensors, *axis));
  return success();
}

static LogicalResult importSplit(Node &n) {
  if (failed(n.want(1)))
    return failure();
  FailureOr<int64_t> axis = n.axisOf(n.integer("axis", 0), n.rank(0));
  auto given = n.integersFrom("split", 13, 1);
  if (failed(axis) || failed(given))
    return failure();
  const int64_t extent = n.shape(0)[size_t(*axis)];
  const int64_t count = n.proto.output_size();
  SmallVector<int64_t> parts;
  if (*given)
    parts = **given;
  else if (count > 0 && extent % count == 0)
    parts.assign(size_t(count), extent / count);
  int64_t sum = 0;
  for (int64_t part : parts) {
    if (part < 0 || part > extent)
      return n.error("wanted parts from 0 to " + llvm::Twine(extent));
    sum += part;
  }
  if (int64_t(parts.size()) != count || sum != extent)
    return n.error("wanted " + llvm::Twine(count) + " parts that sum to " +
                   llvm::Twine(extent));
  SmallVector<int64_t> offsets(size_t(n.rank(0)), 0), sizes(n.shape(0));
  for (auto [i, part] : llvm::enumerate(parts)) {
    sizes[size_t(*axis)] = part;
    n.result(unsigned(i), sliced(n.b, n.in(0), offsets, sizes), n.typeOf(0));
    offsets[size_t(*axis)] += part;
  }
  return success();
}

static LogicalResult importSlice(Node &n) {
  if (failed(n.want(1)))
    return failure();
  auto starts = n.integersFrom("starts", 10, 1);
  auto ends = n.integersFrom("ends", 10, 2);
  auto axes = n.integersFrom("axes", 10, 3);
  if (failed(starts) || failed(ends) || failed(axes))
    return failure();
  std::optional<SmallVector<int64_t>> steps;
  if (n.version >= 10) {
    auto given = n.integersFrom("steps", 10, 4);
    if (failed(given))
      return failure();
    steps = *given;
  }
  if (!*starts || !*ends || (**starts).size() != (**ends).size() ||
      (*axes && (**axes).size() != (**starts).size()) ||
      (steps && steps->size() != (**starts).size()) ||
      (!*axes && (**starts).size() > n.shape(0).size()))
    return n.error("wanted as many starts as ends, axes and steps");
  const size_t rank = n.shape(0).size();
  SmallVector<int64_t> offsets(rank, 0), sizes(n.shape(0)), strides(rank, 1);
  for (size_t i = 0; i < (**starts).size(); ++i) {
    FailureOr<int64_t> axis =
        n.axisOf(*axes ? (**axes)[i] : int64_t(i), int64_t(rank));
    if (failed(axis))
      return failure();
    const int64_t extent = n.shape(0)[size_t(*axis)];
    const int64_t step = steps ? (*steps)[i] : 1;
    if (step == 0)
      return n.error("wanted a step that is not 0");
    auto place = [&](int64_t at) {
      if (at < 0)
        at = at < -extent ? -1 - extent : at; // before the first
      return at < 0 ? at + extent : at;
    };
    int64_t from = place((**starts)[i]), to = place((**ends)[i]);
    if (step > 0) {
      from = std::clamp<int64_t>(from, 0, extent);
      to = std::clamp<int64_t>(to, 0, extent);
    } else {
      from = std::clamp<int64_t>(from, -1, extent - 1);
      to = std::clamp<int64_t>(to, -1, extent - 1);
    }
    // Steps beyond the extent take the first only.
    const int64_t most = std::max<int64_t>(extent, 1);
    const int64_t cut = std::clamp<int64_t>(step, -most, most);
    const int64_t span = cut > 0 ? to - from : from - to;
    offsets[size_t(*axis)] = from;
    strides[size_t(*axis)] = cut;
    sizes[size_t(*axis)] =
        span <= 0 ? 0 : (span + std::abs(cut) - 1) / std::abs(cut);
  }
  if (llvm::is_contained(sizes, 0))
    n.result(emptyTensor(n.b, sizes, n.element(0)));
  else
    n.result(sliced(n.b, n.in(0), offsets, sizes, strides));
  return success();
}

static LogicalResult importExpand(Node &n) {
  FailureOr<SmallVector<int64_t>> given = n.integersOf(1);
  if (failed(given))
    return failure();
  auto shape = broadcastShape({n.shape(0), *given});
  if (!shape || !countElements(*shape))
    return n.error("wanted a shape that the operand broadcasts to");
  n.result(broadcastTo(n.b, n.in(0), *shape));
  return success();
}

static LogicalResult importTile(Node &n) {
  FailureOr<SmallVector<int64_t>> repeats = n.integersOf(1);
  if (failed(repeats))
    return failure();
  if (int64_t(repeats->size()) != n.rank(0))
    return n.error("wanted a number of repetitions for each axis");
  SmallVector<int64_t> shape;
  for (auto [extent, times] : llvm::zip_equal(n.shape(0), *repeats)) {
    if (times < 0 || times > (int64_t(1) << 40))
      return n.error("wanted repetitions from 0 on");
    if (times > 1 && extent > (int64_t(1) << 40) / times)
      return n.error("wanted less than 2^40 elements");
    shape.push_back(extent * times);
  }
  if (!countElements(shape))
    return n.error("wanted less than 2^40 elements");
  // [a, b] to [1, a, 1, b] to [times, a, times, b].
  SmallVector<int64_t> apart, spread;
  for (auto [extent, times] : llvm::zip_equal(n.shape(0), *repeats)) {
    llvm::append_values(apart, 1, extent);
    llvm::append_values(spread, times, extent);
  }
  Value tensor = broadcastTo(n.b, reshaped(n.b, n.in(0), apart), spread);
  n.result(reshaped(n.b, tensor, shape));
  return success();
}

/// Where the element at a place in front of or behind a tensor comes from.
static int64_t mirrored(int64_t at, int64_t extent, bool isEdge) {
  if (isEdge)
    return std::clamp<int64_t>(at, 0, extent - 1);
  if (extent == 1)
    return 0;
  const int64_t period = 2 * (extent - 1);
  at = ((at % period) + period) % period;
  return at < extent ? at : period - at;
}

static LogicalResult importPad(Node &n) {
  if (failed(n.want(1)))
    return failure();
  auto given = n.integersFrom(n.version < 2 ? "paddings" : "pads", 11, 1);
  if (failed(given))
    return failure();
  const size_t rank = n.shape(0).size();
  if (!*given || (**given).size() != 2 * rank)
    return n.error("wanted " + llvm::Twine(2 * rank) + " pads");
  SmallVector<int64_t> before((**given).begin(),
                              (**given).begin() + long(rank));
  SmallVector<int64_t> after((**given).begin() + long(rank), (**given).end());
  SmallVector<int64_t> shape;
  for (size_t axis = 0; axis < rank; ++axis) {
    const int64_t extent = n.shape(0)[axis];
    constexpr int64_t kMost = int64_t(1) << 40;
    const int64_t first = before[axis], last = after[axis];
    if (first < -extent || last < -extent || first > kMost || last > kMost ||
        extent + first + last < 0 ||
        extent + std::min<int64_t>(first, 0) + std::min<int64_t>(last, 0) < 0)
      return n.error("wanted pads that leave an extent from 0 on along axis " +
                     llvm::Twine(axis));
    shape.push_back(extent + first + last);
  }
  if (!countElements(shape))
    return n.error("wanted less than 2^40 elements");
  const std::string mode = n.text("mode", "constant");
  Scalars s(n.b);
  if (mode == "constant") {
    Value number;
    if (n.version >= 11 && n.has(2)) {
      if (*countElements(n.shape(2)) != 1 || n.element(2) != n.element(0))
        return n.error("wanted one number of the operand's type to pad with");
      if (const Evaluator::Elements *known = n.evaluate(n.in(2)))
        number = arith::ConstantOp::create(n.b, cast<TypedAttr>((*known)[0]));
      else
        number = elementAt(n.b, reshaped(n.b, n.in(2), {}), {});
    } else {
      number =
          s.constant(n.element(0), n.version < 11 ? n.number("value", 0) : 0);
    }
    n.result(padded(n.b, n.in(0), before, after, number));
    return success();
  }
  if (mode != "reflect" && mode != "edge")
    return n.error("wanted constant, reflect or edge as mode, found " + mode);
  if (llvm::is_contained(n.shape(0), 0))
    return n.error("wanted elements to reflect");
  // One axis after the other: of each result the place that it comes from.
  Value tensor = n.in(0);
  for (size_t axis = 0; axis < rank; ++axis) {
    if (before[axis] == 0 && after[axis] == 0)
      continue;
    SmallVector<int64_t> from;
    const int64_t extent = n.shape(0)[axis];
    if (shape[axis] > (1 << 24))
      return n.error("wanted an extent of at most 2^24");
    for (int64_t at = 0; at < shape[axis]; ++at)
      from.push_back(mirrored(at - before[axis], extent, mode == "edge"));
    SmallVector<int64_t> next(shapeOf(tensor));
    next[axis] = shape[axis];
    Value places = frontend::integers(n.b, from);
    tensor = fromIndices(n.b, next, n.element(0),
                         [&](ImplicitLocOpBuilder &b, ValueRange loops) {
                           SmallVector<Value> at(loops);
                           Value place = elementAt(b, places, loops[axis]);
                           at[axis] = Scalars(b).cast(place, b.getIndexType());
                           return elementAt(b, tensor, at);
                         });
  }
  n.result(tensor);
  return success();
}

static LogicalResult importShape(Node &n) {
  if (failed(n.want(1)))
    return failure();
  const int64_t rank = n.rank(0);
  auto place = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  const int64_t from = place(n.integer("start", 0));
  const int64_t to = std::max(from, place(n.integer("end", rank)));
  n.result(0,
           frontend::integers(
               n.b, n.shape(0).slice(size_t(from), size_t(to - from))),
           TensorProto::INT64);
  return success();
}

static LogicalResult importSize(Node &n) {
  if (failed(n.want(1)))
    return failure();
  auto type = RankedTensorType::get({}, n.b.getI64Type());
  n.result(0,
           arith::ConstantOp::create(
               n.b, DenseElementsAttr::get(type, *countElements(n.shape(0)))),
           TensorProto::INT64);
  return success();
}

static LogicalResult importConstant(Node &n) {
  std::string why;
  onnx::TensorProto tensor;
  if (const onnx::AttributeProto *value = n.attribute("value")) {
    tensor = value->t();
  } else if (const onnx::AttributeProto *value = n.attribute("value_float")) {
    tensor.set_data_type(TensorProto::FLOAT);
    tensor.add_float_data(value->f());
  } else if (const onnx::AttributeProto *value = n.attribute("value_int")) {
    tensor.set_data_type(TensorProto::INT64);
    tensor.add_int64_data(value->i());
  } else if (const onnx::AttributeProto *value = n.attribute("value_floats")) {
    tensor.set_data_type(TensorProto::FLOAT);
    tensor.add_dims(value->floats_size());
    *tensor.mutable_float_data() = value->floats();
  } else if (const onnx::AttributeProto *value = n.attribute("value_ints")) {
    tensor.set_data_type(TensorProto::INT64);
    tensor.add_dims(value->ints_size());
    *tensor.mutable_int64_data() = value->ints();
  } else {
    return n.error("wanted numbers or a dense tensor as value");
  }
  if (n.proto.output_size() > 0)
    tensor.set_name(n.proto.output(0));
  FailureOr<GraphValue> value =
      n.importer.constant(n.b, std::move(tensor), why);
  if (failed(value))
    return n.error(why);
  n.result(0, *value);
  return success();
}

static LogicalResult importConstantOfShape(Node &n) {
  FailureOr<SmallVector<int64_t>> shape = n.integersOf(0);
  if (failed(shape))
    return failure();
  if (!countElements(*shape))
    return n.error("wanted extents from 0 on and less than 2^40 elements");
  int32_t type = TensorProto::FLOAT;
  TypedAttr number = n.b.getF32FloatAttr(0);
  if (const onnx::AttributeProto *value = n.attribute("value")) {
    std::string why;
    FailureOr<GraphValue> constant = n.importer.constant(n.b, value->t(), why);
    if (failed(constant))
      return n.error(why);
    const Evaluator::Elements *elements = n.evaluate(constant->tensor);
    if (!elements || elements->size() != 1)
      return n.error("wanted one number as value");
    type = constant->type;
    number = cast<TypedAttr>(elements->front());
  }
  auto tensor = RankedTensorType::get(*shape, number.getType());
  n.result(0,
           llvm::is_contained(*shape, 0)
               ? emptyTensor(n.b, *shape, number.getType())
               : arith::ConstantOp::create(
                     n.b, DenseElementsAttr::get(tensor, Attribute(number)))
                     .getResult(),
           type);
  return success();
}

static LogicalResult importRange(Node &n) {
  if (failed(n.want(3)))
    return failure();
  auto start = n.numbersOf(0), limit = n.numbersOf(1), delta = n.numbersOf(2);
  if (failed(start) || failed(limit) || failed(delta))
    return failure();
  if (start->size() != 1 || limit->size() != 1 || delta->size() != 1 ||
      (*delta)[0] == 0)
    return n.error("wanted three numbers, the last not 0");
  const double count =
      std::max(0.0, std::ceil(((*limit)[0] - (*start)[0]) / (*delta)[0]));
  if (!(count < (1 << 24)))
    return n.error("wanted at most 2^24 elements");
  n.result(fromIndices(n.b, {int64_t(count)}, n.element(0),
                       [&](ImplicitLocOpBuilder &b, ValueRange loops) {
                         Scalars s(b);
                         const Type type = n.element(0);
                         Value at =
                             s.cast(s.cast(loops[0], b.getI64Type()), type);
                         return s.add(s.constant(type, (*start)[0]),
                                      s.mul(at, s.constant(type, (*delta)[0])));
                       }));
  return success();
}

/// Blocks between the channels and the image.
static LogicalResult importDepthToSpace(Node &n) {
  if (failed(n.want(1)))
    return failure();
  const int64_t block = n.integer("blocksize", 0);
  if (n.rank(0) != 4 || block < 1 || block > (1 << 15) ||
      n.shape(0)[1] % (block * block) != 0)
    return n.error("wanted an image of rank 4 with a number of channels that "
                   "is a multiple of the squared blocksize");
  const SmallVector<int64_t> s(n.shape(0));
  const int64_t c = s[1] / (block * block);
  Value tensor;
  if (n.text("mode", "DCR") == "CRD")
    tensor = transposed(
        n.b, reshaped(n.b, n.in(0), {s[0], c, block, block, s[2], s[3]}),
        {0, 1, 4, 2, 5, 3});
  else
    tensor = transposed(
        n.b, reshaped(n.b, n.in(0), {s[0], block, block, c, s[2], s[3]}),
        {0, 3, 4, 1, 5, 2});
  n.result(reshaped(n.b, tensor, {s[0], c, s[2] * block, s[3] * block}));
  return success();
}

static LogicalResult importSpaceToDepth(Node &n) {
  if (failed(n.want(1)))
    return failure();
  const int64_t block = n.integer("blocksize", 0);
  if (n.rank(0) != 4 || block < 1 || n.shape(0)[2] % block != 0 ||
      n.shape(0)[3] % block != 0)
    return n.error("wanted an image of rank 4 whose extents are multiples of "
                   "the blocksize");
  const SmallVector<int64_t> s(n.shape(0));
  Value tensor = transposed(
      n.b,
      reshaped(n.b, n.in(0),
               {s[0], s[1], s[2] / block, block, s[3] / block, block}),
      {0, 3, 5, 1, 2, 4});
  n.result(reshaped(n.b, tensor,
                    {s[0], s[1] * block * block, s[2] / block, s[3] / block}));
  return success();
}

llvm::ArrayRef<Operator> frontend::movementOperators() {
  static const Operator kOperators[] = {
      {"", "Concat", 1, importConcat, true},
      {"", "Constant", 1, importConstant},
      {"", "ConstantOfShape", 9, importConstantOfShape},
      {"", "DepthToSpace", 1, importDepthToSpace, true},
      {"", "Expand", 8, importExpand, true},
      {"", "Flatten", 1, importFlatten, true},
      {"", "Pad", 1, importPad},
      {"", "Range", 11, importRange},
      {"", "Reshape", 1, importReshape, true},
      {"", "Shape", 1, importShape},
      {"", "Size", 1, importSize},
      {"", "Slice", 1, importSlice, true},
      {"", "SpaceToDepth", 1, importSpaceToDepth, true},
      {"", "Split", 2, importSplit, true},
      {"", "Squeeze", 1, importSqueeze, true},
      {"", "Tile", 6, importTile, true},
      {"", "Transpose", 1, importTranspose, true},
      {"", "Unsqueeze", 1, importUnsqueeze, true},
  };
  return kOperators;
}
