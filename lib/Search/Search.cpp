//===- Search.cpp - Mapping and fusion search -----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Search.h"
#include "fadiff/CostModel/LoopLatency.h"

#include "Group/TieBreak.h"
#include "Searcher.h"

#include "fadiff/Search/Baselines.h"
#include "fadiff/Search/Cache.h"
#include "fadiff/Search/Exact.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace fadiff;

static constexpr unsigned kMostStarts = 1000000, kMostSteps = 1000000,
                          kMostThreads = 4096;
/// Points of one descent that are decoded.
static constexpr unsigned kMostSnapshots = 1000;

/// Whether enumerating a layer takes seconds at most, by the number of its
/// scratchpad tiles: an estimate that does not depend on the machine's speed,
/// as a time limit would.
static bool isAffordable(const Layer &layer, const ExactOptions &options) {
  constexpr double kMostTiles = 5e6; // about 2 s where tiles need not divide
  double tiles = 1;
  for (Dim dim : kAllDims) {
    const int64_t bound = layer.dims[dim];
    // Divisors, or the distinct values of bound / n rounded up.
    tiles *= options.wantsDivisors()
                 ? double(divisorsUpTo(bound, bound).size())
                 : std::min(double(bound), 2 * std::sqrt(double(bound)));
  }
  return tiles <= kMostTiles;
}

void Searcher::update(const char *phase, size_t done, size_t total) {
  chosen = pools.choose();
  auto [energy, cycles] = totalsOf(problem, chosen);
  if (result.trace.empty() ||
      result.value(energy, cycles) <
          result.value(result.trace.back().energy, result.trace.back().cycles))
    result.trace.push_back(
        {budget.seconds(), budget.evaluations, energy, cycles});
  if (!options.progress)
    return;
  Progress progress;
  progress.phase = phase;
  progress.done = unsigned(done);
  progress.total = unsigned(total);
  progress.energy = energy;
  progress.cycles = cycles;
  progress.evaluations = budget.evaluations;
  progress.seconds = budget.seconds();
  options.progress(progress);
}

llvm::Error Searcher::startFromHeuristic() {
  for (size_t c = 0; c < problem.size(); ++c) {
    LayerProblem layer = problem.layer(c);
    auto mapping = options.optimizer == Optimizer::Heuristic
                       ? heuristicMapping(layer.layer, problem.target)
                       : squareTileMapping(layer.layer, problem.target);
    if (!mapping)
      return mapping.takeError();
    makeLegal(layer, *mapping);
    heuristic.push_back(*mapping);
    pools.add(c, layer.evaluate(*mapping, budget));
  }
  update("start", problem.size(), problem.size());
  return llvm::Error::success();
}

