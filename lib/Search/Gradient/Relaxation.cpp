//===- Relaxation.cpp - Gradient descent over relaxed mappings ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RelaxedLayer.h"

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

namespace {
/// The layers of a unit, joined by what is fused: its tiles are its reader's,
/// and so are halos (docs/Search.md, eq. 3 and 4).
class ChainState {
public:
  std::vector<LayerState> layers;
  std::vector<Gate> edges; ///< sigma, per edge
  double multiplicity = 1;

  Surroundings around(size_t l) const {
    Surroundings result;
    result.inChain = !edges.empty();
    result.sigmaIn = l > 0 ? edges[l - 1].value() : 0;
    result.sigmaOut = l < edges.size() ? edges[l].value() : 0;
    result.seam = seams[l];
    result.tied = tied[l];
    return result;
  }
  /// The log of the tile that a layer runs with.
  double logTile(size_t l, Dim dim) const {
    return layers[l].logTile(dim) + tied[l][dim];
  }

  /// Works out what the layers have from each other; to be called whenever a
  /// variable has moved.
  void join() {
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

  /// Derivatives of the loss by all variables. `slope(l, i)`: by the i-th
  /// number that layer l's cost was differentiated by, all else fixed.
  template <typename SlopeT> void differentiate(SlopeT slope) {
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

  void step(unsigned number, const GradientOptions &options) {
    for (LayerState &state : layers) {
      for (Variable &v : state.variables)
        v.step(number, options);
      if (!edges.empty())
        state.resident.step(number, options);
    }
    for (Gate &edge : edges)
      edge.step(number, options);
  }

  UnitGates gates() const {
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

private:
  /// Log of the tile with which layer l would be cut into as many tiles as its
  /// reader, over its own tile.
  double apart(size_t l, Dim dim) const {
    return std::log(double(layers[l].layer->dims[dim]) /
                    double(layers[l + 1].layer->dims[dim])) +
           logTile(l + 1, dim) - layers[l].logTile(dim);
  }

  std::vector<PerAxis<double>> seams; ///< per layer
  std::vector<PerDim<double>> tied;   ///< per layer
};
} // namespace

Descent fadiff::descend(const Problem &problem, const std::vector<Unit> &units,
                        const GradientOptions &options, const StartPoint &start,
                        std::mt19937_64 &rng, Budget &budget, Factors kind) {
  std::vector<ChainState> chains(units.size());
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

  const Evaluator evaluator(problem, options, kind);
  Descent result;
  auto evaluateAll = [&](double temperature, std::mt19937_64 *noise) {
    double energy = 0, cycles = 0;
    for (ChainState &chain : chains) {
      chain.join();
      for (auto [l, state] : llvm::enumerate(chain.layers)) {
        evaluator.evaluate(state, temperature, noise, chain.around(l), budget);
        energy += chain.multiplicity * state.energy.value();
        cycles += chain.multiplicity * state.cycles.value();
      }
    }
    return std::make_pair(energy, cycles);
  };

  auto current = [&] {
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
  };

  // With too little time for all steps it cools down faster.
  const double begin = budget.seconds(), seconds = budget.secondsLeft();
  for (unsigned step = 1; step <= options.steps && !budget.exhausted();
       ++step) {
    const double progress =
        std::max(options.steps > 1 ? double(step - 1) / (options.steps - 1) : 1,
                 std::min(1.0, (budget.seconds() - begin) / seconds));
    double temperature =
        options.temperatureFirst *
        std::pow(options.temperatureLast / options.temperatureFirst, progress);
    auto [energy, cycles] = evaluateAll(temperature, &rng);

    // d(log E + log L) = dE / E + dL / L over the whole network, so each layer
    // needs only its own dual numbers.
    const double energyWeight =
        problem.aim.objective == Objective::Latency && !problem.aim.limit
            ? 0
            : 1 / (energy + problem.aim.given.energy);
    const double cyclesWeight =
        problem.aim.objective == Objective::Energy && !problem.aim.limit
            ? 0
            : 1 / (cycles + problem.aim.given.cycles);
    for (ChainState &chain : chains) {
      chain.differentiate([&](size_t l, unsigned i) {
        const LayerState &state = chain.layers[l];
        auto weighed = [&](double ofEnergy, double ofCycles) {
          return chain.multiplicity *
                 (ofEnergy * energyWeight + ofCycles * cyclesWeight);
        };
        // Violations weigh as much as the layer does in the network.
        return weighed(state.energy.gradient()[i], state.cycles.gradient()[i]) +
               options.penalty *
                   weighed(state.energy.value(), state.cycles.value()) *
                   state.violation.gradient()[i];
      });
      chain.step(step, options);
    }
    if (options.snapshotEvery && step % options.snapshotEvery == 0 &&
        step < options.steps)
      result.snapshots.push_back(current());
  }

  auto [energy, cycles] = evaluateAll(options.temperatureLast, nullptr);
  result.loss = std::log(energy) + std::log(cycles);
  result.mappings = current();
  for (const ChainState &chain : chains)
    result.gates.push_back(chain.gates());
  return result;
}
