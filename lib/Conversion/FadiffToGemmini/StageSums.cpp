//===- StageSums.cpp - A layer's tile in the accumulator ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageEmitter.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

/// How far the tile's pixels lie apart in DRAM, of which they are one run.
static int64_t distanceOf(const PixelTile &tile, const DramOperand &dram) {
  return tile.w > 1   ? dram.byteStride('Q')
         : tile.h > 1 ? dram.byteStride('P')
                      : dram.byteStride('N');
}

/// The same in rows of a window.
static int64_t distanceOf(const PixelTile &tile, const PixelTile &window) {
  return window.stride(tile.w > 1 ? Dim::Q : tile.h > 1 ? Dim::P : Dim::N);
}

/// The tile begins with what lies under the first pooled pixel.
void StageEmitter::beginUnderPool(const IndexMath &m, PixelTile &tile) const {
  const MaxPool pool = toMaxPool(stage.getEpilogue().getPool());
  const PerAxis<Interval> pooled = pooledTile(m);
  for (Axis axis : kAllAxes)
    tile.first[axis] = m.sub(m.mul(pooled[axis].offset, pool.stride),
                             m.constant(pool.padLow[axis]));
}

void StageEmitter::init(InitOp op, const Box &box) {
  IndexMath m = math(op.getLoc());
  PixelTile tile;
  tile.base =
      m.constant(op.getAccumulator().getDefiningOp<AllocOp>().getBase());
  tile.origin = box;
  tile.n = box[Dim::N].nominal;
  tile.h = box[Dim::P].nominal;
  tile.w = box[Dim::Q].nominal;
  tile.blockChannels = cols;
  tile.blockStride = tile.pixels();
  if (plan.stream.wideStores) {
    tile.blockStride = nest.machine.side;
    tile.pixelStride = llvm::divideCeil(box[outChannel()].nominal, cols);
  }
  if (plan.pools())
    beginUnderPool(m, tile);
  if (plan.staysInPlace()) {
    // Where the next stage's window has these pixels.
    const PixelTile &window = nest.pixelTiles[op.getAccumulator()];
    tile.base = windowRow(m, window, box);
    tile.n = window.n;
    tile.h = window.h;
    tile.w = window.w;
    tile.blockStride = window.blockStride;
  }
  if (plan.stream.sumsTurn)
    takeTurns(m, tile);
  nest.sumTiles[op.getAccumulator()] = tile;
  if (plan.stream.addsToGaps) {
    auto sums = op.getAccumulator().getDefiningOp<AllocOp>();
    const int64_t rows = sums.getType().getRows();
    clearedFirst = {{sums.getBase(), rows}};
    if (plan.stream.sumsTurn)
      clearedFirst.push_back({sums.getBase() + *toOtherPlace(), rows});
  }
  // A residual of int8 is widened, and scaled before: what exceeds 1 of the
  // scale is loads of their own.
  const LoadConfig ofResidual{
      /*stride=*/0,
      plan.stream.residualColumns > cols ? tile.blockStride : nest.machine.side,
      /*shrink=*/residualView &&
          cast<DramType>(residualView.getType()).getElementType().isInteger(8)};
  SmallVector<LoadConfig, 2> residualLoads(
      1 + stage.getEpilogue().getResidualWhole(), ofResidual);
  if (FloatAttr scale = stage.getEpilogue().getResidualScale())
    residualLoads.back().scale = scale.getValue().convertToFloat();
  auto configured = [&](const LoadConfig &config, Value view, int64_t columns,
                        bool accumulates) {
    gemmini::ConfigLdOp op = emitConfig(builder, m.loc, 2, config);
    op.setStride(loadSums(m, tile, box, view, columns, accumulates));
  };
  if (residualView && !biasView && !spills && residualLoads.size() == 1) {
    loadConfigs[2] = residualLoads.front();
    if (plan.stream.residualPerRun) {
      loadConfigs[2]->stride =
          distanceOf(tile, dramOperand(residualView,
                                       stage.getWorkload().getOutputLayout()));
      return;
    }
    loadConfigs[2]->stride =
        loadSums(m, tile, box, residualView, plan.stream.residualColumns,
                 /*accumulates=*/false);
    return;
  }
  if (!residualView && !spills)
    return; // The bias comes with the computes.
  setsSums = true;
  auto begin = [&] {
    if (biasView) {
      const PixelTile filled = biasTile(m, tile);
      emitConfig(builder, m.loc, 2, {/*stride=*/0, nest.machine.side});
      m.forEach(box[outChannel()].size, cols, [&](Value k, Value columns) {
        m.forEach(m.constant(filled.pixels()), nest.machine.side,
                  [&](Value pixel, Value count) {
                    loadBias(m, filled, k, columns, pixel, count);
                  });
      });
    }
    if (residualView)
      for (auto [i, config] : llvm::enumerate(residualLoads))
        configured(config, residualView, plan.stream.residualColumns,
                   /*accumulates=*/biasView || i > 0);
  };
  if (!spills)
    return begin();
  m.branch(
      isFirst(m, box),
      [&] {
        if (!addsLater())
          return begin();
        if (biasView)
          emitConfig(builder, m.loc, 2, {/*stride=*/0, nest.machine.side});
      },
      [&] {
        // What is read back was written by the accelerator itself.
        auto [first, second] = startsSweep(m);
        // The last tile of the visit before leaves beside the first one of
        // this.
        m.branch(storesLater() ? m.either(first, second) : first,
                 [&] { gemmini::FenceOp::create(builder, m.loc); });
        LoadConfig config{/*stride=*/0, nest.machine.side};
        auto load = [&] {
          configured(config, op.getSpill(), cols, /*accumulates=*/false);
        };
        if (!plan.stream.spilledComesBeside())
          return load();
        auto configure = [&] {
          config.stride = distanceOf(
              tile, dramOperand(op.getSpill(),
                                stage.getWorkload().getOutputLayout()));
          emitConfig(builder, m.loc, 2, config);
        };
        if (!loadsAhead())
          return configure();
        m.branch(first, load, configure);
      });
}

