//===- ChainBruteForce.h - All groups of short chains -----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tests of the bound with fusion compare with.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_UNITTESTS_SEARCH_CHAINBRUTEFORCE_H
#define FADIFF_UNITTESTS_SEARCH_CHAINBRUTEFORCE_H

#include "BruteForce.h"

#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/Schedule/GroupFlow.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Placement.h"

#include "gtest/gtest.h"

#include <array>
#include <memory>
#include <vector>

namespace fadiff::test {

/// Dims that a group's tiles cut.
inline constexpr std::array<Dim, 3> kCut = {Dim::N, Dim::P, Dim::Q};

struct Point {
  double energy = 0, cycles = 0;
};

/// Keeps what nothing else is as good as in all of `parts(point)`.
template <typename PointT, typename PartsT>
void addUndominated(std::vector<PointT> &points, const PointT &next,
                    PartsT parts) {
  auto noWorse = [&](const PointT &a, const PointT &b) {
    const auto left = parts(a), right = parts(b);
    for (size_t i = 0; i < left.size(); ++i)
      if (left[i] > right[i])
        return false;
    return true;
  };
  for (const PointT &other : points)
    if (noWorse(other, next))
      return;
  points.erase(
      std::remove_if(points.begin(), points.end(),
                     [&](const PointT &other) { return noWorse(next, other); }),
      points.end());
  points.push_back(next);
}
inline void addPoint(std::vector<Point> &points, Point next) {
  addUndominated(points, next, [](const Point &p) {
    return std::array<double, 2>{p.energy, p.cycles};
  });
}

/// Layers of which each stretch may be a group; where it may, any residuals can
/// be live that verifyFlow() lets be.
class ChainBruteForce {
public:
  ChainBruteForce(const Network &network, const Accelerator &target,
                  const SearchSpace &space)
      : network(network), target(target), space(space),
        cost(createCostFunction(Convention::Machine)) {}

  /// All undominated totals of all partitions.
  std::vector<Point> run() {
    const size_t n = network.layers.size();
    std::vector<std::vector<Point>> upTo(n + 1);
    upTo[0] = {{0, 0}};
    for (size_t end = 1; end <= n; ++end)
      for (size_t begin = 0; begin < end; ++begin)
        for (const Point &group : piecesOf(begin, end))
          for (const Point &before : upTo[begin])
            addPoint(upTo[end], {before.energy + group.energy,
                                 before.cycles + group.cycles});
    return upTo[n];
  }

  uint64_t mappings = 0;
  uint64_t groups = 0;

private:
  /// All of the layers from `begin` on: a group, which may store its outputs
  /// pooled if there is a pooling behind it, or a layer alone.
  std::vector<Point> piecesOf(size_t begin, size_t end) {
    const bool single = end - begin == 1;
    if (!single && target.handOver == HandOver::None)
      return {};
    std::vector<Point> points =
        single ? alone(begin) : together(begin, end, /*poolsOutput=*/false);
    if (network.layers[end - 1].pool)
      for (const Point &point : together(begin, end, /*poolsOutput=*/true))
        addPoint(points, point);
    return points;
  }

  std::vector<Point> alone(size_t index) {
    const Layer &layer = network.layers[index];
    std::vector<Point> points;
    auto fits = [&](const Mapping &m) {
      Footprint rows = footprint(layer, m);
      return rows.inputRows + rows.weightRows <= target.scratchpadRows() &&
             rows.outputRows <= target.accumulatorRows();
    };
    BruteForce(
        layer, target, /*divisors=*/false, fits,
        [&](const Mapping &m) {
          ++mappings;
          LayerCost found = evaluateLayer(layer, m, target);
          addPoint(points, {found.energy, found.cycles});
        },
        space);
    return points;
  }

  /// A member's mapping, and what it takes of the scratchpad (eq.
  /// (group-rows)).
  struct Member {
    double energy, cycles, live, resident, kept = 0;
    Mapping mapping;
  };

