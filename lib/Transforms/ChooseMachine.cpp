//===- ChooseMachine.cpp - Find the machine that does best ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/Rates.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Hardware/Fields.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Report/Report.h"
#include "fadiff/Schedule/MappingText.h"
#include "fadiff/Search/Cache.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Transforms/PassOptions.h"
#include "fadiff/Transforms/Passes.h"
#include "fadiff/Transforms/ScoreModule.h"
#include "fadiff/Transforms/SearchModule.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <cmath>

namespace fadiff {
#define GEN_PASS_DEF_CHOOSEMACHINEPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

llvm::Expected<double> fadiff::parseArea(StringRef text) {
  StringRef number = text.trim();
  number.consume_back("mm2");
  double area;
  if (number.trim().getAsDouble(area) || !(area > 0) || !std::isfinite(area))
    return llvm::createStringError(
        "area must be a positive number of mm2, such as 1.15mm2; found '" +
        text + "'");
  return area;
}

llvm::Expected<double> fadiff::parsePower(StringRef text) {
  StringRef number = text.trim();
  number.consume_back("mW");
  double power;
  if (number.trim().getAsDouble(power) || !(power > 0) || !std::isfinite(power))
    return llvm::createStringError(
        "power must be a positive number of mW, such as 250mW; found '" + text +
        "'");
  return power;
}

/// What `most` says, in the units of the objective: of a design whose clock is
/// free, where time counts, with us in the place of cycles.
static llvm::Expected<double> parseMost(StringRef text, Objective objective,
                                        const Design &design) {
  const std::string wanted =
      "most: wanted a number above 0 in the objective's units, a time such as "
      "33ms or a rate such as 30/s with objective=latency, or an energy such "
      "as 2mJ with objective=energy; found '" +
      text.str() + "'";
  StringRef rate = text.trim();
  double value;
  if (!rate.getAsDouble(value)) {
    if (!(value > 0) || !std::isfinite(value))
      return llvm::createStringError(wanted);
    return value;
  }
  if (objective == Objective::Edp)
    return llvm::createStringError(wanted);
  std::string limit = text.trim().str();
  if (rate.consume_back("/s")) {
    if (rate.getAsDouble(value) || !(value > 0) || !std::isfinite(value) ||
        objective != Objective::Latency)
      return llvm::createStringError(wanted);
    limit = toText(1 / value) + "s";
  }
  llvm::Expected<Constraint> constraint =
      parseConstraint((nameOf(objective) + "<=" + limit).str());
  if (!constraint) {
    llvm::consumeError(constraint.takeError());
    return llvm::createStringError(wanted);
  }
  llvm::Expected<Accelerator> machine = design.specialize(design.initial());
  if (!machine)
    return machine.takeError();
  llvm::Expected<double> most = constraint->limitOn(*machine);
  if (!most)
    return most.takeError();
  if (objective == Objective::Latency && design.lawOf("clock_hz"))
    return *most / machine->clockHz * 1e6;
  return *most;
}

llvm::Error fadiff::writeFrontFile(StringRef path,
                                   llvm::json::Object document) {
  return writeOutput(path, [&](llvm::raw_ostream &os) {
    if (path.ends_with(".html"))
      writeFrontPage(os, document);
    else
      os << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(document)));
    return llvm::Error::success();
  });
}

/// Layers under `root`, and the cost model of the first.
static std::pair<unsigned, CostModelAttr> layersOf(Operation *root) {
  std::pair<unsigned, CostModelAttr> layers;
  root->walk([&](LayerOp layer) {
    if (layers.first++ == 0)
      layers.second =
          dyn_cast_or_null<CostModelAttr>(Attribute(layer.getCostModelAttr()));
  });
  return layers;
}

/// Whether the search's bound on a machine is one on those with less room and
/// dearer accesses, too. That by the streams is one of array and DRAM, below
/// which they predict no time.
static bool isBounded(CostModelAttr model) {
  return model && model.getModel() == "exact" &&
         (parseName<Latency>(model.getLatency()) != Latency::Streams ||
          model.getConvention() == "machine");
}

