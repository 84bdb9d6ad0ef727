//===- LoopWsTest.cpp - The matmul loop -----------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "fadiff/ISA/LoopWs.h"

#include "gtest/gtest.h"

#include <functional>

using namespace fadiff;
using namespace fadiff::sim;
using isa::LoopWs;
using isa::LoopWsPair;

namespace {

uint64_t addressOf(const void *pointer) {
  return reinterpret_cast<uintptr_t>(pointer);
}

/// The six commands of a loop.
void run(Program &p, const LoopWs &loop) {
  p.run(encode(loop.bounds));
  p.run(encode(LoopWsPair{Funct::LoopWsConfigAddrsAB, loop.a, loop.b}));
  p.run(encode(LoopWsPair{Funct::LoopWsConfigAddrsDC, loop.d, loop.c}));
  p.run(encode(
      LoopWsPair{Funct::LoopWsConfigStridesAB, loop.aStride, loop.bStride}));
  p.run(encode(
      LoopWsPair{Funct::LoopWsConfigStridesDC, loop.dStride, loop.cStride}));
  p.run(encode(loop.run));
}

/// Blocks and the pad of `extent` elements.
std::pair<uint16_t, uint16_t> blocksOf(int extent, int side) {
  const int blocks = (extent + side - 1) / side;
  return {uint16_t(blocks), uint16_t(blocks * side - extent)};
}

/// Row-major m x k times k x n, with everything that a loop may do to it.
struct Product {
  int m, k, n;
  std::vector<int8_t> a, b;
  std::vector<int32_t> bias;
  std::vector<int8_t> low; ///< D of low_d
  bool hasBias = false, hasLow = false, fullC = false, relu = false;
  float scale = 1.0f / 64;

  Product(std::mt19937 &rng, int m, int k, int n)
      : m(m), k(k), n(n), a(randomBytes(rng, m * k)),
        b(randomBytes(rng, k * n)), bias(n), low(randomBytes(rng, m * n)) {
    for (int32_t &value : bias)
      value = int32_t(rng() % 20000) - 10000;
  }

  int32_t sum(int i, int j) const {
    int32_t sum = hasBias ? bias[j] : hasLow ? low[i * n + j] : 0;
    for (int x = 0; x < k; ++x)
      sum += int32_t(a[i * k + x]) * b[x * n + j];
    return sum;
  }

  void configure(Program &p) const {
    const int side = p.machine.accelerator().side;
    p.config(ConfigEx());
    p.configLd(k, side, 0);
    p.configLd(n, side, 1);
    p.configLd(hasLow ? n : 0, side, 2, 1.0f, hasLow);
    p.configSt(fullC ? 4 * n : n, scale,
               relu ? Activation::Relu : Activation::None);
  }

  /// The loop over rows from `i`, columns from `j` and depth from `x`.
  LoopWs loop(int side, void *c, int i, int rows, int j, int cols, int x,
              int depth) const {
    LoopWs loop;
    std::tie(loop.bounds.i, loop.bounds.padI) = blocksOf(rows, side);
    std::tie(loop.bounds.j, loop.bounds.padJ) = blocksOf(cols, side);
    std::tie(loop.bounds.k, loop.bounds.padK) = blocksOf(depth, side);
    loop.a = addressOf(a.data() + i * k + x);
    loop.b = addressOf(b.data() + x * n + j);
    if (x == 0 && hasBias)
      loop.d = addressOf(bias.data() + j);
    if (x == 0 && hasLow)
      loop.d = addressOf(low.data() + i * n + j);
    if (x + depth == k)
      loop.c = addressOf(c) + (i * n + j) * (fullC ? 4 : 1);
    loop.aStride = k;
    loop.bStride = n;
    loop.dStride = hasLow ? n : 0;
    loop.cStride = n;
    loop.run.accumulate = hasBias || hasLow || x > 0;
    loop.run.lowD = hasLow;
    loop.run.fullC = fullC;
    return loop;
  }