  std::vector<Point> together(size_t begin, size_t end, bool poolsOutput) {
    std::vector<Point> points;
    // A layer alone has no skip on chip.
    const unsigned skips = end - begin == 1 ? 1 : 1u << (end - begin);
    for (unsigned live = 0; live < skips; ++live) {
      FusionGroup group;
      group.poolsOutput = poolsOutput;
      for (size_t i = begin; i < end; ++i) {
        group.layers.push_back(unsigned(i));
        if (live >> (i - begin) & 1)
          group.liveSkips.push_back(unsigned(i));
      }
      const TensorUses uses(network);
      const GroupFlow flow = flowOf(network, uses, group);
      if (llvm::Error error = verifyFlow(network, uses, group, flow, target)) {
        llvm::consumeError(std::move(error));
        continue;
      }
      for (const Point &point : together(group, flow))
        addPoint(points, point);
      if (group.layers.size() > 3)
        continue;
      // All members in turn, one array width of channels at a time.
      for (unsigned layer : llvm::drop_begin(group.layers))
        group.inputSlices.push_back({layer, target.side});
      const GroupFlow inTurn = flowOf(network, uses, group);
      if (llvm::Error error =
              verifyFlow(network, uses, group, inTurn, target)) {
        llvm::consumeError(std::move(error));
        continue;
      }
      for (const Point &point : together(group, inTurn))
        addPoint(points, point);
    }
    return points;
  }

  std::vector<Point> together(const FusionGroup &group, const GroupFlow &flow) {
    std::vector<Point> points;
    std::vector<const Layer *> chain;
    for (unsigned index : group.layers)
      chain.push_back(&network.layers[index]);
    Layer last = *chain.back();
    if (group.poolsOutput)
      for (Axis axis : kAllAxes)
        last.dims[outputDim(axis)] = last.pool->outputs[axis];
    PerDim<int64_t> tile{1};
    for (tile[Dim::N] = 1; tile[Dim::N] <= last.dims[Dim::N]; ++tile[Dim::N])
      for (tile[Dim::P] = 1; tile[Dim::P] <= last.dims[Dim::P]; ++tile[Dim::P])
        for (tile[Dim::Q] = 1; tile[Dim::Q] <= last.dims[Dim::Q];
             ++tile[Dim::Q])
          for (bool keepRows : {false, true}) {
            if (keepRows && (chain.size() == 1 || !group.inputSlices.empty() ||
                             target.handsOverInPlace() ||
                             tile[Dim::P] == last.dims[Dim::P]))
              continue; // nothing to keep them for
            if (!space.unevenTiles &&
                std::any_of(kCut.begin(), kCut.end(), [&](Dim dim) {
                  return last.dims[dim] % tile[dim] != 0;
                }))
              continue;
            FusionGroup kept = group;
            kept.keeps = keepRows ? std::optional(Axis::H) : std::nullopt;
            const GroupTiles tiles(chain, tile, flow, keepRows,
                                   group.poolsOutput);
            std::vector<std::vector<Member>> members;
            for (size_t i = 0; i < chain.size(); ++i)
              members.push_back(membersOf(tiles, i, tile));
            std::vector<const Member *> chosen;
            combine(kept, tiles, members, chosen, points);
          }
    return points;
  }

