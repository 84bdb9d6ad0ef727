//===- downstream-opt.cpp - A dialect with a cost of its own --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What somebody else writes to have layers scheduled by their own cost: a
// dialect, an attribute that implements fadiff's DifferentiableCost, and a pass
// that puts it on the layers.
//
//===----------------------------------------------------------------------===//

#include "fadiff/InitAll.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/TypeSwitch.h"

#include "DownstreamDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "DownstreamAttrs.h.inc"

#include "DownstreamDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "DownstreamAttrs.cpp.inc"

void downstream::DownstreamDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "DownstreamAttrs.cpp.inc"
      >();
}

namespace {

class TrafficCost : public fadiff::CostFunction {
public:
  explicit TrafficCost(double picojoules) : picojoules(picojoules) {}

  fadiff::LayerCost
  evaluate(const fadiff::Layer &layer, const fadiff::Mapping &mapping,
           const fadiff::Accelerator &target,
           const fadiff::FusedEnds<double> &fused) const override {
    fadiff::LayerCost cost = fadiff::evaluateLayer(
        layer, mapping, target, fadiff::Convention::Machine, fused);
    cost.energy = picojoules * cost.dramBytes.total();
    cost.cycles = 1;
    return cost;
  }

private:
  double picojoules;
};

struct AttachTraffic
    : public mlir::PassWrapper<AttachTraffic,
                               mlir::OperationPass<mlir::ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AttachTraffic)

  llvm::StringRef getArgument() const override {
    return "downstream-attach-traffic";
  }
  llvm::StringRef getDescription() const override {
    return "Judge every layer by its DRAM traffic";
  }
  void getDependentDialects(mlir::DialectRegistry &registry) const override {
    registry.insert<downstream::DownstreamDialect>();
  }
  void runOnOperation() override {
    auto cost = llvm::cast<fadiff::ir::DifferentiableCost>(
        downstream::TrafficAttr::get(&getContext(), 7));
    getOperation().walk(
        [&](fadiff::ir::LayerOp layer) { layer.setCostModelAttr(cost); });
  }
};

} // namespace

std::unique_ptr<fadiff::CostFunction>
downstream::TrafficAttr::getCostFunction() const {
  return std::make_unique<TrafficCost>(getPicojoules());
}

std::string downstream::TrafficAttr::getModelName() const {
  return "downstream traffic";
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  fadiff::registerAllDialects(registry);
  fadiff::registerAllPasses();
  registry.insert<downstream::DownstreamDialect>();
  mlir::PassRegistration<AttachTraffic>();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "A downstream driver\n", registry));
}
