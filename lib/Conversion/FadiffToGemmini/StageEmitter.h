//===- StageEmitter.h - Copies and computes of one layer --------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_STAGEEMITTER_H
#define FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_STAGEEMITTER_H

#include "StagePlan.h"
#include "fadiff/Dialect/Fadiff/IR/Fadiff.h"
#include "fadiff/Dialect/Gemmini/IR/Gemmini.h"
#include "fadiff/Schedule/MatmulLoop.h"

#include <array>
#include <optional>

namespace fadiff {

/// What lies where, shared by the stages of a nest.
struct NestState {
  Accelerator machine;
  llvm::DenseMap<mlir::Value, mlir::Value> addressOfView; ///< index, bytes
  /// Distances of neighbours along each axis of a view, in elements.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<int64_t>> stridesOfView;
  /// Tiles that stages read; where one is handed over in place, as the window
  /// of its reader.
  llvm::DenseMap<mlir::Value, PixelTile> pixelTiles;
  /// Tiles that stages sum up.
  llvm::DenseMap<mlir::Value, PixelTile> sumTiles;
  /// How the array scales what it reads of a buffer in the accumulator.
  llvm::DenseMap<mlir::Value, ir::EpilogueAttr> epilogues;
  llvm::DenseMap<mlir::Value, WeightTile> weightTiles;
  /// Of the last stage if it pools on the way to DRAM: which rows and columns
  /// of the pooled tensor it stores now.
  PerAxis<Interval> storedPooled;
  /// Of stages whose input is padded with anything but zeros: the address of a
  /// constant row of that, index, bytes.
  llvm::DenseMap<mlir::Operation *, mlir::Value> paddingRows;
  /// Of stages with a scale per channel: where the store unit has them.
  llvm::DenseMap<mlir::Operation *, int64_t> firstScales;
};

/// A load's stride in DRAM, and rows between its blocks.
struct LoadConfig {
  int64_t stride = 1, blockStride = 1;
  bool shrink = false; ///< int8 into the accumulator
  float scale = 1;     ///< of what is loaded with `shrink`
  bool operator==(const LoadConfig &other) const {
    return stride == other.stride && blockStride == other.blockStride &&
           shrink == other.shrink && scale == other.scale;
  }
};

/// A store's stride in DRAM, and how sums are scaled; full width as they are.
struct StoreConfig {
  int64_t stride = 1;
  bool fullWidth = false;
  ir::EpilogueAttr epilogue;
  gemmini::PoolAttr pool; ///< or null
  bool operator==(const StoreConfig &other) const {
    return stride == other.stride && fullWidth == other.fullWidth &&
           epilogue == other.epilogue && pool == other.pool;
  }
};

/// How the array reads its operands.
struct ExecuteConfig {
  int64_t inputRowStride = 1; ///< a_stride
  /// Of sums that it reads; null: it reads none.
  ir::EpilogueAttr epilogue;
  bool operator==(const ExecuteConfig &other) const {
    return inputRowStride == other.inputRowStride && epilogue == other.epilogue;
  }
};

/// The line of a ring, of so many lines, in which row `first` of the layer's
/// input lies; the padding before row 0 has lines, too.
mlir::Value ringStart(const IndexMath &math, const Layer &layer,
                      mlir::Value first, int64_t lines);

/// How an input tile that is loaded lies in a ring.
struct InputRing {
  mlir::Value first;  ///< row of it that somebody reads
  mlir::Value loaded; ///< rows of the window that are there already
  int64_t lines = 1;
};

/// A loop that is emitted, on a trip that starts `offset` into what it walks.
struct LoopState {
  ir::ForOp op;
  Dim dim;
  int64_t step;
  mlir::Value offset;
  Interval whole;

