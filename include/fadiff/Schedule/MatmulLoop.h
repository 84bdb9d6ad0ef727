//===- MatmulLoop.h - Layers that loop_ws can run ---------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The machine's matmul loop (docs/Simulator.md) takes a tile of a matrix
// product from DRAM to DRAM. What a mapping asks for is such tiles only now and
// then: here is when. docs/Lowering.md, section "loop_ws".
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SCHEDULE_MATMULLOOP_H
#define FADIFF_SCHEDULE_MATMULLOOP_H

#include "fadiff/Schedule/Placement.h"
#include "fadiff/Support/Names.h"
#include "llvm/Support/Error.h"

namespace fadiff {

/// Whether loop_ws is used: where it is predicted to be faster, wherever it can
/// be, or nowhere.
enum class LoopUnitUse : uint8_t { Auto, On, Off };
inline llvm::ArrayRef<llvm::StringLiteral> valueNames(LoopUnitUse) {
  static constexpr llvm::StringLiteral names[] = {"auto", "on", "off"};
  return names;
}

/// A layer alone as a sequence of loop_ws.
struct MatmulLoop {
  struct Outer {
    EmittedLoop loop;
    int64_t step = 1; ///< of its dim
  };
  /// The loops around, outermost first; the rest of the nest is one loop_ws.
  llvm::SmallVector<Outer, 12> outer;
  /// Nominal extents of one loop_ws.
  PerDim<int64_t> tile{1};
  /// Of `outer`, how many lie outside of where each operand is loaded: it stays
  /// during the trips of the rest.
  size_t outsideInput = 0, outsideWeights = 0;

  int64_t pixels() const { return tile[Dim::N] * tile[Dim::P] * tile[Dim::Q]; }
};

/// Whether the layer, alone, is a matrix product that the loop of `target` may
/// be able to run under some mapping.
inline bool mayBeMatmulLoop(const Layer &layer, const Accelerator &target) {
  return target.loopUnit == LoopUnit::Matmul &&
         target.loopHalves == LoopHalves::Chosen && !layer.isDepthwise() &&
         layer.dims[Dim::R] == 1 && layer.dims[Dim::S] == 1 &&
         !layer.readsPadding(Axis::H) && !layer.readsPadding(Axis::W) &&
         !layer.hasResidual && !layer.hasScales && !layer.pool;
}

/// The layer under `mapping`, which is legal on `target`, as loops that move
/// the bytes which the mapping promises; the reason why not if it cannot be.
/// Tensors are taken to be dense and channels last.
llvm::Expected<MatmulLoop> planMatmulLoop(const Layer &layer,
                                          const Mapping &mapping,
                                          const Accelerator &target);

} // namespace fadiff

#endif // FADIFF_SCHEDULE_MATMULLOOP_H
