//===- GaussianProcess.cpp - What is likely between known points ----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/GaussianProcess.h"

#include <algorithm>
#include <cmath>

using namespace fadiff;

void Cholesky::append(const Vector &k, double diagonal) {
  Vector row = solveLower(k);
  double rest = diagonal;
  for (double v : row)
    rest -= v * v;
  row.push_back(std::sqrt(std::max(rest, 1e-10)));
  rows.push_back(std::move(row));
}

Cholesky::Vector Cholesky::solveLower(const Vector &b) const {
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

Cholesky::Vector Cholesky::solveUpper(Vector b) const {
  for (size_t i = rows.size(); i-- > 0;) {
    b[i] /= rows[i][i];
    for (size_t j = 0; j < i; ++j)
      b[j] -= rows[i][j] * b[i];
  }
  return b;
}

double Cholesky::logDeterminantRoot() const {
  double sum = 0;
  for (const Vector &row : rows)
    sum += std::log(row.back());
  return sum;
}

double GaussianProcess::kernel(const Vector &a, const Vector &b) const {
  double square = 0;
  for (size_t i = 0; i < a.size(); ++i)
    square += (a[i] - b[i]) * (a[i] - b[i]);
  double r = std::sqrt(5 * square) / scale;
  return (1 + r + r * r / 3) * std::exp(-r);
}

GaussianProcess::Vector GaussianProcess::covariances(const Vector &point,
                                                     size_t count) const {
  Vector k(count);
  for (size_t i = 0; i < count; ++i)
    k[i] = kernel(point, features[i]);
  return k;
}

void GaussianProcess::build() {
  factor.clear();
  for (size_t i = 0; i < features.size(); ++i)
    factor.append(covariances(features[i], i), 1.0 + kNoise);
}

void GaussianProcess::extend() {
  factor.append(covariances(features.back(), features.size() - 1),
                1.0 + kNoise);
}

void GaussianProcess::keep(llvm::ArrayRef<size_t> points) {
  std::vector<Vector> kept;
  for (size_t i : points)
    kept.push_back(features[i]);
  features = std::move(kept);
}

void GaussianProcess::setTargets(llvm::ArrayRef<double> values) {
  Vector y(values.begin(), values.end());
  double sum = 0, squares = 0;
  for (double v : y)
    sum += v;
  const double mean = sum / double(y.size());
  for (double v : y)
    squares += (v - mean) * (v - mean);
  const double deviation =
      std::max(1e-9, std::sqrt(squares / double(y.size())));
  best = 0;
  for (double &v : y) {
    v = (v - mean) / deviation;
    best = std::min(best, v);
  }
  half = factor.solveLower(y);
  weights = factor.solveUpper(half);
}

void GaussianProcess::fit(llvm::ArrayRef<double> values) {
  if (features.size() * 4 < fitted * 5 && features.size() >= fitted) {
    if (factor.size() != features.size())
      build();
    setTargets(values);
    return;
  }
  fitted = features.size();
  double bestScale = 1, bestLikelihood = 0;
  bool first = true;
  for (double candidate : {0.35, 0.7, 1.4, 2.8, 5.6}) {
    scale = candidate;
    build();
    setTargets(values);
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
  setTargets(values);
}

double GaussianProcess::expectedImprovement(const Vector &point) const {
  Vector k = covariances(point, features.size());
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
