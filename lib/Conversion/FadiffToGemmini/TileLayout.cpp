//===- TileLayout.cpp - Where a tile's elements lie -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLayout.h"

using namespace mlir;
using namespace fadiff;

/// Drops loops of one trip and merges loops that continue each other.
static SmallVector<RowLoop> mergeLoops(const IndexMath &math,
                                       ArrayRef<RowLoop> loops) {
  SmallVector<RowLoop> merged;
  for (const RowLoop &loop : llvm::reverse(loops)) {
    if (IndexMath::known(loop.count) == 1)
      continue;
    if (!merged.empty()) {
      RowLoop &inner = merged.back();
      std::optional<int64_t> innerCount = IndexMath::known(inner.count);
      if (innerCount && loop.strideA == inner.strideA * *innerCount &&
          loop.strideB == inner.strideB * *innerCount) {
        inner.count = math.mul(loop.count, *innerCount);
        continue;
      }
    }
    merged.push_back(loop);
  }
  std::reverse(merged.begin(), merged.end());
  return merged;
}

int64_t
fadiff::walkRows(const IndexMath &math, SmallVector<RowLoop> loops,
                 int64_t maxRows,
                 llvm::function_ref<void(Value, Value, Value)> body) {
  loops = mergeLoops(math, loops);
  // A run's rows must be neighbours in A.
  if (loops.empty() || loops.back().strideA != 1)
    loops.push_back({math.constant(1), 1, 0});
  std::function<void(unsigned, Value, Value)> nest = [&](unsigned depth,
                                                         Value a, Value b) {
    const RowLoop &loop = loops[depth];
    bool isRun = depth + 1 == loops.size();
    math.forEach(loop.count, isRun ? maxRows : 1, [&](Value i, Value rows) {
      Value nextA = math.add(a, math.mul(i, loop.strideA));
      Value nextB = math.add(b, math.mul(i, loop.strideB));
      if (isRun)
        body(nextA, nextB, rows);
      else
        nest(depth + 1, nextA, nextB);
    });
  };
  nest(0, math.constant(0), math.constant(0));
  return loops.back().strideB;
}
