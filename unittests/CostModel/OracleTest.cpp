//===- OracleTest.cpp - Closed form against a walk of the nest ------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A brute-force walk of the loop nest: every loop of every level is run, every
// byte loaded is enumerated pixel by pixel, every visit of an output tile is
// remembered. It shares no code with the formulas beyond the mapping itself.
// Eqs. (tile-counts), (refetches) and (machine-input) to (sum-accesses) of
// docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/CostModel.h"
#include "fadiff/CostModel/Group.h"

#include "gtest/gtest.h"

#include <map>
#include <random>
#include <sstream>
#include <vector>

using namespace fadiff;

namespace {

struct Range {
  int64_t begin = 0, end = 0;
  int64_t size() const { return end - begin; }
};
using Box = PerDim<Range>;

struct WalkResult {
  int64_t input = 0, weights = 0, outputWrites = 0, partialReads = 0, bias = 0,
          residual = 0, padding = 0;
  int64_t arrayWeightWords = 0, inputReads = 0, outputUpdates = 0, passes = 0;
  int64_t macs = 0, writeBackWords = 0;
};

class Walker {
public:
  Walker(const Layer &layer, const Mapping &mapping, int64_t side)
      : layer(layer), mapping(mapping), side(side) {
    for (Level level :
         {Level::Dram, Level::Scratchpad, Level::Accumulator, Level::Registers})
      for (auto it = mapping.order[level].rbegin();
           it != mapping.order[level].rend(); ++it) {
        int64_t step = product(*it, level, /*inclusive=*/false);
        int64_t extent = product(*it, level, /*inclusive=*/true);
        if (step < extent)
          loops.push_back({level, *it, step});
      }
    for (size_t i = 0; i < loops.size(); ++i) {
      auto [level, dim, step] = loops[i];
      if (level == Level::Dram && isRelevant(Tensor::W, dim))
        weightPoint = i + 1;
      if (level == Level::Dram && isRelevant(Tensor::I, dim))
        inputPoint = i + 1;
      if ((level == Level::Dram || level == Level::Scratchpad) &&
          isRelevant(Tensor::O, dim))
        outputPoint = i + 1;
      if (isRelevant(Tensor::W, dim))
        arrayPoint = i + 1;
    }
  }

  WalkResult run() {
    Box all;
    for (Dim dim : kAllDims)
      all[dim] = {0, layer.dims[dim]};
    walk(0, all);
    for (const auto &[tile, visit] : visits)
      result.outputWrites += visit.words * layer.outputBytes;
    return result;
  }

private:
  /// Product of the spatial and temporal factors up to `level`, clipped.
  int64_t product(Dim dim, Level level, bool inclusive) const {
    int64_t value = 1;
    if (layer.isDepthwise() ? dim == Dim::G : dim == Dim::K)
      value = mapping.cols;
    else if (dim == Dim::C && !layer.isDepthwise())
      value = mapping.rows;
    for (unsigned l = 0; l < static_cast<unsigned>(level) + inclusive; ++l)
      value *= mapping.temporal[static_cast<Level>(l)][dim];
    return std::min(value, layer.dims[dim]);
  }

  void walk(size_t depth, const Box &box) {
    if (depth == weightPoint)
      loadWeights(box);
    if (depth == inputPoint)
      loadInput(box);
    if (depth == outputPoint)
      enterOutput(box);
    if (depth == arrayPoint)
      result.arrayWeightWords += arrayTile(box);
    if (depth == loops.size()) {
      ++result.passes;
      result.macs += arrayTile(box);
      int64_t channels = layer.isDepthwise() ? box[Dim::G].size() : 0;
      result.inputReads += channels ? channels : box[Dim::C].size();
      result.outputUpdates += channels ? channels : box[Dim::K].size();
      for (Dim dim : {Dim::N, Dim::P, Dim::Q, Dim::R, Dim::S})
        EXPECT_EQ(box[dim].size(), 1);
      return;
    }
    auto [level, dim, step] = loops[depth];
    for (int64_t at = box[dim].begin; at < box[dim].end; at += step) {
      Box inner = box;
      inner[dim] = {at, std::min(at + step, box[dim].end)};
      walk(depth + 1, inner);
    }
  }

  int64_t arrayTile(const Box &box) const {
    if (layer.isDepthwise())
      return box[Dim::G].size() * box[Dim::G].size();
    return box[Dim::K].size() * box[Dim::C].size();
  }

