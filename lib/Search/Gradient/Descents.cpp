//===- Descents.cpp - Descents from many starts ---------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Relaxation.h"

#include "fadiff/Search/Baselines.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace fadiff;

/// Points of one descent that are decoded.
static constexpr unsigned kMostSnapshots = 1000;

namespace {
struct Descended {
  std::vector<std::vector<Candidate>> found; ///< per class
  std::vector<UnitGates> gates;
  double loss = 0;
  bool done = false;
};
} // namespace

/// Adds what one more descent says of a unit to what others said.
static void merge(UnitGates &unit, UnitGates next, bool isBest) {
  std::swap(unit.tiles, next.tiles);
  next.tiles.resize(next.tile.size());
  for (auto [tile, own] : llvm::zip_equal(next.tile, next.tiles)) {
    PerDim<int64_t> rounded{1};
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      rounded[dim] = std::max<int64_t>(1, std::llround(tile[dim]));
    auto known = llvm::find(own, rounded);
    if (known == own.end())
      known = own.insert(known, rounded);
    if (isBest)
      std::rotate(own.begin(), known, known + 1);
  }
  if (isBest)
    unit = std::move(next);
  else
    unit.tiles = std::move(next.tiles);
}

void fadiff::descendFromStarts(const Problem &problem,
                               const std::vector<Unit> &units,
                               GradientOptions options, Budget &budget,
                               Findings &findings,
                               std::vector<UnitGates> &gates) {
  // With few evaluations to use: fewer descents, then shorter ones, so that
  // each still cools down. Decoding takes about as much again as descending.
  if (uint64_t evaluations = budget.evaluationLimit()) {
    uint64_t layers = 0;
    for (const Unit &unit : units)
      layers += unit.layers.size();
    uint64_t perStep = std::max<uint64_t>(1, layers * 25);
    uint64_t steps = evaluations / perStep;
    if (options.starts > 0)
      options.starts = unsigned(std::clamp<uint64_t>(
          steps / std::max(1u, options.steps), 1, options.starts));
    options.steps = unsigned(
        std::clamp<uint64_t>(steps / std::max(1u, options.starts),
                             std::min(20u, options.steps), options.steps));
  }
  // All snapshots of a descent are held until it has ended.
  if (options.snapshotEvery > 0)
    options.snapshotEvery =
        std::max(options.snapshotEvery, options.steps / kMostSnapshots);
  const Goal goal = findings.goal();

  auto run = [&](size_t number, Budget &own) {
    Descended result;
    if (own.exhausted())
      return result;
    // With little time one that ends is better than several that do not.
    const Budget half = own.within(0.5);
    std::mt19937_64 rng = problem.stream(kDescents, number);
    StartPoint point;
    for (const Unit &unit : units) {
      point.emplace_back();
      for (unsigned layer : unit.layers) {
        unsigned c = problem.classOf[layer];
        // Cannot fail: there is a mapping to start from.
        point.back().push_back(number == 0 ? findings.starts[c]
                                           : llvm::cantFail(randomMapping(
                                                 problem.network.layers[layer],
                                                 problem.target, rng)));
      }
    }
    Budget forSteps = half.within(0.5);
    Descent descent = descend(problem, units, options, point, rng, forSteps);
    own.absorb(forSteps);
    result.found.resize(problem.size());
    descent.snapshots.push_back(std::move(descent.mappings));
    for (const RelaxedPoint &relaxed : descent.snapshots) {
      std::vector<bool> done(problem.size(), false);
      for (auto [unit, mappings] : llvm::zip(units, relaxed))
        for (auto [layer, mapping] : llvm::zip(unit.layers, mappings)) {
          unsigned c = problem.classOf[layer];
          if (done[c] || half.timeIsUp())
            continue; // also in another unit
          done[c] = true;
          result.found[c].push_back(
              decode(problem.layer(c), mapping, goal, own));
        }
    }
    result.gates = std::move(descent.gates);
    result.loss = descent.loss;
    result.done = true;
    return result;
  };
  double bestLoss = 0;
  // The first batch may take long: who watches, or stops, is to know what runs.
  findings.update("gradient", 0, options.starts);
  forEachInBatches<Descended>(
      budget, budget.share(std::max(1u, options.starts)), options.starts, run,
      [&](size_t number, Descended &result) {
        if (!result.done)
          return;
        ++findings.result.startsRun;
        for (size_t c = 0; c < problem.size(); ++c)
          findings.add(c, result.found[c]);
        const bool isBest = number == 0 || result.loss < bestLoss;
        for (auto [unit, own] : llvm::zip_equal(gates, result.gates))
          merge(unit, std::move(own), isBest);
        if (isBest)
          bestLoss = result.loss;
      },
      [&](size_t done) {
        findings.update("gradient", done, options.starts);
        return !budget.timeIsUp();
      });
}
