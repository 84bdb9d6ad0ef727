//===- StagePlan.cpp - How one layer's tiles are streamed -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StagePlan.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

static constexpr Dim kPixelDims[] = {Dim::N, Dim::P, Dim::Q};

namespace {
/// The box at an op, as far as it is known before the loops run.
struct StaticBox {
  PerDim<int64_t> nominal;
  PerDim<bool> isExact; ///< no tile is less than nominal

  int64_t pixels() const {
    return nominal[Dim::N] * nominal[Dim::P] * nominal[Dim::Q];
  }
};

/// A loop over pixels whose trips are known at best.
struct StaticLoop {
  int64_t count = 1;
  bool isExact = true;
  std::array<int64_t, kNumPlaces> strides{};
};
} // namespace

bool fadiff::leadsOn(LoadOp load, Dim dim) {
  if (load.getOperand() == LoadedOperand::weights)
    return isRelevant(Tensor::W, dim);
  return isRelevant(Tensor::I, dim) && dim != Dim::R && dim != Dim::S;
}

bool StagePlan::handsOver() const {
  return isa<BufferType>(StoreOp(store).getDestination().getType());
}

bool StagePlan::pools() const {
  return bool(
      StoreOp(store)->getParentOfType<StageOp>().getEpilogue().getPool());
}

bool StagePlan::staysInPlace() const { return StoreOp(store).isInPlace(); }

static StaticBox boxAt(Operation *op, const Box &entry) {
  StaticBox box;
  for (Dim dim : kAllDims) {
    box.nominal[dim] = entry[dim].nominal;
    // Of pooled outputs there may be less than what lies under the windows,
    // padding included, even where there is one tile.
    box.isExact[dim] = IndexMath::known(entry[dim].size) == box.nominal[dim];
  }
  SmallVector<ForOp> loops;
  for (Operation *outer = op->getParentOp(); !isa<StageOp>(outer);
       outer = outer->getParentOp())
    loops.push_back(cast<ForOp>(outer));
  for (ForOp loop : llvm::reverse(loops)) {
    Dim dim = toDim(loop.getDim());
    int64_t step = loop.getStep();
    if (step >= box.nominal[dim])
      continue;
    box.isExact[dim] = box.isExact[dim] && box.nominal[dim] % step == 0;
    box.nominal[dim] = step;
  }
  return box;
}

/// The loops that walkRows() will make for a box, outermost first.
static SmallVector<StaticLoop> mergedLoops(const StaticBox &box,
                                           ArrayRef<Dim> dims,
                                           const PixelStrides &strides) {
  SmallVector<StaticLoop> merged;
  for (Dim dim : llvm::reverse(dims)) {
    StaticLoop loop{box.nominal[dim], box.isExact[dim], strides[dim]};
    if (loop.count == 1 && loop.isExact)
      continue;
    if (!merged.empty() && merged.back().isExact &&
        continues(loop.strides, merged.back().strides, merged.back().count)) {
      merged.back().count *= loop.count;
      merged.back().isExact = loop.isExact;
      continue;
    }
    merged.push_back(loop);
  }
  std::reverse(merged.begin(), merged.end());
  if (merged.empty() || !stepsByRows(merged.back().strides))
    merged.push_back({1, true, {1, 0, 0, 0}});
  return merged;
}

static int64_t runsOf(ArrayRef<StaticLoop> loops, int64_t side) {
  int64_t runs = llvm::divideCeil(loops.back().count, side);
  for (const StaticLoop &loop : loops.drop_back())
    runs *= loop.count;
  return runs;
}

/// Cycles to stream all runs past one weight tile: a pixel per cycle, but no
/// run faster than its two commands are issued.
static int64_t streamCycles(ArrayRef<StaticLoop> loops,
                            const Accelerator &machine) {
  int64_t least = 2 * machine.commandCycles;
  int64_t count = loops.back().count, rest = count % machine.side;
  int64_t cycles = count / machine.side * std::max(machine.side, least);
  if (rest)
    cycles += std::max(rest, least);
  for (const StaticLoop &loop : loops.drop_back())
    cycles *= loop.count;
  return cycles;
}

