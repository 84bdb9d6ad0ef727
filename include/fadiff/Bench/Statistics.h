//===- Statistics.h - Agreement of two series -------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How well predicted values follow reference values, in order and in size.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_STATISTICS_H
#define FADIFF_BENCH_STATISTICS_H

#include "llvm/ADT/ArrayRef.h"

#include <optional>

namespace fadiff {

/// Kendall's tau-b, which allows for ties, in O(n log n) (Knight, "A computer
/// method for calculating Kendall's tau with ungrouped data", JASA 1966). Both
/// series have the same length and no NaN. None if it is undefined: fewer than
/// two values, or a series that is constant.
std::optional<double> kendallTau(llvm::ArrayRef<double> x,
                                 llvm::ArrayRef<double> y);

/// Spearman's rho: Pearson's correlation of the ranks, where values that tie
/// share the mean of their ranks. Same requirements as kendallTau.
std::optional<double> spearmanRho(llvm::ArrayRef<double> x,
                                  llvm::ArrayRef<double> y);

/// |predicted - reference| / |reference|; 0 if both are 0, infinite if only the
/// reference is.
double relativeError(double predicted, double reference);

/// Mean and largest relativeError. None if there are no values.
std::optional<double> meanRelativeError(llvm::ArrayRef<double> predicted,
                                        llvm::ArrayRef<double> reference);
std::optional<double> maxRelativeError(llvm::ArrayRef<double> predicted,
                                       llvm::ArrayRef<double> reference);

} // namespace fadiff

#endif // FADIFF_BENCH_STATISTICS_H
