//===- Accelerator.cpp - Machines as values -----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/Fields.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <cassert>
#include <charconv>

using namespace fadiff;

const char *fadiff::levelName(Level level) {
  switch (level) {
  case Level::Registers:
    return "registers";
  case Level::Accumulator:
    return "accumulator";
  case Level::Scratchpad:
    return "scratchpad";
  case Level::Dram:
    return "dram";
  }
  return "unknown";
}

bool fadiff::operator==(const Accelerator &a, const Accelerator &b) {
  bool same = a.name == b.name;
  visitFields([&](const Field &, const auto &x,
                  const auto &y) { same = same && x == y; },
              a, b);
  return same;
}

std::string fadiff::toText(int64_t value) { return llvm::itostr(value); }

std::string fadiff::toText(double value) {
  char text[32];
  std::to_chars_result end = std::to_chars(text, std::end(text), value);
  return std::string(text, end.ptr);
}

std::string fadiff::toText(const ReadOutFeatures &features) {
  return "[" + llvm::join(namesOf(features), ", ") + "]";
}

std::string fadiff::describeField(const Accelerator &machine,
                                  const char *name) {
  std::string text;
  visitFields(
      [&](const Field &field, const auto &value) {
        if (llvm::StringRef(field.name) != name)
          return;
        text = (llvm::Twine(field.section) + (*field.section ? "." : "") +
                field.key + " of '" + machine.name + "' is " + toText(value))
                   .str();
      },
      machine);
  assert(!text.empty() && "no such field");
  return text;
}

std::string fadiff::whyNoReadOut(const Accelerator &machine) {
  if (!machine.readOut.any())
    return {};
  if (machine.arithmetic != Arithmetic::Int8)
    return "a read-out can do more only where sums become int8; the array "
           "works in f32";
  if (machine.handsOverInPlace())
    return "a read-out can do more only on its way to DRAM or the scratchpad; "
           "wanted the hand-over none or mvout_spad, found "
           "accumulator_operand, which reads sums with one scale";
  return {};
}
