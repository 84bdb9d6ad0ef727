//===- FadiffToGemmini.cpp - Loop nests to instructions -------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks the tree of a fadiff.loop_nest with the current box and lets the stage
// emitter turn each copy and compute into gemmini ops.
//
//===----------------------------------------------------------------------===//

#include "StageEmitter.h"
#include "fadiff/Conversion/Passes.h"
#include "fadiff/Dialect/Fadiff/IR/NestVerifier.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"

namespace fadiff {
#define GEN_PASS_DEF_LOWERTOGEMMINIPASS
#include "fadiff/Conversion/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

namespace {
class NestLowering {
public:
  NestLowering(LoopNestOp op, const Accelerator &machine)
      : builder(op), op(op) {
    nest.machine = machine;
  }

  LogicalResult run(int64_t regionId) {
    if (failed(checkOperands()) || failed(verifyNest(op, nest.machine)))
      return failure();
    findMembers();
    IndexMath m(builder, op.getLoc());
    gemmini::RegionOp::create(builder, op.getLoc(), regionId, name());
    // What the host wrote must be in DRAM before it is loaded, and the other
    // way round.
    gemmini::FenceOp::create(builder, op.getLoc());
    findAddresses(m);
    findPadding(m);
    if (failed(loadScales(m)))
      return failure();
    Operation *start = m.constant(0).getDefiningOp();
    if (op.getKeepRows())
      tieAlongRows();
    emit(op.getBody().front(), wholeOfGroup(m), nullptr);
    clearSums(start);
    emitConfigs(start);
    gemmini::FenceOp::create(builder, op.getLoc());
    return success();
  }

private:
  void findMembers() {
    members = computingStages(op);
    const auto [network, group] = toGroup(op, members);
    layers = network.layers;
    flow = flowOf(network, group);
  }

  /// The stage that reads what the member hands over, if it does.
  StageOp readerOf(size_t member) {
    const std::optional<size_t> output = flow.members[member].output;
    return output ? members[flow.tiles[*output].reader] : StageOp();
  }
  /// Whether outputs are pooled on their way to DRAM.
  bool poolsOutput() const { return layers.back().pool.has_value(); }

  std::string name() {
    std::string result;
    for (StageOp stage : members)
      result += (result.empty() ? "" : "+") + stage.getName().str();
    return result;
  }

  Box wholeOf(const Layer &layer) {
    IndexMath m(builder, op.getLoc());
    Box box;
    for (Dim dim : kAllDims)
      box[dim] = {m.constant(0), m.constant(layer.dims[dim]), layer.dims[dim]};
    return box;
  }

  /// What the loops outside of stages cut: the last layer's outputs, pooled on
  /// their way if they are.
  Box wholeOfGroup(const IndexMath &m) {
    Box whole = wholeOf(layers.back());
    for (Axis axis : kAllAxes) {
      const int64_t stored = layers.back().readExtent(axis);
      whole[outputDim(axis)] = {m.constant(0), m.constant(stored), stored};
    }
    if (keptTiles) { // The first members run ahead of the last one.
      const int64_t ahead = keptTiles->leadTrips() * rowStep;
      Interval &rows = whole[Dim::P];
      rows.offset = m.constant(-ahead);
      rows.size = m.constant(ahead + rows.nominal);
    }
    return whole;
  }

  /// Whether rows of the operands can be moved as they lie in memory.
  LogicalResult checkOperands() {
    for (OpOperand &use : op->getOpOperands()) {
      Value operand = use.get();
      auto type = dyn_cast<MemRefType>(operand.getType());
      if (!type)
        return op.emitError("wanted operands in memory; found ")
               << operand.getType() << "; bufferize first";
      std::optional<SmallVector<int64_t>> strides = getRowStrides(type);
      if (!strides)
        return op.emitError(
                   "wanted operands with static strides whose innermost "
                   "axis has no gaps; found ")
               << type << "; copy them to a dense buffer";
      if (op.isDpsInit(&use) && mayOverlap(type.getShape(), *strides))
        return op.emitError("wanted outs without overlap; found ")
               << type << "; store to a dense buffer";
    }
    return success();
  }

  void findAddresses(const IndexMath &m) {
    for (auto [operand, view] :
         llvm::zip(op->getOperands(), op.getBody().getArguments())) {
      nest.addressOfView[view] = addressOf(m, operand);
      nest.stridesOfView[view] =
          *getRowStrides(cast<MemRefType>(operand.getType()));
    }
  }

  /// The constant rows that padding is made of.
  void findPadding(const IndexMath &m) {
    op->walk([&](StageOp stage) {
      const int64_t value = stage.getWorkload().getPadValue();
      const auto *it = llvm::find(members, stage);
      if (value == 0 || (it == members.end() && !ownerOfInputIn(stage)))
        return;
      // The array scales the sums that it reads in place.
      EpilogueAttr epilogue;
      if (it != members.end())
        if (std::optional<size_t> producer =
                inPlaceProducerOf(it - members.begin()))
          epilogue = members[*producer].getEpilogue();
      if (epilogue)
        nest.paddingRows[stage] = addressOf(
            m,
            paddingRow(builder.getI32IntegerAttr(*sumReadAs(value, epilogue))));
      else
        nest.paddingRows[stage] = addressOf(
            m, paddingRow(builder.getIntegerAttr(builder.getI8Type(), value)));
    });
  }

