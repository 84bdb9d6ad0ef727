//===- Boxes.cpp - Branch and bound over boxes of machines ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// More room never hurts, and dearer accesses never help: what runs on a machine
// runs on one with more room at the same cost, and costs rise with every rate.
// So no machine of a box is better than the made-up one that has the best of
// each number in the box (docs/Codesign.md, "Boxes"). Where a bound takes less
// work than a search, machines are searched when their box is the next one.
// Numbers of which nobody has said in which direction they are better are the
// same throughout a box.
//
//===----------------------------------------------------------------------===//

#include "Machines.h"

#include "fadiff/Hardware/Fields.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <queue>

using namespace fadiff;
using namespace fadiff::codesign_detail;

namespace {
/// Legal machines, with ranges for what can be any number; its value is not
/// below the bound.
struct Box {
  std::vector<const DesignPoint *> points;
  DesignPoint low, high;
  double bound = 0;
  double leastArea = 0;

  bool isMachine() const { return low == high; }
};

class BoxSearch {
public:
  explicit BoxSearch(Machines &machines)
      : machines(machines), design(machines.design) {}

  llvm::Error run();

private:
  /// Whether a whole number follows from the parameter: most values of a range
  /// then make no machine.
  bool isOfWholeNumbers(unsigned parameter) const;
  std::optional<Box> boxOf(std::vector<const DesignPoint *> points,
                           const DesignPoint &low, const DesignPoint &high);
  /// Bounds the box, unless nothing in it can do; keeps it.
  void add(Box box);
  /// Searches the machine that the box is.
  void settle(Box box);
  void split(const Box &box);
  Accelerator madeUp(const Box &box) const;
  /// Tries a machine of a box that is none.
  void tryOne(const Box &box);

  bool wantsSmallest() const {
    return machines.options.goal == CodesignGoal::Smallest;
  }
  /// What boxes are taken by: the value, or the area, that nothing in it is
  /// below.
  double keyOf(const Box &box) const {
    return wantsSmallest() ? box.leastArea : box.bound;
  }
  /// Whether the box can hold what is better than the best, by more than the
  /// gap that is wanted.
  bool isOpen(const Box &box) const {
    if (!machines.best)
      return true;
    const double best =
        wantsSmallest() ? machines.best->machine.area : machines.best->value;
    return keyOf(box) < best * (1 - 1e-9) / (1 + machines.options.gap);
  }

  Machines &machines;
  const Design &design;
  std::vector<Box> open;
  /// The least key of what was closed because of the gap.
  double closedKey = std::numeric_limits<double>::infinity();
  bool isBounded = true; ///< no box was lost without a bound
};
} // namespace

bool BoxSearch::isOfWholeNumbers(unsigned parameter) const {
  bool isWhole = false;
  const Accelerator any;
  visitFields(
      [&](const Field &field, const auto &value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, int64_t>)
          if (const Law *law = design.lawOf(field.name))
            for (const Monomial &term : law->terms)
              for (auto [index, exponent] : term.powers)
                isWhole = isWhole || index == parameter;
      },
      any);
  return isWhole;
}

std::optional<Box> BoxSearch::boxOf(std::vector<const DesignPoint *> points,
                                    const DesignPoint &low,
                                    const DesignPoint &high) {
  Box box;
  box.low = low;
  box.high = high;
  llvm::erase_if(points, [&](const DesignPoint *point) {
    for (size_t i = 0; i < low.size(); ++i)
      if (!design.parameters[i].isContinuous() &&
          ((*point)[i] < low[i] || (*point)[i] > high[i]))
        return true;
    return false;
  });
  if (points.empty())
    return std::nullopt;
  // No wider than what is in it.
  for (size_t i = 0; i < low.size(); ++i) {
    if (design.parameters[i].isContinuous())
      continue;
    box.low[i] = box.high[i] = (*points.front())[i];
    for (const DesignPoint *point : points) {
      box.low[i] = std::min(box.low[i], (*point)[i]);
      box.high[i] = std::max(box.high[i], (*point)[i]);
    }
  }
  if (const Law *area = design.lawOf("area"))
    box.leastArea = area->range(box.low, box.high).first;
  if (!machines.isAffordable(box.leastArea))
    return std::nullopt;
  box.points = std::move(points);
  return box;
}

Accelerator BoxSearch::madeUp(const Box &box) const {
  // All but the laws' numbers are those of any machine in it.
  Accelerator machine = llvm::cantFail(design.specialize(*box.points.front()));
  setByLaws(machine, design, [&](Better better, const Law &law) {
    const auto [least, most] = law.range(box.low, box.high);
    return better == Better::More ? most : least;
  });
  return machine;
}

