//===- fadiff-translate.cpp - mlir-translate with FADiff in it --*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Hardware/Yaml.h"
#include "fadiff/InitAll.h"
#include "fadiff/Pipelines/Pipelines.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Transforms/ScheduleIO.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllTranslations.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/LogicalResult.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "support/Network.h"
#include "support/Tool.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace fadiff;

static llvm::cl::opt<std::string> networkFile(
    "fadiff-network", llvm::cl::value_desc("network.mlir"),
    llvm::cl::desc("The network that --fadiff-json-to-schedule schedules: "
                   "linalg on tensors, or layers"),
    llvm::cl::init(""));

static llvm::cl::extrahelp examples(R"(
EXAMPLES:
  fadiff-opt examples/tiny.mlir --fadiff-schedule=target=gemmini-small -o scheduled.mlir
  fadiff-translate --fadiff-schedule-to-json scheduled.mlir -o schedule.json
  fadiff-translate --fadiff-json-to-schedule schedule.json --fadiff-network=examples/tiny.mlir -o mapped.mlir
)");

static void registerDialects(DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  fadiff::registerAllDialects(registry);
}

/// The network with the schedule on it: what --fadiff-search would have left.
static OwningOpRef<Operation *> readScheduled(llvm::SourceMgr &sources,
                                              MLIRContext *context) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  Location loc = FileLineColLoc::get(context, buffer->getBufferIdentifier(),
                                     /*line=*/1, /*column=*/1);
  if (networkFile.empty())
    return emitError(loc, "wanted the network that the schedule is for, found "
                          "none; give --fadiff-network=network.mlir"),
           nullptr;
  llvm::Expected<ScheduleFile> schedule =
      readSchedule(buffer->getBuffer(), buffer->getBufferIdentifier());
  if (!schedule)
    return emitError(loc) << llvm::toString(schedule.takeError()), nullptr;
  context->loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module =
      readNetwork(networkFile, std::make_shared<llvm::SourceMgr>(), *context);
  if (!module)
    return nullptr;
  PassManager pm(context);
  const bool hasLayers =
      module->walk([](ir::LayerOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  if (hasLayers) {
    pm.addPass(createFormLayersPass());
  } else {
    // As it was prepared before; packed taps are those of the file.
    if (!ir::lookupTarget(*module))
      (*module)->setAttr(kTargetAttrName,
                         ir::TargetAttr::get(context, schedule->target));
    PrepareOptions options;
    options.pack = Packing::Off;
    if (std::optional<BuiltInModel> model =
            parseBuiltInModel(schedule->model)) {
      options.convention = model->convention;
      options.model = model->model;
      options.latency = toChoice(model->latency);
    }
    buildPreparePipeline(pm, options);
  }
  // Another model than a built-in one must be on the layers already.
  if (std::optional<BuiltInModel> model = parseBuiltInModel(schedule->model))
    pm.addPass(createAttachCostPass(
        {model->convention, model->model, toChoice(model->latency)}));
  if (failed(pm.run(*module)) || failed(applyScheduleFile(*module, *schedule)))
    return nullptr;
  return OwningOpRef<Operation *>(module.release().getOperation());
}

/// mlirTranslateMain() opens its output first, which empties what was there,
/// and keeps the option -o to itself. So it is given another name for the file.
static LogicalResult translate(int argc, char **argv) {
  auto run = [&] {
    return mlirTranslateMain(argc, argv, "FADiff translation driver");
  };
  int position = 0;
  StringRef option, path;
  for (int i = 1; i < argc && StringRef(argv[i]) != "--"; ++i) {
    StringRef argument = argv[i];
    if (!argument.consume_front("-"))
      continue;
    argument.consume_front("-");
    if (argument.consume_front("o=")) {
      position = i;
      option = "-o=";
      path = argument;
    } else if (argument == "o" && i + 1 < argc) {
      position = ++i;
      option = "";
      path = argv[i];
    }
  }
  if (position == 0)
    return run();
  auto file = OutputFile::open(path);
  if (!file) {
    llvm::errs() << "error: " << llvm::toString(file.takeError()) << '\n';
    return failure();
  }
  std::string renamed = (option + file->currentPath()).str();
  argv[position] = renamed.data();
  if (failed(run()))
    return failure();
  if (llvm::Error error = file->keep()) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
    return failure();
  }
  return success();
}

int main(int argc, char **argv) {
  Tool tool(argc, argv);
  registerAllTranslations();
  TranslateFromMLIRRegistration toJson(
      "fadiff-schedule-to-json",
      "Write the schedule of mapped layers or loop nests as JSON",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        auto module = dyn_cast<ModuleOp>(op);
        if (!module)
          return op->emitError("wanted a module, found '")
                 << op->getName() << "'";
        return exportSchedule(module, os);
      },
      registerDialects);
  TranslateFromMLIRRegistration toMachine(
      "fadiff-target-to-yaml",
      "Write the module's target as the description of a machine",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        FailureOr<Accelerator> target = ir::requireTarget(op);
        if (failed(target))
          return failure();
        os << toYaml(*target);
        return success();
      },
      registerDialects);
  TranslateFromMLIRRegistration toScala(
      "fadiff-target-to-gemmini-config",
      "Write the module's target as parameters of Gemmini's generator",
      [](Operation *op, raw_ostream &os) -> LogicalResult {
        FailureOr<Accelerator> target = ir::requireTarget(op);
        if (failed(target))
          return failure();
        llvm::Expected<std::string> config = toGemminiConfig(*target);
        if (!config)
          return op->emitError() << llvm::toString(config.takeError());
        os << *config;
        return success();
      },
      registerDialects);
  TranslateToMLIRRegistration fromJson(
      "fadiff-json-to-schedule",
      "Read a schedule as JSON and write it on the layers of --fadiff-network",
      [](llvm::SourceMgr &sources, MLIRContext *context) {
        return readScheduled(sources, context);
      },
      registerDialects);
  return tool.exitCode(succeeded(translate(argc, argv)));
}
