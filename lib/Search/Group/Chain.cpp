//===- Chain.cpp - The best cuts through all chains -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain.h"

#include "../Problem/Prices.h"
#include "Memory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

using namespace fadiff;
using namespace fadiff::exact;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

namespace {
/// Chooses one option for each member of a group so that all fit together
/// (eq. (group-rows), G12) at the least price: member by member, keeping of all
/// choices so far those that no other is as good as.
class Joint {
public:
  using Options = llvm::ArrayRef<MemberOption>;
  /// As kTurns, by how a member takes turns; empty where it cannot.
  using Ways = std::array<Options, kTurns.size()>;
  /// Of a member: the number of its way, and the option from there.
  struct Choice {
    unsigned way = 0, option = 0;
  };

  /// With `bounds`, options that are bounds only count, too.
  Joint(const Accelerator &target, const Prices &prices, bool bounds)
      : rows(target.scratchpadRows()), sumRows(target.accumulatorRows()),
        prices(prices), bounds(bounds) {}

  /// False if no choice is below `limit`; else `limit` is its price.
  bool solve(llvm::ArrayRef<Ways> members, double &limit,
             llvm::SmallVectorImpl<Choice> &choice) {
    if (!(findLeast(members) < limit))
      return false;
    // Each member's cheapest option will do if all fit.
    if (followLeast(members, choice)) {
      limit = leastOf(0, Pass::Whole);
      return true;
    }
    steps.assign(members.size(), {});
    State none;
    for (size_t m = 0; m < members.size(); ++m) {
      std::vector<State> &next = steps[m];
      const llvm::ArrayRef<State> before =
          m == 0 ? llvm::ArrayRef(none) : llvm::ArrayRef(steps[m - 1]);
      for (auto [s, state] : llvm::enumerate(before))
        extend(state, unsigned(s), members[m], m, limit, next);
      keepBest(next);
      if (next.size() > kMostStates) {
        gaveUp = true;
        if (bounds) { // a bound is what is left
          followLeast(members, choice);
          limit = leastOf(0, Pass::Whole);
          return true;
        }
        next.resize(kMostStates);
      }
    }
    const State *best = nullptr;
    for (const State &state : steps.back())
      if (!best || state.price < best->price)
        best = &state;
    if (!best)
      return false;
    limit = best->price;
    choice.resize(members.size());
    for (size_t m = members.size(); m-- > 0;) {
      choice[m] = best->choice;
      if (m > 0)
        best = &steps[m - 1][best->before];
    }
    return true;
  }

  /// Whether some choice so far was not the best one, or a bound only.
  bool gaveUp = false;

private:
  /// Members up to some one.
  struct State {
    double price = 0;
    int64_t held = 0; ///< rows that are resident or kept
    int64_t live = 0; ///< most that were live at once
    /// Of those that take turns with the next one.
    int64_t turnsLive = 0, sums = 0;
    Pass out = Pass::Whole; ///< to the next one
    Choice choice;
    unsigned before = 0; ///< number of the state without the last member

    bool isNoWorseThan(const State &other) const {
      return price <= other.price && held <= other.held && live <= other.live &&
             turnsLive <= other.turnsLive && sums <= other.sums &&
             out == other.out;
    }
  };
  static constexpr size_t kMostStates = 4096;

  bool isUsable(const MemberOption &option) const {
    return bounds || !option.isBound;
  }

  /// What members from `member` on cost at best, whether they fit or not, if
  /// the first of them gets its input so.
  double leastOf(size_t member, Pass in) const {
    return least[member][size_t(in)];
  }
  double findLeast(llvm::ArrayRef<Ways> members) {
    const size_t n = members.size();
    least.assign(n + 1, {});
    for (auto &passes : least)
      passes.fill(kInfinity);
    least[n][size_t(Pass::Whole)] = 0;
    leastHeld.assign(n + 1, 0);
    for (size_t m = n; m-- > 0;) {
      int64_t held = std::numeric_limits<int64_t>::max();
      for (auto [turns, options] : llvm::zip_equal(kTurns, members[m])) {
        const double behind = leastOf(m + 1, turns.out);
        if (behind == kInfinity)
          continue;
        double &best = least[m][size_t(turns.in)];
        for (const MemberOption &option : options) {
          if (!isUsable(option))
            continue;
          best = std::min(best, prices(option) + behind);
          held = std::min(held, option.resident + option.kept);
        }
      }
      leastHeld[m] = leastHeld[m + 1] +
                     (held == std::numeric_limits<int64_t>::max() ? 0 : held);
    }
    return leastOf(0, Pass::Whole);
  }

