//===- ImageMatch.cpp - Averages and factors of images --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/ImageMatch.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fadiff;

static bool startsFromZero(linalg::LinalgOp op) {
  auto fill = op.getDpsInitOperand(0)->get().getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.value(), m_AnyZeroFloat());
}

std::optional<ImageSums> fadiff::matchImageSums(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
      op.hasDynamicShape() || !startsFromZero(op))
    return std::nullopt;
  ImageSums sums;
  sums.image = op.getDpsInputOperand(0)->get();
  auto type = cast<RankedTensorType>(sums.image.getType());
  if (!type.getElementType().isF32())
    return std::nullopt;
  const bool isLast = isa<linalg::PoolingNhwcSumOp>(op);
  if (isLast || isa<linalg::PoolingNchwSumOp>(op)) {
    auto window = cast<RankedTensorType>(op->getOperand(1).getType());
    auto numbers = [&](StringRef name, size_t i) {
      return op->getAttrOfType<DenseIntElementsAttr>(name)
          .getValues<int64_t>()[i];
    };
    for (size_t i = 0; i < 2; ++i) {
      sums.size[i] = window.getDimSize(i);
      sums.stride[i] = numbers("strides", i);
      sums.dilation[i] = numbers("dilations", i);
    }
    sums.toLast = isLast ? SmallVector<int64_t>{0, 1, 2, 3}
                         : SmallVector<int64_t>{0, 2, 3, 1};
    auto made = cast<RankedTensorType>(op->getResult(0).getType());
    for (size_t i = 0; i < 2; ++i)
      sums.count[i] = made.getDimSize(sums.toLast[1 + i]);
    return sums;
  }
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || op.getNumDpsInputs() != 1 || type.getRank() != 4 ||
      !op.getIndexingMapsArray()[0].isPermutation() ||
      !op.getIndexingMapsArray()[1].isProjectedPermutation() ||
      op.getBlock()->getOperations().size() != 2)
    return std::nullopt;
  auto add = dyn_cast<arith::AddFOp>(op.getBlock()->front());
  if (!add ||
      !llvm::is_contained(add->getOperands(), op.getRegionOutputArgs()[0]) ||
      !llvm::is_contained(add->getOperands(), op.getBlock()->getArgument(0)))
    return std::nullopt;
  // The image's axes: of the two loops that are kept, the first is the batch's.
  SmallVector<int64_t> kept, reduced;
  const AffineMap axes = inversePermutation(op.getIndexingMapsArray()[0]);
  for (auto [axis, type] :
       llvm::zip(axes.getResults(), op.getIteratorTypesArray()))
    (type == utils::IteratorType::parallel ? kept : reduced)
        .push_back(cast<AffineDimExpr>(axis).getPosition());
  if (reduced.size() != 2)
    return std::nullopt;
  llvm::sort(reduced);
  sums.toLast = {kept[0], reduced[0], reduced[1], kept[1]};
  for (size_t i = 0; i < 2; ++i)
    sums.size[i] = type.getDimSize(reduced[i]);
  return sums;
}

std::optional<ChannelFactors> fadiff::matchChannelFactors(linalg::LinalgOp op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || type.getRank() != 4 || type.getDimSize(0) != 1 ||
      !type.getElementType().isF32() || op.getNumReductionLoops() != 0 ||
      op.getNumDpsInits() != 1 || !op.hasPureTensorSemantics() ||
      op.hasDynamicShape() || op.getNumDpsInputs() != 2 ||
      op.getBlock()->getOperations().size() != 2 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return std::nullopt;
  auto product = dyn_cast<arith::MulFOp>(op.getBlock()->front());
  if (!product || product.getLhs() == product.getRhs() ||
      !llvm::all_of(product->getOperands(), [&](Value factor) {
        return llvm::is_contained(op.getRegionInputArgs(), factor);
      }))
    return std::nullopt;
  OpOperand *image = op.getDpsInputOperand(0);
  OpOperand *factors = op.getDpsInputOperand(1);
  if (!op.getMatchingIndexingMap(image).isIdentity())
    std::swap(image, factors);
  auto ofFactors = dyn_cast<RankedTensorType>(factors->get().getType());
  if (!op.getMatchingIndexingMap(image).isIdentity() || !ofFactors)
    return std::nullopt;
  // The one axis along which the factors differ.
  std::optional<int64_t> channel;
  for (auto [index, extent] :
       llvm::zip_equal(op.getMatchingIndexingMap(factors).getResults(),
                       ofFactors.getShape())) {
    if (extent == 1)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (!loop || channel)
      return std::nullopt;
    channel = loop.getPosition();
  }
  if (!channel)
    return std::nullopt;
  return ChannelFactors{image, factors, *channel};
}
