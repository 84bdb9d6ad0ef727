//===- TieBreak.cpp - The faster of equal mappings ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TieBreak.h"

#include "Fusion.h"

#include "fadiff/CostModel/Group.h"
#include "fadiff/CostModel/StreamLatency.h"
#include "fadiff/Schedule/Turn.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>
#include <tuple>

using namespace fadiff;

/// Each sweep looks at a few hundred neighbours.
static constexpr unsigned kMaxSweeps = 12;

/// What is compared: of the mapping's own energy and cycles none may get worse.
namespace {
struct Standing {
  double energy = 0, cycles = 0, stream = 0;
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
        kMaxSweeps, /*gain=*/0, budget, best->stream,
        [&](size_t, const Mapping &next) {
          std::optional<Standing> found = judge(next, &*best);
          if (!found)
            return false;
          best = found;
          mapping = next;
          return true;
        });
}

/// What `next` stands at, if it costs no more than `best` and is faster.
template <typename CostT, typename StreamT>
static std::optional<Standing> compare(const CostT &cost, const Standing *best,
                                       StreamT stream) {
  if (best && (cost.energy > best->energy || cost.cycles > best->cycles))
    return std::nullopt;
  const Standing found{cost.energy, cost.cycles, stream()};
  // By more than rounding, so that climbs end.
  if (best && !(found.stream < best->stream * (1 - 1e-9)))
    return std::nullopt;
  return found;
}

void fadiff::breakTies(const Network &network, const Accelerator &target,
                       const CostFunction &cost, const SearchSpace &space,
                       Schedule &schedule, const Budget &budget) {
  // Equal layers at equal mappings have equal answers.
  std::vector<std::tuple<std::vector<int64_t>, Mapping, Mapping>> known;
  for (const FusionGroup &group : schedule.groups) {
    if (group.keeps == Axis::W) {
      TurnedGroup image = turned(network, schedule, group);
      breakTies(image.network, target, cost, space, image.schedule, budget);
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
                return compare(cost.evaluate(layer, next, target), best, [&] {
                  return streamLatency(layer, next, target).cycles;
                });
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
                cost.evaluateMember(tiles, member, candidate, target), best,
                [&] {
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
