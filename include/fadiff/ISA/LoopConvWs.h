//===- LoopConvWs.h - What a loop_conv_ws stands for ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// loop_conv_ws convolves a tile of an image by a state machine that issues the
// instructions of this expansion. Its rules are those of LoopConv.scala of
// ucb-bar/gemmini.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ISA_LOOPCONVWS_H
#define FADIFF_ISA_LOOPCONVWS_H

#include "fadiff/Hardware/Accelerator.h"
#include "fadiff/ISA/LoopSteps.h"

#include "llvm/ADT/ArrayRef.h"

#include <array>

namespace fadiff {
namespace isa {

/// What the six configurations and the command itself say, by the names of
/// their fields (Gemmini.h, loop_conv_ws). The defaults are one pixel of one
/// channel under a 1x1 kernel, neither padded nor pooled.
struct LoopConvWs {
  // The tensors in DRAM.
  uint64_t batchSize = 1, inRowDim = 1, inColDim = 1, inChannels = 1;
  uint64_t outChannels = 1, outRowDim = 1, outColDim = 1;
  uint64_t poolOutRowDim = 1, poolOutColDim = 1;
  uint64_t inStride = 1, weightStride = 1, outStride = 1;
  // The convolution.
  uint64_t kernelDim = 1, stride = 1, padding = 0, dilation = 1;
  uint64_t poolSize = 1, poolStride = 1, poolPadding = 0;
  // The tile.
  uint64_t batches = 1, orows = 1, ocols = 1, ochs = 1;
  uint64_t krows = 1, kcols = 1, kchs = 1;
  uint64_t poolRows = 1, poolCols = 1;
  uint64_t padUp = 0, padDown = 0, padLeft = 0, padRight = 0;
  uint64_t poolPadUp = 0, poolPadDown = 0, poolPadLeft = 0, poolPadRight = 0;
  // Bytes.
  uint64_t input = 0, weights = 0, bias = 0, output = 0;
  // The command itself.
  uint64_t noBias = 0, training = 0, depthwise = 0, pixelsPerRow = 1;
  uint64_t inputHalf = 0, weightHalf = 0;
  uint64_t noPool = 1, downsample = 0, inputDilated = 0, activation = 0;

  /// A field, the command that has it, and where it stands here.
  struct Binding {
    Funct funct;
    Field field;
    uint64_t LoopConvWs::*member;
  };
  /// Of all commands, in the order in which they are given.
  static llvm::ArrayRef<Binding> bindings();

  /// Takes over what loop_conv_ws or one of its configurations says.
  void take(const Command &command);
  /// Whether a command of that number has been taken over.
  bool has(Funct funct) const {
    return given >> (uint32_t(funct) - uint32_t(Funct::LoopConvWs)) & 1;
  }
  /// The six configurations and the command. Values must fit their fields.
  std::array<Command, 7> commands() const;

  /// Rows and columns of the input's window, padding included, as they lie in
  /// the scratchpad (downsampled) and in DRAM.
  int64_t inputRows() const { return windowOf(orows, krows) >> downsample; }
  int64_t inputCols() const { return windowOf(ocols, kcols) >> downsample; }
  int64_t storedRows() const {
    return windowOf(orows, krows) - int64_t(padUp + padDown);
  }
  int64_t storedCols() const {
    return windowOf(ocols, kcols) - int64_t(padLeft + padRight);
  }
  /// Local rows of one block of `side` channels.
  int64_t inputBlock() const { return batches * inputRows() * inputCols(); }
  int64_t weightBlock() const { return krows * kcols * kchs; }
  int64_t outputBlock() const { return batches * orows * ocols; }
  /// Rows of the scratchpad that input and weights take, of the accumulator
  /// that the output does.
  int64_t inputSpace(int64_t side) const;
  int64_t weightSpace(int64_t side) const;
  int64_t outputSpace(int64_t side) const;

private:
  int64_t windowOf(uint64_t outputs, uint64_t taps) const {
    return outputs * stride + (taps - 1) * dilation;
  }
  uint32_t given = 0; ///< by function number, from LoopConvWs on
};

/// The first rows of input, weights and output.
struct LoopConvWsRows {
  int64_t input = 0, weights = 0, output = 0;
};

/// The loop's instructions on `machine`, its own configurations of moves among
/// them, for extents of at least 1 and rows within the memories. One arbiter
/// gives the loads' slot to bias, weights and input in this order; computes
/// wait until all loads have been issued, stores until all computes have.
/// - Bias: a row of side channels, broadcast, for each run of `side` pixels.
/// - Weights: for och, krow, kcol, kch from the outside, up to a request's
/// width
///   of output channels by `side` input channels at a time.
/// - Input: line by line, up to `side` pixels by a request's width of channels;
///   what lies in the padding is filled with zeros.
/// - Computes: for och, krow, kcol, kch; weights stay for all pixels.
/// - Output: pixel by pixel in runs of `side`, `side` channels at a time; where
///   it is pooled, a move per image and block of channels.
LoopSteps expand(const LoopConvWs &loop, const LoopConvWsRows &rows,
                 const Accelerator &machine);

} // namespace isa
} // namespace fadiff

#endif // FADIFF_ISA_LOOPCONVWS_H
