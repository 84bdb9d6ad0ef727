//===- Tabulate.cpp - Functions of a byte as tables -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the read-out has no unit for stays on the core: GELU, SiLU, sigmoid of
// int8 tensors. A byte has 256 values, so all results are worked out here.
//
// Softmax of bytes takes exp(g(x) - g(y)), y being the largest x of a row. In
// floats that is no function of x - y, as each of the three roundings depends
// on both, but it is one of two bytes, of which there are 65536 pairs.
//
//===----------------------------------------------------------------------===//

#include "FoldScalars.h"
#include "FuseHost.h"
#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <array>

namespace fadiff {
#define GEN_PASS_DEF_TABULATEPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;

static constexpr unsigned kBytes = 256;
/// Steps of a scalar that calls nothing; a table takes the place of three.
static constexpr int64_t kWorthATable = 5;
/// Points of an operation from which on a table of pairs is worth its memory.
static constexpr int64_t kPointsForPairs = kBytes * kBytes / 8;
/// As many rows of a table of bytes stay in a cache.
static constexpr int64_t kFewElements = 128;
/// Places at which a mask may be looked at.
static constexpr int64_t kMostPlaces = 1 << 16;

//===----------------------------------------------------------------------===//
// What scalars depend on
//===----------------------------------------------------------------------===//

namespace {
/// What a scalar of a body is computed from, beside constants.
struct Sources {
  SmallVector<unsigned, 2> bytes; ///< inputs of i8, by their numbers
  /// A choice by place, such as a mask's: an i1 made of indices alone, or read.
  Value choice;
  bool hasPlace = false; ///< indices, other than by the choice
  bool hasOther = false; ///< anything else, such as two choices
  bool callsLibm = false;

  void add(const Sources &other) {
    for (unsigned byte : other.bytes)
      if (!llvm::is_contained(bytes, byte))
        bytes.push_back(byte);
    hasOther |=
        other.hasOther || (choice && other.choice && choice != other.choice);
    if (!choice)
      choice = other.choice;
    hasPlace |= other.hasPlace;
    callsLibm |= other.callsLibm;
  }

  /// Whether a table of so many bytes has all of its values.
  bool isFunctionOf(unsigned count) const {
    return !hasOther && !hasPlace && bytes.size() == count;
  }
};

/// The sources of each scalar in a body.
class Body {
public:
  explicit Body(linalg::GenericOp op) : op(op) {
    unknown.hasOther = true;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      Sources &of = sources[op.getMatchingBlockArgument(operand)];
      if (TypedAttr constant = constantOf(operand->get()))
        constants[op.getMatchingBlockArgument(operand)] = constant;
      else if (getElementTypeOrSelf(operand->get()).isInteger(8))
        of.bytes.push_back(operand->getOperandNumber());
      else if (getElementTypeOrSelf(operand->get()).isInteger(1))
        of.choice = op.getMatchingBlockArgument(operand);
      else
        of.hasOther = true;
    }
    for (BlockArgument out : op.getRegionOutputArgs())
      sources[out].hasOther = true;
    for (Operation &part : op.getBody()->without_terminator())
      addPart(part);
  }

  const Sources &of(Value value) const {
    if (auto it = sources.find(value); it != sources.end())
      return it->second;
    return constantOf(value) ? nothing : unknown; // from outside
  }

  /// The constant that `value` is; null if it is none.
  TypedAttr constant(Value value) const {
    auto it = constants.find(value);
    return it != constants.end() ? it->second : constantOf(value);
  }

  linalg::GenericOp op;

private:
  void addPart(Operation &part) {
    Sources of;
    of.hasOther = part.getNumRegions() > 0 || !isMemoryEffectFree(&part) ||
                  part.getNumResults() != 1;
    of.hasPlace = isa<linalg::IndexOp>(part);
    bool isOfPlace = !of.hasOther;
    for (Value operand : part.getOperands()) {
      const Sources &from = this->of(operand);
      isOfPlace &= !from.hasOther && from.bytes.empty();
      of.add(from);
    }
    of.callsLibm |= callsLibm(part);
    if (isOfPlace && (of.hasPlace || of.choice) &&
        part.getResult(0).getType().isInteger(1)) {
      of = {};
      of.choice = part.getResult(0);
    }
    for (Value result : part.getResults())
      sources[result] = of;
  }

