//===- Partition.cpp - Which layers share a group -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Partition.h"

#include "../Problem/Prices.h"
#include "Chain.h"
#include "Memory.h"
#include "Shapes.h"

#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/MappingText.h"
#include "fadiff/Schedule/Turn.h"
#include "fadiff/Search/Summary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

using namespace fadiff;

/// Longer groups are not tried: what they hold at once only grows.
static constexpr size_t kLongestGroup = 8;

/// What makes two chains the same problem: classes, and who reads what.
static std::vector<unsigned> keyOf(const Problem &problem,
                                   const TensorUses &uses,
                                   const std::vector<bool> &joinsNext,
                                   const std::vector<unsigned> &chain) {
  std::map<unsigned, unsigned> position, outside;
  for (auto [i, layer] : llvm::enumerate(chain))
    position.insert({layer, unsigned(i)});
  const unsigned n = unsigned(chain.size());
  auto numberOf = [&](std::optional<unsigned> tensor) {
    if (!tensor)
      return ~0u;
    if (auto it = position.find(*tensor); it != position.end())
      return it->second;
    return n +
           outside.insert({*tensor, unsigned(outside.size())}).first->second;
  };
  std::vector<unsigned> key;
  for (unsigned layer : chain) {
    const auto &readers = uses.readers[layer];
    key.insert(key.end(),
               {problem.classOf[layer], numberOf(uses.operands[layer].input),
                numberOf(uses.operands[layer].residual),
                unsigned(llvm::count_if(readers,
                                        [&](unsigned reader) {
                                          return position.count(reader) == 0;
                                        })),
                unsigned(joinsNext[layer])});
  }
  return key;
}

/// The depthwise layer of the two that keeps them from sharing a group where
/// channels run one by one; null if there is none.
static const Layer *serialEnd(const Problem &problem, unsigned producer,
                              unsigned consumer) {
  for (unsigned layer : {producer, consumer})
    if (problem.space.isSerial(problem.network.layers[layer]))
      return &problem.network.layers[layer];
  return nullptr;
}

/// Of an edge whose end is given why it stays as it is; empty if neither is.
static std::string whyGiven(const Problem &problem, const Edge &edge) {
  for (unsigned layer : {edge.producer, edge.consumer})
    if (problem.isGiven[layer])
      return "the mapping of layer '" + problem.network.layers[layer].name +
             "' is given, and with it who shares its group";
  return "";
}

Chains::Chains(const Problem &problem, llvm::StringRef apart)
    : uses(problem.network) {
  const Network &network = problem.network;
  const size_t n = network.layers.size();
  Links links(n);
  edgeReasons.resize(network.edges.size());
  for (auto [index, edge] : llvm::enumerate(network.edges)) {
    if (std::string reason = whyGiven(problem, edge); !reason.empty()) {
      edgeReasons[index] = reason;
      continue;
    }
    if (problem.fuse == Fuse::Off) {
      edgeReasons[index] = "fusion was not asked for";
      continue;
    }
    if (!apart.empty()) {
      mayMissGroups = true;
      edgeReasons[index] = apart.str();
      continue;
    }
    if (llvm::Error error = verifyFusible(network, edge.producer, edge.consumer,
                                          problem.target)) {
      edgeReasons[index] = llvm::toString(std::move(error));
      continue;
    }
    if (const Layer *serial =
            serialEnd(problem, edge.producer, edge.consumer)) {
      edgeReasons[index] = "layer '" + serial->name +
                           "' computes one channel at a time "
                           "(block-diagonal=off), and tiles are "
                           "handed over with as many as the array has";
      continue;
    }
    // One of several readers goes on, if any: see below.
    if (llvm::count_if(uses.readers[edge.producer], [&](unsigned reader) {
          return uses.operands[reader].input == edge.producer;
        }) > 1)
      continue;
    if (links.previous[edge.consumer] >= 0) {
      mayMissGroups = true;
      edgeReasons[index] = "layer '" + network.layers[edge.consumer].name +
                           "' already has another producer";
      continue;
    }
    links.join(edge.producer, edge.consumer);
  }
  if (problem.fuse == Fuse::On)
    joinBranches(problem, links);
  std::vector<bool> joinsNext(n, false); // per layer
  for (auto [index, edge] : llvm::enumerate(network.edges)) {
    if (!edge.mustFuse || problem.areGivenTogether(edge))
      continue;
    int at = int(edge.producer);
    while (at >= 0 && unsigned(at) != edge.consumer)
      at = links.next[at];
    if (at < 0) {
      brokenEdge = unsigned(index);
      continue;
    }
    for (at = int(edge.producer); unsigned(at) != edge.consumer;
         at = links.next[at])
      joinsNext[at] = true;
  }
  std::map<std::vector<unsigned>, unsigned> known;
  for (unsigned layer = 0; layer < n; ++layer) {
    if (links.previous[layer] >= 0 || problem.isGiven[layer])
      continue;
    std::vector<unsigned> chain;
    for (int at = int(layer); at >= 0; at = links.next[at])
      chain.push_back(unsigned(at));
    auto [it, isNew] = known.insert(
        {keyOf(problem, uses, joinsNext, chain), unsigned(units.size())});
    if (isNew) {
      Unit &unit = units.emplace_back();
      unit.layers = chain;
      unit.multiplicity = 0;
      for (size_t i = 0; i + 1 < chain.size(); ++i) {
        unit.joinsNext.push_back(joinsNext[chain[i]]);
        unit.joined.push_back(uses.operands[chain[i + 1]].input == chain[i] &&
                              !network.layers[chain[i]].pool);
      }
    }
    // All of a chain runs equally often: edges join layers of one block.
    units[it->second].multiplicity += double(network.layers[layer].trips);
    unitOf.push_back(it->second);
    chains.push_back(std::move(chain));
  }
  const bool mayPool = problem.fuse != Fuse::Off &&
                       llvm::any_of(problem.firstOfClass, [&](unsigned layer) {
                         llvm::Error error = verifyPoolsOutput(
                             network.layers[layer], problem.target);
                         const bool may = !error;
                         llvm::consumeError(std::move(error));
                         return may;
                       });
  poolsOutputs = mayPool && apart.empty();
  mayMissGroups |= mayPool && !poolsOutputs;
  // What is left of outputs with several readers.
  for (auto [index, edge] : llvm::enumerate(network.edges)) {
    if (!edgeReasons[index].empty() || links.next[edge.producer] >= 0)
      continue;
    const unsigned pair[] = {edge.producer, edge.consumer};
    groupShapes(network, uses, pair, 0, 1, problem.target, &edgeReasons[index]);
  }
}

