//===- IncrementWords.cpp - Words of commands by increments ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IncrementWords.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace {

/// How values of a loop's body grow from trip to trip.
class Growth {
public:
  explicit Growth(scf::ForOp loop) : loop(loop) {}

  /// By how much, if it is the same on every trip.
  std::optional<int64_t> of(Value value) {
    if (auto known = memo.find(value); known != memo.end())
      return known->second;
    std::optional<int64_t> result = compute(value);
    memo[value] = result;
    return result;
  }

private:
  std::optional<int64_t> compute(Value value) {
    if (value == loop.getInductionVar())
      return getConstantIntValue(loop.getStep());
    if (loop.isDefinedOutsideOfLoop(value))
      return 0;
    Operation *op = value.getDefiningOp();
    if (!op || !isPure(op) || op->getNumRegions() > 0)
      return std::nullopt;
    SmallVector<int64_t> growths;
    for (Value operand : op->getOperands()) {
      std::optional<int64_t> growth = of(operand);
      if (!growth)
        return std::nullopt;
      growths.push_back(*growth);
    }
    if (llvm::all_of(growths, [](int64_t growth) { return growth == 0; }))
      return 0;
    if (isa<arith::AddIOp>(op))
      return growths[0] + growths[1];
    if (isa<arith::SubIOp>(op))
      return growths[0] - growths[1];
    // Addresses and rows are not negative and fit into their types.
    if (isa<arith::IndexCastUIOp, arith::IndexCastOp>(op))
      return growths[0];
    APInt constant;
    if (op->getNumOperands() != 2 ||
        !matchPattern(op->getOperand(1), m_ConstantInt(&constant)))
      return std::nullopt;
    const int64_t number = constant.getSExtValue();
    if (isa<arith::MulIOp>(op))
      return growths[0] * number;
    if (isa<arith::ShLIOp>(op) && number >= 0 && number < 64)
      return int64_t(uint64_t(growths[0]) << number);
    if (isa<arith::DivUIOp>(op) && number > 0 && growths[0] % number == 0)
      return growths[0] / number;
    return std::nullopt;
  }

  scf::ForOp loop;
  DenseMap<Value, std::optional<int64_t>> memo;
};

/// Whether a trip of the loop cannot do without this command.
bool isOnEveryTrip(Operation *command, scf::ForOp loop) {
  for (Operation *op = command->getParentOp(); op != loop;
       op = op->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch || !branch.elseBlock())
      return false;
  }
  return true;
}

/// The value on the loop's first trip, computed in front of it.
Value onFirstTrip(OpBuilder &builder, scf::ForOp loop, IRMapping &mapping,
                  Value value) {
  if (loop.isDefinedOutsideOfLoop(value))
    return value;
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    mapping.map(operand, onFirstTrip(builder, loop, mapping, operand));
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

/// The same value by no instruction, of which LLVM does not know that.
Value hide(OpBuilder &builder, Value value) {
  return LLVM::InlineAsmOp::create(
             builder, value.getLoc(), value.getType(), value, /*asm_string=*/"",
             "=r,0", /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/nullptr,
             /*operand_attrs=*/nullptr)
      .getResult(0);
}

/// The value, if it is a part of what `branch` needs and follows from the
/// induction variable of the loop around, computed anew in the branch.
Value inBranch(OpBuilder &builder, scf::ForOp loop, scf::IfOp branch,
               IRMapping &mapping, Value value) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || loop.isDefinedOutsideOfLoop(value) || branch->isAncestor(op) ||
      !isPure(op) || op->getNumRegions() > 0)
    return value;
  bool isSame = true;
  IRMapping own;
  for (Value operand : op->getOperands()) {
    Value next = inBranch(builder, loop, branch, mapping, operand);
    isSame &= next == operand;
    own.map(operand, next);
  }
  Value result = value;
  if (!isSame)
    result = builder.clone(*op, own)->getResult(
        cast<OpResult>(value).getResultNumber());
  mapping.map(value, result);
  return result;
}

