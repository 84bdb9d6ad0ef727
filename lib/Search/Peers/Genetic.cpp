//===- Genetic.cpp - A genetic algorithm over one layer -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The standard form: tournament selection, uniform crossover, mutation, elitism
// (Holland 1975; Goldberg 1989). The genome is the factor vectors of the dims
// and the loop orders.
//
//===----------------------------------------------------------------------===//

#include "Peers.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace fadiff;

namespace {

class Genetic {
public:
  Genetic(const LayerProblem &problem, const GeneticOptions &options,
          const Mapping &start, std::mt19937_64 rng)
      : problem(problem), options(options), start(start), rng(rng) {}

  unsigned operator()(const Goal &goal, Budget &budget,
                      std::vector<Candidate> &found) {
    const size_t size = std::max(4u, options.population);
    auto value = [&](const Candidate &c) { return goal(c.energy, c.cycles); };
    if (population.empty()) {
      add(population, begun ? randomPoint(problem, rng) : start, budget, found);
      begun = true;
      while (population.size() < size && !budget.exhausted())
        add(population, randomPoint(problem, rng), budget, found);
      return 0;
    }
    auto least = [&] {
      return std::min_element(population.begin(), population.end(),
                              [&](const Candidate &a, const Candidate &b) {
                                return value(a) < value(b);
                              });
    };
    // A population that is all alike only mutates: begin anew.
    Candidate elite = *least();
    if (llvm::all_of(population, [&](const Candidate &c) {
          return c.mapping == elite.mapping;
        })) {
      population.clear();
      return 1;
    }
    std::vector<Candidate> next = {elite};
    while (next.size() < size && !budget.exhausted()) {
      Mapping child = select(goal).mapping;
      if (chance(options.crossoverRate))
        child = cross(child, select(goal).mapping);
      if (chance(options.mutationRate))
        child = perturb(problem, child, rng);
      makeLegal(problem, child);
      add(next, child, budget, found);
    }
    population = std::move(next);
    return 0;
  }

private:
  bool chance(double p) { return double(rng() >> 11) * 0x1.0p-53 < p; }

  void add(std::vector<Candidate> &to, const Mapping &mapping, Budget &budget,
           std::vector<Candidate> &found) {
    to.push_back(problem.evaluate(mapping, budget));
    found.push_back(to.back());
  }

  const Candidate &select(const Goal &goal) {
    const Candidate *best = nullptr;
    for (unsigned i = 0; i < std::max(1u, options.tournament); ++i) {
      const Candidate &next = population[rng() % population.size()];
      if (!best ||
          goal(next.energy, next.cycles) < goal(best->energy, best->cycles))
        best = &next;
    }
    return *best;
  }

  /// A dim's factors come all from one parent: so they still divide it.
  Mapping cross(const Mapping &a, const Mapping &b) {
    Mapping child = a;
    for (Dim dim : kAllDims)
      if (rng() & 1)
        for (Slot slot : kAllSlots)
          if (slotLimit(problem.layer, problem.target, slot, dim,
                        problem.space) > 1)
            setFactor(problem.layer, child, slot, dim,
                      factorIn(problem.layer, b, slot, dim));
    for (Level level : kAllLevels)
      if (rng() & 1)
        child.order[level] = b.order[level];
    return child;
  }

  LayerProblem problem;
  const GeneticOptions &options;
  Mapping start;
  std::mt19937_64 rng;
  bool begun = false;
  std::vector<Candidate> population;
};

} // namespace

void fadiff::searchGenetic(const Problem &problem,
                           const GeneticOptions &options, uint64_t enough,
                           Budget &budget, Findings &findings) {
  takeTurns(
      problem, enough, budget, findings,
      [&](const LayerProblem &layer, const Mapping &start,
          std::mt19937_64 rng) { return Genetic(layer, options, start, rng); });
}
