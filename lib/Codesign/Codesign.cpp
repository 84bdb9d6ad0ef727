//===- Codesign.cpp - The best machine of a design ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Codesign/Codesign.h"

#include "Machines.h"

#include "fadiff/Hardware/Fields.h"
#include "fadiff/Hardware/Figures.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <random>

using namespace fadiff;
using namespace fadiff::codesign_detail;

/// More legal machines than anybody has time to look at.
static constexpr double kMostMachines = 1e6;

static std::string fieldsOf(const Accelerator &machine) {
  std::string content;
  visitFields(
      [&](const Field &, const auto &value) { content += toText(value) + ' '; },
      machine);
  return content;
}

//===----------------------------------------------------------------------===//
// Machines
//===----------------------------------------------------------------------===//

llvm::Error Machines::list() {
  area = design.lawOf("area");
  if (options.mostArea > 0 && !area)
    return llvm::createStringError("an area is asked for, but design '" +
                                   design.name +
                                   "' has no law for it; wanted 'area'");
  double count = 1;
  for (const Parameter &parameter : design.parameters)
    count *= double(std::max<size_t>(1, parameter.values.size()));
  if (count > kMostMachines)
    return llvm::createStringError(llvm::formatv(
        "design '{0}' has {1:e2} combinations of parameters; wanted at most "
        "{2:e0}: give some of them a 'value'",
        design.name, count, kMostMachines));
  DesignPoint point = design.initial();
  std::optional<std::pair<double, DesignPoint>> smallest;
  std::string whyIllegal;
  auto add = [&] {
    llvm::Expected<Accelerator> machine = design.specialize(point);
    if (!machine) {
      whyIllegal = llvm::toString(machine.takeError());
      return;
    }
    ++result.legal;
    // Any number of a range: what the area is at least.
    DesignPoint low = point, high = point;
    for (auto [index, parameter] : llvm::enumerate(design.parameters))
      if (parameter.isContinuous()) {
        low[index] = parameter.from;
        high[index] = parameter.to;
      }
    const double mm2 = area ? area->range(low, high).first : 0;
    if (!smallest || mm2 < smallest->first)
      smallest = {mm2, point};
    if (isAffordable(mm2))
      points.push_back(point);
  };
  auto vary = [&](auto &self, size_t index) -> void {
    if (index == design.parameters.size())
      return add();
    const Parameter &parameter = design.parameters[index];
    if (parameter.isContinuous())
      return self(self, index + 1);
    for (double value : parameter.values) {
      point[index] = value;
      self(self, index + 1);
    }
  };
  vary(vary, 0);
  result.affordable = unsigned(points.size());
  if (!smallest)
    return llvm::createStringError(
        "design '" + design.name +
        "' has no legal machine; the last one: " + whyIllegal);
  if (points.empty())
    return llvm::createStringError(llvm::formatv(
        "no legal machine of design '{0}' has at most {1} mm2; the smallest "
        "has {2:f3} mm2: {3}",
        design.name, toText(options.mostArea), smallest->first,
        design.describe(smallest->second)));
  return llvm::Error::success();
}

Score Machines::scoreOf(std::vector<NetworkScore> networks,
                        const Accelerator &machine) const {
  // Cycles of clocks that differ are no time.
  const bool inTime = design.lawOf("clock_hz") && machine.clockHz > 0 &&
                      options.objective != Objective::Energy;
  const double unit = inTime ? 1e6 / machine.clockHz : 1;
  Score score;
  for (const NetworkScore &network : networks)
    score.milliwatts =
        std::max(score.milliwatts,
                 figuresOf(machine, network.energy, network.cycles).milliwatts);
  double logValue = 0, logBound = 0;
  bool hasBound = true;
  for (const NetworkScore &network : networks) {
    logValue += std::log(network.value * unit);
    hasBound = hasBound && network.bound && *network.bound > 0;
    if (hasBound)
      logBound += std::log(*network.bound * unit);
  }
  score.value = std::exp(logValue / double(networks.size()));
  if (hasBound)
    score.bound = std::exp(logBound / double(networks.size()));
  score.networks = std::move(networks);
  return score;
}

const Score *Machines::search(const Accelerator &machine) {
  auto [it, isNew] = known.try_emplace(fieldsOf(machine));
  if (isNew) {
    ++result.searches;
    llvm::Expected<std::vector<NetworkScore>> networks = score(machine);
    if (networks)
      it->second = scoreOf(std::move(*networks), machine);
    else if (std::string reason = llvm::toString(networks.takeError());
             firstReason.empty())
      firstReason = reason;
  }
  return it->second ? &*it->second : nullptr;
}

