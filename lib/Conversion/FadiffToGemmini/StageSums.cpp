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
  if (MaxPoolAttr attr = stage.getEpilogue().getPool()) {
    const MaxPool pool = toMaxPool(attr);
    const PerAxis<Interval> pooled = pooledTile(m);
    for (Axis axis : kAllAxes)
      tile.first[axis] = m.sub(m.mul(pooled[axis].offset, pool.stride),
                               m.constant(pool.padLow[axis]));
  }
  if (plan.staysInPlace()) {
    // Where the next stage's window has these pixels.
    const PixelTile &window = nest.pixelTiles[op.getAccumulator()];
    tile.base = windowRow(m, window, box);
    tile.n = window.n;
    tile.h = window.h;
    tile.w = window.w;
    tile.blockStride = window.blockStride;
  }
  nest.sumTiles[op.getAccumulator()] = tile;
  // A residual of int8 is widened, and scaled before: what exceeds 1 of the
  // scale is loads of their own.
  const LoadConfig ofResidual{
      /*stride=*/0, nest.machine.side,
      /*shrink=*/residualView &&
          cast<DramType>(residualView.getType()).getElementType().isInteger(8)};
  SmallVector<LoadConfig, 2> residualLoads(
      1 + stage.getEpilogue().getResidualWhole(), ofResidual);
  if (FloatAttr scale = stage.getEpilogue().getResidualScale())
    residualLoads.back().scale = scale.getValue().convertToFloat();
  auto configured = [&](const LoadConfig &config, Value view,
                        bool accumulates) {
    gemmini::ConfigLdOp op = emitConfig(builder, m.loc, 2, config);
    op.setStride(loadSums(m, tile, box, view, accumulates));
  };
  if (residualView && !biasView && !spills && residualLoads.size() == 1) {
    loadConfigs[2] = residualLoads.front();
    loadConfigs[2]->stride =
        loadSums(m, tile, box, residualView, /*accumulates=*/false);
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
        configured(config, residualView, /*accumulates=*/biasView || i > 0);
  };
  if (!spills)
    return begin();
  m.branch(isFirst(m, box), begin, [&] {
    // What is read back was written by the accelerator itself.
    gemmini::FenceOp::create(builder, m.loc);
    configured({/*stride=*/0, nest.machine.side}, op.getSpill(),
               /*accumulates=*/false);
  });
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

/// Behind a reduction step, the bias of what is due of the whole tile.
void StageEmitter::addBias(const IndexMath &m, const PixelTile &sums,
                           const Box &box) {
  const int64_t side = nest.machine.side;
  const int64_t atOnce = plan.stream.biasChunks * side;
  Value step = m.constant(0);
  for (Dim dim : {Dim::C, Dim::R, Dim::S})
    step = m.add(step, m.mul(m.floorDiv(box[dim].offset, box[dim].nominal),
                             plan.stream.reductionSteps[dim]));
  Value isDue = m.less(step, m.constant(plan.stream.biasSteps));
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    if (box[dim].nominal != sums.origin[dim].nominal)
      isDue = m.both(isDue, isAtEnd(m, box, sums.origin, dim));
  loadConfigs[2] = LoadConfig{/*stride=*/0, /*blockStride=*/side};
  m.branch(isDue, [&] {
    Value first = m.mul(step, atOnce);
    Value left = m.sub(m.constant(sums.pixels()), first);
    const Interval &lines = sums.origin[Dim::P];
    m.forEach(m.min(m.constant(atOnce), left), side, [&](Value i, Value count) {
      Value pixel = m.add(first, i), hasSums = m.flag(true);
      // Of a tile that is cut short the other rows become the bias, by as many
      // moves.
      if (IndexMath::known(lines.size) != lines.nominal) {
        Value sum = m.mul(lines.size, sums.stride(Dim::P));
        hasSums = m.less(pixel, sum);
        count = m.max(m.constant(1), m.min(count, m.sub(sum, pixel)));
      }
      loadBias(m, sums, within(m, box, sums.origin, outChannel()),
               box[outChannel()].size, pixel, count, hasSums);
    });
  });
}

