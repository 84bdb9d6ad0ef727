//===- StreamPlan.cpp - How the code generator streams a layer ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/StreamPlan.h"

#include "fadiff/CostModel/Requests.h"
#include "fadiff/Schedule/Schedule.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>

using namespace fadiff;

static constexpr Dim kPixelDims[] = {Dim::N, Dim::P, Dim::Q};

bool fadiff::leadsOn(Tensor tensor, Dim dim) {
  return isRelevant(tensor, dim) &&
         (tensor != Tensor::I || (dim != Dim::R && dim != Dim::S));
}

void StreamShape::setExtents(const PerDim<int64_t> &whole,
                             const PerDim<bool> &isExact) {
  box = whole;
  exact = isExact;
  for (size_t i = loops.size();; --i) {
    // Here `box` is what the innermost `i` loops walk.
    if (i == insideWeights)
      weightTile = box;
    if (i == insideInput)
      tile = box;
    if (i == insideSums)
      sums = box;
    if (i == 0)
      return;
    StreamLoop &loop = loops[i - 1];
    loop.whole = box[loop.dim];
    loop.exact = exact[loop.dim];
    if (loop.step >= loop.whole)
      continue;
    exact[loop.dim] = loop.exact && loop.whole % loop.step == 0;
    box[loop.dim] = loop.step;
  }
}

int64_t StreamShape::inputRows() const {
  return footprint(*layer, tile, sums, rows, cols).inputRows;
}

double StreamShape::chunkRows(const Accelerator &target) const {
  const auto side = double(target.side);
  double pixels = 1;
  for (Dim dim : kPixelDims)
    pixels *= double(sums[dim]);
  const Dim channels = layer->isDepthwise() ? Dim::G : Dim::K;
  return std::ceil(pixels / side) * side *
         double(llvm::divideCeil(sums[channels], cols));
}

int64_t StreamShape::weightRows() const {
  return footprint(*layer, weightTile, sums, rows, cols).weightRows;
}

std::string StreamShape::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto extents = [&](const char *name, const PerDim<int64_t> &values) {
    os << ' ' << name;
    for (Dim dim : kAllDims)
      if (values[dim] != 1)
        os << ' ' << dimName(dim) << values[dim];
    os << ';';
  };
  os << "array " << rows << "x" << cols << ';';
  extents("box", box);
  extents("sums", sums);
  extents("input", tile);
  extents("weights", weightTile);
  os << " exact ";
  for (Dim dim : kAllDims)
    if (exact[dim])
      os << dimName(dim);
  os << "; loops";
  for (size_t i = loops.size(); i > 0; --i) {
    const StreamLoop &loop = loops[i - 1];
    os << ' ' << dimName(loop.dim) << loop.whole << '/' << loop.step
       << (loop.exact ? "" : "~");
  }
  os << "; inside weights " << insideWeights << ", input " << insideInput
     << ", sums " << insideSums << ';';
  auto flag = [&](const char *name, bool value) {
    if (value)
      os << ' ' << name << ';';
  };
  flag("bias", layer->hasBias);
  flag("residual loaded", loadsResidual);
  flag("spills", spills);
  if (sumsBeside > 0)
    os << " sums beside " << sumsBeside << " rows;";
  if (weightBlock > 0)
    os << " weights in blocks of " << weightBlock << " columns;";
  flag("weights stay", weightsStay);
  flag("input on chip", inputOnChip);
  flag("input stays", inputStays);
  flag("output in place", outputOnChip && staysInPlace);
  flag("output on chip", outputOnChip && !staysInPlace);
  if (outputOnChip)
    os << " handed over as " << handOver[Axis::H] << 'x' << handOver[Axis::W]
       << ';';
  if (poolReads)
    os << " pools " << poolReads << " to " << mostPooledRows << " lines"
       << (poolPads ? " with padding;" : ";");
  auto tileAs = [&](const char *name, const std::optional<StreamTile> &held) {
    if (held)
      os << ' ' << name << ' ' << held->h << (held->compact[Axis::H] ? "." : "")
         << 'x' << held->w << (held->compact[Axis::W] ? "." : "") << ';';
  };
  tileAs("reads", input);
  tileAs("adds", skip);
  flag("in a ring", hasRing);
  flag("loads a ring", loadsRing);
  if (runs > 0)
    os << " runs " << int64_t(runs) << " times beside " << int64_t(freeRows)
       << " free rows;";
  if (turns.count > 0)
    os << " brings " << turns.count << " pieces of the next tile, of "
       << turns.rows() << " rows each, in " << turns.slices << " slices;";
  os << " outputs of " << layer->outputBytes << " bytes";
  return text;
}

namespace {
using Strides = PerDim<PerPlace<double>>;

/// Pixels in sequence, `strides` apart in each place.
struct Walk {
  double count = 1;
  PerPlace<double> strides{};
  unsigned dims = 0;
  bool exact = true;
};
using Walks = llvm::SmallVector<Walk, 4>; // innermost first

class Planner {
public:
  Planner(const StreamShape &shape, const Accelerator &target)
      : shape(shape), layer(*shape.layer), target(target),
        side(double(target.side)), depthwise(layer.isDepthwise()),
        inChannel(depthwise ? Dim::G : Dim::C),
        outChannel(depthwise ? Dim::G : Dim::K), tapDim(fadiff::tapDim(layer)),
        otherTapDim(fadiff::otherTapDim(layer)) {}

  StreamPlan moves() {
    planPieces();
    return plan;
  }

  StreamPlan run() {
    planPieces();
    const Strides local = localStrides();
    const Walks best = walks(local);
    chosen = best;
    limit = std::floor(streamCycles(best) * 11 / 10);
    // Where most slices find the input there, its pieces must cost them
    // nothing.
    inputLimit = shape.inputStays ? streamCycles(best) : limit;
    // What comes into a ring depends on what is there.
    const bool input = !shape.inputOnChip && !shape.loadsRing &&
                       plan.compact[Axis::H] && plan.compact[Axis::W] &&
                       !plan.clips;
    // Outputs are pooled where the whole tile is complete.
    const bool output =
        !shape.spills && !shape.staysInPlace && shape.poolReads == 0;
    bool done = input && output && tryRuns(local, true, true);
    done = done || (output && tryRuns(local, false, true));
    done = done || (input && tryRuns(local, true, false));
    if (!shape.inputOnChip && plan.input == StreamPieces::Whole)
      tryLines(local);
    if (!shape.staysInPlace && !shape.hasRing)
      planAccumulator(local);
    plan.joinedToStore = chosen.front().dims;
    if (passesApart(best))
      chosen = best;
    plan.joined = chosen.front().dims;
    if (shape.spills)
      plan.sweepLoops = sweepLoops();
    // Whatever else, the next tile's sums need not wait for what leaves.
    const double tiles =
        tilesInTurns(plan.fillsChunks ? shape.chunkRows(target) : sumRows());
    plan.sumsTurn = tiles > 1;
    if (const std::optional<Steps> steps = findSteps()) {
      addLater(*steps);
      storeLater(*steps, tiles);
      bringAhead(*steps, tiles);
    }
    planResidual();
    // These count passes from the tile's first pixel on.
    if (!plan.biasPerRun && !plan.wideStores)
      plan.leastFirst = leastFirst();
    if (!shape.weightsStay)
      plan.weightsAhead = runsAhead(Tensor::W, shape.insideWeights);
    if (shape.turns.count > 0)
      plan.inputTurns = spread(TileTurns(), shape.turns.perSlice(),
                               /*moves=*/1, shape.loops.size());
    if (!shape.inputOnChip)
      plan.inputAhead = runsAhead(Tensor::I, shape.insideInput);
    if (!shape.inputOnChip && !(plan.inputAhead > 0))
      plan.inputTurns = planTurns();
    if (!shape.inputOnChip && !plan.fetchesInputAhead())
      planSpread();
    if (!shape.weightsStay)
      plan.weightTurns = planWeightTurns();
    if (plan.weightTurns)
      plan.weightsAcross = false;
    return plan;
  }

private:
  double extentOf(Axis axis, int64_t out, int64_t kernel) const {
    return double(plan.compact[axis] ? out : layer.window(axis, out, kernel));
  }

