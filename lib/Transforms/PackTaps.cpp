//===- PackTaps.cpp - Kernel rows as channels of thin layers --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer of few input channels over windows of its input: C' = S * C, S' = 1.
// Everything after this pass sees just another layer.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/LayerMatch.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Search/Baselines.h"
#include "fadiff/Transforms/Passes.h"
#include "fadiff/Transforms/SearchModule.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/Format.h"

namespace fadiff {
#define GEN_PASS_DEF_PACKTAPSPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

/// The contraction inside a layer; null if it is not the only one.
static linalg::LinalgOp contractionOf(LayerOp op) {
  linalg::LinalgOp found;
  bool isOnly = true;
  for (auto inner : op.getBody().front().getOps<linalg::LinalgOp>()) {
    if (!isContraction(inner))
      continue;
    isOnly &= !found;
    found = inner;
  }
  return isOnly ? found : linalg::LinalgOp();
}

/// Why `op` has to stay as it is; empty if it can be packed.
static std::string whyNot(LayerOp op, Arithmetic arithmetic) {
  WorkloadAttr workload = op.getWorkload();
  Layer layer = toLayer(workload);
  if (layer.dims[Dim::G] != 1 || workload.getInputLayout().contains('G') ||
      workload.getWeightLayout().contains('G'))
    return "it has an axis of groups";
  if (layer.dilation[Axis::W] != 1)
    return "its taps are " + std::to_string(layer.dilation[Axis::W]) +
           " columns apart";
  StringRef layout = workload.getInputLayout();
  bool hasChannels = layout.contains('C');
  if (!layout.ends_with(hasChannels ? "WC" : "W"))
    return "wanted an input whose last axes are columns and channels (WC); "
           "found layout " +
           layout.str();
  if (auto producer = op.getInput().getDefiningOp<LayerOp>())
    return "its input is the output of layer '" + producer.getName().str() +
           "', with which it could then not be fused";
  linalg::LinalgOp contraction = contractionOf(op);
  std::string reason;
  if (!contraction || failed(matchLayer(contraction, arithmetic, reason)))
    return "its region is no longer what it was recognised as";
  // What else reads the operands would still want them as they were.
  llvm::SetVector<Operation *> before;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  for (unsigned i : {0u, 1u}) {
    Value read = contraction.getDpsInputOperand(i)->get();
    if (failed(getBackwardSlice(read, &before, options)))
      return "its region is not understood";
  }
  before.insert(contraction);
  for (unsigned i : {0u, 1u})
    for (Operation *user : op.getBody().getArgument(i).getUsers())
      if (!before.contains(user))
        return "its tail reads the input or the weights again";
  return "";
}

static Value constantZero(OpBuilder &builder, Location loc, Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

/// `value` with `low` and `high` zeros along `axis`.
static Value padAxis(OpBuilder &builder, Location loc, Value value,
                     unsigned axis, int64_t low, int64_t high) {
  if (low == 0 && high == 0)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] += low + high;
  SmallVector<OpFoldResult> lows(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> highs = lows;
  lows[axis] = builder.getIndexAttr(low);
  highs[axis] = builder.getIndexAttr(high);
  return tensor::PadOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), value,
      lows, highs, constantZero(builder, loc, type.getElementType()));
}

/// The input as windows; `layout` becomes theirs.
static Value windowsOf(OpBuilder &builder, Location loc, Value input,
                       const Layer &layer, std::string &layout) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (layout.back() == 'W') {
    layout += 'C';
    SmallVector<ReassociationIndices> groups;
    for (unsigned axis = 0; axis < shape.size(); ++axis)
      groups.push_back({axis});
    groups.back().push_back(shape.size());
    shape.push_back(1);
    input = tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get(shape, type.getElementType()),
        input, groups);
  }
  const int64_t taps = layer.dims[Dim::S], windows = layer.dims[Dim::Q];
  const int64_t low = layer.padLow[Axis::W];
  const int64_t high =
      std::max<int64_t>(0, layer.window(Axis::W, windows, taps) - low -
                               layer.inputExtent[Axis::W]);
  const unsigned columns = shape.size() - 2;
  input = padAxis(builder, loc, input, columns, low, high);
  shape[columns] = windows;
  shape.back() *= taps;
  return WindowsOp::create(builder, loc,
                           RankedTensorType::get(shape, type.getElementType()),
                           input, taps, layer.stride[Axis::W]);
}

