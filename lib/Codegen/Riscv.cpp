//===- Riscv.cpp - Programs for the RISC-V core of a Gemmini --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CopyWords.h"
#include "FillBorders.h"
#include "IncrementWords.h"
#include "StaticMemory.h"
#include "WeighBranches.h"

#include "fadiff/Codegen/Riscv.h"
#include "fadiff/Conversion/Passes.h"
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h"
#include "fadiff/Runner/HostLowering.h"
#include "fadiff/Runner/Translation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/RISCVISAInfo.h"

#include <mutex>

using namespace mlir;
using namespace fadiff;

static constexpr llvm::StringLiteral kTriple = "riscv64-unknown-elf";

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

void fadiff::buildRiscvPipeline(OpPassManager &pm) {
  buildBufferizationPipeline(pm, EntryInterface::Pointers);
  pm.addPass(createFillBordersPass());
  pm.addPass(createLowerToGemminiPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(gemmini::createGemminiMergeFencesPass());
  pm.addPass(gemmini::createGemminiOutlineNestsPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(gemmini::createGemminiFixTripsPass());
  pm.addPass(gemmini::createGemminiStripLoopsPass());
  pm.addPass(gemmini::createGemminiPeelLastTripPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createLoopInvariantCodeMotionPass());
  pm.addPass(gemmini::createGemminiSpecializeLoopsPass());
  pm.addPass(createConvertGemminiToLLVM({GemminiRuntime::Rocc}));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createWeighBranchesPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createIncrementWordsPass());
  pm.addPass(createCopyWordsPass());
  buildHostLoweringPipeline(pm, EntryInterface::Pointers);
}

/// Gives the entries their C names.
static LogicalResult renameEntries(ModuleOp module, ArrayRef<CEntry> entries) {
  SymbolTable symbols(module);
  for (const CEntry &entry : entries) {
    const std::string &name = entry.interface.name;
    auto function = symbols.lookup<func::FuncOp>(name);
    if (!function)
      return module.emitError() << "has no function '@" << name << "' any more";
    if (entry.symbol == name)
      continue;
    if (Operation *other = symbols.lookup(entry.symbol)) {
      InFlightDiagnostic diag =
          function.emitError()
          << "'@" << name << "' is to be called '" << entry.symbol
          << "' in C, found another symbol of that name; choose another prefix";
      diag.attachNote(other->getLoc()) << "this one";
      return failure();
    }
    if (failed(symbols.rename(function, entry.symbol)))
      return function.emitError("is referred to in a way that cannot be "
                                "renamed");
  }
  return success();
}

llvm::Expected<std::string> fadiff::featuresOf(StringRef march) {
  auto extensions = llvm::RISCVISAInfo::parseArchString(
      march, /*EnableExperimentalExtension=*/false);
  if (!extensions)
    return extensions.takeError();
  if ((*extensions)->getXLen() != 64 || !(*extensions)->hasExtension("d"))
    return llvm::createStringError("wanted 64 bits and doubles, such as "
                                   "rv64gc or rv64gcv, found '" +
                                   march + "'");
  return llvm::join((*extensions)->toFeatures(), ",");
}

static FailureOr<std::unique_ptr<llvm::TargetMachine>>
createMachine(ModuleOp module, const RiscvOptions &options) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    // For the instructions in inline assembly.
    llvm::InitializeAllAsmParsers();
  });
  llvm::Triple triple(kTriple);
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return module.emitError()
           << "cannot be compiled for " << kTriple.str()
           << ": wanted an LLVM with the RISC-V back end, found one without ("
           << error << ")";
  llvm::TargetOptions targetOptions;
  targetOptions.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  targetOptions.MCOptions.ABIName = options.abi;
  // Medium: programs lie wherever memory is, such as at 2 GB.
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, "generic-rv64", options.features, targetOptions,
      llvm::Reloc::Static, llvm::CodeModel::Medium,
      static_cast<llvm::CodeGenOptLevel>(options.optLevel)));
  if (!machine)
    return module.emitError() << "cannot be compiled for " << kTriple.str()
                              << " with features '" << options.features << "'";
  return machine;
}

/// Puts a check behind every call of aligned_alloc. Compiled code cannot return
/// an error, and address 0 is memory like any other on a bare machine.
static void checkAllocations(llvm::Module &module) {
  llvm::Function *allocate = module.getFunction("aligned_alloc");
  if (!allocate || allocate->arg_size() != 2)
    return;
  if (allocate->use_empty())
    return allocate->eraseFromParent();
  llvm::Function *checked = llvm::Function::Create(
      allocate->getFunctionType(), llvm::GlobalValue::InternalLinkage,
      "fadiff_allocate", module);
  checked->setReturnDoesNotAlias();
  checked->addFnAttr(llvm::Attribute::NoInline);
  allocate->replaceAllUsesWith(checked);

  llvm::LLVMContext &context = module.getContext();
  auto block = [&](const char *name) {
    return llvm::BasicBlock::Create(context, name, checked);
  };
  llvm::BasicBlock *entry = block("entry"), *none = block("none"),
                   *done = block("done");
  llvm::IRBuilder<> builder(entry);
  llvm::Value *pointer =
      builder.CreateCall(allocate, {checked->getArg(0), checked->getArg(1)});
  // Nothing may be the right answer to a request for nothing.
  llvm::Value *failed =
      builder.CreateAnd(builder.CreateIsNull(pointer),
                        builder.CreateIsNotNull(checked->getArg(1)));
  builder.CreateCondBr(failed, none, done);
  builder.SetInsertPoint(none);
  builder.CreateIntrinsic(llvm::Intrinsic::trap, {});
  builder.CreateUnreachable();
  builder.SetInsertPoint(done);
  builder.CreateRet(pointer);
}

