//===- RelaxedLayer.cpp - One layer of the relaxed problem ----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RelaxedLayer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

using namespace fadiff;
using namespace fadiff::relaxed;

static constexpr double kCertain = 8; // logit at which a gate stops moving

static double uniform(std::mt19937_64 &rng) { // in (0, 1)
  return (double(rng() >> 11) + 0.5) * 0x1.0p-53;
}
static double gumbel(std::mt19937_64 &rng) {
  return -std::log(-std::log(uniform(rng)));
}

void Moving::step(unsigned number, const GradientOptions &options) {
  moment = options.adamBeta1 * moment + (1 - options.adamBeta1) * gradient;
  square = options.adamBeta2 * square +
           (1 - options.adamBeta2) * gradient * gradient;
  double m = moment / (1 - std::pow(options.adamBeta1, number));
  double s = square / (1 - std::pow(options.adamBeta2, number));
  x -= options.learningRate * m / (std::sqrt(s) + 1e-8);
}

void Gate::step(unsigned number, const GradientOptions &options) {
  const double v = value();
  logit.gradient = gradient * v * (1 - v);
  logit.step(number, options);
  logit.x = std::clamp(logit.x, -kCertain, kCertain);
}

Variable::Variable(const Layer &layer, int64_t limit, bool divisorsOnly,
                   Slot slot, Dim dim)
    : slot(slot), dim(dim) {
  for (int64_t f : factorChoices(layer.dims[dim], limit, divisorsOnly))
    logChoices.push_back(std::log(double(f)));
}

