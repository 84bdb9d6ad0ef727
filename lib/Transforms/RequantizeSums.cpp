//===- RequantizeSums.cpp - Sums of two int8 tensors to the read-out ------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A quantised residual connection adds two int8 tensors, each with a scale and
// a zero point, and rounds the sum to int8 again:
//
//   f(x, y)  ~  A x + B y + C, rounded and saturated.
//
// The accelerator can compute
//
//   readOut(w x + n y + load(r y) + k),   load(v) = int8(clamp(roundeven(v))),
//
// where w is a weight, r <= 1 the scale that the residual is loaded with, n how
// often it is loaded as it is and k a bias. So readOut has scale A / w, n + r
// is w B / A and k is C w / A. The load rounds before the read-out does, which
// moves the sum by at most A / (2 w). f has 65,536 values: all are compared.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Analysis/ReadOut.h"
#include "fadiff/Analysis/ScalarFunction.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace fadiff;

static bool isByteTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isInteger(8);
}

namespace {
/// The elementwise operations between two int8 tensors and an int8 result.
struct ByteSum {
  SmallVector<linalg::LinalgOp> ops; ///< in block order; the last yields it
  SmallVector<Value, 2> summands;
};
} // namespace

/// Whether `op` may be computed again for other readers: what it reads is one
/// tensor of bytes, as a dequantisation does, and constants.
static bool readsOneByteTensor(linalg::LinalgOp op) {
  SmallVector<Value> inputs(op.getDpsInputs());
  llvm::erase_if(inputs,
                 [](Value input) { return matchPattern(input, m_Constant()); });
  return inputs.size() == 1 && isByteTensor(inputs.front());
}

/// Whether two tensors are added, not multiplied or the like.
static bool addsTensors(const ByteSum &sum) {
  return llvm::any_of(sum.ops, [](linalg::LinalgOp op) {
    return llvm::count_if(op.getDpsInputs(),
                          [](Value input) {
                            return !matchPattern(input, m_Constant());
                          }) == 2 &&
           llvm::any_of(op.getBlock()->without_terminator(), [](Operation &o) {
             return isa<arith::AddFOp, arith::AddIOp>(o);
           });
  });
}

/// Those that end in `last`, if they read two int8 tensors of the result's
/// shape and constants.
static std::optional<ByteSum> findByteSum(linalg::LinalgOp last) {
  ByteSum sum;
  llvm::SetVector<Operation *> ops;
  llvm::SmallSetVector<Value, 2> leaves;
  ops.insert(last);
  for (size_t next = 0; next < ops.size(); ++next) {
    auto op = cast<linalg::LinalgOp>(ops[next]);
    if (!mapsElements(op) || op.getNumDpsInits() != 1 ||
        op->getNumResults() != 1 ||
        !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
      return std::nullopt;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      Value value = operand->get();
      if (!op.payloadUsesValueFromOperand(operand) ||
          matchPattern(value, m_Constant()))
        continue;
      if (!op.getMatchingIndexingMap(operand).isIdentity())
        return std::nullopt;
      if (isByteTensor(value)) {
        leaves.insert(value);
        continue;
      }
      auto maker = value.getDefiningOp<linalg::LinalgOp>();
      if (!maker || maker->getBlock() != last->getBlock() ||
          (!readsOneByteTensor(maker) &&
           !llvm::all_of(value.getUsers(),
                         [&](Operation *user) { return ops.contains(user); })))
        return std::nullopt;
      ops.insert(maker);
    }
  }
  if (leaves.size() != 2)
    return std::nullopt;
  for (Operation *op : ops)
    sum.ops.push_back(cast<linalg::LinalgOp>(op));
  llvm::sort(sum.ops, [](linalg::LinalgOp a, linalg::LinalgOp b) {
    return a->isBeforeInBlock(b);
  });
  sum.summands.assign(leaves.begin(), leaves.end());
  return sum;
}

