//===- Materialize.cpp - Mappings to tiled loop nests ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The code generator's walk over a schedule. Which loops are emitted and where
// tiles move is Schedule/Placement's business; here it becomes IR.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/HostReport.h"
#include "fadiff/CostModel/StreamLatency.h"
#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Placement.h"
#include "fadiff/Schedule/Residency.h"
#include "fadiff/Schedule/Schedule.h"
#include "fadiff/Schedule/Turn.h"
#include "fadiff/Transforms/Costs.h"
#include "fadiff/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fadiff {
#define GEN_PASS_DEF_MATERIALIZEPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;
using namespace fadiff::ir;

/// The rows of block-diagonal weight tiles: result[..., j] is the weight if j
/// == g mod cols, else 0, where g is the index along G. The array then runs
/// `cols` channels at once.
static Value expandDepthwiseWeights(OpBuilder &builder, Location loc,
                                    Value weights, WorkloadAttr workload,
                                    int64_t cols) {
  auto type = cast<RankedTensorType>(weights.getType());
  unsigned rank = type.getRank();
  const std::string layout = workload.getBlockedWeightLayout();
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> read(rank);
  for (unsigned axis = 0; axis < rank; ++axis) {
    const size_t from = workload.getWeightLayout().find(layout[axis]);
    shape.push_back(type.getDimSize(from));
    read[from] = builder.getAffineDimExpr(axis);
  }
  shape.push_back(cols);
  Value init =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  AffineMap out = builder.getMultiDimIdentityMap(rank + 1);
  AffineMap in = AffineMap::get(rank + 1, 0, read, builder.getContext());
  SmallVector<utils::IteratorType> iterators(rank + 1,
                                             utils::IteratorType::parallel);
  auto expanded = linalg::GenericOp::create(
      builder, loc, init.getType(), ValueRange{weights}, ValueRange{init},
      ArrayRef<AffineMap>{in, out}, iterators,
      [&](OpBuilder &b, Location l, ValueRange args) {
        Value group = linalg::IndexOp::create(b, l, layout.find('G'));
        Value column = linalg::IndexOp::create(b, l, rank);
        Value side = arith::ConstantIndexOp::create(b, l, cols);
        Value zero = arith::ConstantOp::create(
            b, l, b.getZeroAttr(type.getElementType()));
        Value diagonal =
            arith::CmpIOp::create(b, l, arith::CmpIPredicate::eq, column,
                                  arith::RemUIOp::create(b, l, group, side));
        Value result = arith::SelectOp::create(b, l, diagonal, args[0], zero);
        linalg::YieldOp::create(b, l, result);
      });
  noteOfWeights(expanded, "it expands depthwise weights to tiles with which "
                          "the array runs several channels at once");
  return expanded->getResult(0);
}

/// Dense weights in blocks of `block` columns, those of the kernel's taps
/// beside each other (weightBlock()).
static Value blockWeights(OpBuilder &builder, Location loc, Value weights,
                          WorkloadAttr workload, int64_t block) {
  auto type = cast<RankedTensorType>(weights.getType());
  // K becomes K J.
  std::string axes = workload.getWeightLayout().str();
  const size_t columns = axes.find('K');
  SmallVector<int64_t> shape(type.getShape());
  shape[columns] /= block;
  shape.insert(shape.begin() + columns + 1, block);
  axes.insert(columns + 1, "J");
  SmallVector<ReassociationIndices> split;
  for (size_t axis = 0; axis < axes.size(); ++axis)
    if (axis == columns + 1)
      split.back().push_back(int64_t(axis));
    else
      split.push_back({int64_t(axis)});
  Value blocks = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape),
                                               weights, split);
  SmallVector<int64_t> order, transposed;
  for (char axis : workload.getBlockedWeightLayout()) {
    order.push_back(int64_t(axes.find(axis)));
    transposed.push_back(shape[order.back()]);
  }
  Value init =
      tensor::EmptyOp::create(builder, loc, transposed, type.getElementType());
  auto result = linalg::TransposeOp::create(builder, loc, blocks, init, order);
  noteOfWeights(result, "it lays out weights so that the taps of a kernel that "
                        "one move brings lie beside each other");
  return result->getResult(0);
}

