//===- Pass.cpp - Quantisation as a pass ----------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Quantize/Passes.h"
#include "fadiff/Runner/HostLowering.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Transforms/PassOptions.h"
#include "fadiff/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"

namespace fadiff {
#define GEN_PASS_DEF_QUANTIZEPASS
#include "fadiff/Quantize/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;

namespace {
struct QuantizePass : public fadiff::impl::QuantizePassBase<QuantizePass> {
  QuantizePass(OwnedTensorReader read, llvm::raw_ostream *os, ReportReader give)
      : read(std::move(read)), os(os), give(std::move(give)) {}
  QuantizePass(const QuantizePass &other)
      : QuantizePassBase(other), read(other.read), os(other.os),
        give(other.give) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    Base::getDependentDialects(registry);
    registry
        .insert<arith::ArithDialect, ir::FadiffDialect, linalg::LinalgDialect,
                math::MathDialect, tensor::TensorDialect>();
    // Those of the programs that are run in between.
    OpPassManager pm(ModuleOp::getOperationName());
    pm.addPass(createImportPass());
    pm.addPass(createNormalizePass());
    buildBufferizationPipeline(pm);
    buildHostLoweringPipeline(pm);
    pm.getDependentDialects(registry);
    registerBuiltinDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
  }

  LogicalResult initialize(MLIRContext *context) override {
    return checkWrittenFiles(context, getArgument(), {{"summary", summary}});
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    QuantizeOptions options;
    if (failed(readOptions(module, options)))
      return signalPassFailure();
    auto samples =
        [&](const EntryPoint &point) -> llvm::Expected<std::vector<Sample>> {
      if (calibration.empty())
        return drawSamples(point, randomSamples, seed);
      return readSamples(calibration, point, read);
    };
    FailureOr<QuantizationReport> report =
        quantizeNetwork(module, entry, options, samples);
    if (failed(report) || failed(write(module, *report)))
      signalPassFailure();
  }

private:
  LogicalResult readOptions(ModuleOp module, QuantizeOptions &options) {
    if (failed(checkTargetOption(module.getLoc(), getArgument(), target)))
      return failure();
    if (calibration.empty() == (randomSamples == 0))
      return module.emitError(
                 "fadiff-quantize: wanted data to calibrate with, either "
                 "calibration=<directory> or random-samples=<n>; found ")
             << (calibration.empty() ? "neither" : "both");
    if (weightRanges != RangeMethod::MinMax && weightRanges != RangeMethod::Mse)
      return module.emitError("fadiff-quantize: weights: wanted minmax or mse, "
                              "found ")
             << nameOf(weightRanges.getValue());
    if (!(percentile > 0 && percentile <= 100))
      return module.emitError("fadiff-quantize: percentile: wanted a number "
                              "above 0 and up to 100, found ")
             << percentile.getValue();
    FailureOr<Accelerator> machine = findMachine(module);
    if (failed(machine))
      return failure();
    if (machine->arithmetic != Arithmetic::Int8)
      return module.emitError("fadiff-quantize: the target '")
             << machine->name
             << "' works in f32; wanted one that works in int8, such as "
                "gemmini, or no quantisation";
    options.readOut = machine->readOut;
    options.ranges = ranges;
    options.percentile = percentile;
    options.weightRanges = weightRanges;
    options.equalize = equalize;
    options.biasCorrection = biasCorrection;
    options.rounding = rounding;
    options.keepFloat.assign(keepFloat.begin(), keepFloat.end());
    options.keepFloatBelow = keepFloatBelow;
    options.holdOut = holdOut;
    return success();
  }

  FailureOr<Accelerator> findMachine(ModuleOp module) {
    if (target.empty())
      if (auto attribute =
              module->getAttrOfType<ir::TargetAttr>(kTargetAttrName))
        return attribute.getAccelerator();
    llvm::Expected<Accelerator> machine =
        findTarget(target.empty() ? "gemmini-large" : target.getValue());
    if (!machine)
      return module.emitError("fadiff-quantize: ")
             << llvm::toString(machine.takeError());
    return *machine;
  }

  LogicalResult write(ModuleOp module, const QuantizationReport &report) {
    if (os)
      report.print(*os);
    if (give)
      give(report);
    if (summary.empty())
      return success();
    if (summary == "-") {
      report.print(llvm::outs());
      return success();
    }
    llvm::Error error =
        writeOutput(summary, [&](llvm::raw_ostream &file) -> llvm::Error {
          if (StringRef(summary).ends_with(".json"))
            file << llvm::formatv("{0:2}\n",
                                  llvm::json::Value(report.toJson()));
          else
            report.print(file);
          return llvm::Error::success();
        });
    if (error)
      return module.emitError("summary: ") << llvm::toString(std::move(error));
    return success();
  }

  OwnedTensorReader read;
  llvm::raw_ostream *os;
  ReportReader give;
};
} // namespace

std::unique_ptr<Pass> fadiff::createQuantizePass(OwnedTensorReader read,
                                                 llvm::raw_ostream *os,
                                                 ReportReader report) {
  return std::make_unique<QuantizePass>(std::move(read), os, std::move(report));
}

void fadiff::registerQuantizePass(OwnedTensorReader read) {
  mlir::registerPass([read] { return createQuantizePass(read); });
}