namespace {
class Planner {
public:
  Planner(StageOp stage, const Box &entry, const Accelerator &machine,
          const PixelTile *foreignInput, const PixelTile *skip,
          const PixelTile *window, std::optional<int64_t> inputLines)
      : stage(stage), layer(toLayer(stage.getWorkload())), entry(entry),
        machine(machine), foreignInput(foreignInput), skip(skip),
        window(window), inputLines(inputLines) {
    walkOwn(stage, [&](Operation *op) {
      if (auto load = dyn_cast<LoadOp>(op))
        (load.getOperand() == LoadedOperand::input ? plan.input
                                                   : plan.weights) = load;
      else if (auto init = dyn_cast<InitOp>(op))
        plan.init = init;
      else if (auto compute = dyn_cast<ComputeOp>(op))
        plan.compute = compute;
      else if (auto store = dyn_cast<StoreOp>(op))
        plan.store = store;
    });
    int64_t rows = stage.getRows(), cols = stage.getCols(), side = machine.side;
    int64_t blockChannels = layer.isDepthwise() ? cols : rows;
    // One move may span several blocks only if blocks are the array's width.
    int64_t widest = machine.maxMoveColumns() / side * side;
    plan.inputChannels = blockChannels == side ? widest : blockChannels;
    plan.weightRows = layer.isDepthwise() ? cols : side / rows * rows;
    plan.weightColumns = cols == side && !layer.isDepthwise() ? widest : cols;
    plan.outputChannels = cols;
    if (!plan.compute || !plan.init || !plan.store)
      return;
    for (Dim dim : kAllDims)
      group[dim] = entry[dim].nominal;
    atCompute = boxAt(plan.compute, entry);
    atInit = boxAt(plan.init, entry);
    if (plan.input)
      atInput = boxAt(plan.input, entry);
  }

  StagePlan run(const PerDim<int64_t> &inputDram,
                const PerDim<int64_t> &destination, bool hasRing) {
    if (!plan.compute || !plan.init || !plan.store)
      return plan;
    local = localStrides();
    SmallVector<StaticLoop> best = mergedLoops(atCompute, kPixelDims, local);
    loops = best;
    int64_t limit = streamCycles(best, machine) * 11 / 10;

    // Runs may have to be cut shorter to move from or to DRAM one by one. That
    // must not slow the array down, nor make many small moves of few large.
    auto tryRuns = [&](bool input, bool output) {
      PixelStrides strides = local;
      for (Dim dim : kPixelDims) {
        if (input)
          strides[dim][unsigned(Place::InputDram)] = inputDram[dim];
        if (output)
          strides[dim][unsigned(Place::Destination)] = destination[dim];
      }
      SmallVector<StaticLoop> found =
          mergedLoops(atCompute, kPixelDims, strides);
      // A move writes neighbouring rows.
      const StaticLoop &run = found.back();
      if (input && run.count > 1 && run.strides[unsigned(Place::Other)] != 1)
        return false;
      if (streamCycles(found, machine) > limit ||
          (input && !fewEnough(found, atInput)) ||
          (output && !fewEnough(found, atInit)))
        return false;
      loops = found;
      plan.storesRuns = output;
      if (input)
        plan.inputPieces = InputPieces::Runs;
      return true;
    };
    // What comes into a ring depends on what is there.
    bool input = plan.input && !inputLines && isCompact(Axis::H) &&
                 isCompact(Axis::W) && !clips();
    const bool inPlace = plan.staysInPlace();
    // Outputs are pooled where the whole tile is complete.
    bool output = !plan.store.getSpill() && !plan.pools() && !inPlace;
    bool done = input && output && tryRuns(true, true);
    done = done || (output && tryRuns(false, true));
    done = done || (input && tryRuns(true, false));
    if (plan.input && plan.inputPieces == InputPieces::Whole)
      tryLines(limit);
    if (!hasRing && !inPlace)
      planAccumulator();
    planAhead(plan.weights, plan.weightsAhead);
    planAhead(plan.input, plan.inputAhead);
    return plan;
  }

private:
  bool isCompact(Axis axis) const {
    // What is handed over is a whole window.
    return plan.input && atInput.nominal[kernelDim(axis)] == 1;
  }

  bool clips() const {
    return layer.readsPadding(Axis::H) || layer.readsPadding(Axis::W);
  }

  /// Distances in the accumulator and in the input tile.
  PixelStrides localStrides() const {
    // A tile handed over by the stage before is what the group's tile reads.
    const PerDim<int64_t> &tile = plan.input ? atInput.nominal : group;
    PerAxis<int64_t> extent, step;
    for (Axis axis : kAllAxes) {
      int64_t out = tile[outputDim(axis)];
      extent[axis] = isCompact(axis)
                         ? out
                         : layer.window(axis, out, tile[kernelDim(axis)]);
      step[axis] = isCompact(axis) ? 1 : layer.stride[axis];
      if (axis == Axis::H && inputLines)
        extent[axis] = *inputLines;
      if (foreignInput) {
        extent[axis] = axis == Axis::H ? foreignInput->h : foreignInput->w;
        step[axis] = foreignInput->compact[axis] ? 1 : layer.stride[axis];
      }
    }
    PixelStrides strides;
    int64_t h = atInit.nominal[Dim::P], w = atInit.nominal[Dim::Q];
    if (plan.staysInPlace()) {
      h = window->h;
      w = window->w;
    }
    strides[Dim::N] = {h * w, extent[Axis::H] * extent[Axis::W], 0, 0};
    strides[Dim::P] = {w, step[Axis::H] * extent[Axis::W], 0, 0};
    strides[Dim::Q] = {1, step[Axis::W], 0, 0};
    if (skip)
      for (Dim dim : kPixelDims)
        strides[dim][unsigned(Place::Skip)] = skip->stride(dim);
    return strides;
  }

