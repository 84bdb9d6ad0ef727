//===- Problem.h - A network as distinct layers -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every optimiser works on: identical layers once, and for each of them
// the mappings found so far.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_PROBLEM_PROBLEM_H
#define FADIFF_LIB_SEARCH_PROBLEM_PROBLEM_H

#include "Climb.h"

#include <memory>

namespace fadiff {

struct Problem {
  Problem(const Network &network, const Accelerator &target,
          const SearchOptions &options);

  size_t size() const { return firstOfClass.size(); }
  LayerProblem layer(size_t layerClass) const {
    return {network.layers[firstOfClass[layerClass]], target, cost,
            options.space};
  }
  /// A random stream that belongs to `number` of `purpose` alone, so that no
  /// result depends on the order in which things run.
  std::mt19937_64 stream(uint32_t purpose, uint32_t number) const;

  const Network &network;
  const Accelerator &target;
  const SearchOptions &options;

private:
  std::unique_ptr<CostFunction> builtIn;

public:
  const CostFunction &cost;
  std::vector<unsigned> classOf;      ///< per layer
  std::vector<unsigned> firstOfClass; ///< a layer of the class
  std::vector<double> classCount;
};

/// An (energy, cycles) point of a hull; `index` is the caller's.
struct Corner {
  double energy = 0, cycles = 0;
  unsigned index = 0;
};

/// The least value of the objective over sums of one corner per class, each
/// `counts` times, and the index of the corner taken in each class. Exact if
/// the corners of each class are all there is: the objective is quasi-concave,
/// so its minimum lies where some line of equal slope touches every class's
/// lower hull, and all such places are visited in the order of the slope.
struct CornerChoice {
  double value = 0; ///< uJ * cycles, pJ or cycles
  std::vector<unsigned> indices;
};
CornerChoice
chooseCorners(const std::vector<std::vector<Corner>> &cornersPerClass,
              const std::vector<double> &counts, Objective objective);

/// Mappings found for each class; only those that no other is better than in
/// both energy and cycles.
class Pools {
public:
  explicit Pools(const Problem &problem)
      : problem(problem), pools(problem.size()) {}

  void add(size_t layerClass, const Candidate &candidate);
  const std::vector<Candidate> &of(size_t layerClass) const {
    return pools[layerClass];
  }
  bool complete() const; ///< every class has one
  /// The best choice of one candidate per class for the network's objective.
  std::vector<Candidate> choose() const;

private:
  const Problem &problem;
  std::vector<std::vector<Candidate>> pools;
};

/// (energy, cycles) of the network if every layer is alone.
std::pair<double, double> totalsOf(const Problem &problem,
                                   const std::vector<Candidate> &chosen);

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_PROBLEM_PROBLEM_H