/// Whether tiles of the visit before may still be on their way, as none of this
/// one has been read back: the loops inside of the one that comes back to them
/// are at their first trip.
std::pair<Value, Value> StageEmitter::startsSweep(const IndexMath &m) const {
  Value first = m.flag(true), second = m.flag(false);
  bool isInnermost = true;
  for (const LoopState &loop : llvm::reverse(
           ArrayRef<LoopState>(loops).take_back(plan.stream.sweepLoops))) {
    Value isFirst = m.equal(loop.offset, m.constant(0));
    first = m.both(first, isFirst);
    if (loop.step >= loop.whole.nominal)
      continue;
    second = isInnermost ? m.equal(loop.offset, m.constant(loop.step))
                         : m.both(second, isFirst);
    isInnermost = false;
  }
  return {first, second};
}

/// The whole window that a tile which stays in place lies in: blocks of it get
/// the bias as one run of rows. What of that is padding is cleared before the
/// window is read.
PixelTile StageEmitter::biasTile(const IndexMath &m,
                                 const PixelTile &tile) const {
  PixelTile whole = tile;
  if (!plan.staysInPlace())
    return whole;
  const PixelTile &window =
      nest.pixelTiles[StoreOp(plan.store).getDestination()];
  Value block =
      m.floorDiv(channelIn(m, window, tile.origin[outChannel()].offset), cols);
  whole.base = m.add(window.base, m.mul(block, window.blockStride));
  return whole;
}

/// The output channel `k` of `box`, all groups counted.
Value StageEmitter::channelNumber(const IndexMath &m, const Box &box,
                                  Value k) const {
  Value number = m.add(box[outChannel()].offset, k);
  if (depthwise)
    return number;
  return m.add(number, m.mul(box[Dim::G].offset, layer.dims[Dim::K]));
}

/// The moves that follow read out columns from channel `k` of `box` on.
void StageEmitter::selectScales(const IndexMath &m, const Box &box,
                                Value k) const {
  auto first = nest.firstScales.find(stage.getOperation());
  if (first == nest.firstScales.end())
    return;
  EpilogueAttr epilogue = stage.getEpilogue();
  gemmini::ConfigReadoutOp::create(
      builder, m.loc,
      m.add(channelNumber(m, box, k), m.constant(first->second)),
      epilogue.getZeroPoint(), epilogue.getLow(), epilogue.getHigh());
}

/// Rows of the tile become the bias, or get it added: one DRAM row, broadcast.
void StageEmitter::loadBias(const IndexMath &m, const PixelTile &tile, Value k,
                            Value columns, Value pixel, Value count,
                            Value accumulates) {
  Value index = channelNumber(m, tile.origin, k);
  Value from = m.add(nest.addressOfView.lookup(biasView), m.mul(index, 4));
  gemmini::Mvin3Op::create(builder, m.loc, toI64(m, from),
                           accAddr(m,
                                   sumRow(m, tile, pixel, m.floorDiv(k, cols)),
                                   accumulates, false),
                           count, columns);
}

Value StageEmitter::sumRow(const IndexMath &m, const PixelTile &tile,
                           Value pixel, Value block) const {
  return m.add(tile.base, m.add(m.mul(pixel, tile.pixelStride),
                                m.mul(block, tile.blockStride)));
}

/// Chunks of `side` pixels from `first` to the tile's nominal end get the bias
/// of the columns at `box`.
void StageEmitter::fetchBias(const IndexMath &m, const PixelTile &sums,
                             const Box &box, Value first) {
  int64_t side = nest.machine.side;
  const PixelTile tile = biasTile(m, sums);
  loadConfigs[2] = LoadConfig{/*stride=*/0, /*blockStride=*/side};
  m.forEach(m.sub(m.constant(tile.pixels()), first), side,
            [&](Value i, Value count) {
              loadBias(m, tile, within(m, box, tile.origin, outChannel()),
                       box[outChannel()].size, m.add(first, i), count);
            });
}

/// Which of the tile's reduction steps it is.
Value StageEmitter::reductionStep(const IndexMath &m, const PixelTile &sums,
                                  const Box &box) const {
  Value step = m.constant(0);
  for (Dim dim : {Dim::C, Dim::R, Dim::S})
    step = m.add(step, m.mul(m.floorDiv(within(m, box, sums.origin, dim),
                                        box[dim].nominal),
                             plan.stream.reductionSteps[dim]));
  return step;
}

/// Whether the box has the last pixels that its reduction step goes through.
Value StageEmitter::endsStep(const IndexMath &m, const PixelTile &sums,
                             const Box &box) const {
  Value result = m.flag(true);
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    if (box[dim].nominal != sums.origin[dim].nominal)
      result = m.both(result, isAtEnd(m, box, sums.origin, dim));
  return result;
}

/// Rows of a block that the tile has, which may be cut short along N or P.
Value StageEmitter::rowsMade(const IndexMath &m, const PixelTile &sums) const {
  Value made = m.constant(sums.pixels());
  for (Dim dim : {Dim::N, Dim::P})
    if (IndexMath::known(sums.origin[dim].size) != sums.origin[dim].nominal)
      made = m.mul(sums.origin[dim].size, sums.stride(dim));
  return made;
}

/// Which of the steps, of which one in `every` counts, `step` is, and whether
/// it counts.
static std::pair<Value, Value> countTurns(const IndexMath &m, Value step,
                                          int64_t every) {
  return {m.floorDiv(step, every), m.equal(m.mod(step, every), m.constant(0))};
}

