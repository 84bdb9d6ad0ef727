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

#include "PackTaps.h"

#include "fadiff/Analysis/LayerMatch.h"
#include "fadiff/Analysis/PoolMatch.h"
#include "fadiff/Analysis/Trips.h"
#include "fadiff/CostModel/LoopLatency.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Search/Baselines.h"
#include "fadiff/Search/Cache.h"
#include "fadiff/Search/Packing.h"
#include "fadiff/Search/Summary.h"
#include "fadiff/Support/Files.h"
#include "fadiff/Transforms/Costs.h"
#include "fadiff/Transforms/PassOptions.h"
#include "fadiff/Transforms/Passes.h"
#include "fadiff/Transforms/SearchModule.h"
#include "fadiff/Transforms/SearchMonitor.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <limits>

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
/// `made`: what the consumer reads of the producer, perhaps pooled; `from`: the
/// producer's layer.
static std::string whyBlocked(LayerOp producer, const Layer &from, Value made,
                              LayerOp consumer, bool readsInPlace) {
  const Layer to = toLayer(consumer);
  // Other layers are the search's business.
  for (OpOperand &use : made.getUses()) {
    auto reader = dyn_cast<LayerOp>(use.getOwner());
    if (!reader || reader->getBlock() != producer->getBlock() ||
        reader.getMapping() || use.get() == reader.getWeights())
      return "the producer's output has other readers";
  }
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
    samePixels &= from.readExtent(axis) == to.inputExtent[axis];
  if (!samePixels)
    return "the layers count their pixels along different dims";
  if (!isReadInOrder(producer.getWorkload(), consumer.getWorkload(),
                     consumer.getWorkload().getInputLayout()))
    return "the consumer reads the producer's output transposed";
  if (to.padValue != 0 && readsInPlace &&
      !sumReadAs(to.padValue, producer.getEpilogue()))
    return "no sum of the producer is read as the padding of the consumer";
  return "";
}

/// The pooling that stands between the layer and its readers.
static std::optional<PoolMatch> poolBehind(LayerOp op) {
  Value made = op.getResult();
  for (int steps = 0; steps < 2 && made.hasOneUse(); ++steps) {
    Operation *user = *made.getUsers().begin();
    if (user->getNumResults() != 1)
      break;
    made = user->getResult(0);
    if (std::optional<PoolMatch> match = matchMaxPool(made))
      return match->layer == op ? match : std::nullopt;
  }
  return std::nullopt;
}

/// The layer that makes `value`, perhaps as the last one of a group.
static LayerOp makerOf(Value value) {
  if (auto group = value.getDefiningOp<FusionGroupOp>())
    return getLayers(group).back();
  return value.getDefiningOp<LayerOp>();
}

/// What is decided already: the groups of mapped layers, whose positions are
/// those of `index`.
static Schedule readGiven(ArrayRef<LayerOp> ops,
                          const llvm::DenseMap<Operation *, unsigned> &index) {
  Schedule given;
  for (LayerOp op : ops) {
    given.mappings.push_back(op.getMapping() ? toMapping(*op.getMapping())
                                             : Mapping());
    if (!op.getMapping())
      continue;
    SmallVector<LayerOp> members{op};
    if (auto group = op->getParentOfType<FusionGroupOp>()) {
      members = getLayers(group);
      if (op != members.front())
        continue;
    }
    given.groups.push_back(toGroup(members).group.renumbered(
        [&](unsigned member) { return index.at(members[member]); }));
  }
  return given;
}