/// Puts layers that make a residual of a chain, and nothing else, from the
/// input of one of its layers, before that one.
void Chains::joinBranches(const Problem &problem, Links &links) {
  const Network &network = problem.network;
  const unsigned n = unsigned(network.layers.size());
  if (!problem.target.handsOverCopies())
    return;
  std::vector<bool> hasBranch(n, false);
  // Branches inside of others' paths come first.
  for (unsigned consumer = 0; consumer < n; ++consumer) {
    const std::optional<unsigned> side = uses.operands[consumer].residual;
    // An output that others read, too, is no side branch's.
    if (!side || *side >= n || links.next[*side] >= 0 ||
        uses.readers[*side].size() != 1)
      continue;
    // Back to the layer that reads the same. Others are in no group with it.
    const std::optional<unsigned> input = uses.operands[*side].input;
    std::optional<unsigned> main = consumer;
    while (main && uses.operands[*main].input != input) {
      main = uses.operands[*main].input;
      if (main && *main >= n)
        main.reset();
    }
    if (!input || !main || serialEnd(problem, *side, consumer) ||
        serialEnd(problem, *side, *main))
      continue;
    // What is between them in the chain, other branches too.
    std::vector<unsigned> members = {consumer};
    while (members.back() != *main && links.previous[members.back()] >= 0)
      members.push_back(unsigned(links.previous[members.back()]));
    if (problem.isGiven[*side] || links.previous[*side] >= 0 ||
        members.back() != *main) {
      mayMissGroups = true;
      continue;
    }
    members.push_back(*side);
    std::reverse(members.begin(), members.end());
    if (groupShapes(network, uses, members, 0, members.size() - 1,
                    problem.target)
            .empty())
      continue;
    // Of two, the group of the first without the second is no stretch.
    mayMissGroups |= hasBranch[*main];
    hasBranch[*main] = true;
    std::vector<unsigned> readers = {*main};
    while (links.previous[readers.back()] >= 0)
      readers.push_back(unsigned(links.previous[readers.back()]));
    links.join(*side, readers.back());
    readers.push_back(*side);
    if (*input < n)
      joinMaker(problem, *input, readers, links);
  }
}

/// Puts the layer that makes what `readers` read, the first layers of a chain
/// from back to front, before them if none else reads it.
void Chains::joinMaker(const Problem &problem, unsigned maker,
                       llvm::ArrayRef<unsigned> readers, Links &links) {
  const Network &network = problem.network;
  if (problem.isGiven[maker] || links.next[maker] >= 0)
    return;
  for (unsigned reader : uses.readers[maker])
    if (uses.operands[reader].input == maker &&
        !llvm::is_contained(readers, reader))
      return;
  for (unsigned reader : readers) {
    if (serialEnd(problem, maker, reader))
      return;
    if (llvm::Error error =
            verifyFusible(network, maker, reader, problem.target)) {
      llvm::consumeError(std::move(error));
      return;
    }
  }
  links.join(maker, readers.back());
}

