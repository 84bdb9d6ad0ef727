//===- WidenHalves.cpp - 16-bit factors and sums --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction that extends f16 or bf16 factors to f32 before it multiplies
// them is one of the f32 tensors that they extend to: the products are the same
// numbers. One that also sums in 16 bits is made one that sums in f32 first.
//
//===----------------------------------------------------------------------===//

#include "Normalize.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "fadiff/Transforms/WidenSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace fadiff;

/// Whether all that a body does with `argument` is to extend it to f32.
static bool isOnlyWidened(BlockArgument argument) {
  return !argument.use_empty() &&
         llvm::all_of(argument.getUsers(), [](Operation *user) {
           return isa<arith::ExtFOp>(user) &&
                  user->getResult(0).getType().isF32();
         });
}

static bool isHalf(Type type) { return type.isF16() || type.isBF16(); }

/// The elements of 16-bit tensor `value` as f32; constants at once.
static Value widen(OpBuilder &builder, Location loc, Value value) {
  const Type f32 = builder.getF32Type();
  if (auto fill = value.getDefiningOp<linalg::FillOp>();
      fill && fill.hasPureTensorSemantics()) {
    Value element = builder.createOrFold<arith::ExtFOp>(loc, f32, fill.value());
    Value empty = tensor::EmptyOp::create(
        builder, loc, tensor::getMixedSizes(builder, loc, value), f32);
    return linalg::FillOp::create(builder, loc, element, empty)->getResult(0);
  }
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(
        builder, loc,
        cast<DenseFPElementsAttr>(constant).mapValues(
            f32, [](const APFloat &half) {
              APFloat single = half;
              bool losesInfo;
              single.convert(APFloat::IEEEsingle(),
                             APFloat::rmNearestTiesToEven, &losesInfo);
              return single.bitcastToAPInt();
            }));
  return mapTensor(builder, loc, value, f32,
                   [&](OpBuilder &b, Location l, Value half) -> Value {
                     return arith::ExtFOp::create(b, l, f32, half);
                   });
}

namespace {
/// Each application leaves one operand of 16 bits less, or one named operation
/// with such operands.
struct WidenHalves : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() || op.hasDynamicShape() ||
        !isContraction(op) || !getElementTypeOrSelf(op->getResult(0)).isF32())
      return failure();
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto type = dyn_cast<RankedTensorType>(input->get().getType());
      BlockArgument argument = op.getMatchingBlockArgument(input);
      if (!type || !isHalf(type.getElementType()) || !isOnlyWidened(argument))
        continue;
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!generic)
        return linalg::generalizeNamedOp(rewriter, op);
      Value wide = widen(rewriter, op.getLoc(), input->get());
      rewriter.modifyOpInPlace(op, [&] {
        input->set(wide);
        for (Operation *user : llvm::make_early_inc_range(argument.getUsers()))
          rewriter.replaceOp(user, argument);
        argument.setType(rewriter.getF32Type());
      });
      return success();
    }
    return failure();
  }
};
} // namespace

void fadiff::populateWidenHalvesPatterns(RewritePatternSet &patterns) {
  patterns.add<WidenHalves>(patterns.getContext());
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The product that is added to output `index` of `op` in 16 bits, if that is
/// all that the output is used for.
static arith::MulFOp summedInHalves(linalg::LinalgOp op, unsigned index) {
  BlockArgument sum = op.getRegionOutputArgs()[index];
  auto add = op.getBlock()
                 ->getTerminator()
                 ->getOperand(index)
                 .getDefiningOp<arith::AddFOp>();
  if (!isHalf(sum.getType()) || !add || !add->hasOneUse() || !sum.hasOneUse() ||
      (add.getLhs() != sum && add.getRhs() != sum))
    return {};
  Value product = add.getLhs() == sum ? add.getRhs() : add.getLhs();
  auto mul = product.getDefiningOp<arith::MulFOp>();
  return mul && mul->hasOneUse() && mul->getBlock() == op.getBlock()
             ? mul
             : arith::MulFOp();
}

/// The buffer that `value` is a view of.
static Value bufferOf(Value value) {
  for (auto view = value.getDefiningOp<ViewLikeOpInterface>(); view;
       view = value.getDefiningOp<ViewLikeOpInterface>())
    value = view.getViewSource();
  return value;
}

/// Whether an output of `op` may overlap an input: then it reads what it has
/// written, and tensors would not.
static bool readsItsOutputs(linalg::LinalgOp op) {
  return op.hasPureBufferSemantics() &&
         llvm::any_of(op.getDpsInits(), [&](Value init) {
           return llvm::any_of(op.getDpsInputs(), [&](Value input) {
             return bufferOf(init) == bufferOf(input);
           });
         });
}

/// `op`, which is on memrefs, on the tensors in them.
static linalg::GenericOp onTensors(IRRewriter &rewriter, linalg::GenericOp op) {
  const Location loc = op.getLoc();
  SmallVector<Value> operands;
  SmallVector<Type> results;
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    if (isa<MemRefType>(value.getType()))
      value = bufferization::ToTensorOp::create(
          rewriter, loc, memref::getTensorTypeFromMemRefType(value.getType()),
          value, /*restrict=*/true);
    operands.push_back(value);
    if (op.isDpsInit(&operand))
      results.push_back(value.getType());
  }
  auto on = cast<linalg::GenericOp>(
      mlir::clone(rewriter, op.getOperation(), results, operands));
  for (auto [init, result] : llvm::zip_equal(op.getOutputs(), on.getResults()))
    bufferization::MaterializeInDestinationOp::create(
        rewriter, loc, Type(), result, init, /*restrict=*/true,
        /*writable=*/true);
  rewriter.eraseOp(op);
  return on;
}

