//===- GaussianProcess.h - What is likely between known points --*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A Gaussian process and expected improvement (Snoek, Larochelle, Adams,
// NeurIPS 2012): Matern 5/2 kernel, one length scale chosen by the likelihood,
// targets standardised.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SEARCH_GAUSSIANPROCESS_H
#define FADIFF_SEARCH_GAUSSIANPROCESS_H

#include "llvm/ADT/ArrayRef.h"

#include <cstddef>
#include <vector>

namespace fadiff {

/// A lower triangle, row by row, that grows by rows.
class Cholesky {
public:
  using Vector = std::vector<double>;
  void clear() { rows.clear(); }
  size_t size() const { return rows.size(); }
  /// Appends the row of a new point: `k` its covariance with the points so far,
  /// `diagonal` with itself.
  void append(const Vector &k, double diagonal);
  Vector solveLower(const Vector &b) const; ///< L^-1 b
  Vector solveUpper(Vector b) const;        ///< L^-T b
  double logDeterminantRoot() const;

private:
  std::vector<Vector> rows;
};

class GaussianProcess {
public:
  using Vector = std::vector<double>;

  size_t size() const { return features.size(); }
  /// Adds a point, whose features all are of the order of 1, to those that the
  /// next fit() is about.
  void add(Vector point) { features.push_back(std::move(point)); }
  /// Takes the last point that was added in, with the length scale as it is.
  void extend();
  /// Leaves these points alone, by index.
  void keep(llvm::ArrayRef<size_t> points);
  /// What each point is worth, the less the better.
  void setTargets(llvm::ArrayRef<double> values);
  /// Takes all points in. The length scale is chosen again whenever a quarter
  /// more is known.
  void fit(llvm::ArrayRef<double> values);
  /// How far a point may be below the best one, in standard deviations of the
  /// targets; after fit().
  double expectedImprovement(const Vector &point) const;

private:
  static constexpr double kNoise = 1e-4;

  double kernel(const Vector &a, const Vector &b) const;
  /// With the first `count` points.
  Vector covariances(const Vector &point, size_t count) const;
  void build();

  std::vector<Vector> features;
  Cholesky factor;
  Vector half, weights;
  double scale = 1, best = 0;
  size_t fitted = 0;
};

} // namespace fadiff

#endif // FADIFF_SEARCH_GAUSSIANPROCESS_H