namespace {
using Span = std::pair<size_t, size_t>; ///< members [first, second)

struct Segment {
  Span span;
  GroupCandidate candidate; ///< of a group, or of a single layer not as chosen
};
struct UnitPlan {
  std::vector<Segment> groups;
  std::map<Span, GroupCandidate> tried;
};
struct Trial {
  size_t unit;
  Span span;
  double liking; ///< mean sigma
  GroupCandidate found;
  bool done = false;
};

class Partitioner {
public:
  Partitioner(const Problem &problem, const Chains &chains,
              const std::vector<UnitGates> &gates,
              const ClosureOptions &closure, const ClimbOptions &climb,
              exact::GroupMemory *memory, Budget &budget, Findings &findings)
      : problem(problem), chains(chains), gates(gates), closure(closure),
        climb(climb), memory(memory), budget(budget), findings(findings),
        result(findings.result), plans(chains.units.size()),
        goal(findings.goal()) {
    for (size_t c = 0; c < problem.size(); ++c) {
      // Beside a hull nothing in the pool is of use, and the same points tell
      // that the bound is met.
      candidates.push_back(findings.isExact(c) ? findings.hulls[c]->points
                                               : findings.of(c));
    }
  }

  bool run(llvm::function_ref<void()> beforeSearch) {
    if (isRuledOut())
      return false;
    // Where time is limited, for the case that there is none for groups.
    if (budget.secondsLeft() < std::numeric_limits<double>::infinity())
      tryPools();
    if (!cutByEnumeration({})) {
      if (!chains.nothingToFuse())
        beforeSearch();
      if (!cutByEnumeration(descendedTiles())) {
        tryGroups();
        cutAll();
      }
    }
    result.stages.bound = result.bound;
    if (memory && memory->rulesOut(result.bound))
      return false;
    if (memory)
      memory->note(result.stages);
    write();
    return true;
  }

private:
  const Candidate &alone(unsigned layer) const {
    return findings.best()[problem.classOf[layer]];
  }

  /// Adds to the tiles of descents, the best one's first, halves of the
  /// outputs, of these, and so on: the `most` next to the first one.
  static void addHalves(const Layer &layer, size_t most,
                        std::vector<PerDim<int64_t>> &tiles) {
    auto halves = [](int64_t extent) {
      llvm::SmallVector<int64_t, 12> all = {extent};
      while (all.back() > 1)
        all.push_back(llvm::divideCeilSigned(all.back(), 2));
      return all;
    };
    const PerDim<int64_t> centre = tiles.front();
    auto distance = [&](const PerDim<int64_t> &tile) {
      double sum = 0;
      for (Dim dim : {Dim::N, Dim::P, Dim::Q})
        sum += std::fabs(std::log2(double(tile[dim]) / double(centre[dim])));
      return sum;
    };
    std::vector<PerDim<int64_t>> all;
    PerDim<int64_t> tile{1};
    for (int64_t n : halves(layer.dims[Dim::N]))
      for (int64_t p : halves(layer.dims[Dim::P]))
        for (int64_t q : halves(layer.dims[Dim::Q])) {
          tile[Dim::N] = n;
          tile[Dim::P] = p;
          tile[Dim::Q] = q;
          all.push_back(tile);
        }
    std::stable_sort(all.begin(), all.end(), [&](const auto &a, const auto &b) {
      return distance(a) < distance(b);
    });
    all.resize(std::min(all.size(), most));
    llvm::append_range(tiles, all);
  }

  /// Per layer, and per unit.
  static constexpr size_t kLeastHalves = 4, kMostHalves = 4000;
  /// Tiles where descents ended, per unit and layer, and some that are always
  /// tried; none if there were no descents.
  std::vector<exact::ChainTiles> descendedTiles() const {
    std::vector<exact::ChainTiles> tiles;
    for (const auto &[unit, gate] : llvm::zip_equal(chains.units, gates)) {
      if (gate.tiles.empty())
        return {};
      tiles.push_back(gate.tiles);
      const size_t most =
          std::max<size_t>(kLeastHalves, kMostHalves / unit.layers.size());
      for (auto [index, own] : llvm::zip_equal(unit.layers, tiles.back()))
        addHalves(problem.network.layers[index], most, own);
    }
    return tiles;
  }

  /// What groups are cut from, and what their layers cost alone.
  struct Pieces {
    std::vector<exact::Chain> units;
    std::vector<exact::AloneCosts> alone;
    Aim aim;
  };
  Pieces piecesToCut() const {
    Pieces pieces{{}, {}, problem.aim};
    for (const Unit &unit : chains.units) {
      exact::Chain &own = pieces.units.emplace_back(
          exact::Chain{{}, {}, unit.multiplicity, unit.joinsNext, {}});
      for (unsigned layer : unit.layers) {
        problem.addCore(own.unpooled.emplace_back(), problem.coreCycles[layer]);
        own.layers.push_back(layer);
        own.classes.push_back(problem.classOf[layer]);
      }
    }
    for (size_t c = 0; c < problem.size(); ++c) {
      exact::AloneCosts &alone = pieces.alone.emplace_back();
      for (const Candidate &candidate : candidates[c])
        alone.points.push_back({candidate.energy, candidate.cycles});
      if (findings.hulls[c])
        alone.bound = findings.hulls[c]->bound;
      // Alone, it stores its outputs as they are.
      for (std::vector<BoundPoint> *points : {&alone.points, &alone.bound})
        for (BoundPoint &point : *points)
          problem.addCore(point, problem.coreCycles[problem.firstOfClass[c]]);
    }
    problem.addCore(pieces.aim.given, -problem.allCoreCycles); // in the pieces
    return pieces;
  }
  bool mayEnumerate() const {
    return !problem.foreignCost && problem.convention == Convention::Machine &&
           !chains.nothingToFuse();
  }

