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
#define GEN_PASS_DEF_GEMMINIFIXTRIPSPASS
#define GEN_PASS_DEF_GEMMINIPEELLASTTRIPPASS
#define GEN_PASS_DEF_GEMMINISPECIALIZELOOPSPASS
#define GEN_PASS_DEF_GEMMINISTRIPLOOPSPASS
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h.inc"
} // namespace gemmini
} // namespace fadiff

using namespace mlir;
using namespace fadiff::gemmini;

namespace {

/// Marks what specialize() has made: `if (rare) {...} else {always}`.
constexpr StringLiteral kChoice = "gemmini.rare";

/// Marks what fixTrips() has made: `if (usual) {...} else {...}`.
constexpr StringLiteral kUsual = "gemmini.usual";

/// Whether the loop computes on every trip.
bool isHot(scf::ForOp loop) {
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

//===----------------------------------------------------------------------===//
// What begins every n-th trip
//===----------------------------------------------------------------------===//

constexpr int64_t kOnce = std::numeric_limits<int64_t>::max();

/// A number that divides the loop's induction variable wherever `condition`
/// holds, `kOnce` if it is 0 there, 1 if nothing is known. `test` becomes the
/// comparison that says so.
int64_t periodOf(scf::ForOp loop, Value condition, arith::CmpIOp &test) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    arith::CmpIOp ofFirst, ofSecond;
    const int64_t first = periodOf(loop, both.getLhs(), ofFirst),
                  second = periodOf(loop, both.getRhs(), ofSecond);
    test = first >= second ? ofFirst : ofSecond;
    return std::max(first, second);
  }
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq ||
      getConstantIntValue(compare.getRhs()) != 0)
    return 1;
  test = compare;
  if (compare.getLhs() == loop.getInductionVar())
    return kOnce;
  auto rest = compare.getLhs().getDefiningOp<arith::RemUIOp>();
  if (!rest || rest.getLhs() != loop.getInductionVar())
    return 1;
  return getConstantIntValue(rest.getRhs()).value_or(1);
}

/// What a loop begins with on every n-th trip.
struct Heads {
  SmallVector<scf::IfOp> ops;
  SmallVector<arith::CmpIOp> tests; ///< true whenever the trip is an n-th
  int64_t period = kOnce;           ///< in the induction variable's unit
};

