//===- Fusion.cpp - Finding mappings for a fusion group -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fusion.h"

#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Turn.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace fadiff;

namespace {

/// How a member holds its weights.
enum class Holding : uint8_t {
  Resident,         ///< all of them, for the whole group
  StreamOutputs,    ///< one block of output channels at a time
  StreamReductions, ///< one block of outputs and one of inputs at a time
};
constexpr unsigned kNumHoldings = 3;

} // namespace

/// N, P and Q outermost, reductions innermost so that nothing spills.
static LoopOrder groupOrder() {
  return {Dim::S, Dim::R, Dim::C, Dim::K, Dim::G, Dim::Q, Dim::P, Dim::N};
}

/// Largest block of `extent` that is at most `limit` and divides it, or any if
/// the extent is the whole bound (its last block may be smaller) and `space`
/// has that.
static int64_t blockOf(int64_t extent, int64_t bound, int64_t limit,
                       const SearchSpace &space) {
  limit = std::max<int64_t>(limit, 1);
  if (extent <= limit)
    return extent;
  if (extent == bound && space.unevenTiles)
    return llvm::divideCeilSigned(extent,
                                  llvm::divideCeilSigned(extent, limit));
  std::vector<int64_t> divisors = divisorsUpTo(extent, limit);
  return *std::max_element(divisors.begin(), divisors.end());
}

/// N, P and Q at DRAM are the group's loops.
static void setGroupTrips(const GroupTiles &tiles, size_t member,
                          Mapping &mapping) {
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    mapping.temporal[Level::Dram][dim] = tiles.dramFactor(member, dim);
}

bool fadiff::cutsEvenly(const GroupTiles &tiles, size_t member,
                        Mapping mapping) {
  for (Dim dim : {Dim::N, Dim::P, Dim::Q}) {
    if (tiles.isLast(member) &&
        tiles.handedOver(member, dim) % tiles.tile()[dim])
      return false;
    mapping.temporal[Level::Dram][dim] = 1;
  }
  return dividesEvenly(tiles.tileLayer(member), mapping);
}

bool fadiff::takesPlaceOf(const GroupTiles &tiles, size_t member,
                          const Mapping &own, Mapping &next) {
  setGroupTrips(tiles, member, next);
  const Layer &layer = tiles.tileLayer(member);
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    if (next.tile(tiles.isLast(member) ? tiles.layer(member) : layer,
                  Level::Scratchpad, dim) != layer.dims[dim])
      return false;
  return (member == 0 || next.rows == own.rows) &&
         (tiles.isLast(member) || next.cols == own.cols);
}

static Mapping makeMember(const GroupTiles &tiles, size_t member,
                          const Accelerator &target, const SearchSpace &space,
                          Holding holding) {
  const Layer &layer = tiles.tileLayer(member);
  // The last member's factors say what the group's tile is.
  const Layer &bound = tiles.isLast(member) ? tiles.layer(member) : layer;
  Mapping m;
  const bool depthwise = layer.isDepthwise();
  const Dim columns = depthwise ? Dim::G : Dim::K;
  m.cols = std::min(target.side, layer.dims[columns]);
  m.rows = depthwise ? 1 : std::min(target.side, layer.dims[Dim::C]);
  // What is handed over wants all of the array.
  if (!space.unevenTiles && !depthwise) {
    if (tiles.isLast(member))
      m.cols = blockOf(layer.dims[columns], 0, target.side, space);
    if (member == 0)
      m.rows = blockOf(layer.dims[Dim::C], 0, target.side, space);
  }
  for (Level level : kAllLevels)
    m.order[level] = groupOrder();
  // Rows are kept for the next tile along P.
  if (tiles.keepsRows())
    m.order[Level::Dram] = {Dim::S, Dim::R, Dim::C, Dim::K,
                            Dim::G, Dim::P, Dim::Q, Dim::N};
  m.order[Level::Accumulator] = classOrder(kStationaryOrders[0]);

  // What is handed over in place is there all at once.
  const bool whole = target.handsOverInPlace() && !tiles.isLast(member);
  int64_t room = target.accumulatorRows();
  if (target.handsOverInPlace())
    room -= tiles.handedOverRowsAt(member, target.side);
  auto &registers = m.temporal[Level::Registers];
  auto &accumulator = m.temporal[Level::Accumulator];
  auto &spad = m.temporal[Level::Scratchpad];
  for (Dim dim : {Dim::Q, Dim::P, Dim::N}) {
    const int64_t extent = layer.dims[dim];
    registers[dim] =
        whole ? extent : blockOf(extent, bound.dims[dim], room, space);
    spad[dim] = llvm::divideCeilSigned(extent, registers[dim]);
    room /= registers[dim];
  }
  accumulator[Dim::R] = layer.dims[Dim::R];
  accumulator[Dim::S] = layer.dims[Dim::S];
  if (!depthwise && holding != Holding::StreamReductions)
    accumulator[Dim::C] = llvm::divideCeilSigned(layer.dims[Dim::C], m.rows);
  if (holding == Holding::Resident)
    spad[columns] = llvm::divideCeilSigned(layer.dims[columns], m.cols);
  settle(layer, m);
  setGroupTrips(tiles, member, m);
  return m;
}

