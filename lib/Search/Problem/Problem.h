//===- Problem.h - A network as distinct layers -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every optimiser works on: a network on a machine, with identical layers
// once, what counts, and which schedules do.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_PROBLEM_PROBLEM_H
#define FADIFF_LIB_SEARCH_PROBLEM_PROBLEM_H

#include "Climb.h"
#include "Prices.h"

#include "fadiff/CostModel/StreamWalks.h"

#include <memory>

namespace fadiff {

/// Who draws from which random stream (Problem::stream).
enum Purpose : uint32_t {
  kDescents = 1,
  kRestarts = 2,
  kLayers = 3,
  kFirstClimb = 4
};

/// Of a layer that is given.
inline constexpr unsigned kNoClass = ~0u;

struct Problem {
  /// Of the options what the problem is; how it is solved is others' business.
  /// What is given has been checked, and that the constraint has a limit.
  Problem(const Network &network, const Accelerator &target,
          const SearchOptions &options);

  size_t size() const { return firstOfClass.size(); }
  LayerProblem layer(size_t layerClass) const {
    return {network.layers[firstOfClass[layerClass]], target, cost, space};
  }
  bool divisorsOnly() const {
    return cost.wantsDivisors() || !space.unevenTiles;
  }
  /// By the built-in cost, to find out how long streams take.
  uint64_t commandsWalked() const { return walks->commandsWalked(); }
  void countWalksAnew() const { walks->countAnew(); }
  /// Whether both ends are in one of the given groups.
  bool areGivenTogether(const Edge &edge) const;
  /// A random stream that belongs to `number` of `purpose` alone, so that no
  /// result depends on the order in which things run.
  std::mt19937_64 stream(Purpose purpose, size_t number) const;

  const Network &network;
  const Accelerator &target;
  Convention convention;
  Latency latency;
  SearchSpace space;
  Fuse fuse;
  uint64_t seed;
  const CostFunction *foreignCost; ///< null: `cost` is that of `convention`

private:
  /// Of the built-in cost.
  std::unique_ptr<StreamWalks> walks;
  std::unique_ptr<CostFunction> builtIn;

public:
  const CostFunction &cost;
  const Schedule &given;     ///< of a legal schedule (checkGiven)
  std::vector<bool> isGiven; ///< per layer
  Aim aim;
  /// What the core takes to pool outputs that leave as they are, per layer.
  std::vector<double> coreCycles;
  /// Of all that are not given, if nothing is pooled on chip, and what else the
  /// core does: in aim.given.
  double allCoreCycles = 0, besides = 0;
  /// What the core does more, and what leaks meanwhile.
  void addCore(BoundPoint &point, double cycles) const {
    point.cycles += cycles;
    point.energy += cycles * target.leakagePerCycle();
  }
  /// Per layer; those that are given are of no class.
  std::vector<unsigned> classOf;
  std::vector<unsigned> firstOfClass; ///< a layer of the class
  std::vector<double> classCount;
};

/// Fails if an edge names a layer that does not exist.
llvm::Error checkEdges(const Network &network);

/// Fails if a group of `given` names a layer that does not exist or is in
/// another one, too, or is not legal.
llvm::Error checkGiven(const Network &network, const Schedule &given,
                       const Accelerator &target);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_PROBLEM_PROBLEM_H
