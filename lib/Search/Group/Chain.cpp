//===- Chain.cpp - The best cuts through all chains -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain.h"

#include "../Problem/Prices.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <limits>
#include <tuple>

using namespace fadiff;
using namespace fadiff::exact;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace {
/// Chooses one option for each member of a group so that all fit the scratchpad
/// together (eq. (group-rows)) at the least price.
class Joint {
public:
  using Options = llvm::ArrayRef<MemberOption>;

  Joint(int64_t rows, const Prices &prices) : rows(rows), prices(prices) {}

  /// False if no choice is below `limit`; else `limit` is its price, and
  /// `choice` an index per member.
  bool solve(llvm::ArrayRef<Options> members, double &limit,
             llvm::SmallVectorImpl<unsigned> &choice) {
    if (cheapestFit(members, limit, choice))
      return true;
    // Given the largest live rows, members are independent but for their
    // resident weights: a knapsack.
    lives.clear();
    for (Options options : members)
      for (const MemberOption &option : options)
        lives.push_back(option.live);
    llvm::sort(lives);
    lives.erase(std::unique(lives.begin(), lives.end()), lives.end());
    // A group's first member may keep its input or not.
    bool differ = false;
    leastKept.clear();
    mostKept.clear();
    for (Options options : members) {
      leastKept.push_back(std::numeric_limits<int64_t>::max());
      mostKept.push_back(0);
      for (const MemberOption &option : options) {
        leastKept.back() = std::min(leastKept.back(), option.kept);
        mostKept.back() = std::max(mostKept.back(), option.kept);
      }
      differ |= leastKept.back() != mostKept.back();
    }
    bool found = false;
    for (int64_t live : lives) {
      found |= fill(members, live, leastKept, limit, choice);
      if (differ)
        found |= fill(members, live, mostKept, limit, choice);
    }
    return found;
  }

  /// The same for members that take turns (G12): all live rows count.
  bool solveInTurns(llvm::ArrayRef<Options> members, double &limit,
                    llvm::SmallVectorImpl<unsigned> &choice) {
    cheapest.clear();
    return addInTurn(members, rows, 0, limit, choice);
  }

private:
  /// Of members from the one after `cheapest` on, with so much room left.
  bool addInTurn(llvm::ArrayRef<Options> members, int64_t room, double total,
                 double &limit, llvm::SmallVectorImpl<unsigned> &choice) {
    if (room < 0 || !(total < limit))
      return false;
    if (cheapest.size() == members.size()) {
      limit = total;
      choice.assign(cheapest.begin(), cheapest.end());
      return true;
    }
    bool found = false;
    for (auto [o, option] : llvm::enumerate(members[cheapest.size()])) {
      cheapest.push_back(unsigned(o));
      found |= addInTurn(members, room - option.live - option.resident,
                         total + prices(option), limit, choice);
      cheapest.pop_back();
    }
    return found;
  }

  struct Item {
    unsigned member;
    int64_t rows;
    double saved, perRow;
    bool operator<(const Item &other) const {
      return std::tie(other.perRow, rows, member) <
             std::tie(perRow, other.rows, other.member);
    }
  };

  /// Whether each member's cheapest option will do, and is below `limit`.
  bool cheapestFit(llvm::ArrayRef<Options> members, double &limit,
                   llvm::SmallVectorImpl<unsigned> &choice) {
    int64_t live = 0, resident = 0; // and kept
    double total = 0;
    cheapest.clear();
    for (Options options : members) {
      const MemberOption *best = nullptr;
      for (const MemberOption &option : options)
        if (!best || prices(option) < prices(*best))
          best = &option;
      if (!best)
        return false;
      live = std::max(live, best->live);
      resident += best->resident + best->kept;
      total += prices(*best);
      cheapest.push_back(unsigned(best - options.begin()));
    }
    if (live + resident > rows || !(total < limit))
      return false;
    limit = total;
    choice.assign(cheapest.begin(), cheapest.end());
    return true;
  }

  /// The best with at most `live` rows live and `kept` ones kept.
  bool fill(llvm::ArrayRef<Options> members, int64_t live,
            llvm::ArrayRef<int64_t> kept, double &limit,
            llvm::SmallVectorImpl<unsigned> &choice) {
    constexpr unsigned kNone = ~0u;
    int64_t room = rows - live;
    for (int64_t held : kept)
      room -= held;
    if (room < 0)
      return false;
    items.clear();
    picked.assign(members.size(), {kNone, kNone});
    double total = 0;
    for (auto [m, options] : llvm::enumerate(members)) {
      double best[2] = {kInfinity, kInfinity}; // streamed, resident
      for (auto [o, option] : llvm::enumerate(options)) {
        const bool resident = option.resident > 0;
        const double price = prices(option);
        if (option.live > live || option.kept != kept[m] ||
            price >= best[resident])
          continue;
        best[resident] = price;
        picked[m][resident] = unsigned(o);
      }
      const unsigned residentPick = picked[m][1];
      if (picked[m][0] == kNone && residentPick == kNone)
        return false;
      if (picked[m][0] == kNone) {
        total += best[1];
        room -= options[residentPick].resident;
        continue;
      }
      total += best[0];
      if (residentPick != kNone && best[1] < best[0])
        items.push_back(
            {unsigned(m), options[residentPick].resident, best[0] - best[1],
             (best[0] - best[1]) / double(options[residentPick].resident)});
    }
    if (room < 0)
      return false;
    llvm::sort(items);
    taken.assign(items.size(), false);
    least = total * 1e-13;     // gains below this are rounding
    bestSaved = total - limit; // only more than this is of use
    improved = false;
    pack(0, room, 0);
    if (!improved)
      return false;
    limit = total - bestSaved;
    choice.assign(members.size(), 0);
    for (size_t m = 0; m < members.size(); ++m)
      choice[m] = picked[m][picked[m][0] == kNone];
    for (auto [item, in] : llvm::zip(items, bestTaken))
      if (in)
        choice[item.member] = picked[item.member][1];
    return true;
  }

  /// Branch and bound over items from `at` on.
  void pack(size_t at, int64_t room, double saved) {
    if (saved > bestSaved + least) {
      bestSaved = saved;
      bestTaken = taken;
      improved = true;
    }
    // What fractions of items could still save.
    double most = saved;
    int64_t left = room;
    for (size_t i = at; i < items.size(); ++i) {
      if (items[i].rows <= left) {
        most += items[i].saved;
        left -= items[i].rows;
        continue;
      }
      most += items[i].saved * double(left) / double(items[i].rows);
      break;
    }
    if (at == items.size() || !(most > bestSaved + least))
      return;
    if (items[at].rows <= room) {
      taken[at] = true;
      pack(at + 1, room - items[at].rows, saved + items[at].saved);
      taken[at] = false;
    }
    // Of equal items the first ones are taken.
    size_t next = at + 1;
    while (next < items.size() && items[next].rows == items[at].rows &&
           items[next].saved == items[at].saved)
      ++next;
    pack(next, room, saved);
  }

  const int64_t rows;
  const Prices &prices;
  llvm::SmallVector<int64_t, 32> lives;
  llvm::SmallVector<int64_t, 16> leastKept, mostKept; ///< per member
  llvm::SmallVector<unsigned, 16> cheapest;
  llvm::SmallVector<Item, 16> items;
  llvm::SmallVector<std::array<unsigned, 2>, 16> picked;
  llvm::SmallVector<bool, 16> taken, bestTaken;
  double bestSaved = 0, least = 0;
  bool improved = false;
};
} // namespace

