//===- Import.h - Networks and tensors in ONNX's files ----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model in ONNX's format (opsets up to 17) as a module with a function @main
// on tensors: linalg, tensor, arith and math, each operation with the name of
// its node as its location, weights as resources. ONNX's own library parses,
// checks and infers types; what this adds is the meaning of each operator.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_ONNX_IMPORT_H
#define FADIFF_ONNX_IMPORT_H

#include "fadiff/Runner/HostTensor.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <utility>
#include <vector>

namespace fadiff {

/// What a model leaves open and its user knows.
struct OnnxOptions {
  /// Extents of the inputs by their symbolic names, at least 0.
  llvm::StringMap<int64_t> dims;
  /// Inputs of the graph by name, and the file (.pb or .npy) with the value
  /// that each always has. They are no arguments of @main.
  std::vector<std::pair<std::string, std::string>> bindings;
};

/// Reads the model in the file `path`. Its weights may be beside it, in the
/// same directory or below. Fails, naming the file and, where there is one, the
/// node with its operator and opset, if the file is damaged, has more than
/// 2 GiB, is refused by ONNX's checker or shape inference, has weights outside
/// of its directory, extents that are open, or an operator, a version of one or
/// an element type that is not known here.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importOnnx(llvm::StringRef path, mlir::MLIRContext &context,
           const OnnxOptions &options = {});

/// Reads "name=value" into `options.dims`, "name=file" into its bindings.
llvm::Error parseOnnxDim(llvm::StringRef text, OnnxOptions &options);
llvm::Error parseOnnxBinding(llvm::StringRef text, OnnxOptions &options);

/// "Add", "Conv", "com.microsoft.QGemm", ..., sorted.
std::vector<std::string> knownOnnxOperators();

/// The operators of the nodes in a model's graph, each once and sorted, and the
/// names of the graph's inputs that have no initialiser. Only parses.
struct OnnxOutline {
  std::vector<std::string> operators;
  std::vector<std::string> inputs;
};
llvm::Expected<OnnxOutline> outlineOnnx(llvm::StringRef path);

/// The tensor (TensorProto) in the file `path`, which `wanted` must admit.
/// Fails, saying what was wanted and found. Unsigned integers are the signless
/// ones of their size.
llvm::Expected<HostTensor> readOnnxTensor(llvm::StringRef path,
                                          const TensorSpec &wanted);
/// The same of whatever type and shape there is.
llvm::Expected<HostTensor> readOnnxTensor(llvm::StringRef path);

/// Writes `tensor` as a TensorProto called `name`. Fails for an element type
/// that ONNX does not have.
llvm::Error printOnnxTensor(llvm::raw_ostream &os, const HostTensor &tensor,
                            llvm::StringRef name);

} // namespace fadiff

#endif // FADIFF_ONNX_IMPORT_H