void BoxSearch::add(Box box) {
  if (machines.mustStop()) {
    // It stays open, with what is known of the box that it is a part of.
    open.push_back(std::move(box));
    return;
  }
  if (!isOpen(box)) { // by what is known of the whole
    closedKey = std::min(closedKey, keyOf(box));
    return;
  }
  if (box.isMachine() && !machines.hasBounds())
    return settle(std::move(box));
  const Score *score = machines.boundOf(madeUp(box));
  if (!score) { // what does not run with the most room runs with no other
    isBounded = isBounded && !machines.options.isConstrained;
    return;
  }
  if (score->bound)
    box.bound = std::max(box.bound, *score->bound);
  if (wantsSmallest() && !machines.isEnough(box.bound))
    return;
  if (!isOpen(box)) {
    closedKey = std::min(closedKey, keyOf(box));
    return;
  }
  open.push_back(std::move(box));
}

void BoxSearch::settle(Box box) {
  const Score *score = machines.take(*box.points.front());
  // Networks that do not run there are no result.
  if (!score) {
    isBounded = isBounded && !machines.options.isConstrained;
    return;
  }
  if (!score->bound) {
    isBounded = false;
    return;
  }
  // The machine itself is done; what remains is that its value may not be the
  // best one.
  box.bound = std::max(box.bound, *score->bound);
  if (wantsSmallest() ? machines.isEnough(box.bound) : true)
    closedKey = std::min(closedKey, keyOf(box));
}

void BoxSearch::split(const Box &box) {
  // Along the widest parameter, in the middle of its logarithm.
  size_t widest = 0;
  double width = 0;
  for (size_t i = 0; i < box.low.size(); ++i)
    if (const double own = std::log(box.high[i] / box.low[i]); own > width) {
      width = own;
      widest = i;
    }
  const double middle = std::sqrt(box.low[widest] * box.high[widest]);
  DesignPoint below = box.high, above = box.low;
  below[widest] = above[widest] = middle;
  // Of a grid none is in both halves.
  if (!design.parameters[widest].isContinuous() &&
      llvm::is_contained(design.parameters[widest].values, middle))
    above[widest] = std::nextafter(middle, box.high[widest]);
  for (auto half :
       {boxOf(box.points, above, box.high), boxOf(box.points, box.low, below)})
    if (half) {
      half->bound = box.bound;
      add(std::move(*half));
    }
}

void BoxSearch::tryOne(const Box &box) {
  if (box.points.size() != 1)
    return;
  DesignPoint middle = *box.points.front();
  for (size_t i = 0; i < middle.size(); ++i)
    if (design.parameters[i].isContinuous())
      middle[i] = std::sqrt(box.low[i] * box.high[i]);
  if (machines.isAffordable(machines.areaOf(middle)))
    machines.take(middle);
}

llvm::Error BoxSearch::run() {
  const std::vector<bool> fixed = machines.structural();
  bool hasRanges = false;
  DesignPoint low, high;
  for (auto [index, parameter] : llvm::enumerate(design.parameters)) {
    low.push_back(parameter.isWord() ? 0 : parameter.from);
    high.push_back(parameter.isWord() ? double(parameter.words.size()) - 1
                                      : parameter.to);
    if (!parameter.isContinuous())
      continue;
    hasRanges = true;
    if (fixed[index] || isOfWholeNumbers(unsigned(index)))
      return llvm::createStringError(
          "parameter '" + parameter.name +
          "' can be any number of a range, and nobody knows whether more of "
          "what follows from it is better, or that is a whole number; give it "
          "values, or choose descent");
  }
  if (hasRanges && !(machines.options.gap > 0))
    return llvm::createStringError(
        "method boxes wanted a gap above 0, such as 0.01, as a parameter can "
        "be any number of a range");
  for (std::vector<const DesignPoint *> &points : machines.byStructure())
    if (std::optional<Box> box = boxOf(std::move(points), low, high))
      add(std::move(*box));
  while (!open.empty() && !machines.mustStop()) {
    auto next = std::min_element(
        open.begin(), open.end(),
        [&](const Box &a, const Box &b) { return keyOf(a) < keyOf(b); });
    const Box box = std::move(*next);
    *next = std::move(open.back());
    open.pop_back();
    machines.bound = keyOf(box);
    if (!isOpen(box)) {
      closedKey = std::min(closedKey, keyOf(box));
      continue;
    }
    if (box.isMachine()) {
      settle(box);
      continue;
    }
    if (hasRanges)
      tryOne(box);
    split(box);
  }
  double bound = closedKey;
  for (const Box &box : open)
    bound = std::min(bound, keyOf(box));
  if (isBounded && std::isfinite(bound) && bound > 0)
    machines.result.bound = bound;
  return llvm::Error::success();
}

llvm::Error codesign_detail::searchBoxes(Machines &machines) {
  return BoxSearch(machines).run();
}
