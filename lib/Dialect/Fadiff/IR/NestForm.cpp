//===- NestForm.cpp - The shape of a loop nest's tree ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestForm.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

std::string fadiff::ir::ruleNumber(unsigned number) {
  return " [N" + std::to_string(number) + "]";
}

//===----------------------------------------------------------------------===//
// One stage
//===----------------------------------------------------------------------===//

StageForm::StageForm(StageOp op) : op(op) {
  auto set = [&](auto &place, auto found) {
    if (place && !again)
      again = found;
    place = found;
  };
  op.getBody().walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (auto stage = dyn_cast<StageOp>(inner)) {
      set(producer, stage);
      return WalkResult::skip();
    }
    if (auto loop = dyn_cast<ForOp>(inner))
      loops.push_back(loop);
    else if (auto load = dyn_cast<LoadOp>(inner))
      set(load.getOperand() == LoadedOperand::input ? input : weights, load);
    else if (auto found = dyn_cast<InitOp>(inner))
      set(init, found);
    else if (auto found = dyn_cast<ComputeOp>(inner))
      set(compute, found);
    else if (auto found = dyn_cast<StoreOp>(inner))
      set(store, found);
    return WalkResult::advance();
  });
}

LogicalResult StageForm::check() {
  if (again) {
    if (isa<StageOp>(again))
      return again->emitError("is the second stage inside stage \"")
             << op.getName() << "\"; wanted one, which makes its input"
             << ruleNumber(5);
    auto diag = again->emitError("stage \"")
                << op.getName() << "\" has a second " << again->getName();
    if (auto load = dyn_cast<LoadOp>(again))
      diag << " of its " << stringifyLoadedOperand(load.getOperand());
    return diag << "; wanted one" << ruleNumber(5);
  }
  if (compute && !init)
    return compute.emitError("reads a buffer into which nothing was loaded or "
                             "stored before: wanted a fadiff.init of its sums")
           << ruleNumber(5);
  if (!compute || !store)
    return op.emitError("stage \"")
           << op.getName()
           << "\" must init, compute and store its output tile once each"
           << ruleNumber(5);

  // A copy inside a loop that has ended holds another box's tile, and so does
  // a slice that a stage has made there.
  for (Operation *copy : {input.getOperation(), weights.getOperation(),
                          producer.getOperation()}) {
    if (!copy)
      continue;
    if (!copy->getParentOp()->isAncestor(compute))
      return (compute.emitError("reads a buffer whose copy ended with a loop "
                                "before this point; wanted the copy in a loop "
                                "around it")
              << ruleNumber(6))
                 .attachNote(copy->getLoc())
             << "the copy is here";
    if (!copy->isBeforeInBlock(
            copy->getBlock()->findAncestorOpInBlock(*compute)))
      return (compute.emitError("reads a buffer into which nothing was loaded "
                                "or stored before: wanted the copy before it")
              << ruleNumber(6))
                 .attachNote(copy->getLoc())
             << "the copy is here";
  }
  Operation *inside = init->getBlock()->findAncestorOpInBlock(*compute);
  if (init->getBlock() != store->getBlock() || !inside ||
      !init->isBeforeInBlock(inside) || !inside->isBeforeInBlock(store))
    return store.emitError("must close the output tile where its fadiff.init "
                           "opened it, with the computes in between")
           << ruleNumber(6);
  for (ForOp loop : loops)
    if (!loop->isAncestor(compute))
      return loop.emitError("holds no compute of stage \"")
             << op.getName()
             << "\"; wanted every loop around the one compute of its stage"
             << ruleNumber(6);
  return success();
}

Extents StageForm::boxAt(Operation *at, const Extents &entry) const {
  Extents box = entry;
  for (ForOp loop : loops)
    if (loop->isProperAncestor(at)) {
      int64_t &extent = box[toDim(loop.getDim())];
      extent = std::min<int64_t>(extent, loop.getStep());
    }
  return box;
}

SmallVector<StageForm::Split> StageForm::splits(const Extents &entry, Dim dim,
                                                Operation *outer) const {
  SmallVector<Split> result;
  int64_t interval = entry[dim];
  for (ForOp loop : loops) {
    const int64_t step = loop.getStep();
    if (toDim(loop.getDim()) != dim || step >= interval)
      continue;
    if (!outer || !loop->isProperAncestor(outer))
      result.push_back({loop, interval});
    interval = step;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Stages and the loops around them
//===----------------------------------------------------------------------===//

FailureOr<NestForm> NestForm::of(LoopNestOp nest) {
  NestForm form;
  unsigned stages = 0;
  // From the inside: a stage that makes slices before the one that reads them.
  nest->walk([&](StageOp stage) {
    ++stages;
    StageForm member(stage);
    const bool hasOutput = member.init || member.store;
    if (member.compute || hasOutput)
      form.members.push_back(std::move(member));
    else
      form.loaders.push_back(stage);
  });
  if (stages == 0)
    return nest.emitError("has no fadiff.stage: nothing would be computed")
           << ruleNumber(1);
  // Some stage must; each is told what it lacks.
  if (form.members.empty())
    for (StageOp stage : std::exchange(form.loaders, {}))
      form.members.emplace_back(stage);
  for (StageOp loader : form.loaders)
    for (Operation &inner : loader.getBody().front())
      if (!isa<LoadOp>(inner))
        return inner.emitError("stands in stage \"")
               << loader.getName()
               << "\", which computes nothing; wanted nothing but loads there"
               << ruleNumber(1);
  if (failed(form.checkTileLoops(nest.getBody().front())))
    return failure();
  return form;
}

LogicalResult NestForm::checkTileLoops(Block &block) {
  ForOp inner;
  for (Operation &op : block) {
    auto loop = dyn_cast<ForOp>(op);
    if (!loop)
      continue;
    const Dim dim = toDim(loop.getDim());
    if (dim != Dim::N && dim != Dim::P && dim != Dim::Q)
      return loop.emitError("a loop around stages must run over N, P or Q, "
                            "which all layers share; found ")
             << stringifyLoopDim(loop.getDim()) << ruleNumber(2);
    if (inner)
      return loop.emitError("is a second loop over tiles beside the first; "
                            "wanted one nest of loops around all stages")
             << ruleNumber(2);
    for (ForOp outer : tileLoops)
      if (outer.getDim() == loop.getDim())
        return loop.emitError("is a second loop over tiles of ")
               << stringifyLoopDim(loop.getDim())
               << "; wanted one, whose step is the tile" << ruleNumber(2);
    inner = loop;
    tileLoops.push_back(loop);
  }
  if (inner)
    return checkTileLoops(inner.getBody().front());
  // All that compute share the loops; what makes slices stands with its reader.
  for (const StageForm &member : members)
    if (outermostStageOf(member.op)->getBlock() != &block)
      return StageOp(member.op).emitError("must stand inside of all loops over "
                                          "tiles, beside the other stages that "
                                          "compute")
             << ruleNumber(2);
  return success();
}
