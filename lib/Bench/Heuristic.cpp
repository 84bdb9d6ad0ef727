//===- Heuristic.cpp - Scoring the peer's tile rules ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Heuristic.h"

#include "fadiff/Bench/LibraryProgram.h"
#include "fadiff/Bench/Networks.h"
#include "fadiff/Search/Baselines.h"
#include "fadiff/Simulator/Machine.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <utility>

using namespace fadiff;
using llvm::StringRef;
namespace json = llvm::json;

static double outputWords(const Layer &layer) {
  double words = 1;
  for (Dim dim : {Dim::N, Dim::G, Dim::K, Dim::P, Dim::Q})
    words *= double(layer.dims[dim]);
  return words;
}

namespace {

/// What the library calls for a network.
struct LibraryCalls {
  std::vector<LibraryTile> tiles;       ///< by layer
  std::vector<const Layer *> residuals; ///< sums of what these make
  std::vector<const Layer *> averages;  ///< over all pixels of what these make
};

} // namespace

/// `name` as in benchNetworkNames().
static LibraryCalls callsOf(StringRef name, const Network &network,
                            const Accelerator &target) {
  std::vector<LibraryPooling> pooling(network.layers.size());
  LibraryCalls calls;
  for (const Edge &edge : network.edges) {
    StringRef through = edge.blocked;
    // A blocked edge's reason names what stands on it (lib/Bench/Networks.cpp).
    if (through.contains("max pooling"))
      pooling[edge.producer] = name.starts_with("resnet")
                                   ? LibraryPooling{3, 2, 1}
                                   : LibraryPooling{2, 2, 0};
    if (through.contains("residual"))
      calls.residuals.push_back(&network.layers[edge.consumer]);
    if (through.contains("average pooling"))
      calls.averages.push_back(&network.layers[edge.producer]);
  }
  for (auto [layer, pool] : llvm::zip_equal(network.layers, pooling)) {
    LibraryCall call = libraryCall(layer);
    bool pointwise = call == LibraryCall::Conv && pool.size == 1;
    for (Axis axis : kAllAxes)
      pointwise &= layer.dims[kernelDim(axis)] == 1 && layer.stride[axis] == 1;
    if (pointwise)
      call = LibraryCall::Matmul;
    calls.tiles.push_back(libraryTile(layer, target, call, pool));
  }
  return calls;
}

