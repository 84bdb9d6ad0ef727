//===- Streams.cpp - Schedules in the time of the emitted streams ---------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Streams.h"

#include "Fusion.h"
#include "Memory.h"

#include "fadiff/CostModel/Group.h"
#include "fadiff/CostModel/LoopLatency.h"
#include "fadiff/CostModel/StreamLatency.h"
#include "fadiff/Schedule/MappingText.h"
#include "fadiff/Schedule/Turn.h"
#include "fadiff/Search/Anneal.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>

using namespace fadiff;

/// Each sweep looks at a few hundred neighbours.
static constexpr unsigned kMaxSweeps = 12;

namespace {
/// A mapping of a layer alone or of a member that may change, with all else as
/// it is.
struct Spot {
  unsigned index;
  const Layer &layer; ///< what the loops on chip run over
  Mapping mapping;    ///< of that
  bool isAlone;
  bool isTurned; ///< it is of turned images
};

/// What a mapping costs, found out when it is asked for.
struct Costs {
  /// By CostFunction::quick(); null if that is the whole.
  llvm::function_ref<BoundPoint()> quick;
  llvm::function_ref<BoundPoint()> whole;
  /// What the whole is not below; null if nobody knows.
  llvm::function_ref<BoundPoint()> least;
  llvm::function_ref<double()> stream; ///< cycles of the emitted streams
};
/// Whether to take a mapping.
using Accept =
    llvm::function_ref<bool(const Mapping &candidate, const Costs &costs)>;
/// Whether the next mapping of a spot is legal and accepted. `isNew` if it is
/// not the one that is there.
using Judge =
    llvm::function_ref<bool(const Mapping &next, bool isNew, Accept accept)>;
/// May change the mapping of the spot.
using Visit = llvm::function_ref<void(Spot &spot, Judge judge)>;
} // namespace

/// `least`, unless it is null, is nowhere above `cost`.
static void forEachMapping(const Network &network, const Accelerator &target,
                           const CostFunction &cost, const CostFunction *least,
                           const SearchSpace &space, Schedule &schedule,
                           Visit visit, bool isTurned = false) {
  const bool hasQuick = &cost.quick() != &cost;
  for (const FusionGroup &group : schedule.groups) {
    if (group.keeps == Axis::W) {
      TurnedGroup image = turned(network, schedule, group);
      forEachMapping(image.network, target, cost, least, space, image.schedule,
                     visit, /*isTurned=*/true);
      for (unsigned layer : group.layers)
        schedule.mappings[layer] = turned(image.schedule.mappings[layer]);
      continue;
    }
    if (!group.isTiled()) {
      const unsigned index = group.layers.front();
      const Layer &layer = network.layers[index];
      Spot spot{index, layer, schedule.mappings[index], /*isAlone=*/true,
                isTurned};
      visit(spot, [&](const Mapping &next, bool, Accept accept) {
        if (!fits(layer, next, target) ||
            (!space.unevenTiles && !dividesEvenly(layer, next)))
          return false;
        auto by = [&](const CostFunction &function) -> BoundPoint {
          const LayerCost found = function.evaluate(layer, next, target);
          return {found.energy, found.cycles};
        };
        auto quick = [&] { return by(cost.quick()); };
        auto whole = [&] { return by(cost); };
        auto stream = [&] { return streamLatency(layer, next, target).cycles; };
        auto bound = [&] { return by(*least); };
        Costs costs{quick, whole, bound, stream};
        if (!hasQuick)
          costs.quick = nullptr;
        if (!least)
          costs.least = nullptr;
        return accept(next, costs);
      });
      schedule.mappings[index] = spot.mapping;
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
      const Layer &tile = tiles.tileLayer(member);
      Spot spot{group.layers[member], tile, mapping, /*isAlone=*/false,
                isTurned};
      visit(spot, [&](const Mapping &next, bool isNew, Accept accept) {
        for (Dim dim : {Dim::N, Dim::P, Dim::Q})
          if (next.tile(tile, Level::Scratchpad, dim) < tile.dims[dim])
            return false; // The group's tile stands.
        const Mapping candidate = inGroup(next);
        if (tiles.isLast(member) && group.poolsOutput &&
            GroupLoops(tiles.layer(member), candidate, true).tile() !=
                tiles.tile())
          return false;
        if (!space.unevenTiles && !cutsEvenly(tiles, member, candidate))
          return false;
        auto stream = [&] {
          RelaxedFactors<double> factors;
          detail::forEachWholeFactor(
              tile, candidate,
              [&](auto factorOf, double value) { factorOf(factors) = value; });
          const Nest<double, true> nest = memberNest</*Whole=*/true>(
              tiles, member, factors, candidate.order, target.side);
          return streamLatency(streamedMember(nest, tiles, member, target),
                               target)
              .cycles;
        };
        auto by = [&](const CostFunction &function) -> BoundPoint {
          const MemberCost found =
              function.evaluateMember(tiles, member, candidate, target);
          return {found.energy, found.cycles};
        };
        auto quick = [&] { return by(cost.quick()); };
        auto whole = [&] { return by(cost); };
        auto bound = [&] { return by(*least); };
        Costs costs{quick, whole, bound, stream};
        if (!hasQuick)
          costs.quick = nullptr;
        if (!least)
          costs.least = nullptr;
        if (!accept(candidate, costs))
          return false;
        if (!isNew)
          return true;
        // Memory is the group's.
        const Mapping old = mapping;
        mapping = candidate;
        llvm::Error error = verify(network, schedule, group, target);
        mapping = old;
        const bool isLegal = !error;
        llvm::consumeError(std::move(error));
        return isLegal;
      });
      mapping = inGroup(spot.mapping);
    }
  }
}

namespace {
/// What a climb lowers, and what it must not raise on the way.
struct Standing {
  BoundPoint cost;
  double value = 0;
};

/// Neighbours that quick costs choose to look at more closely, and how often.
constexpr size_t kShortlist = 128, kFewRunnersUp = 8;
constexpr unsigned kMostShortlists = 6;
/// What is worse than the centre by more than this part is not looked at: quick
/// costs are off by 9 % in the mean.
constexpr double kDoubtful = 0.12;
} // namespace

/// The neighbours of the mapping of `spot` that are best by quick costs, and
/// not much worse than it is.
static std::vector<std::pair<double, Mapping>>
shortlist(const Spot &spot, const Accelerator &target, const SearchSpace &space,
          const Goal &goal, size_t longest, Judge judge) {
  std::vector<std::pair<double, Mapping>> list;
  double most = std::numeric_limits<double>::infinity();
  auto look = [&](const Mapping &next, bool isNew, auto take) {
    judge(next, isNew, [&](const Mapping &, const Costs &costs) {
      auto value = [&](const BoundPoint &cost) {
        return goal(cost.energy, cost.cycles);
      };
      if (!costs.least || value(costs.least()) <= most)
        take(value(costs.quick()));
      return false;
    });
  };
  look(spot.mapping, /*isNew=*/false,
       [&](double value) { most = value * (1 + kDoubtful); });
  forEachNeighbour(spot.layer, {target, space, /*accumulatorOrders=*/true},
                   spot.mapping, [&](const Mapping &next) {
                     look(next, /*isNew=*/true, [&](double value) {
                       if (value <= most)
                         list.push_back({value, next});
                     });
                     return false;
                   });
  const size_t count = std::min(longest, list.size());
  std::partial_sort(
      list.begin(), list.begin() + ptrdiff_t(count), list.end(),
      [](const auto &a, const auto &b) { return a.first < b.first; });
  list.resize(count);
  return list;
}

