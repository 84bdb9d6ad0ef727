//===- Nest.h - A mapping written out ---------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_REPORT_NEST_H
#define FADIFF_LIB_REPORT_NEST_H

#include "fadiff/Schedule/GroupTiles.h"
#include "llvm/Support/JSON.h"

namespace fadiff {

/// The loops of member `member` of `group`, outermost first: objects with
/// `level` ("group" for the loops that all members share), `dim`, `trips`.
llvm::json::Array loopsOf(const Network &network, const Schedule &schedule,
                          const FusionGroup &group, size_t member);

/// What a tile of each tensor takes at each level, in bytes: objects with
/// `level`, `tensor`, `bytes`.
llvm::json::Array tilesOf(const Network &network, const Schedule &schedule,
                          const FusionGroup &group, size_t member,
                          const Accelerator &target);

} // namespace fadiff

#endif // FADIFF_LIB_REPORT_NEST_H
