//===- Scalar.h - Numbers the cost model runs on ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost formulas are templates over their scalar. `double` gives numbers;
// `Dual` also carries derivatives with respect to a fixed number of variables;
// `Batch` (Batch.h) holds the numbers of several candidates. All offer:
// valueOf, withValue, maxOf, minOf, absOf, roundUp and gateOf. Decisions
// (rounding, which loops run) are taken on the plain value, of type
// Plain<T>::Type.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_SCALAR_H
#define FADIFF_COSTMODEL_SCALAR_H

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace fadiff {

/// A value with its gradient over `Width` variables (forward mode). Values are
/// to the last bit those of the same operations on doubles.
template <unsigned Width> class Dual {
public:
  using Gradient = std::array<double, Width>;

  Dual() : grad{} {}
  /// A constant.
  Dual(double value) : grad{}, val(value) {}
  Dual(double value, const Gradient &gradient) : grad(gradient), val(value) {}
  /// Variable number `index` with value `value`.
  static Dual variable(double value, unsigned index) {
    Dual result(value);
    result.grad[index] = 1;
    return result;
  }

  double value() const { return val; }
  void setValue(double value) { val = value; }
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
    const double left = val, right = o.val; // which grad cannot overwrite
    for (unsigned i = 0; i < Width; ++i)
      grad[i] = grad[i] * right + left * o.grad[i];
    val = left * right;
    return *this;
  }
  Dual &operator/=(const Dual &o) {
    const double inverse = 1 / o.val, value = val / o.val;
    for (unsigned i = 0; i < Width; ++i)
      grad[i] = (grad[i] - value * o.grad[i]) * inverse;
    val = value;
    return *this;
  }
  Dual &operator+=(double o) {
    val += o;
    return *this;
  }
  Dual &operator-=(double o) {
    val -= o;
    return *this;
  }
  Dual &operator*=(double o) {
    val *= o;
    for (unsigned i = 0; i < Width; ++i)
      grad[i] *= o;
    return *this;
  }
  Dual &operator/=(double o) {
    const double inverse = 1 / o;
    for (unsigned i = 0; i < Width; ++i)
      grad[i] *= inverse;
    val /= o;
    return *this;
  }

  // Written out rather than by the operators above: no copies of gradients.
  friend Dual operator+(const Dual &a, const Dual &b) {
    return make(a.val + b.val,
                [&](unsigned i) { return a.grad[i] + b.grad[i]; });
  }
  friend Dual operator-(const Dual &a, const Dual &b) {
    return make(a.val - b.val,
                [&](unsigned i) { return a.grad[i] - b.grad[i]; });
  }
  friend Dual operator*(const Dual &a, const Dual &b) {
    const double left = a.val, right = b.val;
    return make(left * right, [&](unsigned i) {
      return a.grad[i] * right + left * b.grad[i];
    });
  }
  friend Dual operator/(const Dual &a, const Dual &b) {
    const double inverse = 1 / b.val, value = a.val / b.val;
    return make(value, [&](unsigned i) {
      return (a.grad[i] - value * b.grad[i]) * inverse;
    });
  }
  friend Dual operator+(const Dual &a, double b) {
    return Dual(a.val + b, a.grad);
  }
  friend Dual operator+(double a, const Dual &b) { return b + a; }
  friend Dual operator-(const Dual &a, double b) {
    return Dual(a.val - b, a.grad);
  }
  friend Dual operator-(double a, const Dual &b) {
    return make(a - b.val, [&](unsigned i) { return -b.grad[i]; });
  }
  friend Dual operator*(const Dual &a, double b) {
    return make(a.val * b, [&](unsigned i) { return a.grad[i] * b; });
  }
  friend Dual operator*(double a, const Dual &b) { return b * a; }
  friend Dual operator/(const Dual &a, double b) {
    const double inverse = 1 / b;
    return make(a.val / b, [&](unsigned i) { return a.grad[i] * inverse; });
  }
  friend Dual operator/(double a, const Dual &b) {
    const double value = a / b.val, slope = -value / b.val;
    return make(value, [&](unsigned i) { return slope * b.grad[i]; });
  }

  /// The same gradient scaled by `factor`, at another value: the chain rule.
  Dual chain(double value, double factor) const {
    return make(value, [&](unsigned i) { return grad[i] * factor; });
  }

private:
  struct Uninitialized {};
  explicit Dual(Uninitialized) {}
  template <typename SlopeT> static Dual make(double value, SlopeT slope) {
    Dual result{Uninitialized()};
    result.val = value;
    for (unsigned i = 0; i < Width; ++i)
      result.grad[i] = slope(i);
    return result;
  }

  // In this order: a copy's vector loads then do not wait for a value that has
  // just been stored.
  Gradient grad;
  double val = 0;
};

