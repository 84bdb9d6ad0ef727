//===- StageEmitter.cpp - Copies and computes of one layer ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StageEmitter.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

StageEmitter::StageEmitter(OpBuilder &builder, NestState &nest, StageOp stage,
                           const Box &entry)
    : builder(builder), nest(nest), stage(stage),
      layer(toLayer(stage.getWorkload())), depthwise(layer.isDepthwise()),
      rows(stage.getRows()), cols(stage.getCols()), entry(entry) {
  stage->walk([&](InitOp init) {
    biasView = init.getBias();
    spills = static_cast<bool>(init.getSpill());
  });
  anchor = math(stage.getLoc()).constant(0).getDefiningOp();
}

void StageEmitter::finish() {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(anchor);
  Location loc = stage.getLoc();
  if (inputRowStride) {
    auto config = gemmini::ConfigExOp::create(builder, loc,
                                              gemmini::Dataflow::WeightStationary);
    config.setAStride(*inputRowStride);
  }
  for (auto [id, config] : llvm::enumerate(loadConfigs))
    if (config)
      emitConfigLd(loc, id, *config);
  if (storeStride)
    emitConfigSt(loc, *storeStride, !stage.getEpilogue().getScale());
}

//===----------------------------------------------------------------------===//
// Small pieces
//===----------------------------------------------------------------------===//

Value StageEmitter::toI64(const IndexMath &m, Value index) const {
  return builder.createOrFold<arith::IndexCastOp>(m.loc, builder.getI64Type(),
                                                  index);
}

Value StageEmitter::spadAddr(const IndexMath &m, Value row) const {
  return gemmini::SpadAddrOp::create(builder, m.loc, row);
}

Value StageEmitter::accAddr(const IndexMath &m, Value row, Value accumulate,
                            bool fullWidth) const {
  std::optional<int64_t> decided =
      accumulate ? IndexMath::known(accumulate) : std::optional<int64_t>(0);
  if (decided)
    return gemmini::AccAddrOp::create(builder, m.loc, row,
                                      /*accumulate=*/*decided != 0, fullWidth);
  return gemmini::AccAddrOp::create(builder, m.loc, row, accumulate,
                                    /*accumulate=*/false, fullWidth);
}

void StageEmitter::emitConfigLd(Location loc, unsigned id,
                                const LoadConfig &config) {
  gemmini::ConfigLdOp::create(builder, loc, static_cast<int64_t>(id),
                              config.stride, config.blockStride);
}

void StageEmitter::emitConfigSt(Location loc, int64_t stride, bool fullWidth) {
  EpilogueAttr epilogue = stage.getEpilogue();
  if (fullWidth) {
    gemmini::ConfigStOp::create(builder, loc, stride);
    return;
  }
  gemmini::ConfigStOp::create(builder, loc, stride,
                              epilogue.getRelu() ? gemmini::Activation::Relu
                                                 : gemmini::Activation::None,
                              epilogue.getScale().getValue().convertToFloat());
}

/// Offsets are absolute, so the sums begin where all reduction offsets are 0
/// and end where all reach their bound.
Value StageEmitter::isFirst(const IndexMath &m, const Box &box) const {
  Value result = m.flag(true);
  for (Dim dim : {Dim::C, Dim::R, Dim::S})
    result = m.both(result, m.equal(box[dim].offset, m.constant(0)));
  return result;
}

Value StageEmitter::isLast(const IndexMath &m, const Box &box) const {
  Value result = m.flag(true);
  for (Dim dim : {Dim::C, Dim::R, Dim::S})
    result = m.both(result, m.equal(m.add(box[dim].offset, box[dim].size),
                                    m.constant(layer.dims[dim])));
  return result;
}

DramOperand StageEmitter::dramOperand(Value view, StringRef layout) const {
  auto type = cast<DramType>(view.getType());
  DramOperand operand;
  operand.address = nest.addressOfView.lookup(view);
  operand.layout = layout.str();
  operand.elementBytes = type.getElementType().getIntOrFloatBitWidth() / 8;
  operand.strides.assign(type.getShape().size(), 1);
  for (int64_t axis = static_cast<int64_t>(type.getShape().size()) - 2;
       axis >= 0; --axis)
    operand.strides[axis] =
        operand.strides[axis + 1] * type.getShape()[axis + 1];
  return operand;
}

