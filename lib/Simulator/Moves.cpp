//===- Moves.cpp - mvin, mvout and mvout_spad -----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineImpl.h"
#include "Numerics.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cmath>
#include <cstring>

using namespace fadiff;
using namespace fadiff::sim;
using namespace fadiff::isa;
using llvm::SmallVector;
using llvm::Twine;

static const char *pointerTo(uint64_t address) {
  return reinterpret_cast<const char *>(uintptr_t(address));
}

//===----------------------------------------------------------------------===//
// DRAM
//===----------------------------------------------------------------------===//

bool Machine::Impl::checkDram(const DramRows &rows) {
  if (ranges.empty())
    return true;
  // Most moves lie within one range as a whole.
  constexpr uint64_t kModest = uint64_t(1) << 40;
  if (rows.stride < kModest &&
      ranges.contains(rows.address,
                      (rows.count - 1) * rows.stride + rows.bytes))
    return true;
  for (int64_t i = 0; i < rows.count; ++i)
    if (!ranges.contains(rows.row(i), rows.bytes))
      return fail("row " + Twine(i) + " touches DRAM bytes 0x" +
                  Twine::utohexstr(rows.row(i)) + " to 0x" +
                  Twine::utohexstr(rows.row(i) + rows.bytes - 1) +
                  ", outside of every declared DRAM range");
  return true;
}

bool Machine::Impl::checkDramRead(const DramRows &rows) {
  if (!checkDram(rows))
    return false;
  for (int64_t i = 0; i < rows.count; ++i)
    if (unfenced.intersects(rows.row(i), rows.bytes))
      return fail("row " + Twine(i) + " reads DRAM bytes from 0x" +
                  Twine::utohexstr(rows.row(i)) +
                  " that a mvout has written since the last fence; put a fence "
                  "between them");
  return true;
}

//===----------------------------------------------------------------------===//
// mvin
//===----------------------------------------------------------------------===//

bool Machine::Impl::mvin(const Move &move) {
  unsigned id = move.funct == Funct::Mvin    ? 0
                : move.funct == Funct::Mvin2 ? 1
                                             : 2;
  if (!ldConfig[id])
    return fail("no config_ld for " + mnemonic(current) + " before it");
  const ConfigLd &config = *ldConfig[id];
  const LocalAddress local = move.localAddress;
  if (!checkAddress("the destination", local))
    return false;
  bool isAcc = local.isAccumulator();
  bool isWide = isAcc && !config.shrink;
  const int64_t side = accelerator.side;
  if (!checkSize("the block", move.rows, move.cols,
                 isWide ? side : accelerator.maxMoveColumns()))
    return false;
  if (config.blockStride < move.rows)
    return fail(
        "block_stride " + Twine(config.blockStride) + " is less than the " +
        Twine(move.rows) +
        " rows moved; the hardware asserts that it is not, even for one "
        "block");

  // Each pixel also stands behind those before it in the row (im2col).
  const int64_t repeats = std::max<int64_t>(1, config.pixelRepeats);
  if (repeats > 1 && (isAcc || repeats * move.cols > side))
    return fail("pixel_repeats " + Twine(repeats) + " of " + Twine(move.cols) +
                " columns; wanted a load to the scratchpad whose repeated "
                "columns fit into " +
                Twine(side));

  bool accumulates = isAcc && local.isAccumulating();
  SmallVector<RowRange, 4> blocks;
  for (int64_t col = 0, row = local.row(); col < move.cols;
       col += side, row += config.blockStride) {
    RowRange block{isAcc, row, move.rows, 1};
    if (!checkRange("the destination", block))
      return false;
    if (accumulates && !checkWritten("the sum", block,
                                     std::min<int64_t>(side, move.cols - col)))
      return false;
    blocks.push_back(block);
  }

  bool isZeroFill = move.dramAddress == 0;
  DramRows dram{move.dramAddress, config.stride,
                config.stride == 0 ? 1 : int64_t(move.rows),
                move.cols * (isWide ? 4 : accelerator.elementBytes())};
  if (isZeroFill)
    dram.count = 0;
  else if (!checkDramRead(dram))
    return false;

  if (options.functional)
    for (int64_t row = 0; row < move.rows; ++row)
      loadRow(move, config, row);
  for (size_t i = 0; i < blocks.size(); ++i)
    markWritten(blocks[i], std::min<int64_t>(side, move.cols - i * side));
  if (repeats > 1)
    repeatPixels(move, repeats, blocks);

  Counters &c = count(CommandKind::Mvin);
  c.dramBytesRead += dram.count * dram.bytes;
  c.dramBytesByMvin[id] += dram.count * dram.bytes;
  if (isZeroFill && !isAcc)
    c.scratchpadZeros += int64_t(move.rows) * move.cols;
  countWrites(isAcc, repeats * move.rows * move.cols);
  if (accumulates)
    countReads(isAcc, int64_t(move.rows) * move.cols);
  c.loadBusyCycles += timing.load(blocks, dram);
  c.loadOpenCycles += timing.lastLoadOpen();
  record(CommandKind::Mvin, move.rows, move.cols);
  return true;
}