  /// Of what it walks, nominally: where rows are kept, more than the tensor
  /// has.
  int64_t trips() const {
    return llvm::divideCeil(
        IndexMath::known(whole.size).value_or(whole.nominal), step);
  }
};

/// Where these loops, the outermost first, are on the next trip, in `offsets`,
/// and whether they begin again there.
mlir::Value countOn(const IndexMath &m, llvm::ArrayRef<LoopState> loops,
                    llvm::SmallVectorImpl<mlir::Value> &offsets);

/// What a loop over `whole` covers on the trip that begins at `offset`, a
/// multiple of `step`.
Interval stepAt(const IndexMath &m, const Interval &whole, int64_t step,
                mlir::Value offset);

/// What of `box` is walked where these loops, the outermost first, are at
/// `offsets`.
Box tileAt(const IndexMath &m, llvm::ArrayRef<LoopState> loops, Box box,
           llvm::ArrayRef<mlir::Value> offsets);

/// The run of a nest's stages at hand, for what brings in the next one's input:
/// of the stage that loads it.
struct NestRun {
  int64_t runs = 1;    ///< how often the loops around it emit it
  int64_t freeRow = 0; ///< where the input's second place is
  mlir::Value run;     ///< which one it is
  mlir::Value isFirst; ///< none before it brings its input
  mlir::Value hasNext; ///< it brings that of one behind it
  Box next;            ///< the box at the start of that
};

class StageEmitter;

/// What a member brings in of the group's next tile, by means of the stage that
/// would load that.
struct NextInput {
  StageEmitter *loader = nullptr;
  TurnShare share;
  mlir::Value slice; ///< if it makes slices of its outputs, which one
  /// Where the member's stage begins, or goes on, padding is cleared.
  bool isPadded = false;
};

/// How a stage gets its input, and what it brings in of another one's.
struct StageInput {
  std::optional<InputRing> ring = std::nullopt; ///< if its buffer is one
  /// The tile is this stage's window, not another one's that holds it.
  bool isOwn = true;
  std::optional<NestRun> run = std::nullopt; ///< if it may come in ahead
  NextInput next = {};
  InputOfSlices ofSlices = {}; ///< if it comes with the stage's first slice
};

gemmini::ConfigLdOp emitConfig(mlir::OpBuilder &builder, mlir::Location loc,
                               unsigned id, const LoadConfig &config);
void emitConfig(mlir::OpBuilder &builder, mlir::Location loc,
                const StoreConfig &config);
void emitConfig(mlir::OpBuilder &builder, mlir::Location loc,
                const ExecuteConfig &config);

/// What a stage needs configured when it starts.
struct StageConfigs {
  /// Before which they go: where it begins, and where it goes on after a stage
  /// inside of it.
  llvm::SmallVector<mlir::Operation *, 2> starts;
  std::optional<ExecuteConfig> execute;
  std::array<std::optional<LoadConfig>, 3> loads;
  std::optional<StoreConfig> store;
  /// Sets loads[0], loads[2] or the store itself.
  bool setsInput = false, setsSums = false, setsStore = false;
  /// Rows of the accumulator that hold zeros before the nest's loops: of each,
  /// the first one and how many.
  llvm::SmallVector<std::pair<int64_t, int64_t>, 2> clearedFirst;
};

/// Emits the instructions of one fadiff.stage at the builder's insertion point.
/// Most come with its compute: what load, init and store say about a tile is
/// kept, and its pieces move with the first compute that needs them or the last
/// that adds to them (StagePlan).
/// Configurations do not change within a stage, unless partial sums spill,
/// whose moves need other strides.
class StageEmitter {
public:
  /// Of a stage that begins with the box `entry`.
  StageEmitter(mlir::OpBuilder &builder, NestState &nest, ir::StageOp stage,
               const Box &entry, StageInput from);

