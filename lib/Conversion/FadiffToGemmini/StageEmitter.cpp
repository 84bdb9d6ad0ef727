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

Value fadiff::ringStart(const IndexMath &math, const Layer &layer, Value first,
                        int64_t lines) {
  return math.mod(math.add(first, math.constant(layer.padLow[Axis::H])), lines);
}

StageEmitter::StageEmitter(OpBuilder &builder, NestState &nest, StageOp stage,
                           const Box &entry, StageInput from)
    : builder(builder), nest(nest), stage(stage),
      layer(toLayer(stage.getWorkload())), depthwise(layer.isDepthwise()),
      rows(stage.getRows()), cols(stage.getCols()), entry(entry),
      inputRing(from.ring), ownsInput(from.isOwn), run(std::move(from.run)),
      nextInput(from.next), inputOfSlices(from.ofSlices) {
  auto distances = [&](Value view, StringRef layout, bool isInput) {
    PerDim<int64_t> steps;
    if (!view)
      return steps;
    if (isa<BufferType>(view.getType())) {
      const PixelTile window = nest.pixelTiles.lookup(view);
      for (Dim dim : {Dim::N, Dim::P, Dim::Q})
        steps[dim] = window.stride(dim);
      return steps;
    }
    DramOperand operand = dramOperand(view, layout);
    steps[Dim::N] = operand.byteStride('N');
    for (Axis axis : kAllAxes) {
      char letter =
          axis == Axis::H ? (isInput ? 'H' : 'P') : (isInput ? 'W' : 'Q');
      steps[outputDim(axis)] =
          operand.byteStride(letter) * (isInput ? layer.stride[axis] : 1);
    }
    return steps;
  };
  Value source, destination, spill, residual;
  if (inputOfSlices.load)
    source = inputOfSlices.load.getSource();
  walkOwn<LoadOp>(stage, [&](LoadOp load) {
    if (load.getOperand() == LoadedOperand::input)
      source = load.getSource();
  });
  walkOwn<StoreOp>(stage, [&](StoreOp store) {
    destination = store.getDestination();
    spill = store.getSpill();
  });
  walkOwn<InitOp>(stage, [&](InitOp init) { residual = init.getResidual(); });
  const StringRef outputLayout = stage.getWorkload().getOutputLayout();
  outputSteps = distances(destination, outputLayout, false);
  bool hasRing = inputRing || nest.pixelTiles.lookup(destination).ringStart;
  Value input;
  walkOwn<ComputeOp>(stage,
                     [&](ComputeOp compute) { input = compute.getInput(); });
  hasRing |= input && nest.pixelTiles.lookup(input).ringStart;
  skipBuffer = skipOf(stage);
  hasRing |= skipBuffer && nest.pixelTiles.lookup(skipBuffer).ringStart;
  auto tileIn = [&](Value buffer) -> const PixelTile * {
    auto it = nest.pixelTiles.find(buffer);
    return buffer && it != nest.pixelTiles.end() ? &it->second : nullptr;
  };
  // A tile that is there already lies as it was put there.
  Value foreign = ownsInput && source ? Value() : input;
  StageSetting setting;
  setting.entry = entry;
  setting.inputDram =
      distances(source, stage.getWorkload().getInputLayout(), true);
  setting.destination = outputSteps;
  setting.spillDram = distances(spill, outputLayout, false);
  setting.residualDram = distances(residual, outputLayout, false);
  setting.hasRing = hasRing;
  if (inputRing)
    setting.inputLines = inputRing->lines;
  setting.foreignInput = tileIn(foreign);
  setting.skip = tileIn(skipBuffer);
  setting.window = tileIn(destination);
  if (run) {
    setting.runs = run->runs;
    setting.freeRows = nest.machine.scratchpadRows() - run->freeRow;
  }
  setting.mostPooledRows = nest.storedPooled[Axis::H].nominal;
  setting.turns = nextInput.share;
  setting.ofSlices = inputOfSlices;
  auto planWith = [&](int64_t sumsBeside) {
    setting.sumsBeside = sumsBeside;
    return planStage(stage, setting, nest.machine);
  };
  plan = planWith(sumsBeside());
  // The rows may be there, but not where a second place would be: beside a
  // buffer that is larger than its tile, or with others in the way.
  if (plan.stream.sumsTurn && !toOtherPlace())
    plan = planWith(nest.machine.accumulatorRows());
  if (plan.init) {
    biasView = plan.init.getBias();
    residualView = plan.init.getResidual();
    spills = static_cast<bool>(plan.init.getSpill());
  }
  resume();
}