D Variable::sample(const GradientOptions &options, double temperature,
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

/// Multiplies the tile of one dim by `ratio`: from the scratchpad's factor
/// inwards, none below 1.
static void scaleTile(RelaxedFactors<D> &factors, Dim dim, D ratio) {
  for (Level level :
       {Level::Scratchpad, Level::Accumulator, Level::Registers}) {
    D &factor = factors.temporal[level][dim];
    ratio *= factor;
    factor = maxOf(D(1.0), ratio);
    if (ratio.value() >= 1)
      return;
  }
}

/// How far a layer is in a group.
static D grouped(const FusedEnds<D> &fused) {
  return 1.0 - (1.0 - fused.input) * (1.0 - fused.output);
}

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

void Evaluator::evaluate(LayerState &state, double temperature,
                         std::mt19937_64 *rng, const Surroundings &around,
                         Budget &budget, Orders tried) const {
  const Layer &layer = *state.layer;
  state.charged.clear();
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
  if (around.inChain)
    for (auto [index, dim] : llvm::enumerate(kSharedDims)) {
      const double ratio = std::exp(around.tied[dim]);
      D::Gradient byLog{};
      byLog[kTied + index] = ratio;
      scaleTile(factors, dim, D(ratio, byLog));
      product[dim] *= D(ratio, byLog);
    }
  const double sigmaIn = around.sigmaIn, sigmaOut = around.sigmaOut;
  FusedEnds<D> fused{D::variable(sigmaIn, kInputEnd),
                     D::variable(sigmaOut, kOutputEnd)};
  const D resident = D::variable(state.resident.value(), kResident);
  PerAxis<D> seam;
  for (Axis axis : kAllAxes)
    seam[axis] = D::variable(around.seam[axis], kSeam + unsigned(axis));

  if (problem.foreignCost) {
    evaluateForeign(state, factors, sigmaIn, sigmaOut, budget);
    addViolations(state, product, relaxedNest(layer, factors, state.order),
                  fused, seam, resident);
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
      if (tried == Orders::Last && !(nest.order == state.order))
        continue;
      orders.push_back(nest.order);
      BasicLayerCost<D> cost =
          around.inChain
              ? countInChain(nest, fused, seam, resident)
              : countAccesses(nest, problem.convention, target, fused);
      charge(cost, nest, target, problem.convention, Model::Exact,
             problem.latency);
      costs.push_back({cost.energy, cost.cycles, cost.dramBytes.total()});
      state.charged.push_back({1, chargedCounts(valuesOf(cost), target)});
      ++budget.evaluations;
    }
  const auto weights = softMinimum<D>(costs, options.orderTemperature);
  const double all = llvm::accumulate(weights, 0.0);
  for (auto [part, weight] : llvm::zip_equal(state.charged, weights))
    part.first = weight / all;
  state.order = orders[llvm::max_element(weights) - weights.begin()];
  RelaxedCost<D> mixed = mixOrders<D, double>(costs, weights);
  state.energy = mixed.energy;
  state.cycles = mixed.cycles;

  addViolations(state, product, nest, fused, seam, resident);
}

/// The counts of a layer whose ends are fused in part: what its group's tiles
/// make again is made again, and weights that do not stay come once per tile
/// (docs/Search.md, eq. 4).
BasicLayerCost<D> Evaluator::countInChain(const Nest<D> &nest,
                                          const FusedEnds<D> &fused,
                                          const PerAxis<D> &seam,
                                          const D &resident) const {
  const Layer &layer = *nest.layer;
  BasicLayerCost<D> cost =
      countAccesses(nest, problem.convention, target, fused);
  D made(1.0), tiles = nest.count[Level::Scratchpad][Dim::N];
  for (Axis axis : kAllAxes) {
    const Dim dim = outputDim(axis);
    const D &trips = nest.count[Level::Scratchpad][dim];
    tiles *= trips;
    made *= 1.0 + (trips - 1.0) * seam[axis] * (1 / nest.bound(dim));
  }
  auto &registers = cost.access[Level::Registers][Tensor::W];
  auto &sums = cost.access[Level::Accumulator][Tensor::O];
  auto &operands = cost.access[Level::Accumulator][Tensor::I];
  auto &spad = cost.access[Level::Scratchpad];
  for (D *count : {&cost.macs, &cost.arrayMacs, &cost.computeCycles,
                   &cost.switchCycles, &registers.reads, &spad[Tensor::I].reads,
                   &spad[Tensor::O].updates, &sums.reads, &sums.fills,
                   &sums.updates, &operands.reads, &cost.commands,
                   &cost.readerCycles, &cost.writerCycles, &cost.openCycles})
    *count *= made;
  const D once = detail::weightWords(
      layer, nest.cols,
      problem.convention == Convention::Machine && layer.isDepthwise());
  D &fetched = cost.access[Level::Dram][Tensor::W].reads;
  // DRAM's are bytes in the machine's counts, the scratchpad's are words.
  const double wordBytes = problem.convention == Convention::Machine
                               ? double(layer.elementBytes)
                               : 1.0;
  const D more =
      grouped(fused) *
      (once * wordBytes * (1.0 + (1.0 - resident) * (tiles - 1.0)) - fetched);
  fetched += more;
  spad[Tensor::W].fills += more * (1 / wordBytes);
  return cost;
}

/// A cost of somebody else's is known at whole mappings only: take the value
/// and slopes at the sampled one, under its best loop order.
void Evaluator::evaluateForeign(LayerState &state,
                                const RelaxedFactors<D> &factors,
                                double sigmaIn, double sigmaOut,
                                Budget &budget) const {
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
    left = llvm::divideCeilSigned(left,
                                  mapping.tile(layer, Level::Scratchpad, dim));
    mapping.temporal[Level::Dram][dim] = left;
  }
  FusedEnds<double> ends{std::round(sigmaIn), std::round(sigmaOut)};
  double least = 0;
  bool first = true;
  for (unsigned dram : kStationaryOrders)
    for (unsigned spad : kStationaryOrders) {
      mapping.order[Level::Dram] = classOrder(dram);
      mapping.order[Level::Scratchpad] = classOrder(spad);
      LayerCost cost =
          problem.foreignCost->evaluate(layer, mapping, target, ends);
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
  LayerCost cost = problem.foreignCost->differentiate(layer, mapping, target,
                                                      energy, cycles, ends);
  ++budget.evaluations;
  state.energy = D(cost.energy);
  state.cycles = D(cost.cycles);
  auto follow = [&](const D &factor, double slopeE, double slopeC) {
    // d log f = df / f; the sample's own gradient stays.
    D step = factor.chain(0, 1 / factor.value());
    state.energy += step * slopeE;
    state.cycles += step * slopeC;
  };
  for (Level level : {Level::Registers, Level::Accumulator, Level::Scratchpad})
    for (Dim dim : kAllDims)
      follow(factors.temporal[level][dim], energy.temporal[level][dim],
             cycles.temporal[level][dim]);
  follow(factors.rows, energy.rows, cycles.rows);
  follow(factors.cols, energy.cols, cycles.cols);
}

void Evaluator::addViolations(LayerState &state, const PerDim<D> &product,
                              const Nest<D> &nest, const FusedEnds<D> &fused,
                              const PerAxis<D> &seam, const D &resident) const {
  const Layer &layer = *state.layer;
  // Relative violations, squared (eq. 5 in docs/Search.md).
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
  state.rows = {scratchpadRows(nest, fused, seam, resident),
                accumulatorRows(nest, fused, seam)};
  if (capacities == Capacities::Open)
    return;
  state.violation +=
      over(state.rows.scratchpad, double(target.scratchpadRows()));
  state.violation +=
      over(state.rows.accumulator, double(target.accumulatorRows()));
}

D Evaluator::accumulatorRows(const Nest<D> &nest, const FusedEnds<D> &fused,
                             const PerAxis<D> &seam) const {
  const PerDim<D> &tile = nest.tile[Level::Accumulator];
  Dim columns = nest.layer->isDepthwise() ? Dim::G : Dim::K;
  const D own = tile[Dim::N] * tile[Dim::P] * tile[Dim::Q] *
                roundUp(tile[columns] / nest.cols);
  if (!target.handsOverInPlace())
    return own;
  const HeldRows held = heldRows(nest, seam);
  return held.input * fused.input + held.output * fused.output +
         own * (1.0 - fused.output);
}

HeldRows Evaluator::heldRows(const Nest<D> &nest,
                             const PerAxis<D> &seam) const {
  const Layer &layer = *nest.layer;
  const PerDim<D> &tile = nest.tile[Level::Scratchpad];
  auto blocks = [&](Dim dim) {
    return std::ceil(double(layer.dims[dim]) / double(target.side));
  };
  const bool depthwise = layer.isDepthwise();
  return {
      tile[Dim::N] * detail::window(nest, Axis::H) *
          detail::window(nest, Axis::W) * blocks(depthwise ? Dim::G : Dim::C),
      tile[Dim::N] * (tile[Dim::P] + seam[Axis::H]) *
          (tile[Dim::Q] + seam[Axis::W]) * blocks(depthwise ? Dim::G : Dim::K)};
}

D Evaluator::scratchpadRows(const Nest<D> &nest, const FusedEnds<D> &fused,
                            const PerAxis<D> &seam, const D &resident) const {
  const Layer &layer = *nest.layer;
  const PerDim<D> &tile = nest.tile[Level::Scratchpad];
  auto stored = [&](Axis axis) {
    return valueOf(tile[kernelDim(axis)]) < 1.5 ? tile[outputDim(axis)]
                                                : detail::window(nest, axis);
  };
  D input = tile[Dim::N] * stored(Axis::H) * stored(Axis::W);
  D weights = tile[Dim::R] * tile[Dim::S];
  const double all = double(layer.dims[Dim::R] * layer.dims[Dim::S]);
  double allWeights;
  if (layer.isDepthwise()) {
    input *= roundUp(tile[Dim::G] / nest.cols);
    weights *= tile[Dim::G];
    allWeights = all * double(layer.dims[Dim::G]);
  } else {
    input *= roundUp(tile[Dim::C] / nest.rows);
    weights *= tile[Dim::C] * roundUp(tile[Dim::K] / nest.cols);
    allWeights = all * double(layer.dims[Dim::C]) *
                 std::ceil(double(layer.dims[Dim::K]) / double(target.side));
  }
  const D stays = grouped(fused) * resident;
  const D own = input * (1.0 - fused.input) + weights * (1.0 - stays) +
                stays * allWeights;
  if (target.handsOverInPlace())
    return own;
  const HeldRows held = heldRows(nest, seam);
  return own + held.input * fused.input + held.output * fused.output;
}
