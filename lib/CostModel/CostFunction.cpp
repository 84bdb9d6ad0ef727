//===- CostFunction.cpp - A cost with its gradient ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/CostModel/LoopLatency.h"
#include "fadiff/CostModel/Relaxed.h"
#include "fadiff/CostModel/StreamLatency.h"
#include "fadiff/CostModel/StreamWalks.h"
#include "fadiff/Schedule/Turn.h"

#include <algorithm>
#include <cmath>

using namespace fadiff;

CostFunction::~CostFunction() = default;

/// DRAM takes what the inner factors leave.
static void fillDram(const Layer &layer, Mapping &mapping, Dim dim) {
  int64_t tile = mapping.spatial(layer, dim);
  for (Level level : {Level::Registers, Level::Accumulator, Level::Scratchpad})
    tile *= mapping.temporal[level][dim];
  mapping.temporal[Level::Dram][dim] =
      (layer.dims[dim] + tile - 1) / std::max<int64_t>(tile, 1);
}

/// Slopes of what `evaluate` finds, by central differences along each factor.
template <typename EvaluateT>
static void takeDifferences(const Layer &layer, const Mapping &mapping,
                            FactorSlopes &energy, FactorSlopes &cycles,
                            EvaluateT evaluate) {
  energy = cycles = {};
  forEachFactor(layer, [&](auto factorOf, Dim dim) {
    // Factors are whole: halve and double is the step that always exists.
    Mapping less = mapping, more = mapping;
    factorOf(less) = std::max<int64_t>(1, factorOf(mapping) / 2);
    factorOf(more) = factorOf(mapping) * 2;
    fillDram(layer, less, dim);
    fillDram(layer, more, dim);
    double step = std::log(double(factorOf(more)) / double(factorOf(less)));
    LayerCost low = evaluate(less);
    LayerCost high = evaluate(more);
    factorOf(energy) = (high.energy - low.energy) / step;
    factorOf(cycles) = (high.cycles - low.cycles) / step;
  });
}

LayerCost CostFunction::differentiate(const Layer &layer,
                                      const Mapping &mapping,
                                      const Accelerator &target,
                                      FactorSlopes &energy,
                                      FactorSlopes &cycles,
                                      const FusedEnds<double> &fused) const {
  takeDifferences(layer, mapping, energy, cycles, [&](const Mapping &m) {
    return evaluate(layer, m, target, fused);
  });
  return evaluate(layer, mapping, target, fused);
}

MemberCost CostFunction::differentiateMember(const GroupTiles &tiles,
                                             size_t member,
                                             const Mapping &mapping,
                                             const Accelerator &target,
                                             FactorSlopes &energy,
                                             FactorSlopes &cycles) const {
  takeDifferences(tiles.tileLayer(member), mapping, energy, cycles,
                  [&](const Mapping &m) {
                    return evaluateMember(tiles, member, m, target);
                  });
  return evaluateMember(tiles, member, mapping, target);
}

MemberCost CostFunction::evaluateMember(const GroupTiles &tiles, size_t member,
                                        const Mapping &mapping,
                                        const Accelerator &target) const {
  Layer layer = tiles.layer(member);
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    layer.dims[dim] = tiles.produced(member, dim);
  FusedEnds<double> fused;
  fused.input = !tiles.loadsInput(member);
  fused.output = !tiles.isLast(member);
  fused.residual = tiles.addsOnChip(member);
  MemberCost cost;
  static_cast<LayerCost &>(cost) = evaluate(layer, mapping, target, fused);
  return cost;
}

GroupCost CostFunction::combine(std::vector<MemberCost> members,
                                const Accelerator &target) const {
  GroupCost group;
  group.members = std::move(members);
  chargeGroup(group, target, GroupOverlap::Paper);
  return group;
}

namespace {
class BuiltInCost : public CostFunction {
public:
  /// `walks`: cycles of streams are those of a walk, not of the closed form.
  BuiltInCost(Convention convention, Model model, Latency latency,
              GroupOverlap overlap, bool walks, StreamWalks *known)
      : convention(convention), model(model), latency(latency),
        overlap(overlapOf(convention, overlap)), walks(walks), known(known) {
    if (walks)
      closedForm =
          std::make_unique<BuiltInCost>(convention, model, latency, overlap,
                                        /*walks=*/false, /*known=*/nullptr);
  }

