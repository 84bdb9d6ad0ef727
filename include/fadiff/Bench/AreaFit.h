//===- AreaFit.h - The law of a machine's area ------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the law of the area in hardware/designs/gemmini.yaml comes from.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_AREAFIT_H
#define FADIFF_BENCH_AREAFIT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace fadiff {

/// Fits `a side^2 + b accumulator KiB + c scratchpad KiB + d` to the column
/// `target.area` (mm2) of a file that `readDosa` takes, each machine once, by
/// least squares of the relative error: coefficients, machines, mean and
/// largest error (0.01 is 1 %), as `fadiff-bench area` prints them. The error
/// names file, row, column, wanted and found, or what the machines lack.
llvm::Expected<llvm::json::Object> fitArea(llvm::StringRef text,
                                           llvm::StringRef file);

} // namespace fadiff

#endif // FADIFF_BENCH_AREAFIT_H
