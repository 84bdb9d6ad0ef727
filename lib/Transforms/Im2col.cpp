//===- Im2col.cpp - Convolutions behind their columns ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compilers for other machines write a convolution as a tensor of its windows,
// one column each, and a matrix product. A column's index is a number whose
// digits are the taps and channels, a window's one whose digits are its rows
// and columns; the image is read at sums of digits, which are quotients and
// remainders of the loops. Here each loop becomes one loop per digit, and the
// product reads the image itself.
//
// This ends: each application takes a gathering operation off the way into a
// contraction and makes none.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

namespace {
/// Part of a loop's index: index = sum of weight * digit over the loop's
/// digits.
struct Digit {
  unsigned loop;
  int64_t weight, extent;
};

/// sum of factor * digit, plus a constant.
struct Sum {
  SmallVector<int64_t> factors;
  int64_t constant = 0;
};

/// Writes expressions of loops as sums of their digits, and splits digits as
/// far as the expressions take them apart.
class Digits {
public:
  explicit Digits(ArrayRef<int64_t> extents) {
    for (auto [loop, extent] : llvm::enumerate(extents))
      digits.push_back({unsigned(loop), 1, extent});
  }

  ArrayRef<Digit> all() const { return digits; }

  /// The sums that `map` is of; none if it is of none. Ends since each split
  /// leaves smaller digits.
  std::optional<SmallVector<Sum>> sumsOf(AffineMap map) {
    for (;;) {
      SmallVector<Sum> sums;
      hasSplit = false;
      for (AffineExpr index : map.getResults()) {
        std::optional<Sum> sum = sumOf(index);
        if (!sum)
          break;
        sums.push_back(*sum);
      }
      if (sums.size() == map.getNumResults())
        return sums;
      if (!hasSplit)
        return std::nullopt;
    }
  }

private:
  std::optional<Sum> sumOf(AffineExpr expr) {
    Sum sum;
    sum.factors.resize(digits.size());
    if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      sum.constant = constant.getValue();
      return sum;
    }
    if (auto loop = dyn_cast<AffineDimExpr>(expr)) {
      for (auto [factor, digit] : llvm::zip_equal(sum.factors, digits))
        if (digit.loop == loop.getPosition())
          factor = digit.weight;
      return sum;
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary)
      return std::nullopt;
    std::optional<Sum> lhs = sumOf(binary.getLHS());
    if (!lhs)
      return std::nullopt;
    if (binary.getKind() == AffineExprKind::Add) {
      std::optional<Sum> rhs = sumOf(binary.getRHS());
      if (!rhs)
        return std::nullopt;
      for (auto [factor, other] : llvm::zip_equal(lhs->factors, rhs->factors))
        factor += other;
      lhs->constant += rhs->constant;
      return lhs;
    }
    auto rhs = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!rhs || rhs.getValue() <= 0)
      return std::nullopt;
    switch (binary.getKind()) {
    case AffineExprKind::Mul:
      for (int64_t &factor : lhs->factors)
        factor *= rhs.getValue();
      lhs->constant *= rhs.getValue();
      return lhs;
    case AffineExprKind::FloorDiv:
      return divide(*lhs, rhs.getValue(), /*remainder=*/false);
    case AffineExprKind::Mod:
      return divide(*lhs, rhs.getValue(), /*remainder=*/true);
    default:
      return std::nullopt;
    }
  }

  /// The quotient or remainder of `sum` by `divisor`, if the digits that it is
  /// no multiple of stay below; else splits one, if that helps.
  std::optional<Sum> divide(const Sum &sum, int64_t divisor, bool remainder) {
    Sum quotient = sum, rest = sum;
    int64_t most = sum.constant % divisor;
    if (sum.constant < 0)
      return std::nullopt;
    quotient.constant /= divisor;
    rest.constant %= divisor;
    for (auto [i, factor] : llvm::enumerate(sum.factors)) {
      if (factor < 0)
        return std::nullopt;
      if (factor % divisor == 0) {
        quotient.factors[i] /= divisor;
        rest.factors[i] = 0;
        continue;
      }
      quotient.factors[i] = 0;
      // As a number whose lower part stays below the divisor.
      const int64_t part = divisor / factor;
      if (divisor % factor == 0 && digits[i].extent > part &&
          digits[i].extent % part == 0) {
        Digit high = digits[i];
        high.weight *= part;
        high.extent /= part;
        digits[i].extent = part;
        digits.insert(digits.begin() + i, high);
        hasSplit = true;
        return std::nullopt;
      }
      most += factor * (digits[i].extent - 1);
    }
    if (most >= divisor)
      return std::nullopt;
    return remainder ? rest : quotient;
  }

  SmallVector<Digit> digits; ///< of each loop the highest first
  bool hasSplit = false;
};
} // namespace

