//===- FieldsTest.cpp -----------------------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list of a machine's fields: what is in it is compared, written, read,
// documented, and used by what it claims to drive.
//
//===----------------------------------------------------------------------===//

#include "fadiff/Hardware/Fields.h"
#include "fadiff/Hardware/Figures.h"

#include "../Simulator/Program.h"
#include "fadiff/CostModel/CostModel.h"
#include "fadiff/CostModel/LoopUnitLatency.h"
#include "fadiff/CostModel/StreamLatency.h"
#include "fadiff/Hardware/CoreWork.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Hardware/Yaml.h"
#include "fadiff/Schedule/MatmulLoop.h"
#include "fadiff/Schedule/Schedule.h"
#include "fadiff/Search/Search.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <functional>
#include <map>

using namespace fadiff;
using namespace fadiff::sim;
using llvm::StringRef;

namespace {

/// With all that a field can say.
Accelerator machine() {
  llvm::Expected<Accelerator> known = findTarget("gemmini-npu");
  EXPECT_TRUE(bool(known)) << llvm::toString(known.takeError());
  known->clockHz = 1e9;
  known->leakageMilliwatts = 100;
  known->area = 2;
  known->corePoolCycles = known->coreCopyCycles = 100;
  known->coreOperationCycles = known->coreCallCycles = 100;
  known->passesInFlight = 16;
  known->cacheBytes = 65536;
  known->cacheWays = 32;
  known->cacheMissCycles = 1000;
  known->lastLevelBytes = 1 << 20;
  known->lastLevelMissCycles = 5000;
  return *known;
}

void change(const Field &field, int64_t &number) {
  number = number / 16 < field.least ? field.least : number / 16;
}
/// A rate stays near its bandwidth.
void change(const Field &field, double &number) {
  number *= StringRef(field.name) == "dram_rate" ? 0.25 : 1e-6;
}
void change(const Field &, ReadOutFeatures &features) {
  features.perChannel = !features.perChannel;
}
template <typename EnumT>
std::enable_if_t<std::is_enum_v<EnumT>> change(const Field &, EnumT &value) {
  value = nameOf(value) == valueNames(value).front()
              ? static_cast<EnumT>(valueNames(value).size() - 1)
              : EnumT();
}

/// machine() with another value of that field.
Accelerator without(StringRef name) {
  Accelerator changed = machine();
  visitFields(
      [&](const Field &field, auto &value) {
        if (name == field.name)
          change(field, value);
      },
      changed);
  return changed;
}

std::vector<Field> allFields() {
  std::vector<Field> fields;
  Accelerator all = machine();
  visitFields(
      [&](const Field &field, const auto &) { fields.push_back(field); }, all);
  return fields;
}

llvm::Expected<Accelerator> parse(StringRef text) {
  return parseAccelerator(llvm::MemoryBufferRef(text, "test.yaml"));
}

} // namespace

TEST(Fields, EachIsComparedAndDescribed) {
  for (const Field &field : allFields()) {
    SCOPED_TRACE(field.name);
    EXPECT_FALSE(machine() == without(field.name));
    EXPECT_NE(describeField(machine(), field.name),
              describeField(without(field.name), field.name));
  }
  Accelerator renamed = machine();
  renamed.name += "2";
  EXPECT_FALSE(machine() == renamed);
  EXPECT_EQ(describeField(machine(), "pool_window"),
            "pool.window of 'gemmini-npu' is 3");
  EXPECT_EQ(describeField(machine(), "readout"),
            "readout of 'gemmini-npu' is [per_channel, zero_point, clamp]");
}

