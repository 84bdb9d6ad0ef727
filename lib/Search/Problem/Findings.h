//===- Findings.h - What a search has found so far --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Optimisers are functions of a problem and their own options that use up a
// budget and add to the findings.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_PROBLEM_FINDINGS_H
#define FADIFF_LIB_SEARCH_PROBLEM_FINDINGS_H

#include "Problem.h"

#include "fadiff/Search/Exact.h"

namespace fadiff {

class Findings {
public:
  /// `budget` is the search's; both must outlive this.
  Findings(const Problem &problem, const Budget &budget,
           std::function<void(const Progress &)> progress)
      : hulls(problem.size()), problem(problem), budget(budget),
        progress(std::move(progress)), pools(problem.size()) {}

  /// Keeps a mapping of a class, if none that is kept is as good in both energy
  /// and cycles.
  void add(size_t layerClass, const Candidate &candidate);
  void add(size_t layerClass, llvm::ArrayRef<Candidate> candidates) {
    for (const Candidate &candidate : candidates)
      add(layerClass, candidate);
  }
  const std::vector<Candidate> &of(size_t layerClass) const {
    return pools[layerClass];
  }
  /// Whether the class's pool holds its whole hull.
  bool isExact(size_t layerClass) const {
    return hulls[layerClass] && hulls[layerClass]->isExact();
  }
  bool areExact() const {
    return llvm::all_of(hulls, [](const std::optional<LayerHull> &hull) {
      return hull && hull->isExact();
    });
  }

  /// Chooses again from what is there, notes whether that is better than all
  /// before, and tells how far the phase is. Every class has a mapping.
  void update(const char *phase, size_t done, size_t total);
  /// Notes a schedule, if it is better than all before.
  void note(double energy, double cycles);
  /// One mapping per class, each alone: the best choice for the network when
  /// last chosen; what they cost; what others are judged by.
  const std::vector<Candidate> &best() const { return chosen; }
  std::pair<double, double> totals() const;
  Goal goal() const;

  std::vector<Mapping> starts; ///< per class: where searches begin
  std::vector<std::optional<LayerHull>> hulls; ///< per class
  SearchResult result; ///< effort, bounds and trace; the rest comes last

private:
  const Problem &problem;
  const Budget &budget;
  std::function<void(const Progress &)> progress;
  std::vector<std::vector<Candidate>> pools;
  std::vector<Candidate> chosen;
  Prices prices; ///< by which they were chosen
};

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_PROBLEM_FINDINGS_H