namespace {
/// A chain cut at some prices.
struct Cuts {
  struct Step {
    size_t from = 0;  ///< the piece's first layer
    size_t tile = 0;  ///< of GroupSpace::endingAt
    size_t shape = 0; ///< of GroupSpace::shapes
    /// Per layer of the chain; none: alone.
    llvm::SmallVector<unsigned, 8> options;
  };
  std::vector<Step> steps; ///< per last layer of a piece
};

class Chooser {
public:
  using Points = std::vector<std::vector<BoundPoint>>; ///< per class

  Chooser(const std::vector<Chain> &chains, std::vector<GroupSpace> &spaces,
          const Points &alone, const Accelerator &target)
      : chains(chains), spaces(spaces), alone(alone), target(target) {}

  /// The total of the best choice at `prices`; what it is stays here.
  BoundPoint look(const Prices &prices) {
    best.clear();
    for (const std::vector<BoundPoint> &points : alone)
      best.push_back(size_t(
          std::min_element(points.begin(), points.end(),
                           [&](const BoundPoint &a, const BoundPoint &b) {
                             return prices(a) < prices(b);
                           }) -
          points.begin()));
    cuts.clear();
    BoundPoint total;
    for (auto [chain, space] : llvm::zip(chains, spaces)) {
      cuts.push_back(cut(chain, space, prices));
      while (splitPieces(space, cuts.back()))
        cuts.back() = cut(chain, space, prices);
      for (const Piece &piece : piecesOf(chain, space, cuts.back())) {
        total.energy += chain.multiplicity * piece.energy;
        total.cycles += chain.multiplicity * piece.cycles;
      }
    }
    return total;
  }