TEST(Fields, WhatIsOptionalIsLeftOutAndReadBack) {
  const Accelerator defaults;
  Accelerator plain = machine();
  plain.readOut = {};
  plain.clockHz = plain.leakageMilliwatts = plain.area = 0;
  plain.corePoolCycles = plain.coreCopyCycles = 0;
  plain.coreOperationCycles = plain.coreCallCycles = 0;
  plain.dramRate = 0;
  plain.passesInFlight = plain.cacheBytes = plain.lastLevelBytes = 0;
  plain.cacheWays = 8;
  plain.cacheMissCycles = plain.lastLevelMissCycles = 0;
  std::string text = toYaml(plain);
  for (const char *name :
       {"load_scale", "loop_unit", "arithmetic", "readout", "clock", "leakage",
        "area", "pool:", "window", "extent", "core:", "cache",
        " rate:", "passes_in_flight", "loop_halves", "conv_loop_unit"})
    EXPECT_EQ(text.find(name), std::string::npos) << name << '\n' << text;
  for (const Field &field : allFields()) {
    if (!field.isOptional || StringRef(field.name) == "readout" ||
        StringRef(field.name) == "arithmetic") // the memories hang on it
      continue;
    SCOPED_TRACE(field.name);
    Accelerator changed = without(field.name);
    std::string text = toYaml(changed);
    EXPECT_NE(text.find(std::string(field.key) + ":"), std::string::npos)
        << text;
    llvm::Expected<Accelerator> again = parse(text);
    ASSERT_TRUE(bool(again)) << llvm::toString(again.takeError()) << text;
    EXPECT_TRUE(*again == changed) << text;
  }
  // A default is part of the format: it never changes.
  EXPECT_EQ(defaults.loopUnit, LoopUnit::Matmul);
  EXPECT_EQ(defaults.loopHalves, LoopHalves::Chosen);
  EXPECT_EQ(defaults.convLoopUnit, ConvLoopUnit::Conv);
  EXPECT_EQ(defaults.passesInFlight, 0);
  EXPECT_EQ(defaults.cacheBytes, 0);
  EXPECT_EQ(defaults.dramRate, 0);
  EXPECT_EQ(defaults.lastLevelBytes, 0);
  EXPECT_EQ(defaults.loadScale, LoadScale::Float32);
  EXPECT_EQ(defaults.arithmetic, Arithmetic::Int8);
  EXPECT_EQ(defaults.pool.window, 3);
  EXPECT_EQ(defaults.pool.stride, 3);
  EXPECT_EQ(defaults.pool.extent, 255);
  EXPECT_FALSE(defaults.readOut.any());
  EXPECT_EQ(defaults.clockHz, 0);
}

TEST(Fields, BoundsOfAbilities) {
  std::string text = toYaml(machine());
  const size_t at = text.find("hand_over:");
  for (auto [given, message] :
       {std::pair("pool: {window: {value: 4, source: x}}",
                  "pool.window: wanted a number from 0 to 3, found 4"),
        {"pool: {stride: {value: 0, source: x}}",
         "pool.stride: wanted a number from 1 to 3, found 0"},
        {"pool: {extent: {value: 256, source: x}}",
         "pool.extent: wanted a number from 1 to 255, found 256"},
        {"pool: {depth: {value: 1, source: x}}",
         "pool: unknown key 'depth'; wanted one of window, stride, extent"},
        {"loop_unit: {value: conv, source: x}",
         "loop_unit: wanted none or matmul, found 'conv'"}}) {
    llvm::Expected<Accelerator> parsed =
        parse(text.substr(0, at) + given + "\n" + text.substr(at));
    ASSERT_FALSE(bool(parsed)) << given;
    std::string error = llvm::toString(parsed.takeError());
    EXPECT_TRUE(StringRef(error).ends_with(message)) << error;
  }
}

//===----------------------------------------------------------------------===//
// docs/Hardware.md
//===----------------------------------------------------------------------===//

// The page's table is the list.
TEST(Fields, AreDocumented) {
  std::string table =
      "| field | unit | left out | meaning |\n|---|---|---|---|\n"
      "| `name` | | | how the machine is called in reports |\n";
  Accelerator defaults;
  defaults.readOut.perChannel = true; // has scales
  visitFields(
      [&](const Field &field, const auto &value) {
        std::string name = *field.section
                               ? std::string(field.section) + "." + field.key
                               : field.key;
        std::string otherwise = "`" + toText(value) + "`";
        if (StringRef(field.name) == "readout")
          otherwise = "`[]`";
        table += "| `" + name + "` | " +
                 (*field.unit ? std::string(field.unit) + " " : "") + "| " +
                 (field.isOptional ? otherwise + " " : "") + "| " +
                 field.meaning + " |\n";
      },
      defaults);
  auto page =
      llvm::MemoryBuffer::getFile(FADIFF_SOURCE_DIR "/docs/Hardware.md");
  ASSERT_TRUE(bool(page));
  EXPECT_TRUE((*page)->getBuffer().contains("\n" + table + "\n"))
      << "docs/Hardware.md should have this table:\n"
      << table;
}

