//===- Throughput.cpp - Speed of the cost model ---------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Throughput.h"

#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/CostModel/Rates.h"
#include "fadiff/CostModel/Relaxed.h"
#include "fadiff/Search/Baselines.h"
#include "fadiff/Search/Search.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <array>
#include <chrono>

using namespace fadiff;
namespace json = llvm::json;

std::vector<Layer> fadiff::resnet18Layers() {
  std::vector<Layer> layers;
  auto add = [&](const std::string &name, int64_t k, int64_t c, int64_t pixels,
                 int64_t kernel, int64_t stride, int64_t padding) {
    Layer layer;
    layer.name = name;
    layer.dims[Dim::K] = k;
    layer.dims[Dim::C] = c;
    layer.hasBias = true; // the folded batch normalisation's
    for (Axis axis : kAllAxes) {
      layer.dims[outputDim(axis)] = pixels;
      layer.dims[kernelDim(axis)] = kernel;
      layer.stride[axis] = stride;
      layer.padLow[axis] = padding;
      layer.inputExtent[axis] = pixels * stride;
    }
    layers.push_back(layer);
  };
  add("conv1", 64, 3, 112, 7, 2, 3);
  int64_t channels = 64, pixels = 56;
  for (int stage = 1; stage <= 4; ++stage) {
    for (int block = 0; block < 2; ++block) {
      const bool first = stage > 1 && block == 0;
      const int64_t in = first ? channels / 2 : channels;
      const int64_t stride = first ? 2 : 1;
      const std::string name =
          "layer" + std::to_string(stage) + "." + std::to_string(block) + ".";
      add(name + "conv1", channels, in, pixels, 3, stride, 1);
      add(name + "conv2", channels, channels, pixels, 3, 1, 1);
      if (first)
        add(name + "downsample", channels, in, pixels, 1, stride, 0);
    }
    channels *= 2;
    pixels /= 2;
  }
  add("fc", 1000, 512, 1, 1, 1, 0);
  return layers;
}

llvm::Expected<std::vector<Sample>>
fadiff::sampleMappings(llvm::ArrayRef<Layer> layers, const Accelerator &target,
                       unsigned perLayer, uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<Sample> samples;
  for (const Layer &layer : layers)
    for (unsigned i = 0; i < perLayer; ++i) {
      llvm::Expected<Mapping> mapping = randomMapping(layer, target, rng);
      if (!mapping)
        return mapping.takeError();
      samples.push_back({layer, *mapping});
    }
  return samples;
}

namespace {
struct Rate {
  double median = 0, slowest = 0, fastest = 0;
  json::Object report() const {
    return json::Object{
        {"median", median}, {"slowest", slowest}, {"fastest", fastest}};
  }
};
} // namespace

/// Where results go, so that no evaluation can be left out.
static volatile double sink;

/// Evaluations per second of `sweep()`, which makes `size` of them and returns
/// what they add up to.
template <typename Sweep>
static Rate rateOfSweeps(size_t size, double seconds, Sweep sweep) {
  using Clock = std::chrono::steady_clock;
  std::array<double, 5> parts;
  sink = sweep(); // warm up
  for (double &part : parts) {
    const Clock::time_point start = Clock::now();
    uint64_t evaluations = 0;
    double elapsed = 0, sum = 0;
    do {
      sum += sweep();
      evaluations += size;
      elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    } while (elapsed < seconds / parts.size());
    sink = sum;
    part = static_cast<double>(evaluations) / elapsed;
  }
  llvm::sort(parts);
  return {parts[parts.size() / 2], parts.front(), parts.back()};
}

/// Evaluations per second of `evaluate(sample)`, which returns a double.
template <typename Evaluate>
static Rate rateOf(llvm::ArrayRef<Sample> samples, double seconds,
                   Evaluate evaluate) {
  return rateOfSweeps(samples.size(), seconds, [&] {
    double sum = 0;
    for (const Sample &sample : samples)
      sum += evaluate(sample);
    return sum;
  });
}

/// Of evaluateLayers, with all mappings of a layer under the first one's loop
/// order, as a search that sweeps factors has them.
static Rate batchedRate(llvm::ArrayRef<Sample> samples,
                        const Accelerator &target, Convention convention,
                        double seconds) {
  struct Family {
    const Layer *layer;
    std::vector<Mapping> mappings;
    std::vector<LayerEstimate> results;
  };
  std::vector<Family> families;
  for (const Sample &sample : samples) {
    if (families.empty() || families.back().layer->name != sample.layer.name)
      families.push_back({&sample.layer, {}, {}});
    Family &family = families.back();
    family.mappings.push_back(sample.mapping);
    family.mappings.back().order = family.mappings.front().order;
    family.results.emplace_back();
  }
  return rateOfSweeps(samples.size(), seconds, [&] {
    double sum = 0;
    for (Family &family : families) {
      evaluateLayers(*family.layer, family.mappings, target, convention,
                     family.results);
      for (const LayerEstimate &result : family.results)
        sum += result.energy * result.cycles;
    }
    return sum;
  });
}

static double sumOf(const FactorSlopes &slopes) {
  double sum = slopes.rows + slopes.cols;
  for (Level level : kAllLevels)
    for (Dim dim : kAllDims)
      sum += slopes.temporal[level][dim];
  return sum;
}

json::Object fadiff::measureThroughput(llvm::ArrayRef<Sample> samples,
                                       const Accelerator &target,
                                       Convention convention, double seconds) {
  Rate exact = rateOf(samples, seconds, [&](const Sample &sample) {
    LayerCost cost =
        evaluateLayer(sample.layer, sample.mapping, target, convention);
    return cost.energy * cost.cycles;
  });
  Rate batched = batchedRate(samples, target, convention, seconds);
  Rate value = rateOf(samples, seconds, [&](const Sample &sample) {
    RelaxedCost<double> cost = evaluateRelaxed(
        relaxedNest(sample.layer, relaxedFactors(sample.mapping),
                    sample.mapping.order),
        target, convention);
    return cost.energy * cost.cycles;
  });
  Rate gradient = rateOf(samples, seconds, [&](const Sample &sample) {
    RelaxedSlopes slopes =
        differentiateRelaxed(sample.layer, relaxedFactors(sample.mapping),
                             sample.mapping.order, target, convention);
    return slopes.value.energy * slopes.value.cycles + sumOf(slopes.energy) +
           sumOf(slopes.cycles);
  });
  return json::Object{
      {"exact_value_per_second", exact.report()},
      {"batched_value_per_second", batched.report()},
      {"relaxed_value_per_second", value.report()},
      {"relaxed_value_and_gradient_per_second", gradient.report()},
      {"gradient_cost_ratio", exact.median / gradient.median},
  };
}

llvm::Expected<json::Object> fadiff::measureWorth(const Network &network,
                                                  const Accelerator &target,
                                                  double seconds) {
  llvm::Expected<SearchResult> found = search(network, target);
  if (!found)
    return found.takeError();
  const std::unique_ptr<CostFunction> model =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Roofline);
  const Rate rate = rateOfSweeps(1, seconds, [&] {
    const ScheduleCounts counts(
        network, found->schedule,
        evaluateSchedule(network, found->schedule, target, *model), target);
    double sum = 0;
    for (const RateWorth &worth : worthOf(counts, target))
      sum += worth.edpSlope() + worth.edpCeiling();
    return sum;
  });
  return json::Object{{"layers", network.layers.size()},
                      {"groups", found->schedule.groups.size()},
                      {"numbers", kNumRates},
                      {"evaluation_and_slopes_ms", 1e3 / rate.median},
                      {"slowest_ms", 1e3 / rate.slowest}};
}
