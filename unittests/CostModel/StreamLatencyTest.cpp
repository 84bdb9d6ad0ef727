//===- StreamLatencyTest.cpp ----------------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Terms worked out by hand from the rules of docs/Simulator.md. That the whole
// says what the simulator does is test/Bench/latency.test's business.
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/StreamLatency.h"
#include "fadiff/CostModel/CostFunction.h"
#include "fadiff/CostModel/Group.h"
#include "fadiff/Hardware/KnownTargets.h"
#include "fadiff/Schedule/Schedule.h"
#include "gtest/gtest.h"

#include <cmath>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

using namespace fadiff;

namespace {

Accelerator machine(int64_t side = 16) {
  Accelerator a;
  a.side = side;
  a.scratchpadBytes = 1 << 18;
  a.accumulatorBytes = 1 << 16;
  a.dmaBytesPerCycle = 16;
  a.dmaMaxRequestBytes = 64;
  a.dmaRequestsInFlight = 16;
  a.dmaLatency = 160; // 10 cycles per request
  a.commandCycles = 5;
  a.scratchpadReadDelay = 4;
  a.accumulatorPipe = 10;
  return a;
}

Layer layerOf(int64_t k, int64_t c, int64_t p, int64_t q, int64_t kernel) {
  Layer layer;
  layer.dims[Dim::K] = k;
  layer.dims[Dim::C] = c;
  layer.dims[Dim::P] = p;
  layer.dims[Dim::Q] = q;
  layer.dims[Dim::R] = layer.dims[Dim::S] = kernel;
  layer.inputExtent = {p + kernel - 1, q + kernel - 1};
  return layer;
}

void set(Mapping &mapping, Level level,
         std::initializer_list<std::pair<Dim, int64_t>> of) {
  for (auto [dim, factor] : of)
    mapping.temporal[level][dim] = factor;
}

/// One scratchpad tile; each weight tile sees all pixels at once.
Mapping whole(const Layer &layer, int64_t side = 16) {
  Mapping mapping;
  mapping.rows = std::min(side, layer.dims[Dim::C]);
  mapping.cols = std::min(side, layer.dims[Dim::K]);
  for (Dim dim : {Dim::P, Dim::Q})
    mapping.temporal[Level::Registers][dim] = layer.dims[dim];
  for (Dim dim : {Dim::R, Dim::S})
    mapping.temporal[Level::Accumulator][dim] = layer.dims[dim];
  mapping.temporal[Level::Accumulator][Dim::C] =
      (layer.dims[Dim::C] + mapping.rows - 1) / mapping.rows;
  mapping.temporal[Level::Accumulator][Dim::K] =
      (layer.dims[Dim::K] + mapping.cols - 1) / mapping.cols;
  return mapping;
}

/// Of a legal schedule.
double walkedCycles(const Network &network, const Schedule &schedule,
                    const Accelerator &target) {
  EXPECT_FALSE(errorToBool(verify(network, schedule, target)));
  const auto cost =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Streams);
  return evaluateSchedule(network, schedule, target, *cost).cycles;
}

StreamPlan planOf(const Layer &layer, const Mapping &mapping,
                  const Accelerator &target) {
  return planStream(streamShape(layer, mapping, target), target);
}

TEST(StreamPlan, LinesJoinWhereTheyFollowEachOtherEverywhere) {
  // 1x1: pixels are dense in all places.
  Layer layer = layerOf(64, 64, 8, 8, 1);
  StreamPlan plan = planOf(layer, whole(layer), machine());
  EXPECT_TRUE(plan.joins(Dim::P) && plan.joins(Dim::Q));
  EXPECT_EQ(plan.input, StreamPieces::Runs);
  EXPECT_TRUE(plan.storesRuns);
  EXPECT_EQ(plan.inputChannels, 64);
  EXPECT_EQ(plan.outputChannels, 64);

  // Half of each line: neighbours in the tile, not in DRAM. Runs of 4 instead
  // of 16 would slow the array down, so everything moves as a whole.
  Mapping half = whole(layer);
  half.temporal[Level::Registers][Dim::Q] = 4;
  half.temporal[Level::Dram][Dim::Q] = 2;
  plan = planOf(layer, half, machine());
  EXPECT_TRUE(plan.joins(Dim::P));
  EXPECT_EQ(plan.input, StreamPieces::Whole);
  EXPECT_FALSE(plan.storesRuns);
  EXPECT_EQ(plan.outputChannels, 16);

  // 3x3: the window's lines are longer than the outputs'.
  layer = layerOf(64, 64, 8, 16, 3);
  plan = planOf(layer, whole(layer), machine());
  EXPECT_FALSE(plan.joins(Dim::P));
  EXPECT_EQ(plan.input, StreamPieces::Lines);
}

TEST(StreamPlan, TheFirstPassIsNoShorterThanTheArraysShortest) {
  // 49 pixels on 16 rows: 4, 13, 16 and 16, not 1, 16, 16 and 16.
  auto leastFirst = [](int64_t pixels) {
    Layer layer = layerOf(64, 64, 1, pixels, 1);
    layer.outputBytes = 4; // no wide stores
    return planOf(layer, whole(layer), machine()).leastFirst;
  };
  EXPECT_EQ(leastFirst(49), 4);
  EXPECT_EQ(leastFirst(52), 1);
  EXPECT_EQ(leastFirst(3), 1);
}

TEST(StreamPlan, TilesOfTheInputTakeTurnsWhereTwoFit) {
  // 10 x 10 windows of 64 channels, of which each kernel column wants another
  // tile: 8 columns, 10 rows, 4 blocks of channels.
  Layer layer = layerOf(64, 64, 8, 8, 3);
  Mapping mapping = whole(layer);
  mapping.temporal[Level::Accumulator][Dim::S] = 1;
  mapping.temporal[Level::Dram][Dim::S] = 3;
  Accelerator target = machine();
  const StreamShape shape = streamShape(layer, mapping, target);
  EXPECT_EQ(shape.inputRows(), 8 * 10 * 4);
  EXPECT_EQ(shape.weightRows(), 3 * 64 * 4);
  const StreamPlan plan = planStream(shape, target);
  ASSERT_TRUE(plan.inputTurns);
  // Pieces of 64 channels and two lines of 8 pixels, a move each; 48 computes
  // bring them.
  EXPECT_EQ(plan.inputTurns->lines, 2);
  EXPECT_EQ(plan.inputTurns->all, 5);
  EXPECT_EQ(plan.inputTurns->atOnce, 1);
  EXPECT_LE(plan.inputTurns->trips(), 48);
  // In front of trips, but not of the first one.
  EXPECT_EQ(plan.inputTurns->from, 1);
  EXPECT_FALSE(plan.inputTurns->isBehind);
  StreamShape member = shape;
  member.inputOnChip = true;
  member.turns.count = 5;
  const std::optional<TileTurns> share = planStream(member, target).inputTurns;
  ASSERT_TRUE(share);
  EXPECT_EQ(share->all, 5);
  EXPECT_EQ(share->atOnce, 1);
  EXPECT_FALSE(share->isBehind);
  EXPECT_EQ(share->from, 1);
  // Behind the only box of a trip, which then may be the first (emitted:
  // test/Conversion/FadiffToGemmini/input-turns.mlir).
  Layer product = layerOf(16, 64, 1, 1, 1);
  product.dims[Dim::N] = 98;
  Mapping halves;
  halves.rows = halves.cols = 16;
  set(halves, Level::Registers, {{Dim::N, 49}});
  set(halves, Level::Accumulator, {{Dim::C, 2}});
  set(halves, Level::Dram, {{Dim::N, 2}, {Dim::C, 2}});
  const std::optional<TileTurns> behind =
      planOf(product, halves, target).inputTurns;
  ASSERT_TRUE(behind);
  EXPECT_TRUE(behind->isBehind);
  EXPECT_EQ(behind->from, 0);

  // Not where the second one has no room, nor without a second one.
  target.scratchpadBytes = (2 * 320 + 768 - 1) * target.side;
  EXPECT_FALSE(planOf(layer, mapping, target).inputTurns);
  target.scratchpadBytes += target.side;
  EXPECT_TRUE(planOf(layer, mapping, target).inputTurns);
  EXPECT_FALSE(planOf(layer, whole(layer), machine()).inputTurns);
}

TEST(StreamPlan, TilesOfWeightsTakeTurnsWhereTheyComeUnevenly) {
  // The projection of a GPT-3 block. Weights of 704 x 64 serve two tiles of
  // sums. On the trips of the first one the reader is late, as it brings back
  // what was spilled, too; on those of the second one it would rest.
  Layer layer = layerOf(4096, 4096, 1, 1, 1);
  layer.dims[Dim::N] = 512;
  Mapping mapping;
  mapping.rows = mapping.cols = 32;
  set(mapping, Level::Registers, {{Dim::N, 256}});
  set(mapping, Level::Accumulator, {{Dim::C, 22}});
  set(mapping, Level::Scratchpad, {{Dim::N, 2}, {Dim::K, 2}});
  set(mapping, Level::Dram, {{Dim::C, 6}, {Dim::K, 64}});
  mapping.order[Level::Dram] = {Dim::N, Dim::G, Dim::P, Dim::Q,
                                Dim::R, Dim::S, Dim::C, Dim::K};
  Accelerator target = llvm::cantFail(findKnownTarget("gemmini-large"));
  const StreamShape shape = streamShape(layer, mapping, target);
  EXPECT_EQ(shape.weightRows(), 704 * 2);
  const StreamPlan plan = planStream(shape, target);
  ASSERT_TRUE(plan.weightTurns);
  EXPECT_TRUE(plan.fetchesWeightsAhead());
  // 22 moves of 32 rows of 64 columns when the four accumulator tiles begin, as
  // the last tile of weights has fewer steps than the others.
  EXPECT_EQ(plan.weightTurns->all, 22);
  EXPECT_EQ(plan.weightTurns->atOnce, 6);
  EXPECT_EQ(plan.weightTurns->trips(), 4);

  // Not without room for two beside the input, nor where each trip uses other
  // weights, so that there are none on which the reader would rest.
  target.scratchpadBytes =
      (shape.inputRows() + 2 * shape.weightRows() - 1) * target.side;
  EXPECT_FALSE(planOf(layer, mapping, target).weightTurns);
  target.scratchpadBytes += target.side;
  EXPECT_TRUE(planOf(layer, mapping, target).weightTurns);
  layer.dims[Dim::N] = 256;
  mapping.temporal[Level::Scratchpad][Dim::N] = 1;
  EXPECT_FALSE(
      planOf(layer, mapping, llvm::cantFail(findKnownTarget("gemmini-large")))
          .weightTurns);
}

