//===- Factors.h - Editing the factors of a mapping -------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small steps between mappings that decoding, polishing and baselines share.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_PROBLEM_FACTORS_H
#define FADIFF_LIB_SEARCH_PROBLEM_FACTORS_H

#include "fadiff/Schedule/Schedule.h"
#include "fadiff/Search/Space.h"

#include <cstdint>
#include <vector>

namespace fadiff {

/// The classes of loops that matter for order: each is irrelevant to just one
/// tensor, so only which class is innermost decides what stays put.
enum class LoopClass : uint8_t {
  OutputChannels, ///< K: innermost, I stays
  Pixels,         ///< N, P, Q: innermost, W stays
  Reductions,     ///< C, R, S: innermost, O stays
};
/// The six orders of the classes, innermost first; G is always outermost.
inline constexpr unsigned kNumClassOrders = 6;
LoopOrder classOrder(unsigned index);
/// Indices of the three orders that the relaxed search mixes: weight-, input-
/// and output-stationary.
inline constexpr std::array<unsigned, 3> kStationaryOrders = {2, 0, 4};

/// Places a factor of a dim can be in, from the array outwards.
enum class Slot : uint8_t { Spatial, Registers, Accumulator, Scratchpad };
inline constexpr std::array<Slot, 4> kAllSlots = {
    Slot::Spatial, Slot::Registers, Slot::Accumulator, Slot::Scratchpad};

/// Largest legal factor of `dim` in `slot` that `space` has; 1 if the dim
/// cannot be there.
int64_t slotLimit(const Layer &layer, const Accelerator &target, Slot slot,
                  Dim dim, const SearchSpace &space);
/// The factor in the slot. Expects slotLimit > 1 or returns 1.
int64_t factorIn(const Layer &layer, const Mapping &mapping, Slot slot,
                 Dim dim);
void setFactor(const Layer &layer, Mapping &mapping, Slot slot, Dim dim,
               int64_t factor);

/// Clips factors that reach beyond the bound and gives DRAM what is left.
void settle(const Layer &layer, Mapping &mapping);
/// Whether every tile divides the next outer one.
bool dividesEvenly(const Layer &layer, const Mapping &mapping);
/// Whether the tiles fit the machine (the capacity rules of verify()).
bool fits(const Layer &layer, const Mapping &mapping,
          const Accelerator &target);
/// Makes tiles smaller until they fit: weight taps and reductions first in the
/// scratchpad, pixels first in the accumulator.
void shrinkToFit(const Layer &layer, Mapping &mapping,
                 const Accelerator &target);
/// Replaces factors by divisors of what remains, none larger than before.
void roundToDivisors(const Layer &layer, Mapping &mapping);

/// The divisors of `bound` up to `limit`, in no particular order.
std::vector<int64_t> divisorsUpTo(int64_t bound, int64_t limit);

/// What the relaxed search lets a factor of something of size `bound` become,
/// ascending: divisors and, unless `divisorsOnly`, the limit. Never empty.
std::vector<int64_t> factorChoices(int64_t bound, int64_t limit,
                                   bool divisorsOnly);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_PROBLEM_FACTORS_H
