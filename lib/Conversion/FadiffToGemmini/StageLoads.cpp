//===- StageLoads.cpp - A layer's pieces into the scratchpad ------------===//
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

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

StageEmitter::InputAxis
StageEmitter::inputAxis(const IndexMath &m, const Box &box, Axis axis) const {
  const Interval &out = box[outputDim(axis)], &kernel = box[kernelDim(axis)];
  int64_t stride = layer.stride[axis], dilation = layer.dilation[axis];
  InputAxis result;
  result.base =
      m.sub(m.add(m.mul(out.offset, stride), m.mul(kernel.offset, dilation)),
            m.constant(layer.padLow[axis]));
  if (kernel.nominal == 1) {
    result.count = out.size;
    result.step = stride;
  } else {
    Value one = m.constant(1);
    result.count = m.add(m.add(m.mul(m.sub(out.size, one), stride),
                               m.mul(m.sub(kernel.size, one), dilation)),
                         one);
  }
  result.count = m.select(out.isEmpty(m), m.constant(0), result.count);
  result.clips = layer.readsPadding(axis);
  return result;
}

StageEmitter::InputSource StageEmitter::inputAt(const IndexMath &m, LoadOp op,
                                                const Box &box) const {
  InputSource from;
  from.h = inputAxis(m, box, Axis::H);
  from.w = inputAxis(m, box, Axis::W);
  PixelTile &tile = from.tile;
  tile.base = m.constant(op.getBuffer().getDefiningOp<AllocOp>().getBase());
  tile.origin = box;
  tile.n = box[Dim::N].nominal;
  for (Axis axis : kAllAxes) {
    int64_t out = box[outputDim(axis)].nominal;
    int64_t kernel = box[kernelDim(axis)].nominal;
    tile.compact[axis] = kernel == 1;
    (axis == Axis::H ? tile.h : tile.w) =
        kernel == 1 ? out : layer.window(axis, out, kernel);
  }
  tile.first = {from.h.base, from.w.base};
  if (inputRing) {
    from.kept = inputRing->loaded;
    tile.h = inputRing->lines;
    tile.first[Axis::H] = inputRing->first;
    tile.ringStart = ringStart(m, layer, inputRing->first, tile.h);
  }
  tile.blockChannels = depthwise ? cols : rows;
  tile.blockStride = tile.pixels();
  from.dram = dramOperand(op.getSource(), stage.getWorkload().getInputLayout());
  from.origin = originAddress(m, from.dram, box);
  if (!from.isByLine())
    from.origin = m.add(from.origin,
                        m.add(m.mul(from.h.base, from.dram.byteStride('H')),
                              m.mul(from.w.base, from.dram.byteStride('W'))));
  return from;
}

void StageEmitter::layOutInput() {
  if (LoadOp load = plan.input)
    nest.pixelTiles[load.getBuffer()] =
        inputAt(math(load.getLoc()), load, entry).tile;
}

void StageEmitter::beginInput(LoadOp op, const Box &box) {
  IndexMath m = math(op.getLoc());
  inputSource = inputAt(m, op, box);
  if (!inputRing && (plan.inputTurns || (run && !plan.compute)))
    turnInput(m, inputSource->tile, /*isNext=*/false);
  nest.pixelTiles[op.getBuffer()] = inputSource->tile;
  if (plan.inputAhead.loop)
    fetchPart(m, op, firstPart(m, op, plan.inputAhead, box));
  else if (!plan.compute)
    // Where tiles take turns, members have brought the others.
    m.branch(run ? run->isFirst : m.flag(true),
             [&] { loadInputPart(m, *inputSource, box); });
}

/// Moves `count` neighbouring pixels, `channels` of each: from `address` (of
/// the first pixel's first channel), or padding if it is null.
void StageEmitter::mvinRows(const IndexMath &m, const PixelTile &tile,
                            Value row, Value count, Value channels,
                            Value address) {
  const Value padding = nest.paddingRows.lookup(stage);
  // One move may span several blocks only if blocks are the array's width.
  int64_t side = nest.machine.side;
  int64_t width = tile.blockChannels == side && !tile.inAccumulator
                      ? nest.machine.maxMoveColumns() / side * side
                      : tile.blockChannels;
  m.forEach(channels, width, [&](Value channel, Value columns) {
    Value local = m.add(
        row, m.mul(m.floorDiv(channel, tile.blockChannels), tile.blockStride));
    // All channels of the padding are alike.
    Value from =
        address ? m.add(address, m.mul(channel, elementBytes())) : padding;
    if (from)
      from = toI64(m, from);
    gemmini::MvinOp::create(builder, m.loc, from,
                            tile.inAccumulator ? accAddr(m, local, {}, false)
                                               : spadAddr(m, local),
                            count, columns);
  });
}

