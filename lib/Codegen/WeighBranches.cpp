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
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

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
      .Case<arith::MinSIOp, arith::MaxSIOp>([&](auto extreme) -> Number {
        if (extreme.getType().isInteger(1))
          return std::nullopt; // a set flag is -1 there
        return isa<arith::MinSIOp>(extreme)
                   ? std::min(operands[0], operands[1])
                   : std::max(operands[0], operands[1]);
      })
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
      .Case([&](arith::IndexCastOp cast) -> Number {
        if (cast.getIn().getType().isInteger(1))
          return std::nullopt; // a set flag is -1 there
        return operands[0];
      })
      .Case<arith::IndexCastUIOp, arith::ExtUIOp>(
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

/// Values that follow from trips of loops around them whose bounds are
/// constants, or follow from trips of loops further out.
class OnTrips {
public:
  /// Adds a value, and what it follows from. False if that is anything else.
  bool add(Value value) {
    if (places.contains(value))
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
      numbers[place(value)] = number;
      return true;
    }
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument != loop.getInductionVar() ||
          !value.getType().isIndex() || !add(loop.getLowerBound()) ||
          !add(loop.getUpperBound()) || !add(loop.getStep()))
        return false;
      place(value);
      loops.push_back(loop);
      return true;
    }
    Operation *op = value.getDefiningOp();
    if (op->getNumResults() != 1 || op->getNumRegions() > 0 || !isPure(op) ||
        !value.getType().isIntOrIndex())
      return false;
    if (!llvm::all_of(op->getOperands(), [&](Value from) { return add(from); }))
      return false;
    place(value);
    ops.push_back(op);
    return true;
  }

  /// Calls `visit` for each combination of trips. False if some value is not
  /// known on one of them, or if all loops together make more than `most`,
  /// those that have no trip of a loop inside of them included.
  bool forEach(int64_t most, llvm::function_ref<void()> visit) {
    // Those that enclose others first.
    llvm::sort(loops, [](scf::ForOp a, scf::ForOp b) {
      return a->isProperAncestor(b);
    });
    steps.assign(loops.size() + 1, {});
    DenseMap<Value, size_t> depths; // loops that a value depends on
    for (auto [depth, loop] : llvm::enumerate(loops))
      depths[loop.getInductionVar()] = depth + 1;
    for (Operation *op : ops) {
      Step step{op, places.at(op->getResult(0)), {}};
      size_t depth = 0;
      for (Value operand : op->getOperands()) {
        step.operands.push_back(places.at(operand));
        depth = std::max(depth, depths.lookup(operand));
      }
      depths[op->getResult(0)] = depth;
      steps[depth].push_back(std::move(step));
    }
    left = most;
    return run(0, visit);
  }
  int64_t operator[](Value value) const { return numbers[places.at(value)]; }

private:
  struct Step {
    Operation *op;
    size_t result;
    SmallVector<size_t, 3> operands;
  };

  size_t place(Value value) {
    places[value] = numbers.size();
    numbers.push_back(0);
    return numbers.size() - 1;
  }

  /// With the trips of so many loops set.
  bool run(size_t depth, llvm::function_ref<void()> visit) {
    if (left-- <= 0)
      return false;
    for (const Step &step : steps[depth]) {
      SmallVector<int64_t, 3> operands;
      for (size_t operand : step.operands)
        operands.push_back(numbers[operand]);
      const Number result = apply(step.op, operands);
      if (!result || !fits(step.op->getResult(0).getType(), *result))
        return false;
      numbers[step.result] = *result;
    }
    if (depth == loops.size()) {
      visit();
      return true;
    }
    scf::ForOp loop = loops[depth];
    const int64_t end = (*this)[loop.getUpperBound()],
                  by = (*this)[loop.getStep()];
    if (by <= 0)
      return false;
    int64_t &trip = numbers[places.at(loop.getInductionVar())];
    trip = (*this)[loop.getLowerBound()];
    while (trip < end)
      if (!run(depth + 1, visit) || llvm::AddOverflow(trip, by, trip))
        return false;
    return true;
  }

  SmallVector<scf::ForOp> loops;
  SmallVector<Operation *> ops; ///< each behind what it needs
  DenseMap<Value, size_t> places;
  std::vector<int64_t> numbers;         ///< by place
  SmallVector<SmallVector<Step>> steps; ///< by how many loops they depend on
  int64_t left = 0;
};

/// On how many trips a branch is looked at.
constexpr int64_t kMostTrips = 1 << 15;

/// A condition of a branch that something stands in, and whether it holds
/// there.
using Around = std::pair<Value, bool>;

/// How often `condition` holds, of the times that those around it do as they
/// say, if that is known.
std::optional<double> probabilityOf(Value condition, ArrayRef<Around> around) {
  OnTrips trips;
  if (!trips.add(condition))
    return std::nullopt;
  SmallVector<Around> known;
  for (const Around &outer : around)
    if (trips.add(outer.first))
      known.push_back(outer);
  int64_t met = 0, taken = 0;
  if (!trips.forEach(kMostTrips, [&] {
        if (llvm::any_of(known, [&](const Around &outer) {
              return bool(trips[outer.first]) != outer.second;
            }))
          return;
        ++met;
        taken += trips[condition];
      }))
    return std::nullopt;
  return met ? std::optional(double(taken) / double(met)) : std::nullopt;
}

std::optional<double> probabilityOf(scf::IfOp branch) {
  SmallVector<Around> around;
  for (Operation *inside = branch;
       auto outer = inside->getParentOfType<scf::IfOp>(); inside = outer)
    around.push_back({outer.getCondition(), outer.getThenRegion().isAncestor(
                                                inside->getParentRegion())});
  if (auto probability = probabilityOf(branch.getCondition(), around))
    return probability;
  return probabilityOf(branch.getCondition(), {});
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

/// The trips of a loop that goes on while `condition` holds; 0 if that is not
/// known.
static uint64_t tripsWhile(llvm::Value *condition) {
  using namespace llvm::PatternMatch;
  llvm::Value *number = nullptr, *start = nullptr, *step = nullptr;
  llvm::BinaryOperator *next = nullptr;
  const APInt *first = nullptr, *end = nullptr, *by = nullptr;
  if (!match(condition, m_SpecificICmp(llvm::CmpInst::ICMP_SLT, m_Value(number),
                                       m_APInt(end))))
    return 0;
  auto *phi = dyn_cast<llvm::PHINode>(number);
  if (!phi || !llvm::matchSimpleRecurrence(phi, next, start, step) ||
      next->getOpcode() != llvm::Instruction::Add ||
      !match(start, m_APInt(first)) || !match(step, m_APInt(by)) ||
      !by->isStrictlyPositive() || !first->slt(*end))
    return 0;
  return llvm::APIntOps::RoundingUDiv(*end - *first, *by, APInt::Rounding::UP)
      .getLimitedValue(std::numeric_limits<uint32_t>::max());
}

void fadiff::weighLoops(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function) {
      auto *branch = dyn_cast<llvm::BranchInst>(block.getTerminator());
      if (!branch || !branch->isConditional())
        continue;
      if (const uint64_t trips = tripsWhile(branch->getCondition()))
        branch->setMetadata(llvm::LLVMContext::MD_prof,
                            llvm::MDBuilder(module.getContext())
                                .createBranchWeights(uint32_t(trips), 1));
    }
}
