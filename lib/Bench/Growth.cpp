//===- Growth.cpp - Time and memory of longer networks --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Growth.h"

#include "llvm/ADT/Twine.h"

#include <sys/resource.h>

using namespace fadiff;

static constexpr unsigned kLongest = 1000;

Network fadiff::growthChain(unsigned length) {
  // 389 generates all residues of the prime 1009, the first few well spread.
  auto channels = [](unsigned i) { return 16 + int64_t(i + 1) * 389 % 1009; };
  Network network;
  for (unsigned i = 0; i < length; ++i) {
    Layer layer;
    layer.name = "conv" + std::to_string(i);
    layer.dims[Dim::C] = channels(i);
    layer.dims[Dim::K] = channels(i + 1);
    layer.hasBias = true;
    for (Axis axis : kAllAxes) {
      layer.dims[outputDim(axis)] = layer.inputExtent[axis] = 28;
      layer.dims[kernelDim(axis)] = i % 2 == 0 ? 1 : 3;
      layer.padLow[axis] = layer.dims[kernelDim(axis)] / 2;
    }
    network.layers.push_back(layer);
    if (i > 0)
      network.edges.push_back({i - 1, i, ""});
  }
  return network;
}

namespace {
/// What the process has taken so far.
struct Usage {
  double cpuSeconds = 0;
  uint64_t peakBytes = 0;
};
} // namespace

static Usage usageSoFar() {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0)
    return {};
#ifdef __APPLE__
  const uint64_t unit = 1;
#else
  const uint64_t unit = 1024;
#endif
  return {double(usage.ru_utime.tv_sec) + 1e-6 * double(usage.ru_utime.tv_usec),
          uint64_t(usage.ru_maxrss) * unit};
}

llvm::Expected<std::vector<GrowthPoint>>
fadiff::runGrowth(const GrowthOptions &options) {
  std::vector<GrowthPoint> points;
  for (unsigned length : options.lengths) {
    if (length == 0 || length > kLongest)
      return llvm::createStringError("lengths: wanted 1 to " +
                                     llvm::Twine(kLongest) + " layers, found " +
                                     llvm::Twine(length));
    const double before = usageSoFar().cpuSeconds;
    llvm::Expected<SearchResult> result =
        search(growthChain(length), options.target, options.search);
    if (!result)
      return result.takeError();
    const Usage usage = usageSoFar();
    points.push_back({length, result->distinctLayers, result->seconds,
                      usage.cpuSeconds - before, result->evaluations,
                      result->enumerated, usage.peakBytes});
  }
  return points;
}

llvm::json::Object fadiff::toJson(const std::vector<GrowthPoint> &points) {
  llvm::json::Array chains;
  for (const GrowthPoint &point : points)
    chains.push_back(llvm::json::Object{
        {"layers", int64_t(point.layers)},
        {"distinct_layers", int64_t(point.distinctLayers)},
        {"seconds", point.seconds},
        {"cpu_seconds", point.cpuSeconds},
        {"cpu_seconds_per_layer", point.cpuSeconds / point.layers},
        {"evaluations", int64_t(point.evaluations)},
        {"enumerated", int64_t(point.enumerated)},
        {"peak_memory_mb", double(point.peakBytes) / 1e6},
    });
  return llvm::json::Object{{"chains", std::move(chains)}};
}
