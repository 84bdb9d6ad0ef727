//===- Problem.cpp - A network as distinct layers -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem.h"

#include "Hull.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ThreadPool.h"

#include <map>
#include <tuple>

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
    : network(network), target(target), objective(options.objective),
      convention(options.convention), space(options.space), fuse(options.fuse),
      seed(options.seed), foreignCost(options.cost),
      builtIn(createCostFunction(convention)),
      cost(foreignCost ? *foreignCost : *builtIn) {
  std::map<std::vector<int64_t>, unsigned> classes;
  for (auto [index, layer] : llvm::enumerate(network.layers)) {
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

std::mt19937_64 Problem::stream(Purpose purpose, size_t number) const {
  std::seed_seq sequence{uint32_t(seed), uint32_t(seed >> 32),
                         uint32_t(purpose), uint32_t(number)};
  return std::mt19937_64(sequence);
}

CornerChoice
fadiff::chooseCorners(const std::vector<std::vector<Corner>> &cornersPerClass,
                      const std::vector<double> &counts, Objective objective) {
  struct Step {
    double slope; ///< cycles gained per energy spent
    unsigned layerClass;
    unsigned to; ///< position in the hull
  };
  std::vector<std::vector<Corner>> hulls;
  std::vector<Step> steps;
  double energy = 0, cycles = 0;
  for (auto [c, corners] : llvm::enumerate(cornersPerClass)) {
    LowerHull<Corner> lower;
    for (const Corner &corner : corners)
      lower.insert(corner);
    const std::vector<Corner> &hull = hulls.emplace_back(lower.vertices());
    energy += counts[c] * hull.front().energy;
    cycles += counts[c] * hull.front().cycles;
    for (unsigned i = 1; i < hull.size(); ++i)
      steps.push_back({(hull[i - 1].cycles - hull[i].cycles) /
                           (hull[i].energy - hull[i - 1].energy),
                       unsigned(c), i});
  }
  // Slopes fall along each hull, so a class's steps stay in their order.
  llvm::sort(steps, [](const Step &a, const Step &b) {
    return std::tie(b.slope, a.layerClass, a.to) <
           std::tie(a.slope, b.layerClass, b.to);
  });
  auto value = [&] { return objectiveValue(objective, energy, cycles); };
  CornerChoice best;
  best.value = value();
  size_t bestAt = 0;
  for (auto [at, step] : llvm::enumerate(steps)) {
    const Corner &from = hulls[step.layerClass][step.to - 1];
    const Corner &to = hulls[step.layerClass][step.to];
    energy += counts[step.layerClass] * (to.energy - from.energy);
    cycles += counts[step.layerClass] * (to.cycles - from.cycles);
    if (value() < best.value) {
      best.value = value();
      bestAt = at + 1;
    }
  }
  std::vector<unsigned> positions(hulls.size(), 0);
  for (const Step &step : llvm::ArrayRef(steps).take_front(bestAt))
    positions[step.layerClass] = step.to;
  for (auto [hull, position] : llvm::zip(hulls, positions))
    best.indices.push_back(hull[position].index);
  return best;
}
