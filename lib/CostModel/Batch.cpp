//===- Batch.cpp - Many mappings of one layer -----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/CostModel.h"

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
      countAccesses(nest, convention, target.side, FusedEnds<Lanes>(), model);
  charge(cost, nest, target, convention, model);
  Lanes bytes = cost.dramBytes.total();
  for (unsigned lane = 0; lane < kLanes; ++lane)
    results[lane] = {cost.energy[lane], cost.cycles[lane], bytes[lane]};
}

using EvaluateLanes = void (*)(const Layer &, const Mapping *const *,
                               const Accelerator &, Convention, Model,
                               LayerEstimate *);

// The formulas are inlined into one function for each set of vector
// instructions; at run time the host's best is taken.
#if defined(__x86_64__) && defined(__clang__)
#define FADIFF_VECTOR_VARIANT(NAME, ARCH)                                      \
  __attribute__((target("arch=" ARCH), flatten)) static void NAME(             \
      const Layer &layer, const Mapping *const *mappings,                      \
      const Accelerator &target, Convention convention, Model model,           \
      LayerEstimate *results) {                                                \
    evaluateLanes(layer, mappings, target, convention, model, results);        \
  }
FADIFF_VECTOR_VARIANT(evaluateAvx2, "x86-64-v3")
FADIFF_VECTOR_VARIANT(evaluateAvx512, "x86-64-v4")
static EvaluateLanes chooseVariant() {
  if (__builtin_cpu_supports("x86-64-v4"))
    return evaluateAvx512;
  if (__builtin_cpu_supports("x86-64-v3"))
    return evaluateAvx2;
  return evaluateLanes;
}
#else
static EvaluateLanes chooseVariant() { return evaluateLanes; }
#endif

void fadiff::evaluateLayers(const Layer &layer,
                            llvm::ArrayRef<Mapping> mappings,
                            const Accelerator &target, Convention convention,
                            llvm::MutableArrayRef<LayerEstimate> results,
                            Model model) {
  assert(results.size() >= mappings.size() && "one result per mapping");
  static const EvaluateLanes evaluate = chooseVariant();
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
