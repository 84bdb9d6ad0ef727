//===- Relaxed.h - Costs of real-valued mappings ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost of a layer whose factors are real and whose loop order is a mixture:
// equal to the exact cost where factors are whole and one order has all the
// weight, and smooth between such points but for the kinks that
// docs/CostModel.md lists.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_RELAXED_H
#define FADIFF_COSTMODEL_RELAXED_H

#include "fadiff/CostModel/CostFunction.h"
#include "llvm/ADT/ArrayRef.h"

namespace fadiff {

/// Calls visit(factorOf, dim) for the factors that a mapping of `layer` is free
/// in, DRAM's being what is left: 21 at most. factorOf(f) is where the factor
/// belongs in f.
template <typename VisitorT>
void forEachFactor(const Layer &layer, VisitorT visit) {
  for (Level level : {Level::Registers, Level::Accumulator, Level::Scratchpad})
    for (Dim dim : kAllDims)
      if (layer.dims[dim] > 1 && (level != Level::Registers || dim == Dim::N ||
                                  dim == Dim::P || dim == Dim::Q))
        visit([=](auto &f) -> auto & { return f.temporal[level][dim]; }, dim);
  Dim columns = layer.isDepthwise() ? Dim::G : Dim::K;
  visit([](auto &f) -> auto & { return f.cols; }, columns);
  if (!layer.isDepthwise())
    visit([](auto &f) -> auto & { return f.rows; }, Dim::C);
}

/// A mapping's factors as real numbers.
RelaxedFactors<double> relaxedFactors(const Mapping &mapping);

/// A loop order with its share; shares need not add up to 1.
template <typename T> struct WeightedOrder {
  PerLevel<LoopOrder> order;
  T weight{1};
};

template <typename T> struct RelaxedCost {
  T energy{0}; ///< pJ
  T cycles{0};
  T dramBytes{0};
};

/// The cost of a nest as it stands; cycles are the roofline's.
template <typename T>
RelaxedCost<T> evaluateRelaxed(const Nest<T> &nest, const Accelerator &target,
                               Convention convention,
                               const FusedEnds<T> &fused = {},
                               Model model = Model::Exact) {
  BasicLayerCost<T> cost =
      countAccesses(nest, convention, target.side, fused, model);
  charge(cost, nest, target, convention, model);
  return {cost.energy, cost.cycles, cost.dramBytes.total()};
}

/// Costs under each order, averaged by weight (eq. 32). `orders` is not empty
/// and its weights are not all zero.
template <typename T>
RelaxedCost<T>
evaluateRelaxed(const Layer &layer, const RelaxedFactors<T> &factors,
                llvm::ArrayRef<WeightedOrder<T>> orders,
                const Accelerator &target, Convention convention,
                const FusedEnds<T> &fused = {}, Model model = Model::Exact) {
  Nest<T> nest = relaxedNest(layer, factors, orders.front().order);
  RelaxedCost<T> result;
  T sum(0.0);
  for (const auto &[order, weight] : orders) {
    nest.order = order;
    RelaxedCost<T> cost =
        evaluateRelaxed(nest, target, convention, fused, model);
    result.energy += cost.energy * weight;
    result.cycles += cost.cycles * weight;
    result.dramBytes += cost.dramBytes * weight;
    sum += weight;
  }
  result.energy /= sum;
  result.cycles /= sum;
  result.dramBytes /= sum;
  return result;
}

/// Costs of real-valued factors with their slopes.
struct RelaxedSlopes {
  LayerCost value;
  FactorSlopes energy, cycles;
};

/// The cost of `layer` at `factors`, each at least 1, under `order`, with its
/// slopes by the logarithm of each free factor; cycles are those of `latency`.
/// Where all factors are whole the value is the exact one.
RelaxedSlopes differentiateRelaxed(
    const Layer &layer, const RelaxedFactors<double> &factors,
    const PerLevel<LoopOrder> &order, const Accelerator &target,
    Convention convention, const FusedEnds<double> &fused = {},
    Model model = Model::Exact, Latency latency = Latency::Roofline);

} // namespace fadiff

#endif // FADIFF_COSTMODEL_RELAXED_H