/// Climbs by costs that have a quick one: those of a few neighbours only.
static void speedUpBySteps(Spot &spot, const Accelerator &target,
                           const SearchSpace &space, const Goal &goal,
                           const Budget &budget, Judge judge) {
  std::optional<double> best;
  auto isBetter = [&](const Mapping &next, bool isNew) {
    double value = 0;
    if (!judge(next, isNew, [&](const Mapping &, const Costs &costs) {
          auto isLess = [&](const BoundPoint &cost) {
            value = goal(cost.energy, cost.cycles);
            return !best || value < *best * (1 - 1e-9);
          };
          return (!costs.least || isLess(costs.least())) &&
                 isLess(costs.whole());
        }))
      return false;
    best = value;
    return true;
  };
  if (!isBetter(spot.mapping, /*isNew=*/false))
    return;
  for (unsigned i = 0; i < kMostShortlists && !budget.timeIsUp(); ++i) {
    bool isFound = false;
    for (const auto &[quick, next] :
         shortlist(spot, target, space, goal, kShortlist, judge))
      if (isBetter(next, /*isNew=*/true)) {
        spot.mapping = next;
        isFound = true;
      }
    if (!isFound)
      return;
  }
}

/// Climbs from the mapping of `spot` over its neighbours: towards `goal`, if
/// there is one, by what the cost says; else to faster streams that cost no
/// more.
static void speedUp(Spot &spot, const Accelerator &target,
                    const SearchSpace &space, const Goal *goal, unsigned sweeps,
                    const Budget &budget, Judge judge) {
  std::optional<Standing> best;
  auto isBetter = [&](const Mapping &next) {
    std::optional<Standing> found;
    if (!judge(
            next, best.has_value(), [&](const Mapping &, const Costs &costs) {
              // By more than rounding, so that climbs end.
              auto isLess = [&](double value) {
                return !best || value < best->value * (1 - 1e-9);
              };
              auto value = [&](const BoundPoint &cost) {
                return (*goal)(cost.energy, cost.cycles);
              };
              if (goal && costs.least && best && !isLess(value(costs.least())))
                return false;
              const BoundPoint cost = costs.whole();
              if (!goal && best &&
                  (cost.energy > best->cost.energy ||
                   cost.cycles > best->cost.cycles))
                return false;
              found = {cost, goal ? value(cost) : costs.stream()};
              return isLess(found->value);
            }))
      return false;
    best = found;
    return true;
  };
  if (!isBetter(spot.mapping))
    return;
  // What was not better than something worse is not better now.
  std::unordered_set<Mapping, MappingHash> tried;
  // The roofline knows no loops of the accumulator.
  climb(Place{spot.layer, spot.mapping},
        {target, space, /*accumulatorOrders=*/true}, sweeps, /*gain=*/0, budget,
        best->value, [&](size_t, const Mapping &next) {
          if (!tried.insert(next).second || !isBetter(next))
            return false;
          spot.mapping = next;
          return true;
        });
}

/// Climbs with every mapping of `schedule`; see above.
static void improve(const Network &network, const Accelerator &target,
                    const CostFunction &cost, const CostFunction *least,
                    const SearchSpace &space, const Goal *goal,
                    Schedule &schedule, const Budget &budget,
                    unsigned sweeps = kMaxSweeps) {
  const bool bySteps = goal && &cost.quick() != &cost;
  auto speedUp = [&](Spot &spot, Judge judge) {
    if (bySteps)
      speedUpBySteps(spot, target, space, *goal, budget, judge);
    else
      ::speedUp(spot, target, space, goal, sweeps, budget, judge);
  };
  // Equal layers at equal mappings have equal answers, and so have members if
  // that costs the same there.
  struct Answer {
    std::vector<int64_t> content;
    bool isAlone;
    Mapping mapping, better;
    std::pair<double, double> cost, betterCost; ///< energy and cycles
  };
  std::vector<Answer> known;
  auto costs = [](const Mapping &mapping, bool isNew, Judge judge) {
    BoundPoint found;
    const bool isLegal =
        judge(mapping, isNew, [&](const Mapping &, const Costs &costs) {
          found = costs.whole();
          return true;
        });
    return isLegal ? std::optional(std::pair(found.energy, found.cycles))
                   : std::nullopt;
  };
  forEachMapping(
      network, target, cost, least, space, schedule,
      [&](Spot &spot, Judge judge) {
        Answer own{contentOf(spot.layer), spot.isAlone, spot.mapping,
                   spot.mapping,          {},           {}};
        auto cost = costs(spot.mapping, /*isNew=*/false, judge);
        if (!cost)
          return;
        own.cost = own.betterCost = *cost;
        for (const Answer &other : known) {
          if (other.isAlone != own.isAlone || other.content != own.content ||
              !(other.mapping == own.mapping) || other.cost != own.cost)
            continue;
          if (other.better == own.mapping)
            return;
          cost = costs(other.better, /*isNew=*/true, judge);
          if (cost && *cost == other.betterCost) {
            spot.mapping = other.better;
            return;
          }
        }
        speedUp(spot, judge);
        own.better = spot.mapping;
        if (!(own.better == own.mapping))
          if ((cost = costs(own.better, /*isNew=*/true, judge)))
            own.betterCost = *cost;
        known.push_back(std::move(own));
      });
}

void fadiff::breakTies(const Network &network, const Accelerator &target,
                       const CostFunction &cost, const SearchSpace &space,
                       Schedule &schedule, const Budget &budget) {
  improve(network, target, cost, /*least=*/nullptr, space, /*goal=*/nullptr,
          schedule, budget);
}

namespace {
/// The problem's cost, and what the core pools after a layer.
class CostWithPooling : public CostFunction {
public:
  CostWithPooling(const Problem &problem, const CostFunction &cost)
      : problem(problem), cost(cost) {
    if (&cost.quick() != &cost)
      ofQuick = std::make_unique<CostWithPooling>(problem, cost.quick());
  }

  const CostFunction &quick() const override {
    return ofQuick ? *ofQuick : *this;
  }

  LayerCost evaluate(const Layer &layer, const Mapping &mapping,
                     const Accelerator &target,
                     const FusedEnds<double> &fused) const override {
    return withPooling(cost.evaluate(layer, mapping, target, fused), layer);
  }
  MemberCost evaluateMember(const GroupTiles &tiles, size_t member,
                            const Mapping &mapping,
                            const Accelerator &target) const override {
    MemberCost found = cost.evaluateMember(tiles, member, mapping, target);
    return tiles.pooling(member) ? found
                                 : withPooling(found, tiles.layer(member));
  }
  GroupCost combine(std::vector<MemberCost> members,
                    const Accelerator &target) const override {
    return cost.combine(std::move(members), target);
  }
  double cyclesInTurn(const GroupTiles &tiles, llvm::ArrayRef<Mapping> mappings,
                      const Accelerator &target) const override {
    return cost.cyclesInTurn(tiles, mappings, target);
  }

private:
  template <typename CostT>
  CostT withPooling(CostT cost, const Layer &layer) const {
    setCycles(cost, cost.cycles + poolCyclesOfCore(layer, problem.target),
              problem.target);
    return cost;
  }

