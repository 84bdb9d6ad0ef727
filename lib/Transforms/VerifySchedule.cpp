//===- VerifySchedule.cpp - Is the schedule complete and legal? -----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"

namespace fadiff {
#define GEN_PASS_DEF_VERIFYSCHEDULEPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

namespace {
/// Nominal extents of the box at a point of the tree.
using Extents = PerDim<int64_t>;

/// Checks one loop nest by walking its tree with the box.
class NestChecker {
public:
  NestChecker(LoopNestOp nest, const Accelerator &machine)
      : nest(nest), machine(machine) {}

  LogicalResult run() {
    nest->walk([&](StageOp stage) {
      ++stages;
      // A group's resident weights have a stage of their own.
      WalkResult computes =
          stage->walk([](ComputeOp) { return WalkResult::interrupt(); });
      if (!computes.wasInterrupted())
        return;
      addMember(stage);
    });
    if (stages == 0)
      return nest.emitError("has no fadiff.stage: nothing would be computed");
    if (members.empty()) // checkStage says what is missing
      nest->walk([&](StageOp stage) { addMember(stage); });
    Network network;
    FusionGroup group;
    group.keepRows = nest.getKeepRows();
    for (auto [i, stage] : llvm::enumerate(members)) {
      network.layers.push_back(toLayer(stage));
      group.layers.push_back(unsigned(i));
      if (skipOf(stage))
        group.liveSkips.push_back(unsigned(i));
      if (const int64_t slice = inputSliceOf(stage))
        group.inputSlices.push_back({unsigned(i), slice});
    }
    network.operands = operandsOf(members);
    const TensorUses uses(network);
    flow = flowOf(network, uses, group);
    for (size_t i = 1; i < members.size(); ++i) {
      const GroupFlow::Tile &input = flow.tiles[flow.members[i].input];
      if (input.producer)
        if (llvm::Error error =
                verifyHandOver(layers[*input.producer], layers[i]))
          return members[i].emitError() << llvm::toString(std::move(error));
      if (outermostStageOf(members[i])->getBlock() !=
          outermostStageOf(members[0])->getBlock())
        return members[i].emitError("must stand beside stage \"")
               << members[0].getName()
               << "\": the stages of a group share its tile loops";
    }
    WalkResult inner = nest->walk(
        [&](StageOp stage) { return WalkResult(checkInnerStage(stage)); });
    if (inner.wasInterrupted())
      return failure();
    if (members.size() > 1 || !group.liveSkips.empty())
      if (llvm::Error error = verifyFlow(network, uses, group, flow, machine))
        return nest.emitError() << llvm::toString(std::move(error));
    if (failed(checkPools()))
      return failure();
    if (nest.getKeepRows() && !flow.isChain())
      return nest.emitError(
          "keeps rows; wanted a chain of stages, found a skip "
          "or a side branch");
    // Loops outside of stages cut what the last one stores.
    Extents stored = layers.back().dims;
    for (Axis axis : kAllAxes)
      stored[outputDim(axis)] = layers.back().readExtent(axis);
    if (failed(checkBlock(nest.getBody().front(), stored, nullptr)))
      return failure();
    return checkRows();
  }

private:
  struct Stage {
    StageOp op;
    Layer layer;
    size_t index = 0; ///< among the members
    ComputeOp compute;
    InitOp init;
    StoreOp store;
    Dim inChannel() const {
      return layer.isDepthwise() ? Dim::G : Dim::C;
    }
    Dim outChannel() const {
      return layer.isDepthwise() ? Dim::G : Dim::K;
    }
  };

  void addMember(StageOp stage) {
    members.push_back(stage);
    layers.push_back(toLayer(stage.getWorkload(), stage.getEpilogue()));
    layers.back().name = stage.getName().str();
  }

  /// A stage inside another one makes that one's input.
  LogicalResult checkInnerStage(StageOp inner) {
    auto outer = inner->getParentOfType<StageOp>();
    if (!outer)
      return success();
    const size_t index = llvm::find(members, inner) - members.begin();
    const std::optional<size_t> output =
        index < members.size() ? flow.members[index].output : std::nullopt;
    if (output && members[flow.tiles[*output].reader] == outer)
      return success();
    return inner.emitError("inside stage \"")
           << outer.getName()
           << "\" must make what that one reads; move it before that stage";
  }