  /// Takes what findLeast() found; false if that does not fit.
  bool followLeast(llvm::ArrayRef<Ways> members,
                   llvm::SmallVectorImpl<Choice> &choice) {
    choice.clear();
    State state;
    bool fits = true;
    for (auto [m, ways] : llvm::enumerate(members)) {
      double best = kInfinity;
      const MemberOption *taken = nullptr;
      Choice next;
      for (unsigned way = 0; way < kTurns.size(); ++way) {
        if (kTurns[way].in != state.out)
          continue;
        const double behind = leastOf(m + 1, kTurns[way].out);
        for (auto [o, option] : llvm::enumerate(ways[way])) {
          const double price = prices(option) + behind;
          if (!isUsable(option) || !(price < best))
            continue;
          best = price;
          taken = &option;
          next = {way, unsigned(o)};
        }
      }
      choice.push_back(next);
      fits &= add(state, *taken, kTurns[next.way]);
    }
    return fits && state.held + state.live <= rows;
  }

  /// Lets the next member run so; false if the accumulator is too small.
  bool add(State &state, const MemberOption &option, Turns turns) const {
    state.price += prices(option);
    state.held += option.resident + option.kept;
    state.turnsLive += option.live;
    state.sums += option.sums;
    state.out = turns.out;
    state.live = std::max(state.live, state.turnsLive);
    const bool fits = state.sums <= sumRows;
    if (!turns.makes())
      state.turnsLive = state.sums = 0;
    return fits;
  }

  void extend(const State &state, unsigned number, const Ways &ways,
              size_t member, double limit, std::vector<State> &next) const {
    for (unsigned way = 0; way < kTurns.size(); ++way) {
      const Turns turns = kTurns[way];
      const double behind = leastOf(member + 1, turns.out);
      if (turns.in != state.out || behind == kInfinity)
        continue;
      for (auto [o, option] : llvm::enumerate(ways[way])) {
        if (!isUsable(option))
          continue;
        State after = state;
        if (!add(after, option, turns) ||
            after.held + after.live + leastHeld[member + 1] > rows ||
            !(after.price + behind < limit))
          continue;
        after.choice = {way, unsigned(o)};
        after.before = number;
        next.push_back(after);
      }
    }
  }

  /// The cheapest first; of equals those that come first.
  static void keepBest(std::vector<State> &states) {
    llvm::stable_sort(states, [](const State &a, const State &b) {
      return a.price < b.price;
    });
    size_t kept = 0;
    for (size_t s = 0; s < states.size() && kept <= kMostStates; ++s)
      if (llvm::none_of(llvm::ArrayRef(states).take_front(kept),
                        [&](const State &other) {
                          return other.isNoWorseThan(states[s]);
                        }))
        states[kept++] = states[s];
    states.resize(kept);
  }

  const int64_t rows, sumRows;
  const Prices &prices;
  const bool bounds;
  llvm::SmallVector<std::array<double, kPasses>, 16> least; ///< by Turns::in
  llvm::SmallVector<int64_t, 16> leastHeld;
  std::vector<std::vector<State>> steps;
};
} // namespace

namespace {
/// A chain cut at some prices.
struct Cuts {
  struct Step {
    size_t from = 0;  ///< the piece's first layer
    size_t tile = 0;  ///< of GroupSpace::endingAt
    size_t shape = 0; ///< of GroupSpace::shapes
    /// Per member, in order of execution; none: alone.
    llvm::SmallVector<Joint::Choice, 8> options;
  };
  std::vector<Step> steps; ///< per last layer of a piece
};

class Chooser {
public:
  using Points = std::vector<std::vector<BoundPoint>>; ///< per class

