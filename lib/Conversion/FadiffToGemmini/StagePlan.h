//===- StagePlan.h - How one layer's tiles are streamed ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stage of a loop nest as CostModel/StreamPlan.h takes it, and what that
// decides, in terms of the stage's operations.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_STAGEPLAN_H
#define FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_STAGEPLAN_H

#include "TileLayout.h"
#include "fadiff/CostModel/StreamPlan.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Hardware/Accelerator.h"

namespace fadiff {

/// Dims whose steps lead to other elements of the tile at `load`; steps of the
/// rest use it again. A window's taps are fetched together.
bool leadsOn(ir::LoadOp load, Dim dim);

/// A tile that is fetched one part ahead: on each trip of `loop` what the next
/// trip needs, be it in this tile or the first part of the next one.
struct FetchAhead {
  ir::ForOp loop; ///< null: pieces come right before their first use
  /// Elements of the loop's dim in a part, a multiple of its step.
  int64_t step = 1;
  /// Every tile has a second part, so that the first one's rows are free for
  /// the next tile when the last part is in use.
  bool acrossTiles = false;
};

/// An input that all slices which a stage makes of its outputs read, and nobody
/// else: it comes with the computes of the first of them.
struct InputOfSlices {
  ir::LoadOp load; ///< in front of the stages around; null: there is none
  mlir::Value isFirst;
  /// There are others, for which it is there.
  bool stays() const { return load && !IndexMath::known(isFirst); }
};

struct StagePlan {
  /// The ops of the stage; null where it has none.
  ir::LoadOp input, weights;
  ir::InitOp init;
  ir::ComputeOp compute;
  ir::StoreOp store;

  FetchAhead inputAhead, weightsAhead;
  /// On whose trips the next tile of the input, or of weights, comes, or this
  /// tile's own input; null: it does not.
  ir::ForOp inputTurns, weightTurns, inputSpread;
  int64_t weightRows = 0; ///< of a tile of weights; their buffer may have more
  StreamPlan stream;
  /// What it was made for, StreamShape::str().
  std::string shape;

  /// The output stays on chip, for the next stage.
  bool handsOver() const;
  /// Its outputs are pooled on the way there, or to DRAM.
  bool pools() const;
  /// It stays where it is summed up.
  bool staysInPlace() const;
};

/// What surrounds a stage, as far as its plan depends on that.
struct StageSetting {
  Box entry; ///< the box at its start
  /// Distances of neighbours along N, P and Q: bytes, but rows of the
  /// scratchpad where the output is handed over.
  PerDim<int64_t> inputDram, destination, spillDram, residualDram;
  /// Runs may break anywhere, where a ring starts over; lines of that which the
  /// input is loaded into.
  bool hasRing = false;
  std::optional<int64_t> inputLines;
  /// The input tile if it is another stage's window, the tile that is added,
  /// and that of the stage to which the output is handed over; null if there is
  /// none.
  const PixelTile *foreignInput = nullptr, *skip = nullptr, *window = nullptr;
  /// Of a nest's only stage: how often it is emitted, and rows of the
  /// scratchpad beside its tiles.
  int64_t runs = 0, freeRows = 0;
  /// Rows of the accumulator that others take meanwhile.
  int64_t sumsBeside = 0;
  /// Lines of a whole tile of outputs that are pooled.
  int64_t mostPooledRows = 0;
  TurnShare turns;        ///< what it brings of the group's next input
  InputOfSlices ofSlices; ///< what it brings with its first slice
};

/// The static part of what a stage emits.
StagePlan planStage(ir::StageOp stage, const StageSetting &setting,
                    const Accelerator &machine);

} // namespace fadiff

#endif // FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_STAGEPLAN_H
