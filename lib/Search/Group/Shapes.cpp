//===- Shapes.cpp - Ways for a stretch of layers to be a group ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shapes.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <iterator>
#include <numeric>

using namespace fadiff;

/// The orders in which the members can run: a side branch, which in the stretch
/// stands before the layer whose input it reads, may run as late as its output
/// is added.
static std::vector<std::vector<size_t>> ordersOf(const GroupFlow &flow) {
  std::vector<size_t> first(flow.members.size());
  std::iota(first.begin(), first.end(), size_t(0));
  std::vector<std::vector<size_t>> orders = {std::move(first)};
  for (const GroupFlow::Tile &tile : flow.tiles) {
    if (!tile.isResidual || !tile.producer)
      continue;
    for (size_t o = 0, n = orders.size(); o < n; ++o) {
      std::vector<size_t> order = orders[o];
      for (auto at = llvm::find(order, *tile.producer);
           *std::next(at) != tile.reader; ++at) {
        std::iter_swap(at, std::next(at));
        orders.push_back(order);
      }
    }
  }
  return orders;
}

namespace {
/// In which ways the members of a group can take turns, such that two stacks
/// hold all tiles.
class TurnPatterns {
public:
  /// Per member, whether it gets its input in slices; none: as one likes.
  using Pattern = std::vector<std::optional<bool>>;

  TurnPatterns(const Network &network, const TensorUses &uses,
               const FusionGroup &group, const GroupFlow &flow,
               const Accelerator &target)
      : network(network), uses(uses), group(group), flow(flow),
        side(target.side) {
    gets.assign(flow.members.size(), false);
    std::vector<size_t> mayGet;
    for (size_t member = 1; member < gets.size(); ++member)
      if (mayGetSlices(member))
        mayGet.push_back(member);
    // Turns of several members are taken to be in each other's way only where
    // those of one of them are, or whole tiles. If that were wrong a schedule
    // could be listed that verify() refuses; bounds count all ways then.
    const bool holdsWhole = canStack();
    Pattern others(gets.size()), only(gets.size(), false);
    for (size_t member : mayGet) {
      gets[member] = true;
      if (holdsWhole && !canStack())
        others[member] = false;
      if (!holdsWhole && canStack()) {
        found.push_back(only);
        found.back()[member] = true;
      }
      gets[member] = false;
    }
    if (holdsWhole && !llvm::is_contained(others, std::optional(false))) {
      found.emplace_back();
      return;
    }
    tryFrom(1);
    if (!areTooMany) {
      for (auto &[own, holds] : patterns) {
        gets = own;
        holds = canStack();
      }
      found.clear();
      Pattern pattern(gets.size());
      split(pattern, 1);
    } else if (holdsWhole) {
      found.push_back(std::move(others));
    }
  }

  std::vector<Pattern> found;
  bool areTooMany = false; ///< there may be others

private:
  static constexpr size_t kMostPatterns = 64;

  const Layer &layer(size_t member) const {
    return network.layers[group.layers[member]];
  }
  bool mayGetSlices(size_t member) const {
    const size_t input = flow.members[member].input;
    const GroupFlow::Tile &tile = flow.tiles[input];
    return tile.producer && *tile.producer + 1 == member &&
           tile.reader == member && !tile.isResidual && !flow.isShared(input) &&
           layer(member).inputChannels() > side;
  }
  /// With turns as `gets` has them.
  bool canStack() const {
    FusionGroup sliced = group;
    for (size_t i = 0; i < gets.size(); ++i)
      if (gets[i])
        sliced.inputSlices.push_back({group.layers[i], side});
    return stackTiles(flowOf(network, uses, sliced)).has_value();
  }

  /// All patterns of the members from `member` on.
  void tryFrom(size_t member) {
    if (areTooMany)
      return;
    if (member == gets.size()) {
      areTooMany = patterns.size() == kMostPatterns;
      patterns.push_back({gets, false});
      return;
    }
    tryFrom(member + 1);
    // One that adds up all channels has none to hand over before.
    if (!mayGetSlices(member) ||
        (gets[member - 1] && !layer(member - 1).isDepthwise()))
      return;
    gets[member] = true;
    tryFrom(member + 1);
    gets[member] = false;
  }

  /// Of `pattern`, which says something of the members before `member` only,
  /// the parts that hold.
  void split(Pattern &pattern, size_t member) {
    bool any = false, all = true;
    for (const auto &[own, holds] : patterns) {
      const bool isOne = llvm::all_of(llvm::zip(pattern, own), [](auto pair) {
        auto [wanted, has] = pair;
        return wanted.value_or(has) == has;
      });
      any |= isOne && holds;
      all &= !isOne || holds;
    }
    if (any && all)
      found.push_back(pattern);
    if (!any || all)
      return;
    for (bool value : {false, true}) {
      pattern[member] = value;
      split(pattern, member + 1);
    }
    pattern[member].reset();
  }

