//===- Anneal.cpp - Simulated annealing over schedules --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Anneal.h"

#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Turn.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <unordered_map>
#include <utility>

using namespace fadiff;
using llvm::divideCeilSigned;

namespace {
constexpr Dim kPixels[] = {Dim::N, Dim::P, Dim::Q};

/// A group whose members have these mappings.
struct State {
  FusionGroup group;
  llvm::SmallVector<Mapping, 1> mappings; ///< one per member

  bool operator==(const State &other) const {
    return mappings == other.mappings && group == other.group;
  }
};

llvm::hash_code hashOf(const FusionGroup &group) {
  return llvm::hash_combine(llvm::hash_combine_range(group.layers),
                            llvm::hash_combine_range(group.liveSkips),
                            group.inputSlices.size(), group.inputTurns,
                            group.poolsOutput);
}
struct GroupHash {
  size_t operator()(const FusionGroup &group) const { return hashOf(group); }
};
struct StateHash {
  size_t operator()(const State &state) const {
    return llvm::hash_combine(llvm::hash_combine_range(state.mappings),
                              hashOf(state.group));
  }
};

/// What is known of a State that verify() accepts.
struct Known {
  /// Of each member, unless columns are kept, and of all (pJ, cycles).
  struct Price {
    std::vector<MemberCost> members;
    double energy = 0, cycles = 0;
  };
  Price quick;                ///< by CostFunction::quick()
  std::optional<Price> whole; ///< once it was asked for
};

} // namespace

/// Changes come to the same places again and again.
class fadiff::AnnealMemory {
public:
  /// Null for what is not legal; none if that is not known.
  std::optional<std::shared_ptr<Known>> find(const State &state) const {
    const auto found = states.find(state);
    return found == states.end() ? std::nullopt : std::optional(found->second);
  }
  void add(State state, std::shared_ptr<Known> known) {
    const size_t more = state.mappings.size();
    if (kept + more > kMostKept) {
      states.clear();
      kept = 0;
    }
    kept += more;
    states.emplace(std::move(state), std::move(known));
  }

  /// Of groups that isTiled(), in the network as it is; none if verifyFlow()
  /// refuses it.
  std::unordered_map<FusionGroup, std::optional<GroupFlow>, GroupHash> flows;

private:
  static constexpr size_t kMostKept = 1 << 16;
  std::unordered_map<State, std::shared_ptr<Known>, StateHash> states;
  size_t kept = 0; ///< mappings
};

std::shared_ptr<AnnealMemory> fadiff::createAnnealMemory() {
  return std::make_shared<AnnealMemory>();
}

namespace {
/// A group with the tile that it is meant to have; of its members' mappings
/// only what this leaves open is looked at.
struct Piece {
  FusionGroup group;
  PerDim<int64_t> tile{1};
  std::shared_ptr<Known> known;
};

class Annealer {
public:
  Annealer(const Network &network, const Accelerator &target,
           const CostFunction &cost, const AnnealOptions &options)
      : network(network), target(target), cost(cost), quick(cost.quick()),
        options(options), uses(network),
        memory(options.memory ? options.memory : createAnnealMemory()),
        rng(options.seed) {}

