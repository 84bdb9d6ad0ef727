//===- Summary.cpp - A search in words ------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Summary.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace fadiff;
using llvm::formatv;
namespace json = llvm::json;

static std::optional<double> gapOf(double value, std::optional<double> bound) {
  if (!bound || !(*bound > 0))
    return std::nullopt;
  const double gap = value / *bound - 1;
  if (std::fabs(gap) < 1e-12)
    return 0;
  return gap > 0 ? std::optional<double>(gap) : std::nullopt;
}

std::optional<double> Summary::gap() const {
  return gapOf(result.value(), result.bound);
}
std::optional<double> Summary::unfusedGap() const {
  return gapOf(result.unfusedValue(), result.unfusedBound);
}

static const char *unitOf(Objective objective) {
  switch (objective) {
  case Objective::Edp:
    return "uJ*cycles";
  case Objective::Energy:
    return "pJ";
  case Objective::Latency:
    return "cycles";
  }
  return "";
}

/// The schedules that were looked at, and that a bound is one of.
static std::string spaceOf(const SearchResult &result) {
  const SearchSpace &space = result.space;
  std::string text =
      formatv("space: uneven-tiles={0}, block-diagonal={1}",
              nameOf(space.unevenTiles ? Switch::On : Switch::Off),
              nameOf(space.blockDiagonal ? Switch::On : Switch::Off));
  if (result.fuse != Fuse::On)
    text += ", fuse=" + nameOf(result.fuse).str();
  return text;
}

std::string fadiff::inParts(const Alternative &other, double energy,
                            double cycles, Objective objective) {
  return formatv("energy x {0:f4}, cycles x {1:f4}, {2} of the network x "
                 "{3:f6}",
                 other.energy / energy, other.cycles / cycles,
                 nameOf(objective), other.ratio);
}

std::string Summary::reasonText(const EdgeDecision &decision) const {
  if (!decision.fused)
    return decision.reason;
  if (!decision.other)
    return "given";
  return formatv("{0} {1:f3} uJ and {2:f0} cycles; {3} {4}", decision.grouping,
                 decision.energy * 1e-6, decision.cycles, decision.other->what,
                 inParts(*decision.other, decision.energy, decision.cycles,
                         result.objective));
}

std::vector<std::pair<double, double>> Summary::costs() const {
  std::vector<std::pair<double, double>> all(network.layers.size());
  for (auto [group, cost] :
       llvm::zip(result.schedule.groups, result.cost.groups))
    for (auto [layer, own] : llvm::zip(group.layers, cost.members))
      all[layer] = {own.energy, own.cycles};
  return all;
}

std::string Summary::runnerUpText(unsigned layer) const {
  if (layer >= result.runnersUp.size() || !result.runnersUp[layer])
    return "";
  const Alternative &other = *result.runnersUp[layer];
  const auto [energy, cycles] = costs()[layer];
  return "runner-up " + other.what + ": " +
         inParts(other, energy, cycles, result.objective);
}

void Summary::print(llvm::raw_ostream &os) const {
  os << formatv("best {0}: {1:e5} {2} ({3:f3} uJ, {4:f0} cycles), optimizer "
                "{5}, seed {6}\n",
                nameOf(result.objective), result.value(),
                unitOf(result.objective), result.cost.energy * 1e-6,
                result.cost.cycles, nameOf(result.optimizer), result.seed);
  if (result.constraint)
    os << "constraint: " << result.constraint->text << '\n';
  os << spaceOf(result) << '\n';
  if (result.cost.coreCycles > 0)
    os << formatv("of these {0:f0} cycles of the core ({1:f1} %)\n",
                  result.cost.coreCycles,
                  result.cost.coreCycles / result.cost.cycles * 100);
  if (result.givenLayers > 0)
    os << formatv("given: {0} of {1} layers, {2:f3} uJ and {3:f0} cycles of "
                  "every total here\n",
                  result.givenLayers, network.layers.size(),
                  result.givenEnergy * 1e-6, result.givenCycles);
  auto bound = [&](const char *what, std::optional<double> bound,
                   std::optional<double> gap) {
    os << what;
    if (gap)
      os << formatv(": {0:e5}, gap {1:f4} %\n", *bound, *gap * 100);
    else
      os << ": none, the distance from the optimum is not known\n";
  };
  if (result.unfusedEnergy > 0)
    os << formatv("without fusion: {0:e5}\n", result.unfusedValue());
  bound("lower bound without fusion", result.unfusedBound, unfusedGap());
  bound("lower bound", result.bound, gap());
  os << formatv("{0} evaluations, {1} enumerated, {2:f2} s, {3} starts, {4} "
                "restarts, {5} of {6} distinct layers exact; ended: {7}{8}\n",
                result.evaluations, result.enumerated, result.seconds,
                result.startsRun, result.restartsRun, result.exactLayers,
                result.distinctLayers, nameOf(result.ended),
                result.cached ? ", taken from the cache" : "");
  unsigned fused = 0;
  for (const EdgeDecision &decision : result.edges)
    fused += decision.fused;
  os << formatv("{0} of {1} edges fused\n", fused, result.edges.size());
  for (const FusionGroup &group : result.schedule.groups)
    if (group.poolsOutput)
      os << "stored pooled: " << network.layers[group.layers.back()].name
         << '\n';
  llvm::StringSet<> told; // all edges inside of a group have one reason
  for (const EdgeDecision &decision : result.edges) {
    const Edge &edge = network.edges[decision.edge];
    const std::string reason = reasonText(decision);
    if (!decision.fused)
      os << formatv("  {0} -> {1}: {2}\n", network.layers[edge.producer].name,
                    network.layers[edge.consumer].name, reason);
    else if (told.insert(reason).second)
      os << "  fused: " << reason << '\n';
  }
  for (unsigned layer = 0; layer < network.layers.size(); ++layer)
    if (const std::string text = runnerUpText(layer); !text.empty())
      os << formatv("  {0}: {1}\n", network.layers[layer].name, text);
}

