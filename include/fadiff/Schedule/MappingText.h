//===- MappingText.h - Mappings as people read them -------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SCHEDULE_MAPPINGTEXT_H
#define FADIFF_SCHEDULE_MAPPINGTEXT_H

#include "fadiff/Schedule/Mapping.h"

#include <string>

namespace fadiff {

/// "dram [P:4], scratchpad [K:2], accumulator [C:2], registers [], array
/// [32 x 32]": as in the IR, between angle brackets. Loops from the outermost
/// in.
std::string mappingText(const Mapping &mapping);

/// "D[P4] S[K2] A[C2] 32x32": the same in short, without the registers' loops.
std::string shortMappingText(const Mapping &mapping);

} // namespace fadiff

#endif // FADIFF_SCHEDULE_MAPPINGTEXT_H
