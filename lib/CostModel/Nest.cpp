//===- Nest.cpp - The exact loop nest of a mapping ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/Nest.h"

#include <algorithm>

using namespace fadiff;

Nest<double> fadiff::exactNest(const Layer &layer, const Mapping &mapping) {
  RelaxedFactors<double> factors;
  detail::forEachWholeFactor(layer, mapping, [&](auto factorOf, double value) {
    factorOf(factors) = value;
  });
  return detail::nestOf</*Whole=*/true>(layer, factors, mapping.order);
}
