//===- Exact.cpp - The best schedule there is, with a proof ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Exact.h"

#include "../Problem/Prices.h"
#include "../Problem/Problem.h"
#include "Enumerator.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>

using namespace fadiff;

llvm::Expected<ExactResult> fadiff::exactSchedule(const Network &network,
                                                  const Accelerator &target,
                                                  const ExactOptions &options) {
  Budget budget(options.timeLimit, options.stop);
  if (llvm::Error error = checkEdges(network))
    return std::move(error);

  ExactResult result;
  const Problem problem(network, target, {});
  std::vector<std::vector<Candidate>> hulls;
  std::vector<std::vector<BoundPoint>> bounds;
  for (size_t c = 0; c < problem.size(); ++c) {
    auto hull = enumerateLayer(problem.layer(c).layer, target, options, budget);
    if (!hull)
      return hull.takeError();
    result.evaluated += hull->evaluated;
    result.pruned += hull->pruned;
    bounds.push_back(std::move(hull->bound));
    hulls.push_back(std::move(hull->points));
  }

  const BestSum best = bestSum(hulls, problem.classCount, options.objective);
  for (auto [index, layerClass] : llvm::enumerate(problem.classOf)) {
    result.schedule.mappings.push_back(
        hulls[layerClass][best.indices[layerClass]].mapping);
    result.schedule.groups.push_back({{unsigned(index)}});
  }
  result.cost = evaluateSchedule(
      network, result.schedule, target,
      *createCostFunction(options.convention, Model::Exact, options.latency));
  result.cost.convention = options.convention;
  result.value =
      objectiveValue(options.objective, result.cost.energy, result.cost.cycles);
  const BestSum least = bestSum(bounds, problem.classCount, options.objective);
  // The same sum in another order differs by rounding.
  result.lowerBound = std::min(least.bound, result.value);
  if (least.bound >= best.bound)
    result.lowerBound = result.value;
  if (result.value > result.lowerBound)
    result.gap = result.lowerBound > 0
                     ? result.value / result.lowerBound - 1
                     : std::numeric_limits<double>::infinity();
  result.seconds = budget.seconds();
  return result;
}