  /// Which stages pool what they make.
  LogicalResult checkPools() {
    for (auto [stage, layer] : llvm::zip(members, layers)) {
      if (!layer.pool)
        continue;
      if (stage == members.back())
        if (llvm::Error error = verifyPoolsOutput(toLayer(stage)))
          return stage.emitError() << llvm::toString(std::move(error));
      if (!isPoolable(layer, *layer.pool, stage.getEpilogue().getRelu()))
        return stage.emitError(kPoolWanted);
    }
    return success();
  }

  LogicalResult checkBlock(Block &block, const Extents &box, Stage *stage) {
    for (Operation &op : block) {
      LogicalResult result = success();
      if (auto loop = dyn_cast<ForOp>(op)) {
        Dim dim = toDim(loop.getDim());
        if (!stage && dim != Dim::N && dim != Dim::P && dim != Dim::Q)
          return loop.emitError("a loop around stages must run over N, P or Q, "
                                "which all layers share; found ")
                 << stringifyLoopDim(loop.getDim());
        Extents inner = box;
        inner[dim] = std::min<int64_t>(box[dim], loop.getStep());
        result = checkBlock(loop.getBody().front(), inner, stage);
      } else if (auto inner = dyn_cast<StageOp>(op)) {
        result = checkStage(inner, box, stage);
      } else if (stage) {
        result = checkTileOp(&op, box, *stage);
      }
      if (failed(result))
        return failure();
    }
    return success();
  }

  /// Every member's tile follows from the last one's.
  void tieTiles(const Extents &box) {
    std::vector<const Layer *> chain;
    for (const Layer &layer : layers)
      chain.push_back(&layer);
    tiles.emplace(chain, box, flow, nest.getKeepRows(),
                  /*poolsOutput=*/layers.back().pool.has_value());
  }

  /// What is kept for the next tile must lie beside everything else.
  LogicalResult checkKept(Stage &stage) {
    ComputeOp compute = stage.compute;
    auto load = dyn_cast_or_null<LoadOp>(written.lookup(compute.getInput()));
    // A load inside of loops brings in one part of the input after the other.
    if (!tiles->keepsInput(stage.index) ||
        (load && load->getParentOp() != stage.op))
      return success();
    auto kept = compute.getInput().getDefiningOp<AllocOp>();
    auto endOf = [](AllocOp op) {
      return static_cast<int64_t>(op.getBase() + op.getType().getRows());
    };
    for (AllocOp other : nest.getBody().front().getOps<AllocOp>())
      if (other != kept &&
          other.getType().getLevel() == kept.getType().getLevel() &&
          int64_t(other.getBase()) < endOf(kept) &&
          int64_t(kept.getBase()) < endOf(other))
        return other.emitError("rows ")
                   .append(other.getBase(), " to ", endOf(other) - 1,
                           " overlap rows ", kept.getBase(), " to ",
                           endOf(kept) - 1, ", which stage \"",
                           stage.op.getName(),
                           "\" keeps from tile to tile; place it elsewhere")
                   .attachNote(kept.getLoc())
               << "the kept buffer is here";
    return success();
  }

  /// `reader`: the stage around it, or null.
  LogicalResult checkStage(StageOp op, const Extents &box, Stage *reader) {
    Stage stage;
    stage.op = op;
    stage.layer = toLayer(op.getWorkload(), op.getEpilogue());
    Extents entry = stage.layer.dims;
    auto it = llvm::find(members, op);
    if (it == members.end())
      walkOwn<LoadOp>(op, [&](LoadOp load) {
        // The window of a member whose input others read first.
        for (auto [i, member] : llvm::enumerate(members))
          if (load.getOperand() == LoadedOperand::input &&
              inputOf(member) == load.getBuffer() &&
              flow.tiles[flow.members[i].input].reader == i) {
            tieTiles(box);
            for (Dim dim : {Dim::N, Dim::P, Dim::Q})
              entry[dim] = tiles->nominal(i, dim);
          }
      });
    if (it != members.end()) {
      if (!reader && (!tiles || outermostStageOf(members[0]) == op))
        tieTiles(box);
      stage.index = it - members.begin();
      for (Dim dim : {Dim::N, Dim::P, Dim::Q})
        entry[dim] = tiles->nominal(stage.index, dim);
      if (reader)
        entry[stage.outChannel()] = box[reader->inChannel()];
    }
    if (failed(checkBlock(op.getBody().front(), entry, &stage)))
      return failure();
    bool loadsOnly = !stage.compute && !stage.init && !stage.store;
    if (loadsOnly)
      return success();
    if (!stage.compute || !stage.init || !stage.store)
      return op.emitError("stage \"")
             << op.getName()
             << "\" must init, compute and store its output tile once each";
    if (tiles && tiles->keepsRows() && failed(checkKept(stage)))
      return failure();
    return checkSums(stage);
  }