Network fadiff::extractNetwork(FunctionOpInterface function,
                               SmallVectorImpl<LayerOp> &ops, Schedule *given) {
  Network network;
  llvm::DenseMap<Operation *, unsigned> index;
  function.walk([&](LayerOp op) {
    if (op.getMapping() && !given)
      return;
    index[op] = ops.size();
    ops.push_back(op);
    network.layers.push_back(toLayer(op));
    network.layers.back().trips = std::max<int64_t>(1, tripsOf(op).count);
  });
  if (given)
    *given = readGiven(ops, index);
  llvm::MapVector<Value, unsigned> pooled;
  for (auto [i, op] : llvm::enumerate(ops))
    if (std::optional<PoolMatch> match = poolBehind(op);
        match && !op.getMapping()) {
      pooled[match->op->getResult(0)] = unsigned(i);
      network.layers[i].pool = toMaxPool(match->pool);
    }
  TargetAttr target = lookupTarget(function);
  const bool readsInPlace =
      target && target.getAccelerator().handsOverInPlace();
  for (auto [i, op] : llvm::enumerate(ops)) {
    Value read = op.getInput();
    LayerOp producer = makerOf(read);
    if (auto it = pooled.find(read); it != pooled.end())
      producer = ops[it->second];
    auto it = producer ? index.find(producer) : index.end();
    if (it == index.end())
      continue;
    Edge &edge =
        network.edges.emplace_back(Edge{it->second, static_cast<unsigned>(i)});
    edge.mustFuse = op->hasAttr(kFuseAttrName);
    if (producer.getMapping() || op.getMapping())
      continue; // What is given has been verified.
    edge.blocked = op->hasAttr(kDontFuseAttrName)
                       ? "it is marked " + kDontFuseAttrName.str()
                       : whyBlocked(producer, network.layers[it->second], read,
                                    op, readsInPlace);
  }
  network.operands = operandsOf(ops, pooled.getArrayRef());
  // What runs elsewhere makes nothing that a group could keep on chip: a number
  // of its own, as of tensors that no layer makes.
  unsigned outside = ops.size();
  for (const Operands &own : network.operands)
    outside = std::max(
        {outside, own.input.value_or(0) + 1, own.residual.value_or(0) + 1});
  auto blockOf = [](LayerOp op) {
    auto group = op->getParentOfType<FusionGroupOp>();
    return group ? group->getBlock() : op->getBlock();
  };
  // Of what nobody here reads as an input, who else reads it is in no edge.
  auto hasOtherReaders = [&](Value made, unsigned maker) {
    return llvm::any_of(made.getUsers(),
                        [&](Operation *user) { return !index.count(user); }) &&
           llvm::none_of(network.operands, [&](const Operands &own) {
             return own.input == maker;
           });
  };
  for (auto [op, own] : llvm::zip_equal(ops, network.operands))
    if (own.residual && *own.residual < ops.size() &&
        (blockOf(ops[*own.residual]) != blockOf(op) ||
         hasOtherReaders(op.getResidual(), *own.residual)))
      own.residual = outside++;
  return network;
}

LogicalResult fadiff::refusePooled(ArrayRef<LayerOp> ops) {
  for (LayerOp op : ops)
    if (op.getEpilogue().getPool() && !op.getMapping())
      return op.emitError("layer \"")
             << op.getName()
             << "\" pools and has no mapping; wanted the pooling behind the "
                "layer, which becomes part of it where a schedule says so";
  return success();
}

/// Moves the layers of a group into a fusion group at the last one's place.
static void formGroup(ArrayRef<LayerOp> layers, const FusionGroup &positions,
                      CostAttr cost) {
  LayerOp last = layers.back();
  OpBuilder builder(last);
  const Layer layer = toLayer(last);
  const PerDim<int64_t> extents =
      GroupLoops(layer, toMapping(*last.getMapping()),
                 /*poolsOutput=*/layer.pool.has_value())
          .tile();
  SmallVector<int64_t> tile{extents[Dim::N], extents[Dim::P], extents[Dim::Q]};
  SmallVector<Location> locs;
  for (LayerOp op : layers)
    locs.push_back(op->getLoc());
  auto group = FusionGroupOp::create(
      builder, builder.getFusedLoc(locs), last.getType(), tile,
      /*keep_rows=*/false, /*keep_columns=*/false, DenseI64ArrayAttr(),
      DenseI64ArrayAttr(), /*input_turns=*/false, cost);
  setGroup(group, positions);
  Block &body = group.getBody().emplaceBlock();
  last.getResult().replaceAllUsesWith(group.getResult());
  for (LayerOp op : layers)
    op->moveBefore(&body, body.end());
  builder.setInsertionPointToEnd(&body);
  YieldOp::create(builder, last.getLoc(), last.getResult());
}

