//===- Documents.h - What a run leaves in files -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TOOLS_FADIFF_RUN_DOCUMENTS_H
#define FADIFF_TOOLS_FADIFF_RUN_DOCUMENTS_H

#include "fadiff/Simulator/Trace.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace fadiff {

/// Writes the trace of a run that `document` reports; warns where `mostEvents`,
/// or what Perfetto opens, left commands out.
llvm::Error writeTrace(llvm::StringRef file, const sim::Trace &trace,
                       unsigned mostEvents, const llvm::json::Object &document);

/// Writes the report to each file, as a page if it ends in .html, else as JSON.
llvm::Error writeReport(llvm::ArrayRef<std::string> files,
                        const llvm::json::Object &report);

} // namespace fadiff

#endif // FADIFF_TOOLS_FADIFF_RUN_DOCUMENTS_H
