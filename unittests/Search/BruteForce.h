//===- BruteForce.h - All mappings of small layers --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tests of the exact bounds compare with.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_UNITTESTS_SEARCH_BRUTEFORCE_H
#define FADIFF_UNITTESTS_SEARCH_BRUTEFORCE_H

#include "Networks.h"

#include "fadiff/Schedule/Schedule.h"
#include "fadiff/Search/Space.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <vector>

namespace fadiff::test {

/// Dims in the order N G K C P Q R S, one stride, padding and dilation.
inline Layer layerOf(std::array<int64_t, kNumDims> dims, int64_t stride = 1,
                     int64_t pad = 0, int64_t dilation = 1) {
  Layer layer;
  layer.name = "layer";
  for (unsigned i = 0; i < kNumDims; ++i)
    layer.dims[kAllDims[i]] = dims[i];
  for (Axis axis : kAllAxes) {
    layer.stride[axis] = stride;
    layer.dilation[axis] = dilation;
    layer.padLow[axis] = layer.dims[kernelDim(axis)] > 1 ? pad : 0;
    layer.inputExtent[axis] = layer.window(axis, layer.dims[outputDim(axis)],
                                           layer.dims[kernelDim(axis)]) -
                              2 * layer.padLow[axis];
  }
  layer.hasBias = true;
  return layer;
}

/// A machine on which memory is scarce and everything costs something.
inline Accelerator tiny(int64_t side, int64_t scratchpad, int64_t accumulator,
                        double dramBandwidth = 1) {
  Accelerator target = smallMachine();
  target.name = "tiny";
  target.side = side;
  target.scratchpadBytes = scratchpad;
  target.accumulatorBytes = accumulator;
  target.energyPerAccess[Level::Dram] = 20;
  target.bandwidth[Level::Scratchpad] = 2 * double(side);
  target.bandwidth[Level::Dram] = dramBandwidth;
  return target;
}

/// Visits every mapping there is, with nothing left out but what the rules of
/// factors, of divisors or of `space` forbid and what does not pass `fits`, and
/// every order of the emitted loops.
class BruteForce {
public:
  BruteForce(const Layer &layer, const Accelerator &target, bool divisors,
             llvm::function_ref<bool(const Mapping &)> fits,
             llvm::function_ref<void(const Mapping &)> visit,
             const SearchSpace &space = {})
      : layer(layer), target(target), divisors(divisors || !space.unevenTiles),
        isSerial(space.isSerial(layer)), fits(fits), visit(visit) {
    factors(0);
  }

private:
  void factors(unsigned index) {
    if (index == kNumDims) {
      if (fits(mapping))
        orders(Level::Accumulator);
      return;
    }
    const Dim dim = kAllDims[index];
    const bool columns = dim == (layer.isDepthwise() ? Dim::G : Dim::K);
    const bool rows = dim == Dim::C && !layer.isDepthwise();
    int64_t most = columns || rows ? std::min(target.side, layer.dims[dim]) : 1;
    if (isSerial)
      most = 1;
    for (int64_t spatial = 1; spatial <= most; ++spatial) {
      if (columns)
        mapping.cols = spatial;
      if (rows)
        mapping.rows = spatial;
      levels(index, spatial, 0);
    }
  }

  void levels(unsigned index, int64_t inner, unsigned level) {
    const Dim dim = kAllDims[index];
    const int64_t bound = layer.dims[dim];
    int64_t &factor = mapping.temporal[kAllLevels[level]][dim];
    if (kAllLevels[level] == Level::Dram) {
      factor = (bound + inner - 1) / inner;
      if (!divisors || factor * inner == bound)
        factors(index + 1);
      return;
    }
    bool fixed = (level == 0 && isRelevant(Tensor::W, dim)) ||
                 (dim == Dim::G && !layer.isDepthwise());
    int64_t most = fixed ? 1 : (bound + inner - 1) / inner;
    for (int64_t value = 1; value <= most; ++value) {
      if (divisors && bound % (inner * value) != 0)
        continue;
      factor = value;
      levels(index, std::min(bound, inner * value), level + 1);
    }
  }

  void orders(Level level) {
    LoopOrder &order = mapping.order[level];
    std::vector<Dim> emitted, rest;
    for (Dim dim : kAllDims)
      (mapping.trips(layer, level, dim) > 1 ? emitted : rest).push_back(dim);
    do {
      std::copy(emitted.begin(), emitted.end(), order.begin());
      std::copy(rest.begin(), rest.end(), order.begin() + emitted.size());
      if (level == Level::Dram)
        visit(mapping);
      else
        orders(static_cast<Level>(static_cast<uint8_t>(level) + 1));
    } while (std::next_permutation(emitted.begin(), emitted.end()));
  }

  const Layer &layer;
  const Accelerator &target;
  const bool divisors, isSerial;
  llvm::function_ref<bool(const Mapping &)> fits;
  llvm::function_ref<void(const Mapping &)> visit;
  Mapping mapping;
};

} // namespace fadiff::test

#endif // FADIFF_UNITTESTS_SEARCH_BRUTEFORCE_H