void fadiff::applySchedule(ArrayRef<LayerOp> ops, const Schedule &schedule,
                           const ScheduleCost &cost, StringRef model) {
  for (auto [group, groupCost] : llvm::zip(schedule.groups, cost.groups)) {
    // What is given stays as it is.
    if (LayerOp(ops[group.layers.front()]).getMapping())
      continue;
    SmallVector<LayerOp> members;
    for (auto [layer, memberCost] :
         llvm::zip(group.layers, groupCost.members)) {
      LayerOp op = ops[layer];
      members.push_back(op);
      op.setMappingAttr(ir::toAttr(op.getContext(), schedule.mappings[layer]));
      op.setCostAttr(toCostAttr(op.getContext(), memberCost.energy,
                                memberCost.cycles, memberCost.dramBytes,
                                model));
      op.setLoopWs(group.byLoop);
    }
    // What lies between two members becomes part of the first, and what the
    // last one's outputs pass on their way to DRAM part of that.
    for (LayerOp op : members) {
      std::optional<PoolMatch> match = poolBehind(op);
      if (!match)
        continue;
      if (op != members.back() || group.poolsOutput)
        foldMaxPool(*match);
      else
        noteOnHost(match->op, {"it could be part of the layer in front of it, "
                               "but this schedule does not pool there",
                               "", ""});
    }
    if (members.size() > 1)
      formGroup(members,
                group.renumbered([&, &layers = group.layers](unsigned layer) {
                  return unsigned(llvm::find(layers, layer) - layers.begin());
                }),
                toCostAttr(members.front().getContext(), groupCost.energy,
                           groupCost.cycles, groupCost.dramBytes, model));
  }
}

static void returnLayerToHost(LayerOp op) {
  OpBuilder builder(op);
  IRMapping mapping;
  Block &body = op.getBody().front();
  mapping.map(body.getArguments(), op->getOperands());
  for (Operation &inner : body.without_terminator())
    builder.clone(inner, mapping);
  op.getResult().replaceAllUsesWith(
      mapping.lookupOrDefault(body.getTerminator()->getOperand(0)));
  op.erase();
}

void fadiff::returnToHost(Operation *root) {
  root->walk([](LayerOp op) { returnLayerToHost(op); });
  root->walk([](FusionGroupOp group) {
    Operation *end = group.getBody().front().getTerminator();
    for (Operation &inner : llvm::make_early_inc_range(
             group.getBody().front().without_terminator()))
      inner.moveBefore(group);
    group.getResult().replaceAllUsesWith(end->getOperand(0));
    group.erase();
  });
}

void fadiff::leaveUnmappable(FunctionOpInterface function,
                             const Accelerator &machine,
                             llvm::function_ref<bool(LayerOp)> isSpared) {
  SmallVector<std::pair<LayerOp, std::string>> unmappable;
  function.walk([&](LayerOp op) {
    if (op.getMapping() || (isSpared && isSpared(op)))
      return;
    if (llvm::Error error = checkMappable(toLayer(op), machine))
      unmappable.emplace_back(op, llvm::toString(std::move(error)));
  });
  for (auto &[op, reason] : unmappable) {
    op.emitWarning("stays on the host, as no mapping fits target '")
        << machine.name << "': " << reason;
    remark::missed(op.getLoc(),
                   remark::RemarkOpts::name("OnHost").category("fadiff"))
        << "layer '" + op.getName().str() + "' stays on the host: " + reason;
    op.walk([&](linalg::LinalgOp part) {
      if (isContraction(part))
        noteOnHost(part,
                   {"no mapping fits the target", "a larger target", reason});
    });
    returnLayerToHost(op);
  }
}

