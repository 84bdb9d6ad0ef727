//===- fadiff-opt.cpp - mlir-opt with FADiff in it --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/InitAll.h"
#include "fadiff/Runner/HostLowering.h"
#include "fadiff/Support/Files.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "support/Monitor.h"
#include "support/Tool.h"

#include "llvm/Support/Process.h"

using namespace mlir;

/// What MlirOptMain() does with files. That one opens its output first, which
/// empties what was there, and removes it when a pass fails.
static LogicalResult run(StringRef input, StringRef output,
                         DialectRegistry &registry,
                         const MlirOptMainConfig &config) {
  auto printError = [](llvm::Error error) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
    return failure();
  };
  if (input == "-" && llvm::sys::Process::StandardInIsUserInput())
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to "
                    "interrupt)\n";
  auto buffer = fadiff::openInput(input);
  if (!buffer)
    return printError(buffer.takeError());
  auto file = fadiff::OutputFile::open(output);
  if (!file)
    return printError(file.takeError());
  LogicalResult result = failure();
  fadiff::orExit(input, [&] {
    result = MlirOptMain(file->os(), std::move(*buffer), registry, config);
  });
  if (failed(result))
    return failure();
  if (llvm::Error error = file->keep())
    return printError(std::move(error));
  return success();
}

int main(int argc, char **argv) {
  fadiff::Tool tool(argc, argv);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerAllPasses();
  fadiff::registerAllDialects(registry);
  fadiff::registerSearchMonitor(registry);
  fadiff::registerAllPasses();
  fadiff::registerRunnerPasses();
  const auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "FADiff optimizer driver\n", registry);
  const MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // These read and write no files.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return tool.exitCode(
        succeeded(MlirOptMain(argc, argv, input, output, registry)));
  return tool.exitCode(succeeded(run(input, output, registry, config)));
}
