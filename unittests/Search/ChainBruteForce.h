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
#include <string>
#include <vector>

namespace fadiff::test {

/// Dims that a group's tiles cut.
inline constexpr std::array<Dim, 3> kCut = {Dim::N, Dim::P, Dim::Q};

struct Point {
  double energy = 0, cycles = 0;
  std::string text; ///< groups of more than one layer, for messages
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
                  const SearchSpace &space, Latency latency = Latency::Roofline)
      : network(network), target(target), space(space), latency(latency),
        cost(createCostFunction(Convention::Machine, Model::Exact, latency)) {}

  /// All undominated totals of all partitions.
  std::vector<Point> run() {
    const size_t n = network.layers.size();
    std::vector<std::vector<Point>> upTo(n + 1);
    upTo[0] = {{0, 0, ""}};
    for (size_t end = 1; end <= n; ++end)
      for (size_t begin = 0; begin < end; ++begin)
        for (const Point &group : piecesOf(begin, end))
          for (const Point &before : upTo[begin])
            addPoint(upTo[end],
                     {before.energy + group.energy,
                      before.cycles + group.cycles, before.text + group.text});
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
    for (Point &point : points)
      point.cycles += onTheCore(network.layers[end - 1]);
    if (network.layers[end - 1].pool)
      for (const Point &point : together(begin, end, /*poolsOutput=*/true))
        addPoint(points, point);
    return points;
  }

