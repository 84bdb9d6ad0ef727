//===- Relaxation.cpp - Gradient descent over relaxed mappings ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Relaxation.h"

#include "fadiff/CostModel/Relaxed.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace fadiff;

namespace {

/// At most 2 array factors, 3 register and twice 7 other factors (K and C of a
/// depthwise layer are 1, G of any other stays at DRAM), and two fused ends.
constexpr unsigned kWidth = 22;
constexpr unsigned kInputEnd = 20, kOutputEnd = 21;
using D = Dual<kWidth>;
constexpr double kCertain = 8; // logit at which sigma stops moving

double uniform(std::mt19937_64 &rng) { // in (0, 1)
  return (double(rng() >> 11) + 0.5) * 0x1.0p-53;
}
double gumbel(std::mt19937_64 &rng) {
  return -std::log(-std::log(uniform(rng)));
}

/// One variable: the log of a factor, with the factors that it may become.
struct Variable {
  Slot slot;
  Dim dim;
  double x = 0; ///< log factor
  std::vector<double> logChoices;
  double moment = 0, square = 0;
  double gradient = 0;

  Variable(const Layer &layer, const Accelerator &target, bool divisorsOnly,
           Slot slot, Dim dim)
      : slot(slot), dim(dim) {
    int64_t limit = slotLimit(layer, target, slot, dim);
    for (int64_t f : factorChoices(layer.dims[dim], limit, divisorsOnly))
      logChoices.push_back(std::log(double(f)));
  }

  /// The sampled factor; its derivative is that of the soft choice, taken in
  /// log space (eqs. 1 to 3 of the paper with a log distance).
  D sample(const SearchOptions &options, double temperature,
           std::mt19937_64 *rng, unsigned index, Factors kind) const {
    if (kind == Factors::Continuous) {
      D::Gradient byLog{};
      byLog[index] = std::exp(x);
      return D(std::exp(x), byLog);
    }
    const size_t n = logChoices.size();
    llvm::SmallVector<double, 32> score(n);
    size_t best = 0;
    for (size_t j = 0; j < n; ++j) {
      double distance = x - logChoices[j];
      score[j] = -options.divisorSharpness * distance * distance;
      if (rng)
        score[j] += temperature * gumbel(*rng);
      if (score[j] > score[best])
        best = j;
    }
    double sum = 0, mean = 0, slope = 0, meanSlope = 0;
    for (size_t j = 0; j < n; ++j) {
      double p = std::exp((score[j] - score[best]) / temperature);
      double s =
          -2 * options.divisorSharpness * (x - logChoices[j]) / temperature;
      sum += p;
      mean += p * logChoices[j];
      slope += p * s * logChoices[j];
      meanSlope += p * s;
    }
    double derivative = slope / sum - (mean / sum) * (meanSlope / sum);
    double factor = std::exp(logChoices[best]);
    D::Gradient gradient{};
    gradient[index] = factor * derivative;
    return D(factor, gradient);
  }
};

void adam(double &x, double gradient, double &moment, double &square,
          unsigned step, const SearchOptions &options) {
  moment = options.adamBeta1 * moment + (1 - options.adamBeta1) * gradient;
  square = options.adamBeta2 * square +
           (1 - options.adamBeta2) * gradient * gradient;
  double m = moment / (1 - std::pow(options.adamBeta1, step));
  double s = square / (1 - std::pow(options.adamBeta2, step));
  x -= options.learningRate * m / (std::sqrt(s) + 1e-8);
}

struct LayerState {
  const Layer *layer = nullptr;
  std::vector<Variable> variables;
  PerLevel<LoopOrder> order{kAllDims};
  D energy, cycles, violation;
  /// Derivative of the loss by the fused ends.
  double inputEnd = 0, outputEnd = 0;

  double logTile(Dim dim) const { // of the scratchpad
    double sum = 0;
    for (const Variable &v : variables)
      if (v.dim == dim)
        sum += v.x;
    return sum;
  }
};

struct EdgeState {
  double logit = 0, moment = 0, square = 0, gradient = 0;
  double sigma() const { return 1 / (1 + std::exp(-logit)); }
};

class Relaxed {
public:
  Relaxed(const Accelerator &target, const SearchOptions &options, Factors kind)
      : target(target), options(options), kind(kind) {}

