//===- Streams.cpp - Schedules in the time of the emitted streams ---------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Streams.h"

#include "Fusion.h"

#include "fadiff/CostModel/Group.h"
#include "fadiff/CostModel/LoopLatency.h"
#include "fadiff/CostModel/StreamLatency.h"
#include "fadiff/Schedule/Turn.h"
#include "fadiff/Search/Anneal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <optional>
#include <tuple>

using namespace fadiff;

/// Each sweep looks at a few hundred neighbours.
static constexpr unsigned kMaxSweeps = 12;

namespace {
/// What a climb lowers, and what it must not raise on the way.
struct Standing {
  double energy = 0, cycles = 0, value = 0;
};
} // namespace

/// Climbs from `mapping` over the neighbours that `judge` finds legal. `layer`
/// is what the loops on chip run over.
static void
speedUp(const Layer &layer, const Accelerator &target, const SearchSpace &space,
        Mapping &mapping, const Budget &budget,
        llvm::function_ref<std::optional<Standing>(const Mapping &,
                                                   const Standing *best)>
            judge) {
  std::optional<Standing> best = judge(mapping, nullptr);
  if (!best)
    return;
  // The roofline knows no loops of the accumulator.
  climb(Place{layer, mapping}, {target, space, /*accumulatorOrders=*/true},
        kMaxSweeps, /*gain=*/0, budget, best->value,
        [&](size_t, const Mapping &next) {
          std::optional<Standing> found = judge(next, &*best);
          if (!found)
            return false;
          best = found;
          mapping = next;
          return true;
        });
}

/// What `next` stands at, if it is better than `best`: with a goal by that, of
/// a cost in the streams' time; else by `stream`, if it costs no more.
template <typename CostT, typename StreamT>
static std::optional<Standing> compare(const CostT &cost, const Goal *goal,
                                       const Standing *best, StreamT stream) {
  if (!goal && best &&
      (cost.energy > best->energy || cost.cycles > best->cycles))
    return std::nullopt;
  const Standing found{cost.energy, cost.cycles,
                       goal ? (*goal)(cost.energy, cost.cycles) : stream()};
  // By more than rounding, so that climbs end.
  if (best && !(found.value < best->value * (1 - 1e-9)))
    return std::nullopt;
  return found;
}

/// Climbs with every mapping of `schedule`: towards `goal`, if there is one,
/// else to faster ones that cost no more.
static void improve(const Network &network, const Accelerator &target,
                    const CostFunction &cost, const SearchSpace &space,
                    const Goal *goal, Schedule &schedule,
                    const Budget &budget) {
  // Equal layers at equal mappings have equal answers.
  std::vector<std::tuple<std::vector<int64_t>, Mapping, Mapping>> known;
  for (const FusionGroup &group : schedule.groups) {
    if (group.keeps == Axis::W) {
      TurnedGroup image = turned(network, schedule, group);
      improve(image.network, target, cost, space, goal, image.schedule, budget);
      for (unsigned layer : group.layers)
        schedule.mappings[layer] = turned(image.schedule.mappings[layer]);
      continue;
    }
    if (!group.isTiled()) {
      const unsigned index = group.layers.front();
      const Layer &layer = network.layers[index];
      Mapping &mapping = schedule.mappings[index];
      const std::vector<int64_t> content = contentOf(layer);
      const auto same = llvm::find_if(known, [&](const auto &entry) {
        return std::get<0>(entry) == content && std::get<1>(entry) == mapping;
      });
      if (same != known.end()) {
        mapping = std::get<2>(*same);
        continue;
      }
      const Mapping start = mapping;
      speedUp(layer, target, space, mapping, budget,
              [&](const Mapping &next,
                  const Standing *best) -> std::optional<Standing> {
                if (!fits(layer, next, target) ||
                    (!space.unevenTiles && !dividesEvenly(layer, next)))
                  return std::nullopt;
                return compare(
                    cost.evaluate(layer, next, target), goal, best,
                    [&] { return streamLatency(layer, next, target).cycles; });
              });
      known.push_back({content, start, mapping});
      continue;
    }
    const GroupTiles tiles(network, schedule, group);
    for (size_t member = 0; member < group.layers.size(); ++member) {
      Mapping &mapping = schedule.mappings[group.layers[member]];
      const PerDim<int64_t> groupTrips = mapping.temporal[Level::Dram];
      auto inGroup = [&](Mapping next) {
        for (Dim dim : {Dim::N, Dim::P, Dim::Q})
          next.temporal[Level::Dram][dim] = groupTrips[dim];
        return next;
      };
      Mapping found = mapping;
      speedUp(
          tiles.tileLayer(member), target, space, found, budget,
          [&](const Mapping &next,
              const Standing *best) -> std::optional<Standing> {
            const Layer &tile = tiles.tileLayer(member);
            for (Dim dim : {Dim::N, Dim::P, Dim::Q})
              if (next.tile(tile, Level::Scratchpad, dim) < tile.dims[dim])
                return std::nullopt; // The group's tile stands.
            const Mapping candidate = inGroup(next);
            if (tiles.isLast(member) && group.poolsOutput &&
                GroupLoops(tiles.layer(member), candidate, true).tile() !=
                    tiles.tile())
              return std::nullopt;
            if (!space.unevenTiles && !cutsEvenly(tiles, member, candidate))
              return std::nullopt;
            const auto standing = compare(
                cost.evaluateMember(tiles, member, candidate, target), goal,
                best, [&] {
                  RelaxedFactors<double> factors;
                  detail::forEachWholeFactor(tile, candidate,
                                             [&](auto factorOf, double value) {
                                               factorOf(factors) = value;
                                             });
                  const Nest<double, true> nest = memberNest</*Whole=*/true>(
                      tiles, member, factors, candidate.order, target.side);
                  return streamLatency(streamedMember(nest, tiles, member),
                                       target)
                      .cycles;
                });
            if (!standing || !best)
              return standing;
            // Memory is the group's.
            const Mapping old = mapping;
            mapping = candidate;
            llvm::Error error = verify(network, schedule, group, target);
            mapping = old;
            if (!error)
              return standing;
            llvm::consumeError(std::move(error));
            return std::nullopt;
          });
      mapping = inGroup(found);
    }
  }
}

