//===- InitAll.h - Registers every dialect and pass -------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_INITALL_H
#define FADIFF_INITALL_H

#include "fadiff/Conversion/Passes.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h"
#include "fadiff/Pipelines/Pipelines.h"
#include "fadiff/Transforms/BufferizableOpInterfaceImpl.h"
#include "fadiff/Transforms/Passes.h"

#include "mlir/IR/DialectRegistry.h"

namespace fadiff {

/// Adds FADiff's dialects and their interfaces to `registry`.
inline void registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<gemmini::GemminiDialect, ir::FadiffDialect>();
  registerBufferizableOpInterfaceExternalModels(registry);
  registerConvertGemminiToLLVMInterface(registry);
}

/// Makes FADiff's passes known by name.
inline void registerAllPasses() {
  registerFADiffConversionPasses();
  gemmini::registerFADiffGemminiPasses();
  registerFADiffTransformsPasses();
  registerPipelines();
}

} // namespace fadiff

#endif // FADIFF_INITALL_H
