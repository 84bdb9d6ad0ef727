//===- Entry.cpp - The function of a module that is run -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/Entry.h"
#include "fadiff/Analysis/EntryFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fadiff;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::optional<ElementType> hostElementType(Type type) {
  if (type.isIndex())
    return ElementType::Index;
  if (isa<Float4E2M1FNType>(type))
    return ElementType::F4E2M1FN;
  if (isa<Float8E8M0FNUType>(type))
    return ElementType::F8E8M0FNU;
  if (type.isF16())
    return ElementType::F16;
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF32())
    return ElementType::F32;
  if (type.isF64())
    return ElementType::F64;
  // Unsigned ones are imported as the bits that they are.
  if (!type.isInteger())
    return std::nullopt;
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return ElementType::I1;
  case 4:
    return ElementType::I4;
  case 8:
    return ElementType::I8;
  case 16:
    return ElementType::I16;
  case 32:
    return ElementType::I32;
  case 64:
    return ElementType::I64;
  default:
    return std::nullopt;
  }
}

/// Whether a dense row-major buffer has this layout, perhaps only with what is
/// open in it.
static bool admitsDense(MemRefType type) {
  if (type.getLayout().isIdentity())
    return true;
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      (offset != 0 && ShapedType::isStatic(offset)))
    return false;
  std::optional<int64_t> dense = 1;
  for (int64_t dim = type.getRank(); dim-- > 0;) {
    if (ShapedType::isStatic(strides[dim]) && strides[dim] != dense)
      return false;
    const int64_t extent = type.getDimSize(dim);
    if (dense && ShapedType::isStatic(extent))
      *dense *= extent;
    else
      dense.reset();
  }
  return true;
}

/// `what` is "argument #0" and the like.
static FailureOr<TensorSpec>
hostTensorSpec(Type type, Location loc, const Twine &what, StringRef function) {
  auto error = [&]() {
    return emitError(loc) << what.str() << " of '@" << function << "' ";
  };
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() ||
      !isa<RankedTensorType, MemRefType>(type)) {
    error() << "must be a ranked tensor, a ranked memref or a number to be run "
               "on the host; found "
            << type
            << (isa<TensorType, BaseMemRefType>(type)
                    ? "; give it a rank"
                    : "; pass what it is made of apart");
    return failure();
  }
  if (auto tensor = dyn_cast<RankedTensorType>(type);
      tensor && tensor.getEncoding())
    return error() << "must be a dense tensor without an encoding to be run on "
                      "the host; found "
                   << type;
  if (auto memref = dyn_cast<MemRefType>(type); memref && !admitsDense(memref))
    return error() << "must be a row-major memref, dense or a part of one, "
                      "from offset 0, to be run on the host; found "
                   << type << "; pass the whole and take a memref.subview";
  std::optional<ElementType> element = hostElementType(shaped.getElementType());
  if (!element) {
    InFlightDiagnostic diag = error() << "must have element type ";
    llvm::interleaveComma(ArrayRef(kElementTypes), diag, [&](ElementType each) {
      diag << elementTypeName(each);
    });
    return diag << " to be run on the host; found " << type;
  }
  TensorSpec spec;
  spec.element = *element;
  for (int64_t extent : shaped.getShape())
    spec.shape.push_back(ShapedType::isDynamic(extent) ? TensorSpec::kOpen
                                                       : extent);
  return spec;
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// Replaces tuples that are put together for the return by what they are made
/// of.
static void flattenTuples(func::FuncOp function, func::ReturnOp end) {
  for (unsigned i = 0; i < end.getNumOperands();) {
    auto cast = end.getOperand(i).getDefiningOp<UnrealizedConversionCastOp>();
    auto tuple = dyn_cast<TupleType>(end.getOperand(i).getType());
    if (!tuple || !cast || cast.getOperandTypes() != tuple.getTypes()) {
      ++i;
      continue;
    }
    (void)function.eraseResult(i);
    for (auto [offset, type] : llvm::enumerate(tuple.getTypes()))
      (void)function.insertResult(i + offset, type, DictionaryAttr());
    end.getOperandsMutable().slice(i, 1).assign(cast.getInputs());
  }
}

