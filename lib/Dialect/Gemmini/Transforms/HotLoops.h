//===- HotLoops.h - Loops that compute on every trip ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the passes that specialise loops share: which loops are worth a copy,
// and the marks by which each knows what another one has made.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_DIALECT_GEMMINI_TRANSFORMS_HOTLOOPS_H
#define FADIFF_LIB_DIALECT_GEMMINI_TRANSFORMS_HOTLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace fadiff::gemmini {

/// Marks what gemmini-specialize-loops has made: `if (rare) {...} else
/// {always}`.
inline constexpr llvm::StringLiteral kChoice = "gemmini.rare";

/// Marks what gemmini-fix-trips has made: `if (usual) {...} else {...}`.
inline constexpr llvm::StringLiteral kUsual = "gemmini.usual";

/// Whether the loop computes on every trip.
bool isHot(mlir::scf::ForOp loop);

/// Loops that compute on every trip, inner ones first.
llvm::SmallVector<mlir::scf::ForOp> hotLoops(mlir::Operation *root);

} // namespace fadiff::gemmini

#endif // FADIFF_LIB_DIALECT_GEMMINI_TRANSFORMS_HOTLOOPS_H
