//===- VerifySchedule.cpp - Is the schedule complete and legal? -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Fadiff/IR/NestVerifier.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"

namespace fadiff {
#define GEN_PASS_DEF_VERIFYSCHEDULEPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

namespace {
struct VerifySchedulePass
    : public fadiff::impl::VerifySchedulePassBase<VerifySchedulePass> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    bool hasWork = false;
    getOperation().walk(
        [&](Operation *op) { hasWork |= isa<LayerOp, LoopNestOp>(op); });
    if (!hasWork)
      return;
    FailureOr<Accelerator> machine = requireTarget(getOperation());
    if (failed(machine))
      return signalPassFailure();
    // Each is judged on its own, so all that are wrong are told.
    bool legal = true;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto nest = dyn_cast<LoopNestOp>(op)) {
        legal &= succeeded(verifyNest(nest, *machine));
      } else if (auto group = dyn_cast<FusionGroupOp>(op)) {
        SmallVector<LayerOp> layers = getLayers(group);
        legal &= succeeded(verifyMappings(layers, *machine));
      } else if (auto layer = dyn_cast<LayerOp>(op)) {
        legal &= succeeded(verifyMappings(layer, *machine));
      } else {
        return WalkResult::advance();
      }
      return WalkResult::skip();
    });
    if (!legal)
      signalPassFailure();
  }
};
} // namespace
