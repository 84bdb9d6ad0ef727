//===- Joint.cpp - Descent on mappings and a machine at once --------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mappings move by the derivatives of their own descent (RelaxedNetwork.h), the
// parameters of the machine by those of the same loss at the same sample: what
// a layer moves does not depend on what a move costs (Rates.h). Of a cost of
// somebody else's nobody knows what it is made of, so there they move by
// differences, each layer with the loop order that was best last.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Joint.h"

#include "RelaxedNetwork.h"

#include "fadiff/Search/Baselines.h"

#include <cmath>

using namespace fadiff;
using namespace fadiff::relaxed;

/// Differences are taken over this part: sizes are whole bytes.
static constexpr double kApart = 0.02;
/// An area above the budget weighs so many times what a capacity does that is
/// exceeded as much.
static constexpr double kAreaWeight = 25;

namespace {
class JointDescent {
public:
  JointDescent(llvm::ArrayRef<SearchOptions> options,
               const MovingMachine &moving)
      : options(options), gradient(options.front().gradient), moving(moving),
        here(moving.at(moving.start)), parameters(moving.start.size()),
        budget(/*seconds=*/0, options.front().stop), rng(options.front().seed) {
    for (auto [parameter, log] : llvm::zip_equal(parameters, moving.start))
      parameter.x = log;
    if (follows()) {
      gradient.learningRate = options.front().dosa.learningRate * kFaster;
      gradient.snapshotEvery = 0;
    }
  }

  llvm::Error addAll(llvm::ArrayRef<Network> networks);
  JointPoint run();
  /// Before the first step.
  JointSlopes slopesAt(llvm::ArrayRef<double> logs);

private:
  llvm::Error add(const Network &network, const SearchOptions &own);
  /// DOSA's steps are small, as it takes thousands of them.
  static constexpr double kFaster = 10;

  bool follows() const { return moving.sizes == Sizes::Follow; }
  std::vector<double> logs() const {
    std::vector<double> logs;
    for (const Moving &parameter : parameters)
      logs.push_back(parameter.x);
    return logs;
  }
  /// The sum of the networks' losses on the machine at `at`, and its area's;
  /// `samples`, if given, gets what they take.
  double evaluate(llvm::ArrayRef<double> at, double temperature, bool withNoise,
                  Orders orders, std::vector<Sample> *samples = nullptr);
  /// Slopes of the loss by the parameters at the last samples, of the machine
  /// at `at`.
  std::vector<double> slopes(llvm::ArrayRef<double> at,
                             llvm::ArrayRef<Sample> samples) const;
  /// The same by differences, with the noise that comes next.
  std::vector<double> differences(llvm::ArrayRef<double> at, double temperature,
                                  bool withNoise);
  NumberSlopes slopesByNumber(const RelaxedNetwork &network,
                              const Sample &sample) const;
  bool isForeign() const {
    return llvm::any_of(
        problems, [](const auto &problem) { return problem->foreignCost; });
  }
  /// How far the area is above the budget, as a logarithm.
  double areaOver() const {
    return moving.mostArea > 0
               ? std::max(0.0, std::log(here.area / moving.mostArea))
               : 0;
  }
  bool countsTime() const {
    return moving.isTimed && options.front().objective != Objective::Energy;
  }
  /// Moves sizes to what the mappings need at the last sample.
  void follow();
  void step(unsigned number);

  llvm::ArrayRef<SearchOptions> options;
  GradientOptions gradient;
  const MovingMachine &moving;
  Accelerator here; ///< that all problems are about
  std::vector<std::unique_ptr<Problem>> problems;
  std::vector<std::unique_ptr<RelaxedNetwork>> networks;
  std::vector<Moving> parameters;
  Budget budget;
  std::mt19937_64 rng;
};
} // namespace

llvm::Error JointDescent::add(const Network &network,
                              const SearchOptions &own) {
  problems.push_back(std::make_unique<Problem>(network, here, own));
  const Problem &problem = *problems.back();
  std::vector<Unit> units;
  if (follows()) {
    for (size_t c = 0; c < problem.size(); ++c)
      units.push_back(
          {{problem.firstOfClass[c]}, problem.classCount[c], {}, {}});
  } else {
    units = Chains(problem, "").units;
  }
  StartPoint start;
  for (const Unit &unit : units) {
    start.emplace_back();
    for (unsigned layer : unit.layers) {
      auto mapping = squareTileMapping(network.layers[layer], here);
      if (!mapping)
        return mapping.takeError();
      makeLegal(problem.layer(problem.classOf[layer]), *mapping);
      start.back().push_back(*mapping);
    }
  }
  networks.push_back(std::make_unique<RelaxedNetwork>(
      problem, units, gradient, start,
      follows() ? Factors::Continuous : Factors::Sampled,
      follows() ? Capacities::Open : Capacities::Kept));
  return llvm::Error::success();
}