inline double valueOf(double x) { return x; }
template <unsigned W> double valueOf(const Dual<W> &x) { return x.value(); }

/// A scalar without its derivatives.
template <typename T> struct Plain {
  using Type = double;
};
template <typename T> using PlainOf = typename Plain<T>::Type;

/// `value` with the derivatives of `slopes`.
inline double withValue(double /*slopes*/, double value) { return value; }
template <unsigned W> Dual<W> withValue(const Dual<W> &slopes, double value) {
  return Dual<W>(value, slopes.gradient());
}

/// Gives `x` another value and leaves its derivatives.
inline void setValue(double &x, double value) { x = value; }
template <unsigned W> void setValue(Dual<W> &x, double value) {
  x.setValue(value);
}

/// x = min(x, bound), in place.
inline void clipTo(double &x, double bound) { x = bound < x ? bound : x; }
template <unsigned W> void clipTo(Dual<W> &x, double bound) {
  if (bound < x.value())
    x = Dual<W>(bound);
}

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

/// Rounding of non-negative numbers, without a library call. What is too large
/// to have a fraction, and NaN, stays what it is.
inline double floorOf(double x) {
  return x < 0x1p62 ? static_cast<double>(static_cast<int64_t>(x)) : x;
}
/// The nearest whole tile, which is never none: a relaxed one may be below 1,
/// until the search's penalty has pulled it back. 1 also for NaN.
inline double nearest(double x) { return x >= 1.5 ? floorOf(x + 0.5) : 1.0; }

/// `whole` if x is that but for rounding errors, else x.
inline double snap(double x, double whole) {
  return std::fabs(x - whole) < 1e-9 * (1 + whole) ? whole : x;
}

/// For whole numbers below 2^52, where the quotient cannot round up to the next
/// whole number. `b` is positive.
template <typename V> V floorDiv(const V &a, const V &b) {
  return floorOf(a / b);
}
template <typename V> V ceilDiv(const V &a, const V &b) {
  return floorOf((a + (b - 1.0)) / b);
}

/// 1 where x > bound, else 0.
inline double isGreater(double x, double bound) { return x > bound ? 1 : 0; }
/// Whether the value is that one, in every lane if there are several.
inline bool isAlways(double x, double value) { return x == value; }
template <unsigned W> bool isAlways(const Dual<W> &x, double value) {
  return x.value() == value;
}

/// Whether a loop of `trips` runs at all, made smooth: 0 up to 1 trip, 1 from 2
/// trips on, in between 3 x^2 - 2 x^3 of what is above 1. Exact and without
/// slope at whole numbers.
template <typename T> T gateOf(const T &trips) {
  if constexpr (std::is_same_v<PlainOf<T>, double>) {
    if (valueOf(trips) >= 2)
      return T(1.0);
    if (valueOf(trips) <= 1)
      return T(0.0);
  }
  T x = minOf(maxOf(trips - 1.0, T(0.0)), T(1.0));
  return x * x * (3.0 - x * 2.0);
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
