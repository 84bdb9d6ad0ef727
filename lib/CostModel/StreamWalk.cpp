//===- StreamWalk.cpp - Emitted streams, command by command ---------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes through the loops of a nest in the order of the program and gives each
// command its time by the simulator's rules (docs/Simulator.md). Nothing is
// emitted: a command is what it asks of the DMA, or the rows that it streams.
// Rows of local memory are followed in chunks. A loop is walked until its trips
// take the same time, and then its last trip: those between are skipped.
// docs/Latency.md, "The walk".
//
//===----------------------------------------------------------------------===//

#include "StreamClock.h"

#include "fadiff/CostModel/StreamLatency.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

using namespace fadiff;
using namespace fadiff::stream;

namespace {
/// What of a dim a loop's trip, a tile or a compute covers; offsets count from
/// the nest's start.
struct Reach {
  int64_t offset = 0, size = 1, nominal = 1;
};
using Box = PerDim<Reach>;

/// Of one nest; what takes more keeps its closed form.
constexpr uint64_t kMostCommands = 400'000;
/// Chunks of a memory that are followed.
constexpr double kMostChunks = 1 << 20;
/// Pixels of a tile; they are counted in 32 bits.
constexpr double kMostPixels = 1 << 30;
/// What is larger is what a search asks for on its way; products of extents
/// would be too large.
constexpr double kMostMacs = 1e15;
/// Trips that took the same time before others of their kind are skipped.
constexpr unsigned kAlike = 2;
/// After so many trips no queue has room for more.
constexpr int64_t kQueued = 16;
/// Periods of a loop that never takes the same time twice, of which the mean is
/// taken.
constexpr int64_t kMean = 8;
/// So many are skipped before one is walked again, at first.
constexpr unsigned kFirstSkips = 4;
/// Fewer commands are not worth skipping.
constexpr double kWorthSkipping = 100;
} // namespace

namespace fadiff::stream {
class Walk : private StreamClock {
public:
  explicit Walk(const Streams<double> &streams)
      : StreamClock(streams.target), streams(streams), shape(streams.shape),
        plan(streams.plan), layer(streams.layer), element(layer.elementBytes),
        tapDim(fadiff::tapDim(layer)), otherTapDim(fadiff::otherTapDim(layer)) {
  }

  /// None if that would take too long to find out.
  std::optional<Walked> run();
  using StreamClock::commandsWalked;

  /// Of a group's member: what comes before its turns. False if it makes
  /// nothing, or if that would take too long.
  bool beginTurns();
  /// One of these, behind what `before` has done: a tile that is like most, or
  /// a slice of it.
  void takeTurnAfter(const Walk &before, bool isFirstSlice);
  /// Its sums lie where stores of `before` still read, as far as the
  /// accumulator has no room for both.
  void waitForSums(const Walk &before);
  /// From which row of the accumulator up to which they lie in that place.
  std::pair<int64_t, int64_t> rowsOfSums(int64_t place) const;
  /// Who hands over its input, and whose turns come before each slice of that;
  /// null: nobody.
  const Walk *producer = nullptr;
  Walk *maker = nullptr;
  bool isTooLong() const { return commandsWalked() > kMostCommands; }
  Time arrayEnd() const { return mark()[Array]; }
  using StreamClock::end;

private:
  void walk(size_t level, const Box &box);
  void repeat(size_t slot, int64_t trips, int64_t period,
              llvm::function_ref<void(int64_t)> body);
  int64_t periodOf(const StreamLoop &loop) const;
  void compute(const Box &box);
  /// What is the same in all passes of a box.
  struct Passing {
    bool hasNewWeights, bringsBias, bringsResidual, stores;
    size_t weights = 0; ///< chunk
    /// Blocks of sums, of the box and of its first channel's group.
    int64_t block, firstBlock;
    /// The first pixel, and steps along N, P and Q.
    int64_t sumBase;
    std::array<int64_t, 3> sumSteps;
    int64_t storedFrom, storedTo; ///< channels of sums
    /// The input of the first pixel, and steps along its axes.
    int64_t image = 0, row = 0, column = 0, inputBlock = 0;
    PerAxis<int64_t> steps{1, 1};
    Reach fetched; ///< channels that come with each pass
  };
  Passing passingOf(const Box &box) const;
  void pass(const Box &box, const Passing &passing, const PerDim<int64_t> &at,
            int64_t rows);

  // Weights.
  size_t weightChunk(int64_t place, const Box &tile, int64_t r, int64_t s,
                     int64_t c, int64_t k) const;
  void fetchWeights(const Box &box);
  void loadWeights(const Box &tile, const Reach &r, const Reach &s,
                   const Reach &c, const Reach &k);
  void loadWeightPart(const Box &tile, const Box &part);

  int64_t roundedLoads(Axis axis);

  // Input.
  struct InputAxis {
    int64_t stored = 1; ///< rows or columns of a tile
    int64_t base = 0;   ///< of the first one, in the input
    int64_t step = 1;
  };
  InputAxis inputAxis(const Box &tile, Axis axis) const;
  void pixelChunks(const Box &tile, int64_t c, int64_t n, int64_t h, int64_t w,
                   int64_t count, size_t &from, size_t &to) const;
  void loadRegion(const Box &tile, const Reach &n, const Reach &h,
                  const Reach &w, const Reach &channels);
  void mvinPixels(const Box &tile, int64_t n, int64_t h, int64_t w,
                  int64_t count, const Reach &channels, bool isPadding);
  void fetchInput(const Box &box);
  int64_t storedBefore(const Box &tile, Axis axis, int64_t out,
                       int64_t ahead) const;
  void loadInputPart(const Box &tile, const Box &part);

  // Ahead.
  /// Tiles of the input, or of weights, that take turns in two places, or have
  /// only one.
  struct Turning {
    const std::optional<TileTurns> &turns;
    size_t inside; ///< loops inside of the copies
    /// Where a tile is read, and where loads go to.
    int64_t readPlace = 0, loadPlace = 0;
    uint64_t tiles = 0; ///< so far
    /// All but the first tile came before their use.
    bool cameAhead() const { return turns && tiles > 1; }
    void begin() {
      if (turns && tiles++ > 0)
        readPlace = 1 - readPlace;
      loadPlace = readPlace;
    }
  };
  bool findNextTile(const Turning &turning, Box &tile) const;
  int64_t turnTrip(const Turning &turning, size_t level) const;
  int64_t turnPieces(const Turning &turning, size_t level) const;
  std::optional<int64_t> dueFrom(const Turning &turning) const;
  int64_t endOfTurns(const Turning &turning, size_t level, int64_t trips) const;
  void fetchNext(size_t loop, bool isBehind);
  void fetchNextInput();
  void fetchPieces(const Box &tile, const TileTurns &turns, int64_t begin,
                   int64_t from);
  void fetchNextWeights();
  void fetchAhead(bool input);
  void fetchFirst(bool input, const Box &tile);

  // Sums.
  size_t sumChunk(int64_t block, int64_t pixel) const {
    return chunkOf(turn, block, pixel);
  }
  /// Of the tile in the `turn`-th of the places that tiles take turns in.
  size_t chunkOf(int64_t turn, int64_t block, int64_t pixel) const {
    return size_t((turn * sumBlocks + block % sumBlocks) * sumChunks +
                  std::min(quotient(pixel + sumShift, sumUnit), sumChunks - 1));
  }
  /// Of a block that begins at `base`, of the tile in the `place`-th of the
  /// places that tiles take turns in.
  size_t inputChunk(int64_t place, int64_t base, int64_t pixel) const {
    return size_t(
        place * inputBlocks * inputChunks + base +
        std::clamp<int64_t>(quotient(pixel, inputUnit), 0, inputChunks - 1));
  }
  /// Rounded down where `a` is not negative; its pixels are few enough.
  static int64_t quotient(int64_t a, int64_t b) {
    return int32_t(a) / int32_t(b);
  }
  int64_t sumPixel(const Box &box, int64_t n, int64_t p, int64_t q) const;
  void beginSums(const Box &box);
  void endSums(const Box &box);
  void storeTile(int64_t place, const Box &box, bool isLastVisit);
  void loadBias(int64_t place, int64_t block, int64_t pixel, int64_t count,
                int64_t columns);
  int64_t reductionStep(const Box &box) const;
  bool startsSweep(size_t level, bool orSecond) const;
  bool endsSweep(size_t level) const;
  void findAfter();
  void loadAhead(const Box &box, int64_t block);
  void loadSpilled(int64_t place, int64_t block, int64_t pixel, int64_t count,
                   int64_t columns);
  llvm::SmallVector<int64_t, 4> stepsWithMoves() const;
  void loadRows(int64_t block, int64_t pixel, int64_t rows, int64_t columns,
                int64_t bytes);
  void leave(int64_t place, int64_t block, int64_t pixel, int64_t count,
             int64_t reads, int64_t rows, int64_t rowBytes);
  int64_t pooledLines(const Box &box) const;
  void storePooledLine(int64_t place, const Box &box, int64_t block,
                       int64_t image, int64_t line, int64_t columns);
  void storeChunk(int64_t block, int64_t pixel, int64_t count, int64_t columns);
  void storeBefore(const Box &box, int64_t block);
  void storeLast();
  int64_t stepsBetween(Dim dim, int64_t distance) const;
  void clearSums();
  bool addsLater() const { return plan.addChunks > 0; }
  /// Whether the bias of the tile does not come beside the one before.
  bool bringsBias() const { return !plan.biasAhead || !before.exists; }
  /// Loops that go over tiles before one of them comes again.
  size_t loopsOfSweep() const {
    return shape.spills ? plan.sweepLoops
                        : shape.loops.size() - shape.insideSums;
  }
  void addLater(const Box &box, int64_t block);
  int64_t pixelsHeld() const;
  int64_t outputRun(const Box &box, bool toDram) const;

  bool isFirstUse(const Box &box, const Box &tile,
                  std::initializer_list<Dim> dims) const {
    return llvm::all_of(
        dims, [&](Dim dim) { return box[dim].offset == tile[dim].offset; });
  }
  bool isAtEnd(const Box &box, const Box &tile,
               std::initializer_list<Dim> dims) const {
    return llvm::all_of(dims, [&](Dim dim) {
      return box[dim].offset + box[dim].size ==
             tile[dim].offset + tile[dim].size;
    });
  }
  static bool startsPiece(const Reach &span, const Reach &tile, int64_t piece) {
    return span.nominal % piece == 0 ||
           (span.offset - tile.offset) % piece == 0;
  }
  static int64_t pieceSize(const Reach &span, const Reach &tile,
                           int64_t piece) {
    return std::min(piece, tile.offset + tile.size - span.offset);
  }

  const Streams<double> &streams;
  const StreamShape &shape;
  const StreamPlan &plan;
  const Layer &layer;
  const int64_t element; ///< bytes
  const Dim tapDim, otherTapDim;

  static bool isNear(Time a, Time b) { return 100 * std::abs(a - b) <= 50 + a; }
  struct Kind {
    uint64_t key;
    Mark time;
    double commands;
    unsigned alike; ///< times in a row that it took about that
    /// Since it was last walked, and how many until it is again.
    unsigned skips = 0, most = kFirstSkips;
  };
  std::vector<llvm::SmallVector<Kind, 8>> kindsOf;
  std::vector<double> commandsAt;         ///< each level, when last walked
  llvm::SmallVector<int64_t, 16> periods; ///< periodOf() each loop
  uint64_t kindOf(size_t level, const Box &box) const;
  void run(size_t level, const Box &box);
  void receive();
  void clearPadding();
  /// Of the group's tiles, those in which the member has the same to do.
  struct Tiles {
    PerDim<int64_t> extent{1};
    PerAxis<double> loaded{1.0, 1.0}; ///< of the input
    double lines = 1;                 ///< of it, and of the padding
    double count = 1;
  };
  bool layOut(llvm::ArrayRef<Tiles> tiles);
  std::vector<Tiles> tilesOf() const;
  void enter(const Tiles &tiles);
  void takeTurn(bool isFirst);
  void takeTurnAlone(bool isFirst);
  Time loadInput();
  std::vector<Tiles> tiles; ///< most of them first
  /// Slices of its outputs that it makes one by one.
  double slices() const {
    return streams.makesSlices ? streams.streamed.slicesOut : 1;
  }
  bool isAmongOthers() const {
    const GroupTiles *group = streams.streamed.group;
    return group && group->size() > 1;
  }
  /// The others store, too, with scales of their own.
  bool storesOtherwise() const {
    return isAmongOthers() && !target.handsOverInPlace();
  }
  /// Who was at work before; null where that is not known.
  const Walk *previous = nullptr;
  /// What its reader begins with has been stored when its turn ends: it leaves
  /// with passes, or is not of the last block of channels.
  bool handsOverEarly() const {
    return plan.storesRuns ||
           (streams.makesSlices ? streams.sliceStep
                                : layer.dims[streams.outChannel]) > shape.cols;
  }
  /// Its input is loaded before its loops.
  bool loadsOnce() const {
    return shape.inputOnChip && !streams.streamed.inputOnChip;
  }
  // In the tile that is entered.
  PerAxis<double> loaded{1.0, 1.0};
  PerAxis<double> over{0.0, 0.0}; ///< of roundedLoads()
  double newLines = 1;
  /// Of all tiles, pixels that the member makes in one.
  double meanExtent(Dim dim) const {
    return streams.streamed.extent[dim] / streams.streamed.groupTrips[dim];
  }

