//===- Network.cpp - What tools read: networks and tensors ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Network.h"
#include "Tool.h"

#ifdef FADIFF_ONNX
#include "fadiff/Onnx/Import.h"
#endif
#include "fadiff/Runner/Npy.h"
#include "fadiff/Support/Files.h"

#include "mlir/Parser/Parser.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace fadiff;
namespace cl = llvm::cl;

ModelOptions::ModelOptions(cl::OptionCategory &category, cl::SubCommand &sub)
    : dims("dim", cl::value_desc("name=number"),
           cl::desc("An extent that an ONNX model leaves open, by its symbolic "
                    "name or <input>:<axis>"),
           cl::cat(category), cl::sub(sub)),
      bindings("bind", cl::value_desc("input=file"),
               cl::desc("The value (.pb or .npy) that an input of an ONNX "
                        "model always has; it is then no argument"),
               cl::cat(category), cl::sub(sub)) {}

bool fadiff::isModelFile(llvm::StringRef path) {
  return path.ends_with_insensitive(".onnx");
}

static mlir::OwningOpRef<mlir::ModuleOp> fail(llvm::Error error) {
  llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
  return nullptr;
}

#ifndef FADIFF_ONNX
static llvm::Error noOnnx(llvm::StringRef path) {
  return llvm::createStringError(
      "'" + path +
      "' is of ONNX, which this FADiff was built without (CMake: "
      "FADIFF_ONNX=OFF)");
}
#endif

static mlir::OwningOpRef<mlir::ModuleOp>
readModel(llvm::StringRef path, mlir::MLIRContext &context,
          const ModelOptions *options) {
#ifdef FADIFF_ONNX
  OnnxOptions open;
  if (options) {
    for (const std::string &text : options->dims)
      if (llvm::Error error = parseOnnxDim(text, open))
        return fail(std::move(error));
    for (const std::string &text : options->bindings)
      if (llvm::Error error = parseOnnxBinding(text, open))
        return fail(std::move(error));
  }
  auto module = importOnnx(path, context, open);
  if (!module)
    return fail(module.takeError());
  return std::move(*module);
#else
  return fail(noOnnx(path));
#endif
}

mlir::OwningOpRef<mlir::ModuleOp>
fadiff::readNetwork(llvm::StringRef path,
                    std::shared_ptr<llvm::SourceMgr> sources,
                    mlir::MLIRContext &context, const ModelOptions *options) {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (isModelFile(path)) {
    orExit(path, [&] { module = readModel(path, context, options); });
    return module;
  }
  auto file = openInput(path);
  if (!file)
    return fail(file.takeError());
  sources->AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  orExit(path, [&] {
    module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  });
  return module;
}

static bool isOnnxTensor(llvm::StringRef path) {
  return path.ends_with_insensitive(".pb");
}

llvm::Expected<HostTensor> fadiff::readTensor(llvm::StringRef path,
                                              const TensorSpec &wanted) {
  if (!isOnnxTensor(path))
    return readNpy(path, wanted);
#ifdef FADIFF_ONNX
  return readOnnxTensor(path, wanted);
#else
  return noOnnx(path);
#endif
}

llvm::Error fadiff::writeTensor(llvm::StringRef path,
                                const HostTensor &tensor) {
  return writeOutput(path, [&](llvm::raw_ostream &os) -> llvm::Error {
    if (!isOnnxTensor(path)) {
      printNpy(os, tensor);
      return llvm::Error::success();
    }
#ifdef FADIFF_ONNX
    return printOnnxTensor(os, tensor, llvm::sys::path::stem(path));
#else
    return noOnnx(path);
#endif
  });
}
