//===- Turn.h - Images with rows and columns exchanged ----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A group that keeps columns is one that keeps rows of turned images: H and W,
// P and Q, R and S change places in all of its layers and mappings, and its
// tiles lie on chip column by column. So the geometry, the cost and the program
// of a group know rows alone. docs/CostModel.md, section "Groups and
// schedules".
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SCHEDULE_TURN_H
#define FADIFF_SCHEDULE_TURN_H

#include "fadiff/Schedule/Schedule.h"

namespace fadiff {

/// The axis or dim that takes the place of this one.
inline Axis turned(Axis axis) { return axis == Axis::H ? Axis::W : Axis::H; }
Dim turned(Dim dim);
/// Turning twice changes nothing.
Layer turned(Layer layer);
Mapping turned(Mapping mapping);

/// The same group with the images of its layers turned, which keeps rows where
/// it kept columns. Layers of other groups are as they were.
struct TurnedGroup {
  Network network;
  Schedule schedule;
  FusionGroup group;
};
TurnedGroup turned(const Network &network, const Schedule &schedule,
                   const FusionGroup &group);

/// Calls `body` with the group as one that keeps rows, if it keeps any.
template <typename Fn>
auto asKeptRows(const Network &network, const Schedule &schedule,
                const FusionGroup &group, Fn &&body) {
  if (group.keeps != Axis::W)
    return body(network, schedule, group);
  const TurnedGroup image = turned(network, schedule, group);
  return body(image.network, image.schedule, image.group);
}

} // namespace fadiff

#endif // FADIFF_SCHEDULE_TURN_H
