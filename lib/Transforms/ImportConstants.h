//===- ImportConstants.h - Weights wherever front ends keep them -*- C++
//-*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_TRANSFORMS_IMPORTCONSTANTS_H
#define FADIFF_LIB_TRANSFORMS_IMPORTCONSTANTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

namespace fadiff {

/// The values of a constant in the form that analyses and folders look into:
/// those of a `dense_resource` whose data are in the file become a
/// DenseElements attribute. Anything else is given back as it is.
mlir::ElementsAttr denseValuesOf(mlir::ElementsAttr values);

/// Makes an `arith.constant` of what is constant: reads of `ml_program.global`s
/// that are not mutable, tensors of constant `memref.global`s, and the values
/// of a `dense_resource`. The globals stay where they are.
void importConstants(mlir::ModuleOp module);

} // namespace fadiff

#endif // FADIFF_LIB_TRANSFORMS_IMPORTCONSTANTS_H