  /// Cycles to pool what is stored as it is, element by element.
  double onTheCore(const Layer &layer) const {
    if (!layer.pool)
      return 0;
    const MaxPool &pool = *layer.pool;
    int64_t taken = 0, begun = 0, rows = 0, columns = 0;
    for (int64_t y = 0; y < pool.outputs[Axis::H]; ++y)
      for (int64_t x = 0; x < pool.outputs[Axis::W]; ++x) {
        ++begun;
        for (int64_t i = 0; i < pool.size; ++i)
          for (int64_t j = 0; j < pool.size; ++j) {
            ++taken;
            rows = std::max(rows, y * pool.stride + i + 1);
            columns = std::max(columns, x * pool.stride + j + 1);
          }
      }
    const bool padded = pool.padLow[Axis::H] + pool.padLow[Axis::W] > 0 ||
                        rows > layer.dims[Dim::P] ||
                        columns > layer.dims[Dim::Q];
    const int64_t channels = layer.dims[Dim::G] * layer.dims[Dim::K];
    const int64_t all = layer.dims[Dim::N] * channels;
    int64_t copied = padded ? all * rows * columns : 0;
    // Bytes are copied eight at a time where all runs that are one behind the
    // other begin and end at such: lines, or images that get no columns.
    const bool ofLines = columns != layer.dims[Dim::Q];
    const int64_t line = layer.dims[Dim::Q] * channels;
    const int64_t run = ofLines ? line : line * layer.dims[Dim::P];
    const int64_t into = ofLines ? columns * channels : line * rows;
    const int64_t low =
        ofLines ? pool.padLow[Axis::W] * channels : pool.padLow[Axis::H] * line;
    if (layer.outputBytes == 1 && run % 8 == 0 && into % 8 == 0 && low % 8 == 0)
      copied /= 8;
    return double(all * taken * target.corePoolCycles +
                  (all * begun + copied) * target.coreCopyCycles);
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
          LayerCost found = cost->evaluate(layer, m, target);
          addPoint(points, {found.energy, found.cycles, ""});
        },
        space);
    return points;
  }

  /// A member's mapping and what it takes of the memories; what of it counts
  /// when is up to verify().
  struct Member {
    double energy, cycles;
    double streamed = 0, resident = 0; ///< rows of weights
    double loaded = 0, kept = 0;       ///< rows of an input that it loads
    double sums = 0;                   ///< rows of the accumulator
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
      // In every order.
      do
        addSlices(group, 1, points);
      while (std::next_permutation(group.layers.begin(), group.layers.end()));
    }
    return points;
  }

  /// Hands inputs of the members from `i` on over whole and in slices of every
  /// width.
  void addSlices(FusionGroup &group, size_t i, std::vector<Point> &points) {
    if (i < group.layers.size()) {
      addSlices(group, i + 1, points);
      const Layer &layer = network.layers[group.layers[i]];
      for (int64_t channels = target.side; channels < layer.inputChannels();
           channels += target.side) {
        group.inputSlices.push_back({group.layers[i], channels});
        addSlices(group, i + 1, points);
        group.inputSlices.pop_back();
      }
      return;
    }
    const TensorUses uses(network);
    for (const auto &[keepRows, inputTurns] : {std::pair(false, false),
                                               {false, true},
                                               {true, false},
                                               {true, true}}) {
      if (keepRows && (group.layers.size() == 1 || target.handsOverInPlace()))
        continue; // nothing to keep them for
      if (inputTurns && latency != Latency::Busy)
        continue; // changes nothing
      FusionGroup kept = group;
      kept.keeps = keepRows ? std::optional(Axis::H) : std::nullopt;
      kept.inputTurns = inputTurns;
      const GroupFlow flow = flowOf(network, uses, kept);
      if (llvm::Error error = verifyFlow(network, uses, kept, flow, target)) {
        llvm::consumeError(std::move(error));
        continue;
      }
      addTiles(kept, flow, points);
    }
  }

  void addTiles(const FusionGroup &group, const GroupFlow &flow,
                std::vector<Point> &points) {
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
             ++tile[Dim::Q]) {
          if (group.keeps && tile[Dim::P] == last.dims[Dim::P])
            continue;
          if (!space.unevenTiles &&
              std::any_of(kCut.begin(), kCut.end(), [&](Dim dim) {
                return last.dims[dim] % tile[dim] != 0;
              }))
            continue;
          const GroupTiles tiles(chain, tile, flow, group.keeps.has_value(),
                                 group.poolsOutput);
          std::vector<std::vector<Member>> members;
          for (size_t i = 0; i < chain.size(); ++i)
            members.push_back(membersOf(tiles, i, tile));
          std::vector<const Member *> chosen;
          combine(group, tiles, members, chosen, points);
        }
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
    const bool turns = flow.tiles[inputTile].turns;
    const bool isWhole = flow.isShared(inputTile) || turns;
    // What is handed over in place is there all at once.
    const bool isHeld = target.handsOverInPlace() && !tiles.isLast(i);
    auto fits = [&](const Mapping &m) {
      if (isHeld)
        for (Dim dim : kCut)
          if (m.tile(tileLayer, Level::Accumulator, dim) != tileLayer.dims[dim])
            return false;
      // Rows handed over hold `side` channels.
      if (!tiles.isLast(i) || skips || (depthwise && (!loads || isWhole)))
        if (m.cols !=
            std::min(target.side, layer.dims[depthwise ? Dim::G : Dim::K]))
          return false;
      if ((!loads || isWhole) && !depthwise &&
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
      if (loads && isWhole)
        for (Dim dim : {Dim::G, Dim::C, Dim::R, Dim::S})
          if (m.trips(tileLayer, Level::Dram, dim) > 1)
            return false;
      Footprint rows = footprint(tileLayer, m);
      return (isHeld ? 0 : rows.outputRows) <= target.accumulatorRows() &&
             (loads ? tiles.loadedRows(inputTile, m) : 0) + rows.weightRows <=
                 target.scratchpadRows();
    };
    BruteForce(
        tileLayer, target, /*divisors=*/false, fits,
        [&](const Mapping &mapping) {
          if (outputVisits(tileLayer, mapping) != 1 ||
              !walksSlices(flow, i, tileLayer, mapping))
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
          (weightsResident(layer, mapping) ? member.resident
                                           : member.streamed) =
              double(rows.weightRows);
          if (loads)
            (turns || tiles.keepsLoaded(inputTile, mapping) ? member.kept
                                                            : member.loaded) =
                double(tiles.loadedRows(inputTile, mapping));
          member.sums = double(rows.outputRows);
          addUndominated(found, member, [](const Member &m) {
            return std::array<double, 7>{m.energy,   m.cycles, m.streamed,
                                         m.resident, m.loaded, m.kept,
                                         m.sums};
          });
        },
        space);
    return found;
  }

  /// Whether the outermost of its own loops walks the slices that the member
  /// gets and makes.
  bool walksSlices(const GroupFlow &flow, size_t i, const Layer &tileLayer,
                   const Mapping &m) const {
    const bool depthwise = tileLayer.isDepthwise();
    auto loops = emittedLoops(tileLayer, m, Level::Dram);
    const bool atDram = !loops.empty();
    if (!atDram)
      loops = emittedLoops(tileLayer, m, Level::Scratchpad);
    auto walks = [&](Dim dim, int64_t channels) {
      return channels == 0 ||
             (!loops.empty() && loops.front().dim == dim &&
              m.tile(tileLayer, atDram ? Level::Scratchpad : Level::Accumulator,
                     dim) == channels);
    };
    const GroupFlow::Member &member = flow.members[i];
    return walks(depthwise ? Dim::G : Dim::C, flow.tiles[member.input].slice) &&
           walks(depthwise ? Dim::G : Dim::K,
                 member.output ? flow.tiles[*member.output].slice : 0);
  }

  /// Every choice of one of each member's mappings that nothing before is as
  /// good as, and that verify() accepts.
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
    Point total;
    for (const Member *member : chosen) {
      total.energy += member->energy;
      total.cycles += member->cycles;
    }
    ++groups;
    if (std::any_of(points.begin(), points.end(), [&](const Point &point) {
          return point.energy <= total.energy && point.cycles <= total.cycles;
        }))
      return;
    Schedule schedule;
    schedule.mappings.resize(network.layers.size());
    for (size_t i = 0; i < chosen.size(); ++i)
      schedule.mappings[group.layers[i]] = chosen[i]->mapping;
    // Rows are kept for the next tile along P; nothing else depends on which of
    // the group's loops is the innermost.
    if (group.keeps) {
      LoopOrder &order =
          schedule.mappings[group.layers.back()].order[Level::Dram];
      auto shared =
          std::stable_partition(order.begin(), order.end(), [](Dim dim) {
            return isRelevant(Tensor::W, dim);
          });
      std::iter_swap(shared, std::find(shared, order.end(), Dim::P));
    }
    if (llvm::Error error = verify(network, schedule, group, target)) {
      const std::string text = llvm::toString(std::move(error));
      // Rules of single members are known above.
      EXPECT_TRUE(text.find("rule 'group-capacity'") != std::string::npos ||
                  text.find("rule 'group-accumulator'") != std::string::npos ||
                  (group.inputTurns &&
                   text.find("rule 'group-turns'") != std::string::npos))
          << text;
      return;
    }
    total.text = textOf(group, tiles);
    for (const Member *member : chosen)
      total.text += textOf(*member);
    addPoint(points, total);
  }

  std::string textOf(const FusionGroup &group, const GroupTiles &tiles) const {
    std::string text;
    for (unsigned layer : group.layers) {
      text += (text.empty() ? "[" : ", ") + network.layers[layer].name;
      if (int64_t slice = group.sliceOf(layer))
        text += " gets " + std::to_string(slice);
      if (llvm::is_contained(group.liveSkips, layer))
        text += " adds on chip";
    }
    text += group.keeps ? "] keeps rows" : "]";
    text += group.inputTurns ? ", input in turns" : "";
    text += group.poolsOutput ? " pools, tile" : " tile";
    for (Dim dim : kCut)
      text += " " + std::to_string(tiles.tile()[dim]);
    return text;
  }
  static std::string textOf(const Member &member) {
    std::string text = "; " + std::to_string(member.energy) + " pJ, " +
                       std::to_string(member.cycles) + " cycles, rows";
    for (double rows : {member.streamed, member.resident, member.loaded,
                        member.kept, member.sums})
      text += " " + std::to_string(int64_t(rows));
    return text;
  }

  const Network &network;
  const Accelerator &target;
  const SearchSpace &space;
  const Latency latency;
  std::unique_ptr<CostFunction> cost;
};

} // namespace fadiff::test

#endif // FADIFF_UNITTESTS_SEARCH_CHAINBRUTEFORCE_H