/// The stored rows of an axis that the outputs before tile-relative `out` have
/// fetched: what lies up to the end of the last one's window, and of `ahead`
/// more.
Value StageEmitter::storedBefore(const IndexMath &m, Axis axis, Value out,
                                 int64_t ahead) const {
  const PixelTile &tile = inputSource->tile;
  Value count = (axis == Axis::H ? inputSource->h : inputSource->w).count;
  if (tile.compact[axis] && !ahead)
    return out;
  Value none = m.equal(out, m.constant(0));
  Value end = m.add(out, m.constant(ahead));
  if (!tile.compact[axis])
    end = m.add(
        m.add(m.mul(m.sub(end, m.constant(1)), layer.stride[axis]),
              m.mul(m.sub(tile.origin[kernelDim(axis)].size, m.constant(1)),
                    layer.dilation[axis])),
        m.constant(1));
  if (ahead)
    end = m.min(end, count);
  return builder.createOrFold<arith::SelectOp>(m.loc, none, m.constant(0), end);
}

/// All K of a box use the same input, and all taps of a window are fetched with
/// the first. Where pieces come ahead, only the first channels come with their
/// use.
Value StageEmitter::isFirstUseOfInput(const IndexMath &m,
                                      const Box &box) const {
  const Box &origin = inputSource->tile.origin;
  Value first = isAtOrigin(m, box, origin, {Dim::K, Dim::R, Dim::S});
  return m.both(first, plan.inputSpread
                           ? isAtOrigin(m, box, origin, {inChannel()})
                           : startsPiece(m, box, origin, inChannel(),
                                         plan.stream.inputChannels));
}

/// The channels that come with the first use of those in `box`.
Value StageEmitter::channelsOfPiece(const IndexMath &m, const Box &box) const {
  const Box &origin = inputSource->tile.origin;
  const int64_t piece = plan.stream.inputChannels;
  if (plan.inputSpread)
    return m.min(m.constant(piece), origin[inChannel()].size);
  return pieceSize(m, box, origin, inChannel(), piece);
}

void StageEmitter::fetchInput(const IndexMath &m, const Box &box) {
  if (!inputSource)
    return;
  const PixelTile &tile = inputSource->tile;
  const Box &origin = tile.origin;
  bool isWhole = plan.stream.input == StreamPieces::Whole;
  Value first = isFirstUseOfInput(m, box);
  if (isWhole)
    first = m.both(first, isAtOrigin(m, box, origin, {Dim::N, Dim::P, Dim::Q}));
  m.branch(m.both(first, bringsInput(m)), [&] {
    InputRegion region;
    auto slice = [&](Dim dim) -> std::pair<Value, Value> {
      if (isWhole)
        return {m.constant(0), origin[dim].size};
      return {within(m, box, origin, dim), box[dim].size};
    };
    region.n = slice(Dim::N);
    for (Axis axis : kAllAxes) {
      auto [start, size] = slice(outputDim(axis));
      // One line ahead.
      int64_t ahead = axis == Axis::H && !isWhole ? 1 : 0;
      Value low = storedBefore(m, axis, start, ahead);
      Value high = isWhole ? (axis == Axis::H ? inputSource->h.count
                                              : inputSource->w.count)
                           : storedBefore(m, axis, m.add(start, size), ahead);
      (axis == Axis::H ? region.h : region.w) = {low, m.sub(high, low)};
    }
    region.channel = within(m, box, origin, inChannel());
    region.channels = channelsOfPiece(m, box);
    loadRegion(m, *inputSource, region);
  });
}

