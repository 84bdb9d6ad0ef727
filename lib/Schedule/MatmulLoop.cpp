//===- MatmulLoop.cpp - Layers that loop_ws can run -----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Schedule/MatmulLoop.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace fadiff;
using llvm::Twine;

namespace {

llvm::Error unfit(const Twine &reason) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), reason);
}

constexpr Dim kPixelDims[] = {Dim::N, Dim::P, Dim::Q};

class Planner {
public:
  Planner(const Layer &layer, const Mapping &mapping, const Accelerator &target)
      : layer(layer), mapping(mapping), target(target) {}

  llvm::Expected<MatmulLoop> run() {
    if (llvm::Error error = checkLayer())
      return std::move(error);
    // The reduction within a scratchpad tile belongs into the loop, if it fits.
    if (llvm::Error tooLarge = plan(/*splitsReduction=*/false)) {
      if (llvm::Error error = plan(/*splitsReduction=*/true)) {
        llvm::consumeError(std::move(error));
        return std::move(tooLarge);
      }
      llvm::consumeError(std::move(tooLarge));
    }
    return result;
  }

private:
  llvm::Error checkLayer() {
    if (target.loopUnit != LoopUnit::Matmul)
      return unfit(describeField(target, "loop_unit"));
    // What is emitted keeps operands in a half that it chooses.
    if (target.loopHalves != LoopHalves::Chosen)
      return unfit(describeField(target, "loop_halves"));
    if (layer.isDepthwise())
      return unfit("a depthwise layer is no matrix product");
    if (layer.dims[Dim::R] != 1 || layer.dims[Dim::S] != 1)
      return unfit("a kernel of " + Twine(layer.dims[Dim::R]) + " x " +
                   Twine(layer.dims[Dim::S]) + " is no matrix product");
    for (Axis axis : kAllAxes)
      if (layer.readsPadding(axis))
        return unfit("the input is padded");
    if (layer.hasResidual)
      return unfit("a residual is added");
    if (layer.hasScales)
      return unfit("its output has a scale per channel");
    if (layer.pool)
      return unfit("its output is pooled on the way to DRAM");
    if (outputVisits(layer, mapping) > 1)
      return unfit("partial sums are spilled");
    if (!layer.channelsInnermost)
      return unfit("channels are not the innermost axis of all tensors");
    return llvm::Error::success();
  }

  llvm::Error plan(bool splitsReduction) {
    result = MatmulLoop();
    for (Level level : {Level::Dram, Level::Scratchpad})
      for (const EmittedLoop &loop : emittedLoops(layer, mapping, level))
        if (splitsReduction || level == Level::Dram || !isReduction(loop.dim))
          result.outer.push_back(
              {loop, mapping.tile(layer,
                                  level == Level::Dram ? Level::Scratchpad
                                                       : Level::Accumulator,
                                  loop.dim)});
    for (Dim dim : kAllDims)
      result.tile[dim] =
          mapping.tile(layer, levelOf(dim, splitsReduction), dim);
    if (result.tile[Dim::G] != 1)
      return unfit("several groups are in one tile");
    if (llvm::Error error = checkRows())
      return error;
    if (llvm::Error error = checkReduction(splitsReduction))
      return error;
    if (llvm::Error error = checkCapacity())
      return error;
    if (llvm::Error error =
            checkLoads(Tensor::I, "the input", result.outsideInput))
      return error;
    if (llvm::Error error =
            checkLoads(Tensor::W, "weights", result.outsideWeights))
      return error;
    return checkTurns();
  }

  static Level levelOf(Dim dim, bool splitsReduction) {
    return isReduction(dim) && !splitsReduction ? Level::Scratchpad
                                                : Level::Accumulator;
  }