/// What `value`, in the body of `op`, is of its loops; null if it is no sum,
/// quotient or remainder of them.
static AffineExpr exprOf(Value value, linalg::GenericOp op) {
  MLIRContext *context = op.getContext();
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return getAffineConstantExpr(constant.getSExtValue(), context);
  Operation *def = value.getDefiningOp();
  if (!def)
    return {};
  if (auto index = dyn_cast<linalg::IndexOp>(def))
    return getAffineDimExpr(index.getDim(), context);
  SmallVector<AffineExpr> operands;
  for (Value operand : def->getOperands()) {
    operands.push_back(exprOf(operand, op));
    if (!operands.back())
      return {};
  }
  if (auto apply = dyn_cast<affine::AffineApplyOp>(def)) {
    AffineMap map = apply.getAffineMap();
    ArrayRef<AffineExpr> all(operands);
    return map.getResult(0).replaceDimsAndSymbols(
        all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
  }
  if (isa<arith::AddIOp>(def))
    return operands[0] + operands[1];
  // Indices of loops are not negative.
  auto right = operands.size() == 2 ? dyn_cast<AffineConstantExpr>(operands[1])
                                    : AffineConstantExpr();
  if (!right || right.getValue() <= 0)
    return {};
  if (isa<arith::MulIOp>(def))
    return operands[0] * operands[1];
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(def))
    return operands[0].floorDiv(operands[1]);
  if (isa<arith::RemSIOp, arith::RemUIOp>(def))
    return operands[0] % operands[1];
  return {};
}

/// The tensor whose elements `op` moves, and where it finds the element for
/// each of its own. Null if it does more.
static Value gatheredFrom(linalg::GenericOp op, AffineMap &from) {
  auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
  if (!mapsElements(linalgOp) || op.hasDynamicShape() ||
      !linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0))
           .isIdentity())
    return {};
  Value yielded = op.getBody()->getTerminator()->getOperand(0);
  for (OpOperand *input : op.getDpsInputOperands())
    if (yielded == linalgOp.getMatchingBlockArgument(input)) {
      from = linalgOp.getMatchingIndexingMap(input);
      return input->get();
    }
  auto extract = yielded.getDefiningOp<tensor::ExtractOp>();
  if (!extract || extract->getBlock() != op.getBody())
    return {};
  SmallVector<AffineExpr> indices;
  for (Value index : extract.getIndices()) {
    indices.push_back(exprOf(index, op));
    if (!indices.back())
      return {};
  }
  from = AffineMap::get(op.getNumLoops(), 0, indices, op.getContext());
  return extract.getTensor();
}