/// A number as a tensor of rank 0, and the tensor's element as a number; other
/// values as they are.
static Type adapted(Type type) {
  return hostElementType(type) ? RankedTensorType::get({}, type) : type;
}
static Value toTensor(OpBuilder &builder, Location loc, Value value) {
  Type tensor = adapted(value.getType());
  if (tensor == value.getType())
    return value;
  return tensor::FromElementsOp::create(builder, loc, tensor, value);
}
static Value toNumber(OpBuilder &builder, Location loc, Value value,
                      Type number) {
  if (value.getType() == number)
    return value;
  return tensor::ExtractOp::create(builder, loc, number, value, ValueRange());
}

/// Passes to the callee what its interface has become.
static void adaptCall(func::CallOp call) {
  OpBuilder builder(call);
  const Location loc = call.getLoc();
  for (OpOperand &operand : call->getOpOperands())
    operand.set(toTensor(builder, loc, operand.get()));
  auto adaptedCall = func::CallOp::create(
      builder, loc, call.getCallee(),
      llvm::map_to_vector(call.getResultTypes(), adapted), call.getOperands());
  for (auto [before, now] :
       llvm::zip_equal(call.getResults(), adaptedCall.getResults()))
    before.replaceAllUsesWith(toNumber(builder, loc, now, before.getType()));
  call.erase();
}

/// The extents of the dense row-major buffer of which a memref of this type is
/// a part, and the steps that it takes along them; null if there is none, or
/// it is all of one.
static std::optional<std::pair<SmallVector<int64_t>, SmallVector<int64_t>>>
bufferAround(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  const int64_t rank = type.getRank();
  if (rank == 0 || !type.hasStaticShape() || type.getNumElements() == 0 ||
      admitsDense(type) || failed(type.getStridesAndOffset(strides, offset)) ||
      (offset != 0 && ShapedType::isStatic(offset)) ||
      llvm::any_of(strides, [](int64_t stride) { return stride < 1; }))
    return std::nullopt;
  SmallVector<int64_t> extents(rank, 1), steps(rank, 1);
  // What one step along an axis passes over is a row of the buffer.
  steps.back() = strides.back();
  for (int64_t axis = 0; axis < rank; ++axis) {
    const int64_t span = (type.getDimSize(axis) - 1) * steps[axis] + 1;
    const int64_t row = strides[axis] / steps[axis];
    extents[axis] = axis == 0 ? span : strides[axis - 1] / row;
    if (extents[axis] < span || (axis > 0 && strides[axis - 1] % row != 0))
      return std::nullopt;
  }
  return std::pair(extents, steps);
}

/// Arguments that are a part of a dense buffer become all of it.
static void widenToBuffers(func::FuncOp function) {
  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<MemRefType>(argument.getType());
    auto around = type ? bufferAround(type) : std::nullopt;
    if (!around)
      continue;
    const auto &[extents, steps] = *around;
    const Location loc = argument.getLoc();
    argument.setType(MemRefType::get(extents, type.getElementType(),
                                     MemRefLayoutAttrInterface(),
                                     type.getMemorySpace()));
    const SmallVector<OpFoldResult> none(type.getRank(),
                                         builder.getIndexAttr(0));
    auto part = memref::SubViewOp::create(
        builder, loc, argument, none,
        getAsIndexOpFoldResult(builder.getContext(), type.getShape()),
        getAsIndexOpFoldResult(builder.getContext(), steps));
    Value used = part;
    if (part.getType() != type)
      used = memref::CastOp::create(builder, loc, type, part);
    argument.replaceAllUsesExcept(used, part);
  }
}