  /// Which sets of tiles are split: none; those that the cuts make use of; all
  /// that are the best at the end of a stretch. Then one look takes one pass,
  /// and what cannot be split any more is left out.
  enum class Splits : uint8_t { None, Used, All };

  /// With `bounds`, what no schedule gets below counts as if one did.
  Chooser(const std::vector<Chain> &chains, std::vector<GroupSpace> &spaces,
          const Points &alone, const Accelerator &target, bool bounds,
          Splits splits)
      : chains(chains), spaces(spaces), alone(alone), target(target),
        bounds(bounds), splits(splits) {}

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
    allLeasts.resize(chains.size());
    for (auto [chain, space, own] : llvm::zip(chains, spaces, allLeasts)) {
      own.resize(chain.layers.size());
      for (auto &ofLast : own)
        for (auto &known : ofLast)
          known.clear();
      leasts = &own;
      cuts.push_back(cut(chain, space, prices));
      while (splits != Splits::None && splitPieces(space, cuts.back()))
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

  /// Adds wider slices to the tiles of the last look where they might pay.
  /// False if there were none to add.
  bool widenSlices() const {
    bool any = false;
    for (auto [space, cut] : llvm::zip(spaces, cuts))
      for (size_t end = cut.steps.size(); end > 0;
           end = cut.steps[end - 1].from) {
        const Cuts::Step &step = cut.steps[end - 1];
        if (step.options.empty())
          continue;
        bool areBounds = false;
        for (size_t i = 0; i < step.options.size(); ++i)
          areBounds |= optionOf(space, space.endingAt(end - 1)[step.tile], step,
                                i, end - 1)
                           .isBound;
        any |= areBounds && space.widenSlices(end - 1, step.tile);
      }
    return any;
  }

  /// What the group of just the layers [first, last] costs at best, if it fits.
  std::optional<BoundPoint> costOf(const Chain &chain, const GroupSpace &space,
                                   size_t first, size_t last,
                                   const Prices &prices) const {
    std::optional<Cuts::Step> step = stepOf(chain, space, first, last, prices);
    if (!step)
      return std::nullopt;
    const Piece piece = groupOf(chain, space, *step, last);
    return BoundPoint{piece.energy, piece.cycles};
  }

  /// Adds the tiles next to those of the last look. False if there were none to
  /// add.
  bool addNeighbours() const {
    bool any = false;
    for (auto [space, cut] : llvm::zip(spaces, cuts)) {
      for (size_t end = cut.steps.size(); end > 0;
           end = cut.steps[end - 1].from)
        if (const size_t tile = cut.steps[end - 1].tile;
            !cut.steps[end - 1].options.empty()) {
          any |= space.addNeighbours(end - 1, tile);
          any |= space.widenSlices(end - 1, tile);
        }
      space.nameContexts();
    }
    return any;
  }

  /// Whether every look so far found the cost of tiles, not bounds of sets.
  bool isExact() const { return exact; }

private:
  std::optional<Cuts::Step> stepOf(const Chain &chain, const GroupSpace &space,
                                   size_t first, size_t last,
                                   const Prices &prices) const {
    std::optional<Cuts::Step> step;
    double least = kInfinity;
    Joint joint(target, prices, bounds);
    llvm::SmallVector<Joint::Ways, 8> members;
    llvm::SmallVector<Joint::Choice, 8> choice;
    for (auto [t, tile] : llvm::enumerate(space.endingAt(last))) {
      if (tile.options.size() <= last - first)
        continue;
      const double afterwards = prices(unpooled(chain, tile, last));
      for (auto [index, shape] : llvm::enumerate(space.shapes(first, last))) {
        if (shape.isBound && !bounds)
          continue;
        members.clear();
        for (size_t i = 0; i <= last - first; ++i)
          members.push_back(waysOf(tile, shape, i));
        double limit = least - afterwards;
        if (!joint.solve(members, limit, choice))
          continue;
        least = limit + afterwards;
        step = {first, t, index, choice};
      }
    }
    return step;
  }

  /// What a member of a group can do.
  static Joint::Ways waysOf(const GroupTile &tile,
                            const GroupSpace::Shape &shape, size_t member) {
    // Of its layer, by context.
    const auto &lists =
        tile.options[shape.places.size() - 1 - shape.places[member]];
    Joint::Ways ways;
    for (auto [options, context] : llvm::zip(ways, shape.contexts[member]))
      if (context != GroupSpace::Shape::kNone && lists[context])
        options = lists[context]->options;
    return ways;
  }

  bool split(GroupSpace &space, size_t last, size_t tile) {
    (*leasts)[last][tile].clear();
    return space.split(last, tile);
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
      const bool done = split(space, end - 1, step.tile);
      any |= done;
      all &= done;
    }
    exact &= all;
    return any;
  }

