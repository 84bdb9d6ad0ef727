//===- Batch.h - Several candidates at once ---------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scalar for the cost formulas that holds the values of `Width` candidates
// side by side. Every operation is a loop of fixed length without branches,
// which the compiler turns into vector instructions.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_BATCH_H
#define FADIFF_COSTMODEL_BATCH_H

#include "fadiff/CostModel/Scalar.h"

namespace fadiff {

template <unsigned Width> class Batch {
public:
  static constexpr unsigned kWidth = Width;

  Batch() = default;
  /// The same value in every lane.
  Batch(double value) { lanes.fill(value); }

  double &operator[](unsigned lane) { return lanes[lane]; }
  double operator[](unsigned lane) const { return lanes[lane]; }

  Batch &operator+=(const Batch &o) {
    for (unsigned i = 0; i < Width; ++i)
      lanes[i] += o.lanes[i];
    return *this;
  }
  Batch &operator-=(const Batch &o) {
    for (unsigned i = 0; i < Width; ++i)
      lanes[i] -= o.lanes[i];
    return *this;
  }
  Batch &operator*=(const Batch &o) {
    for (unsigned i = 0; i < Width; ++i)
      lanes[i] *= o.lanes[i];
    return *this;
  }
  Batch &operator/=(const Batch &o) {
    for (unsigned i = 0; i < Width; ++i)
      lanes[i] /= o.lanes[i];
    return *this;
  }
  friend Batch operator+(Batch a, const Batch &b) { return a += b; }
  friend Batch operator-(Batch a, const Batch &b) { return a -= b; }
  friend Batch operator*(Batch a, const Batch &b) { return a *= b; }
  friend Batch operator/(Batch a, const Batch &b) { return a /= b; }

private:
  std::array<double, Width> lanes{};
};

template <unsigned W> struct Plain<Batch<W>> {
  using Type = Batch<W>;
};
template <unsigned W> const Batch<W> &valueOf(const Batch<W> &x) { return x; }
template <unsigned W>
Batch<W> withValue(const Batch<W> & /*slopes*/, const Batch<W> &value) {
  return value;
}

template <unsigned W> void setValue(Batch<W> &x, const Batch<W> &value) {
  x = value;
}
template <unsigned W> void clipTo(Batch<W> &x, double bound) {
  for (unsigned i = 0; i < W; ++i)
    clipTo(x[i], bound);
}

namespace detail {
template <unsigned W, typename F> Batch<W> perLane(const Batch<W> &x, F f) {
  Batch<W> result;
  for (unsigned i = 0; i < W; ++i)
    result[i] = f(x[i]);
  return result;
}
template <unsigned W, typename F>
Batch<W> perLane(const Batch<W> &x, const Batch<W> &y, F f) {
  Batch<W> result;
  for (unsigned i = 0; i < W; ++i)
    result[i] = f(x[i], y[i]);
  return result;
}
} // namespace detail

template <unsigned W> Batch<W> maxOf(const Batch<W> &a, const Batch<W> &b) {
  return detail::perLane(a, b, [](double x, double y) { return maxOf(x, y); });
}
template <unsigned W> Batch<W> minOf(const Batch<W> &a, const Batch<W> &b) {
  return detail::perLane(a, b, [](double x, double y) { return minOf(x, y); });
}
template <unsigned W> Batch<W> absOf(const Batch<W> &x) {
  return detail::perLane(x, [](double v) { return absOf(v); });
}
template <unsigned W> Batch<W> roundUp(const Batch<W> &x) {
  return detail::perLane(x, [](double v) { return roundUp(v); });
}
/// For non-negative numbers below 2^51, in operations that every vector unit
/// has: adding and taking away 2^52 rounds to a whole number.
template <unsigned W> Batch<W> floorOf(const Batch<W> &x) {
  return detail::perLane(x, [](double v) {
    double whole = (v + 0x1p52) - 0x1p52;
    return whole - (whole > v ? 1.0 : 0.0);
  });
}
template <unsigned W> Batch<W> nearest(const Batch<W> &x) {
  return maxOf(floorOf(x + 0.5), Batch<W>(1.0));
}
template <unsigned W> Batch<W> snap(const Batch<W> &x, const Batch<W> &whole) {
  return detail::perLane(x, whole,
                         [](double a, double b) { return snap(a, b); });
}
template <unsigned W>
Batch<W> isGreater(const Batch<W> &x, const Batch<W> &bound) {
  return detail::perLane(x, bound,
                         [](double a, double b) { return a > b ? 1.0 : 0.0; });
}
/// Whether every lane has that value.
template <unsigned W> bool isAlways(const Batch<W> &x, double value) {
  bool all = true;
  for (unsigned i = 0; i < W; ++i)
    all &= x[i] == value;
  return all;
}

} // namespace fadiff

#endif // FADIFF_COSTMODEL_BATCH_H
