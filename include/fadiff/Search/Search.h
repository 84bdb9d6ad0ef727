//===- Search.h - Mapping and fusion search ---------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gradient search over relaxed mappings and fusion, decoded with capacity in
// view and finished by a discrete hill climb on the exact cost. docs/Search.md.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SEARCH_SEARCH_H
#define FADIFF_SEARCH_SEARCH_H

#include "fadiff/CostModel/CostFunction.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <functional>
#include <string>
#include <vector>

namespace fadiff {

enum class Objective : uint8_t { Edp, Energy, Latency };

/// Where a running search is.
struct Progress {
  /// "start", "gradient", "polish" or "fusion".
  const char *phase = "";
  unsigned done = 0, total = 0; ///< within the phase
  double energy = 0;            ///< pJ, of the best schedule so far
  double cycles = 0;
  uint64_t evaluations = 0;
  double seconds = 0;
};

struct SearchOptions {
  Objective objective = Objective::Edp;
  Convention convention = Convention::Machine;
  /// A cost of somebody else's in place of the built-in model; must outlive the
  /// search. `convention` is then not looked at.
  const CostFunction *cost = nullptr;
  uint64_t seed = 0;
  /// Seconds after which the best so far is returned; 0 for no limit. A limit
  /// that strikes makes the result depend on the machine's speed.
  double timeLimit = 0;
  /// Gradient descents per network, and Adam steps of each. The first start
  /// fills the buffers; the others are random.
  unsigned starts = 8;
  unsigned steps = 200;
  /// Whether to look for fusion groups at all.
  bool fuse = true;

  /// Annealing of the Gumbel-softmax temperature, geometric from first to last.
  double temperatureFirst = 2.0;
  double temperatureLast = 0.1;
  /// Sharpness alpha of the divisor logits, -alpha * (x - log d)^2.
  double divisorSharpness = 2.0;
  /// Temperature of the soft minimum over loop orders (of log cost).
  double orderTemperature = 0.2;
  /// Weight of the relative violations against the log objective.
  double penalty = 4.0;
  /// Adam in log space.
  double learningRate = 0.08;
  double adamBeta1 = 0.9;
  double adamBeta2 = 0.99;
  /// Sweeps of the hill climb before it gives up improving further.
  unsigned polishSweeps = 60;
  /// Climbs from random changes of the best, per distinct layer.
  unsigned restarts = 48;

  std::function<void(const Progress &)> progress;
  /// Set it from another thread to have the best so far returned soon.
  const std::atomic<bool> *stop = nullptr;
};

/// What became of an edge of the network.
struct EdgeDecision {
  unsigned edge = 0; ///< index into Network::edges
  bool fused = false;
  /// The relaxed fusion variable where the best descent ended; 0 if the edge
  /// was never a variable.
  double sigma = 0;
  /// Why it was not fused; empty if it was.
  std::string reason;
};

struct SearchResult {
  Schedule schedule; ///< passes verify()
  ScheduleCost cost;
  std::vector<EdgeDecision> edges; ///< one per edge of the network
  uint64_t seed = 0;
  uint64_t evaluations = 0; ///< of the cost model, relaxed ones included
  double seconds = 0;
  /// The same network with no fusion, for comparison.
  double unfusedEnergy = 0, unfusedCycles = 0;
};

/// Finds a schedule for `network` on `target`. Same input, options and seed
/// give the same result (unless a time limit or a stop strikes). Fails if a
/// layer has no legal mapping at all; the error names the layer, the capacity,
/// what was wanted and what was found.
llvm::Expected<SearchResult> search(const Network &network,
                                    const Accelerator &target,
                                    const SearchOptions &options = {});

} // namespace fadiff

#endif // FADIFF_SEARCH_SEARCH_H
