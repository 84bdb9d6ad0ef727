//===- TimingTest.cpp - When commands run ---------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accelerators here have round numbers, so that each expectation can be
// worked out by hand from docs/Simulator.md.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "fadiff/Simulator/Trace.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace fadiff;
using namespace fadiff::sim;

namespace {

/// Commands cost nothing to issue, and windows never fill.
Accelerator unlimited(int64_t side = 16) {
  Accelerator a = testAccelerator(side, HandOver::AccumulatorOperand);
  a.commandCycles = 0;
  a.loadStations = a.storeStations = a.executeStations = 64;
  a.dmaLatency = 100;
  a.dmaRequestsInFlight = 16;
  return a;
}

int64_t fillOf(const Accelerator &a) { return 3 * a.side + 5; }

class TimedProgram : public Program {
public:
  explicit TimedProgram(const Accelerator &a)
      : Program(a, {/*functional=*/false}) {
    config(ConfigEx());
    configLd(64, a.side);
    configSt(64);
    for (int64_t row = 0; row < 8 * a.side; row += a.side) {
      mvin(nullptr, sp(row), a.side, a.side);
      mvin(nullptr, acc(row), a.side, a.side);
    }
    sync();
  }
  /// Fences, and makes `cycles()` count from here.
  void sync() {
    machine.fence();
    EXPECT_EQ(fault(), "");
    start = machine.cycles();
  }
  int64_t cycles() const { return machine.cycles() - start; }

