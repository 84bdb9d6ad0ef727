//===- LastTrips.cpp - Loops with their last trip behind them -------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// On its last trip a loop prepares nothing for the next one and may compute
// less. With that trip behind it the loop need not ask on each of the others.
//
//===----------------------------------------------------------------------===//

#include "HotLoops.h"

#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

namespace fadiff {
namespace gemmini {
#define GEN_PASS_DEF_GEMMINIFIXTRIPSPASS
#define GEN_PASS_DEF_GEMMINIPEELLASTTRIPPASS
#include "fadiff/Dialect/Gemmini/Transforms/Passes.h.inc"
} // namespace gemmini
} // namespace fadiff

using namespace mlir;
using namespace fadiff::gemmini;

namespace {

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

} // namespace
