//===- FadiffDialect.cpp - The fadiff dialect and its types ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fadiff::ir;

#include "fadiff/Dialect/Fadiff/IR/FadiffDialect.cpp.inc"
#include "fadiff/Dialect/Fadiff/IR/FadiffEnums.cpp.inc"
#include "fadiff/Dialect/Fadiff/IR/FadiffInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "fadiff/Dialect/Fadiff/IR/FadiffTypes.cpp.inc"

void FadiffDialect::initialize() {
  registerAttributes();
  addTypes<
#define GET_TYPEDEF_LIST
#include "fadiff/Dialect/Fadiff/IR/FadiffTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "fadiff/Dialect/Fadiff/IR/FadiffOps.cpp.inc"
      >();
}

TargetAttr fadiff::ir::lookupTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto target = op->getAttrOfType<TargetAttr>(kTargetAttrName))
      return target;
  return {};
}

FailureOr<fadiff::Accelerator> fadiff::ir::requireTarget(Operation *op) {
  if (TargetAttr target = lookupTarget(op))
    return target.getAccelerator();
  return op->emitError("wanted a module attribute 'fadiff.target'; run "
                       "fadiff-attach-target first");
}

Type DramType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  if (parser.parseLess() ||
      parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(elementType) || parser.parseGreater())
    return {};
  return get(parser.getContext(), shape, elementType);
}

void DramType::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printDimensionList(getShape());
  if (!getShape().empty())
    printer << 'x';
  printer << getElementType() << '>';
}

LogicalResult BufferType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 MemoryLevel level, int64_t rows) {
  if (level != MemoryLevel::scratchpad && level != MemoryLevel::accumulator)
    return emitError() << "a buffer lies in the scratchpad or the accumulator; "
                          "found level "
                       << stringifyMemoryLevel(level);
  if (rows < 1)
    return emitError() << "a buffer has at least one row; found " << rows;
  return success();
}
