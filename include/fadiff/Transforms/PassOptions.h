//===- PassOptions.h - Options that are checked at once ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An option that cannot be what was meant costs no work.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TRANSFORMS_PASSOPTIONS_H
#define FADIFF_TRANSFORMS_PASSOPTIONS_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"

#include <string>
#include <utility>

namespace fadiff {

/// Fails after a diagnostic that names `pass` and option if one of `files`
/// (option, path) cannot be written. Empty paths and "-" are fine. For a pass's
/// initialize(), which runs before any pass of its pipeline does.
llvm::LogicalResult checkWrittenFiles(
    mlir::MLIRContext *context, llvm::StringRef pass,
    llvm::ArrayRef<std::pair<llvm::StringRef, llvm::StringRef>> files);

/// Fails after a diagnostic at `loc` that names `pass` if its option `target`
/// was given without a machine, or twice.
llvm::LogicalResult checkTargetOption(mlir::Location loc, llvm::StringRef pass,
                                      const llvm::cl::opt<std::string> &target);

} // namespace fadiff

#endif // FADIFF_TRANSFORMS_PASSOPTIONS_H
