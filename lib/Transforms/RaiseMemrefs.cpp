//===- RaiseMemrefs.cpp - Linalg on buffers to linalg on tensors ----------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes through a block in order and keeps, for each buffer, the tensor that it
// would hold. What is understood reads and writes those tensors. In front of
// anything else, and at the end of the block, they are stored where others may
// look; behind what may have written, they are loaded again. So nothing has to
// be refused: what is not understood works on buffers as it did.
//
//===----------------------------------------------------------------------===//

#include "ImportConstants.h"
#include "fadiff/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace fadiff {
#define GEN_PASS_DEF_RAISEMEMREFSPASS
#include "fadiff/Transforms/Passes.h.inc"
} // namespace fadiff

using namespace mlir;
using namespace fadiff;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static bool isBuffer(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

/// The tensor type of what a buffer holds; null if there is none.
static RankedTensorType tensorTypeOf(Value buffer) {
  auto type = dyn_cast<MemRefType>(buffer.getType());
  if (!type || !TensorType::isValidElementType(type.getElementType()))
    return {};
  return RankedTensorType::get(type.getShape(), type.getElementType());
}

/// What the buffer is a view of, if tensors have such a view as well.
static Value viewedBy(Value buffer) {
  Operation *op = buffer.getDefiningOp();
  if (!op || !tensorTypeOf(buffer))
    return {};
  Value source;
  if (isa<memref::CastOp, memref::SubViewOp, memref::CollapseShapeOp>(op))
    source = op->getOperand(0);
  // Its inverse needs the extents.
  if (isa<memref::ExpandShapeOp>(op) &&
      cast<MemRefType>(buffer.getType()).hasStaticShape())
    source = op->getOperand(0);
  if (isa<memref::CollapseShapeOp>(op) &&
      !cast<MemRefType>(op->getOperand(0).getType()).hasStaticShape())
    source = {};
  return source && tensorTypeOf(source) ? source : Value();
}

static Value baseOf(Value buffer) {
  while (Value source = viewedBy(buffer))
    buffer = source;
  return buffer;
}

static bool isAllocation(Value base) {
  return base.getDefiningOp() &&
         isa<memref::AllocOp, memref::AllocaOp>(base.getDefiningOp());
}

/// The initial values of the constant global that `base` is, if it is one.
static memref::GlobalOp constantGlobal(Value base) {
  auto get = base.getDefiningOp<memref::GetGlobalOp>();
  if (!get)
    return {};
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      get, get.getNameAttr());
  return global && global.getConstant() ? global : memref::GlobalOp();
}

/// What all users of the buffer and of its views are known to do with it: they
/// read and write what it holds, and its address goes nowhere.
static bool keepsItsAddress(Value buffer) {
  return llvm::all_of(buffer.getUses(), [](OpOperand &use) {
    Operation *op = use.getOwner();
    if (isa<memref::CastOp, memref::SubViewOp, memref::ExpandShapeOp,
            memref::CollapseShapeOp>(op))
      return viewedBy(op->getResult(0)) && keepsItsAddress(op->getResult(0));
    if (auto structured = dyn_cast<linalg::LinalgOp>(op))
      return structured.hasPureBufferSemantics();
    if (auto store = dyn_cast<memref::StoreOp>(op))
      return store.getMemRef() == use.get();
    if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(op))
      return !toTensor.getWritable();
    if (auto stored = dyn_cast<bufferization::MaterializeInDestinationOp>(op))
      return stored.getDest() == use.get();
    return isa<memref::CopyOp, memref::LoadOp, memref::DimOp,
               memref::DeallocOp>(op);
  });
}

static bool isMarkedNoAlias(BlockArgument argument) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return function &&
         function.getArgAttr(argument.getArgNumber(),
                             LLVM::LLVMDialect::getNoAliasAttrName());
}

static bool isFunctionArgument(Value base) {
  auto argument = dyn_cast<BlockArgument>(base);
  return argument && argument.getOwner()->isEntryBlock() &&
         isa<func::FuncOp>(argument.getOwner()->getParentOp());
}