/// What `part` touches of a tile, all taps of its windows.
void StageEmitter::loadInputPart(const IndexMath &m, const InputSource &from,
                                 const Box &part) {
  const Box &origin = from.tile.origin;
  InputRegion region;
  region.n = {within(m, part, origin, Dim::N), part[Dim::N].size};
  for (Axis axis : kAllAxes) {
    Dim dim = outputDim(axis);
    // Lines of windows come all together, those of single taps one by one.
    (axis == Axis::H ? region.h : region.w) =
        from.tile.compact[axis]
            ? std::pair(within(m, part, origin, dim), part[dim].size)
            : std::pair(m.constant(0),
                        (axis == Axis::H ? from.h : from.w).count);
  }
  region.channel = within(m, part, origin, inChannel());
  region.channels = part[inChannel()].size;
  loadRegion(m, from, region);
}

void StageEmitter::loadRegion(const IndexMath &m, const InputSource &from,
                              const InputRegion &region) {
  if (!from.isByLine())
    return loadDenseRegion(m, from, region);
  InputRegion rest = region;
  if (from.kept) {
    Value low = m.max(region.h.first, from.kept);
    Value end = m.add(region.h.first, region.h.second);
    rest.h = {low, m.max(m.constant(0), m.sub(end, low))};
  }
  loadRegionByLine(m, from, rest);
}

/// First local row of pixel (n, h, w) of the region, in its first block.
Value StageEmitter::regionRow(const IndexMath &m, const InputSource &from,
                              const InputRegion &region, Value n,
                              Value h) const {
  const PixelTile &tile = from.tile;
  // Of a ring others may read rows before this window's.
  if (tile.ringStart)
    h = m.add(h, m.sub(from.h.base, tile.first[Axis::H]));
  Value block = m.floorDiv(region.channel, tile.blockChannels);
  return m.add(
      m.add(tile.base, m.mul(block, tile.blockStride)),
      m.add(m.add(m.mul(n, tile.h * tile.w), m.mul(tile.line(m, h), tile.w)),
            region.w.first));
}

void StageEmitter::loadDenseRegion(const IndexMath &m, const InputSource &from,
                                   const InputRegion &region) {
  const PixelTile &tile = from.tile;
  int64_t strideN = from.dram.byteStride('N'),
          strideH = from.h.step * from.dram.byteStride('H'),
          strideW = from.w.step * from.dram.byteStride('W');
  Value address =
      m.add(m.add(from.origin, m.mul(region.channel, from.dram.elementBytes)),
            m.add(m.add(m.mul(region.n.first, strideN),
                        m.mul(region.h.first, strideH)),
                  m.mul(region.w.first, strideW)));
  Value row = regionRow(m, from, region, region.n.first, region.h.first);
  RowLoop run =
      walkRows(m,
               {{region.n.second, {tile.h * tile.w, strideN}},
                {region.h.second, {tile.w, strideH}},
                {region.w.second, {1, strideW}}},
               nest.machine.side, [&](const Run &run) {
                 mvinRows(m, tile, m.add(row, run.offsets[StreamPlace::Local]),
                          run.count, region.channels,
                          m.add(address, run.offsets[StreamPlace::Other]));
               });
  // Runs of one row have no stride; they agree with any.
  if (!loadConfigs[0] || run.strides[StreamPlace::Other])
    loadConfigs[0] =
        LoadConfig{run.strides[StreamPlace::Other], tile.blockStride};
}

