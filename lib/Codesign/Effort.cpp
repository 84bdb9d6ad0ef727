//===- Effort.cpp - The least that has to move for a goal -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Codesign/Effort.h"

#include "llvm/ADT/STLExtras.h"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

using namespace fadiff;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

static double logOf(const Roof &roof, llvm::ArrayRef<double> moves) {
  double log = roof.log;
  for (auto [number, slope] : roof.slopes)
    log -= slope * moves[number];
  return log;
}

/// log(sum of exp), of at least one.
static double logSum(llvm::ArrayRef<double> logs) {
  const double most = *std::max_element(logs.begin(), logs.end());
  if (!std::isfinite(most))
    return most;
  double sum = 0;
  for (double log : logs)
    sum += std::exp(log - most);
  return most + std::log(sum);
}

double EffortProgram::value(llvm::ArrayRef<double> moves) const {
  double value = 0;
  std::vector<double> logs;
  for (const Posynomial &factor : factors) {
    logs.clear();
    for (const Maximum &maximum : factor) {
      double most = -kInfinity;
      for (const Roof &roof : maximum)
        most = std::max(most, logOf(roof, moves));
      logs.push_back(most);
    }
    value += logSum(logs);
  }
  return value;
}

double EffortProgram::effort(llvm::ArrayRef<double> moves) const {
  return std::inner_product(moves.begin(), moves.end(), weights.begin(), 0.0);
}

//===----------------------------------------------------------------------===//
// The bound
//===----------------------------------------------------------------------===//

double fadiff::effortBound(const EffortProgram &program,
                           const EffortShares &shares) {
  // What the moves have to give, and what each gives per unit.
  double wanted = -program.goal;
  std::vector<double> gives(program.weights.size(), 0.0);
  for (auto [factor, byMaximum] : llvm::zip_equal(program.factors, shares)) {
    double total = 0;
    for (const std::vector<double> &byRoof : byMaximum)
      total += std::accumulate(byRoof.begin(), byRoof.end(), 0.0);
    if (!(total > 0) || !std::isfinite(total))
      return 0;
    for (auto [maximum, byRoof] : llvm::zip_equal(factor, byMaximum)) {
      double ofMaximum = 0;
      for (auto [roof, own] : llvm::zip_equal(maximum, byRoof)) {
        const double share = own / total;
        if (!(share > 0)) // says nothing
          continue;
        ofMaximum += share;
        wanted += share * roof.log;
        for (auto [number, slope] : roof.slopes)
          gives[number] += share * slope;
      }
      if (ofMaximum > 0)
        wanted -= ofMaximum * std::log(ofMaximum);
    }
  }
  if (std::isnan(wanted))
    return 0;
  std::vector<unsigned> order(gives.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return program.weights[a] * gives[b] < program.weights[b] * gives[a];
  });
  // What rounding leaves is nothing.
  const double least = 1e-12 * (1 + std::fabs(wanted));
  double effort = 0;
  for (unsigned number : order) {
    if (!(wanted > least))
      return effort;
    if (!(gives[number] > 0))
      continue;
    const double move = std::min(program.most[number], wanted / gives[number]);
    effort += move * program.weights[number];
    wanted -= move * gives[number];
  }
  return wanted > least ? kInfinity : effort;
}

//===----------------------------------------------------------------------===//
// The solver
//===----------------------------------------------------------------------===//

namespace {
/// The program with (sum of roof^sharpness)^(1 / sharpness), which is not below
/// the maximum, in its place.
class Solver {
public:
  explicit Solver(const EffortProgram &program) : program(program) {}

  EffortSolution solve();

private:
  unsigned size() const { return unsigned(program.weights.size()); }
  /// The soft value less the goal, its slopes by the moves where `slopes` is
  /// not null, and its shares, of which the bound is kept if it is the best.
  double soft(llvm::ArrayRef<double> moves, double *slopes);
  /// Moves that just reach the goal, from some that may not.
  std::vector<double> repaired(std::vector<double> moves) const;
  void keep(std::vector<double> moves);
  void descend(std::vector<double> &moves);

  static double objective(unsigned n, const double *moves, double *slopes,
                          void *self);
  static double constraint(unsigned n, const double *moves, double *slopes,
                           void *self);

  const EffortProgram &program;
  double sharpness = 1;
  EffortSolution best;
  std::vector<double> most; ///< no best moves are above
};
} // namespace

