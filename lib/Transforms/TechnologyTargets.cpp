//===- TechnologyTargets.cpp - What technology a goal needs ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Codesign/Targets.h"
#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/CostModel/CostModel.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Hardware/Fields.h"
#include "fadiff/Hardware/Yaml.h"
#include "fadiff/Search/Cache.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Transforms/PassOptions.h"
#include "fadiff/Transforms/Passes.h"
#include "fadiff/Transforms/ScheduleReader.h"
#include "fadiff/Transforms/SearchModule.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

namespace fadiff {
#define GEN_PASS_DEF_TECHNOLOGYTARGETSPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

namespace {
/// Layers that want mappings, with all that may be fused.
class UnmappedModule {
public:
  UnmappedModule(ModuleOp module, const SearchOptions &options, Packing pack)
      : module(module), options(options), pack(pack) {}

  llvm::Expected<ScheduleCounts> search(const Accelerator &machine) {
    OwningOpRef<ModuleOp> copy(module.clone());
    (*copy)->setAttr(kTargetAttrName,
                     TargetAttr::get(module.getContext(), machine));
    std::string reason;
    ScopedDiagnosticHandler quiet(
        module.getContext(), [&](Diagnostic &diagnostic) {
          if (reason.empty() &&
              diagnostic.getSeverity() == DiagnosticSeverity::Error)
            reason = diagnostic.str();
          return success();
        });
    std::vector<FunctionSearch> found;
    if (failed(
            searchModule(*copy, options, pack, /*allowEmpty=*/false, &found)))
      return llvm::createStringError(reason);
    ScheduleCounts counts;
    for (const FunctionSearch &search : found)
      if (!search.network.layers.empty())
        counts.add(ScheduleCounts(search.network, search.result.schedule,
                                  search.result.cost, machine));
    return counts;
  }

private:
  ModuleOp module;
  const SearchOptions &options;
  Packing pack;
};

/// A schedule, whose layers may get other mappings; those of a group may share
/// other groups.
class MappedModule {
public:
  MappedModule(const ScheduleReader &reader, double coreCycles,
               SearchOptions searchOptions, MLIRContext *context)
      : network(reader.network), schedule(reader.schedule), model(reader.model),
        options(std::move(searchOptions)), context(context) {
    options.coreCycles = options.countCore ? coreCycles : 0;
    for (auto [index, operands] : llvm::enumerate(network.operands))
      if (operands.input && *operands.input < index)
        network.edges.push_back(
            {*operands.input, unsigned(index), /*blocked=*/""});
  }

  ScheduleCounts countsOn(const Accelerator &machine) const {
    std::unique_ptr<CostFunction> cost = model.getCostFunction();
    ScheduleCost whole = evaluateSchedule(network, schedule, machine, *cost);
    if (options.countCore)
      countCore(network, schedule, machine, options.coreCycles, whole);
    return ScheduleCounts(network, schedule, whole, machine);
  }
  llvm::Expected<ScheduleCounts> search(const Accelerator &machine) const {
    llvm::Expected<SearchResult> result =
        searchNetwork(network, machine, model, options, context);
    if (!result)
      return result.takeError();
    return ScheduleCounts(network, result->schedule, result->cost, machine);
  }

private:
  Network network;
  Schedule schedule;
  mutable DifferentiableCost model;
  SearchOptions options;
  MLIRContext *context;
};

struct TechnologyTargetsPass
    : public fadiff::impl::TechnologyTargetsPassBase<TechnologyTargetsPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return checkWrittenFiles(
        context, getArgument(),
        {{"summary", summary}, {"cache", cache}, {"machine", machine}});
  }

