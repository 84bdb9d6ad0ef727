//===- Options.h - What options of passes and tools can be ------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The enumerations that passes and tools take as options. Whoever declares such
// an option includes this, which says how they are parsed.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_TRANSFORMS_OPTIONS_H
#define FADIFF_TRANSFORMS_OPTIONS_H

#include "fadiff/Codesign/Codesign.h"
#include "fadiff/Schedule/MatmulLoop.h"
#include "fadiff/Search/Search.h"
#include "fadiff/Support/NamedOption.h"

namespace fadiff {

/// What a requantisation may become.
enum class Requantisation : uint8_t {
  Exact,    ///< only what is the same for every sum that can occur
  Hardware, ///< the accelerator's nearest, at most 1 apart
};
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Requantisation) {
  static constexpr llvm::StringLiteral names[] = {"exact", "hardware"};
  return names;
}

/// What becomes of contractions of f16 or bf16 where the array works in f32.
enum class Halves : uint8_t {
  Factors, ///< those with f32 sums are widened
  Widen,   ///< those with sums of 16 bits, too
  Host,    ///< none is
};
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Halves) {
  static constexpr llvm::StringLiteral names[] = {"factors", "widen", "host"};
  return names;
}

/// Which kernel taps thin layers have as channels.
enum class Packing : uint8_t {
  Auto,    ///< those of the lowest predicted objective
  On,      ///< rows and columns
  Columns, ///< of one kernel row
  Off,     ///< none
};
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Packing) {
  static constexpr llvm::StringLiteral names[] = {"auto", "on", "columns",
                                                  "off"};
  return names;
}

/// How cycles are counted: a Latency, or the one that fits the counts.
enum class LatencyChoice : uint8_t { Auto, Roofline, Issue, Streams };
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(LatencyChoice) {
  static constexpr llvm::StringLiteral names[] = {"auto", "roofline", "issue",
                                                  "streams"};
  return names;
}
/// FADiff 0.1 called the streams "gemmini", as parseName<Latency>() knows.
template <>
inline std::optional<LatencyChoice>
parseName<LatencyChoice>(llvm::StringRef name) {
  for (LatencyChoice choice : allValues<LatencyChoice>())
    if (name == nameOf(choice))
      return choice;
  if (parseName<Latency>(name) == Latency::Streams)
    return LatencyChoice::Streams;
  return std::nullopt;
}
/// What `choice` comes to: `auto` is the time of the emitted program where the
/// counts are its own, and the roofline where they are those of other tools or
/// of the paper, which know no program, and where all is `enumerated`, be it
/// mappings or machines.
inline Latency resolve(LatencyChoice choice, Convention convention, Model model,
                       bool enumerated = false) {
  if (choice != LatencyChoice::Auto)
    return *parseName<Latency>(nameOf(choice));
  return convention == Convention::Machine && model == Model::Exact &&
                 !enumerated
             ? Latency::Streams
             : Latency::Roofline;
}
inline LatencyChoice toChoice(Latency latency) {
  return *parseName<LatencyChoice>(nameOf(latency));
}

enum class ReportFormat : uint8_t { Text, Json };
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(ReportFormat) {
  static constexpr llvm::StringLiteral names[] = {"text", "json"};
  return names;
}

} // namespace fadiff

FADIFF_NAMED_OPTION(fadiff::Switch)
FADIFF_NAMED_OPTION(fadiff::CodesignMethod)
FADIFF_NAMED_OPTION(fadiff::FrontOver)
FADIFF_NAMED_OPTION(fadiff::Convention)
FADIFF_NAMED_OPTION(fadiff::Model)
FADIFF_NAMED_OPTION(fadiff::Latency)
FADIFF_NAMED_OPTION(fadiff::LatencyChoice)
FADIFF_NAMED_OPTION(fadiff::LoopUnitUse)
FADIFF_NAMED_OPTION(fadiff::Objective)
FADIFF_NAMED_OPTION(fadiff::Optimizer)
FADIFF_NAMED_OPTION(fadiff::Fuse)
FADIFF_NAMED_OPTION(fadiff::Requantisation)
FADIFF_NAMED_OPTION(fadiff::Halves)
FADIFF_NAMED_OPTION(fadiff::Packing)
FADIFF_NAMED_OPTION(fadiff::ReportFormat)

#endif // FADIFF_TRANSFORMS_OPTIONS_H