/// Pixel p behind a row is that row's, p rows further on: RTL writes a row that
/// it has loaded to the rows above it, too, but to none above its half.
void Machine::Impl::repeatPixels(const Move &move, int64_t repeats,
                                 llvm::SmallVectorImpl<RowRange> &written) {
  const int64_t half = accelerator.scratchpadRows() / 2;
  const int64_t base = move.localAddress.row();
  const int64_t width = move.cols * accelerator.elementBytes();
  int64_t first = base;
  for (int64_t row = base; row < base + move.rows; ++row)
    for (int64_t pixel = 1; pixel < repeats; ++pixel) {
      const int64_t to = row - pixel;
      if (to < (row < half ? 0 : half))
        break;
      if (options.functional)
        std::memcpy(scratchpad.row(to) + pixel * width, scratchpad.row(row),
                    width);
      markWritten({false, to, 1, 1}, (pixel + 1) * move.cols);
      first = std::min(first, to);
    }
  written.push_back({false, first, move.rows * (repeats - 1), 1});
  written.back().count =
      std::min(written.back().count, base + move.rows - first);
}

void Machine::Impl::loadRow(const Move &move, const ConfigLd &config,
                            int64_t row) {
  const LocalAddress local = move.localAddress;
  bool isAcc = local.isAccumulator();
  bool isWide = isAcc && !config.shrink;
  bool isZeroFill = move.dramAddress == 0;
  const char *source = pointerTo(move.dramAddress + row * config.stride);
  int64_t localRow = local.row() + row;
  const int64_t side = accelerator.side;
  const int64_t elementBytes = accelerator.elementBytes();
  auto rescaled = [&](int64_t col, int64_t count, int8_t *to) {
    auto *from = reinterpret_cast<const int8_t *>(source + elementBytes * col);
    (isReal() ? rescaleReal : rescale)(from, to, count, config.scale);
  };
  for (int64_t col = 0; col < move.cols;
       col += side, localRow += config.blockStride) {
    int64_t count = std::min<int64_t>(side, move.cols - col);
    if (!isAcc) {
      int8_t *to = scratchpad.row(localRow);
      if (isZeroFill)
        std::memset(to, 0, elementBytes * count);
      else if (config.scale == 1.0f)
        std::memcpy(to, source + elementBytes * col, elementBytes * count);
      else
        rescaled(col, count, to);
      continue;
    }
    if (isZeroFill) {
      std::fill_n(words.begin(), count, 0);
    } else if (isReal()) {
      // Sums and elements are one type, and both are scaled.
      rescaled(col, count, bytes.data());
      std::memcpy(words.data(), bytes.data(), 4 * count);
    } else if (isWide) {
      // Through memcpy: DRAM rows need no alignment.
      std::memcpy(words.data(), source + 4 * col, 4 * count);
    } else {
      rescaled(col, count, bytes.data());
      std::copy_n(bytes.begin(), count, words.begin());
    }
    int32_t *to = accumulator.row(localRow);
    if (local.isAccumulating())
      addSums(words.data(), to, count);
    else
      std::copy_n(words.begin(), count, to);
  }
}

//===----------------------------------------------------------------------===//
// mvout
//===----------------------------------------------------------------------===//

void Machine::Impl::readOut(bool isAccumulator, int64_t row, int64_t cols,
                            int8_t *out, int64_t first) {
  if (isAccumulator && readoutConfig)
    requantiseWide(accumulator.row(row), out, cols,
                   {readoutConfig->perChannel
                        ? scales.data() + readoutConfig->first + first
                        : nullptr,
                    stConfig->scale, stConfig->activation == Activation::Relu,
                    readoutConfig->zeroPoint, readoutConfig->low,
                    readoutConfig->high});
  else if (isAccumulator)
    scaleSums(accumulator.row(row), cols, stConfig->scale, stConfig->activation,
              out);
  else
    std::memcpy(out, scratchpad.row(row), accelerator.elementBytes() * cols);
}

