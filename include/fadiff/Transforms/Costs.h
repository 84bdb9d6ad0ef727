//===- Costs.h - Predicted costs in the IR ----------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cost in the IR is what a mapping beside it was predicted to cost. The
// mapping is the decision and may be edited; the cost follows from it.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TRANSFORMS_COSTS_H
#define FADIFF_TRANSFORMS_COSTS_H

#include "fadiff/CostModel/CostModel.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"

namespace fadiff {

/// pJ, cycles and bytes, as the model of that name counts them.
ir::CostAttr toCostAttr(mlir::MLIRContext *context, double energy,
                        double cycles, const DramBytes &bytes,
                        llvm::StringRef model);

/// Predicts anew what the layer, fusion group or loop nest `root` costs on
/// `machine`, by the model that its cost names. Where that is something else
/// than stands there, warns and replaces it and the costs of its members.
/// Nothing happens without a cost or a mapping, or if nobody knows the model.
/// Fails with a diagnostic if the members' cost models contradict each other.
llvm::LogicalResult refreshCosts(mlir::Operation *root,
                                 const Accelerator &machine);

} // namespace fadiff

#endif // FADIFF_TRANSFORMS_COSTS_H
