//===- Joint.cpp - Machines where joint descents end ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One descent on mappings, fusion and machine for each choice of what is
// structural, such as the side. The machines of the design around the best
// places are searched, and from the best of these it goes on to neighbours
// (docs/Codesign.md, "Descent").
//
//===----------------------------------------------------------------------===//

#include "Machines.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace fadiff;
using namespace fadiff::codesign_detail;

namespace {
/// What moves of the machines that share a structure.
class Family {
public:
  Family(const Machines &machines, std::vector<const DesignPoint *> points);

  /// The legal machines nearest to where parameters have these logarithms:
  /// about one for each corner of the cell of the grid that they are in.
  std::vector<DesignPoint> around(llvm::ArrayRef<double> logs) const;

  MovingMachine moving;

private:
  DesignPoint pointAt(llvm::ArrayRef<double> logs) const {
    DesignPoint point = start;
    for (auto [index, log] : llvm::zip_equal(moves, logs))
      point[index] = std::exp(log);
    return point;
  }
  /// The parameter that moves and that the field follows from.
  std::optional<unsigned> moverOf(llvm::StringRef field) const;

  const Machines &machines;
  std::vector<const DesignPoint *> points;
  std::vector<unsigned> moves; ///< parameters of the design
  DesignPoint start;
  Accelerator machine; ///< at the start
};
} // namespace

Family::Family(const Machines &machines,
               std::vector<const DesignPoint *> points)
    : machines(machines), points(std::move(points)) {
  const Design &design = machines.design;
  const DesignPoint initial = design.initial();
  const std::vector<bool> structural = machines.structural();
  for (auto [index, parameter] : llvm::enumerate(design.parameters))
    if (!structural[index] && !parameter.isFixed())
      moves.push_back(unsigned(index));
  // The machine that is least far from the initial one.
  auto away = [&](const DesignPoint &point) {
    double sum = 0;
    for (unsigned index : moves)
      sum += std::fabs(std::log(point[index] / initial[index]));
    return sum;
  };
  start = **llvm::min_element(
      this->points, [&](const DesignPoint *a, const DesignPoint *b) {
        return std::make_pair(away(*a), *a) < std::make_pair(away(*b), *b);
      });
  machine = llvm::cantFail(design.specialize(start));
  for (unsigned index : moves) {
    const Parameter &parameter = design.parameters[index];
    moving.start.push_back(std::log(start[index]));
    moving.low.push_back(std::log(parameter.from));
    moving.high.push_back(std::log(parameter.to));
  }
  moving.at = [this](llvm::ArrayRef<double> logs) {
    Accelerator at = machine;
    const DesignPoint point = pointAt(logs);
    setByLaws(at, this->machines.design,
              [&](Better, const Law &law) { return law.evaluate(point); });
    return at;
  };
  moving.slopesAt = [this](llvm::ArrayRef<double> logs) {
    const DesignPoint point = pointAt(logs);
    std::vector<NumberSlopes> slopes;
    for (unsigned parameter : moves) {
      auto slope = [&](llvm::StringRef field) {
        const Law *law = this->machines.design.lawOf(field);
        return law ? slopeOf(*law, parameter, point) : 0;
      };
      NumberSlopes &own = slopes.emplace_back();
      for (unsigned rate = 0; rate < kNumRates; ++rate)
        own.rates[rate] = slope(rateName(rate));
      own.scratchpad = slope("scratchpad_bytes");
      own.accumulator = slope("accumulator_bytes");
      own.area = slope("area");
      own.clock = slope("clock_hz");
      // What leaks in a cycle is less where cycles are shorter.
      own.rates[Rates<double>::kLeakage] -= own.clock;
    }
    return slopes;
  };
  moving.mostArea = machines.options.mostArea;
  moving.isTimed = design.lawOf("clock_hz") && machine.clockHz > 0;
  moving.scratchpad = moverOf("scratchpad_bytes");
  moving.accumulator = moverOf("accumulator_bytes");
}

std::optional<unsigned> Family::moverOf(llvm::StringRef field) const {
  if (const Law *law = machines.design.lawOf(field))
    for (const Monomial &term : law->terms)
      for (auto [parameter, exponent] : term.powers)
        if (auto it = llvm::find(moves, parameter); it != moves.end())
          return unsigned(it - moves.begin());
  return std::nullopt;
}

std::vector<DesignPoint> Family::around(llvm::ArrayRef<double> logs) const {
  const Design &design = machines.design;
  const DesignPoint wanted = pointAt(logs);
  std::vector<std::pair<double, DesignPoint>> near;
  unsigned corners = 1;
  for (unsigned index : moves)
    if (!design.parameters[index].isContinuous())
      corners *= 2;
  for (const DesignPoint *grid : points) {
    DesignPoint point = *grid;
    double away = 0;
    for (unsigned index : moves) {
      if (design.parameters[index].isContinuous()) {
        point[index] = wanted[index];
        continue;
      }
      const double log = std::log(point[index] / wanted[index]);
      away += log * log;
    }
    near.push_back({away, std::move(point)});
  }
  llvm::sort(near);
  std::vector<DesignPoint> result;
  for (auto &[away, point] : near) {
    if (!machines.isAffordable(machines.areaOf(point))) {
      // Too much of what can be any number: nearer to the least of it.
      for (double part = 0.9;
           part > 0 && !machines.isAffordable(machines.areaOf(point));
           part -= 0.1)
        for (unsigned index : moves)
          if (const Parameter &parameter = design.parameters[index];
              parameter.isContinuous())
            point[index] =
                parameter.from * std::pow(wanted[index] / parameter.from, part);
    }
    if (machines.isLegal(point))
      result.push_back(point);
    if (result.size() == corners)
      break;
  }
  return result;
}

llvm::Error codesign_detail::searchJointly(Machines &machines, Sizes sizes) {
  struct End {
    double loss;
    size_t family;
    std::vector<double> logs;
  };
  std::vector<std::unique_ptr<Family>> families;
  std::vector<End> ends;
  for (std::vector<const DesignPoint *> &points : machines.byStructure()) {
    if (machines.mustStop())
      break;
    families.push_back(std::make_unique<Family>(machines, std::move(points)));
    MovingMachine &moving = families.back()->moving;
    moving.sizes = sizes;
    llvm::Expected<JointPoint> found = machines.relax(moving);
    if (!found) { // perhaps larger machines do
      llvm::consumeError(found.takeError());
      continue;
    }
    ++machines.result.descents;
    machines.result.descentEvaluations += found->evaluations;
    ends.push_back({found->loss, families.size() - 1, std::move(found->logs)});
  }
  llvm::sort(ends, [](const End &a, const End &b) {
    return std::tie(a.loss, a.family) < std::tie(b.loss, b.family);
  });
  const size_t most = std::max(1u, machines.options.starts);
  if (ends.size() > most)
    ends.resize(most);
  // Never worse than the design as it is.
  if (const DesignPoint initial = machines.design.initial();
      machines.isLegal(initial) && !machines.mustStop())
    machines.take(initial);
  for (const End &end : ends)
    for (const DesignPoint &point : families[end.family]->around(end.logs)) {
      if (machines.mustStop())
        return llvm::Error::success();
      machines.take(point);
    }
  return sizes == Sizes::Move ? descendFromBest(machines)
                              : llvm::Error::success();
}
