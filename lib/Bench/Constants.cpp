//===- Constants.cpp - The experiment behind the defaults -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Constants.h"

#include "fadiff/Bench/Networks.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Search/Exact.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <functional>
#include <optional>

using namespace fadiff;

namespace {
/// What is searched while a constant changes.
enum class Part { Gradient, Climb, Dosa, Ga };

struct Constant {
  std::string name;
  Part part;
  std::function<double(SearchOptions &, std::optional<double>)> access;
  std::vector<double> others; ///< values beside the default

  double get(SearchOptions options) const { return access(options, {}); }
  void set(SearchOptions &options, double value) const {
    access(options, value);
  }
};

struct Cell {
  Network network;
  Accelerator target;
  double optimum;
};
} // namespace

static std::vector<Constant> allConstants() {
  std::vector<Constant> all;
  auto add = [&](const char *name, Part part, auto options, auto member,
                 std::vector<double> others) {
    all.push_back({name, part,
                   [=](SearchOptions &o, std::optional<double> value) {
                     auto &field = o.*options.*member;
                     if (value)
                       field = std::decay_t<decltype(field)>(*value);
                     return double(field);
                   },
                   std::move(others)});
  };
  auto gradient = [&](const char *name, auto member,
                      std::vector<double> others) {
    add(name, Part::Gradient, &SearchOptions::gradient, member, others);
  };
  using G = GradientOptions;
  gradient("gradient.starts", &G::starts, {1, 2, 8});
  gradient("gradient.steps", &G::steps, {50, 100, 400});
  gradient("gradient.snapshotEvery", &G::snapshotEvery, {0, 10, 20});
  gradient("gradient.temperatureFirst", &G::temperatureFirst, {0.5, 1, 4});
  gradient("gradient.temperatureLast", &G::temperatureLast, {0.02, 0.5});
  gradient("gradient.divisorSharpness", &G::divisorSharpness, {0.5, 1, 4});
  gradient("gradient.orderTemperature", &G::orderTemperature, {0.05, 0.1, 0.5});
  gradient("gradient.penalty", &G::penalty, {1, 2, 10});
  gradient("gradient.learningRate", &G::learningRate, {0.05, 0.08, 0.15, 0.4});
  gradient("gradient.adamBeta1", &G::adamBeta1, {0.8, 0.95});
  gradient("gradient.adamBeta2", &G::adamBeta2, {0.9, 0.999});
  auto climb = &SearchOptions::climb;
  add("climb.sweeps", Part::Climb, climb, &ClimbOptions::sweeps, {5, 20, 200});
  add("climb.restarts", Part::Climb, climb, &ClimbOptions::restarts,
      {0, 24, 384});
  auto dosa = &SearchOptions::dosa;
  add("dosa.starts", Part::Dosa, dosa, &DosaOptions::starts, {3, 14});
  add("dosa.learningRate", Part::Dosa, dosa, &DosaOptions::learningRate,
      {0.0025, 0.01, 0.05});
  auto genetic = &SearchOptions::genetic;
  using GA = GeneticOptions;
  add("genetic.population", Part::Ga, genetic, &GA::population, {32, 128, 256});
  add("genetic.tournament", Part::Ga, genetic, &GA::tournament, {3, 6});
  add("genetic.crossoverRate", Part::Ga, genetic, &GA::crossoverRate, {0.5, 1});
  add("genetic.mutationRate", Part::Ga, genetic, &GA::mutationRate,
      {0.1, 0.3, 0.9});
  return all;
}

/// Everything but the constant.
static SearchOptions optionsOf(Part part, unsigned threads) {
  SearchOptions search;
  search.convention = Convention::Timeloop;
  search.fuse = Fuse::Off;
  search.threads = threads;
  search.closure.mostEvaluations = 0;
  if (part == Part::Gradient)
    search.climb.sweeps = 0;
  if (part == Part::Climb) {
    // From where a short descent ends; a full one leaves little to climb.
    search.gradient.starts = 1;
    search.gradient.steps = 20;
  }
  if (part == Part::Dosa)
    search.optimizer = Optimizer::Dosa;
  if (part == Part::Ga)
    search.optimizer = Optimizer::Ga;
  return search;
}

