//===- Program.cpp - A module compiled for the host -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/Program.h"
#include "Externals.h"
#include "fadiff/Runner/HostLowering.h"
#include "fadiff/Runner/Translation.h"
#include "fadiff/Transforms/SearchModule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

using namespace mlir;

namespace fadiff {

/// Calls the entry with an array of its arguments.
static constexpr llvm::StringLiteral kPackedEntry = "_fadiff_packed_entry";

namespace {

/// A strided memref descriptor as the C interface passes it: allocated pointer,
/// aligned pointer, offset, sizes, strides; eight bytes each.
constexpr unsigned descriptorWords(size_t rank) { return 3 + 2 * rank; }

void writeDescriptor(const TensorSpec &spec, const uint8_t *data,
                     int64_t *words) {
  words[0] = words[1] = reinterpret_cast<int64_t>(data);
  words[2] = 0;
  size_t rank = spec.shape.size();
  int64_t stride = 1;
  for (size_t dim = rank; dim-- > 0;) {
    words[3 + dim] = spec.shape[dim];
    words[3 + rank + dim] = stride;
    stride *= spec.shape[dim];
  }
}

llvm::Expected<HostTensor> copyOf(const HostTensor &tensor) {
  llvm::Expected<HostTensor> copy = HostTensor::allocate(tensor.spec());
  if (copy)
    llvm::copy(tensor.raw(), copy->data());
  return copy;
}

void initializeNativeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser(); // of inline assembly
  });
}

/// Adds `void packed(ptr *)`, which calls `entry` with the pointers that its
/// argument points to.
void addPackedEntry(llvm::Module &module, llvm::Function &entry) {
  llvm::LLVMContext &context = module.getContext();
  llvm::IRBuilder<> builder(context);
  auto *packed = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), builder.getPtrTy(), false),
      llvm::GlobalValue::ExternalLinkage, kPackedEntry, module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", packed));
  llvm::SmallVector<llvm::Value *> arguments;
  for (unsigned i = 0, e = entry.arg_size(); i != e; ++i)
    arguments.push_back(builder.CreateLoad(
        builder.getPtrTy(),
        builder.CreateConstGEP1_64(builder.getPtrTy(), packed->getArg(0), i)));
  builder.CreateCall(&entry, arguments);
  builder.CreateRetVoid();
}

std::string entrySymbol(const EntryPoint &entry) {
  return "_mlir_ciface_" + entry.name;
}

/// Makes the packed entry all that is visible, and the entry part of its C
/// interface. Tensors are passed to the entry as single numbers: those of a
/// large network as thousands, over which LLVM takes longer than over the
/// program.
void hideAllButEntry(llvm::Module &module, const EntryPoint &entry) {
  for (llvm::Function &function : llvm::make_early_inc_range(module)) {
    if (function.isDeclaration() || function.getName() == kPackedEntry)
      continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    if (function.use_empty())
      function.eraseFromParent();
  }
  llvm::Function *body = module.getFunction(entry.name);
  auto *call = body && body->hasOneUse()
                   ? llvm::dyn_cast<llvm::CallBase>(*body->user_begin())
                   : nullptr;
  llvm::InlineFunctionInfo info;
  if (call && call->getCalledFunction() == body &&
      llvm::InlineFunction(*call, info).isSuccess())
    body->eraseFromParent();
}

} // namespace

Program::Program() = default;
Program::~Program() = default;

FailureOr<std::unique_ptr<Program>>
Program::compile(ModuleOp module, const EntryPoint &entry,
                 const ProgramOptions &options) {
  initializeNativeTarget();
  if (options.optLevel > 3)
    return module.emitError() << "cannot be compiled with optimisation level "
                              << options.optLevel << "; wanted 0 to 3";
  if (failed(checkTranslatable(module)) ||
      failed(checkExternals(module, options)))
    return failure();
  auto fail = [&](llvm::Error error) {
    return module.emitError()
           << "cannot compile '@" << entry.name
           << "' for the host: " << llvm::toString(std::move(error));
  };

  auto machineBuilder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!machineBuilder)
    return fail(machineBuilder.takeError());
  machineBuilder->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  machineBuilder->setCodeGenOptLevel(
      static_cast<llvm::CodeGenOptLevel>(options.optLevel));
  auto machine = machineBuilder->createTargetMachine();
  if (!machine)
    return fail(machine.takeError());

  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, *context);
  if (!code)
    return module.emitError()
           << "cannot compile '@" << entry.name
           << "' for the host: it has no equivalent in LLVM IR";
  code->setDataLayout((*machine)->createDataLayout());
  code->setTargetTriple((*machine)->getTargetTriple());
  llvm::Function *function = code->getFunction(entrySymbol(entry));
  // Descriptors of all results in one, and of each argument.
  if (!function || function->isDeclaration() ||
      function->arg_size() !=
          (entry.results.empty() ? 0 : 1) + entry.arguments.size() ||
      llvm::any_of(function->args(), [](const llvm::Argument &argument) {
        return !argument.getType()->isPointerTy();
      }))
    return module.emitError() << "cannot compile '@" << entry.name
                              << "' for the host: it lacks the C interface '"
                              << entrySymbol(entry) << "'";
  addPackedEntry(*code, *function);
  hideAllButEntry(*code, entry);
  optimizeModule(*code, **machine, options.optLevel);

  llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> jit =
      llvm::orc::LLJITBuilder()
          .setJITTargetMachineBuilder(std::move(*machineBuilder))
          .setLinkProcessSymbolsByDefault(false)
          .setPlatformSetUp(llvm::orc::setUpInactivePlatform)
          .create();
  if (!jit)
    return fail(jit.takeError());
  if (llvm::Error error = defineExternals(**jit, options))
    return fail(std::move(error));
  if (llvm::Error error = (*jit)->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(code), std::move(context))))
    return fail(std::move(error));
  // Looking the entry up compiles it, so that run() only runs.
  auto packed = (*jit)->lookup(kPackedEntry);
  if (!packed)
    return fail(packed.takeError());

  // Not make_unique: the constructor is private.
  std::unique_ptr<Program> program(new Program());
  program->entryPoint = entry;
  program->jit = std::move(*jit);
  program->packedEntry = packed->toPtr<void (*)(void **)>();
  return program;
}

