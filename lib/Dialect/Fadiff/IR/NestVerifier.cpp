//===- NestVerifier.cpp - Does a loop nest compute its layers? ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/Lowering.md, section "What a nest must satisfy", has the rules by number
// and why they suffice. Shapes of tiles are asked of Schedule, as for a
// mapping.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Fadiff/IR/NestVerifier.h"
#include "NestForm.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Schedule/Residency.h"

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

static std::string letter(Dim dim) { return std::string(1, dimName(dim)); }

static Dim inChannel(const Layer &layer) {
  return layer.isDepthwise() ? Dim::G : Dim::C;
}
static Dim outChannel(const Layer &layer) {
  return layer.isDepthwise() ? Dim::G : Dim::K;
}

/// Rows of the tiles that a box of the layer touches.
static Footprint rowsOf(Layer layer, const Extents &box, StageOp stage) {
  layer.dims = box;
  Mapping whole;
  whole.rows = stage.getRows();
  whole.cols = stage.getCols();
  whole.temporal[Level::Registers] = box;
  return footprint(layer, whole);
}

namespace {
class NestVerifier {
public:
  NestVerifier(LoopNestOp nest, const Accelerator &machine)
      : nest(nest), machine(machine) {}

  LogicalResult run() {
    FailureOr<NestForm> found = NestForm::of(nest);
    if (failed(found))
      return failure();
    form = std::move(*found);
    if (failed(checkFlow()) || failed(checkReads()) || failed(checkPools()) ||
        failed(tieTiles()) || failed(findLoads()))
      return failure();
    for (size_t i = 0; i < form.members.size(); ++i)
      if (failed(checkMember(i)))
        return failure();
    return success(succeeded(checkOperands()) && succeeded(checkRows()));
  }

private:
  //===--------------------------------------------------------------------===//
  // Who makes and reads what
  //===--------------------------------------------------------------------===//

  LogicalResult checkFlow() {
    SmallVector<StageOp> stages;
    for (const StageForm &member : form.members)
      stages.push_back(member.op);
    GroupValues values = toGroup(nest, stages);
    network = std::move(values.network);
    group = std::move(values.group);
    for (auto [stage, layer] : llvm::zip(stages, network.layers))
      if (llvm::Error error = verify(layer, machine))
        return StageOp(stage).emitError()
               << llvm::toString(std::move(error)) << ruleNumber(7);
    const TensorUses uses(network);
    flow = flowOf(network, uses, group);
    for (size_t i = 1; i < stages.size(); ++i)
      if (const std::optional<size_t> producer = inputTile(i).producer)
        if (llvm::Error error =
                verifyHandOver(layer(*producer), layer(i), machine))
          return stages[i].emitError()
                 << llvm::toString(std::move(error)) << ruleNumber(7);
    // A stage inside another one makes that one's input.
    WalkResult inner = nest->walk([&](StageOp stage) {
      auto outer = stage->getParentOfType<StageOp>();
      const size_t index = llvm::find(stages, stage) - stages.begin();
      if (!outer || (index < stages.size() && flow.members[index].output &&
                     stages[outputTile(index).reader] == outer))
        return WalkResult::advance();
      return WalkResult(stage.emitError("inside stage \"")
                        << outer.getName()
                        << "\" must make what that one reads; move it before "
                           "that stage"
                        << ruleNumber(7));
    });
    if (inner.wasInterrupted() || failed(checkSlices(stages)))
      return failure();
    if (stages.size() > 1 || !group.liveSkips.empty() || group.inputTurns)
      if (llvm::Error error = verifyFlow(network, uses, group, flow, machine))
        return nest.emitError()
               << llvm::toString(std::move(error)) << ruleNumber(7);
    return success();
  }

  /// The loops of a stage around the one inside walk the slices that the nest
  /// declares.
  LogicalResult checkSlices(ArrayRef<StageOp> stages) {
    const size_t declared =
        nest.getInputSlices().value_or(ArrayRef<int64_t>()).size();
    if (nest.getInputSlices() && declared != stages.size())
      return nest.emitError("has ")
             << declared << " input_slices; wanted one for each of "
             << stages.size() << " stages" << ruleNumber(7);
    // From the outside: what a depthwise layer gets, its reader gets too.
    std::vector<int64_t> handed(stages.size(), 0);
    for (size_t i = stages.size(); i-- > 0;) {
      StageOp stage = stages[i], producer = innerStageOf(stage);
      int64_t found = 0;
      if (producer) {
        found = network.layers[i].inputChannels();
        auto reader = stage->getParentOfType<StageOp>();
        const size_t readerAt = llvm::find(stages, reader) - stages.begin();
        if (network.layers[i].isDepthwise() && readerAt < stages.size())
          found = std::min(found, handed[readerAt]);
        for (Operation *outer = producer->getParentOp(); outer != stage;
             outer = outer->getParentOp())
          found = std::min<int64_t>(found, cast<ForOp>(outer).getStep());
      }
      handed[i] = found;
      if (const int64_t wanted = group.sliceOf(unsigned(i)); wanted != found)
        return stage.emitError("gets ")
               << wanted
               << " channels at a time by input_slices of the nest (0: all), "
                  "but its loops around the stage inside walk "
               << found << "; wanted the same" << ruleNumber(7);
    }
    return success();
  }