  /// Brings the scales of all members into the store unit, one after the other.
  LogicalResult loadScales(const IndexMath &m) {
    int64_t first = 0;
    for (StageOp stage : members) {
      DenseFPElementsAttr scales = stage.getEpilogue().getChannelScales();
      if (!scales)
        continue;
      const int64_t count = scales.getNumElements();
      if (first + count > nest.machine.readOut.scales)
        return op.emitError("its stages have more than ")
               << nest.machine.readOut.scales << " scales of channels, found "
               << first + count << " up to stage \"" << stage.getName()
               << "\"; '" << nest.machine.name
               << "' holds no more at once, so cut the group";
      nest.firstScales[stage] = first;
      gemmini::MvinScalesOp::create(
          builder, m.loc,
          arith::IndexCastOp::create(builder, m.loc, builder.getI64Type(),
                                     addressOf(m, constantOf(scales))),
          first, count);
      first += count;
    }
    return success();
  }

  /// A constant in memory, one for all nests that have the same scales.
  Value constantOf(DenseFPElementsAttr scales) {
    auto memory = MemRefType::get(scales.getType().getShape(),
                                  scales.getType().getElementType());
    auto module = op->getParentOfType<ModuleOp>();
    memref::GlobalOp global;
    for (auto known : module.getOps<memref::GlobalOp>())
      if (known.getConstant() && known.getInitialValue() == scales)
        global = known;
    OpBuilder::InsertionGuard guard(builder);
    if (!global) {
      // Its table gives it a name that is free.
      builder.clearInsertionPoint();
      global = memref::GlobalOp::create(builder, op.getLoc(), "fadiff_scales",
                                        builder.getStringAttr("private"),
                                        memory, scales, /*constant=*/true,
                                        builder.getI64IntegerAttr(64));
      SymbolTable(module).insert(global, module.getBody()->begin());
    }
    builder.setInsertionPoint(op);
    return memref::GetGlobalOp::create(builder, op.getLoc(), global.getType(),
                                       global.getSymName());
  }

  /// The member whose sums `member` reads where they are, if it does.
  std::optional<size_t> inPlaceProducerOf(size_t member) {
    std::optional<size_t> producer =
        flow.tiles[flow.members[member].input].producer;
    if (!producer)
      return std::nullopt;
    bool isInPlace = false;
    walkOwn<StoreOp>(members[*producer],
                     [&](StoreOp store) { isInPlace = store.isInPlace(); });
    return isInPlace ? producer : std::nullopt;
  }

  /// A constant in memory of as many elements as one mvin takes, all `element`.
  Value paddingRow(IntegerAttr element) {
    const int64_t count =
        std::max(nest.machine.maxMoveColumns(), nest.machine.side);
    auto type = RankedTensorType::get({count}, element.getType());
    auto memory = MemRefType::get({count}, element.getType());
    auto module = op->getParentOfType<ModuleOp>();
    const std::string name =
        ("fadiff_padding_" + Twine(element.getType().getIntOrFloatBitWidth()) +
         (element.getInt() < 0 ? "_minus_" : "_") +
         Twine(std::abs(element.getInt())))
            .str();
    OpBuilder::InsertionGuard guard(builder);
    auto global = module.lookupSymbol<memref::GlobalOp>(name);
    if (!global || global.getType() != memory) {
      builder.setInsertionPointToStart(module.getBody());
      global = memref::GlobalOp::create(
          builder, op.getLoc(), name, builder.getStringAttr("private"), memory,
          DenseElementsAttr::get(type, element), /*constant=*/true,
          builder.getI64IntegerAttr(64));
      SymbolTable(module).insert(global);
    }
    builder.setInsertionPoint(op);
    return memref::GetGlobalOp::create(builder, op.getLoc(), memory,
                                       global.getSymName());
  }

  /// Address of the first element, in bytes.
  Value addressOf(const IndexMath &m, Value operand) {
    auto type = cast<MemRefType>(operand.getType());
    Value base =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, m.loc, operand);
    auto [strides, offset] = type.getStridesAndOffset();
    if (offset == 0)
      return base;
    Value elements =
        ShapedType::isDynamic(offset)
            ? memref::ExtractStridedMetadataOp::create(builder, m.loc, operand)
                  .getOffset()
            : m.constant(offset);
    return m.add(base, m.mul(elements, type.getElementTypeBitWidth() / 8));
  }

  void emit(Block &block, const Box &box, StageEmitter *stage) {
    if (stage && stage->usesLoop())
      return emitByLoop(block, box, *stage);
    for (Operation &inner : block) {
      if (auto loop = dyn_cast<ForOp>(inner)) {
        emitLoop(loop, box, stage);
      } else if (auto op = dyn_cast<StageOp>(inner)) {
        emitStage(op, box, stage);
        if (stage)
          readSlice(op, *stage);
      } else if (auto load = dyn_cast<LoadOp>(inner)) {
        stage->load(load, box);
      } else if (auto init = dyn_cast<InitOp>(inner)) {
        stage->init(init, box);
      } else if (auto compute = dyn_cast<ComputeOp>(inner)) {
        stage->compute(compute, box);
      } else if (auto store = dyn_cast<StoreOp>(inner)) {
        stage->store(store, box);
      }
    }
  }