/// Behind a reduction step, the bias or what was spilled of those pixels of the
/// whole tile that are due.
void StageEmitter::addLater(const IndexMath &m, const PixelTile &sums,
                            const Box &box) {
  const int64_t side = nest.machine.side;
  auto [turn, isTurn] =
      countTurns(m, reductionStep(m, sums, box), plan.stream.addEvery);
  Value isDue = m.both(m.less(turn, m.constant(plan.stream.addSteps)),
                       m.both(isTurn, endsStep(m, sums, box)));
  if (!spills)
    isDue = m.both(isDue, bringsBias(m));
  if (!spills)
    loadConfigs[2] = LoadConfig{/*stride=*/0, /*blockStride=*/side};
  const PixelTile whole = biasTile(m, sums);
  Value made =
      plan.stream.addsToGaps ? m.constant(whole.pixels()) : rowsMade(m, sums);
  const bool isCut = IndexMath::known(made) != whole.pixels();
  m.branch(isDue, [&, turn = turn] {
    // Chunks far from each other: the next step comes to them one by one.
    const int64_t distance = plan.stream.addSteps * side,
                  pixels = sums.pixels(),
                  chunks = llvm::divideCeil(pixels, side);
    Value first = m.mul(turn, side);
    Value span = chunks % plan.stream.addSteps == 0
                     ? m.constant(chunks * side)
                     : m.sub(m.constant(pixels), first);
    m.forEach(span, distance, [&](Value i, Value) {
      Value pixel = m.add(first, i), count = m.constant(side);
      if (pixels % side != 0)
        count = m.min(count, m.sub(m.constant(pixels), pixel));
      auto bias = [&] {
        Value hasSums = m.flag(true), rows = count;
        // The other rows become the bias, by as many moves.
        if (isCut) {
          hasSums = m.less(pixel, made);
          rows = m.max(m.constant(1), m.min(count, m.sub(made, pixel)));
        }
        loadBias(m, whole, within(m, box, sums.origin, outChannel()),
                 box[outChannel()].size, pixel, rows, hasSums);
      };
      auto spilled = [&] {
        if (loadsAhead())
          return;
        Value rows = isCut ? m.min(count, m.sub(made, pixel)) : count;
        m.branch(m.less(m.constant(0), rows), [&] {
          loadSpilled(m, sums, within(m, box, sums.origin, outChannel()),
                      box[outChannel()].size, pixel, rows,
                      /*accumulates=*/true);
        });
      };
      if (!spills)
        return bias();
      Value isFirstVisit = isFirst(m, sums.origin);
      if (biasView)
        return m.branch(isFirstVisit, bias, spilled);
      m.branch(m.negate(isFirstVisit), spilled);
    });
  });
}

/// Behind a reduction step, what was spilled of those pixels of the next tile
/// whose place is free, or their bias.
void StageEmitter::loadAhead(const IndexMath &m, const PixelTile &sums,
                             const Box &box) {
  const int64_t side = nest.machine.side;
  const int64_t atOnce = plan.stream.aheadChunks * side;
  Value step =
      m.sub(reductionStep(m, sums, box), m.constant(plan.stream.aheadFrom));
  auto [turn, isTurn] = countTurns(m, step, plan.stream.aheadEvery);
  Value isDue = m.both(m.negate(m.less(step, m.constant(0))),
                       m.less(turn, m.constant(plan.stream.aheadSteps)));
  isDue = m.both(m.both(isDue, isTurn),
                 m.both(endsStep(m, sums, box), after->exists));
  const PixelTile &tile = after->tile;
  if (plan.stream.biasAhead)
    loadConfigs[2] = LoadConfig{/*stride=*/0, /*blockStride=*/side};
  m.branch(isDue, [&, turn = turn] {
    Value k = within(m, box, sums.origin, outChannel());
    Value columns = box[outChannel()].size;
    Value first = m.mul(turn, atOnce);
    // The bias of a tile that is cut short comes in as many moves.
    Value left = plan.stream.biasAhead
                     ? m.sub(m.constant(tile.pixels()), first)
                     : m.max(m.constant(0), m.sub(rowsMade(m, tile), first));
    m.forEach(m.min(m.constant(atOnce), left), side, [&](Value i, Value count) {
      Value pixel = m.add(first, i);
      if (plan.stream.biasAhead)
        return loadBias(m, tile, k, columns, pixel, count);
      loadSpilled(m, tile, k, columns, pixel, count,
                  /*accumulates=*/false);
    });
  });
}

/// What was spilled of `columns` channels from `k` of `count` of the tile's
/// pixels on.
void StageEmitter::loadSpilled(const IndexMath &m, const PixelTile &tile,
                               Value k, Value columns, Value pixel, Value count,
                               bool accumulates) {
  DramOperand source =
      dramOperand(plan.init.getSpill(), stage.getWorkload().getOutputLayout());
  Box at = tile.origin;
  at[outChannel()].offset = m.add(at[outChannel()].offset, k);
  Value from = m.add(originAddress(m, source, at),
                     m.mul(pixel, distanceOf(tile, source)));
  gemmini::Mvin3Op::create(
      builder, m.loc, toI64(m, from),
      accAddr(m, sumRow(m, tile, pixel, m.floorDiv(k, cols)),
              accumulates ? m.flag(true) : Value(), /*fullWidth=*/false),
      count, columns);
}

/// The chunk of `side` pixels that starts at `pixel`.
void StageEmitter::fetchBiasOfRun(const IndexMath &m, const PixelTile &tile,
                                  const Box &box, Value pixel) {
  int64_t side = nest.machine.side;
  loadConfigs[2] = LoadConfig{/*stride=*/0, /*blockStride=*/side};
  Value count = m.constant(std::min(side, tile.pixels()));
  if (tile.pixels() > side && tile.pixels() % side)
    count = m.min(count, m.sub(m.constant(tile.pixels()), pixel));
  m.branch(m.both(isFirstUseOfSums(m, tile, box), bringsBias(m)), [&] {
    loadBias(m, tile, within(m, box, tile.origin, outChannel()),
             box[outChannel()].size, pixel, count);
  });
}

