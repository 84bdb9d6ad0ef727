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

Value PixelTile::line(const IndexMath &math, Value i) const {
  if (!ringStart)
    return i;
  Value line = math.add(ringStart, i), end = math.constant(h);
  return math.select(math.less(line, end), line, math.sub(line, end));
}

Value PixelTile::linesBeforeEnd(const IndexMath &math, Value i, int64_t step,
                                Value count) const {
  if (!ringStart)
    return count;
  Value left = math.sub(math.constant(h), math.add(ringStart, i));
  Value before = math.min(count, math.ceilDivSigned(left, step));
  return math.select(math.less(math.constant(0), left), before, count);
}

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
      if (innerCount && continues(loop.strides, inner.strides, *innerCount)) {
        inner.count = math.mul(loop.count, *innerCount);
        inner.usual = loop.usual * *innerCount;
        continue;
      }
    }
    merged.push_back(loop);
  }
  std::reverse(merged.begin(), merged.end());
  return merged;
}

RowLoop fadiff::walkRows(const IndexMath &math, SmallVector<RowLoop> loops,
                         int64_t maxRows,
                         llvm::function_ref<void(const Run &)> body,
                         bool shortFirst) {
  loops = mergeLoops(math, loops);
  // A run's rows must be neighbours.
  if (loops.empty() || !stepsByRows(loops.back().strides))
    loops.push_back({math.constant(1), {1, 0, 0, 0}});
  std::function<void(unsigned, const Run &)> nest = [&](unsigned depth,
                                                        const Run &at) {
    const RowLoop &loop = loops[depth];
    bool isRun = depth + 1 == loops.size();
    // What the first run lacks if it is the short one.
    Value lack;
    if (isRun && shortFirst && maxRows > 1)
      lack = math.mod(
          math.sub(math.constant(maxRows), math.mod(loop.count, maxRows)),
          maxRows);
    auto visit = [&](Value i, Value rows) {
      Value isFirst = math.equal(i, math.constant(0));
      if (lack && IndexMath::known(lack) != 0) {
        Value whole = math.constant(maxRows);
        rows = math.select(isFirst, math.sub(whole, lack), whole);
        i = math.select(isFirst, math.constant(0), math.sub(i, lack));
      }
      Run next{rows, math.both(at.isFirst, isFirst), at.offsets};
      for (auto [offset, stride] : llvm::zip(next.offsets, loop.strides))
        offset = math.add(offset, math.mul(i, stride));
      if (isRun)
        body(next);
      else
        nest(depth + 1, next);
    };
    math.forEach(loop.count, isRun ? maxRows : 1, visit,
                 isRun ? loop.usual : 0);
  };
  Run start;
  start.isFirst = math.flag(true);
  start.offsets.fill(math.constant(0));
  nest(0, start);
  return loops.back();
}
