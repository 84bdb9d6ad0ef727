//===- FadiffOps.cpp - Operations of the fadiff dialect -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Hardware/Fields.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

//===----------------------------------------------------------------------===//
// Shapes of a workload's operands
//===----------------------------------------------------------------------===//

static int64_t extentOf(WorkloadAttr workload, char axis) {
  if (axis == 'H')
    return workload.getInput()[0];
  if (axis == 'W')
    return workload.getInput()[1];
  return workload
      .getDims()[static_cast<size_t>(*parseDim(std::string_view(&axis, 1)))];
}

static SmallVector<int64_t> shapeOf(WorkloadAttr workload, StringRef layout) {
  SmallVector<int64_t> shape;
  for (char axis : layout)
    shape.push_back(extentOf(workload, axis));
  return shape;
}

/// Checks that `type` is a tensor of `shape` and `element`.
static LogicalResult verifyOperand(Operation *op, StringRef what, Type type,
                                   ArrayRef<int64_t> shape, Type element) {
  auto shaped = cast<ShapedType>(type);
  if (shaped.getShape() == shape && shaped.getElementType() == element)
    return success();
  auto diag = op->emitOpError(what) << " must be ";
  for (int64_t extent : shape)
    diag << extent << 'x';
  // As a string: on their own, types print in quotes.
  return diag << llvm::to_string(element) << " as the workload says; found "
              << type;
}

//===----------------------------------------------------------------------===//
// LayerOp
//===----------------------------------------------------------------------===//

bool fadiff::ir::isPoolable(const Layer &layer, const MaxPool &pool,
                            bool isAboveZeroSum) {
  for (Axis axis : kAllAxes) {
    const int64_t extent = layer.dims[outputDim(axis)];
    const int64_t last = (pool.outputs[axis] - 1) * pool.stride;
    if (last - pool.padLow[axis] >= extent)
      return false;
    // Padding is read as a sum of zero.
    if (!isAboveZeroSum && (pool.padLow[axis] > 0 || last + pool.size > extent))
      return false;
  }
  return true;
}

/// Makes the extents P and Q of `shape` those of the pooled outputs, if the
/// epilogue pools them.
static LogicalResult applyPool(Operation *op, WorkloadAttr workload,
                               EpilogueAttr epilogue,
                               SmallVectorImpl<int64_t> &shape) {
  if (!epilogue.getPool())
    return success();
  const MaxPool pool = toMaxPool(epilogue.getPool());
  StringRef layout = workload.getOutputLayout();
  for (Axis axis : kAllAxes) {
    size_t position = layout.find(axis == Axis::H ? 'P' : 'Q');
    if (position == StringRef::npos)
      return op->emitOpError("pools outputs without the axes P and Q; found "
                             "layout ")
             << layout;
    shape[position] = pool.outputs[axis];
  }
  if (!isPoolable(toLayer(workload), pool, epilogue.isAboveZeroSum()))
    return op->emitOpError(kPoolWanted);
  return success();
}

/// Scales for all channels, and a read-out that the target's machine has.
static LogicalResult verifyReadOut(Operation *op, WorkloadAttr workload,
                                   EpilogueAttr epilogue) {
  const ReadOutFeatures wanted = epilogue.getFeatures();
  if (!wanted.any())
    return success();
  if (DenseFPElementsAttr scales = epilogue.getChannelScales()) {
    const int64_t channels = extentOf(workload, 'K') * extentOf(workload, 'G');
    if (scales.getNumElements() != channels)
      return op->emitOpError("wants a scale for each of its ")
             << channels << " output channels; found "
             << scales.getNumElements();
  }
  TargetAttr target = lookupTarget(op);
  if (!target)
    return success();
  const Accelerator machine = target.getAccelerator();
  if (machine.readOut.includes(wanted))
    return success();
  const SmallVector<StringRef, 3> has = namesOf(machine.readOut);
  return op->emitOpError("wants a read-out with ")
         << llvm::join(namesOf(wanted), ", ") << "; that of target '"
         << machine.name << "' has "
         << (has.empty() ? "none of it" : llvm::join(has, ", "))
         << "; form layers for this target, or choose one that has it";
}

