//===- Budget.h - What a search may still use -------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time, evaluations, threads.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_PROBLEM_BUDGET_H
#define FADIFF_LIB_SEARCH_PROBLEM_BUDGET_H

#include "fadiff/Search/Search.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <vector>

namespace fadiff {

/// Counts evaluations and knows when to give up.
class Budget {
public:
  Budget(double seconds, const std::atomic<bool> *stop,
         uint64_t maxEvaluations = 0, unsigned threads = 1)
      : threads(threads), begin(std::chrono::steady_clock::now()),
        limit(seconds), stop(stop), maxEvaluations(maxEvaluations) {}
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin)
        .count();
  }
  /// A part of the time that is left, at least a little, and no limit of
  /// evaluations.
  Budget timeLeft(double part = 1) const {
    return {limit > 0 ? std::max(1e-3, limit * portion - seconds()) * part : 0,
            stop};
  }
  /// Seconds that are left; infinite without a limit.
  double secondsLeft() const {
    return limit > 0 ? std::max(0.0, limit * portion - seconds())
                     : std::numeric_limits<double>::infinity();
  }
  /// A share of the evaluations, up to this part of the time that is left.
  Budget within(double part, uint64_t parts = 1) const {
    Budget own = share(parts);
    if (limit > 0)
      own.limit = seconds() + secondsLeft() * part;
    return own;
  }
  bool stopped() const { return stop && stop->load(std::memory_order_relaxed); }
  bool outOfTime() const { return limit > 0 && seconds() >= limit * portion; }
  bool outOfEvaluations() const {
    return maxEvaluations > 0 &&
           double(evaluations) >= double(maxEvaluations) * portion;
  }
  /// Until set again, only this part of time and evaluations may be used.
  void useOnly(double part) { portion = part; }
  uint64_t evaluationLimit() const { return maxEvaluations; } ///< or 0
  bool limited() const { return limit > 0 || maxEvaluations > 0; }
  bool timeIsUp() const { return stopped() || outOfTime(); }
  bool exhausted() const { return outOfEvaluations() || timeIsUp(); }
  /// One of `parts` equal shares of the evaluations that are left, on the same
  /// clock: what a task may use while others run.
  Budget share(uint64_t parts) const {
    Budget part = *this;
    part.evaluations = 0;
    part.portion = 1;
    part.limit *= portion;
    if (maxEvaluations > 0) {
      auto all = uint64_t(double(maxEvaluations) * portion);
      part.maxEvaluations =
          std::max<uint64_t>(1, (all - std::min(all, evaluations)) / parts);
    }
    return part;
  }
  void absorb(const Budget &part) { evaluations += part.evaluations; }

  uint64_t evaluations = 0;
  unsigned threads; ///< to run tasks on

private:
  std::chrono::steady_clock::time_point begin;
  double limit;
  const std::atomic<bool> *stop;
  uint64_t maxEvaluations;
  double portion = 1;
};

/// Calls `task(i)` for i in [0, count) on up to `threads` threads. Tasks must
/// not depend on each other; whoever wants the same bytes for any number of
/// threads lets each write to its own place.
void forEachTask(unsigned threads, size_t count,
                 llvm::function_ref<void(size_t)> task);

/// The same for any number of tasks, whose results are held for as many only as
/// there are threads: `run(i, own)` with a copy of `each` on some thread, then
/// here `take(i, result)` in order, and `goOn(done)` behind each batch, which
/// says whether there shall be another one.
template <typename ResultT>
void forEachInBatches(Budget &budget, const Budget &each, size_t count,
                      llvm::function_ref<ResultT(size_t, Budget &)> run,
                      llvm::function_ref<void(size_t, ResultT &)> take,
                      llvm::function_ref<bool(size_t)> goOn) {
  const size_t most = std::max(1u, budget.threads);
  for (size_t first = 0, size; first < count; first += size) {
    size = std::min(most, count - first);
    std::vector<ResultT> results(size);
    std::vector<Budget> budgets(size, each);
    forEachTask(budget.threads, size,
                [&](size_t i) { results[i] = run(first + i, budgets[i]); });
    for (size_t i = 0; i < size; ++i) {
      budget.absorb(budgets[i]);
      take(first + i, results[i]);
    }
    if (!goOn(first + size))
      return;
  }
}

} // namespace fadiff

#endif // FADIFF_LIB_SEARCH_PROBLEM_BUDGET_H
