//===- Tensors.h - Tensors of a model as bytes ------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_ONNX_TENSORS_H
#define FADIFF_LIB_ONNX_TENSORS_H

#include "Proto.h"

#include "fadiff/Runner/HostTensor.h"

#include "mlir/IR/BuiltinTypes.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <string>

namespace fadiff::frontend {

/// A dense row-major tensor, little-endian; a bool is one byte.
struct TensorData {
  int32_t type = 0; ///< onnx::TensorProto_DataType
  llvm::SmallVector<int64_t> shape;
  std::string bytes;
};

/// The bytes of `tensor`, which may be moved out of it; external ones from the
/// file in `directory` or below that it names.
llvm::Expected<TensorData> takeTensor(onnx::TensorProto &&tensor,
                                      llvm::StringRef directory);

/// The first element that is not a number; nothing if all are.
std::optional<int64_t> firstNaN(const TensorData &data);

/// The MLIR type of an element, signless; null if there is none.
mlir::Type elementTypeOf(int32_t type, mlir::MLIRContext *context);
bool isUnsigned(int32_t type);
/// "float", "uint8", ... as ONNX calls it.
std::string typeName(int32_t type);

/// How the host holds such elements.
llvm::Expected<ElementType> hostElementOf(int32_t type);

/// "[1, 2, 3]"
std::string listText(llvm::ArrayRef<int64_t> numbers);

/// Product of the extents; nothing if one is negative or it is 2^40 or more.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

/// The file `path` as a TensorProto.
llvm::Expected<TensorData> readTensorFile(llvm::StringRef path);

} // namespace fadiff::frontend

#endif // FADIFF_LIB_ONNX_TENSORS_H
