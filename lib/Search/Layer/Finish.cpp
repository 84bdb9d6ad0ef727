//===- Finish.cpp - What descents leave to be done on layers --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Finish.h"

#include "../Group/Memory.h"
#include "../Problem/Prices.h"
#include "Enumerator.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace fadiff;

/// How many scratchpad tiles a layer has, about.
void fadiff::closeLayers(const Problem &problem, const ClosureOptions &options,
                         SearchCache *cache, exact::GroupMemory *memory,
                         Budget &budget, Findings &findings) {
  if (options.mostEvaluations <= 0 || problem.foreignCost)
    return;
  // Without a limit every layer gets a bound, however late it is.
  const bool all = std::isinf(options.mostEvaluations);
  ExactOptions exact;
  exact.objective = problem.aim.objective;
  exact.convention = problem.convention;
  exact.latency = problem.latency;
  exact.space = problem.space;
  exact.capacity = Capacity::Rows;
  exact.cache = cache;
  exact.mostEvaluations = options.mostEvaluations;
  using Hull = std::optional<LayerHull>;
  std::vector<std::vector<BoundPoint>> bounds;
  forEachInBatches<Hull>(
      budget, budget.timeLeft(), problem.size(),
      [&](size_t c, Budget &) -> Hull {
        const Layer &layer = problem.layer(c).layer;
        if (!all && budget.timeIsUp())
          return std::nullopt;
        if (memory)
          if (const LayerHull *known = memory->hullOf(layer))
            return *known;
        auto hull =
            enumerateLayer(layer, problem.target, exact, budget.timeLeft());
        if (hull)
          return std::move(*hull);
        llvm::consumeError(hull.takeError()); // the pool has what there is
        return std::nullopt;
      },
      [&](size_t c, Hull &hull) {
        if (!hull)
          return;
        findings.result.enumerated += hull->evaluated;
        for (const Candidate &point : hull->points)
          if (fits(problem.layer(c).layer, point.mapping, problem.target))
            findings.add(c, point);
        findings.result.exactLayers += hull->isExact();
        if (memory && hull->isExact())
          memory->keepHull(problem.layer(c).layer, *hull);
        bounds.push_back(hull->bound);
        findings.hulls[c] = std::move(hull);
      },
      [&](size_t done) {
        findings.update("exact", done, problem.size());
        return true;
      });
  if (bounds.empty() || bounds.size() != problem.size())
    return;
  const double bound = bestSum(bounds, problem.classCount, problem.aim).bound;
  if (std::isfinite(bound)) // else the limit cannot be kept without fusion
    findings.result.unfusedBound = bound;
}

void fadiff::climbLayers(const Problem &problem, const ClimbOptions &options,
                         Purpose purpose, unsigned rounds, Budget &budget,
                         Findings &findings) {
  if (options.sweeps == 0)
    return;
  constexpr size_t kClimbed = 8;
  for (unsigned round = 0; round < rounds; ++round) {
    if (budget.exhausted())
      return;
    const Goal goal = findings.goal();
    const double before = goal.totalEnergy * goal.totalCycles;
    std::vector<std::vector<Candidate>> found(problem.size());
    // They run in this order: each is through before its part of the time is.
    std::vector<Budget> budgets;
    for (size_t c = 0; c < problem.size(); ++c)
      budgets.push_back(budget.within(double(c + 1) / double(problem.size()),
                                      problem.size()));
    auto value = [&](const Candidate &c) { return goal(c.energy, c.cycles); };
    std::vector<unsigned> restarts(problem.size(), 0);
    forEachTask(budget.threads, problem.size(), [&](size_t c) {
      if (findings.isExact(c))
        return;
      LayerProblem layer = problem.layer(c);
      Budget &own = budgets[c];
      std::vector<Candidate> starts = findings.of(c);
      llvm::sort(starts, [&](const Candidate &a, const Candidate &b) {
        // No two in a pool have the same energy.
        return std::pair(value(a), a.energy) < std::pair(value(b), b.energy);
      });
      Candidate best = starts.front();
      auto climbFrom = [&](const Mapping &start, const Goal &goal,
                           bool refits = false) {
        return climb(layer, start, goal, options.sweeps, own, refits);
      };
      auto take = [&](Candidate next) {
        found[c].push_back(next);
        if (value(next) < value(best))
          best = next;
      };
      const Goal product;
      // A layer alone pulls less to either side than its share of the network
      // does: another way off the plateaus.
      if (round == 0 && problem.aim.objective == Objective::Edp)
        take(climbFrom(findings.starts[c], product));
      for (const Candidate &start :
           llvm::ArrayRef(starts).take_front(round == 0 ? kClimbed : 1)) {
        if (own.exhausted())
          return;
        // The product first: a maximum alone has wide plateaus.
        if (problem.aim.objective != Objective::Edp && round == 0)
          take(climbFrom(climbFrom(start.mapping, product).mapping, goal));
        take(climbFrom(start.mapping, goal));
      }
      if (round > 0)
        return;
      std::mt19937_64 rng = problem.stream(purpose, c);
      for (unsigned i = 0; i < options.restarts && !own.exhausted(); ++i) {
        // From the best, and in turn from others that are good.
        const Mapping &from =
            i % 2 == 0
                ? best.mapping
                : starts[i / 2 % std::min(starts.size(), kClimbed)].mapping;
        // Refits cost about as much as all other neighbours.
        take(climbFrom(perturb(layer, from, rng), goal, /*refits=*/i % 4 == 0));
        ++restarts[c];
      }
      take(climbFrom(best.mapping, goal, /*refits=*/true));
    });
    for (size_t c = 0; c < problem.size(); ++c) {
      budget.absorb(budgets[c]);
      findings.result.restartsRun += restarts[c];
      findings.add(c, found[c]);
    }
    findings.update("polish", round + 1, rounds);
    const Goal after = findings.goal();
    if (!(after.totalEnergy * after.totalCycles < before * (1 - 1e-9)))
      return;
  }
}