  /// Energy, cycles and violations of one layer at a sample.
  void evaluate(LayerState &state, double temperature, std::mt19937_64 *rng,
                double sigmaIn, double sigmaOut, Budget &budget) const {
    const Layer &layer = *state.layer;
    RelaxedFactors<D> factors;
    PerDim<D> product{D(1.0)};
    for (auto [index, v] : llvm::enumerate(state.variables)) {
      D factor = v.sample(options, temperature, rng, unsigned(index), kind);
      product[v.dim] *= factor;
      if (v.slot == Slot::Registers)
        factors.temporal[Level::Registers][v.dim] = factor;
      else if (v.slot == Slot::Accumulator)
        factors.temporal[Level::Accumulator][v.dim] = factor;
      else if (v.slot == Slot::Scratchpad)
        factors.temporal[Level::Scratchpad][v.dim] = factor;
      else if (v.dim == Dim::C)
        factors.rows = factor;
      else
        factors.cols = factor;
    }
    FusedEnds<D> fused{D::variable(sigmaIn, kInputEnd),
                       D::variable(sigmaOut, kOutputEnd)};

    if (options.cost) {
      evaluateForeign(state, factors, sigmaIn, sigmaOut, budget);
      addViolations(state, product, relaxedNest(layer, factors, state.order),
                    fused);
      return;
    }

    // Soft minimum over loop orders: each of the three at DRAM and at the
    // scratchpad. The weights are constants for the gradient, which makes it
    // that of the soft minimum itself (docs/Search.md, eq. 3).
    llvm::SmallVector<RelaxedCost<D>, 9> costs;
    llvm::SmallVector<PerLevel<LoopOrder>, 9> orders;
    PerLevel<LoopOrder> order{classOrder(kStationaryOrders[0])};
    Nest<D> nest = relaxedNest(layer, factors, order);
    if (kind == Factors::Continuous)
      smoothTrips(nest);
    for (unsigned dram : kStationaryOrders)
      for (unsigned spad : kStationaryOrders) {
        nest.order[Level::Dram] = classOrder(dram);
        nest.order[Level::Scratchpad] = classOrder(spad);
        orders.push_back(nest.order);
        costs.push_back(
            evaluateRelaxed(nest, target, options.convention, fused));
        ++budget.evaluations;
      }
    const auto weights = softMinimum<D>(costs, options.orderTemperature);
    state.order = orders[llvm::max_element(weights) - weights.begin()];
    RelaxedCost<D> mixed = mixOrders<D, double>(costs, weights);
    state.energy = mixed.energy;
    state.cycles = mixed.cycles;

    addViolations(state, product, nest, fused);
  }

private:
  /// A cost of somebody else's is known at whole mappings only: take the value
  /// and slopes at the sampled one, under its best loop order.
  void evaluateForeign(LayerState &state, const RelaxedFactors<D> &factors,
                       double sigmaIn, double sigmaOut, Budget &budget) const {
    const Layer &layer = *state.layer;
    auto whole = [](const D &factor) {
      return std::max<int64_t>(1, std::llround(factor.value()));
    };
    Mapping mapping;
    mapping.rows = whole(factors.rows);
    mapping.cols = whole(factors.cols);
    for (Dim dim : kAllDims) {
      int64_t left = layer.dims[dim];
      for (Level level :
           {Level::Registers, Level::Accumulator, Level::Scratchpad})
        mapping.temporal[level][dim] = whole(factors.temporal[level][dim]);
      mapping.temporal[Level::Dram][dim] = 1;
      left = llvm::divideCeilSigned(
          left, mapping.tile(layer, Level::Scratchpad, dim));
      mapping.temporal[Level::Dram][dim] = left;
    }
    FusedEnds<double> ends{std::round(sigmaIn), std::round(sigmaOut)};
    double least = 0;
    bool first = true;
    for (unsigned dram : kStationaryOrders)
      for (unsigned spad : kStationaryOrders) {
        mapping.order[Level::Dram] = classOrder(dram);
        mapping.order[Level::Scratchpad] = classOrder(spad);
        LayerCost cost = options.cost->evaluate(layer, mapping, target, ends);
        ++budget.evaluations;
        double product = cost.energy * cost.cycles;
        if (first || product < least) {
          least = product;
          state.order = mapping.order;
        }
        first = false;
      }
    mapping.order = state.order;
    FactorSlopes energy, cycles;
    LayerCost cost = options.cost->differentiate(layer, mapping, target, energy,
                                                 cycles, ends);
    ++budget.evaluations;
    state.energy = D(cost.energy);
    state.cycles = D(cost.cycles);
    auto follow = [&](const D &factor, double slopeE, double slopeC) {
      // d log f = df / f; the sample's own gradient stays.
      D step = factor.chain(0, 1 / factor.value());
      state.energy += step * slopeE;
      state.cycles += step * slopeC;
    };
    for (Level level :
         {Level::Registers, Level::Accumulator, Level::Scratchpad})
      for (Dim dim : kAllDims)
        follow(factors.temporal[level][dim], energy.temporal[level][dim],
               cycles.temporal[level][dim]);
    follow(factors.rows, energy.rows, cycles.rows);
    follow(factors.cols, energy.cols, cycles.cols);
  }