LogicalResult LayerOp::verify() {
  WorkloadAttr workload = getWorkload();
  if (failed(verifyReadOut(*this, workload, getEpilogue())))
    return failure();
  // All of a layer is f32, or int8 with int32 sums.
  Builder builder(getContext());
  const bool real = getInput().getType().getElementType().isF32();
  Type element = real ? Type(builder.getF32Type()) : builder.getI8Type();
  Type sum = real ? Type(builder.getF32Type()) : builder.getI32Type();
  if (failed(verifyOperand(*this, "input", getInput().getType(),
                           shapeOf(workload, workload.getInputLayout()),
                           element)) ||
      failed(verifyOperand(*this, "weights", getWeights().getType(),
                           shapeOf(workload, workload.getWeightLayout()),
                           element)))
    return failure();
  if (getBias() &&
      failed(verifyOperand(*this, "bias", getBias().getType(),
                           {extentOf(workload, 'K') * extentOf(workload, 'G')},
                           sum)))
    return failure();
  // As another layer has read it out, or as sums.
  const bool isReadOut =
      getResidual() && getResidual().getType().getElementType() == element;
  if (getResidual() &&
      failed(verifyOperand(*this, "residual", getResidual().getType(),
                           shapeOf(workload, workload.getOutputLayout()),
                           isReadOut ? element : sum)))
    return failure();
  if (getEpilogue().getResidualScale() && (real || !isReadOut))
    return emitOpError("scales its residual; wanted one of int8, found ")
           << (getResidual() ? Type(getResidual().getType())
                             : Type(builder.getNoneType()));
  SmallVector<int64_t> result = shapeOf(workload, workload.getOutputLayout());
  if (failed(applyPool(*this, workload, getEpilogue(), result)))
    return failure();
  if (failed(verifyOperand(*this, "result", getType(), result,
                           getEpilogue().getScale() ? element : sum)))
    return failure();
  Block &block = getBody().front();
  if (block.getArgumentTypes() != TypeRange(getOperandTypes()))
    return emitOpError("region arguments must have the operands' types");
  auto yield = cast<YieldOp>(block.getTerminator());
  if (yield.getValues().size() != 1 ||
      yield.getValues().front().getType() != getType())
    return emitOpError("region must yield one value of type ") << getType();
  return success();
}

//===----------------------------------------------------------------------===//
// FusionGroupOp
//===----------------------------------------------------------------------===//

static ParseResult parseGroupTile(OpAsmParser &parser,
                                  DenseI64ArrayAttr &tile) {
  int64_t n, p, q;
  if (parser.parseLSquare() || parser.parseKeyword("N") ||
      parser.parseEqual() || parser.parseInteger(n) || parser.parseComma() ||
      parser.parseKeyword("P") || parser.parseEqual() ||
      parser.parseInteger(p) || parser.parseComma() ||
      parser.parseKeyword("Q") || parser.parseEqual() ||
      parser.parseInteger(q) || parser.parseRSquare())
    return failure();
  tile = parser.getBuilder().getDenseI64ArrayAttr({n, p, q});
  return success();
}

static void printGroupTile(OpAsmPrinter &printer, Operation *,
                           DenseI64ArrayAttr tile) {
  printer << "[N = " << tile[0] << ", P = " << tile[1] << ", Q = " << tile[2]
          << ']';
}

SmallVector<LayerOp> fadiff::ir::getLayers(FusionGroupOp group) {
  return llvm::to_vector(group.getBody().front().getOps<LayerOp>());
}