  void loadWeights(const Box &box) {
    for (int64_t r = box[Dim::R].begin; r < box[Dim::R].end; ++r)
      for (int64_t s = box[Dim::S].begin; s < box[Dim::S].end; ++s) {
        if (!layer.isDepthwise()) {
          for (int64_t g = box[Dim::G].begin; g < box[Dim::G].end; ++g)
            result.weights += box[Dim::K].size() * box[Dim::C].size();
          continue;
        }
        for (int64_t g = box[Dim::G].begin; g < box[Dim::G].end;
             g += mapping.cols) {
          int64_t a = std::min(mapping.cols, box[Dim::G].end - g);
          result.weights += a * a;
        }
      }
  }

  /// Rows (columns) that the windows have; of the padding, too, or not.
  std::vector<int64_t> touched(const Box &box, Axis axis,
                               bool withPadding = false) const {
    Range out = box[outputDim(axis)], kernel = box[kernelDim(axis)];
    bool compact = product(kernelDim(axis), Level::Scratchpad, true) == 1;
    int64_t stride = layer.stride[axis], dilation = layer.dilation[axis];
    int64_t pad = layer.padLow[axis], extent = layer.inputExtent[axis];
    std::vector<int64_t> rows;
    if (compact) {
      for (int64_t p = out.begin; p < out.end; ++p)
        rows.push_back(p * stride + kernel.begin * dilation - pad);
    } else {
      for (int64_t h = out.begin * stride + kernel.begin * dilation - pad;
           h <= (out.end - 1) * stride + (kernel.end - 1) * dilation - pad; ++h)
        rows.push_back(h);
    }
    std::vector<int64_t> stored;
    for (int64_t h : rows)
      if (withPadding || (h >= 0 && h < extent))
        stored.push_back(h);
    return stored;
  }

  void loadInput(const Box &box) {
    std::vector<int64_t> columns = touched(box, Axis::W);
    for (int64_t n = box[Dim::N].begin; n < box[Dim::N].end; ++n)
      for (int64_t h : touched(box, Axis::H)) {
        (void)h;
        for (size_t w = 0; w < columns.size(); ++w)
          result.input += box[Dim::G].size() * box[Dim::C].size();
      }
    if (layer.padValue == 0)
      return;
    const size_t stored = columns.size() * touched(box, Axis::H).size();
    const size_t all = touched(box, Axis::W, /*withPadding=*/true).size() *
                       touched(box, Axis::H, /*withPadding=*/true).size();
    result.padding += int64_t(all - stored) * box[Dim::N].size() *
                      box[Dim::G].size() * box[Dim::C].size();
  }

  void enterOutput(const Box &box) {
    std::vector<int64_t> key;
    int64_t words = 1;
    for (Dim dim : {Dim::N, Dim::G, Dim::K, Dim::P, Dim::Q}) {
      key.push_back(box[dim].begin);
      EXPECT_LE(box[dim].size(), product(dim, Level::Accumulator, true));
      words *= box[dim].size();
    }
    auto [it, isNew] = visits.insert({key, {words}});
    EXPECT_EQ(it->second.words, words);
    result.writeBackWords += words;
    if (!isNew) {
      // What was left last time turns out to have been a partial sum.
      result.outputWrites += 4 * words;
      result.partialReads += 4 * words;
      return;
    }
    if (layer.hasResidual)
      result.residual += words * layer.residualLoads;
    if (!layer.hasBias)
      return;
    int64_t pixels = product(Dim::N, Level::Accumulator, true) *
                     product(Dim::P, Level::Accumulator, true) *
                     product(Dim::Q, Level::Accumulator, true);
    Range channels = layer.isDepthwise() ? box[Dim::G] : box[Dim::K];
    int64_t groups = layer.isDepthwise() ? 1 : box[Dim::G].size();
    for (int64_t k = channels.begin; k < channels.end; k += mapping.cols)
      for (int64_t row = 0; row < pixels; row += side)
        result.bias += 4 * groups * std::min(mapping.cols, channels.end - k);
  }

