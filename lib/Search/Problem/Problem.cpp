//===- Problem.cpp - A network as distinct layers -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"

#include <map>

using namespace fadiff;

void fadiff::forEachTask(unsigned threads, size_t count,
                         llvm::function_ref<void(size_t)> task) {
  if (threads <= 1 || count <= 1) {
    for (size_t i = 0; i < count; ++i)
      task(i);
    return;
  }
  llvm::ThreadPoolStrategy strategy;
  strategy.ThreadsRequested = unsigned(std::min<size_t>(threads, count));
  // Threads beyond the cores only take turns, but were asked for.
  strategy.Limit = false;
  strategy.UseHyperThreads = true;
  llvm::DefaultThreadPool pool(strategy);
  for (size_t i = 0; i < count; ++i)
    pool.async([&task, i] { task(i); });
  pool.wait();
}

Problem::Problem(const Network &network, const Accelerator &target,
                 const SearchOptions &options)
    : network(network), target(target), convention(options.convention),
      latency(options.latency), space(options.space), fuse(options.fuse),
      seed(options.seed), foreignCost(options.cost),
      walks(std::make_unique<StreamWalks>(target)),
      builtIn(createCostFunction(convention, Model::Exact, latency,
                                 options.overlap, walks.get())),
      cost(foreignCost ? *foreignCost : *builtIn), given(options.given),
      isGiven(network.layers.size(), false), aim(options.objective) {
  if (options.constraint)
    aim.limit = {options.constraint->limitsEnergy(),
                 llvm::cantFail(options.constraint->limitOn(target))};
  for (const FusionGroup &group : given.groups) {
    for (unsigned layer : group.layers)
      isGiven[layer] = true;
    const GroupCost cost =
        evaluateGroup(network, given, group, target, this->cost);
    // All of a group runs equally often: its layers stand in one block.
    const double trips = double(network.layers[group.layers.front()].trips);
    aim.given.energy += trips * cost.energy;
    aim.given.cycles += trips * cost.cycles;
    if (options.countCore && !group.poolsOutput) {
      const Layer &last = network.layers[group.layers.back()];
      addCore(aim.given, trips * poolCyclesOfCore(last, target));
    }
  }
  for (auto [index, layer] : llvm::enumerate(network.layers)) {
    coreCycles.push_back(options.countCore ? poolCyclesOfCore(layer, target)
                                           : 0);
    if (!isGiven[index])
      allCoreCycles += double(layer.trips) * coreCycles.back();
  }
  if (options.countCore)
    besides = options.coreCycles;
  addCore(aim.given, allCoreCycles + besides);
  std::map<std::vector<int64_t>, unsigned> classes;
  for (auto [index, layer] : llvm::enumerate(network.layers)) {
    if (isGiven[index]) {
      classOf.push_back(kNoClass);
      continue;
    }
    auto [it, isNew] =
        classes.insert({contentOf(layer), unsigned(firstOfClass.size())});
    if (isNew) {
      firstOfClass.push_back(unsigned(index));
      classCount.push_back(0);
    }
    classOf.push_back(it->second);
    classCount[it->second] += double(layer.trips);
  }
}

bool Problem::areGivenTogether(const Edge &edge) const {
  return llvm::any_of(given.groups, [&](const FusionGroup &group) {
    return llvm::is_contained(group.layers, edge.producer) &&
           llvm::is_contained(group.layers, edge.consumer);
  });
}

std::mt19937_64 Problem::stream(Purpose purpose, size_t number) const {
  std::seed_seq sequence{uint32_t(seed), uint32_t(seed >> 32),
                         uint32_t(purpose), uint32_t(number)};
  return std::mt19937_64(sequence);
}

llvm::Error fadiff::checkEdges(const Network &network) {
  for (const Edge &edge : network.edges)
    if (edge.producer >= network.layers.size() ||
        edge.consumer >= network.layers.size())
      return llvm::createStringError(
          "edge %u -> %u: wanted layer numbers below %zu; fix the network",
          edge.producer, edge.consumer, network.layers.size());
  return llvm::Error::success();
}

llvm::Error fadiff::checkGiven(const Network &network, const Schedule &given,
                               const Accelerator &target) {
  const size_t size = network.layers.size();
  if (!given.groups.empty() && given.mappings.size() != size)
    return llvm::createStringError(
        "given groups: wanted a mapping per layer of the network, %zu, found "
        "%zu",
        size, given.mappings.size());
  std::vector<bool> known(size, false);
  for (const FusionGroup &group : given.groups) {
    for (unsigned layer : group.layers) {
      if (layer >= size)
        return llvm::createStringError(
            "given groups: wanted layer numbers below %zu, found %u", size,
            layer);
      if (known[layer])
        return llvm::createStringError(
            "given groups: wanted each layer in one at most, found '%s' in two",
            network.layers[layer].name.c_str());
      known[layer] = true;
    }
    if (llvm::Error error = verify(network, given, group, target))
      return error;
  }
  return llvm::Error::success();
}
