//===- StreamLatency.cpp - Cycles of the emitted streams ------------------===//
//
// Part of the FADiff project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fadiff/CostModel/StreamLatency.h"
#include "fadiff/CostModel/Group.h"

using namespace fadiff;

StreamTile fadiff::heldTile(const GroupTiles &tiles, size_t tile) {
  const HeldTile held = tiles.held(tile);
  return {held.extent(Axis::H),
          held.extent(Axis::W),
          {held.isCompact(Axis::H), held.isCompact(Axis::W)}};
}

PhaseCycles<double> fadiff::streamLatency(const Layer &layer,
                                          const Mapping &mapping,
                                          const Accelerator &target) {
  const Nest<double> nest = exactNest(layer, mapping);
  return streamLatency(streamedLayer(nest), target);
}

StreamShape fadiff::streamShape(const Layer &layer, const Mapping &mapping,
                                const Accelerator &target) {
  const Nest<double> nest = exactNest(layer, mapping);
  return stream::Streams<double>(streamedLayer(nest), target).getShape();
}

StreamShape fadiff::streamShape(const GroupTiles &tiles, size_t member,
                                const Mapping &mapping,
                                const Accelerator &target) {
  RelaxedFactors<double> factors;
  detail::forEachWholeFactor(
      tiles.tileLayer(member), mapping,
      [&](auto factorOf, double value) { factorOf(factors) = value; });
  const Nest<double, true> nest = memberNest</*Whole=*/true>(
      tiles, member, factors, mapping.order, target.side);
  return stream::Streams<double>(streamedMember(nest, tiles, member, target),
                                 target)
      .getShape();
}