bool fadiff::isBoundedApart(ModuleOp module) {
  const CostModelAttr model = layersOf(module).second;
  return model && isBounded(model) &&
         parseName<Latency>(model.getLatency()) == Latency::Streams;
}

llvm::Expected<NetworkScore> fadiff::boundModule(ModuleOp module,
                                                 const Accelerator &machine,
                                                 const SearchOptions &options,
                                                 Packing pack) {
  OwningOpRef<ModuleOp> copy(module.clone());
  (*copy)->walk([](LayerOp layer) {
    if (auto model = dyn_cast_or_null<CostModelAttr>(
            Attribute(layer.getCostModelAttr())))
      layer.setCostModelAttr(
          CostModelAttr::get(layer.getContext(), model.getConvention(),
                             model.getModel(), nameOf(Latency::Roofline)));
  });
  // Array and DRAM hold programs up on any machine. Ports on chip do not, and
  // nothing says that requests take no longer on machines with more of all.
  Accelerator own = machine;
  const double cycles = machine.dramCyclesPerByte();
  constexpr double kNoLimit = 1e9; // words per cycle; targets want a number
  own.bandwidth = PerLevel<double>(kNoLimit);
  if (cycles > 0)
    own.bandwidth[Level::Dram] = 1 / cycles;
  return scoreModule(*copy, own, options, pack);
}

/// Whose time a result is about, and whose the bound.
static std::string timesOf(CostModelAttr model) {
  if (!model)
    return "";
  if (parseName<Latency>(model.getLatency()) == Latency::Streams)
    return ", by latency streams; the bound is that of array and DRAM";
  return ", by latency " + model.getLatency().str();
}

llvm::Expected<NetworkScore> fadiff::scoreModule(ModuleOp module,
                                                 const Accelerator &machine,
                                                 const SearchOptions &options,
                                                 Packing pack) {
  OwningOpRef<ModuleOp> copy(module.clone());
  (*copy)->setAttr(kTargetAttrName,
                   TargetAttr::get(module.getContext(), machine));
  std::string reason;
  ScopedDiagnosticHandler quiet(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (reason.empty() &&
            (diagnostic.getSeverity() == DiagnosticSeverity::Error ||
             diagnostic.getSeverity() == DiagnosticSeverity::Warning))
          reason = diagnostic.str();
        return success();
      });
  const auto [layers, model] = layersOf(*copy);
  std::vector<FunctionSearch> found;
  if (failed(searchModule(*copy, options, pack, /*allowEmpty=*/false, &found)))
    return llvm::createStringError(reason);
  if (layersOf(*copy).first < layers)
    return llvm::createStringError(reason);
  llvm::erase_if(found, [](const FunctionSearch &search) {
    return search.network.layers.empty();
  });
  if (found.size() != 1)
    return llvm::createStringError("wanted one function with layers, found " +
                                   Twine(found.size()));
  const FunctionSearch &search = found.front();
  const SearchResult &result = search.result;
  NetworkScore score;
  score.energy = result.cost.energy;
  score.cycles = result.cost.cycles;
  score.value = result.value();
  score.bound = result.bound;
  for (auto [group, cost] :
       llvm::zip_equal(result.schedule.groups, result.cost.groups)) {
    ScoredGroup &scored = score.groups.emplace_back();
    for (unsigned layer : group.layers) {
      scored.layers.push_back(search.network.layers[layer].name);
      scored.mappings.push_back(mappingText(result.schedule.mappings[layer]));
    }
    scored.energy = cost.energy;
    scored.cycles = cost.cycles;
  }
  // Of streams the slopes of the roofline, at their schedule: ways to go, which
  // are gone as long as the streams get better.
  if (model && model.getConvention() == "machine" &&
      model.getModel() == "exact") {
    const ScheduleCounts counts(search.network, result.schedule, result.cost,
                                machine);
    for (const RateWorth &worth : worthOf(counts, machine)) {
      score.energySlopes.push_back(worth.energySlope);
      score.cyclesSlopes.push_back(worth.cyclesSlope);
    }
  }
  return score;
}

