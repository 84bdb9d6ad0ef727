//===- StreamWalks.h - Walks of streams, each done once ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A walk takes some hundred microseconds, and a search asks nine times in ten
// for one that it has had: mappings often differ in what no loop shows, and
// layers of a network are alike.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_STREAMWALKS_H
#define FADIFF_COSTMODEL_STREAMWALKS_H

#include "fadiff/CostModel/StreamLatency.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

#include <mutex>

namespace fadiff {

/// Of one machine, which must outlive this. May be asked by several threads.
class StreamWalks {
public:
  explicit StreamWalks(const Accelerator &target) : target(target) {}

  /// The same as walkedCycles() of `streamed`.
  double cycles(const StreamedLayer<double> &streamed);
  /// What the members of a group take beside the cycles of each, since they
  /// find units and queues as the one before leaves them; may be below 0.
  double cyclesInTurn(const stream::MembersInTurn &group);
  /// Of these how many were walked.
  size_t size() const { return known.size(); }
  /// How many commands these walks went through: a measure of their time.
  uint64_t commandsWalked() const { return commands; }
  /// From here on walks count as if they had not been done before, so that what
  /// is measured does not depend on that.
  void countAnew() { ++round; }

private:
  const Accelerator &target;
  std::mutex mutex; ///< of what follows
  /// Of a member, or of a group's tile, where none may be known.
  struct Known {
    stream::Walked walked;
    uint64_t commands, round;
  };
  llvm::StringMap<Known> known;
  /// What is known of `key`; else what `walk` finds, adding its commands.
  stream::Walked
  find(llvm::ArrayRef<double> key,
       llvm::function_ref<stream::Walked(uint64_t &commands)> walk);
  uint64_t commands = 0, round = 0;
};

} // namespace fadiff

#endif // FADIFF_COSTMODEL_STREAMWALKS_H
