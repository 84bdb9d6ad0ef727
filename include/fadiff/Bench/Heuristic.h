//===- Heuristic.h - Scoring the peer's tile rules --------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether optimizer=heuristic is what Gemmini's library does: its tiles against
// those recorded with RTL runs, its DRAM bytes over whole networks, and what
// the code generator moves with the same tiles.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_BENCH_HEURISTIC_H
#define FADIFF_BENCH_HEURISTIC_H

#include "fadiff/Bench/Firesim.h"
#include "fadiff/Search/Heuristic.h"

namespace fadiff {

/// What the library moves for a network run its own way: pooling behind the
/// convolution before it, residual additions and the global average on the
/// accelerator, pointwise convolutions as matrix multiplications. Bytes.
struct LibraryNetworkTraffic {
  DramBytes layers;
  double residualReads = 0, residualWrites = 0;
  double averageReads = 0, averageWrites = 0;
  double reads() const { return layers.reads() + residualReads + averageReads; }
  double writes() const {
    return layers.writes() + residualWrites + averageWrites;
  }
};
/// `name` as in benchNetworkNames().
LibraryNetworkTraffic libraryNetworkTraffic(llvm::StringRef name,
                                            const Network &network,
                                            const Accelerator &target);

/// What the library's programs take on a simulated machine, layer by layer with
/// a fence behind each, as its own networks do. The global average is left out,
/// and what the core does beside issuing commands: the peer is not slower than
/// this.
struct LibraryNetworkTime {
  std::vector<int64_t> layers; ///< cycles
  int64_t residuals = 0;       ///< cycles of all residual additions
  int64_t commands = 0, bytesRead = 0, bytesWritten = 0;
  int64_t cycles() const;
};
/// `name` as in benchNetworkNames(). Fails if the simulator refuses a program.
llvm::Expected<LibraryNetworkTime>
simulateLibraryNetwork(llvm::StringRef name, const Network &network,
                       const Accelerator &target);

/// The same of several networks, and of all their layers, as the entries that
/// `fadiff-bench library` prints.
llvm::Expected<llvm::json::Array>
timeLibraryNetworks(llvm::ArrayRef<llvm::StringRef> names,
                    const Accelerator &target);

/// Rows of DOSA's RTL runs whose recorded tile `libraryTile` chooses, and those
/// where it does not.
llvm::json::Object scoreHeuristicTiles(llvm::ArrayRef<FiresimPoint> points,
                                       const Accelerator &machine);

/// Library, library with unpooled convolutions throughout, and our programs,
/// per network and machine, by tensor.
llvm::Expected<llvm::json::Object>
compareHeuristicTraffic(llvm::ArrayRef<Accelerator> machines);

} // namespace fadiff

#endif // FADIFF_BENCH_HEURISTIC_H
