//===- InlineExp.cpp - The exponential without a call ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C libraries at hand (glibc, musl, newlib, picolibc) compute expf by one
// algorithm, Szabolcs Nagy's of ARM's optimized routines: in doubles,
// exp(x) = 2^(k/32) * 2^(r/32) with k whole and |r| <= 1/2, the first factor
// from a table and the second by a polynomial of degree 3. Here it stands in
// the loop, without the call, which takes more than it does itself. With fused
// multiply-adds where a compiler contracts the C code, all 2^32 numbers gave
// the bits of glibc's expf on a machine that has them; ProgramTest compares a
// million.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Runner/HostLowering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <limits>

using namespace mlir;

namespace fadiff {

namespace {

constexpr StringLiteral kTableName = "fadiff_exp_table";
/// Entries of the table, as a power of two; of a double, bits of its fraction.
constexpr int kTableBits = 5, kFractionBits = 52;
constexpr int kEntries = 1 << kTableBits;
/// What rounds the sum to a whole number, in its lowest bits.
constexpr double kShift = 0x1.8p+52;
/// Below and above these the float is 0 and infinite.
constexpr float kLeast = -0x1.9fe368p+6F, kMost = 0x1.62e42ep+6F;
/// Of the polynomial in r / 32.
constexpr double kCubic = 0x1.c6af84b912394p-5 / kEntries / kEntries / kEntries,
                 kSquare = 0x1.ebfce50fac4f3p-3 / kEntries / kEntries,
                 kLinear = 0x1.62e42ff0c52d6p-1 / kEntries;

struct InlineExpPass : PassWrapper<InlineExpPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InlineExpPass)

  StringRef getArgument() const override { return "fadiff-inline-exp"; }
  StringRef getDescription() const override {
    return "Compute exponentials of f32 where they stand";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect,
                    memref::MemRefDialect>();
  }

  void runOnOperation() override {
    SmallVector<math::ExpOp> exps;
    getOperation()->walk([&](math::ExpOp exp) {
      if (exp.getType().isF32())
        exps.push_back(exp);
    });
    if (exps.empty())
      return;
    memref::GlobalOp table = createTable();
    for (math::ExpOp exp : exps) {
      ImplicitLocOpBuilder builder(exp.getLoc(), exp);
      exp.replaceAllUsesWith(expand(builder, exp.getOperand(), table));
      exp.erase();
    }
  }

private:
  /// The bits of 2^(i/32) less what i puts into the exponent once k, which is i
  /// but for multiples of 32, is added above the fraction.
  memref::GlobalOp createTable() {
    ModuleOp module = getOperation();
    OpBuilder builder(module.getContext());
    SmallVector<int64_t> entries;
    for (int64_t i = 0; i < kEntries; ++i)
      entries.push_back(
          llvm::bit_cast<int64_t>(std::exp2(double(i) / kEntries)) -
          (i << (kFractionBits - kTableBits)));
    auto type = MemRefType::get({kEntries}, builder.getI64Type());
    auto values = DenseElementsAttr::get(
        RankedTensorType::get({kEntries}, builder.getI64Type()),
        ArrayRef<int64_t>(entries));
    auto table = memref::GlobalOp::create(
        builder, module.getLoc(), kTableName,
        /*sym_visibility=*/builder.getStringAttr("private"), type, values,
        /*constant=*/true, /*alignment=*/IntegerAttr());
    SymbolTable(module).insert(table, module.getBody()->begin());
    return table;
  }

  static Value expand(ImplicitLocOpBuilder &b, Value x,
                      memref::GlobalOp table) {
    Type f64 = b.getF64Type(), i64 = b.getI64Type();
    auto real = [&](double value) -> Value {
      return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
    };
    auto whole = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
    };
    // k and r: x * 32 / ln 2 = k + r.
    Value wide = arith::ExtFOp::create(b, f64, x);
    Value perLn2 = real(0x1.71547652b82fep+0 * kEntries);
    Value shifted = math::FmaOp::create(b, perLn2, wide, real(kShift));
    Value k = arith::BitcastOp::create(b, i64, shifted);
    Value rounded = arith::SubFOp::create(b, shifted, real(kShift));
    Value r =
        math::FmaOp::create(b, perLn2, wide, arith::NegFOp::create(b, rounded));
    // 2^(k/32).
    Value entry = arith::IndexCastOp::create(
        b, b.getIndexType(), arith::AndIOp::create(b, k, whole(kEntries - 1)));
    Value fraction = memref::LoadOp::create(
        b, memref::GetGlobalOp::create(b, table.getType(), table.getSymName()),
        entry);
    Value exponent =
        arith::ShLIOp::create(b, k, whole(kFractionBits - kTableBits));
    Value scale = arith::BitcastOp::create(
        b, f64, arith::AddIOp::create(b, fraction, exponent));
    // 2^(r/32).
    Value high = math::FmaOp::create(b, real(kCubic), r, real(kSquare));
    Value low = math::FmaOp::create(b, real(kLinear), r, real(1));
    Value factor =
        math::FmaOp::create(b, high, arith::MulFOp::create(b, r, r), low);
    Value result = arith::TruncFOp::create(
        b, b.getF32Type(), arith::MulFOp::create(b, factor, scale));
    auto unless = [&](arith::CmpFPredicate predicate, float bound,
                      float value) {
      auto constant = [&](float number) -> Value {
        return arith::ConstantOp::create(b, b.getF32FloatAttr(number));
      };
      result = arith::SelectOp::create(
          b, arith::CmpFOp::create(b, predicate, x, constant(bound)),
          constant(value), result);
    };
    unless(arith::CmpFPredicate::OGT, kMost,
           std::numeric_limits<float>::infinity());
    unless(arith::CmpFPredicate::OLT, kLeast, 0);
    return result;
  }
};

} // namespace

std::unique_ptr<Pass> createInlineExpPass() {
  return std::make_unique<InlineExpPass>();
}

} // namespace fadiff
