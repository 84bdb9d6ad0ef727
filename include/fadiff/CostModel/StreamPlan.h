//===- StreamPlan.h - How the code generator streams a layer ----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the code generator decides from a nest's static shapes: which pixels a
// pass streams, in which pieces tiles move, what is fetched a part ahead. It
// decides on IR (StagePlan.cpp of the conversion, docs/Lowering.md "Streams");
// this says the same of a nest before there is any, for tensors that are dense
// and channels last. Whoever changes one changes the other: 'fadiff-bench
// latency' shows where they differ.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_STREAMPLAN_H
#define FADIFF_COSTMODEL_STREAMPLAN_H

#include "fadiff/Schedule/Mapping.h"
#include "llvm/ADT/SmallVector.h"

namespace fadiff {

/// An emitted loop of a nest.
struct StreamLoop {
  Dim dim = Dim::N;
  Level level = Level::Dram;
  /// Nominal extents: of a trip, and of what the loop walks.
  int64_t step = 1, whole = 1;
};

/// The static shape of a nest. Extents are nominal, at least 1.
struct StreamShape {
  const Layer *layer = nullptr;
  /// Channels over the array's rows and columns.
  int64_t rows = 1, cols = 1;
  /// What one compute streams past a weight tile, the accumulator's tile, the
  /// scratchpad's.
  PerDim<int64_t> box{1}, sums{1}, tile{1};
  /// No box is cut short along the dim.
  PerDim<bool> exact{true};
  /// Innermost first, without those of a fusion group.
  llvm::SmallVector<StreamLoop, 16> loops;
  /// Loops inside of each tensor's copies; the innermost ones of `loops`.
  size_t insideWeights = 0, insideInput = 0, insideSums = 0;
  /// Visits to an accumulator tile, of which all but the last spill.
  bool spills = false;
  bool weightsStay = false; ///< resident for the whole group
  bool inputOnChip = false, outputOnChip = false;
  /// The output that stays on chip is not moved.
  bool staysInPlace = false;
  /// The residual is there, too, if there is one.
  bool residualOnChip = false;
  bool loadsResidual() const { return layer->hasResidual && !residualOnChip; }
  /// Rows and columns of the consumer's window, if the output stays on chip.
  PerAxis<int64_t> handOver{1, 1};
  /// Sums read for each of its pixels if outputs are pooled on their way; else
  /// 0.
  int64_t poolReads = 0;
};

/// How the pixels of an input tile come in.
enum class StreamPieces : uint8_t {
  Whole, ///< all with the first compute
  Lines, ///< line by line, one ahead
  Runs,  ///< pass by pass
};

struct StreamPlan {
  /// Passes stream these pixel dims of the box as one sequence: bit per dim.
  unsigned joined = 0;
  StreamPieces input = StreamPieces::Whole;
  /// Outputs leave with each pass, not with the whole tile.
  bool storesRuns = false;
  /// The bias comes with each pass, not with the tile's first.
  bool biasPerRun = false;
  /// Channels in a move of the input, rows and columns in one of the weights,
  /// channels in one of the output.
  int64_t inputChannels = 1, weightRows = 1, weightColumns = 1,
          outputChannels = 1;
  /// Moves of a part of the tile, where parts are fetched one ahead of their
  /// first use; 0 where nothing is.
  double weightsAhead = 0, inputAhead = 0;
  /// The loop on whose trips that happens; of StreamShape::loops.
  size_t weightsLoop = 0, inputLoop = 0;
  /// Columns of such a part of the input.
  int64_t inputWidth = 0;
  /// The input needs padding, so it moves line by line.
  bool clips = false;
  /// Only what one tap touches is stored along the axis.
  PerAxis<bool> compact{true, true};

  bool joins(Dim dim) const { return joined >> unsigned(dim) & 1; }
};

StreamPlan planStream(const StreamShape &shape, const Accelerator &target);

} // namespace fadiff

#endif // FADIFF_COSTMODEL_STREAMPLAN_H
