//===- GemminiTest.cpp - Bit positions of the Gemmini instructions --------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Encodings are compared with literals written down from GemminiISA.scala and
// gemmini.h, not with the constants under test.
//
//===----------------------------------------------------------------------===//

#include "fadiff/ISA/Gemmini.h"

#include "gtest/gtest.h"

#include <random>

using namespace fadiff::isa;

namespace {

constexpr uint64_t kOne = 0x3f800000; // 1.0f

uint64_t bits(uint64_t value, unsigned lo) { return value << lo; }

TEST(Encode, ConfigEx) {
  ConfigEx config;
  config.dataflow = Dataflow::WeightStationary;
  config.activation = Activation::Relu;
  config.transposeB = true;
  config.aStride = 3;
  config.shift = 7;
  config.cStride = 5;
  Command command = encode(config);
  EXPECT_EQ(command.funct, 0u);
  EXPECT_EQ(command.rs1, bits(0, 0) | bits(1, 2) | bits(1, 3) | bits(1, 9) |
                             bits(3, 16) | bits(kOne, 32));
  EXPECT_EQ(command.rs2, bits(7, 0) | bits(5, 48));

  ConfigEx os;
  os.dataflow = Dataflow::OutputStationary;
  os.setOnlyStrides = true;
  os.transposeA = true;
  EXPECT_EQ(encode(os).rs1,
            bits(1, 7) | bits(1, 8) | bits(1, 16) | bits(kOne, 32));
}

TEST(Encode, ConfigLd) {
  ConfigLd config;
  config.mvin = 2;
  config.shrink = true;
  config.pixelRepeats = 9;
  config.blockStride = 32;
  config.scale = 0.5f;
  config.stride = 0x123456789;
  Command command = encode(config);
  EXPECT_EQ(command.funct, 0u);
  EXPECT_EQ(command.rs1, bits(1, 0) | bits(1, 2) | bits(2, 3) | bits(9, 8) |
                             bits(32, 16) | bits(0x3f000000, 32));
  EXPECT_EQ(command.rs2, 0x123456789u);
}

TEST(Encode, ConfigSt) {
  ConfigSt config;
  config.activation = Activation::Relu;
  config.poolStride = 2;
  config.poolSize = 3;
  config.padTop = 1;
  config.padLeft = 2;
  config.poolOutDim = 55;
  config.poolRows = 4;
  config.poolCols = 5;
  config.rows = 9;
  config.cols = 11;
  config.stride = 256;
  Command command = encode(config);
  EXPECT_EQ(command.funct, 0u);
  EXPECT_EQ(command.rs1, bits(2, 0) | bits(1, 2) | bits(2, 4) | bits(3, 6) |
                             bits(1, 8) | bits(2, 10) | bits(55, 24) |
                             bits(4, 32) | bits(5, 40) | bits(9, 48) |
                             bits(11, 56));
  EXPECT_EQ(command.rs2, bits(256, 0) | bits(kOne, 32));
}

TEST(Encode, Moves) {
  Move move;
  move.dramAddress = 0x7fff12345678;
  move.localAddress = LocalAddress::accumulator(17, /*accumulate=*/true);
  move.rows = 16;
  move.cols = 64;
  const std::pair<Funct, uint32_t> functs[] = {{Funct::Mvin, 2},
                                               {Funct::Mvin2, 1},
                                               {Funct::Mvin3, 14},
                                               {Funct::Mvout, 3}};
  for (auto [funct, number] : functs) {
    move.funct = funct;
    Command command = encode(move);
    EXPECT_EQ(command.funct, number);
    EXPECT_EQ(command.rs1, 0x7fff12345678u);
    EXPECT_EQ(command.rs2, bits(0xC0000011, 0) | bits(64, 32) | bits(16, 48));
  }
}

TEST(Encode, MvoutSpad) {
  MvoutSpad move;
  move.destination = LocalAddress::scratchpad(100);
  move.destinationStride = 2;
  move.source = LocalAddress::accumulator(3);
  move.rows = 4;
  move.cols = 5;
  Command command = encode(move);
  EXPECT_EQ(command.funct, 23u);
  EXPECT_EQ(command.rs1, bits(100, 0) | bits(2, 32));
  EXPECT_EQ(command.rs2, bits(0x80000003, 0) | bits(5, 32) | bits(4, 48));
}

TEST(Encode, Readout) {
  ConfigReadout config;
  config.zeroPoint = -3;
  config.low = -128;
  config.high = 90;
  config.perChannel = true;
  config.first = 77;
  Command command = encode(config);
  EXPECT_EQ(command, (Command{96, 0x15A80FD, 77}));
  EXPECT_EQ(decodeConfigReadout(command).zeroPoint, -3);
  EXPECT_EQ(decodeConfigReadout(command).low, -128);
  EXPECT_EQ(disassemble(command),
            "config_readout zero_point=253 low=128 high=90 per_channel=1 "
            "first=77");
  MvinScales move;
  move.dramAddress = 0x1000;
  move.first = 5;
  move.count = 64;
  EXPECT_EQ(encode(move), (Command{97, 0x1000, (uint64_t(64) << 32) | 5}));
  EXPECT_FALSE(isGemminis(Funct::ConfigReadout) ||
               isGemminis(Funct::MvinScales));
  EXPECT_TRUE(isGemminis(Funct::MvoutSpad));
}

TEST(Encode, PreloadAndCompute) {
  Preload preload{{LocalAddress::scratchpad(8), 16, 12},
                  {LocalAddress::accumulator(2, true), 10, 12}};
  Command command = encode(preload);
  EXPECT_EQ(command.funct, 6u);
  EXPECT_EQ(command.rs1, bits(8, 0) | bits(12, 32) | bits(16, 48));
  EXPECT_EQ(command.rs2, bits(0xC0000002, 0) | bits(12, 32) | bits(10, 48));

  Compute compute{false,
                  {LocalAddress::scratchpad(4), 10, 16},
                  {LocalAddress::garbage(), 10, 12}};
  command = encode(compute);
  EXPECT_EQ(command.funct, 4u);
  EXPECT_EQ(command.rs1, bits(4, 0) | bits(16, 32) | bits(10, 48));
  EXPECT_EQ(command.rs2, bits(0xFFFFFFFF, 0) | bits(12, 32) | bits(10, 48));
  compute.accumulated = true;
  EXPECT_EQ(encode(compute).funct, 5u);
}

TEST(Encode, Flush) {
  EXPECT_EQ(encode(Flush{}), (Command{7, 0, 0}));
  EXPECT_EQ(encode(Flush{true}), (Command{7, 1, 0}));
}

TEST(Encode, LoopWs) {
  LoopWsBounds bounds;
  bounds.i = 7;
  bounds.j = 5;
  bounds.k = 300;
  bounds.padI = 15;
  bounds.padJ = 2;
  bounds.padK = 9;
  Command command = encode(bounds);
  EXPECT_EQ(command.funct, 9u);
  EXPECT_EQ(command.rs1, bits(15, 0) | bits(2, 16) | bits(9, 32));
  EXPECT_EQ(command.rs2, bits(7, 0) | bits(5, 16) | bits(300, 32));

  const std::pair<Funct, uint32_t> functs[] = {
      {Funct::LoopWsConfigAddrsAB, 10},
      {Funct::LoopWsConfigAddrsDC, 11},
      {Funct::LoopWsConfigStridesAB, 12},
      {Funct::LoopWsConfigStridesDC, 13}};
  for (auto [funct, number] : functs)
    EXPECT_EQ(encode(LoopWsPair{funct, 0x7fff12345678, 64}),
              (Command{number, 0x7fff12345678, 64}));

  EXPECT_EQ(encode(LoopWsRun{}), (Command{8, 0, 0}));
  LoopWsRun run;
  run.accumulate = true;
  run.activation = Activation::Gelu;
  run.bHalf = 1;
  run.aHalf = 2;
  run.transposeB = true;
  EXPECT_EQ(encode(run),
            (Command{8, bits(1, 0) | bits(3, 8) | bits(1, 16) | bits(2, 18),
                     bits(1, 1)}));
  run = LoopWsRun();
  run.fullC = run.lowD = run.transposeA = run.resadd = true;
  run.extensions = 1;
  EXPECT_EQ(encode(run), (Command{8, bits(1, 1) | bits(1, 2),
                                  bits(1, 0) | bits(1, 2) | bits(1, 3)}));
}

TEST(Encode, TheInstructionWord) {
  EXPECT_EQ(kOpcode, 0x7bu);
  EXPECT_EQ(kFunct3, 3u);
}

TEST(LocalAddresses, Bits) {
  EXPECT_EQ(LocalAddress::scratchpad(5).bits, 5u);
  EXPECT_EQ(LocalAddress::accumulator(5).bits, 0x80000005u);
  EXPECT_EQ(LocalAddress::accumulator(5, true).bits, 0xC0000005u);
  EXPECT_EQ(LocalAddress::fullWidth(5).bits, 0xA0000005u);
  EXPECT_EQ(LocalAddress::garbage().bits, 0xFFFFFFFFu);
  EXPECT_EQ(LocalAddress{0x80000005u | 3u << 26}.norm(), 3u);
  EXPECT_EQ(LocalAddress{0x80000005u | 3u << 26}.row(), 5u);
  EXPECT_EQ(LocalAddress::fullWidth(9).str(), "acc[9]:i32");
  EXPECT_EQ(LocalAddress::accumulator(9, true).str(), "acc[9]+");
  EXPECT_EQ(LocalAddress::scratchpad(9).str(), "sp[9]");
  EXPECT_EQ(LocalAddress::garbage().str(), "garbage");
}

/// One command of every kind that has a struct.
std::vector<Command> allKinds() {
  std::vector<Command> commands;
  for (uint64_t kind = 0; kind < 3; ++kind)
    commands.push_back({0, kind, 0});
  for (uint32_t funct :
       {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 23, 96, 97})
    commands.push_back({funct, 0, 0});
  return commands;
}

TEST(Fields, DoNotOverlap) {
  for (const Command &command : allKinds()) {
    ASSERT_FALSE(fieldsOf(command).empty()) << mnemonic(command);
    uint64_t used[2] = {0, 0};
    if (command.funct == 0)
      used[0] = kConfigKind.mask();
    for (const Field &field : fieldsOf(command)) {
      uint64_t &reg = used[unsigned(field.source)];
      EXPECT_EQ(reg & field.mask(), 0u) << mnemonic(command) << field.name;
      EXPECT_LE(field.lo + field.width, 64u);
      reg |= field.mask();
    }
  }
}

/// Decoding then encoding gives back every bit that belongs to a field.
TEST(Fields, RandomRoundTrip) {
  std::mt19937_64 rng(1);
  for (const Command &kind : allKinds()) {
    for (int i = 0; i < 1000; ++i) {
      Command command = kind;
      for (const Field &field : fieldsOf(kind)) {
        uint64_t value = rng();
        // Any NaN would do, but not every NaN survives a round trip through
        // float registers.
        if (field.format == FieldFormat::Float)
          value &= ~uint64_t(1 << 30);
        field.set(command, value);
      }
      Command back;
      switch (Funct(kind.funct)) {
      case Funct::Config:
        back = configKind(command) == ConfigKind::Ex
                   ? encode(decodeConfigEx(command))
               : configKind(command) == ConfigKind::Ld
                   ? encode(decodeConfigLd(command))
                   : encode(decodeConfigSt(command));
        break;
      case Funct::ConfigReadout:
        back = encode(decodeConfigReadout(command));
        break;
      case Funct::MvinScales:
        back = encode(decodeMvinScales(command));
        break;
      case Funct::MvoutSpad:
        back = encode(decodeMvoutSpad(command));
        break;
      case Funct::Preload:
        back = encode(decodePreload(command));
        break;
      case Funct::ComputePreloaded:
      case Funct::ComputeAccumulated:
        back = encode(decodeCompute(command));
        break;
      case Funct::Flush:
        back = encode(decodeFlush(command));
        break;
      case Funct::LoopWs:
        back = encode(decodeLoopWsRun(command));
        break;
      case Funct::LoopWsConfigBounds:
        back = encode(decodeLoopWsBounds(command));
        break;
      case Funct::LoopWsConfigAddrsAB:
      case Funct::LoopWsConfigAddrsDC:
      case Funct::LoopWsConfigStridesAB:
      case Funct::LoopWsConfigStridesDC:
        back = encode(decodeLoopWsPair(command));
        break;
      default:
        back = encode(decodeMove(command));
      }
      ASSERT_EQ(back, command) << disassemble(command);
    }
  }
}

TEST(Fields, SetAndFits) {
  Command command{0, ~uint64_t(0), ~uint64_t(0)};
  config_ex::kAStride.set(command, 0x1234);
  EXPECT_EQ(command.rs1, 0xFFFFFFFF1234FFFFu);
  EXPECT_EQ(config_ex::kAStride.get(command), 0x1234u);
  EXPECT_TRUE(config_ex::kAStride.fits(0xFFFF));
  EXPECT_FALSE(config_ex::kAStride.fits(0x10000));
  EXPECT_TRUE(move::kDramAddress.fits(~uint64_t(0)));
}

TEST(Disassemble, Commands) {
  Move move;
  move.dramAddress = 0x1000;
  move.localAddress = LocalAddress::accumulator(4, true);
  move.rows = 2;
  move.cols = 16;
  EXPECT_EQ(disassemble(encode(move)),
            "mvin dram=0x1000 local=acc[4]+ rows=2 cols=16");
  Compute compute{true, {LocalAddress::scratchpad(4), 10, 16}, {}};
  EXPECT_EQ(disassemble(encode(compute)),
            "compute_accumulated a=sp[4] a_rows=10 a_cols=16 d=garbage "
            "d_rows=0 d_cols=0");
  ConfigLd config;
  config.scale = 0.25f;
  EXPECT_EQ(disassemble(encode(config)),
            "config_ld mvin=0 shrink=0 pixel_repeats=1 block_stride=0 "
            "scale=0.25 stride=0");
  EXPECT_EQ(disassemble(encode(LoopWsBounds{4, 2, 3, 1, 0, 5})),
            "loop_ws_config_bounds i=4 j=2 k=3 pad_i=1 pad_j=0 pad_k=5");
  EXPECT_EQ(disassemble({11, 0, 0x40}), "loop_ws_config_addrs_DC d=0x0 c=0x40");
  EXPECT_EQ(disassemble({13, 8, 9}),
            "loop_ws_config_strides_DC d_stride=8 c_stride=9");
  EXPECT_EQ(disassemble({99, 1, 2}),
            "funct_99 rs1=0x0000000000000001 rs2=0x0000000000000002");
  EXPECT_EQ(mnemonic({18, 0, 0}), "loop_conv_ws_config_3");
}

} // namespace
