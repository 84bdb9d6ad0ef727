//===- FadiffToGemmini.cpp - Loop nests to instructions -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the tree of a fadiff.loop_nest with the current box and lets the stage
// emitter turn each copy and compute into gemmini ops.
//
//===----------------------------------------------------------------------===//

#include "StageEmitter.h"
#include "fadiff/Conversion/Passes.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace fadiff {
#define GEN_PASS_DEF_LOWERTOGEMMINIPASS
#include "fadiff/Conversion/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

/// The emitter looks up how each tile lies where it is used; refuse nests that
/// fadiff-verify-schedule would not have passed for lack of one.
static LogicalResult checkFilled(LoopNestOp nest) {
  llvm::DenseSet<Value> inputs, weights, sums;
  WalkResult result = nest->walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool filled = true;
    if (auto load = dyn_cast<LoadOp>(op)) {
      bool isInput = load.getOperand() == LoadedOperand::input;
      (isInput ? inputs : weights).insert(load.getBuffer());
    } else if (auto init = dyn_cast<InitOp>(op)) {
      sums.insert(init.getAccumulator());
    } else if (auto compute = dyn_cast<ComputeOp>(op)) {
      filled = inputs.contains(compute.getInput()) &&
               weights.contains(compute.getWeights()) &&
               sums.contains(compute.getAccumulator());
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      filled = sums.contains(store.getAccumulator());
      inputs.insert(store.getDestination());
    }
    if (filled)
      return WalkResult::advance();
    op->emitError("reads a buffer that nothing before it has filled; check the "
                  "nest with fadiff-verify-schedule");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
class NestLowering {
public:
  NestLowering(LoopNestOp op, const Accelerator &machine)
      : builder(op), op(op) {
    nest.machine = machine;
  }

  LogicalResult run(int64_t regionId) {
    if (failed(checkFilled(op)))
      return failure();
    IndexMath m(builder, op.getLoc());
    gemmini::RegionOp::create(builder, op.getLoc(), regionId, name());
    // What the host wrote must be in DRAM before it is loaded, and the other
    // way round.
    gemmini::FenceOp::create(builder, op.getLoc());
    if (failed(findAddresses(m)))
      return failure();
    // Loops outside of stages run over dims that all layers share.
    Box box;
    op->walk([&](StageOp stage) { box = wholeOf(toLayer(stage.getWorkload())); });
    emit(op.getBody().front(), box, nullptr);
    gemmini::FenceOp::create(builder, op.getLoc());
    return success();
  }

private:
  std::string name() {
    std::string result;
    op->walk([&](StageOp stage) {
      // A group's resident weights have a stage of their own.
      if (stage->walk([](ComputeOp) { return WalkResult::interrupt(); })
              .wasInterrupted())
        result += (result.empty() ? "" : "+") + stage.getName().str();
    });
    return result;
  }

  Box wholeOf(const Layer &layer) {
    IndexMath m(builder, op.getLoc());
    Box box;
    for (Dim dim : kAllDims)
      box[dim] = {m.constant(0), m.constant(layer.dims[dim]), layer.dims[dim]};
    return box;
  }

  LogicalResult findAddresses(const IndexMath &m) {
    for (auto [operand, view] :
         llvm::zip(op->getOperands(), op.getBody().getArguments())) {
      auto type = dyn_cast<MemRefType>(operand.getType());
      if (!type)
        return op.emitError("wanted operands in memory; found ")
               << operand.getType() << "; bufferize first";
      if (!type.getLayout().isIdentity())
        return op.emitError("wanted operands that lie densely in memory; found ")
               << type << "; copy them to a dense buffer";
      nest.addressOfView[view] =
          memref::ExtractAlignedPointerAsIndexOp::create(builder, m.loc,
                                                         operand);
    }
    return success();
  }

  void emit(Block &block, const Box &box, StageEmitter *stage) {
    for (Operation &inner : block) {
      if (auto loop = dyn_cast<ForOp>(inner)) {
        emitLoop(loop, box, stage);
      } else if (auto op = dyn_cast<StageOp>(inner)) {
        emitStage(op, box);
      } else if (auto load = dyn_cast<LoadOp>(inner)) {
        stage->load(load, box);
      } else if (auto init = dyn_cast<InitOp>(inner)) {
        stage->init(init, box);
      } else if (auto compute = dyn_cast<ComputeOp>(inner)) {
        stage->compute(compute, box);
      } else if (auto store = dyn_cast<StoreOp>(inner)) {
        stage->store(store, box);
      }
    }
  }

  void emitLoop(ForOp loop, const Box &box, StageEmitter *stage) {
    IndexMath m(builder, loop.getLoc());
    Dim dim = toDim(loop.getDim());
    int64_t step = loop.getStep();
    m.forEach(box[dim].size, step, [&](Value i, Value size) {
      Box inner = box;
      inner[dim] = {m.add(box[dim].offset, i), size,
                    std::min(step, box[dim].nominal)};
      emit(loop.getBody().front(), inner, stage);
    });
  }

  void emitStage(StageOp op, const Box &box) {
    // The group's tile in the shared dims, everything in the layer's own.
    Box entry = wholeOf(toLayer(op.getWorkload()));
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      entry[dim] = box[dim];
    StageEmitter stage(builder, nest, op, entry);
    emit(op.getBody().front(), entry, &stage);
    stage.finish();
  }

  OpBuilder builder;
  LoopNestOp op;
  NestState nest;
};

struct LowerToGemminiPass
    : public fadiff::impl::LowerToGemminiPassBase<LowerToGemminiPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<LoopNestOp> nests;
    getOperation().walk([&](LoopNestOp nest) { nests.push_back(nest); });
    if (nests.empty())
      return;
    FailureOr<Accelerator> machine = requireTarget(getOperation());
    if (failed(machine))
      return signalPassFailure();
    SmallPtrSet<Operation *, 4> flushed;
    for (auto [id, nest] : llvm::enumerate(nests)) {
      auto func = nest->getParentOfType<func::FuncOp>();
      if (func && flushed.insert(func).second) {
        OpBuilder builder(func.getBody());
        gemmini::FlushOp::create(builder, func.getLoc());
      }
      if (failed(NestLowering(nest, *machine).run(id)))
        return signalPassFailure();
      nest.erase();
    }
  }
};
} // namespace
