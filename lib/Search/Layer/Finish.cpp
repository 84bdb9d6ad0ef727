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
#include <limits>
#include <utility>

using namespace fadiff;

/// Of what the problem asks for.
static ExactOptions exactOptions(const Problem &problem) {
  ExactOptions exact;
  exact.objective = problem.aim.objective;
  exact.convention = problem.convention;
  exact.latency = problem.latency;
  exact.space = problem.space;
  exact.capacity = Capacity::Rows;
  return exact;
}

void fadiff::closeLayers(const Problem &problem, const ClosureOptions &options,
                         SearchCache *cache, exact::GroupMemory *memory,
                         Budget &budget, Findings &findings) {
  if (options.mostEvaluations <= 0 || problem.foreignCost)
    return;
  // Without a limit every layer gets a bound, however late it is.
  const bool all = std::isinf(options.mostEvaluations);
  ExactOptions exact = exactOptions(problem);
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

std::vector<std::vector<Mapping>>
fadiff::bestOfForms(const Problem &problem, const ClosureOptions &options,
                    Budget &budget) {
  // What has more tiles than this takes what the search has anyhow.
  constexpr double kMostPerForm = 1e5;
  std::vector<std::vector<Mapping>> found(problem.size());
  if (options.mostEvaluations <= 0 || problem.foreignCost ||
      problem.convention != Convention::Machine)
    return found;
  ExactOptions exact = exactOptions(problem);
  exact.mostEvaluations = std::min(options.mostEvaluations, kMostPerForm);
  using Mappings = std::vector<Mapping>;
  forEachInBatches<Mappings>(
      budget, budget.timeLeft(), problem.size(),
      [&](size_t c, Budget &) {
        return exact::bestOfForms(problem.layer(c).layer, problem.target, exact,
                                  budget.timeLeft());
      },
      [&](size_t c, Mappings &mappings) {
        for (Mapping &mapping : mappings)
          if (fits(problem.layer(c).layer, mapping, problem.target))
            found[c].push_back(std::move(mapping));
      },
      [&](size_t) { return !budget.timeIsUp(); });
  return found;
}

namespace {
/// The climbs of one layer, one after the other.
class Climber {
public:
  /// `starts` are legal, and at least one.
  Climber(const LayerProblem &layer, Objective objective, const Mapping &square,
          std::vector<Candidate> candidates, const Goal &goal,
          std::mt19937_64 rng, const Budget &budget,
          const ClimbOptions &options)
      : budget(budget), layer(layer), objective(objective), square(square),
        starts(std::move(candidates)), rng(rng), options(options) {
    auto value = [&](const Candidate &c) { return goal(c.energy, c.cycles); };
    llvm::sort(starts, [&](const Candidate &a, const Candidate &b) {
      // No two in a pool have the same energy.
      return std::pair(value(a), a.energy) < std::pair(value(b), b.energy);
    });
    constexpr size_t kClimbed = 8;
    starts.resize(std::min(starts.size(), kClimbed));
  }

  /// Climbs from where none has begun yet: the square tile, each of the
  /// starts, then random changes of `best` and, in turn, of the starts, or any
  /// mapping. None if there were enough.
  std::optional<Candidate> climbNext(const Mapping &best, const Goal &goal) {
    if (budget.exhausted())
      return std::nullopt;
    const Goal product;
    // A layer alone pulls less to either side than its share of the network
    // does: another way off the plateaus.
    if (std::exchange(isFirst, false) && objective == Objective::Edp)
      return climbFrom(square, product);
    if (next < starts.size()) {
      const Candidate &start = starts[next++];
      Candidate found = climbFrom(start.mapping, goal);
      // The product first: a maximum alone has wide plateaus.
      if (objective != Objective::Edp) {
        const Candidate other =
            climbFrom(climbFrom(start.mapping, product).mapping, goal);
        if (goal(other.energy, other.cycles) < goal(found.energy, found.cycles))
          found = other;
      }
      return found;
    }
    if (restarts >= options.restarts)
      return std::nullopt;
    const unsigned i = restarts++;
    // What is far from all that is known is found from anywhere.
    if (i % 4 == 3)
      return climbFrom(randomPoint(layer, rng), goal);
    const Mapping &from =
        i % 2 == 0 ? best : starts[i / 2 % starts.size()].mapping;
    // Refits cost about as much as all other neighbours.
    return climbFrom(perturb(layer, from, rng), goal, /*refits=*/i % 4 == 0);
  }
  /// What a wider neighbourhood of `best` has.
  std::optional<Candidate> climbLast(const Mapping &best, const Goal &goal) {
    if (budget.exhausted())
      return std::nullopt;
    return climb(layer, best, goal, options.sweeps, budget, /*refits=*/true);
  }

  Budget budget; ///< its own
  unsigned restarts = 0;

private:
  Candidate climbFrom(const Mapping &start, const Goal &goal,
                      bool refits = false) {
    return climb(layer, start, goal, options.sweeps, budget, refits, &ends);
  }

  const LayerProblem layer;
  const Objective objective;
  const Mapping &square;
  std::vector<Candidate> starts; ///< the best first
  std::mt19937_64 rng;
  const ClimbOptions &options;
  bool isFirst = true;
  size_t next = 0;           ///< of the starts
  std::vector<Mapping> ends; ///< of climbs
};
} // namespace

void fadiff::climbLayers(const Problem &problem, const ClimbOptions &options,
                         Purpose purpose, unsigned rounds, Budget &budget,
                         Findings &findings) {
  if (options.sweeps == 0)
    return;
  std::vector<std::pair<size_t, Climber>> climbers;
  for (size_t c = 0; c < problem.size(); ++c)
    if (!findings.isExact(c))
      climbers.push_back(
          {c,
           Climber(problem.layer(c), problem.aim.objective, findings.starts[c],
                   findings.of(c), findings.goal(), problem.stream(purpose, c),
                   budget.share(problem.size()), options)});
  // One climb of each layer in turn: they are equally far when time is up, and
  // each is judged by what all the others have found.
  auto takeTurns = [&](auto climbOf) {
    const Goal goal = findings.goal();
    std::vector<std::optional<Candidate>> found(climbers.size());
    std::vector<uint64_t> before;
    for (auto &[c, climber] : climbers)
      before.push_back(climber.budget.evaluations);
    forEachTask(budget.threads, climbers.size(), [&](size_t i) {
      auto &[c, climber] = climbers[i];
      found[i] = climbOf(climber, findings.best()[c].mapping, goal);
    });
    bool any = false;
    for (auto [i, own] : llvm::enumerate(climbers)) {
      budget.evaluations += own.second.budget.evaluations - before[i];
      if (!found[i])
        continue;
      findings.add(own.first, *found[i]);
      any = true;
    }
    return any;
  };
  const bool isEndless =
      options.restarts == std::numeric_limits<unsigned>::max();
  unsigned turn = 0;
  while (!budget.exhausted() &&
         takeTurns([](Climber &own, const Mapping &best, const Goal &goal) {
           return own.climbNext(best, goal);
         }))
    findings.update("polish", ++turn,
                    isEndless ? turn : std::max(turn, options.restarts));
  for (unsigned round = 0; round < rounds && !budget.exhausted(); ++round) {
    const auto [energy, cycles] = findings.totals();
    takeTurns([](Climber &own, const Mapping &best, const Goal &goal) {
      return own.climbLast(best, goal);
    });
    findings.update("polish", turn, turn);
    const auto [energyThen, cyclesThen] = findings.totals();
    if (!(energyThen * cyclesThen < energy * cycles * (1 - 1e-9)))
      break;
  }
  for (const auto &[c, climber] : climbers)
    findings.result.restartsRun += climber.restarts;
}