bool Machines::isBetter(const ScoredMachine &a, const ScoredMachine &b) const {
  if (options.goal == CodesignGoal::Smallest) {
    if (isEnough(a.value) != isEnough(b.value))
      return isEnough(a.value);
    if (isEnough(a.value) && a.machine.area != b.machine.area)
      return a.machine.area < b.machine.area;
  }
  if (a.value != b.value)
    return a.value < b.value;
  return a.machine.area < b.machine.area;
}

const Score *Machines::take(const DesignPoint &point) {
  llvm::Expected<Accelerator> machine = design.specialize(point);
  if (!machine) {
    llvm::consumeError(machine.takeError());
    return nullptr;
  }
  const unsigned before = result.searches;
  const Score *found = search(*machine);
  if (found && options.mostPower > 0 &&
      (!leastPower || found->milliwatts < leastPower->first))
    leastPower = {found->milliwatts, point};
  if (found && isWithinPower(*found) &&
      llvm::none_of(result.machines, [&](const ScoredMachine &other) {
        return other.point == point;
      })) {
    ScoredMachine taken{point, *machine, found->networks, found->value};
    if (isEnough(taken.value) && (!best || isBetter(taken, *best)))
      best = taken;
    result.machines.push_back(std::move(taken));
  }
  if (options.progress && result.searches > before)
    options.progress(result.searches, best ? best->value : 0, bound);
  return found;
}

bool Machines::mustStop() {
  result.stopped =
      result.stopped || (options.stop && *options.stop) ||
      (options.mostSearches && result.searches >= options.mostSearches);
  return result.stopped;
}

//===----------------------------------------------------------------------===//
// All, or random ones
//===----------------------------------------------------------------------===//

static llvm::Error refuseRanges(const Design &design, llvm::StringRef method) {
  for (const Parameter &parameter : design.parameters)
    if (parameter.isContinuous())
      return llvm::createStringError(
          "parameter '" + parameter.name + "' can be any number from " +
          toText(parameter.from) + " to " + toText(parameter.to) +
          ", which method " + method +
          " cannot try; choose boxes or descent, or give it values");
  return llvm::Error::success();
}

llvm::Error codesign_detail::searchGrid(Machines &machines) {
  if (llvm::Error error = refuseRanges(machines.design, "grid"))
    return error;
  // Of Best the least of all bounds; of Smallest the least area that may do.
  const bool wantsSmallest = machines.options.goal == CodesignGoal::Smallest;
  std::optional<double> bound = std::numeric_limits<double>::infinity();
  for (const DesignPoint &point : machines.points) {
    if (machines.mustStop())
      return llvm::Error::success();
    const Score *score = machines.take(point);
    if (!score || !bound)
      continue;
    if (!score->bound)
      bound = std::nullopt;
    else if (!wantsSmallest)
      bound = std::min(*bound, *score->bound);
    else if (machines.isEnough(*score->bound))
      bound = std::min(*bound, machines.areaOf(point));
  }
  if (bound && std::isfinite(*bound))
    machines.result.bound = bound;
  return llvm::Error::success();
}

