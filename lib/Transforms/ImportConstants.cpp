//===- ImportConstants.cpp - Weights wherever front ends keep them --------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportConstants.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace fadiff;

ElementsAttr fadiff::denseValuesOf(ElementsAttr values) {
  auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(values);
  if (!resource)
    return values;
  ShapedType type = resource.getType();
  Type element = type.getElementType();
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  // The two lay out fewer bits than a byte differently, and one element may
  // stand for all in one of them only.
  if (!blob || !element.isIntOrIndexOrFloat() || element.isIndex() ||
      element.getIntOrFloatBitWidth() % 8 != 0 || !type.hasStaticShape() ||
      blob->getData().size() != uint64_t(type.getNumElements()) *
                                    (element.getIntOrFloatBitWidth() / 8))
    return values;
  return DenseElementsAttr::getFromRawBuffer(type, blob->getData());
}

/// The values of the tensor `op` if they never change, else null.
static ElementsAttr constantRead(Operation *op,
                                 SymbolTableCollection &symbols) {
  auto ofGlobal = [&](SymbolRefAttr name) -> ElementsAttr {
    auto global =
        symbols.lookupNearestSymbolFrom<ml_program::GlobalOp>(op, name);
    if (!global || global.getIsMutable())
      return {};
    return dyn_cast_or_null<ElementsAttr>(global.getValueAttr());
  };
  if (auto load = dyn_cast<ml_program::GlobalLoadConstOp>(op))
    return ofGlobal(load.getGlobalAttr());
  if (auto load = dyn_cast<ml_program::GlobalLoadOp>(op))
    return ofGlobal(load.getGlobalAttr());
  auto toTensor = dyn_cast<bufferization::ToTensorOp>(op);
  if (!toTensor || toTensor.getWritable())
    return {};
  auto get = toTensor.getBuffer().getDefiningOp<memref::GetGlobalOp>();
  auto global = get ? symbols.lookupNearestSymbolFrom<memref::GlobalOp>(
                          get, get.getNameAttr())
                    : memref::GlobalOp();
  if (!global || !global.getConstant())
    return {};
  return dyn_cast_or_null<ElementsAttr>(global.getInitialValueAttr());
}

void fadiff::importConstants(ModuleOp module) {
  SymbolTableCollection symbols;
  SmallVector<std::pair<Operation *, ElementsAttr>> reads;
  module.walk([&](Operation *op) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      if (auto values = dyn_cast<ElementsAttr>(constant.getValue()))
        constant.setValueAttr(cast<TypedAttr>(denseValuesOf(values)));
    } else if (auto constant = dyn_cast<tosa::ConstOp>(op)) {
      constant.setValuesAttr(denseValuesOf(constant.getValues()));
    } else if (ElementsAttr values = constantRead(op, symbols);
               values && values.getShapedType() == op->getResult(0).getType()) {
      reads.emplace_back(op, denseValuesOf(values));
    }
  });
  for (auto [op, values] : reads) {
    OpBuilder builder(op);
    op->getResult(0).replaceAllUsesWith(arith::ConstantOp::create(
        builder, op->getLoc(), cast<TypedAttr>(values)));
    op->erase();
  }
}