TEST(StreamLatency, ThePassesOfAComputeAndTheGapBeforeNewWeights) {
  // 24 pixels are passes of 8 and 16; the next weights load during the latter.
  Layer layer = layerOf(64, 64, 3, 8, 1);
  layer.outputBytes = 4; // no wide stores
  EXPECT_DOUBLE_EQ(streamLatency(layer, whole(layer), machine()).execute,
                   16 * 24);
  // After the only pass, of 8, they take 8 cycles more.
  layer = layerOf(64, 64, 1, 8, 1);
  EXPECT_DOUBLE_EQ(streamLatency(layer, whole(layer), machine()).execute,
                   16 * (10 + 8));
  // Passes of 4 pixels wait for their two commands, as lines of 3x3 windows.
  layer = layerOf(16, 16, 4, 4, 3);
  EXPECT_DOUBLE_EQ(streamLatency(layer, whole(layer), machine()).execute,
                   9 * (4 * 10 + 12));
  // 21 columns as 16 + 5: half of the passes are ones that the core cannot
  // issue in time.
  layer = layerOf(16, 16, 4, 21, 3);
  Mapping uneven = whole(layer);
  uneven.temporal[Level::Registers][Dim::Q] = 16;
  uneven.temporal[Level::Dram][Dim::Q] = 2;
  EXPECT_DOUBLE_EQ(streamLatency(layer, uneven, machine()).execute,
                   9 * (4 * (16 + 10) + 11));
}

TEST(StreamLatency, LoadsCountRequestsAndTheMvinsThatMayBeOpen) {
  // W: 64 rows of 64 bytes in 4 mvins; I: 64 pixels of 64 bytes in 4. A mvin of
  // 16 requests takes the reader 160 cycles, and ends 224 after its start.
  Layer layer = layerOf(64, 64, 4, 16, 1);
  EXPECT_DOUBLE_EQ(streamLatency(layer, whole(layer), machine()).load, 8 * 160);
  // At side 32 one may be open: 128 beats behind the latency.
  layer = layerOf(64, 64, 4, 32, 1);
  EXPECT_DOUBLE_EQ(streamLatency(layer, whole(layer, 32), machine(32)).load,
                   (2 + 4) * (160 + 160));
  // The bias: one row from DRAM for 16 of the accumulator; two may be open.
  layer = layerOf(16, 16, 1, 16, 1);
  const double without = streamLatency(layer, whole(layer), machine()).load;
  layer.hasBias = true;
  EXPECT_DOUBLE_EQ(streamLatency(layer, whole(layer), machine()).load,
                   without + (160 + 16) / 2.0);
}

TEST(StreamWalk, OnePassByHand) {
  // Issued at 0, 5, .., 20 are a mvin of 16 rows of weights, one of 16 pixels,
  // preload, compute and mvout. The reader takes 160 cycles for 16 requests; a
  // mvin ends latency and 16 beats after its start: at 176, and 160 + 176. The
  // compute streams 16 rows from 336 on, the sums are there 53 later, at 405.
  // Their first rows leave 10 later, and take latency and 16 beats.
  Accelerator target = machine();
  target.bandwidth[Level::Dram] = 1e9;
  const Layer layer = layerOf(16, 16, 1, 16, 1);
  EXPECT_DOUBLE_EQ(walkedCycles(layer, whole(layer), target),
                   405 + 10 + 160 + 16);
}

TEST(StreamWalk, SkippedTripsTakeWhatOthersTake) {
  // Columns of output blocks, which are like each other once the first ones are
  // under way; most trips are skipped.
  auto cycles = [](int64_t blocks, bool hasBias, int64_t kernel) {
    Layer layer = layerOf(16 * blocks, 64, 14, 14, kernel);
    layer.hasBias = hasBias;
    Mapping mapping = whole(layer);
    mapping.temporal[Level::Accumulator][Dim::K] = 1;
    mapping.temporal[Level::Dram][Dim::K] = blocks;
    return walkedCycles(layer, mapping, machine());
  };
  for (bool hasBias : {false, true})
    for (int64_t kernel : {1, 3}) {
      SCOPED_TRACE(kernel);
      const double few = cycles(8, hasBias, kernel),
                   more = cycles(16, hasBias, kernel),
                   many = cycles(1024, hasBias, kernel);
      EXPECT_NEAR((many - more) / 1008, (more - few) / 8,
                  0.02 * (more - few) / 8);
    }
}

TEST(StreamPlan, BiasIsAddedLaterToGapsToo) {
  // Of 58 columns two tiles have 29; or one has 30, and the other gaps behind
  // its lines of 28.
  Layer layer = layerOf(16, 64, 8, 58, 3);
  layer.hasBias = true;
  Mapping mapping = whole(layer);
  mapping.temporal[Level::Registers][Dim::Q] = 29;
  mapping.temporal[Level::Dram][Dim::Q] = 2;
  StreamPlan plan = planOf(layer, mapping, machine());
  EXPECT_GT(plan.addChunks, 0);
  EXPECT_FALSE(plan.addsToGaps);
  mapping.temporal[Level::Registers][Dim::Q] = 30;
  plan = planOf(layer, mapping, machine());
  EXPECT_GT(plan.addChunks, 0);
  EXPECT_TRUE(plan.addsToGaps);

  // In place the sums are all of the reader's window where its kernel is 1 x 1.
  Accelerator target = machine();
  target.handOver = HandOver::AccumulatorOperand;
  target.bandwidth[Level::Dram] = 1e9;
  for (int64_t kernel : {1, 3}) {
    Network network;
    network.layers = {layerOf(16, 64, 16, 16, 3),
                      layerOf(16, 16, 16, 16, kernel)};
    network.layers[0].hasBias = true;
    network.layers[1].padLow = {kernel / 2, kernel / 2};
    network.layers[1].inputExtent = {16, 16};
    const Mapping first = whole(network.layers[0]);
    const GroupTiles tiles({&network.layers[0], &network.layers[1]},
                           PerDim<int64_t>(16));
    const StreamPlan ofFirst =
        planStream(streamShape(tiles, 0, first, target), target);
    EXPECT_GT(ofFirst.addChunks, 0);
    EXPECT_EQ(ofFirst.addsToGaps, kernel > 1);
  }
}

// Shares are rounded, the last piece included.
TEST(StreamPlan, MembersBringAllPiecesOfTheNextTile) {
  const Accelerator target = *findTarget("gemmini-fp32");
  std::mt19937_64 rng(7);
  auto pick = [&](uint64_t most) { return int64_t(1 + rng() % most); };
  unsigned shared = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    const int64_t channels = pick(80), p = pick(40), q = pick(40);
    Layer first = layerOf(pick(80), channels, p, q, 1);
    Layer second = layerOf(pick(80), first.dims[Dim::K], p, q, 1);
    for (Layer *layer : {&first, &second}) {
      layer->elementBytes = layer->outputBytes = 4;
      layer->hasBias = true;
    }
    PerDim<int64_t> tile(1);
    tile[Dim::P] = pick(uint64_t(p));
    tile[Dim::Q] = pick(uint64_t(q));
    GroupFlow flow = GroupFlow::chain(2);
    flow.tiles[flow.members[0].input].turns = true;
    const GroupTiles tiles({&first, &second}, tile, flow, /*keepRows=*/false,
                           /*poolsOutput=*/false);
    const TurnShare ofFirst = turnShare(tiles, 0, target),
                    ofSecond = turnShare(tiles, 1, target);
    if (ofFirst.count + ofSecond.count == 0)
      continue;
    shared += ofFirst.count > 0 && ofSecond.count > 0;
    EXPECT_EQ(ofFirst.first, 0);
    EXPECT_EQ(ofSecond.first, ofFirst.count);
    EXPECT_EQ(ofSecond.first + ofSecond.count,
              llvm::divideCeil(channels, ofFirst.channels) *
                  llvm::divideCeil(ofFirst.height, ofFirst.lines) *
                  llvm::divideCeil(tile[Dim::Q], ofFirst.columns))
        << channels << " channels, " << tile[Dim::P] << " x " << tile[Dim::Q];
  }
  EXPECT_GT(shared, 100u);
}

/// The machine with room for one tile of the input.
Accelerator withOneTile(Accelerator target, const StreamShape &shape) {
  target.scratchpadBytes =
      int64_t(shape.inputRows() + shape.weightRows()) * target.side;
  return target;
}

TEST(StreamWalk, TripsThatBringATileInAreNotLikeOthers) {
  // dw2 of MobileNetV1: eight tiles whose input comes whole with their first
  // compute. The simulator takes 203,424 cycles for it.
  Layer layer;
  layer.dims[Dim::G] = 64;
  layer.dims[Dim::P] = layer.dims[Dim::Q] = 56;
  layer.dims[Dim::R] = layer.dims[Dim::S] = 3;
  layer.stride = {2, 2};
  layer.padLow = {1, 1};
  layer.inputExtent = {112, 112};
  layer.hasBias = true;
  Mapping mapping;
  mapping.cols = 16;
  set(mapping, Level::Registers, {{Dim::P, 2}, {Dim::Q, 14}});
  set(mapping, Level::Accumulator, {{Dim::G, 4}, {Dim::R, 3}, {Dim::S, 3}});
  set(mapping, Level::Scratchpad, {{Dim::P, 7}, {Dim::Q, 2}});
  set(mapping, Level::Dram, {{Dim::P, 4}, {Dim::Q, 2}});
  for (Level level : {Level::Registers, Level::Scratchpad, Level::Dram})
    mapping.order[level] = {Dim::N, Dim::G, Dim::K, Dim::C,
                            Dim::R, Dim::S, Dim::Q, Dim::P};
  mapping.order[Level::Accumulator] = {Dim::N, Dim::K, Dim::C, Dim::P,
                                       Dim::Q, Dim::S, Dim::R, Dim::G};
  Accelerator target = llvm::cantFail(findKnownTarget("gemmini"));
  target.scratchpadBytes = 131072; // for one tile
  EXPECT_NEAR(walkedCycles(layer, mapping, target), 203424, 0.005 * 203424);
}

/// conv1 of ResNet18 with kernel columns as channels.
Layer conv1WithColumns() {
  Layer layer;
  layer.dims[Dim::K] = 64;
  layer.dims[Dim::C] = 21;
  layer.dims[Dim::P] = layer.dims[Dim::Q] = 112;
  layer.dims[Dim::R] = 7;
  layer.stride = {2, 1};
  layer.padLow = {3, 0};
  layer.inputExtent = {224, 112};
  layer.hasBias = true;
  return layer;
}

