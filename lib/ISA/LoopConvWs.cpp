//===- LoopConvWs.cpp - What a loop_conv_ws stands for --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/ISA/LoopConvWs.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cassert>

using namespace fadiff;
using namespace fadiff::isa;

llvm::ArrayRef<LoopConvWs::Binding> LoopConvWs::bindings() {
  using namespace loop_conv_ws;
  using L = LoopConvWs;
  static constexpr Binding all[] = {
      {Funct::LoopConvWsConfig1, kBatchSize, &L::batchSize},
      {Funct::LoopConvWsConfig1, kInRowDim, &L::inRowDim},
      {Funct::LoopConvWsConfig1, kInChannels, &L::inChannels},
      {Funct::LoopConvWsConfig1, kOutChannels, &L::outChannels},
      {Funct::LoopConvWsConfig1, kOutRowDim, &L::outRowDim},
      {Funct::LoopConvWsConfig1, kPoolOutRowDim, &L::poolOutRowDim},
      {Funct::LoopConvWsConfig1, kOutColDim, &L::outColDim},
      {Funct::LoopConvWsConfig1, kStride, &L::stride},
      {Funct::LoopConvWsConfig1, kPadding, &L::padding},
      {Funct::LoopConvWsConfig2, kPoolPadding, &L::poolPadding},
      {Funct::LoopConvWsConfig2, kPoolStride, &L::poolStride},
      {Funct::LoopConvWsConfig2, kPoolSize, &L::poolSize},
      {Funct::LoopConvWsConfig2, kPoolOutColDim, &L::poolOutColDim},
      {Funct::LoopConvWsConfig2, kKernelDim, &L::kernelDim},
      {Funct::LoopConvWsConfig2, kOchs, &L::ochs},
      {Funct::LoopConvWsConfig2, kPoolCols, &L::poolCols},
      {Funct::LoopConvWsConfig2, kPoolRows, &L::poolRows},
      {Funct::LoopConvWsConfig2, kBatches, &L::batches},
      {Funct::LoopConvWsConfig3, kPadLeft, &L::padLeft},
      {Funct::LoopConvWsConfig3, kKchs, &L::kchs},
      {Funct::LoopConvWsConfig3, kKcols, &L::kcols},
      {Funct::LoopConvWsConfig3, kKrows, &L::krows},
      {Funct::LoopConvWsConfig3, kInColDim, &L::inColDim},
      {Funct::LoopConvWsConfig3, kPoolPadLeft, &L::poolPadLeft},
      {Funct::LoopConvWsConfig3, kPadDown, &L::padDown},
      {Funct::LoopConvWsConfig3, kPadUp, &L::padUp},
      {Funct::LoopConvWsConfig3, kPadRight, &L::padRight},
      {Funct::LoopConvWsConfig4, kDilation, &L::dilation},
      {Funct::LoopConvWsConfig4, kPoolPadDown, &L::poolPadDown},
      {Funct::LoopConvWsConfig4, kPoolPadUp, &L::poolPadUp},
      {Funct::LoopConvWsConfig4, kPoolPadRight, &L::poolPadRight},
      {Funct::LoopConvWsConfig4, kOrows, &L::orows},
      {Funct::LoopConvWsConfig4, kOcols, &L::ocols},
      {Funct::LoopConvWsConfig4, kOutStride, &L::outStride},
      {Funct::LoopConvWsConfig4, kWeightStride, &L::weightStride},
      {Funct::LoopConvWsConfig4, kInStride, &L::inStride},
      {Funct::LoopConvWsConfig5, kWeights, &L::weights},
      {Funct::LoopConvWsConfig5, kOutput, &L::output},
      {Funct::LoopConvWsConfig6, kBias, &L::bias},
      {Funct::LoopConvWsConfig6, kInput, &L::input},
      {Funct::LoopConvWs, kNoBias, &L::noBias},
      {Funct::LoopConvWs, kTraining, &L::training},
      {Funct::LoopConvWs, kDepthwise, &L::depthwise},
      {Funct::LoopConvWs, kPixelsPerRow, &L::pixelsPerRow},
      {Funct::LoopConvWs, kWeightHalf, &L::weightHalf},
      {Funct::LoopConvWs, kInputHalf, &L::inputHalf},
      {Funct::LoopConvWs, kNoPool, &L::noPool},
      {Funct::LoopConvWs, kDownsample, &L::downsample},
      {Funct::LoopConvWs, kInputDilated, &L::inputDilated},
      {Funct::LoopConvWs, kActivation, &L::activation},
  };
  return all;
}

void LoopConvWs::take(const Command &command) {
  given |= 1u << (command.funct - uint32_t(Funct::LoopConvWs));
  for (const Binding &binding : bindings())
    if (binding.funct == Funct(command.funct))
      this->*binding.member = binding.field.get(command);
  if (Funct(command.funct) == Funct::LoopConvWs && pixelsPerRow == 0)
    pixelsPerRow = 1;
}