  /// Copies come with the loop_ws.
  void emitByLoop(Block &block, const Box &box, StageEmitter &stage) {
    for (Operation &inner : block) {
      auto loop = dyn_cast<ForOp>(inner);
      if (loop && stage.isOutsideOfLoop())
        emitLoop(loop, box, &stage);
      else if (loop || isa<ComputeOp>(inner))
        stage.emitLoop(box);
    }
  }

  void emitLoop(ForOp loop, const Box &box, StageEmitter *stage) {
    IndexMath m(builder, loop.getLoc());
    Dim dim = toDim(loop.getDim());
    int64_t step = loop.getStep();
    m.forEach(box[dim].size, step, [&](Value i, Value size) {
      Box inner = box;
      inner[dim] = {m.add(box[dim].offset, i), size,
                    std::min(step, box[dim].nominal)};
      if (stage)
        stage->enterLoop(loop, i, box[dim]);
      else
        groupLoops.push_back({loop, dim, step, i, box[dim]});
      emit(loop.getBody().front(), inner, stage);
      if (stage)
        stage->leaveLoop();
      else
        groupLoops.pop_back();
    });
  }

  /// What the stage has made is a slice of what `reader`, around it, goes on
  /// with.
  void readSlice(StageOp op, StageEmitter &reader) {
    const size_t producer = llvm::find(members, op) - members.begin();
    const PixelTile slice = nest.pixelTiles.lookup(inputOf(readerOf(producer)));
    markMember(memberOf(readerOf(producer)));
    reader.resume();
    IndexMath m(builder, op.getLoc());
    // Nobody writes to the padding between slices, but for the bias of sums
    // that stay in place, and pooled rows, which are as wide as the window.
    m.branch(slice.inAccumulator || layers[producer].pool
                 ? m.flag(true)
                 : m.equal(slice.firstChannel, m.constant(0)),
             [&] { reader.padInput(slice, /*withColumns=*/true); });
  }

  /// Whether rows stay of the window that another member hands over to it.
  bool getsKeptWindow(size_t member) const {
    const size_t tile = flow.members[member].input;
    return keptTiles && flow.tiles[tile].producer &&
           flow.tiles[tile].reader == member && keptTiles->keepsTile(tile);
  }

  /// Whether where `member`'s stage begins, or goes on, padding is cleared: of
  /// what it reads, or of kept rows that stages inside of it read.
  bool clearsPadding(size_t member) {
    const Layer &layer = layers[member];
    if (flow.tiles[flow.members[member].input].producer &&
        (layer.readsPadding(Axis::H) || layer.readsPadding(Axis::W)))
      return true;
    for (StageOp inner = innerStageOf(members[member]); inner;
         inner = innerStageOf(inner)) {
      const size_t index = llvm::find(members, inner) - members.begin();
      if (index < members.size() && getsKeptWindow(index) &&
          layers[index].readsPadding(Axis::W))
        return true;
    }
    return false;
  }

  /// Pads what a stage inside another one reads of kept rows. It may have
  /// nothing to make itself now.
  void padKeptColumns(StageOp op) {
    const size_t index = llvm::find(members, op) - members.begin();
    if (index == members.size() || !getsKeptWindow(index))
      return;
    Box entry = wholeOf(layers[index]);
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      entry[dim] = made[index][dim];
    IndexMath m(builder, op.getLoc());
    Value makesColumns = m.negate(entry[Dim::Q].isEmpty(m));
    entry[Dim::P].mayBeEmpty = entry[Dim::Q].mayBeEmpty = false;
    StageEmitter stage(builder, nest, op, entry, StageInput());
    m.branch(makesColumns,
             [&] { stage.padColumns(nest.pixelTiles.lookup(inputOf(op))); });
    configs.push_back(stage.configs());
  }

  /// The member that the stage computes, or loads for.
  std::optional<size_t> memberOf(StageOp op) {
    if (const auto *it = llvm::find(members, op); it != members.end())
      return it - members.begin();
    std::optional<size_t> reader;
    walkOwn<LoadOp>(op, [&](LoadOp load) {
      for (Operation *user : load.getBuffer().getUsers()) {
        auto stage = user->getParentOfType<StageOp>();
        if (const auto *it = llvm::find(members, stage); it != members.end())
          reader = std::min<size_t>(reader.value_or(members.size()),
                                    it - members.begin());
      }
    });
    return reader;
  }

  /// Tells the simulator's trace whose commands follow.
  void markMember(std::optional<size_t> member) {
    if (members.size() > 1 && member)
      gemmini::MemberOp::create(builder, op.getLoc(), int64_t(*member));
  }

