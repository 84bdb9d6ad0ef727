//===- Search.cpp - Mapping and fusion search -----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Search.h"

#include "Gradient/Relaxation.h"
#include "Group/Memory.h"
#include "Group/Streams.h"
#include "Layer/Finish.h"
#include "Peers/Peers.h"

#include "fadiff/CostModel/LoopLatency.h"
#include "fadiff/Search/Baselines.h"
#include "fadiff/Search/Cache.h"
#include "fadiff/Search/Packing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>

using namespace fadiff;

static constexpr unsigned kMostStarts = 1000000, kMostSteps = 1000000,
                          kMostThreads = 4096;

/// Why the optimiser forms no groups; empty if it does.
static llvm::StringRef whyApart(const SearchOptions &options) {
  switch (options.optimizer) {
  case Optimizer::Dosa:
    return "the optimizer 'dosa' works layer by layer";
  case Optimizer::Heuristic:
    return "the optimizer 'heuristic' fuses nothing";
  case Optimizer::Exact:
    if (options.convention != Convention::Machine)
      return "the optimizer 'exact' enumerates groups in the machine's counts "
             "only";
    return "";
  default:
    return "";
  }
}

/// A legal mapping for each class.
static llvm::Error start(const Problem &problem, const SearchOptions &options,
                         Budget &budget, Findings &findings) {
  auto first = [&](size_t c, const Layer &layer) {
    if (options.misfits != Misfits::Repaired)
      return firstThatFits(problem, c, options.misfits,
                           options.evaluationsPerLayer);
    return options.optimizer == Optimizer::Heuristic
               ? heuristicMapping(layer, problem.target)
               : squareTileMapping(layer, problem.target);
  };
  for (size_t c = 0; c < problem.size(); ++c) {
    const LayerProblem layer = problem.layer(c);
    llvm::Expected<Mapping> mapping = first(c, layer.layer);
    if (!mapping)
      return mapping.takeError();
    makeLegal(layer, *mapping);
    findings.starts.push_back(*mapping);
    findings.add(c, layer.evaluate(*mapping, budget));
  }
  findings.update("start", problem.size(), problem.size());
  return llvm::Error::success();
}

static Ended endedBy(const Budget &budget) {
  return budget.stopped()            ? Ended::Stopped
         : budget.outOfTime()        ? Ended::TimeLimit
         : budget.outOfEvaluations() ? Ended::MaxEvaluations
                                     : Ended::Done;
}

/// None of the schedules that were found keeps the constraint; `result` is the
/// one nearest to it.
static llvm::Error unkeptError(const Constraint &constraint,
                               const Aim::Limit &limit,
                               const SearchResult &result) {
  return llvm::createStringError(
      llvm::formatv(
          "constraint '{0}': wanted a schedule of at most {1:f3} {2}, "
          "found none; the best has {3:f3}. Relax the constraint, "
          "take a larger machine, or search longer",
          constraint.text, limit.most, limit.ofEnergy ? "pJ" : "cycles",
          limit({result.cost.energy, result.cost.cycles}))
          .str());
}

char MustFuseError::ID;
char NotBetterError::ID;

static llvm::Error mustFuseError(const Network &network,
                                 const EdgeDecision &decision) {
  const Edge &edge = network.edges[decision.edge];
  return llvm::make_error<MustFuseError>(
      decision.edge, "layer '" + network.layers[edge.consumer].name +
                         "' has to share a fusion group with '" +
                         network.layers[edge.producer].name +
                         "' and cannot: " + decision.reason);
}

