//===- LoopWs.h - What a loop_ws stands for ---------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// loop_ws is C = A * B + D on tiles of I x K, K x J and I x J blocks of `side`,
// by a state machine that issues the instructions of this expansion. Its rules
// are those of LoopMatmul.scala and WeightedArbiter.scala of ucb-bar/gemmini.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ISA_LOOPWS_H
#define FADIFF_ISA_LOOPWS_H

#include "fadiff/Hardware/Accelerator.h"
#include "fadiff/ISA/Gemmini.h"
#include "fadiff/ISA/LoopSteps.h"

namespace fadiff {
namespace isa {

/// What the five configurations and the command itself say.
struct LoopWs {
  LoopWsBounds bounds;
  /// Bytes; 0 where nothing is moved.
  uint64_t a = 0, b = 0, d = 0, c = 0;
  /// Elements.
  uint64_t aStride = 0, bStride = 0, dStride = 0, cStride = 0;
  LoopWsRun run;

  /// Takes over what loop_ws or one of its configurations says.
  void take(const Command &command);
  /// Whether a command of that number has been taken over.
  bool has(Funct funct) const {
    return given >> (uint32_t(funct) - uint32_t(Funct::LoopWs)) & 1;
  }

  /// Rows of the scratchpad that A and B take, of the accumulator that C does.
  int64_t aRows(int64_t side) const {
    return int64_t(bounds.i) * bounds.k * side;
  }
  int64_t bRows(int64_t side) const {
    return int64_t(bounds.k) * bounds.j * side;
  }
  int64_t cRows(int64_t side) const {
    return int64_t(bounds.i) * bounds.j * side;
  }

private:
  uint32_t given = 0; ///< by function number, from LoopWs on
};

/// The first rows of A, B and C (and D), which lie there block by block: (i, k)
/// of A at (i * K + k) * side, the others alike.
struct LoopWsRows {
  int64_t a = 0, b = 0, c = 0;
};

/// The loop's instructions on `machine`, for bounds of at least 1, pads below
/// the side and rows within the memories.
/// - D comes first, then A and B, the one that is behind in k, up to a
///   request's width of columns at a time; a stride of D of 0 broadcasts.
/// - A * B is computed for k, j, i from the outside, weights staying for all i.
/// - C leaves by columns of blocks, once the last k has gone through them.
LoopSteps expand(const LoopWs &loop, const LoopWsRows &rows,
                 const Accelerator &machine);

} // namespace isa
} // namespace fadiff

#endif // FADIFF_ISA_LOOPWS_H