/// Whether the machine's loop unit runs a layer alone, and why.
static void remarkOnLoop(LayerOp op, const Layer &layer, const Mapping &mapping,
                         bool byLoop, const Accelerator &machine) {
  llvm::Expected<LoopJudgement> judged = judgeLoop(layer, mapping, machine);
  const std::string figures =
      judged ? llvm::formatv("{0:f0} cycles predicted, {1:f0} without",
                             judged->byLoop, judged->byStreams)
             : llvm::toString(judged.takeError());
  if (byLoop)
    remark::passed(op.getLoc(),
                   remark::RemarkOpts::name("ByLoop").category("fadiff"))
        << "layer '" + layer.name + "' is run by loop_ws: " + figures;
  else
    remark::missed(op.getLoc(),
                   remark::RemarkOpts::name("NotByLoop").category("fadiff"))
        << "layer '" + layer.name + "' is not run by loop_ws: " + figures;
}

static void emitRemarks(FunctionOpInterface function, ArrayRef<LayerOp> ops,
                        const Network &network, const SearchResult &result,
                        const Accelerator &machine, LoopUnitUse use) {
  Summary summary(network, result);
  std::string line;
  llvm::raw_string_ostream os(line);
  summary.printLine(os);
  remark::analysis(function.getLoc(),
                   remark::RemarkOpts::name("Summary").category("fadiff"))
      << line;
  for (const FusionGroup &group : result.schedule.groups)
    if (group.poolsOutput)
      remark::passed(
          ops[group.layers.back()]->getLoc(),
          remark::RemarkOpts::name("StoredPooled").category("fadiff"))
          << "layer '" + network.layers[group.layers.back()].name +
                 "' stores its outputs pooled";
  for (const FusionGroup &group : result.schedule.groups)
    if (!group.isTiled() && use != LoopUnitUse::Off)
      remarkOnLoop(ops[group.layers.front()],
                   network.layers[group.layers.front()],
                   result.schedule.mappings[group.layers.front()], group.byLoop,
                   machine);
  for (const EdgeDecision &decision : result.edges) {
    const Edge &edge = network.edges[decision.edge];
    const std::string &producer = network.layers[edge.producer].name;
    const std::string &consumer = network.layers[edge.consumer].name;
    Location loc = ops[edge.consumer]->getLoc();
    if (decision.fused)
      remark::passed(loc, remark::RemarkOpts::name("Fused").category("fadiff"))
          << "layer '" + consumer + "' is fused with '" + producer +
                 "': " + summary.reasonText(decision);
    else
      remark::missed(loc,
                     remark::RemarkOpts::name("NotFused").category("fadiff"))
          << "layer '" + consumer + "' is not fused with '" + producer +
                 "': " + summary.reasonText(decision);
  }
  for (auto [index, op] : llvm::enumerate(ops))
    if (const std::string text = summary.runnerUpText(unsigned(index));
        !text.empty())
      remark::analysis(LayerOp(op).getLoc(),
                       remark::RemarkOpts::name("RunnerUp").category("fadiff"))
          << "layer '" + network.layers[index].name + "': " + text;
}

/// A remark for each layer that runs nobody knows how often.
static void reportUnknownTrips(ArrayRef<LayerOp> ops) {
  for (LayerOp op : ops) {
    const Trips trips = tripsOf(op);
    if (trips.isKnown())
      continue;
    remark::analysis(op.getLoc(),
                     remark::RemarkOpts::name("Trips").category("fadiff"))
        << "layer '" + op.getName().str() +
               "' is counted once: the trips of '" +
               trips.unknown->getName().getStringRef().str() +
               "' around it are not known";
  }
}

static SearchMonitor *monitorOf(MLIRContext *context) {
  return context->getOrLoadDialect<FadiffDialect>()
      ->getRegisteredInterface<SearchMonitor>();
}

