//===- Costs.cpp - Predicted costs in the IR ------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Transforms/Costs.h"
#include "fadiff/CostModel/ScheduleFile.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Transforms/ScheduleReader.h"
#include "mlir/IR/Builders.h"

#include <cmath>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

CostAttr fadiff::toCostAttr(MLIRContext *context, double energy, double cycles,
                            const DramBytes &bytes, StringRef model) {
  Builder builder(context);
  return CostAttr::get(
      context, builder.getF64FloatAttr(energy), builder.getF64FloatAttr(cycles),
      std::llround(bytes.reads()), std::llround(bytes.writes()), model);
}

/// Whether two predictions are of the same thing. Sums may have been taken in
/// another order.
static bool isSame(CostAttr a, CostAttr b) {
  auto close = [](FloatAttr x, FloatAttr y) {
    const double left = x.getValueAsDouble(), right = y.getValueAsDouble();
    return std::fabs(left - right) <=
           1e-9 * std::max(std::fabs(left), std::fabs(right));
  };
  return a.getModel() == b.getModel() && close(a.getEnergy(), b.getEnergy()) &&
         close(a.getCycles(), b.getCycles()) &&
         a.getDramRead() == b.getDramRead() &&
         a.getDramWrite() == b.getDramWrite();
}

static CostAttr costOf(Operation *op) {
  if (auto layer = dyn_cast<LayerOp>(op))
    return layer.getCostAttr();
  if (auto group = dyn_cast<FusionGroupOp>(op))
    return group.getCostAttr();
  if (auto stage = dyn_cast<StageOp>(op))
    return stage.getCostAttr();
  return cast<LoopNestOp>(op).getCostAttr();
}

static void setCost(Operation *op, CostAttr cost) {
  if (auto layer = dyn_cast<LayerOp>(op))
    layer.setCostAttr(cost);
  else if (auto group = dyn_cast<FusionGroupOp>(op))
    group.setCostAttr(cost);
  else if (auto stage = dyn_cast<StageOp>(op))
    stage.setCostAttr(cost);
  else
    cast<LoopNestOp>(op).setCostAttr(cost);
}

/// What has a mapping of its own, in the order of the schedule.
static SmallVector<Operation *> membersOf(Operation *root) {
  if (isa<LayerOp>(root))
    return {root};
  SmallVector<Operation *> members;
  if (auto group = dyn_cast<FusionGroupOp>(root))
    llvm::append_range(members, getLayers(group));
  else
    llvm::append_range(members, computingStages(cast<LoopNestOp>(root)));
  return members;
}

LogicalResult fadiff::refreshCosts(Operation *root, const Accelerator &machine,
                                   bool addMissing) {
  const SmallVector<Operation *> members = membersOf(root);
  const bool mapped = llvm::all_of(members, [](Operation *member) {
    if (auto layer = dyn_cast<LayerOp>(member))
      return layer.getMapping().has_value();
    return cast<StageOp>(member).getMapping().has_value();
  });
  if (members.empty() || !mapped)
    return success();
  SmallVector<Operation *> all{root};
  if (members.front() != root)
    llvm::append_range(all, members);
  std::string model;
  for (Operation *op : all)
    if (CostAttr written = costOf(op); written && model.empty())
      model = written.getModel();
  if (model.empty() && !addMissing)
    return success();
  ScheduleReader reader(root->getContext());
  if (failed(reader.read(root)))
    return failure();
  if (model.empty())
    model = reader.model.getModelName();
  std::unique_ptr<CostFunction> cost = findCostFunction(model);
  if (!cost && reader.model && reader.model.getModelName() == model)
    cost = reader.model.getCostFunction();
  if (!cost)
    return success();
  const GroupCost found =
      evaluateGroup(reader.network, reader.schedule,
                    reader.schedule.groups.front(), machine, *cost);
  auto update = [&](Operation *op, double energy, double cycles,
                    const DramBytes &bytes) {
    const CostAttr written = costOf(op);
    const CostAttr fresh =
        toCostAttr(op->getContext(), energy, cycles, bytes, model);
    if (written ? isSame(written, fresh) : !addMissing)
      return;
    if (written)
      op->emitWarning("the cost that stands here is not that of the mapping: "
                      "wanted ")
          << fresh << ", found " << written
          << "; the former is used. Was the mapping edited?";
    setCost(op, fresh);
  };
  update(root, found.energy, found.cycles, found.dramBytes);
  if (members.front() == root)
    return success();
  for (auto [op, own] : llvm::zip_equal(members, found.members))
    update(op, own.energy, own.cycles, own.dramBytes);
  return success();
}
