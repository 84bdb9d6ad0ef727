//===- StreamLatency.h - Cycles of the emitted streams ----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The latency model `streams` for what the code generator emits: a closed form
// for the time that the simulator's rules (docs/Simulator.md) give the streams
// of a nest, whose loads, computes and stores overlap in part. docs/Latency.md
// derives it; equation numbers are those of that page.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_STREAMLATENCY_H
#define FADIFF_COSTMODEL_STREAMLATENCY_H

#include "fadiff/CostModel/LoopUnitLatency.h"
#include "fadiff/CostModel/StreamPlan.h"
#include "fadiff/Schedule/Residency.h"

#include "llvm/Support/MathExtras.h"

#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace fadiff {

/// What of a nest matters for its streams, all of it in Streams::key(). T is
/// double or a Dual.
template <typename T> struct StreamedLayer {
  const Layer *layer = nullptr;
  /// Extents of a full tile, tiles over the whole layer, and iterations of each
  /// dim over all tiles, as in Nest.
  PerLevel<PerDim<T>> tile, count;
  PerDim<T> extent{T(1.0)};
  PerLevel<LoopOrder> order;
  T rows{1.0}, cols{1.0};
  bool isOnly = false; ///< the nest has no other layer
  /// A member of a fusion group, whose loops over N, P and Q make these trips;
  /// some tiles may have less than the full one.
  bool grouped = false;
  PerDim<double> groupTrips{1.0};
  PerDim<bool> isCut{false};
  /// Which member of which group, that must outlive this; null if only means
  /// are known.
  const GroupTiles *group = nullptr;
  size_t member = 0;
  /// Rows and columns of I that a group's tile loads, in the mean.
  PerAxis<T> window{T(1.0), T(1.0)};
  bool inputOnChip = false, outputOnChip = false;
  bool residualOnChip = false;
  /// It loads its input before its own loops, as others read that, too, or as
  /// that takes turns.
  bool loadsBefore = false;
  /// Other members read its input, too.
  bool inputIsShared = false;
  /// It is the first to read what another member hands over, and clears what of
  /// that is padding.
  bool clearsPadding = false;
  /// Only the first of the group's tiles (TurnShare::runs) are loaded there. Of
  /// the others pieces come beside the members.
  bool inputTurns = false;
  TurnShare turns;
  /// The tiles that it reads and adds; whether rows of the first stay for the
  /// group's next tile, and of the one that it adds or hands over.
  std::optional<StreamTile> inputTile, skipTile;
  bool keepsInput = false, keepsTiles = false;
  int64_t sumsBeside = 0; ///< see sumsBeside()
  /// Sums that are read in place have scales of their own, so that config_ex is
  /// set again for every tile.
  bool changesScale = false;
  /// The member before reads its input at another stride, so that config_ex is
  /// set for every tile.
  bool changesStride = false;
  /// Of the member's input and output in a tile, where they are handed over
  /// slice by slice; else 1.
  double slicesIn = 1, slicesOut = 1;
  /// Rows and columns of the consumer's window.
  PerAxis<int64_t> handOver{1, 1};
  /// If outputs are pooled: rows written in the mean, pixels of each, sums read
  /// for each of these, rows of a whole tile if that is known. Else 0.
  double pooledRows = 0, pooledColumns = 0;
  int64_t poolReads = 0, mostPooledRows = 0;
};

template <typename T, bool Grouped>
StreamedLayer<T> streamedLayer(const Nest<T, Grouped> &nest) {
  StreamedLayer<T> streamed;
  streamed.layer = nest.layer;
  streamed.tile = nest.tile;
  streamed.count = nest.count;
  for (Dim dim : kAllDims)
    streamed.extent[dim] = T(nest.bound(dim));
  streamed.order = nest.order;
  streamed.isOnly = !Grouped;
  streamed.rows = nest.rows;
  streamed.cols = nest.cols;
  if constexpr (Grouped) {
    streamed.grouped = true;
    for (Dim dim : {Dim::N, Dim::P, Dim::Q}) {
      streamed.extent[dim] = nest.group.extent[dim];
      streamed.groupTrips[dim] = valueOf(nest.trips[Level::Dram][dim]);
      streamed.isCut[dim] = streamed.groupTrips[dim] > 1;
    }
    for (Axis axis : kAllAxes)
      streamed.window[axis] =
          nest.group.loaded[axis] / streamed.groupTrips[outputDim(axis)];
  }
  return streamed;
}

/// Tiles of a group that leave a member about as much to do along a dim.
struct TileKind {
  double extent = 1; ///< of what it makes, in the mean
  /// Rows or columns of its input that come for one, if it loads that.
  double loaded = 0;
  double window = 0; ///< the same with the padding
  double tiles = 1;  ///< how many there are
};
/// Of the member's tiles along N, P or Q, those in which it makes anything.
llvm::SmallVector<TileKind, 2> tileKinds(const StreamedLayer<double> &streamed,
                                         Dim dim);

