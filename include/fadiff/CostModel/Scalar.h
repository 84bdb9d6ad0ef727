//===- Scalar.h - Numbers the cost model runs on ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost formulas are templates over their scalar. `double` gives numbers;
// `Dual` also carries derivatives with respect to a fixed number of variables.
// Both offer: valueOf, maxOf, minOf, absOf, logOf, expOf and roundUp.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_SCALAR_H
#define FADIFF_COSTMODEL_SCALAR_H

#include <array>
#include <cmath>
#include <cstddef>

namespace fadiff {

/// A value with its gradient over `Width` variables (forward mode).
template <unsigned Width> class Dual {
public:
  using Gradient = std::array<double, Width>;

  Dual() = default;
  /// A constant.
  Dual(double value) : val(value) {}
  Dual(double value, const Gradient &gradient) : val(value), grad(gradient) {}
  /// Variable number `index` with value `value`.
  static Dual variable(double value, unsigned index) {
    Dual result(value);
    result.grad[index] = 1;
    return result;
  }

  double value() const { return val; }
  const Gradient &gradient() const { return grad; }

  Dual &operator+=(const Dual &o) {
    val += o.val;
    for (unsigned i = 0; i < Width; ++i)
      grad[i] += o.grad[i];
    return *this;
  }
  Dual &operator-=(const Dual &o) {
    val -= o.val;
    for (unsigned i = 0; i < Width; ++i)
      grad[i] -= o.grad[i];
    return *this;
  }
  Dual &operator*=(const Dual &o) {
    for (unsigned i = 0; i < Width; ++i)
      grad[i] = grad[i] * o.val + val * o.grad[i];
    val *= o.val;
    return *this;
  }
  Dual &operator/=(const Dual &o) {
    double inverse = 1 / o.val;
    val *= inverse;
    for (unsigned i = 0; i < Width; ++i)
      grad[i] = (grad[i] - val * o.grad[i]) * inverse;
    return *this;
  }
  friend Dual operator+(Dual a, const Dual &b) { return a += b; }
  friend Dual operator-(Dual a, const Dual &b) { return a -= b; }
  friend Dual operator*(Dual a, const Dual &b) { return a *= b; }
  friend Dual operator/(Dual a, const Dual &b) { return a /= b; }

  /// The same gradient scaled by `factor`, at another value: the chain rule.
  Dual chain(double value, double factor) const {
    Dual result(value);
    for (unsigned i = 0; i < Width; ++i)
      result.grad[i] = grad[i] * factor;
    return result;
  }

private:
  double val = 0;
  Gradient grad{};
};

inline double valueOf(double x) { return x; }
template <unsigned W> double valueOf(const Dual<W> &x) { return x.value(); }

inline double maxOf(double a, double b) { return a < b ? b : a; }
template <unsigned W> Dual<W> maxOf(const Dual<W> &a, const Dual<W> &b) {
  return a.value() < b.value() ? b : a;
}
inline double minOf(double a, double b) { return b < a ? b : a; }
template <unsigned W> Dual<W> minOf(const Dual<W> &a, const Dual<W> &b) {
  return b.value() < a.value() ? b : a;
}
inline double absOf(double x) { return std::fabs(x); }
template <unsigned W> Dual<W> absOf(const Dual<W> &x) {
  return x.value() < 0 ? x.chain(-x.value(), -1) : x;
}
inline double logOf(double x) { return std::log(x); }
template <unsigned W> Dual<W> logOf(const Dual<W> &x) {
  return x.chain(std::log(x.value()), 1 / x.value());
}
inline double expOf(double x) { return std::exp(x); }
template <unsigned W> Dual<W> expOf(const Dual<W> &x) {
  double e = std::exp(x.value());
  return x.chain(e, e);
}

/// ceil(x). Its derivative is that of x (straight through): the number of tiles
/// is a step function of the tile, but what matters is where it is heading.
/// Quotients that are whole but for rounding stay what they are.
inline double roundUp(double x) {
  double nearest = std::nearbyint(x);
  return std::fabs(x - nearest) < 1e-9 * (1 + std::fabs(x)) ? nearest
                                                            : std::ceil(x);
}
template <unsigned W> Dual<W> roundUp(const Dual<W> &x) {
  return x.chain(roundUp(x.value()), 1);
}

} // namespace fadiff

#endif // FADIFF_COSTMODEL_SCALAR_H