  /// Shortest path over the cuts of a chain.
  Cuts cut(const Chain &chain, GroupSpace &space, const Prices &prices) {
    Joint joint(target, prices, bounds);
    llvm::SmallVector<Joint::Ways, 8> members;
    llvm::SmallVector<Joint::Choice, 8> choice;
    auto relax = [&](size_t last, llvm::ArrayRef<double> price, double &least,
                     Cuts::Step &step, bool onlyExact) {
      const unsigned c = chain.classes[last];
      least = price[last] + prices(alone[c][best[c]]);
      step = {last, 0, 0, {}};
      // Exact tiles first: a bound that is no better is of no use.
      for (bool exactTiles : {true, false}) {
        if (onlyExact && !exactTiles)
          break;
        for (auto [t, tile] : llvm::enumerate(space.endingAt(last))) {
          if (tile.isExact() != exactTiles)
            continue;
          Leasts &own = leastsOf(space, last, t, prices);
          const double afterwards = prices(unpooled(chain, tile, last));
          for (size_t d = tile.poolsOutput ? 0 : 1; d < tile.options.size();
               ++d) {
            const size_t first = last - d;
            const double before = price[first] + afterwards;
            if (!(own.ofDepth[d] < least * (1 - 1e-12) - before))
              continue;
            for (auto [index, shape] :
                 llvm::enumerate(space.shapes(first, last))) {
              double &known = own.ofShape[own.begins[d] + index];
              double limit = least * (1 - 1e-12) - before;
              if (!(known < limit))
                continue;
              members.clear();
              for (size_t i = 0; i <= d; ++i)
                members.push_back(waysOf(tile, shape, i));
              const bool isLess = joint.solve(members, limit, choice);
              known = limit;
              if (!isLess)
                continue;
              least = before + limit;
              step = {first, t, index, choice};
            }
          }
        }
      }
      if (last < chain.joinsNext.size() && chain.joinsNext[last])
        least = kInfinity;
    };
    auto relaxExactly = [&](size_t last, llvm::ArrayRef<double> price,
                            double &least, Cuts::Step &step) {
      const bool splitsAll = splits == Splits::All;
      bool canSplit = splitsAll && !space.outOfEffort();
      relax(last, price, least, step, /*onlyExact=*/splitsAll && !canSplit);
      while (canSplit && !step.options.empty() &&
             !space.endingAt(last)[step.tile].isExact()) {
        canSplit = split(space, last, step.tile);
        relax(last, price, least, step, /*onlyExact=*/!canSplit);
      }
    };
    Cuts cuts{shortestCuts<Cuts::Step>(chain.layers.size(), relaxExactly)};
    exact &= !joint.gaveUp;
    return cuts;
  }

  /// Of the groups of a tile what is known to be the least that their members
  /// cost at the prices of this look: at first the sum of each one's cheapest
  /// option.
  struct Leasts {
    llvm::SmallVector<double, 8> ofShape; ///< the nearest first layer first
    llvm::SmallVector<double, 8> ofDepth; ///< the least of these, at first
    llvm::SmallVector<size_t, 8> begins;  ///< of a depth in ofShape