/// A tile of a group's flow as it lies on chip.
StreamTile heldTile(const GroupTiles &tiles, size_t tile);

/// Rows of the scratchpad from one pixel that a pass of the member reads to the
/// next; of an input that is loaded, if its tiles have all taps along W.
int64_t readStride(const GroupTiles &tiles, size_t member);

/// Member number `member` of a group with tiles `tiles`.
template <typename T>
StreamedLayer<T> streamedMember(const Nest<T, true> &nest,
                                const GroupTiles &tiles, size_t member,
                                const Accelerator &target) {
  StreamedLayer<T> streamed = streamedLayer(nest);
  streamed.group = &tiles;
  streamed.member = member;
  streamed.isOnly = tiles.size() == 1;
  streamed.inputOnChip = !tiles.loadsInput(member);
  streamed.outputOnChip = !tiles.isLast(member);
  streamed.residualOnChip = tiles.addsOnChip(member);
  streamed.changesScale = streamed.inputOnChip && tiles.size() > 2;
  streamed.changesStride =
      readStride(tiles, member) !=
      readStride(tiles, (member + tiles.size() - 1) % tiles.size());
  streamed.sumsBeside = sumsBeside(tiles, member, target);
  // Of rows that are kept, the first tiles make fewer.
  for (Dim dim : {Dim::N, Dim::P, Dim::Q})
    streamed.isCut[dim] =
        tiles.isCut(member, dim) || (dim == Dim::P && tiles.keepsRows());
  const GroupFlow &flow = tiles.flow();
  const GroupFlow::Member &uses = flow.members[member];
  streamed.inputTurns =
      tiles.loadsInput(member) && flow.tiles[uses.input].turns;
  streamed.loadsBefore =
      (member > 0 || streamed.inputTurns) && tiles.loadsInput(member);
  streamed.inputIsShared = flow.isShared(uses.input);
  streamed.clearsPadding =
      streamed.inputOnChip && flow.tiles[uses.input].reader == member;
  streamed.turns = turnShare(tiles, member, target);
  streamed.inputTile = heldTile(tiles, uses.input);
  streamed.keepsInput = tiles.keepsTile(uses.input);
  if (uses.skip)
    streamed.skipTile = heldTile(tiles, *uses.skip);
  for (std::optional<size_t> tile : {uses.skip, uses.output})
    streamed.keepsTiles |= tile && tiles.keepsTile(*tile);
  auto turns = [](int64_t channels, int64_t slice) {
    return slice ? double(llvm::divideCeilSigned(channels, slice)) : 1.0;
  };
  streamed.slicesIn =
      turns(tiles.layer(member).inputChannels(), flow.tiles[uses.input].slice);
  if (flow.handsOverSlices(member))
    streamed.slicesOut = turns(tiles.layer(member).outputChannels(),
                               flow.tiles[*uses.output].slice);
  if (std::optional<size_t> output = uses.output)
    for (Axis axis : kAllAxes)
      streamed.handOver[axis] = tiles.tileExtent(*output, axis);
  if (const MaxPool *pool = tiles.pooling(member)) {
    streamed.poolReads = pool->size * pool->size;
    if (tiles.isLast(member) && !tiles.keepsRows())
      streamed.mostPooledRows = tiles.tile()[Dim::P];
    auto perTile = [&](Dim dim) {
      return double(tiles.handedOver(member, dim)) / streamed.groupTrips[dim];
    };
    streamed.pooledRows = perTile(Dim::P);
    streamed.pooledColumns = perTile(Dim::Q);
  }
  return streamed;
}