  /// `reader`: of the stage around it, or null.
  void emitStage(StageOp op, const Box &box, const StageEmitter *reader) {
    auto it = llvm::find(members, op);
    std::optional<size_t> owner;
    if (it == members.end())
      owner = ownerOfInputIn(op);
    if (owner && comesWithSlices(*owner)) {
      walkOwn<LoadOp>(op, [&](LoadOp load) { inputOfSlices = load; });
      tieTiles(box);
      ringOfSlices = ringOf(IndexMath(builder, op.getLoc()),
                            flow.members[*owner].input, box);
      return;
    }
    markMember(memberOf(op));
    Box entry = wholeOf(toLayer(op.getWorkload()));
    std::optional<InputRing> ring;
    if (it == members.end()) {
      std::optional<NestRun> run;
      // Resident weights whole; of the input what a member's tile reads.
      if (owner) {
        tieTiles(box);
        for (Dim dim : {Dim::N, Dim::P, Dim::Q})
          entry[dim] = made[*owner][dim];
        IndexMath m(builder, op.getLoc());
        ring = ringOf(m, flow.members[*owner].input, box);
        if (this->op.getInputTurns()) {
          auto buffer = inputOf(members.front()).getDefiningOp<AllocOp>();
          const int64_t rows = buffer.getType().getRows();
          std::optional<InputRing> nextRing;
          run = runAt(m, entry, box, *owner, buffer.getBase() + rows / 2,
                      &nextRing);
          runTiles.emplace(tilesOf(box, keptTiles.has_value()));
          nextLoader.emplace(builder, nest, op, entry,
                             StageInput{nextRing, /*isOwn=*/true, run});
        }
      }
      StageEmitter stage(builder, nest, op, entry, {ring, /*isOwn=*/true, run});
      emit(op.getBody().front(), entry, &stage);
      configs.push_back(stage.configs());
      return;
    }
    const size_t index = it - members.begin();
    if (!reader && outermostStageOf(members.front()) == op)
      tieTiles(box);
    // What the member makes of the group's tile, everything in its own dims, or
    // the channels that its reader wants.
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      entry[dim] = made[index][dim];
    // At the borders a tile may leave nothing to make.
    IndexMath m(builder, op.getLoc());
    Value makesColumns, makesAny = m.flag(true);
    for (Dim dim : {Dim::Q, Dim::P}) {
      makesAny = m.both(makesAny, m.negate(entry[dim].isEmpty(m)));
      entry[dim].mayBeEmpty = false; // in what is emitted under that condition
      if (dim == Dim::Q)
        makesColumns = makesAny;
    }
    const Interval *slice = reader ? &box[reader->inChannel()] : nullptr;
    if (slice)
      entry[layers[index].isDepthwise() ? Dim::G : Dim::K] = *slice;
    if (std::optional<size_t> output = flow.members[index].output)
      layOutTile(*output, index, slice);
    // Another member's window may be read as well.
    const GroupFlow::Tile &input = flow.tiles[flow.members[index].input];
    const bool ownsInput = input.reader == index;
    const bool getsKept = getsKeptWindow(index);
    InputOfSlices ofSlices;
    if (inputOfSlices && ownsInput && !input.producer) {
      ofSlices = {inputOfSlices, m.equal(slice->offset, m.constant(0))};
      ring = ringOfSlices; // The box at hand is the reader's.
    } else if (!input.producer && ownsInput && isLoadedAtOnce(op)) {
      ring = ringOf(m, flow.members[index].input, box);
    }
    NextInput next;
    if (nextLoader)
      if (const TurnShare share = turnShare(*runTiles, index, nest.machine);
          share.count > 0)
        next = {&*nextLoader, share,
                slice ? m.floorDiv(slice->offset, slice->nominal) : Value(),
                clearsPadding(index)};
    StageEmitter stage(
        builder, nest, op, entry,
        {ring, ownsInput, runOfOnly(m, entry, box, makesAny), next, ofSlices});
    const PixelTile window = nest.pixelTiles.lookup(inputOf(members[index]));
    // Kept rows are padded when they are made, be they read now or later, and
    // once for all slices.
    if (getsKept && !reader)
      m.branch(makesColumns, [&] { stage.padColumns(window); });
    for (StageOp inner = reader ? StageOp() : innerStageOf(op); inner;
         inner = innerStageOf(inner))
      padKeptColumns(inner);
    if (op.getLoopWs()) {
      llvm::Error unfit =
          members.size() == 1 && !keptTiles
              ? stage.planLoop()
              : llvm::createStringError("the layer is part of a fusion group");
      if (unfit) {
        // Somebody has asked for it, and cycles were predicted for it.
        const std::string reason = llvm::toString(std::move(unfit));
        op.emitWarning("is marked for loop_ws, which cannot run it, and is "
                       "emitted without: ")
            << reason;
        remark::missed(op.getLoc(),
                       remark::RemarkOpts::name("NotByLoop").category("fadiff"))
            << "layer '" + op.getName().str() +
                   "' is not run by loop_ws: " + reason;
      }
    }
    if (auto stream =
            stage.usesLoop()
                ? remark::detail::InFlightRemark()
                : remark::analysis(
                      op.getLoc(),
                      remark::RemarkOpts::name("Stream").category("fadiff")))
      stream << "layer '" + op.getName().str() +
                    "' is streamed as: " + stage.streamShape();
    auto emitTile = [&] {
      // Where it runs for each slice that its reader wants, the window stays.
      if (input.producer && ownsInput && !input.slice)
        m.branch(slice ? m.equal(slice->offset, m.constant(0)) : m.flag(true),
                 [&] { stage.padInput(window, /*withColumns=*/!getsKept); });
      stage.begin();
      emit(op.getBody().front(), entry, &stage);
      stage.finish();
    };
    // What it and those inside of it would have brought beside their computes:
    // of the slice at hand, or of all.
    auto bringNext = [&] {
      NextInput skipped = next;
      if (reader) {
        skipped.slice = m.floorDiv(slice->offset, slice->nominal);
        for (StageOp inner = op; inner; inner = innerStageOf(inner)) {
          const size_t member = llvm::find(members, inner) - members.begin();
          if (member == members.size())
            continue;
          skipped.share = turnShare(*runTiles, member, nest.machine);
          nextLoader->bringPieces(skipped);
        }
        return;
      }
      const auto [first, last] = flow.turnsOf(index);
      skipped.share = turnShare(*runTiles, first, nest.machine);
      for (size_t i = first + 1; i <= last; ++i)
        skipped.share.count += turnShare(*runTiles, i, nest.machine).count;
      skipped.share.slices = 1;
      nextLoader->bringPieces(skipped);
    };
    if (nextLoader && keptTiles)
      m.branch(makesAny, emitTile, bringNext);
    else
      m.branch(makesAny, emitTile);
    // What is said under that condition does not hold for later stages.
    if (!IndexMath::known(makesAny) && ownsInput && !input.producer &&
        flow.isShared(flow.members[index].input))
      stage.layOutInput();
    configs.push_back(stage.configs());
  }