/// Where a reshape of `collapsed` to `shape` finds the element of the other
/// one: of the collapsed tensor, or of the wide one.
static AffineMap collapsedIndices(ArrayRef<ReassociationIndices> groups,
                                  ArrayRef<int64_t> shape,
                                  MLIRContext *context) {
  SmallVector<AffineExpr> indices;
  for (const ReassociationIndices &group : groups) {
    AffineExpr index = getAffineConstantExpr(0, context);
    for (int64_t axis : group)
      index = index * shape[axis] + getAffineDimExpr(axis, context);
    indices.push_back(index);
  }
  return AffineMap::get(shape.size(), 0, indices, context);
}
static AffineMap expandedIndices(ArrayRef<ReassociationIndices> groups,
                                 ArrayRef<int64_t> shape,
                                 MLIRContext *context) {
  SmallVector<AffineExpr> indices(shape.size());
  for (auto [position, group] : llvm::enumerate(groups)) {
    AffineExpr rest = getAffineDimExpr(position, context);
    for (int64_t axis : llvm::reverse(group)) {
      indices[axis] = axis == group.front() ? rest : rest % shape[axis];
      rest = rest.floorDiv(shape[axis]);
    }
  }
  return AffineMap::get(groups.size(), 0, indices, context);
}

/// The tensor from which the windows in `value` were gathered, and where each
/// element of `value` lies in it. Null if nothing is gathered but by moving
/// axes, which is no im2col.
static Value windowsOf(Value value, AffineMap &at) {
  MLIRContext *context = value.getContext();
  at = AffineMap::getMultiDimIdentityMap(
      cast<RankedTensorType>(value.getType()).getRank(), context);
  Value found;
  AffineMap foundAt;
  while (Operation *def = value.getDefiningOp()) {
    AffineMap step;
    Value source;
    if (auto turned = dyn_cast<linalg::TransposeOp>(def)) {
      source = turned.getInput();
      step = inversePermutation(AffineMap::getPermutationMap(
          ArrayRef<int64_t>(turned.getPermutation()), context));
    } else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(def)) {
      source = collapse.getSrc();
      if (!collapse.getSrcType().hasStaticShape())
        break;
      step = expandedIndices(collapse.getReassociationIndices(),
                             collapse.getSrcType().getShape(), context);
    } else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(def)) {
      source = expand.getSrc();
      if (!expand.getResultType().hasStaticShape())
        break;
      step = collapsedIndices(expand.getReassociationIndices(),
                              expand.getResultType().getShape(), context);
    } else if (auto generic = dyn_cast<linalg::GenericOp>(def)) {
      source = gatheredFrom(generic, step);
    }
    if (!source)
      break;
    at = step.compose(at);
    value = source;
    if (isa<linalg::GenericOp>(def) && !step.isProjectedPermutation()) {
      found = value;
      foundAt = at;
    }
  }
  at = foundAt;
  return found;
}

namespace {
/// A contraction of gathered windows reads what they were gathered from.
struct ReadWindows : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!(isContraction(op) || multipliesBytes(op)) ||
        !op.hasPureTensorSemantics() || op.hasDynamicShape() ||
        !llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
          return map.isProjectedPermutation();
        }))
      return failure();
    for (OpOperand *factor : op.getDpsInputOperands()) {
      AffineMap at;
      Value image = windowsOf(factor->get(), at);
      if (!image || !cast<RankedTensorType>(image.getType()).hasStaticShape())
        continue;
      if (succeeded(readImage(op, factor, image,
                              at.compose(op.getMatchingIndexingMap(factor)),
                              rewriter)))
        return success();
    }
    return failure();
  }

