//===- RandomSchedule.cpp - Random legal schedules ------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomSchedule.h"
#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/MatmulLoop.h"
#include "fadiff/Schedule/Turn.h"
#include "fadiff/Search/Baselines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <optional>
#include <utility>

using namespace fadiff;

namespace {

class Drawer {
public:
  Drawer(const Network &network, const Accelerator &target,
         std::mt19937_64 &rng)
      : network(network), target(target), rng(rng) {}

  /// Mappings that let the members of `candidate` share it; nothing if no try
  /// fitted.
  std::optional<std::vector<Mapping>> group(const FusionGroup &candidate) {
    if (candidate.keeps == Axis::W) {
      // Columns are kept as rows of turned images.
      Schedule none;
      none.mappings.resize(network.layers.size());
      const TurnedGroup image = turned(network, none, candidate);
      auto mappings = Drawer(image.network, target, rng).group(image.group);
      if (mappings)
        for (Mapping &mapping : *mappings)
          mapping = turned(mapping);
      return mappings;
    }
    const std::vector<unsigned> &members = candidate.layers;
    const TensorUses uses(network);
    const GroupFlow flow = flowOf(network, uses, candidate);
    if (llvm::Error error =
            verifyFlow(network, uses, candidate, flow, target)) {
      llvm::consumeError(std::move(error));
      return std::nullopt;
    }
    for (int attempt = 0; attempt < 200; ++attempt) {
      PerDim<int64_t> tile{1};
      PerDim<int64_t> stored = network.layers[members.back()].dims;
      if (candidate.poolsOutput)
        for (Axis axis : kAllAxes)
          stored[outputDim(axis)] =
              network.layers[members.back()].pool->outputs[axis];
      LoopOrder order = kAllDims;
      for (Dim dim : {Dim::N, Dim::P, Dim::Q})
        tile[dim] = pick(1, stored[dim]);
      std::shuffle(order.begin(), order.end(), rng);
      if (candidate.keeps) {
        // The next tile is the next one along P, and there is one.
        tile[Dim::P] = pick(1, std::max<int64_t>(1, stored[Dim::P] - 1));
        std::swap(*llvm::find(order, Dim::P), order.front());
      }
      std::vector<const Layer *> chain;
      for (unsigned index : members)
        chain.push_back(&network.layers[index]);
      const GroupTiles tiles(chain, tile, flow, candidate.keeps.has_value(),
                             candidate.poolsOutput);
      Schedule schedule;
      schedule.mappings.resize(network.layers.size());
      std::vector<Mapping> mappings;
      for (size_t i = 0; i < members.size(); ++i) {
        mappings.push_back(member(tiles, i, order));
        schedule.mappings[members[i]] = mappings.back();
      }
      if (llvm::Error error = verify(network, schedule, candidate, target))
        llvm::consumeError(std::move(error));
      else
        return mappings;
    }
    return std::nullopt;
  }

private:
  int64_t pick(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(rng() % (high - low + 1));
  }
  int64_t divisor(int64_t n) {
    int64_t d = pick(1, n);
    while (n % d)
      --d;
    return d;
  }