  /// Whether the memory knows of something that is better than all of this
  /// network, as far as a bound tells for which little is listed.
  bool isRuledOut() {
    if (!memory || !memory->best || !mayEnumerate() || chains.mayMissGroups ||
        closure.mostEvaluations <= 0)
      return false;
    const Pieces pieces = piecesToCut();
    const exact::ChainResult least = exact::cutChains(
        problem.network, pieces.units, pieces.alone, problem.target,
        problem.latency, problem.space, chains.poolsOutputs, pieces.aim,
        budget.timeLeft(0.5), memory, {}, /*onlyBound=*/true);
    result.enumerated += least.evaluated;
    if (!memory->rulesOut(least.bound))
      return false;
    result.bound = least.bound;
    return true;
  }

  /// Enumerates all groups, or those of tiles like `only` (per unit). False if
  /// that does not tell the best ones.
  bool cutByEnumeration(const std::vector<exact::ChainTiles> &only) {
    if (!mayEnumerate() || (closure.mostEvaluations <= 0 && only.empty()))
      return false;
    const Pieces cut = piecesToCut();
    const std::vector<exact::Chain> &units = cut.units;
    // If it takes too long there must be time left for the search.
    const Budget half = budget.timeLeft(only.empty() ? 0.5 : 0.9);
    exact::ChainResult best = exact::cutChains(
        problem.network, units, cut.alone, problem.target, problem.latency,
        problem.space, chains.poolsOutputs, cut.aim, half, memory, only);
    result.enumerated += best.evaluated;
    // An infinite one: nothing that was enumerated keeps the constraint.
    if (best.bound && std::isfinite(*best.bound) && !chains.mayMissGroups)
      result.bound = best.bound;
    if (best.pieces.empty())
      return false;
    for (auto [u, pieces] : llvm::enumerate(best.pieces)) {
      UnitPlan &plan = plans[u];
      for (exact::Piece &piece : pieces) {
        if (piece.mappings.empty())
          piece.mappings.push_back(
              candidates[units[u].classes[piece.first]][piece.point].mapping);
        plan.groups.push_back({{piece.first, piece.last + 1},
                               {true, std::move(piece.mappings), piece.energy,
                                piece.cycles, "", std::move(piece.group)}});
      }
      for (auto [i, pair] : llvm::enumerate(best.pairs[u])) {
        GroupCandidate &tried = plan.tried[{i, i + 2}];
        tried.reason = "not with the smallest tile either";
        if (pair)
          tried = {true, {}, pair->energy, pair->cycles, "", {}};
      }
    }
    isCutExactly = true;
    return true;
  }

  /// Layers alone that store their outputs pooled: few to look at, and worth
  /// more than groups where else the core pools.
  void tryPools() {
    if (!mayEnumerate() || !chains.poolsOutputs)
      return;
    Pieces single = piecesToCut();
    std::vector<exact::Chain> units;
    std::vector<std::pair<size_t, size_t>> places; // unit and layer of it
    for (auto [u, unit] : llvm::enumerate(single.units))
      for (size_t i = 0; i < unit.layers.size(); ++i) {
        units.push_back({{unit.layers[i]},
                         {unit.classes[i]},
                         unit.multiplicity,
                         {},
                         {unit.unpooled[i]}});
        places.push_back({u, i});
      }
    exact::ChainResult best = exact::cutChains(
        problem.network, units, single.alone, problem.target, problem.latency,
        problem.space, /*poolsOutputs=*/true, single.aim, budget.timeLeft(0.5));
    result.enumerated += best.evaluated;
    for (auto [place, pieces] : llvm::zip(places, best.pieces))
      for (exact::Piece &piece : pieces)
        if (!piece.mappings.empty())
          plans[place.first].tried[{place.second, place.second + 1}] = {
              true, std::move(piece.mappings), piece.energy, piece.cycles,
              "",   std::move(piece.group)};
  }