  /// What a stage declares to read is what its buffers hold.
  LogicalResult checkReads() {
    const auto members = int64_t(form.members.size());
    auto nameOf = [&](int64_t tensor) {
      return tensor < 0 ? std::string("the nest's input")
                        : "what stage \"" +
                              form.members[size_t(tensor)].op.getName().str() +
                              "\" makes";
    };
    for (auto [i, member] : llvm::enumerate(form.members)) {
      const std::optional<ArrayRef<int64_t>> declared = member.op.getReads();
      if (!declared)
        continue;
      // What nobody in the nest makes comes from outside.
      auto numberOf = [&](std::optional<unsigned> tensor) {
        return tensor && *tensor < members ? int64_t(*tensor) : int64_t(-1);
      };
      SmallVector<int64_t> found{numberOf(network.operands[i].input)};
      if (skipOf(member.op))
        found.push_back(numberOf(network.operands[i].residual));
      if (declared->size() != found.size())
        return member.op.emitError("declares to read ")
               << declared->size() << " tiles, but reads " << found.size()
               << ": an input, and a residual if it is on chip"
               << ruleNumber(8);
      for (auto [want, have] : llvm::zip(*declared, found)) {
        if (want >= members)
          return member.op.emitError("declares to read what stage ")
                 << want << " makes; the nest has " << members << ruleNumber(8);
        if (want != have)
          return member.op.emitError("declares to read ")
                 << nameOf(want) << ", but its buffer holds " << nameOf(have)
                 << ruleNumber(8);
      }
    }
    return success();
  }

  /// Which stages pool what they make.
  LogicalResult checkPools() {
    for (size_t i = 0; i < form.members.size(); ++i) {
      const Layer &own = layer(i);
      StageOp stage = op(i);
      if (!own.pool)
        continue;
      if (isLast(i))
        if (llvm::Error error = verifyPoolsOutput(own, machine))
          return stage.emitError()
                 << llvm::toString(std::move(error)) << ruleNumber(18);
      if (!isPoolable(own, *own.pool, stage.getEpilogue().isAboveZeroSum()))
        return stage.emitError(kPoolWanted) << ruleNumber(18);
    }
    return success();
  }