namespace {
/// One layer on its way into a nest.
struct Member {
  LayerOp op;
  /// The op's; of turned images if the group keeps columns.
  WorkloadAttr workload;
  EpilogueAttr epilogue;
  /// What its loops run over: in a group the layer of one tile.
  Layer layer;
  Mapping mapping;
  Footprint rows;
  /// DRAM views (input and residual: of what it loads).
  Value input, weights, bias, residual, spill;
  Value inputBuffer, weightBuffer, accumulator;
  Value skip;                 ///< the buffer that the sums start from, or null
  Value destination;          ///< DRAM view or on-chip buffer
  Member *producer = nullptr; ///< of a member that gets slices of channels
  bool makesSlices = false;

  bool keepsWeights() const { return weightsResident(layer, mapping); }
  int64_t weightBlock(const Accelerator &machine) const {
    PerDim<int64_t> tile;
    for (Dim dim : kAllDims)
      tile[dim] = mapping.tile(layer, Level::Scratchpad, dim);
    return fadiff::weightBlock(layer, tile, mapping.cols, machine);
  }
};

class NestBuilder {
public:
  /// `group` may be null; `cost` is its, or the single layer's.
  NestBuilder(OpBuilder &builder, ArrayRef<LayerOp> layers, FusionGroupOp group,
              CostAttr cost, const Accelerator &machine)
      : builder(builder), machine(machine), group(group), cost(cost),
        values(toGroup(layers)), isTurned(values.group.keeps == Axis::W) {
    for (LayerOp op : layers)
      schedule.mappings.push_back(toMapping(*op.getMapping()));
    if (isTurned) {
      TurnedGroup image = turned(values.network, schedule, values.group);
      values = {std::move(image.network), std::move(image.group)};
      schedule = std::move(image.schedule);
    }
    const std::vector<Layer> &whole = values.network.layers;
    if (values.group.isTiled()) {
      loops.emplace(whole.back(), schedule.mappings.back(),
                    values.group.poolsOutput);
      tiles.emplace(values.network, schedule, values.group);
    }
    for (auto [i, layer] : llvm::enumerate(layers)) {
      Member member;
      member.op = layer;
      member.workload = member.op.getWorkload();
      member.epilogue = member.op.getEpilogue();
      if (isTurned) {
        member.workload = turned(member.workload);
        member.epilogue = turned(member.epilogue);
      }
      member.layer = tiles ? tiles->tileLayer(i) : whole[i];
      member.mapping = schedule.mappings[i];
      member.rows = footprint(member.layer, member.mapping);
      const StreamShape shape =
          tiles ? streamShape(*tiles, i, member.mapping, machine)
                : streamShape(member.layer, member.mapping, machine);
      if (planStream(shape, machine).fillsChunks)
        member.rows.outputRows = int64_t(shape.chunkRows(machine));
      members.push_back(member);
    }
    for (size_t i = 0; tiles && i + 1 < members.size(); ++i)
      if (tiles->flow().handsOverSlices(i)) {
        members[i].makesSlices = true;
        members[i + 1].producer = &members[i];
      }
  }

  /// Builds the nest at the builder's insertion point.
  LoopNestOp build() {
    Location loc = location();
    LoopNestOp nest = createNest(loc);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&nest.getBody().front());
    placeBuffers(loc);
    bool fused = tiles.has_value();
    // In a group, weights that stay are loaded before the tile loops.
    if (fused) {
      for (Member &member : members)
        if (member.keepsWeights())
          inLoader(member, [&] { emitWeightLoad(member); });
      openGroupLoops(loc);
      loadInputFirst();
    }
    for (Member &member : members) {
      if (member.makesSlices)
        continue; // inside the stage of its reader
      loadInputOfSlices(member);
      inStage(member, [&] { emitMember(member, fused); });
    }
    return nest;
  }

private:
  Location location() {
    SmallVector<Location> locs;
    for (Member &member : members)
      locs.push_back(member.op.getLoc());
    return builder.getFusedLoc(locs);
  }

  DenseI64ArrayAttr tileAttr() {
    const PerDim<int64_t> tile = loops->tile();
    return builder.getDenseI64ArrayAttr(
        {tile[Dim::N], tile[Dim::P], tile[Dim::Q]});
  }