  /// Groups of two or more, those that the descent liked best first: if time
  /// runs out the rest stays unfused.
  void tryGroups() {
    std::vector<Trial> trials;
    for (auto [u, unit] : llvm::enumerate(chains.units)) {
      const size_t n = unit.layers.size();
      for (size_t begin = 0; begin < n; ++begin)
        for (size_t end = begin + 2; end <= std::min(n, begin + kLongestGroup);
             ++end) {
          double liking = 0;
          for (size_t e = begin; e + 1 < end; ++e)
            liking += gates[u].sigma[e];
          trials.push_back(
              {u, {begin, end}, liking / double(end - begin - 1), {}, false});
        }
    }
    llvm::sort(trials, [](const Trial &a, const Trial &b) {
      return std::tie(b.liking, a.unit, a.span) <
             std::tie(a.liking, b.unit, b.span);
    });
    std::vector<Budget> budgets(
        trials.size(), budget.share(std::max<size_t>(1, trials.size())));
    forEachTask(budget.threads, trials.size(), [&](size_t i) {
      Trial &trial = trials[i];
      if (budgets[i].exhausted() || budget.outOfEvaluations())
        return;
      const Unit &unit = chains.units[trial.unit];
      auto membersOf = [&](const auto &perLayer) {
        return std::decay_t<decltype(perLayer)>(
            perLayer.begin() + trial.span.first,
            perLayer.begin() + trial.span.second);
      };
      const UnitGates inChain = {{},
                                 membersOf(gates[trial.unit].resident),
                                 membersOf(gates[trial.unit].tile)};
      std::string reason;
      const std::vector<GroupShape> shapes = groupShapes(
          problem.network, chains.uses, unit.layers, trial.span.first,
          trial.span.second - 1, problem.target, &reason);
      trial.found.reason = reason;
      for (const GroupShape &shape : shapes) {
        // What is tried here hands over whole tiles.
        if (shape.isBound ||
            llvm::is_contained(shape.getsSlices, std::optional(true)))
          continue;
        UnitGates own;
        for (size_t place : shape.places) {
          own.resident.push_back(inChain.resident[place]);
          own.tile.push_back(inChain.tile[place]);
        }
        GroupCandidate found = searchGroup(
            problem.network, shape, own, problem.target, problem.cost, goal,
            problem.space, climb.sweeps, budgets[i]);
        if (!trial.found.found ||
            (found.found && goal(found.energy, found.cycles) <
                                goal(trial.found.energy, trial.found.cycles)))
          trial.found = std::move(found);
      }
      // One that was cut short proves nothing.
      trial.done = trial.found.found || !budgets[i].exhausted();
    });
    for (const Budget &part : budgets)
      budget.absorb(part);
    for (Trial &trial : trials)
      if (trial.done)
        plans[trial.unit].tried[trial.span] = std::move(trial.found);
  }

  /// A piece of a cut chain: a group that was tried, or a layer alone.
  struct Step {
    size_t from = 0;
    const GroupCandidate *group = nullptr;
    const Candidate *alone = nullptr;
    BoundPoint cost;
  };

  /// Cuts all chains, if that is better than all layers alone.
  void cutAll() {
    std::vector<std::vector<Step>> cuts;
    auto look = [&](const Prices &prices) {
      BoundPoint total;
      cuts.clear();
      for (auto [u, unit] : llvm::enumerate(chains.units)) {
        cuts.push_back(cut(u, prices));
        for (size_t end = unit.layers.size(); end > 0;) {
          const Step &step = cuts.back()[end - 1];
          total.energy += unit.multiplicity * step.cost.energy;
          total.cycles += unit.multiplicity * step.cost.cycles;
          end = step.from;
        }
      }
      return total;
    };
    const BoundPoint best = look(sweepPrices(problem.aim, look).prices);
    const BoundPoint &given = problem.aim.given;
    const bool isFree = llvm::none_of(chains.units, [](const Unit &unit) {
      return llvm::is_contained(unit.joinsNext, true);
    });
    const bool better =
        !isFree || problem.aim.isBetter(
                       {best.energy + given.energy, best.cycles + given.cycles},
                       {goal.totalEnergy, goal.totalCycles});
    for (auto [u, unit] : llvm::enumerate(chains.units)) {
      std::vector<Segment> &groups = plans[u].groups;
      for (size_t end = unit.layers.size(), from; end > 0; end = from) {
        const Step &step = cuts[u][end - 1];
        from = better ? step.from : end - 1;
        Segment &segment = groups.emplace_back();
        segment.span = {from, end};
        if (better && step.group)
          segment.candidate = *step.group;
        else if (better)
          segment.candidate = {true,
                               {step.alone->mapping},
                               step.cost.energy,
                               step.cost.cycles,
                               "",
                               {}};
      }
      std::reverse(groups.begin(), groups.end());
    }
  }