  Annealed run(const Schedule &start) {
    mappings = start.mappings;
    for (const FusionGroup &group : start.groups) {
      Piece &piece = pieces.emplace_back();
      piece.group = group;
      piece.tile = tileOf(start, group);
      piece.known = std::make_shared<Known>();
      piece.known->quick = priceBy(quick, piece, /*old=*/nullptr);
    }
    priceWhole();
    double current = total(/*isQuick=*/false);
    double currentQuick = total(/*isQuick=*/true);
    double least = current;
    Annealed best{start, energy, cycles, 0};
    const double cooling =
        std::log(options.temperatureLast / options.temperatureFirst);
    const auto lastStep = double(std::max<uint64_t>(2, options.steps) - 1);
    for (uint64_t step = 0; step < options.steps; ++step) {
      if (step % 64 == 0 && options.stop && options.stop())
        break;
      const double used = options.used ? options.used() : 0;
      if (used > 1)
        break;
      const double part = std::max(used, double(step) / lastStep);
      const double temperature =
          options.temperatureFirst * std::exp(cooling * part);
      if (!change()) {
        undo();
        continue;
      }
      ++best.legal;
      const double most = -temperature * std::log(unit());
      const double nextQuick = total(/*isQuick=*/true);
      if (hasQuick() &&
          std::log(nextQuick / currentQuick) > most + options.doubt) {
        undo();
        continue;
      }
      priceWhole();
      const double next = total(/*isQuick=*/false);
      if (std::log(next / current) > most) {
        undo();
        continue;
      }
      current = next;
      currentQuick = nextQuick;
      if (next < least) {
        least = next;
        best.energy = energy;
        best.cycles = cycles;
        best.schedule = schedule();
      }
    }
    return best;
  }

  /// See fadiff::withOtherTiles().
  std::vector<Schedule> retile(const Schedule &start, TileParts which,
                               size_t most) {
    mappings = start.mappings;
    Piece meant;
    meant.group = start.groups.front();
    meant.tile = tileOf(start, meant.group);
    std::vector<std::pair<double, Schedule>> best;
    for (int64_t n : partsOf(storedExtent(meant, Dim::N), which))
      for (int64_t p : partsOf(storedExtent(meant, Dim::P), which))
        for (int64_t q : partsOf(storedExtent(meant, Dim::Q), which)) {
          Piece piece = meant;
          piece.tile[Dim::N] = n;
          piece.tile[Dim::P] = p;
          piece.tile[Dim::Q] = q;
          mappings = start.mappings;
          if (piece.tile == meant.tile || (options.stop && options.stop()) ||
              !realise(piece))
            continue;
          pieces = {piece};
          const double value = total(/*isQuick=*/true);
          if (best.size() >= most && value >= best.back().first)
            continue;
          if (best.size() >= most)
            best.pop_back();
          best.insert(llvm::upper_bound(best, value,
                                        [](double value, const auto &known) {
                                          return value < known.first;
                                        }),
                      {value, schedule()});
        }
    std::vector<Schedule> found;
    for (auto &[value, schedule] : best)
      found.push_back(std::move(schedule));
    return found;
  }

private:
  /// The sizes that `extent` is cut into, each once.
  static llvm::SmallVector<int64_t> partsOf(int64_t extent, TileParts which) {
    llvm::SmallVector<int64_t> found;
    auto add = [&](int64_t parts) {
      const int64_t size = divideCeilSigned(extent, parts);
      if (found.empty() || size < found.back())
        found.push_back(size);
    };
    for (int64_t parts = 1; parts < 2 * extent; parts *= 2) {
      add(parts);
      if (which == TileParts::All && parts > 1)
        add(parts + parts / 2);
    }
    return found;
  }

  //===--- Random numbers, the same on every platform ---------------------===//