  const CostFunction &quick() const override {
    return closedForm ? *closedForm : *this;
  }

  LayerCost evaluate(const Layer &layer, const Mapping &mapping,
                     const Accelerator &target,
                     const FusedEnds<double> &fused) const override {
    const Nest<double> nest = exactNest(layer, mapping);
    LayerCost cost = countAccesses(nest, convention, target, fused, model);
    charge(cost, nest, target, convention, model, latency);
    if (latency == Latency::Streams)
      countStreams(cost, streamedLayer(nest), target);
    return cost;
  }

  MemberCost evaluateMember(const GroupTiles &tiles, size_t member,
                            const Mapping &mapping,
                            const Accelerator &target) const override {
    RelaxedFactors<double> factors;
    detail::forEachWholeFactor(
        tiles.tileLayer(member), mapping,
        [&](auto factorOf, double value) { factorOf(factors) = value; });
    return countWith(memberNest</*Whole=*/true>(tiles, member, factors,
                                                mapping.order, target.side),
                     tiles, member, target);
  }

  MemberCost differentiateMember(const GroupTiles &tiles, size_t member,
                                 const Mapping &mapping,
                                 const Accelerator &target,
                                 FactorSlopes &energy,
                                 FactorSlopes &cycles) const override {
    using D = Dual<24>; // room for every factor of every level
    const Layer &layer = tiles.tileLayer(member);
    RelaxedFactors<D> factors;
    unsigned count = 0;
    forEachFactor(layer, [&](auto factorOf, Dim) {
      const double factor = double(factorOf(mapping));
      D::Gradient byLog{};
      byLog[count++] = factor;
      factorOf(factors) = D(factor, byLog);
    });
    const BasicMemberCost<D> cost =
        countWith(memberNest</*Whole=*/false>(tiles, member, factors,
                                              mapping.order, target.side),
                  tiles, member, target);
    energy = cycles = {};
    count = 0;
    forEachFactor(layer, [&](auto factorOf, Dim) {
      factorOf(energy) = cost.energy.gradient()[count];
      factorOf(cycles) = cost.cycles.gradient()[count];
      ++count;
    });
    return evaluateMember(tiles, member, mapping, target);
  }

  GroupCost combine(std::vector<MemberCost> members,
                    const Accelerator &target) const override {
    GroupCost group;
    group.members = std::move(members);
    // What members take in RTL is each their own.
    chargeGroup(group, target,
                latency == Latency::Streams ? GroupOverlap::Paper : overlap);
    return group;
  }

  double cyclesInTurn(const GroupTiles &tiles, llvm::ArrayRef<Mapping> mappings,
                      const Accelerator &target) const override {
    if (!walks || tiles.size() < 2)
      return 0;
    const stream::MembersInTurn group = membersInTurn(tiles, mappings, target);
    return known ? known->cyclesInTurn(group)
                 : StreamWalks(target).cyclesInTurn(group);
  }

  LayerCost differentiate(const Layer &layer, const Mapping &mapping,
                          const Accelerator &target, FactorSlopes &energy,
                          FactorSlopes &cycles,
                          const FusedEnds<double> &fused) const override {
    RelaxedSlopes slopes =
        differentiateRelaxed(layer, relaxedFactors(mapping), mapping.order,
                             target, convention, fused, model, latency);
    energy = slopes.energy;
    cycles = slopes.cycles;
    // Equal to evaluate's, as all tiles are whole; but for a walk, which has no
    // slopes.
    return walks ? evaluate(layer, mapping, target, fused) : slopes.value;
  }

  std::optional<double> loopCycles(const Layer &layer, const Mapping &mapping,
                                   const Accelerator &target) const override {
    if (latency != Latency::Streams)
      return std::nullopt;
    llvm::Expected<LoopJudgement> judged = judgeLoop(layer, mapping, target);
    if (judged)
      return std::max(
          judged->byLoop,
          evaluateLayer(layer, mapping, target, convention, {}, model, latency)
              .cycles);
    llvm::consumeError(judged.takeError());
    return std::nullopt;
  }