  llvm::DenseMap<Value, Sources> sources;
  llvm::DenseMap<Value, TypedAttr> constants;
  Sources nothing, unknown;
};
} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {
/// Values of a scalar for all values of the bytes and the choice that it
/// depends on.
class Evaluation {
public:
  Evaluation(Body &body, Value value) : body(body), value(value) {}

  /// The value with the bytes, in the order of `bytes`, and the choice, which
  /// is always the same; null if it cannot be told.
  TypedAttr with(ArrayRef<unsigned> bytes, ArrayRef<uint8_t> values,
                 bool isChosen) {
    wasChosen = isChosen;
    // What depends on the first byte, or on both, has another value now.
    if (last.size() != values.size() || last[0] != values[0])
      known[1].clear();
    known[3].clear();
    last.assign(values.begin(), values.end());
    return find(value, bytes);
  }

  /// Whether the values that have been asked for depended on byte `at`.
  bool reads(unsigned at) const { return isRead[at]; }

private:
  TypedAttr find(Value scalar, ArrayRef<unsigned> bytes) {
    if (TypedAttr constant = body.constant(scalar))
      return constant;
    const Sources &of = body.of(scalar);
    Builder builder(scalar.getContext());
    if (scalar == of.choice)
      return builder.getBoolAttr(wasChosen);
    if (auto argument = dyn_cast<BlockArgument>(scalar)) {
      const auto *it = llvm::find(bytes, argument.getArgNumber());
      if (it == bytes.end() || argument.getOwner() != body.op.getBody())
        return {};
      isRead[it - bytes.begin()] = true;
      return IntegerAttr::get(builder.getI8Type(),
                              APInt(8, last[it - bytes.begin()]));
    }
    size_t mask = 0;
    for (auto [at, byte] : llvm::enumerate(bytes))
      mask |= size_t(llvm::is_contained(of.bytes, byte)) << at;
    auto &values = mask == 2 ? ofSecond[last[1]] : known[mask];
    if (auto it = values.find(scalar); it != values.end())
      return it->second;
    Operation *part = scalar.getDefiningOp();
    if (!part || part->getBlock() != body.op.getBody())
      return {};
    TypedAttr found =
        foldScalar(part, [&](Value operand) { return find(operand, bytes); });
    values[scalar] = found;
    return found;
  }

  Body &body;
  Value value;
  bool wasChosen = true;
  SmallVector<uint8_t, 2> last;
  std::array<bool, 2> isRead = {};
  /// By which of the bytes they depend on; of the second alone, for each.
  std::array<llvm::DenseMap<Value, TypedAttr>, 4> known;
  std::array<llvm::DenseMap<Value, TypedAttr>, kBytes> ofSecond;
};

/// A scalar's values for each byte or pair of bytes, the first in the order of
/// `bytes` slower; if there is a choice, those where it holds.
struct Table {
  SmallVector<unsigned, 2> bytes;
  SmallVector<Attribute> values;
  TypedAttr otherwise; ///< where the choice does not hold; null without one
};
} // namespace

/// Of an input of `op`.
static int64_t elementsOf(linalg::GenericOp op, unsigned input) {
  auto type = dyn_cast<RankedTensorType>(op->getOperand(input).getType());
  return type ? type.getNumElements() : 1;
}