/// What lies outside the stored input is zero-filled. Padding of another value
/// is fetched pixel by pixel: one mvin takes one row only of the constant, as
/// the image's stride holds for all of them.
void StageEmitter::loadRegionByLine(const IndexMath &m, const InputSource &from,
                                    const InputRegion &region) {
  const PixelTile &tile = from.tile;
  const InputAxis &h = from.h, &w = from.w;
  int64_t side = nest.machine.side;
  int64_t strideH = from.dram.byteStride('H'),
          strideW = from.dram.byteStride('W');
  Value zero = m.constant(0);
  // Of the region's columns [0, count), [low, high) lie inside the input.
  Value base = m.add(w.base, m.mul(region.w.first, w.step));
  Value width = region.w.second, low = zero, high = width;
  if (w.clips) {
    low = m.min(m.max(zero, m.ceilDivSigned(m.sub(zero, base), w.step)), width);
    Value extent = m.constant(layer.inputExtent[Axis::W]);
    high =
        m.max(low, m.min(width, m.ceilDivSigned(m.sub(extent, base), w.step)));
  }
  const bool isPaddingLoaded = nest.paddingRows.contains(stage);
  auto move = [&](Value row, Value count, Value address) {
    const int64_t most = !address && isPaddingLoaded ? 1 : side;
    m.forEach(count, most, [&](Value i, Value run) {
      Value source =
          address ? m.add(address, m.mul(i, w.step * strideW)) : Value();
      mvinRows(m, tile, m.add(row, i), run, region.channels, source);
    });
  };
  m.forEach(region.n.second, 1, [&](Value i, Value) {
    Value n = m.add(region.n.first, i);
    m.forEach(region.h.second, 1, [&](Value j, Value) {
      Value stored = m.add(region.h.first, j);
      Value row = regionRow(m, from, region, n, stored);
      Value line = m.add(h.base, m.mul(stored, h.step));
      Value inside = m.flag(true);
      if (h.clips)
        inside = m.both(m.less(m.constant(-1), line),
                        m.less(line, m.constant(layer.inputExtent[Axis::H])));
      m.branch(
          inside,
          [&] {
            Value first = m.add(base, m.mul(low, w.step));
            Value address = m.add(
                m.add(from.origin,
                      m.mul(region.channel, from.dram.elementBytes)),
                m.add(m.mul(n, from.dram.byteStride('N')),
                      m.add(m.mul(line, strideH), m.mul(first, strideW))));
            move(row, low, Value());
            move(m.add(row, low), m.sub(high, low), address);
            move(m.add(row, high), m.sub(width, high), Value());
          },
          [&] { move(row, width, Value()); });
    });
  });
  loadConfigs[0] = LoadConfig{w.step * strideW, tile.blockStride};
}

/// The piece that the runs at `box` read (compact tiles without padding only).
void StageEmitter::fetchInputRun(const IndexMath &m, const Box &box,
                                 Value inputRow, const Run &run) {
  const InputSource &from = *inputSource;
  const Box &origin = from.tile.origin;
  m.branch(m.both(isFirstUseOfInput(m, box), bringsInput(m)), [&] {
    Value address = from.origin;
    auto step = [&](Dim dim, int64_t bytes) {
      address = m.add(address, m.mul(within(m, box, origin, dim), bytes));
    };
    step(Dim::N, from.dram.byteStride('N'));
    step(Dim::P, from.h.step * from.dram.byteStride('H'));
    step(Dim::Q, from.w.step * from.dram.byteStride('W'));
    step(inChannel(), from.dram.elementBytes);
    mvinRows(m, from.tile, m.add(inputRow, run.offsets[StreamPlace::Other]),
             run.count, channelsOfPiece(m, box),
             m.add(address, run.offsets[StreamPlace::InputDram]));
  });
}

/// Padding in `count` rows of the tile from `row` on, in all blocks.
void StageEmitter::clearRows(const IndexMath &m, const PixelTile &tile,
                             Value row, Value count) {
  Value channels = tile.origin[inChannel()].size;
  m.forEach(count, nest.machine.side, [&](Value i, Value run) {
    mvinRows(m, tile, m.add(row, i), run, channels, Value());
  });
  // Zeros come from nowhere; a row of another value goes to all of a run.
  const bool isLoaded = nest.paddingRows.contains(stage);
  loadConfigs[0] = LoadConfig{isLoaded ? 0 : 1, tile.pixels()};
}

/// Of the window's rows (columns), [low, high) lie inside the stored input.
StageEmitter::InsideInput StageEmitter::insideInput(const IndexMath &m,
                                                    Axis axis) const {
  InputAxis window = inputAxis(m, entry, axis);
  Value zero = m.constant(0);
  Value extent = m.constant(layer.inputExtent[axis]);
  InsideInput result;
  result.count = m.add(m.mul(m.sub(window.count, m.constant(1)), window.step),
                       m.constant(1));
  result.low = m.min(m.max(zero, m.sub(zero, window.base)), result.count);
  result.high =
      m.max(result.low, m.min(result.count, m.sub(extent, window.base)));
  return result;
}