  bool wantsDivisors() const override {
    return convention == Convention::Timeloop;
  }

private:
  template <typename T>
  BasicMemberCost<T> countWith(const Nest<T, true> &nest,
                               const GroupTiles &tiles, size_t member,
                               const Accelerator &target) const {
    MemberMoves<T> moves = memberMoves(tiles, member, nest);
    const GroupFlow &flow = tiles.flow();
    moves.inputBeside =
        moves.first && flow.tiles[flow.members[member].input].turns;
    BasicMemberCost<T> cost =
        countMember(nest, moves, target, convention, model, latency);
    if (latency != Latency::Streams)
      return cost;
    countStreams(cost, streamedMember(nest, tiles, member, target), target);
    return cost;
  }

  /// The time that streams take: never below what busy units take, whose bounds
  /// hold for this time, too.
  template <typename CostT, typename T>
  void countStreams(CostT &cost, const StreamedLayer<T> &streamed,
                    const Accelerator &target) const {
    T cycles(0.0);
    if constexpr (std::is_same_v<T, double>)
      cycles = !walks  ? streamLatency(streamed, target).cycles
               : known ? known->cycles(streamed)
                       : walkedCycles(streamed, target);
    else
      cycles = streamLatency(streamed, target).cycles;
    cost.busyCycles = cost.cycles;
    setCycles(cost, maxOf(cost.cycles, cycles), target);
  }

  Convention convention;
  Model model;
  Latency latency;
  GroupOverlap overlap;
  bool walks;
  StreamWalks *known;
  std::unique_ptr<BuiltInCost> closedForm;
};
} // namespace

std::unique_ptr<CostFunction>
fadiff::createCostFunction(Convention convention, Model model, Latency latency,
                           GroupOverlap overlap, StreamWalks *walks) {
  return std::make_unique<BuiltInCost>(convention, model, latency, overlap,
                                       /*walks=*/latency == Latency::Streams,
                                       walks);
}

GroupCost fadiff::evaluateGroup(const Network &network,
                                const Schedule &schedule,
                                const FusionGroup &group,
                                const Accelerator &target,
                                const CostFunction &cost) {
  if (group.keeps == Axis::W)
    return asKeptRows(network, schedule, group, [&](auto &&...rows) {
      return evaluateGroup(rows..., target, cost);
    });
  if (group.isTiled()) {
    const GroupTiles tiles(network, schedule, group);
    std::vector<MemberCost> members;
    std::vector<Mapping> mappings;
    for (size_t i = 0; i < group.layers.size(); ++i) {
      mappings.push_back(schedule.mappings[group.layers[i]]);
      members.push_back(cost.evaluateMember(tiles, i, mappings[i], target));
    }
    double busy = 0;
    for (const MemberCost &member : members)
      busy += member.busyCycles;
    GroupCost found = cost.combine(std::move(members), target);
    // Bounds hold for these cycles, too.
    if (const double more = cost.cyclesInTurn(tiles, mappings, target))
      setCycles(found, std::max(std::round(found.cycles + more), busy), target);
    return found;
  }
  // A layer alone is its own group whatever the convention.
  GroupCost alone;
  const unsigned index = group.layers.front();
  static_cast<LayerCost &>(alone.members.emplace_back()) =
      cost.evaluate(network.layers[index], schedule.mappings[index], target);
  if (group.byLoop)
    if (const std::optional<double> cycles = cost.loopCycles(
            network.layers[index], schedule.mappings[index], target))
      setCycles(alone.members.front(), *cycles, target);
  chargeGroup(alone, target, GroupOverlap::Paper);
  return alone;
}

ScheduleCost fadiff::evaluateSchedule(const Network &network,
                                      const Schedule &schedule,
                                      const Accelerator &target,
                                      const CostFunction &cost) {
  ScheduleCost result;
  for (const FusionGroup &group : schedule.groups) {
    GroupCost part = evaluateGroup(network, schedule, group, target, cost);
    const double trips = double(network.layers[group.layers.front()].trips);
    result.energy += trips * part.energy;
    result.cycles += trips * part.cycles;
    result.dramBytes += part.dramBytes * trips;
    result.groups.push_back(std::move(part));
  }
  return result;
}
