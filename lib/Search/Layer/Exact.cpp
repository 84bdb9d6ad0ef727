//===- Exact.cpp - The best schedule there is, with a proof ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Exact.h"

#include "Enumerator.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

using namespace fadiff;

namespace {
/// The best corner of a sum of hulls.
struct Corner {
  std::vector<size_t> vertex; ///< per hull
  double value = 0;
};
} // namespace

/// Walks the sum of `counts[i]` copies of each hull from least energy to least
/// latency. The product is quasi-concave, so the best point of everything above
/// the sum's lower hull is one of its corners (docs/ExactBound.md).
template <typename PointT>
static Corner bestCorner(const std::vector<std::vector<PointT>> &hulls,
                         const std::vector<double> &counts,
                         Objective objective) {
  struct Step {
    size_t hull, to;
    double slope; ///< cycles saved per pJ
  };
  std::vector<Step> steps;
  for (auto [index, hull] : llvm::enumerate(hulls))
    for (size_t to = 1; to < hull.size(); ++to)
      steps.push_back({index, to,
                       (hull[to - 1].cycles - hull[to].cycles) /
                           (hull[to].energy - hull[to - 1].energy)});
  // Within a hull the slopes fall but for rounding.
  llvm::sort(steps, [](const Step &a, const Step &b) {
    return std::tie(b.slope, a.hull, a.to) < std::tie(a.slope, b.hull, b.to);
  });

  auto total = [&](const std::vector<size_t> &vertex) {
    double energy = 0, cycles = 0;
    for (auto [hull, at, count] : llvm::zip(hulls, vertex, counts)) {
      energy += count * hull[at].energy;
      cycles += count * hull[at].cycles;
    }
    return std::pair(energy, cycles);
  };
  std::vector<size_t> vertex(hulls.size(), 0);
  Corner best;
  auto look = [&] {
    auto [energy, cycles] = total(vertex);
    double value = objectiveValue(objective, energy, cycles);
    if (best.vertex.empty() || value < best.value)
      best = {vertex, value};
  };
  look();
  for (const Step &step : steps) {
    vertex[step.hull] = std::max(vertex[step.hull], step.to);
    look();
  }
  return best;
}

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
  std::map<std::vector<int64_t>, size_t> known;
  std::vector<size_t> classOf;
  std::vector<double> counts;
  std::vector<std::vector<HullPoint>> hulls;
  std::vector<std::vector<BoundPoint>> bounds;
  for (const Layer &layer : network.layers) {
    auto [it, isNew] = known.insert({contentOf(layer), hulls.size()});
    classOf.push_back(it->second);
    if (!isNew) {
      counts[it->second] += double(layer.trips);
      continue;
    }
    auto hull = enumerateLayer(layer, target, options, budget);
    if (!hull)
      return hull.takeError();
    result.evaluated += hull->evaluated;
    result.pruned += hull->pruned;
    hulls.push_back(std::move(hull->points));
    bounds.push_back(std::move(hull->bound));
    counts.push_back(double(layer.trips));
  }

  Corner best = bestCorner(hulls, counts, options.objective);
  for (auto [index, layerClass] : llvm::enumerate(classOf)) {
    result.schedule.mappings.push_back(
        hulls[layerClass][best.vertex[layerClass]].mapping);
    result.schedule.groups.push_back({{unsigned(index)}});
  }
  result.cost =
      evaluateSchedule(network, result.schedule, target, options.convention);
  result.value =
      objectiveValue(options.objective, result.cost.energy, result.cost.cycles);
  Corner least = bestCorner(bounds, counts, options.objective);
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