  /// A window that is handed over is whole.
  int64_t kernelOf(Axis axis) const {
    return shape.inputOnChip ? layer.dims[kernelDim(axis)]
                             : shape.tile[kernelDim(axis)];
  }

  bool isWhole(double rows) const { return std::fmod(rows, side) == 0; }

  int64_t widest() const {
    return target.maxMoveColumns() / target.side * target.side;
  }

  void planPieces() {
    const int64_t rows = shape.rows, cols = shape.cols;
    const int64_t block = depthwise ? cols : rows;
    // One move spans several blocks only if blocks are the array's width.
    plan.inputChannels = block == target.side ? widest() : block;
    plan.weightRows =
        depthwise ? cols : std::max<int64_t>(target.side / rows, 1) * rows;
    plan.weightColumns = cols == target.side && !depthwise ? widest() : cols;
    plan.outputChannels = cols;
    // Sums of 32 bits are as wide as the array.
    plan.residualColumns =
        cols == target.side && layer.residualBytes == 1 ? widest() : cols;
    // A block that G does not fill would take columns of the next tap.
    if (depthwise && cols == target.side && layer.dims[Dim::G] % cols == 0)
      plan.weightTaps = widest() / cols;
    if (shape.weightBlock > 0 && cols == target.side &&
        shape.weightBlock <= widest()) {
      plan.weightColumns = shape.weightBlock;
      plan.weightTaps = widest() / shape.weightBlock;
    }
    for (Axis axis : kAllAxes) {
      plan.clips |= layer.readsPadding(axis);
      plan.compact[axis] =
          !shape.inputOnChip && shape.tile[kernelDim(axis)] == 1;
    }
  }

  Strides localStrides() const {
    PerAxis<double> extent, step;
    for (Axis axis : kAllAxes) {
      extent[axis] =
          extentOf(axis, shape.tile[outputDim(axis)], kernelOf(axis));
      bool compact = plan.compact[axis];
      if (shape.input) {
        extent[axis] =
            double(axis == Axis::H ? shape.input->h : shape.input->w);
        compact = shape.input->compact[axis];
      }
      step[axis] = compact ? 1.0 : double(layer.stride[axis]);
    }
    Strides strides;
    double width = double(shape.sums[Dim::Q]);
    double height = double(shape.sums[Dim::P]);
    if (shape.staysInPlace) {
      width = double(shape.handOver[Axis::W]);
      height = double(shape.handOver[Axis::H]);
    }
    strides[Dim::N] = {{height * width, extent[Axis::H] * extent[Axis::W]}};
    strides[Dim::P] = {{width, step[Axis::H] * extent[Axis::W]}};
    strides[Dim::Q] = {{1, step[Axis::W]}};
    if (shape.skip) {
      strides[Dim::N][StreamPlace::Skip] =
          double(shape.skip->h) * double(shape.skip->w);
      strides[Dim::P][StreamPlace::Skip] = double(shape.skip->w);
      strides[Dim::Q][StreamPlace::Skip] = 1;
    }
    return strides;
  }

  /// Whether computes have one element of `dim`, not one at most: trips of a
  /// loop over single ones have that, however many there are.
  bool isOne(Dim dim) const {
    return shape.box[dim] == 1 &&
           (shape.exact[dim] ||
            llvm::any_of(shape.loops, [&](const StreamLoop &loop) {
              return loop.dim == dim && loop.step == 1 && loop.whole > 1;
            }));
  }

  /// Dims that continue each other in all places make one sequence.
  Walks walks(const Strides &strides,
              llvm::ArrayRef<Dim> dims = {Dim::Q, Dim::P, Dim::N}) const {
    Walks result;
    for (Dim dim : dims) {
      if (isOne(dim))
        continue;
      const Walk walk{double(shape.box[dim]), strides[dim], 1u << unsigned(dim),
                      shape.exact[dim]};
      if (!result.empty() && result.back().exact) {
        Walk &inner = result.back();
        if (continues(walk.strides, inner.strides, inner.count)) {
          inner.count *= walk.count;
          inner.exact = walk.exact;
          inner.dims |= walk.dims;
          continue;
        }
      }
      result.push_back(walk);
    }
    if (result.empty() || !stepsByRows(result.front().strides))
      result.insert(result.begin(), Walk{1, {{1}}, 0, true});
    return result;
  }

  double streamCycles(const Walks &walks) const {
    const double least = 2 * double(target.commandCycles);
    const double count = walks.front().count, rest = std::fmod(count, side);
    double cycles = std::floor(count / side) * std::max(side, least);
    if (rest > 0)
      cycles += std::max(rest, least);
    for (const Walk &walk : llvm::ArrayRef<Walk>(walks).drop_front())
      cycles *= walk.count;
    return cycles;
  }

  /// Whether passes had better be those of `best` where outputs do not leave
  /// with them, in all reduction steps but a tile's last one.
  bool passesApart(const Walks &best) const {
    if (!plan.storesRuns || plan.input != StreamPieces::Whole ||
        plan.wideStores || plan.biasPerRun || shape.loadsResidual ||
        shape.hasRing ||
        llvm::none_of(llvm::ArrayRef(shape.loops).take_front(shape.insideSums),
                      [](const StreamLoop &loop) {
                        return isReduction(loop.dim) && loop.step < loop.whole;
                      }))
      return false;
    // With what the array waits for the next weights while a short pass is the
    // last one.
    auto cycles = [&](const Walks &walks) {
      const double pixels = walks.front().count;
      return streamCycles(walks) + std::max(side - pixels, 0.0);
    };
    return cycles(best) < cycles(chosen);
  }

