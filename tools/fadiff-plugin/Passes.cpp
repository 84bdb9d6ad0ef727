//===- Passes.cpp - What the plugin registers -----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plugin.h"

#include "fadiff/InitAll.h"
#include "fadiff/Runner/HostLowering.h"

#include "llvm/Support/Compiler.h"

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT void
fadiffPluginRegisterDialects(mlir::DialectRegistry *registry) {
  fadiff::registerAllDialects(*registry);
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT void fadiffPluginRegisterPasses() {
  fadiff::registerAllPasses();
  fadiff::registerRunnerPasses();
}
