//===- AreaFit.cpp - The law of a machine's area --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/AreaFit.h"

#include "fadiff/Bench/Dosa.h"
#include "llvm/ADT/STLExtras.h"

#include <array>
#include <cmath>
#include <optional>
#include <set>

using namespace fadiff;

static constexpr size_t kTerms = 4;
using Terms = std::array<double, kTerms>;

/// Solves a symmetric system by elimination; none if it has no single solution.
static std::optional<Terms> solve(std::array<Terms, kTerms> matrix,
                                  Terms right) {
  // Columns differ by orders of magnitude.
  Terms scale;
  for (size_t i = 0; i < kTerms; ++i) {
    if (!(matrix[i][i] > 0))
      return std::nullopt;
    scale[i] = 1 / std::sqrt(matrix[i][i]);
  }
  for (size_t i = 0; i < kTerms; ++i) {
    right[i] *= scale[i];
    for (size_t j = 0; j < kTerms; ++j)
      matrix[i][j] *= scale[i] * scale[j];
  }
  for (size_t i = 0; i < kTerms; ++i) {
    if (!(matrix[i][i] > 1e-10)) // what was 1 is what rows before it say
      return std::nullopt;
    for (size_t k = i + 1; k < kTerms; ++k) {
      const double by = matrix[k][i] / matrix[i][i];
      for (size_t j = i; j < kTerms; ++j)
        matrix[k][j] -= by * matrix[i][j];
      right[k] -= by * right[i];
    }
  }
  Terms solution;
  for (size_t i = kTerms; i-- > 0;) {
    double rest = right[i];
    for (size_t j = i + 1; j < kTerms; ++j)
      rest -= matrix[i][j] * solution[j];
    solution[i] = rest / matrix[i][i];
  }
  for (size_t i = 0; i < kTerms; ++i)
    solution[i] *= scale[i];
  return solution;
}

llvm::Expected<llvm::json::Object> fadiff::fitArea(llvm::StringRef text,
                                                   llvm::StringRef file) {
  llvm::Expected<DosaData> data = readDosa(text, file);
  if (!data)
    return data.takeError();
  // Side, KiB, KiB, mm2.
  std::set<std::array<double, 4>> machines;
  for (const DosaPoint &point : data->points)
    if (point.area > 0)
      machines.insert({double(point.row.target.side),
                       double(point.row.target.accumulatorBytes) / 1024,
                       double(point.row.target.scratchpadBytes) / 1024,
                       point.area});
  auto termsOf = [](const std::array<double, 4> &machine) {
    return Terms{machine[0] * machine[0], machine[1], machine[2], 1};
  };
  std::array<Terms, kTerms> matrix{};
  Terms right{};
  for (const auto &machine : machines) {
    const Terms terms = termsOf(machine);
    for (size_t i = 0; i < kTerms; ++i) {
      right[i] += terms[i] / machine[3];
      for (size_t j = 0; j < kTerms; ++j)
        matrix[i][j] += terms[i] / machine[3] * terms[j] / machine[3];
    }
  }
  const std::optional<Terms> law = solve(matrix, right);
  if (!law)
    return llvm::createStringError(
        file +
        ": wanted machines with an area above 0 (target.area) that "
        "differ in side, accumulator and scratchpad, one by one; found " +
        llvm::Twine(machines.size()) +
        " machines that do not tell the four "
        "coefficients");
  double sum = 0, largest = 0;
  for (const auto &machine : machines) {
    double area = 0;
    for (auto [term, factor] : llvm::zip_equal(termsOf(machine), *law))
      area += term * factor;
    const double error = std::fabs(area / machine[3] - 1);
    sum += error;
    largest = std::max(largest, error);
  }
  return llvm::json::Object{
      {"machines", machines.size()},
      {"mm2_per_side_squared", (*law)[0]},
      {"mm2_per_accumulator_kib", (*law)[1]},
      {"mm2_per_scratchpad_kib", (*law)[2]},
      {"mm2_constant", (*law)[3]},
      {"mean_error", sum / double(machines.size())},
      {"largest_error", largest},
  };
}