llvm::Error JointDescent::addAll(llvm::ArrayRef<Network> networks) {
  for (auto [network, own] : llvm::zip_equal(networks, options))
    if (llvm::Error error = add(network, own))
      return error;
  return llvm::Error::success();
}

double JointDescent::evaluate(llvm::ArrayRef<double> at, double temperature,
                              bool withNoise, Orders orders,
                              std::vector<Sample> *samples) {
  here = moving.at(at);
  double loss = 0;
  for (const auto &network : networks) {
    const Sample sample = network->evaluate(
        temperature, withNoise ? &rng : nullptr, budget, orders);
    loss += network->loss(sample);
    if (samples)
      samples->push_back(sample);
  }
  const double each = double(networks.size());
  if (countsTime())
    loss -= each * std::log(here.clockHz);
  const double over = areaOver();
  return loss + each * gradient.penalty * kAreaWeight * over * over;
}

/// Of the loss of one network, by the logs of the machine's numbers; its area
/// and clock are not the network's.
NumberSlopes JointDescent::slopesByNumber(const RelaxedNetwork &network,
                                          const Sample &sample) const {
  using Slopes = std::array<double, kNumRates>;
  const double byEnergy = network.energyWeight(sample),
               byCycles = network.cyclesWeight(sample);
  const Rates<RateDual> rates = ratesByLog(here);
  NumberSlopes slopes;
  Slopes energy{}, cycles{}; // of all layers
  double violatedEnergy = 0, violatedCycles = 0;
  for (const ChainState &unit : network.units())
    for (const LayerState &state : unit.layers) {
      const double violation = state.violation.value();
      for (const auto &[part, counts] : state.charged) {
        ScheduleCounts one;
        one.members.push_back(counts);
        const ScheduleCounts::Charge<RateDual> charge = one.at(rates);
        const double times = unit.multiplicity * part;
        for (unsigned i = 0; i < kNumRates; ++i) {
          const double ofEnergy = times * charge.energy.gradient()[i],
                       ofCycles = times * charge.cycles.gradient()[i];
          energy[i] += ofEnergy;
          cycles[i] += ofCycles;
          slopes.rates[i] += gradient.penalty * violation *
                             (ofEnergy * byEnergy + ofCycles * byCycles);
        }
      }
      const double ownEnergy = unit.multiplicity * state.energy.value(),
                   ownCycles = unit.multiplicity * state.cycles.value();
      violatedEnergy += ownEnergy * violation;
      violatedCycles += ownCycles * violation;
      auto byCapacity = [&](const D &rows, int64_t most) {
        const double excess =
            std::max(0.0, std::log(rows.value() / double(most)));
        return -2 * gradient.penalty * excess *
               (ownEnergy * byEnergy + ownCycles * byCycles);
      };
      if (follows())
        continue;
      slopes.scratchpad +=
          byCapacity(state.rows.scratchpad, here.scratchpadRows());
      slopes.accumulator +=
          byCapacity(state.rows.accumulator, here.accumulatorRows());
    }
  // The weights of violations are shares of the totals.
  for (unsigned i = 0; i < kNumRates; ++i)
    slopes.rates[i] += energy[i] * byEnergy *
                           (1 - gradient.penalty * violatedEnergy * byEnergy) +
                       cycles[i] * byCycles *
                           (1 - gradient.penalty * violatedCycles * byCycles);
  return slopes;
}

std::vector<double> JointDescent::slopes(llvm::ArrayRef<double> at,
                                         llvm::ArrayRef<Sample> samples) const {
  std::vector<double> slopes(at.size(), 0.0);
  const double each = double(networks.size());
  NumberSlopes loss;
  for (auto [network, sample] : llvm::zip_equal(networks, samples)) {
    const NumberSlopes own = slopesByNumber(*network, sample);
    for (unsigned i = 0; i < kNumRates; ++i)
      loss.rates[i] += own.rates[i];
    loss.scratchpad += own.scratchpad;
    loss.accumulator += own.accumulator;
  }
  loss.area = each * gradient.penalty * kAreaWeight * 2 * areaOver();
  loss.clock = countsTime() ? -each : 0;
  for (auto [slope, numbers] : llvm::zip_equal(slopes, moving.slopesAt(at))) {
    for (unsigned i = 0; i < kNumRates; ++i)
      slope += loss.rates[i] * numbers.rates[i];
    slope += loss.scratchpad * numbers.scratchpad +
             loss.accumulator * numbers.accumulator + loss.area * numbers.area +
             loss.clock * numbers.clock;
  }
  return slopes;
}

