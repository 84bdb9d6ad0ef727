//===- StreamPlan.h - How the code generator streams a layer ----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides from a nest's static shapes which pixels a pass streams, in which
// pieces tiles move, what is fetched a part ahead. The latency model asks it
// about a mapping, before there is a program; the code generator about the
// stage that it emits (StagePlan.cpp of the conversion). Each lists its loops
// and where copies stand, and setExtents() makes the shape of that; the code
// generator also says how tensors lie in memory. docs/Lowering.md, "Streams".
//
// Commands enter the machine's queues in program order and few fit in. So a
// tile is not moved where the nest says that it begins or ends, but piece by
// piece: each piece in front of the first compute that uses it, or behind the
// last that adds to it. Why that is sound: every loop ascends, so a compute
// whose box lies nowhere behind another one's, in any dim, is not emitted after
// it. A piece is fetched at the least box among its users' and stored at the
// greatest.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_STREAMPLAN_H
#define FADIFF_COSTMODEL_STREAMPLAN_H

#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Mapping.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <optional>
#include <string>

namespace fadiff {

/// The places that the pixels of a run lie in. Local: the tile that is walked,
/// for a compute the accumulator's. Other: the tile that a compute reads, or
/// where a copy moves to or from. Destination: where outputs go. Skip: a tile
/// of the scratchpad that is added.
enum class StreamPlace : uint8_t { Local, Other, InputDram, Destination, Skip };
inline constexpr unsigned kNumStreamPlaces = 5;

/// One value for each place. Of distances of neighbouring pixels, whatever
/// their unit, it is 0 where no run moves to. What a search asks for may be
/// huge, so the planner's are real numbers.
template <typename T> struct PerPlace : std::array<T, kNumStreamPlaces> {
  using std::array<T, kNumStreamPlaces>::operator[];
  T &operator[](StreamPlace place) { return (*this)[unsigned(place)]; }
  const T &operator[](StreamPlace place) const {
    return (*this)[unsigned(place)];
  }
};

/// Whether pixels with these distances are neighbours where a run's rows must
/// be.
template <typename T> bool stepsByRows(const PerPlace<T> &strides) {
  return strides[StreamPlace::Local] == 1 && strides[StreamPlace::Skip] <= 1;
}

/// Whether a loop with strides `outer` goes on where `count` steps of one with
/// strides `inner` end, in every place.
template <typename T>
bool continues(const PerPlace<T> &outer, const PerPlace<T> &inner, T count) {
  for (unsigned place = 0; place < kNumStreamPlaces; ++place)
    if (outer[place] != inner[place] * count)
      return false;
  return true;
}

/// An emitted loop of a nest.
struct StreamLoop {
  Dim dim = Dim::N;
  int64_t step = 1; ///< nominal extent of a trip
  /// What it walks, nominally, and whether that is never less:
  /// StreamShape::setExtents().
  int64_t whole = 1;
  bool exact = true;
};

/// A tile on chip: how many rows and columns of pixels it has.
struct StreamTile {
  int64_t h = 1, w = 1;
  PerAxis<bool> compact{false, false}; ///< it has only what one tap touches
};

/// Of a group's input that takes turns, what of its next tile comes beside one
/// of the members, in pieces of one move: some lines of an image, or columns of
/// one of them, and some channels.
struct TurnShare {
  int64_t first = 0, count = 0; ///< of all pieces
  int64_t slices = 1;           ///< in which the member makes its outputs
  /// The group's tiles that none before brings the input of: the first one or,
  /// where rows stay, the first along P each time.
  int64_t runs = 1;
  /// The pieces that come beside one of these.
  int64_t perSlice() const { return (count + slices - 1) / slices; }
  int64_t lines = 1, columns = 1, channels = 1; ///< of a piece
  int64_t height = 1; ///< lines of an image that come, at most
  int64_t bytes = 1;  ///< of a row of a piece
  int64_t rows() const { return lines * columns; }
};

/// Members share in the pieces by how much longer they keep the array busy than
/// their bias the DMA. That follows from the group, whatever the mappings, so
/// that each member can be judged without the others'. No pieces where the
/// input has one place.
TurnShare turnShare(const GroupTiles &tiles, size_t member,
                    const Accelerator &target);

/// The static shape of a nest. Extents are nominal, at least 1.
struct StreamShape {
  const Layer *layer = nullptr;
  /// Channels over the array's rows and columns.
  int64_t rows = 1, cols = 1;
  /// What one compute streams past a weight tile, the accumulator's tile, the
  /// scratchpad's of input and of weights.
  PerDim<int64_t> box{1}, sums{1}, tile{1}, weightTile{1};
  /// No box is cut short along the dim.
  PerDim<bool> exact{true};
  /// Innermost first, without those around it: of a fusion group, and of the
  /// member that its slices go to.
  llvm::SmallVector<StreamLoop, 16> loops;
  /// Loops inside of each tensor's copies, the innermost ones of `loops`; all
  /// if the nest copies nothing of it.
  size_t insideWeights = 0, insideInput = 0, insideSums = 0;
  /// Visits to an accumulator tile, of which all but the last spill.
  bool spills = false;
  bool weightsStay = false; ///< resident for the whole group
  /// Rows of the accumulator that others take meanwhile (sumsBeside()).
  int64_t sumsBeside = 0;
  /// The accumulator has room for sums in whole chunks of `side` pixels; of a
  /// nest, their buffer has.
  bool fitsChunks = false;
  int64_t weightBlock = 0; ///< weightBlock() of what the nest loads
  /// The input is there when the nest begins; the output stays there.
  bool inputOnChip = false, outputOnChip = false;
  /// The input comes with the first of the slices that the nest makes, and is
  /// there for the others.
  bool inputStays = false;
  /// The output that stays on chip is not moved.
  bool staysInPlace = false;
  /// A residual is loaded.
  bool loadsResidual = false;
  /// Rows and columns of the consumer's window, if the output stays on chip.
  PerAxis<int64_t> handOver{1, 1};
  /// Sums read for each of its pixels if outputs are pooled on their way; else
  /// 0.
  int64_t poolReads = 0;
  /// Lines of these in a whole tile, if they go to DRAM and that is known.
  int64_t mostPooledRows = 0;
  bool poolPads = false; ///< at borders of fewer
  /// Of a nest's only layer: rows of the scratchpad beside its tiles, and how
  /// often the nest goes through the loops. Else 0.
  double freeRows = 0, runs = 0;
  TurnShare turns; ///< of a group's member
  /// The tile that is read, if the nest does not bring it in or it is a ring;
  /// the one that is added.
  std::optional<StreamTile> input, skip;
  /// Runs may break anywhere, as a tile of theirs lies in a ring; the input is
  /// loaded into one.
  bool hasRing = false, loadsRing = false;

