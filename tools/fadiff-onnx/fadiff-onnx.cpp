//===- fadiff-onnx.cpp - From an ONNX model to MLIR -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the other tools see of an ONNX model, as text or bytecode.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Onnx/Import.h"
#include "fadiff/Support/Files.h"
#include "support/Network.h"
#include "support/Tool.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace fadiff;
namespace cl = llvm::cl;

static cl::OptionCategory category("fadiff-onnx options");
static cl::extrahelp examples(R"(
EXAMPLES:
  fadiff-onnx examples/digits/digits.onnx --dim=batch=1 -o digits.mlir
)");

static cl::opt<std::string> inputFile(cl::Positional, cl::desc("<model.onnx>"),
                                      cl::init(""), cl::cat(category));
static cl::opt<std::string> outputFile("o", cl::value_desc("file"),
                                       cl::desc("Where to (default: standard "
                                                "output)"),
                                       cl::init("-"), cl::cat(category));
static cl::opt<bool> emitBytecode("emit-bytecode",
                                  cl::desc("Write bytecode instead of text"),
                                  cl::init(false), cl::cat(category));
static cl::opt<bool> locations("locations",
                               cl::desc("Write the nodes' names as locations "
                                        "(default true)"),
                               cl::init(true), cl::cat(category));
static cl::opt<bool> listOperators("list-operators",
                                   cl::desc("Print the operators that are "
                                            "known, one per line"),
                                   cl::init(false), cl::cat(category));
static ModelOptions modelOptions(category);

static LogicalResult run() {
  if (listOperators) {
    for (const std::string &name : knownOnnxOperators())
      llvm::outs() << name << '\n';
    return success();
  }
  if (!isModelFile(inputFile)) {
    llvm::errs() << "error: wanted a file that ends in .onnx, found '"
                 << inputFile << "'\n";
    return failure();
  }
  if (llvm::Error error = checkWritable("-o", outputFile)) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
    return failure();
  }
  MLIRContext context;
  OwningOpRef<ModuleOp> module = readNetwork(
      inputFile, std::make_shared<llvm::SourceMgr>(), context, &modelOptions);
  if (!module)
    return failure();
  llvm::Error error =
      writeOutput(outputFile, [&](llvm::raw_ostream &os) -> llvm::Error {
        if (emitBytecode) {
          if (failed(writeBytecodeToFile(*module, os)))
            return llvm::createStringError("it has no form as bytecode");
          return llvm::Error::success();
        }
        OpPrintingFlags flags;
        if (locations)
          flags.enableDebugInfo();
        module->print(os, flags);
        return llvm::Error::success();
      });
  if (!error)
    return success();
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
  return failure();
}

int main(int argc, char **argv) {
  Tool tool(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Reads an ONNX model and writes it as linalg, "
                              "tensor, arith and math.\n");
  return tool.exitCode(succeeded(run()));
}