  bool fewEnough(const Walks &walks, const PerDim<int64_t> &tile) const {
    double runs = std::ceil(walks.front().count / side), pixels = 1;
    for (const Walk &walk : llvm::ArrayRef<Walk>(walks).drop_front())
      runs *= walk.count;
    for (Dim dim : kPixelDims) {
      runs *= double(llvm::divideCeil(tile[dim], shape.box[dim]));
      pixels *= double(tile[dim]);
    }
    return runs <= 2 * std::ceil(pixels / side);
  }

  PerDim<double> inputDram() const {
    if (shape.inputDram)
      return *shape.inputDram;
    const double width = double(layer.inputExtent[Axis::W]);
    PerDim<double> strides(0.0);
    strides[Dim::N] = double(layer.inputExtent[Axis::H]) * width;
    strides[Dim::P] = double(layer.stride[Axis::H]) * width;
    strides[Dim::Q] = double(layer.stride[Axis::W]);
    return strides;
  }

  PerDim<double> destination() const {
    if (shape.destination)
      return *shape.destination;
    const bool onChip = shape.outputOnChip;
    const double width =
        double(onChip ? shape.handOver[Axis::W] : layer.dims[Dim::Q]);
    PerDim<double> strides(0.0);
    strides[Dim::N] =
        width * double(onChip ? shape.handOver[Axis::H] : layer.dims[Dim::P]);
    strides[Dim::P] = width;
    strides[Dim::Q] = 1;
    return strides;
  }

  bool tryRuns(Strides strides, bool input, bool output) {
    for (Dim dim : kPixelDims) {
      if (input)
        strides[dim][StreamPlace::InputDram] = inputDram()[dim];
      if (output)
        strides[dim][StreamPlace::Destination] = destination()[dim];
    }
    const Walks found = walks(strides);
    if (input && found.front().count > 1 &&
        found.front().strides[StreamPlace::Other] != 1)
      return false;
    if (streamCycles(found) > (input ? inputLimit : limit) ||
        (input && !fewEnough(found, shape.tile)) ||
        (output && !fewEnough(found, shape.sums)))
      return false;
    chosen = found;
    plan.storesRuns = output;
    if (input)
      plan.input = StreamPieces::Runs;
    return true;
  }

  void tryLines(Strides strides) {
    const double width = double(shape.box[Dim::Q]);
    if (width == 1 || (width < side && width < double(shape.tile[Dim::Q])))
      return;
    const Strides local = strides;
    if (plan.storesRuns)
      for (Dim dim : kPixelDims)
        strides[dim][StreamPlace::Destination] =
            chosen.front().strides[StreamPlace::Destination];
    Walks found = walks(strides, {Dim::Q});
    for (Dim dim : {Dim::P, Dim::N})
      if (shape.box[dim] > 1)
        found.push_back({double(shape.box[dim]), local[dim],
                         1u << unsigned(dim), shape.exact[dim]});
    if (streamCycles(found) > std::max(inputLimit, streamCycles(chosen)) ||
        (plan.storesRuns && !fewEnough(found, shape.sums)))
      return;
    chosen = found;
    plan.input = StreamPieces::Lines;
  }

  void planAccumulator(const Strides &local) {
    bool aligned = true, oneBox = true, exact = true;
    for (const Walk &walk : llvm::ArrayRef<Walk>(chosen).drop_front())
      aligned = aligned && isWhole(walk.strides[StreamPlace::Local]);
    double pixels = 1;
    for (Dim dim : kPixelDims) {
      pixels *= double(shape.sums[dim]);
      exact = exact && shape.exact[dim];
      if (shape.box[dim] == shape.sums[dim])
        continue;
      oneBox = false;
      aligned = aligned && isWhole(double(shape.box[dim]) *
                                   local[dim][StreamPlace::Local]);
    }
    if (!aligned || shape.poolReads > 0)
      return;
    plan.biasPerRun =
        layer.hasBias && !shape.loadsResidual && !shape.spills &&
        ((chosen.size() == 1 && oneBox) || (exact && isWhole(pixels)));
    // Where blocks take turns, they leave together.
    const double blocks =
        double(llvm::divideCeil(shape.sums[outChannel], shape.cols));
    // A line of a residual begins where a chunk does, or all of them are one.
    const bool fitsResidual =
        shape.sums[Dim::N] * shape.sums[Dim::P] == 1 ||
        isWhole(double(shape.sums[Dim::Q])) ||
        (leavesNoGap() && isOneRun(distances(shape.residualDram)));
    if (plan.storesRuns && (!shape.loadsResidual || fitsResidual) &&
        !shape.outputOnChip && layer.outputBytes == target.elementBytes() &&
        shape.cols == target.side && blocks > 1 &&
        (isWhole(pixels) ||
         (chosen.size() == 1 && oneBox && mayFillChunks()))) {
      plan.wideStores = true;
      plan.fillsChunks = !isWhole(pixels);
      plan.outputChannels = widest();
    }
  }

  /// Whether sums should take whole chunks. Passes then are short at their end,
  /// and the array waits for the next weights: that must be no longer than it
  /// waits for loads. Nor may sums that have a second place lose it.
  bool mayFillChunks() const {
    if (!shape.fitsChunks || (tilesInTurns(sumRows()) > 1 &&
                              tilesInTurns(shape.chunkRows(target)) <= 1))
      return false;
    const double cycles = streamCycles(chosen);
    const double last = std::fmod(chosen.front().count - 1, side) + 1;
    const double weights =
        shape.weightsStay ? 0
                          : weightCycles() / arrayCycles(shape.insideWeights);
    return (otherLoads() + weights) * cycles >= cycles + side - last;
  }

  /// Of `whole` elements of `dim`, those in the smallest part into which the
  /// first `count` loops cut them outside the sums' tile; 0: all there are.
  int64_t leastOf(Dim dim, size_t count, int64_t whole = 0) const {
    for (; count > shape.insideSums; --count) {
      const StreamLoop &loop = shape.loops[count - 1];
      if (loop.dim != dim)
        continue;
      if (whole == 0)
        whole = loop.whole;
      if (loop.step >= whole)
        continue;
      const int64_t least = leastOf(dim, count - 1, loop.step);
      const int64_t rest = whole % loop.step;
      return rest == 0 ? least : std::min(least, leastOf(dim, count - 1, rest));
    }
    return whole == 0 ? shape.sums[dim] : whole;
  }

  /// What is all that sums begin with comes run by run where that is known to
  /// be a run of DRAM, too.
  void planResidual() {
    if (!shape.loadsResidual || layer.residualLoads != 1 || layer.hasBias ||
        shape.spills || shape.staysInPlace || plan.wideStores)
      return;
    const PerDim<double> there = distances(shape.residualDram);
    plan.residualAsStored =
        plan.storesRuns && !shape.outputOnChip &&
        layer.residualBytes == layer.outputBytes &&
        llvm::all_of(kPixelDims, [&, out = destination()](Dim dim) {
          return there[dim] == out[dim];
        });
    plan.residualPerRun =
        plan.residualAsStored || (leavesNoGap() && isOneRun(there));
  }