  static Value inputOf(StageOp stage) {
    Value input;
    walkOwn<ComputeOp>(stage,
                       [&](ComputeOp compute) { input = compute.getInput(); });
    return input;
  }

  LogicalResult tooSmall(Operation *op, StringRef what, int64_t wanted,
                         Value buffer) {
    int64_t found = cast<BufferType>(buffer.getType()).getRows();
    if (found >= wanted)
      return success();
    return op->emitError() << what << " needs " << wanted << " rows of the "
                           << stringifyMemoryLevel(
                                  cast<BufferType>(buffer.getType()).getLevel())
                           << "; its buffer has " << found;
  }

  LogicalResult checkTileOp(Operation *op, const Extents &box, Stage &stage) {
    const Layer &layer = stage.layer;
    int64_t rows = stage.op.getRows(), cols = stage.op.getCols();
    int64_t pixels = box[Dim::N] * box[Dim::P] * box[Dim::Q];
    int64_t outBlocks = llvm::divideCeil(box[stage.outChannel()], cols);
    if (auto load = dyn_cast<LoadOp>(op)) {
      written[load.getBuffer()] = load;
      if (load.getOperand() == LoadedOperand::weights)
        return tooSmall(op, "the weight tile",
                        box[Dim::R] * box[Dim::S] *
                            box[stage.inChannel()] *
                            (layer.isDepthwise() ? 1 : outBlocks),
                        load.getBuffer());
      int64_t stored = box[Dim::N];
      for (Axis axis : kAllAxes)
        stored *= box[kernelDim(axis)] == 1
                      ? box[outputDim(axis)]
                      : layer.window(axis, box[outputDim(axis)],
                                     box[kernelDim(axis)]);
      return tooSmall(op, "the input tile",
                      stored * llvm::divideCeil(box[stage.inChannel()],
                                                layer.isDepthwise() ? cols
                                                                    : rows),
                      load.getBuffer());
    }
    if (auto init = dyn_cast<InitOp>(op)) {
      if (stage.init)
        return init.emitError("stage \"")
               << stage.op.getName() << "\" has a second fadiff.init";
      stage.init = init;
      written[init.getAccumulator()] = init;
      if (layer.pool)
        for (Dim dim : {Dim::P, Dim::Q}) {
          const int64_t whole = tiles->nominal(stage.index, dim);
          if (box[dim] != whole || whole > kMostPoolExtent)
            return init.emitError("the tile spans ")
                   << box[dim] << " of dim " << std::string(1, dimName(dim))
                   << "; outputs that are pooled must be there together: "
                      "wanted "
                   << whole << ", at most " << kMostPoolExtent;
        }
      if (Value skip = init.getSkip()) {
        Operation *writer = written.lookup(skip);
        auto load = dyn_cast_or_null<LoadOp>(writer);
        if (!(load ? load.getOperand() == LoadedOperand::input &&
                         isa<StageOp>(load->getParentOp())
                   : isa_and_nonnull<StageOp>(writer)))
          return init.emitError("starts its sums from a buffer that holds no "
                                "whole tile that a stage reads or makes");
        const int64_t blocks =
            std::min<int64_t>(machine.side, layer.dims[stage.outChannel()]);
        if (cols != blocks)
          return init.emitError("starts its sums from a tile with ")
                 << blocks << " channels to a row, but the stage has " << cols
                 << " columns; wanted as many";
      }
      return tooSmall(op, "the output tile", pixels * outBlocks,
                      init.getAccumulator());
    }
    if (auto store = dyn_cast<StoreOp>(op)) {
      if (stage.store)
        return store.emitError("stage \"")
               << stage.op.getName() << "\" has a second fadiff.store";
      stage.store = store;
      Value destination = store.getDestination();
      if (!isa<BufferType>(destination.getType()))
        return success();
      if (store.isInPlace() ? !machine.handsOverInPlace()
                            : machine.handOver != HandOver::MvoutSpad)
        return store.emitError("target '")
               << machine.name
               << (store.isInPlace()
                       ? "' cannot read operands from the accumulator"
                       : "' cannot copy from the accumulator to the scratchpad")
               << "; store to DRAM";
      if (stage.index + 1 >= members.size())
        return store.emitError("the last stage must store to DRAM: nothing "
                               "reads its tile on chip");
      written[destination] = stage.op;
      const std::optional<size_t> output = flow.members[stage.index].output;
      if (!output)
        return store.emitError("hands over a tile that no stage reads");
      if (store.isInPlace() && failed(checkInPlace(store, box, stage)))
        return failure();
      return tooSmall(op, "the handed-over tile",
                      tiles->tileRows(*output, machine.side), destination);
    }
    if (auto compute = dyn_cast<ComputeOp>(op))
      return checkCompute(compute, box, stage);
    return success();
  }