LogicalResult FusionGroupOp::verify() {
  if (getTile().size() != 3 ||
      llvm::any_of(getTile(), [](int64_t extent) { return extent < 1; }))
    return emitOpError("tile must be three positive extents N, P, Q");
  SmallVector<LayerOp> layers = getLayers(*this);
  if (layers.size() < 2)
    return emitOpError("must hold at least two layers; found ")
           << layers.size();
  if (llvm::range_size(getBody().front().without_terminator()) != layers.size())
    return emitOpError("may hold only fadiff.layer ops");
  llvm::SmallPtrSet<Value, 8> known{layers.front().getInput(),
                                    layers.front().getResult()};
  for (LayerOp layer : llvm::drop_begin(layers)) {
    if (!known.contains(layer.getInput()))
      return emitOpError("must be a chain: layer \"")
             << layer.getName()
             << "\" reads nothing that a layer before it makes or reads";
    known.insert(layer.getResult());
  }
  for (LayerOp layer : llvm::drop_end(layers)) {
    auto isInside = [&](OpOperand &use) {
      auto reader = dyn_cast<LayerOp>(use.getOwner());
      return reader && reader->getBlock() == layer->getBlock() &&
             use.get() != reader.getWeights();
    };
    if (layer.getResult().use_empty() ||
        !llvm::all_of(layer.getResult().getUses(), isInside))
      return emitOpError("must be a chain: what layer \"")
             << layer.getName()
             << "\" makes must be read by others of its layers, as input or "
                "residual, and by nothing else";
  }
  if (getKeepRows() && getKeepColumns())
    return emitOpError("keeps either rows or columns; found both");
  int64_t least = 0;
  for (int64_t position : getLiveSkips().value_or(ArrayRef<int64_t>())) {
    if (position < least || position >= int64_t(layers.size()))
      return emitOpError("live_skips must be ascending positions of its ")
             << layers.size() << " layers; found " << position;
    if (!layers[position].getResidual())
      return emitOpError("live_skips names layer \"")
             << layers[position].getName() << "\", which has no residual";
    least = position + 1;
  }
  ArrayRef<int64_t> slices = getInputSlices().value_or(ArrayRef<int64_t>());
  if (!slices.empty() && slices.size() != layers.size())
    return emitOpError("input_slices must be one number of channels for each "
                       "of its ")
           << layers.size() << " layers, 0 for a whole input; found "
           << slices.size();
  for (auto [layer, channels] : llvm::zip(layers, slices))
    if (channels < 0)
      return emitOpError("input_slices must not be negative; found ")
             << channels << " for layer \"" << LayerOp(layer).getName() << '"';
  auto yield = cast<YieldOp>(getBody().front().getTerminator());
  if (yield.getValues().size() != 1 ||
      yield.getValues().front() != layers.back().getResult() ||
      getType() != layers.back().getType())
    return emitOpError("must yield the result of its last layer");
  return success();
}

//===----------------------------------------------------------------------===//
// WindowsOp
//===----------------------------------------------------------------------===//

LogicalResult WindowsOp::verify() {
  auto from = cast<RankedTensorType>(getSource().getType());
  auto to = cast<RankedTensorType>(getType());
  int64_t taps = getTaps(), stride = getStride();
  if (taps < 1 || stride < 1)
    return emitOpError("taps and stride must be at least 1; found ")
           << taps << " and " << stride;
  const int64_t rank = from.getRank();
  if (rank < 2 || !from.hasStaticShape() || !to.hasStaticShape())
    return emitOpError(
               "wants tensors of static shape with columns and channels "
               "last; found ")
           << from << " and " << to;
  const int64_t first = getFrom();
  int64_t columns = from.getDimSize(rank - 2);
  if (first < 0 || first >= columns)
    return emitOpError("must begin at one of the source's ")
           << columns << " columns; found " << first;
  columns -= first;
  if (taps > columns)
    return emitOpError("windows of ")
           << taps << " columns do not fit into the source, which has "
           << columns;
  // Divided rather than multiplied: any of these may be huge.
  int64_t most = (columns - taps) / stride + 1;
  int64_t channels = from.getDimSize(rank - 1), wide;
  SmallVector<int64_t> shape(from.getShape());
  if (to.getRank() != rank || llvm::MulOverflow(channels, taps, wide))
    return emitOpError("result must have the source's rank and taps times its "
                       "channels; found ")
           << to << " from " << from;
  shape[rank - 2] = to.getDimSize(rank - 2);
  shape[rank - 1] = wide;
  auto wanted = RankedTensorType::get(shape, from.getElementType());
  if (to != wanted)
    return emitOpError("result must be ")
           << wanted << ", every window " << taps << " columns of " << channels
           << " channels; found " << to;
  if (shape[rank - 2] > most)
    return emitOpError("result has ")
           << shape[rank - 2] << " windows; the source's " << columns
           << " columns hold " << most << " of " << taps << " with stride "
           << stride;
  return success();
}

