//===- CodesignCommand.cpp - fadiff-bench codesign ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Methods that choose machines, side by side: what docs/Codesign.md says of
// them comes from here.
//
//===----------------------------------------------------------------------===//

#include "Command.h"
#include "Emitted.h"

#include "fadiff/Codesign/Sweep.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Pipelines/Pipelines.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Transforms/ScoreModule.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Path.h"

#include <chrono>
#include <cmath>

FADIFF_NAMED_OPTION(fadiff::Misfits)

using namespace fadiff;
namespace cl = llvm::cl;
namespace json = llvm::json;

static llvm::Expected<json::Object> run();
static Command command("codesign",
                       "The best machine of a design, by several methods", run);

static cl::list<std::string> files(cl::Positional, cl::OneOrMore,
                                   cl::desc("<network.mlir>..."),
                                   cl::sub(command.sub),
                                   cl::cat(benchCategory()));
static cl::opt<std::string> designName("design", cl::value_desc("name|file"),
                                       cl::desc("The machines (default "
                                                "gemmini)"),
                                       cl::init("gemmini"),
                                       cl::sub(command.sub),
                                       cl::cat(benchCategory()));
static cl::list<CodesignMethod>
    methods("method", cl::value_desc("boxes|grid|descent|dosa|random|bo"),
            cl::desc("Methods to compare (default boxes); random and bo get\n"
                     "as many searches as the one before them took"),
            cl::CommaSeparated, cl::sub(command.sub), cl::cat(benchCategory()));
static cl::list<std::string> areas("area", cl::value_desc("mm2"),
                                   cl::desc("Most area, such as 1.15mm2, or "
                                            "any (default any)"),
                                   cl::CommaSeparated, cl::sub(command.sub),
                                   cl::cat(benchCategory()));
