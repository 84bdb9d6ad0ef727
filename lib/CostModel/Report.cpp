//===- Report.cpp - Where energy and time go ------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/Report.h"
#include "fadiff/Schedule/GroupTiles.h"

#include "fadiff/Schedule/Turn.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <optional>

using namespace fadiff;

static constexpr const char *kTensorNames[] = {"W", "I", "O"};
static const char *tensorName(Tensor tensor) {
  return kTensorNames[static_cast<size_t>(tensor)];
}

static LayerBreakdown breakDownLayer(const Layer &layer, const LayerCost &cost,
                                     const Accelerator &target) {
  LayerBreakdown result;
  result.name = layer.name;
  result.cost = cost;
  result.arrayEnergy = cost.arrayMacs * target.energyPerMac;
  result.leakedEnergy = cost.cycles * target.leakagePerCycle();
  result.binding = "array";
  double longest = cost.computeCycles;
  for (Level level : kAllLevels) {
    for (Tensor tensor : kAllTensors)
      result.energy[level][tensor] =
          cost.access[level][tensor].total() * target.energyPerAccess[level];
    if (cost.memoryCycles[level] > longest) {
      longest = cost.memoryCycles[level];
      result.binding = levelName(level);
    }
  }
  if (cost.issueCycles > longest)
    result.binding = "issue";
  if (cost.cycles > 0)
    result.utilisation =
        cost.macs / (cost.cycles * double(target.side * target.side));
  return result;
}

ScheduleBreakdown fadiff::breakDown(const Network &network,
                                    const Schedule &schedule,
                                    const Accelerator &target,
                                    const CostFunction &cost) {
  ScheduleBreakdown result;
  result.cost = evaluateSchedule(network, schedule, target, cost);
  for (auto [group, groupCost] :
       llvm::zip(schedule.groups, result.cost.groups)) {
    std::vector<LayerBreakdown> members;
    auto imageOf = [&, &group = group](Dim dim) {
      return group.keeps == Axis::W ? turned(dim) : dim;
    };
    for (size_t i = 0; i < group.layers.size(); ++i) {
      const unsigned index = group.layers[i];
      const Layer &layer = network.layers[index];
      FactorSlopes energy, cycles;
      if (group.isTiled())
        asKeptRows(network, schedule, group,
                   [&](const Network &network, const Schedule &schedule,
                       const FusionGroup &group) {
                     cost.differentiateMember(
                         GroupTiles(network, schedule, group), i,
                         schedule.mappings[index], target, energy, cycles);
                   });
      else
        cost.differentiate(layer, schedule.mappings[index], target, energy,
                           cycles);
      LayerBreakdown member =
          breakDownLayer(layer, groupCost.members[i], target);
      member.trips = layer.trips;
      member.poolsOutput = group.poolsOutput && i + 1 == group.layers.size();
      // log EDP = log E + log L of the sums over all layers.
      auto join = [&](double e, double l) { // of all trips
        return double(layer.trips) *
               (e / result.cost.energy + l / result.cost.cycles);
      };
      for (Level level : kAllLevels)
        for (Dim dim : kAllDims)
          member.edpSlopes.temporal[level][dim] =
              join(energy.temporal[level][imageOf(dim)],
                   cycles.temporal[level][imageOf(dim)]);
      member.edpSlopes.rows = join(energy.rows, cycles.rows);
      member.edpSlopes.cols = join(energy.cols, cycles.cols);
      members.push_back(std::move(member));
    }
    result.groups.push_back(std::move(members));
  }
  return result;
}

/// Calls `visit(name, slope)` for every factor with a slope, outermost first.
template <typename VisitorT>
static void forEachSlope(const FactorSlopes &slopes, VisitorT visit) {
  for (unsigned l = kNumLevels; l-- > 0;)
    for (Dim dim : kAllDims)
      if (double slope = slopes.temporal[kAllLevels[l]][dim])
        visit(llvm::formatv("{0}.{1}", levelName(kAllLevels[l]), dimName(dim))
                  .str(),
              slope);
  if (slopes.rows)
    visit("array.rows", slopes.rows);
  if (slopes.cols)
    visit("array.cols", slopes.cols);
}