  const Network &network;
  const TensorUses &uses;
  const FusionGroup &group;
  const GroupFlow &flow;
  const int64_t side;
  std::vector<bool> gets;
  std::vector<std::pair<std::vector<bool>, bool>>
      patterns; ///< and if they hold
};
} // namespace

/// Adds `shape`, once for each way to take turns that matters. Fails if it
/// breaks a rule, whoever takes turns.
static llvm::Error addShapes(const Network &network, const TensorUses &uses,
                             const Accelerator &target, GroupShape shape,
                             std::vector<GroupShape> &shapes) {
  shape.flow = flowOf(network, uses, shape.group);
  llvm::Error error =
      verifyFlow(network, uses, shape.group, shape.flow, target);
  // Where each member reads the one before only, tiles come and go in order.
  const bool isChain = shape.flow.isChain();
  if (isChain || (error && stackTiles(shape.flow))) {
    if (!error)
      shapes.push_back(std::move(shape));
    return error;
  }
  TurnPatterns turns(network, uses, shape.group, shape.flow, target);
  bool any = false;
  for (TurnPatterns::Pattern &pattern : turns.found) {
    FusionGroup sliced = shape.group;
    for (auto [layer, gets] : llvm::zip(sliced.layers, pattern))
      if (gets.value_or(false))
        sliced.inputSlices.push_back({layer, target.side});
    // There may be other rules that it breaks.
    if (llvm::Error other = verifyFlow(network, uses, sliced,
                                       flowOf(network, uses, sliced), target)) {
      llvm::consumeError(std::move(other));
      continue;
    }
    any = true;
    shapes.push_back(shape);
    shapes.back().getsSlices = std::move(pattern);
  }
  if (turns.areTooMany) {
    any = true;
    shapes.push_back(std::move(shape));
    shapes.back().isBound = true;
  }
  if (!any)
    return error;
  llvm::consumeError(std::move(error));
  return llvm::Error::success();
}

std::vector<GroupShape>
fadiff::groupShapes(const Network &network, const TensorUses &uses,
                    llvm::ArrayRef<unsigned> chain, size_t first, size_t last,
                    const Accelerator &target, std::string *reason) {
  const llvm::ArrayRef<unsigned> stretch = chain.slice(first, last + 1 - first);
  // What is made inside must stay. Of the group's input, those up to some
  // member: in between it costs nothing.
  const std::optional<unsigned> input = uses.operands[stretch.front()].input;
  std::vector<unsigned> always, perhaps;
  for (unsigned layer : stretch) {
    const std::optional<unsigned> residual = uses.operands[layer].residual;
    if (!residual)
      continue;
    if (llvm::is_contained(stretch, *residual))
      always.push_back(layer);
    else if (residual == input)
      perhaps.push_back(layer);
  }
  std::vector<GroupShape> shapes;
  FusionGroup inPlace;
  inPlace.layers = stretch.vec();
  inPlace.liveSkips = always;
  for (std::vector<size_t> &order : ordersOf(flowOf(network, uses, inPlace))) {
    GroupShape shape;
    shape.places = std::move(order);
    for (size_t place : shape.places)
      shape.group.layers.push_back(stretch[place]);
    shape.group.liveSkips = always;
    auto consider = [&](std::string *why) {
      llvm::sort(shape.group.liveSkips);
      if (llvm::Error error = addShapes(network, uses, target, shape, shapes)) {
        std::string text = llvm::toString(std::move(error));
        if (why && why->empty())
          *why = std::move(text);
        return false;
      }
      return true;
    };
    if (!consider(reason))
      continue;
    for (unsigned layer : perhaps) {
      const std::vector<unsigned> before = shape.group.liveSkips;
      shape.group.liveSkips.push_back(layer);
      if (!consider(nullptr))
        shape.group.liveSkips = before;
    }
  }
  if (reason && !shapes.empty())
    reason->clear();
  // Of equals the first is taken: one in which nobody has to take turns, which
  // makes neighbours wait for each other.
  std::vector<GroupShape> sorted;
  for (bool mustTakeTurns : {false, true})
    for (GroupShape &shape : shapes)
      if (llvm::is_contained(shape.getsSlices, std::optional(true)) ==
          mustTakeTurns)
        sorted.push_back(std::move(shape));
  return sorted;
}