  /// The best partition of a chain.
  std::vector<Step> cut(size_t u, const Prices &prices) {
    const Unit &unit = chains.units[u];
    auto relax = [&](size_t last, llvm::ArrayRef<double> price, double &least,
                     Step &step) {
      const Candidate *one = &alone(unit.layers[last]);
      for (const Candidate &candidate :
           candidates[problem.classOf[unit.layers[last]]])
        if (prices(candidate) < prices(*one) * (1 - 1e-12))
          one = &candidate;
      least = price[last] + prices(*one);
      step = {last, nullptr, one, {one->energy, one->cycles}};
      // One that pools its outputs, or several.
      for (size_t length = 1; length <= std::min(last + 1, kLongestGroup);
           ++length) {
        const size_t from = last + 1 - length;
        auto it = plans[u].tried.find({from, last + 1});
        if (it == plans[u].tried.end() || !it->second.found)
          continue;
        const GroupCandidate &group = it->second;
        // All that could be pooled on the core is counted (allCoreCycles), but
        // what a member hands over is pooled on the way.
        BoundPoint cost = {group.energy, group.cycles};
        for (size_t i = from; i < last + (length == 1); ++i)
          problem.addCore(cost, -problem.coreCycles[unit.layers[i]]);
        if (price[from] + prices(cost) >= least)
          continue;
        least = price[from] + prices(cost);
        step = {from, &group, nullptr, cost};
      }
      if (last < unit.joinsNext.size() && unit.joinsNext[last])
        least = std::numeric_limits<double>::infinity();
    };
    return shortestCuts<Step>(unit.layers.size(), relax);
  }

  /// A cost in a sentence.
  static std::string spell(const BoundPoint &cost) {
    return llvm::formatv("{0:f3} uJ and {1:f0} cycles", cost.energy * 1e-6,
                         cost.cycles)
        .str();
  }
  /// As in the IR, so that it can be written there.
  static std::string spell(const Mapping &mapping) {
    return '<' + mappingText(mapping) + '>';
  }

  double tripsOf(const std::vector<unsigned> &chain) const {
    return double(problem.network.layers[chain.front()].trips);
  }
  BoundPoint costOfAlone(unsigned layer) const {
    return {alone(layer).energy, alone(layer).cycles};
  }
  BoundPoint costOf(const Segment &segment,
                    const std::vector<unsigned> &chain) const {
    if (segment.candidate.found)
      return {segment.candidate.energy, segment.candidate.cycles};
    return costOfAlone(chain[segment.span.first]);
  }
  static void add(BoundPoint &sum, const BoundPoint &cost, double times = 1) {
    sum.energy += times * cost.energy;
    sum.cycles += times * cost.cycles;
  }

  /// The network with something else in place of what was chosen.
  BoundPoint totalWith(const BoundPoint &other, const BoundPoint &chosen,
                       double trips) const {
    BoundPoint sum = total;
    add(sum, other, trips);
    add(sum, chosen, -trips);
    return sum;
  }
  Alternative instead(std::string what, const BoundPoint &other,
                      const BoundPoint &chosen, double trips) const {
    return {std::move(what), other.energy, other.cycles,
            problem.aim.value(totalWith(other, chosen, trips)) /
                problem.aim.value(total)};
  }

  /// Says which groups the layers `from` and `to` of the chain, the second of
  /// which reads the first, are in, what else could be, and if they are apart
  /// why.
  void explain(EdgeDecision &decision, const UnitPlan &plan,
               const std::vector<unsigned> &chain, size_t from,
               size_t to) const {
    BoundPoint won, rest, allAlone;
    std::string pair, others;
    auto nameOf = [&](size_t member) {
      return problem.network.layers[chain[member]].name;
    };
    for (const Segment &segment : plan.groups) {
      const auto [begin, end] = segment.span;
      auto holds = [&, begin = begin, end = end](size_t member) {
        return begin <= member && member < end;
      };
      if (!holds(from) && !holds(to))
        continue;
      decision.fused |= holds(from) && holds(to);
      add(won, costOf(segment, chain));
      decision.grouping += decision.grouping.empty() ? "[" : " [";
      for (size_t member = begin; member < end; ++member) {
        add(allAlone, costOfAlone(chain[member]));
        decision.grouping += (member > begin ? ", " : "") + nameOf(member);
        if (member == from || member == to)
          continue;
        add(rest, costOfAlone(chain[member]));
        others += " [" + nameOf(member) + ']';
      }
      decision.grouping += ']';
    }
    decision.energy = won.energy;
    decision.cycles = won.cycles;
    const double trips = tripsOf(chain);
    if (decision.fused) {
      decision.other = instead("each alone", allAlone, won, trips);
      return;
    }
    decision.isAcross = from + 1 != to;
    decision.reason = whyApart(decision, plan, chain, from, to, rest, others);
  }

