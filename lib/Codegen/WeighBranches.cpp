//===- WeighBranches.cpp - How often branches are taken ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeighBranches.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <optional>

using namespace mlir;

namespace {

using Number = std::optional<int64_t>;

/// What `op` makes of these numbers, if no type is too small for it; flags are
/// 0 and 1.
Number apply(Operation *op, ArrayRef<int64_t> operands) {
  auto unlessOverflow = [&](auto compute) -> Number {
    int64_t result = 0;
    return compute(operands[0], operands[1], result) ? Number() : result;
  };
  return llvm::TypeSwitch<Operation *, Number>(op)
      .Case([&](arith::AddIOp) {
        return unlessOverflow(llvm::AddOverflow<int64_t>);
      })
      .Case([&](arith::SubIOp) {
        return unlessOverflow(llvm::SubOverflow<int64_t>);
      })
      .Case([&](arith::MulIOp) {
        return unlessOverflow(llvm::MulOverflow<int64_t>);
      })
      .Case([&](arith::MinSIOp) { return std::min(operands[0], operands[1]); })
      .Case([&](arith::MaxSIOp) { return std::max(operands[0], operands[1]); })
      .Case([&](arith::AndIOp) { return operands[0] & operands[1]; })
      .Case([&](arith::OrIOp) { return operands[0] | operands[1]; })
      .Case([&](arith::XOrIOp) { return operands[0] ^ operands[1]; })
      .Case([&](arith::SelectOp) {
        return operands[0] ? operands[1] : operands[2];
      })
      .Case([&](arith::CmpIOp compare) -> Number {
        const arith::CmpIPredicate predicate = compare.getPredicate();
        if (compare.getLhs().getType().isInteger(1) &&
            predicate != arith::CmpIPredicate::eq &&
            predicate != arith::CmpIPredicate::ne)
          return std::nullopt; // a set flag is -1 there
        return int64_t(arith::applyCmpPredicate(
            predicate, APInt(64, operands[0], /*isSigned=*/true),
            APInt(64, operands[1], /*isSigned=*/true)));
      })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtUIOp>(
          [&](auto) { return operands[0]; })
      .Case<arith::DivUIOp, arith::RemUIOp, arith::CeilDivSIOp,
            arith::FloorDivSIOp>([&](auto quotient) -> Number {
        if (operands[0] < 0 || operands[1] <= 0)
          return std::nullopt;
        if (isa<arith::RemUIOp>(quotient))
          return operands[0] % operands[1];
        return isa<arith::CeilDivSIOp>(quotient)
                   ? llvm::divideCeilSigned(operands[0], operands[1])
                   : operands[0] / operands[1];
      })
      .Default([](Operation *) { return Number(); });
}

/// Whether a value of this type is the number, signed or not.
bool fits(Type type, int64_t number) {
  const unsigned width = type.isInteger() ? type.getIntOrFloatBitWidth() : 64;
  return width >= 64 ||
         (width == 1 ? number >> 1 == 0
                     : number >= 0 && llvm::isIntN(width, number));
}

/// Values that follow from trips of loops with constant bounds.
class OnTrips {
public:
  /// Adds a value, and what it follows from. False if that is anything else.
  bool add(Value value) {
    if (isKnown.contains(value))
      return true;
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant))) {
      if (constant.getBitWidth() > 64)
        return false;
      const int64_t number = constant.getBitWidth() == 1
                                 ? constant.getZExtValue()
                                 : constant.getSExtValue();
      if (!fits(value.getType(), number))
        return false;
      numbers[value] = number;
      isKnown.insert(value);
      return true;
    }
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument != loop.getInductionVar() ||
          !value.getType().isIndex())
        return false;
      std::optional<APInt> count = loop.getStaticTripCount();
      std::optional<int64_t> first = getConstantIntValue(loop.getLowerBound()),
                             step = getConstantIntValue(loop.getStep());
      if (!count || count->isZero() || !first || !step)
        return false;
      loops.push_back({value, *first, *step, int64_t(count->getZExtValue())});
      isKnown.insert(value);
      return true;
    }
    Operation *op = value.getDefiningOp();
    if (op->getNumResults() != 1 || op->getNumRegions() > 0 || !isPure(op) ||
        !value.getType().isIntOrIndex())
      return false;
    if (!llvm::all_of(op->getOperands(), [&](Value from) { return add(from); }))
      return false;
    ops.push_back(op);
    isKnown.insert(value);
    return true;
  }

  /// On how many combinations of trips the values may differ.
  int64_t count() const {
    int64_t product = 1;
    for (const Loop &loop : loops)
      if (llvm::MulOverflow(product, loop.trips, product))
        return std::numeric_limits<int64_t>::max();
    return product;
  }

  /// Calls `visit` on each of them. False if some value is not known there.
  bool forEach(llvm::function_ref<void()> visit) {
    for (int64_t number = 0, all = count(); number < all; ++number) {
      int64_t rest = number;
      for (const Loop &loop : loops) {
        numbers[loop.variable] = loop.first + rest % loop.trips * loop.step;
        rest /= loop.trips;
      }
      for (Operation *op : ops) {
        SmallVector<int64_t, 3> operands;
        for (Value operand : op->getOperands())
          operands.push_back(numbers.at(operand));
        const Number result = apply(op, operands);
        if (!result || !fits(op->getResult(0).getType(), *result))
          return false;
        numbers[op->getResult(0)] = *result;
      }
      visit();
    }
    return true;
  }
  int64_t operator[](Value value) const { return numbers.at(value); }

