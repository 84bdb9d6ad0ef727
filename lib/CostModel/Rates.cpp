//===- Rates.cpp - A schedule's cost as a function of a machine -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/Rates.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fadiff;

llvm::StringRef fadiff::rateName(unsigned rate) {
  static constexpr llvm::StringLiteral names[kNumRates] = {
      "energy_mac",
      "energy_registers",
      "energy_accumulator",
      "energy_scratchpad",
      "energy_dram",
      "bandwidth_registers",
      "bandwidth_accumulator",
      "bandwidth_scratchpad",
      "bandwidth_dram",
      "command_cycles",
      "core_cycles",
      "leakage"};
  return names[rate];
}

Rates<double> fadiff::ratesOf(const Accelerator &machine) {
  using R = Rates<double>;
  R rates;
  rates[R::kMac] = machine.energyPerMac;
  for (Level level : kAllLevels) {
    rates[R::kEnergy + static_cast<unsigned>(level)] =
        machine.energyPerAccess[level];
    rates[R::kBandwidth + static_cast<unsigned>(level)] =
        machine.bandwidth[level];
  }
  rates[R::kCommand] = double(machine.commandCycles);
  rates[R::kCore] = 1;
  rates[R::kLeakage] = machine.leakagePerCycle();
  return rates;
}

Rates<RateDual> fadiff::ratesByLog(const Accelerator &machine) {
  const Rates<double> values = ratesOf(machine);
  Rates<RateDual> rates;
  for (unsigned i = 0; i < kNumRates; ++i) {
    RateDual::Gradient byLog{};
    byLog[i] = values[i];
    rates[i] = RateDual(values[i], byLog);
  }
  return rates;
}

Counts fadiff::chargedCounts(const LayerCost &cost, const Accelerator &machine,
                             double runs) {
  Counts counts;
  counts.arrayMacs = runs * cost.arrayMacs;
  counts.commands = runs * cost.commands;
  counts.isIssued = cost.issueCycles > 0;
  counts.array = runs * cost.computeCycles;
  for (Level level : kAllLevels) {
    counts.accesses[level] = runs * cost.accesses(level);
    counts.words[level] =
        runs * cost.memoryCycles[level] * machine.bandwidth[level];
  }
  return counts;
}

ScheduleCounts::ScheduleCounts(const Network &network, const Schedule &schedule,
                               const ScheduleCost &cost,
                               const Accelerator &machine)
    : coreCycles(cost.coreCycles), energy(cost.energy), cycles(cost.cycles) {
  for (auto [group, groupCost] :
       llvm::zip_equal(schedule.groups, cost.groups)) {
    const double trips = double(network.layers[group.layers.front()].trips);
    for (const MemberCost &member : groupCost.members)
      members.push_back(chargedCounts(member, machine, trips));
  }
}

void ScheduleCounts::add(const ScheduleCounts &other) {
  llvm::append_range(members, other.members);
  coreCycles += other.coreCycles;
  energy += other.energy;
  cycles += other.cycles;
}

ScheduleCounts::Charge<double>
fadiff::withoutRates(const ScheduleCounts &counts, const Accelerator &machine,
                     llvm::ArrayRef<unsigned> rates, bool arrayToo) {
  Rates<double> without = ratesOf(machine);
  for (unsigned rate : rates)
    without[rate] = 0; // a bandwidth of 0 is no roof
  if (!arrayToo)
    return counts.at(without);
  ScheduleCounts noArray = counts;
  for (Counts &member : noArray.members)
    member.array = 0;
  return noArray.at(without);
}

std::array<RateWorth, kNumRates> fadiff::worthOf(const ScheduleCounts &counts,
                                                 const Accelerator &machine) {
  const ScheduleCounts::Charge<RateDual> charge =
      counts.at(ratesByLog(machine));
  const double energy = charge.energy.value(), cycles = charge.cycles.value();
  std::array<RateWorth, kNumRates> worth;
  for (unsigned i = 0; i < kNumRates; ++i) {
    const auto without = withoutRates(counts, machine, i);
    worth[i] = {charge.energy.gradient()[i] / energy,
                charge.cycles.gradient()[i] / cycles, energy / without.energy,
                cycles / without.cycles};
  }
  return worth;
}

