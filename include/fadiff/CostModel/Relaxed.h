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

#include "fadiff/CostModel/Counts.h"
#include "llvm/ADT/ArrayRef.h"

namespace fadiff {

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
    BasicLayerCost<T> cost =
        countAccesses(nest, convention, target.side, fused, model);
    charge(cost, nest, target, convention, model);
    result.energy += cost.energy * weight;
    result.cycles += cost.cycles * weight;
    result.dramBytes += cost.dramBytes.total() * weight;
    sum += weight;
  }
  result.energy /= sum;
  result.cycles /= sum;
  result.dramBytes /= sum;
  return result;
}

} // namespace fadiff

#endif // FADIFF_COSTMODEL_RELAXED_H
