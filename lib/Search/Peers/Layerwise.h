//===- Layerwise.h - Optimisers that take a layer at a time -----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the search is compared with. Each layer has its own optimiser object;
// they take turns, and between turns the network's totals tell each what energy
// and cycles are worth.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_PEERS_LAYERWISE_H
#define FADIFF_LIB_SEARCH_PEERS_LAYERWISE_H

#include "../Problem/Problem.h"

namespace fadiff {

class LayerOptimizer {
public:
  virtual ~LayerOptimizer();
  /// Takes one turn, judging by `goal`; everything it evaluates goes to
  /// `found`. A turn lasts a generation, a climb, or a few hundred points.
  virtual void turn(const Goal &goal, Budget &budget,
                    std::vector<Candidate> &found) = 0;
  /// Whether another turn would bring nothing that another seed would not.
  virtual bool finished() const { return false; }
  unsigned restarts = 0;
};

/// `options.optimizer` for one layer: Ga, Bo, HillClimb or Random. `start` is
/// the heuristic's mapping, which all but Random and Bo begin with (Bo and
/// Random have it as one of their points).
std::unique_ptr<LayerOptimizer>
createLayerOptimizer(const LayerProblem &problem, const SearchOptions &options,
                     const Mapping &start, std::mt19937_64 rng);

std::unique_ptr<LayerOptimizer> createGenetic(const LayerProblem &problem,
                                              const SearchOptions &options,
                                              const Mapping &start,
                                              std::mt19937_64 rng);
std::unique_ptr<LayerOptimizer> createBayesian(const LayerProblem &problem,
                                               const SearchOptions &options,
                                               const Mapping &start,
                                               std::mt19937_64 rng);

/// A random legal mapping of the space that `problem` has: with divisors only,
/// each factor a random divisor of what remains; the six orders of loop classes
/// at random.
Mapping randomPoint(const LayerProblem &problem, std::mt19937_64 &rng);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_PEERS_LAYERWISE_H