  const Problem &problem;
  const CostFunction &cost;
  std::unique_ptr<CostWithPooling> ofQuick;
};

/// What comes behind moves schedules by a few hundredths.
static constexpr double kFar = 1.03;

/// Whether `value` is so far behind the best form of the network that true
/// times will not bring that to the front. Notes it, with `memory` for other
/// forms, too.
static bool isFarBehind(double value, double far,
                        std::optional<double> SearchStages::*stage,
                        exact::GroupMemory *memory, SearchStages &own) {
  own.*stage = value;
  if (!memory)
    return false;
  std::optional<double> &best = memory->stages.*stage;
  const bool isFar = best && value > *best * far;
  best = std::min(value, best.value_or(value));
  return isFar;
}

/// What layers do alone, as a Settler leaves it to another one with the same
/// objective.
struct SettledAlone {
  /// Every layer alone.
  Schedule single;
  /// Per layer mappings that it had alone on the way.
  std::vector<std::vector<Mapping>> met;
  bool isBehind = false; ///< what another form of the network has come to
};

/// Improves a schedule of the network, but for what is given.
class Settler {
public:
  /// `known`: what another one has found, or null.
  Settler(const Problem &problem, const SearchOptions &options,
          SearchResult &result, const Budget &budget, const SettledAlone *known)
      : problem(problem), options(options), result(result), budget(budget),
        known(known), aim(problem.aim), cost(&problem.cost.quick()) {
    aim.objective = result.objective = options.objective;
    if (!problem.foreignCost)
      busy =
          createCostFunction(problem.convention, Model::Exact, Latency::Busy);
    std::vector<FusionGroup> free;
    for (FusionGroup &group : result.schedule.groups)
      (problem.isGiven[group.layers.front()] ? givenGroups : free)
          .push_back(std::move(group));
    result.schedule.groups = std::move(free);
  }

  /// With another objective at `last`: from where that of the options ends.
  /// Returned is what layers do alone by the latter.
  SettledAlone run(const std::vector<std::vector<Mapping>> &alone,
                   Objective last) {
    problem.countWalksAnew();
    result.cost = costOf(result.schedule);
    met = known ? known->met : alone;
    meet(result.schedule);
    climb(result.schedule);
    settleAlone(alone);
    ungroup();
    tryTiles();
    // Totals have changed, and with them what a pJ and a cycle are worth.
    climbOn();
    exact::GroupMemory *memory = options.memory.get();
    const bool isBehind =
        isFarBehind(valueOf(result.cost), kFar, &SearchStages::climbed, memory,
                    result.stages);
    if (!isBehind && !isOfFew() && anneal(options.streams.whole))
      climbOn();
    const bool isStillBehind =
        isBehind || isFarBehind(valueOf(result.cost), /*far=*/1,
                                &SearchStages::annealed, memory, result.stages);
    if (cost != &problem.cost)
      settleExactly(isStillBehind);
    SettledAlone left{single, met, isStillBehind};
    if (last != aim.objective) {
      aim.objective = result.objective = last;
      settleExactly(/*isBehind=*/false);
    }
    chooseLoops(problem.network, result.schedule, problem.target,
                options.loopUnit);
    llvm::append_range(result.schedule.groups, givenGroups);
    llvm::sort(result.schedule.groups,
               [](const FusionGroup &a, const FusionGroup &b) {
                 return a.layers.back() < b.layers.back();
               });
    givenGroups.clear();
    result.cost = costOf(result.schedule);
    tellEdges();
    findRunnersUp();
    return left;
  }

private:
  static constexpr unsigned kMostRounds = 4;
  /// Of what is annealed group by group, as a logarithm of the group's own
  /// objective.
  static constexpr double kLastTemperature = 0.001;
  /// Members of groups that are changed as often as the options say.
  static constexpr size_t kShort = 8;
  /// Tiled groups of fewer members are changed as if they had so many.
  static constexpr size_t kFew = 4;
  /// How often a group of one is changed anew.
  static constexpr unsigned kRunsOfOne = 4;
  /// Of climbs of a layer alone, beside that from the roofline's choice.
  static constexpr size_t kStarts = 12;
  /// Other tiles of a group that are looked at, and those that climb to the
  /// end; of groups of more members a quarter.
  static constexpr size_t kTiles = 40, kTilesClimbed = 6, kFewMembers = 4;

  ScheduleCost costOf(const Schedule &schedule) const {
    Schedule whole = schedule;
    llvm::append_range(whole.groups, givenGroups);
    ScheduleCost found =
        evaluateSchedule(problem.network, whole, problem.target, *cost);
    found.convention = problem.convention;
    if (options.countCore)
      countCore(problem.network, whole, problem.target, problem.besides, found);
    return found;
  }
  double valueOf(const ScheduleCost &cost) const {
    return result.value(cost.energy, cost.cycles);
  }
  Goal goal() const {
    return {aim.objective, result.cost.energy, result.cost.cycles};
  }
  /// Whether `next` may take the place of what is there.
  bool isBetter(const ScheduleCost &next) const {
    return aim.isBetter({next.energy, next.cycles},
                        {result.cost.energy, result.cost.cycles});
  }

  /// Whether true times, which the objective asks for, are known soon enough to
  /// change the whole network by them.
  bool isOfFew() const {
    return problem.size() <= options.streams.fewLayers &&
           aim.objective != Objective::Energy &&
           &problem.cost.quick() != &problem.cost;
  }
  const RandomChanges &ownChanges() const {
    return isOfFew() ? options.streams.ownOfFew : options.streams.own;
  }

  void climbOn() {
    for (unsigned round = 0; round < kMostRounds; ++round)
      if (!climb(result.schedule))
        break;
  }

  /// What was found in quick times climbs on in true ones, unless it is not
  /// going to be the one that is chosen.
  void settleExactly(bool isBehind) {
    cost = &problem.cost;
    changesMet = createAnnealMemory();
    result.cost = costOf(result.schedule);
    if (!isBehind) {
      chooseMet(result.schedule, /*isLast=*/false);
      result.cost = costOf(result.schedule);
      turnInputs();
      if (isOfFew())
        anneal(options.streams.wholeOfFew);
      annealEach();
      climb(result.schedule);
      // What is alike started from different places.
      for (Schedule *schedule : {&result.schedule, &single}) {
        meet(*schedule);
        chooseMet(*schedule, /*isLast=*/true);
      }
      result.cost = costOf(result.schedule);
    }
    const ScheduleCost apart = costOf(single);
    result.unfusedEnergy = apart.energy;
    result.unfusedCycles = apart.cycles;
  }

  /// Notes the mappings of layers alone.
  void meet(const Schedule &schedule) {
    for (const FusionGroup &group : schedule.groups)
      if (!group.isTiled())
        met[group.layers.front()].push_back(
            schedule.mappings[group.layers.front()]);
  }

