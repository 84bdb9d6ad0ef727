//===- GemminiLatency.cpp - Cycles on the real machine --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/GemminiLatency.h"

using namespace fadiff;

GemminiLatency<double> fadiff::gemminiLatency(const Layer &layer,
                                              const Mapping &mapping,
                                              const Accelerator &target,
                                              bool doubleBuffered) {
  return gemminiLatency(tiledLayer(exactNest(layer, mapping), doubleBuffered),
                        target);
}
