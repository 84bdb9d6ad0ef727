//===- Climb.cpp - Hill climbs on the exact cost --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Climb.h"

#include "fadiff/Search/Baselines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace fadiff;

Candidate LayerProblem::evaluate(const Mapping &mapping, Budget &budget,
                                 const FusedEnds<double> &fused) const {
  ++budget.evaluations;
  LayerCost found = cost.evaluate(layer, mapping, target, fused);
  return {mapping, found.energy, found.cycles};
}

void fadiff::makeLegal(const LayerProblem &problem, Mapping &mapping) {
  if (problem.space.isSerial(problem.layer))
    mapping.cols = 1;
  shrinkToFit(problem.layer, mapping, problem.target);
  if (!problem.divisorsOnly())
    return;
  // A smaller spatial factor leaves more blocks of channels in a tile, each of
  // which has rows of its own: what fitted before need not fit any more. No
  // factor grows, so this ends.
  roundToDivisors(problem.layer, mapping);
  while (!fits(problem.layer, mapping, problem.target)) {
    const Mapping before = mapping;
    shrinkToFit(problem.layer, mapping, problem.target);
    roundToDivisors(problem.layer, mapping);
    if (mapping == before)
      break;
  }
}

/// 2, 3 and the prime factors of `bound`.
static llvm::SmallVector<int64_t, 6> stepPrimes(int64_t bound) {
  llvm::SmallVector<int64_t, 6> primes = {2, 3};
  for (int64_t p = 2; bound > 1; ++p) {
    if (p * p > bound)
      p = bound;
    if (bound % p)
      continue;
    while (bound % p == 0)
      bound /= p;
    if (!llvm::is_contained(primes, p))
      primes.push_back(p);
  }
  return primes;
}

namespace {
/// One sweep around a moving centre.
class Sweep {
public:
  Sweep(const Layer &layer, const Neighbourhood &neighbourhood,
        const Mapping &centre, llvm::function_ref<bool(const Mapping &)> visit)
      : layer(layer), target(neighbourhood.target), space(neighbourhood.space),
        neighbourhood(neighbourhood), centre(centre), visit(visit) {}

  void run() {
    for (Dim dim : kAllDims)
      if (layer.dims[dim] > 1)
        steps(dim);
    for (Level level : {Level::Scratchpad, Level::Dram})
      orders(level);
    for (Slot slot : {Slot::Registers, Slot::Accumulator, Slot::Scratchpad})
      trades(slot);
    if (neighbourhood.accumulatorOrders)
      orders(Level::Accumulator);
    if (neighbourhood.refits)
      refits();
  }

private:
  int64_t get(const Mapping &m, Slot slot, Dim dim) const {
    return factorIn(layer, m, slot, dim);
  }
  /// False if the factor does not go into the slot.
  bool set(Mapping &m, Slot slot, Dim dim, int64_t factor) const {
    if (factor < 1 || factor > slotLimit(layer, target, slot, dim, space))
      return false;
    setFactor(layer, m, slot, dim, factor);
    return true;
  }
  void offer(Mapping &m) {
    settle(layer, m);
    if (m == centre)
      return;
    if (visit(m))
      centre = m;
  }

  void steps(Dim dim) {
    for (int64_t prime : stepPrimes(layer.dims[dim])) {
      for (Slot from : kAllSlots) {
        // Give the factor to DRAM, or take it from there.
        Mapping down = centre;
        int64_t factor = get(centre, from, dim);
        if (factor > 1 &&
            set(down, from, dim, llvm::divideCeilSigned(factor, prime)))
          offer(down);
        Mapping up = centre;
        if (set(up, from, dim, get(centre, from, dim) * prime))
          offer(up);
        for (Slot to : kAllSlots) {
          factor = get(centre, from, dim);
          if (to == from || factor <= 1)
            continue;
          Mapping moved = centre;
          if (set(moved, from, dim, llvm::divideCeilSigned(factor, prime)) &&
              set(moved, to, dim, get(centre, to, dim) * prime))
            offer(moved);
        }
      }
    }
    for (Slot slot : kAllSlots) {
      int64_t limit = slotLimit(layer, target, slot, dim, space);
      if (limit <= 1)
        continue;
      for (int64_t step : {-1, 1}) {
        Mapping m = centre;
        if (set(m, slot, dim, get(centre, slot, dim) + step))
          offer(m);
      }
      Mapping full = centre;
      if (set(full, slot, dim, limit))
        offer(full);
      // A tile of one n-th of the bound, so that the last tile is not a sliver.
      int64_t others = 1;
      for (Slot other : kAllSlots)
        if (other != slot)
          others *= get(centre, other, dim);
      for (int64_t parts : {1, 2, 3, 4, 5, 6, 8}) {
        Mapping m = centre;
        int64_t extent = llvm::divideCeilSigned(layer.dims[dim], parts);
        if (set(m, slot, dim,
                std::min(limit, llvm::divideCeilSigned(extent, others))))
          offer(m);
      }
    }
  }