  std::vector<Member> membersOf(const GroupTiles &tiles, size_t i,
                                const PerDim<int64_t> &tile) {
    std::vector<Member> found;
    const Layer &layer = tiles.layer(i), &tileLayer = tiles.tileLayer(i);
    for (Dim dim : kCut)
      if (tiles.nominal(i, dim) == 0)
        return found;
    const bool depthwise = layer.isDepthwise();
    const GroupFlow &flow = tiles.flow();
    const size_t inputTile = flow.members[i].input;
    const bool loads = tiles.loadsInput(i), skips = tiles.addsOnChip(i);
    const bool isShared = flow.isShared(inputTile);
    // All tiles that are there, but for an input that the member loads and
    // those that are kept.
    int64_t tileRows = 0;
    const bool inTurn = flow.turnsOf(i).first < flow.turnsOf(i).second;
    for (size_t t = 0; t < flow.tiles.size(); ++t)
      if (flow.tiles[t].isLiveAt(i) && !(loads && t == inputTile) &&
          // Of those that take turns, each has its own input.
          !(inTurn && t != inputTile) && !tiles.keepsTile(t) &&
          !(flow.tiles[t].producer && target.handsOverInPlace()))
        tileRows += tiles.tileRows(t, target.side);
    // What is handed over in place takes the accumulator's rows, and is there
    // all at once.
    int64_t sumRows = target.accumulatorRows();
    if (target.handsOverInPlace())
      sumRows -= tiles.handedOverRowsAt(i, target.side);
    const bool isHeld = target.handsOverInPlace() && !tiles.isLast(i);
    // What a member that adds up slices has of its tile leaves the others equal
    // shares.
    const Layer &end = tiles.layer(tiles.size() - 1);
    if (inTurn && !target.handsOverInPlace() &&
        !(tiles.isLast(i) && !depthwise)) {
      int64_t sharers = int64_t(tiles.size());
      if (!end.isDepthwise()) {
        --sharers;
        int64_t sums = (end.dims[Dim::K] + target.side - 1) / target.side;
        for (Dim dim : kCut)
          sums *= tiles.nominal(tiles.size() - 1, dim);
        sumRows -= sums;
      }
      sumRows = sumRows > 0 ? sumRows / sharers : -1;
    }
    auto fits = [&](const Mapping &m) {
      if (isHeld)
        for (Dim dim : kCut)
          if (m.tile(tileLayer, Level::Accumulator, dim) != tileLayer.dims[dim])
            return false;
      // Rows handed over hold `side` channels.
      if (!tiles.isLast(i) || skips || (depthwise && (!loads || isShared)))
        if (m.cols !=
            std::min(target.side, layer.dims[depthwise ? Dim::G : Dim::K]))
          return false;
      if ((!loads || isShared) && !depthwise &&
          m.rows != std::min(target.side, layer.dims[Dim::C]))
        return false;
      for (Dim dim : kCut)
        if (m.tile(tileLayer, Level::Scratchpad, dim) != tileLayer.dims[dim] ||
            (tiles.isLast(i) &&
             GroupLoops(layer, m, tiles.poolsOutput()).tile()[dim] !=
                 tile[dim]))
          return false;
      if (tiles.pooling(i))
        for (Dim dim : {Dim::P, Dim::Q})
          if (m.tile(tileLayer, Level::Accumulator, dim) != tileLayer.dims[dim])
            return false;
      if (loads && isShared)
        for (Dim dim : {Dim::G, Dim::C, Dim::R, Dim::S})
          if (m.trips(tileLayer, Level::Dram, dim) > 1)
            return false;
      Footprint rows = footprint(tileLayer, m);
      return (isHeld ? 0 : rows.outputRows) <= sumRows &&
             (loads ? tiles.loadedRows(inputTile, m) : 0) + tileRows +
                     rows.weightRows <=
                 target.scratchpadRows();
    };
    BruteForce(
        tileLayer, target, /*divisors=*/false, fits,
        [&](const Mapping &mapping) {
          if (outputVisits(tileLayer, mapping) != 1 ||
              (inTurn && !walksSlices(flow, i, layer, tileLayer, mapping)))
            return;
          ++mappings;
          Member member;
          member.mapping = mapping;
          for (Dim dim : kCut)
            member.mapping.temporal[Level::Dram][dim] =
                tiles.isLast(i) && tiles.poolsOutput()
                    ? tiles.trips(dim)
                    : std::max(tiles.trips(dim),
                               (layer.dims[dim] + tileLayer.dims[dim] - 1) /
                                   tileLayer.dims[dim]);
          MemberCost own =
              cost->evaluateMember(tiles, i, member.mapping, target);
          member.energy = own.energy;
          member.cycles = own.cycles;
          Footprint rows = footprint(tileLayer, mapping);
          const bool resident = weightsResident(layer, mapping);
          member.live = double(tileRows + (resident ? 0 : rows.weightRows));
          // What is handed over and not kept is among those rows.
          if (!loads && flow.tiles[inputTile].reader == i &&
              tiles.keepsTile(inputTile))
            member.kept = double(tiles.tileRows(inputTile, target.side));
          if (loads)
            (tiles.keepsLoaded(inputTile, mapping) ? member.kept
                                                   : member.live) +=
                double(tiles.loadedRows(inputTile, mapping));
          member.resident = resident ? double(rows.weightRows) : 0;
          addUndominated(found, member, [](const Member &m) {
            return std::array<double, 5>{m.energy, m.cycles, m.live, m.resident,
                                         m.kept};
          });
        },
        space);
    return found;
  }

