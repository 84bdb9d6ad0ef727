//===- Targets.cpp - What technology a goal needs -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Codesign/Targets.h"

#include "fadiff/Hardware/Fields.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

using namespace fadiff;

using R = Rates<double>;
// The first numbers are the first rates.
static constexpr unsigned kLeakage = R::kCommand, kClock = kLeakage + 1;
static_assert(kClock + 1 == kNumTechnology);
static constexpr unsigned kDramBandwidth =
    R::kBandwidth + static_cast<unsigned>(Level::Dram);

/// A fall of the effort that is worth another search.
static constexpr double kWorthwhile = 1e-3;

llvm::StringRef fadiff::technologyName(unsigned number) {
  return number == kClock     ? "clock"
         : number == kLeakage ? "leakage"
                              : rateName(number);
}

bool fadiff::technologyRises(unsigned number) {
  return number == kClock || isBandwidth(number);
}

llvm::Expected<std::vector<std::pair<unsigned, double>>>
fadiff::parseTechnology(llvm::StringRef text, llvm::StringRef option,
                        double least) {
  std::vector<std::pair<unsigned, double>> result;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    auto [name, number] = part.split(':');
    unsigned index = 0;
    while (index < kNumTechnology && technologyName(index) != name.trim())
      ++index;
    double value;
    if (index == kNumTechnology) {
      std::vector<std::string> names;
      for (unsigned i = 0; i < kNumTechnology; ++i)
        names.push_back(technologyName(i).str());
      return llvm::createStringError(option + ": wanted a number such as '" +
                                     technologyName(kDramBandwidth) +
                                     ":4', of " + llvm::join(names, ", ") +
                                     "; found '" + part + "'");
    }
    if (number.trim().getAsDouble(value) || !(value >= least) ||
        !(value <= 1e12) || !(value > 0))
      return llvm::createStringError(
          option + ": wanted '" + name.trim() + ":' with a number " +
          (least > 0 ? "from " + toText(least) : "above 0") +
          ", at most 1e12, behind it; found '" + part + "'");
    if (llvm::any_of(result, [&](auto &other) { return other.first == index; }))
      return llvm::createStringError(option +
                                     ": wanted each number once, found '" +
                                     name.trim() + "' again");
    result.emplace_back(index, value);
  }
  return result;
}

/// What the machine's numbers are, in their units; 0 for none.
static PerTechnology<double> numbersOf(const Accelerator &machine) {
  const Rates<double> rates = ratesOf(machine);
  PerTechnology<double> numbers;
  for (unsigned i = 0; i < kLeakage; ++i)
    numbers[i] = rates[i];
  numbers[kLeakage] = rates[R::kLeakage] > 0 ? machine.leakageMilliwatts : 0;
  numbers[kClock] = machine.clockHz;
  return numbers;
}

Accelerator fadiff::withTechnology(const Accelerator &machine,
                                   llvm::ArrayRef<double> moves) {
  Accelerator moved = machine;
  moved.energyPerMac *= std::exp(-moves[R::kMac]);
  for (Level level : kAllLevels) {
    const unsigned index = static_cast<unsigned>(level);
    moved.energyPerAccess[level] *= std::exp(-moves[R::kEnergy + index]);
    moved.bandwidth[level] *= std::exp(moves[R::kBandwidth + index]);
  }
  moved.bandwidth[Level::Dram] *= std::exp(-moves[kClock]);
  // What programs get of DRAM is as much faster as DRAM is.
  const unsigned dram = static_cast<unsigned>(Level::Dram);
  moved.dramRate *= std::exp(moves[R::kBandwidth + dram] - moves[kClock]);
  moved.clockHz *= std::exp(moves[kClock]);
  moved.leakageMilliwatts *= std::exp(-moves[kLeakage]);
  return moved;
}

