//===- Exact.cpp - The best schedule there is, with a proof ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Exact.h"

#include "../Problem/Problem.h"
#include "Enumerator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>

using namespace fadiff;

llvm::Expected<ExactResult> fadiff::exactSchedule(const Network &network,
                                                  const Accelerator &target,
                                                  const ExactOptions &options) {
  Budget budget(options.timeLimit, options.stop);
  for (const Edge &edge : network.edges)
    if (edge.producer >= network.layers.size() ||
        edge.consumer >= network.layers.size())
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          llvm::formatv("edge {0} -> {1}: wanted layer numbers below {2}; fix "
                        "the network",
                        edge.producer, edge.consumer, network.layers.size())
              .str());

  ExactResult result;
  const Problem problem(network, target, {});
  std::vector<std::vector<HullPoint>> hulls;
  std::vector<std::vector<Corner>> corners, bounds;
  for (size_t c = 0; c < problem.size(); ++c) {
    auto hull = enumerateLayer(problem.layer(c).layer, target, options, budget);
    if (!hull)
      return hull.takeError();
    result.evaluated += hull->evaluated;
    result.pruned += hull->pruned;
    corners.push_back(cornersOf(hull->points));
    bounds.push_back(cornersOf(hull->bound));
    hulls.push_back(std::move(hull->points));
  }

  const CornerChoice best =
      chooseCorners(corners, problem.classCount, options.objective);
  for (auto [index, layerClass] : llvm::enumerate(problem.classOf)) {
    result.schedule.mappings.push_back(
        hulls[layerClass][best.indices[layerClass]].mapping);
    result.schedule.groups.push_back({{unsigned(index)}});
  }
  result.cost =
      evaluateSchedule(network, result.schedule, target, options.convention);
  result.value =
      objectiveValue(options.objective, result.cost.energy, result.cost.cycles);
  const CornerChoice least =
      chooseCorners(bounds, problem.classCount, options.objective);
  // The same sum in another order differs by rounding.
  result.lowerBound = std::min(least.value, result.value);
  if (least.value >= best.value)
    result.lowerBound = result.value;
  if (result.value > result.lowerBound)
    result.gap = result.lowerBound > 0
                     ? result.value / result.lowerBound - 1
                     : std::numeric_limits<double>::infinity();
  result.seconds = budget.seconds();
  return result;
}
