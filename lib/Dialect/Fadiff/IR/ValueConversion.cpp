//===- ValueConversion.cpp - Core values and attributes -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Turn.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

Layer fadiff::ir::toLayer(WorkloadAttr workload) {
  Layer layer;
  for (Dim dim : kAllDims)
    layer.dims[dim] = workload.getDims()[static_cast<size_t>(dim)];
  for (Axis axis : kAllAxes) {
    size_t i = static_cast<size_t>(axis);
    layer.stride[axis] = workload.getStride()[i];
    layer.dilation[axis] = workload.getDilation()[i];
    layer.padLow[axis] = workload.getPad()[i];
    layer.inputExtent[axis] = workload.getInput()[i];
  }
  layer.padValue = workload.getPadValue();
  layer.channelsInnermost = workload.getInputLayout().ends_with("C") &&
                            workload.getWeightLayout().ends_with("K") &&
                            workload.getOutputLayout().ends_with("K");
  return layer;
}

std::optional<int32_t> fadiff::ir::sumReadAs(int64_t value,
                                             EpilogueAttr epilogue) {
  // Machines that read out more do not read sums in place.
  if (!epilogue.getScale() || (epilogue.getRelu() && value < 0) ||
      epilogue.getFeatures().any())
    return std::nullopt;
  const float scale = epilogue.getOneScale();
  const double sum = std::nearbyint(double(value) / double(scale));
  if (!(std::abs(sum) < 0x1p31))
    return std::nullopt;
  const auto whole = static_cast<int32_t>(sum);
  const float read = std::nearbyint(static_cast<float>(whole) * scale);
  if (std::clamp(read, -128.0f, 127.0f) != static_cast<float>(value))
    return std::nullopt;
  return whole;
}

MaxPool fadiff::ir::toMaxPool(MaxPoolAttr attr) {
  MaxPool pool;
  pool.size = attr.getSize();
  pool.stride = attr.getStride();
  for (Axis axis : kAllAxes) {
    size_t i = static_cast<size_t>(axis);
    pool.padLow[axis] = attr.getPad()[i];
    pool.outputs[axis] = attr.getOutputs()[i];
  }
  return pool;
}

Layer fadiff::ir::toLayer(WorkloadAttr workload, EpilogueAttr epilogue) {
  Layer layer = toLayer(workload);
  if (MaxPoolAttr pool = epilogue.getPool())
    layer.pool = toMaxPool(pool);
  layer.scalesResidual = static_cast<bool>(epilogue.getResidualScale());
  layer.residualLoads = 1 + epilogue.getResidualWhole();
  layer.hasScales = static_cast<bool>(epilogue.getChannelScales());
  return layer;
}

/// What the sums start from.
static void setAddends(Layer &layer, Value bias, Value residual) {
  layer.hasBias = static_cast<bool>(bias);
  layer.hasResidual = static_cast<bool>(residual);
  if (!residual)
    return;
  auto dram = dyn_cast<DramType>(residual.getType());
  Type element =
      dram ? dram.getElementType() : getElementTypeOrSelf(residual.getType());
  layer.residualBytes = element.getIntOrFloatBitWidth() / 8;
}

/// Input and weights have one type; without scale the sum leaves as it is.
static void setBytes(Layer &layer, Type element, EpilogueAttr epilogue) {
  layer.elementBytes = element.getIntOrFloatBitWidth() / 8;
  layer.outputBytes = epilogue.getScale() ? layer.elementBytes : 4;
}

Layer fadiff::ir::toLayer(LayerOp op) {
  Layer layer = toLayer(op.getWorkload(), op.getEpilogue());
  layer.name = op.getName().str();
  setAddends(layer, op.getBias(), op.getResidual());
  setBytes(layer, op.getInput().getType().getElementType(), op.getEpilogue());
  return layer;
}

Layer fadiff::ir::toLayer(StageOp op) {
  Layer layer = toLayer(op.getWorkload(), op.getEpilogue());
  layer.name = op.getName().str();
  walkOwn<InitOp>(op, [&](InitOp init) {
    setAddends(layer, init.getBias(), init.getResidual());
    layer.hasResidual |= static_cast<bool>(init.getSkip());
  });
  // The nest's first operand is the first stage's input.
  auto nest = op->getParentOfType<LoopNestOp>();
  setBytes(
      layer,
      cast<ShapedType>(nest.getInputs().front().getType()).getElementType(),
      op.getEpilogue());
  return layer;
}

