//===- Access.cpp - Which rows a reader wants -----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Workload/Access.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace fadiff;

// docs/CostModel.md, eq. (spans).
Span AxisAccess::stored(Span outputs) const {
  if (outputs.extent() <= 0)
    return {};
  const Span all = window(outputs);
  Span result;
  result.begin = std::clamp<int64_t>(all.begin, 0, bound);
  result.end = std::clamp(all.end, result.begin, bound);
  return result;
}

int64_t AxisAccess::touched(Span outputs) const {
  const int64_t step = std::max<int64_t>(1, scale);
  // Outputs p with 0 <= p * scale + low < bound.
  const int64_t first = low >= 0 ? 0 : llvm::divideCeilSigned(-low, step);
  const int64_t last = bound <= low ? 0 : (bound - 1 - low) / step + 1;
  return std::max<int64_t>(0, std::min(outputs.end, last) -
                                  std::max(outputs.begin, first));
}
