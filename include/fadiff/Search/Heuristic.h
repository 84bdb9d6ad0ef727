//===- Heuristic.h - The tile rules of Gemmini's library --------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The peer: what tiled_conv_auto, tiled_conv_dw_auto and tiled_matmul_auto of
// Gemmini's library (gemmini.h of ucb-bar/gemmini-rocc-tests) choose and move.
// docs/Search.md, section "Gemmini's own rule".
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SEARCH_HEURISTIC_H
#define FADIFF_SEARCH_HEURISTIC_H

#include "fadiff/CostModel/CostModel.h"

namespace fadiff {

/// Which of the library's functions runs a layer.
enum class LibraryCall {
  Conv,
  Depthwise, ///< one channel per call of the loop unit
  Matmul,    ///< N, P and Q are one dimension, cut into blocks of the array
};
/// What the library's own networks call for `layer`, and DOSA's RTL runs:
/// Matmul where at most one of N, P and Q is larger than 1 and nothing pads,
/// strides or slides; else a convolution.
LibraryCall libraryCall(const Layer &layer);

/// Max pooling that the library does on the way out of the accumulator.
struct LibraryPooling {
  int64_t size = 1, stride = 1, pad = 0;
};

/// The library's tile, clipped to the layer. P and Q count pooled outputs. For
/// Matmul the rows of the tile are in `rows` and N, P and Q stay 1.
struct LibraryTile {
  LibraryCall call = LibraryCall::Conv;
  LibraryPooling pooling;
  PerDim<int64_t> extent{1};
  int64_t rows = 1;
};
/// All extents are 1 if not even that fits half of the memories.
LibraryTile libraryTile(const Layer &layer, const Accelerator &target,
                        LibraryCall call, const LibraryPooling &pooling = {});

/// DRAM bytes of the library's loops with that tile: A and B once per tile,
/// but only once in all where all their tiles fit the two halves; one row of
/// bias for each `side` rows of the accumulator; what is stored is int8 unless
/// the layer's outputBytes says otherwise.
DramBytes libraryTraffic(const Layer &layer, const Accelerator &target,
                         const LibraryTile &tile);

} // namespace fadiff

#endif // FADIFF_SEARCH_HEURISTIC_H