/// The search for mappings of layers alone.
static void searchLayers(const Problem &problem, const Chains &chains,
                         const SearchOptions &options,
                         const ClosureOptions &closure, Budget &budget,
                         Findings &findings, std::vector<UnitGates> &gates) {
  // How much of the time may be gone after the first climb, after enumeration,
  // after descents for what that left, after descents if there was none of it,
  // and after all climbs.
  constexpr double kFirst = 0.2, kClosed = 0.4, kLeft = 0.5, kDescents = 0.1;
  const bool isGradient = options.optimizer == Optimizer::Gradient;
  const double layers = chains.nothingToFuse() ? 1 : isGradient ? 0.85 : 0.7;
  auto descend = [&](double part) {
    budget.useOnly(part);
    descendFromStarts(problem, chains.units, options.gradient, budget, findings,
                      gates);
    budget.useOnly(layers);
  };
  auto climb = [&](unsigned restarts) {
    climbLayers(problem, {options.climb.sweeps, restarts}, kRestarts, 4, budget,
                findings);
  };
  switch (options.optimizer) {
  case Optimizer::Fadiff:
    // What is certain comes first. With a limit a little climbing before it: if
    // the limit strikes while layers are enumerated, those not reached are good
    // already.
    if (budget.limited() && closure.mostEvaluations > 0) {
      budget.useOnly(kFirst);
      climbLayers(problem, {options.climb.sweeps, /*restarts=*/0}, kFirstClimb,
                  1, budget, findings);
      budget.useOnly(kClosed);
    }
    closeLayers(problem, closure, options.cache, options.memory.get(), budget,
                findings);
    if (!findings.areExact())
      descend(kLeft);
    climb(options.climb.restarts);
    break;
  case Optimizer::Gradient:
    // Like the others that enumerate nothing, it uses up what it is given.
    descend(chains.nothingToFuse() ? 0.5 : kDescents);
    climb(/*restarts=*/budget.limited() ? std::numeric_limits<unsigned>::max()
                                        : options.climb.restarts);
    break;
  case Optimizer::Dosa:
    searchDosa(problem, options.dosa, options.gradient, budget, findings);
    break;
  case Optimizer::Ga:
    searchGenetic(problem, options.genetic, options.evaluationsPerLayer, budget,
                  findings);
    break;
  case Optimizer::Bo:
    searchBayesian(problem, options.bayesian, budget, findings);
    break;
  case Optimizer::HillClimb:
    searchByClimbs(problem, options.climb, options.evaluationsPerLayer, budget,
                   findings);
    break;
  case Optimizer::Random:
    searchRandom(problem, options.misfits, options.evaluationsPerLayer, budget,
                 findings);
    break;
  case Optimizer::Exact:
    closeLayers(problem, closure, options.cache, options.memory.get(), budget,
                findings);
    break;
  case Optimizer::Heuristic:
    break;
  }
}