LibraryNetworkTraffic fadiff::libraryNetworkTraffic(StringRef name,
                                                    const Network &network,
                                                    const Accelerator &target) {
  const LibraryCalls calls = callsOf(name, network, target);
  LibraryNetworkTraffic sum;
  for (const Layer *layer : calls.residuals) {
    const double words = outputWords(*layer);
    sum.residualReads += 2 * words;
    sum.residualWrites += words;
  }
  for (const Layer *layer : calls.averages) {
    sum.averageReads += outputWords(*layer);
    sum.averageWrites +=
        outputWords(*layer) / double(layer->dims[Dim::P] * layer->dims[Dim::Q]);
  }
  for (auto [layer, tile] : llvm::zip_equal(network.layers, calls.tiles))
    sum.layers += libraryTraffic(layer, target, tile);
  return sum;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

int64_t LibraryNetworkTime::cycles() const {
  return std::accumulate(layers.begin(), layers.end(), residuals);
}

llvm::Expected<LibraryNetworkTime>
fadiff::simulateLibraryNetwork(StringRef name, const Network &network,
                               const Accelerator &target) {
  const LibraryCalls calls = callsOf(name, network, target);
  sim::Machine machine(target, {/*functional=*/false});
  LibraryNetworkTime time;
  auto execute = [&](const isa::Command &command) {
    ++time.commands;
    machine.execute(command.funct, command.rs1, command.rs2);
  };
  int64_t before = 0;
  auto fence = [&] {
    machine.fence();
    return machine.cycles() - std::exchange(before, machine.cycles());
  };
  // Nothing is read there.
  const uint64_t input = uint64_t(1) << 32, weights = uint64_t(5) << 30,
                 output = uint64_t(6) << 30, bias = uint64_t(7) << 30;
  for (auto [layer, tile] : llvm::zip_equal(network.layers, calls.tiles)) {
    LibraryOperands operands;
    operands.input = input;
    operands.weights = weights;
    operands.output = output;
    operands.bias = layer.hasBias ? bias : 0;
    libraryLayer(layer, target, tile, operands, execute);
    time.layers.push_back(fence());
  }
  for (const Layer *layer : calls.residuals) {
    LibraryResidual sum;
    sum.a = input;
    sum.b = weights;
    sum.c = output;
    sum.rows = layer->dims[Dim::N] * layer->dims[Dim::P] * layer->dims[Dim::Q];
    sum.cols = layer->outputChannels();
    libraryResidual(sum, target, execute);
    time.residuals += fence();
  }
  if (machine.fault())
    return llvm::createStringError("library's program of '" + name + "' on '" +
                                   target.name +
                                   "': " + machine.fault()->str());
  time.bytesRead = machine.total().dramBytesRead;
  time.bytesWritten = machine.total().dramBytesWritten;
  return time;
}

llvm::Expected<json::Array>
fadiff::timeLibraryNetworks(llvm::ArrayRef<StringRef> names,
                            const Accelerator &target) {
  json::Array entries;
  for (StringRef name : names) {
    llvm::Expected<Network> network = benchNetwork(name);
    if (!network)
      return network.takeError();
    auto time = simulateLibraryNetwork(name, *network, target);
    if (!time)
      return time.takeError();
    json::Array layers;
    for (auto [layer, cycles] : llvm::zip_equal(network->layers, time->layers))
      layers.push_back(json::Object{{"layer", layer.name}, {"cycles", cycles}});
    entries.push_back(json::Object{{"network", name},
                                   {"target", target.name},
                                   {"cycles", time->cycles()},
                                   {"residual_cycles", time->residuals},
                                   {"commands", time->commands},
                                   {"dram_read_bytes", time->bytesRead},
                                   {"dram_write_bytes", time->bytesWritten},
                                   {"layers", std::move(layers)}});
  }
  return std::move(entries);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

static std::string tileText(const PerDim<int64_t> &tile) {
  std::string text;
  for (Dim dim : {Dim::R, Dim::S, Dim::P, Dim::Q, Dim::C, Dim::K, Dim::N})
    text += (text.empty() ? "" : "_") + std::to_string(tile[dim]);
  return text;
}

json::Object fadiff::scoreHeuristicTiles(llvm::ArrayRef<FiresimPoint> points,
                                         const Accelerator &machine) {
  int64_t rows = 0, equal = 0;
  json::Array differing;
  for (const FiresimPoint &point : points) {
    if (point.column != FiresimPoint::Automatic)
      continue;
    ++rows;
    const Layer &layer = *point.layer;
    LibraryTile tile = libraryTile(layer, machine, libraryCall(layer));
    PerDim<int64_t> found = tile.extent;
    if (tile.call == LibraryCall::Matmul)
      for (Dim dim : {Dim::N, Dim::P, Dim::Q})
        found[dim] = std::min(layer.dims[dim], tile.rows);
    if (found == point.tile) {
      ++equal;
      continue;
    }
    differing.push_back(json::Object{{"line", point.line},
                                     {"recorded", tileText(point.tile)},
                                     {"chosen", tileText(found)}});
  }
  return json::Object{{"rows", rows},
                      {"rows_equal", equal},
                      {"target", machine.name},
                      {"order", "R_S_P_Q_C_K_N, Q contiguous"},
                      {"differing", std::move(differing)}};
}

//===----------------------------------------------------------------------===//
// Traffic
//===----------------------------------------------------------------------===//

static json::Object toJson(const DramBytes &bytes) {
  return json::Object{{"input", int64_t(bytes.input)},
                      {"weights", int64_t(bytes.weights)},
                      {"bias", int64_t(bytes.bias)},
                      {"partial_sums", int64_t(bytes.partialReads)},
                      {"read", int64_t(bytes.reads())},
                      {"written", int64_t(bytes.writes())}};
}

llvm::Expected<json::Object>
fadiff::compareHeuristicTraffic(llvm::ArrayRef<Accelerator> machines) {
  json::Array entries;
  for (StringRef name : benchNetworkNames()) {
    llvm::Expected<Network> network = benchNetwork(name);
    if (!network)
      return network.takeError();
    for (const Accelerator &machine : machines) {
      LibraryNetworkTraffic library =
          libraryNetworkTraffic(name, *network, machine);
      DramBytes loops, programs;
      int64_t equal = 0;
      json::Array differing;
      for (const Layer &layer : network->layers) {
        DramBytes theirs = libraryTraffic(
            layer, machine, libraryTile(layer, machine, libraryCall(layer)));
        llvm::Expected<Mapping> mapping = heuristicMapping(layer, machine);
        if (!mapping)
          return mapping.takeError();
        DramBytes ours = evaluateLayer(layer, *mapping, machine).dramBytes;
        loops += theirs;
        programs += ours;
        if (ours.input == theirs.input && ours.weights == theirs.weights) {
          ++equal;
          continue;
        }
        differing.push_back(
            json::Object{{"layer", layer.name},
                         {"library_input", int64_t(theirs.input)},
                         {"program_input", int64_t(ours.input)},
                         {"library_weights", int64_t(theirs.weights)},
                         {"program_weights", int64_t(ours.weights)}});
      }
      entries.push_back(json::Object{
          {"network", name},
          {"target", machine.name},
          {"library",
           json::Object{{"layers", toJson(library.layers)},
                        {"residual_read", int64_t(library.residualReads)},
                        {"residual_written", int64_t(library.residualWrites)},
                        {"average_read", int64_t(library.averageReads)},
                        {"average_written", int64_t(library.averageWrites)},
                        {"read", int64_t(library.reads())},
                        {"written", int64_t(library.writes())}}},
          {"library_unpooled_convolutions", toJson(loops)},
          {"program", toJson(programs)},
          {"layers", network->layers.size()},
          {"layers_equal", equal},
          {"layers_differing", std::move(differing)}});
    }
  }
  return json::Object{{"traffic", std::move(entries)}};
}