/// Whether two bases may share memory.
static bool mayOverlap(Value a, Value b) {
  if (a == b)
    return true;
  // Nobody writes those.
  if (constantGlobal(a) || constantGlobal(b))
    return false;
  auto getA = a.getDefiningOp<memref::GetGlobalOp>();
  auto getB = b.getDefiningOp<memref::GetGlobalOp>();
  if (getA && getB)
    return getA.getName() == getB.getName();
  auto isApart = [](Value one, Value other) {
    if (isAllocation(one))
      return isAllocation(other) || isFunctionArgument(other) ||
             other.getDefiningOp<memref::GetGlobalOp>() || keepsItsAddress(one);
    return isFunctionArgument(one) && isFunctionArgument(other) &&
           isMarkedNoAlias(cast<BlockArgument>(one));
  };
  return !isApart(a, b) && !isApart(b, a);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Whether two operands of one operation are parts of one buffer as far as it
/// says. Arguments and globals of different names are taken to be apart here.
static bool isSameBuffer(Value a, Value b) {
  auto isOpaque = [](Value base) {
    Operation *op = base.getDefiningOp();
    return op ? llvm::any_of(op->getOperands(), isBuffer)
              : !isFunctionArgument(base);
  };
  a = baseOf(a);
  b = baseOf(b);
  const bool areGlobals = a.getDefiningOp<memref::GetGlobalOp>() &&
                          b.getDefiningOp<memref::GetGlobalOp>();
  return a == b ||
         ((areGlobals || isOpaque(a) || isOpaque(b)) && mayOverlap(a, b));
}

/// Whether every iteration of the operation reads of `input` what it writes of
/// `output`, and nothing else.
static bool isElementByElement(linalg::LinalgOp op, OpOperand &input,
                               OpOperand &output) {
  AffineMap map = op.getMatchingIndexingMap(&output);
  return input.get() == output.get() && map.isPermutation() &&
         map == op.getMatchingIndexingMap(&input) &&
         op.getNumParallelLoops() == op.getNumLoops();
}

/// Whether the operation can be written on tensors: no output overlaps another
/// or an input, but element by element, and the body looks into no buffer.
static bool isRaisable(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics())
    return false;
  for (OpOperand &operand : op->getOpOperands())
    if (isBuffer(operand.get()) && !tensorTypeOf(operand.get()))
      return false;
  for (OpOperand &output : op.getDpsInitsMutable())
    for (OpOperand &other : op->getOpOperands())
      if (&other != &output && isBuffer(other.get()) &&
          isSameBuffer(other.get(), output.get()) &&
          (op.isDpsInit(&other) || !isElementByElement(op, other, output)))
        return false;
  return !op->walk([&](Operation *inner) {
              return inner != op && llvm::any_of(inner->getOperands(), isBuffer)
                         ? WalkResult::interrupt()
                         : WalkResult::advance();
            }).wasInterrupted();
}

/// Whether the result of the operation never shares memory with its operands,
/// nor is one of them after canonicalisation.
static bool computesAnew(Operation *op) {
  auto structured = dyn_cast<linalg::LinalgOp>(op);
  return structured && structured.getNumReductionLoops() > 0;
}

namespace {
/// Raises the operations of one block.
class BlockRaiser {
public:
  explicit BlockRaiser(Block &block)
      : block(block), builder(block.getParentOp()->getContext()) {}

  void run() {
    findRoots();
    for (Operation &op : llvm::make_early_inc_range(block.without_terminator()))
      visit(op);
    finish(*block.getTerminator());
    for (Load load : loads)
      copyUnlessKept(load);
    for (Operation *op : llvm::reverse(raised))
      op->erase();
    for (auto &[root, state] : roots)
      if (isAllocation(root) && root.getParentBlock() == &block)
        eraseIfUnused(root.getDefiningOp());
  }

private:
  /// A buffer, or a view if the block looks at the buffer through it only.
  struct Root {
    Value tensor;       ///< that it holds; null if only memory knows
    bool isNew = false; ///< memory does not have it
  };
  /// A tensor that stands for memory as it is at one place.
  struct Load {
    bufferization::ToTensorOp op;
    Value base;
  };
  /// An operation that may write what `base` shares memory with; anything if it
  /// is null.
  struct Write {
    Operation *op;
    Value base;
  };

  //===--- which buffers --------------------------------------------------===//

  /// A buffer from outside that the block only sees one view of is that view.
  void findRoots() {
    llvm::MapVector<Value, llvm::SmallSetVector<Value, 2>> seen;
    block.walk([&](Operation *op) {
      if (llvm::any_of(op->getResults(),
                       [](Value result) { return bool(viewedBy(result)); }))
        return;
      for (Value operand : op->getOperands())
        if (isBuffer(operand))
          seen[baseOf(operand)].insert(operand);
    });
    for (auto &[base, values] : seen)
      if (values.size() == 1 &&
          !(isAllocation(base) && base.getParentBlock() == &block))
        onlyView[base] = values.front();
  }

  Value rootOf(Value buffer) {
    Value base = baseOf(buffer);
    auto it = onlyView.find(base);
    return it != onlyView.end() && it->second == buffer ? buffer : base;
  }

