//===- Footprint.cpp - Rows that a layer's tiles take ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/Schedule.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace fadiff;

/// Product that stays at the largest int64_t on overflow, so that a hostile
/// layer is found too large for the machine instead of wrapping around.
static int64_t product(std::initializer_list<int64_t> factors) {
  int64_t result = 1;
  for (int64_t factor : factors)
    if (llvm::MulOverflow(result, factor, result))
      return std::numeric_limits<int64_t>::max();
  return result;
}

/// Blocks of at most `block` channels; a bad block counts as one channel.
static int64_t chunks(int64_t channels, int64_t block) {
  return llvm::divideCeilSigned(channels, std::max<int64_t>(block, 1));
}

/// What `out` outputs read of the input, by `taps` taps of the kernel. Of a
/// single one only the touched rows (columns) are stored.
static int64_t storedExtent(const Layer &layer, Axis axis, int64_t out,
                            int64_t taps) {
  return taps == 1 ? out : layer.window(axis, out, taps);
}

bool fadiff::isCompact(const Layer &layer, const Mapping &mapping, Axis axis) {
  return mapping.tile(layer, Level::Scratchpad, kernelDim(axis)) == 1;
}

int64_t fadiff::storedInputExtent(const Layer &layer, const Mapping &mapping,
                                  Axis axis) {
  return storedExtent(layer, axis,
                      mapping.tile(layer, Level::Scratchpad, outputDim(axis)),
                      mapping.tile(layer, Level::Scratchpad, kernelDim(axis)));
}

Dim fadiff::tapDim(const Layer &layer) {
  return layer.dims[Dim::S] > 1 ? Dim::S : Dim::R;
}

Dim fadiff::otherTapDim(const Layer &layer) {
  return tapDim(layer) == Dim::S ? Dim::R : Dim::S;
}

int64_t fadiff::weightBlock(const Layer &layer, const PerDim<int64_t> &tile,
                            int64_t cols, const Accelerator &target) {
  const int64_t columns = tile[Dim::K];
  const bool isUseful = !layer.isDepthwise() && tile[tapDim(layer)] > 1 &&
                        columns <= target.maxMoveColumns() / 2;
  // A mvin has several blocks of the array only where these are its width.
  const bool isWhole = cols == target.side && columns % cols == 0 &&
                       layer.dims[Dim::K] % columns == 0;
  return isUseful && isWhole ? columns : 0;
}

// docs/CostModel.md, eq. (layer-rows).
Footprint fadiff::footprint(const Layer &layer, const Mapping &mapping) {
  PerDim<int64_t> scratchpad, accumulator;
  for (Dim dim : kAllDims) {
    scratchpad[dim] = mapping.tile(layer, Level::Scratchpad, dim);
    accumulator[dim] = mapping.tile(layer, Level::Accumulator, dim);
  }
  return footprint(layer, scratchpad, accumulator, mapping.rows, mapping.cols);
}

Footprint fadiff::footprint(const Layer &layer,
                            const PerDim<int64_t> &scratchpad,
                            const PerDim<int64_t> &accumulator, int64_t rows,
                            int64_t cols) {
  const PerDim<int64_t> &spad = scratchpad, &acc = accumulator;
  Dim channelOut = layer.isDepthwise() ? Dim::G : Dim::K;
  int64_t pixels = product(
      {spad[Dim::N], storedExtent(layer, Axis::H, spad[Dim::P], spad[Dim::R]),
       storedExtent(layer, Axis::W, spad[Dim::Q], spad[Dim::S])});
  int64_t taps = product({spad[Dim::R], spad[Dim::S]});

  Footprint result;
  if (layer.isDepthwise()) {
    result.inputRows =
        product({pixels, llvm::divideCeilSigned(spad[Dim::G], cols)});
    result.weightRows = product({taps, spad[Dim::G]});
  } else {
    result.inputRows =
        product({pixels, spad[Dim::G], chunks(spad[Dim::C], rows)});
    result.weightRows =
        product({taps, spad[Dim::G], spad[Dim::C], chunks(spad[Dim::K], cols)});
  }
  result.outputRows = product(
      {acc[Dim::N], acc[Dim::P], acc[Dim::Q], chunks(acc[channelOut], cols)});
  return result;
}

bool fadiff::weightsResident(const Layer &layer, const Mapping &mapping) {
  for (Dim dim : kAllDims)
    if (isRelevant(Tensor::W, dim) &&
        mapping.trips(layer, Level::Dram, dim) > 1)
      return false;
  return true;
}
