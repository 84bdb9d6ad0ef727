//===- RelaxedNetwork.cpp - All layers of the relaxed problem -------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RelaxedNetwork.h"

#include "llvm/ADT/SmallVector.h"

#include <cmath>

using namespace fadiff;
using namespace fadiff::relaxed;

/// What neighbouring tiles of the layer's input share, if each makes `seam`
/// rows (columns) of its output again.
static double windowSeam(const Layer &layer, Axis axis, double seam) {
  return double((layer.dims[kernelDim(axis)] - 1) * layer.dilation[axis] + 1 -
                layer.stride[axis]) +
         double(layer.stride[axis]) * seam;
}

std::vector<PerAxis<double>>
fadiff::seamsOf(llvm::ArrayRef<const Layer *> chain,
                llvm::ArrayRef<double> sigma) {
  std::vector<PerAxis<double>> seams(chain.size(), PerAxis<double>(0, 0));
  for (size_t l = sigma.size(); l-- > 0;)
    for (Axis axis : kAllAxes)
      seams[l][axis] =
          sigma[l] * windowSeam(*chain[l + 1], axis, seams[l + 1][axis]);
  return seams;
}

Surroundings ChainState::around(size_t l) const {
  Surroundings result;
  result.inChain = !edges.empty();
  result.sigmaIn = l > 0 ? edges[l - 1].value() : 0;
  result.sigmaOut = l < edges.size() ? edges[l].value() : 0;
  result.seam = seams[l];
  result.tied = tied[l];
  return result;
}

void ChainState::join() {
  llvm::SmallVector<const Layer *> chain;
  llvm::SmallVector<double> sigma;
  for (const LayerState &state : layers)
    chain.push_back(state.layer);
  for (const Gate &edge : edges)
    sigma.push_back(edge.value());
  seams = seamsOf(chain, sigma);
  tied.assign(layers.size(), PerDim<double>(0));
  for (size_t l = edges.size(); l-- > 0;)
    for (Dim dim : kSharedDims)
      tied[l][dim] = sigma[l] * apart(l, dim);
}

void ChainState::differentiate(
    llvm::function_ref<double(size_t, unsigned)> slope) {
  for (Gate &edge : edges)
    edge.gradient = 0;
  PerAxis<double> bySeam{0, 0}; // of the layer at hand
  PerDim<double> byTile{0};     // that it runs with, by those before it
  for (size_t l = 0; l < layers.size(); ++l) {
    LayerState &state = layers[l];
    PerDim<double> byOwnTile = byTile;
    if (l > 0)
      edges[l - 1].gradient += slope(l, kInputEnd);
    if (l < edges.size()) {
      const Layer &reader = *layers[l + 1].layer;
      Gate &edge = edges[l];
      const double sigma = edge.value();
      edge.gradient += slope(l, kOutputEnd);
      for (Axis axis : kAllAxes) {
        bySeam[axis] += slope(l, kSeam + unsigned(axis));
        edge.gradient +=
            bySeam[axis] * windowSeam(reader, axis, seams[l + 1][axis]);
        bySeam[axis] *= sigma * double(reader.stride[axis]);
      }
      for (auto [index, dim] : llvm::enumerate(kSharedDims)) {
        const double byTied = slope(l, kTied + unsigned(index)) + byTile[dim];
        edge.gradient += byTied * apart(l, dim);
        byOwnTile[dim] -= byTied * sigma;
        byTile[dim] = byTied * sigma;
      }
    }
    state.resident.gradient = slope(l, kResident);
    for (auto [i, v] : llvm::enumerate(state.variables))
      v.gradient = slope(l, unsigned(i)) + byOwnTile[v.dim];
  }
}

void ChainState::step(unsigned number, const GradientOptions &options) {
  for (LayerState &state : layers) {
    for (Variable &v : state.variables)
      v.step(number, options);
    if (!edges.empty())
      state.resident.step(number, options);
  }
  for (Gate &edge : edges)
    edge.step(number, options);
}

UnitGates ChainState::gates() const {
  UnitGates result;
  for (const Gate &edge : edges)
    result.sigma.push_back(edge.value());
  for (size_t l = 0; l < layers.size(); ++l) {
    result.resident.push_back(layers[l].resident.value());
    PerDim<double> &tile = result.tile.emplace_back(1);
    for (Dim dim : kSharedDims)
      tile[dim] = std::exp(logTile(l, dim));
  }
  return result;
}

double ChainState::apart(size_t l, Dim dim) const {
  return std::log(double(layers[l].layer->dims[dim]) /
                  double(layers[l + 1].layer->dims[dim])) +
         logTile(l + 1, dim) - layers[l].logTile(dim);
}