  /// The tile's pixels must be rows at one distance, in both tensors.
  llvm::Error checkRows() {
    const PerDim<int64_t> &tile = result.tile;
    auto isWhole = [&](Dim dim) { return tile[dim] == layer.dims[dim]; };
    bool joins = true;
    if (tile[Dim::P] > 1 && layer.dims[Dim::Q] > 1)
      joins = isWhole(Dim::Q) &&
              layer.stride[Axis::H] * layer.inputExtent[Axis::W] ==
                  layer.dims[Dim::Q] * layer.stride[Axis::W];
    if (tile[Dim::N] > 1 && (layer.dims[Dim::P] > 1 || layer.dims[Dim::Q] > 1))
      joins =
          joins && isWhole(Dim::P) && isWhole(Dim::Q) &&
          layer.inputExtent[Axis::H] * layer.inputExtent[Axis::W] ==
              layer.dims[Dim::P] * layer.dims[Dim::Q] * layer.stride[Axis::W];
    if (!joins)
      return unfit("the pixels of a tile are no rows at one distance");
    if (!layer.hasBias)
      return llvm::Error::success();
    // Every tile's bias counts as that of a whole one.
    const int64_t chunks = llvm::divideCeil(result.pixels(), target.side);
    for (Dim dim : kPixelDims)
      for (const TileRun &run :
           tileRuns(layer, mapping, Level::Accumulator, dim))
        if (int64_t(llvm::divideCeil(result.pixels() / tile[dim] * run.extent,
                                     target.side)) != chunks)
          return unfit("the last tile along " + Twine(dimName(dim)) +
                       " takes the bias in fewer pieces");
    return llvm::Error::success();
  }

  /// RTL fetches whole blocks of rows of B, whatever the pad of K is.
  llvm::Error checkReduction(bool splitsReduction) {
    for (const TileRun &run :
         tileRuns(layer, mapping, levelOf(Dim::C, splitsReduction), Dim::C))
      if (run.extent % target.side)
        return unfit("a tile of " + Twine(run.extent) +
                     " input channels is not whole blocks of " +
                     Twine(target.side));
    return llvm::Error::success();
  }

  llvm::Error checkCapacity() {
    const int64_t side = target.side;
    const int64_t i = llvm::divideCeil(result.pixels(), side),
                  j = llvm::divideCeil(result.tile[Dim::K], side),
                  k = llvm::divideCeil(result.tile[Dim::C], side);
    const int64_t half = target.scratchpadRows() / 2,
                  sums = target.accumulatorRows() / 2;
    if ((i * k + k * j) * side > half)
      return unfit("input and weights take " + Twine((i * k + k * j) * side) +
                   " rows of the scratchpad, more than half of it, " +
                   Twine(half));
    if (i * j * side > sums)
      return unfit("outputs take " + Twine(i * j * side) +
                   " rows of the accumulator, more than half of it, " +
                   Twine(sums));
    return llvm::Error::success();
  }

  /// A loop loads a part of the scratchpad's tile, and each part must come as
  /// often as the tile does.
  llvm::Error checkLoads(Tensor tensor, const char *what, size_t &outside) {
    size_t ofTile = 0;
    for (auto [i, outer] : llvm::enumerate(result.outer)) {
      if (!isRelevant(tensor, outer.loop.dim))
        continue;
      outside = i + 1;
      if (outer.loop.level == Level::Dram)
        ofTile = i + 1;
    }
    for (size_t i = ofTile; i < outside; ++i)
      if (!isRelevant(tensor, result.outer[i].loop.dim))
        return unfit(Twine(what) +
                     " of a scratchpad tile would be loaded "
                     "again on each trip of " +
                     Twine(dimName(result.outer[i].loop.dim)));
    return llvm::Error::success();
  }

  /// Operands go to either half in turns, which are counted by the trips of a
  /// whole tile.
  llvm::Error checkTurns() {
    for (const MatmulLoop::Outer &outer : result.outer) {
      if (outer.loop.level != Level::Scratchpad)
        continue;
      for (const TileRun &run :
           tileRuns(layer, mapping, Level::Scratchpad, outer.loop.dim))
        if (int64_t(llvm::divideCeil(run.extent, outer.step)) !=
            outer.loop.trips)
          return unfit("the last scratchpad tile along " +
                       Twine(dimName(outer.loop.dim)) + " has fewer trips");
    }
    return llvm::Error::success();
  }

  const Layer &layer;
  const Mapping &mapping;
  const Accelerator &target;
  MatmulLoop result;
};

} // namespace

llvm::Expected<MatmulLoop> fadiff::planMatmulLoop(const Layer &layer,
                                                  const Mapping &mapping,
                                                  const Accelerator &target) {
  return Planner(layer, mapping, target).run();
}