/// `alone`, if it is not null, gets per layer its best mapping alone, behind it
/// what else has been kept, and the best ones of each form.
static llvm::Expected<SearchResult>
run(const Problem &problem, const SearchOptions &options,
    std::vector<std::vector<Mapping>> *alone = nullptr) {
  Budget budget(options.timeLimit, options.stop, options.maxEvaluations,
                options.threads);
  Findings findings(problem, budget, options.progress);
  const Chains chains(problem, whyApart(options));
  SearchResult &result = findings.result;
  result.optimizer = options.optimizer;
  result.objective = options.objective;
  result.constraint = options.constraint;
  result.space = options.space;
  result.fuse = options.fuse;
  result.seed = options.seed;
  result.distinctLayers = unsigned(problem.size());
  for (auto [index, reason] : llvm::enumerate(chains.edgeReasons))
    result.edges.push_back({unsigned(index), false, 0, reason});
  for (EdgeDecision &decision : result.edges)
    if (problem.areGivenTogether(problem.network.edges[decision.edge]))
      decision = {decision.edge, true, 0, ""};
  if (chains.brokenEdge)
    return mustFuseError(problem.network, result.edges[*chains.brokenEdge]);
  result.givenLayers = unsigned(llvm::count(problem.isGiven, true));
  BoundPoint decided = problem.aim.given;
  problem.addCore(decided, -(problem.allCoreCycles + problem.besides));
  result.givenEnergy = decided.energy;
  result.givenCycles = decided.cycles;
  if (problem.network.layers.empty())
    return std::move(result);
  const BoundPoint &given = problem.aim.given;
  if (problem.size() == 0 && // all is given
      (!problem.aim.limit || problem.aim.limit->keeps(given)))
    result.unfusedBound = result.value(given.energy, given.cycles);
  if (llvm::Error error = start(problem, options, budget, findings))
    return std::move(error);
  // What comes last, the search for groups, must not find an empty purse.
  if (!chains.nothingToFuse())
    budget.useOnly(0.8);
  std::vector<UnitGates> gates;
  for (const Unit &unit : chains.units)
    gates.push_back(noGates(unit.layers.size()));
  ClosureOptions closure = options.closure;
  if (options.optimizer == Optimizer::Exact)
    closure.mostEvaluations = std::numeric_limits<double>::infinity();
  if (options.optimizer == Optimizer::Gradient)
    closure.mostEvaluations = 0;
  if (problem.size() > 0)
    searchLayers(problem, chains, options, closure, budget, findings, gates);
  result.ended = endedBy(budget);
  budget.useOnly(1);
  std::tie(result.unfusedEnergy, result.unfusedCycles) = findings.totals();
  if (alone) {
    const std::vector<std::vector<Mapping>> ofForms =
        bestOfForms(problem, closure, budget);
    for (auto [layer, c] : llvm::enumerate(problem.classOf)) {
      std::vector<Mapping> &own = alone->emplace_back();
      if (c == kNoClass) {
        own.push_back(problem.given.mappings[layer]);
        continue;
      }
      own.push_back(findings.best()[c].mapping);
      for (const Candidate &candidate : findings.of(c))
        own.push_back(candidate.mapping);
      llvm::append_range(own, ofForms[c]);
    }
  }
  const bool mayBeBest =
      partition(problem, chains, gates, closure, options.climb,
                options.memory.get(), budget, findings, [&] {
                  // Which groups to look at first, if nothing has said so yet.
                  if (options.optimizer == Optimizer::Fadiff &&
                      result.startsRun == 0 && problem.size() > 0)
                    descendFromStarts(problem, chains.units, options.gradient,
                                      budget, findings, gates);
                });
  if (!mayBeBest) {
    result.evaluations = budget.evaluations;
    result.seconds = budget.seconds();
    return llvm::make_error<NotBetterError>(result);
  }
  for (const EdgeDecision &decision : result.edges)
    if (problem.network.edges[decision.edge].mustFuse && !decision.fused)
      return mustFuseError(problem.network, decision);
  findings.update("fusion", chains.units.size(), chains.units.size());
  // The streams are those of the machine's programs, and the library's rule is
  // what it is.
  if (options.optimizer != Optimizer::Heuristic && !problem.foreignCost &&
      problem.convention == Convention::Machine)
    breakTies(problem.network, problem.target, problem.cost, problem.space,
              result.schedule, budget);
  chooseLoops(problem.network, result.schedule, problem.target,
              options.loopUnit);
  llvm::append_range(result.schedule.groups, problem.given.groups);
  // Groups in the order of their last layer: every producer comes first.
  llvm::sort(result.schedule.groups,
             [](const FusionGroup &a, const FusionGroup &b) {
               return a.layers.back() < b.layers.back();
             });
  if (llvm::Error error =
          verify(problem.network, result.schedule, problem.target))
    return std::move(error);
  result.cost = evaluateSchedule(problem.network, result.schedule,
                                 problem.target, problem.cost);
  result.cost.convention = problem.convention;
  if (options.countCore)
    countCore(problem.network, result.schedule, problem.target, problem.besides,
              result.cost);
  if (problem.aim.limit &&
      !problem.aim.limit->keeps({result.cost.energy, result.cost.cycles}))
    return unkeptError(*options.constraint, *problem.aim.limit, result);
  result.evaluations = budget.evaluations;
  result.seconds = budget.seconds();
  findings.note(result.cost.energy, result.cost.cycles);
  if (result.ended == Ended::Done)
    result.ended = endedBy(budget);
  // With nothing to fuse the two problems are one.
  if (!chains.mayMissGroups && chains.nothingToFuse())
    result.bound = result.unfusedBound;
  return std::move(result);
}