  /// Why what layer `from` of the chain makes goes to layer `to` through DRAM.
  std::string whyApart(EdgeDecision &decision, const UnitPlan &plan,
                       const std::vector<unsigned> &chain, size_t from,
                       size_t to, const BoundPoint &rest,
                       const std::string &others) const {
    const BoundPoint won{decision.energy, decision.cycles};
    if (decision.isAcross)
      return "in other groups: " + decision.grouping + ' ' + spell(won);
    std::string reason;
    if (groupShapes(problem.network, chains.uses, chain, from, to,
                    problem.target, &reason)
            .empty())
      return "in no group that is cheaper; as a pair: " + reason;
    auto it = plan.tried.find({from, to + 1});
    if (it == plan.tried.end())
      return budget.stopped() ? "the search was stopped before it was tried"
             : budget.outOfTime()
                 ? "the time limit struck before it was tried"
                 : "the evaluations were used up before it was tried";
    if (!it->second.found)
      return "no tile fits: " + it->second.reason;
    BoundPoint fused = rest;
    add(fused, {it->second.energy, it->second.cycles});
    const double trips = tripsOf(chain);
    decision.other =
        instead('[' + problem.network.layers[chain[from]].name + ", " +
                    problem.network.layers[chain[to]].name + ']' + others,
                fused, won, trips);
    const std::string by =
        inParts(*decision.other, won.energy, won.cycles, problem.aim.objective);
    // What would be better stands against something that was demanded.
    const bool isWorse = decision.other->ratio >= 1 - 1e-9;
    const std::string verdict =
        isWorse ? "not cheaper: "
                : "cheaper, but not what was demanded (marks, constraint): ";
    if (others.empty() && isWorse)
      return verdict + "fused at best " + spell(fused) + ", apart " +
             spell(won) + "; fused " + by;
    // As a pair they may well be better than apart: it is other groups that
    // they would have to leave.
    return verdict + "grouped as " + decision.grouping + ' ' + spell(won) +
           ", with these two as a pair and the others alone at best " +
           spell(fused) + "; that way " + by;
  }

  /// The next best mapping of a layer alone: one that costs something else, of
  /// those that were kept and those one step away.
  std::optional<Alternative> runnerUp(unsigned layer, const Mapping &mapping,
                                      const BoundPoint &chosen) {
    const unsigned layerClass = problem.classOf[layer];
    auto [it, isNew] =
        runnersUp.insert({{layerClass, chosen.energy, chosen.cycles}, {}});
    if (!isNew)
      return it->second;
    std::optional<Alternative> &best = it->second;
    const LayerProblem own = problem.layer(layerClass);
    const double trips = double(own.layer.trips);
    auto consider = [&](const Mapping &next, double energy, double cycles) {
      const BoundPoint other{energy, cycles};
      if ((energy == chosen.energy && cycles == chosen.cycles) ||
          (problem.aim.limit &&
           !problem.aim.limit->keeps(totalWith(other, chosen, trips))))
        return;
      Alternative found = instead("", other, chosen, trips);
      // A search that was cut short may have missed a better one.
      if (found.ratio < 1 || (best && best->ratio <= found.ratio))
        return;
      best = std::move(found);
      best->what = spell(next);
    };
    for (const Candidate &candidate : findings.of(layerClass))
      consider(candidate.mapping, candidate.energy, candidate.cycles);
    if (budget.timeIsUp())
      return best;
    forEachNeighbour(
        own.layer, {own.target, own.space}, mapping, [&](const Mapping &next) {
          if ((own.divisorsOnly() && !dividesEvenly(own.layer, next)) ||
              !fits(own.layer, next, own.target))
            return false;
          const LayerCost cost = own.cost.evaluate(own.layer, next, own.target);
          consider(next, cost.energy, cost.cycles);
          return false;
        });
    return best;
  }

  /// The same for a member of a group: with another mapping one step away,
  /// where all else of the group is as it is.
  std::optional<Alternative> memberRunnerUp(size_t unit, size_t first,
                                            const FusionGroup &group,
                                            size_t member) {
    auto [it, isNew] = memberRunnersUp.insert({{unit, first, member}, {}});
    if (!isNew || budget.timeIsUp())
      return it->second;
    std::optional<Alternative> &best = it->second;
    // Kept columns are kept rows of turned images.
    std::optional<TurnedGroup> image;
    if (group.keeps == Axis::W)
      image = turned(problem.network, result.schedule, group);
    const Network &network = image ? image->network : problem.network;
    Schedule &schedule = image ? image->schedule : result.schedule;
    const FusionGroup &own = image ? image->group : group;
    const GroupTiles tiles(network, schedule, own);
    std::vector<MemberCost> costs;
    for (auto [i, layer] : llvm::enumerate(own.layers))
      costs.push_back(problem.cost.evaluateMember(
          tiles, i, schedule.mappings[layer], problem.target));
    auto costOf = [&](const MemberCost &of) {
      std::vector<MemberCost> all = costs;
      all[member] = of;
      const GroupCost cost =
          problem.cost.combine(std::move(all), problem.target);
      return BoundPoint{cost.energy, cost.cycles};
    };
    const BoundPoint chosen = costOf(costs[member]);
    const double trips =
        double(problem.network.layers[group.layers.front()].trips);
    const unsigned layer = own.layers[member];
    const Mapping mapping = schedule.mappings[layer];
    const bool divisorsOnly =
        problem.cost.wantsDivisors() || !problem.space.unevenTiles;
    forEachNeighbour(
        tiles.tileLayer(member), {problem.target, problem.space}, mapping,
        [&](Mapping next) {
          if (!takesPlaceOf(tiles, member, mapping, next) ||
              (divisorsOnly && !cutsEvenly(tiles, member, next)))
            return false;
          const MemberCost cost =
              problem.cost.evaluateMember(tiles, member, next, problem.target);
          const BoundPoint other = costOf(cost);
          if ((other.energy == chosen.energy &&
               other.cycles == chosen.cycles) ||
              (problem.aim.limit &&
               !problem.aim.limit->keeps(totalWith(other, chosen, trips))))
            return false;
          Alternative found = instead("", other, chosen, trips);
          if (found.ratio < 1 || (best && best->ratio <= found.ratio))
            return false;
          schedule.mappings[layer] = next;
          llvm::Error error = verify(network, schedule, own, problem.target);
          schedule.mappings[layer] = mapping;
          if (error) {
            llvm::consumeError(std::move(error));
            return false;
          }
          best = {spell(image ? turned(next) : next), cost.energy, cost.cycles,
                  found.ratio};
          return false;
        });
    return best;
  }

