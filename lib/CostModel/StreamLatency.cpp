//===- StreamLatency.cpp - Cycles of the emitted streams
//-------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/StreamLatency.h"

using namespace fadiff;

PhaseCycles<double> fadiff::streamLatency(const Layer &layer,
                                          const Mapping &mapping,
                                          const Accelerator &target) {
  const Nest<double> nest = exactNest(layer, mapping);
  return streamLatency(streamedLayer(nest), target);
}
