//===- Relaxation.cpp - Gradient descent over relaxed mappings ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RelaxedNetwork.h"

#include <cmath>

using namespace fadiff;
using namespace fadiff::relaxed;

double fadiff::relaxed::temperatureAt(const GradientOptions &options,
                                      double progress) {
  return options.temperatureFirst *
         std::pow(options.temperatureLast / options.temperatureFirst, progress);
}

Descent fadiff::descend(const Problem &problem, const std::vector<Unit> &units,
                        const GradientOptions &options, const StartPoint &start,
                        std::mt19937_64 &rng, Budget &budget, Factors kind) {
  RelaxedNetwork network(problem, units, options, start, kind);
  Descent result;
  // With too little time for all steps it cools down faster.
  const double begin = budget.seconds(), seconds = budget.secondsLeft();
  for (unsigned step = 1; step <= options.steps && !budget.exhausted();
       ++step) {
    const double progress =
        std::max(options.steps > 1 ? double(step - 1) / (options.steps - 1) : 1,
                 std::min(1.0, (budget.seconds() - begin) / seconds));
    const Sample sample =
        network.evaluate(temperatureAt(options, progress), &rng, budget);
    network.step(step, sample);
    if (options.snapshotEvery && step % options.snapshotEvery == 0 &&
        step < options.steps)
      result.snapshots.push_back(network.point());
  }
  const Sample sample =
      network.evaluate(options.temperatureLast, nullptr, budget);
  result.loss = std::log(sample.energy) + std::log(sample.cycles);
  result.mappings = network.point();
  result.gates = network.gates();
  return result;
}
