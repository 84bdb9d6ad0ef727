//===- Knobs.cpp - Machines that differ in one number ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/Rates.h"
#include "fadiff/Hardware/Fields.h"
#include "fadiff/Report/Report.h"

#include <cmath>

using namespace fadiff;

/// Numbers of a field list that a schedule of the roofline model depends on.
static bool isKnob(llvm::StringRef key) {
  return key == "bandwidth" || key == "energy_per_access" ||
         key == "energy_per_mac" || key == "capacity" || key == "side";
}

static std::optional<unsigned> rateNamed(llvm::StringRef name) {
  for (unsigned rate = 0; rate < kNumRates; ++rate)
    if (rateName(rate) == name)
      return rate;
  return std::nullopt;
}

static std::string nameOfField(const Field &field) {
  return std::string(field.section) + "." + field.key;
}

llvm::ArrayRef<MachineKnob> fadiff::machineKnobs() {
  static const std::vector<MachineKnob> knobs = [] {
    std::vector<MachineKnob> found;
    Accelerator any;
    visitFields(
        [&](const Field &field, const auto &) {
          const llvm::StringRef section = field.section;
          if (section != "cache" && isKnob(field.key))
            found.push_back({nameOfField(field), field.unit,
                             llvm::StringRef(field.key) == "capacity" ||
                                 llvm::StringRef(field.key) == "side",
                             rateNamed(field.name)});
        },
        any);
    return found;
  }();
  return knobs;
}

Accelerator fadiff::turnKnob(Accelerator machine, llvm::StringRef name,
                             double factor) {
  visitFields(
      [&](const Field &field, auto &value) {
        if (nameOfField(field) != name)
          return;
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, double>)
          value *= factor;
        else if constexpr (std::is_same_v<T, int64_t>)
          value = std::llround(double(value) * factor);
      },
      machine);
  return machine;
}
