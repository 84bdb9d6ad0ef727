//===- Indexed.cpp - Operators that read by index -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operators.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <cmath>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::frontend;
using onnx::TensorProto;

/// An index into `extent` elements as an index; negative ones count from the
/// end.
static Value indexInto(ImplicitLocOpBuilder &b, Value number, int64_t extent) {
  Scalars s(b);
  Value negative = s.less(number, s.like(number, 0));
  Value at =
      s.select(negative, s.add(number, s.like(number, double(extent))), number);
  return s.cast(at, b.getIndexType());
}

/// Fails unless operand `i` has indices.
static LogicalResult wantIndices(Node &n, unsigned i) {
  if (n.element(i).isInteger(64) || n.element(i).isInteger(32))
    return success();
  return n.error("wanted indices of int32 or int64, found " +
                 typeName(n.typeOf(i)));
}

static LogicalResult importGather(Node &n) {
  if (failed(n.want(2)) || failed(wantIndices(n, 1)))
    return failure();
  FailureOr<int64_t> axis = n.axisOf(n.integer("axis", 0), n.rank(0));
  if (failed(axis))
    return failure();
  const size_t before = size_t(*axis), taken = n.shape(1).size();
  const int64_t extent = n.shape(0)[before];
  SmallVector<int64_t> shape(n.shape(0).take_front(before));
  llvm::append_range(shape, n.shape(1));
  llvm::append_range(shape, n.shape(0).drop_front(before + 1));
  if (!countElements(shape))
    return n.error("wanted less than 2^40 elements");
  if (extent == 0 && *countElements(shape) != 0)
    return n.error("wanted elements to gather from");
  // One place that is known is a slice.
  const Evaluator::Elements *known = n.evaluate(n.in(1));
  if (known && known->size() == 1) {
    int64_t at = cast<IntegerAttr>(known->front()).getInt();
    if (at < -extent || at >= extent)
      return n.error("wanted an index from " + llvm::Twine(-extent) + " to " +
                     llvm::Twine(extent - 1) + ", found " + llvm::Twine(at));
    SmallVector<int64_t> offsets(n.shape(0).size(), 0), sizes(n.shape(0));
    offsets[before] = at < 0 ? at + extent : at;
    sizes[before] = 1;
    n.result(reshaped(n.b, sliced(n.b, n.in(0), offsets, sizes), shape));
    return success();
  }
  n.result(fromIndices(
      n.b, shape, n.element(0), [&](ImplicitLocOpBuilder &b, ValueRange loops) {
        Value number = elementAt(b, n.in(1), loops.slice(before, taken));
        SmallVector<Value> at(loops.take_front(before));
        at.push_back(indexInto(b, number, extent));
        llvm::append_range(at, loops.drop_front(before + taken));
        return elementAt(b, n.in(0), at);
      }));
  return success();
}

static LogicalResult importGatherElements(Node &n) {
  if (failed(n.want(2)) || failed(wantIndices(n, 1)))
    return failure();
  FailureOr<int64_t> axis = n.axisOf(n.integer("axis", 0), n.rank(0));
  if (failed(axis))
    return failure();
  if (n.rank(0) != n.rank(1))
    return n.error("wanted indices of rank " + llvm::Twine(n.rank(0)));
  for (int64_t i = 0; i < n.rank(0); ++i)
    if (i != *axis && n.shape(1)[size_t(i)] > n.shape(0)[size_t(i)])
      return n.error("wanted indices within the operand along axis " +
                     llvm::Twine(i));
  n.result(mapIndexed(n.b, n.shape(1), n.element(0), n.in(1),
                      [&](ImplicitLocOpBuilder &b, ValueRange args) {
                        SmallVector<Value> at(args.drop_front());
                        at[size_t(*axis)] =
                            indexInto(b, args[0], n.shape(0)[size_t(*axis)]);
                        return elementAt(b, n.in(0), at);
                      }));
  return success();
}