/// What is added to a run of sums, with those of the next blocks if a move has
/// these, too.
void StageEmitter::fetchResidualOfRun(const IndexMath &m, const PixelTile &tile,
                                      const Box &box, Value pixel,
                                      const Run &run) {
  const int64_t piece = plan.stream.residualColumns;
  const DramOperand source =
      dramOperand(residualView, stage.getWorkload().getOutputLayout());
  Value isDue = m.both(isFirstUseOfSums(m, tile, box),
                       startsPiece(m, box, tile.origin, outChannel(), piece));
  m.branch(isDue, [&] {
    Value k = within(m, box, tile.origin, outChannel());
    Box at = plan.stream.residualAsStored ? box : tile.origin;
    at[outChannel()].offset = box[outChannel()].offset;
    Value from = m.add(originAddress(m, source, at),
                       plan.stream.residualAsStored
                           ? run.offsets[StreamPlace::Destination]
                           : m.mul(pixel, distanceOf(tile, source)));
    gemmini::Mvin3Op::create(
        builder, m.loc, toI64(m, from),
        accAddr(m, sumRow(m, tile, pixel, m.floorDiv(k, cols)), Value(),
                /*fullWidth=*/false),
        run.count, pieceSize(m, box, tile.origin, outChannel(), piece));
  });
}

/// Whether the bias of the tile did not come beside the one before.
Value StageEmitter::bringsBias(const IndexMath &m) const {
  return plan.stream.biasAhead ? m.negate(before->exists) : m.flag(true);
}

/// The tile's pixel that the first one of `box` is.
Value StageEmitter::firstSum(const IndexMath &m, const PixelTile &tile,
                             const Box &box) const {
  Value pixel = m.mul(within(m, box, tile.origin, Dim::N), tile.stride(Dim::N));
  for (Axis axis : kAllAxes) {
    const Dim dim = outputDim(axis);
    Value step = tile.first[axis] ? m.sub(box[dim].offset, tile.first[axis])
                                  : within(m, box, tile.origin, dim);
    pixel = m.add(pixel, m.mul(step, tile.stride(dim)));
  }
  return pixel;
}

Value StageEmitter::isFirstUseOfSums(const IndexMath &m, const PixelTile &tile,
                                     const Box &box) const {
  return isAtOrigin(m, box, tile.origin, {Dim::C, Dim::R, Dim::S});
}

/// The tile becomes what lies in `view`, partial sums or a residual, or what it
/// is plus that, `columns` channels at a time. Returns the stride that the
/// loads need.
int64_t StageEmitter::loadSums(const IndexMath &m, const PixelTile &tile,
                               const Box &box, Value view, int64_t columns,
                               bool accumulates) {
  DramOperand source = dramOperand(view, stage.getWorkload().getOutputLayout());
  Value origin = originAddress(m, source, box);
  Value first = firstSum(m, tile, box);
  int64_t stride = 0;
  m.forEach(box[outChannel()].size, columns, [&](Value k, Value columns) {
    Value block = m.floorDiv(k, cols);
    RowLoop rows = walkRows(
        m, outputRows(m, box, tile, source), nest.machine.side,
        [&](const Run &run) {
          Value from = m.add(origin, m.add(run.offsets[StreamPlace::Other],
                                           m.mul(k, source.elementBytes)));
          Value row = sumRow(
              m, tile, m.add(first, run.offsets[StreamPlace::Local]), block);
          gemmini::Mvin3Op::create(builder, m.loc, toI64(m, from),
                                   accAddr(m, row,
                                           accumulates ? m.flag(true) : Value(),
                                           /*fullWidth=*/false),
                                   run.count, columns);
        });
    stride = rows.strides[StreamPlace::Other];
  });
  return stride;
}

//===----------------------------------------------------------------------===//
// Out of the accumulator
//===----------------------------------------------------------------------===//

/// Tiles take turns in two places. The loops outside are the digits of a
/// counter, which says where this one lies; the one before may leave beside it.
void StageEmitter::takeTurns(const IndexMath &m, PixelTile &tile) {
  const int64_t rows = *toOtherPlace();
  Value zero = m.constant(0), turn = zero, borrow = m.flag(true);
  SmallVector<Value> offsets(loops.size());
  int64_t tiles = 1; // of the loops so far
  for (size_t i = loops.size(); i-- > 0;) {
    const LoopState &loop = loops[i];
    const int64_t trips = llvm::divideCeil(loop.whole.nominal, loop.step);
    if (tiles % 2 == 1)
      turn = m.add(turn, m.floorDiv(loop.offset, loop.step));
    tiles *= trips;
    Value isFirst = m.equal(loop.offset, zero);
    Value last = m.select(isFirst, m.constant((trips - 1) * loop.step),
                          m.sub(loop.offset, m.constant(loop.step)));
    offsets[i] = m.select(borrow, last, loop.offset);
    borrow = m.both(borrow, isFirst);
  }
  turn = m.mod(turn, 2);
  before = OtherTile{m.negate(borrow), tile};
  before->tile.base = m.add(tile.base, m.mul(m.sub(m.constant(1), turn), rows));
  before->tile.origin = tileAt(m, loops, entry, offsets);
  if (loadsAhead()) {
    // The same counter of those loops that come before a tile does again.
    const size_t counted = spills ? plan.stream.sweepLoops : loops.size();
    SmallVector<Value> ofSweep;
    Value isNone = countOn(m, ArrayRef(loops).take_back(counted), ofSweep);
    if (spills)
      isNone = m.either(isNone, isFirst(m, tile.origin));
    for (size_t i = 0; i < loops.size(); ++i)
      offsets[i] = loops[i].offset;
    llvm::copy(ofSweep, offsets.end() - ofSweep.size());
    after = OtherTile{m.negate(isNone), before->tile};
    after->tile.origin = tileAt(m, loops, entry, offsets);
  }
  tile.base = m.add(tile.base, m.mul(turn, rows));
  if (plan.stream.storesLastByRuns()) {
    SmallVector<Value> next;
    isLastTile = countOn(m, loops, next);
  }
  if (storesLater() && plan.pools())
    configurePool(m, tile);
  else if (storesLater())
    configureStores(m, before->tile, before->exists);
}

