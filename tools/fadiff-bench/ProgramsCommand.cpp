//===- ProgramsCommand.cpp - fadiff-bench programs ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Networks as emitted programs on the simulator: the library's rule, the search
// without fusion, the search with fusion, on each machine.
//
//===----------------------------------------------------------------------===//

#include "Emitted.h"
#include "Options.h"
#include "support/Tool.h"

#include "fadiff/Support/Files.h"
#include "fadiff/Transforms/SearchModule.h"

#include "support/Network.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace fadiff;
namespace cl = llvm::cl;
namespace json = llvm::json;

static llvm::Expected<json::Object> run();
static Command command("programs",
                       "Emitted programs of whole networks on the simulator",
                       run);

static EmittedOptions given(command);
static ModelOptions models(benchCategory(), command.sub);
static cl::opt<std::string>
    markdown("markdown", cl::value_desc("file"),
             cl::desc("Also write the results as a table"),
             cl::sub(command.sub), cl::cat(benchCategory()));

constexpr Contender kContenders[] = {
    {"heuristic", Optimizer::Heuristic, Fuse::Off, Packing::Off},
    {"unfused", Optimizer::Fadiff, Fuse::Off, Packing::Off},
    {"fused", Optimizer::Fadiff, Fuse::On, Packing::Off},
    {"packed", Optimizer::Fadiff, Fuse::On, Packing::Auto},
};

/// Energy in pJ of what the simulator counted, and what leaks meanwhile. What
/// the array's registers do is not counted there: one read per
/// multiply-accumulate, and the predicted fills.
static double countedEnergy(const sim::Counters &counted, double cycles,
                            llvm::ArrayRef<NestPrediction> predicted,
                            const Accelerator &machine) {
  double fills = 0;
  for (const NestPrediction &nest : predicted)
    if (nest.counts)
      for (const LayerCost &member : nest.counts->members)
        fills += double(nest.trips) *
                 member.access[Level::Registers][Tensor::W].fills;
  PerLevel<double> accesses;
  accesses[Level::Registers] = double(counted.macs) + fills;
  accesses[Level::Accumulator] =
      double(counted.accumulatorReads + counted.accumulatorWrites);
  accesses[Level::Scratchpad] =
      double(counted.scratchpadReads + counted.scratchpadWrites);
  double energy = double(counted.macs) * machine.energyPerMac +
                  cycles * machine.leakagePerCycle();
  for (Level level : {Level::Registers, Level::Accumulator, Level::Scratchpad})
    energy += accesses[level] * machine.energyPerAccess[level];
  // A word of DRAM is a byte here, as the model has it.
  return energy + double(counted.dramBytesRead + counted.dramBytesWritten) *
                      machine.energyPerAccess[Level::Dram];
}

/// DRAM bytes that no enumerated schedule of the network gets below, by the
/// exact search on a machine where nothing else takes energy; null where there
/// is no bound.
static json::Value leastDramBytes(const Network &network, Accelerator machine,
                                  Fuse fuse) {
  machine.energyPerMac = 0;
  for (Level level : kAllLevels)
    machine.energyPerAccess[level] = level == Level::Dram;
  SearchOptions search;
  search.fuse = fuse;
  search.objective = Objective::Energy;
  llvm::Expected<SearchResult> result =
      fadiff::search(network, machine, search);
  if (!result) {
    llvm::consumeError(result.takeError());
    return nullptr;
  }
  if (!result->bound)
    return nullptr;
  return *result->bound;
}

