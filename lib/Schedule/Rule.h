//===- Rule.h - Errors that name a rule -------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a broken rule of legality is told, and the rules that layers alone and
// members of groups have in common.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SCHEDULE_RULE_H
#define FADIFF_LIB_SCHEDULE_RULE_H

#include "fadiff/Hardware/Accelerator.h"
#include "fadiff/Schedule/Schedule.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

#include <string>

namespace fadiff::rules {

/// The layer, the rule, the level, what was wanted, what was found, what to do.
llvm::Error fail(const Layer &layer, llvm::StringRef rule, Level level,
                 const llvm::Twine &wanted, const llvm::Twine &found,
                 const llvm::Twine &hint);

/// Such as "K = 16".
std::string named(Dim dim, int64_t value);
/// Sums that would overflow are the largest value.
int64_t saturatingAdd(int64_t a, int64_t b);

/// Bounds, strides and bytes of the layer; that it is of the array's type; and
/// factors positive, within the array, and each where it may stand.
llvm::Error verifyParts(const Layer &layer, const Mapping &mapping,
                        const Accelerator &target);
/// All factors together cover the layer's dims.
llvm::Error verifyCoverage(const Layer &layer, const Mapping &mapping);
/// The scales of all `layers`, which run in one nest, are in the store unit at
/// once.
llvm::Error verifyScales(llvm::ArrayRef<const Layer *> layers,
                         const Accelerator &target);
/// The sums of a tile fit.
llvm::Error verifyAccumulator(const Layer &layer, const Footprint &rows,
                              const Accelerator &target);

} // namespace fadiff::rules

#endif // FADIFF_LIB_SCHEDULE_RULE_H
