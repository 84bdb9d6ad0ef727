//===- Chain.h - The best cuts through all chains ---------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shortest paths over the cuts of every chain of a network, for as many prices
// of energy and cycles as it takes to know the best total.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_GROUP_CHAIN_H
#define FADIFF_LIB_SEARCH_GROUP_CHAIN_H

#include "Space.h"

#include "fadiff/Search/Exact.h"

#include <optional>

namespace fadiff {

struct Aim;

/// Shortest path over the cuts of a chain of `n` layers: for each layer the
/// best piece that ends with it; the pieces of the whole follow from the last
/// one backwards. `relax(last, price, least, step)` knows in `price[i]` what
/// the first i layers cost at best, and sets `least`, what those up to `last`
/// do, and `step`, the piece at their end, of which `from` is the first layer.
template <typename StepT>
std::vector<StepT> shortestCuts(
    size_t n,
    llvm::function_ref<void(size_t, llvm::ArrayRef<double>, double &, StepT &)>
        relax) {
  std::vector<StepT> steps(n);
  std::vector<double> price(n + 1, 0);
  for (size_t last = 0; last < n; ++last)
    relax(last, price, price[last + 1], steps[last]);
  return steps;
}

namespace exact {

class GroupMemory;

/// What one layer costs outside of groups.
struct AloneCosts {
  /// Costs that some mapping has; never empty.
  std::vector<BoundPoint> points;
  /// What no mapping gets below; empty if that is not known.
  std::vector<BoundPoint> bound;
};

struct Chain {
  std::vector<unsigned> layers;  ///< of the network
  std::vector<unsigned> classes; ///< of AloneCosts
  double multiplicity = 1;
  /// Per layer but the last: no piece may end with it. Without any: all may.
  std::vector<bool> joinsNext;
  /// Per layer: what a piece that ends with it and does not pool its outputs
  /// takes more.
  std::vector<BoundPoint> unpooled;
};

/// One piece of a cut chain: layers [first, last].
struct Piece {
  size_t first = 0, last = 0;
  double energy = 0, cycles = 0;
  size_t point = 0;  ///< of the layer's costs alone, if it is a single one
  FusionGroup group; ///< of layers of the network
  /// Of a group of two or more, or one that pools: of the members, in the
  /// group's order.
  std::vector<Mapping> mappings;
};

struct ChainResult {
  /// Per chain, in order; empty if the best could not be told (`exact`).
  std::vector<std::vector<Piece>> pieces;
  /// No choice is below this, even of those that joinsNext rules out; uJ *
  /// cycles, pJ or cycles. Absent if some layer has no bound or not all groups
  /// could be looked at.
  std::optional<double> bound;
  /// Whether the pieces are there, and the best. If not, time or effort ran
  /// out; there may be a bound still.
  bool exact = false;
  /// Per chain and pair of neighbours: what the group of these two costs at
  /// best at the prices of the result; none if it fits nowhere.
  std::vector<std::vector<std::optional<BoundPoint>>> pairs;
  uint64_t evaluated = 0;
};

/// The best cut of all chains of `network` together with the best choice in
/// each piece. No layer of a chain of two or more may be serial in `space`.
/// With `only`, per chain, groups have these tiles to begin with, and then
/// those next to the chosen ones as long as the total gets better: what is
/// found need not be the best, is no `exact` result and has no bound. `memory`:
/// that of searches of similar networks, if there are any; with `onlyBound`
/// there is one, and the result is a bound, lower than it could be, or none:
/// layers that differ between these networks cost as little as they could.
ChainResult
cutChains(const Network &network, const std::vector<Chain> &chains,
          const std::vector<AloneCosts> &alone, const Accelerator &target,
          Latency latency, const SearchSpace &space, bool poolsOutputs,
          const Aim &aim, const Budget &budget, GroupMemory *memory = nullptr,
          llvm::ArrayRef<ChainTiles> only = {}, bool onlyBound = false);

} // namespace exact
} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_GROUP_CHAIN_H