  /// Every member's tile follows from the last one's, which the loops around
  /// the stages cut.
  LogicalResult tieTiles() {
    const Layer &last = network.layers.back();
    Extents stored = last.dims;
    for (Axis axis : kAllAxes)
      stored[outputDim(axis)] = last.readExtent(axis);
    for (ForOp loop : form.tileLoops) {
      int64_t &extent = stored[toDim(loop.getDim())];
      const int64_t step = loop.getStep();
      if (llvm::divideCeilSigned(extent, step) > kMostGroupTiles)
        return loop.emitError("makes ")
               << llvm::divideCeilSigned(extent, step)
               << " tiles; wanted at most " << kMostGroupTiles << ruleNumber(2);
      extent = std::min(extent, step);
    }
    std::vector<const Layer *> chain;
    for (const Layer &layer : network.layers)
      chain.push_back(&layer);
    tiles.emplace(chain, stored, flow, nest.getKeepRows(),
                  /*poolsOutput=*/last.pool.has_value());
    for (size_t i = 0; i < form.members.size(); ++i) {
      Extents entry = layer(i).dims;
      for (Dim dim : {Dim::N, Dim::P, Dim::Q}) {
        entry[dim] = tiles->nominal(i, dim);
        if (entry[dim] < 1)
          return op(i).emitError("has nothing to make of dim ")
                 << letter(dim)
                 << ": its reader's windows lie in the padding only; wanted a "
                    "stage that makes something"
                 << ruleNumber(7);
      }
      entries.push_back(entry);
    }
    // Slices of channels, from the outside.
    for (size_t i = form.members.size(); i-- > 0;)
      if (op(i)->getParentOfType<StageOp>()) {
        const size_t reader = outputTile(i).reader;
        entries[i][outChannel(layer(i))] = form.members[reader].boxAt(
            op(i), entries[reader])[inChannel(layer(reader))];
      }
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Copies from DRAM
  //===--------------------------------------------------------------------===//

  /// The members that get `load` from a stage that only loads.
  SmallVector<size_t> readersOf(LoadOp load) const {
    SmallVector<size_t> readers;
    for (auto [i, member] : llvm::enumerate(form.members)) {
      if (!member.compute)
        continue;
      ComputeOp compute = member.compute;
      if (load.getOperand() == LoadedOperand::weights
              ? !member.weights && compute.getWeights() == load.getBuffer()
              : flow.loadsInput(i) && !member.input &&
                    compute.getInput() == load.getBuffer())
        readers.push_back(i);
    }
    return readers;
  }

  /// Which load brings in each member's weights, and the tiles from DRAM.
  LogicalResult findLoads() {
    weightLoads.resize(form.members.size());
    inputLoads.resize(flow.tiles.size());
    for (auto [i, member] : llvm::enumerate(form.members)) {
      weightLoads[i] = member.weights;
      if (member.input && flow.loadsInput(i))
        inputLoads[flow.members[i].input] = member.input;
    }
    for (StageOp loader : form.loaders)
      for (LoadOp load : loader.getBody().front().getOps<LoadOp>())
        if (failed(checkLoader(loader, load)))
          return failure();
    return success();
  }

  LogicalResult checkLoader(StageOp loader, LoadOp load) {
    const bool isInput = load.getOperand() == LoadedOperand::input;
    const SmallVector<size_t> readers = readersOf(load);
    if (readers.empty())
      return load.emitError("loads what no stage reads; wanted a load that a "
                            "stage without one of its own gets")
             << ruleNumber(4);
    for (size_t i : readers) {
      StageOp reader = op(i);
      if (loader.getWorkload() != reader.getWorkload() ||
          loader.getRows() != reader.getRows() ||
          loader.getCols() != reader.getCols())
        return loader.emitError("loads for stage \"")
               << reader.getName()
               << "\" with another workload or part of the array; wanted the "
                  "same on both, as tiles lie by them"
               << ruleNumber(4);
      LoadOp &known =
          isInput ? inputLoads[flow.members[i].input] : weightLoads[i];
      if (known)
        return (load.emitError("loads again what stage \"")
                << reader.getName() << "\" gets; wanted one load"
                << ruleNumber(4))
                   .attachNote(known.getLoc())
               << "the first one is here";
      known = load;
      // A tile of the input is the window of one tile of outputs.
      SmallVector<size_t> before{i};
      if (isInput)
        before = usersOf(flow.members[i].input);
      for (size_t user : before) {
        Operation *there = loader->getBlock()->findAncestorOpInBlock(*op(user));
        if (!there || !loader->isBeforeInBlock(there) ||
            (isInput && there != outermostStageOf(op(user))))
          return loader.emitError("must stand before stage \"")
                 << op(user).getName() << "\", which reads what it loads"
                 << (isInput ? ", inside of the same loops over tiles" : "")
                 << ruleNumber(4);
      }
      Extents box = entries[i];
      if (!isInput)
        box = layer(i).dims;
      if (failed(checkLoad(load, i, box)))
        return failure();
    }
    return success();
  }

  /// The members that read a tile or add it.
  SmallVector<size_t> usersOf(size_t tile) const {
    SmallVector<size_t> users;
    for (auto [i, member] : llvm::enumerate(flow.members))
      if (member.input == tile || member.skip == tile)
        users.push_back(i);
    return users;
  }

  LogicalResult tooSmall(Operation *at, StringRef what, int64_t wanted,
                         Value buffer) {
    const auto type = cast<BufferType>(buffer.getType());
    if (type.getRows() >= wanted)
      return success();
    return at->emitError() << what << " needs " << wanted << " rows of the "
                           << stringifyMemoryLevel(type.getLevel())
                           << "; its buffer has " << type.getRows()
                           << ruleNumber(14);
  }

  LogicalResult checkGroups(Operation *at, size_t i, const Extents &box) {
    if (layer(i).isDepthwise() || box[Dim::G] == 1)
      return success();
    return at->emitError("the box spans ")
           << box[Dim::G]
           << " of dim G; groups that are not depthwise run one after the "
              "other: loop over G around it"
           << ruleNumber(10);
  }

  LogicalResult checkLoad(LoadOp load, size_t i, const Extents &box) {
    if (failed(checkGroups(load, i, box)))
      return failure();
    // Weights that stay are there for all slices that the stage makes.
    const int64_t block = load.getWeightBlock();
    const int64_t columns = load->getParentOfType<StageOp>() == op(i)
                                ? entries[i][Dim::K]
                                : box[Dim::K];
    if (block > 0 &&
        (box[Dim::K] != block || block % int64_t(op(i).getCols()) != 0 ||
         columns % block != 0))
      return load.emitError("loads ")
             << box[Dim::K] << " of " << columns
             << " columns, of weights in blocks of " << block
             << "; wanted one whole block, of whole blocks of the array's "
             << op(i).getCols() << " columns" << ruleNumber(11);
    Footprint rows = rowsOf(layer(i), box, op(i));
    const bool isInput = load.getOperand() == LoadedOperand::input;
    // A ring has a line for each row that somebody reads.
    const size_t tile = flow.members[i].input;
    if (isInput && tiles->keepsTile(tile) && isLoadedWhole(load))
      rows.inputRows = rows.inputRows / tiles->window(i, Axis::H) *
                       tiles->tileExtent(tile, Axis::H);
    if (isInput && flow.tiles[tile].turns) {
      const char *found =
          form.members[i].input ? "found it in the stage that reads the input"
          : form.tileLoops.empty() ? "found no loop around the stages"
          : !tiles->keepsRows() && !tiles->alwaysMakes(0)
              ? "found tiles whose windows lie in the padding"
          : !packingOf(i, /*isOutput=*/false).fits()
              ? "found rows with fewer channels than the array's"
              : nullptr;
      if (found)
        return load.emitError("must bring in whole tiles, of which there are "
                              "several, in a stage of its own, as the nest's "
                              "input takes turns; ")
               << found << ruleNumber(21);
      if (!tiles->keepsTile(tile))
        rows.inputRows *= 2;
    }
    return tooSmall(load, isInput ? "the input tile" : "the weight tile",
                    isInput ? rows.inputRows : rows.weightRows,
                    load.getBuffer());
  }

  //===--------------------------------------------------------------------===//
  // One member
  //===--------------------------------------------------------------------===//

  LogicalResult checkMember(size_t i) {
    StageForm &member = form.members[i];
    if (failed(checkRoom(i)) || failed(member.check()) ||
        failed(checkInit(i)) || failed(checkCompute(i)) ||
        failed(checkBlocks(i)) || failed(checkStore(i)))
      return failure();
    return member.op.getLoopWs() ? checkLoopWs(i) : success();
  }

  /// How the stage's own tiles lie in their buffers, whatever they are for.
  LogicalResult checkRoom(size_t i) {
    StageForm &member = form.members[i];
    for (LoadOp load : {member.weights, member.input})
      if (load && failed(checkLoad(load, i, member.boxAt(load, entries[i]))))
        return failure();
    if (!member.init)
      return success();
    const Extents box = member.boxAt(member.init, entries[i]);
    if (const Packing packing = packingOf(i, /*isOutput=*/true);
        member.init.getSkip() && !packing.fits())
      return member.init.emitError("starts its sums from a tile with ")
             << packing.wanted << " channels to a row, but the stage has "
             << packing.found << " columns; wanted as many" << ruleNumber(13);
    if (failed(checkGroups(member.init, i, box)))
      return failure();
    return tooSmall(member.init, "the output tile",
                    rowsOf(layer(i), box, member.op).outputRows,
                    member.init.getAccumulator());
  }

  LogicalResult checkInit(size_t i) {
    StageForm &member = form.members[i];
    InitOp init = member.init;
    StoreOp store = member.store;
    const Extents box = member.boxAt(init, entries[i]);
    if (layer(i).pool)
      for (Dim dim : {Dim::P, Dim::Q}) {
        const int64_t whole = tiles->nominal(i, dim);
        if (box[dim] != whole || whole > machine.pool.extent)
          return init.emitError("the tile spans ")
                 << box[dim] << " of dim " << letter(dim)
                 << "; outputs that are pooled must be there together: wanted "
                 << whole << ", at most " << machine.pool.extent
                 << ruleNumber(18);
      }
    if (init.getSkip()) {
      // One that is loaded in parts is not there as a whole.
      const size_t tile = *flow.members[i].skip;
      if (!flow.tiles[tile].producer &&
          (!isLoadedWhole(tile) || isAfter(inputLoads[tile], i) ||
           inputLoads[tile].getBuffer() != init.getSkip()))
        return init.emitError("starts its sums from a buffer that holds no "
                              "whole tile that a stage reads or makes")
               << ruleNumber(9);
    }
    if (bool(init.getSpill()) != bool(store.getSpill()))
      return store.emitError("and its fadiff.init must both have a spill "
                             "operand or neither")
             << ruleNumber(16);
    if (init.getSpill() && form.members.size() > 1)
      return init.emitError("keeps partial sums in DRAM; wanted complete ones, "
                            "as the nest has several stages")
             << ruleNumber(16);
    for (Dim dim : {Dim::C, Dim::R, Dim::S})
      if (box[dim] != entries[i][dim] && !init.getSpill())
        return init.emitError("the output tile is left before the loop over ")
               << letter(dim)
               << " has summed it up; init and store need a spill operand for "
                  "partial sums"
               << ruleNumber(16);
    return success();
  }

  /// Whether the tile, from DRAM, is loaded in one piece. It is not if nobody
  /// loads it.
  static bool isLoadedWhole(LoadOp load) {
    auto stage = dyn_cast<StageOp>(load->getParentOp());
    return stage && !stage->getParentOfType<StageOp>();
  }
  bool isLoadedWhole(size_t tile) const {
    LoadOp load = inputLoads[tile];
    return load && isLoadedWhole(load);
  }

  /// Channels to a row of a tile that passes between members, which are the
  /// same on all ends, and what the stage takes at once.
  struct Packing {
    int64_t wanted = 1, found = 1;
    bool fits() const { return wanted == found; }
  };
  Packing packingOf(size_t i, bool isOutput) const {
    const Layer &own = layer(i);
    // A depthwise layer's columns are its rows, too.
    const bool isColumns = isOutput || own.isDepthwise();
    return {std::min(machine.side,
                     isOutput ? own.outputChannels() : own.inputChannels()),
            int64_t(isColumns ? op(i).getCols() : op(i).getRows())};
  }

  /// Nothing, or another tile than wanted, is in a buffer that `compute` reads.
  LogicalResult wrongTile(ComputeOp compute, Value buffer, StringRef wanted) {
    Operation *filled = nullptr;
    for (Operation *user : buffer.getUsers()) {
      auto load = dyn_cast<LoadOp>(user);
      auto store = dyn_cast<StoreOp>(user);
      if ((load && load.getBuffer() == buffer) ||
          (store && store.getDestination() == buffer))
        filled = user;
    }
    if (!filled)
      return compute.emitError(
                 "reads a buffer into which nothing was loaded or "
                 "stored before: wanted ")
             << wanted << ruleNumber(9);
    return (compute.emitError("reads a buffer that holds another kind of tile "
                              "than it takes there: wanted ")
            << wanted << ruleNumber(9))
               .attachNote(filled->getLoc())
           << "it was filled here";
  }

  LogicalResult checkCompute(size_t i) {
    StageForm &member = form.members[i];
    ComputeOp compute = member.compute;
    StageOp stage = member.op;
    const Layer &own = layer(i);
    const Extents box = member.boxAt(compute, entries[i]);
    const std::pair<Dim, int64_t> limits[] = {
        {Dim::R, 1},
        {Dim::S, 1},
        {inChannel(own), stage.getRows()},
        {outChannel(own), stage.getCols()}};
    for (auto [dim, limit] : limits)
      if (box[dim] > limit)
        return compute.emitError("the box spans ")
               << box[dim] << " of dim " << letter(dim) << "; the array takes "
               << limit << " at once; loop over the rest around it"
               << ruleNumber(10);

    // What it reads.
    const size_t tile = flow.members[i].input;
    const GroupFlow::Tile &input = flow.tiles[tile];
    LoadOp weights = weightLoads[i], load = inputLoads[tile];
    if (member.input && !flow.loadsInput(i))
      return member.input->emitError("loads the input of stage \"")
             << stage.getName()
             << "\", which gets it on chip; wanted no load of its own"
             << ruleNumber(9);
    if (!input.producer && (!load || load.getBuffer() != compute.getInput()))
      return wrongTile(compute, compute.getInput(), "the stage's input");
    // One that is loaded in parts is another one's only part by part.
    if (!input.producer && load != member.input &&
        (!isLoadedWhole(tile) || isAfter(load, i)))
      return (compute.emitError("reads a buffer whose copy ended with a loop "
                                "before this point, or comes after it; wanted "
                                "the whole tile loaded before")
              << ruleNumber(9))
                 .attachNote(load.getLoc())
             << "the copy is here";
    if (!weights || weights.getBuffer() != compute.getWeights())
      return wrongTile(compute, compute.getWeights(), "the stage's weights");
    if (compute.getAccumulator() != member.init.getAccumulator())
      return (compute.emitError("adds to a buffer that the stage's fadiff.init "
                                "does not begin; wanted the same")
              << ruleNumber(9))
                 .attachNote(member.init.getLoc())
             << "it begins another one here";
    if (input.producer || flow.isShared(tile)) {
      const bool isSum =
          compute.getInput().getType().getLevel() == MemoryLevel::accumulator;
      if (const Packing packing = packingOf(i, /*isOutput=*/false);
          !packing.fits())
        return compute.emitError(isSum ? "reads sums with "
                                       : "reads a tile with ")
               << packing.wanted << " channels to a row, but takes "
               << packing.found << " at once; wanted as many" << ruleNumber(13);
    }
    return checkGroups(compute, i, box);
  }

  /// Whether a later stage than the member loads this.
  bool isAfter(LoadOp load, size_t i) const {
    for (size_t j = i + 1; j < form.members.size(); ++j)
      if (form.members[j].input == load)
        return true;
    return false;
  }

  /// Loops cut tiles between the blocks that these lie in, and their steps are
  /// whole steps of the loops inside.
  LogicalResult checkBlocks(size_t i) {
    StageForm &member = form.members[i];
    StageOp stage = member.op;
    const GroupFlow::Member &uses = flow.members[i];
    const Layer &own = layer(i);
    const auto rows = int64_t(stage.getRows()), cols = int64_t(stage.getCols());
    auto check = [&](Dim dim, Operation *outer, int64_t block,
                     StringRef tile) -> LogicalResult {
      for (StageForm::Split split : member.splits(entries[i], dim, outer))
        if (split.step() % block)
          return split.loop.emitError("cuts ")
                 << tile << " in steps of " << split.step() << " of dim "
                 << letter(dim) << "; its rows hold " << block
                 << ": wanted a multiple" << ruleNumber(11);
      return success();
    };
    // Null if it is there before the stage begins, and so is cut by all loops.
    const GroupFlow::Tile &input = flow.tiles[uses.input];
    Operation *load =
        input.producer || flow.isShared(uses.input) ? LoadOp() : member.input;
    const bool passesOn = uses.output || uses.skip;
    if (own.isDepthwise()) {
      // The columns of its weights count from the first channel of all.
      if (failed(check(Dim::G, nullptr, cols, "the block-diagonal weights")))
        return failure();
    } else if (failed(check(Dim::C, load, rows, "the input tile")) ||
               failed(check(Dim::C, member.weights, rows, "the weight tile")) ||
               failed(check(Dim::K, member.weights, cols, "the weight tile")) ||
               failed(check(Dim::K, passesOn ? nullptr : member.init, cols,
                            "the output tile"))) {
      return failure();
    }
    for (Dim dim : kAllDims) {
      const auto splits = member.splits(entries[i], dim);
      for (size_t k = 1; k < splits.size(); ++k)
        if (splits[k].interval % splits[k].step())
          return ForOp(splits[k].loop).emitError("cuts steps of ")
                 << splits[k].interval << " of dim " << letter(dim)
                 << " in steps of " << splits[k].step()
                 << "; wanted a divisor, so that all but the last are alike"
                 << ruleNumber(12);
    }
    return success();
  }

  LogicalResult checkStore(size_t i) {
    StageForm &member = form.members[i];
    StoreOp store = member.store;
    if (store.getAccumulator() != member.init.getAccumulator())
      return (store.emitError("closes a buffer that the stage's fadiff.init "
                              "does not begin; wanted the same")
              << ruleNumber(17))
                 .attachNote(member.init.getLoc())
             << "it begins another one here";
    Value destination = store.getDestination();
    if (!isa<BufferType>(destination.getType()))
      return success(); // checkOperands()
    if (store.isInPlace() ? !machine.handsOverInPlace()
                          : !machine.handsOverCopies())
      return store.emitError("target '")
             << machine.name
             << (store.isInPlace()
                     ? "' cannot read operands from the accumulator"
                     : "' cannot copy from the accumulator to the scratchpad")
             << "; store to DRAM" << ruleNumber(17);
    if (isLast(i))
      return store.emitError("the last stage must store to DRAM: nothing reads "
                             "its tile on chip")
             << ruleNumber(17);
    if (store.isInPlace()) {
      if (member.op.getEpilogue().getPool())
        return store.emitError("leaves sums for the next stage, which wants "
                               "them pooled; wanted no pool on the way")
               << ruleNumber(18);
      // They lie as the next stage's window does, all pixels at once.
      const Extents box = member.boxAt(store, entries[i]);
      for (Dim dim : {Dim::N, Dim::P, Dim::Q})
        if (int64_t wanted = tiles->nominal(i, dim); box[dim] != wanted)
          return store.emitError("leaves sums of ")
                 << box[dim] << " of dim " << letter(dim)
                 << " for the next stage; wanted all " << wanted
                 << " of the tile" << ruleNumber(17);
      const size_t reader = outputTile(i).reader;
      if (int64_t value = layer(reader).padValue;
          value != 0 && !sumReadAs(value, member.op.getEpilogue()))
        return (store.emitError("leaves sums for a stage whose padding is ")
                << value << ", which no sum is read as; wanted a scale of up "
                << "to 1 and no relu, or a store to DRAM" << ruleNumber(20))
                   .attachNote(op(reader).getLoc())
               << "the stage that reads them";
    }
    if (const Packing packing = packingOf(i, /*isOutput=*/true);
        !packing.fits())
      return store.emitError(store.isInPlace()
                                 ? "leaves sums for the next stage, with "
                                 : "hands over a tile, with ")
             << packing.found << " channels to a row; wanted " << packing.wanted
             << ruleNumber(13);
    return tooSmall(store, "the handed-over tile",
                    tiles->held(*flow.members[i].output).rows(machine.side),
                    destination);
  }

  /// The machine's loop is given what the mapping says.
  LogicalResult checkLoopWs(size_t i) {
    StageOp stage = op(i);
    if (form.members.size() > 1 || !form.tileLoops.empty())
      return stage.emitError("is marked for loop_ws; wanted it alone, without "
                             "loops around it")
             << ruleNumber(19);
    if (llvm::Error error =
            verify(layer(i), toMapping(*stage.getMapping()), machine))
      return stage.emitError("is marked for loop_ws with a mapping that is not "
                             "legal: ")
             << llvm::toString(std::move(error)) << ruleNumber(19);
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Operands and buffers of the whole nest
  //===--------------------------------------------------------------------===//

  /// Operands come in the order in which the layers have them: the input, of
  /// each layer weights and what it adds, the result, partial sums.
  LogicalResult checkOperands() {
    const auto inputs = unsigned(nest.getInputs().size());
    auto wrong = [&](Operation *at, StringRef what, Value view,
                     unsigned wanted) {
      return at->emitError()
             << what << " is operand #"
             << cast<BlockArgument>(view).getArgNumber()
             << " of the nest; wanted #" << wanted
             << ": the input, for each stage its weights, its bias and its "
                "residual, the result, partial sums"
             << ruleNumber(3);
    };
    auto isView = [](Value view, unsigned number) {
      return cast<BlockArgument>(view).getArgNumber() == number;
    };
    unsigned next = 1;
    // Two layers may have one operand in common.
    auto takes = [&](Value view) {
      const unsigned number = cast<BlockArgument>(view).getArgNumber();
      if (number == next && next < inputs)
        ++next;
      return number > 0 && number < next;
    };
    for (LoadOp load : inputLoads)
      if (load && !isView(load.getSource(), 0))
        return wrong(load, "the input", load.getSource(), 0);
    for (auto [i, member] : llvm::enumerate(form.members)) {
      LoadOp weights = weightLoads[i];
      if (!takes(weights.getSource()))
        return wrong(weights, "its weights", weights.getSource(), next);
      InitOp init = member.init;
      StoreOp store = member.store;
      for (Value added : {init.getBias(), init.getResidual()})
        if (added && !takes(added))
          return wrong(init, "what it adds", added, next);
      if (isLast(i) && !isView(store.getDestination(), inputs))
        return wrong(store, "the result", store.getDestination(), inputs);
      for (Value spill : {init.getSpill(), store.getSpill()})
        if (spill && !isView(spill, inputs + 1))
          return wrong(init, "the place for partial sums", spill, inputs + 1);
    }
    if (next != inputs)
      return nest.emitError("operand #")
             << next << " is read by no stage; wanted each read, in order"
             << ruleNumber(3);
    if (nest.getOuts().size() > 1 && !form.members.back().init.getSpill())
      return nest.emitError("operand #")
             << inputs + 1
             << " holds no partial sums; wanted one result, as none spill"
             << ruleNumber(3);
    return success();
  }

  /// What lies in a buffer, and the members meanwhile.
  struct Held {
    AllocOp alloc;
    size_t first = 0, last = 0;
    StageOp keeper; ///< that keeps rows of it from tile to tile, or null
  };

  /// What lies on chip, as the group's flow and the stages have it; buffers say
  /// how many rows that takes.
  Residency residencyOf() const {
    Residency::Rooms rooms;
    // A load inside of loops brings in one part of the input after the other.
    for (auto [t, tile] : llvm::enumerate(flow.tiles))
      rooms.tiles.push_back(
          {0, tile.turns || (tiles->keepsTile(t) &&
                             (tile.producer || isLoadedWhole(t)))});
    // Weights loaded outside of their stage stay.
    for (const StageForm &member : form.members)
      rooms.members.push_back({0, 0, !member.weights});
    return Residency(flow, rooms, machine);
  }

  Value bufferOf(const Resident &resident) const {
    ComputeOp compute;
    switch (resident.kind) {
    case Resident::Kind::Tile:
      for (auto [member, form] : llvm::zip(flow.members, form.members)) {
        if (member.input == resident.owner)
          return ComputeOp(form.compute).getInput();
        if (member.skip == resident.owner)
          return skipOf(form.op);
      }
      return {};
    case Resident::Kind::Weights:
      compute = form.members[resident.owner].compute;
      return compute.getWeights();
    case Resident::Kind::Sums:
      compute = form.members[resident.owner].compute;
      return compute.getAccumulator();
    }
    llvm_unreachable("unknown kind");
  }

  Held heldBy(const Resident &resident) const {
    Held held{bufferOf(resident).getDefiningOp<AllocOp>(),
              resident.first,
              resident.last,
              {}};
    if (resident.stays) {
      held.first = 0;
      held.last = form.members.size() - 1;
    }
    if (resident.kind != Resident::Kind::Tile)
      return held;
    if (resident.stays)
      held.keeper = op(flow.tiles[resident.owner].reader);
    // It may be loaded for others before its first reader begins.
    if (LoadOp load = inputLoads[resident.owner])
      for (size_t i = held.first; i-- > 0;)
        if (StageOp loader = cast<StageOp>(load->getParentOfType<StageOp>());
            llvm::is_contained(form.loaders, loader) &&
            loader->isBeforeInBlock(outermostStageOf(op(i))))
          held.first = i;
    return held;
  }

  /// Whatever is needed at once must not share rows.
  LogicalResult checkRows() {
    SmallVector<Held> held;
    const Residency residency = residencyOf();
    for (const Resident &resident : residency.all()) {
      const Held what = heldBy(resident);
      if (what.keeper)
        for (AllocOp other : nest.getBody().front().getOps<AllocOp>())
          if (other != what.alloc &&
              failed(checkApart(what, {other, what.first, what.last, {}})))
            return failure();
      for (Held other : held)
        if (failed(checkApart(other, what)))
          return failure();
      held.push_back(what);
    }
    return success();
  }

  LogicalResult checkApart(Held a, Held b) {
    if (a.alloc.getType().getLevel() != b.alloc.getType().getLevel() ||
        a.last < b.first || b.last < a.first)
      return success();
    auto endOf = [](AllocOp alloc) {
      return int64_t(alloc.getBase()) + alloc.getType().getRows();
    };
    if (endOf(a.alloc) <= int64_t(b.alloc.getBase()) ||
        endOf(b.alloc) <= int64_t(a.alloc.getBase()))
      return success();
    if (!a.keeper && b.keeper)
      std::swap(a, b);
    if (a.keeper)
      return (b.alloc.emitError("rows ")
              << b.alloc.getBase() << " to " << endOf(b.alloc) - 1
              << " overlap rows " << a.alloc.getBase() << " to "
              << endOf(a.alloc) - 1 << ", which stage \"" << a.keeper.getName()
              << "\" keeps from tile to tile; place it elsewhere"
              << ruleNumber(15))
                 .attachNote(a.alloc.getLoc())
             << "the kept buffer is here";
    return (b.alloc.emitError("shares rows with another buffer that is needed "
                              "at the same time; wanted rows of its own")
            << ruleNumber(15))
               .attachNote(a.alloc.getLoc())
           << "the other one is here";
  }

  const Layer &layer(size_t member) const { return network.layers[member]; }
  StageOp op(size_t member) const { return form.members[member].op; }
  bool isLast(size_t member) const { return member + 1 == form.members.size(); }
  const GroupFlow::Tile &inputTile(size_t member) const {
    return flow.tiles[flow.members[member].input];
  }
  const GroupFlow::Tile &outputTile(size_t member) const {
    return flow.tiles[*flow.members[member].output];
  }

  LoopNestOp nest;
  const Accelerator &machine;
  NestForm form;
  Network network; ///< the layers of the members
  FusionGroup group;
  GroupFlow flow;
  std::optional<GroupTiles> tiles;
  std::vector<Extents> entries;    ///< per member, the box at its start
  std::vector<LoadOp> weightLoads; ///< per member, or null
  std::vector<LoadOp> inputLoads;  ///< per tile of the flow; null: not loaded
};
} // namespace

LogicalResult fadiff::ir::verifyNest(LoopNestOp nest,
                                     const Accelerator &machine) {
  return NestVerifier(nest, machine).run();
}