void Summary::printLine(llvm::raw_ostream &os) const {
  os << formatv("best {0} {1:e5} {2}", nameOf(result.objective), result.value(),
                unitOf(result.objective));
  if (gap())
    os << formatv(", lower bound {0:e5}, gap {1:f4} %", *result.bound,
                  *gap() * 100);
  else if (unfusedGap())
    os << formatv(", without fusion {0:e5}, whose lower bound is {1:e5}, gap "
                  "{2:f4} %",
                  result.unfusedValue(), *result.unfusedBound,
                  *unfusedGap() * 100);
  else
    os << ", lower bound not known";
  os << formatv("; {0} evaluations, {1} enumerated, {2:f2} s, optimizer {3}, "
                "seed {4}, {5} starts, {6} restarts; ended: {7}{8}",
                result.evaluations, result.enumerated, result.seconds,
                nameOf(result.optimizer), result.seed, result.startsRun,
                result.restartsRun, nameOf(result.ended),
                result.cached ? ", taken from the cache" : "");
  if (result.constraint)
    os << "; constraint " << result.constraint->text;
  if (result.givenLayers > 0)
    os << formatv("; {0} of {1} layers given", result.givenLayers,
                  network.layers.size());
  if (result.space != SearchSpace() || result.fuse != Fuse::On)
    os << "; " << spaceOf(result);
}

json::Object Summary::toJson() const {
  auto orNull = [](std::optional<double> value) {
    return value ? json::Value(*value) : json::Value(nullptr);
  };
  auto toJson = [](const Alternative &other, double energy, double cycles) {
    return json::Object{{"what", other.what},
                        {"energy_pj", other.energy},
                        {"cycles", other.cycles},
                        {"energy_ratio", other.energy / energy},
                        {"cycles_ratio", other.cycles / cycles},
                        {"objective_ratio", other.ratio}};
  };
  json::Array groups, edges, layers, pooled;
  for (const FusionGroup &group : result.schedule.groups) {
    if (group.poolsOutput)
      pooled.push_back(network.layers[group.layers.back()].name);
    json::Array names;
    for (unsigned layer : group.layers)
      names.push_back(network.layers[layer].name);
    groups.push_back(std::move(names));
  }
  for (const EdgeDecision &decision : result.edges) {
    const Edge &edge = network.edges[decision.edge];
    json::Object object{{"producer", network.layers[edge.producer].name},
                        {"consumer", network.layers[edge.consumer].name},
                        {"fused", decision.fused},
                        {"sigma", decision.sigma}};
    if (!decision.fused)
      object["reason"] = decision.reason;
    if (!decision.grouping.empty()) {
      object["grouping"] = decision.grouping;
      object["energy_pj"] = decision.energy;
      object["cycles"] = decision.cycles;
    }
    if (decision.other)
      object["other"] =
          toJson(*decision.other, decision.energy, decision.cycles);
    edges.push_back(std::move(object));
  }
  for (auto [layer, cost] : llvm::enumerate(costs())) {
    json::Object object{{"name", network.layers[layer].name},
                        {"energy_pj", cost.first},
                        {"cycles", cost.second}};
    if (layer < result.runnersUp.size() && result.runnersUp[layer])
      object["runner_up"] =
          toJson(*result.runnersUp[layer], cost.first, cost.second);
    layers.push_back(std::move(object));
  }
  return json::Object{
      {"optimizer", nameOf(result.optimizer)},
      {"objective", nameOf(result.objective)},
      {"unit", unitOf(result.objective)},
      {"constraint", result.constraint ? json::Value(result.constraint->text)
                                       : json::Value(nullptr)},
      {"fuse", nameOf(result.fuse)},
      {"uneven_tiles", result.space.unevenTiles},
      {"block_diagonal", result.space.blockDiagonal},
      {"value", result.value()},
      {"energy_pj", result.cost.energy},
      {"cycles", result.cost.cycles},
      {"core_cycles", result.cost.coreCycles},
      {"dram_bytes", result.cost.dramBytes.total()},
      {"unfused_value", result.unfusedValue()},
      {"lower_bound", orNull(gap() ? result.bound : std::nullopt)},
      {"gap", orNull(gap())},
      {"unfused_lower_bound",
       orNull(unfusedGap() ? result.unfusedBound : std::nullopt)},
      {"unfused_gap", orNull(unfusedGap())},
      {"seed", int64_t(result.seed)},
      {"evaluations", int64_t(result.evaluations)},
      {"enumerated", int64_t(result.enumerated)},
      {"seconds", result.seconds},
      {"starts", int64_t(result.startsRun)},
      {"restarts", int64_t(result.restartsRun)},
      {"given_layers", int64_t(result.givenLayers)},
      {"given_energy_pj", result.givenEnergy},
      {"given_cycles", result.givenCycles},
      {"distinct_layers", int64_t(result.distinctLayers)},
      {"exact_layers", int64_t(result.exactLayers)},
      {"ended", nameOf(result.ended)},
      {"cached", result.cached},
      {"groups", std::move(groups)},
      {"stored_pooled", std::move(pooled)},
      {"edges", std::move(edges)},
      {"layers", std::move(layers)},
  };
}