  LoopNestOp createNest(Location loc) {
    SmallVector<Value> inputs{members.front().op.getInput()};
    for (Member &member : members) {
      Value weights = member.op.getWeights();
      if (member.layer.isDepthwise())
        weights = expandDepthwiseWeights(builder, loc, weights, member.workload,
                                         member.mapping.cols);
      else if (const int64_t block = member.weightBlock(machine))
        weights = blockWeights(builder, loc, weights, member.workload, block);
      inputs.push_back(weights);
      if (Value bias = member.op.getBias())
        inputs.push_back(bias);
      if (Value residual = loadedResidual(member))
        inputs.push_back(residual);
    }
    auto resultType = cast<RankedTensorType>(members.back().op.getType());
    auto empty = [&](Type element) -> Value {
      return tensor::EmptyOp::create(builder, loc, resultType.getShape(),
                                     element);
    };
    SmallVector<Value> outs{empty(resultType.getElementType())};
    bool spills =
        outputVisits(members.back().layer, members.back().mapping) > 1;
    if (spills)
      outs.push_back(empty(members.back().layer.elementBytes == 4
                               ? Type(builder.getF32Type())
                               : builder.getI32Type()));
    auto nest = LoopNestOp::create(
        builder, loc, TypeRange(ValueRange(outs)), inputs, outs,
        group ? tileAttr() : DenseI64ArrayAttr(),
        values.group.keeps.has_value(), isTurned,
        group ? group.getInputSlicesAttr() : DenseI64ArrayAttr(),
        values.group.inputTurns, cost);
    Block &body = nest.getBody().emplaceBlock();
    for (Value operand : nest->getOperands())
      body.addArgument(DramType::get(cast<ShapedType>(operand.getType())),
                       operand.getLoc());
    unsigned next = 0;
    // The group's input, whose tile is one member's window.
    for (Member &member : members)
      if (!tiles || tiles->loadsInput(&member - members.data()))
        member.input = body.getArgument(next);
    ++next;
    for (Member &member : members) {
      member.weights = body.getArgument(next++);
      if (member.op.getBias())
        member.bias = body.getArgument(next++);
      if (loadedResidual(member))
        member.residual = body.getArgument(next++);
    }
    members.back().destination = body.getArgument(next++);
    if (spills)
      members.back().spill = body.getArgument(next++);
    return nest;
  }

  /// The residual that the member loads, or null.
  Value loadedResidual(Member &member) const {
    const size_t index = &member - members.data();
    return tiles && tiles->addsOnChip(index) ? Value()
                                             : member.op.getResidual();
  }

  /// Of a layer alone that is not cut into tiles, too.
  Residency residencyOf() const {
    if (tiles) {
      Residency::Rooms rooms =
          Residency::roomsOf(*tiles, schedule.mappings, machine);
      for (auto [room, member] : llvm::zip_equal(rooms.members, members))
        room.sumRows = member.rows.outputRows;
      return Residency(tiles->flow(), rooms, machine);
    }
    const Footprint &rows = members.front().rows;
    return Residency(GroupFlow::chain(1),
                     {{{rows.inputRows}}, {{rows.weightRows, rows.outputRows}}},
                     machine);
  }

  /// Buffers in the order in which members fill them; first what stays for the
  /// whole group.
  void placeBuffers(Location loc) {
    const GroupFlow flow = tiles ? tiles->flow() : GroupFlow::chain(1);
    const Residency residency = residencyOf();
    const std::vector<int64_t> bases = residency.place();
    std::vector<Value> buffers(flow.tiles.size());
    auto alloc = [&](auto isWanted) {
      for (auto [resident, base] : llvm::zip(residency.all(), bases)) {
        if (!isWanted(resident))
          continue;
        Value buffer = AllocOp::create(
            builder, loc,
            BufferType::get(builder.getContext(), toMemoryLevel(resident.level),
                            resident.rows),
            base);
        if (resident.kind == Resident::Kind::Tile)
          buffers[resident.owner] = buffer;
        else if (resident.kind == Resident::Kind::Weights)
          members[resident.owner].weightBuffer = buffer;
        else
          members[resident.owner].accumulator = buffer;
      }
    };
    for (auto kind : {Resident::Kind::Weights, Resident::Kind::Tile})
      alloc([&](const Resident &resident) {
        return resident.stays && resident.kind == kind;
      });
    for (auto [i, member] : llvm::enumerate(members)) {
      auto allocTiles = [&, i = i](bool handedOver) {
        alloc([&](const Resident &resident) {
          return resident.kind == Resident::Kind::Tile && !resident.stays &&
                 resident.first == i &&
                 flow.tiles[resident.owner].producer.has_value() == handedOver;
        });
      };
      allocTiles(/*handedOver=*/false);
      alloc([&, i = i](const Resident &resident) {
        return resident.kind != Resident::Kind::Tile && !resident.stays &&
               resident.owner == i;
      });
      allocTiles(/*handedOver=*/true);
      const GroupFlow::Member &uses = flow.members[i];
      member.inputBuffer = buffers[uses.input];
      if (uses.skip)
        member.skip = buffers[*uses.skip];
      if (uses.output)
        member.destination = buffers[*uses.output];
      if (!member.accumulator)
        member.accumulator = member.destination;
    }
  }

