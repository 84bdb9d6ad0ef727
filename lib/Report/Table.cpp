//===- Table.cpp - A run in the terminal ----------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Report/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace fadiff;
namespace json = llvm::json;

namespace {
/// What stands in a row; empty where nothing is known or nothing fits.
struct Row {
  std::string name, energy, predicted, simulated, bytes, host;
};
} // namespace

static std::string number(std::optional<double> value, const char *format) {
  if (!value)
    return "-";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(format, *value);
  return text;
}

/// `text` in `width` columns, its end in place of what does not fit.
static std::string clipped(llvm::StringRef text, size_t width) {
  if (text.size() <= width)
    return text.str();
  return (text.take_front(width - 2) + "..").str();
}

static int64_t integer(const json::Object &object, llvm::StringRef key) {
  return object.getInteger(key).value_or(0);
}

/// Breaks `text` behind commas, else at blanks, into lines of `width` columns.
static void printWrapped(llvm::raw_ostream &os, llvm::StringRef text,
                         size_t indent, size_t width) {
  const size_t room = std::max<size_t>(width, indent + 20) - indent;
  while (!text.empty()) {
    size_t end = text.size();
    if (end > room) {
      const llvm::StringRef fits = text.take_front(room + 1);
      end = fits.rfind(", ");
      end = end == llvm::StringRef::npos ? fits.rfind(' ') : end + 1;
      if (end == llvm::StringRef::npos || end == 0)
        end = std::min(text.size(), room);
    }
    os.indent(indent) << text.take_front(end).rtrim() << '\n';
    text = text.drop_front(end).ltrim();
  }
}

void fadiff::printTable(llvm::raw_ostream &os, const json::Object &report,
                        const TableOptions &options) {
  const json::Object &totals = *report.getObject("totals");
  const json::Array &layers = *report.getArray("layers");
  // Columns of numbers, of which a narrow window has the first ones.
  constexpr size_t kWidths[] = {11, 11, 11, 12, 10};
  constexpr size_t kLeastName = 20;
  size_t shown = 0, numbers = 0;
  for (size_t wide : kWidths) {
    if (numbers + wide + kLeastName > options.width)
      break;
    numbers += wide;
    ++shown;
  }
  const size_t most =
      std::max<size_t>(options.width, numbers + kLeastName) - numbers;

  // What a row is called, and how often it ran.
  bool anyUnknown = false;
  auto nameOf = [&](const json::Object &group) {
    const size_t members = group.getArray("layers")->size();
    std::string name = group.getString("name").value_or("").str();
    std::string runs;
    const int64_t times = integer(group, "runs");
    const bool known = group.getBoolean("runs_known").value_or(true);
    anyUnknown |= !known;
    if (times != 1 || !known)
      runs = llvm::formatv(", {0} run{1}{2}", times, times == 1 ? "" : "s",
                           known ? "" : "?");
    if (members > 1 && name.size() + runs.size() > 25)
      name = llvm::formatv("group of {0} layers", members);
    return clipped(name, most - runs.size()) + runs;
  };
  size_t width = 20;
  for (const json::Value &value : *report.getArray("groups"))
    width = std::max(width, nameOf(*value.getAsObject()).size());
  for (const json::Value &value : layers)
    width = std::max(
        width, value.getAsObject()->getString("name").value_or("").size() + 2);
  width = std::min(width, most);

  auto print = [&](const Row &row) {
    std::string line;
    llvm::raw_string_ostream text(line);
    text << llvm::left_justify(clipped(row.name, width), width);
    const llvm::StringRef cells[] = {row.energy, row.predicted, row.simulated,
                                     row.bytes, row.host};
    for (size_t i = 0; i < shown; ++i)
      text << llvm::right_justify(cells[i], unsigned(kWidths[i]));
    os << llvm::StringRef(line).rtrim() << '\n';
  };
  print({"", "energy", "cycles", "cycles", "DRAM", "elements"});
  print({"layer", "uJ", "predicted", "simulated", "bytes", "on host"});
  auto energyOf = [](std::optional<double> pj) {
    return number(pj ? std::optional(*pj * 1e-6) : std::nullopt, "%.3f");
  };
  for (const json::Value &value : *report.getArray("groups")) {
    const json::Object &group = *value.getAsObject();
    const json::Object &found = *group.getObject("simulated");
    const int64_t read = integer(found, "dram_read_bytes");
    const int64_t written = integer(found, "dram_write_bytes");
    print({nameOf(group), energyOf(group.getNumber("energy_pj")),
           number(group.getNumber("cycles"), "%.0f"),
           std::to_string(integer(found, "cycles")),
           std::to_string(read + written),
           std::to_string(integer(group, "host_elements"))});
    if (group.get("energy_pj") &&
        (read != integer(group, "dram_read_bytes") ||
         written != integer(group, "dram_write_bytes")))
      os << llvm::formatv("  DRAM bytes differs: predicted {0} read and {1} "
                          "written, found {2} and {3}\n",
                          integer(group, "dram_read_bytes"),
                          integer(group, "dram_write_bytes"), read, written);
    const json::Array &members = *group.getArray("layers");
    for (const json::Value &index : members) {
      const json::Object &layer =
          *layers[size_t(*index.getAsInteger())].getAsObject();
      if (members.size() > 1) {
        const double bytes = (layer.getNumber("dram_read_bytes").value_or(0) +
                              layer.getNumber("dram_write_bytes").value_or(0)) *
                             double(integer(layer, "runs"));
        print({"  " + layer.getString("name").value_or("").str(),
               energyOf(layer.getNumber("total_energy_pj")),
               number(layer.getNumber("total_cycles"), "%.0f"), "",
               number(bytes, "%.0f"), ""});
      }
      if (options.mappings)
        printWrapped(os, layer.getString("mapping").value_or(""), 4,
                     options.width);
    }
  }
  const std::optional<double> core = totals.getNumber("core_cycles");
  if (core && *core > 0) {
    const double leaked = totals.getNumber("core_energy_pj").value_or(0);
    print({"core", leaked > 0 ? energyOf(leaked) : "", number(core, "%.0f"),
           "-", "", ""});
  }
  print({"total", energyOf(totals.getNumber("energy_pj")),
         number(totals.getNumber("predicted_cycles"), "%.0f"),
         number(totals.getNumber("simulated_cycles"), "%.0f"),
         std::to_string(integer(totals, "dram_bytes")),
         std::to_string(report.getObject("host")
                            ? integer(*report.getObject("host"), "elements")
                            : 0)});
  if (anyUnknown)
    os << "? as often as the simulator found, which was not predicted\n";
}