EffortProgram fadiff::technologyProgram(const ScheduleCounts &counts,
                                        const Accelerator &machine,
                                        const TechnologyOptions &options) {
  const Rates<double> rates = ratesOf(machine);
  EffortProgram program;
  program.weights.assign(options.weights.begin(), options.weights.end());
  for (double most : options.most)
    program.most.push_back(std::log(most));

  // Time in today's cycles.
  Posynomial time;
  for (const Counts &member : counts.members) {
    Maximum cycles;
    auto add = [&](double value,
                   llvm::SmallVector<std::pair<unsigned, double>, 3> slopes) {
      if (value > 0)
        cycles.push_back({std::log(value), std::move(slopes)});
    };
    add(member.array, {{kClock, 1}});
    for (Level level : kAllLevels) {
      const unsigned number = R::kBandwidth + static_cast<unsigned>(level);
      if (!(rates[number] > 0))
        continue;
      const double value = member.words[level] / rates[number];
      if (number == kDramBandwidth)
        add(value, {{number, 1}});
      else
        add(value, {{number, 1}, {kClock, 1}});
    }
    if (member.isIssued)
      add(member.commands * rates[R::kCommand], {{kClock, 1}});
    if (!cycles.empty())
      time.push_back(std::move(cycles));
  }
  if (const double core = rates[R::kCore] * counts.coreCycles; core > 0)
    time.push_back({{std::log(core), {{kClock, 1}}}});

  Posynomial energy;
  auto addEnergy = [&](unsigned number, double count) {
    if (const double value = rates[number] * count; value > 0)
      energy.push_back({{std::log(value), {{number, 1}}}});
  };
  double macs = 0;
  PerLevel<double> accesses{0.0};
  for (const Counts &member : counts.members) {
    macs += member.arrayMacs;
    for (Level level : kAllLevels)
      accesses[level] += member.accesses[level];
  }
  addEnergy(R::kMac, macs);
  for (Level level : kAllLevels)
    addEnergy(R::kEnergy + static_cast<unsigned>(level), accesses[level]);
  if (rates[R::kLeakage] > 0)
    for (Maximum leaking : time) {
      for (Roof &roof : leaking) {
        roof.log += std::log(rates[R::kLeakage]);
        roof.slopes.push_back({kLeakage, 1});
      }
      energy.push_back(std::move(leaking));
    }

  if (options.objective != Objective::Latency)
    program.factors.push_back(std::move(energy));
  if (options.objective != Objective::Energy)
    program.factors.push_back(std::move(time));
  return program;
}

/// The share of each number in what moves give: slopes along the straight way.
static std::vector<double> gains(const EffortProgram &program,
                                 llvm::ArrayRef<double> moves) {
  constexpr unsigned kSteps = 400;
  const double whole = program.value(std::vector<double>(moves.size(), 0.0)) -
                       program.value(moves);
  std::vector<double> result(moves.size(), 0.0), point(moves.size());
  for (unsigned step = 0; step < kSteps; ++step) {
    const double middle = (step + 0.5) / kSteps;
    for (auto [at, move] : llvm::zip_equal(point, moves))
      at = move * middle;
    for (auto [number, move] : llvm::enumerate(moves)) {
      if (!(move > 0))
        continue;
      const double width = move / kSteps, from = point[number];
      point[number] = from - width / 2;
      const double before = program.value(point);
      point[number] = from + width / 2;
      result[number] += before - program.value(point);
      point[number] = from;
    }
  }
  // What is left are kinks that a step crosses.
  double sum = 0;
  for (double gain : result)
    sum += gain;
  if (sum > 0)
    for (double &gain : result)
      gain *= whole / sum;
  return result;
}

