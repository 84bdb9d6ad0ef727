//===- BaselinesTest.cpp - Tests of square and random mappings ---------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Search/Baselines.h"
#include "fadiff/Hardware/KnownTargets.h"

#include "../../lib/Search/Gradient/Relaxation.h"
#include "../../lib/Search/Problem/Climb.h"
#include "Networks.h"

#include "fadiff/Schedule/GroupTiles.h"
#include "fadiff/Schedule/Placement.h"
#include "gtest/gtest.h"

using namespace fadiff;

static const std::unique_ptr<CostFunction> machineCost =
    createCostFunction(Convention::Machine);
using namespace fadiff::test;

namespace {

std::vector<Layer> layersOfAllKinds() {
  std::vector<Layer> layers;
  for (const char *name : {"resnet18", "mobilenetv1", "gpt3-block"})
    for (const Layer &layer : readNetwork(name).layers)
      layers.push_back(layer);
  Layer odd;
  odd.name = "odd";
  odd.dims[Dim::N] = 3;
  odd.dims[Dim::K] = 37;
  odd.dims[Dim::C] = 41;
  odd.dims[Dim::P] = 13;
  odd.dims[Dim::Q] = 11;
  odd.dims[Dim::R] = 5;
  odd.dims[Dim::S] = 2;
  odd.stride = {2, 3};
  odd.dilation = {2, 1};
  odd.padLow = {1, 0};
  odd.inputExtent = {33, 32};
  layers.push_back(odd);
  layers.push_back(Layer());
  return layers;
}

TEST(RandomMappingTest, AlwaysLegalAndVaried) {
  std::mt19937_64 rng(1);
  unsigned uneven = 0, spills = 0, partialArray = 0, drawn = 0;
  for (const Accelerator &target :
       {largeMachine(), smallMachine(), stockMachine()})
    for (const Layer &layer : layersOfAllKinds())
      for (int i = 0; i < 20; ++i) {
        auto mapping = randomMapping(layer, target, rng);
        ASSERT_TRUE(bool(mapping)) << llvm::toString(mapping.takeError());
        llvm::Error error = verify(layer, *mapping, target);
        ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
        ++drawn;
        spills += outputVisits(layer, *mapping) > 1;
        partialArray +=
            mapping->cols < std::min(target.side, layer.dims[Dim::K]);
        for (Dim dim : kAllDims)
          if (layer.dims[dim] % mapping->tile(layer, Level::Scratchpad, dim)) {
            ++uneven;
            break;
          }
      }
  EXPECT_GT(uneven, drawn / 3);
  EXPECT_GT(spills, drawn / 5);
  EXPECT_GT(partialArray, drawn / 10);
}

TEST(RandomMappingTest, FollowsItsGenerator) {
  Layer layer = layersOfAllKinds().front();
  std::mt19937_64 a(5), b(5);
  auto first = randomMapping(layer, largeMachine(), a);
  auto second = randomMapping(layer, largeMachine(), b);
  auto third = randomMapping(layer, largeMachine(), a);
  ASSERT_TRUE(first && second && third);
  EXPECT_TRUE(*first == *second);
  EXPECT_FALSE(*first == *third);
}

TEST(SquareTileTest, FillsTheTighterMemory) {
  for (const Accelerator &target : {largeMachine(), smallMachine()})
    for (const Layer &layer : layersOfAllKinds()) {
      SCOPED_TRACE(layer.name + " on " + target.name);
      auto mapping = squareTileMapping(layer, target);
      ASSERT_TRUE(bool(mapping)) << llvm::toString(mapping.takeError());
      llvm::Error error = verify(layer, *mapping, target);
      ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
      EXPECT_EQ(outputVisits(layer, *mapping), 1);
      // Largest: no dim left at DRAM whose tile could grow alone.
      for (Dim dim : {Dim::K, Dim::C}) {
        if (mapping->trips(layer, Level::Dram, dim) <= 1)
          continue;
        Mapping more = *mapping;
        more.temporal[Level::Accumulator][dim] += 1;
        EXPECT_TRUE(bool(llvm::Error(verify(layer, more, target))))
            << dimName(dim);
      }
    }
}

TEST(SquareTileTest, NeedsTwoRows) {
  Accelerator tiny = smallMachine();
  tiny.scratchpadBytes = 2 * 16;
  tiny.accumulatorBytes = 64;
  for (const Layer &layer : layersOfAllKinds()) {
    auto mapping = squareTileMapping(layer, tiny);
    ASSERT_TRUE(bool(mapping)) << llvm::toString(mapping.takeError());
    llvm::Error error = verify(layer, *mapping, tiny);
    EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
  }
  tiny.scratchpadBytes = 16;
  auto mapping = squareTileMapping(layersOfAllKinds().front(), tiny);
  ASSERT_FALSE(bool(mapping));
  llvm::consumeError(mapping.takeError());
  std::mt19937_64 rng(1);
  mapping = randomMapping(layersOfAllKinds().front(), tiny, rng);
  ASSERT_FALSE(bool(mapping));
  llvm::consumeError(mapping.takeError());
}

TEST(DescentTest, LowersTheLossFromRandomStarts) {
  Network network = readNetwork("resnet18");
  network.edges.clear();
  Accelerator target = largeMachine();
  const Problem problem(network, target, {});
  std::vector<Unit> units;
  for (unsigned i = 0; i < network.layers.size(); ++i)
    units.push_back({{i}, 1});
  for (uint64_t seed = 0; seed < 3; ++seed) {
    std::mt19937_64 rng(seed);
    StartPoint start;
    for (const Layer &layer : network.layers)
      start.push_back({llvm::cantFail(randomMapping(layer, target, rng))});
    GradientOptions options;
    Budget budget(0, nullptr);
    options.steps = 0;
    double before = descend(problem, units, options, start, rng, budget).loss;
    options.steps = 150;
    Descent descent = descend(problem, units, options, start, rng, budget);
    EXPECT_LT(descent.loss, before - 0.5);

    // What it decodes to is legal and better than the start, too.
    double startEnergy = 0, startCycles = 0, energy = 0, cycles = 0;
    for (unsigned i = 0; i < network.layers.size(); ++i) {
      const LayerProblem problem{network.layers[i], target, *machineCost};
      Mapping mapping =
          decode(problem, descent.mappings[i][0], Goal{}, budget).mapping;
      llvm::Error error = verify(network.layers[i], mapping, target);
      ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
      Candidate from = problem.evaluate(start[i][0], budget);
      Candidate to = problem.evaluate(mapping, budget);
      startEnergy += from.energy;
      startCycles += from.cycles;
      energy += to.energy;
      cycles += to.cycles;
    }
    EXPECT_LT(energy * cycles, startEnergy * startCycles);
  }
}

/// `kernel` x `kernel`, `channels` in and out, without padding.
Layer convolution(int64_t outputs, int64_t channels, int64_t kernel,
                  int64_t stride) {
  Layer layer;
  layer.name = "conv" + std::to_string(outputs);
  layer.dims[Dim::K] = layer.dims[Dim::C] = channels;
  for (Axis axis : kAllAxes) {
    layer.dims[outputDim(axis)] = outputs;
    layer.dims[kernelDim(axis)] = kernel;
    layer.stride[axis] = stride;
    layer.inputExtent[axis] = layer.window(axis, outputs, kernel);
  }
  return layer;
}

TEST(RelaxationTest, SeamsAreWhatGroupsMakeAgain) {
  const Layer last = convolution(24, 8, 5, 1),
              middle = convolution(28, 8, 3, 2),
              first = convolution(57, 8, 3, 1);
  const std::vector<const Layer *> chain = {&first, &middle, &last};
  const auto seams = seamsOf(chain, {1.0, 1.0});
  for (int64_t extent : {24, 12, 8, 6}) {
    PerDim<int64_t> tile{1};
    tile[Dim::P] = tile[Dim::Q] = extent;
    const GroupTiles tied(chain, tile);
    for (size_t member = 0; member < chain.size(); ++member)
      for (Dim dim : {Dim::P, Dim::Q})
        EXPECT_EQ(double(tied.produced(member, dim)),
                  double(chain[member]->dims[dim]) +
                      double(tied.trips(dim) - 1) *
                          seams[member][dim == Dim::P ? Axis::H : Axis::W]);
  }
  // Halos reach no further than the fused edges, and as far as these are.
  EXPECT_EQ(seamsOf(chain, {1.0, 0.0})[0][Axis::H], 1);
  EXPECT_EQ(seamsOf(chain, {0.0, 1.0})[0][Axis::H], 0);
  EXPECT_EQ(seamsOf(chain, {0.5, 0.5})[0][Axis::H], 0.5 * (1 + 2 * 0.5 * 4));
}

/// Where sigma ends between two layers that are all there is.
double sigmaOf(const Layer &producer, const Layer &consumer,
               const Accelerator &target) {
  Network network;
  network.layers = {producer, consumer};
  network.edges = {{0, 1, ""}};
  GradientOptions options;
  options.steps = 100;
  Budget budget(0, nullptr);
  std::mt19937_64 rng(7);
  StartPoint start(1);
  for (const Layer &layer : network.layers)
    start[0].push_back(llvm::cantFail(heuristicMapping(layer, target)));
  return descend({network, target, {}}, {{{0, 1}, 1}}, options, start, rng,
                 budget)
      .gates[0]
      .sigma[0];
}

// Weights of four bytes: what DRAM reads in bytes is written on chip in words.
// Were the one taken for the other, energies fell below zero in some descent.
TEST(RelaxationTest, WordsOfSeveralBytesHaveSlopes) {
  const Accelerator target = llvm::cantFail(findTarget("gemmini-fp32"));
  Layer layer = convolution(16, 64, 1, 1);
  layer.elementBytes = layer.outputBytes = 4;
  Network network;
  network.layers = {layer, layer};
  network.edges = {{0, 1, ""}};
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SearchOptions options;
    options.seed = seed;
    llvm::Expected<SearchResult> found = search(network, target, options);
    ASSERT_TRUE(bool(found)) << llvm::toString(found.takeError());
    EXPECT_GE(found->edges[0].sigma, 0);
    EXPECT_LE(found->edges[0].sigma, 1);
  }
}

