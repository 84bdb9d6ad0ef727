//===- Batch.cpp - Many mappings of one layer -----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Vectorize.h"

#include "fadiff/CostModel/CostModel.h"
#include "fadiff/CostModel/Group.h"

#include <algorithm>
#include <cassert>

using namespace fadiff;

static constexpr unsigned kLanes = 8;
using Lanes = Batch<kLanes>;

/// `mappings` points to kLanes mappings with the same loop orders.
static inline void evaluateLanes(const Layer &layer,
                                 const Mapping *const *mappings,
                                 const Accelerator &target,
                                 Convention convention, Model model,
                                 LayerEstimate *results) {
  RelaxedFactors<Lanes> factors;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    detail::forEachWholeFactor(
        layer, *mappings[lane],
        [&](auto factorOf, double value) { factorOf(factors)[lane] = value; });
  Nest<Lanes> nest =
      detail::nestOf</*Whole=*/true>(layer, factors, mappings[0]->order);
  BasicLayerCost<Lanes> cost =
      countAccesses(nest, convention, target, FusedEnds<Lanes>(), model);
  charge(cost, nest, target, convention, model);
  Lanes bytes = cost.dramBytes.total();
  for (unsigned lane = 0; lane < kLanes; ++lane)
    results[lane] = {cost.energy[lane], cost.cycles[lane], bytes[lane]};
}

void fadiff::evaluateLayers(const Layer &layer,
                            llvm::ArrayRef<Mapping> mappings,
                            const Accelerator &target, Convention convention,
                            llvm::MutableArrayRef<LayerEstimate> results,
                            Model model) {
  assert(results.size() >= mappings.size() && "one result per mapping");
  static const auto evaluate = Vectorized<evaluateLanes>::choose();
  std::array<const Mapping *, kLanes> lanes;
  std::array<LayerEstimate, kLanes> found;
  for (size_t begin = 0; begin < mappings.size();) {
    size_t end = begin + 1;
    while (end < mappings.size() && end - begin < kLanes &&
           mappings[end].order == mappings[begin].order)
      ++end;
    // Lanes that are left over repeat the first mapping.
    for (size_t i = 0; i < kLanes; ++i)
      lanes[i] = &mappings[begin + i < end ? begin + i : begin];
    evaluate(layer, lanes.data(), target, convention, model, found.data());
    std::copy_n(found.begin(), end - begin, results.begin() + begin);
    begin = end;
  }
}
