//===- Constants.h - The experiment behind the defaults ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How good a search is as one constant of it changes and the others keep their
// defaults: the gap to the unfused optimum, which enumeration knows.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_CONSTANTS_H
#define FADIFF_BENCH_CONSTANTS_H

#include "fadiff/Search/Search.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace fadiff {

struct ConstantsOptions {
  /// Empty: resnet18, mobilenetv1, vgg16 and gpt3-512; gemmini-large and
  /// gemmini-small.
  std::vector<std::string> networks, machines;
  /// Only these constants, by their names in SearchOptions; empty: all.
  std::vector<std::string> constants;
  unsigned seeds = 2; ///< 0 to seeds - 1, at least 1
  unsigned threads = 1;
};

/// One constant at one value, over all cells and seeds.
struct ConstantsPoint {
  std::string constant;
  double value = 0;
  bool isDefault = false;
  double worstGap = 0, meanGap = 0; ///< 0.01 is 1 %
  double evaluations = 0;           ///< mean of a search
};

/// Varies the constants of the gradient descent alone (no enumeration, no
/// climb), of the climb (no enumeration), and of Dosa and the genetic
/// algorithm, in Timeloop's counts without fusion. Fails on an unknown name.
llvm::Expected<std::vector<ConstantsPoint>>
runConstants(const ConstantsOptions &options);

llvm::json::Object toJson(const std::vector<ConstantsPoint> &points);
/// A table with a row per constant, values with their worst gaps.
std::string toMarkdown(const std::vector<ConstantsPoint> &points);

} // namespace fadiff

#endif // FADIFF_BENCH_CONSTANTS_H