TEST(StreamWalk, LinesOfPaddingAreNotLikeOthers) {
  // A tile's input comes whole, three lines of padding first. The simulator
  // takes 358,520 cycles.
  const Layer layer = conv1WithColumns();
  Mapping mapping;
  mapping.rows = 21;
  mapping.cols = 32;
  mapping.temporal[Level::Registers][Dim::P] = 112;
  mapping.temporal[Level::Accumulator][Dim::K] = 2;
  mapping.temporal[Level::Accumulator][Dim::R] = 7;
  mapping.temporal[Level::Scratchpad][Dim::Q] = 28;
  mapping.temporal[Level::Dram][Dim::Q] = 4;
  mapping.order[Level::Accumulator] = {Dim::N, Dim::G, Dim::C, Dim::P,
                                       Dim::Q, Dim::S, Dim::R, Dim::K};
  Accelerator target = llvm::cantFail(findKnownTarget("gemmini-large"));
  target.scratchpadBytes = 262144; // for one tile
  EXPECT_NEAR(walkedCycles(layer, mapping, target), 358520, 0.005 * 358520);
}

TEST(StreamWalk, FirstLinesOfATileAreNotLikeOthers) {
  // conv1 of ResNet18 as it is. Lines of a tile come with its first taps, three
  // bytes at a time, far slower than the array takes them. The simulator takes
  // 1,595,688 cycles.
  Layer layer = layerOf(64, 3, 112, 112, 7);
  layer.stride = {2, 2};
  layer.padLow = {3, 3};
  layer.inputExtent = {224, 224};
  layer.hasBias = true;
  Mapping mapping;
  mapping.rows = 3;
  mapping.cols = 32;
  set(mapping, Level::Registers, {{Dim::P, 2}, {Dim::Q, 56}});
  set(mapping, Level::Accumulator, {{Dim::R, 4}, {Dim::K, 2}, {Dim::S, 7}});
  set(mapping, Level::Scratchpad, {{Dim::P, 5}, {Dim::R, 2}});
  set(mapping, Level::Dram, {{Dim::P, 12}, {Dim::Q, 2}});
  mapping.order[Level::Accumulator] = {Dim::N, Dim::G, Dim::C, Dim::P,
                                       Dim::Q, Dim::S, Dim::K, Dim::R};
  mapping.order[Level::Scratchpad] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                      Dim::Q, Dim::S, Dim::R, Dim::P};
  mapping.order[Level::Dram] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                Dim::R, Dim::S, Dim::Q, Dim::P};
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini-large"));
  EXPECT_NEAR(walkedCycles(layer, mapping, target), 1595688, 0.02 * 1595688);
}

TEST(StreamWalk, TilesAtTheImagesEdgeAreNotLikeOthers) {
  // conv4 of VGG16 in tiles of 4 by 16 pixels and 16 channels. Where a tile has
  // lines in the padding, less comes from DRAM. The simulator takes 8,652,481
  // cycles.
  Layer layer = layerOf(128, 128, 112, 112, 3);
  layer.padLow = {1, 1};
  layer.inputExtent = {112, 112};
  layer.hasBias = true;
  Mapping mapping;
  mapping.rows = mapping.cols = 16;
  set(mapping, Level::Registers, {{Dim::P, 4}, {Dim::Q, 16}});
  set(mapping, Level::Accumulator, {{Dim::S, 2}, {Dim::K, 2}});
  set(mapping, Level::Scratchpad, {{Dim::S, 2}, {Dim::R, 3}});
  set(mapping, Level::Dram,
      {{Dim::K, 4}, {Dim::P, 28}, {Dim::Q, 7}, {Dim::C, 8}});
  mapping.order[Level::Accumulator] = {Dim::N, Dim::G, Dim::C, Dim::P,
                                       Dim::Q, Dim::R, Dim::K, Dim::S};
  mapping.order[Level::Scratchpad] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                      Dim::P, Dim::Q, Dim::R, Dim::S};
  mapping.order[Level::Dram] = {Dim::N, Dim::G, Dim::R, Dim::S,
                                Dim::C, Dim::Q, Dim::P, Dim::K};
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini-small"));
  EXPECT_NEAR(walkedCycles(layer, mapping, target), 8652481, 0.02 * 8652481);
}

TEST(StreamWalk, StoresThatFallBehindAreNotSteady) {
  // pw2 of MobileNetV1. With the last step each line of 14 pixels is stored,
  // which takes 88 cycles; the array has 14 to do until the stores' queue is
  // full. The simulator takes 292,046 cycles.
  Layer layer = layerOf(128, 64, 56, 56, 1);
  layer.hasBias = true;
  Mapping mapping;
  mapping.rows = mapping.cols = 16;
  mapping.temporal[Level::Registers][Dim::P] = 56;
  mapping.temporal[Level::Registers][Dim::Q] = 14;
  mapping.temporal[Level::Accumulator][Dim::C] = 4;
  mapping.temporal[Level::Scratchpad][Dim::Q] = 4;
  mapping.temporal[Level::Dram][Dim::K] = 8;
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini"));
  EXPECT_NEAR(walkedCycles(layer, mapping, target), 292046, 0.02 * 292046);
}

TEST(StreamWalk, StepsThatBringBiasAreNotLikeOthers) {
  // conv6 of VGG16. The bias of 392 sums comes with 13 of the tile's 72 steps,
  // 32 each. The simulator takes 2,115,788 cycles.
  Layer layer = layerOf(256, 256, 56, 56, 3);
  layer.padLow = {1, 1};
  layer.inputExtent = {56, 56};
  layer.hasBias = true;
  Mapping mapping;
  mapping.rows = mapping.cols = 32;
  set(mapping, Level::Registers, {{Dim::P, 14}, {Dim::Q, 28}});
  set(mapping, Level::Accumulator, {{Dim::C, 5}, {Dim::R, 2}});
  set(mapping, Level::Scratchpad,
      {{Dim::C, 2}, {Dim::P, 4}, {Dim::R, 2}, {Dim::S, 3}});
  set(mapping, Level::Dram, {{Dim::K, 8}, {Dim::Q, 2}});
  mapping.order[Level::Registers] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                     Dim::R, Dim::S, Dim::Q, Dim::P};
  mapping.order[Level::Accumulator] = {Dim::N, Dim::G, Dim::K, Dim::P,
                                       Dim::Q, Dim::S, Dim::R, Dim::C};
  mapping.order[Level::Scratchpad] = {Dim::N, Dim::G, Dim::K, Dim::Q,
                                      Dim::S, Dim::R, Dim::C, Dim::P};
  mapping.order[Level::Dram] = {Dim::N, Dim::G, Dim::C, Dim::P,
                                Dim::R, Dim::S, Dim::K, Dim::Q};
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini-large"));
  EXPECT_NEAR(walkedCycles(layer, mapping, target), 2115788, 0.02 * 2115788);
}

TEST(StreamWalk, MovesTakeTurns) {
  // conv1 of MobileNetV1 with kernel columns as channels, two columns of pixels
  // at a time. Two moves of such a line may be open, so the reader takes 13 and
  // 89 cycles in turn. The simulator takes 844,926 cycles.
  Layer layer;
  layer.dims[Dim::K] = 32;
  layer.dims[Dim::C] = 9;
  layer.dims[Dim::P] = layer.dims[Dim::Q] = 112;
  layer.dims[Dim::R] = 3;
  layer.stride = {2, 1};
  layer.padLow = {1, 0};
  layer.inputExtent = {224, 112};
  layer.hasBias = true;
  Mapping mapping;
  mapping.rows = 9;
  mapping.cols = 16;
  mapping.temporal[Level::Registers][Dim::P] = 112;
  mapping.temporal[Level::Accumulator][Dim::R] = 2;
  mapping.temporal[Level::Scratchpad][Dim::K] = 2;
  mapping.temporal[Level::Scratchpad][Dim::Q] = 2;
  mapping.temporal[Level::Scratchpad][Dim::R] = 2;
  mapping.temporal[Level::Dram][Dim::Q] = 56;
  mapping.order[Level::Scratchpad] = {Dim::N, Dim::G, Dim::C, Dim::P,
                                      Dim::S, Dim::R, Dim::Q, Dim::K};
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini-small"));
  EXPECT_NEAR(walkedCycles(layer, mapping, target), 844926, 0.02 * 844926);
}

TEST(StreamWalk, AShortPassComesFirst) {
  // 17 pixels past each of 64 * 9 tiles of weights: the next ones load while 16
  // pass, not while one does.
  const Layer layer = layerOf(64 * 16, 16, 1, 17, 3);
  Mapping mapping = whole(layer);
  mapping.temporal[Level::Accumulator][Dim::K] = 1;
  mapping.temporal[Level::Dram][Dim::K] = 64;
  Accelerator target = machine();
  target.bandwidth[Level::Dram] = 1e9;
  target.commandCycles = 1;
  target.dmaLatency = 1; // so that little waits for moves
  EXPECT_LT(walkedCycles(layer, mapping, target), 64 * (9 * (16 + 4) + 80));
}

TEST(StreamLatency, MovesOfDepthwiseWeightsHoldSeveralTaps) {
  // A row of 16 columns for each of up to four taps is a request of 64 bytes.
  Layer layer = layerOf(1, 1, 4, 16, 3);
  layer.dims[Dim::G] = 32;
  Mapping mapping;
  mapping.cols = 16;
  mapping.temporal[Level::Registers][Dim::P] = 4;
  mapping.temporal[Level::Registers][Dim::Q] = 16;
  mapping.temporal[Level::Accumulator][Dim::R] = 3;
  mapping.temporal[Level::Accumulator][Dim::S] = 3;
  mapping.temporal[Level::Dram][Dim::G] = 2;
  auto taps = [&] {
    return planStream(streamShape(layer, mapping, machine()), machine())
        .weightTaps;
  };
  EXPECT_EQ(taps(), 4);
  // Columns that a tile lacks would be in the next row.
  layer.dims[Dim::G] = 24;
  EXPECT_EQ(taps(), 1);
}

