//===- LayerTest.cpp - Tests of layers as loop nests ----------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/Workload/Layer.h"

#include "gtest/gtest.h"

#include <limits>

using namespace fadiff;

namespace {

TEST(LayerTest, DimNamesRoundTrip) {
  std::string names;
  for (Dim dim : kAllDims) {
    names += dimName(dim);
    EXPECT_EQ(parseDim(std::string(1, dimName(dim))), dim);
  }
  EXPECT_EQ(names, "NGKCPQRS");
  EXPECT_FALSE(parseDim("X"));
  EXPECT_FALSE(parseDim("n"));
  EXPECT_FALSE(parseDim(""));
  EXPECT_FALSE(parseDim("NK"));
}

TEST(LayerTest, RelevanceSplitsTheDims) {
  std::string w, i, o, reductions;
  for (Dim dim : kAllDims) {
    if (isRelevant(Tensor::W, dim))
      w += dimName(dim);
    if (isRelevant(Tensor::I, dim))
      i += dimName(dim);
    if (isRelevant(Tensor::O, dim))
      o += dimName(dim);
    if (isReduction(dim))
      reductions += dimName(dim);
  }
  EXPECT_EQ(w, "GKCRS");
  EXPECT_EQ(i, "NGCPQRS");
  EXPECT_EQ(o, "NGKPQ");
  EXPECT_EQ(reductions, "CRS");
}

TEST(LayerTest, MacsAreTheProductAndSaturate) {
  Layer layer;
  EXPECT_EQ(layer.macs(), 1);
  int64_t extent = 2;
  int64_t expected = 1;
  for (Dim dim : kAllDims) {
    layer.dims[dim] = extent;
    expected *= extent++;
  }
  EXPECT_EQ(layer.macs(), expected);
  layer.dims[Dim::N] = layer.dims[Dim::K] = int64_t(1) << 40;
  EXPECT_EQ(layer.macs(), std::numeric_limits<int64_t>::max());
}

TEST(LayerTest, DepthwiseHasOneChannelPerGroup) {
  Layer layer;
  EXPECT_FALSE(layer.isDepthwise());
  layer.dims[Dim::G] = 8;
  EXPECT_TRUE(layer.isDepthwise());
  layer.dims[Dim::K] = 2;
  EXPECT_FALSE(layer.isDepthwise());
}

TEST(LayerTest, WindowGrowsWithStrideAndDilation) {
  Layer layer;
  layer.stride = {2, 1};
  layer.dilation = {3, 1};
  EXPECT_EQ(layer.window(Axis::H, 5, 3), 4 * 2 + 2 * 3 + 1);
  EXPECT_EQ(layer.window(Axis::W, 5, 3), 7);
  EXPECT_EQ(layer.window(Axis::H, 1, 1), 1);
}

TEST(LayerTest, SquareMeansThatAxesAreAlike) {
  Layer layer;
  layer.dims[Dim::P] = layer.dims[Dim::Q] = 7;
  layer.dims[Dim::R] = layer.dims[Dim::S] = 3;
  EXPECT_TRUE(layer.isSquare());
  for (auto change : std::initializer_list<void (*)(Layer &)>{
           [](Layer &l) { l.dims[Dim::P] = 8; },
           [](Layer &l) { l.dims[Dim::S] = 1; },
           [](Layer &l) { l.stride[Axis::W] = 2; },
           [](Layer &l) { l.dilation[Axis::H] = 2; },
           [](Layer &l) { l.padLow[Axis::H] = 1; },
           [](Layer &l) { l.inputExtent[Axis::W] = 9; }}) {
    Layer other = layer;
    change(other);
    EXPECT_FALSE(other.isSquare());
  }
}

TEST(LayerTest, PackedTapsAreChannelsOfWindows) {
  Layer layer; // ResNet's first
  layer.dims = PerDim<int64_t>(1);
  layer.dims[Dim::K] = 64;
  layer.dims[Dim::C] = 3;
  for (Axis axis : kAllAxes) {
    layer.dims[outputDim(axis)] = 112;
    layer.dims[kernelDim(axis)] = 7;
    layer.stride[axis] = 2;
    layer.padLow[axis] = 3;
    layer.inputExtent[axis] = 224;
  }
  const Layer packed = withTapsPacked(layer, PackedTaps::Columns);
  EXPECT_EQ(packed.macs(), layer.macs());
  EXPECT_EQ(packed.dims[Dim::C], 21);
  EXPECT_EQ(packed.dims[Dim::S], 1);
  EXPECT_EQ(packed.dims[Dim::R], 7);
  EXPECT_EQ(packed.inputExtent, (PerAxis<int64_t>(224, 112)));
  EXPECT_EQ(packed.stride, (PerAxis<int64_t>(2, 1)));
  EXPECT_EQ(packed.padLow, (PerAxis<int64_t>(3, 0)));
  const Layer whole = withTapsPacked(layer, PackedTaps::RowsAndColumns);
  EXPECT_EQ(whole.macs(), layer.macs());
  EXPECT_EQ(whole.dims[Dim::C], 147);
  EXPECT_EQ(whole.dims[Dim::R] * whole.dims[Dim::S], 1);
  for (Axis axis : kAllAxes)
    EXPECT_EQ(whole.window(axis, 112, 1), whole.inputExtent[axis]);
  EXPECT_EQ(whole.padLow, (PerAxis<int64_t>(0, 0)));
}

TEST(LayerTest, PackingsAreUsefulWhereTheyHalveThePasses) {
  auto useful = [](int64_t channels, int64_t rows, int64_t columns,
                   int64_t side) {
    Layer layer;
    layer.dims[Dim::C] = channels;
    layer.dims[Dim::R] = rows;
    layer.dims[Dim::S] = columns;
    return usefulPackings(layer, side);
  };
  const std::vector<PackedTaps> none,
      columns = {PackedTaps::Columns}, rows = {PackedTaps::RowsAndColumns},
      both = {PackedTaps::Columns, PackedTaps::RowsAndColumns};
  EXPECT_EQ(useful(3, 7, 7, 32), both); // 49 passes per pixel: 7 or 5
  EXPECT_EQ(useful(3, 7, 7, 16), both); // 14 or 10
  EXPECT_EQ(useful(3, 7, 7, 4), none);  // 3 of 4 rows are in use
  EXPECT_EQ(useful(17, 7, 7, 32), none);
  EXPECT_EQ(useful(16, 3, 3, 32), none); // 9 passes: 6 or 5
  EXPECT_EQ(useful(16, 5, 3, 32), none); // 15 passes: 10 or 8
  EXPECT_EQ(useful(16, 4, 3, 32), rows); // 12 passes: 8 or 6
  EXPECT_EQ(useful(3, 1, 4, 32), columns);
  EXPECT_EQ(useful(3, 4, 1, 32), rows);
  EXPECT_EQ(useful(3, 1, 1, 32), none);
  EXPECT_EQ(useful(3, kMaxBound, kMaxBound, 32), none); // beyond counting
  EXPECT_EQ(useful(3, 1, kMaxBound + 1, 32), none);
  Layer layer;
  layer.dims[Dim::G] = 64;
  layer.dims[Dim::R] = layer.dims[Dim::S] = 3;
  EXPECT_TRUE(usefulPackings(layer, 32).empty()); // depthwise
}

TEST(LayerTest, FindsWhatNoScheduleCounts) {
  auto check = [](const Layer &layer, const char *what, int64_t value) {
    std::optional<OutOfBounds> found = findOutOfBounds(layer);
    ASSERT_TRUE(found) << what;
    EXPECT_STREQ(found->what, what);
    EXPECT_EQ(found->value, value);
    EXPECT_TRUE(value < found->least || value > found->most);
  };
  Layer layer;
  EXPECT_FALSE(findOutOfBounds(layer));
  layer.dims[Dim::C] = kMaxBound;
  layer.dims[Dim::K] = kMaxWork / kMaxBound;
  EXPECT_FALSE(findOutOfBounds(layer));
  layer.dims[Dim::K] += 1;
  check(layer, "number of multiply-accumulates", kMaxWork + kMaxBound);
  for (Dim dim : kAllDims)
    layer.dims[dim] = kMaxBound; // 2^240
  check(layer, "number of multiply-accumulates",
        std::numeric_limits<int64_t>::max());
  layer.dims[Dim::P] = 0;
  check(layer, "loop bound", 0);
  layer = Layer();
  layer.dilation[Axis::W] = -1;
  check(layer, "dilation", -1);
  layer = Layer();
  layer.padLow[Axis::H] = -1;
  check(layer, "padding", -1);
  layer = Layer();
  layer.inputExtent = {kMaxBound, kMaxBound};
  check(layer, "number of input elements", kMaxBound * kMaxBound);
}

} // namespace