void Searcher::descendFromStarts() {
  struct Start {
    Descent descent;
    std::vector<std::vector<Candidate>> found; ///< per class
    bool done = false;
  };
  // With few evaluations to use: fewer descents, then shorter ones, so that
  // each still cools down. Decoding takes about as much again as descending.
  SearchOptions scaled = options;
  if (options.maxEvaluations > 0) {
    uint64_t layers = 0;
    for (const Unit &unit : chains.units)
      layers += unit.layers.size();
    uint64_t perStep = std::max<uint64_t>(1, layers * 25);
    uint64_t steps = options.maxEvaluations / perStep;
    scaled.starts = unsigned(std::clamp<uint64_t>(
        steps / std::max(1u, options.steps), 1, options.starts));
    scaled.steps = unsigned(std::clamp<uint64_t>(
        steps / scaled.starts, std::min(20u, options.steps), options.steps));
  }
  // All snapshots of a descent are held until it has ended.
  if (scaled.snapshotEvery > 0)
    scaled.snapshotEvery =
        std::max(scaled.snapshotEvery, scaled.steps / kMostSnapshots);
  const size_t wanted = options.starts > 0 ? scaled.starts : 0;
  const Budget each = budget.share(std::max<size_t>(1, wanted));
  // Of the batch that runs: there may be any number of starts.
  std::vector<Start> starts;
  std::vector<Budget> budgets;
  const Goal goal = networkGoal();
  double bestLoss = 0;

  auto run = [&](size_t number, Start &start, Budget &own) {
    if (own.exhausted())
      return;
    std::mt19937_64 rng = problem.stream(kDescents, uint32_t(number));
    StartPoint point;
    for (const Unit &unit : chains.units) {
      point.emplace_back();
      for (unsigned layer : unit.layers) {
        unsigned c = problem.classOf[layer];
        // Cannot fail: the heuristic found a mapping.
        point.back().push_back(
            number == 0 ? heuristic[c]
                        : llvm::cantFail(randomMapping(network().layers[layer],
                                                       problem.target, rng)));
      }
    }
    start.descent = descend(network(), chains.units, problem.target, scaled,
                            point, rng, own);
    start.found.resize(problem.size());
    auto take = [&](const RelaxedPoint &relaxed) {
      std::vector<bool> done(problem.size(), false);
      for (auto [unit, mappings] : llvm::zip(chains.units, relaxed))
        for (auto [layer, mapping] : llvm::zip(unit.layers, mappings)) {
          unsigned c = problem.classOf[layer];
          if (done[c] || own.stopped() || own.outOfTime())
            continue; // also in another unit
          done[c] = true;
          start.found[c].push_back(
              decode(problem.layer(c), mapping, goal, own));
        }
    };
    for (const RelaxedPoint &snapshot : start.descent.snapshots)
      take(snapshot);
    take(start.descent.mappings);
    start.descent.snapshots.clear();
    start.done = true;
  };
  // As many at once as there are threads; results are taken in their order.
  const size_t batch = std::max(1u, options.threads);
  for (size_t first = 0; first < wanted; first += batch) {
    if (budget.stopped() || budget.outOfTime())
      break;
    const size_t count = std::min(batch, wanted - first);
    starts.assign(count, {});
    budgets.assign(count, each);
    forEachTask(options.threads, count,
                [&](size_t i) { run(first + i, starts[i], budgets[i]); });
    for (size_t i = 0; i < count; ++i) {
      budget.absorb(budgets[i]);
      if (!starts[i].done)
        continue;
      ++result.startsRun;
      for (size_t c = 0; c < problem.size(); ++c)
        for (const Candidate &candidate : starts[i].found[c])
          pools.add(c, candidate);
      if (first + i == 0 || starts[i].descent.loss < bestLoss) {
        bestLoss = starts[i].descent.loss;
        gates = std::move(starts[i].descent.gates);
      }
    }
    update("gradient", first + count, wanted);
  }
}

/// Enumerates each layer where that is affordable.
void Searcher::close() {
  exact.assign(problem.size(), false);
  const bool all = options.optimizer == Optimizer::Exact;
  if ((!options.closure && !all) || options.cost)
    return;
  struct Closed {
    std::optional<LayerHull> hull;
  };
  std::vector<Closed> closed(problem.size());
  auto run = [&](size_t c) {
    if (!all && (budget.stopped() || budget.outOfTime()))
      return;
    ExactOptions exactOptions;
    exactOptions.objective = options.objective;
    exactOptions.convention = options.convention;
    exactOptions.space = options.space;
    exactOptions.capacity = Capacity::Rows;
    exactOptions.timeLimit = budget.secondsLeft();
    exactOptions.stop = options.stop;
    exactOptions.cache = options.cache;
    if (!all && !isAffordable(problem.layer(c).layer, exactOptions))
      return;
    auto hull = exactHull(problem.layer(c).layer, problem.target, exactOptions);
    if (!hull) {
      llvm::consumeError(hull.takeError()); // the pool has what there is
      return;
    }
    closed[c].hull = std::move(*hull);
  };
  const size_t batch = std::max(1u, options.threads);
  std::vector<std::vector<Corner>> corners;
  hulls.resize(problem.size());
  for (size_t first = 0; first < closed.size(); first += batch) {
    size_t count = std::min(batch, closed.size() - first);
    forEachTask(options.threads, count, [&](size_t i) { run(first + i); });
    for (size_t c = first; c < first + count; ++c) {
      if (!closed[c].hull)
        continue;
      const LayerHull &hull = *closed[c].hull;
      result.enumerated += hull.evaluated;
      for (const HullPoint &point : hull.points)
        if (fits(problem.layer(c).layer, point.mapping, problem.target))
          pools.add(c, {point.mapping, point.energy, point.cycles});
      exact[c] = hull.isExact();
      result.exactLayers += exact[c];
      corners.emplace_back();
      for (const BoundPoint &point : hull.bound)
        corners.back().push_back({point.energy, point.cycles, 0});
      hulls[c] = std::move(*closed[c].hull);
    }
    update("exact", first + count, closed.size());
  }
  if (!corners.empty() && corners.size() == problem.size())
    result.unfusedBound =
        chooseCorners(corners, problem.classCount, options.objective).value;
}