  void expectResult(const std::vector<char> &c) const {
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        const int32_t wanted = sum(i, j);
        if (fullC)
          ASSERT_EQ(reinterpret_cast<const int32_t *>(c.data())[i * n + j],
                    wanted)
              << i << ", " << j;
        else
          ASSERT_EQ(int8_t(c[i * n + j]), requantReference(wanted, scale, relu))
              << i << ", " << j;
      }
  }
};

Product randomProduct(std::mt19937 &rng, int most) {
  Product product(rng, 1 + rng() % most, 1 + rng() % most, 1 + rng() % most);
  product.hasBias = rng() % 3 == 0;
  product.hasLow = !product.hasBias && rng() % 2;
  product.fullC = rng() % 3 == 0;
  product.relu = rng() % 2;
  return product;
}

/// Whole products by tiles of at most 2 x 2 x 3 blocks, halves in turns.
TEST(LoopWs, TiledMatmulWithEdges) {
  for (int side : {16, 32}) {
    std::mt19937 rng(side);
    for (int trial = 0; trial < 12; ++trial) {
      const Product product = randomProduct(rng, 150);
      const auto [m, k, n] = std::tuple(product.m, product.k, product.n);
      std::vector<char> c(4 * m * n);
      Program p(testAccelerator(side));
      product.configure(p);
      const int tile = 2 * side, deep = 3 * side;
      for (int i = 0; i < m; i += tile)
        for (int j = 0; j < n; j += tile)
          for (int x = 0; x < k; x += deep)
            run(p,
                product.loop(side, c.data(), i, std::min(tile, m - i), j,
                             std::min(tile, n - j), x, std::min(deep, k - x)));
      p.machine.fence();
      ASSERT_EQ(p.fault(), "");
      product.expectResult(c);
      EXPECT_EQ(p.machine.total().macs, int64_t(m) * n * k);
      EXPECT_EQ(p.machine.total().dramBytesWritten,
                int64_t(m) * n * (product.fullC ? 4 : 1));
    }
  }
}

/// A loop moves and computes what its instructions do when the core issues
/// them, one by one.
TEST(LoopWs, EqualsItsInstructions) {
  std::mt19937 rng(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Product product = randomProduct(rng, 80);
    const auto [m, k, n] = std::tuple(product.m, product.k, product.n);
    const int rows = std::min(m, 32), cols = std::min(n, 64);
    std::vector<char> c(4 * m * n), d(4 * m * n);
    LoopWs loop = product.loop(16, c.data(), 0, rows, 0, cols, 0, k);

    Program whole;
    product.configure(whole);
    run(whole, loop);
    whole.machine.fence();
    ASSERT_EQ(whole.fault(), "");

    Program single;
    product.configure(single);
    loop.c = addressOf(d.data());
    const isa::LoopSteps steps = expand(loop, {0, 512 - loop.bRows(16), 0},
                                        single.machine.accelerator());
    for (const auto *all : {&steps.loads, &steps.executes, &steps.stores})
      for (const isa::LoopStep &step : *all)
        single.run(step.command);
    single.machine.fence();
    ASSERT_EQ(single.fault(), "");

    EXPECT_EQ(c, d);
    Counters a = whole.machine.total(), b = single.machine.total();
    EXPECT_EQ(a[CommandKind::LoopWs], 6);
    EXPECT_EQ(a.unrolledCommands,
              int64_t(steps.loads.size() + steps.executes.size() +
                      steps.stores.size()));
    EXPECT_EQ(a.coreCommands(), 5 + 6 + 1);
    // The first load comes five commands later.
    EXPECT_LE(a.cycles, b.cycles + 5 * 5 + 1);
    // All else is the same.
    a[CommandKind::LoopWs] = 0;
    a.unrolledCommands = 0;
    for (Counters *counters : {&a, &b}) {
      counters->cycles = counters->executeBusyCycles = 0;
      counters->loadOpenCycles = counters->startCycles = 0;
      counters->arrayTime = {};
    }
    EXPECT_EQ(a, b);
  }
}

