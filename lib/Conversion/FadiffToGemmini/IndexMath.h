//===- IndexMath.h - Folding index arithmetic -------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_INDEXMATH_H
#define FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_INDEXMATH_H

#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Builders.h"

namespace fadiff {

/// Index arithmetic and loops at a builder's insertion point; what is constant
/// folds as it is built, so that static and dynamic shapes share one emitter.
class IndexMath {
public:
  IndexMath(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  using Value = mlir::Value;

  Value constant(int64_t value) const {
    return mlir::arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value flag(bool value) const {
    return mlir::arith::ConstantOp::create(builder, loc,
                                           builder.getBoolAttr(value));
  }
  Value add(Value a, Value b) const { return fold<mlir::arith::AddIOp>(a, b); }
  Value sub(Value a, Value b) const { return fold<mlir::arith::SubIOp>(a, b); }
  Value mul(Value a, int64_t b) const {
    if (b == 0)
      return constant(0);
    return fold<mlir::arith::MulIOp>(a, constant(b));
  }
  Value min(Value a, Value b) const { return fold<mlir::arith::MinSIOp>(a, b); }
  Value max(Value a, Value b) const { return fold<mlir::arith::MaxSIOp>(a, b); }
  /// a and b are not negative.
  Value floorDiv(Value a, int64_t b) const {
    return fold<mlir::arith::DivUIOp>(a, constant(b));
  }
  /// a is not negative.
  Value mod(Value a, int64_t b) const {
    return b == 1 ? constant(0) : fold<mlir::arith::RemUIOp>(a, constant(b));
  }
  Value ceilDivSigned(Value a, int64_t b) const {
    return b == 1 ? a : fold<mlir::arith::CeilDivSIOp>(a, constant(b));
  }
  Value equal(Value a, Value b) const {
    return compare(mlir::arith::CmpIPredicate::eq, a, b);
  }
  Value less(Value a, Value b) const {
    return compare(mlir::arith::CmpIPredicate::slt, a, b);
  }
  Value both(Value a, Value b) const { return fold<mlir::arith::AndIOp>(a, b); }
  Value either(Value a, Value b) const {
    return fold<mlir::arith::OrIOp>(a, b);
  }
  Value negate(Value a) const {
    return fold<mlir::arith::XOrIOp>(a, flag(true));
  }

  Value select(Value condition, Value yes, Value no) const {
    return builder.createOrFold<mlir::arith::SelectOp>(loc, condition, yes, no);
  }

  static std::optional<int64_t> known(Value value) {
    return mlir::getConstantIntValue(value);
  }

  /// for (i = 0; i < count; i += step) body(i, min(step, count - i)). A loop of
  /// one trip is just its body. Where the count is not known, `usual` is what
  /// it is in most cases, if not 0.
  void forEach(Value count, int64_t step,
               llvm::function_ref<void(Value, Value)> body,
               int64_t usual = 0) const {
    std::optional<int64_t> trips = known(count);
    if (trips && *trips <= 0)
      return;
    if (trips && *trips <= step)
      return body(constant(0), count);
    auto loop = mlir::scf::ForOp::create(builder, loc, constant(0), count,
                                         constant(step));
    if (!trips && usual > 0)
      loop->setAttr(gemmini::GemminiDialect::UsualCountAttrHelper::getNameStr(),
                    builder.getIndexAttr(usual));
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value i = loop.getInductionVar();
    Value width = step == 1 || (trips && *trips % step == 0)
                      ? constant(step)
                      : min(constant(step), sub(count, i));
    body(i, width);
  }

  /// if (condition) then() else otherwise(); either may be null.
  void branch(Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise = nullptr) const {
    if (std::optional<int64_t> decided = known(condition)) {
      if (*decided)
        then();
      else if (otherwise)
        otherwise();
      return;
    }
    auto op = mlir::scf::IfOp::create(builder, loc, condition,
                                      static_cast<bool>(otherwise));
    mlir::OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(op.thenBlock());
    then();
    if (!otherwise)
      return;
    builder.setInsertionPointToStart(op.elseBlock());
    otherwise();
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;

private:
  template <typename OpT> Value fold(Value a, Value b) const {
    return builder.createOrFold<OpT>(loc, a, b);
  }
  Value compare(mlir::arith::CmpIPredicate predicate, Value a, Value b) const {
    return builder.createOrFold<mlir::arith::CmpIOp>(loc, predicate, a, b);
  }
};

/// An index that takes part in formulas which are written for numbers.
struct Index {
  const IndexMath &math;
  mlir::Value value;

  Index operator+(int64_t term) const {
    return {math, math.add(value, math.constant(term))};
  }
  Index operator-(int64_t term) const { return *this + -term; }
  Index operator*(int64_t factor) const {
    return {math, math.mul(value, factor)};
  }
};

} // namespace fadiff

#endif // FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_INDEXMATH_H