  bool fewEnough(ArrayRef<StaticLoop> found, const StaticBox &tile) const {
    int64_t boxes = 1;
    for (Dim dim : kPixelDims)
      boxes *= llvm::divideCeil(tile.nominal[dim], atCompute.nominal[dim]);
    return boxes * runsOf(found, machine.side) <=
           2 * int64_t(llvm::divideCeil(tile.pixels(), machine.side));
  }

  /// A line is a row of pixels; its loop cannot be merged with others.
  void tryLines(int64_t limit) {
    int64_t width = atCompute.nominal[Dim::Q];
    if (width == 1 || (width < machine.side && width < atInput.nominal[Dim::Q]))
      return;
    PixelStrides strides = local;
    if (plan.storesRuns)
      for (Dim dim : kPixelDims)
        strides[dim][unsigned(Place::Destination)] =
            loops.back().strides[unsigned(Place::Destination)];
    SmallVector<StaticLoop> found = mergedLoops(atCompute, {Dim::Q}, strides);
    for (Dim dim : {Dim::P, Dim::N})
      if (atCompute.nominal[dim] > 1)
        found.insert(found.begin(), {atCompute.nominal[dim],
                                     atCompute.isExact[dim], local[dim]});
    if (streamCycles(found, machine) > limit ||
        (plan.storesRuns && !fewEnough(found, atInit)))
      return;
    loops = found;
    plan.inputPieces = InputPieces::Lines;
  }

  /// Moves of what `load` brings in for one box.
  int64_t movesOf(LoadOp load, const PerDim<int64_t> &box) const {
    int64_t side = machine.side;
    Dim channel = layer.isDepthwise() ? Dim::G : Dim::C;
    if (load.getOperand() == LoadedOperand::weights)
      return box[Dim::R] * box[Dim::S] *
             llvm::divideCeil(box[channel], plan.weightRows) *
             (layer.isDepthwise()
                  ? 1
                  : llvm::divideCeil(box[Dim::K], plan.weightColumns));
    PerAxis<int64_t> extent;
    for (Axis axis : kAllAxes)
      extent[axis] = isCompact(axis)
                         ? box[outputDim(axis)]
                         : layer.window(axis, box[outputDim(axis)],
                                        atInput.nominal[kernelDim(axis)]);
    int64_t lines = box[Dim::N] * extent[Axis::H];
    int64_t runs = clips() ? 3 * lines * llvm::divideCeil(extent[Axis::W], side)
                           : llvm::divideCeil(lines * extent[Axis::W], side);
    return runs * llvm::divideCeil(box[channel], plan.inputChannels);
  }