/// ceil(bound / parts) for a growing number of parts, without repeats.
static std::vector<int64_t> tileExtents(int64_t bound,
                                        llvm::ArrayRef<int64_t> parts) {
  std::vector<int64_t> extents;
  for (int64_t part : parts) {
    int64_t extent = llvm::divideCeilSigned(bound, part);
    if (!llvm::is_contained(extents, extent))
      extents.push_back(extent);
  }
  return extents;
}

namespace {
class GroupSearch {
public:
  GroupSearch(const Network &whole, const GroupShape &shape,
              const UnitGates &gates, const Accelerator &target,
              const CostFunction &cost, const Goal &goal,
              const SearchSpace &space, Budget &budget, bool onlyKept)
      : gates(gates), target(target), cost(cost), goal(goal), space(space),
        budget(budget), onlyKept(onlyKept) {
    // A network of the members alone: a group's cost and legality depend on
    // nothing else, and long networks have many groups.
    const unsigned n = unsigned(shape.group.layers.size());
    for (unsigned index : shape.group.layers) {
      unsigned i = unsigned(network.layers.size());
      network.layers.push_back(whole.layers[index]);
      group.layers.push_back(i);
      if (llvm::is_contained(shape.group.liveSkips, index))
        group.liveSkips.push_back(i);
      // Who reads what, as the flow has it; its tiles are the tensors.
      const GroupFlow::Member &member = shape.flow.members[i];
      auto tensorOf = [&](size_t tile) {
        const std::optional<size_t> producer = shape.flow.tiles[tile].producer;
        return unsigned(producer ? *producer : n + tile);
      };
      Operands operands;
      operands.input = tensorOf(member.input);
      if (member.skip)
        operands.residual = tensorOf(*member.skip);
      network.operands.push_back(operands);
      if (*operands.input < n)
        network.edges.push_back({*operands.input, i, ""});
    }
    flow = shape.flow;
    schedule.mappings.resize(n);
  }

  GroupCandidate run(unsigned maxSweeps) {
    std::vector<GroupCandidate> starts = construct();
    // The best few are worth a climb.
    std::vector<size_t> order(starts.size());
    std::iota(order.begin(), order.end(), size_t(0));
    llvm::sort(order, [&](size_t a, size_t b) {
      double left = goal(starts[a].energy, starts[a].cycles);
      double right = goal(starts[b].energy, starts[b].cycles);
      return left != right ? left < right : a < b;
    });
    GroupCandidate best;
    best.reason = lastReason;
    for (size_t index : llvm::ArrayRef(order).take_front(3)) {
      GroupCandidate &candidate = starts[index];
      climb(candidate, maxSweeps);
      if (!best.found || goal(candidate.energy, candidate.cycles) <
                             goal(best.energy, best.cycles))
        best = candidate;
    }
    return best;
  }

private:
  const Layer &member(size_t i) const {
    return network.layers[group.layers[i]];
  }
  bool isLast(size_t i) const { return i + 1 == group.layers.size(); }
  bool divisorsOnly() const {
    return cost.wantsDivisors() || !space.unevenTiles;
  }

  MemberCost evaluateMember(const GroupTiles &tiles, size_t i,
                            const Mapping &mapping) {
    ++budget.evaluations;
    return cost.evaluateMember(tiles, i, mapping, target);
  }

