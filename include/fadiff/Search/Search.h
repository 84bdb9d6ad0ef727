//===- Search.h - Mapping and fusion search ---------------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gradient search over relaxed mappings and fusion, decoded with capacity in
// view and finished exactly; and the optimisers that it is compared with.
// docs/Search.md.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SEARCH_SEARCH_H
#define FADIFF_SEARCH_SEARCH_H

#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/Schedule/MatmulLoop.h"
#include "fadiff/Search/Space.h"
#include "fadiff/Support/Names.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fadiff {

class SearchCache;
namespace exact {
class GroupMemory;
}

enum class Objective : uint8_t { Edp, Energy, Latency };
/// What is minimised, of pJ and cycles: uJ * cycles, pJ or cycles.
inline double objectiveValue(Objective objective, double energy,
                             double cycles) {
  return objective == Objective::Edp      ? energy * 1e-6 * cycles
         : objective == Objective::Energy ? energy
                                          : cycles;
}

/// What a schedule as a whole has to keep beside its objective: a limit of its
/// predicted energy or latency.
struct Constraint {
  enum class Unit : uint8_t { PicoJoules, Cycles, Seconds };

  Unit unit = Unit::Cycles; ///< energy, or latency
  double most = 0;          ///< in this unit
  std::string text;         ///< as it was written

  bool limitsEnergy() const { return unit == Unit::PicoJoules; }
  /// `most` as pJ or cycles of `target`. Fails if it is a time and the machine
  /// has no clock; the error names the field that is missing.
  llvm::Expected<double> limitOn(const Accelerator &target) const;
};

/// Reads "latency<5ms" or "energy<=2 mJ": energy in pJ, nJ, uJ, mJ or J,
/// latency in cycles, ns, us, ms or s. `<` is below, `<=` at most. The error
/// says what was wanted.
llvm::Expected<Constraint> parseConstraint(llvm::StringRef text);

/// How to search. All share the problem, the cost, the rules of legality, and
/// all but Dosa the search for fusion groups; docs/Search.md describes each.
enum class Optimizer : uint8_t {
  Fadiff,    ///< enumeration, and gradients for what it leaves
  Gradient,  ///< gradients and hill climbs, nothing enumerated
  Dosa,      ///< layer-wise gradients over continuous factors, no fusion
  Ga,        ///< genetic algorithm per layer
  Bo,        ///< Bayesian optimisation per layer
  HillClimb, ///< hill climbs from the heuristic and from random mappings
  Random,    ///< random mappings
  Heuristic, ///< Gemmini's own tile rule, nothing else
  Exact,     ///< enumeration, of groups too (docs/ExactBound.md)
};

/// What becomes of random mappings that do not fit the machine; of Random.
enum class Misfits : uint8_t {
  /// Made smaller until they do. A mapping by a rule of thumb is tried first.
  Repaired,
  Failed,  ///< they count as evaluations and are nothing else
  Redrawn, ///< others are drawn in their place, ten times as many at most
};

/// What may share a fusion group.
enum class Fuse : uint8_t {
  Off,    ///< every layer is alone
  Chains, ///< chains of layers
  On,     ///< side branches that make a residual of a chain, too
};

// How these are called (Names.h).
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Objective) {
  static constexpr llvm::StringLiteral names[] = {"edp", "energy", "latency"};
  return names;
}
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Optimizer) {
  static constexpr llvm::StringLiteral names[] = {
      "fadiff",    "gradient", "dosa",      "ga",   "bo",
      "hillclimb", "random",   "heuristic", "exact"};
  return names;
}
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Misfits) {
  static constexpr llvm::StringLiteral names[] = {"repaired", "failed",
                                                  "redrawn"};
  return names;
}
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Fuse) {
  static constexpr llvm::StringLiteral names[] = {"off", "chains", "on"};
  return names;
}

/// Where a running search is.
struct Progress {
  /// "start", "gradient", "polish", "exact" or "fusion"; "layers" for the
  /// optimisers that work layer by layer.
  const char *phase = "";
  unsigned done = 0, total = 0; ///< within the phase
  double energy = 0;            ///< pJ, of the best schedule so far
  double cycles = 0;
  uint64_t evaluations = 0;
  double seconds = 0;
};

/// Descents over the relaxed problem: Fadiff's, and what Dosa does not set
/// itself.
struct GradientOptions {
  /// Descents per network, and Adam steps of each. The first start fills the
  /// buffers; the others are random.
  unsigned starts = 4;
  unsigned steps = 200;
  /// Points of a descent that are decoded besides the last: every so many
  /// steps; 0 for none.
  unsigned snapshotEvery = 5;
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
  double learningRate = 0.25;
  double adamBeta1 = 0.9;
  double adamBeta2 = 0.99;
};

/// Enumeration, of Fadiff; Exact enumerates whatever it takes.
struct ClosureOptions {
  /// Calls of the cost model after which the enumeration of a layer stops; what
  /// it has not looked at yet enters the bound as where a time limit strikes,
  /// but does not depend on the machine's speed: so many take about a second.
  /// 0: nothing is enumerated, groups neither.
  double mostEvaluations = 1e6;
};

