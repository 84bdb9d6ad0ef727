//===- IncrementWords.h - Words of commands by increments -------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_CODEGEN_INCREMENTWORDS_H
#define FADIFF_LIB_CODEGEN_INCREMENTWORDS_H

#include "mlir/Pass/Pass.h"

namespace fadiff {

/// A command of Gemmini is two words, each a sum of fields that are shifted
/// into their places. Makes the words of a loop's commands ones that grow by a
/// constant on each trip, from what they are on the first.
///
/// LLVM's strength reduction would do so by itself, but of all loops around at
/// once: a dozen commands in a loop that is unrolled become as many counters of
/// the loop around, in memory, each with a load and a store per trip. What a
/// word is on the first trip is hidden from it here.
std::unique_ptr<mlir::Pass> createIncrementWordsPass();

} // namespace fadiff

#endif // FADIFF_LIB_CODEGEN_INCREMENTWORDS_H
