//===- MemorySystem.cpp - Caches behind the DMA ---------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemorySystem.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace fadiff;
using namespace fadiff::sim;

/// An address that no line has.
static constexpr uint64_t kNone = ~uint64_t(0);

Cache::Cache(int64_t bytes, int64_t ways)
    : sets(std::max<int64_t>(1, bytes / kLineBytes / ways)), ways(ways),
      lines(bytes ? sets * ways : 0, kNone) {}

bool Cache::touch(uint64_t line) {
  uint64_t *set = &lines[line % sets * ways];
  int64_t place = 0;
  while (place < ways - 1 && set[place] != line)
    ++place;
  const bool hit = set[place] == line;
  std::copy_backward(set, set + place, set + place + 1);
  set[0] = line;
  return hit;
}

double Channel::serve(double start, double cycles, double now) {
  busy.erase(busy.begin(), llvm::find_if(busy, [&](const Interval &interval) {
               return interval.end >= now;
             }));
  auto next = llvm::find_if(
      busy, [&](const Interval &interval) { return interval.end >= start; });
  // Fills what is free from the start on, and so joins what lies between.
  auto first = next;
  Interval filled{start, start};
  while (next != busy.end() && next->begin <= filled.end + cycles) {
    cycles -= std::max(0.0, next->begin - filled.end);
    filled.begin = std::min(filled.begin, next->begin);
    filled.end = std::max(filled.end, next->end);
    ++next;
  }
  filled.end += cycles;
  busy.insert(busy.erase(first, next), filled);
  return filled.end;
}

MemorySystem::MemorySystem(const Accelerator &accelerator)
    : accelerator(accelerator),
      cache(accelerator.cacheBytes, accelerator.cacheWays),
      lastLevel(accelerator.lastLevelBytes, accelerator.cacheWays) {}

double MemorySystem::missOf(uint64_t line) {
  if (cache.touch(line))
    return 0;
  if (accelerator.lastLevelBytes && !lastLevel.touch(line))
    return accelerator.lastLevelMissCycles;
  return accelerator.cacheMissCycles;
}

Requests MemorySystem::ask(llvm::ArrayRef<DramRows> all, bool isWrite) {
  const int64_t most = accelerator.dmaMaxRequestBytes,
                bus = accelerator.dmaBytesPerCycle;
  Requests requests;
  for (const DramRows &rows : all) {
    if (!accelerator.cacheBytes) {
      requests.count += rows.count * llvm::divideCeil(rows.bytes, most);
      requests.beats += rows.count * llvm::divideCeil(rows.bytes, bus);
      continue;
    }
    if (isWrite && rows.bytes < bus)
      requests.waiting += double(rows.count * accelerator.dmaShortWriteCycles);
    for (int64_t row = 0; row < rows.count; ++row) {
      uint64_t at = rows.row(row);
      for (int64_t left = rows.bytes; left > 0;) {
        int64_t taken = 0, size = bus;
        for (int64_t s = bus; s <= most; s *= 2)
          if (int64_t held = std::min<int64_t>(s - at % s, left);
              held > taken) {
            taken = held;
            size = s;
          }
        ++requests.count;
        requests.beats += size / bus;
        requests.waiting += missOf(at / Cache::kLineBytes);
        at += taken;
        left -= taken;
      }
    }
  }
  return requests;
}

int64_t MemorySystem::serve(llvm::ArrayRef<DramRows> all, int64_t start,
                            int64_t now) {
  int64_t bytes = 0;
  for (const DramRows &rows : all)
    bytes += rows.count * rows.bytes;
  const double cycles = double(bytes) * accelerator.dramCyclesPerByte();
  if (!(cycles > 0))
    return start;
  return int64_t(
      std::ceil(dram.serve(double(start), cycles, double(now)) - 1e-6));
}