StringRef fadiff::allowEmptyOption(MLIRContext *context) {
  SearchMonitor *monitor = monitorOf(context);
  return monitor ? monitor->allowEmptyOption() : "allow-empty";
}

llvm::Expected<SearchResult> fadiff::searchNetwork(const Network &network,
                                                   const Accelerator &machine,
                                                   DifferentiableCost model,
                                                   SearchOptions options,
                                                   MLIRContext *context) {
  std::unique_ptr<CostFunction> cost;
  auto builtIn = dyn_cast_or_null<CostModelAttr>(model);
  if (builtIn && builtIn.getModel() == "exact") {
    // The search has a faster way to differentiate these.
    options.convention = *parseName<Convention>(builtIn.getConvention());
    options.latency = *parseName<Latency>(builtIn.getLatency());
  } else if (model) {
    cost = model.getCostFunction();
    options.cost = cost.get();
    llvm::raw_string_ostream(options.costName) << model;
  }
  SearchMonitor *monitor = monitorOf(context);
  if (monitor)
    monitor->searchStarts(options);
  llvm::Expected<SearchResult> result = search(network, machine, options);
  if (monitor)
    monitor->searchEnds();
  return result;
}

/// Checks what has a mapping already, which the search keeps, and gives it the
/// cost that it has on `machine`.
static LogicalResult prepareGiven(FunctionOpInterface function,
                                  const Accelerator &machine) {
  SmallVector<Operation *> roots;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto layer = dyn_cast<LayerOp>(op);
    if (!isa<FusionGroupOp>(op) && !(layer && layer.getMapping()))
      return WalkResult::advance();
    roots.push_back(op);
    return WalkResult::skip();
  });
  // Each is judged on its own, so all that are wrong are told.
  bool legal = true;
  for (Operation *root : roots) {
    auto group = dyn_cast<FusionGroupOp>(root);
    SmallVector<LayerOp> layers =
        group ? getLayers(group) : SmallVector<LayerOp>{cast<LayerOp>(root)};
    auto free = llvm::find_if(
        layers, [](LayerOp layer) { return !layer.getMapping(); });
    if (free != layers.end()) {
      legal = false;
      free->emitError("layer \"")
          << free->getName()
          << "\" stands in a fusion group and has no mapping; wanted one on "
             "each of its layers, or no group (fadiff.fuse on a layer says "
             "that it has to share one)";
      continue;
    }
    legal &= succeeded(verifyMappings(layers, machine)) &&
             succeeded(refreshCosts(root, machine, /*addMissing=*/true));
  }
  return success(legal);
}

/// Checks the marks that say which layers share a group, as far as that is no
/// matter of the machine.
static LogicalResult checkMarks(FunctionOpInterface function,
                                ArrayRef<LayerOp> ops, const Network &network) {
  auto isMarked = [](Operation *op) {
    return op->hasAttr(kFuseAttrName) || op->hasAttr(kDontFuseAttrName);
  };
  function.walk([&](Operation *op) {
    if (isMarked(op) && !isa<LayerOp>(op) && !op->getParentOfType<LayerOp>() &&
        !isa<LoopNestOp>(op))
      op->emitWarning("a mark ")
          << kFuseAttrName << " or " << kDontFuseAttrName
          << " says nothing here; wanted it on a layer, or on the "
             "contraction that becomes one";
  });
  for (auto [index, op] : llvm::enumerate(ops)) {
    LayerOp layer = op;
    if (!isMarked(layer))
      continue;
    for (StringRef name : {kFuseAttrName, kDontFuseAttrName})
      if (Attribute mark = layer->getAttr(name); mark && !isa<UnitAttr>(mark))
        return layer.emitError("layer \"")
               << layer.getName() << "\" has " << name << " = " << mark
               << "; wanted the attribute without a value, or none";
    const bool fuse = layer->hasAttr(kFuseAttrName);
    if (fuse && layer->hasAttr(kDontFuseAttrName))
      return layer.emitError("layer \"")
             << layer.getName() << "\" is marked both " << kFuseAttrName
             << " and " << kDontFuseAttrName << "; wanted one of them";
    auto edge = llvm::find_if(network.edges, [i = index](const Edge &edge) {
      return edge.consumer == i;
    });
    if (fuse && edge == network.edges.end())
      return layer.emitError("layer \"")
             << layer.getName() << "\" is marked " << kFuseAttrName
             << ", but no layer makes its input, or something on the host "
                "stands between; wanted one to share a group with";
    auto group = layer->getParentOfType<FusionGroupOp>();
    if (!fuse && group && edge != network.edges.end() &&
        LayerOp(ops[edge->producer])->getParentOp() == group)
      return layer.emitError("layer \"")
             << layer.getName() << "\" is marked " << kDontFuseAttrName
             << ", but stands in one fusion group with \""
             << LayerOp(ops[edge->producer]).getName()
             << "\", which makes its input; take out the mark or the group";
  }
  return success();
}

