//===- Table1.cpp - All optimisers on all networks ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Table1.h"

#include "fadiff/Bench/Networks.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Search/Exact.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fadiff;
using llvm::formatv;

const std::vector<Contender> &fadiff::contenders() {
  static const std::vector<Contender> all = {
      {"fadiff", Optimizer::Fadiff, false},
      {"gradient", Optimizer::Fadiff, true},
      {"dosa", Optimizer::Dosa, false},
      {"ga", Optimizer::Ga, false},
      {"bo", Optimizer::Bo, false},
      {"hillclimb", Optimizer::HillClimb, false},
      {"random", Optimizer::Random, false},
      {"heuristic", Optimizer::Heuristic, false},
      {"exact", Optimizer::Exact, false},
  };
  return all;
}

static Table1Run summarize(const SearchResult &result, uint64_t seed) {
  Table1Run run;
  run.seed = seed;
  run.edp = result.value();
  run.unfusedEdp = result.unfusedValue();
  run.seconds = result.seconds;
  run.evaluations = result.evaluations;
  run.enumerated = result.enumerated;
  run.trace = result.trace;
  run.secondsToOnePercent = result.seconds;
  for (const TracePoint &point : result.trace)
    if (result.value(point.energy, point.cycles) <= 1.01 * run.edp) {
      run.secondsToOnePercent = point.seconds;
      break;
    }
  return run;
}

/// Those whose names are in `wanted`, or all of them.
static llvm::Expected<std::vector<Contender>>
pickContenders(llvm::ArrayRef<std::string> wanted, bool fullSpace) {
  std::vector<Contender> all = contenders();
  if (fullSpace)
    all.insert(all.begin(),
               {kFirstSpaceDosa.str(), Optimizer::Dosa, false, true});
  if (wanted.empty())
    return all;
  std::vector<Contender> picked;
  for (const std::string &name : wanted) {
    auto found =
        llvm::find_if(all, [&](const Contender &c) { return c.name == name; });
    if (found == all.end())
      return llvm::createStringError(
          "unknown optimiser '" + name + "': wanted one of " +
          llvm::join(
              llvm::map_range(all, [](const Contender &c) { return c.name; }),
              ", "));
    picked.push_back(*found);
  }
  return picked;
}

namespace {
class Runner {
public:
  Runner(const Table1Options &options, std::vector<Contender> contenders)
      : options(options), picked(std::move(contenders)) {}

  llvm::Error run(Table1Cell &cell, const Network &network,
                  const Accelerator &target) {
    ExactOptions exact;
    exact.convention = options.convention;
    exact.capacity = Capacity::Rows;
    const Network inSpace = options.fullSpace
                                ? withThinLayersPacked(network, target, exact)
                                : network;
    exact.timeLimit = options.seconds > 0 ? std::max(1.0, options.seconds) : 60;
    findBound(cell, inSpace, target, exact);
    for (const Contender &contender : picked) {
      Table1Row row;
      row.contender = contender.name;
      const Network &searched = contender.firstSpace ? network : inSpace;
      if (llvm::Error error =
              runAll(row.byTime, cell, searched, target, contender, 0)) {
        // The others' results stand; the table says what is missing.
        row.error = llvm::toString(std::move(error));
        row.byTime.clear();
        cell.rows.push_back(std::move(row));
        continue;
      }
      const bool counts = contender.optimizer != Optimizer::Exact &&
                          contender.optimizer != Optimizer::Heuristic;
      if (options.evaluations > 0 && counts)
        if (llvm::Error error = runAll(row.byEvaluations, cell, searched,
                                       target, contender, options.evaluations))
          return error;
      cell.rows.push_back(std::move(row));
    }
    return llvm::Error::success();
  }

private:
  void findBound(Table1Cell &cell, const Network &network,
                 const Accelerator &target, const ExactOptions &exact) {
    Network alone = network;
    alone.edges.clear();
    llvm::Expected<ExactResult> result = exactSchedule(alone, target, exact);
    if (!result) {
      llvm::consumeError(result.takeError());
      return;
    }
    cell.bound = result->lowerBound;
    cell.exactBound = result->gap <= 0;
  }

  llvm::Error runAll(std::vector<Table1Run> &runs, const Table1Cell &cell,
                     const Network &network, const Accelerator &target,
                     const Contender &contender, uint64_t evaluations) {
    // These two draw nothing at random.
    const bool once = contender.optimizer == Optimizer::Exact ||
                      contender.optimizer == Optimizer::Heuristic;
    for (uint64_t seed = 0; seed < (once ? 1 : options.seeds); ++seed) {
      if (options.log)
        options.log(formatv("{0} on {1}: {2}, seed {3}{4}", cell.network,
                            cell.machine, contender.name, seed,
                            evaluations ? ", by evaluations" : "")
                        .str());
      SearchOptions search;
      search.convention = options.convention;
      search.overlap = options.overlap;
      if (contender.firstSpace) {
        search.convention = Convention::Timeloop;
        search.space = kFirstSpace;
        search.fuse = Fuse::Off;
      }
      search.optimizer = contender.optimizer;
      search.seed = seed;
      search.threads = options.threads;
      search.maxEvaluations = evaluations;
      search.timeLimit = options.seconds;
      // Gaussian processes would take hours for these evaluations.
      if (evaluations > 0 && options.seconds == 0)
        search.timeLimit = 10;
      if (contender.gradientOnly) {
        search.closure.mostEvaluations = 0;
        search.climb.sweeps = 0;
      }
      llvm::Expected<SearchResult> result =
          fadiff::search(network, target, search);
      if (!result)
        return result.takeError();
      Table1Run run = summarize(*result, seed);
      if (contender.firstSpace)
        rescore(run, network, *result, target);
      runs.push_back(std::move(run));
    }
    return llvm::Error::success();
  }

  /// In the table's counts. How it came about is not known in these: the trace
  /// is the end alone.
  void rescore(Table1Run &run, const Network &network,
               const SearchResult &result, const Accelerator &target) {
    ScheduleCost cost =
        evaluateSchedule(network, result.schedule, target, options.convention);
    run.edp = run.unfusedEdp = cost.edp();
    run.trace = {{run.seconds, run.evaluations, cost.energy, cost.cycles}};
  }

  const Table1Options &options;
  std::vector<Contender> picked;
};
} // namespace

llvm::Expected<Table1> fadiff::runTable1(const Table1Options &options) {
  if (options.seeds == 0)
    return llvm::createStringError("seeds: wanted at least 1, found 0");
  Table1 table;
  table.options = options;
  if (table.options.networks.empty())
    for (llvm::StringRef name : benchNetworkNames())
      table.options.networks.push_back(name.str());
  if (table.options.machines.empty())
    table.options.machines = {"gemmini-large", "gemmini-small"};
  if (options.fullSpace)
    table.options.convention = Convention::Machine;
  auto picked = pickContenders(options.contenders, options.fullSpace);
  if (!picked)
    return picked.takeError();
  Runner runner(table.options, *picked);
  for (const std::string &machine : table.options.machines) {
    llvm::Expected<Accelerator> target = findTarget(machine);
    if (!target)
      return target.takeError();
    for (const std::string &name : table.options.networks) {
      llvm::Expected<Network> network = benchNetwork(name);
      if (!network)
        return network.takeError();
      Table1Cell cell;
      cell.network = name;
      cell.machine = target->name;
      if (llvm::Error error = runner.run(cell, *network, *target))
        return std::move(error);
      table.cells.push_back(std::move(cell));
    }
  }
  return std::move(table);
}
