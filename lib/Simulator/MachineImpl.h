//===- MachineImpl.h - State and checks of a machine ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SIMULATOR_MACHINEIMPL_H
#define FADIFF_LIB_SIMULATOR_MACHINEIMPL_H

#include "DramTracker.h"
#include "Timing.h"

#include "fadiff/ISA/Gemmini.h"
#include "fadiff/ISA/LoopConvWs.h"
#include "fadiff/ISA/LoopWs.h"
#include "fadiff/Simulator/Machine.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>
#include <map>

namespace fadiff {
namespace sim {

/// Rows of `width` T, and how many leading columns of each have been written:
/// every instruction writes a row from its first column on.
template <typename T> struct LocalMemory {
  int64_t width = 0;
  std::vector<T> data;
  std::vector<uint16_t> written;

  LocalMemory(int64_t rows, int64_t width)
      : width(width), data(rows * width), written(rows) {}
  T *row(int64_t index) { return data.data() + index * width; }
  const T *row(int64_t index) const { return data.data() + index * width; }
};

/// Checks return false after having recorded a fault; a command first makes all
/// of its checks and only then changes anything.
class Machine::Impl {
public:
  Impl(const Accelerator &accelerator, MachineOptions options);

  void execute(const isa::Command &command);
  void fence();
  void region(int64_t id);
  void setMember(int64_t index);
  Counters countersOf(int64_t id) const;
  bool hasUnfencedWrites() const { return !unfenced.empty(); }

  const Accelerator accelerator;
  const MachineOptions options;
  std::optional<Fault> fault;
  DramRanges ranges;
  std::map<int64_t, Counters> byRegion;
  Timing timing;
  /// Bytes of the elements, and int32 or the bits of f32.
  LocalMemory<int8_t> scratchpad;
  LocalMemory<int32_t> accumulator;

private:
  using Command = isa::Command;
  using LocalAddress = isa::LocalAddress;
  using Operand = isa::Operand;

  //===--- Machine.cpp: configuration, dispatch, checks -----------------===//
  bool fail(const llvm::Twine &message);
  bool dispatch(const Command &command);
  bool configure(const Command &command);
  bool configureEx(const isa::ConfigEx &config);
  bool configureLd(const isa::ConfigLd &config);
  bool configureSt(const Command &command);
  bool configureReadout(const isa::ConfigReadout &config);
  bool checkScale(float scale);
  bool checkScaling(float scale, isa::Activation activation);

  bool isReal() const { return accelerator.arithmetic == Arithmetic::Float32; }
  int64_t rowsOf(bool isAccumulator) const {
    return isAccumulator ? accelerator.accumulatorRows()
                         : accelerator.scratchpadRows();
  }
  /// `what` names the operand in messages ("A", "the destination").
  bool checkAddress(const char *what, LocalAddress address);
  bool checkRange(const char *what, const RowRange &range);
  bool checkSize(const char *what, int64_t rows, int64_t cols, int64_t maxCols);
  bool checkWritten(const char *what, const RowRange &range, int64_t cols);
  void markWritten(const RowRange &range, int64_t cols);
  /// Rows base, base + stride, ...; never garbage.
  static RowRange rangeOf(LocalAddress address, int64_t rows,
                          int64_t stride = 1) {
    return {address.isAccumulator(), int64_t(address.row()), rows, stride};
  }

  void countReads(bool isAccumulator, int64_t elements) {
    (isAccumulator ? counters->accumulatorReads : counters->scratchpadReads) +=
        elements;
  }
  void countWrites(bool isAccumulator, int64_t elements) {
    (isAccumulator ? counters->accumulatorWrites
                   : counters->scratchpadWrites) += elements;
  }
  Counters &count(CommandKind kind) {
    ++(*counters)[kind];
    return *counters;
  }

  /// Adds the span of the command that has just been timed to the trace.
  void record(CommandKind kind, int64_t rows = 0, int64_t cols = 0);

