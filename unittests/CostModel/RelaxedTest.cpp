//===- RelaxedTest.cpp - Relaxed costs against exact ones -----------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// At whole points the relaxed cost is the exact one; its gradient is that of
// its value. Eqs. (tile-counts) to (roofline) and (mixed-orders) of
// docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#include "Gradient.h"

#include "fadiff/CostModel/Relaxed.h"
#include "fadiff/CostModel/StreamLatency.h"

#include "gtest/gtest.h"

#include <random>

using namespace fadiff;
using namespace fadiff::test;

namespace {

int64_t pick(std::mt19937_64 &rng, int64_t low, int64_t high) {
  return low + int64_t(rng() % uint64_t(high - low + 1));
}

struct Case {
  Layer layer;
  Mapping mapping;
  Accelerator target;
};

/// Any layer with any mapping that the array holds: uneven tiles, strides,
/// padding, depthwise, groups; not asked whether it fits.
Case randomCase(std::mt19937_64 &rng) {
  Case c;
  Layer &layer = c.layer;
  switch (pick(rng, 0, 3)) {
  case 0:
    layer.dims[Dim::G] = pick(rng, 2, 24);
    break;
  case 1:
    layer.dims[Dim::G] = pick(rng, 2, 3);
    [[fallthrough]];
  default:
    layer.dims[Dim::K] = pick(rng, 2, 40);
    layer.dims[Dim::C] = pick(rng, 2, 40);
  }
  layer.dims[Dim::N] = pick(rng, 1, 2);
  for (Axis axis : kAllAxes) {
    int64_t taps = pick(rng, 1, 3), outputs = pick(rng, 1, 20);
    layer.dims[outputDim(axis)] = outputs;
    layer.dims[kernelDim(axis)] = taps;
    layer.stride[axis] = pick(rng, 1, 2);
    layer.padLow[axis] = pick(rng, 0, taps - 1);
    layer.inputExtent[axis] =
        std::max<int64_t>(1, layer.window(axis, outputs, taps) -
                                 layer.padLow[axis] - pick(rng, 0, taps - 1));
  }
  layer.hasBias = pick(rng, 0, 1);
  layer.outputBytes = pick(rng, 0, 1) ? 4 : 1;

  c.target.side = 8;
  c.target.energyPerMac = 0.5;
  for (Level level : kAllLevels) {
    c.target.energyPerAccess[level] = std::exp2(double(pick(rng, -2, 6)));
    c.target.bandwidth[level] = double(pick(rng, 1, 8));
  }

  Mapping &m = c.mapping;
  Dim columns = layer.isDepthwise() ? Dim::G : Dim::K;
  m.cols = pick(rng, 1, std::min<int64_t>(8, layer.dims[columns]));
  m.rows = layer.isDepthwise()
               ? 1
               : pick(rng, 1, std::min<int64_t>(8, layer.dims[Dim::C]));
  for (Dim dim : kAllDims) {
    int64_t tile = m.spatial(layer, dim);
    for (Level level :
         {Level::Registers, Level::Accumulator, Level::Scratchpad}) {
      bool pixel = dim == Dim::N || dim == Dim::P || dim == Dim::Q;
      if (level == Level::Registers && !pixel)
        continue;
      if (dim == Dim::G && !layer.isDepthwise())
        continue;
      int64_t left = (layer.dims[dim] + tile - 1) / tile;
      m.temporal[level][dim] = pick(rng, 1, std::min<int64_t>(left, 4));
      tile *= m.temporal[level][dim];
    }
    m.temporal[Level::Dram][dim] = (layer.dims[dim] + tile - 1) / tile;
  }
  for (Level level : kAllLevels)
    std::shuffle(m.order[level].begin(), m.order[level].end(), rng);
  return c;
}

template <typename T> RelaxedFactors<T> factorsOf(const Mapping &mapping) {
  RelaxedFactors<T> factors;
  for (Level level : kAllLevels)
    for (Dim dim : kAllDims)
      factors.temporal[level][dim] = T(double(mapping.temporal[level][dim]));
  factors.rows = T(double(mapping.rows));
  factors.cols = T(double(mapping.cols));
  return factors;
}

template <typename T>
void expectEqual(const BasicLayerCost<T> &found, const LayerCost &wanted) {
  EXPECT_DOUBLE_EQ(valueOf(found.energy), wanted.energy);
  EXPECT_DOUBLE_EQ(valueOf(found.cycles), wanted.cycles);
  EXPECT_DOUBLE_EQ(valueOf(found.commands), wanted.commands);
  EXPECT_DOUBLE_EQ(valueOf(found.issueCycles), wanted.issueCycles);
  EXPECT_EQ(valueOf(found.macs), wanted.macs);
  EXPECT_EQ(valueOf(found.arrayMacs), wanted.arrayMacs);
  EXPECT_EQ(valueOf(found.dramBytes.total()), wanted.dramBytes.total());
  for (Level level : kAllLevels)
    for (Tensor tensor : kAllTensors) {
      const auto &f = found.access[level][tensor];
      const auto &w = wanted.access[level][tensor];
      EXPECT_EQ(valueOf(f.reads), w.reads) << levelName(level);
      EXPECT_EQ(valueOf(f.fills), w.fills) << levelName(level);
      EXPECT_EQ(valueOf(f.updates), w.updates) << levelName(level);
    }
}

struct Rules {
  Convention convention;
  Model model;
};
const Rules kRules[] = {{Convention::Machine, Model::Exact},
                        {Convention::Timeloop, Model::Exact},
                        {Convention::Machine, Model::Paper}};

TEST(RelaxedTest, EqualsExactAtWholePoints) {
  using D = Dual<1>;
  std::mt19937_64 rng(1);
  unsigned uneven = 0;
  for (unsigned trial = 0; trial < 1500 && !HasFailure(); ++trial) {
    Case c = randomCase(rng);
    const Convention convention = kRules[trial % 3].convention;
    const Model model = kRules[trial % 3].model;
    LayerCost wanted = evaluateLayer(c.layer, c.mapping, c.target, convention,
                                     {}, model, Latency::Issue);
    auto run = [&](auto zero) {
      using T = decltype(zero);
      // As a search has them: from logarithms, whole but for rounding.
      RelaxedFactors<T> factors = factorsOf<T>(c.mapping);
      for (Level level : kAllLevels)
        for (Dim dim : kAllDims) {
          T &factor = factors.temporal[level][dim];
          factor = T(std::exp(std::log(valueOf(factor))));
        }
      for (T *factor : {&factors.rows, &factors.cols})
        *factor = T(std::exp(std::log(valueOf(*factor))));
      Nest<T> nest = relaxedNest(c.layer, factors, c.mapping.order);
      BasicLayerCost<T> cost =
          countAccesses(nest, convention, c.target, {}, model);
      charge(cost, nest, c.target, convention, model, Latency::Issue);
      expectEqual(cost, wanted);
      return nest;
    };
    run(0.0);
    Nest<D> nest = run(D(0.0));
    for (Dim dim : kAllDims)
      uneven += std::fmod(nest.bound(dim),
                          valueOf(nest.tile[Level::Scratchpad][dim])) != 0;
  }
  EXPECT_GE(uneven, 500u);
}

// A search takes both from one evaluation: to the last bit what it would get
// from two. All kinds of layers have all numbers of factors, so that each width
// of the vectors is met; mappings need not be legal.
TEST(RelaxedTest, ValuesThatComeWithSlopesAreTheExactOnes) {
  std::mt19937_64 rng(6);
  PerDim<unsigned> seen{0};
  for (unsigned trial = 0; trial < 1500 && !HasFailure(); ++trial) {
    Case c = randomCase(rng);
    if (trial % 5 == 0) // few factors
      for (Dim dim : {Dim::N, Dim::P, Dim::Q, Dim::R, Dim::S})
        c.layer.dims[dim] = 1;
    if (trial % 7 == 0)
      c.mapping.temporal[Level::Registers][Dim::K] = 2;
    unsigned count = 0;
    forEachFactor(c.layer, [&](auto, Dim) { ++count; });
    ++seen[kAllDims[(count - 1) / 8]];
    const FusedEnds<double> ends{double(trial / 3 % 2), double(trial / 6 % 2)};
    for (Latency latency :
         {Latency::Roofline, Latency::Issue, Latency::Streams}) {
      auto cost = createCostFunction(kRules[trial % 3].convention,
                                     kRules[trial % 3].model, latency);
      LayerCost wanted = cost->evaluate(c.layer, c.mapping, c.target, ends);
      FactorSlopes energy, cycles;
      LayerCost found = cost->differentiate(c.layer, c.mapping, c.target,
                                            energy, cycles, ends);
      EXPECT_EQ(found.energy, wanted.energy);
      EXPECT_EQ(found.cycles, wanted.cycles);
      expectEqual(found, wanted);
    }
  }
  for (unsigned width = 0; width < 3; ++width)
    EXPECT_GE(seen[kAllDims[width]], 100u) << "up to " << 8 * (width + 1);
}

// The batched form is the same arithmetic, lane by lane.
TEST(RelaxedTest, BatchesEqualSingleMappings) {
  std::mt19937_64 rng(5);
  for (unsigned trial = 0; trial < 200; ++trial) {
    Case c = randomCase(rng);
    std::vector<Mapping> mappings;
    for (unsigned i = 0; i < 19; ++i) { // not a multiple of any width
      Mapping m = c.mapping;
      if (i % 9 == 5)
        std::shuffle(c.mapping.order[Level::Dram].begin(),
                     c.mapping.order[Level::Dram].end(), rng);
      m.order = c.mapping.order;
      for (Dim dim : kAllDims)
        for (Level level : {Level::Accumulator, Level::Scratchpad})
          if (dim != Dim::G && c.layer.dims[dim] > 1)
            m.temporal[level][dim] = pick(rng, 1, 4);
      m.cols = pick(rng, 1, 8);
      mappings.push_back(m);
    }
    const Rules rules = kRules[trial % 3];
    std::vector<LayerEstimate> found(mappings.size());
    evaluateLayers(c.layer, mappings, c.target, rules.convention, found,
                   rules.model);
    for (size_t i = 0; i < mappings.size(); ++i) {
      LayerCost wanted = evaluateLayer(c.layer, mappings[i], c.target,
                                       rules.convention, {}, rules.model);
      EXPECT_NEAR(found[i].energy / wanted.energy, 1, 1e-14);
      EXPECT_NEAR(found[i].cycles / wanted.cycles, 1, 1e-14);
      EXPECT_EQ(found[i].dramBytes, wanted.dramBytes.total());
    }
  }
}

/// The variables of a gradient check, at a random real point: first the factors
/// of a case, each near the mapping's.
struct Variables {
  struct Slot {
    Level level;
    Dim dim;
  };
  std::vector<double> x;
  std::vector<std::string> kinds;
  std::vector<Slot> slots;

