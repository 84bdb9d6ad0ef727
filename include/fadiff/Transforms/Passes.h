//===- Passes.h - The passes of --fadiff-schedule ---------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TRANSFORMS_PASSES_H
#define FADIFF_TRANSFORMS_PASSES_H

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Transforms/Options.h"
#include "mlir/Pass/Pass.h"

namespace fadiff {

#define GEN_PASS_DECL
#include "fadiff/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "fadiff/Transforms/Passes.h.inc"

} // namespace fadiff

#endif // FADIFF_TRANSFORMS_PASSES_H
