//===- StagePlan.cpp - How one layer's tiles are streamed -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StagePlan.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

namespace {
/// The box at an op, as far as it is known before the loops run.
struct StaticBox {
  PerDim<int64_t> nominal;
  PerDim<bool> isExact; ///< no tile is less than nominal
};
} // namespace

bool fadiff::leadsOn(LoadOp load, Dim dim) {
  return leadsOn(
      load.getOperand() == LoadedOperand::weights ? Tensor::W : Tensor::I, dim);
}

bool StagePlan::handsOver() const {
  return isa<BufferType>(StoreOp(store).getDestination().getType());
}

bool StagePlan::pools() const {
  return bool(
      StoreOp(store)->getParentOfType<StageOp>().getEpilogue().getPool());
}

bool StagePlan::staysInPlace() const { return StoreOp(store).isInPlace(); }

static StaticBox boxAt(Operation *op, const Box &entry) {
  StaticBox box;
  for (Dim dim : kAllDims) {
    box.nominal[dim] = entry[dim].nominal;
    // Of pooled outputs there may be less than what lies under the windows,
    // padding included, even where there is one tile.
    box.isExact[dim] = IndexMath::known(entry[dim].size) == box.nominal[dim];
  }
  SmallVector<ForOp> loops;
  for (Operation *outer = op->getParentOp(); !isa<StageOp>(outer);
       outer = outer->getParentOp())
    loops.push_back(cast<ForOp>(outer));
  for (ForOp loop : llvm::reverse(loops)) {
    Dim dim = toDim(loop.getDim());
    int64_t step = loop.getStep();
    if (step >= box.nominal[dim])
      continue;
    box.isExact[dim] = box.isExact[dim] && box.nominal[dim] % step == 0;
    box.nominal[dim] = step;
  }
  return box;
}

static PerDim<double> asReals(const PerDim<int64_t> &values) {
  PerDim<double> reals(0.0);
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    reals[dim] = double(values[dim]);
  return reals;
}

StagePlan fadiff::planStage(StageOp stage, const Box &entry,
                            const Accelerator &machine,
                            const PerDim<int64_t> &inputDram,
                            const PerDim<int64_t> &destination, bool hasRing,
                            const PixelTile *foreignInput,
                            const PixelTile *skip, const PixelTile *window,
                            std::optional<int64_t> inputLines) {
  StagePlan plan;
  walkOwn(stage, [&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op))
      (load.getOperand() == LoadedOperand::input ? plan.input : plan.weights) =
          load;
    else if (auto init = dyn_cast<InitOp>(op))
      plan.init = init;
    else if (auto compute = dyn_cast<ComputeOp>(op))
      plan.compute = compute;
    else if (auto store = dyn_cast<StoreOp>(op))
      plan.store = store;
  });
  Layer layer = toLayer(stage.getWorkload());
  StreamShape shape;
  shape.layer = &layer;
  shape.rows = stage.getRows();
  shape.cols = stage.getCols();
  if (!plan.compute || !plan.init || !plan.store) {
    plan.stream = planMoves(shape, machine);
    return plan;
  }

  layer.hasBias = bool(plan.init.getBias());
  layer.hasResidual = bool(plan.init.getResidual());
  layer.outputBytes = stage.getEpilogue().getScale() ? 1 : 4;
  const StaticBox atCompute = boxAt(plan.compute, entry);
  shape.box = atCompute.nominal;
  shape.exact = atCompute.isExact;
  shape.sums = boxAt(plan.init, entry).nominal;
  // A tile handed over by the stage before is what the group's tile reads.
  for (Dim dim : kAllDims)
    shape.tile[dim] = entry[dim].nominal;
  if (plan.input)
    shape.tile = boxAt(plan.input, entry).nominal;
  if (plan.weights)
    shape.weightTile = boxAt(plan.weights, entry).nominal;
  SmallVector<ForOp> loops;
  for (Operation *op = plan.compute->getParentOp(); op != stage;
       op = op->getParentOp()) {
    auto loop = cast<ForOp>(op);
    if (plan.weights && plan.weights->getParentOp() == op)
      shape.insideWeights = loops.size();
    if (plan.input && plan.input->getParentOp() == op)
      shape.insideInput = loops.size();
    const Dim dim = toDim(loop.getDim());
    const StaticBox around = boxAt(loop, entry);
    StreamLoop next;
    next.dim = dim;
    next.step = loop.getStep();
    next.whole = around.nominal[dim];
    next.exact = around.isExact[dim];
    shape.loops.push_back(next);
    loops.push_back(loop);
  }
  if (plan.weights && plan.weights->getParentOp() == stage)
    shape.insideWeights = loops.size();
  if (plan.input && plan.input->getParentOp() == stage)
    shape.insideInput = loops.size();
  shape.spills = bool(plan.store.getSpill());
  shape.weightsStay = !plan.weights;
  shape.inputOnChip = !plan.input;
  shape.outputOnChip = plan.handsOver();
  shape.staysInPlace = plan.staysInPlace();
  if (window)
    shape.handOver = {window->h, window->w};
  shape.poolReads = plan.pools();
  shape.sumRows =
      double(cast<BufferType>(plan.init.getAccumulator().getType()).getRows());
  shape.inputDram = asReals(inputDram);
  shape.destination = asReals(destination);
  if (foreignInput)
    shape.input = {foreignInput->h, foreignInput->w, foreignInput->compact};
  if (inputLines) {
    shape.input.emplace();
    shape.input->h = *inputLines;
    for (Axis axis : kAllAxes)
      shape.input->compact[axis] = shape.tile[kernelDim(axis)] == 1;
    shape.input->w =
        layer.window(Axis::W, shape.tile[Dim::Q], shape.tile[Dim::S]);
    if (shape.input->compact[Axis::W])
      shape.input->w = shape.tile[Dim::Q];
    shape.loadsRing = true;
  }
  if (skip)
    shape.skip = {skip->h, skip->w, {false, false}};
  shape.hasRing = hasRing;

  plan.stream = planStream(shape, machine);
  auto setAhead = [&](FetchAhead &ahead, double moves, size_t loop,
                      int64_t step, bool across) {
    if (moves > 0)
      ahead = {loops[loop], step, across};
  };
  const StreamPlan &stream = plan.stream;
  setAhead(plan.weightsAhead, stream.weightsAhead, stream.weightsLoop,
           stream.weightsStep, stream.weightsAcross);
  setAhead(plan.inputAhead, stream.inputAhead, stream.inputLoop,
           stream.inputStep, stream.inputAcross);
  return plan;
}
