//===- Weights.cpp - What depends on weights alone ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Codegen/Weights.h"
#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Analysis/OnConstants.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

namespace {

/// How a value is made of arguments and constants.
struct Slice {
  llvm::SetVector<Operation *> ops; ///< users behind what they use
  llvm::SetVector<BlockArgument> arguments;
  /// Nothing else goes in, and all of it can be done anywhere.
  bool isClosed = true;
};

Slice sliceOf(Value value, func::FuncOp function) {
  Slice slice;
  Block *block = &function.getBody().front();
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == block)
      slice.arguments.insert(argument);
    else
      slice.isClosed = false;
    return slice;
  }
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) {
    return op->getBlock() == block && isMemoryEffectFree(op) &&
           !isa<LoopNestOp>(op);
  };
  if (failed(getBackwardSlice(value, &slice.ops, options)))
    slice.isClosed = false;
  if (!slice.ops.contains(value.getDefiningOp()))
    slice.isClosed = false;
  for (Operation *op : slice.ops)
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        auto argument = dyn_cast<BlockArgument>(operand);
        if (argument && argument.getOwner() == block)
          slice.arguments.insert(argument);
        // Inside of its regions an operation uses its own.
        else if (Operation *def = operand.getDefiningOp();
                 def && def->getBlock() == block && !slice.ops.contains(def))
          slice.isClosed = false;
      }
    });
  return slice;
}

/// Whether the nest takes `operand` as weights or bias of a stage.
bool isWeights(LoopNestOp nest, OpOperand &operand) {
  Value inside = nest.getBody().getArgument(operand.getOperandNumber());
  return llvm::any_of(inside.getUses(), [&](OpOperand &use) {
    if (auto load = dyn_cast<LoadOp>(use.getOwner()))
      return load.getOperand() == LoadedOperand::weights;
    auto init = dyn_cast<InitOp>(use.getOwner());
    return init && init.getBias() == inside;
  });
}

/// What is made for nests of `function` without its inputs.
struct Work {
  struct Made {
    Value value;
    Slice slice;
  };
  SmallVector<Made> ofConstants, ofArguments;
};

Work findWork(func::FuncOp function) {
  Work work;
  if (!function.getBody().hasOneBlock())
    return work;
  // The rest of the arguments may be weights.
  llvm::SmallPtrSet<Value, 16> inputs;
  SmallVector<Value> weights;
  auto addInputs = [&](Value value) {
    for (BlockArgument argument : sliceOf(value, function).arguments)
      inputs.insert(argument);
  };
  function.walk([&](LoopNestOp nest) {
    for (OpOperand &operand : nest->getOpOperands()) {
      if (nest.isDpsInit(&operand))
        continue;
      if (isWeights(nest, operand))
        weights.push_back(withoutReshapes(operand.get()));
      else
        addInputs(operand.get());
    }
  });
  for (Value result : function.getBody().front().getTerminator()->getOperands())
    addInputs(result);

  llvm::SmallPtrSet<Value, 16> seen;
  for (Value value : weights) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || !type.hasStaticShape() || !seen.insert(value).second)
      continue;
    Slice slice = sliceOf(value, function);
    if (!slice.isClosed || llvm::none_of(slice.ops, touchesElements) ||
        llvm::any_of(slice.arguments, [&](BlockArgument argument) {
          return inputs.contains(argument);
        }))
      continue;
    (slice.arguments.empty() ? work.ofConstants : work.ofArguments)
        .push_back({value, std::move(slice)});
  }
  return work;
}

/// What of constants alone the rest of `function` begins with, be it to add to
/// it or to write over a part. What is only written over is empty or filled.
void addOnConstants(func::FuncOp function, SmallVector<Work::Made> &made) {
  const OnConstants onConstants(function);
  llvm::SmallPtrSet<Value, 16> seen;
  for (const Work::Made &each : made)
    seen.insert(each.value);
  for (Operation &op : function.getBody().front()) {
    if (onConstants.contains(&op))
      continue;
    llvm::SetVector<Value> read(op.operand_begin(), op.operand_end());
    getUsedValuesDefinedAbove(op.getRegions(), read);
    for (Value other : read) {
      Value value = withoutReshapes(other);
      Operation *maker = value.getDefiningOp();
      if (!maker || !onConstants.contains(maker) || !seen.insert(value).second)
        continue;
      if (Slice slice = sliceOf(value, function);
          slice.isClosed && llvm::any_of(slice.ops, touchesElements))
        made.push_back({value, std::move(slice)});
    }
  }
}

/// A public function that makes what is in `made` of `arguments`.
func::FuncOp createMaker(ArrayRef<Work::Made> made,
                         ArrayRef<BlockArgument> arguments, StringRef name,
                         Location loc) {
  OpBuilder builder(loc.getContext());
  SmallVector<Type> types, results;
  for (BlockArgument argument : arguments)
    types.push_back(argument.getType());
  for (const Work::Made &each : made)
    results.push_back(each.value.getType());
  auto maker =
      func::FuncOp::create(loc, name, builder.getFunctionType(types, results));
  Block *body = maker.addEntryBlock();
  builder.setInsertionPointToStart(body);
  IRMapping mapping;
  for (auto [argument, copy] : llvm::zip_equal(arguments, body->getArguments()))
    mapping.map(argument, copy);
  SmallVector<Value> values;
  for (const Work::Made &each : made) {
    for (Operation *op : each.slice.ops)
      if (!mapping.contains(op))
        builder.clone(*op, mapping);
    values.push_back(mapping.lookup(each.value));
  }
  func::ReturnOp::create(builder, loc, values);
  return maker;
}