void Machine::Impl::scaleSums(const int32_t *sums, int64_t cols, float scale,
                              Activation activation, int8_t *out) {
  (isReal() ? scaleReal : requantise)(sums, out, cols, scale,
                                      activation == Activation::Relu);
}

void Machine::Impl::addSums(const int32_t *from, int32_t *to, int64_t cols) {
  (isReal() ? addRealRow : addRow)(from, to, cols);
}

bool Machine::Impl::mvinScales(const MvinScales &move) {
  if (!accelerator.readOut.perChannel)
    return fail("accelerator '" + accelerator.name +
                "' has one scale for all channels");
  if (move.count == 0 ||
      int64_t(move.first) + int64_t(move.count) > int64_t(scales.size()))
    return fail("scales " + Twine(move.first) + " and " +
                Twine(int64_t(move.count) - 1) +
                " more are not in the store unit, which holds " +
                Twine(scales.size()) + "; wanted at least one");
  if (move.dramAddress == 0)
    return fail("the DRAM address is 0");
  const DramRows dram{move.dramAddress, 0, 1, 4 * int64_t(move.count)};
  if (!checkDramRead(dram))
    return false;
  // Programs without data have none to check, either.
  llvm::SmallVector<float> loaded(move.count, 1.0f);
  if (options.functional)
    std::memcpy(loaded.data(), pointerTo(dram.address), dram.bytes);
  for (auto [i, scale] : llvm::enumerate(loaded))
    if (!std::isfinite(scale) || scale <= 0)
      return fail("scale " + Twine(i) +
                  " of those in DRAM is not a positive finite number");
  llvm::copy(loaded, scales.begin() + move.first);

  Counters &c = count(CommandKind::Mvin);
  c.dramBytesRead += dram.bytes;
  c.dramBytesByMvin[2] += dram.bytes;
  c.loadBusyCycles += timing.loadScales(dram);
  record(CommandKind::Mvin, 1, move.count);
  return true;
}

bool Machine::Impl::checkScales(LocalAddress source, int64_t cols) {
  if (!readoutConfig || !readoutConfig->perChannel || !source.isAccumulator() ||
      source.isFullWidth())
    return true;
  for (int64_t i = readoutConfig->first, end = i + cols; i < end; ++i)
    if (i >= int64_t(scales.size()) || std::isnan(scales[i]))
      return fail("reads out with scale " + Twine(i) +
                  ", which has not been loaded");
  return true;
}

bool Machine::Impl::mvout(const Move &move) {
  if (!stConfig)
    return fail("no config_st before it");
  const LocalAddress local = move.localAddress;
  if (!checkAddress("the source", local))
    return false;
  if (move.dramAddress == 0)
    return fail("the DRAM address is 0");
  if (stConfig->poolStride != 0)
    return pooledMvout(move);

  const int64_t side = accelerator.side;
  bool isAcc = local.isAccumulator();
  bool isWide = isAcc && local.isFullWidth();
  if (!checkSize("the block", move.rows, move.cols,
                 isWide ? side : accelerator.maxMoveColumns()))
    return false;
  SmallVector<RowRange, 4> blocks;
  for (int64_t col = 0, row = local.row(); col < move.cols;
       col += side, row += side) {
    RowRange block{isAcc, row, move.rows, 1};
    if (!checkRange("the source", block) ||
        !checkWritten("the source", block,
                      std::min<int64_t>(side, move.cols - col)))
      return false;
    blocks.push_back(block);
  }
  if (!checkScales(local, move.cols))
    return false;
  const int64_t elementBytes = accelerator.elementBytes();
  DramRows dram{move.dramAddress, stConfig->stride, move.rows,
                move.cols * (isWide ? 4 : elementBytes)};
  if (dram.count > 1 && int64_t(dram.stride) < dram.bytes)
    return fail("stride " + Twine(dram.stride) + " makes rows of " +
                Twine(dram.bytes) + " bytes overwrite each other");
  if (!checkDram(dram))
    return false;

  for (int64_t i = 0; i < dram.count; ++i) {
    unfenced.insert(dram.row(i), dram.bytes);
    if (!options.functional)
      continue;
    char *to = const_cast<char *>(pointerTo(dram.row(i)));
    for (int64_t b = 0; b < int64_t(blocks.size()); ++b) {
      int64_t row = blocks[b].first + i;
      int64_t cols = std::min<int64_t>(side, move.cols - b * side);
      if (isWide)
        std::memcpy(to, accumulator.row(row), 4 * cols);
      else
        readOut(isAcc, row, cols,
                reinterpret_cast<int8_t *>(to + b * side * elementBytes),
                b * side);
    }
  }

  Counters &c = count(CommandKind::Mvout);
  c.dramBytesWritten += dram.count * dram.bytes;
  countReads(isAcc, int64_t(move.rows) * move.cols);
  c.storeBusyCycles +=
      timing.store(blocks, move.rows * blocks.size(), dram, {});
  record(CommandKind::Mvout, move.rows, move.cols);
  return true;
}