  Mapping member(const GroupTiles &tiles, size_t index,
                 const LoopOrder &order) {
    const Layer &layer = tiles.layer(index);
    const PerDim<int64_t> &tile = tiles.tileLayer(index).dims;
    const GroupFlow &flow = tiles.flow();
    const bool last = tiles.isLast(index), skips = tiles.addsOnChip(index);
    // Its input tile is its own business.
    const bool first =
        tiles.loadsInput(index) && !flow.isShared(flow.members[index].input);
    Mapping m;
    // Hand-over packs whole rows of the array's width.
    Dim in = layer.isDepthwise() ? Dim::G : Dim::C;
    Dim out = layer.isDepthwise() ? Dim::G : Dim::K;
    m.cols = std::min(target.side, layer.dims[out]);
    if (last && !skips && (first || !layer.isDepthwise()))
      m.cols = pick(1, m.cols);
    m.rows = layer.isDepthwise() ? 1 : std::min(target.side, layer.dims[in]);
    if (first && !layer.isDepthwise() && rng() % 2)
      m.rows = pick(1, m.rows);
    for (Dim dim : {Dim::N, Dim::P, Dim::Q}) {
      // The last member's factors say what the tile is; others may be cut.
      int64_t registers = last ? divisor(tile[dim]) : pick(1, tile[dim]);
      int64_t left = llvm::divideCeil(tile[dim], registers);
      int64_t accumulator = last ? divisor(left) : pick(1, left);
      // What is pooled, or handed over in place, is there all at once.
      if ((tiles.pooling(index) && dim != Dim::N) ||
          (!last && target.handsOverInPlace()))
        accumulator = left;
      m.temporal[Level::Registers][dim] = registers;
      m.temporal[Level::Accumulator][dim] = accumulator;
      m.temporal[Level::Scratchpad][dim] = llvm::divideCeil(left, accumulator);
      m.temporal[Level::Dram][dim] = tiles.dramFactor(index, dim);
    }
    for (Dim dim : {Dim::G, Dim::K, Dim::C, Dim::R, Dim::S}) {
      int64_t left = llvm::divideCeil(layer.dims[dim], m.spatial(layer, dim));
      for (Level level : {Level::Accumulator, Level::Scratchpad}) {
        int64_t factor = isReduction(dim) ? left : pick(1, left);
        // Layers that are not depthwise walk G at DRAM level only.
        if (dim == Dim::G && !layer.isDepthwise())
          factor = 1;
        m.temporal[level][dim] = factor;
        left = llvm::divideCeil(left, factor);
      }
      m.temporal[Level::Dram][dim] = left;
    }
    // Innermost first; the shared tile loops outermost, in the same order.
    for (Level level : kAllLevels) {
      m.order[level] = kAllDims;
      std::shuffle(m.order[level].begin(), m.order[level].end(), rng);
    }
    m.order[Level::Dram] = order;
    if (const int64_t channels = flow.tiles[flow.members[index].input].slice) {
      slice(m, layer, in, channels);
      // All that is summed up over slices is there at once.
      if (!layer.isDepthwise())
        for (Dim dim : {Dim::N, Dim::P, Dim::Q, Dim::K}) {
          int64_t &factor = m.temporal[Level::Scratchpad][dim];
          m.temporal[Level::Accumulator][dim] *= factor;
          if (dim == Dim::K)
            m.temporal[Level::Accumulator][dim] *=
                std::exchange(m.temporal[Level::Dram][dim], 1);
          factor = 1;
        }
    } else if (flow.handsOverSlices(index)) {
      slice(m, layer, out, flow.tiles[*flow.members[index].output].slice);
    }
    std::stable_partition(
        m.order[Level::Dram].begin(), m.order[Level::Dram].end(), [](Dim dim) {
          return dim != Dim::N && dim != Dim::P && dim != Dim::Q;
        });
    return m;
  }

  /// Lets the outermost loop of the mapping's own walk `channels` of `dim` at a
  /// time: at DRAM, or at the scratchpad, where all weights stay.
  void slice(Mapping &m, const Layer &layer, Dim dim, int64_t channels) {
    const Level level = pick(0, 1) ? Level::Dram : Level::Scratchpad;
    if (level == Level::Scratchpad)
      for (Dim other : {Dim::G, Dim::K, Dim::C, Dim::R, Dim::S})
        m.temporal[Level::Accumulator][other] *=
            std::exchange(m.temporal[Level::Dram][other], 1);
    m.temporal[Level::Dram][dim] = m.temporal[Level::Scratchpad][dim] = 1;
    m.temporal[Level::Accumulator][dim] =
        llvm::divideCeil(channels, m.spatial(layer, dim));
    m.temporal[level][dim] = llvm::divideCeil(layer.dims[dim], channels);
    LoopOrder &order = m.order[level];
    std::rotate(llvm::find(order, dim), llvm::find(order, dim) + 1,
                order.end());
  }

  const Network &network;
  const Accelerator &target;
  std::mt19937_64 &rng;
};

} // namespace

/// Some of the inputs that may be handed over slice by slice are.
static void handOverSlices(const Network &network, const Accelerator &target,
                           FusionGroup &group, std::mt19937_64 &rng) {
  const GroupFlow flow = flowOf(network, group);
  for (size_t i = 1; i < group.layers.size(); ++i) {
    const Layer &layer = network.layers[group.layers[i]];
    const Layer &from = network.layers[group.layers[i - 1]];
    const GroupFlow::Tile &input = flow.tiles[flow.members[i].input];
    const int64_t before = group.sliceOf(group.layers[i - 1]);
    const int64_t blocks = llvm::divideCeil(layer.inputChannels(), target.side);
    if (input.producer != i - 1 || input.reader != i ||
        flow.isShared(flow.members[i].input) || blocks < 2 ||
        (before && !from.isDepthwise()) || rng() % 100 < 30)
      continue;
    group.inputSlices.push_back(
        {group.layers[i],
         before ? before
                : target.side * int64_t(1 + rng() % uint64_t(blocks - 1))});
  }
}

