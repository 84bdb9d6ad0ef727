//===- GuardHost.cpp - Host code that says what it cannot do --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/HostLowering.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/RuntimeOpVerification.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/RuntimeOpVerification.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

namespace fadiff {

namespace {

/// "file:line:column", or how MLIR prints the location if it has none.
std::string placeOf(Location loc) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto place = loc->findInstanceOf<FileLineColLoc>())
    os << place.getFilename().getValue() << ':' << place.getLine() << ':'
       << place.getColumn();
  else
    os << loc;
  return text;
}

bool isDynamic(OpFoldResult value) { return isa<Value>(value); }

bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(
             op) &&
         op->getResult(0).getType().isIntOrIndex();
}

/// Asserts in front of `division` that it is defined.
void guard(OpBuilder &builder, Operation *division) {
  Location loc = division->getLoc();
  builder.setInsertionPoint(division);
  Value lhs = division->getOperand(0), rhs = division->getOperand(1);
  Type type = rhs.getType();
  auto constant = [&](const APInt &value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(type, value));
  };
  auto differ = [&](Value value, Value from) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, value,
                                 from);
  };
  auto check = [&](Value holds, StringRef what) {
    cf::AssertOp::create(builder, loc, holds,
                         (placeOf(loc) + ": '" +
                          division->getName().getStringRef() + "' " + what)
                             .str());
  };
  const unsigned width = type.isIndex() ? IndexType::kInternalStorageBitWidth
                                        : type.getIntOrFloatBitWidth();
  APInt divisor;
  const bool known = matchPattern(rhs, m_ConstantInt(&divisor));
  if (!known || divisor.isZero())
    check(differ(rhs, constant(APInt::getZero(width))), "divides by zero");
  if (isa<arith::DivSIOp, arith::RemSIOp>(division) &&
      (!known || divisor.isAllOnes())) {
    Value fits = arith::OrIOp::create(
        builder, loc, differ(lhs, constant(APInt::getSignedMinValue(width))),
        differ(rhs, constant(APInt::getAllOnes(width))));
    check(fits, "divides the least number by -1, whose quotient does not fit");
  }
}

/// Whether nothing about the operation is left to run time, so that its
/// verifier has seen it all.
bool isStaticallyVerified(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return !structured.hasDynamicShape();
  if (auto slice = dyn_cast<OffsetSizeAndStrideOpInterface>(op))
    return llvm::none_of(slice.getMixedOffsets(), isDynamic) &&
           llvm::none_of(slice.getMixedSizes(), isDynamic) &&
           llvm::none_of(slice.getMixedStrides(), isDynamic) &&
           cast<ShapedType>(op->getOperand(0).getType()).hasStaticShape();
  return false;
}

/// A vector that an operation moves to or from memory as it stands there: which
/// axes of `memory`, the innermost ones, it runs along and how far.
struct VectorAccess {
  Value memory;
  ValueRange indices;
  SmallVector<int64_t> extents;
};

/// The vector access of `op`, null if it is none or looks at bounds itself.
std::optional<VectorAccess> vectorAccess(Operation *op) {
  auto of = [](Value memory, ValueRange indices, VectorType type) {
    return VectorAccess{memory, indices, llvm::to_vector(type.getShape())};
  };
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return of(load.getBase(), load.getIndices(), load.getVectorType());
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return of(store.getBase(), store.getIndices(), store.getVectorType());
  auto transfer = dyn_cast<VectorTransferOpInterface>(op);
  if (!transfer || !isa<MemRefType>(transfer.getShapedType()) ||
      !transfer.getPermutationMap().isMinorIdentity())
    return std::nullopt;
  VectorAccess access =
      of(transfer.getBase(), transfer.getIndices(), transfer.getVectorType());
  // What is out of bounds along the other axes is left out.
  for (auto [extent, inBounds] :
       llvm::zip_equal(access.extents, transfer.getInBoundsValues()))
    if (!inBounds)
      extent = 0;
  return access;
}

