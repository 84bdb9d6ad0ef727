//===- SpecializeLoops.cpp - Loops without what is rare ---------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stream's loop loads, begins, computes and stores, each under a condition of
// its own, most of which hold on few trips of the loops around, or on the last
// trip. LLVM would take such conditions out one by one, each time with two
// copies of all the rest, or not at all if the loop is long. Here they go all
// at once: one copy of the loop has everything and one has what is always done.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace fadiff {
namespace gemmini {
#define GEN_PASS_DEF_GEMMINIPEELLASTTRIPPASS
#define GEN_PASS_DEF_GEMMINISPECIALIZELOOPSPASS
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h.inc"
} // namespace gemmini
} // namespace fadiff

using namespace mlir;
using namespace fadiff::gemmini;

namespace {

/// Marks what specialize() has made: `if (rare) {...} else {always}`.
constexpr StringLiteral kChoice = "gemmini.rare";

/// Whether the loop computes on every trip.
bool isHot(scf::ForOp loop) {
  for (Operation &op : *loop.getBody()) {
    if (isa<PreloadOp>(op))
      return true;
    if (auto inner = dyn_cast<scf::ForOp>(op); inner && isHot(inner))
      return true;
    if (auto choice = dyn_cast<scf::IfOp>(op);
        choice && choice->hasAttr(kChoice))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// The last trip
//===----------------------------------------------------------------------===//

/// What `op` says about the trip after the current one of `loop`: that there is
/// one, or that there is none.
std::optional<bool> asksForNext(Operation &op, scf::ForOp loop) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare || compare.getRhs() != loop.getUpperBound())
    return std::nullopt;
  auto next = compare.getLhs().getDefiningOp<arith::AddIOp>();
  if (!next || next.getLhs() != loop.getInductionVar() ||
      next.getRhs() != loop.getStep())
    return std::nullopt;
  if (compare.getPredicate() == arith::CmpIPredicate::slt)
    return true;
  if (compare.getPredicate() == arith::CmpIPredicate::sge)
    return false;
  return std::nullopt;
}

/// min(upper bound - induction variable, step): what is left for this trip.
Value restOfTrip(Operation &op, scf::ForOp loop) {
  auto least = dyn_cast<arith::MinSIOp>(op);
  if (!least)
    return {};
  for (auto [rest, step] : {std::pair(least.getLhs(), least.getRhs()),
                            std::pair(least.getRhs(), least.getLhs())}) {
    auto left = rest.getDefiningOp<arith::SubIOp>();
    if (left && step == loop.getStep() &&
        left.getLhs() == loop.getUpperBound() &&
        left.getRhs() == loop.getInductionVar())
      return rest;
  }
  return {};
}

bool looksAhead(scf::ForOp loop) {
  return llvm::any_of(*loop.getBody(), [&](Operation &op) {
    return asksForNext(op, loop).has_value();
  });
}

/// Whether the loop issues computes itself, of which the last may be shorter,
/// and is not short enough to be unrolled.
bool endsShort(scf::ForOp loop) {
  constexpr int64_t kShort = 8;
  if (loop.getOps<PreloadOp>().empty() ||
      llvm::none_of(*loop.getBody(),
                    [&](Operation &op) { return bool(restOfTrip(op, loop)); }))
    return false;
  std::optional<llvm::APInt> trips = loop.getStaticTripCount();
  return !trips || trips->sgt(kShort);
}

/// In a copy of the loop's body: there is, or is not, a trip after this one.
void assumeNext(scf::ForOp loop, IRMapping &mapping, bool hasNext) {
  OpBuilder builder(loop.getContext());
  for (Operation &op : *loop.getBody()) {
    if (std::optional<bool> wanted = asksForNext(op, loop)) {
      Operation *copy = mapping.lookup(&op);
      builder.setInsertionPoint(copy);
      copy->getResult(0).replaceAllUsesWith(arith::ConstantOp::create(
          builder, op.getLoc(), builder.getBoolAttr(*wanted == hasNext)));
    } else if (Value rest = restOfTrip(op, loop)) {
      mapping.lookup(&op)->getResult(0).replaceAllUsesWith(
          mapping.lookupOrDefault(hasNext ? loop.getStep() : rest));
    }
  }
}

/// Puts the loop's last trip behind it.
void peelLast(scf::ForOp loop) {
  const Location loc = loop.getLoc();
  OpBuilder builder(loop);
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(),
        step = loop.getStep();
  // All trips but the last: those that leave more than a step.
  Value end = builder.createOrFold<arith::SubIOp>(loc, upper, step);
  auto others = scf::ForOp::create(builder, loc, lower, end, step);
  auto copyBody = [&](Value induction, Operation *before, bool hasNext) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), induction);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(before);
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, mapping);
    assumeNext(loop, mapping, hasNext);
  };
  copyBody(others.getInductionVar(), others.getBody()->getTerminator(), true);

  auto any = builder.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::slt,
                                                 lower, upper);
  auto last = scf::IfOp::create(builder, loc, any, /*withElseRegion=*/false);
  builder.setInsertionPointToStart(last.thenBlock());
  // lower + floor((upper - 1 - lower) / step) * step
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value span = builder.createOrFold<arith::SubIOp>(
      loc, builder.createOrFold<arith::SubIOp>(loc, upper, one), lower);
  Value trips = builder.createOrFold<arith::DivUIOp>(loc, span, step);
  Value start = builder.createOrFold<arith::AddIOp>(
      loc, lower, builder.createOrFold<arith::MulIOp>(loc, trips, step));
  copyBody(start, last.thenBlock()->getTerminator(), false);
  loop.erase();
}

