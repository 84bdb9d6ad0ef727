//===- Rescore.h - Scoring a schedule file again ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a file of docs/ScheduleFile.md costs, from its mappings and groups
// alone, and how that agrees with the costs that stand in it.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_RESCORE_H
#define FADIFF_BENCH_RESCORE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace fadiff {

/// Totals of the schedule in `text` under `model`, a built-in one such as
/// "machine" or "timeloop paper"; the file's own, if empty. The agreement is
/// that of the file's own model. Fails on a file that is no legal schedule, or
/// whose costs are not those of its mappings; `file` stands in the message.
llvm::Expected<llvm::json::Object>
rescore(llvm::StringRef text, llvm::StringRef file, llvm::StringRef model);

} // namespace fadiff

#endif // FADIFF_BENCH_RESCORE_H
