//===- SearchMonitor.h - Who watches a search -------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a tool shows the progress of searches that passes run for it, ends them
// early, and names its options in their errors: libraries keep no global state,
// so it hangs on the context.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TRANSFORMS_SEARCHMONITOR_H
#define FADIFF_TRANSFORMS_SEARCHMONITOR_H

#include "fadiff/Search/Search.h"
#include "mlir/IR/Dialect.h"

namespace fadiff {

/// An interface of the fadiff dialect; add it with a dialect extension. Passes
/// may run searches of several modules of one context at once.
class SearchMonitor : public mlir::DialectInterface::Base<SearchMonitor> {
public:
  using Base::Base;

  /// Called before each search; may set `progress` and `stop` where the caller
  /// has not.
  virtual void searchStarts(SearchOptions &options) = 0;
  /// Called when it has ended, also if it failed.
  virtual void searchEnds() = 0;
  /// What the tool's users have to give where a pass has `allow-empty`.
  virtual llvm::StringRef allowEmptyOption() const { return "allow-empty"; }
};

/// That of the context's monitor; the passes' own name without one.
llvm::StringRef allowEmptyOption(mlir::MLIRContext *context);

} // namespace fadiff

#endif // FADIFF_TRANSFORMS_SEARCHMONITOR_H
