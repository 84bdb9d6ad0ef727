//===- Comparison.h - Outputs beside the reference --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TOOLS_FADIFF_RUN_COMPARISON_H
#define FADIFF_TOOLS_FADIFF_RUN_COMPARISON_H

#include "fadiff/Hardware/Accelerator.h"
#include "fadiff/Runner/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace fadiff {

/// By how much outputs may be off.
struct Tolerance {
  unsigned integers = 0;
  /// A share of the largest element; negative: as much as machine, types and
  /// the longest sum make likely.
  double reals = -1;
};

/// Compares the outputs as exactly as was asked for, says to `os` how it went,
/// and returns whether they agree. `sums` is the type that sums of f32 were
/// rounded to, or null; `network` is what the reference was compiled from.
llvm::Expected<bool> compareWithReference(
    llvm::ArrayRef<HostTensor> expected, llvm::ArrayRef<HostTensor> found,
    const Tolerance &tolerance, Arithmetic arithmetic, mlir::FloatType sums,
    mlir::ModuleOp network, llvm::raw_ostream &os);

/// The network that the outputs are compared with, as it is compiled: where the
/// machine's part takes sums of 16 bits in f32, so does `module`. Returns the
/// type that those are rounded to; null if there are none.
llvm::FailureOr<mlir::FloatType> widenReference(mlir::ModuleOp module,
                                                llvm::raw_ostream &os);

} // namespace fadiff

#endif // FADIFF_TOOLS_FADIFF_RUN_COMPARISON_H