/// Asserts in front of `op` that its vector is within memory.
void guard(OpBuilder &builder, Operation *op, const VectorAccess &access) {
  const Location loc = op->getLoc();
  builder.setInsertionPoint(op);
  const size_t first = access.indices.size() - access.extents.size();
  auto compare = [&](arith::CmpIPredicate predicate, Value lhs,
                     Value rhs) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, lhs, rhs);
  };
  Value holds;
  for (auto [axis, index] : llvm::enumerate(access.indices)) {
    const int64_t extent = axis < first ? 1 : access.extents[axis - first];
    if (extent == 0)
      continue;
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value last = arith::SubIOp::create(
        builder, loc, memref::DimOp::create(builder, loc, access.memory, axis),
        arith::ConstantIndexOp::create(builder, loc, extent));
    Value within = arith::AndIOp::create(
        builder, loc, compare(arith::CmpIPredicate::sle, zero, index),
        compare(arith::CmpIPredicate::sle, index, last));
    holds = holds ? arith::AndIOp::create(builder, loc, holds, within) : within;
  }
  if (holds)
    cf::AssertOp::create(builder, loc, holds,
                         (placeOf(loc) + ": '" + op->getName().getStringRef() +
                          "': out-of-bounds access")
                             .str());
}

struct GuardAccessesPass
    : PassWrapper<GuardAccessesPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GuardAccessesPass)

  StringRef getArgument() const override { return "fadiff-guard-accesses"; }
  StringRef getDescription() const override {
    return "Check that accesses are within their buffers, and say in "
           "assertions where they stand";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    cf::ControlFlowDialect, linalg::LinalgDialect,
                    memref::MemRefDialect, vector::VectorDialect>();
    linalg::registerRuntimeVerifiableOpInterfaceExternalModels(registry);
    memref::registerRuntimeVerifiableOpInterfaceExternalModels(registry);
  }

  void runOnOperation() override {
    SmallVector<RuntimeVerifiableOpInterface> accesses;
    SmallVector<std::pair<Operation *, VectorAccess>> vectors;
    getOperation().walk([&](Operation *op) {
      if (auto assertion = dyn_cast<cf::AssertOp>(op))
        assertion.setMsg(placeOf(op->getLoc()) +
                         ": assertion failed: " + assertion.getMsg().str());
      else if (auto access = dyn_cast<RuntimeVerifiableOpInterface>(op);
               access && !isStaticallyVerified(op))
        accesses.push_back(access);
      else if (std::optional<VectorAccess> access = vectorAccess(op))
        vectors.emplace_back(op, *access);
    });
    OpBuilder builder(&getContext());
    for (auto &[op, access] : vectors)
      guard(builder, op, access);
    for (RuntimeVerifiableOpInterface access : accesses) {
      builder.setInsertionPoint(access);
      access.generateRuntimeVerification(
          builder, access.getLoc(), [](Operation *op, StringRef what) {
            return (placeOf(op->getLoc()) + ": '" +
                    op->getName().getStringRef() + "': " + what)
                .str();
          });
    }
  }
};

struct GuardHostPass : PassWrapper<GuardHostPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GuardHostPass)

  StringRef getArgument() const override { return "fadiff-guard-host"; }
  StringRef getDescription() const override {
    return "Check integer divisions that may be undefined";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect>();
  }

  void runOnOperation() override {
    SmallVector<Operation *> divisions;
    getOperation().walk([&](Operation *op) {
      if (isDivision(op))
        divisions.push_back(op);
    });
    OpBuilder builder(&getContext());
    for (Operation *division : divisions)
      guard(builder, division);
  }
};

} // namespace

std::unique_ptr<Pass> createGuardAccessesPass() {
  return std::make_unique<GuardAccessesPass>();
}

std::unique_ptr<Pass> createGuardHostPass() {
  return std::make_unique<GuardHostPass>();
}

} // namespace fadiff
