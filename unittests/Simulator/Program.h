//===- Program.h - Short programs for simulator tests -----------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_UNITTESTS_SIMULATOR_PROGRAM_H
#define FADIFF_UNITTESTS_SIMULATOR_PROGRAM_H

#include "fadiff/ISA/Gemmini.h"
#include "fadiff/Simulator/Machine.h"

#include <cmath>
#include <random>

namespace fadiff {
namespace sim {

using isa::Activation;
using isa::ConfigEx;
using isa::ConfigLd;
using isa::ConfigSt;
using isa::Funct;
using isa::LocalAddress;

inline LocalAddress sp(uint32_t row) { return LocalAddress::scratchpad(row); }
inline LocalAddress acc(uint32_t row) { return LocalAddress::accumulator(row); }
inline LocalAddress accAdd(uint32_t row) {
  return LocalAddress::accumulator(row, /*accumulate=*/true);
}
inline LocalAddress none() { return LocalAddress::garbage(); }

/// 1024 scratchpad rows and 256 accumulator rows.
inline Accelerator testAccelerator(int64_t side = 16,
                                   HandOver handOver = HandOver::None) {
  Accelerator a;
  a.name = "test";
  a.side = side;
  a.scratchpadBytes = 1024 * side;
  a.accumulatorBytes = 256 * 4 * side;
  a.handOver = handOver;
  return a;
}

/// 2 x 2 pooling of 8 x 8 pixels to 4 x 4, 16 bytes each.
inline ConfigSt pooling() {
  ConfigSt config;
  config.stride = 16;
  config.poolSize = config.poolStride = 2;
  config.poolRows = config.poolCols = config.poolOutDim = 4;
  config.rows = config.cols = 8;
  return config;
}

/// A machine with one method per instruction.
class Program {
public:
  Machine machine;

  explicit Program(const Accelerator &accelerator = testAccelerator(),
                   MachineOptions options = {})
      : machine(accelerator, options) {}

  void run(const isa::Command &command) {
    machine.execute(command.funct, command.rs1, command.rs2);
  }
  template <typename T> void config(const T &value) { run(isa::encode(value)); }
  void configLd(uint64_t stride, uint16_t blockStride, uint8_t mvin = 0,
                float scale = 1.0f, bool shrink = false) {
    ConfigLd config;
    config.mvin = mvin;
    config.shrink = shrink;
    config.blockStride = blockStride;
    config.scale = scale;
    config.stride = stride;
    run(isa::encode(config));
  }
  void configSt(uint32_t stride, float scale = 1.0f,
                Activation activation = Activation::None) {
    ConfigSt config;
    config.stride = stride;
    config.scale = scale;
    config.activation = activation;
    run(isa::encode(config));
  }
  void move(Funct funct, const void *dram, LocalAddress local, uint16_t rows,
            uint16_t cols) {
    isa::Move m;
    m.funct = funct;
    m.dramAddress = reinterpret_cast<uintptr_t>(dram);
    m.localAddress = local;
    m.rows = rows;
    m.cols = cols;
    run(isa::encode(m));
  }
  void mvin(const void *dram, LocalAddress local, uint16_t rows,
            uint16_t cols) {
    move(Funct::Mvin, dram, local, rows, cols);
  }
  void mvout(void *dram, LocalAddress local, uint16_t rows, uint16_t cols) {
    move(Funct::Mvout, dram, local, rows, cols);
  }
  void mvoutSpad(LocalAddress destination, LocalAddress source, uint16_t rows,
                 uint16_t cols, uint32_t stride = 1) {
    isa::MvoutSpad m;
    m.destination = destination;
    m.destinationStride = stride;
    m.source = source;
    m.rows = rows;
    m.cols = cols;
    run(isa::encode(m));
  }
  void preload(LocalAddress b, uint16_t bRows, uint16_t bCols, LocalAddress c,
               uint16_t cRows, uint16_t cCols) {
    run(isa::encode(isa::Preload{{b, bRows, bCols}, {c, cRows, cCols}}));
  }
  void compute(LocalAddress a, uint16_t aRows, uint16_t aCols,
               bool accumulated = false, LocalAddress d = none(),
               uint16_t dRows = 0, uint16_t dCols = 0) {
    run(isa::encode(
        isa::Compute{accumulated, {a, aRows, aCols}, {d, dRows, dCols}}));
  }
  /// c (m x n) = a (m x k) * b (k x n), each within one block.
  void matmul(LocalAddress a, LocalAddress b, LocalAddress c, uint16_t m,
              uint16_t k, uint16_t n) {
    preload(b, k, n, c, m, n);
    compute(a, m, k);
  }
  /// "" or the fault's message.
  std::string fault() const {
    return machine.fault() ? machine.fault()->message : "";
  }
};

/// Random int8 with the extremes in it more often than by chance.
inline std::vector<int8_t> randomBytes(std::mt19937 &rng, size_t count) {
  std::vector<int8_t> values(count);
  for (int8_t &value : values) {
    uint32_t x = rng();
    value = (x >> 8) % 16 == 0 ? (x & 1 ? 127 : -128) : int8_t(x);
  }
  return values;
}

/// float(value) * scale, rounded half to even and saturated, without the
/// library's rounding functions: both factors have 24 bits, so their product is
/// exact in double and the conversion is the one rounding of the product.
inline int8_t requantReference(int32_t value, float scale, bool relu = false) {
  double x = float(double(float(value)) * double(scale));
  if (relu && x < 0)
    x = 0;
  double whole = std::floor(x);
  double rest = x - whole;
  bool isOdd = std::fmod(whole, 2.0) != 0;
  if (rest > 0.5 || (rest == 0.5 && isOdd))
    whole += 1;
  return int8_t(whole > 127 ? 127 : whole < -128 ? -128 : whole);
}

} // namespace sim
} // namespace fadiff

#endif // FADIFF_UNITTESTS_SIMULATOR_PROGRAM_H
