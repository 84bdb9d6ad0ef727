//===- DramTracker.h - Which DRAM bytes may be touched ----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SIMULATOR_DRAMTRACKER_H
#define FADIFF_LIB_SIMULATOR_DRAMTRACKER_H

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace fadiff {
namespace sim {

/// The address ranges that are DRAM.
class DramRanges {
public:
  void add(uint64_t begin, uint64_t bytes);
  bool empty() const { return ranges.empty(); }
  bool contains(uint64_t begin, uint64_t bytes) const;

private:
  /// Disjoint and not adjacent: begin -> end.
  std::map<uint64_t, uint64_t> ranges;
};

/// A set of bytes: those written since the last fence. One bit per byte, in
/// pages, so that marking and asking cost a few words per row and a fence
/// nothing.
class ByteSet {
public:
  void insert(uint64_t begin, uint64_t bytes);
  bool intersects(uint64_t begin, uint64_t bytes) const;
  void clear();
  bool empty() const { return low > high; }

private:
  static constexpr unsigned kPageBits = 12;
  static constexpr unsigned kWords = (1 << kPageBits) / 64;
  struct Page {
    /// The contents count only if this is the set's epoch.
    uint64_t epoch;
    std::array<uint64_t, kWords> words;
  };

  llvm::DenseMap<uint64_t, uint32_t> index;
  std::vector<Page> pages;
  uint64_t epoch = 1;
  /// All bytes of the set lie in here.
  uint64_t low = ~uint64_t(0), high = 0;
};

} // namespace sim
} // namespace fadiff

#endif // FADIFF_LIB_SIMULATOR_DRAMTRACKER_H