Value StageEmitter::originAddress(const IndexMath &m,
                                  const DramOperand &operand,
                                  const Box &box) const {
  Value address = operand.address;
  for (char axis : operand.layout)
    if (std::optional<Dim> dim = parseDim(std::string_view(&axis, 1)))
      address = m.add(address,
                      m.mul(box[*dim].offset, operand.byteStride(axis)));
  return address;
}

SmallVector<RowLoop> StageEmitter::outputRows(const Box &box,
                                              const PixelTile &tile,
                                              int64_t strideN, int64_t strideP,
                                              int64_t strideQ) const {
  return {{box[Dim::N].size, tile.h * tile.w, strideN},
          {box[Dim::P].size, tile.w, strideP},
          {box[Dim::Q].size, 1, strideQ}};
}

//===----------------------------------------------------------------------===//
// Loads into the scratchpad
//===----------------------------------------------------------------------===//

void StageEmitter::load(LoadOp op, const Box &box) {
  if (op.getOperand() == LoadedOperand::input)
    loadInput(op, box);
  else
    loadWeights(op, box);
}

StageEmitter::InputAxis StageEmitter::inputAxis(const IndexMath &m,
                                                const Box &box,
                                                Axis axis) const {
  const Interval &out = box[outputDim(axis)], &kernel = box[kernelDim(axis)];
  int64_t stride = layer.stride[axis], dilation = layer.dilation[axis];
  InputAxis result;
  result.base = m.sub(m.add(m.mul(out.offset, stride),
                            m.mul(kernel.offset, dilation)),
                      m.constant(layer.padLow[axis]));
  if (kernel.nominal == 1) {
    result.count = out.size;
    result.step = stride;
  } else {
    Value one = m.constant(1);
    result.count =
        m.add(m.add(m.mul(m.sub(out.size, one), stride),
                    m.mul(m.sub(kernel.size, one), dilation)),
              one);
  }
  int64_t last = layer.window(axis, layer.dims[outputDim(axis)],
                              layer.dims[kernelDim(axis)]) -
                 layer.padLow[axis];
  result.clips = layer.padLow[axis] > 0 || last > layer.inputExtent[axis];
  return result;
}

/// Moves `rows` neighbouring pixels, all channels of the tile: from `address`
/// (of the first pixel's first channel), or zeros if it is null.
void StageEmitter::mvinRows(const IndexMath &m, const PixelTile &tile,
                            Value row, Value count, Value channels,
                            Value address) {
  // One move may span several blocks only if blocks are the array's width.
  int64_t width = tile.blockChannels == nest.machine.side
                      ? nest.machine.maxMoveColumns()
                      : tile.blockChannels;
  m.forEach(channels, width, [&](Value channel, Value columns) {
    Value local = m.add(
        row, m.mul(m.floorDiv(channel, tile.blockChannels), tile.pixels()));
    Value from = address ? toI64(m, m.add(address, channel)) : Value();
    gemmini::MvinOp::create(builder, m.loc, from, spadAddr(m, local), count,
                            columns);
  });
}

void StageEmitter::loadInput(LoadOp op, const Box &box) {
  IndexMath m = math(op.getLoc());
  InputAxis h = inputAxis(m, box, Axis::H), w = inputAxis(m, box, Axis::W);
  PixelTile tile;
  tile.base =
      m.constant(op.getBuffer().getDefiningOp<AllocOp>().getBase());
  tile.origin = box;
  tile.n = box[Dim::N].nominal;
  for (Axis axis : kAllAxes) {
    int64_t out = box[outputDim(axis)].nominal;
    int64_t kernel = box[kernelDim(axis)].nominal;
    tile.compact[axis] = kernel == 1;
    (axis == Axis::H ? tile.h : tile.w) =
        kernel == 1 ? out : layer.window(axis, out, kernel);
  }
  tile.blockChannels = depthwise ? cols : rows;
  nest.pixelTiles[op.getBuffer()] = tile;

  DramOperand source =
      dramOperand(op.getSource(), stage.getWorkload().getInputLayout());
  Value origin = originAddress(m, source, box);
  if (h.clips || w.clips)
    return loadClippedInput(m, tile, source, origin, box, h, w);

  int64_t strideH = source.byteStride('H'), strideW = source.byteStride('W');
  origin = m.add(origin,
                 m.add(m.mul(h.base, strideH), m.mul(w.base, strideW)));
  SmallVector<RowLoop> loops = {
      {box[Dim::N].size, tile.h * tile.w, source.byteStride('N')},
      {h.count, tile.w, h.step * strideH},
      {w.count, 1, w.step * strideW}};
  int64_t stride = walkRows(
      m, loops, nest.machine.side, [&](Value local, Value dram, Value count) {
        mvinRows(m, tile, m.add(tile.base, local), count,
                 box[inChannel()].size, m.add(origin, dram));
      });
  loadConfigs[0] = LoadConfig{stride, tile.pixels()};
}

