//===- Search.cpp - Mapping and fusion search -----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Search.h"

#include "Fusion.h"
#include "Relaxation.h"

#include "fadiff/Search/Baselines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <map>

using namespace fadiff;

namespace {

/// What makes two layers the same problem: everything but the name.
std::vector<int64_t> contentOf(const Layer &layer) {
  std::vector<int64_t> key;
  for (Dim dim : kAllDims)
    key.push_back(layer.dims[dim]);
  for (Axis axis : kAllAxes)
    key.insert(key.end(), {layer.stride[axis], layer.dilation[axis],
                           layer.padLow[axis], layer.inputExtent[axis]});
  key.insert(key.end(), {layer.hasBias, layer.outputBytes});
  return key;
}

class Searcher {
public:
  Searcher(const Network &network, const Accelerator &target,
           const SearchOptions &options)
      : network(network), target(target), options(options),
        builtIn(createCostFunction(options.convention)),
        cost(options.cost ? *options.cost : *builtIn),
        budget(options.timeLimit, options.stop) {}

  llvm::Expected<SearchResult> run();

private:
  void classify();
  void findUnits();
  llvm::Error startFromHeuristic();
  llvm::Error descendFromStarts();
  void polishForNetwork();
  void restart(unsigned layerClass, const Goal &goal);
  void fuse();
  void report(const char *phase, unsigned done, unsigned total);

  LayerProblem problemOf(unsigned layerClass) const {
    return {network.layers[firstOfClass[layerClass]], target, cost};
  }
  void add(unsigned layerClass, const Mapping &start);
  const Candidate &chosenFor(unsigned layer) const {
    return chosen[classOf[layer]];
  }
  void chooseBest(const Goal &goal);
  std::pair<double, double> totals() const;

  const Network &network;
  const Accelerator &target;
  const SearchOptions &options;
  std::unique_ptr<CostFunction> builtIn;
  const CostFunction &cost;
  Budget budget;

  std::vector<unsigned> classOf;      ///< per layer
  std::vector<unsigned> firstOfClass; ///< a layer of the class
  std::vector<double> classCount;
  std::vector<std::vector<Candidate>> pool; ///< per class, all polished
  std::vector<Candidate> chosen;            ///< per class

  std::vector<Unit> units;
  std::vector<unsigned> unitOf; ///< per chain of the network
  std::vector<std::vector<unsigned>> chains;
  std::vector<std::string> edgeReasons; ///< why an edge is no variable
  std::vector<std::vector<double>> sigma;
  double bestLoss = 0;

  SearchResult result;
};

} // namespace

void Searcher::report(const char *phase, unsigned done, unsigned total) {
  if (!options.progress)
    return;
  Progress progress;
  progress.phase = phase;
  progress.done = done;
  progress.total = total;
  if (!chosen.empty())
    std::tie(progress.energy, progress.cycles) = totals();
  progress.evaluations = budget.evaluations;
  progress.seconds = budget.seconds();
  options.progress(progress);
}

/// Identical layers are one problem.
void Searcher::classify() {
  std::map<std::vector<int64_t>, unsigned> classes;
  for (auto [index, layer] : llvm::enumerate(network.layers)) {
    auto [it, isNew] =
        classes.insert({contentOf(layer), unsigned(firstOfClass.size())});
    if (isNew) {
      firstOfClass.push_back(unsigned(index));
      classCount.push_back(0);
    }
    classOf.push_back(it->second);
    classCount[it->second] += 1;
  }
  pool.resize(firstOfClass.size());
}