/// The outermost stage around: all inside of it are at work in turn.
static StageOp outermostAround(StageOp stage) {
  while (auto around = stage->getParentOfType<StageOp>())
    stage = around;
  return stage;
}

/// The stage's own sums; null if they lie in another one's window.
AllocOp StageEmitter::ownSums() const {
  AllocOp own;
  walkOwn<StoreOp>(stage, [&](StoreOp store) {
    if (!store.isInPlace())
      own = store.getAccumulator().getDefiningOp<AllocOp>();
  });
  return own;
}

/// What else of the accumulator is in use while the stage runs.
SmallVector<AllocOp> StageEmitter::allocsBeside() const {
  StageOp outermost = outermostAround(stage);
  SmallVector<AllocOp> beside;
  for (AllocOp alloc :
       stage->getParentOfType<LoopNestOp>().getBody().front().getOps<AllocOp>())
    if (alloc != ownSums() &&
        alloc.getType().getLevel() == MemoryLevel::accumulator &&
        llvm::any_of(alloc->getUsers(), [&](Operation *user) {
          return outermost->isProperAncestor(user);
        }))
      beside.push_back(alloc);
  return beside;
}

/// How far a second place for the stage's sums is from the first: above that or
/// below, as sums may begin at either end.
std::optional<int64_t> StageEmitter::toOtherPlace() const {
  AllocOp own = ownSums();
  const int64_t rows = own.getType().getRows();
  for (int64_t distance : {rows, -rows}) {
    const int64_t begin = int64_t(own.getBase()) + distance;
    if (begin >= 0 && begin + rows <= nest.machine.accumulatorRows() &&
        llvm::all_of(allocsBeside(), [&](AllocOp other) {
          const auto base = int64_t(other.getBase());
          return base >= begin + rows ||
                 base + other.getType().getRows() <= begin;
        }))
      return distance;
  }
  return std::nullopt;
}

/// Rows of the accumulator that others take while the stage runs, as
/// sumsBeside() of the schedule has them.
int64_t StageEmitter::sumsBeside() const {
  unsigned members = 0;
  outermostAround(stage).walk([&](ComputeOp) { ++members; });
  if (!nest.machine.handsOverInPlace() && members > 1)
    return nest.machine.accumulatorRows();
  int64_t rows = 0;
  if (ownSums() && nest.machine.handsOverInPlace())
    for (AllocOp alloc : allocsBeside())
      rows += alloc.getType().getRows();
  return rows;
}

void StageEmitter::resume() {
  anchors.push_back(math(stage.getLoc()).constant(0).getDefiningOp());
}

