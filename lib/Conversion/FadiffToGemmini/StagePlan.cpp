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

static PerDim<double> asReals(const PerDim<int64_t> &values) {
  PerDim<double> reals(0.0);
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    reals[dim] = double(values[dim]);
  return reals;
}

StagePlan fadiff::planStage(StageOp stage, const StageSetting &setting,
                            const Accelerator &machine) {
  StagePlan plan;
  plan.input = setting.ofSlices.load;
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
  Layer layer = toLayer(stage);
  StreamShape shape;
  shape.layer = &layer;
  shape.rows = stage.getRows();
  shape.cols = stage.getCols();
  LoadOp weights = plan.weights;
  if (plan.compute && !weights) // They stay, and a stage before brings them.
    for (Operation *user : ComputeOp(plan.compute).getWeights().getUsers())
      if (auto load = dyn_cast<LoadOp>(user))
        weights = load;
  shape.weightBlock = weights ? weights.getWeightBlock() : 0;
  if (!plan.compute || !plan.init || !plan.store) {
    plan.stream = planMoves(shape, machine);
    return plan;
  }

  layer.hasResidual = bool(plan.init.getResidual()); // not what is on chip
  // The loops, and where copies stand.
  SmallVector<ForOp> loops;
  for (Operation *op = plan.compute->getParentOp(); op != stage;
       op = op->getParentOp()) {
    loops.push_back(cast<ForOp>(op));
    shape.loops.push_back(
        {toDim(loops.back().getDim()), int64_t(loops.back().getStep())});
  }
  auto inside = [&](Operation *op) {
    return op ? size_t(llvm::find(loops, op->getParentOp()) - loops.begin())
              : loops.size();
  };
  shape.insideWeights = inside(plan.weights);
  shape.insideInput = inside(plan.input);
  shape.insideSums = inside(plan.init);
  PerDim<int64_t> whole;
  PerDim<bool> isExact;
  for (Dim dim : kAllDims) {
    whole[dim] = setting.entry[dim].nominal;
    // Of pooled outputs there may be less than what lies under the windows,
    // padding included, even where there is one tile.
    isExact[dim] = IndexMath::known(setting.entry[dim].size) == whole[dim];
  }
  shape.setExtents(whole, isExact);
  shape.spills = bool(plan.store.getSpill());
  shape.sumsBeside = setting.sumsBeside;
  shape.fitsChunks = double(plan.init.getAccumulator().getType().getRows()) >=
                     shape.chunkRows(machine);
  shape.weightsStay = !plan.weights;
  shape.inputOnChip = !plan.input;
  shape.inputStays = setting.ofSlices.stays();
  shape.outputOnChip = plan.handsOver();
  shape.staysInPlace = plan.staysInPlace();
  shape.loadsResidual = layer.hasResidual;
  if (setting.window)
    shape.handOver = {setting.window->h, setting.window->w};
  if (MaxPoolAttr pool = stage.getEpilogue().getPool()) {
    shape.poolReads = pool.getSize() * pool.getSize();
    shape.mostPooledRows = shape.outputOnChip ? 0 : setting.mostPooledRows;
    shape.poolPads =
        llvm::any_of(pool.getPad(), [](int64_t p) { return p > 0; });
  }
  shape.runs = double(setting.runs);
  shape.freeRows = double(setting.freeRows);
  shape.turns = setting.turns;
  shape.inputDram = asReals(setting.inputDram);
  shape.destination = asReals(setting.destination);
  shape.spillDram = asReals(setting.spillDram);
  shape.residualDram = asReals(setting.residualDram);
  auto laidOut = [](const PixelTile &tile) -> StreamTile {
    return {tile.h, tile.w, tile.compact};
  };
  if (setting.foreignInput)
    shape.input = laidOut(*setting.foreignInput);
  if (setting.inputLines) {
    shape.input.emplace();
    shape.input->h = *setting.inputLines;
    for (Axis axis : kAllAxes)
      shape.input->compact[axis] = shape.tile[kernelDim(axis)] == 1;
    shape.input->w =
        layer.window(Axis::W, shape.tile[Dim::Q], shape.tile[Dim::S]);
    if (shape.input->compact[Axis::W])
      shape.input->w = shape.tile[Dim::Q];
    shape.loadsRing = true;
  }
  if (setting.skip)
    shape.skip = laidOut(*setting.skip);
  shape.hasRing = setting.hasRing;

  plan.stream = planStream(shape, machine);
  plan.shape = shape.str();
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
  auto loopOf = [&](const std::optional<TileTurns> &turns) {
    return turns && turns->loop < loops.size() ? loops[turns->loop] : ForOp();
  };
  plan.inputTurns = loopOf(stream.inputTurns);
  plan.weightTurns = loopOf(stream.weightTurns);
  plan.inputSpread = loopOf(stream.inputSpread);
  if (plan.weightTurns)
    plan.weightRows = shape.weightRows();
  return plan;
}