/// How many contractions end in `value`, each read by the next one alone.
static unsigned chainLength(Value value) {
  unsigned length = 0;
  while (value.hasOneUse()) {
    auto op = value.getDefiningOp<linalg::LinalgOp>();
    if (!op || op.getNumDpsInputs() == 0)
      break;
    length += isContraction(op);
    value = op.getDpsInputs()[0];
  }
  return length;
}

/// Whether a layer leaves `value` to one reader: as what a contraction's sums,
/// or a residual sum's, are read out to.
static bool isReadOutOfLayer(Value value) {
  if (!value.hasOneUse())
    return false;
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  while (op && !isContraction(op) && !matchResidualSum(op))
    op = op.getNumDpsInputs() == 0
             ? linalg::LinalgOp()
             : op.getDpsInputs()[0].getDefiningOp<linalg::LinalgOp>();
  if (!op || !isContraction(op))
    return op && isReadOutSum(op);
  ReadOutFeatures features;
  if (ir::TargetAttr target = ir::lookupTarget(op))
    features = target.getAccelerator().readOut;
  std::string reason;
  FailureOr<LayerMatch> match =
      matchLayer(op, Arithmetic::Int8, reason, features);
  return succeeded(match) && match->output.value == value;
}

namespace {
constexpr int64_t kLow = -128, kHigh = 127;
/// Of a residual. Each reads all of it again.
constexpr double kMostLoads = 4;

/// What a sum makes of each pair of bytes.
class ByteTable {
public:
  int64_t operator()(int64_t x, int64_t y) const {
    return values[(x - kLow) * 256 + (y - kLow)];
  }
  std::vector<int8_t> values;
};

/// readOut(weight * x + whole * y + load(scale * y) + readOut.offset).
struct SumFit {
  int64_t weight = 1;
  int64_t whole = 0;
  float scale = 1;
  ReadOut readOut;
  int64_t deviation = 256;

  int64_t loaded(int64_t y) const {
    const float scaled = __builtin_roundevenf(static_cast<float>(y) * scale);
    return static_cast<int64_t>(std::clamp(scaled, static_cast<float>(kLow),
                                           static_cast<float>(kHigh)));
  }
  int64_t operator()(int64_t x, int64_t y) const {
    return readOut(weight * x + whole * y + loaded(y));
  }
};

/// A x + B y + C.
struct Plane {
  double x = 0, y = 0, rest = 0;
};
} // namespace

template <typename Fn> static void forEachPair(Fn visit) {
  for (int64_t x = kLow; x <= kHigh; ++x)
    for (int64_t y = kLow; y <= kHigh; ++y)
      visit(x, y);
}

/// `table` of both arguments swapped.
static ByteTable transposed(const ByteTable &table) {
  ByteTable result;
  forEachPair([&](int64_t x, int64_t y) {
    result.values.push_back(static_cast<int8_t>(table(y, x)));
  });
  return result;
}

/// The plane of least squares through the values that are not saturated; null
/// if it does not rise along both arguments.
static std::optional<Plane> fitPlane(const ByteTable &table) {
  const auto extremes =
      std::minmax_element(table.values.begin(), table.values.end());
  const int64_t least = *extremes.first, most = *extremes.second;
  double count = 0, sumX = 0, sumY = 0, sumV = 0;
  auto forEachInside = [&](auto visit) {
    forEachPair([&](int64_t x, int64_t y) {
      const int64_t value = table(x, y);
      if (value > least && value < most)
        visit(double(x), double(y), double(value));
    });
  };
  forEachInside([&](double x, double y, double v) {
    count += 1, sumX += x, sumY += y, sumV += v;
  });
  if (count < 3)
    return std::nullopt;
  const double meanX = sumX / count, meanY = sumY / count, meanV = sumV / count;
  double xx = 0, xy = 0, yy = 0, xv = 0, yv = 0;
  forEachInside([&](double x, double y, double v) {
    x -= meanX, y -= meanY, v -= meanV;
    xx += x * x, xy += x * y, yy += y * y, xv += x * v, yv += y * v;
  });
  const double determinant = xx * yy - xy * xy;
  if (!(determinant > 0))
    return std::nullopt;
  Plane plane;
  plane.x = (xv * yy - yv * xy) / determinant;
  plane.y = (yv * xx - xv * xy) / determinant;
  plane.rest = meanV - plane.x * meanX - plane.y * meanY;
  if (!(plane.x > 0 && plane.y > 0))
    return std::nullopt;
  return plane;
}

