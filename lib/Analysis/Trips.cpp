//===- Trips.cpp - How often an operation runs ----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Analysis/Trips.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fadiff;

/// `factor` times as often; what no number holds is not known.
static void multiply(Trips &trips, std::optional<int64_t> factor,
                     Operation *at) {
  int64_t product;
  if (factor && !llvm::MulOverflow(trips.count, *factor, product))
    trips.count = product;
  else if (!trips.unknown)
    trips.unknown = at;
}

/// Trips of the loop for each time that it is reached.
static std::optional<int64_t> constantTrips(LoopLikeOpInterface loop) {
  if (std::optional<APInt> trips = loop.getStaticTripCount())
    return trips->tryZExtValue();
  SmallVector<int64_t> each = getConstLoopTripCounts(loop);
  if (each.empty())
    return std::nullopt;
  int64_t product = 1;
  for (int64_t trips : each)
    if (llvm::MulOverflow(product, trips, product))
      return std::nullopt;
  return product;
}

Trips fadiff::tripsOf(Operation *op) {
  Trips trips;
  for (; op->getParentOp() && !isa<FunctionOpInterface>(op);
       op = op->getParentOp()) {
    // A block that is not the only one may be left out, or run again.
    if (!op->getParentRegion()->hasOneBlock())
      multiply(trips, std::nullopt, op->getParentOp());
    Operation *parent = op->getParentOp();
    if (auto loop = dyn_cast<LoopLikeOpInterface>(parent))
      multiply(trips, constantTrips(loop), parent);
    else if (parent->hasAttr(kUsualAttrName))
      multiply(trips, op->getParentRegion()->getRegionNumber() == 0, parent);
    else if (isa<RegionBranchOpInterface>(parent) &&
             parent->getNumRegions() > 1)
      multiply(trips, std::nullopt, parent);
  }
  return trips;
}

/// `visited`: functions whose calls are being looked at.
static Trips runsOf(Operation *op, SmallVectorImpl<Operation *> &visited) {
  Trips trips = tripsOf(op);
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!function || function.isPublic())
    return trips;
  // A function that calls itself does so nobody knows how often.
  if (llvm::is_contained(visited, function)) {
    trips.unknown = op;
    return trips;
  }
  std::optional<SymbolTable::UseRange> uses =
      SymbolTable::getSymbolUses(function, function->getParentOp());
  if (!uses) {
    trips.unknown = function;
    return trips;
  }
  visited.push_back(function);
  int64_t calls = 0;
  for (SymbolTable::SymbolUse use : *uses) {
    Trips site = runsOf(use.getUser(), visited);
    if (!isa<CallOpInterface>(use.getUser()))
      site.unknown = use.getUser();
    if (site.unknown && !trips.unknown)
      trips.unknown = site.unknown;
    calls += site.count;
  }
  visited.pop_back();
  multiply(trips, calls, function);
  return trips;
}

Trips fadiff::runsOf(Operation *op) {
  SmallVector<Operation *> visited;
  return ::runsOf(op, visited);
}
