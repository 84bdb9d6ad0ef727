//===- FillBorders.h - Padding without filling what is copied ---*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_CODEGEN_FILLBORDERS_H
#define FADIFF_LIB_CODEGEN_FILLBORDERS_H

#include "mlir/Pass/Pass.h"

#include <memory>

namespace fadiff {

/// A `tensor.pad` is bufferized as one value in all of the result and a copy
/// into the middle of it. Of what is filled so and then copied over in part
/// this leaves the rest, the borders, to be filled.
std::unique_ptr<mlir::Pass> createFillBordersPass();

} // namespace fadiff

#endif // FADIFF_LIB_CODEGEN_FILLBORDERS_H
