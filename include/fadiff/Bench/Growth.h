//===- Growth.h - Time and memory of longer networks ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a search grows with its network: chains in which no two layers are alike,
// so that nothing is solved once for many.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_GROWTH_H
#define FADIFF_BENCH_GROWTH_H

#include "fadiff/Search/Search.h"
#include "llvm/Support/JSON.h"

#include <vector>

namespace fadiff {

/// A chain of `length` (1 to 1000) convolutions over 28 x 28 pixels, 1x1 and
/// 3x3 in turn, each of other channels than all the others and of as many in
/// the mean, whatever the length. Every edge may be fused.
Network growthChain(unsigned length);

struct GrowthOptions {
  std::vector<unsigned> lengths = {10, 100, 1000};
  Accelerator target;
  SearchOptions search;
};

struct GrowthPoint {
  unsigned layers = 0, distinctLayers = 0;
  double seconds = 0;
  double cpuSeconds = 0; ///< of all threads; 0 if the system does not say
  uint64_t evaluations = 0, enumerated = 0;
  /// Of the process so far, so of the longest chain so far; 0 if the system
  /// does not say.
  uint64_t peakBytes = 0;
};

/// Searches chains of each length in turn; fails if a length is none of a chain
/// or a search fails.
llvm::Expected<std::vector<GrowthPoint>>
runGrowth(const GrowthOptions &options);
llvm::json::Object toJson(const std::vector<GrowthPoint> &points);

} // namespace fadiff

#endif // FADIFF_BENCH_GROWTH_H
