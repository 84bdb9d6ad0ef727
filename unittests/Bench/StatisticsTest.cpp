//===- StatisticsTest.cpp - Rank correlations and errors ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Statistics.h"

#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace fadiff;

namespace {

using Values = std::vector<double>;

int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// Tau-b by its definition, over all pairs.
double tauByPairs(const Values &x, const Values &y) {
  double both = 0, xUntied = 0, yUntied = 0;
  for (size_t i = 0; i < x.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      int a = sign(x[i] - x[j]), b = sign(y[i] - y[j]);
      both += a * b;
      xUntied += a != 0;
      yUntied += b != 0;
    }
  return both / std::sqrt(xUntied * yUntied);
}

/// Rank of each value: one more than how many are smaller, and half a rank for
/// each other one that is equal.
Values ranks(const Values &values) {
  Values result;
  for (double v : values) {
    double rank = 0.5;
    for (double other : values)
      rank += other < v ? 1 : other == v ? 0.5 : 0;
    result.push_back(rank);
  }
  return result;
}

double pearson(const Values &x, const Values &y) {
  double n = double(x.size()), mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    mx += x[i] / n;
    my += y[i] / n;
  }
  for (size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xy / std::sqrt(xx * yy);
}

TEST(StatisticsTest, TauAndRhoEqualTheirDefinitions) {
  std::mt19937_64 rng(1);
  unsigned defined = 0;
  for (unsigned trial = 0; trial < 400; ++trial) {
    size_t n = 2 + rng() % 40;
    unsigned kinds = 1 + rng() % 50; // few kinds: many ties
    Values x, y;
    for (size_t i = 0; i < n; ++i) {
      x.push_back(double(rng() % kinds));
      // Half of the trials are correlated.
      y.push_back(double(rng() % kinds) + (trial % 2 ? x.back() : 0));
    }
    double tau = tauByPairs(x, y);
    if (std::isnan(tau)) { // a constant series
      EXPECT_FALSE(kendallTau(x, y));
      EXPECT_FALSE(spearmanRho(x, y));
      continue;
    }
    ++defined;
    ASSERT_TRUE(kendallTau(x, y));
    EXPECT_NEAR(*kendallTau(x, y), tau, 1e-12);
    ASSERT_TRUE(spearmanRho(x, y));
    EXPECT_NEAR(*spearmanRho(x, y), pearson(ranks(x), ranks(y)), 1e-12);
  }
  EXPECT_GE(defined, 300u);
}

TEST(StatisticsTest, KnownValues) {
  // Five of six pairs agree, one is tied in x: by hand 5 / sqrt(5 * 6).
  EXPECT_NEAR(*kendallTau({1, 1, 2, 3}, {1, 2, 3, 4}), 5 / std::sqrt(30.0),
              1e-15);
  EXPECT_EQ(*kendallTau({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
  EXPECT_EQ(*spearmanRho({1, 2, 3, 4}, {4, 3, 2, 1}), -1);
  // 1 - 6 * sum of d^2 / (n (n^2 - 1)) without ties: 1 - 6 * 4 / 60.
  EXPECT_NEAR(*spearmanRho({1, 2, 3, 4}, {2, 1, 4, 3}), 0.6, 1e-15);
  EXPECT_FALSE(kendallTau({1}, {1}));
  EXPECT_FALSE(spearmanRho({}, {}));
}

TEST(StatisticsTest, AgreementIsExactlyOne) {
  Values x, y;
  for (unsigned i = 0; i < 300; ++i) {
    x.push_back(double(i / 3)); // ties of three, in both
    y.push_back(std::exp(double(i / 3) / 10));
  }
  EXPECT_EQ(*kendallTau(x, y), 1);
  EXPECT_EQ(*spearmanRho(x, y), 1);
}

TEST(StatisticsTest, LargeSeriesAreFast) {
  // All pairs of these would take minutes.
  Values x, y;
  for (unsigned i = 0; i < 300000; ++i) {
    x.push_back(double((i * 7919ull) % 300007));
    y.push_back(-x.back());
  }
  EXPECT_EQ(*kendallTau(x, y), -1);
}

TEST(StatisticsTest, RelativeErrors) {
  EXPECT_EQ(relativeError(3, 2), 0.5);
  EXPECT_EQ(relativeError(-1, -2), 0.5);
  EXPECT_EQ(relativeError(0, 0), 0);
  EXPECT_EQ(relativeError(1, 0), std::numeric_limits<double>::infinity());
  EXPECT_EQ(*meanRelativeError({3, 2}, {2, 2}), 0.25);
  EXPECT_EQ(*maxRelativeError({3, 1}, {2, 4}), 0.75);
  EXPECT_FALSE(meanRelativeError({}, {}));
  EXPECT_FALSE(maxRelativeError({}, {}));
}

} // namespace
