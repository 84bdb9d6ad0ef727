//===- Scheduled.cpp - Run a scheduled network on the simulator -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/Scheduled.h"
#include "fadiff/Analysis/Trips.h"
#include "fadiff/Conversion/Passes.h"
#include "fadiff/CostModel/LoopLatency.h"
#include "fadiff/CostModel/ScheduleFile.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h"
#include "fadiff/Runner/HostLowering.h"
#include "fadiff/Schedule/MappingText.h"
#include "fadiff/Simulator/Runtime.h"
#include "fadiff/Transforms/Costs.h"
#include "fadiff/Transforms/SearchModule.h"
#include "fadiff/Workload/Layer.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace fadiff;

LogicalResult fadiff::scheduleEntry(ModuleOp module, StringRef entry,
                                    const ScheduleOptions &options,
                                    const SearchOptions &search,
                                    std::vector<FunctionSearch> *found) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.getName() != entry && !function.isDeclaration())
      function.setPrivate();
  PassManager isolate(module->getName());
  isolate.addPass(createInlinerPass());
  isolate.addPass(createSymbolDCEPass());
  PassManager prepare(module->getName());
  buildPreparePipeline(prepare, options);
  PassManager materialize(module->getName());
  buildMaterializePipeline(materialize);
  if (failed(isolate.run(module)) || failed(prepare.run(module)) ||
      failed(searchModule(module, search, options.pack, options.allowEmpty,
                          found)))
    return failure();
  return materialize.run(module);
}

void fadiff::buildSimulatorPipeline(OpPassManager &pm) {
  buildBufferizationPipeline(pm);
  pm.addPass(createLowerToGemminiPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
  pm.addPass(gemmini::createGemminiMergeFencesPass());
  pm.addPass(createConvertGemminiToLLVM());
  buildHostLoweringPipeline(pm);
}

FailureOr<std::unique_ptr<Program>>
fadiff::compileScheduled(ModuleOp module, const EntryPoint &entry,
                         ProgramOptions options) {
  OwningOpRef<ModuleOp> copy(module.clone());
  PassManager pm(copy->getContext());
  buildSimulatorPipeline(pm);
  if (failed(pm.run(*copy)))
    return failure();
  options.symbols.insert(options.symbols.end(),
                         {{"fadiff_gemmini_execute",
                           reinterpret_cast<void *>(&fadiff_gemmini_execute)},
                          {"fadiff_gemmini_fence",
                           reinterpret_cast<void *>(&fadiff_gemmini_fence)},
                          {"fadiff_gemmini_region",
                           reinterpret_cast<void *>(&fadiff_gemmini_region)},
                          {"fadiff_gemmini_member",
                           reinterpret_cast<void *>(&fadiff_gemmini_member)}});
  return Program::compile(*copy, entry, options);
}

std::vector<NestPrediction> fadiff::predictions(ModuleOp module) {
  std::vector<NestPrediction> result;
  ir::TargetAttr target = ir::lookupTarget(module);
  module.walk([&](ir::LoopNestOp nest) {
    NestPrediction prediction;
    // A nest may have been edited since its cost was written.
    if (target)
      (void)refreshCosts(nest, target.getAccelerator());
    Network &network = prediction.network;
    Schedule &schedule = prediction.schedule;
    ir::GroupValues values = ir::toGroup(nest);
    network = std::move(values.network);
    schedule.groups = {std::move(values.group)};
    SmallVector<ir::StageOp> stages = ir::computingStages(nest);
    for (ir::StageOp stage : stages) {
      if (stage.getMapping())
        schedule.mappings.push_back(ir::toMapping(*stage.getMapping()));
      bool first = prediction.name.empty();
      prediction.name += (first ? "" : "+") + stage.getName().str();
      if (stage.getMapping())
        prediction.mapping +=
            (first ? "" : "; ") + shortMappingText(schedule.mappings.back());
    }
    const Trips trips = runsOf(nest);
    prediction.trips = trips.count;
    prediction.tripsAreKnown = trips.isKnown();
    if (ir::CostAttr cost = nest.getCostAttr()) {
      prediction.known = true;
      prediction.model = cost.getModel().str();
      prediction.energy =
          cost.getEnergy().getValueAsDouble() * double(trips.count);
      prediction.cycles =
          cost.getCycles().getValueAsDouble() * double(trips.count);
      prediction.dramRead = cost.getDramRead() * trips.count;
      prediction.dramWrite = cost.getDramWrite() * trips.count;
    }
    if (schedule.mappings.size() != network.layers.size())
      schedule = {};
    else if (target)
      prediction.counts = evaluateGroup(
          network, schedule, schedule.groups.back(), target.getAccelerator());
    if (target && stages.size() == 1 && stages.front().getLoopWs()) {
      const Accelerator machine = target.getAccelerator();
      const Layer &layer = network.layers.front();
      const Mapping &mapping = schedule.mappings.front();
      llvm::Expected<MatmulLoop> loop = planMatmulLoop(layer, mapping, machine);
      prediction.byLoop = bool(loop);
      if (loop)
        prediction.cyclesByLoop = loopLatency(layer, mapping, *loop, machine);
      else
        llvm::consumeError(loop.takeError());
    }
    result.push_back(std::move(prediction));
  });
  return result;
}

bool fadiff::printAgreement(raw_ostream &os, ArrayRef<NestPrediction> predicted,
                            const HostReport &host,
                            const sim::Machine &machine) {
  bool agree = true, allKnown = true;
  double energy = 0, cycles = host.cycles();
  for (auto [region, nest] : llvm::enumerate(predicted)) {
    const sim::Counters found = machine.counters(region);
    const double times = nest.unpredictedTrips(found);
    allKnown &= nest.known;
    agree &= !nest.known || (std::llround(double(nest.dramRead) * times) ==
                                 found.dramBytesRead &&
                             std::llround(double(nest.dramWrite) * times) ==
                                 found.dramBytesWritten);
    energy += nest.energy * times;
    cycles += nest.cycles * times;
  }
  // The core works before, between and after the nests; what leaks grows with
  // time.
  const double simulated = double(machine.cycles()) + host.cycles();
  const double leakage = machine.accelerator().leakagePerCycle();
  energy += host.cycles() * leakage;
  const double simulatedEnergy = energy + (simulated - cycles) * leakage;
  if (allKnown)
    os << llvm::format("predicted EDP %.4e uJ*cycles; with simulated cycles "
                       "%.4e%s\n",
                       energy * 1e-6 * cycles,
                       simulatedEnergy * 1e-6 * simulated,
                       host.cycles() > 0 ? ", both with the core's" : "");
  const sim::Counters total = machine.total();
  os << "DRAM bytes read " << total.dramBytesRead << ", written "
     << total.dramBytesWritten << ": "
     << (!agree      ? "NOT as predicted"
         : !allKnown ? "nothing was predicted for rows with -"
                     : "as predicted")
     << '\n';
  if (const double weights = host.weightCycles())
    os << llvm::format("not counted: %.0f cycles of the core that lay out "
                       "weights, which fadiff-compile --prepare-weights does "
                       "once\n",
                       weights);
  return agree;
}