void fadiff::breakTies(const Network &network, const Accelerator &target,
                       const CostFunction &cost, const SearchSpace &space,
                       Schedule &schedule, const Budget &budget) {
  improve(network, target, cost, space, /*goal=*/nullptr, schedule, budget);
}

namespace {
/// The problem's cost, and what the core pools after a layer.
class CostWithPooling : public CostFunction {
public:
  explicit CostWithPooling(const Problem &problem) : problem(problem) {}

  LayerCost evaluate(const Layer &layer, const Mapping &mapping,
                     const Accelerator &target,
                     const FusedEnds<double> &fused) const override {
    return withPooling(problem.cost.evaluate(layer, mapping, target, fused),
                       layer);
  }
  MemberCost evaluateMember(const GroupTiles &tiles, size_t member,
                            const Mapping &mapping,
                            const Accelerator &target) const override {
    MemberCost cost =
        problem.cost.evaluateMember(tiles, member, mapping, target);
    return tiles.pooling(member) ? cost
                                 : withPooling(cost, tiles.layer(member));
  }
  GroupCost combine(std::vector<MemberCost> members,
                    const Accelerator &target) const override {
    return problem.cost.combine(std::move(members), target);
  }

private:
  template <typename CostT>
  CostT withPooling(CostT cost, const Layer &layer) const {
    setCycles(cost, cost.cycles + poolCyclesOfCore(layer, problem.target),
              problem.target);
    return cost;
  }

  const Problem &problem;
};

/// Improves a schedule of the network, but for what is given.
class Settler {
public:
  Settler(const Problem &problem, const SearchOptions &options,
          SearchResult &result, const Budget &budget)
      : problem(problem), options(options), result(result), budget(budget) {
    std::vector<FusionGroup> free;
    for (FusionGroup &group : result.schedule.groups)
      (problem.isGiven[group.layers.front()] ? givenGroups : free)
          .push_back(std::move(group));
    result.schedule.groups = std::move(free);
  }

  void run(const std::vector<Mapping> &alone) {
    result.cost = costOf(result.schedule);
    climb(result.schedule);
    ungroup(alone);
    // Totals have changed, and with them what a pJ and a cycle are worth.
    climbOn();
    if (anneal())
      climbOn();
    chooseLoops(problem.network, result.schedule, problem.target,
                options.loopUnit);
    llvm::append_range(result.schedule.groups, givenGroups);
    llvm::sort(result.schedule.groups,
               [](const FusionGroup &a, const FusionGroup &b) {
                 return a.layers.back() < b.layers.back();
               });
    givenGroups.clear();
    result.cost = costOf(result.schedule);
  }

private:
  static constexpr unsigned kMostRounds = 4;