  bool legal(bool keepReason) {
    llvm::Error error = verify(network, schedule, group, target);
    if (!error)
      return true;
    if (keepReason)
      lastReason = llvm::toString(std::move(error));
    else
      llvm::consumeError(std::move(error));
    return false;
  }

  void load(const std::vector<Mapping> &mappings) {
    for (auto [index, mapping] : llvm::zip(group.layers, mappings))
      schedule.mappings[index] = mapping;
  }

  GroupTiles tilesOf(const PerDim<int64_t> &tile, bool keepRows) const {
    std::vector<const Layer *> chain;
    for (size_t i = 0; i < group.layers.size(); ++i)
      chain.push_back(&member(i));
    return GroupTiles(chain, tile, flow, keepRows);
  }

  void tryConstruct(const GroupTiles &tiles, llvm::ArrayRef<unsigned> holdings,
                    std::vector<GroupCandidate> &out) {
    GroupCandidate candidate;
    for (size_t i = 0; i < group.layers.size(); ++i)
      candidate.mappings.push_back(makeMember(
          tiles, i, target, space, static_cast<Holding>(holdings[i])));
    if (divisorsOnly())
      for (size_t i = 0; i < group.layers.size(); ++i)
        if (!cutsEvenly(tiles, i, candidate.mappings[i])) {
          lastReason = "no tile divides evenly, as is wanted here";
          return;
        }
    load(candidate.mappings);
    group.keeps = tiles.keepsRows() ? std::optional(Axis::H) : std::nullopt;
    candidate.group = group;
    if (!legal(/*keepReason=*/true))
      return;
    std::vector<MemberCost> members;
    for (size_t i = 0; i < group.layers.size(); ++i)
      members.push_back(evaluateMember(tiles, i, candidate.mappings[i]));
    GroupCost found = cost.combine(std::move(members), target);
    candidate.energy = found.energy;
    candidate.cycles = found.cycles;
    candidate.found = true;
    out.push_back(std::move(candidate));
  }

  std::vector<GroupCandidate> construct() {
    const Layer &last = member(group.layers.size() - 1);
    const size_t n = group.layers.size();
    std::vector<GroupCandidate> found;
    // Each member's way of holding weights; for long groups all the same.
    std::vector<std::vector<unsigned>> holdings;
    if (n <= 3) {
      unsigned combinations = 1;
      for (size_t i = 0; i < n; ++i)
        combinations *= kNumHoldings;
      for (unsigned code = 0; code < combinations; ++code) {
        std::vector<unsigned> one;
        for (unsigned rest = code, i = 0; i < n; ++i, rest /= kNumHoldings)
          one.push_back(rest % kNumHoldings);
        holdings.push_back(one);
      }
    } else {
      for (unsigned h = 0; h < kNumHoldings; ++h)
        holdings.push_back(std::vector<unsigned>(n, h));
      // As the descent had it.
      holdings.emplace_back();
      for (double resident : gates.resident)
        holdings.back().push_back(unsigned(
            resident > 0.5 ? Holding::Resident : Holding::StreamOutputs));
    }
    // Where the descent ended comes first.
    auto extentsOf = [&](Dim dim, llvm::ArrayRef<int64_t> parts) {
      std::vector<int64_t> extents = tileExtents(last.dims[dim], parts);
      int64_t liked = std::clamp<int64_t>(std::llround(gates.tile.back()[dim]),
                                          1, last.dims[dim]);
      if (!llvm::is_contained(extents, liked))
        extents.insert(extents.begin(), liked);
      return extents;
    };
    PerDim<int64_t> tile{1};
    for (int64_t rows : extentsOf(Dim::N, {1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48,
                                           64, 128, 256, 512, 1024}))
      for (int64_t q : extentsOf(Dim::Q, {1, 2, 4, 7, 14}))
        for (int64_t p : extentsOf(
                 Dim::P, {1, 2, 3, 4, 5, 6, 7, 8, 10, 14, 28, 56, 112, 224})) {
          tile[Dim::N] = rows;
          tile[Dim::P] = p;
          tile[Dim::Q] = q;
          for (bool keepRows : {false, true}) {
            if (keepRows ? !mayKeepRows() || p == last.dims[Dim::P] : onlyKept)
              continue;
            const GroupTiles tiles = tilesOf(tile, keepRows);
            for (const std::vector<unsigned> &one : holdings) {
              if (budget.exhausted())
                return found;
              tryConstruct(tiles, one, found);
            }
          }
        }
    return found;
  }