  /// Layers of `schedule` alone take what is best by true times of all that
  /// they, or equal ones, have gone past.
  void chooseMet(Schedule &schedule, bool isLast) {
    bestMet.resize(problem.network.layers.size());
    const Goal towards = goal();
    std::vector<std::vector<int64_t>> contents;
    std::map<std::vector<int64_t>, std::vector<Mapping>> ofContent;
    for (auto [layer, mappings] :
         llvm::zip_equal(problem.network.layers, met)) {
      contents.push_back(contentOf(layer));
      std::vector<Mapping> &alike = ofContent[contents.back()];
      for (const Mapping &mapping : mappings)
        if (!llvm::is_contained(alike, mapping))
          alike.push_back(mapping);
    }
    for (const FusionGroup &group : schedule.groups) {
      const unsigned index = group.layers.front();
      if (group.isTiled() || problem.isGiven[index] || budget.timeIsUp())
        continue;
      const Layer &layer = problem.network.layers[index];
      auto valueOf = [&](const Mapping &mapping) {
        const LayerCost found = cost->evaluate(layer, mapping, problem.target);
        return towards(found.energy, found.cycles);
      };
      // Of those of others the best one, behind its own.
      Ranking own(kRunsOfOne - 1), ofOthers(1);
      auto look = [&](const Mapping &other, Ranking &ranking) {
        if (busy) {
          const LayerCost least = busy->evaluate(layer, other, problem.target);
          if (towards(least.energy, least.cycles) >= ranking.worst())
            return;
        }
        ranking.insert(valueOf(other), other);
      };
      look(schedule.mappings[index], own);
      for (const Mapping &other : ofContent[contents[index]])
        look(other, own);
      for (const Mapping &other : mappingsOfOthers(schedule, contents, index))
        look(other, ofOthers);
      schedule.mappings[index] = own.best.front().second;
      std::vector<Mapping> &next = bestMet[index];
      next.clear();
      for (const Ranking *ranking : {&own, &ofOthers})
        for (const auto &[value, mapping] : ranking->best) {
          next.push_back(mapping);
          if (isLast && value < own.best.front().first)
            schedule.mappings[index] = mapping;
        }
    }
  }

  /// The best few mappings by some value, the best one first.
  struct Ranking {
    explicit Ranking(size_t most) : most(most) {}

    /// What is not below this does not get in.
    double worst() const {
      return best.size() < most ? std::numeric_limits<double>::infinity()
                                : best.back().first;
    }
    void insert(double value, const Mapping &mapping) {
      if (value >= worst() || llvm::any_of(best, [&](const auto &known) {
            return known.first == value;
          }))
        return;
      best.insert(llvm::upper_bound(best, value,
                                    [](double value, const auto &known) {
                                      return value < known.first;
                                    }),
                  {value, mapping});
      if (best.size() > most)
        best.pop_back();
    }

    size_t most;
    std::vector<std::pair<double, Mapping>> best;
  };

  /// What other layers alone have in `schedule`, with the loops at DRAM that
  /// the layer needs: what is good for one is often good for another.
  std::vector<Mapping>
  mappingsOfOthers(const Schedule &schedule,
                   llvm::ArrayRef<std::vector<int64_t>> contents,
                   unsigned index) const {
    const LayerProblem own{problem.network.layers[index], problem.target, *cost,
                           problem.space};
    std::vector<Mapping> found;
    for (const FusionGroup &group : schedule.groups) {
      const unsigned other = group.layers.front();
      if (group.isTiled() || contents[other] == contents[index] ||
          problem.network.layers[other].isDepthwise() !=
              own.layer.isDepthwise())
        continue;
      Mapping next = schedule.mappings[other];
      makeLegal(own, next);
      if (!llvm::is_contained(found, next) && fits(own.layer, next, own.target))
        found.push_back(std::move(next));
    }
    return found;
  }

  /// Groups get a second place for their input where that fits and is faster,
  /// or lose it where it is not.
  void turnInputs() {
    const Goal towards = goal();
    for (FusionGroup &group : result.schedule.groups) {
      if (group.layers.size() < 2 || budget.timeIsUp())
        continue;
      const BoundPoint before = costOf(result.schedule, group);
      FusionGroup next = group;
      next.inputTurns = !group.inputTurns;
      if (llvm::Error error =
              verify(problem.network, result.schedule, next, problem.target)) {
        llvm::consumeError(std::move(error));
        continue;
      }
      const BoundPoint after = costOf(result.schedule, next);
      if (towards(after.energy, after.cycles) <
          towards(before.energy, before.cycles))
        group = std::move(next);
    }
    result.cost = costOf(result.schedule);
  }

  /// Changes what is in each group at random, one after the other, by true
  /// times: quick ones choose what is looked at.
  void annealEach() {
    if (ownChanges().count == 0 || !mayChange())
      return;
    const CostWithPooling withPooling(problem, *cost);
    const CostFunction &counted = options.countCore ? withPooling : *cost;
    auto change = [&](const Schedule &start, const BoundPoint &own) {
      return annealed(start, own, counted);
    };
    std::vector<Settled> settled;
    for (FusionGroup &group : result.schedule.groups) {
      if (budget.timeIsUp())
        break;
      // What another one has come to it would come to again.
      const unsigned layer = group.layers.front();
      if (known && !group.isTiled() &&
          llvm::is_contained(known->met[layer],
                             result.schedule.mappings[layer]))
        continue;
      changeGroup(group, counted, change, settled);
    }
    result.cost = costOf(result.schedule);
  }

  /// Tiled groups take other tiles where that is better once their members have
  /// climbed: to another tile no climb goes, and changes seldom.
  void tryTiles() {
    if (!mayChange())
      return;
    const CostWithPooling withPooling(problem, *cost);
    const CostFunction &counted = options.countCore ? withPooling : *cost;
    auto change = [&](const Schedule &start, const BoundPoint &own) {
      const Goal towards = goal();
      auto climb = [&](Schedule &next, unsigned sweeps) {
        improve(problem.network, problem.target, *cost, busy.get(),
                problem.space, &towards, next, budget, sweeps);
        const BoundPoint cost = priceOf(next, counted);
        return towards(cost.energy, cost.cycles);
      };
      // Long groups take long, and seldom another tile.
      const bool isLong = start.groups.front().layers.size() > kFewMembers;
      const size_t part = isLong ? 4 : 1;
      // Mappings that are only cut to fit tell little of what a tile is worth.
      std::vector<std::pair<double, Schedule>> next;
      for (Schedule &other :
           withOtherTiles(problem.network, problem.target, counted, start,
                          isLong ? TileParts::Halves : TileParts::All,
                          kTiles / part, besidesOf(own))) {
        if (budget.timeIsUp())
          break;
        const double value = climb(other, /*sweeps=*/1);
        next.push_back({value, std::move(other)});
      }
      llvm::stable_sort(next, llvm::less_first());
      double least = towards(own.energy, own.cycles);
      Schedule best = start;
      next.resize(std::min(next.size(), kTilesClimbed / part));
      for (auto &[value, other] : next)
        if (const double climbed = climb(other, kMaxSweeps); climbed < least) {
          least = climbed;
          best = other;
        }
      return best;
    };
    std::vector<Settled> settled;
    for (FusionGroup &group : result.schedule.groups)
      if (group.isTiled() && !budget.timeIsUp())
        changeGroup(group, counted, change, settled);
    result.cost = costOf(result.schedule);
  }

  /// Of the only group of `schedule`, in all its trips.
  BoundPoint priceOf(const Schedule &schedule,
                     const CostFunction &counted) const {
    const FusionGroup &group = schedule.groups.front();
    const double trips =
        double(problem.network.layers[group.layers.front()].trips);
    const GroupCost cost = evaluateGroup(problem.network, schedule, group,
                                         problem.target, counted);
    return {trips * cost.energy, trips * cost.cycles};
  }

