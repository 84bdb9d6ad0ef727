//===- Network.h - What tools read: networks and tensors --------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TOOLS_SUPPORT_NETWORK_H
#define FADIFF_TOOLS_SUPPORT_NETWORK_H

#include "fadiff/Runner/HostTensor.h"
#include "support/Images.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

#include <memory>
#include <string>

namespace fadiff {

/// The options of a tool that say what an ONNX model leaves open: a static
/// object in the tool's file.
class ModelOptions {
public:
  explicit ModelOptions(
      llvm::cl::OptionCategory &category,
      llvm::cl::SubCommand &sub = llvm::cl::SubCommand::getTopLevel());
  llvm::cl::list<std::string> dims, bindings;
};

/// Whether `path` is read as an ONNX model: it ends in .onnx.
bool isModelFile(llvm::StringRef path);

/// The network in `path`: an ONNX model, else MLIR text or bytecode, whose text
/// is added to `sources`. Where that handles the context's diagnostics, they
/// show it. Null after a diagnostic of MLIR's parser.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
openNetwork(llvm::StringRef path, std::shared_ptr<llvm::SourceMgr> sources,
            mlir::MLIRContext &context, const ModelOptions *options = nullptr);
/// The same, null after an error message on standard error.
mlir::OwningOpRef<mlir::ModuleOp>
readNetwork(llvm::StringRef path, std::shared_ptr<llvm::SourceMgr> sources,
            mlir::MLIRContext &context, const ModelOptions *options = nullptr);

/// The tensor in `path`, which `wanted` admits: ONNX's if it ends in .pb, a
/// picture's if isImageFile(), else NumPy's. `numbers` say what the pixels of a
/// picture are, and, where `wanted` has floats, NumPy's bytes.
llvm::Expected<HostTensor> readTensor(llvm::StringRef path,
                                      const TensorSpec &wanted,
                                      const ImageNumbers &numbers = {});
/// Writes `tensor` in the form that the end of `path` says, as above.
llvm::Error writeTensor(llvm::StringRef path, const HostTensor &tensor);

} // namespace fadiff

#endif // FADIFF_TOOLS_SUPPORT_NETWORK_H
