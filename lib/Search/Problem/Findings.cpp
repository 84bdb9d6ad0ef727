//===- Findings.cpp - What a search has found so far ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Findings.h"

#include "Prices.h"

#include "llvm/ADT/STLExtras.h"

using namespace fadiff;

void Findings::add(size_t layerClass, const Candidate &candidate) {
  std::vector<Candidate> &pool = pools[layerClass];
  for (const Candidate &other : pool)
    if (other.energy <= candidate.energy && other.cycles <= candidate.cycles)
      return;
  llvm::erase_if(pool, [&](const Candidate &other) {
    return candidate.energy <= other.energy && candidate.cycles <= other.cycles;
  });
  pool.push_back(candidate);
}

std::pair<double, double> Findings::totals() const {
  auto [energy, cycles] = problem.aim.given;
  for (auto [candidate, count] : llvm::zip(chosen, problem.classCount)) {
    energy += count * candidate.energy;
    cycles += count * candidate.cycles;
  }
  return {energy, cycles};
}

Goal Findings::goal() const {
  auto [energy, cycles] = totals();
  Goal goal{problem.aim.objective, energy, cycles};
  if (problem.aim.limit) {
    goal.energyPrice = prices.energy;
    goal.cyclesPrice = prices.cycles;
  }
  return goal;
}

void Findings::note(double energy, double cycles) {
  if (result.trace.empty() ||
      problem.aim.isBetter({energy, cycles}, {result.trace.back().energy,
                                              result.trace.back().cycles}))
    result.trace.push_back(
        {budget.seconds(), budget.evaluations, energy, cycles});
}

void Findings::update(const char *phase, size_t done, size_t total) {
  const BestSum best = bestSum(pools, problem.classCount, problem.aim);
  prices = best.prices;
  chosen.clear();
  for (auto [pool, index] : llvm::zip(pools, best.indices))
    chosen.push_back(pool[index]);

  auto [energy, cycles] = totals();
  note(energy, cycles);
  if (progress)
    progress({phase, unsigned(done), unsigned(total), energy, cycles,
              budget.evaluations, budget.seconds()});
}