  uint64_t below(uint64_t n) { return rng() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  int64_t pick(int64_t low, int64_t high) {
    return low + int64_t(below(uint64_t(high - low + 1)));
  }
  /// In (0, 1).
  double unit() { return (double(rng() >> 11) + 0.5) * 0x1p-53; }
  /// A number near `value`, or anywhere, from 1 to `most`.
  int64_t near(int64_t value, int64_t most) {
    switch (below(7)) {
    case 0:
      return 1;
    case 1:
      return most;
    case 2:
      return std::min(most, value * 2);
    case 3:
      return std::max<int64_t>(1, value / 2);
    case 4:
      return std::min(most, value + 1);
    case 5:
      return std::max<int64_t>(1, value - 1);
    default:
      return pick(1, most);
    }
  }

  //===--- The state ------------------------------------------------------===//

  bool hasQuick() const { return &quick != &cost; }
  /// The objective of all pieces.
  double total(bool isQuick) {
    energy = options.besidesEnergy;
    cycles = options.besidesCycles;
    for (const Piece &piece : pieces) {
      const Known::Price &price =
          isQuick ? piece.known->quick : *piece.known->whole;
      const double trips =
          double(network.layers[piece.group.layers.front()].trips);
      energy += trips * price.energy;
      cycles += trips * price.cycles;
    }
    return objectiveValue(options.objective, energy, cycles);
  }
  Schedule schedule() const {
    Schedule all;
    all.mappings = mappings;
    for (const Piece &piece : pieces)
      all.groups.push_back(piece.group);
    // Every producer comes first.
    llvm::sort(all.groups, [](const FusionGroup &a, const FusionGroup &b) {
      return *llvm::max_element(a.layers) < *llvm::max_element(b.layers);
    });
    return all;
  }
  PerDim<int64_t> tileOf(const Schedule &schedule,
                         const FusionGroup &group) const {
    if (!group.isTiled())
      return PerDim<int64_t>{1};
    return asKeptRows(network, schedule, group,
                      [](const Network &network, const Schedule &schedule,
                         const FusionGroup &group) {
                        return GroupTiles(network, schedule, group).tile();
                      });
  }
  /// Of a piece whose mappings are those of its group. `old`, if there is one,
  /// has the same group and tile, and had the mappings in `before`: members
  /// whose mappings are the same cost the same.
  Known::Price priceBy(const CostFunction &function, const Piece &piece,
                       const Known::Price *old) const {
    Known::Price price;
    GroupCost found;
    if (piece.group.isTiled() && piece.group.keeps != Axis::W) {
      const GroupTiles tiles(network, state, piece.group);
      for (size_t i = 0; i < piece.group.layers.size(); ++i) {
        const Mapping &mapping = mappings[piece.group.layers[i]];
        price.members.push_back(
            old && before.mappings[i] == mapping
                ? old->members[i]
                : function.evaluateMember(tiles, i, mapping, target));
      }
      found = function.combine(price.members, target);
    } else {
      found = evaluateGroup(network, state, piece.group, target, function);
    }
    price.energy = found.energy;
    price.cycles = found.cycles;
    return price;
  }
  /// Gives all pieces that were changed their whole price.
  void priceWhole() {
    for (auto [number, piece] : llvm::enumerate(pieces)) {
      std::optional<Known::Price> &whole = piece.known->whole;
      if (whole)
        continue;
      if (!hasQuick()) {
        whole = piece.known->quick;
        continue;
      }
      const bool hasOld = before.number == number && keepsTile;
      whole = priceBy(cost, piece,
                      hasOld ? &*before.pieces.front().known->whole : nullptr);
    }
  }

  //===--- From what is meant to a legal schedule -------------------------===//

  /// Makes the members' mappings those of the piece; false if that is not
  /// legal. For the price of `old` see priceBy().
  bool realise(Piece &piece, const Piece *old = nullptr) {
    if (!piece.group.isTiled()) {
      const unsigned index = piece.group.layers.front();
      fit(network.layers[index], mappings[index]);
    } else if (piece.group.keeps == Axis::W) {
      // Columns are kept as rows of turned images.
      TurnedGroup image = turned(network, state, piece.group);
      const TensorUses uses(image.network);
      if (!fitMembers(image.network,
                      legalFlow(image.network, uses, image.group), image.group,
                      piece.tile, image.schedule.mappings))
        return false;
      for (unsigned layer : piece.group.layers)
        mappings[layer] = turned(image.schedule.mappings[layer]);
    } else {
      const auto [flow, isNew] = memory->flows.try_emplace(piece.group);
      if (isNew)
        flow->second = legalFlow(network, uses, piece.group);
      if (!fitMembers(network, flow->second, piece.group, piece.tile, mappings))
        return false;
    }
    piece.group.byLoop = false;
    State here{piece.group, {}};
    for (unsigned layer : piece.group.layers)
      here.mappings.push_back(mappings[layer]);
    if (auto known = memory->find(here)) {
      piece.known = std::move(*known);
      return piece.known != nullptr;
    }
    piece.known = nullptr;
    llvm::Error error = verify(network, state, piece.group, target);
    if (!error) {
      piece.known = std::make_shared<Known>();
      piece.known->quick =
          priceBy(quick, piece, old ? &old->known->quick : nullptr);
    }
    llvm::consumeError(std::move(error));
    memory->add(std::move(here), piece.known);
    return piece.known != nullptr;
  }

  std::optional<GroupFlow> legalFlow(const Network &network,
                                     const TensorUses &uses,
                                     const FusionGroup &group) const {
    GroupFlow flow = flowOf(network, uses, group);
    llvm::Error error = verifyFlow(network, uses, group, flow, target);
    const bool isLegal = !error;
    llvm::consumeError(std::move(error));
    return isLegal ? std::optional(std::move(flow)) : std::nullopt;
  }

  bool fitMembers(const Network &network, const std::optional<GroupFlow> &flow,
                  const FusionGroup &group, PerDim<int64_t> tile,
                  std::vector<Mapping> &mappings) const {
    if (!flow)
      return false;
    std::vector<const Layer *> layers;
    for (unsigned layer : group.layers)
      layers.push_back(&network.layers[layer]);
    PerDim<int64_t> stored = layers.back()->dims;
    if (group.poolsOutput)
      for (Axis axis : kAllAxes)
        stored[outputDim(axis)] = layers.back()->pool->outputs[axis];
    for (Dim dim : kPixels)
      tile[dim] = std::clamp<int64_t>(tile[dim], 1, stored[dim]);
    if (group.keeps && tile[Dim::P] == stored[Dim::P])
      return false;
    const GroupTiles tiles(layers, tile, *flow, group.keeps.has_value(),
                           group.poolsOutput);
    for (size_t i = 0; i < layers.size(); ++i) {
      for (Dim dim : kPixels)
        if (tiles.nominal(i, dim) == 0)
          return false;
      fitMember(tiles, i, mappings[group.layers[i]]);
    }
    return true;
  }

  /// The factors of one layer alone, each dim covered.
  void fit(const Layer &layer, Mapping &m) const {
    fitArray(layer, m);
    for (Dim dim : kAllDims) {
      const bool isPixel = llvm::is_contained(kPixels, dim);
      int64_t left = divideCeilSigned(layer.dims[dim], m.spatial(layer, dim));
      for (Level level :
           {Level::Registers, Level::Accumulator, Level::Scratchpad}) {
        int64_t &factor = m.temporal[level][dim];
        if ((level == Level::Registers && !isPixel) ||
            (dim == Dim::G && !layer.isDepthwise()))
          factor = 1;
        factor = std::clamp<int64_t>(factor, 1, left);
        left = divideCeilSigned(left, factor);
      }
      m.temporal[Level::Dram][dim] = left;
    }
  }

  void fitArray(const Layer &layer, Mapping &m) const {
    const bool depthwise = layer.isDepthwise();
    m.cols = std::clamp<int64_t>(
        m.cols, 1,
        std::min(target.side, layer.dims[depthwise ? Dim::G : Dim::K]));
    m.rows = depthwise
                 ? 1
                 : std::clamp<int64_t>(
                       m.rows, 1, std::min(target.side, layer.dims[Dim::C]));
  }

  /// The factors of a member: its pixels are those of the tile, rows that are
  /// handed over are full.
  void fitMember(const GroupTiles &tiles, size_t member, Mapping &m) const {
    const Layer &layer = tiles.layer(member);
    const GroupFlow &flow = tiles.flow();
    const bool isLast = tiles.isLast(member), depthwise = layer.isDepthwise();
    const size_t input = flow.members[member].input;
    const Dim in = depthwise ? Dim::G : Dim::C;
    const Dim out = depthwise ? Dim::G : Dim::K;
    fitArray(layer, m);
    if (!isLast || tiles.addsOnChip(member))
      m.cols = std::min(target.side, layer.dims[out]);
    if (!tiles.loadsInput(member) || flow.isShared(input))
      (depthwise ? m.cols : m.rows) = std::min(target.side, layer.dims[in]);
    for (Dim dim : kPixels) {
      const int64_t extent = tiles.tileLayer(member).dims[dim];
      // The last member's factors say what the tile is, so they divide it.
      auto down = [&](int64_t factor, int64_t of) {
        factor = std::clamp<int64_t>(factor, 1, of);
        while (isLast && of % factor != 0)
          --factor;
        return factor;
      };
      const int64_t registers = down(m.temporal[Level::Registers][dim], extent);
      const int64_t left = divideCeilSigned(extent, registers);
      int64_t sums = down(m.temporal[Level::Accumulator][dim], left);
      if ((tiles.pooling(member) && dim != Dim::N) ||
          (!isLast && target.handsOverInPlace()))
        sums = left;
      m.temporal[Level::Registers][dim] = registers;
      m.temporal[Level::Accumulator][dim] = sums;
      m.temporal[Level::Scratchpad][dim] = divideCeilSigned(left, sums);
      m.temporal[Level::Dram][dim] = tiles.dramFactor(member, dim);
    }
    for (Dim dim : {Dim::G, Dim::K, Dim::C, Dim::R, Dim::S}) {
      int64_t left = divideCeilSigned(layer.dims[dim], m.spatial(layer, dim));
      m.temporal[Level::Registers][dim] = 1;
      for (Level level : {Level::Accumulator, Level::Scratchpad}) {
        int64_t &factor = m.temporal[level][dim];
        factor = dim == Dim::G && !depthwise
                     ? 1
                     : std::clamp<int64_t>(factor, 1, left);
        left = divideCeilSigned(left, factor);
      }
      m.temporal[Level::Dram][dim] = left;
    }
    if (const int64_t channels = flow.tiles[input].slice) {
      walkSlices(m, layer, in, channels);
      // All that is summed up over slices is there at once.
      if (!depthwise)
        for (Dim dim : {Dim::N, Dim::P, Dim::Q, Dim::K})
          for (Level level : {Level::Scratchpad, Level::Dram})
            if (level == Level::Scratchpad || dim == Dim::K)
              m.temporal[Level::Accumulator][dim] *=
                  std::exchange(m.temporal[level][dim], 1);
    } else if (flow.handsOverSlices(member)) {
      walkSlices(m, layer, out, flow.tiles[*flow.members[member].output].slice);
    }
    LoopOrder &order = m.order[Level::Dram];
    auto shared =
        std::stable_partition(order.begin(), order.end(), [](Dim dim) {
          return !llvm::is_contained(kPixels, dim);
        });
    if (tiles.keepsRows())
      std::iter_swap(shared, std::find(shared, order.end(), Dim::P));
  }

  /// Lets the outermost of the member's own loops walk `channels` of `dim` at a
  /// time: at DRAM if it has a loop there, else at the scratchpad.
  static void walkSlices(Mapping &m, const Layer &layer, Dim dim,
                         int64_t channels) {
    const bool atDram = llvm::any_of(kAllDims, [&](Dim own) {
      return !llvm::is_contained(kPixels, own) &&
             m.temporal[Level::Dram][own] > 1;
    });
    const Level level = atDram ? Level::Dram : Level::Scratchpad;
    m.temporal[Level::Dram][dim] = m.temporal[Level::Scratchpad][dim] = 1;
    m.temporal[Level::Accumulator][dim] =
        divideCeilSigned(channels, m.spatial(layer, dim));
    m.temporal[level][dim] = divideCeilSigned(layer.dims[dim], channels);
    LoopOrder &order = m.order[level];
    std::rotate(llvm::find(order, dim), llvm::find(order, dim) + 1,
                order.end());
  }

  //===--- Changes --------------------------------------------------------===//

  /// What the last change found: everything, or one piece and its members'
  /// mappings.
  struct Before {
    std::optional<size_t> number;
    std::vector<Piece> pieces;
    std::vector<Mapping> mappings;
  };
  void undo() {
    if (!before.number) {
      pieces = std::move(before.pieces);
      mappings = std::move(before.mappings);
      return;
    }
    Piece &piece = pieces[*before.number];
    piece = std::move(before.pieces.front());
    for (auto [layer, mapping] :
         llvm::zip_equal(piece.group.layers, before.mappings))
      mappings[layer] = mapping;
  }

  /// Changes something; false if the result is not legal.
  bool change() {
    const size_t p = below(pieces.size());
    const unsigned kind = unsigned(below(100));
    before = {};
    keepsTile = false;
    if (kind < 12 && options.regroups) {
      before.pieces = pieces;
      before.mappings = mappings;
      return regroup(p);
    }
    Piece &piece = pieces[p];
    before.number = p;
    before.pieces = {piece};
    for (unsigned layer : piece.group.layers)
      before.mappings.push_back(mappings[layer]);
    if (kind >= 90 && options.pools && !piece.group.isTiled() &&
        network.layers[piece.group.layers.front()].pool) {
      // What is stored pooled is made in tiles.
      piece.group.poolsOutput = true;
      for (Dim dim : kPixels) {
        const int64_t most = storedExtent(piece, dim);
        piece.tile[dim] = near(most, most);
      }
      return realise(piece);
    }
    if (!piece.group.isTiled() || kind < 65) {
      for (int n = 1 + int(below(3)); n > 0; --n)
        changeMapping(piece.group.layers[below(piece.group.layers.size())]);
      keepsTile = true;
      return realise(piece, &before.pieces.front());
    }
    if (kind < 82) {
      changeTile(piece);
    } else {
      changeGroup(piece);
      if (chance(30))
        changeTile(piece);
    }
    while (chance(30))
      changeMapping(piece.group.layers[below(piece.group.layers.size())]);
    return realise(piece);
  }

  /// The most that the tile may extend.
  int64_t storedExtent(const Piece &piece, Dim dim) const {
    // With columns kept the tile is of turned images.
    const Dim own = piece.group.keeps == Axis::W ? turned(dim) : dim;
    const Layer &last = network.layers[piece.group.layers.back()];
    if (piece.group.poolsOutput && own != Dim::N)
      return last.pool->outputs[own == Dim::P ? Axis::H : Axis::W];
    return last.dims[own];
  }
  void changeTile(Piece &piece) {
    const Dim dim = kPixels[below(3)];
    piece.tile[dim] = near(piece.tile[dim], storedExtent(piece, dim));
  }

  void changeMapping(unsigned index) {
    const Layer &layer = network.layers[index];
    Mapping &m = mappings[index];
    const Dim dim = kAllDims[below(kNumDims)];
    const Level level = std::array{Level::Registers, Level::Accumulator,
                                   Level::Scratchpad}[below(3)];
    switch (below(8)) {
    case 0: {
      int64_t &factor = chance(50) ? m.rows : m.cols;
      factor = near(factor, target.side);
      return;
    }
    case 1:
    case 2: { // another place in an order
      LoopOrder &order = m.order[kAllLevels[below(kAllLevels.size())]];
      auto from = order.begin() + below(kNumDims);
      std::rotate(from, from + 1, order.end());
      std::rotate(order.begin() + below(kNumDims), order.end() - 1,
                  order.end());
      return;
    }
    case 3: { // from one level to another
      const Level other = kAllLevels[below(kAllLevels.size())];
      int64_t &from = m.temporal[level][dim];
      const int64_t part = chance(50) ? from : std::min<int64_t>(from, 2);
      from = divideCeilSigned(from, part);
      m.temporal[other][dim] *= part;
      return;
    }
    case 4: // weights that stay
      for (Dim own : {Dim::G, Dim::K, Dim::C, Dim::R, Dim::S})
        m.temporal[own == Dim::K || own == Dim::G ? Level::Scratchpad
                                                  : Level::Accumulator][own] =
            layer.dims[own];
      return;
    case 5: // those of a block of columns
      for (Dim own : {Dim::G, Dim::K})
        for (Level inner : {Level::Accumulator, Level::Scratchpad})
          m.temporal[inner][own] = 1;
      return;
    case 6: // reductions one by one
      for (Dim own : {Dim::C, Dim::R, Dim::S})
        if (chance(60))
          for (Level inner : {Level::Accumulator, Level::Scratchpad})
            m.temporal[inner][own] = 1;
      return;
    default:
      m.temporal[level][dim] = near(m.temporal[level][dim], layer.dims[dim]);
      return;
    }
  }

  void changeGroup(Piece &piece) {
    FusionGroup &group = piece.group;
    const unsigned layer = group.layers[below(group.layers.size())];
    switch (below(7)) {
    case 0:
      group.keeps = chance(40)   ? std::nullopt
                    : chance(60) ? std::optional(Axis::H)
                                 : std::optional(Axis::W);
      return;
    case 1:
      toggle(group.liveSkips, layer);
      return;
    case 2:
      group.poolsOutput =
          network.layers[group.layers.back()].pool && !group.poolsOutput;
      return;
    case 3: { // two places for the input, of smaller tiles perhaps, or one
      group.inputTurns = group.layers.size() > 1 && !group.inputTurns;
      const Dim dim = kPixels[below(std::size(kPixels))];
      if (group.inputTurns && chance(50))
        piece.tile[dim] = std::max<int64_t>(
            1, pick(piece.tile[dim] / 2, piece.tile[dim] - 1));
      return;
    }
    case 4: { // another order of two members
      const size_t i = below(group.layers.size());
      if (i > 0)
        std::swap(group.layers[i - 1], group.layers[i]);
      // Another last member may have nothing to pool.
      group.poolsOutput =
          group.poolsOutput && network.layers[group.layers.back()].pool;
      return;
    }
    default:
      llvm::erase_if(group.inputSlices,
                     [&](const FusionGroup::InputSlices &slices) {
                       return slices.layer == layer;
                     });
      const int64_t widths =
          (network.layers[layer].inputChannels() - 1) / target.side;
      if (widths > 0 && chance(75))
        group.inputSlices.push_back(
            {layer, target.side * (chance(70) ? 1 : pick(1, widths))});
      return;
    }
  }
  static void toggle(std::vector<unsigned> &set, unsigned value) {
    auto found = llvm::find(set, value);
    if (found != set.end())
      set.erase(found);
    else
      set.insert(llvm::lower_bound(set, value), value);
  }

  /// Another cut between groups: two become one, or one two.
  bool regroup(size_t p) {
    Piece &piece = pieces[p];
    if (piece.group.layers.size() > 1 && chance(50)) {
      const size_t at = 1 + below(piece.group.layers.size() - 1);
      auto part = [&](size_t begin, size_t end) {
        Piece next;
        next.tile = piece.tile;
        next.group.layers.assign(piece.group.layers.begin() + begin,
                                 piece.group.layers.begin() + end);
        inherit(next.group, piece.group);
        next.group.poolsOutput =
            end == piece.group.layers.size() && piece.group.poolsOutput;
        return next;
      };
      Piece first = part(0, at);
      Piece second = part(at, piece.group.layers.size());
      // Members' factors are of the tile: those of layers alone are not.
      pieces[p] = std::move(first);
      pieces.push_back(std::move(second));
      return settle(pieces[p]) && settle(pieces.back());
    }
    // With one that reads what it makes, or any other.
    const size_t q = below(pieces.size());
    if (p == q)
      return false;
    Piece both;
    both.group.layers = piece.group.layers;
    llvm::append_range(both.group.layers, pieces[q].group.layers);
    if (chance(80))
      llvm::sort(both.group.layers);
    inherit(both.group, piece.group);
    inherit(both.group, pieces[q].group);
    both.group.keeps = pieces[q].group.keeps;
    both.group.poolsOutput =
        both.group.layers.back() == pieces[q].group.layers.back() &&
        pieces[q].group.poolsOutput;
    // A residual that the group makes must be there.
    for (unsigned layer : both.group.layers)
      if (const std::optional<unsigned> residual =
              uses.operands[layer].residual;
          residual && llvm::is_contained(both.group.layers, *residual) &&
          !llvm::is_contained(both.group.liveSkips, layer))
        toggle(both.group.liveSkips, layer);
    both.tile = pieces[q].tile;
    pieces[p] = std::move(both);
    pieces.erase(pieces.begin() + q);
    return settle(pieces[q < p ? p - 1 : p]);
  }

  /// Takes from `from` what it says of members of `group`.
  static void inherit(FusionGroup &group, const FusionGroup &from) {
    group.keeps = group.layers.size() > 1 ? from.keeps : std::nullopt;
    if (group.layers.size() > 1 && group.layers.front() == from.layers.front())
      group.inputTurns = from.inputTurns;
    for (unsigned layer : from.liveSkips)
      if (group.layers.size() > 1 && llvm::is_contained(group.layers, layer))
        group.liveSkips.push_back(layer);
    llvm::sort(group.liveSkips);
    for (const FusionGroup::InputSlices &slices : from.inputSlices)
      if (slices.layer != group.layers.front() &&
          llvm::is_contained(group.layers, slices.layer))
        group.inputSlices.push_back(slices);
  }

  /// Realises a group that was not there before: with other tiles and mappings
  /// until one fits.
  bool settle(Piece &piece) {
    const Piece meant = piece;
    const std::vector<Mapping> old = mappings;
    for (int attempt = 0; attempt < 12; ++attempt) {
      piece = meant;
      mappings = old;
      for (Dim dim : kPixels)
        if (attempt > 0 || !piece.group.isTiled())
          piece.tile[dim] = near(piece.tile[dim], storedExtent(piece, dim));
      for (unsigned layer : piece.group.layers)
        for (int n = attempt == 0 ? 0 : int(below(4)); n > 0; --n)
          changeMapping(layer);
      if (realise(piece))
        return true;
    }
    return false;
  }

  const Network &network;
  const Accelerator &target;
  const CostFunction &cost, &quick;
  const AnnealOptions &options;
  const TensorUses uses;
  const std::shared_ptr<AnnealMemory> memory;
  std::mt19937_64 rng;
  Schedule state; ///< its groups are the pieces'
  std::vector<Mapping> &mappings = state.mappings;
  std::vector<Piece> pieces;
  Before before;
  bool keepsTile = false; ///< the last change is of mappings alone
  double energy = 0, cycles = 0;
};
} // namespace

Annealed fadiff::anneal(const Network &network, const Accelerator &target,
                        const CostFunction &cost, const Schedule &start,
                        const AnnealOptions &options) {
  if (start.groups.empty())
    return {start, 0, 0, 0};
  return Annealer(network, target, cost, options).run(start);
}

std::vector<Schedule> fadiff::withOtherTiles(const Network &network,
                                             const Accelerator &target,
                                             const CostFunction &cost,
                                             const Schedule &start,
                                             TileParts which, size_t most,
                                             const AnnealOptions &options) {
  return Annealer(network, target, cost, options).retile(start, which, most);
}
