//===- Report.h - One run for people ----------------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of a scheduled and simulated network, as one JSON document, and
// a page that draws it. Every number of the page is one of the document, which
// docs/Report.md describes.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_REPORT_REPORT_H
#define FADIFF_REPORT_REPORT_H

#include "fadiff/Search/Search.h"
#include "fadiff/Simulator/Counters.h"
#include "fadiff/Simulator/Trace.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace fadiff {

/// The version of the document; fadiff-diff refuses another one.
inline constexpr int64_t kReportVersion = 1;

/// A fusion group, or a layer alone: what the schedule says of it and what the
/// simulator found.
struct ReportedGroup {
  std::string name;
  /// Of one group, of all its layers.
  Network network;
  /// No mappings if they are not known; the layers are then named, not drawn.
  Schedule schedule;
  int64_t runs = 1;
  /// Otherwise the simulator has counted the runs.
  bool runsKnown = true;
  /// pJ, cycles and bytes of all runs, as predicted; not `known`: of nothing.
  bool known = true;
  double energy = 0, cycles = 0;
  int64_t dramRead = 0, dramWrite = 0;
  sim::Counters simulated;
  /// What the host touches beside its layers.
  int64_t hostElements = 0;
};

/// A search that the schedule comes from.
struct ReportedSearch {
  std::string function;
  const Network *network = nullptr;
  const SearchResult *result = nullptr;
};

/// A machine that differs in one number, and what a search finds for it.
struct SearchedAgain {
  std::string field; ///< "scratchpad.capacity"
  double factor = 1;
  bool found = false; ///< no legal schedule otherwise
  double energy = 0, cycles = 0;
};

/// All that goes into a report.
struct ReportInput {
  std::string network; ///< its name, for people
  Accelerator target;
  /// Judges the mappings.
  const CostFunction *cost = nullptr;
  /// Whether `cost` is a closed form of the machine's rates (Rates.h): the
  /// machine's counts, exact, with latency roofline or issue.
  bool hasRates = false;
  Objective objective = Objective::Edp;
  std::vector<ReportedGroup> groups;
  std::vector<ReportedSearch> searches;
  std::vector<SearchedAgain> searchedAgain;
  /// Of the accelerator, and of the core for operations on the host.
  int64_t simulatedCycles = 0;
  double coreCycles = 0;
  /// HostReport::toJson().
  llvm::json::Object host;
  /// Null if the program was not traced.
  const sim::Trace *trace = nullptr;
};

/// A number of a machine that a schedule can be judged again with.
struct MachineKnob {
  std::string name; ///< section.key of the YAML, such as "dram.bandwidth"
  std::string unit;
  /// Changes the room that a schedule has, so that the same one may be illegal,
  /// or a better one may exist, on the other machine.
  bool isCapacity = false;
  std::optional<unsigned> rate; ///< its number in Rates.h
};
llvm::ArrayRef<MachineKnob> machineKnobs();
/// `machine` with the number times `factor`; `name` must be one of these.
Accelerator turnKnob(Accelerator machine, llvm::StringRef name, double factor);

/// The document. `input.cost` must be set.
llvm::json::Object makeReport(const ReportInput &input);

/// "resnet18 on gemmini-large: 3.91 Mcycles, 4.73 mJ, 0.0 % above the bound,
/// 17 % of time on the host". Takes a document of makeReport().
std::string summarySentence(const llvm::json::Object &report);

struct TableOptions {
  size_t width = 80;     ///< columns
  bool mappings = false; ///< each layer's below it
};
/// Prints a row for each group and layer, members of a group below it: energy
/// and cycles as predicted, cycles and DRAM bytes as simulated (of members, as
/// predicted), elements that the host touches; then the totals.
void printTable(llvm::raw_ostream &os, const llvm::json::Object &report,
                const TableOptions &options);
/// The same as CSV, with a header.
void printCsv(llvm::raw_ostream &os, const llvm::json::Object &report);

/// Writes a page that draws the document, and where `other` is given compares
/// it with that: one file that needs no other and no network.
void writePage(llvm::raw_ostream &os, const llvm::json::Object &report,
               const llvm::json::Object *other = nullptr);

/// Reads a document of makeReport(). The error says what was wanted and found.
llvm::Expected<llvm::json::Object> readReport(llvm::StringRef text,
                                              llvm::StringRef file);

/// Prints the numbers in which two reports differ: machine, totals, and layers
/// and groups by name. Returns how many lines that were.
unsigned printDifferences(llvm::raw_ostream &os, const llvm::json::Object &a,
                          const llvm::json::Object &b);

} // namespace fadiff

#endif // FADIFF_REPORT_REPORT_H