/// The table of `value`, a function of one or two bytes; none if a value does
/// not fold, or if it depends on the bytes where the choice does not hold.
static std::optional<Table> tableOf(Body &body, Value value) {
  const Sources &of = body.of(value);
  Table table;
  table.bytes = of.bytes;
  // The one that stays while the innermost loop runs comes first, or else the
  // one with fewer elements: less of the table is read.
  const unsigned inner = body.op.getNumLoops() - 1;
  auto varies = [&](unsigned byte) {
    return body.op.getMatchingIndexingMap(&body.op->getOpOperand(byte))
        .isFunctionOfDim(inner);
  };
  const bool isPair = table.bytes.size() == 2;
  if (isPair) {
    const bool isFirst = varies(table.bytes[0]),
               isSecond = varies(table.bytes[1]);
    if (isFirst == isSecond ? elementsOf(body.op, table.bytes[0]) >
                                  elementsOf(body.op, table.bytes[1])
                            : isFirst)
      std::swap(table.bytes[0], table.bytes[1]);
  }
  const unsigned firsts = isPair ? kBytes : 1;
  auto bytes = [&](unsigned a, unsigned b) {
    return isPair ? SmallVector<uint8_t, 2>{uint8_t(a), uint8_t(b)}
                  : SmallVector<uint8_t, 2>{uint8_t(b)};
  };
  Evaluation evaluation(body, value);
  for (unsigned a = 0; a < firsts; ++a)
    for (unsigned b = 0; b < kBytes; ++b) {
      TypedAttr result = evaluation.with(table.bytes, bytes(a, b), true);
      if (!result)
        return std::nullopt;
      table.values.push_back(result);
    }
  if (!of.choice)
    return table;
  Evaluation hidden(body, value);
  for (unsigned a = 0; a < firsts; ++a) {
    for (unsigned b = 0; b < kBytes; ++b) {
      TypedAttr result = hidden.with(table.bytes, bytes(a, b), false);
      if (!result || (table.otherwise && table.otherwise != result))
        return std::nullopt;
      table.otherwise = result;
      if (!hidden.reads(isPair ? 1 : 0))
        break;
    }
    if (!hidden.reads(0))
      break;
  }
  return table;
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

/// Whether all of an operation is worth a table although it calls nothing:
/// products of two numbers that both depend on the byte, which no read-out
/// scales by.
static bool multipliesByItself(Body &body) {
  for (Operation &part : body.op.getBody()->without_terminator())
    if (isa<arith::MulFOp, arith::MulIOp, arith::DivFOp>(part) &&
        llvm::all_of(part.getOperands(), [&](Value operand) {
          return !body.of(operand).bytes.empty();
        }))
      return true;
  return false;
}

/// Whether bytes are made of bytes in more steps than it takes to read a table.
/// No read-out scales by what is left when layers are formed: a slice of what a
/// layer makes, or what others read as it is.
static bool requantises(Body &body) {
  return getElementTypeOrSelf(body.op->getResult(0)).isInteger(8) &&
         llvm::count_if(body.op.getBody()->without_terminator(),
                        [](Operation &part) {
                          return !part.hasTrait<OpTrait::ConstantLike>();
                        }) >= kWorthATable;
}

/// Whether a table of pairs is worth its memory.
static bool isWorthPairs(linalg::GenericOp op) {
  int64_t points = 1;
  for (int64_t range : op.getStaticLoopRanges())
    if (ShapedType::isDynamic(range) ||
        llvm::MulOverflow(points, range, points))
      return false;
  return points >= kPointsForPairs;
}

/// Whether a table should stand in place of `value`.
static bool isWorthATable(Body &body, Value value) {
  const Sources &of = body.of(value);
  if (of.callsLibm)
    return of.isFunctionOf(1) || (of.isFunctionOf(2) && isWorthPairs(body.op));
  if (body.op->getNumResults() != 1 ||
      value != body.op.getBody()->getTerminator()->getOperand(0))
    return false;
  if (of.isFunctionOf(1))
    return requantises(body) || (!of.choice && multipliesByItself(body));
  // A byte that is read often, as a mask is, has few values: all that is read
  // of the table stays near.
  return of.isFunctionOf(2) && requantises(body) && isWorthPairs(body.op) &&
         llvm::any_of(of.bytes, [&](unsigned byte) {
           return elementsOf(body.op, byte) <= kFewElements;
         });
}

/// The scalars that a table of so many bytes should stand in place of: none is
/// computed from another.
static SmallVector<Value> scalarsForTables(Body &body, unsigned count) {
  auto isWorth = [&](Value value) {
    return body.of(value).isFunctionOf(count) && isWorthATable(body, value);
  };
  SmallVector<Value> found;
  for (Operation &part : body.op.getBody()->without_terminator())
    if (part.getNumResults() == 1 && isWorth(part.getResult(0)) &&
        llvm::any_of(part.getUsers(), [&](Operation *user) {
          return user->hasTrait<OpTrait::IsTerminator>() ||
                 user->getNumResults() != 1 || !isWorth(user->getResult(0));
        }))
      found.push_back(part.getResult(0));
  return found;
}

/// Reads `value`, a scalar in the body, from a table.
static bool tabulate(Body &body, Value value) {
  const std::optional<Table> table = tableOf(body, value);
  if (!table)
    return false;
  linalg::GenericOp op = body.op;
  Location loc = op.getLoc();
  const HostCause cause = hostCauseOf(op);
  OpBuilder builder(op);
  const SmallVector<int64_t> shape(table->bytes.size(), kBytes);
  Value constant = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(RankedTensorType::get(shape, value.getType()),
                             table->values));
  builder.setInsertionPointAfterValue(value);
  SmallVector<Value> at;
  for (unsigned byte : table->bytes)
    at.push_back(arith::IndexCastUIOp::create(
        builder, loc, builder.getIndexType(), op.getRegionInputArgs()[byte]));
  Value read = tensor::ExtractOp::create(builder, loc, constant, at);
  if (table->otherwise)
    read = arith::SelectOp::create(
        builder, loc, body.of(value).choice, read,
        arith::ConstantOp::create(builder, loc, table->otherwise));
  value.replaceAllUsesWith(read);
  noteOnHost(op, cause);
  return true;
}