Value fadiff::countOn(const IndexMath &m, ArrayRef<LoopState> loops,
                      SmallVectorImpl<Value> &offsets) {
  Value carry = m.flag(true);
  offsets.resize(loops.size());
  for (size_t i = loops.size(); i-- > 0;) {
    const LoopState &loop = loops[i];
    Value next = m.add(loop.offset, m.constant(loop.step));
    Value wraps = m.negate(m.less(next, m.constant(loop.trips() * loop.step)));
    offsets[i] =
        m.select(carry, m.select(wraps, m.constant(0), next), loop.offset);
    carry = m.both(carry, wraps);
  }
  return carry;
}

Interval fadiff::stepAt(const IndexMath &m, const Interval &whole, int64_t step,
                        Value offset) {
  const bool isExact = IndexMath::known(whole.size) == whole.nominal &&
                       whole.nominal % step == 0;
  Value size = m.constant(step);
  if (!isExact)
    size = m.min(size, m.sub(whole.size, offset));
  return {m.add(whole.offset, offset), size, std::min(step, whole.nominal)};
}

Box fadiff::tileAt(const IndexMath &m, ArrayRef<LoopState> loops, Box box,
                   ArrayRef<Value> offsets) {
  for (auto [loop, offset] : llvm::zip_equal(loops, offsets))
    box[loop.dim] = stepAt(m, box[loop.dim], loop.step, offset);
  return box;
}

/// For the moves that follow, of what is made of `tile`.
void StageEmitter::configureStores(const IndexMath &m, const PixelTile &tile,
                                   Value exists) {
  if (plan.handsOver()) {
    storeStride = nest.machine.side;
    return;
  }
  const bool fullWidth = !stage.getEpilogue().getScale();
  auto distance = [&](Value view) {
    return distanceOf(tile,
                      dramOperand(view, stage.getWorkload().getOutputLayout()));
  };
  const int64_t stored = distance(plan.store.getDestination());
  if (!spills) {
    storeStride = stored;
    return;
  }
  m.branch(exists, [&] {
    m.branch(
        isLast(m, tile.origin),
        [&] { emitConfig(builder, m.loc, storeConfig(stored, fullWidth)); },
        [&] {
          emitConfig(builder, m.loc,
                     storeConfig(distance(plan.store.getSpill()),
                                 /*fullWidth=*/true));
        });
  });
}

/// Behind a reduction step, those pixels, or lines, of the tile before that are
/// due.
void StageEmitter::storeBefore(const IndexMath &m, const PixelTile &sums,
                               const Box &box) {
  const bool byLines = plan.stream.storesLines;
  const int64_t side = byLines ? 1 : nest.machine.side;
  const int64_t atOnce = plan.stream.storeChunks * side;
  const PixelTile &tile = before->tile;
  const int64_t lines = plan.pools() ? pooledTile(m)[Axis::H].nominal : tile.h;
  Value step = reductionStep(m, sums, box);
  Value isDue = m.both(m.less(step, m.constant(plan.stream.storeSteps)),
                       endsStep(m, sums, box));
  Value made = byLines ? Value() : rowsMade(m, tile);
  m.branch(m.both(isDue, before->exists), [&] {
    Value k = within(m, box, sums.origin, outChannel());
    Value columns = box[outChannel()].size;
    Value first = m.mul(step, atOnce);
    Value all = m.constant(byLines ? tile.n * lines : tile.pixels());
    m.forEach(m.min(m.constant(atOnce), m.sub(all, first)), side,
              [&](Value i, Value count) {
                Value pixel = m.add(first, i);
                if (byLines) {
                  const bool isOne = tile.n == 1;
                  Value image =
                            isOne ? m.constant(0) : m.floorDiv(pixel, lines),
                        line = isOne ? pixel : m.mod(pixel, lines);
                  return plan.pools()
                             ? storePooledLine(m, tile, k, columns, image, line)
                             : storeLine(m, tile, k, columns, image, line);
                }
                if (IndexMath::known(made) != tile.pixels())
                  count = m.min(count, m.sub(made, pixel));
                m.branch(m.less(m.constant(0), count), [&] {
                  storeRows(m, tile, tile.origin, k, columns, pixel,
                            /*behind=*/pixel, count);
                });
              });
  });
}

/// Of `columns` channels from `k` of the tile on, a line of one of its images,
/// if it has that.
void StageEmitter::storeLine(const IndexMath &m, const PixelTile &tile, Value k,
                             Value columns, Value image, Value line) {
  const Box &origin = tile.origin;
  Value exists = m.flag(true);
  for (auto [dim, at] : {std::pair(Dim::N, image), {Dim::P, line}})
    if (IndexMath::known(origin[dim].size) != origin[dim].nominal)
      exists = m.both(exists, m.less(at, origin[dim].size));
  m.branch(exists, [&] {
    Value pixel = m.add(m.mul(image, tile.stride(Dim::N)),
                        m.mul(line, tile.stride(Dim::P)));
    Box at = origin;
    at[Dim::N].offset = m.add(origin[Dim::N].offset, image);
    at[Dim::P].offset = m.add(origin[Dim::P].offset, line);
    m.forEach(origin[Dim::Q].size, nest.machine.side,
              [&](Value i, Value count) {
                at[Dim::Q].offset = m.add(origin[Dim::Q].offset, i);
                storeRows(m, tile, at, k, columns, m.add(pixel, i),
                          /*behind=*/m.constant(0), count);
              });
  });
}