/// Hill climbs: of HillClimb, of groups that are searched, and of Fadiff where
/// layers are not enumerated.
struct ClimbOptions {
  /// Sweeps before a climb gives up improving further; 0 for no climb.
  unsigned sweeps = 60;
  /// Of Fadiff: climbs from random changes of the best, per distinct layer.
  unsigned restarts = 96;
};

struct DosaOptions {
  /// Descents and steps, and after how many of them it rounds.
  unsigned starts = 7;
  unsigned steps = 1490;
  unsigned roundEvery = 500;
  double learningRate = 0.005;
};

/// The genetic algorithm's population, size of a tournament, and chances.
struct GeneticOptions {
  unsigned population = 64;
  unsigned tournament = 2;
  double crossoverRate = 0.9;
  double mutationRate = 0.6;
};

struct BayesianOptions {
  /// In place of SearchOptions::evaluationsPerLayer: its steps take far longer.
  uint64_t evaluationsPerLayer = 400;
  /// Random points first, points kept in the Gaussian process (its cost grows
  /// with their square), candidates of each step.
  unsigned initial = 32;
  unsigned points = 256;
  unsigned candidates = 256;
};

/// Random changes of groups, tiles and mappings that are tried.
struct RandomChanges {
  /// Fewer where a group has more than eight members, by as much as it has
  /// more.
  uint64_t count = 0;
  /// How much worse, as a logarithm of the objective, one may be at first.
  double temperature = 0;
  /// The same of the cost's quick form, beyond which the whole is not asked
  /// for.
  double doubt = 0;
  /// Commands that walks of streams may go through for it, in thousands; 0 for
  /// no limit.
  uint64_t commands = 0;
};

/// Of Fadiff with Latency::Streams, behind its climbs.
struct StreamsOptions {
  /// Of the whole network, by quick costs.
  RandomChanges whole{20000, 0.003, 0};
  /// Of one group after the other, behind that: per layer, of tiled groups at
  /// least for four, and of the group's own objective.
  RandomChanges own{400, 0.03, 0.02, 200};
  /// Networks of at most so many distinct layers are changed by whole costs
  /// throughout, unless the objective has no time in it: with these in place of
  /// the former.
  size_t fewLayers = 8;
  RandomChanges wholeOfFew{20000, 0.03, 0.3, 4000};
  RandomChanges ownOfFew{2000, 0.1, 0.1, 200};
};

struct SearchOptions {
  Objective objective = Objective::Edp;
  /// The best schedule that keeps it is returned; search() fails if none is
  /// found, with the best value that was.
  std::optional<Constraint> constraint;
  Convention convention = Convention::Machine;
  /// Of the built-in model. Nothing can be enumerated by Streams: Fadiff goes
  /// on from what it finds by Roofline, whose bound holds for it, too.
  Latency latency = Latency::Roofline;
  /// Of fusion groups, in Timeloop's counts.
  GroupOverlap overlap = GroupOverlap::Layer;
  /// A cost of somebody else's in place of the built-in model; must outlive the
  /// search. `convention`, `latency` and `overlap` are then not looked at. With
  /// `threads` above 1 its functions are called from several threads.
  const CostFunction *cost = nullptr;
  /// What distinguishes `cost` from every other function in the cache; without
  /// a name its results are not kept.
  std::string costName;
  /// Where results are looked up and kept; null for nowhere. A result from
  /// there is the same but for `seconds` and `trace`.
  SearchCache *cache = nullptr;
  /// Of searches that belong together (Packing.h); null for none. The result
  /// does not depend on it.
  std::shared_ptr<exact::GroupMemory> memory;
  Optimizer optimizer = Optimizer::Fadiff;
  uint64_t seed = 0;
  /// Seconds after which the best so far is returned; 0 for no limit. A limit
  /// that strikes makes the result depend on the machine's speed.
  double timeLimit = 0;
  /// Calls of the cost model after which the best so far is returned; 0 for no
  /// limit. The step that is under way is finished. Enumeration is not counted.
  uint64_t maxEvaluations = 0;
  /// Ga, HillClimb and Random stop after this many evaluations per distinct
  /// layer if there is no other limit.
  uint64_t evaluationsPerLayer = 20000;
  Misfits misfits = Misfits::Repaired; ///< of Random
  /// Threads to use, at least 1. The result does not depend on it.
  unsigned threads = 1;
  Fuse fuse = Fuse::On;
  /// Which layers alone the machine's loop unit runs. Mappings are judged
  /// without it.
  LoopUnitUse loopUnit = LoopUnitUse::Auto;
  /// What the core does counts in cycles: pooling, which goes on chip where
  /// that is better in all, and `coreCycles`, the same for every schedule.
  bool countCore = false;
  double coreCycles = 0;
  SearchSpace space;
  /// What is decided already: the layers of its groups keep these groups and
  /// these mappings, and count in every total and bound. A layer in none of the
  /// groups is searched, whatever its mapping here; without groups all are. If
  /// there are groups there is a mapping per layer of the network.
  Schedule given;

