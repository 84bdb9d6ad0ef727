//===- Defines.h - Scoring against DeFiNES ----------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Depth-first schedules of small stacks of layers, with the MACs, DRAM traffic,
// energy and latency that DeFiNES (Mei et al., HPCA 2023) reports for them, and
// how well the closed forms of fused stacks agree.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_DEFINES_H
#define FADIFF_BENCH_DEFINES_H

#include "fadiff/CostModel/FusedStack.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace fadiff {

struct DefinesPoint {
  unsigned stack = 0;       ///< index into DefinesData::stacks
  unsigned accelerator = 0; ///< index into DefinesData::accelerators
  bool fused = false;       ///< false: layer by layer
  PerAxis<int64_t> tile{1, 1};
  PerAxis<bool> cached{false, false}; ///< the overlap is kept along that axis
  /// Not the same schedule as an earlier point.
  bool canonical = false;
  bool onChip = false;   ///< no intermediate touches DRAM
  bool resident = false; ///< each weight is read from DRAM once
  double macs = 0;
  double dramBytes = 0;
  double energy = 0; ///< pJ
  double cycles = 0;
};

struct DefinesData {
  std::vector<Accelerator> accelerators;
  std::vector<FusedStack> stacks;
  std::vector<std::string> stackNames;
  std::vector<DefinesPoint> points;
};

/// Reads a points file (tools/fadiff-bench/README.md). The error names file,
/// point, field, wanted and found.
llvm::Expected<DefinesData> readDefines(llvm::StringRef text,
                                        llvm::StringRef file);

/// The model's cost of a fused point; weights are resident if they fit.
StackCost evaluatePoint(const DefinesData &data, const DefinesPoint &point);

/// Agreement with all fused points, as the JSON object that `fadiff-bench
/// defines` prints.
llvm::json::Object scoreDefines(const DefinesData &data);

} // namespace fadiff

#endif // FADIFF_BENCH_DEFINES_H
