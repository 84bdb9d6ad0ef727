//===- LoopLatency.cpp - Cycles of a layer by loop_ws ---------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/LoopLatency.h"
#include "fadiff/CostModel/StreamLatency.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace fadiff;

namespace {

/// Moves of one kind, of one loop_ws: how many, and cycles of the server all
/// together.
struct Busy {
  double moves = 0, cycles = 0;
};

/// What one loop_ws takes of each server.
struct Visit {
  double execute = 0, slab = 0; ///< all, and those of the last k
  Busy input, weights, added, stores;
  double lastStores = 0; ///< of the last column of blocks
};

class LoopModel {
public:
  LoopModel(const Layer &layer, const Mapping &mapping, const MatmulLoop &loop,
            const Accelerator &target)
      : layer(layer), mapping(mapping), loop(loop), target(target),
        side(target.side),
        wide(std::max<int64_t>(target.maxMoveColumns() / target.side, 1)),
        latency(double(target.dmaLatency)),
        perRequest(latency / double(target.dmaRequestsInFlight)),
        fill(double(target.arrayDepth())) {}

  double run();

private:
  Busy load(int64_t count, int64_t rows, int64_t bytes, int64_t localRows,
            bool broadcast = false) const;
  Busy store(int64_t count, int64_t rows, int64_t cols, int64_t bytes) const;
  /// Sums over the blocks of rows of `pixels`: move(count, rows).
  template <typename FnT>
  static void forEachBlock(int64_t all, int64_t block, FnT body) {
    if (all / block)
      body(all / block, block);
    if (all % block)
      body(1, all % block);
  }
  Visit visit(int64_t pixels, int64_t columns, int64_t depth) const;
  double period(const Visit &visit, bool input, bool weights, bool first,
                bool last) const;