/// The weights with taps and channels as one axis; `layout` becomes theirs.
static Value packWeights(OpBuilder &builder, Location loc, Value weights,
                         std::string &layout) {
  std::string wanted;
  for (char axis : StringRef("RSCK"))
    if (StringRef(layout).contains(axis))
      wanted += axis;
  auto type = cast<RankedTensorType>(weights.getType());
  if (layout != wanted) {
    SmallVector<int64_t> permutation, shape;
    for (char axis : wanted) {
      permutation.push_back(layout.find(axis));
      shape.push_back(type.getDimSize(permutation.back()));
    }
    Value init =
        tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
    weights =
        linalg::TransposeOp::create(builder, loc, weights, init, permutation)
            ->getResult(0);
    layout = wanted;
  }
  size_t taps = layout.find('S');
  if (!StringRef(layout).contains('C')) {
    layout[taps] = 'C';
    return weights;
  }
  SmallVector<ReassociationIndices> groups;
  for (size_t axis = 0; axis < layout.size(); ++axis)
    if (axis == taps + 1)
      groups.back().push_back(axis);
    else
      groups.push_back({static_cast<int64_t>(axis)});
  layout.erase(taps, 1);
  return tensor::CollapseShapeOp::create(builder, loc, weights, groups);
}

/// The contraction of windows and packed weights that adds to `init`, scalar by
/// scalar as the region `scalars` says.
static Value contract(OpBuilder &builder, Location loc, Value input,
                      Value weights, Value init, Region &scalars,
                      const Layer &layer, StringRef inputLayout,
                      StringRef weightLayout, StringRef outputLayout) {
  MLIRContext *context = builder.getContext();
  std::string loops = outputLayout.str();
  SmallVector<utils::IteratorType> iterators(loops.size(),
                                             utils::IteratorType::parallel);
  for (char axis : weightLayout)
    if (axis != 'K') {
      loops += axis;
      iterators.push_back(utils::IteratorType::reduction);
    }
  auto loop = [&](char axis) -> AffineExpr {
    size_t position = loops.find(axis);
    return position == std::string::npos ? getAffineConstantExpr(0, context)
                                         : getAffineDimExpr(position, context);
  };
  auto map = [&](StringRef layout) {
    SmallVector<AffineExpr> results;
    for (char axis : layout)
      results.push_back(axis == 'H'   ? loop('P') * layer.stride[Axis::H] +
                                            loop('R') * layer.dilation[Axis::H]
                        : axis == 'W' ? loop('Q')
                                      : loop(axis));
    return AffineMap::get(loops.size(), 0, results, context);
  };
  auto sum = linalg::GenericOp::create(
      builder, loc, init.getType(), ValueRange{input, weights},
      ValueRange{init},
      ArrayRef<AffineMap>{map(inputLayout), map(weightLayout),
                          map(outputLayout)},
      iterators);
  builder.cloneRegionBefore(scalars, sum.getRegion(), sum.getRegion().end());
  return sum.getResult(0);
}

/// Rewrites `op`, for which whyNot() is empty.
static void pack(LayerOp op, Arithmetic arithmetic) {
  Location loc = op.getLoc();
  WorkloadAttr workload = op.getWorkload();
  const Layer layer = toLayer(workload), narrow = withTapsPacked(layer);
  std::string inputLayout = workload.getInputLayout().str();
  std::string weightLayout = workload.getWeightLayout().str();
  OpBuilder builder(op);
  Value windows = windowsOf(builder, loc, op.getInput(), layer, inputLayout);
  Value weights = packWeights(builder, loc, op.getWeights(), weightLayout);

  linalg::LinalgOp contraction = contractionOf(op);
  std::string reason;
  FailureOr<LayerMatch> match = matchLayer(contraction, arithmetic, reason);
  std::string outputLayout = match->output.layout;
  Block &body = op.getBody().front();
  Value image = body.insertArgument(0u, windows.getType(), windows.getLoc());
  Value taps = body.insertArgument(1u, weights.getType(), weights.getLoc());
  builder.setInsertionPoint(contraction);
  if (size_t rows = inputLayout.find('H'); rows != std::string::npos) {
    int64_t low = layer.padLow[Axis::H];
    int64_t high =
        layer.window(Axis::H, layer.dims[Dim::P], layer.dims[Dim::R]) - low -
        layer.inputExtent[Axis::H];
    image = padAxis(builder, loc, image, rows, low, std::max<int64_t>(0, high));
  }
  Value sum = contract(builder, contraction->getLoc(), image, taps,
                       contraction.getDpsInitOperand(0)->get(),
                       contraction->getRegion(0), layer, inputLayout,
                       weightLayout, outputLayout);
  contraction->getResult(0).replaceAllUsesWith(sum);
  for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&inner))
      inner.erase();
  body.eraseArguments(2, 2);

  op.getInputMutable().assign(windows);
  op.getWeightsMutable().assign(weights);
  SmallVector<int64_t> dims;
  for (Dim dim : kAllDims)
    dims.push_back(narrow.dims[dim]);
  auto pair = [](const PerAxis<int64_t> &values) {
    return SmallVector<int64_t>{values[Axis::H], values[Axis::W]};
  };
  op.setWorkloadAttr(WorkloadAttr::get(
      op.getContext(), dims, pair(narrow.stride), pair(narrow.dilation),
      pair(narrow.padLow), pair(narrow.inputExtent), inputLayout, weightLayout,
      workload.getOutputLayout()));
}

