//===- Table1.h - All optimisers on all networks ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The comparison of FADiff's Table 1 and Figure 4: one evaluator, equal time
// and equal evaluations, several seeds.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_TABLE1_H
#define FADIFF_BENCH_TABLE1_H

#include "fadiff/Search/Search.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace fadiff {

/// A column of the comparison: an optimiser, and whether it finishes exactly.
struct Contender {
  std::string name;
  Optimizer optimizer = Optimizer::Fadiff;
  /// Fadiff alone: neither enumeration nor hill climb.
  bool gradientOnly = false;
  /// Searches in the first space whatever the table's.
  bool firstSpace = false;
};

struct Table1Options {
  std::vector<std::string> networks;   ///< empty: all
  std::vector<std::string> machines;   ///< names or files; empty: large, small
  std::vector<std::string> contenders; ///< empty: all
  Convention convention = Convention::Timeloop;
  GroupOverlap overlap = GroupOverlap::Layer; ///< in Timeloop's counts
  /// All that the machine can do, in its own counts (`convention` is not looked
  /// at): all of SearchSpace, thin layers packed, fusion. Compared with DOSA in
  /// the space that it was made for (kFirstSpace, Timeloop's counts, nothing
  /// packed or fused), whose schedules are scored in the machine's.
  bool fullSpace = false;
  /// Per network, optimiser and seed; 0 lets each end by its own defaults.
  double seconds = 10;
  uint64_t evaluations = 20000; ///< the same; 0 leaves this part out
  unsigned seeds = 3;
  unsigned threads = 1;
  /// Called with a line before every run.
  std::function<void(const std::string &)> log;
};

/// One seed of one contender.
struct Table1Run {
  uint64_t seed = 0;
  double edp = 0, unfusedEdp = 0; ///< uJ * cycles
  double seconds = 0;
  uint64_t evaluations = 0, enumerated = 0;
  /// Until the best so far was within 1 % of the end.
  double secondsToOnePercent = 0;
  std::vector<TracePoint> trace;
};

struct Table1Row {
  std::string contender;
  std::vector<Table1Run> byTime, byEvaluations; ///< one per seed
  std::string error; ///< why there are none, if there are none
};

/// One network on one machine.
struct Table1Cell {
  std::string network, machine;
  std::vector<Table1Row> rows;
  /// Of the unfused problem, from enumeration; absent if it failed. Exact says
  /// whether a schedule reaches it.
  std::optional<double> bound;
  bool exactBound = false;
};

struct Table1 {
  Table1Options options;
  std::vector<Table1Cell> cells;

  llvm::json::Object toJson() const;
  std::string toMarkdown() const;
  /// EDP over time, a panel per cell, the first seed of each contender.
  std::string toSvg() const;
};

const std::vector<Contender> &contenders();
/// All that DOSA's Gemmini can be told: tiles that divide, a depthwise channel
/// on one row and one column of the array.
inline constexpr SearchSpace kFirstSpace = {/*unevenTiles=*/false,
                                            /*blockDiagonal=*/false};
/// What a full-space table adds to them, and compares with.
inline constexpr llvm::StringLiteral kFirstSpaceDosa = "dosa-first-space";
llvm::Expected<Table1> runTable1(const Table1Options &options);

} // namespace fadiff

#endif // FADIFF_BENCH_TABLE1_H