namespace {
/// Numbers values: those that a layer makes first, others as they come.
class TensorNumbers {
public:
  explicit TensorNumbers(size_t layers) : next(layers) {}
  void define(Value value, size_t layer) { numbers[value] = layer; }
  unsigned operator()(Value value) {
    auto [it, isNew] = numbers.try_emplace(value, next);
    next += isNew;
    return it->second;
  }
  /// A number that no value has.
  unsigned another() { return next++; }

private:
  llvm::DenseMap<Value, unsigned> numbers;
  unsigned next;
};
} // namespace

bool fadiff::ir::isReadInOrder(WorkloadAttr made, WorkloadAttr reader,
                               StringRef read) {
  // The axes of more than one element, as images, rows, columns or channels.
  auto axesOf = [](StringRef letters, const Layer &layer) {
    std::string axes;
    for (char letter : letters) {
      const bool isRow = letter == 'H', isColumn = letter == 'W';
      const int64_t extent =
          isRow || isColumn
              ? layer.inputExtent[isRow ? Axis::H : Axis::W]
              : layer.dims[*parseDim(std::string_view(&letter, 1))];
      if (extent == 1)
        continue;
      axes += letter == 'P'                    ? 'H'
              : letter == 'Q'                  ? 'W'
              : letter == 'G' || letter == 'K' ? 'C'
                                               : letter;
    }
    return axes;
  };
  std::string from = axesOf(made.getOutputLayout(), toLayer(made));
  std::string to = axesOf(read, toLayer(reader));
  // Pooling in between may leave one row.
  llvm::erase_if(from,
                 [&](char axis) { return !StringRef(to).contains(axis); });
  llvm::erase_if(to,
                 [&](char axis) { return !StringRef(from).contains(axis); });
  return from == to;
}

std::vector<Operands>
fadiff::ir::operandsOf(ArrayRef<LayerOp> layers,
                       ArrayRef<std::pair<Value, unsigned>> pooled) {
  TensorNumbers numberOf(layers.size());
  for (auto [value, layer] : pooled)
    numberOf.define(value, layer);
  for (auto [i, layer] : llvm::enumerate(layers))
    numberOf.define(LayerOp(layer).getResult(), i);
  std::vector<Operands> operands(layers.size());
  for (auto [layer, own] : llvm::zip(layers, operands)) {
    LayerOp op = layer;
    const WorkloadAttr workload = op.getWorkload();
    auto numberAs = [&](Value value, StringRef layout) {
      const unsigned number = numberOf(value);
      if (number >= layers.size())
        return number;
      LayerOp maker = layers[number];
      return isReadInOrder(maker.getWorkload(), workload, layout)
                 ? number
                 : numberOf.another();
    };
    own.input = numberAs(op.getInput(), workload.getInputLayout());
    if (op.getResidual())
      own.residual = numberAs(op.getResidual(), workload.getOutputLayout());
  }
  return operands;
}

SmallVector<StageOp> fadiff::ir::computingStages(LoopNestOp nest) {
  SmallVector<StageOp> stages;
  nest->walk([&](StageOp stage) {
    if (stage->walk([](ComputeOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      stages.push_back(stage);
  });
  return stages;
}

void fadiff::ir::walkOwn(StageOp stage,
                         llvm::function_ref<void(Operation *)> visit) {
  stage.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<StageOp>(op))
      return WalkResult::skip();
    visit(op);
    return WalkResult::advance();
  });
}

Value fadiff::ir::skipOf(StageOp stage) {
  Value skip;
  walkOwn<InitOp>(stage, [&](InitOp init) { skip = init.getSkip(); });
  return skip;
}

StageOp fadiff::ir::innerStageOf(StageOp stage) {
  StageOp inner;
  stage.getBody().walk<WalkOrder::PreOrder>([&](StageOp found) {
    inner = found;
    return WalkResult::interrupt();
  });
  return inner;
}

StageOp fadiff::ir::outermostStageOf(StageOp stage) {
  while (auto outer = stage->getParentOfType<StageOp>())
    stage = outer;
  return stage;
}

std::vector<Operands> fadiff::ir::operandsOf(ArrayRef<StageOp> stages) {
  TensorNumbers numberOf(stages.size());
  // A buffer stands for the tensor that it holds tiles of.
  llvm::DenseMap<Value, Value> source;
  for (auto [i, stage] : llvm::enumerate(stages)) {
    walkOwn<StoreOp>(stage, [&, i = i](StoreOp store) {
      numberOf.define(store.getDestination(), i);
    });
  }
  if (!stages.empty())
    StageOp(stages.front())
        ->getParentOfType<LoopNestOp>()
        ->walk([&](LoadOp load) {
          if (load.getOperand() == LoadedOperand::input)
            source[load.getBuffer()] = load.getSource();
        });
  auto tensorOf = [&](Value value) {
    auto it = source.find(value);
    return numberOf(it == source.end() ? value : it->second);
  };
  std::vector<Operands> operands(stages.size());
  for (auto [stage, own] : llvm::zip(stages, operands)) {
    walkOwn(stage, [&, &own = own](Operation *op) {
      if (auto compute = dyn_cast<ComputeOp>(op))
        own.input = tensorOf(compute.getInput());
      auto init = dyn_cast<InitOp>(op);
      if (init && init.getSkip())
        own.residual = tensorOf(init.getSkip());
      else if (init && init.getResidual())
        own.residual = tensorOf(init.getResidual());
    });
  }
  return operands;
}