void fadiff::adaptInterface(func::FuncOp function) {
  // The module may have no operation of them yet.
  function.getContext()
      ->loadDialect<memref::MemRefDialect, tensor::TensorDialect>();
  SmallVector<func::CallOp> calls;
  auto module = function->getParentOfType<ModuleOp>();
  for (const SymbolTable::SymbolUse &use :
       SymbolTable::getSymbolUses(function, module)
           .value_or(SymbolTable::UseRange({}))) {
    auto call = dyn_cast<func::CallOp>(use.getUser());
    if (!call) // its address is taken
      return;
    calls.push_back(call);
  }
  SmallVector<func::ReturnOp> ends;
  function.walk([&](func::ReturnOp end) { ends.push_back(end); });
  if (ends.size() == 1 && calls.empty())
    flattenTuples(function, ends.front());
  if (calls.empty())
    widenToBuffers(function);

  OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
  for (BlockArgument argument : function.getArguments()) {
    Type number = argument.getType();
    if (adapted(number) == number)
      continue;
    argument.setType(adapted(number));
    Value element = toNumber(builder, argument.getLoc(), argument, number);
    argument.replaceAllUsesExcept(element, element.getDefiningOp());
    // Those of LLVM say how to pass a number.
    const unsigned index = argument.getArgNumber();
    if (DictionaryAttr attrs = function.getArgAttrDict(index))
      for (NamedAttribute attr : attrs)
        if (isa_and_nonnull<LLVM::LLVMDialect>(attr.getNameDialect()))
          function.removeArgAttr(index, attr.getName());
  }
  for (func::ReturnOp end : ends) {
    builder.setInsertionPoint(end);
    for (OpOperand &result : end->getOpOperands())
      result.set(toTensor(builder, end.getLoc(), result.get()));
  }
  function.setType(FunctionType::get(
      function.getContext(), function.getBody().getArgumentTypes(),
      llvm::map_to_vector(function.getResultTypes(), adapted)));
  llvm::for_each(calls, adaptCall);
}

//===----------------------------------------------------------------------===//
// Alone in the module
//===----------------------------------------------------------------------===//

/// What a call of one of MLIR's runner libraries is to a network.
enum class RunnerCall { None, Prints, Says, TakesTime };

/// Whether a function of the host can do nothing to the network with `value`:
/// a number, a tensor, text and other constants.
static bool isHarmless(Value value, SymbolTableCollection &symbols) {
  if (value.getType().isIntOrIndexOrFloat() || isa<TensorType>(value.getType()))
    return true;
  while (auto element = value.getDefiningOp<LLVM::GEPOp>())
    value = element.getBase();
  auto address = value.getDefiningOp<LLVM::AddressOfOp>();
  LLVM::GlobalOp global = address ? address.getGlobal(symbols) : nullptr;
  return global && global.getConstant();
}

/// `Prints` shows its operand, `Says` text or a shape.
static RunnerCall runnerCallOf(StringRef name) {
  name.consume_front("_mlir_ciface_");
  if (name == "rtclock")
    return RunnerCall::TakesTime;
  if (!name.consume_front("print"))
    return name == "puts" ? RunnerCall::Says : RunnerCall::None;
  if (name.starts_with("MemrefShape"))
    return RunnerCall::Says;
  name.consume_front("Memref");
  return llvm::StringSwitch<RunnerCall>(name)
      .Cases({"I8", "I16", "I32", "I64", "U64", "Ind", "F16", "BF16", "F32",
              "F64"},
             RunnerCall::Prints)
      .Cases({"C32", "C64", "f", "Flops", "String", "CString", "Open", "Close",
              "Comma", "Newline"},
             RunnerCall::Says)
      .Default(RunnerCall::None);
}

static RunnerCall runnerCallOf(Operation *op, SymbolTableCollection &symbols,
                               bool allowExternal) {
  if (isa<vector::PrintOp>(op))
    return RunnerCall::Prints;
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return RunnerCall::None;
  auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (!callee)
    return RunnerCall::None;
  auto function = dyn_cast_or_null<FunctionOpInterface>(
      call.resolveCallableInTable(&symbols));
  if (!function || !function.isExternal())
    return RunnerCall::None;
  const RunnerCall kind = runnerCallOf(callee.getLeafReference());
  // Whatever a function without results is told, a log or a timer, the network
  // does not learn of it.
  if (kind == RunnerCall::None && !allowExternal && op->getNumResults() == 0 &&
      llvm::all_of(op->getOperands(),
                   [&](Value operand) { return isHarmless(operand, symbols); }))
    return RunnerCall::Says;
  const bool removable =
      kind == RunnerCall::TakesTime
          ? op->getNumResults() == 1 && op->getResult(0).getType().isF64()
          : op->use_empty();
  return removable ? kind : RunnerCall::None;
}