/// Iterated local search on what was not enumerated: climb from the best few,
/// leave the optimum by a few random changes, climb again.
void Searcher::climb(uint32_t stream, unsigned wantedRestarts,
                     unsigned rounds) {
  if (options.polishSweeps == 0)
    return;
  constexpr size_t kClimbed = 8;
  for (unsigned round = 0; round < rounds; ++round) {
    if (budget.exhausted())
      return;
    const Goal goal = networkGoal();
    const double before = goal.totalEnergy * goal.totalCycles;
    std::vector<std::vector<Candidate>> found(problem.size());
    std::vector<Budget> budgets(
        problem.size(), budget.share(std::max<size_t>(1, problem.size())));
    auto value = [&](const Candidate &c) { return goal(c.energy, c.cycles); };
    std::vector<unsigned> restarts(problem.size(), 0);
    forEachTask(options.threads, problem.size(), [&](size_t c) {
      if (!exact.empty() && exact[c])
        return;
      LayerProblem layer = problem.layer(c);
      Budget &own = budgets[c];
      std::vector<Candidate> starts = pools.of(c);
      llvm::sort(starts, [&](const Candidate &a, const Candidate &b) {
        // No two in a pool have the same energy.
        return std::pair(value(a), a.energy) < std::pair(value(b), b.energy);
      });
      Candidate best = starts.front();
      auto take = [&](Candidate next) {
        found[c].push_back(next);
        if (value(next) < value(best))
          best = next;
      };
      if (round == 0 && options.objective == Objective::Edp) {
        // A layer alone pulls less to either side than its share of the
        // network does: another way off the plateaus.
        Goal product;
        take(fadiff::climb(layer, heuristic[c], product, options.polishSweeps,
                           own));
      }
      for (const Candidate &start :
           llvm::ArrayRef(starts).take_front(round == 0 ? kClimbed : 1)) {
        if (own.exhausted())
          return;
        if (options.objective != Objective::Edp && round == 0) {
          // The product first: a maximum alone has wide plateaus.
          Goal product;
          take(fadiff::climb(layer,
                             fadiff::climb(layer, start.mapping, product,
                                           options.polishSweeps, own)
                                 .mapping,
                             goal, options.polishSweeps, own));
        }
        take(fadiff::climb(layer, start.mapping, goal, options.polishSweeps,
                           own));
      }
      if (round > 0)
        return;
      std::mt19937_64 rng = problem.stream(stream, uint32_t(c));
      for (unsigned i = 0; i < wantedRestarts && !own.exhausted(); ++i) {
        take(fadiff::climb(layer, perturb(layer, best.mapping, rng), goal,
                           options.polishSweeps, own));
        ++restarts[c];
      }
    });
    for (size_t c = 0; c < problem.size(); ++c) {
      budget.absorb(budgets[c]);
      result.restartsRun += restarts[c];
      for (const Candidate &candidate : found[c])
        pools.add(c, candidate);
    }
    update("polish", round + 1, rounds);
    const Goal after = networkGoal();
    if (!(after.totalEnergy * after.totalCycles < before * (1 - 1e-9)))
      return;
  }
}

llvm::Expected<SearchResult> Searcher::finish() {
  std::tie(result.unfusedEnergy, result.unfusedCycles) =
      totalsOf(problem, chosen);
  for (unsigned c : problem.classOf)
    result.schedule.mappings.push_back(chosen[c].mapping);
  if (options.optimizer == Optimizer::Heuristic) {
    for (unsigned layer = 0; layer < network().layers.size(); ++layer)
      result.schedule.groups.push_back({{layer}});
    for (EdgeDecision &decision : result.edges)
      if (decision.reason.empty())
        decision.reason = "the optimizer 'heuristic' fuses nothing";
  } else {
    std::vector<ClassAlone> alone;
    for (size_t c = 0; c < problem.size(); ++c) {
      alone.push_back({chosen[c], pools.of(c), {}});
      if (hulls.empty())
        continue;
      alone.back().bound = hulls[c].bound;
      if (!exact[c])
        continue;
      // Nothing else in the pool is of use, and the same points tell that the
      // bound is met.
      alone.back().candidates.clear();
      for (const HullPoint &point : hulls[c].points)
        alone.back().candidates.push_back(
            {point.mapping, point.energy, point.cycles});
    }
    partition(problem, chains, alone, gates, budget, result);
  }
  if (options.progress && options.optimizer != Optimizer::Heuristic)
    update("fusion", chains.units.size(), chains.units.size());
  // The streams are those of the machine's programs, and the library's rule is
  // what it is.
  if (options.optimizer != Optimizer::Heuristic && !options.cost &&
      options.convention == Convention::Machine)
    breakTies(network(), problem.target, problem.cost, options.space,
              result.schedule, budget);
  chooseLoops(network(), result.schedule, problem.target, options.loopUnit);
  if (llvm::Error error = verify(network(), result.schedule, problem.target))
    return std::move(error);
  result.cost = evaluateSchedule(network(), result.schedule, problem.target,
                                 problem.cost);
  result.cost.convention = options.convention;
  result.evaluations = budget.evaluations;
  result.seconds = budget.seconds();
  if (result.trace.empty() ||
      result.value() <
          result.value(result.trace.back().energy, result.trace.back().cycles))
    result.trace.push_back({result.seconds, result.evaluations,
                            result.cost.energy, result.cost.cycles});
  if (result.ended == Ended::Done)
    result.ended = endedBy();
  // With nothing to fuse the two problems are one.
  if (!chains.mayMissGroups && chains.nothingToFuse()) {
    result.bound = result.unfusedBound;
    result.boundsAll = result.bound.has_value();
  }
  return std::move(result);
}