  static bool isGroupDim(Dim dim) {
    return dim == Dim::N || dim == Dim::P || dim == Dim::Q;
  }

  /// The last member's tile loops; the other members' tiles follow from its.
  void openGroupLoops(Location loc) {
    for (const EmittedLoop &loop :
         emittedLoops(loops->outputs, loops->mapping, Level::Dram))
      if (isGroupDim(loop.dim))
        openLoop(loc, loop, loops->tile()[loop.dim]);
  }

  /// The extent that one trip of `loop` covers.
  static int64_t stepOf(const Member &member, const EmittedLoop &loop) {
    Level inner = static_cast<Level>(static_cast<unsigned>(loop.level) - 1);
    return member.mapping.tile(member.layer, inner, loop.dim);
  }

  /// Where a member before reads the input tile, too, it is loaded first, and
  /// so it is where its tiles take turns.
  void loadInputFirst() {
    const size_t kept = values.group.inputTurns ? 0 : 1;
    for (Member &member : llvm::drop_begin(members, kept)) {
      if (!member.input)
        continue;
      inLoader(member, [&] { emitInputLoad(member); });
      member.input = Value();
    }
  }

  /// An input that all slices read is loaded before the first of them.
  void loadInputOfSlices(Member &member) {
    Member *first = &member;
    while (first->producer)
      first = first->producer;
    if (first == &member || !first->input ||
        llvm::any_of(emittedLoops(first->layer, first->mapping, Level::Dram),
                     [](const EmittedLoop &loop) {
                       return isRelevant(Tensor::I, loop.dim);
                     }))
      return;
    inLoader(*first, [&] { emitInputLoad(*first); });
    first->input = Value();
  }

  void openLoop(Location loc, const EmittedLoop &loop, int64_t step) {
    auto op = ForOp::create(builder, loc, toLoopDim(loop.dim), step,
                            toMemoryLevel(loop.level));
    builder.setInsertionPointToStart(&op.getBody().emplaceBlock());
  }

  /// Who makes what the member takes on chip; null outside of a group.
  DenseI64ArrayAttr readsOf(const Member &member) const {
    if (members.size() < 2)
      return {};
    const GroupFlow &flow = tiles->flow();
    const GroupFlow::Member &uses = flow.members[&member - members.data()];
    SmallVector<int64_t, 2> reads;
    for (std::optional<size_t> tile : {std::optional(uses.input), uses.skip})
      if (tile) {
        const std::optional<size_t> producer = flow.tiles[*tile].producer;
        reads.push_back(producer ? int64_t(*producer) : int64_t(-1));
      }
    return builder.getDenseI64ArrayAttr(reads);
  }

  void inStage(Member &member, llvm::function_ref<void()> emit) {
    inStage(member, readsOf(member), emit);
  }
  /// A stage that only brings something in.
  void inLoader(Member &member, llvm::function_ref<void()> emit) {
    inStage(member, /*reads=*/{}, emit);
  }

  void inStage(Member &member, DenseI64ArrayAttr reads,
               llvm::function_ref<void()> emit) {
    OpBuilder::InsertionGuard guard(builder);
    bool depthwise = member.layer.isDepthwise();
    auto stage = StageOp::create(
        builder, member.op.getLoc(), member.op.getName(), member.workload,
        member.epilogue, depthwise ? member.mapping.cols : member.mapping.rows,
        member.mapping.cols,
        isTurned ? toAttr(builder.getContext(), member.mapping)
                 : member.op.getMappingAttr(),
        member.op.getCostAttr(), reads, values.group.byLoop);
    stage->setDiscardableAttrs(member.op->getDiscardableAttrDictionary());
    builder.setInsertionPointToStart(&stage.getBody().emplaceBlock());
    emit();
  }

  void emitWeightLoad(Member &member) {
    LoadOp::create(builder, member.op.getLoc(), LoadedOperand::weights,
                   member.weights, member.weightBuffer);
  }

