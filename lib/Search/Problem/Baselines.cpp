//===- Baselines.cpp - Simple ways to get a mapping -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Baselines.h"

#include "Factors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace fadiff;

llvm::Error fadiff::checkMappable(const Layer &layer,
                                  const Accelerator &target) {
  Mapping smallest;
  for (Dim dim : kAllDims)
    smallest.temporal[Level::Dram][dim] = layer.dims[dim];
  return verify(layer, smallest, target);
}

/// The square tile in units: pixels per axis, rows of N, and channels in
/// blocks of the array.
namespace {
struct SquareTile {
  int64_t rows = 1, pixels = 1, outBlocks = 1, inBlocks = 1;
  bool taps = true;
};
} // namespace

static Mapping makeSquare(const Layer &layer, const Accelerator &target,
                          const SquareTile &tile, int64_t side) {
  Mapping m;
  Dim columns = layer.isDepthwise() ? Dim::G : Dim::K;
  m.cols = std::min(side, layer.dims[columns]);
  m.rows = layer.isDepthwise() ? 1 : std::min(side, layer.dims[Dim::C]);
  m.temporal[Level::Registers][Dim::N] = tile.rows;
  m.temporal[Level::Registers][Dim::P] = tile.pixels;
  m.temporal[Level::Registers][Dim::Q] = tile.pixels;
  m.temporal[Level::Accumulator][columns] = tile.outBlocks;
  if (!layer.isDepthwise())
    m.temporal[Level::Accumulator][Dim::C] = tile.inBlocks;
  if (tile.taps) {
    m.temporal[Level::Accumulator][Dim::R] = layer.dims[Dim::R];
    m.temporal[Level::Accumulator][Dim::S] = layer.dims[Dim::S];
  }
  for (Level level : kAllLevels)
    m.order[level] = classOrder(4); // output-stationary
  m.order[Level::Accumulator] = classOrder(2);
  settle(layer, m);
  return m;
}

llvm::Expected<Mapping> fadiff::squareTileMapping(const Layer &layer,
                                                  const Accelerator &target) {
  if (llvm::Error error = checkMappable(layer, target))
    return std::move(error);
  // All taps and a full array if that fits at all, else less.
  SquareTile tile;
  int64_t side = target.side;
  Mapping best = makeSquare(layer, target, tile, side);
  if (!fits(layer, best, target)) {
    tile.taps = false;
    best = makeSquare(layer, target, tile, side);
  }
  while (!fits(layer, best, target) && side > 1)
    best = makeSquare(layer, target, tile, side /= 2);

  // Grow in turn while anything grows.
  for (bool grew = true; grew;) {
    grew = false;
    for (int64_t SquareTile::*part :
         {&SquareTile::pixels, &SquareTile::rows, &SquareTile::outBlocks,
          &SquareTile::inBlocks}) {
      SquareTile larger = tile;
      // A GEMM's rows come in blocks of the array, as its columns do.
      larger.*part +=
          part == &SquareTile::rows ? (tile.rows == 1 ? side - 1 : side) : 1;
      Mapping next = makeSquare(layer, target, larger, side);
      if (next == best || !fits(layer, next, target))
        continue;
      tile = larger;
      best = next;
      grew = true;
    }
  }
  return best;
}

llvm::Expected<Mapping> fadiff::randomMapping(const Layer &layer,
                                              const Accelerator &target,
                                              std::mt19937_64 &rng,
                                              bool repairs) {
  if (llvm::Error error = checkMappable(layer, target))
    return std::move(error);
  // The standard's distributions differ between libraries; remainders do not.
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(rng() % uint64_t(high - low + 1));
  };
  auto skewed = [&](int64_t high) { // small and full factors both often
    switch (pick(0, 3)) {
    case 0:
      return int64_t(1);
    case 1:
      return high;
    case 2:
      return pick(1, std::min<int64_t>(high, 4));
    default:
      return pick(1, high);
    }
  };

  Mapping m;
  for (Dim dim : kAllDims) {
    int64_t tile = 1;
    for (Slot slot : kAllSlots) {
      int64_t left = llvm::divideCeilSigned(layer.dims[dim], tile);
      int64_t limit = std::min(left, slotLimit(layer, target, slot, dim, {}));
      int64_t factor = skewed(limit);
      if (slot == Slot::Spatial && limit > 1 && pick(0, 1))
        factor = limit;
      setFactor(layer, m, slot, dim, factor);
      tile = std::min(layer.dims[dim], tile * factor);
    }
  }
  for (Level level : kAllLevels)
    for (unsigned i = kNumDims - 1; i > 0; --i)
      std::swap(m.order[level][i], m.order[level][pick(0, i)]);

  // Halve factors at random until the tiles fit; all ones do.
  settle(layer, m);
  while (repairs && !fits(layer, m, target)) {
    struct Place {
      Slot slot;
      Dim dim;
    };
    llvm::SmallVector<Place, 32> places;
    for (Dim dim : kAllDims)
      for (Slot slot : kAllSlots)
        if (factorIn(layer, m, slot, dim) > 1)
          places.push_back({slot, dim});
    if (places.empty())
      break;
    auto [slot, dim] = places[pick(0, int64_t(places.size()) - 1)];
    setFactor(layer, m, slot, dim, factorIn(layer, m, slot, dim) / 2);
    settle(layer, m);
  }
  return m;
}
