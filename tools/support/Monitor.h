//===- Monitor.h - Progress line and signals of the tools -------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TOOLS_SUPPORT_MONITOR_H
#define FADIFF_TOOLS_SUPPORT_MONITOR_H

#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringRef.h"

namespace fadiff {

/// Has every search in the contexts of `registry` show a line of progress if
/// standard error is a terminal, and end with its best so far on SIGINT,
/// SIGTERM or SIGHUP. A second one of the same kind does what one does without
/// a search: it ends the program. `allowEmpty` is what the tool's users give
/// where a pass has the option allow-empty.
void registerSearchMonitor(mlir::DialectRegistry &registry,
                           llvm::StringLiteral allowEmpty = "allow-empty");

} // namespace fadiff

#endif // FADIFF_TOOLS_SUPPORT_MONITOR_H
