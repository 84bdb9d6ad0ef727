//===- Mapping.cpp - Where each loop of a layer runs ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/Mapping.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

#include <algorithm>
#include <type_traits>

using namespace fadiff;

int64_t Mapping::spatial(const Layer &layer, Dim dim) const {
  if (dim == (layer.isDepthwise() ? Dim::G : Dim::K))
    return cols;
  // A depthwise block is square, so G stands for the rows as well.
  if (dim == Dim::C && !layer.isDepthwise())
    return rows;
  return 1;
}

/// min(bound, tile * factor) without overflow, for 1 <= tile <= bound.
static int64_t grow(int64_t tile, int64_t factor, int64_t bound) {
  int64_t product = 0;
  return llvm::MulOverflow(tile, factor, product) ? bound
                                                  : std::min(bound, product);
}

int64_t Mapping::tile(const Layer &layer, Level level, Dim dim) const {
  int64_t bound = layer.dims[dim];
  int64_t extent = std::min(bound, spatial(layer, dim));
  for (Level inner : kAllLevels) {
    if (extent < 1)
      return extent; // Not a mapping at all: verify() reports the factor.
    extent = grow(extent, temporal[inner][dim], bound);
    if (inner == level)
      break;
  }
  return extent;
}

int64_t Mapping::trips(const Layer &layer, Level level, Dim dim) const {
  int64_t inner =
      level == Level::Registers
          ? std::min(layer.dims[dim], spatial(layer, dim))
          : tile(layer, static_cast<Level>(static_cast<uint8_t>(level) - 1),
                 dim);
  int64_t outer = tile(layer, level, dim);
  if (inner < 1 || outer < 1)
    return 0;
  return llvm::divideCeilSigned(outer, inner);
}

llvm::hash_code fadiff::hash_value(const Mapping &mapping) {
  static_assert(std::has_unique_object_representations_v<Mapping>);
  return llvm::xxh3_64bits(
      {reinterpret_cast<const uint8_t *>(&mapping), sizeof(Mapping)});
}