namespace {
struct PackTapsPass : public fadiff::impl::PackTapsPassBase<PackTapsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (pack != "auto" && pack != "on" && pack != "off") {
      getOperation().emitError(
          "fadiff-pack-taps: pack must be auto, on or off; "
          "found '")
          << pack << "'";
      return signalPassFailure();
    }
    std::optional<Objective> minimised = parseObjective(objective);
    if (!minimised) {
      getOperation().emitError(
          "fadiff-pack-taps: objective must be edp, energy "
          "or latency; found '")
          << objective << "'";
      return signalPassFailure();
    }
    if (pack == "off")
      return;
    SmallVector<LayerOp> layers;
    getOperation().walk([&](LayerOp op) {
      if (!op.getMapping())
        layers.push_back(op);
    });
    if (layers.empty())
      return;
    FailureOr<Accelerator> machine = requireTarget(getOperation());
    if (failed(machine))
      return signalPassFailure();
    SearchOptions options;
    options.objective = *minimised;
    options.seed = seed;
    // One descent: layers as thin as these are finished by enumeration.
    options.starts = 1;
    for (LayerOp op : layers)
      if (isThin(toLayer(op), machine->side))
        if (failed(decide(op, *machine, options)))
          return signalPassFailure();
  }

private:
  LogicalResult decide(LayerOp op, const Accelerator &machine,
                       const SearchOptions &options) {
    std::string name = op.getName().str(),
                reason = whyNot(op, machine.arithmetic);
    const Layer layer = toLayer(op), candidate = withTapsPacked(layer);
    if (reason.empty())
      if (llvm::Error error = checkMappable(candidate, machine))
        reason = "packed it would fit no mapping: " +
                 llvm::toString(std::move(error));
    // What fits no mapping as it is would have to stay on the host.
    bool isMappable = !llvm::errorToBool(checkMappable(layer, machine));
    if (reason.empty() && pack == "auto" && isMappable) {
      FailureOr<double> before = predict(op, layer, machine, options);
      FailureOr<double> after = predict(op, candidate, machine, options);
      if (failed(before) || failed(after))
        return failure();
      if (*after >= *before)
        llvm::raw_string_ostream(reason)
            << "its predicted objective would be "
            << llvm::format("%.4g, now it is %.4g", *after, *before);
    }
    if (!reason.empty()) {
      remark::missed(op.getLoc(),
                     remark::RemarkOpts::name("NotPacked").category("fadiff"))
          << "layer '" + name + "' keeps its " +
                 std::to_string(layer.dims[Dim::C]) + " of " +
                 std::to_string(machine.side) + " array rows: " + reason;
      return success();
    }
    ::pack(op, machine.arithmetic);
    remark::passed(op.getLoc(),
                   remark::RemarkOpts::name("Packed").category("fadiff"))
        << "layer '" + name + "' reads kernel rows of " +
               std::to_string(layer.dims[Dim::S]) + " columns as " +
               std::to_string(candidate.dims[Dim::C]) + " channels";
    return success();
  }

  /// What a search finds for `layer` alone under the cost model of `op`.
  static FailureOr<double> predict(LayerOp op, const Layer &layer,
                                   const Accelerator &machine,
                                   const SearchOptions &options) {
    Network network;
    network.layers.push_back(layer);
    llvm::Expected<SearchResult> result =
        searchNetwork(network, machine, op.getCostModelAttr(), options);
    if (!result) {
      op.emitError() << llvm::toString(result.takeError());
      return failure();
    }
    return result->value();
  }
};
} // namespace