RelaxedNetwork::RelaxedNetwork(const Problem &problem,
                               const std::vector<Unit> &units,
                               const GradientOptions &options,
                               const StartPoint &start, Factors kind,
                               Capacities capacities)
    : problem(problem), options(options),
      evaluator(problem, options, kind, capacities), chains(units.size()) {
  for (auto [u, unit] : llvm::enumerate(units)) {
    chains[u].multiplicity = unit.multiplicity;
    chains[u].edges.resize(unit.layers.size() - 1);
    for (auto [edge, joins] : llvm::zip(chains[u].edges, unit.joined))
      edge.joins = joins;
    for (auto [l, index] : llvm::enumerate(unit.layers)) {
      LayerState &state = chains[u].layers.emplace_back();
      state.layer = &problem.network.layers[index];
      for (Slot slot : kAllSlots)
        for (Dim dim : kAllDims)
          if (int64_t limit = slotLimit(*state.layer, problem.target, slot, dim,
                                        problem.space);
              limit > 1) {
            state.variables.emplace_back(*state.layer, limit,
                                         problem.divisorsOnly(), slot, dim);
            state.variables.back().x = std::log(
                double(factorIn(*state.layer, start[u][l], slot, dim)));
          }
    }
  }
}

Sample RelaxedNetwork::evaluate(double temperature, std::mt19937_64 *noise,
                                Budget &budget, Orders orders) {
  Sample sample;
  for (ChainState &chain : chains) {
    chain.join();
    for (auto [l, state] : llvm::enumerate(chain.layers)) {
      evaluator.evaluate(state, temperature, noise, chain.around(l), budget,
                         orders);
      sample.energy += chain.multiplicity * state.energy.value();
      sample.cycles += chain.multiplicity * state.cycles.value();
    }
  }
  const double byEnergy = energyWeight(sample), byCycles = cyclesWeight(sample);
  for (const ChainState &chain : chains)
    for (const LayerState &state : chain.layers)
      sample.violation +=
          chain.multiplicity *
          (state.energy.value() * byEnergy + state.cycles.value() * byCycles) *
          state.violation.value();
  return sample;
}

// d(log E + log L) = dE / E + dL / L over the whole network, so each layer
// needs only its own dual numbers.
double RelaxedNetwork::energyWeight(const Sample &sample) const {
  const Aim &aim = problem.aim;
  return aim.objective == Objective::Latency && !aim.limit
             ? 0
             : 1 / (sample.energy + aim.given.energy);
}
double RelaxedNetwork::cyclesWeight(const Sample &sample) const {
  const Aim &aim = problem.aim;
  return aim.objective == Objective::Energy && !aim.limit
             ? 0
             : 1 / (sample.cycles + aim.given.cycles);
}

double RelaxedNetwork::loss(const Sample &sample) const {
  const double byEnergy = energyWeight(sample), byCycles = cyclesWeight(sample);
  return (byEnergy > 0 ? -std::log(byEnergy) : 0) +
         (byCycles > 0 ? -std::log(byCycles) : 0) +
         options.penalty * sample.violation;
}

void RelaxedNetwork::step(unsigned number, const Sample &last,
                          const PerMemory<double> &byNeed) {
  const double energyBy = energyWeight(last), cyclesBy = cyclesWeight(last);
  const PerMemory<MostRows> most = needs();
  for (ChainState &chain : chains) {
    chain.differentiate([&](size_t l, unsigned i) {
      const LayerState &state = chain.layers[l];
      auto weighed = [&](double ofEnergy, double ofCycles) {
        return chain.multiplicity * (ofEnergy * energyBy + ofCycles * cyclesBy);
      };
      // Violations weigh as much as the layer does in the network.
      double slope =
          weighed(state.energy.gradient()[i], state.cycles.gradient()[i]) +
          options.penalty *
              weighed(state.energy.value(), state.cycles.value()) *
              state.violation.gradient()[i];
      if (&state == most.scratchpad.layer)
        slope += byNeed.scratchpad * state.rows.scratchpad.gradient()[i] /
                 most.scratchpad.rows;
      if (&state == most.accumulator.layer)
        slope += byNeed.accumulator * state.rows.accumulator.gradient()[i] /
                 most.accumulator.rows;
      return slope;
    });
    chain.step(number, options);
  }
}

PerMemory<MostRows> RelaxedNetwork::needs() const {
  PerMemory<MostRows> most;
  auto add = [](MostRows &so, const LayerState &state, const D &rows) {
    if (rows.value() > so.rows)
      so = {rows.value(), &state};
  };
  for (const ChainState &chain : chains)
    for (const LayerState &state : chain.layers) {
      add(most.scratchpad, state, state.rows.scratchpad);
      add(most.accumulator, state, state.rows.accumulator);
    }
  return most;
}

RelaxedPoint RelaxedNetwork::point() const {
  RelaxedPoint point;
  for (const ChainState &chain : chains) {
    point.emplace_back();
    for (const LayerState &state : chain.layers) {
      RelaxedMapping mapping;
      for (auto &perDim : mapping.logFactors)
        perDim = PerDim<double>(0.0);
      for (const Variable &v : state.variables)
        mapping.logFactors[static_cast<size_t>(v.slot)][v.dim] = v.x;
      mapping.order = state.order;
      point.back().push_back(mapping);
    }
  }
  return point;
}

std::vector<UnitGates> RelaxedNetwork::gates() const {
  std::vector<UnitGates> gates;
  for (const ChainState &chain : chains)
    gates.push_back(chain.gates());
  return gates;
}