static void measure(SumFit &fit, const ByteTable &table) {
  fit.deviation = 0;
  forEachPair([&](int64_t x, int64_t y) {
    fit.deviation =
        std::max(fit.deviation, std::abs(fit(x, y) - int64_t(table(x, y))));
  });
}

/// Where all values depend on x + y alone: the read-out of that.
static std::optional<SumFit> fitPlainSum(const ByteTable &table) {
  auto at = [&](int64_t sum) {
    const int64_t x = std::clamp(sum - kHigh, kLow, kHigh);
    return table(x, sum - x);
  };
  bool depends = false;
  forEachPair(
      [&](int64_t x, int64_t y) { depends |= at(x + y) != table(x, y); });
  for (int64_t sum = 2 * kLow; sum < 2 * kHigh; ++sum)
    depends |= at(sum) > at(sum + 1);
  if (depends)
    return std::nullopt;
  const ReadOutFit found = fitReadOut({{at, 2 * kLow, 2 * kHigh}});
  SumFit fit;
  fit.readOut = found.readOut;
  fit.deviation = found.deviation;
  return fit;
}

/// The nearest that was found, with y as the residual.
static std::optional<SumFit> fitSum(const ByteTable &table) {
  std::optional<SumFit> best = fitPlainSum(table);
  if (best && best->deviation == 0)
    return best;
  const std::optional<Plane> plane = fitPlane(table);
  if (!plane)
    return best;
  const bool neverNegative =
      *std::min_element(table.values.begin(), table.values.end()) >= 0;
  // The larger the weight, the less is lost in rounding.
  const double ratio = plane->x / plane->y;
  const auto most = static_cast<int64_t>(
      std::clamp(std::floor(ratio * 1.001), 1.0, double(kHigh)));
  for (int64_t weight : {most, int64_t(1)}) {
    SumFit fit;
    fit.weight = weight;
    // One load less where rounding is all that would be lost.
    const double loads = std::ceil(double(weight) / ratio - 1e-3);
    if (loads > kMostLoads)
      continue;
    fit.whole = std::max<int64_t>(0, int64_t(loads) - 1);
    const double scale = double(weight) / ratio - double(fit.whole);
    fit.scale = std::abs(scale - 1) < 1e-3 ? 1.0f : static_cast<float>(scale);
    const double read = plane->x / double(weight);
    fit.readOut.scale = static_cast<float>(read);
    fit.readOut.relu = neverNegative;
    const int64_t near = std::llround(plane->rest / read);
    for (int64_t offset : {near, near - 1, near + 1}) {
      fit.readOut.offset = offset;
      measure(fit, table);
      if (!best || fit.deviation < best->deviation)
        best = fit;
    }
  }
  return best;
}

/// What `sum` computes, or null with the reason.
static std::optional<ByteTable> tabulate(const ByteSum &sum,
                                         std::string &reason) {
  ScalarFunction function;
  function.bindArgument(sum.summands[0]);
  function.bindBytes(sum.summands[1]);
  const auto rank = cast<RankedTensorType>(sum.summands[0].getType()).getRank();
  for (linalg::LinalgOp op : sum.ops)
    if (failed(function.append(op, /*chain=*/{}, rank, reason)))
      return std::nullopt;
  ByteTable table;
  bool defined = true;
  forEachPair([&](int64_t x, int64_t y) {
    if (!defined)
      return;
    const auto channel = static_cast<unsigned>(y - kLow);
    const std::optional<int64_t> value =
        function.tryEvaluate(x, channel, reason);
    defined = value.has_value();
    table.values.push_back(static_cast<int8_t>(value.value_or(0)));
  });
  if (!defined)
    return std::nullopt;
  return table;
}