  /// Distances of pixels in DRAM, which are `given` or those of a dense tensor.
  PerDim<double> distances(const std::optional<PerDim<double>> &given) const {
    if (given)
      return *given;
    PerDim<double> strides(0.0);
    strides[Dim::Q] = 1;
    strides[Dim::P] = double(layer.dims[Dim::Q]);
    strides[Dim::N] = double(layer.dims[Dim::P]) * strides[Dim::P];
    return strides;
  }

  /// Whether the pixels of the sums' tile lie equally far apart `there`.
  bool isOneRun(const PerDim<double> &there) const {
    if (!depthwise && layer.dims[Dim::G] > 1)
      return false;
    double count = 1, distance = 0;
    for (Dim dim : {Dim::Q, Dim::P, Dim::N}) {
      if (shape.sums[dim] == 1)
        continue;
      if (count == 1)
        distance = there[dim];
      else if (there[dim] != count * distance)
        return false;
      count *= double(shape.sums[dim]);
    }
    return true;
  }

  /// Whether a tile of sums that is cut short fills its place from the first
  /// row on.
  bool leavesNoGap() const {
    return shape.exact[Dim::Q] &&
           (shape.exact[Dim::N] || shape.exact[Dim::P]) &&
           (shape.exact[Dim::P] || shape.sums[Dim::N] == 1);
  }

  /// Reduction steps of a tile of sums, each of which goes through all of its
  /// pixels.
  struct Steps {
    int64_t least = 1;    ///< of a tile that is cut short
    double cycles = 0;    ///< of the array, each
    int64_t blocks = 1;   ///< of channels that it goes through
    int64_t chunks = 0;   ///< of `side` pixels, of a block of channels
    bool inOrder = true;  ///< of their numbers
    bool hasGaps = false; ///< some of the tile's rows may get no sums
  };

  /// Whether sums that stay in place are all there is of the reader's window,
  /// in each tile: of one that begins in front of the image they are the last.
  bool fillsWindow() const {
    return llvm::all_of(kAllAxes, [&](Axis axis) {
      const Dim dim = outputDim(axis);
      return shape.exact[dim] && shape.handOver[axis] == shape.sums[dim];
    });
  }

  using StepDims = std::array<Dim, 3>;

  /// Dims of the loops over a tile's reduction steps, innermost first, and
  /// those without.
  StepDims stepDims() const {
    StepDims dims = {Dim::S, Dim::R, Dim::C};
    auto *end = dims.begin();
    for (const StreamLoop &loop :
         llvm::ArrayRef(shape.loops).take_front(shape.insideSums))
      if (auto *found = std::find(end, dims.end(), loop.dim);
          found != dims.end() && loop.step < loop.whole)
        std::rotate(end++, found, found + 1);
    return dims;
  }

  /// Numbers reduction steps by `dims`, innermost first, of which all but the
  /// last must have as many in each tile: fewer would leave gaps.
  bool numberSteps(const StepDims &dims, Steps &found) {
    int64_t steps = 1;
    found.least = 1;
    for (Dim dim : dims) {
      plan.reductionSteps[dim] = steps;
      const int64_t ofDim = llvm::divideCeil(shape.sums[dim], shape.box[dim]);
      const int64_t least =
          llvm::divideCeil(leastOf(dim, shape.loops.size()), shape.box[dim]);
      if (dim != dims.back() && least != ofDim)
        return false;
      steps *= ofDim;
      found.least *= least;
    }
    return true;
  }

  /// None where pixels have steps of their own, or where they do not fit.
  std::optional<Steps> findSteps() {
    const auto extentOf = [&](Axis axis) {
      return double(shape.staysInPlace ? shape.handOver[axis]
                                       : shape.sums[outputDim(axis)]);
    };
    const double pixels =
        double(shape.sums[Dim::N]) * extentOf(Axis::H) * extentOf(Axis::W);
    if (pixels > double(target.accumulatorRows()))
      return std::nullopt;
    Steps found;
    found.cycles = streamCycles(chosen);
    found.hasGaps = shape.poolPads || !leavesNoGap() ||
                    (shape.staysInPlace && !fillsWindow());
    // As the loops count, if that leaves no gap.
    if (!numberSteps(stepDims(), found) &&
        !numberSteps({Dim::S, Dim::R, Dim::C}, found))
      return std::nullopt;
    Dim outer = stepDims().front();
    bool isReduced = false;
    for (size_t i = 0; i < shape.insideSums; ++i) {
      const StreamLoop &loop = shape.loops[i];
      if (loop.step >= loop.whole)
        continue;
      if (isReduction(loop.dim)) {
        isReduced = true;
        found.inOrder &=
            plan.reductionSteps[loop.dim] >= plan.reductionSteps[outer];
        outer = loop.dim;
      }
      if (isReduced && llvm::is_contained(kPixelDims, loop.dim))
        return std::nullopt;
      if (isReduced)
        continue;
      const int64_t trips = llvm::divideCeil(loop.whole, loop.step);
      found.cycles *= double(trips);
      if (loop.dim == outChannel)
        found.blocks *= trips;
    }
    found.chunks = llvm::divideCeil(int64_t(pixels), target.side);
    return found;
  }

  /// Sums need their bias, or what was spilled of them, before they leave only.
  /// Where each has several steps, it comes beside these, not in front of the
  /// first one.
  void addLater(const Steps &steps) {
    if ((!layer.hasBias && !shape.spills) || shape.loadsResidual ||
        steps.least < 2 ||
        (shape.spills &&
         (steps.hasGaps || !isOneRun(distances(shape.spillDram)))))
      return;
    const int64_t atOnce = llvm::divideCeil(steps.chunks, steps.least - 1);
    // The sums are written, get what is added, and are summed up again. In
    // front of the first step each load is waited for.
    const double latency = double(target.dmaLatency),
                 load = (latency + side) / double(target.openLoads());
    // A chunk may begin and end inside of passes.
    const double pixels = chosen.front().count;
    const double spans = chosen.size() == 1 || isWhole(pixels)
                             ? side
                             : side + lengthOfPass(pixels);
    const double wait = spans + side + double(target.arrayDepth()) + latency +
                        double(atOnce - 1) * load - steps.cycles;
    if (wait > double(atOnce) * (load - side))
      return;
    plan.biasPerRun = false;
    plan.addChunks = atOnce;
    plan.addSteps = llvm::divideCeil(steps.chunks, atOnce);
    plan.addWait = std::max(wait, 0.0);
    if (plan.addWait == 0 && isCrowded(steps, atOnce))
      plan.addEvery = spreadOver(steps.least - 1, plan.addSteps);
    plan.addsToGaps = steps.hasGaps;
  }

  /// As what else is loaded comes with all of `steps` steps, moves behind
  /// `count` of them are spread evenly: behind one in so many.
  static int64_t spreadOver(int64_t steps, int64_t count) {
    return count > 1 ? std::max<int64_t>((steps - 1) / (count - 1), 1) : 1;
  }

