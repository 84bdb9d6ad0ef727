//===- Descent.cpp - From one machine to the next -------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At a machine's best schedule the slope of the objective by a parameter is
// that at the schedule as it is (the envelope theorem): counts stand, and rates
// follow from the parameter by their laws. Along these slopes go the parameters
// that can be any number. Those of a grid go to a neighbour: sizes have no
// slope at a schedule that does not use more, so neighbours are searched, the
// most promising first. docs/Codesign.md, "Descent".
//
//===----------------------------------------------------------------------===//

#include "Machines.h"

#include "fadiff/CostModel/Rates.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <random>

using namespace fadiff;
using namespace fadiff::codesign_detail;

double codesign_detail::slopeOf(const Law &law, unsigned parameter,
                                llvm::ArrayRef<double> point) {
  double sum = 0, rising = 0;
  for (const Monomial &term : law.terms) {
    double product = term.factor, exponents = 0;
    for (auto [index, exponent] : term.powers) {
      product *= std::pow(point[index], exponent);
      if (index == parameter)
        exponents += exponent;
    }
    sum += product;
    rising += product * exponents;
  }
  return rising / sum;
}

namespace {
class Descent {
public:
  explicit Descent(Machines &machines)
      : machines(machines), design(machines.design) {}

  void run();
  void from(DesignPoint point);

private:
  bool countsEnergy() const {
    return machines.options.objective != Objective::Latency;
  }
  bool countsCycles() const {
    return machines.options.objective != Objective::Energy;
  }
  /// d log(objective) / d log(parameter) at a schedule that stays.
  std::vector<double> slopesAt(const DesignPoint &point,
                               const Score &score) const;
  /// The same of log(area), of what can be any number.
  std::vector<double> areaSlopesAt(const DesignPoint &point) const;
  /// Where what can be any number goes.
  std::vector<double> directionAt(const DesignPoint &point,
                                  const Score &score) const;
  void move(DesignPoint &point, llvm::ArrayRef<double> way, double step) const;
  /// Moves what can be any number as long as that helps. False if stopped.
  bool stepAlong(DesignPoint &point, const Score *&score);
  /// The first better neighbour on the grid; false if there is none.
  bool stepAside(DesignPoint &point, const Score *&score);
  /// Whether to go there.
  bool isBetter(const DesignPoint &point, const Score &score,
                const DesignPoint &than, const Score &thanScore) const;

  Machines &machines;
  const Design &design;
};
} // namespace

std::vector<double> Descent::slopesAt(const DesignPoint &point,
                                      const Score &score) const {
  std::vector<double> slopes(point.size(), 0.0);
  for (unsigned p = 0; p < point.size(); ++p) {
    if (design.parameters[p].isWord())
      continue;
    for (unsigned rate = 0; rate < kNumRates; ++rate) {
      const Law *law = design.lawOf(rateName(rate));
      if (!law)
        continue;
      const double byParameter = slopeOf(*law, p, point);
      for (const NetworkScore &network : score.networks) {
        if (network.energySlopes.empty())
          continue;
        double slope = 0;
        if (countsEnergy())
          slope += network.energySlopes[rate];
        if (countsCycles())
          slope += network.cyclesSlopes[rate];
        slopes[p] += byParameter * slope / double(score.networks.size());
      }
    }
    // Time is cycles over the clock.
    if (const Law *clock = design.lawOf("clock_hz"))
      if (countsCycles())
        slopes[p] -= slopeOf(*clock, p, point);
  }
  return slopes;
}

bool Descent::isBetter(const DesignPoint &point, const Score &score,
                       const DesignPoint &than, const Score &thanScore) const {
  // First to a power that is asked for.
  if (!machines.isWithinPower(score) || !machines.isWithinPower(thanScore))
    return score.milliwatts < thanScore.milliwatts * (1 - 1e-9);
  ScoredMachine a{point, {}, {}, score.value};
  ScoredMachine b{than, {}, {}, thanScore.value};
  a.machine.area = machines.areaOf(point);
  b.machine.area = machines.areaOf(than);
  if (machines.options.goal == CodesignGoal::Best)
    return score.value < thanScore.value * (1 - 1e-9);
  return machines.isBetter(a, b);
}

bool Descent::stepAlong(DesignPoint &point, const Score *&score) {
  if (llvm::none_of(design.parameters,
                    [](const Parameter &p) { return p.isContinuous(); }))
    return true;
  // Halved where a step does not help, doubled where it does.
  double step = 0.5;
  while (step > 1e-3) {
    if (machines.mustStop())
      return false;
    const std::vector<double> way = directionAt(point, *score);
    double longest = 0;
    for (double part : way)
      longest = std::max(longest, std::fabs(part));
    if (!(longest > 1e-12))
      return true;
    DesignPoint next = point;
    move(next, way, step / longest);
    // Back to the area along its slopes.
    for (int i = 0; i < 20 && !machines.isAffordable(machines.areaOf(next));
         ++i) {
      const std::vector<double> uphill = areaSlopesAt(next);
      const double square = llvm::accumulate(
          llvm::map_range(uphill, [](double x) { return x * x; }), 0.0);
      move(next, uphill,
           std::log(machines.options.mostArea / machines.areaOf(next)) /
               square);
    }
    if (next == point)
      return true;
    const Score *found = machines.isLegal(next) ? machines.take(next) : nullptr;
    if (found && isBetter(next, *found, point, *score)) {
      point = next;
      score = found;
      step *= 2;
    } else {
      step /= 4;
    }
  }
  return true;
}

