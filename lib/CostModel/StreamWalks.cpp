//===- StreamWalks.cpp - Walks of streams, each done once -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/StreamWalks.h"

using namespace fadiff;

double StreamWalks::cycles(const StreamedLayer<double> &streamed) {
  stream::Streams<double> streams(streamed, target);
  const llvm::SmallVector<double, 128> key = streams.key();
  const llvm::StringRef bytes(reinterpret_cast<const char *>(key.data()),
                              key.size() * sizeof(double));
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto found = known.find(bytes); found != known.end()) {
      Known &walk = found->second;
      if (walk.round != round)
        commands += walk.commands;
      walk.round = round;
      return walk.cycles;
    }
  }
  uint64_t gone = 0;
  const double cycles = stream::walkedCycles(streams, gone);
  std::lock_guard<std::mutex> lock(mutex);
  known.insert({bytes, {cycles, gone, round}});
  commands += gone;
  return cycles;
}
