//===- Layerwise.cpp - Optimisers that take a layer at a time -------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Peers.h"

#include "fadiff/Search/Baselines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace fadiff;

void fadiff::searchRandom(const Problem &problem, uint64_t enough,
                          Budget &budget, Findings &findings) {
  auto create = [](const LayerProblem &layer, const Mapping &start,
                   std::mt19937_64 rng) {
    return [=, begun = false](const Goal &, Budget &budget,
                              std::vector<Candidate> &found) mutable {
      if (!begun)
        found.push_back(layer.evaluate(start, budget));
      begun = true;
      for (unsigned i = 0; i < 256 && !budget.exhausted(); ++i)
        found.push_back(layer.evaluate(randomPoint(layer, rng), budget));
      return 0u;
    };
  };
  takeTurns(problem, enough, budget, findings, create);
}

void fadiff::searchByClimbs(const Problem &problem, const ClimbOptions &options,
                            uint64_t enough, Budget &budget,
                            Findings &findings) {
  auto create = [&](const LayerProblem &layer, const Mapping &start,
                    std::mt19937_64 rng) {
    return [=, sweeps = options.sweeps,
            begun = false](const Goal &goal, Budget &budget,
                           std::vector<Candidate> &found) mutable {
      const Mapping next = begun ? randomPoint(layer, rng) : start;
      begun = true;
      found.push_back(climb(layer, next, goal, sweeps, budget));
      return 1u;
    };
  };
  takeTurns(problem, enough, budget, findings, create);
}

void fadiff::takeTurns(
    const Problem &problem, uint64_t enough, Budget &budget, Findings &findings,
    llvm::function_ref<Turn(const LayerProblem &, const Mapping &start,
                            std::mt19937_64)>
        create) {
  std::vector<Turn> turns;
  for (size_t c = 0; c < problem.size(); ++c)
    turns.push_back(create(problem.layer(c), findings.starts[c],
                           problem.stream(kLayers, c)));
  std::vector<uint64_t> spent(problem.size(), 0);
  // Until the totals settle a layer's own product is the better guide.
  for (uint64_t round = 0; !budget.exhausted(); ++round) {
    Goal goal = round == 0 ? Goal{} : findings.goal();
    goal.objective = problem.aim.objective;
    std::vector<std::vector<Candidate>> found(problem.size());
    std::vector<Budget> budgets(problem.size(), budget.share(problem.size()));
    std::vector<char> ran(problem.size(), false);
    std::vector<unsigned> restarts(problem.size(), 0);
    forEachTask(budget.threads, problem.size(), [&](size_t c) {
      if (budgets[c].exhausted() || (!budget.limited() && spent[c] >= enough))
        return;
      restarts[c] = turns[c](goal, budgets[c], found[c]);
      ran[c] = true;
    });
    uint64_t before = budget.evaluations, most = 0;
    for (size_t c = 0; c < problem.size(); ++c) {
      budget.absorb(budgets[c]);
      spent[c] += budgets[c].evaluations;
      most = std::max(most, spent[c]);
      findings.add(c, found[c]);
      findings.result.restartsRun += restarts[c];
    }
    // A turn without an evaluation is one without progress: all is spent.
    if (!llvm::is_contained(ran, true) ||
        (budget.evaluations == before && round > 4))
      break;
    findings.update("layers", std::min(most, enough), enough);
  }
}