static cl::opt<std::string>
    power("power", cl::value_desc("mW"),
          cl::desc("Most average power of each network, such as 250mW "
                   "(default any)"),
          cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<Objective> objective("objective",
                                    cl::value_desc("edp|energy|latency"),
                                    cl::desc("What to minimise (default edp)"),
                                    cl::init(Objective::Edp),
                                    cl::sub(command.sub),
                                    cl::cat(benchCategory()));
static cl::opt<Latency> latency("latency",
                                cl::value_desc("roofline|issue|streams"),
                                cl::desc("How cycles are counted (default "
                                         "roofline)"),
                                cl::init(Latency::Roofline),
                                cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<Fuse> fuse("fuse", cl::value_desc("on|chains|off"),
                          cl::desc("What may share a fusion group (default "
                                   "on)"),
                          cl::init(Fuse::On), cl::sub(command.sub),
                          cl::cat(benchCategory()));
static cl::opt<Packing> pack("pack", cl::value_desc("auto|on|columns|off"),
                             cl::desc("Taps that thin layers have as channels "
                                      "(default auto)"),
                             cl::init(Packing::Auto), cl::sub(command.sub),
                             cl::cat(benchCategory()));
static cl::opt<Switch> core("core", cl::value_desc("on|off"),
                            cl::desc("Whether what the core does counts "
                                     "(default on)"),
                            cl::init(Switch::On), cl::sub(command.sub),
                            cl::cat(benchCategory()));
static cl::opt<Requantisation>
    requantize("requantize", cl::value_desc("exact|hardware"),
               cl::desc("What a requantisation may become (default exact); "
                        "hardware\nfor networks in QDQ form"),
               cl::init(Requantisation::Exact), cl::sub(command.sub),
               cl::cat(benchCategory()));
static cl::opt<bool> together("together",
                              cl::desc("One machine for all networks, by the "
                                       "geometric mean"),
                              cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<double> gap("gap", cl::value_desc("part"),
                           cl::desc("Of boxes: how near to the proof is near "
                                    "enough, 0.01 for 1 % (default 0)"),
                           cl::init(0), cl::sub(command.sub),
                           cl::cat(benchCategory()));
static cl::opt<unsigned> searches("searches", cl::value_desc("n"),
                                  cl::desc("Machines searched at most "
                                           "(default 0, any number)"),
                                  cl::init(0), cl::sub(command.sub),
                                  cl::cat(benchCategory()));
static cl::opt<uint64_t> seed("seed", cl::value_desc("n"),
                              cl::desc("Of descent's and random's choices "
                                       "(default 1)"),
                              cl::init(1), cl::sub(command.sub),
                              cl::cat(benchCategory()));
static cl::opt<unsigned>
    rescore("rescore", cl::value_desc("n"),
            cl::desc("Run the programs of the n best machines on the\n"
                     "simulator, without data (default 0)"),
            cl::init(0), cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<Optimizer>
    blindMappings("blind-mappings", cl::value_desc("random|bo|.."),
                  cl::desc("What searches mappings for the methods random and\n"
                           "bo (default fadiff, as for the others)"),
                  cl::init(Optimizer::Fadiff), cl::sub(command.sub),
                  cl::cat(benchCategory()));
static cl::opt<unsigned>
    blindEvaluations("blind-evaluations", cl::value_desc("n"),
                     cl::desc("Mappings that it tries for each distinct layer "
                              "on a\nmachine (default 1000)"),
                     cl::init(1000), cl::sub(command.sub),
                     cl::cat(benchCategory()));
static cl::opt<Misfits> misfits(
    "misfits", cl::value_desc("repaired|failed|redrawn"),
    cl::desc("What random mappings become that do not fit (default\n"
             "repaired): smaller, or evaluations with no result, or\n"
             "others are drawn, up to ten times as many. Repaired ones\n"
             "come behind a rule of thumb's mapping"),
    cl::init(Misfits::Repaired), cl::sub(command.sub),
    cl::cat(benchCategory()));
static cl::opt<std::string>
    shard("shard", cl::value_desc("i/n"),
          cl::desc("Of all machines of --method=grid search every n-th, from\n"
                   "the i-th on, and append what is found to --out"),
          cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<std::string> out("out", cl::value_desc("file"),
                                cl::desc("Of --shard: lines of JSON"),
                                cl::sub(command.sub), cl::cat(benchCategory()));
static cl::list<std::string>
    merge("merge", cl::value_desc("file"),
          cl::desc("Search nothing: all is in these files, of shards"),
          cl::CommaSeparated, cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<std::string>
    frontFile("front", cl::value_desc("file"),
              cl::desc("Write the best machine for each area or power: a page\n"
                       "if the name ends in .html, else JSON"),
              cl::sub(command.sub), cl::cat(benchCategory()));
static cl::opt<FrontOver>
    frontOver("front-over", cl::value_desc("area|power"),
              cl::desc("What the front is over (default area)"),
              cl::init(FrontOver::Area), cl::sub(command.sub),
              cl::cat(benchCategory()));
static cl::opt<bool> timed("timed",
                           cl::desc("Print the seconds that methods took"),
                           cl::sub(command.sub), cl::cat(benchCategory()));

namespace {
struct NetworkFile {
  std::string name;
  mlir::OwningOpRef<mlir::ModuleOp> whole, prepared;
};
} // namespace

/// The objective with the simulated cycles of the program.
static llvm::Expected<double> simulatedValue(const NetworkFile &network,
                                             const Accelerator &machine,
                                             const std::string &description) {
  const Contender contender{
      "codesign", Optimizer::Fadiff, fuse,      pack, core == Switch::On,
      objective,  toChoice(latency), requantize};
  llvm::Expected<EmittedProgram> program =
      runEmitted(*network.whole, network.name, description, contender,
                 /*limit=*/0, LoopUnitUse::Auto);
  if (!program)
    return program.takeError();
  double energy = 0, predicted = 0, coreCycles = 0;
  for (const FunctionSearch &search : program->searches) {
    energy += search.result.cost.energy;
    predicted += search.result.cost.cycles;
    coreCycles += search.result.cost.coreCycles;
  }
  const double cycles = double(program->machine->cycles()) + coreCycles;
  energy += machine.leakagePerCycle() * (cycles - predicted);
  return objectiveValue(objective, energy, cycles);
}

/// Geometric means over the networks, of the `rescore` best machines.
static llvm::Error rescoreBest(const CodesignResult &result,
                               const Design &design,
                               llvm::ArrayRef<NetworkFile *> networks,
                               json::Object &row) {
  json::Array rescored;
  for (const ScoredMachine &machine :
       llvm::ArrayRef(result.machines).take_front(rescore)) {
    llvm::SmallString<64> path;
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("machine", "yaml", path))
      return llvm::errorCodeToError(error);
    llvm::FileRemover remover(path);
    if (llvm::Error error = writeOutput(path, [&](llvm::raw_ostream &os) {
          os << design.toYaml(machine.point, "rescored");
          return llvm::Error::success();
        }))
      return error;
    double product = 1;
    for (const NetworkFile *network : networks) {
      llvm::Expected<double> value =
          simulatedValue(*network, machine.machine, path.c_str());
      if (!value)
        return value.takeError();
      product *= std::pow(*value, 1.0 / double(networks.size()));
    }
    rescored.push_back(json::Object{{"machine", design.describe(machine.point)},
                                    {"area_mm2", machine.machine.area},
                                    {"value", machine.value},
                                    {"simulated_value", product}});
  }
  row["rescored"] = std::move(rescored);
  return llvm::Error::success();
}

namespace {
/// Networks that are judged together, and how.
class Contest {
public:
  Contest(const Design &design, std::vector<NetworkFile *> networks,
          KnownScores &known)
      : design(design), networks(std::move(networks)), known(known) {
    search.objective = objective;
    search.fuse = fuse;
    search.countCore = core == Switch::On;
    llvm::raw_string_ostream os(content);
    os << nameOf(objective.getValue()) << ' ' << nameOf(latency.getValue())
       << ' ' << nameOf(fuse.getValue()) << ' ' << nameOf(pack.getValue())
       << ' ' << nameOf(core.getValue()) << '\n';
    for (const NetworkFile *network : this->networks) {
      mlir::ModuleOp module = *network->prepared;
      module.print(os);
    }
  }

  llvm::Expected<CodesignOptions> optionsFor(const std::string &area) const;
  /// Searches what of the machines belongs to `own`; `piece` counts them.
  llvm::Error runShard(const std::string &area, const Shard &own,
                       size_t &piece) const;
  llvm::Expected<json::Object> run(CodesignMethod method,
                                   const std::string &area,
                                   unsigned &lastSearches) const;

private:
  using ScoreOne = decltype(scoreModule);
  /// Of all networks, by scoreModule() or boundModule().
  llvm::Expected<std::vector<NetworkScore>>
  score(const Accelerator &machine, const SearchOptions &options,
        ScoreOne scoreOne = scoreModule) const;
  llvm::Error missingError(const CodesignOptions &options,
                           unsigned missing) const;

  const Design &design;
  const std::vector<NetworkFile *> networks;
  KnownScores &known;
  SearchOptions search;
  std::string content;
};
} // namespace

llvm::Expected<CodesignOptions>
Contest::optionsFor(const std::string &area) const {
  CodesignOptions options;
  options.objective = objective;
  options.gap = gap;
  options.seed = seed;
  options.mostSearches = searches;
  if (area != "any") {
    llvm::Expected<double> mm2 = parseArea(area);
    if (!mm2)
      return mm2.takeError();
    options.mostArea = *mm2;
  }
  if (!power.empty()) {
    llvm::Expected<double> milliwatts = parsePower(power);
    if (!milliwatts)
      return milliwatts.takeError();
    options.mostPower = *milliwatts;
  }
  return options;
}

llvm::Expected<std::vector<NetworkScore>>
Contest::score(const Accelerator &machine, const SearchOptions &options,
               ScoreOne scoreOne) const {
  std::vector<NetworkScore> scores;
  for (const NetworkFile *network : networks) {
    llvm::Expected<NetworkScore> one =
        scoreOne(*network->prepared, machine, options, pack);
    if (!one)
      return one.takeError();
    scores.push_back(std::move(*one));
  }
  return scores;
}

llvm::Error Contest::runShard(const std::string &area, const Shard &own,
                              size_t &piece) const {
  llvm::Expected<CodesignOptions> options = optionsFor(area);
  if (!options)
    return options.takeError();
  llvm::Expected<std::vector<DesignPoint>> points =
      machinesOf(design, *options);
  if (!points)
    return points.takeError();
  for (const DesignPoint &point : *points) {
    if (!own.has(piece++))
      continue;
    const Accelerator machine = llvm::cantFail(design.specialize(point));
    const std::string key = KnownScores::keyOf(content, machine);
    if (known.has(key))
      continue;
    if (llvm::Error error =
            known.keep(key, design.describe(point), score(machine, search)))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error Contest::missingError(const CodesignOptions &options,
                                  unsigned missing) const {
  std::string first;
  for (const DesignPoint &point : llvm::cantFail(machinesOf(design, options))) {
    const Accelerator machine = llvm::cantFail(design.specialize(point));
    if (known.has(KnownScores::keyOf(content, machine)))
      continue;
    first = design.describe(point);
    break;
  }
  return llvm::createStringError(
      "--merge: wanted a line for every machine and these networks, models and "
      "options, found none for " +
      llvm::Twine(missing) + ", the first of them " + first +
      ".\nRun the shards that were stopped once more: they go on where they "
      "ended");
}

llvm::Expected<json::Object> Contest::run(CodesignMethod method,
                                          const std::string &area,
                                          unsigned &lastSearches) const {
  llvm::Expected<CodesignOptions> options = optionsFor(area);
  if (!options)
    return options.takeError();
  options->method = method;
  const bool isBlind =
      method == CodesignMethod::Random || method == CodesignMethod::Bo;
  if (isBlind && !searches)
    options->mostSearches = lastSearches;
  SearchOptions own = search;
  if (isBlind && blindMappings != Optimizer::Fadiff) {
    own.optimizer = blindMappings;
    own.evaluationsPerLayer = blindEvaluations;
    own.bayesian.evaluationsPerLayer = blindEvaluations;
    own.misfits = misfits;
  }
  unsigned missing = 0;
  auto scoreOrFind = [&](const Accelerator &machine)
      -> llvm::Expected<std::vector<NetworkScore>> {
    if (merge.empty())
      return score(machine, own);
    const std::string key = KnownScores::keyOf(content, machine);
    if (known.has(key))
      return known.find(key);
    ++missing;
    return llvm::createStringError("no file has it");
  };
  std::vector<mlir::ModuleOp> modules;
  for (const NetworkFile *network : networks)
    modules.push_back(*network->prepared);
  auto relax = [&](const MovingMachine &moving) {
    return relaxModules(modules, moving, search);
  };
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::string> names;
  for (const NetworkFile *network : networks)
    names.push_back(network->name);
  auto boundOf = [&](const Accelerator &machine) {
    return score(machine, own, boundModule);
  };
  const BoundFunction bound = isBoundedApart(*networks.front()->prepared)
                                  ? BoundFunction(boundOf)
                                  : nullptr;
  auto choose = [&]() -> llvm::Expected<CodesignResult> {
    if (frontFile.empty())
      return codesign(design, *options, scoreOrFind, relax, bound);
    llvm::Expected<CodesignFront> front =
        codesignFront(design, *options, frontOver, scoreOrFind, relax, bound);
    if (!front)
      return front.takeError();
    if (missing == 0)
      if (llvm::Error error = writeFrontFile(
              frontFile, toJson(*front, design, names, objective)))
        return std::move(error);
    return std::move(front->whole);
  };
  llvm::Expected<CodesignResult> result = choose();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  if (missing > 0) {
    if (!result)
      llvm::consumeError(result.takeError());
    return missingError(*options, missing);
  }
  if (!result)
    return result.takeError();
  if (!isBlind)
    lastSearches = result->searches;
  json::Object row = toJson(*result, design, names);
  row["method"] = nameOf(method);
  row["area_limit"] = area;
  if (timed)
    row["seconds"] = seconds;
  if (rescore)
    if (llvm::Error error = rescoreBest(*result, design, networks, row))
      return std::move(error);
  return std::move(row);
}

/// What options cannot mean together.
static llvm::Error checkOptions() {
  if (misfits != Misfits::Repaired && blindMappings != Optimizer::Random)
    return llvm::createStringError(
        "--misfits=" + nameOf(misfits.getValue()) +
        " says what random mappings are: wanted --blind-mappings=random, found "
        "'" +
        nameOf(blindMappings.getValue()) + "'");
  if (shard.empty() != out.empty())
    return llvm::createStringError(
        "--shard and --out are wanted together; found one of them");
  if (!shard.empty() && !merge.empty())
    return llvm::createStringError(
        "--shard and --merge exclude each other; found both");
  if ((!shard.empty() || !merge.empty()) &&
      !(methods.size() == 1 && methods.front() == CodesignMethod::Grid))
    return llvm::createStringError(
        "--shard and --merge wanted --method=grid, whose machines do not "
        "depend on each other");
  const size_t results = std::max<size_t>(areas.size(), 1) *
                         std::max<size_t>(methods.size(), 1) *
                         (together ? 1 : files.size());
  if (!frontFile.empty() && (results > 1 || !shard.empty()))
    return llvm::createStringError(
        "--front is one of one method, one area at most and one network, or "
        "more with --together; found " +
        (shard.empty() ? llvm::Twine(results) + " results" : "a shard"));
  if (!frontFile.empty())
    return checkWritable("--front", frontFile);
  return llvm::Error::success();
}

static llvm::Expected<json::Object> run() {
  if (llvm::Error error = checkOptions())
    return std::move(error);
  llvm::Expected<Design> design = findDesign(designName);
  if (!design)
    return design.takeError();
  for (const std::string &note : design->notes)
    llvm::errs() << "note: " << note << '\n';
  KnownScores known;
  auto warn = [](const std::string &text) {
    llvm::errs() << "warning: " << text << '\n';
  };
  Shard own;
  if (!shard.empty()) {
    llvm::Expected<Shard> parsed = parseShard(shard);
    if (!parsed)
      return parsed.takeError();
    own = *parsed;
    if (llvm::Error error = known.open(out, warn))
      return std::move(error);
  }
  for (const std::string &file : merge)
    if (llvm::Error error = known.read(file, warn))
      return std::move(error);
  EmittedNetworks reader;
  std::vector<NetworkFile> networks;
  for (const std::string &file : files) {
    NetworkFile network;
    network.name = llvm::sys::path::stem(file).str();
    auto module = reader.read(file);
    if (!module)
      return module.takeError();
    network.whole = std::move(*module);
    network.prepared = network.whole->clone();
    mlir::PassManager pm(reader.getContext());
    ScheduleOptions prepare;
    prepare.target = designName;
    prepare.pack = pack;
    prepare.latency = toChoice(latency);
    prepare.requantize = requantize.getValue();
    buildPreparePipeline(pm, prepare);
    if (mlir::failed(pm.run(*network.prepared)))
      return llvm::createStringError("preparing " + file +
                                     " failed; the diagnostic is above");
    networks.push_back(std::move(network));
  }
  std::vector<std::vector<NetworkFile *>> sets;
  for (NetworkFile &network : networks)
    if (together && !sets.empty())
      sets.front().push_back(&network);
    else
      sets.push_back({&network});
  std::vector<std::string> limits(areas.begin(), areas.end());
  if (limits.empty())
    limits.push_back("any");
  std::vector<CodesignMethod> compared(methods.begin(), methods.end());
  if (compared.empty())
    compared.push_back(CodesignMethod::Boxes);
  json::Array rows;
  size_t piece = 0;
  for (const std::vector<NetworkFile *> &set : sets) {
    const Contest contest(*design, set, known);
    for (const std::string &limit : limits) {
      if (!shard.empty()) {
        if (llvm::Error error = contest.runShard(limit, own, piece))
          return std::move(error);
        continue;
      }
      unsigned lastSearches = 0;
      for (CodesignMethod method : compared) {
        llvm::Expected<json::Object> row =
            contest.run(method, limit, lastSearches);
        if (!row)
          return row.takeError();
        rows.push_back(std::move(*row));
      }
    }
  }
  if (!shard.empty())
    return json::Object{{"shard", shard.getValue()},
                        {"machines", int64_t(piece)}};
  return json::Object{{"objective", nameOf(objective.getValue())},
                      {"latency", nameOf(latency.getValue())},
                      {"rows", std::move(rows)}};
}