  /// Whether groups and tiles may change: changes know of no limit, and of no
  /// smaller space.
  bool mayChange() const {
    return !aim.limit && problem.space == SearchSpace();
  }
  /// What all changes have in common.
  AnnealOptions changeOptions() const {
    AnnealOptions how;
    how.objective = aim.objective;
    how.pools = problem.fuse != Fuse::Off;
    how.memory = changesMet;
    how.stop = [this] { return budget.timeIsUp(); };
    return how;
  }
  /// For changes of a group that costs `own`, with all else beside it.
  AnnealOptions besidesOf(const BoundPoint &own) const {
    AnnealOptions how = changeOptions();
    how.besidesEnergy = result.cost.energy - own.energy;
    how.besidesCycles = result.cost.cycles - own.cycles;
    return how;
  }

  /// A group, what was found for it, and the mappings of its layers.
  struct Settled {
    std::vector<std::vector<int64_t>> contents;
    FusionGroup before, after;
    std::vector<Mapping> mappingsBefore, mappingsAfter;
  };

  /// Gives the group what `change` makes of it, or has made of one that is
  /// alike. `change` gets a schedule of the group alone, and what it costs.
  void changeGroup(
      FusionGroup &group, const CostFunction &counted,
      llvm::function_ref<Schedule(const Schedule &, const BoundPoint &)> change,
      std::vector<Settled> &settled) {
    const Network &network = problem.network;
    Schedule &schedule = result.schedule;
    Schedule start = schedule;
    start.groups = {group};
    const BoundPoint own = priceOf(start, counted);
    Settled found;
    found.before = group;
    for (unsigned layer : group.layers) {
      found.contents.push_back(contentOf(network.layers[layer]));
      found.mappingsBefore.push_back(schedule.mappings[layer]);
    }
    auto adopt = [&](const Schedule &next) {
      group = next.groups.front();
      for (unsigned layer : group.layers)
        schedule.mappings[layer] = next.mappings[layer];
    };
    // What is alike is so wherever it stands.
    for (const Settled &other : settled) {
      if (other.contents != found.contents ||
          other.mappingsBefore != found.mappingsBefore ||
          !(moved(other.before, other.before, group) == group))
        continue;
      Schedule next = start;
      next.groups = {moved(other.after, other.before, group)};
      for (auto [layer, mapping] :
           llvm::zip_equal(next.groups.front().layers, other.mappingsAfter))
        next.mappings[layer] = mapping;
      llvm::Error error =
          verify(network, next, next.groups.front(), problem.target);
      const bool isLegal = !error;
      llvm::consumeError(std::move(error));
      const Goal towards = goal();
      if (isLegal) {
        const BoundPoint cost = priceOf(next, counted);
        if (towards(cost.energy, cost.cycles) <=
            towards(own.energy, own.cycles))
          return adopt(next);
      }
    }
    adopt(change(start, own));
    found.after = group;
    for (unsigned layer : group.layers)
      found.mappingsAfter.push_back(schedule.mappings[layer]);
    settled.push_back(std::move(found));
  }

  /// `start`, of one group that costs `own`, as random changes leave it.
  Schedule annealed(const Schedule &start, const BoundPoint &own,
                    const CostFunction &counted) const {
    const FusionGroup &group = start.groups.front();

    // A logarithm of the network's objective changes by the group's share of
    // what one of the group's own would.
    const double share = shareOf(own.energy / result.cost.energy,
                                 own.cycles / result.cost.cycles);
    AnnealOptions how = besidesOf(own);
    // Where there is a tile, it changes with the mappings.
    const size_t layers = group.layers.size();
    how.steps = changesOf(
        ownChanges().count *
            (group.isTiled() ? std::clamp(layers, kFew, kShort) : layers),
        layers);
    how.seed = options.seed;
    how.temperatureFirst = ownChanges().temperature * share;
    how.temperatureLast = kLastTemperature * share;
    how.doubt = ownChanges().doubt * share;
    how.regroups = false;
    // A single tile that changes is soon at a place that it does not leave.
    const unsigned runs = layers == 1 ? kRunsOfOne : 1;
    double best = goal()(own.energy, own.cycles);
    Schedule chosen = start;
    for (unsigned run = 0; run < runs; ++run) {
      how.seed = options.seed + run;
      limitWalks(how, ownChanges());
      Schedule from = start;
      if (!group.isTiled() && run > 0) {
        const std::vector<Mapping> &others = bestMet[group.layers.front()];
        if (run < others.size())
          from.mappings[group.layers.front()] = others[run];
      }
      Schedule next =
          fadiff::anneal(problem.network, problem.target, counted, from, how)
              .schedule;
      const BoundPoint cost = priceOf(next, counted);
      if (const double value = goal()(cost.energy, cost.cycles); value < best) {
        best = value;
        chosen = std::move(next);
      }
    }
    return chosen;
  }

  /// `group` with the layers of `to` in place of those of `from`.
  static FusionGroup moved(const FusionGroup &group, const FusionGroup &from,
                           const FusionGroup &to) {
    FusionGroup next = group.renumbered([&](unsigned layer) {
      return to
          .layers[size_t(llvm::find(from.layers, layer) - from.layers.begin())];
    });
    llvm::sort(next.liveSkips);
    return next;
  }

  /// A change of a long group costs as much as several of short ones.
  static uint64_t changesOf(uint64_t changes, size_t layers) {
    return changes * kShort / std::max(kShort, layers);
  }

  /// What has these parts of energy and cycles, of the objective.
  double shareOf(double ofEnergy, double ofCycles) const {
    switch (aim.objective) {
    case Objective::Energy:
      return ofEnergy;
    case Objective::Latency:
      return ofCycles;
    case Objective::Edp:
      return ofEnergy + ofCycles;
    }
    llvm_unreachable("unknown objective");
  }

  /// The commands of `changes`, for as many of them as `how` tries.
  void limitWalks(AnnealOptions &how, const RandomChanges &changes) const {
    if (changes.commands == 0)
      return;
    const uint64_t begin = problem.commandsWalked();
    const double most = 1e3 * double(changes.commands) * double(how.steps) /
                        double(changes.count);
    how.used = [this, begin, most] {
      return double(problem.commandsWalked() - begin) / most;
    };
  }

