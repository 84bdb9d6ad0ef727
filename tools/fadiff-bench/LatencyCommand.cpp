//===- LatencyCommand.cpp - fadiff-bench latency --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The latency models beside the simulated cycles of the emitted programs, nest
// by nest: what docs/Results.md says of them comes from here.
//
//===----------------------------------------------------------------------===//

#include "Emitted.h"
#include "Options.h"

#include "fadiff/Bench/Statistics.h"
#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/Transforms/SearchModule.h"

#include "support/Network.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace fadiff;
namespace cl = llvm::cl;
namespace json = llvm::json;

static llvm::Expected<json::Object> run();
static Command command("latency",
                       "Predicted cycles against emitted programs on the "
                       "simulator, group by group",
                       run);

static EmittedOptions given(command);
static ModelOptions models(benchCategory(), command.sub);
static cl::opt<unsigned>
    worst("worst", cl::value_desc("n"),
          cl::desc("List the n rows that are furthest off (default 0)"),
          cl::init(0), cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<bool> listRows("rows", cl::desc("List all rows"),
                              cl::sub(command.sub), cl::cat(benchCategory()));

static constexpr Contender kContenders[] = {
    {"heuristic", Optimizer::Heuristic, Fuse::Off, Packing::Off},
    {"unfused", Optimizer::Fadiff, Fuse::Off, Packing::Off},
    {"fused", Optimizer::Fadiff, Fuse::On, Packing::Off},
};

namespace {
/// A loop nest of one program.
struct Row {
  std::string network, target, schedule, name, mapping;
  size_t layers = 1;
  bool byLoop = false;
  /// Cycles; `closed`: of the closed form of streams.
  double streams = 0, closed = 0, roofline = 0, issue = 0, simulated = 0;
  double commands = 0; ///< that are predicted
  sim::Counters counters;
};
} // namespace

static json::Object toJson(const Row &row) {
  return json::Object{
      {"network", row.network},
      {"target", row.target},
      {"schedule", row.schedule},
      {"group", row.name},
      {"mapping", row.mapping},
      {"layers", row.layers},
      {"predicted", row.streams},
      {"closed_form", row.closed},
      {"roofline", row.roofline},
      {"issue", row.issue},
      {"simulated", row.simulated},
      {"ratio", row.streams / row.simulated},
      // What the simulator's servers were doing.
      {"busy", json::Object{{"load", row.counters.loadBusyCycles},
                            {"execute", row.counters.executeBusyCycles},
                            {"store", row.counters.storeBusyCycles}}},
      {"commands", row.counters.coreCommands()},
      {"commands_predicted", row.commands},
  };
}

/// How well `predicted` says what was simulated.
static json::Object agreement(llvm::ArrayRef<const Row *> rows,
                              double Row::*predicted) {
  std::vector<double> prediction, simulated;
  double logs = 0;
  for (const Row *row : rows) {
    prediction.push_back(row->*predicted);
    simulated.push_back(row->simulated);
    logs += std::log(row->*predicted / row->simulated);
  }
  return json::Object{
      {"tau", kendallTau(prediction, simulated)},
      {"geometric_mean", std::exp(logs / double(rows.size()))},
      {"mean_abs_rel_error", meanRelativeError(prediction, simulated)},
      {"max_abs_rel_error", maxRelativeError(prediction, simulated)},
  };
}

/// Predicted in parts of the commands that the core issued, of nests without
/// loop_ws, and how many nests issued fewer than that.
static json::Object commandsOf(llvm::ArrayRef<const Row *> rows) {
  double predicted = 0, issued = 0, least = 1, most = 0;
  size_t above = 0;
  for (const Row *row : rows) {
    if (row->byLoop)
      continue;
    const auto found = double(row->counters.coreCommands());
    predicted += row->commands;
    issued += found;
    least = std::min(least, row->commands / found);
    most = std::max(most, row->commands / found);
    above += row->commands > found * (1 + 1e-9);
  }
  return json::Object{{"predicted", predicted},
                      {"issued", issued},
                      {"ratio", issued > 0 ? predicted / issued : 1},
                      {"least_ratio", least},
                      {"largest_ratio", most},
                      {"rows_above", above}};
}

static json::Object agreement(llvm::ArrayRef<const Row *> rows) {
  return json::Object{{"rows", rows.size()},
                      {"streams", agreement(rows, &Row::streams)},
                      {"closed_form", agreement(rows, &Row::closed)},
                      {"roofline", agreement(rows, &Row::roofline)},
                      {"issue", agreement(rows, &Row::issue)},
                      {"commands", commandsOf(rows)}};
}

template <typename KeyT>
static json::Object agreementBy(llvm::ArrayRef<Row> rows, KeyT keyOf) {
  llvm::MapVector<llvm::StringRef, std::vector<const Row *>> sets;
  for (const Row &row : rows)
    sets[keyOf(row)].push_back(&row);
  json::Object result;
  for (const auto &[key, members] : sets)
    result[key.str()] = agreement(members);
  return result;
}

static llvm::Expected<json::Object> run() {
  llvm::Expected<double> limit = parseDuration(given.limitText);
  if (!limit)
    return limit.takeError();
  EmittedNetworks networks;
  auto model =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Streams);
  auto withIssue =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Issue);
  std::vector<Row> rows;
  for (const std::string &file : given.files) {
    auto module = networks.read(file, &models);
    if (!module)
      return module.takeError();
    std::string network = llvm::sys::path::stem(file).str();
    for (const std::string &target : machinesOrAll(given.targets))
      for (const Contender &contender : kContenders) {
        std::string what =
            (network + " on " + target + ", " + contender.name).str();
        auto emitted =
            runEmitted(**module, what, target, contender, *limit, given.loopWs);
        if (!emitted)
          return emitted.takeError();
        for (auto [region, nest] : llvm::enumerate(emitted->predicted)) {
          // A nest without a mapping was refused as unchecked.
          Row &row = rows.emplace_back();
          row.network = network;
          row.target = emitted->accelerator.name;
          row.schedule = contender.name.str();
          row.name = nest.name;
          row.mapping = nest.mapping;
          row.layers = nest.network.layers.size();
          row.byLoop = nest.byLoop;
          row.counters = emitted->machine->counters(int64_t(region));
          const double runs = double(row.counters.runs);
          auto cyclesBy = [&](const CostFunction &cost) {
            return runs * (nest.byLoop
                               ? nest.cyclesByLoop
                               : evaluateGroup(nest.network, nest.schedule,
                                               nest.schedule.groups.front(),
                                               emitted->accelerator, cost)
                                     .cycles);
          };
          row.streams = cyclesBy(*model);
          row.closed = cyclesBy(model->quick());
          row.roofline = runs * nest.counts->cycles;
          const GroupCost issued = evaluateGroup(
              nest.network, nest.schedule, nest.schedule.groups.front(),
              emitted->accelerator, *withIssue);
          row.issue = runs * issued.cycles;
          for (const MemberCost &member : issued.members)
            row.commands += runs * member.commands;
          row.simulated = double(row.counters.cycles);
        }
      }
  }
  std::vector<const Row *> all;
  for (const Row &row : rows)
    all.push_back(&row);
  json::Object result{
      {"all", agreement(all)},
      {"by_target",
       agreementBy(rows,
                   [](const Row &row) { return llvm::StringRef(row.target); })},
      {"by_schedule",
       agreementBy(
           rows, [](const Row &row) { return llvm::StringRef(row.schedule); })},
      {"by_network",
       agreementBy(
           rows, [](const Row &row) { return llvm::StringRef(row.network); })},
      {"by_kind", agreementBy(rows,
                              [](const Row &row) {
                                return llvm::StringRef(row.layers > 1 ? "groups"
                                                       : row.byLoop ? "loops"
                                                                    : "layers");
                              })},
  };
  // Too slow and too fast by the same factor count the same. Rows lie in the
  // order in which they were found.
  llvm::sort(all, [](const Row *a, const Row *b) {
    auto distance = [](const Row *row) {
      return std::fabs(std::log(row->streams / row->simulated));
    };
    return std::pair(-distance(a), a) < std::pair(-distance(b), b);
  });
  if (worst) {
    json::Array list;
    for (const Row *row : llvm::ArrayRef(all).take_front(worst))
      list.push_back(toJson(*row));
    result["worst"] = std::move(list);
  }
  if (listRows) {
    json::Array list;
    for (const Row &row : rows)
      list.push_back(toJson(row));
    result["rows"] = std::move(list);
  }
  return result;
}