  /// Whether slices of channels are what the outermost of its own loops walks,
  /// reductions otherwise being on chip, and the array's rows all used.
  bool walksSlices(const GroupFlow &flow, size_t i, const Layer &layer,
                   const Layer &tileLayer, const Mapping &m) const {
    const bool gets = flow.tiles[flow.members[i].input].slice > 0;
    const bool depthwise = layer.isDepthwise();
    const Dim walked = depthwise ? Dim::G : gets ? Dim::C : Dim::K;
    for (Dim dim : {Dim::C, Dim::R, Dim::S})
      if (dim != walked && m.trips(tileLayer, Level::Dram, dim) > 1)
        return false;
    if (!depthwise && m.rows != std::min(target.side, layer.dims[Dim::C]))
      return false;
    auto loops = emittedLoops(tileLayer, m, Level::Dram);
    const bool atDram = !loops.empty();
    if (!atDram)
      loops = emittedLoops(tileLayer, m, Level::Scratchpad);
    return !loops.empty() && loops.front().dim == walked &&
           m.tile(tileLayer, atDram ? Level::Scratchpad : Level::Accumulator,
                  walked) == target.side;
  }

  void combine(const FusionGroup &group, const GroupTiles &tiles,
               const std::vector<std::vector<Member>> &members,
               std::vector<const Member *> &chosen,
               std::vector<Point> &points) {
    if (chosen.size() < members.size()) {
      for (const Member &member : members[chosen.size()]) {
        chosen.push_back(&member);
        combine(group, tiles, members, chosen, points);
        chosen.pop_back();
      }
      return;
    }
    double live = 0, resident = 0;
    Point total;
    for (const Member *member : chosen) {
      live = group.inputSlices.empty() ? std::max(live, member->live)
                                       : live + member->live;
      resident += member->resident + member->kept;
      total.energy += member->energy;
      total.cycles += member->cycles;
    }
    const bool fits = live + resident <= double(target.scratchpadRows());
    // The rules of above are those of verify(). To ask it every time would take
    // too long.
    if (++groups % 97 == 0) {
      Schedule schedule;
      schedule.mappings.resize(network.layers.size());
      for (size_t i = 0; i < chosen.size(); ++i)
        schedule.mappings[group.layers[i]] = chosen[i]->mapping;
      // Rows are kept for the next tile along P; nothing else depends on which
      // of the group's loops is the innermost.
      if (group.keeps) {
        LoopOrder &order =
            schedule.mappings[group.layers.back()].order[Level::Dram];
        auto shared =
            std::stable_partition(order.begin(), order.end(), [](Dim dim) {
              return isRelevant(Tensor::W, dim);
            });
        std::iter_swap(shared, std::find(shared, order.end(), Dim::P));
      }
      llvm::Error error = verify(network, schedule, group, target);
      const bool failed = bool(error);
      EXPECT_EQ(failed, !fits) << llvm::toString(std::move(error));
    }
    if (fits)
      addPoint(points, total);
  }

  const Network &network;
  const Accelerator &target;
  const SearchSpace &space;
  std::unique_ptr<CostFunction> cost;
};

} // namespace fadiff::test

#endif // FADIFF_UNITTESTS_SEARCH_CHAINBRUTEFORCE_H