std::vector<SetWorth> fadiff::bestSets(const ScheduleCounts &counts,
                                       const Accelerator &machine,
                                       unsigned most) {
  constexpr unsigned kArray = kNumRates; // beside them
  const ScheduleCounts::Charge<double> now = counts.at(ratesOf(machine));
  std::vector<SetWorth> best(most);
  for (unsigned set = 1; set < 1u << (kArray + 1); ++set) {
    const unsigned size = unsigned(llvm::popcount(set));
    if (size > most)
      continue;
    llvm::SmallVector<unsigned> rates;
    for (unsigned i = 0; i < kNumRates; ++i)
      if (set >> i & 1)
        rates.push_back(i);
    const auto then = withoutRates(counts, machine, rates, set >> kArray & 1);
    const double ceiling =
        now.energy / then.energy * (now.cycles / then.cycles);
    SetWorth &sofar = best[size - 1];
    if (!sofar.names.empty() && !(ceiling > sofar.edpCeiling * (1 + 1e-12)))
      continue;
    sofar.edpCeiling = ceiling;
    sofar.names.clear();
    for (unsigned rate : rates)
      sofar.names.push_back(rateName(rate).str());
    if (set >> kArray & 1)
      sofar.names.push_back("array");
  }
  return best;
}

void fadiff::printWorth(llvm::raw_ostream &os, const ScheduleCounts &counts,
                        const Accelerator &machine) {
  os << "what each number of '" << machine.name
     << "' is worth: slope = d log / d log, ceiling = gain if it were free\n";
  os << llvm::formatv("  {0,-22} {1,7} {2,7} {3,7} {4,8} {5,8} {6,8}\n", "",
                      "energy", "cycles", "EDP", "energy", "cycles", "EDP");
  for (auto [rate, worth] : llvm::enumerate(worthOf(counts, machine))) {
    if (worth.edpSlope() == 0 && worth.edpCeiling() == 1)
      continue;
    os << llvm::formatv("  {0,-22} {1,7:f3} {2,7:f3} {3,7:f3} {4,8:f2} "
                        "{5,8:f2} {6,8:f2}\n",
                        rateName(unsigned(rate)), worth.energySlope,
                        worth.cyclesSlope, worth.edpSlope(),
                        worth.energyCeiling, worth.cyclesCeiling,
                        worth.edpCeiling());
  }
  for (const SetWorth &set : bestSets(counts, machine))
    if (set.names.size() > 1)
      os << llvm::formatv("  best {0} together: {1}, EDP ceiling {2:f2}\n",
                          set.names.size(), llvm::join(set.names, ", "),
                          set.edpCeiling);
}

llvm::json::Object fadiff::worthToJson(const ScheduleCounts &counts,
                                       const Accelerator &machine) {
  llvm::json::Object rates;
  for (auto [rate, worth] : llvm::enumerate(worthOf(counts, machine)))
    rates[rateName(unsigned(rate))] =
        llvm::json::Object{{"energy_slope", worth.energySlope},
                           {"cycles_slope", worth.cyclesSlope},
                           {"edp_slope", worth.edpSlope()},
                           {"energy_ceiling", worth.energyCeiling},
                           {"cycles_ceiling", worth.cyclesCeiling},
                           {"edp_ceiling", worth.edpCeiling()}};
  llvm::json::Array sets;
  for (const SetWorth &set : bestSets(counts, machine))
    sets.push_back(llvm::json::Object{{"numbers", llvm::json::Array(set.names)},
                                      {"edp_ceiling", set.edpCeiling}});
  return llvm::json::Object{{"numbers", std::move(rates)},
                            {"best_sets", std::move(sets)}};
}