/// Of `columns` channels from `k` of the tile on, a pooled line of one of its
/// images, if it has that.
void StageEmitter::storePooledLine(const IndexMath &m, const PixelTile &tile,
                                   Value k, Value columns, Value image,
                                   Value line) {
  Value exists = m.both(m.less(image, tile.origin[Dim::N].size),
                        m.less(line, pooledTile(m)[Axis::H].size));
  m.branch(exists, [&] {
    selectScales(m, tile.origin, k);
    Value row =
        sumRow(m, tile, m.mul(image, tile.stride(Dim::N)), m.floorDiv(k, cols));
    m.branch(m.equal(line, m.constant(0)),
             [&] { clearAround(m, tile, tile.origin, row, columns); });
    movePooledLine(m, tile, tile.origin, k, columns, image, row, line);
  });
}

/// `count` pixels of `columns` channels from `k` of the tile on, `pixel` and
/// what follows it there: to where `at` has these channels, `behind` pixels on.
void StageEmitter::storeRows(const IndexMath &m, const PixelTile &tile, Box at,
                             Value k, Value columns, Value pixel, Value behind,
                             Value count) {
  at[outChannel()].offset = m.add(tile.origin[outChannel()].offset, k);
  Value row = sumRow(m, tile, pixel, m.floorDiv(k, cols));
  auto leave = [&](Value view, bool fullWidth) {
    if (plan.handsOver()) {
      const PixelTile &window = nest.pixelTiles[view];
      const int64_t distance = distanceOf(tile, window);
      Value to = m.add(windowRow(m, window, at), m.mul(behind, distance));
      auto move = gemmini::MvoutSpadOp::create(builder, m.loc,
                                               accAddr(m, row, {}, fullWidth),
                                               spadAddr(m, to), count, columns);
      move.setDstStride(distance);
      return;
    }
    DramOperand target =
        dramOperand(view, stage.getWorkload().getOutputLayout());
    Value to = m.add(originAddress(m, target, at),
                     m.mul(behind, distanceOf(tile, target)));
    gemmini::MvoutOp::create(builder, m.loc, accAddr(m, row, {}, fullWidth),
                             toI64(m, to), count, columns);
  };
  auto store = [&] {
    const bool fullWidth = !stage.getEpilogue().getScale();
    if (!fullWidth)
      selectScales(m, tile.origin, k);
    leave(plan.store.getDestination(), fullWidth);
  };
  if (!spills)
    return store();
  m.branch(isLast(m, tile.origin), store,
           [&] { leave(plan.store.getSpill(), /*fullWidth=*/true); });
}

void StageEmitter::finish() {
  if (loop || !storesLater() || plan.stream.storesRuns)
    return;
  IndexMath m = math(stage.getLoc());
  // Where the loops ended, which are those around the tile.
  PixelTile last = before->tile;
  last.origin = entry;
  last.base =
      m.constant(plan.init.getAccumulator().getDefiningOp<AllocOp>().getBase());
  int64_t tiles = 1;
  SmallVector<ForOp> around;
  for (Operation *op = plan.init->getParentOp(); op != stage;
       op = op->getParentOp())
    around.push_back(cast<ForOp>(op));
  for (ForOp op : llvm::reverse(around)) {
    Interval &interval = last.origin[toDim(op.getDim())];
    const int64_t step = op.getStep(),
                  trips = llvm::divideCeil(interval.nominal, step);
    Value offset = m.constant((trips - 1) * step);
    interval = {m.add(interval.offset, offset),
                m.min(m.constant(step), m.sub(interval.size, offset)),
                std::min(step, interval.nominal)};
    tiles *= trips;
  }
  if (tiles % 2 == 0)
    last.base = m.add(last.base, m.constant(*toOtherPlace()));
  if (plan.pools()) {
    beginUnderPool(m, last);
    return storePooled(m, last, last.origin);
  }
  if (plan.handsOver())
    return storeOnChip(m, last, last.origin, plan.store.getDestination());
  configureStores(m, last, m.flag(true));
  m.forEach(last.origin[outChannel()].size, cols, [&](Value k, Value columns) {
    if (plan.stream.storesLines)
      return m.forEach(last.origin[Dim::N].size, 1, [&](Value n, Value) {
        m.forEach(last.origin[Dim::P].size, 1, [&](Value p, Value) {
          storeLine(m, last, k, columns, n, p);
        });
      });
    m.forEach(rowsMade(m, last), nest.machine.side,
              [&](Value pixel, Value count) {
                storeRows(m, last, last.origin, k, columns, pixel,
                          /*behind=*/pixel, count);
              });
  });
}

void StageEmitter::store(StoreOp op, const Box &box) {
  IndexMath m = math(op.getLoc());
  const PixelTile &tile = nest.sumTiles[op.getAccumulator()];
  if (plan.stream.storesRuns || storesLater() || plan.staysInPlace())
    return; // They leave with computes, or do not leave.
  if (plan.pools())
    return storePooled(m, tile, box);
  if (plan.handsOver())
    return storeOnChip(m, tile, box, op.getDestination());
  bool fullWidth = !stage.getEpilogue().getScale();
  if (!spills)
    return storeToDram(m, tile, box, op.getDestination(), fullWidth,
                       /*inlineConfig=*/false);
  m.branch(
      isLast(m, box),
      [&] {
        storeToDram(m, tile, box, op.getDestination(), fullWidth,
                    /*inlineConfig=*/true);
      },
      [&] {
        storeToDram(m, tile, box, op.getSpill(), /*fullWidth=*/true,
                    /*inlineConfig=*/true);
      });
}