  /// How far units got in a period of a loop, when that was last steady: of the
  /// nest's loops, then of those in the order of `Slot`.
  std::vector<Mark> known;
  enum Slot : size_t { Lines, Passes, Bias, Region, Border, Sums, kNumSlots };
  size_t slotOf(Slot slot) const { return shape.loops.size() + slot; }

  // Where the loops stand, innermost first as in the shape.
  llvm::SmallVector<int64_t, 16> offsets;
  llvm::SmallVector<Reach, 16> wholes;
  Box entry, weightTile, inputTile, sumTile;

  // When rows were written by loads, and last read; sums also by the array.
  Chunks weightsThere, weightsRead, inputThere, inputRead, sumsThere, sumsMade,
      sumsRead;
  int64_t weightColumns = 1, weightRows = 1; ///< blocks of a tile
  size_t weightChunks = 1;                   ///< of it
  int64_t inputChunks = 1, inputBlocks = 1;  ///< of a block; in a tile
  PerAxis<int64_t> inputStored{1, 1};
  bool byLine = false;
  int64_t sumChunks = 1, sumBlocks = 1;
  int64_t inputUnit = 1, sumUnit = 1; ///< pixels of a chunk
  int64_t sumShift = 0;               ///< what the first chunk of a block lacks
  /// Which of the visits to a tile of sums it is; of all but the last they
  /// spill.
  bool isLastVisit = true, isFirstVisit = true;
  /// Where tiles take turns: the place of this one, and the one before, which
  /// was at the other.
  int64_t turn = 0;
  struct TileBefore {
    bool exists = false, isLastVisit = true;
    Box box;
    int64_t pixels() const {
      return box[Dim::N].size * box[Dim::P].size * box[Dim::Q].size;
    }
  } before;
  /// Of the next tile or, where tiles spill, of the sweep's next one, which was
  /// spilled; 0: there is none.
  int64_t pixelsAfter = 0;
  Turning inputTurning{plan.inputTurns, shape.insideInput};
  Turning inputSpreading{plan.inputSpread, shape.insideInput};
  Turning weightTurning{plan.weightTurns, shape.insideWeights};
  bool isLastTile = false; ///< of the group
  /// The input comes with the tile's computes, and has not come with those of
  /// another slice of it.
  bool bringsInput = !shape.inputOnChip;
};
} // namespace fadiff::stream

namespace {
/// Pixels along one dim, and how far apart they are on chip and in DRAM.
struct Steps {
  int64_t count, local, there;
};
} // namespace

