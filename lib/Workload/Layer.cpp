//===- Layer.cpp - A layer as a loop nest ---------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Workload/Layer.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <initializer_list>
#include <limits>

using namespace fadiff;

static constexpr std::string_view kDimNames = "NGKCPQRS";
static_assert(kDimNames.size() == kNumDims);

char fadiff::dimName(Dim dim) { return kDimNames[static_cast<size_t>(dim)]; }

std::optional<Dim> fadiff::parseDim(std::string_view name) {
  if (name.size() != 1)
    return std::nullopt;
  size_t index = kDimNames.find(name.front());
  if (index == std::string_view::npos)
    return std::nullopt;
  return kAllDims[index];
}

/// The largest number if the product is larger.
static int64_t saturatingProduct(std::initializer_list<int64_t> factors) {
  int64_t product = 1;
  for (int64_t factor : factors)
    if (llvm::MulOverflow(product, factor, product))
      return std::numeric_limits<int64_t>::max();
  return product;
}

int64_t Layer::macs() const {
  return saturatingProduct({dims[Dim::N], dims[Dim::G], dims[Dim::K],
                            dims[Dim::C], dims[Dim::P], dims[Dim::Q],
                            dims[Dim::R], dims[Dim::S]});
}

std::optional<OutOfBounds> fadiff::findOutOfBounds(const Layer &layer) {
  std::optional<OutOfBounds> found;
  auto check = [&](const char *what, std::optional<Dim> dim, int64_t value,
                   int64_t least, int64_t most) {
    if (!found && (value < least || value > most))
      found = OutOfBounds{what, dim, value, least, most};
  };
  for (Dim dim : kAllDims)
    check("loop bound", dim, layer.dims[dim], 1, kMaxBound);
  for (Axis axis : kAllAxes) {
    check("stride", std::nullopt, layer.stride[axis], 1, kMaxBound);
    check("dilation", std::nullopt, layer.dilation[axis], 1, kMaxBound);
    check("padding", std::nullopt, layer.padLow[axis], 0, kMaxBound);
    check("input extent", std::nullopt, layer.inputExtent[axis], 1, kMaxBound);
  }
  const int64_t widest = layer.elementBytes == 1 ? 128 : 0;
  check("padding value", std::nullopt, layer.padValue, -widest,
        std::max<int64_t>(widest - 1, 0));
  check("number of loads of the residual", std::nullopt, layer.residualLoads, 1,
        layer.scalesResidual ? kMaxResidualLoads : 1);
  check("number of multiply-accumulates", std::nullopt, layer.macs(), 1,
        kMaxWork);
  check("number of input elements", std::nullopt,
        saturatingProduct({layer.dims[Dim::N], layer.dims[Dim::G],
                           layer.dims[Dim::C], layer.inputExtent[Axis::H],
                           layer.inputExtent[Axis::W]}),
        1, kMaxWork);
  return found;
}

std::vector<int64_t> fadiff::contentOf(const Layer &layer) {
  std::vector<int64_t> key;
  for (Dim dim : kAllDims)
    key.push_back(layer.dims[dim]);
  for (Axis axis : kAllAxes)
    key.insert(key.end(), {layer.stride[axis], layer.dilation[axis],
                           layer.padLow[axis], layer.inputExtent[axis]});
  key.insert(key.end(),
             {layer.hasBias, layer.hasResidual, layer.scalesResidual,
              layer.residualLoads, layer.residualBytes, layer.hasScales,
              layer.elementBytes, layer.outputBytes, layer.channelsInnermost});
  if (const std::optional<MaxPool> &pool = layer.pool) {
    key.insert(key.end(), {pool->size, pool->stride});
    for (Axis axis : kAllAxes)
      key.insert(key.end(), {pool->padLow[axis], pool->outputs[axis]});
  }
  // All values but zero cost the same.
  if (layer.padValue != 0)
    key.push_back(1);
  return key;
}

Layer fadiff::withTapsPacked(Layer layer, PackedTaps taps) {
  auto pack = [&](Axis axis) {
    layer.dims[Dim::C] *= layer.dims[kernelDim(axis)];
    layer.dims[kernelDim(axis)] = 1;
    layer.stride[axis] = layer.dilation[axis] = 1;
    layer.padLow[axis] = 0;
    layer.inputExtent[axis] = layer.dims[outputDim(axis)];
  };
  pack(Axis::W);
  if (taps == PackedTaps::RowsAndColumns)
    pack(Axis::H);
  return layer;
}

std::vector<PackedTaps> fadiff::usefulPackings(const Layer &layer,
                                               int64_t side) {
  // Nobody can compute layers beyond that, as the search will say.
  if (findOutOfBounds(layer))
    return {};
  // Products of three such bounds need not fit 64 bits.
  int64_t taps = layer.dims[Dim::R] * layer.dims[Dim::S];
  if (layer.isDepthwise() || 2 * layer.dims[Dim::C] > side || taps > kMaxBound)
    return {};
  // Per output pixel and block of columns.
  auto passes = [&](const Layer &of) {
    return of.dims[Dim::R] * of.dims[Dim::S] *
           llvm::divideCeilSigned(of.dims[Dim::C], side);
  };
  std::vector<PackedTaps> useful;
  for (auto [packed, dim] : {std::pair(PackedTaps::Columns, Dim::S),
                             std::pair(PackedTaps::RowsAndColumns, Dim::R)})
    if (layer.dims[dim] > 1 &&
        2 * passes(withTapsPacked(layer, packed)) <= passes(layer))
      useful.push_back(packed);
  return useful;
}