TEST(StreamWalk, PoolingStoresReadLineByLine) {
  // 14 * 4 tiles of which lines are made one after the other. The simulator
  // takes 415,768 cycles.
  Network network;
  Layer &layer = network.layers.emplace_back(conv1WithColumns());
  layer.pool = MaxPool{/*size=*/3, /*stride=*/2, /*padLow=*/{1, 1}, {56, 56}};
  Schedule schedule;
  Mapping &mapping = schedule.mappings.emplace_back();
  mapping.rows = 21;
  mapping.cols = 32;
  mapping.temporal[Level::Registers][Dim::Q] = 29;
  mapping.temporal[Level::Accumulator][Dim::P] = 9;
  mapping.temporal[Level::Accumulator][Dim::R] = 7;
  mapping.temporal[Level::Scratchpad][Dim::K] = 2;
  mapping.temporal[Level::Dram][Dim::P] = 14;
  mapping.temporal[Level::Dram][Dim::Q] = 4;
  mapping.order[Level::Registers] = mapping.order[Level::Dram] = {
      Dim::N, Dim::G, Dim::K, Dim::C, Dim::R, Dim::S, Dim::Q, Dim::P};
  mapping.order[Level::Accumulator] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                       Dim::Q, Dim::S, Dim::R, Dim::P};
  mapping.order[Level::Scratchpad] = {Dim::N, Dim::G, Dim::C, Dim::P,
                                      Dim::Q, Dim::S, Dim::R, Dim::K};
  FusionGroup &group = schedule.groups.emplace_back();
  group.layers = {0};
  group.poolsOutput = true;
  Accelerator target = llvm::cantFail(findKnownTarget("gemmini-large"));
  const GroupTiles tiles(network, schedule, group);
  target = withOneTile(target, streamShape(tiles, 0, mapping, target));
  EXPECT_NEAR(walkedCycles(network, schedule, target), 415768, 0.03 * 415768);
}

TEST(StreamWalk, TheNextTileOfAGroupComesBesideItsMembers) {
  // test/Runner/group-turns.mlir in two tiles, of which the second one's input
  // is waited for, or not. The simulator takes 76,229 and 73,094 cycles.
  Network network;
  network.layers = {layerOf(32, 32, 30, 30, 3), layerOf(32, 32, 28, 28, 3)};
  network.edges = {{0, 1, ""}};
  Schedule schedule;
  for (Layer &layer : network.layers) {
    layer.hasBias = true;
    layer.outputBytes = 1;
    Mapping &mapping = schedule.mappings.emplace_back(whole(layer));
    std::swap(mapping.temporal[Level::Accumulator][Dim::K],
              mapping.temporal[Level::Scratchpad][Dim::K]);
    mapping.temporal[Level::Dram][Dim::P] = 2;
    mapping.order[Level::Dram] = mapping.order[Level::Scratchpad] = {
        Dim::N, Dim::G, Dim::C, Dim::P, Dim::Q, Dim::S, Dim::R, Dim::K};
  }
  Mapping &first = schedule.mappings[0], &second = schedule.mappings[1];
  first.temporal[Level::Registers][Dim::P] = 16;
  first.order[Level::Accumulator] = {Dim::N, Dim::G, Dim::K, Dim::P,
                                     Dim::Q, Dim::C, Dim::S, Dim::R};
  second.temporal[Level::Registers][Dim::P] = 1;
  second.temporal[Level::Accumulator][Dim::P] = 2;
  second.temporal[Level::Scratchpad][Dim::P] = 7;
  second.order[Level::Accumulator] = {Dim::N, Dim::G, Dim::K, Dim::Q,
                                      Dim::S, Dim::C, Dim::R, Dim::P};
  second.order[Level::Dram] = first.order[Level::Dram] = {
      Dim::N, Dim::G, Dim::K, Dim::C, Dim::Q, Dim::R, Dim::S, Dim::P};
  FusionGroup &group = schedule.groups.emplace_back();
  group.layers = {0, 1};
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini"));
  const auto cost =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Streams);
  std::vector<double> bytes;
  for (auto [turns, simulated] : {std::pair(false, 76229), {true, 73094}}) {
    group.inputTurns = turns;
    EXPECT_FALSE(errorToBool(verify(network, schedule, target)));
    const ScheduleCost found =
        evaluateSchedule(network, schedule, target, *cost);
    EXPECT_NEAR(found.cycles, simulated, 0.015 * simulated);
    bytes.push_back(found.dramBytes.reads());
  }
  EXPECT_EQ(bytes.front(), bytes.back());
  // What keeps units busy has no part for it, whichever of them is the longest:
  // of two tiles of 18 x 32 pixels, 72 moves of 16 pixels, as others run then.
  const auto busy =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Busy);
  auto savedBy = [&](const Accelerator &machine) {
    std::vector<double> cycles;
    for (bool turns : {false, true}) {
      group.inputTurns = turns;
      cycles.push_back(
          evaluateSchedule(network, schedule, machine, *busy).cycles);
    }
    return cycles.front() - cycles.back();
  };
  Accelerator slow = target;
  slow.commandCycles = 1000;
  EXPECT_NEAR(savedBy(slow), 72 * 1000, 1);
  slow = target;
  slow.dmaLatency = 100'000; // two are open at once; 16 bytes arrive per cycle
  EXPECT_NEAR(savedBy(slow), (72 * 100'000 + 2 * 18 * 32 * 32 / 16) / 2, 1);
}

TEST(StreamWalk, TilesOfAGroupTakeWhatTheyMake) {
  // test/Runner/group-turns.mlir with three images in tiles of two and one,
  // which are not two of two. The simulator takes 74,090 cycles.
  Network network;
  network.layers = {layerOf(32, 32, 30, 30, 3), layerOf(32, 32, 28, 28, 3)};
  network.edges = {{0, 1, ""}};
  Schedule schedule;
  for (Layer &layer : network.layers) {
    layer.hasBias = true;
    layer.outputBytes = 1;
    Mapping &mapping = schedule.mappings.emplace_back();
    mapping.rows = mapping.cols = 32;
    layer.dims[Dim::N] = 3;
    set(mapping, Level::Dram, {{Dim::N, 2}});
    mapping.order[Level::Accumulator] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                         Dim::Q, Dim::S, Dim::R, Dim::P};
    mapping.order[Level::Scratchpad] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                        Dim::Q, Dim::R, Dim::S, Dim::P};
  }
  Mapping &first = schedule.mappings[0], &second = schedule.mappings[1];
  set(first, Level::Registers, {{Dim::P, 3}, {Dim::Q, 2}});
  set(first, Level::Accumulator,
      {{Dim::N, 2}, {Dim::P, 2}, {Dim::Q, 15}, {Dim::R, 3}, {Dim::S, 3}});
  set(first, Level::Scratchpad, {{Dim::P, 5}});
  set(second, Level::Registers, {{Dim::P, 2}, {Dim::Q, 28}});
  set(second, Level::Accumulator,
      {{Dim::N, 2}, {Dim::P, 4}, {Dim::R, 3}, {Dim::S, 3}});
  set(second, Level::Scratchpad, {{Dim::P, 4}});
  FusionGroup &group = schedule.groups.emplace_back();
  group.layers = {0, 1};
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini-large"));
  EXPECT_NEAR(walkedCycles(network, schedule, target), 74090, 0.01 * 74090);
}

TEST(StreamWalk, SlicesWaitForTheirTilesInput) {
  // The first two layers of MobileNetV1 in 16 tiles, two slices each: the first
  // one waits for the input of its tile. The simulator takes 838,311 cycles, of
  // tiles that are smaller at borders.
  Network network;
  Layer &conv = network.layers.emplace_back(layerOf(32, 3, 112, 112, 3));
  conv.stride = {2, 2};
  conv.inputExtent = {224, 224};
  Layer &depthwise = network.layers.emplace_back(layerOf(1, 1, 112, 112, 3));
  depthwise.dims[Dim::G] = 32;
  depthwise.inputExtent = {112, 112};
  network.edges = {{0, 1, ""}};
  Schedule schedule;
  for (Layer &layer : network.layers) {
    layer.padLow = {1, 1};
    layer.hasBias = true;
    layer.outputBytes = 1;
    Mapping &mapping = schedule.mappings.emplace_back();
    mapping.rows = layer.dims[Dim::C];
    mapping.cols = 16;
    set(mapping, Level::Accumulator, {{Dim::R, 3}, {Dim::S, 3}});
    set(mapping, Level::Dram, {{Dim::P, 4}, {Dim::Q, 4}});
  }
  Mapping &first = schedule.mappings[0], &second = schedule.mappings[1];
  set(first, Level::Registers, {{Dim::P, 30}, {Dim::Q, 30}});
  set(first, Level::Scratchpad, {{Dim::K, 2}});
  first.order[Level::Accumulator] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                     Dim::P, Dim::Q, Dim::S, Dim::R};
  first.order[Level::Scratchpad] = {Dim::N, Dim::G, Dim::C, Dim::P,
                                    Dim::Q, Dim::R, Dim::S, Dim::K};
  set(second, Level::Registers, {{Dim::Q, 28}});
  set(second, Level::Accumulator, {{Dim::P, 4}});
  set(second, Level::Scratchpad, {{Dim::G, 2}, {Dim::P, 7}});
  second.order[Level::Accumulator] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                      Dim::Q, Dim::S, Dim::R, Dim::P};
  second.order[Level::Scratchpad] = {Dim::N, Dim::K, Dim::C, Dim::Q,
                                     Dim::R, Dim::S, Dim::P, Dim::G};
  FusionGroup &group = schedule.groups.emplace_back();
  group.layers = {0, 1};
  group.inputSlices = {{1, 16}};
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini"));
  EXPECT_NEAR(walkedCycles(network, schedule, target), 838311, 0.02 * 838311);
}

TEST(StreamWalk, LinesCutTheLastStepOnlyAndBiasComesApart) {
  // The network and schedule of test/Runner/passes-apart.mlir. The simulator
  // takes 7,321 cycles from the end of the first layer to that of the second.
  Network network;
  for (int64_t channels : {512, 64, 64}) {
    Layer &layer = network.layers.emplace_back(layerOf(1, 1, 14, 14, 3));
    layer.dims[Dim::G] = channels;
    layer.padLow = {1, 1};
    layer.inputExtent = {14, 14};
  }
  Layer &pointwise = network.layers[1] = layerOf(64, 512, 14, 14, 1);
  pointwise.inputExtent = {14, 14};
  network.edges = {{0, 1, ""}, {1, 2, ""}};
  Schedule schedule;
  for (Layer &layer : network.layers) {
    layer.hasBias = true;
    layer.outputBytes = 1;
    Mapping &mapping = schedule.mappings.emplace_back();
    mapping.rows = layer.isDepthwise() ? 1 : 32;
    mapping.cols = 32;
    set(mapping, Level::Registers, {{Dim::P, 14}, {Dim::Q, 14}});
    if (!layer.isDepthwise())
      continue;
    set(mapping, Level::Accumulator, {{Dim::R, 3}, {Dim::S, 3}});
    set(mapping, Level::Scratchpad, {{Dim::G, layer.dims[Dim::G] / 32}});
  }
  Mapping &mapping = schedule.mappings[1];
  set(mapping, Level::Accumulator, {{Dim::K, 2}});
  set(mapping, Level::Scratchpad, {{Dim::C, 2}});
  set(mapping, Level::Dram, {{Dim::C, 8}});
  FusionGroup &group = schedule.groups.emplace_back();
  group.layers = {0, 1, 2};
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini-large"));
  EXPECT_FALSE(errorToBool(verify(network, schedule, target)));
  const std::unique_ptr<CostFunction> cost =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Streams);
  EXPECT_NEAR(
      evaluateGroup(network, schedule, group, target, *cost).members[1].cycles,
      7321, 0.015 * 7321);
}