void fadiff::printBreakdown(llvm::raw_ostream &os,
                            const ScheduleBreakdown &breakdown, bool slopes) {
  for (const auto &group : breakdown.groups) {
    if (group.size() > 1)
      os << "fusion group of " << group.size() << " layers\n";
    for (const LayerBreakdown &layer : group) {
      os << llvm::formatv(
          "{0}: {1:f3} uJ, {2:f0} cycles, bound by {3}, array used {4:f1} %, "
          "DRAM {5:f0} B read, {6:f0} B written{7}{8}\n",
          layer.name, layer.cost.energy * 1e-6, layer.cost.cycles,
          layer.binding, layer.utilisation * 100, layer.cost.dramBytes.reads(),
          layer.cost.dramBytes.writes(), layer.poolsOutput ? ", pooled" : "",
          layer.trips == 1
              ? ""
              : llvm::formatv("; one run of {0}", layer.trips).str());
      os << llvm::formatv("  {0,-12} {1,12:f3} uJ {2,14} {2,14} {2,14} "
                          "{3,14:f0} cycles\n",
                          "array", layer.arrayEnergy * 1e-6, "",
                          layer.cost.computeCycles);
      if (layer.leakedEnergy > 0)
        os << llvm::formatv("  {0,-12} {1,12:f3} uJ\n", "leakage",
                            layer.leakedEnergy * 1e-6);
      if (layer.cost.issueCycles > 0)
        os << llvm::formatv("  {0,-12} {1,12:f0} commands {2,54:f0} cycles\n",
                            "issue", layer.cost.commands,
                            layer.cost.issueCycles);
      for (Level level : kAllLevels) {
        double sum = 0;
        std::string parts;
        for (Tensor tensor : kAllTensors) {
          double energy = layer.energy[level][tensor];
          sum += energy;
          parts += llvm::formatv(" {0,14}",
                                 energy ? llvm::formatv("{0} {1:f3}",
                                                        tensorName(tensor),
                                                        energy * 1e-6)
                                              .str()
                                        : "")
                       .str();
        }
        os << llvm::formatv("  {0,-12} {1,12:f3} uJ{2} {3,14:f0} cycles\n",
                            levelName(level), sum * 1e-6, parts,
                            layer.cost.memoryCycles[level]);
      }
      if (slopes) {
        os << "  d log EDP / d log factor:";
        forEachSlope(layer.edpSlopes, [&](llvm::StringRef name, double slope) {
          os << llvm::formatv(" {0} {1:f5}", name, slope);
        });
        os << '\n';
      }
    }
  }
  os << llvm::formatv("total: {0:f3} uJ, {1:f0} cycles, EDP {2:e4} uJ*cycles, "
                      "DRAM {3:f0} B read, {4:f0} B written\n",
                      breakdown.cost.energy * 1e-6, breakdown.cost.cycles,
                      breakdown.cost.edp(), breakdown.cost.dramBytes.reads(),
                      breakdown.cost.dramBytes.writes());
}

llvm::json::Value fadiff::toJson(const ScheduleBreakdown &breakdown,
                                 bool slopes) {
  llvm::json::Array groups;
  for (const auto &group : breakdown.groups) {
    llvm::json::Array layers;
    for (const LayerBreakdown &layer : group) {
      llvm::json::Object levels;
      for (Level level : kAllLevels) {
        llvm::json::Object energy;
        for (Tensor tensor : kAllTensors)
          if (double e = layer.energy[level][tensor])
            energy[tensorName(tensor)] = e;
        levels[levelName(level)] =
            llvm::json::Object{{"energy_pj", std::move(energy)},
                               {"cycles", layer.cost.memoryCycles[level]}};
      }
      llvm::json::Object entry{
          {"name", layer.name},
          {"energy_pj", layer.cost.energy},
          {"cycles", layer.cost.cycles},
          {"bound_by", layer.binding},
          {"utilisation", layer.utilisation},
          {"macs", layer.cost.macs},
          {"dram_read_bytes", layer.cost.dramBytes.reads()},
          {"dram_write_bytes", layer.cost.dramBytes.writes()},
          {"array", llvm::json::Object{{"energy_pj", layer.arrayEnergy},
                                       {"cycles", layer.cost.computeCycles}}},
          {"levels", std::move(levels)}};
      if (layer.leakedEnergy > 0)
        entry["leakage_pj"] = layer.leakedEnergy;
      if (layer.cost.issueCycles > 0)
        entry["issue"] = llvm::json::Object{{"commands", layer.cost.commands},
                                            {"cycles", layer.cost.issueCycles}};
      if (layer.poolsOutput)
        entry["pools_output"] = true;
      if (layer.trips != 1)
        entry["trips"] = layer.trips;
      if (slopes) {
        llvm::json::Object byFactor;
        forEachSlope(layer.edpSlopes, [&](llvm::StringRef name, double slope) {
          byFactor[name.str()] = slope; // the name is a temporary
        });
        entry["dlog_edp_dlog_factor"] = std::move(byFactor);
      }
      layers.push_back(std::move(entry));
    }
    groups.push_back(llvm::json::Object{{"layers", std::move(layers)}});
  }
  return llvm::json::Object{
      {"groups", std::move(groups)},
      {"energy_pj", breakdown.cost.energy},
      {"cycles", breakdown.cost.cycles},
      {"edp_uj_cycles", breakdown.cost.edp()},
      {"dram_read_bytes", breakdown.cost.dramBytes.reads()},
      {"dram_write_bytes", breakdown.cost.dramBytes.writes()}};
}