/// Why `most` does not do.
static llvm::Error unreachable(const EffortProgram &program,
                               const TechnologyOptions &options,
                               double before) {
  const double value = program.value(program.most);
  std::vector<std::string> limits;
  for (unsigned i = 0; i < kNumTechnology; ++i) {
    std::vector<double> less = program.most;
    less[i] -= 0.01;
    if (program.value(less) > value + 1e-9)
      limits.push_back(
          (technologyName(i) + " by " + toText(options.most[i])).str());
  }
  return llvm::createStringError(llvm::formatv(
      "wanted {0} lower by a factor of {1}, but within the limits it falls by "
      "{2}, with the best mappings that were found; what stands in the way: "
      "{3}; raise 'limits' or 'most', or lower 'factor'",
      nameOf(options.objective), toText(options.factor),
      llvm::format("%.4g", std::exp(before - value)),
      limits.empty() ? "nothing that technology moves"
                     : llvm::join(limits, ", ")));
}

llvm::Expected<TechnologyTargets> fadiff::technologyTargets(
    const ScheduleCounts &given, const Accelerator &machine,
    const TechnologyOptions &options, CountsFunction search) {
  if (!(options.factor > 1) || !std::isfinite(options.factor))
    return llvm::createStringError(
        llvm::formatv("wanted a factor above 1 by which {0} is to fall, "
                      "found {1}",
                      nameOf(options.objective), toText(options.factor)));
  TechnologyTargets targets;
  targets.options = options;
  targets.machineName = machine.name;
  const std::vector<double> none(kNumTechnology, 0.0);
  ScheduleCounts counts = given;
  EffortProgram program = technologyProgram(counts, machine, options);
  for (const Posynomial &factor : program.factors)
    if (factor.empty())
      return llvm::createStringError(
          "wanted a schedule that takes energy and time, found one with " +
          llvm::Twine(nameOf(options.objective)) + " 0");
  const double before = program.value(none);
  program.goal = before - std::log(options.factor);
  EffortSolution solution = leastEffort(program);
  const double infinity = std::numeric_limits<double>::infinity();
  auto effortOf = [&](const EffortSolution &of) {
    return of.isReachable ? of.effort : infinity;
  };
  targets.efforts.push_back(effortOf(solution));
  for (unsigned round = 0; round < options.rounds; ++round) {
    ++targets.searches;
    llvm::Expected<ScheduleCounts> found =
        search(withTechnology(machine, solution.moves));
    if (!found)
      return found.takeError();
    EffortProgram next = technologyProgram(*found, machine, options);
    next.goal = program.goal;
    if (!(next.value(solution.moves) < program.value(solution.moves)))
      break;
    EffortSolution better = leastEffort(next);
    if (!(effortOf(better) < effortOf(solution)) && solution.isReachable)
      break;
    const bool isDone = solution.isReachable &&
                        better.effort > solution.effort * (1 - kWorthwhile);
    counts = std::move(*found);
    program = std::move(next);
    solution = std::move(better);
    targets.efforts.push_back(effortOf(solution));
    if (isDone)
      break;
  }
  if (!solution.isReachable)
    return unreachable(program, options, before);

  const double after = program.value(solution.moves);
  targets.reached = std::exp(before - after);
  targets.effort = solution.effort;
  targets.bound = solution.bound;
  targets.machine = withTechnology(machine, solution.moves);
  targets.machine.name = machine.name + "-target";
  targets.mappings = (before - program.value(none)) / (before - after);
  const PerTechnology<double> today = numbersOf(machine);
  const std::vector<double> gain = gains(program, solution.moves);
  for (unsigned i = 0; i < kNumTechnology; ++i) {
    if (!(today[i] > 0) && i != kClock)
      continue;
    std::vector<double> without = solution.moves;
    without[i] = 0;
    TechnologyNumber &number = targets.numbers.emplace_back();
    number.number = i;
    number.today = today[i];
    number.factor =
        std::exp(technologyRises(i) ? solution.moves[i] : -solution.moves[i]);
    number.share = gain[i] / (before - after);
    number.without = std::exp(before - program.value(without));
    number.isAtLimit = solution.moves[i] >= program.most[i] - 1e-4;
  }
  const auto now = given.at(ratesOf(machine));
  const auto then = counts.at(ratesOf(targets.machine));
  targets.energyBefore = now.energy;
  targets.cyclesBefore = now.cycles;
  targets.energyAfter = then.energy;
  targets.cyclesAfter = then.cycles * std::exp(-solution.moves[kClock]);
  return targets;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

static llvm::StringRef unitOf(unsigned number) {
  if (number == kClock)
    return "Hz";
  if (number == kLeakage)
    return "mW";
  if (number == R::kBandwidth)
    return "words/cycle/PE";
  if (number == R::kBandwidth + static_cast<unsigned>(Level::Accumulator))
    return "words/cycle/column";
  // As many a second, whatever the clock.
  if (number == kDramBandwidth)
    return "words per cycle of today";
  return isBandwidth(number) ? "words/cycle" : "pJ";
}

void fadiff::printTargets(llvm::raw_ostream &os,
                          const TechnologyTargets &targets) {
  os << llvm::formatv(
      "technology for '{0}' to take {1} lower by {2} (reached: {3:f3})\n",
      targets.machineName, nameOf(targets.options.objective),
      toText(targets.options.factor), targets.reached);
  os << llvm::formatv("  {0,-22} {1,10} {2,8} {3,10}\n", "", "factor", "share",
                      "without it");
  for (const TechnologyNumber &number : targets.numbers) {
    os << llvm::formatv("  {0,-22} {1,10:f4} {2,6:f1} % {3,10:f2}",
                        technologyName(number.number), number.factor,
                        number.share * 100, number.without);
    if (number.today > 0)
      os << llvm::format("  %.4g -> %.4g ", number.today,
                         number.today * number.factor)
         << unitOf(number.number);
    if (targets.options.most[number.number] == 1)
      os << ", held";
    else if (number.isAtLimit)
      os << ", at its limit";
    os << '\n';
  }
  os << llvm::formatv("  {0,-22} {1,10} {2,6:f1} %\n", "mappings", "",
                      targets.mappings * 100);
  os << llvm::formatv("  effort {0:f4}; with these mappings none below {1:f4} "
                      "does\n",
                      targets.effort, targets.bound);
  os << llvm::formatv("  {0:f3} uJ -> {1:f3} uJ, {2:f0} -> {3:f0} cycles of "
                      "today; {4} searches for mappings\n",
                      targets.energyBefore * 1e-6, targets.energyAfter * 1e-6,
                      targets.cyclesBefore, targets.cyclesAfter,
                      targets.searches);
}

llvm::json::Object fadiff::toJson(const TechnologyTargets &targets) {
  llvm::json::Array numbers;
  for (const TechnologyNumber &number : targets.numbers) {
    llvm::json::Object entry{{"number", technologyName(number.number)},
                             {"factor", number.factor},
                             {"most", targets.options.most[number.number]},
                             {"weight", targets.options.weights[number.number]},
                             {"at_limit", number.isAtLimit},
                             {"share", number.share},
                             {"without", number.without}};
    if (number.today > 0) {
      entry["today"] = number.today;
      entry["target"] = number.today * number.factor;
      entry["unit"] = unitOf(number.number);
    }
    numbers.push_back(std::move(entry));
  }
  llvm::json::Array efforts;
  for (double effort : targets.efforts)
    efforts.push_back(std::isfinite(effort) ? llvm::json::Value(effort)
                                            : llvm::json::Value(nullptr));
  return llvm::json::Object{{"machine", targets.machineName},
                            {"objective", nameOf(targets.options.objective)},
                            {"factor", targets.options.factor},
                            {"reached", targets.reached},
                            {"effort", targets.effort},
                            {"bound", targets.bound},
                            {"efforts", std::move(efforts)},
                            {"searches", targets.searches},
                            {"numbers", std::move(numbers)},
                            {"mappings_share", targets.mappings},
                            {"energy_pj_before", targets.energyBefore},
                            {"energy_pj", targets.energyAfter},
                            {"cycles_before", targets.cyclesBefore},
                            {"cycles", targets.cyclesAfter}};
}