std::array<Command, 7> LoopConvWs::commands() const {
  std::array<Command, 7> commands;
  for (unsigned i = 0; i < 7; ++i)
    commands[i].funct = uint32_t(Funct::LoopConvWs) + (i + 1) % 7;
  for (const Binding &binding : bindings()) {
    const uint64_t value = this->*binding.member;
    assert(binding.field.fits(value) && "value does not fit its field");
    const unsigned number =
        uint32_t(binding.funct) - uint32_t(Funct::LoopConvWs);
    binding.field.set(commands[(number + 6) % 7], value);
  }
  return commands;
}

int64_t LoopConvWs::inputSpace(int64_t side) const {
  return llvm::divideCeil(kchs, uint64_t(side)) * inputBlock();
}
int64_t LoopConvWs::weightSpace(int64_t side) const {
  return llvm::divideCeil(ochs, uint64_t(side)) * weightBlock();
}
int64_t LoopConvWs::outputSpace(int64_t side) const {
  return llvm::divideCeil(ochs, uint64_t(side)) * outputBlock();
}

namespace {

class Expander {
public:
  Expander(const LoopConvWs &loop, const LoopConvWsRows &rows,
           const Accelerator &machine)
      : loop(loop), rows(rows), side(machine.side),
        wide(std::max(machine.maxMoveColumns(), machine.side)),
        elementBytes(machine.elementBytes()), batches(loop.batches),
        orows(loop.orows), ocols(loop.ocols), ochs(loop.ochs),
        krows(loop.krows), kcols(loop.kcols), kchs(loop.kchs) {}

  LoopSteps run() {
    if (loop.bias)
      addBias();
    if (loop.weights)
      addWeights();
    if (loop.input)
      addInput();
    addExecutes();
    if (loop.output)
      loop.noPool ? addStores() : addPooledStores();
    return std::move(steps);
  }

private:
  void configure(uint8_t mvin, int64_t stride, int64_t blockStride,
                 uint64_t pixelRepeats = 1) {
    ConfigLd config;
    config.mvin = mvin;
    config.stride = stride;
    config.blockStride = blockStride;
    config.pixelRepeats = pixelRepeats;
    steps.loads.push_back({encode(config)});
  }

  static Command move(Funct funct, uint64_t dram, LocalAddress local,
                      int64_t rows, int64_t cols) {
    Move move;
    move.funct = funct;
    move.dramAddress = dram;
    move.localAddress = local;
    move.rows = rows;
    move.cols = cols;
    return encode(move);
  }

  /// The row of the sums of pixel (b, y, x) and the block of channel och.
  int64_t sumsOf(int64_t b, int64_t y, int64_t x, int64_t och) const {
    return rows.output + och / side * loop.outputBlock() +
           (b * orows + y) * ocols + x;
  }

  void addBias() {
    configure(2, 0, loop.outputBlock());
    for (int64_t b = 0; b < batches; ++b)
      for (int64_t y = 0; y < orows; ++y)
        for (int64_t x = 0; x < ocols; x += side)
          for (int64_t och = 0; och < ochs; och += side)
            steps.loads.push_back(
                {move(Funct::Mvin3, loop.noBias ? 0 : loop.bias + 4 * och,
                      LocalAddress::accumulator(sumsOf(b, y, x, och)),
                      std::min(side, ocols - x), std::min(side, ochs - och))});
  }

  void addWeights() {
    configure(1, (loop.depthwise ? 1 : loop.weightStride) * elementBytes,
              loop.weightBlock());
    for (int64_t och = 0; och < ochs; och += wide)
      for (int64_t r = 0; r < krows; ++r)
        for (int64_t s = 0; s < kcols; ++s)
          for (int64_t kch = 0; kch < kchs; kch += side) {
            const int64_t tap = r * loop.kernelDim + s;
            const int64_t offset =
                loop.depthwise
                    ? tap
                    : (tap * loop.inChannels + kch) * loop.weightStride + och;
            steps.loads.push_back(
                {move(Funct::Mvin2, loop.weights + offset * elementBytes,
                      LocalAddress::scratchpad(weightsOf(och, r, s, kch)),
                      std::min(side, kchs - kch), std::min(wide, ochs - och))});
          }
  }

  int64_t weightsOf(int64_t och, int64_t r, int64_t s, int64_t kch) const {
    return rows.weights + och / side * loop.weightBlock() +
           (r * kcols + s) * kchs + kch;
  }

  void addInput() {
    const int64_t shift = loop.downsample;
    configure(0, loop.inStride * elementBytes << shift, loop.inputBlock(),
              loop.pixelsPerRow);
    const int64_t up = loop.padUp, left = loop.padLeft,
                  height = loop.storedRows(), width = loop.storedCols();
    for (int64_t b = 0; b < batches; ++b)
      for (int64_t y = -up; y < height + int64_t(loop.padDown); y += 1 << shift)
        for (int64_t x = -left, count; x < width + int64_t(loop.padRight);
             x += count) {
          const bool inside = x >= 0 && x < width;
          const int64_t end = x < 0    ? 0
                              : inside ? width
                                       : width + int64_t(loop.padRight);
          count = std::min(end - x, inside ? side << shift : side);
          const bool zeros = !inside || y < 0 || y >= height;
          for (int64_t ich = 0; ich < kchs; ich += wide) {
            const int64_t offset =
                ((b * loop.inRowDim + y) * loop.inColDim + x) * loop.inStride +
                ich;
            steps.loads.push_back({move(
                Funct::Mvin, zeros ? 0 : loop.input + offset * elementBytes,
                LocalAddress::scratchpad(inputOf(b, y + up, x + left, ich)),
                count >> shift, std::min(wide, kchs - ich))});
          }
        }
  }

