//===- fadiff-lsp-server.cpp - FADiff's dialects in an editor -------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's language server with our dialects beside all of upstream's.
//
//===----------------------------------------------------------------------===//

#include "fadiff/InitAll.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "support/Tool.h"
#include "llvm/Support/CommandLine.h"

static llvm::cl::extrahelp examples(R"(
EXAMPLES:
  fadiff-lsp-server --version
An editor starts it; docs/Embedding.md says how to tell one.
)");

int main(int argc, char **argv) {
  fadiff::Tool tool(argc, argv);
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  fadiff::registerAllDialects(registry);
  return tool.exitCode(
      succeeded(mlir::MlirLspServerMain(argc, argv, registry)));
}