  void orders(Level level) {
    for (unsigned index = 0; index < kNumClassOrders; ++index) {
      Mapping m = centre;
      m.order[level] = classOrder(index);
      offer(m);
    }
  }

  /// One dim's tile grows at the cost of another's.
  void trades(Slot slot) {
    for (Dim grow : kAllDims)
      for (Dim shrink : kAllDims) {
        if (grow == shrink || slotLimit(layer, target, slot, grow, space) <= 1)
          continue;
        for (int64_t prime : {2, 3, 7}) {
          int64_t factor = get(centre, slot, shrink);
          if (factor <= 1)
            break;
          Mapping m = centre;
          if (set(m, slot, shrink, llvm::divideCeilSigned(factor, prime)) &&
              set(m, slot, grow, get(centre, slot, grow) * prime))
            offer(m);
        }
      }
  }

  /// The number of tiles that DRAM cuts a dim into.
  int64_t parts(const Mapping &m, Dim dim) const {
    return llvm::divideCeilSigned(layer.dims[dim],
                                  m.tile(layer, Level::Scratchpad, dim));
  }
  /// Makes the tile one n-th of the dim, with what the array leaves of it in
  /// one slot. False if it does not go there.
  bool cutInto(Mapping &m, Dim dim, int64_t n, Slot slot) const {
    for (Slot other : {Slot::Registers, Slot::Accumulator, Slot::Scratchpad})
      if (other != slot)
        setFactor(layer, m, other, dim, 1);
    return set(
        m, slot, dim,
        llvm::divideCeilSigned(llvm::divideCeilSigned(layer.dims[dim], n),
                               m.spatial(layer, dim)));
  }
  void refits() {
    constexpr int64_t kMostParts = 64;
    constexpr Slot slots[] = {Slot::Registers, Slot::Accumulator,
                              Slot::Scratchpad};
    for (Dim cut : kAllDims)
      for (Dim grown : kAllDims) {
        if (cut == grown || layer.dims[cut] <= 1 || layer.dims[grown] <= 1)
          continue;
        const int64_t before = parts(centre, cut);
        for (int64_t n : {before - 1, before + 1})
          for (Slot slot : slots)
            for (Slot room : slots) {
              Mapping m = centre;
              if (n < 1 || n > layer.dims[cut] || !cutInto(m, cut, n, slot))
                continue;
              for (int64_t k = 1; k <= kMostParts && k <= layer.dims[grown];
                   ++k) {
                if (!cutInto(m, grown, k, room))
                  continue;
                if (!fits(layer, m, target))
                  continue;
                offer(m);
                break;
              }
            }
      }
  }

  const Layer &layer;
  const Accelerator &target;
  const SearchSpace &space;
  const Neighbourhood &neighbourhood;
  Mapping centre;
  llvm::function_ref<bool(const Mapping &)> visit;
};
} // namespace

void fadiff::forEachNeighbour(const Layer &layer,
                              const Neighbourhood &neighbourhood,
                              const Mapping &centre,
                              llvm::function_ref<bool(const Mapping &)> visit) {
  Sweep(layer, neighbourhood, centre, visit).run();
}

void fadiff::climb(llvm::ArrayRef<Place> places,
                   const Neighbourhood &neighbourhood, unsigned maxSweeps,
                   double gain, const Budget &budget, const double &value,
                   llvm::function_ref<bool(size_t, const Mapping &)> take) {
  for (unsigned sweep = 0; sweep < maxSweeps; ++sweep) {
    const double before = value;
    for (auto [index, place] : llvm::enumerate(places)) {
      if (budget.exhausted())
        return;
      forEachNeighbour(place.layer, neighbourhood, place.mapping,
                       [&, index = index](const Mapping &next) {
                         return take(index, next);
                       });
    }
    if (!(value < before * (1 - gain)))
      return;
  }
}

