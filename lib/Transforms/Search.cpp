//===- Search.cpp - Schedule a module's layers ----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// IR -> Network -> Schedule -> attributes. The search itself knows no IR; this
// pass only writes down what it decided.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Transforms/Passes.h"
#include "fadiff/Transforms/SearchModule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"

#include <cmath>

namespace fadiff {
#define GEN_PASS_DEF_SEARCHPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

llvm::Expected<double> fadiff::parseDuration(StringRef text) {
  StringRef number = text;
  double unit = 0;
  if (number.consume_back("ms"))
    unit = 1e-3;
  else if (number.consume_back("s"))
    unit = 1;
  double value;
  if (unit == 0 || number.getAsDouble(value) || !(value >= 0) ||
      !std::isfinite(value))
    return llvm::createStringError("time limit must be a number with unit s or "
                                   "ms, such as 2s; found '" +
                                   text + "'");
  return value * unit;
}

/// Why a pair can never share a group, whatever the mapping; empty if it can.
static std::string whyBlocked(LayerOp producer, LayerOp consumer) {
  Layer from = toLayer(producer), to = toLayer(consumer);
  if (!producer.getResult().hasOneUse())
    return "the producer's output has other readers";
  if (producer->getBlock() != consumer->getBlock())
    return "the layers stand in different blocks";
  if (from.outputBytes != to.elementBytes)
    return "the producer's output is not requantised to int8";
  for (const Layer *layer : {&from, &to})
    if (layer->dims[Dim::G] != 1 && !layer->isDepthwise())
      return "the " + std::string(layer == &from ? "producer" : "consumer") +
             " is a grouped layer";
  // A GEMM has its rows in N, a convolution its pixels in P and Q.
  bool samePixels = from.dims[Dim::N] == to.dims[Dim::N];
  for (Axis axis : kAllAxes)
    samePixels &= from.dims[outputDim(axis)] == to.inputExtent[axis];
  if (!samePixels)
    return "the layers count their pixels along different dims";
  return "";
}

Network fadiff::extractNetwork(FunctionOpInterface function,
                               SmallVectorImpl<LayerOp> &ops) {
  Network network;
  llvm::DenseMap<Operation *, unsigned> index;
  function.walk([&](LayerOp op) {
    if (op.getMapping())
      return;
    index[op] = ops.size();
    ops.push_back(op);
    network.layers.push_back(toLayer(op));
  });
  for (auto [i, op] : llvm::enumerate(ops)) {
    auto producer = op.getInput().getDefiningOp<LayerOp>();
    auto it = producer ? index.find(producer) : index.end();
    if (it == index.end())
      continue;
    network.edges.push_back(
        {it->second, static_cast<unsigned>(i), whyBlocked(producer, op)});
  }
  return network;
}

static CostAttr toAttr(MLIRContext *context, double energy, double cycles,
                       const DramBytes &bytes, StringRef model) {
  Builder builder(context);
  return CostAttr::get(context, builder.getF64FloatAttr(energy),
                       builder.getF64FloatAttr(cycles),
                       std::llround(bytes.reads()), std::llround(bytes.writes()),
                       model);
}

/// Moves the layers of a chain into a fusion group at the last one's place.
static void formGroup(ArrayRef<LayerOp> layers, CostAttr cost) {
  LayerOp last = layers.back();
  OpBuilder builder(last);
  Layer layer = toLayer(last);
  Mapping mapping = toMapping(*last.getMapping());
  SmallVector<int64_t> tile;
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    tile.push_back(mapping.tile(layer, Level::Scratchpad, dim));
  SmallVector<Location> locs;
  for (LayerOp op : layers)
    locs.push_back(op->getLoc());
  auto group = FusionGroupOp::create(builder, builder.getFusedLoc(locs),
                                     last.getType(), tile, cost);
  Block &body = group.getBody().emplaceBlock();
  last.getResult().replaceAllUsesWith(group.getResult());
  for (LayerOp op : layers)
    op->moveBefore(&body, body.end());
  builder.setInsertionPointToEnd(&body);
  YieldOp::create(builder, last.getLoc(), last.getResult());
}

void fadiff::applySchedule(ArrayRef<LayerOp> ops, const Schedule &schedule,
                           const ScheduleCost &cost, StringRef model) {
  for (auto [layer, mapping] : llvm::zip(ops, schedule.mappings)) {
    LayerOp op = layer;
    op.setMappingAttr(ir::toAttr(op.getContext(), mapping));
  }
  for (auto [group, groupCost] : llvm::zip(schedule.groups, cost.groups)) {
    SmallVector<LayerOp> members;
    for (auto [layer, memberCost] : llvm::zip(group.layers, groupCost.members)) {
      LayerOp op = ops[layer];
      members.push_back(op);
      op.setCostAttr(toAttr(op.getContext(), memberCost.energy,
                            memberCost.cycles, memberCost.dramBytes,
                            model));
    }
    if (members.size() > 1)
      formGroup(members,
                toAttr(members.front().getContext(), groupCost.energy,
                       groupCost.cycles, groupCost.dramBytes, model));
  }
}

static LogicalResult searchFunction(FunctionOpInterface function,
                                    const Accelerator &machine,
                                    SearchOptions options) {
  SmallVector<LayerOp> ops;
  Network network = extractNetwork(function, ops);
  if (ops.empty())
    return success();
  DifferentiableCost model = ops.front().getCostModelAttr();
  for (LayerOp op : ops)
    if (op.getCostModelAttr() != model)
      return op.emitError("layer \"")
             << op.getName() << "\" has cost model " << op.getCostModelAttr()
             << "; wanted the same for all layers of the function, " << model;
  if (!model)
    model = CostModelAttr::get(function.getContext(),
                               options.convention == Convention::Machine
                                   ? "machine"
                                   : "timeloop",
                               "exact", "roofline");
  std::unique_ptr<CostFunction> cost;
  auto builtIn = dyn_cast<CostModelAttr>(model);
  if (builtIn && builtIn.getModel() == "exact" &&
      builtIn.getLatency() == "roofline") {
    // The search has a faster way to differentiate these.
    options.convention = builtIn.getConvention() == "timeloop"
                             ? Convention::Timeloop
                             : Convention::Machine;
  } else {
    cost = model.getCostFunction();
    options.cost = cost.get();
  }
  llvm::Expected<SearchResult> result = search(network, machine, options);
  if (!result)
    return function.emitError() << llvm::toString(result.takeError());
  applySchedule(ops, result->schedule, result->cost, model.getModelName());
  for (const EdgeDecision &decision : result->edges) {
    const Edge &edge = network.edges[decision.edge];
    if (decision.fused)
      remark::passed(ops[edge.consumer].getLoc(),
                     remark::RemarkOpts::name("Fused").category("fadiff"))
          << "layer '" + network.layers[edge.consumer].name +
                 "' is fused with '" + network.layers[edge.producer].name + "'";
    else
      remark::missed(ops[edge.consumer].getLoc(),
                     remark::RemarkOpts::name("NotFused").category("fadiff"))
          << "layer '" + network.layers[edge.consumer].name +
                 "' is not fused with '" + network.layers[edge.producer].name +
                 "': " + decision.reason;
  }
  return success();
}

LogicalResult fadiff::searchModule(ModuleOp module,
                                   const SearchOptions &options) {
  FailureOr<Accelerator> machine = requireTarget(module);
  if (failed(machine))
    return failure();
  WalkResult result = module.walk([&](FunctionOpInterface function) {
    return succeeded(searchFunction(function, *machine, options))
               ? WalkResult::skip()
               : WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct SearchPass : public fadiff::impl::SearchPassBase<SearchPass> {
  using Base::Base;

  void runOnOperation() override {
    SearchOptions options;
    options.seed = seed;
    options.maxEvaluations = maxEvaluations;
    options.threads = std::max(1u, threads.getValue());
    if (starts)
      options.starts = starts;
    if (steps)
      options.steps = steps;
    bool known =
        choose("optimizer", optimizer, parseOptimizer, options.optimizer,
               "fadiff, dosa, ga, bo, hillclimb, random, heuristic or exact") &&
        choose("objective", objective, parseObjective, options.objective,
               "edp, energy or latency") &&
        choose("fuse", fuse, parseFuse, options.fuse, "on, off or chains");
    if (!known)
      return signalPassFailure();
    llvm::Expected<double> limit = parseDuration(timeLimit);
    if (!limit) {
      getOperation().emitError("fadiff-search: ")
          << llvm::toString(limit.takeError());
      return signalPassFailure();
    }
    options.timeLimit = *limit;
    if (failed(searchModule(getOperation(), options)))
      signalPassFailure();
  }

private:
  /// Reads an option that is one of a few names.
  template <typename ValueT>
  bool choose(StringRef option, StringRef name,
              std::optional<ValueT> (*parse)(StringRef), ValueT &value,
              StringRef wanted) {
    std::optional<ValueT> parsed = parse(name);
    if (!parsed) {
      getOperation().emitError("fadiff-search: ")
          << option << " must be " << wanted << "; found '" << name << "'";
      return false;
    }
    value = *parsed;
    return true;
  }
};
} // namespace