  /// The run of the group's stages at hand, at its tile `box`; `entry` is what
  /// the member that reads the input makes of it. `nextRing` is for how that
  /// lies in the next run, if its rows are kept.
  NestRun runAt(const IndexMath &m, const Box &entry, const Box &box,
                size_t reader, int64_t freeRow,
                std::optional<InputRing> *nextRing = nullptr) {
    NestRun run;
    run.freeRow = freeRow;
    // The group's loops are the digits of a counter.
    run.run = m.constant(0);
    for (const LoopState &loop : groupLoops) {
      run.runs *= loop.trips();
      run.run = m.add(m.mul(run.run, loop.trips()),
                      m.floorDiv(loop.offset, loop.step));
    }
    SmallVector<Value> offsets;
    Value carry = countOn(m, groupLoops, offsets);
    run.hasNext = m.negate(carry);
    run.isFirst = m.equal(run.run, m.constant(0));
    if (groupLoops.empty()) {
      run.next = entry;
      return run;
    }
    const auto stored = nest.storedPooled;
    const Box next = tileAt(m, groupLoops, wholeOfGroup(m), offsets);
    tieTiles(next);
    run.next = made[reader];
    if (nextRing)
      *nextRing = ringOf(m, flow.members[reader].input, next);
    tieTiles(box);
    if (nextRing && *nextRing) {
      // Rows stay as long as tiles are neighbours along P.
      const LoopState &rows = groupLoops.back();
      run.isFirst = m.equal(rows.offset, m.constant(0));
      run.hasNext =
          m.less(m.add(rows.offset, m.constant(rows.step)), rows.whole.size);
    }
    nest.storedPooled = stored;
    return run;
  }

  /// Of a nest's only member, which may bring in its input ahead.
  std::optional<NestRun> runOfOnly(const IndexMath &m, const Box &entry,
                                   const Box &box, Value makesAny) {
    if (members.size() > 1 || keptTiles || !IndexMath::known(makesAny))
      return std::nullopt;
    int64_t freeRow = 0;
    op->walk([&](AllocOp alloc) {
      const BufferType type = alloc.getBuffer().getType();
      if (type.getLevel() == MemoryLevel::scratchpad)
        freeRow = std::max<int64_t>(freeRow, alloc.getBase() + type.getRows());
    });
    return runAt(m, entry, box, /*reader=*/0, freeRow);
  }

  /// The member whose window a stage that only loads brings in, if it does.
  std::optional<size_t> ownerOfInputIn(StageOp op) {
    std::optional<size_t> owner;
    walkOwn<LoadOp>(op, [&](LoadOp load) {
      if (load.getOperand() != LoadedOperand::input)
        return;
      for (auto [i, member] : llvm::enumerate(members))
        if (inputOf(member) == load.getBuffer() &&
            flow.tiles[flow.members[i].input].reader == i)
          owner = i;
    });
    return owner;
  }

  /// Whether the input that is loaded in front of the stages comes with the
  /// first slice that `member` makes: if that reads all channels, and nobody
  /// else reads any.
  bool comesWithSlices(size_t member) {
    return member == 0 && members[member]->getParentOfType<StageOp>() &&
           !layers[member].isDepthwise() && !op.getInputTurns() &&
           !flow.isShared(flow.members[member].input);
  }

  /// Whether the stage loads all of its input before its loops, not slice by
  /// slice.
  static bool isLoadedAtOnce(StageOp stage) {
    if (stage->getParentOfType<StageOp>())
      return false;
    return llvm::any_of(stage.getBody().front(), [](Operation &inner) {
      auto load = dyn_cast<LoadOp>(inner);
      return load && load.getOperand() == LoadedOperand::input;
    });
  }

  /// The rows that the group's tiles make where rows are kept.
  void tieAlongRows() {
    std::vector<const Layer *> chain;
    for (const Layer &layer : layers)
      chain.push_back(&layer);
    PerDim<int64_t> tile{1};
    op->walk([&](ForOp loop) {
      if (!loop->getParentOfType<StageOp>() && toDim(loop.getDim()) == Dim::P)
        rowStep = tile[Dim::P] = loop.getStep();
    });
    keptTiles.emplace(chain, tile, flow, /*keepRows=*/true, poolsOutput());
  }

  /// Where `member`'s rows up to row `x` of the last one's outputs begin or
  /// end.
  Value rowOf(const IndexMath &m, size_t member, Value x, bool isEnd) const {
    const RowWalk &walk = keptTiles->rowWalk(member);
    Value row =
        m.add(m.mul(x, walk.scale), m.constant(isEnd ? walk.end : walk.begin));
    return m.min(m.max(m.constant(0), row), m.constant(walk.bound));
  }