/// A cell of CSV (RFC 4180).
static std::string cell(llvm::StringRef text) {
  if (text.find_first_of(",\"\n") == llvm::StringRef::npos)
    return text.str();
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

void fadiff::printCsv(llvm::raw_ostream &os, const json::Object &report) {
  auto field = [](const json::Object &object, llvm::StringRef key) {
    const json::Value *value = object.get(key);
    if (!value || value->kind() == json::Value::Null)
      return std::string();
    if (auto text = value->getAsString())
      return cell(*text);
    return llvm::formatv("{0}", *value).str();
  };
  os << "kind,name,group,runs,macs,energy_pj,predicted_cycles,simulated_cycles,"
        "dram_read_bytes,dram_write_bytes,host_elements,bound_by,mapping\n";
  const json::Array &layers = *report.getArray("layers");
  for (auto [number, value] : llvm::enumerate(*report.getArray("groups"))) {
    const json::Object &group = *value.getAsObject();
    const json::Object &found = *group.getObject("simulated");
    os << "group," << field(group, "name") << ',' << number << ','
       << field(group, "runs") << ',' << field(found, "macs") << ','
       << field(group, "energy_pj") << ',' << field(group, "cycles") << ','
       << field(found, "cycles") << ',' << field(found, "dram_read_bytes")
       << ',' << field(found, "dram_write_bytes") << ','
       << field(group, "host_elements") << ",,\n";
    for (const json::Value &index : *group.getArray("layers")) {
      const json::Object &layer =
          *layers[size_t(*index.getAsInteger())].getAsObject();
      // Of all runs, as the group's are.
      auto times = [&](llvm::StringRef key) {
        return llvm::formatv("{0}",
                             json::Value(layer.getNumber(key).value_or(0) *
                                         double(integer(layer, "runs"))))
            .str();
      };
      os << "layer," << field(layer, "name") << ',' << number << ','
         << field(layer, "runs") << ',' << times("macs") << ','
         << field(layer, "total_energy_pj") << ','
         << field(layer, "total_cycles") << ",," << times("dram_read_bytes")
         << ',' << times("dram_write_bytes") << ",," << field(layer, "bound_by")
         << ',' << field(layer, "mapping") << '\n';
    }
  }
  const json::Object &totals = *report.getObject("totals");
  os << "total," << field(report, "network") << ",,," << field(totals, "macs")
     << ',' << field(totals, "energy_pj") << ','
     << field(totals, "predicted_cycles") << ','
     << field(totals, "simulated_cycles") << ','
     << field(totals, "dram_read_bytes") << ','
     << field(totals, "dram_write_bytes") << ','
     << integer(*report.getObject("host"), "elements") << ",,\n";
}
