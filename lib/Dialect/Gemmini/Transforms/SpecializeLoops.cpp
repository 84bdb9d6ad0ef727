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

#include "HotLoops.h"

#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace fadiff {
namespace gemmini {
#define GEN_PASS_DEF_GEMMINISPECIALIZELOOPSPASS
#define GEN_PASS_DEF_GEMMINISTRIPLOOPSPASS
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h.inc"
} // namespace gemmini
} // namespace fadiff

using namespace mlir;
using namespace fadiff::gemmini;

bool fadiff::gemmini::isHot(scf::ForOp loop) {
  for (Operation &op : *loop.getBody()) {
    if (isa<PreloadOp>(op))
      return true;
    if (auto inner = dyn_cast<scf::ForOp>(op); inner && isHot(inner))
      return true;
    if (auto choice = dyn_cast<scf::IfOp>(op);
        choice && (choice->hasAttr(kChoice) || choice->hasAttr(kUsual)))
      return true;
  }
  return false;
}

SmallVector<scf::ForOp> fadiff::gemmini::hotLoops(Operation *root) {
  SmallVector<scf::ForOp> loops;
  root->walk([&](scf::ForOp loop) {
    if (loop.getNumResults() == 0 && isHot(loop))
      loops.push_back(loop);
  });
  return loops;
}

namespace {

//===----------------------------------------------------------------------===//
// What begins every n-th trip
//===----------------------------------------------------------------------===//

constexpr int64_t kOnce = std::numeric_limits<int64_t>::max();

/// A number that divides `value`, as far as its definition tells.
int64_t divisorOf(Value value) {
  if (std::optional<int64_t> known = getConstantIntValue(value))
    return std::abs(*known); // 0: all do
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && argument == loop.getInductionVar()
               ? std::gcd(divisorOf(loop.getLowerBound()),
                          divisorOf(loop.getStep()))
               : 1;
  }
  Operation *op = value.getDefiningOp();
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return std::gcd(divisorOf(op->getOperand(0)), divisorOf(op->getOperand(1)));
  if (isa<arith::MulIOp>(op)) {
    int64_t product = 0;
    return llvm::MulOverflow(divisorOf(op->getOperand(0)),
                             divisorOf(op->getOperand(1)), product)
               ? 1
               : product;
  }
  return 1;
}

/// On which trips of a loop a condition may hold.
struct Trips {
  /// Divides the induction variable there; `kOnce` if that is 0, 1 if nothing
  /// is known.
  int64_t period = 1;
  /// The comparison that says so; null if it does not hold on all such trips.
  arith::CmpIOp test;
};

/// The period of trips on which `value`, a sum that does not wrap and has the
/// loop's induction variable in it, may be a multiple of `factor`. The loop
/// goes from 0 in steps of `step`.
int64_t periodOf(scf::ForOp loop, int64_t step, Value value, int64_t factor) {
  if (value == loop.getInductionVar())
    return factor;
  if (auto quotient = value.getDefiningOp<arith::DivUIOp>()) {
    const std::optional<int64_t> by = getConstantIntValue(quotient.getRhs());
    int64_t period = 1;
    return quotient.getLhs() == loop.getInductionVar() && by && *by > 0 &&
                   step % *by == 0 && !llvm::MulOverflow(*by, factor, period)
               ? period
               : 1;
  }
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return 1;
  Value own = sum.getLhs(), rest = sum.getRhs();
  if (!loop.isDefinedOutsideOfLoop(rest))
    std::swap(own, rest);
  if (!loop.isDefinedOutsideOfLoop(rest))
    return 1;
  return periodOf(loop, step, own, std::gcd(factor, divisorOf(rest)));
}

Trips tripsOf(scf::ForOp loop, int64_t step, Value condition) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    const Trips first = tripsOf(loop, step, both.getLhs()),
                second = tripsOf(loop, step, both.getRhs());
    return first.period >= second.period ? first : second;
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      getConstantIntValue(compare.getRhs()) != 0)
    return {};
  if (compare.getLhs() == loop.getInductionVar())
    return {kOnce, compare};
  auto rest = compare.getLhs().getDefiningOp<arith::RemUIOp>();
  const std::optional<int64_t> factor =
      rest ? getConstantIntValue(rest.getRhs()) : std::nullopt;
  if (!factor || *factor <= 0)
    return {};
  const int64_t period = periodOf(loop, step, rest.getLhs(), *factor);
  return {period,
          rest.getLhs() == loop.getInductionVar() ? compare : arith::CmpIOp()};
}

