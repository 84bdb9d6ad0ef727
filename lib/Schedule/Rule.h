//===- Rule.h - Errors that name a rule -------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a broken rule of legality is told.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SCHEDULE_RULE_H
#define FADIFF_LIB_SCHEDULE_RULE_H

#include "fadiff/Hardware/Accelerator.h"
#include "fadiff/Workload/Layer.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace fadiff::rules {

/// The layer, the rule, the level, what was wanted, what was found, what to do.
llvm::Error fail(const Layer &layer, llvm::StringRef rule, Level level,
                 const llvm::Twine &wanted, const llvm::Twine &found,
                 const llvm::Twine &hint);

} // namespace fadiff::rules

#endif // FADIFF_LIB_SCHEDULE_RULE_H