  /// Of the last look.
  std::vector<std::vector<Piece>> pieces() const {
    std::vector<std::vector<Piece>> all;
    for (auto [chain, space, cut] : llvm::zip(chains, spaces, cuts)) {
      all.push_back(piecesOf(chain, space, cut));
      for (Piece &piece : all.back())
        addMappings(space, cut.steps[piece.last], piece);
    }
    return all;
  }

  /// What the group of just the layers [first, last] costs at best, if it fits.
  std::optional<BoundPoint> costOf(const GroupSpace &space, size_t first,
                                   size_t last, const Prices &prices) const {
    std::optional<Cuts::Step> step = stepOf(space, first, last, prices);
    if (!step)
      return std::nullopt;
    const Piece piece = groupOf(space, *step, last);
    return BoundPoint{piece.energy, piece.cycles};
  }

  /// Whether every look so far found the cost of tiles, not bounds of sets.
  bool isExact() const { return exact; }

private:
  std::optional<Cuts::Step> stepOf(const GroupSpace &space, size_t first,
                                   size_t last, const Prices &prices) const {
    std::optional<Cuts::Step> step;
    double limit = kInfinity;
    Joint joint(target.scratchpadRows(), prices);
    llvm::SmallVector<Joint::Options, 8> members;
    llvm::SmallVector<unsigned, 8> choice;
    for (auto [t, tile] : llvm::enumerate(space.endingAt(last))) {
      if (tile.options.size() <= last - first)
        continue;
      for (auto [index, shape] : llvm::enumerate(space.shapes(first, last))) {
        members.clear();
        for (size_t i = first; i <= last; ++i)
          members.push_back(optionsOf(space, tile, shape, i, first, last));
        if (shape.group.inputSlices.empty()
                ? joint.solve(members, limit, choice)
                : joint.solveInTurns(members, limit, choice))
          step = {first, t, index, choice};
      }
    }
    return step;
  }

  /// What member `i` of a group [first, last] can do.
  static Joint::Options optionsOf(const GroupSpace &space,
                                  const GroupTile &tile,
                                  const GroupSpace::Shape &shape, size_t i,
                                  size_t first, size_t last) {
    return space.options(tile.options[last - i][shape.contexts[i - first]]);
  }

  /// Splits the sets of tiles that the cuts make use of. False if there are
  /// none, or no more is possible.
  bool splitPieces(GroupSpace &space, const Cuts &cut) {
    bool any = false, all = true;
    for (size_t end = cut.steps.size(); end > 0;
         end = cut.steps[end - 1].from) {
      const Cuts::Step &step = cut.steps[end - 1];
      if (step.options.empty() || space.endingAt(end - 1)[step.tile].isExact())
        continue;
      const bool done = space.split(end - 1, step.tile);
      any |= done;
      all &= done;
    }
    exact &= all;
    return any;
  }