  void load(ir::LoadOp op, const Box &box);
  void init(ir::InitOp op, const Box &box);
  void compute(ir::ComputeOp op, const Box &box);
  void store(ir::StoreOp op, const Box &box);
  /// The padding's value where the window of an input that was handed over lies
  /// in the padding: whole rows of it, and columns beside stored rows.
  void padInput(const PixelTile &tile, bool withColumns);
  /// The same for the columns beside the rows that are handed over now.
  void padColumns(const PixelTile &tile);
  /// Before the stage's loops: of the next tile of the input what comes at
  /// once. Says where the input of slices is.
  void begin();
  /// Of a stage that loads: pieces of the next tile that a member which makes
  /// nothing of this one would have brought beside its computes.
  void bringPieces(const NextInput &next);
  /// Behind the stage's loops: the last tile leaves.
  void finish();
  /// Around what is emitted in a loop of the stage; `offset` counts from its
  /// start.
  void enterLoop(ir::ForOp op, mlir::Value offset, const Interval &whole);
  void leaveLoop();
  /// Tells later stages, at the builder's insertion point, where the input tile
  /// lies that this one loads, if it does.
  void layOutInput();
  /// Call after a stage inside of this one has been emitted.
  void resume();
  /// From here on the stage is emitted as loop_ws, or the reason why not.
  llvm::Error planLoop();
  bool usesLoop() const { return loop.has_value(); }
  /// Whether the next loop to enter stands around the loop_ws.
  bool isOutsideOfLoop() const { return loops.size() < loop->outer.size(); }
  /// The loop_ws of what is in `box`.
  void emitLoop(const Box &box);
  /// Call after the last tile op.
  StageConfigs configs() const;

  /// What the plan of its streams was made for, as text.
  const std::string &streamShape() const { return plan.shape; }
  Dim inChannel() const { return depthwise ? Dim::G : Dim::C; }
  Dim tapDim() const { return fadiff::tapDim(layer); }
  Dim otherTapDim() const { return fadiff::otherTapDim(layer); }

private:
  using Value = mlir::Value;

  /// One axis of an input tile: the stored rows and the DRAM rows they hold.
  struct InputAxis {
    Value count;        ///< stored rows of this tile
    Value base;         ///< DRAM coordinate of the first, may be negative
    int64_t step = 1;   ///< DRAM rows from one stored row to the next
    bool clips = false; ///< some may lie outside the stored input
  };

  /// The part of a tile that is fetched next, and the tile.
  struct NextPart {
    Value exists;
    Box tile, part;
  };
  /// A tile whose pieces are being fetched.
  struct InputSource {
    PixelTile tile;
    DramOperand dram;
    Value origin; ///< bytes; of the first stored pixel unless rows are clipped
    InputAxis h, w;
    Value kept; ///< rows that are there already; null: none
    bool clips() const { return h.clips || w.clips; }
    /// Neighbouring lines of the tile cannot be moved together.
    bool isByLine() const { return clips() || tile.ringStart; }
  };
  struct WeightSource {
    WeightTile tile;
    DramOperand dram;
    Value origin; ///< bytes
  };
  /// The tensors of a loop_ws, and bytes from one row to the next.
  struct LoopViews {
    DramOperand input, weights, output;
    int64_t inputRow = 0, weightRow = 0, outputRow = 0;
  };
  /// Part of an input tile: (start, size) of its stored rows, tile-relative.
  struct InputRegion {
    std::pair<Value, Value> n, h, w;
    Value channel, channels;
  };

  /// Of a window's `count` rows or columns, those from `low` to `high`.
  struct InsideInput {
    Value low, high, count;
  };

  IndexMath math(mlir::Location loc) const { return {builder, loc}; }
  Dim outChannel() const { return depthwise ? Dim::G : Dim::K; }
  Value isFirst(const IndexMath &m, const Box &box) const;
  Value isLast(const IndexMath &m, const Box &box) const;
  Value within(const IndexMath &m, const Box &box, const Box &origin,
               Dim dim) const;
  Value isAtOrigin(const IndexMath &m, const Box &box, const Box &origin,
                   llvm::ArrayRef<Dim> dims) const;
  Value isAtEnd(const IndexMath &m, const Box &box, const Box &origin,
                Dim dim) const;
  Value startsPiece(const IndexMath &m, const Box &box, const Box &origin,
                    Dim dim, int64_t piece) const;
  Value pieceSize(const IndexMath &m, const Box &box, const Box &origin,
                  Dim dim, int64_t piece) const;