static LogicalResult importGatherND(Node &n) {
  if (failed(n.want(2)) || failed(wantIndices(n, 1)))
    return failure();
  const int64_t batch = n.integer("batch_dims", 0);
  if (n.rank(1) < 1 || n.rank(0) < 1 || batch < 0 ||
      batch >= std::min(n.rank(0), n.rank(1)))
    return n.error("wanted operands of at least rank 1 and fewer batch_dims");
  const int64_t depth = n.shape(1).back();
  if (depth < 1 || batch + depth > n.rank(0))
    return n.error("wanted indices of at most " +
                   llvm::Twine(n.rank(0) - batch) + " numbers, found " +
                   llvm::Twine(depth));
  SmallVector<int64_t> shape(n.shape(1).drop_back());
  const size_t outer = shape.size();
  llvm::append_range(shape, n.shape(0).drop_front(size_t(batch + depth)));
  n.result(fromIndices(
      n.b, shape, n.element(0), [&](ImplicitLocOpBuilder &b, ValueRange loops) {
        Scalars s(b);
        SmallVector<Value> at(loops.take_front(size_t(batch)));
        SmallVector<Value> place(loops.take_front(outer));
        place.push_back(Value());
        for (int64_t i = 0; i < depth; ++i) {
          place.back() = s.index(i);
          at.push_back(indexInto(b, elementAt(b, n.in(1), place),
                                 n.shape(0)[size_t(batch + i)]));
        }
        llvm::append_range(at, loops.drop_front(outer));
        return elementAt(b, n.in(0), at);
      }));
  return success();
}

/// What an update does to what was there.
static FailureOr<std::string> scatterKind(Node &n) {
  std::string kind = n.text("reduction", "none");
  if (kind != "none" && kind != "add" && kind != "mul")
    return n.error("wanted none, add or mul as reduction, found " + kind);
  return kind;
}

static Value updated(Scalars s, StringRef kind, Value old, Value update) {
  return kind == "add"   ? s.add(old, update)
         : kind == "mul" ? s.mul(old, update)
                         : update;
}

/// Loops over `shape` and one more, along which `body` of the indices and the
/// value so far is the next one. Starts from `tensor`.
static Value foldOver(ImplicitLocOpBuilder &b, Value tensor, int64_t extent,
                      ElementBody body) {
  const unsigned rank = unsigned(shapeOf(tensor).size());
  SmallVector<AffineExpr> out;
  for (unsigned i = 0; i < rank; ++i)
    out.push_back(b.getAffineDimExpr(i));
  SmallVector<utils::IteratorType> kinds(rank, utils::IteratorType::parallel);
  kinds.push_back(utils::IteratorType::reduction);
  auto op = linalg::GenericOp::create(
      b, tensor.getType(), emptyTensor(b, {extent}, b.getI1Type()), tensor,
      ArrayRef<AffineMap>{AffineMap::get(rank + 1, 0,
                                         {b.getAffineDimExpr(rank)},
                                         b.getContext()),
                          AffineMap::get(rank + 1, 0, out, b.getContext())},
      kinds, [&](OpBuilder &builder, Location loc, ValueRange args) {
        ImplicitLocOpBuilder inner(loc, builder);
        SmallVector<Value> values{args[1]};
        for (unsigned i = 0; i <= rank; ++i)
          values.push_back(linalg::IndexOp::create(inner, int64_t(i)));
        linalg::YieldOp::create(inner, body(inner, values));
      });
  return op.getResult(0);
}

