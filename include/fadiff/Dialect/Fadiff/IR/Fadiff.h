//===- Fadiff.h - The fadiff dialect ----------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_FADIFF_IR_FADIFF_H
#define FADIFF_DIALECT_FADIFF_IR_FADIFF_H

#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/Dialect/Target/IR/TargetInterface.h"
#include "fadiff/Hardware/Accelerator.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fadiff::ir {

/// Scratchpad and accumulator, as the effects of copies and computes see them.
struct OnChipMemory : public mlir::SideEffects::Resource::Base<OnChipMemory> {
  llvm::StringRef getName() final { return "Fadiff.OnChipMemory"; }
};

} // namespace fadiff::ir

#include "fadiff/Dialect/Fadiff/IR/FadiffDialect.h.inc"
#include "fadiff/Dialect/Fadiff/IR/FadiffEnums.h.inc"
#include "fadiff/Dialect/Fadiff/IR/FadiffInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "fadiff/Dialect/Fadiff/IR/FadiffAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "fadiff/Dialect/Fadiff/IR/FadiffTypes.h.inc"
#define GET_OP_CLASSES
#include "fadiff/Dialect/Fadiff/IR/FadiffOps.h.inc"

namespace fadiff::ir {

/// Unit attributes of a layer, or of the contraction that it is made from: it
/// has to, or may not, share a fusion group with the layer that makes its
/// input.
inline constexpr llvm::StringLiteral kFuseAttrName = "fadiff.fuse";
inline constexpr llvm::StringLiteral kDontFuseAttrName = "fadiff.dont_fuse";

/// The target of the closest enclosing module that has one; null if none.
TargetAttr lookupTarget(mlir::Operation *op);

/// The machine that `op` is scheduled for; an error at `op` if none is
/// attached.
mlir::FailureOr<Accelerator> requireTarget(mlir::Operation *op);

/// Distances of neighbours along each axis, in elements, of a loop nest's
/// operand in memory; nullopt if its rows cannot be moved as they lie: where
/// the layout is not static, or the innermost axis of more than one element has
/// gaps.
std::optional<llvm::SmallVector<int64_t>> getRowStrides(mlir::MemRefType type);

/// Whether elements of a memref with these `strides` may share an address.
bool mayOverlap(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> strides);

/// The group's member layers, in order of execution.
llvm::SmallVector<LayerOp> getLayers(FusionGroupOp group);

} // namespace fadiff::ir

#endif // FADIFF_DIALECT_FADIFF_IR_FADIFF_H
