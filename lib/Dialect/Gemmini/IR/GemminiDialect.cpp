//===- GemminiDialect.cpp - Types, attributes, target -----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"
#include "fadiff/ISA/Gemmini.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fadiff::gemmini;

#include "fadiff/Dialect/Gemmini/IR/GemminiDialect.cpp.inc"
#include "fadiff/Dialect/Gemmini/IR/GemminiEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "fadiff/Dialect/Gemmini/IR/GemminiAttrs.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "fadiff/Dialect/Gemmini/IR/GemminiTypes.cpp.inc"

void GemminiDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "fadiff/Dialect/Gemmini/IR/GemminiAttrs.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "fadiff/Dialect/Gemmini/IR/GemminiTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fadiff/Dialect/Gemmini/IR/GemminiOps.cpp.inc"
      >();
}

LogicalResult PoolAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t size, int64_t stride, int64_t padTop,
                               int64_t padLeft, int64_t rows, int64_t cols,
                               int64_t outRows, int64_t outCols,
                               int64_t outDim) {
  struct Entry {
    StringRef name;
    int64_t value, least;
    const fadiff::isa::Field &field;
  };
  const Entry entries[] = {
      {"size", size, 1, fadiff::isa::config_st::kPoolSize},
      {"stride", stride, 1, fadiff::isa::config_st::kPoolStride},
      {"pad_top", padTop, 0, fadiff::isa::config_st::kPadTop},
      {"pad_left", padLeft, 0, fadiff::isa::config_st::kPadLeft},
      {"rows", rows, 1, fadiff::isa::config_st::kRows},
      {"cols", cols, 1, fadiff::isa::config_st::kCols},
      {"out_rows", outRows, 1, fadiff::isa::config_st::kPoolRows},
      {"out_cols", outCols, 1, fadiff::isa::config_st::kPoolCols},
      {"out_dim", outDim, 1, fadiff::isa::config_st::kPoolOutDim}};
  for (const Entry &entry : entries)
    if (entry.value < entry.least ||
        entry.value > static_cast<int64_t>(entry.field.max()))
      return emitError() << "pool " << entry.name << " must be " << entry.least
                         << " to " << entry.field.max() << ", found "
                         << entry.value;

  struct Axis {
    StringRef pad, out, in;
    int64_t padding, outExtent, extent;
  };
  const Axis axes[] = {
      {"pad_top", "out_rows", "rows", padTop, outRows, rows},
      {"pad_left", "out_cols", "cols", padLeft, outCols, cols}};
  for (const Axis &axis : axes) {
    // A window of nothing but padding would be all zeros.
    if (axis.padding >= size)
      return emitError() << "pool " << axis.pad
                         << " must be less than the window size " << size
                         << ", found " << axis.padding;
    int64_t lastStart = (axis.outExtent - 1) * stride - axis.padding;
    if (lastStart >= axis.extent)
      return emitError() << "the last pool window of " << axis.out << " = "
                         << axis.outExtent << " must start before " << axis.in
                         << " = " << axis.extent << ", found start "
                         << lastStart;
  }
  if (outDim < outCols)
    return emitError() << "pool out_dim must be at least out_cols = " << outCols
                       << ", found " << outDim;
  return success();
}