  struct Loop {
    Level level;
    Dim dim;
    int64_t step;
  };
  struct Visit {
    int64_t words;
  };
  const Layer &layer;
  const Mapping &mapping;
  int64_t side;
  std::vector<Loop> loops;
  size_t weightPoint = 0, inputPoint = 0, outputPoint = 0, arrayPoint = 0;
  std::map<std::vector<int64_t>, Visit> visits;
  WalkResult result;
};

class RandomCase {
public:
  explicit RandomCase(uint64_t seed) : rng(seed) {
    // One in four depthwise, one in eight grouped.
    int64_t kind = pick(0, 7);
    layer.dims[Dim::N] = pick(1, 3);
    layer.dims[Dim::G] = kind < 2 ? pick(2, 9) : kind == 2 ? pick(2, 3) : 1;
    layer.dims[Dim::K] = kind < 2 ? 1 : pick(kind == 2 ? 2 : 1, 11);
    layer.dims[Dim::C] = kind < 2 ? 1 : pick(1, 11);
    for (Axis axis : kAllAxes) {
      layer.dims[outputDim(axis)] = pick(1, 7);
      layer.dims[kernelDim(axis)] = pick(1, 3);
      layer.stride[axis] = pick(1, 3);
      layer.dilation[axis] = pick(1, 2);
      layer.padLow[axis] = pick(0, 3);
      int64_t window = layer.window(axis, layer.dims[outputDim(axis)],
                                    layer.dims[kernelDim(axis)]);
      // Short of the window (padding on the far side) or beyond it.
      layer.inputExtent[axis] =
          std::max<int64_t>(1, window - layer.padLow[axis] + pick(-3, 1));
    }
    layer.hasBias = pick(0, 1);
    layer.hasResidual = pick(0, 1);
    layer.scalesResidual = layer.hasResidual && pick(0, 2) == 0;
    layer.residualLoads = layer.scalesResidual ? pick(1, 3) : 1;
    layer.outputBytes = pick(0, 1) ? 4 : 1;
    bool depthwise = layer.isDepthwise();
    mapping.rows = depthwise ? 1 : pick(1, 4);
    mapping.cols = pick(1, 4);
    for (Dim dim : kAllDims)
      for (Level level : kAllLevels) {
        bool pixels = dim == Dim::N || dim == Dim::P || dim == Dim::Q;
        bool dramOnly = dim == Dim::G && !depthwise;
        int64_t covered = mapping.tile(layer, level, dim);
        int64_t left = (layer.dims[dim] + covered - 1) / covered;
        int64_t factor = pick(1, left);
        if (level == Level::Dram)
          factor = left + pick(0, 1);
        else if (dramOnly || (level == Level::Registers && !pixels))
          factor = 1;
        mapping.temporal[level][dim] = factor;
      }
    for (Level level : kAllLevels)
      for (unsigned i = kNumDims - 1; i > 0; --i)
        std::swap(mapping.order[level][i], mapping.order[level][pick(0, i)]);
    layer.padValue = pick(0, 2) == 0 ? -128 : 0;
    layer.hasScales = pick(0, 1);
  }

  std::string describe() const {
    std::ostringstream text;
    for (Dim dim : kAllDims) {
      text << dimName(dim) << "=" << layer.dims[dim] << ":";
      for (Level level : kAllLevels)
        text << " " << mapping.temporal[level][dim];
      text << "; ";
    }
    text << "array " << mapping.rows << "x" << mapping.cols;
    for (Level level : {Level::Scratchpad, Level::Dram}) {
      text << ", " << levelName(level) << " ";
      for (Dim dim : mapping.order[level])
        text << dimName(dim);
    }
    return text.str();
  }

