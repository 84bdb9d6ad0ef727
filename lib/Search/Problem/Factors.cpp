//===- Factors.cpp - Editing the factors of a mapping ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Factors.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace fadiff;

LoopOrder fadiff::classOrder(unsigned index) {
  using C = LoopClass;
  static constexpr C classes[kNumClassOrders][3] = {
      {C::OutputChannels, C::Pixels, C::Reductions},
      {C::OutputChannels, C::Reductions, C::Pixels},
      {C::Pixels, C::OutputChannels, C::Reductions},
      {C::Pixels, C::Reductions, C::OutputChannels},
      {C::Reductions, C::Pixels, C::OutputChannels},
      {C::Reductions, C::OutputChannels, C::Pixels}};
  LoopOrder order{};
  unsigned next = 0;
  for (LoopClass loops : classes[index]) {
    switch (loops) {
    case C::OutputChannels:
      order[next++] = Dim::K;
      break;
    case C::Pixels:
      for (Dim dim : {Dim::Q, Dim::P, Dim::N})
        order[next++] = dim;
      break;
    case C::Reductions:
      for (Dim dim : {Dim::S, Dim::R, Dim::C})
        order[next++] = dim;
      break;
    }
  }
  order[next] = Dim::G;
  return order;
}

static bool isPixel(Dim dim) { return !isRelevant(Tensor::W, dim); }

static Dim columnDim(const Layer &layer) {
  return layer.isDepthwise() ? Dim::G : Dim::K;
}

int64_t fadiff::slotLimit(const Layer &layer, const Accelerator &target,
                          Slot slot, Dim dim, const SearchSpace &space) {
  int64_t bound = layer.dims[dim];
  if (dim == Dim::G && !layer.isDepthwise())
    return 1;
  switch (slot) {
  case Slot::Spatial:
    if (space.isSerial(layer))
      return 1;
    if (dim == columnDim(layer) || (dim == Dim::C && !layer.isDepthwise()))
      return std::min(bound, target.side);
    return 1;
  case Slot::Registers:
    return isPixel(dim) ? bound : 1;
  case Slot::Accumulator:
  case Slot::Scratchpad:
    return bound;
  }
  return 1;
}

static Level levelOf(Slot slot) {
  return slot == Slot::Registers     ? Level::Registers
         : slot == Slot::Accumulator ? Level::Accumulator
                                     : Level::Scratchpad;
}

int64_t fadiff::factorIn(const Layer &layer, const Mapping &mapping, Slot slot,
                         Dim dim) {
  if (slot == Slot::Spatial)
    return mapping.spatial(layer, dim);
  return mapping.temporal[levelOf(slot)][dim];
}

void fadiff::setFactor(const Layer &layer, Mapping &mapping, Slot slot, Dim dim,
                       int64_t factor) {
  if (slot != Slot::Spatial)
    mapping.temporal[levelOf(slot)][dim] = factor;
  else if (dim == columnDim(layer))
    mapping.cols = factor;
  else if (dim == Dim::C)
    mapping.rows = factor;
}

void fadiff::settle(const Layer &layer, Mapping &mapping) {
  if (layer.isDepthwise())
    mapping.rows = 1;
  for (Dim dim : kAllDims) {
    int64_t bound = layer.dims[dim];
    int64_t tile = std::min(bound, mapping.spatial(layer, dim));
    for (Level level :
         {Level::Registers, Level::Accumulator, Level::Scratchpad}) {
      int64_t &factor = mapping.temporal[level][dim];
      if (factor == 1)
        continue;
      factor = std::min(factor, llvm::divideCeilSigned(bound, tile));
      tile = std::min(bound, tile * factor);
    }
    mapping.temporal[Level::Dram][dim] =
        tile == 1 ? bound : llvm::divideCeilSigned(bound, tile);
  }
}

bool fadiff::dividesEvenly(const Layer &layer, const Mapping &mapping) {
  for (Dim dim : kAllDims) {
    int64_t product = mapping.spatial(layer, dim);
    for (Level level : kAllLevels)
      product *= mapping.temporal[level][dim];
    if (product != layer.dims[dim])
      return false;
  }
  return true;
}

