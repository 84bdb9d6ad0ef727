//===- Report.h - Where energy and time go ----------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_REPORT_H
#define FADIFF_COSTMODEL_REPORT_H

#include "fadiff/CostModel/CostFunction.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace fadiff {

/// A layer's cost taken apart.
struct LayerBreakdown {
  std::string name;
  LayerCost cost;           ///< of one run
  int64_t trips = 1;        ///< runs
  bool poolsOutput = false; ///< on the way to DRAM
  /// pJ per level and tensor, of the array, and of what leaks; they add up to
  /// cost.energy where the cost function charges them, as the built-in ones do.
  PerLevel<PerTensor<double>> energy;
  double arrayEnergy = 0;
  double leakedEnergy = 0;
  /// "array" or the name of the memory level that takes longest.
  std::string binding;
  /// MACs over what the whole array could do in cost.cycles, 0 to 1.
  double utilisation = 0;
  /// d log(EDP of the network) / d log(factor).
  FactorSlopes edpSlopes;
};

struct ScheduleBreakdown {
  std::vector<std::vector<LayerBreakdown>> groups; ///< as in the schedule
  ScheduleCost cost;
};

/// Takes `schedule` apart under `cost`. The mappings must have positive
/// factors.
ScheduleBreakdown breakDown(const Network &network, const Schedule &schedule,
                            const Accelerator &target,
                            const CostFunction &cost);

/// A table per layer: energy and cycles by level and tensor, what binds, how
/// much of the array is used; with `slopes`, where EDP would fall.
void printBreakdown(llvm::raw_ostream &os, const ScheduleBreakdown &breakdown,
                    bool slopes);
llvm::json::Value toJson(const ScheduleBreakdown &breakdown, bool slopes);

} // namespace fadiff

#endif // FADIFF_COSTMODEL_REPORT_H