/// The thin layers of `function` that can have another form, with what stands
/// against the others said in remarks.
static std::vector<ThinLayer> formsToSearch(FunctionOpInterface function,
                                            const Accelerator &machine) {
  std::vector<ThinLayer> thin;
  findThinLayers(function, machine, thin);
  llvm::erase_if(thin, [&](const ThinLayer &layer) {
    if (layer.forms.empty())
      remarkNotPacked(layer.op, machine, layer.reason);
    return layer.forms.empty();
  });
  return thin;
}

/// The objective of a layer alone, about.
static double estimateOf(const Layer &layer, const Accelerator &machine,
                         const SearchOptions &options, double coreCycles) {
  llvm::Expected<Mapping> mapping = squareTileMapping(layer, machine);
  if (!mapping) {
    llvm::consumeError(mapping.takeError());
    return std::numeric_limits<double>::infinity();
  }
  const LayerCost cost = evaluateLayer(layer, *mapping, machine);
  return objectiveValue(options.objective, cost.energy,
                        cost.cycles + coreCycles);
}

/// Searches `network`, of which `ops` are the layers, in the forms that `thin`
/// can have, and rewrites these to the best.
static llvm::Expected<SearchResult>
searchForms(ArrayRef<ThinLayer> thin, ArrayRef<LayerOp> ops, Network &network,
            const Accelerator &machine, const SearchOptions &options,
            SearchFunction search) {
  std::vector<LayerForms> choices;
  for (const ThinLayer &layer : thin) {
    auto at = llvm::find(ops, layer.op);
    assert(at != ops.end() && "a layer without mapping is in the network");
    LayerForms choice{unsigned(at - ops.begin()), {}};
    // What fits no mapping as it is would have to stay on the host.
    const Layer &asItIs = network.layers[choice.layer];
    if (!llvm::errorToBool(checkMappable(asItIs, machine)))
      choice.forms.push_back({});
    for (PackedTaps taps : layer.forms)
      choice.forms.push_back(
          {taps, coreCycles(coreWorkOf(layer.op, taps), machine)});
    for (LayerForm &form : choice.forms)
      form.estimate =
          estimateOf(form.taps ? withTapsPacked(asItIs, *form.taps) : asItIs,
                     machine, options, options.countCore ? form.coreCycles : 0);
    choices.push_back(std::move(choice));
  }
  llvm::Expected<PackingResult> result =
      searchPackings(network, choices, options, search);
  if (!result)
    return result.takeError();
  for (auto [layer, choice, chosen, values, atLeast] : llvm::zip_equal(
           thin, choices, result->chosen, result->values, result->atLeast)) {
    if (std::optional<PackedTaps> taps = choice.forms[chosen].taps) {
      packTaps(layer.op, *taps, machine);
      network = withTapsPacked(std::move(network), choice.layer, *taps);
      continue;
    }
    std::string reason;
    llvm::raw_string_ostream os(reason);
    for (auto [form, value, least] :
         llvm::zip_equal(choice.forms, values, atLeast))
      if (form.taps && (value || least))
        os << (reason.empty() ? "the predicted objective would be " : ", ")
           << (value ? "" : "at least ")
           << llvm::format("%.4g", value ? *value : *least)
           << (*form.taps == PackedTaps::Columns ? " (columns)"
                                                 : " (rows and columns)");
    if (reason.empty())
      os << "packed it would have no schedule";
    else
      os << llvm::format(", now it is %.4g", *values[chosen]);
    remarkNotPacked(layer.op, machine, reason);
  }
  return std::move(result->search);
}

