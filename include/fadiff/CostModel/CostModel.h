//===- CostModel.h - Energy, latency and traffic ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a layer, a fusion group and a schedule cost. docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_COSTMODEL_H
#define FADIFF_COSTMODEL_COSTMODEL_H

#include "fadiff/CostModel/Cost.h"
#include "fadiff/Schedule/Schedule.h"
#include "llvm/ADT/ArrayRef.h"

namespace fadiff {

/// The cost of one layer; ends that are fused (1) do not go through DRAM.
/// Meaningful for mappings that pass verify(). Others are evaluated as if each
/// factor were clipped to [1, bound] and DRAM took what is left of each dim.
LayerCost evaluateLayer(const Layer &layer, const Mapping &mapping,
                        const Accelerator &target,
                        Convention convention = Convention::Machine,
                        const FusedEnds<double> &fused = {},
                        Model model = Model::Exact,
                        Latency latency = Latency::Roofline);

/// What a search compares.
struct LayerEstimate {
  double energy = 0; ///< pJ
  double cycles = 0;
  double dramBytes = 0;
};

/// evaluateLayer for many mappings of one layer, several at a time in vector
/// registers; `results` has room for all. Neighbours with the same loop orders
/// share a vector, so put them together.
void evaluateLayers(const Layer &layer, llvm::ArrayRef<Mapping> mappings,
                    const Accelerator &target, Convention convention,
                    llvm::MutableArrayRef<LayerEstimate> results,
                    Model model = Model::Exact);

/// The cost of layers that run tile by tile; of one layer, its own.
GroupCost evaluateGroup(const Network &network, const Schedule &schedule,
                        const FusionGroup &group, const Accelerator &target,
                        Convention convention = Convention::Machine,
                        Model model = Model::Exact);

/// Expects a schedule that passes verify().
ScheduleCost evaluateSchedule(const Network &network, const Schedule &schedule,
                              const Accelerator &target,
                              Convention convention = Convention::Machine,
                              Model model = Model::Exact);

/// What the core of `target` takes to pool the outputs of the layer, if they
/// are stored as they are: cycles, eq. (core). 0 if nothing pools them, or the
/// machine does not say.
double poolCyclesOfCore(const Layer &layer, const Accelerator &target);

/// Adds to the cost of a schedule the cycles of the core: of pooling that no
/// group does, and `besides`, which is the same for every schedule.
void countCore(const Network &network, const Schedule &schedule,
               const Accelerator &target, double besides, ScheduleCost &cost);

} // namespace fadiff

#endif // FADIFF_COSTMODEL_COSTMODEL_H