/// Maximal chains of fusible edges; identical chains are one unit.
void Searcher::findUnits() {
  const size_t n = network.layers.size();
  std::vector<int> next(n, -1);
  std::vector<bool> hasPrevious(n, false);
  edgeReasons.resize(network.edges.size());
  for (auto [index, edge] : llvm::enumerate(network.edges)) {
    if (!options.fuse) {
      edgeReasons[index] = "fusion was not asked for";
      continue;
    }
    if (llvm::Error error =
            verifyFusible(network, edge.producer, edge.consumer, target)) {
      edgeReasons[index] = llvm::toString(std::move(error));
      continue;
    }
    if (hasPrevious[edge.consumer]) {
      edgeReasons[index] = "layer '" + network.layers[edge.consumer].name +
                           "' already has another producer";
      continue;
    }
    next[edge.producer] = int(edge.consumer);
    hasPrevious[edge.consumer] = true;
  }
  std::map<std::vector<unsigned>, unsigned> known;
  for (unsigned layer = 0; layer < n; ++layer) {
    if (hasPrevious[layer])
      continue;
    std::vector<unsigned> chain, key;
    for (int at = int(layer); at >= 0; at = next[at]) {
      chain.push_back(unsigned(at));
      key.push_back(classOf[at]);
    }
    auto [it, isNew] = known.insert({key, unsigned(units.size())});
    if (isNew)
      units.push_back({chain, 0});
    units[it->second].multiplicity += 1;
    unitOf.push_back(it->second);
    chains.push_back(std::move(chain));
  }
  for (const Unit &unit : units)
    sigma.push_back(std::vector<double>(unit.layers.size() - 1, 0));
}

void Searcher::add(unsigned layerClass, const Mapping &start) {
  LayerProblem problem = problemOf(layerClass);
  Goal goal; // the product first: a maximum alone has wide plateaus
  Candidate candidate =
      polish(problem, start, goal, options.polishSweeps, budget);
  if (options.objective != Objective::Edp) {
    goal.objective = options.objective;
    candidate =
        polish(problem, candidate.mapping, goal, options.polishSweeps, budget);
  }
  // Starts often end in the same place; one copy is enough.
  for (const Candidate &other : pool[layerClass])
    if (other.mapping == candidate.mapping)
      return;
  pool[layerClass].push_back(std::move(candidate));
}

llvm::Error Searcher::startFromHeuristic() {
  for (unsigned c = 0; c < firstOfClass.size(); ++c) {
    LayerProblem problem = problemOf(c);
    auto mapping = heuristicMapping(problem.layer, target);
    if (!mapping)
      return mapping.takeError();
    makeLegal(problem, *mapping);
    add(c, *mapping);
    report("start", c + 1, unsigned(firstOfClass.size()));
  }
  Goal own;
  own.objective = options.objective;
  chooseBest(own);
  return llvm::Error::success();
}

void Searcher::chooseBest(const Goal &goal) {
  chosen.clear();
  for (const std::vector<Candidate> &candidates : pool)
    chosen.push_back(*std::min_element(
        candidates.begin(), candidates.end(),
        [&](const Candidate &a, const Candidate &b) {
          return goal(a.energy, a.cycles) < goal(b.energy, b.cycles);
        }));
}

std::pair<double, double> Searcher::totals() const {
  double energy = 0, cycles = 0;
  for (auto [candidate, count] : llvm::zip(chosen, classCount)) {
    energy += count * candidate.energy;
    cycles += count * candidate.cycles;
  }
  return {energy, cycles};
}

llvm::Error Searcher::descendFromStarts() {
  for (unsigned start = 0; start < options.starts; ++start) {
    if (budget.exhausted())
      break;
    // Every start has its own stream, so the order they run in is free.
    std::seed_seq sequence{uint32_t(options.seed), uint32_t(options.seed >> 32),
                           uint32_t(start)};
    std::mt19937_64 rng(sequence);
    StartPoint point;
    for (const Unit &unit : units) {
      point.emplace_back();
      for (unsigned layer : unit.layers) {
        auto mapping = start == 0
                           ? heuristicMapping(network.layers[layer], target)
                           : randomMapping(network.layers[layer], target, rng);
        if (!mapping)
          return mapping.takeError();
        point.back().push_back(*mapping);
      }
    }
    Descent descent =
        descend(network, units, target, options, point, rng, budget);
    if (start == 0 || descent.loss < bestLoss) {
      bestLoss = descent.loss;
      sigma = descent.sigma;
    }
    report("gradient", start + 1, options.starts);
    std::vector<bool> done(firstOfClass.size(), false);
    for (auto [unit, mappings] : llvm::zip(units, descent.mappings))
      for (auto [layer, relaxed] : llvm::zip(unit.layers, mappings)) {
        unsigned c = classOf[layer];
        if (budget.exhausted())
          return llvm::Error::success();
        if (done[c]) // also in another unit
          continue;
        done[c] = true;
        add(c, decode(problemOf(c), relaxed));
      }
    report("polish", start + 1, options.starts);
  }
  return llvm::Error::success();
}