static llvm::Expected<std::vector<Cell>>
makeCells(const ConstantsOptions &options) {
  std::vector<std::string> networks = options.networks,
                           machines = options.machines;
  if (networks.empty())
    networks = {"resnet18", "mobilenetv1", "vgg16", "gpt3-512"};
  if (machines.empty())
    machines = {"gemmini-large", "gemmini-small"};
  std::vector<Cell> cells;
  for (const std::string &machine : machines) {
    llvm::Expected<Accelerator> target = findTarget(machine);
    if (!target)
      return target.takeError();
    for (const std::string &name : networks) {
      llvm::Expected<Network> network = benchNetwork(name);
      if (!network)
        return network.takeError();
      ExactOptions exact;
      exact.convention = Convention::Timeloop;
      exact.capacity = Capacity::Rows;
      llvm::Expected<ExactResult> best =
          exactSchedule(*network, *target, exact);
      if (!best)
        return best.takeError();
      cells.push_back({std::move(*network), *target, best->value});
    }
  }
  return std::move(cells);
}

static llvm::Expected<ConstantsPoint> measure(const Constant &constant,
                                              double value,
                                              llvm::ArrayRef<Cell> cells,
                                              const ConstantsOptions &options) {
  ConstantsPoint point;
  point.constant = constant.name;
  point.value = value;
  point.isDefault = value == constant.get({});
  SearchOptions search = optionsOf(constant.part, options.threads);
  constant.set(search, value);
  unsigned runs = 0;
  for (const Cell &cell : cells)
    for (search.seed = 0; search.seed < options.seeds; ++search.seed) {
      auto result = fadiff::search(cell.network, cell.target, search);
      if (!result)
        return result.takeError();
      const double gap = result->value() / cell.optimum - 1;
      point.worstGap = std::max(point.worstGap, gap);
      point.meanGap += gap;
      point.evaluations += double(result->evaluations);
      ++runs;
    }
  point.meanGap /= runs;
  point.evaluations /= runs;
  return point;
}

llvm::Expected<std::vector<ConstantsPoint>>
fadiff::runConstants(const ConstantsOptions &options) {
  if (options.seeds == 0)
    return llvm::createStringError("seeds: wanted at least 1, found 0");
  std::vector<Constant> constants = allConstants();
  for (const std::string &name : options.constants)
    if (llvm::none_of(constants,
                      [&](const Constant &c) { return c.name == name; }))
      return llvm::createStringError(
          "unknown constant '" + name + "': wanted one of " +
          llvm::join(llvm::map_range(constants,
                                     [](const Constant &c) { return c.name; }),
                     ", "));
  llvm::Expected<std::vector<Cell>> cells = makeCells(options);
  if (!cells)
    return cells.takeError();
  std::vector<ConstantsPoint> points;
  for (const Constant &constant : constants) {
    if (!options.constants.empty() &&
        !llvm::is_contained(options.constants, constant.name))
      continue;
    std::vector<double> values = constant.others;
    values.push_back(constant.get(optionsOf(constant.part, 1)));
    llvm::sort(values);
    for (double value : values) {
      llvm::Expected<ConstantsPoint> point =
          measure(constant, value, *cells, options);
      if (!point)
        return point.takeError();
      points.push_back(std::move(*point));
    }
  }
  return std::move(points);
}

llvm::json::Object fadiff::toJson(const std::vector<ConstantsPoint> &points) {
  llvm::json::Array array;
  for (const ConstantsPoint &point : points)
    array.push_back(llvm::json::Object{{"constant", point.constant},
                                       {"value", point.value},
                                       {"default", point.isDefault},
                                       {"worst_gap", point.worstGap},
                                       {"mean_gap", point.meanGap},
                                       {"evaluations", point.evaluations}});
  return llvm::json::Object{{"points", std::move(array)}};
}

std::string fadiff::toMarkdown(const std::vector<ConstantsPoint> &points) {
  std::string text = "| constant | values: worst gap (mean gap); the default "
                     "in bold |\n|---|---|\n";
  for (size_t i = 0; i < points.size(); ++i) {
    const ConstantsPoint &point = points[i];
    const bool isNew = i == 0 || points[i - 1].constant != point.constant;
    if (isNew)
      text += (i ? " |\n| `" : "| `") + point.constant + "` | ";
    else
      text += "; ";
    const char *mark = point.isDefault ? "**" : "";
    llvm::raw_string_ostream(text)
        << mark
        << llvm::format("%g: %.2f %% (%.2f %%)", point.value,
                        100 * point.worstGap, 100 * point.meanGap)
        << mark;
  }
  return text + (points.empty() ? "" : " |\n");
}
