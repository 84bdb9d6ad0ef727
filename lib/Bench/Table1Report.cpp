//===- Table1Report.cpp - The comparison as JSON, Markdown and SVG --------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Table1.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace fadiff;
using llvm::formatv;
namespace json = llvm::json;

static double median(std::vector<double> values) {
  llvm::sort(values);
  const size_t n = values.size();
  return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

template <typename FieldT>
static double medianOf(const std::vector<Table1Run> &runs, FieldT field) {
  std::vector<double> values;
  for (const Table1Run &run : runs)
    values.push_back(double(run.*field));
  return median(values);
}

/// Largest over smallest EDP of the seeds, less 1.
static double spread(const std::vector<Table1Run> &runs) {
  double low = runs.front().edp, high = low;
  for (const Table1Run &run : runs) {
    low = std::min(low, run.edp);
    high = std::max(high, run.edp);
  }
  return high / low - 1;
}

using RunsOf = std::vector<Table1Run> Table1Row::*;

/// Of the DOSA that the table compares with.
static std::optional<double> dosaEdp(const Table1 &table,
                                     const Table1Cell &cell, RunsOf runs) {
  const llvm::StringRef name =
      table.options.fullSpace ? llvm::StringRef(kFirstSpaceDosa) : "dosa";
  for (const Table1Row &row : cell.rows)
    if (row.contender == name && !(row.*runs).empty())
      return medianOf(row.*runs, &Table1Run::edp);
  return std::nullopt;
}

static std::string titleOf(const Table1Options &options) {
  if (options.fullSpace)
    return "Full space";
  std::string title = formatv("Convention `{0}`", nameOf(options.convention));
  if (options.convention == Convention::Timeloop &&
      options.overlap != GroupOverlap::Layer)
    title += formatv(", groups as `{0}`", nameOf(options.overlap));
  return title;
}

json::Object Table1::toJson() const {
  auto runsJson = [](const std::vector<Table1Run> &runs) {
    json::Array array;
    for (const Table1Run &run : runs) {
      json::Array trace;
      for (const TracePoint &point : run.trace)
        trace.push_back(json::Array{point.seconds, int64_t(point.evaluations),
                                    point.energy * 1e-6 * point.cycles});
      array.push_back(json::Object{
          {"seed", int64_t(run.seed)},
          {"edp", run.edp},
          {"unfused_edp", run.unfusedEdp},
          {"seconds", run.seconds},
          {"evaluations", int64_t(run.evaluations)},
          {"enumerated", int64_t(run.enumerated)},
          {"seconds_to_one_percent", run.secondsToOnePercent},
          {"trace", std::move(trace)},
      });
    }
    return array;
  };
  json::Array cellsJson;
  for (const Table1Cell &cell : cells) {
    json::Array rows;
    for (const Table1Row &row : cell.rows)
      rows.push_back(json::Object{
          {"optimizer", row.contender},
          {"error",
           row.error.empty() ? json::Value(nullptr) : json::Value(row.error)},
          {"by_time", runsJson(row.byTime)},
          {"by_evaluations", runsJson(row.byEvaluations)},
      });
    cellsJson.push_back(json::Object{
        {"network", cell.network},
        {"machine", cell.machine},
        {"unfused_bound",
         cell.bound ? json::Value(*cell.bound) : json::Value(nullptr)},
        {"bound_is_exact", cell.exactBound},
        {"rows", std::move(rows)},
    });
  }
  return json::Object{
      {"convention", nameOf(options.convention)},
      {"groups", options.convention == Convention::Timeloop
                     ? json::Value(nameOf(options.overlap))
                     : json::Value(nullptr)},
      {"full_space", options.fullSpace},
      {"unit", "uJ*cycles"},
      {"seconds_per_run", options.seconds},
      {"evaluations_per_run", int64_t(options.evaluations)},
      {"seeds", int64_t(options.seeds)},
      {"threads", int64_t(options.threads)},
      {"cells", std::move(cellsJson)},
  };
}

static void printCells(llvm::raw_ostream &os, const Table1 &table,
                       RunsOf runs) {
  for (const Table1Cell &cell : table.cells) {
    os << formatv("\n**{0}, {1}**", cell.network, cell.machine);
    if (cell.bound)
      os << formatv("; unfused {0}: {1:e4}",
                    cell.exactBound ? "optimum" : "lower bound", *cell.bound);
    os << "\n\n| optimiser | EDP | spread | to DOSA | unfused gap | s to 1 % | "
          "s | evaluations |\n|---|---|---|---|---|---|---|---|\n";
    std::optional<double> dosa = dosaEdp(table, cell, runs);
    for (const Table1Row &row : cell.rows) {
      const std::vector<Table1Run> &found = row.*runs;
      if (!row.error.empty())
        os << formatv("| {0} | failed: {1} | | | | | | |\n", row.contender,
                      row.error);
      if (found.empty())
        continue;
      double edp = medianOf(found, &Table1Run::edp);
      os << formatv("| {0} | {1:e4} | {2:f2} % | ", row.contender, edp,
                    100 * spread(found));
      if (dosa)
        os << formatv("{0:f3} | ", edp / *dosa);
      else
        os << "– | ";
      if (cell.bound)
        os << formatv(
            "{0:f2} % | ",
            100 * std::max(0.0, medianOf(found, &Table1Run::unfusedEdp) /
                                        *cell.bound -
                                    1));
      else
        os << "– | ";
      os << formatv("{0:f2} | {1:f2} | {2:f0}{3} |\n",
                    medianOf(found, &Table1Run::secondsToOnePercent),
                    medianOf(found, &Table1Run::seconds),
                    medianOf(found, &Table1Run::evaluations),
                    found.front().enumerated
                        ? formatv(" + {0:f0} enumerated",
                                  medianOf(found, &Table1Run::enumerated))
                              .str()
                        : "");
    }
  }
}

/// Geometric means of the ratio to DOSA, over the networks of each machine.
static void printMeans(llvm::raw_ostream &os, const Table1 &table,
                       RunsOf runs) {
  std::vector<std::string> machines, names;
  std::map<std::pair<std::string, std::string>, std::vector<double>> logs;
  for (const Table1Cell &cell : table.cells) {
    if (!llvm::is_contained(machines, cell.machine))
      machines.push_back(cell.machine);
    std::optional<double> dosa = dosaEdp(table, cell, runs);
    for (const Table1Row &row : cell.rows) {
      if ((row.*runs).empty() || !dosa)
        continue;
      if (!llvm::is_contained(names, row.contender))
        names.push_back(row.contender);
      logs[{row.contender, cell.machine}].push_back(
          std::log(medianOf(row.*runs, &Table1Run::edp) / *dosa));
    }
  }
  if (names.empty())
    return;
  os << "\nGeometric mean of EDP over DOSA's:\n\n| optimiser |";
  for (const std::string &machine : machines)
    os << " " << machine << " |";
  os << "\n|---|";
  for (size_t i = 0; i < machines.size(); ++i)
    os << "---|";
  os << "\n";
  for (const std::string &name : names) {
    os << "| " << name << " |";
    for (const std::string &machine : machines) {
      const std::vector<double> &values = logs[{name, machine}];
      double sum = 0;
      for (double value : values)
        sum += value;
      if (values.empty())
        os << " – |";
      else
        os << formatv(" {0:f3} |", std::exp(sum / double(values.size())));
    }
    os << "\n";
  }
}

std::string Table1::toMarkdown() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << formatv(
      "## {0}, {1}\n\n{2} for each run, {3} seeds, {4} "
      "thread(s); EDP in uJ*cycles, the median; spread is the largest over the "
      "smallest less 1.\n",
      titleOf(options),
      options.seconds > 0 ? "equal time" : "each to its own end",
      options.seconds > 0 ? formatv("{0:f1} s", options.seconds).str()
                          : "Default limits",
      options.seeds, options.threads);
  printMeans(os, *this, &Table1Row::byTime);
  printCells(os, *this, &Table1Row::byTime);
  if (options.evaluations == 0)
    return text;
  os << formatv("\n## {0}, equal evaluations\n\n{1} evaluations for "
                "each run, and the time limit as above (only `bo` meets it); "
                "what enumeration looks at comes on top.\n",
                titleOf(options), options.evaluations);
  printMeans(os, *this, &Table1Row::byEvaluations);
  printCells(os, *this, &Table1Row::byEvaluations);
  return text;
}

