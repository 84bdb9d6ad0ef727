//===- Rtl.h - The simulator against RTL ------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gemmini's library's programs for the layers that DOSA ran in FireSim, run on
// the simulator, and their cycles beside those of RTL.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_RTL_H
#define FADIFF_BENCH_RTL_H

#include "fadiff/Bench/Firesim.h"
#include "llvm/Support/Error.h"

namespace fadiff {

/// Cycles of `point` on a simulated `machine`, whose memories are doubled until
/// half of them hold the tile. What was searched ran behind the library's own
/// program, so that the caches hold what that leaves there. Fails if the
/// simulator refuses the program.
llvm::Expected<double> simulateRtl(const FiresimPoint &point,
                                   const Accelerator &machine);

struct RtlOptions {
  /// Fit `dma.latency`, `cache.miss_cycles` and `cache.last_level_miss_cycles`
  /// to every second layer, as they come in the file.
  bool fit = false;
  /// Only to layers of at most so many multiply-accumulates.
  double fitMacs = 4e8;
  unsigned worst = 0; ///< list so many points that are furthest off
  bool rows = false;  ///< list all points
};

/// Agreement of simulated with measured cycles, as the JSON object that
/// `fadiff-bench rtl` prints; with a fit also on the layers that it has not
/// seen. Fails if a row cannot be run.
llvm::Expected<llvm::json::Object> scoreRtl(llvm::ArrayRef<FiresimPoint> points,
                                            const Accelerator &machine,
                                            const RtlOptions &options);

} // namespace fadiff

#endif // FADIFF_BENCH_RTL_H