FailureOr<RiscvProgram> fadiff::compileForRiscv(ModuleOp module,
                                                ArrayRef<CEntry> entries,
                                                llvm::LLVMContext &context,
                                                const RiscvOptions &options) {
  if (options.optLevel > 3)
    return module.emitError() << "cannot be compiled with optimisation level "
                              << options.optLevel << "; wanted 0 to 3";
  FailureOr<std::unique_ptr<llvm::TargetMachine>> machine =
      createMachine(module, options);
  if (failed(machine))
    return failure();

  OwningOpRef<ModuleOp> copy(module.clone());
  if (failed(renameEntries(*copy, entries)))
    return failure();
  SmallVector<func::FuncOp> functions;
  for (const CEntry &entry : entries)
    functions.push_back(copy->lookupSymbol<func::FuncOp>(entry.symbol));
  if (failed(dropUnreachable(*copy, functions)))
    return failure();
  std::string layout = (*machine)->createDataLayout().getStringRepresentation();
  auto setText = [&](StringRef name, StringRef text) {
    (*copy)->setAttr(name, StringAttr::get(copy->getContext(), text));
  };
  setText(LLVM::LLVMDialect::getTargetTripleAttrName(), kTriple);
  setText(LLVM::LLVMDialect::getDataLayoutAttrName(), layout);
  PassManager pm(copy->getContext());
  buildRiscvPipeline(pm);
  if (failed(pm.run(*copy)))
    return module.emitError()
           << "cannot be lowered for " << kTriple.str()
           << ": wanted func, linalg, tensor, memref, arith, math, affine, scf "
              "and cf operations around the loop nests only; convert the "
              "others first";
  if (failed(checkTranslatable(*copy)))
    return failure();

  RiscvProgram program;
  program.machine = std::move(*machine);
  program.module = translateModuleToLLVMIR(*copy, context, "fadiff");
  if (!program.module)
    return module.emitError("cannot be translated to LLVM IR");
  llvm::StringSet<> visible;
  for (const CEntry &entry : entries)
    visible.insert(entry.symbol);
  // Two networks may be linked together.
  for (llvm::GlobalObject &object : program.module->global_objects())
    if (!object.isDeclaration() && !visible.contains(object.getName()))
      object.setLinkage(llvm::GlobalValue::InternalLinkage);
  // What only hides a value (IncrementWords.h) may move like the value.
  for (llvm::Function &function : *program.module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      auto *text =
          call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand())
               : nullptr;
      if (!text || text->hasSideEffects())
        continue;
      call->setDoesNotAccessMemory();
      call->setDoesNotThrow();
      call->addFnAttr(llvm::Attribute::WillReturn);
    }
  // Rows of an image are short and begin anywhere, so the C library would copy
  // byte by byte, and bare ones do so always: loops that are unrolled do
  // better.
  for (llvm::Function &function : *program.module)
    if (function.getName().starts_with("fadiff_host_")) {
      function.addFnAttr("no-builtins");
      // All of its loops end: a call whose result nobody reads may go.
      function.addFnAttr(llvm::Attribute::WillReturn);
      // By default LLVM unrolls nothing for RISC-V but what goes away. With
      // vectors that is right: a loop that is unrolled is none any more.
      if (!StringRef(options.features).contains("zve32x"))
        function.addFnAttr("target-features",
                           options.features + ",+no-default-unroll");
    }
  if (!options.staticMemory)
    checkAllocations(*program.module);
  weighLoops(*program.module);
  // A trip's constants fold where loops are unrolled, its address increments go
  // into one register, and what is done on the first trip only goes in front.
  optimizeModule(*program.module, *program.machine, options.optLevel,
                 /*unrolls=*/true);
  program.memory = placeBuffers(*program.module, options.staticMemory);
  if (options.staticMemory)
    checkAllocations(*program.module); // those that are left
  return program;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

llvm::Error fadiff::emitProgram(RiscvProgram program,
                                llvm::CodeGenFileType type,
                                llvm::raw_pwrite_stream &os) {
  llvm::legacy::PassManager passes;
  if (program.machine->addPassesToEmitFile(passes, os, nullptr, type))
    return llvm::createStringError("LLVM cannot write this kind of file for " +
                                   kTriple);
  passes.run(*program.module);
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>>
fadiff::undefinedSymbols(llvm::MemoryBufferRef object) {
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(object);
  if (!file)
    return file.takeError();
  std::vector<std::string> names;
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined) ||
        (*flags & llvm::object::SymbolRef::SF_FormatSpecific))
      continue;
    llvm::Expected<StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    if (!name->empty())
      names.push_back(name->str());
  }
  llvm::sort(names);
  return names;
}
