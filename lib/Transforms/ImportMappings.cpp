//===- ImportMappings.cpp - Mappings of other tools on the layers ---------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Schedule/ForeignMapping.h"
#include "fadiff/Schedule/MappingText.h"
#include "fadiff/Search/Search.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Transforms/PassOptions.h"
#include "fadiff/Transforms/Passes.h"
#include "fadiff/Transforms/ScheduleReader.h"
#include "fadiff/Transforms/SearchModule.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FormatVariadic.h"

namespace fadiff {
#define GEN_PASS_DEF_IMPORTMAPPINGSPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

namespace {
struct ImportMappingsPass
    : public fadiff::impl::ImportMappingsPassBase<ImportMappingsPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return checkWrittenFiles(context, getArgument(), {{"output", output}});
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  /// What a mapping costs for a layer alone.
  struct Cost {
    double energy = 0, cycles = 0;
    double edp() const { return energy * 1e-6 * cycles; }
  };

  LogicalResult run() {
    const Location loc = getOperation().getLoc();
    if (file.empty())
      return emitError(loc, "fadiff-import-mappings: wanted the mappings to "
                            "import, found none; give file=mapping.yaml");
    FailureOr<Accelerator> target = requireTarget(getOperation());
    if (failed(target))
      return failure();
    auto buffer = openInput(file, kMostRecordBytes);
    if (!buffer)
      return emitError(loc, "fadiff-import-mappings: ")
             << llvm::toString(buffer.takeError());
    SmallVector<LayerOp> layers;
    getOperation().walk([&](LayerOp op) {
      if (!op.getMapping() && (layer.empty() || op.getName() == layer))
        layers.push_back(op);
    });
    if (layers.empty())
      return emitError(loc, "fadiff-import-mappings: wanted a layer without a "
                            "mapping")
             << (layer.empty() ? "" : " called '" + layer + "'")
             << ", found none; run fadiff-prepare first";
    std::string table;
    llvm::raw_string_ostream os(table);
    os << "layer                    mapping              uJ        cycles  "
          "uJ*cycles\n";
    unsigned imported = 0;
    for (LayerOp op : layers) {
      const Layer own = toLayer(op);
      llvm::Expected<std::optional<Mapping>> mapping =
          readForeignMapping((*buffer)->getBuffer(), file, own, *target);
      if (!mapping) {
        llvm::errs() << llvm::toString(mapping.takeError()) << '\n';
        return emitError(op.getLoc(), "fadiff-import-mappings: no mapping for "
                                      "layer '")
               << own.name << "'";
      }
      if (!*mapping)
        continue;
      ++imported;
      if (failed(compare(op, own, **mapping, *target, os)))
        return failure();
      op.setMappingAttr(toAttr(&getContext(), **mapping));
    }
    if (imported == 0)
      return emitError(loc,
                       "fadiff-import-mappings: wanted a mapping of one of "
                       "the layers, or 'default', found none in '")
             << file << "'";
    if (output == "-") {
      llvm::errs() << table;
      return success();
    }
    llvm::Error error =
        writeOutput(output, [&](llvm::raw_ostream &os) -> llvm::Error {
          os << table;
          return llvm::Error::success();
        });
    if (error)
      return emitError(loc, "fadiff-import-mappings: ")
             << llvm::toString(std::move(error));
    return success();
  }

  /// Adds a row for the mapping and one for what the search finds for the layer
  /// alone.
  LogicalResult compare(LayerOp op, const Layer &own, const Mapping &mapping,
                        const Accelerator &target, raw_ostream &os) {
    DifferentiableCost model = op.getCostModelAttr();
    std::unique_ptr<CostFunction> cost =
        model ? model.getCostFunction()
              : createCostFunction(Convention::Machine);
    Network network;
    network.layers.push_back(own);
    network.layers.back().pool.reset();
    network.operands.resize(1);
    Schedule schedule;
    schedule.mappings.push_back(mapping);
    schedule.groups.resize(1);
    schedule.groups.front().layers = {0};
    const ScheduleCost theirs =
        evaluateSchedule(network, schedule, target, *cost);
    llvm::Expected<SearchResult> found =
        searchNetwork(network, target, model, SearchOptions(), &getContext());
    if (!found)
      return op.emitError("fadiff-import-mappings: ")
             << llvm::toString(found.takeError());
    auto row = [&](StringRef name, StringRef whose, Cost value) {
      os << llvm::formatv("{0,-24} {1,-12} {2,10:f3} {3,13:f0} {4,10:e3}\n",
                          name, whose, value.energy * 1e-6, value.cycles,
                          value.edp());
    };
    const Cost imported{theirs.energy, theirs.cycles};
    const Cost ours{found->cost.energy, found->cost.cycles};
    row(own.name, "imported", imported);
    row("", "searched", ours);
    os << llvm::formatv("  {0}\n  imported / searched: energy x {1:f4}, cycles "
                        "x {2:f4}, uJ*cycles x {3:f4}\n",
                        mappingText(mapping), imported.energy / ours.energy,
                        imported.cycles / ours.cycles,
                        imported.edp() / ours.edp());
    return success();
  }
};
} // namespace
