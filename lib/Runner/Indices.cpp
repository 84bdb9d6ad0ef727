//===- Indices.cpp - Which arguments are indices --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/Entry.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fadiff;

namespace {
/// Follows the integers of one argument, alone or as the elements of tensors
/// and buffers.
class IndexTracker {
public:
  explicit IndexTracker(Value argument) { add(argument); }

  std::optional<int64_t> run() {
    for (size_t next = 0; next < values.size(); ++next) {
      addend = addends.lookup(values[next]);
      for (OpOperand &use : values[next].getUses())
        visit(use);
    }
    return extent;
  }

private:
  void visit(OpOperand &use) {
    Operation *op = use.getOwner();
    if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      add(structured.getMatchingBlockArgument(&use));
      return;
    }
    if (auto yield = dyn_cast<linalg::YieldOp>(op)) {
      auto structured = dyn_cast<linalg::LinalgOp>(yield->getParentOp());
      if (structured && structured.hasPureBufferSemantics())
        add(structured.getDpsInits()[use.getOperandNumber()]);
      else
        follow(yield->getParentOp(), use.getOperandNumber());
      return;
    }
    if (auto extract = dyn_cast<tensor::ExtractOp>(op))
      visitAccess(use, extract.getTensor(), /*firstIndex=*/1, op);
    else if (auto load = dyn_cast<memref::LoadOp>(op))
      visitAccess(use, load.getMemRef(), /*firstIndex=*/1, op);
    else if (auto insert = dyn_cast<tensor::InsertOp>(op))
      visitAccess(use, insert.getDest(), /*firstIndex=*/2, op);
    else if (auto store = dyn_cast<memref::StoreOp>(op))
      visitAccess(use, store.getMemRef(), /*firstIndex=*/2, op);
    else if (auto load = dyn_cast<vector::LoadOp>(op))
      visitVector(use, load.getBase(), load.getIndices(), load.getVectorType());
    else if (auto store = dyn_cast<vector::StoreOp>(op))
      visitVector(use, store.getBase(), store.getIndices(),
                  store.getVectorType());
    else if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
      visitSlice(use, slice);
    else if (auto gather = dyn_cast<tosa::GatherOp>(op))
      visitBatched(use, gather.getIndices(), gather.getValues());
    else if (auto scatter = dyn_cast<tosa::ScatterOp>(op))
      visitBatched(use, scatter.getIndices(), scatter.getValuesIn());
    else if (auto loop = dyn_cast<scf::ForOp>(op)) {
      // Its last iteration is one below.
      if (use.get() == loop.getUpperBound())
        add(loop.getInductionVar());
    } else if (isa<arith::AddIOp, tosa::AddOp>(op)) {
      visitSum(use, op);
    } else if (isa<CastOpInterface, ViewLikeOpInterface, tensor::ExpandShapeOp,
                   tensor::CollapseShapeOp, tensor::ReshapeOp, tensor::PadOp,
                   tosa::ReshapeOp, tosa::TransposeOp, tosa::CastOp,
                   arith::SelectOp, bufferization::ToTensorOp,
                   bufferization::ToBufferOp>(op))
      follow(op, 0);
  }

  /// One element is read at or written to indices.
  void visitAccess(OpOperand &use, Value container, unsigned firstIndex,
                   Operation *op) {
    if (use.getOperandNumber() >= firstIndex)
      note(container.getType(), use.getOperandNumber() - firstIndex, 1);
    else
      follow(op, 0);
  }

  /// The innermost axes are read or written along the vector's.
  void visitVector(OpOperand &use, Value container, OperandRange indices,
                   VectorType vector) {
    const unsigned first = indices.getBeginOperandIndex();
    if (use.getOperandNumber() < first)
      return;
    const unsigned axis = use.getOperandNumber() - first;
    const unsigned before = indices.size() - vector.getRank();
    note(container.getType(), axis,
         axis < before ? 1 : vector.getDimSize(axis - before));
  }

  void visitSlice(OpOperand &use, OffsetSizeAndStrideOpInterface slice) {
    for (unsigned dim = 0, e = slice.getMixedOffsets().size(); dim != e; ++dim)
      if (slice.isDynamicOffset(dim) &&
          slice.getDynamicOffset(dim) == use.get())
        note(whole(slice), dim,
             slice.isDynamicSize(dim) ? 1 : slice.getStaticSize(dim));
    if (use.getOperandNumber() == 0)
      follow(slice, 0);
  }

  /// What a slice is a part of.
  static Type whole(OffsetSizeAndStrideOpInterface slice) {
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(slice.getOperation()))
      return insert.getDest().getType();
    return slice->getOperand(0).getType();
  }

  /// TOSA's [n, w] indices into [n, k, c].
  void visitBatched(OpOperand &use, Value indices, Value container) {
    if (use.get() == indices)
      note(container.getType(), 1, 1);
  }

  void follow(Operation *op, unsigned result) {
    if (result < op->getNumResults())
      add(op->getResult(result));
  }

  /// The argument and `addend` more reach `value`.
  void add(Value value) {
    if (values.insert(value))
      addends[value] = addend;
  }

  /// The number that all elements of `value` are, if it is a constant; an
  /// element in a body is that of its tensor.
  static std::optional<int64_t> constantOf(Value value) {
    if (auto argument = dyn_cast<BlockArgument>(value))
      if (auto op =
              dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp()))
        value = op.getMatchingOpOperand(argument)->get();
    APInt number;
    if (!matchPattern(value, m_ConstantInt(&number)))
      return std::nullopt;
    return number.trySExtValue();
  }

  /// What a constant is added to, as the start of a cache's part.
  void visitSum(OpOperand &use, Operation *op) {
    const std::optional<int64_t> constant =
        constantOf(op->getOperand(1 - use.getOperandNumber()));
    if (!constant || *constant < 0 || *constant > kFarthest - addend)
      return;
    addend += *constant;
    follow(op, 0);
    addend -= *constant;
  }

  /// `length` elements from the index on lie in `dim` of `container`.
  void note(Type container, unsigned dim, int64_t length) {
    auto shaped = dyn_cast<ShapedType>(container);
    if (!shaped || !shaped.hasRank() || dim >= unsigned(shaped.getRank()) ||
        shaped.isDynamicDim(dim))
      return;
    const int64_t starts = shaped.getDimSize(dim) - length + 1 - addend;
    // One that is never within, because this is the way of negative ones.
    if (starts < 1)
      return;
    extent = std::min(extent.value_or(starts), starts);
  }

  static constexpr int64_t kFarthest = int64_t(1) << 40;

  llvm::SetVector<Value> values;
  llvm::DenseMap<Value, int64_t> addends;
  int64_t addend = 0; ///< of the value whose uses are visited
  std::optional<int64_t> extent;
};
} // namespace

std::optional<int64_t> fadiff::extentIndexedBy(BlockArgument argument) {
  if (!getElementTypeOrSelf(argument.getType()).isIntOrIndex())
    return std::nullopt;
  return IndexTracker(argument).run();
}
