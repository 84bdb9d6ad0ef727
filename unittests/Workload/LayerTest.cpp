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
  const Layer packed = withTapsPacked(layer);
  EXPECT_EQ(packed.macs(), layer.macs());
  EXPECT_EQ(packed.dims[Dim::C], 21);
  EXPECT_EQ(packed.dims[Dim::S], 1);
  EXPECT_EQ(packed.window(Axis::W, 112, 1), packed.inputExtent[Axis::W]);
  EXPECT_EQ(packed.inputExtent[Axis::H], 224);
  // 49 passes per pixel become 7, or 14 on an array of 16 rows.
  EXPECT_TRUE(isThin(layer, 32));
  EXPECT_TRUE(isThin(layer, 16));
  EXPECT_FALSE(isThin(layer, 4)); // 3 of 4 rows are in use
  EXPECT_FALSE(isThin(packed, 64));
  layer.dims[Dim::C] = 17;
  EXPECT_FALSE(isThin(layer, 32));
  layer.dims[Dim::C] = layer.dims[Dim::K] = 1;
  layer.dims[Dim::G] = 64;
  EXPECT_FALSE(isThin(layer, 32)); // depthwise
}

} // namespace
