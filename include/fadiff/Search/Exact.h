//===- Exact.h - The best schedule there is, with a proof -------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Enumeration of the mapping space of each layer with safe pruning, and the
// optimum of a network from the layers' lower hulls. docs/ExactBound.md.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SEARCH_EXACT_H
#define FADIFF_SEARCH_EXACT_H

#include "fadiff/Search/Search.h"

#include <limits>
#include <optional>

namespace fadiff {

/// What a tile takes of the scratchpad and the accumulator.
enum class Capacity : uint8_t {
  /// Elements: input window + weights <= scratchpad bytes, outputs <= a quarter
  /// of the accumulator bytes. The window is Timeloop's bounding box, padding
  /// included. Such a schedule need not pass verify().
  Words,
  /// The machine's rows of `side` elements: the rules of verify().
  Rows,
};

struct ExactOptions {
  Objective objective = Objective::Edp;
  /// Timeloop: factors that divide their dim. Machine: tiles of any size.
  Convention convention = Convention::Machine;
  /// Roofline or Issue.
  Latency latency = Latency::Roofline;
  /// By default Words for Timeloop and Rows for Machine.
  std::optional<Capacity> capacity;
  SearchSpace space;
  /// Seconds; 0 for no limit. When it strikes, or `stop` is set, what was not
  /// looked at yet enters the certificate with its bound, or, where that would
  /// take too long, too, as what may cost nothing.
  double timeLimit = 0;
  const std::atomic<bool> *stop = nullptr;
  /// Calls of the cost model for one layer after which the same happens.
  double mostEvaluations = std::numeric_limits<double>::infinity();
  /// Where complete hulls are looked up and kept; null for nowhere.
  SearchCache *cache = nullptr;

  /// Whether factors have to divide.
  bool wantsDivisors() const {
    return convention == Convention::Timeloop || !space.unevenTiles;
  }
  Capacity capacityRule() const {
    if (capacity)
      return *capacity;
    return convention == Convention::Timeloop ? Capacity::Words
                                              : Capacity::Rows;
  }
};

/// A mapping with its exact cost.
struct Candidate {
  Mapping mapping;
  double energy = 0; ///< pJ
  double cycles = 0;
};

/// A corner of what no mapping can get below.
struct BoundPoint {
  double energy = 0;
  double cycles = 0;
};

/// The lower convex hull of (energy, latency) of one layer.
struct LayerHull {
  /// By rising energy and falling latency; never empty. No other mapping, and
  /// no mixture of others, improves on one in both.
  std::vector<Candidate> points;
  /// Lower hull below which nothing lies, in the same order. Equal to `points`
  /// where the enumeration was complete.
  std::vector<BoundPoint> bound;
  uint64_t evaluated = 0; ///< calls of the cost model
  uint64_t pruned = 0;    ///< families of mappings ruled out by one bound
  bool isExact() const;
};

/// Fails if the layer has no legal mapping; the error names layer, capacity,
/// what was wanted and what was found.
llvm::Expected<LayerHull> exactHull(const Layer &layer,
                                    const Accelerator &target,
                                    const ExactOptions &options = {});

struct ExactResult {
  Schedule schedule; ///< passes verify() under Capacity::Rows
  ScheduleCost cost;
  /// The objective: uJ * cycles, pJ or cycles.
  double value = 0;
  /// No schedule of the space has a lower objective. 0 if time was up before
  /// anything could be said.
  double lowerBound = 0;
  /// value / lowerBound - 1; 0 where the enumeration was complete.
  double gap = 0;
  uint64_t evaluated = 0;
  uint64_t pruned = 0;
  double seconds = 0;
};

/// The best schedule of `network`: one mapping per layer, chosen by the lower
/// hulls. Same input, same result. Fails if a layer has no legal mapping, or
/// if an edge names a layer that does not exist.
llvm::Expected<ExactResult> exactSchedule(const Network &network,
                                          const Accelerator &target,
                                          const ExactOptions &options = {});

} // namespace fadiff

#endif // FADIFF_SEARCH_EXACT_H