static llvm::Expected<json::Object> runOne(mlir::ModuleOp module,
                                           llvm::StringRef network,
                                           const std::string &targetName,
                                           const Contender &contender,
                                           double limit) {
  std::string what =
      (network + " on " + targetName + ", " + contender.name).str();
  auto emitted =
      runEmitted(module, what, targetName, contender, limit, given.loopWs);
  if (!emitted)
    return emitted.takeError();
  const Accelerator &accelerator = emitted->accelerator;
  const std::vector<NestPrediction> &predicted = emitted->predicted;
  const sim::Machine &machine = *emitted->machine;

  sim::Counters counted = machine.total();
  double energy = 0, cycles = 0;
  int64_t read = 0, written = 0;
  for (const NestPrediction &nest : predicted) {
    energy += nest.energy;
    cycles += nest.cycles;
    read += nest.dramRead;
    written += nest.dramWrite;
  }
  int64_t commands = counted.coreCommands();
  double ours =
      countedEnergy(counted, double(machine.cycles()), predicted, accelerator);
  json::Value least = nullptr;
  if (emitted->searches.size() == 1 &&
      !emitted->searches.front().network.layers.empty())
    least = leastDramBytes(emitted->searches.front().network, accelerator,
                           contender.fuse);
  const HostReport &host = emitted->host;
  double peak = double(accelerator.side) * double(accelerator.side);
  return json::Object{
      {"network", network},
      {"target", accelerator.name},
      {"schedule", contender.name},
      {"groups", predicted.size()},
      {"macs_percent", host.macPercent()},
      {"host_operations", host.operations.size()},
      {"host_elements", host.elements},
      {"dram_lower_bound", std::move(least)},
      {"predicted", json::Object{{"cycles", cycles},
                                 {"energy_uj", energy * 1e-6},
                                 {"edp", energy * 1e-6 * cycles},
                                 {"dram_read", read},
                                 {"dram_written", written}}},
      {"simulated",
       json::Object{
           {"cycles", machine.cycles()},
           {"energy_uj", ours * 1e-6},
           {"edp", ours * 1e-6 * double(machine.cycles())},
           {"dram_read", counted.dramBytesRead},
           {"dram_written", counted.dramBytesWritten},
           {"commands", commands},
           {"array_utilisation",
            double(counted.macs) / (peak * double(machine.cycles()))}}}};
}

static void printMarkdown(llvm::raw_ostream &os, const json::Array &rows) {
  os << "Emitted programs on the simulator. Predicted DRAM bytes equal "
        "the simulated ones per tensor in every row. What stays\n"
        "on the host has the last columns, and no part in cycles and EDP. "
        "Cycles predicted by the roofline. EDP in uJ*cycles "
        "with counted accesses. Least: what no\nlegal schedule with the same "
        "fusion and packing can get below, whatever else it costs.\n\n"
        "| network | machine | schedule | groups | cycles | predicted | "
        "DRAM MB | least | commands | array use | EDP | MACs on the array | "
        "host operations | host elements |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const json::Value &value : rows) {
    const json::Object &row = *value.getAsObject();
    const json::Object &found = *row.getObject("simulated");
    std::optional<double> least = row.getNumber("dram_lower_bound");
    os << llvm::formatv(
        "| {0} | {1} | {2} | {3} | {4} | {5:f0} | {6:f2} | {7} | {8} | {9:P1} "
        "| {10:e4} | {11:f1} % | {12} | {13} |\n",
        *row.getString("network"), *row.getString("target"),
        *row.getString("schedule"), *row.getInteger("groups"),
        *found.getInteger("cycles"),
        *row.getObject("predicted")->getNumber("cycles"),
        double(*found.getInteger("dram_read") +
               *found.getInteger("dram_written")) *
            1e-6,
        least ? llvm::formatv("{0:f2}", *least * 1e-6).str() : "",
        *found.getInteger("commands"), *found.getNumber("array_utilisation"),
        *found.getNumber("edp"), *row.getNumber("macs_percent"),
        *row.getInteger("host_operations"), *row.getInteger("host_elements"));
  }
}

static llvm::Expected<json::Object> run() {
  if (llvm::Error error = checkWritable("--markdown", markdown))
    return std::move(error);
  llvm::Expected<double> limit = parseDuration(given.limitText);
  if (!limit)
    return limit.takeError();
  EmittedNetworks networks;
  json::Array rows;
  for (const std::string &file : given.files) {
    auto module = networks.read(file, &models);
    if (!module)
      return module.takeError();
    for (const std::string &target : machinesOrAll(given.targets))
      for (const Contender &contender : kContenders) {
        auto row = runOne(**module, llvm::sys::path::stem(file), target,
                          contender, *limit);
        if (!row)
          return row.takeError();
        rows.push_back(std::move(*row));
      }
  }
  if (!markdown.empty())
    if (llvm::Error error =
            writeOutput(markdown, [&](llvm::raw_ostream &os) -> llvm::Error {
              printMarkdown(os, rows);
              return llvm::Error::success();
            }))
      return std::move(error);
  return json::Object{{"rows", std::move(rows)}};
}
