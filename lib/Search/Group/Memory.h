//===- Memory.h - What similar chains have in common ------------*- C++ -*-===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Networks that are searched one after the other and differ in a few layers
// (Packing.h): what members of groups can do is listed once.
//
//===----------------------------------------------------------------------===//

#ifndef FADIFF_LIB_SEARCH_GROUP_MEMORY_H
#define FADIFF_LIB_SEARCH_GROUP_MEMORY_H

#include "Space.h"

#include <map>
#include <vector>

namespace fadiff::exact {

/// What the members of a group can do with a tile, from the last one back to
/// the first one that every form of the chain has, and what that means for the
/// members before.
struct KnownMembers {
  std::vector<std::vector<const OptionList *>> options; ///< as GroupTile's
  size_t held = 0;                                      ///< how many these are
  int64_t floor = 0, keptBehind = 0;
  BoundPoint reloaded;
  BoundPoint least;       ///< of all these members
  bool shortened = false; ///< a list is not precise
  bool goesOn = false;    ///< there may be members before
};

/// What is known of a chain.
struct ChainMemory {
  /// Members from this one on are the same in every form.
  size_t same = 0;
  /// What is kept, whether outputs are pooled, whether the list is precise, how
  /// wide slices are, the last member, and the least and most N, P and Q.
  using Key = std::array<int64_t, 11>;
  static Key keyOf(size_t last, const GroupTile &tile);

  std::map<Key, KnownMembers> tiles;
  OptionPool pool;
  /// Per last member what has to be the same, too: where groups start, and the
  /// contexts of members from `same` on.
  std::map<size_t, std::pair<size_t, std::vector<MemberContexts>>> contexts;
  /// Of the groups from a first member, not before `same`, to a last one.
  std::map<std::pair<size_t, size_t>, std::vector<GroupShape>> shapes;
};

/// Of searches of networks that differ in some layers only, none of which reads
/// what another layer makes. Target, space and all else that is asked for are
/// the same.
class GroupMemory {
public:
  explicit GroupMemory(std::vector<unsigned> varying)
      : varying(std::move(varying)) {}

  /// That of the chain of these layers; null if there is nothing that its forms
  /// have in common for certain.
  ChainMemory *of(llvm::ArrayRef<unsigned> chain, const TensorUses &uses);

  /// The complete hull of a layer; null if it is not known. To be read by
  /// several threads while nobody keeps one.
  const LayerHull *hullOf(const Layer &layer) const;
  void keepHull(const Layer &layer, const LayerHull &hull);

  /// The objective of the best form so far; none: all are to be searched.
  std::optional<double> best;
  /// The least objectives so far of any form: who is far behind is not gone on
  /// with (Streams.cpp).
  SearchStages stages;
  /// Of a form that was searched before.
  void note(const SearchStages &other) {
    for (std::optional<double> SearchStages::*stage :
         {&SearchStages::bound, &SearchStages::enumerated,
          &SearchStages::climbed, &SearchStages::annealed})
      if (std::optional<double> value = other.*stage)
        stages.*stage = std::min(*value, (stages.*stage).value_or(*value));
  }
  void forgetBest() {
    best.reset();
    stages = {};
  }
  /// Whether a form with this bound cannot be as good, or will not: forms
  /// differ in few layers, so what they cost above their bounds is much the
  /// same.
  bool rulesOut(std::optional<double> bound) const {
    constexpr double kFar = 1.01;
    return best && bound &&
           (*bound > *best * (1 + 1e-9) ||
            (stages.bound && *bound > *stages.bound * kFar));
  }

private:
  const std::vector<unsigned> varying;
  std::map<std::vector<unsigned>, ChainMemory> chains;
  std::map<std::vector<int64_t>, LayerHull> hulls; ///< by contentOf()
};

} // namespace fadiff::exact

#endif // FADIFF_LIB_SEARCH_GROUP_MEMORY_H
