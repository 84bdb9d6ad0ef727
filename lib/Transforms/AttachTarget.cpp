//===- AttachTarget.cpp - Set machine and cost model ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/Design.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Transforms/PassOptions.h"
#include "fadiff/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLExtras.h"

namespace fadiff {
#define GEN_PASS_DEF_ATTACHTARGETPASS
#define GEN_PASS_DEF_ATTACHCOSTPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

namespace {
struct AttachTargetPass
    : public fadiff::impl::AttachTargetPassBase<AttachTargetPass> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkTargetOption(module.getLoc(), getArgument(), target)))
      return signalPassFailure();
    if (target.empty() && module->hasAttr(kTargetAttrName)) {
      if (module->getAttrOfType<TargetAttr>(kTargetAttrName))
        return;
      emitError(module.getLoc(),
                "attribute 'fadiff.target' must be a #fadiff.target; "
                "found ")
          << module->getAttr(kTargetAttrName);
      return signalPassFailure();
    }
    std::string name = target.empty() ? "gemmini-large" : target.getValue();
    llvm::Expected<Accelerator> machine = findTarget(name);
    if (!machine) {
      emitError(module.getLoc()) << llvm::toString(machine.takeError());
      return signalPassFailure();
    }
    remarkOnDesign(name);
    module->setAttr(kTargetAttrName, TargetAttr::get(&getContext(), *machine));
  }

private:
  /// Says which machine of a design stands for it.
  void remarkOnDesign(StringRef name) {
    if (llvm::is_contained(knownTargetNames(), name))
      return;
    llvm::Expected<Design> design = findDesign(name);
    if (!design)
      return llvm::consumeError(design.takeError());
    emitRemark(getOperation().getLoc())
        << "target '" << name << "' is a design; it stands for its machine at "
        << design->describe(design->initial())
        << ", where its parameters begin; fadiff-codesign finds the best one";
  }
};

struct AttachCostPass
    : public fadiff::impl::AttachCostPassBase<AttachCostPass> {
  using Base::Base;

  void runOnOperation() override {
    auto attr = CostModelAttr::get(&getContext(), nameOf(convention.getValue()),
                                   nameOf(model.getValue()),
                                   nameOf(resolve(latency, convention, model)));
    getOperation().walk([&](LayerOp layer) {
      if (!layer.getCostModel())
        layer.setCostModelAttr(attr);
    });
  }
};
} // namespace
