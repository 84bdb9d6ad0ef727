//===- Layerwise.cpp - Optimisers that take a layer at a time -------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layerwise.h"

#include "fadiff/Search/Baselines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace fadiff;

LayerOptimizer::~LayerOptimizer() = default;

Mapping fadiff::randomPoint(const LayerProblem &problem, std::mt19937_64 &rng) {
  const Layer &layer = problem.layer;
  Mapping m;
  if (problem.divisorsOnly()) {
    for (Dim dim : kAllDims) {
      int64_t rest = layer.dims[dim];
      for (Slot slot : kAllSlots) {
        int64_t limit =
            slotLimit(layer, problem.target, slot, dim, problem.space);
        if (limit <= 1)
          continue;
        std::vector<int64_t> divisors = divisorsUpTo(rest, limit);
        int64_t factor = divisors[rng() % divisors.size()];
        setFactor(layer, m, slot, dim, factor);
        rest /= factor;
      }
    }
  } else {
    // Cannot fail: the layer has a legal mapping, or there were no start.
    m = llvm::cantFail(randomMapping(layer, problem.target, rng));
  }
  for (Level level : kAllLevels)
    m.order[level] = classOrder(unsigned(rng() % kNumClassOrders));
  makeLegal(problem, m);
  return m;
}

namespace {

class RandomSearch : public LayerOptimizer {
public:
  RandomSearch(const LayerProblem &problem, const Mapping &start,
               std::mt19937_64 rng)
      : problem(problem), start(start), rng(rng) {}

  void turn(const Goal &, Budget &budget,
            std::vector<Candidate> &found) override {
    if (!begun)
      found.push_back(problem.evaluate(start, budget));
    begun = true;
    for (unsigned i = 0; i < 256 && !budget.exhausted(); ++i)
      found.push_back(problem.evaluate(randomPoint(problem, rng), budget));
  }

private:
  LayerProblem problem;
  Mapping start;
  std::mt19937_64 rng;
  bool begun = false;
};

/// First from the heuristic's mapping, then from random ones.
class HillClimb : public LayerOptimizer {
public:
  HillClimb(const LayerProblem &problem, const SearchOptions &options,
            const Mapping &start, std::mt19937_64 rng)
      : problem(problem), sweeps(options.polishSweeps), next(start), rng(rng) {}

  void turn(const Goal &goal, Budget &budget,
            std::vector<Candidate> &found) override {
    if (restarts++ > 0)
      next = randomPoint(problem, rng);
    found.push_back(climb(problem, next, goal, sweeps, budget));
  }

private:
  LayerProblem problem;
  unsigned sweeps;
  Mapping next;
  std::mt19937_64 rng;
};

} // namespace

std::unique_ptr<LayerOptimizer>
fadiff::createLayerOptimizer(const LayerProblem &problem,
                             const SearchOptions &options, const Mapping &start,
                             std::mt19937_64 rng) {
  switch (options.optimizer) {
  case Optimizer::Ga:
    return createGenetic(problem, options, start, rng);
  case Optimizer::Bo:
    return createBayesian(problem, options, start, rng);
  case Optimizer::HillClimb:
    return std::make_unique<HillClimb>(problem, options, start, rng);
  default:
    return std::make_unique<RandomSearch>(problem, start, rng);
  }
}