TEST(StreamWalk, OthersWorkBetweenTheTilesOfAMember) {
  // The first two layers of MobileNetV1, columns of taps as channels, on the
  // small machine, a column of 14 pixels after the other. Between two tiles of
  // the first one the second one is at work, so that its bias waits for nothing
  // and its columns' stride of two for the array. The simulator takes 470,115
  // cycles; with tiles of the first one behind each other it would be 546,847.
  Network network;
  Layer &conv = network.layers.emplace_back(layerOf(32, 9, 112, 112, 3));
  conv.dims[Dim::S] = 1;
  conv.stride = {2, 1};
  conv.inputExtent = {224, 112};
  conv.padLow = {1, 0};
  Layer &depthwise = network.layers.emplace_back(layerOf(1, 1, 112, 112, 3));
  depthwise.dims[Dim::G] = 32;
  depthwise.inputExtent = {112, 112};
  depthwise.padLow = {1, 1};
  network.edges = {{0, 1, ""}};
  Schedule schedule;
  for (Layer &layer : network.layers) {
    layer.hasBias = true;
    layer.outputBytes = 1;
    Mapping &mapping = schedule.mappings.emplace_back();
    mapping.rows = layer.dims[Dim::C];
    mapping.cols = 16;
    set(mapping, Level::Accumulator,
        {{Dim::R, 3}, {Dim::S, layer.dims[Dim::S]}});
    set(mapping, Level::Dram, {{Dim::P, 8}, {Dim::Q, 112}});
    mapping.order[Level::Registers] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                       Dim::Q, Dim::R, Dim::S, Dim::P};
    mapping.order[Level::Dram] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                  Dim::R, Dim::S, Dim::Q, Dim::P};
  }
  Mapping &first = schedule.mappings[0], &second = schedule.mappings[1];
  set(first, Level::Registers, {{Dim::P, 16}});
  set(first, Level::Scratchpad, {{Dim::K, 2}});
  first.order[Level::Scratchpad] = {Dim::N, Dim::G, Dim::C, Dim::P,
                                    Dim::Q, Dim::R, Dim::S, Dim::K};
  set(second, Level::Registers, {{Dim::P, 14}});
  set(second, Level::Scratchpad, {{Dim::G, 2}});
  second.order[Level::Scratchpad] = {Dim::N, Dim::K, Dim::C, Dim::P,
                                     Dim::Q, Dim::R, Dim::S, Dim::G};
  FusionGroup &group = schedule.groups.emplace_back();
  group.layers = {0, 1};
  group.keeps = Axis::W;
  group.inputTurns = true;
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini-small"));
  EXPECT_FALSE(errorToBool(verify(network, schedule, target)));
  EXPECT_NEAR(walkedCycles(network, schedule, target), 470115, 0.02 * 470115);
}

TEST(StreamWalk, KindsOfTilesAreThoseOfTheGroup) {
  // Three rows are made twice, then one, of windows whose rows stay: of four
  // and of three rows that come, and of none, as the last window's is padding.
  Layer layer = layerOf(16, 16, 7, 8, 3);
  layer.padLow = {1, 1};
  layer.inputExtent = {7, 8};
  Layer reader = layerOf(16, 16, 7, 8, 1);
  PerDim<int64_t> tile{1};
  tile[Dim::P] = 3;
  tile[Dim::Q] = 8;
  const GroupTiles tiles({&layer, &reader}, tile, /*keepRows=*/true);
  RelaxedFactors<double> factors;
  for (Dim dim : {Dim::C, Dim::R, Dim::S})
    factors.temporal[Level::Scratchpad][dim] = double(layer.dims[dim]);
  const auto nest = memberNest</*Whole=*/true>(
      tiles, 0, factors, PerLevel<LoopOrder>(LoopOrder(kAllDims)), /*side=*/16);
  const StreamedLayer<double> streamed =
      streamedMember(nest, tiles, 0, machine());
  const auto kinds = tileKinds(streamed, Dim::P);
  std::vector<std::vector<double>> found;
  for (const TileKind &kind : kinds)
    found.push_back({kind.extent, kind.loaded, kind.window, kind.tiles});
  EXPECT_EQ(found,
            (std::vector<std::vector<double>>{{3, 3.5, 4, 2}, {1, 0, 1, 1}}));
  EXPECT_EQ(tileKinds(streamed, Dim::Q).size(), 1u);
}

TEST(StreamPlan, TripsOfOnePixelAreNeverCut) {
  // Lines of five pixels or fewer, column by column: the six rows of a column
  // pass as one sequence.
  const Layer layer = layerOf(16, 16, 6, 5, 1);
  StreamShape shape;
  shape.layer = &layer;
  shape.rows = shape.cols = 16;
  shape.loops = {{Dim::Q, 1}};
  shape.insideWeights = shape.insideInput = 1;
  shape.insideSums = 0;
  shape.inputOnChip = true;
  PerDim<bool> exact{true};
  exact[Dim::Q] = exact[Dim::P] = false;
  shape.setExtents(layer.dims, exact);
  EXPECT_TRUE(planStream(shape, machine()).joins(Dim::P));
}

TEST(StreamLatency, StoresWaitForTheirRequests) {
  // 16 pixels of 16 channels are 16 requests, of 64 channels as many.
  Layer layer = layerOf(16, 16, 4, 16, 1);
  EXPECT_DOUBLE_EQ(streamLatency(layer, whole(layer), machine()).store,
                   4 * 160);
  layer = layerOf(64, 16, 4, 16, 1);
  EXPECT_DOUBLE_EQ(streamLatency(layer, whole(layer), machine()).store,
                   4 * 160);
}

TEST(StreamLatency, ATileThatWaitsForItsSumsIsAChain) {
  // One pass per tile: sums are loaded, added to, and stored before the next
  // tile's may come, whatever else overlaps.
  Layer layer = layerOf(16, 16, 1, 256, 1);
  layer.hasBias = true;
  Mapping mapping = whole(layer);
  mapping.temporal[Level::Registers][Dim::Q] = 16;
  mapping.temporal[Level::Dram][Dim::Q] = 16;
  Accelerator target = machine();
  target.accumulatorBytes = 16 * 4 * target.side;
  const double cycles = streamLatency(layer, mapping, target).cycles;
  const double chain = (160 + 16) + 16 + (49 + 4) + 160;
  EXPECT_GE(cycles, 16 * chain);
  EXPECT_LE(cycles, 16 * chain + 3 * 400);
}

TEST(StreamLatency, BiasIsAddedBesideATilesFirstSteps) {
  // 256 sums are 16 loads of the bias, two behind each of the first eight taps.
  Layer layer = layerOf(64, 16, 16, 16, 3);
  Mapping mapping = whole(layer);
  mapping.temporal[Level::Accumulator][Dim::K] = 1;
  mapping.temporal[Level::Dram][Dim::K] = 4;
  const auto without = streamLatency(layer, mapping, machine());
  layer.hasBias = true;
  EXPECT_EQ(planOf(layer, mapping, machine()).addChunks, 2);
  const auto with = streamLatency(layer, mapping, machine());
  EXPECT_DOUBLE_EQ(with.load - without.load, 4 * 16 * (160 + 16) / 2.0);
  // In front of the first step they would take 5632 more, of about 14000.
  EXPECT_LT(with.cycles, 1.1 * without.cycles);
  // Of several loops inside of a tile those over pixels have to be inner ones.
  mapping.temporal[Level::Registers][Dim::P] = 8;
  mapping.temporal[Level::Accumulator][Dim::P] = 2;
  mapping.order[Level::Accumulator] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                       Dim::P, Dim::Q, Dim::S, Dim::R};
  EXPECT_EQ(planOf(layer, mapping, machine()).addChunks, 2);
  mapping.order[Level::Accumulator] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                       Dim::Q, Dim::S, Dim::R, Dim::P};
  EXPECT_EQ(planOf(layer, mapping, machine()).addChunks, 0);
}

/// A product of 96 x 64 sums in eight tiles of three chunks, each of which has
/// four reduction steps per visit.
std::pair<Layer, Mapping> eightTiles(int64_t visits) {
  Layer layer = layerOf(64, 64 * visits, 1, 1, 1);
  layer.dims[Dim::N] = 96;
  Mapping mapping = whole(layer);
  mapping.temporal[Level::Registers][Dim::N] = 48;
  mapping.temporal[Level::Accumulator][Dim::C] = 4;
  mapping.temporal[Level::Accumulator][Dim::K] = 1;
  mapping.temporal[Level::Dram] = PerDim<int64_t>(1);
  mapping.temporal[Level::Dram][Dim::N] = 2;
  mapping.temporal[Level::Dram][Dim::K] = 4;
  mapping.temporal[Level::Dram][Dim::C] = visits;
  return {layer, mapping};
}