/// What a loop begins with on every n-th trip.
struct Heads {
  SmallVector<scf::IfOp> ops;
  SmallVector<arith::CmpIOp> tests; ///< true whenever the trip is an n-th
  int64_t period = kOnce;           ///< in the induction variable's unit
};

Heads headsOf(scf::ForOp loop, int64_t step) {
  Heads heads;
  SmallVector<Trips> trips;
  for (Operation &op : *loop.getBody()) {
    if (isPure(&op))
      continue;
    auto head = dyn_cast<scf::IfOp>(op);
    if (!head || head.getNumResults() > 0 || head.elseBlock())
      break;
    const Trips own = tripsOf(loop, step, head.getCondition());
    // What is done on the first trip alone may follow what is done on others,
    // and so may what is done on some of these.
    if (own.period != kOnce &&
        (own.period <= step || own.period % step ||
         (heads.period != kOnce && own.period % heads.period)))
      break;
    heads.period = std::min(heads.period, own.period);
    heads.ops.push_back(head);
    trips.push_back(own);
  }
  for (const Trips &own : trips)
    if (own.test && own.period == heads.period && own.period != kOnce)
      heads.tests.push_back(own.test);
  return heads;
}

void strip(scf::ForOp loop) {
  const std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || *step <= 0 || getConstantIntValue(loop.getLowerBound()) != 0)
    return;
  const Heads heads = headsOf(loop, *step);
  if (heads.ops.empty())
    return;
  const Location loc = loop.getLoc();
  OpBuilder builder(loop);
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  const std::optional<int64_t> end = getConstantIntValue(upper);

  // Copies the loop's values up to its last head, and the heads, for the trip
  // at `induction`.
  auto copyHeads = [&](Value induction) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), induction);
    Value yes =
        arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
    for (Operation &op : *loop.getBody()) {
      if (llvm::is_contained(heads.tests, &op))
        mapping.map(op.getResult(0), yes);
      else
        builder.clone(op, mapping);
      if (&op == heads.ops.back())
        return;
    }
  };

  if (heads.period == kOnce || (end && *end <= heads.period)) {
    // Where the loop has no trip there is no first one.
    auto any =
        scf::IfOp::create(builder, loc,
                          builder.createOrFold<arith::CmpIOp>(
                              loc, arith::CmpIPredicate::slt, lower, upper),
                          /*withElseRegion=*/false);
    builder.setInsertionPointToStart(any.thenBlock());
    copyHeads(lower);
  } else {
    Value period = arith::ConstantIndexOp::create(builder, loc, heads.period);
    auto outer = scf::ForOp::create(builder, loc, lower, upper, period);
    builder.setInsertionPointToStart(outer.getBody());
    copyHeads(outer.getInductionVar());
    Value last =
        arith::AddIOp::create(builder, loc, outer.getInductionVar(), period);
    if (!end || *end % heads.period)
      last = arith::MinSIOp::create(builder, loc, last, upper);
    loop->moveBefore(outer.getBody()->getTerminator());
    loop.setLowerBound(outer.getInductionVar());
    loop.setUpperBound(last);
  }
  for (scf::IfOp head : heads.ops)
    head.erase();
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

struct GemminiStripLoopsPass
    : fadiff::gemmini::impl::GemminiStripLoopsPassBase<GemminiStripLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (scf::ForOp loop : hotLoops(getOperation()))
      strip(loop);
  }
};

struct GemminiSpecializeLoopsPass
    : fadiff::gemmini::impl::GemminiSpecializeLoopsPassBase<
          GemminiSpecializeLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (scf::ForOp loop : hotLoops(getOperation()))
      specialize(loop);
    getOperation()->walk([](scf::IfOp op) {
      op->removeAttr(kChoice);
      op->removeAttr(kUsual);
    });
  }
};

} // namespace
