//===- Gradient.cpp - The gradient against what is known ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Gradient.h"

#include "fadiff/Bench/Attack.h"
#include "fadiff/Bench/Networks.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace fadiff;

static llvm::Expected<GradientRun> run(const Network &network,
                                       const Accelerator &target,
                                       const SearchOptions &options) {
  llvm::Expected<SearchResult> found = search(network, target, options);
  if (!found)
    return found.takeError();
  return GradientRun{found->value(), found->seconds};
}

static llvm::Error compare(GradientCell &cell, const Network &network,
                           const Accelerator &target,
                           const GradientComparison &how) {
  SearchOptions options;
  options.objective = cell.objective;
  options.threads = how.threads;
  options.latency = how.latency;
  auto put = [&](GradientRun &into) -> llvm::Error {
    llvm::Expected<GradientRun> result = run(network, target, options);
    if (!result)
      return result.takeError();
    into = *result;
    return llvm::Error::success();
  };
  if (llvm::Error error = put(cell.known))
    return error;
  options.optimizer = Optimizer::Gradient;
  if (llvm::Error error = put(cell.gradient))
    return error;
  options.gradient.steps = 0;
  return put(cell.withoutSteps);
}

llvm::Expected<std::vector<GradientCell>>
fadiff::compareGradient(const GradientComparison &options) {
  std::vector<GradientCell> cells;
  if (options.networks)
    for (llvm::StringRef name :
         {"resnet18", "mobilenetv1", "vgg16", "vgg19", "gpt3-512"})
      for (llvm::StringRef machine :
           {"gemmini-large", "gemmini-small", "gemmini"}) {
        llvm::Expected<Network> network = benchNetwork(name);
        if (!network)
          return network.takeError();
        GradientCell &cell = cells.emplace_back();
        cell.name = (name + " on " + machine).str();
        if (llvm::Error error =
                compare(cell, *network,
                        llvm::cantFail(findKnownTarget(machine)), options))
          return std::move(error);
      }
  for (uint64_t i = 0; i < options.cells; ++i) {
    const AttackCell drawn = attackCell(options.seed, options.first + i);
    GradientCell &cell = cells.emplace_back();
    cell.name = std::to_string(drawn.number);
    cell.objective = drawn.objective;
    if (llvm::Error error = compare(cell, drawn.network, drawn.target, options))
      return std::move(error);
  }
  return cells;
}

/// How many of the cells are within `excess` of the best that is known.
static int64_t countWithin(const std::vector<GradientCell> &cells,
                           const GradientRun GradientCell::*run,
                           double excess) {
  return llvm::count_if(cells, [&](const GradientCell &cell) {
    return (cell.*run).value <= cell.known.value * (1 + excess);
  });
}

llvm::json::Object fadiff::toJson(const std::vector<GradientCell> &cells) {
  llvm::json::Array rows;
  double worst = 0, worstWithout = 0;
  for (const GradientCell &cell : cells) {
    const double ratio = cell.gradient.value / cell.known.value;
    const double without = cell.withoutSteps.value / cell.known.value;
    worst = std::max(worst, ratio - 1);
    worstWithout = std::max(worstWithout, without - 1);
    rows.push_back(llvm::json::Object{
        {"cell", cell.name},
        {"objective", nameOf(cell.objective)},
        {"known", cell.known.value},
        {"known_seconds", cell.known.seconds},
        {"gradient", ratio},
        {"gradient_seconds", cell.gradient.seconds},
        {"without_steps", without},
        {"without_steps_seconds", cell.withoutSteps.seconds}});
  }
  return llvm::json::Object{
      {"cells", int64_t(cells.size())},
      {"gradient_within_one_percent",
       countWithin(cells, &GradientCell::gradient, 0.01)},
      {"gradient_worst_excess", worst},
      {"without_steps_within_one_percent",
       countWithin(cells, &GradientCell::withoutSteps, 0.01)},
      {"without_steps_worst_excess", worstWithout},
      {"rows", std::move(rows)},
  };
}

double LargeCell::bestOther() const {
  double best = std::numeric_limits<double>::infinity();
  for (const auto &[optimizer, run] : others)
    best = std::min(best, run.value);
  return best;
}

llvm::Expected<std::vector<LargeCell>> fadiff::compareLarge(uint64_t seed,
                                                            uint64_t first,
                                                            uint64_t count,
                                                            double seconds) {
  std::vector<LargeCell> cells;
  for (uint64_t number = first; number < first + count; ++number) {
    const AttackCell drawn = largeCell(seed, number);
    SearchOptions options;
    options.timeLimit = seconds;
    options.optimizer = Optimizer::Exact;
    llvm::Expected<SearchResult> exact =
        search(drawn.network, drawn.target, options);
    if (!exact)
      return exact.takeError();
    if (exact->bound && exact->value() <= *exact->bound * (1 + 1e-9))
      continue;
    LargeCell &cell = cells.emplace_back();
    cell.number = number;
    cell.layers = drawn.network.layers.size();
    cell.machine = drawn.target.name;
    cell.enumerated = exact->value();
    auto put = [&](GradientRun &into) -> llvm::Error {
      llvm::Expected<GradientRun> found =
          run(drawn.network, drawn.target, options);
      if (!found)
        return found.takeError();
      into = *found;
      return llvm::Error::success();
    };
    for (Optimizer other : {Optimizer::HillClimb, Optimizer::Ga, Optimizer::Bo,
                            Optimizer::Random, Optimizer::Dosa}) {
      options.optimizer = other;
      cell.others.push_back({other, {}});
      if (llvm::Error error = put(cell.others.back().second))
        return std::move(error);
    }
    options.optimizer = Optimizer::Gradient;
    if (llvm::Error error = put(cell.gradient))
      return std::move(error);
    options.gradient.steps = 0;
    if (llvm::Error error = put(cell.withoutSteps))
      return std::move(error);
  }
  return cells;
}

llvm::json::Object fadiff::toJson(const std::vector<LargeCell> &cells) {
  llvm::json::Array rows;
  int64_t better = 0, best = 0, bestWithout = 0;
  double logs = 0;
  for (const LargeCell &cell : cells) {
    const double other = cell.bestOther();
    // As good, but for rounding, is neither better nor worse.
    better += cell.gradient.value < other * (1 - 1e-9);
    best += cell.gradient.value <= other * (1 + 1e-9);
    bestWithout += cell.withoutSteps.value <= other * (1 + 1e-9);
    logs += std::log(cell.gradient.value / other);
    llvm::json::Object row{
        {"cell", int64_t(cell.number)},
        {"layers", int64_t(cell.layers)},
        {"machine", cell.machine},
        {"gradient", cell.gradient.value},
        {"gradient_seconds", cell.gradient.seconds},
        {"without_steps", cell.withoutSteps.value / cell.gradient.value},
        {"exact", cell.enumerated / cell.gradient.value}};
    for (const auto &[optimizer, run] : cell.others)
      row[nameOf(optimizer)] = run.value / cell.gradient.value;
    rows.push_back(std::move(row));
  }
  return llvm::json::Object{
      {"cells_without_proof", int64_t(cells.size())},
      {"gradient_better", better},
      {"gradient_not_worse", best},
      {"without_steps_not_worse", bestWithout},
      {"gradient_to_best_other",
       cells.empty() ? 1 : std::exp(logs / double(cells.size()))},
      {"rows", std::move(rows)},
  };
}