  //===--- reading and writing --------------------------------------------===//

  Value readRoot(Value root, Location loc) {
    Root &state = roots[root];
    if (state.tensor)
      return state.tensor;
    Value base = baseOf(root);
    if (base == root && isAllocation(base) && base.getParentBlock() == &block &&
        !touched.contains(base) && (!isUnknownBehind || keepsItsAddress(base)))
      return roots[root].tensor =
                 tensor::EmptyOp::create(builder, loc, tensorTypeOf(root),
                                         base.getDefiningOp()->getOperands());
    if (memref::GlobalOp global = constantGlobal(base); global && base == root)
      if (auto values =
              dyn_cast_or_null<ElementsAttr>(global.getInitialValueAttr()))
        return roots[root].tensor = arith::ConstantOp::create(
                   builder, loc, cast<TypedAttr>(denseValuesOf(values)));
    store([&](Value other) { return mayOverlap(base, baseOf(other)); }, loc);
    auto load = bufferization::ToTensorOp::create(
        builder, loc, tensorTypeOf(root), root, /*restrict=*/true);
    loads.push_back({load, base});
    return roots[root].tensor = load;
  }

  Value read(Value buffer, Location loc) {
    if (buffer == rootOf(buffer))
      return readRoot(buffer, loc);
    Value source = read(viewedBy(buffer), loc);
    RankedTensorType type = tensorTypeOf(buffer);
    Operation *view = buffer.getDefiningOp();
    if (auto slice = dyn_cast<memref::SubViewOp>(view))
      return tensor::ExtractSliceOp::create(
          builder, loc, type, source, slice.getMixedOffsets(),
          slice.getMixedSizes(), slice.getMixedStrides());
    if (auto collapse = dyn_cast<memref::CollapseShapeOp>(view))
      return tensor::CollapseShapeOp::create(
          builder, loc, type, source, collapse.getReassociationIndices());
    if (auto expand = dyn_cast<memref::ExpandShapeOp>(view))
      return tensor::ExpandShapeOp::create(builder, loc, type, source,
                                           expand.getReassociationIndices());
    return toType(source, type, loc);
  }

  void write(Value buffer, Value tensor, Location loc) {
    if (buffer == rootOf(buffer)) {
      Value base = baseOf(buffer);
      // Those that overlap have to be in memory, in order, and to be loaded.
      auto overlaps = [&](Value other) {
        return other != buffer && mayOverlap(base, baseOf(other));
      };
      store(overlaps, loc);
      for (auto &[other, state] : roots)
        if (overlaps(other))
          state.tensor = {};
      roots[buffer] = {toType(tensor, tensorTypeOf(buffer), loc), true};
      return;
    }
    Value source = viewedBy(buffer);
    RankedTensorType type = tensorTypeOf(source);
    Operation *view = buffer.getDefiningOp();
    if (auto slice = dyn_cast<memref::SubViewOp>(view))
      tensor = tensor::InsertSliceOp::create(
          builder, loc, toType(tensor, tensorTypeOf(buffer), loc),
          read(source, loc), slice.getMixedOffsets(), slice.getMixedSizes(),
          slice.getMixedStrides());
    else if (auto collapse = dyn_cast<memref::CollapseShapeOp>(view))
      tensor = tensor::ExpandShapeOp::create(
          builder, loc, type, tensor, collapse.getReassociationIndices());
    else if (auto expand = dyn_cast<memref::ExpandShapeOp>(view))
      tensor = tensor::CollapseShapeOp::create(
          builder, loc, type, tensor, expand.getReassociationIndices());
    write(source, toType(tensor, type, loc), loc);
  }

  Value toType(Value tensor, RankedTensorType type, Location loc) {
    if (tensor.getType() == type)
      return tensor;
    return tensor::CastOp::create(builder, loc, type, tensor);
  }

  /// Brings to memory what it does not have of the roots that are wanted, in
  /// the order in which it was written.
  void store(llvm::function_ref<bool(Value)> isWanted, Location loc) {
    for (auto &[root, state] : roots) {
      if (!state.isNew || !isWanted(root))
        continue;
      auto stored = bufferization::MaterializeInDestinationOp::create(
          builder, loc, Type(), state.tensor, root, /*restrict=*/true,
          /*writable=*/true);
      writes.push_back({stored, baseOf(root)});
      touched.insert(baseOf(root));
      state.isNew = false;
    }
  }

  //===--- operations -----------------------------------------------------===//

