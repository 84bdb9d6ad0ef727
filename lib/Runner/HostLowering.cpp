//===- HostLowering.cpp - From linalg on tensors to LLVM ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/HostLowering.h"
#include "fadiff/Transforms/Passes.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace fadiff {

void buildBufferizationPipeline(OpPassManager &pm, EntryInterface interface) {
  pm.addPass(createProtectArgumentsPass());
  // Upstream bufferizes loops of scf, not of affine.
  pm.addPass(createLowerAffinePass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  // A loop nest writes what a loop carries into a buffer of its own.
  options.allowReturnAllocsFromLoops = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.unknownTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createWriteInPlacePass());
  if (interface == EntryInterface::Pointers)
    pm.addPass(createResultsToArgumentsPass());
  bufferization::buildBufferDeallocationPipeline(pm);
  // Ownership-based deallocation frees at the end of the block, which keeps
  // every intermediate of the network alive at once.
  pm.addNestedPass<func::FuncOp>(
      bufferization::createOptimizeAllocationLivenessPass());
  // Results that would alias an argument or a constant were cloned above.
  pm.addPass(createConvertBufferizationToMemRefPass());
}

void buildHostLoopsPipeline(OpPassManager &pm, EntryInterface interface) {
  pm.addPass(createForallToForLoopPass());
  pm.addPass(createOrderHostLoopsPass(interface));
  pm.addPass(createOutlineHostLoopsPass());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
}

void buildHostLoweringPipeline(OpPassManager &pm, EntryInterface interface) {
  // A real core has nobody to report to, and no traps for divisions.
  const bool guarded = interface == EntryInterface::Descriptors;
  if (guarded) {
    // Before there are loops, whose accesses are within bounds.
    pm.addPass(createLowerAffinePass());
    pm.addPass(createGuardAccessesPass());
  } else {
    pm.addPass(createRoundLastPass());
  }
  buildHostLoopsPipeline(pm, interface);
  // Loops have their names.
  if (!guarded)
    pm.addPass(createInlineExpPass());
  // Of vectors, what a loop over their elements does first.
  pm.addNestedPass<func::FuncOp>(createConvertVectorToSCFPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  arith::ArithExpandOpsPassOptions arithOptions;
  arithOptions.includeF8E8M0 = arithOptions.includeF4E2M1 = true;
  pm.addPass(arith::createArithExpandOpsPass(arithOptions));
  if (guarded)
    pm.addPass(createGuardHostPass());
  pm.addPass(createConvertVectorToLLVMPass());
  // Intrinsics where LLVM has one (roundeven, exp), the C library otherwise.
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createRequestEntryWrappersPass(interface));
  // malloc plus hand alignment goes through integers, which hides from LLVM
  // that two buffers never overlap.
  FinalizeMemRefToLLVMConversionPassOptions memrefOptions;
  memrefOptions.useAlignedAlloc = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memrefOptions));
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

LogicalResult lowerHostToLLVM(ModuleOp module) {
  PassManager pm(module->getName());
  pm.addPass(createImportPass());
  buildBufferizationPipeline(pm);
  buildHostLoweringPipeline(pm);
  if (succeeded(pm.run(module)))
    return success();
  return module.emitError()
         << "cannot be lowered for the host: wanted tosa, func, linalg, "
            "tensor, "
            "memref, vector, arith, math, affine, scf and cf operations only; "
            "convert "
            "the others first";
}

void registerRunnerPasses() {
  registerPass(createProtectArgumentsPass);
  registerPass([] { return createOrderHostLoopsPass(); });
  registerPass(createOutlineHostLoopsPass);
  registerPass([] { return createRequestEntryWrappersPass(); });
  registerPass(createResultsToArgumentsPass);
  registerPass(createWriteInPlacePass);
  registerPass(createGuardAccessesPass);
  registerPass(createGuardHostPass);
  registerPass(createRoundLastPass);
  registerPass(createInlineExpPass);
  PassPipelineRegistration<>(
      "fadiff-bufferize",
      "Bufferize a module with its function boundaries and free its buffers",
      [](OpPassManager &pm) { buildBufferizationPipeline(pm); });
  PassPipelineRegistration<>(
      "fadiff-host-loops",
      "Lower linalg on memrefs to loop nests ordered for the host",
      [](OpPassManager &pm) { buildHostLoopsPipeline(pm); });
  PassPipelineRegistration<>(
      "fadiff-lower-host",
      "Lower linalg on memrefs and what surrounds it to the LLVM dialect",
      [](OpPassManager &pm) { buildHostLoweringPipeline(pm); });
}

} // namespace fadiff