/// Padding is not fetched: what lies outside the stored input is zero-filled.
void StageEmitter::loadClippedInput(const IndexMath &m, const PixelTile &tile,
                                    const DramOperand &source, Value origin,
                                    const Box &box, const InputAxis &h,
                                    const InputAxis &w) {
  int64_t side = nest.machine.side;
  int64_t strideH = source.byteStride('H'), strideW = source.byteStride('W');
  Value channels = box[inChannel()].size, zero = m.constant(0);
  // Stored columns [low, high) lie inside the input.
  Value low = zero, high = w.count;
  if (w.clips) {
    low = m.min(m.max(zero, m.ceilDivSigned(m.sub(zero, w.base), w.step)),
                w.count);
    Value extent = m.constant(layer.inputExtent[Axis::W]);
    high = m.max(low, m.min(w.count, m.ceilDivSigned(m.sub(extent, w.base),
                                                     w.step)));
  }
  auto move = [&](Value row, Value count, Value address) {
    m.forEach(count, side, [&](Value i, Value run) {
      Value from =
          address ? m.add(address, m.mul(i, w.step * strideW)) : Value();
      mvinRows(m, tile, m.add(row, i), run, channels, from);
    });
  };
  m.forEach(box[Dim::N].size, 1, [&](Value n, Value) {
    m.forEach(h.count, 1, [&](Value i, Value) {
      Value row = m.add(tile.base, m.add(m.mul(n, tile.h * tile.w),
                                         m.mul(i, tile.w)));
      Value line = m.add(h.base, m.mul(i, h.step));
      Value inside = m.flag(true);
      if (h.clips)
        inside = m.both(
            m.less(m.constant(-1), line),
            m.less(line, m.constant(layer.inputExtent[Axis::H])));
      m.branch(
          inside,
          [&] {
            Value first = m.add(w.base, m.mul(low, w.step));
            Value address = m.add(
                origin, m.add(m.mul(n, source.byteStride('N')),
                              m.add(m.mul(line, strideH),
                                    m.mul(first, strideW))));
            move(row, low, Value());
            move(m.add(row, low), m.sub(high, low), address);
            move(m.add(row, high), m.sub(w.count, high), Value());
          },
          [&] { move(row, w.count, Value()); });
    });
  });
  loadConfigs[0] = LoadConfig{w.step * strideW, tile.pixels()};
}

