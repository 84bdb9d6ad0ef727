//===- ReportCost.cpp - Print where energy and time go --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/Report.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ToolOutputFile.h"

namespace fadiff {
#define GEN_PASS_DEF_REPORTCOSTPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

namespace {
/// The schedule that a module's layers or loop nests carry.
class ScheduleReader {
public:
  explicit ScheduleReader(MLIRContext *context) : context(context) {}

  LogicalResult read(ModuleOp module) {
    WalkResult result =
        module.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
          if (auto group = dyn_cast<FusionGroupOp>(op)) {
            openGroup();
            for (LayerOp layer : getLayers(group))
              if (failed(add(layer, toLayer(layer), layer.getMappingAttr(),
                             layer.getCostModelAttr())))
                return WalkResult::interrupt();
            return WalkResult::skip();
          }
          if (auto layer = dyn_cast<LayerOp>(op)) {
            openGroup();
            if (failed(add(layer, toLayer(layer), layer.getMappingAttr(),
                           layer.getCostModelAttr())))
              return WalkResult::interrupt();
            return WalkResult::skip();
          }
          if (auto nest = dyn_cast<LoopNestOp>(op))
            return succeeded(addNest(nest)) ? WalkResult::skip()
                                            : WalkResult::interrupt();
          return WalkResult::advance();
        });
    return failure(result.wasInterrupted());
  }

  Network network;
  Schedule schedule;
  DifferentiableCost model;

private:
  void openGroup() { schedule.groups.emplace_back(); }

  LogicalResult addNest(LoopNestOp nest) {
    openGroup();
    // The model's name is all that a nest keeps of it.
    DifferentiableCost nestModel;
    if (CostAttr cost = nest.getCostAttr()) {
      SmallVector<StringRef> words;
      cost.getModel().split(words, ' ');
      StringRef model = "exact", latency = "roofline";
      for (StringRef word : ArrayRef(words).drop_front())
        (parseLatency(word) ? latency : model) = word;
      if ((words.front() == "machine" || words.front() == "timeloop") &&
          parseModel(model))
        nestModel = CostModelAttr::get(context, words.front(), model, latency);
    }
    WalkResult result = nest.walk([&](StageOp stage) {
      bool computes =
          stage.walk([](ComputeOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
      if (!computes)
        return WalkResult::advance();
      return succeeded(
                 add(stage, toLayer(stage), stage.getMappingAttr(), nestModel))
                 ? WalkResult::advance()
                 : WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult add(Operation *op, const Layer &layer, MappingAttr mapping,
                    DifferentiableCost cost) {
    if (!mapping)
      return op->emitError("layer \"")
             << layer.name << "\" has no mapping to report on; run "
             << "fadiff-search or write one";
    if (!cost)
      cost = CostModelAttr::get(context, "machine", "exact", "roofline");
    if (model && model != cost)
      return op->emitError("layer \"")
             << layer.name << "\" has cost model " << cost
             << "; wanted the same for all, " << model;
    model = cost;
    schedule.groups.back().layers.push_back(network.layers.size());
    network.layers.push_back(layer);
    schedule.mappings.push_back(toMapping(mapping));
    return success();
  }

  MLIRContext *context;
};

struct ReportCostPass
    : public fadiff::impl::ReportCostPassBase<ReportCostPass> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    if (format != "text" && format != "json") {
      getOperation().emitError("fadiff-report-cost: format must be text or "
                               "json; found '")
          << format.getValue() << "'";
      return signalPassFailure();
    }
    ScheduleReader reader(&getContext());
    if (failed(reader.read(getOperation())))
      return signalPassFailure();
    if (reader.network.layers.empty())
      return;
    FailureOr<Accelerator> target = requireTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    std::unique_ptr<CostFunction> cost = reader.model.getCostFunction();
    ScheduleBreakdown breakdown =
        breakDown(reader.network, reader.schedule, *target, *cost);
    if (output.empty())
      return print(llvm::errs(), breakdown);
    std::string message;
    std::unique_ptr<llvm::ToolOutputFile> file =
        openOutputFile(output, &message);
    if (!file) {
      getOperation().emitError("fadiff-report-cost: ") << message;
      return signalPassFailure();
    }
    print(file->os(), breakdown);
    file->keep();
  }

private:
  void print(raw_ostream &os, const ScheduleBreakdown &breakdown) {
    if (format == "json")
      os << llvm::formatv("{0:2}", toJson(breakdown, slopes)) << '\n';
    else
      printBreakdown(os, breakdown, slopes);
  }
};
} // namespace
