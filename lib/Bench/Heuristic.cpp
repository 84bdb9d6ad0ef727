//===- Heuristic.cpp - Scoring the peer's tile rules ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Bench/Heuristic.h"

#include "fadiff/Bench/Networks.h"
#include "fadiff/Search/Baselines.h"

#include "llvm/ADT/STLExtras.h"

using namespace fadiff;
using llvm::StringRef;
namespace json = llvm::json;

static double outputWords(const Layer &layer) {
  double words = 1;
  for (Dim dim : {Dim::N, Dim::G, Dim::K, Dim::P, Dim::Q})
    words *= double(layer.dims[dim]);
  return words;
}

LibraryNetworkTraffic fadiff::libraryNetworkTraffic(StringRef name,
                                                    const Network &network,
                                                    const Accelerator &target) {
  std::vector<LibraryPooling> pooling(network.layers.size());
  LibraryNetworkTraffic sum;
  for (const Edge &edge : network.edges) {
    StringRef through = edge.blocked;
    // A blocked edge's reason names what stands on it (lib/Bench/Networks.cpp).
    if (through.contains("max pooling"))
      pooling[edge.producer] = name.starts_with("resnet")
                                   ? LibraryPooling{3, 2, 1}
                                   : LibraryPooling{2, 2, 0};
    if (through.contains("residual")) {
      double words = outputWords(network.layers[edge.consumer]);
      sum.residualReads += 2 * words;
      sum.residualWrites += words;
    }
    if (through.contains("average pooling")) {
      const Layer &layer = network.layers[edge.producer];
      sum.averageReads += outputWords(layer);
      sum.averageWrites +=
          outputWords(layer) / double(layer.dims[Dim::P] * layer.dims[Dim::Q]);
    }
  }
  for (auto [layer, pool] : llvm::zip_equal(network.layers, pooling)) {
    LibraryCall call = libraryCall(layer);
    bool pointwise = call == LibraryCall::Conv && pool.size == 1;
    for (Axis axis : kAllAxes)
      pointwise &= layer.dims[kernelDim(axis)] == 1 && layer.stride[axis] == 1;
    if (pointwise)
      call = LibraryCall::Matmul;
    sum.layers +=
        libraryTraffic(layer, target, libraryTile(layer, target, call, pool));
  }
  return sum;
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