  /// Changes tiles and groups at random, which no climb does. False if that
  /// finds nothing better, or if there is something to keep to that it does not
  /// know of.
  bool anneal(const RandomChanges &changes) {
    if (changes.count == 0 || result.schedule.groups.empty() || !mayChange())
      return false;
    AnnealOptions how = changeOptions();
    size_t longest = 1;
    for (const FusionGroup &group : result.schedule.groups)
      longest = std::max(longest, group.layers.size());
    how.steps = changesOf(changes.count, longest);
    how.seed = options.seed;
    how.temperatureFirst = changes.temperature;
    how.doubt = changes.doubt;
    limitWalks(how, changes);
    const CostWithPooling withPooling(problem, *cost);
    const CostFunction &counted = options.countCore ? withPooling : *cost;
    how.regroups = problem.fuse == Fuse::On &&
                   llvm::none_of(problem.network.edges, [](const Edge &edge) {
                     return edge.mustFuse;
                   });
    how.besidesCycles = problem.besides;
    how.besidesEnergy = problem.besides * problem.target.leakagePerCycle();
    for (const FusionGroup &group : givenGroups) {
      const GroupCost given = evaluateGroup(problem.network, result.schedule,
                                            group, problem.target, counted);
      const double trips =
          double(problem.network.layers[group.layers.front()].trips);
      how.besidesEnergy += trips * given.energy;
      how.besidesCycles += trips * given.cycles;
    }
    // What is besides does not make changes of the rest hotter.
    const double share = shareOf(1 - how.besidesEnergy / result.cost.energy,
                                 1 - how.besidesCycles / result.cost.cycles) /
                         shareOf(1, 1);
    how.temperatureFirst *= share;
    how.temperatureLast *= share;
    how.doubt *= share;
    Schedule next = fadiff::anneal(problem.network, problem.target, counted,
                                   result.schedule, how)
                        .schedule;
    ScheduleCost found = costOf(next);
    if (!isBetter(found))
      return false;
    result.schedule = std::move(next);
    result.cost = std::move(found);
    return true;
  }

  /// False if that brings less than a ten-thousandth.
  bool climb(Schedule &schedule) {
    const double before = valueOf(result.cost);
    Schedule next = schedule;
    const Goal towards = goal();
    improve(problem.network, problem.target, *cost, busy.get(), problem.space,
            &towards, next, budget);
    ScheduleCost found = costOf(next);
    if (!isBetter(found))
      return false;
    schedule = std::move(next);
    result.cost = std::move(found);
    return valueOf(result.cost) < before * (1 - 1e-4);
  }

  /// Of a group (pJ, cycles), pooling on the core included.
  BoundPoint costOf(const Schedule &schedule, const FusionGroup &group) const {
    const GroupCost found =
        evaluateGroup(problem.network, schedule, group, problem.target, *cost);
    BoundPoint point{found.energy, found.cycles};
    if (!group.poolsOutput)
      problem.addCore(point, problem.coreCycles[group.layers.back()]);
    return point;
  }

  static FusionGroup groupOf(unsigned layer) {
    FusionGroup group;
    group.layers = {layer};
    return group;
  }

  /// Finds what every layer does alone, unless that is known. Layers alone take
  /// what is better.
  void settleAlone(const std::vector<std::vector<Mapping>> &alone) {
    const Network &network = problem.network;
    const Goal towards = goal();
    auto valueOf = [&](unsigned layer, const Mapping &mapping) {
      const LayerCost found =
          cost->evaluate(network.layers[layer], mapping, problem.target);
      return towards(found.energy, found.cycles);
    };
    if (known)
      single = known->single;
    else
      climbAlone(alone, towards, valueOf);
    const ScheduleCost whole = costOf(single);
    result.unfusedEnergy = whole.energy;
    result.unfusedCycles = whole.cycles;
    for (const FusionGroup &group : result.schedule.groups) {
      const unsigned layer = group.layers.front();
      Mapping &mapping = result.schedule.mappings[layer];
      if (!group.isTiled() &&
          valueOf(layer, single.mappings[layer]) < valueOf(layer, mapping))
        mapping = single.mappings[layer];
    }
  }

  /// Climbs from what the roofline would take, and from those that take the
  /// least time of the others, whose loops may be quite different.
  void
  climbAlone(const std::vector<std::vector<Mapping>> &alone,
             const Goal &towards,
             llvm::function_ref<double(unsigned, const Mapping &)> valueOf) {
    const Network &network = problem.network;
    std::vector<std::vector<Mapping>> starts = alone;
    for (auto [layer, mappings] : llvm::enumerate(starts)) {
      single.mappings.push_back(mappings.front());
      if (problem.isGiven[layer] || mappings.size() < 2 || budget.timeIsUp())
        continue;
      std::vector<std::pair<double, size_t>> order;
      for (size_t i = 1; i < mappings.size(); ++i)
        order.push_back({valueOf(layer, mappings[i]), i});
      llvm::sort(order);
      std::vector<Mapping> sorted;
      for (auto [value, i] : llvm::ArrayRef(order).take_front(kStarts))
        sorted.push_back(mappings[i]);
      mappings = std::move(sorted);
    }
    for (const FusionGroup &group : result.schedule.groups)
      for (unsigned layer : group.layers)
        single.groups.push_back(groupOf(layer));
    improve(network, problem.target, *cost, busy.get(), problem.space, &towards,
            single, budget);
    for (size_t start = 0; start < kStarts && !budget.timeIsUp(); ++start) {
      Schedule next = single;
      for (auto [layer, mappings] : llvm::enumerate(starts))
        if (start < mappings.size() && !problem.isGiven[layer])
          next.mappings[layer] = mappings[start];
      improve(network, problem.target, *cost, busy.get(), problem.space,
              &towards, next, budget);
      for (auto [layer, mapping] : llvm::enumerate(single.mappings)) {
        met[layer].push_back(next.mappings[layer]);
        if (valueOf(layer, next.mappings[layer]) < valueOf(layer, mapping))
          mapping = next.mappings[layer];
      }
    }
  }

  /// Gives up the groups whose layers are better alone.
  void ungroup() {
    const Network &network = problem.network;
    const Goal towards = goal();
    std::vector<bool> hasToStay(network.layers.size(), false);
    for (const Edge &edge : network.edges)
      if (edge.mustFuse)
        hasToStay[edge.producer] = true;
    std::vector<FusionGroup> groups;
    for (FusionGroup &group : result.schedule.groups) {
      BoundPoint together;
      auto areBetterAlone = [&] {
        BoundPoint apart;
        for (unsigned layer : group.layers) {
          const BoundPoint own = costOf(single, groupOf(layer));
          apart.energy += own.energy;
          apart.cycles += own.cycles;
        }
        together = costOf(result.schedule, group);
        return towards(apart.energy, apart.cycles) <
               towards(together.energy, together.cycles);
      };
      bool givesUp =
          llvm::none_of(group.layers,
                        [&](unsigned layer) { return hasToStay[layer]; }) &&
          areBetterAlone();
      // Nobody asks again, so true times have to agree.
      if (givesUp && cost != &problem.cost) {
        const CostFunction *const quick = std::exchange(cost, &problem.cost);
        givesUp = areBetterAlone();
        cost = quick;
      }
      if (!givesUp) {
        groups.push_back(std::move(group));
        continue;
      }
      for (unsigned layer : group.layers) {
        groups.push_back(groupOf(layer));
        result.schedule.mappings[layer] = single.mappings[layer];
      }
      givenUp.push_back({namesOf(group), together});
      for (unsigned layer : group.layers)
        givenUpAs[layer] = givenUp.size();
    }
    result.schedule.groups = std::move(groups);
    result.cost = costOf(result.schedule);
  }