    void clear() {
      ofShape.clear();
      ofDepth.clear();
      begins.clear();
    }
  };
  Leasts &leastsOf(const GroupSpace &space, size_t last, size_t index,
                   const Prices &prices) {
    std::vector<Leasts> &ofLast = (*leasts)[last];
    ofLast.resize(space.endingAt(last).size());
    Leasts &known = ofLast[index];
    if (!known.ofDepth.empty())
      return known;
    const GroupTile &tile = space.endingAt(last)[index];
    // Of each set of contexts the cheapest option, by depth from `begins`.
    llvm::SmallVector<double, 128> lowest;
    llvm::SmallVector<size_t, 32> begins;
    llvm::SmallVector<double, 32> own;
    for (size_t d = 0; d < tile.options.size(); ++d) {
      own.clear();
      for (const OptionList *list : tile.options[d])
        own.push_back(cheapest(list, prices));
      begins.push_back(lowest.size());
      for (llvm::ArrayRef<unsigned> set : space.contextSets(last, d)) {
        double least = kInfinity;
        for (unsigned context : set)
          least = std::min(least, own[context]);
        lowest.push_back(least);
      }
      double &least = known.ofDepth.emplace_back(kInfinity);
      known.begins.push_back(known.ofShape.size());
      if (d == 0 && !tile.poolsOutput)
        continue;
      for (const GroupSpace::Shape &shape : space.shapes(last - d, last)) {
        if (shape.isBound && !bounds) {
          known.ofShape.push_back(kInfinity);
          continue;
        }
        double sum = 0;
        for (auto [place, set] : llvm::zip(shape.places, shape.ownSets))
          sum += lowest[begins[d - place] + set];
        known.ofShape.push_back(sum);
        least = std::min(least, sum);
      }
    }
    return known;
  }

  double cheapest(const OptionList *list, const Prices &prices) const {
    double least = kInfinity;
    if (list)
      for (const BoundPoint &corner :
           bounds ? list->corners : list->usableCorners)
        least = std::min(least, prices(corner));
    return least;
  }

  /// What the core does behind a group of this tile that ends with `last`.
  static BoundPoint unpooled(const Chain &chain, const GroupTile &tile,
                             size_t last) {
    return tile.poolsOutput || chain.unpooled.empty() ? BoundPoint()
                                                      : chain.unpooled[last];
  }