  /// DRAM that is never dereferenced.
  static char *dram(uint64_t offset = 0) {
    return reinterpret_cast<char *>(uintptr_t(1 << 20) + offset);
  }

private:
  int64_t start = 0;
};

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

TEST(LoadTime, OneMvin) {
  TimedProgram p(unlimited());
  // 16 requests, all in flight at once: the latency and a beat for each.
  p.mvin(p.dram(), sp(0), 16, 16);
  EXPECT_EQ(p.cycles(), 100 + 16);
  p.sync();
  // Four beats for each.
  p.mvin(p.dram(), sp(0), 16, 64);
  EXPECT_EQ(p.cycles(), 100 + 64);
  p.sync();
  // One row, written 16 times.
  p.configLd(0, 16);
  p.mvin(p.dram(), sp(0), 16, 16);
  EXPECT_EQ(p.cycles(), 1 + 100 + 16);
  p.sync();
  // No DRAM at all.
  p.mvin(nullptr, sp(0), 16, 32);
  EXPECT_EQ(p.cycles(), 32);
}

TEST(LoadTime, CountersKnowHowLongLoadsAreOpenAndWhenComputesStart) {
  TimedProgram p(unlimited());
  p.machine.region(7);
  // The second begins when the first one's last request is out, after 100
  // cycles. Each is open until its last beat.
  p.mvin(p.dram(), sp(0), 16, 16);
  p.mvin(p.dram(), sp(16), 16, 16);
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  p.matmul(sp(0), sp(16), acc(16), 16, 16, 16);
  p.sync();
  const Counters found = p.machine.counters(7);
  EXPECT_EQ(found.loadOpenCycles, 2 * (100 + 16));
  // Both loads, and the weights into the array.
  EXPECT_EQ(found.startCycles, 100 + 100 + 16 + 16);
  // Of each run of a region.
  p.machine.region(7);
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  p.sync();
  EXPECT_EQ(p.machine.counters(7).startCycles, found.startCycles + 16);
}

TEST(LoadTime, WhatIsOpenTakesThePlaceThatIsFreeFirst) {
  // Two may be open. The zeros' place is free again while the first row is
  // still on its way.
  TimedProgram p(unlimited());
  p.mvin(p.dram(), sp(0), 1, 16);
  p.mvin(nullptr, sp(16), 1, 16);
  p.mvin(p.dram(), sp(32), 1, 16);
  EXPECT_EQ(p.cycles(), 7 + 1 + 100 + 1);
  p.sync();
  // Without zeros the third waits for the first.
  p.mvin(p.dram(), sp(0), 1, 16);
  p.mvin(p.dram(), sp(16), 1, 16);
  p.mvin(p.dram(), sp(32), 1, 16);
  EXPECT_EQ(p.cycles(), 2 * (100 + 1));
}

TEST(LoadTime, RequestsInFlightBoundTheRate) {
  Accelerator a = unlimited();
  auto perMvin = [&](int64_t cols) {
    TimedProgram p(a);
    const int64_t count = 500;
    for (int64_t i = 0; i < count; ++i)
      p.mvin(p.dram(), sp(i % 4 * 64), 16, cols);
    EXPECT_EQ(p.fault(), "");
    EXPECT_EQ(p.machine.total().dramBytesRead, count * 16 * cols);
    return double(p.cycles()) / count;
  };
  // 16 requests of latency 100 with 16 in flight: 100 cycles, however wide.
  EXPECT_NEAR(perMvin(16), 100, 1);
  EXPECT_NEAR(perMvin(64), 100, 1);
  a.dmaRequestsInFlight = 64;
  EXPECT_NEAR(perMvin(16), 25, 1);
  // Now the bus is the bound: 16 bytes per cycle.
  EXPECT_NEAR(perMvin(64), 64, 1);
  // A wider bus does not help: one local row is written per cycle.
  a.dmaBytesPerCycle = 64;
  EXPECT_NEAR(perMvin(64), 64, 1);
}

TEST(LoadTime, DramIsSharedByLoadsAndStores) {
  Accelerator a = unlimited(16);
  a.bandwidth[Level::Dram] = 2;
  const int64_t count = 100;
  auto cycles = [&](bool loads, bool stores) {
    TimedProgram p(a);
    p.mvin(p.dram(), sp(0), 16, 16);
    p.sync();
    const int64_t before = p.cycles();
    for (int64_t i = 0; i < count; ++i) {
      if (loads)
        p.mvin(p.dram(), sp(64 + i % 4 * 16), 16, 16);
      if (stores)
        p.mvout(p.dram(1 << 16), sp(0), 16, 16);
    }
    EXPECT_EQ(p.fault(), "");
    return double(p.cycles() - before) / count;
  };
  // 256 bytes at two per cycle, alone or both.
  EXPECT_NEAR(cycles(true, false), 128, 3);
  EXPECT_NEAR(cycles(false, true), 128, 3);
  EXPECT_NEAR(cycles(true, true), 256, 5);
  // Faster than the DMA it is no limit: 16 requests take 100 cycles.
  a.bandwidth[Level::Dram] = 64;
  EXPECT_NEAR(cycles(true, false), 100, 1);
  // Behind caches only misses count.
  a.bandwidth[Level::Dram] = 2;
  a.cacheBytes = 1 << 20;
  EXPECT_LT(cycles(true, false), 110);
}

TEST(LoadTime, OneMvinAtATimeOnAWideArray) {
  // 16 / 32 + 1: the next mvin starts when this one has all of its data.
  TimedProgram p(unlimited(32));
  p.mvin(p.dram(), sp(0), 32, 32);
  int64_t one = p.cycles();
  // 32 requests with 16 in flight: two rounds.
  EXPECT_EQ(one, 200);
  p.mvin(p.dram(), sp(32), 32, 32);
  EXPECT_EQ(p.cycles(), 2 * one);

  // Few requests: the reader would be free after 50 cycles, but waits.
  p.sync();
  p.mvin(p.dram(), sp(0), 8, 32);
  EXPECT_EQ(p.cycles(), 100 + 16);
  p.mvin(p.dram(), sp(32), 8, 32);
  EXPECT_EQ(p.cycles(), 2 * (100 + 16));

  TimedProgram q(unlimited(16));
  q.mvin(q.dram(), sp(0), 16, 16);
  q.mvin(q.dram(), sp(16), 16, 16);
  EXPECT_EQ(q.cycles(), 100 + 116);
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

TEST(ExecuteTime, PipelinedPassesTakeSideCycles) {
  for (int64_t side : {16, 32}) {
    Accelerator a = unlimited(side);
    a.commandCycles = 1;
    TimedProgram p(a);
    const int64_t count = 1000;
    for (int64_t i = 0; i < count; ++i)
      p.matmul(sp(0), sp(side), accAdd(0), side, side, side);
    ASSERT_EQ(p.fault(), "");
    EXPECT_GE(p.cycles(), count * side);
    EXPECT_LE(p.cycles(), count * side + 2 * side + fillOf(a) + 10);
    Counters total = p.machine.total();
    EXPECT_EQ(total.macs, count * side * side * side);
    EXPECT_EQ(total.arrayBusyCycles, count * side);
    EXPECT_LE(total.executeBusyCycles, p.cycles());
    EXPECT_GE(total.executeBusyCycles, count * side);
  }
}

TEST(ExecuteTime, KeptWeightsTakeTheRowsOfA) {
  Accelerator a = unlimited();
  for (int64_t rows : {1, 4, 9, 16}) {
    TimedProgram p(a);
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
    p.sync();
    const int64_t count = 1000;
    for (int64_t i = 0; i < count; ++i) {
      p.preload(none(), 0, 0, acc(16), rows, 16);
      p.compute(sp(0), rows, 16, /*accumulated=*/true);
    }
    EXPECT_NEAR(double(p.cycles()) / count, std::max<int64_t>(rows, 4), 0.1);
    EXPECT_EQ(p.machine.total().arrayBusyCycles,
              16 + count * std::max<int64_t>(rows, 4));
  }
}

TEST(ExecuteTime, ALonePassPaysPreloadAndFill) {
  Accelerator a = unlimited();
  TimedProgram p(a);
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  EXPECT_EQ(p.cycles(), 16 + 16 + fillOf(a));
  a.scratchpadReadDelay += 7;
  TimedProgram q(a);
  q.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  EXPECT_EQ(q.cycles(), 16 + 16 + fillOf(a) + 7);
}

TEST(ExecuteTime, ALatePreloadWaitsForTheComputeBeforeIt) {
  Accelerator a = unlimited();
  auto cyclesIf = [&](int64_t rowsOfB) {
    TimedProgram p(a);
    p.mvin(nullptr, sp(64), 12, 16);
    p.mvin(nullptr, sp(32), rowsOfB, 16);        // there at 12 + rowsOfB
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16); // rows enter from 16 to 32
    p.matmul(sp(0), sp(32), acc(16), 16, 16, 16);
    return p.cycles();
  };
  EXPECT_EQ(cyclesIf(4), 32 + 16 + fillOf(a));
  EXPECT_EQ(cyclesIf(5), 32 + 16 + 16 + fillOf(a));
}

TEST(ExecuteTime, ConfigExDrains) {
  Accelerator a = unlimited();
  TimedProgram p(a);
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  int64_t one = p.cycles();
  p.config(ConfigEx());
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  EXPECT_EQ(p.cycles(), 2 * one + 1);
}

//===----------------------------------------------------------------------===//
// Dependencies
//===----------------------------------------------------------------------===//

TEST(Dependencies, ComputeWaitsForItsOperands) {
  Accelerator a = unlimited();
  const int64_t load = 116, pass = 16 + 16 + fillOf(a);
  {
    TimedProgram p(a);
    p.mvin(p.dram(), sp(16), 16, 16); // B
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
    EXPECT_EQ(p.cycles(), load + pass);
  }
  {
    TimedProgram p(a);
    p.mvin(p.dram(), sp(0), 16, 16); // A: the preload need not wait
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
    EXPECT_EQ(p.cycles(), load + pass - 16);
  }
  {
    TimedProgram p(a);
    p.mvin(p.dram(), acc(0), 16, 16); // C: bias
    p.matmul(sp(0), sp(16), accAdd(0), 16, 16, 16);
    EXPECT_EQ(p.cycles(), 100 + 64 + pass - 16);
  }
  {
    TimedProgram p(a);
    p.mvin(p.dram(), sp(32), 16, 16); // D
    p.preload(sp(16), 16, 16, acc(0), 16, 16);
    p.compute(sp(0), 16, 16, false, sp(32), 16, 16);
    EXPECT_EQ(p.cycles(), load + pass - 16);
  }
  {
    TimedProgram p(a);
    p.mvin(p.dram(), sp(32), 16, 16); // unrelated
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
    EXPECT_EQ(p.cycles(), load);
  }
  {
    // A single row in common is enough.
    TimedProgram p(a);
    p.mvin(p.dram(), sp(31), 16, 16);
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
    EXPECT_EQ(p.cycles(), load + pass);
  }
}

TEST(Dependencies, StridedRows) {
  Accelerator a = unlimited();
  const int64_t pass = 32 + fillOf(a);
  auto cyclesIf = [&](LocalAddress loaded, bool afterwards) {
    TimedProgram p(a);
    ConfigEx config;
    config.aStride = config.cStride = 2;
    p.config(config);
    p.sync();
    if (!afterwards)
      p.mvin(p.dram(), loaded, 1, 1);
    p.matmul(sp(0), sp(64), acc(0), 16, 16, 16);
    if (afterwards)
      p.mvin(p.dram(), loaded, 1, 1);
    return p.cycles();
  };
  // A and C take the even rows 0..30.
  EXPECT_EQ(cyclesIf(sp(30), false), 101 + pass - 16);
  EXPECT_EQ(cyclesIf(acc(30), false), 101 + pass - 16);
  EXPECT_EQ(cyclesIf(sp(1), false), 101);
  EXPECT_EQ(cyclesIf(acc(1), false), 101);
  EXPECT_EQ(cyclesIf(sp(30), true), 32 + 101);
  EXPECT_EQ(cyclesIf(acc(30), true), pass + 101);
  EXPECT_EQ(cyclesIf(sp(1), true), 101);
  EXPECT_EQ(cyclesIf(acc(1), true), 101);
}

TEST(Dependencies, LoadWaitsForReaders) {
  Accelerator a = unlimited();
  TimedProgram p(a);
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  p.mvin(p.dram(), sp(0), 16, 16); // over A, free after 16 + 16
  EXPECT_EQ(p.cycles(), 32 + 116);
  p.sync();
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  p.mvin(p.dram(), sp(16), 16, 16); // over B, free after 16
  EXPECT_EQ(p.cycles(), 16 + 116);
  p.sync();
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  p.mvin(nullptr, acc(0), 16, 16); // over C, free when written
  EXPECT_EQ(p.cycles(), 32 + fillOf(a) + 16);
}

TEST(Dependencies, AnAccumulatorOperandExposesTheFill) {
  Accelerator a = unlimited();
  TimedProgram p(a);
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  p.matmul(acc(0), sp(16), acc(16), 16, 16, 16);
  EXPECT_EQ(p.cycles(), 32 + fillOf(a) + 16 + fillOf(a));
  p.sync();
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  p.matmul(acc(32), sp(16), acc(16), 16, 16, 16);
  EXPECT_EQ(p.cycles(), 16 + 16 + 16 + fillOf(a));
}

TEST(Dependencies, StoreWaitsForTheResult) {
  Accelerator a = unlimited();
  TimedProgram p(a);
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  p.mvout(p.dram(), acc(0), 16, 16);
  const int64_t result = 32 + fillOf(a);
  // The writer starts a pipe's length after the reads, and its last request is
  // acknowledged a latency later.
  EXPECT_EQ(p.cycles(), result + a.accumulatorPipe + 100 + 16);
  // An array write to these rows waits for the reads only.
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  p.mvin(p.dram(1 << 16), sp(0), 16, 16);
  EXPECT_EQ(p.cycles(), std::max(result + 16 + a.accumulatorPipe + 16 + 116,
                                 result + a.accumulatorPipe + 100 + 16));
}

TEST(Dependencies, StoresDoNotOverlap) {
  Accelerator a = unlimited();
  a.dmaRequestsInFlight = 1000; // the writer never holds a store up
  TimedProgram p(a);
  const int64_t count = 100;
  for (int64_t i = 0; i < count; ++i)
    p.mvout(p.dram(i * 1024), acc(0), 16, 16);
  EXPECT_NEAR(double(p.cycles()) / count, 16 + a.accumulatorPipe, 2);
  EXPECT_EQ(p.machine.total().storeBusyCycles,
            count * (16 + a.accumulatorPipe));
  // Four blocks share the pipe.
  p.sync();
  for (int64_t i = 0; i < count; ++i)
    p.mvout(p.dram(i * 1024), acc(0), 16, 64);
  EXPECT_NEAR(double(p.cycles()) / count, 64 + a.accumulatorPipe, 2);
  // With 16 in flight the writer is the bound.
  TimedProgram q(unlimited());
  for (int64_t i = 0; i < count; ++i)
    q.mvout(q.dram(i * 1024), acc(0), 16, 16);
  EXPECT_NEAR(double(q.cycles()) / count, 100, 2);
  // ... and holds a store until the one before it has drained.
  TimedProgram r(unlimited());
  for (int64_t i = 0; i < 3; ++i)
    r.mvout(r.dram(i * 1024), acc(0), 16, 16);
  EXPECT_EQ(r.machine.total().storeBusyCycles, a.accumulatorPipe + 200);
}

TEST(Dependencies, MvoutSpadFeedsTheArray) {
  Accelerator a = unlimited();
  a.handOver = HandOver::MvoutSpad;
  TimedProgram p(a);
  p.mvoutSpad(sp(0), acc(0), 16, 16);
  p.matmul(sp(0), sp(16), acc(16), 16, 16, 16);
  EXPECT_EQ(p.cycles(), 16 + a.accumulatorPipe + 16 + fillOf(a));
  p.sync();
  // A load over its destination comes after it.
  p.mvoutSpad(sp(0), acc(0), 16, 16);
  p.mvin(nullptr, sp(0), 16, 16);
  EXPECT_EQ(p.cycles(), 16 + a.accumulatorPipe + 16);
}

TEST(Dependencies, PooledStoreReadsEveryTap) {
  Accelerator a = unlimited();
  TimedProgram p(a);
  ConfigSt config;
  config.stride = 16;
  config.poolSize = 3;
  config.poolStride = 2;
  config.padTop = config.padLeft = 1;
  config.poolRows = config.poolCols = config.poolOutDim = 4;
  config.rows = config.cols = 8;
  p.config(config);
  p.sync();
  p.mvout(p.dram(), acc(0), 1, 16);
  EXPECT_EQ(p.machine.total().storeBusyCycles, 16 * 9 + a.accumulatorPipe);
}

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

TEST(Issue, EveryCommandTakesCommandCycles) {
  Accelerator a = unlimited();
  a.commandCycles = 50;
  TimedProgram p(a);
  const int64_t count = 100;
  for (int64_t i = 0; i < count; ++i)
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  EXPECT_NEAR(double(p.cycles()) / count, 100, 2);
  p.sync();
  for (int64_t i = 0; i < count; ++i)
    p.run(isa::encode(isa::Flush()));
  EXPECT_EQ(p.cycles(), count * 50);
}

TEST(Issue, AFullLoadWindowHoldsTheArrayUp) {
  // Ten slow loads, then a compute that depends on none of them.
  auto timeOfCompute = [](int64_t stations) {
    Accelerator a = unlimited();
    a.loadStations = stations;
    TimedProgram p(a);
    for (int64_t i = 0; i < 10; ++i)
      p.mvin(p.dram(), sp(512), 16, 16);
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
    // What follows the compute shows when it was done.
    p.mvout(p.dram(1 << 16), acc(0), 16, 16);
    return p.cycles();
  };
  // 64: the loads alone, 9 * 100 + 116. 8: the tenth load is allocated when the
  // second is done; the compute follows it at once, still under the loads.
  EXPECT_EQ(timeOfCompute(64), 1016);
  EXPECT_EQ(timeOfCompute(8), 1016);
  // 1: the tenth load is allocated when the ninth is done, at 9 * 116.
  Accelerator a = unlimited();
  EXPECT_EQ(timeOfCompute(1),
            9 * 116 + 32 + fillOf(a) + a.accumulatorPipe + 116);
}

TEST(Issue, AFullStoreWindowHoldsLoadsUp) {
  Accelerator a = unlimited();
  a.dmaLatency = 0;
  const int64_t firstStore = 32 + fillOf(a) + 16 + a.accumulatorPipe;
  for (int64_t stations : {1, 2}) {
    a.storeStations = stations;
    TimedProgram p(a);
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
    p.mvout(p.dram(), acc(0), 16, 16);
    p.mvout(p.dram(1024), acc(32), 16, 16);
    p.mvin(nullptr, sp(64), 16, 64);
    EXPECT_EQ(p.cycles(), stations == 1 ? firstStore + 64
                                        : firstStore + 16 + a.accumulatorPipe);
  }
}

TEST(Issue, AnExecuteEntryIsHeldUntilTheResultIsWritten) {
  Accelerator a = unlimited();
  a.executeStations = 2;
  TimedProgram p(a);
  const int64_t count = 100;
  for (int64_t i = 0; i < count; ++i)
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  // Preload i + 1 takes the entry of compute i, but compute i + 1 has to wait
  // until result i has been written.
  EXPECT_NEAR(double(p.cycles()) / count, 16 + fillOf(a), 2);
}

TEST(Issue, FenceWaitsForEverything) {
  Accelerator a = unlimited();
  TimedProgram p(a);
  p.mvin(p.dram(), sp(512), 16, 16);
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  EXPECT_EQ(p.cycles(), 116); // side by side
  p.sync();
  p.mvin(p.dram(), sp(512), 16, 16);
  p.machine.fence();
  p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  EXPECT_EQ(p.cycles(), 116 + 32 + fillOf(a)); // one after the other
}

/// Double buffering hides the shorter of load and execution.
TEST(Overlap, DoubleBufferingHidesLoads) {
  Accelerator a = unlimited();
  a.dmaLatency = 20;
  a.loadStations = 8;
  a.commandCycles = 1;
  auto perTile = [&](int64_t buffers, int64_t passes) {
    TimedProgram p(a);
    const int64_t count = 200;
    for (int64_t i = 0; i < count; ++i) {
      int64_t base = 256 + i % buffers * 64;
      p.mvin(p.dram(), sp(base), 16, 64);
      for (int64_t pass = 0; pass < passes; ++pass)
        p.matmul(sp(base), sp(base + 16), accAdd(0), 16, 16, 16);
    }
    EXPECT_EQ(p.fault(), "");
    return double(p.cycles()) / count;
  };
  const double load = 64, latency = 20;
  // With two buffers the longer of both; with one their sum and the latency.
  EXPECT_NEAR(perTile(2, 1), load, 25);
  EXPECT_NEAR(perTile(2, 10), 160, 25);
  EXPECT_GT(perTile(1, 10), 160 + load + latency - 20);
}

//===----------------------------------------------------------------------===//
// What the array does
//===----------------------------------------------------------------------===//

/// What was added to the parts since the program's start, by a program that is
/// run behind it.
template <typename Fn>
std::array<int64_t, kNumArrayTimes> partsOf(const Accelerator &a, Fn &&run) {
  TimedProgram p(a);
  p.machine.region(0);
  run(p);
  const Counters found = p.machine.counters(0);
  EXPECT_EQ(p.fault(), "");
  EXPECT_EQ(std::accumulate(found.arrayTime.begin(), found.arrayTime.end(),
                            int64_t(0)),
            found.cycles);
  return found.arrayTime;
}

TEST(ArrayTime, AWaitHasTheCauseThatItWaitsFor) {
  Accelerator a = unlimited();
  auto part = [](const auto &parts, ArrayTime what) {
    return parts[size_t(what)];
  };
  // A pass behind a load of its weights: the load, the weights' way into the
  // array, the pass, and its results' way out of it.
  auto parts = partsOf(a, [](TimedProgram &p) {
    p.mvin(p.dram(), sp(16), 16, 16);
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  });
  EXPECT_EQ(part(parts, ArrayTime::Load), 116);
  EXPECT_EQ(part(parts, ArrayTime::Fill), 16 + fillOf(a));
  EXPECT_EQ(part(parts, ArrayTime::Compute), 16);
  EXPECT_EQ(part(parts, ArrayTime::Store), 0);
  EXPECT_EQ(part(parts, ArrayTime::Issue), 0);
  // A pass that writes where a store still reads.
  parts = partsOf(a, [](TimedProgram &p) {
    p.mvout(p.dram(), acc(0), 16, 16);
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
    p.machine.fence();
  });
  EXPECT_EQ(part(parts, ArrayTime::Store) + part(parts, ArrayTime::Fill),
            std::accumulate(parts.begin(), parts.end(), int64_t(0)) - 16);
  EXPECT_GT(part(parts, ArrayTime::Store), 0);
  EXPECT_EQ(part(parts, ArrayTime::Load), 0);
  // A core that takes long for each command.
  a.commandCycles = 200;
  parts = partsOf(a, [](TimedProgram &p) {
    for (int64_t i = 0; i < 10; ++i)
      p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  });
  EXPECT_GT(part(parts, ArrayTime::Issue), 9 * (200 - 32 - fillOf(a)));
  EXPECT_EQ(part(parts, ArrayTime::Load), 0);
  EXPECT_EQ(part(parts, ArrayTime::Compute), 10 * 16);
}

TEST(ArrayTime, ALoadQueueThatIsFullIsAWaitForLoads) {
  Accelerator a = unlimited();
  a.loadStations = 1;
  const auto parts = partsOf(a, [](TimedProgram &p) {
    for (int64_t i = 0; i < 10; ++i)
      p.mvin(p.dram(), sp(512), 16, 16);
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
  });
  // All but the pass, behind the ninth load and beside the tenth.
  EXPECT_EQ(parts[size_t(ArrayTime::Load)], 10 * 116 - 32 - fillOf(a));
  EXPECT_EQ(parts[size_t(ArrayTime::Issue)], 0);
}

TEST(Trace, SlicesAndBytesCoverTheProgramHoweverLong) {
  Accelerator a = unlimited();
  Trace trace(10);
  Program p(a, {/*functional=*/false, &trace});
  p.config(ConfigEx());
  p.configLd(64, a.side);
  p.configSt(64);
  p.machine.region(0);
  p.mvin(nullptr, sp(0), 16, 16);
  p.mvin(nullptr, sp(16), 16, 16);
  for (int64_t i = 0; i < 20000; ++i) {
    p.mvin(TimedProgram::dram(), sp(512), 16, 16);
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
    p.mvout(TimedProgram::dram(1 << 20), acc(0), 16, 16);
  }
  p.machine.fence();
  ASSERT_EQ(p.fault(), "");
  const Counters total = p.machine.total();
  EXPECT_EQ(trace.events().size(), 10u);
  EXPECT_GT(trace.slices().mergedGap(), 0);
  EXPECT_LE(trace.slices().list().size(), 6000u);
  EXPECT_LE(trace.dramBytes().size(), 512u);
  int64_t bytes = 0, inSlices = 0, commands = 0;
  for (int64_t part : trace.dramBytes())
    bytes += part;
  std::array<int64_t, kNumTracks> last{}, busy{};
  for (const TraceSlice &slice : trace.slices().list()) {
    EXPECT_GE(slice.start, last[size_t(slice.track)]);
    EXPECT_LE(slice.busy, slice.finish - slice.start);
    last[size_t(slice.track)] = slice.finish;
    busy[size_t(slice.track)] += slice.busy;
    inSlices += slice.bytes;
    commands += slice.commands;
  }
  EXPECT_EQ(bytes, total.dramBytesRead + total.dramBytesWritten);
  EXPECT_EQ(inSlices, bytes);
  EXPECT_EQ(commands, int64_t(trace.events().size() + trace.dropped()));
  EXPECT_EQ(busy[size_t(Track::Load)], total.loadBusyCycles);
  EXPECT_EQ(busy[size_t(Track::Store)], total.storeBusyCycles);
}

// Members take turns, so that their slices lie between each other's.
TEST(Trace, MembersHaveSlicesOfTheirOwn) {
  Accelerator a = unlimited();
  Trace trace(10);
  Program p(a, {/*functional=*/false, &trace});
  p.config(ConfigEx());
  p.configLd(64, a.side);
  p.configSt(64);
  p.machine.region(0);
  p.mvin(nullptr, sp(0), 16, 16);
  p.mvin(nullptr, sp(16), 16, 16);
  constexpr int64_t kTiles = 5000;
  for (int64_t i = 0; i < kTiles; ++i) {
    p.machine.member(0);
    p.mvin(TimedProgram::dram(), sp(512), 16, 16);
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
    p.machine.member(1);
    p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
    p.mvout(TimedProgram::dram(1 << 20), acc(0), 16, 16);
  }
  p.machine.fence();
  ASSERT_EQ(p.fault(), "");
  const TraceSlices &slices = trace.memberSlices();
  EXPECT_LE(slices.list().size(), 6000u);
  EXPECT_GT(slices.mergedGap(), 0);
  EXPECT_EQ(slices.leftOut(), 0);
  int64_t loads[2] = {}, passes[2] = {}, stores[2] = {};
  for (const TraceSlice &slice : slices.list()) {
    ASSERT_TRUE(slice.member == 0 || slice.member == 1);
    (slice.track == Track::Load      ? loads
     : slice.track == Track::Execute ? passes
                                     : stores)[slice.member] += slice.commands;
  }
  EXPECT_EQ(loads[0], kTiles + 2);
  EXPECT_EQ(loads[1], 0);
  EXPECT_EQ(stores[0], 0);
  EXPECT_EQ(stores[1], kTiles);
  EXPECT_GE(passes[0], kTiles);
  EXPECT_GE(passes[1], kTiles);
}

// A host that enters regions without end leaves no room for all of them.
TEST(Trace, SaysWhatIsInNoSlice) {
  TraceSlices slices(/*byMember=*/false);
  for (int64_t i = 0; i < 10000; ++i) {
    TraceEvent event;
    event.kind = CommandKind::Mvin;
    event.start = 10 * i;
    event.finish = 10 * i + 5;
    event.region = i % 2;
    slices.add(event);
  }
  EXPECT_EQ(slices.list().size(), 6000u);
  int64_t commands = 0;
  for (const TraceSlice &slice : slices.list())
    commands += slice.commands;
  EXPECT_GT(slices.leftOut(), 0);
  EXPECT_EQ(commands + slices.leftOut(), 10000);
}

TEST(Trace, FileIsBounded) {
  Trace trace(1000);
  trace.enterRegion(0, 0);
  for (int64_t i = 0; i < 1000; ++i) {
    TraceEvent event;
    event.kind = CommandKind::Mvin;
    event.start = 10 * i;
    event.finish = 10 * i + 5;
    event.region = event.member = 0;
    trace.add(event);
  }
  trace.finish(10000);
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_EQ(trace.write(os, {{"a", {"a"}, 5, 7}}), 1000u);
  const size_t whole = text.size();
  text.clear();
  const size_t written = trace.write(os, {{"a", {"a"}, 5, 7}}, whole / 2);
  EXPECT_GT(written, 0u);
  EXPECT_LT(written, 600u);
  EXPECT_LE(text.size(), whole / 2);
  EXPECT_NE(text.find("\"dropped_commands\":" + std::to_string(1000 - written)),
            std::string::npos);
}

} // namespace