//===----------------------------------------------------------------------===//
// SVG
//===----------------------------------------------------------------------===//

namespace {
constexpr double kWidth = 300, kHeight = 200, kLeft = 52, kTop = 26,
                 kRight = 10, kBottom = 30;
const char *const kColours[] = {"#d62728", "#ff9896", "#1f77b4", "#2ca02c",
                                "#9467bd", "#ff7f0e", "#7f7f7f", "#bcbd22",
                                "#000000", "#17becf"};

/// Log scales of time and EDP for one panel.
struct Scales {
  double firstSecond = 1e-3, lastSecond = 1, low = 0, high = 0;
  double x(double seconds) const {
    double t = std::clamp(seconds, firstSecond, lastSecond);
    return kLeft + (kWidth - kLeft - kRight) * std::log(t / firstSecond) /
                       std::log(lastSecond / firstSecond);
  }
  double y(double edp) const {
    double v = std::clamp(edp, low, high);
    return kHeight - kBottom -
           (kHeight - kTop - kBottom) * std::log(v / low) /
               std::log(high / low);
  }
};
} // namespace

static void drawPanel(llvm::raw_ostream &os, const Table1Cell &cell,
                      double seconds, double left, double top) {
  Scales scales;
  scales.lastSecond = std::max(seconds, 0.01);
  for (const Table1Row &row : cell.rows)
    if (!row.byTime.empty())
      scales.lastSecond =
          std::max(scales.lastSecond, row.byTime.front().seconds);
  for (const Table1Row &row : cell.rows) {
    if (row.byTime.empty())
      continue;
    for (const TracePoint &point : row.byTime.front().trace) {
      double edp = point.energy * 1e-6 * point.cycles;
      if (scales.low == 0 || edp < scales.low)
        scales.low = edp;
    }
  }
  if (cell.bound)
    scales.low = std::min(scales.low, *cell.bound);
  scales.low *= 0.97;
  // Starts are orders of magnitude off; what counts is the end.
  scales.high = scales.low * 2;
  os << formatv("<g transform=\"translate({0:f1},{1:f1})\">\n", left, top);
  os << formatv("<text x=\"{0}\" y=\"16\" font-weight=\"bold\">{1}, "
                "{2}</text>\n",
                kLeft, cell.network, cell.machine);
  os << formatv("<rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" "
                "fill=\"none\" stroke=\"#999\"/>\n",
                kLeft, kTop, kWidth - kLeft - kRight, kHeight - kTop - kBottom);
  for (double t = scales.firstSecond; t <= scales.lastSecond * 1.001; t *= 10)
    os << formatv("<text x=\"{0:f1}\" y=\"{1}\" "
                  "text-anchor=\"middle\">{2}</text>\n",
                  scales.x(t), kHeight - kBottom + 13, t);
  for (double factor : {1.0, 1.25, 1.5, 2.0})
    os << formatv("<text x=\"{0}\" y=\"{1:f1}\" "
                  "text-anchor=\"end\">{2:e2}</text>\n",
                  kLeft - 3, scales.y(scales.low * factor) + 3,
                  scales.low * factor);
  if (cell.bound)
    os << formatv("<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:f1}\" y2=\"{2:f1}\" "
                  "stroke=\"#000\" stroke-dasharray=\"3,3\"/>\n",
                  kLeft, kWidth - kRight, scales.y(*cell.bound));
  for (auto [index, row] : llvm::enumerate(cell.rows)) {
    if (row.byTime.empty())
      continue;
    const Table1Run &run = row.byTime.front();
    os << formatv("<polyline fill=\"none\" stroke=\"{0}\" points=\"",
                  kColours[index % std::size(kColours)]);
    double before = 0;
    for (const TracePoint &point : run.trace) {
      double edp = point.energy * 1e-6 * point.cycles;
      if (before > 0) // a step: the old value holds until now
        os << formatv("{0:f1},{1:f1} ", scales.x(point.seconds),
                      scales.y(before));
      os << formatv("{0:f1},{1:f1} ", scales.x(point.seconds), scales.y(edp));
      before = edp;
    }
    os << formatv("{0:f1},{1:f1}\"/>\n", scales.x(run.seconds),
                  scales.y(run.edp));
  }
  os << "</g>\n";
}