static LogicalResult importScatterElements(Node &n) {
  if (failed(n.want(3)) || failed(wantIndices(n, 1)))
    return failure();
  FailureOr<int64_t> axis = n.axisOf(n.integer("axis", 0), n.rank(0));
  FailureOr<std::string> kind = scatterKind(n);
  if (failed(axis) || failed(kind))
    return failure();
  if (n.rank(1) != n.rank(0) || n.shape(1) != n.shape(2) ||
      n.element(2) != n.element(0))
    return n.error("wanted indices and updates of one shape and of rank " +
                   llvm::Twine(n.rank(0)));
  if (*countElements(n.shape(1)) == 0)
    return n.result(n.in(0)), success();
  const size_t at = size_t(*axis);
  n.result(foldOver(n.b, n.in(0), n.shape(1)[at],
                    [&](ImplicitLocOpBuilder &b, ValueRange args) {
                      Scalars s(b, n.isUnsigned(0));
                      Value hits = s.constant(b.getI1Type(), 1);
                      SmallVector<Value> place(args.drop_front().drop_back());
                      for (size_t i = 0; i < place.size(); ++i) {
                        if (i == at || n.shape(1)[i] >= n.shape(0)[i])
                          continue;
                        // The updates end before the operand does.
                        Value last = s.index(n.shape(1)[i] - 1);
                        hits = s.mul(hits, s.lessOrEqual(place[i], last));
                        place[i] = s.min(place[i], last);
                      }
                      Value wanted = place[at];
                      place[at] = args.back();
                      Value found = indexInto(b, elementAt(b, n.in(1), place),
                                              n.shape(0)[at]);
                      hits = s.mul(hits, s.equal(wanted, found));
                      return s.select(hits,
                                      updated(s, *kind, args[0],
                                              elementAt(b, n.in(2), place)),
                                      args[0]);
                    }));
  return success();
}

namespace {
/// Indices at regular distances, one number of places along each axis.
struct IndexBox {
  SmallVector<int64_t> first, count, step;
};
} // namespace

/// The box that rows of `depth` numbers, the indices of a tensor of `shape`, go
/// through in row-major order; none if they are something else.
static std::optional<IndexBox> boxOf(const Evaluator::Elements &indices,
                                     size_t depth, ArrayRef<int64_t> shape) {
  const size_t rows = indices.size() / depth;
  auto index = [&](size_t row, size_t axis) -> int64_t {
    auto number = dyn_cast_or_null<IntegerAttr>(indices[row * depth + axis]);
    if (!number)
      return -1;
    const int64_t value = number.getValue().getSExtValue();
    const int64_t place = value < 0 ? value + shape[axis] : value;
    return place >= 0 && place < shape[axis] ? place : -1;
  };
  IndexBox box;
  // Rows from one to the next place along an axis, the last axis first.
  size_t apart = 1;
  for (size_t axis = depth; axis-- > 0;) {
    const int64_t first = index(0, axis);
    size_t count = 1;
    int64_t step = 1;
    while ((count + 1) * apart <= rows) {
      const int64_t next = index(count * apart, axis);
      if (count == 1)
        step = next - first;
      if (step < 1 || next != first + int64_t(count) * step)
        break;
      ++count;
    }
    if (count == 1)
      step = 1;
    box.first.insert(box.first.begin(), first);
    box.count.insert(box.count.begin(), int64_t(count));
    box.step.insert(box.step.begin(), step);
    apart *= count;
  }
  if (apart != rows)
    return std::nullopt;
  for (size_t row = 0; row < rows; ++row) {
    size_t rest = row;
    for (size_t axis = depth; axis-- > 0;) {
      const int64_t place = int64_t(rest % size_t(box.count[axis]));
      rest /= size_t(box.count[axis]);
      const int64_t wanted = box.first[axis] + place * box.step[axis];
      if (index(row, axis) != wanted || wanted < 0)
        return std::nullopt;
    }
  }
  return box;
}

