//===- Hull.h - Lower convex hulls ------------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lower left hull of (energy, cycles): what minimises energy + lambda *
// cycles for some lambda >= 0.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_LAYER_HULL_H
#define FADIFF_LIB_SEARCH_LAYER_HULL_H

#include <cstddef>
#include <vector>

namespace fadiff {

/// PointT has doubles `energy` and `cycles`. Points are kept by rising energy
/// and falling cycles.
template <typename PointT> class LowerHull {
public:
  /// Whether the hull is at or below (energy, cycles): nothing at that point
  /// or above and right of it can be a new vertex.
  bool covers(double energy, double cycles) const {
    size_t right = 0;
    while (right < points.size() && points[right].energy <= energy)
      ++right;
    if (right == 0)
      return false; // less energy than anything so far
    const PointT &left = points[right - 1];
    if (left.cycles <= cycles)
      return true;
    if (right == points.size())
      return false;
    return cross(left, points[right], energy, cycles) >= 0;
  }

  /// False if the point was covered already.
  bool insert(const PointT &point) {
    if (covers(point.energy, point.cycles))
      return false;
    size_t at = 0;
    while (at < points.size() && points[at].energy < point.energy)
      ++at;
    // Dominated points to the right, then those that the new edges leave
    // above them on either side.
    size_t end = at;
    while (end < points.size() && points[end].cycles >= point.cycles)
      ++end;
    while (end + 1 < points.size() &&
           cross(point, points[end + 1], points[end].energy,
                 points[end].cycles) >= 0)
      ++end;
    size_t begin = at;
    while (begin >= 2 &&
           cross(points[begin - 2], point, points[begin - 1].energy,
                 points[begin - 1].cycles) >= 0)
      --begin;
    points.erase(points.begin() + begin, points.begin() + end);
    points.insert(points.begin() + begin, point);
    return true;
  }

  const std::vector<PointT> &vertices() const { return points; }
  bool empty() const { return points.empty(); }

private:
  /// Positive if (energy, cycles) lies above the line from `a` to `b`.
  static double cross(const PointT &a, const PointT &b, double energy,
                      double cycles) {
    return (b.energy - a.energy) * (cycles - a.cycles) -
           (b.cycles - a.cycles) * (energy - a.energy);
  }

  std::vector<PointT> points;
};

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_LAYER_HULL_H