std::string Table1::toSvg() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  // As many panels side by side as a page is wide; their text can be read then.
  constexpr size_t kMostColumns = 3;
  const size_t columns =
      std::min(kMostColumns, std::max<size_t>(1, options.networks.size()));
  const size_t rows = (cells.size() + columns - 1) / columns;
  const double width = double(columns) * kWidth,
               height = double(rows) * kHeight + 30;
  os << formatv("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
                "height=\"{1}\" font-family=\"sans-serif\" "
                "font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" "
                "fill=\"#fff\"/>\n",
                width, height);
  for (auto [index, cell] : llvm::enumerate(cells))
    drawPanel(os, cell, options.seconds, double(index % columns) * kWidth,
              double(index / columns) * kHeight);
  double x = kLeft;
  if (!cells.empty())
    for (auto [index, row] : llvm::enumerate(cells.front().rows)) {
      os << formatv("<text x=\"{0}\" y=\"{1}\" fill=\"{2}\" "
                    "font-weight=\"bold\">{3}</text>\n",
                    x, height - 18, kColours[index % std::size(kColours)],
                    row.contender);
      x += 9.0 * double(row.contender.size());
    }
  os << formatv("<text x=\"{0}\" y=\"{1}\">EDP (uJ*cycles, log) over seconds "
                "(log); dashed: unfused lower bound; what is above twice the "
                "least is cut off</text>\n</svg>\n",
                kLeft, height - 5);
  return text;
}
