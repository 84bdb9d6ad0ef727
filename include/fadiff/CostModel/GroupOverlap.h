//===- GroupOverlap.h - What overlaps in a fusion group ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_GROUPOVERLAP_H
#define FADIFF_COSTMODEL_GROUPOVERLAP_H

#include "fadiff/Support/Names.h"
#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace fadiff {

/// What overlaps while a fusion group runs, in Timeloop's counts. The machine's
/// members run one after the other (eq. (group-cost)).
enum class GroupOverlap : uint8_t {
  Layer,   ///< all of it, as in a layer alone: one roofline
  Defines, ///< as DeFiNES has it: one roofline, and what nothing overlaps
  Paper,   ///< what is of one layer: each has its roofline, as in the paper
};
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(GroupOverlap) {
  static constexpr llvm::StringLiteral names[] = {"layer", "defines", "paper"};
  return names;
}

} // namespace fadiff

#endif // FADIFF_COSTMODEL_GROUPOVERLAP_H