TEST(RelaxationTest, SigmaKnowsWhatFusionCosts) {
  const Layer producer = convolution(56, 64, 1, 1);
  // The reader's windows do not overlap, or hardly; or nearly all is made
  // again.
  EXPECT_GT(sigmaOf(producer, convolution(56, 64, 1, 1), largeMachine()), 0.9);
  EXPECT_GT(sigmaOf(producer, convolution(54, 64, 3, 1), largeMachine()), 0.9);
  EXPECT_LT(sigmaOf(producer, convolution(42, 64, 15, 1), largeMachine()), 0.5);
  // Both layers' tiles and weights do not fit.
  EXPECT_LT(sigmaOf(producer, convolution(56, 64, 1, 1), smallMachine()), 0.1);
}

TEST(ClimbTest, EndsWhereNoNeighbourIsBetter) {
  Accelerator target = smallMachine();
  for (const Layer &layer : readNetwork("mobilenetv1").layers) {
    LayerProblem problem{layer, target, *machineCost};
    Budget budget(0, nullptr);
    Goal goal;
    Mapping start = llvm::cantFail(squareTileMapping(layer, target));
    Candidate end = climb(problem, start, goal, 1000, budget);
    double value = goal(end.energy, end.cycles);
    Candidate from = problem.evaluate(start, budget);
    EXPECT_LE(value, goal(from.energy, from.cycles));
    unsigned neighbours = 0;
    forEachNeighbour(
        layer, {target, problem.space}, end.mapping, [&](const Mapping &m) {
          ++neighbours;
          if (!fits(layer, m, target))
            return false;
          llvm::Error error = verify(layer, m, target);
          EXPECT_FALSE(bool(error)) << llvm::toString(std::move(error));
          Candidate next = problem.evaluate(m, budget);
          EXPECT_GE(goal(next.energy, next.cycles), value * (1 - 2e-6));
          return false;
        });
    EXPECT_GT(neighbours, 20u);
  }
}

TEST(ClimbTest, EndsWhereAnotherHas) {
  Accelerator target = smallMachine();
  const Layer layer = readNetwork("mobilenetv1").layers[3];
  LayerProblem problem{layer, target, *machineCost};
  Mapping start = llvm::cantFail(squareTileMapping(layer, target));
  std::vector<Mapping> ends;
  Budget first(0, nullptr), second(0, nullptr);
  auto climbed = [&](Budget &budget) {
    return climb(problem, start, Goal(), 1000, budget, /*refits=*/false, &ends);
  };
  const Mapping end = climbed(first).mapping;
  EXPECT_EQ(ends, std::vector<Mapping>{end});
  EXPECT_EQ(climbed(second).mapping, end);
  EXPECT_EQ(ends.size(), 1u);
  // Nobody looks for what is better around it again.
  EXPECT_LT(second.evaluations, first.evaluations);
}

} // namespace