private:
  struct Loop {
    Value variable;
    int64_t first, step, trips;
  };
  SmallVector<Loop> loops;
  SmallVector<Operation *> ops; ///< each behind what it needs
  DenseSet<Value> isKnown;
  DenseMap<Value, int64_t> numbers;
};

/// What is looked at for one branch.
constexpr int64_t kMostTrips = 1 << 14;

/// How often `branch` is taken of the times that it is met, if that is known.
/// Of branches around it those count that follow from the same loops, or few
/// more.
std::optional<double> probabilityOf(scf::IfOp branch) {
  OnTrips trips;
  if (!trips.add(branch.getCondition()) || trips.count() > kMostTrips)
    return std::nullopt;
  SmallVector<std::pair<Value, bool>> around;
  Operation *inside = branch;
  while (auto outer = inside->getParentOfType<scf::IfOp>()) {
    const bool isThen =
        outer.getThenRegion().isAncestor(inside->getParentRegion());
    OnTrips more = trips;
    if (more.add(outer.getCondition()) && more.count() <= kMostTrips) {
      trips = std::move(more);
      around.push_back({outer.getCondition(), isThen});
    }
    inside = outer;
  }
  int64_t met = 0, taken = 0;
  if (!trips.forEach([&] {
        if (llvm::any_of(around, [&](const auto &outer) {
              return bool(trips[outer.first]) != outer.second;
            }))
          return;
        ++met;
        taken += trips[branch.getCondition()];
      }))
    return std::nullopt;
  return met ? std::optional(double(taken) / double(met)) : std::nullopt;
}

struct WeighBranchesPass : PassWrapper<WeighBranchesPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WeighBranchesPass)

  StringRef getArgument() const override { return "fadiff-weigh-branches"; }
  StringRef getDescription() const override {
    return "Tell LLVM how often branches are taken";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    SmallVector<std::pair<scf::IfOp, double>> branches;
    getOperation()->walk([&](scf::IfOp branch) {
      if (std::optional<double> probability = probabilityOf(branch))
        branches.push_back({branch, *probability});
    });
    for (auto [branch, probability] : branches) {
      OpBuilder builder(branch);
      const Location loc = branch.getLoc();
      auto flag = [&](bool value) -> Value {
        return arith::ConstantOp::create(builder, loc,
                                         builder.getBoolAttr(value));
      };
      Value condition = branch.getCondition();
      if (probability == 0 || probability == 1)
        condition = flag(probability == 1);
      else
        condition = LLVM::ExpectWithProbabilityOp::create(
            builder, loc, condition.getType(), condition, flag(false),
            builder.getF64FloatAttr(1 - probability));
      branch.getConditionMutable().assign(condition);
    }
  }
};

} // namespace

std::unique_ptr<Pass> fadiff::createWeighBranchesPass() {
  return std::make_unique<WeighBranchesPass>();
}