//===----------------------------------------------------------------------===//
// What drives what
//===----------------------------------------------------------------------===//

namespace {

/// 32 rows and columns of 32 channels in and out, in tiles of 8 rows.
Layer convolution() {
  Layer layer;
  layer.name = "conv";
  layer.dims[Dim::K] = layer.dims[Dim::C] = 32;
  layer.dims[Dim::P] = layer.dims[Dim::Q] = 32;
  layer.dims[Dim::R] = layer.dims[Dim::S] = 3;
  layer.inputExtent = {34, 34};
  return layer;
}
Mapping tiled() {
  Mapping m;
  m.rows = m.cols = 16;
  m.temporal[Level::Registers][Dim::Q] = 32;
  m.temporal[Level::Accumulator][Dim::P] = 8;
  m.temporal[Level::Accumulator][Dim::C] = 2;
  m.temporal[Level::Accumulator][Dim::K] = 2;
  m.temporal[Level::Accumulator][Dim::R] = 3;
  m.temporal[Level::Accumulator][Dim::S] = 3;
  m.temporal[Level::Dram][Dim::P] = 4;
  return m;
}
/// 64 x 256 by 256 x 32.
Layer product() {
  Layer layer;
  layer.name = "fc";
  layer.dims[Dim::N] = 64;
  layer.dims[Dim::C] = 256;
  layer.dims[Dim::K] = 32;
  return layer;
}
Mapping tiledProduct() {
  Mapping m;
  m.rows = m.cols = 16;
  m.temporal[Level::Registers][Dim::N] = 32;
  m.temporal[Level::Accumulator][Dim::K] = 2;
  m.temporal[Level::Accumulator][Dim::C] = 4;
  m.temporal[Level::Dram][Dim::N] = 2;
  m.temporal[Level::Dram][Dim::C] = 4;
  m.order[Level::Dram] = {Dim::C, Dim::K, Dim::N, Dim::G,
                          Dim::P, Dim::Q, Dim::R, Dim::S};
  return m;
}

/// What something makes of a machine, as text: numbers, or the error.
using Probe = std::function<std::string(const Accelerator &)>;

std::string textOf(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "";
}
std::string buildable(const Accelerator &a) {
  llvm::Expected<Accelerator> parsed = parse(toYaml(a));
  return parsed ? "" : llvm::toString(parsed.takeError());
}
std::string energy(const Accelerator &a) {
  return toText(evaluateLayer(convolution(), tiled(), a).energy);
}
std::string cycles(const Accelerator &a) {
  return toText(evaluateLayer(convolution(), tiled(), a).cycles);
}
std::string legality(const Accelerator &a) {
  return textOf(verify(convolution(), tiled(), a));
}
std::string streams(const Accelerator &a) {
  return toText(streamLatency(convolution(), tiled(), a).cycles) + " " +
         toText(streamLatency(product(), tiledProduct(), a).cycles);
}
/// Of a program that loads more than can wait, configures, computes and reads
/// out.
std::string simulated(const Accelerator &a) {
  Program p(a);
  static int8_t dram[16 * 1024];
  p.config(ConfigEx());
  p.configLd(16, 16);
  p.configSt(16);
  for (int i = 0; i < 40; ++i)
    p.mvin(dram + 256 * i, sp(16 * i), 16, 16);
  for (int i = 0; i < 100; ++i)
    p.configLd(16, 16);
  p.matmul(sp(16 * 38), sp(16 * 39), acc(0), 16, 16, 16);
  p.mvout(dram, acc(0), 16, 16);
  p.machine.fence();
  EXPECT_EQ(p.fault(), "");
  return toText(p.machine.cycles());
}
std::string loopUnit(const Accelerator &a) {
  Layer layer = convolution();
  layer.dims[Dim::K] = 8; // rows below the bus width
  layer.dims[Dim::Q] = 5; // of which few stream in a pass
  TiledLayer<double> tiled;
  tiled.layer = &layer;
  for (Dim dim : kAllDims)
    tiled.tile[dim] = double(layer.dims[dim]);
  tiled.tile[Dim::P] = 4;
  tiled.run = tiled.tile;
  tiled.rows = tiled.cols = 16;
  return toText(loopUnitLatency(tiled, a).cycles);
}
std::string loops(const Accelerator &a) {
  llvm::Expected<MatmulLoop> loop =
      planMatmulLoop(product(), tiledProduct(), a);
  return loop ? "" : llvm::toString(loop.takeError());
}
std::string convLoops(const Accelerator &a) {
  Program p(a);
  p.run({uint32_t(Funct::LoopConvWs), 0, 0});
  return p.machine.fault()->message;
}
/// 100 passes of a row.
std::string shortPasses(const Accelerator &a) {
  Program p(a);
  static int8_t dram[256];
  p.config(ConfigEx());
  p.configLd(16, 16);
  p.mvin(dram, sp(0), 16, 16);
  p.matmul(sp(0), sp(0), acc(0), 16, 16, 16);
  for (int i = 0; i < 100; ++i)
    p.matmul(sp(0), none(), acc(0), 1, 16, 16);
  p.machine.fence();
  EXPECT_EQ(p.fault(), "");
  return toText(p.machine.cycles());
}
/// What fits into the cache, into the last level only, and into few of the
/// sets, each twice.
std::string cached(const Accelerator &a) {
  Program p(a, {/*functional=*/false});
  auto twice = [&](int64_t lines, int64_t stride) {
    p.configLd(stride, 16);
    for (int64_t i = 0; i < 2 * lines; i += 16)
      p.mvin(reinterpret_cast<int8_t *>(uintptr_t(1) << 30) +
                 i % lines * stride,
             sp(0), 16, 16);
  };
  twice(512, 64);
  twice(4096, 64);
  twice(16, 32768);
  p.machine.fence();
  EXPECT_EQ(p.fault(), "");
  return toText(p.machine.cycles());
}
std::string scaledResidual(const Accelerator &a) {
  Layer layer = convolution();
  layer.hasResidual = layer.scalesResidual = true;
  return textOf(verify(layer, a));
}
std::string channelScales(const Accelerator &a) {
  Layer layer = convolution();
  layer.hasScales = true;
  layer.dims[Dim::K] = 8192;
  return textOf(verify(layer, a));
}
std::string fusing(const Accelerator &a) {
  Network network;
  network.layers = {convolution(), convolution()};
  network.layers[1].dims[Dim::P] = network.layers[1].dims[Dim::Q] = 30;
  network.layers[1].inputExtent = {32, 32};
  network.edges = {{0, 1, ""}};
  return textOf(verifyFusible(network, 0, 1, a));
}
std::string storingPooled(const Accelerator &a) {
  Network network;
  network.layers = {convolution()};
  MaxPool &pool = network.layers[0].pool.emplace();
  pool.size = pool.stride = 2;
  pool.outputs = {16, 16};
  Schedule schedule;
  schedule.mappings = {tiled()};
  schedule.mappings[0].temporal[Level::Dram][Dim::P] = 4;
  schedule.groups = {{{0}}};
  schedule.groups[0].poolsOutput = true;
  return textOf(verify(network, schedule, a));
}

/// What the core takes to pool outputs within padding.
std::string poolingOnTheCore(const Accelerator &a) {
  Layer layer = convolution();
  MaxPool &pool = layer.pool.emplace();
  pool.size = 3;
  pool.stride = 2;
  pool.padLow = {1, 1};
  pool.outputs = {16, 16};
  return std::to_string(poolCyclesOfCore(layer, a));
}

std::string otherWorkOfTheCore(const Accelerator &a) {
  CoreWork work;
  work.operations = work.calls = 100;
  return std::to_string(coreCycles(work, a));
}

/// Caches would stand before it.
std::string withoutCaches(const Accelerator &given) {
  Accelerator a = given;
  a.cacheBytes = 0;
  return streams(a) + " " + simulated(a);
}

/// Cycles of a limit in seconds.
std::string timing(const Accelerator &machine) {
  return std::to_string(llvm::cantFail(
      llvm::cantFail(parseConstraint("latency<5ms")).limitOn(machine)));
}

std::string perArea(const Accelerator &machine) {
  return std::to_string(figuresOf(machine, 1e9, 1e6).perSecondPerMm2);
}

/// What each field drives, by docs/Hardware.md.
const std::map<std::string, Probe> kDriven = {
    {"side", legality},
    {"arithmetic", legality},
    {"energy_mac", energy},
    {"energy_registers", energy},
    {"bandwidth_registers", cycles},
    {"accumulator_banks", buildable},
    {"accumulator_bytes", legality},
    {"accumulator_pipe", simulated},
    {"load_scale", scaledResidual},
    {"energy_accumulator", energy},
    {"bandwidth_accumulator", cycles},
    {"scratchpad_banks", buildable},
    {"scratchpad_bytes", legality},
    {"scratchpad_read_delay", streams},
    {"energy_scratchpad", energy},
    {"bandwidth_scratchpad", cycles},
    {"energy_dram", energy},
    {"bandwidth_dram", cycles},
    {"dram_rate", withoutCaches},
    {"dma_bytes_per_cycle", streams},
    {"dma_max_request_bytes", streams},
    {"dma_requests_in_flight", streams},
    {"dma_latency", streams},
    {"dma_cold_latency", loopUnit},
    {"dma_short_write_cycles", loopUnit},
    {"load_stations", simulated},
    {"store_stations", streams},
    {"execute_stations", streams},
    {"command_cycles", simulated},
    {"pass_cycles", loopUnit},
    {"overlap_loss", loopUnit},
    {"core_pool_cycles", poolingOnTheCore},
    {"core_copy_cycles", poolingOnTheCore},
    {"core_operation_cycles", otherWorkOfTheCore},
    {"core_call_cycles", otherWorkOfTheCore},
    {"pool_window", storingPooled},
    {"pool_stride", storingPooled},
    {"pool_extent", storingPooled},
    {"hand_over", fusing},
    {"loop_unit", loops},
    {"loop_halves", loops},
    {"conv_loop_unit", convLoops},
    {"passes_in_flight", shortPasses},
    {"cache_bytes", cached},
    {"cache_ways", cached},
    {"cache_miss_cycles", cached},
    {"last_level_bytes", cached},
    {"last_level_miss_cycles", cached},
    {"clock_hz", timing},
    {"leakage", energy},
    {"area", perArea},
    {"readout", channelScales},
    {"readout_scales", channelScales},
};

} // namespace