static LogicalResult searchFunction(FunctionOpInterface function,
                                    const Accelerator &machine,
                                    SearchOptions options, Packing pack,
                                    std::vector<FunctionSearch> &found) {
  if (failed(prepareGiven(function, machine)))
    return failure();
  std::vector<ThinLayer> thin;
  if (pack == Packing::Auto)
    thin = formsToSearch(function, machine);
  leaveUnmappable(function, machine, [&](LayerOp op) {
    return llvm::is_contained(
        llvm::map_range(thin, [](const ThinLayer &layer) { return layer.op; }),
        op);
  });
  SmallVector<LayerOp> ops;
  Network network = extractNetwork(function, ops, &options.given);
  if (ops.empty()) {
    found.push_back({function.getName().str(), {}, {}, reportHost(function)});
    return success();
  }
  if (failed(refusePooled(ops)) || failed(checkMarks(function, ops, network)))
    return failure();
  DifferentiableCost model = ops.front().getCostModelAttr();
  for (LayerOp op : ops)
    if (op.getCostModelAttr() != model)
      return op.emitError("layer \"")
             << op.getName() << "\" has cost model " << op.getCostModelAttr()
             << "; wanted the same for all layers of the function, " << model;
  if (!model)
    model =
        CostModelAttr::get(function.getContext(), nameOf(options.convention),
                           "exact", nameOf(options.latency));
  if (options.countCore)
    options.coreCycles =
        reportHost(function).cycles(/*withPoolsOfLayers=*/false);
  auto search = [&](const Network &formed, const SearchOptions &own) {
    return searchNetwork(formed, machine, model, own, function.getContext());
  };
  llvm::Expected<SearchResult> result =
      thin.empty() ? search(network, options)
                   : searchForms(thin, ops, network, machine, options, search);
  if (!result) {
    llvm::handleAllErrors(
        result.takeError(),
        [&](const MustFuseError &error) {
          LayerOp op = ops[network.edges[error.edge].consumer];
          op.emitError() << error.text << "; take out the mark '"
                         << kFuseAttrName << "', or what stands against it";
        },
        [&](const llvm::ErrorInfoBase &error) {
          function.emitError() << error.message();
        });
    return failure();
  }
  applySchedule(ops, result->schedule, result->cost, model.getModelName());
  emitRemarks(function, ops, network, *result, machine, options.loopUnit);
  HostReport host = reportHost(function);
  reportUnknownTrips(ops);
  found.push_back({function.getName().str(), std::move(network),
                   std::move(*result), std::move(host)});
  return success();
}

