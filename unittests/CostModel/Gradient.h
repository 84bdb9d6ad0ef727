//===- Gradient.h - Gradients against differences ---------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_UNITTESTS_COSTMODEL_GRADIENT_H
#define FADIFF_UNITTESTS_COSTMODEL_GRADIENT_H

#include "fadiff/CostModel/Scalar.h"

#include "gtest/gtest.h"

#include <map>
#include <string>
#include <vector>

namespace fadiff::test {

/// Compares the gradient of a function of several outputs with central
/// differences of its values, one variable at a time. Where the differences to
/// the left and to the right are not the same there is a kink (or curvature
/// that begins, at the ends of a gate), and no gradient to compare with; those
/// are counted.
class GradientCheck {
public:
  static constexpr unsigned kWidth = 40;

  /// `evaluate` takes a vector of T and returns a vector of T, for T double and
  /// Dual<kWidth>. `kinds` names what each variable is.
  template <typename Evaluate>
  void run(Evaluate evaluate, const std::vector<double> &x,
           const std::vector<std::string> &kinds) {
    using D = Dual<kWidth>;
    std::vector<D> variables;
    for (unsigned i = 0; i < x.size(); ++i)
      variables.push_back(D::variable(x[i], i));
    const std::vector<D> found = evaluate(variables);
    const std::vector<double> here = evaluate(x);
    for (unsigned i = 0; i < x.size(); ++i) {
      const double step = 1e-5 * std::max(1.0, std::fabs(x[i]));
      auto at = [&](double offset) {
        std::vector<double> moved = x;
        moved[i] += offset;
        return evaluate(moved);
      };
      const std::vector<double> less = at(-step), more = at(step);
      const std::vector<double> less2 = at(-step / 2), more2 = at(step / 2);
      for (unsigned o = 0; o < here.size(); ++o) {
        EXPECT_NEAR(found[o].value() / here[o], 1, 1e-12);
        const double left = (here[o] - less[o]) / step;
        const double right = (more[o] - here[o]) / step;
        // Richardson: the error falls with the fourth power of the step.
        const double wide = (more[o] - less[o]) / (2 * step);
        const double narrow = (more2[o] - less2[o]) / step;
        const double central = narrow + (narrow - wide) / 3;
        // What rounding leaves of the difference quotient.
        const double noise = std::fabs(here[o]) * 2e-15 / step;
        const double size = std::max(std::fabs(central), noise * 1e5);
        if (std::fabs(left - right) > 1e-4 * size + noise * 10) {
          ++numKinks;
          continue;
        }
        ++numCompared;
        const double slope = found[o].gradient()[i];
        if (std::fabs(central) > noise * 1e5)
          ++numSlopes[kinds[i]];
        EXPECT_LE(std::fabs(slope - central), 1e-5 * size)
            << kinds[i] << " (variable " << i << ", at " << x[i] << "), output "
            << o << ": gradient " << slope << ", difference " << central;
      }
    }
  }

  unsigned kinks() const { return numKinks; }
  unsigned compared() const { return numCompared; }
  /// Comparisons of variables of that kind with a slope well above rounding.
  unsigned slopes(const std::string &kind) const {
    auto found = numSlopes.find(kind);
    return found == numSlopes.end() ? 0 : found->second;
  }

private:
  unsigned numKinks = 0, numCompared = 0;
  std::map<std::string, unsigned> numSlopes;
};

} // namespace fadiff::test

#endif // FADIFF_UNITTESTS_COSTMODEL_GRADIENT_H
