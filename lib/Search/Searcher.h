//===- Searcher.h - One search over one network -----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_SEARCHER_H
#define FADIFF_LIB_SEARCH_SEARCHER_H

#include "Gradient/Relaxation.h"

#include "fadiff/Search/Exact.h"

namespace fadiff {

/// Who draws from which random stream (Problem::stream).
enum Purpose : uint32_t {
  kDescents = 1,
  kRestarts = 2,
  kLayers = 3,
  kFirstClimb = 4
};

class Searcher {
public:
  Searcher(const Network &network, const Accelerator &target,
           const SearchOptions &options)
      : options(options), problem(network, target, options), chains(problem),
        budget(options.timeLimit, options.stop, options.maxEvaluations),
        pools(problem) {
    for (const Unit &unit : chains.units)
      gates.push_back(noGates(unit.layers.size()));
  }

  llvm::Expected<SearchResult> run();

private:
  llvm::Error startFromHeuristic();
  void descendFromStarts();
  void close();
  void climb(uint32_t stream, unsigned wantedRestarts, unsigned rounds);
  void runDosa();
  void runLayerwise();
  llvm::Expected<SearchResult> finish();
  /// Looks at the pools again and notes what got better.
  void update(const char *phase, size_t done, size_t total);
  Goal networkGoal() const {
    Goal goal;
    goal.objective = options.objective;
    std::tie(goal.totalEnergy, goal.totalCycles) = totalsOf(problem, chosen);
    return goal;
  }
  Ended endedBy() const {
    return budget.stopped()            ? Ended::Stopped
           : budget.outOfTime()        ? Ended::TimeLimit
           : budget.outOfEvaluations() ? Ended::MaxEvaluations
                                       : Ended::Done;
  }
  const Network &network() const { return problem.network; }

  const SearchOptions &options;
  Problem problem;
  Chains chains;
  Budget budget;
  Pools pools;
  std::vector<Candidate> chosen;  ///< per class, alone
  std::vector<Mapping> heuristic; ///< per class
  std::vector<UnitGates> gates;   ///< per unit, of the best descent
  std::vector<bool> exact;        ///< per class: the pool holds its whole hull
  std::vector<LayerHull> hulls;   ///< per class; empty where not enumerated
  SearchResult result;
};

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_SEARCHER_H
