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

/// Cuts `loop` into runs of which the first one is short.
static void forEachRun(const IndexMath &math, const RowLoop &loop,
                       int64_t maxRows, int64_t leastFirst,
                       llvm::function_ref<void(Value, Value)> body) {
  Value zero = math.constant(0), whole = math.constant(maxRows);
  const std::optional<int64_t> count = IndexMath::known(loop.count);
  const int64_t rest = count.value_or(0) % maxRows;
  if (count && *count > maxRows && rest > 0 && rest < leastFirst) {
    const int64_t second = rest + maxRows;
    body(zero, math.constant(leastFirst));
    body(math.constant(leastFirst), math.constant(second - leastFirst));
    return math.forEach(math.constant(*count - second), maxRows,
                        [&](Value i, Value) {
                          body(math.add(i, math.constant(second)), whole);
                        });
  }
  // What the first run lacks.
  Value lack =
      math.mod(math.sub(whole, math.mod(loop.count, maxRows)), maxRows);
  auto visit = [&](Value i, Value rows) {
    if (IndexMath::known(lack) == 0)
      return body(i, rows);
    Value isFirst = math.equal(i, zero), begin = math.sub(i, lack);
    rows = math.select(isFirst, math.sub(whole, lack), whole);
    if (!count && leastFirst > 1) {
      Value least = math.constant(leastFirst), end = math.add(begin, whole);
      begin = math.max(begin, least);
      rows = math.select(isFirst, math.min(math.max(rows, least), loop.count),
                         math.sub(end, begin));
    }
    body(math.select(isFirst, zero, begin), rows);
  };
  math.forEach(loop.count, maxRows, visit, loop.usual);
}

RowLoop fadiff::walkRows(const IndexMath &math, SmallVector<RowLoop> loops,
                         int64_t maxRows,
                         llvm::function_ref<void(const Run &)> body,
                         int64_t leastFirst) {
  loops = mergeLoops(math, loops);
  // A run's rows must be neighbours.
  if (loops.empty() || !stepsByRows(loops.back().strides))
    loops.push_back({math.constant(1), {1, 0, 0, 0}});
  std::function<void(unsigned, const Run &)> nest = [&](unsigned depth,
                                                        const Run &at) {
    const RowLoop &loop = loops[depth];
    bool isRun = depth + 1 == loops.size();
    auto visit = [&](Value i, Value rows) {
      Run next{rows, math.both(at.isFirst, math.equal(i, math.constant(0))),
               at.offsets};
      for (auto [offset, stride] : llvm::zip(next.offsets, loop.strides))
        offset = math.add(offset, math.mul(i, stride));
      if (isRun)
        body(next);
      else
        nest(depth + 1, next);
    };
    if (isRun && leastFirst > 0)
      return forEachRun(math, loop, maxRows, leastFirst, visit);
    math.forEach(loop.count, isRun ? maxRows : 1, visit,
                 isRun ? loop.usual : 0);
  };
  Run start;
  start.isFirst = math.flag(true);
  start.offsets.fill(math.constant(0));
  nest(0, start);
  return loops.back();
}