  Piece groupOf(const Chain &chain, const GroupSpace &space,
                const Cuts::Step &step, size_t last) const {
    const GroupTile &tile = space.endingAt(last)[step.tile];
    Piece piece;
    piece.first = step.from;
    piece.last = last;
    const BoundPoint core = unpooled(chain, tile, last);
    piece.energy = core.energy;
    piece.cycles = core.cycles;
    for (size_t i = 0; i < step.options.size(); ++i) {
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
    const Joint::Choice choice = step.options[member];
    return waysOf(tile, space.shapes(step.from, last)[step.shape],
                  member)[choice.way][choice.option];
  }

  void addMappings(const GroupSpace &space, const Cuts::Step &step,
                   Piece &piece) const {
    if (step.options.empty())
      return;
    const GroupTile &tile = space.endingAt(piece.last)[step.tile];
    const GroupSpace::Shape &shape =
        space.shapes(step.from, piece.last)[step.shape];
    std::vector<MemberTiles> own;
    for (size_t i = 0; i < step.options.size(); ++i)
      own.push_back(optionOf(space, tile, step, i, piece.last).tiles);
    piece.group = space.groupOf(shape, tile, own);
    piece.mappings = space.mappingsOf(step.from, shape, tile, own);
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
        pieces.push_back(groupOf(chain, space, step, end - 1));
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
  const bool bounds;
  const Splits splits;
  bool exact = true;
  std::vector<size_t> best; ///< per class, at the last prices
  /// Per last layer and tile (leastsOf()); empty: not known.
  using ChainLeasts = std::vector<std::vector<Leasts>>;
  std::vector<ChainLeasts> allLeasts; ///< per chain
  ChainLeasts *leasts = nullptr;      ///< of the chain at hand
  std::vector<Cuts> cuts;             ///< per chain
};
} // namespace

ChainResult fadiff::exact::cutChains(
    const Network &network, const std::vector<Chain> &chains,
    const std::vector<AloneCosts> &alone, const Accelerator &target,
    Latency latency, const SearchSpace &space, bool poolsOutputs,
    const Aim &aim, const Budget &budget, GroupMemory *memory,
    llvm::ArrayRef<ChainTiles> only, bool onlyBound) {
  ChainResult result;
  std::vector<GroupSpace> spaces;
  bool complete = true;
  const TensorUses uses(network);
  for (auto [c, chain] : llvm::enumerate(chains)) {
    std::vector<GroupSpace::Points> apart;
    for (unsigned layerClass : chain.classes)
      apart.push_back(alone[layerClass].points);
    ChainMemory *own = memory ? memory->of(chain.layers, uses) : nullptr;
    if (onlyBound && !own)
      return result;
    spaces.emplace_back(network, uses, chain.layers, std::move(apart), target,
                        latency, space, poolsOutputs, budget, own,
                        only.empty() ? nullptr : &only[c], onlyBound,
                        !llvm::is_contained(chain.joinsNext, true));
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
  bool known = only.empty();
  for (const AloneCosts &costs : alone) {
    points.push_back(costs.points);
    bounds.push_back(costs.bound);
    known &= !costs.bound.empty();
  }
  // Groups with what had better be alone (G7) are not all listed, so where
  // layers have to be joined the bound is that of all cuts.
  std::vector<Chain> free = chains;
  for (Chain &chain : free)
    chain.joinsNext.clear();
  if (onlyBound) {
    Chooser below(free, spaces, bounds, target, /*bounds=*/true,
                  Chooser::Splits::None);
    if (known)
      result.bound = sweepPrices(aim, [&](const Prices &at) {
                       return below.look(at);
                     }).bound;
    countEvaluations();
    return result;
  }
  Chooser chooser(chains, spaces, points, target, /*bounds=*/false,
                  only.empty() ? Chooser::Splits::Used : Chooser::Splits::All);
  BoundPoint total;
  auto choose = [&] {
    const Prices prices = sweepPrices(aim, [&](const Prices &at) {
                            return chooser.look(at);
                          }).prices;
    total = chooser.look(prices);
    return prices;
  };
  double seconds = budget.seconds();
  Prices prices = choose();
  // With a limit only as long as there is time for another choice.
  auto mayChoose = [&] {
    const double before = std::exchange(seconds, budget.seconds());
    return !budget.stopped() && budget.secondsLeft() > seconds - before;
  };
  if (!only.empty())
    for (BoundPoint before = total; mayChoose() && chooser.addNeighbours();
         before = total) {
      prices = choose();
      if (!aim.isBetter(total, before))
        break;
    }
  if (known) {
    Chooser below(free, spaces, bounds, target, /*bounds=*/true,
                  Chooser::Splits::Used);
    const auto [at, bound] =
        sweepPrices(aim, [&](const Prices &at) { return below.look(at); });
    result.bound = bound;
    below.look(at);
    if (below.widenSlices())
      prices = choose();
  }
  auto isComplete = [&] {
    return llvm::all_of(
        spaces, [](const GroupSpace &groups) { return groups.isComplete(); });
  };
  result.exact = isComplete() && chooser.isExact() && only.empty();
  if (result.exact || !only.empty())
    result.pieces = chooser.pieces();
  for (auto [chain, groups] : llvm::zip(chains, spaces)) {
    result.pairs.emplace_back();
    for (size_t i = 0; i + 1 < chain.layers.size(); ++i)
      result.pairs.back().push_back(
          chooser.costOf(chain, groups, i, i + 1, prices));
  }
  if (!isComplete())
    result.bound.reset();
  countEvaluations();
  return result;
}
