//===- Timeloop.h - Scoring against Timeloop --------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layer mappings with the access counts, cycles and energy that Timeloop
// reports for them, and how well a model agrees.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_TIMELOOP_H
#define FADIFF_BENCH_TIMELOOP_H

#include "fadiff/Bench/Models.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <string>
#include <vector>

namespace fadiff {

/// The kinds of access that a level can make.
enum class Access : uint8_t { Reads, Fills, Updates };

/// One of the counts that this machine's levels and tensors have: which tensor
/// a level keeps, and which way it flows.
struct CountKind {
  Level level;
  Tensor tensor;
  Access access;
};
inline constexpr unsigned kNumCounts = 13;
/// All 13. Every other (level, tensor, access) is zero: nothing fills DRAM,
/// nothing updates an operand, and bypassed tensors make no access.
llvm::ArrayRef<CountKind> countKinds();

struct TimeloopPoint {
  std::string id;
  std::string layerType; ///< "standard", "depthwise", ...
  Layer layer;
  Mapping mapping;
  unsigned machine = 0; ///< index into TimeloopData::machines
  /// What Timeloop reports, in the order of countKinds().
  std::array<int64_t, kNumCounts> counts{};
  double energy = 0; ///< pJ
  /// Before rounding: the largest of the compute cycles and, per level, its
  /// accesses over its bandwidth, from Timeloop's own counts. The reader checks
  /// that what Timeloop prints is at most 1 (rounding up) and 1e-6 away.
  double cycles = 0;
  double printedCycles = 0;
};

struct TimeloopData {
  std::vector<Accelerator> machines;
  std::vector<TimeloopPoint> points;
};

/// Reads a points file (schema_version 1; tools/fadiff-bench/README.md). The
/// error names file, point, field, wanted and found.
llvm::Expected<TimeloopData> readTimeloop(llvm::StringRef text,
                                          llvm::StringRef file);

/// Agreement of `model` with all points, and with those of each layer type, as
/// the JSON object that `fadiff-bench timeloop` prints. `access_accuracy` is
/// the mean, over all counts that Timeloop gives as non-zero, of max(0, 1 -
/// |count - reference| / reference).
llvm::json::Object scoreTimeloop(const TimeloopData &data, Model model);

} // namespace fadiff

#endif // FADIFF_BENCH_TIMELOOP_H