/// Iterated local search: leave the optimum by a few random changes, climb
/// again, keep what is better.
void Searcher::restart(unsigned layerClass, const Goal &goal) {
  LayerProblem problem = problemOf(layerClass);
  // A stream of its own for every problem.
  std::seed_seq sequence{uint32_t(options.seed), uint32_t(options.seed >> 32),
                         0x9e3779b9u, uint32_t(layerClass)};
  std::mt19937_64 rng(sequence);
  Candidate &best = chosen[layerClass];
  for (unsigned i = 0; i < options.restarts && !budget.exhausted(); ++i) {
    Candidate next = polish(problem, perturb(problem, best.mapping, rng), goal,
                            options.polishSweeps, budget);
    if (goal(next.energy, next.cycles) < goal(best.energy, best.cycles))
      best = next;
  }
}

/// The network's EDP is not the sum of the layers', so once the totals are
/// known the layers are judged by their share of it.
void Searcher::polishForNetwork() {
  Goal own;
  own.objective = options.objective;
  chooseBest(own);
  auto value = [&] {
    auto [energy, cycles] = totals();
    return own(energy, cycles);
  };
  for (unsigned round = 0; round < 4 && !budget.exhausted(); ++round) {
    double before = value();
    std::vector<Candidate> saved = chosen;
    Goal goal = own;
    std::tie(goal.totalEnergy, goal.totalCycles) = totals();
    chooseBest(goal);
    for (unsigned c = 0; c < firstOfClass.size() && !budget.exhausted(); ++c) {
      chosen[c] = polish(problemOf(c), chosen[c].mapping, goal,
                         options.polishSweeps, budget);
      if (round == 0)
        restart(c, goal);
      pool[c].push_back(chosen[c]);
    }
    if (value() < before)
      continue;
    chosen = std::move(saved);
    break;
  }
}