TEST(StreamLatency, TilesTakeTurnsWhereTwoFit) {
  // Two sweeps visit the tiles.
  auto [layer, mapping] = eightTiles(/*visits=*/2);
  mapping.order[Level::Dram] = {Dim::N, Dim::K, Dim::C, Dim::G,
                                Dim::P, Dim::Q, Dim::R, Dim::S};
  Accelerator target = machine();
  StreamPlan plan = planOf(layer, mapping, target);
  EXPECT_EQ(plan.sweepLoops, 2u);
  EXPECT_EQ(plan.storeChunks, 1);
  EXPECT_EQ(plan.storeSteps, 3);
  EXPECT_FALSE(plan.storesRuns);
  // Each of the four steps but the first brings a chunk of the next tile.
  EXPECT_EQ(plan.aheadFrom, 1);
  // One row less than two tiles.
  target.accumulatorBytes = (2 * 48 - 1) * 4 * target.side;
  EXPECT_EQ(planOf(layer, mapping, target).storeChunks, 0);
  // Four chunks take all steps to leave.
  Mapping longer = mapping;
  longer.temporal[Level::Registers][Dim::N] = 64;
  Layer more = layer;
  more.dims[Dim::N] = 128;
  EXPECT_EQ(planOf(more, longer, machine()).storeSteps, 4);
  EXPECT_EQ(planOf(more, longer, machine()).aheadChunks, 0);
  // Steps 0, 2, 1, 3: what is to be overwritten would not have left.
  Layer kernel = layer;
  kernel.dims[Dim::R] = 2;
  Mapping turned = mapping;
  turned.temporal[Level::Accumulator][Dim::C] = 2;
  turned.temporal[Level::Scratchpad] = PerDim<int64_t>(1);
  turned.temporal[Level::Scratchpad][Dim::C] = 2;
  turned.temporal[Level::Accumulator][Dim::R] = 2;
  turned.order[Level::Accumulator] = {Dim::N, Dim::K, Dim::G, Dim::C,
                                      Dim::R, Dim::P, Dim::Q, Dim::S};
  EXPECT_EQ(planOf(kernel, turned, machine()).storeChunks, 1);
  EXPECT_EQ(planOf(kernel, turned, machine()).aheadChunks, 0);
  turned.temporal[Level::Scratchpad] = PerDim<int64_t>(1);
  turned.temporal[Level::Accumulator][Dim::C] = 4;
  turned.order[Level::Accumulator] = {Dim::N, Dim::K, Dim::G, Dim::R,
                                      Dim::C, Dim::P, Dim::Q, Dim::S};
  EXPECT_EQ(planOf(kernel, turned, machine()).aheadFrom, 1);
  // Of two tiles the second would be wanted while it leaves.
  Mapping shorter = mapping;
  shorter.temporal[Level::Dram][Dim::N] = 1;
  shorter.temporal[Level::Dram][Dim::K] = 2;
  Layer less = layer;
  less.dims[Dim::N] = 48;
  less.dims[Dim::K] = 32;
  EXPECT_EQ(planOf(less, shorter, machine()).storeChunks, 1);
  EXPECT_EQ(planOf(less, shorter, machine()).aheadChunks, 0);
  // A tile that nothing follows in its sweep would wait for itself.
  mapping.temporal[Level::Dram][Dim::C] = 1;
  mapping.temporal[Level::Accumulator][Dim::C] = 8;
  EXPECT_EQ(planOf(layer, mapping, machine()).storeChunks, 1);
  mapping.temporal[Level::Dram][Dim::N] = 1;
  mapping.temporal[Level::Registers][Dim::N] = 96;
  EXPECT_EQ(planOf(layer, mapping, machine()).storeChunks, 1);
  mapping.temporal[Level::Dram][Dim::K] = 1;
  mapping.temporal[Level::Accumulator][Dim::K] = 4;
  EXPECT_EQ(planOf(layer, mapping, machine()).storeChunks, 0);
}

TEST(StreamPlan, BiasComesBesideTheTileBefore) {
  auto [layer, mapping] = eightTiles(/*visits=*/1);
  layer.hasBias = true;
  StreamShape shape = streamShape(layer, mapping, machine());
  StreamPlan plan = planStream(shape, machine());
  // Behind the step beside which a chunk has left.
  EXPECT_TRUE(plan.biasAhead);
  EXPECT_EQ(plan.storeSteps, 3);
  EXPECT_EQ(plan.aheadFrom, 1);
  EXPECT_EQ(plan.aheadSteps, 3);
  EXPECT_EQ(plan.aheadChunks, 1);
  // So is what is handed over on chip, but for the last tile, which leaves with
  // its passes.
  shape.outputOnChip = true;
  shape.handOver = {1, 1};
  plan = planStream(shape, machine());
  EXPECT_TRUE(plan.storesLastByRuns());
  EXPECT_FALSE(plan.storesLines);
  EXPECT_TRUE(plan.biasAhead);
  EXPECT_EQ(plan.storeSteps, 3);
  EXPECT_EQ(plan.aheadFrom, 1);
  EXPECT_EQ(plan.aheadSteps, 3);
  // In three steps the bias would have to wait until all chunks have left. So
  // each tile leaves with its own passes, and the place of the next is free.
  layer.dims[Dim::C] = 48;
  mapping.temporal[Level::Accumulator][Dim::C] = 3;
  StreamShape shorter = streamShape(layer, mapping, machine());
  shorter.outputOnChip = true;
  plan = planStream(shorter, machine());
  EXPECT_TRUE(plan.storesRuns);
  EXPECT_TRUE(plan.biasAhead);
  EXPECT_EQ(plan.storeChunks, 0);
  EXPECT_EQ(plan.aheadFrom, 0);
  EXPECT_EQ(plan.aheadSteps, 3);
  layer.hasBias = false;
  EXPECT_EQ(planStream(shorter, machine()).storeChunks, 1);
  layer.hasBias = true;
  layer.dims[Dim::C] = 64;
  // Others leave too little room for a second place.
  shape.sumsBeside = machine().accumulatorRows() - 2 * 48;
  EXPECT_TRUE(planStream(shape, machine()).sumsTurn);
  ++shape.sumsBeside;
  EXPECT_FALSE(planStream(shape, machine()).sumsTurn);
  shape.sumsBeside = 0;
  // A residual takes the place of the bias, in front of the tile's steps.
  shape.loadsResidual = true;
  EXPECT_TRUE(planStream(shape, machine()).sumsTurn);
  EXPECT_EQ(planStream(shape, machine()).aheadChunks, 0);
  shape.loadsResidual = false;
  // Of loops that may be cut nobody knows which tile was before.
  for (StreamLoop &loop : shape.loops)
    loop.exact &= loop.dim != Dim::N;
  EXPECT_FALSE(planStream(shape, machine()).sumsTurn);
}

TEST(StreamPlan, TilesTakeTurnsWhereNothingMovesBesideThem) {
  // Each has all channels of a line of outputs, which leave block by block.
  Layer layer = layerOf(64, 16, 9, 16, 1);
  layer.hasBias = false;
  Mapping mapping;
  mapping.rows = mapping.cols = 16;
  set(mapping, Level::Registers, {{Dim::Q, 16}});
  set(mapping, Level::Accumulator, {{Dim::K, 4}});
  set(mapping, Level::Dram, {{Dim::P, 9}});
  const StreamPlan plan = planOf(layer, mapping, machine());
  EXPECT_EQ(plan.storeChunks, 0);
  EXPECT_EQ(plan.aheadChunks, 0);
  EXPECT_TRUE(plan.sumsTurn);
  // One tile has no other to take turns with.
  set(mapping, Level::Dram, {{Dim::P, 1}});
  set(mapping, Level::Accumulator, {{Dim::P, 9}});
  EXPECT_FALSE(planOf(layer, mapping, machine()).sumsTurn);
}

TEST(StreamPlan, PooledLinesLeaveBesideTheNextTile) {
  // Of four blocks of channels, each 9 x 13 sums in seven reduction steps, four
  // lines are stored pooled.
  Layer layer = layerOf(64, 16, 9, 13, 7);
  layer.dims[Dim::S] = 1;
  layer.hasBias = true;
  StreamShape shape;
  shape.layer = &layer;
  shape.rows = shape.cols = 16;
  shape.loops = {{Dim::R, 1}, {Dim::K, 16}};
  shape.insideWeights = shape.insideInput = shape.loops.size();
  shape.insideSums = 1;
  shape.weightsStay = true;
  shape.poolReads = 9;
  shape.poolPads = true;
  shape.mostPooledRows = 4;
  PerDim<bool> exact(true);
  exact[Dim::P] = exact[Dim::Q] = false;
  shape.setExtents(layer.dims, exact);
  StreamPlan plan = planStream(shape, machine());
  EXPECT_EQ(plan.storeChunks, 1);
  EXPECT_EQ(plan.storeSteps, 4);
  // Windows overlap, so that the bias comes when all lines have left: eight
  // chunks behind the last three steps.
  EXPECT_TRUE(plan.biasAhead);
  EXPECT_EQ(plan.aheadFrom, 4);
  EXPECT_EQ(plan.aheadSteps, 3);
  EXPECT_EQ(plan.aheadChunks, 3);
  // As many lines as steps: all of these are taken.
  shape.mostPooledRows = 7;
  plan = planStream(shape, machine());
  EXPECT_EQ(plan.storeSteps, 7);
  EXPECT_FALSE(plan.biasAhead);
  // Where rows are kept nobody knows how many there are.
  shape.mostPooledRows = 0;
  EXPECT_EQ(planStream(shape, machine()).storeChunks, 0);
}

TEST(StreamPlan, LinesLeaveBesideTheNextTile) {
  // Of four blocks of channels, each 14 x 14 sums in nine reduction steps,
  // lines are handed over to a window with padding.
  Layer layer = layerOf(64, 16, 14, 14, 3);
  layer.hasBias = true;
  StreamShape shape;
  shape.layer = &layer;
  shape.rows = shape.cols = 16;
  shape.loops = {{Dim::S, 1}, {Dim::R, 1}, {Dim::K, 16}};
  shape.insideWeights = shape.insideInput = shape.loops.size();
  shape.insideSums = 2;
  shape.weightsStay = shape.inputOnChip = true;
  shape.outputOnChip = true;
  shape.handOver = {16, 16};
  shape.setExtents(layer.dims, PerDim<bool>(true));
  StreamPlan plan = planStream(shape, machine());
  EXPECT_TRUE(plan.storesLines);
  EXPECT_TRUE(plan.storesLastByRuns());
  EXPECT_EQ(plan.storeChunks, 2);
  EXPECT_EQ(plan.storeSteps, 7);
  // 13 chunks of bias, two behind a step: behind the second one 28 rows are
  // free, fewer than they take.
  EXPECT_EQ(plan.aheadFrom, 2);
  EXPECT_EQ(plan.aheadChunks, 2);
  // A window of just these lines is a run of 13 chunks.
  shape.handOver = {14, 14};
  EXPECT_FALSE(planStream(shape, machine()).storesLines);
  EXPECT_EQ(planStream(shape, machine()).storeSteps, 7);
  // In a ring it may break anywhere between lines.
  shape.hasRing = true;
  EXPECT_TRUE(planStream(shape, machine()).storesLines);
  // The left half of an image in DRAM.
  shape.hasRing = shape.outputOnChip = false;
  layer.dims[Dim::Q] = 28;
  plan = planStream(shape, machine());
  EXPECT_TRUE(plan.storesLines);
  EXPECT_EQ(plan.storeChunks, 2);
  // Where all stores of a tile may wait none of them holds up the array.
  layer.dims[Dim::P] = 4;
  shape.setExtents(layer.dims, PerDim<bool>(true));
  shape.box[Dim::Q] = shape.sums[Dim::Q] = 14;
  EXPECT_EQ(planStream(shape, machine()).storeChunks, 0);
  shape.box[Dim::P] = shape.sums[Dim::P] = 5;
  EXPECT_EQ(planStream(shape, machine()).storeChunks, 1);
}