  GradientOptions gradient;
  ClosureOptions closure;
  ClimbOptions climb;
  DosaOptions dosa;
  GeneticOptions genetic;
  BayesianOptions bayesian;
  StreamsOptions streams;

  std::function<void(const Progress &)> progress;
  /// Set it from another thread or a signal handler to have the best so far
  /// returned soon.
  const std::atomic<bool> *stop = nullptr;
};

/// Another choice, with all else as it is.
struct Alternative {
  std::string what; ///< groups by names of layers, or a mapping as in the IR
  /// Of the layers that are chosen about, each once (pJ, cycles).
  double energy = 0, cycles = 0;
  /// The objective of the whole network, in parts of what was found. Not below
  /// 1, unless something that was demanded stands against it.
  double ratio = 1;
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
  /// The groups of its two layers, and what they cost (pJ, cycles), before ties
  /// are broken; empty where no group could have the edge.
  std::string grouping;
  double energy = 0, cycles = 0;
  /// For an edge that is not fused the pair as a group and their fellows alone,
  /// for one that is all of its group alone; none if that is not known or does
  /// not fit.
  std::optional<Alternative> other;
  /// Whether other layers of a chain stand between its two, so that they are no
  /// pair to be tried.
  bool isAcross = false;
};

/// The best schedule at some moment.
struct TracePoint {
  double seconds = 0;
  uint64_t evaluations = 0;
  double energy = 0, cycles = 0;
};

/// Why a search ended.
enum class Ended : uint8_t { Done, TimeLimit, MaxEvaluations, Stopped };
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(Ended) {
  static constexpr llvm::StringLiteral names[] = {
      "done", "time limit", "evaluation limit", "stopped"};
  return names;
}

/// Objectives of a search by streams: the bound, as its enumeration leaves it,
/// as climbs by quick costs do, and as changes behind those do, as far as it
/// went.
struct SearchStages {
  std::optional<double> bound, enumerated, climbed, annealed;
};

struct SearchResult {
  Schedule schedule; ///< passes verify()
  ScheduleCost cost;
  std::vector<EdgeDecision> edges; ///< one per edge of the network
  /// Per layer that is not given the next best mapping for the network, with
  /// all else as it is: of those that are one step of a climb away from the
  /// chosen one, and for a layer alone of those that the search has kept.
  std::vector<std::optional<Alternative>> runnersUp;
  std::optional<Constraint> constraint;
  Optimizer optimizer = Optimizer::Fadiff;
  Objective objective = Objective::Edp;
  SearchSpace space;
  Fuse fuse = Fuse::On;
  uint64_t seed = 0;
  /// Of the cost model, relaxed ones included; those of enumeration apart.
  uint64_t evaluations = 0;
  uint64_t enumerated = 0;
  double seconds = 0;
  unsigned startsRun = 0;      ///< descents
  unsigned restartsRun = 0;    ///< climbs or populations begun anew
  unsigned distinctLayers = 0; ///< of those that are searched
  unsigned exactLayers = 0;    ///< of those, finished by enumeration
  /// Layers of SearchOptions::given, and what they cost (pJ, cycles): a part of
  /// every total here.
  unsigned givenLayers = 0;
  double givenEnergy = 0, givenCycles = 0;
  Ended ended = Ended::Done;
  bool cached = false; ///< taken from the cache, not searched
  /// The same network with no fusion but that of given groups, for comparison.
  double unfusedEnergy = 0, unfusedCycles = 0;
  /// What no schedule in `space` without fusion (or with as much as `fuse`
  /// says) that verify() accepts and that keeps what is given can get below, in
  /// the units of `value`; absent where it was not computed
  /// (docs/ExactBound.md, "Limits").
  std::optional<double> unfusedBound, bound;
  SearchStages stages;
  /// The best so far whenever it got better.
  std::vector<TracePoint> trace;

  /// The objective: uJ * cycles, pJ or cycles.
  double value() const { return value(cost.energy, cost.cycles); }
  double unfusedValue() const { return value(unfusedEnergy, unfusedCycles); }
  double value(double energy, double cycles) const {
    return objectiveValue(objective, energy, cycles);
  }
};

/// Edge::mustFuse of an edge cannot be had.
class MustFuseError : public llvm::ErrorInfo<MustFuseError> {
public:
  static char ID;
  MustFuseError(unsigned edge, std::string text)
      : edge(edge), text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  const unsigned edge; ///< index into Network::edges
  const std::string text;
};

/// Finds a schedule for `network` on `target`. Same input, options and seed
/// give the same result (unless a time limit or a stop strikes). Fails if a
/// layer has no legal mapping at all, or if what is given is not legal; the
/// error names the layer, the capacity, what was wanted and what was found. A
/// MustFuseError comes before anything is searched where no group could have
/// the edge, else afterwards.
llvm::Expected<SearchResult> search(const Network &network,
                                    const Accelerator &target,
                                    const SearchOptions &options = {});

} // namespace fadiff

#endif // FADIFF_SEARCH_SEARCH_H