llvm::Expected<SearchResult> Searcher::run() {
  result.optimizer = options.optimizer;
  result.objective = options.objective;
  result.space = options.space;
  result.seed = options.seed;
  result.distinctLayers = unsigned(problem.size());
  result.edges.resize(network().edges.size());
  for (auto [index, reason] : llvm::enumerate(chains.edgeReasons)) {
    result.edges[index].edge = unsigned(index);
    result.edges[index].reason = reason;
  }
  if (problem.size() == 0)
    return std::move(result);
  if (llvm::Error error = startFromHeuristic())
    return std::move(error);
  // What comes last, the search for groups, must not find an empty purse.
  const bool canFuse =
      options.optimizer != Optimizer::Heuristic && !chains.nothingToFuse();
  if (canFuse)
    budget.useOnly(0.8);
  switch (options.optimizer) {
  case Optimizer::Fadiff:
    descendFromStarts();
    // A little climbing first: if the time limit strikes while layers are
    // enumerated, those not reached are good already.
    if (options.closure && budget.limited())
      climb(kFirstClimb, std::min(16u, options.restarts), 1);
    close();
    climb(kRestarts, options.restarts, 4);
    break;
  case Optimizer::Dosa:
    runDosa();
    break;
  case Optimizer::Ga:
  case Optimizer::Bo:
  case Optimizer::HillClimb:
  case Optimizer::Random:
    runLayerwise();
    break;
  case Optimizer::Exact:
    close();
    break;
  case Optimizer::Heuristic:
    break;
  }
  result.ended = endedBy();
  budget.useOnly(1);
  return finish();
}

/// More than anybody has time or memory for is a slip of the pen.
static llvm::Error checkEffort(const SearchOptions &options) {
  const std::tuple<const char *, unsigned, unsigned> limits[] = {
      {"starts", options.starts, kMostStarts},
      {"steps", options.steps, kMostSteps},
      {"threads", options.threads, kMostThreads}};
  for (auto [name, found, most] : limits)
    if (found > most)
      return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                     "%s: wanted at most %u, found %u", name,
                                     most, found);
  return llvm::Error::success();
}

static llvm::Error checkEdges(const Network &network) {
  for (const Edge &edge : network.edges)
    if (edge.producer >= network.layers.size() ||
        edge.consumer >= network.layers.size())
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "edge %u -> %u: wanted layer numbers below %zu; fix the network",
          edge.producer, edge.consumer, network.layers.size());
  return llvm::Error::success();
}

llvm::Expected<SearchResult> fadiff::search(const Network &network,
                                            const Accelerator &target,
                                            const SearchOptions &options) {
  if (llvm::Error error = checkEdges(network))
    return std::move(error);
  if (llvm::Error error = checkEffort(options))
    return std::move(error);
  if (options.optimizer == Optimizer::Exact && options.cost)
    return llvm::createStringError(
        "the optimizer 'exact' knows the built-in cost models only; choose "
        "another optimizer for a cost function of your own");
  if (options.cache)
    if (std::optional<SearchResult> known =
            options.cache->find(network, target, options))
      return std::move(*known);
  llvm::Expected<SearchResult> result =
      Searcher(network, target, options).run();
  if (result && options.cache)
    options.cache->store(network, target, options, *result);
  return result;
}