static std::string turnedLayout(StringRef layout) {
  std::string result = layout.str();
  for (char &letter : result) {
    if (letter == 'H' || letter == 'W')
      letter = letter == 'H' ? 'W' : 'H';
    else if (std::optional<Dim> dim = parseDim(std::string_view(&letter, 1)))
      letter = dimName(turned(*dim));
  }
  return result;
}

WorkloadAttr fadiff::ir::turned(WorkloadAttr workload) {
  const Layer layer = turned(toLayer(workload));
  auto pair = [](const PerAxis<int64_t> &values) {
    return SmallVector<int64_t, 2>{values[Axis::H], values[Axis::W]};
  };
  SmallVector<int64_t> dims;
  for (Dim dim : kAllDims)
    dims.push_back(layer.dims[dim]);
  return WorkloadAttr::get(workload.getContext(), dims, pair(layer.stride),
                           pair(layer.dilation), pair(layer.padLow),
                           pair(layer.inputExtent), layer.padValue,
                           turnedLayout(workload.getInputLayout()),
                           turnedLayout(workload.getWeightLayout()),
                           turnedLayout(workload.getOutputLayout()));
}

EpilogueAttr fadiff::ir::turned(EpilogueAttr epilogue) {
  MaxPoolAttr pool = epilogue.getPool();
  if (!pool)
    return epilogue;
  auto swapped = [](ArrayRef<int64_t> pair) {
    return SmallVector<int64_t, 2>{pair[1], pair[0]};
  };
  return EpilogueAttr::get(
      epilogue.getContext(), epilogue.getScale(), epilogue.getRelu(),
      epilogue.getZeroPoint(), epilogue.getLow(), epilogue.getHigh(),
      MaxPoolAttr::get(epilogue.getContext(), pool.getSize(), pool.getStride(),
                       swapped(pool.getPad()), swapped(pool.getOutputs())),
      epilogue.getResidualScale(), epilogue.getResidualWhole());
}

MappingAttr fadiff::ir::toAttr(MLIRContext *context, const Mapping &mapping) {
  PerLevel<SmallVector<int64_t>> loops;
  for (Level level : kAllLevels)
    for (Dim dim : llvm::reverse(mapping.order[level]))
      if (int64_t factor = mapping.temporal[level][dim]; factor != 1)
        loops[level].append({static_cast<int64_t>(dim), factor});
  return MappingAttr::get(context, loops[Level::Dram], loops[Level::Scratchpad],
                          loops[Level::Accumulator], loops[Level::Registers],
                          mapping.rows, mapping.cols);
}

Mapping fadiff::ir::toMapping(MappingAttr attr) {
  Mapping mapping;
  mapping.rows = attr.getRows();
  mapping.cols = attr.getCols();
  std::pair<Level, ArrayRef<int64_t>> levels[] = {
      {Level::Dram, attr.getDram()},
      {Level::Scratchpad, attr.getScratchpad()},
      {Level::Accumulator, attr.getAccumulator()},
      {Level::Registers, attr.getRegisters()}};
  for (auto [level, loops] : levels) {
    SmallVector<Dim> outermostFirst;
    PerDim<bool> named{false};
    for (size_t i = 0; i + 1 < loops.size(); i += 2) {
      Dim dim = static_cast<Dim>(loops[i]);
      mapping.temporal[level][dim] = loops[i + 1];
      named[dim] = true;
      outermostFirst.push_back(dim);
    }
    size_t position = 0;
    for (Dim dim : kAllDims)
      if (!named[dim])
        mapping.order[level][position++] = dim;
    for (Dim dim : llvm::reverse(outermostFirst))
      mapping.order[level][position++] = dim;
  }
  return mapping;
}