/// What `value` holds at `op`, as a tensor, number or buffer of its own; null
/// if the host has no such type.
static Value snapshot(Operation *op, Value value) {
  while (auto cast = value.getDefiningOp<CastOpInterface>()) {
    if (!isa<tensor::CastOp, memref::CastOp>(cast.getOperation()))
      break;
    value = cast->getOperand(0);
  }
  Type type = value.getType();
  if (hostElementType(type))
    return value;
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() || !hostElementType(shaped.getElementType()))
    return {};
  if (isa<RankedTensorType>(type))
    return value;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  if (auto vector = dyn_cast<VectorType>(type)) {
    if (vector.isScalable() || vector.getRank() == 0)
      return {};
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value empty = tensor::EmptyOp::create(builder, loc, vector.getShape(),
                                          vector.getElementType());
    const SmallVector<bool> inBounds(vector.getRank(), true);
    return vector::TransferWriteOp::create(
               builder, loc, value, empty,
               SmallVector<Value>(vector.getRank(), zero), inBounds)
        .getResult();
  }
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return {};
  SmallVector<Value> extents;
  for (int64_t dim = 0; dim < memref.getRank(); ++dim)
    if (memref.isDynamicDim(dim))
      extents.push_back(memref::DimOp::create(builder, loc, value, dim));
  Value copy = memref::AllocOp::create(
      builder, loc, MemRefType::get(memref.getShape(), memref.getElementType()),
      extents);
  memref::CopyOp::create(builder, loc, value, copy);
  return copy;
}

/// Drops what prints; what it prints becomes results where that is possible.
static void replacePrints(func::FuncOp entry, bool allowExternal) {
  entry.getContext()
      ->loadDialect<arith::ArithDialect, memref::MemRefDialect,
                    tensor::TensorDialect, vector::VectorDialect>();
  SymbolTableCollection symbols;
  SmallVector<std::pair<Operation *, RunnerCall>> calls;
  entry.walk([&](Operation *op) {
    if (RunnerCall kind = runnerCallOf(op, symbols, allowExternal);
        kind != RunnerCall::None)
      calls.emplace_back(op, kind);
  });
  Block &body = entry.front();
  auto end = dyn_cast<func::ReturnOp>(body.getTerminator());
  if (!entry.getBody().hasOneBlock())
    end = {};
  for (auto [op, kind] : calls) {
    InFlightDiagnostic diag = op->emitRemark();
    if (auto call = dyn_cast<CallOpInterface>(op))
      diag << "the call of "
           << cast<SymbolRefAttr>(call.getCallableForCallee());
    else
      diag << "'" << op->getName() << "'";
    diag << " is not run: ";
    if (kind == RunnerCall::TakesTime) {
      diag << "its result is 0";
      OpBuilder builder(op);
      Value zero = arith::ConstantOp::create(builder, op->getLoc(),
                                             builder.getF64FloatAttr(0));
      op->getResult(0).replaceAllUsesWith(zero);
    } else {
      Value shown;
      if (kind == RunnerCall::Prints && end && op->getBlock() == &body &&
          op->getNumOperands() > 0)
        shown = snapshot(op, op->getOperand(0));
      if (shown) {
        diag << "what it prints is output " << end.getNumOperands();
        (void)entry.insertResult(entry.getNumResults(), shown.getType(),
                                 DictionaryAttr());
        end.getOperandsMutable().append(shown);
      } else {
        diag << "nothing is printed";
      }
    }
    op->erase();
  }
}

static LogicalResult runPass(ModuleOp module, std::unique_ptr<Pass> pass) {
  PassManager pm(module->getName());
  pm.addPass(std::move(pass));
  return pm.run(module);
}

LogicalResult fadiff::dropUnreachable(ModuleOp module,
                                      ArrayRef<func::FuncOp> entries) {
  // Nothing runs what stands in a module without a name: schedules of
  // transformations, say.
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(*module.getBody())))
    if (!isa<SymbolOpInterface>(op) &&
        !isa_and_nonnull<LLVM::LLVMDialect>(op.getDialect()))
      op.erase();
  for (auto symbol : module.getOps<SymbolOpInterface>())
    if (!isa<LLVM::LLVMDialect>(symbol->getDialect()))
      symbol.setVisibility(SymbolTable::Visibility::Private);
  for (func::FuncOp entry : entries)
    entry.setPublic();
  return runPass(module, createSymbolDCEPass());
}

