//===- FrontendsCommand.cpp - fadiff-bench frontends ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whole networks as front ends write them: how much of each gets onto the
// array, one row per file.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Emitted.h"
#include "support/Tool.h"

#include "fadiff/Support/Files.h"

#include "mlir/IR/Diagnostics.h"
#include "support/Network.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace fadiff;
namespace cl = llvm::cl;
namespace json = llvm::json;

static llvm::Expected<json::Object> run();
static Command command("frontends",
                       "How much of whole networks gets onto the array", run);

static ModelOptions models(benchCategory(), command.sub);
static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("<network.mlir>..."),
                                   cl::sub(command.sub),
                                   cl::cat(benchCategory()));
static cl::opt<std::string>
    target("target", cl::value_desc("name|file"),
           cl::desc("Machine (default: the module's own, else gemmini-large)"),
           cl::init(""), cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<Requantisation>
    requantize("requantize", cl::value_desc("exact|hardware"),
               cl::desc("What a requantisation may become (default exact)"),
               cl::init(Requantisation::Exact), cl::sub(command.sub),
               cl::cat(benchCategory()));
static cl::opt<std::string>
    entryName("entry", cl::value_desc("name"),
              cl::desc("The function that is the network (default main)"),
              cl::init("main"), cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<std::string>
    limitText("time-limit", cl::value_desc("duration"),
              cl::desc("Limit of each search (default 0s: until it ends by "
                       "itself)"),
              cl::init("0s"), cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<std::string>
    markdown("markdown", cl::value_desc("file"),
             cl::desc("Also write the results as a table"),
             cl::sub(command.sub), cl::cat(benchCategory()));

/// What the searches of the entry's functions come to. There is one unless
/// calls could not be inlined.
static json::Object countsOf(llvm::ArrayRef<FunctionSearch> searches) {
  int64_t layers = 0, fused = 0, edges = 0, hostOperations = 0, elements = 0;
  int64_t macs = 0, arrayMacs = 0, tails = 0, arrayTails = 0;
  double energy = 0, cycles = 0;
  json::Array functions;
  for (const FunctionSearch &search : searches) {
    layers += int64_t(search.network.layers.size());
    edges += int64_t(search.result.edges.size());
    for (const EdgeDecision &decision : search.result.edges)
      fused += decision.fused;
    const HostReport &host = search.host;
    hostOperations += int64_t(host.operations.size());
    elements += host.elements;
    macs += host.macs;
    arrayMacs += host.arrayMacs;
    tails += host.tails;
    arrayTails += host.arrayTails;
    energy += search.result.cost.energy;
    cycles += search.result.cost.cycles;
    functions.push_back(
        json::Object{{"function", search.function}, {"host", host.toJson()}});
  }
  return json::Object{
      {"layers", layers},
      {"macs", macs},
      {"macs_on_array", arrayMacs},
      {"macs_percent", macs ? 100.0 * double(arrayMacs) / double(macs) : 100.0},
      {"tails", tails},
      {"tails_on_array", arrayTails},
      {"edges", edges},
      {"edges_fused", fused},
      {"host_operations", hostOperations},
      {"host_elements", elements},
      {"energy_uj", energy * 1e-6},
      {"cycles", cycles},
      {"edp", energy * 1e-6 * cycles},
      {"functions", std::move(functions)}};
}

/// Schedules the network in `file`. What stands in the way is the row's
/// "error": the first diagnostic.
static json::Object runOne(EmittedNetworks &networks, const std::string &file,
                           double limit) {
  json::Object row{{"network", llvm::sys::path::stem(file)}};
  std::string error;
  mlir::ScopedDiagnosticHandler handler(
      networks.getContext(), [&](mlir::Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error &&
            error.empty())
          error = (llvm::Twine(placeOf(diagnostic.getLocation())) + ": " +
                   diagnostic.str())
                      .str();
        return mlir::failure(); // and printed as usual
      });
  auto refused = [&](llvm::StringRef why) {
    row["error"] = json::fixUTF8(error.empty() ? why : error);
    return std::move(row);
  };
  auto module = networks.read(file, &models);
  if (!module)
    return refused(llvm::toString(module.takeError()));
  ScheduleOptions options;
  options.target = target.getValue();
  options.requantize = requantize.getValue();
  // A network of which nothing gets onto the array is a result, too.
  options.allowEmpty = true;
  options.timeLimit = limitText.getValue();
  SearchOptions search;
  search.timeLimit = limit;
  search.seed = options.seed;
  std::vector<FunctionSearch> searches;
  mlir::FailureOr<EntryPoint> entry = findEntryPoint(**module, entryName);
  if (mlir::failed(entry) ||
      mlir::failed(
          scheduleEntry(**module, entry->name, options, search, &searches)))
    return refused("it cannot be scheduled");
  row["target"] = ir::lookupTarget(**module).getAccelerator().name;
  for (auto &member : countsOf(searches))
    row[member.first] = std::move(member.second);
  return row;
}

static void printMarkdown(llvm::raw_ostream &os, const json::Array &rows) {
  os << "| network | machine | layers | MACs on the array | tails on the array "
        "| edges fused | host operations | host elements | EDP |\n"
        "|---|---|---|---|---|---|---|---|---|\n";
  for (const json::Value &value : rows) {
    const json::Object &row = *value.getAsObject();
    os << "| " << *row.getString("network") << " | ";
    if (std::optional<llvm::StringRef> error = row.getString("error")) {
      std::string text = error->split('\n').first.str();
      llvm::replace(text, '|', '/');
      os << "refused: " << text << " | | | | | | | |\n";
      continue;
    }
    auto count = [&](llvm::StringRef key) { return *row.getInteger(key); };
    os << llvm::formatv(
        "{0} | {1} | {2:f1} % | {3}/{4} | {5}/{6} | {7} | {8} | {9:e3} |\n",
        *row.getString("target"), count("layers"),
        *row.getNumber("macs_percent"), count("tails_on_array"), count("tails"),
        count("edges_fused"), count("edges"), count("host_operations"),
        count("host_elements"), *row.getNumber("edp"));
  }
}

static llvm::Expected<json::Object> run() {
  if (llvm::Error error = checkWritable("--markdown", markdown))
    return std::move(error);
  llvm::Expected<double> limit = parseDuration(limitText);
  if (!limit)
    return limit.takeError();
  EmittedNetworks networks;
  json::Array rows;
  for (const std::string &file : files)
    rows.push_back(runOne(networks, file, *limit));
  if (!markdown.empty())
    if (llvm::Error error =
            writeOutput(markdown, [&](llvm::raw_ostream &os) -> llvm::Error {
              printMarkdown(os, rows);
              return llvm::Error::success();
            }))
      return std::move(error);
  const int64_t refused = llvm::count_if(rows, [](const json::Value &row) {
    return row.getAsObject()->get("error") != nullptr;
  });
  return json::Object{{kRefused, refused}, {"rows", std::move(rows)}};
}
