//===- Rtl.cpp - The simulator against RTL --------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Rtl.h"

#include "fadiff/Bench/LibraryProgram.h"
#include "fadiff/Bench/Statistics.h"
#include "fadiff/Simulator/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Parallel.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace fadiff;
using llvm::divideCeilSigned;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// One point
//===----------------------------------------------------------------------===//

static LibraryTile tileOf(const FiresimPoint &point) {
  LibraryTile tile;
  tile.call = libraryCall(*point.layer);
  tile.extent = point.tile;
  if (tile.call == LibraryCall::Matmul)
    tile.rows = point.tile[Dim::N] * point.tile[Dim::P] * point.tile[Dim::Q];
  return tile;
}

/// What was searched may be too large for half of the stock machine.
static Accelerator withRoom(Accelerator machine, const Layer &layer,
                            const LibraryTile &tile) {
  const int64_t side = machine.side;
  const PerDim<int64_t> &t = tile.extent;
  auto blocks = [&](int64_t extent) { return divideCeilSigned(extent, side); };
  int64_t operands = 0, sums = 0;
  if (tile.call == LibraryCall::Matmul) {
    const int64_t i = blocks(tile.rows), j = blocks(t[Dim::K]),
                  k = blocks(t[Dim::C]);
    operands = (i + j) * k * side;
    sums = i * j * side;
  } else {
    int64_t inputs = t[Dim::N], outputs = t[Dim::N];
    for (Axis axis : kAllAxes) {
      inputs *= t[outputDim(axis)] * layer.stride[axis] +
                (t[kernelDim(axis)] - 1) * layer.dilation[axis];
      outputs *= t[outputDim(axis)];
    }
    operands = blocks(t[Dim::C]) * inputs +
               blocks(t[Dim::K]) * t[Dim::R] * t[Dim::S] * t[Dim::C];
    sums = blocks(t[Dim::K]) * outputs;
  }
  constexpr int64_t most = int64_t(1) << 34;
  while (machine.scratchpadRows() / 2 < operands &&
         machine.scratchpadBytes < most)
    machine.scratchpadBytes *= 2;
  while (machine.accumulatorRows() / 2 < sums &&
         machine.accumulatorBytes < most)
    machine.accumulatorBytes *= 2;
  return machine;
}