static LogicalResult importScatterND(Node &n) {
  if (failed(n.want(3)) || failed(wantIndices(n, 1)))
    return failure();
  FailureOr<std::string> kind = scatterKind(n);
  if (failed(kind))
    return failure();
  const int64_t depth = n.rank(1) ? n.shape(1).back() : 0;
  if (n.rank(1) < 1 || depth < 1 || depth > n.rank(0))
    return n.error("wanted indices of at most " + llvm::Twine(n.rank(0)) +
                   " numbers");
  SmallVector<int64_t> wanted(n.shape(1).drop_back());
  const int64_t count = *countElements(wanted);
  llvm::append_range(wanted, n.shape(0).drop_front(size_t(depth)));
  if (n.shape(2) != ArrayRef<int64_t>(wanted) || n.element(2) != n.element(0))
    return n.error("wanted updates of shape " + listText(wanted));
  if (*countElements(wanted) == 0)
    return n.result(n.in(0)), success();
  // Assignments to slices are written so, too.
  const Evaluator::Elements *known =
      *kind == "none" ? n.evaluate(n.in(1)) : nullptr;
  if (known)
    if (std::optional<IndexBox> box =
            boxOf(*known, size_t(depth), n.shape(0))) {
      for (int64_t extent : n.shape(0).drop_front(size_t(depth))) {
        box->first.push_back(0);
        box->count.push_back(extent);
        box->step.push_back(1);
      }
      Value slice = reshaped(n.b, n.in(2), box->count);
      n.result(tensor::InsertSliceOp::create(
          n.b, slice, n.in(0), ValueRange(), ValueRange(), ValueRange(),
          box->first, box->count, box->step));
      return success();
    }
  // One row per index.
  Value indices = reshaped(n.b, n.in(1), {count, depth});
  SmallVector<int64_t> rows{count};
  llvm::append_range(rows, n.shape(0).drop_front(size_t(depth)));
  Value updates = reshaped(n.b, n.in(2), rows);
  n.result(foldOver(
      n.b, n.in(0), count, [&](ImplicitLocOpBuilder &b, ValueRange args) {
        Scalars s(b, n.isUnsigned(0));
        Value hits = s.constant(b.getI1Type(), 1);
        for (int64_t i = 0; i < depth; ++i) {
          Value number = elementAt(b, indices, {args.back(), s.index(i)});
          hits =
              s.mul(hits, s.equal(args[1 + size_t(i)],
                                  indexInto(b, number, n.shape(0)[size_t(i)])));
        }
        SmallVector<Value> place{args.back()};
        llvm::append_range(place,
                           args.drop_front(1 + size_t(depth)).drop_back());
        return s.select(
            hits, updated(s, *kind, args[0], elementAt(b, updates, place)),
            args[0]);
      }));
  return success();
}

static LogicalResult importOneHot(Node &n) {
  if (failed(n.want(3)))
    return failure();
  FailureOr<SmallVector<double>> depth = n.numbersOf(1);
  if (failed(depth))
    return failure();
  if (depth->size() != 1 || !((*depth)[0] >= 0 && (*depth)[0] < (1 << 30)))
    return n.error("wanted one depth from 0 on");
  const int64_t extent = int64_t((*depth)[0]);
  FailureOr<int64_t> axis = n.axisOf(n.integer("axis", -1), n.rank(0) + 1);
  if (failed(axis))
    return failure();
  if (n.shape(2) != ArrayRef<int64_t>{2})
    return n.error("wanted two values, off and on");
  SmallVector<int64_t> shape(n.shape(0));
  shape.insert(shape.begin() + *axis, extent);
  if (!countElements(shape))
    return n.error("wanted less than 2^40 elements");
  n.result(0,
           fromIndices(n.b, shape, n.element(2),
                       [&](ImplicitLocOpBuilder &b, ValueRange loops) {
                         Scalars s(b, n.isUnsigned(0));
                         SmallVector<Value> at(loops);
                         Value place = at[size_t(*axis)];
                         at.erase(at.begin() + *axis);
                         Value number =
                             s.cast(elementAt(b, n.in(0), at), b.getI64Type());
                         Value hit =
                             s.equal(indexInto(b, number, extent), place);
                         Value off = elementAt(b, n.in(2), s.index(0));
                         Value on = elementAt(b, n.in(2), s.index(1));
                         return s.select(hit, on, off);
                       }),
           n.typeOf(2));
  return success();
}

