//===- Schedule.h - Mappings and fusion groups of a network -----*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_SCHEDULE_SCHEDULE_H
#define FADIFF_SCHEDULE_SCHEDULE_H

#include "fadiff/Schedule/Mapping.h"
#include "fadiff/Workload/Network.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <vector>

namespace fadiff {

/// Layers that run tile by tile with their intermediates on chip: in order of
/// execution, each consuming one before, most of them the last one. One layer
/// alone is a group of its own.
///
/// The group's tile loops are the N, P and Q loops at DRAM level of its last
/// member; they are the outermost DRAM loops. The other members' tiles follow
/// from the last one's (GroupTiles.h), so their own N, P and Q factors at DRAM
/// mean nothing. With `poolsOutput` these loops cut the pooled outputs.
struct FusionGroup {
  std::vector<unsigned> layers;
  /// Rows (columns, along W) that the next tile needs again stay where they
  /// are, so that each is made, or loaded, once. P (Q) is then the innermost of
  /// the group's loops. Without, neighbouring tiles make what they share twice.
  std::optional<Axis> keeps;
  /// Members whose residual stays in the scratchpad until it is added: the
  /// input of a member (of the first one, too), or what a member makes. The
  /// residuals of others come from DRAM.
  std::vector<unsigned> liveSkips;
  /// A member whose input is handed over `channels` at a time: its producer,
  /// the member before, makes that many output channels, then this one adds
  /// them up, or runs that many groups if it is depthwise, before the producer
  /// goes on. The outermost loops that both have of their own walk these
  /// channels. `channels` fill whole rows.
  struct InputSlices {
    unsigned layer = 0;
    int64_t channels = 0;
    bool operator==(const InputSlices &other) const {
      return layer == other.layer && channels == other.channels;
    }
  };
  std::vector<InputSlices> inputSlices;
  /// Of the member's input; 0 if it is handed over whole.
  int64_t sliceOf(unsigned layer) const {
    for (const InputSlices &slices : inputSlices)
      if (slices.layer == layer)
        return slices.channels;
    return 0;
  }
  /// The group's input has two places in the scratchpad, in turn, or a ring
  /// with lines for what is new of its next tile: that comes in while the
  /// members run on this one. A layer that is alone needs no such decision: its
  /// program does so where there is room.
  bool inputTurns = false;
  /// The last member's outputs, of a layer alone, too, are pooled on their way
  /// to DRAM (Layer::pool). Else they go there as they are.
  bool poolsOutput = false;
  /// The one layer, a matrix product, is run by the machine's loop unit
  /// (MatmulLoop.h).
  bool byLoop = false;

  /// The same group of other layers: `number` of each.
  template <typename Fn> FusionGroup renumbered(Fn &&number) const {
    FusionGroup group = *this;
    for (unsigned &layer : group.layers)
      layer = number(layer);
    for (unsigned &layer : group.liveSkips)
      layer = number(layer);
    for (InputSlices &slices : group.inputSlices)
      slices.layer = number(slices.layer);
    return group;
  }

  /// Whether its layers are run tile by tile of the group. A layer alone is
  /// not, but for one that pools: its mapping is its own.
  bool isTiled() const { return layers.size() > 1 || poolsOutput; }

