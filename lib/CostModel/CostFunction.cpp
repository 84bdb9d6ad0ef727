//===- CostFunction.cpp - A cost with its gradient ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/CostModel/GemminiLatency.h"
#include "fadiff/CostModel/Relaxed.h"

#include <cmath>

using namespace fadiff;

CostFunction::~CostFunction() = default;

/// DRAM takes what the inner factors leave.
static void fillDram(const Layer &layer, Mapping &mapping, Dim dim) {
  int64_t tile = mapping.spatial(layer, dim);
  for (Level level : {Level::Registers, Level::Accumulator, Level::Scratchpad})
    tile *= mapping.temporal[level][dim];
  mapping.temporal[Level::Dram][dim] =
      (layer.dims[dim] + tile - 1) / std::max<int64_t>(tile, 1);
}

LayerCost CostFunction::differentiate(const Layer &layer,
                                      const Mapping &mapping,
                                      const Accelerator &target,
                                      FactorSlopes &energy,
                                      FactorSlopes &cycles,
                                      const FusedEnds<double> &fused) const {
  LayerCost here = evaluate(layer, mapping, target, fused);
  energy = cycles = {};
  forEachFactor(layer, [&](auto factorOf, Dim dim) {
    // Factors are whole: halve and double is the step that always exists.
    Mapping less = mapping, more = mapping;
    factorOf(less) = std::max<int64_t>(1, factorOf(mapping) / 2);
    factorOf(more) = factorOf(mapping) * 2;
    fillDram(layer, less, dim);
    fillDram(layer, more, dim);
    double step = std::log(double(factorOf(more)) / double(factorOf(less)));
    LayerCost low = evaluate(layer, less, target, fused);
    LayerCost high = evaluate(layer, more, target, fused);
    factorOf(energy) = (high.energy - low.energy) / step;
    factorOf(cycles) = (high.cycles - low.cycles) / step;
  });
  return here;
}

namespace {
class BuiltInCost : public CostFunction {
public:
  BuiltInCost(Convention convention, Model model, Latency latency)
      : convention(convention), model(model), latency(latency) {}

  LayerCost evaluate(const Layer &layer, const Mapping &mapping,
                     const Accelerator &target,
                     const FusedEnds<double> &fused) const override {
    LayerCost cost =
        evaluateLayer(layer, mapping, target, convention, fused, model);
    if (latency == Latency::Gemmini)
      cost.cycles =
          gemminiLatency(layer, mapping, target, kDoubleBuffered).cycles;
    return cost;
  }

  LayerCost differentiate(const Layer &layer, const Mapping &mapping,
                          const Accelerator &target, FactorSlopes &energy,
                          FactorSlopes &cycles,
                          const FusedEnds<double> &fused) const override {
    RelaxedSlopes slopes =
        differentiateRelaxed(layer, relaxedFactors(mapping), mapping.order,
                             target, convention, fused, model, latency);
    energy = slopes.energy;
    cycles = slopes.cycles;
    return slopes.value; // equal to evaluate's: all tiles are whole
  }

  bool wantsDivisors() const override {
    return convention == Convention::Timeloop;
  }

private:
  Convention convention;
  Model model;
  Latency latency;
};
} // namespace

std::unique_ptr<CostFunction> fadiff::createCostFunction(Convention convention,
                                                         Model model,
                                                         Latency latency) {
  return std::make_unique<BuiltInCost>(convention, model, latency);
}

const char *fadiff::latencyName(Latency latency) {
  return latency == Latency::Roofline ? "roofline" : "gemmini";
}

std::optional<Latency> fadiff::parseLatency(std::string_view name) {
  for (Latency latency : {Latency::Roofline, Latency::Gemmini})
    if (name == latencyName(latency))
      return latency;
  return std::nullopt;
}

ScheduleCost fadiff::evaluateSchedule(const Network &network,
                                      const Schedule &schedule,
                                      const Accelerator &target,
                                      const CostFunction &cost) {
  auto add = [](auto &sum, const auto &part) {
    sum.energy += part.energy;
    sum.cycles += part.cycles;
    sum.dramBytes.input += part.dramBytes.input;
    sum.dramBytes.weights += part.dramBytes.weights;
    sum.dramBytes.outputWrites += part.dramBytes.outputWrites;
    sum.dramBytes.partialReads += part.dramBytes.partialReads;
    sum.dramBytes.bias += part.dramBytes.bias;
  };
  ScheduleCost result;
  for (const FusionGroup &group : schedule.groups) {
    GroupCost groupCost;
    for (size_t i = 0; i < group.layers.size(); ++i) {
      FusedEnds<double> fused;
      fused.input = i > 0;
      fused.output = i + 1 < group.layers.size();
      unsigned index = group.layers[i];
      groupCost.members.push_back(cost.evaluate(
          network.layers[index], schedule.mappings[index], target, fused));
      add(groupCost, groupCost.members.back());
    }
    add(result, groupCost);
    result.groups.push_back(std::move(groupCost));
  }
  return result;
}
