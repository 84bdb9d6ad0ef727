//===- LoopWs.cpp - What a loop_ws stands for -----------------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/ISA/LoopWs.h"

#include <algorithm>
#include <cassert>

using namespace fadiff;
using namespace fadiff::isa;

void LoopWs::take(const Command &command) {
  given |= 1u << (command.funct - uint32_t(Funct::LoopWs));
  const LoopWsPair pair = decodeLoopWsPair(command);
  switch (Funct(command.funct)) {
  case Funct::LoopWsConfigBounds:
    bounds = decodeLoopWsBounds(command);
    return;
  case Funct::LoopWsConfigAddrsAB:
    a = pair.first;
    b = pair.second;
    return;
  case Funct::LoopWsConfigAddrsDC:
    d = pair.first;
    c = pair.second;
    return;
  case Funct::LoopWsConfigStridesAB:
    aStride = pair.first;
    bStride = pair.second;
    return;
  case Funct::LoopWsConfigStridesDC:
    dStride = pair.first;
    cStride = pair.second;
    return;
  default:
    assert(Funct(command.funct) == Funct::LoopWs && "no command of a loop");
    run = decodeLoopWsRun(command);
  }
}

namespace {

/// A matrix of blocks: where it lies in both memories.
struct Blocks {
  int64_t rowBlocks, colBlocks; ///< blocks of `side` rows and columns
  int64_t rowPad, colPad;       ///< elements that the last ones lack
  uint64_t dram, stride;        ///< bytes, elements
  int64_t elementBytes;
  uint32_t local; ///< address of the first row, with flags
};

class Expander {
public:
  Expander(const LoopWs &loop, const LoopWsRows &rows,
           const Accelerator &machine)
      : loop(loop), rows(rows), side(machine.side),
        wide(std::max<int64_t>(machine.maxMoveColumns() / machine.side, 1)),
        elementBytes(machine.elementBytes()), I(loop.bounds.i),
        J(loop.bounds.j), K(loop.bounds.k), padI(loop.bounds.padI),
        padJ(loop.bounds.padJ), padK(loop.bounds.padK) {}

  LoopSteps run() {
    addLoads();
    addExecutes();
    addStores();
    return std::move(steps);
  }

private:
  /// Rows (columns) of block `index` of `count`.
  int64_t extent(int64_t index, int64_t count, int64_t pad) const {
    return side - (index == count - 1 ? pad : 0);
  }

  /// Moves `count` blocks of block row `row` from column `col` on.
  Command move(Funct funct, const Blocks &of, int64_t row, int64_t col,
               int64_t count) const {
    Move move;
    move.funct = funct;
    move.dramAddress =
        of.dram + (row * of.stride + col) * side * of.elementBytes;
    move.localAddress = {of.local +
                         uint32_t((row * of.colBlocks + col) * side)};
    move.rows = extent(row, of.rowBlocks, of.rowPad);
    move.cols = count * side - (col + count == of.colBlocks ? of.colPad : 0);
    return encode(move);
  }

