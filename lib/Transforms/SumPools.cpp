//===- SumPools.cpp - Sums of windows as products -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Networks that classify end with the average of each channel, and others have
// averages between their layers. A sum is a product with ones, exact in 32
// bits. Of a whole image that takes the place of weights, so that each byte is
// loaded once; as a depthwise convolution, blocks of weights would be loaded
// that are as many times larger as the array is wide.
//
//===----------------------------------------------------------------------===//

#include "SumPools.h"
#include "fadiff/Analysis/LayerMatch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

/// i8 ones.
static Value ones(RewriterBase &rewriter, Location loc,
                  ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, rewriter.getI8Type());
  return arith::ConstantOp::create(
      rewriter, loc,
      DenseElementsAttr::get(type, rewriter.getI8IntegerAttr(1)));
}

/// `op` with the bytes of operand `image` read as unsigned.
static Value readUnsigned(RewriterBase &rewriter, linalg::LinalgOp op,
                          unsigned image) {
  linalg::GenericOp generic = *linalg::generalizeNamedOp(rewriter, op);
  auto extension =
      cast<arith::ExtSIOp>(*generic.getRegionInputArgs()[image].user_begin());
  rewriter.setInsertionPoint(extension);
  rewriter.replaceOpWithNewOp<arith::ExtUIOp>(extension, extension.getType(),
                                              extension.getIn());
  rewriter.setInsertionPointAfter(generic);
  return generic.getResult(0);
}

Value WindowSums::build(RewriterBase &rewriter, Location loc) const {
  auto type = cast<RankedTensorType>(image.getType());
  const int64_t batch = type.getDimSize(0), height = type.getDimSize(1),
                width = type.getDimSize(2), channels = type.getDimSize(3);
  const int64_t pixels = height * width;
  Value begin =
      arith::ConstantOp::create(rewriter, loc,
                                rewriter.getI32IntegerAttr(static_cast<int32_t>(
                                    -zeroPoint * size[0] * size[1])));
  auto sumsOf = [&](ArrayRef<int64_t> shape) {
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, shape, rewriter.getI32Type());
    return linalg::FillOp::create(rewriter, loc, begin, empty).getResult(0);
  };
  auto finish = [&](linalg::LinalgOp op, unsigned image) {
    return isUnsigned ? readUnsigned(rewriter, op, image) : op->getResult(0);
  };
  if (size != std::array<int64_t, 2>{height, width}) {
    Value sums = sumsOf({batch, count[0], count[1], channels});
    return finish(linalg::DepthwiseConv2DNhwcHwcOp::create(
                      rewriter, loc, sums.getType(),
                      ValueRange{image, ones(rewriter, loc,
                                             {size[0], size[1], channels})},
                      ValueRange{sums}, rewriter.getI64TensorAttr(stride),
                      rewriter.getI64TensorAttr(dilation)),
                  0);
  }
  // Axes before those of the product: one for each image, if there are several.
  SmallVector<int64_t> lead;
  if (batch > 1)
    lead.push_back(batch);
  auto shapeOf = [&](int64_t rows, int64_t columns) {
    SmallVector<int64_t> shape(lead);
    shape.append({rows, columns});
    return shape;
  };
  const SmallVector<ReassociationIndices> together =
      batch > 1 ? SmallVector<ReassociationIndices>{{0}, {1, 2}, {3}}
                : SmallVector<ReassociationIndices>{{0, 1, 2}, {3}};
  Value rows = tensor::CollapseShapeOp::create(
      rewriter, loc,
      RankedTensorType::get(shapeOf(pixels, channels), type.getElementType()),
      image, together);
  Value row = ones(rewriter, loc, shapeOf(1, pixels));
  Value sums = sumsOf(shapeOf(1, channels));
  Value product =
      batch > 1
          ? finish(linalg::BatchMatmulOp::create(rewriter, loc, sums.getType(),
                                                 ValueRange{row, rows},
                                                 ValueRange{sums}),
                   1)
          : finish(linalg::MatmulOp::create(rewriter, loc, sums.getType(),
                                            ValueRange{row, rows},
                                            ValueRange{sums}),
                   1);
  return tensor::ExpandShapeOp::create(
      rewriter, loc,
      RankedTensorType::get({batch, 1, 1, channels}, rewriter.getI32Type()),
      product, together);
}

void fadiff::multiplyByOnes(RewriterBase &rewriter,
                            linalg::PoolingNhwcSumOp pool) {
  auto image = dyn_cast<RankedTensorType>(pool.getInputs()[0].getType());
  auto window = dyn_cast<RankedTensorType>(pool.getInputs()[1].getType());
  auto sums = dyn_cast<RankedTensorType>(pool.getOutputs()[0].getType());
  auto fill = pool.getOutputs()[0].getDefiningOp<linalg::FillOp>();
  if (!image || !window || !sums || !image.hasStaticShape() ||
      !window.hasStaticShape() || !image.getElementType().isInteger(8) ||
      !sums.getElementType().isInteger(32) || !fill ||
      !matchPattern(fill.getInputs()[0], m_Zero()))
    return;
  WindowSums windows;
  windows.image = pool.getInputs()[0];
  for (size_t i = 0; i < 2; ++i) {
    windows.count[i] = sums.getDimSize(1 + i);
    windows.size[i] = window.getDimSize(i);
    windows.stride[i] = pool.getStrides().getValues<int64_t>()[i];
    windows.dilation[i] = pool.getDilations().getValues<int64_t>()[i];
  }
  if (!isWorthALayer(pool.getInputs()[0]))
    return;
  rewriter.setInsertionPoint(pool);
  rewriter.replaceOp(pool, windows.build(rewriter, pool.getLoc()));
}