LogicalResult fadiff::searchModule(ModuleOp module,
                                   const SearchOptions &options, Packing pack,
                                   bool allowEmpty,
                                   std::vector<FunctionSearch> *found) {
  FailureOr<Accelerator> machine = requireTarget(module);
  if (failed(machine))
    return failure();
  if (options.constraint)
    if (llvm::Expected<double> most = options.constraint->limitOn(*machine);
        !most)
      return emitError(module.getLoc()) << llvm::toString(most.takeError());
  auto hasLayers = [](Operation *root) {
    return root->walk([](LayerOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  };
  const bool hadLayers = hasLayers(module);
  std::vector<FunctionSearch> searches;
  SmallVector<FunctionOpInterface> functions;
  module.walk([&](FunctionOpInterface function) {
    functions.push_back(function);
    return WalkResult::skip();
  });
  // The limit is that of the module: what one function leaves is for those
  // behind.
  double secondsLeft = options.timeLimit;
  size_t toSearch = llvm::count_if(functions, hasLayers);
  for (FunctionOpInterface function : functions) {
    if (!hasLayers(function)) {
      // All on the host, or nothing to tell.
      HostReport host = reportHost(function);
      if (host.layers.empty() && !host.operations.empty())
        searches.push_back({function.getName().str(), {}, {}, std::move(host)});
      continue;
    }
    SearchOptions own = options;
    if (options.timeLimit > 0)
      own.timeLimit = std::max(1e-3, secondsLeft / double(toSearch));
    --toSearch;
    if (failed(searchFunction(function, *machine, own, pack, searches)))
      return failure();
    if (!searches.back().result.cached)
      secondsLeft -= searches.back().result.seconds;
  }
  if (found)
    *found = std::move(searches);
  if (hadLayers && !allowEmpty && !hasLayers(module))
    return emitError(module.getLoc(),
                     "nothing to schedule: wanted at least one layer "
                     "that fits target '")
           << machine->name << "', found none; choose a larger target, or pass "
           << allowEmptyOption(module.getContext())
           << " to leave all to the host";
  return success();
}

void fadiff::printSummaries(raw_ostream &os, ArrayRef<FunctionSearch> searches,
                            bool json) {
  llvm::json::Array all;
  for (const FunctionSearch &search : searches) {
    Summary summary(search.network, search.result);
    const bool isSearched = !search.network.layers.empty();
    if (!json) {
      os << (isSearched ? "search of '" : "no search of '") << search.function
         << "'\n";
      if (isSearched)
        summary.print(os);
      search.host.print(os);
      continue;
    }
    llvm::json::Object object =
        isSearched ? summary.toJson() : llvm::json::Object();
    object["function"] = search.function;
    object["host"] = search.host.toJson();
    all.push_back(std::move(object));
  }
  if (json)
    os << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(all)));
}

namespace {
struct SearchPass : public fadiff::impl::SearchPassBase<SearchPass> {
  using Base::Base;

  LogicalResult initialize(MLIRContext *context) override {
    return checkWrittenFiles(context, getArgument(),
                             {{"summary", summary}, {"cache", cache}});
  }

  void runOnOperation() override {
    llvm::Expected<SearchOptions> options = toSearchOptions(*this);
    if (!options) {
      emitError(getOperation().getLoc(), "fadiff-search: ")
          << llvm::toString(options.takeError());
      return signalPassFailure();
    }
    std::optional<SearchCache> kept;
    if (!cache.empty()) {
      kept.emplace(cache, [&](const std::string &text) {
        emitWarning(getOperation().getLoc(), "fadiff-search: ") << text;
      });
      options->cache = &*kept;
    }
    std::vector<FunctionSearch> found;
    LogicalResult searched =
        searchModule(getOperation(), *options, pack, allowEmpty, &found);
    if (kept)
      if (llvm::Error error = kept->save())
        emitWarning(getOperation().getLoc(),
                    "fadiff-search: cannot write the cache '")
            << cache << "': " << llvm::toString(std::move(error));
    if (failed(searched) || failed(writeSummary(found)))
      signalPassFailure();
  }

private:
  template <typename OptionsT>
  friend llvm::Expected<SearchOptions>
  fadiff::toSearchOptions(const OptionsT &);

  LogicalResult writeSummary(ArrayRef<FunctionSearch> found) {
    if (summary.empty())
      return success();
    const bool json = StringRef(summary).ends_with(".json");
    if (summary == "-") {
      printSummaries(llvm::errs(), found, json);
      return success();
    }
    llvm::Error error =
        writeOutput(summary, [&](llvm::raw_ostream &os) -> llvm::Error {
          printSummaries(os, found, json);
          return llvm::Error::success();
        });
    if (error)
      return emitError(getOperation().getLoc(), "fadiff-search: ")
             << llvm::toString(std::move(error));
    return success();
  }
};
} // namespace