void StageEmitter::loadWeights(LoadOp op, const Box &box) {
  IndexMath m = math(op.getLoc());
  WeightTile tile;
  tile.base = m.constant(op.getBuffer().getDefiningOp<AllocOp>().getBase());
  tile.origin = box;
  tile.s = box[Dim::S].nominal;
  tile.channels = box[inChannel()].nominal;
  if (!depthwise)
    tile.columnBlocks = llvm::divideCeil(box[Dim::K].nominal, cols);
  nest.weightTiles[op.getBuffer()] = tile;

  std::string layout = stage.getWorkload().getWeightLayout().str();
  // J: the columns of a depthwise layer's block-diagonal rows.
  if (depthwise)
    layout += 'J';
  DramOperand source = dramOperand(op.getSource(), layout);
  Value origin = originAddress(m, source, box);
  int64_t channelStride = source.byteStride(depthwise ? 'G' : 'C');
  auto moveRows = [&](Value address, Value row) {
    // A depthwise block is square; else rows of C by columns of K.
    m.forEach(box[inChannel()].size, depthwise ? cols : nest.machine.side,
              [&](Value channel, Value count) {
      Value from = m.add(address, m.mul(channel, channelStride));
      Value to = m.add(row, channel);
      if (depthwise) {
        gemmini::Mvin2Op::create(builder, m.loc, toI64(m, from),
                                 spadAddr(m, to), count, count);
        return;
      }
      int64_t width = cols == nest.machine.side ? nest.machine.maxMoveColumns()
                                                : cols;
      m.forEach(box[Dim::K].size, width, [&](Value k, Value columns) {
        Value block = m.mul(m.floorDiv(k, cols), tile.channels);
        gemmini::Mvin2Op::create(builder, m.loc, toI64(m, m.add(from, k)),
                                 spadAddr(m, m.add(to, block)), count, columns);
      });
    });
  };
  m.forEach(box[Dim::R].size, 1, [&](Value r, Value) {
    m.forEach(box[Dim::S].size, 1, [&](Value s, Value) {
      Value tap = m.add(m.mul(r, tile.s), s);
      moveRows(m.add(origin, m.add(m.mul(r, source.byteStride('R')),
                                   m.mul(s, source.byteStride('S')))),
               m.add(tile.base,
                     m.mul(tap, tile.columnBlocks * tile.channels)));
    });
  });
  loadConfigs[1] = LoadConfig{channelStride, tile.channels};
}

//===----------------------------------------------------------------------===//
// The accumulator tile
//===----------------------------------------------------------------------===//

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
  nest.pixelTiles[op.getAccumulator()] = tile;

  auto bias = [&] {
    if (op.getBias())
      loadBias(m, op, tile, box);
  };
  if (!spills)
    return bias();
  m.branch(isFirst(m, box), bias,
           [&] { reloadPartialSums(m, op, tile, box); });
}

/// Every row of the tile gets the bias: one DRAM row, broadcast.
void StageEmitter::loadBias(const IndexMath &m, InitOp op,
                            const PixelTile &tile, const Box &box) {
  int64_t side = nest.machine.side;
  LoadConfig config{/*stride=*/0, /*blockStride=*/side};
  if (spills)
    emitConfigLd(m.loc, 2, config);
  else
    loadConfigs[2] = config;
  Value index = box[outChannel()].offset;
  if (!depthwise)
    index = m.add(index, m.mul(box[Dim::G].offset, layer.dims[Dim::K]));
  Value bias =
      m.add(nest.addressOfView.lookup(op.getBias()), m.mul(index, 4));
  m.forEach(box[outChannel()].size, cols, [&](Value k, Value columns) {
    Value block =
        m.add(tile.base, m.mul(m.floorDiv(k, cols), tile.pixels()));
    Value from = toI64(m, m.add(bias, m.mul(k, 4)));
    m.forEach(m.constant(tile.pixels()), side, [&](Value row, Value count) {
      gemmini::Mvin3Op::create(builder, m.loc, from,
                               accAddr(m, m.add(block, row), {}, false), count,
                               columns);
    });
  });
}

void StageEmitter::reloadPartialSums(const IndexMath &m, InitOp op,
                                     const PixelTile &tile, const Box &box) {
  DramOperand source =
      dramOperand(op.getSpill(), stage.getWorkload().getOutputLayout());
  Value origin = originAddress(m, source, box);
  // What is read back was written by the accelerator itself.
  gemmini::FenceOp::create(builder, m.loc);
  Operation *start = m.constant(0).getDefiningOp();
  int64_t stride = 0;
  m.forEach(box[outChannel()].size, cols, [&](Value k, Value columns) {
    Value block =
        m.add(tile.base, m.mul(m.floorDiv(k, cols), tile.pixels()));
    stride = walkRows(
        m,
        outputRows(box, tile, source.byteStride('N'), source.byteStride('P'),
                   source.byteStride('Q')),
        nest.machine.side, [&](Value local, Value dram, Value count) {
          Value from = m.add(origin, m.add(dram, m.mul(k, 4)));
          gemmini::Mvin3Op::create(builder, m.loc, toI64(m, from),
                                   accAddr(m, m.add(block, local), {}, false),
                                   count, columns);
        });
  });
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(start);
  emitConfigLd(m.loc, 2, {stride, nest.machine.side});
}

