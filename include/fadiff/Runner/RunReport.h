//===- RunReport.h - A report of a run --------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_RUNNER_RUNREPORT_H
#define FADIFF_RUNNER_RUNREPORT_H

#include "fadiff/Report/Report.h"
#include "fadiff/Runner/Scheduled.h"
#include "fadiff/Transforms/SearchModule.h"

namespace fadiff {

/// What a run, which `machine` has simulated, is reported with. What `searches`
/// holds must outlive the result, as must `cost`, which is set to the model
/// that predicted the nests; if that is not built in, to the machine's own.
ReportInput reportInput(llvm::ArrayRef<NestPrediction> predicted,
                        const HostReport &host, const sim::Machine &machine,
                        llvm::ArrayRef<FunctionSearch> searches,
                        std::unique_ptr<CostFunction> &cost);

/// Searches again for machines on which one number is half, or twice, what it
/// is (machineKnobs()). `options` are those of the search. Of modules in which
/// several functions were searched nothing is.
std::vector<SearchedAgain> searchAgain(llvm::ArrayRef<FunctionSearch> searches,
                                       const Accelerator &machine,
                                       SearchOptions options);

} // namespace fadiff

#endif // FADIFF_RUNNER_RUNREPORT_H
