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

bool fadiff::isCompact(const Layer &layer, const Mapping &mapping, Axis axis) {
  return mapping.tile(layer, Level::Scratchpad, kernelDim(axis)) == 1;
}

int64_t fadiff::storedInputExtent(const Layer &layer, const Mapping &mapping,
                                  Axis axis) {
  int64_t out = mapping.tile(layer, Level::Scratchpad, outputDim(axis));
  if (isCompact(layer, mapping, axis))
    return out;
  return layer.window(axis, out,
                      mapping.tile(layer, Level::Scratchpad, kernelDim(axis)));
}

// docs/CostModel.md, eq. (layer-rows).
Footprint fadiff::footprint(const Layer &layer, const Mapping &mapping) {
  auto spad = [&](Dim dim) {
    return mapping.tile(layer, Level::Scratchpad, dim);
  };
  auto acc = [&](Dim dim) {
    return mapping.tile(layer, Level::Accumulator, dim);
  };
  Dim channelOut = layer.isDepthwise() ? Dim::G : Dim::K;
  int64_t pixels =
      product({spad(Dim::N), storedInputExtent(layer, mapping, Axis::H),
               storedInputExtent(layer, mapping, Axis::W)});
  int64_t taps = product({spad(Dim::R), spad(Dim::S)});

  Footprint result;
  if (layer.isDepthwise()) {
    result.inputRows =
        product({pixels, llvm::divideCeilSigned(spad(Dim::G), mapping.cols)});
    result.weightRows = product({taps, spad(Dim::G)});
  } else {
    result.inputRows =
        product({pixels, spad(Dim::G), chunks(spad(Dim::C), mapping.rows)});
    result.weightRows = product(
        {taps, spad(Dim::G), spad(Dim::C), chunks(spad(Dim::K), mapping.cols)});
  }
  result.outputRows = product({acc(Dim::N), acc(Dim::P), acc(Dim::Q),
                               chunks(acc(channelOut), mapping.cols)});
  return result;
}

bool fadiff::weightsResident(const Layer &layer, const Mapping &mapping) {
  for (Dim dim : kAllDims)
    if (isRelevant(Tensor::W, dim) &&
        mapping.trips(layer, Level::Dram, dim) > 1)
      return false;
  return true;
}