  /// How a tile that is loaded lies in its ring at the group's tile `box`;
  /// nothing if its rows are not kept.
  std::optional<InputRing> ringOf(const IndexMath &m, size_t tile,
                                  const Box &box) const {
    if (!keptTiles || !keptTiles->keepsTile(tile))
      return std::nullopt;
    return InputRing{firstRow(m, tile),
                     rowsLoadedBefore(m, flow.tiles[tile].reader, box),
                     keptTiles->tileExtent(tile, Axis::H)};
  }

  /// The first row of a tile that is read now: that of the earliest window on
  /// it, which may lie in the padding, or of those whose sums start from it.
  Value firstRow(const IndexMath &m, size_t tile) const {
    Value first = windowStart(m, flow.tiles[tile].reader, Axis::H);
    for (auto [i, member] : llvm::enumerate(flow.members)) {
      if (member.input == tile && flow.tiles[tile].reader != i)
        first = m.min(first, windowStart(m, i, Axis::H));
      if (member.skip == tile)
        first = m.min(first, made[i][Dim::P].offset);
    }
    return first;
  }

  /// Up to which row the tiles before `box` have made what `member` makes.
  Value rowsMadeBefore(const IndexMath &m, size_t member,
                       const Box &box) const {
    Value zero = m.constant(0);
    if (!flow.handsOverSlices(member)) {
      Value done = rowOf(m, member, box[Dim::P].offset, /*isEnd=*/true);
      return underPool(m, *keptTiles, member, Axis::H, zero, done).second;
    }
    const size_t reader = flow.tiles[*flow.members[member].output].reader;
    Value done = rowsMadeBefore(m, reader, box);
    done = storedSpan(m, AxisAccess(layers[reader], Axis::H), zero, done,
                      m.equal(done, zero))
               .second;
    return underPool(m, *keptTiles, member, Axis::H, zero, done).second;
  }

  /// Of the rows that `member` reads at the tile `box`, how many the tiles
  /// before have loaded.
  Value rowsLoadedBefore(const IndexMath &m, size_t member,
                         const Box &box) const {
    const AxisAccess access(layers[member], Axis::H);
    Value zero = m.constant(0);
    Value done = rowsMadeBefore(m, member, box);
    Value behind =
        m.add(m.sub(made[member][Dim::P].offset, done), m.constant(1));
    // The last window ends `reach` rows after it starts.
    Value kept = m.sub(m.constant(access.reach()), m.mul(behind, access.scale));
    return m.select(m.equal(done, zero), zero, m.max(zero, kept));
  }

  /// What is added to a whole tile is added to rows between its sums, too,
  /// which have to hold something.
  void clearSums(Operation *start) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(start);
    for (const StageConfigs &stage : configs) {
      if (stage.clearedFirst.empty())
        continue;
      IndexMath m(builder, op.getLoc());
      const int64_t side = nest.machine.side;
      emitConfig(builder, m.loc, 2, LoadConfig{/*stride=*/0, side});
      for (auto [first, rows] : stage.clearedFirst)
        m.forEach(m.constant(rows), side,
                  [&, first = first](Value row, Value count) {
                    Value to = m.add(m.constant(first), row);
                    gemmini::Mvin3Op::create(
                        builder, m.loc, Value(),
                        gemmini::AccAddrOp::create(builder, m.loc, to,
                                                   /*accumulate=*/false,
                                                   /*fullWidth=*/false),
                        count, m.constant(side));
                  });
    }
  }

  /// Sets once, before `start`, what all stages agree on; the rest where each
  /// begins. config_ex would let the array run empty, group tile by group tile.
  void emitConfigs(Operation *start) {
    OpBuilder::InsertionGuard guard(builder);
    auto set = [&](bool agree, auto get, auto emit) {
      SmallVector<StageConfigs> users;
      for (const StageConfigs &stage : configs) {
        if (!get(stage))
          continue;
        users.push_back(stage);
        agree = agree && *get(stage) == *get(users.front());
      }
      for (const StageConfigs &stage : users)
        for (Operation *begin : stage.starts) {
          builder.setInsertionPoint(agree ? start : begin);
          emit(*get(stage));
          if (agree)
            return;
        }
    };
    Location loc = op.getLoc();
    emitExecuteConfigs(start);
    const bool setSums = configs.size() > 1 &&
                         llvm::any_of(configs, [](const StageConfigs &stage) {
                           return stage.setsSums;
                         });
    const bool setInput = llvm::any_of(
        configs, [](const StageConfigs &stage) { return stage.setsInput; });
    for (unsigned id : {0, 1, 2})
      set(
          !(setSums && id == 2) && !(setInput && id == 0),
          [&](const StageConfigs &stage) { return stage.loads[id]; },
          [&](const LoadConfig &config) {
            emitConfig(builder, loc, id, config);
          });
    const bool setStore = configs.size() > 1 &&
                          llvm::any_of(configs, [](const StageConfigs &stage) {
                            return stage.setsStore;
                          });
    set(
        !setStore, [](const StageConfigs &stage) { return stage.store; },
        [&](const StoreConfig &config) { emitConfig(builder, loc, config); });
  }