double Solver::soft(llvm::ArrayRef<double> moves, double *slopes) {
  double value = -program.goal;
  if (slopes)
    std::fill(slopes, slopes + size(), 0.0);
  EffortShares shares;
  std::vector<double> logs, sharp;
  for (const Posynomial &factor : program.factors) {
    logs.clear();
    auto &byMaximum = shares.emplace_back();
    for (const Maximum &maximum : factor) {
      sharp.clear();
      for (const Roof &roof : maximum)
        sharp.push_back(sharpness * logOf(roof, moves));
      const double sum = logSum(sharp);
      logs.push_back(sum / sharpness);
      auto &byRoof = byMaximum.emplace_back();
      for (double log : sharp)
        byRoof.push_back(std::exp(log - sum));
    }
    const double sum = logSum(logs);
    value += sum;
    for (auto [maximum, log, byRoof] :
         llvm::zip_equal(factor, logs, byMaximum)) {
      const double share = std::exp(log - sum);
      for (auto [roof, own] : llvm::zip_equal(maximum, byRoof)) {
        own *= share;
        if (slopes)
          for (auto [number, slope] : roof.slopes)
            slopes[number] -= own * slope;
      }
    }
  }
  const double bound = effortBound(program, shares);
  if (bound > best.bound && std::isfinite(bound)) {
    best.bound = bound;
    best.shares = std::move(shares);
  }
  return value;
}

double Solver::objective(unsigned n, const double *moves, double *slopes,
                         void *self) {
  const EffortProgram &program = static_cast<Solver *>(self)->program;
  if (slopes)
    llvm::copy(program.weights, slopes);
  return program.effort(llvm::ArrayRef(moves, n));
}

double Solver::constraint(unsigned n, const double *moves, double *slopes,
                          void *self) {
  return static_cast<Solver *>(self)->soft(llvm::ArrayRef(moves, n), slopes);
}

/// The least part from 0 to 1 for which `reaches`, which holds from some part
/// on, and for 1.
static double leastPart(llvm::function_ref<bool(double)> reaches) {
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (reaches(middle) ? high : low) = middle;
  }
  return high;
}

std::vector<double> Solver::repaired(std::vector<double> moves) const {
  auto reaches = [&](llvm::ArrayRef<double> candidate) {
    return program.value(candidate) <= program.goal;
  };
  auto scaled = [&](double by) {
    std::vector<double> result = moves;
    for (auto [move, limit] : llvm::zip_equal(result, program.most))
      move = std::min(limit, move * by);
    return result;
  };
  auto towardsMost = [&](double part) {
    std::vector<double> result = moves;
    for (auto [move, limit] : llvm::zip_equal(result, program.most))
      move += part * (limit - move);
    return result;
  };
  for (auto [move, limit] : llvm::zip_equal(moves, program.most))
    move = std::clamp(std::isfinite(move) ? move : 0.0, 0.0, limit);
  for (double by : {1.0, 1.01, 2.0})
    if (reaches(scaled(by)))
      return scaled(by * leastPart([&](double part) {
                      return reaches(scaled(by * part));
                    }));
  return towardsMost(
      leastPart([&](double part) { return reaches(towardsMost(part)); }));
}

void Solver::keep(std::vector<double> moves) {
  moves = repaired(std::move(moves));
  const double effort = program.effort(moves);
  if (program.value(moves) <= program.goal && effort < best.effort) {
    best.effort = effort;
    best.moves = std::move(moves);
  }
}

void Solver::descend(std::vector<double> &moves) {
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> opt(
      nlopt_create(NLOPT_LD_MMA, size()), nlopt_destroy);
  nlopt_set_lower_bounds1(opt.get(), 0);
  nlopt_set_upper_bounds(opt.get(), most.data());
  nlopt_set_min_objective(opt.get(), objective, this);
  nlopt_add_inequality_constraint(opt.get(), constraint, this, 1e-10);
  nlopt_set_xtol_rel(opt.get(), 1e-10);
  nlopt_set_maxeval(opt.get(), 1000);
  double effort;
  // Whatever it says: what it has reached is judged apart.
  nlopt_optimize(opt.get(), moves.data(), &effort);
}

EffortSolution Solver::solve() {
  best.moves.assign(size(), 0.0);
  best.isReachable = true;
  if (program.value(best.moves) <= program.goal)
    return best;
  if (program.value(program.most) > program.goal) {
    best.moves = program.most;
    best.effort = program.effort(best.moves);
    best.isReachable = false;
    return best;
  }
  // All alike, as far as they may: no best move takes more than that does.
  best.effort = kInfinity;
  keep(program.most);
  keep(std::vector<double>(size(), 1.0));
  std::vector<double> moves = best.moves;
  for (sharpness = 4; sharpness < 1e6; sharpness *= 4) {
    most.clear();
    for (auto [limit, weight] : llvm::zip_equal(program.most, program.weights))
      most.push_back(std::min(limit, best.effort / weight));
    for (auto [move, limit] : llvm::zip_equal(moves, most))
      move = std::clamp(std::isfinite(move) ? move : 0.0, 0.0, limit);
    descend(moves);
    keep(moves);
    // What hardly moves need not.
    std::vector<double> fewer = moves;
    for (double &move : fewer)
      if (move < 1e-5)
        move = 0;
    keep(std::move(fewer));
    if (best.effort - best.bound < 1e-7 * best.effort)
      break;
  }
  return best;
}

EffortSolution fadiff::leastEffort(const EffortProgram &program) {
  EffortSolution solution = Solver(program).solve();
  // Both are right but for rounding.
  solution.bound = std::min(solution.bound, solution.effort);
  return solution;
}