  void visit(Operation &op) {
    builder.setInsertionPoint(&op);
    const Location loc = op.getLoc();
    if (auto structured = dyn_cast<linalg::LinalgOp>(op);
        structured && isRaisable(structured))
      return raise(structured);
    if (auto copy = dyn_cast<memref::CopyOp>(op);
        copy && tensorTypeOf(copy.getSource()) &&
        tensorTypeOf(copy.getTarget()) &&
        !isSameBuffer(copy.getSource(), copy.getTarget())) {
      write(copy.getTarget(),
            toType(read(copy.getSource(), loc), tensorTypeOf(copy.getTarget()),
                   loc),
            loc);
      raised.push_back(&op);
      return;
    }
    if (auto load = dyn_cast<memref::LoadOp>(op);
        load && tensorTypeOf(load.getMemRef())) {
      load.replaceAllUsesWith(
          tensor::ExtractOp::create(builder, loc, read(load.getMemRef(), loc),
                                    load.getIndices())
              .getResult());
      raised.push_back(&op);
      return;
    }
    if (auto store = dyn_cast<memref::StoreOp>(op);
        store && tensorTypeOf(store.getMemRef())) {
      write(store.getMemRef(),
            tensor::InsertOp::create(builder, loc, store.getValue(),
                                     read(store.getMemRef(), loc),
                                     store.getIndices()),
            loc);
      raised.push_back(&op);
      return;
    }
    if (auto toTensor = dyn_cast<bufferization::ToTensorOp>(op);
        toTensor && !toTensor.getWritable() &&
        tensorTypeOf(toTensor.getBuffer()) == toTensor.getType()) {
      toTensor.replaceAllUsesWith(read(toTensor.getBuffer(), loc));
      raised.push_back(&op);
      return;
    }
    if (auto dealloc = dyn_cast<memref::DeallocOp>(op))
      return visitDealloc(dealloc);
    // Views, extents and allocations touch nothing.
    if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp,
            memref::DimOp>(op) ||
        isMemoryEffectFree(&op))
      return;
    touch(op);
  }

  void raise(linalg::LinalgOp op) {
    const Location loc = op.getLoc();
    SmallVector<Value> operands;
    SmallVector<Type> results;
    for (OpOperand &operand : op->getOpOperands())
      operands.push_back(!isBuffer(operand.get()) ? operand.get()
                         : isOnlyWritten(op, operand)
                             ? emptyTensor(operand.get(), loc)
                             : read(operand.get(), loc));
    for (OpOperand &output : op.getDpsInitsMutable())
      results.push_back(operands[output.getOperandNumber()].getType());
    Operation *onTensors = mlir::clone(builder, op, results, operands);
    for (auto [output, result] :
         llvm::zip_equal(op.getDpsInits(), onTensors->getResults()))
      write(output, result, loc);
    raised.push_back(op);
  }

  /// Whether the operation writes all of the buffer and looks at nothing of it.
  static bool isOnlyWritten(linalg::LinalgOp op, OpOperand &operand) {
    return op.isDpsInit(&operand) &&
           !op.payloadUsesValueFromOperand(&operand) &&
           op.getMatchingIndexingMap(&operand).isPermutation() &&
           tensorTypeOf(operand.get()).hasStaticShape();
  }