  /// Writes the plans of the units into the network's chains.
  void write() {
    for (auto [layer, c] : llvm::enumerate(problem.classOf))
      result.schedule.mappings.push_back(c == kNoClass
                                             ? problem.given.mappings[layer]
                                             : findings.best()[c].mapping);
    std::map<std::pair<unsigned, unsigned>, size_t> edgeOf;
    for (auto [index, edge] : llvm::enumerate(problem.network.edges))
      edgeOf.insert({{edge.producer, edge.consumer}, index});
    total = problem.aim.given;
    if (isCutExactly)
      problem.addCore(total, -problem.allCoreCycles); // in the pieces
    for (auto [chain, u] : llvm::zip(chains.chains, chains.unitOf))
      for (const Segment &segment : plans[u].groups)
        add(total, costOf(segment, chain), tripsOf(chain));
    result.runnersUp.resize(problem.network.layers.size());
    std::vector<FusionGroup> groups;
    for (auto [chain, u] : llvm::zip(chains.chains, chains.unitOf)) {
      const UnitPlan &plan = plans[u];
      if (plan.groups.empty()) {
        for (unsigned layer : chain)
          groups.push_back({{layer}});
        continue;
      }
      const Unit &unit = chains.units[u];
      for (const Segment &segment : plan.groups) {
        const GroupCandidate &candidate = segment.candidate;
        // Named as in the unit's first chain.
        FusionGroup group = candidate.group.renumbered([&](unsigned layer) {
          return chain[llvm::find(unit.layers, layer) - unit.layers.begin()];
        });
        if (group.layers.empty())
          group.layers = {chain[segment.span.first]};
        if (candidate.found)
          for (auto [layer, mapping] :
               llvm::zip_equal(group.layers, candidate.mappings))
            result.schedule.mappings[layer] = mapping;
        if (!group.isTiled())
          result.runnersUp[group.layers.front()] =
              runnerUp(group.layers.front(),
                       result.schedule.mappings[group.layers.front()],
                       costOf(segment, chain));
        for (size_t i = 0; group.isTiled() && i < group.layers.size(); ++i)
          result.runnersUp[group.layers[i]] =
              memberRunnerUp(u, segment.span.first, group, i);
        groups.push_back(std::move(group));
      }
      for (size_t i = 1; i < chain.size(); ++i) {
        const std::optional<unsigned> producer =
            chains.uses.operands[chain[i]].input;
        const size_t from =
            producer ? llvm::find(chain, *producer) - chain.begin() : i;
        if (from >= i)
          continue;
        EdgeDecision &decision = result.edges[edgeOf.at({*producer, chain[i]})];
        decision.sigma = from + 1 == i ? gates[u].sigma[from] : 0;
        explain(decision, plan, chain, from, i);
      }
    }
    result.schedule.groups = std::move(groups);
  }

  const Problem &problem;
  const Chains &chains;
  const std::vector<UnitGates> &gates;
  const ClosureOptions &closure;
  const ClimbOptions &climb;
  exact::GroupMemory *const memory;
  Budget &budget;
  const Findings &findings;
  SearchResult &result;
  std::vector<std::vector<Candidate>> candidates; ///< per class, alone
  std::vector<UnitPlan> plans;
  Goal goal;
  BoundPoint total;          ///< of what was chosen, given layers included
  bool isCutExactly = false; ///< pieces have core cycles in their costs
  /// By class and what the chosen mapping costs.
  std::map<std::tuple<unsigned, double, double>, std::optional<Alternative>>
      runnersUp;
  /// By unit, first member of the piece, and member.
  std::map<std::tuple<size_t, size_t, size_t>, std::optional<Alternative>>
      memberRunnersUp;
};
} // namespace

bool fadiff::partition(const Problem &problem, const Chains &chains,
                       const std::vector<UnitGates> &gates,
                       const ClosureOptions &closure, const ClimbOptions &climb,
                       exact::GroupMemory *memory, Budget &budget,
                       Findings &findings,
                       llvm::function_ref<void()> beforeSearch) {
  return Partitioner(problem, chains, gates, closure, climb, memory, budget,
                     findings)
      .run(beforeSearch);
}
