//===- TailMatch.h - The elementwise tail of a contraction ------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_ANALYSIS_TAILMATCH_H
#define FADIFF_LIB_ANALYSIS_TAILMATCH_H

#include "fadiff/Hardware/Accelerator.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>
#include <string>

namespace fadiff {

/// What an accumulator value goes through on its way out.
struct Tail {
  mlir::Value bias; ///< rank 1, per output channel
  std::optional<llvm::APFloat> scale;
  mlir::DenseFPElementsAttr scales; ///< per output channel in its place
  bool relu = false;
  int64_t zeroPoint = 0, low = -128, high = 127;
  mlir::Value result; ///< value at the end of the recognised tail
  llvm::SmallVector<mlir::Operation *> ops;
  std::string end; ///< why it ends there; empty if at a natural end
  /// The operation that is no part of it, if that is why.
  mlir::Operation *endsAt = nullptr;
  /// Whether it ends because what is made of int32 sums is left in floats.
  bool isReal = false;
};

/// Follows the single uses of `sum` (an int32 tensor whose axis `channelAxis`
/// holds the output channels) through elementwise linalg ops as long as the
/// accelerator's read-out, which can do `readOut`, computes the same. `bias` is
/// what the contraction was initialised with, or null.
Tail matchTail(mlir::Value sum, unsigned channelAxis, mlir::Value bias,
               const ReadOutFeatures &readOut = {});

} // namespace fadiff

#endif // FADIFF_LIB_ANALYSIS_TAILMATCH_H
