//===- ReportCost.cpp - Print where energy and time go --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/HostReport.h"
#include "fadiff/CostModel/Rates.h"
#include "fadiff/CostModel/Report.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Transforms/PassOptions.h"
#include "fadiff/Transforms/Passes.h"
#include "fadiff/Transforms/ScheduleReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"

namespace fadiff {
#define GEN_PASS_DEF_REPORTCOSTPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

namespace {
struct ReportCostPass
    : public fadiff::impl::ReportCostPassBase<ReportCostPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return checkWrittenFiles(context, getArgument(), {{"output", output}});
  }

  void runOnOperation() override {
    markAllAnalysesPreserved();
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
    SmallVector<std::pair<std::string, HostReport>> hosts;
    getOperation().walk([&](FunctionOpInterface function) {
      HostReport host = reportHost(function);
      if (!host.layers.empty() || !host.operations.empty())
        hosts.emplace_back(function.getName().str(), std::move(host));
    });
    worth.reset();
    if (machineSlopes) {
      auto model = dyn_cast_or_null<CostModelAttr>(Attribute(reader.model));
      if (!model || model.getConvention() != "machine" ||
          model.getModel() != "exact" ||
          (model.getLatency() != "roofline" && model.getLatency() != "issue")) {
        emitError(getOperation().getLoc(),
                  "fadiff-report-cost: machine-slopes wanted a schedule that "
                  "is judged by the machine's counts, exact, with latency "
                  "roofline or issue; found ")
            << Attribute(reader.model);
        return signalPassFailure();
      }
      ScheduleCost whole = breakdown.cost;
      for (const auto &[function, host] : hosts)
        if (core == Switch::On)
          whole.coreCycles += host.cycles();
      worth.emplace(reader.network, reader.schedule, whole, *target);
      machine = *target;
    }
    if (output.empty())
      return print(llvm::errs(), breakdown, hosts);
    llvm::Error error =
        writeOutput(output, [&](llvm::raw_ostream &os) -> llvm::Error {
          print(os, breakdown, hosts);
          return llvm::Error::success();
        });
    if (error) {
      emitError(getOperation().getLoc(), "fadiff-report-cost: ")
          << llvm::toString(std::move(error));
      signalPassFailure();
    }
  }

private:
  void print(raw_ostream &os, const ScheduleBreakdown &breakdown,
             ArrayRef<std::pair<std::string, HostReport>> hosts) {
    if (format != ReportFormat::Json) {
      printBreakdown(os, breakdown, slopes);
      if (worth)
        printWorth(os, *worth, machine);
      for (const auto &[function, host] : hosts) {
        os << "function '" << function << "', ";
        host.print(os);
      }
      return;
    }
    llvm::json::Value json = toJson(breakdown, slopes);
    if (worth)
      (*json.getAsObject())["machine_slopes"] = worthToJson(*worth, machine);
    llvm::json::Object byFunction;
    for (const auto &[function, host] : hosts)
      byFunction[function] = host.toJson();
    (*json.getAsObject())["host"] = std::move(byFunction);
    os << llvm::formatv("{0:2}", json) << '\n';
  }

  std::optional<ScheduleCounts> worth;
  Accelerator machine;
};
} // namespace
