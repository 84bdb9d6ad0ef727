//===- ConvLoops.cpp - loop_conv_ws ---------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineImpl.h"

using namespace fadiff;
using namespace fadiff::sim;
using namespace fadiff::isa;
using llvm::Twine;

/// Extents, and whether the tile fits.
bool Machine::Impl::checkConvLoop(const LoopConvWs &loop) {
  if (accelerator.convLoopUnit != ConvLoopUnit::Conv)
    return fail("nothing runs loop_conv_ws: " +
                describeField(accelerator, "conv_loop_unit"));
  for (unsigned i = 1; i <= 6; ++i) {
    const Funct funct = Funct(uint32_t(Funct::LoopConvWs) + i);
    if (!loop.has(funct))
      return fail("no " + mnemonic({uint32_t(funct), 0, 0}) +
                  " since the loop before it; the halves of the loop unit "
                  "remember others");
  }
  if (loop.training || loop.inputDilated)
    return fail("turned kernels, transposed tensors and dilated inputs are "
                "not simulated; wanted training = 0 and input_dilated = 0");
  const std::pair<const char *, uint64_t> extents[] = {
      {"batches", loop.batches},     {"orows", loop.orows},
      {"ocols", loop.ocols},         {"ochs", loop.ochs},
      {"krows", loop.krows},         {"kcols", loop.kcols},
      {"kchs", loop.kchs},           {"stride", loop.stride},
      {"dilation", loop.dilation},   {"kernel_dim", loop.kernelDim},
      {"in_stride", loop.inStride},  {"weight_stride", loop.weightStride},
      {"out_stride", loop.outStride}};
  for (const auto &[name, extent] : extents)
    if (extent == 0)
      return fail(Twine(name) + " is 0; wanted at least 1");
  if (loop.inputHalf > 2 || loop.weightHalf > 2)
    return fail("input_half " + Twine(loop.inputHalf) + ", weight_half " +
                Twine(loop.weightHalf) +
                "; wanted 0 (in turns), 1 or 2, as there are two halves");
  if ((loop.inputHalf || loop.weightHalf) &&
      accelerator.loopHalves == LoopHalves::Turns)
    return fail("a half is chosen, but " +
                describeField(accelerator, "loop_halves"));
  if (loop.depthwise && (loop.kchs != 1 || loop.ochs != 1))
    return fail("a depthwise loop has " + Twine(loop.kchs) +
                " input channels and " + Twine(loop.ochs) +
                " output channels; wanted 1 of each");
  if (!checkConvWindow(loop))
    return false;
  const int64_t side = accelerator.side;
  const int64_t operands = loop.inputSpace(side) + loop.weightSpace(side);
  if (operands > accelerator.scratchpadRows() / 2)
    return fail("input and weights take " + Twine(operands) +
                " rows; wanted at most half of the scratchpad, " +
                Twine(accelerator.scratchpadRows() / 2));
  if (loop.outputSpace(side) > accelerator.accumulatorRows() / 2)
    return fail("the sums take " + Twine(loop.outputSpace(side)) +
                " rows; wanted at most half of the accumulator, " +
                Twine(accelerator.accumulatorRows() / 2));
  return checkConvConfigs(loop);
}

/// Padding, and what replaces rows and columns.
bool Machine::Impl::checkConvWindow(const LoopConvWs &loop) {
  if (loop.storedRows() < 0 || loop.storedCols() < 0)
    return fail(
        "the window has " +
        Twine(loop.storedRows() + int64_t(loop.padUp + loop.padDown)) +
        " rows and " +
        Twine(loop.storedCols() + int64_t(loop.padLeft + loop.padRight)) +
        " columns, of which " + Twine(loop.padUp + loop.padDown) + " and " +
        Twine(loop.padLeft + loop.padRight) +
        " are padding; the unit would count down from there without "
        "an end");
  if (loop.downsample &&
      (loop.stride != 2 || loop.krows != 1 || loop.kcols != 1 || loop.padUp ||
       loop.padLeft || loop.padDown % 2 || loop.padRight % 2))
    return fail("downsample wants a 1x1 kernel with stride 2 and no padding "
                "above and to the left, an even one elsewhere");
  const int64_t side = accelerator.side;
  if (loop.pixelsPerRow > 1 &&
      (loop.pixelsPerRow > loop.kcols || loop.downsample ||
       loop.dilation != 1 || int64_t(loop.pixelsPerRow * loop.kchs) > side))
    return fail("pixels_per_row " + Twine(loop.pixelsPerRow) + " with " +
                Twine(loop.kcols) + " columns of " + Twine(loop.kchs) +
                " channels; wanted at most these columns, which fit into " +
                Twine(side) + " columns, neither dilated nor downsampled");
  return true;
}