void StageEmitter::padInput(const PixelTile &tile, bool withColumns) {
  IndexMath m = math(stage.getLoc());
  const bool clipsRows = inputAxis(m, entry, Axis::H).clips;
  const bool clipsColumns = inputAxis(m, entry, Axis::W).clips;
  if (!clipsRows && !clipsColumns)
    return;
  InsideInput h = insideInput(m, Axis::H), w = insideInput(m, Axis::W);
  m.forEach(entry[Dim::N].size, 1, [&](Value n, Value) {
    Value image = m.add(tile.base, m.mul(n, tile.h * tile.w));
    auto clearLines = [&](Value first, Value count) {
      // Neighbours lie together, but in a ring; moves of anything but zeros are
      // counted line by line.
      if (!tile.ringStart && !nest.paddingRows.contains(stage))
        return clearRows(m, tile, m.add(image, m.mul(first, tile.w)),
                         m.mul(count, tile.w));
      Value ahead =
          m.sub(inputAxis(m, entry, Axis::H).base, tile.first[Axis::H]);
      m.forEach(count, 1, [&](Value i, Value) {
        Value line = tile.line(m, m.add(ahead, m.add(first, i)));
        clearRows(m, tile, m.add(image, m.mul(line, tile.w)), w.count);
      });
    };
    // What ends a line and begins the next one lies together, too.
    if (withColumns && clipsColumns && !tile.ringStart &&
        !nest.paddingRows.contains(stage) &&
        IndexMath::known(w.count) == tile.w) {
      Value all = m.mul(h.count, tile.w);
      Value begin = m.min(m.add(m.mul(h.low, tile.w), w.low), all);
      Value end = m.max(
          m.add(m.mul(m.sub(h.high, m.constant(1)), tile.w), w.high), begin);
      clearRows(m, tile, image, begin);
      clearRows(m, tile, m.add(image, end), m.sub(all, end));
      Value between = m.add(m.sub(w.count, w.high), w.low);
      return m.forEach(
          m.sub(m.sub(h.high, h.low), m.constant(1)), 1, [&](Value i, Value) {
            Value line = m.mul(m.add(h.low, i), tile.w);
            clearRows(m, tile, m.add(image, m.add(line, w.high)), between);
          });
    }
    clearLines(m.constant(0), h.low);
    clearLines(h.high, m.sub(h.count, h.high));
    if (!withColumns)
      return;
    m.forEach(m.sub(h.high, h.low), 1, [&](Value i, Value) {
      Value row = m.add(image, m.mul(m.add(h.low, i), tile.w));
      clearRows(m, tile, row, w.low);
      clearRows(m, tile, m.add(row, w.high), m.sub(w.count, w.high));
    });
  });
}