  /// What only a program says: distances between neighbouring pixels along N, P
  /// and Q, of the input in DRAM, where outputs and partial sums go, and of the
  /// residual. Without, tensors are dense and channels last.
  std::optional<PerDim<double>> inputDram, destination, spillDram, residualDram;

  /// Sets all extents from what the nest is about as a whole, with whether that
  /// is never less, from the loops' dims and steps and from where copies stand.
  void setExtents(const PerDim<int64_t> &whole, const PerDim<bool> &isExact);
  /// Rows of the accumulator that a tile of sums takes in whole chunks.
  double chunkRows(const Accelerator &target) const;
  /// Rows of the scratchpad that its tiles take (footprint()).
  int64_t inputRows() const;
  int64_t weightRows() const;
  /// All of it but what only a program says, and the room of buffers, on one
  /// line.
  std::string str() const;
};

/// A compute of fewer rows takes the array as many cycles (docs/Simulator.md,
/// "When an instruction runs").
inline constexpr int64_t kShortestPass = 4;

/// How the pixels of an input tile come in; channels come in blocks anyhow.
enum class StreamPieces : uint8_t {
  Whole, ///< all with the first compute
  Lines, ///< what a line of outputs needs and no line before it has fetched
  Runs,  ///< what a run of outputs needs
};

/// Tiles of the input, of the group's or of weights take turns in two places:
/// on one in `every` trips of a loop, as long as there are any, so many pieces
/// of the next tile come. A piece of the input has some images, or lines of
/// one, and the channels of one move; one of weights is a move. Where a trip
/// has several boxes, or of a group's, they come in front of it, but not of the
/// first one if there are others enough.
struct TileTurns {
  /// Of StreamShape::loops; behind the last one all pieces come before them.
  size_t loop = 0;
  int64_t every = 1, atOnce = 1;
  int64_t from = 0;      ///< the first of these trips
  bool isBehind = false; ///< they come behind the trip's only box
  int64_t images = 1, lines = 1;
  int64_t all = 1; ///< pieces of a tile
  /// Trips up to the last one that brings any.
  int64_t trips() const { return from + (all + atOnce - 1) / atOnce * every; }
};

struct StreamPlan {
  /// Passes stream these pixel dims of the box as one sequence: bit per dim.
  unsigned joined = 0;
  /// The same of passes that outputs leave with, which may be fewer: where
  /// neighbours on chip are none where they go to.
  unsigned joinedToStore = 0;
  StreamPieces input = StreamPieces::Whole;
  /// Where pixels fill no whole passes the first one is short, not the last:
  /// the next weights load while the last one streams. It has no fewer rows
  /// than this, for which the second one has fewer. 0: the last one is short.
  int64_t leastFirst = 0;
  /// Outputs leave with each pass, not with the whole tile; of tiles that leave
  /// beside the next one only the last.
  bool storesRuns = false;
  /// The bias comes with each pass, not with the tile's first.
  bool biasPerRun = false;
  /// So does the residual, not before the tile's first; and whether it lies in
  /// DRAM as the outputs do, which leave run by run. Else it is one run.
  bool residualPerRun = false, residualAsStored = false;
  /// The bias, or what was spilled, is added to sums that are there: behind so
  /// many reduction steps of the tile, one in `every` from the first one on,
  /// that of so many chunks of `side` pixels, which lie as many chunks apart as
  /// there are such steps. 0 where it comes before the first step.
  int64_t addSteps = 0, addChunks = 0, addEvery = 1;
  /// Cycles by which it comes too late for each of the steps behind these.
  double addWait = 0;
  /// Some of the tile's rows get no sums, but what is added all the same: they
  /// are cleared once before the nest's loops.
  bool addsToGaps = false;
  /// Tiles of sums take turns in two places: behind each of a tile's first so
  /// many reduction steps so many chunks of the tile before leave, of which the
  /// last has the rest, or so many lines, pooled or not. 0 where a tile leaves
  /// before the next one begins.
  int64_t storeSteps = 0, storeChunks = 0;
  /// They are lines.
  bool storesLines = false;
  /// The nest's last tile leaves with its passes, those before beside the next.
  bool storesLastByRuns() const { return storesRuns && storeChunks > 0; }
  /// Behind so many steps, one in `every` from this one on, so many chunks of
  /// the next tile get their bias, or what was spilled of them: but for those
  /// of the first tile, of a sweep if any spill. 0 where none do.
  int64_t aheadFrom = 0, aheadSteps = 0, aheadChunks = 0, aheadEvery = 1;
  /// It is the bias.
  bool biasAhead = false;
  /// Tiles of sums have two places, so that none waits for another to leave.
  bool sumsTurn = false;
  /// What was spilled does not come in front of a tile's first step.
  bool spilledComesBeside() const {
    return addChunks > 0 || (aheadChunks > 0 && !biasAhead);
  }
  /// Nor does the bias.
  bool biasComesBeside() const { return addChunks > 0 || biasAhead; }
  /// Of either, reduction steps from one box to the next along C, R and S.
  PerDim<int64_t> reductionSteps{0};
  /// Where tiles spill, how many loops outside of theirs go over others before
  /// one comes back to them.
  size_t sweepLoops = 0;
  /// The accumulator's blocks take turns, and leave together; and whether that
  /// takes whole chunks of pixels, of which there are less.
  bool wideStores = false, fillsChunks = false;
  /// Channels in a move of the input, rows and columns in one of the weights,
  /// channels in one of the output.
  int64_t inputChannels = 1, weightRows = 1, weightColumns = 1,
          outputChannels = 1;
  /// Taps along tapDim() in a move of weights that lie so.
  int64_t weightTaps = 1;
  /// Channels in a move of a residual.
  int64_t residualColumns = 1;
  /// Moves of a part of the tile, where parts are fetched one ahead of their
  /// first use; 0 where nothing is.
  double weightsAhead = 0, inputAhead = 0;
  /// The loop on whose trips that happens; of StreamShape::loops. Elements of
  /// its dim in a part, a multiple of its step.
  size_t weightsLoop = 0, inputLoop = 0;
  int64_t weightsStep = 1, inputStep = 1;
  /// Every tile has a second part, so that the first one's rows are free for
  /// the next tile when the last part is in use.
  bool weightsAcross = false, inputAcross = false;
  /// Columns of such a part of the input.
  int64_t inputWidth = 0;
  /// How whole tiles of the input come ahead, where no parts of them do, or its
  /// share of the group's (StreamShape::turns).
  std::optional<TileTurns> inputTurns;
  /// Where neither does: how a tile's own pieces come ahead of their use, while
  /// the channels before are in use. Those of the first move of channels come
  /// as `input` says; `all` is the others. `inputLoop` is the outermost loop
  /// over channels.
  std::optional<TileTurns> inputSpread;
  /// How whole tiles of the weights come ahead, of which only the first one
  /// comes in parts.
  std::optional<TileTurns> weightTurns;
  /// Weights come beside what is done before, but for the first tile.
  bool fetchesWeightsAhead() const { return weightsAhead > 0 || weightTurns; }
  /// The same of the input.
  bool fetchesInputAhead() const {
    return inputAhead > 0 || inputTurns || inputSpread;
  }
  /// The input needs padding, so it moves line by line.
  bool clips = false;
  /// Only what one tap touches is stored along the axis.
  PerAxis<bool> compact{true, true};

  bool joins(Dim dim, bool toStore = false) const {
    return (toStore ? joinedToStore : joined) >> unsigned(dim) & 1;
  }
};

StreamPlan planStream(const StreamShape &shape, const Accelerator &target);

/// Of that only how wide moves are: all there is of a stage that only loads.
StreamPlan planMoves(const StreamShape &shape, const Accelerator &target);

/// Whether steps of `dim` lead to other elements of a tile of the input or of
/// weights; steps of the rest use it again. A window's taps are fetched
/// together.
bool leadsOn(Tensor tensor, Dim dim);

} // namespace fadiff

#endif // FADIFF_COSTMODEL_STREAMPLAN_H
