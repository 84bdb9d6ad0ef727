//===- CostModelTest.cpp - Tests of cost, gradient and groups -------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/CostModel.h"
#include "fadiff/CostModel/Group.h"

#include "gtest/gtest.h"

#include <tuple>

using namespace fadiff;

namespace {

Accelerator machine() {
  Accelerator target;
  target.side = 4;
  target.scratchpadBytes = 4096;
  target.accumulatorBytes = 4096;
  target.handOver = HandOver::MvoutSpad;
  target.energyPerMac = 0.5;
  target.energyPerAccess[Level::Registers] = 0.25;
  target.energyPerAccess[Level::Accumulator] = 2;
  target.energyPerAccess[Level::Scratchpad] = 4;
  target.energyPerAccess[Level::Dram] = 128;
  target.bandwidth[Level::Registers] = 2;
  target.bandwidth[Level::Accumulator] = 2;
  target.bandwidth[Level::Scratchpad] = 8;
  target.bandwidth[Level::Dram] = 8;
  return target;
}

/// C, R and S inside, pixels tiled by `tileP` rows at DRAM, K outermost.
struct Conv {
  Layer layer;
  RelaxedFactors<double> factors;
  PerLevel<LoopOrder> order{kAllDims};

  Conv() {
    layer.dims[Dim::K] = 8;
    layer.dims[Dim::C] = 8;
    layer.dims[Dim::P] = layer.dims[Dim::Q] = 12;
    layer.dims[Dim::R] = layer.dims[Dim::S] = 3;
    layer.padLow = {1, 1};
    layer.inputExtent = {12, 12};
    factors.rows = factors.cols = 4;
    factors.temporal[Level::Registers][Dim::Q] = 12;
    factors.temporal[Level::Accumulator][Dim::P] = 3;
    factors.temporal[Level::Accumulator][Dim::R] = 3;
    factors.temporal[Level::Accumulator][Dim::S] = 3;
    factors.temporal[Level::Scratchpad][Dim::C] = 2;
    // Innermost first: the pixel loops outside K at DRAM.
    order[Level::Dram] = {Dim::K, Dim::P, Dim::Q, Dim::N,
                          Dim::G, Dim::C, Dim::R, Dim::S};
  }
  Mapping mapping() const {
    Mapping m;
    m.rows = int64_t(factors.rows);
    m.cols = int64_t(factors.cols);
    m.order = order;
    for (Level level : kAllLevels)
      for (Dim dim : kAllDims)
        m.temporal[level][dim] = int64_t(factors.temporal[level][dim]);
    for (Dim dim : kAllDims)
      m.temporal[Level::Dram][dim] = layer.dims[dim];
    return m;
  }
};

TEST(CostModelTest, RelaxedEqualsExactOnDivisors) {
  Conv conv;
  Accelerator target = machine();
  for (Convention convention : {Convention::Timeloop, Convention::Machine}) {
    LayerCost exact =
        evaluateLayer(conv.layer, conv.mapping(), target, convention);
    using D = Dual<2>;
    RelaxedFactors<D> factors;
    for (Level level : kAllLevels)
      for (Dim dim : kAllDims)
        factors.temporal[level][dim] = conv.factors.temporal[level][dim];
    factors.rows = D::variable(4, 0);
    factors.cols = D::variable(4, 1);
    Nest<D> nest = relaxedNest(conv.layer, factors, conv.order);
    BasicLayerCost<D> cost = countAccesses(nest, convention, target);
    charge(cost, nest, target, convention);
    EXPECT_DOUBLE_EQ(cost.energy.value(), exact.energy);
    EXPECT_DOUBLE_EQ(cost.cycles.value(), exact.cycles);
    EXPECT_DOUBLE_EQ(cost.dramBytes.total().value(), exact.dramBytes.total());
    for (Level level : kAllLevels)
      EXPECT_DOUBLE_EQ(cost.accesses(level).value(), exact.accesses(level));
  }
}

TEST(CostModelTest, GradientOfTheCounts) {
  Conv conv;
  using D = Dual<1>;
  RelaxedFactors<D> factors;
  for (Level level : kAllLevels)
    for (Dim dim : kAllDims)
      factors.temporal[level][dim] = conv.factors.temporal[level][dim];
  factors.rows = factors.cols = 4.0;
  factors.temporal[Level::Accumulator][Dim::P] = D::variable(3, 0);
  Nest<D> nest = relaxedNest(conv.layer, factors, conv.order);
  Accelerator target;
  target.side = 4;
  BasicLayerCost<D> cost = countAccesses(nest, Convention::Machine, target);

  // K (two trips) is the innermost DRAM loop and indexes W, so W is loaded
  // again in each of the 12 / 3 tiles; d(576 * 12 / t) = -576 * 12 / 9.
  EXPECT_EQ(cost.dramBytes.weights.value(), 576 * 4);
  EXPECT_DOUBLE_EQ(cost.dramBytes.weights.gradient()[0], -576 * 12 / 9.0);
  // Rows: 12 + 4 tiles * halo 2 - 2 of padding; columns 14 - 2; 8 channels.
  EXPECT_EQ(cost.dramBytes.input.value(), (12 + 4 * 2 - 2) * 12 * 8);
  EXPECT_DOUBLE_EQ(cost.dramBytes.input.gradient()[0], -2 * 12 / 9.0 * 12 * 8);
  EXPECT_EQ(cost.dramBytes.outputWrites.value(), 12 * 12 * 8);
  EXPECT_EQ(cost.dramBytes.outputWrites.gradient()[0], 0);
}

TEST(CostModelTest, DualArithmeticFollowsFiniteDifferences) {
  using D = Dual<2>;
  auto check = [](auto f) {
    const double a = 1.7, b = 0.6, h = 1e-6;
    D value = f(D::variable(a, 0), D::variable(b, 1));
    EXPECT_NEAR(value.value(), f(D(a), D(b)).value(), 1e-12);
    EXPECT_NEAR(value.gradient()[0],
                (f(D(a + h), D(b)).value() - f(D(a - h), D(b)).value()) /
                    (2 * h),
                1e-6);
    EXPECT_NEAR(value.gradient()[1],
                (f(D(a), D(b + h)).value() - f(D(a), D(b - h)).value()) /
                    (2 * h),
                1e-6);
  };
  check([](D a, D b) { return a * b + a / b - 2.0 * b; });
  check([](D a, D b) { return (a -= b * b) / (a + 3.0); });
  check([](D a, D b) { return logOf(a * b) * expOf(b); });
  check([](D a, D b) { return maxOf(a, b) * minOf(a, b * b); });
  check([](D a, D b) { return absOf(b - a) * a; });
  D up = roundUp(D::variable(1.7, 0) * 2.0);
  EXPECT_EQ(up.value(), 4);
  EXPECT_EQ(up.gradient()[0], 2);
  EXPECT_EQ(roundUp(3.0 + 1e-12), 3);
}

TEST(CostModelTest, EnergyAndRoofline) { // eqs. (energy) and (roofline)
  Conv conv;
  Accelerator target = machine();
  LayerCost cost = evaluateLayer(conv.layer, conv.mapping(), target);
  double energy = cost.arrayMacs * 0.5;
  energy += cost.accesses(Level::Registers) * 0.25;
  energy += cost.accesses(Level::Accumulator) * 2;
  energy += cost.accesses(Level::Scratchpad) * 4;
  energy += cost.accesses(Level::Dram) * 128;
  EXPECT_DOUBLE_EQ(cost.energy, energy);
  EXPECT_EQ(cost.accesses(Level::Dram), cost.dramBytes.total());
  EXPECT_EQ(cost.macs, conv.layer.macs());
  EXPECT_EQ(cost.computeCycles, cost.macs / 16);

  // Each resource in turn becomes the bottleneck.
  EXPECT_EQ(cost.cycles, cost.computeCycles);
  for (Level level : kAllLevels) {
    Accelerator slow = target;
    slow.bandwidth[level] = 1e-3;
    double instances = level == Level::Registers     ? 16
                       : level == Level::Accumulator ? 4
                                                     : 1;
    EXPECT_NEAR(evaluateLayer(conv.layer, conv.mapping(), slow).cycles,
                cost.accesses(level) / (1e-3 * instances), 1e-3);
  }
}

TEST(CostModelTest, Issue) { // eqs. (runs) to (issue)
  Conv conv;
  Accelerator target = machine();
  target.commandCycles = 5;
  auto evaluate = [&] {
    return evaluateLayer(conv.layer, conv.mapping(), target,
                         Convention::Machine, {}, Model::Exact, Latency::Issue);
  };
  LayerCost cost = evaluate();
  // Each line of 12 pixels in three runs; two blocks of K, two of C, 9 taps.
  const double passes = 2 * 2 * 9 * (12 * 3);
  // Of 4 rows with all 8 channels each, weights of the taps of a kernel's row.
  auto moves = [&] {
    return (cost.dramBytes.input +
            cost.dramBytes.weights / conv.layer.dims[Dim::S] +
            cost.dramBytes.outputWrites) /
           (4 * 8);
  };
  EXPECT_DOUBLE_EQ(cost.commands, 2 * passes + moves());
  EXPECT_DOUBLE_EQ(cost.issueCycles, 5 * cost.commands);
  EXPECT_EQ(cost.cycles, cost.issueCycles);
  EXPECT_EQ(cost.energy,
            evaluateLayer(conv.layer, conv.mapping(), target).energy);
  // Only who asks for it has it.
  EXPECT_EQ(evaluateLayer(conv.layer, conv.mapping(), target).cycles,
            cost.computeCycles);
  EXPECT_EQ(evaluateLayer(conv.layer, conv.mapping(), target,
                          Convention::Timeloop, {}, Model::Exact,
                          Latency::Issue)
                .commands,
            0);
  // A core that is fast enough is no roof.
  target.commandCycles = 1;
  EXPECT_EQ(evaluate().cycles, cost.computeCycles);
  target.commandCycles = 5;

  // 11 columns take three runs a line, too, and 13 take four. Tiles of all rows
  // may run along P: 13 columns of three runs each.
  for (const auto &[columns, rows, runs] :
       {std::tuple(8, 3, 24), {11, 3, 36}, {13, 3, 48}, {13, 12, 39}}) {
    conv.factors.temporal[Level::Accumulator][Dim::P] = rows;
    conv.layer.dims[Dim::Q] = conv.layer.inputExtent[Axis::W] = columns;
    conv.factors.temporal[Level::Registers][Dim::Q] = columns;
    cost = evaluate();
    EXPECT_DOUBLE_EQ(cost.commands, 2.0 * 2 * 2 * 9 * runs + moves());
  }

  // Tap by tap lines follow each other: 156 pixels in 39 runs.
  conv.factors.temporal[Level::Accumulator][Dim::P] = 3;
  for (Dim dim : {Dim::R, Dim::S})
    conv.factors.temporal[Level::Accumulator][dim] = 1;
  cost = evaluate();
  EXPECT_DOUBLE_EQ(cost.commands, 2.0 * 2 * 2 * 9 * 39 + moves());

  // So they do in a product, which may be left to the loop unit.
  for (Dim dim : {Dim::R, Dim::S})
    conv.layer.dims[dim] = 1;
  conv.layer.padLow = {0, 0};
  cost = evaluate();
  EXPECT_DOUBLE_EQ(cost.commands, 2.0 * 2 * 2 * 39 + moves());
  EXPECT_EQ(cost.issueCycles, 0);
  target.loopUnit = LoopUnit::None;
  EXPECT_EQ(evaluate().issueCycles, 5 * cost.commands);
}

TEST(CostModelTest, Switches) { // eqs. (switches) and (runs)
  Accelerator target = machine();
  target.dmaLatency = target.commandCycles = 0;
  auto evaluate = [&](const Layer &layer, Mapping mapping) {
    mapping.rows = mapping.cols = 4;
    for (Dim dim : {Dim::P, Dim::Q})
      mapping.temporal[Level::Registers][dim] = layer.dims[dim];
    return evaluateLayer(layer, mapping, target, Convention::Machine, {},
                         Model::Exact, Latency::Busy);
  };
  Layer layer;
  layer.dims[Dim::C] = layer.dims[Dim::K] = 4;
  layer.dims[Dim::P] = layer.dims[Dim::Q] = 3;
  layer.inputExtent = {3, 3};
  // One weight tile, whose nine pixels follow each other.
  EXPECT_EQ(evaluate(layer, {}).switchCycles, 0);
  // Nine of them, past which lines of three pixels stream: the next one is
  // there a cycle after the last of them has begun, four after it.
  Mapping taps;
  layer.dims[Dim::R] = layer.dims[Dim::S] = 3;
  layer.inputExtent = {5, 5};
  taps.temporal[Level::Accumulator][Dim::R] =
      taps.temporal[Level::Accumulator][Dim::S] = 3;
  LayerCost cost = evaluate(layer, taps);
  EXPECT_EQ(cost.computeCycles, 81);
  EXPECT_EQ(cost.switchCycles, 9 * 1);
  EXPECT_EQ(cost.cycles, 90);
  // Where tap by tap comes from DRAM, lines have no more than they need.
  Mapping single;
  single.temporal[Level::Dram][Dim::R] = single.temporal[Level::Dram][Dim::S] =
      3;
  EXPECT_EQ(evaluate(layer, single).switchCycles, 0);
  // Kernel rows alone leave lines next to each other, unless they step.
  Layer rows = layer;
  rows.dims[Dim::S] = 1;
  rows.inputExtent = {5, 3};
  taps.temporal[Level::Accumulator][Dim::S] = 1;
  EXPECT_EQ(evaluate(rows, taps).switchCycles, 0);
  rows.stride[Axis::H] = 2;
  rows.inputExtent = {7, 3};
  cost = evaluate(rows, taps);
  EXPECT_EQ(cost.switchCycles, 3 * 1);
  // Where windows do not overlap images do, so a column of both is a run.
  rows.dims[Dim::N] = 2;
  rows.dims[Dim::Q] = 1;
  rows.inputExtent = {9, 1};
  rows.stride[Axis::H] = 3;
  taps.temporal[Level::Registers][Dim::N] = 2;
  EXPECT_EQ(evaluate(rows, taps).switchCycles, 0);
  // Two passes of four and two pixels for each of three taps, a preload and a
  // compute each, and the moves.
  const double moves = 6 * 3 * 4 / 16.0 + 3 * 4 * 4 / 48.0 + 6 * 4 / 16.0;
  EXPECT_DOUBLE_EQ(evaluate(rows, taps).commands, 3 * 2 * 2 + moves);
}

TEST(CostModelTest, Requests) { // eq. (requests)
  Conv conv;
  Accelerator target = machine();
  target.commandCycles = 0;
  target.dmaLatency = 100;
  target.dmaRequestsInFlight = 16;
  auto evaluate = [&](Latency latency = Latency::Busy) {
    return evaluateLayer(conv.layer, conv.mapping(), target,
                         Convention::Machine, {}, Model::Exact, latency);
  };
  // A pixel's 8 channels are in one request; K comes and goes in two tiles, in
  // which a row of weights holds three taps.
  LayerCost cost = evaluate();
  const DramBytes &bytes = cost.dramBytes;
  EXPECT_DOUBLE_EQ(cost.readerCycles,
                   6.25 * (bytes.input / 8 + bytes.weights / 12));
  EXPECT_DOUBLE_EQ(cost.writerCycles, 6.25 * bytes.outputWrites / 4);
  // Four rows in a load, which take 100 cycles and one for each four bytes, as
  // wide as the array; five loads may be open (eq. (open)).
  const double open = 25 * (bytes.input / 8 + bytes.weights / 12) +
                      (bytes.input + bytes.weights) / 4;
  EXPECT_DOUBLE_EQ(cost.openCycles, open / 5);
  target.dmaRequestsInFlight = 5; // two
  EXPECT_DOUBLE_EQ(evaluate().openCycles, open / 2);
  target.dmaBytesPerCycle = 2;
  EXPECT_DOUBLE_EQ(evaluate().openCycles,
                   (open + (bytes.input + bytes.weights) / 4) / 2);
  target.dmaRequestsInFlight = 3; // one, and its fourth request has to wait
  EXPECT_DOUBLE_EQ(evaluate().openCycles,
                   100 / 3.0 * (bytes.input / 8 + bytes.weights / 12));
  EXPECT_GE(evaluate().cycles, evaluate().openCycles);
  target.dmaBytesPerCycle = 16;
  target.dmaRequestsInFlight = 16;
  // Smaller requests, several of which a row of either takes.
  target.dmaMaxRequestBytes = 2;
  cost = evaluate();
  EXPECT_DOUBLE_EQ(cost.readerCycles,
                   6.25 * (bytes.input / 2 + bytes.weights / 2));
  EXPECT_DOUBLE_EQ(cost.writerCycles, 6.25 * bytes.outputWrites / 2);
  // A residual's 8 channels are two rows of the array's width.
  conv.layer.hasResidual = true;
  EXPECT_NEAR(evaluate().openCycles - cost.openCycles,
              144 * (25 * 2 + 8 / 4.0) / 5, 1e-6);
  conv.layer.hasResidual = false;
  target.dmaMaxRequestBytes = 3; // no less than all of a row
  EXPECT_DOUBLE_EQ(evaluate().readerCycles,
                   6.25 * (bytes.input / 8 + bytes.weights / 8) * 3);
  target.dmaMaxRequestBytes = 64;

  // Blocks that are narrower than the array come one by one, here of two.
  conv.factors.rows = conv.factors.cols = 2;
  conv.factors.temporal[Level::Accumulator][Dim::C] = 2;
  conv.factors.temporal[Level::Accumulator][Dim::K] = 2;
  EXPECT_DOUBLE_EQ(evaluate().readerCycles,
                   6.25 * (bytes.input / 2 + bytes.weights / 2));
  EXPECT_DOUBLE_EQ(evaluate().writerCycles, 6.25 * bytes.outputWrites / 2);
  conv.factors = Conv().factors;

  // A depthwise layer's channels are cut along G.
  Conv depthwise;
  depthwise.layer.dims[Dim::C] = depthwise.layer.dims[Dim::K] = 1;
  depthwise.layer.dims[Dim::G] = 8;
  depthwise.factors.rows = 1;
  depthwise.factors.temporal[Level::Scratchpad][Dim::C] = 1;
  auto readerOf = [&](int64_t blocks) {
    depthwise.factors.temporal[Level::Accumulator][Dim::G] = double(blocks);
    return evaluateLayer(depthwise.layer, depthwise.mapping(), target,
                         Convention::Machine, {}, Model::Exact, Latency::Busy);
  };
  const LayerCost inTwo = readerOf(1), inOne = readerOf(2);
  EXPECT_DOUBLE_EQ(inTwo.readerCycles - inOne.readerCycles,
                   6.25 * inOne.dramBytes.input / 8);
  EXPECT_DOUBLE_EQ(inTwo.writerCycles, 2 * inOne.writerCycles);

  // Either is a roof, for who asks for it.
  const double others = evaluate(Latency::Roofline).cycles;
  target.dmaLatency = 100000;
  cost = evaluate();
  EXPECT_GT(cost.readerCycles, others);
  EXPECT_EQ(cost.cycles, std::max(cost.readerCycles, cost.writerCycles));
  EXPECT_EQ(evaluate(Latency::Roofline).cycles, others);
  EXPECT_EQ(evaluate(Latency::Issue).cycles, others);
  conv.layer.outputBytes = 4; // 32-bit results leave block by block
  cost = evaluate();
  EXPECT_DOUBLE_EQ(cost.writerCycles, 6250 * 12 * 12 * 2);
  target.dmaMaxRequestBytes = 8; // 16 bytes
  EXPECT_DOUBLE_EQ(evaluate().writerCycles, 6250 * 12 * 12 * 4);

  // A request per cycle at most. A bias fills a row of sums per cycle, a
  // residual is a request per pixel and block.
  target.dmaLatency = 1;
  target.dmaMaxRequestBytes = 64;
  const double reads = evaluate().readerCycles;
  EXPECT_DOUBLE_EQ(reads, bytes.input / 8 + bytes.weights / 12);
  conv.layer.hasBias = true;
  EXPECT_DOUBLE_EQ(evaluate().readerCycles, reads + 12 * 12 * 2);
  target.dmaLatency = 1600; // 4 rows at a time take longer than these
  EXPECT_DOUBLE_EQ(evaluate().readerCycles, 100 * (reads + 12 * 12 / 4 * 2));
  target.dmaLatency = 1;
  conv.layer.hasBias = false;
  conv.layer.hasResidual = true;
  EXPECT_DOUBLE_EQ(evaluate().readerCycles, reads + 12 * 12 * 2);
}

TEST(
    CostModelTest,
    GroupKeepsTheIntermediateOnChip) { // eqs. (fused-ends), (group-cost), (edp)
  Network network;
  Layer first;
  first.name = "expand";
  first.dims[Dim::K] = 8;
  first.dims[Dim::C] = 4;
  first.dims[Dim::P] = first.dims[Dim::Q] = 6;
  first.inputExtent = {6, 6};
  first.hasBias = true;
  Layer second = first;
  second.name = "project";
  second.dims[Dim::C] = 8;
  second.dims[Dim::K] = 4;
  network.layers = {first, second};
  network.edges = {{0, 1, ""}};

  Schedule schedule;
  for (const Layer &layer : network.layers) {
    Mapping m;
    m.rows = m.cols = 4;
    m.temporal[Level::Registers][Dim::Q] = 6;
    m.temporal[Level::Accumulator][Dim::P] = 2;
    m.temporal[Level::Scratchpad][Dim::K] = layer.dims[Dim::K] / 4;
    m.temporal[Level::Scratchpad][Dim::C] = layer.dims[Dim::C] / 4;
    m.temporal[Level::Dram][Dim::P] = 3;
    m.order[Level::Scratchpad] = {Dim::C, Dim::R, Dim::S, Dim::K,
                                  Dim::N, Dim::G, Dim::P, Dim::Q};
    schedule.mappings.push_back(m);
  }
  Accelerator target = machine();
  schedule.groups = {{{0}}, {{1}}};
  ASSERT_FALSE(bool(verify(network, schedule, target)));
  ScheduleCost apart = evaluateSchedule(network, schedule, target);
  schedule.groups = {{{0, 1}}};
  ASSERT_FALSE(bool(verify(network, schedule, target)));
  ScheduleCost fused = evaluateSchedule(network, schedule, target);

  const double intermediate = 6 * 6 * 8;
  ASSERT_EQ(fused.groups.size(), 1u);
  const GroupCost &group = fused.groups.front();
  EXPECT_EQ(group.members[0].dramBytes.outputWrites, 0);
  EXPECT_EQ(group.members[0].dramBytes.input, 6 * 6 * 4);
  EXPECT_EQ(group.members[1].dramBytes.input, 0);
  EXPECT_EQ(group.members[1].dramBytes.outputWrites, 6 * 6 * 4);
  EXPECT_EQ(group.members[0].dramBytes.weights, 32);
  EXPECT_EQ(group.members[1].dramBytes.weights, 32);
  // 3 tiles of 12 pixels, chunks of 4: 9 broadcasts of each channel's bias.
  EXPECT_EQ(group.members[0].dramBytes.bias, 4 * 8 * 9);
  // The hand-over is one accumulator read and one scratchpad write.
  EXPECT_EQ(group.members[0].access[Level::Scratchpad][Tensor::O].updates,
            intermediate);
  EXPECT_EQ(group.members[0].accesses(Level::Accumulator),
            apart.groups[0].members[0].accesses(Level::Accumulator));
  EXPECT_EQ(group.members[1].access[Level::Scratchpad][Tensor::I].fills, 0);
  EXPECT_EQ(
      group.members[1].access[Level::Scratchpad][Tensor::I].reads,
      apart.groups[1].members[0].access[Level::Scratchpad][Tensor::I].reads);

  EXPECT_EQ(apart.dramBytes.total() - fused.dramBytes.total(),
            2 * intermediate);
  EXPECT_DOUBLE_EQ(apart.energy - fused.energy, 2 * intermediate * 128);
  EXPECT_DOUBLE_EQ(fused.energy,
                   group.members[0].energy + group.members[1].energy);
  EXPECT_DOUBLE_EQ(fused.cycles,
                   group.members[0].cycles + group.members[1].cycles);
  EXPECT_DOUBLE_EQ(fused.edp(), fused.energy * 1e-6 * fused.cycles);
}

// Sums stay in the accumulator, and the array reads them there.
TEST(CostModelTest, HandOverInPlace) { // eq. (in-place)
  Network network;
  Schedule schedule;
  for (const char *name : {"a", "b"}) {
    Layer layer;
    layer.name = name;
    layer.dims[Dim::K] = layer.dims[Dim::C] = 8;
    layer.dims[Dim::P] = layer.dims[Dim::Q] = 6;
    layer.inputExtent = {6, 6};
    network.layers.push_back(layer);
    Mapping m;
    m.rows = m.cols = 4;
    m.temporal[Level::Registers][Dim::Q] = 6;
    m.temporal[Level::Accumulator][Dim::P] = 2;
    m.temporal[Level::Accumulator][Dim::K] = 2;
    m.temporal[Level::Accumulator][Dim::C] = 2;
    m.temporal[Level::Dram][Dim::P] = 3;
    schedule.mappings.push_back(m);
  }
  network.edges = {{0, 1, ""}};
  schedule.groups = {{{0, 1}}};
  Accelerator target = machine();
  target.accumulatorBytes = 4096;
  target.scratchpadBytes = 4096;
  auto evaluate = [&](HandOver handOver) {
    target.handOver = handOver;
    llvm::Error error = verify(network, schedule, target);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    return evaluateSchedule(network, schedule, target).groups.front();
  };
  const GroupCost copied = evaluate(HandOver::MvoutSpad);
  const GroupCost inPlace = evaluate(HandOver::AccumulatorOperand);
  const double intermediate = 6 * 6 * 8;
  auto sums = [](const GroupCost &group, size_t member) {
    return group.members[member].access[Level::Accumulator];
  };
  auto spad = [](const GroupCost &group, size_t member) {
    return group.members[member].access[Level::Scratchpad];
  };
  // The copy: one read there and one write here.
  EXPECT_EQ(sums(copied, 0)[Tensor::O].reads -
                sums(inPlace, 0)[Tensor::O].reads,
            intermediate);
  EXPECT_EQ(spad(copied, 0)[Tensor::O].updates, intermediate);
  EXPECT_EQ(spad(inPlace, 0)[Tensor::O].updates, 0);
  // Two column blocks read all of it.
  EXPECT_EQ(spad(copied, 1)[Tensor::I].reads, 2 * intermediate);
  EXPECT_EQ(spad(inPlace, 1)[Tensor::I].reads, 0);
  EXPECT_EQ(sums(copied, 1)[Tensor::I].reads, 0);
  EXPECT_EQ(sums(inPlace, 1)[Tensor::I].reads, 2 * intermediate);
  EXPECT_EQ(copied.dramBytes.total(), inPlace.dramBytes.total());
}

// Whole windows are handed over, nine sums read for each pixel of them.
TEST(CostModelTest, PooledHandOver) { // eq. (pooling)
  Network network;
  Layer first;
  first.name = "a";
  first.dims[Dim::K] = first.dims[Dim::C] = 4;
  first.dims[Dim::P] = first.dims[Dim::Q] = 8;
  first.inputExtent = {8, 8};
  MaxPool &pool = first.pool.emplace();
  pool.size = 3;
  pool.stride = 2;
  pool.padLow = {1, 1};
  pool.outputs = {4, 4};
  Layer second = first;
  second.name = "b";
  second.pool.reset();
  second.dims[Dim::P] = second.dims[Dim::Q] = 4;
  second.inputExtent = {4, 4};
  network.layers = {first, second};
  network.edges = {{0, 1, ""}};

  Accelerator target = machine();
  target.accumulatorBytes = 4096;
  target.scratchpadBytes = 4096;
  Schedule schedule;
  schedule.mappings.resize(2);
  for (Mapping &m : schedule.mappings)
    m.rows = m.cols = 4;
  // Two tiles of two rows; 5 x 9 outputs lie under the windows of each.
  schedule.mappings[0].temporal[Level::Registers][Dim::P] = 5;
  schedule.mappings[0].temporal[Level::Registers][Dim::Q] = 9;
  schedule.mappings[0].temporal[Level::Dram][Dim::P] = 2;
  schedule.mappings[1].temporal[Level::Registers][Dim::P] = 2;
  schedule.mappings[1].temporal[Level::Registers][Dim::Q] = 4;
  schedule.mappings[1].temporal[Level::Dram][Dim::P] = 2;
  schedule.groups = {{{0, 1}}};
  llvm::Error error = verify(network, schedule, target);
  ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
  const ScheduleCost cost = evaluateSchedule(network, schedule, target);
  const MemberCost &pooled = cost.groups.front().members[0];
  // Rows 0 to 3 and 3 to 7; row 3 is under windows of both tiles.
  const double made = (4 + 5) * 8 * 4, handedOver = 4 * 4 * 4;
  EXPECT_EQ(pooled.macs, made * 4);
  EXPECT_EQ(pooled.dramBytes.input, made);
  EXPECT_EQ(pooled.dramBytes.outputWrites, 0);
  EXPECT_EQ(pooled.access[Level::Accumulator][Tensor::O].updates, made);
  EXPECT_EQ(pooled.access[Level::Accumulator][Tensor::O].reads, 9 * handedOver);
  EXPECT_EQ(pooled.access[Level::Scratchpad][Tensor::O].updates, handedOver);
}

// What a live skip saves: DRAM, and the accumulator's fill and the read of its
// first sum; what it costs: reads of the scratchpad.
TEST(CostModelTest, LiveSkip) { // eqs. (bias) and (sum-accesses)
  Network network;
  Schedule schedule;
  for (int i = 0; i < 2; ++i) {
    Layer layer;
    layer.name = i ? "b" : "a";
    layer.dims[Dim::K] = layer.dims[Dim::C] = 4;
    layer.dims[Dim::P] = layer.dims[Dim::Q] = 6;
    layer.inputExtent = {6, 6};
    layer.hasResidual = i == 1;
    network.layers.push_back(layer);
    Mapping m;
    m.rows = m.cols = 4;
    m.temporal[Level::Registers][Dim::Q] = 6;
    m.temporal[Level::Accumulator][Dim::P] = 2;
    m.temporal[Level::Dram][Dim::P] = 3;
    schedule.mappings.push_back(m);
  }
  network.edges = {{0, 1, ""}};
  network.operands = {{2, std::nullopt}, {0, 2}};
  const Accelerator target = machine();
  auto evaluate = [&](std::vector<unsigned> liveSkips) {
    schedule.groups = {{{0, 1}, {}, std::move(liveSkips)}};
    llvm::Error error = verify(network, schedule, target);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
    return evaluateSchedule(network, schedule, target).groups.front();
  };
  const GroupCost dram = evaluate({}), live = evaluate({1});
  const double added = 6 * 6 * 4;
  EXPECT_EQ(dram.members[1].dramBytes.residual, added);
  EXPECT_EQ(live.members[1].dramBytes.residual, 0);
  auto &before = dram.members[1].access, &after = live.members[1].access;
  EXPECT_EQ(before[Level::Accumulator][Tensor::O].fills, added);
  EXPECT_EQ(after[Level::Accumulator][Tensor::O].fills, 0);
  EXPECT_EQ(before[Level::Accumulator][Tensor::O].reads -
                after[Level::Accumulator][Tensor::O].reads,
            added);
  EXPECT_EQ(after[Level::Scratchpad][Tensor::I].reads -
                before[Level::Scratchpad][Tensor::I].reads,
            added);
  EXPECT_EQ(live.members[0].energy, dram.members[0].energy);
  EXPECT_DOUBLE_EQ(dram.energy - live.energy,
                   added * (target.energyPerAccess[Level::Dram] +
                            2 * target.energyPerAccess[Level::Accumulator] -
                            target.energyPerAccess[Level::Scratchpad]));
}

TEST(CostModelTest,
     DepthwiseBlockIsChargedAsASquare) { // eqs. (weight-words) and (compute)
  Layer layer;
  layer.dims[Dim::G] = 10;
  layer.dims[Dim::P] = layer.dims[Dim::Q] = 4;
  layer.inputExtent = {4, 4};
  Mapping m;
  m.cols = 4;
  m.temporal[Level::Scratchpad] = layer.dims;
  LayerCost cost = evaluateLayer(layer, m, machine());
  EXPECT_EQ(cost.macs, 160);
  EXPECT_EQ(cost.arrayMacs, (16 + 16 + 4) * 16);
  EXPECT_EQ(cost.computeCycles, 3 * 16);
  EXPECT_EQ(cost.dramBytes.weights, 36);
  LayerCost timeloop = evaluateLayer(layer, m, machine(), Convention::Timeloop);
  EXPECT_EQ(timeloop.arrayMacs, 160);
  EXPECT_EQ(timeloop.dramBytes.weights, 10);
}

} // namespace
