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

#include "fadiff/Dialect/Fadiff/IR/ValueConversion.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Placement.h"
#include "fadiff/Schedule/Schedule.h"
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

/// The rows of block-diagonal weight tiles: result[..., j] is the weight if j ==
/// g mod cols, else 0, where g is the index along `groupAxis`. The array then
/// runs `cols` channels at once.
static Value expandDepthwiseWeights(OpBuilder &builder, Location loc,
                                    Value weights, unsigned groupAxis,
                                    int64_t cols) {
  auto type = cast<RankedTensorType>(weights.getType());
  unsigned rank = type.getRank();
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(cols);
  Value init = tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  MLIRContext *context = builder.getContext();
  AffineMap out = builder.getMultiDimIdentityMap(rank + 1);
  AffineMap in = AffineMap::get(rank + 1, 0, out.getResults().drop_back(), context);
  SmallVector<utils::IteratorType> iterators(rank + 1,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), ValueRange{weights},
             ValueRange{init}, ArrayRef<AffineMap>{in, out}, iterators,
             [&](OpBuilder &b, Location l, ValueRange args) {
               Value group = linalg::IndexOp::create(b, l, groupAxis);
               Value column = linalg::IndexOp::create(b, l, rank);
               Value side = arith::ConstantIndexOp::create(b, l, cols);
               Value zero = arith::ConstantOp::create(
                   b, l, b.getZeroAttr(type.getElementType()));
               Value diagonal = arith::CmpIOp::create(
                   b, l, arith::CmpIPredicate::eq, column,
                   arith::RemUIOp::create(b, l, group, side));
               Value result =
                   arith::SelectOp::create(b, l, diagonal, args[0], zero);
               linalg::YieldOp::create(b, l, result);
             })
      ->getResult(0);
}

namespace {
/// One layer on its way into a nest.
struct Member {
  LayerOp op;
  /// What its loops run over: in a group the layer of one tile.
  Layer layer;
  Mapping mapping;
  Footprint rows;
  Value input, weights, bias, spill; ///< DRAM views (input: first member only)
  Value inputBuffer, weightBuffer, accumulator;
  Value destination; ///< DRAM view or on-chip buffer

  bool keepsWeights() const { return weightsResident(layer, mapping); }
};

/// The group of `layers`, whose mappings are legal.
static GroupTiles tilesOf(ArrayRef<Layer> layers, const Mapping &last,
                          bool keepRows) {
  std::vector<const Layer *> chain;
  for (const Layer &layer : layers)
    chain.push_back(&layer);
  PerDim<int64_t> tile{1};
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    tile[dim] = last.tile(layers.back(), Level::Scratchpad, dim);
  return GroupTiles(chain, tile, keepRows);
}

class NestBuilder {
public:
  /// `group` may be null; `cost` is its, or the single layer's.
  NestBuilder(OpBuilder &builder, ArrayRef<LayerOp> layers, FusionGroupOp group,
              CostAttr cost, const Accelerator &machine)
      : builder(builder), machine(machine), group(group), cost(cost) {
    for (LayerOp op : layers)
      whole.push_back(toLayer(op));
    if (layers.size() > 1)
      tiles.emplace(tilesOf(whole,
                            toMapping(*LayerOp(layers.back()).getMapping()),
                            group && group.getKeepRows()));
    for (auto [i, layer] : llvm::enumerate(layers)) {
      LayerOp op = layer;
      Member member;
      member.op = op;
      member.layer = tiles ? tiles->tileLayer(i) : whole[i];
      member.mapping = toMapping(*op.getMapping());
      member.rows = footprint(member.layer, member.mapping);
      members.push_back(member);
    }
  }