  bool operator==(const FusionGroup &other) const {
    return layers == other.layers && keeps == other.keeps &&
           liveSkips == other.liveSkips && inputSlices == other.inputSlices &&
           inputTurns == other.inputTurns && poolsOutput == other.poolsOutput &&
           byLoop == other.byLoop;
  }
};

/// The decision: a mapping per layer, and a partition of the layers.
struct Schedule {
  std::vector<Mapping> mappings;
  std::vector<FusionGroup> groups;
};

/// Scratchpad and accumulator rows that a layer's tiles take (machine units:
/// one row holds up to `side` elements, fewer channels still take a row).
struct Footprint {
  int64_t inputRows = 0;
  int64_t weightRows = 0;
  int64_t outputRows = 0; ///< accumulator rows
};
Footprint footprint(const Layer &layer, const Mapping &mapping);
/// The same of tiles with these extents, with `rows` and `cols` of the array.
Footprint footprint(const Layer &layer, const PerDim<int64_t> &scratchpad,
                    const PerDim<int64_t> &accumulator, int64_t rows,
                    int64_t cols);

/// The kernel's dim whose taps may lie beside each other in DRAM, and the other
/// one.
Dim tapDim(const Layer &layer);
Dim otherTapDim(const Layer &layer);
/// The columns in which a dense layer's weights lie together in DRAM, if they
/// do so tap by tap along tapDim(), that one mvin may bring several taps: those
/// of a tile of weights with extents `tile`, if a mvin is wider and all tiles
/// are alike. Else 0: they lie as the network has them.
int64_t weightBlock(const Layer &layer, const PerDim<int64_t> &tile,
                    int64_t cols, const Accelerator &target);

/// Input rows / columns that the scratchpad tile stores along `axis`. With a
/// kernel tile of 1 only the touched ones are loaded (every stride-th), else
/// the whole window.
int64_t storedInputExtent(const Layer &layer, const Mapping &mapping,
                          Axis axis);
/// True if that axis is stored compactly (kernel tile of 1).
bool isCompact(const Layer &layer, const Mapping &mapping, Axis axis);

/// Checks the layer itself: bounds that can be counted, and the type of
/// elements that the machine works on.
llvm::Error verify(const Layer &layer, const Accelerator &target);

/// Checks `mapping` for one layer alone: factors positive and covering the
/// dims, array bounds, registers hold only N, P, Q loops, capacities. The error
/// names the rule, the level, what was wanted and what was found.
llvm::Error verify(const Layer &layer, const Mapping &mapping,
                   const Accelerator &target);

/// Checks a whole schedule: every layer in exactly one group, each mapping
/// legal, groups are chains, with side branches to a residual, whose hand-over
/// the machine offers and whose live tiles fit together.
llvm::Error verify(const Network &network, const Schedule &schedule,
                   const Accelerator &target);

/// Checks one group (see above); singletons reduce to verify(layer).
llvm::Error verify(const Network &network, const Schedule &schedule,
                   const FusionGroup &group, const Accelerator &target);

/// Whether the shapes let `from` hand its output over on chip to `to`, which
/// reads it, perhaps pooled: same batch, all channels, int8 or f32 as inputs
/// are, no groups but depthwise, windows that `target` can pool.
llvm::Error verifyHandOver(const Layer &from, const Layer &to,
                           const Accelerator &target);

/// Whether outputs of `layer` can be pooled on their way to DRAM: there is a
/// pooling behind it, of int8, and windows that `target` can pool.
llvm::Error verifyPoolsOutput(const Layer &layer, const Accelerator &target);

/// The part of a group's rules that no mapping can change: whether `producer`
/// and `consumer` may ever be neighbours in a group on this machine.
llvm::Error verifyFusible(const Network &network, unsigned producer,
                          unsigned consumer, const Accelerator &target);

/// Whether the group's layer `l` keeps its weights in the scratchpad for the
/// whole group: no DRAM loop of G, K, C, R or S.
bool weightsResident(const Layer &layer, const Mapping &mapping);

/// Scratchpad rows that a group which isTiled() needs at once: all resident
/// weights, all tiles whose rows are kept, and the largest of (input + output
/// copy + tiles that stay for others + streamed weights) over the members, as
/// far as these are not kept; members that take turns need theirs together. The
/// last member's output leaves from the accumulator.
/// Expects members whose factors are legal on their own.
int64_t groupScratchpadRows(const Network &network, const Schedule &schedule,
                            const FusionGroup &group,
                            const Accelerator &target);

} // namespace fadiff

#endif // FADIFF_SCHEDULE_SCHEDULE_H
