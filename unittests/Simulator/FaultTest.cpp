//===- FaultTest.cpp - Every illegal command is caught --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "gtest/gtest.h"

#include <functional>

using namespace fadiff;
using namespace fadiff::sim;

namespace {

/// DRAM that every case may use, 64 KiB.
int8_t *dram() {
  static std::vector<int8_t> memory(1 << 16, 1);
  return memory.data();
}

/// A program that is legal up to its last command.
struct Case {
  const char *name;
  /// Part of the message wanted.
  const char *message;
  std::function<void(Program &)> run;
  HandOver handOver = HandOver::None;
};

/// Configured, with 64 rows of scratchpad and 64 of accumulator written.
void setUp(Program &p) {
  p.config(ConfigEx());
  for (int id = 0; id < 3; ++id)
    p.configLd(64, 16, id);
  p.configSt(64);
  for (int row = 0; row < 64; row += 16) {
    p.mvin(dram(), sp(row), 16, 16);
    p.mvin(dram(), acc(row), 16, 16);
  }
  p.machine.fence();
}

const Case cases[] = {
    // What there is.
    {"UnknownFunct", "funct 99 is not an instruction",
     [](Program &p) { p.run({99, 0, 0}); }},
    {"LoopConvWs", "no loop_conv_ws_config_1 since the loop before it",
     [](Program &p) { p.run({15, 0, 0}); }},
    {"ConfigNorm", "no normalisation hardware",
     [](Program &p) { p.run({0, 3, 0}); }},
    {"NoMvoutSpad", "has no mvout_spad",
     [](Program &p) { p.mvoutSpad(sp(0), acc(0), 4, 4); }},

    // Configuration.
    {"OutputStationary", "output-stationary",
     [](Program &p) {
       ConfigEx c;
       c.dataflow = isa::Dataflow::OutputStationary;
       p.config(c);
     }},
    {"BothTransposed", "cannot both be transposed",
     [](Program &p) {
       ConfigEx c;
       c.transposeA = c.transposeB = true;
       p.config(c);
     }},
    {"CStrideZero", "c_stride is 0",
     [](Program &p) {
       ConfigEx c;
       c.cStride = 0;
       p.config(c);
     }},
    {"ExScaleZero", "scale must be finite and not 0",
     [](Program &p) {
       ConfigEx c;
       c.scale = 0;
       p.config(c);
     }},
    {"ExActivation", "activation 2",
     [](Program &p) {
       ConfigEx c;
       c.activation = Activation::LayerNorm;
       p.config(c);
     }},
    {"ConfigExInPair", "between a preload and its compute",
     [](Program &p) {
       p.preload(sp(0), 16, 16, acc(0), 16, 16);
       p.config(ConfigEx());
     }},
    {"ExNegativeRelu", "ReLU with a negative scale",
     [](Program &p) {
       ConfigEx c;
       c.activation = Activation::Relu;
       c.scale = -1;
       p.config(c);
     }},
    {"LdScaleZero", "scale must be finite and not 0",
     [](Program &p) { p.configLd(16, 16, 0, 0.0f); }},
    {"LdScaleInfinite", "scale must be finite and not 0",
     [](Program &p) { p.configLd(16, 16, 0, INFINITY); }},
    {"LdMvin3", "mvin 3 does not exist",
     [](Program &p) { p.configLd(16, 16, 3); }},
    {"PixelRepeats", "pixel_repeats 2",
     [](Program &p) {
       ConfigLd c;
       c.blockStride = 16;
       c.pixelRepeats = 2;
       p.config(c);
       p.mvin(nullptr, acc(0), 4, 4);
     }},
    {"StScaleZero", "scale must be finite and not 0",
     [](Program &p) { p.configSt(16, 0.0f); }},
    {"StActivation", "activation 3",
     [](Program &p) { p.configSt(16, 1.0f, Activation::Gelu); }},
    {"StNegativeRelu", "ReLU with a negative scale",
     [](Program &p) { p.configSt(16, -1.0f, Activation::Relu); }},
    {"PoolSizeWithoutStride", "undocumented mode",
     [](Program &p) {
       ConfigSt c = pooling();
       c.poolStride = 0;
       p.config(c);
     }},
    {"PoolWithoutRows", "pooling needs",
     [](Program &p) {
       ConfigSt c = pooling();
       c.rows = 0;
       p.config(c);
     }},

    // mvin.
    {"MvinGarbage", "is the garbage address",
     [](Program &p) { p.mvin(dram(), none(), 1, 1); }},
    {"MvinScratchpadEnd", "rows 1010..1025 of the scratchpad, which has 1024",
     [](Program &p) { p.mvin(dram(), sp(1010), 16, 16); }},
    {"MvinSecondBlockEnd", "rows 1016..1031 of the scratchpad",
     [](Program &p) { p.mvin(dram(), sp(1000), 16, 32); }},
    {"MvinAccumulatorEnd", "rows 241..256 of the accumulator, which has 256",
     [](Program &p) { p.mvin(dram(), acc(241), 16, 16); }},
    {"MvinScratchpadFlags", "mean nothing in the scratchpad",
     [](Program &p) { p.mvin(dram(), {LocalAddress::kAccumulate | 5}, 1, 1); }},
    {"MvinNormFlags", "mean nothing in the accumulator",
     [](Program &p) { p.mvin(dram(), {acc(0).bits | 1u << 26}, 1, 1); }},
    {"MvinRows", "is 17 x 16; wanted rows in 1..16",
     [](Program &p) {
       p.configLd(16, 32);
       p.mvin(dram(), sp(0), 17, 16);
     }},
    {"MvinNoRows", "is 0 x 16",
     [](Program &p) { p.mvin(dram(), sp(0), 0, 16); }},
    {"MvinCols", "is 16 x 65; wanted rows in 1..16 and columns in 1..64",
     [](Program &p) { p.mvin(dram(), sp(0), 16, 65); }},
    {"MvinWideCols", "is 16 x 17; wanted rows in 1..16 and columns in 1..16",
     [](Program &p) { p.mvin(dram(), acc(0), 16, 17); }},
    {"MvinBlockStride", "block_stride 15 is less than the 16 rows",
     [](Program &p) {
       p.configLd(16, 15);
       p.mvin(dram(), sp(0), 16, 16);
     }},
    {"MvinAddsToNothing", "row 64 of the accumulator, of which 0",
     [](Program &p) { p.mvin(dram(), accAdd(63), 2, 16); }},

    // mvout.
    {"MvoutNull", "DRAM address is 0",
     [](Program &p) { p.mvout(nullptr, acc(0), 1, 1); }},
    {"MvoutEnd", "rows 255..256 of the accumulator",
     [](Program &p) { p.mvout(dram(), acc(255), 2, 16); }},
    {"MvoutRows", "is 17 x 16",
     [](Program &p) { p.mvout(dram(), acc(0), 17, 16); }},
    {"MvoutCols", "is 1 x 65",
     [](Program &p) { p.mvout(dram(), acc(0), 1, 65); }},
    {"MvoutWideCols", "is 1 x 17",
     [](Program &p) { p.mvout(dram(), LocalAddress::fullWidth(0), 1, 17); }},
    {"MvoutUnwritten", "row 64 of the accumulator, of which 0",
     [](Program &p) { p.mvout(dram(), acc(64), 1, 1); }},
    {"MvoutUnwrittenBlock", "row 64 of the scratchpad, of which 0",
     [](Program &p) { p.mvout(dram(), sp(48), 1, 17); }},
    {"MvoutUnwrittenColumns",
     "6 columns of row 100 of the scratchpad, of which 5",
     [](Program &p) {
       p.mvin(dram(), sp(100), 1, 5);
       p.mvout(dram(), sp(100), 1, 6);
     }},
    {"MvoutOverlap", "overwrite each other",
     [](Program &p) {
       p.configSt(15);
       p.mvout(dram(), acc(0), 2, 16);
     }},
    {"PooledFullWidth", "pooling of full-width rows",
     [](Program &p) {
       p.config(pooling());
       p.mvout(dram(), LocalAddress::fullWidth(0), 1, 16);
     }},
    {"PooledCols", "is 1 x 17",
     [](Program &p) {
       p.config(pooling());
       p.mvout(dram(), acc(0), 1, 17);
     }},
    {"PooledUnwritten", "row 64 of the accumulator",
     [](Program &p) {
       p.config(pooling());
       p.mvout(dram(), acc(1), 1, 16);
     }},
    {"PooledEnd", "rows 200..263 of the accumulator",
     [](Program &p) {
       p.config(pooling());
       p.mvout(dram(), acc(200), 1, 16);
     }},

    // mvout_spad.
    {"SpadSource", "must be elements, not sums, out of the",
     [](Program &p) { p.mvoutSpad(sp(0), sp(0), 1, 1); }, HandOver::MvoutSpad},
    {"SpadFullWidth", "must be elements, not sums, out of the",
     [](Program &p) { p.mvoutSpad(sp(0), LocalAddress::fullWidth(0), 1, 1); },
     HandOver::MvoutSpad},
    {"SpadDestination", "must be in the scratchpad",
     [](Program &p) { p.mvoutSpad(acc(0), acc(0), 1, 1); },
     HandOver::MvoutSpad},
    {"SpadDestinationEnd", "rows 1020..1026 of the scratchpad",
     [](Program &p) { p.mvoutSpad(sp(1020), acc(0), 4, 1, 2); },
     HandOver::MvoutSpad},
    {"SpadStrideZero", "dest_stride 0",
     [](Program &p) { p.mvoutSpad(sp(0), acc(0), 2, 1, 0); },
     HandOver::MvoutSpad},
    {"SpadCols", "is 1 x 17",
     [](Program &p) { p.mvoutSpad(sp(0), acc(0), 1, 17); },
     HandOver::MvoutSpad},
    {"SpadUnwritten", "row 64 of the accumulator",
     [](Program &p) { p.mvoutSpad(sp(0), acc(64), 1, 1); },
     HandOver::MvoutSpad},
    {"SpadPoolingUnwritten", "row 64 of the accumulator",
     [](Program &p) {
       p.config(pooling());
       p.mvoutSpad(sp(0), acc(64), 1, 1);
     },
     HandOver::MvoutSpad},
    {"SpadPoolingEnd", "the destination takes rows 1020..",
     [](Program &p) {
       p.config(pooling());
       p.mvoutSpad(sp(1020), acc(0), 1, 1);
     },
     HandOver::MvoutSpad},
    {"SpadPoolingOverlap", "others put several on one",
     [](Program &p) {
       ConfigSt c = pooling();
       c.poolOutDim = 3;
       p.config(c);
       p.mvoutSpad(sp(0), acc(0), 1, 1);
     },
     HandOver::MvoutSpad},

    // preload.
    {"PreloadTwice", "follows a preload that no compute has used",
     [](Program &p) {
       p.preload(sp(0), 16, 16, acc(0), 16, 16);
       p.preload(sp(0), 16, 16, acc(0), 16, 16);
     }},
    {"PreloadSize", "B is 17 x 16",
     [](Program &p) { p.preload(sp(0), 17, 16, acc(0), 16, 16); }},
    {"PreloadUnwritten", "B reads 16 columns of row 64",
     [](Program &p) { p.preload(sp(49), 16, 16, acc(0), 16, 16); }},
    {"PreloadEnd", "B takes rows 1020..1035",
     [](Program &p) { p.preload(sp(1020), 16, 16, acc(0), 16, 16); }},
    {"PreloadAccumulator", "cannot read the accumulator",
     [](Program &p) { p.preload(acc(0), 16, 16, acc(16), 16, 16); },
     HandOver::MvoutSpad},
    {"CSize", "C is 16 x 0",
     [](Program &p) { p.preload(sp(0), 16, 16, acc(0), 16, 0); }},
    {"CEnd", "C takes rows 250..265",
     [](Program &p) { p.preload(sp(0), 16, 16, acc(250), 16, 16); }},
    {"CAccumulatesInScratchpad", "mean nothing in the scratchpad",
     [](Program &p) {
       p.preload(sp(0), 16, 16, {LocalAddress::kAccumulate}, 16, 16);
     }},

    // compute.
    {"ComputeAlone", "no preload before it",
     [](Program &p) { p.compute(sp(0), 16, 16); }},
    {"ComputeTwice", "no preload before it",
     [](Program &p) {
       p.matmul(sp(0), sp(16), acc(0), 16, 16, 16);
       p.compute(sp(0), 16, 16);
     }},
    {"ComputeNothingKept", "none has been loaded",
     [](Program &p) {
       p.preload(none(), 0, 0, acc(0), 16, 16);
       p.compute(sp(0), 16, 16, /*accumulated=*/true);
     }},
    {"ComputeIgnoresB", "does not use",
     [](Program &p) {
       p.preload(sp(0), 16, 16, acc(0), 16, 16);
       p.compute(sp(0), 16, 16, /*accumulated=*/true);
     }},
    {"ComputeGarbageA", "A is the garbage address",
     [](Program &p) {
       p.preload(sp(0), 16, 16, acc(0), 16, 16);
       p.compute(none(), 16, 16);
     }},
    {"ComputeAccumulatorA", "cannot read the accumulator",
     [](Program &p) {
       p.preload(sp(0), 16, 16, acc(0), 16, 16);
       p.compute(acc(16), 16, 16);
     }},
    {"ComputeUnwrittenA", "A reads 16 columns of row 64",
     [](Program &p) {
       p.preload(sp(0), 16, 16, acc(0), 16, 16);
       p.compute(sp(49), 16, 16);
     }},
    {"ComputeAStride", "A takes rows 1000..1030",
     [](Program &p) {
       ConfigEx c;
       c.aStride = 2;
       p.config(c);
       p.preload(sp(0), 16, 16, acc(0), 16, 16);
       p.compute(sp(1000), 16, 16);
     }},
    {"ComputeInnerShape", "wanted A.cols = B.rows",
     [](Program &p) {
       p.preload(sp(0), 16, 16, acc(0), 16, 16);
       p.compute(sp(0), 16, 15);
     }},
    {"ComputeKeptShape", "wanted A.cols = B.rows",
     [](Program &p) {
       p.matmul(sp(0), sp(0), acc(0), 16, 12, 16);
       p.preload(none(), 0, 0, acc(0), 16, 16);
       p.compute(sp(0), 16, 16, /*accumulated=*/true);
     }},
    {"ComputeRows", "wanted A.rows = C.rows",
     [](Program &p) {
       p.preload(sp(0), 16, 16, acc(0), 16, 16);
       p.compute(sp(0), 15, 16);
     }},
    {"ComputeCols", "wanted B.cols = C.cols",
     [](Program &p) {
       p.preload(sp(0), 16, 16, acc(0), 16, 15);
       p.compute(sp(0), 16, 16);
     }},
    {"ComputeD", "D is 16 x 15 but C is 16 x 16",
     [](Program &p) {
       p.preload(sp(0), 16, 16, acc(0), 16, 16);
       p.compute(sp(0), 16, 16, false, sp(0), 16, 15);
     }},
    {"ComputeUnwrittenSum", "the sum in C reads 16 columns of row 64",
     [](Program &p) {
       p.preload(sp(0), 16, 16, accAdd(49), 16, 16);
       p.compute(sp(0), 16, 16);
     }},
    {"FenceInPair", "fence would never end",
     [](Program &p) {
       p.preload(sp(0), 16, 16, acc(0), 16, 16);
       p.machine.fence();
     }},
};

/// For names of tests and messages.
void PrintTo(const Case &testCase, std::ostream *os) { *os << testCase.name; }

class Faults : public testing::TestWithParam<Case> {};

TEST_P(Faults, IsCaught) {
  const Case &c = GetParam();
  Program p(testAccelerator(16, c.handOver));
  setUp(p);
  ASSERT_EQ(p.fault(), "");
  c.run(p);
  ASSERT_TRUE(p.machine.fault()) << "wanted: " << c.message;
  EXPECT_NE(p.fault().find(c.message), std::string::npos) << p.fault();
}

INSTANTIATE_TEST_SUITE_P(All, Faults, testing::ValuesIn(cases),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

// What the machine's description denies it.
TEST(Fault, MissingAbilities) {
  auto faultOf = [](void (*change)(Accelerator &), auto run) {
    Accelerator a = testAccelerator();
    Program able(a);
    run(able);
    EXPECT_EQ(able.fault(), "");
    change(a);
    Program p(a);
    run(p);
    return p.fault();
  };
  auto pool = [](Program &p) { p.config(pooling()); };
  EXPECT_EQ(faultOf([](Accelerator &a) { a.pool.window = 0; }, pool),
            "pooling with pool_size 2: pool.window of 'test' is 0");
  EXPECT_EQ(faultOf([](Accelerator &a) { a.pool.stride = 1; }, pool),
            "pooling with pool_stride 2: pool.stride of 'test' is 1");
  EXPECT_EQ(faultOf([](Accelerator &a) { a.pool.extent = 7; }, pool),
            "pooling with rows 8: pool.extent of 'test' is 7");
  EXPECT_EQ(faultOf([](Accelerator &a) { a.loadScale = LoadScale::None; },
                    [](Program &p) { p.configLd(16, 16, 2, 0.5f); }),
            "loads have no scale: accumulator.load_scale of 'test' is none; "
            "wanted 1");
  Accelerator a = testAccelerator();
  a.loadScale = LoadScale::None;
  Program p(a);
  p.configLd(16, 16, 2, 1.0f);
  EXPECT_EQ(p.fault(), "");
}

TEST(Fault, NeedsConfigurationFirst) {
  int8_t byte[64] = {};
  {
    Program p;
    p.mvin(byte, sp(0), 1, 1);
    EXPECT_EQ(p.fault(), "no config_ld for mvin before it");
  }
  {
    Program p;
    p.configLd(16, 16, 0);
    p.move(Funct::Mvin3, byte, sp(0), 1, 1);
    EXPECT_EQ(p.fault(), "no config_ld for mvin3 before it");
  }
  {
    Program p;
    p.mvout(byte, acc(0), 1, 1);
    EXPECT_EQ(p.fault(), "no config_st before it");
  }
  {
    Program p(testAccelerator(16, HandOver::MvoutSpad));
    p.mvoutSpad(sp(0), acc(0), 1, 1);
    EXPECT_EQ(p.fault(), "no config_st before it");
  }
  {
    Program p;
    p.preload(sp(0), 1, 1, acc(0), 1, 1);
    EXPECT_EQ(p.fault(), "no config_ex before it");
  }
  {
    Program p;
    ConfigEx config;
    config.setOnlyStrides = true;
    p.config(config);
    EXPECT_EQ(p.fault(), "set_only_strides before any full config_ex");
  }
  {
    Program p;
    isa::Command command = isa::encode(ConfigSt());
    isa::config_st::kScale.set(command, 0xFFFFFFFF);
    p.run(command);
    EXPECT_NE(p.fault().find("keeps the last scale"), std::string::npos);
  }
}

TEST(Fault, NamesTheCommandAndStopsTheMachine) {
  Program p;
  int8_t bytes[64] = {};
  p.machine.region(7);
  p.configLd(16, 16);
  p.mvin(bytes, sp(0), 1, 16);
  p.machine.fence();
  p.mvin(bytes, sp(1024), 1, 16);
  Counters before = p.machine.total();
  ASSERT_TRUE(p.machine.fault());
  const Fault fault = *p.machine.fault();
  EXPECT_EQ(fault.command, 3u);
  EXPECT_EQ(fault.region, 7);
  EXPECT_EQ(fault.disassembly.find("mvin dram=0x"), 0u);
  EXPECT_NE(fault.disassembly.find("local=sp[1024] rows=1 cols=16"),
            std::string::npos);
  EXPECT_EQ(fault.str(), "command 3 (" + fault.disassembly +
                             ") in region 7: " + fault.message);
  // Nothing that follows has an effect, or replaces the fault.
  p.mvin(bytes, sp(0), 1, 16);
  p.run({99, 0, 0});
  p.machine.fence();
  p.machine.region(8);
  EXPECT_EQ(p.machine.total(), before);
  EXPECT_EQ(p.machine.fault()->str(), fault.str());
}

TEST(Fault, ImpossibleAccelerators) {
  Accelerator a = testAccelerator();
  a.side = 0;
  EXPECT_NE(
      Machine(a).fault()->message.find("side must be in 1..1024, found 0"),
      std::string::npos);
  a = testAccelerator();
  a.accumulatorBytes = 32;
  EXPECT_TRUE(Machine(a).fault());
  a = testAccelerator();
  a.executeStations = 1;
  EXPECT_NE(Machine(a).fault()->message.find("executeStations must be in 2.."),
            std::string::npos);
  a = testAccelerator();
  a.dmaRequestsInFlight = 0;
  Machine machine(a);
  EXPECT_TRUE(machine.fault());
  machine.execute(7, 0, 0);
  EXPECT_EQ(machine.cycles(), 0);
}

} // namespace
