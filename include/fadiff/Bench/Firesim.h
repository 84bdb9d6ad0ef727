//===- Firesim.h - Scoring against cycles of RTL ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layers that DOSA (Hong et al., MICRO 2023) ran on Gemmini's RTL in FireSim:
// with a searched mapping and with the tiling of Gemmini's own library.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_FIRESIM_H
#define FADIFF_BENCH_FIRESIM_H

#include "fadiff/CostModel/LoopUnitLatency.h"
#include "fadiff/Support/Schema.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <array>
#include <memory>
#include <vector>

namespace fadiff {

/// One measurement. Layers are turned so that Q is the contiguous axis: the
/// data set has it in P.
struct FiresimPoint {
  /// Mapping of a row that was run, by column of the file.
  enum Column { Searched, Automatic };
  unsigned line = 0; ///< in the file
  Column column = Searched;
  std::shared_ptr<const Layer> layer;
  PerDim<int64_t> tile; ///< between two visits to DRAM
  LoopOrder order;      ///< DRAM loops, innermost first
  double cycles = 0;    ///< RTL
  double roofline = 0;
};
inline constexpr std::array<llvm::StringLiteral, 2> kFiresimColumns = {
    "target.gemmini_cycle", "target.gemmini_auto_cycle"};

/// Reads rows of DOSA's RTL runs, two points each, or one where the file has no
/// column of Gemmini's own tiling; `machine` gives the bandwidth of the
/// roofline for that, which is always for the stock machine. The error names
/// file, row, column, wanted and found.
llvm::Expected<std::vector<FiresimPoint>>
readFiresim(llvm::StringRef text, llvm::StringRef file,
            const Accelerator &machine);

/// What model `gemmini` says: tiles double-buffered and loaded every time, as
/// the library's loops do.
double predictFiresim(const FiresimPoint &point, const Accelerator &machine);

/// What makes two points ones of the same layer, whatever its mapping.
std::vector<int64_t> layerKey(const Layer &layer);

/// How `predicted` cycles agree with the measured ones: over all points, and
/// per column of the file.
llvm::json::Object agreement(llvm::ArrayRef<FiresimPoint> points,
                             llvm::ArrayRef<double> predicted);

/// Three constants that are fitted, and what they leave.
using FiresimConstants = std::array<double, 3>;
using FiresimLoss =
    llvm::function_ref<llvm::Expected<double>(const FiresimConstants &)>;
/// Pattern search: three constants and a loss with kinks ask for no more. Each
/// round tries a step up and down along each axis; the steps are halved when
/// none helps, so many times. Fails where `loss` does.
llvm::Expected<FiresimConstants> fitConstants(FiresimConstants start,
                                              FiresimConstants steps,
                                              int halvings, FiresimLoss loss);

/// Agreement of `roofline` and `gemmini` with the measurements, as the JSON
/// object that `fadiff-bench firesim` prints. With `fit` also the constants
/// that fit these points best, and the agreement of constants fitted without a
/// layer with the points of that layer (cross-validation). `worst` lists the
/// points where `gemmini` is furthest off.
llvm::json::Object scoreFiresim(llvm::ArrayRef<FiresimPoint> points,
                                const Accelerator &machine, bool fit,
                                unsigned worst);

} // namespace fadiff

#endif // FADIFF_BENCH_FIRESIM_H