/// The sum in the spelling that layers are formed from.
static Value buildSum(RewriterBase &rewriter, Location loc, const SumFit &fit,
                      Value input, Value residual) {
  auto type = cast<RankedTensorType>(input.getType());
  const unsigned rank = type.getRank();
  const AffineMap identity = rewriter.getMultiDimIdentityMap(rank);
  const SmallVector<utils::IteratorType> iterators(
      rank, utils::IteratorType::parallel);
  Type i32 = rewriter.getI32Type(), f32 = rewriter.getF32Type();
  auto real = [](OpBuilder &b, Location l, float value) -> Value {
    return arith::ConstantOp::create(b, l, b.getF32FloatAttr(value));
  };
  // Also of a load.
  auto saturated = [&](OpBuilder &b, Location l, Value value, float low) {
    value = math::RoundEvenOp::create(b, l, value);
    value = arith::MaximumFOp::create(b, l, value, real(b, l, low));
    value = arith::MinimumFOp::create(b, l, value, real(b, l, 127));
    return arith::FPToSIOp::create(b, l, b.getI8Type(), value);
  };
  Value sums = tensor::EmptyOp::create(rewriter, loc, type.getShape(), i32);
  sums = linalg::GenericOp::create(
             rewriter, loc, sums.getType(), ValueRange{input, residual},
             ValueRange{sums},
             ArrayRef<AffineMap>{identity, identity, identity}, iterators,
             [&](OpBuilder &b, Location l, ValueRange args) {
               Value x = arith::ExtSIOp::create(b, l, i32, args[0]);
               if (fit.weight != 1)
                 x = arith::MulIOp::create(
                     b, l, x,
                     arith::ConstantOp::create(
                         b, l, b.getI32IntegerAttr(int32_t(fit.weight))));
               Value y = args[1];
               if (fit.scale != 1 || fit.whole > 0) {
                 y = arith::SIToFPOp::create(b, l, f32, y);
                 y = arith::MulFOp::create(b, l, y, real(b, l, fit.scale));
                 y = saturated(b, l, y, -128);
               }
               y = arith::ExtSIOp::create(b, l, i32, y);
               if (fit.whole > 0) {
                 Value whole = arith::ExtSIOp::create(b, l, i32, args[1]);
                 whole = arith::MulIOp::create(
                     b, l, whole,
                     arith::ConstantOp::create(
                         b, l, b.getI32IntegerAttr(int32_t(fit.whole))));
                 y = arith::AddIOp::create(b, l, whole, y);
               }
               linalg::YieldOp::create(
                   b, l, arith::AddIOp::create(b, l, x, y)->getResult(0));
             })
             ->getResult(0);
  SmallVector<Value> inputs{sums};
  SmallVector<AffineMap> maps{identity};
  if (fit.readOut.offset) {
    auto biasType =
        RankedTensorType::get({type.getShape().back()}, rewriter.getI32Type());
    inputs.push_back(arith::ConstantOp::create(
        rewriter, loc,
        DenseIntElementsAttr::get(biasType,
                                  static_cast<int32_t>(fit.readOut.offset))));
    maps.push_back(
        AffineMap::get(rank, 0, rewriter.getAffineDimExpr(rank - 1)));
  }
  maps.push_back(identity);
  Value bytes = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        rewriter.getI8Type());
  return linalg::GenericOp::create(
             rewriter, loc, bytes.getType(), inputs, ValueRange{bytes}, maps,
             iterators,
             [&](OpBuilder &b, Location l, ValueRange args) {
               Value value = args[0];
               if (fit.readOut.offset)
                 value = arith::AddIOp::create(b, l, value, args[1]);
               value = arith::SIToFPOp::create(b, l, f32, value);
               value = arith::MulFOp::create(b, l, value,
                                             real(b, l, fit.readOut.scale));
               value =
                   saturated(b, l, value, fit.readOut.relu ? 0.0f : -128.0f);
               linalg::YieldOp::create(b, l, value);
             })
      ->getResult(0);
}