  /// Builds the nest at the builder's insertion point.
  LoopNestOp build() {
    Location loc = location();
    LoopNestOp nest = createNest(loc);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&nest.getBody().front());
    placeBuffers(loc);
    bool fused = members.size() > 1;
    // In a group, weights that stay are loaded before the tile loops.
    if (fused) {
      for (Member &member : members)
        if (member.keepsWeights())
          inStage(member, [&] { emitWeightLoad(member); });
      openGroupLoops(loc);
    }
    for (Member &member : members)
      inStage(member, [&] { emitMember(member, fused); });
    return nest;
  }

private:
  Location location() {
    SmallVector<Location> locs;
    for (Member &member : members)
      locs.push_back(member.op.getLoc());
    return builder.getFusedLoc(locs);
  }

  LoopNestOp createNest(Location loc) {
    SmallVector<Value> inputs{members.front().op.getInput()};
    for (Member &member : members) {
      Value weights = member.op.getWeights();
      if (member.layer.isDepthwise())
        weights = expandDepthwiseWeights(
            builder, loc, weights,
            member.op.getWorkload().getWeightLayout().find('G'),
            member.mapping.cols);
      inputs.push_back(weights);
      if (member.op.getBias())
        inputs.push_back(member.op.getBias());
    }
    auto resultType = cast<RankedTensorType>(members.back().op.getType());
    auto empty = [&](Type element) -> Value {
      return tensor::EmptyOp::create(builder, loc, resultType.getShape(), element);
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
        group ? group.getTileAttr() : DenseI64ArrayAttr(),
        group && group.getKeepRows(), cost);
    Block &body = nest.getBody().emplaceBlock();
    for (Value operand : nest->getOperands())
      body.addArgument(DramType::get(cast<ShapedType>(operand.getType())),
                       operand.getLoc());
    unsigned next = 0;
    members.front().input = body.getArgument(next++);
    for (Member &member : members) {
      member.weights = body.getArgument(next++);
      if (member.op.getBias())
        member.bias = body.getArgument(next++);
    }
    members.back().destination = body.getArgument(next++);
    if (spills)
      members.back().spill = body.getArgument(next++);
    return nest;
  }

  Value alloc(Location loc, MemoryLevel level, int64_t base, int64_t rows) {
    return AllocOp::create(builder, loc,
                           BufferType::get(builder.getContext(), level, rows),
                           base);
  }

  /// Whether the input of a member stays from tile to tile, in part.
  bool keepsInput(size_t member) const {
    if (!tiles)
      return false;
    return member == 0 ? tiles->keepsLoadedInput(members[0].mapping)
                       : tiles->keepsInput(member);
  }

  /// Resident weights and tiles whose rows are kept lie at the bottom. Above
  /// them each member needs the rest of its input, its own weights and its
  /// output tile at once, and one member's output is the next one's input:
  /// these alternate between the two ends, so a member fits exactly if its
  /// three parts do.
  void placeBuffers(Location loc) {
    int64_t bottom = 0;
    for (Member &member : members)
      if (members.size() > 1 && member.keepsWeights()) {
        member.weightBuffer = alloc(loc, MemoryLevel::scratchpad, bottom,
                                    member.rows.weightRows);
        bottom += member.rows.weightRows;
      }
    auto rowsOfInput = [&](size_t i) {
      return i == 0 ? members[i].rows.inputRows
                    : tiles->handOverRows(i, machine.side);
    };
    for (size_t i = 0; i < members.size(); ++i)
      if (keepsInput(i)) {
        members[i].inputBuffer =
            alloc(loc, MemoryLevel::scratchpad, bottom, rowsOfInput(i));
        bottom += rowsOfInput(i);
      }
    for (size_t i = 1; i < members.size(); ++i)
      members[i - 1].destination = members[i].inputBuffer;
    int64_t inputRows = 0;
    bool inputAtBottom = true;
    if (!keepsInput(0)) {
      inputRows = rowsOfInput(0);
      members.front().inputBuffer =
          alloc(loc, MemoryLevel::scratchpad, bottom, inputRows);
    }
    for (auto [i, member] : llvm::enumerate(members)) {
      bool isLast = i + 1 == members.size();
      int64_t outputRows = isLast || keepsInput(i + 1) ? 0 : rowsOfInput(i + 1);
      if (!member.weightBuffer)
        member.weightBuffer = alloc(
            loc, MemoryLevel::scratchpad,
            bottom + (inputAtBottom ? inputRows : outputRows),
            member.rows.weightRows);
      // Neighbours take turns, so that one may begin while the other drains.
      int64_t sums = member.rows.outputRows;
      member.accumulator =
          alloc(loc, MemoryLevel::accumulator,
                i % 2 ? machine.accumulatorRows() - sums : 0, sums);
      if (isLast)
        break;
      if (!keepsInput(i + 1)) {
        int64_t base =
            inputAtBottom ? machine.scratchpadRows() - outputRows : bottom;
        Value buffer = alloc(loc, MemoryLevel::scratchpad, base, outputRows);
        member.destination = buffer;
        members[i + 1].inputBuffer = buffer;
      }
      inputRows = outputRows;
      inputAtBottom = !inputAtBottom;
    }
  }

