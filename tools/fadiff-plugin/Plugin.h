//===- Plugin.h - Between the plugin's two modules --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_PLUGIN_PLUGIN_H
#define FADIFF_PLUGIN_PLUGIN_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

extern "C" {
/// Adds FADiff's dialects to `registry`.
void fadiffPluginRegisterDialects(mlir::DialectRegistry *registry);
/// Makes FADiff's passes and pipelines known by name.
void fadiffPluginRegisterPasses();
}

#endif // FADIFF_PLUGIN_PLUGIN_H