namespace stream {

inline constexpr Dim kPixelDims[] = {Dim::N, Dim::P, Dim::Q};
inline bool isPixel(Dim dim) {
  return dim == Dim::N || dim == Dim::P || dim == Dim::Q;
}

/// What moves with a compute; a set of them is an index into Stretch's arrays.
enum Move : unsigned { Weights, Input, Sums, Output };
inline constexpr unsigned kNumMoves = 4;
inline constexpr unsigned kAllSets = 1u << kNumMoves;
constexpr bool has(unsigned set, Move move) { return set >> move & 1; }

/// Loads or stores of one kind.
template <typename T> struct Moves {
  T count{0.0};
  T occupancy{0.0}; ///< of one: until the reader or writer takes the next
  T duration{0.0};  ///< of one load: until its data are there
};

/// A stretch of the program under each set of moves: its cycles, those in which
/// the reader is busy, and what it would take if the reader were never late.
template <typename T> struct Stretch {
  std::array<T, kAllSets> cycles, reader, inTime;
};

class Walk;

/// Builds up the time of a nest from its innermost box outwards.
template <typename T> class Streams {
public:
  Streams(const StreamedLayer<T> &streamed, const Accelerator &target)
      : streamed(streamed), layer(*streamed.layer), target(target),
        depthwise(layer.isDepthwise()), side(double(target.side)),
        command(double(target.commandCycles)), least(2 * command),
        inFlight(double(target.dmaRequestsInFlight)),
        latency(double(target.dmaLatency)), fill(double(target.arrayDepth())),
        inChannel(depthwise ? Dim::G : Dim::C),
        outChannel(depthwise ? Dim::G : Dim::K) {
    findLoops();
    plan = planStream(shape, target);
    for (size_t i = 0; i < plan.sweepLoops; ++i)
      sweep *= trips[shape.insideSums + i];
    findPasses();
    findLoads();
    findStores();
    for (unsigned move = 0; move < kNumMoves; ++move) {
      const size_t inside = move == Weights ? shape.insideWeights
                            : move == Input ? shape.insideInput
                                            : shape.insideSums;
      pieces[move] = every[move] = T(1.0);
      bool isInnermost = true;
      for (size_t i = 0; i < inside; ++i) {
        const T active = activeTrips(i, Move(move));
        pieces[move] *= active;
        isInnermost = isInnermost && valueOf(active) < valueOf(trips[i]) - 1e-9;
        if (isInnermost)
          every[move] *= trips[i] / active;
      }
    }
  }

  PhaseCycles<T> run();
  const StreamShape &getShape() const { return shape; }
  /// What tells streams on this machine apart: all of the layer that they are
  /// of, with the box in place of registers and the loops in place of orders.
  llvm::SmallVector<double, 128> key() const;

private:
  friend class Walk;

  void findLoops();
  void findPasses();
  void findLoads();
  void findStores();
  T startInPlace() const;
  /// Rows and columns of the window of a tile that is handed over, and those of
  /// them that are stored; of a block of channels, rows that lie in the padding
  /// and the moves that clear them.
  struct Window {
    PerAxis<T> all, stored;
    T padding{0.0}, clears{0.0};
  };
  Window windowRead() const;
  Moves<T> loads(const T &count, const T &rows, const T &bytes,
                 const T &localRows, bool broadcast = false) const;
  T activeTrips(size_t loop, Move move) const;
  void enterBox(Stretch<T> &box, unsigned sets) const;
  /// The trips of a loop, and the moves that are not on all of them, by the
  /// trip at which loads end and stores begin.
  struct Trips {
    T all{1.0};
    unsigned isPart = 0; ///< bit per move
    llvm::SmallVector<std::pair<T, unsigned>, kNumMoves> ends;
  };
  Trips tripsOf(size_t loop) const;
  template <typename VisitorT>
  void forEachPart(const Trips &loop, unsigned set, VisitorT visit) const;
  Stretch<T> repeat(const Stretch<T> &body, const Trips &loop,
                    unsigned sets) const;

  /// Cycles by which commands run ahead of passes that take `pass`: entries of
  /// the station are held until results have been written.
  T aheadOf(const T &pass) const {
    return maxOf(((double(target.executeStations) - 1) * pass - fill) * 0.5,
                 T(0.0));
  }
  T perBlock(const T &channels) const {
    return latency::parts(channels, T(side));
  }

  const StreamedLayer<T> &streamed;
  const Layer &layer;
  const Accelerator &target;
  const bool depthwise;
  const double side, command, least, inFlight, latency, fill;
  const Dim inChannel, outChannel;

  StreamShape shape;
  /// The loop around is its reader's, which takes slices of what it makes; its
  /// input is loaded before the nest, not by its computes.
  bool makesSlices = false, loadsBefore = false;
  int64_t sliceStep = 1; ///< channels of a slice that it makes
  /// Of shape.loops, then of those around.
  llvm::SmallVector<T, 16> trips;
  llvm::SmallVector<Dim, 16> dims;
  PerDim<Level> boxLevel{Level::Registers};
  T visits{1.0}, sweep{1.0}; ///< of tiles that spill; others between
  StreamPlan plan;

  /// Mean extents of what a compute streams, and of the two tiles.
  PerDim<T> box, sums, tile;
  T lines{1.0}, passes{1.0}, passRows{1.0}, array{0.0}, pass{0.0}, ahead{0.0},
      burstAhead{0.0};
  /// Of one tile.
  Moves<T> weights, input, bias, residual, spilled, stores;
  T zeroCycles{0.0}, zeroFills{0.0};
  /// In how many pieces each tensor's tile moves.
  std::array<T, kNumMoves> pieces;
  /// Computes from one that moves it to the next, in the innermost loops.
  std::array<T, kNumMoves> every;
};

template <typename T> llvm::SmallVector<double, 128> Streams<T>::key() const {
  llvm::SmallVector<double, 128> key;
  auto add = [&](auto... values) { (key.push_back(double(values)), ...); };
  auto addTile = [&](const std::optional<StreamTile> &held) {
    add(held.has_value());
    if (held)
      add(held->h, held->w, held->compact[Axis::H], held->compact[Axis::W]);
  };
  const StreamedLayer<T> &s = streamed;
  for (Dim dim : kAllDims) {
    for (Level level :
         {boxLevel[dim], Level::Accumulator, Level::Scratchpad, Level::Dram})
      add(valueOf(s.tile[level][dim]), valueOf(s.count[level][dim]));
    add(valueOf(s.extent[dim]), s.groupTrips[dim], s.isCut[dim]);
  }
  add(valueOf(s.rows), valueOf(s.cols), s.isOnly, s.grouped, s.inputOnChip,
      s.outputOnChip, s.residualOnChip, s.loadsBefore, s.inputIsShared,
      s.clearsPadding, s.inputTurns, s.turns.count, s.turns.slices,
      s.turns.runs, s.turns.rows(), s.turns.bytes, s.keepsInput, s.keepsTiles,
      s.changesScale, s.changesStride, s.sumsBeside, s.slicesIn, s.slicesOut,
      s.pooledRows, s.pooledColumns, s.poolReads, s.mostPooledRows);
  for (Axis axis : kAllAxes)
    add(valueOf(s.window[axis]), s.handOver[axis]);
  if (s.grouped)
    for (Dim dim : kPixelDims)
      for (const TileKind &kind : tileKinds(s, dim))
        add(kind.extent, kind.loaded, kind.window, kind.tiles);
  addTile(s.inputTile);
  addTile(s.skipTile);
  for (const StreamLoop &loop : shape.loops)
    add(unsigned(loop.dim), loop.step);
  add(-1); // The layer's numbers follow.
  for (int64_t number : contentOf(layer))
    add(number);
  return key;
}

/// Eq. S5: on how many trips of a loop something moves.
template <typename T> T Streams<T>::activeTrips(size_t loop, Move move) const {
  const T &all = trips[loop];
  const size_t inside = move == Weights ? shape.insideWeights
                        : move == Input ? shape.insideInput
                                        : shape.insideSums;
  if (loop >= inside)
    // Slices that are made one after the other read one input.
    return move == Input && makesSlices && (loadsBefore || shape.inputStays) &&
                   loop == shape.loops.size()
               ? T(1.0)
               : all;
  const StreamLoop &l = shape.loops[loop];
  // A piece may serve several trips.
  auto pieced = [&](int64_t piece) {
    if (l.step >= piece)
      return all;
    return minOf(latency::parts(T(double(l.whole)), T(double(piece))), all);
  };
  switch (move) {
  case Weights:
    if (plan.weightTurns)
      return loop >= plan.weightTurns->loop ? all : T(1.0);
    return isPixel(l.dim)           ? T(1.0)
           : l.dim == Dim::K        ? pieced(plan.weightColumns)
           : l.dim == Dim::C        ? pieced(plan.weightRows)
           : l.dim == tapDim(layer) ? pieced(plan.weightTaps)
                                    : all;
  case Input:
    if (plan.inputTurns)
      return loop >= plan.inputTurns->loop ? all : T(1.0);
    if (plan.inputSpread)
      return loop >= plan.inputSpread->loop && loop <= plan.inputLoop ? all
                                                                      : T(1.0);
    if (l.dim == Dim::K || l.dim == Dim::R || l.dim == Dim::S)
      return T(1.0);
    if (l.dim == inChannel)
      return pieced(plan.inputChannels);
    return isPixel(l.dim) && plan.input == StreamPieces::Whole ? T(1.0) : all;
  case Sums:
    // A residual and partial sums come with the whole tile, if not with runs.
    if (plan.residualPerRun)
      return isReduction(l.dim)    ? T(1.0)
             : l.dim == outChannel ? pieced(plan.residualColumns)
                                   : all;
    if (shape.loadsResidual || (shape.spills && !plan.spilledComesBeside()))
      return T(1.0);
    if (isReduction(l.dim))
      return plan.spilledComesBeside() ? all : T(1.0);
    return isPixel(l.dim) && !plan.biasPerRun ? T(1.0) : all;
  case Output:
    // Beside all of the next tile's steps.
    if (plan.storeChunks > 0)
      return isPixel(l.dim) ? T(1.0) : all;
    if (isReduction(l.dim) || !plan.storesRuns)
      return T(1.0);
    return l.dim == outChannel ? pieced(plan.outputChannels) : all;
  }
  return all;
}

/// Eq. S6: one compute, with what moves in front of it and behind.
template <typename T>
void Streams<T>::enterBox(Stretch<T> &stretch, unsigned sets) const {
  const double loadStations = double(target.loadStations),
               storeStations = double(target.storeStations);
  for (unsigned set = 0; set < kAllSets; ++set) {
    if (!(sets >> set & 1))
      continue;
    T executes = array, reads(0.0), fetches(0.0), issues = passes * least,
      drains(0.0);
    T before(0.0), after(0.0), queued(0.0), late(0.0), lead = ahead;
    auto issue = [&](const T &commands) { issues += commands * command; };
    if (has(set, Output) && !shape.staysInPlace) {
      const T count = stores.count / pieces[Output];
      // With scales of channels each is told which ones are its.
      issue(layer.hasScales ? count * 2.0 : count);
      // A store holds its entry from issue on, until the pass has gone through.
      const T lag = pass + fill + least;
      if (plan.storeChunks > 0) {
        drains = count * stores.occupancy;
      } else if (plan.storesRuns) {
        drains = count * maxOf(stores.occupancy,
                               (lag + stores.occupancy) / storeStations);
        lead = minOf(
            lead, maxOf(storeStations * (passes / count) * pass - lag, T(0.0)));
      } else {
        after += fill + maxOf(count - storeStations, T(1.0)) * stores.occupancy;
        lead = T(0.0);
      }
    }
    // What shows of a wait in front of each `busy` cycles of the array.
    auto shows = [&](const T &busy, const T &wait) -> T {
      const T over = maxOf(wait - lead, T(0.0));
      return valueOf(busy) < valueOf(lead) ? busy * over / lead : over;
    };
    // A tile's first part, which the tile before does not fetch.
    auto waitsForFirst = [&](const Moves<T> &part, double moves,
                             const T &pieces, const T &every) -> T {
      return shows(array * every,
                   part.duration + (moves - 1.0) * part.occupancy) /
             pieces;
    };
    // Loads in front of the first pass: all but the last few are waited for, as
    // the pass cannot be issued before.
    auto burst = [&](const T &count, const T &each) {
      before += maxOf(count - loadStations, T(0.0)) * each;
    };
    if (has(set, Weights)) {
      const T count = weights.count / pieces[Weights];
      issue(count);
      (plan.fetchesWeightsAhead() ? fetches : reads) +=
          count * weights.occupancy;
      if (plan.weightTurns) {
        queued += count * weights.occupancy;
      } else if (plan.weightsAhead > 0) {
        queued += plan.weightsAhead * weights.occupancy;
        if (!plan.weightsAcross)
          executes += waitsForFirst(weights, plan.weightsAhead, pieces[Weights],
                                    every[Weights]);
      } else {
        executes += shows(array * every[Weights],
                          weights.duration + (count - 1.0) * weights.occupancy);
      }
    }
    if (has(set, Input) && !streamed.inputOnChip && !streamed.inputTurns) {
      const T count = input.count / pieces[Input];
      const T zeros = zeroCycles / pieces[Input];
      (plan.fetchesInputAhead() ? fetches : reads) +=
          count * input.occupancy + zeros;
      issue(count + zeroFills / pieces[Input]);
      if (plan.inputTurns) {
        queued += count * input.occupancy + zeros;
      } else if (plan.inputAhead > 0) {
        queued += plan.inputAhead * input.occupancy;
        if (!plan.inputAcross)
          executes += waitsForFirst(input, plan.inputAhead, pieces[Input],
                                    every[Input]);
      } else if (plan.inputSpread) {
        queued += count * input.occupancy + zeros;
        // The first move of channels comes when it is wanted.
        const T first =
            input.count * input.occupancy /
            latency::parts(tile[inChannel], T(double(plan.inputChannels)));
        executes += (shows(array * every[Input], input.duration) +
                     maxOf(first - array, T(0.0))) /
                    pieces[Input];
      } else if (plan.input == StreamPieces::Whole) {
        before += zeros;
        burst(count, input.occupancy);
        executes += shows(array * every[Input], input.duration);
      } else if (plan.input == StreamPieces::Runs) {
        executes += shows(pass, input.duration) * passes;
      } else {
        const T line = array / lines;
        executes += shows(line, maxOf(input.duration - line, T(0.0))) * lines;
      }
    }
    if (has(set, Sums)) {
      if (layer.hasBias) {
        // Only the first of several visits has it.
        const T count = bias.count / pieces[Sums] / visits;
        (plan.biasComesBeside() ? fetches : reads) += count * bias.occupancy;
        issue(count);
        if (plan.addWait > 0)
          executes += count * (plan.addWait / double(plan.addChunks));
        if (!plan.biasPerRun && !plan.biasComesBeside())
          burst(count, bias.occupancy);
      }
      if (shape.loadsResidual) {
        const T count = residual.count / pieces[Sums] / visits;
        reads += count * residual.occupancy;
        issue(count);
        if (!plan.residualPerRun)
          burst(count, residual.occupancy);
        executes += shows(array, residual.duration);
      }
      if (shape.spills) {
        const T again = (visits - 1.0) / visits;
        const T count = spilled.count / pieces[Sums] * again;
        (plan.spilledComesBeside() ? fetches : reads) +=
            count * spilled.occupancy;
        issue(count);
        if (!plan.spilledComesBeside())
          before += count * spilled.occupancy;
        // Behind a fence.
        after += (fill + 2 * latency) * again / sweep / pieces[Sums];
      }
    }
    // What is wanted now stands behind what was fetched ahead: on all trips, or
    // on those of a tile's first visit.
    T wanted(0.0);
    if ((has(set, Weights) && !plan.fetchesWeightsAhead()) ||
        (has(set, Input) && !streamed.inputOnChip &&
         !plan.fetchesInputAhead()) ||
        (has(set, Sums) &&
         (shape.loadsResidual || (shape.spills && !plan.spilledComesBeside()))))
      wanted = T(1.0);
    else if (has(set, Sums) && layer.hasBias && !plan.biasComesBeside())
      wanted = 1.0 / visits;
    if (valueOf(wanted) > 0) {
      executes += wanted * shows(array, queued);
      late = wanted * queued + reads;
    }
    stretch.reader[set] = reads + fetches;
    stretch.inTime[set] =
        maxOf(executes + before, maxOf(issues, drains)) + after;
    stretch.cycles[set] =
        maxOf(stretch.inTime[set], maxOf(reads, late) + after);
  }
}

template <typename T>
typename Streams<T>::Trips Streams<T>::tripsOf(size_t loop) const {
  Trips result;
  result.all = trips[loop];
  for (unsigned move = 0; move < kNumMoves; ++move) {
    const T active = activeTrips(loop, Move(move));
    if (!(valueOf(active) < valueOf(result.all) - 1e-9))
      continue;
    result.isPart |= 1u << move;
    const T end = move == Output ? result.all - active : active;
    auto later = result.ends.begin();
    while (later != result.ends.end() && valueOf(later->first) <= valueOf(end))
      ++later;
    result.ends.insert(later, {end, move});
  }
  return result;
}

/// Eq. S7: calls visit(start, end, now) for stretches of trips of a loop that
/// have the same moves of `set`. Loads come with the first trips, stores with
/// the last.
template <typename T>
template <typename VisitorT>
void Streams<T>::forEachPart(const Trips &loop, unsigned set,
                             VisitorT visit) const {
  T start(0.0);
  auto upTo = [&](const T &end) {
    if (valueOf(end) - valueOf(start) <= 1e-9)
      return;
    const double middle = (valueOf(start) + valueOf(end)) / 2;
    unsigned now = set & ~loop.isPart;
    for (const auto &[at, move] : loop.ends)
      if (has(set, Move(move)) &&
          (move == Output ? middle > valueOf(at) : middle < valueOf(at)))
        now |= 1u << move;
    visit(start, end, now);
    start = end;
  };
  for (const auto &[end, move] : loop.ends)
    if (has(set, Move(move)))
      upTo(end);
  upTo(loop.all);
}

/// Eq. S7: all trips of a loop, under those of `sets` that are meant.
template <typename T>
Stretch<T> Streams<T>::repeat(const Stretch<T> &body, const Trips &loop,
                              unsigned sets) const {
  Stretch<T> result;
  for (unsigned set = 0; set < kAllSets; ++set) {
    if (!(sets >> set & 1))
      continue;
    T cycles(0.0), reads(0.0), inTime(0.0);
    unsigned last = 0;
    forEachPart(loop, set, [&](const T &start, const T &end, unsigned now) {
      const T length = end - start;
      cycles += length * body.cycles[now];
      reads += length * body.reader[now];
      inTime += length * body.inTime[now];
      const bool isFirst = valueOf(start) <= 0;
      const T excess = isFirst ? T(0.0)
                               : body.cycles[last] -
                                     maxOf(body.cycles[now], body.inTime[last]);
      if (valueOf(excess) > 0 && !has(now, Output)) {
        // A burst of loads begins while the trips before it still execute.
        const T idle = maxOf(body.cycles[now] - body.reader[now], T(0.0)) *
                       (length / start);
        cycles -= start * minOf(minOf(burstAhead, idle), excess);
      }
      if (!isFirst && has(now, Output) && !has(last, Output) &&
          plan.storesRuns && plan.storeChunks == 0) {
        // The last stores drain beside what follows.
        const T queued = stores.occupancy * double(target.storeStations);
        const T shown = body.cycles[now] - body.cycles[now & ~(1u << Output)];
        const T beside = body.cycles[last] * (start / length);
        cycles -= length * maxOf(minOf(minOf(queued, shown), beside), T(0.0));
      }
      last = now;
    });
    result.cycles[set] = cycles;
    result.reader[set] = reads;
    result.inTime[set] = minOf(inTime, cycles);
  }
  return result;
}

template <typename T>
typename Streams<T>::Window Streams<T>::windowRead() const {
  Window window;
  for (Axis axis : kAllAxes) {
    const Dim out = outputDim(axis), kernel = kernelDim(axis);
    window.all[axis] = (tile[out] - 1.0) * double(layer.stride[axis]) +
                       double((layer.dims[kernel] - 1) * layer.dilation[axis]) +
                       1.0;
    window.stored[axis] = minOf(streamed.window[axis], window.all[axis]);
  }
  if (!plan.clips)
    return window;
  const T &width = window.all[Axis::W], &inside = window.stored[Axis::W];
  // Of rows that stay only the new ones are stored, and few tiles have others.
  const T lines = streamed.keepsInput
                      ? T(0.0)
                      : window.all[Axis::H] - window.stored[Axis::H];
  // Zeros at the end of a line and in front of the next come at once.
  const double sides = (layer.padLow[Axis::W] > 0 ? 2 : 1) /
                       std::max(1.0, streamed.groupTrips[Dim::Q]);
  const double perLine = !(valueOf(width) > valueOf(inside) + 1e-9) ? 0
                         : layer.padValue == 0 ? std::min(sides, 1.0)
                                               : sides;
  window.padding = tile[Dim::N] *
                   (lines * width + window.stored[Axis::H] * (width - inside));
  window.clears = tile[Dim::N] * (lines * width * (1 / side) +
                                  window.stored[Axis::H] * perLine);
  return window;
}

/// Cycles from when the last sums have passed the array, or less than 0, to a
/// tile's first compute, which reads sums in place: padding is cleared, piece
/// by piece, while commands run ahead, what the first compute reads was not the
/// last that was made, and where config_ex has waited the array loads its first
/// weights alone.
template <typename T> T Streams<T>::startInPlace() const {
  const Window window = windowRead();
  const T commands =
      window.clears *
      perBlock(T(double(layer.dims[inChannel]) / streamed.slicesIn));
  const T behind =
      maxOf(tile[Dim::N] * window.stored[Axis::H] * window.stored[Axis::W] -
                window.all[Axis::W] * 2.0,
            T(0.0));
  const T start = maxOf(commands * command - ahead, fill - behind);
  const double configures =
      streamed.changesScale || streamed.slicesIn > 1 ? side + command : 0;
  return maxOf(start, T(0.0)) + configures - fill;
}

template <typename T> PhaseCycles<T> Streams<T>::run() {
  const unsigned all =
      shape.weightsStay ? (kAllSets - 1) & ~(1u << Weights) : kAllSets - 1;
  // Of the sets only few are asked for: of the outermost loop these two, of
  // each body those that the loop around it has.
  const size_t count = trips.size();
  llvm::SmallVector<Trips, 16> loops;
  llvm::SmallVector<unsigned, 16> sets(count + 1, 1u << all | 1u);
  for (size_t i = 0; i < count; ++i)
    loops.push_back(tripsOf(i));
  for (size_t i = count; i-- > 0;) {
    sets[i] = 1;
    for (unsigned set = 0; set < kAllSets; ++set)
      if (sets[i + 1] >> set & 1)
        forEachPart(loops[i], set, [&](const T &, const T &, unsigned now) {
          sets[i] |= 1u << now | 1u << (now & ~(1u << Output));
        });
  }

  Stretch<T> stretch;
  enterBox(stretch, sets[0]);
  // Eq. S8: a sum's rows are taken from its first load to its store.
  T held(0.0), reductions(1.0);
  for (size_t i = 0; i <= count; ++i) {
    if (i == shape.insideSums) {
      for (unsigned set = 0; set < kAllSets; ++set) {
        if (!(sets[i] >> set & 1) || !has(set, Output) || shape.staysInPlace ||
            plan.sumsTurn)
          continue;
        T chain = held + pass + stores.occupancy + fill;
        // The first reductions run as bias comes in.
        if (has(set, Sums) && layer.hasBias && !plan.biasComesBeside())
          chain += bias.duration + (bias.count - 1.0) * bias.occupancy;
        if (has(set, Sums) && shape.loadsResidual)
          chain += residual.duration +
                   (residual.count / pieces[Sums] - 1.0) * residual.occupancy;
        stretch.cycles[set] = maxOf(stretch.cycles[set], chain);
      }
    }
    if (i == count)
      break;
    stretch = repeat(stretch, loops[i], sets[i + 1]);
    // What is fetched a part ahead has all of the loop's trips.
    if ((plan.weightsAhead > 0 && i == plan.weightsLoop) ||
        (plan.inputAhead > 0 && i == plan.inputLoop) ||
        (plan.inputTurns && i == plan.inputTurns->loop) ||
        (plan.inputSpread && i == plan.inputLoop) ||
        (plan.weightTurns && i == plan.weightTurns->loop))
      for (unsigned set = 0; set < kAllSets; ++set)
        if (sets[i + 1] >> set & 1)
          stretch.cycles[set] = maxOf(stretch.cycles[set], stretch.reader[set]);
    if (i < shape.insideSums && isReduction(dims[i])) {
      reductions *= trips[i];
      held = stretch.cycles[0] * (1.0 - 1.0 / reductions);
    }
  }

  PhaseCycles<T> result;
  result.cycles = stretch.cycles[all];
  result.execute = stretch.cycles[0];
  result.load = stretch.reader[all];
  T tiles = visits;
  for (Dim dim : kAllDims)
    if (isRelevant(Tensor::O, dim))
      tiles *= streamed.count[Level::Accumulator][dim];
  result.store = tiles * stores.count * stores.occupancy;
  // Eq. S9: the first loads are waited for, and so is the last store, or all of
  // the last tile.
  const T last =
      (plan.storeChunks > 0 && !plan.storesRuns ? stores.count : T(1.0)) *
          stores.occupancy +
      fill;
  if (streamed.grouped) {
    double groupTiles = 1;
    for (Dim dim : kPixelDims)
      groupTiles *= streamed.groupTrips[dim];
    // What comes of the next tile only keeps the reader busy.
    if (const TurnShare &share = shape.turns; share.count > 0) {
      const Moves<T> pieces =
          loads(T(double(share.count)), T(double(share.rows())),
                T(double(share.bytes)), T(double(share.rows())));
      result.load +=
          (groupTiles - double(share.runs)) * (pieces.count * pieces.occupancy);
      result.cycles = maxOf(result.cycles, result.load);
    }
    result.cycles += last * groupTiles * streamed.slicesOut;
    if (!streamed.inputOnChip)
      result.cycles +=
          input.duration * (streamed.inputTurns ? double(streamed.turns.runs)
                            : plan.inputTurns   ? 1.0
                                                : groupTiles);
    else if (target.handsOverInPlace())
      result.cycles += startInPlace() * groupTiles * streamed.slicesIn;
    // Each turn finds another one's config_ex.
    if (target.handsOverInPlace() && streamed.slicesOut > 1)
      result.cycles += (side + command) * groupTiles * streamed.slicesOut;
    if (shape.weightsStay) {
      result.cycles += weights.count * weights.occupancy;
      result.load += weights.count * weights.occupancy;
    }
  } else {
    result.cycles += input.duration + weights.duration + last + latency;
  }
  return result;
}

/// What a walk has found: cycles of all tiles and, of a group's member, of one
/// that is like most, with all of its slices; none where it has its closed
/// form.
struct Walked {
  double cycles = 0;
  std::optional<double> ofTile;
};
/// Adds the commands that it went through.
Walked walk(Streams<double> &streams, uint64_t &commands);

/// Members of a group in the order in which they run.
struct MembersInTurn {
  std::vector<StreamedLayer<double>> members;
  /// Of each who makes its input, and whether slice by slice.
  std::vector<std::optional<size_t>> producers;
  std::vector<bool> areSliced;
  double tiles = 1; ///< of the group
};
/// Cycles of a tile of the group that is like most, from one to the next or, if
/// it is the only one, to its end; nullopt if that is too long to be walked.
std::optional<double> walkInTurn(const MembersInTurn &group,
                                 const Accelerator &target, uint64_t &commands);

} // namespace stream

