//===- Emitted.cpp - Networks as emitted programs -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitted.h"

#include "fadiff/InitAll.h"
#include "fadiff/Simulator/Runtime.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "support/Network.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fadiff;

static llvm::Error failed(const llvm::Twine &what) {
  return llvm::createStringError(what + " failed; the diagnostic is above");
}

static mlir::DialectRegistry allDialects() {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  fadiff::registerAllDialects(registry);
  return registry;
}

EmittedNetworks::EmittedNetworks() : context(allDialects()) {
  context.printOpOnDiagnostic(false);
}

llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
EmittedNetworks::read(const std::string &file, const ModelOptions *options) {
  auto module =
      openNetwork(file, std::make_shared<llvm::SourceMgr>(), context, options);
  if (!module)
    return llvm::createStringError(
        "reading " + file + " failed: " + llvm::toString(module.takeError()));
  if (!*module)
    return failed("reading " + file);
  return module;
}

std::vector<std::string>
fadiff::machinesOrAll(llvm::ArrayRef<std::string> names) {
  if (names.empty())
    return {"gemmini-large", "gemmini-small", "gemmini"};
  return names.vec();
}

llvm::Expected<EmittedProgram>
fadiff::runEmitted(mlir::ModuleOp module, const std::string &what,
                   const std::string &target, const Contender &contender,
                   double limit, LoopUnitUse loopWs) {
  mlir::FailureOr<EntryPoint> entry = findEntryPoint(module, "main");
  if (mlir::failed(entry))
    return failed(what);
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  ScheduleOptions options;
  options.target = target;
  options.pack = contender.pack;
  options.latency = contender.latency;
  options.requantize = contender.requantize;
  options.timeLimit = llvm::formatv("{0:e9}s", limit).str();
  SearchOptions search;
  search.optimizer = contender.optimizer;
  search.objective = contender.objective;
  search.fuse = contender.fuse;
  search.countCore = contender.countCore;
  search.loopUnit = loopWs;
  search.timeLimit = limit;
  EmittedProgram result;
  if (mlir::failed(
          scheduleEntry(*copy, entry->name, options, search, &result.searches)))
    return failed(what);
  result.predicted = predictions(*copy);
  result.host = reportHost(*copy);
  auto program = compileScheduled(*copy, *entry);
  if (mlir::failed(program))
    return failed(what);
  auto arguments = makeUnfilledArguments(*entry, 0);
  if (!arguments)
    return arguments.takeError();
  result.accelerator = ir::lookupTarget(*copy).getAccelerator();
  sim::MachineOptions machineOptions;
  machineOptions.functional = false;
  result.machine =
      std::make_unique<sim::Machine>(result.accelerator, machineOptions);
  sim::Machine &machine = *result.machine;
  {
    sim::CurrentMachine current(machine);
    auto outputs = (*program)->run(*arguments);
    if (!outputs)
      return outputs.takeError();
  }
  if (machine.fault())
    return llvm::createStringError(what + ": " + machine.fault()->str());
  if (machine.hasUnfencedWrites())
    return llvm::createStringError(
        what + ": the program ends with a mvout that no fence follows");
  std::string text;
  llvm::raw_string_ostream errors(text);
  llvm::raw_null_ostream nowhere;
  if (!checkPredictions(nowhere, errors, result.predicted, machine))
    return llvm::createStringError(what + ": " + text);
  return result;
}