/// The unit sets up its moves itself, but for strides of the array's operands
/// and what becomes of the sums.
bool Machine::Impl::checkConvConfigs(const LoopConvWs &loop) {
  if (pending)
    return fail("stands between a preload and its compute");
  if (!exConfig)
    return fail("no config_ex before it");
  const uint64_t stride = loop.stride >> loop.downsample;
  if (exConfig->aStride != stride || exConfig->cStride != 1 ||
      exConfig->transposeA || exConfig->transposeB)
    return fail("config_ex has a_stride " + Twine(exConfig->aStride) +
                " and c_stride " + Twine(exConfig->cStride) +
                "; wanted the loop's stride, " + Twine(stride) +
                ", and 1, nothing transposed");
  if (!loop.output)
    return true;
  if (!stConfig)
    return fail("no config_st before it");
  if (readoutConfig && readoutConfig->perChannel)
    return fail("config_readout has a scale per channel, but its blocks start "
                "with one and the same; wanted one scale");
  const uint64_t bytes = loop.outStride * accelerator.elementBytes();
  if (loop.noPool && (stConfig->poolStride != 0 || stConfig->stride != bytes))
    return fail("config_st has a stride of " + Twine(stConfig->stride) +
                " bytes" + (stConfig->poolStride ? " and pools" : "") +
                "; wanted the loop's out_stride, " + Twine(bytes) +
                " bytes, and pool_stride 0");
  if (!loop.noPool) {
    const std::pair<const char *, uint64_t> fields[] = {
        {"pool_size", loop.poolSize},
        {"pool_stride", loop.poolStride},
        {"pool_pad_up", loop.poolPadUp},
        {"pool_pad_left", loop.poolPadLeft}};
    for (const auto &[name, value] : fields)
      if (value > 3)
        return fail(Twine(name) + " " + Twine(value) +
                    " does not fit config_st; wanted at most 3");
    for (const auto &[name, value] :
         {std::pair("orows", loop.orows), std::pair("ocols", loop.ocols),
          std::pair("pool_rows", loop.poolRows),
          std::pair("pool_cols", loop.poolCols),
          std::pair("pool_out_col_dim", loop.poolOutColDim)})
      if (value > 255)
        return fail(Twine(name) + " " + Twine(value) +
                    " does not fit config_st; wanted at most 255");
  }
  return true;
}

bool Machine::Impl::loopConvWs(const Command &command) {
  convLoop.take(command);
  const LoopConvWs loop = convLoop;
  if (!checkConvLoop(loop))
    return false;
  const int64_t side = accelerator.side;
  const int64_t half = accelerator.scratchpadRows() / 2;
  auto start = [&](unsigned chosen) {
    return (chosen ? chosen == 2 : convTurns.secondHalf) ? half : 0;
  };
  LoopConvWsRows rows;
  rows.input = start(loop.inputHalf);
  rows.weights = start(loop.weightHalf) + half - loop.weightSpace(side);
  rows.output = convTurns.secondSums ? accelerator.accumulatorRows() / 2 : 0;
  const RowRange input{false, rows.input, loop.inputSpace(side)};
  const RowRange weights{false, rows.weights, loop.weightSpace(side)};
  if (running && running->isConv) {
    if (loop.input && !checkBesideLast("the input", input))
      return false;
    if (loop.weights && !checkBesideLast("the weights", weights))
      return false;
    if (loop.bias && !running->stores)
      return fail("the bias is loaded over sums that the loop before it may "
                  "still make and does not store; wanted bias = 0, which adds "
                  "to them");
  }
  count(CommandKind::LoopWs);
  if (!unroll(expand(loop, rows, accelerator), /*isConv=*/true))
    return false;
  running = {input, weights, loop.output != 0, /*isConv=*/true};
  convTurns.secondHalf = !convTurns.secondHalf;
  convTurns.secondSums = convTurns.secondSums != (loop.output != 0);
  convLoop = LoopConvWs();
  return true;
}