  ScheduleCost costOf(const Schedule &schedule) const {
    Schedule whole = schedule;
    llvm::append_range(whole.groups, givenGroups);
    ScheduleCost cost =
        evaluateSchedule(problem.network, whole, problem.target, problem.cost);
    cost.convention = problem.convention;
    if (options.countCore)
      countCore(problem.network, whole, problem.target, problem.besides, cost);
    return cost;
  }
  double valueOf(const ScheduleCost &cost) const {
    return result.value(cost.energy, cost.cycles);
  }
  Goal goal() const {
    return {options.objective, result.cost.energy, result.cost.cycles};
  }
  /// Whether `next` may take the place of what is there.
  bool isBetter(const ScheduleCost &next) const {
    return problem.aim.isBetter({next.energy, next.cycles},
                                {result.cost.energy, result.cost.cycles});
  }

  void climbOn() {
    for (unsigned round = 0; round < kMostRounds; ++round)
      if (!climb(result.schedule))
        break;
  }

  /// Changes tiles and groups at random, which no climb does. False if that
  /// finds nothing better, or if there is something to keep to that it does not
  /// know of.
  bool anneal() {
    if (options.streams.changes == 0 || !givenGroups.empty() ||
        problem.aim.limit || problem.fuse != Fuse::On ||
        problem.space != SearchSpace() ||
        llvm::any_of(problem.network.edges,
                     [](const Edge &edge) { return edge.mustFuse; }))
      return false;
    AnnealOptions how;
    how.objective = options.objective;
    how.steps = options.streams.changes;
    how.seed = options.seed;
    how.temperatureFirst = options.streams.temperature;
    how.stop = [&] { return budget.timeIsUp(); };
    const CostWithPooling cost(problem);
    const CostFunction &counted = options.countCore ? cost : problem.cost;
    how.besidesCycles = problem.besides;
    how.besidesEnergy = problem.besides * problem.target.leakagePerCycle();
    Schedule next = fadiff::anneal(problem.network, problem.target, counted,
                                   result.schedule, how)
                        .schedule;
    ScheduleCost found = costOf(next);
    if (!isBetter(found))
      return false;
    result.schedule = std::move(next);
    result.cost = std::move(found);
    tellGroups();
    return true;
  }

  /// Groups may be others than those that the edges tell of.
  void tellGroups() {
    std::vector<const FusionGroup *> groups(problem.network.layers.size());
    for (const FusionGroup &group : result.schedule.groups)
      for (unsigned layer : group.layers)
        groups[layer] = &group;
    for (EdgeDecision &decision : result.edges) {
      const Edge &edge = problem.network.edges[decision.edge];
      const bool fused = groups[edge.producer] == groups[edge.consumer];
      if (fused == decision.fused)
        continue;
      decision.fused = fused;
      decision.reason = fused ? "" : "faster apart, as emitted";
      decision.other.reset();
      decision.grouping.clear();
    }
  }

  /// False if that brings less than a ten-thousandth.
  bool climb(Schedule &schedule) {
    const double before = valueOf(result.cost);
    Schedule next = schedule;
    const Goal towards = goal();
    improve(problem.network, problem.target, problem.cost, problem.space,
            &towards, next, budget);
    ScheduleCost cost = costOf(next);
    if (!isBetter(cost))
      return false;
    schedule = std::move(next);
    result.cost = std::move(cost);
    return valueOf(result.cost) < before * (1 - 1e-4);
  }

  /// Of a group (pJ, cycles), pooling on the core included.
  BoundPoint costOf(const Schedule &schedule, const FusionGroup &group) const {
    const GroupCost cost = evaluateGroup(problem.network, schedule, group,
                                         problem.target, problem.cost);
    BoundPoint point{cost.energy, cost.cycles};
    if (!group.poolsOutput)
      problem.addCore(point, problem.coreCycles[group.layers.back()]);
    return point;
  }

  static FusionGroup groupOf(unsigned layer) {
    FusionGroup group;
    group.layers = {layer};
    return group;
  }

  /// Gives up the groups whose layers are better alone.
  void ungroup(const std::vector<Mapping> &alone) {
    const Network &network = problem.network;
    Schedule single;
    single.mappings = alone;
    for (const FusionGroup &group : result.schedule.groups)
      for (unsigned layer : group.layers)
        single.groups.push_back(groupOf(layer));
    const Goal towards = goal();
    improve(network, problem.target, problem.cost, problem.space, &towards,
            single, budget);
    const ScheduleCost whole = costOf(single);
    result.unfusedEnergy = whole.energy;
    result.unfusedCycles = whole.cycles;

    std::vector<bool> hasToStay(network.layers.size(), false);
    for (const Edge &edge : network.edges)
      if (edge.mustFuse)
        hasToStay[edge.producer] = true;
    std::vector<FusionGroup> groups;
    for (FusionGroup &group : result.schedule.groups) {
      BoundPoint apart;
      for (unsigned layer : group.layers) {
        const BoundPoint own = costOf(single, groupOf(layer));
        apart.energy += own.energy;
        apart.cycles += own.cycles;
      }
      const BoundPoint together = costOf(result.schedule, group);
      if (!(towards(apart.energy, apart.cycles) <
            towards(together.energy, together.cycles)) ||
          llvm::any_of(group.layers,
                       [&](unsigned layer) { return hasToStay[layer]; })) {
        groups.push_back(std::move(group));
        continue;
      }
      for (unsigned layer : group.layers) {
        groups.push_back(groupOf(layer));
        result.schedule.mappings[layer] = single.mappings[layer];
      }
      explain(group, apart, together);
    }
    result.schedule.groups = std::move(groups);
    result.cost = costOf(result.schedule);
  }