  /// Whether the bias of so many chunks, or what was spilled of them, takes the
  /// DMA longer than what else comes with a step leaves it of that, where steps
  /// are so long that nobody waits for a chunk.
  bool isCrowded(const Steps &steps, int64_t atOnce) const {
    if (steps.cycles < double(target.dmaLatency) + 2 * side)
      return false;
    const double weights =
        shape.weightsStay ? 0
                          : weightCycles() / arrayCycles(shape.insideWeights);
    const double chunks = double(atOnce) * double(steps.blocks);
    return chunks * detail::openCycles<double>(side, side, 1, target) >
           steps.cycles * (1 - weights - otherLoads());
  }

  /// Rows of a pass, of those that stream so many pixels in a sequence.
  double lengthOfPass(double pixels) const {
    return pixels / std::ceil(pixels / side);
  }

  /// Rows of a tile of sums.
  double sumRows() const {
    double rows = double(llvm::divideCeil(shape.sums[outChannel], shape.cols));
    for (Dim dim : kPixelDims)
      rows *= double(shape.sums[dim]);
    return rows;
  }

  /// How many tiles of sums there are, if they can take turns in two places of
  /// so many rows; else 0.
  double tilesInTurns(double rows) const {
    if (shape.staysInPlace || (shape.poolReads > 0 && shape.outputOnChip) ||
        !shape.exact[outChannel] || (!depthwise && layer.dims[Dim::G] > 1) ||
        2 * rows + double(shape.sumsBeside) > double(target.accumulatorRows()))
      return 0;
    // Which tile was before follows from where the loops stand. A tile that
    // spilled is read back behind the next ones.
    double tiles = 1;
    for (size_t i = shape.insideSums; i < shape.loops.size(); ++i) {
      const StreamLoop &loop = shape.loops[i];
      if (!loop.exact && loop.step < loop.whole)
        return 0;
      if (!shape.spills || i < shape.insideSums + plan.sweepLoops)
        tiles *= double(llvm::divideCeil(loop.whole, loop.step));
    }
    return tiles;
  }

  /// A chunk takes longer to leave than a pass the array, and only few stores
  /// may wait: a tile leaves beside the next one's steps, line by line if it is
  /// not one run where it goes to.
  void storeLater(const Steps &steps, double tiles) {
    const bool pools = shape.poolReads > 0;
    const bool lines =
        pools || steps.hasGaps || shape.hasRing || !isOneRun(destination());
    if (tiles < 2 || plan.wideStores || steps.least < 2 ||
        (shape.spills && (lines || !isOneRun(distances(shape.spillDram)))))
      return;
    const int64_t chunks =
        lines ? shape.sums[Dim::N] *
                    (pools ? shape.mostPooledRows : shape.sums[Dim::P])
              : steps.chunks;
    if (chunks == 0)
      return;
    // What leaves run by run, or where the tile ends, may wait so far.
    const int64_t moves =
        steps.chunks * llvm::divideCeil(shape.sums[outChannel], shape.cols);
    if (lines && !pools && !shape.outputOnChip && moves <= target.storeStations)
      return;
    plan.storesLines = lines;
    auto store = [&](int64_t atOnce) {
      plan.storeChunks = atOnce;
      plan.storeSteps = llvm::divideCeil(chunks, atOnce);
      return findAhead(steps);
    };
    int64_t atOnce = llvm::divideCeil(chunks, steps.least);
    std::optional<Ahead> ahead = store(atOnce);
    // The next tile's bias need not wait for lines that leave slowly.
    if (lines && !pools && bringsBias()) {
      for (int64_t more = atOnce + 1; more <= mostLines(steps); ++more) {
        const std::optional<Ahead> next = store(more);
        if (next && (!ahead || next->chunks < ahead->chunks ||
                     next->every > ahead->every))
          std::tie(atOnce, ahead) = std::tuple(more, next);
      }
      (void)store(atOnce);
    }
    if (!shape.outputOnChip || !bringsBias())
      return;
    // The array loses little to what is handed over, the next tile's bias more
    // if it cannot come behind all steps.
    if (!ahead ||
        ahead->chunks > int64_t(llvm::divideCeil(steps.chunks, steps.least))) {
      plan.storesLines = false;
      plan.storeSteps = plan.storeChunks = 0;
    }
  }

  /// As many lines of each block as leave within a step, and no more than a
  /// chunk has pixels.
  int64_t mostLines(const Steps &steps) const {
    const auto line = double(shape.sums[Dim::Q]);
    const double pipe = double(target.accumulatorPipe) * std::ceil(line / side),
                 requests = shape.outputOnChip
                                ? 0
                                : line * detail::cyclesPerRequest(target);
    const double ofBlock = steps.cycles / double(steps.blocks);
    return int64_t(std::min(std::ceil(side / line),
                            ofBlock / std::max(line + pipe, requests)));
  }

  bool bringsBias() const { return layer.hasBias && !shape.loadsResidual; }

  /// Behind `count` steps, one in `every` from this one on, so many chunks come
  /// ahead.
  struct Ahead {
    int64_t from, chunks, count, every;
  };

  /// From the first step on behind which chunks may come into a place whose
  /// tile leaves beside these steps, none before what is there has left; none
  /// if there are not enough steps.
  std::optional<Ahead> findAhead(const Steps &steps) const {
    const bool pools = shape.poolReads > 0;
    const int64_t line = shape.sums[Dim::Q];
    auto isFree = [&](const Ahead &ahead) {
      if (plan.storeChunks == 0)
        return true;
      if (pools)
        return ahead.from >= plan.storeSteps;
      if (!plan.storesLines)
        return ahead.from >= 1;
      for (int64_t i = 0; i < ahead.count; ++i)
        if (const int64_t step = ahead.from + i * ahead.every;
            step < plan.storeSteps && (i + 1) * ahead.chunks * target.side >
                                          step * plan.storeChunks * line)
          return false;
      return true;
    };
    for (int64_t from = 0; from < steps.least; ++from) {
      Ahead ahead{from, 0, 0, 1};
      ahead.chunks = plan.storeChunks > 0 && !plan.storesLines
                         ? plan.storeChunks
                         : llvm::divideCeil(steps.chunks, steps.least - from);
      ahead.count = llvm::divideCeil(steps.chunks, ahead.chunks);
      if (isCrowded(steps, ahead.chunks))
        ahead.every = spreadOver(steps.least - from, ahead.count);
      if (from + ahead.count <= steps.least && isFree(ahead))
        return ahead;
    }
    return std::nullopt;
  }