llvm::Error codesign_detail::searchRandomly(Machines &machines) {
  if (llvm::Error error = refuseRanges(machines.design, "random"))
    return error;
  std::vector<DesignPoint> order = machines.points;
  std::mt19937_64 rng(machines.options.seed);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[rng() % i]);
  for (const DesignPoint &point : order) {
    if (machines.mustStop())
      break;
    machines.take(point);
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// All methods
//===----------------------------------------------------------------------===//

std::optional<double> CodesignResult::gap() const {
  if (!bound)
    return std::nullopt;
  const double value =
      goal == CodesignGoal::Smallest ? best().machine.area : best().value;
  return *bound > 0 ? std::max(0.0, value / *bound - 1) : 0;
}

llvm::Expected<CodesignResult> fadiff::codesign(const Design &design,
                                                const CodesignOptions &options,
                                                ScoreFunction score) {
  if (options.goal == CodesignGoal::Smallest && !design.lawOf("area"))
    return llvm::createStringError("the smallest machine is asked for, but "
                                   "design '" +
                                   design.name +
                                   "' has no law for the area; wanted 'area'");
  if (options.mostPower > 0) {
    llvm::Expected<Accelerator> any = design.specialize(design.initial());
    if (!any)
      return any.takeError();
    if (!(any->clockHz > 0))
      return llvm::createStringError(
          "a power is asked for, but design '" + design.name +
          "' has no clock, without which energy is no power; wanted 'clock'");
  }
  Machines machines(design, options, score);
  machines.result.goal = options.goal;
  if (llvm::Error error = machines.list())
    return std::move(error);
  llvm::Error error = llvm::Error::success();
  switch (options.method) {
  case CodesignMethod::Boxes:
    error = searchBoxes(machines);
    break;
  case CodesignMethod::Grid:
    error = searchGrid(machines);
    break;
  case CodesignMethod::Descent:
    error = descend(machines);
    break;
  case CodesignMethod::Random:
    error = searchRandomly(machines);
    break;
  }
  if (error)
    return std::move(error);
  CodesignResult &result = machines.result;
  if (result.machines.empty() && machines.leastPower)
    return llvm::createStringError(llvm::formatv(
        "no machine that was tried has a schedule of at most {0} mW; the least "
        "has {1:f3} mW: {2}",
        toText(options.mostPower), machines.leastPower->first,
        design.describe(machines.leastPower->second)));
  if (result.machines.empty() && machines.firstReason.empty() &&
      !result.stopped)
    return llvm::createStringError(
        "no machine of design '" + design.name + "' keeps the objective at " +
        toText(options.most) + ": by the bounds none can");
  if (result.machines.empty())
    return llvm::createStringError(
        machines.firstReason.empty()
            ? "stopped before a machine was searched"
            : "the networks run on no machine that was tried: " +
                  machines.firstReason);
  llvm::sort(result.machines,
             [&](const ScoredMachine &a, const ScoredMachine &b) {
               if (machines.isBetter(a, b) || machines.isBetter(b, a))
                 return machines.isBetter(a, b);
               return a.point < b.point;
             });
  if (!machines.isEnough(result.best().value) && !result.stopped)
    return llvm::createStringError(llvm::formatv(
        "no machine that was tried keeps the objective at {0}; the best has "
        "{1}: {2}",
        toText(options.most), toText(result.best().value),
        design.describe(result.best().point)));
  return std::move(result);
}

std::vector<const ScoredMachine *>
fadiff::paretoFront(llvm::ArrayRef<ScoredMachine> machines) {
  std::vector<const ScoredMachine *> sorted;
  for (const ScoredMachine &machine : machines)
    sorted.push_back(&machine);
  llvm::sort(sorted, [](const auto *a, const auto *b) {
    return std::tie(a->machine.area, a->value, a->point) <
           std::tie(b->machine.area, b->value, b->point);
  });
  std::vector<const ScoredMachine *> front;
  for (const ScoredMachine *machine : sorted)
    if (front.empty() || machine->value < front.back()->value)
      front.push_back(machine);
  return front;
}

static llvm::json::Object toJson(const ScoredMachine &scored,
                                 const Design &design,
                                 llvm::ArrayRef<std::string> networks) {
  llvm::json::Object parameters;
  for (auto [parameter, value] :
       llvm::zip_equal(design.parameters, scored.point)) {
    if (parameter.isWord())
      parameters[parameter.name] = parameter.toText(value);
    else
      parameters[parameter.name] = value;
  }
  llvm::json::Array byNetwork;
  for (auto [name, network] : llvm::zip_equal(networks, scored.networks)) {
    llvm::json::Object entry{{"network", name},
                             {"energy_pj", network.energy},
                             {"cycles", network.cycles},
                             {"value", network.value}};
    if (network.bound)
      entry["bound"] = *network.bound;
    const Figures figures =
        figuresOf(scored.machine, network.energy, network.cycles);
    if (figures.milliseconds > 0) {
      entry["ms"] = figures.milliseconds;
      entry["inferences_per_second"] = figures.perSecond;
      entry["milliwatts"] = figures.milliwatts;
    }
    byNetwork.push_back(std::move(entry));
  }
  return llvm::json::Object{{"parameters", std::move(parameters)},
                            {"area_mm2", scored.machine.area},
                            {"value", scored.value},
                            {"networks", std::move(byNetwork)}};
}

llvm::json::Object fadiff::toJson(const CodesignResult &result,
                                  const Design &design,
                                  llvm::ArrayRef<std::string> networks) {
  llvm::json::Array front;
  for (const ScoredMachine *machine : paretoFront(result.machines))
    front.push_back(::toJson(*machine, design, networks));
  llvm::json::Object object{{"design", design.name},
                            {"best", ::toJson(result.best(), design, networks)},
                            {"front_of_searched", std::move(front)},
                            {"searches", result.searches},
                            {"legal_machines", result.legal},
                            {"affordable_machines", result.affordable},
                            {"stopped", result.stopped}};
  if (result.bound) {
    object["bound"] = *result.bound;
    object["gap"] = *result.gap();
  }
  return object;
}