static LogicalResult importEyeLike(Node &n) {
  if (failed(n.want(1)))
    return failure();
  if (n.rank(0) != 2)
    return n.error("wanted a matrix");
  const int32_t type = int32_t(n.integer("dtype", n.typeOf(0)));
  Type element = elementTypeOf(type, n.b.getContext());
  if (!element)
    return n.error("wanted numbers or bool, found " + typeName(type));
  const int64_t k = n.integer("k", 0);
  n.result(0,
           fromIndices(n.b, n.shape(0), element,
                       [&](ImplicitLocOpBuilder &b, ValueRange loops) {
                         Scalars s(b);
                         Value moved = s.add(loops[0], s.index(k));
                         return s.select(s.equal(moved, loops[1]),
                                         s.constant(element, 1),
                                         s.constant(element, 0));
                       }),
           type);
  return success();
}

static LogicalResult importTrilu(Node &n) {
  if (failed(n.want(1)))
    return failure();
  if (n.rank(0) < 2)
    return n.error("wanted matrices");
  int64_t k = 0;
  if (n.has(1)) {
    FailureOr<SmallVector<int64_t>> given = n.integersOf(1);
    if (failed(given))
      return failure();
    if (given->size() != 1)
      return n.error("wanted one diagonal");
    k = (*given)[0];
  }
  const bool isUpper = n.integer("upper", 1) != 0;
  n.result(mapIndexed(n.b, n.shape(0), n.element(0), n.in(0),
                      [&](ImplicitLocOpBuilder &b, ValueRange args) {
                        Scalars s(b);
                        Value column = args.back();
                        Value row = s.add(args[args.size() - 2], s.index(k));
                        Value stays = isUpper ? s.lessOrEqual(row, column)
                                              : s.lessOrEqual(column, row);
                        return s.select(stays, args[0], s.like(args[0], 0));
                      }));
  return success();
}

static LogicalResult importCompress(Node &n) {
  if (failed(n.want(2)))
    return failure();
  FailureOr<SmallVector<double>> condition = n.numbersOf(1);
  if (failed(condition))
    return failure();
  Value source = n.in(0);
  int64_t axis = 0;
  if (n.attribute("axis")) {
    FailureOr<int64_t> given = n.axisOf(n.integer("axis", 0), n.rank(0));
    if (failed(given))
      return failure();
    axis = *given;
  } else {
    source = reshaped(n.b, source, {*countElements(n.shape(0))});
  }
  SmallVector<int64_t> places;
  const int64_t extent = shapeOf(source)[size_t(axis)];
  for (auto [at, keeps] : llvm::enumerate(*condition))
    if (keeps != 0 && int64_t(at) < extent)
      places.push_back(int64_t(at));
  SmallVector<int64_t> shape(shapeOf(source));
  shape[size_t(axis)] = int64_t(places.size());
  if (places.empty())
    return n.result(emptyTensor(n.b, shape, n.element(0))), success();
  Value table = frontend::integers(n.b, places);
  n.result(fromIndices(
      n.b, shape, n.element(0), [&](ImplicitLocOpBuilder &b, ValueRange loops) {
        SmallVector<Value> at(loops);
        Value &place = at[size_t(axis)];
        place = Scalars(b).cast(elementAt(b, table, place), b.getIndexType());
        return elementAt(b, source, at);
      }));
  return success();
}