  Value emptyTensor(Value buffer, Location loc) {
    RankedTensorType type = tensorTypeOf(buffer);
    return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                   type.getElementType());
  }

  /// Nobody looks at what is freed.
  void visitDealloc(memref::DeallocOp op) {
    Value root = rootOf(op.getMemref());
    auto it = roots.find(root);
    if (isAllocation(root) && it != roots.end())
      it->second.isNew = false;
    writes.push_back({op, baseOf(root)});
  }

  /// Anything else: memory is as it would be, before and behind.
  void touch(Operation &op) {
    llvm::SmallSetVector<Value, 4> bases;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (isBuffer(operand))
          bases.insert(baseOf(operand));
    });
    const bool isUnknown = hasUnknownEffects(op);
    auto isReached = [&](Value root) {
      Value base = baseOf(root);
      return (isUnknown && !(isAllocation(base) && keepsItsAddress(base))) ||
             llvm::any_of(bases,
                          [&](Value other) { return mayOverlap(base, other); });
    };
    store(isReached, op.getLoc());
    touched.insert(bases.begin(), bases.end());
    isUnknownBehind |= isUnknown;
    if (!isUnknown && op.getNumRegions() == 0 &&
        !hasEffect<MemoryEffects::Write>(&op) &&
        !hasEffect<MemoryEffects::Free>(&op))
      return;
    for (auto &[root, state] : roots)
      if (isReached(root) && !constantGlobal(baseOf(root)))
        state.tensor = {};
    writes.push_back({&op, Value()});
  }

  /// Whether the operation may do anything to memory that it can reach.
  static bool hasUnknownEffects(Operation &op) {
    return op
        .walk([](Operation *inner) {
          const bool isKnown =
              isa<MemoryEffectOpInterface>(inner) ||
              inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
              inner->hasTrait<OpTrait::IsTerminator>();
          return isKnown ? WalkResult::advance() : WalkResult::interrupt();
        })
        .wasInterrupted();
  }

  /// Memory gets what is looked at behind the block.
  void finish(Operation &end) {
    builder.setInsertionPoint(&end);
    llvm::SmallSetVector<Value, 4> used;
    for (Value operand : end.getOperands())
      if (isBuffer(operand))
        used.insert(baseOf(operand));
    store(
        [&](Value root) {
          Value base = baseOf(root);
          return used.contains(base) || touched.contains(base) ||
                 !isAllocation(base) || base.getParentBlock() != &block;
        },
        end.getLoc());
  }

  //===--- afterwards -----------------------------------------------------===//

  /// A load that memory changes under gets a copy.
  void copyUnlessKept(Load load) {
    Operation *first = nullptr;
    for (const Write &write : writes)
      if (load.op->isBeforeInBlock(write.op) &&
          (!write.base || mayOverlap(write.base, load.base)) &&
          (!first || write.op->isBeforeInBlock(first)))
        first = write.op;
    if (!first)
      return;
    llvm::SetVector<Value> same;
    same.insert(load.op.getResult());
    bool isKept = true;
    for (size_t next = 0; next < same.size(); ++next)
      for (Operation *user : same[next].getUsers()) {
        Operation *inBlock = block.findAncestorOpInBlock(*user);
        isKept &= inBlock && !first->isBeforeInBlock(inBlock);
        if (!computesAnew(user))
          for (Value result : user->getResults())
            if (isa<TensorType>(result.getType()))
              same.insert(result);
      }
    if (isKept)
      return;
    OpBuilder atLoad(load.op);
    const Location loc = load.op.getLoc();
    Value buffer = load.op.getBuffer();
    auto type = cast<MemRefType>(buffer.getType());
    SmallVector<Value> extents;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        extents.push_back(memref::DimOp::create(atLoad, loc, buffer, dim));
    Value copy = memref::AllocOp::create(
        atLoad, loc, MemRefType::get(type.getShape(), type.getElementType()),
        extents);
    memref::CopyOp::create(atLoad, loc, buffer, copy);
    bufferization::ToTensorOp op = load.op;
    op.getBufferMutable().assign(copy);
    op.setWritable(true);
  }

  /// Erases an allocation that nothing but views and frees refer to any more.
  static void eraseIfUnused(Operation *allocation) {
    llvm::SetVector<Operation *> dead;
    dead.insert(allocation);
    for (size_t next = 0; next < dead.size(); ++next)
      for (Operation *user : dead[next]->getUsers()) {
        if (!isa<memref::DeallocOp>(user) &&
            !(user->getNumResults() == 1 && viewedBy(user->getResult(0))))
          return;
        dead.insert(user);
      }
    for (Operation *op : llvm::reverse(dead))
      op->erase();
  }

  Block &block;
  OpBuilder builder;
  llvm::DenseMap<Value, Value> onlyView;
  llvm::MapVector<Value, Root> roots;
  /// Bases whose memory is used by what is not raised.
  llvm::DenseSet<Value> touched;
  /// Something that is not raised may have used any memory it can reach.
  bool isUnknownBehind = false;
  SmallVector<Load> loads;
  SmallVector<Write> writes;
  SmallVector<Operation *> raised;
};

struct RaiseMemrefsPass
    : public fadiff::impl::RaiseMemrefsPassBase<RaiseMemrefsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation().walk([&](linalg::LinalgOp op) {
      Block *block = op->getBlock();
      if (isRaisable(op) && isSequential(*block) &&
          !llvm::is_contained(blocks, block))
        blocks.push_back(block);
    });
    for (Block *block : blocks)
      BlockRaiser(*block).run();
  }

private:
  /// Whether nothing else runs at the same time as the block.
  static bool isSequential(Block &block) {
    for (Operation *op = block.getParentOp(); op; op = op->getParentOp()) {
      if (isa<func::FuncOp>(op))
        return true;
      if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp, scf::IndexSwitchOp,
               scf::ExecuteRegionOp, affine::AffineForOp, affine::AffineIfOp>(
              op))
        return false;
    }
    return false;
  }
};
} // namespace
