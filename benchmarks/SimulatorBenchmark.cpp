//===- SimulatorBenchmark.cpp - Speed of the simulator --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stream of tiles as the code generator emits them: two block loads, eight
// preload/compute pairs, one store. Reported: MACs and commands per second.
//
//===----------------------------------------------------------------------===//

#include "fadiff/ISA/Gemmini.h"
#include "fadiff/Simulator/Machine.h"

#include "benchmark/benchmark.h"

using namespace fadiff;

/// 512 KiB / 64 KiB at side 32, 256 KiB / 64 KiB at side 16.
static Accelerator accelerator(int64_t side) {
  Accelerator a;
  a.name = "benchmark";
  a.side = side;
  a.scratchpadBytes = 16384 * side;
  a.accumulatorBytes = 64 * 1024;
  return a;
}

/// One tile's commands, with DRAM addresses inside `dram`.
static std::vector<isa::Command> tile(int64_t side, std::vector<int8_t> &dram) {
  using namespace fadiff::isa;
  std::vector<Command> commands;
  const uint16_t rows = side, pairs = 8;
  Move move;
  move.rows = rows;
  move.cols = 64;
  move.dramAddress = reinterpret_cast<uintptr_t>(dram.data());
  move.localAddress = LocalAddress::scratchpad(0);
  commands.push_back(encode(move));
  move.funct = Funct::Mvin2;
  move.localAddress = LocalAddress::scratchpad(8192);
  commands.push_back(encode(move));
  for (uint16_t pair = 0; pair < pairs; ++pair) {
    Operand b{LocalAddress::scratchpad(8192 + pair % 2 * rows), rows, rows};
    Operand c{LocalAddress::accumulator(0, pair != 0), rows, rows};
    commands.push_back(encode(Preload{b, c}));
    Operand a{LocalAddress::scratchpad(pair / 2 % 2 * rows), rows, rows};
    commands.push_back(encode(Compute{false, a, {}}));
  }
  move.funct = Funct::Mvout;
  move.cols = rows;
  move.dramAddress = reinterpret_cast<uintptr_t>(dram.data() + dram.size() / 2);
  move.localAddress = LocalAddress::accumulator(0);
  commands.push_back(encode(move));
  return commands;
}

static void runTiles(benchmark::State &state, bool functional) {
  const int64_t side = state.range(0);
  sim::MachineOptions options;
  options.functional = functional;
  sim::Machine machine(accelerator(side), options);
  auto run = [&](const isa::Command &command) {
    machine.execute(command.funct, command.rs1, command.rs2);
  };
  run(isa::encode(isa::ConfigEx()));
  for (uint8_t id : {0, 1}) {
    isa::ConfigLd config;
    config.mvin = id;
    config.blockStride = side;
    config.stride = 64;
    run(isa::encode(config));
  }
  isa::ConfigSt config;
  config.stride = 64;
  config.scale = 0.01f;
  run(isa::encode(config));

  std::vector<int8_t> dram(2 * 64 * side, 3);
  std::vector<isa::Command> commands = tile(side, dram);
  for (auto _ : state)
    for (const isa::Command &command : commands)
      run(command);
  if (machine.fault())
    return state.SkipWithError(machine.fault()->str().c_str());
  state.counters["MAC"] =
      benchmark::Counter(machine.total().macs, benchmark::Counter::kIsRate);
  state.counters["commands"] = benchmark::Counter(
      state.iterations() * commands.size(), benchmark::Counter::kIsRate);
}

static void BM_Functional(benchmark::State &state) { runTiles(state, true); }
BENCHMARK(BM_Functional)->Arg(16)->Arg(32);

static void BM_TimingOnly(benchmark::State &state) { runTiles(state, false); }
BENCHMARK(BM_TimingOnly)->Arg(16)->Arg(32);

BENCHMARK_MAIN();