bool Descent::stepAside(DesignPoint &point, const Score *&score) {
  struct Neighbour {
    DesignPoint point;
    double promise; ///< log of the objective, as the slopes have it
  };
  const std::vector<double> slopes = slopesAt(point, *score);
  std::vector<Neighbour> neighbours;
  // One parameter to the next value; two, one for the other's area.
  std::vector<std::pair<unsigned, double>> steps;
  for (auto [index, parameter] : llvm::enumerate(design.parameters)) {
    if (parameter.isContinuous() || parameter.isFixed())
      continue;
    const auto at = llvm::find(parameter.values, point[index]);
    if (parameter.isWord()) {
      for (double value : parameter.values)
        if (value != *at)
          steps.push_back({unsigned(index), value});
      continue;
    }
    if (at != parameter.values.begin())
      steps.push_back({unsigned(index), *std::prev(at)});
    if (std::next(at) != parameter.values.end())
      steps.push_back({unsigned(index), *std::next(at)});
  }
  auto add = [&](llvm::ArrayRef<std::pair<unsigned, double>> moves) {
    Neighbour neighbour{point, 0};
    for (auto [index, value] : moves) {
      if (!design.parameters[index].isWord())
        neighbour.promise +=
            slopes[index] * std::log(value / neighbour.point[index]);
      neighbour.point[index] = value;
    }
    if (machines.isLegal(neighbour.point))
      neighbours.push_back(std::move(neighbour));
  };
  for (size_t a = 0; a < steps.size(); ++a) {
    add(steps[a]);
    for (size_t b = a + 1; b < steps.size(); ++b)
      if (steps[a].first != steps[b].first)
        add({steps[a], steps[b]});
  }
  llvm::sort(neighbours, [](const Neighbour &a, const Neighbour &b) {
    return std::tie(a.promise, a.point) < std::tie(b.promise, b.point);
  });
  for (const Neighbour &neighbour : neighbours) {
    if (machines.mustStop())
      return false;
    const Score *found = machines.take(neighbour.point);
    if (!found || !isBetter(neighbour.point, *found, point, *score))
      continue;
    point = neighbour.point;
    score = found;
    return true;
  }
  return false;
}

std::vector<double> Descent::areaSlopesAt(const DesignPoint &point) const {
  std::vector<double> slopes(point.size(), 0.0);
  if (const Law *area = design.lawOf("area"))
    for (auto [index, parameter] : llvm::enumerate(design.parameters))
      if (parameter.isContinuous())
        slopes[index] = slopeOf(*area, unsigned(index), point);
  return slopes;
}

std::vector<double> Descent::directionAt(const DesignPoint &point,
                                         const Score &score) const {
  std::vector<double> way = slopesAt(point, score);
  for (auto [index, parameter] : llvm::enumerate(design.parameters))
    way[index] = parameter.isContinuous() ? -way[index] : 0;
  // Where no area is left, along the machines of the same one.
  if (machines.options.mostArea > 0 &&
      machines.areaOf(point) > machines.options.mostArea * (1 - 1e-3)) {
    const std::vector<double> uphill = areaSlopesAt(point);
    double along = 0, square = 0;
    for (auto [part, slope] : llvm::zip_equal(way, uphill)) {
      along += part * slope;
      square += slope * slope;
    }
    if (along > 0)
      for (auto [part, slope] : llvm::zip_equal(way, uphill))
        part -= along / square * slope;
  }
  return way;
}

void Descent::move(DesignPoint &point, llvm::ArrayRef<double> way,
                   double step) const {
  for (auto [index, parameter] : llvm::enumerate(design.parameters))
    if (parameter.isContinuous())
      point[index] = std::clamp(point[index] * std::exp(step * way[index]),
                                parameter.from, parameter.to);
}

void Descent::from(DesignPoint point) {
  const Score *score = machines.take(point);
  if (!score)
    return;
  while (stepAlong(point, score) && stepAside(point, score))
    ;
}

void Descent::run() {
  const DesignPoint initial = design.initial();
  if (machines.isLegal(initial))
    from(initial);
  std::mt19937_64 rng(machines.options.seed);
  for (unsigned start = machines.isLegal(initial) ? 0 : -1u;
       start + 1 < machines.options.starts + 1 && !machines.mustStop(); ++start)
    from(machines.points[rng() % machines.points.size()]);
}

llvm::Error codesign_detail::descendFromBest(Machines &machines) {
  if (machines.best)
    Descent(machines).from(machines.best->point);
  return llvm::Error::success();
}

llvm::Error codesign_detail::descend(Machines &machines) {
  Descent(machines).run();
  return llvm::Error::success();
}
