//===- BufferizableOpInterfaceImpl.cpp - Bufferize loop nests -------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Transforms/BufferizableOpInterfaceImpl.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "mlir/Dialect/Bufferization/IR/BufferDeallocationOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/IR/DstBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace fadiff;
using namespace fadiff::ir;

/// A copy of `buffer` without gaps; itself if it has none.
static Value toDense(RewriterBase &rewriter, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getLayout().isIdentity())
    return buffer;
  Location loc = buffer.getLoc();
  Value dense = memref::AllocOp::create(
      rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()));
  memref::CopyOp::create(rewriter, loc, buffer, dense);
  return dense;
}

namespace {
/// Windows that overlap in memory: a view of the source, never written.
struct WindowsModel
    : public BufferizableOpInterface::ExternalModel<WindowsModel, WindowsOp> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const AnalysisState &) const {
    return false;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &,
                                      const AnalysisState &) const {
    return {{op->getResult(0), BufferRelation::Unknown}};
  }
  /// A write to one window would change its neighbours.
  bool isWritable(Operation *, Value, const AnalysisState &) const {
    return false;
  }

  FailureOr<BufferLikeType> getBufferType(Operation *op, Value,
                                          const BufferizationOptions &,
                                          const BufferizationState &,
                                          SmallVector<Value> &) const {
    return cast<BufferLikeType>(viewType(cast<WindowsOp>(op)));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto windows = cast<WindowsOp>(op);
    FailureOr<Value> source =
        getBuffer(rewriter, windows.getSource(), options, state);
    if (failed(source))
      return failure();
    MemRefType type = viewType(windows);
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)))
      return failure();
    replaceOpWithNewBufferizedOp<memref::ReinterpretCastOp>(
        rewriter, op, type, toDense(rewriter, *source), offset, type.getShape(),
        strides);
    return success();
  }

private:
  static MemRefType viewType(WindowsOp op) {
    auto from = cast<RankedTensorType>(op.getSource().getType());
    SmallVector<int64_t> strides = computeSuffixProduct(from.getShape());
    const int64_t offset = op.getFrom() * strides[from.getRank() - 2];
    strides[from.getRank() - 2] *= op.getStride();
    return MemRefType::get(
        op.getType().getShape(), from.getElementType(),
        StridedLayoutAttr::get(op.getContext(), offset, strides));
  }
};

struct LoopNestModel
    : public DstBufferizableOpInterfaceExternalModel<LoopNestModel,
                                                     LoopNestOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    // Outs are written whole; partial sums are written before they are read.
    return !cast<LoopNestOp>(op).isDpsInit(&operand);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto nest = cast<LoopNestOp>(op);
    auto buffersOf = [&](OperandRange operands,
                         SmallVector<Value> &buffers) -> LogicalResult {
      for (Value operand : operands) {
        FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
        if (failed(buffer))
          return failure();
        buffers.push_back(getRowStrides(cast<MemRefType>(buffer->getType()))
                              ? *buffer
                              : toDense(rewriter, *buffer));
      }
      return success();
    };
    SmallVector<Value> inputs, outs;
    if (failed(buffersOf(nest.getInputs(), inputs)))
      return failure();
    for (Value out : nest.getOuts()) {
      FailureOr<Value> buffer = getBuffer(rewriter, out, options, state);
      if (failed(buffer))
        return failure();
      outs.push_back(*buffer);
    }
    auto buffered = LoopNestOp::create(
        rewriter, nest.getLoc(), TypeRange(), inputs, outs, nest.getTileAttr(),
        nest.getKeepRows(), nest.getTurned(), nest.getInputSlicesAttr(),
        nest.getInputTurns(), nest.getCostAttr());
    buffered->setDiscardableAttrs(nest->getDiscardableAttrDictionary());
    buffered.getBody().takeBody(nest.getBody());
    replaceOpWithBufferizedValues(rewriter, op, outs);
    return success();
  }
};

/// A nest on memrefs neither makes nor keeps buffers.
struct LoopNestDeallocation
    : public BufferDeallocationOpInterface::ExternalModel<LoopNestDeallocation,
                                                          LoopNestOp> {
  FailureOr<Operation *> process(Operation *op, DeallocationState &,
                                 const DeallocationOptions &) const {
    return op;
  }
};
} // namespace

void fadiff::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FadiffDialect *) {
    LoopNestOp::attachInterface<LoopNestModel, LoopNestDeallocation>(*context);
    WindowsOp::attachInterface<WindowsModel>(*context);
  });
}