TEST(Fields, EachDrivesWhatItClaims) {
  EXPECT_EQ(kDriven.size(), allFields().size());
  for (const Field &field : allFields()) {
    SCOPED_TRACE(field.name);
    auto probe = kDriven.find(field.name);
    ASSERT_NE(probe, kDriven.end()) << "what does it drive?";
    Accelerator changed = without(field.name);
    if (StringRef(field.name).ends_with("_banks"))
      changed = machine(), (field.name[0] == 'a' ? changed.accumulatorBanks
                                                 : changed.scratchpadBanks) = 3;
    EXPECT_NE(probe->second(machine()), probe->second(changed));
  }
}

// A refusal says which ability is missing.
TEST(Fields, RefusalsNameTheAbility) {
  auto refuses = [](const Probe &probe, const char *field, const char *text) {
    EXPECT_EQ(probe(machine()), "");
    std::string error = probe(without(field));
    EXPECT_NE(error.find(text), std::string::npos) << error;
  };
  refuses(storingPooled, "pool_window",
          "wanted no pooling, as pool.window of 'gemmini-npu' is "
          "0, found 2");
  refuses(storingPooled, "pool_extent",
          "wanted at most 15 columns, as pool.extent of 'gemmini-npu' is 15");
  refuses(fusing, "hand_over", "found hand_over of 'gemmini-npu' is none");
  refuses(loops, "loop_unit", "loop_unit of 'gemmini-npu' is none");
  refuses(scaledResidual, "load_scale",
          "found accumulator.load_scale of 'gemmini-npu' is none");
}