/// The pixels that a pooling store reads, and what becomes of them.
struct Machine::Impl::PooledStore {
  const ConfigSt &config;
  RowRange source;
  uint16_t cols;

  /// Local row under tap (r, c) of output (y, x); -1 in the padding.
  int64_t rowUnder(int64_t y, int64_t x, int64_t r, int64_t c) const {
    int64_t row = y * config.poolStride + r - config.padTop;
    int64_t col = x * config.poolStride + c - config.padLeft;
    if (row < 0 || row >= config.rows || col < 0 || col >= config.cols)
      return -1;
    return source.first + row * config.cols + col;
  }
  int64_t outputs() const { return int64_t(config.poolRows) * config.poolCols; }
  /// Cycles: padding is read, too.
  int64_t taps() const { return outputs() * config.poolSize * config.poolSize; }
  /// visit(y, x), until it returns false.
  bool forEachOutput(llvm::function_ref<bool(int64_t, int64_t)> visit) const {
    for (int64_t y = 0; y < config.poolRows; ++y)
      for (int64_t x = 0; x < config.poolCols; ++x)
        if (!visit(y, x))
          return false;
    return true;
  }
  /// visit(row), the row being -1 in the padding, until it returns false.
  bool forEachTap(int64_t y, int64_t x,
                  llvm::function_ref<bool(int64_t)> visit) const {
    for (int64_t r = 0; r < config.poolSize; ++r)
      for (int64_t c = 0; c < config.poolSize; ++c)
        if (!visit(rowUnder(y, x, r, c)))
          return false;
    return true;
  }
};

/// Checks that the pixels are there and counts them.
bool Machine::Impl::checkPooled(const PooledStore &store, int64_t &reads) {
  if (isReal())
    return fail("pooling in f32 is not simulated");
  // The rows field is ignored: the configuration says which rows are read.
  if (!checkSize("the block", 1, store.cols, accelerator.side) ||
      !checkRange("the unpooled source", store.source) ||
      (store.source.accumulator &&
       !checkScales(LocalAddress::accumulator(0), store.cols)))
    return false;
  reads = 0;
  return store.forEachOutput([&](int64_t y, int64_t x) {
    return store.forEachTap(y, x, [&](int64_t row) {
      reads += row >= 0;
      return row < 0 ||
             checkWritten("the unpooled source",
                          {store.source.accumulator, row, 1, 1}, store.cols);
    });
  });
}

void Machine::Impl::poolInto(const PooledStore &store, int64_t y, int64_t x,
                             int8_t *to) {
  std::fill_n(to, store.cols, INT8_MIN);
  store.forEachTap(y, x, [&](int64_t row) {
    if (row < 0)
      std::fill_n(bytes.begin(), store.cols, 0);
    else
      readOut(store.source.accumulator, row, store.cols, bytes.data());
    for (int64_t j = 0; j < store.cols; ++j)
      to[j] = std::max(to[j], bytes[j]);
    return true;
  });
}

bool Machine::Impl::pooledMvout(const Move &move) {
  const ConfigSt &config = *stConfig;
  const LocalAddress local = move.localAddress;
  bool isAcc = local.isAccumulator();
  if (isAcc && local.isFullWidth())
    return fail("pooling of full-width rows is not simulated; clear bit 29");
  const PooledStore store{
      config, rangeOf(local, int64_t(config.rows) * config.cols), move.cols};
  int64_t reads;
  auto dramOf = [&](int64_t y, int64_t x) -> DramRows {
    return {move.dramAddress + (y * config.poolOutDim + x) * config.stride, 0,
            1, move.cols};
  };
  if (!checkPooled(store, reads) ||
      !store.forEachOutput(
          [&](int64_t y, int64_t x) { return checkDram(dramOf(y, x)); }))
    return false;
  store.forEachOutput([&](int64_t y, int64_t x) {
    const DramRows dram = dramOf(y, x);
    unfenced.insert(dram.address, dram.bytes);
    if (options.functional)
      poolInto(store, y, x,
               reinterpret_cast<int8_t *>(
                   const_cast<char *>(pointerTo(dram.address))));
    return true;
  });

  Counters &c = count(CommandKind::Mvout);
  c.dramBytesWritten += store.outputs() * move.cols;
  countReads(isAcc, reads * move.cols);
  SmallVector<DramRows> rows;
  for (int64_t y = 0; y < config.poolRows; ++y)
    rows.push_back(
        {dramOf(y, 0).address, config.stride, config.poolCols, move.cols});
  c.storeBusyCycles += timing.store(store.source, store.taps(), rows, {});
  record(CommandKind::Mvout, store.outputs(), move.cols);
  return true;
}

