//===- Rates.h - A schedule's cost as a function of a machine ---*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a schedule moves and computes does not depend on what a move costs. So
// a schedule that has been evaluated once costs, on a machine with other
// energies and bandwidths, a closed form of them: for any scalar, derivatives
// included (docs/Codesign.md, eq. (recharge)).
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_RATES_H
#define FADIFF_COSTMODEL_RATES_H

#include "fadiff/CostModel/Cost.h"
#include "fadiff/CostModel/Scalar.h"
#include "fadiff/Schedule/Schedule.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <array>

namespace fadiff {

/// The numbers of a machine that costs are smooth in, in this order: energies
/// (pJ) of a multiply-accumulate and of an access per level, bandwidths per
/// level (as in Accelerator), cycles of the core for a command, cycles of the
/// core for all else as parts of what they are, pJ that leak in a cycle.
template <typename T> struct Rates {
  static constexpr unsigned kCount = 12;
  static constexpr unsigned kMac = 0, kEnergy = 1, kBandwidth = 5, kCommand = 9,
                            kCore = 10, kLeakage = 11;
  std::array<T, kCount> values{};

  T &operator[](unsigned rate) { return values[rate]; }
  const T &operator[](unsigned rate) const { return values[rate]; }
  const T &energy(Level level) const {
    return values[kEnergy + static_cast<unsigned>(level)];
  }
  const T &bandwidth(Level level) const {
    return values[kBandwidth + static_cast<unsigned>(level)];
  }
};
inline constexpr unsigned kNumRates = Rates<double>::kCount;

/// "energy_mac", "bandwidth_dram", ...: as in Fields.h where it is a field.
llvm::StringRef rateName(unsigned rate);
/// Whether more of it is better.
inline bool isBandwidth(unsigned rate) {
  return rate >= Rates<double>::kBandwidth && rate < Rates<double>::kCommand;
}
Rates<double> ratesOf(const Accelerator &machine);
/// The same, with derivatives by the log of each.
using RateDual = Dual<kNumRates>;
Rates<RateDual> ratesByLog(const Accelerator &machine);

/// What there is to charge for of one member of a group, times its runs.
struct Counts {
  double arrayMacs = 0, commands = 0;
  PerLevel<double> accesses{0.0};
  /// Roofs in cycles: of the array, and of each memory times its bandwidth.
  double array = 0;
  PerLevel<double> words{0.0};
  bool isIssued = false; ///< whether its commands are a roof
};

/// Those of what was charged on the machine, with latency roofline or issue,
/// and runs so many times.
Counts chargedCounts(const LayerCost &cost, const Accelerator &machine,
                     double runs = 1);

/// A schedule's counts.
struct ScheduleCounts {
  std::vector<Counts> members;
  double coreCycles = 0;
  double energy = 0, cycles = 0; ///< as they were evaluated

  ScheduleCounts() = default;
  /// Of `cost`, by the machine's counts with latency roofline or issue: others
  /// are not sums of roofs.
  ScheduleCounts(const Network &network, const Schedule &schedule,
                 const ScheduleCost &cost, const Accelerator &machine);

  /// What runs behind it.
  void add(const ScheduleCounts &other);

  template <typename T> struct Charge {
    T energy{0.0}, cycles{0.0}; ///< pJ, cycles
  };
  /// What that costs at `rates`; bandwidths of 0 are no roofs.
  template <typename T> Charge<T> at(const Rates<T> &rates) const {
    using R = Rates<T>;
    Charge<T> sum;
    for (const Counts &member : members) {
      sum.energy += rates[R::kMac] * member.arrayMacs;
      T cycles(member.array);
      for (Level level : kAllLevels) {
        sum.energy += rates.energy(level) * member.accesses[level];
        if (valueOf(rates.bandwidth(level)) > 0)
          cycles = maxOf(cycles, member.words[level] / rates.bandwidth(level));
      }
      if (member.isIssued)
        cycles = maxOf(cycles, rates[R::kCommand] * member.commands);
      sum.cycles += cycles;
    }
    sum.cycles += rates[R::kCore] * coreCycles;
    sum.energy += rates[R::kLeakage] * sum.cycles;
    return sum;
  }
};

/// What one number is worth at a schedule.
struct RateWorth {
  double energySlope = 0;   ///< d log(energy) / d log(rate)
  double cyclesSlope = 0;   ///< d log(cycles) / d log(rate)
  double energyCeiling = 1; ///< energy over what it is if the number were free
  double cyclesCeiling = 1; ///< the same of cycles
  double edpSlope() const { return energySlope + cyclesSlope; }
  double edpCeiling() const { return energyCeiling * cyclesCeiling; }
};
/// Of each rate; at a kink the slope is that of the roof that is named first.
std::array<RateWorth, kNumRates> worthOf(const ScheduleCounts &counts,
                                         const Accelerator &machine);
/// What it would take if all of `rates` were free (bandwidths without limit).
ScheduleCounts::Charge<double> withoutRates(const ScheduleCounts &counts,
                                            const Accelerator &machine,
                                            llvm::ArrayRef<unsigned> rates,
                                            bool arrayToo = false);

/// What a set of numbers is worth together; "array" is the time that the array
/// takes, beside the rates.
struct SetWorth {
  std::vector<std::string> names;
  double edpCeiling = 1;
};
/// The set of each size from one to `most` whose ceiling is highest.
std::vector<SetWorth> bestSets(const ScheduleCounts &counts,
                               const Accelerator &machine, unsigned most = 3);

/// A line per number, and the best sets.
void printWorth(llvm::raw_ostream &os, const ScheduleCounts &counts,
                const Accelerator &machine);
llvm::json::Object worthToJson(const ScheduleCounts &counts,
                               const Accelerator &machine);

} // namespace fadiff

#endif // FADIFF_COSTMODEL_RATES_H