StageConfigs StageEmitter::configs() const {
  StageConfigs result;
  result.starts = anchors;
  result.execute = executeConfig;
  result.loads = loadConfigs;
  if (storeStride)
    result.store = storeConfig(*storeStride, !stage.getEpilogue().getScale());
  result.setsInput = setsInput;
  result.setsSums = setsSums;
  result.setsStore = setsStore || spills;
  result.clearedFirst = clearedFirst;
  return result;
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

StoreConfig StageEmitter::storeConfig(int64_t stride, bool fullWidth) const {
  return {stride, fullWidth, stage.getEpilogue(), storePool};
}

gemmini::ConfigLdOp fadiff::emitConfig(OpBuilder &builder, Location loc,
                                       unsigned id, const LoadConfig &config) {
  auto op = gemmini::ConfigLdOp::create(builder, loc, static_cast<int64_t>(id),
                                        config.stride, config.blockStride);
  op.setShrink(config.shrink);
  op.setScale(llvm::APFloat(config.scale));
  return op;
}

void fadiff::emitConfig(OpBuilder &builder, Location loc,
                        const StoreConfig &config) {
  if (config.fullWidth) {
    gemmini::ConfigStOp::create(builder, loc, config.stride);
    return;
  }
  EpilogueAttr epilogue = config.epilogue;
  auto op = gemmini::ConfigStOp::create(builder, loc, config.stride,
                                        epilogue.getRelu()
                                            ? gemmini::Activation::Relu
                                            : gemmini::Activation::None,
                                        epilogue.getOneScale());
  if (config.pool)
    op.setPoolAttr(config.pool);
  // Where there are scales of channels, each move says which ones it needs.
  const ReadOutFeatures features = epilogue.getFeatures();
  if (features.any() && !features.perChannel)
    gemmini::ConfigReadoutOp::create(builder, loc, /*first=*/Value(),
                                     epilogue.getZeroPoint(), epilogue.getLow(),
                                     epilogue.getHigh());
}

void fadiff::emitConfig(OpBuilder &builder, Location loc,
                        const ExecuteConfig &config) {
  auto op = gemmini::ConfigExOp::create(builder, loc,
                                        gemmini::Dataflow::WeightStationary);
  op.setAStride(config.inputRowStride);
  // Without a scale sums are read as they are.
  if (!config.epilogue || !config.epilogue.getScale())
    return;
  op.setScaleAttr(cast<FloatAttr>(config.epilogue.getScale()));
  if (config.epilogue.getRelu())
    op.setActivation(gemmini::Activation::Relu);
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
  operand.strides = nest.stridesOfView.lookup(view);
  return operand;
}

Value StageEmitter::originAddress(const IndexMath &m,
                                  const DramOperand &operand,
                                  const Box &box) const {
  Value address = operand.address;
  for (char axis : operand.layout)
    if (std::optional<Dim> dim = parseDim(std::string_view(&axis, 1)))
      address =
          m.add(address, m.mul(box[*dim].offset, operand.byteStride(axis)));
  return address;
}

SmallVector<RowLoop> StageEmitter::outputRows(const IndexMath &m,
                                              const Box &box,
                                              const PixelTile &tile,
                                              const DramOperand &dram) const {
  return {{box[Dim::N].size, {tile.stride(Dim::N), dram.byteStride('N')}},
          {box[Dim::P].size, {tile.stride(Dim::P), dram.byteStride('P')}},
          {box[Dim::Q].size, {1, dram.byteStride('Q')}}};
}

Value StageEmitter::within(const IndexMath &m, const Box &box,
                           const Box &origin, Dim dim) const {
  return m.sub(box[dim].offset, origin[dim].offset);
}

Value StageEmitter::isAtOrigin(const IndexMath &m, const Box &box,
                               const Box &origin, ArrayRef<Dim> dims) const {
  Value result = m.flag(true);
  for (Dim dim : dims)
    result =
        m.both(result, m.equal(within(m, box, origin, dim), m.constant(0)));
  return result;
}

Value StageEmitter::isAtEnd(const IndexMath &m, const Box &box,
                            const Box &origin, Dim dim) const {
  return m.equal(m.add(within(m, box, origin, dim), box[dim].size),
                 origin[dim].size);
}

/// Whether the box is the first of those that share a piece of `piece` elements
/// of `dim`. Offsets in a tile are multiples of the box's nominal size.
Value StageEmitter::startsPiece(const IndexMath &m, const Box &box,
                                const Box &origin, Dim dim,
                                int64_t piece) const {
  if (box[dim].nominal % piece == 0)
    return m.flag(true);
  Value offset = within(m, box, origin, dim);
  if (origin[dim].nominal > piece)
    offset = m.mod(offset, piece);
  return m.equal(offset, m.constant(0));
}

/// The size of the piece that starts at `box`.
Value StageEmitter::pieceSize(const IndexMath &m, const Box &box,
                              const Box &origin, Dim dim, int64_t piece) const {
  if (box[dim].nominal == piece)
    return box[dim].size;
  if (origin[dim].nominal <= piece)
    return origin[dim].size;
  return m.min(m.constant(piece),
               m.sub(origin[dim].size, within(m, box, origin, dim)));
}

//===----------------------------------------------------------------------===//
// Through the array
//===----------------------------------------------------------------------===//

void StageEmitter::load(LoadOp op, const Box &box) {
  if (op.getOperand() == LoadedOperand::input)
    beginInput(op, box);
  else
    beginWeights(op, box);
}

/// The innermost loops over pixels leave the weights in the array as they are.
Value StageEmitter::keepsWeights(const IndexMath &m) const {
  Value result = m.flag(false);
  for (const LoopState &loop : llvm::reverse(loops)) {
    if (isRelevant(Tensor::W, loop.dim))
      break;
    result = m.either(result, m.negate(m.equal(loop.offset, m.constant(0))));
  }
  return result;
}

void StageEmitter::compute(ComputeOp op, const Box &box) {
  IndexMath m = math(op.getLoc());
  const PixelTile sums = nest.sumTiles[op.getAccumulator()];
  if (!plan.weightsAhead.loop)
    fetchWeights(m, box);
  if (biasView && !residualView && !spills && !plan.stream.biasPerRun &&
      !addsLater()) {
    Value isDue =
        m.both(m.both(isFirstUseOfSums(m, sums, box), bringsBias(m)),
               isAtOrigin(m, box, sums.origin, {Dim::N, Dim::P, Dim::Q}));
    m.branch(isDue, [&] { fetchBias(m, sums, box, m.constant(0)); });
  }
  streamBox(m, op, box);
  if (addsLater())
    addLater(m, sums, box);
  if (storesLater())
    storeBefore(m, sums, box);
  if (loadsAhead())
    loadAhead(m, sums, box);
}

/// Past the weights of the box.
void StageEmitter::streamBox(const IndexMath &m, ComputeOp op, const Box &box) {
  Value isFirst = m.negate(keepsWeights(m));
  if (plan.stream.input == StreamPieces::Whole && !plan.inputAhead.loop)
    fetchInput(m, box);
  if (plan.stream.input != StreamPieces::Lines) {
    SmallVector<Value> ends{
        rowsOnInputRing(m, nest.pixelTiles[op.getInput()], box)};
    if (skipBuffer)
      ends.push_back(rowsOnOutputRing(m, nest.pixelTiles[skipBuffer], box));
    if (plan.stream.storesRuns && plan.handsOver())
      ends.push_back(rowsOnOutputRing(
          m, nest.pixelTiles[plan.store.getDestination()], box));
    return forEachStretch(m, box, ends, [&](const Box &part, Value start) {
      Value loads = m.both(isFirst, m.equal(start, m.constant(0)));
      auto stream = [&](bool stores) {
        return [&, stores] { streamRuns(m, op, part, loads, stores); };
      };
      if (plan.stream.joined == plan.stream.joinedToStore)
        return stream(plan.stream.storesRuns)();
      m.branch(leavesWithPasses(m, nest.sumTiles[op.getAccumulator()], box),
               stream(true), stream(false));
    });
  }
  m.forEach(box[Dim::N].size, 1, [&](Value n, Value one) {
    m.forEach(box[Dim::P].size, 1, [&](Value p, Value) {
      Box line = box;
      line[Dim::N] = {m.add(box[Dim::N].offset, n), one, 1};
      line[Dim::P] = {m.add(box[Dim::P].offset, p), one, 1};
      if (!plan.inputAhead.loop)
        fetchInput(m, line);
      Value zero = m.constant(0);
      streamRuns(m, op, line,
                 m.both(isFirst, m.both(m.equal(n, zero), m.equal(p, zero))),
                 plan.stream.storesRuns);
    });
  });
}

/// How many rows of the box can be read, at its tap, before the input's ring
/// starts over; null if it is none.
Value StageEmitter::rowsOnInputRing(const IndexMath &m, const PixelTile &input,
                                    const Box &box) const {
  if (!input.ringStart)
    return {};
  return input.linesBeforeEnd(m, inputLine(m, input, box, Axis::H),
                              layer.stride[Axis::H], box[Dim::P].size);
}

/// The same for the rows that the box hands over to a tile, or adds from it.
Value StageEmitter::rowsOnOutputRing(const IndexMath &m,
                                     const PixelTile &window,
                                     const Box &box) const {
  if (!window.ringStart)
    return {};
  Value row = m.sub(box[Dim::P].offset, window.first[Axis::H]);
  return window.linesBeforeEnd(m, row, 1, box[Dim::P].size);
}

/// Cuts the rows of `box` where rings start over: at each of `ends` (null ones
/// left out). `body` gets a part, which may be empty if it is
/// not the first, and how many rows come before it.
void StageEmitter::forEachStretch(
    const IndexMath &m, const Box &box, ArrayRef<Value> ends,
    llvm::function_ref<void(const Box &, Value)> body) {
  SmallVector<Value> cuts{m.constant(0)};
  for (Value end : ends)
    if (end)
      cuts.push_back(end);
  if (cuts.size() == 1 || box[Dim::P].nominal == 1)
    return body(box, m.constant(0));
  // In order.
  for (size_t end = cuts.size(); end > 2; --end)
    for (size_t k = 1; k + 1 < end; ++k) {
      Value less = m.min(cuts[k], cuts[k + 1]);
      cuts[k + 1] = m.max(cuts[k], cuts[k + 1]);
      cuts[k] = less;
    }
  cuts.push_back(box[Dim::P].size);
  m.forEach(m.constant(cuts.size() - 1), 1, [&](Value i, Value) {
    Value start = cuts[0], end = cuts[1];
    for (size_t k = 1; k + 1 < cuts.size(); ++k) {
      Value isNext = m.equal(i, m.constant(k));
      start = m.select(isNext, cuts[k], start);
      end = m.select(isNext, cuts[k + 1], end);
    }
    Box part = box;
    part[Dim::P].offset = m.add(box[Dim::P].offset, start);
    part[Dim::P].size = m.sub(end, start);
    body(part, start);
  });
}

Value StageEmitter::inputLine(const IndexMath &m, const PixelTile &input,
                              const Box &box, Axis axis) const {
  Value out = within(m, box, input.origin, outputDim(axis));
  const bool isRing = axis == Axis::H && input.ringStart;
  if (input.compact[axis] && !isRing)
    return out;
  const Dim kernel = kernelDim(axis);
  const int64_t stride = layer.stride[axis], dilation = layer.dilation[axis];
  if (ownsInput && !isRing)
    return m.add(m.mul(out, stride),
                 m.mul(within(m, box, input.origin, kernel), dilation));
  // Of a ring, or another stage's window: by coordinates of the stored input.
  return m.sub(m.add(m.mul(box[outputDim(axis)].offset, stride),
                     m.mul(box[kernel].offset, dilation)),
               m.add(input.first[axis], m.constant(layer.padLow[axis])));
}

/// Streams the box's pixels past one weight tile, which the first run loads if
/// `loadsWeights`. With `stores` outputs may leave with each run.
void StageEmitter::streamRuns(const IndexMath &m, ComputeOp op, const Box &box,
                              Value loadsWeights, bool stores) {
  const PixelTile input = nest.pixelTiles[op.getInput()];
  const PixelTile sums = nest.sumTiles[op.getAccumulator()];
  const WeightTile &weights = nest.weightTiles[op.getWeights()];
  int64_t side = nest.machine.side;

  // The box's first pixel and channel in each of the three places.
  Value channelBlock = m.floorDiv(within(m, box, input.origin, inChannel()),
                                  input.blockChannels);
  Value inputRow = m.add(
      m.add(input.base, m.mul(channelBlock, input.blockStride)),
      m.add(m.mul(within(m, box, input.origin, Dim::N), input.h * input.w),
            m.add(m.mul(input.line(m, inputLine(m, input, box, Axis::H)),
                        input.w),
                  inputLine(m, input, box, Axis::W))));
  Value columnBlock =
      m.floorDiv(within(m, box, sums.origin, outChannel()), cols);
  Value firstPixel = firstSum(m, sums, box);
  Value block = m.add(m.mul(within(m, box, weights.origin, Dim::R), weights.s),
                      within(m, box, weights.origin, Dim::S));
  if (!depthwise)
    block = m.add(m.mul(block, weights.columnBlocks),
                  m.floorDiv(within(m, box, weights.origin, Dim::K), cols));
  Value weightRow =
      m.add(weights.base, m.add(m.mul(block, weights.channels),
                                within(m, box, weights.origin, inChannel())));

  Value channels = box[inChannel()].size, columns = box[outChannel()].size;
  Value accumulates = m.flag(true);
  if (addsLater())
    accumulates =
        m.negate(m.both(loadsAhead() && spills ? isFirst(m, box)
                                               : isFirstUseOfSums(m, sums, box),
                        bringsBias(m)));
  else if (!biasView && !residualView)
    accumulates = m.negate(isFirst(m, box));
  Value none = gemmini::GarbageOp::create(builder, m.loc);
  Value weightAddr = spadAddr(m, weightRow);
  // A residual on chip goes in with the first products.
  const PixelTile *skip = skipBuffer ? &nest.pixelTiles[skipBuffer] : nullptr;
  Value skipRow, startsSums;
  if (skip) {
    skipRow = windowRow(m, *skip, box);
    startsSums = isFirst(m, box);
  }

  auto loopOver = [&](Dim dim, char in, int64_t rowStride, int64_t dramStep) {
    RowLoop loop{
        box[dim].size, {sums.stride(dim), rowStride, 0, 0}, box[dim].nominal};
    if (plan.stream.input == StreamPieces::Runs)
      loop.strides[StreamPlace::InputDram] =
          inputSource->dram.byteStride(in) * dramStep;
    if (stores)
      loop.strides[StreamPlace::Destination] = outputSteps[dim];
    if (skip)
      loop.strides[StreamPlace::Skip] = skip->stride(dim);
    return loop;
  };
  auto step = [&](Axis axis) {
    return input.compact[axis] ? 1 : layer.stride[axis];
  };
  RowLoop rows = walkRows(
      m,
      {loopOver(Dim::N, 'N', input.h * input.w, 1),
       loopOver(Dim::P, 'H', step(Axis::H) * input.w, layer.stride[Axis::H]),
       loopOver(Dim::Q, 'W', step(Axis::W), layer.stride[Axis::W])},
      side,
      [&](const Run &run) {
        if (plan.stream.input == StreamPieces::Runs && !plan.inputAhead.loop)
          fetchInputRun(m, box, inputRow, run);
        Value pixel = m.add(firstPixel, run.offsets[StreamPlace::Local]);
        if (plan.stream.biasPerRun)
          fetchBiasOfRun(m, sums, box, pixel);
        if (plan.stream.residualPerRun)
          fetchResidualOfRun(m, sums, box, pixel, run);
        // The weights stay in the array after the first run.
        Value first = m.both(loadsWeights, run.isFirst);
        Value stationary = builder.createOrFold<arith::SelectOp>(
            m.loc, first, weightAddr, none);
        Value to =
            accAddr(m, sumRow(m, sums, pixel, columnBlock), accumulates, false);
        gemmini::PreloadOp::create(builder, m.loc, stationary, channels,
                                   columns, to, run.count, columns);
        Value row = m.add(inputRow, run.offsets[StreamPlace::Other]);
        Value from =
            input.inAccumulator ? accAddr(m, row, {}, false) : spadAddr(m, row);
        Value added = none;
        if (skip)
          added = builder.createOrFold<arith::SelectOp>(
              m.loc, startsSums,
              spadAddr(m, m.add(skipRow, run.offsets[StreamPlace::Skip])),
              none);
        m.branch(
            first,
            [&] {
              gemmini::ComputePreloadedOp::create(builder, m.loc, from,
                                                  run.count, channels, added,
                                                  run.count, columns);
            },
            [&] {
              gemmini::ComputeAccumulatedOp::create(builder, m.loc, from,
                                                    run.count, channels, added,
                                                    run.count, columns);
            });
        if (stores)
          storeRun(m, sums, box, pixel, run);
      },
      plan.stream.leastFirst);
  // The bias of a tile that is cut short fills the rows of a whole one.
  if (plan.stream.biasPerRun && !IndexMath::known(rows.count))
    m.branch(m.both(isFirstUseOfSums(m, sums, box), bringsBias(m)), [&] {
      fetchBias(m, sums, box, m.mul(m.ceilDivSigned(rows.count, side), side));
    });
  executeConfig = {std::max<int64_t>(rows.strides[StreamPlace::Other], 1),
                   nest.epilogues.lookup(op.getInput())};
  // Runs of one row agree with any stride, such as that of the next tile.
  const int64_t stride = rows.strides[StreamPlace::InputDram];
  if (plan.stream.input == StreamPieces::Runs && !plan.inputAhead.loop &&
      (!loadConfigs[0] || stride))
    loadConfigs[0] = LoadConfig{stride, input.blockStride};
  if (!stores)
    return;
  int64_t distance =
      std::max<int64_t>(rows.strides[StreamPlace::Destination], 1);
  if (!storesLater()) // takeTurns() has said it
    storeStride = plan.handsOver() ? side : distance;
  for (gemmini::MvoutSpadOp move : handOvers)
    move.setDstStride(distance);
  handOvers.clear();
}