  Layer layer;
  Mapping mapping;

private:
  int64_t pick(int64_t low, int64_t high) {
    return low + int64_t(rng() % uint64_t(high - low + 1));
  }
  std::mt19937_64 rng;
};

TEST(OracleTest, LoadedRowsOfLongAxes) { // eq. (machine-input), many tiles
  std::mt19937_64 rng(3);
  auto pick = [&](int64_t low, int64_t high) {
    return low + int64_t(rng() % uint64_t(high - low + 1));
  };
  for (int i = 0; i < 3000; ++i) {
    Layer layer;
    layer.dims[Dim::P] = pick(1, 200);
    layer.dims[Dim::R] = pick(1, 7);
    layer.stride[Axis::H] = pick(1, 4);
    layer.dilation[Axis::H] = pick(1, 3);
    layer.padLow[Axis::H] = pick(0, i % 10 ? 4 : 300);
    layer.inputExtent[Axis::H] = pick(1, 700);
    int64_t tile = pick(1, layer.dims[Dim::P]), taps = layer.dims[Dim::R];
    if (taps == 1)
      continue;
    int64_t sum = 0;
    for (int64_t p0 = 0; p0 < layer.dims[Dim::P]; p0 += tile) {
      int64_t p1 = std::min(p0 + tile, layer.dims[Dim::P]);
      for (int64_t h = p0 * layer.stride[Axis::H];
           h <= (p1 - 1) * layer.stride[Axis::H] +
                    (taps - 1) * layer.dilation[Axis::H];
           ++h) {
        int64_t row = h - layer.padLow[Axis::H];
        sum += row >= 0 && row < layer.inputExtent[Axis::H];
      }
    }
    ASSERT_EQ(detail::loadedExtentSum(layer, Axis::H, tile, taps), sum) << i;
  }
}

TEST(OracleTest, ClosedFormEqualsTheWalk) {
  Accelerator target;
  target.side = 4;
  unsigned uneven = 0, spilled = 0, clipped = 0, padded = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    RandomCase random(seed);
    SCOPED_TRACE("seed " + std::to_string(seed) + ": " + random.describe());
    WalkResult walk = Walker(random.layer, random.mapping, target.side).run();
    LayerCost cost = evaluateLayer(random.layer, random.mapping, target,
                                   Convention::Machine);
    const DramBytes &bytes = cost.dramBytes;
    EXPECT_EQ(int64_t(bytes.input), walk.input);
    EXPECT_EQ(int64_t(bytes.weights), walk.weights);
    EXPECT_EQ(int64_t(bytes.outputWrites), walk.outputWrites);
    EXPECT_EQ(int64_t(bytes.partialReads), walk.partialReads);
    EXPECT_EQ(int64_t(bytes.bias), walk.bias);
    EXPECT_EQ(int64_t(bytes.residual), walk.residual);
    EXPECT_EQ(int64_t(bytes.padding), walk.padding);
    // Once per run, whatever the mapping.
    const int64_t channels =
        random.layer.dims[Dim::K] * random.layer.dims[Dim::G];
    EXPECT_EQ(int64_t(bytes.scales), random.layer.hasScales ? 4 * channels : 0);
    EXPECT_EQ(int64_t(cost.access[Level::Dram][Tensor::O].reads),
              walk.partialReads + walk.bias + walk.residual +
                  int64_t(bytes.scales));

    auto &registers = cost.access[Level::Registers];
    auto &accumulator = cost.access[Level::Accumulator];
    auto &spad = cost.access[Level::Scratchpad];
    EXPECT_EQ(int64_t(cost.arrayMacs), walk.macs);
    EXPECT_EQ(int64_t(cost.computeCycles), walk.passes);
    EXPECT_EQ(int64_t(registers[Tensor::W].fills), walk.arrayWeightWords);
    EXPECT_EQ(int64_t(spad[Tensor::W].reads), walk.arrayWeightWords);
    EXPECT_EQ(int64_t(spad[Tensor::I].reads), walk.inputReads);
    EXPECT_EQ(int64_t(accumulator[Tensor::O].updates), walk.outputUpdates);
    // First sums are written over, later ones added; every store drains.
    int64_t outputs = 1;
    for (Dim dim : {Dim::N, Dim::G, Dim::K, Dim::P, Dim::Q})
      outputs *= random.layer.dims[dim];
    int64_t initial =
        outputs * (random.layer.hasBias +
                   random.layer.hasResidual * random.layer.residualLoads);
    EXPECT_EQ(int64_t(accumulator[Tensor::O].reads),
              walk.outputUpdates - outputs + initial + walk.writeBackWords);
    EXPECT_EQ(int64_t(accumulator[Tensor::O].fills),
              initial + walk.partialReads / 4);
    if (::testing::Test::HasFailure())
      return;

    for (Dim dim : kAllDims)
      if (random.layer.dims[dim] %
          random.mapping.tile(random.layer, Level::Scratchpad, dim)) {
        ++uneven;
        break;
      }
    spilled += walk.partialReads > 0;
    clipped += random.layer.padLow[Axis::H] > 0;
    padded += walk.padding > 0;
  }
  // The cases that matter did occur.
  EXPECT_GT(uneven, 1000u);
  EXPECT_GT(spilled, 500u);
  EXPECT_GT(clipped, 1000u);
  EXPECT_GT(padded, 500u);
}

} // namespace