  DramOperand dramOperand(Value view, llvm::StringRef layout) const;
  /// Byte address of the element at the box's origin along all axes but H, W.
  Value originAddress(const IndexMath &m, const DramOperand &operand,
                      const Box &box) const;

  // StageAhead.cpp
  NextPart nextPart(const IndexMath &m, ir::LoadOp load,
                    const FetchAhead &ahead) const;
  NextPart firstPart(const IndexMath &m, ir::LoadOp load,
                     const FetchAhead &ahead, const Box &box) const;
  Value tileNumber(const IndexMath &m, ir::LoadOp load) const;
  Value bringsInput(const IndexMath &m) const;
  Value bringsWeights(const IndexMath &m) const;
  Value placeInTurn(const IndexMath &m, ir::LoadOp load, Value first,
                    int64_t second, bool isNext) const;
  void turnInput(const IndexMath &m, PixelTile &tile, bool isNext) const;
  void turnWeights(const IndexMath &m, WeightTile &tile, bool isNext) const;
  size_t loopsAround(ir::LoadOp load) const;
  std::pair<Value, Value> duePieces(const IndexMath &m, ir::LoadOp load,
                                    const TileTurns &turns) const;
  std::pair<Value, Box> nextTile(const IndexMath &m, ir::LoadOp load) const;
  void fetchNext(const IndexMath &m, ir::ForOp loop, bool isBehind);
  void fetchNextInput(const IndexMath &m);
  void fetchOwnInput(const IndexMath &m);
  void loadPieces(const IndexMath &m, const InputSource &from,
                  const TileTurns &turns, Value begin, int64_t fromChannel);
  void fetchNextWeights(const IndexMath &m);
  void fetchShare(const IndexMath &m, Value first);
  void loadPieces(const IndexMath &m, const NextInput &next, Value first,
                  int64_t most);
  void fetchPart(const IndexMath &m, ir::LoadOp load, const NextPart &next);

  // StageLoop.cpp
  std::pair<Value, Value> loadInTurns(const IndexMath &m, size_t outside) const;

  // StageLoads.cpp
  InputAxis inputAxis(const IndexMath &m, const Box &box, Axis axis) const;
  void beginInput(ir::LoadOp op, const Box &box);
  InputSource inputAt(const IndexMath &m, ir::LoadOp op, const Box &box) const;
  WeightSource weightsAt(const IndexMath &m, ir::LoadOp op,
                         const Box &box) const;
  void loadInputPart(const IndexMath &m, const InputSource &from,
                     const Box &part);
  void loadWeightPart(const IndexMath &m, const WeightSource &from,
                      const Box &part);
  void fetchInput(const IndexMath &m, const Box &box);
  void fetchInputRun(const IndexMath &m, const Box &box, Value inputRow,
                     const Run &run);
  Value isFirstUseOfInput(const IndexMath &m, const Box &box) const;
  Value channelsOfPiece(const IndexMath &m, const Box &box) const;
  Value storedBefore(const IndexMath &m, Axis axis, Value out,
                     int64_t ahead) const;
  Value regionRow(const IndexMath &m, const InputSource &from,
                  const InputRegion &region, Value n, Value h) const;
  void loadRegion(const IndexMath &m, const InputSource &from,
                  const InputRegion &region);
  void loadDenseRegion(const IndexMath &m, const InputSource &from,
                       const InputRegion &region);
  void loadRegionByLine(const IndexMath &m, const InputSource &from,
                        const InputRegion &region);
  void clearRows(const IndexMath &m, const PixelTile &tile, Value row,
                 Value count);
  InsideInput insideInput(const IndexMath &m, Axis axis) const;
  void mvinRows(const IndexMath &m, const PixelTile &tile, Value row,
                Value count, Value channels, Value address);
  void beginWeights(ir::LoadOp op, const Box &box);
  void fetchWeights(const IndexMath &m, const Box &box);
  void loadWeights(const IndexMath &m, const WeightSource &from,
                   const Box &box);