private:
  /// Whether a window slides along each axis, or one loop runs: as a layer
  /// indexes its input.
  static bool isImage(ArrayRef<Sum> sums, ArrayRef<Digit> digits,
                      ArrayRef<utils::IteratorType> iterators) {
    return llvm::all_of(sums, [&](const Sum &sum) {
      unsigned outputs = 0, taps = 0;
      bool strided = false;
      for (auto [factor, digit] : llvm::zip_equal(sum.factors, digits)) {
        if (factor == 0)
          continue;
        const bool isTap =
            iterators[digit.loop] == utils::IteratorType::reduction;
        ++(isTap ? taps : outputs);
        strided |= isTap && factor != 1;
      }
      return sum.constant == 0 && outputs <= 1 && taps <= 1 &&
             (outputs == 1 || !strided);
    });
  }

  static LogicalResult readImage(linalg::LinalgOp op, OpOperand *factor,
                                 Value image, AffineMap at,
                                 PatternRewriter &rewriter) {
    MLIRContext *context = op.getContext();
    Digits numbers(op.getStaticLoopRanges());
    std::optional<SmallVector<Sum>> sums = numbers.sumsOf(at);
    const SmallVector<utils::IteratorType> iterators =
        op.getIteratorTypesArray();
    if (!sums || !isImage(*sums, numbers.all(), iterators))
      return failure();
    ArrayRef<Digit> digits = numbers.all();

    SmallVector<AffineExpr> indices;
    SmallVector<int64_t> extents;
    auto imageType = cast<RankedTensorType>(image.getType());
    for (auto [axis, sum] : llvm::enumerate(*sums)) {
      // Along an axis of one element runs a loop of one trip that runs nowhere
      // else in the image, or none.
      if (imageType.getDimSize(axis) == 1 &&
          llvm::all_of(sum.factors, [](int64_t f) { return f == 0; })) {
        const auto *unit = llvm::find_if(digits, [&](const Digit &digit) {
          const size_t at = &digit - digits.data();
          return digit.extent == 1 &&
                 iterators[digit.loop] == utils::IteratorType::parallel &&
                 llvm::all_of(*sums, [&](const Sum &other) {
                   return other.factors[at] == 0;
                 });
        });
        if (unit == digits.end())
          continue;
        sum.factors[unit - digits.begin()] = 1;
      }
      extents.push_back(imageType.getDimSize(axis));
      AffineExpr index = getAffineConstantExpr(0, context);
      for (auto [loop, times] : llvm::enumerate(sum.factors))
        index = index + getAffineDimExpr(loop, context) * times;
      indices.push_back(index);
    }
    SmallVector<Value> operands;
    SmallVector<AffineMap> maps;
    SmallVector<ReassociationIndices> ofResult;
    for (OpOperand &operand : op->getOpOperands()) {
      if (&operand == factor) {
        operands.push_back(reshapeUnitDims(rewriter, op.getLoc(), image,
                                           imageType.clone(extents)));
        maps.push_back(AffineMap::get(digits.size(), 0, indices, context));
        continue;
      }
      // An axis for each digit of its loop.
      SmallVector<AffineExpr> axes;
      SmallVector<int64_t> shape;
      SmallVector<ReassociationIndices> groups;
      for (AffineExpr index :
           op.getMatchingIndexingMap(&operand).getResults()) {
        groups.emplace_back();
        for (auto [loop, digit] : llvm::enumerate(digits)) {
          if (digit.loop != cast<AffineDimExpr>(index).getPosition())
            continue;
          groups.back().push_back(axes.size());
          axes.push_back(getAffineDimExpr(loop, context));
          shape.push_back(digit.extent);
        }
      }
      auto type = cast<RankedTensorType>(operand.get().getType());
      Value wide = operand.get();
      if (int64_t(shape.size()) != type.getRank())
        wide = tensor::ExpandShapeOp::create(rewriter, op.getLoc(),
                                             type.clone(shape), wide, groups);
      operands.push_back(wide);
      maps.push_back(AffineMap::get(digits.size(), 0, axes, context));
      ofResult = groups;
    }
    SmallVector<utils::IteratorType> loops;
    for (const Digit &digit : digits)
      loops.push_back(iterators[digit.loop]);
    Value result = contractionOn(rewriter, op, operands, maps, loops);
    Type type = op->getResult(0).getType();
    if (result.getType() != type)
      result = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), type,
                                               result, ofResult);
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void fadiff::populateIm2colPatterns(RewritePatternSet &patterns) {
  patterns.add<ReadWindows>(patterns.getContext());
}
