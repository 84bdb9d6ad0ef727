//===- Options.h - How a network is quantised -------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_QUANTIZE_OPTIONS_H
#define FADIFF_QUANTIZE_OPTIONS_H

#include "fadiff/Quantize/Ranges.h"
#include "fadiff/Support/NamedOption.h"

namespace fadiff {

/// How weights become integers.
enum class Rounding : uint8_t {
  Nearest, ///< each to the nearest
  Descent, ///< up or down, for the least error of the layer's sums
};
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Rounding) {
  static constexpr llvm::StringLiteral names[] = {"nearest", "descent"};
  return names;
}

} // namespace fadiff

FADIFF_NAMED_OPTION(fadiff::Rounding)

#endif // FADIFF_QUANTIZE_OPTIONS_H