  void runOnOperation() override {
    markAllAnalysesPreserved();
    FailureOr<Accelerator> today = requireTarget(getOperation());
    ScheduleReader reader(&getContext());
    if (failed(today) || (isMapped() && failed(reader.read(getOperation()))))
      return signalPassFailure();
    if (llvm::Error error = find(*today, reader)) {
      emitError(getOperation().getLoc(), "fadiff-technology-targets: ")
          << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }

private:
  template <typename OptionsT>
  friend llvm::Expected<SearchOptions>
  fadiff::toSearchOptions(const OptionsT &);

  llvm::Expected<TechnologyOptions> readOptions() const {
    TechnologyOptions read;
    read.objective = objective;
    read.factor = factor;
    read.rounds = rounds;
    if (!(most >= 1) || !(most <= 1e12))
      return llvm::createStringError(
          "most: wanted a number from 1 to 1e12, found " +
          toText(most.getValue()));
    read.most.fill(most);
    for (auto [text, option, values, least] :
         {std::tuple(StringRef(limits), "limits", &read.most, 1.0),
          std::tuple(StringRef(weights), "weights", &read.weights, 0.0)}) {
      auto given = parseTechnology(text, option, least);
      if (!given)
        return given.takeError();
      for (auto [number, value] : *given)
        (*values)[number] = value;
    }
    return read;
  }

  /// Whether no layer wants a mapping.
  bool isMapped() {
    return !getOperation()
                .walk([](LayerOp layer) {
                  return layer.getMapping() ? WalkResult::advance()
                                            : WalkResult::interrupt();
                })
                .wasInterrupted();
  }

  llvm::Error find(const Accelerator &today, const ScheduleReader &reader) {
    ModuleOp module = getOperation();
    llvm::Expected<TechnologyOptions> wanted = readOptions();
    if (!wanted)
      return wanted.takeError();
    llvm::Expected<SearchOptions> search = toSearchOptions(*this);
    if (!search)
      return search.takeError();
    if (search->constraint)
      return llvm::createStringError(
          "constraint: wanted none, as the goal is one, found '" + constraint +
          "'");
    std::optional<SearchCache> kept;
    if (!cache.empty()) {
      kept.emplace(cache, [&](const std::string &text) {
        emitWarning(module.getLoc(), "fadiff-technology-targets: ") << text;
      });
      search->cache = &*kept;
    }
    llvm::Expected<TechnologyTargets> targets =
        targetsOf(module, today, reader, *wanted, *search);
    if (kept)
      if (llvm::Error error = kept->save())
        emitWarning(module.getLoc(),
                    "fadiff-technology-targets: cannot write the cache '")
            << cache << "': " << llvm::toString(std::move(error));
    if (!targets)
      return targets.takeError();
    if (!machine.empty())
      if (llvm::Error error = writeOutput(machine, [&](llvm::raw_ostream &os) {
            os << toYaml(targets->machine);
            return llvm::Error::success();
          }))
        return error;
    auto print = [&](llvm::raw_ostream &os) {
      if (StringRef(summary).ends_with(".json"))
        os << llvm::formatv("{0:2}\n", llvm::json::Value(toJson(*targets)));
      else
        printTargets(os, *targets);
      return llvm::Error::success();
    };
    if (summary.empty())
      return llvm::Error::success();
    if (summary == "-")
      return print(llvm::errs());
    return writeOutput(summary, print);
  }

  llvm::Expected<TechnologyTargets> targetsOf(ModuleOp module,
                                              const Accelerator &today,
                                              const ScheduleReader &reader,
                                              const TechnologyOptions &wanted,
                                              const SearchOptions &search) {
    if (!isMapped()) {
      DifferentiableCost first;
      module.walk([&](LayerOp layer) {
        if (!first)
          first = layer.getCostModelAttr();
      });
      if (llvm::Error error = checkModel(first))
        return std::move(error);
      UnmappedModule unmapped(module, search, pack);
      llvm::Expected<ScheduleCounts> counts = unmapped.search(today);
      if (!counts)
        return counts.takeError();
      return technologyTargets(
          *counts, today, wanted,
          [&](const Accelerator &other) { return unmapped.search(other); });
    }
    if (reader.network.layers.empty())
      return llvm::createStringError(
          "wanted at least one layer, found none; run fadiff-prepare or "
          "fadiff-schedule first");
    if (llvm::Error error = checkModel(reader.model))
      return std::move(error);
    double coreCycles = 0;
    module.walk([&](FunctionOpInterface function) {
      coreCycles += reportHost(function).cycles();
    });
    const MappedModule mapped(reader, coreCycles, search, &getContext());
    return technologyTargets(
        mapped.countsOn(today), today, wanted,
        [&](const Accelerator &other) { return mapped.search(other); });
  }

  static llvm::Error checkModel(DifferentiableCost found) {
    if (!found)
      return llvm::Error::success();
    auto model = dyn_cast<CostModelAttr>(Attribute(found));
    if (model && model.getConvention() == "machine" &&
        model.getModel() == "exact" &&
        (model.getLatency() == "roofline" || model.getLatency() == "issue"))
      return llvm::Error::success();
    std::string text;
    llvm::raw_string_ostream(text) << Attribute(found);
    return llvm::createStringError(
        "wanted a schedule that is judged by the machine's counts, exact, with "
        "latency roofline or issue, which is a formula of the machine's "
        "numbers; found " +
        text);
  }
};
} // namespace
