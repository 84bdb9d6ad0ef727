//===- Constraint.cpp - What a schedule has to keep -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Search.h"

#include <cmath>

using namespace fadiff;
using llvm::StringRef;

llvm::Expected<double> Constraint::limitOn(const Accelerator &target) const {
  if (unit != Unit::Seconds)
    return most;
  if (!(target.clockHz > 0))
    return llvm::createStringError(
        "constraint '%s': wanted a machine with a clock, found '%s' without; "
        "give its description the field 'clock', in Hz (clock_hz in "
        "#fadiff.target), or the limit in cycles",
        text.c_str(), target.name.c_str());
  return most * target.clockHz;
}

llvm::Expected<Constraint> fadiff::parseConstraint(StringRef text) {
  using Unit = Constraint::Unit;
  struct Known {
    StringRef suffix;
    Unit unit;
    double scale;
  };
  // Where one ends with another the longer one comes first.
  static constexpr Known kEnergies[] = {{"pJ", Unit::PicoJoules, 1},
                                        {"nJ", Unit::PicoJoules, 1e3},
                                        {"uJ", Unit::PicoJoules, 1e6},
                                        {"mJ", Unit::PicoJoules, 1e9},
                                        {"J", Unit::PicoJoules, 1e12}};
  static constexpr Known kTimes[] = {{"cycles", Unit::Cycles, 1},
                                     {"ns", Unit::Seconds, 1e-9},
                                     {"us", Unit::Seconds, 1e-6},
                                     {"ms", Unit::Seconds, 1e-3},
                                     {"s", Unit::Seconds, 1}};
  auto wrong = [&](const char *wanted) {
    return llvm::createStringError(
        "constraint: wanted %s, such as latency<5ms, latency<1e6cycles or "
        "energy<=2mJ; found '%s'",
        wanted, text.str().c_str());
  };
  StringRef rest = text.trim();
  const bool isEnergy = rest.consume_front("energy");
  if (!isEnergy && !rest.consume_front("latency"))
    return wrong("energy or latency");
  rest = rest.ltrim();
  if (!rest.consume_front("<"))
    return wrong("< or <= behind that");
  const bool mayEqual = rest.consume_front("=");
  for (const Known &known : isEnergy ? llvm::ArrayRef<Known>(kEnergies)
                                     : llvm::ArrayRef<Known>(kTimes)) {
    StringRef number = rest;
    if (!number.consume_back(known.suffix))
      continue;
    double value;
    if (number.trim().getAsDouble(value) || !(value > 0) ||
        !std::isfinite(value))
      return wrong("a positive number in front of the unit");
    value *= known.scale;
    return Constraint{known.unit, mayEqual ? value : std::nextafter(value, 0.0),
                      text.trim().str()};
  }
  return wrong(isEnergy ? "the unit pJ, nJ, uJ, mJ or J"
                        : "the unit cycles, ns, us, ms or s");
}