  /// What was spilled of the next tile, or its bias, comes into its place as
  /// soon as the tile before has left that.
  void bringAhead(const Steps &steps, double tiles) {
    // The sweep's second tile waits at a fence for what leaves beside the
    // first.
    constexpr double kFewestOfSweep = 3;
    if (!steps.inOrder ||
        (shape.spills ? plan.storeChunks == 0 || tiles < kFewestOfSweep
                      : !bringsBias() || tiles < 2))
      return;
    const std::optional<Ahead> ahead = findAhead(steps);
    if (!ahead)
      return;
    plan.aheadFrom = ahead->from;
    plan.aheadSteps = ahead->count;
    plan.aheadChunks = ahead->chunks;
    plan.aheadEvery = ahead->every;
    plan.biasAhead = !shape.spills;
    if (plan.biasAhead)
      plan.addWait = 0;
  }

  /// Rows that the first pass should have at least.
  int64_t leastFirst() const {
    double pixels = 1;
    for (Dim dim : kPixelDims)
      if (plan.joins(dim))
        pixels *= double(shape.box[dim]);
    const double rest = std::fmod(pixels, side);
    return pixels > side && rest > 0 && rest < double(kShortestPass) &&
                   target.side > kShortestPass
               ? kShortestPass
               : 1;
  }

  size_t sweepLoops() const {
    size_t count = 0;
    for (const StreamLoop &loop :
         llvm::drop_begin(shape.loops, shape.insideSums)) {
      if (isReduction(loop.dim) && loop.step < loop.whole)
        break;
      ++count;
    }
    return count;
  }

  bool isWindow(bool input, Dim dim) const {
    return input && ((dim == Dim::P && !plan.compact[Axis::H]) ||
                     (dim == Dim::Q && !plan.compact[Axis::W]));
  }

  /// Whether tiles that are copied outside of the innermost `inside` loops can
  /// take turns, if a second one has `rows`.
  bool haveTurns(size_t inside, double rows) const {
    if (shape.hasRing || rows > shape.freeRows ||
        (!depthwise && layer.dims[Dim::G] > 1))
      return false;
    // Which place a tile has follows from where the loops stand.
    double tiles = shape.runs;
    for (const StreamLoop &loop : llvm::drop_begin(shape.loops, inside)) {
      if (loop.step < loop.whole && !loop.exact)
        return false;
      tiles *= double(llvm::divideCeil(loop.whole, loop.step));
    }
    // What takes less than the least time between loads hides none.
    return tiles >= 2 && arrayCycles(inside) * double(target.openLoads()) >=
                             double(target.dmaLatency);
  }

  /// Where another tile of the input fits, and the loops have the trips to
  /// bring it in on.
  std::optional<TileTurns> planTurns() const {
    if (!haveTurns(shape.insideInput, double(shape.inputRows())))
      return std::nullopt;
    auto [turns, moves] = inputPieces();
    turns.all *= llvm::divideCeil(shape.tile[inChannel], plan.inputChannels);
    turns = spread(turns, turns.all, moves, shape.insideInput);
    if (turns.loop == shape.insideInput ||
        double(turns.atOnce) * moves > double(target.loadStations))
      return std::nullopt;
    return turns;
  }

  /// Of one move of channels of the input's tile, all pieces, and the moves
  /// that each of them is.
  std::pair<TileTurns, double> inputPieces() const {
    const double height =
        extentOf(Axis::H, shape.tile[Dim::P], kernelOf(Axis::H));
    const double width =
        extentOf(Axis::W, shape.tile[Dim::Q], kernelOf(Axis::W));
    TileTurns turns;
    const int64_t images = shape.tile[Dim::N];
    if (!plan.clips) { // as many as make a move
      turns.lines =
          std::clamp<int64_t>(int64_t(side / width), 1, int64_t(height));
      if (double(turns.lines) == height)
        turns.images =
            std::clamp<int64_t>(int64_t(side / width / height), 1, images);
    }
    turns.all = llvm::divideCeil(images, turns.images) *
                llvm::divideCeil(int64_t(height), turns.lines);
    return {turns, plan.clips ? 2 + std::ceil(width / side)
                              : std::ceil(double(turns.images * turns.lines) *
                                          width / side)};
  }

  /// Where the outermost loop that leads on in the tile of the input is over
  /// channels: on each trip of one inside of it as many pieces as bring each of
  /// the next moves of channels by the time that it is used.
  void planSpread() {
    constexpr double kMostPieces = 1 << 20;
    const double chunks =
        std::ceil(double(shape.tile[inChannel]) / double(plan.inputChannels));
    if (chunks < 2 || shape.loadsRing || (!depthwise && layer.dims[Dim::G] > 1))
      return;
    size_t outermost = shape.insideInput;
    for (size_t i = 0; i < shape.insideInput; ++i)
      if (leadsOn(Tensor::I, shape.loops[i].dim) &&
          shape.loops[i].step < shape.loops[i].whole)
        outermost = i;
    if (outermost == shape.insideInput ||
        shape.loops[outermost].dim != inChannel ||
        chunks * double(shape.tile[Dim::N]) *
                extentOf(Axis::H, shape.tile[Dim::P], kernelOf(Axis::H)) >
            kMostPieces)
      return;
    const auto [pieces, moves] = inputPieces();
    std::optional<TileTurns> found;
    for (size_t i = outermost + 1; i-- > 0;) {
      const StreamLoop &loop = shape.loops[i];
      if (loop.step >= loop.whole)
        continue;
      if (!loop.exact)
        break;
      if (tripsBefore(i, outermost, 1) == 0)
        continue;
      TileTurns turns = pieces;
      turns.loop = i;
      turns.all = pieces.all * (int64_t(chunks) - 1);
      const int64_t ofLoop = llvm::divideCeil(loop.whole, loop.step);
      turns.atOnce = 0;
      turns.every = ofLoop;
      for (int64_t chunk = 1; chunk < int64_t(chunks); ++chunk) {
        const int64_t trips = tripsBefore(i, outermost, chunk);
        const int64_t wanted = chunk * pieces.all;
        turns.atOnce =
            std::max<int64_t>(turns.atOnce, llvm::divideCeil(wanted, trips));
        turns.every =
            std::min(turns.every, std::max<int64_t>(trips / wanted, 1));
      }
      while (ofLoop % turns.every != 0)
        --turns.every;
      turns.isBehind = llvm::all_of(
          llvm::ArrayRef(shape.loops).take_front(i),
          [](const StreamLoop &loop) { return loop.step >= loop.whole; });
      found = turns;
      if (double(turns.atOnce) * moves <= 1)
        break;
    }
    if (!found || double(found->atOnce) * moves > double(target.loadStations))
      return;
    plan.inputSpread = found;
    plan.inputLoop = outermost;
  }

  /// How many trips of the loops from `innermost` to `outermost` come before
  /// the first one that uses the move of channels number `chunk` of the tile.
  int64_t tripsBefore(size_t innermost, size_t outermost, int64_t chunk) const {
    constexpr auto kMost = uint64_t(std::numeric_limits<int64_t>::max());
    int64_t channel = chunk * plan.inputChannels;
    uint64_t trips = 0;
    for (size_t i = outermost + 1; i-- > innermost;) {
      const StreamLoop &loop = shape.loops[i];
      const bool isOver = loop.dim == inChannel;
      trips = llvm::SaturatingMultiplyAdd<uint64_t>(
          trips, llvm::divideCeil(loop.whole, loop.step),
          isOver ? channel / loop.step : 0);
      if (isOver)
        channel %= loop.step;
    }
    return int64_t(std::min(trips, kMost));
  }