/// Cycles of a layer, or of a member of a fusion group in all of its tiles, as
/// the code generator emits them.
template <typename T>
PhaseCycles<T> streamLatency(const StreamedLayer<T> &streamed,
                             const Accelerator &target) {
  return stream::Streams<T>(streamed, target).run();
}

/// The same cycles, command by command (docs/Latency.md, "The walk"): an order
/// of magnitude nearer to the simulator's, and slower. What is too large to be
/// walked in some ten milliseconds has its closed form.
double walkedCycles(const StreamedLayer<double> &streamed,
                    const Accelerator &target);
double walkedCycles(const Layer &layer, const Mapping &mapping,
                    const Accelerator &target);

/// Members of a group with tiles `tiles`, which must outlive this.
stream::MembersInTurn membersInTurn(const GroupTiles &tiles,
                                    llvm::ArrayRef<Mapping> mappings,
                                    const Accelerator &target);

/// Cycles of a layer alone.
PhaseCycles<double> streamLatency(const Layer &layer, const Mapping &mapping,
                                  const Accelerator &target);

/// What the planner is asked about: a layer alone, a member of a group.
StreamShape streamShape(const Layer &layer, const Mapping &mapping,
                        const Accelerator &target);
StreamShape streamShape(const GroupTiles &tiles, size_t member,
                        const Mapping &mapping, const Accelerator &target);

} // namespace fadiff

#include "fadiff/CostModel/StreamMoves.h" // IWYU pragma: export

#endif // FADIFF_COSTMODEL_STREAMLATENCY_H