void StageEmitter::compute(ComputeOp op, const Box &box) {
  IndexMath m = math(op.getLoc());
  PixelTile input = nest.pixelTiles[op.getInput()];
  const PixelTile &sums = nest.pixelTiles[op.getAccumulator()];
  const WeightTile &weights = nest.weightTiles[op.getWeights()];
  auto within = [&](const Box &origin, Dim dim) {
    return m.sub(box[dim].offset, origin[dim].offset);
  };

  // The box's first pixel and channel in each of the three places.
  auto inputLine = [&](Axis axis) {
    Value out = within(input.origin, outputDim(axis));
    if (input.compact[axis])
      return out;
    return m.add(m.mul(out, layer.stride[axis]),
                 m.mul(within(input.origin, kernelDim(axis)),
                       layer.dilation[axis]));
  };
  Value channelBlock =
      m.floorDiv(within(input.origin, inChannel()), input.blockChannels);
  Value inputRow = m.add(
      m.add(input.base, m.mul(channelBlock, input.pixels())),
      m.add(m.mul(within(input.origin, Dim::N), input.h * input.w),
            m.add(m.mul(inputLine(Axis::H), input.w), inputLine(Axis::W))));
  Value columnBlock = m.floorDiv(within(sums.origin, outChannel()), cols);
  Value sumRow = m.add(
      m.add(sums.base, m.mul(columnBlock, sums.pixels())),
      m.add(m.mul(within(sums.origin, Dim::N), sums.h * sums.w),
            m.add(m.mul(within(sums.origin, Dim::P), sums.w),
                  within(sums.origin, Dim::Q))));
  Value tap = m.add(m.mul(within(weights.origin, Dim::R), weights.s),
                    within(weights.origin, Dim::S));
  Value block = tap;
  if (!depthwise)
    block = m.add(m.mul(tap, weights.columnBlocks),
                  m.floorDiv(within(weights.origin, Dim::K), cols));
  Value weightRow = m.add(weights.base,
                          m.add(m.mul(block, weights.channels),
                                within(weights.origin, inChannel())));

  Value channels = box[inChannel()].size, columns = box[outChannel()].size;
  Value accumulates =
      biasView ? m.flag(true) : m.negate(isFirst(m, box));
  Value none = gemmini::GarbageOp::create(builder, m.loc);
  Value weightAddr = spadAddr(m, weightRow);
  auto stride = [&](Axis axis) {
    return input.compact[axis] ? 1 : layer.stride[axis];
  };
  SmallVector<RowLoop> loops =
      outputRows(box, sums, input.h * input.w, stride(Axis::H) * input.w,
                 stride(Axis::W));
  int64_t rowStride = walkRows(
      m, loops, nest.machine.side,
      [&](Value sumOffset, Value inputOffset, Value count) {
        // The weights stay in the array after the first run.
        Value first = m.equal(sumOffset, m.constant(0));
        Value stationary =
            builder.createOrFold<arith::SelectOp>(m.loc, first, weightAddr, none);
        Value to = accAddr(m, m.add(sumRow, sumOffset), accumulates, false);
        gemmini::PreloadOp::create(builder, m.loc, stationary, channels,
                                   columns, to, count, columns);
        Value from = spadAddr(m, m.add(inputRow, inputOffset));
        m.branch(
            first,
            [&] {
              gemmini::ComputePreloadedOp::create(builder, m.loc, from, count,
                                                  channels, none, count,
                                                  columns);
            },
            [&] {
              gemmini::ComputeAccumulatedOp::create(builder, m.loc, from,
                                                    count, channels, none,
                                                    count, columns);
            });
      });
  inputRowStride = std::max<int64_t>(rowStride, 1);
}

//===----------------------------------------------------------------------===//
// Out of the accumulator
//===----------------------------------------------------------------------===//