  /// Shortest path over the cuts of a chain.
  Cuts cut(const Chain &chain, const GroupSpace &space, const Prices &prices) {
    Joint joint(target.scratchpadRows(), prices);
    llvm::SmallVector<Joint::Options, 8> members;
    llvm::SmallVector<unsigned, 8> choice;
    std::vector<llvm::SmallVector<double, 2>> lowest;
    auto relax = [&](size_t last, llvm::ArrayRef<double> price, double &least,
                     Cuts::Step &step) {
      const unsigned c = chain.classes[last];
      least = price[last] + prices(alone[c][best[c]]);
      step = {last, 0, 0, {}};
      // Exact tiles first: a bound that is no better is of no use.
      for (bool exactTiles : {true, false})
        for (auto [t, tile] : llvm::enumerate(space.endingAt(last))) {
          if (tile.isExact() != exactTiles)
            continue;
          // Each member's cheapest option is a bound, and the answer if they
          // fit together.
          lowest.clear();
          for (size_t d = 0; d < tile.options.size(); ++d) {
            lowest.emplace_back();
            for (GroupTile::Range range : tile.options[d])
              lowest[d].push_back(cheapest(space.options(range), prices));
            const size_t first = last - d;
            if (d == 0 && !tile.poolsOutput)
              continue;
            for (auto [index, shape] :
                 llvm::enumerate(space.shapes(first, last))) {
              double bound = price[first];
              for (size_t i = first; i <= last; ++i)
                bound += lowest[last - i][shape.contexts[i - first]];
              if (!(bound < least * (1 - 1e-12)))
                continue;
              members.clear();
              for (size_t i = last + 1; i-- > first;)
                members.push_back(
                    optionsOf(space, tile, shape, i, first, last));
              double limit = least - price[first];
              if (!(shape.group.inputSlices.empty()
                        ? joint.solve(members, limit, choice)
                        : joint.solveInTurns(members, limit, choice)))
                continue;
              least = price[first] + limit;
              std::reverse(choice.begin(), choice.end());
              step = {first, t, index, choice};
            }
          }
        }
      if (last < chain.joinsNext.size() && chain.joinsNext[last])
        least = kInfinity;
    };
    return {shortestCuts<Cuts::Step>(chain.layers.size(), relax)};
  }

  static double cheapest(Joint::Options options, const Prices &prices) {
    double least = kInfinity;
    for (const MemberOption &option : options)
      least = std::min(least, prices(option));
    return least;
  }

  Piece groupOf(const GroupSpace &space, const Cuts::Step &step,
                size_t last) const {
    const GroupTile &tile = space.endingAt(last)[step.tile];
    Piece piece;
    piece.first = step.from;
    piece.last = last;
    for (size_t i = step.from; i <= last; ++i) {
      const MemberOption &option = optionOf(space, tile, step, i, last);
      piece.energy += option.energy;
      piece.cycles += option.cycles;
    }
    return piece;
  }

  static const MemberOption &optionOf(const GroupSpace &space,
                                      const GroupTile &tile,
                                      const Cuts::Step &step, size_t member,
                                      size_t last) {
    return optionsOf(space, tile, space.shapes(step.from, last)[step.shape],
                     member, step.from, last)[step.options[member - step.from]];
  }

  void addMappings(const GroupSpace &space, const Cuts::Step &step,
                   Piece &piece) const {
    if (step.options.empty())
      return;
    const GroupTile &tile = space.endingAt(piece.last)[step.tile];
    const GroupSpace::Shape &shape =
        space.shapes(step.from, piece.last)[step.shape];
    piece.group = shape.group;
    piece.group.keeps = tile.keeps;
    piece.group.poolsOutput = tile.poolsOutput;
    for (size_t i = step.from; i <= piece.last; ++i)
      piece.mappings.push_back(
          space.mappingOf(step.from, i, piece.last, shape, tile,
                          optionOf(space, tile, step, i, piece.last).tiles));
  }