  void addLoads() {
    if (loop.d) {
      const Blocks d{I,
                     J,
                     padI,
                     padJ,
                     loop.d,
                     loop.dStride,
                     loop.run.lowD ? elementBytes : 4,
                     LocalAddress::accumulator(rows.c).bits};
      const int64_t most = loop.run.lowD ? wide : 1;
      for (int64_t j = 0; j < J; j += most)
        for (int64_t i = 0; i < I; ++i)
          steps.loads.push_back(
              {move(Funct::Mvin3, d, i, j, std::min(most, J - j))});
    }
    const Blocks a{I,
                   K,
                   padI,
                   padK,
                   loop.a,
                   loop.aStride,
                   elementBytes,
                   LocalAddress::scratchpad(rows.a).bits};
    const Blocks b{K,
                   J,
                   padK,
                   padJ,
                   loop.b,
                   loop.bStride,
                   elementBytes,
                   LocalAddress::scratchpad(rows.b).bits};
    if (loop.a)
      loadsOfA.assign(I * K, 0);
    if (loop.b)
      loadsOfB.assign(K * J, 0);
    // Which blocks come next; k == K: none.
    int64_t aI = 0, aK = loop.a ? 0 : K, bJ = 0, bK = loop.b ? 0 : K;
    while (aK < K || bK < K) {
      const bool takesB =
          aK >= K || (bK < K && (aK > bK || (bK == 0 && bJ == 0)));
      if (takesB) {
        const int64_t count = std::min(wide, J - bJ);
        steps.loads.push_back({move(Funct::Mvin2, b, bK, bJ, count)});
        for (int64_t j = bJ; j < bJ + count; ++j)
          loadsOfB[bK * J + j] = steps.loads.size();
        if ((bJ += wide) >= J) {
          bJ = 0;
          ++bK;
        }
        continue;
      }
      const int64_t count = std::min(wide, K - aK);
      steps.loads.push_back({move(Funct::Mvin, a, aI, aK, count)});
      for (int64_t k = aK; k < aK + count; ++k)
        loadsOfA[aI * K + k] = steps.loads.size();
      if (++aI == I) {
        aI = 0;
        aK += wide;
      }
    }
  }

  void addExecutes() {
    const size_t loadsOfD =
        loop.d ? size_t(I) * ((J + (loop.run.lowD ? wide : 1) - 1) /
                              (loop.run.lowD ? wide : 1))
               : 0;
    for (int64_t k = 0; k < K; ++k)
      for (int64_t j = 0; j < J; ++j)
        for (int64_t i = 0; i < I; ++i) {
          const uint16_t m = extent(i, I, padI), n = extent(j, J, padJ),
                         depth = extent(k, K, padK);
          size_t after = loadsOfD;
          if (loop.a)
            after = std::max(after, loadsOfA[i * K + k]);
          if (loop.b)
            after = std::max(after, loadsOfB[k * J + j]);
          const LocalAddress sums = LocalAddress::accumulator(
              rows.c + (i * J + j) * side, loop.run.accumulate || k > 0);
          Preload preload;
          preload.stationary = {
              i == 0 ? LocalAddress::scratchpad(rows.b + (k * J + j) * side)
                     : LocalAddress::garbage(),
              depth, n};
          preload.c = {sums, m, n};
          Compute compute;
          compute.accumulated = i > 0;
          compute.a = {LocalAddress::scratchpad(rows.a + (i * K + k) * side), m,
                       depth};
          compute.moving = {LocalAddress::garbage(), m, n};
          steps.executes.push_back({encode(preload), after});
          steps.executes.push_back({encode(compute), after});
        }
  }

  void addStores() {
    if (!loop.c)
      return;
    const Blocks c{I,
                   J,
                   padI,
                   padJ,
                   loop.c,
                   loop.cStride,
                   loop.run.fullC ? 4 : elementBytes,
                   loop.run.fullC ? LocalAddress::fullWidth(rows.c).bits
                                  : LocalAddress::accumulator(rows.c).bits};
    const int64_t most = loop.run.fullC ? 1 : wide;
    for (int64_t j = 0; j < J; j += most) {
      const int64_t count = std::min(most, J - j);
      for (int64_t i = 0; i < I; ++i) {
        const int64_t last = ((K - 1) * J + j + count - 1) * I + i;
        steps.stores.push_back(
            {move(Funct::Mvout, c, i, j, count), size_t(2 * (last + 1))});
      }
    }
  }

  const LoopWs &loop;
  const LoopWsRows &rows;
  const int64_t side, wide, elementBytes;
  const int64_t I, J, K, padI, padJ, padK;
  /// How many loads there are up to the one that brings a block.
  std::vector<size_t> loadsOfA, loadsOfB;
  LoopSteps steps;
};

} // namespace

LoopSteps isa::expand(const LoopWs &loop, const LoopWsRows &rows,
                      const Accelerator &machine) {
  return Expander(loop, rows, machine).run();
}