/// A and B stay where the loop before has put them, sums where they are made.
TEST(LoopWs, KeepsOperands) {
  std::mt19937 rng(5);
  Product product(rng, 32, 48, 96);
  std::vector<char> c(32 * 96);
  Program p;
  product.configure(p);
  // A stays for three tiles of B.
  for (int j = 0; j < 96; j += 32) {
    LoopWs loop = product.loop(16, c.data(), 0, 32, j, 32, 0, 48);
    if (j > 0)
      loop.a = 0;
    loop.run.aHalf = 2;
    loop.run.bHalf = 1 + j / 32 % 2;
    run(p, loop);
  }
  p.machine.fence();
  ASSERT_EQ(p.fault(), "");
  product.expectResult(c);
  EXPECT_EQ(p.machine.total().dramBytesRead, 32 * 48 + 48 * 96);

  // Sums stay for three steps of the reduction.
  std::fill(c.begin(), c.end(), 0);
  Program q;
  product.configure(q);
  for (int i = 0; i < 32; i += 16)
    for (int x = 0; x < 48; x += 16) {
      run(q, product.loop(16, c.data(), i, 16, 0, 96, x, 16));
    }
  q.machine.fence();
  ASSERT_EQ(q.fault(), "");
  product.expectResult(c);
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

int64_t cyclesOf(const Accelerator &accelerator,
                 std::function<void(Program &, const Product &)> body) {
  std::mt19937 rng(7);
  const Product product(rng, 32, 128, 32);
  Program p(accelerator, {/*functional=*/false});
  product.configure(p);
  p.machine.fence();
  const int64_t start = p.machine.cycles();
  body(p, product);
  p.machine.fence();
  EXPECT_EQ(p.fault(), "");
  return p.machine.cycles() - start;
}

char *someDram() { return reinterpret_cast<char *>(uintptr_t(1 << 20)); }

/// The core issues six commands, whatever the loop does.
TEST(LoopWsTime, IssueCostsTheCoreSixCommands) {
  auto loop = [](Program &p, const Product &product) {
    run(p, product.loop(16, someDram(), 0, 32, 0, 32, 0, 128));
  };
  auto single = [](Program &p, const Product &product) {
    const LoopWs loop = product.loop(16, someDram(), 0, 32, 0, 32, 0, 128);
    const isa::LoopSteps steps =
        expand(loop, {0, 512 - loop.bRows(16), 0}, p.machine.accelerator());
    for (const auto *all : {&steps.loads, &steps.executes, &steps.stores})
      for (const isa::LoopStep &step : *all)
        p.run(step.command);
  };
  Accelerator fast = testAccelerator(), slow = testAccelerator();
  fast.commandCycles = 1;
  slow.commandCycles = 40;
  EXPECT_EQ(cyclesOf(slow, loop) - cyclesOf(fast, loop), 39 * 6);
  // 32 computes with their preloads, more than the array takes.
  EXPECT_GT(cyclesOf(slow, single), 64 * 40);
  EXPECT_LT(cyclesOf(slow, loop), 64 * 40);
}

/// The second loop's loads run beside the first one's computes, the third one's
/// do not begin before the first loop has issued all it has.
TEST(LoopWsTime, TwoLoopsOverlap) {
  auto loops = [](int count, bool fenced) {
    return [=](Program &p, const Product &product) {
      for (int i = 0; i < count; ++i) {
        run(p, product.loop(16, someDram() + i * 4096, 0, 32, 0, 32, 0, 128));
        if (fenced)
          p.machine.fence();
      }
    };
  };
  const Accelerator a = testAccelerator();
  const int64_t one = cyclesOf(a, loops(1, false));
  const int64_t two = cyclesOf(a, loops(2, false));
  // The reader never rests: 4 + 4 moves of A of 64 columns, 8 of B.
  const int64_t loads = 4 * 100 + 8 * 100;
  EXPECT_EQ(two - one, loads);
  EXPECT_GT(cyclesOf(a, loops(2, true)), one + loads + 100);
  // Few cycles of loading, many of computing.
  Accelerator wide = a;
  wide.dmaRequestsInFlight = 1024;
  wide.dmaBytesPerCycle = 64;
  wide.dmaLatency = 10;
  const int64_t array = 8 * 4 * 16;
  const int64_t three = cyclesOf(wide, loops(3, false));
  EXPECT_EQ(three - cyclesOf(wide, loops(2, false)), array);
}

/// Other commands wait until a loop has issued what it has.
TEST(LoopWsTime, OthersWait) {
  const int commands = 500;
  auto configurations = [&](Program &p) {
    for (int i = 0; i < commands; ++i)
      p.configLd(128, 16, 0);
  };
  const int64_t alone =
      cyclesOf(testAccelerator(),
               [&](Program &p, const Product &) { configurations(p); });
  const int64_t loop =
      cyclesOf(testAccelerator(), [](Program &p, const Product &product) {
        run(p, product.loop(16, someDram(), 0, 32, 0, 32, 0, 128));
      });
  const int64_t both =
      cyclesOf(testAccelerator(), [&](Program &p, const Product &product) {
        run(p, product.loop(16, someDram(), 0, 32, 0, 32, 0, 128));
        configurations(p);
      });
  // But for what has been issued and is on its way.
  EXPECT_GT(both, alone + 1000);
  EXPECT_LT(both, alone + loop);
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

struct Case {
  const char *name;
  const char *message;
  /// Spoils a legal loop, or what stands before it.
  std::function<void(Program &, LoopWs &)> spoil;
};

const Case cases[] = {
    {"NoBlocks", "I has 0 blocks, the last of which lacks 0; wanted at least 1",
     [](Program &, LoopWs &loop) { loop.bounds.i = 0; }},
    {"Pad",
     "J has 2 blocks, the last of which lacks 16; wanted at least 1 and "
     "a pad below 16",
     [](Program &, LoopWs &loop) { loop.bounds.padJ = 16; }},
    {"Half", "a_half 3, b_half 0; wanted 0",
     [](Program &, LoopWs &loop) { loop.run.aHalf = 3; }},
    {"Transpose", "not simulated; wanted rs2 = 0",
     [](Program &, LoopWs &loop) { loop.run.transposeA = true; }},
    {"Extension", "not simulated; wanted rs2 = 0",
     [](Program &, LoopWs &loop) { loop.run.extensions = 4; }},
    {"Activation", "activation 2 needs normalisation hardware",
     [](Program &, LoopWs &loop) {
       loop.run.activation = Activation::LayerNorm;
     }},
    {"Scratchpad",
     "A and B take 1280 rows; wanted at most half of the scratchpad, 512",
     [](Program &, LoopWs &loop) { loop.bounds.k = 20; }},
    {"Accumulator",
     "C takes 160 rows; wanted at most half of the accumulator, 128",
     [](Program &, LoopWs &loop) {
       loop.bounds.i = 5;
       loop.bounds.k = 1;
     }},
    {"InputStride",
     "config_ld for mvin 0 has a stride of 32 bytes; wanted the loop's 48 "
     "elements of 1",
     [](Program &p, LoopWs &) { p.configLd(32, 16, 0); }},
    {"BlockStride",
     "config_ld for mvin 1 has a block_stride of 32; wanted the "
     "side, 16",
     [](Program &p, LoopWs &) { p.configLd(32, 32, 1); }},
    {"Shrink", "low_d is 0 but config_ld has shrink 1",
     [](Program &p, LoopWs &) { p.configLd(0, 16, 2, 1.0f, true); }},
    {"OutputStride",
     "config_st has a stride of 64 bytes; wanted the loop's 32 elements of 1",
     [](Program &p, LoopWs &) { p.configSt(64); }},
    {"Pooling", "config_st pools; wanted pool_stride 0",
     [](Program &p, LoopWs &) { p.config(pooling()); }},
    {"PendingPreload", "stands between a preload and its compute",
     [](Program &p, LoopWs &) { p.preload(none(), 4, 4, none(), 4, 4); }},
    {"SameHalf",
     "A is loaded to rows 0..95 of the scratchpad, which the loop "
     "before it may still read; load it to the other half",
     [](Program &p, LoopWs &loop) {
       loop.run.aHalf = 1;
       run(p, loop);
     }},
    {"SumsInUse",
     "D is loaded over sums that the loop before it may still make",
     [](Program &p, LoopWs &loop) {
       LoopWs first = loop;
       first.c = 0;
       run(p, first);
     }},
    {"NothingKept", "reads 16 columns of row 0 of the scratchpad",
     [](Program &, LoopWs &loop) { loop.a = 0; }},
};

/// For names of tests and messages.
void PrintTo(const Case &testCase, std::ostream *os) { *os << testCase.name; }

class LoopWsFault : public testing::TestWithParam<Case> {};

TEST_P(LoopWsFault, IsFound) {
  std::mt19937 rng(11);
  Product product(rng, 32, 48, 32);
  product.hasBias = true;
  std::vector<char> c(4 * 32 * 32);
  for (bool spoilt : {false, true}) {
    Program p;
    product.configure(p);
    LoopWs loop = product.loop(16, c.data(), 0, 32, 0, 32, 0, 48);
    if (spoilt)
      GetParam().spoil(p, loop);
    run(p, loop);
    if (!spoilt)
      ASSERT_EQ(p.fault(), "");
    else
      EXPECT_NE(p.fault().find(GetParam().message), std::string::npos)
          << p.fault();
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, LoopWsFault, testing::ValuesIn(cases),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

TEST(LoopWs, NeedsTheUnit) {
  std::mt19937 rng(11);
  Product product(rng, 32, 48, 32);
  std::vector<char> c(4 * 32 * 32);
  Accelerator without = testAccelerator();
  without.loopUnit = LoopUnit::None;
  Program p(without);
  product.configure(p);
  run(p, product.loop(16, c.data(), 0, 32, 0, 32, 0, 48));
  EXPECT_EQ(p.fault(), "nothing runs loop_ws: loop_unit of 'test' is none");
}

TEST(LoopWs, WantsAllConfigurations) {
  std::mt19937 rng(11);
  Product product(rng, 32, 48, 32);
  std::vector<char> c(32 * 32);
  const LoopWs loop = product.loop(16, c.data(), 0, 32, 0, 32, 0, 48);
  Program p;
  product.configure(p);
  run(p, loop);
  // A second loop cannot lean on the first one's.
  p.run(encode(loop.run));
  EXPECT_NE(p.fault().find("no loop_ws_config_bounds since the loop before it"),
            std::string::npos)
      << p.fault();
}

/// A fault inside names the loop and the instruction.
TEST(LoopWs, FaultNamesBoth) {
  std::mt19937 rng(11);
  Product product(rng, 32, 48, 32);
  std::vector<char> c(32 * 32);
  Program p;
  p.machine.addDramRange(product.a.data(), product.a.size());
  product.configure(p);
  run(p, product.loop(16, c.data(), 0, 32, 0, 32, 0, 48));
  ASSERT_TRUE(p.machine.fault());
  EXPECT_EQ(p.machine.fault()->command, 10u);
  EXPECT_EQ(p.machine.fault()->disassembly.find("loop_ws accumulate=0"), 0u);
  EXPECT_NE(p.machine.fault()->disassembly.find(": mvin2 dram="),
            std::string::npos);
}

} // namespace