  void emitInputLoad(Member &member) {
    LoadOp::create(builder, member.op.getLoc(), LoadedOperand::input,
                   member.input, member.inputBuffer);
  }

  /// The loops of one member from `level` inwards, with its copies.
  void emitMember(Member &member, bool fused) {
    Location loc = member.op.getLoc();
    SmallVector<EmittedLoop> outer, inner;
    for (const EmittedLoop &loop :
         emittedLoops(member.layer, member.mapping, Level::Dram))
      outer.push_back(loop);
    unsigned dramLoops = outer.size();
    for (const EmittedLoop &loop :
         emittedLoops(member.layer, member.mapping, Level::Scratchpad))
      outer.push_back(loop);
    for (const EmittedLoop &loop :
         emittedLoops(member.layer, member.mapping, Level::Accumulator))
      inner.push_back(loop);
    // Loops over pixels innermost leave the weights in the array as they are:
    // one compute streams all of them, in passes as long as the array takes.
    while (!inner.empty() && isGroupDim(inner.back().dim))
      inner.pop_back();

    // How many of `outer` stand outside each tile's copies.
    auto depth = [&](Tensor tensor, unsigned candidates) {
      unsigned result = 0;
      for (unsigned i = 0; i < candidates; ++i)
        if (isRelevant(tensor, outer[i].dim))
          result = i + 1;
      return result;
    };
    unsigned weightDepth = depth(Tensor::W, dramLoops);
    unsigned inputDepth = depth(Tensor::I, dramLoops);
    unsigned outputDepth = depth(Tensor::O, outer.size());
    bool loadsWeights = !fused || !member.keepsWeights();

    // The store closes what the init opened, at the same depth. Outermost are
    // the slices of channels, if there are any: the reader's loop walks them,
    // with the stage of their producer inside.
    for (unsigned i = 0; i <= outer.size(); ++i) {
      if (i == 1 && member.producer)
        inStage(*member.producer, [&] { emitMember(*member.producer, fused); });
      if (i == weightDepth && loadsWeights)
        emitWeightLoad(member);
      if (i == inputDepth && member.input)
        emitInputLoad(member);
      if (i == outputDepth) {
        InitOp::create(builder, loc, member.accumulator, member.bias,
                       member.residual, member.spill, member.skip);
        StoreOp store = StoreOp::create(builder, loc, member.accumulator,
                                        member.destination, member.spill);
        builder.setInsertionPoint(store);
      }
      if (i < outer.size() && !(i == 0 && member.makesSlices))
        openLoop(loc, outer[i], stepOf(member, outer[i]));
    }
    for (const EmittedLoop &loop : inner)
      openLoop(loc, loop, stepOf(member, loop));
    ComputeOp::create(builder, loc, member.inputBuffer, member.weightBuffer,
                      member.accumulator);
  }

  OpBuilder &builder;
  const Accelerator &machine;
  FusionGroupOp group;
  CostAttr cost;
  GroupValues values;
  bool isTurned;     ///< `values` are of turned images
  Schedule schedule; ///< mappings alone
  /// Of a group, and of a layer alone that pools.
  std::optional<GroupLoops> loops;
  std::optional<GroupTiles> tiles;
  std::vector<Member> members;
};

struct MaterializePass
    : public fadiff::impl::MaterializePassBase<MaterializePass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> roots;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<LayerOp, FusionGroupOp>(op))
        return WalkResult::advance();
      roots.push_back(op);
      return WalkResult::skip();
    });
    if (roots.empty())
      return;
    FailureOr<Accelerator> target = requireTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    machine = *target;
    for (Operation *root : roots)
      if (failed(materialize(root)))
        return signalPassFailure();
  }

private:
  LogicalResult materialize(Operation *root) {
    auto group = dyn_cast<FusionGroupOp>(root);
    SmallVector<LayerOp> layers =
        group ? getLayers(group) : SmallVector<LayerOp>{cast<LayerOp>(root)};
    // What the builder could not turn into a correct program is refused.
    if (failed(verifyMappings(layers, machine)))
      return failure();
    if (failed(refreshCosts(root, machine)))
      return failure();
    CostAttr cost = group ? group.getCostAttr() : layers.front().getCostAttr();
    OpBuilder builder(root);
    LoopNestOp nest =
        NestBuilder(builder, layers, group, cost, machine).build();
    root->getResult(0).replaceAllUsesWith(nest.getResult(0));
    root->erase();
    return success();
  }

  Accelerator machine;
};
} // namespace
