//===- RuntimeTest.cpp - Regions and the C interface ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "fadiff/Simulator/Runtime.h"

#include "gtest/gtest.h"

#include <thread>

using namespace fadiff;
using namespace fadiff::sim;

namespace {

TEST(Regions, AddUpToTheTotal) {
  Program p;
  int8_t bytes[16 * 64] = {}, out[16 * 16];
  p.config(ConfigEx());
  p.configLd(64, 16);
  p.configSt(16);
  p.machine.fence();
  p.machine.region(5);
  p.mvin(bytes, sp(0), 16, 64);
  p.machine.fence();
  int64_t afterLoad = p.machine.cycles();
  p.machine.region(3);
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  p.mvout(out, acc(0), 16, 16);
  p.machine.fence();
  p.machine.region(5);
  p.mvin(bytes, sp(64), 4, 8);
  p.machine.fence();
  ASSERT_EQ(p.fault(), "");

  EXPECT_EQ(p.machine.regions(), (std::vector<int64_t>{-1, 3, 5}));
  Counters none = p.machine.counters(-1), three = p.machine.counters(3),
           five = p.machine.counters(5);
  EXPECT_EQ(none[CommandKind::ConfigLd], 1);
  EXPECT_EQ(none[CommandKind::Fence], 1);
  EXPECT_EQ(none.dramBytesRead, 0);
  EXPECT_EQ(three.dramBytesRead, 0);
  EXPECT_EQ(three.dramBytesWritten, 256);
  EXPECT_EQ(three.macs, 4096);
  EXPECT_EQ(three[CommandKind::Preload], 1);
  EXPECT_EQ(three[CommandKind::Compute], 1);
  EXPECT_EQ(three[CommandKind::Mvout], 1);
  EXPECT_EQ(three.scratchpadReads, 512);
  EXPECT_EQ(three.accumulatorWrites, 256);
  EXPECT_EQ(three.accumulatorReads, 256);
  EXPECT_EQ(five.dramBytesRead, 16 * 64 + 4 * 8);
  EXPECT_EQ(five.scratchpadWrites, 16 * 64 + 4 * 8);
  EXPECT_EQ(five[CommandKind::Mvin], 2);
  EXPECT_EQ(none.cycles + three.cycles + five.cycles, p.machine.cycles());
  EXPECT_GT(three.cycles, 0);
  EXPECT_GT(five.cycles, afterLoad - none.cycles);
  Counters sum = none;
  sum += three;
  sum += five;
  EXPECT_EQ(sum, p.machine.total());
  EXPECT_EQ(p.machine.counters(99), Counters());
}

TEST(Runtime, ActsOnTheInnermostMachineOfTheThread) {
  Program outer, inner;
  isa::Command flush = isa::encode(isa::Flush());
  EXPECT_EQ(CurrentMachine::get(), nullptr);
  {
    CurrentMachine one(outer.machine);
    fadiff_gemmini_region(4);
    fadiff_gemmini_execute(flush.funct, flush.rs1, flush.rs2);
    {
      CurrentMachine two(inner.machine);
      EXPECT_EQ(CurrentMachine::get(), &inner.machine);
      fadiff_gemmini_fence();
    }
    EXPECT_EQ(CurrentMachine::get(), &outer.machine);
    fadiff_gemmini_execute(flush.funct, flush.rs1, flush.rs2);
    std::thread([] { EXPECT_EQ(CurrentMachine::get(), nullptr); }).join();
  }
  EXPECT_EQ(CurrentMachine::get(), nullptr);
  EXPECT_EQ(outer.machine.counters(4)[CommandKind::Flush], 2);
  EXPECT_EQ(outer.machine.total()[CommandKind::Fence], 0);
  EXPECT_EQ(inner.machine.total()[CommandKind::Fence], 1);
}

TEST(Runtime, SignedRegistersKeepTheirBits) {
  Program p;
  CurrentMachine current(p.machine);
  int8_t bytes[16] = {42};
  p.configLd(16, 16);
  isa::Move move;
  move.dramAddress = reinterpret_cast<uintptr_t>(bytes);
  move.localAddress = LocalAddress::accumulator(0);
  move.rows = 1;
  move.cols = 4;
  isa::Command command = isa::encode(move);
  fadiff_gemmini_execute(command.funct, int64_t(command.rs1),
                         int64_t(command.rs2));
  EXPECT_EQ(p.fault(), "");
  EXPECT_EQ(p.machine.accumulatorRow(0)[0], 42);
  fadiff_gemmini_execute(-1, 0, 0);
  EXPECT_EQ(p.fault(), "funct 4294967295 is not an instruction");
}

TEST(Runtime, ComplainsOnceWithoutAMachine) {
  testing::internal::CaptureStderr();
  fadiff_gemmini_execute(7, 0, 0);
  fadiff_gemmini_fence();
  fadiff_gemmini_region(1);
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find("error: a Gemmini command ran in a thread without"), 0u);
  EXPECT_EQ(text.find("error", 1), std::string::npos);
}

} // namespace