  /// Stages run in turn, so each finds what the one before it set, the first
  /// one at last what the last one did.
  void emitExecuteConfigs(Operation *start) {
    SmallVector<StageConfigs> users;
    for (const StageConfigs &stage : configs)
      if (stage.execute)
        users.push_back(stage);
    if (users.empty())
      return;
    // Without sums to read any scale is right: that of the stage before.
    EpilogueAttr before;
    for (const StageConfigs &user : users)
      if (user.execute->epilogue)
        before = user.execute->epilogue;
    for (StageConfigs &user : users) {
      if (!user.execute->epilogue)
        user.execute->epilogue = before;
      before = user.execute->epilogue;
    }
    builder.setInsertionPoint(start);
    emitConfig(builder, op.getLoc(), *users.back().execute);
    const bool agree = llvm::all_of(users, [&](const StageConfigs &user) {
      return *user.execute == *users.back().execute;
    });
    if (agree)
      return;
    // Those that take turns find what the others have set.
    const bool takeTurns = llvm::any_of(
        users, [](const StageConfigs &user) { return user.starts.size() > 1; });
    for (auto [i, user] : llvm::enumerate(users)) {
      const StageConfigs &last = i > 0 ? users[i - 1] : users.back();
      if (!takeTurns && *user.execute == *last.execute)
        continue;
      for (Operation *begin : user.starts) {
        builder.setInsertionPoint(begin);
        emitConfig(builder, op.getLoc(), *user.execute);
      }
    }
  }

  static Value inputOf(StageOp stage) {
    Value input;
    walkOwn<ComputeOp>(stage,
                       [&](ComputeOp compute) { input = compute.getInput(); });
    return input;
  }

  /// What the members make for tiles like `box`. Rows that are kept follow from
  /// the whole walk, not from one tile.
  GroupTiles tilesOf(const Box &box, bool keepRows = false) const {
    std::vector<const Layer *> chain;
    PerDim<int64_t> tile{1};
    for (const Layer &layer : layers)
      chain.push_back(&layer);
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      tile[dim] = box[dim].nominal;
    return GroupTiles(chain, tile, flow, keepRows, poolsOutput());
  }

  /// The outputs that each member makes for the tile `box` of the last one: as
  /// Schedule/GroupTiles has it, with tiles that are known only at run time.
  void tieTiles(const Box &box) {
    IndexMath m(builder, op.getLoc());
    const GroupTiles tiles = tilesOf(box);
    made.assign(members.size(), box);
    handed.assign(members.size(), {});
    // `begin` to `end` of what the member makes, its nominal extent and whether
    // some tile has nothing.
    auto makes = [&](size_t i, Axis axis, Value begin, Value end) {
      const Dim dim = outputDim(axis);
      std::tie(begin, end) = underPool(m, tiles, i, axis, begin, end);
      const int64_t nominal = tiles.nominal(i, dim);
      made[i][dim] = {
          begin, tiles.isCut(i, dim) ? m.sub(end, begin) : m.constant(nominal),
          nominal, tiles.busyTiles(i, dim) < tiles.trips(dim)};
    };
    auto tieRows = [&](size_t i) {
      Value x = box[Dim::P].offset;
      Value begin = rowOf(m, i, x, /*isEnd=*/false);
      Value end = rowOf(m, i, m.add(x, m.constant(rowStep)), /*isEnd=*/true);
      handed[i] = {begin, m.sub(end, begin), 0};
      std::tie(begin, end) = underPool(m, *keptTiles, i, Axis::H, begin, end);
      made[i][Dim::P] = {begin, m.sub(end, begin),
                         keptTiles->nominal(i, Dim::P), /*mayBeEmpty=*/true};
    };
    const size_t last = members.size() - 1;
    if (poolsOutput())
      for (Axis axis : kAllAxes) {
        const Interval &stored = box[outputDim(axis)];
        nest.storedPooled[axis] = stored;
        makes(last, axis, stored.offset, m.add(stored.offset, stored.size));
      }
    if (keptTiles) {
      tieRows(last);
      nest.storedPooled[Axis::H] = handed[last];
    }
    for (size_t i = last; i-- > 0;) {
      const GroupFlow::Tile &output = flow.tiles[*flow.members[i].output];
      const Layer &consumer = layers[output.reader];
      for (Axis axis : kAllAxes) {
        const Dim dim = outputDim(axis);
        const bool walked = keptTiles && axis == Axis::H;
        if (walked && !flow.handsOverSlices(i) && !output.isResidual) {
          tieRows(i);
          continue;
        }
        const Interval &outputs = made[output.reader][dim];
        if (output.isResidual && !layers[i].pool) {
          made[i][dim] = outputs;
          if (axis == Axis::H)
            handed[i] = outputs;
          continue;
        }
        Value begin = outputs.offset;
        Value end = m.add(begin, outputs.size);
        if (!output.isResidual)
          std::tie(begin, end) = storedSpan(m, AxisAccess(consumer, axis),
                                            begin, end, outputs.isEmpty(m));
        if (axis == Axis::H)
          handed[i] = {begin, m.sub(end, begin), 0};
        if (!walked) {
          makes(i, axis, begin, end);
          continue;
        }
        std::tie(begin, end) = underPool(m, *keptTiles, i, axis, begin, end);
        made[i][dim] = {begin, m.sub(end, begin), keptTiles->nominal(i, dim),
                        /*mayBeEmpty=*/true};
      }
    }
  }

