//===- CopyWords.h - Copies of bytes eight at a time ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_CODEGEN_COPYWORDS_H
#define FADIFF_LIB_CODEGEN_COPYWORDS_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace fadiff {

/// Bytes that are copied or filled line by line, with lines that begin at
/// multiples of eight bytes, are moved eight at a time. Where a tensor that is
/// not allocated here begins is looked at when the program runs, and one that
/// begins elsewhere is copied byte by byte.
std::unique_ptr<mlir::Pass> createCopyWordsPass();

} // namespace fadiff

#endif // FADIFF_LIB_CODEGEN_COPYWORDS_H