  //===--- Moves.cpp ----------------------------------------------------===//
  bool checkDram(const DramRows &rows);
  bool checkDramRead(const DramRows &rows);
  bool mvin(const isa::Move &move);
  bool mvout(const isa::Move &move);
  struct PooledStore;
  bool checkPooled(const PooledStore &store, int64_t &reads);
  void poolInto(const PooledStore &store, int64_t y, int64_t x, int8_t *to);
  bool pooledMvout(const isa::Move &move);
  bool pooledMvoutSpad(const isa::MvoutSpad &move);
  bool mvoutSpad(const isa::MvoutSpad &move);
  void repeatPixels(const isa::Move &move, int64_t repeats,
                    llvm::SmallVectorImpl<RowRange> &written);
  void loadRow(const isa::Move &move, const isa::ConfigLd &config, int64_t row);
  bool mvinScales(const isa::MvinScales &move);
  /// Whether the `cols` columns that are read out have the scales they need.
  bool checkScales(LocalAddress source, int64_t cols);
  /// `cols` elements of local row `row` as mvout sees them, the columns from
  /// `first` on of what it moves.
  void readOut(bool isAccumulator, int64_t row, int64_t cols, int8_t *out,
               int64_t first = 0);
  /// Elements out of sums.
  void scaleSums(const int32_t *sums, int64_t cols, float scale,
                 isa::Activation activation, int8_t *out);
  void addSums(const int32_t *from, int32_t *to, int64_t cols);

  //===--- Execute.cpp --------------------------------------------------===//
  bool preload(const isa::Preload &preload);
  bool compute(const isa::Compute &compute);
  void multiply(const isa::Compute &compute);
  /// An operand of the array: address, shape and source.
  bool checkOperand(const char *what, const Operand &operand, int64_t rowStride,
                    bool transposed);
  RowRange storedRows(const Operand &operand, int64_t rowStride,
                      bool transposed) const {
    return rangeOf(operand.address, transposed ? operand.cols : operand.rows,
                   rowStride);
  }
  /// Elements as the array keeps them: int8 in int32, f32 as its bits.
  void widen(const int8_t *elements, int64_t count, int32_t *out) const;
  /// The operand's logical rows x cols, `side` elements apart, into `out`.
  void readOperand(const Operand &operand, int64_t rowStride, bool transposed,
                   int8_t *out);

  //===--- Loops.cpp ----------------------------------------------------===//
  bool loopWs(const Command &command);
  bool checkLoop(const isa::LoopWs &loop);
  bool checkLoopConfigs(const isa::LoopWs &loop);
  bool checkBesideLast(const isa::LoopWs &loop, const isa::LoopWsRows &rows);
  bool unroll(const isa::LoopSteps &steps, bool isConv);

  //===--- ConvLoops.cpp ------------------------------------------------===//
  bool loopConvWs(const Command &command);
  bool checkConvLoop(const isa::LoopConvWs &loop);
  bool checkConvWindow(const isa::LoopConvWs &loop);
  bool checkConvConfigs(const isa::LoopConvWs &loop);
  /// Whether what a loop loads to `loaded` may be read by the one before it.
  bool checkBesideLast(const char *what, const RowRange &loaded);

  Command current;
  /// The loop that `current` is an instruction of.
  std::optional<Command> unrolled;
  bool inFence = false;
  uint64_t commandIndex = 0;
  int64_t regionId = -1;
  int64_t member = -1; ///< of the region, of which commands are traced
  int64_t regionStart = 0;
  bool hasComputed = false;          ///< since then
  Timing::ArrayTimes timesAtStart{}; ///< of the region
  int64_t tile = 0;
  int64_t tracedBytes = 0; ///< DRAM bytes of the region that the trace has
  bool storing = false;    ///< the tile's last command was a store
  Counters *counters;

  std::optional<isa::ConfigEx> exConfig;
  std::optional<isa::ConfigLd> ldConfig[3];
  std::optional<isa::ConfigSt> stConfig;
  /// Since the last config_st.
  std::optional<isa::ConfigReadout> readoutConfig;
  /// Bytes written by mvout since the last fence.
  ByteSet unfenced;

  /// What the next loop_ws and loop_conv_ws have been told.
  isa::LoopWs loop;
  isa::LoopConvWs convLoop;
  /// Loops take turns with the halves of the scratchpad, those that store with
  /// the accumulator's. The two units know nothing of each other.
  struct Turns {
    bool secondHalf = false, secondSums = false;
  };
  Turns turns, convTurns;
  /// A loop that may still be computing: no other command has come since.
  struct Running {
    RowRange a, b;
    bool stores;
    bool isConv = false;
  };
  std::optional<Running> running;

  /// The preload that waits for its compute.
  std::optional<isa::Preload> pending;
  /// What the array holds: a 0-row operand is all zeros of any shape.
  bool stationaryKnown = false;
  int64_t stationaryRows = 0, stationaryCols = 0;
  std::vector<int32_t> stationary;

  /// Scratch space: a block of operands, a block of results.
  std::vector<int8_t> bytes;
  std::vector<int32_t> words;
  /// In the store unit, of output channels; NaN: not loaded yet.
  std::vector<float> scales;
};

} // namespace sim
} // namespace fadiff

#endif // FADIFF_LIB_SIMULATOR_MACHINEIMPL_H