  /// The rows (columns) that `member` makes to hand over `begin` to `end`.
  std::pair<Value, Value> underPool(const IndexMath &m, const GroupTiles &tiles,
                                    size_t member, Axis axis, Value begin,
                                    Value end) const {
    const MaxPool *pool = tiles.pooling(member);
    if (!pool)
      return {begin, end};
    return storedSpan(
        m, AxisAccess(*pool, axis, layers[member].dims[outputDim(axis)]), begin,
        end, m.equal(begin, end));
  }

  /// AxisAccess::stored() of outputs from `begin` to `end`.
  std::pair<Value, Value> storedSpan(const IndexMath &m,
                                     const AxisAccess &access, Value begin,
                                     Value end, Value isEmpty) const {
    Value bound = m.constant(access.bound);
    auto clip = [&](Value least, Index row) {
      return m.min(m.max(least, row.value), bound);
    };
    Value first = clip(m.constant(0), access.begin(Index{m, begin}));
    return {first,
            m.select(isEmpty, first, clip(first, access.end(Index{m, end})))};
  }

  /// Where the window of `member`'s tile starts in its stored input; negative
  /// inside the padding.
  Value windowStart(const IndexMath &m, size_t member, Axis axis) const {
    return AxisAccess(layers[member], axis)
        .begin(Index{m, made[member][outputDim(axis)].offset})
        .value;
  }

  /// The tile that `producer` hands over, or a slice of its channels.
  void layOutTile(size_t number, size_t producer, const Interval *slice) {
    const GroupFlow::Tile &held = flow.tiles[number];
    const size_t member = held.reader;
    IndexMath m(builder, members[member].getLoc());
    const Layer &layer = layers[member];
    Value buffer;
    PixelTile tile;
    walkOwn<StoreOp>(members[producer], [&](StoreOp store) {
      buffer = store.getDestination();
      tile.inAccumulator = store.isInPlace();
    });
    if (tile.inAccumulator)
      nest.epilogues[buffer] = members[producer].getEpilogue();
    tile.base = m.constant(buffer.getDefiningOp<AllocOp>().getBase());
    tile.origin = wholeOf(layer);
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      tile.origin[dim] = made[member][dim];
    if (slice) {
      tile.origin[layer.isDepthwise() ? Dim::G : Dim::C] = *slice;
      tile.firstChannel = slice->offset;
    }
    tile.n = made[member][Dim::N].nominal;
    const bool keeps = keptTiles && keptTiles->keepsTile(number);
    auto extent = [&](Axis axis) {
      const int64_t pixels = made[member][outputDim(axis)].nominal;
      return keeps && axis == Axis::H ? keptTiles->tileExtent(number, axis)
             : held.isResidual
                 ? pixels
                 : layer.window(axis, pixels, layer.dims[kernelDim(axis)]);
    };
    tile.h = extent(Axis::H);
    tile.w = extent(Axis::W);
    tile.blockChannels = nest.machine.side;
    tile.blockStride = tile.pixels();
    tile.compact = {false, false};
    for (Axis axis : kAllAxes)
      tile.first[axis] = held.isResidual ? made[member][outputDim(axis)].offset
                                         : windowStart(m, member, axis);
    tile.rows = handed[producer];
    if (keeps) {
      tile.first[Axis::H] = firstRow(m, number);
      tile.ringStart = ringStart(m, layer, tile.first[Axis::H], tile.h);
    }
    nest.pixelTiles[buffer] = tile;
  }

  OpBuilder builder;
  LoopNestOp op;
  NestState nest;
  /// The stages that compute, in order, and their layers.
  SmallVector<StageOp> members;
  std::vector<Layer> layers;
  GroupFlow flow;
  /// Of every stage emitted so far.
  SmallVector<StageConfigs> configs;
  /// The outputs that each makes at the current tile of the group.
  std::vector<Box> made;
  /// The rows that others get of them: the same, or pooled.
  std::vector<Interval> handed;
  /// Where the group's input takes turns: its tiles, and what loads the next
  /// one's.
  std::optional<GroupTiles> runTiles;
  std::optional<StageEmitter> nextLoader;
  /// The load of an input that comes with a member's first slice, and the ring
  /// that it is loaded into, if it is one.
  LoadOp inputOfSlices;
  std::optional<InputRing> ringOfSlices;
  /// Of a group that keeps rows, along P only.
  std::optional<GroupTiles> keptTiles;
  int64_t rowStep = 1; ///< of its loop over P
  /// The loops around the stages at hand, outermost first.
  SmallVector<LoopState> groupLoops;
};

struct LowerToGemminiPass
    : public fadiff::impl::LowerToGemminiPassBase<LowerToGemminiPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<LoopNestOp> nests;
    getOperation().walk([&](LoopNestOp nest) { nests.push_back(nest); });
    if (nests.empty())
      return;
    FailureOr<Accelerator> machine = requireTarget(getOperation());
    if (failed(machine))
      return signalPassFailure();
    SmallPtrSet<Operation *, 4> flushed;
    for (auto [id, nest] : llvm::enumerate(nests)) {
      auto func = nest->getParentOfType<func::FuncOp>();
      if (func && flushed.insert(func).second) {
        OpBuilder builder(func.getBody());
        gemmini::FlushOp::create(builder, func.getLoc());
      }
      if (failed(NestLowering(nest, *machine).run(id)))
        return signalPassFailure();
      nest.erase();
    }
  }
};
} // namespace