  /// Cycles that a load of so many rows takes of the DMA's, by what of eq. S3
  /// does not depend on where they go, if as many are open as may be.
  double loadCycles(double rows, double bytes) const {
    const double requests = rows * detail::requestsPerRow(bytes, target);
    return std::max(
        {requests * detail::cyclesPerRequest(target),
         rows * bytes * target.dramCyclesPerByte(),
         detail::openCycles<double>(
             rows,
             rows * std::max(bytes / double(target.dmaBytesPerCycle), 1.0),
             requests, target)});
  }

  /// Cycles of the array in the innermost `count` loops.
  double arrayCycles(size_t count) const {
    double cycles = streamCycles(chosen);
    for (const StreamLoop &loop : llvm::ArrayRef(shape.loops).take_front(count))
      cycles *= double(llvm::divideCeil(loop.whole, loop.step));
    return cycles;
  }

  /// Of each cycle of the array, what loads but those of weights take of the
  /// reader's.
  double otherLoads() const {
    double others = 0;
    if (shape.spills) {
      const double rows = double(shape.sums[Dim::N]) *
                          double(shape.sums[Dim::P]) *
                          double(shape.sums[Dim::Q]);
      others += loadCycles(rows, 4 * double(shape.cols)) *
                double(llvm::divideCeil(shape.sums[outChannel], shape.cols)) /
                arrayCycles(shape.insideSums);
    }
    if (!shape.inputOnChip && !shape.inputStays) {
      const double pixels =
          double(shape.tile[Dim::N]) *
          extentOf(Axis::H, shape.tile[Dim::P], kernelOf(Axis::H)) *
          extentOf(Axis::W, shape.tile[Dim::Q], kernelOf(Axis::W));
      const double columns =
          std::min(double(shape.tile[inChannel]), double(plan.inputChannels));
      others +=
          loadCycles(pixels, columns * double(layer.elementBytes)) *
          double(llvm::divideCeil(shape.tile[inChannel], plan.inputChannels)) /
          arrayCycles(shape.insideInput);
    }
    return others;
  }

  /// Cycles of the reader for a tile of weights.
  double weightCycles() const {
    const double rows =
        double(std::min(shape.weightTile[inChannel], plan.weightRows));
    const double columns =
        (depthwise
             ? rows
             : double(std::min(shape.weightTile[Dim::K], plan.weightColumns))) *
        double(std::min(shape.weightTile[tapDim], plan.weightTaps));
    return movesOf(/*input=*/false, shape.weightTile) *
           loadCycles(rows, columns * double(layer.elementBytes));
  }

  /// Whether the reader falls behind the array where parts of weights come, on
  /// the trips on which they are used first, though it need not on those on
  /// which loops outside of these use them again.
  bool areWeightsLate() const {
    double again = 1;
    for (size_t i = plan.weightsLoop; i < shape.insideWeights; ++i) {
      const StreamLoop &loop = shape.loops[i];
      if (!leadsOn(Tensor::W, loop.dim))
        again *= double(llvm::divideCeil(loop.whole, loop.step));
    }
    const double within = arrayCycles(shape.insideWeights) / again;
    return again > 1 && weightCycles() + otherLoads() * within > within;
  }

  /// Where another tile of weights fits beside the input's, and parts that come
  /// ahead would be late.
  std::optional<TileTurns> planWeightTurns() const {
    const bool isHidden = plan.weightsAhead > 0 && plan.weightsAcross;
    const double input = plan.inputTurns ? double(shape.inputRows()) : 0;
    if ((isHidden && !areWeightsLate()) ||
        !haveTurns(shape.insideWeights, input + double(shape.weightRows())))
      return std::nullopt;
    TileTurns turns =
        spread(TileTurns(), int64_t(movesOf(/*input=*/false, shape.weightTile)),
               /*moves=*/1, shape.insideWeights);
    if (turns.loop == shape.insideWeights || turns.atOnce > target.loadStations)
      return std::nullopt;
    return turns;
  }

  /// So many pieces, of so many moves each, on trips of the innermost `inside`
  /// loops: one move at once if there are the trips, so that what is wanted now
  /// need not wait behind several, and for the same reason evenly.
  TileTurns spread(TileTurns turns, int64_t all, double moves,
                   size_t inside) const {
    constexpr int64_t kRarest = 1024;
    turns.loop = inside;
    turns.all = turns.atOnce = all;
    int64_t trips = 1, ofLoop = 1;
    for (size_t i = inside; i-- > 0;) {
      const StreamLoop &loop = shape.loops[i];
      if (loop.step >= loop.whole)
        continue;
      const int64_t own =
          loop.exact ? llvm::divideCeil(loop.whole, loop.step) : 1;
      int64_t more;
      if (llvm::MulOverflow(trips, own, more))
        break;
      trips = more;
      ofLoop = own;
      turns.loop = i;
      turns.atOnce = llvm::divideCeil(all, trips);
      if (double(turns.atOnce) * moves <= 1)
        break;
    }
    turns.every = std::min({trips * turns.atOnce / all, ofLoop, kRarest});
    while (ofLoop % turns.every != 0)
      --turns.every;
    // A trip's only box comes first, with what it waits for.
    turns.isBehind =
        shape.turns.count == 0 && turns.loop < inside &&
        llvm::all_of(
            llvm::ArrayRef(shape.loops).take_front(turns.loop),
            [](const StreamLoop &loop) { return loop.step >= loop.whole; });
    if (!turns.isBehind && turns.loop < inside &&
        (trips - 1) / turns.every * turns.atOnce >= all)
      turns.from = 1;
    return turns;
  }

  double movesOf(bool input, const PerDim<int64_t> &box) const {
    auto pieces = [&](Dim dim, int64_t piece) {
      return double(llvm::divideCeil(box[dim], piece));
    };
    if (!input)
      return double(box[otherTapDim]) * pieces(tapDim, plan.weightTaps) *
             pieces(inChannel, plan.weightRows) *
             (depthwise ? 1.0 : pieces(Dim::K, plan.weightColumns));
    const double lines =
        double(box[Dim::N]) * extentOf(Axis::H, box[Dim::P], kernelOf(Axis::H));
    const double width = extentOf(Axis::W, box[Dim::Q], kernelOf(Axis::W));
    const double runs = plan.clips ? 3 * lines * std::ceil(width / side)
                                   : std::ceil(lines * width / side);
    return runs * pieces(inChannel, plan.inputChannels);
  }

