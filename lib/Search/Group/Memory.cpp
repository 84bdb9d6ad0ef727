//===- Memory.cpp - What similar chains have in common --------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "llvm/ADT/STLExtras.h"

using namespace fadiff;
using namespace fadiff::exact;

ChainMemory::Key ChainMemory::keyOf(size_t last, const GroupTile &tile) {
  Key key{tile.keeps ? int64_t(*tile.keeps) : -1, tile.poolsOutput,
          tile.isPrecise, tile.sliceWidth, int64_t(last)};
  auto *next = key.begin() + 5;
  for (Dim dim : kShared) {
    *next++ = tile.extents[dim].least;
    *next++ = tile.extents[dim].most;
  }
  return key;
}

ChainMemory *GroupMemory::of(llvm::ArrayRef<unsigned> chain,
                             const TensorUses &uses) {
  auto varies = [&](unsigned layer) {
    return llvm::is_contained(varying, layer);
  };
  const size_t same = varies(chain.front());
  if (llvm::any_of(chain.drop_front(same), varies))
    return nullptr;
  // Of what others read, too, rows may be kept for them.
  if (same == 1) {
    const auto input = uses.operands[chain.front()].input;
    for (unsigned layer : chain.drop_front())
      if (input && (uses.operands[layer].input == input ||
                    uses.operands[layer].residual == input))
        return nullptr;
  }
  ChainMemory &memory = chains[chain.vec()];
  memory.same = same;
  return &memory;
}

const LayerHull *GroupMemory::hullOf(const Layer &layer) const {
  auto it = hulls.find(contentOf(layer));
  return it == hulls.end() ? nullptr : &it->second;
}

void GroupMemory::keepHull(const Layer &layer, const LayerHull &hull) {
  LayerHull &kept = hulls[contentOf(layer)];
  kept = hull;
  kept.evaluated = 0; // nothing is evaluated again
}