/// The chunk of `side` pixels that starts at `pixel`.
void StageEmitter::fetchBiasOfRun(const IndexMath &m, const PixelTile &tile,
                                  const Box &box, Value pixel) {
  int64_t side = nest.machine.side;
  loadConfigs[2] = LoadConfig{/*stride=*/0, /*blockStride=*/side};
  Value count = m.constant(std::min(side, tile.pixels()));
  if (tile.pixels() > side && tile.pixels() % side)
    count = m.min(count, m.sub(m.constant(tile.pixels()), pixel));
  m.branch(isFirstUseOfSums(m, tile, box), [&] {
    loadBias(m, tile, within(m, box, tile.origin, outChannel()),
             box[outChannel()].size, pixel, count);
  });
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
/// is plus that. Returns the stride that the loads need.
int64_t StageEmitter::loadSums(const IndexMath &m, const PixelTile &tile,
                               const Box &box, Value view, bool accumulates) {
  DramOperand source = dramOperand(view, stage.getWorkload().getOutputLayout());
  Value origin = originAddress(m, source, box);
  Value first = firstSum(m, tile, box);
  int64_t stride = 0;
  m.forEach(box[outChannel()].size, cols, [&](Value k, Value columns) {
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

void StageEmitter::store(StoreOp op, const Box &box) {
  IndexMath m = math(op.getLoc());
  const PixelTile &tile = nest.sumTiles[op.getAccumulator()];
  if (plan.stream.storesRuns || plan.staysInPlace())
    return; // They have left with the computes, or do not leave.
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

/// A run's columns leave once the last of them is complete.
void StageEmitter::storeRun(const IndexMath &m, const PixelTile &tile,
                            const Box &box, Value pixel, const Run &run) {
  const Box &origin = tile.origin;
  Value complete = m.flag(true);
  for (Dim dim : {Dim::C, Dim::R, Dim::S})
    complete = m.both(complete, isAtEnd(m, box, origin, dim));
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

/// Each move pools one row of `columns`, `stride` bytes (rows of the
/// scratchpad) apart.
void StageEmitter::configurePool(const IndexMath &m, const PixelTile &tile,
                                 const Interval &columns, int64_t stride) {
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
  const MaxPoolAttr pool = stage.getEpilogue().getPool();
  const PerAxis<Interval> pooled = pooledTile(m);
  Value view = plan.store.getDestination();
  std::optional<DramOperand> dram;
  if (!plan.handsOver())
    dram = dramOperand(view, stage.getWorkload().getOutputLayout());
  configurePool(m, tile, pooled[Axis::W],
                dram ? dram->byteStride('Q') : nest.machine.side);
  if (!loadConfigs[2]) // Zeros come from nowhere, so any will do.
    loadConfigs[2] = LoadConfig{/*stride=*/0, nest.machine.side};
  m.forEach(box[outChannel()].size, cols, [&](Value k, Value columns) {
    selectScales(m, box, k);
    Box at = box;
    at[outChannel()].offset = m.add(box[outChannel()].offset, k);
    for (Axis axis : kAllAxes)
      at[outputDim(axis)] = pooled[axis];
    m.forEach(box[Dim::N].size, 1, [&](Value n, Value) {
      Value image =
          sumRow(m, tile, m.mul(n, tile.stride(Dim::N)), m.floorDiv(k, cols));
      clearAround(m, tile, box, image, columns);
      at[Dim::N].offset = m.add(box[Dim::N].offset, n);
      m.forEach(pooled[Axis::H].size, 1, [&](Value i, Value) {
        Box row = at;
        row[Dim::P].offset = m.add(at[Dim::P].offset, i);
        Value from =
            accAddr(m, m.add(image, m.mul(i, pool.getStride() * tile.w)), {},
                    /*fullWidth=*/false);
        if (dram)
          gemmini::MvoutOp::create(builder, m.loc, from,
                                   toI64(m, originAddress(m, *dram, row)),
                                   m.constant(1), columns);
        else
          gemmini::MvoutSpadOp::create(
              builder, m.loc, from,
              spadAddr(m, windowRow(m, nest.pixelTiles[view], row)),
              m.constant(1), columns);
      });
    });
  });
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
