//===- LoopConvWsTest.cpp - The convolution loop --------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What whole convolutions compute is in LibraryProgramTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "fadiff/ISA/LoopConvWs.h"

#include "llvm/ADT/StringRef.h"

#include "gtest/gtest.h"

#include <functional>

using namespace fadiff;
using namespace fadiff::sim;
using isa::LoopConvWs;

namespace {

/// 3 x 3, padded by 1, 20 channels to 36, of an image of 8 x 8.
LoopConvWs someLoop() {
  LoopConvWs loop;
  loop.inRowDim = loop.inColDim = loop.outRowDim = loop.outColDim = 8;
  loop.inChannels = loop.inStride = loop.kchs = 20;
  loop.outChannels = loop.outStride = loop.weightStride = loop.ochs = 36;
  loop.kernelDim = loop.krows = loop.kcols = 3;
  loop.orows = 4;
  loop.ocols = 8;
  loop.padUp = loop.padLeft = loop.padRight = 1;
  loop.input = 1 << 20;
  loop.weights = 2 << 20;
  loop.bias = 3 << 20;
  loop.output = 4 << 20;
  return loop;
}

void configure(Program &p) {
  p.config(ConfigEx());
  p.configSt(36, 1.0f / 64);
}
void run(Program &p, const LoopConvWs &loop) {
  for (const isa::Command &command : loop.commands())
    p.run(command);
}

Accelerator wideAccelerator() {
  Accelerator a = testAccelerator();
  a.scratchpadBytes *= 4;
  a.accumulatorBytes *= 2;
  return a;
}

TEST(LoopConvWs, FieldsSurviveTheCommands) {
  // Each field has a value of its own.
  LoopConvWs loop;
  uint64_t number = 0;
  for (const LoopConvWs::Binding &binding : LoopConvWs::bindings())
    loop.*binding.member = ++number & binding.field.max();
  loop.pixelsPerRow = 3;
  LoopConvWs back;
  for (const isa::Command &command : loop.commands())
    back.take(command);
  for (const LoopConvWs::Binding &binding : LoopConvWs::bindings())
    EXPECT_EQ(back.*binding.member, loop.*binding.member) << binding.field.name;
}

// gemmini.h, gemmini_loop_conv_ws: what stands where.
TEST(LoopConvWs, Encoding) {
  const auto commands = someLoop().commands();
  auto word = [](uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    return a << 48 | b << 32 | c << 16 | d;
  };
  EXPECT_EQ(commands[0], (isa::Command{16, word(36, 20, 8, 1),
                                       uint64_t(1) << 48 | word(0, 8, 1, 8)}));
  EXPECT_EQ(commands[1],
            (isa::Command{17, word(3, 1, 1, 1 << 8), word(1, 1, 1, 36)}));
  EXPECT_EQ(commands[2],
            (isa::Command{18, word(3, 3, 20, 1), word(1, 1, 0, 8)}));
  EXPECT_EQ(commands[3],
            (isa::Command{19, word(4, 0, 0, 1), word(20, 36, 36, 8)}));
  EXPECT_EQ(commands[4], (isa::Command{20, 2 << 20, 4 << 20}));
  EXPECT_EQ(commands[5], (isa::Command{21, 3 << 20, 1 << 20}));
  EXPECT_EQ(commands[6], (isa::Command{15, 1 << 8, 1}));
  EXPECT_EQ(isa::disassemble(commands[4]),
            "loop_conv_ws_config_5 weights=0x200000 output=0x400000");
}

/// LoopConv.scala: bias, weights, input; computes behind all loads, stores
/// behind all computes.
TEST(LoopConvWs, Order) {
  const isa::LoopSteps steps =
      expand(someLoop(), {0, 1000, 0}, wideAccelerator());
  std::string order;
  for (const isa::LoopStep &step : steps.loads)
    if (std::string name = isa::mnemonic(step.command) + " ";
        !llvm::StringRef(order).ends_with(name))
      order += name;
  EXPECT_EQ(order, "config_ld mvin3 config_ld mvin2 config_ld mvin ");
  // 4 lines of 8 pixels in 3 blocks of channels.
  EXPECT_EQ(steps.stores.size(), 12u);
  // 3 blocks, 9 taps, 2 blocks of input channels, 4 lines; two each.
  ASSERT_EQ(steps.executes.size(), 3u * 9 * 2 * 4 * 2);
  for (const isa::LoopStep &step : steps.executes)
    EXPECT_EQ(step.after, steps.loads.size());
  for (const isa::LoopStep &step : steps.stores)
    EXPECT_EQ(step.after, steps.executes.size());
  // The weights stay for the four lines.
  for (size_t i = 1; i < steps.executes.size(); i += 2)
    EXPECT_EQ(isa::mnemonic(steps.executes[i].command),
              i / 2 % 4 ? "compute_accumulated" : "compute_preloaded");
  // A line: the padding left, what is stored, the padding right.
  auto fromEnd = [&](size_t back) {
    return isa::decodeMove(steps.loads[steps.loads.size() - back].command);
  };
  EXPECT_EQ(fromEnd(3).dramAddress, 0u);
  EXPECT_EQ(fromEnd(2).dramAddress, (1u << 20) + 4 * 8 * 20);
  EXPECT_EQ(fromEnd(2).rows, 8);
  EXPECT_EQ(fromEnd(1).dramAddress, 0u);
  EXPECT_EQ(fromEnd(1).rows, 1);
}

/// A loop counts what its instructions do one by one, and is timed alike.
TEST(LoopConvWs, EqualsItsInstructions) {
  const LoopConvWs loop = someLoop();
  const Accelerator a = wideAccelerator();
  Program whole(a, {/*functional=*/false}), single(a, {/*functional=*/false});
  configure(whole);
  run(whole, loop);
  whole.machine.fence();
  ASSERT_EQ(whole.fault(), "");
  configure(single);
  const int64_t half = a.scratchpadRows() / 2;
  const isa::LoopSteps steps =
      expand(loop, {0, half - loop.weightSpace(16), 0}, a);
  for (const auto *all : {&steps.loads, &steps.executes, &steps.stores})
    for (const isa::LoopStep &step : *all)
      single.run(step.command);
  single.machine.fence();
  ASSERT_EQ(single.fault(), "");
  Counters x = whole.machine.total(), y = single.machine.total();
  EXPECT_EQ(x.coreCommands(), 2 + 7 + 1);
  x[CommandKind::LoopWs] = 0;
  x.unrolledCommands = 0;
  for (Counters *counters : {&x, &y}) {
    counters->cycles = counters->executeBusyCycles = counters->loadBusyCycles =
        counters->storeBusyCycles = 0;
    counters->loadOpenCycles = counters->startCycles = 0;
    counters->arrayTime = {};
  }
  EXPECT_EQ(x, y);
}

int64_t cyclesOf(int loops, bool fenced) {
  Program p(wideAccelerator(), {/*functional=*/false});
  configure(p);
  for (int i = 0; i < loops; ++i) {
    run(p, someLoop());
    if (fenced)
      p.machine.fence();
  }
  p.machine.fence();
  EXPECT_EQ(p.fault(), "");
  return p.machine.cycles();
}

/// Within a loop nothing overlaps, two loops do.
TEST(LoopConvWsTime, LoadsRunBesideTheLoopBefore) {
  const int64_t one = cyclesOf(1, false), two = cyclesOf(2, false);
  EXPECT_LT(two, 2 * one - 500);
  EXPECT_GT(cyclesOf(2, true), 2 * one - 100);
}

std::string faultOf(std::function<void(LoopConvWs &)> change,
                    std::function<void(Accelerator &)> machine = {}) {
  Accelerator a = wideAccelerator();
  if (machine)
    machine(a);
  Program p(a, {/*functional=*/false});
  configure(p);
  LoopConvWs loop = someLoop();
  change(loop);
  run(p, loop);
  return p.fault();
}

TEST(LoopConvWsFaults, SayWhatIsWrong) {
  EXPECT_EQ(faultOf([](LoopConvWs &) {}), "");
  EXPECT_EQ(faultOf([](LoopConvWs &l) { l.orows = 0; }),
            "orows is 0; wanted at least 1");
  EXPECT_EQ(faultOf([](LoopConvWs &l) { l.training = 1; }),
            "turned kernels, transposed tensors and dilated inputs are not "
            "simulated; wanted training = 0 and input_dilated = 0");
  EXPECT_EQ(faultOf([](LoopConvWs &l) { l.padUp = 7; }),
            "the window has 6 rows and 10 columns, of which 7 and 2 are "
            "padding; the unit would count down from there without an end");
  EXPECT_EQ(faultOf([](LoopConvWs &l) { l.kchs = 300; }),
            "input and weights take 9240 rows; wanted at most half of the "
            "scratchpad, 2048");
  EXPECT_EQ(faultOf([](LoopConvWs &l) { l.ochs = 160; }),
            "the sums take 320 rows; wanted at most half of the accumulator, "
            "256");
  EXPECT_EQ(
      faultOf([](LoopConvWs &l) {
        l.stride = 2;
        l.orows = 2;
        l.ocols = 4;
      }),
      "config_ex has a_stride 1 and c_stride 1; wanted the loop's stride, "
      "2, and 1, nothing transposed");
  EXPECT_EQ(faultOf([](LoopConvWs &l) { l.outStride = 40; }),
            "config_st has a stride of 36 bytes; wanted the loop's out_stride, "
            "40 bytes, and pool_stride 0");
  EXPECT_EQ(faultOf([](LoopConvWs &l) { l.inputHalf = 1; },
                    [](Accelerator &a) { a.loopHalves = LoopHalves::Turns; }),
            "a half is chosen, but loop_halves of 'test' is turns");
  EXPECT_EQ(
      faultOf([](LoopConvWs &) {},
              [](Accelerator &a) { a.convLoopUnit = ConvLoopUnit::None; }),
      "nothing runs loop_conv_ws: conv_loop_unit of 'test' is none");
}

/// The second loop's input would overwrite what the first one still reads.
TEST(LoopConvWsFaults, RacesWithTheLoopBefore) {
  Program p(wideAccelerator(), {/*functional=*/false});
  configure(p);
  LoopConvWs loop = someLoop();
  loop.inputHalf = 1;
  run(p, loop);
  run(p, loop);
  EXPECT_NE(p.fault().find("the input is loaded to rows 0..119"),
            std::string::npos)
      << p.fault();
}

} // namespace
