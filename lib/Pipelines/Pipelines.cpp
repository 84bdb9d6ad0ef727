//===- Pipelines.cpp - Named pipelines ------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Pipelines/Pipelines.h"
#include "fadiff/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace fadiff;

/// Everything before the search, with the options that all pipelines have.
template <typename OptionsT>
static void prepare(OpPassManager &pm, const OptionsT &options,
                    LatencyChoice latency, bool copiesPools) {
  pm.addPass(createStaticShapesPass());
  pm.addPass(createRaiseMemrefsPass());
  pm.addPass(createImportPass());
  pm.addPass(createAttachTargetPass({options.target}));
  pm.addPass(createNormalizePass({options.requantize, options.halves}));
  pm.addPass(createFormLayersPass(
      {options.allowEmpty, options.residual, copiesPools}));
  pm.addPass(createFuseHostPass());
  pm.addPass(createTabulatePass());
  pm.addPass(
      createAttachCostPass({options.convention, options.model, latency}));
  pm.addPass(createPackTapsPass({options.pack}));
}

static LatencyChoice latencyOf(const ScheduleOptions &options,
                               bool ofMachines = false) {
  return toChoice(resolve(options.latency, options.convention, options.model,
                          ofMachines || options.optimizer == Optimizer::Exact));
}

/// Copies in front of pooling pay by the core's time alone.
static bool copiesPools(const ScheduleOptions &options) {
  return options.convention == Convention::Machine &&
         options.core == Switch::On && options.objective != Objective::Energy;
}

void fadiff::buildPreparePipeline(OpPassManager &pm,
                                  const PrepareOptions &options) {
  prepare(pm, options, options.latency,
          options.convention == Convention::Machine);
}

void fadiff::buildPreparePipeline(OpPassManager &pm,
                                  const ScheduleOptions &options) {
  prepare(pm, options, latencyOf(options), copiesPools(options));
}

void fadiff::buildMaterializePipeline(OpPassManager &pm) {
  pm.addPass(createVerifySchedulePass());
  pm.addPass(createMaterializePass());
  pm.addPass(createVerifySchedulePass());
}

/// What the search of a pass does by the pipeline's options.
template <typename PassOptionsT>
static PassOptionsT searchOptions(const ScheduleOptions &options) {
  PassOptionsT search;
  search.optimizer = options.optimizer;
  search.objective = options.objective;
  search.constraint = options.constraint;
  search.seed = options.seed;
  search.timeLimit = options.timeLimit;
  search.maxEvaluations = options.maxEvaluations;
  search.threads = options.threads;
  search.starts = options.starts;
  search.steps = options.steps;
  search.fuse = options.fuse;
  search.unevenTiles = options.unevenTiles;
  search.blockDiagonal = options.blockDiagonal;
  search.cache = options.cache;
  search.loopWs = options.loopWs;
  search.core = options.core;
  search.pack = options.pack;
  search.summary = options.summary;
  search.allowEmpty = options.allowEmpty;
  return search;
}

void fadiff::buildSchedulePipeline(OpPassManager &pm,
                                   const ScheduleOptions &options) {
  buildPreparePipeline(pm, options);
  pm.addPass(createSearchPass(searchOptions<SearchPassOptions>(options)));
  buildMaterializePipeline(pm);
}

void fadiff::buildCodesignPipeline(OpPassManager &pm,
                                   const CodesignPipelineOptions &options) {
  prepare(pm, options, latencyOf(options, /*ofMachines=*/true),
          copiesPools(options));
  auto choose = searchOptions<ChooseMachinePassOptions>(options);
  choose.design = options.design;
  choose.method = options.method;
  choose.area = options.area;
  choose.power = options.power;
  choose.most = options.most;
  choose.gap = options.gap;
  choose.searches = options.searches;
  choose.machine = options.machine;
  choose.front = options.front;
  choose.frontOver = options.frontOver;
  pm.addPass(createChooseMachinePass(choose));
  auto search = searchOptions<SearchPassOptions>(options);
  search.summary = "";
  pm.addPass(createSearchPass(search));
}

void fadiff::registerPipelines() {
  PassPipelineRegistration<PrepareOptions>(
      "fadiff-prepare",
      "Everything before the search: layers, target, cost model, packed taps",
      [](OpPassManager &pm, const PrepareOptions &options) {
        buildPreparePipeline(pm, options);
      });
  PassPipelineRegistration<ScheduleOptions>(
      "fadiff-schedule",
      "Schedule a network: layers, target, cost model, search, loop nests",
      buildSchedulePipeline);
  PassPipelineRegistration<CodesignPipelineOptions>(
      "fadiff-codesign",
      "Find the machine of a design on which a network does best, and map it",
      buildCodesignPipeline);
}
