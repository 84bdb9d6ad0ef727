//===- Relaxed.cpp - Slopes of real-valued mappings -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/Relaxed.h"

#include "Vectorize.h"

#include "fadiff/CostModel/StreamLatency.h"

#include <cassert>

using namespace fadiff;

namespace {
/// A point to differentiate at, and what is counted there.
struct Point {
  const Layer &layer;
  const RelaxedFactors<double> &factors;
  const PerLevel<LoopOrder> &order;
  const Accelerator &target;
  Convention convention;
  const FusedEnds<double> &fused;
  Model model;
  Latency latency;
};
} // namespace

/// Apart, since it is as large as all other formulas together.
template <typename T>
[[gnu::noinline]] static T cyclesOfStreams(const Nest<T> &nest,
                                           const Accelerator &target) {
  return streamLatency(streamedLayer(nest), target).cycles;
}

/// With room for `Width` factors.
template <unsigned Width>
static inline void differentiate(const Point &point, RelaxedSlopes &slopes) {
  using D = Dual<Width>;
  RelaxedFactors<D> factors;
  // Only pixels are free here; for others no legal mapping has a factor.
  for (Dim dim : kAllDims)
    if (double fixed = point.factors.temporal[Level::Registers][dim]; fixed > 1)
      factors.temporal[Level::Registers][dim] = D(fixed);
  unsigned count = 0;
  forEachFactor(point.layer, [&](auto factorOf, Dim) {
    const double factor = factorOf(point.factors);
    typename D::Gradient byLog{};
    byLog[count++] = factor;
    factorOf(factors) = D(factor, byLog);
  });
  Nest<D> nest = relaxedNest(point.layer, factors, point.order);
  FusedEnds<D> ends{D(point.fused.input), D(point.fused.output)};
  BasicLayerCost<D> cost =
      countAccesses(nest, point.convention, point.target, ends, point.model);
  charge(cost, nest, point.target, point.convention, point.model,
         point.latency);
  if (point.latency == Latency::Streams)
    setCycles(cost, maxOf(cost.cycles, cyclesOfStreams(nest, point.target)),
              point.target);
  slopes.value = valuesOf(cost);
  count = 0;
  forEachFactor(point.layer, [&](auto factorOf, Dim) {
    factorOf(slopes.energy) = cost.energy.gradient()[count];
    factorOf(slopes.cycles) = cost.cycles.gradient()[count];
    ++count;
  });
}

RelaxedFactors<double> fadiff::relaxedFactors(const Mapping &mapping) {
  RelaxedFactors<double> factors;
  for (Level level : kAllLevels)
    for (Dim dim : kAllDims)
      factors.temporal[level][dim] = double(mapping.temporal[level][dim]);
  factors.rows = double(mapping.rows);
  factors.cols = double(mapping.cols);
  return factors;
}

RelaxedSlopes fadiff::differentiateRelaxed(
    const Layer &layer, const RelaxedFactors<double> &factors,
    const PerLevel<LoopOrder> &order, const Accelerator &target,
    Convention convention, const FusedEnds<double> &fused, Model model,
    Latency latency) {
  // Whole vectors, and few kinds of them: a 3 x 3 convolution of one image has
  // 16 factors, a pointwise one 12.
  static const auto few = Vectorized<differentiate<8>>::choose();
  static const auto some = Vectorized<differentiate<16>>::choose();
  static const auto many = Vectorized<differentiate<24>>::choose();
  unsigned count = 0;
  forEachFactor(layer, [&](auto, Dim) { ++count; });
  assert(count <= 24 && "more factors than dims and levels");
  RelaxedSlopes slopes;
  (count <= 8    ? few
   : count <= 16 ? some
                 : many)(
      {layer, factors, order, target, convention, fused, model, latency},
      slopes);
  return slopes;
}