static LogicalResult importNonZero(Node &n) {
  FailureOr<SmallVector<double>> numbers = n.numbersOf(0);
  if (failed(numbers))
    return failure();
  const int64_t rank = n.rank(0);
  SmallVector<SmallVector<int64_t>> places{size_t(rank)};
  for (auto [position, number] : llvm::enumerate(*numbers)) {
    if (number == 0)
      continue;
    int64_t rest = int64_t(position);
    for (int64_t axis = rank; axis-- > 0;) {
      places[size_t(axis)].push_back(rest % n.shape(0)[size_t(axis)]);
      rest /= n.shape(0)[size_t(axis)];
    }
  }
  SmallVector<int64_t> flat;
  for (const auto &axis : places)
    llvm::append_range(flat, axis);
  const int64_t count = rank ? int64_t(flat.size()) / rank : 0;
  n.result(0,
           flat.empty()
               ? emptyTensor(n.b, {rank, count}, n.b.getI64Type())
               : reshaped(n.b, frontend::integers(n.b, flat), {rank, count}),
           TensorProto::INT64);
  return success();
}

/// By its rank among the others each element finds its place.
static LogicalResult importTopK(Node &n) {
  if (failed(n.want(1)))
    return failure();
  FailureOr<int64_t> axis = n.axisOf(n.integer("axis", -1), n.rank(0));
  auto given = n.integersFrom("k", 10, 1);
  if (failed(axis) || failed(given))
    return failure();
  int64_t k = n.version < 10 ? n.integer("k", 0) : -1;
  if (n.version >= 10 && *given && (**given).size() == 1)
    k = (**given)[0];
  const size_t at = size_t(*axis);
  const int64_t extent = n.shape(0)[at];
  if (k < 0 || k > extent || extent > (1 << 16))
    return n.error("wanted a k from 0 to " + llvm::Twine(extent) +
                   ", and at most 65536 elements");
  const bool isLeast = n.version >= 11 && n.integer("largest", 1) == 0;
  Value ranks = foldOver(
      n.b, zeros(n.b, n.shape(0), n.b.getI64Type()), extent,
      [&](ImplicitLocOpBuilder &b, ValueRange args) {
        Scalars s(b, n.isUnsigned(0));
        SmallVector<Value> own(args.drop_front().drop_back()), other(own);
        other[at] = args.back();
        Value x = elementAt(b, n.in(0), own), y = elementAt(b, n.in(0), other);
        Value better = isLeast ? s.less(y, x) : s.less(x, y);
        Value first = s.mul(s.equal(x, y), s.less(args.back(), own[at]));
        return s.add(args[0], s.cast(s.add(better, first), b.getI64Type()));
      });
  SmallVector<int64_t> shape(n.shape(0));
  shape[at] = k;
  Value places = foldOver(
      n.b, zeros(n.b, shape, n.b.getI64Type()), extent,
      [&](ImplicitLocOpBuilder &b, ValueRange args) {
        Scalars s(b);
        SmallVector<Value> other(args.drop_front().drop_back());
        Value wanted = s.cast(other[at], b.getI64Type());
        other[at] = args.back();
        Value hits = s.equal(elementAt(b, ranks, other), wanted);
        return s.select(hits, s.cast(args.back(), b.getI64Type()), args[0]);
      });
  n.result(mapIndexed(n.b, shape, n.element(0), places,
                      [&](ImplicitLocOpBuilder &b, ValueRange args) {
                        SmallVector<Value> from(args.drop_front());
                        from[at] = Scalars(b).cast(args[0], b.getIndexType());
                        return elementAt(b, n.in(0), from);
                      }));
  n.result(1, places, TensorProto::INT64);
  return success();
}

static LogicalResult importReverseSequence(Node &n) {
  if (failed(n.want(2)) || failed(wantIndices(n, 1)))
    return failure();
  const int64_t batch = n.integer("batch_axis", 1),
                time = n.integer("time_axis", 0);
  if (n.rank(0) < 2 || batch < 0 || time < 0 || batch > 1 || time > 1 ||
      batch == time || n.rank(1) != 1 ||
      n.shape(1)[0] != n.shape(0)[size_t(batch)])
    return n.error("wanted axes 0 and 1 for time and batch and a length for "
                   "each of the batch");
  n.result(fromIndices(n.b, n.shape(0), n.element(0),
                       [&](ImplicitLocOpBuilder &b, ValueRange loops) {
                         Scalars s(b);
                         SmallVector<Value> at(loops);
                         Value length =
                             s.cast(elementAt(b, n.in(1), loops[size_t(batch)]),
                                    b.getIndexType());
                         Value &t = at[size_t(time)];
                         Value turned = s.sub(s.sub(length, s.index(1)), t);
                         // What is behind the end stays.
                         t = s.select(s.less(t, length), turned, t);
                         return elementAt(b, n.in(0), at);
                       }));
  return success();
}