  /// Why the layers of `group` stand alone now.
  void explain(const FusionGroup &group, const BoundPoint &apart,
               const BoundPoint &together) {
    auto spell = [](const BoundPoint &cost) {
      return llvm::formatv("{0:f3} uJ and {1:f0} cycles", cost.energy * 1e-6,
                           cost.cycles)
          .str();
    };
    for (EdgeDecision &decision : result.edges) {
      const Edge &edge = problem.network.edges[decision.edge];
      if (!llvm::is_contained(group.layers, edge.producer) ||
          !llvm::is_contained(group.layers, edge.consumer))
        continue;
      std::string names;
      for (unsigned layer : group.layers)
        names +=
            (names.empty() ? "" : ", ") + problem.network.layers[layer].name;
      decision.fused = false;
      decision.reason = "faster apart, as emitted: [" + names + "] " +
                        spell(together) + ", each alone " + spell(apart);
      decision.other.reset();
      decision.grouping.clear();
    }
  }

  const Problem &problem;
  const SearchOptions &options;
  SearchResult &result;
  const Budget &budget;
  std::vector<FusionGroup> givenGroups;
};
} // namespace

llvm::Expected<SearchResult> fadiff::searchByStreams(
    const Problem &problem, const SearchOptions &options,
    llvm::function_ref<llvm::Expected<RooflineResult>(const SearchOptions &)>
        byRoofline) {
  constexpr unsigned kMostTries = 6;
  // The rest of a limit is for what comes behind.
  constexpr double kOfRoofline = 0.7;
  const Budget budget(options.timeLimit, options.stop, 0, options.threads);
  std::optional<SearchResult> best;
  uint64_t evaluations = 0, enumerated = 0;
  // False if the roofline finds nothing.
  auto attempt = [&](SearchOptions own) -> llvm::Expected<bool> {
    own.latency = Latency::Roofline;
    if (options.timeLimit > 0)
      own.timeLimit = std::max(1e-3, budget.secondsLeft() * kOfRoofline);
    llvm::Expected<RooflineResult> found = byRoofline(own);
    if (!found) {
      if (!best)
        return found.takeError();
      llvm::consumeError(found.takeError());
      return false;
    }
    SearchResult &result = found->search;
    Settler(problem, own, result, budget).run(found->alone);
    result.objective = options.objective;
    evaluations += result.evaluations;
    enumerated += result.enumerated;
    // Those of mappings that may be others now.
    result.runnersUp.assign(problem.network.layers.size(), std::nullopt);
    if (!best) {
      best = std::move(result);
      return true;
    }
    // What holds for any schedule is known.
    result.bound = best->bound;
    result.unfusedBound = best->unfusedBound;
    if (problem.aim.isBetter({result.cost.energy, result.cost.cycles},
                             {best->cost.energy, best->cost.cycles}))
      best = std::move(result);
    return true;
  };

  llvm::Expected<bool> goesOn = attempt(options);
  if (!goesOn)
    return goesOn.takeError();
  const std::optional<Aim::Limit> &limit = problem.aim.limit;
  auto isKept = [&] {
    return !limit || limit->ofEnergy || limit->keeps({0, best->cost.cycles});
  };
  SearchOptions tighter = options;
  for (unsigned tries = 1;
       *goesOn && tries < kMostTries && !isKept() && !budget.timeIsUp();
       ++tries) {
    tighter.constraint->most *= 0.99 * limit->most / best->cost.cycles;
    goesOn = attempt(tighter);
    if (!goesOn)
      return goesOn.takeError();
  }
  if (!isKept() && !budget.timeIsUp()) {
    SearchOptions fastest = options;
    fastest.constraint.reset();
    fastest.objective = Objective::Latency;
    if (llvm::Expected<bool> found = attempt(fastest); !found)
      return found.takeError();
  }
  best->evaluations = evaluations;
  best->enumerated = enumerated;
  best->seconds = budget.seconds();
  return std::move(*best);
}