  /// Looks for the loop whose trips are long enough to hide the next one's
  /// loads, which must all fit into the reservation station, and returns how
  /// many these are.
  double runsAhead(Tensor tensor, size_t inside) {
    const bool input = tensor == Tensor::I;
    const PerDim<int64_t> &tile = input ? shape.tile : shape.weightTile;
    PerDim<int64_t> part = shape.box;
    double cycles = streamCycles(chosen);
    const double latency = double(target.dmaLatency);
    const double move =
        std::floor(latency * side /
                   double(std::max<int64_t>(target.dmaRequestsInFlight, 1)));
    std::optional<size_t> ahead;
    double found = 0;
    int64_t width = 0, aheadStep = 1;
    for (size_t i = 0; i < inside; ++i) {
      const StreamLoop &loop = shape.loops[i];
      const int64_t trips = llvm::divideCeil(loop.whole, loop.step);
      if (!leadsOn(tensor, loop.dim)) {
        cycles *= double(trips);
        continue;
      }
      const int64_t piece = loop.dim == inChannel
                                ? (input ? plan.inputChannels : plan.weightRows)
                            : loop.dim == Dim::K           ? plan.weightColumns
                            : loop.dim == tapDim && !input ? plan.weightTaps
                                                           : loop.step;
      const int64_t step =
          std::min<int64_t>(llvm::alignTo(piece, loop.step), trips * loop.step);
      part[loop.dim] = std::min(step, loop.whole);
      const double moves = movesOf(input, part);
      if (moves > double(target.loadStations))
        break;
      const bool isLong =
          cycles * double(llvm::divideCeil(part[loop.dim], loop.step)) >=
          latency + moves * move;
      auto isWide = [&](Dim wide, int64_t columns) {
        return part[wide] >= std::min(columns, tile[wide]);
      };
      const bool fills =
          isWide(inChannel, input ? plan.inputChannels : plan.weightRows) &&
          (input || (isWide(Dim::K, plan.weightColumns) &&
                     isWide(tapDim, plan.weightTaps)));
      if (isWindow(input, loop.dim)) {
        ahead.reset();
      } else if (fills && loop.whole > step) {
        ahead = i;
        aheadStep = step;
        found = moves;
        width = part[Dim::Q];
      }
      if (ahead == i && isLong)
        break;
      part[loop.dim] = loop.whole;
      cycles *= double(trips);
    }
    if (!ahead)
      return 0;
    bool across = false;
    for (size_t i = *ahead; i < inside; ++i) {
      const StreamLoop &loop = shape.loops[i];
      // Further out a window's lines would follow each other.
      if (isWindow(input, loop.dim))
        return 0;
      across |= leadsOn(tensor, loop.dim) && loop.exact &&
                loop.whole > (i == *ahead ? aheadStep : loop.step);
    }
    (input ? plan.inputLoop : plan.weightsLoop) = *ahead;
    (input ? plan.inputStep : plan.weightsStep) = aheadStep;
    (input ? plan.inputAcross : plan.weightsAcross) = across;
    if (input && plan.compact[Axis::W])
      plan.inputWidth = width;
    return found;
  }

  const StreamShape &shape;
  const Layer &layer;
  const Accelerator &target;
  const double side;
  const bool depthwise;
  const Dim inChannel, outChannel, tapDim, otherTapDim;
  StreamPlan plan;
  Walks chosen;
  double limit = 0, inputLimit = 0;
};
} // namespace

StreamPlan fadiff::planStream(const StreamShape &shape,
                              const Accelerator &target) {
  return Planner(shape, target).run();
}

StreamPlan fadiff::planMoves(const StreamShape &shape,
                             const Accelerator &target) {
  return Planner(shape, target).moves();
}

//===----------------------------------------------------------------------===//
// The input of a group
//===----------------------------------------------------------------------===//

/// Cycles in which the member's passes for a tile of the group keep the array
/// busier than its bias the DMA.
static double idleCycles(const GroupTiles &tiles, size_t member,
                         const Accelerator &target, bool countsBias) {
  const auto side = double(target.side);
  const Layer &layer = tiles.layer(member);
  // Of some tiles there may be nothing to make. Where rows are kept these are
  // the first and the last ones.
  if (!tiles.keepsRows() && !tiles.alwaysMakes(member))
    return 0;
  double pixels = 1;
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    pixels *= double(tiles.nominal(member, dim));
  const double taps = double(layer.dims[Dim::R]) * double(layer.dims[Dim::S]),
               out = std::ceil(double(layer.outputChannels()) / side),
               in = layer.isDepthwise()
                        ? 1
                        : std::ceil(double(layer.dims[Dim::C]) / side);
  const double load =
      (double(target.dmaLatency) + side) / double(target.openLoads());
  const double bias =
      countsBias && layer.hasBias ? std::ceil(pixels / side) * out * load : 0;
  return std::max(pixels * taps * out * in - bias, 0.0);
}

TurnShare fadiff::turnShare(const GroupTiles &tiles, size_t member,
                            const Accelerator &target) {
  TurnShare share;
  const size_t tile = tiles.flow().members.front().input;
  if (!tiles.flow().tiles[tile].turns)
    return share;
  const size_t reader = tiles.flow().tiles[tile].reader;
  const Layer &layer = tiles.layer(reader);
  const int64_t width = tiles.tileExtent(tile, Axis::W),
                channels = layer.inputChannels(), side = target.side;
  share.height = tiles.nextRows(reader);
  if (tiles.keepsTile(tile))
    share.runs = tiles.trips(Dim::N) * tiles.trips(Dim::Q);
  // Padded lines, and those of a ring, come one by one.
  if (!tiles.keepsTile(tile) && llvm::none_of(kAllAxes, [&](Axis axis) {
        return layer.readsPadding(axis);
      }))
    share.lines = std::clamp<int64_t>(side / width, 1, share.height);
  share.columns = llvm::divideCeil(width, llvm::divideCeil(width, side));
  share.channels = std::min(channels, target.maxMoveColumns() / side * side);
  share.bytes = share.channels * layer.elementBytes;
  const double all = double(llvm::divideCeil(channels, share.channels)) *
                     double(tiles.nominal(reader, Dim::N)) *
                     double(llvm::divideCeil(share.height, share.lines)) *
                     double(llvm::divideCeil(width, share.columns));
  std::vector<double> upTo{0};
  for (bool countsBias : {true, false}) {
    upTo.resize(1);
    for (size_t i = 0; i < tiles.size(); ++i)
      upTo.push_back(upTo.back() + idleCycles(tiles, i, target, countsBias));
    if (upTo.back() > 0)
      break;
  }
  if (!(upTo.back() > 0))
    return share;
  auto piece = [&](size_t i) {
    // All of them up to the last member, whatever is rounded.
    return int64_t(std::floor(std::min(all, 0x1p60) * (upTo[i] / upTo.back())));
  };
  if (tiles.flow().handsOverSlices(member))
    share.slices = llvm::divideCeil(
        tiles.layer(member).outputChannels(),
        tiles.flow().tiles[*tiles.flow().members[member].output].slice);
  share.first = piece(member);
  share.count = piece(member + 1) - share.first;
  return share;
}