/// How many pixels move as one: neighbours on chip, and equally far from each
/// other in DRAM. Innermost dim first.
static int64_t runOf(std::array<Steps, 3> dims) {
  int64_t run = 1, distance = 0;
  for (const Steps &dim : dims) {
    if (dim.count == 1)
      continue;
    if (run == 1) {
      if (dim.local != 1)
        return 1;
      distance = dim.there;
    } else if (dim.local != run || dim.there != run * distance) {
      return run;
    }
    run *= dim.count;
  }
  return run;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Runs `body` for the first trips, until they take the same time, and for the
/// last one. What pieces serve comes round every `period` trips. Over those
/// that are skipped each unit goes on as it did. `slot` says which loop it is:
/// what was found to be steady before is trusted sooner.
void Walk::repeat(size_t slot, int64_t trips, int64_t period,
                  llvm::function_ref<void(int64_t)> body) {
  if (trips <= period + 2) {
    for (int64_t trip = 0; trip < trips && !isTooLong(); ++trip)
      body(trip);
    return;
  }
  const uint64_t begin = commandsWalked();
  llvm::SmallVector<Mark, 16> marks{mark()};
  bool isDone = false;
  for (int64_t trip = 0; trip < trips && !isTooLong(); ++trip) {
    body(trip);
    if (trip == 0)
      isDone =
          double(commandsWalked() - begin) * double(trips) < kWorthSkipping;
    if (isDone)
      continue;
    marks.push_back(mark());
    const int64_t done = trip + 1;
    const int64_t skipped = (trips - 1 - done) / period * period;
    if (done < period + 1 || skipped <= 0)
      continue;
    if (double(commandsWalked() - begin) / double(done) * double(skipped) <
        kWorthSkipping)
      continue;
    const Mark &now = marks[size_t(done)],
               &before = marks[size_t(done - period)];
    Mark last;
    for (unsigned unit = 0; unit < kNumUnits; ++unit)
      last[unit] = now[unit] - before[unit];
    // What falls behind makes the others wait once its queue is full.
    const Time longest = *llvm::max_element(last);
    bool steady = true;
    if (done < period + kQueued)
      for (Time time : last)
        steady &= time == 0 || isNear(time, longest);
    if (!steady)
      continue;
    if (done >= 2 * period + 1) {
      const Mark &earlier = marks[size_t(done - 2 * period)];
      for (unsigned unit = 0; unit < kNumUnits; ++unit)
        steady &= isNear(last[unit], before[unit] - earlier[unit]);
      if (!steady && done < kQueued + kMean * period)
        continue;
      // As where two moves may be open, which take turns.
      if (!steady) {
        const Mark &earlier = marks[size_t(done - kMean * period)];
        for (unsigned unit = 0; unit < kNumUnits; ++unit)
          last[unit] = (now[unit] - earlier[unit]) / Time(kMean);
      }
      known[slot] = last;
    } else {
      for (unsigned unit = 0; unit < kNumUnits; ++unit)
        steady &= isNear(last[unit], known[slot][unit]);
      if (!steady)
        continue;
    }
    for (unsigned unit = 0; unit < kNumUnits; ++unit)
      last[unit] *= Time(skipped / period);
    skip(before, last);
    trip += skipped;
    isDone = true;
  }
}

int64_t Walk::periodOf(const StreamLoop &loop) const {
  int64_t period = 1;
  for (const Turning *turning :
       {&inputTurning, &inputSpreading, &weightTurning})
    if (turning->turns && turning->turns->loop < shape.loops.size() &&
        &loop == &shape.loops[turning->turns->loop])
      period = std::lcm(period, turning->turns->every);
  auto piece = [&](Dim dim, int64_t size) {
    if (loop.dim == dim && loop.step < size && size % loop.step == 0)
      period = std::max(period, size / loop.step);
  };
  piece(streams.inChannel, plan.inputChannels);
  piece(streams.inChannel, plan.weightRows);
  piece(tapDim, plan.weightTaps);
  piece(streams.outChannel, plan.outputChannels);
  if (!streams.depthwise)
    piece(Dim::K, plan.weightColumns);
  if (isReduction(loop.dim) && &loop < shape.loops.begin() + shape.insideSums) {
    const int64_t steps = stepsBetween(loop.dim, loop.step);
    for (int64_t every : {plan.addEvery, plan.aheadEvery})
      period = std::lcm(period, every / std::gcd(every, steps));
  }
  return period;
}

/// What tells apart how long the trips of the loops from `level` on take: which
/// extents they have, and what moves on them.
uint64_t Walk::kindOf(size_t level, const Box &box) const {
  uint64_t key = 1469598103934665603u;
  auto mix = [&](uint64_t value) { key = (key ^ value) * 1099511628211u; };
  for (Dim dim : kAllDims)
    mix(uint64_t(box[dim].size));
  // Whether all loops from `level` on to `end` that `isMeant` are at their
  // first, or last, trip.
  auto areFirst = [&](size_t end, auto isMeant) {
    for (size_t i = level; i < end; ++i)
      if (isMeant(shape.loops[i].dim) && offsets[i] != 0)
        return false;
    return true;
  };
  auto areLast = [&](size_t from, size_t end, auto isMeant) {
    for (size_t i = std::max(from, level); i < end; ++i)
      if (isMeant(shape.loops[i].dim) &&
          offsets[i] + shape.loops[i].step < wholes[i].size)
        return false;
    return true;
  };
  auto any = [](Dim) { return true; };
  auto mixTensor = [&](Tensor tensor, size_t inside, double ahead, bool across,
                       bool isWhole, bool startsPiece) {
    auto leads = [&](Dim dim) { return leadsOn(tensor, dim); };
    auto usesAgain = [&](Dim dim) { return !leads(dim); };
    mix(areFirst(inside, usesAgain) && startsPiece);
    mix(areLast(0, inside, usesAgain));
    if (isWhole)
      mix(areFirst(inside, any));
    if (!(ahead > 0))
      return;
    mix(areLast(0, inside, leads));
    if (!across)
      return;
    mix(level >= inside && areFirst(shape.loops.size(), any));
    mix(areLast(inside, shape.loops.size(), any));
  };
  const Reach &channels = box[streams.inChannel];
  if (!shape.weightsStay)
    mixTensor(
        Tensor::W, shape.insideWeights, plan.weightsAhead, plan.weightsAcross,
        /*isWhole=*/false,
        level >= shape.insideWeights ||
            (startsPiece(channels, weightTile[streams.inChannel],
                         plan.weightRows) &&
             startsPiece(box[tapDim], weightTile[tapDim], plan.weightTaps) &&
             (streams.depthwise || startsPiece(box[Dim::K], weightTile[Dim::K],
                                               plan.weightColumns))));
  mix(bringsInput);
  if (bringsInput)
    mixTensor(Tensor::I, shape.insideInput, plan.inputAhead, plan.inputAcross,
              plan.input == StreamPieces::Whole,
              level >= shape.insideInput ||
                  startsPiece(channels, inputTile[streams.inChannel],
                              plan.inputChannels));
  // What lies in the padding comes from nowhere.
  if (bringsInput && plan.clips) {
    const Box &of = level < shape.insideInput ? inputTile : box;
    for (Dim dim : {Dim::P, Dim::Q}) {
      mix(of[dim].offset == entry[dim].offset);
      mix(of[dim].offset + of[dim].size == entry[dim].offset + entry[dim].size);
    }
  }
  // The first lines of a tile come with all of their windows, and with each
  // line the next one, which behind the last there is not.
  if (bringsInput && !plan.compact[Axis::H]) {
    mix(areFirst(shape.insideInput, isPixel));
    mix(areLast(0, shape.insideInput, isPixel));
  }
  if (bringsInput && inputSpreading.turns)
    mix(uint64_t(turnPieces(inputSpreading, level)));
  for (const Turning *turning : {&inputTurning, &weightTurning})
    if (turning->turns) {
      mix(turning->tiles > (level < turning->inside));
      mix(areLast(turning->inside, shape.loops.size(), any));
      mix(uint64_t(turnPieces(*turning, level)));
    }
  const size_t insideSums =
      shape.spills ? shape.loops.size() : shape.insideSums;
  auto reduces = [](Dim dim) { return isReduction(dim); };
  mix(areFirst(insideSums, reduces));
  mix(areLast(0, insideSums, reduces));
  if (shape.spills)
    mix(startsSweep(level, /*orSecond=*/plan.storeChunks > 0));
  if (plan.aheadChunks > 0) {
    mix(startsSweep(level, /*orSecond=*/false));
    mix(endsSweep(level));
    mix(uint64_t(pixelsAfter));
  }
  if (plan.storesLastByRuns())
    mix(endsSweep(level));
  mix(before.exists);
  if (level < shape.insideSums)
    for (int64_t end : stepsWithMoves()) {
      // The last steps of a tile bring none.
      const int64_t first = reductionStep(box);
      int64_t last = first;
      for (Dim dim : {Dim::C, Dim::R, Dim::S})
        last += stepsBetween(dim, box[dim].size - 1);
      mix((first >= end) + (last >= end));
    }
  if (level < shape.insideSums)
    for (int64_t every : {plan.addEvery, plan.aheadEvery})
      mix(uint64_t(reductionStep(box) % every));
  if (layer.hasBias && !plan.biasPerRun)
    mix(areFirst(shape.insideSums,
                 [&](Dim dim) { return dim != streams.outChannel; }));
  if (level < shape.insideSums && plan.outputChannels > shape.cols)
    mix(uint64_t(box[streams.outChannel].offset -
                 sumTile[streams.outChannel].offset) %
        uint64_t(plan.outputChannels));
  return key;
}

/// As far as `box` is like others that took the same time, it takes that, too.
void Walk::walk(size_t level, const Box &box) {
  if (isTooLong())
    return;
  if (level == 0 || level == shape.loops.size() ||
      commandsAt[level] < kWorthSkipping / 2) {
    const uint64_t begin = commandsWalked();
    run(level, box);
    commandsAt[level] = double(commandsWalked() - begin);
    return;
  }
  const uint64_t key = kindOf(level, box);
  auto &kinds = kindsOf[level];
  auto kind = llvm::find_if(kinds, [&](const Kind &k) { return k.key == key; });
  if (kind == kinds.end()) {
    kinds.push_back({key, {}, 0, 0});
    kind = kinds.end() - 1;
  }
  const size_t index = size_t(kind - kinds.begin());
  if (kind->alike >= kAlike && kind->commands >= kWorthSkipping &&
      kind->skips < kind->most) {
    ++kind->skips;
    Mark since = mark();
    for (unsigned unit = 0; unit < kNumUnits; ++unit)
      since[unit] -= kind->time[unit];
    return skip(since, kind->time);
  }
  const Mark before = mark();
  const uint64_t begin = commandsWalked();
  run(level, box);
  Kind &found = kinds[index];
  Mark time = mark();
  bool isAlike = found.alike > 0;
  for (unsigned unit = 0; unit < kNumUnits; ++unit) {
    time[unit] -= before[unit];
    isAlike &= isNear(time[unit], found.time[unit]);
  }
  found.alike = isAlike ? found.alike + 1 : 1;
  found.most = isAlike && found.skips > 0 ? 4 * found.most : kFirstSkips;
  found.skips = 0;
  found.time = time;
  found.commands = double(commandsWalked() - begin);
  commandsAt[level] = found.commands;
}

void Walk::run(size_t level, const Box &box) {
  if (level == shape.insideWeights && !shape.weightsStay) {
    weightTile = box;
    weightTurning.begin();
    if (plan.weightsAhead > 0 && !weightTurning.cameAhead())
      fetchFirst(/*input=*/false, box);
  }
  if (level == shape.insideInput && !shape.inputOnChip) {
    inputTile = box;
    inputTurning.begin();
    if (plan.inputAhead > 0 && bringsInput)
      fetchFirst(/*input=*/true, box);
  }
  if (level == shape.insideSums)
    beginSums(box);
  if (level == 0) {
    compute(box);
  } else {
    const size_t index = level - 1;
    const StreamLoop &loop = shape.loops[index];
    const Reach whole = box[loop.dim];
    wholes[index] = whole;
    const int64_t trips = llvm::divideCeil(whole.size, loop.step);
    auto step = [&](int64_t trip) {
      offsets[index] = trip * loop.step;
      // Slices of its input are made one after the other.
      if (streams.streamed.slicesIn > 1 && level == shape.loops.size()) {
        if (maker) {
          maker->takeTurnAfter(*this, trip == 0);
          goOnFrom(*maker);
          previous = maker;
          if (streams.streamed.changesStride)
            configureExecute();
          if (storesOtherwise())
            configureStores();
        }
        receive();
      }
      Box next = box;
      next[loop.dim] = {whole.offset + offsets[index],
                        std::min(loop.step, whole.size - offsets[index]),
                        std::min(loop.step, whole.nominal)};
      if (plan.weightsAhead > 0 && plan.weightsLoop == index &&
          !weightTurning.cameAhead())
        fetchAhead(/*input=*/false);
      if (plan.inputAhead > 0 && bringsInput && plan.inputLoop == index)
        fetchAhead(/*input=*/true);
      fetchNext(index, /*isBehind=*/false);
      walk(index, next);
      fetchNext(index, /*isBehind=*/true);
    };
    // What is added later comes with the first trips, and as the tile before
    // leaves; the next tile comes with the first ones, too.
    llvm::SmallVector<int64_t, 8> ends{trips};
    if (index < shape.insideSums && isReduction(loop.dim))
      for (int64_t steps : stepsWithMoves())
        ends.push_back(llvm::divideCeilSigned(
            steps - reductionStep(box),
            std::max<int64_t>(1, stepsBetween(loop.dim, loop.step))));
    for (const Turning *turning :
         {&inputTurning, &inputSpreading, &weightTurning})
      ends.push_back(endOfTurns(*turning, level, trips));
    llvm::sort(ends);
    int64_t done = 0;
    for (int64_t end : ends) {
      const int64_t from = done;
      done = std::clamp(end, from, trips);
      repeat(index, done - from, periods[index],
             [&](int64_t trip) { step(from + trip); });
    }
    offsets[index] = 0;
  }
  if (level == shape.insideSums)
    endSums(box);
}

//===----------------------------------------------------------------------===//
// One tile ahead
//===----------------------------------------------------------------------===//

/// Which of the trips that bring pieces of the next tile it is, where the loops
/// from `level` on stand: of the others the first.
int64_t Walk::turnTrip(const Turning &turning, size_t level) const {
  int64_t trip = 0, inner = 1;
  for (size_t i = turning.turns->loop; i < turning.inside; ++i) {
    const StreamLoop &loop = shape.loops[i];
    if (!loop.exact)
      continue;
    if (i >= level)
      trip += offsets[i] / loop.step * inner;
    inner *= llvm::divideCeil(loop.whole, loop.step);
  }
  return trip;
}

/// How many pieces of the next tile come while the loops up to `level` run
/// once.
int64_t Walk::turnPieces(const Turning &turning, size_t level) const {
  const TileTurns &turns = *turning.turns;
  int64_t inner = 1;
  for (size_t i = turns.loop; i < turning.inside; ++i) {
    const StreamLoop &loop = shape.loops[i];
    if (i < level && loop.exact)
      inner *= llvm::divideCeil(loop.whole, loop.step);
    if (i >= level && !loop.exact && offsets[i] != 0)
      return 0;
  }
  auto before = [&](int64_t trip) {
    return std::min<int64_t>(
        llvm::divideCeil(std::max<int64_t>(trip - turns.from, 0), turns.every) *
            turns.atOnce,
        turns.all);
  };
  const int64_t trip = turnTrip(turning, level);
  return before(trip + inner) - before(trip);
}

/// Up to which of a loop's trips, of so many, the next tile comes; `level` is
/// outside of the loop.
int64_t Walk::endOfTurns(const Turning &turning, size_t level,
                         int64_t trips) const {
  const size_t index = level - 1;
  if (!turning.turns || index < turning.turns->loop || index >= turning.inside)
    return trips;
  if (!shape.loops[index].exact)
    return 1;
  int64_t inner = 1;
  for (size_t i = turning.turns->loop; i < index; ++i)
    if (shape.loops[i].exact)
      inner *= llvm::divideCeil(shape.loops[i].whole, shape.loops[i].step);
  return llvm::divideCeilSigned(
      turning.turns->trips() - turnTrip(turning, level), inner);
}

/// The loops around the load are the digits of a counter, which begins again
/// at the group's next tile.
bool Walk::findNextTile(const Turning &turning, Box &tile) const {
  tile = entry;
  bool carry = true;
  llvm::SmallVector<int64_t, 16> next(offsets.begin(), offsets.end());
  for (size_t i = turning.inside; i < shape.loops.size() && carry; ++i) {
    next[i] += shape.loops[i].step;
    carry = next[i] >= wholes[i].size;
    if (carry)
      next[i] = 0;
  }
  if (carry && !streams.streamed.grouped)
    return false;
  for (size_t i = shape.loops.size(); i-- > turning.inside;) {
    const StreamLoop &loop = shape.loops[i];
    Reach &span = tile[loop.dim];
    span = {span.offset + next[i], std::min(loop.step, span.size - next[i]),
            std::min(loop.step, span.nominal)};
  }
  return true;
}

/// The first of the next tile's pieces that are due on this trip, if any are.
std::optional<int64_t> Walk::dueFrom(const Turning &turning) const {
  const TileTurns &turns = *turning.turns;
  for (size_t i = turns.loop; i < turning.inside; ++i)
    if (!shape.loops[i].exact && offsets[i] != 0)
      return std::nullopt;
  const int64_t trip = turnTrip(turning, 0) - turns.from,
                begin = trip / turns.every * turns.atOnce;
  if (trip < 0 || trip % turns.every != 0 || begin >= turns.all)
    return std::nullopt;
  return begin;
}

/// Pieces of the next tiles that come in front of the boxes of a loop's trip,
/// or behind the only one.
void Walk::fetchNext(size_t loop, bool isBehind) {
  auto comes = [&](const std::optional<TileTurns> &turns) {
    return turns && turns->loop == loop && turns->isBehind == isBehind;
  };
  if (comes(plan.weightTurns))
    fetchNextWeights();
  if (comes(plan.inputTurns))
    fetchNextInput();
  if (comes(plan.inputSpread) && bringsInput)
    if (const std::optional<int64_t> due = dueFrom(inputSpreading))
      fetchPieces(inputTile, *plan.inputSpread, *due, plan.inputChannels);
}

/// The pieces of the input's next tile that are due.
void Walk::fetchNextInput() {
  const TileTurns &turns = *plan.inputTurns;
  const std::optional<int64_t> due = dueFrom(inputTurning);
  if (!due)
    return;
  const int64_t begin = *due;
  if (const TurnShare &share = shape.turns; share.count > 0) {
    if (isLastTile)
      return;
    const int64_t pieces = std::min(turns.atOnce, turns.all - begin);
    for (int64_t i = 0; i < pieces && !isTooLong(); ++i)
      load(share.rows(), share.bytes, share.rows(), 0);
    return;
  }
  Box tile;
  if (!findNextTile(inputTurning, tile))
    return;
  inputTurning.loadPlace = 1 - inputTurning.readPlace;
  fetchPieces(tile, turns, begin, /*from=*/0);
  inputTurning.loadPlace = inputTurning.readPlace;
}

/// Pieces of a tile of the input, from `begin` on those that come at once, of
/// its channels behind so many.
void Walk::fetchPieces(const Box &tile, const TileTurns &turns, int64_t begin,
                       int64_t from) {
  const int64_t height = inputAxis(tile, Axis::H).stored,
                width = inputAxis(tile, Axis::W).stored;
  const int64_t parts = llvm::divideCeil(inputStored[Axis::H], turns.lines);
  const int64_t groups = llvm::divideCeil(shape.tile[Dim::N], turns.images);
  const Reach &channels = tile[streams.inChannel];
  for (int64_t piece = begin;
       piece < std::min(begin + turns.atOnce, turns.all) && !isTooLong();
       ++piece) {
    const int64_t first = piece % parts * turns.lines;
    const int64_t image = piece / parts % groups * turns.images;
    const int64_t channel = from + piece / parts / groups * plan.inputChannels;
    if (channel < channels.size)
      loadRegion(tile,
                 {image, std::min(turns.images, tile[Dim::N].size - image)},
                 {first, std::min(turns.lines, height - first)}, {0, width},
                 {channels.offset + channel,
                  std::min(plan.inputChannels, channels.size - channel)});
  }
}

/// The same of weights.
void Walk::fetchNextWeights() {
  const TileTurns &turns = *plan.weightTurns;
  const std::optional<int64_t> begin = dueFrom(weightTurning);
  Box tile;
  if (!begin || !findNextTile(weightTurning, tile))
    return;
  weightTurning.loadPlace = 1 - weightTurning.readPlace;
  const Dim channel = streams.inChannel;
  auto pieces = [&](Dim dim, int64_t size) {
    return llvm::divideCeil(shape.weightTile[dim], size);
  };
  const int64_t columns =
      streams.depthwise ? 1 : pieces(Dim::K, plan.weightColumns);
  for (int64_t piece = *begin;
       piece < std::min(*begin + turns.atOnce, turns.all) && !isTooLong();
       ++piece) {
    Box part = tile;
    int64_t rest = piece;
    auto next = [&](Dim dim, int64_t size, int64_t count) {
      const int64_t first = rest % count * size;
      rest /= count;
      part[dim] = {tile[dim].offset + first,
                   std::clamp<int64_t>(tile[dim].size - first, 0, size), size};
    };
    if (!streams.depthwise)
      next(Dim::K, plan.weightColumns, columns);
    next(channel, plan.weightRows, pieces(channel, plan.weightRows));
    next(tapDim, plan.weightTaps, pieces(tapDim, plan.weightTaps));
    next(otherTapDim, 1, shape.weightTile[otherTapDim]);
    loadWeightPart(tile, part);
  }
  weightTurning.loadPlace = weightTurning.readPlace;
}

//===----------------------------------------------------------------------===//
// One part ahead
//===----------------------------------------------------------------------===//

/// The first part of a tile, unless the tile before brought it in.
void Walk::fetchFirst(bool input, const Box &tile) {
  const size_t inside = input ? shape.insideInput : shape.insideWeights;
  const size_t of = input ? plan.inputLoop : plan.weightsLoop;
  const int64_t ofStep = input ? plan.inputStep : plan.weightsStep;
  if (input ? plan.inputAcross : plan.weightsAcross)
    for (size_t i = inside; i < shape.loops.size(); ++i)
      if (offsets[i] != 0)
        return;
  Box part = tile;
  for (size_t i = inside; i-- > of;) {
    const StreamLoop &loop = shape.loops[i];
    if (!leadsOn(input ? Tensor::I : Tensor::W, loop.dim))
      continue;
    const int64_t step = i == of ? ofStep : loop.step;
    Reach &span = part[loop.dim];
    if (span.nominal > step)
      span = {span.offset, std::min(step, span.size), step};
  }
  input ? loadInputPart(tile, part) : loadWeightPart(tile, part);
}

/// The part behind the one at the trip that begins. The loops are the digits of
/// a counter.
void Walk::fetchAhead(bool input) {
  const Tensor tensor = input ? Tensor::I : Tensor::W;
  const size_t inside = input ? shape.insideInput : shape.insideWeights;
  const size_t of = input ? plan.inputLoop : plan.weightsLoop;
  const int64_t ofStep = input ? plan.inputStep : plan.weightsStep;
  if (ofStep != shape.loops[of].step && offsets[of] % ofStep != 0)
    return;
  llvm::SmallVector<int64_t, 16> next(shape.loops.size(), 0);
  bool carry = true, isFirstUse = true, isLastUse = true;
  bool carryFromTile = false;
  for (size_t i = of; i < shape.loops.size(); ++i) {
    if (i == inside)
      carryFromTile = carry;
    const int64_t step = i == of ? ofStep : shape.loops[i].step;
    const int64_t behind = offsets[i] + step;
    const bool wraps = behind >= wholes[i].size;
    if (i < inside && !leadsOn(tensor, shape.loops[i].dim)) {
      isFirstUse &= offsets[i] == 0;
      isLastUse &= wraps;
      continue;
    }
    next[i] = carry ? (wraps ? 0 : behind) : offsets[i];
    carry &= wraps;
  }
  if (inside == shape.loops.size())
    carryFromTile = carry;
  bool exists = isFirstUse && !carryFromTile;
  if ((input ? plan.inputAcross : plan.weightsAcross) &&
      inside < shape.loops.size())
    exists |= isLastUse && carryFromTile && !carry;
  if (!exists)
    return;
  Box box = entry, tile = entry;
  for (size_t i = shape.loops.size(); i-- > of;) {
    if (i + 1 == inside)
      tile = box;
    const StreamLoop &loop = shape.loops[i];
    if (i < inside && !leadsOn(tensor, loop.dim))
      continue;
    Reach &span = box[loop.dim];
    const int64_t step = i == of ? ofStep : loop.step;
    span = {span.offset + next[i], std::min(step, span.size - next[i]),
            std::min(step, span.nominal)};
  }
  if (inside <= of)
    tile = box;
  input ? loadInputPart(tile, box) : loadWeightPart(tile, box);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

size_t Walk::weightChunk(int64_t place, const Box &tile, int64_t r, int64_t w,
                         int64_t c, int64_t k) const {
  const int64_t tap = (r - tile[Dim::R].offset) * tile[Dim::S].nominal +
                      (w - tile[Dim::S].offset);
  const int64_t row = (c - tile[streams.inChannel].offset) /
                      (streams.depthwise ? shape.cols : shape.rows);
  const int64_t column =
      streams.depthwise ? 0 : (k - tile[Dim::K].offset) / shape.cols;
  return size_t(place) * weightChunks +
         size_t((tap * weightRows + row) * weightColumns + column) %
             weightChunks;
}

/// One mvin: `c` rows of `k` columns of each of the taps `r` and `s`.
void Walk::loadWeights(const Box &tile, const Reach &r, const Reach &s,
                       const Reach &c, const Reach &k) {
  const int64_t block = streams.depthwise ? shape.cols : shape.rows;
  const int64_t taps = r.size * s.size;
  Time ready = 0;
  llvm::SmallVector<size_t, 8> chunks;
  for (int64_t i = 0; i < c.size; i += block)
    for (int64_t tap = 0; tap < taps; ++tap)
      for (int64_t j = 0; j < (streams.depthwise ? 1 : k.size);
           j += shape.cols) {
        chunks.push_back(
            weightChunk(weightTurning.loadPlace, tile, r.offset + tap / s.size,
                        s.offset + tap % s.size, c.offset + i, k.offset + j));
        ready = std::max(ready, latest(weightsRead, chunks.back()));
      }
  const int64_t columns = (streams.depthwise ? c.size : k.size) * taps;
  const Time finish = load(c.size, columns * element,
                           c.size * llvm::divideCeil(columns, side), ready);
  for (size_t chunk : chunks)
    raise(weightsThere, chunk, finish);
}

void Walk::loadWeightPart(const Box &tile, const Box &part) {
  const Reach &channels = part[streams.inChannel], &all = part[Dim::K];
  Box move = part;
  auto take = [&](Dim dim, int64_t first, int64_t size) {
    move[dim] = {part[dim].offset + first,
                 std::min(size, part[dim].size - first), size};
  };
  for (int64_t r = 0; r < part[otherTapDim].size; ++r)
    for (int64_t t = 0; t < part[tapDim].size; t += plan.weightTaps)
      for (int64_t c = 0; c < channels.size && !isTooLong();
           c += plan.weightRows)
        for (int64_t k = 0; k < (streams.depthwise ? 1 : all.size);
             k += plan.weightColumns) {
          take(otherTapDim, r, 1);
          take(tapDim, t, plan.weightTaps);
          take(streams.inChannel, c, plan.weightRows);
          take(Dim::K, k, plan.weightColumns);
          loadWeights(tile, move[Dim::R], move[Dim::S], move[streams.inChannel],
                      move[Dim::K]);
        }
}

void Walk::fetchWeights(const Box &box) {
  const Box &tile = weightTile;
  Box move = box;
  auto startsMove = [&](Dim dim, int64_t size) {
    move[dim].size = pieceSize(box[dim], tile[dim], size);
    return startsPiece(box[dim], tile[dim], size);
  };
  if (isFirstUse(box, tile, {Dim::N, Dim::P, Dim::Q}) &&
      startsMove(streams.inChannel, plan.weightRows) &&
      startsMove(tapDim, plan.weightTaps) &&
      (streams.depthwise || startsMove(Dim::K, plan.weightColumns)))
    loadWeights(tile, move[Dim::R], move[Dim::S], move[streams.inChannel],
                move[Dim::K]);
}

//===----------------------------------------------------------------------===//
// Input
//===----------------------------------------------------------------------===//

Walk::InputAxis Walk::inputAxis(const Box &tile, Axis axis) const {
  const Reach &out = tile[outputDim(axis)], &kernel = tile[kernelDim(axis)];
  const int64_t stride = layer.stride[axis], dilation = layer.dilation[axis];
  InputAxis result;
  result.base =
      out.offset * stride + kernel.offset * dilation - layer.padLow[axis];
  if (plan.compact[axis]) {
    result.stored = out.size;
    result.step = stride;
  } else {
    result.stored = (out.size - 1) * stride + (kernel.size - 1) * dilation + 1;
  }
  return result;
}

/// Where `count` pixels from one of a tile's on lie: a line, or as many rows as
/// the array is high.
void Walk::pixelChunks(const Box &tile, int64_t c, int64_t n, int64_t h,
                       int64_t w, int64_t count, size_t &from,
                       size_t &to) const {
  const int64_t block = (c - tile[streams.inChannel].offset) /
                        (streams.depthwise ? shape.cols : shape.rows);
  const int64_t line = n * inputStored[Axis::H] + h;
  const int64_t pixel = line * inputStored[Axis::W] + w;
  const int64_t base = block % inputBlocks * inputChunks;
  from = inputChunk(inputTurning.loadPlace, base, pixel);
  to = inputChunk(inputTurning.loadPlace, base,
                  pixel + std::max<int64_t>(count, 1) - 1);
}

void Walk::mvinPixels(const Box &tile, int64_t n, int64_t h, int64_t w,
                      int64_t count, const Reach &channels, bool isPadding) {
  const int64_t block = streams.depthwise ? shape.cols : shape.rows;
  const int64_t width =
      block == side ? target.maxMoveColumns() / side * side : block;
  for (int64_t c = 0; c < channels.size && !isTooLong(); c += width) {
    const int64_t columns = std::min(width, channels.size - c);
    Time ready = 0;
    llvm::SmallVector<std::pair<size_t, size_t>, 8> chunks;
    for (int64_t j = 0; j < columns; j += block) {
      auto &[from, to] = chunks.emplace_back();
      pixelChunks(tile, channels.offset + c + j, n, h, w, count, from, to);
      ready = std::max(ready, latest(inputRead, from, to));
    }
    const Time finish = load(isPadding ? 0 : count, columns * element,
                             count * llvm::divideCeil(columns, block), ready);
    for (auto [from, to] : chunks)
      raise(inputThere, from, to, finish);
  }
}

/// What a tile loads along the axis: a whole number, now less and now more than
/// the mean.
int64_t Walk::roundedLoads(Axis axis) {
  const double whole = std::floor(loaded[axis]);
  over[axis] += loaded[axis] - whole;
  if (over[axis] < 1 - 1e-9)
    return int64_t(whole);
  over[axis] -= 1;
  return int64_t(whole) + 1;
}

void Walk::loadRegion(const Box &tile, const Reach &n, const Reach &h,
                      const Reach &w, const Reach &channels) {
  if (n.size <= 0 || h.size <= 0 || w.size <= 0)
    return;
  if (!byLine) {
    const int64_t stepH = inputAxis(tile, Axis::H).step,
                  stepW = inputAxis(tile, Axis::W).step;
    const int64_t width = layer.inputExtent[Axis::W];
    const int64_t run =
        runOf({Steps{w.size, 1, stepW},
               {h.size, inputStored[Axis::W], stepH * width},
               {n.size, inputStored[Axis::H] * inputStored[Axis::W],
                layer.inputExtent[Axis::H] * width}});
    repeat(slotOf(Region), n.size * h.size * w.size / run, 1,
           [&](int64_t line) {
             const int64_t first = line * run;
             const int64_t q = first % w.size, p = first / w.size % h.size;
             for (int64_t i = 0; i < run; i += side)
               mvinPixels(tile, n.offset + first / w.size / h.size,
                          h.offset + p, w.offset + q + i,
                          std::min(side, run - i), channels, false);
           });
    return;
  }
  const InputAxis rows = inputAxis(tile, Axis::H),
                  columns = inputAxis(tile, Axis::W);
  // Of a group's tile only how much is loaded is known.
  const bool isMean = streams.streamed.grouped;
  // What lies in the image, of `count` of a tile from `base` on.
  auto inside = [](int64_t base, int64_t step, int64_t count, int64_t extent) {
    auto ceilDiv = [step](int64_t a) {
      return a <= 0 ? -(-a / step) : llvm::divideCeil(a, step);
    };
    const int64_t low = std::clamp<int64_t>(ceilDiv(-base), 0, count);
    return std::pair(low,
                     std::clamp<int64_t>(ceilDiv(extent - base), low, count));
  };
  int64_t low = 0, high = w.size;
  if (isMean) {
    const auto missing =
        std::clamp<int64_t>(columns.stored - roundedLoads(Axis::W), 0, w.size);
    low = std::min(missing, (missing + 1) / 2);
    high = w.size - (missing - low);
  } else if (layer.readsPadding(Axis::W)) {
    std::tie(low, high) =
        inside(columns.base + w.offset * columns.step, columns.step, w.size,
               layer.inputExtent[Axis::W]);
  }
  std::pair<int64_t, int64_t> within(0, 0); // of the image
  if (isMean) {
    // The piece with the last line says whether that comes.
    const double last = loaded[Axis::H];
    const bool decides = h.offset <= last && last < h.offset + h.size;
    within.second = std::clamp<int64_t>(
        (decides ? roundedLoads(Axis::H) : std::llround(last)) - h.offset, 0,
        h.size);
  } else {
    within = inside(rows.base + h.offset * rows.step, rows.step, h.size,
                    layer.inputExtent[Axis::H]);
  }
  // Of a ring's lines the others are there.
  const int64_t height =
      isMean && shape.loadsRing
          ? std::clamp<int64_t>(std::llround(newLines) - h.offset,
                                within.second, h.size)
          : h.size;
  // Lines of padding are filled, which is not like loading.
  auto lines = [&](int64_t i, int64_t from, int64_t end, bool isInside) {
    repeat(slotOf(isInside ? Region : Border), end - from, 1, [&](int64_t j) {
      const int64_t stored = h.offset + from + j;
      auto move = [&](int64_t from, int64_t to, bool isPadding) {
        const bool isLoaded = isPadding && layer.padValue != 0;
        const int64_t most = isLoaded ? 1 : side;
        for (int64_t q = from; q < to; q += most)
          mvinPixels(tile, n.offset + i, stored, w.offset + q,
                     std::min(most, to - q), channels, isPadding && !isLoaded);
      };
      if (!isInside)
        return move(0, w.size, true);
      move(0, low, true);
      move(low, high, false);
      move(high, w.size, true);
    });
  };
  for (int64_t i = 0; i < n.size; ++i) {
    lines(i, 0, within.first, false);
    lines(i, within.first, within.second, true);
    lines(i, within.second, height, false);
  }
}

/// Stored rows or columns of the tile that the outputs before `out` have
/// fetched, and those of `ahead` more.
int64_t Walk::storedBefore(const Box &tile, Axis axis, int64_t out,
                           int64_t ahead) const {
  if (out == 0)
    return 0;
  if (plan.compact[axis] && !ahead)
    return out;
  int64_t end = out + ahead;
  if (!plan.compact[axis])
    end = (end - 1) * layer.stride[axis] +
          (tile[kernelDim(axis)].size - 1) * layer.dilation[axis] + 1;
  return ahead ? std::min(end, inputAxis(tile, axis).stored) : end;
}

void Walk::fetchInput(const Box &box) {
  const Box &tile = inputTile;
  const bool isWhole = plan.input == StreamPieces::Whole;
  const Reach &channels = box[streams.inChannel];
  if (!isFirstUse(box, tile, {Dim::K, Dim::R, Dim::S}) ||
      !startsPiece(channels, tile[streams.inChannel], plan.inputChannels) ||
      (plan.inputSpread && !isFirstUse(box, tile, {streams.inChannel})) ||
      (isWhole && !isFirstUse(box, tile, {Dim::N, Dim::P, Dim::Q})))
    return;
  auto slice = [&](Dim dim) -> Reach {
    if (isWhole)
      return {0, tile[dim].size};
    return {box[dim].offset - tile[dim].offset, box[dim].size};
  };
  PerAxis<Reach> region;
  for (Axis axis : kAllAxes) {
    const Reach out = slice(outputDim(axis));
    const int64_t ahead = axis == Axis::H && !isWhole ? 1 : 0;
    const int64_t low = storedBefore(tile, axis, out.offset, ahead);
    const int64_t high =
        isWhole ? inputAxis(tile, axis).stored
                : storedBefore(tile, axis, out.offset + out.size, ahead);
    region[axis] = {low, std::max<int64_t>(high - low, 0)};
  }
  loadRegion(tile, slice(Dim::N), region[Axis::H], region[Axis::W],
             {channels.offset, pieceSize(channels, tile[streams.inChannel],
                                         plan.inputChannels)});
}

void Walk::loadInputPart(const Box &tile, const Box &part) {
  PerAxis<Reach> region;
  for (Axis axis : kAllAxes) {
    const Dim dim = outputDim(axis);
    region[axis] =
        plan.compact[axis]
            ? Reach{part[dim].offset - tile[dim].offset, part[dim].size}
            : Reach{0, inputAxis(tile, axis).stored};
  }
  loadRegion(tile,
             {part[Dim::N].offset - tile[Dim::N].offset, part[Dim::N].size},
             region[Axis::H], region[Axis::W],
             {part[streams.inChannel].offset, part[streams.inChannel].size});
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

int64_t Walk::pixelsHeld() const {
  if (shape.staysInPlace)
    return shape.sums[Dim::N] * shape.handOver[Axis::H] *
           shape.handOver[Axis::W];
  return shape.sums[Dim::N] * shape.sums[Dim::P] * shape.sums[Dim::Q];
}

int64_t Walk::sumPixel(const Box &box, int64_t n, int64_t p, int64_t q) const {
  const int64_t height =
      shape.staysInPlace ? shape.handOver[Axis::H] : shape.sums[Dim::P];
  const int64_t width =
      shape.staysInPlace ? shape.handOver[Axis::W] : shape.sums[Dim::Q];
  auto in = [&](Dim dim) { return box[dim].offset - sumTile[dim].offset; };
  return ((in(Dim::N) + n) * height + in(Dim::P) + p) * width + in(Dim::Q) + q;
}

/// Of the tile in one of the two places, or in the only one.
void Walk::loadBias(int64_t place, int64_t block, int64_t pixel, int64_t count,
                    int64_t columns) {
  const size_t from = chunkOf(place, block, pixel),
               to = chunkOf(place, block, pixel + count - 1);
  const Time ready =
      std::max(latest(sumsMade, from, to), latest(sumsRead, from, to));
  raise(sumsThere, from, to, load(1, columns * 4, count, ready));
}

/// How many reduction steps of a tile come between what is `distance` apart
/// along `dim`.
int64_t Walk::stepsBetween(Dim dim, int64_t distance) const {
  return distance / shape.box[dim] * plan.reductionSteps[dim];
}

/// Which reduction step of the tile `box` begins with.
int64_t Walk::reductionStep(const Box &box) const {
  int64_t step = 0;
  for (Dim dim : {Dim::C, Dim::R, Dim::S})
    step += stepsBetween(dim, box[dim].offset - sumTile[dim].offset);
  return step;
}

/// Whether the loops from `level` on that go over other tiles than one are at
/// their first trip or, with `orSecond`, at their second tile.
bool Walk::startsSweep(size_t level, bool orSecond) const {
  bool mayBeSecond = orSecond;
  for (size_t i = std::max(level, shape.insideSums);
       i < shape.insideSums + loopsOfSweep(); ++i) {
    if (offsets[i] != 0 && !(mayBeSecond && offsets[i] == shape.loops[i].step))
      return false;
    mayBeSecond &= wholes[i].size <= shape.loops[i].step;
  }
  return true;
}

/// Whether these are at their last trip.
bool Walk::endsSweep(size_t level) const {
  for (size_t i = std::max(level, shape.insideSums);
       i < shape.insideSums + loopsOfSweep(); ++i)
    if (offsets[i] + shape.loops[i].step < wholes[i].size)
      return false;
  return true;
}

/// Reduction steps at which moves beside a tile's first ones begin and end, in
/// order.
llvm::SmallVector<int64_t, 4> Walk::stepsWithMoves() const {
  llvm::SmallVector<int64_t, 4> steps{
      plan.addSteps > 0 ? (plan.addSteps - 1) * plan.addEvery + 1 : 0,
      plan.storeSteps};
  if (plan.aheadChunks > 0)
    steps.append(
        {plan.aheadFrom,
         plan.aheadFrom + (plan.aheadSteps - 1) * plan.aheadEvery + 1});
  llvm::sort(steps);
  llvm::erase(steps, 0);
  return steps;
}

/// Where loops are at a tile, the one that comes next.
void Walk::findAfter() {
  pixelsAfter = 0;
  if ((shape.spills && isFirstVisit) || endsSweep(shape.insideSums))
    return;
  llvm::SmallVector<int64_t, 16> next(offsets.begin(), offsets.end());
  for (size_t i = shape.insideSums;; ++i) {
    next[i] += shape.loops[i].step;
    if (next[i] < wholes[i].size)
      break;
    next[i] = 0;
  }
  PerDim<int64_t> sizes;
  for (Dim dim : kAllDims)
    sizes[dim] = entry[dim].size;
  for (size_t i = shape.loops.size(); i-- > shape.insideSums;)
    sizes[shape.loops[i].dim] =
        std::min(shape.loops[i].step, sizes[shape.loops[i].dim] - next[i]);
  pixelsAfter = sizes[Dim::N] * sizes[Dim::P] * sizes[Dim::Q];
}

/// Behind a reduction step, what was spilled of those pixels of the next tile
/// whose place is free, or their bias.
void Walk::loadAhead(const Box &box, int64_t block) {
  const int64_t step = reductionStep(box) - plan.aheadFrom,
                number = step / plan.aheadEvery;
  if (step < 0 || step % plan.aheadEvery != 0 || number >= plan.aheadSteps ||
      !isAtEnd(box, sumTile, {Dim::N, Dim::P, Dim::Q}))
    return;
  const int64_t atOnce = plan.aheadChunks * side, first = number * atOnce;
  // The bias of a tile that is cut short comes in as many moves.
  const int64_t rows = plan.biasAhead ? pixelsHeld() : pixelsAfter;
  const int64_t count = std::min(atOnce, rows - first);
  for (int64_t i = 0; i < count; i += side) {
    const int64_t chunk = std::min(side, count - i);
    const int64_t columns = box[streams.outChannel].size;
    if (plan.biasAhead)
      loadBias(1 - turn, block, first + i, chunk, columns);
    else
      loadSpilled(1 - turn, block, first + i, chunk, columns);
  }
}

/// What was spilled of the tile in one of the two places, or in the only one.
void Walk::loadSpilled(int64_t place, int64_t block, int64_t pixel,
                       int64_t count, int64_t columns) {
  const size_t from = chunkOf(place, block, pixel),
               to = chunkOf(place, block, pixel + count - 1);
  const Time ready =
      std::max(latest(sumsMade, from, to), latest(sumsRead, from, to));
  raise(sumsThere, from, to, load(count, columns * 4, count, ready));
}

/// Zeros come from nowhere, before the nest's loops.
void Walk::clearSums() {
  const int64_t rows =
      (plan.sumsTurn ? 2 : 1) * pixelsHeld() *
      llvm::divideCeil(shape.sums[streams.outChannel], shape.cols);
  holdReader(Time(std::max<int64_t>(rows, llvm::divideCeil(rows, side) *
                                              int64_t(target.commandCycles))));
}

/// Behind a reduction step, the bias or what was spilled of those pixels of the
/// whole tile that are due.
void Walk::addLater(const Box &box, int64_t block) {
  const int64_t step = reductionStep(box), number = step / plan.addEvery;
  if (step % plan.addEvery != 0 || number >= plan.addSteps ||
      !isAtEnd(box, sumTile, {Dim::N, Dim::P, Dim::Q}))
    return;
  const int64_t distance = plan.addSteps * side, first = number * side,
                all = pixelsHeld();
  const bool readsBack = shape.spills && !isFirstVisit;
  if (readsBack ? plan.aheadChunks > 0 : !layer.hasBias || !bringsBias())
    return;
  // A tile that is cut short has fewer rows, but the bias comes in as many
  // moves.
  const int64_t sums =
      sumTile[Dim::N].size * sumTile[Dim::P].size * sumTile[Dim::Q].size;
  repeat(slotOf(Bias), llvm::divideCeil(all - first, distance), 1,
         [&](int64_t i) {
           const int64_t pixel = first + i * distance,
                         rows = std::min(side, all - pixel);
           const int64_t columns = box[streams.outChannel].size;
           if (!readsBack)
             return loadBias(turn, block, pixel,
                             plan.addsToGaps
                                 ? rows
                                 : std::clamp<int64_t>(sums - pixel, 1, rows),
                             columns);
           if (const int64_t made = std::min(sums - pixel, rows); made > 0)
             loadSpilled(turn, block, pixel, made, columns);
         });
}

int64_t Walk::outputRun(const Box &box, bool toDram) const {
  const int64_t height = toDram ? layer.dims[Dim::P] : shape.handOver[Axis::H];
  const int64_t width = toDram ? layer.dims[Dim::Q] : shape.handOver[Axis::W];
  const PerDim<int64_t> &held = shape.sums;
  return runOf(
      {Steps{box[Dim::Q].size, 1, 1},
       {box[Dim::P].size, held[Dim::Q], width},
       {box[Dim::N].size, held[Dim::P] * held[Dim::Q], height * width}});
}

/// A residual, or what was spilled, comes whole where the tile begins.
void Walk::beginSums(const Box &box) {
  sumTile = box;
  if (plan.sumsTurn)
    turn = 1 - turn;
  isFirstVisit = isLastVisit = true;
  for (size_t i = shape.insideSums; i < shape.loops.size(); ++i)
    if (isReduction(shape.loops[i].dim)) {
      isFirstVisit &= offsets[i] == 0;
      isLastVisit &= offsets[i] + shape.loops[i].step >= wholes[i].size;
    }
  const bool readsBack = shape.spills && !isFirstVisit;
  if (plan.aheadChunks > 0)
    findAfter();
  if (!shape.loadsResidual && !shape.spills)
    return;
  const Reach &channels = box[streams.outChannel];
  const int64_t groups = streams.depthwise ? 1 : box[Dim::G].size;
  const int64_t pixels = box[Dim::N].size * box[Dim::P].size * box[Dim::Q].size;
  if (readsBack &&
      startsSweep(shape.insideSums, /*orSecond=*/plan.storeChunks > 0))
    fence();
  // Nothing came ahead of the sweep's first tile.
  const bool comesWhole = !plan.spilledComesBeside() ||
                          (plan.aheadChunks > 0 &&
                           startsSweep(shape.insideSums, /*orSecond=*/false));
  if (readsBack ? !comesWhole : plan.addChunks > 0)
    return;
  if (layer.hasBias && !readsBack)
    for (int64_t g = 0; g < groups; ++g)
      for (int64_t k = 0; k < channels.size; k += shape.cols)
        for (int64_t i = 0; i < pixelsHeld(); i += side)
          loadBias(turn,
                   g * llvm::divideCeil(channels.size, shape.cols) +
                       k / shape.cols,
                   i, std::min(side, pixelsHeld() - i),
                   std::min(shape.cols, channels.size - k));
  if (!readsBack && (!shape.loadsResidual || plan.residualPerRun))
    return;
  // Rows that are neighbours in both places.
  const int64_t run = outputRun(box, /*toDram=*/true);
  const int64_t bytes = readsBack ? 4 : layer.residualBytes;
  const int64_t times = readsBack ? 1 : layer.residualLoads;
  const int64_t atOnce = readsBack ? shape.cols : plan.residualColumns;
  for (int64_t time = 0; time < times; ++time)
    for (int64_t k = 0; k < channels.size && !isTooLong(); k += atOnce)
      repeat(slotOf(Sums), pixels / run * groups, 1, [&](int64_t line) {
        for (int64_t i = 0; i < run; i += side)
          loadRows(k / shape.cols, line * run + i, std::min(side, run - i),
                   std::min(atOnce, channels.size - k), bytes);
      });
}

/// `rows` sums of the tile from `pixel` on become what lies in DRAM.
void Walk::loadRows(int64_t block, int64_t pixel, int64_t rows, int64_t columns,
                    int64_t bytes) {
  const int64_t blocks = llvm::divideCeil(columns, shape.cols);
  Time ready = 0;
  auto forEachBlock = [&](auto act) {
    for (int64_t i = block; i < block + blocks; ++i)
      act(sumChunk(i, pixel), sumChunk(i, pixel + rows - 1));
  };
  forEachBlock([&](size_t from, size_t to) {
    ready = std::max(
        {ready, latest(sumsMade, from, to), latest(sumsRead, from, to)});
  });
  const Time there = load(rows, columns * bytes, rows * blocks, ready);
  forEachBlock(
      [&](size_t from, size_t to) { raise(sumsThere, from, to, there); });
}

/// `count` rows of sums from `pixel` on of a tile in one of the two places, or
/// in the only one: the store reads so many, and writes so many rows.
void Walk::leave(int64_t place, int64_t block, int64_t pixel, int64_t count,
                 int64_t reads, int64_t rows, int64_t rowBytes) {
  const size_t from = chunkOf(place, block, pixel),
               to = chunkOf(place, block, pixel + count - 1);
  const Time ready =
      std::max(latest(sumsMade, from, to), latest(sumsThere, from, to));
  if (layer.hasScales)
    issue();
  raise(sumsRead, from, to, store(reads, rows, rowBytes, ready));
}

/// How many pooled lines of an image are made of what `box` has.
int64_t Walk::pooledLines(const Box &box) const {
  return std::max<int64_t>(
      1, std::llround(streams.streamed.pooledRows * double(box[Dim::P].size) /
                      meanExtent(Dim::P)));
}

/// A store reads what lies under a line of windows.
void Walk::storePooledLine(int64_t place, const Box &box, int64_t block,
                           int64_t image, int64_t line, int64_t columns) {
  const double width = streams.streamed.pooledColumns *
                       double(box[Dim::Q].size) / meanExtent(Dim::Q);
  const MaxPool &pool = *layer.pool;
  const int64_t pixels = shape.sums[Dim::P] * shape.sums[Dim::Q];
  const int64_t under =
      std::min(pool.size, shape.sums[Dim::P]) * shape.sums[Dim::Q];
  const int64_t first =
      std::min(line * pool.stride * shape.sums[Dim::Q], pixels - under);
  leave(place, block, image * pixels + first, under,
        int64_t(width * double(shape.poolReads)),
        shape.outputOnChip ? 0 : int64_t(width),
        columns * int64_t(layer.outputBytes));
}

/// What does not leave run by run leaves where the tile ends.
void Walk::endSums(const Box &box) {
  if (plan.sumsTurn)
    before = {true, isLastVisit, box};
  if (!plan.storesRuns && !shape.staysInPlace && plan.storeChunks == 0)
    storeTile(turn, box, isLastVisit);
}

/// A whole tile in one of the two places, or in the only one, leaves.
void Walk::storeTile(int64_t place, const Box &box, bool isLastVisit) {
  const Reach &channels = box[streams.outChannel];
  const int64_t groups = streams.depthwise ? 1 : box[Dim::G].size;
  const int64_t bytes = shape.spills && !isLastVisit ? 4 : layer.outputBytes;
  const auto pixels =
      int64_t(box[Dim::N].size * box[Dim::P].size * box[Dim::Q].size);
  for (int64_t k = 0; k < channels.size * groups && !isTooLong();
       k += shape.cols) {
    const int64_t block = k / shape.cols;
    const int64_t columns =
        std::min(shape.cols, channels.size - k % channels.size);
    if (shape.poolReads > 0) {
      const int64_t lines = pooledLines(box);
      repeat(slotOf(Sums), lines * box[Dim::N].size, 1, [&](int64_t line) {
        storePooledLine(place, box, block, line / lines, line % lines, columns);
      });
      continue;
    }
    const int64_t run = outputRun(box, !shape.outputOnChip);
    repeat(slotOf(Sums), pixels / run, 1, [&](int64_t line) {
      for (int64_t i = 0; i < run; i += side) {
        const int64_t rows = std::min(side, run - i);
        leave(place, block, line * run + i, rows, rows,
              shape.outputOnChip ? 0 : rows, columns * bytes);
      }
    });
  }
}

/// Of the tile before.
void Walk::storeChunk(int64_t block, int64_t pixel, int64_t count,
                      int64_t columns) {
  const int64_t bytes =
      shape.spills && !before.isLastVisit ? 4 : layer.outputBytes;
  leave(1 - turn, block, pixel, count, count, shape.outputOnChip ? 0 : count,
        columns * bytes);
}

/// Behind a reduction step, those pixels, or lines, of the tile before that are
/// due.
void Walk::storeBefore(const Box &box, int64_t block) {
  const int64_t step = reductionStep(box);
  if (!before.exists || step >= plan.storeSteps ||
      !isAtEnd(box, sumTile, {Dim::N, Dim::P, Dim::Q}))
    return;
  const int64_t columns = box[streams.outChannel].size;
  if (plan.storesLines) {
    const bool pools = shape.poolReads > 0;
    const int64_t first = step * plan.storeChunks,
                  lines = pools ? shape.mostPooledRows : shape.sums[Dim::P];
    const int64_t made =
        pools ? pooledLines(before.box) : before.box[Dim::P].size;
    for (int64_t i = first; i < first + plan.storeChunks; ++i) {
      if (i / lines >= before.box[Dim::N].size || i % lines >= made)
        continue;
      if (pools) {
        storePooledLine(1 - turn, before.box, block, i / lines, i % lines,
                        columns);
        continue;
      }
      const int64_t width = before.box[Dim::Q].size;
      for (int64_t q = 0; q < width; q += side)
        storeChunk(block, i * shape.sums[Dim::Q] + q, std::min(side, width - q),
                   columns);
    }
    return;
  }
  const int64_t atOnce = plan.storeChunks * side, first = step * atOnce;
  const int64_t count = std::min(atOnce, before.pixels() - first);
  for (int64_t i = 0; i < count; i += side)
    storeChunk(block, first + i, std::min(side, count - i), columns);
}

/// Where the nest's loops end.
void Walk::storeLast() {
  const bool isThere = std::exchange(before.exists, false);
  if (!isThere || plan.storeChunks == 0 || plan.storesRuns)
    return;
  storeTile(turn, before.box, before.isLastVisit);
  turn = 1 - turn;
}

//===----------------------------------------------------------------------===//
// Computes
//===----------------------------------------------------------------------===//

/// As the digits of a counter do.
static void carry(int64_t &digit, int64_t base, int64_t &next) {
  if (digit < base)
    return;
  next += digit / base;
  digit %= base;
}

void Walk::compute(const Box &box) {
  if (!shape.weightsStay && !(plan.weightsAhead > 0) &&
      !weightTurning.cameAhead())
    fetchWeights(box);
  const Reach &channels = box[streams.outChannel];
  const int64_t block =
      (channels.offset - sumTile[streams.outChannel].offset) / shape.cols;
  if (layer.hasBias && !shape.loadsResidual && !shape.spills &&
      !plan.biasPerRun && !addsLater() && bringsBias() &&
      isFirstUse(box, sumTile,
                 {Dim::C, Dim::R, Dim::S, Dim::N, Dim::P, Dim::Q}))
    repeat(slotOf(Bias), llvm::divideCeil(pixelsHeld(), side), 1,
           [&](int64_t i) {
             loadBias(turn, block, i * side,
                      std::min(side, pixelsHeld() - i * side), channels.size);
           });
  const bool fetches =
      bringsInput && !(plan.inputAhead > 0) && !inputTurning.cameAhead();
  if (fetches && plan.input == StreamPieces::Whole)
    fetchInput(box);

  Passing passing = passingOf(box);
  // Pixels that passes stream as one sequence, and the lines of them.
  PerDim<int64_t> lines(1);
  int64_t length = 1;
  for (Dim dim : kPixelDims)
    (plan.joins(dim, passing.stores) ? length : lines[dim]) *= box[dim].size;
  llvm::SmallVector<Dim, 3> joined; // innermost first
  for (Dim dim : {Dim::Q, Dim::P, Dim::N})
    if (plan.joins(dim, passing.stores))
      joined.push_back(dim);
  const bool byLines = plan.input == StreamPieces::Lines;
  const int64_t all = lines[Dim::N] * lines[Dim::P] * lines[Dim::Q];
  repeat(slotOf(Lines), all, 1, [&](int64_t line) {
    const int64_t q = line % lines[Dim::Q];
    const int64_t p = line / lines[Dim::Q] % lines[Dim::P];
    const int64_t n = line / lines[Dim::Q] / lines[Dim::P];
    if (fetches && byLines) {
      Box own = box;
      own[Dim::N] = {box[Dim::N].offset + n, 1, 1};
      own[Dim::P] = {box[Dim::P].offset + p, 1, 1};
      fetchInput(own);
    }
    PerDim<int64_t> at{0}; // where a pass begins
    at[Dim::N] = n;
    at[Dim::P] = p;
    at[Dim::Q] = q;
    int64_t last = 0;
    const int64_t passes = llvm::divideCeil(length, side);
    // What the first pass lacks if it is the short one.
    const int64_t lack = plan.leastFirst > 0 ? passes * side - length : 0;
    auto begin = [&](int64_t i) {
      return i == 0 ? 0 : std::clamp(i * side - lack, plan.leastFirst, length);
    };
    repeat(slotOf(Passes), passes, 1, [&](int64_t i) {
      const int64_t first = begin(i);
      if (!joined.empty())
        at[joined.front()] += first - last;
      last = first;
      for (size_t j = 1; j < joined.size(); ++j)
        carry(at[joined[j - 1]], box[joined[j - 1]].size, at[joined[j]]);
      pass(box, passing, at, begin(i + 1) - first);
      passing.hasNewWeights = false;
    });
  });
  if (addsLater())
    addLater(box, block);
  if (plan.storeChunks > 0)
    storeBefore(box, block);
  if (pixelsAfter > 0)
    loadAhead(box, block);
}

Walk::Passing Walk::passingOf(const Box &box) const {
  const Reach &out = box[streams.outChannel], &in = box[streams.inChannel];
  auto inTile = [](const Box &box, const Box &tile, Dim dim) {
    return box[dim].offset - tile[dim].offset;
  };
  Passing passing;
  // Weights stay in the array over loops that do not lead to others.
  passing.hasNewWeights = true;
  for (size_t i = 0; i < shape.loops.size(); ++i) {
    if (isRelevant(Tensor::W, shape.loops[i].dim))
      break;
    passing.hasNewWeights &= offsets[i] == 0;
  }
  if (!shape.weightsStay)
    passing.weights =
        weightChunk(weightTurning.readPlace, weightTile, box[Dim::R].offset,
                    box[Dim::S].offset, in.offset, box[Dim::K].offset);

  passing.firstBlock =
      streams.depthwise
          ? 0
          : inTile(box, sumTile, Dim::G) *
                llvm::divideCeil(sumTile[Dim::K].size, shape.cols);
  const int64_t first = inTile(box, sumTile, streams.outChannel);
  passing.block = passing.firstBlock + first / shape.cols;
  passing.sumBase = sumPixel(box, 0, 0, 0);
  passing.sumSteps = {sumPixel(box, 1, 0, 0) - passing.sumBase,
                      sumPixel(box, 0, 1, 0) - passing.sumBase, 1};
  passing.bringsBias = plan.biasPerRun && bringsBias() &&
                       isFirstUse(box, sumTile, {Dim::C, Dim::R, Dim::S});
  passing.bringsResidual =
      plan.residualPerRun &&
      isFirstUse(box, sumTile, {Dim::C, Dim::R, Dim::S}) &&
      startsPiece(out, sumTile[streams.outChannel], plan.residualColumns);
  const int64_t end = first + out.size;
  passing.stores =
      plan.storesRuns && isAtEnd(box, sumTile, {Dim::C, Dim::R, Dim::S}) &&
      (!plan.storesLastByRuns() || endsSweep(shape.insideSums)) &&
      (plan.outputChannels <= shape.cols || end % plan.outputChannels == 0 ||
       isAtEnd(box, sumTile, {streams.outChannel}));
  passing.storedFrom = first / plan.outputChannels * plan.outputChannels;
  passing.storedTo = end;

  if (shape.inputOnChip)
    return passing;
  // Where the first pixel reads, and how far steps of others lead.
  auto position = [&](Axis axis, int64_t inBox) {
    const Dim dim = outputDim(axis), kernel = kernelDim(axis);
    const int64_t at = inTile(box, inputTile, dim) + inBox;
    if (plan.compact[axis])
      return at;
    return at * layer.stride[axis] +
           inTile(box, inputTile, kernel) * layer.dilation[axis];
  };
  passing.image = inTile(box, inputTile, Dim::N);
  passing.row = position(Axis::H, 0);
  passing.column = position(Axis::W, 0);
  for (Axis axis : kAllAxes)
    passing.steps[axis] = plan.compact[axis] ? 1 : layer.stride[axis];
  passing.inputBlock = inTile(box, inputTile, streams.inChannel) /
                       (streams.depthwise ? shape.cols : shape.rows) %
                       inputBlocks * inputChunks;
  const Reach &channels = inputTile[streams.inChannel];
  if (plan.input == StreamPieces::Runs && bringsInput &&
      !(plan.inputAhead > 0) && !inputTurning.cameAhead() &&
      isFirstUse(box, inputTile, {Dim::K, Dim::R, Dim::S}) &&
      (!plan.inputSpread || isFirstUse(box, inputTile, {streams.inChannel})) &&
      startsPiece(in, channels, plan.inputChannels))
    passing.fetched = {in.offset, pieceSize(in, channels, plan.inputChannels)};
  else
    passing.fetched.size = 0;
  return passing;
}

/// Of `rows` pixels from `at` in the box on.
void Walk::pass(const Box &box, const Passing &passing,
                const PerDim<int64_t> &at, int64_t rows) {
  const int64_t n = at[Dim::N], p = at[Dim::P], q = at[Dim::Q];
  const Reach &out = box[streams.outChannel];
  const int64_t pixel = passing.sumBase + n * passing.sumSteps[0] +
                        p * passing.sumSteps[1] + q * passing.sumSteps[2];
  const size_t sumFrom = sumChunk(passing.block, pixel),
               sumTo = sumChunk(passing.block, pixel + rows - 1);
  size_t inFrom = 0, inTo = 0;
  if (!shape.inputOnChip) {
    const int64_t image = passing.image + n;
    const int64_t h = passing.row + p * passing.steps[Axis::H],
                  w = passing.column + q * passing.steps[Axis::W];
    auto pixelOf = [&](int64_t image, int64_t h, int64_t w) {
      return (image * inputStored[Axis::H] + h) * inputStored[Axis::W] + w;
    };
    // The last one may be on another line.
    int64_t images = 0, below = 0, right = q + rows - 1;
    carry(right, box[Dim::Q].size, below);
    below += p;
    carry(below, box[Dim::P].size, images);
    inFrom = inputChunk(inputTurning.readPlace, passing.inputBlock,
                        pixelOf(image, h, w));
    inTo = inputChunk(inputTurning.readPlace, passing.inputBlock,
                      pixelOf(image + images,
                              passing.row + below * passing.steps[Axis::H],
                              passing.column + right * passing.steps[Axis::W]));
    inTo = std::max(inFrom, inTo);
    if (passing.fetched.size > 0)
      mvinPixels(inputTile, image, h, w, rows, passing.fetched, false);
  }
  if (passing.bringsBias)
    loadBias(turn, passing.block, pixel / side * side,
             std::min(side, pixelsHeld() - pixel / side * side), out.size);

  if (passing.bringsResidual)
    loadRows(passing.block, pixel, rows,
             pieceSize(out, sumTile[streams.outChannel], plan.residualColumns),
             layer.residualBytes);
  if (passing.hasNewWeights)
    raise(weightsRead, passing.weights,
          preload(/*hasWeights=*/true, latest(weightsThere, passing.weights)));
  else
    (void)preload(/*hasWeights=*/false, /*loaded=*/0);
  const Time read =
      StreamClock::compute(rows, std::max({latest(sumsThere, sumFrom, sumTo),
                                           latest(sumsRead, sumFrom, sumTo),
                                           latest(inputThere, inFrom, inTo)}));
  raise(inputRead, inFrom, inTo, read);
  raise(sumsMade, sumFrom, sumTo, read + Time(fill));

  if (!passing.stores)
    return;
  const int64_t from = passing.storedFrom, end = passing.storedTo;
  auto blockOf = [&](int64_t k) { return passing.firstBlock + k / shape.cols; };
  Time made = 0;
  for (int64_t k = from; k < end; k += shape.cols)
    made = std::max(made, latest(sumsMade, sumChunk(blockOf(k), pixel),
                                 sumChunk(blockOf(k), pixel + rows - 1)));
  if (layer.hasScales)
    issue();
  const Time left = store(rows * llvm::divideCeil(end - from, shape.cols),
                          shape.outputOnChip ? 0 : rows,
                          (end - from) * layer.outputBytes, made);
  for (int64_t k = from; k < end; k += shape.cols)
    raise(sumsRead, sumChunk(blockOf(k), pixel),
          sumChunk(blockOf(k), pixel + rows - 1), left);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// What the nest is about, and the memories that it is followed in; false if
/// there is too much of them.
bool Walk::layOut(llvm::ArrayRef<Tiles> tiles) {
  for (Dim dim : kAllDims) {
    int64_t extent = layer.dims[dim];
    if (!tiles.empty() && isPixel(dim)) {
      extent = 1;
      for (const Tiles &alike : tiles)
        extent = std::max(extent, alike.extent[dim]);
    }
    entry[dim] = {0, extent, extent};
  }
  if (streams.makesSlices)
    entry[streams.dims[shape.loops.size()]] = {0, streams.sliceStep,
                                               streams.sliceStep};

  const int64_t rows = streams.depthwise ? shape.cols : shape.rows;
  auto blocks = [](int64_t channels, int64_t block) {
    return llvm::divideCeil(std::max<int64_t>(channels, 1), block);
  };
  weightRows = blocks(shape.weightTile[streams.inChannel], rows);
  weightColumns =
      streams.depthwise ? 1 : blocks(shape.weightTile[Dim::K], shape.cols);
  inputBlocks =
      shape.inputOnChip ? 1 : blocks(shape.tile[streams.inChannel], rows);
  for (Axis axis : kAllAxes) {
    const Dim out = outputDim(axis);
    const int64_t extent = std::min(shape.tile[out], entry[out].size);
    inputStored[axis] =
        plan.compact[axis]
            ? extent
            : layer.window(axis, extent, shape.tile[kernelDim(axis)]);
  }
  sumBlocks = blocks(shape.sums[streams.outChannel], shape.cols) *
              (streams.depthwise ? 1 : shape.sums[Dim::G]);
  // Moves and passes begin and end between chunks.
  int64_t length = 1; // modulo the side
  for (Dim dim : kPixelDims)
    if (plan.joins(dim))
      length = length * (shape.box[dim] % side) % side;
  sumUnit = side;
  if (!plan.joins(Dim::P, /*toStore=*/true) ||
      shape.box[Dim::P] < shape.sums[Dim::P] ||
      shape.box[Dim::Q] < shape.sums[Dim::Q])
    sumUnit = std::gcd(std::gcd(side, length), shape.staysInPlace
                                                   ? shape.handOver[Axis::W]
                                                   : shape.sums[Dim::Q]);
  else if (plan.leastFirst > 0)
    sumShift = (side - length) % side;
  if (plan.leastFirst > 1) {
    sumUnit = std::gcd(std::gcd(sumUnit, plan.leastFirst), length);
    sumShift = 0;
  }
  byLine = plan.clips || shape.loadsRing;
  // Of a line that is padded: all of it, or, where parts of it come one by one,
  // a pixel, as windows share some.
  inputUnit = !byLine ? std::gcd(sumUnit, inputStored[Axis::W])
              : shape.box[Dim::Q] < shape.tile[Dim::Q] ? 1
                                                       : inputStored[Axis::W];

  // In real numbers, as what is asked for may be huge.
  const double taps =
      double(shape.weightTile[Dim::R]) * double(shape.weightTile[Dim::S]);
  const double ofWeightTile =
      shape.weightsStay ? 1 : taps * double(weightRows) * double(weightColumns);
  const double lines =
      double(shape.tile[Dim::N]) * double(inputStored[Axis::H]);
  const double pixels = lines * double(inputStored[Axis::W]);
  const double ofInput =
      shape.inputOnChip ? 1 : std::ceil(pixels / double(inputUnit));
  double held = double(shape.sums[Dim::N]);
  for (Axis axis : kAllAxes)
    held *= double(shape.staysInPlace ? shape.handOver[axis]
                                      : shape.sums[outputDim(axis)]);
  if (!(std::max(pixels, held) < kMostPixels))
    return false;
  const double sums = std::ceil((held + double(sumShift)) / double(sumUnit));
  double whole = 1; // multiply-accumulates
  for (Dim dim : kAllDims)
    whole *= double(entry[dim].size);
  if (!(ofWeightTile + ofInput * double(inputBlocks) +
            sums * double(sumBlocks) <=
        kMostChunks) ||
      whole > kMostMacs || target.executeStations < 2)
    return false;
  weightChunks = size_t(ofWeightTile);
  inputChunks = int64_t(ofInput);
  sumChunks = int64_t(sums);

  const size_t weightPlaces = (plan.weightTurns ? 2 : 1) * weightChunks;
  weightsThere = reserve(Reader, weightPlaces, /*isRaised=*/true);
  weightsRead = reserve(Array, weightPlaces, /*isRaised=*/true);
  const auto inputPlaces =
      size_t((plan.inputTurns ? 2 : 1) * inputChunks * inputBlocks);
  inputThere = reserve(streams.streamed.inputOnChip ? None : Reader,
                       inputPlaces, /*isRaised=*/true);
  inputRead = reserve(Array, inputPlaces, /*isRaised=*/true);
  const auto places = size_t((plan.sumsTurn ? 2 : 1) * sumBlocks * sumChunks);
  sumsThere = reserve(Reader, places, /*isRaised=*/true);
  sumsMade = reserve(Array, places, /*isRaised=*/true);
  sumsRead = reserve(Writer, places, /*isRaised=*/true);

  known.assign(slotOf(kNumSlots), Mark{});
  kindsOf.assign(shape.loops.size() + 1, {});
  commandsAt.assign(shape.loops.size() + 1, 0);
  periods.clear();
  for (const StreamLoop &loop : shape.loops)
    periods.push_back(periodOf(loop));
  offsets.assign(shape.loops.size(), 0);
  wholes.assign(shape.loops.size(), Reach());
  weightTile = inputTile = sumTile = entry;
  return true;
}

/// Most of them first.
std::vector<Walk::Tiles> Walk::tilesOf() const {
  const StreamedLayer<double> &streamed = streams.streamed;
  std::vector<Tiles> all{{}};
  for (Dim dim : kPixelDims) {
    const auto most = std::max<int64_t>(
        std::llround(streamed.tile[Level::Scratchpad][dim]), 1);
    std::vector<Tiles> next;
    for (const Tiles &tiles : all)
      for (const TileKind &kind : tileKinds(streamed, dim)) {
        Tiles &alike = next.emplace_back(tiles);
        alike.extent[dim] =
            std::clamp<int64_t>(std::llround(kind.extent), 1, most);
        if (dim == Dim::P)
          alike.lines = kind.window;
        if (dim != Dim::N)
          alike.loaded[dim == Dim::Q ? Axis::W : Axis::H] = kind.loaded;
        alike.count *= kind.tiles;
      }
    all = std::move(next);
  }
  llvm::stable_sort(
      all, [](const Tiles &a, const Tiles &b) { return a.count > b.count; });
  return all;
}

void Walk::enter(const Tiles &tiles) {
  for (Dim dim : kPixelDims)
    entry[dim] = {0, tiles.extent[dim], tiles.extent[dim]};
  loaded = tiles.loaded;
  newLines = tiles.lines;
}

bool Walk::beginTurns() {
  tiles = tilesOf();
  if (tiles.empty() || !layOut(tiles))
    return false;
  if (plan.addsToGaps)
    clearSums();
  enter(tiles.front());
  return true;
}

Walk::Time Walk::loadInput() {
  double loads = streams.input.count / meanExtent(Dim::N);
  for (Axis axis : kAllAxes)
    loads *= loaded[axis] / std::max(streams.streamed.window[axis], 1.0);
  Time there = 0;
  for (int64_t i = 0; i < std::llround(loads * double(entry[Dim::N].size)); ++i)
    there = load(Transfer{std::llround(streams.input.occupancy),
                          std::llround(streams.input.duration)},
                 latest(inputRead, 0));
  holdReader(std::round(streams.zeroCycles));
  raise(inputThere, 0, there);
  return there;
}

void Walk::takeTurn(bool isFirst) {
  const StreamedLayer<double> &streamed = streams.streamed;
  if (streamed.changesStride)
    configureExecute();
  if (loadsOnce() && isFirst)
    loadInput();
  bringsInput = !shape.inputOnChip && (isFirst || !shape.inputStays);
  if (streamed.inputOnChip)
    receive();
  if (isFirst)
    clearPadding();
  if (plan.inputTurns && plan.inputTurns->loop == shape.loops.size())
    fetchNextInput();
  walk(shape.loops.size(), entry);
  storeLast();
}

/// Others have been at work since this member read its tiles. What stays in
/// place is read by the next one.
void Walk::takeTurnAlone(bool isFirst) {
  if (isAmongOthers()) {
    forget(weightsRead);
    forget(inputRead);
    if (!shape.staysInPlace) {
      forget(sumsMade);
      forget(sumsRead);
    }
  }
  takeTurn(isFirst);
}

/// Members lie at either end of the accumulator in turn (Residency::place()),
/// the second place of tiles that take turns behind the first.
std::pair<int64_t, int64_t> Walk::rowsOfSums(int64_t place) const {
  const int64_t rows = pixelsHeld() * sumBlocks;
  const int64_t first = streams.streamed.member % 2 == 1
                            ? target.accumulatorRows() - (place + 1) * rows
                            : place * rows;
  // The last lines of the last block may not be there.
  const int64_t missing =
      shape.sums[Dim::P] - std::min(entry[Dim::P].size, shape.sums[Dim::P]);
  return {first, first + rows - missing * shape.sums[Dim::Q]};
}

void Walk::waitForSums(const Walk &before) {
  if (target.handsOverInPlace() || &before == this)
    return;
  const int64_t pixels = pixelsHeld();
  for (int64_t place = 0; place < (plan.sumsTurn ? 2 : 1); ++place)
    for (int64_t other = 0; other < (before.plan.sumsTurn ? 2 : 1); ++other) {
      const auto [begin, end] = rowsOfSums(place);
      const auto [otherBegin, otherEnd] = before.rowsOfSums(other);
      // The tile that comes first lies in the first place.
      const int64_t at = plan.sumsTurn && place == 0 ? 1 - turn : turn;
      for (int64_t block = 0; block < sumBlocks; ++block) {
        const int64_t first = begin + block * pixels,
                      from = std::max(first, otherBegin),
                      to = std::min({first + pixels, end, otherEnd}) - 1;
        if (from <= to)
          raise(sumsRead, chunkOf(at, block, from - first),
                chunkOf(at, block, to - first), before.storesEnd());
      }
    }
}

void Walk::takeTurnAfter(const Walk &before, bool isFirstSlice) {
  goOnFrom(before);
  previous = &before;
  if (storesOtherwise())
    configureStores();
  takeTurn(isFirstSlice && !streams.streamed.inputTurns);
}

std::optional<Walked> Walk::run() {
  const StreamedLayer<double> &streamed = streams.streamed;
  if (!streamed.grouped) {
    if (!layOut({}))
      return std::nullopt;
    if (plan.addsToGaps)
      clearSums();
    walk(shape.loops.size(), entry);
    if (isTooLong())
      return std::nullopt;
    storeLast();
    return Walked{end(), std::nullopt};
  }
  if (!beginTurns()) {
    if (tiles.empty())
      return Walked();
    return std::nullopt;
  }
  // Turn by turn: tiles, and slices of each. Whoever comes between two turns
  // does as this member does.
  auto done = [&] { return std::max(storesEnd(), lastResult()); };
  takeTurnAlone(true);
  double total = end();
  // Beside the last tile nothing comes of a next one.
  const auto runs = double(streamed.turns.runs);
  const double last = shape.turns.count > 0 ? slices() * runs : 0;
  const bool isFirst = slices() == 1 && !streamed.inputTurns;
  auto timeOfTurn = [&](bool isFirst) {
    const Time before = done();
    takeTurnAlone(isFirst);
    return done() - before;
  };
  double busy = 0; // tiles
  for (const Tiles &alike : tiles)
    busy += alike.count;
  // The first of a tile's slices, or of a run's tiles, wait for the input.
  const bool waitsOnce = loadsOnce() || shape.inputStays;
  const double waits = !waitsOnce || isFirst ? 0
                       : streamed.inputTurns ? std::min(runs, busy) - 1
                                             : busy - 1;
  std::optional<double> ofTile;
  for (const Tiles &alike : llvm::reverse(tiles)) {
    enter(alike);
    const bool isUsual = &alike == &tiles.front();
    const double turns = slices() * alike.count - (isUsual ? 1 + last : 0);
    if (turns <= 0 && !(isUsual && waits > 0))
      continue;
    if (turns > 1 || isUsual)
      takeTurnAlone(isFirst);
    const Time usual = timeOfTurn(isFirst);
    total += usual * std::max(turns, 0.0);
    if (isUsual)
      ofTile = usual * slices();
    if (isUsual && waits > 0) {
      const double wait = std::max(
          loadsOnce() ? loadInput() - done() : timeOfTurn(true) - usual, 0.0);
      total += wait * waits;
      if (!streamed.inputTurns)
        *ofTile += wait;
    }
  }
  if (last > 0 && slices() * tiles.front().count > 1) {
    isLastTile = true;
    total += timeOfTurn(isFirst) *
             std::min(last, slices() * tiles.front().count - 1);
  }
  if (busy <= 1)
    ofTile = total;
  if (slices() > 1 && target.handsOverInPlace())
    total += double(side + target.commandCycles) * slices() * busy;
  if (isTooLong())
    return std::nullopt;
  if (shape.weightsStay)
    total += streams.weights.count * streams.weights.occupancy;
  return Walked{total, ofTile};
}

/// The input that another member has made is there.
void Walk::receive() {
  if (target.handsOverInPlace())
    return raise(inputThere, 0,
                 lastResult() + std::round(streams.startInPlace()));
  if (!previous || (previous == producer && !previous->handsOverEarly()))
    raise(inputThere, 0, storesEnd());
}

/// Of the window that another member hands over. In place receive() has that.
void Walk::clearPadding() {
  if (!streams.streamed.clearsPadding || target.handsOverInPlace())
    return;
  const Streams<double>::Window window = streams.windowRead();
  const double channels =
      double(layer.dims[streams.inChannel]) / streams.streamed.slicesIn;
  const int64_t columns = target.maxMoveColumns();
  const int64_t moves =
      std::llround(window.clears * std::ceil(channels / double(columns)));
  const int64_t rows =
      std::llround(window.padding * std::ceil(channels / double(side)));
  for (int64_t i = 0; i < moves && !isTooLong(); ++i)
    load(layer.padValue == 0 ? 0 : 1, columns * element,
         rows * (i + 1) / moves - rows * i / moves, /*ready=*/0);
}

Walked fadiff::stream::walk(Streams<double> &streams, uint64_t &commands) {
  Walk walk(streams);
  const std::optional<Walked> walked = walk.run();
  commands += walk.commandsWalked();
  return walked ? *walked : Walked{streams.run().cycles, std::nullopt};
}

std::optional<double> fadiff::stream::walkInTurn(const MembersInTurn &group,
                                                 const Accelerator &target,
                                                 uint64_t &commands) {
  std::vector<std::unique_ptr<Streams<double>>> streams;
  std::vector<std::unique_ptr<Walk>> walks;
  for (const StreamedLayer<double> &member : group.members) {
    streams.push_back(std::make_unique<Streams<double>>(member, target));
    walks.push_back(std::make_unique<Walk>(*streams.back()));
    if (!walks.back()->beginTurns())
      return std::nullopt;
  }
  std::vector<bool> isMaker(walks.size(), false);
  for (auto [walk, producer, isSliced] :
       llvm::zip_equal(walks, group.producers, group.areSliced)) {
    if (!producer)
      continue;
    walk->producer = walks[*producer].get();
    if (isSliced)
      walk->maker = walks[*producer].get();
    isMaker[*producer] = isMaker[*producer] || isSliced;
  }
  const Walk *before = walks.front().get();
  auto tile = [&] {
    for (auto [walk, isMade] : llvm::zip_equal(walks, isMaker))
      if (!isMade) {
        walk->waitForSums(*before);
        walk->takeTurnAfter(*before, /*isFirstSlice=*/true);
        before = walk.get();
      }
  };
  // Of those that are like each other not the first.
  constexpr int kFirst = 2, kLike = 2;
  double cycles = 0;
  if (group.tiles <= 1) {
    tile();
    cycles = before->end();
  } else {
    for (int i = 0; i < kFirst; ++i)
      tile();
    const StreamClock::Time from = before->arrayEnd();
    for (int i = 0; i < kLike; ++i)
      tile();
    cycles = (before->arrayEnd() - from) / kLike;
  }
  for (const std::unique_ptr<Walk> &walk : walks) {
    commands += walk->commandsWalked();
    if (walk->isTooLong())
      return std::nullopt;
  }
  return cycles;
}

double fadiff::walkedCycles(const StreamedLayer<double> &streamed,
                            const Accelerator &target) {
  Streams<double> streams(streamed, target);
  uint64_t commands = 0;
  return stream::walk(streams, commands).cycles;
}

double fadiff::walkedCycles(const Layer &layer, const Mapping &mapping,
                            const Accelerator &target) {
  const Nest<double> nest = exactNest(layer, mapping);
  return walkedCycles(streamedLayer(nest), target);
}
