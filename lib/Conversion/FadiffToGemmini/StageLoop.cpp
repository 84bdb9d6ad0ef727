//===- StageLoop.cpp - A layer by Gemmini's matmul loop -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The nest's outer loops stay; what is inside of them is one loop_ws, which
// moves and computes a tile by itself.
//
//===----------------------------------------------------------------------===//

#include "StageEmitter.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

static llvm::Error unfit(const Twine &reason) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), reason);
}

llvm::Error StageEmitter::planLoop() {
  if (!stage.getMapping() || !plan.compute || !plan.input || !plan.weights)
    return unfit("the stage has no mapping, or loads nothing");
  layer = toLayer(stage);
  llvm::Expected<MatmulLoop> found =
      planMatmulLoop(layer, toMapping(*stage.getMapping()), nest.machine);
  if (!found)
    return found.takeError();

  SmallVector<ForOp> around;
  for (Operation *op = plan.compute->getParentOp(); !isa<StageOp>(op);
       op = op->getParentOp())
    around.push_back(cast<ForOp>(op));
  std::reverse(around.begin(), around.end());
  if (around.size() < found->outer.size())
    return unfit("the nest has fewer loops than its mapping");
  for (auto [loop, outer] : llvm::zip(around, found->outer))
    if (toDim(loop.getDim()) != outer.loop.dim ||
        static_cast<int64_t>(loop.getStep()) != outer.step)
      return unfit("the nest's loops are not those of its mapping");

  LoopViews views;
  const WorkloadAttr workload = stage.getWorkload();
  views.input = dramOperand(plan.input.getSource(), workload.getInputLayout());
  views.weights =
      dramOperand(plan.weights.getSource(), workload.getWeightLayout());
  views.output =
      dramOperand(plan.store.getDestination(), workload.getOutputLayout());
  if (views.input.byteStride('C') != views.input.elementBytes ||
      views.output.byteStride('K') != views.output.elementBytes ||
      views.weights.byteStride('K') != views.weights.elementBytes)
    return unfit("channels are not the innermost axis of all tensors");

  // Pixels must be rows at one distance, of the innermost dim that has several.
  std::optional<std::array<int64_t, 2>> row;
  int64_t count = 1;
  bool isWhole = true;
  for (Dim dim : {Dim::Q, Dim::P, Dim::N}) {
    const int64_t tile = found->tile[dim];
    if (tile == 1 && layer.dims[dim] == 1)
      continue;
    const bool isBatch = dim == Dim::N;
    const Axis axis = dim == Dim::P ? Axis::H : Axis::W;
    const char letters[] = {isBatch           ? 'N'
                            : axis == Axis::H ? 'H'
                                              : 'W',
                            dimName(dim)};
    const std::array<int64_t, 2> step = {views.input.byteStride(letters[0]) *
                                             (isBatch ? 1 : layer.stride[axis]),
                                         views.output.byteStride(letters[1])};
    if (tile > 1 && row &&
        (!isWhole || step[0] != (*row)[0] * count ||
         step[1] != (*row)[1] * count))
      return unfit("the pixels of a tile are no rows at one distance");
    if (!row)
      row = step;
    count *= tile;
    isWhole = isWhole && tile == layer.dims[dim];
  }
  // A single row has no stride: any will do.
  views.inputRow = row ? (*row)[0] : layer.dims[Dim::C] * elementBytes();
  views.outputRow =
      row ? (*row)[1] : layer.dims[Dim::K] * views.output.elementBytes;
  views.weightRow = views.weights.byteStride('C');

  const int64_t side = nest.machine.side;
  loadConfigs[0] = LoadConfig{views.inputRow, side};
  loadConfigs[1] = LoadConfig{views.weightRow, side};
  if (biasView)
    loadConfigs[2] = LoadConfig{/*stride=*/0, side};
  executeConfig = ExecuteConfig();
  storeStride = views.outputRow;
  loop = std::move(*found);
  loopViews = std::move(views);
  return llvm::Error::success();
}

/// Whether the operand that is loaded inside of the `outside` outermost loops
/// comes with this loop_ws, and the half that it goes to.
std::pair<Value, Value> StageEmitter::loadInTurns(const IndexMath &m,
                                                  size_t outside) const {
  Value isFirst = m.flag(true), number = m.constant(0);
  for (auto [i, around] : llvm::enumerate(loops)) {
    if (i >= outside) {
      isFirst = m.both(isFirst, m.equal(around.offset, m.constant(0)));
      continue;
    }
    number = m.add(m.mul(number, loop->outer[i].loop.trips),
                   m.floorDiv(around.offset, around.step));
  }
  return {isFirst, m.add(m.mod(number, 2), m.constant(1))};
}

void StageEmitter::emitLoop(const Box &box) {
  IndexMath m = math(stage.getLoc());
  const int64_t side = nest.machine.side;
  Value zero = toI64(m, m.constant(0));
  auto addressIf = [&](Value condition, Value address) {
    return m.select(condition, toI64(m, address), zero);
  };

  Value pixels = m.constant(1);
  for (Dim dim : {Dim::N, Dim::P, Dim::Q}) {
    // All but one are whole.
    if (std::optional<int64_t> known = IndexMath::known(box[dim].size))
      pixels = m.mul(pixels, *known);
    else
      pixels = m.mul(box[dim].size, *IndexMath::known(pixels));
  }
  const Value extents[] = {pixels, box[Dim::K].size, box[Dim::C].size};
  Value blocks[3], pads[3];
  for (unsigned i = 0; i < 3; ++i) {
    blocks[i] = m.floorDiv(m.add(extents[i], m.constant(side - 1)), side);
    pads[i] = m.sub(m.mul(blocks[i], side), extents[i]);
  }

  Value input = originAddress(m, loopViews.input, box);
  for (Axis axis : kAllAxes)
    input = m.add(input,
                  m.mul(box[outputDim(axis)].offset,
                        layer.stride[axis] * loopViews.input.byteStride(
                                                 axis == Axis::H ? 'H' : 'W')));
  auto [loadsInput, inputHalf] = loadInTurns(m, loop->outsideInput);
  auto [loadsWeights, weightHalf] = loadInTurns(m, loop->outsideWeights);
  Value added = zero;
  const Value output = originAddress(m, loopViews.output, box);
  if (biasView) {
    Value index = m.add(box[Dim::K].offset,
                        m.mul(box[Dim::G].offset, layer.dims[Dim::K]));
    added =
        addressIf(isFirst(m, box),
                  m.add(nest.addressOfView.lookup(biasView), m.mul(index, 4)));
  }
  Value accumulates = biasView ? m.flag(true) : m.negate(isFirst(m, box));

  const int64_t bytes = elementBytes(),
                outBytes = loopViews.output.elementBytes;
  const bool fullC = !stage.getEpilogue().getScale();
  gemmini::LoopWsOp::create(
      builder, m.loc, blocks[0], blocks[1], blocks[2], pads[0], pads[1],
      pads[2], addressIf(loadsInput, input), inputHalf,
      addressIf(loadsWeights, originAddress(m, loopViews.weights, box)),
      weightHalf, added, addressIf(isLast(m, box), output), accumulates,
      loopViews.inputRow / bytes, loopViews.weightRow / bytes,
      /*d_stride=*/0, loopViews.outputRow / outBytes, fullC,
      /*low_d=*/false);
}