static LogicalResult importMaxUnpool(Node &n) {
  if (failed(n.want(2)) || failed(wantIndices(n, 1)))
    return failure();
  const size_t rank = n.shape(0).size();
  if (rank < 3 || n.shape(0) != n.shape(1))
    return n.error("wanted an image and indices of one shape");
  SmallVector<int64_t> shape(n.shape(0)), from;
  const SmallVector<int64_t> kernel = n.integers("kernel_shape");
  SmallVector<int64_t> strides = n.integers("strides"),
                       pads = n.integers("pads");
  if (strides.empty())
    strides.assign(rank - 2, 1);
  if (pads.empty())
    pads.assign(2 * (rank - 2), 0);
  if (kernel.size() != rank - 2 || strides.size() != rank - 2 ||
      pads.size() != 2 * (rank - 2))
    return n.error("wanted a kernel, strides and pads for each spatial axis");
  for (size_t i = 0; i < rank - 2; ++i)
    shape[2 + i] = (shape[2 + i] - 1) * strides[i] - pads[i] -
                   pads[rank - 2 + i] + kernel[i];
  // The indices are of this image, whatever output_shape asks for.
  from = shape;
  if (n.has(2)) {
    FailureOr<SmallVector<int64_t>> given = n.integersOf(2);
    if (failed(given))
      return failure();
    shape = *given;
  }
  std::optional<int64_t> count = countElements(shape);
  const std::optional<int64_t> small = countElements(from);
  if (!count || !small || shape.size() != rank || *count < 1 || *small < 1 ||
      *countElements(n.shape(0)) < 1)
    return n.error("wanted a result of extents from 1 on");
  const int64_t values = *countElements(n.shape(0));
  Value flat = reshaped(n.b, n.in(0), {values});
  Value places = reshaped(n.b, n.in(1), {values});
  Value result =
      foldOver(n.b, zeros(n.b, {*small}, n.element(0)), values,
               [&](ImplicitLocOpBuilder &b, ValueRange args) {
                 Scalars s(b);
                 Value place = s.cast(elementAt(b, places, args.back()),
                                      b.getIndexType());
                 return s.select(s.equal(place, args[1]),
                                 elementAt(b, flat, args.back()), args[0]);
               });
  result = reshaped(n.b, result, from);
  SmallVector<int64_t> before(rank, 0), after;
  for (size_t i = 0; i < rank; ++i)
    after.push_back(shape[i] - from[i]);
  n.result(padded(n.b, result, before, after,
                  Scalars(n.b).constant(n.element(0), 0)));
  return success();
}

llvm::ArrayRef<Operator> frontend::indexedOperators() {
  static const Operator kOperators[] = {
      {"", "Compress", 9, importCompress},
      {"", "EyeLike", 9, importEyeLike},
      {"", "Gather", 1, importGather, true},
      {"", "GatherElements", 11, importGatherElements},
      {"", "GatherND", 11, importGatherND},
      {"", "MaxUnpool", 9, importMaxUnpool},
      {"", "NonZero", 9, importNonZero},
      {"", "OneHot", 9, importOneHot},
      {"", "ReverseSequence", 10, importReverseSequence},
      {"", "Scatter", 9, importScatterElements},
      {"", "ScatterElements", 11, importScatterElements},
      {"", "ScatterND", 11, importScatterND},
      {"", "TopK", 1, importTopK},
      {"", "Trilu", 14, importTrilu},
  };
  return kOperators;
}