Candidate fadiff::climb(const LayerProblem &problem, const Mapping &start,
                        const Goal &goal, unsigned maxSweeps, Budget &budget,
                        bool refits, std::vector<Mapping> *ends) {
  Candidate best = problem.evaluate(start, budget);
  double least = goal(best.energy, best.cycles);
  // A sweep that gains less than this will not lead anywhere.
  constexpr double kGain = 1e-6;
  bool isKnown = false;
  climb(Place{problem.layer, best.mapping},
        {problem.target, problem.space, /*accumulatorOrders=*/false, refits},
        maxSweeps, kGain, budget, least, [&](size_t, const Mapping &m) {
          if (isKnown)
            return false;
          if (problem.divisorsOnly() && !dividesEvenly(problem.layer, m))
            return false;
          if (!fits(problem.layer, m, problem.target))
            return false;
          Candidate next = problem.evaluate(m, budget);
          double value = goal(next.energy, next.cycles);
          if (!(value < least * (1 - 1e-12)))
            return false;
          least = value;
          best = next;
          isKnown = ends && llvm::is_contained(*ends, m);
          return true;
        });
  if (ends && !isKnown && !budget.exhausted())
    ends->push_back(best.mapping);
  return best;
}

Mapping fadiff::perturb(const LayerProblem &problem, const Mapping &mapping,
                        std::mt19937_64 &rng) {
  const Layer &layer = problem.layer;
  auto pick = [&](uint64_t n) { return int64_t(rng() % n); };
  llvm::SmallVector<std::pair<Slot, Dim>, 24> places;
  for (Dim dim : kAllDims)
    for (Slot slot : kAllSlots)
      if (slotLimit(layer, problem.target, slot, dim, problem.space) > 1)
        places.push_back({slot, dim});
  Mapping m = mapping;
  for (int64_t changes = places.empty() ? 0 : 2 + pick(4); changes > 0;
       --changes) {
    auto [slot, dim] = places[pick(places.size())];
    int64_t limit = slotLimit(layer, problem.target, slot, dim, problem.space);
    int64_t factor = factorIn(layer, m, slot, dim);
    switch (pick(5)) {
    case 0:
      factor *= 2;
      break;
    case 1:
      factor *= 3;
      break;
    case 2:
      factor = llvm::divideCeilSigned(factor, 2);
      break;
    case 3:
      factor = limit;
      break;
    default:
      factor = 1;
      break;
    }
    setFactor(layer, m, slot, dim, std::min(factor, limit));
  }
  for (Level level : {Level::Scratchpad, Level::Dram})
    if (pick(3) == 0)
      m.order[level] = classOrder(unsigned(pick(kNumClassOrders)));
  makeLegal(problem, m);
  return m;
}

Mapping fadiff::fillSlots(
    const LayerProblem &problem,
    llvm::function_ref<int64_t(Slot, Dim, int64_t left, int64_t limit)>
        choose) {
  const Layer &layer = problem.layer;
  Mapping m;
  for (Dim dim : kAllDims) {
    int64_t left = layer.dims[dim];
    for (Slot slot : kAllSlots) {
      const int64_t limit =
          slotLimit(layer, problem.target, slot, dim, problem.space);
      if (limit <= 1)
        continue;
      const int64_t factor = choose(slot, dim, left, limit);
      setFactor(layer, m, slot, dim, factor);
      left = llvm::divideCeilSigned(left, factor);
    }
  }
  return m;
}

Mapping fadiff::randomPoint(const LayerProblem &problem, std::mt19937_64 &rng,
                            bool repairs) {
  const Layer &layer = problem.layer;
  Mapping m;
  if (problem.divisorsOnly()) {
    m = fillSlots(problem, [&](Slot, Dim, int64_t left, int64_t limit) {
      const std::vector<int64_t> divisors = divisorsUpTo(left, limit);
      return divisors[rng() % divisors.size()];
    });
  } else {
    // Cannot fail: the layer has a legal mapping, or there were no start.
    m = llvm::cantFail(randomMapping(layer, problem.target, rng, repairs));
  }
  for (Level level : kAllLevels)
    m.order[level] = classOrder(unsigned(rng() % kNumClassOrders));
  if (repairs) {
    makeLegal(problem, m);
    return m;
  }
  if (problem.space.isSerial(layer))
    m.cols = 1;
  settle(layer, m);
  return m;
}
