//===- CostFunction.h - A cost with its gradient ----------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the search minimises, as an object: the built-in models are one, and a
// target of somebody else's can bring its own.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_COSTMODEL_COSTFUNCTION_H
#define FADIFF_COSTMODEL_COSTFUNCTION_H

#include "fadiff/CostModel/CostModel.h"
#include "fadiff/CostModel/GroupOverlap.h"
#include "fadiff/Support/Names.h"

#include <memory>
#include <optional>
#include <string_view>

namespace fadiff {

class GroupTiles;
class StreamWalks;

/// Derivatives of one quantity by the logarithm of each factor of a mapping:
/// what a factor larger by 1 % changes, times 100. DRAM takes what is left of
/// each dim, so its own factors have no slope.
struct FactorSlopes {
  PerLevel<PerDim<double>> temporal{PerDim<double>(0.0)};
  double rows = 0;
  double cols = 0;
};

class CostFunction {
public:
  virtual ~CostFunction();

  /// The cost of `layer` at `mapping`, which need not be legal but must have
  /// positive factors. `fused` says which ends stay on chip (0 or 1 each).
  virtual LayerCost evaluate(const Layer &layer, const Mapping &mapping,
                             const Accelerator &target,
                             const FusedEnds<double> &fused = {}) const = 0;

  /// As evaluate, and the slopes of energy (pJ) and latency (cycles) there.
  /// Where a count is a step function (how many tiles), the slope is that of
  /// the quotient. The default takes central differences along each factor.
  virtual LayerCost differentiate(const Layer &layer, const Mapping &mapping,
                                  const Accelerator &target,
                                  FactorSlopes &energy, FactorSlopes &cycles,
                                  const FusedEnds<double> &fused = {}) const;

  /// The cost of a member of a fusion group at `mapping`. The default
  /// evaluates a layer that makes what the member makes in all tiles.
  virtual MemberCost evaluateMember(const GroupTiles &tiles, size_t member,
                                    const Mapping &mapping,
                                    const Accelerator &target) const;

  /// As evaluateMember, and the slopes of the member's own energy and latency
  /// by its factors; the group's tile stands.
  virtual MemberCost differentiateMember(const GroupTiles &tiles, size_t member,
                                         const Mapping &mapping,
                                         const Accelerator &target,
                                         FactorSlopes &energy,
                                         FactorSlopes &cycles) const;

  /// A group's cost from its members', of which there are two or more. The
  /// default adds them up.
  virtual GroupCost combine(std::vector<MemberCost> members,
                            const Accelerator &target) const;

  /// Cycles that a group takes beside what combine() says, since its members
  /// run in turn: each finds units and queues as the one before leaves them.
  /// May be below 0. By default nothing is known of that.
  virtual double cyclesInTurn(const GroupTiles &tiles,
                              llvm::ArrayRef<Mapping> mappings,
                              const Accelerator &target) const {
    return 0;
  }

  /// Cycles of a layer that the machine's loop unit runs (MatmulLoop.h); none
  /// if the model does not tell it from the layer's own program.
  virtual std::optional<double> loopCycles(const Layer &layer,
                                           const Mapping &mapping,
                                           const Accelerator &target) const {
    return std::nullopt;
  }

  /// One that ranks much alike and costs less, for searches that look at many
  /// more than they keep; by default this one.
  virtual const CostFunction &quick() const { return *this; }

  /// Whether only factors that divide their dim are meant.
  virtual bool wantsDivisors() const { return false; }
};

/// A built-in model under `convention`; its slopes are exact (dual numbers).
/// `overlap`: of fusion groups, in Timeloop's counts. `walks`, if there are
/// any, keep those of Latency::Streams; the function is then of their machine
/// only, and they must outlive it.
std::unique_ptr<CostFunction>
createCostFunction(Convention convention, Model model = Model::Exact,
                   Latency latency = Latency::Roofline,
                   GroupOverlap overlap = GroupOverlap::Layer,
                   StreamWalks *walks = nullptr);

/// As evaluateGroup(..., Convention), by `cost`.
GroupCost evaluateGroup(const Network &network, const Schedule &schedule,
                        const FusionGroup &group, const Accelerator &target,
                        const CostFunction &cost);

/// As evaluateSchedule(..., Convention), by `cost`. The result's convention is
/// left at its default.
ScheduleCost evaluateSchedule(const Network &network, const Schedule &schedule,
                              const Accelerator &target,
                              const CostFunction &cost);

} // namespace fadiff

#endif // FADIFF_COSTMODEL_COSTFUNCTION_H