std::optional<int64_t> fadiff::requantizeSum(RewriterBase &rewriter,
                                             linalg::LinalgOp op,
                                             bool allowDeviation) {
  if (!isByteTensor(op->getResult(0)) ||
      cast<RankedTensorType>(op->getResult(0).getType()).getRank() == 0)
    return std::nullopt;
  std::optional<ByteSum> sum = findByteSum(op);
  if (!sum || !addsTensors(*sum) || llvm::any_of(sum->ops, isReadOutSum))
    return std::nullopt;
  // The input comes from a layer, better from one that ends a longer chain.
  // Else the sum is a layer by itself.
  SmallVector<unsigned, 2> inputs{0, 1};
  if (chainLength(sum->summands[1]) > chainLength(sum->summands[0]))
    std::swap(inputs[0], inputs[1]);
  auto isOfLayer = [&](unsigned input) {
    return isReadOutOfLayer(sum->summands[input]);
  };
  llvm::stable_sort(inputs, [&](unsigned a, unsigned b) {
    return isOfLayer(a) && !isOfLayer(b);
  });
  if (!isWorthALayer(op->getResult(0)))
    llvm::erase_if(inputs, [&](unsigned input) { return !isOfLayer(input); });
  if (inputs.empty())
    return std::nullopt;

  auto stays = [&](const std::string &why, const std::string &detail = "",
                   const std::string &remedy = "") {
    const std::string text = "the sum of two tensors stays on the host: " + why;
    for (linalg::LinalgOp part : sum->ops)
      noteOnHost(part, {text, remedy, detail});
    remark::missed(op.getLoc(),
                   remark::RemarkOpts::name("Residual").category("fadiff"))
        << text + (detail.empty() ? "" : "; " + detail);
  };
  std::string reason;
  const std::optional<ByteTable> table = tabulate(*sum, reason);
  if (!table) {
    stays(reason);
    return std::nullopt;
  }
  const int64_t mostDeviation = allowDeviation ? 1 : 0;
  std::optional<SumFit> best;
  unsigned input = 0;
  for (unsigned candidate : inputs) {
    // One that no layer makes only where the other does not do.
    if (best && best->deviation <= mostDeviation && isOfLayer(input) &&
        !isOfLayer(candidate))
      break;
    const std::optional<SumFit> fit =
        fitSum(candidate == 0 ? *table : transposed(*table));
    if (fit && (!best || fit->deviation < best->deviation)) {
      best = fit;
      input = candidate;
    }
  }
  if (!best) {
    stays("it is no weighted sum of the two");
    return std::nullopt;
  }
  if (best->deviation > mostDeviation) {
    stays("the accelerator adds a weighted int8 and one that it scales and "
          "rounds as it loads it",
          "the nearest differs by up to " + std::to_string(best->deviation),
          best->deviation == 1 ? "requantize=hardware" : "");
    return best->deviation;
  }
  rewriter.setInsertionPoint(op);
  Value result = buildSum(rewriter, op.getLoc(), *best, sum->summands[input],
                          sum->summands[1 - input]);
  rewriter.replaceOp(sum->ops.pop_back_val(), result);
  for (linalg::LinalgOp dead : llvm::reverse(sum->ops))
    if (dead->use_empty())
      rewriter.eraseOp(dead);
  return std::nullopt;
}