OpFoldResult WindowsOp::fold(FoldAdaptor) {
  return getSource().getType() == getType() && getFrom() == 0 &&
                 getTaps() == 1 && getStride() == 1
             ? OpFoldResult(getSource())
             : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// LoopNestOp
//===----------------------------------------------------------------------===//

/// Rows are kept for the next tile along P: the loops around the stages say
/// which that is.
static LogicalResult verifyKeptRows(LoopNestOp nest) {
  std::vector<Layer> layers;
  int64_t step = 1;
  WalkResult walked = nest.walk([&](StageOp stage) {
    WalkResult computes =
        stage.walk([](ComputeOp) { return WalkResult::interrupt(); });
    if (!computes.wasInterrupted())
      return WalkResult::skip();
    layers.push_back(toLayer(stage));
    // One that makes slices stands in the stage that reads them.
    if (stage->getParentOfType<StageOp>())
      return WalkResult::advance();
    unsigned rowLoops = 0;
    for (auto loop = dyn_cast<ForOp>(stage->getParentOp()); loop;
         loop = dyn_cast<ForOp>(loop->getParentOp()))
      rowLoops += loop.getDim() == LoopDim::P;
    auto inner = dyn_cast<ForOp>(stage->getParentOp());
    if (rowLoops == 1 && inner.getDim() == LoopDim::P) {
      step = inner.getStep();
      return WalkResult::skip();
    }
    stage.emitOpError("in a nest that keeps rows must stand right inside the "
                      "only loop over P around it; found ")
        << rowLoops << " loops over P, and the stage inside "
        << (inner ? ("one over " + stringifyLoopDim(inner.getDim())).str()
                  : std::string("none"));
    return WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return failure();
  if (layers.size() < 2)
    return nest.emitOpError("keeps rows for the next tile of a group; wanted "
                            "two or more stages that compute, found ")
           << layers.size();
  std::vector<const Layer *> chain;
  for (const Layer &layer : layers)
    chain.push_back(&layer);
  const bool pools = layers.back().pool.has_value();
  const double tiles = estimateLeadTrips(chain, step, pools) +
                       double(layers.back().readExtent(Axis::H)) / double(step);
  if (!(tiles <= double(kMostGroupTiles)))
    return nest.emitOpError("keeps rows over ")
           << llvm::formatv("{0:f0}", tiles).str()
           << " tiles, those before the first row included; wanted at most "
           << kMostGroupTiles;
  return success();
}

LogicalResult LoopNestOp::verify() {
  Block &block = getBody().front();
  // Whatever else stood inside would be no part of the program it stands for.
  WalkResult walked = getBody().walk([&](Operation *inner) {
    if (isa<AllocOp, StageOp, ForOp, LoadOp, InitOp, ComputeOp, StoreOp>(
            inner)) {
      // Nobody would give them a value.
      for (Region &region : inner->getRegions())
        if (region.getNumArguments() > 0) {
          inner->emitOpError("region takes no arguments; found ")
              << region.getNumArguments();
          return WalkResult::interrupt();
        }
      return WalkResult::advance();
    }
    inner->emitOpError("cannot stand inside a fadiff.loop_nest; wanted only "
                       "alloc, for, stage, load, init, compute and store of "
                       "the fadiff dialect");
    return WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return failure();
  if (block.getNumArguments() != getNumOperands())
    return emitOpError("region must have one argument per operand: wanted ")
           << getNumOperands() << ", found " << block.getNumArguments();
  for (auto [argument, operand] :
       llvm::zip(block.getArguments(), getOperands())) {
    auto view = dyn_cast<DramType>(argument.getType());
    auto type = cast<ShapedType>(operand.getType());
    if (!type.hasStaticShape())
      return emitOpError("operands must have static shapes; found ") << type;
    if (!view || view.getShape() != type.getShape() ||
        view.getElementType() != type.getElementType())
      return emitOpError("region argument #")
             << argument.getArgNumber() << " must be " << DramType::get(type)
             << "; found " << argument.getType();
  }
  if (getInputs().empty())
    return emitOpError("wants an input; found none");
  if (getTurned() && !getKeepRows())
    return emitOpError("is of turned images, as a group that keeps columns is; "
                       "wanted keep_rows, too");
  if (getOuts().empty() || getOuts().size() > 2)
    return emitOpError("wants one out, and a second one if partial sums spill; "
                       "found ")
           << getOuts().size();
  bool onTensors = isa<RankedTensorType>(getOuts().front().getType());
  if (getNumResults() != (onTensors ? getOuts().size() : 0))
    return emitOpError("on tensors must have one result per out, on memrefs "
                       "none; found ")
           << getNumResults();
  return success();
}

/// Once the stages inside are known to be well formed.
LogicalResult LoopNestOp::verifyRegions() {
  return getKeepRows() ? verifyKeptRows(*this) : success();
}

std::optional<SmallVector<int64_t>> fadiff::ir::getRowStrides(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!type.hasStaticShape() ||
      failed(type.getStridesAndOffset(strides, offset)))
    return std::nullopt;
  bool isInnermost = true;
  for (auto [extent, stride] :
       llvm::reverse(llvm::zip_equal(type.getShape(), strides))) {
    if (extent == 1)
      continue;
    // ShapedType::kDynamic is negative.
    if (stride < 0 || (isInnermost && stride != 1))
      return std::nullopt;
    isInnermost = false;
  }
  // Nothing steps along an axis of one element.
  for (int64_t &stride : strides)
    stride = std::max<int64_t>(stride, 0);
  return strides;
}

bool fadiff::ir::mayOverlap(ArrayRef<int64_t> shape,
                            ArrayRef<int64_t> strides) {
  SmallVector<std::pair<int64_t, int64_t>> axes;
  for (auto [extent, stride] : llvm::zip_equal(shape, strides))
    if (extent > 1)
      axes.push_back({stride, extent});
  llvm::sort(axes);
  int64_t last = 0; // the furthest element that the axes so far reach
  for (auto [stride, extent] : axes) {
    int64_t reach;
    if (stride <= last || llvm::MulOverflow(stride, extent - 1, reach) ||
        llvm::AddOverflow(last, reach, last))
      return true;
  }
  return false;
}

void LoopNestOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getInputsMutable())
    if (isa<MemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  for (OpOperand &operand : getOutsMutable())
    if (isa<MemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
}

//===----------------------------------------------------------------------===//
// The tree inside a loop nest
//===----------------------------------------------------------------------===//

LogicalResult AllocOp::verify() {
  if (static_cast<int64_t>(getBase()) < 0)
    return emitOpError("starts at row 0 or later; found ")
           << static_cast<int64_t>(getBase());
  TargetAttr target = lookupTarget(*this);
  if (!target)
    return success();
  Accelerator machine = target.getAccelerator();
  BufferType type = getBuffer().getType();
  int64_t capacity = type.getLevel() == MemoryLevel::scratchpad
                         ? machine.scratchpadRows()
                         : machine.accumulatorRows();
  // Both are large enough to overflow in a sum.
  int64_t base = static_cast<int64_t>(getBase());
  if (type.getRows() > capacity || base > capacity - type.getRows())
    return emitOpError("of ")
           << type.getRows() << " rows from row " << base << " ends past the "
           << stringifyMemoryLevel(type.getLevel()) << " of target '"
           << machine.name << "', which has " << capacity << " rows";
  return success();
}

LogicalResult StageOp::verify() {
  // Inside another stage it makes that one's input slice by slice.
  if (auto reader = getOperation()->getParentOfType<StageOp>()) {
    const bool depthwise = toLayer(reader.getWorkload()).isDepthwise();
    const LoopDim channels = depthwise ? LoopDim::G : LoopDim::C;
    // A depthwise reader that makes slices is given them.
    bool hasLoop = depthwise && reader->getParentOfType<StageOp>();
    for (Operation *outer = getOperation()->getParentOp(); outer != reader;
         outer = outer->getParentOp()) {
      auto loop = dyn_cast<ForOp>(outer);
      hasLoop = true;
      if (loop && loop.getDim() != channels)
        return emitOpError("inside stage \"")
               << reader.getName() << "\" may stand in loops over "
               << stringifyLoopDim(channels)
               << " only, the channels that it makes for it; found one over "
               << stringifyLoopDim(loop.getDim());
    }
    if (!hasLoop)
      return emitOpError("inside stage \"")
             << reader.getName() << "\" must stand in a loop over "
             << stringifyLoopDim(channels)
             << ", the channels that it makes for it; found none";
  }
  if (static_cast<int64_t>(getRows()) < 1 ||
      static_cast<int64_t>(getCols()) < 1)
    return emitOpError("array part must be at least [1, 1]; found [")
           << static_cast<int64_t>(getRows()) << ", "
           << static_cast<int64_t>(getCols()) << ']';
  if (getLoopWs() && !getMapping())
    return emitOpError("loop_ws wants the mapping that it follows from; found "
                       "none");
  if (failed(verifyReadOut(*this, getWorkload(), getEpilogue())))
    return failure();
  TargetAttr target = lookupTarget(*this);
  if (!target)
    return success();
  Accelerator machine = target.getAccelerator();
  if (static_cast<int64_t>(getRows()) > machine.side ||
      static_cast<int64_t>(getCols()) > machine.side)
    return emitOpError("uses [")
           << getRows() << ", " << getCols() << "] of an array of ["
           << machine.side << ", " << machine.side << "] in target '"
           << machine.name << '\'';
  return success();
}

LogicalResult ForOp::verify() {
  if (static_cast<int64_t>(getStep()) < 1)
    return emitOpError("step must be at least 1; found ")
           << static_cast<int64_t>(getStep());
  // Loops around a stage cut the last layer's outputs; a stage's own cut what
  // its layer makes of that, which may be more.
  for (Operation *outer = getOperation()->getParentOp();
       outer && !isa<StageOp>(outer); outer = outer->getParentOp())
    if (auto loop = dyn_cast<ForOp>(outer); loop && loop.getDim() == getDim()) {
      if (loop.getStep() < getStep())
        return emitOpError("step ")
               << getStep() << " is larger than that of the enclosing loop of "
               << stringifyLoopDim(getDim()) << ", " << loop.getStep();
      break;
    }
  return success();
}

/// A tile op needs a stage around it and its buffers in the right memory.
static LogicalResult verifyTileOp(Operation *op, BufferType buffer,
                                  MemoryLevel level, StringRef what) {
  if (!op->getParentOfType<StageOp>())
    return op->emitOpError("must stand inside a fadiff.stage");
  if (buffer.getLevel() != level)
    return op->emitOpError(what)
           << " must lie in the " << stringifyMemoryLevel(level)
           << "; found it in the " << stringifyMemoryLevel(buffer.getLevel());
  return success();
}

/// What a view holds: the array's operands, or its sums.
enum class Elements { Operand, Sum };

/// A nest works in f32, as its first operand does, or in int8 with int32 sums.
static Type elementType(Operation *op, Elements elements) {
  auto nest = op->getParentOfType<LoopNestOp>();
  if (nest && nest.getBody().getNumArguments() > 0)
    if (auto view = dyn_cast<DramType>(nest.getBody().getArgument(0).getType()))
      if (view.getElementType().isF32())
        return view.getElementType();
  return IntegerType::get(op->getContext(),
                          elements == Elements::Operand ? 8 : 32);
}

/// The view must be what the enclosing stage's workload says.
static LogicalResult verifyView(Operation *op, StringRef what, DramType view,
                                ArrayRef<int64_t> shape, Elements elements) {
  Type element = elementType(op, elements);
  if (view.getShape() == shape && view.getElementType() == element)
    return success();
  auto wanted = DramType::get(op->getContext(), shape, element);
  return op->emitOpError(what)
         << " must be " << wanted << " as the stage's workload says; found "
         << view;
}

int64_t LoadOp::getWeightBlock() {
  const ArrayRef<int64_t> shape = getSource().getType().getShape();
  const WorkloadAttr workload =
      (*this)->getParentOfType<StageOp>().getWorkload();
  return getOperand() == LoadedOperand::weights &&
                 shape.size() == workload.getWeightLayout().size() + 1 &&
                 workload.getWeightLayout().contains('K') &&
                 !toLayer(workload).isDepthwise()
             ? shape.back()
             : 0;
}

LogicalResult LoadOp::verify() {
  if (failed(verifyTileOp(*this, getBuffer().getType(), MemoryLevel::scratchpad,
                          "buffer")))
    return failure();
  auto stage = (*this)->getParentOfType<StageOp>();
  WorkloadAttr workload = stage.getWorkload();
  if (getOperand() == LoadedOperand::input)
    return verifyView(*this, "input", getSource().getType(),
                      shapeOf(workload, workload.getInputLayout()),
                      Elements::Operand);
  SmallVector<int64_t> shape = shapeOf(workload, workload.getWeightLayout());
  const bool isDepthwise = toLayer(workload).isDepthwise();
  const int64_t block = getWeightBlock();
  if (isDepthwise || block > 0) {
    const std::string layout = workload.getBlockedWeightLayout();
    shape = shapeOf(workload, StringRef(layout).drop_back());
    shape.push_back(isDepthwise ? stage.getCols() : block);
    if (!isDepthwise) {
      int64_t &columns = shape[layout.find('K')];
      if (columns % block != 0)
        return emitOpError("weights lie in blocks of ")
               << block << " columns; wanted a divisor of K = " << columns;
      columns /= block;
    }
  }
  return verifyView(*this, "weights", getSource().getType(), shape,
                    Elements::Operand);
}

static LogicalResult verifySpill(Operation *op, Value spill) {
  if (!spill)
    return success();
  WorkloadAttr workload = op->getParentOfType<StageOp>().getWorkload();
  return verifyView(op, "spill", cast<DramType>(spill.getType()),
                    shapeOf(workload, workload.getOutputLayout()),
                    Elements::Sum);
}

LogicalResult InitOp::verify() {
  if (failed(verifyTileOp(*this, getAccumulator().getType(),
                          MemoryLevel::accumulator, "tile")) ||
      failed(verifySpill(*this, getSpill())))
    return failure();
  if (getSkip()) {
    if (getResidual() || getSpill())
      return emitOpError("has a skip and ")
             << (getResidual() ? "a residual" : "partial sums in DRAM")
             << "; wanted one or the other";
    if (failed(verifyTileOp(*this, getSkip().getType(), MemoryLevel::scratchpad,
                            "skip")))
      return failure();
  }
  auto stage = (*this)->getParentOfType<StageOp>();
  WorkloadAttr workload = stage.getWorkload();
  const bool isReadOut =
      getResidual() && getResidual().getType().getElementType().isInteger(8);
  if (stage.getEpilogue().getResidualScale() && !isReadOut)
    return emitOpError("begins sums with a residual that is scaled as it is "
                       "loaded; wanted one of int8 in DRAM");
  if (getResidual() &&
      failed(verifyView(*this, "residual", getResidual().getType(),
                        shapeOf(workload, workload.getOutputLayout()),
                        isReadOut ? Elements::Operand : Elements::Sum)))
    return failure();
  if (!getBias())
    return success();
  return verifyView(*this, "bias", getBias().getType(),
                    {extentOf(workload, 'K') * extentOf(workload, 'G')},
                    Elements::Sum);
}

LogicalResult ComputeOp::verify() {
  const bool readsSums =
      getInput().getType().getLevel() == MemoryLevel::accumulator;
  if (readsSums && getInput() == getAccumulator())
    return emitOpError("reads the sums that it adds to; wanted those of an "
                       "earlier stage");
  return success((readsSums ||
                  succeeded(verifyTileOp(*this, getInput().getType(),
                                         MemoryLevel::scratchpad, "input"))) &&
                 succeeded(verifyTileOp(*this, getWeights().getType(),
                                        MemoryLevel::scratchpad, "weights")) &&
                 succeeded(verifyTileOp(*this, getAccumulator().getType(),
                                        MemoryLevel::accumulator, "sums")));
}

LogicalResult StoreOp::verify() {
  if (failed(verifyTileOp(*this, getAccumulator().getType(),
                          MemoryLevel::accumulator, "tile")) ||
      failed(verifySpill(*this, getSpill())))
    return failure();
  if (isInPlace()) {
    if (getSpill())
      return emitOpError("stays in the accumulator and has partial sums in "
                         "DRAM; wanted one or the other");
    return success();
  }
  if (auto buffer = dyn_cast<BufferType>(getDestination().getType()))
    return verifyTileOp(*this, buffer, MemoryLevel::scratchpad, "destination");
  auto stage = (*this)->getParentOfType<StageOp>();
  WorkloadAttr workload = stage.getWorkload();
  SmallVector<int64_t> shape = shapeOf(workload, workload.getOutputLayout());
  if (failed(applyPool(*this, workload, stage.getEpilogue(), shape)))
    return failure();
  if (stage.getEpilogue().getPool() && getSpill())
    return emitOpError("pools its outputs and has partial sums in DRAM; wanted "
                       "one or the other");
  return verifyView(
      *this, "destination", cast<DramType>(getDestination().getType()), shape,
      stage.getEpilogue().getScale() ? Elements::Operand : Elements::Sum);
}

#define GET_OP_CLASSES
#include "fadiff/Dialect/Fadiff/IR/FadiffOps.cpp.inc"
