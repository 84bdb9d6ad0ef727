//===- Dosa.cpp - The searches that ours is compared with -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Searcher.h"
#include "Layerwise.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace fadiff;

/// DOSA's method (Hong et al., MICRO 2023) on this model: per layer continuous
/// factors, Adam, rounding to divisors now and then, the best loop order of
/// three at each level; no fusion and no climb.
void Searcher::runDosa() {
  SearchOptions own = options;
  own.learningRate = options.dosaLearningRate;
  own.snapshotEvery = 0;
  std::vector<Unit> units; // every class by itself
  for (size_t c = 0; c < problem.size(); ++c)
    units.push_back({{problem.firstOfClass[c]}, problem.classCount[c], {}});
  const unsigned segment = std::max(1u, options.dosaRoundEvery);

  // Scaled to the evaluations: fewer starts, then shorter ones. With a time
  // limit alone, starts until it strikes.
  size_t wanted = options.dosaStarts;
  if (options.maxEvaluations > 0) {
    uint64_t steps =
        options.maxEvaluations /
        (problem.size() * kStationaryOrders.size() * kStationaryOrders.size());
    wanted =
        size_t(std::max<uint64_t>(1, steps / std::max(1u, options.dosaSteps)));
    own.dosaSteps = unsigned(std::clamp<uint64_t>(
        steps / wanted, std::min(20u, options.dosaSteps), options.dosaSteps));
  } else if (budget.limited()) {
    wanted = std::numeric_limits<size_t>::max();
  }
  const Budget each = budget.share(wanted);

  struct Start {
    std::vector<std::vector<Candidate>> found;
  };
  const size_t batch = std::max(1u, options.threads);
  for (size_t first = 0; first < wanted; first += batch) {
    if (budget.stopped() || budget.outOfTime())
      break;
    size_t count = std::min(batch, wanted - first);
    std::vector<Start> starts(count);
    std::vector<Budget> budgets(count, each);
    forEachTask(options.threads, count, [&](size_t i) {
      std::mt19937_64 rng = problem.stream(kDescents, uint32_t(first + i));
      StartPoint point;
      for (size_t c = 0; c < problem.size(); ++c)
        point.push_back({first + i == 0 ? heuristic[c]
                                        : randomPoint(problem.layer(c), rng)});
      for (unsigned done = 0; done < own.dosaSteps && !budgets[i].exhausted();
           done += segment) {
        SearchOptions part = own;
        part.steps = std::min(segment, own.dosaSteps - done);
        Descent descent = descend(network(), units, problem.target, part, point,
                                  rng, budgets[i], Factors::Continuous);
        starts[i].found.resize(problem.size());
        for (size_t c = 0; c < problem.size(); ++c) {
          LayerProblem layer = problem.layer(c);
          Mapping m = roundToNearest(layer, descent.mappings[c][0]);
          makeLegal(layer, m);
          for (unsigned dram : kStationaryOrders)
            for (unsigned spad : kStationaryOrders) {
              m.order[Level::Dram] = classOrder(dram);
              m.order[Level::Scratchpad] = classOrder(spad);
              starts[i].found[c].push_back(layer.evaluate(m, budgets[i]));
            }
          point[c][0] = m;
        }
      }
    });
    for (size_t i = 0; i < count; ++i) {
      budget.absorb(budgets[i]);
      ++result.startsRun;
      for (size_t c = 0; c < starts[i].found.size(); ++c)
        for (const Candidate &candidate : starts[i].found[c])
          pools.add(c, candidate);
    }
    update("gradient", first + count,
           std::min<size_t>(
               wanted, std::max<size_t>(first + count, options.dosaStarts)));
  }
}

/// Every layer's optimiser in turn, until the budget is used up.
void Searcher::runLayerwise() {
  std::vector<std::unique_ptr<LayerOptimizer>> optimizers;
  for (size_t c = 0; c < problem.size(); ++c)
    optimizers.push_back(
        createLayerOptimizer(problem.layer(c), options, heuristic[c],
                             problem.stream(kLayers, uint32_t(c))));
  const uint64_t enough = options.optimizer == Optimizer::Bo
                              ? options.boEvaluationsPerLayer
                              : options.evaluationsPerLayer;
  std::vector<uint64_t> spent(problem.size(), 0);
  // Until the totals settle a layer's own product is the better guide.
  for (uint64_t round = 0; !budget.exhausted(); ++round) {
    Goal goal = round == 0 ? Goal{} : networkGoal();
    goal.objective = options.objective;
    std::vector<std::vector<Candidate>> found(problem.size());
    std::vector<Budget> budgets(problem.size(), budget.share(problem.size()));
    std::vector<char> ran(problem.size(), false);
    forEachTask(options.threads, problem.size(), [&](size_t c) {
      if (budgets[c].exhausted() || (!budget.limited() && spent[c] >= enough))
        return;
      optimizers[c]->turn(goal, budgets[c], found[c]);
      ran[c] = true;
    });
    bool any = false;
    uint64_t before = budget.evaluations, most = 0;
    for (size_t c = 0; c < problem.size(); ++c) {
      any |= ran[c];
      budget.absorb(budgets[c]);
      spent[c] += budgets[c].evaluations;
      most = std::max(most, spent[c]);
      for (const Candidate &candidate : found[c])
        pools.add(c, candidate);
    }
    // A turn without an evaluation is one without progress: all is spent.
    if (!any || (budget.evaluations == before && round > 4))
      break;
    update("layers", unsigned(std::min(most, enough)), unsigned(enough));
  }
  for (const auto &optimizer : optimizers)
    result.restartsRun += optimizer->restarts;
}
