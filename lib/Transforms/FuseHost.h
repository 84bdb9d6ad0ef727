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

/// The scalar whose largest value `op` finds, if that is all it does; else
/// null. Its init is the other operand of the maximum.
mlir::Value maximisedScalar(mlir::linalg::GenericOp op);

/// Whether the operation is the core's, on tensors of known extents.
bool isOfHost(mlir::linalg::GenericOp op);

/// Whether `op` may be computed where its reader is.
bool isProducer(mlir::linalg::GenericOp op);

/// Whether `op` makes something of one tensor of bytes, and of indices or
/// masks, by a few steps.
bool isCheapOfBytes(mlir::linalg::GenericOp op);

/// Computes what the producer of `operand` makes anew in the owner, which goes:
/// a copy has one reader, so nothing but that one needs its results. Null if
/// upstream does not fuse them.
mlir::linalg::GenericOp fuseCopy(mlir::RewriterBase &rewriter,
                                 mlir::OpOperand *operand);

/// The attribute of a tensor of i1 that says: wherever it is read, some element
/// of each row in which a largest number is looked for is true.
inline constexpr llvm::StringLiteral kShowsSomeAttrName = "fadiff.shows_some";

/// Where `op` masks numbers of bytes by a tensor that is no constant, computes
/// what follows from them up to bytes in two ways (RuntimeMasks.cpp). Whether
/// anything changed; `op`, and others, may be gone then.
bool specialiseForMask(mlir::RewriterBase &rewriter,
                       mlir::linalg::GenericOp op);

/// Computes elementwise `producer` anew in each reader that may become a table
/// of bytes (Tabulate.cpp): that calls a function of libm, or finds a largest
/// value, or adds a mask for one of these. Erases it if nothing reads it any
/// more. Whether there was such a reader.
bool fuseIntoTables(mlir::RewriterBase &rewriter,
                    mlir::linalg::GenericOp producer);

} // namespace fadiff

#endif // FADIFF_LIB_TRANSFORMS_FUSEHOST_H