  static bool isGroupDim(Dim dim) {
    return dim == Dim::N || dim == Dim::P || dim == Dim::Q;
  }

  /// The last member's tile loops; the other members' tiles follow from its.
  void openGroupLoops(Location loc) {
    const Mapping &mapping = members.back().mapping;
    for (const EmittedLoop &loop :
         emittedLoops(whole.back(), mapping, Level::Dram))
      if (isGroupDim(loop.dim))
        openLoop(loc, loop, mapping.tile(whole.back(), Level::Scratchpad, loop.dim));
  }

  /// The extent that one trip of `loop` covers.
  static int64_t stepOf(const Member &member, const EmittedLoop &loop) {
    Level inner = static_cast<Level>(static_cast<unsigned>(loop.level) - 1);
    return member.mapping.tile(member.layer, inner, loop.dim);
  }

  void openLoop(Location loc, const EmittedLoop &loop, int64_t step) {
    auto op = ForOp::create(builder, loc, toLoopDim(loop.dim), step,
                            toMemoryLevel(loop.level));
    builder.setInsertionPointToStart(&op.getBody().emplaceBlock());
  }

  void inStage(Member &member, llvm::function_ref<void()> emit) {
    OpBuilder::InsertionGuard guard(builder);
    bool depthwise = member.layer.isDepthwise();
    auto stage = StageOp::create(
        builder, member.op.getLoc(), member.op.getName(),
        member.op.getWorkload(), member.op.getEpilogue(),
        depthwise ? member.mapping.cols : member.mapping.rows,
        member.mapping.cols, member.op.getMappingAttr(),
        member.op.getCostAttr());
    stage->setDiscardableAttrs(member.op->getDiscardableAttrDictionary());
    builder.setInsertionPointToStart(&stage.getBody().emplaceBlock());
    emit();
  }

  void emitWeightLoad(Member &member) {
    LoadOp::create(builder, member.op.getLoc(), LoadedOperand::weights,
                   member.weights, member.weightBuffer);
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

    // The store closes what the init opened, at the same depth.
    for (unsigned i = 0; i <= outer.size(); ++i) {
      if (i == weightDepth && loadsWeights)
        emitWeightLoad(member);
      if (i == inputDepth && member.input)
        LoadOp::create(builder, loc, LoadedOperand::input, member.input,
                       member.inputBuffer);
      if (i == outputDepth) {
        InitOp::create(builder, loc, member.accumulator, member.bias,
                       member.spill);
        StoreOp store = StoreOp::create(builder, loc, member.accumulator,
                                        member.destination, member.spill);
        builder.setInsertionPoint(store);
      }
      if (i < outer.size())
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
  std::vector<Layer> whole;
  std::optional<GroupTiles> tiles; ///< of a group
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