/// The host has one memory: what was meant for another one lies there.
static void dropMemorySpaces(ModuleOp module) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](MemRefType type) -> std::optional<Type> {
    return MemRefType::get(type.getShape(), type.getElementType(),
                           type.getLayout());
  });
  replacer.addReplacement([](UnrankedMemRefType type) -> std::optional<Type> {
    return UnrankedMemRefType::get(type.getElementType(), Attribute());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](Operation *op) {
    if (auto tensor = dyn_cast<bufferization::AllocTensorOp>(op)) {
      tensor.removeMemorySpaceAttr();
    } else if (auto cast = dyn_cast<memref::MemorySpaceCastOp>(op)) {
      cast.replaceAllUsesWith(cast.getSource());
      cast.erase();
    }
  });
}

LogicalResult fadiff::isolateEntry(ModuleOp module, func::FuncOp entry,
                                   bool allowExternal) {
  // Nothing is canonicalised on the way: the reference is lowered from what is
  // left.
  if (failed(dropUnreachable(module, entry)) ||
      failed(runPass(module, createInlinerPass({}, [](OpPassManager &) {}))))
    return failure();
  dropMemorySpaces(module);
  replacePrints(entry, allowExternal);
  adaptInterface(entry);
  return dropUnreachable(module, entry);
}

//===----------------------------------------------------------------------===//
// The interface, read
//===----------------------------------------------------------------------===//

/// Whether all that is done with the buffer is reading.
static bool isOnlyRead(Value buffer) {
  llvm::SetVector<Value> views;
  views.insert(buffer);
  for (size_t next = 0; next < views.size(); ++next)
    for (OpOperand &use : views[next].getUses()) {
      Operation *op = use.getOwner();
      if (isa<memref::CastOp>(op) || isa<ViewLikeOpInterface>(op)) {
        views.insert(op->result_begin(), op->result_end());
        continue;
      }
      if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(op);
          toTensor && !toTensor.getWritable())
        continue;
      if (isa<func::ReturnOp>(op) || isMemoryEffectFree(op))
        continue;
      if (auto dps = dyn_cast<DestinationStyleOpInterface>(op)) {
        if (dps.isDpsInit(&use))
          return false;
        continue;
      }
      auto effects = dyn_cast<MemoryEffectOpInterface>(op);
      if (!effects || op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
        return false;
      SmallVector<MemoryEffects::EffectInstance> found;
      effects.getEffectsOnValue(use.get(), found);
      if (!llvm::all_of(found, [](const MemoryEffects::EffectInstance &effect) {
            return isa<MemoryEffects::Read>(effect.getEffect());
          }))
        return false;
    }
  return true;
}

static FailureOr<FillRule>
fillRuleOf(func::FuncOp function, BlockArgument argument, ElementType element) {
  const unsigned index = argument.getArgNumber();
  Attribute attr = function.getArgAttr(index, kFillAttrName);
  if (!attr) {
    FillRule rule = FillRule::defaultFor(element);
    if (std::optional<int64_t> extent = extentIndexedBy(argument)) {
      rule.intLo = 0;
      rule.intHi = std::max<int64_t>(
          0,
          std::min(*extent - 1, element == ElementType::I8 ? 127 : rule.intHi));
      if (element == ElementType::Index)
        rule.intHi = std::max<int64_t>(0, *extent - 1);
    }
    return rule;
  }
  auto text = dyn_cast<StringAttr>(attr);
  if (!text)
    return emitError(argument.getLoc())
           << "'" << kFillAttrName << "' of argument #" << index
           << " must be a string; found " << attr;
  llvm::Expected<FillRule> parsed = FillRule::parse(text.getValue(), element);
  if (!parsed)
    return emitError(argument.getLoc())
           << "'" << kFillAttrName << "' of argument #" << index
           << " is malformed: " << llvm::toString(parsed.takeError());
  return *parsed;
}