TEST(StreamPlan, BiasThatComesLateIsWaitedFor) {
  // Behind a step a chunk's sums are written and get their bias, and only then
  // the next step adds to them.
  const auto way =
      double(2 * 16 + machine().arrayDepth() + machine().dmaLatency);
  for (int64_t cycles : {11 * 16, 16 * 16}) {
    Layer layer = layerOf(16, 512, 1, 1, 1);
    layer.hasBias = true;
    layer.dims[Dim::N] = cycles;
    Mapping mapping = whole(layer);
    mapping.temporal[Level::Registers][Dim::N] = cycles;
    const StreamPlan plan = planOf(layer, mapping, machine());
    EXPECT_EQ(plan.addChunks, 1);
    EXPECT_DOUBLE_EQ(plan.addWait, std::max(0.0, way - double(cycles)));
  }
}

TEST(StreamWalk, BiasComesBesideTheTileBefore) {
  // conv5 of VGG16. The simulator takes 925,396 cycles; 981,495 where each tile
  // adds its bias behind its own first steps.
  Layer layer = layerOf(256, 128, 56, 56, 3);
  layer.padLow = {1, 1};
  layer.inputExtent = {56, 56};
  layer.hasBias = true;
  Mapping mapping;
  mapping.rows = mapping.cols = 32;
  set(mapping, Level::Registers, {{Dim::P, 2}, {Dim::Q, 56}});
  set(mapping, Level::Accumulator,
      {{Dim::C, 4}, {Dim::P, 2}, {Dim::R, 3}, {Dim::S, 3}});
  set(mapping, Level::Scratchpad, {{Dim::P, 14}});
  set(mapping, Level::Dram, {{Dim::K, 8}});
  mapping.order[Level::Accumulator] = {Dim::N, Dim::G, Dim::K, Dim::Q,
                                       Dim::P, Dim::S, Dim::R, Dim::C};
  mapping.order[Level::Scratchpad] = {Dim::N, Dim::G, Dim::K, Dim::C,
                                      Dim::Q, Dim::R, Dim::S, Dim::P};
  const Accelerator target = llvm::cantFail(findKnownTarget("gemmini-large"));
  EXPECT_NEAR(walkedCycles(layer, mapping, target), 925396, 0.005 * 925396);
}

TEST(StreamLatency, StepsOfCutTilesAreNumberedWithoutGaps) {
  // The second tile has one of three kernel columns: steps 0, 3, 6 of the first
  // one's nine, with which not all of its sums would leave.
  Layer layer = layerOf(16, 16, 8, 8, 1);
  layer.dims[Dim::R] = 3;
  layer.dims[Dim::S] = 4;
  Mapping mapping = whole(layer);
  mapping.temporal[Level::Registers][Dim::P] = 8;
  mapping.temporal[Level::Registers][Dim::Q] = 8;
  mapping.temporal[Level::Accumulator] = PerDim<int64_t>(1);
  mapping.temporal[Level::Accumulator][Dim::R] = 3;
  mapping.temporal[Level::Accumulator][Dim::S] = 3;
  mapping.temporal[Level::Dram] = PerDim<int64_t>(1);
  mapping.temporal[Level::Dram][Dim::S] = 2;
  layer.dims[Dim::N] = 2;
  mapping.temporal[Level::Dram][Dim::N] = 2;
  mapping.order[Level::Dram] = {Dim::N, Dim::S, Dim::K, Dim::C,
                                Dim::G, Dim::P, Dim::Q, Dim::R};
  EXPECT_EQ(planOf(layer, mapping, machine()).storeChunks, 0);
  layer.dims[Dim::S] = 6;
  EXPECT_GT(planOf(layer, mapping, machine()).storeChunks, 0);
}

TEST(StreamLatency, TilesBehindOnesThatMayBeCutWaitForTheirFirstPart) {
  // Tiles of two blocks of channels, the last of which has one if there are
  // seven: it could not fetch the next tile's first part beside its own last.
  auto look = [](int64_t blocks) {
    const Layer layer = layerOf(64, 16 * blocks, 14, 14, 1);
    Mapping mapping = whole(layer);
    mapping.temporal[Level::Accumulator][Dim::C] = 2;
    mapping.temporal[Level::Dram][Dim::C] = (blocks + 1) / 2;
    const Accelerator target =
        withOneTile(machine(), streamShape(layer, mapping, machine()));
    const StreamPlan plan = planOf(layer, mapping, target);
    EXPECT_EQ(plan.weightsAhead, 1);
    EXPECT_EQ(plan.weightsAcross, blocks % 2 == 0);
    return streamLatency(layer, mapping, target).cycles;
  };
  // Extents that are means make about 1,000 cycles; four tiles wait for 50
  // each.
  EXPECT_GT(look(7), (look(6) + look(8)) / 2 + 1100);
}

TEST(StreamLatency, BiasOfShortStepsComesBeforeThem) {
  // A step of 32 sums is over before they are written, loaded and there again.
  Layer layer = layerOf(64, 16, 2, 16, 3);
  layer.hasBias = true;
  Mapping mapping = whole(layer);
  mapping.temporal[Level::Accumulator][Dim::K] = 1;
  mapping.temporal[Level::Dram][Dim::K] = 4;
  EXPECT_EQ(planOf(layer, mapping, machine()).addChunks, 0);
}

/// What the search descends on is what it scores.
/// A member of a group of `chain`, all of its tile in one go.
PhaseCycles<double> memberLatency(std::vector<const Layer *> chain,
                                  size_t member, HandOver handOver) {
  Accelerator target = machine();
  target.handOver = handOver;
  PerDim<int64_t> tile{1};
  for (Dim dim : {Dim::P, Dim::Q})
    tile[dim] = chain.back()->dims[dim];
  const GroupTiles tiles(chain, tile);
  const Mapping mapping = whole(*chain[member]);
  RelaxedFactors<double> factors;
  detail::forEachWholeFactor(
      tiles.tileLayer(member), mapping,
      [&](auto factorOf, double value) { factorOf(factors) = value; });
  const auto nest = memberNest</*Whole=*/true>(tiles, member, factors,
                                               mapping.order, target.side);
  return streamLatency(streamedMember(nest, tiles, member, target), target);
}

TEST(StreamLatency, WhatIsHandedOverInPlaceIsNotStored) {
  const Layer a = layerOf(16, 16, 8, 16, 1), c = a;
  Layer b = layerOf(16, 16, 8, 16, 3);
  b.padLow = {1, 1};
  b.inputExtent = {8, 16};
  auto latency = [&](std::vector<const Layer *> chain, size_t member) {
    const auto copied = memberLatency(chain, member, HandOver::MvoutSpad);
    const auto held =
        memberLatency(chain, member, HandOver::AccumulatorOperand);
    EXPECT_EQ(held.execute, copied.execute);
    return std::pair(copied, held);
  };
  // 8 lines of 16 pixels, each a pass.
  auto [copied, held] = latency({&a, &b}, 0);
  EXPECT_EQ(copied.store, 8 * (16 + 10));
  EXPECT_EQ(held.store, 0);
  EXPECT_LT(held.cycles, copied.cycles);
  // Padding of the 10 x 18 window is cleared while passes of 16 are on their
  // way, and the sums that are read first were not the last that were made: the
  // array goes on, where before it waited 53 cycles for the last ones.
  auto [afterCopy, inPlace] = latency({&a, &b}, 1);
  EXPECT_DOUBLE_EQ(inPlace.cycles - afterCopy.cycles, -53);
  // With two scales in turn config_ex waits until the array is empty, and then
  // weights load alone.
  std::tie(afterCopy, inPlace) = latency({&a, &b, &c}, 2);
  EXPECT_DOUBLE_EQ(inPlace.cycles - afterCopy.cycles, 16 + 5 - 53);
  // Padding of a 66 x 18 window: 36 pixels in moves of 16, and between each two
  // of 64 lines a move, a command of 5 cycles each. Passes of 16 pixels leave
  // the core half of (15 * 16 - 53) cycles ahead.
  const Layer tall = layerOf(16, 16, 64, 16, 1);
  Layer padded = layerOf(16, 16, 64, 16, 3);
  padded.padLow = {1, 1};
  padded.inputExtent = {64, 16};
  std::tie(afterCopy, inPlace) = latency({&tall, &padded}, 1);
  EXPECT_DOUBLE_EQ(inPlace.cycles - afterCopy.cycles,
                   (36 / 16.0 + 64) * 5 - (15 * 16 - 53) / 2.0 - 53);
}

// Units work on for a member while the core is at the next one (eq. (visits)).
TEST(GroupCost, OfShortVisitsLessIsCertain) {
  // Of four tiles each comes with all of the second layer's weights, 16 columns
  // at a time.
  const Layer first = layerOf(16, 16, 8, 16, 1),
              second = layerOf(256, 16, 8, 16, 1),
              third = layerOf(16, 256, 8, 16, 1);
  PerDim<int64_t> tile{1};
  tile[Dim::P] = 2;
  tile[Dim::Q] = 16;
  const GroupTiles tiles({&first, &second, &third}, tile);
  Mapping mapping;
  mapping.rows = mapping.cols = 16;
  set(mapping, Level::Registers, {{Dim::P, 2}, {Dim::Q, 16}});
  set(mapping, Level::Dram, {{Dim::K, 16}, {Dim::P, 4}});
  const auto busy =
      createCostFunction(Convention::Machine, Model::Exact, Latency::Busy);
  Accelerator target = machine();
  MemberCost cost = busy->evaluateMember(tiles, 1, mapping, target);
  const double reader = 4 * 256 * 10; // requests of weights in all tiles
  EXPECT_DOUBLE_EQ(cost.cycles, reader);
  // Eight passes of 16 rows may be queued, and four stores, of which the last
  // member's go to DRAM.
  EXPECT_DOUBLE_EQ(cost.certainCycles,
                   reader - 4 * (160 + 8 * 16 + 4 * (16 * 10 + 10)));
  // The array is at one member after the other.
  target.dmaLatency = 1;
  cost = busy->evaluateMember(tiles, 1, mapping, target);
  EXPECT_GE(cost.certainCycles, cost.computeCycles);
}