  // StageSums.cpp
  Value sumRow(const IndexMath &m, const PixelTile &tile, Value pixel,
               Value block) const;
  Value firstSum(const IndexMath &m, const PixelTile &tile,
                 const Box &box) const;
  Value isFirstUseOfSums(const IndexMath &m, const PixelTile &tile,
                         const Box &box) const;
  Value bringsBias(const IndexMath &m) const;
  PixelTile biasTile(const IndexMath &m, const PixelTile &tile) const;
  void loadBias(const IndexMath &m, const PixelTile &tile, Value k,
                Value columns, Value pixel, Value count,
                Value accumulates = {});
  void fetchBias(const IndexMath &m, const PixelTile &sums, const Box &box,
                 Value first);
  void takeTurns(const IndexMath &m, PixelTile &tile);
  void configureStores(const IndexMath &m, const PixelTile &tile, Value exists);
  bool addsLater() const { return plan.stream.addChunks > 0; }
  bool storesLater() const { return plan.stream.storeChunks > 0; }
  bool loadsAhead() const { return plan.stream.aheadChunks > 0; }
  int64_t sumsBeside() const;
  ir::AllocOp ownSums() const;
  llvm::SmallVector<ir::AllocOp> allocsBeside() const;
  std::optional<int64_t> toOtherPlace() const;
  Value reductionStep(const IndexMath &m, const PixelTile &sums,
                      const Box &box) const;
  Value endsStep(const IndexMath &m, const PixelTile &sums,
                 const Box &box) const;
  Value rowsMade(const IndexMath &m, const PixelTile &sums) const;
  void storeBefore(const IndexMath &m, const PixelTile &sums, const Box &box);
  void storeLine(const IndexMath &m, const PixelTile &tile, Value k,
                 Value columns, Value image, Value line);
  void storeRows(const IndexMath &m, const PixelTile &tile, Box at, Value k,
                 Value columns, Value pixel, Value behind, Value count);
  void addLater(const IndexMath &m, const PixelTile &sums, const Box &box);
  void loadAhead(const IndexMath &m, const PixelTile &sums, const Box &box);
  void loadSpilled(const IndexMath &m, const PixelTile &tile, Value k,
                   Value columns, Value pixel, Value count, bool accumulates);
  /// Whether the tile is a sweep's first, and its second.
  std::pair<Value, Value> startsSweep(const IndexMath &m) const;
  void fetchResidualOfRun(const IndexMath &m, const PixelTile &tile,
                          const Box &box, Value pixel, const Run &run);
  void fetchBiasOfRun(const IndexMath &m, const PixelTile &tile, const Box &box,
                      Value pixel);
  int64_t loadSums(const IndexMath &m, const PixelTile &tile, const Box &box,
                   Value view, int64_t columns, bool accumulates);
  Value leavesWithPasses(const IndexMath &m, const PixelTile &tile,
                         const Box &box) const;
  void storeRun(const IndexMath &m, const PixelTile &tile, const Box &box,
                Value pixel, const Run &run);
  void storeToDram(const IndexMath &m, const PixelTile &tile, const Box &box,
                   Value view, bool fullWidth, bool inlineConfig);
  Value channelIn(const IndexMath &m, const PixelTile &window,
                  Value channel) const;
  Value windowRow(const IndexMath &m, const PixelTile &window,
                  const Box &box) const;
  PerAxis<Interval> pooledTile(const IndexMath &m) const;
  void beginUnderPool(const IndexMath &m, PixelTile &tile) const;
  void configurePool(const IndexMath &m, const PixelTile &tile);
  void storePooledLine(const IndexMath &m, const PixelTile &tile, Value k,
                       Value columns, Value image, Value line);
  void movePooledLine(const IndexMath &m, const PixelTile &tile, const Box &box,
                      Value k, Value columns, Value n, Value image, Value i);
  void clearAround(const IndexMath &m, const PixelTile &tile, const Box &box,
                   Value image, Value columns);
  void storePooled(const IndexMath &m, const PixelTile &tile, const Box &box);
  void storeOnChip(const IndexMath &m, const PixelTile &tile, const Box &whole,
                   Value buffer);
  void storePartOnChip(const IndexMath &m, const PixelTile &tile,
                       const Box &box, Value pixel, const PixelTile &window);