llvm::Expected<double> fadiff::simulateRtl(const FiresimPoint &point,
                                           const Accelerator &machine) {
  const Layer &layer = *point.layer;
  const LibraryTile tile = tileOf(point);
  sim::Machine simulated(withRoom(machine, layer, tile),
                         {/*functional=*/false});
  // Nothing is read there. Tensors begin in different sets of the caches.
  LibraryOperands operands;
  operands.input = uint64_t(1) << 32;
  operands.weights = (uint64_t(5) << 30) + 3 * 4096;
  operands.output = (uint64_t(6) << 30) + 5 * 4096;
  operands.keeps = false;
  auto run = [&](const LibraryTile &tile) {
    libraryLayer(layer, simulated.accelerator(), tile, operands,
                 [&](const isa::Command &command) {
                   simulated.execute(command.funct, command.rs1, command.rs2);
                 });
    simulated.fence();
  };
  int64_t start = 0;
  if (point.column == FiresimPoint::Searched && machine.cacheBytes) {
    run(libraryTile(layer, machine, tile.call));
    start = simulated.cycles();
  }
  run(tile);
  if (simulated.fault())
    return llvm::createStringError("line " + std::to_string(point.line) + ": " +
                                   simulated.fault()->str());
  return double(simulated.cycles() - start);
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// Simulated cycles by point; what was measured more than once is run once.
static llvm::Expected<std::vector<double>>
simulateAll(llvm::ArrayRef<FiresimPoint> points, const Accelerator &machine) {
  std::map<std::vector<int64_t>, size_t> numbers;
  std::vector<size_t> runOf;
  std::vector<const FiresimPoint *> runs;
  for (const FiresimPoint &point : points) {
    std::vector<int64_t> key = layerKey(*point.layer);
    for (Dim dim : kAllDims)
      key.push_back(point.tile[dim]);
    key.push_back(point.column);
    auto [it, isNew] = numbers.try_emplace(std::move(key), runs.size());
    if (isNew)
      runs.push_back(&point);
    runOf.push_back(it->second);
  }
  std::vector<double> cycles(runs.size());
  std::vector<std::string> errors(runs.size());
  llvm::parallelFor(0, runs.size(), [&](size_t i) {
    if (llvm::Expected<double> found = simulateRtl(*runs[i], machine))
      cycles[i] = *found;
    else
      errors[i] = llvm::toString(found.takeError());
  });
  for (const std::string &error : errors)
    if (!error.empty())
      return llvm::createStringError(error);
  std::vector<double> result;
  for (size_t run : runOf)
    result.push_back(cycles[run]);
  return result;
}

/// Of the points that `takes` takes.
static json::Object
agreementOf(llvm::ArrayRef<FiresimPoint> points,
            llvm::ArrayRef<double> simulated,
            llvm::function_ref<bool(const FiresimPoint &)> takes) {
  std::vector<FiresimPoint> taken;
  std::vector<double> cycles;
  for (auto [point, found] : llvm::zip_equal(points, simulated))
    if (takes(point)) {
      taken.push_back(point);
      cycles.push_back(found);
    }
  return agreement(taken, cycles);
}

//===----------------------------------------------------------------------===//
// Fitting
//===----------------------------------------------------------------------===//

/// Those that are fitted here: dmaLatency, cacheMissCycles,
/// lastLevelMissCycles.
using Constants = FiresimConstants;

static Accelerator withConstants(Accelerator machine,
                                 const Constants &constants) {
  machine.dmaLatency = std::llround(constants[0]);
  machine.cacheMissCycles = constants[1];
  machine.lastLevelMissCycles = constants[2];
  return machine;
}

static llvm::Expected<Constants> fitTo(llvm::ArrayRef<FiresimPoint> points,
                                       const Accelerator &machine) {
  std::vector<double> measured;
  for (const FiresimPoint &point : points)
    measured.push_back(point.cycles);
  return fitConstants(
      {double(machine.dmaLatency), machine.cacheMissCycles,
       machine.lastLevelMissCycles},
      {10, 2, 4}, /*halvings=*/2,
      [&](const Constants &constants) -> llvm::Expected<double> {
        if (llvm::any_of(constants, [](double value) { return value <= 0; }))
          return std::numeric_limits<double>::infinity();
        auto simulated = simulateAll(points, withConstants(machine, constants));
        if (!simulated)
          return simulated.takeError();
        return meanRelativeError(*simulated, measured).value_or(0);
      });
}

llvm::Expected<json::Object>
fadiff::scoreRtl(llvm::ArrayRef<FiresimPoint> points,
                 const Accelerator &machine, const RtlOptions &options) {
  std::map<std::vector<int64_t>, size_t> layers;
  for (const FiresimPoint &point : points)
    layers.try_emplace(layerKey(*point.layer), layers.size());
  auto isFitted = [&](const FiresimPoint &point) {
    return layers.at(layerKey(*point.layer)) % 2 == 0;
  };
  Accelerator used = machine;
  json::Object result{{"target", machine.name},
                      {"points", points.size()},
                      {"layers", layers.size()}};
  if (options.fit) {
    std::vector<FiresimPoint> training;
    for (const FiresimPoint &point : points)
      if (isFitted(point) && double(point.layer->macs()) <= options.fitMacs)
        training.push_back(point);
    llvm::Expected<Constants> constants = fitTo(training, machine);
    if (!constants)
      return constants.takeError();
    used = withConstants(machine, *constants);
    result["fit"] =
        json::Object{{"points", training.size()},
                     {"dma_latency", used.dmaLatency},
                     {"cache_miss_cycles", used.cacheMissCycles},
                     {"last_level_miss_cycles", used.lastLevelMissCycles}};
  }
  auto simulated = simulateAll(points, used);
  if (!simulated)
    return simulated.takeError();
  result["all"] = agreement(points, *simulated);
  result["every_second_layer"] = agreementOf(points, *simulated, isFitted);
  result["other_layers"] =
      agreementOf(points, *simulated,
                  [&](const FiresimPoint &point) { return !isFitted(point); });
  std::vector<size_t> order(points.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  auto ratio = [&](size_t i) { return (*simulated)[i] / points[i].cycles; };
  if (!options.rows) {
    auto distance = [&](size_t i) { return std::fabs(std::log(ratio(i))); };
    llvm::sort(order, [&](size_t a, size_t b) {
      return std::pair(-distance(a), a) < std::pair(-distance(b), b);
    });
    order.resize(std::min<size_t>(order.size(), options.worst));
  }
  if (!order.empty()) {
    json::Array list;
    for (size_t i : order)
      list.push_back(json::Object{{"line", points[i].line},
                                  {"column", kFiresimColumns[points[i].column]},
                                  {"simulated", (*simulated)[i]},
                                  {"measured", points[i].cycles},
                                  {"ratio", ratio(i)}});
    result[options.rows ? "rows" : "worst"] = std::move(list);
  }
  return result;
}