llvm::Expected<Schedule> test::randomSchedule(const Network &network,
                                              const Accelerator &target,
                                              std::mt19937_64 &rng,
                                              const Chances &chances) {
  Schedule schedule;
  for (const Layer &layer : network.layers) {
    llvm::Expected<Mapping> mapping = randomMapping(layer, target, rng);
    if (!mapping)
      return mapping.takeError();
    schedule.mappings.push_back(*mapping);
  }
  // Stretches of layers that a try fits, long ones first.
  Drawer drawer(network, target, rng);
  auto chance = [&](unsigned percent) { return rng() % 100 < percent; };
  auto mayPool = [&](const Layer &layer) {
    llvm::Error error = verifyPoolsOutput(layer, target);
    const bool may = !error;
    llvm::consumeError(std::move(error));
    return may;
  };
  const unsigned longest = target.handOver == HandOver::None ? 1 : 8;
  const unsigned n = unsigned(network.layers.size());
  for (unsigned begin = 0; begin < n;) {
    unsigned length = std::min(n - begin, longest);
    for (;; --length) {
      if (length > 2 && chance(25))
        continue;
      FusionGroup group;
      for (unsigned i = begin; i < begin + length; ++i)
        group.layers.push_back(i);
      // Layers that do not read each other may change places.
      for (unsigned i = 0; i + 1 < length; ++i) {
        const Operands &operands = network.operands[group.layers[i + 1]];
        if (operands.input != group.layers[i] &&
            operands.residual != group.layers[i] && chance(50))
          std::swap(group.layers[i], group.layers[i + 1]);
      }
      for (unsigned layer : group.layers) {
        std::optional<unsigned> residual = network.operands[layer].residual;
        const bool isInside =
            residual && llvm::is_contained(group.layers, *residual);
        if (length > 1 && residual &&
            (isInside ||
             (residual == network.operands[begin].input && chance(70))))
          group.liveSkips.push_back(layer);
      }
      const Layer &last = network.layers[group.layers.back()];
      group.poolsOutput = mayPool(last) && chance(60);
      const Axis axis = chance(chances.rows) ? Axis::H : Axis::W;
      const int64_t rows = group.poolsOutput ? last.pool->outputs[axis]
                                             : last.dims[outputDim(axis)];
      if (length > 1 && !target.handsOverInPlace() && rows > 1 &&
          chance(chances.keeps))
        group.keeps = axis;
      if (chances.slices > 0 && chance(chances.slices))
        handOverSlices(network, target, group, rng);
      std::optional<std::vector<Mapping>> mappings;
      if (group.isTiled())
        mappings = drawer.group(group);
      if (!mappings && !group.inputSlices.empty()) {
        group.inputSlices.clear();
        mappings = drawer.group(group);
      }
      if (!mappings && length > 1)
        continue;
      if (!mappings)
        group.poolsOutput = false; // alone, as it was drawn first
      else
        for (auto [layer, mapping] : llvm::zip(group.layers, *mappings))
          schedule.mappings[layer] = mapping;
      if (length > 1 && chance(chances.inputTurns)) {
        group.inputTurns = true;
        llvm::Error error = verify(network, schedule, group, target);
        group.inputTurns = !error;
        llvm::consumeError(std::move(error));
      }
      schedule.groups.push_back(std::move(group));
      break;
    }
    begin += length;
  }
  return schedule;
}

/// Tiles at each level by chance, orders too.
static Mapping randomProductMapping(const Layer &layer,
                                    const Accelerator &target,
                                    std::mt19937_64 &rng) {
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(rng() % uint64_t(high - low + 1));
  };
  Mapping m;
  m.rows = std::min(target.side, layer.dims[Dim::C]);
  m.cols = std::min(target.side, layer.dims[Dim::K]);
  const bool hasPixelLoops = pick(0, 1);
  for (Dim dim : kAllDims) {
    int64_t left = llvm::divideCeil(layer.dims[dim], m.spatial(layer, dim));
    for (Level level :
         {Level::Registers, Level::Accumulator, Level::Scratchpad}) {
      const bool isPixel = dim == Dim::N || dim == Dim::P || dim == Dim::Q;
      if (dim == Dim::G || (level == Level::Registers && !isPixel))
        continue;
      // Whole lines and images lie together.
      int64_t factor = pick(1, std::min<int64_t>(left, 8));
      if (isPixel && (!hasPixelLoops || (dim != Dim::P && pick(0, 3))))
        factor = left;
      if (level == Level::Scratchpad && pick(0, 2) == 0)
        factor = 1;
      m.temporal[level][dim] = factor;
      left = llvm::divideCeil(left, factor);
    }
    m.temporal[Level::Dram][dim] = left;
  }
  for (Level level : kAllLevels)
    std::shuffle(m.order[level].begin(), m.order[level].end(), rng);
  return m;
}

std::optional<Schedule> test::randomLoopSchedule(const Network &network,
                                                 const Accelerator &target,
                                                 std::mt19937_64 &rng) {
  Schedule schedule;
  for (const Layer &layer : network.layers) {
    const bool mustFit = rng() % 8 != 0;
    std::optional<Mapping> found;
    for (int attempt = 0; attempt < 2000 && !found; ++attempt) {
      const Mapping mapping = randomProductMapping(layer, target, rng);
      if (llvm::Error error = verify(layer, mapping, target)) {
        llvm::consumeError(std::move(error));
        continue;
      }
      llvm::Expected<MatmulLoop> loop = planMatmulLoop(layer, mapping, target);
      if (loop || !mustFit)
        found = mapping;
      if (!loop)
        llvm::consumeError(loop.takeError());
    }
    if (!found)
      return std::nullopt;
    schedule.groups.push_back({{unsigned(schedule.mappings.size())}});
    schedule.mappings.push_back(*found);
  }
  return schedule;
}
