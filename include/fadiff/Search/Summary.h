//===- Summary.h - A search in words ----------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a search found and how far that can be trusted, for people (text) and
// for programs (JSON).
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SEARCH_SUMMARY_H
#define FADIFF_SEARCH_SUMMARY_H

#include "fadiff/Search/Search.h"
#include "llvm/Support/JSON.h"

namespace fadiff {

class Summary {
public:
  /// `network` must be the searched one and outlive the summary, as must
  /// `result`.
  Summary(const Network &network, const SearchResult &result)
      : network(network), result(result) {}

  /// value / bound - 1; absent without a bound. Never below 0: a bound that the
  /// value undercuts is none.
  std::optional<double> gap() const;
  /// The same of the layers alone.
  std::optional<double> unfusedGap() const;

  /// A few lines; ends with one line per edge that was not fused.
  void print(llvm::raw_ostream &os) const;
  /// Value, bound, gap and effort on one line, without an end of line.
  void printLine(llvm::raw_ostream &os) const;
  /// Objective, energy (pJ), cycles, DRAM bytes, bounds and gaps (null where
  /// there are none), effort, groups, and every edge with its reason.
  llvm::json::Object toJson() const;

private:
  const Network &network;
  const SearchResult &result;
};

} // namespace fadiff

#endif // FADIFF_SEARCH_SUMMARY_H