llvm::Expected<JointPoint> fadiff::relaxModules(ArrayRef<ModuleOp> modules,
                                                const MovingMachine &machine,
                                                const SearchOptions &options) {
  const Accelerator start = machine.at(machine.start);
  std::vector<Network> networks;
  std::vector<SearchOptions> each;
  std::vector<std::unique_ptr<CostFunction>> costs;
  for (ModuleOp module : modules) {
    OwningOpRef<ModuleOp> copy(module.clone());
    (*copy)->setAttr(kTargetAttrName,
                     TargetAttr::get(module.getContext(), start));
    const size_t before = networks.size();
    for (auto function : copy->getOps<FunctionOpInterface>()) {
      SmallVector<LayerOp> ops;
      Network network = extractNetwork(function, ops);
      if (ops.empty())
        continue;
      SearchOptions own = options;
      auto model = dyn_cast_or_null<CostModelAttr>(
          Attribute(ops.front().getCostModelAttr()));
      if (model && model.getModel() != "exact") {
        costs.push_back(model.getCostFunction());
        own.cost = costs.back().get();
      } else if (model) {
        own.convention = *parseName<Convention>(model.getConvention());
        own.latency = *parseName<Latency>(model.getLatency());
        // As the search by the streams does, from where the roofline ends.
        if (own.latency == Latency::Streams)
          own.latency = Latency::Roofline;
      }
      if (own.countCore)
        own.coreCycles =
            reportHost(function).cycles(/*withPoolsOfLayers=*/false);
      networks.push_back(std::move(network));
      each.push_back(std::move(own));
    }
    if (networks.size() != before + 1)
      return llvm::createStringError("wanted one function with layers, found " +
                                     Twine(networks.size() - before));
  }
  return descendJointly(networks, each, machine);
}

