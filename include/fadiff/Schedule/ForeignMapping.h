//===- ForeignMapping.h - Mappings of other tools ---------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mappings as Timeloop (v0.3 and v0.4) and ZigZag write them in YAML, read as
// mappings of a layer here. docs/ScheduleFile.md says what of these files is
// understood.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SCHEDULE_FOREIGNMAPPING_H
#define FADIFF_SCHEDULE_FOREIGNMAPPING_H

#include "fadiff/Schedule/Mapping.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace fadiff {

/// The mapping of `layer` in `text`, a legal one on `target`. A file of
/// Timeloop has one mapping, for whichever layer is asked for; one of ZigZag
/// has several, of which that with the layer's name is taken, else the one
/// called default; nothing if there is neither. ZigZag's loops name no memory:
/// from the innermost on, each goes to the innermost memory, no further in than
/// the loop before, in which the tiles still fit.
///
/// The error begins with "file:line:column: error: " and says what was wanted
/// and found.
llvm::Expected<std::optional<Mapping>>
readForeignMapping(llvm::StringRef text, llvm::StringRef file,
                   const Layer &layer, const Accelerator &target);

} // namespace fadiff

#endif // FADIFF_SCHEDULE_FOREIGNMAPPING_H
