//===- Model.h - A model that ONNX itself has checked -----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one place that calls ONNX's library where it throws: what it throws
// becomes an llvm::Error here.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_ONNX_MODEL_H
#define FADIFF_LIB_ONNX_MODEL_H

#include "fadiff/Onnx/Import.h"

#include "Proto.h"

#include "llvm/Support/Error.h"

#include <functional>
#include <optional>
#include <string>

namespace fadiff::frontend {

/// The highest opset whose operators are known here.
inline constexpr int kHighestOpset = 17;

struct Model {
  onnx::ModelProto proto;
  std::string path;
  std::string directory; ///< where its external data are
};

/// Only parsed.
llvm::Expected<Model> parseModel(llvm::StringRef path);

/// Parsed, open extents and bound inputs filled in, external initialisers read,
/// checked, and with the types that ONNX infers.
llvm::Expected<Model> loadModel(llvm::StringRef path,
                                const OnnxOptions &options);

/// The version of the opset for `domain` in which the operator `name` got the
/// meaning that it has in `opset`; nothing if ONNX knows no such operator.
std::optional<int> sinceVersion(const std::string &name,
                                const std::string &domain, int opset);

/// The function that ONNX defines `node` to be, for inputs of these types.
/// Nothing if it is none.
std::optional<onnx::FunctionProto>
functionOf(const onnx::NodeProto &node, int opset,
           const std::vector<onnx::TypeProto> &inputs);

/// The attributes of `node` that have a default, as ONNX's schema has it.
std::vector<onnx::AttributeProto> defaultAttributes(const onnx::NodeProto &node,
                                                    int opset);

} // namespace fadiff::frontend

#endif // FADIFF_LIB_ONNX_MODEL_H