  /// Whether windows overlap, so that there is something to keep. Timeloop's
  /// counts are DeFiNES's, which copies kept rows where the machine does not.
  bool mayKeepRows() const {
    return !cost.wantsDivisors() && !target.handsOverInPlace() &&
           llvm::any_of(network.layers, mayShareRows);
  }

  /// Climbs over the members' mappings; the group tile stays.
  void climb(GroupCandidate &best, unsigned maxSweeps) {
    load(best.mappings);
    group = best.group;
    const GroupTiles tiles(network, schedule, group);
    std::vector<MemberCost> costs;
    std::vector<Place> places;
    for (size_t i = 0; i < group.layers.size(); ++i) {
      costs.push_back(evaluateMember(tiles, i, best.mappings[i]));
      places.push_back({tiles.tileLayer(i), best.mappings[i]});
    }
    double least = goal(best.energy, best.cycles);
    fadiff::climb(places, {target, space}, maxSweeps, /*gain=*/1e-6, budget,
                  least, [&](size_t i, const Mapping &next) {
                    return improveMember(tiles, costs, best, least, i, next);
                  });
  }

  bool improveMember(const GroupTiles &tiles, std::vector<MemberCost> &costs,
                     GroupCandidate &best, double &least, size_t i, Mapping m) {
    if (!takesPlaceOf(tiles, i, best.mappings[i], m))
      return false;
    if (divisorsOnly() && !cutsEvenly(tiles, i, m))
      return false;
    // Cost first: it turns away more, and without building a message.
    const MemberCost own = costs[i];
    costs[i] = evaluateMember(tiles, i, m);
    const GroupCost found = cost.combine(costs, target);
    const double value = goal(found.energy, found.cycles);
    Mapping &slot = schedule.mappings[group.layers[i]];
    slot = m;
    if (!(value < least * (1 - 1e-12)) || !legal(/*keepReason=*/false)) {
      slot = best.mappings[i];
      costs[i] = own;
      return false;
    }
    best.mappings[i] = m;
    best.energy = found.energy;
    best.cycles = found.cycles;
    least = value;
    return true;
  }

  Network network;
  const UnitGates &gates;
  const Accelerator &target;
  const CostFunction &cost;
  const Goal &goal;
  const SearchSpace &space;
  Budget &budget;
  const bool onlyKept; ///< rows are kept
  FusionGroup group;
  GroupFlow flow;
  Schedule schedule;
  std::string lastReason;
};
} // namespace

UnitGates fadiff::noGates(size_t layers) {
  return {std::vector<double>(layers - 1, 0), std::vector<double>(layers, 0),
          std::vector<PerDim<double>>(layers, PerDim<double>(1))};
}

GroupCandidate fadiff::searchGroup(
    const Network &network, const GroupShape &shape, const UnitGates &gates,
    const Accelerator &target, const CostFunction &cost, const Goal &goal,
    const SearchSpace &space, unsigned maxSweeps, Budget &budget) {
  GroupCandidate found = GroupSearch(network, shape, gates, target, cost, goal,
                                     space, budget, /*onlyKept=*/false)
                             .run(maxSweeps);
  // Kept columns are kept rows of turned images; turning those that are square
  // changes nothing, but where pooled rows are handed over, which is not tried.
  if (llvm::any_of(shape.group.layers, [&](unsigned layer) {
        return !network.layers[layer].isSquare();
      })) {
    Network image = network;
    for (unsigned layer : shape.group.layers)
      image.layers[layer] = turned(network.layers[layer]);
    UnitGates imageGates = gates;
    for (PerDim<double> &tile : imageGates.tile)
      std::swap(tile[Dim::P], tile[Dim::Q]);
    GroupCandidate columns =
        GroupSearch(image, shape, imageGates, target, cost, goal, space, budget,
                    /*onlyKept=*/true)
            .run(maxSweeps);
    if (columns.found &&
        (!found.found || goal(columns.energy, columns.cycles) <
                             goal(found.energy, found.cycles))) {
      found = std::move(columns);
      found.group.keeps = Axis::W;
      for (Mapping &mapping : found.mappings)
        mapping = turned(mapping);
    }
  }
  found.group = found.group.renumbered(
      [&](unsigned member) { return shape.group.layers[member]; });
  return found;
}
