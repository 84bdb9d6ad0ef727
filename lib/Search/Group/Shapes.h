//===- Shapes.h - Ways for a stretch of layers to be a group ----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ways differ in the residuals that the group's input could be, which stay
// live or come from DRAM, and in when side branches run.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_GROUP_SHAPES_H
#define FADIFF_LIB_SEARCH_GROUP_SHAPES_H

#include "fadiff/Schedule/GroupFlow.h"
#include "llvm/ADT/ArrayRef.h"

namespace fadiff {

struct GroupShape {
  FusionGroup group; ///< layers of the network, in order of execution
  GroupFlow flow;
  /// Of each member the place in the stretch, from 0 on.
  std::vector<size_t> places;
  /// Per member, whether it gets its input in slices of channels; none: as one
  /// likes. The tiles of members that take turns are freed together, and so
  /// whether two stacks can hold all tiles may depend on it. Empty: it does
  /// not.
  std::vector<std::optional<bool>> getsSlices;
  /// There are too many ways to take turns to tell which can be stacked. This
  /// one allows all of them and is good for bounds only.
  bool isBound = false;
};

/// All that pass verifyFlow() for the layers [first, last] of `chain`; if there
/// is none and `reason` is not null, why.
std::vector<GroupShape>
groupShapes(const Network &network, const TensorUses &uses,
            llvm::ArrayRef<unsigned> chain, size_t first, size_t last,
            const Accelerator &target, std::string *reason = nullptr);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_GROUP_SHAPES_H
