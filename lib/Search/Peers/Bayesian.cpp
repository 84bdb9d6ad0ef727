//===- Bayesian.cpp - Bayesian optimisation of one layer ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Gaussian process over the logs of the factors, and expected improvement
// (Snoek, Larochelle, Adams, NeurIPS 2012): Matern 5/2 kernel, one length scale
// chosen by the likelihood, targets the standardised log objective.
//
//===----------------------------------------------------------------------===//

#include "Peers.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace fadiff;

namespace {

using Vector = std::vector<double>;

/// A lower triangle, row by row, that grows by rows.
class Cholesky {
public:
  void clear() { rows.clear(); }
  size_t size() const { return rows.size(); }
  /// Appends the row of a new point: `k` its covariance with the points so far,
  /// `diagonal` with itself.
  void append(const Vector &k, double diagonal) {
    Vector row = solveLower(k);
    double rest = diagonal;
    for (double v : row)
      rest -= v * v;
    row.push_back(std::sqrt(std::max(rest, 1e-10)));
    rows.push_back(std::move(row));
  }
  /// L^-1 b.
  Vector solveLower(const Vector &b) const {
    Vector x(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      double sum = b[i];
      const double *row = rows[i].data();
      for (size_t j = 0; j < i; ++j)
        sum -= row[j] * x[j];
      x[i] = sum / row[i];
    }
    return x;
  }
  /// L^-T b.
  Vector solveUpper(Vector b) const {
    for (size_t i = rows.size(); i-- > 0;) {
      b[i] /= rows[i][i];
      for (size_t j = 0; j < i; ++j)
        b[j] -= rows[i][j] * b[i];
    }
    return b;
  }
  double logDeterminantRoot() const {
    double sum = 0;
    for (const Vector &row : rows)
      sum += std::log(row.back());
    return sum;
  }

private:
  std::vector<Vector> rows;
};

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
    fit(goal);
    for (unsigned i = 0; i < 4 && !budget.exhausted(); ++i) {
      Mapping next = propose(goal);
      observe(next, budget, found);
      factor.append(covariances(features.back(), features.size() - 1),
                    1.0 + kNoise);
      setTargets(goal);
    }
    return 0;
  }

private:
  static constexpr double kNoise = 1e-4;

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
    features.push_back(featuresOf(mapping));
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
    std::vector<Candidate> kept;
    std::vector<Vector> keptFeatures;
    for (size_t i : llvm::ArrayRef(order).take_front(order.size() / 2)) {
      kept.push_back(points[i]);
      keptFeatures.push_back(features[i]);
    }
    points = std::move(kept);
    features = std::move(keptFeatures);
  }

  double kernel(const Vector &a, const Vector &b) const {
    double square = 0;
    for (size_t i = 0; i < a.size(); ++i)
      square += (a[i] - b[i]) * (a[i] - b[i]);
    double r = std::sqrt(5 * square) / scale;
    return (1 + r + r * r / 3) * std::exp(-r);
  }
  /// With the first `count` points.
  Vector covariances(const Vector &f, size_t count) const {
    Vector k(count);
    for (size_t i = 0; i < count; ++i)
      k[i] = kernel(f, features[i]);
    return k;
  }

  void build() {
    factor.clear();
    for (size_t i = 0; i < features.size(); ++i)
      factor.append(covariances(features[i], i), 1.0 + kNoise);
  }

  void setTargets(const Goal &goal) {
    Vector y;
    double sum = 0, squares = 0;
    for (const Candidate &point : points) {
      y.push_back(std::log(goal(point.energy, point.cycles)));
      sum += y.back();
    }
    mean = sum / double(y.size());
    for (double v : y)
      squares += (v - mean) * (v - mean);
    deviation = std::max(1e-9, std::sqrt(squares / double(y.size())));
    best = 0;
    for (double &v : y) {
      v = (v - mean) / deviation;
      best = std::min(best, v);
    }
    half = factor.solveLower(y);
    weights = factor.solveUpper(half);
  }

  void fit(const Goal &goal) {
    // The length scale is looked at again whenever a quarter more is known.
    if (features.size() * 4 < fitted * 5 && features.size() >= fitted) {
      if (factor.size() != features.size())
        build();
      setTargets(goal);
      return;
    }
    fitted = features.size();
    double bestScale = 1, bestLikelihood = 0;
    bool first = true;
    for (double candidate : {0.35, 0.7, 1.4, 2.8, 5.6}) {
      scale = candidate;
      build();
      setTargets(goal);
      double likelihood = -factor.logDeterminantRoot();
      for (double v : half)
        likelihood -= 0.5 * v * v;
      if (first || likelihood > bestLikelihood) {
        bestLikelihood = likelihood;
        bestScale = candidate;
      }
      first = false;
    }
    scale = bestScale;
    build();
    setTargets(goal);
  }

  double expectedImprovement(const Vector &f) const {
    Vector k = covariances(f, features.size());
    double mu = 0;
    for (size_t i = 0; i < k.size(); ++i)
      mu += k[i] * weights[i];
    double variance = 1.0 + kNoise;
    for (double v : factor.solveLower(k))
      variance -= v * v;
    double sigma = std::sqrt(std::max(variance, 1e-12));
    double z = (best - mu) / sigma;
    double density = std::exp(-0.5 * z * z) * 0.3989422804014327;
    double below = 0.5 * std::erfc(-z * 0.7071067811865476);
    return (best - mu) * below + sigma * density;
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
      double improvement = expectedImprovement(featuresOf(m));
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
  std::vector<Vector> features;
  Cholesky factor;
  Vector half, weights;
  double scale = 1, mean = 0, deviation = 1, best = 0;
  size_t fitted = 0;
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