// Pooling windows may reach beyond the image: even the only tile then makes
// less than its nominal extent, and nothing may be planned as if it did not.
TEST(StreamPlan, ATileUnderPoolingWindowsMayBeCut) {
  Layer layer = layerOf(16, 16, 2, 1, 1);
  layer.pool = MaxPool{/*size=*/2, /*stride=*/2, /*padLow=*/{0, 1}, {1, 1}};
  const GroupTiles tiles({&layer}, PerDim<int64_t>(1), /*keepRows=*/false,
                         /*poolsOutput=*/true);
  EXPECT_EQ(tiles.nominal(0, Dim::Q), 2);
  RelaxedFactors<double> factors;
  const auto nest = memberNest</*Whole=*/true>(
      tiles, 0, factors, PerLevel<LoopOrder>(LoopOrder(kAllDims)), /*side=*/16);
  const StreamedLayer<double> streamed =
      streamedMember(nest, tiles, 0, machine());
  EXPECT_FALSE(streamed.isCut[Dim::N]);
  EXPECT_FALSE(streamed.isCut[Dim::P]);
  EXPECT_TRUE(streamed.isCut[Dim::Q]);
}

TEST(StreamPlan, ResidualsComeWithRuns) {
  Layer layer = layerOf(16, 16, 28, 28, 1);
  layer.hasResidual = true;
  layer.residualBytes = layer.outputBytes = 1;
  StreamShape shape;
  shape.layer = &layer;
  shape.rows = shape.cols = 16;
  shape.insideWeights = shape.insideInput = shape.insideSums = 0;
  shape.setExtents(layer.dims, PerDim<bool>(true));
  shape.loadsResidual = true;
  StreamPlan plan = planStream(shape, machine());
  EXPECT_TRUE(plan.residualPerRun);
  EXPECT_TRUE(plan.residualAsStored);
  // Elsewhere in DRAM than the outputs, but one run.
  PerDim<double> distances(0.0);
  distances[Dim::Q] = 32;
  distances[Dim::P] = 28 * 32;
  distances[Dim::N] = 28 * 28 * 32;
  shape.residualDram = distances;
  plan = planStream(shape, machine());
  EXPECT_TRUE(plan.residualPerRun);
  EXPECT_FALSE(plan.residualAsStored);
  distances[Dim::P] = 30 * 32;
  shape.residualDram = distances;
  EXPECT_FALSE(planStream(shape, machine()).residualPerRun);
  // A bias is there first.
  shape.residualDram.reset();
  layer.hasBias = true;
  EXPECT_FALSE(planStream(shape, machine()).residualPerRun);
}

// Wide stores have blocks of channels take turns in the accumulator, in chunks
// of 16 pixels. 4 lines of 28 pixels are seven of them where lines follow each
// other in memory, but lines of their own begin in the middle of chunks.
TEST(StreamPlan, ResidualsThatAreOneRunGoWithWideStores) {
  Layer layer = layerOf(64, 64, 28, 28, 1);
  layer.hasResidual = true;
  layer.residualBytes = layer.outputBytes = 1;
  StreamShape shape;
  shape.layer = &layer;
  shape.rows = shape.cols = 16;
  shape.loops = {{Dim::C, 16}, {Dim::K, 16}, {Dim::P, 4}};
  shape.insideWeights = shape.insideInput = shape.insideSums = 2;
  PerDim<int64_t> whole = layer.dims;
  shape.setExtents(whole, PerDim<bool>(true));
  shape.loadsResidual = true;
  EXPECT_TRUE(planStream(shape, machine()).wideStores);
  PerDim<double> distances(0.0);
  distances[Dim::Q] = 64;
  distances[Dim::P] = 28 * 64;
  shape.residualDram = distances;
  EXPECT_TRUE(planStream(shape, machine()).wideStores);
  distances[Dim::P] = 30 * 64;
  shape.residualDram = distances;
  EXPECT_FALSE(planStream(shape, machine()).wideStores);
}

// 28 pixels are two chunks of 16 rows in each of four blocks, where the buffer
// has these rows and the array waits for loads anyway.
TEST(StreamPlan, SumsFillChunksWhereLoadsAreWaitedFor) {
  Layer layer = layerOf(64, 128, 14, 14, 1);
  StreamShape shape;
  shape.layer = &layer;
  shape.rows = shape.cols = 16;
  shape.loops = {{Dim::C, 16}, {Dim::K, 16}, {Dim::C, 64}, {Dim::P, 2}};
  shape.insideWeights = shape.insideInput = 2;
  shape.insideSums = 3;
  shape.setExtents(layer.dims, PerDim<bool>(true));
  Accelerator target = machine();
  EXPECT_EQ(shape.chunkRows(target), 128);
  EXPECT_FALSE(planStream(shape, target).wideStores);
  shape.fitsChunks = true;
  EXPECT_TRUE(planStream(shape, target).wideStores);
  EXPECT_TRUE(planStream(shape, target).fillsChunks);
  // Weights that stay leave the reader little to do.
  shape.weightsStay = true;
  EXPECT_FALSE(planStream(shape, target).wideStores);
  shape.weightsStay = false;
  // Two places for 112 rows each, but not for 128.
  target.accumulatorBytes = 240 * target.side * 4;
  EXPECT_TRUE(planStream(shape, target).sumsTurn);
  EXPECT_FALSE(planStream(shape, target).wideStores);
}

TEST(StreamPlan, PassesAreLinesOnlyWhereOutputsLeave) {
  // 14 x 14 sums in four reduction steps, handed over to a window with padding.
  Layer layer = layerOf(32, 128, 14, 14, 1);
  StreamShape shape;
  shape.layer = &layer;
  shape.rows = shape.cols = 32;
  shape.loops = {{Dim::C, 32}};
  shape.insideWeights = shape.insideInput = shape.insideSums = 1;
  shape.weightsStay = shape.inputOnChip = shape.outputOnChip = true;
  shape.handOver = {16, 16};
  shape.setExtents(layer.dims, PerDim<bool>(true));
  StreamPlan plan = planStream(shape, machine(32));
  EXPECT_TRUE(plan.storesRuns);
  EXPECT_TRUE(plan.joins(Dim::P));
  EXPECT_FALSE(plan.joins(Dim::P, /*toStore=*/true));
  EXPECT_TRUE(plan.joins(Dim::Q, /*toStore=*/true));
  // Lines that follow each other there, too.
  shape.handOver = {14, 14};
  EXPECT_TRUE(planStream(shape, machine(32)).joins(Dim::P, /*toStore=*/true));
  // A residual is added line by line, in the first step.
  shape.handOver = {16, 16};
  shape.loadsResidual = true;
  EXPECT_FALSE(planStream(shape, machine(32)).joins(Dim::P));
  shape.loadsResidual = false;
  // Lines of whole passes lose nothing.
  layer.dims[Dim::Q] = 32;
  shape.handOver = {16, 34};
  shape.setExtents(layer.dims, PerDim<bool>(true));
  EXPECT_FALSE(planStream(shape, machine(32)).joins(Dim::P));
  // A single step is the last one.
  layer.dims[Dim::Q] = 14;
  layer.dims[Dim::C] = 32;
  shape.handOver = {16, 16};
  shape.setExtents(layer.dims, PerDim<bool>(true));
  EXPECT_FALSE(planStream(shape, machine(32)).joins(Dim::P));
}

TEST(StreamPlan, BiasIsSpreadWhereLoadsAreCrowded) {
  // Steps of 196 cycles, of which 16 rows of weights take the DMA 160: a chunk
  // of bias that comes with one of them takes 88.
  Layer layer = layerOf(64, 512, 14, 14, 1);
  layer.hasBias = true;
  StreamShape shape;
  shape.layer = &layer;
  shape.rows = shape.cols = 16;
  shape.loops = {{Dim::C, 16}, {Dim::K, 16}};
  shape.insideInput = shape.insideSums = 1;
  shape.inputOnChip = true;
  shape.setExtents(layer.dims, PerDim<bool>(true));
  StreamPlan plan = planStream(shape, machine());
  EXPECT_EQ(plan.aheadFrom, 1);
  EXPECT_EQ(plan.aheadSteps, 13);
  EXPECT_EQ(plan.aheadEvery, 2); // behind the second step up to the 26th of 32
  // Weights that are there leave room.
  shape.weightsStay = true;
  EXPECT_EQ(planStream(shape, machine()).aheadEvery, 1);
  shape.weightsStay = false;
  // Without a second place it comes beside the tile's own steps, but then the
  // next step waits for a chunk, more often the more apart they are.
  shape.sumsBeside = machine().accumulatorRows() - 196;
  plan = planStream(shape, machine());
  EXPECT_EQ(plan.addSteps, 13);
  EXPECT_GT(plan.addWait, 0);
  EXPECT_EQ(plan.addEvery, 1);
  // Steps of 256 cycles are long enough, and leave room.
  layer.dims[Dim::P] = layer.dims[Dim::Q] = 16;
  shape.sumsBeside = machine().accumulatorRows() - 256;
  shape.setExtents(layer.dims, PerDim<bool>(true));
  EXPECT_EQ(planStream(shape, machine()).addWait, 0);
  EXPECT_EQ(planStream(shape, machine()).addEvery, 1);
  // With fewer requests in flight each row takes 13 cycles.
  Accelerator slow = machine();
  slow.dmaRequestsInFlight = 12;
  plan = planStream(shape, slow);
  EXPECT_EQ(plan.addSteps, 16);
  EXPECT_EQ(plan.addEvery, 2); // of 31 steps
}

TEST(StreamLatency, RelaxedValuesAtWholeFactorsAreTheExactOnes) {
  Layer layer = layerOf(96, 64, 28, 28, 3);
  layer.hasBias = true;
  for (int64_t rest : {7, 9, 28}) { // 28 = 9 + 9 + 9 + 1
    Mapping mapping = whole(layer);
    mapping.temporal[Level::Registers][Dim::P] = rest;
    mapping.temporal[Level::Dram][Dim::P] = (28 + rest - 1) / rest;
    RelaxedFactors<double> factors;
    detail::forEachWholeFactor(
        layer, mapping,
        [&](auto factorOf, double value) { factorOf(factors) = value; });
    const Nest<double> nest = relaxedNest(layer, factors, mapping.order);
    EXPECT_DOUBLE_EQ(streamLatency(streamedLayer(nest), machine()).cycles,
                     streamLatency(layer, mapping, machine()).cycles);
  }
}

/// Huge extents that no legal mapping has overflow nothing.
TEST(StreamLatency, TakesWhatASearchAsksFor) {
  Layer layer = layerOf(1 << 30, 1 << 30, 1 << 30, 1 << 30, 1);
  layer.dims[Dim::N] = 1 << 30;
  for (auto factor : {int64_t(1), int64_t(1) << 30}) {
    Mapping mapping;
    for (Dim dim : kAllDims)
      mapping.temporal[Level::Registers][dim] = factor;
    EXPECT_TRUE(std::isfinite(streamLatency(layer, mapping, machine()).cycles));
    EXPECT_TRUE(std::isfinite(walkedCycles(layer, mapping, machine())));
  }
}

} // namespace
