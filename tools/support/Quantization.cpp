//===- Quantization.cpp - Tools that quantise what they read --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantization.h"
#include "Network.h"
#include "fadiff/Quantize/Passes.h"
#include "fadiff/Support/Files.h"

#include "mlir/Pass/PassManager.h"

using namespace fadiff;
namespace cl = llvm::cl;

QuantizationOptions::QuantizationOptions(cl::OptionCategory &category)
    : quantize("quantize",
               cl::desc("Make the network one of int8 first "
                        "(docs/Quantization.md)"),
               cl::init(false), cl::cat(category)),
      calibration("calibration", cl::value_desc("directory"),
                  cl::desc("Samples that --quantize observes ranges with: .npy "
                           "or .pb files, or subdirectories of input_<n> "
                           "files"),
                  cl::init(""), cl::cat(category)),
      options("quantize-options", cl::value_desc("options"),
              cl::desc("More options of the pass fadiff-quantize, such as "
                       "\"ranges=mse bias-correction\""),
              cl::init(""), cl::cat(category)),
      report("quantize-report", cl::value_desc("file"),
             cl::desc("Where to write what quantisation cost, as JSON if it "
                      "ends in .json"),
             cl::init(""), cl::cat(category)) {}

std::unique_ptr<mlir::Pass>
QuantizationOptions::makePass(llvm::StringRef entry, llvm::StringRef target,
                              llvm::raw_ostream &os,
                              const ImageNumbers &numbers) const {
  std::string text;
  auto add = [&](llvm::StringRef name, llvm::StringRef value) {
    if (!value.empty())
      text += (name + "='" + value + "' ").str();
  };
  add("calibration", calibration);
  add("entry", entry);
  add("target", target);
  add("summary", report);
  text += options;
  std::unique_ptr<mlir::Pass> pass = createQuantizePass(
      [numbers](llvm::StringRef path, const TensorSpec &wanted) {
        return readTensor(path, wanted, numbers);
      },
      &os);
  auto complain = [](const llvm::Twine &message) {
    llvm::errs() << "error: --quantize-options: " << message << '\n';
    return mlir::failure();
  };
  if (failed(pass->initializeOptions(text, complain)))
    return nullptr;
  return pass;
}

llvm::Error QuantizationOptions::check(llvm::StringRef target) const {
  if (!quantize) {
    for (const cl::Option *option :
         {static_cast<const cl::Option *>(&calibration),
          static_cast<const cl::Option *>(&options),
          static_cast<const cl::Option *>(&report)})
      if (option->getNumOccurrences() > 0)
        return llvm::createStringError("--" + option->ArgStr +
                                       " has no meaning without --quantize");
    return llvm::Error::success();
  }
  if (llvm::Error error = checkWritable("--quantize-report", report))
    return error;
  if (!makePass("", target, llvm::nulls(), {}))
    return llvm::createStringError("--quantize-options: wanted options of "
                                   "--fadiff-quantize, found '" +
                                   options + "'");
  return llvm::Error::success();
}

llvm::LogicalResult
QuantizationOptions::apply(mlir::ModuleOp module, llvm::StringRef entry,
                           llvm::StringRef target, llvm::raw_ostream &os,
                           const ImageNumbers &numbers) const {
  if (!quantize)
    return mlir::success();
  std::unique_ptr<mlir::Pass> pass = makePass(entry, target, os, numbers);
  if (!pass)
    return mlir::failure();
  mlir::PassManager pm(module->getName());
  pm.addPass(std::move(pass));
  return pm.run(module);
}
