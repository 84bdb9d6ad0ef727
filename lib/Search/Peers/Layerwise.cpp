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

/// As many draws for each mapping that is wanted at most.
static constexpr uint64_t kTries = 10;

namespace {
/// Draws random mappings of a layer.
class Draws {
public:
  Draws(const LayerProblem &problem, Misfits misfits, uint64_t enough,
        std::mt19937_64 rng)
      : problem(problem), misfits(misfits), enough(enough), rng(rng) {}

  /// The next mapping; none if it is a misfit that counts, or if so many that
  /// do not count came one after the other that there will be no more.
  std::optional<Mapping> next() {
    const bool repairs = misfits == Misfits::Repaired;
    for (uint64_t tried = 0; tried < kTries * enough; ++tried) {
      Mapping mapping = randomPoint(problem, rng, repairs);
      if (repairs || fits(problem.layer, mapping, problem.target))
        return mapping;
      if (misfits == Misfits::Failed)
        return std::nullopt;
    }
    ended = true;
    return std::nullopt;
  }
  bool haveEnded() const { return ended; }

private:
  LayerProblem problem;
  Misfits misfits;
  uint64_t enough;
  std::mt19937_64 rng;
  bool ended = false;
};
} // namespace

llvm::Expected<Mapping> fadiff::firstThatFits(const Problem &problem,
                                              size_t layerClass,
                                              Misfits misfits,
                                              uint64_t enough) {
  const LayerProblem layer = problem.layer(layerClass);
  if (llvm::Error error = checkMappable(layer.layer, layer.target))
    return std::move(error);
  Draws draws(layer, misfits, enough, problem.stream(kLayers, layerClass));
  for (uint64_t i = 0; i < enough && !draws.haveEnded(); ++i)
    if (std::optional<Mapping> mapping = draws.next())
      return *mapping;
  return llvm::createStringError(
      "layer '" + layer.layer.name +
      "': wanted a random mapping that fits the machine, found none among " +
      llvm::Twine(misfits == Misfits::Failed ? enough : kTries * enough) +
      " that were drawn with misfits=" + nameOf(misfits) +
      "; draw more, or choose misfits=repaired");
}

void fadiff::searchRandom(const Problem &problem, Misfits misfits,
                          uint64_t enough, Budget &budget, Findings &findings) {
  auto create = [&](const LayerProblem &layer, const Mapping &start,
                    std::mt19937_64 rng) {
    return [=, draws = Draws(layer, misfits, enough, rng),
            begun = misfits !=
                    Misfits::Repaired](const Goal &, Budget &budget,
                                       std::vector<Candidate> &found) mutable {
      if (!begun)
        found.push_back(layer.evaluate(start, budget));
      begun = true;
      for (unsigned i = 0; i < 256 && !budget.exhausted() && !draws.haveEnded();
           ++i)
        if (std::optional<Mapping> mapping = draws.next())
          found.push_back(layer.evaluate(*mapping, budget));
        else if (misfits == Misfits::Failed)
          ++budget.evaluations;
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
