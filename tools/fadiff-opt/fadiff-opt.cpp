//===- fadiff-opt.cpp - mlir-opt with FADiff in it --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/InitAll.h"
#include "fadiff/Quantize/Passes.h"
#include "fadiff/Runner/HostLowering.h"
#include "fadiff/Support/Files.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "support/Monitor.h"
#include "support/Network.h"
#include "support/Tool.h"

#include "llvm/Support/Process.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

static llvm::cl::OptionCategory category("ONNX models");
static fadiff::ModelOptions modelOptions(category);

static llvm::cl::extrahelp examples(R"(
EXAMPLES:
  fadiff-opt examples/tiny.mlir --fadiff-schedule=target=gemmini-small -o scheduled.mlir
  fadiff-opt examples/tiny.mlir --fadiff-prepare=target=gemmini-small -o prepared.mlir
  fadiff-opt prepared.mlir --fadiff-search --fadiff-report-cost -o mapped.mlir
)");

/// The text of the input; of an ONNX model as bytecode.
static std::unique_ptr<llvm::MemoryBuffer>
readInput(StringRef path, const DialectRegistry &registry) {
  if (!fadiff::isModelFile(path)) {
    auto buffer = fadiff::openInput(path);
    if (buffer)
      return std::move(*buffer);
    llvm::errs() << "error: " << llvm::toString(buffer.takeError()) << '\n';
    return nullptr;
  }
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = fadiff::readNetwork(
      path, std::make_shared<llvm::SourceMgr>(), context, &modelOptions);
  if (!module)
    return nullptr;
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  if (failed(writeBytecodeToFile(*module, os)))
    return nullptr;
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(bytes), path, /*RequiresNullTerminator=*/false);
}

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
  std::unique_ptr<llvm::MemoryBuffer> buffer = readInput(input, registry);
  if (!buffer)
    return failure();
  auto file = fadiff::OutputFile::open(output);
  if (!file)
    return printError(file.takeError());
  LogicalResult result = failure();
  fadiff::orExit(input, [&] {
    result = MlirOptMain(file->os(), std::move(buffer), registry, config);
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
  fadiff::registerQuantizePass(
      [](llvm::StringRef path, const fadiff::TensorSpec &wanted) {
        return fadiff::readTensor(path, wanted);
      });
  const auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "FADiff optimizer driver\n", registry);
  const MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // These read and write no files.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return tool.exitCode(
        succeeded(MlirOptMain(argc, argv, input, output, registry)));
  return tool.exitCode(succeeded(run(input, output, registry, config)));
}