void StageEmitter::padColumns(const PixelTile &tile) {
  IndexMath m = math(stage.getLoc());
  if (!inputAxis(m, entry, Axis::W).clips)
    return;
  InsideInput w = insideInput(m, Axis::W);
  m.forEach(entry[Dim::N].size, 1, [&](Value n, Value) {
    Value image = m.add(tile.base, m.mul(n, tile.h * tile.w));
    m.forEach(tile.rows.size, 1, [&](Value i, Value) {
      Value first = m.sub(tile.rows.offset, tile.first[Axis::H]);
      Value line = tile.line(m, m.add(first, i));
      Value row = m.add(image, m.mul(line, tile.w));
      clearRows(m, tile, row, w.low);
      clearRows(m, tile, m.add(row, w.high), m.sub(w.count, w.high));
    });
  });
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

StageEmitter::WeightSource
StageEmitter::weightsAt(const IndexMath &m, LoadOp op, const Box &box) const {
  WeightSource from;
  WeightTile &tile = from.tile;
  tile.base = m.constant(op.getBuffer().getDefiningOp<AllocOp>().getBase());
  tile.origin = box;
  tile.s = box[Dim::S].nominal;
  tile.channels = box[inChannel()].nominal;
  if (!depthwise)
    tile.columnBlocks = llvm::divideCeil(box[Dim::K].nominal, cols);
  const WorkloadAttr workload = stage.getWorkload();
  const int64_t block = op.getWeightBlock();
  from.dram =
      dramOperand(op.getSource(), depthwise || block > 0
                                      ? workload.getBlockedWeightLayout()
                                      : workload.getWeightLayout().str());
  Box first = box;
  if (block > 0)
    first[Dim::K].offset = m.floorDiv(first[Dim::K].offset, block);
  from.origin = originAddress(m, from.dram, first);
  return from;
}

void StageEmitter::beginWeights(LoadOp op, const Box &box) {
  IndexMath m = math(op.getLoc());
  weightSource = weightsAt(m, op, box);
  if (plan.weightTurns)
    turnWeights(m, weightSource->tile, /*isNext=*/false);
  nest.weightTiles[op.getBuffer()] = weightSource->tile;
  loadConfigs[1] =
      LoadConfig{weightSource->dram.byteStride(depthwise ? 'G' : 'C'),
                 weightSource->tile.channels};
  if (plan.weightsAhead.loop)
    fetchPart(m, op, firstPart(m, op, plan.weightsAhead, box));
  else if (!plan.compute) // A group's weights that stay.
    loadWeightPart(m, *weightSource, box);
}

void StageEmitter::loadWeightPart(const IndexMath &m, const WeightSource &from,
                                  const Box &part) {
  Box move = part;
  auto forEach = [&](Dim dim, int64_t size, llvm::function_ref<void()> body) {
    m.forEach(part[dim].size, size, [&](Value first, Value count) {
      move[dim].offset = m.add(part[dim].offset, first);
      move[dim].size = count;
      body();
    });
  };
  forEach(otherTapDim(), 1, [&] {
    forEach(tapDim(), plan.stream.weightTaps, [&] {
      forEach(inChannel(), plan.stream.weightRows, [&] {
        if (depthwise)
          return loadWeights(m, from, move);
        forEach(Dim::K, plan.stream.weightColumns,
                [&] { loadWeights(m, from, move); });
      });
    });
  });
}

/// What of the tile is in `box`, in one move.
void StageEmitter::loadWeights(const IndexMath &m, const WeightSource &from,
                               const Box &box) {
  const WeightTile &tile = from.tile;
  auto at = [&](Dim dim) { return within(m, box, tile.origin, dim); };
  Value r = at(Dim::R), s = at(Dim::S), c = at(inChannel());
  Value k = depthwise ? m.constant(0) : at(Dim::K);
  const Value count = box[inChannel()].size;
  Value columns = depthwise ? count : box[Dim::K].size;
  if (plan.stream.weightTaps > 1)
    columns =
        m.mul(box[tapDim()].size, depthwise ? cols : plan.stream.weightColumns);
  Value address =
      m.add(m.add(from.origin, m.add(m.mul(r, from.dram.byteStride('R')),
                                     m.mul(s, from.dram.byteStride('S')))),
            m.add(m.mul(c, loadConfigs[1]->stride),
                  m.mul(k, from.dram.elementBytes)));
  Value block = m.add(m.mul(m.add(m.mul(r, tile.s), s), tile.columnBlocks),
                      m.floorDiv(k, cols));
  Value row = m.add(m.add(tile.base, m.mul(block, tile.channels)), c);
  gemmini::Mvin2Op::create(builder, m.loc, toI64(m, address), spadAddr(m, row),
                           count, columns);
}

void StageEmitter::fetchWeights(const IndexMath &m, const Box &box) {
  if (!weightSource)
    return;
  const Box &origin = weightSource->tile.origin;
  Box move = box;
  Value first = isAtOrigin(m, box, origin, {Dim::N, Dim::P, Dim::Q});
  SmallVector<std::pair<Dim, int64_t>, 3> pieces{
      {inChannel(), plan.stream.weightRows}};
  if (!depthwise)
    pieces.push_back({Dim::K, plan.stream.weightColumns});
  if (plan.stream.weightTaps > 1)
    pieces.push_back({tapDim(), plan.stream.weightTaps});
  for (auto [dim, size] : pieces)
    first = m.both(first, startsPiece(m, box, origin, dim, size));
  m.branch(m.both(first, bringsWeights(m)), [&] {
    for (auto [dim, size] : pieces)
      move[dim].size = pieceSize(m, box, origin, dim, size);
    loadWeights(m, *weightSource, move);
  });
}