bool fadiff::fits(const Layer &layer, const Mapping &mapping,
                  const Accelerator &target) {
  Footprint rows = footprint(layer, mapping);
  return rows.outputRows <= target.accumulatorRows() &&
         rows.inputRows <= target.scratchpadRows() &&
         rows.weightRows <= target.scratchpadRows() - rows.inputRows;
}

/// Halves the outermost factor above 1 of `dim`; false if all are 1.
static bool halve(const Layer &layer, Mapping &mapping, Dim dim,
                  bool accumulatorOnly) {
  for (Slot slot : llvm::reverse(kAllSlots)) {
    if (accumulatorOnly && slot == Slot::Scratchpad)
      continue;
    int64_t factor = factorIn(layer, mapping, slot, dim);
    if (factor <= 1)
      continue;
    int64_t smaller = llvm::divideCeilSigned(factor, 2);
    setFactor(layer, mapping, slot, dim, smaller);
    // What the accumulator gives up, the scratchpad keeps.
    if (accumulatorOnly)
      mapping.temporal[Level::Scratchpad][dim] *= 2;
    return true;
  }
  return false;
}

void fadiff::shrinkToFit(const Layer &layer, Mapping &mapping,
                         const Accelerator &target) {
  settle(layer, mapping);
  while (footprint(layer, mapping).outputRows > target.accumulatorRows()) {
    Dim widest = columnDim(layer);
    int64_t most = llvm::divideCeilSigned(
        mapping.tile(layer, Level::Accumulator, widest), mapping.cols);
    for (Dim dim : {Dim::N, Dim::P, Dim::Q})
      if (int64_t tile = mapping.tile(layer, Level::Accumulator, dim);
          tile > most) {
        most = tile;
        widest = dim;
      }
    if (most <= 1 || !halve(layer, mapping, widest, true))
      break;
    settle(layer, mapping);
  }
  while (!fits(layer, mapping, target)) {
    // Take from the larger of the two tenants.
    Footprint rows = footprint(layer, mapping);
    Tensor large = rows.weightRows > rows.inputRows ? Tensor::W : Tensor::I;
    Dim widest = Dim::N;
    int64_t most = 1;
    for (Dim dim : kAllDims) {
      if (!isRelevant(large, dim))
        continue;
      int64_t tile = mapping.tile(layer, Level::Scratchpad, dim);
      if (tile > most) {
        most = tile;
        widest = dim;
      }
    }
    if (most <= 1 || !halve(layer, mapping, widest, false))
      break;
    settle(layer, mapping);
  }
}

void fadiff::roundToDivisors(const Layer &layer, Mapping &mapping) {
  for (Dim dim : kAllDims) {
    int64_t rest = layer.dims[dim];
    for (Slot slot : kAllSlots) {
      std::vector<int64_t> divisors =
          divisorsUpTo(rest, factorIn(layer, mapping, slot, dim));
      int64_t factor = *std::max_element(divisors.begin(), divisors.end());
      setFactor(layer, mapping, slot, dim, factor);
      rest /= factor;
    }
  }
  settle(layer, mapping);
}

std::vector<int64_t> fadiff::divisorsUpTo(int64_t bound, int64_t limit) {
  std::vector<int64_t> divisors;
  for (int64_t low = 1; low * low <= bound; ++low) {
    if (bound % low)
      continue;
    if (low <= limit)
      divisors.push_back(low);
    if (int64_t high = bound / low; high != low && high <= limit)
      divisors.push_back(high);
  }
  return divisors;
}

std::vector<int64_t> fadiff::factorChoices(int64_t bound, int64_t limit,
                                           bool divisorsOnly) {
  std::vector<int64_t> choices = divisorsUpTo(bound, limit);
  if (!divisorsOnly && bound % limit)
    choices.push_back(limit);
  llvm::sort(choices);
  return choices;
}
