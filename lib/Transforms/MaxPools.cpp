//===- MaxPools.cpp - Layers in front of max pooling ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The store unit pools what lies in the accumulator. Behind a concatenation, or
// where others read the image, too, no layer has it there: one that multiplies
// by 1 brings it. A load fills its padding, with any byte.
//
//===----------------------------------------------------------------------===//

#include "MaxPools.h"

#include "fadiff/Analysis/PoolMatch.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Hardware/CoreWork.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// A copy of int8 `image`.
static CopyOfImage copyOf(RewriterBase &rewriter, Location loc, Value image) {
  const RankedTensorType type = typeOf(image);
  const Type i8 = rewriter.getI8Type(), i32 = rewriter.getI32Type();
  auto tapType = RankedTensorType::get({1, 1, type.getShape().back()},
                                       type.getElementType());
  Value tap = arith::ConstantOp::create(
      rewriter, loc,
      DenseElementsAttr::get(tapType, rewriter.getI8IntegerAttr(1)));
  Value zero =
      arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(0));
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(), i32);
  Value zeros = linalg::FillOp::create(rewriter, loc, zero, empty).getResult(0);
  auto sums = linalg::DepthwiseConv2DNhwcHwcOp::create(
      rewriter, loc, zeros.getType(), ValueRange{image, tap},
      ValueRange{zeros});
  Value bytes = tensor::EmptyOp::create(rewriter, loc, type.getShape(), i8);
  const AffineMap all = rewriter.getMultiDimIdentityMap(type.getRank());
  auto copy = linalg::GenericOp::create(
      rewriter, loc, bytes.getType(), sums.getResult(0), bytes,
      ArrayRef<AffineMap>{all, all},
      SmallVector<utils::IteratorType>(type.getRank(),
                                       utils::IteratorType::parallel),
      [&](OpBuilder &b, Location l, ValueRange scalars) {
        // The read-out, with a scale of 1.
        auto number = [&](float value) {
          return arith::ConstantOp::create(b, l, b.getF32FloatAttr(value));
        };
        Value value = arith::SIToFPOp::create(b, l, b.getF32Type(), scalars[0]);
        value = arith::MulFOp::create(b, l, value, number(1));
        value = math::RoundEvenOp::create(b, l, value);
        value = arith::MaximumFOp::create(b, l, value, number(INT8_MIN));
        value = arith::MinimumFOp::create(b, l, value, number(INT8_MAX));
        linalg::YieldOp::create(
            b, l, arith::FPToSIOp::create(b, l, i8, value).getResult());
      });
  return {sums, image, copy.getResult(0)};
}

/// Max pooling without padding to a tensor of `shape`.
static Value maxPool(RewriterBase &rewriter, Location loc, Value image,
                     int64_t size, int64_t stride, ArrayRef<int64_t> shape) {
  const RankedTensorType type = typeOf(image);
  Value least = arith::ConstantOp::create(rewriter, loc,
                                          rewriter.getI8IntegerAttr(INT8_MIN));
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  Value begin =
      linalg::FillOp::create(rewriter, loc, least, empty).getResult(0);
  Value window = tensor::EmptyOp::create(rewriter, loc, {size, size},
                                         type.getElementType());
  return linalg::PoolingNhwcMaxOp::create(
             rewriter, loc, begin.getType(), ValueRange{image, window},
             ValueRange{begin}, rewriter.getI64TensorAttr({stride, stride}),
             rewriter.getI64TensorAttr({1, 1}))
      .getResult(0);
}

/// Cycles that a layer takes to begin and to end.
static constexpr double kCyclesOfLayer = 1000;

/// Whether the core takes longer for `pool` than the machine takes to move the
/// image and what is pooled.
static bool isWorthCopies(linalg::PoolingNhwcMaxOp pool, int64_t size,
                          const Accelerator &machine) {
  const int64_t outputs = typeOf(pool.getResult(0)).getNumElements();
  CoreWork work;
  work.pooled = outputs * size * size;
  work.moved = outputs;
  const int64_t image = typeOf(pool.getInputs()[0]).getNumElements();
  return coreCycles(work, machine) >
         kCyclesOfLayer +
             double(image + outputs) / machine.bandwidth[Level::Dram];
}

SmallVector<CopyOfImage>
fadiff::copyInFrontOfMaxPools(RewriterBase &rewriter, Operation *root,
                              const Accelerator &machine) {
  SmallVector<linalg::PoolingNhwcMaxOp> pools;
  root->walk([&](linalg::PoolingNhwcMaxOp pool) {
    if (!pool->getParentOfType<ir::LayerOp>() &&
        pool.hasPureTensorSemantics() && !matchMaxPool(pool.getResult(0)))
      pools.push_back(pool);
  });
  SmallVector<CopyOfImage> copies;
  for (linalg::PoolingNhwcMaxOp pool : pools) {
    const RankedTensorType image = typeOf(pool.getInputs()[0]);
    const RankedTensorType taps = typeOf(pool.getInputs()[1]);
    auto begin = pool.getOutputs()[0].getDefiningOp<linalg::FillOp>();
    APInt least;
    auto strides = pool.getStrides().getValues<int64_t>();
    const int64_t window = machine.pool.window;
    int64_t size = taps.getDimSize(0);
    const int64_t stride = strides[0];
    if (window < 2 || !image.hasStaticShape() || !taps.hasStaticShape() ||
        !image.getElementType().isInteger(8) || taps.getDimSize(1) != size ||
        strides[1] != stride || stride > machine.pool.stride ||
        !llvm::all_of(pool.getDilations().getValues<int64_t>(),
                      [](int64_t dilation) { return dilation == 1; }) ||
        !begin || !matchPattern(begin.value(), m_ConstantInt(&least)) ||
        least.getSExtValue() != INT8_MIN || !isWorthCopies(pool, size, machine))
      continue;
    const Location loc = pool.getLoc();
    rewriter.setInsertionPoint(pool);
    Value value = pool.getInputs()[0];
    auto step = [&](int64_t size, int64_t stride, ArrayRef<int64_t> shape) {
      copies.push_back(copyOf(rewriter, loc, value));
      value = maxPool(rewriter, loc, copies.back().copy, size, stride, shape);
    };
    // The largest of the largest of neighbouring windows is that of a window as
    // large as all of them.
    SmallVector<int64_t> shape(image.getShape());
    for (; size > window; size -= window - 1) {
      shape[1] -= window - 1;
      shape[2] -= window - 1;
      step(window, 1, shape);
    }
    // Perhaps fewer windows than the image has room for.
    step(size, stride, typeOf(pool.getResult(0)).getShape());
    rewriter.replaceOp(pool, value);
  }
  return copies;
}