/// Lets `op`, on tensors, take the sums at `indices` in f32.
static void widenSumsOf(IRRewriter &rewriter, linalg::GenericOp op,
                        ArrayRef<unsigned> indices) {
  const Location loc = op.getLoc();
  const Type f32 = rewriter.getF32Type();
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inits(op.getOutputs());
  SmallVector<Type> types(op.getResultTypes());
  for (unsigned index : indices) {
    inits[index] = widen(rewriter, loc, inits[index]);
    types[index] = inits[index].getType();
  }
  auto wide = linalg::GenericOp::create(rewriter, loc, types, op.getInputs(),
                                        inits, op.getIndexingMapsArray(),
                                        op.getIteratorTypesArray());
  wide->setDiscardableAttrs(llvm::to_vector(op->getDiscardableAttrs()));
  rewriter.inlineRegionBefore(op.getRegion(), wide.getRegion(),
                              wide.getRegion().begin());
  auto linalgOp = cast<linalg::LinalgOp>(wide.getOperation());
  SmallVector<Value> results(wide.getResults());
  for (unsigned index : indices) {
    arith::MulFOp mul = summedInHalves(linalgOp, index);
    Value sum = linalgOp.getRegionOutputArgs()[index];
    Operation *add = *sum.user_begin();
    rewriter.setInsertionPoint(mul);
    Value lhs = arith::ExtFOp::create(rewriter, loc, f32, mul.getLhs());
    Value rhs = arith::ExtFOp::create(rewriter, loc, f32, mul.getRhs());
    rewriter.replaceOpWithNewOp<arith::MulFOp>(mul, lhs, rhs);
    sum.setType(f32);
    add->getResult(0).setType(f32);
    rewriter.setInsertionPointAfter(wide);
    const Type half = getElementTypeOrSelf(op.getResult(index));
    results[index] =
        mapTensor(rewriter, loc, wide.getResult(index), half,
                  [&](OpBuilder &b, Location l, Value element) -> Value {
                    return arith::TruncFOp::create(b, l, half, element);
                  });
  }
  rewriter.replaceOp(op, results);
}

FloatType fadiff::widenSums(ModuleOp module) {
  struct Candidate {
    linalg::LinalgOp op;
    SmallVector<unsigned> indices;
  };
  FloatType fewestDigits;
  SmallVector<Candidate> candidates;
  module.walk([&](linalg::LinalgOp op) {
    Candidate candidate{op, {}};
    if (op.getNumReductionLoops() == 0 || op->getParentOfType<ir::LayerOp>() ||
        !(op.hasPureTensorSemantics() || op.hasPureBufferSemantics()) ||
        readsItsOutputs(op))
      return;
    for (unsigned i = 0, e = op.getNumDpsInits(); i != e; ++i)
      if (summedInHalves(op, i)) {
        candidate.indices.push_back(i);
        auto type = cast<FloatType>(op.getRegionOutputArgs()[i].getType());
        if (!fewestDigits ||
            type.getFPMantissaWidth() < fewestDigits.getFPMantissaWidth())
          fewestDigits = type;
      }
    if (!candidate.indices.empty())
      candidates.push_back(std::move(candidate));
  });
  IRRewriter rewriter(module.getContext());
  for (Candidate &candidate : candidates) {
    rewriter.setInsertionPoint(candidate.op);
    auto generic = dyn_cast<linalg::GenericOp>(candidate.op.getOperation());
    if (!generic)
      generic = *linalg::generalizeNamedOp(rewriter, candidate.op);
    rewriter.setInsertionPoint(generic);
    if (generic.hasPureBufferSemantics())
      generic = onTensors(rewriter, generic);
    widenSumsOf(rewriter, generic, candidate.indices);
  }
  return fewestDigits;
}