  /// Looks for the loop whose trips last long enough to hide the loads of the
  /// next one, which must all fit into the reservation station.
  void planAhead(LoadOp load, FetchAhead &ahead) {
    if (!load)
      return;
    bool isInput = load.getOperand() == LoadedOperand::input;
    Dim channel = layer.isDepthwise() ? Dim::G : Dim::C;
    PerDim<int64_t> part = atCompute.nominal;
    int64_t cycles = streamCycles(loops, machine);
    StaticBox tile = boxAt(load, entry);
    bool hasSecond = false;
    // One move of full rows takes as long as its requests, and never less than
    // its share of the latency.
    int64_t move = machine.dmaLatency * machine.side /
                   std::max<int64_t>(machine.dmaRequestsInFlight, 1);
    for (Operation *outer = plan.compute->getParentOp();
         outer != load->getParentOp(); outer = outer->getParentOp()) {
      auto loop = cast<ForOp>(outer);
      Dim dim = toDim(loop.getDim());
      int64_t step = loop.getStep();
      StaticBox around = boxAt(loop, entry);
      int64_t whole = around.nominal[dim];
      if (!leadsOn(load, dim)) {
        // A window's lines overlap, so its loops cannot be walked part by part.
        cycles *= llvm::divideCeil(whole, step);
        continue;
      }
      bool isWindow = isInput && ((dim == Dim::P && !isCompact(Axis::H)) ||
                                  (dim == Dim::Q && !isCompact(Axis::W)));
      int64_t piece = dim == channel
                          ? (isInput ? plan.inputChannels : plan.weightRows)
                      : dim == Dim::K ? plan.weightColumns
                                      : step;
      int64_t partStep = std::min<int64_t>(llvm::alignTo(piece, step),
                                           llvm::alignTo(whole, step));
      part[dim] = std::min(partStep, whole);
      int64_t moves = movesOf(load, part);
      if (moves > machine.loadStations)
        break;
      int64_t duration = cycles * llvm::divideCeil(part[dim], step);
      // The whole of it is one part of the loops further out.
      bool isLong = duration >= machine.dmaLatency + moves * move;
      // Narrower rows than the memory's would cost as many requests.
      auto isWide = [&](Dim wide, int64_t columns) {
        return part[wide] >= std::min(columns, tile.nominal[wide]);
      };
      bool fills =
          isWide(channel, isInput ? plan.inputChannels : plan.weightRows) &&
          (isInput || isWide(Dim::K, plan.weightColumns));
      if (!isWindow && fills && whole > partStep) {
        ahead.loop = loop;
        ahead.step = partStep;
      } else if (isWindow) {
        ahead.loop = {};
      }
      if (ahead.loop == loop && isLong)
        break;
      part[dim] = whole;
      cycles *= llvm::divideCeil(whole, step);
    }
    if (!ahead.loop)
      return;
    for (Operation *outer = ahead.loop; outer != load->getParentOp();
         outer = outer->getParentOp()) {
      auto loop = cast<ForOp>(outer);
      Dim dim = toDim(loop.getDim());
      // Further out a window's lines would follow each other.
      if (isInput && ((dim == Dim::P && !isCompact(Axis::H)) ||
                      (dim == Dim::Q && !isCompact(Axis::W))))
        return void(ahead = {});
      int64_t step = loop == ahead.loop ? ahead.step : loop.getStep();
      StaticBox around = boxAt(loop, entry);
      hasSecond |= leadsOn(load, dim) && around.isExact[dim] &&
                   around.nominal[dim] > step;
    }
    ahead.acrossTiles = hasSecond;
  }

  /// Where all runs begin at multiples of `side` pixels, they can take the bias
  /// with them and their blocks can leave together.
  void planAccumulator() {
    int64_t side = machine.side;
    bool isAligned = true, isOneBox = true, isExact = true;
    for (const StaticLoop &loop : ArrayRef(loops).drop_back())
      isAligned = isAligned && loop.strides[0] % side == 0;
    for (Dim dim : kPixelDims) {
      isExact = isExact && atCompute.isExact[dim];
      if (atCompute.nominal[dim] == atInit.nominal[dim])
        continue;
      isOneBox = false;
      isAligned =
          isAligned && atCompute.nominal[dim] * local[dim][0] % side == 0;
    }
    if (!isAligned || plan.pools())
      return;
    const bool hasResidual = static_cast<bool>(plan.init.getResidual());
    plan.biasPerRun = plan.init.getBias() && !plan.init.getSpill() &&
                      !hasResidual &&
                      ((loops.size() == 1 && isOneBox) ||
                       (isExact && atInit.pixels() % side == 0));
    int64_t cols = stage.getCols();
    Dim channel = layer.isDepthwise() ? Dim::G : Dim::K;
    int64_t blocks = llvm::divideCeil(atInit.nominal[channel], cols);
    int64_t rows = blocks * llvm::alignTo(atInit.pixels(), side);
    bool isScaled = static_cast<bool>(stage.getEpilogue().getScale());
    plan.wideStores =
        plan.storesRuns && !hasResidual && !plan.handsOver() && isScaled &&
        cols == side && blocks > 1 &&
        rows <=
            cast<BufferType>(plan.init.getAccumulator().getType()).getRows();
    if (plan.wideStores)
      plan.outputChannels = machine.maxMoveColumns() / side * side;
  }

  StageOp stage;
  Layer layer;
  const Box &entry;
  const Accelerator &machine;
  const PixelTile *foreignInput, *skip, *window; ///< or null
  std::optional<int64_t> inputLines;
  StagePlan plan;
  PerDim<int64_t> group;
  StaticBox atCompute, atInit, atInput;
  PixelStrides local;
  SmallVector<StaticLoop> loops;
};
} // namespace

StagePlan fadiff::planStage(StageOp stage, const Box &entry,
                            const Accelerator &machine,
                            const PerDim<int64_t> &inputDram,
                            const PerDim<int64_t> &destination, bool hasRing,
                            const PixelTile *foreignInput,
                            const PixelTile *skip, const PixelTile *window,
                            std::optional<int64_t> inputLines) {
  return Planner(stage, entry, machine, foreignInput, skip, window, inputLines)
      .run(inputDram, destination, hasRing);
}
