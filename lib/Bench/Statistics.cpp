//===- Statistics.cpp - Agreement of two series ---------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Statistics.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

using namespace fadiff;
using llvm::ArrayRef;

/// Pairs within runs of equal elements of a sorted sequence.
template <typename Equal> static double tiedPairs(size_t size, Equal equal) {
  double pairs = 0;
  for (size_t begin = 0, end; begin < size; begin = end) {
    end = begin + 1;
    while (end < size && equal(begin, end))
      ++end;
    double run = static_cast<double>(end - begin);
    pairs += run * (run - 1) / 2;
  }
  return pairs;
}

/// Sorts values[begin, end) and returns how many pairs were out of order.
static double sortCountingSwaps(std::vector<double> &values,
                                std::vector<double> &scratch, size_t begin,
                                size_t end) {
  if (end - begin < 2)
    return 0;
  size_t middle = begin + (end - begin) / 2;
  double swaps = sortCountingSwaps(values, scratch, begin, middle) +
                 sortCountingSwaps(values, scratch, middle, end);
  size_t left = begin, right = middle;
  for (size_t out = begin; out < end; ++out) {
    if (right == end || (left < middle && values[left] <= values[right])) {
      scratch[out] = values[left++];
    } else {
      swaps += static_cast<double>(middle - left);
      scratch[out] = values[right++];
    }
  }
  std::copy(scratch.begin() + begin, scratch.begin() + end,
            values.begin() + begin);
  return swaps;
}

std::optional<double> fadiff::kendallTau(ArrayRef<double> x,
                                         ArrayRef<double> y) {
  assert(x.size() == y.size() && "series of different length");
  const size_t n = x.size();
  if (n < 2)
    return std::nullopt;
  std::vector<size_t> byX(n);
  std::iota(byX.begin(), byX.end(), 0);
  llvm::sort(byX, [&](size_t a, size_t b) {
    return x[a] != x[b] ? x[a] < x[b] : y[a] < y[b];
  });
  double xTies =
      tiedPairs(n, [&](size_t a, size_t b) { return x[byX[a]] == x[byX[b]]; });
  double bothTies = tiedPairs(n, [&](size_t a, size_t b) {
    return x[byX[a]] == x[byX[b]] && y[byX[a]] == y[byX[b]];
  });
  std::vector<double> ys(n), scratch(n);
  for (size_t i = 0; i < n; ++i)
    ys[i] = y[byX[i]];
  double swaps = sortCountingSwaps(ys, scratch, 0, n);
  double yTies =
      tiedPairs(n, [&](size_t a, size_t b) { return ys[a] == ys[b]; });

  double pairs = static_cast<double>(n) * static_cast<double>(n - 1) / 2;
  double xPairs = pairs - xTies, yPairs = pairs - yTies;
  if (xPairs == 0 || yPairs == 0)
    return std::nullopt;
  double difference = pairs - xTies - yTies + bothTies - 2 * swaps;
  // Without ties on one side only, the quotient is exact: 1 is 1.
  if (xPairs == yPairs)
    return difference / xPairs;
  return difference / std::sqrt(xPairs) / std::sqrt(yPairs);
}

/// Twice the ranks (1 to n), which are whole numbers even for ties.
static std::vector<double> doubledRanks(ArrayRef<double> values) {
  const size_t n = values.size();
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(n);
  for (size_t begin = 0, end; begin < n; begin = end) {
    end = begin + 1;
    while (end < n && values[order[end]] == values[order[begin]])
      ++end;
    for (size_t i = begin; i < end; ++i)
      ranks[order[i]] = static_cast<double>(begin + end + 1);
  }
  return ranks;
}

std::optional<double> fadiff::spearmanRho(ArrayRef<double> x,
                                          ArrayRef<double> y) {
  assert(x.size() == y.size() && "series of different length");
  if (x.size() < 2)
    return std::nullopt;
  std::vector<double> xRanks = doubledRanks(x), yRanks = doubledRanks(y);
  const double mean = static_cast<double>(x.size() + 1);
  double xx = 0, yy = 0, xy = 0;
  for (auto [a, b] : llvm::zip_equal(xRanks, yRanks)) {
    xx += (a - mean) * (a - mean);
    yy += (b - mean) * (b - mean);
    xy += (a - mean) * (b - mean);
  }
  if (xx == 0 || yy == 0)
    return std::nullopt;
  return xx == yy ? xy / xx : xy / std::sqrt(xx) / std::sqrt(yy);
}

double fadiff::relativeError(double predicted, double reference) {
  double error = std::fabs(predicted - reference);
  if (error == 0)
    return 0;
  return reference == 0 ? std::numeric_limits<double>::infinity()
                        : error / std::fabs(reference);
}

std::optional<double> fadiff::meanRelativeError(ArrayRef<double> predicted,
                                                ArrayRef<double> reference) {
  if (reference.empty())
    return std::nullopt;
  double sum = 0;
  for (auto [p, r] : llvm::zip_equal(predicted, reference))
    sum += relativeError(p, r);
  return sum / static_cast<double>(reference.size());
}

std::optional<double> fadiff::maxRelativeError(ArrayRef<double> predicted,
                                               ArrayRef<double> reference) {
  if (reference.empty())
    return std::nullopt;
  double worst = 0;
  for (auto [p, r] : llvm::zip_equal(predicted, reference))
    worst = std::max(worst, relativeError(p, r));
  return worst;
}
