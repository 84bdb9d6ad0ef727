//===- Profile.cpp - What the core's instructions are for -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Profile.h"

#include "llvm/Support/Format.h"

#include <algorithm>

namespace {

/// Counts of one line of the table.
struct Line {
  uint64_t instructions = 0;
  uint64_t units = 0; ///< commands, or points
};

/// `<kind>_x<points>`, behind which the module's table of symbols may have put
/// `_<number>`.
std::pair<llvm::StringRef, uint64_t> splitHostName(llvm::StringRef name) {
  for (llvm::StringRef head = name; head.contains("_x");) {
    const size_t at = head.rfind("_x");
    uint64_t points = 0;
    if (!name.drop_front(at + 2).split('_').first.getAsInteger(10, points))
      return {name.take_front(at), points};
    head = name.take_front(at);
  }
  return {name, 0};
}

void printLine(llvm::raw_ostream &os, llvm::StringRef name, const Line &line,
               const char *unit, uint64_t calls) {
  os << llvm::format("  %12llu",
                     (unsigned long long)(line.instructions / calls));
  if (line.units)
    os << llvm::format(" %12llu %6.2f",
                       (unsigned long long)(line.units / calls),
                       double(line.instructions) / double(line.units));
  else
    os.indent(20);
  os << "  " << llvm::left_justify(unit, 7) << "  " << name << '\n';
}

} // namespace

void Profile::layOut() {
  functions.emplace_back(); // what no function has
  for (auto it = starts.begin(); it != starts.end(); ++it) {
    Function function;
    function.name = it->second;
    function.start = it->first;
    function.isLibrary = function.name != entry &&
                         !llvm::StringRef(function.name).starts_with("fadiff_");
    auto next = std::next(it);
    const uint64_t first = (it->first - base) / 2;
    const uint64_t end =
        next == starts.end() ? owners.size() : (next->first - base) / 2;
    std::fill(owners.begin() + first, owners.begin() + end, functions.size());
    functions.push_back(std::move(function));
  }
}

void Profile::count(uint64_t address, bool isCommand) {
  if (functions.empty())
    layOut();
  const uint64_t at = (address - base) / 2;
  const size_t number = at < owners.size() ? owners[at] : 0;
  Function &function = functions[number];
  ++function.own;
  function.calls += address == function.start;
  if (!function.isLibrary)
    current = number;
  ++functions[current].all;
  ++executions[address];
  functions[current].commands += isCommand;
}

void Profile::print(llvm::raw_ostream &os, uint64_t calls) const {
  std::map<std::string, Line> nests, host, library;
  Line all, issue, operations, foreign, rest;
  for (const Function &function : functions) {
    if (function.isLibrary && function.own) {
      library[function.name].instructions += function.own;
      foreign.instructions += function.own;
    }
    if (function.all == 0)
      continue;
    auto add = [&](Line &line, uint64_t units) {
      line.instructions += function.all;
      line.units += units;
    };
    add(all, function.commands);
    llvm::StringRef what = function.name;
    if (what.consume_front("fadiff_nest_")) {
      add(nests[what.str()], function.commands);
      add(issue, function.commands);
    } else if (what.consume_front("fadiff_host_") &&
               splitHostName(what).second != 0) {
      const auto [kind, points] = splitHostName(what);
      add(host[kind.str()], points * function.calls);
      add(operations, 0);
    } else {
      add(rest, 0);
    }
  }
  os << "instructions of the core in one call, from entry to return\n";
  printLine(os, "in all", all, "", calls);
  printLine(os, "issuing commands", issue, "command", calls);
  printLine(os, "operations on the core", operations, "", calls);
  printLine(os, "buffers, calls and the rest", rest, "", calls);
  printLine(os, "of these by the C library", foreign, "", calls);
  os << "operations on the core, by kind\n";
  for (const auto &[name, line] : host)
    printLine(os, name, line, "point", calls);
  os << "commands, by loop nest\n";
  for (const auto &[name, line] : nests)
    printLine(os, name, line, "command", calls);
  os << "the C library, by function\n";
  for (const auto &[name, line] : library)
    printLine(os, name, line, "", calls);
}

void Profile::printAddresses(llvm::raw_ostream &os) const {
  for (auto [address, count] : executions)
    os << llvm::format_hex_no_prefix(address, 8) << ' ' << count << '\n';
}