/// A search in the time of the emitted streams.
static llvm::Expected<SearchResult> runByStreams(const Network &network,
                                                 const Accelerator &target,
                                                 const SearchOptions &options) {
  const Problem problem(network, target, options);
  llvm::Expected<SearchResult> result = searchByStreams(
      problem, options,
      [&](const SearchOptions &own) -> llvm::Expected<RooflineResult> {
        RooflineResult found;
        llvm::Expected<SearchResult> search =
            run(Problem(network, target, own), own, &found.alone);
        if (!search)
          return search.takeError();
        found.search = std::move(*search);
        return std::move(found);
      });
  if (!result)
    return result;
  if (llvm::Error error = verify(network, result->schedule, target))
    return std::move(error);
  if (problem.aim.limit &&
      !problem.aim.limit->keeps({result->cost.energy, result->cost.cycles}))
    return unkeptError(*options.constraint, *problem.aim.limit, *result);
  result->constraint = options.constraint;
  result->trace.push_back({result->seconds, result->evaluations,
                           result->cost.energy, result->cost.cycles});
  return result;
}

/// More than anybody has time or memory for is a slip of the pen.
static llvm::Error checkEffort(const SearchOptions &options) {
  const std::tuple<const char *, unsigned, unsigned> limits[] = {
      {"starts", options.gradient.starts, kMostStarts},
      {"steps", options.gradient.steps, kMostSteps},
      {"threads", options.threads, kMostThreads}};
  for (auto [name, found, most] : limits)
    if (found > most)
      return llvm::createStringError("%s: wanted at most %u, found %u", name,
                                     most, found);
  if (options.misfits != Misfits::Repaired &&
      options.optimizer != Optimizer::Random)
    return llvm::createStringError(
        "misfits=" + nameOf(options.misfits) +
        " says what random mappings are: wanted the optimizer 'random', found "
        "'" +
        nameOf(options.optimizer) + "'");
  return llvm::Error::success();
}

llvm::Expected<SearchResult> fadiff::search(const Network &network,
                                            const Accelerator &target,
                                            const SearchOptions &options) {
  if (llvm::Error error = checkEdges(network))
    return std::move(error);
  if (llvm::Error error = checkEffort(options))
    return std::move(error);
  if (options.constraint)
    if (llvm::Expected<double> most = options.constraint->limitOn(target);
        !most)
      return most.takeError();
  if (llvm::Error error = checkGiven(network, options.given, target))
    return std::move(error);
  // Who draws or climbs can do so in the streams' time, too. Slopes are those
  // of (busy), from which descents go on as enumeration does.
  const bool settles = options.convention == Convention::Machine &&
                       (options.optimizer == Optimizer::Fadiff ||
                        options.optimizer == Optimizer::Gradient);
  if (options.latency == Latency::Streams && !options.cost && !settles) {
    if (options.optimizer == Optimizer::Exact)
      return llvm::createStringError(
          "the optimizer 'exact' enumerates by latency 'roofline' or 'issue', "
          "found 'streams'; choose the optimizer 'fadiff', which goes on from "
          "what it enumerates");
    const std::unique_ptr<CostFunction> cost =
        createCostFunction(options.convention, Model::Exact, Latency::Streams);
    SearchOptions own = options;
    own.latency = Latency::Roofline;
    own.cost = cost.get();
    own.costName = "streams";
    return search(network, target, own);
  }
  if (options.optimizer == Optimizer::Exact && options.cost)
    return llvm::createStringError(
        "the optimizer 'exact' knows the built-in cost models only; choose "
        "another optimizer for a cost function of your own");
  if (options.cache)
    if (std::optional<SearchResult> known =
            options.cache->find(network, target, options)) {
      if (options.memory)
        options.memory->note(known->stages);
      return std::move(*known);
    }
  llvm::Expected<SearchResult> result =
      options.latency == Latency::Streams
          ? runByStreams(network, target, options)
          : run(Problem(network, target, options), options);
  if (result && options.cache)
    options.cache->store(network, target, options, *result);
  return result;
}
