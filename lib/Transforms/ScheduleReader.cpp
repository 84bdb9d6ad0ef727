//===- ScheduleReader.cpp - The schedule that a module carries ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Transforms/ScheduleReader.h"
#include "fadiff/Analysis/Trips.h"
#include "fadiff/CostModel/ScheduleFile.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Schedule/Turn.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

LogicalResult ScheduleReader::read(Operation *root) {
  WalkResult result =
      root->walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
        LogicalResult added = success();
        if (auto group = dyn_cast<FusionGroupOp>(op))
          added = addGroup(getLayers(group));
        else if (auto layer = dyn_cast<LayerOp>(op))
          added = addGroup(layer);
        else if (auto nest = dyn_cast<LoopNestOp>(op))
          added = addNest(nest);
        else
          return WalkResult::advance();
        return succeeded(added) ? WalkResult::skip() : WalkResult::interrupt();
      });
  // Now that all layers are known: what none makes has the numbers behind them.
  for (Operands &operands : network.operands)
    for (std::optional<unsigned> *tensor :
         {&operands.input, &operands.residual})
      if (*tensor >= kFirstOutside)
        **tensor += network.layers.size() - kFirstOutside;
  return failure(result.wasInterrupted());
}

LogicalResult ScheduleReader::addGroup(ArrayRef<LayerOp> layers) {
  GroupValues values = toGroup(layers);
  const bool isAlone = layers.size() == 1;
  for (auto [layer, value] : llvm::zip(layers, values.network.layers)) {
    LayerOp op = layer;
    if (failed(add(op, value, op.getMappingAttr(), op.getCostModelAttr())))
      return failure();
  }
  add(std::move(values), isAlone);
  return success();
}

LogicalResult ScheduleReader::addNest(LoopNestOp nest) {
  // The model's name is all that a nest keeps of it.
  DifferentiableCost nestModel;
  if (CostAttr cost = nest.getCostAttr()) {
    if (auto model = parseBuiltInModel(cost.getModel()))
      nestModel =
          CostModelAttr::get(context, nameOf(model->convention),
                             nameOf(model->model), nameOf(model->latency));
  }
  SmallVector<StageOp> stages = computingStages(nest);
  GroupValues values = toGroup(nest, stages);
  if (nest.getTurned()) {
    for (Layer &layer : values.network.layers)
      layer = turned(layer);
    values.group.keeps = Axis::W;
  }
  for (auto [stage, value] : llvm::zip(stages, values.network.layers))
    if (failed(add(stage, value, StageOp(stage).getMappingAttr(), nestModel)))
      return failure();
  // Through an attribute: what is no loop has the place that it gives it.
  if (nest.getTurned())
    for (Mapping &mapping :
         llvm::MutableArrayRef(schedule.mappings).take_back(stages.size()))
      mapping = toMapping(toAttr(context, turned(mapping)));
  add(std::move(values), /*isAlone=*/stages.size() < 2);
  return success();
}

void ScheduleReader::add(GroupValues values, bool isAlone) {
  const unsigned size = values.network.layers.size();
  const unsigned first = network.layers.size() - size;
  schedule.groups.push_back(
      values.group.renumbered([&](unsigned layer) { return first + layer; }));
  if (isAlone)
    return;
  auto toNetwork = [&](std::optional<unsigned> &tensor) {
    if (tensor)
      tensor = *tensor < size ? first + *tensor : nextOutside + *tensor - size;
  };
  network.operands.resize(first);
  unsigned most = size;
  for (Operands own : values.network.operands) {
    most = std::max({most, own.input.value_or(0), own.residual.value_or(0)});
    toNetwork(own.input);
    toNetwork(own.residual);
    network.operands.push_back(own);
  }
  nextOutside += most + 1 - size;
}

LogicalResult ScheduleReader::add(Operation *op, const Layer &layer,
                                  MappingAttr mapping,
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
  network.layers.push_back(layer);
  network.layers.back().trips = std::max<int64_t>(1, tripsOf(op).count);
  auto function = op->getParentOfType<FunctionOpInterface>();
  functions.push_back(function ? function.getName().str() : "");
  schedule.mappings.push_back(toMapping(mapping));
  network.operands.emplace_back();
  return success();
}
