//===- Dosa.cpp - Gradients layer by layer --------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Gradient/Relaxation.h"
#include "Peers.h"

#include <algorithm>
#include <limits>

using namespace fadiff;

void fadiff::searchDosa(const Problem &problem, const DosaOptions &options,
                        GradientOptions gradient, Budget &budget,
                        Findings &findings) {
  gradient.learningRate = options.learningRate;
  gradient.snapshotEvery = 0;
  std::vector<Unit> units; // every class by itself
  for (size_t c = 0; c < problem.size(); ++c)
    units.push_back({{problem.firstOfClass[c]}, problem.classCount[c], {}});
  const unsigned segment = std::max(1u, options.roundEvery);

  // Scaled to the evaluations: fewer starts, then shorter ones. With a time
  // limit alone, starts until it strikes.
  size_t wanted = options.starts;
  unsigned steps = options.steps;
  if (uint64_t evaluations = budget.evaluationLimit()) {
    const uint64_t all =
        evaluations /
        (problem.size() * kStationaryOrders.size() * kStationaryOrders.size());
    wanted = size_t(std::max<uint64_t>(1, all / std::max(1u, steps)));
    steps = unsigned(
        std::clamp<uint64_t>(all / wanted, std::min(20u, steps), steps));
  } else if (budget.limited()) {
    wanted = std::numeric_limits<size_t>::max();
  }

  using Found = std::vector<std::vector<Candidate>>; // per class
  auto run = [&](size_t number, Budget &own) {
    std::mt19937_64 rng = problem.stream(kDescents, number);
    StartPoint point;
    for (size_t c = 0; c < problem.size(); ++c)
      point.push_back({number == 0 ? findings.starts[c]
                                   : randomPoint(problem.layer(c), rng)});
    Found found(problem.size());
    for (unsigned done = 0; done < steps && !own.exhausted(); done += segment) {
      GradientOptions part = gradient;
      part.steps = std::min(segment, steps - done);
      Descent descent =
          descend(problem, units, part, point, rng, own, Factors::Continuous);
      for (size_t c = 0; c < problem.size(); ++c) {
        LayerProblem layer = problem.layer(c);
        Mapping m = roundToNearest(layer, descent.mappings[c][0]);
        makeLegal(layer, m);
        for (unsigned dram : kStationaryOrders)
          for (unsigned spad : kStationaryOrders) {
            m.order[Level::Dram] = classOrder(dram);
            m.order[Level::Scratchpad] = classOrder(spad);
            found[c].push_back(layer.evaluate(m, own));
          }
        point[c][0] = m;
      }
    }
    return found;
  };
  forEachInBatches<Found>(
      budget, budget.share(wanted), wanted, run,
      [&](size_t, Found &found) {
        ++findings.result.startsRun;
        for (size_t c = 0; c < problem.size(); ++c)
          findings.add(c, found[c]);
      },
      [&](size_t done) {
        findings.update(
            "gradient", done,
            std::min<size_t>(wanted, std::max<size_t>(done, options.starts)));
        return !budget.timeIsUp();
      });
}
