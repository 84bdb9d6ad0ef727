//===- Dosa.h - Scoring against DOSA's Timeloop runs ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The data set of DOSA (Hong et al., MICRO 2023): random mappings of real
// layers onto Gemmini-like machines of all sizes, with Timeloop's cycles and
// energy.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_DOSA_H
#define FADIFF_BENCH_DOSA_H

#include "fadiff/Bench/Models.h"
#include "fadiff/Support/Schema.h"

#include <map>
#include <string>
#include <vector>

namespace fadiff {

/// A mapping as DOSA writes it, outermost level and loop first; `X` marks a
/// spatial factor: "L3[WIO] P28 K8 - L2[WI] N1 K4X - L1[O] C3X - L0[W] P2".
struct DosaMapping {
  Mapping mapping;
  /// Why this machine cannot run it, although it is well formed; empty if it
  /// can. Only C runs over rows (inside L1) and K over columns (inside L2).
  std::string unsupported;
};
/// Fills in `result`, or says what is wrong with `text`.
std::optional<Mismatch> parseDosaMapping(llvm::StringRef text,
                                         DosaMapping &result);

/// The machine of DOSA's energy and bandwidth fits. `side` x `side` PEs;
/// capacities in bytes.
Accelerator dosaMachine(int64_t side, int64_t accumulatorBytes,
                        int64_t scratchpadBytes);

/// What DOSA's CSV files say of a row besides its target values.
struct DosaRow {
  unsigned line = 0; ///< in the file
  Layer layer;
  Mapping mapping;
  Accelerator target;
  /// Why the row is outside of what the model covers; empty if it is inside.
  std::string unsupported;
};
/// Complains if a column is missing or malformed, or if the mapping is illegal
/// on the machine.
DosaRow readDosaRow(Complaints &complaints, const CsvTable &table,
                    const CsvTable::Row &row);

struct DosaPoint {
  DosaRow row;
  double cycles = 0;
  double energy = 0; ///< uJ
  double area = 0;   ///< mm2; 0 without such a column
};
struct DosaData {
  std::vector<DosaPoint> points;
  std::map<std::string, unsigned> skipped; ///< rows by reason
};
/// Reads a file of Timeloop-scored search points. The error names file, row,
/// column, wanted and found.
llvm::Expected<DosaData> readDosa(llvm::StringRef text, llvm::StringRef file);

/// Agreement of `model` with all points, as the JSON object that
/// `fadiff-bench dosa` prints, with the `worst` points of either kind. The
/// exact model's counts are those of Timeloop v3.0.3; the main figures are
/// after recounting the accumulator's first fills and whole blocks of energy as
/// the Timeloop behind the data set does, `counted_as_timeloop_3_0_3` before
/// (other models are not recounted). Errors are relative: 0.01 is 1 %.
llvm::json::Object scoreDosa(const DosaData &data, Model model,
                             unsigned worst = 0);

} // namespace fadiff

#endif // FADIFF_BENCH_DOSA_H
