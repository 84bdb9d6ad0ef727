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
#include "fadiff/CostModel/Group.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cmath>

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

template <typename T> struct RelaxedCost {
  T energy{0}; ///< pJ
  T cycles{0};
  T dramBytes{0};
};

/// The cost of a nest as it stands; cycles are the roofline's, with or without
/// issue.
template <typename T>
RelaxedCost<T> evaluateRelaxed(const Nest<T> &nest, const Accelerator &target,
                               Convention convention,
                               const FusedEnds<T> &fused = {},
                               Model model = Model::Exact,
                               Latency latency = Latency::Roofline) {
  BasicLayerCost<T> cost =
      countAccesses(nest, convention, target, fused, model);
  charge(cost, nest, target, convention, model, latency);
  return {cost.energy, cost.cycles, cost.dramBytes.total()};
}

/// Costs under several loop orders, averaged by weight (eq. (mixed-orders)).
/// There is a weight for each cost, and not all are zero; they need not add up
/// to 1. WeightT is T, or double for weights that the gradient leaves aside.
template <typename T, typename WeightT>
RelaxedCost<T> mixOrders(llvm::ArrayRef<RelaxedCost<T>> costs,
                         llvm::ArrayRef<WeightT> weights) {
  RelaxedCost<T> result;
  WeightT sum(0.0);
  for (size_t i = 0; i < costs.size(); ++i) {
    result.energy += costs[i].energy * weights[i];
    result.cycles += costs[i].cycles * weights[i];
    result.dramBytes += costs[i].dramBytes * weights[i];
    sum += weights[i];
  }
  result.energy /= sum;
  result.cycles /= sum;
  result.dramBytes /= sum;
  return result;
}

/// Weights of a soft minimum over log(energy * cycles), the least having 1: of
/// costs f times as large, f^(-1 / temperature).
template <typename T>
llvm::SmallVector<double> softMinimum(llvm::ArrayRef<RelaxedCost<T>> costs,
                                      double temperature) {
  llvm::SmallVector<double> weights;
  for (const RelaxedCost<T> &cost : costs)
    weights.push_back(std::log(valueOf(cost.energy)) +
                      std::log(valueOf(cost.cycles)));
  const double least = *std::min_element(weights.begin(), weights.end());
  for (double &weight : weights)
    weight = std::exp((least - weight) / temperature);
  return weights;
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
