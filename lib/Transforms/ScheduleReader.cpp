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
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

LogicalResult ScheduleReader::read(Operation *root) {
  WalkResult result =
      root->walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
        if (auto group = dyn_cast<FusionGroupOp>(op)) {
          openGroup();
          schedule.groups.back().keepRows = group.getKeepRows();
          SmallVector<LayerOp> layers = getLayers(group);
          for (LayerOp layer : layers)
            if (failed(add(layer, toLayer(layer), layer.getMappingAttr(),
                           layer.getCostModelAttr())))
              return WalkResult::interrupt();
          schedule.groups.back().poolsOutput =
              network.layers.back().pool.has_value();
          const std::vector<unsigned> &members = schedule.groups.back().layers;
          for (int64_t position :
               group.getLiveSkips().value_or(ArrayRef<int64_t>()))
            schedule.groups.back().liveSkips.push_back(members[position]);
          addInputSlices(group, schedule.groups.back());
          addOperands(operandsOf(layers));
          return WalkResult::skip();
        }
        if (auto layer = dyn_cast<LayerOp>(op)) {
          openGroup();
          if (failed(add(layer, toLayer(layer), layer.getMappingAttr(),
                         layer.getCostModelAttr())))
            return WalkResult::interrupt();
          schedule.groups.back().poolsOutput =
              network.layers.back().pool.has_value();
          return WalkResult::skip();
        }
        if (auto nest = dyn_cast<LoopNestOp>(op))
          return succeeded(addNest(nest)) ? WalkResult::skip()
                                          : WalkResult::interrupt();
        return WalkResult::advance();
      });
  // Now that all layers are known: what none makes has the numbers behind them.
  for (Operands &operands : network.operands)
    for (std::optional<unsigned> *tensor :
         {&operands.input, &operands.residual})
      if (*tensor >= kFirstOutside)
        **tensor += network.layers.size() - kFirstOutside;
  return failure(result.wasInterrupted());
}

LogicalResult ScheduleReader::addNest(LoopNestOp nest) {
  openGroup();
  schedule.groups.back().keepRows = nest.getKeepRows();
  // The model's name is all that a nest keeps of it.
  DifferentiableCost nestModel;
  if (CostAttr cost = nest.getCostAttr()) {
    if (auto model = parseBuiltInModel(cost.getModel()))
      nestModel =
          CostModelAttr::get(context, nameOf(model->convention),
                             nameOf(model->model), nameOf(model->latency));
  }
  SmallVector<StageOp> stages = computingStages(nest);
  for (StageOp stage : stages) {
    if (failed(add(stage, toLayer(stage), stage.getMappingAttr(), nestModel)))
      return failure();
    if (skipOf(stage))
      schedule.groups.back().liveSkips.push_back(network.layers.size() - 1);
    if (const int64_t slice = inputSliceOf(stage))
      schedule.groups.back().inputSlices.push_back(
          {unsigned(network.layers.size() - 1), slice});
  }
  if (!stages.empty())
    schedule.groups.back().poolsOutput = network.layers.back().pool.has_value();
  if (stages.size() > 1)
    addOperands(operandsOf(stages));
  return success();
}

void ScheduleReader::addOperands(ArrayRef<Operands> operands) {
  const unsigned size = operands.size();
  const unsigned first = network.layers.size() - size;
  auto toNetwork = [&](std::optional<unsigned> &tensor) {
    if (tensor)
      tensor = *tensor < size ? first + *tensor : nextOutside + *tensor - size;
  };
  network.operands.resize(first);
  unsigned most = size;
  for (Operands own : operands) {
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
  schedule.groups.back().layers.push_back(network.layers.size());
  network.layers.push_back(layer);
  network.layers.back().trips = std::max<int64_t>(1, tripsOf(op).count);
  auto function = op->getParentOfType<FunctionOpInterface>();
  functions.push_back(function ? function.getName().str() : "");
  schedule.mappings.push_back(toMapping(mapping));
  network.operands.emplace_back();
  return success();
}