  std::string namesOf(const FusionGroup &group) const {
    std::string names;
    for (unsigned layer : group.layers)
      names +=
          (names.empty() ? "[" : ", ") + problem.network.layers[layer].name;
    return names + ']';
  }
  static std::string spell(const BoundPoint &cost) {
    return llvm::formatv("{0:f3} uJ and {1:f0} cycles", cost.energy * 1e-6,
                         cost.cycles)
        .str();
  }
  /// The network with `other` in place of `chosen` in each of `trips`.
  BoundPoint totalWith(const BoundPoint &other, const BoundPoint &chosen,
                       double trips) const {
    return {result.cost.energy + trips * (other.energy - chosen.energy),
            result.cost.cycles + trips * (other.cycles - chosen.cycles)};
  }
  /// Its objective, in parts of what was found.
  double ratio(const BoundPoint &other, const BoundPoint &chosen,
               double trips) const {
    return aim.value(totalWith(other, chosen, trips)) /
           aim.value({result.cost.energy, result.cost.cycles});
  }

  /// The edges tell of the groups that the roofline chose, and of what they
  /// cost by it.
  void tellEdges() {
    const Network &network = problem.network;
    std::vector<const FusionGroup *> groups(network.layers.size());
    for (const FusionGroup &group : result.schedule.groups)
      for (unsigned layer : group.layers)
        groups[layer] = &group;
    // As they are, and each layer alone.
    llvm::DenseMap<const FusionGroup *, BoundPoint> costs, costsApart;
    auto costOfGroup = [&](const FusionGroup &group) {
      auto [known, isNew] = costs.insert({&group, {}});
      if (isNew)
        known->second = costOf(result.schedule, group);
      return known->second;
    };
    auto costApart = [&](const FusionGroup &group) {
      auto [known, isNew] = costsApart.insert({&group, {}});
      if (isNew)
        for (unsigned layer : group.layers) {
          const BoundPoint own = costOf(single, groupOf(layer));
          known->second.energy += own.energy;
          known->second.cycles += own.cycles;
        }
      return known->second;
    };
    for (EdgeDecision &decision : result.edges) {
      const Edge &edge = network.edges[decision.edge];
      const FusionGroup &first = *groups[edge.producer],
                        &second = *groups[edge.consumer];
      if (problem.isGiven[first.layers.front()] ||
          problem.isGiven[second.layers.front()])
        continue;
      const bool wasFused = decision.fused,
                 hadOther = decision.other.has_value();
      const std::string chosen = decision.grouping;
      decision.fused = &first == &second;
      if (!decision.fused && chosen.empty()) // no group could have it
        continue;
      decision.other.reset();
      decision.grouping = namesOf(first);
      BoundPoint won = costOfGroup(first);
      if (decision.fused) {
        decision.reason.clear();
        const BoundPoint apart = costApart(first);
        decision.other = {
            "each alone", apart.energy, apart.cycles,
            ratio(apart, won, double(network.layers[edge.producer].trips))};
      } else {
        const BoundPoint more = costOfGroup(second);
        won.energy += more.energy;
        won.cycles += more.cycles;
        decision.grouping += ' ' + namesOf(second);
        const std::string as = decision.grouping + ' ' + spell(won);
        const size_t before = givenUpAs.lookup(edge.producer);
        if (before && before == givenUpAs.lookup(edge.consumer)) {
          const auto &[names, together] = givenUp[before - 1];
          decision.reason = "faster apart, as emitted: " + names + ' ' +
                            spell(together) + ", now " + as;
        } else if (wasFused) {
          decision.reason =
              "faster apart, as emitted, found by annealing: " + as;
        } else if (decision.isAcross) {
          decision.reason = "in other groups: " + as;
        } else if (hadOther) {
          decision.reason = decision.grouping == chosen
                                ? "by the roofline " + decision.reason
                                : "apart, as emitted: " + as;
        }
      }
      decision.energy = won.energy;
      decision.cycles = won.cycles;
    }
  }

  /// Per layer the next best mapping, of those one step away.
  void findRunnersUp() {
    result.runnersUp.assign(problem.network.layers.size(), std::nullopt);
    Schedule schedule = result.schedule; // stays as it is
    llvm::erase_if(schedule.groups, [&](const FusionGroup &group) {
      return problem.isGiven[group.layers.front()];
    });
    forEachMapping(
        problem.network, problem.target, *cost, busy.get(), problem.space,
        schedule, [&](Spot &spot, Judge judge) {
          if (budget.timeIsUp())
            return;
          std::optional<Alternative> &best = result.runnersUp[spot.index];
          std::optional<BoundPoint> chosen;
          judge(spot.mapping, /*isNew=*/false,
                [&](const Mapping &, const Costs &costs) {
                  chosen = costs.whole();
                  return true;
                });
          if (!chosen)
            return;
          const double trips = double(problem.network.layers[spot.index].trips);
          auto look = [&](const Mapping &next) {
            std::optional<Alternative> found;
            if (judge(
                    next, /*isNew=*/true,
                    [&](const Mapping &candidate, const Costs &costs) {
                      const BoundPoint cost = costs.whole();
                      const auto [energy, cycles] = cost;
                      if ((energy == chosen->energy &&
                           cycles == chosen->cycles) ||
                          (aim.limit &&
                           !aim.limit->keeps(totalWith(cost, *chosen, trips))))
                        return false;
                      const double parts = ratio(cost, *chosen, trips);
                      if (parts < 1 || (best && best->ratio <= parts))
                        return false;
                      found = {'<' +
                                   mappingText(spot.isTurned ? turned(candidate)
                                                             : candidate) +
                                   '>',
                               energy, cycles, parts};
                      return true;
                    }))
              best = std::move(found);
            return false;
          };
          if (&cost->quick() == cost)
            forEachNeighbour(spot.layer, {problem.target, problem.space},
                             spot.mapping, look);
          else
            for (const auto &[quick, next] :
                 shortlist(spot, problem.target, problem.space, goal(),
                           kFewRunnersUp, judge))
              (void)look(next);
        });
  }

  const Problem &problem;
  const SearchOptions &options;
  SearchResult &result;
  const Budget &budget;
  const SettledAlone *const known;
  Aim aim; ///< the problem's, with the objective at hand
  /// That of the problem, or its quick one.
  const CostFunction *cost;
  /// What random changes have come to, by this cost.
  std::shared_ptr<AnnealMemory> changesMet = createAnnealMemory();
  /// Below the problem's; null if that is somebody else's.
  std::unique_ptr<CostFunction> busy;
  std::vector<FusionGroup> givenGroups;
  /// Every layer alone.
  Schedule single;
  /// Per layer mappings that it had alone on the way.
  std::vector<std::vector<Mapping>> met;
  /// The best of these by true times, the best one first.
  std::vector<std::vector<Mapping>> bestMet;
  /// Groups whose layers are better alone, with what they cost; per layer of
  /// them which one it is of, counted from 1.
  std::vector<std::pair<std::string, BoundPoint>> givenUp;
  llvm::DenseMap<unsigned, size_t> givenUpAs;
};

/// What a Settler ends with depends on this.
struct Start {
  Objective first, last;
  const Problem *problem;
  Schedule schedule;
  std::vector<std::vector<Mapping>> alone;

