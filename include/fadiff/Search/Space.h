//===- Space.h - Which mappings a search may choose -------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Switches for comparisons with tools whose space is smaller than the
// machine's. docs/Search.md, "The space".
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SEARCH_SPACE_H
#define FADIFF_SEARCH_SPACE_H

#include "fadiff/Schedule/Mapping.h"

namespace fadiff {

/// By default all that the machine can run. Every optimizer keeps to it, and
/// bounds are bounds of it.
struct SearchSpace {
  /// Tiles need not divide what they cut; the last one is smaller. Off: every
  /// factor divides, as where a cost model wants divisors. In fusion groups
  /// the group's tile divides the last member's outputs, and a member's
  /// factors what it makes per tile.
  bool unevenTiles = true;
  /// A depthwise layer may run several channels at once, as blocks on the
  /// diagonal of a weight tile. Off: one channel, on one row and one column.
  bool blockDiagonal = true;

  /// Whether `layer` must run one channel at a time. It can then share no
  /// group, for which rows hold all channels that fit.
  bool isSerial(const Layer &layer) const {
    return !blockDiagonal && layer.isDepthwise();
  }
  bool operator==(const SearchSpace &other) const {
    return unevenTiles == other.unevenTiles &&
           blockDiagonal == other.blockDiagonal;
  }
  bool operator!=(const SearchSpace &other) const { return !(*this == other); }
};

} // namespace fadiff

#endif // FADIFF_SEARCH_SPACE_H