  /// Trips as quotients: rounded up, a factor of 1.01 would count as two.
  static void smoothTrips(Nest<D> &nest) {
    for (Dim dim : kAllDims) {
      D count(1.0);
      for (unsigned l = kNumLevels; l-- > 0;) {
        Level level = kAllLevels[l];
        D inner = l > 0 ? nest.tile[kAllLevels[l - 1]][dim] : D(1.0);
        if (l == 0 && dim == (nest.layer->isDepthwise() ? Dim::G : Dim::K))
          inner = nest.cols;
        else if (l == 0 && dim == Dim::C && !nest.layer->isDepthwise())
          inner = nest.rows;
        nest.trips[level][dim] = nest.tile[level][dim] / inner;
        nest.count[level][dim] = count;
        count *= nest.trips[level][dim];
      }
    }
  }

  void addViolations(LayerState &state, const PerDim<D> &product,
                     const Nest<D> &nest, const FusedEnds<D> &fused) const {
    const Layer &layer = *state.layer;
    // Relative violations, squared (eq. 4 in docs/Search.md).
    auto over = [](const D &found, double wanted) {
      D excess = maxOf(D(0.0), logOf(found * (1 / wanted)));
      return excess * excess;
    };
    state.violation = D(0.0);
    for (Dim dim : kAllDims)
      if (layer.dims[dim] > 1)
        state.violation += over(product[dim], double(layer.dims[dim]));
    for (auto [index, v] : llvm::enumerate(state.variables))
      if (v.x < 0) {
        D::Gradient slope{};
        slope[index] = 2 * v.x;
        state.violation += D(v.x * v.x, slope);
      }
    state.violation +=
        over(scratchpadRows(nest, fused), double(target.scratchpadRows()));
    state.violation +=
        over(accumulatorRows(nest), double(target.accumulatorRows()));
  }

  D accumulatorRows(const Nest<D> &nest) const {
    const PerDim<D> &tile = nest.tile[Level::Accumulator];
    Dim columns = nest.layer->isDepthwise() ? Dim::G : Dim::K;
    return tile[Dim::N] * tile[Dim::P] * tile[Dim::Q] *
           roundUp(tile[columns] / nest.cols);
  }

  D scratchpadRows(const Nest<D> &nest, const FusedEnds<D> &fused) const {
    const Layer &layer = *nest.layer;
    const PerDim<D> &tile = nest.tile[Level::Scratchpad];
    auto stored = [&](Axis axis) {
      return valueOf(tile[kernelDim(axis)]) < 1.5 ? tile[outputDim(axis)]
                                                  : detail::window(nest, axis);
    };
    D pixels = tile[Dim::N] * tile[Dim::P] * tile[Dim::Q];
    D input = tile[Dim::N] * stored(Axis::H) * stored(Axis::W);
    D weights = tile[Dim::R] * tile[Dim::S];
    double side = double(target.side), outputs;
    if (layer.isDepthwise()) {
      input *= roundUp(tile[Dim::G] / nest.cols);
      weights *= tile[Dim::G];
      outputs = double(layer.dims[Dim::G]);
    } else {
      input *= roundUp(tile[Dim::C] / nest.rows);
      weights *= tile[Dim::C] * roundUp(tile[Dim::K] / nest.cols);
      outputs = double(layer.dims[Dim::K]);
    }
    // A fused end holds all channels of the tile, `side` to a row.
    D held = pixels * std::ceil(double(layer.dims[Dim::C]) / side);
    input = input * (1.0 - fused.input) + held * fused.input;
    return input + weights + pixels * std::ceil(outputs / side) * fused.output;
  }

  const Accelerator &target;
  const SearchOptions &options;
  const Factors kind;
};

} // namespace

