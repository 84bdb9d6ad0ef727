//===- LoopLatency.h - Cycles of a layer by loop_ws -------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the simulator's rules (docs/Simulator.md) give a layer that the
// matmul loop runs, in closed form; docs/Latency.md, "loop_ws". Beside it
// stands StreamLatency.h, for the code that is emitted otherwise.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_LOOPLATENCY_H
#define FADIFF_COSTMODEL_LOOPLATENCY_H

#include "fadiff/Schedule/MatmulLoop.h"
#include "fadiff/Schedule/Schedule.h"

namespace fadiff {

/// Cycles of `layer`, alone, as `loop`, which follows from `mapping` on
/// `target`.
double loopLatency(const Layer &layer, const Mapping &mapping,
                   const MatmulLoop &loop, const Accelerator &target);

/// What the loop unit is worth to a layer alone, in cycles predicted.
struct LoopJudgement {
  double byLoop = 0;
  double byStreams = 0; ///< as an emitted program of moves and computes
};
/// Fails, with the reason, if the unit cannot run the layer so.
llvm::Expected<LoopJudgement> judgeLoop(const Layer &layer,
                                        const Mapping &mapping,
                                        const Accelerator &target);

/// Decides of every layer alone whether the loop unit runs it.
void chooseLoops(const Network &network, Schedule &schedule,
                 const Accelerator &target, LoopUnitUse use);

} // namespace fadiff

#endif // FADIFF_COSTMODEL_LOOPLATENCY_H