namespace {
struct ChooseMachinePass
    : public fadiff::impl::ChooseMachinePassBase<ChooseMachinePass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return checkWrittenFiles(context, getArgument(),
                             {{"summary", summary},
                              {"cache", cache},
                              {"machine", machine},
                              {"front", front}});
  }

  void runOnOperation() override {
    if (llvm::Error error = choose()) {
      emitError(getOperation().getLoc(), "fadiff-choose-machine: ")
          << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }

private:
  template <typename OptionsT>
  friend llvm::Expected<SearchOptions>
  fadiff::toSearchOptions(const OptionsT &);

  llvm::Error choose() {
    ModuleOp module = getOperation();
    llvm::Expected<Design> found = findDesign(design);
    if (!found)
      return found.takeError();
    for (const std::string &note : found->notes)
      emitRemark(module.getLoc(), "fadiff-choose-machine: ") << note;
    llvm::Expected<SearchOptions> search = toSearchOptions(*this);
    if (!search)
      return search.takeError();
    CodesignOptions options;
    options.method = method;
    options.objective = objective;
    options.mostSearches = searches;
    options.gap = gap;
    options.seed = seed;
    options.isConstrained = search->constraint.has_value();
    if (!(gap >= 0))
      return llvm::createStringError("gap must not be negative");
    if (!most.empty()) {
      llvm::Expected<double> wanted = parseMost(most, objective, *found);
      if (!wanted)
        return wanted.takeError();
      options.goal = CodesignGoal::Smallest;
      options.most = *wanted;
    }
    if (!area.empty()) {
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
    const auto [layers, model] = layersOf(module);
    if (layers == 0 && allowEmpty)
      return llvm::Error::success();
    if (layers == 0)
      return llvm::createStringError(
          "wanted at least one layer to choose a machine for, found none");
    std::optional<SearchCache> kept;
    if (!cache.empty()) {
      kept.emplace(cache, [&](const std::string &text) {
        emitWarning(module.getLoc(), "fadiff-choose-machine: ") << text;
      });
      search->cache = &*kept;
    }
    if (options.method == CodesignMethod::Boxes && !isBounded(model))
      return llvm::createStringError(
          "method boxes wanted the built-in model, with latency streams in the "
          "machine's own counts, of which it is known that more room and "
          "cheaper accesses never hurt; choose method=descent");
    auto score = [&](const Accelerator &machine)
        -> llvm::Expected<std::vector<NetworkScore>> {
      llvm::Expected<NetworkScore> one =
          scoreModule(module, machine, *search, pack);
      if (!one)
        return one.takeError();
      return std::vector<NetworkScore>{std::move(*one)};
    };
    auto relax = [&](const MovingMachine &moving) {
      return relaxModules(module, moving, *search);
    };
    auto boundOf = [&](const Accelerator &machine)
        -> llvm::Expected<std::vector<NetworkScore>> {
      llvm::Expected<NetworkScore> one =
          boundModule(module, machine, *search, pack);
      if (!one)
        return one.takeError();
      return std::vector<NetworkScore>{std::move(*one)};
    };
    const BoundFunction bound =
        isBoundedApart(module) ? BoundFunction(boundOf) : nullptr;
    llvm::Expected<CodesignResult> result =
        front.empty() ? codesign(*found, options, score, relax, bound)
                      : writeFront(*found, options, score, relax, bound);
    if (kept)
      if (llvm::Error error = kept->save())
        emitWarning(module.getLoc(),
                    "fadiff-choose-machine: cannot write the cache '")
            << cache << "': " << llvm::toString(std::move(error));
    if (!result)
      return result.takeError();
    const ScoredMachine &best = result->best();
    Accelerator chosen = best.machine;
    chosen.name = found->name + "-found";
    module->setAttr(kTargetAttrName, TargetAttr::get(&getContext(), chosen));
    if (!machine.empty())
      if (llvm::Error error = writeOutput(machine, [&](llvm::raw_ostream &os) {
            os << found->toYaml(best.point, chosen.name);
            return llvm::Error::success();
          }))
        return error;
    if (summary.empty())
      return llvm::Error::success();
    const std::string times = timesOf(model);
    auto print = [&](llvm::raw_ostream &os) {
      if (StringRef(summary).ends_with(".json"))
        os << llvm::formatv(
            "{0:2}\n",
            llvm::json::Value(toJson(*result, *found, {networkName(module)})));
      else
        printText(os, *result, *found, times);
      return llvm::Error::success();
    };
    if (summary == "-")
      return print(llvm::errs());
    return writeOutput(summary, print);
  }

  /// The best of all areas, or of all powers.
  llvm::Expected<CodesignResult>
  writeFront(const Design &from, const CodesignOptions &options,
             ScoreFunction score, RelaxFunction relax, BoundFunction bound) {
    llvm::Expected<CodesignFront> found =
        codesignFront(from, options, frontOver, score, relax, bound);
    if (!found)
      return found.takeError();
    if (llvm::Error error = writeFrontFile(
            front,
            toJson(*found, from, {networkName(getOperation())}, objective)))
      return std::move(error);
    return std::move(found->whole);
  }

  /// That of the module, or of the file it comes from.
  static std::string networkName(ModuleOp module) {
    if (std::optional<StringRef> name = module.getName())
      return name->str();
    if (auto place = dyn_cast<FileLineColLoc>(module.getLoc());
        place && place.getFilename() != "-")
      return llvm::sys::path::stem(place.getFilename()).str();
    return "module";
  }

  void printText(llvm::raw_ostream &os, const CodesignResult &result,
                 const Design &from, StringRef times) const {
    const ScoredMachine &best = result.best();
    os << llvm::formatv("best machine of '{0}': {1}\n", from.name,
                        from.describe(best.point));
    if (best.machine.area > 0)
      os << llvm::formatv("  {0:f3} mm2\n", best.machine.area);
    os << llvm::formatv("  {0:f3} uJ, {1:f0} cycles, objective {2}\n",
                        best.networks.front().energy * 1e-6,
                        best.networks.front().cycles,
                        llvm::formatv("{0:e4}", best.value).str());
    if (std::optional<double> away = result.gap())
      os << llvm::formatv("  at most {0:f4} % above the best {1} of {2} legal "
                          "machines{3}\n",
                          *away * 100,
                          result.goal == CodesignGoal::Smallest ? "area"
                                                                : "objective",
                          result.affordable, times);
    else
      os << "  no bound\n";
    os << llvm::formatv(
        "  {0} machines searched{1}{2}\n", result.searches,
        result.bounded ? llvm::formatv(", {0} bounded", result.bounded).str()
                       : "",
        result.stopped ? ", then stopped" : "");
  }
};
} // namespace