/// Drops what was only needed for what is made elsewhere now.
void dropUnused(ArrayRef<Work::Made> made) {
  llvm::SetVector<Operation *> ops;
  for (const Work::Made &each : made)
    ops.insert_range(each.slice.ops);
  SmallVector<Operation *> inOrder = ops.takeVector();
  llvm::sort(inOrder,
             [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *op : inOrder)
    if (op->use_empty())
      op->erase();
}

LogicalResult fold(func::FuncOp function, ArrayRef<Work::Made> made) {
  const Location loc = function.getLoc();
  OwningOpRef<ModuleOp> alone(ModuleOp::create(loc));
  constexpr StringLiteral name = "fadiff_constants";
  alone->push_back(createMaker(made, {}, name, loc));
  FailureOr<EntryPoint> entry = findEntryPoint(*alone, name);
  if (failed(entry))
    return failure();
  FailureOr<std::unique_ptr<Program>> program =
      compileReference(*alone, *entry);
  if (failed(program))
    return failure();
  llvm::Expected<std::vector<HostTensor>> values = (*program)->run({});
  if (!values)
    return function.emitError("cannot compute what is made of its constants: ")
           << llvm::toString(values.takeError());
  OpBuilder builder(function.getBody());
  for (auto [each, value] : llvm::zip_equal(made, *values)) {
    auto type = cast<RankedTensorType>(each.value.getType());
    const ArrayRef bytes(reinterpret_cast<const char *>(value.data()),
                         value.spec().sizeInBytes());
    auto elements = type.getElementType().isInteger(1)
                        ? DenseElementsAttr::get(type, SmallVector<bool>(bytes))
                        : DenseElementsAttr::getFromRawBuffer(type, bytes);
    Value(each.value)
        .replaceAllUsesWith(arith::ConstantOp::create(builder, loc, elements));
  }
  dropUnused(made);
  return success();
}

} // namespace

LogicalResult fadiff::foldConstants(ModuleOp module) {
  for (auto function :
       llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (function.isDeclaration())
      continue;
    Work work = findWork(function);
    if (function.getBody().hasOneBlock())
      addOnConstants(function, work.ofConstants);
    // Elements of whole bytes lie in memory as they do in an attribute.
    llvm::erase_if(work.ofConstants, [](const Work::Made &made) {
      Type element = getElementTypeOrSelf(made.value.getType());
      return !element.isIntOrFloat() ||
             (!element.isInteger(1) &&
              element.getIntOrFloatBitWidth() % 8 != 0);
    });
    if (!work.ofConstants.empty() && failed(fold(function, work.ofConstants)))
      return failure();
  }
  return success();
}

LogicalResult fadiff::separateWeights(ModuleOp module,
                                      std::vector<CEntry> &entries) {
  SymbolTable symbols(module);
  std::vector<CEntry> result;
  for (CEntry &entry : entries) {
    auto function = symbols.lookup<func::FuncOp>(entry.interface.name);
    Work work = function ? findWork(function) : Work();
    if (work.ofArguments.empty()) {
      result.push_back(std::move(entry));
      continue;
    }
    const std::string name = entry.interface.name + "_prepare";
    const std::string symbol = entry.symbol + "_prepare";
    if (Operation *other = symbols.lookup(name))
      return function.emitError("cannot have its weights prepared by '@")
                 .append(name)
                 .append("', which there is already; rename that")
                 .attachNote(other->getLoc())
             << "this one";
    llvm::SetVector<BlockArgument> used;
    for (const Work::Made &made : work.ofArguments)
      used.insert_range(made.slice.arguments);
    SmallVector<BlockArgument> arguments = used.takeVector();
    llvm::sort(arguments, [](BlockArgument a, BlockArgument b) {
      return a.getArgNumber() < b.getArgNumber();
    });
    func::FuncOp maker =
        createMaker(work.ofArguments, arguments, name, function.getLoc());
    symbols.insert(maker, std::next(function->getIterator()));
    FailureOr<EntryPoint> interface = findEntryPoint(module, name);
    if (failed(interface))
      return failure();

    for (const Work::Made &made : work.ofArguments) {
      const unsigned position = function.getNumArguments();
      if (failed(function.insertArgument(position, made.value.getType(), {},
                                         made.value.getLoc())))
        return function.emitError("cannot take further arguments");
      Value(made.value).replaceAllUsesWith(function.getArgument(position));
    }
    dropUnused(work.ofArguments);
    CEntry preparing;
    preparing.symbol = symbol;
    preparing.resultName = "prepared";
    for (BlockArgument argument : arguments)
      preparing.argumentNames.push_back(
          ("arg" + Twine(argument.getArgNumber())).str());
    for (size_t i = 0; i < entry.interface.arguments.size(); ++i)
      entry.argumentNames.push_back(("arg" + Twine(i)).str());
    for (auto [i, spec] : llvm::enumerate(interface->results)) {
      entry.interface.arguments.push_back(spec);
      entry.interface.fills.emplace_back();
      entry.argumentNames.push_back(("prepared" + Twine(i)).str());
    }
    entry.preparedBy = symbol;
    preparing.interface = std::move(*interface);
    result.push_back(std::move(entry));
    result.push_back(std::move(preparing));
  }
  entries = std::move(result);
  return success();
}
