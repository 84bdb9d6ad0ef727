//===- Trips.h - How often an operation runs --------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ANALYSIS_TRIPS_H
#define FADIFF_ANALYSIS_TRIPS_H

#include "mlir/IR/Operation.h"

namespace fadiff {

/// How often an operation runs when its function, or the module, runs once.
struct Trips {
  /// The product of the loops' trips; a loop of which they are not known, or a
  /// branch, counts as one. What stands in the usual branch runs, and what
  /// stands in the other one does not.
  int64_t count = 1;
  /// The innermost operation around it whose trips are not known, if any.
  mlir::Operation *unknown = nullptr;

  bool isKnown() const { return !unknown; }
};

/// The attribute of an operation of two branches of which the first one is that
/// of all inputs that are to be expected.
inline constexpr llvm::StringLiteral kUsualAttrName = "fadiff.usual";

/// How often `op` runs in one call of the function around it: loops with
/// constant bounds multiply.
Trips tripsOf(mlir::Operation *op);

/// How often `op` runs in one call of the module's public functions: as
/// tripsOf, and a private function runs once for each time that one of its
/// calls does.
Trips runsOf(mlir::Operation *op);

} // namespace fadiff

#endif // FADIFF_ANALYSIS_TRIPS_H
