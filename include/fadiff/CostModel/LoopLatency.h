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

namespace fadiff {

/// Cycles of `layer`, alone, as `loop`, which follows from `mapping` on
/// `target`.
double loopLatency(const Layer &layer, const Mapping &mapping,
                   const MatmulLoop &loop, const Accelerator &target);

} // namespace fadiff

#endif // FADIFF_COSTMODEL_LOOPLATENCY_H