void StageEmitter::store(StoreOp op, const Box &box) {
  IndexMath m = math(op.getLoc());
  const PixelTile &tile = nest.pixelTiles[op.getAccumulator()];
  if (isa<BufferType>(op.getDestination().getType()))
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
  DramOperand target =
      dramOperand(view, stage.getWorkload().getOutputLayout());
  Value origin = originAddress(m, target, box);
  Operation *start = m.constant(0).getDefiningOp();
  int64_t stride = 0;
  m.forEach(box[outChannel()].size, cols, [&](Value k, Value columns) {
    Value block =
        m.add(tile.base, m.mul(m.floorDiv(k, cols), tile.pixels()));
    stride = walkRows(
        m,
        outputRows(box, tile, target.byteStride('N'), target.byteStride('P'),
                   target.byteStride('Q')),
        nest.machine.side, [&](Value local, Value dram, Value count) {
          Value to = m.add(origin, m.add(dram, m.mul(k, target.elementBytes)));
          gemmini::MvoutOp::create(builder, m.loc,
                                   accAddr(m, m.add(block, local), {}, fullWidth),
                                   toI64(m, to), count, columns);
        });
  });
  stride = std::max<int64_t>(stride, 1);
  if (!inlineConfig) {
    storeStride = stride;
    return;
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(start);
  emitConfigSt(m.loc, stride, fullWidth);
}

void StageEmitter::storeOnChip(const IndexMath &m, const PixelTile &tile,
                               const Box &box, Value buffer) {
  const PixelTile &window = nest.pixelTiles[buffer];
  Value corner = m.add(
      window.base,
      m.mul(m.sub(box[Dim::N].offset, window.origin[Dim::N].offset),
            window.h * window.w));
  corner = m.add(
      corner,
      m.add(m.mul(m.sub(box[Dim::P].offset, window.first[Axis::H]), window.w),
            m.sub(box[Dim::Q].offset, window.first[Axis::W])));
  m.forEach(box[outChannel()].size, cols, [&](Value k, Value columns) {
    Value from =
        m.add(tile.base, m.mul(m.floorDiv(k, cols), tile.pixels()));
    Value block = m.floorDiv(m.add(box[outChannel()].offset, k),
                             window.blockChannels);
    Value to = m.add(corner, m.mul(block, window.pixels()));
    SmallVector<gemmini::MvoutSpadOp> moves;
    int64_t stride = walkRows(
        m, outputRows(box, tile, window.h * window.w, window.w, 1),
        nest.machine.side, [&](Value local, Value remote, Value count) {
          moves.push_back(gemmini::MvoutSpadOp::create(
              builder, m.loc, accAddr(m, m.add(from, local), {}, false),
              spadAddr(m, m.add(to, remote)), count, columns));
        });
    for (gemmini::MvoutSpadOp move : moves)
      move.setDstStride(std::max<int64_t>(stride, 1));
  });
  storeStride = nest.machine.side;
}

void StageEmitter::padInput(const PixelTile &tile) {
  IndexMath m = math(stage.getLoc());
  InputAxis h = inputAxis(m, entry, Axis::H), w = inputAxis(m, entry, Axis::W);
  if (!h.clips && !w.clips)
    return;
  Value channels = m.constant(layer.dims[inChannel()]), zero = m.constant(0);
  auto clear = [&](Value row, Value count) {
    m.forEach(count, nest.machine.side, [&](Value i, Value run) {
      mvinRows(m, tile, m.add(row, i), run, channels, Value());
    });
  };
  // Of the window's rows (columns), [low, high) lie inside the stored input.
  auto inside = [&](const InputAxis &axis, int64_t extent) {
    Value count = m.add(m.mul(m.sub(axis.count, m.constant(1)), axis.step),
                        m.constant(1));
    Value low = m.min(m.max(zero, m.sub(zero, axis.base)), count);
    Value high = m.max(low, m.min(count, m.sub(m.constant(extent), axis.base)));
    return std::make_tuple(low, high, count);
  };
  Value top, bottom, rows, left, right, columns;
  std::tie(top, bottom, rows) = inside(h, layer.inputExtent[Axis::H]);
  std::tie(left, right, columns) = inside(w, layer.inputExtent[Axis::W]);
  m.forEach(entry[Dim::N].size, 1, [&](Value n, Value) {
    Value image = m.add(tile.base, m.mul(n, tile.h * tile.w));
    clear(image, m.mul(top, tile.w));
    clear(m.add(image, m.mul(bottom, tile.w)),
          m.mul(m.sub(rows, bottom), tile.w));
    m.forEach(m.sub(bottom, top), 1, [&](Value i, Value) {
      Value row = m.add(image, m.mul(m.add(top, i), tile.w));
      clear(row, left);
      clear(m.add(row, right), m.sub(columns, right));
    });
  });
  loadConfigs[0] = LoadConfig{1, tile.pixels()};
}