  std::vector<Piece> piecesOf(const Chain &chain, const GroupSpace &space,
                              const Cuts &cut) const {
    std::vector<Piece> pieces;
    for (size_t end = chain.layers.size(); end > 0;) {
      const Cuts::Step &step = cut.steps[end - 1];
      if (step.options.empty()) {
        const unsigned c = chain.classes[end - 1];
        const BoundPoint &point = alone[c][best[c]];
        Piece &piece = pieces.emplace_back();
        piece.first = piece.last = end - 1;
        piece.energy = point.energy;
        piece.cycles = point.cycles;
        piece.point = best[c];
      } else {
        pieces.push_back(groupOf(space, step, end - 1));
      }
      end = step.from;
    }
    std::reverse(pieces.begin(), pieces.end());
    return pieces;
  }

  const std::vector<Chain> &chains;
  std::vector<GroupSpace> &spaces;
  const Points &alone;
  const Accelerator &target;
  bool exact = true;
  std::vector<size_t> best; ///< per class, at the last prices
  std::vector<Cuts> cuts;   ///< per chain
};
} // namespace

bool AloneCosts::isTight() const {
  return points.size() == bound.size() &&
         llvm::all_of(llvm::zip(points, bound), [](const auto &pair) {
           return std::get<0>(pair).energy == std::get<1>(pair).energy &&
                  std::get<0>(pair).cycles == std::get<1>(pair).cycles;
         });
}

ChainResult fadiff::exact::cutChains(const Network &network,
                                     const std::vector<Chain> &chains,
                                     const std::vector<AloneCosts> &alone,
                                     const Accelerator &target,
                                     const SearchSpace &space,
                                     bool poolsOutputs, const Aim &aim,
                                     const Budget &budget) {
  ChainResult result;
  std::vector<GroupSpace> spaces;
  bool complete = true;
  const TensorUses uses(network);
  for (const Chain &chain : chains) {
    std::vector<GroupSpace::Points> apart;
    for (unsigned layerClass : chain.classes)
      apart.push_back(alone[layerClass].points);
    spaces.emplace_back(network, uses, chain.layers, std::move(apart), target,
                        space, poolsOutputs, budget);
    complete &= spaces.back().isComplete();
  }
  auto countEvaluations = [&] {
    for (const GroupSpace &groups : spaces)
      result.evaluated += groups.evaluated();
  };
  // Of a part of the groups there is neither a best one nor a bound.
  if (!complete) {
    countEvaluations();
    return result;
  }
  Chooser::Points points, bounds;
  bool known = true, tight = true;
  for (const AloneCosts &costs : alone) {
    points.push_back(costs.points);
    bounds.push_back(costs.bound);
    known &= !costs.bound.empty();
    tight &= costs.isTight();
  }
  Chooser chooser(chains, spaces, points, target);
  auto [prices, bound] =
      sweepPrices(aim, [&](const Prices &at) { return chooser.look(at); });
  chooser.look(prices);
  auto isComplete = [&] {
    return llvm::all_of(
        spaces, [](const GroupSpace &groups) { return groups.isComplete(); });
  };
  result.exact = isComplete() && chooser.isExact();
  if (result.exact)
    result.pieces = chooser.pieces();
  for (auto [chain, groups] : llvm::zip(chains, spaces)) {
    result.pairs.emplace_back();
    for (size_t i = 0; i + 1 < chain.layers.size(); ++i)
      result.pairs.back().push_back(chooser.costOf(groups, i, i + 1, prices));
  }
  // Groups with what had better be alone (G7) are not all enumerated, so where
  // layers have to be joined the bound is that of all cuts.
  std::vector<Chain> free = chains;
  bool isFree = true;
  for (Chain &chain : free) {
    isFree &= !llvm::is_contained(chain.joinsNext, true);
    chain.joinsNext.clear();
  }
  if (!(tight && isFree) && known) {
    Chooser below(free, spaces, bounds, target);
    bound = sweepPrices(aim, [&](const Prices &at) {
              return below.look(at);
            }).bound;
  }
  countEvaluations();
  if (known && isComplete())
    result.bound = bound;
  return result;
}
