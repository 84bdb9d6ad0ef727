//===- Translation.cpp - From the LLVM dialect to LLVM IR -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/Translation.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/LLVMTranslationInterface.h"

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;

/// Weights may be left out of a file, or cut short.
static LogicalResult checkResources(Operation *op) {
  for (NamedAttribute attr : op->getAttrs()) {
    auto resource = dyn_cast<DenseResourceElementsAttr>(attr.getValue());
    if (!resource)
      continue;
    auto fail = [&]() {
      return op->emitError("needs the values of 'dense_resource<")
             << resource.getRawHandle().getKey() << ">', ";
    };
    const AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return fail() << "which the file does not have; print the network "
                       "without --mlir-elide-resource-strings-if-larger and "
                       "--mlir-elide-elementsattrs-if-larger";
    ShapedType type = resource.getType();
    Type element = type.getElementType();
    if (!element.isIntOrFloat() || !type.hasStaticShape())
      continue;
    const uint64_t wanted = uint64_t(type.getNumElements()) *
                            ((element.getIntOrFloatBitWidth() + 7) / 8);
    if (blob->getData().size() != wanted)
      return fail() << "of type " << type << ": wanted " << wanted
                    << " bytes, found " << blob->getData().size();
  }
  return success();
}

LogicalResult fadiff::checkTranslatable(ModuleOp module) {
  if (module
          .walk([](Operation *op) {
            return failed(checkResources(op)) ? WalkResult::interrupt()
                                              : WalkResult::advance();
          })
          .wasInterrupted())
    return failure();
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  Operation *culprit = nullptr;
  module.walk([&](Operation *op) {
    Dialect *dialect = op->getDialect();
    bool isCast = isa<UnrealizedConversionCastOp>(op);
    if (!isCast && dialect &&
        dialect->getRegisteredInterface<LLVMTranslationDialectInterface>())
      return WalkResult::advance();
    if (!culprit || !isCast)
      culprit = op;
    return isCast ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (!culprit)
    return success();
  return culprit->emitError()
         << "cannot be compiled for the host: wanted the LLVM dialect, found '"
         << culprit->getName()
         << "', which no pass has lowered; lower it first, or name a function "
            "that does without it with --entry";
}

void fadiff::optimizeModule(llvm::Module &module, llvm::TargetMachine &machine,
                            unsigned optLevel, bool unrolls) {
  const llvm::OptimizationLevel levels[] = {
      llvm::OptimizationLevel::O0, llvm::OptimizationLevel::O1,
      llvm::OptimizationLevel::O2, llvm::OptimizationLevel::O3};
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = unrolls;
  tuning.LoopInterleaving = true;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::ModulePassManager passes =
      optLevel == 0 ? builder.buildO0DefaultPipeline(levels[0])
                    : builder.buildPerModuleDefaultPipeline(levels[optLevel]);
  passes.run(module, modules);
}