  const Layer &layer;
  const Mapping &mapping;
  const MatmulLoop &loop;
  const Accelerator &target;
  const int64_t side, wide;
  const double latency, perRequest, fill;
};

/// The reader's rules, as for S3 of docs/Latency.md.
Busy LoopModel::load(int64_t count, int64_t rows, int64_t bytes,
                     int64_t localRows, bool broadcast) const {
  const int64_t fetched = broadcast ? 1 : rows;
  const double requests =
      double(fetched * llvm::divideCeil(bytes, target.dmaMaxRequestBytes));
  const double beats =
      double(fetched * llvm::divideCeil(bytes, target.dmaBytesPerCycle));
  const double dram = double(fetched * bytes) * target.dramCyclesPerByte();
  const double busy = std::max({requests, beats, double(localRows), dram});
  const double inFlight = double(target.dmaRequestsInFlight);
  const double duration =
      latency + std::max(busy, (requests - inFlight) * perRequest);
  const double open = double(target.openLoads());
  return {double(count), double(count) * std::max({busy, requests * perRequest,
                                                   duration / open})};
}

Busy LoopModel::store(int64_t count, int64_t rows, int64_t cols,
                      int64_t bytes) const {
  const double reads =
      double(rows * llvm::divideCeil(cols, side) + target.accumulatorPipe);
  const double requests =
      double(rows * llvm::divideCeil(cols * bytes, target.dmaMaxRequestBytes));
  const double beats =
      double(rows * llvm::divideCeil(cols * bytes, target.dmaBytesPerCycle));
  return {double(count),
          double(count) * std::max({reads, requests * perRequest, beats,
                                    double(rows * cols * bytes) *
                                        target.dramCyclesPerByte()})};
}

static void add(Busy &to, const Busy &more, double times = 1) {
  to.moves += times * more.moves;
  to.cycles += times * more.cycles;
}

Visit LoopModel::visit(int64_t pixels, int64_t columns, int64_t depth) const {
  const int64_t bytes = target.elementBytes();
  const int64_t j = llvm::divideCeil(columns, side),
                k = llvm::divideCeil(depth, side);
  Visit result;
  double rowCycles = 0;
  auto blocksOf = [&](int64_t cols) { return llvm::divideCeil(cols, side); };
  const bool isFull = layer.outputBytes != bytes;
  forEachBlock(pixels, side, [&](int64_t i, int64_t rows) {
    rowCycles += double(i * std::max(rows, kShortestPass));
    forEachBlock(depth, wide * side, [&](int64_t count, int64_t cols) {
      add(result.input,
          load(i * count, rows, cols * bytes, rows * blocksOf(cols)));
    });
    if (layer.hasBias)
      forEachBlock(columns, side, [&](int64_t count, int64_t cols) {
        add(result.added,
            load(i * count, rows, cols * 4, rows, /*broadcast=*/true));
      });
    forEachBlock(
        columns, isFull ? side : wide * side, [&](int64_t count, int64_t cols) {
          add(result.stores, store(i * count, rows, cols, layer.outputBytes));
        });
  });
  forEachBlock(depth, side, [&](int64_t count, int64_t rows) {
    forEachBlock(columns, wide * side, [&](int64_t times, int64_t cols) {
      add(result.weights,
          load(count * times, rows, cols * bytes, rows * blocksOf(cols)));
    });
  });
  // New weights load while the last pass streams, or behind it.
  const int64_t last = pixels % side ? pixels % side : side;
  result.slab = double(j) * (rowCycles + double(side - last));
  result.execute = result.slab * double(k);
  const double groups = double(llvm::divideCeil(j, isFull ? 1 : wide));
  // Those of the last columns follow the last computes; so do others where
  // computes of a k are fewer than they take.
  result.lastStores =
      std::max(result.stores.cycles / groups,
               result.stores.cycles - result.slab * (groups - 1) / groups);
  return result;
}

/// From one loop_ws to the next. Two run at once: loads of one stand beside the
/// computes of the one before, and begin when all stores of the one before that
/// have been issued.
double LoopModel::period(const Visit &visit, bool input, bool weights,
                         bool first, bool last) const {
  double loads = (input ? visit.input.cycles : 0) +
                 (weights ? visit.weights.cycles : 0) +
                 (first ? visit.added.cycles : 0);
  double stores = 0, behind = 0;
  if (last) {
    stores = visit.stores.cycles;
    const double each = stores / visit.stores.moves;
    behind =
        std::max(visit.lastStores - double(target.storeStations) * each, 0.0) +
        fill;
  }
  const double alone =
      loads > 0 ? latency + std::max(loads + visit.slab, visit.execute)
                : visit.execute;
  return std::max({visit.execute, loads, stores,
                   6.0 * double(target.commandCycles), (behind + alone) / 2});
}

double LoopModel::run() {
  PerDim<Level> level{Level::Accumulator};
  level[Dim::C] = Level::Scratchpad;
  for (const MatmulLoop::Outer &outer : loop.outer)
    if (outer.loop.level == Level::Scratchpad && isReduction(outer.loop.dim))
      level[outer.loop.dim] = Level::Accumulator;

  // In how many of the visits each operand is loaded.
  double oftenInput = 1, oftenWeights = 1;
  for (size_t i = 0; i < loop.outer.size(); ++i) {
    if (i >= loop.outsideInput)
      oftenInput /= double(loop.outer[i].loop.trips);
    if (i >= loop.outsideWeights)
      oftenWeights /= double(loop.outer[i].loop.trips);
  }
  const double reductions =
      double(tileCount(layer, mapping, level[Dim::C], Dim::C));
  const double both = std::min(oftenInput, oftenWeights);

  double total = 0, visits = 0;
  std::optional<Visit> whole;
  auto account = [&](const Visit &each, double count) {
    if (!whole)
      whole = each;
    visits += count;
    // Loads nest: what is loaded less often comes with what is loaded more.
    struct {
      double share;
      bool input, weights;
    } const kinds[] = {{both, true, true},
                       {oftenInput - both, true, false},
                       {oftenWeights - both, false, true},
                       {1 - std::max(oftenInput, oftenWeights), false, false}};
    for (const auto &kind : kinds) {
      if (kind.share <= 0)
        continue;
      auto cycles = [&](bool first, bool last) {
        return period(each, kind.input, kind.weights, first, last);
      };
      const double mean = reductions == 1
                              ? cycles(true, true)
                              : (cycles(true, false) + cycles(false, true) +
                                 (reductions - 2) * cycles(false, false)) /
                                    reductions;
      total += count * kind.share * mean;
    }
  };
  auto runs = [&](Dim dim) {
    return tileRuns(layer, mapping, level[dim], dim);
  };
  const double groups = double(layer.dims[Dim::G]);
  for (const TileRun &n : runs(Dim::N))
    for (const TileRun &p : runs(Dim::P))
      for (const TileRun &q : runs(Dim::Q))
        for (const TileRun &k : runs(Dim::K))
          for (const TileRun &c : runs(Dim::C))
            account(visit(n.extent * p.extent * q.extent, k.extent, c.extent),
                    groups * double(n.count) * double(p.count) *
                        double(q.count) * double(k.count) * double(c.count));

  // The first loads are waited for, and so are the last computes and stores.
  const Visit &end = *whole;
  double start = end.added.cycles + end.input.cycles / end.input.moves +
                 end.weights.cycles / end.weights.moves;
  if (end.added.cycles + end.input.cycles + end.weights.cycles > end.execute)
    start = 0; // They are what the first one takes.
  const bool input = oftenInput == 1, weights = oftenWeights == 1,
             first = reductions == 1;
  const double loads = (input ? end.input.cycles : 0) +
                       (weights ? end.weights.cycles : 0) +
                       (first ? end.added.cycles : 0);
  const double rest = std::max(end.execute, loads + end.slab) -
                      period(end, input, weights, first, /*last=*/true);
  return total + start + std::max(rest, 0.0) + end.lastStores + fill +
         2 * latency + 6.0 * double(target.commandCycles);
}

} // namespace

double fadiff::loopLatency(const Layer &layer, const Mapping &mapping,
                           const MatmulLoop &loop, const Accelerator &target) {
  return LoopModel(layer, mapping, loop, target).run();
}

llvm::Expected<LoopJudgement> fadiff::judgeLoop(const Layer &layer,
                                                const Mapping &mapping,
                                                const Accelerator &target) {
  llvm::Expected<MatmulLoop> loop = planMatmulLoop(layer, mapping, target);
  if (!loop)
    return loop.takeError();
  return LoopJudgement{loopLatency(layer, mapping, *loop, target),
                       walkedCycles(layer, mapping, target)};
}

void fadiff::chooseLoops(const Network &network, Schedule &schedule,
                         const Accelerator &target, LoopUnitUse use) {
  for (FusionGroup &group : schedule.groups) {
    group.byLoop = false;
    if (use == LoopUnitUse::Off || group.isTiled())
      continue;
    const unsigned layer = group.layers.front();
    llvm::Expected<LoopJudgement> judged =
        judgeLoop(network.layers[layer], schedule.mappings[layer], target);
    if (judged)
      group.byLoop =
          use == LoopUnitUse::On || judged->byLoop < judged->byStreams;
    else
      llvm::consumeError(judged.takeError());
  }
}
