//===- PackTaps.cpp - Kernel taps as channels of thin layers --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A layer of few input channels over windows of its input: C' = S * C, S' = 1,
// or C' = S * R * C, R' = S' = 1. Everything after this pass sees just another
// layer.
//
//===----------------------------------------------------------------------===//

#include "PackTaps.h"

#include "fadiff/Analysis/HostReport.h"
#include "fadiff/Analysis/LayerMatch.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Search/Baselines.h"
#include "fadiff/Transforms/Passes.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

#include <numeric>
#include <optional>

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
  if (layer.dims[Dim::S] > 1 && layer.dilation[Axis::W] != 1)
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

/// Padding that `layer` reads behind the stored rows or columns.
static int64_t padHigh(const Layer &layer, Axis axis) {
  int64_t window = layer.window(axis, layer.dims[outputDim(axis)],
                                layer.dims[kernelDim(axis)]);
  return std::max<int64_t>(0, window - layer.padLow[axis] -
                                  layer.inputExtent[axis]);
}

namespace {
/// Columns of an image as windows read it: the padding in front, all, and the
/// one with which the first window begins.
struct PaddedColumns {
  int64_t low, all, first = 0;
};
} // namespace

/// Padding of bytes is as wide as it takes for lines of pixels to begin and end
/// at words, where the image's own do: the core then copies words.
static PaddedColumns paddedColumns(const Layer &layer, PackedTaps packed) {
  const int64_t own = layer.inputExtent[Axis::W];
  PaddedColumns columns{layer.padLow[Axis::W], 0};
  columns.all = columns.low + own + padHigh(layer, Axis::W);
  const int64_t channels = layer.dims[Dim::C];
  if (columns.all == own || packed == PackedTaps::RowsAndColumns ||
      layer.elementBytes != 1 || own * channels % kCoreWordBytes)
    return columns;
  const int64_t step = kCoreWordBytes / std::gcd(channels, kCoreWordBytes);
  columns.first = llvm::alignTo(columns.low, step) - columns.low;
  columns.low += columns.first;
  columns.all = llvm::alignTo(columns.all + columns.first, step);
  return columns;
}

/// Says of what lays tensors out for packed taps why the host does that.
static Value noteLayout(Operation *op) {
  noteOnHost(op, {"it lays out a tensor for a layer that has kernel taps as "
                  "channels",
                  "pack=off, at the price of a thin layer", ""});
  return op->getResult(0);
}

