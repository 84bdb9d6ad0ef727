//===- RunReport.cpp - A report of a run ----------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/RunReport.h"
#include "fadiff/CostModel/ScheduleFile.h"

#include "llvm/ADT/StringMap.h"

#include <cmath>

using namespace fadiff;

ReportInput fadiff::reportInput(llvm::ArrayRef<NestPrediction> predicted,
                                const HostReport &host,
                                const sim::Machine &machine,
                                llvm::ArrayRef<FunctionSearch> searches,
                                std::unique_ptr<CostFunction> &cost) {
  ReportInput input;
  input.target = machine.accelerator();
  llvm::StringMap<int64_t> besides;
  for (const ReportedLayer &layer : host.layers)
    besides[layer.name] += layer.hostElements;
  std::string model;
  for (auto [region, nest] : llvm::enumerate(predicted)) {
    ReportedGroup group;
    group.simulated = machine.counters(int64_t(region));
    const double times = nest.unpredictedTrips(group.simulated);
    group.name = nest.name;
    group.network = nest.network;
    group.schedule = nest.schedule;
    group.runs = nest.tripsAreKnown ? nest.trips : group.simulated.runs;
    group.runsKnown = nest.tripsAreKnown;
    group.known = nest.known;
    group.energy = nest.energy * times;
    group.cycles = nest.cycles * times;
    group.dramRead = std::llround(double(nest.dramRead) * times);
    group.dramWrite = std::llround(double(nest.dramWrite) * times);
    for (const Layer &layer : nest.network.layers)
      group.hostElements += besides.lookup(layer.name);
    if (model.empty())
      model = nest.model;
    input.groups.push_back(std::move(group));
  }
  cost = findCostFunction(model);
  if (!cost)
    cost = createCostFunction(Convention::Machine);
  input.cost = cost.get();
  if (auto built = parseBuiltInModel(model.empty() ? "machine" : model))
    input.hasRates = built->convention == Convention::Machine &&
                     built->model == Model::Exact &&
                     (built->latency == Latency::Roofline ||
                      built->latency == Latency::Issue);
  for (const FunctionSearch &search : searches) {
    if (search.network.layers.empty())
      continue;
    input.searches.push_back(
        {search.function, &search.network, &search.result});
    input.objective = search.result.objective;
  }
  input.simulatedCycles = machine.cycles();
  input.coreCycles = host.cycles();
  input.host = host.toJson();
  return input;
}

std::vector<SearchedAgain>
fadiff::searchAgain(llvm::ArrayRef<FunctionSearch> searches,
                    const Accelerator &machine, SearchOptions options) {
  std::vector<SearchedAgain> points;
  const FunctionSearch *only = nullptr;
  for (const FunctionSearch &search : searches) {
    if (search.network.layers.empty())
      continue;
    if (only)
      return points;
    only = &search;
  }
  if (!only)
    return points;
  options.given = {};
  options.cache = nullptr;
  if (options.countCore)
    options.coreCycles = only->host.cycles(/*withPoolsOfLayers=*/false);
  for (const MachineKnob &knob : machineKnobs())
    for (double factor : {0.5, 2.0}) {
      // What a cost per access changes, the same schedule shows.
      if (llvm::StringRef(knob.name).contains("energy"))
        continue;
      SearchedAgain point{knob.name, factor};
      llvm::Expected<SearchResult> result =
          search(only->network, turnKnob(machine, knob.name, factor), options);
      if (result) {
        point.found = true;
        point.energy = result->cost.energy;
        point.cycles = result->cost.cycles;
      } else {
        llvm::consumeError(result.takeError());
      }
      points.push_back(std::move(point));
    }
  return points;
}