/// Drops what nothing in the body of `op` reads any more, inputs included.
static void clean(RewriterBase &rewriter, linalg::GenericOp op) {
  SmallVector<Operation *> parts;
  for (Operation &part : op.getBody()->without_terminator())
    parts.push_back(&part);
  for (Operation *part : llvm::reverse(parts))
    if (isOpTriviallyDead(part))
      rewriter.eraseOp(part);
  SmallVector<OpOperand *> inputs;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (op.payloadUsesValueFromOperand(operand))
      inputs.push_back(operand);
  // The maps of what is left must still say how long each loop is.
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : inputs)
    maps.push_back(op.getMatchingIndexingMap(operand));
  for (OpOperand &init : op.getDpsInitsMutable())
    maps.push_back(op.getMatchingIndexingMap(&init));
  if (inputs.size() == op.getInputs().size() ||
      !inversePermutation(concatAffineMaps(maps, op.getContext())))
    return;
  SmallVector<Value> values;
  for (OpOperand *operand : inputs)
    values.push_back(operand->get());
  rewriter.setInsertionPoint(op);
  auto less = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), values, op.getOutputs(), maps,
      op.getIteratorTypesArray());
  less->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  SmallVector<BlockArgument> unused;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (!llvm::is_contained(inputs, operand))
      unused.push_back(op.getMatchingBlockArgument(operand));
  for (BlockArgument argument : llvm::reverse(unused))
    op.getBody()->eraseArgument(argument.getArgNumber());
  less.getRegion().takeBody(op.getRegion());
  rewriter.replaceOp(op, less);
}

//===----------------------------------------------------------------------===//
// The largest of bytes
//===----------------------------------------------------------------------===//

/// Whether `a` is less than `b`, or both are the same bits.
static bool isAtMost(TypedAttr a, TypedAttr b) {
  if (a == b)
    return true;
  auto x = dyn_cast<FloatAttr>(a), y = dyn_cast<FloatAttr>(b);
  return x && y && x.getValue() < y.getValue();
}