llvm::Expected<std::vector<HostTensor>>
Program::run(ArrayRef<HostTensor> arguments, Results kept,
             std::optional<uint8_t> fresh) const {
  if (arguments.size() != entryPoint.arguments.size())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        "'@" + entryPoint.name + "' takes " +
            llvm::Twine(entryPoint.arguments.size()) + " arguments; found " +
            llvm::Twine(arguments.size()));
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (!entryPoint.arguments[index].admits(argument.spec()))
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "argument #" + llvm::Twine(index) + " of '@" + entryPoint.name +
              "' must be " + entryPoint.arguments[index].str() + "; found " +
              argument.spec().str());

  // What is written to, so that the next run finds what this one found.
  std::vector<HostTensor> outputs, written;
  for (unsigned index : entryPoint.written) {
    llvm::Expected<HostTensor> copy = copyOf(arguments[index]);
    if (!copy)
      return copy.takeError();
    written.push_back(std::move(*copy));
  }

  // The C interface takes a pointer to the results' descriptors, one after the
  // other, if there are any, and then a pointer to each argument's descriptor.
  size_t resultWords = 0, argumentWords = 0;
  for (const TensorSpec &spec : entryPoint.results)
    resultWords += descriptorWords(spec.shape.size());
  for (const TensorSpec &spec : entryPoint.arguments)
    argumentWords += descriptorWords(spec.shape.size());
  std::vector<int64_t> results(resultWords), descriptors(argumentWords);
  std::vector<void *> pointers;
  if (!entryPoint.results.empty())
    pointers.push_back(results.data());
  int64_t *next = descriptors.data();
  auto copy = written.begin();
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    const bool isWritten = llvm::is_contained(entryPoint.written, index);
    writeDescriptor(argument.spec(),
                    isWritten ? (copy++)->data() : argument.data(), next);
    pointers.push_back(next);
    next += descriptorWords(argument.spec().shape.size());
  }
  if (llvm::Error error = callProgram(packedEntry, pointers.data(), fresh))
    return std::move(error);

  // Two results may share one buffer.
  llvm::SmallPtrSet<void *, 4> owned;
  llvm::Error error = llvm::Error::success();
  const int64_t *words = results.data();
  for (TensorSpec spec : entryPoint.results) {
    owned.insert(reinterpret_cast<void *>(words[0]));
    std::copy_n(words + 3, spec.shape.size(), spec.shape.begin());
    if (!error && kept == Results::Copy) {
      llvm::Expected<HostTensor> tensor = HostTensor::allocate(spec);
      if (tensor) {
        std::memcpy(tensor->data(),
                    reinterpret_cast<const uint8_t *>(words[1]) +
                        words[2] * elementSize(spec.element),
                    spec.sizeInBytes());
        outputs.push_back(std::move(*tensor));
      } else {
        error = tensor.takeError();
      }
    }
    words += descriptorWords(spec.shape.size());
  }
  for (void *pointer : owned)
    std::free(pointer);
  if (error)
    return std::move(error);
  if (kept == Results::Copy)
    llvm::move(written, std::back_inserter(outputs));
  return outputs;
}

FailureOr<std::unique_ptr<Program>>
compileReference(ModuleOp module, const EntryPoint &entry,
                 const ProgramOptions &options) {
  OwningOpRef<ModuleOp> copy(module.clone());
  returnToHost(*copy);
  if (failed(lowerHostToLLVM(*copy)))
    return failure();
  return Program::compile(*copy, entry, options);
}

FailureOr<bool> readsUnwrittenMemory(ModuleOp module, const EntryPoint &entry,
                                     ArrayRef<HostTensor> arguments,
                                     ProgramOptions options) {
  // LLVM may make anything of what was never written, unless it is not asked.
  options.optLevel = 0;
  FailureOr<std::unique_ptr<Program>> program =
      compileReference(module, entry, options);
  if (failed(program))
    return failure();
  std::vector<HostTensor> first;
  for (uint8_t fresh : {0x00, 0x55}) {
    llvm::Expected<std::vector<HostTensor>> outputs =
        (*program)->run(arguments, Results::Copy, fresh);
    if (!outputs)
      return module.emitError(llvm::toString(outputs.takeError()));
    if (first.empty())
      first = std::move(*outputs);
    else
      for (auto [before, now] : llvm::zip_equal(first, *outputs))
        if (before.raw() != now.raw())
          return true;
  }
  return false;
}

} // namespace fadiff
