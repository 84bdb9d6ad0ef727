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
#include "fadiff/Search/GaussianProcess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <random>
#include <set>

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

static double mostPowerOf(llvm::ArrayRef<NetworkScore> networks,
                          const Accelerator &machine) {
  double most = 0;
  for (const NetworkScore &network : networks)
    most = std::max(
        most, figuresOf(machine, network.energy, network.cycles).milliwatts);
  return most;
}

double ScoredMachine::milliwatts() const {
  return mostPowerOf(networks, machine);
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
  score.milliwatts = mostPowerOf(networks, machine);
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
  return look(machine, score, known, result.searches);
}

const Score *Machines::boundOf(const Accelerator &machine) {
  return hasBounds() ? look(machine, bounds, knownBounds, result.bounded)
                     : search(machine);
}

const Score *Machines::look(const Accelerator &machine, ScoreFunction find,
                            Scores &known, unsigned &count) {
  auto [it, isNew] = known.try_emplace(fieldsOf(machine));
  if (isNew) {
    ++count;
    llvm::Expected<std::vector<NetworkScore>> networks = find(machine);
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

/// In which direction a number is never worse for an objective that counts
/// accesses, roofs of array, memories and issue, and the core. What only the
/// simulated time depends on is not among them: it is the same in a box.
Better codesign_detail::betterOf(llvm::StringRef field) {
  if (field == "accumulator_bytes" || field == "scratchpad_bytes" ||
      field.starts_with("bandwidth_") || field == "clock_hz")
    return Better::More;
  if (field.starts_with("energy_") || field == "command_cycles" ||
      field.starts_with("core_") || field == "leakage" || field == "area")
    return Better::Less;
  return Better::Unknown;
}

void codesign_detail::setByLaws(
    Accelerator &machine, const Design &design,
    llvm::function_ref<double(Better, const Law &)> valueOf) {
  for (const auto &[name, law] : design.laws) {
    const Better better = betterOf(name);
    if (better == Better::Unknown)
      continue;
    const double set = valueOf(better, law);
    visitFields(
        [&, &name = name](const Field &field, auto &value) {
          if (name != field.name)
            return;
          using T = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<T, double>)
            value = set;
          else if constexpr (std::is_same_v<T, int64_t>)
            value = better == Better::More ? int64_t(std::ceil(set - 1e-6))
                                           : int64_t(std::floor(set + 1e-6));
        },
        machine);
  }
}

std::vector<bool> Machines::structural() const {
  std::vector<bool> structural;
  for (const Parameter &parameter : design.parameters)
    structural.push_back(parameter.isWord());
  for (const auto &[field, law] : design.laws)
    if (betterOf(field) == Better::Unknown)
      for (const Monomial &term : law.terms)
        for (auto [parameter, exponent] : term.powers)
          structural[parameter] = true;
  return structural;
}

std::vector<std::vector<const DesignPoint *>> Machines::byStructure() const {
  const std::vector<bool> isStructural = structural();
  std::map<DesignPoint, std::vector<const DesignPoint *>> groups;
  for (const DesignPoint &point : points) {
    DesignPoint key;
    for (size_t i = 0; i < point.size(); ++i)
      key.push_back(isStructural[i] ? point[i] : 0);
    groups[key].push_back(&point);
  }
  std::vector<std::vector<const DesignPoint *>> all;
  for (auto &[key, group] : groups)
    all.push_back(std::move(group));
  return all;
}

bool Machines::hasRanges() const {
  return llvm::any_of(design.parameters, [](const Parameter &parameter) {
    return parameter.isContinuous();
  });
}

bool Machines::isLegal(const DesignPoint &point) const {
  if (!isAffordable(areaOf(point)))
    return false;
  llvm::Expected<Accelerator> machine = design.specialize(point);
  if (machine)
    return true;
  llvm::consumeError(machine.takeError());
  return false;
}

std::optional<DesignPoint> Machines::randomPoint(std::mt19937_64 &rng) const {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    DesignPoint point = points[rng() % points.size()];
    for (auto [parameter, value] : llvm::zip_equal(design.parameters, point))
      if (parameter.isContinuous())
        value = parameter.from * std::pow(parameter.to / parameter.from,
                                          double(rng() >> 11) * 0x1.0p-53);
    if (isAffordable(areaOf(point)))
      return point;
  }
  return std::nullopt;
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

llvm::Error codesign_detail::refuseRanges(const Design &design,
                                          llvm::StringRef method) {
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

/// Of ranges there is no end, and not every number makes a machine.
static bool hasTriedEnough(Machines &machines, unsigned tried) {
  constexpr unsigned kTries = 100;
  if (machines.mustStop())
    return true;
  return machines.hasRanges() &&
         tried >= kTries * std::max(1u, machines.options.mostSearches);
}

llvm::Error codesign_detail::searchRandomly(Machines &machines) {
  std::mt19937_64 rng(machines.options.seed);
  if (machines.hasRanges()) {
    for (unsigned tried = 0; !hasTriedEnough(machines, tried); ++tried)
      if (std::optional<DesignPoint> point = machines.randomPoint(rng))
        machines.take(*point);
    return llvm::Error::success();
  }
  std::vector<DesignPoint> order = machines.points;
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[rng() % i]);
  for (const DesignPoint &point : order) {
    if (machines.mustStop())
      break;
    machines.take(point);
  }
  return llvm::Error::success();
}

llvm::Error codesign_detail::searchBayesian(Machines &machines) {
  // The process's points: where words differ, far apart.
  auto featuresOf = [&](const DesignPoint &point) {
    GaussianProcess::Vector features;
    for (auto [parameter, value] :
         llvm::zip_equal(machines.design.parameters, point)) {
      if (parameter.isFixed())
        continue;
      if (parameter.isWord()) {
        for (size_t word = 0; word < parameter.words.size(); ++word)
          features.push_back(value == double(word) ? 0.5 : 0);
        continue;
      }
      const double low = parameter.from, high = parameter.to;
      features.push_back(
          high > low ? std::log(value / low) / std::log(high / low) : 0);
    }
    return features;
  };
  constexpr unsigned kFirst = 5, kCandidates = 1000;
  std::mt19937_64 rng(machines.options.seed);
  GaussianProcess process;
  std::vector<double> targets;
  std::set<DesignPoint> seen;
  for (unsigned tried = 0; !hasTriedEnough(machines, tried); ++tried) {
    std::optional<DesignPoint> next;
    double most = -1;
    for (unsigned i = 0; i < (tried < kFirst ? 100 : kCandidates); ++i) {
      std::optional<DesignPoint> point = machines.randomPoint(rng);
      if (!point || seen.count(*point))
        continue;
      const double improvement =
          tried < kFirst || process.size() < 2
              ? 0
              : process.expectedImprovement(featuresOf(*point));
      if (improvement > most) {
        most = improvement;
        next = point;
      }
      if (tried < kFirst)
        break;
    }
    if (!next && !machines.hasRanges()) // what is left is hard to hit
      for (const DesignPoint &point : machines.points)
        if (!seen.count(point)) {
          next = point;
          break;
        }
    if (!next)
      break;
    seen.insert(*next);
    const Score *score = machines.take(*next);
    if (!score)
      continue;
    // Of Smallest a machine that is not enough is worse than all that are.
    double target = std::log(score->value);
    if (machines.options.goal == CodesignGoal::Smallest) {
      const double over = std::log(score->value / machines.options.most);
      target = std::log(machines.areaOf(*next)) + 10 * std::max(0.0, over);
    }
    process.add(featuresOf(*next));
    targets.push_back(target);
    process.fit(targets);
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

static llvm::Error wantClock(const Design &design) {
  llvm::Expected<Accelerator> any = design.specialize(design.initial());
  if (!any)
    return any.takeError();
  if (any->clockHz > 0)
    return llvm::Error::success();
  return llvm::createStringError(
      "a power is asked for, but design '" + design.name +
      "' has no clock, without which energy is no power; wanted 'clock'");
}

llvm::Expected<CodesignResult> fadiff::codesign(const Design &design,
                                                const CodesignOptions &options,
                                                ScoreFunction score,
                                                RelaxFunction relax,
                                                BoundFunction bound) {
  if (options.goal == CodesignGoal::Smallest && !design.lawOf("area"))
    return llvm::createStringError("the smallest machine is asked for, but "
                                   "design '" +
                                   design.name +
                                   "' has no law for the area; wanted 'area'");
  if (options.method == CodesignMethod::Dosa && !relax)
    return llvm::createStringError(
        "method dosa wanted mappings to start from; choose another method");
  if (options.mostPower > 0)
    if (llvm::Error error = wantClock(design))
      return std::move(error);
  Machines machines(design, options, score, relax, bound);
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
    error = relax ? searchJointly(machines, Sizes::Move) : descend(machines);
    break;
  case CodesignMethod::Dosa:
    error = searchJointly(machines, Sizes::Follow);
    break;
  case CodesignMethod::Bo:
    error = searchBayesian(machines);
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

llvm::Expected<CodesignFront>
fadiff::codesignFront(const Design &design, const CodesignOptions &options,
                      FrontOver over, ScoreFunction score, RelaxFunction relax,
                      BoundFunction bound) {
  const bool isOverArea = over == FrontOver::Area;
  if (options.goal != CodesignGoal::Best)
    return llvm::createStringError("a front is of the best machine for each " +
                                   nameOf(over) + "; found a goal to keep");
  if (!isOverArea)
    if (llvm::Error error = wantClock(design))
      return std::move(error);
  if (isOverArea && !design.lawOf("area"))
    return llvm::createStringError(
        "a front is one over the area, but design '" + design.name +
        "' has no law for it; wanted 'area'");
  if (llvm::Error error = refuseRanges(design, "front"))
    return std::move(error);
  // Machines come again and again, and what was found for them stands.
  struct Found {
    std::vector<NetworkScore> scores;
    std::string reason;
  };
  std::map<std::string, Found> known, knownBounds;
  CodesignFront front;
  front.over = over;
  std::atomic<bool> stop = options.stop && *options.stop;
  auto remember = [&](std::map<std::string, Found> &known, unsigned &count,
                      ScoreFunction find, const Accelerator &machine)
      -> llvm::Expected<std::vector<NetworkScore>> {
    auto [it, isNew] = known.try_emplace(fieldsOf(machine));
    if (isNew) {
      ++count;
      stop = (options.stop && *options.stop) ||
             (options.mostSearches && front.searches >= options.mostSearches);
      if (auto scores = find(machine))
        it->second.scores = std::move(*scores);
      else
        it->second.reason = llvm::toString(scores.takeError());
    }
    if (!it->second.reason.empty())
      return llvm::createStringError(it->second.reason);
    return it->second.scores;
  };
  auto find = [&](const Accelerator &machine) {
    return remember(known, front.searches, score, machine);
  };
  auto findBound = [&](const Accelerator &machine) {
    return remember(knownBounds, front.bounded, bound, machine);
  };
  const BoundFunction bounds = bound ? BoundFunction(findBound) : nullptr;
  auto placeOf = [&](const ScoredMachine &machine) {
    return isOverArea ? machine.machine.area : machine.milliwatts();
  };
  CodesignOptions own = options;
  own.mostSearches = 0; // of searches, not of what is known
  own.stop = &stop;
  for (;;) {
    Machines rest(design, own, find);
    if (llvm::Error error = rest.list()) {
      if (front.points.empty())
        return std::move(error);
      llvm::consumeError(std::move(error)); // none is smaller
      break;
    }
    if (stop) {
      front.stopped = true;
      break;
    }
    llvm::Expected<CodesignResult> result =
        codesign(design, own, find, relax, bounds);
    if (!result) {
      if (front.points.empty())
        return result.takeError();
      llvm::consumeError(result.takeError()); // networks run on none of these
      front.stopped = stop; // or nothing was looked at any more
      break;
    }
    front.legal = result->legal;
    // With less, and no worse: what was found before is none of the front.
    if (!front.points.empty() &&
        result->best().value <= front.points.back().machine.value * (1 + 1e-9))
      front.points.pop_back();
    front.points.push_back({result->best(), result->bound});
    for (const ScoredMachine &machine : result->machines)
      if (llvm::none_of(front.searched, [&](const ScoredMachine &other) {
            return other.point == machine.point;
          }))
        front.searched.push_back(machine);
    front.stopped = result->stopped;
    (isOverArea ? own.mostArea : own.mostPower) =
        placeOf(result->best()) * (1 - 1e-6);
    if (front.whole.machines.empty())
      front.whole = std::move(*result);
    if (front.stopped)
      break;
  }
  std::reverse(front.points.begin(), front.points.end());
  llvm::sort(front.searched, [&](const ScoredMachine &a,
                                 const ScoredMachine &b) {
    const double atA = placeOf(a), atB = placeOf(b);
    return std::tie(atA, a.value, a.point) < std::tie(atB, b.value, b.point);
  });
  return std::move(front);
}

static llvm::json::Object toJson(const ScoredMachine &scored,
                                 const Design &design,
                                 llvm::ArrayRef<std::string> networks,
                                 bool withGroups = true) {
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
    if (withGroups && !network.groups.empty()) {
      llvm::json::Array groups;
      for (const ScoredGroup &group : network.groups)
        groups.push_back(
            llvm::json::Object{{"layers", llvm::json::Array(group.layers)},
                               {"mappings", llvm::json::Array(group.mappings)},
                               {"energy_pj", group.energy},
                               {"cycles", group.cycles}});
      entry["groups"] = std::move(groups);
    }
    const Figures figures =
        figuresOf(scored.machine, network.energy, network.cycles);
    if (figures.milliseconds > 0) {
      entry["ms"] = figures.milliseconds;
      entry["inferences_per_second"] = figures.perSecond;
      entry["milliwatts"] = figures.milliwatts;
    }
    byNetwork.push_back(std::move(entry));
  }
  llvm::json::Object object{{"parameters", std::move(parameters)},
                            {"area_mm2", scored.machine.area},
                            {"value", scored.value},
                            {"networks", std::move(byNetwork)}};
  if (const double most = scored.milliwatts(); most > 0)
    object["milliwatts"] = most;
  return object;
}

llvm::json::Object fadiff::toJson(const CodesignResult &result,
                                  const Design &design,
                                  llvm::ArrayRef<std::string> networks) {
  llvm::json::Array front;
  for (const ScoredMachine *machine : paretoFront(result.machines))
    front.push_back(::toJson(*machine, design, networks, /*withGroups=*/false));
  llvm::json::Object object{
      {"design", design.name},
      {"best", ::toJson(result.best(), design, networks,
                        /*withGroups=*/false)},
      {"front_of_searched", std::move(front)},
      {"searches", result.searches},
      {"bounded_machines", result.bounded},
      {"descents", result.descents},
      {"descent_evaluations", int64_t(result.descentEvaluations)},
      {"legal_machines", result.legal},
      {"affordable_machines", result.affordable},
      {"stopped", result.stopped}};
  if (result.bound) {
    object["bound"] = *result.bound;
    object["gap"] = *result.gap();
  }
  return object;
}

llvm::json::Object fadiff::toJson(const CodesignFront &front,
                                  const Design &design,
                                  llvm::ArrayRef<std::string> networks,
                                  Objective objective) {
  llvm::json::Array points, searched;
  for (const CodesignFront::Point &point : front.points) {
    llvm::json::Object object = ::toJson(point.machine, design, networks);
    if (point.bound) {
      object["bound"] = *point.bound;
      object["gap"] =
          *point.bound > 0
              ? std::max(0.0, point.machine.value / *point.bound - 1)
              : 0;
    }
    points.push_back(std::move(object));
  }
  for (const ScoredMachine &machine : front.searched) {
    llvm::json::Object object{{"machine", design.describe(machine.point)},
                              {"area_mm2", machine.machine.area},
                              {"value", machine.value}};
    if (const double most = machine.milliwatts(); most > 0)
      object["milliwatts"] = most;
    searched.push_back(std::move(object));
  }
  auto spell = [&](const ScoredMachine &machine) {
    return front.over == FrontOver::Area
               ? llvm::formatv("{0:f3} mm2", machine.machine.area).str()
               : llvm::formatv("{0:f1} mW", machine.milliwatts()).str();
  };
  const ScoredMachine &least = front.points.front().machine,
                      &best = front.points.back().machine;
  const std::string sentence = llvm::formatv(
      "{0} on machines of {1}: {2} are the best for their {3}, from {4} with "
      "{5} {6} to {7} with {8}",
      llvm::join(networks, ", "), design.name, front.points.size(),
      nameOf(front.over), spell(least), nameOf(objective),
      llvm::formatv("{0:e4}", least.value).str(), spell(best),
      llvm::formatv("{0:e4}", best.value).str());
  return llvm::json::Object{{"sentence", sentence},
                            {"over", nameOf(front.over)},
                            {"design", design.name},
                            {"objective", nameOf(objective)},
                            {"networks", llvm::json::Array(networks)},
                            {"front", std::move(points)},
                            {"searched", std::move(searched)},
                            {"searches", front.searches},
                            {"bounded_machines", front.bounded},
                            {"legal_machines", front.legal},
                            {"stopped", front.stopped}};
}