FailureOr<EntryPoint> fadiff::findEntryPoint(ModuleOp module, StringRef name) {
  FailureOr<func::FuncOp> chosen = chooseEntry(module, name);
  if (failed(chosen))
    return failure();
  func::FuncOp func = *chosen;
  if (!func.isPublic())
    return func.emitError()
           << "'@" << name << "' must be public to be run; found visibility '"
           << (func.isPrivate() ? "private" : "nested") << "'";

  EntryPoint entry;
  entry.name = func.getSymName().str();
  for (BlockArgument argument : func.getArguments()) {
    const unsigned index = argument.getArgNumber();
    FailureOr<TensorSpec> spec =
        hostTensorSpec(argument.getType(), argument.getLoc(),
                       "argument #" + Twine(index), entry.name);
    if (failed(spec))
      return failure();
    FailureOr<FillRule> rule = fillRuleOf(func, argument, spec->element);
    if (failed(rule))
      return failure();
    if (isa<MemRefType>(argument.getType()) && !isOnlyRead(argument))
      entry.written.push_back(index);
    entry.arguments.push_back(std::move(*spec));
    entry.fills.push_back(*rule);
  }
  for (auto [index, type] : llvm::enumerate(func.getResultTypes())) {
    FailureOr<TensorSpec> spec = hostTensorSpec(
        type, func.getLoc(), "result #" + Twine(index), entry.name);
    if (failed(spec))
      return failure();
    entry.results.push_back(std::move(*spec));
  }
  return entry;
}

static llvm::Error checkClosed(const EntryPoint &entry, size_t index) {
  const TensorSpec &spec = entry.arguments[index];
  if (!spec.isOpen())
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      "argument #" + llvm::Twine(index) + " of '@" + entry.name +
          "' has extents that the network leaves open: " + spec.str() +
          "; make its shape static, give it with --shapes, or give a file that "
          "has them (--inputs)");
}

llvm::Expected<std::vector<HostTensor>>
fadiff::makeArguments(const EntryPoint &entry, uint64_t seed,
                      llvm::ArrayRef<std::string> files, TensorReader read) {
  std::vector<HostTensor> arguments;
  if (files.size() > entry.arguments.size())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "'@" + entry.name + "' takes " + llvm::Twine(entry.arguments.size()) +
            " arguments; found " + llvm::Twine(files.size()) + " files");
  for (unsigned i = 0, e = entry.arguments.size(); i != e; ++i) {
    if (i < files.size() && !files[i].empty()) {
      llvm::Expected<HostTensor> tensor = read(files[i], entry.arguments[i]);
      if (!tensor)
        return llvm::createStringError(
            llvm::inconvertibleErrorCode(),
            "argument #" + llvm::Twine(i) + " of '@" + entry.name +
                "': " + llvm::toString(tensor.takeError()));
      arguments.push_back(std::move(*tensor));
      continue;
    }
    if (llvm::Error error = checkClosed(entry, i))
      return std::move(error);
    llvm::Expected<HostTensor> tensor =
        HostTensor::allocate(entry.arguments[i]);
    if (!tensor)
      return tensor.takeError();
    fillTensor(*tensor, entry.fills[i], seed, i);
    arguments.push_back(std::move(*tensor));
  }
  return arguments;
}

llvm::Expected<std::vector<HostTensor>>
fadiff::makeUnfilledArguments(const EntryPoint &entry, uint64_t seed) {
  std::vector<HostTensor> arguments;
  for (auto [index, spec, rule] :
       llvm::enumerate(entry.arguments, entry.fills)) {
    if (llvm::Error error = checkClosed(entry, index))
      return std::move(error);
    const bool neverZero =
        !isFloat(spec.element) && (rule.intLo > 0 || rule.intHi < 0);
    llvm::Expected<HostTensor> tensor =
        neverZero ? HostTensor::allocate(spec) : HostTensor::reserve(spec);
    if (!tensor)
      return tensor.takeError();
    if (neverZero)
      fillTensor(*tensor, rule, seed, unsigned(index));
    arguments.push_back(std::move(*tensor));
  }
  return arguments;
}