//===----------------------------------------------------------------------===//
// What is rare
//===----------------------------------------------------------------------===//

/// A condition that is the same on all trips of the loop and holds wherever
/// `condition` does; null if there is none in sight.
Value necessary(OpBuilder &builder, scf::ForOp loop, Value condition) {
  if (loop.isDefinedOutsideOfLoop(condition))
    return condition;
  Operation *op = condition.getDefiningOp();
  if (!isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op))
    return {};
  Value first = necessary(builder, loop, op->getOperand(0));
  Value second = necessary(builder, loop, op->getOperand(1));
  if (!first || !second)
    return isa<arith::OrIOp>(op) ? Value() : first ? first : second;
  if (isa<arith::OrIOp>(op))
    return builder.createOrFold<arith::OrIOp>(op->getLoc(), first, second);
  return builder.createOrFold<arith::AndIOp>(op->getLoc(), first, second);
}

/// Whether something can be left out where the condition is false: the branch,
/// or what a choice does not always do.
bool isOptional(scf::IfOp op) {
  return op.getNumResults() == 0 && (!op.elseBlock() || op->hasAttr(kChoice));
}

/// Puts `if (rare) { loop } else { loop without }` in the place of the loop.
void specialize(scf::ForOp loop) {
  OpBuilder builder(loop);
  Value any;
  SmallVector<scf::IfOp> rare;
  for (auto op : loop.getOps<scf::IfOp>()) {
    if (!isOptional(op))
      continue;
    Value condition = necessary(builder, loop, op.getCondition());
    if (!condition)
      continue;
    any = any ? builder.createOrFold<arith::OrIOp>(op.getLoc(), any, condition)
              : condition;
    rare.push_back(op);
  }
  if (rare.empty())
    return;
  auto choice = scf::IfOp::create(builder, loop.getLoc(), any,
                                  /*withElseRegion=*/true);
  choice->setAttr(kChoice, builder.getUnitAttr());
  builder.setInsertionPointToStart(choice.elseBlock());
  IRMapping mapping;
  builder.clone(*loop, mapping);
  for (scf::IfOp op : rare) {
    auto copy = cast<scf::IfOp>(mapping.lookup(op.getOperation()));
    if (Block *always = copy.elseBlock()) {
      always->getTerminator()->erase();
      copy->getBlock()->getOperations().splice(copy->getIterator(),
                                               always->getOperations());
    }
    copy.erase();
  }
  loop->moveBefore(choice.thenBlock(), choice.thenBlock()->begin());
}

/// Loops that compute on every trip, inner ones first.
SmallVector<scf::ForOp> hotLoops(Operation *root) {
  SmallVector<scf::ForOp> loops;
  root->walk([&](scf::ForOp loop) {
    if (loop.getNumResults() == 0 && isHot(loop))
      loops.push_back(loop);
  });
  return loops;
}

struct GemminiPeelLastTripPass
    : fadiff::gemmini::impl::GemminiPeelLastTripPassBase<
          GemminiPeelLastTripPass> {
  using Base::Base;

  void runOnOperation() override {
    // What is around the innermost ones that look ahead runs seldom.
    SmallVector<scf::ForOp> ahead, ending;
    for (scf::ForOp loop : hotLoops(getOperation())) {
      if (looksAhead(loop) && llvm::none_of(ahead, [&](scf::ForOp inner) {
            return loop->isProperAncestor(inner);
          }))
        ahead.push_back(loop);
      else if (endsShort(loop))
        ending.push_back(loop);
    }
    // Inner ones first, and so in both copies of those around them.
    for (scf::ForOp loop : ending)
      peelLast(loop);
    for (scf::ForOp loop : ahead)
      peelLast(loop);
  }
};

struct GemminiSpecializeLoopsPass
    : fadiff::gemmini::impl::GemminiSpecializeLoopsPassBase<
          GemminiSpecializeLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (scf::ForOp loop : hotLoops(getOperation()))
      specialize(loop);
    getOperation()->walk([](scf::IfOp op) { op->removeAttr(kChoice); });
  }
};

} // namespace