  void add(const char *kind, double value) {
    x.push_back(value);
    kinds.push_back(kind);
  }
  template <typename RealT> Variables(const Case &c, RealT real) {
    for (Level level :
         {Level::Registers, Level::Accumulator, Level::Scratchpad})
      for (Dim dim : kAllDims)
        if (int64_t factor = c.mapping.temporal[level][dim]; factor > 1) {
          slots.push_back({level, dim});
          add(levelName(level), double(factor) * (0.6 + 0.8 * real()));
        }
    auto near = [&](int64_t factor) {
      return std::max(1.1, double(factor) * (0.7 + 0.5 * real()));
    };
    add("columns", near(c.mapping.cols));
    add("rows", c.layer.isDepthwise() ? 1.0 : near(c.mapping.rows));
  }
  template <typename T>
  RelaxedFactors<T> factors(const std::vector<T> &p) const {
    RelaxedFactors<T> factors;
    for (size_t i = 0; i < slots.size(); ++i)
      factors.temporal[slots[i].level][slots[i].dim] = p[i];
    factors.cols = p[slots.size()];
    factors.rows = p[slots.size() + 1];
    return factors;
  }
};

// Every kind of parameter: factors in time, over rows and columns, both ends'
// sigma, weights of loop orders.
TEST(RelaxedTest, GradientsEqualCentralDifferences) {
  std::mt19937_64 rng(2);
  auto real = [&] { return double(rng() >> 11) * 0x1.0p-53; };
  GradientCheck check;
  unsigned points = 0;
  for (; points < 1000 && !HasFailure(); ++points) {
    Case c = randomCase(rng);
    const Convention convention = kRules[points % 3].convention;
    const Model model = kRules[points % 3].model;
    std::vector<PerLevel<LoopOrder>> orders(3, c.mapping.order);
    for (auto &order : orders)
      for (Level level : kAllLevels)
        std::shuffle(order[level].begin(), order[level].end(), rng);

    Variables variables(c, real);
    const size_t rest = variables.x.size();
    variables.add("sigma in", real());
    variables.add("sigma out", real());
    for (size_t i = 0; i < orders.size(); ++i)
      variables.add("order weight", 0.1 + real());
    ASSERT_LE(variables.x.size(), size_t(GradientCheck::kWidth));

    auto evaluate = [&](const auto &p) {
      using T = std::decay_t<decltype(p[0])>;
      FusedEnds<T> ends{p[rest], p[rest + 1]};
      Nest<T> nest =
          relaxedNest(c.layer, variables.factors(p), c.mapping.order);
      std::vector<RelaxedCost<T>> costs;
      for (const PerLevel<LoopOrder> &order : orders) {
        nest.order = order;
        costs.push_back(evaluateRelaxed(nest, c.target, convention, ends, model,
                                        Latency::Issue));
      }
      const T commands =
          countAccesses(nest, convention, c.target, ends, model).commands +
          1.0; // none but in the machine's counts
      RelaxedCost<T> cost =
          mixOrders<T, T>(costs, llvm::ArrayRef(p).drop_front(rest + 2));
      return std::vector<T>{cost.energy, cost.cycles, cost.dramBytes, commands};
    };
    check.run(evaluate, variables.x, variables.kinds);
  }
  EXPECT_EQ(points, 1000u);
  for (const char *kind : {"registers", "accumulator", "scratchpad", "columns",
                           "rows", "sigma in", "sigma out", "order weight"})
    EXPECT_GE(check.slopes(kind), 500u) << kind;
  // Kinks are rare.
  EXPECT_LE(check.kinks(), check.compared() / 20);
}

// The other latency, on a machine whose every constant binds somewhere.
TEST(RelaxedTest, StreamLatencyGradientsEqualCentralDifferences) {
  std::mt19937_64 rng(7);
  auto real = [&] { return double(rng() >> 11) * 0x1.0p-53; };
  GradientCheck check;
  unsigned points = 0;
  for (; points < 1000 && !HasFailure(); ++points) {
    Case c = randomCase(rng);
    c.target.dmaBytesPerCycle = 4;
    c.target.dmaMaxRequestBytes = 16;
    Variables variables(c, real);
    auto evaluate = [&](const auto &p) {
      Nest nest = relaxedNest(c.layer, variables.factors(p), c.mapping.order);
      auto latency = streamLatency(streamedLayer(nest), c.target);
      return std::vector{latency.cycles, latency.execute, latency.load,
                         latency.store};
    };
    check.run(evaluate, variables.x, variables.kinds);
  }
  EXPECT_EQ(points, 1000u);
  for (const char *kind :
       {"registers", "accumulator", "scratchpad", "columns", "rows"})
    EXPECT_GE(check.slopes(kind), 500u) << kind;
  EXPECT_LE(check.kinks(), check.compared() / 20);
}

// What a descent minimises: the mixture of orders by the soft minimum's
// weights, which are constants for its gradient.
TEST(RelaxedTest, SoftMinimumOverOrders) {
  std::mt19937_64 rng(3);
  auto real = [&] { return double(rng() >> 11) * 0x1.0p-53; };
  GradientCheck check;
  for (unsigned trial = 0; trial < 200 && !HasFailure(); ++trial) {
    Case c = randomCase(rng);
    std::vector<PerLevel<LoopOrder>> orders(3, c.mapping.order);
    for (auto &order : orders)
      for (Level level : kAllLevels)
        std::shuffle(order[level].begin(), order[level].end(), rng);
    auto costsAt = [&](const auto &factors) {
      using T = std::decay_t<decltype(factors.rows)>;
      Nest<T> nest = relaxedNest(c.layer, factors, c.mapping.order);
      std::vector<RelaxedCost<T>> costs;
      for (const PerLevel<LoopOrder> &order : orders) {
        nest.order = order;
        costs.push_back(evaluateRelaxed(nest, c.target, Convention::Machine));
      }
      return costs;
    };

    // Cold, it is the best order's exact cost; warm, the mean of all.
    const auto costs = costsAt(factorsOf<double>(c.mapping));
    double least = HUGE_VAL, mean = 0;
    for (const PerLevel<LoopOrder> &order : orders) {
      c.mapping.order = order;
      LayerCost cost = evaluateLayer(c.layer, c.mapping, c.target);
      least = std::min(least, cost.energy * cost.cycles);
      mean += cost.energy / double(orders.size());
    }
    auto mixed = [&](double temperature) {
      return mixOrders<double, double>(costs,
                                       softMinimum<double>(costs, temperature));
    };
    EXPECT_NEAR(mixed(1e-9).energy * mixed(1e-9).cycles / least, 1, 1e-12);
    EXPECT_NEAR(mixed(1e9).energy / mean, 1, 1e-6);
    const auto weights = softMinimum<double>(costs, 0.5);
    const double ratio =
        costs[1].energy * costs[1].cycles / (costs[0].energy * costs[0].cycles);
    EXPECT_NEAR(weights[1] / weights[0] * ratio * ratio, 1, 1e-9);

    Variables variables(c, real);
    const auto held =
        softMinimum<double>(costsAt(variables.factors(variables.x)), 0.2);
    check.run(
        [&](const auto &p) {
          using T = std::decay_t<decltype(p[0])>;
          RelaxedCost<T> cost =
              mixOrders<T, double>(costsAt(variables.factors(p)), held);
          return std::vector<T>{cost.energy, cost.cycles, cost.dramBytes};
        },
        variables.x, variables.kinds);
  }
  EXPECT_GE(check.slopes("scratchpad"), 500u);
}

// P's loop lies inside K's, so as soon as it runs, K's trips load I again.
// Between one trip and two it runs in part (eq. (refetches)).
TEST(RelaxedTest, LoopsAppearGradually) {
  EXPECT_EQ(gateOf(1.0), 0);
  EXPECT_EQ(gateOf(0.5), 0);
  EXPECT_EQ(gateOf(2.0), 1);
  EXPECT_EQ(gateOf(7.0), 1);
  EXPECT_DOUBLE_EQ(gateOf(1.5), 0.5);
  EXPECT_DOUBLE_EQ(gateOf(1.25), 3.0 / 16 - 2.0 / 64); // no slope at its ends
  EXPECT_EQ(gateOf(Batch<2>(1.25))[1], gateOf(1.25));

  Layer layer;
  layer.dims[Dim::K] = 8;
  layer.dims[Dim::P] = layer.inputExtent[Axis::H] = 12;
  auto loads = [&](double tile) {
    RelaxedFactors<double> factors;
    factors.temporal[Level::Scratchpad][Dim::P] = tile;
    factors.temporal[Level::Scratchpad][Dim::K] = 2;
    PerLevel<LoopOrder> innermostFirst(
        {Dim::P, Dim::K, Dim::Q, Dim::N, Dim::G, Dim::C, Dim::R, Dim::S});
    return detail::refetches(relaxedNest(layer, factors, innermostFirst),
                             Tensor::I, Level::Scratchpad);
  };
  EXPECT_EQ(loads(12), 1);
  EXPECT_DOUBLE_EQ(loads(11.75), 1 + 3 * gateOf(12 / 11.75));
  EXPECT_LT(loads(11.75), loads(11.6));
  for (double tile : {11, 6, 4})
    EXPECT_EQ(loads(tile), 4);
  // Towards 7 there is less than the two trips of 6.
  EXPECT_DOUBLE_EQ(loads(6.4), 1 + 3 * gateOf(12 / 6.4));
}

// Nonsense does not crash, whatever it is.
TEST(RelaxedTest, BadMappingsAreClipped) {
  std::mt19937_64 rng(4);
  Layer broken;
  broken.dims = PerDim<int64_t>(0);
  broken.stride = {0, 0};
  EXPECT_EQ(evaluateLayer(broken, Mapping(), Accelerator()).macs, 0);
  for (unsigned trial = 0; trial < 200; ++trial) {
    Case c = randomCase(rng);
    for (Level level : kAllLevels)
      for (Dim dim : kAllDims)
        c.mapping.temporal[level][dim] =
            trial % 2 ? pick(rng, -4, 4) : int64_t(rng());
    c.mapping.rows = int64_t(rng());
    c.mapping.cols = -c.mapping.rows;
    for (Convention convention : {Convention::Timeloop, Convention::Machine}) {
      LayerCost cost = evaluateLayer(c.layer, c.mapping, c.target, convention);
      EXPECT_TRUE(std::isfinite(cost.energy));
      EXPECT_GE(cost.dramBytes.total(), 0);
    }
  }
}

// A search by gradients may have factors below 1 on its way; formulas must not
// divide by tiles of nothing.
TEST(Relaxed, FactorsBelowOneHaveFiniteCost) {
  std::mt19937_64 rng(5);
  for (int round = 0; round < 300; ++round) {
    const Case c = randomCase(rng);
    RelaxedFactors<double> factors = factorsOf<double>(c.mapping);
    auto shrink = [&](double &factor) {
      factor *= std::exp2(-double(pick(rng, 0, 6)) / 2);
    };
    for (Level level :
         {Level::Registers, Level::Accumulator, Level::Scratchpad})
      for (Dim dim : kAllDims)
        shrink(factors.temporal[level][dim]);
    shrink(factors.rows);
    shrink(factors.cols);
    const Nest<double> nest = relaxedNest(c.layer, factors, c.mapping.order);
    for (Convention convention : {Convention::Machine, Convention::Timeloop}) {
      const RelaxedCost<double> cost =
          evaluateRelaxed(nest, c.target, convention);
      EXPECT_TRUE(std::isfinite(cost.energy) && std::isfinite(cost.cycles) &&
                  std::isfinite(cost.dramBytes))
          << "round " << round;
    }
  }
}

} // namespace