std::vector<double> JointDescent::differences(llvm::ArrayRef<double> at,
                                              double temperature,
                                              bool withNoise) {
  // The same noise for all, so that differences are the machine's alone.
  const std::mt19937_64 before = rng;
  const double base = evaluate(at, temperature, withNoise, Orders::Last);
  std::vector<double> slopes;
  for (size_t index = 0; index < at.size(); ++index) {
    rng = before;
    std::vector<double> next = at.vec();
    const double way = at[index] + kApart > moving.high[index] ? -1 : 1;
    next[index] += way * kApart;
    slopes.push_back(
        way * (evaluate(next, temperature, withNoise, Orders::Last) - base) /
        kApart);
  }
  rng = before;
  return slopes;
}

void JointDescent::follow() {
  double scratchpad = 0, accumulator = 0;
  for (const auto &network : networks) {
    const PerMemory<MostRows> most = network->needs();
    scratchpad = std::max(scratchpad, most.scratchpad.rows);
    accumulator = std::max(accumulator, most.accumulator.rows);
  }
  // Where the memory has so many rows: what follows from a parameter is a
  // monomial of it in every design that is known, so this is the place.
  auto place = [&](std::optional<unsigned> parameter, double rows,
                   llvm::function_ref<int64_t(const Accelerator &)> rowsOf) {
    if (!parameter)
      return;
    Moving &moves = parameters[*parameter];
    moves.x = std::clamp(moves.x + std::log(rows / double(rowsOf(here))),
                         moving.low[*parameter], moving.high[*parameter]);
  };
  here = moving.at(logs());
  place(moving.scratchpad, scratchpad,
        [](const Accelerator &machine) { return machine.scratchpadRows(); });
  place(moving.accumulator, accumulator,
        [](const Accelerator &machine) { return machine.accumulatorRows(); });
}

void JointDescent::step(unsigned number) {
  const double progress =
      gradient.steps > 1 ? double(number - 1) / (gradient.steps - 1) : 1;
  const double temperature = temperatureAt(gradient, progress);
  const bool withNoise = !follows();
  const std::vector<double> at = logs();
  std::vector<double> byParameter;
  if (isForeign())
    byParameter = differences(at, temperature, withNoise);
  std::vector<Sample> samples;
  evaluate(at, temperature, withNoise, Orders::All, &samples);
  if (!isForeign())
    byParameter = slopes(at, samples);
  for (auto [parameter, slope] : llvm::zip_equal(parameters, byParameter))
    parameter.gradient = slope;
  PerMemory<double> byNeed;
  if (follows()) {
    if (moving.scratchpad)
      byNeed.scratchpad = parameters[*moving.scratchpad].gradient;
    if (moving.accumulator)
      byNeed.accumulator = parameters[*moving.accumulator].gradient;
  }
  for (auto [network, sample] : llvm::zip_equal(networks, samples))
    network->step(number, sample, byNeed);
  for (auto [index, parameter] : llvm::enumerate(parameters)) {
    if (follows() &&
        (index == moving.scratchpad || index == moving.accumulator))
      continue;
    // A parameter has to go as far as a factor, but every layer has to follow.
    GradientOptions slower = gradient;
    slower.learningRate /= 4;
    parameter.step(number, slower);
    parameter.x =
        std::clamp(parameter.x, moving.low[index], moving.high[index]);
  }
  if (follows())
    follow();
}

JointSlopes JointDescent::slopesAt(llvm::ArrayRef<double> at) {
  evaluate(logs(), gradient.temperatureFirst, /*withNoise=*/false, Orders::All);
  JointSlopes result;
  std::vector<Sample> samples;
  result.loss = evaluate(at, gradient.temperatureFirst, /*withNoise=*/false,
                         Orders::Last, &samples);
  result.slopes = isForeign() ? differences(at, gradient.temperatureFirst,
                                            /*withNoise=*/false)
                              : slopes(at, samples);
  return result;
}

JointPoint JointDescent::run() {
  // Each layer has a best loop order from here on.
  evaluate(logs(), gradient.temperatureFirst, /*withNoise=*/false, Orders::All);
  if (follows())
    follow();
  for (unsigned number = 1; number <= gradient.steps && !budget.stopped();
       ++number)
    step(number);
  JointPoint point;
  point.logs = logs();
  point.loss = evaluate(point.logs, gradient.temperatureLast,
                        /*withNoise=*/false, Orders::All);
  point.evaluations = budget.evaluations;
  return point;
}

llvm::Expected<JointPoint>
fadiff::descendJointly(llvm::ArrayRef<Network> networks,
                       llvm::ArrayRef<SearchOptions> options,
                       const MovingMachine &machine) {
  JointDescent descent(options, machine);
  if (llvm::Error error = descent.addAll(networks))
    return std::move(error);
  return descent.run();
}

llvm::Expected<JointSlopes> fadiff::jointSlopesAt(
    llvm::ArrayRef<Network> networks, llvm::ArrayRef<SearchOptions> options,
    const MovingMachine &machine, llvm::ArrayRef<double> logs) {
  JointDescent descent(options, machine);
  if (llvm::Error error = descent.addAll(networks))
    return std::move(error);
  return descent.slopesAt(logs);
}