void Searcher::fuse() {
  Goal goal;
  goal.objective = options.objective;
  std::tie(goal.totalEnergy, goal.totalCycles) = totals();

  struct Segment {
    size_t begin, end; // members [begin, end)
    GroupCandidate candidate;
  };
  struct UnitPlan {
    std::vector<Segment> groups;
    std::map<std::pair<size_t, size_t>, GroupCandidate> tried;
  };
  std::vector<UnitPlan> plans(units.size());

  for (auto [u, unit] : llvm::enumerate(units)) {
    const size_t n = unit.layers.size();
    if (n < 2)
      continue;
    // Groups of two or more, those that the descent liked best first: if time
    // runs out the rest stays unfused.
    std::vector<std::pair<double, std::pair<size_t, size_t>>> spans;
    for (size_t begin = 0; begin < n; ++begin)
      for (size_t end = begin + 2; end <= n && end - begin <= 8; ++end) {
        double liking = 0;
        for (size_t e = begin; e + 1 < end; ++e)
          liking += sigma[u][e];
        spans.push_back({liking / double(end - begin - 1), {begin, end}});
      }
    llvm::sort(spans, [](const auto &a, const auto &b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    for (const auto &[liking, span] : spans) {
      if (budget.exhausted())
        break;
      std::vector<unsigned> layers(unit.layers.begin() + span.first,
                                   unit.layers.begin() + span.second);
      plans[u].tried[span] =
          searchGroup(network, layers, target, cost, goal,
                      options.polishSweeps, budget);
    }
    report("fusion", unsigned(u + 1), unsigned(units.size()));

    // The best partition: shortest path over the cuts.
    std::vector<double> best(n + 1, 0);
    std::vector<size_t> from(n + 1, 0);
    for (size_t end = 1; end <= n; ++end) {
      const Candidate &alone = chosenFor(unit.layers[end - 1]);
      best[end] = best[end - 1] + goal(alone.energy, alone.cycles);
      from[end] = end - 1;
      for (size_t begin = 0; begin + 2 <= end; ++begin) {
        auto it = plans[u].tried.find({begin, end});
        if (it == plans[u].tried.end() || !it->second.found)
          continue;
        double value = best[begin] + goal(it->second.energy, it->second.cycles);
        if (value < best[end]) {
          best[end] = value;
          from[end] = begin;
        }
      }
    }
    for (size_t end = n; end > 0; end = from[end]) {
      Segment segment{from[end], end, {}};
      if (end - from[end] > 1)
        segment.candidate = plans[u].tried[{from[end], end}];
      plans[u].groups.push_back(segment);
    }
    std::reverse(plans[u].groups.begin(), plans[u].groups.end());
  }

  // Write the plans of the units into the network's chains.
  result.schedule.groups.clear();
  std::vector<FusionGroup> groups;
  for (auto [chain, u] : llvm::zip(chains, unitOf)) {
    if (plans[u].groups.empty()) {
      for (unsigned layer : chain)
        groups.push_back({{layer}});
      continue;
    }
    for (const Segment &segment : plans[u].groups) {
      FusionGroup group;
      for (size_t i = segment.begin; i < segment.end; ++i) {
        group.layers.push_back(chain[i]);
        if (segment.candidate.found)
          result.schedule.mappings[chain[i]] =
              segment.candidate.mappings[i - segment.begin];
      }
      groups.push_back(std::move(group));
    }
    for (size_t i = 0; i + 1 < chain.size(); ++i) {
      const unsigned producer = chain[i], consumer = chain[i + 1];
      auto edge = llvm::find_if(network.edges, [&](const Edge &e) {
        return e.producer == producer && e.consumer == consumer;
      });
      EdgeDecision &decision = result.edges[edge - network.edges.begin()];
      decision.sigma = sigma[u][i];
      for (const Segment &segment : plans[u].groups)
        decision.fused |= segment.begin <= i && i + 1 < segment.end;
      if (decision.fused)
        continue;
      auto it = plans[u].tried.find({i, i + 2});
      if (it == plans[u].tried.end())
        decision.reason = "the time limit struck before it was tried";
      else if (!it->second.found)
        decision.reason = "no tile fits: " + it->second.reason;
      else {
        const Candidate &a = chosenFor(chain[i]), &b = chosenFor(chain[i + 1]);
        decision.reason =
            llvm::formatv("not cheaper: fused {0:f3} uJ and {1:f0} cycles, "
                          "apart {2:f3} uJ and {3:f0} cycles",
                          it->second.energy * 1e-6, it->second.cycles,
                          (a.energy + b.energy) * 1e-6, a.cycles + b.cycles)
                .str();
      }
    }
  }
  // Groups in the order of their last layer: every producer comes first.
  llvm::sort(groups, [](const FusionGroup &a, const FusionGroup &b) {
    return a.layers.back() < b.layers.back();
  });
  result.schedule.groups = std::move(groups);
}

llvm::Expected<SearchResult> Searcher::run() {
  for (const Edge &edge : network.edges)
    if (edge.producer >= network.layers.size() ||
        edge.consumer >= network.layers.size())
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(),
          "edge %u -> %u: wanted layer numbers below %zu; fix the network",
          edge.producer, edge.consumer, network.layers.size());
  result.seed = options.seed;
  result.edges.resize(network.edges.size());
  classify();
  findUnits();
  for (auto [index, reason] : llvm::enumerate(edgeReasons)) {
    result.edges[index].edge = unsigned(index);
    result.edges[index].reason = reason;
  }
  if (llvm::Error error = startFromHeuristic())
    return std::move(error);
  if (llvm::Error error = descendFromStarts())
    return std::move(error);
  polishForNetwork();
  std::tie(result.unfusedEnergy, result.unfusedCycles) = totals();

  for (unsigned layer = 0; layer < network.layers.size(); ++layer)
    result.schedule.mappings.push_back(chosenFor(layer).mapping);
  fuse();
  if (llvm::Error error = verify(network, result.schedule, target))
    return std::move(error);
  result.cost = evaluateSchedule(network, result.schedule, target, cost);
  result.cost.convention = options.convention;
  result.evaluations = budget.evaluations;
  result.seconds = budget.seconds();
  return std::move(result);
}

llvm::Expected<SearchResult> fadiff::search(const Network &network,
                                            const Accelerator &target,
                                            const SearchOptions &options) {
  return Searcher(network, target, options).run();
}
