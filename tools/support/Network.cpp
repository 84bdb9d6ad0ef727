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

#include <optional>

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

#ifndef FADIFF_ONNX
static llvm::Error noOnnx(llvm::StringRef path) {
  return llvm::createStringError(
      "'" + path +
      "' is of ONNX, which this FADiff was built without (CMake: "
      "FADIFF_ONNX=OFF)");
}
#endif

static llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
readModel(llvm::StringRef path, mlir::MLIRContext &context,
          const ModelOptions *options) {
#ifdef FADIFF_ONNX
  OnnxOptions open;
  if (options) {
    for (const std::string &text : options->dims)
      if (llvm::Error error = parseOnnxDim(text, open))
        return std::move(error);
    for (const std::string &text : options->bindings)
      if (llvm::Error error = parseOnnxBinding(text, open))
        return std::move(error);
  }
  return importOnnx(path, context, open);
#else
  return noOnnx(path);
#endif
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
fadiff::openNetwork(llvm::StringRef path,
                    std::shared_ptr<llvm::SourceMgr> sources,
                    mlir::MLIRContext &context, const ModelOptions *options) {
  if (isModelFile(path)) {
    std::optional<llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>> module;
    orExit(path, [&] { module.emplace(readModel(path, context, options)); });
    return std::move(*module);
  }
  auto file = openInput(path);
  if (!file)
    return file.takeError();
  sources->AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  mlir::OwningOpRef<mlir::ModuleOp> parsed;
  orExit(path, [&] {
    parsed = mlir::parseSourceFile<mlir::ModuleOp>(sources, &context);
  });
  return parsed;
}

mlir::OwningOpRef<mlir::ModuleOp>
fadiff::readNetwork(llvm::StringRef path,
                    std::shared_ptr<llvm::SourceMgr> sources,
                    mlir::MLIRContext &context, const ModelOptions *options) {
  auto module = openNetwork(path, std::move(sources), context, options);
  if (module)
    return std::move(*module);
  llvm::errs() << "error: " << llvm::toString(module.takeError()) << '\n';
  return nullptr;
}

static bool isOnnxTensor(llvm::StringRef path) {
  return path.ends_with_insensitive(".pb");
}

llvm::Expected<HostTensor> fadiff::readTensor(llvm::StringRef path,
                                              const TensorSpec &wanted,
                                              const ImageNumbers &numbers) {
  if (isImageFile(path))
    return readImageTensor(path, wanted, numbers);
  if (!isOnnxTensor(path)) {
    const bool mayBePixels = wanted.element == ElementType::F32 ||
                             wanted.element == ElementType::F64;
    if (mayBePixels && numbers.areGiven()) {
      TensorSpec bytes = wanted;
      bytes.element = ElementType::I8;
      llvm::Expected<HostTensor> pixels = readNpy(path, bytes);
      if (pixels) {
        auto tensor = pixelsToNumbers(*pixels, wanted.element, numbers);
        if (!tensor)
          return llvm::createStringError(
              "'" + path + "': " + llvm::toString(tensor.takeError()));
        return tensor;
      }
      llvm::consumeError(pixels.takeError()); // numbers already, or wrong ones
    }
    return readNpy(path, wanted);
  }
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
