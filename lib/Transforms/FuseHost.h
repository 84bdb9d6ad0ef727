//===- FuseHost.h - One loop where the host had several ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_TRANSFORMS_FUSEHOST_H
#define FADIFF_LIB_TRANSFORMS_FUSEHOST_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace fadiff {

/// Whether the operation is a function that is a call of the C library.
bool callsLibm(mlir::Operation &part);

/// The scalar whose largest value `op` finds, if that is all it does; else
/// null. Its init is the other operand of the maximum.
mlir::Value maximisedScalar(mlir::linalg::GenericOp op);

/// Computes elementwise `producer` anew in each reader that may become a table
/// of bytes (Tabulate.cpp): that calls a function of libm, or finds a largest
/// value, or adds a mask for one of these. Erases it if nothing reads it any
/// more. Whether there was such a reader.
bool fuseIntoTables(mlir::RewriterBase &rewriter,
                    mlir::linalg::GenericOp producer);

} // namespace fadiff

#endif // FADIFF_LIB_TRANSFORMS_FUSEHOST_H
