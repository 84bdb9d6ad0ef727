//===- HoistScalars.h - What few loops change is computed there -*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_TRANSFORMS_HOISTSCALARS_H
#define FADIFF_LIB_TRANSFORMS_HOISTSCALARS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fadiff {

/// Computes by itself, once per trip of the loops that it depends on, what the
/// body of `op` divides or takes a root or another function of, if it depends
/// on few of the loops: the root of batch normalisation's variance, which is
/// one number per channel. Returns the operation that is left.
mlir::linalg::GenericOp hoistScalars(mlir::RewriterBase &rewriter,
                                     mlir::linalg::GenericOp op);

} // namespace fadiff

#endif // FADIFF_LIB_TRANSFORMS_HOISTSCALARS_H
