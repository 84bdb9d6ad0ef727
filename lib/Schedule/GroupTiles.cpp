//===- GroupTiles.cpp - The tied tiles of a fusion group ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/GroupTiles.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace fadiff;

// docs/CostModel.md, eq. 33.
Span fadiff::inputSpan(const Layer &layer, Axis axis, Span outputs) {
  const int64_t reach =
      (layer.dims[kernelDim(axis)] - 1) * layer.dilation[axis] + 1;
  Span result;
  result.begin = std::max<int64_t>(0, outputs.begin * layer.stride[axis] -
                                          layer.padLow[axis]);
  result.end = std::min(layer.inputExtent[axis],
                        (outputs.end - 1) * layer.stride[axis] -
                            layer.padLow[axis] + reach);
  // A window may lie in the padding altogether.
  result.begin = std::min(result.begin, layer.inputExtent[axis]);
  result.end = std::max(result.begin, result.end);
  return result;
}

GroupTiles::GroupTiles(std::vector<const Layer *> layers,
                       const PerDim<int64_t> &tile)
    : chain(std::move(layers)), made(chain.size()), largest(chain.size()),
      total(chain.size()) {
  for (Dim dim : {Dim::N, Dim::P, Dim::Q}) {
    std::vector<Span> &last = made.back()[dim];
    const int64_t bound = chain.back()->dims[dim];
    for (int64_t begin = 0; begin < bound; begin += tile[dim])
      last.push_back({begin, std::min(bound, begin + tile[dim])});
  }
  tie();
}

static PerDim<int64_t> tileOf(const Layer &layer, const Mapping &mapping) {
  PerDim<int64_t> tile{1};
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    tile[dim] = mapping.tile(layer, Level::Scratchpad, dim);
  return tile;
}

static std::vector<const Layer *> chainOf(const Network &network,
                                          const FusionGroup &group) {
  std::vector<const Layer *> chain;
  for (unsigned index : group.layers)
    chain.push_back(&network.layers[index]);
  return chain;
}

GroupTiles::GroupTiles(const Network &network, const Schedule &schedule,
                       const FusionGroup &group)
    : GroupTiles(chainOf(network, group),
                 tileOf(network.layers[group.layers.back()],
                        schedule.mappings[group.layers.back()])) {}

void GroupTiles::tie() {
  for (size_t i = chain.size() - 1; i-- > 0;) {
    const Layer &consumer = *chain[i + 1];
    made[i][Dim::N] = made[i + 1][Dim::N];
    for (Axis axis : kAllAxes)
      for (Span outputs : made[i + 1][outputDim(axis)])
        made[i][outputDim(axis)].push_back(
            inputSpan(consumer, axis, outputs));
  }
  for (size_t i = 0; i < chain.size(); ++i)
    for (Dim dim : {Dim::N, Dim::P, Dim::Q}) {
      largest[i][dim] = total[i][dim] = 0;
      for (Span span : made[i][dim]) {
        largest[i][dim] = std::max(largest[i][dim], span.extent());
        total[i][dim] += span.extent();
      }
    }
  for (size_t i = 0; i < chain.size(); ++i) {
    tileLayers.push_back(*chain[i]);
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      tileLayers[i].dims[dim] = std::max<int64_t>(1, largest[i][dim]);
  }
}

int64_t fadiff::handOverRows(const Layer &layer, const PerDim<int64_t> &outputs,
                             int64_t side) {
  int64_t rows = llvm::divideCeilSigned(
      layer.dims[Dim::G] * layer.dims[Dim::C], std::max<int64_t>(side, 1));
  auto window = [&](Axis axis) {
    return layer.window(axis, outputs[outputDim(axis)],
                        layer.dims[kernelDim(axis)]);
  };
  for (int64_t factor : {outputs[Dim::N], window(Axis::H), window(Axis::W)})
    if (llvm::MulOverflow(rows, factor, rows))
      return std::numeric_limits<int64_t>::max();
  return rows;
}

int64_t GroupTiles::handOverRows(size_t member, int64_t side) const {
  return fadiff::handOverRows(*chain[member], largest[member], side);
}
