//===- LibraryProgram.h - Gemmini's library's programs ----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The commands that tiled_conv, tiled_conv_dw, tiled_matmul and tiled_resadd of
// Gemmini's library (gemmini.h of ucb-bar/gemmini-rocc-tests) give, written
// anew from their loops: the peer, for the simulator.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_LIBRARYPROGRAM_H
#define FADIFF_BENCH_LIBRARYPROGRAM_H

#include "fadiff/ISA/Gemmini.h"
#include "fadiff/Search/Heuristic.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace fadiff {

/// DRAM byte addresses of dense tensors: NHWC, weights as R x S x C x K, or
/// G x R x S of depthwise layers. Bias 0: none.
struct LibraryOperands {
  uint64_t input = 0, weights = 0, bias = 0, output = 0;
  float scale = 1;
  bool relu = false;
  /// Whether an operand whose tiles fit both halves of the scratchpad is loaded
  /// only once, as in the library since September 2022.
  bool keeps = true;
};

/// Takes a program's commands, in order.
using CommandSink = llvm::function_ref<void(const isa::Command &)>;

/// The commands of `layer` with the library's loops around tiles of `tile`. No
/// fence. A depthwise layer runs channel by channel, others with G = 1 only.
/// Square kernels with one stride and dilation, the library's only, are the
/// caller's business.
void libraryLayer(const Layer &layer, const Accelerator &target,
                  const LibraryTile &tile, const LibraryOperands &operands,
                  CommandSink sink);

/// C = A * scaleA + B * scaleB of `rows` x `cols` int8, added up in the
/// accumulator; `scale` is what the sums are read out with.
struct LibraryResidual {
  uint64_t a = 0, b = 0, c = 0;
  int64_t rows = 0, cols = 0;
  float scaleA = 1, scaleB = 1, scale = 1;
  bool relu = false;
};
void libraryResidual(const LibraryResidual &sum, const Accelerator &target,
                     CommandSink sink);

} // namespace fadiff

#endif // FADIFF_BENCH_LIBRARYPROGRAM_H