/// The layers of `values`, all in one group, and what its attributes say.
static void readGroup(std::optional<Axis> keeps,
                      std::optional<ArrayRef<int64_t>> inputSlices,
                      bool inputTurns, GroupValues &values) {
  auto &[network, group] = values;
  for (unsigned i = 0; i < network.layers.size(); ++i)
    group.layers.push_back(i);
  group.keeps = keeps;
  group.inputTurns = inputTurns;
  for (auto [layer, channels] :
       llvm::zip(group.layers, inputSlices.value_or(ArrayRef<int64_t>())))
    if (channels > 0)
      group.inputSlices.push_back({layer, channels});
  // In IR a pooling is part of the layer if and only if the machine does it.
  group.poolsOutput =
      !network.layers.empty() && network.layers.back().pool.has_value();
}

GroupValues fadiff::ir::toGroup(ArrayRef<LayerOp> layers) {
  GroupValues values;
  for (LayerOp op : layers)
    values.network.layers.push_back(toLayer(op));
  values.network.operands = operandsOf(layers);
  values.group.byLoop =
      llvm::any_of(layers, [](LayerOp op) { return op.getLoopWs(); });
  auto parent = LayerOp(layers.front())->getParentOfType<FusionGroupOp>();
  if (!parent) {
    readGroup(/*keeps=*/std::nullopt, std::nullopt, /*inputTurns=*/false,
              values);
    return values;
  }
  readGroup(parent.getKeepRows()      ? std::optional(Axis::H)
            : parent.getKeepColumns() ? std::optional(Axis::W)
                                      : std::nullopt,
            parent.getInputSlices(), parent.getInputTurns(), values);
  for (int64_t position : parent.getLiveSkips().value_or(ArrayRef<int64_t>()))
    values.group.liveSkips.push_back(unsigned(position));
  return values;
}

GroupValues fadiff::ir::toGroup(LoopNestOp nest) {
  return toGroup(nest, computingStages(nest));
}

GroupValues fadiff::ir::toGroup(LoopNestOp nest, ArrayRef<StageOp> stages) {
  GroupValues values;
  for (auto [i, stage] : llvm::enumerate(stages)) {
    values.network.layers.push_back(toLayer(stage));
    values.group.byLoop |= StageOp(stage).getLoopWs();
    if (skipOf(stage))
      values.group.liveSkips.push_back(unsigned(i));
  }
  values.network.operands = operandsOf(stages);
  readGroup(nest.getKeepRows() ? std::optional(Axis::H) : std::nullopt,
            nest.getInputSlices(), nest.getInputTurns(), values);
  return values;
}

void fadiff::ir::setGroup(FusionGroupOp op, const FusionGroup &group) {
  SmallVector<int64_t> slices;
  for (unsigned layer : group.layers)
    slices.push_back(group.sliceOf(layer));
  op.setKeepRows(group.keeps == Axis::H);
  op.setKeepColumns(group.keeps == Axis::W);
  op.setInputTurns(group.inputTurns);
  SmallVector<int64_t> skips(group.liveSkips.begin(), group.liveSkips.end());
  llvm::sort(skips);
  if (!skips.empty())
    op.setLiveSkips(skips);
  if (!group.inputSlices.empty())
    op.setInputSlices(slices);
}

LogicalResult fadiff::ir::verifyMappings(MutableArrayRef<LayerOp> layers,
                                         const Accelerator &machine) {
  Schedule schedule;
  for (LayerOp op : layers) {
    if (!op.getMapping())
      return op.emitError("layer \"")
             << op.getName()
             << "\" has no mapping; run fadiff-search or write one";
    schedule.mappings.push_back(toMapping(*op.getMapping()));
  }
  auto [network, group] = toGroup(layers);
  for (unsigned i = 0; i < layers.size(); ++i)
    if (std::optional<unsigned> input = network.operands[i].input;
        input && *input < layers.size())
      network.edges.push_back({*input, i, ""});
  auto parent = layers.front()->getParentOfType<FusionGroupOp>();
  if (parent) {
    const PerDim<int64_t> extents =
        GroupLoops(network.layers.back(), schedule.mappings.back(),
                   group.poolsOutput)
            .tile();
    SmallVector<int64_t, 3> tile{extents[Dim::N], extents[Dim::P],
                                 extents[Dim::Q]};
    if (parent.getTile() != ArrayRef<int64_t>(tile)) {
      auto spell = [](ArrayRef<int64_t> t) {
        return llvm::formatv("[N = {0}, P = {1}, Q = {2}]", t[0], t[1], t[2])
            .str();
      };
      return parent.emitError("has tile ")
             << spell(parent.getTile())
             << ", but the mapping of its last layer \""
             << layers.back().getName() << "\" has " << spell(tile)
             << "; write the same in both";
    }
  }
  schedule.groups = {group};
  if (llvm::Error error = verify(network, schedule, group, machine))
    return layers.front().emitError() << llvm::toString(std::move(error));
  return success();
}