  Value keepsWeights(const IndexMath &m) const;
  /// The row of the input tile that the box's first output reads, along `axis`.
  Value inputLine(const IndexMath &m, const PixelTile &input, const Box &box,
                  Axis axis) const;
  void streamBox(const IndexMath &m, ir::ComputeOp op, const Box &box);
  void streamRuns(const IndexMath &m, ir::ComputeOp op, const Box &box,
                  Value loadsWeights, bool stores);
  void forEachStretch(const IndexMath &m, const Box &box,
                      llvm::ArrayRef<Value> ends,
                      llvm::function_ref<void(const Box &, Value)> body);
  Value rowsOnInputRing(const IndexMath &m, const PixelTile &input,
                        const Box &box) const;
  Value rowsOnOutputRing(const IndexMath &m, const PixelTile &window,
                         const Box &box) const;
  llvm::SmallVector<RowLoop> outputRows(const IndexMath &m, const Box &box,
                                        const PixelTile &tile,
                                        const DramOperand &dram) const;
  StoreConfig storeConfig(int64_t stride, bool fullWidth) const;
  Value channelNumber(const IndexMath &m, const Box &box, Value k) const;
  void selectScales(const IndexMath &m, const Box &box, Value k) const;
  Value spadAddr(const IndexMath &m, Value row) const;
  Value accAddr(const IndexMath &m, Value row, Value accumulate,
                bool fullWidth) const;
  Value toI64(const IndexMath &m, Value index) const;
  /// Of inputs and weights.
  int64_t elementBytes() const { return nest.machine.elementBytes(); }

  mlir::OpBuilder &builder;
  NestState &nest;
  mutable ir::StageOp stage; // Accessors of ops are not const.
  Layer layer;
  bool depthwise;
  int64_t rows, cols;
  Box entry;
  std::optional<InputRing> inputRing;
  bool ownsInput;
  std::optional<NestRun> run;
  NextInput nextInput;
  InputOfSlices inputOfSlices;
  StagePlan plan;
  std::optional<MatmulLoop> loop; ///< in place of the plan
  LoopViews loopViews;
  std::optional<InputSource> inputSource;
  std::optional<WeightSource> weightSource;
  /// The loops around, outermost first.
  llvm::SmallVector<LoopState> loops;
  Value biasView, residualView;
  Value skipBuffer; ///< of the tile that the first computes add
  bool spills = false;
  /// Where tiles of sums take turns, the one before, if it is not the first,
  /// and the next one, if it is not the last or, where tiles spill, if it is of
  /// the same sweep and was spilled.
  struct OtherTile {
    Value exists;
    PixelTile tile;
  };
  std::optional<OtherTile> before, after;
  /// Where the last tile leaves otherwise than those before.
  Value isLastTile;
  /// Configurations go right before them.
  llvm::SmallVector<mlir::Operation *, 2> anchors;
  std::array<std::optional<LoadConfig>, 3> loadConfigs;
  std::optional<ExecuteConfig> executeConfig;
  std::optional<int64_t> storeStride;
  gemmini::PoolAttr storePool; ///< or null
  bool setsInput = false;      ///< StageConfigs::setsInput
  bool setsSums = false;       ///< their loads' configuration, for each tile
  bool setsStore = false;      ///< for each tile
  llvm::SmallVector<std::pair<int64_t, int64_t>, 2>
      clearedFirst; ///< StageConfigs::clearedFirst
  /// Between neighbouring output pixels where they are stored: bytes, or rows.
  PerDim<int64_t> outputSteps;
  /// Of the compute that is being emitted; their stride follows from its runs.
  llvm::SmallVector<gemmini::MvoutSpadOp> handOvers;
};

} // namespace fadiff

#endif // FADIFF_LIB_CONVERSION_FADIFFTOGEMMINI_STAGEEMITTER_H
