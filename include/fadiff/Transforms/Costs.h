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

/// Predicts anew what the layer, fusion group or loop nest `root`, and each of
/// its members, costs on `machine`, by the model that the first cost there
/// names. Where something else stands there, warns with both numbers and
/// replaces it. Where nothing stands, `addMissing` writes it (by the layers'
/// own model if no cost names one). Nothing happens without mappings, or if
/// nobody knows the model. Fails with a diagnostic if the members' cost models
/// contradict each other.
llvm::LogicalResult refreshCosts(mlir::Operation *root,
                                 const Accelerator &machine,
                                 bool addMissing = false);

} // namespace fadiff

#endif // FADIFF_TRANSFORMS_COSTS_H
