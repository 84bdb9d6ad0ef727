//===- Gemmini.h - The gemmini dialect --------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations, types and attributes of the gemmini dialect; the reasons for its
// shape are in docs/Dialects/Gemmini-Rationale.md.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_DIALECT_GEMMINI_IR_GEMMINI_H
#define FADIFF_DIALECT_GEMMINI_IR_GEMMINI_H

#include "fadiff/Dialect/Gemmini/IR/GemminiDialect.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_ATTRDEF_CLASSES
#include "fadiff/Dialect/Gemmini/IR/GemminiAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "fadiff/Dialect/Gemmini/IR/GemminiTypes.h.inc"

#define GET_OP_CLASSES
#include "fadiff/Dialect/Gemmini/IR/GemminiOps.h.inc"

namespace fadiff::gemmini {

/// What the operations touch, apart from DRAM, which is MLIR's default
/// resource.
struct ScratchpadResource
    : mlir::SideEffects::Resource::Base<ScratchpadResource> {
  llvm::StringRef getName() final { return "Gemmini.Scratchpad"; }
};
struct AccumulatorResource
    : mlir::SideEffects::Resource::Base<AccumulatorResource> {
  llvm::StringRef getName() final { return "Gemmini.Accumulator"; }
};
/// The stationary operand and the pending destination.
struct ArrayResource : mlir::SideEffects::Resource::Base<ArrayResource> {
  llvm::StringRef getName() final { return "Gemmini.Array"; }
};
struct ConfigExResource : mlir::SideEffects::Resource::Base<ConfigExResource> {
  llvm::StringRef getName() final { return "Gemmini.ConfigEx"; }
};
/// The configuration of load unit `Id`.
template <int Id>
struct ConfigLdResource
    : mlir::SideEffects::Resource::Base<ConfigLdResource<Id>> {
  llvm::StringRef getName() final {
    static constexpr const char *names[] = {
        "Gemmini.ConfigLd0", "Gemmini.ConfigLd1", "Gemmini.ConfigLd2"};
    return names[Id];
  }
};
struct ConfigStResource : mlir::SideEffects::Resource::Base<ConfigStResource> {
  llvm::StringRef getName() final { return "Gemmini.ConfigSt"; }
};

/// The load unit (0, 1 or 2) of a mvin, mvin2 or mvin3; nullopt for any other
/// operation.
std::optional<unsigned> getLoadUnit(mlir::Operation *op);

/// Checks the rules that hold between operations, as far as straight-line code
/// shows them: each compute has its own preload and their shapes agree, block
/// strides and load widths fit the configuration in force, a store that is
/// loaded again is fenced. State that comes from another block or across an
/// operation with regions or a call is unknown and not judged. Linear in the
/// number of operations under `root`; reports every breach.
llvm::LogicalResult verifyInstructionOrder(mlir::Operation *root);

} // namespace fadiff::gemmini

#endif // FADIFF_DIALECT_GEMMINI_IR_GEMMINI_H
