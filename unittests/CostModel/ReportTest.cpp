//===- ReportTest.cpp - The breakdown adds up -----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/Report.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace fadiff;

namespace {

Accelerator machine() {
  Accelerator target;
  target.side = 4;
  target.scratchpadBytes = 4096;
  target.accumulatorBytes = 4096;
  target.energyPerMac = 0.5;
  target.energyPerAccess[Level::Registers] = 0.25;
  target.energyPerAccess[Level::Accumulator] = 2;
  target.energyPerAccess[Level::Scratchpad] = 1;
  target.energyPerAccess[Level::Dram] = 100;
  target.bandwidth[Level::Registers] = 2;
  target.bandwidth[Level::Accumulator] = 2;
  target.bandwidth[Level::Scratchpad] = 8;
  target.bandwidth[Level::Dram] = 1;
  return target;
}

TEST(ReportTest, PartsAddUpAndTheLongestBinds) {
  Network network;
  Layer layer;
  layer.name = "gemm";
  layer.dims[Dim::N] = 8;
  layer.dims[Dim::K] = 8;
  layer.dims[Dim::C] = 8;
  network.layers = {layer};
  Mapping mapping;
  mapping.rows = mapping.cols = 4;
  mapping.temporal[Level::Registers][Dim::N] = 8;
  mapping.temporal[Level::Accumulator][Dim::C] = 2;
  mapping.temporal[Level::Accumulator][Dim::K] = 2;
  Schedule schedule{{mapping}, {{{0}}}};
  auto cost = createCostFunction(Convention::Machine);
  ScheduleBreakdown breakdown = breakDown(network, schedule, machine(), *cost);
  ASSERT_EQ(breakdown.groups.size(), 1u);
  const LayerBreakdown &part = breakdown.groups[0][0];
  double energy = part.arrayEnergy, longest = part.cost.computeCycles;
  for (Level level : kAllLevels) {
    for (Tensor tensor : kAllTensors)
      energy += part.energy[level][tensor];
    longest = std::max(longest, part.cost.memoryCycles[level]);
  }
  EXPECT_NEAR(energy, part.cost.energy, 1e-9 * energy);
  EXPECT_DOUBLE_EQ(longest, part.cost.cycles);
  // 3 * 64 bytes at one byte per cycle against 512 MACs on 16 PEs.
  EXPECT_EQ(part.binding, "dram");
  EXPECT_DOUBLE_EQ(part.cost.memoryCycles[Level::Dram], 192);
  EXPECT_DOUBLE_EQ(part.arrayEnergy, 256);
  EXPECT_DOUBLE_EQ(part.utilisation, 512.0 / (192 * 16));
  EXPECT_EQ(breakdown.cost.energy, part.cost.energy);
}

} // namespace