void StageEmitter::storeToDram(const IndexMath &m, const PixelTile &tile,
                               const Box &box, Value view, bool fullWidth,
                               bool inlineConfig) {
  DramOperand target = dramOperand(view, stage.getWorkload().getOutputLayout());
  Value origin = originAddress(m, target, box);
  Operation *start = m.constant(0).getDefiningOp();
  int64_t stride = 0;
  m.forEach(box[outChannel()].size, cols, [&](Value k, Value columns) {
    if (!fullWidth)
      selectScales(m, box, k);
    Value block = m.floorDiv(k, cols);
    RowLoop rows = walkRows(
        m, outputRows(m, box, tile, target), nest.machine.side,
        [&](const Run &run) {
          Value to = m.add(origin, m.add(run.offsets[StreamPlace::Other],
                                         m.mul(k, target.elementBytes)));
          Value row = sumRow(m, tile, run.offsets[StreamPlace::Local], block);
          gemmini::MvoutOp::create(builder, m.loc,
                                   accAddr(m, row, {}, fullWidth), toI64(m, to),
                                   run.count, columns);
        });
    stride = rows.strides[StreamPlace::Other];
  });
  stride = std::max<int64_t>(stride, 1);
  if (!inlineConfig) {
    storeStride = stride;
    return;
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(start);
  emitConfig(builder, m.loc, storeConfig(stride, fullWidth));
}

/// Whether the outputs of the box are complete, and leave run by run.
Value StageEmitter::leavesWithPasses(const IndexMath &m, const PixelTile &tile,
                                     const Box &box) const {
  Value complete = storesLater() ? isLastTile : m.flag(true);
  for (Dim dim : {Dim::C, Dim::R, Dim::S})
    complete = m.both(complete, isAtEnd(m, box, tile.origin, dim));
  return complete;
}

/// A run's columns leave once the last of them is complete.
void StageEmitter::storeRun(const IndexMath &m, const PixelTile &tile,
                            const Box &box, Value pixel, const Run &run) {
  const Box &origin = tile.origin;
  Value complete = leavesWithPasses(m, tile, box);
  Dim channel = outChannel();
  Value k = within(m, box, origin, channel);
  Value end = m.add(k, box[channel].size);
  if (plan.stream.outputChannels > cols) {
    Value isFull =
        m.equal(m.mod(end, plan.stream.outputChannels), m.constant(0));
    complete =
        m.both(complete, m.either(isFull, isAtEnd(m, box, origin, channel)));
  }
  m.branch(complete, [&] {
    Value start = m.mul(m.floorDiv(k, plan.stream.outputChannels),
                        plan.stream.outputChannels);
    Value row = sumRow(m, tile, pixel, m.floorDiv(start, cols));
    selectScales(m, origin, start);
    if (plan.handsOver()) {
      const PixelTile &window = nest.pixelTiles[plan.store.getDestination()];
      Value to = m.add(windowRow(m, window, box),
                       run.offsets[StreamPlace::Destination]);
      handOvers.push_back(gemmini::MvoutSpadOp::create(
          builder, m.loc, accAddr(m, row, {}, false), spadAddr(m, to),
          run.count, m.sub(end, start)));
      return;
    }
    Box at = box;
    at[channel].offset = m.add(origin[channel].offset, start);
    DramOperand target = dramOperand(plan.store.getDestination(),
                                     stage.getWorkload().getOutputLayout());
    Value to = m.add(originAddress(m, target, at),
                     run.offsets[StreamPlace::Destination]);
    bool fullWidth = !stage.getEpilogue().getScale();
    gemmini::MvoutOp::create(builder, m.loc, accAddr(m, row, {}, fullWidth),
                             toI64(m, to), run.count, m.sub(end, start));
  });
}

/// An output channel as the window counts them.
Value StageEmitter::channelIn(const IndexMath &m, const PixelTile &window,
                              Value channel) const {
  return window.firstChannel ? m.sub(channel, window.firstChannel) : channel;
}

/// The row of the window that the first pixel and channel of `box` belong in.
Value StageEmitter::windowRow(const IndexMath &m, const PixelTile &window,
                              const Box &box) const {
  auto step = [&](Dim dim, Value from) {
    return m.mul(m.sub(box[dim].offset, from), window.stride(dim));
  };
  Value block = m.floorDiv(channelIn(m, window, box[outChannel()].offset),
                           window.blockChannels);
  Value row = m.add(window.base, m.mul(block, window.blockStride));
  row = m.add(row, step(Dim::N, window.origin[Dim::N].offset));
  Value line = window.line(m, m.sub(box[Dim::P].offset, window.first[Axis::H]));
  row = m.add(row, m.mul(line, window.stride(Dim::P)));
  return m.add(row, step(Dim::Q, window.first[Axis::W]));
}

/// The pooled rows and columns that leave: for the next stage over the whole
/// width of its window.
PerAxis<Interval> StageEmitter::pooledTile(const IndexMath &m) const {
  if (!plan.handsOver())
    return nest.storedPooled;
  const PixelTile &window =
      nest.pixelTiles[StoreOp(plan.store).getDestination()];
  return {window.rows, {window.first[Axis::W], m.constant(window.w), window.w}};
}

/// Each move pools one row of the tile, to pixels that follow each other in
/// DRAM or, handed over, in the scratchpad.
void StageEmitter::configurePool(const IndexMath &m, const PixelTile &tile) {
  const Interval columns = pooledTile(m)[Axis::W];
  const int64_t stride =
      plan.handsOver() ? nest.machine.side
                       : dramOperand(plan.store.getDestination(),
                                     stage.getWorkload().getOutputLayout())
                             .byteStride('Q');
  if (!loadConfigs[2]) // Zeros come from nowhere, so any will do.
    loadConfigs[2] = LoadConfig{/*stride=*/0, nest.machine.side};
  const MaxPoolAttr pool = stage.getEpilogue().getPool();
  auto attr = [&](int64_t width) {
    return gemmini::PoolAttr::get(
        builder.getContext(), pool.getSize(), pool.getStride(), /*pad_top=*/0,
        /*pad_left=*/0, /*rows=*/pool.getSize(), tile.w, /*out_rows=*/1, width,
        /*out_dim=*/width);
  };
  if (std::optional<int64_t> width = IndexMath::known(columns.size)) {
    storePool = attr(*width);
    storeStride = stride;
    return;
  }
  // The last tile is narrower.
  setsStore = true;
  auto configure = [&](int64_t width) {
    emitConfig(builder, m.loc,
               StoreConfig{stride, /*fullWidth=*/false, stage.getEpilogue(),
                           attr(width)});
  };
  m.branch(
      m.equal(columns.size, m.constant(columns.nominal)),
      [&] { configure(columns.nominal); },
      [&] { configure(pool.getOutputs()[1] % columns.nominal); });
}

/// Zeros where pixels of the tile's `image` that no compute has made lie under
/// pooled ones.
void StageEmitter::clearAround(const IndexMath &m, const PixelTile &tile,
                               const Box &box, Value image, Value columns) {
  // Of the tile, rows (columns) before the first one made and behind the last.
  PerAxis<Value> before, behind;
  for (Axis axis : kAllAxes) {
    const Interval &made = box[outputDim(axis)];
    before[axis] = m.sub(made.offset, tile.first[axis]);
    behind[axis] = m.sub(m.constant(axis == Axis::H ? tile.h : tile.w),
                         m.add(before[axis], made.size));
  }
  auto clear = [&](Value row, Value count) {
    m.forEach(count, nest.machine.side, [&](Value i, Value rows) {
      gemmini::Mvin3Op::create(builder, m.loc, /*dram=*/Value(),
                               accAddr(m, m.add(row, i), {}, false), rows,
                               columns);
    });
  };
  clear(image, m.mul(before[Axis::H], tile.w));
  clear(m.add(image, m.mul(m.sub(m.constant(tile.h), behind[Axis::H]), tile.w)),
        m.mul(behind[Axis::H], tile.w));
  m.forEach(box[Dim::P].size, 1, [&](Value i, Value) {
    Value line = m.add(image, m.mul(m.add(before[Axis::H], i), tile.w));
    clear(line, before[Axis::W]);
    clear(m.add(line, m.sub(m.constant(tile.w), behind[Axis::W])),
          behind[Axis::W]);
  });
}

/// Pooled rows leave: one move per row, sample and block. Pixels under them
/// that no tile makes count as zeros; what this puts into the padding of the
/// next stage's window that stage clears (padInput).
void StageEmitter::storePooled(const IndexMath &m, const PixelTile &tile,
                               const Box &box) {
  configurePool(m, tile);
  m.forEach(box[outChannel()].size, cols, [&](Value k, Value columns) {
    selectScales(m, box, k);
    m.forEach(box[Dim::N].size, 1, [&](Value n, Value) {
      Value image =
          sumRow(m, tile, m.mul(n, tile.stride(Dim::N)), m.floorDiv(k, cols));
      clearAround(m, tile, box, image, columns);
      m.forEach(pooledTile(m)[Axis::H].size, 1, [&](Value i, Value) {
        movePooledLine(m, tile, box, k, columns, n, image, i);
      });
    });
  });
}

/// Line `i` of what is pooled of sample `n` of `box`, whose sums begin at row
/// `image`.
void StageEmitter::movePooledLine(const IndexMath &m, const PixelTile &tile,
                                  const Box &box, Value k, Value columns,
                                  Value n, Value image, Value i) {
  const PerAxis<Interval> pooled = pooledTile(m);
  Box row = box;
  row[outChannel()].offset = m.add(box[outChannel()].offset, k);
  for (Axis axis : kAllAxes)
    row[outputDim(axis)] = pooled[axis];
  row[Dim::N].offset = m.add(box[Dim::N].offset, n);
  row[Dim::P].offset = m.add(row[Dim::P].offset, i);
  const int64_t stride = stage.getEpilogue().getPool().getStride();
  Value from = accAddr(m, m.add(image, m.mul(i, stride * tile.w)), {},
                       /*fullWidth=*/false);
  Value view = plan.store.getDestination();
  if (plan.handsOver()) {
    gemmini::MvoutSpadOp::create(
        builder, m.loc, from,
        spadAddr(m, windowRow(m, nest.pixelTiles[view], row)), m.constant(1),
        columns);
    return;
  }
  const DramOperand dram =
      dramOperand(view, stage.getWorkload().getOutputLayout());
  gemmini::MvoutOp::create(builder, m.loc, from,
                           toI64(m, originAddress(m, dram, row)), m.constant(1),
                           columns);
}

void StageEmitter::storeOnChip(const IndexMath &m, const PixelTile &tile,
                               const Box &whole, Value buffer) {
  const PixelTile &window = nest.pixelTiles[buffer];
  Value end = rowsOnOutputRing(m, window, whole);
  forEachStretch(m, whole, end, [&](const Box &box, Value start) {
    storePartOnChip(m, tile, box, m.mul(start, tile.stride(Dim::P)), window);
  });
  storeStride = nest.machine.side;
}

/// Hands over the rows of `box`, which begin at `pixel` of the tile.
void StageEmitter::storePartOnChip(const IndexMath &m, const PixelTile &tile,
                                   const Box &box, Value pixel,
                                   const PixelTile &window) {
  m.forEach(box[outChannel()].size, cols, [&](Value k, Value columns) {
    selectScales(m, box, k);
    Value from = m.floorDiv(k, cols);
    Box block = box;
    block[outChannel()].offset = m.add(box[outChannel()].offset, k);
    Value to = windowRow(m, window, block);
    SmallVector<gemmini::MvoutSpadOp> moves;
    RowLoop rows = walkRows(
        m,
        {{box[Dim::N].size, {tile.stride(Dim::N), window.h * window.w}},
         {box[Dim::P].size, {tile.stride(Dim::P), window.w}},
         {box[Dim::Q].size, {1, 1}}},
        nest.machine.side, [&](const Run &run) {
          Value row = sumRow(
              m, tile, m.add(pixel, run.offsets[StreamPlace::Local]), from);
          moves.push_back(gemmini::MvoutSpadOp::create(
              builder, m.loc, accAddr(m, row, {}, false),
              spadAddr(m, m.add(to, run.offsets[StreamPlace::Other])),
              run.count, columns));
        });
    for (gemmini::MvoutSpadOp move : moves)
      move.setDstStride(std::max<int64_t>(rows.strides[StreamPlace::Other], 1));
  });
}