  int64_t inputOf(int64_t b, int64_t y, int64_t x, int64_t kch) const {
    const int64_t shift = loop.downsample;
    return rows.input + kch / side * loop.inputBlock() +
           (b * loop.inputRows() + (y >> shift)) * loop.inputCols() +
           (x >> shift);
  }

  void addExecutes() {
    const size_t after = steps.loads.size();
    const int64_t pixels = loop.pixelsPerRow;
    for (int64_t och = 0; och < ochs; och += side)
      for (int64_t r = 0; r < krows; ++r)
        for (int64_t s = 0; s < kcols; s += pixels)
          for (int64_t kch = 0; kch < kchs; kch += side) {
            bool isFirst = true;
            for (int64_t b = 0; b < batches; ++b)
              for (int64_t y = 0; y < orows; ++y)
                for (int64_t x = 0; x < ocols; x += side) {
                  const uint16_t m = std::min(side, ocols - x),
                                 n = std::min(side, ochs - och),
                                 depth = std::min(pixels, kcols - s) *
                                         std::min(side, kchs - kch);
                  Preload preload;
                  preload.stationary = {isFirst ? LocalAddress::scratchpad(
                                                      weightsOf(och, r, s, kch))
                                                : LocalAddress::garbage(),
                                        depth, n};
                  preload.c = {LocalAddress::accumulator(sumsOf(b, y, x, och),
                                                         /*accumulate=*/true),
                               m, n};
                  Compute compute;
                  compute.accumulated = !isFirst;
                  compute.a = {LocalAddress::scratchpad(inputOf(
                                   b, y * loop.stride + r * loop.dilation,
                                   x * loop.stride + s * loop.dilation, kch)),
                               m, depth};
                  compute.moving = {LocalAddress::garbage(), m, n};
                  steps.executes.push_back({encode(preload), after});
                  steps.executes.push_back({encode(compute), after});
                  isFirst = false;
                }
          }
  }

  void addStores() {
    const size_t after = steps.executes.size();
    for (int64_t b = 0; b < batches; ++b)
      for (int64_t y = 0; y < orows; ++y)
        for (int64_t x = 0; x < ocols; x += side)
          for (int64_t och = 0; och < ochs; och += side) {
            const int64_t pixel = (b * loop.outRowDim + y) * loop.outColDim + x;
            steps.stores.push_back(
                {move(Funct::Mvout,
                      loop.output +
                          (pixel * loop.outStride + och) * elementBytes,
                      LocalAddress::accumulator(sumsOf(b, y, x, och)),
                      std::min(side, ocols - x), std::min(side, ochs - och)),
                 after});
          }
  }

  void addPooledStores() {
    const size_t after = steps.executes.size();
    ConfigSt config;
    config.activation = Activation(loop.activation);
    config.stride = loop.outStride * elementBytes;
    const auto configure = [&] {
      Command command = encode(config);
      // Keeps the scale.
      config_st::kScale.set(command, config_st::kScale.max());
      steps.stores.push_back({command, after});
    };
    config.poolSize = loop.poolSize;
    config.poolStride = loop.poolStride;
    config.poolRows = loop.poolRows;
    config.poolCols = loop.poolCols;
    config.poolOutDim = loop.poolOutColDim;
    config.rows = loop.orows;
    config.cols = loop.ocols;
    config.padTop = loop.poolPadUp;
    config.padLeft = loop.poolPadLeft;
    configure();
    for (int64_t b = 0; b < batches; ++b)
      for (int64_t och = 0; och < ochs; och += side) {
        const int64_t image = b * loop.poolOutColDim * loop.poolOutRowDim;
        steps.stores.push_back(
            {move(Funct::Mvout,
                  loop.output + (image * loop.outStride + och) * elementBytes,
                  LocalAddress::accumulator(sumsOf(b, 0, 0, och)), 0,
                  std::min(side, ochs - och)),
             after});
      }
    const ConfigSt pooling = config;
    config = ConfigSt();
    config.activation = pooling.activation;
    config.stride = pooling.stride;
    configure();
  }

  const LoopConvWs &loop;
  const LoopConvWsRows &rows;
  const int64_t side, wide, elementBytes;
  const int64_t batches, orows, ocols, ochs, krows, kcols, kchs;
  LoopSteps steps;
};

} // namespace

LoopSteps isa::expand(const LoopConvWs &loop, const LoopConvWsRows &rows,
                      const Accelerator &machine) {
  return Expander(loop, rows, machine).run();
}
