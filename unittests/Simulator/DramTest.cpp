//===- DramTest.cpp - Accesses to DRAM ------------------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include "gtest/gtest.h"

#include <functional>
#include <set>

using namespace fadiff;
using namespace fadiff::sim;

namespace {

TEST(Dram, DeclaredRanges) {
  std::vector<int8_t> memory(4096);
  int8_t *base = memory.data();
  auto runs = [&](const std::function<void(Program &)> &access) {
    Program p;
    p.configLd(64, 16);
    p.configSt(64);
    // Two ranges that meet, and one apart; added out of order.
    p.machine.addDramRange(base + 1024, 1024);
    p.machine.addDramRange(base + 3072, 256);
    p.machine.addDramRange(base, 1024);
    p.mvin(base, acc(0), 16, 16);
    EXPECT_EQ(p.fault(), "");
    access(p);
    return p.fault();
  };
  EXPECT_EQ(runs([&](Program &p) { p.mvin(base + 960, sp(0), 16, 64); }), "");
  EXPECT_EQ(runs([&](Program &p) { p.mvin(base + 1024, sp(0), 16, 64); }), "");
  EXPECT_NE(runs([&](Program &p) {
              p.mvin(base + 1025, sp(0), 16, 64);
            }).find("row 15 touches DRAM bytes"),
            std::string::npos);
  EXPECT_NE(runs([&](Program &p) {
              p.mvin(base - 1, sp(0), 1, 1);
            }).find("row 0 touches DRAM bytes"),
            std::string::npos);
  EXPECT_EQ(runs([&](Program &p) { p.mvin(base + 3072, sp(0), 4, 64); }), "");
  EXPECT_NE(runs([&](Program &p) { p.mvin(base + 3072, sp(0), 5, 1); }), "");
  EXPECT_EQ(runs([&](Program &p) { p.mvout(base + 1024, acc(0), 16, 16); }),
            "");
  EXPECT_NE(runs([&](Program &p) { p.mvout(base + 2040, acc(0), 1, 16); }), "");
  // Rows in different ranges, with a hole between them.
  EXPECT_EQ(runs([&](Program &p) {
              p.configLd(2048, 16);
              p.mvin(base + 1024, sp(0), 2, 64);
            }),
            "");
  // One row across the seam of two ranges, declared in either order.
  EXPECT_EQ(runs([&](Program &p) { p.mvin(base + 1000, sp(0), 1, 64); }), "");
  EXPECT_EQ(runs([&](Program &p) {
              p.machine.addDramRange(base + 3328, 64);
              p.mvin(base + 3300, sp(0), 1, 64);
            }),
            "");
  // A zero fill touches no DRAM.
  EXPECT_EQ(runs([&](Program &p) { p.mvin(nullptr, sp(0), 16, 64); }), "");
  EXPECT_NE(runs([&](Program &p) {
              ConfigSt config = pooling();
              config.stride = 512;
              p.config(config);
              p.mvin(nullptr, acc(0), 16, 16);
              p.mvin(nullptr, acc(16), 16, 16);
              p.mvin(nullptr, acc(32), 16, 16);
              p.mvin(nullptr, acc(48), 16, 16);
              p.mvout(base, acc(0), 1, 16);
            }),
            "");
}

TEST(Dram, MissingFence) {
  std::vector<int8_t> memory(4096);
  auto runs = [&](bool fence, int64_t offset) {
    Program p;
    p.configLd(64, 16);
    p.configSt(64);
    p.mvin(nullptr, acc(0), 16, 16);
    // Bytes 1024..1039, 1088..1103, ...
    p.mvout(memory.data() + 1024, acc(0), 4, 16);
    if (fence)
      p.machine.fence();
    p.mvin(memory.data() + offset, sp(0), 1, 16);
    return p.fault();
  };
  EXPECT_NE(runs(false, 1024).find("put a fence between them"),
            std::string::npos);
  EXPECT_NE(runs(false, 1039), "");
  EXPECT_NE(runs(false, 1073), "");
  EXPECT_EQ(runs(false, 1008), "");
  EXPECT_EQ(runs(false, 1040), "");
  EXPECT_EQ(runs(false, 1072), "");
  EXPECT_EQ(runs(false, 1024 + 3 * 64 + 16), "");
  EXPECT_EQ(runs(true, 1024), "");
}

/// Pooled rows land pool_out_dim pixels apart.
TEST(Dram, MissingFenceAfterPooling) {
  std::vector<int8_t> memory(4096);
  auto runs = [&](int64_t offset) {
    Program p;
    p.configLd(64, 16);
    for (int row = 0; row < 64; row += 16)
      p.mvin(nullptr, acc(row), 16, 16);
    ConfigSt config = pooling();
    config.poolOutDim = 8;
    p.config(config);
    p.machine.addDramRange(memory.data(), memory.size());
    p.mvout(memory.data() + 1024, acc(0), 1, 16);
    EXPECT_EQ(p.fault(), "");
    p.mvin(memory.data() + offset, sp(0), 1, 16);
    return p.fault();
  };
  EXPECT_NE(runs(1024 + 48), "");
  EXPECT_EQ(runs(1024 + 64), "");
  EXPECT_NE(runs(1024 + 3 * 128), "");
  EXPECT_EQ(runs(1024 + 4 * 128), "");
}

TEST(Dram, PooledRowsOutsideTheRanges) {
  std::vector<int8_t> memory(4096);
  auto runs = [&](int64_t outDim) {
    Program p;
    p.configLd(64, 16);
    for (int row = 0; row < 64; row += 16)
      p.mvin(nullptr, acc(row), 16, 16);
    ConfigSt config = pooling();
    config.poolOutDim = outDim;
    p.config(config);
    p.machine.addDramRange(memory.data(), 256);
    p.mvout(memory.data(), acc(0), 1, 16);
    return p.fault();
  };
  EXPECT_EQ(runs(4), "");
  EXPECT_NE(runs(5), "");
}

/// Random moves against a set of bytes.
TEST(Dram, MissingFenceRandom) {
  std::mt19937 rng(1);
  std::vector<int8_t> memory(40000);
  MachineOptions options;
  options.functional = false;
  int faults = 0;
  for (int trial = 0; trial < 300; ++trial) {
    std::set<int64_t> written;
    Program p(testAccelerator(), options);
    p.configLd(1, 16);
    for (int row = 0; row < 64; row += 16)
      p.mvin(nullptr, acc(row), 16, 16);
    for (int step = 0; step < 12; ++step) {
      int64_t rows = 1 + rng() % 16, cols = 1 + rng() % 64;
      int64_t stride = cols + rng() % 500, start = rng() % 30000;
      if (rng() % 6 == 0) {
        p.machine.fence();
        written.clear();
      } else if (rng() % 2) {
        p.configSt(stride);
        p.mvout(memory.data() + start, acc(0), rows, cols);
        ASSERT_EQ(p.fault(), "");
        for (int64_t r = 0; r < rows; ++r)
          for (int64_t c = 0; c < cols; ++c)
            written.insert(start + r * stride + c);
      } else {
        bool overlaps = false;
        for (int64_t r = 0; r < rows; ++r) {
          auto it = written.lower_bound(start + r * stride);
          overlaps |= it != written.end() && *it < start + r * stride + cols;
        }
        p.configLd(stride, 16);
        p.mvin(memory.data() + start, sp(0), rows, cols);
        ASSERT_EQ(p.machine.fault().has_value(), overlaps);
        if (overlaps) {
          ++faults;
          break;
        }
      }
    }
  }
  EXPECT_GT(faults, 50);
  EXPECT_LT(faults, 290);
}

TEST(Dram, WritesThatNoFenceFollows) {
  std::vector<int8_t> memory(1024);
  Program p;
  p.configLd(16, 16);
  p.configSt(16);
  EXPECT_FALSE(p.machine.hasUnfencedWrites());
  p.mvin(memory.data(), sp(0), 16, 16);
  EXPECT_FALSE(p.machine.hasUnfencedWrites());
  p.mvout(memory.data() + 512, sp(0), 16, 16);
  EXPECT_EQ(p.fault(), "");
  EXPECT_TRUE(p.machine.hasUnfencedWrites());
  p.machine.fence();
  EXPECT_FALSE(p.machine.hasUnfencedWrites());
}

} // namespace