Descent fadiff::descend(const Network &network, const std::vector<Unit> &units,
                        const Accelerator &target, const SearchOptions &options,
                        const StartPoint &start, std::mt19937_64 &rng,
                        Budget &budget, Factors kind) {
  const bool divisorsOnly = options.cost
                                ? options.cost->wantsDivisors()
                                : options.convention == Convention::Timeloop;
  std::vector<std::vector<LayerState>> states(units.size());
  std::vector<std::vector<EdgeState>> edges(units.size());
  for (auto [u, unit] : llvm::enumerate(units)) {
    edges[u].resize(unit.layers.size() - 1);
    for (auto [l, index] : llvm::enumerate(unit.layers)) {
      LayerState state;
      state.layer = &network.layers[index];
      for (Slot slot : kAllSlots)
        for (Dim dim : kAllDims)
          if (slotLimit(*state.layer, target, slot, dim) > 1) {
            state.variables.emplace_back(*state.layer, target, divisorsOnly,
                                         slot, dim);
            state.variables.back().x = std::log(
                double(factorIn(*state.layer, start[u][l], slot, dim)));
          }
      states[u].push_back(std::move(state));
    }
  }

  Relaxed relaxed(target, options, kind);
  Descent result;
  auto evaluateAll = [&](double temperature, std::mt19937_64 *noise) {
    double energy = 0, cycles = 0;
    for (size_t u = 0; u < units.size(); ++u)
      for (size_t l = 0; l < states[u].size(); ++l) {
        double in = l > 0 ? edges[u][l - 1].sigma() : 0;
        double out = l < edges[u].size() ? edges[u][l].sigma() : 0;
        relaxed.evaluate(states[u][l], temperature, noise, in, out, budget);
        energy += units[u].multiplicity * states[u][l].energy.value();
        cycles += units[u].multiplicity * states[u][l].cycles.value();
      }
    return std::make_pair(energy, cycles);
  };

  auto current = [&] {
    RelaxedPoint point;
    for (const std::vector<LayerState> &unit : states) {
      point.emplace_back();
      for (const LayerState &state : unit) {
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

  for (unsigned step = 1; step <= options.steps && !budget.exhausted();
       ++step) {
    double progress =
        options.steps > 1 ? double(step - 1) / (options.steps - 1) : 1;
    double temperature =
        options.temperatureFirst *
        std::pow(options.temperatureLast / options.temperatureFirst, progress);
    auto [energy, cycles] = evaluateAll(temperature, &rng);

    // d(log E + log L) = dE / E + dL / L over the whole network, so each layer
    // needs only its own dual numbers.
    double energyWeight =
        options.objective == Objective::Latency ? 0 : 1 / energy;
    double cyclesWeight =
        options.objective == Objective::Energy ? 0 : 1 / cycles;
    for (size_t u = 0; u < units.size(); ++u) {
      const double copies = units[u].multiplicity;
      for (EdgeState &edge : edges[u])
        edge.gradient = 0;
      for (size_t l = 0; l < states[u].size(); ++l) {
        LayerState &state = states[u][l];
        // Violations weigh as much as the layer does in the network.
        double share = copies * (state.energy.value() * energyWeight +
                                 state.cycles.value() * cyclesWeight);
        auto slope = [&](unsigned i) {
          return copies * (state.energy.gradient()[i] * energyWeight +
                           state.cycles.gradient()[i] * cyclesWeight) +
                 options.penalty * share * state.violation.gradient()[i];
        };
        for (auto [i, v] : llvm::enumerate(state.variables))
          v.gradient = slope(unsigned(i));
        if (l > 0)
          edges[u][l - 1].gradient += slope(kInputEnd);
        if (l < edges[u].size())
          edges[u][l].gradient += slope(kOutputEnd);
        // Alignment: fused neighbours share their pixel tile.
        if (l == 0)
          continue;
        LayerState &before = states[u][l - 1];
        double sigma = edges[u][l - 1].sigma();
        for (Dim dim : {Dim::N, Dim::P, Dim::Q}) {
          double apart = state.logTile(dim) - before.logTile(dim);
          double pull = options.penalty * share * sigma * 2 * apart;
          for (Variable &v : state.variables)
            if (v.dim == dim)
              v.gradient += pull;
          for (Variable &v : before.variables)
            if (v.dim == dim)
              v.gradient -= pull;
          edges[u][l - 1].gradient += options.penalty * share * apart * apart;
        }
      }
    }
    for (size_t u = 0; u < units.size(); ++u) {
      for (LayerState &state : states[u])
        for (Variable &v : state.variables)
          adam(v.x, v.gradient, v.moment, v.square, step, options);
      for (EdgeState &edge : edges[u]) {
        double sigma = edge.sigma();
        adam(edge.logit, edge.gradient * sigma * (1 - sigma), edge.moment,
             edge.square, step, options);
        edge.logit = std::clamp(edge.logit, -kCertain, kCertain);
      }
    }
    if (options.snapshotEvery && step % options.snapshotEvery == 0 &&
        step < options.steps)
      result.snapshots.push_back(current());
  }

  auto [energy, cycles] = evaluateAll(options.temperatureLast, nullptr);
  result.loss = std::log(energy) + std::log(cycles);
  result.mappings = current();
  for (size_t u = 0; u < units.size(); ++u) {
    result.sigma.emplace_back();
    for (const EdgeState &edge : edges[u])
      result.sigma.back().push_back(edge.sigma());
  }
  return result;
}