/// `image` with the padding that `layer` reads around it along `axes`; of
/// `columns`, if they are said.
static Value padImage(OpBuilder &builder, Location loc, Value image,
                      const Layer &layer, StringRef layout, ArrayRef<Axis> axes,
                      std::optional<PaddedColumns> columns = std::nullopt) {
  auto type = cast<RankedTensorType>(image.getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> lows(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> highs = lows;
  for (Axis axis : axes) {
    size_t at = layout.find(axis == Axis::H ? 'H' : 'W');
    if (at == StringRef::npos)
      continue;
    int64_t low = layer.padLow[axis], high = padHigh(layer, axis);
    if (axis == Axis::W && columns) {
      low = columns->low;
      high = columns->all - low - shape[at];
    }
    shape[at] += low + high;
    lows[at] = builder.getIndexAttr(low);
    highs[at] = builder.getIndexAttr(high);
  }
  if (shape == type.getShape())
    return image;
  Type element = type.getElementType();
  Value padding =
      layer.padValue == 0
          ? constantZero(builder, loc, element)
          : arith::ConstantOp::create(
                builder, loc, builder.getIntegerAttr(element, layer.padValue))
                .getResult();
  return noteLayout(tensor::PadOp::create(builder, loc,
                                          RankedTensorType::get(shape, element),
                                          image, lows, highs, padding));
}

/// A copy of `image`, padded, that has for each output row p the kernel rows
/// that it reads, pixel by pixel: result[..., p, w, r * C + c] is image[..., p
/// * stride + r * dilation, w, c].
static Value interleaveRows(OpBuilder &builder, Location loc, Value image,
                            const Layer &layer, StringRef layout) {
  auto type = cast<RankedTensorType>(image.getType());
  const int64_t rank = type.getRank(), rows = layout.find('H');
  MLIRContext *context = builder.getContext();
  // The axis of kernel rows stands in front of the channels.
  SmallVector<int64_t> shape(type.getShape());
  shape[rows] = layer.dims[Dim::P];
  shape.insert(shape.end() - 1, layer.dims[Dim::R]);
  SmallVector<AffineExpr> read;
  for (int64_t axis = 0; axis < rank - 1; ++axis)
    read.push_back(getAffineDimExpr(axis, context));
  read.push_back(getAffineDimExpr(rank, context));
  read[rows] = read[rows] * layer.stride[Axis::H] +
               getAffineDimExpr(rank - 1, context) * layer.dilation[Axis::H];
  Value init =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  auto copy = linalg::GenericOp::create(
      builder, loc, init.getType(), image, init,
      ArrayRef<AffineMap>{AffineMap::get(rank + 1, 0, read, context),
                          AffineMap::getMultiDimIdentityMap(rank + 1, context)},
      SmallVector<utils::IteratorType>(rank + 1, utils::IteratorType::parallel),
      [](OpBuilder &b, Location l, ValueRange scalars) {
        linalg::YieldOp::create(b, l, scalars[0]);
      });
  SmallVector<ReassociationIndices> groups;
  for (int64_t axis = 0; axis < rank; ++axis)
    groups.push_back({axis});
  groups.back().push_back(rank);
  return tensor::CollapseShapeOp::create(builder, loc, noteLayout(copy),
                                         groups);
}

/// The input as windows; `layout` becomes theirs.
static Value windowsOf(OpBuilder &builder, Location loc, Value input,
                       const Layer &layer, PackedTaps packed,
                       std::string &layout) {
  auto type = cast<RankedTensorType>(input.getType());
  const PaddedColumns columns = paddedColumns(layer, packed);
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
  if (packed == PackedTaps::RowsAndColumns) {
    input = padImage(builder, loc, input, layer, layout, {Axis::H, Axis::W});
    input = interleaveRows(builder, loc, input, layer, layout);
  } else {
    input = padImage(builder, loc, input, layer, layout, {Axis::W}, columns);
  }
  const int64_t taps = layer.dims[Dim::S];
  shape.assign(cast<RankedTensorType>(input.getType()).getShape());
  shape[shape.size() - 2] = layer.dims[Dim::Q];
  shape.back() *= taps;
  return WindowsOp::create(builder, loc,
                           RankedTensorType::get(shape, type.getElementType()),
                           input, columns.first, taps, layer.stride[Axis::W]);
}

/// The order of the weights' axes in which the windows have them.
static std::string packedOrder(StringRef layout, PackedTaps packed) {
  std::string order = packed == PackedTaps::RowsAndColumns ? "SRCK" : "RSCK";
  llvm::erase_if(order, [&](char axis) { return !layout.contains(axis); });
  return order;
}

/// The weights with taps and channels as one axis; `layout` becomes theirs.
static Value packWeights(OpBuilder &builder, Location loc, Value weights,
                         PackedTaps packed, std::string &layout) {
  const StringRef merged = packed == PackedTaps::RowsAndColumns ? "SRC" : "SC";
  const std::string wanted = packedOrder(layout, packed);
  auto type = cast<RankedTensorType>(weights.getType());
  if (layout != wanted) {
    SmallVector<int64_t> permutation, shape;
    for (char axis : wanted) {
      permutation.push_back(layout.find(axis));
      shape.push_back(type.getDimSize(permutation.back()));
    }
    Value init =
        tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
    auto turned =
        linalg::TransposeOp::create(builder, loc, weights, init, permutation);
    turned->setAttr(kOfWeightsAttrName, builder.getUnitAttr());
    weights = noteLayout(turned);
    layout = wanted;
  }
  SmallVector<ReassociationIndices> groups;
  std::string collapsed;
  for (auto [axis, name] : llvm::enumerate(layout)) {
    const bool isMerged = merged.contains(name);
    if (isMerged && !collapsed.empty() && collapsed.back() == 'C') {
      groups.back().push_back(axis);
      continue;
    }
    groups.push_back({static_cast<int64_t>(axis)});
    collapsed += isMerged ? 'C' : name;
  }
  const bool isSameShape = collapsed.size() == layout.size();
  layout = collapsed;
  if (isSameShape)
    return weights;
  return tensor::CollapseShapeOp::create(builder, loc, weights, groups);
}

/// The contraction of windows and packed weights that adds to `init`, scalar by
/// scalar as the region `scalars` says; `layer` is the packed one.
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
static void rewrite(LayerOp op, PackedTaps packed, Arithmetic arithmetic) {
  Location loc = op.getLoc();
  WorkloadAttr workload = op.getWorkload();
  const Layer layer = toLayer(workload), narrow = withTapsPacked(layer, packed);
  std::string inputLayout = workload.getInputLayout().str();
  std::string weightLayout = workload.getWeightLayout().str();
  OpBuilder builder(op);
  Value windows =
      windowsOf(builder, loc, op.getInput(), layer, packed, inputLayout);
  Value weights =
      packWeights(builder, loc, op.getWeights(), packed, weightLayout);

  linalg::LinalgOp contraction = contractionOf(op);
  std::string reason;
  FailureOr<LayerMatch> match = matchLayer(contraction, arithmetic, reason);
  std::string outputLayout = match->output.layout;
  Block &body = op.getBody().front();
  Value image = body.insertArgument(0u, windows.getType(), windows.getLoc());
  Value taps = body.insertArgument(1u, weights.getType(), weights.getLoc());
  builder.setInsertionPoint(contraction);
  image = padImage(builder, loc, image, narrow, inputLayout, {Axis::H});
  Value sum = contract(builder, contraction->getLoc(), image, taps,
                       contraction.getDpsInitOperand(0)->get(),
                       contraction->getRegion(0), narrow, inputLayout,
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
      pair(narrow.padLow), pair(narrow.inputExtent), narrow.padValue,
      inputLayout, weightLayout, workload.getOutputLayout()));
}

/// What the machine's DRAM bytes do not have, for remarks: of the image with
/// rows interleaved.
static int64_t bytesWritten(const Layer &layer) {
  int64_t columns = layer.inputExtent[Axis::W] + layer.padLow[Axis::W] +
                    padHigh(layer, Axis::W);
  return layer.dims[Dim::N] * layer.dims[Dim::P] * columns *
         layer.dims[Dim::R] * layer.dims[Dim::C] * layer.elementBytes;
}

CoreWork fadiff::coreWorkOf(LayerOp op, PackedTaps packed) {
  const Layer layer = toLayer(op);
  const bool allTaps = packed == PackedTaps::RowsAndColumns;
  const int64_t images = layer.dims[Dim::N], own = layer.inputExtent[Axis::W];
  const int64_t height = layer.inputExtent[Axis::H];
  const int64_t above = allTaps ? layer.padLow[Axis::H] : 0;
  const int64_t rows = height + above + (allTaps ? padHigh(layer, Axis::H) : 0);
  const int64_t channels = layer.dims[Dim::C];
  const PaddedColumns columns = paddedColumns(layer, packed);
  CoreWork work;
  if (rows > height || columns.all > own)
    work.moved +=
        movesOf(images * rows * columns.all * channels, layer.elementBytes,
                {images, height, own, channels}, {0, above, columns.low, 0},
                {images, rows, columns.all, channels});
  if (allTaps)
    work.moved += images * layer.dims[Dim::P] * columns.all *
                  layer.dims[Dim::R] * channels;
  return work;
}

void fadiff::findThinLayers(Operation *root, const Accelerator &machine,
                            std::vector<ThinLayer> &thin) {
  root->walk([&](LayerOp op) {
    // Windows are what another run left.
    if (op.getMapping() || op.getInput().getDefiningOp<WindowsOp>())
      return;
    const Layer layer = toLayer(op);
    const std::vector<PackedTaps> useful = usefulPackings(layer, machine.side);
    if (useful.empty())
      return;
    ThinLayer found{op, {}, whyNot(op, machine.arithmetic)};
    if (found.reason.empty())
      for (PackedTaps packed : useful) {
        if (llvm::Error error =
                checkMappable(withTapsPacked(layer, packed), machine))
          found.reason = "packed it would fit no mapping: " +
                         llvm::toString(std::move(error));
        else
          found.forms.push_back(packed);
      }
    thin.push_back(std::move(found));
  });
}

void fadiff::packTaps(LayerOp op, PackedTaps packed,
                      const Accelerator &machine) {
  const Layer layer = toLayer(op);
  const std::string name = op.getName().str();
  rewrite(op, packed, machine.arithmetic);
  std::string taps = " rows of ", copied;
  if (packed == PackedTaps::RowsAndColumns) {
    taps = "s of " + std::to_string(layer.dims[Dim::R]) + " rows and ";
    copied = "; the host writes " + std::to_string(bytesWritten(layer)) +
             " bytes of interleaved image rows";
  }
  remark::passed(op.getLoc(),
                 remark::RemarkOpts::name("Packed").category("fadiff"))
      << "layer '" + name + "' reads kernel" + taps +
             std::to_string(layer.dims[Dim::S]) + " columns as " +
             std::to_string(withTapsPacked(layer, packed).dims[Dim::C]) +
             " channels" + copied;
}

void fadiff::remarkNotPacked(LayerOp op, const Accelerator &machine,
                             StringRef reason) {
  remark::missed(op.getLoc(),
                 remark::RemarkOpts::name("NotPacked").category("fadiff"))
      << "layer '" + op.getName().str() + "' keeps its " +
             std::to_string(toLayer(op).dims[Dim::C]) + " of " +
             std::to_string(machine.side) + " array rows: " + reason.str();
}

namespace {
struct PackTapsPass : public fadiff::impl::PackTapsPassBase<PackTapsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (pack == Packing::Off || pack == Packing::Auto)
      return;
    auto hasLayers = getOperation().walk([](LayerOp op) {
      return op.getMapping() ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (!hasLayers.wasInterrupted())
      return;
    FailureOr<Accelerator> machine = requireTarget(getOperation());
    if (failed(machine))
      return signalPassFailure();
    std::vector<ThinLayer> thin;
    findThinLayers(getOperation(), *machine, thin);
    for (ThinLayer &layer : thin) {
      if (pack == Packing::Columns)
        llvm::erase(layer.forms, PackedTaps::RowsAndColumns);
      if (layer.forms.empty())
        remarkNotPacked(layer.op, *machine, layer.reason);
      else
        packTaps(layer.op, layer.forms.back(), *machine);
    }
  }
};
} // namespace