  bool operator==(const Start &other) const {
    return std::tie(first, last, problem, schedule.groups, schedule.mappings,
                    alone) == std::tie(other.first, other.last, other.problem,
                                       other.schedule.groups,
                                       other.schedule.mappings, other.alone);
  }
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
  std::vector<EdgeDecision> edges; ///< of the first attempt
  uint64_t evaluations = 0, enumerated = 0;
  bool isFirstBehind = false; ///< far, with what the first attempt began
  double firstBegan = 0;      ///< with what value, in its objective
  // From where it was gone on already: to the same end.
  std::vector<Start> starts;
  // What the first attempt by each objective left.
  std::array<std::optional<SettledAlone>, 3> alone;
  auto predict = [&](const SearchResult &result) -> BoundPoint {
    ScheduleCost cost = evaluateSchedule(problem.network, result.schedule,
                                         problem.target, problem.cost.quick());
    if (options.countCore)
      countCore(problem.network, result.schedule, problem.target,
                problem.besides, cost);
    return {cost.energy, cost.cycles};
  };
  // False if nothing is found.
  auto attempt = [&](SearchOptions own, Objective towards,
                     const Problem &within,
                     Latency latency = Latency::Busy) -> llvm::Expected<bool> {
    own.latency = latency;
    if (options.timeLimit > 0)
      own.timeLimit = std::max(1e-3, budget.secondsLeft() * kOfRoofline);
    llvm::Expected<RooflineResult> found = byRoofline(own);
    if (!found) {
      if (!best)
        return found.takeError();
      llvm::consumeError(found.takeError());
      return false;
    }
    // What the roofline chooses may be faster all the same.
    const auto [energy, cycles] = predict(found->search);
    const double began = found->search.value(energy, cycles);
    const bool isBehind = isFarBehind(began, kFar, &SearchStages::enumerated,
                                      own.memory.get(), found->search.stages);
    if (!best) {
      isFirstBehind = isBehind;
      firstBegan = began;
    } else if (latency == Latency::Roofline &&
               own.objective == options.objective &&
               began > kFar * firstBegan &&
               problem.size() > options.streams.fewLayers) {
      // Of many layers climbs do not make up for so much.
      evaluations += found->search.evaluations;
      enumerated += found->search.enumerated;
      return true;
    }
    if (!best && !isBehind && options.objective == Objective::Latency) {
      SearchOptions plain = own;
      plain.latency = Latency::Roofline;
      plain.memory = nullptr; // It knows other times.
      if (options.timeLimit > 0)
        plain.timeLimit =
            std::max(1e-3, budget.secondsLeft() * (1 - kOfRoofline));
      if (llvm::Expected<RooflineResult> other = byRoofline(plain)) {
        if (problem.aim.isBetter(predict(other->search),
                                 predict(found->search))) {
          // The bound is not the roofline's.
          other->search.bound = found->search.bound;
          other->search.unfusedBound = found->search.unfusedBound;
          std::swap(*found, *other);
        }
        evaluations += other->search.evaluations;
        enumerated += other->search.enumerated;
      } else {
        llvm::consumeError(other.takeError());
      }
    }
    SearchResult &result = found->search;
    // Why groups are what they are is told in the own objective.
    if (!best)
      edges = result.edges;
    else if (own.objective != towards)
      result.edges = edges;
    // From another objective's choice straight on, unless that is by the
    // roofline, and by what it ends with.
    std::optional<SearchResult> second;
    if (own.objective != towards)
      second = result;
    SearchOptions straight = own;
    straight.objective = towards;
    // False if that was done before.
    auto settle = [&](const SearchOptions &how, SearchResult &result) {
      Start start{how.objective, towards, &within, result.schedule,
                  found->alone};
      if (llvm::is_contained(starts, start))
        return false;
      starts.push_back(std::move(start));
      // The last attempt is about groups, but of few layers.
      std::optional<SettledAlone> &known = alone[size_t(how.objective)];
      const bool isMeant = &within == &problem;
      const bool takesOver = isMeant && known && latency == Latency::Roofline &&
                             problem.size() > options.streams.fewLayers;
      SettledAlone left =
          Settler(within, how, result, budget, takesOver ? &*known : nullptr)
              .run(found->alone, towards);
      if (isMeant && !known)
        known = std::move(left);
      return true;
    };
    bool isNew =
        (!second || latency == Latency::Busy) && settle(straight, result);
    if (second && !budget.timeIsUp() && settle(own, *second)) {
      if (!isNew || second->value() < result.value())
        std::swap(result, *second);
      isNew = true;
    }
    result.objective = options.objective;
    evaluations += result.evaluations;
    enumerated += result.enumerated;
    if (!isNew)
      return true;
    if (!best) {
      best = std::move(result);
      return true;
    }
    // What holds for any schedule is known.
    result.bound = best->bound;
    result.unfusedBound = best->unfusedBound;
    result.stages = best->stages;
    if (problem.aim.isBetter({result.cost.energy, result.cost.cycles},
                             {best->cost.energy, best->cost.cycles}))
      best = std::move(result);
    return true;
  };

  llvm::Expected<bool> goesOn = attempt(options, options.objective, problem);
  if (!goesOn)
    return goesOn.takeError();
  // What is behind another form of the network stays that.
  const std::optional<SettledAlone> &first = alone[size_t(options.objective)];
  const bool goesFurther = !(first && first->isBehind) && !options.constraint;
  // What is frugal often moves less, and so is fast.
  if (options.objective == Objective::Latency && goesFurther &&
      !budget.timeIsUp()) {
    SearchOptions frugal = options;
    frugal.objective = Objective::Edp;
    frugal.memory = nullptr; // It knows another objective.
    goesOn = attempt(frugal, options.objective, problem);
    if (!goesOn)
      return goesOn.takeError();
  }
  // Where climbs and changes end depends on where they begin, in small networks
  // most of all.
  if ((options.objective != Objective::Energy ||
       problem.size() <= options.streams.fewLayers) &&
      !isFirstBehind && goesFurther && options.maxEvaluations == 0 &&
      !budget.timeIsUp()) {
    SearchOptions other = options;
    if (options.objective == Objective::Latency)
      other.objective = Objective::Edp; // no slower than what that finds
    other.memory = nullptr;             // It knows other times.
    goesOn = attempt(other, options.objective, problem, Latency::Roofline);
    if (!goesOn)
      return goesOn.takeError();
  }
  const std::optional<Aim::Limit> &limit = problem.aim.limit;
  auto isKept = [&] {
    return !limit || limit->ofEnergy || limit->keeps({0, best->cost.cycles});
  };
  SearchOptions tighter = options;
  for (unsigned tries = 1;
       *goesOn && tries < kMostTries && !isKept() && !budget.timeIsUp();
       ++tries) {
    tighter.constraint->most *= 0.99 * limit->most / best->cost.cycles;
    goesOn = attempt(tighter, options.objective, problem);
    if (!goesOn)
      return goesOn.takeError();
  }
  if (!isKept() && !budget.timeIsUp()) {
    // The two ways to what is fast, then with all changes that a limit forbids.
    SearchOptions fastest = options;
    fastest.constraint.reset();
    fastest.objective = Objective::Latency;
    fastest.memory = nullptr;
    Problem unlimited(problem.network, problem.target, fastest);
    unlimited.aim.given = problem.aim.given;
    const Problem *const problems[] = {&problem, &unlimited};
    for (const Problem *within : problems)
      for (Objective from : {Objective::Latency, Objective::Edp}) {
        if ((within == &unlimited && isKept()) || budget.timeIsUp())
          break;
        fastest.objective = from;
        if (llvm::Expected<bool> found =
                attempt(fastest, Objective::Latency, *within);
            !found)
          return found.takeError();
      }
  }
  best->evaluations = evaluations;
  best->enumerated = enumerated;
  best->seconds = budget.seconds();
  return std::move(*best);
}