/// Whether the choice holds at some point of each element that the reduction
/// makes: at the first or the last trip of all of its loops.
static bool holdsSomewhere(linalg::GenericOp op, Value choice) {
  if (auto argument = dyn_cast<BlockArgument>(choice)) {
    Operation *maker = op->getOperand(argument.getArgNumber()).getDefiningOp();
    if (maker && maker->hasAttr(kShowsSomeAttrName))
      return true;
  }
  llvm::SetVector<Operation *> parts;
  llvm::MapVector<BlockArgument, DenseElementsAttr> masks;
  std::function<bool(Value)> collect = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (argument && argument.getOwner() == op.getBody()) {
      OpOperand &operand = op->getOpOperand(argument.getArgNumber());
      return matchPattern(operand.get(), m_Constant(&masks[argument]));
    }
    Operation *part = value.getDefiningOp();
    if (!part || part->getBlock() != op.getBody() || parts.contains(part))
      return true;
    if (!llvm::all_of(part->getOperands(), collect))
      return false;
    parts.insert(part);
    return true;
  };
  if (!collect(choice))
    return false;
  auto mapOf = [&](BlockArgument argument) {
    return op.getMatchingIndexingMap(
        &op->getOpOperand(argument.getArgNumber()));
  };
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  SmallVector<unsigned> walked; // loops that are not reduced
  int64_t places = 1;
  for (unsigned dim = 0; dim < ranges.size(); ++dim) {
    const bool isRead = llvm::any_of(parts,
                                     [&](Operation *part) {
                                       auto index =
                                           dyn_cast<linalg::IndexOp>(part);
                                       return index && index.getDim() == dim;
                                     }) ||
                        llvm::any_of(masks, [&](auto &mask) {
                          return mapOf(mask.first).isFunctionOfDim(dim);
                        });
    if (!isRead ||
        op.getIteratorTypesArray()[dim] != utils::IteratorType::parallel)
      continue;
    walked.push_back(dim);
    if (llvm::MulOverflow(places, ranges[dim], places))
      return false;
  }
  if (places > kMostPlaces)
    return false;
  SmallVector<int64_t> place(ranges.size(), 0);
  auto holds = [&]() {
    llvm::DenseMap<Value, TypedAttr> known;
    for (auto &[argument, values] : masks) {
      SmallVector<uint64_t> at;
      for (int64_t index : mapOf(argument).compose(place))
        at.push_back(static_cast<uint64_t>(index));
      known[argument] = cast<TypedAttr>(values.getValues<Attribute>()[at]);
    }
    for (Operation *part : parts) {
      Value result = part->getResult(0);
      if (auto index = dyn_cast<linalg::IndexOp>(part))
        known[result] =
            IntegerAttr::get(result.getType(), place[index.getDim()]);
      else
        known[result] = foldScalar(part, [&](Value operand) {
          auto it = known.find(operand);
          return it != known.end() ? it->second : constantOf(operand);
        });
    }
    auto is = dyn_cast_or_null<IntegerAttr>(known[choice]);
    return is && !is.getValue().isZero();
  };
  for (int64_t number = 0; number < places; ++number) {
    int64_t rest = number;
    for (unsigned dim : walked) {
      place[dim] = rest % ranges[dim];
      rest /= ranges[dim];
    }
    bool isFound = false;
    for (bool last : {false, true}) {
      for (auto [dim, range] : llvm::enumerate(ranges))
        if (!llvm::is_contained(walked, dim))
          place[dim] = last ? range - 1 : 0;
      isFound |= holds();
    }
    if (!isFound)
      return false;
  }
  return true;
}

