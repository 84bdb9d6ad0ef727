//===- Bayesian.cpp - Bayesian optimisation of one layer ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Gaussian process over the logs of the factors (GaussianProcess.h), whose
// targets are the log objective.
//
//===----------------------------------------------------------------------===//

#include "Peers.h"

#include "fadiff/Search/GaussianProcess.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace fadiff;

namespace {

using Vector = GaussianProcess::Vector;

class Bayesian {
public:
  Bayesian(const LayerProblem &problem, const BayesianOptions &options,
           const Mapping &start, std::mt19937_64 rng)
      : problem(problem), options(options), start(start), rng(rng) {}

  unsigned operator()(const Goal &goal, Budget &budget,
                      std::vector<Candidate> &found) {
    if (points.empty()) {
      observe(start, budget, found);
      while (points.size() < std::max(2u, options.initial) &&
             !budget.exhausted())
        observe(randomPoint(problem, rng), budget, found);
      return 0;
    }
    // The goal moves with the network's totals, and with it the targets.
    if (points.size() >= std::max(16u, options.points))
      forget(goal);
    process.fit(targets(goal));
    for (unsigned i = 0; i < 4 && !budget.exhausted(); ++i) {
      Mapping next = propose(goal);
      observe(next, budget, found);
      process.extend();
      process.setTargets(targets(goal));
    }
    return 0;
  }

private:
  Vector featuresOf(const Mapping &m) const {
    Vector f;
    for (Dim dim : kAllDims)
      for (Slot slot : kAllSlots) {
        int64_t limit =
            slotLimit(problem.layer, problem.target, slot, dim, problem.space);
        if (limit > 1)
          f.push_back(std::log(double(factorIn(problem.layer, m, slot, dim))) /
                      std::log(double(limit)));
      }
    for (Level level : {Level::Scratchpad, Level::Dram})
      for (unsigned order = 0; order < kNumClassOrders; ++order)
        f.push_back(m.order[level] == classOrder(order) ? 0.5 : 0.0);
    return f;
  }

  void observe(const Mapping &mapping, Budget &budget,
               std::vector<Candidate> &found) {
    points.push_back(problem.evaluate(mapping, budget));
    process.add(featuresOf(mapping));
    found.push_back(points.back());
  }

  /// Indices of the points, the best first.
  std::vector<size_t> ranking(const Goal &goal) const {
    std::vector<std::pair<double, size_t>> order;
    for (auto [index, point] : llvm::enumerate(points))
      order.push_back({goal(point.energy, point.cycles), index});
    llvm::sort(order);
    std::vector<size_t> indices;
    for (const auto &[value, index] : order)
      indices.push_back(index);
    return indices;
  }

  /// Keeps the better half: the process's cost grows with its points.
  void forget(const Goal &goal) {
    std::vector<size_t> order = ranking(goal);
    order.resize(order.size() / 2);
    std::vector<Candidate> kept;
    for (size_t i : order)
      kept.push_back(points[i]);
    points = std::move(kept);
    process.keep(order);
  }

  std::vector<double> targets(const Goal &goal) const {
    std::vector<double> targets;
    for (const Candidate &point : points)
      targets.push_back(std::log(goal(point.energy, point.cycles)));
    return targets;
  }

  /// Half of the candidates are random, half lie near the best points.
  Mapping propose(const Goal &goal) {
    const std::vector<size_t> order = ranking(goal);
    const size_t top = std::min<size_t>(5, order.size());
    Mapping chosen = points[order[0]].mapping;
    double most = -1;
    for (unsigned i = 0; i < std::max(2u, options.candidates); ++i) {
      Mapping m =
          i % 2 ? perturb(problem, points[order[rng() % top]].mapping, rng)
                : randomPoint(problem, rng);
      double improvement = process.expectedImprovement(featuresOf(m));
      if (improvement > most) {
        most = improvement;
        chosen = m;
      }
    }
    return chosen;
  }

  LayerProblem problem;
  const BayesianOptions &options;
  Mapping start;
  std::mt19937_64 rng;
  std::vector<Candidate> points;
  GaussianProcess process;
};

} // namespace

void fadiff::searchBayesian(const Problem &problem,
                            const BayesianOptions &options, Budget &budget,
                            Findings &findings) {
  takeTurns(problem, options.evaluationsPerLayer, budget, findings,
            [&](const LayerProblem &layer, const Mapping &start,
                std::mt19937_64 rng) {
              return Bayesian(layer, options, start, rng);
            });
}
