//===- Decode.cpp - From relaxed factors to a legal mapping ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace fadiff;

Mapping fadiff::roundToNearest(const LayerProblem &problem,
                               const RelaxedMapping &relaxed) {
  Mapping m =
      fillSlots(problem, [&](Slot slot, Dim dim, int64_t left, int64_t limit) {
        const double wanted =
            relaxed.logFactors[static_cast<size_t>(slot)][dim];
        int64_t best = 1;
        auto consider = [&](int64_t factor) {
          if (factor <= limit && std::fabs(std::log(double(factor)) - wanted) <
                                     std::fabs(std::log(double(best)) - wanted))
            best = factor;
        };
        for (int64_t factor : divisorsUpTo(left, limit))
          consider(factor);
        if (slot == Slot::Spatial && !problem.divisorsOnly())
          consider(limit);
        return best;
      });
  m.order = relaxed.order;
  settle(problem.layer, m);
  return m;
}

std::vector<int64_t> fadiff::factorLadder(const LayerProblem &problem,
                                          const Mapping &mapping, Slot slot,
                                          Dim dim) {
  const Layer &layer = problem.layer;
  int64_t limit = slotLimit(layer, problem.target, slot, dim, problem.space);
  int64_t others = 1;
  for (Slot other : kAllSlots)
    if (other != slot)
      others *= factorIn(layer, mapping, other, dim);
  std::vector<int64_t> values;
  if (problem.divisorsOnly()) {
    values = divisorsUpTo(layer.dims[dim] / others, limit);
    llvm::sort(values);
    return values;
  }
  int64_t left = llvm::divideCeilSigned(layer.dims[dim], others);
  limit = std::min(limit, left);
  // All distinct values of ceil(left / n), largest first.
  for (int64_t value = left; value >= 1;) {
    if (value <= limit)
      values.push_back(value);
    if (value == 1)
      break;
    int64_t parts = llvm::divideCeilSigned(left, value - 1);
    value = llvm::divideCeilSigned(left, parts);
  }
  if (values.empty() || values.front() != limit)
    values.insert(values.begin(), limit);
  std::reverse(values.begin(), values.end());
  return values;
}

namespace {

/// How far a mapping's tiles are over what the machine holds, in logs.
double excess(const LayerProblem &problem, const Mapping &mapping) {
  Footprint rows = footprint(problem.layer, mapping);
  auto over = [](int64_t found, int64_t wanted) {
    return found > wanted
               ? std::log(double(found) / double(std::max<int64_t>(wanted, 1)))
               : 0.0;
  };
  return over(rows.outputRows, problem.target.accumulatorRows()) +
         over(rows.inputRows + rows.weightRows,
              problem.target.scratchpadRows());
}

/// Calls `visit` with every mapping that one factor's step up or down the
/// ladder leads to.
template <typename VisitorT>
void forEachStep(const LayerProblem &problem, const Mapping &mapping, bool up,
                 VisitorT visit) {
  for (Dim dim : kAllDims) {
    if (problem.layer.dims[dim] <= 1)
      continue;
    for (Slot slot : kAllSlots) {
      if (slotLimit(problem.layer, problem.target, slot, dim, problem.space) <=
          1)
        continue;
      int64_t factor = factorIn(problem.layer, mapping, slot, dim);
      if (!up && factor <= 1)
        continue;
      std::vector<int64_t> ladder = factorLadder(problem, mapping, slot, dim);
      auto at = llvm::lower_bound(ladder, factor);
      if (up) {
        if (at != ladder.end() && *at == factor)
          ++at;
        if (at == ladder.end())
          continue;
      } else {
        if (at == ladder.begin())
          continue;
        --at;
      }
      Mapping next = mapping;
      setFactor(problem.layer, next, slot, dim, *at);
      settle(problem.layer, next);
      visit(next);
    }
  }
}

void chooseOrders(const LayerProblem &problem, Candidate &best,
                  const Goal &goal, Budget &budget) {
  Mapping m = best.mapping;
  for (unsigned dram : kStationaryOrders)
    for (unsigned spad : kStationaryOrders) {
      m.order[Level::Dram] = classOrder(dram);
      m.order[Level::Scratchpad] = classOrder(spad);
      Candidate next = problem.evaluate(m, budget);
      if (goal(next.energy, next.cycles) < goal(best.energy, best.cycles))
        best = next;
    }
}

} // namespace

Candidate fadiff::decode(const LayerProblem &problem,
                         const RelaxedMapping &relaxed, const Goal &goal,
                         Budget &budget) {
  Candidate best = problem.evaluate(roundToNearest(problem, relaxed), budget);
  double over = excess(problem, best.mapping);
  while (over > 0) {
    double value = std::log(goal(best.energy, best.cycles)), bestRate = 0;
    Candidate chosen;
    double chosenOver = over;
    bool found = false;
    forEachStep(problem, best.mapping, /*up=*/false, [&](const Mapping &m) {
      double left = excess(problem, m);
      if (!(left < over))
        return;
      Candidate next = problem.evaluate(m, budget);
      double rate =
          (std::log(goal(next.energy, next.cycles)) - value) / (over - left);
      if (found && rate >= bestRate)
        return;
      found = true;
      bestRate = rate;
      chosen = next;
      chosenOver = left;
    });
    if (!found) { // the smallest steps alone free nothing: halve outright
      Mapping m = best.mapping;
      makeLegal(problem, m);
      best = problem.evaluate(m, budget);
      break;
    }
    best = chosen;
    over = chosenOver;
  }
  chooseOrders(problem, best, goal, budget);
  for (bool grew = true; grew && !budget.exhausted();) {
    grew = false;
    Candidate chosen = best;
    forEachStep(problem, best.mapping, /*up=*/true, [&](const Mapping &m) {
      if (!fits(problem.layer, m, problem.target))
        return;
      Candidate next = problem.evaluate(m, budget);
      if (goal(next.energy, next.cycles) <
          goal(chosen.energy, chosen.cycles) * (1 - 1e-12)) {
        chosen = next;
        grew = true;
      }
    });
    best = chosen;
    if (grew)
      chooseOrders(problem, best, goal, budget);
  }
  return best;
}