/// Where `op` finds the largest g(x) of bytes, g growing with x, finds the
/// largest x instead, and g of it for each reader by itself. With a mask,
/// something must be left of each row, and what is masked must be the least.
static void maximiseBytes(RewriterBase &rewriter, linalg::GenericOp op) {
  Value scalar = maximisedScalar(op);
  if (!scalar)
    return;
  Body body(op);
  const Sources of = body.of(scalar);
  const TypedAttr begin = constantOf(op.getOutputs().front());
  if (!of.isFunctionOf(1) || !begin)
    return;
  const std::optional<Table> table = tableOf(body, scalar);
  if (!table)
    return;
  auto valueOf = [&](int byte) {
    return cast<TypedAttr>(table->values[uint8_t(byte)]);
  };
  for (int byte = -128; byte < 127; ++byte)
    if (!isAtMost(valueOf(byte), valueOf(byte + 1)))
      return;
  if (!isAtMost(begin, valueOf(-128)) ||
      (of.choice && (!isAtMost(table->otherwise, valueOf(-128)) ||
                     !holdsSomewhere(op, of.choice))))
    return;

  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  OpOperand &read = op->getOpOperand(table->bytes.front());
  OpOperand *init = op.getDpsInitOperand(0);
  auto shape = cast<RankedTensorType>(op.getResult(0).getType()).getShape();
  // With a mask in 16 bits: in eight LLVM knows that nothing is less than the
  // least, makes a branch of the choice, and no vectors.
  const Type element = of.choice ? rewriter.getI16Type() : rewriter.getI8Type();
  auto least = arith::ConstantOp::create(
      rewriter, loc, rewriter.getIntegerAttr(element, -128));
  Value filled =
      linalg::FillOp::create(
          rewriter, loc, ValueRange{least},
          ValueRange{tensor::EmptyOp::create(rewriter, loc, shape, element)})
          .getResult(0);
  // The parts of the body that the choice is made of, or that make g.
  auto copyParts = [&](OpBuilder &b, Value made, IRMapping &mapping) {
    std::function<void(Value)> copy = [&](Value value) {
      Operation *part = value.getDefiningOp();
      if (mapping.contains(value) || !part || part->getBlock() != op.getBody())
        return;
      for (Value operand : part->getOperands())
        copy(operand);
      b.clone(*part, mapping);
    };
    copy(made);
    return mapping.lookupOrDefault(made);
  };
  SmallVector<OpOperand *> operands{&read};
  // What nothing reads says how large a window is.
  for (OpOperand *operand : op.getDpsInputOperands())
    if (!op.payloadUsesValueFromOperand(operand) ||
        (of.choice && getElementTypeOrSelf(operand->get()).isInteger(1)))
      operands.push_back(operand);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : operands) {
    inputs.push_back(operand->get());
    maps.push_back(op.getMatchingIndexingMap(operand));
  }
  maps.push_back(op.getMatchingIndexingMap(init));
  auto largest = linalg::GenericOp::create(
      rewriter, loc, TypeRange{filled.getType()}, inputs, ValueRange{filled},
      maps, op.getIteratorTypesArray(),
      [&](OpBuilder &b, Location l, ValueRange scalars) {
        Value byte = scalars[0];
        if (of.choice) {
          IRMapping mapping;
          for (auto [operand, scalar] : llvm::zip(operands, scalars))
            mapping.map(op.getMatchingBlockArgument(operand), scalar);
          byte = arith::SelectOp::create(
              b, l, copyParts(b, of.choice, mapping),
              arith::ExtSIOp::create(b, l, element, byte), least);
        }
        linalg::YieldOp::create(
            b, l,
            arith::MaxSIOp::create(b, l, scalars.back(), byte).getResult());
      });
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, shape, getElementTypeOrSelf(op.getResult(0).getType()));
  const HostCause cause = hostCauseOf(op);
  noteOnHost(largest, cause);
  const AffineMap all = rewriter.getMultiDimIdentityMap(shape.size());
  const SmallVector<utils::IteratorType> parallel(
      shape.size(), utils::IteratorType::parallel);
  Value bytes = largest.getResult(0);
  if (of.choice) {
    auto narrow = linalg::GenericOp::create(
        rewriter, loc,
        TypeRange{RankedTensorType::get(shape, rewriter.getI8Type())},
        ValueRange{bytes},
        ValueRange{tensor::EmptyOp::create(rewriter, loc, shape,
                                           rewriter.getI8Type())},
        ArrayRef<AffineMap>{all, all}, parallel,
        [&](OpBuilder &b, Location l, ValueRange scalars) {
          linalg::YieldOp::create(
              b, l,
              arith::TruncIOp::create(b, l, b.getI8Type(), scalars[0])
                  .getResult());
        });
    noteOnHost(narrow, cause);
    bytes = narrow.getResult(0);
  }
  auto decoded = linalg::GenericOp::create(
      rewriter, loc, op.getResultTypes(), bytes, ValueRange{empty},
      ArrayRef<AffineMap>{all, all}, parallel,
      [&](OpBuilder &b, Location l, ValueRange scalars) {
        IRMapping mapping;
        mapping.map(op.getMatchingBlockArgument(&read), scalars[0]);
        if (of.choice)
          mapping.map(
              of.choice,
              arith::ConstantOp::create(b, l, b.getBoolAttr(true)).getResult());
        for (OpOperand *operand : op.getDpsInputOperands())
          if (TypedAttr constant = constantOf(operand->get()))
            mapping.map(op.getMatchingBlockArgument(operand),
                        arith::ConstantOp::create(b, l, constant).getResult());
        linalg::YieldOp::create(b, l, copyParts(b, scalar, mapping));
      });
  noteOnHost(decoded, cause);
  rewriter.replaceOp(op, decoded);

  // What takes a function of libm of it can then be a table of two bytes.
  fuseIntoTables(rewriter, decoded);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TabulatePass : public fadiff::impl::TabulatePassBase<TabulatePass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // Readers, which it may replace, have had their turn.
    const SmallVector<linalg::GenericOp> ops = found();
    for (linalg::GenericOp op : llvm::reverse(ops))
      maximiseBytes(rewriter, op);
    for (linalg::GenericOp op : found()) {
      bool changed = false;
      for (unsigned bytes : {1, 2}) {
        Body body(op);
        for (Value value : scalarsForTables(body, bytes))
          changed |= tabulate(body, value);
      }
      if (changed)
        clean(rewriter, op);
    }
  }

private:
  SmallVector<linalg::GenericOp> found() {
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) {
      // What stands in a layer is the accelerator's.
      if (!op->getParentOfType<ir::LayerOp>() && op.hasPureTensorSemantics())
        ops.push_back(op);
    });
    return ops;
  }
};
} // namespace
