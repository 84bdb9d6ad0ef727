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

} // namespace