Heads headsOf(scf::ForOp loop, int64_t step) {
  Heads heads;
  for (Operation &op : *loop.getBody()) {
    if (isPure(&op))
      continue;
    auto head = dyn_cast<scf::IfOp>(op);
    if (!head || head.getNumResults() > 0 || head.elseBlock())
      break;
    arith::CmpIOp test;
    const int64_t period = periodOf(loop, head.getCondition(), test);
    // What is done on the first trip alone may follow what is done on others.
    if (period != kOnce && (period <= step || period % step ||
                            (heads.period != kOnce && period != heads.period)))
      break;
    heads.period = std::min(heads.period, period);
    heads.ops.push_back(head);
    if (period != kOnce)
      heads.tests.push_back(test);
  }
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
// The last trip
//===----------------------------------------------------------------------===//

bool areSame(Value first, Value second) {
  return isEqualConstantIntOrValue(first, second);
}

/// What `op` says about the trip after the current one of `loop`: that there is
/// one, or that there is none.
std::optional<bool> asksForNext(Operation &op, scf::ForOp loop) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare || !areSame(compare.getRhs(), loop.getUpperBound()))
    return std::nullopt;
  auto next = compare.getLhs().getDefiningOp<arith::AddIOp>();
  if (!next || next.getLhs() != loop.getInductionVar() ||
      !areSame(next.getRhs(), loop.getStep()))
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
    if (left && areSame(step, loop.getStep()) &&
        areSame(left.getLhs(), loop.getUpperBound()) &&
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

/// Whether the loop issues computes itself, of which the last may be shorter.
bool endsShort(scf::ForOp loop) {
  return !loop.getOps<PreloadOp>().empty() &&
         llvm::any_of(*loop.getBody(), [&](Operation &op) {
           return bool(restOfTrip(op, loop));
         });
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

/// Puts the loop's last trip behind it. `lastTrip` is where it begins, if that
/// is known; otherwise there may be no trip at all.
void peelLast(scf::ForOp loop, std::optional<int64_t> lastTrip = std::nullopt) {
  const Location loc = loop.getLoc();
  OpBuilder builder(loop);
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(),
        step = loop.getStep();
  auto copyBody = [&](Value induction, Operation *before, bool hasNext) {
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), induction);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(before);
    for (Operation &op : loop.getBody()->without_terminator())
      builder.clone(op, mapping);
    assumeNext(loop, mapping, hasNext);
  };
  // All trips but the last: those that leave more than a step.
  Value end = lastTrip ? arith::ConstantIndexOp::create(builder, loc, *lastTrip)
                       : builder.createOrFold<arith::SubIOp>(loc, upper, step);
  auto others = scf::ForOp::create(builder, loc, lower, end, step);
  copyBody(others.getInductionVar(), others.getBody()->getTerminator(), true);
  if (lastTrip) {
    copyBody(end, loop, false);
    loop.erase();
    return;
  }

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
// Tiles of the usual size
//===----------------------------------------------------------------------===//

/// Gives a loop from 0 whose bound varies, with the loop around it if the bound
/// does not vary there, a copy for as many trips as it usually has.
void fixTrips(scf::ForOp loop, int64_t usual) {
  const std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!step || *step <= 0 || getConstantIntValue(loop.getLowerBound()) != 0)
    return;
  scf::ForOp whole = loop;
  Value upper = loop.getUpperBound();
  if (auto around = dyn_cast<scf::ForOp>(loop->getParentOp());
      around && around.isDefinedOutsideOfLoop(upper) &&
      around.getNumResults() == 0)
    whole = around;
  const Location loc = loop.getLoc();
  const int64_t lastTrip = (usual - 1) / *step * *step;
  OpBuilder builder(whole);
  auto compare = [&](arith::CmpIPredicate predicate, int64_t with) -> Value {
    return arith::CmpIOp::create(
        builder, loc, predicate, upper,
        arith::ConstantIndexOp::create(builder, loc, with));
  };
  Value isUsual = arith::AndIOp::create(
      builder, loc, compare(arith::CmpIPredicate::sgt, lastTrip),
      compare(arith::CmpIPredicate::sle, lastTrip + *step));
  auto choice =
      scf::IfOp::create(builder, loc, isUsual, /*withElseRegion=*/true);
  choice->setAttr(kUsual, builder.getUnitAttr());
  builder.setInsertionPointToStart(choice.thenBlock());
  IRMapping mapping;
  builder.clone(*whole, mapping);
  whole->moveBefore(choice.elseBlock(), choice.elseBlock()->begin());
  peelLast(cast<scf::ForOp>(mapping.lookup(loop.getOperation())), lastTrip);
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

struct GemminiFixTripsPass
    : fadiff::gemmini::impl::GemminiFixTripsPassBase<GemminiFixTripsPass> {
  using Base::Base;

  void runOnOperation() override {
    auto usual =
        cast<GemminiDialect>(getContext().getLoadedDialect<GemminiDialect>())
            ->getUsualCountAttrHelper();
    SmallVector<std::pair<scf::ForOp, int64_t>> loops;
    getOperation()->walk([&](scf::ForOp loop) {
      if (!usual.isAttrPresent(loop))
        return;
      const int64_t count = usual.getAttr(loop).getInt();
      usual.removeAttr(loop);
      if (isHot(loop) && loop.getNumResults() == 0)
        loops.push_back({loop, count});
    });
    for (auto [loop, count] : loops)
      fixTrips(loop, count);
  }
};

struct GemminiStripLoopsPass
    : fadiff::gemmini::impl::GemminiStripLoopsPassBase<GemminiStripLoopsPass> {
  using Base::Base;

  void runOnOperation() override {
    for (scf::ForOp loop : hotLoops(getOperation()))
      strip(loop);
  }
};

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
    getOperation()->walk([](scf::IfOp op) {
      op->removeAttr(kChoice);
      op->removeAttr(kUsual);
    });
  }
};

} // namespace