//===----------------------------------------------------------------------===//
// mvout_spad
//===----------------------------------------------------------------------===//

bool Machine::Impl::mvoutSpad(const MvoutSpad &move) {
  if (!accelerator.handsOverCopies())
    return fail("accelerator '" + accelerator.name + "' has no mvout_spad");
  if (!stConfig)
    return fail("no config_st before it");
  if (!checkAddress("the source", move.source) ||
      !checkAddress("the destination", move.destination))
    return false;
  if (!move.source.isAccumulator() || move.source.isFullWidth())
    return fail("the source must be elements, not sums, out of the "
                "accumulator; found " +
                move.source.str());
  if (move.destination.isAccumulator())
    return fail("the destination must be in the scratchpad, found " +
                move.destination.str());
  if (stConfig->poolStride != 0)
    return pooledMvoutSpad(move);
  if (!checkSize("the block", move.rows, move.cols, accelerator.side))
    return false;
  if (move.destinationStride == 0 && move.rows > 1)
    return fail("dest_stride 0 puts all rows on one; wanted at least 1");
  RowRange source = rangeOf(move.source, move.rows);
  RowRange destination =
      rangeOf(move.destination, move.rows, move.destinationStride);
  if (!checkRange("the source", source) ||
      !checkRange("the destination", destination) ||
      !checkWritten("the source", source, move.cols) ||
      !checkScales(move.source, move.cols))
    return false;

  if (options.functional)
    for (int64_t i = 0; i < move.rows; ++i)
      readOut(/*isAccumulator=*/true, source.first + i, move.cols,
              scratchpad.row(destination.first + i * destination.stride));
  markWritten(destination, move.cols);

  Counters &c = count(CommandKind::MvoutSpad);
  countReads(/*isAccumulator=*/true, int64_t(move.rows) * move.cols);
  countWrites(/*isAccumulator=*/false, int64_t(move.rows) * move.cols);
  c.storeBusyCycles += timing.store(source, move.rows, {}, destination);
  record(CommandKind::MvoutSpad, move.rows, move.cols);
  return true;
}

/// Pixel (y, x) goes to row (y * pool_out_dim + x) * dest_stride.
bool Machine::Impl::pooledMvoutSpad(const MvoutSpad &move) {
  const ConfigSt &config = *stConfig;
  const PooledStore store{
      config, rangeOf(move.source, int64_t(config.rows) * config.cols),
      move.cols};
  const int64_t stride = move.destinationStride;
  if (stride == 0 || config.poolOutDim < config.poolCols)
    return fail("wanted dest_stride of at least 1 and rows of at least "
                "pool_cols pixels; others put several on one");
  RowRange destination = rangeOf(
      move.destination,
      int64_t(config.poolRows - 1) * config.poolOutDim + config.poolCols,
      stride);
  int64_t reads;
  if (!checkPooled(store, reads) || !checkRange("the destination", destination))
    return false;
  store.forEachOutput([&](int64_t y, int64_t x) {
    const int64_t row =
        destination.first + (y * config.poolOutDim + x) * stride;
    if (options.functional)
      poolInto(store, y, x, reinterpret_cast<int8_t *>(scratchpad.row(row)));
    markWritten({/*accumulator=*/false, row, 1, 1}, move.cols);
    return true;
  });

  Counters &c = count(CommandKind::MvoutSpad);
  countReads(/*isAccumulator=*/true, reads * move.cols);
  countWrites(/*isAccumulator=*/false, store.outputs() * move.cols);
  c.storeBusyCycles +=
      timing.store(store.source, store.taps(), {}, destination);
  record(CommandKind::MvoutSpad, store.outputs(), move.cols);
  return true;
}
