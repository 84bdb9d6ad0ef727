//===- DramTracker.cpp - Which DRAM bytes may be touched ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DramTracker.h"

#include <algorithm>

using namespace fadiff;
using namespace fadiff::sim;

//===----------------------------------------------------------------------===//
// DramRanges
//===----------------------------------------------------------------------===//

void DramRanges::add(uint64_t begin, uint64_t bytes) {
  if (bytes == 0)
    return;
  uint64_t end = begin + bytes;
  auto it = ranges.upper_bound(begin);
  if (it != ranges.begin() && std::prev(it)->second >= begin)
    --it;
  while (it != ranges.end() && it->first <= end) {
    begin = std::min(begin, it->first);
    end = std::max(end, it->second);
    it = ranges.erase(it);
  }
  ranges[begin] = end;
}

bool DramRanges::contains(uint64_t begin, uint64_t bytes) const {
  auto it = ranges.upper_bound(begin);
  if (it == ranges.begin())
    return false;
  --it;
  return begin < it->second && bytes <= it->second - begin;
}

//===----------------------------------------------------------------------===//
// ByteSet
//===----------------------------------------------------------------------===//

/// Calls visit(page, word, mask) for every word that [begin, begin + bytes)
/// touches, until it returns true.
template <unsigned PageBits, typename Visit>
static bool forEachWord(uint64_t begin, uint64_t bytes, Visit visit) {
  uint64_t end = begin + bytes;
  for (uint64_t at = begin; at < end;) {
    uint64_t next = std::min((at | 63) + 1, end);
    uint64_t mask = next - at == 64
                        ? ~uint64_t(0)
                        : ((uint64_t(1) << (next - at)) - 1) << (at & 63);
    uint64_t word = (at & ((uint64_t(1) << PageBits) - 1)) / 64;
    if (visit(at >> PageBits, word, mask))
      return true;
    at = next;
  }
  return false;
}

void ByteSet::insert(uint64_t begin, uint64_t bytes) {
  low = std::min(low, begin);
  high = std::max(high, begin + bytes);
  uint64_t known = ~uint64_t(0);
  Page *page = nullptr;
  forEachWord<kPageBits>(
      begin, bytes, [&](uint64_t number, uint64_t word, uint64_t mask) {
        if (number != known) {
          auto [it, isNew] = index.try_emplace(number, pages.size());
          if (isNew)
            pages.push_back({0, {}});
          page = &pages[it->second];
          known = number;
          if (page->epoch != epoch) {
            page->epoch = epoch;
            page->words.fill(0);
          }
        }
        page->words[word] |= mask;
        return false;
      });
}

bool ByteSet::intersects(uint64_t begin, uint64_t bytes) const {
  if (begin >= high || begin + bytes <= low)
    return false;
  uint64_t known = ~uint64_t(0);
  const Page *page = nullptr;
  return forEachWord<kPageBits>(
      begin, bytes, [&](uint64_t number, uint64_t word, uint64_t mask) {
        if (number != known) {
          known = number;
          auto it = index.find(number);
          page = it == index.end() ? nullptr : &pages[it->second];
          if (page && page->epoch != epoch)
            page = nullptr;
        }
        return page && (page->words[word] & mask);
      });
}

void ByteSet::clear() {
  ++epoch;
  low = ~uint64_t(0);
  high = 0;
}
