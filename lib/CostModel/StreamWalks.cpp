//===- StreamWalks.cpp - Walks of streams, each done once -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/StreamWalks.h"

#include "llvm/ADT/STLExtras.h"

using namespace fadiff;

stream::Walked
StreamWalks::find(llvm::ArrayRef<double> key,
                  llvm::function_ref<stream::Walked(uint64_t &)> walk) {
  const llvm::StringRef bytes(reinterpret_cast<const char *>(key.data()),
                              key.size() * sizeof(double));
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto found = known.find(bytes); found != known.end()) {
      Known &walk = found->second;
      if (walk.round != round)
        commands += walk.commands;
      walk.round = round;
      return walk.walked;
    }
  }
  uint64_t gone = 0;
  const stream::Walked walked = walk(gone);
  std::lock_guard<std::mutex> lock(mutex);
  known.insert({bytes, {walked, gone, round}});
  commands += gone;
  return walked;
}

double StreamWalks::cycles(const StreamedLayer<double> &streamed) {
  stream::Streams<double> streams(streamed, target);
  return find(streams.key(),
              [&](uint64_t &gone) { return stream::walk(streams, gone); })
      .cycles;
}

double StreamWalks::cyclesInTurn(const stream::MembersInTurn &group) {
  llvm::SmallVector<double, 0> key{double(group.members.size()), group.tiles};
  double apart = 0;
  for (auto [member, producer, isSliced] :
       llvm::zip_equal(group.members, group.producers, group.areSliced)) {
    stream::Streams<double> streams(member, target);
    llvm::append_range(key, streams.key());
    key.push_back(producer ? double(*producer) : -1);
    key.push_back(isSliced);
    const stream::Walked walked = find(streams.key(), [&](uint64_t &gone) {
      return stream::walk(streams, gone);
    });
    if (!walked.ofTile)
      return 0;
    apart += *walked.ofTile;
  }
  const stream::Walked inTurn = find(key, [&](uint64_t &gone) {
    return stream::Walked{0, stream::walkInTurn(group, target, gone)};
  });
  return inTurn.ofTile ? (*inTurn.ofTile - apart) * group.tiles : 0;
}