  /// Sums that stay lie as the next stage's window does, `side` channels to a
  /// row, and all pixels at once.
  LogicalResult checkInPlace(StoreOp store, const Extents &box, Stage &stage) {
    if (stage.op.getEpilogue().getPool())
      return store.emitError("leaves sums for the next stage, which wants them "
                             "pooled; wanted no pool on the way");
    const int64_t channels =
        std::min<int64_t>(machine.side, stage.layer.dims[stage.outChannel()]);
    if (int64_t cols = stage.op.getCols(); cols != channels)
      return store.emitError("leaves sums for the next stage, with ")
             << cols << " channels to a row; wanted " << channels;
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      if (int64_t wanted = tiles->nominal(stage.index, dim); box[dim] != wanted)
        return store.emitError("leaves sums of ")
               << box[dim] << " of dim " << std::string(1, dimName(dim))
               << " for the next stage; wanted all " << wanted
               << " of the tile";
    return success();
  }

  /// Whether `writer` makes what `op` takes `buffer` for.
  static bool isWriterOf(Operation *writer, ComputeOp op, Value buffer) {
    if (buffer == op.getAccumulator())
      return isa<InitOp>(writer);
    // A stage stands for the tile that it handed over.
    auto load = dyn_cast<LoadOp>(writer);
    if (buffer == op.getInput() &&
        !(load ? load.getOperand() == LoadedOperand::input
               : isa<StageOp>(writer)))
      return false;
    return buffer != op.getWeights() ||
           (load && load.getOperand() == LoadedOperand::weights);
  }

  LogicalResult checkCompute(ComputeOp op, const Extents &box, Stage &stage) {
    if (stage.compute)
      return op.emitError("stage \"")
             << stage.op.getName() << "\" has a second fadiff.compute";
    stage.compute = op;
    std::pair<Dim, int64_t> limits[] = {
        {Dim::R, 1},
        {Dim::S, 1},
        {stage.inChannel(), stage.op.getRows()},
        {stage.outChannel(), stage.op.getCols()}};
    for (auto [dim, limit] : limits)
      if (box[dim] > limit)
        return op.emitError("the box spans ")
               << box[dim] << " of dim " << std::string(1, dimName(dim))
               << "; the array takes " << limit
               << " at once; loop over the rest around it";
    if (op.getInput().getType().getLevel() == MemoryLevel::accumulator) {
      const int64_t channels =
          std::min<int64_t>(machine.side, stage.layer.dims[stage.inChannel()]);
      const int64_t rows =
          stage.layer.isDepthwise() ? stage.op.getCols() : stage.op.getRows();
      if (rows != channels)
        return op.emitError("reads sums with ")
               << channels << " channels to a row, but takes " << rows
               << " at once; wanted as many";
    }
    for (Value buffer : {op.getInput(), op.getWeights(), op.getAccumulator()}) {
      Operation *writer = written.lookup(buffer);
      if (!writer)
        return op.emitError("reads a buffer into which nothing was loaded or "
                            "stored before");
      if (!isWriterOf(writer, op, buffer))
        return op.emitError("reads a buffer that holds another kind of tile "
                            "than it takes there")
                   .attachNote(writer->getLoc())
               << "it was filled here";
      // A copy inside a loop that has ended holds another box's tile, and so
      // does a slice that a stage has made there.
      Operation *scope = writer->getParentOp();
      bool isStageInSameScope =
          isa<StageOp>(scope) ||
          (isa<StageOp>(writer) && !writer->getParentOfType<StageOp>());
      if (!scope->isProperAncestor(op) && !isStageInSameScope)
        return op.emitError("reads a buffer whose copy ended with a loop before "
                            "this point")
                   .attachNote(writer->getLoc())
               << "the copy is here";
    }
    return success();
  }

