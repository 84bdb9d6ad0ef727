//===- SumPools.cpp - Sums of whole images as products --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Networks that classify end with the average of each channel. Its sum is a
// product with ones, exact in 32 bits. The image takes the place of weights, so
// that each byte is loaded once; as a depthwise convolution, blocks of weights
// would be loaded that are as many times larger as the array is wide.
//
//===----------------------------------------------------------------------===//

#include "SumPools.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

/// Bytes from which on a product is worth a layer.
static constexpr int64_t kLeastBytes = 4096;

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
  const int64_t batch = image.getDimSize(0), height = image.getDimSize(1),
                width = image.getDimSize(2), channels = image.getDimSize(3);
  const int64_t pixels = height * width;
  if (window.getShape() != ArrayRef<int64_t>{height, width} ||
      sums.getNumElements() != batch * channels ||
      image.getNumElements() < kLeastBytes)
    return;

  const Location loc = pool.getLoc();
  rewriter.setInsertionPoint(pool);
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
      RankedTensorType::get(shapeOf(pixels, channels), image.getElementType()),
      pool.getInputs()[0], together);
  auto onesType =
      RankedTensorType::get(shapeOf(1, pixels), rewriter.getI8Type());
  Value ones = arith::ConstantOp::create(
      rewriter, loc,
      DenseElementsAttr::get(onesType, rewriter.getI8IntegerAttr(1)));
  Value empty = tensor::EmptyOp::create(rewriter, loc, shapeOf(1, channels),
                                        sums.getElementType());
  Value zeros =
      linalg::FillOp::create(rewriter, loc, fill.getInputs()[0], empty)
          .getResult(0);
  Value product =
      batch > 1
          ? linalg::BatchMatmulOp::create(rewriter, loc, zeros.getType(),
                                          ValueRange{ones, rows},
                                          ValueRange{zeros})
                .getResult(0)
          : linalg::MatmulOp::create(rewriter, loc, zeros.getType(),
                                     ValueRange{ones, rows}, ValueRange{zeros})
                .getResult(0);
  rewriter.replaceOpWithNewOp<tensor::ExpandShapeOp>(pool, sums, product,
                                                     together);
}