/// What is done on some trips only is worked out from the trip. LLVM would keep
/// a counter for each address in it, and count on all trips.
void hideInBranches(scf::ForOp loop) {
  SmallVector<scf::IfOp> branches;
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp>(op))
      return WalkResult::skip();
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch || branch.elseBlock())
      return WalkResult::advance();
    branches.push_back(branch);
    return WalkResult::skip();
  });
  for (scf::IfOp branch : branches) {
    OpBuilder builder = OpBuilder::atBlockBegin(branch.thenBlock());
    IRMapping mapping;
    SmallVector<OpOperand *> uses;
    branch.thenBlock()->walk([&](Operation *op) {
      for (OpOperand &use : op->getOpOperands())
        uses.push_back(&use);
    });
    const Location loc = branch.getLoc();
    Value trip = loop.getInductionVar();
    Value number =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), trip);
    mapping.map(trip, arith::IndexCastOp::create(builder, loc, trip.getType(),
                                                 hide(builder, number)));
    for (OpOperand *use : uses)
      use->set(inBranch(builder, loop, branch, mapping, use->get()));
  }
}

/// Whether the value is the same whatever loop is on whatever trip.
bool isFixed(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return isa<FunctionOpInterface>(
        cast<BlockArgument>(value).getOwner()->getParentOp());
  return llvm::all_of(op->getOperands(), isFixed);
}

void incrementWords(scf::ForOp loop) {
  Growth growth(loop);
  SetVector<Value> words;
  loop.walk([&](LLVM::InlineAsmOp command) {
    if (command->getParentOfType<scf::ForOp>() != loop ||
        command->getNumResults() > 0 || !isOnEveryTrip(command, loop))
      return;
    for (Value word : command.getOperands())
      if (!isFixed(word) && growth.of(word))
        words.insert(word);
  });
  if (words.empty())
    return;
  hideInBranches(loop);

  IRRewriter rewriter(loop);
  const Location loc = loop.getLoc();
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), loop.getLowerBound());
  SmallVector<Value> growing, first;
  SmallVector<int64_t> growths;
  for (Value word : words) {
    Value start = hide(rewriter, onFirstTrip(rewriter, loop, mapping, word));
    if (*growth.of(word) == 0) {
      word.replaceUsesWithIf(start, [&](OpOperand &use) {
        return isa<LLVM::InlineAsmOp>(use.getOwner()) &&
               loop->isProperAncestor(use.getOwner());
      });
      continue;
    }
    growing.push_back(word);
    first.push_back(start);
    growths.push_back(*growth.of(word));
  }
  if (growing.empty())
    return;
  FailureOr<LoopLikeOpInterface> replaced = loop.replaceWithAdditionalYields(
      rewriter, first, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &builder, Location, ArrayRef<BlockArgument> arguments) {
        SmallVector<Value> next;
        for (auto [argument, by] : llvm::zip_equal(arguments, growths)) {
          Value amount = arith::ConstantOp::create(
              builder, loc, builder.getI64IntegerAttr(by));
          next.push_back(arith::AddIOp::create(builder, loc, argument, amount));
        }
        return next;
      });
  auto result = cast<scf::ForOp>(*replaced);
  for (auto [word, argument] : llvm::zip_equal(
           growing, result.getRegionIterArgs().take_back(growing.size())))
    word.replaceUsesWithIf(argument, [&](OpOperand &use) {
      return isa<LLVM::InlineAsmOp>(use.getOwner());
    });
}

struct IncrementWordsPass : PassWrapper<IncrementWordsPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(IncrementWordsPass)

  StringRef getArgument() const override { return "fadiff-increment-words"; }
  StringRef getDescription() const override {
    return "Make words of a loop's commands by increments";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, scf::SCFDialect, LLVM::LLVMDialect>();
  }

  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      incrementWords(loop);
  }
};

} // namespace

std::unique_ptr<Pass> fadiff::createIncrementWordsPass() {
  return std::make_unique<IncrementWordsPass>();
}