  /// Reductions outside the output tile need a place for partial sums.
  LogicalResult checkSums(Stage &stage) {
    if (stage.init->getBlock() != stage.store->getBlock() ||
        !stage.init->isBeforeInBlock(stage.store) ||
        !stage.init->getParentOp()->isAncestor(stage.compute))
      return stage.store.emitError("must close the output tile where its "
                                   "fadiff.init opened it, with the computes "
                                   "in between");
    for (Operation *outer = stage.init->getParentOp(); outer != stage.op;
         outer = outer->getParentOp()) {
      auto loop = dyn_cast<ForOp>(outer);
      if (loop && isReduction(toDim(loop.getDim())) &&
          !(stage.init.getSpill() && stage.store.getSpill()))
        return stage.init.emitError("the output tile is left before the loop "
                                    "over ")
               << stringifyLoopDim(loop.getDim())
               << " has summed it up; init and store need a spill operand for "
                  "partial sums";
    }
    return success();
  }

  /// Buffers that are needed at once must not share rows.
  LogicalResult checkRows() {
    struct Use {
      AllocOp alloc;
      size_t first, last; ///< members
    };
    SmallVector<Use> uses;
    auto add = [&](Value buffer, size_t first, size_t last) {
      auto alloc = buffer.getDefiningOp<AllocOp>();
      for (Use &use : uses)
        if (use.alloc == alloc) {
          use.first = std::min(use.first, first);
          use.last = std::max(use.last, last);
          return;
        }
      if (alloc)
        uses.push_back({alloc, first, last});
    };
    for (auto [i, stage] : llvm::enumerate(members)) {
      const GroupFlow::Member &member = flow.members[i];
      const auto [first, last] = flow.turnsOf(i);
      walkOwn<ComputeOp>(stage, [&, i = i, first = first,
                                 last = last](ComputeOp compute) {
        const GroupFlow::Tile &tile = flow.tiles[member.input];
        add(compute.getInput(), tile.first, tile.last);
        add(compute.getAccumulator(), first, last);
        // Weights loaded outside of their member's stage stay.
        auto load =
            dyn_cast_or_null<LoadOp>(written.lookup(compute.getWeights()));
        const bool stays =
            load && load->getParentOfType<StageOp>() != members[i];
        add(compute.getWeights(), stays ? 0 : first,
            stays ? members.size() - 1 : last);
      });
      if (Value skip = skipOf(stage))
        add(skip, i, i);
    }
    for (size_t b = 0; b < uses.size(); ++b)
      for (size_t a = 0; a < b; ++a) {
        auto rowsOf = [](AllocOp alloc) {
          const int64_t base = alloc.getBase();
          return std::pair(base, base + alloc.getType().getRows());
        };
        auto [aBegin, aEnd] = rowsOf(uses[a].alloc);
        auto [bBegin, bEnd] = rowsOf(uses[b].alloc);
        if (uses[a].alloc.getType().getLevel() !=
                uses[b].alloc.getType().getLevel() ||
            uses[a].last < uses[b].first || uses[b].last < uses[a].first ||
            aEnd <= bBegin || bEnd <= aBegin)
          continue;
        return uses[b]
                   .alloc
                   .emitError("shares rows with another buffer that "
                              "is needed at the same time; wanted "
                              "rows of its own")
                   .attachNote(uses[a].alloc.getLoc())
               << "the other one is here";
      }
    return success();
  }

  LoopNestOp nest;
  const Accelerator &machine;
  unsigned stages = 0;
  /// The stages that compute, in order, and their layers.
  SmallVector<StageOp> members;
  std::vector<Layer> layers;
  GroupFlow flow;
  std::optional<GroupTiles> tiles;
  /// What last filled each buffer.
  llvm::DenseMap<Value, Operation *> written;
};

struct VerifySchedulePass
    : public fadiff::impl::VerifySchedulePassBase<VerifySchedulePass> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    bool hasWork = false;
    getOperation().walk([&](Operation *op) {
      hasWork |= isa<LayerOp, LoopNestOp>(op);
    });
    if (!hasWork)
      return;
    FailureOr<Accelerator> machine = requireTarget(getOperation());
    if (failed(machine))
      return signalPassFailure();
    WalkResult result =
        getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
          LogicalResult legal = success();
          if (auto nest = dyn_cast<LoopNestOp>(op)) {
            legal = NestChecker(nest, *machine).run();
          } else if (auto group = dyn_cast<FusionGroupOp>(op)) {
            SmallVector<LayerOp> layers = getLayers(group);
            legal = verifyMappings(layers, *machine);
          } else if (auto layer = dyn_cast<LayerOp>(op)) {
            legal = verifyMappings(layer, *machine);
          } else {
            return WalkResult::advance();
          }
          return succeeded(legal) ? WalkResult::skip()
                                  : WalkResult::interrupt();
        });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
